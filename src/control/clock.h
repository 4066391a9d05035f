// SPDX-License-Identifier: BSD-3-Clause
//
// The clock of a controller: the time of the world, also after another one has had the vehicle.
#ifndef RUT_CONTROL_CLOCK_H
#define RUT_CONTROL_CLOCK_H

#include "math/rut_math.h"
#include "rut/component.h"

// Time of an update [s]. `own` is the sum of the durations of the updates so far, 0 before the
// first. It holds as long as it is the world's time but for rounding and for updates that fall
// between two steps. A controller that has begun later, or has missed updates, takes the world's.
RUT_INLINE double rut_control_clock(const rutControlIn* in, int lane, double own) {
  static const double SAME_UPDATE = 0.75;  // durations of an update
  const double time = in->time[lane];
  return own > 0 && rut_abs(own - time) < SAME_UPDATE * in->dt ? own : time;
}

#endif  // RUT_CONTROL_CLOCK_H
