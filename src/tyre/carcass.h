// SPDX-License-Identifier: BSD-3-Clause
//
// What the tyres of vehicles with suspensions share: a load that follows the deflection along a
// straight line or a table, stiffened where the rim is reached, and a damper.
#ifndef RUT_TYRE_CARCASS_H
#define RUT_TYRE_CARCASS_H

#include "base/report.h"
#include "math/lanes.h"
#include "rut/component.h"

// Fields of these tyres beside those of their laws.
#define RUT_TYRE_CARCASS_ROWS(X)                                                           \
  X(crossover, "rad", 0.09, 1e-4, 1.5,                                                     \
    "On soil: slip angle at which the lateral force has 1 - 1/e of its limit (Crolla and " \
    "El-Razaz).")                                                                          \
  X(bearing, "N m s/rad", 0, 0, 1e6, "Viscous drag of the bearing.")
#define RUT_TYRE_LOAD_CURVE_ROW(name)                                                           \
  {name,                                                                                        \
   "",                                                                                          \
   RUT_POINTS,                                                                                  \
   0,                                                                                           \
   0,                                                                                           \
   0,                                                                                           \
   1e12,                                                                                        \
   "",                                                                                          \
   0,                                                                                           \
   "Load over deflection in place of the stiffness: pairs of [m] and [N]; straight beyond the " \
   "last."},

// Shortest relaxation length over the radius: at small loads those that follow from stiffnesses
// vanish.
#define RUT_TYRE_LEAST_RELAXATION 0.05

typedef struct rutTyreSpring {
  double stiffness, damping;  // [N/m], of tyres without a table, and [N s/m]
  int points;                 // of the table: deflection and load of each
  const double* point;
  double rim;  // stiffness [N/m] added at deflections above reach x radius + depth [m]
  double reach, depth;
  int rim_points;  // of a table of the load that the rim adds
  const double* rim_point;
  double crossover, bearing;  // fields of RUT_TYRE_CARCASS_ROWS
} rutTyreSpring;

// Points of a table, and how many.
RUT_INLINE const double* rut_tyre_curve(const void* param, double curve, int* points) {
  const double* point = rut_param_list(param, curve, points);
  *points /= 2;
  return point;
}

// NULL or what is wrong with a table: *at is the number of the point.
RUT_INLINE const char* rut_tyre_curve_fault(const double* point, int points, int* at) {
  double x = 0, y = 0;
  for (int i = 0; i < points; i++) {
    const double d = point[2 * i], load = point[2 * i + 1];
    *at = i + 1;
    if (i == 0 && d == 0 && load == 0 && points > 1) continue;
    if (!(d > x)) return "its deflection is not above that of the point before";
    if (!(load >= y)) return "its load is below that of the point before";
    x = d;
    y = load;
  }
  return NULL;
}
RUT_INLINE rutStatus rut_tyre_curve_check(const double* param, double curve, const char* name,
                                          rutError* err) {
  int points = 0, at = 0;
  const double* point = rut_tyre_curve(param, curve, &points);
  const char* fault = rut_tyre_curve_fault(point, points, &at);
  if (!fault) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MODEL, "'%s', point %d: %s", name, at, fault);
}

// A spring of stiffness k that acts beyond a deflection.
RUT_INLINE void rut_tyre_add_spring(int n, const double* deflection, double from, double k,
                                    const rutCarcassOut* out) {
  RUT_FOR_LANES(i, n) {
    const double over = rut_max(deflection[i] - from, 0);
    out->load[i] += k * over;
    out->stiffness[i] += over > 0 ? k : 0;
    out->energy[i] += 0.5 * k * over * over;
  }
}

// A table is a sum of springs, each of which changes the slope from its point on.
RUT_INLINE void rut_tyre_add_curve(int n, const double* deflection, int points, const double* point,
                                   const rutCarcassOut* out) {
  double x = 0, y = 0, slope = 0;
  for (int p = 0; p < points; p++) {
    const double dx = point[2 * p] - x, next = dx > 0 ? (point[2 * p + 1] - y) / dx : slope;
    if (dx > 0) rut_tyre_add_spring(n, deflection, x, next - slope, out);
    slope = next;
    x = point[2 * p];
    y = point[2 * p + 1];
  }
}

// All but the relaxation lengths.
RUT_INLINE void rut_tyre_carry(const rutTyreSpring* s, int n, const double* deflection,
                               const double* rate, const double* radius, const rutCarcassOut* out) {
  const double k = s->points ? 0 : s->stiffness, rim = s->rim, c = s->damping;
  RUT_FOR_LANES(i, n) {
    const double d = rut_max(deflection[i], 0), depth = s->reach * radius[i] + s->depth;
    const double over = rut_max(d - rut_max(depth, 0), 0);
    out->load[i] = k * d + rim * over;
    out->stiffness[i] = k + (over > 0 ? rim : 0);
    out->energy[i] = 0.5 * (k * d * d + rim * over * over);
  }
  rut_tyre_add_curve(n, deflection, s->points, s->point, out);
  rut_tyre_add_curve(n, deflection, s->rim_points, s->rim_point, out);
  // the ground does not pull
  RUT_FOR_LANES(i, n) {
    const double force = out->load[i] + c * rate[i], k_here = rut_max(out->stiffness[i], 0);
    const int on = deflection[i] > 0 && force > 0;
    out->load[i] = on ? force : 0;
    out->stiffness[i] = on ? k_here : 0;
    out->damping[i] = on ? c : 0;
    out->crossover[i] = s->crossover;
    out->bearing[i] = s->bearing;
  }
}

#endif  // RUT_TYRE_CARCASS_H
