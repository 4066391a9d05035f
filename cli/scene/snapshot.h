// SPDX-License-Identifier: BSD-3-Clause
//
// One state as numbers of the stream (docs/manual/stream.md), from which frames are written.
#ifndef RUT_SCENE_SNAPSHOT_H
#define RUT_SCENE_SNAPSHOT_H

#include "rut/rut.h"
#include "scene/limits.h"

// How much of each kind there is. The same for a whole session.
typedef struct viewShape {
  int vehicles, wheels, links, blocks, sensors;
  int rays;          // of all sensors
  int* wheel_links;  // of each wheel
  int* block;        // index of each block that moves
  int moving;        // number of those; behind them `blocks` has the bodies of mechanisms and the
                     // moving parts of actors
  int* ray_start;    // of each sensor in `range`, one more at the end
} viewShape;

// Samples come from sources: the sensors, then of each vehicle its map and its path.
static inline int view_shape_sources(const viewShape* s) { return s->sensors + 2 * s->vehicles; }
static inline int view_map_source(const viewShape* s, int vehicle) {
  return s->sensors + 2 * vehicle;
}
static inline int view_path_source(const viewShape* s, int vehicle) {
  return s->sensors + 2 * vehicle + 1;
}

enum {
  VIEW_VEHICLE_NUMBERS = 8,
  VIEW_WHEEL_NUMBERS = 16,
  VIEW_LINK_NUMBERS = 6,
  VIEW_BLOCK_NUMBERS = 7,
  VIEW_CONTACT_NUMBERS = 4
};

// Bits of a frame's head.
enum { VIEW_PAUSED = 1, VIEW_DIVERGED = 2, VIEW_AT_END = 4, VIEW_JUMPED = 8 };

typedef struct viewSnapshot {
  double time;
  uint64_t steps;
  float factor;  // real-time factor
  uint32_t bits;
  uint32_t jumps;  // resets, seeks and restores so far
  float *vehicle, *wheel, *link, *block, *contact, *range;
  double* stamp;  // of each sensor's sample, -1: none
  int contacts;
  bool late;  // it came by video: curves of later times wait
} viewSnapshot;

// Shape of a model. False if out of memory.
bool view_shape_of(const rutModel* model, viewShape* shape);
bool view_shape_equal(const viewShape* a, const viewShape* b);
void view_shape_free(viewShape* shape);

// False if out of memory.
bool view_snapshot_create(const viewShape* shape, viewSnapshot* snapshot);
void view_snapshot_free(viewSnapshot* snapshot);
// Take in a state. Does not allocate.
void view_snapshot_take(const viewShape* shape, const rutModel* model, const rutData* data,
                        viewSnapshot* snapshot);

// Copy all but the arrays themselves. Does not allocate.
void view_snapshot_copy(const viewShape* shape, const viewSnapshot* from, viewSnapshot* to);

// Quaternion w x y z of roll, pitch and yaw.
void view_quaternion(double roll, double pitch, double yaw, float out[4]);

#endif  // RUT_SCENE_SNAPSHOT_H
