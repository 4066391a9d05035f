// SPDX-License-Identifier: BSD-3-Clause
//
// Torque of an engine over speed and throttle, T = T_drag(w) + u T_gas(w): friction and pumping,
// and what the burning gas gives at full throttle.
#ifndef RUT_DRIVE_ENGINE_MAP_H
#define RUT_DRIVE_ENGINE_MAP_H

#include <stdbool.h>

#include "math/rut_math.h"

// Polyline through the points (x, y), x rising; constant beyond its ends, 0 without points.
RUT_INLINE double rut_polyline(int points, const double* x, const double* y, double at) {
  if (points < 2) return points > 0 ? y[0] : 0.0;
  // first point of the piece that `at` is in, or is nearest to
  int k = 0;
  for (int i = 1; i < points - 1; i++) k += at > x[i];
  const double part = (at - x[k]) / (x[k + 1] - x[k]);
  return y[k] + (y[k + 1] - y[k]) * rut_clamp(part, 0.0, 1.0);
}

typedef struct rutEngineMap {
  int full_points, drag_points;
  const double *full_speed, *full_torque;  // [rad/s], [N m]
  const double *drag_speed, *drag_torque;  // without throttle, negative where it brakes
  bool brake;                       // full_torque is what the shaft gives, else that of the gas
  double idle_speed, idle_band;     // the governor opens the throttle from one down over the other
  double max_speed, governor_band;  // and closes it over the other up to the one
} rutEngineMap;

// Torque of the shaft [N m] at speed w and throttle 0 to 1, and the gas's part of it, never
// negative: no throttle makes the engine brake harder.
RUT_INLINE double rut_engine_torque(const rutEngineMap* m, double w, double throttle, double* gas) {
  const double idle = rut_clamp((m->idle_speed - w) / m->idle_band, 0.0, 1.0);
  const double cut = rut_clamp((m->max_speed - w) / m->governor_band, 0.0, 1.0);
  const double drag = rut_polyline(m->drag_points, m->drag_speed, m->drag_torque, w);
  const double full = rut_polyline(m->full_points, m->full_speed, m->full_torque, w);
  const double most = rut_max(m->brake ? full - drag : full, 0.0);
  *gas = rut_max(throttle, idle) * cut * most;
  return drag + *gas;
}

#endif  // RUT_DRIVE_ENGINE_MAP_H
