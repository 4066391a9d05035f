// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/hull.h"

#include <string.h>

#include "vehicle/hull_patch.h"
#include "vehicle/hull_soil.h"

// Patches: of hard ground from below and at the sides, of soil.
enum { RUT_HULL_FLOOR, RUT_HULL_WALL, RUT_HULL_HARD, RUT_HULL_SOIL = RUT_HULL_HARD };
// Pushes whose normal is steeper than this are those of a floor, others of a wall; each of the two
// rubs at a place of its own.
static const double FLOOR = 0.7;
// Displacement of a patch that touches and has not moved, 0 being that of one that does not [m].
static const double UNMOVED = 1e-300;
// Least part of a face of the hull in soil that is level.
static const double LEAST_SLOPE = 0.2;
// Length of the front of a plate, in spacings of places.
static const double STRIP = 6;
// Gain of the spring by damping at walls, and where forces are explicit. It bounds how much of a
// push comes back less than the speed of separation does, and more at walls would hold what slides
// over columns that come in at its front.
static const double MOST_GAIN = 3;

// Rows of W's lower triangle, (acceleration, alpha), as rut_sliders_accelerate takes them.
static const int entry[RUT_HULL_MOTIONS][RUT_HULL_MOTIONS] = {
    {0, 3, 4, 6, 9, 12},   {3, 1, 5, 7, 10, 13},    {4, 5, 2, 8, 11, 14},
    {6, 7, 8, 15, 18, 19}, {9, 10, 11, 18, 16, 20}, {12, 13, 14, 19, 20, 17}};

// Which places count: on ground that keeps ruts those in soil have a lattice of their own.
typedef enum Takes { TAKES_ALL, TAKES_HARD, TAKES_SOFT } Takes;

// A chassis of one lane: where it is, and where it will be at the end of the step at its present
// speeds, which is where it meets the ground.
typedef struct Hull {
  const rutEnvironment* world;
  const rutVehicleClass* vehicle;
  const rutPlacedPiece* piece;
  rutMat3 now, then;
  rutVec3 middle;         // then
  rutPieceMotion way;     // of a step, in the world
  rutVec3 omega, linear;  // in its axes
  double most_gain;       // of the dampers
  rutHullPatch patch[RUT_HULL_HARD];
  rutHullSoil soil;
  Takes takes;
  int32_t block;   // of cells under a place in soil
  double side;     // of the plate in soil [m]
  double strip;    // length of its front [m]
  rutVec3 travel;  // direction, level, in the world
  double force[RUT_HULL_MOTIONS], soft[RUT_SLIDERS_BODY];
  double held;  // energy of the springs
  bool touches;
} Hull;

// ---------------------------------------------------------------------------------------------
// Where it touches

static void take_hard(const rutOverlap* o, Hull* hull) {
  const rutVehicleClass* vehicle = hull->vehicle;
  const rutVec3 r = rut_mat3_apply_transposed(hull->then, rut_vec3_sub(o->at, hull->middle));
  const rutVec3 normal = rut_mat3_apply_transposed(hull->now, o->normal);
  const rutVec3 velocity = rut_vec3_add(hull->linear, rut_vec3_cross(hull->omega, r));
  const int wall = o->normal.z > FLOOR ? RUT_HULL_FLOOR : RUT_HULL_WALL;
  const rutHullPlace place = {.r = r,
                              .n = normal,
                              .depth = o->depth,
                              .share = o->area * vehicle->hull_per_area,
                              .gain = 1 - vehicle->hull_damping * rut_vec3_dot(normal, velocity),
                              .most = wall == RUT_HULL_WALL ? MOST_GAIN : hull->most_gain};
  rut_hull_patch_add(&hull->patch[wall], &place);
}

// How far a place is from where the piece's outline ends in the direction of travel.
static double way_out(const Hull* hull, rutVec3 at) {
  double least = RUT_INFINITY;
  for (int f = 0; f < hull->piece->sides; f++) {
    const rutHalfSpace h = hull->piece->side[f];
    const double along = rut_vec3_dot(h.n, hull->travel);
    if (along > 0) least = rut_min((h.offset - h.n.x * at.x - h.n.y * at.y) / along, least);
  }
  return least;
}

// A place in soil, and how deep that was pressed before. Corners of the piece and upright faces of
// the ground do not count.
static bool find_press(const rutOverlap* o, const Hull* hull, rutHullPress* place,
                       double* pressed) {
  if (!(o->sunk > 0)) return false;
  double dug = 0;
  if (hull->takes == TAKES_SOFT) {
    const rutSoftGround* soft = hull->world->soft;
    rut_soft_mean(soft, rut_soft_block(soft, hull->block, o->at.x, o->at.y), &dug, pressed);
    if (!(o->sunk > dug)) return false;
  }
  const rutVec3 floor = rut_vec3_sub(o->at, hull->middle);
  const rutVec3 r = rut_mat3_apply_transposed(hull->then, floor);
  const rutVec3 velocity = rut_vec3_add(hull->linear, rut_vec3_cross(hull->omega, r));
  *place = (rutHullPress){.r = r,
                          .n = rut_mat3_apply_transposed(hull->now, o->floor),
                          .velocity = velocity,
                          .sunk = o->sunk - dug,
                          .area = o->area,
                          .slope = 1 / rut_max(o->floor.z, LEAST_SLOPE),
                          .front = way_out(hull, o->at) < hull->strip ? 1 : 0};
  return true;
}

// What the ground is made of at some overlaps.
typedef struct Material {
  int soil[RUT_OVERLAPS];
  double strength[RUT_OVERLAPS], friction[RUT_OVERLAPS];
  double moisture[RUT_OVERLAPS], soft_depth[RUT_OVERLAPS];
} Material;

// Those from `first` to `end` are in one soil. Its numbers at places that count move to the front.
static void take_soft(Material* ground, int first, int end, const rutOverlap* overlap, Hull* hull) {
  const rutEnvironment* world = hull->world;
  rutHullPress at[RUT_OVERLAPS];
  double pressed[RUT_OVERLAPS] = {0};
  int n = 0;
  const rutSoilRecord* soil = &world->soil[ground->soil[first]];
  for (int i = first; i < end; i++) {
    if (!find_press(&overlap[i], hull, &at[n], &pressed[n])) continue;
    ground->strength[n] = ground->strength[i];
    ground->moisture[n] = ground->moisture[i];
    ground->soft_depth[n] = ground->soft_depth[i];
    n++;
  }
  if (n == 0) return;
  const rutSoilPlaces local = {ground->strength, ground->moisture, ground->soft_depth};
  const bool varies = world->ground->regions || world->ground->maps;
  const rutHullPlaces places = {n, at, varies ? &local : NULL,
                                hull->takes == TAKES_SOFT ? pressed : NULL};
  rut_hull_soil_add(soil, &places, hull->side, &hull->soil);
}

static void find_material(const rutGround* ground, int n, const rutOverlap* overlap, Material* to) {
  double x[RUT_OVERLAPS] = {0}, y[RUT_OVERLAPS] = {0}, z[RUT_OVERLAPS] = {0};
  for (int i = 0; i < n; i++) {
    x[i] = overlap[i].at.x;
    y[i] = overlap[i].at.y;
    z[i] = overlap[i].at.z;
  }
  rut_ground_material(
      ground, &(rutGroundPoints){n, x, y}, z,
      &(rutGroundMaterial){to->soil, to->strength, to->friction, to->moisture, to->soft_depth});
}

static void take_overlaps(void* to, int n, const rutOverlap* overlap) {
  Hull* hull = to;
  const rutEnvironment* world = hull->world;
  hull->touches = true;
  if (!world->soft_soils) {
    for (int i = 0; i < n; i++) take_hard(&overlap[i], hull);
    return;
  }
  Material ground;
  find_material(world->ground, n, overlap, &ground);
  for (int i = 0, end = 0; i < n; i = end) {
    while (end < n && ground.soil[end] == ground.soil[i]) end++;
    const bool plate = world->soil[ground.soil[i]].type->plate != NULL;
    if (hull->takes == (plate ? TAKES_HARD : TAKES_SOFT)) continue;
    if (plate) {
      take_soft(&ground, i, end, overlap, hull);
    } else {
      for (int k = i; k < end; k++) take_hard(&overlap[k], hull);
    }
  }
}

// ---------------------------------------------------------------------------------------------
// Spring and damper

static void add_pair(double* w, int i, int m, double value) { w[entry[i][m]] += value; }

// Forces of a patch, and what they change with the accelerations: the derivatives of the spring by
// the six motions, K S^(-1/2) (3 sum a d^2 J J^T - 2/S G G^T) with G the sum of a d^3 J, each place
// weighted by its damping so that the difference cannot be negative, and those of the damper.
// Returns K S^(-1/2).
static double press(const rutVehicleClass* vehicle, const rutHullPatch* p, double h, Hull* hull) {
  const double scale = vehicle->hull_stiffness / rut_sqrt(p->spring);
  const double spread = 2 / rut_max(p->damped, 1e-300);
  const double damper = h * vehicle->hull_damping * scale;
  for (int i = 0, k = 0; i < RUT_HULL_MOTIONS; i++) {
    hull->force[i] += scale * p->force[i];
    for (int m = 0; m <= i; m++, k++) {
      const double spring = 3 * p->stiff[k] - spread * p->force[i] * p->force[m];
      add_pair(hull->soft, i, m, h * h * scale * spring + damper * p->damping[k]);
    }
  }
  hull->held += 0.5 * scale * p->spring;
  return scale;
}

// ---------------------------------------------------------------------------------------------
// Friction

// What a patch rubs with: a spring and damper to the place where it came to rest, and about its
// normal, until they yield.
typedef struct Rub {
  rutVec3 at, normal;  // in the chassis's axes
  double load, most;   // pressing it, and largest force across [N]
  double reach;        // radius of gyration of the pressure [m]
} Rub;

// Of pushes with the sums: of forces, of their sizes (pressure), of these times r and r . r.
static Rub rub_of(const double* force, double pressure, rutVec3 first, double second) {
  static const double ONE_WAY = 0.1;  // part of the load that has a direction
  const double inverse = 1 / rut_max(pressure, 1e-300);
  const rutVec3 at = rut_vec3_scale(first, inverse), total = rut_vec3_of(force);
  const double size = rut_vec3_norm(total), spread = second * inverse - rut_vec3_dot(at, at);
  const bool clear = size > ONE_WAY * pressure;
  return (Rub){.at = at,
               .normal = clear ? rut_vec3_scale(total, 1 / size) : rut_vec3(0, 0, 0),
               .load = pressure,
               .reach = rut_sqrt(rut_max(spread, 0))};
}

// Load as it is once the chassis has yielded to it within the step: a stiff spring's force before
// that is far too large in an impact.
static double settled_load(const Hull* hull, const Rub* rub, double gravity) {
  const double n[3] = {rub->normal.x, rub->normal.y, rub->normal.z};
  const double mass = hull->vehicle->total_mass[0], weight = mass * gravity;
  double softness = 0;
  for (int i = 0; i < 3; i++) {
    for (int m = 0; m < 3; m++) softness += n[i] * n[m] * hull->soft[entry[i][m]];
  }
  return rub->load - rut_max(rub->load - weight, 0) * softness / (mass + softness);
}

// -W of a force across `normal` at `at`, W being `slack`, and of a torque about it.
static void soften_rub(const Rub* rub, double slack, double twist, double* w) {
  const rutVec3 n = rub->normal;
  const rutVec3 across[3] = {rut_vec3(1 - n.x * n.x, -n.x * n.y, -n.x * n.z),
                             rut_vec3(-n.x * n.y, 1 - n.y * n.y, -n.y * n.z),
                             rut_vec3(-n.x * n.z, -n.y * n.z, 1 - n.z * n.z)};
  // J P J^T with the rows (P, r x P) of J P, P being a projection
  double j[3][RUT_HULL_MOTIONS];
  for (int c = 0; c < 3; c++) {
    const rutVec3 turn = rut_vec3_cross(rub->at, across[c]);
    const double row[] = {across[c].x, across[c].y, across[c].z, turn.x, turn.y, turn.z};
    memcpy(j[c], row, sizeof row);
  }
  const double about[] = {0, 0, 0, n.x, n.y, n.z};
  for (int i = 0; i < RUT_HULL_MOTIONS; i++) {
    for (int m = 0; m <= i; m++) {
      const double shear = j[0][i] * j[0][m] + j[1][i] * j[1][m] + j[2][i] * j[2][m];
      add_pair(w, i, m, slack * shear + twist * about[i] * about[m]);
    }
  }
}

// Friction of a patch; held: its displacement in the world [3], and its turn.
static void rub(const rutEnvironment* world, const rutStageMotion* motion, const Rub* at,
                double* held, Hull* hull) {
  const rutVehicleClass* vehicle = hull->vehicle;
  const int lanes = vehicle->lanes;
  const double h = motion->implicit, dt = world->dt;
  const double rate = vehicle->hull_stiffness, grip = vehicle->hull_grip;
  const rutVec3 n = at->normal;
  const rutVec3 speed = rut_vec3_add(hull->linear, rut_vec3_cross(hull->omega, at->at));
  const rutVec3 slide = rut_vec3_add_scaled(speed, -rut_vec3_dot(speed, n), n);
  const rutVec3 before = rut_mat3_apply_transposed(hull->now, rut_load_vec3(held, lanes, 0));
  const rutVec3 moved = rut_vec3_add_scaled(before, dt, slide);
  const rutVec3 along = rut_vec3_add_scaled(moved, -rut_vec3_dot(moved, n), n);
  const double turning = rut_vec3_dot(hull->omega, n), turned = held[3 * lanes] + dt * turning;
  const rutVec3 wanted = rut_vec3_add_scaled(rut_vec3_scale(along, rate), grip, slide);
  const double square = at->reach * at->reach, torque = square * (rate * turned + grip * turning);
  const double most = at->most, force = rut_vec3_norm(wanted), arm = rut_max(at->reach, 1e-9);
  const double size = rut_hypot(force, torque / arm), yield = size > most ? most / size : 1;
  if (motion->commit) {
    rut_store_vec3(held, lanes, 0, rut_mat3_apply(hull->now, rut_vec3_scale(along, yield)));
    held[3 * lanes] = yield * turned;
    if (held[0] == 0 && held[lanes] == 0 && held[2 * lanes] == 0) held[2 * lanes] = UNMOVED;
  }
  const rutVec3 total = rut_vec3_scale(wanted, -yield);
  const rutVec3 turn = rut_vec3_add_scaled(rut_vec3_cross(at->at, total), -yield * torque, n);
  const double add[] = {total.x, total.y, total.z, turn.x, turn.y, turn.z};
  for (int i = 0; i < RUT_HULL_MOTIONS; i++) hull->force[i] += add[i];
  hull->held +=
      0.5 * rate * yield * yield * (rut_vec3_dot(along, along) + square * turned * turned);
  const double slack = yield * (h * grip + h * h * rate);
  soften_rub(at, slack, slack * square, hull->soft);
}

static void release(int lanes, double* held) {
  for (int k = 0; k < RUT_HULL_HELD; k++) held[k * lanes] = 0;
}

// ---------------------------------------------------------------------------------------------
// A chassis

// How far the chassis of a lane may move in a step, and its lowest point then.
typedef struct Extent {
  double more, low;
} Extent;

RUT_INLINE Extent extent_of(double dt, const rutVehicleClass* vehicle, rutMat3 now, rutVec3 omega,
                            rutVec3 linear, double z) {
  const double *size = vehicle->hull_size, *m = now.m;
  const double turn = dt * rut_vec3_norm(omega) * vehicle->hull_radius;
  const double more = dt * rut_vec3_norm(linear) + turn;
  const double down = rut_max(m[8] * size[2], -m[8] * size[3]);
  return (Extent){more, z - rut_abs(m[6]) * size[0] - rut_abs(m[7]) * size[1] - down - more};
}

// Whether all chassis of a batch are above all ground, as nearly always where it is level.
RUT_INLINE bool are_above(double dt, double highest, const rutVehicleClass* vehicle, int lanes,
                          const rutStageMotion* motion, const double* restrict axes) {
  const double* restrict q = motion->q, * restrict v = motion->v;
  double least = RUT_INFINITY;
#pragma omp simd reduction(min : least)
  for (int l = 0; l < lanes; l++) {
    const Extent e =
        extent_of(dt, vehicle, rut_load_mat3(axes, lanes, l), rut_load_vec3(v, lanes, l),
                  rut_load_vec3(v + 3 * lanes, lanes, l), q[2 * lanes + l]);
    least = rut_min(least, e.low);
  }
  return least > highest;
}
RUT_CLONES static bool are_above_8(double dt, double highest, const rutVehicleClass* vehicle,
                                   const rutStageMotion* motion, const double* axes) {
  return are_above(dt, highest, vehicle, RUT_MBD_LANES, motion, axes);
}

// Whether ground is near the chassis of a lane: first all of it is looked at, then what is above
// the plane of its underside, or above its lowest point where it does not stand upright.
static bool is_near(const rutEnvironment* world, const Hull* hull, rutVec3 at) {
  static const double UPRIGHT = 0.5;
  const double *size = hull->vehicle->hull_size, *m = hull->now.m;
  const Extent extent =
      extent_of(world->dt, hull->vehicle, hull->now, hull->omega, hull->linear, at.z);
  const double more = extent.more, low = extent.low;
  if (low > world->highest_ground) return false;
  const double high = rut_max(size[2], size[3]);
  const double x = rut_abs(m[0]) * size[0] + rut_abs(m[1]) * size[1] + rut_abs(m[2]) * high + more;
  const double y = rut_abs(m[3]) * size[0] + rut_abs(m[4]) * size[1] + rut_abs(m[5]) * high + more;
  rutGroundLid lid = {.box = {at.x - x, at.x + x, at.y - y, at.y + y}, .z = low};
  if (m[8] > UPRIGHT) {
    // through the point below the centre of mass, and as much lower as all may move
    const rutVec3 p = rut_vec3_add_scaled(at, -size[2], rut_vec3(m[2], m[5], m[8]));
    lid.slope_x = -m[2] / m[8];
    lid.slope_y = -m[5] / m[8];
    lid.z = p.z - lid.slope_x * p.x - lid.slope_y * p.y - more / m[8];
  }
  const rutColumns columns = {.ground = world->ground, .lift = world->lift};
  return rut_ground_is_above(&columns, &lid);
}

static void place_hull(const rutStageMotion* motion, const rutChassis* chassis, int lanes, int l,
                       Hull* hull) {
  hull->now = rut_load_mat3(chassis->motion, lanes, l);
  hull->omega = rut_load_vec3(motion->v, lanes, l);
  hull->linear = rut_load_vec3(motion->v + 3 * lanes, lanes, l);
}

// The place at the end of the step.
static void move_hull(double h, double dt, rutVec3 at, Hull* hull) {
  const double turn = h * rut_vec3_norm(hull->omega);
  double sine, cosine;
  rut_sincos(turn, &sine, &cosine);
  hull->middle = rut_vec3_add_scaled(at, h, rut_mat3_apply(hull->now, hull->linear));
  hull->then = rut_mat3_mul(hull->now, rut_mat3_about(rut_vec3_unit(hull->omega), sine, cosine));
  hull->way =
      (rutPieceMotion){rut_mat3_apply(hull->now, rut_vec3_scale(hull->linear, dt)),
                       rut_mat3_apply(hull->now, rut_vec3_scale(hull->omega, dt)), hull->middle};
  hull->travel = rut_vec3_unit(rut_vec3(hull->way.shift.x, hull->way.shift.y, 0));
}

// Forces of a patch on hard ground.
static void meet_hard(const rutStageMotion* motion, const rutHullPatch* p, double* held,
                      Hull* hull) {
  const rutVehicleClass* vehicle = hull->vehicle;
  const double scale = p->spring > 0 ? press(vehicle, p, motion->implicit, hull) : 0;
  if (!(scale * p->pressure > 0)) {
    if (motion->commit) release(vehicle->lanes, held);
    return;
  }
  Rub at = rub_of(p->force, p->pressure, p->first, p->second);
  at.load *= scale;
  at.most = vehicle->hull_friction * settled_load(hull, &at, hull->world->gravity);
  rub(hull->world, motion, &at, held, hull);
}

static void meet_soft(const rutStageMotion* motion, double* held, Hull* hull) {
  const rutHullSoil* p = &hull->soil;
  const double h = motion->implicit;
  const int lanes = hull->vehicle->lanes;
  if (!(p->load > 0)) {
    if (motion->commit) release(lanes, held);
    // over its print it is the same plate when it comes down again
    if (motion->commit && p->area > 0) held[4 * lanes] = rut_hull_soil_side(p);
    return;
  }
  for (int i = 0, k = 0; i < RUT_HULL_MOTIONS; i++) {
    hull->force[i] += p->force[i];
    for (int m = 0; m <= i; m++, k++) add_pair(hull->soft, i, m, h * h * p->stiff[k]);
  }
  hull->held += p->held;
  Rub at = rub_of(p->force, p->load, p->first, p->second);
  at.most = rut_hull_soil_drag(p, hull->strip);
  rub(hull->world, motion, &at, held, hull);
  if (motion->commit) held[4 * lanes] = rut_hull_soil_side(p);
}

// One piece: what pushes it, and what rubs.
static void meet_piece(const rutStageMotion* motion, const rutColumns* columns, int piece,
                       double* held, Hull* hull) {
  const rutVehicleClass* vehicle = hull->vehicle;
  const int lanes = vehicle->lanes;
  double* soft = held + RUT_HULL_SOIL * RUT_HULL_HELD * lanes;
  rutPlacedPiece placed;
  memset(hull->patch, 0, sizeof hull->patch);
  memset(&hull->soil, 0, sizeof hull->soil);
  rut_piece_place(&vehicle->hull_piece[piece], &hull->then, hull->middle, &placed);
  placed.motion = hull->way;
  hull->piece = &placed;
  hull->strip = STRIP * columns->spacing;
  hull->side = rut_max(soft[4 * lanes], columns->spacing);
  const bool keeps = hull->world->soft && hull->world->soft_soils;
  hull->takes = keeps ? TAKES_HARD : TAKES_ALL;
  rut_piece_meet_ground(columns, &placed, take_overlaps, hull);
  if (keeps) {
    const rutHullCells cells = rut_hull_cells(hull->world, columns->spacing);
    hull->takes = TAKES_SOFT;
    hull->block = cells.side;
    rut_piece_meet_ground(&cells.columns, &placed, take_overlaps, hull);
  }
  for (int k = 0; k < RUT_HULL_HARD; k++) {
    meet_hard(motion, &hull->patch[k], held + k * RUT_HULL_HELD * lanes, hull);
  }
  meet_soft(motion, soft, hull);
}

// All pieces of the chassis of a lane. False: none touches.
static bool meet_ground_of(const rutEnvironment* world, const rutVehicleBatch* batch,
                           const rutStageMotion* motion, int l, Hull* hull) {
  const rutVehicleClass* vehicle = hull->vehicle;
  const int lanes = vehicle->lanes, rows = RUT_HULL_PATCHES * RUT_HULL_HELD;
  const rutVec3 at = rut_load_vec3(motion->q, lanes, l);
  double* held = RUT_SPATIAL_STATE(batch, hull) + l;
  if (!is_near(world, hull, at)) {
    for (int k = 0; motion->commit && k < vehicle->hull * rows; k++) held[k * lanes] = 0;
    return false;
  }
  const rutColumns columns = rut_ground_columns(world->ground, world->lift, vehicle->hull_spacing);
  hull->touches = false;
  hull->most_gain = motion->implicit > 0 ? RUT_INFINITY : MOST_GAIN;
  memset(hull->force, 0, sizeof hull->force);
  memset(hull->soft, 0, sizeof hull->soft);
  hull->held = 0;
  move_hull(motion->implicit, world->dt, at, hull);
  for (int i = 0; i < vehicle->hull; i++) {
    meet_piece(motion, &columns, i, held + i * rows * lanes, hull);
  }
  return hull->touches;
}

bool rut_hull_touch(const rutEnvironment* world, const rutVehicleBatch* batch,
                    const rutStageMotion* motion, const rutChassis* chassis) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes, held = vehicle->hull * RUT_HULL_PATCHES * RUT_HULL_HELD * lanes;
  const double dt = world->dt, highest = world->highest_ground, *axes = chassis->motion;
  bool touches = false;
  if (lanes == 1 ? are_above(dt, highest, vehicle, 1, motion, axes)
                 : are_above_8(dt, highest, vehicle, motion, axes)) {
    if (motion->commit && held)
      memset(RUT_SPATIAL_STATE(batch, hull), 0, (size_t)held * sizeof(double));
    return false;
  }
  for (int l = 0; l < lanes; l++) {
    Hull hull;
    rutEnvironment own = *world;
    own.soft = rut_soft_of_lane(world, l);
    own.soil = rut_soils_of_lane(world, l);
    hull.world = &own;
    hull.vehicle = rut_class_of(vehicle, l);
    place_hull(motion, chassis, lanes, l, &hull);
    if (!meet_ground_of(&own, batch, motion, l, &hull)) continue;
    if (!touches) {
      memset(chassis->hull_force, 0,
             (size_t)(RUT_HULL_MOTIONS * lanes) * sizeof *chassis->hull_force);
      memset(chassis->hull_soft, 0,
             (size_t)(RUT_SLIDERS_BODY * lanes) * sizeof *chassis->hull_soft);
      memset(chassis->hull_held, 0, (size_t)lanes * sizeof *chassis->hull_held);
    }
    touches = true;
    for (int i = 0; i < RUT_HULL_MOTIONS; i++) chassis->hull_force[i * lanes + l] = hull.force[i];
    for (int i = 0; i < RUT_SLIDERS_BODY; i++) chassis->hull_soft[i * lanes + l] = hull.soft[i];
    chassis->hull_held[l] = hull.held;
  }
  for (int i = 0; touches && i < 3 * lanes; i++) {
    chassis->force[i] += chassis->hull_force[i];
    chassis->moment[i] += chassis->hull_force[3 * lanes + i];
  }
  return touches;
}

void rut_hull_power(const rutStageMotion* motion, int lanes, const rutChassis* chassis) {
  const double* v = motion->v;
  for (int l = 0; l < lanes; l++) {
    double a[6], speed[6];
    for (int i = 0; i < 3; i++) {
      a[i] = chassis->acceleration[i * lanes + l];
      a[3 + i] = chassis->alpha[i * lanes + l];
      speed[i] = v[(3 + i) * lanes + l];
      speed[3 + i] = v[i * lanes + l];
    }
    for (int i = 0; i < 6; i++) {
      double force = chassis->hull_force[i * lanes + l];
      for (int c = 0; c < 6; c++) force -= chassis->hull_soft[entry[i][c] * lanes + l] * a[c];
      chassis->hull_power[l] += force * (speed[i] + 0.5 * motion->implicit * a[i]);
    }
  }
}
