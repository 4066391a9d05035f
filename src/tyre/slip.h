// SPDX-License-Identifier: BSD-3-Clause
//
// From the bounded slips of the contact patch to those in which the laws of rolling tyres are
// written.
//
// With V the larger of the speeds |r w| of the tread and |v| of the hub, the patch has slips
// (r w - v)/V and v_y/V. Laws divide by |v| (Fiala, Pacejka) or by |r w| (Rill) instead. Where
// s = slip_x x direction drives, |r w| = V and |v| = V (1 - s); where it brakes, |v| = V and
// |r w| = V (1 + s).
#ifndef RUT_TYRE_SLIP_H
#define RUT_TYRE_SLIP_H

#include "math/lanes.h"

// Below this speed of the hub a patch holds more than it slips: its slips are deflections, equal in
// all definitions. Those of both directions of travel meet there.
#define RUT_TYRE_HOLDING_SPEED 0.1  // [m/s]
// Speed from which the moments of a rolling patch are in full; a standing one has none.
#define RUT_TYRE_ROLLING_SPEED 1.0  // [m/s]
// Least part that |v| or |r w| counts of V: bounds slips of standing wheels that spin, and of
// locked ones.
#define RUT_TYRE_LEAST_PART 0.01
// Smallest slip at which a curve is read: there it is straight.
#define RUT_TYRE_LEAST_SLIP 1e-9
// Least load by which forces are divided [N], and least friction.
#define RUT_TYRE_LEAST_LOAD     1e-3
#define RUT_TYRE_LEAST_FRICTION 1e-6

typedef struct rutTyreSlip {
  double x, y;               // of the patch
  double hub, tread;         // |v|/V and |r w|/V, in (0, 1]
  double over_hub;           // 1/hub
  double along_x, across_y;  // x/hub = (r w - v)/|v| and y/hub = tan(slip angle)
} rutTyreSlip;

// 0 at 0, 1 from 1 on, without a kink.
RUT_INLINE double rut_tyre_rise(double x) {
  const double part = rut_clamp(x, 0.0, 1.0);
  return part * part * (3.0 - 2.0 * part);
}

RUT_INLINE rutTyreSlip rut_tyre_slip(double slip_x, double slip_y, double direction, double speed) {
  static const double MOST = 1e3;  // slip that counts
  const double x = rut_clamp(slip_x, -MOST, MOST), y = rut_clamp(slip_y, -MOST, MOST);
  const double moves = rut_tyre_rise(rut_abs(speed) * (1.0 / RUT_TYRE_HOLDING_SPEED));
  const double s = x * direction * moves;
  const double hub = rut_max(1.0 - rut_max(s, 0.0), RUT_TYRE_LEAST_PART);
  const double tread = rut_max(1.0 + rut_min(s, 0.0), RUT_TYRE_LEAST_PART);
  const double inverse = 1.0 / hub;
  return (rutTyreSlip){x, y, hub, tread, inverse, x * inverse, y * inverse};
}

// Direction of travel, 1 or -1, faded out towards standstill: what the moments of a patch that
// rolls are multiplied by.
RUT_INLINE double rut_tyre_rolls(double direction, double speed) {
  return direction * rut_tyre_rise(rut_abs(speed) * (1.0 / RUT_TYRE_ROLLING_SPEED));
}

// Friction of the place over that of the road on which the tyre was measured, of which per_road is
// the inverse; 1 without one.
RUT_INLINE double rut_tyre_road(double place, double per_road) {
  const double part = rut_max(place, 0.0) * per_road;
  return rut_max(place == place ? part : 1.0, RUT_TYRE_LEAST_FRICTION);
}

#endif  // RUT_TYRE_SLIP_H
