// SPDX-License-Identifier: BSD-3-Clause
//
// Frames of the stream (docs/manual/stream.md): what one page has not seen yet of a snapshot.
#ifndef RUT_SCENE_FRAME_H
#define RUT_SCENE_FRAME_H

#include "scene/curves.h"
#include "scene/ground_tiles.h"
#include "scene/snapshot.h"

enum { VIEW_FRAME_MAGIC = 0x46545552, VIEW_FRAME_VERSION = 1, VIEW_FRAME_HEAD = 32 };
enum {
  VIEW_SECTION_VEHICLES = 1,
  VIEW_SECTION_WHEELS,
  VIEW_SECTION_LINKS,
  VIEW_SECTION_BLOCKS,
  VIEW_SECTION_SCANS,
  VIEW_SECTION_GROUND,
  VIEW_SECTION_CURVES,
  VIEW_SECTION_CONTACTS
};

// What a page has seen.
typedef struct viewReader {
  uint32_t jumps;
  double* stamp;           // of each sensor's last sample, NaN: none
  uint32_t* tile;          // version of each tile, NULL if the world keeps no ruts
  viewCurves* curves;      // Nullable
  uint32_t subscription;   // of rows that it wants, as in the rows
  uint32_t subscriptions;  // number that it knows it by
  int signals;
} viewReader;

// What frames are made of.
typedef struct viewSource {
  const viewShape* shape;
  viewTiles* tiles;
} viewSource;

// False if out of memory.
bool view_reader_create(viewSource source, viewReader* reader);
void view_reader_free(viewReader* reader);
// Let everything be new to it again.
void view_reader_forget(viewSource source, viewReader* reader);

// Most bytes that a frame may take.
size_t view_frame_size(viewSource source, const viewReader* reader);
// Write a frame for a reader, and take note of what it has seen. *more tells that there is more
// ground to come. Returns its size.
size_t view_frame_write(viewSource source, const viewSnapshot* snapshot, viewReader* reader,
                        unsigned char* out, bool* more);

// A frame of one tile and nothing else. Returns its size, VIEW_TILE_FRAME_SIZE.
enum { VIEW_TILE_FRAME_SIZE = (VIEW_FRAME_HEAD + 8 + 16 + 4 * VIEW_TILE_HEIGHTS + 7) / 8 * 8 };
size_t view_frame_write_tile(const viewTiles* tiles, int index, double time, unsigned char* out);

#endif  // RUT_SCENE_FRAME_H
