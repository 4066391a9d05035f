// SPDX-License-Identifier: BSD-3-Clause
//
// The reference point keeps the commanded velocity along the chassis's x and y axes, and the
// chassis the commanded rate about its z axis: over a step an arc, whose chord is sin(a)/a times as
// long, a being half of the angle turned, and points half way between both headings.
//
// Height, roll and pitch are those at which springs and tyres, linear about their rest on level
// ground, carry the weight at the heights of the ground under the wheels. With the height H that
// the ground asks of a hub over its place at rest, a wheel of rate k that rests under the load L
// carries F = max(0, L + k (H - a - b x - c y)) when the chassis rises by a + b x + c y; the sums
// of F, F x and F y are those of the weight at the height of the centre of mass. One Newton step
// per step in time follows the ground.
#include "vehicle/kinematic.h"

#include <string.h>

#include "math/solve3.h"
#include "vehicle/report.h"

#define ROW(name)     RUT_STATE(batch, name)
#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

enum { SETTLING = 30, ACTIVE_SETS = 8 };

// ---- the twist ----

// Velocity of the reference point along the chassis's axes, and yaw rate.
typedef struct Twist {
  double vx, vy, rate;
} Twist;

// What the vehicle can do of the twist that it is told. Wheels that steer keep it from turning
// tighter than they can, and its fixed axles from moving sideways.
static Twist possible_twist(const rutVehicleBatch* batch, int lane) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const double* told = ROW(twist) + lane;
  const int lanes = vehicle->lanes;
  Twist t = {told[0], told[lanes], told[2 * lanes]};
  if (!(vehicle->steer_base > 0)) return t;
  const double most = rut_abs(t.vx) * rut_class_of(vehicle, lane)->steer_curvature;
  t.rate = rut_clamp(t.rate, -most, most);
  t.vy = -t.rate * vehicle->steer_x;
  return t;
}

// Mean velocity of the step along the axes that it begins with.
static rutVec3 mean_velocity(Twist t, double h) {
  double s, c;
  const double half = 0.5 * h * t.rate;
  rut_sincos(half, &s, &c);
  const double part = rut_chord_ratio(half, s);
  return rut_vec3(part * (c * t.vx - s * t.vy), part * (s * t.vx + c * t.vy), 0);
}

// All wheels turn about one point on the line where the axles meet, at once. A vehicle that stands
// keeps its steering angles.
static void steer(const rutVehicleBatch* batch, int lane, Twist t) {
  static const double STANDING = 1e-9;  // [m/s]
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  if (!(vehicle->steer_base > 0) || rut_abs(t.vx) < STANDING) return;
  const double curvature = t.rate / t.vx;
  for (int w = 0; w < vehicle->wheels; w++) {
    const int i = w * lanes + lane;
    if (!(vehicle->max_steer[i] > 0)) continue;
    const double x = vehicle->layout.x[w] - vehicle->steer_x, y = vehicle->layout.y[w];
    const double angle = rut_atan2(x * curvature, 1 - y * curvature);
    rut_sincos(angle, &SPATIAL(steer_sin)[i], &SPATIAL(steer_cos)[i]);
    SPATIAL(steer)[i] = SPATIAL(steer_goal)[i] = ROW(yaw)[i] = angle;
  }
  const double full = rut_class_of(vehicle, lane)->steer_full;
  if (!(full > 0)) return;
  const double gain = vehicle->steer_lock / full;
  SPATIAL(linkage)[lane] = gain * rut_atan(vehicle->steer_base * curvature);
}

// ---- standing on the ground ----

// Wheels of one vehicle as springs: place from the reference point, force without a move of the
// chassis, and its rate; 0 where there is no ground. Whether some are over a gap, and the others do
// not balance the weight alone.
typedef struct Springs {
  int n;
  bool held;
  double x[RUT_MAX_WHEELS], y[RUT_MAX_WHEELS], force[RUT_MAX_WHEELS], rate[RUT_MAX_WHEELS];
  double rest[RUT_MAX_WHEELS];  // load at rest
} Springs;

static double pressed_by(const Springs* s, int w, const double plane[3]) {
  return s->force[w] - s->rate[w] * (plane[0] + plane[1] * s->x[w] + plane[2] * s->y[w]);
}

// The plane by which the chassis rises such that these wheels, as linear springs, balance `sum`.
static void balance_linear(const Springs* s, const bool* on, const double sum[3], double plane[3]) {
  double a[3][3] = {{0}}, b[3] = {-sum[0], -sum[1], -sum[2]};
  for (int w = 0; w < s->n; w++) {
    if (!on[w]) continue;
    const double v[3] = {1, s->x[w], s->y[w]};
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) a[i][k] += s->rate[w] * v[i] * v[k];
      b[i] += s->force[w] * v[i];
    }
  }
  rut_solve3(a, b, plane);
}

// The same with wheels that lift off where they would pull. Where nothing balances, as of a vehicle
// that would fall over, all wheels that find ground hold on to it.
static void balance(const Springs* s, const double sum[3], double plane[3]) {
  bool on[RUT_MAX_WHEELS], now[RUT_MAX_WHEELS];
  for (int w = 0; w < s->n; w++) on[w] = s->rate[w] > 0;
  balance_linear(s, on, sum, plane);
  double held[3] = {plane[0], plane[1], plane[2]};
  for (int pass = 0; pass < ACTIVE_SETS; pass++) {
    bool same = true;
    for (int w = 0; w < s->n; w++) {
      now[w] = s->rate[w] > 0 && pressed_by(s, w, held) > 0;
      same = same && now[w] == on[w];
    }
    if (same) {
      memcpy(plane, held, sizeof held);
      return;
    }
    memcpy(on, now, sizeof on);
    balance_linear(s, on, sum, held);
  }
}

// True if the wheels give `sum`: those of one axle cannot, nor those of a vehicle that falls over.
static bool is_balanced(const Springs* s, const double sum[3], const double plane[3]) {
  double off[3] = {-sum[0], -sum[1], -sum[2]}, size = 0;
  for (int w = 0; w < s->n; w++) {
    const double force = rut_max(pressed_by(s, w, plane), 0);
    off[0] += force;
    off[1] += force * s->x[w];
    off[2] += force * s->y[w];
    size += force * (1 + rut_abs(s->x[w]) + rut_abs(s->y[w]));
  }
  const double most = 1e-6 * size;
  return rut_abs(off[0]) <= most && rut_abs(off[1]) <= most && rut_abs(off[2]) <= most;
}

// Over a gap the chassis stays where the other wheels have their loads at rest, as if those over
// the gap still carried theirs. Then nothing moves when they meet ground again.
static void hold(Springs* s, const double sum[3], double plane[3]) {
  bool on[RUT_MAX_WHEELS], gap = false;
  double rest[3] = {0};
  for (int w = 0; w < s->n; w++) {
    on[w] = s->rate[w] > 0;
    gap = gap || !on[w];
    const double load = on[w] ? s->rest[w] : 0;
    rest[0] += load;
    rest[1] += load * s->x[w];
    rest[2] += load * s->y[w];
  }
  s->held = gap && !is_balanced(s, sum, plane);
  if (s->held) balance_linear(s, on, rest, plane);
}

// Rows of an entry of the wheel arrays.
static rutWheels entry_of(rutTiles all, int i) {
  rutWheels e = rut_tile(all, i / all.n);
  return (rutWheels){e.row + i % all.n, e.n, e.width, i, e.lanes, e.chassis};
}

// How far the hub's height follows the suspension's coordinate.
static double lever(const rutVehicleClass* vehicle, rutWheels e) {
  static const double LEAST = 0.1;  // [m/rad]
  return vehicle->corners ? rut_max(RUT_CORNER_ROW(e, hub_v_z)[0], LEAST) : 1;
}

// What its ground asks of a wheel's hub, over its place at rest.
static double asked_height(const rutVehicleClass* vehicle, double slide, rutWheels e) {
  const int i = e.first;
  const double up = rut_max(W(nz)[0], RUT_LYING);
  const double pressed = W(overlap)[0] - vehicle->rest_deflection[i];
  // a wheel at a face does not sink along it until its tyre is pressed in
  const double tyre = W(nz)[0] < RUT_UPRIGHT ? rut_max(pressed, 0) : pressed;
  return (slide - vehicle->rest_coordinate[i]) * lever(vehicle, e) + tyre / up;
}

// What tyres and soil do, which nobody asks: nothing, also where no wheel is.
RUT_INLINE void clear_outcome(rutWheels e) {
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    W(out_x)[i] = W(out_y)[i] = W(out_n)[i] = 0;
    W(deflection)[i] = W(deflection_end)[i] = W(deformable)[i] = W(peak)[i] = 0;
    W(aligning)[i] = W(p_slip)[i] = W(p_twist)[i] = W(p_tyre)[i] = W(p_rolling)[i] = 0;
    W(drag)[i] = W(hung)[i] = 0;
  }
}

// Where the wheels are, and the ground that they meet.
RUT_INLINE void find_ground(const rutEnvironment* world, const rutVehicleBatch* batch,
                            const rutWork* work, const rutStageMotion* motion, rutSizes of) {
  const rutTiles all = rut_tiles(batch, work, of);
  const double since = rut_stage_begin(world);
  place_chassis(world->gravity, motion, of.lanes, &work->chassis);
  for (int t = 0; t < all.tiles; t++) {
    const rutWheels e = rut_tile(all, t);
    place_wheels(world->gravity, batch, motion, work->look.beside, e);
    rut_wheel_ground(world, batch, &work->look.samples, e);
    meet_planes(batch->vehicle, e);
    for (int from = 0; from < e.n; from += e.width) clear_outcome(rut_part(e, from));
  }
  rut_stage_end(world, RUT_STAGE_terrain, since);
}

RUT_WHEEL_SIZES(find_ground,
                (const rutEnvironment* world, const rutVehicleBatch* batch, const rutWork* work,
                 const rutStageMotion* motion),
                world, batch, work, motion)

// True if a wheel stands on its ground. One that rolls off an edge stands on it until the normal
// leans by 60 degrees, half a radius lower; then it hangs over the gap.
static bool stands(rutWheels e) {
  const double away = W(vhx)[0] * W(nx)[0] + W(vhy)[0] * W(ny)[0];
  return W(distance)[0] < RUT_NO_GROUND && !(W(nz)[0] < RUT_UPRIGHT && away > 0);
}

// Springs of a vehicle over the ground found; returns the height of its centre of mass over the
// contacts.
static double find_springs(const rutVehicleBatch* batch, rutTiles all, const double* slide,
                           int lane, Springs* s) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutVec3 com = rut_load_vec3(vehicle->com, vehicle->lanes, lane);
  const rutVec3 whole = rut_load_vec3(vehicle->total_com, vehicle->lanes, lane);
  double height = 0;
  int standing = 0;
  s->n = vehicle->wheels;
  for (int w = 0; w < s->n; w++) {
    const int i = w * vehicle->lanes + lane;
    const rutWheels e = entry_of(all, i);
    const bool ground = stands(e);
    s->x[w] = W(rx)[0] + com.x;
    s->y[w] = W(ry)[0] + com.y;
    s->rest[w] = vehicle->rest_load[i];
    s->rate[w] = ground ? vehicle->rest_rate[i] : 0;
    s->force[w] =
        ground ? vehicle->rest_load[i] + s->rate[w] * asked_height(vehicle, slide[i], e) : 0;
    height += ground ? whole.z - W(rz)[0] - W(dz)[0] : 0;
    standing += ground;
  }
  return standing ? height / standing : 0;
}

// Sums of the forces of the ground along the chassis's z axis and their moments, with the
// acceleration f [m/s2] that they give, weight included. The centre of mass lies over that of the
// loads at rest.
static void sums_of(const rutVehicleClass* vehicle, const Springs* s, int lane, double height,
                    rutVec3 f, double sum[3]) {
  double load = 0, x = 0, y = 0;
  for (int w = 0; w < s->n; w++) {
    const double rest = vehicle->rest_load[w * vehicle->lanes + lane];
    load += rest;
    x += rest * s->x[w];
    y += rest * s->y[w];
  }
  const double m = vehicle->total_mass[lane], inverse = load > 0 ? 1 / load : 0;
  sum[0] = m * f.z;
  sum[1] = m * (x * inverse * f.z - height * f.x);
  sum[2] = m * (y * inverse * f.z - height * f.y);
}

// How the chassis is to move onto its springs: along its z axis, and a turn about x and y through
// the reference point, as a rotation vector.
typedef struct Rise {
  double up, roll, pitch;
} Rise;

// The turn that brings the chassis's z axis onto the normal (-b, -c, 1) of the plane a + b x + c y:
// about (c, -b, 0), by the angle whose tangent is the plane's slope.
static Rise rise_onto(const double plane[3]) {
  const double slope = rut_sqrt(plane[1] * plane[1] + plane[2] * plane[2]);
  const double part = slope > 0 ? rut_atan(slope) / slope : 1;
  return (Rise){plane[0], part * plane[2], -part * plane[1]};
}

// Slides and tyres of one vehicle over a chassis that has risen by a plane. Wheels over a gap hang
// on their springs, or stay as they are where the chassis is held.
static void give_way(const rutVehicleBatch* batch, rutTiles all, const Springs* s,
                     const double plane[3], int lane, double* slide) {
  const rutVehicleClass* vehicle = batch->vehicle;
  for (int w = 0; w < s->n; w++) {
    const int i = w * vehicle->lanes + lane;
    const rutWheels e = entry_of(all, i);
    if (s->held && !(s->rate[w] > 0)) {
      W(deflection)[0] = 0;
      continue;
    }
    const double rest = vehicle->rest_coordinate[i], load = vehicle->rest_load[i];
    const double force = rut_max(pressed_by(s, w, plane), 0), arm = lever(vehicle, e);
    const double change = (force - load) / vehicle->rest_rate[i];
    const double to = rest + vehicle->rest_share[i] * change / arm;
    slide[i] = rut_clamp(to, vehicle->lowest[i], vehicle->highest[i]);
    const double pressed = vehicle->rest_deflection[i] + change - (slide[i] - rest) * arm;
    W(deflection)[0] = force > 0 ? rut_max(pressed, 0) : 0;
  }
}

// Forces on the wheels: loads that balance weight and centripetal force, and where these would turn
// the vehicle over still carry the weight; forces along the ground in the same proportion.
static void load_wheels_of(const rutVehicleBatch* batch, rutTiles all, Springs* s, rutVec3 f,
                           double height, int lane) {
  const rutVehicleClass* vehicle = batch->vehicle;
  double sum[3], plane[3], all_loads = 0, load[RUT_MAX_WHEELS];
  sums_of(vehicle, s, lane, height, f, sum);
  balance(s, sum, plane);
  for (int w = 0; w < s->n; w++) {
    load[w] = rut_max(pressed_by(s, w, plane), 0);
    all_loads += load[w];
  }
  const double part = all_loads > 0 ? vehicle->total_mass[lane] / all_loads : 0;
  for (int w = 0; w < s->n; w++) {
    const rutWheels e = entry_of(all, w * vehicle->lanes + lane);
    const double carried = part * load[w], fx = carried * f.x, fy = carried * f.y;
    W(out_n)[0] = rut_max(carried * f.z, 0);
    W(out_x)[0] = fx * W(tx)[0] + fy * W(ty)[0];
    W(out_y)[0] = fx * W(sx)[0] + fy * W(sy)[0];
  }
}

// The rise of a vehicle whose ground has been found; its slides, loads and forces.
static Rise stand(const rutEnvironment* world, const rutVehicleBatch* batch, const rutWork* work,
                  Twist t, int lane, double* slide) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutTiles all = rut_tiles_of(batch, work);
  const double* turn = work->chassis.motion + lane;
  const int lanes = vehicle->lanes;
  const double g = world->gravity;
  const rutVec3 weight = rut_vec3(g * turn[6 * lanes], g * turn[7 * lanes], g * turn[8 * lanes]);
  const rutVec3 inward = rut_vec3(-t.rate * t.vy, t.rate * t.vx, 0);
  Springs springs;
  double sum[3], plane[3];
  const double height = find_springs(batch, all, slide, lane, &springs);
  sums_of(vehicle, &springs, lane, height, weight, sum);
  balance(&springs, sum, plane);
  hold(&springs, sum, plane);
  give_way(batch, all, &springs, plane, lane, slide);
  load_wheels_of(batch, all, &springs, rut_vec3_add(weight, inward), height, lane);
  return rise_onto(plane);
}

// ---- motion ----

// How a chassis moves: its reference point along the axes that it had [m], then it turns about its
// z axis [rad], then it rises.
typedef struct Move {
  rutVec3 distance;
  double turn;
  Rise rise;
} Move;

// Pose of the chassis after a move, from its pose `from`.
static void move_chassis(const rutVehicleClass* vehicle, int lane, const double* from,
                         const Move* move, double* to) {
  const Rise rise = move->rise;
  const int lanes = vehicle->lanes;
  const rutVec3 com = rut_load_vec3(vehicle->com, lanes, lane);
  const rutQuat old = rut_quat(from[3 * lanes + lane], from[4 * lanes + lane],
                               from[5 * lanes + lane], from[6 * lanes + lane]);
  const rutQuat turned = rut_quat_mul(old, rut_quat_of_turn(rut_vec3(0, 0, move->turn)));
  const rutQuat now =
      rut_quat_unit(rut_quat_mul(turned, rut_quat_of_turn(rut_vec3(rise.roll, rise.pitch, 0))));
  rutVec3 at = rut_load_vec3(from, lanes, lane);
  at = rut_vec3_add(at, rut_quat_rotate(old, rut_vec3_sub(move->distance, com)));
  at = rut_vec3_add(at, rut_quat_rotate(turned, rut_vec3(0, 0, rise.up)));
  at = rut_vec3_add(at, rut_quat_rotate(now, com));
  const double wxyz[4] = {now.w, now.x, now.y, now.z};
  rut_store_vec3(to, lanes, lane, at);
  for (int i = 0; i < 4; i++) to[(3 + i) * lanes + lane] = wxyz[i];
}

// Put the reference point of a chassis over a place of the map, with this heading.
static void hold_place(const rutVehicleClass* vehicle, int lane, const double place[2], rutVec3 rpy,
                       double* q) {
  const int lanes = vehicle->lanes;
  const rutVec3 com = rut_load_vec3(vehicle->com, lanes, lane);
  const rutQuat old =
      rut_quat(q[3 * lanes + lane], q[4 * lanes + lane], q[5 * lanes + lane], q[6 * lanes + lane]);
  const rutQuat now = rut_quat_of_rpy(rpy.x, rpy.y, rpy.z);
  const double z = q[2 * lanes + lane] - rut_quat_rotate(old, com).z;
  const rutVec3 arm = rut_quat_rotate(now, com);
  const double pose[RUT_CHASSIS_POSITIONS] = {
      place[0] + arm.x, place[1] + arm.y, z + arm.z, now.w, now.x, now.y, now.z};
  for (int i = 0; i < RUT_CHASSIS_POSITIONS; i++) q[i * lanes + lane] = pose[i];
}

static rutVec3 attitude(int lanes, int lane, const double* q) {
  return rut_quat_rpy(
      rut_quat(q[3 * lanes + lane], q[4 * lanes + lane], q[5 * lanes + lane], q[6 * lanes + lane]));
}

void rut_kinematic_settle(const rutEnvironment* world, const rutVehicleBatch* batch, void* memory) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutWork work = rut_work_of(vehicle, memory);
  const int lanes = vehicle->lanes;
  double *q = ROW(q), place[2 * RUT_MBD_LANES], yaw[RUT_MBD_LANES];
  const rutStageMotion motion = rut_stage_motion(vehicle, q, ROW(v), work.sum);
  for (int l = 0; l < lanes; l++) {
    const rutVec3 rpy = attitude(lanes, l, q);
    const rutVec3 arm = rut_quat_rotate(rut_quat_of_rpy(rpy.x, rpy.y, rpy.z),
                                        rut_load_vec3(vehicle->com, lanes, l));
    place[2 * l] = q[l] - arm.x;
    place[2 * l + 1] = q[lanes + l] - arm.y;
    yaw[l] = rpy.z;
    hold_place(vehicle, l, &place[2 * l], rut_vec3(0, 0, yaw[l]), q);
  }
  for (int pass = 0; pass < SETTLING; pass++) {
    find_ground_all(world, batch, &work, &motion);
    for (int l = 0; l < lanes; l++) {
      const Rise rise = stand(world, batch, &work, (Twist){0}, l, motion.slide);
      move_chassis(vehicle, l, q, &(Move){.rise = rise}, q);
      const rutVec3 rpy = attitude(lanes, l, q);
      hold_place(vehicle, l, &place[2 * l], rut_vec3(rpy.x, rpy.y, yaw[l]), q);
    }
  }
  rut_vehicle_report(batch, &work);
}

// Velocity of the chassis's centre of mass with that of the reference point.
static rutVec3 at_com(const rutVehicleClass* vehicle, int lane, rutVec3 velocity, rutVec3 omega) {
  return rut_vec3_add(velocity,
                      rut_vec3_cross(omega, rut_load_vec3(vehicle->com, vehicle->lanes, lane)));
}

void rut_kinematic_velocity(const rutEnvironment* world, const rutVehicleBatch* batch,
                            void* memory) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutWork work = rut_work_of(vehicle, memory);
  const int lanes = vehicle->lanes, slides = RUT_CHASSIS_POSITIONS * lanes;
  const double h = world->dt, inverse = 1 / h;
  double *q = ROW(q), *v = ROW(v), *ahead = work.stage;
  memcpy(ahead, q, (size_t)(vehicle->positions * lanes) * sizeof *q);
  for (int l = 0; l < lanes; l++) {
    const Twist t = possible_twist(batch, l);
    const rutVec3 mean = mean_velocity(t, h), omega = rut_vec3(0, 0, t.rate);
    steer(batch, l, t);
    const Move move = {.distance = rut_vec3_scale(mean, h), .turn = h * t.rate};
    move_chassis(vehicle, l, q, &move, ahead);
    rut_store_vec3(v, lanes, l, omega);
    rut_store_vec3(v + 3 * lanes, lanes, l, at_com(vehicle, l, rut_vec3(t.vx, t.vy, 0), omega));
  }
  memset(v + RUT_CHASSIS_SPEEDS * lanes, 0, (size_t)vehicle->body.n * sizeof *v);
  const rutStageMotion motion = rut_stage_motion(vehicle, ahead, v, work.sum);
  find_ground_all(world, batch, &work, &motion);
  for (int l = 0; l < lanes; l++) {
    const Twist t = possible_twist(batch, l);
    const Rise rise = stand(world, batch, &work, t, l, ahead + slides);
    const rutVec3 omega = rut_vec3(rise.roll * inverse, rise.pitch * inverse, t.rate);
    const rutVec3 mean = rut_vec3_add(mean_velocity(t, h), rut_vec3(0, 0, rise.up * inverse));
    rut_store_vec3(v, lanes, l, omega);
    rut_store_vec3(v + 3 * lanes, lanes, l, at_com(vehicle, l, mean, omega));
  }
  for (int i = 0; i < vehicle->wheels * lanes; i++) {
    v[RUT_CHASSIS_SPEEDS * lanes + i] = inverse * (ahead[slides + i] - q[slides + i]);
  }
  rut_vehicle_report(batch, &work);
}

// Spins of wheels that roll without slip along their headings, and their angles.
static void roll(double h, const rutVehicleBatch* batch, int lane) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutSliders* b = &vehicle->body;
  const int lanes = vehicle->lanes;
  double* q = ROW(q) + (RUT_CHASSIS_POSITIONS + vehicle->pad) * lanes;
  double* v = ROW(v) + (RUT_CHASSIS_SPEEDS + vehicle->pad) * lanes;
  const rutVec3 omega = rut_load_vec3(ROW(v), lanes, lane);
  const rutVec3 linear = rut_load_vec3(ROW(v) + 3 * lanes, lanes, lane);
  for (int w = 0; w < vehicle->wheels; w++) {
    const int i = w * lanes + lane;
    double s, c;
    rut_sincos(ROW(yaw)[i], &s, &c);
    const rutVec3 hub =
        rut_vec3_add(linear, rut_vec3_cross(omega, rut_vec3(b->x[i], b->y[i], b->z[i])));
    const double radius = vehicle->radius[i] - b->slides[i] * SPATIAL(deflection)[i] / 3;
    // against the chassis, which turns with omega
    v[i] = (c * hub.x + s * hub.y) / radius - (c * omega.y - s * omega.x);
    q[i] += h * v[i];
  }
}

void rut_kinematic_position(const rutEnvironment* world, const rutVehicleBatch* batch) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes, slides = vehicle->wheels * lanes;
  const double h = world->dt;
  double *q = ROW(q), *v = ROW(v);
  for (int l = 0; l < lanes; l++) {
    const Twist t = possible_twist(batch, l);
    const rutVec3 omega = rut_load_vec3(v, lanes, l), none = rut_vec3(0, 0, 0);
    const rutVec3 linear = rut_load_vec3(v + 3 * lanes, lanes, l);
    // of the reference point, as obstacles have left it
    const rutVec3 mean = rut_vec3_sub(linear, at_com(vehicle, l, none, omega));
    const rutVec3 pushed = rut_vec3_sub(mean, mean_velocity(t, h));
    const Rise rise = {h * mean.z, h * omega.x, h * omega.y};
    const Move move = {rut_vec3(h * mean.x, h * mean.y, 0), h * omega.z, rise};
    move_chassis(vehicle, l, q, &move, q);
    const rutVec3 end = rut_vec3(t.vx + pushed.x, t.vy + pushed.y, mean.z);
    rut_store_vec3(v + 3 * lanes, lanes, l, at_com(vehicle, l, end, omega));
    roll(h, batch, l);
  }
  double* slide = q + RUT_CHASSIS_POSITIONS * lanes;
  const double* speed = v + RUT_CHASSIS_SPEEDS * lanes;
  for (int i = 0; i < slides; i++) slide[i] += h * speed[i];
}
