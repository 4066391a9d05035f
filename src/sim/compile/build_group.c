// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/build_group.h"

#include <string.h>

#include "math/rut_math.h"
#include "mbd/rolling.h"
#include "sim/compile/build.h"
#include "sim/compile/build_axles.h"
#include "sim/compile/control.h"
#include "sim/compile/inflation.h"
#include "sim/spec/variables.h"

static int place_of(const rutDraftClass* c, int place) {
  for (int w = 0; w < c->wheels; w++) {
    if (c->place[w] == place) return w;
  }
  return -1;
}

static void fill_layout(const rutDraftClass* c, double gravity, rutVehicleLayout* l) {
  l->wheels = c->wheels;
  l->rear_left = place_of(c, REAR_LEFT);
  l->rear_right = place_of(c, REAR_RIGHT);
  l->front_left = place_of(c, FRONT_LEFT);
  l->front_right = place_of(c, FRONT_RIGHT);
  // odometry reads the two wheels of a two-wheeler, else the rear ones
  l->left = place_of(c, LEFT) >= 0 ? place_of(c, LEFT) : l->rear_left;
  l->right = place_of(c, RIGHT) >= 0 ? place_of(c, RIGHT) : l->rear_right;
  bool steers = false;
  for (int w = 0; w < c->wheels; w++) steers = steers || c->steered[w];
  if (steers && l->front_left >= 0 && l->front_right >= 0 && l->rear_left >= 0) {
    l->wheelbase = c->x[l->front_left] - c->x[l->rear_left];
    l->track = c->y[l->front_left] - c->y[l->front_right];
  }
  const bool spatial = c->spatial.axles > 0;
  l->steer_x = spatial ? c->spatial.steer_x : (l->rear_left >= 0 ? c->x[l->rear_left] : 0);
  l->steer_base = spatial ? c->spatial.steer_base : l->wheelbase;
  l->torque_gain = 1;
  l->max_steer = c->max_steer;
  l->mass = c->mass;
  l->gravity = gravity;
}

static int take_rows(int* next, int n) {
  int first = *next;
  *next += n;
  return first;
}

// Order matters: motion, component, command and account rows are the state (see rutRows).
static void assign_rows(const rutDraftClass* c, rutGroup* g, int rk4) {
  rutRows* r = &g->row;
  int n = 0;
  const bool spatial = c->spatial.axles > 0;
  const int positions = g->tree.positions, speeds = g->tree.speeds;
  const int wheels = spatial ? g->pad : c->wheels;
  const int hull = c->spatial.hull, shafts = g->shafts;
  const int tyre_states = g->tyre_states * g->wheels;
  const int drive_states = g->drive_states, scrubs = g->scrubs, sinks = g->sinks;
  const int control_states = g->control_states;
  const int inputs = g->inputs, commands = g->command_rows;
  const int control_scratch = g->control_scratch, lines = g->lines;
  const int kept = g->control.kept > 0;
  const int stable = spatial && c->spatial.stability > 0;
  const int pressures = spatial && c->spatial.inflate_rate > 0 ? c->spatial.axles : 0;
#define X(name, rows, unit, doc) r->name = take_rows(&n, rows);
  RUT_COORDINATE_ROWS(X)
  if (!g->mechanism) {
    RUT_VEHICLE_ROWS(X)
  }
#undef X
#define X(name, rows, unit, doc) r->spatial.name = take_rows(&n, rows);
  if (spatial) {
    RUT_SPATIAL_ROWS(X)
  }
#undef X
#define X(name, rows, unit, doc) r->name = take_rows(&n, rows);
  r->motion_end = n;
  RUT_COMPONENT_ROWS(X)
  r->component_end = n;
  RUT_COMMAND_ROWS(X)
  r->command_end = n;
  if (!g->mechanism) {
    RUT_ACCOUNT_ROWS(X)
  }
  r->state_rows = n;
  if (!g->mechanism) {
    RUT_TRANSIENT_ROWS(X)
  }
#undef X
  r->rows = n;
}

static int count_states(const rutGroup* g, const rutComponent* type, const double* param) {
  if (!type) return 0;
  const rutShapeCounts counts = {g->wheels, g->inputs};
  return rut_variables_count(type, param, counts, type->states, type->state);
}

// Sum of the wheel torques per demand when all demands are equal, the wheels standing. So small a
// demand is within the limits of any drive.
static double torque_gain(const rutGroup* g) {
  enum { MOST = 64 };
  static const double SMALL = 0x1p-30;  // [N m], a power of two: nothing is rounded
  double demand[MOST], speed[RUT_MAX_WHEELS] = {0}, torque[RUT_MAX_WHEELS] = {0}, state[MOST] = {0};
  // throttle is no torque
  if (g->layout.full_demand > 0) return 1;
  if (!g->drive || !g->layout.radius || g->inputs > MOST || g->drive_states > MOST) return 1;
  for (int i = 0; i < g->inputs; i++) demand[i] = SMALL;
  g->drive->torque(g->drive_param, &g->layout, &(rutDriveIn){1, 1e-3, demand, speed, NULL}, state,
                   torque);
  double sum = 0;
  for (int w = 0; w < g->wheels; w++) sum += g->layout.driven[w] ? torque[w] : 0;
  return sum > 0 ? sum / SMALL : 1;
}

// Largest demand that changes a torque, the wheels standing; 0 if the drive has no such limit.
static double max_demand(const rutGroup* g, const double* param, const rutVehicleLayout* layout) {
  enum { MOST = 64 };
  double speed[RUT_MAX_WHEELS] = {0}, state[MOST] = {0}, most = 0;
  double low[RUT_ROLLING_INPUTS], high[RUT_ROLLING_INPUTS];
  if (!g->drive || !g->drive->limits || g->inputs > RUT_ROLLING_INPUTS) return 0;
  if (g->drive_states > MOST) return 0;
  for (int i = 0; i < g->inputs; i++) {
    low[i] = -RUT_INFINITY;
    high[i] = RUT_INFINITY;
  }
  g->drive->limits(param, layout, &(rutDriveIn){1, 0, NULL, speed, NULL}, state, low, high);
  for (int i = 0; i < g->inputs; i++) most = rut_max(most, high[i]);
  return most < RUT_INFINITY ? most : 0;
}

// Lateral force per slip angle of a wheel under its load at rest, by its tyre's own law; 0 without
// one.
static double cornering(const rutDraftClass* c, int w) {
  const rutDraftSpatial* s = &c->spatial;
  const rutDraftComponent* tyre = rut_tyre_of(s, w);
  const rutTyreType* type = (const rutTyreType*)tyre->type;
  if (!type || !type->grip || s->massless[w]) return 0;
  double room[RUT_MAX_PARAMS];
  const double none = 0, forward = 1, unknown = RUT_NAN;
  const rutTyreGripIn in = {.slip_x = &none,
                            .slip_y = &none,
                            .direction = &forward,
                            .load = &s->wheel.rest_load[w],
                            .deflection = &s->wheel.rest_deflection[w],
                            .radius = &c->radius[w],
                            .inclination = &none,
                            .speed = &forward,
                            .friction = &unknown,
                            .side = &s->wheel.side[w]};
  double mu_x, mu_y, secant_x, secant_y = 0, slip, resistance, peak, overturning, aligning;
  type->grip(rut_draft_inflated(tyre, room), 1, &in,
             &(rutTyreGripOut){&mu_x, &mu_y, &secant_x, &secant_y, &slip, &resistance, &peak,
                               &overturning, &aligning});
  return s->wheel.rest_load[w] > 0 && rut_is_finite(secant_y) ? secant_y * s->wheel.rest_load[w]
                                                              : 0;
}

static void find_cornering(const rutDraftClass* c, rutVehicleLayout* layout) {
  double middle = 0;
  bool all = c->spatial.axles > 0;
  layout->front_cornering = layout->rear_cornering = 0;
  if (!all) return;
  for (int w = 0; w < c->wheels; w++) middle += c->x[w] / c->wheels;
  for (int w = 0; w < c->wheels; w++) {
    const double own = cornering(c, w);
    all = all && own > 0;
    *(c->x[w] > middle ? &layout->front_cornering : &layout->rear_cornering) += own;
  }
  if (!all) layout->front_cornering = layout->rear_cornering = 0;
}

// The layout with the draft's arrays: the group's own are not there yet while the model is
// measured.
static rutVehicleLayout draft_layout(const rutDraftClass* c, rutVehicleLayout layout) {
  layout.x = c->x;
  layout.y = c->y;
  layout.mount_yaw = c->mount_yaw;
  layout.radius = c->radius;
  layout.inertia = c->turning;
  layout.steered = c->steered;
  layout.driven = c->driven;
  return layout;
}

// Shafts of the drive; the solver knows none, three and four.
static int count_shafts(const rutDraftClass* c, double gravity) {
  const rutDriveType* drive = (const rutDriveType*)c->drive.type;
  rutVehicleLayout layout = {0};
  if (!drive || !drive->shafts || !c->spatial.axles) return 0;
  fill_layout(c, gravity, &layout);
  layout = draft_layout(c, layout);
  const int shafts = drive->shafts(c->drive.param, &layout);
  return shafts == 0 ? 0 : (shafts <= 3 ? 3 : RUT_MAX_SHAFTS);
}

// Names of the set points in one text.
static const char* list_commands(const rutGroup* g, rutArena* arena) {
  char text[RUT_MAX_COMMANDS * 64] = "";
  size_t used = 0;
  for (int i = 0; i < g->commands; i++) {
    const rutGroupCommand* c = &g->command[i];
    const char* name = rut_group_command(g, c)->name;
    const size_t length = strlen(name);
    if (used + length + 2 > sizeof text) break;
    if (i > 0) text[used++] = ' ';
    memcpy(text + used, name, length + 1);
    used += length;
  }
  return rut_build_text(arena, text);
}

// Demands that are known at the end of a step: those of a controller that tells how they change,
// that runs at every step, and whose demands the drive gets as they are.
static int count_lines(const rutDraftClass* c, const rutGroup* g) {
  if (c->spatial.axles || g->control.n == 0 || g->control.asked >= 0) return 0;
  if (!g->drive || !g->drive->gain || g->layout.left < 0 || g->layout.right < 0) return 0;
  const rutController* driver = &g->control.controller[g->control.n - 1];
  if (!driver->type->gives_line || driver->clocked || driver->input_delay > 0) return 0;
  if (driver->job >= 0) return 0;
  return g->inputs <= RUT_ROLLING_INPUTS ? g->inputs : 0;
}

static const void* plan_drive(const rutDriveType* drive, const double* param,
                              const rutVehicleLayout* layout, double dt, rutArena* arena) {
  if (!drive || !drive->plan) return NULL;
  void* plan = RUT_TAKE(arena, char, drive->plan_size);
  if (plan) drive->plan(param, layout, dt, plan);
  return plan;
}

// member: the vehicles of the group, also while the model is measured.
static void attach_components(const rutDraft* draft, const rutDraftClass* c, const int* member,
                              rutArena* arena, rutGroup* g) {
  g->tyre = (const rutTyreType*)c->tyre.type;
  g->drive = (const rutDriveType*)c->drive.type;
  double room[RUT_MAX_PARAMS];
  g->tyre_param = RUT_COPY(arena, rut_draft_inflated(&c->tyre, room), RUT_MAX_PARAMS);
  g->drive_param = RUT_COPY(arena, c->drive.param, RUT_MAX_PARAMS);
  find_cornering(c, &g->layout);
  const rutVehicleLayout layout = draft_layout(c, g->layout);
  if (g->drive && g->drive->full_demand) {
    g->layout.full_demand = g->drive->full_demand(c->drive.param);
  }
  g->inputs = g->drive ? g->drive->inputs(c->drive.param, &layout) : 0;
  g->tyre_states = count_states(g, g->tyre ? &g->tyre->base : NULL, c->tyre.param);
  g->drive_states = count_states(g, g->drive ? &g->drive->base : NULL, c->drive.param);
  g->layout.torque_gain = torque_gain(g);
  g->drive_plan = plan_drive(g->drive, c->drive.param, &layout, draft->dt, arena);
  g->layout.max_demand = max_demand(g, c->drive.param, &layout);
  rut_build_control(draft, c, &layout, member, arena, g);
  rut_build_inflation(&c->spatial, g);
  g->command_names = list_commands(g, arena);
  g->lines = count_lines(c, g);
  g->coupled = c->coupled;
  g->scrubs = c->scrubs && g->tyre && !g->control.imposes_twist;
}

// Per-wheel constants repeated over the lanes.
static const double* broadcast(rutArena* arena, const double* value, int n, int lanes) {
  double* to = RUT_TAKE(arena, double, n* lanes);
  for (int i = 0; to && i < n * lanes; i++) to[i] = value[i / lanes];
  return to;
}

// Torque per demand of a drive for which that holds.
static const double* drive_gain(const rutDraftClass* c, double dt, rutArena* arena,
                                const rutGroup* g) {
  const int n = g->lines * c->wheels;
  double gain[RUT_ROLLING_INPUTS * RUT_MAX_WHEELS] = {0};
  const double zero[RUT_MAX_WHEELS] = {0};
  const rutVehicleLayout layout = draft_layout(c, g->layout);
  const rutDriveIn still = {1, dt, zero, zero, NULL};
  if (g->lines == 0 || !g->drive->gain_holds) return NULL;
  if (!g->drive->gain_holds(c->drive.param, &layout)) return NULL;
  g->drive->gain(c->drive.param, &layout, &still, NULL, gain);
  return broadcast(arena, gain, n, g->lanes);
}

// Slides come before spins among the coordinates, each with a row per entry.
static void number_spatial_wheels(const rutGroup* g, const rutDraftClass* c, int* position,
                                  int* speed) {
  const int pad = g->pad;
  for (int w = 0; w < c->wheels; w++) {
    position[w] = RUT_CHASSIS_POSITIONS + pad + w;
    speed[w] = RUT_CHASSIS_SPEEDS + pad + w;
  }
}

// Constants of each wheel of a group.
typedef struct WheelConstants {
#define X(name, unit, doc) double name[RUT_MAX_WHEELS];
  RUT_WHEEL_PLACES(X)
  RUT_WHEEL_NUMBERS(X)
#undef X
} WheelConstants;

static void fill_constants(const rutDraftClass* c, double dt, WheelConstants* k) {
  const int left = place_of(c, REAR_LEFT), right = place_of(c, REAR_RIGHT);
  const bool rear = left >= 0 && right >= 0;
  const double rear_x = rear ? c->x[left] : 0, rear_y = rear ? 0.5 * (c->y[left] + c->y[right]) : 0;
  for (int w = 0; w < c->wheels; w++) {
    k->steer_x[w] = c->x[w] - rear_x;
    k->steer_y[w] = c->y[w] - rear_y;
    k->wheel_x[w] = c->x[w];
    k->wheel_y[w] = c->y[w];
    k->arm_x[w] = c->x[w] - c->com[0];
    k->arm_y[w] = c->y[w] - c->com[1];
    k->mount_yaw[w] = c->mount_yaw[w];
    rut_sincos(c->mount_yaw[w], &k->mount_sin[w], &k->mount_cos[w]);
    k->radius[w] = c->radius[w];
    k->inertia[w] = c->inertia[w];
    k->share[w] = c->share[w];
    k->side_mass[w] = c->side_mass[w];
    k->hold[w] = c->hold[w];
    k->inverse_radius[w] = 1 / c->radius[w];
    k->mass_of_spin[w] = c->inertia[w] * k->inverse_radius[w] * k->inverse_radius[w];
    k->speed_per_torque[w] = dt / c->inertia[w];
  }
}

static void wheel_arrays(const rutDraftClass* c, double dt, rutArena* arena, rutGroup* g) {
  const int n = c->wheels;
  int position[RUT_MAX_WHEELS], speed[RUT_MAX_WHEELS];
  WheelConstants k;
  memcpy(position, c->wheel_position, sizeof position);
  memcpy(speed, c->wheel_speed, sizeof speed);
  if (c->spatial.axles) number_spatial_wheels(g, c, position, speed);
  fill_constants(c, dt, &k);
  g->wheels = n;
  g->wheel_body = RUT_COPY(arena, c->wheel_body, n);
  g->wheel_speed = RUT_COPY(arena, speed, n);
  g->wheel_position = RUT_COPY(arena, position, n);
  g->steer_position = RUT_COPY(arena, c->steer_position, n);
#define X(name, unit, doc) g->name = RUT_COPY(arena, k.name, n);
  RUT_WHEEL_PLACES(X)
#undef X
#define X(name, unit, doc) g->name = broadcast(arena, k.name, n, g->lanes);
  RUT_WHEEL_NUMBERS(X)
#undef X
  g->straight = 1;
  for (int w = 0; w < n; w++) {
    g->straight = g->straight && c->steer_position[w] < 0 && c->mount_yaw[w] == 0;
  }
  g->layout.x = RUT_COPY(arena, c->x, n);
  g->layout.y = RUT_COPY(arena, c->y, n);
  g->layout.mount_yaw = g->mount_yaw;
  g->layout.radius = RUT_COPY(arena, c->radius, n);
  g->layout.inertia = RUT_COPY(arena, c->turning, n);
  g->layout.steered = RUT_COPY(arena, c->steered, n);
  g->layout.driven = RUT_COPY(arena, c->driven, n);
}

// What the wheels of the odometry are like; no distance of wheels that are in one place.
static void fill_odometry(const rutDraftClass* c, const rutVehicleLayout* l, double number[4]) {
  if (l->left < 0 || l->right < 0) return;
  const double span = c->y[l->left] - c->y[l->right];
  number[0] = c->radius[l->left];
  number[1] = c->radius[l->right];
  number[2] = c->y[l->left];
  number[3] = span != 0 ? 1 / span : 0;
}

// Constants of the vehicle, repeated over the lanes.
static void lane_constants(const rutDraftClass* c, rutArena* arena, rutGroup* g) {
  const double* const lane_com = c->com;
  const double* const lane_mass = &c->mass;
  const double* const lane_yaw_inertia = &c->yaw_inertia;
  const double* const lane_linear_damping = &c->linear_damping;
  const double* const lane_angular_damping = &c->angular_damping;
  const double* const lane_wheelbase = &g->layout.wheelbase;
  const double* const lane_max_steer = &c->max_steer;
  double lane_odometry[4] = {0};
  fill_odometry(c, &g->layout, lane_odometry);
#define X(name, rows, unit, doc) g->name = broadcast(arena, name, rows, g->lanes);
  RUT_PLANE_CONSTANTS(X)
#undef X
}

static void odometry_scales(const rutDraft* draft, rutArena* arena, rutGroup* g) {
  int slots = g->batches * g->lanes;
  double* scale = RUT_TAKE(arena, double, 3 * slots);
  for (int s = 0; scale && s < slots; s++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, g->member[s]);
    int batch = s / g->lanes, lane = s % g->lanes;
    for (int i = 0; i < 3; i++) {
      scale[(batch * 3 + i) * g->lanes + lane] = v->record.odometry_scale[i];
    }
  }
  g->odometry_scale = scale;
}

static const int* list_bodies(const rutDraft* draft, const int* member, int count,
                              rutArena* arena) {
  int* body = RUT_TAKE(arena, int, count);
  for (int i = 0; body && i < count; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, member[i]);
    body[i] = v->record.body;
  }
  return body;
}

static const rutMbdPlan* build_plan(const rutMbdTree* tree, rutArena* arena) {
  rutMbdPlan* plan = rut_arena_take(arena, 1, rut_mbd_plan_size(tree));
  if (plan) rut_mbd_plan(tree, plan);
  return plan;
}

static bool has_soft_soil(const rutDraft* draft) {
  bool soft = false;
  for (int i = 0; i < draft->soil.n; i++) {
    const rutDraftSoil* soil = rut_list_at(&draft->soil, i);
    soft = soft || ((const rutSoilType*)soil->component.type)->sink;
  }
  return soft;
}

// Constants of a group of vehicles on axles.
static void share_with_class(const rutGroup* g, rutVehicleClass* vehicle) {
  vehicle->row = g->row;
  vehicle->layout = g->layout;
  vehicle->drive = g->drive;
  vehicle->drive_param = g->drive_param;
  vehicle->drive_plan = g->drive_plan;
  vehicle->inputs = g->inputs;
  vehicle->drive_states = g->drive_states;
  vehicle->control = g->control;
  vehicle->odometry_scale = g->odometry_scale;
}

// Vehicles one to a lane, or where the draft is laid out for copies one to a batch, whose lanes are
// those of the copies; rows are the same in both.
static void lay_lanes(const rutDraft* draft, const rutDraftClass* c, rutGroup* g) {
  // tyres whose pressure changes have parameters of their own
  const bool alone = g->count == 1 || c->spatial.inflate_rate > 0;
  g->lanes = alone ? 1 : RUT_MBD_LANES;
  g->pad = rut_wheel_pad(c->wheels, g->lanes);
  g->batches = (g->count + g->lanes - 1) / g->lanes;
  if (!draft->copies) return;
  g->lanes = RUT_MBD_LANES;
  g->batches = g->count;
}

// Vehicles of all slots; padding repeats the last one.
static const int* list_members(const rutDraft* draft, const int* member, const rutGroup* g,
                               rutArena* arena) {
  const int slots = g->batches * g->lanes;
  int* list = RUT_TAKE(arena, int, slots);
  for (int s = 0; list && s < slots; s++) {
    const int k = draft->copies ? s / g->lanes : s;
    list[s] = member[k < g->count ? k : g->count - 1];
  }
  return list;
}

rutGroup rut_build_group(rutDraft* draft, int index, rutArena* arena, size_t* table) {
  const rutDraftClass* c = rut_list_at(&draft->group, index);
  const int first = draft->member_start[index];
  rutGroup g = {.mechanism = c->mechanism, .count = draft->member_start[index + 1] - first};
  lay_lanes(draft, c, &g);
  const int slots = g.batches * g.lanes;
  g.member = list_members(draft, draft->member + first, &g, arena);
  g.tree = (rutMbdTree){c->bodies, c->positions, c->speeds, RUT_COPY(arena, c->body, c->bodies)};
  g.plan = build_plan(&(rutMbdTree){c->bodies, c->positions, c->speeds, c->body}, arena);
  g.damping = RUT_COPY(arena, c->damping, c->speeds);
  g.stiffness = RUT_COPY(arena, c->stiffness, c->speeds);
  memcpy(g.com, c->com, sizeof g.com);
  g.mass = c->mass;
  g.yaw_inertia = c->yaw_inertia;
  g.linear_damping = c->linear_damping;
  g.angular_damping = c->angular_damping;
  g.feet = c->feet;
  g.foot = RUT_COPY(arena, c->foot, 2 * c->feet);
  rutVehicleClass* on_axles = NULL;
  if (c->spatial.axles) {
    g.shafts = count_shafts(c, draft->gravity);
    g.sinks = has_soft_soil(draft);
    on_axles = rut_build_axles(draft, c, &g, g.sinks, arena);
    g.spatial = on_axles;
    g.tree = (rutMbdTree){0, RUT_CHASSIS_POSITIONS + 2 * g.pad, RUT_CHASSIS_SPEEDS + 2 * g.pad,
                          g.tree.body};
  }
  if (!g.mechanism) {
    fill_layout(c, draft->gravity, &g.layout);
    g.body = list_bodies(draft, draft->member + first, g.count, arena);
    wheel_arrays(c, draft->dt, arena, &g);
    if (!on_axles) lane_constants(c, arena, &g);
    attach_components(draft, c, draft->member + first, arena, &g);
    g.gain = drive_gain(c, draft->dt, arena, &g);
  }
  assign_rows(c, &g, draft->rk4);
  rut_place_control(&g);
  g.batch_offset = *table;
  *table += (size_t)g.batches * (size_t)g.row.rows * (size_t)g.lanes;
  if (!g.mechanism && g.member) odometry_scales(draft, arena, &g);
  if (!g.mechanism && !g.member) RUT_TAKE(arena, double, 3 * slots);
  if (on_axles) share_with_class(&g, on_axles);
  return g;
}
