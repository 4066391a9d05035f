// SPDX-License-Identifier: BSD-3-Clause
//
// Coulomb tyre: sticks until the friction limit, then slides. The "default" friction of MVSim.
#include "rut/component.h"
#include "tyre/inflation.h"
#include "tyre/patch.h"

#define FIELDS(X)                                                                         \
  X(friction, "", 0.8, 0, 100, "Friction coefficient between tyre and ground.")           \
  X(bearing_damping, "N m s/rad", 0.01, 0, 1e6, "Torque of the bearing per wheel speed.") \
  X(rolling_resistance, "", 0, 0, 10,                                                     \
    "Rolling resistance torque divided by load and radius; a friction region may replace it.")

#define INFLATION(X) RUT_TYRE_PRESSURE_ROWS(X) RUT_TYRE_PRESSURE_ROLLING_ROW(X)

typedef struct Param {
  FIELDS(RUT_PARAM)
  double combined, variant;
  INFLATION(RUT_PARAM)
} Param;

static const rutField fields[] = {FIELDS(RUT_ROW) RUT_TYRE_COMBINED_ROW RUT_TYRE_VARIANT_ROW(
    "as_published also cancels gravity along the wheel, as MVSim does.") INFLATION(RUT_ROW)};

// Both parts ask for the force that ends slip within this step. Each is limited to mu N (a box, as
// published), or their vector is (a circle). Errata of the published model are handled here:
// gravity along the wheel is not cancelled, so that free wheels roll down a slope; the mass behind
// the lateral force is the mass the wheel carries, whatever the slope.
RUT_INLINE void coulomb_wheels(const void* param, int n, const rutTyreIn* in, const rutTyreOut* out,
                               const int circle, const int rolls) {
  const Param* p = param;
  const double own_friction = p->friction, own_rolling = p->rolling_resistance;
  const double damping = p->bearing_damping, dt = in->dt;
  const double hold = p->variant == RUT_TYRE_AS_PUBLISHED ? 1.0 : 0.0;
  const double* restrict vx = in->vx, * restrict vy = in->vy, * restrict gx = in->gx;
  const double* restrict gy = in->gy, * restrict speed = in->speed, * restrict torque = in->torque;
  const double* restrict load = in->load, * restrict radius = in->radius;
  const double* restrict inertia = in->inertia, * restrict friction = in->friction;
  const double* restrict rolling = in->rolling, * restrict carried = in->mass;
  const double* restrict scrub = in->scrub;
  double* restrict fx = out->fx, * restrict fy = out->fy, * restrict drag = out->drag;
  double* restrict spin = out->spin, * restrict roll = out->roll, * restrict limit = out->limit;

#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double normal = rut_max(load[i], 0.0), r = radius[i];
    const double mass = carried[i];
    const double grip = rut_tyre_local(friction[i], own_friction) * normal;
    const rutTyreWheel wheel = {speed[i], normal, r, inertia[i], mass};
    const double resist =
        rut_tyre_spin(wheel, damping, rolls, rut_tyre_local(rolling[i], own_rolling), dt);
    const double x = rut_tyre_rolling_force(torque[i] + resist, inertia[i], vx[i], speed[i], r, dt);
    const double y = rut_tyre_stopping_force(mass, vy[i], gy[i] + scrub[i], dt);
    const rutTyreForce round = rut_tyre_circle(x, y, grip, r * r * dt / inertia[i],
                                               dt / rut_max(mass, RUT_TYRE_LEAST_MASS));
    const double along = circle ? round.x : rut_clamp(x, -grip, grip);
    const double across = circle ? round.y : rut_clamp(y, -grip, grip);
    fx[i] = along;
    roll[i] = x;
    limit[i] = circle ? rut_tyre_circle_limit(along, y, grip, x) : grip;
    fy[i] = across;
    drag[i] = hold * rut_tyre_published_hold(mass, gx[i], grip, along);
    spin[i] = resist;
  }
}

// The friction circle costs more than all the rest, and so does the sign of rolling resistance:
// wheels without them take loops of their own.
RUT_CLONES static void coulomb_force(const void* param, int n, const rutTyreIn* in, double* state,
                                     const rutTyreOut* out) {
  const Param* p = param;
  const int circle = p->combined != 0.0;
  const int rolls = rut_tyre_any_rolling(n, in->rolling, p->rolling_resistance);
  (void)state;
  if (circle && rolls) {
    coulomb_wheels(param, n, in, out, 1, 1);
  } else if (circle) {
    coulomb_wheels(param, n, in, out, 1, 0);
  } else if (rolls) {
    coulomb_wheels(param, n, in, out, 0, 1);
  } else {
    coulomb_wheels(param, n, in, out, 0, 0);
  }
}

static const rutVariable outputs[] = {RUT_TYRE_SLIP_VELOCITY_ROWS RUT_TYRE_FRICTION_ROWS};

static void coulomb_observe(const void* param, const rutTyreResult* in, double* out) {
  const Param* p = param;
  out = rut_tyre_observe_slip(in, out);
  rut_tyre_observe_friction(in, in->fx, p->friction, p->combined != 0.0, out);
}

// The wheel is rigid: pressure changes what it takes to roll.
static double coulomb_inflate(double* param, double pressure) {
  Param* p = (Param*)param;
  pressure = rut_tyre_asked_pressure(p->pressure, p->nominal_pressure, pressure);
  if (pressure == p->nominal_pressure) return pressure;
  const double inflated = rut_tyre_inflated(pressure, p->nominal_pressure);
  const double harder = rut_pow(inflated, p->pressure_rolling_resistance);
  p->rolling_resistance *= harder;
  return pressure;
}

const rutTyreType rut_tyre_coulomb = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTyreType),
             .kind = "tyre",
             .name = "coulomb",
             .parents = "vehicle",
             .doc = "Rigid wheel with Coulomb friction: no slip up to the limit, sliding beyond. "
                    "The default friction model of MVSim (Blanco-Claraco et al. 2023).",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    RUT_OBSERVED(outputs, coulomb_observe),
    .force = coulomb_force,
    .inflate = coulomb_inflate};
