// SPDX-License-Identifier: BSD-3-Clause
//
// A wheel with mass on a straight slide along the chassis's z axis, with spring, damper and stops
// (the suspension of MAVS, Goodin et al. 2017).
#include "base/report.h"
#include "math/lanes.h"
#include "suspension/spring.h"

#define ROWS(X)                                                                             \
  X(stiffness, "N/m", 50e3, 0, 1e12, "Spring rate.")                                        \
  X(damping, "N s/m", 5e3, 0, 1e12, "Damper rate in compression.")                          \
  X(rebound_damping, "N s/m", 0, 0, 1e12, "Damper rate in rebound; 0: as in compression.")  \
  X(bump_travel, "m", 0.15, 0, 1e3, "Travel up from the design position to the bump stop.") \
  X(rebound_travel, "m", 0.15, 0, 1e3,                                                      \
    "Travel down from the design position to the rebound stop.")                            \
  X(stop_stiffness, "N/m", 0, 0, 1e12, "Of the stops; 0: ten times the spring's.")

typedef struct Param {
  ROWS(RUT_PARAM) double spring, damper;
} Param;

static const rutField fields[] = {
    ROWS(RUT_ROW){"spring", "", RUT_POINTS, 0, 0, -1e12, 1e12, "", 0,
                  "Force over travel in place of the spring rate: pairs of travel from the design "
                  "position, up [m], and force beyond the static load [N]."},
    {"damper", "", RUT_POINTS, 0, 0, -1e12, 1e12, "", 0,
     "Force over speed in place of the damper rates: pairs of [m/s], compression positive, and "
     "[N]"}};

static double stop_rate(const Param* p) {
  static const double STOP = 10;  // stiffness over the spring's, where none is given
  return p->stop_stiffness > 0 ? p->stop_stiffness : STOP * p->stiffness;
}

static rutStatus slider_check(const double* param, rutError* err) {
  static const char* const names[2] = {"spring", "damper"};
  const Param* p = (const Param*)(const void*)param;
  const double of_table[2] = {p->spring, p->damper};
  for (int i = 0; i < 2; i++) {
    int n = 0;
    const double* xy = rut_param_list(param, of_table[i], &n);
    const int fault = rut_table_fault(xy, n);
    if (!fault) continue;
    if (n < 4) {
      return rut_error_set(err, RUT_ERR_MODEL, "'%s' needs at least two points, not %d", names[i],
                           n / 2);
    }
    return rut_error_set(err, RUT_ERR_MODEL,
                         "'%s' must have points whose first numbers rise: that of point %d is not "
                         "above %g",
                         names[i], fault, xy[2 * fault - 4]);
  }
  if (stop_rate(p) > 0) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MODEL,
                       "without 'stiffness' the stops need a 'stop_stiffness' to hold the wheel");
}

// Spring and damper forces from tables.
static void add_tables(const Param* p, int n, const double* travel, const double* rate,
                       const rutSuspensionOut* out) {
  int springs = 0, dampers = 0;
  const double* spring = rut_param_list(p, p->spring, &springs);
  const double* damper = rut_param_list(p, p->damper, &dampers);
  for (int i = 0; i < n; i++) {
    double value, slope, area, from;
    if (springs) {
      rut_table_at(spring, springs / 2, travel[i], &value, &slope, &area);
      rut_table_at(spring, springs / 2, 0, &from, &from, &from);
      out->force[i] += value;
      out->stiffness[i] += rut_max(slope, 0);
      out->energy[i] += area - from;
    }
    if (dampers) {
      rut_table_at(damper, dampers / 2, rate[i], &value, &slope, &area);
      out->force[i] += value;
      out->damping[i] += rut_max(slope, 0);
    }
  }
}

RUT_CLONES static void slider_force(const void* param, int n, const double* travel,
                                    const double* rate, const double* preload,
                                    const rutSuspensionOut* out) {
  const Param* p = param;
  int springs = 0, dampers = 0;
  rut_param_list(p, p->spring, &springs);
  rut_param_list(p, p->damper, &dampers);
  const double k = springs ? 0 : p->stiffness, stop = stop_rate(p);
  const double down = dampers ? 0 : p->damping;
  const double up = dampers || p->rebound_damping <= 0 ? down : p->rebound_damping;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double s = travel[i], v = rate[i];
    // beyond the stops
    const double high = rut_max(s - p->bump_travel, 0), low = rut_min(s + p->rebound_travel, 0);
    const double over = high + low, c = v < 0 ? up : down;
    out->force[i] = preload[i] + k * s + stop * over + c * v;
    out->stiffness[i] = k + (over != 0 ? stop : 0);
    out->damping[i] = c;
    out->energy[i] = preload[i] * s + 0.5 * (k * s * s + stop * over * over);
  }
  if (springs || dampers) add_tables(p, n, travel, rate, out);
}

static void slider_range(const void* param, double* lowest, double* highest) {
  const Param* p = param;
  *lowest = -p->rebound_travel;
  *highest = p->bump_travel;
}

const rutSuspensionType rut_suspension_slider = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutSuspensionType),
             .kind = "suspension",
             .name = "slider",
             .parents = "vehicle axle",
             .doc = "A wheel with mass on a straight slide along the chassis's z axis, with a "
                    "spring, a damper and stops. The spring carries the static load at the design "
                    "position (Goodin et al. 2017).",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .check = slider_check},
    .force = slider_force,
    .range = slider_range};
