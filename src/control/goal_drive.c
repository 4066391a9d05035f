// SPDX-License-Identifier: BSD-3-Clause
#include "control/goal_drive.h"

#include "control/goal_ground.h"

static const double NOMINAL_ROUGHNESS = 0.05;  // of roughness_speed [m]
static const double STANDS = 0.05;             // speed of a vehicle that stands [m/s]
static const double LEAST_RADIUS = 3;          // of turns [cells]
static const double OLD_SCAN = 1;              // [s]

// ---- one vehicle ----

rutLocalMapDef rut_goal_map_def(const rutGoalParam* p) {
  rutLocalMapDef def = rut_default_local_map();
  def.side = (int)p->cells;
  def.resolution = p->resolution;
  def.step = p->max_step;
  def.slope = p->max_slope;
  def.overhead = p->overhead;
  def.range = p->range;
  def.level = p->level != 0;
  return def;
}

double rut_goal_radius(const rutGoalParam* p, const rutVehicleLayout* layout, bool planned) {
  static const double RESERVE = 1.15;
  const bool steers = layout->steer_base > 0 && layout->max_steer > 0;
  double radius = 0.5 * (p->front + p->rear);
  if (steers) {
    radius = (planned ? RESERVE : 1) * layout->steer_base / rut_tan(layout->max_steer);
  } else if (!planned) {
    radius *= 0.5;
  }
  if (planned && p->turning_radius > 0) radius = p->turning_radius;
  return rut_clamp(radius, LEAST_RADIUS * p->resolution, 1e3);
}

rutLocalMap rut_goal_map_of(const rutGoalVehicle* v) {
  rutLocalMap map = {
      .def = rut_goal_map_def(v->p), .placed = v->m->placed > 0, .cell = v->work.cell};
  for (int axis = 0; axis < 2; axis++) {
    map.corner[axis] = (int)v->m->corner[axis];
    const int r = map.corner[axis] % map.def.side;
    map.start[axis] = r < 0 ? r + map.def.side : r;
  }
  return map;
}

// ---- the path ----

// Distance that it keeps from ground that is not known: edges are as near as what was measured
// behind them is wide.
static double distance_kept(const rutGoalVehicle* v) {
  return v->map.def.level ? 0 : 0.5 * v->p->gap + v->p->resolution;
}

// Way that a vehicle that frees itself has left until it would come nearer to something than it
// stands now, at least beside it, or onto ground that is not known.
static double free_way(const rutGoalVehicle* v, const rutPlanGround* ground) {
  const rutGoalPath* path = &v->m->path;
  const rutPlanFootprint* f = &v->car.footprint;
  const double r = v->p->resolution, left = rut_goal_path_left(path, false);
  const double now = rut_min(rut_goal_clearance(ground, f, &v->pose), 0) - RUT_GOAL_GRAZES;
  for (int k = 1; k <= (int)(rut_min(left, 1e4 * r) / r); k++) {
    const rutPlanPose pose = rut_goal_path_ahead(path, k * r);
    if (rut_goal_clearance(ground, f, &pose) < now) return (k - 1) * r;
    const double gear = rut_goal_path_gear(path, k * r);
    if (!v->map.def.level && !rut_goal_is_on_known(v, &pose, gear)) return (k - 1) * r;
  }
  return RUT_NO_LIMIT;
}

// Way in which offsets from a path die [m].
static double correction_of(const rutGoalVehicle* v) {
  static const double TIME = 0.8;  // [s]
  const double length = v->car.footprint.front + v->car.footprint.rear;
  return rut_max(TIME * rut_abs(v->speed), 0.7 * length);
}

// Way until the vehicle meets something where it goes as it is: off its path, back to that by the
// law of following, no narrower than it can turn. To the end of the gear that it is in, or to where
// it can stop, if that is further.
static double way_as_it_is(const rutGoalVehicle* v, const rutPlanGround* ground) {
  static const double SLIP = 1.15;
  rutGoalPath path = v->m->path;
  rutPlanPose pose = v->pose;
  const double r = v->p->resolution, gear = rut_goal_gear(&path, (int)path.piece);
  const double correction = correction_of(v);
  const double fast = rut_max(gear * v->speed, 0);
  const double stop = fast * v->p->reaction + fast * fast / (2 * v->p->deceleration);
  const double left = rut_max(rut_min(rut_goal_path_left(&path, true), 4 * correction), stop);
  // it does not turn as it stands on its wheels, but slips
  const double sharpest = 1 / (SLIP * v->steering);
  for (int k = 0; k * r < left; k++) {
    if (rut_plan_collides(ground, &v->car.footprint, &pose)) return k * r;
    const rutGoalError error = rut_goal_path_find(&path, &pose, false, 0);
    const double bend =
        rut_clamp(rut_goal_curvature(&path, error, correction), -sharpest, sharpest);
    pose = rut_plan_drive(&pose, gear * r, bend);
  }
  return RUT_NO_LIMIT;
}

void rut_goal_look_along(rutGoalVehicle* v) {
  rutGoalState* m = v->m;
  const rutPlanGround ground = rut_goal_ground(&v->map, &v->work);
  const double r = v->p->resolution, half = 0.5 * m->path_margin;
  const rutPlanFootprint f = {v->car.footprint.front + half, v->car.footprint.rear + half,
                              v->car.footprint.width + 2 * half};
  const double left = rut_goal_path_left(&m->path, false);
  // where a lidar in a plane sees nothing, its beams tell nothing
  const double unchecked = v->map.def.level ? v->car.footprint.width : 0;
  m->blocked = m->sight = RUT_NO_LIMIT;
  m->roughness = 0;
  if (m->backing > 0) {
    m->blocked = free_way(v, &ground);
    return;
  }
  m->blocked = way_as_it_is(v, &ground);
  const int parts = (int)(rut_min(left, 1e4 * r) / r);
  for (int k = 0; k <= parts; k++) {
    const double way = k * r;
    const rutPlanPose pose = rut_goal_path_ahead(&m->path, way);
    if (rut_plan_collides(&ground, &f, &pose)) {
      m->blocked = rut_min(m->blocked, way);
      return;
    }
    const bool seen = way <= unchecked || m->sight < RUT_NO_LIMIT ||
                      rut_goal_is_on_known(v, &pose, rut_goal_path_gear(&m->path, way));
    if (!seen) m->sight = way - r;
    if (!v->map.def.level && way < v->car.horizon) {
      m->roughness =
          rut_max(m->roughness, rut_local_map_terrain(&v->map, pose.x, pose.y).roughness);
    }
  }
}

void rut_goal_drop_path(rutGoalState* m) {
  m->driving = m->backing = m->search = m->halts = 0;
  m->sight = m->blocked = RUT_NO_LIMIT;
}

// ---- speed ----

// Whether the path leads to ground that is not known, right ahead.
static bool is_at_edge(const rutGoalVehicle* v) {
  const bool ends = v->m->sight < RUT_NO_LIMIT && !(v->m->sight > distance_kept(v));
  return ends && !v->map.def.level;
}

static double allowed_speed(const rutGoalVehicle* v, double curvature) {
  static const double LEAST_CURVATURE = 1e-9;  // [1/m]
  const rutGoalState* m = v->m;
  const rutGoalParam* p = v->p;
  const double gear = rut_goal_gear(&m->path, (int)m->path.piece), a = p->deceleration;
  double speed = rut_min(v->most, gear > 0 ? v->most : p->reverse_speed);
  speed = rut_min(speed,
                  rut_sqrt(p->lateral_acceleration / rut_max(rut_abs(curvature), LEAST_CURVATURE)));
  // curves ahead on the path
  double way = -m->path.along;
  for (int i = (int)m->path.piece; i < (int)m->path.pieces; i++) {
    const double bend = rut_max(rut_abs(m->path.curvature[i]), LEAST_CURVATURE);
    const double square = p->lateral_acceleration / bend + 2 * a * rut_max(way, 0);
    speed = rut_min(speed, rut_sqrt(square));
    way += rut_abs(m->path.length[i]);
  }
  const double left = rut_goal_path_left(&m->path, true);
  speed = rut_min(speed, rut_plan_sight_speed(left, a, p->reaction));
  if (m->blocked < RUT_NO_LIMIT) {
    speed = rut_min(speed, rut_plan_sight_speed(m->blocked - 0.5 * p->margin, a, p->reaction));
  }
  if (m->sight < RUT_NO_LIMIT) {
    const double sight = rut_plan_sight_speed(m->sight - distance_kept(v), a, p->reaction);
    speed = rut_min(speed, v->map.def.level ? rut_max(sight, p->slow) : sight);
  }
  if (m->roughness > 0) {
    const double part = NOMINAL_ROUGHNESS / m->roughness;
    speed = rut_min(speed, rut_max(p->roughness_speed * part * part, p->slow));
  }
  return speed;
}

double rut_goal_near(const rutGoalVehicle* v) {
  return rut_min(RUT_GOAL_NEAR, RUT_GOAL_NEAR_PART * (v->p->front + v->p->rear));
}

// Follow the path; false at its end.
static bool follow(rutGoalVehicle* v, double* speed) {
  static const double CREEP = 0.15;  // speed that still moves to the end of a piece [m/s]
  rutGoalState* m = v->m;
  const double near = rut_goal_near(v);
  const bool stands = rut_abs(v->speed) < STANDS;
  const rutGoalError error = rut_goal_path_find(&m->path, &v->pose, stands, near);
  m->curvature = rut_clamp(rut_goal_curvature(&m->path, error, correction_of(v)), -1 / v->steering,
                           1 / v->steering);
  const double left = rut_goal_path_left(&m->path, true),
               gear = rut_goal_gear(&m->path, (int)m->path.piece);
  const double allowed = allowed_speed(v, m->curvature);
  const bool at_end = left < 0.3 * near || (stands && left < near);
  // what is off its path looks for another one
  const bool lost = rut_abs(error.offset) > rut_max(2 * v->p->margin, 0.5 * v->car.footprint.width);
  if (lost || (at_end && rut_goal_path_left(&m->path, false) < near)) return false;
  const bool creeps = !at_end && m->blocked > 2 * near && !is_at_edge(v);
  *speed = gear * (creeps ? rut_max(allowed, CREEP) : at_end ? 0 : allowed);
  return true;
}

static void notice_standing(rutGoalVehicle* v) {
  static const double WANTED = 0.1;  // [m/s]
  rutGoalState* m = v->m;
  const bool ends = m->driving > 0 && is_at_edge(v);
  const bool against = ends || rut_abs(m->set_speed) > WANTED;
  m->standing = against && rut_abs(v->speed) < STANDS ? m->standing + v->dt : 0;
  if (m->standing < v->p->patience) return;
  m->standing = 0;
  m->met = ends ? rut_goal_gear(&m->path, (int)m->path.piece) : m->set_speed < 0 ? -1 : 1;
  rut_goal_drop_path(m);
}

void rut_goal_drive(rutGoalVehicle* v, bool hold) {
  rutGoalState* m = v->m;
  double speed = 0;
  const bool blind = !v->map.placed || m->time > m->scan_time + OLD_SCAN;
  if (m->driving > 0 && !follow(v, &speed)) {
    if (m->backing > 0) m->mode = RUT_GOAL_RECOVERS;
    rut_goal_drop_path(m);
    speed = 0;
  }
  if (blind || hold || m->halts > 0) speed = 0;
  const rutGoalParam* p = v->p;
  // never faster than it may; it gains and loses speed gently
  const double rise = p->acceleration * v->dt;
  // the vehicle itself is faster than its set point while it brakes
  const double fast = rut_max(rut_abs(m->set_speed), rut_abs(v->speed));
  const double stop = fast * p->reaction + fast * fast / (2 * p->deceleration);
  const bool urgent =
      m->driving == 0 || m->halts > 0 || m->blocked < stop || speed * m->set_speed < 0;
  const double fall = (urgent ? p->emergency : 1.5 * p->deceleration) * v->dt;
  const bool away = speed * m->set_speed > 0 && rut_abs(speed) > rut_abs(m->set_speed);
  const double change = away || m->set_speed == 0 ? rise : fall;
  m->set_speed += rut_clamp(speed - m->set_speed, -change, change);
  // a path in the other gear begins at rest
  notice_standing(v);
}

// ---- lanes ----

void rut_goal_move_rows(double* rows, int n, int lanes, double* own, bool back) {
  for (int i = 0; i < n; i++) {
    double* row = &rows[(ptrdiff_t)i * lanes];
    if (back) {
      *row = own[i];
    } else {
      own[i] = *row;
    }
  }
}
