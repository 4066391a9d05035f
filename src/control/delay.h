// SPDX-License-Identifier: BSD-3-Clause
//
// Delay by a whole number of steps: a ring of rows in the state. Rows are [number][lane]. The place
// in the ring follows from the number of the step, so nothing else has to be kept.
#ifndef RUT_CONTROL_DELAY_H
#define RUT_CONTROL_DELAY_H

#include <stdint.h>
#include <string.h>

#include "math/lanes.h"

// Steps of a delay [s], the nearest whole number.
static inline int rut_delay_steps(double delay, double dt) {
  return (int)rut_floor(delay / dt + 0.5);
}

// Put `numbers` rows into the ring of `steps` places and replace them by those of `steps` steps
// ago: what was in the ring before the first step, zero unless it is filled. steps is at least 1.
static inline void rut_delay_rows(int steps, int64_t step, int numbers, int lanes, double* ring,
                                  double* rows) {
  const size_t n = (size_t)numbers * (size_t)lanes;
  double* place = ring + (size_t)(step % steps) * n;
  for (size_t i = 0; i < n; i++) {
    const double now = rows[i];
    rows[i] = place[i];
    place[i] = now;
  }
}

// Before the first step rows were what they are then.
static inline void rut_delay_fill(int steps, int numbers, int lanes, double* ring,
                                  const double* rows) {
  const size_t n = (size_t)numbers * (size_t)lanes;
  for (int k = 0; k < steps; k++) memcpy(ring + (size_t)k * n, rows, n * sizeof *rows);
}

#endif  // RUT_CONTROL_DELAY_H
