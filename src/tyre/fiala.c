// SPDX-License-Identifier: BSD-3-Clause
//
// Brush tyre with a parabolic pressure (Fiala 1954) as in Madsen, Seidl and Negrut and in the tyre
// libraries of multibody codes:
//   kappa = (r w - v)/|v|, tan a = v_y/|v|, S = min(1, hypot(kappa, tan a))
//   mu = mu_0 - (mu_0 - mu_1) S
//   F_x = C_s kappa up to |kappa| = S* = mu N/(2 C_s), beyond mu N - (mu N)^2/(4 |kappa| C_s)
//   F_y = -mu N (1 - H^3), M_z = mu N W (1 - H) H^3 with H = 1 - C_a |tan a|/(3 mu N), at least 0
// Corrected where printed versions go astray: F_x drives forward, F_y opposes the sliding, S does
// not pass 1, both forces together stay within mu N, and the friction of the place scales mu before
// S* and H are found.
#include "tyre/carcass.h"
#include "tyre/inflation.h"
#include "tyre/observe.h"
#include "tyre/slip.h"

#define LAW(X)                                                                                    \
  X(slip_stiffness, "N", 193929, 1, 1e9, "C_s: longitudinal force per slip, at small slip.")      \
  X(cornering_stiffness, "N/rad", 50000, 1, 1e9,                                                  \
    "C_a: lateral force per slip angle, at small angle.")                                         \
  X(friction_max, "", 0.9835, 0, 10, "mu_0: friction coefficient without slip.")                  \
  X(friction_min, "", 0.5568, 0, 10, "mu_1: friction coefficient at full slip.")                  \
  X(road_friction, "", 0.8, 1e-3, 10,                                                             \
    "Friction of the road on which mu_0 and mu_1 hold; that of the place scales them.")           \
  X(width, "m", 0.318, 0, 10, "W: three times the trail of the lateral force at small slip.")     \
  X(rolling_resistance, "m", 0.015, 0, 1,                                                         \
    "C_r: rolling resistance torque over load: forward offset of the normal force.")              \
  X(stiffness, "N/m", 580000, 1e-3, 1e12, "Radial stiffness.")                                    \
  X(damping, "N s/m", 75, 0, 1e12, "Radial damping.")                                             \
  X(bottoming_deflection, "m", 0.25, 1e-6, 1e3,                                                   \
    "Deflection from which the rim adds rim_stiffness.")                                          \
  X(rim_stiffness, "N/m", 580000, 0, 1e12, "Stiffness of the rim, added beyond that deflection.") \
  X(stiffness_x, "N/m", 185004, 1, 1e12, "Of the contact patch along the wheel.")                 \
  X(stiffness_y, "N/m", 164448, 1, 1e12, "Of the contact patch across the wheel.")                \
  X(relaxation_x, "m", 0, 0, 1e3,                                                                 \
    "Over which slip along the wheel builds up; 0: slip_stiffness over stiffness_x.")             \
  X(relaxation_y, "m", 0, 0, 1e3,                                                                 \
    "Over which slip across it builds up; 0: cornering_stiffness over stiffness_y.")
#define INFLATION(X)                 \
  RUT_TYRE_PRESSURE_ROWS(X)          \
  RUT_TYRE_PRESSURE_STIFFNESS_ROW(X) \
  RUT_TYRE_PRESSURE_GRIP_ROWS(X) RUT_TYRE_PRESSURE_PATCH_ROW(X) RUT_TYRE_PRESSURE_ROLLING_ROW(X)
#define ROWS(X) LAW(X) RUT_TYRE_CARCASS_ROWS(X) INFLATION(X)

typedef struct Param {
  ROWS(RUT_PARAM)
  double load_curve, slip;
} Param;

static const rutField fields[] = {ROWS(RUT_ROW) RUT_TYRE_LOAD_CURVE_ROW("load_curve"){
    "slip", "", RUT_CHOICE, 1, 0, 0, 1, "over_hub|over_larger", 0,
    "Slip along the wheel: (r w - v)/|v|; or over the larger of both speeds, as ROAMS prints it, "
    "1 - v/(r w) where the wheel drives."}};

static rutStatus fiala_check(const double* param, rutError* err) {
  const Param* p = (const Param*)param;
  if (p->friction_min > p->friction_max) {
    return rut_error_set(err, RUT_ERR_MODEL, "friction_min is above friction_max, %g",
                         p->friction_max);
  }
  return rut_tyre_curve_check(param, p->load_curve, "load_curve", err);
}

RUT_CLONES static void fiala_carcass(const void* param, int n, const double* deflection,
                                     const double* rate, const double* radius,
                                     const rutCarcassOut* out) {
  const Param* p = param;
  const rutCarcassOut to = *out;
  rutTyreSpring spring = {.stiffness = p->stiffness,
                          .damping = p->damping,
                          .rim = p->rim_stiffness,
                          .depth = p->bottoming_deflection,
                          .crossover = p->crossover,
                          .bearing = p->bearing};
  spring.point = rut_tyre_curve(p, p->load_curve, &spring.points);
  const double given_x = p->relaxation_x, given_y = p->relaxation_y;
  const double along = given_x > 0 ? given_x : p->slip_stiffness / p->stiffness_x;
  const double across = given_y > 0 ? given_y : p->cornering_stiffness / p->stiffness_y;
  RUT_FOR_LANES(i, n) {
    const double least = RUT_TYRE_LEAST_RELAXATION * radius[i];
    to.relaxation_x[i] = rut_max(along, least);
    to.relaxation_y[i] = rut_max(across, least);
  }
  rut_tyre_carry(&spring, n, deflection, rate, radius, &to);
}

RUT_INLINE void fiala_wheels(Param p, int n, rutTyreGripIn from, rutTyreGripOut to) {
  const int printed = p.slip > 0.0;
  static const double PEAK_ABOVE = 1.366, PEAK_BELOW = 2.366;  // of the quotient at the end
  const double per_road = 1.0 / p.road_friction, per_y = 1.0 / p.cornering_stiffness;
  const double quarter_x = 0.25 / p.slip_stiffness;
  RUT_FOR_LANES(i, n) {
    const double load = from.load[i], speed = from.speed[i], direction = from.direction[i];
    const double on = load > 0.0 ? 1.0 : 0.0, each = 1.0 / rut_max(load, RUT_TYRE_LEAST_LOAD);
    const rutTyreSlip s = rut_tyre_slip(from.slip_x[i], from.slip_y[i], direction, speed);
    const double road = rut_tyre_road(from.friction[i], per_road);
    const double most = p.friction_max * road, fall = (p.friction_max - p.friction_min) * road;
    const double over_x = printed ? 1.0 : s.over_hub;
    const double kappa = rut_max(rut_abs(s.x * over_x), RUT_TYRE_LEAST_SLIP);
    const double angle = rut_max(rut_abs(s.across_y), RUT_TYRE_LEAST_SLIP);
    const double slip = rut_min(rut_hypot(kappa, angle), 1.0);
    const double mu = rut_max(most - fall * slip, RUT_TYRE_LEAST_FRICTION);

    // forces over load and slip
    const double c_x = p.slip_stiffness * each, c_y = p.cornering_stiffness * each;
    const double both = 1.0 / (kappa * angle), soft = quarter_x * load;
    const double critical = 2.0 * mu * soft, over = angle * both;
    const double bent = mu * (1.0 - 0.5 * critical * over) * over;
    const double along = kappa <= critical ? c_x : bent;
    const double part = rut_min(c_y * angle / (3.0 * mu), 1.0), left = 1.0 - part;
    const double rising = c_y * (1.0 - part + part * part * (1.0 / 3.0));
    const double across = part < 1.0 ? rising : mu * kappa * both;
    const double whole = rut_hypot(along * kappa, across * angle), scale = mu / rut_max(mu, whole);
    const double counts = on * scale * s.over_hub;
    const double sec_x = (printed ? on * scale : counts) * along, sec_y = counts * across;
    to.mu_x[i] = sec_x * s.x;
    to.mu_y[i] = -sec_y * s.y;
    to.secant_x[i] = sec_x;
    to.secant_y[i] = sec_y;
    const double trail = mu * p.width * part * left * left * left * scale;
    const double sense = rut_copysign(load, s.y) * rut_tyre_rolls(direction, speed);
    to.aligning[i] = on * trail * sense;
    to.overturning[i] = 0.0;
    to.resistance[i] = p.rolling_resistance / from.radius[i];

    // Slips of the largest forces, each direction alone. Along, the slope of F_x is 0 where
    // kappa^2 (d + d^2 N/(4 C_s)) = mu_0^2 N/(4 C_s), d = mu_0 - mu_1.
    const double sag = rut_sqrt(4.0 * c_x * fall * (1.0 + fall * soft));
    const double inverse = rut_max(sag / most, 1.0), best = 1.0 / inverse;
    const double mu_best = most - fall * best;
    const double bends = mu_best * (1.0 - mu_best * soft * inverse);
    to.peak[i] = best > 2.0 * mu_best * soft ? bends : c_x * best;
    // Across, where u = 1 - H obeys (1 - u)^2 = e u^2 (3 - 2u), e = d N/C_a: within 2 % this
    // quotient of sqrt(e), which has the right limits at both ends.
    const double root = rut_sqrt(fall * rut_max(load, 0.0) * per_y);
    const double above = 1.0 + PEAK_ABOVE * root, below = 1.0 + PEAK_BELOW * root * (1.0 + root);
    const double normalised_y = angle * (c_y * below + 3.0 * above * fall) / (3.0 * above * most);
    to.normalised_slip[i] = on * rut_hypot(kappa * inverse, rut_max(normalised_y, angle));
  }
}

RUT_CLONES static void fiala_grip(const void* param, int n, const rutTyreGripIn* in,
                                  const rutTyreGripOut* out) {
  // counts that the compiler knows become vector code without remainders
  if (n == 4) {
    fiala_wheels(*(const Param*)param, 4, *in, *out);
  } else if (n == 8) {
    fiala_wheels(*(const Param*)param, 8, *in, *out);
  } else {
    fiala_wheels(*(const Param*)param, n, *in, *out);
  }
}

// The table of loads is that of the air and the carcass, as the stiffness is.
static double fiala_inflate(double* param, double pressure) {
  Param* p = (Param*)param;
  pressure = rut_tyre_asked_pressure(p->pressure, p->nominal_pressure, pressure);
  if (pressure == p->nominal_pressure) return pressure;
  const double inflated = rut_tyre_inflated(pressure, p->nominal_pressure);
  const double stiffer = rut_tyre_stiffened(p->pressure_stiffness, inflated);
  p->stiffness *= stiffer;
  rut_tyre_scale_loads(param, p->load_curve, stiffer);
  p->slip_stiffness *= rut_tyre_changed(p->pressure_slip_stiffness, inflated);
  p->cornering_stiffness *= rut_tyre_changed(p->pressure_cornering_stiffness, inflated);
  p->stiffness_y *= rut_tyre_changed(p->pressure_lateral_stiffness, inflated);
  p->rolling_resistance *= rut_pow(inflated, p->pressure_rolling_resistance);
  return pressure;
}

static const rutVariable outputs[] = {RUT_TYRE_CARCASS_OUTPUT_ROWS RUT_TYRE_GRIP_OUTPUT_ROWS};

static void fiala_observe(const void* param, const rutTyreResult* in, double* out) {
  out = rut_tyre_observe_carcass(fiala_carcass, param, in, out);
  rut_tyre_observe_grip(fiala_grip, param, in, out);
}

const rutTyreType rut_tyre_fiala = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTyreType),
             .kind = "tyre",
             .name = "fiala",
             .parents = "vehicle axle",
             .doc = "For vehicles with suspensions: brush model with slip and cornering stiffness "
                    "independent of load, and friction that falls with slip (Fiala 1954). The "
                    "defaults are those of the HMMWV of Project Chrono.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .check = fiala_check},
    RUT_OBSERVED(outputs, fiala_observe),
    .carcass = fiala_carcass,
    .grip = fiala_grip,
    .inflate = fiala_inflate};
