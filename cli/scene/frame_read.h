// SPDX-License-Identifier: BSD-3-Clause
//
// Reads frames of the stream, which may come from anywhere.
#ifndef RUT_SCENE_FRAME_READ_H
#define RUT_SCENE_FRAME_READ_H

#include "scene/frame.h"

// A section: where its things are, and how many.
typedef struct viewSection {
  const unsigned char* at;
  size_t size;  // bytes up to the end of the frame
  uint32_t count;
} viewSection;

typedef struct viewFrame {
  double time;
  uint64_t steps;
  uint32_t bits;
  viewSection section[VIEW_SECTION_CONTACTS + 1];  // by kind; count 0: it has none
} viewFrame;

// One tile of a frame.
typedef struct viewFrameTile {
  int32_t column, row;
  float cell;
  const unsigned char* height;  // VIEW_TILE_HEIGHTS floats
} viewFrameTile;

// Find the sections. False if this is not a whole frame. data must outlive frame.
bool view_frame_read(const unsigned char* data, size_t size, viewFrame* frame);
// Take up to `most` things of a section of floats, `each` floats long. Returns their number.
int view_frame_floats(const viewSection* section, int each, int most, float* out);
// Take scans into the ranges of a shape; changed[sensor] becomes true for each.
void view_frame_scans(const viewFrame* frame, const viewShape* shape, float* range, bool* changed);
// Tile of an index below the section's count; false if it is none of ours.
bool view_frame_tile(const viewFrame* frame, uint32_t index, viewFrameTile* tile);

#endif  // RUT_SCENE_FRAME_READ_H
