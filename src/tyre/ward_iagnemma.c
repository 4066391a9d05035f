// SPDX-License-Identifier: BSD-3-Clause
//
// Coulomb tyre with the rolling resistance of Ward and Iagnemma, "A dynamic-model-based wheel slip
// detector for mobile robots on outdoor terrain", IEEE Transactions on Robotics 24(4), 2008.
#include "rut/component.h"
#include "tyre/inflation.h"
#include "tyre/patch.h"

#define FIELDS(X)                                                                              \
  X(friction, "", 0.8, 0, 100, "Friction coefficient between tyre and ground.")                \
  X(bearing_damping, "N m s/rad", 0.01, 0, 1e6, "Torque of the bearing per wheel speed.")      \
  X(rolling_resistance, "", 0, 0, 10,                                                          \
    "Rolling resistance torque divided by load and radius; a friction region may replace it.") \
  X(drag_onset, "s/m", 50, 0, 1e6,                                                             \
    "A: how fast the constant part of the drag sets in with speed.")                           \
  X(drag_constant, "", 0.0075, 0, 10, "R1: drag divided by load, constant part.")              \
  X(drag_rate, "s/m", 0.02, 0, 10, "R2: drag divided by load, growth with speed.")

#define INFLATION(X) RUT_TYRE_PRESSURE_ROWS(X) RUT_TYRE_PRESSURE_ROLLING_ROW(X)

typedef struct Param {
  FIELDS(RUT_PARAM)
  double combined, variant;
  INFLATION(RUT_PARAM)
} Param;

static const rutField fields[] = {FIELDS(RUT_ROW) RUT_TYRE_COMBINED_ROW RUT_TYRE_VARIANT_ROW(
    "as_published adds the drag to the force that spins the wheel, where it "
    "cancels, and holds against gravity along the wheel, as MVSim does.") INFLATION(RUT_ROW)};

// |F_rr| at the speed v >= 0 of the hub.
RUT_INLINE double drag_size(const Param* p, double load, double v) {
  return load * (p->drag_constant * (1.0 - rut_exp(-p->drag_onset * v)) + p->drag_rate * v);
}

// F_rr = -sgn(v) N (R1 (1 - exp(-A |v|)) + R2 |v|).
//
// Erratum of MVSim: it adds F_rr to the contact force before the wheel speed is updated with that
// same force. The wheel then gains R |F_rr| dt/I and the no-slip term pays exactly |F_rr| back in
// the next step, so that a rolling vehicle is not slowed at all. Here F_rr acts on the hub alone.
// Its impulse never exceeds the momentum that the wheel carries, so it cannot reverse the motion.
RUT_INLINE void ward_iagnemma_wheels(const void* param, int n, const rutTyreIn* in,
                                     const rutTyreOut* out, const int circle, const int rolls) {
  const Param* p = param;
  const double own_friction = p->friction, own_rolling = p->rolling_resistance;
  const double damping = p->bearing_damping, dt = in->dt;
  const int published = p->variant == RUT_TYRE_AS_PUBLISHED;
  const double* restrict vx = in->vx, * restrict vy = in->vy, * restrict gx = in->gx;
  const double* restrict gy = in->gy, * restrict speed = in->speed, * restrict torque = in->torque;
  const double* restrict load = in->load, * restrict radius = in->radius;
  const double* restrict inertia = in->inertia, * restrict friction = in->friction;
  const double* restrict rolling = in->rolling, * restrict carried = in->mass;
  const double* restrict scrub = in->scrub;
  double* restrict fx = out->fx, * restrict fy = out->fy, * restrict drag = out->drag;
  double* restrict spin = out->spin, * restrict rolling_force = out->roll;
  double* restrict limit = out->limit;

#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double normal = rut_max(load[i], 0.0), r = radius[i], v = rut_abs(vx[i]);
    const double mass = carried[i];
    const double grip = rut_tyre_local(friction[i], own_friction) * normal;
    const rutTyreWheel wheel = {speed[i], normal, r, inertia[i], mass};
    const double resist =
        rut_tyre_spin(wheel, damping, rolls, rut_tyre_local(rolling[i], own_rolling), dt);
    const double size = drag_size(p, normal, v);
    const double roll = -rut_sign(vx[i]) * (published ? size : rut_min(size, mass * v / dt));
    const double x =
        rut_tyre_rolling_force(torque[i] + resist, inertia[i], vx[i], speed[i], r, dt) +
        (published ? roll : 0.0);
    const double y = rut_tyre_stopping_force(mass, vy[i], gy[i] + scrub[i], dt);
    const rutTyreForce round = rut_tyre_circle(x, y, grip, r * r * dt / inertia[i],
                                               dt / rut_max(mass, RUT_TYRE_LEAST_MASS));
    const double along = circle ? round.x : rut_clamp(x, -grip, grip);
    const double across = circle ? round.y : rut_clamp(y, -grip, grip);
    fx[i] = along;
    rolling_force[i] = x;
    limit[i] = circle ? rut_tyre_circle_limit(along, y, grip, x) : grip;
    fy[i] = across;
    drag[i] = published ? rut_tyre_published_hold(mass, gx[i], grip, along) : roll;
    spin[i] = resist;
  }
}

// The friction circle costs more than all the rest, and so does the sign of rolling resistance:
// wheels without them take loops of their own.
RUT_CLONES static void ward_iagnemma_force(const void* param, int n, const rutTyreIn* in,
                                           double* state, const rutTyreOut* out) {
  const Param* p = param;
  const int circle = p->combined != 0.0;
  const int rolls = rut_tyre_any_rolling(n, in->rolling, p->rolling_resistance);
  (void)state;
  if (circle && rolls) {
    ward_iagnemma_wheels(param, n, in, out, 1, 1);
  } else if (circle) {
    ward_iagnemma_wheels(param, n, in, out, 1, 0);
  } else if (rolls) {
    ward_iagnemma_wheels(param, n, in, out, 0, 1);
  } else {
    ward_iagnemma_wheels(param, n, in, out, 0, 0);
  }
}

static const rutVariable outputs[] = {
    RUT_TYRE_SLIP_VELOCITY_ROWS RUT_TYRE_FRICTION_ROWS RUT_VARIABLE(
        resistance_force, "N", "rolling resistance on the hub, backward as it rolls forward")};

static void ward_iagnemma_observe(const void* param, const rutTyreResult* in, double* out) {
  const Param* p = param;
  const bool published = p->variant == RUT_TYRE_AS_PUBLISHED;
  const double size = drag_size(p, rut_max(in->load, 0.0), rut_abs(in->vx));
  const double most = published ? size : in->mass * rut_abs(in->vx) / in->dt;
  const double drag = -rut_sign(in->vx) * rut_min(size, most);
  out = rut_tyre_observe_slip(in, out);
  // of the published variant the drag is part of the tyre's force
  const double fx = in->fx - (published ? 0.0 : drag);
  out = rut_tyre_observe_friction(in, fx, p->friction, p->combined != 0.0, out);
  *out = drag;
}

// The wheel is rigid: pressure changes what it takes to roll.
static double ward_iagnemma_inflate(double* param, double pressure) {
  Param* p = (Param*)param;
  pressure = rut_tyre_asked_pressure(p->pressure, p->nominal_pressure, pressure);
  if (pressure == p->nominal_pressure) return pressure;
  const double inflated = rut_tyre_inflated(pressure, p->nominal_pressure);
  const double harder = rut_pow(inflated, p->pressure_rolling_resistance);
  p->rolling_resistance *= harder;
  p->drag_constant *= harder;
  p->drag_rate *= harder;
  return pressure;
}

const rutTyreType rut_tyre_ward_iagnemma = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTyreType),
             .kind = "tyre",
             .name = "ward_iagnemma",
             .parents = "vehicle",
             .doc = "Rigid wheel with Coulomb friction and a rolling resistance that grows with "
                    "speed (Ward and Iagnemma 2008).",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    RUT_OBSERVED(outputs, ward_iagnemma_observe),
    .force = ward_iagnemma_force,
    .inflate = ward_iagnemma_inflate};
