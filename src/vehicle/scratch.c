// SPDX-License-Identifier: BSD-3-Clause
//
// Memory that a step of a batch of vehicles with suspensions works in.
#include "mbd/corners.h"
#include "vehicle/view.h"

// Doubles of each array of the scratch.
#define SCRATCH_ARRAYS(X)                                     \
  X(sample_x, slices* n)                                      \
  X(sample_y, slices* n)                                      \
  X(sample_below, slices* n)                                  \
  X(sample_z, slices* n)                                      \
  X(sample_slope_x, slices* n)                                \
  X(sample_slope_y, slices* n)                                \
  X(start, coordinates* lanes)                                \
  X(stage, coordinates* lanes)                                \
  X(sum, (2 * group->tree.speeds + RUT_ENERGY_COUNT) * lanes) \
  X(patch, 6 * n)                                             \
  X(sliders, (int)rut_dynamics_scratch(group->spatial))       \
  X(mechanism, group->spatial->mechanisms > 1 ? RUT_CORNER_ROW_COUNT * RUT_CORNER_WIDTH : 0)

static size_t rut_dynamics_scratch(const rutSpatial* s) {
  return s->corners ? rut_corners_scratch(&s->body) : rut_sliders_scratch(&s->body);
}

size_t rut_spatial_scratch_size(const rutGroup* group) {
  const int n = group->spatial->body.n, lanes = group->lanes, slices = group->spatial->slices;
  const int coordinates = group->tree.positions + group->tree.speeds;
  size_t doubles = (size_t)RUT_WHEEL_ROW_COUNT * (size_t)n;
#define X(name, rows) doubles += (size_t)((rows)*lanes);
  RUT_CHASSIS_ROWS(X)
#undef X
#define X(name, count) doubles += (size_t)(count);
  SCRATCH_ARRAYS(X)
#undef X
  return doubles * sizeof(double) + (size_t)n * sizeof(int);
}

void rut_spatial_scratch(const rutGroup* group, void* memory, rutSpatialScratch* out) {
  const int n = group->spatial->body.n, lanes = group->lanes, slices = group->spatial->slices;
  const int coordinates = group->tree.positions + group->tree.speeds;
  double* next = memory;
  out->row = next;
  next += (size_t)RUT_WHEEL_ROW_COUNT * (size_t)n;
#define X(name, rows) \
  out->name = next;   \
  next += (size_t)((rows)*lanes);
  RUT_CHASSIS_ROWS(X)
#undef X
#define X(name, count) \
  out->name = next;    \
  next += (size_t)(count);
  SCRATCH_ARRAYS(X)
#undef X
  out->soil = (int*)next;
}
