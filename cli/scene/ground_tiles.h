// SPDX-License-Identifier: BSD-3-Clause
//
// Tiles of the ground that wheels have changed. The thread that steps marks and measures them, that
// of the server reads them.
#ifndef RUT_SCENE_GROUND_TILES_H
#define RUT_SCENE_GROUND_TILES_H

#include <pthread.h>

#include "rut/rut.h"
#include "scene/limits.h"

enum { VIEW_TILE_HEIGHTS = VIEW_TILE_SIDE * VIEW_TILE_SIDE };

typedef struct viewTile {
  int32_t column, row;
  uint32_t version;  // grows whenever the heights change; 0: not measured yet
  double marked;     // when it was last marked, simulated time [s]
  double left;       // the last of the marks that followed each other since it was measured
  bool dirty;        // waits to be measured; only the thread that steps looks at it
} viewTile;

typedef struct viewTiles {
  double cell;           // 0: the world keeps no ruts, and there are no tiles
  pthread_mutex_t lock;  // of count, version, heights
  viewTile* tile;
  float* height;  // [tile][VIEW_TILE_HEIGHTS]
  int count;
  int* slot;   // hash table of tiles, -1: free
  int* queue;  // ring of tiles to be measured
  int first, waiting;
  double* scratch;
} viewTiles;

// cell is the side of the rut cells [m], 0 for none. False if out of memory.
bool view_tiles_create(double cell, viewTiles* tiles);
void view_tiles_free(viewTiles* tiles);

// The tiles within a distance of a point may have changed.
void view_tiles_mark(viewTiles* tiles, double time, double x, double y, double reach);
// All tiles, and all ground on which there are ruts, may have changed.
void view_tiles_mark_all(viewTiles* tiles, const rutModel* model, const rutData* data);
// Measure the next tile that was last marked before a time. False if there is none; *index and
// *changed tell which it was, and whether it is another than before.
bool view_tiles_measure_next(viewTiles* tiles, const rutModel* model, const rutData* data,
                             double before, int* index, bool* changed);
// Measure up to n tiles that were last marked before a time. Returns how many are left.
int view_tiles_measure(viewTiles* tiles, const rutModel* model, const rutData* data, double before,
                       int n);

// Put heights (little-endian floats) into a tile, as a log has them; false if there are too many.
bool view_tiles_put(viewTiles* tiles, int32_t column, int32_t row, const unsigned char* height);

#endif  // RUT_SCENE_GROUND_TILES_H
