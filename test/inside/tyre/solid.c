// SPDX-License-Identifier: BSD-3-Clause
//
// Solid rubber: a spring that stiffens with the deflection, load = a d + b d^2, and a damper.
#include "math/rut_math.h"
#include "rut/component.h"
#define FIELDS(X)                                                                             \
  X(stiffness, "N/m", 5e5, 1, 1e9, "at no deflection")                                        \
  X(stiffening, "N/m2", 1e6, 0, 1e12, "growth of the load with the square of the deflection") \
  X(damping, "N s/m", 2e3, 0, 1e6, "of the deflection")
typedef struct Param {
  FIELDS(RUT_PARAM)
} Param;
static const rutField fields[] = {FIELDS(RUT_ROW)};
static const rutVariable outputs[] = {RUT_VARIABLE(radial_stiffness, "N/m", "as it is deflected")};

static void carcass(const void* param, int n, const double* deflection, const double* rate,
                    const double* radius, const rutCarcassOut* out) {
  const Param* p = param;
  for (int i = 0; i < n; i++) {
    const double d = rut_max(deflection[i], 0), a = p->stiffness, b = p->stiffening;
    out->stiffness[i] = d > 0 ? a + 2 * b * d : 0;
    out->damping[i] = d > 0 ? p->damping : 0;
    out->load[i] = rut_max(a * d + b * d * d + out->damping[i] * rate[i], 0);
    out->energy[i] = a * d * d / 2 + b * d * d * d / 3;
    out->relaxation_x[i] = out->relaxation_y[i] = radius[i];
    out->crossover[i] = 0.1;
    out->bearing[i] = 0;
  }
}
// What is told of each wheel, when somebody reads it.
static void observe(const void* param, const rutTyreResult* in, double* out) {
  const Param* p = param;
  out[0] = p->stiffness + 2 * p->stiffening * rut_max(in->deflection, 0);
}
const rutTyreType rut_tyre_solid = {
    .base = {RUT_HEAD(rutTyreType, "tyre", "solid", "vehicle axle",
                      "Solid rubber: a spring that stiffens.", fields)},
    RUT_OBSERVED(outputs, observe),
    .carcass = carcass};
