// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs that tyres of vehicles with suspensions share.
#ifndef RUT_TYRE_OBSERVE_H
#define RUT_TYRE_OBSERVE_H

#include "math/lanes.h"
#include "rut/component.h"

// Below this lateral force a trail is that of rounding errors [N].
#define RUT_TYRE_LEAST_SIDE 1.0

#define RUT_TYRE_OUTPUT_ROW(name, unit, value, doc) RUT_VARIABLE(name, unit, doc)
#define RUT_TYRE_OUTPUT_PUT(name, unit, value, doc) *out++ = (value);

// Of the carcass at its present deflection.
#define RUT_TYRE_CARCASS_OUTPUTS(X)                                                                \
  X(radial_stiffness, "N/m", stiffness, "load per deflection, at the present one")                 \
  X(elastic_energy, "J", energy, "stored in the deflection")                                       \
  X(relaxation_length_x, "m", along, "along the wheel at the present load, for small slips")       \
  X(relaxation_length_y, "m", across, "across the wheel, likewise")                                \
  X(transient_slip, "", in->patch_x / along,                                                       \
    "slip along the wheel that its force follows: deflection of the patch over relaxation length") \
  X(transient_slip_angle, "rad", rut_atan(in->patch_y / across),                                   \
    "slip angle that its lateral force follows, positive as the hub moves to the left")

// Of a law of its own, on the road for which its coefficients hold.
#define RUT_TYRE_GRIP_OUTPUTS(X)                                                              \
  X(slip_stiffness, "N", own.secant_x * in->load,                                             \
    "longitudinal force per slip at small slip, at the present load, on the tyre's own road") \
  X(cornering_stiffness, "N/rad", own.secant_y * in->load,                                    \
    "lateral force per slip angle at small angle, likewise")                                  \
  X(pneumatic_trail, "m", trail,                                                              \
    "distance of the lateral force behind the wheel's centre: aligning "                      \
    "moment over that force; 0 below 1 N")

#define RUT_TYRE_CARCASS_OUTPUT_ROWS RUT_TYRE_CARCASS_OUTPUTS(RUT_TYRE_OUTPUT_ROW)
#define RUT_TYRE_GRIP_OUTPUT_ROWS    RUT_TYRE_GRIP_OUTPUTS(RUT_TYRE_OUTPUT_ROW)

// `carcass` and `grip` of a type.
typedef void rutTyreCarcassLaw(const void* param, int n, const double* deflection,
                               const double* rate, const double* radius, const rutCarcassOut* out);
typedef void rutTyreGripLaw(const void* param, int n, const rutTyreGripIn* in,
                            const rutTyreGripOut* out);

// Numbers of these outputs; they return the place behind.
static inline double* rut_tyre_observe_carcass(rutTyreCarcassLaw* carcass, const void* param,
                                               const rutTyreResult* in, double* out) {
  double load, stiffness, damping, energy, along, across, crossover, bearing;
  const double still = 0;
  carcass(param, 1, &in->deflection, &still, &in->radius,
          &(rutCarcassOut){&load, &stiffness, &damping, &energy, &along, &across, &crossover,
                           &bearing});
  RUT_TYRE_CARCASS_OUTPUTS(RUT_TYRE_OUTPUT_PUT)
  return out;
}

static inline double* rut_tyre_observe_grip(rutTyreGripLaw* grip, const void* param,
                                            const rutTyreResult* in, double* out) {
  struct {
    double mu_x, mu_y, secant_x, secant_y, normalised_slip, resistance, peak, overturning, aligning;
  } own = {0};
  const double none = 0, own_road = RUT_NAN, direction = in->vx < 0 ? -1 : 1;
  const rutTyreGripIn at = {.slip_x = &none,
                            .slip_y = &none,
                            .direction = &direction,
                            .load = &in->load,
                            .deflection = &in->deflection,
                            .radius = &in->radius,
                            .inclination = &in->inclination,
                            .speed = &in->vx,
                            .friction = &own_road,
                            .side = &in->side};
  grip(param, 1, &at,
       &(rutTyreGripOut){&own.mu_x, &own.mu_y, &own.secant_x, &own.secant_y, &own.normalised_slip,
                         &own.resistance, &own.peak, &own.overturning, &own.aligning});
  const double trail = rut_abs(in->fy) > RUT_TYRE_LEAST_SIDE ? -in->aligning / in->fy : 0;
  RUT_TYRE_GRIP_OUTPUTS(RUT_TYRE_OUTPUT_PUT)
  return out;
}

#endif  // RUT_TYRE_OBSERVE_H
