// SPDX-License-Identifier: BSD-3-Clause
//
// Soil that a wheel pushes to both sides of its track, where it slides if it is too steep.
#ifndef RUT_TERRAIN_RUT_HEAP_H
#define RUT_TERRAIN_RUT_HEAP_H

#include "terrain/rut_window.h"

// Cells around footprint and borders into which soil may slide.
enum { RUT_SOFT_MARGIN = 6 };

// What a wheel presses. Lengths in cells but for `place`.
typedef struct rutFootprint {
  rutSoftExtent place;   // along the motion, with its borders; `back` as below [m]
  rutSoftEdge edge;      // of lines along the motion
  double dir_x, dir_y;   // heading
  double front;          // contact before the lowest point, along the heading
  double behind;         // cells from there on have been left, along the heading
  double back;           // where those that it may press end, along the motion
  double left, right;    // sides of the track from the lowest point
  double border;         // width of what is pushed aside
  double leans;          // sine of the angle from motion to heading
  double slip;           // 0 to 1
  int32_t pressed, rut;  // depths below the untouched surface, may be negative [units]
} rutFootprint;

// Soil to the left and right of a track [units].
typedef struct rutSoftSides {
  int64_t left, right;
} rutSoftSides;

// Its lowest point and heading.
RUT_INLINE rutSoftExtent rut_footprint_heading(const rutFootprint* f) {
  return (rutSoftExtent){f->place.x, f->place.y, f->dir_x, f->dir_y, 0, 0, 0};
}

// Tile of a cell; made if there is none and the pool has one left, else NULL.
rutSoftTile* rut_window_take(rutSoftGround* ground, rutSoftWindow* w, int32_t i, int32_t j);

// Lay soil on a cell, evenly beside the share of the track that a wheel has just pressed there. A
// rut of before is filled first, what lies in it being fresh soil then. Returns what the cell
// takes, all of it but for absurd heaps.
int32_t rut_soft_deposit(rutSoftTile* tile, int k, int32_t soil, int32_t share);

// Push soil to both borders, so that its height falls outwards. Returns what they took:
// where the pool is full, or heaps are, the rest counts as compacted.
int64_t rut_heap_push(rutSoftGround* ground, const rutFootprint* f, rutSoftSides soil);

#endif  // RUT_TERRAIN_RUT_HEAP_H
