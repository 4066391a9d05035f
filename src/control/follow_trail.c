// SPDX-License-Identifier: BSD-3-Clause
//
// Follows a trail without a goal: keeps a map of what its lidar sees (rut/local_map.h), finds the
// cheapest way ahead over it (control/trail_plan.h), and drives along that at a speed from which it
// can stop in sight. It gives set points to the controller that drives. An update with a new scan
// takes the scan and looks along the path; at most once a plan_period it plans anew. Nothing is
// kept outside of the state.
#include "base/arena.h"
#include "base/report.h"
#include "control/goal_drive.h"
#include "control/goal_navigation.h"
#include "control/trail_plan.h"

// What drive_to_goal has, too, and what it has not.
#define FIELDS_OF_BOTH(X)                                                                        \
  X(speed, "m/s", 0, 0, 100, "Highest speed before the first command; 0: it stands.")            \
  X(front, "m", 0.5, 1e-3, 100, "How far the vehicle reaches ahead of its reference point.")     \
  X(rear, "m", 0.5, 1e-3, 100, "And behind it.")                                                 \
  X(width, "m", 0.6, 1e-3, 100, "Of the vehicle.")                                               \
  X(turning_radius, "m", 0, 0, 100,                                                              \
    "Smallest that it plans; 0: 1.15 times that of full lock, or, without steered wheels, half " \
    "of its length. At least three cells of the map.")                                           \
  X(margin, "m", 0.25, 0, 10, "Distance that it keeps from obstacles.")                          \
  X(horizon, "m", 12, 1, 1e3, "How far ahead the way ends.")                                     \
  X(plan_period, "s", 0.4, 0, 1e3, "Least time between two plans.")                              \
  X(resolution, "m", 0.25, 0.02, 1, "Side of a cell of the map.")                                \
  X(max_step, "m", 0.2, 1e-3, 10, "Height difference that is no obstacle.")                      \
  X(max_slope, "rad", 30 * RUT_GOAL_DEGREE, 0.01, 1.5, "Slope that is none.")                    \
  X(max_roughness, "m", 0.15, 1e-3, 10, "Root mean square deviation from a plane that is none.") \
  X(clearance, "m", 0.4, 1e-3, 10, "Of the belly: height above a plane that is none.")           \
  X(overhead, "m", 2.5, 0.01, 100, "Height above the ground at which obstacles are above it.")   \
  X(roughness_speed, "m/s", 3, 0, 100,                                                           \
    "Speed on ground with a root mean square deviation of 5 cm; elsewhere it changes with the "  \
    "inverse square of that.")                                                                   \
  RUT_GOAL_LIDAR_FIELDS(X, 30)                                                                   \
  RUT_GOAL_PACE_FIELDS(X)                                                                        \
  X(emergency, "m/s2", 5, 1e-3, 100, "With which it stops before what it sees too late.")        \
  X(slow, "m/s", 0.5, 1e-3, 100, "Speed at which it drives over the roughest ground.")           \
  X(gap, "m", 0.5, 0, 10,                                                                        \
    "Length of ground without a height between measured places that is taken for known.")        \
  X(patience, "s", 3, 0.1, 1e3,                                                                  \
    "Time of standing against its will after which it takes what is ahead for an obstacle.")     \
  X(wait, "s", 0, 0, 1e6, "Time before it starts, such as for an estimator to settle.")
#define OWN_FIELDS(X)                                                                             \
  X(weight, "", 60, 0, 1e4,                                                                       \
    "How much dearer ground is whose slope, step, roughness or height above its plane is at the " \
    "limit; at half of a limit a quarter of that.")                                               \
  X(reach, "m", 0, 0, 20,                                                                         \
    "Half-width of the mean of costs, which keeps it in the middle of a trail; 0: half of its "   \
    "width and 1.5 m.")                                                                           \
  X(ahead, "rad", 70 * RUT_GOAL_DEGREE, 0.1, 3, "Largest angle between its heading and that end.")

typedef struct Param {
  rutControllerHead head;
  FIELDS_OF_BOTH(RUT_PARAM)
  OWN_FIELDS(RUT_PARAM)
  double cells, nodes, points, publish;
} Param;

static const rutField fields[] = {
    RUT_CONTROLLER_ROWS FIELDS_OF_BOTH(RUT_ROW) OWN_FIELDS(RUT_ROW){
        "cells", "", RUT_INTEGER, 1, 128, 16, 256, "", 0, "Of the map, along each side."},
    {"nodes", "", RUT_INTEGER, 1, 30000, 100, 200000, "", 0,
     "Poses that a search looks at, at most."},
    {"points", "", RUT_INTEGER, 1, 16384, 16, 65536, "", 0,
     "Points of a scan that it takes; of larger ones every second, third, ..."},
    {"publish", "", RUT_CHOICE, 1, 1, 0, 3, "none|path|cost|all", 0,
     "What logs and topics of ROS 2 get with each change: its path; the costs of its map as well, "
     "16 kB a scan by default; all: also costs and heights as layers, 128 kB a scan."}};
static const rutVariable inputs[] = {RUT_GOAL_INPUT_ROWS};

// What is kept besides rutGoalState.
typedef struct Trail {
  double cost, around;  // of the path per metre, and of the ground of the map
} Trail;
enum { TRAIL = sizeof(Trail) / sizeof(double) };
static const rutVariable states[] = {
    RUT_GOAL_STATE_ROWS, RUT_GOAL_NUMBER(path_cost, "", "as trail_cost"),
    RUT_GOAL_NUMBER(mean_cost, "", "as ground_cost"),
    RUT_GOAL_NUMBERS(map_cells, "", "cells cells 2",
                     "of the map, as rut_local_map_pack makes them")};

static const rutVariable commands[] = {RUT_SET_POINT(speed, "m/s", SPEED, "highest speed")};
static const rutVariable outputs[] = {
    RUT_VARIABLE(speed, "m/s", "set point of the forward speed") RUT_VARIABLE(
        steer, "rad", "set point of the angle of the equivalent single front wheel")
        RUT_VARIABLE(yaw_rate, "rad/s", "set point of the yaw rate") RUT_VARIABLE(
            trail_state, "", "0: sees nothing yet, 1: follows, 4: there is no way ahead")
            RUT_VARIABLE(trail_cost, "", "of its path per metre, 1 on smooth level ground")
                RUT_VARIABLE(ground_cost, "", "the same of all ground that it knows")
                    RUT_VARIABLE(obstacle_distance, "m",
                                 "from the vehicle to the nearest obstacle of its map, at most its "
                                 "range")};

// The same as drive_to_goal has it, for what both share.
static rutGoalParam shared_of(const Param* p) {
#define SAME(name, ...) .name = p->name,
  const rutLocalLimits own = rut_default_local_limits();
  return (rutGoalParam){.head = p->head,
                        FIELDS_OF_BOTH(SAME).cells = p->cells,
                        .points = p->points,
                        .publish = p->publish,
                        .map = RUT_GOAL_MAP_SENSORS,
                        .slope_weight = own.slope_weight,
                        .step_weight = own.step_weight,
                        .roughness_weight = own.roughness_weight,
                        .clearance_weight = own.clearance_weight,
                        .free_part = own.free_part};
#undef SAME
}

static rutTrailCar car_of(const Param* p, const rutGoalVehicle* v) {
  static const double BESIDE = 1.5;  // reach beyond the vehicle [m]
  return (rutTrailCar){.footprint = v->car.footprint,
                       .margin = p->margin,
                       .radius = v->car.radius,
                       .weight = p->weight,
                       .reach = p->reach > 0 ? p->reach : 0.5 * p->width + BESIDE,
                       .horizon = p->horizon,
                       .ahead = p->ahead,
                       .nodes = (int)p->nodes};
}

// ---- memory of an update ----

enum { ALIGN = 64 };

static size_t work_of(const Param* p, unsigned char* memory, rutGoalWork* map, rutTrailWork* plan) {
  const size_t cells = (size_t)p->cells * (size_t)p->cells;
  rutArena arena = {.base = memory, .size = SIZE_MAX / 2};
  *map = (rutGoalWork){.side = (int)p->cells, .points = (int)p->points};
  double** const array[] = {&map->x, &map->y, &map->z, &map->from_x, &map->from_y, &map->from_z};
  for (int i = 0; i < RUT_COUNT_OF(array); i++) *array[i] = RUT_TAKE(&arena, double, p->points);
  map->cell = RUT_TAKE(&arena, rutLocalCell, cells);
  const size_t own = (arena.used + ALIGN - 1) & ~(size_t)(ALIGN - 1);
  const size_t bytes =
      rut_trail_work((int)p->cells, (int)p->nodes, memory ? memory + own : NULL, plan);
  map->cost = plan->cost;
  return own + bytes;
}

static int trail_scratch(const void* param, const rutVehicleLayout* layout) {
  (void)layout;
  rutGoalWork map;
  rutTrailWork plan;
  return (int)((work_of(param, NULL, &map, &plan) + ALIGN) / sizeof(double) + 1);
}

static rutStatus trail_check(const double* param, rutError* err) {
  const Param* p = (const Param*)(const void*)param;
  const rutGoalParam shared = shared_of(p);
  const rutLocalMapDef def = rut_goal_map_def(&shared);
  const double half = 0.5 * p->cells * p->resolution, size = p->front + p->margin;
  if (p->horizon + size > half) {
    return rut_error_set(err, RUT_ERR_MODEL,
                         "the map reaches %g m from the vehicle, its way and its front %g m: "
                         "right would be a shorter horizon, or more cells",
                         half, p->horizon + size);
  }
  const rutStatus status = rut_local_map_check(&def, err);
  return status == RUT_OK ? RUT_OK : RUT_ERR_MODEL;
}

// ---- an update ----

static void plan(rutGoalVehicle* v, const rutTrailCar* car, rutTrailWork* work, Trail* trail) {
  rutGoalState* m = v->m;
  const rutLocalLimits limits = rut_goal_limits(v->p);
  const rutPlanGround ground = rut_goal_ground(&v->map, &v->work);
  m->plan_time = m->time;
  trail->around = rut_trail_costs(&v->map, &limits, car, work);
  rutGoalPath path;
  if (!rut_trail_plan(&ground, car, &v->pose, work, &path, &trail->cost)) {
    trail->cost = 0;
    m->mode = RUT_GOAL_STUCK;
    // what it drives along is no worse
    if (m->driving > 0 && m->blocked < RUT_NO_LIMIT) rut_goal_drop_path(m);
    return;
  }
  m->path = path;
  m->driving = 1;
  m->path_margin = car->margin;
  m->rest = car->horizon;  // a trail has no end
  m->mode = RUT_GOAL_DRIVES;
  rut_goal_look_along(v);
}

static void decide(rutGoalVehicle* v, const rutTrailCar* car, rutTrailWork* work, Trail* trail) {
  rutGoalState* m = v->m;
  if (m->met != 0) rut_goal_mark_ahead(v);
  const rutLocalLimits limits = rut_goal_limits(v->p);
  rut_local_map_costs(&v->map, &limits, v->work.cost);
  const rutPlanGround ground = rut_goal_ground(&v->map, &v->work);
  const double clearance = rut_goal_clearance(&ground, &v->car.footprint, &v->pose);
  m->closest = rut_clamp(clearance, 0, v->p->range);
  if (m->driving > 0) rut_goal_look_along(v);
  if (m->plan_time <= 0 || m->time >= m->plan_time + v->p->plan_period) plan(v, car, work, trail);
}

// True if the map has changed.
static bool update_one(rutGoalVehicle* v, const Param* p, rutTrailWork* work, Trail* trail,
                       const rutControlIn* in, int l) {
  rutGoalState* m = v->m;
  const rutTrailCar car = car_of(p, v);
  v->map = rut_goal_map_of(v);
  rut_goal_begin(v, in, l);
  rut_goal_find_pose(v, in, l);
  rut_goal_keep_past(v);
  const bool sees = !rut_goal_waits(v) && rut_goal_has_scan(v, in, l);
  if (sees) {
    rut_local_map_unpack(&v->map, v->stride, v->cells);
    rut_goal_take_scan(v, in, l);
    decide(v, &car, work, trail);
    rut_local_map_pack(&v->map, v->stride, v->cells);
    m->placed = 1;
    for (int axis = 0; axis < 2; axis++) m->corner[axis] = v->map.corner[axis];
  }
  rut_goal_drive(v, false);
  m->time += v->dt;
  return sees;
}

static void trail_update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                         double* state, const rutControlOut* out) {
  const Param* p = param;
  const rutGoalParam shared = shared_of(p);
  const int lanes = in->lanes;
  const double axle = layout->steer_base > 0 ? layout->steer_x : 0;
  rutGoalVehicle v = {.p = &shared,
                      .layout = layout,
                      .car = {.footprint = {p->front - axle, p->rear + axle, p->width},
                              .margin = p->margin,
                              .radius = rut_goal_radius(&shared, layout, true),
                              .horizon = p->horizon},
                      .axle = axle,
                      .steering = rut_goal_radius(&shared, layout, false),
                      .dt = in->dt};
  // scratch of all lanes is there for each of them in turn
  const uintptr_t memory = ((uintptr_t)in->scratch + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1);
  rutTrailWork work;
  work_of(p, (unsigned char*)memory, &v.work, &work);
  for (int l = 0; l < lanes; l++) {
    struct {
      rutGoalState goal;
      Trail trail;
    } own;
    double* const numbers = (double*)(void*)&own;
    rut_goal_move_rows(state + l, RUT_GOAL_MEMORY + TRAIL, lanes, numbers, false);
    v.m = &own.goal;
    v.cells = state + (ptrdiff_t)(RUT_GOAL_MEMORY + TRAIL) * lanes + l;
    v.stride = lanes;
    v.most = rut_max(in->command[l], 0);
    if (update_one(&v, p, &work, &own.trail, in, l)) *out->changed = true;
    const rutGoalState* m = &own.goal;
    const double told[] = {m->set_speed,
                           rut_atan(layout->steer_base * m->curvature),
                           m->set_speed * m->curvature,
                           m->mode,
                           own.trail.cost,
                           own.trail.around,
                           m->closest};
    for (int i = 0; i < RUT_COUNT_OF(told); i++) out->output[i * lanes + l] = told[i];
    rut_goal_move_rows(state + l, RUT_GOAL_MEMORY + TRAIL, lanes, numbers, true);
  }
}

// ---- what is told ----

static void trail_navigation_info(const void* param, rutNavigationInfo* out) {
  const rutGoalParam shared = shared_of(param);
  rut_goal_navigation_info(&shared, out);
}

static void trail_navigation(const void* param, const rutVehicleLayout* layout, const double* state,
                             int stride, double* scratch, rutNavigationView* out) {
  (void)layout;
  const Param* p = param;
  const rutGoalParam shared = shared_of(p);
  rutGoalState m;
  rut_goal_move_rows((double*)(uintptr_t)state, RUT_GOAL_MEMORY, stride, (double*)(void*)&m, false);
  out->has_goal = false;
  rut_goal_tell_path(&m, out);
  if (!out->cost) return;
  rutGoalVehicle v = {.p = &shared, .m = &m};
  const uintptr_t memory = ((uintptr_t)scratch + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1);
  rutTrailWork work;
  work_of(p, (unsigned char*)memory, &v.work, &work);
  rut_goal_tell_map(&v, state + (ptrdiff_t)(RUT_GOAL_MEMORY + TRAIL) * stride, stride, out);
}

const rutControllerType rut_controller_follow_trail = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "follow_trail",
             .parents = "vehicle",
             .doc = "Follows a trail without a goal: along the cheapest way ahead over a map of "
                    "what its lidar sees, in the middle of ground that is smoother than that "
                    "beside it, at a speed from which it can stop in sight. It gives set points to "
                    "the controller that it commands.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states),
             .check = trail_check},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .input = inputs,
    .inputs = RUT_COUNT_OF(inputs),
    .optional = RUT_GOAL_POSE_NUMBERS,
    .uses = RUT_USES_MOTION | RUT_USES_POSE | RUT_USES_TIME,
    .kept = 1,
    .supervises = true,
    .scratch = trail_scratch,
    .update = trail_update,
    .navigation_info = trail_navigation_info,
    .navigation = trail_navigation};
