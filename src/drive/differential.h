// SPDX-License-Identifier: BSD-3-Clause
//
// Torque that a differential moves between its two outputs.
#ifndef RUT_DRIVE_DIFFERENTIAL_H
#define RUT_DRIVE_DIFFERENTIAL_H

#include "math/rut_math.h"
#include "rut/component.h"

enum { RUT_OPEN, RUT_TORQUE_BIASING, RUT_LOCKED };
#define RUT_DIFFERENTIAL_ROW(name, doc) \
  {name, "", RUT_CHOICE, 1, RUT_OPEN, 0, 2, "open|torque_biasing|locked", 0, doc},

// Torque that friction in the gears passes from output 1 to output 2 of a differential with casing
// torque T: T1 = f T - d, T2 = (1 - f) T + d with
//   d = (D/2) tanh((w1 - w2)/w_s),   D = |T| (B - 1)/(B + 1) + preload,
// B the torque bias ratio and w_s the width. Loses d (w1 - w2) >= 0. In a step of dt the speed
// difference falls by dt d times the mobility 1/J1 + 1/J2 of the outputs; the width is that in
// which it cannot overshoot at least.
typedef struct rutGearFriction {
  double bias;      // torque bias ratio B
  double preload;   // [N m]
  double width;     // w_s [rad/s]
  double mobility;  // of the outputs [1/(kg m2)]
} rutGearFriction;
RUT_INLINE double rut_biased_torque(const rutGearFriction* g, double dt, double torque, double w1,
                                    double w2) {
  const double half = 0.5 * (rut_abs(torque) * (g->bias - 1.0) / (g->bias + 1.0) + g->preload);
  const double stable = rut_max(g->width, half * g->mobility * dt);
  return half * rut_tanh((w1 - w2) / stable);
}

#endif  // RUT_DRIVE_DIFFERENTIAL_H
