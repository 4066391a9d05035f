// SPDX-License-Identifier: BSD-3-Clause
//
// A wheel whose mass up and down is neglected: it lies on the ground whenever it can reach it, and
// its spring pushes only (VirtualBotz 3D, Silva et al.).
#include "math/lanes.h"
#include "suspension/spring.h"

#define ROWS(X)                                                                                   \
  X(stiffness, "N/m", 10e3, 1e-6, 1e12, "Spring rate.")                                           \
  X(damping, "N s/m", 500, 0, 1e12, "Damper rate.")                                               \
  X(travel, "m", 0.1, 1e-6, 1e3, "Compression from the free wheel to the stop.")                  \
  X(stop_stiffness, "N/m2", 0, 0, 1e15,                                                           \
    "Of the bump stop, whose force grows with the square of the travel beyond it; 0: it doubles " \
    "the spring force a tenth of the travel beyond.")                                             \
  X(force_limit, "N", 0, 0, 1e12, "Largest force of spring and damper within the travel; 0: none.")

typedef struct Param {
  ROWS(RUT_PARAM)
} Param;

static const rutField fields[] = {ROWS(RUT_ROW)};

RUT_CLONES static void massless_force(const void* param, int n, const double* travel,
                                      const double* rate, const double* preload,
                                      const rutSuspensionOut* out) {
  const Param* p = param;
  (void)preload;
  static const double STOP = 100;  // stiffness over the spring's, where none is given
  const double square = p->travel * p->travel;
  const double stop =
      p->stop_stiffness > 0 ? p->stop_stiffness : STOP * p->stiffness * p->travel / square;
  const double most = p->force_limit > 0 ? p->force_limit : RUT_NO_LIMIT;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double s = rut_max(travel[i], 0);
    const double inner = rut_min(s, p->travel), over = s - inner;
    const double wanted = p->stiffness * inner + p->damping * rate[i];
    // the wheel does not pull
    const double force = rut_clamp(wanted, 0, most);
    const int on = s > 0, follows = on && wanted == force;
    out->force[i] = (on ? force : 0) + stop * over * over;
    out->stiffness[i] = (follows ? p->stiffness : 0) + 2 * stop * over;
    out->damping[i] = follows ? p->damping : 0;
    // the spring's force is limited as well: its energy grows linearly from there
    const double full = rut_min(inner, most / p->stiffness);
    out->energy[i] = 0.5 * p->stiffness * full * full + (inner > full ? most * (inner - full) : 0) +
                     stop * over * over * over / 3;
  }
}

static void massless_range(const void* param, double* lowest, double* highest) {
  const Param* p = param;
  *lowest = 0;
  *highest = 2 * p->travel;
}

const rutSuspensionType rut_suspension_massless = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutSuspensionType),
             .kind = "suspension",
             .name = "massless",
             .parents = "vehicle axle",
             .doc =
                 "A wheel without vertical mass: it follows the ground within its travel, under a "
                 "spring and damper that are unloaded at the design position (VirtualBotz 3D).",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .massless = true,
    .force = massless_force,
    .range = massless_range};
