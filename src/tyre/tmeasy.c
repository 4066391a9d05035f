// SPDX-License-Identifier: BSD-3-Clause
//
// Tyre model made easy (Rill, Road Vehicle Dynamics, CRC Press 2012, chapter 3).
//
// Slips s_x = (r w - v)/|r w| and s_y = -v_y/|r w| make one slip s with the direction c = s_x/s,
// d = s_y/s, and five numbers describe the force f along it: initial slope df0, largest force f_m
// at the slip s_m, force f_s from the slip s_s on, where all slides. Each is that of both
// directions, as hypot(c df0_x, d df0_y). Up to s_m
//   f = s df0/(1 + x (x + p)), x = s/s_m, p = df0 s_m/f_m - 2,
// then two parabolas with a common tangent down to f_s, or a cubic where they do not fit. Forces
// follow the load as a parabola through 0 and the values at the nominal load and at twice that,
// slips as a straight line.
#include "tyre/carcass.h"
#include "tyre/inflation.h"
#include "tyre/observe.h"
#include "tyre/slip.h"

#define LAW(X)                                                                                     \
  X(nominal_load, "N", 8562.82661, 1, 1e9, "p_n: load of the values that follow.")                 \
  X(largest_load, "N", 29969.89313, 1, 1e9,                                                        \
    "Load up to which longitudinal and lateral force grow with load; they are constant above.")    \
  X(slope_x, "N", 152216.2309, 1, 1e9, "df_x0: initial slope of the longitudinal force.")          \
  X(slope_x_double, "N", 248837.4538, 1, 1e9, "The same at twice the nominal load.")               \
  X(largest_x, "N", 7703.5470, 1, 1e9, "f_xm: largest longitudinal force.")                        \
  X(largest_x_double, "N", 13315.3666, 1, 1e9, "The same at twice the nominal load.")              \
  X(sliding_x, "N", 3954.5702, 1, 1e9, "f_xs: longitudinal force of a tyre that slides.")          \
  X(sliding_x_double, "N", 7252.5429, 1, 1e9, "The same at twice the nominal load.")               \
  X(slip_largest_x, "", 0.10811, 1e-4, 10, "s_xm: slip of the largest longitudinal force.")        \
  X(slip_largest_x_double, "", 0.12389, 1e-4, 10, "The same at twice the nominal load.")           \
  X(slip_sliding_x, "", 0.66667, 1e-4, 100, "s_xs: longitudinal slip from which the tyre slides.") \
  X(slip_sliding_x_double, "", 0.66667, 1e-4, 100, "The same at twice the nominal load.")          \
  X(slope_y, "N", 63376.0486, 1, 1e9, "df_y0: initial slope of the lateral force.")                \
  X(slope_y_double, "N", 117319.2874, 1, 1e9, "The same at twice the nominal load.")               \
  X(largest_y, "N", 6497.1303, 1, 1e9, "f_ym: largest lateral force.")                             \
  X(largest_y_double, "N", 12438.0194, 1, 1e9, "The same at twice the nominal load.")              \
  X(sliding_y, "N", 5846.3555, 1, 1e9, "f_ys: lateral force of a tyre that slides.")               \
  X(sliding_y_double, "N", 11186.3054, 1, 1e9, "The same at twice the nominal load.")              \
  X(slip_largest_y, "", 0.33167, 1e-4, 10, "s_ym: slip of the largest lateral force.")             \
  X(slip_largest_y_double, "", 0.33216, 1e-4, 10, "The same at twice the nominal load.")           \
  X(slip_sliding_y, "", 1.0296, 1e-4, 100, "s_ys: lateral slip from which the tyre slides.")       \
  X(slip_sliding_y_double, "", 1.0296, 1e-4, 100, "The same at twice the nominal load.")           \
  X(trail, "", 0.178, 0, 10, "(n/L)_0: trail over length of the contact patch, without slip.")     \
  X(trail_double, "", 0.19, 0, 10, "The same at twice the nominal load.")                          \
  X(slip_trail_ends, "", 0.36484, 1e-4, 10,                                                        \
    "s_y0: lateral slip at which the trail changes its sign.")                                     \
  X(slip_trail_ends_double, "", 0.36538, 1e-4, 10, "The same at twice the nominal load.")          \
  X(slip_trail_gone, "", 1.0296, 1e-4, 100, "s_yE: lateral slip above which the trail is 0.")      \
  X(slip_trail_gone_double, "", 1.0296, 1e-4, 100, "The same at twice the nominal load.")          \
  X(road_friction, "", 0.8, 1e-3, 10,                                                              \
    "mu_0: friction of the road for which these values hold; that of the place scales forces and " \
    "slips, not the initial slopes.")                                                              \
  X(width, "m", 0.3175, 0, 10, "Width of the tyre, for its overturning moment.")                   \
  X(rolling_resistance, "", 0.015, 0, 1, "Rolling resistance torque over load and radius.")        \
  X(stiffness, "N/m", 411120.9242, 1e-3, 1e12, "c_z: radial stiffness.")                           \
  X(damping, "N s/m", 3931.68498, 0, 1e12, "d_z: radial damping.")                                 \
  X(rim_radius, "m", 0.21955, 0, 1e3, "Loaded radius at which the tyre bottoms on the rim.")       \
  X(rim_stiffness, "N/m", 2055604.621, 0, 1e12, "Stiffness of the rim, added below that radius.")  \
  X(stiffness_x, "N/m", 185004, 1, 1e12, "c_x: of the contact patch along the wheel.")             \
  X(stiffness_y, "N/m", 164448, 1, 1e12, "c_y: of the contact patch across the wheel.")            \
  X(relaxation_x, "m", 0, 0, 1e3,                                                                  \
    "Over which slip along the wheel builds up; 0: its slope over stiffness_x.")                   \
  X(relaxation_y, "m", 0, 0, 1e3,                                                                  \
    "Over which slip across it builds up; 0: its slope over stiffness_y.")
#define INFLATION(X)                 \
  RUT_TYRE_PRESSURE_ROWS(X)          \
  RUT_TYRE_PRESSURE_STIFFNESS_ROW(X) \
  RUT_TYRE_PRESSURE_GRIP_ROWS(X) RUT_TYRE_PRESSURE_PATCH_ROW(X) RUT_TYRE_PRESSURE_ROLLING_ROW(X)
#define ROWS(X) LAW(X) RUT_TYRE_CARCASS_ROWS(X) INFLATION(X)

typedef struct Param {
  ROWS(RUT_PARAM)
  double load_curve;
} Param;

static const rutField fields[] = {ROWS(RUT_ROW) RUT_TYRE_LOAD_CURVE_ROW("load_curve")};

// a - b q, q being the load over the nominal one: a force over load, or a slip.
typedef struct Line {
  double a, b;
} Line;

RUT_INLINE double at(Line line, double q) { return line.a - line.b * q; }
// Force over load, from the forces at the nominal load and at twice that.
RUT_INLINE Line force_line(double one, double two, double nominal) {
  return (Line){(2.0 * one - 0.5 * two) / nominal, (one - 0.5 * two) / nominal};
}
RUT_INLINE Line slip_line(double one, double two) { return (Line){2.0 * one - two, one - two}; }

// Of one direction.
typedef struct Axis {
  Line slope, largest, sliding, slip_largest, slip_sliding;
} Axis;

RUT_INLINE Axis axis_x(const Param* p) {
  return (Axis){force_line(p->slope_x, p->slope_x_double, p->nominal_load),
                force_line(p->largest_x, p->largest_x_double, p->nominal_load),
                force_line(p->sliding_x, p->sliding_x_double, p->nominal_load),
                slip_line(p->slip_largest_x, p->slip_largest_x_double),
                slip_line(p->slip_sliding_x, p->slip_sliding_x_double)};
}
RUT_INLINE Axis axis_y(const Param* p) {
  return (Axis){force_line(p->slope_y, p->slope_y_double, p->nominal_load),
                force_line(p->largest_y, p->largest_y_double, p->nominal_load),
                force_line(p->sliding_y, p->sliding_y_double, p->nominal_load),
                slip_line(p->slip_largest_y, p->slip_largest_y_double),
                slip_line(p->slip_sliding_y, p->slip_sliding_y_double)};
}

// NULL, or what is wrong between no load and the largest one. All are straight lines in the load:
// what holds at both ends holds between them.
static const char* axis_fault(Axis a, double q) {
  if (!(at(a.slope, q) > 0)) return "slope is not positive";
  if (!(at(a.sliding, q) > 0)) return "sliding force is not positive";
  if (!(at(a.largest, q) >= at(a.sliding, q))) return "largest force is below the sliding force";
  if (!(at(a.slip_largest, q) > 0)) return "slip of the largest force is not positive";
  if (!(at(a.slip_sliding, q) > at(a.slip_largest, q))) {
    return "slip where it slides is not above that of the largest force";
  }
  return NULL;
}

static rutStatus tmeasy_check(const double* param, rutError* err) {
  const Param* p = (const Param*)param;
  const double most = p->largest_load / p->nominal_load;
  for (int end = 0; end < 2; end++) {
    const double q = end ? most : 0;
    for (int axis = 0; axis < 2; axis++) {
      const char* fault = axis_fault(axis ? axis_y(p) : axis_x(p), q);
      if (!fault) continue;
      return rut_error_set(
          err, RUT_ERR_MODEL, "%s: extrapolated to a load of %g N from both given loads, the %s",
          axis ? "lateral force" : "longitudinal force", q * p->nominal_load, fault);
    }
    const double ends = at(slip_line(p->slip_trail_ends, p->slip_trail_ends_double), q);
    const double gone = at(slip_line(p->slip_trail_gone, p->slip_trail_gone_double), q);
    if (ends > 0 && gone >= ends) continue;
    return rut_error_set(err, RUT_ERR_MODEL,
                         "slip_trail_ends must be positive and not above slip_trail_gone, which it "
                         "is not at %g N",
                         q * p->nominal_load);
  }
  return rut_tyre_curve_check(param, p->load_curve, "load_curve", err);
}

RUT_CLONES static void tmeasy_carcass(const void* param, int n, const double* deflection,
                                      const double* rate, const double* radius,
                                      const rutCarcassOut* out) {
  const Param* p = param;
  const rutCarcassOut to = *out;
  rutTyreSpring spring = {.stiffness = p->stiffness,
                          .damping = p->damping,
                          .rim = p->rim_stiffness,
                          .reach = 1,
                          .depth = -p->rim_radius,
                          .crossover = p->crossover,
                          .bearing = p->bearing};
  spring.point = rut_tyre_curve(p, p->load_curve, &spring.points);
  rut_tyre_carry(&spring, n, deflection, rate, radius, &to);
  const Line x = axis_x(p).slope, y = axis_y(p).slope;
  const double given_x = p->relaxation_x, given_y = p->relaxation_y;
  const double per_load = 1.0 / p->nominal_load;
  RUT_FOR_LANES(i, n) {
    const double load = rut_min(to.load[i], p->largest_load), q = load * per_load;
    const double least = RUT_TYRE_LEAST_RELAXATION * radius[i];
    const double along = at(x, q) * load / p->stiffness_x;
    const double across = at(y, q) * load / p->stiffness_y;
    to.relaxation_x[i] = rut_max(given_x > 0 ? given_x : along, least);
    to.relaxation_y[i] = rut_max(given_y > 0 ? given_y : across, least);
  }
}

// Force by slip in one direction, forces over load.
typedef struct Curve {
  double slope;              // at slip 0
  double largest;            // force,
  double slip_largest;       // its slip,
  double over_slip_largest;  // and 1 over that
  double sliding;            // force of a tyre that only slides,
  double slip_sliding;       // from this slip on
} Curve;

// Force over slip at slip s.
RUT_INLINE double force_over_slip(double s, Curve curve) {
  const double slope = curve.slope, largest = curve.largest, sliding = curve.sliding;
  const double slip_largest = curve.slip_largest, over_largest = curve.over_slip_largest;
  const double slip_sliding = curve.slip_sliding;
  static const double LEAST_SPAN = 1e-3;  // parts of a slip range that are divided by
  static const double LATEST = 0.999;     // part of the span up to which both parabolas have room
  const double steep = rut_max(2.0 * largest * over_largest, slope), x = s * over_largest;
  const double p = steep * slip_largest / largest - 2.0;
  const double sticks = steep / (1.0 + (x + p) * x);
  // two parabolas that meet at s_m + lead
  const double span = rut_max(slip_sliding - slip_largest, LEAST_SPAN * slip_largest);
  const double drop = rut_max(largest - sliding, 0.0), by = s - slip_largest, left = span - by;
  const double top = largest * over_largest, bend = top * top * over_largest / steep;
  const double per_span = 1.0 / span, lead = drop / bend * per_span, rest = span - lead;
  const double down = largest - bend * by * by;
  const double ease = sliding + bend * lead * left * left / rut_max(rest, LEAST_SPAN * span);
  const double parabolas = by <= lead ? down : ease;
  const double part = by * per_span, cubic = largest - drop * part * part * (3.0 - 2.0 * part);
  const double falls = lead <= LATEST * span ? parabolas : cubic;
  const double slides = left < 0.0 ? sliding : falls;
  return by < 0.0 ? sticks : slides / s;
}

// Trail over patch length as a part of that without slip: positive up to the slip `ends`, then
// negative, none from `gone` on.
RUT_INLINE double trail_part(double slip, double ends, double gone) {
  static const double LEAST_SPAN = 1e-6;  // over `gone`
  const double w = ends / gone, s = slip / ends;
  const double straight = 1.0 - s, smooth = 1.0 - (3.0 - 2.0 * s) * s * s;
  const double before = (1.0 - w) * straight + w * smooth;
  const double left = (gone - slip) / rut_max(gone - ends, LEAST_SPAN * gone);
  const double after = -(1.0 - w) * (s - 1.0) * left * left;
  return s <= 1.0 ? before : (slip < gone ? after : 0.0);
}

RUT_INLINE void tmeasy_wheels(Param p, int n, rutTyreGripIn from, rutTyreGripOut to) {
  const Axis x = axis_x(&p), y = axis_y(&p);
  const Line trail_line = slip_line(p.trail, p.trail_double);
  const Line ends_line = slip_line(p.slip_trail_ends, p.slip_trail_ends_double);
  const Line gone_line = slip_line(p.slip_trail_gone, p.slip_trail_gone_double);
  const double per_load = 1.0 / p.nominal_load, per_road = 1.0 / p.road_friction;
  const double against_inclination = p.width * p.width * p.stiffness * (1.0 / 12.0);
  RUT_FOR_LANES(i, n) {
    const double load = from.load[i], on = load > 0.0 ? 1.0 : 0.0;
    const double counts = rut_min(load, p.largest_load), q = counts * per_load;
    const double share = on * counts / rut_max(load, RUT_TYRE_LEAST_LOAD);
    const double speed = from.speed[i], direction = from.direction[i];
    const rutTyreSlip patch = rut_tyre_slip(from.slip_x[i], from.slip_y[i], direction, speed);
    const double road = rut_tyre_road(from.friction[i], per_road);
    const double inverse = 1.0 / patch.tread;
    const double sx = patch.x * inverse, sy = patch.y * inverse;
    const double s = rut_max(rut_hypot(sx, sy), RUT_TYRE_LEAST_SLIP), turn = 1.0 / s;
    const double c = sx * turn, d = sy * turn;

    const double slope_x = at(x.slope, q), slope_y = at(y.slope, q);
    const double top_x = road * at(x.largest, q), top_y = road * at(y.largest, q);
    const double slip_x = road * at(x.slip_largest, q), slip_y = road * at(y.slip_largest, q);
    const double slide_x = road * at(x.sliding, q), slide_y = road * at(y.sliding, q);
    const double end_x = road * at(x.slip_sliding, q), end_y = road * at(y.slip_sliding, q);
    // of a patch without slip: something, which the limits below replace
    const int still = c * c + d * d < 0.5;
    const double cx = still ? 1.0 : c, dy = still ? 0.0 : d;
    const double best = rut_hypot(slip_x * cx, slip_y * dy);
    const double over_best = 1.0 / best;
    const double slope = rut_hypot(slope_x * cx, slope_y * dy);
    const double top = rut_hypot(top_x * cx, top_y * dy);
    const double slide = rut_hypot(slide_x * cx, slide_y * dy);
    const double end = rut_hypot(end_x * cx, end_y * dy);
    const Curve curve = {slope, top, best, over_best, slide, end};
    const double grip = share * force_over_slip(s, curve);
    const double secant = grip * inverse;
    const double starts = 2.0 * share * inverse / (slip_x * slip_y);
    const double start_x = rut_max(share * slope_x * inverse, starts * top_x * slip_y);
    const double start_y = rut_max(share * slope_y * inverse, starts * top_y * slip_x);
    const double mu_y = -secant * patch.y;
    to.mu_x[i] = secant * patch.x;
    to.mu_y[i] = mu_y;
    to.secant_x[i] = still ? start_x : secant;
    to.secant_y[i] = still ? start_y : secant;
    to.normalised_slip[i] = on * s * over_best;
    to.resistance[i] = p.rolling_resistance;
    to.peak[i] = top_x * (load > 0.0 ? share : 1.0);

    const double length = 2.0 * rut_sqrt(from.radius[i] * rut_max(from.deflection[i], 0.0));
    const double trail = at(trail_line, q) *
                         trail_part(rut_abs(sy), road * at(ends_line, q), road * at(gone_line, q));
    to.aligning[i] = -mu_y * load * length * trail * rut_tyre_rolls(direction, speed);
    // the load cannot act beyond the edge of the patch
    const double edge = 0.5 * p.width * rut_max(load, 0.0);
    to.overturning[i] = rut_clamp(-against_inclination * from.inclination[i], -edge, edge);
  }
}

RUT_CLONES static void tmeasy_grip(const void* param, int n, const rutTyreGripIn* in,
                                   const rutTyreGripOut* out) {
  // counts that the compiler knows become vector code without remainders
  if (n == 4) {
    tmeasy_wheels(*(const Param*)param, 4, *in, *out);
  } else if (n == 8) {
    tmeasy_wheels(*(const Param*)param, 8, *in, *out);
  } else {
    tmeasy_wheels(*(const Param*)param, n, *in, *out);
  }
}

// Curves of the same forces over slips that are longer by 1/gain: slopes and slips are those of the
// similarity method (Pacejka, Tire and Vehicle Dynamics, 2012, 4.2) for other stiffnesses and the
// same friction.
static void steepen_x(Param* p, double gain) {
  double* const slip[] = {&p->slip_largest_x, &p->slip_largest_x_double, &p->slip_sliding_x,
                          &p->slip_sliding_x_double};
  p->slope_x *= gain;
  p->slope_x_double *= gain;
  for (int i = 0; i < RUT_COUNT_OF(slip); i++) *slip[i] /= gain;
}
static void steepen_y(Param* p, double gain) {
  double* const slip[] = {&p->slip_largest_y,  &p->slip_largest_y_double,
                          &p->slip_sliding_y,  &p->slip_sliding_y_double,
                          &p->slip_trail_ends, &p->slip_trail_ends_double,
                          &p->slip_trail_gone, &p->slip_trail_gone_double};
  p->slope_y *= gain;
  p->slope_y_double *= gain;
  for (int i = 0; i < RUT_COUNT_OF(slip); i++) *slip[i] /= gain;
}

static double tmeasy_inflate(double* param, double pressure) {
  Param* p = (Param*)param;
  pressure = rut_tyre_asked_pressure(p->pressure, p->nominal_pressure, pressure);
  if (pressure == p->nominal_pressure) return pressure;
  const double inflated = rut_tyre_inflated(pressure, p->nominal_pressure);
  const double stiffer = rut_tyre_stiffened(p->pressure_stiffness, inflated);
  p->stiffness *= stiffer;
  rut_tyre_scale_loads(param, p->load_curve, stiffer);
  steepen_x(p, rut_tyre_changed(p->pressure_slip_stiffness, inflated));
  steepen_y(p, rut_tyre_changed(p->pressure_cornering_stiffness, inflated));
  p->stiffness_y *= rut_tyre_changed(p->pressure_lateral_stiffness, inflated);
  p->rolling_resistance *= rut_pow(inflated, p->pressure_rolling_resistance);
  return pressure;
}

static const rutVariable outputs[] = {RUT_TYRE_CARCASS_OUTPUT_ROWS RUT_TYRE_GRIP_OUTPUT_ROWS};

static void tmeasy_observe(const void* param, const rutTyreResult* in, double* out) {
  out = rut_tyre_observe_carcass(tmeasy_carcass, param, in, out);
  rut_tyre_observe_grip(tmeasy_grip, param, in, out);
}

const rutTyreType rut_tyre_tmeasy = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTyreType),
             .kind = "tyre",
             .name = "tmeasy",
             .parents = "vehicle axle",
             .doc = "For vehicles with suspensions: TMeasy: force curves from slopes, peaks and "
                    "sliding values at two loads (Rill 2012). The defaults are those of the HMMWV "
                    "of Project Chrono.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .check = tmeasy_check},
    RUT_OBSERVED(outputs, tmeasy_observe),
    .carcass = tmeasy_carcass,
    .grip = tmeasy_grip,
    .inflate = tmeasy_inflate};
