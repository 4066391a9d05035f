// SPDX-License-Identifier: BSD-3-Clause
//
// Double wishbones as a component: their parameters, and the constants of a corner that follow.
#include "suspension/double_wishbone_mechanism.h"

#include "base/report.h"

// ---- parameters ----

#define POINT(name, def, doc) \
  { #name, "m", RUT_VECTOR, 3, 0, -1e3, 1e3, def, 0, doc }
#define INERTIA(name, def, doc) \
  { #name, "kg m2", RUT_VECTOR, 3, 0, 0, 1e9, def, 0, doc }
#define TABLE(name, doc) \
  { #name, "", RUT_POINTS, 0, 0, -1e12, 1e12, "", 0, doc }
#define LISTS(X)                                                                                   \
  X(POINT, upper_front, "-0.0075286 0.4459605 0.2446223",                                          \
    "Upper arm's front pivot: x forward from the axle, y left of the vehicle's centre plane, z "   \
    "above the reference point, as for all points.")                                               \
  X(POINT, upper_rear, "-0.2278278 0.4777359 0.1955597", "The arm's rear pivot.")                  \
  X(POINT, upper_ball, "-0.0126492 0.7155180 0.2154936", "The arm's ball joint at the upright.")   \
  X(POINT, upper_com, "-0.0651510 0.5886704 0.2178050", "The arm's centre of mass.")               \
  X(POINT, lower_front, "0.2636520 0.3070860 0", "Lower arm's front pivot.")                       \
  X(POINT, lower_rear, "-0.1828800 0.3070860 0", "The arm's rear pivot.")                          \
  X(POINT, lower_ball, "0.0048260 0.7865110 -0.1181100", "The arm's ball joint at the upright.")   \
  X(POINT, lower_com, "0.0403860 0.5468112 -0.0590550", "The arm's centre of mass.")               \
  X(POINT, upright_com, "0 0.7510145 -0.0262890", "Upright's centre of mass.")                     \
  X(POINT, tie_rod_inner, "-0.2099310 0.4484370 0.0542290",                                        \
    "Tie rod's end at the steering linkage or the chassis.")                                       \
  X(POINT, tie_rod_outer, "-0.1354328 0.8211058 -0.0163322", "Its end at the upright.")            \
  X(POINT, spring_top, "0.1443990 0.5097780 0.1974850", "Spring's end at the chassis.")            \
  X(POINT, spring_foot, "0.1375918 0.5431790 -0.0466090", "Its end at the lower arm.")             \
  X(POINT, damper_top, "0.1443990 0.4977892 0.3231388", "Damper's end at the chassis.")            \
  X(POINT, damper_foot, "0.1375918 0.5431790 -0.0466090", "Its end at the lower arm.")             \
  X(POINT, steering_arm, "0 0 0",                                                                  \
    "Steering arm from its pivot to its end, at straight ahead: the tie rods' inner ends move "    \
    "with its end (Pitman arm and centre link). 0 0 0: none.")                                     \
  X(POINT, steering_axis, "0 0 -1",                                                                \
    "Direction of its axis; positive rotation steers to the left.")                                \
  X(INERTIA, upper_inertia, "0.03 0.03 0.06276",                                                   \
    "Upper arm's inertia about its centre of mass: along the pivot axis, across it in the arm's "  \
    "plane, and normal to both.")                                                                  \
  X(INERTIA, lower_inertia, "0.4 0.4 0.8938", "Lower arm's inertia, likewise.")                    \
  X(INERTIA, upright_inertia, "0.1656 0.1934 0.04367",                                             \
    "Upright's inertia about its centre of mass: xx yy zz in vehicle axes.")                       \
  X(TABLE, spring, "Spring force over compression in place of spring_rate: pairs of [m] and [N].") \
  X(TABLE, stop, "Force of a stop over its compression: pairs of [m] and [N].")
#define NUMBERS(X)                                                                                 \
  X(upper_mass, "kg", 5.813, 0, 1e6, "Mass of the upper arm.")                                     \
  X(lower_mass, "kg", 23.965, 0, 1e6, "Mass of the lower arm.")                                    \
  X(upright_mass, "kg", 19.45, 0, 1e6, "Mass of the upright, without the wheel.")                  \
  X(tie_rod_mass, "kg", 0, 0, 1e6, "Mass of the tie rod, a slender rod.")                          \
  X(toe, "rad", 0, -0.5, 0.5, "Static toe angle at the design position, toe-in positive.")         \
  X(camber, "rad", 0, -0.5, 0.5,                                                                   \
    "Static camber angle at the design position, top outwards positive.")                          \
  X(rack, "m/rad", 0, -10, 10,                                                                     \
    "Displacement of a steering rack to the right per unit of the linkage's coordinate, in place " \
    "of an arm.")                                                                                  \
  X(spring_rate, "N/m", 190e3, 0, 1e12, "Spring rate.")                                            \
  X(free_length, "m", 0.339, 0, 1e3, "Length of the spring without force.")                        \
  X(bump_length, "m", 0.15, 0, 1e3, "Length of the spring below which the bump stop acts.")        \
  X(rebound_length, "m", 0.30, 0, 1e3, "Length above which the rebound stop acts; 0: none.")       \
  X(stop_rate, "N/m", 2e6, 0, 1e12, "Rate of the stops, without a table.")                         \
  X(compression_damping, "N s/m", 12521.5641, 0, 1e9, "Damper rate when it shortens.")             \
  X(rebound_damping, "N s/m", 22460.0083, 0, 1e9, "Damper rate when it lengthens.")                \
  X(zone_short, "m", 0, 0, 1e3, "Length of the damper below which the rates of its zones hold.")   \
  X(zone_long, "m", 0, 0, 1e3, "Length above which they hold; 0: no zones.")                       \
  X(zone_compression_damping, "N s/m", 0, 0, 1e9, "Rate in the zones when it shortens.")           \
  X(zone_rebound_damping, "N s/m", 0, 0, 1e9, "Rate in the zones when it lengthens.")

#define LIST_PARAM(macro, name, ...) double name;
#define LIST_ROW(macro, name, ...)   macro(name, __VA_ARGS__),
typedef struct Param {
  LISTS(LIST_PARAM)
  NUMBERS(RUT_PARAM)
} Param;
#undef TABLE
#define TABLE(name, doc) \
  { #name, "", RUT_POINTS, 0, 0, -1e12, 1e12, "", 0, doc }
static const rutField fields[] = {LISTS(LIST_ROW) NUMBERS(RUT_ROW)};

// ---- making of the constants ----

// Length beyond all others [m].
static const double NEVER = 1e9;

typedef struct Maker {
  const Param* p;
  const rutCornerPlace* place;
  double* constant;
} Maker;

static void put(const Maker* k, int at, double value) {
  k->constant[at * RUT_CORNER_WIDTH] = value;
}
static void put_vector(const Maker* k, int at, rutVec3 v) {
  put(k, at, v.x);
  put(k, at + 1, v.y);
  put(k, at + 2, v.z);
}
static void put_sym(const Maker* k, int at, rutSym3 j) {
  const double value[6] = {j.xx, j.yy, j.zz, j.xy, j.xz, j.yz};
  for (int c = 0; c < 6; c++) put(k, at + c, value[c]);
}

// A vector of the parameters, on this corner's side.
static rutVec3 mirrored(const Maker* k, double list) {
  int n = 0;
  const double* v = rut_param_list(k->p, list, &n);
  return rut_vec3(v[0], k->place->side * v[1], v[2]);
}
// A point of the parameters in the vehicle's frame, from the origin.
static rutVec3 point(const Maker* k, double list) {
  const double* o = k->place->origin;
  const rutVec3 at = mirrored(k, list);
  return rut_vec3(at.x + k->place->hub[0] - o[0], at.y - o[1], at.z - o[2]);
}
static rutVec3 in_axes(rutVec3 v, rutVec3 e1, rutVec3 e2, rutVec3 e3) {
  return rut_vec3(rut_vec3_dot(v, e1), rut_vec3_dot(v, e2), rut_vec3_dot(v, e3));
}

// Moments of a body given along e1, e2, e3, in the axes f1, f2, f3.
static rutSym3 in_frame(const double moment[3], const rutVec3 e[3], const rutVec3 f[3]) {
  const rutSym3 own = {moment[0], moment[1], moment[2], 0, 0, 0};
  const rutVec3 a = in_axes(e[0], f[0], f[1], f[2]), b = in_axes(e[1], f[0], f[1], f[2]);
  return rut_sym3_turned(own, a, b, in_axes(e[2], f[0], f[1], f[2]));
}

typedef struct ArmPlan {
  rutVec3 front, rear, ball, com;
  double mass;
  const double* inertia;
} ArmPlan;

// Axes of an arm at the design position: along the pivot axis, to the ball, and across, which is
// the way in which the ball goes when the arm turns up.
static void put_arm(const Maker* k, int foot_at, int radius_at, const ArmPlan* arm, rutVec3 f[3],
                    rutVec3* foot) {
  rutVec3 axis = rut_vec3_unit(rut_vec3_sub(arm->front, arm->rear));
  const rutVec3 out = rut_vec3_sub(arm->ball, arm->rear);
  if (rut_vec3_cross(axis, out).z < 0) axis = rut_vec3_scale(axis, -1);
  *foot = rut_vec3_add_scaled(arm->rear, rut_vec3_dot(out, axis), axis);
  const rutVec3 to = rut_vec3_sub(arm->ball, *foot);
  f[0] = axis;
  f[1] = rut_vec3_unit(to);
  f[2] = rut_vec3_cross(f[0], f[1]);
  // given along the pivot axis, across it in the plane of the three points, and normal to it: the
  // plane contains the pivot axis and the ball
  put_vector(k, foot_at, *foot);
  put_vector(k, foot_at + 3, axis);
  put(k, radius_at, rut_vec3_norm(to));
  put_vector(k, radius_at + 1, in_axes(rut_vec3_sub(arm->com, *foot), f[0], f[1], f[2]));
  put(k, radius_at + 4, arm->mass);
  put_sym(k, radius_at + 5, (rutSym3){arm->inertia[0], arm->inertia[1], arm->inertia[2], 0, 0, 0});
}

// Pressing of a stop: no force before it is touched.
static bool add_stop(rutKinks* k, const Param* p, double from, double sense, double factor) {
  int n = 0;
  const double* table = rut_param_list(p, p->stop, &n);
  const double plain[6] = {-1, 0, 0, 0, 1, p->stop_rate};
  double full[2 * RUT_MAX_KINKS];
  if (n == 0) return rut_kinks_add(k, plain, 3, from, sense, factor);
  if (n + 4 > 2 * RUT_MAX_KINKS) return false;
  // nothing outside, then from its first point on
  full[0] = table[0] - 1;
  full[1] = table[1];
  for (int i = 0; i < n; i++) full[2 + i] = table[i];
  return rut_kinks_add(k, full, n / 2 + 1, from, sense, factor);
}

static rutStatus put_spring(const Maker* k, rutError* err) {
  const Param* p = k->p;
  rutKinks kinks = {0};
  int n = 0;
  const double* table = rut_param_list(p, p->spring, &n);
  const double plain[4] = {0, 0, 1, p->spring_rate};
  bool fits = n ? rut_kinks_add(&kinks, table, n / 2, p->free_length, -1, 1)
                : rut_kinks_add(&kinks, plain, 2, p->free_length, -1, 1);
  fits = fits && add_stop(&kinks, p, p->bump_length, -1, 1);
  if (p->rebound_length > 0) fits = fits && add_stop(&kinks, p, p->rebound_length, 1, -1);
  if (!fits) {
    return rut_error_set(err, RUT_ERR_CAPACITY, "'spring' and 'stop' have more than %d points",
                         RUT_MAX_KINKS);
  }
  put(k, RUT_WISHBONE_force_0, kinks.force_0);
  put(k, RUT_WISHBONE_slope_0, kinks.slope_0);
  put(k, RUT_WISHBONE_most_work, rut_kinks_work(&kinks, p->free_length));
  put(k, RUT_WISHBONE_hinges, kinks.n);
  for (int h = 0; h < RUT_MAX_KINKS; h++) {
    put(k, RUT_WISHBONE_HINGE + 2 * h, h < kinks.n ? kinks.at[h] : NEVER);
    put(k, RUT_WISHBONE_HINGE + 2 * h + 1, h < kinks.n ? kinks.change[h] : 0);
  }
  return RUT_OK;
}

// Upright, tie rod and linkage at the design position.
static void put_upright(const Maker* k, rutVec3 lower, rutVec3 upper) {
  const Param* p = k->p;
  const double* o = k->place->origin;
  const rutVec3 outer = point(k, p->tie_rod_outer), inner = point(k, p->tie_rod_inner);
  const rutVec3 pin = rut_vec3_sub(upper, lower), tie = rut_vec3_sub(outer, lower);
  const rutVec3 rod = rut_vec3_sub(inner, lower), to_rod = rut_vec3_sub(outer, inner);
  rutVec3 f[3];
  f[0] = rut_vec3_unit(pin);
  const rutVec3 out = rut_vec3_add_scaled(tie, -rut_vec3_dot(tie, f[0]), f[0]);
  f[1] = rut_vec3_unit(out);
  f[2] = rut_vec3_cross(f[0], f[1]);
  const rutVec3 hub =
      rut_vec3(k->place->hub[0] - o[0], k->place->hub[1] - o[1], k->place->hub[2] - o[2]);
  // to the left; toe turns the front inwards, camber the top outwards
  double ts, tc, cs, cc;
  rut_sincos(k->place->side * p->toe, &ts, &tc);
  rut_sincos(k->place->side * p->camber, &cs, &cc);
  const rutVec3 axis = rut_vec3(ts * cc, tc * cc, -cs);
  put_vector(k, RUT_WISHBONE_hub_x, in_axes(rut_vec3_sub(hub, lower), f[0], f[1], f[2]));
  put_vector(k, RUT_WISHBONE_axis_x, in_axes(axis, f[0], f[1], f[2]));
  const rutVec3 com = rut_vec3_sub(point(k, p->upright_com), lower);
  put_vector(k, RUT_WISHBONE_upright_com_x, in_axes(com, f[0], f[1], f[2]));
  put(k, RUT_WISHBONE_upright_mass, p->upright_mass);
  const rutVec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  int n = 0;
  put_sym(k, RUT_WISHBONE_upright_xx, in_frame(rut_param_list(p, p->upright_inertia, &n), unit, f));
  put(k, RUT_WISHBONE_kingpin, rut_vec3_norm(pin));
  put(k, RUT_WISHBONE_tie_up, rut_vec3_dot(tie, f[0]));
  put(k, RUT_WISHBONE_tie_out, rut_vec3_norm(out));
  put(k, RUT_WISHBONE_tie_length, rut_vec3_norm(to_rod));
  put(k, RUT_WISHBONE_tie_mass, p->tie_rod_mass);
  // on which side of the inner end's direction the arm stands
  put(k, RUT_WISHBONE_tie_way, rut_vec3_dot(rut_vec3_cross(f[0], rod), f[1]) < 0 ? -1 : 1);
  // the linkage is one for both sides
  const double* axis_list = rut_param_list(p, p->steering_axis, &n);
  const double* arm_list = rut_param_list(p, p->steering_arm, &n);
  const rutVec3 about = rut_vec3_unit(rut_vec3_of(axis_list)), arm = rut_vec3_of(arm_list);
  const rutVec3 across = rut_vec3_add_scaled(arm, -rut_vec3_dot(arm, about), about);
  put_vector(k, RUT_WISHBONE_centre_x, rut_vec3_sub(inner, across));
  put_vector(k, RUT_WISHBONE_across_x, across);
  put_vector(k, RUT_WISHBONE_along_x, rut_vec3_cross(about, across));
  put(k, RUT_WISHBONE_rack, p->rack);
}

// Is the mechanism clear of dead points at q, at any steering?
static bool is_clear(const Maker* k, double q) {
  static const double DEAD = 0.1;
  const double* constant = k->constant;
  const int i = 0;
  bool clear = true;
  for (int steer = -1; steer <= 1; steer++) {
    const rutWishbonePose p = rut_wishbone_pose(constant, i, q, steer * k->place->steer_range);
    const rutVec3 hub = rut_wishbone_on_upright(&p, KVEC(hub));
    const double rise = rut_vec3_add(p.ball_v, rut_vec3_cross(p.q_w, hub)).z;
    clear = clear && p.upper_sine > DEAD && p.tie_sine > DEAD &&
            rut_abs(rut_vec3_dot(p.k, p.upper_t)) > DEAD && rise > DEAD * K(lower_radius);
  }
  return clear;
}

// How far q can go until the mechanism comes near a dead point.
static void find_range(const Maker* k, double range[2]) {
  static const double STEP = 0.005;
  enum { FAR = 260 };
  for (int side = 0; side < 2; side++) {
    const double sense = side ? 1 : -1;
    int steps = 0;
    while (steps < FAR && is_clear(k, sense * (steps + 1) * STEP)) steps++;
    range[side] = sense * steps * STEP;
  }
}

static rutStatus wishbone_derive(const void* param, const rutCornerPlace* place, double* constant,
                                 double range[2], rutError* err) {
  static const double LIMIT_RATE = 5e6;    // beyond the range, per squared radius of the arm [N/m]
  static const double LEAST_RANGE = 0.02;  // either way [rad]
  const Param* p = param;
  const Maker k = {p, place, constant};
  int n = 0;
  const ArmPlan lower = {point(&k, p->lower_front),
                         point(&k, p->lower_rear),
                         point(&k, p->lower_ball),
                         point(&k, p->lower_com),
                         p->lower_mass,
                         rut_param_list(p, p->lower_inertia, &n)};
  const ArmPlan upper = {point(&k, p->upper_front),
                         point(&k, p->upper_rear),
                         point(&k, p->upper_ball),
                         point(&k, p->upper_com),
                         p->upper_mass,
                         rut_param_list(p, p->upper_inertia, &n)};
  rutVec3 f[3], foot;
  put(&k, RUT_WISHBONE_mass, p->lower_mass + p->upper_mass + p->upright_mass + p->tie_rod_mass);
  put_arm(&k, RUT_WISHBONE_lower_foot_x, RUT_WISHBONE_lower_radius, &lower, f, &foot);
  put_vector(&k, RUT_WISHBONE_ahead_x, f[1]);
  put_vector(&k, RUT_WISHBONE_up_x, f[2]);
  const struct {
    int at, damper;
    double top, foot;
  } strut[2] = {{RUT_WISHBONE_spring_top_x, 0, p->spring_top, p->spring_foot},
                {RUT_WISHBONE_damper_top_x, 1, p->damper_top, p->damper_foot}};
  for (int s = 0; s < 2; s++) {
    const rutVec3 at = rut_vec3_sub(point(&k, strut[s].foot), foot);
    put_vector(&k, strut[s].at, point(&k, strut[s].top));
    put_vector(&k, strut[s].at + 3, in_axes(at, f[0], f[1], f[2]));
  }
  put_arm(&k, RUT_WISHBONE_upper_foot_x, RUT_WISHBONE_upper_radius, &upper, f, &foot);
  const rutVec3 down = rut_vec3_sub(lower.ball, foot);
  put(&k, RUT_WISHBONE_upper_way, rut_vec3_dot(rut_vec3_cross(f[0], down), f[1]) < 0 ? -1 : 1);
  put_upright(&k, lower.ball, upper.ball);
  put(&k, RUT_WISHBONE_compression, p->compression_damping);
  put(&k, RUT_WISHBONE_rebound, p->rebound_damping);
  const bool zones = p->zone_long > 0;
  put(&k, RUT_WISHBONE_zone_short, zones ? p->zone_short : -1);
  put(&k, RUT_WISHBONE_zone_long, zones ? p->zone_long : NEVER);
  put(&k, RUT_WISHBONE_zone_compression, p->zone_compression_damping);
  put(&k, RUT_WISHBONE_zone_rebound, p->zone_rebound_damping);
  put(&k, RUT_WISHBONE_design_z, place->hub[2] - place->origin[2]);
  const rutStatus status = put_spring(&k, err);
  if (status != RUT_OK) return status;
  find_range(&k, range);
  const double radius = constant[RUT_WISHBONE_lower_radius * RUT_CORNER_WIDTH];
  put(&k, RUT_WISHBONE_lowest, range[0]);
  put(&k, RUT_WISHBONE_highest, range[1]);
  put(&k, RUT_WISHBONE_limit_rate, LIMIT_RATE * radius * radius);
  if (range[0] < -LEAST_RANGE && range[1] > LEAST_RANGE) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MODEL,
                       "the arms, the upright and the tie rod cannot move from their design "
                       "position: lower arm %.3g to %.3g rad",
                       range[0], range[1]);
}

static rutStatus wishbone_check(const double* param, rutError* err) {
  static const char* const names[2] = {"spring", "stop"};
  const Param* p = (const Param*)(const void*)param;
  const double list[2] = {p->spring, p->stop};
  for (int t = 0; t < 2; t++) {
    int n = 0;
    const double* xy = rut_param_list(p, list[t], &n);
    if (n == 0) continue;
    if (n < 4) {
      return rut_error_set(err, RUT_ERR_MODEL, "'%s' needs at least two points", names[t]);
    }
    for (int i = 2; i < n; i += 2) {
      if (xy[i] > xy[i - 2]) continue;
      return rut_error_set(err, RUT_ERR_MODEL,
                           "'%s' must have points whose first numbers rise: that of point %d is "
                           "not above %g",
                           names[t], i / 2 + 1, xy[i - 2]);
    }
  }
  return RUT_OK;
}

const rutSuspensionType rut_suspension_double_wishbone = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutSuspensionType),
             .kind = "suspension",
             .name = "double_wishbone",
             .parents = "vehicle axle",
             .doc =
                 "Two arms, an upright and a tie rod, with spring, damper and stops between the "
                 "lower arm and the chassis: one compound joint per wheel (constraint embedding, "
                 "Jain 2012). Points are those of the left side at the design position. The "
                 "defaults are the front suspension of a HMMWV (Aardema, TACOM TR 13337).",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .check = wishbone_check},
    .constants = RUT_WISHBONE_CONSTANT_COUNT,
    .derive = wishbone_derive,
    .corner = rut_wishbone_corner,
    .bodies = rut_wishbone_bodies,
    .links = rut_wishbone_links};
