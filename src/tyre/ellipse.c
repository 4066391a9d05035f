// SPDX-License-Identifier: BSD-3-Clause
//
// Tyre whose grip grows with slip up to saturation, longitudinal and lateral grip weakening each
// other as on an ellipse. The "ellipse" friction of MVSim 1.2.
#include "rut/component.h"
#include "tyre/inflation.h"
#include "tyre/patch.h"

#define FIELDS(X)                                                                                 \
  X(bearing_damping, "N m s/rad", 0.01, 0, 1e6, "Torque of the bearing per wheel speed.")         \
  X(rolling_resistance, "", 0, 0, 10,                                                             \
    "Rolling resistance torque divided by load and radius; a friction region may replace it.")    \
  X(slip_stiffness, "", 7.5, 0, 1e4, "C_s: longitudinal force per load and slip ratio.")          \
  X(cornering_stiffness, "1/rad", 8.5, 0, 1e4, "C_alpha: lateral force per load and slip angle.") \
  X(slip_saturation, "", 0.1, 1e-6, 1, "Slip ratio at which the longitudinal force saturates.")   \
  X(angle_saturation, "rad", 0.1, 1e-6, 1.6, "Slip angle at which the lateral force saturates.")  \
  X(lateral_weakening, "", 0.5, 0, 1, "C_alpha_s: share of lateral grip lost to saturated slip.") \
  X(longitudinal_weakening, "", 0.5, 0, 1,                                                        \
    "C_s_alpha: share of longitudinal grip lost to a saturated slip angle.")

#define INFLATION(X) \
  RUT_TYRE_PRESSURE_ROWS(X) RUT_TYRE_PRESSURE_GRIP_ROWS(X) RUT_TYRE_PRESSURE_ROLLING_ROW(X)

typedef struct Param {
  FIELDS(RUT_PARAM)
  double variant;
  INFLATION(RUT_PARAM)
} Param;

static const rutField fields[] = {FIELDS(RUT_ROW) RUT_TYRE_VARIANT_ROW(
    "as_published takes the slip at the start of the step, with its dead "
    "zones, ignores friction regions, and holds against gravity along the "
    "wheel, as MVSim does.") INFLATION(RUT_ROW)};

// Slip of one wheel: |ratio| in [0, 1] and |angle| in [0, pi/2].
typedef struct Slip {
  double ratio, angle;
} Slip;

// Corrected slip: that of the end of the step if the ground gave no force, from the speeds of hub
// and rim then [m/s]. It is bounded, continuous through standstill and reversal, and at rest a push
// by torque or gravity meets full grip, so that a parked wheel does not creep.
RUT_INLINE Slip trial_slip(double vx, double vy, double rim) {
  static const double LEAST_SPEED = 1e-12;  // [m/s]
  const double larger = rut_max(rut_abs(rim), rut_abs(vx));
  const double ratio = rut_abs(rim - vx) / rut_max(larger, LEAST_SPEED);
  return (Slip){rut_min(ratio, 1.0), rut_atan2(rut_abs(vy), rut_abs(vx))};
}

// Published slip. The wheel's own steering angle, which MVSim takes off a second time, is left out.
RUT_INLINE Slip published_slip(double vx, double vy, double speed, double radius) {
  // dead zones of MVSim
  static const double LEAST_RIM = 1e-5;  // [rad/s], and the rim's speed within it [m/s]
  static const double LEAST_HUB = 1e-3;  // [m/s]
  const double rim = rut_abs(speed) > LEAST_RIM ? speed * radius : LEAST_RIM;
  const double ratio = rut_min(rut_abs(rim - vx) / rut_abs(rim), 1.0);
  const double angle = rut_atan2(rut_abs(vy), rut_abs(vx));
  return (Slip){ratio, rut_abs(vx) > LEAST_HUB || rut_abs(vy) > LEAST_HUB ? angle : 0.0};
}

// What a wheel's force may reach.
typedef struct Limits {
  double x, y;
} Limits;

// Grip along = N C_s sat(s) sqrt(1 - C_s_alpha (sat(alpha)/alpha_s)^2), across likewise. MVSim
// keeps the sign of the slip in the grip and then clamps between +grip and -grip, which is
// undefined for negative slip; the limits here are magnitudes.
RUT_INLINE Limits limits(Param p, const int published, Slip slip, double load, double friction) {
  const double s = rut_min(slip.ratio, p.slip_saturation);
  const double a = rut_min(slip.angle, p.angle_saturation);
  const double used_s = s / p.slip_saturation, used_a = a / p.angle_saturation;
  const double most = published ? RUT_NO_LIMIT : rut_tyre_local(friction, RUT_NO_LIMIT);
  const double x =
      p.slip_stiffness * s * rut_sqrt(1.0 - p.longitudinal_weakening * used_a * used_a);
  const double y =
      p.cornering_stiffness * a * rut_sqrt(1.0 - p.lateral_weakening * used_s * used_s);
  return (Limits){load * rut_min(x, most), load * rut_min(y, most)};
}

// The force is the one that ends slip within the step, limited to the grip.
RUT_CLONES static void ellipse_force(const void* param, int n, const rutTyreIn* in, double* state,
                                     const rutTyreOut* out) {
  const Param p = *(const Param*)param;
  const double dt = in->dt;
  const int published = p.variant == RUT_TYRE_AS_PUBLISHED;
  const double* restrict vx = in->vx, * restrict vy = in->vy, * restrict gx = in->gx;
  const double* restrict gy = in->gy, * restrict speed = in->speed, * restrict torque = in->torque;
  const double* restrict load = in->load, * restrict radius = in->radius;
  const double* restrict inertia = in->inertia, * restrict friction = in->friction;
  const double* restrict rolling = in->rolling, * restrict carried = in->mass;
  const double* restrict scrub = in->scrub;
  double* restrict fx = out->fx, * restrict fy = out->fy, * restrict drag = out->drag;
  double* restrict spin = out->spin, * restrict roll = out->roll, * restrict limit = out->limit;
  (void)state;

#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double normal = rut_max(load[i], 0.0), r = radius[i];
    const double mass = carried[i];
    const rutTyreWheel wheel = {speed[i], normal, r, inertia[i], mass};
    const double resist = rut_tyre_spin(wheel, p.bearing_damping, 1,
                                        rut_tyre_local(rolling[i], p.rolling_resistance), dt);
    const double all = torque[i] + resist;
    const double rim = r * (speed[i] + dt * all / inertia[i]);
    const Slip trial = trial_slip(vx[i] + dt * gx[i], vy[i] + dt * gy[i], rim);
    const Slip start = published_slip(vx[i], vy[i], speed[i], r);
    const Slip slip = {published ? start.ratio : trial.ratio,
                       published ? start.angle : trial.angle};
    const Limits grip = limits(p, published, slip, normal, friction[i]);

    const double x = rut_tyre_rolling_force(all, inertia[i], vx[i], speed[i], r, dt);
    const double y = rut_tyre_stopping_force(mass, vy[i], gy[i] + scrub[i], dt);
    fx[i] = rut_clamp(x, -grip.x, grip.x);
    roll[i] = x;
    limit[i] = grip.x;
    fy[i] = rut_clamp(y, -grip.y, grip.y);
    drag[i] = published ? rut_tyre_published_hold(mass, gx[i], grip.x, fx[i]) : 0.0;
    spin[i] = resist;
  }
}

static const rutVariable outputs[] = {
    RUT_TYRE_SLIP_VELOCITY_ROWS RUT_VARIABLE(friction_limit_x, "N",
                                             "largest force along the wheel at its present slips")
        RUT_VARIABLE(friction_limit_y, "N", "largest force across the wheel, likewise")};

static void ellipse_observe(const void* param, const rutTyreResult* in, double* out) {
  const Param p = *(const Param*)param;
  const int published = p.variant == RUT_TYRE_AS_PUBLISHED;
  const double dt = in->dt, load = rut_max(in->load, 0.0);
  const rutTyreWheel wheel = {in->speed, load, in->radius, in->inertia, in->mass};
  const double resist = rut_tyre_spin(wheel, p.bearing_damping, 1,
                                      rut_tyre_local(in->rolling, p.rolling_resistance), dt);
  const double rim = in->radius * (in->speed + dt * (in->torque + resist) / in->inertia);
  const Slip trial = trial_slip(in->vx + dt * in->gx, in->vy + dt * in->gy, rim);
  const Slip start = published_slip(in->vx, in->vy, in->speed, in->radius);
  const Limits grip = limits(p, published, published ? start : trial, load, in->friction);
  out = rut_tyre_observe_slip(in, out);
  out[0] = grip.x;
  out[1] = grip.y;
}

// The wheel is rigid: pressure changes what it takes to roll, and its stiffnesses against slip.
static double ellipse_inflate(double* param, double pressure) {
  Param* p = (Param*)param;
  pressure = rut_tyre_asked_pressure(p->pressure, p->nominal_pressure, pressure);
  if (pressure == p->nominal_pressure) return pressure;
  const double inflated = rut_tyre_inflated(pressure, p->nominal_pressure);
  const double harder = rut_pow(inflated, p->pressure_rolling_resistance);
  p->rolling_resistance *= harder;
  p->slip_stiffness *= rut_tyre_changed(p->pressure_slip_stiffness, inflated);
  p->cornering_stiffness *= rut_tyre_changed(p->pressure_cornering_stiffness, inflated);
  return pressure;
}

const rutTyreType rut_tyre_ellipse = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTyreType),
             .kind = "tyre",
             .name = "ellipse",
             .parents = "vehicle",
             .doc = "Rigid wheel with force limits by slip ratio and slip angle that saturate, and "
                    "a friction ellipse (MVSim 1.2).",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    RUT_OBSERVED(outputs, ellipse_observe),
    .force = ellipse_force,
    .inflate = ellipse_inflate};
