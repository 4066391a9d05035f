// SPDX-License-Identifier: BSD-3-Clause
//
// Automatic gearbox: when it shifts, its ratio meanwhile, and the loss of its gears.
#ifndef RUT_DRIVE_GEARBOX_H
#define RUT_DRIVE_GEARBOX_H

#include "math/lanes.h"
#include "math/rut_math.h"

enum { RUT_REVERSE = -1 };  // gear 0 is the first

typedef struct rutGearbox {
  int gears, ups, downs;
  const double* gear;  // turns of the input shaft per turn of the output shaft, falling
  // Speeds of the input shaft from which it shifts up from each gear but the last, and below which
  // it comes back to it; one number is for all [rad/s].
  const double *up, *down;
  double reverse;       // turns, likewise, backwards
  double efficiency;    // in the direction in which power flows
  double shift_time;    // in which the input shaft comes to the speed of the new gear [s]
  double engage_speed;  // of the wheels, up to which the other direction engages [rad/s]
} rutGearbox;

RUT_INLINE double rut_gear_ratio(const rutGearbox* box, double gear) {
  double ratio = -box->reverse;
  for (int i = 0; i < box->gears; i++) ratio = gear == i ? box->gear[i] : ratio;
  return ratio;
}

// The same in each lane.
RUT_INLINE void rut_gear_ratios(const rutGearbox* box, int lanes, const double* restrict gear,
                                double* restrict ratio) {
  const double reverse = -box->reverse;
  RUT_FOR_LANES(l, lanes) { ratio[l] = reverse; }
  for (int i = 0; i < box->gears; i++) {
    const double own = box->gear[i];
    RUT_FOR_LANES(l, lanes) { ratio[l] = gear[l] == i ? own : ratio[l]; }
  }
}

// Number of a list for a gear, of which the last one holds for the rest.
RUT_INLINE double rut_gear_number(int numbers, const double* number, double gear) {
  double value = number[0];
  for (int i = 1; i < numbers; i++) value = gear >= i ? number[i] : value;
  return value;
}

// The same in each lane, for the gear `less` below.
RUT_INLINE void rut_gear_numbers(int numbers, const double* number, int lanes,
                                 const double* restrict gear, double less, double* restrict value) {
  const double first = number[0];
  RUT_FOR_LANES(l, lanes) { value[l] = first; }
  for (int i = 1; i < numbers; i++) {
    const double own = number[i];
    RUT_FOR_LANES(l, lanes) { value[l] = gear[l] - less >= i ? own : value[l]; }
  }
}

// 1, -1 or 0: shift up, down or not at this speed of the input shaft, which shifts up above `up`
// and down below `down`.
RUT_INLINE double rut_shift_beyond(const rutGearbox* box, double gear, double speed, double up,
                                   double down) {
  const double forward = gear >= 0 ? 1.0 : 0.0, next = gear < box->gears - 1 ? forward : 0.0;
  const double falls = gear > 0 ? -1.0 : 0.0, slow = speed < down ? falls : 0.0;
  const double rises = speed > up ? next : 0.0;
  return rises > 0.0 ? 1.0 : slow;
}
RUT_INLINE double rut_shift_wish(const rutGearbox* box, double gear, double speed) {
  return rut_shift_beyond(box, gear, speed, rut_gear_number(box->ups, box->up, gear),
                          rut_gear_number(box->downs, box->down, gear - 1));
}

// Gear that a demand for the other direction engages once the wheels are slow.
RUT_INLINE double rut_gear_direction(const rutGearbox* box, double gear, double demand,
                                     double wheel) {
  const double back = wheel < box->engage_speed ? (double)RUT_REVERSE : gear;
  const double ahead = wheel > -box->engage_speed ? 0.0 : gear;
  const double from_ahead = demand < 0 ? back : gear, from_back = demand > 0 ? ahead : gear;
  return gear < 0 ? from_back : from_ahead;
}

// Torque at the output per torque at the input and ratio: the efficiency where the input shaft
// turns the way it is driven, its inverse where it is turned against its torque. Both set in over
// 1 rad/s. Never gives power.
RUT_INLINE double rut_mesh_factor(const rutGearbox* box, double torque, double speed) {
  const double along = rut_sign(torque) * speed;
  const double driven = rut_clamp(along, 0.0, 1.0), turned = rut_clamp(-along, 0.0, 1.0);
  return 1.0 - (1.0 - box->efficiency) * driven + (1.0 / box->efficiency - 1.0) * turned;
}

// A shift in the step dt. The input shaft turns with a ratio that goes from that of the gear before
// to that of the gear now while the time left runs out, linearly.
typedef struct rutShift {
  double ratio;      // of the gear that is in or coming
  double from;       // ratio before the shift, less this
  double at, after;  // what the input shaft turns more than this, before and after the step
  double left;       // time left of the shift [s]
} rutShift;

RUT_INLINE rutShift rut_shift_step(const rutShift* s, double dt) {
  const double left = rut_max(s->left - dt, 0.0), after = s->at * (left / s->left);
  return (rutShift){s->ratio, s->from, s->at, left > 0.0 ? after : 0.0, left};
}

// Ratio through which the input shaft's torque reaches the output during a shift. Two clutches hold
// the shaft between the speeds of both gears. Each only brakes what slips faster, so that torque
// forward on the shaft goes through the gear in which it would turn slower, torque backward through
// the other.
RUT_INLINE double rut_shift_ratio(const rutShift* s, double torque, double output_speed) {
  const double slip = 0.5 * (s->at + s->after) * output_speed;
  const double other = s->ratio + s->from;
  return ((s->left > 0.0) & (torque * slip < 0.0)) ? other : s->ratio;
}

#endif  // RUT_DRIVE_GEARBOX_H
