// SPDX-License-Identifier: BSD-3-Clause
//
// A tyre on a film of oil: forces in proportion to slip speed, limited by friction.
#include <rut/component.h>
#define FIELDS(X)                                            \
  X(viscosity, "N s/m", 200, 0, 1e6, "force per slip speed") \
  X(friction, "", 0.8, 0, 100, "friction coefficient that limits the force")
typedef struct Param {
  FIELDS(RUT_PARAM)
} Param;
static const rutField fields[] = {FIELDS(RUT_ROW)};
static const rutVariable states[] = {
    RUT_STATE_OUTPUT(slip_speed, "m/s", "of the tread against the ground, forward")};
static const rutVariable outputs[] = {RUT_VARIABLE(viscous_power, "W", "heat of the oil film")};
static double clamp(double x, double most) { return x > most ? most : x < -most ? -most : x; }

// n wheels at a time; state i of wheel k stands at [i * n + k].
static void force(const void* param, int n, const rutTyreIn* in, double* state,
                  const rutTyreOut* out) {
  const Param* p = param;
  for (int k = 0; k < n; k++) {
    const double most = p->friction * in->load[k];
    state[k] = in->radius[k] * in->speed[k] - in->vx[k];
    out->fx[k] = clamp(p->viscosity * state[k], most);
    out->fy[k] = clamp(-p->viscosity * in->vy[k], most);
    out->drag[k] = out->spin[k] = 0;
  }
}
// What is told of each wheel, when somebody reads it.
static void observe(const void* param, const rutTyreResult* in, double* out) {
  (void)param;
  out[0] = in->fx * (in->radius * in->speed - in->vx) - in->fy * in->vy;
}
static const rutTyreType viscous = {
    .base = {RUT_HEAD(rutTyreType, "tyre", "viscous", "vehicle",
                      "Forces in proportion to slip speed, limited by friction.", fields),
             .state = states, .states = RUT_COUNT_OF(states)},
    RUT_OBSERVED(outputs, observe),
    .force = force};
RUT_PLUGIN(&viscous.base)
