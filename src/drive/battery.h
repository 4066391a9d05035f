// SPDX-License-Identifier: BSD-3-Clause
//
// Battery that several motors share: how much power it gives, and how their currents fit in.
#ifndef RUT_DRIVE_BATTERY_H
#define RUT_DRIVE_BATTERY_H

#include "math/rut_math.h"

typedef struct rutBattery {
  double voltage;     // without load [V] > 0
  double resistance;  // internal [ohm]
  double current;     // largest current drawn [A]
  double charging;    // largest current taken back [A]; what exceeds it is burnt
} rutBattery;

// Most power at the terminals: P = I (V - R I) rises up to I = V/(2 R).
RUT_INLINE double rut_battery_max_power(const rutBattery* b) {
  const double current =
      rut_min(b->current, 0.5 * b->voltage / rut_max(b->resistance, RUT_LEAST_DIVISOR));
  return current * (b->voltage - b->resistance * current);
}

// Voltage at the terminals with power P drawn there: V = V_0 - R P/V.
RUT_INLINE double rut_battery_voltage(const rutBattery* b, double power) {
  const double square = b->voltage * b->voltage - 4.0 * b->resistance * power;
  return 0.5 * (b->voltage + rut_sqrt(rut_max(square, 0.0)));
}

// Power drawn when the motors together ask for P: braking comes back up to the charging current.
RUT_INLINE double rut_battery_power(const rutBattery* b, double power) {
  return rut_max(power, -b->charging * b->voltage);
}

// Largest share s in [0, 1] with a s^2 + b s + c <= limit, where a >= 0 and c <= limit. Of the two
// forms of the root the one without cancellation is taken.
RUT_INLINE double rut_battery_share(double a, double b, double c, double limit) {
  const double spare = rut_max(limit - c, 0.0);
  const double q = rut_abs(b) + rut_sqrt(b * b + 4.0 * a * spare);
  const double rising = 2.0 * spare / rut_max(q, RUT_LEAST_DIVISOR);
  const double falling = q / rut_max(2.0 * a, RUT_LEAST_DIVISOR);
  const double share = b >= 0.0 ? rising : falling;
  return rut_min(q > 0.0 ? share : 1.0, 1.0);
}

#endif  // RUT_DRIVE_BATTERY_H
