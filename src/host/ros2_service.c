// SPDX-License-Identifier: BSD-3-Clause
#include "host/ros2_service.h"

#include <stdlib.h>
#include <string.h>

#include "host/cdr_read.h"
#include "host/pose_message.h"
#include "host/regular_expression.h"
#include "host/ros2_schema.h"
#include "math/quat.h"

// ---- definitions ----

#define RESULT     RUT_MSG_BEGIN("simulation_interfaces/Result") "uint8 result\nstring error_message\n"
#define STATE      RUT_MSG_BEGIN("simulation_interfaces/SimulationState") "uint8 state\n"
#define RESULT_OF  "simulation_interfaces/Result result\n"
#define STATE_OF   "simulation_interfaces/SimulationState state\n"
#define FILTERS_OF "simulation_interfaces/EntityFilters filters\n"
#define FILTERS                                        \
  RUT_MSG_BEGIN("simulation_interfaces/EntityFilters") \
  "string filter\nsimulation_interfaces/EntityCategory[] categories\n"                           \
  "simulation_interfaces/TagsFilter tags\nsimulation_interfaces/Bounds bounds\n" RUT_MSG_BEGIN(  \
      "simulation_interfaces/EntityCategory") "uint8 category\n" RUT_MSG_BEGIN(                  \
      "simulation_interfaces/TagsFilter") "string[] tags\nuint8 filter_mode\n" RUT_MSG_BEGIN(    \
      "simulation_interfaces/Bounds") "uint8 type\ngeometry_msgs/Vector3[] points\n" RUT_MSG_VECTOR3
#define ENTITY                                       \
  RUT_MSG_BEGIN("simulation_interfaces/EntityState") \
  "std_msgs/Header header\ngeometry_msgs/Pose pose\ngeometry_msgs/Twist twist\n"               \
  "geometry_msgs/Accel acceleration\n" RUT_MSG_BEGIN("geometry_msgs/Pose")                     \
  "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n" RUT_MSG_BEGIN(        \
      "geometry_msgs/Point") "float64 x\nfloat64 y\nfloat64 z\n" RUT_MSG_BEGIN(                \
      "geometry_msgs/Twist") "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n"   \
  RUT_MSG_BEGIN("geometry_msgs/Accel")                                                         \
  "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n" RUT_MSG_QUATERNION           \
  RUT_MSG_VECTOR3 RUT_MSG_HEADER

rutRos2CallInfo rut_ros2_call_info(rutRos2Call call) {
  static const rutRos2CallInfo info[RUT_CALLS] = {
      [RUT_CALL_GET_FEATURES] =
          {"get_simulator_features", "GetSimulatorFeatures", "",
           "simulation_interfaces/SimulatorFeatures features\n" RUT_MSG_BEGIN(
               "simulation_interfaces/SimulatorFeatures") "uint16[] features\nstring[] "
                                                          "spawn_formats\nstring custom_info\n"},
      [RUT_CALL_GET_STATE] = {"get_simulation_state", "GetSimulationState", "",
                              STATE_OF RESULT_OF STATE RESULT},
      [RUT_CALL_SET_STATE] = {"set_simulation_state", "SetSimulationState", STATE_OF STATE,
                              RESULT_OF RESULT},
      [RUT_CALL_RESET] = {"reset_simulation", "ResetSimulation", "uint8 scope\n", RESULT_OF RESULT},
      [RUT_CALL_STEP] = {"step_simulation", "StepSimulation", "uint64 steps 1\n", RESULT_OF RESULT},
      [RUT_CALL_GET_ENTITIES] = {"get_entities", "GetEntities", FILTERS_OF FILTERS,
                                 RESULT_OF "string[] entities\n" RESULT},
      [RUT_CALL_GET_ENTITY_STATE] = {"get_entity_state", "GetEntityState", "string entity\n",
                                     RESULT_OF
                                     "simulation_interfaces/EntityState state\n" ENTITY RESULT},
      [RUT_CALL_GET_ENTITIES_STATES] =
          {"get_entities_states", "GetEntitiesStates", FILTERS_OF FILTERS,
           RESULT_OF "string[] entities\n"
                     "simulation_interfaces/EntityState[] states\n" ENTITY RESULT},
  };
  return info[call];
}

// Numbers of simulation_interfaces.
enum { UNSUPPORTED = 0, OK = 1, NOT_FOUND = 2, INCORRECT_STATE = 3, FAILED = 4, ALREADY = 101 };
enum { STOPPED = 0, PLAYING = 1, PAUSED = 2, QUITTING = 3 };
enum { SCOPE_TIME = 1, SCOPE_STATE = 2 };
enum { NO_BOUNDS = 0, BOX = 1, SPHERE = 3 };
enum { ROBOT = 1, DYNAMIC_OBJECT = 4 };

// ---- replies ----

typedef struct Reply {
  rutBytes* b;
  size_t start;
} Reply;

static void put_u8(const Reply* r, uint8_t value) { rut_cdr_numbers(r->b, r->start, 1, 1, &value); }

static void put_result(const Reply* r, uint8_t result, const char* message) {
  put_u8(r, result);
  rut_cdr_text(r->b, r->start, message);
}

static rutRos2Outcome answered(const Reply* r, uint8_t result, const char* message) {
  put_result(r, result, message);
  return RUT_CALL_ANSWERED;
}

// ---- the run ----

static rutRos2State state_of(const rutRos2Asking* a) {
  return a->control->state ? a->control->state(a->control->user) : (rutRos2State){0};
}

// Paused at the start is stopped.
static uint8_t mode_of(const rutRos2Asking* a) {
  if (!state_of(a).paused) return PLAYING;
  return rut_steps(a->data) == 0 ? STOPPED : PAUSED;
}

static void put_features(const rutRos2Asking* a, const Reply* r) {
  // categories; states of entities; reset of time and of all; state of the run, its pause; steps
  static const uint16_t feature[] = {6, 8, 10, 24, 20, 21, 22, 25, 26, 31, 32};
  const rutRos2Control* c = a->control;
  uint32_t n = 4;
  uint16_t can[sizeof feature / sizeof feature[0]];
  memcpy(can, feature, sizeof can);
  const struct {
    bool can;
    uint32_t from, count;
  } part[] = {{c->reset != NULL, 4, 3}, {c->pause != NULL, 7, 2}, {c->step != NULL, 9, 2}};
  for (size_t i = 0; i < 3; i++) {
    if (!part[i].can) continue;
    memcpy(can + n, feature + part[i].from, part[i].count * sizeof *can);
    n += part[i].count;
  }
  rut_cdr_u32(r->b, r->start, n);
  rut_cdr_numbers(r->b, r->start, 2, (int)n, can);
  rut_cdr_u32(r->b, r->start, 0);
  rut_cdr_text(r->b, r->start, "rut " RUT_VERSION_STRING);
}

static rutRos2Outcome set_mode(const rutRos2Asking* a, uint8_t wanted, const Reply* r) {
  const rutRos2Control* c = a->control;
  if (wanted > QUITTING) return answered(r, UNSUPPORTED, "no worlds are loaded or unloaded");
  if (wanted == QUITTING && c->quit) {
    c->quit(c->user);
    return answered(r, OK, "");
  }
  if (!c->pause || wanted == QUITTING || (wanted == STOPPED && !c->reset)) {
    return answered(r, UNSUPPORTED, "this run cannot");
  }
  if (mode_of(a) == wanted) return answered(r, ALREADY, "it is in that state");
  c->pause(c->user, wanted != PLAYING);
  if (wanted == STOPPED) c->reset(c->user);
  return answered(r, OK, "");
}

static rutRos2Outcome reset(const rutRos2Asking* a, uint8_t scope, const Reply* r) {
  const bool all = scope == 0 || (scope & SCOPE_TIME && scope & SCOPE_STATE);
  if (!a->control->reset) return answered(r, UNSUPPORTED, "this run cannot");
  if (!all) return answered(r, UNSUPPORTED, "time and state are reset together");
  a->control->reset(a->control->user);
  return answered(r, OK, "");
}

static rutRos2Outcome step(const rutRos2Asking* a, uint64_t steps, const Reply* r) {
  static const uint64_t MOST = 1000000000;
  const rutRos2State s = state_of(a);
  if (!a->control->step) return answered(r, UNSUPPORTED, "this run cannot");
  if (!s.paused) return answered(r, FAILED, "the run is not paused");
  if (s.steps_left > 0) return answered(r, INCORRECT_STATE, "steps are being made");
  if (steps > MOST) return answered(r, FAILED, "at most 1000000000 steps at a time");
  if (steps == 0) return answered(r, OK, "");
  a->control->step(a->control->user, (int64_t)steps);
  put_result(r, OK, "");
  return RUT_CALL_LATER;
}

// ---- entities: vehicles, and blocks that move ----

typedef struct Entity {
  rutKind kind;
  int index;
} Entity;

static int count_entities(const rutModel* model) {
  return rut_count(model, RUT_VEHICLE) + rut_count(model, RUT_BLOCK);
}

// False for blocks that do not move.
static bool entity_at(const rutModel* model, int i, Entity* out) {
  const int vehicles = rut_count(model, RUT_VEHICLE);
  *out = i < vehicles ? (Entity){RUT_VEHICLE, i} : (Entity){RUT_BLOCK, i - vehicles};
  return out->kind == RUT_VEHICLE || rut_block_moves(model, out->index);
}

// Pose and velocities of an entity, in the axes of the world.
typedef struct Motion {
  double at[3], q[4], linear[3], angular[3];  // q: w x y z
} Motion;

static void rotate(const double q[4], const double from[3], double to[3]) {
  const rutVec3 v =
      rut_quat_rotate(rut_quat(q[0], q[1], q[2], q[3]), (rutVec3){from[0], from[1], from[2]});
  memcpy(to, (const double[3]){v.x, v.y, v.z}, 3 * sizeof *to);
}

static Motion motion_of(const rutRos2Asking* a, Entity e) {
  Motion m = {.q = {1, 0, 0, 0}};
  if (e.kind == RUT_VEHICLE) {
    const rutVehicleState s = rut_vehicle_state(a->model, a->data, e.index);
    rut_quaternion_of_angles(s.roll, s.pitch, s.yaw, m.q);
    memcpy(m.at, s.position, sizeof m.at);
    rotate(m.q, s.velocity, m.linear);
    rotate(m.q, s.rate, m.angular);
    return m;
  }
  rutBlockMotion b;
  if (!rut_block_motion(a->model, a->data, e.index, &b)) return m;
  memcpy(m.at, b.position, sizeof m.at);
  memcpy(m.q, b.quaternion, sizeof m.q);
  memcpy(m.linear, b.velocity, sizeof m.linear);
  memcpy(m.angular, b.angular_velocity, sizeof m.angular);
  return m;
}

// simulation_interfaces/EntityState, whose accelerations are 0.
static void put_entity(const rutRos2Asking* a, const Reply* r, Entity e) {
  static const double zero[6];
  const Motion m = motion_of(a, e);
  const double xyzw[4] = {m.q[1], m.q[2], m.q[3], m.q[0]};
  rut_cdr_time(r->b, r->start, (int64_t)rut_floor(rut_time(a->data) * 1e9 + 0.5));
  rut_cdr_text(r->b, r->start, "map");
  rut_cdr_f64(r->b, r->start, 3, m.at);
  rut_cdr_f64(r->b, r->start, 4, xyzw);
  rut_cdr_f64(r->b, r->start, 3, m.linear);
  rut_cdr_f64(r->b, r->start, 3, m.angular);
  rut_cdr_f64(r->b, r->start, 6, zero);
}

// ---- filters ----

enum { PATTERN = RUT_REGULAR_MOST + 1, FEW = 16 };
typedef struct Filter {
  char pattern[PATTERN];
  uint8_t category[FEW];
  uint32_t categories, tags, points;
  uint8_t bounds;
  double point[2][3];
  bool compiled;
  rutRegularExpression expression;
} Filter;

// False if the bytes are none.
static bool read_filter(rutCdr* cdr, Filter* f) {
  rut_cdr_get_text(cdr, f->pattern, sizeof f->pattern);
  f->categories = rut_cdr_get_count(cdr, 1);
  if (f->categories > FEW) return false;
  for (uint32_t i = 0; i < f->categories; i++) f->category[i] = rut_cdr_get_u8(cdr);
  f->tags = rut_cdr_get_count(cdr, 4);
  for (uint32_t i = 0; i < f->tags && !cdr->failed; i++) rut_cdr_skip_text(cdr);
  (void)rut_cdr_get_u8(cdr);
  f->bounds = rut_cdr_get_u8(cdr);
  f->points = rut_cdr_get_count(cdr, 24);
  for (uint32_t i = 0; i < f->points && i < 2; i++) {
    for (int k = 0; k < 3; k++) f->point[i][k] = rut_cdr_get_f64(cdr);
  }
  return !cdr->failed;
}

// Why a filter cannot be used, NULL if it can.
static const char* prepare(Filter* f, uint8_t* result) {
  *result = UNSUPPORTED;
  if (f->bounds != NO_BOUNDS && f->bounds != SPHERE && f->bounds != BOX) {
    return "bounds are boxes and spheres";
  }
  *result = FAILED;
  if (f->bounds != NO_BOUNDS && f->points != 2) return "bounds have two points";
  if (strpbrk(f->pattern, "{}\\")) return "a filter has no {, } and backslash";
  if (!f->pattern[0]) return NULL;
  f->compiled = rut_regular_compile(f->pattern, &f->expression);
  return f->compiled ? NULL : "the filter is no regular expression";
}

static bool is_inside(const Filter* f, const double at[3]) {
  double square = 0;
  bool in = true;
  for (int k = 0; k < 3; k++) {
    const double a = f->point[0][k], b = f->point[1][k], d = at[k] - a;
    in = in && at[k] >= rut_min(a, b) && at[k] <= rut_max(a, b);
    square += d * d;
  }
  if (f->bounds == SPHERE) return square <= f->point[1][0] * f->point[1][0];
  return f->bounds == NO_BOUNDS || in;
}

static bool passes(const rutRos2Asking* a, const Filter* f, Entity e) {
  const char* name = rut_name(a->model, e.kind, e.index);
  const uint8_t category = e.kind == RUT_VEHICLE ? ROBOT : DYNAMIC_OBJECT;
  bool in_category = f->categories == 0;
  for (uint32_t i = 0; i < f->categories; i++) in_category |= f->category[i] == category;
  // nothing has tags
  if (!in_category || f->tags > 0) return false;
  if (f->compiled && !rut_regular_matches(&f->expression, name)) return false;
  return f->bounds == NO_BOUNDS || is_inside(f, motion_of(a, e).at);
}

static void put_names(const rutRos2Asking* a, const Reply* r, const Filter* f) {
  const int all = count_entities(a->model);
  uint32_t n = 0;
  Entity e;
  for (int i = 0; i < all; i++) n += entity_at(a->model, i, &e) && passes(a, f, e);
  rut_cdr_u32(r->b, r->start, n);
  for (int i = 0; i < all; i++) {
    if (!entity_at(a->model, i, &e) || !passes(a, f, e)) continue;
    rut_cdr_text(r->b, r->start, rut_name(a->model, e.kind, e.index));
  }
}

static void put_states(const rutRos2Asking* a, const Reply* r, const Filter* f) {
  const int all = count_entities(a->model);
  uint32_t n = 0;
  Entity e;
  for (int i = 0; i < all; i++) n += entity_at(a->model, i, &e) && passes(a, f, e);
  rut_cdr_u32(r->b, r->start, n);
  for (int i = 0; i < all; i++) {
    if (entity_at(a->model, i, &e) && passes(a, f, e)) put_entity(a, r, e);
  }
}

static rutRos2Outcome list(const rutRos2Asking* a, rutCdr* cdr, const Reply* r, bool with_states) {
  Filter f = {0};
  if (!read_filter(cdr, &f)) return RUT_CALL_DAMAGED;
  uint8_t result;
  const char* wrong = prepare(&f, &result);
  put_result(r, wrong ? result : OK, wrong ? wrong : "");
  if (wrong) {
    rut_cdr_u32(r->b, r->start, 0);
    if (with_states) rut_cdr_u32(r->b, r->start, 0);
  } else {
    put_names(a, r, &f);
    if (with_states) put_states(a, r, &f);
  }
  return RUT_CALL_ANSWERED;
}

static rutRos2Outcome tell_entity(const rutRos2Asking* a, rutCdr* cdr, const Reply* r) {
  char name[512];
  rut_cdr_get_text(cdr, name, sizeof name);
  if (cdr->failed) return RUT_CALL_DAMAGED;
  Entity e;
  for (int i = 0; i < count_entities(a->model); i++) {
    if (!entity_at(a->model, i, &e)) continue;
    if (strcmp(rut_name(a->model, e.kind, e.index), name) != 0) continue;
    put_result(r, OK, "");
    put_entity(a, r, e);
    return RUT_CALL_ANSWERED;
  }
  // the fields of a state are there in any case
  static const double zero[20] = {0, 0, 0, 0, 0, 0, 1};
  put_result(r, NOT_FOUND, "there is no such entity");
  rut_cdr_time(r->b, r->start, 0);
  rut_cdr_text(r->b, r->start, "");
  rut_cdr_f64(r->b, r->start, 19, zero);
  return RUT_CALL_ANSWERED;
}

rutRos2Outcome rut_ros2_answer(const rutRos2Asking* asking, rutRos2Call call, const void* request,
                               size_t size, rutBytes* reply) {
  rutCdr cdr = rut_cdr_of(request, size);
  const uint64_t caller = rut_cdr_get_u64(&cdr), number = rut_cdr_get_u64(&cdr);
  if (cdr.failed) return RUT_CALL_DAMAGED;
  reply->used = 0;
  const Reply r = {reply, rut_cdr_begin(reply)};
  rut_cdr_numbers(reply, r.start, 8, 1, &caller);
  rut_cdr_numbers(reply, r.start, 8, 1, &number);
  switch (call) {
    case RUT_CALL_GET_FEATURES:
      put_features(asking, &r);
      return RUT_CALL_ANSWERED;
    case RUT_CALL_GET_STATE:
      put_u8(&r, mode_of(asking));
      return answered(&r, OK, "");
    case RUT_CALL_SET_STATE: {
      const uint8_t wanted = rut_cdr_get_u8(&cdr);
      return cdr.failed ? RUT_CALL_DAMAGED : set_mode(asking, wanted, &r);
    }
    case RUT_CALL_RESET: {
      const uint8_t scope = rut_cdr_get_u8(&cdr);
      return cdr.failed ? RUT_CALL_DAMAGED : reset(asking, scope, &r);
    }
    case RUT_CALL_STEP: {
      const uint64_t steps = rut_cdr_get_u64(&cdr);
      return cdr.failed ? RUT_CALL_DAMAGED : step(asking, steps, &r);
    }
    case RUT_CALL_GET_ENTITIES:
      return list(asking, &cdr, &r, false);
    case RUT_CALL_GET_ENTITY_STATE:
      return tell_entity(asking, &cdr, &r);
    case RUT_CALL_GET_ENTITIES_STATES:
      return list(asking, &cdr, &r, true);
    case RUT_CALLS:
      break;
  }
  return RUT_CALL_DAMAGED;
}
