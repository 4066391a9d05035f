// SPDX-License-Identifier: BSD-3-Clause
//
// Drives to goals through ground that it does not know: keeps a map of what its lidar sees
// (rut/local_map.h), searches a way over it in which what is not known counts as free (Koenig and
// Likhachev, "D* Lite", AAAI 2002, on this assumption), manoeuvres along its first part (hybrid A*,
// rut/plan.h), and follows them at a speed from which it can stop in sight. It gives set points to
// the controller that drives.
//
// An update with a new scan takes the scan, looks whether the path is still free, and plans if it
// has to, at most once a plan_period; other updates only follow the path. Nothing is kept outside
// of the state.
#include <string.h>

#include "base/report.h"
#include "control/goal_drive.h"
#include "control/goal_ground.h"
#include "control/goal_navigation.h"

static const rutField fields[] = {
    RUT_CONTROLLER_ROWS RUT_GOAL_FIELDS(RUT_ROW){
        "map", "", RUT_CHOICE, 1, RUT_GOAL_MAP_SENSORS, 0, 1, "sensors|truth", 0,
        "What it plans on: what its lidar has seen, or, for comparison, all that is fixed in the "
        "world within its memory, with each scan of its lidar, by the true pose."},
    {"has_yaw", "", RUT_BOOLEAN, 1, 0, 0, 1, "", 0, "The heading at the last goal matters."},
    {"level", "", RUT_BOOLEAN, 1, 0, 0, 1, "", 0,
     "The ground is level: what a beam meets higher than max_step is an obstacle. For lidars in a "
     "plane, which see no ground."},
    {"cells", "", RUT_INTEGER, 1, 128, 16, 256, "", 0, "Of the map, along each side."},
    {"memory", "", RUT_INTEGER, 1, 24, 2, 32, "", 0,
     "Of the ground that it remembers, along each side: sixteen cells each."},
    {"nodes", "", RUT_INTEGER, 1, 6000, 100, 50000, "", 0,
     "Poses that a search of manoeuvres looks at, at most."},
    {"points", "", RUT_INTEGER, 1, 16384, 16, 65536, "", 0,
     "Points of a scan that it takes; of larger ones every second, third, ..."},
    {"rounds", "", RUT_INTEGER, 1, 3, 0, 100, "", 0,
     "How often it backs up and tries again without coming nearer, before it says that there is no "
     "way."},
    {"publish", "", RUT_CHOICE, 1, 1, 0, 3, "none|path|cost|all", 0,
     "What logs and topics of ROS 2 get with each change: its path; the costs of its map as well, "
     "16 kB a scan by default; all: also costs and heights as layers, 128 kB a scan."},
    {"goals", "m", RUT_POINTS, 0, 0, -1e9, 1e9, "10 0", RUT_FIELD_REQUIRED,
     "x y of the goals in the world, in turn."}};

static const rutVariable inputs[] = {RUT_GOAL_INPUT_ROWS};

static const rutVariable states[] = {
    RUT_GOAL_STATE_ROWS,
    RUT_GOAL_NUMBERS(map_cells, "", "cells cells 2",
                     "of the map, as rut_local_map_pack makes them"),
    RUT_GOAL_NUMBERS(memory_cells, "", "16 memory memory", "of the memory, sixteen in each number"),
};

static const rutVariable commands[] = {RUT_SET_POINT(speed, "m/s", SPEED, "highest speed")};

static const rutVariable outputs[] = {
    RUT_VARIABLE(speed, "m/s", "set point of the forward speed") RUT_VARIABLE(
        steer, "rad", "set point of the angle of the equivalent single front wheel")
        RUT_VARIABLE(yaw_rate, "rad/s", "set point of the yaw rate") RUT_VARIABLE(
            goal_state, "", "0: plans, 1: drives, 2: recovers, 3: has arrived, 4: there is no way")
            RUT_VARIABLE(goal_distance, "m", "to the goal, straight")
                RUT_VARIABLE(goal_way, "m", "along the path to the goal, 0 without one")
                    RUT_VARIABLE(replans, "", "plans after the first")
                        RUT_VARIABLE(obstacle_distance, "m",
                                     "from the vehicle to the nearest obstacle of its map, at most "
                                     "its range")};
enum { PROOFS = 3 };  // plans in turn that make "no way"

static const double SLOW_ENOUGH = 0.3;  // speed of what has nearly stopped [m/s]
static const double MEMORY_STEP = 2;    // way between two times of remembering [m]

// ---- one vehicle ----

static rutGoalCar car_of(const rutGoalParam* p, const rutVehicleLayout* layout) {
  const double axle = layout->steer_base > 0 ? layout->steer_x : 0;
  return (rutGoalCar){.footprint = {p->front - axle, p->rear + axle, p->width},
                      .margin = p->margin,
                      .radius = rut_goal_radius(p, layout, true),
                      .comfort = p->comfort,
                      .horizon = p->horizon,
                      .nodes = (int)p->nodes};
}

enum { ALIGN = 64 };

static rutGoalSize size_of(const rutGoalParam* p) {
  return (rutGoalSize){(int)p->cells, p->resolution, (int)p->memory, (int)p->points};
}

static int goal_scratch(const void* param, const rutVehicleLayout* layout) {
  const rutGoalParam* p = param;
  const rutGoalCar car = car_of(p, layout);
  rutGoalWork work;
  const rutGoalSize size = size_of(p);
  const size_t bytes = rut_goal_work(&size, &car, NULL, &work, NULL);
  return (int)((bytes + ALIGN) / sizeof(double) + 1);
}

static rutStatus goal_check(const double* param, rutError* err) {
  const rutGoalParam* p = (const rutGoalParam*)param;
  const rutLocalMapDef def = rut_goal_map_def(p);
  const bool beside = p->map == RUT_GOAL_MAP_TRUTH && p->head.host != 0;
  if (beside) {
    return rut_error_set(
        err, RUT_ERR_MODEL,
        "map=\"truth\" looks at the world in steps, not beside them: right would be "
        "host=\"false\"");
  }
  int numbers;
  const double* xy = rut_param_list(p, p->goals, &numbers);
  if (numbers < 2) return rut_error_set(err, RUT_ERR_MODEL, "goals names no place");
  for (int i = 0; i < numbers; i++) {
    if (!rut_is_finite(xy[i])) return rut_error_set(err, RUT_ERR_MODEL, "a goal is not finite");
  }
  const double half = 0.5 * p->cells * p->resolution;
  if (p->front + p->margin > 0.5 * half || p->rear + p->margin > 0.5 * half) {
    return rut_error_set(err, RUT_ERR_MODEL,
                         "the map reaches %g m from the vehicle, which is %g m long: right would "
                         "be more cells, at least four lengths",
                         half, p->front + p->rear);
  }
  const rutStatus status = rut_local_map_check(&def, err);
  return status == RUT_OK ? RUT_OK : RUT_ERR_MODEL;
}

// ---- the path ----

// A path back along the own track, as far as it is free. False if that is not far enough.
static bool back_up(rutGoalVehicle* v) {
  static const double LEAST = 0.4;  // [m]
  rutGoalState* m = v->m;
  const rutGoalBack back =
      rut_goal_track_back(m->track, m->tracked, &v->pose, v->p->back_up, v->steering);
  if (back.length < LEAST) return false;
  m->path = back.path;
  m->driving = m->backing = 1;
  m->path_margin = m->rest = 0;
  rut_goal_look_along(v);
  if (m->blocked < LEAST) {
    rut_goal_drop_path(m);
    return false;
  }
  m->tracked -= back.used;
  m->mode = RUT_GOAL_RECOVERS;
  return true;
}

// What an arc that leads away from what is near gains [m]: clearance at its end; 0 if it does not.
static double gain_of(const rutGoalVehicle* v, double length, double curvature) {
  const rutPlanGround ground = rut_goal_ground(&v->map, &v->work);
  const rutPlanFootprint* f = &v->car.footprint;
  const double now = rut_goal_clearance(&ground, f, &v->pose), r = v->p->resolution;
  const int parts = (int)(rut_abs(length) / r) + 1;
  double clearance = 0;
  for (int k = 1; k <= parts; k++) {
    const rutPlanPose pose = rut_plan_drive(&v->pose, length * k / parts, curvature);
    if (!v->map.def.level && !rut_goal_is_on_known(v, &pose, length < 0 ? -1 : 1)) return 0;
    clearance = rut_min(rut_goal_clearance(&ground, f, &pose), v->p->margin + r);
    if (clearance < now - RUT_GOAL_GRAZES) return 0;
  }
  return rut_max(clearance - now - RUT_GOAL_GRAZES, 0);
}

// A short arc to where there is more room; of equal ones in reverse first, then straight. False if
// there is none.
static bool get_away(rutGoalVehicle* v) {
  static const double curvature[] = {0, 0.5, -0.5, 1, -1};
  const double size = v->car.footprint.front + v->car.footprint.rear;
  rutGoalPath path = {.from = {v->pose.x, v->pose.y, v->pose.yaw}, .pieces = 1};
  double best = 0;
  for (int i = 0; i < 4 * RUT_COUNT_OF(curvature); i++) {
    const double way = (i % 4 < 2 ? -1 : 1) * (i % 2 == 0 ? 1 : 0.4) * size;
    const double bend = curvature[i / 4] / v->steering;
    const double gain = gain_of(v, way, bend);
    if (gain <= best) continue;
    best = gain;
    path.length[0] = way;
    path.curvature[0] = bend;
  }
  if (best == 0) return false;
  rutGoalState* m = v->m;
  m->path = path;
  m->driving = m->backing = 1;
  m->path_margin = m->rest = 0;
  m->mode = RUT_GOAL_RECOVERS;
  rut_goal_look_along(v);
  return true;
}

static void keep_track(rutGoalVehicle* v) {
  rutGoalState* m = v->m;
  if (v->speed < 0 || m->backing > 0) return;
  rut_goal_track_keep(m->track, &m->tracked, &v->pose);
}

// ---- planning ----

static rutGoalTarget target_of(const rutGoalVehicle* v) {
  int numbers;
  const double* xy = rut_param_list(v->p, v->p->goals, &numbers);
  const int goal = (int)v->m->goal, last = numbers / 2 - 1;
  return (rutGoalTarget){.x = xy[2 * goal],
                         .y = xy[2 * goal + 1],
                         .yaw = v->p->yaw,
                         .has_yaw = v->p->has_yaw != 0 && goal == last,
                         .radius = v->p->goal_radius};
}

// It does not get on like this: with less margin, then from another place, then not at all.
static void give_way(rutGoalVehicle* v) {
  rutGoalState* m = v->m;
  if (m->margin == 0 && v->p->margin > 0) {
    m->margin = v->p->margin;
    return;
  }
  m->margin = 0;
  m->rounds += 1;
  if (m->rounds > v->p->rounds) m->mode = RUT_GOAL_STUCK;
  if (m->mode == RUT_GOAL_STUCK) return;
  // beside something no search begins
  const bool near = m->closest < v->p->margin;
  if (near && get_away(v)) return;
  if (!back_up(v) && !near) get_away(v);
}

static double gear_of(const rutGoalVehicle* v) { return v->m->set_speed < 0 ? -1 : 1; }

// What a path costs, and the way behind it [m].
static double price_of(const rutGoalVehicle* v, const rutGoalPath* path, double rest) {
  return rut_goal_path_price(path, gear_of(v), RUT_GOAL_CHANGE * v->car.radius) + rest;
}

static void take_path(rutGoalVehicle* v, const rutGoalPath* path, double rest, double margin) {
  rutGoalState* m = v->m;
  const double left = rut_goal_path_left(path, false) + rest;
  m->path = *path;
  m->rest = rest;
  m->driving = 1;
  m->backing = 0;
  m->path_margin = margin;
  m->search = m->halts = 0;
  m->mode = m->rounds > 0 || m->margin > 0 ? RUT_GOAL_RECOVERS : RUT_GOAL_DRIVES;
  m->margin = 0;
  if (m->least_left == 0 || left < m->least_left - 1) {
    m->least_left = left;
    m->rounds = 0;
  }
  rut_goal_look_along(v);
}

// The path ends short of the goal, and not far from here.
static bool runs_out(const rutGoalVehicle* v) {
  const rutGoalState* m = v->m;
  return m->rest > 0 && rut_goal_path_left(&m->path, false) < 0.5 * v->car.horizon;
}

static bool ends(const rutGoalVehicle* v) {
  return rut_goal_path_left(&v->m->path, false) < 0.25 * v->car.footprint.front;
}

// Are all pieces of a path shorter than what ends where the vehicle stands already?
static bool is_too_short(const rutGoalVehicle* v, const rutGoalPath* path) {
  double longest = 0;
  for (int i = 0; i < (int)path->pieces; i++) longest = rut_max(longest, rut_abs(path->length[i]));
  return longest < rut_goal_near(v);
}

static void plan(rutGoalVehicle* v) {
  static const double BETTER = 1;  // than the path that it has [m]
  rutGoalState* m = v->m;
  rut_goal_remember(v);
  rutGoalTask task = {.map = &v->map,
                      .memory = &v->memory,
                      .car = &v->car,
                      .from = v->pose,
                      .target = target_of(v),
                      .margin = v->p->margin - m->margin,
                      .gear = gear_of(v),
                      .search = (int)m->search};
  rutGoalPath path;
  double rest = 0;
  const bool again = m->plan_time > 0 && m->search == 0;
  int search;
  m->plan_time = m->time;
  rutGoalAnswer answer = rut_goal_plan(&task, &v->work, &path, &rest, &search);
  if (answer == RUT_GOAL_FOUND && is_too_short(v, &path)) answer = RUT_GOAL_NO_MANOEUVRE;
  if (again) m->replans += 1;
  m->proofs = answer == RUT_GOAL_NO_WAY ? m->proofs + 1 : 0;
  // a path that is still free is better than none, and than another one that is hardly better: it
  // is made longer in the gear that it ends in, or when it has ended
  const bool longer =
      answer == RUT_GOAL_FOUND && runs_out(v) && (rut_goal_gear(&path, 0) == gear_of(v) || ends(v));
  const bool good = m->driving > 0 && m->blocked == RUT_NO_LIMIT && !longer;
  const bool better = answer == RUT_GOAL_FOUND &&
                      price_of(v, &path, rest) < price_of(v, &m->path, m->rest) - BETTER;
  if (good && !better) {
    m->search = search;
    m->halts = 0;
    return;
  }
  // a path begins where the vehicle is: in the other gear only where it stands
  const bool stands = rut_abs(v->speed) < SLOW_ENOUGH;
  const bool found = answer == RUT_GOAL_FOUND;
  if (found && (stands || rut_goal_gear(&path, 0) * v->speed > 0)) {
    take_path(v, &path, rest, task.margin);
    return;
  }
  if (m->driving > 0 && !stands) {
    m->halts = 1;
    m->search = search;
    return;
  }
  rut_goal_drop_path(m);
  m->search = search;
  if (answer == RUT_GOAL_GOES_ON) return;
  if (m->proofs >= PROOFS) m->mode = RUT_GOAL_STUCK;
  if (answer == RUT_GOAL_NO_MANOEUVRE) give_way(v);
}

static bool needs_plan(const rutGoalVehicle* v) {
  static const double REFRESH = 2;  // [s]
  const rutGoalState* m = v->m;
  if (m->driving == 0) return true;
  if (m->backing > 0) return false;
  if (m->halts > 0) return true;
  if (m->blocked < RUT_NO_LIMIT || m->time > m->plan_time + REFRESH) return true;
  return runs_out(v);
}

// ---- at the goal ----

static double distance_to(const rutGoalVehicle* v, const rutGoalTarget* t) {
  return rut_hypot(t->x - v->pose.x, t->y - v->pose.y);
}

static bool is_there(const rutGoalVehicle* v) {
  const rutGoalTarget t = target_of(v);
  double turn = v->yaw - t.yaw;
  turn -= 2 * RUT_PI * rut_floor(turn / (2 * RUT_PI) + 0.5);
  const bool turned = !t.has_yaw || rut_abs(turn) <= v->p->yaw_tolerance;
  return distance_to(v, &t) <= t.radius && turned;
}

static bool is_last(const rutGoalVehicle* v) {
  int numbers;
  rut_param_list(v->p, v->p->goals, &numbers);
  return (int)v->m->goal + 1 == numbers / 2;
}

static void arrive(rutGoalVehicle* v) {
  rutGoalState* m = v->m;
  while (!is_last(v) && is_there(v)) {
    m->goal += 1;
    m->rounds = m->least_left = m->proofs = 0;
    m->mode = RUT_GOAL_PLANS;
    rut_goal_drop_path(m);
  }
  // at the last one it stops
  if (m->mode == RUT_GOAL_ARRIVED || !is_last(v)) return;
  if (!is_there(v) || rut_abs(v->speed) > SLOW_ENOUGH) return;
  m->mode = RUT_GOAL_ARRIVED;
  rut_goal_drop_path(m);
}

// ---- an update ----

// With a new scan.
static void decide(rutGoalVehicle* v) {
  static const double LOOK_AGAIN = 8;  // periods between plans where there is no way
  rutGoalState* m = v->m;
  const rutLocalLimits limits = rut_goal_limits(v->p);
  rut_local_map_costs(&v->map, &limits, v->work.cost);
  const rutPlanGround ground = rut_goal_ground(&v->map, &v->work);
  const double clearance = rut_goal_clearance(&ground, &v->car.footprint, &v->pose);
  m->closest = rut_clamp(clearance, 0, v->p->range);
  if (m->driving > 0) rut_goal_look_along(v);
  if (m->backing > 0 && m->blocked < v->p->resolution) rut_goal_drop_path(m);
  if (m->met != 0) {
    const bool ahead = m->met > 0;
    rut_goal_mark_ahead(v);
    if (ahead) m->margin = v->p->margin;
    if (ahead) give_way(v);
  }
  if (m->moved > MEMORY_STEP) rut_goal_remember(v);
  const double rest = m->mode == RUT_GOAL_STUCK ? LOOK_AGAIN : 1;
  const bool early = m->plan_time > 0 && m->time < m->plan_time + rest * v->p->plan_period;
  if (m->search > 0 || (needs_plan(v) && !early)) plan(v);
}

static void tell(const rutGoalVehicle* v, const rutControlOut* out, int lanes, int l) {
  const rutGoalState* m = v->m;
  const rutGoalTarget t = target_of(v);
  const double way = m->driving > 0 ? rut_goal_path_left(&m->path, false) + m->rest : 0;
  const double told[] = {m->set_speed,
                         rut_atan(v->layout->steer_base * m->curvature),
                         m->set_speed * m->curvature,
                         m->mode,
                         distance_to(v, &t),
                         way,
                         m->replans,
                         m->closest};
  for (int i = 0; i < RUT_COUNT_OF(told); i++) out->output[i * lanes + l] = told[i];
}

// True if the map or the memory have changed.
static bool update_one(rutGoalVehicle* v, const rutControlIn* in, int l) {
  rutGoalState* m = v->m;
  v->map = rut_goal_map_of(v);
  rut_goal_begin(v, in, l);
  rut_goal_find_pose(v, in, l);
  keep_track(v);
  rut_goal_keep_past(v);
  m->moved += rut_abs(v->speed) * v->dt;
  const bool waits = rut_goal_waits(v);
  if (!waits) arrive(v);
  const bool sees = !waits && m->mode != RUT_GOAL_ARRIVED && rut_goal_has_scan(v, in, l);
  if (sees) {
    rut_local_map_unpack(&v->map, v->stride, v->cells);
    if (v->p->map == RUT_GOAL_MAP_TRUTH) {
      rut_goal_take_truth(v, in, l);
    } else {
      rut_goal_take_scan(v, in, l);
    }
    decide(v);
    rut_local_map_pack(&v->map, v->stride, v->cells);
    m->placed = 1;
    m->corner[0] = v->map.corner[0];
    m->corner[1] = v->map.corner[1];
  }
  rut_goal_drive(v, is_last(v) && is_there(v));
  m->time += v->dt;
  return sees;
}

// ---- what others are told ----

static void goal_navigation_info(const void* param, rutNavigationInfo* out) {
  rut_goal_navigation_info(param, out);
}

static void goal_navigation(const void* param, const rutVehicleLayout* layout, const double* state,
                            int stride, double* scratch, rutNavigationView* out) {
  const rutGoalParam* p = param;
  rutGoalState m;
  rut_goal_move_rows((double*)(uintptr_t)state, RUT_GOAL_MEMORY, stride, (double*)(void*)&m, false);
  int numbers;
  const double* goal = rut_param_list(p, p->goals, &numbers);
  const bool last = (int)m.goal + 1 == numbers / 2;
  memcpy(out->goal, &goal[2 * (int)m.goal], 2 * sizeof *goal);
  out->goal[2] = last && p->has_yaw != 0 ? p->yaw : RUT_NAN;
  out->has_goal = m.mode != RUT_GOAL_ARRIVED;
  rut_goal_tell_path(&m, out);
  rutGoalVehicle v = {.p = p, .m = &m, .car = car_of(p, layout)};
  const uintptr_t memory = ((uintptr_t)scratch + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1);
  const rutGoalSize size = size_of(p);
  if (!out->cost || rut_goal_work(&size, &v.car, (void*)memory, &v.work, NULL) == 0) return;
  rut_goal_tell_map(&v, state + (ptrdiff_t)RUT_GOAL_MEMORY * stride, stride, out);
}

// The states of a lane from the one before, with the maps where those have changed.
static void copy_lane(const rutGoalParam* p, bool maps, int lanes, double* state) {
  const ptrdiff_t cells = (ptrdiff_t)p->cells, memory = (ptrdiff_t)p->memory;
  const ptrdiff_t rows = RUT_GOAL_MEMORY + (maps ? 2 * cells * cells + 16 * memory * memory : 0);
  for (ptrdiff_t i = 0; i < rows; i++) state[i * lanes] = state[i * lanes - 1];
}

static void goal_update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                        double* state, const rutControlOut* out) {
  const rutGoalParam* p = param;
  const int lanes = in->lanes;
  rutGoalVehicle v = {.p = p,
                      .layout = layout,
                      .car = car_of(p, layout),
                      .axle = layout->steer_base > 0 ? layout->steer_x : 0,
                      .steering = rut_goal_radius(p, layout, false),
                      .dt = in->dt};
  // scratch of all lanes is there for each of them in turn
  const uintptr_t memory = ((uintptr_t)in->scratch + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1);
  const rutGoalSize size = size_of(p);
  if (rut_goal_work(&size, &v.car, (void*)memory, &v.work, NULL) == 0) return;
  bool saw = false;
  for (int l = 0; l < lanes; l++) {
    rutGoalState m;
    // of a lane without a vehicle and the one that it repeats either may come first
    if (l > 0 && in->reading[l].value && in->reading[l].value == in->reading[l - 1].value) {
      copy_lane(p, saw, lanes, state + l);
      for (int i = 0; i < RUT_COUNT_OF(outputs); i++) {
        out->output[i * lanes + l] = out->output[i * lanes + l - 1];
      }
      continue;
    }
    rut_goal_move_rows(state + l, RUT_GOAL_MEMORY, lanes, (double*)(void*)&m, false);
    v.m = &m;
    v.cells = state + (ptrdiff_t)RUT_GOAL_MEMORY * lanes + l;
    v.words = v.cells + (ptrdiff_t)(2 * p->cells * p->cells) * lanes;
    v.stride = lanes;
    v.most = rut_max(in->command[l], 0);
    saw = update_one(&v, in, l);
    if (saw) *out->changed = true;
    tell(&v, out, lanes, l);
    rut_goal_move_rows(state + l, RUT_GOAL_MEMORY, lanes, (double*)(void*)&m, true);
  }
}

const rutControllerType rut_controller_drive_to_goal = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "drive_to_goal",
             .parents = "vehicle",
             .doc = "Drives to goals through ground that it does not know: a map of what its lidar "
                    "sees, a way over it, manoeuvres along that (hybrid A*), and a speed from "
                    "which it can stop in sight. It backs up where it finds no path, and says when "
                    "there is no way. It gives set points to the controller that it commands.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states),
             .check = goal_check},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .input = inputs,
    .inputs = RUT_COUNT_OF(inputs),
    .optional = RUT_GOAL_POSE_NUMBERS,
    .uses = RUT_USES_MOTION | RUT_USES_POSE | RUT_USES_WORLD | RUT_USES_TIME,
    .kept = 2,
    .supervises = true,
    .scratch = goal_scratch,
    .update = goal_update,
    .navigation_info = goal_navigation_info,
    .navigation = goal_navigation};
