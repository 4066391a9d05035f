// SPDX-License-Identifier: BSD-3-Clause
//
// A tyre that is a spring and a damper up and down, with a contact patch that builds up slip over a
// relaxation length. Forces along the ground come from the soil.
#include "math/lanes.h"
#include "rut/component.h"
#include "tyre/inflation.h"
#include "tyre/observe.h"

#define ROWS(X)                                                                              \
  X(stiffness, "N/m", 200e3, 1e-3, 1e12, "Radial stiffness.")                                \
  X(damping, "N s/m", 500, 0, 1e12, "Radial damping.")                                       \
  X(bottoming_deflection, "m", 0, 0, 1e3,                                                    \
    "Deflection from which the rim adds rim_stiffness; 0: 0.6 of the radius.")               \
  X(rim_stiffness, "N/m", 0, 0, 1e12,                                                        \
    "Stiffness of the rim, added beyond that deflection; 0: ten times stiffness.")           \
  X(relaxation_length, "m", 0, 0, 1e3, "Over which slip builds up; 0: half the radius.")     \
  X(crossover, "rad", 0.09, 1e-4, 1.5,                                                       \
    "Slip angle at which the lateral force has 1 - 1/e of its limit (Crolla and El-Razaz).") \
  X(bearing, "N m s/rad", 0, 0, 1e6, "Viscous drag of the bearing.")
#define INFLATION(X) RUT_TYRE_PRESSURE_ROWS(X) RUT_TYRE_PRESSURE_STIFFNESS_ROW(X)

typedef struct Param {
  ROWS(RUT_PARAM)
  INFLATION(RUT_PARAM)
} Param;

static const rutField fields[] = {ROWS(RUT_ROW) INFLATION(RUT_ROW)};

// Stiffness of the rim over that of the tyre, where none is given.
static const double RIM = 10;

RUT_CLONES static void linear_carcass(const void* param, int n, const double* deflection,
                                      const double* rate, const double* radius,
                                      const rutCarcassOut* out) {
  const Param* p = param;
  // where none are given
  static const double BOTTOMING = 0.6;   // deflection at which it begins, in radii
  static const double RELAXATION = 0.5;  // length, in radii
  const double k = p->stiffness, c = p->damping;
  const double rim = p->rim_stiffness > 0 ? p->rim_stiffness : RIM * k;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double d = rut_max(deflection[i], 0);
    const double over = rut_max(
        d - (p->bottoming_deflection > 0 ? p->bottoming_deflection : BOTTOMING * radius[i]), 0);
    const double force = k * d + rim * over + c * rate[i];
    // ground does not pull (erratum A2 of MAVS)
    const int on = deflection[i] > 0 && force > 0;
    out->load[i] = on ? force : 0;
    out->stiffness[i] = on ? k + (over > 0 ? rim : 0) : 0;
    out->damping[i] = on ? c : 0;
    out->energy[i] = 0.5 * (k * d * d + rim * over * over);
    const double relaxation =
        p->relaxation_length > 0 ? p->relaxation_length : RELAXATION * radius[i];
    out->relaxation_x[i] = relaxation;
    out->relaxation_y[i] = relaxation;
    out->crossover[i] = p->crossover;
    out->bearing[i] = p->bearing;
  }
}

static double linear_inflate(double* param, double pressure) {
  Param* p = (Param*)param;
  pressure = rut_tyre_asked_pressure(p->pressure, p->nominal_pressure, pressure);
  if (pressure == p->nominal_pressure) return pressure;
  const double inflated = rut_tyre_inflated(pressure, p->nominal_pressure);
  // the rim keeps its own
  if (!(p->rim_stiffness > 0)) p->rim_stiffness = RIM * p->stiffness;
  p->stiffness *= rut_tyre_stiffened(p->pressure_stiffness, inflated);
  return pressure;
}

static const rutVariable outputs[] = {RUT_TYRE_CARCASS_OUTPUT_ROWS};

static void linear_observe(const void* param, const rutTyreResult* in, double* out) {
  rut_tyre_observe_carcass(linear_carcass, param, in, out);
}

const rutTyreType rut_tyre_linear = {
    .base =
        {.abi = RUT_ABI,
         .struct_size = sizeof(rutTyreType),
         .kind = "tyre",
         .name = "linear",
         .parents = "vehicle axle",
         .doc =
             "For vehicles with suspensions: radial spring and damper without tension, and a "
             "contact patch with a relaxation length. Forces along the ground come from the soil.",
         .field = fields,
         .fields = RUT_COUNT_OF(fields)},
    RUT_OBSERVED(outputs, linear_observe),
    .carcass = linear_carcass,
    .inflate = linear_inflate};
