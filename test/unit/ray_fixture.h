// SPDX-License-Identifier: BSD-3-Clause
//
// Random numbers, memory and rays for tests of rays against bodies. Include cmocka.h before.
#ifndef RUT_TEST_UNIT_RAY_FIXTURE_H
#define RUT_TEST_UNIT_RAY_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "geom/rays.h"

static uint32_t seed = 7;
static inline double between(double low, double high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (high - low) * ((seed >> 8) + 0.5) / 16777216.0;
}
// Each round of a test has a random sequence of its own.
static inline void begin_sequence(int i) { seed = 90210u + 7919u * (uint32_t)i; }

// Zeroed memory; free its base.
static inline rutArena arena_new(size_t size) {
  const size_t whole = (size / RUT_ARENA_ALIGN + 1) * RUT_ARENA_ALIGN;
  rutArena arena = {.base = aligned_alloc(RUT_ARENA_ALIGN, whole), .size = whole};
  assert_non_null(arena.base);
  memset(arena.base, 0, whole);
  return arena;
}

static inline rutRay ray_from(const double o[3], const double d[3], double limit) {
  rutRay ray = {.o = {o[0], o[1], o[2]}, .limit = limit};
  for (int k = 0; k < 3; k++) rut_ray_aim(&ray, k, d[k]);
  return ray;
}

#endif  // RUT_TEST_UNIT_RAY_FIXTURE_H
