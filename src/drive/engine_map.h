// SPDX-License-Identifier: BSD-3-Clause
//
// Torque of an engine over speed and throttle, T = T_drag(w) + u T_gas(w): friction and pumping,
// and what the burning gas gives at full throttle.
#ifndef RUT_DRIVE_ENGINE_MAP_H
#define RUT_DRIVE_ENGINE_MAP_H

#include <stdbool.h>

#include "math/lanes.h"
#include "math/rut_math.h"

// Polyline through the points (x, y), x rising; constant beyond its ends, 0 without points.
RUT_INLINE double rut_polyline(int points, const double* x, const double* y, double at) {
  if (points < 2) return points > 0 ? y[0] : 0.0;
  // first point of the piece that `at` is in, or is nearest to
  int k = 0;
  while (k < points - 2 && at > x[k + 1]) k++;
  const double part = (at - x[k]) / (x[k + 1] - x[k]);
  return y[k] + (y[k + 1] - y[k]) * rut_clamp(part, 0.0, 1.0);
}

enum { RUT_CURVE_LANES = 8 };

// The same in each lane, with the same bits: the piece is chosen point by point.
RUT_INLINE void rut_polylines(int points, const double* x, const double* y, int lanes,
                              const double* restrict at, double* restrict out) {
  double x0[RUT_CURVE_LANES], x1[RUT_CURVE_LANES], y0[RUT_CURVE_LANES], y1[RUT_CURVE_LANES];
  if (lanes == 1 || points < 2) {
    for (int l = 0; l < lanes; l++) out[l] = rut_polyline(points, x, y, at[l]);
    return;
  }
  RUT_FOR_LANES(l, lanes) {
    x0[l] = x[0];
    x1[l] = x[1];
    y0[l] = y[0];
    y1[l] = y[1];
  }
  for (int i = 1; i < points - 1; i++) {
    const double from = x[i], to = x[i + 1], low = y[i], high = y[i + 1];
    RUT_FOR_LANES(l, lanes) {
      const int past = at[l] > from;
      x0[l] = past ? from : x0[l];
      x1[l] = past ? to : x1[l];
      y0[l] = past ? low : y0[l];
      y1[l] = past ? high : y1[l];
    }
  }
  RUT_FOR_LANES(l, lanes) {
    const double part = (at[l] - x0[l]) / (x1[l] - x0[l]);
    out[l] = y0[l] + (y1[l] - y0[l]) * rut_clamp(part, 0.0, 1.0);
  }
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
// negative: no throttle makes the engine brake harder. drag, full: what the curves have at w.
RUT_INLINE double rut_engine_gives(const rutEngineMap* m, double w, double throttle, double drag,
                                   double full, double* gas) {
  const double idle = rut_clamp((m->idle_speed - w) / m->idle_band, 0.0, 1.0);
  const double cut = rut_clamp((m->max_speed - w) / m->governor_band, 0.0, 1.0);
  const double most = rut_max(m->brake ? full - drag : full, 0.0);
  *gas = rut_max(throttle, idle) * cut * most;
  return drag + *gas;
}

RUT_INLINE double rut_engine_torque(const rutEngineMap* m, double w, double throttle, double* gas) {
  const double drag = rut_polyline(m->drag_points, m->drag_speed, m->drag_torque, w);
  const double full = rut_polyline(m->full_points, m->full_speed, m->full_torque, w);
  return rut_engine_gives(m, w, throttle, drag, full, gas);
}

// The same in each lane.
RUT_INLINE void rut_engine_torques(const rutEngineMap* m, int lanes, const double* restrict w,
                                   const double* restrict throttle, double* restrict torque,
                                   double* restrict gas) {
  const rutEngineMap map = *m;
  double drag[RUT_CURVE_LANES], full[RUT_CURVE_LANES];
  rut_polylines(map.drag_points, map.drag_speed, map.drag_torque, lanes, w, drag);
  rut_polylines(map.full_points, map.full_speed, map.full_torque, lanes, w, full);
  RUT_FOR_LANES(l, lanes) {
    torque[l] = rut_engine_gives(&map, w[l], throttle[l], drag[l], full[l], &gas[l]);
  }
}

#endif  // RUT_DRIVE_ENGINE_MAP_H
