// SPDX-License-Identifier: BSD-3-Clause
//
// Lays a draft out as one block. Everything here runs twice: on a measuring arena, whose takes
// return NULL, and on the real one; both must take the same.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/rut_math.h"
#include "sim/compile/draft.h"
#include "sim/spec/variables.h"
#include "sim/step.h"

static void* copy(rutArena* arena, const void* from, size_t count, size_t size) {
  void* to = rut_arena_take(arena, count, size);
  if (to && count) memcpy(to, from, count * size);
  return to;
}
#define COPY(arena, from, count) copy(arena, from, (size_t)(count), sizeof *(from))

static const char* copy_text(rutArena* arena, const char* text) {
  size_t size = strlen(text) + 1;
  // names are many and short: pack them without the arrays' alignment
  char* to =
      arena->base && arena->used + size <= arena->size ? (char*)arena->base + arena->used : NULL;
  if (to) memcpy(to, text, size);
  arena->used += size;
  return to;
}

// ---- names ----

typedef struct NameList {
  const char** name;
  int* sorted;
  int n;
} NameList;

static int compare_names(const void* a, const void* b) {
  const char *const *x = *(const char*const*const*)a, *const *y = *(const char*const*const*)b;
  int order = strcmp(*x, *y);
  return order ? order : (x > y) - (x < y);
}

// Sort pointers into the name table; equal names stay in order of index.
static void sort_names(const NameList* list, const char*** scratch) {
  for (int i = 0; i < list->n; i++) scratch[i] = &list->name[i];
  qsort(scratch, (size_t)list->n, sizeof *scratch, compare_names);
  for (int i = 0; i < list->n; i++) list->sorted[i] = (int)(scratch[i] - list->name);
}

static void finish_names(rutArena* arena, rutModel* model, rutKind kind, NameList* list) {
  list->sorted = RUT_TAKE(arena, int, list->n);
  const char*** scratch = RUT_TAKE(arena, const char**, list->n);
  if (model && list->n) {
    sort_names(list, scratch);
    // the scratch stays in the block; blank it so that equal models have equal bytes
    memset(scratch, 0, (size_t)list->n * sizeof *scratch);
    model->name[kind] = list->name;
    model->sorted[kind] = list->sorted;
  }
}

static NameList start_names(rutArena* arena, int n) {
  return (NameList){.name = RUT_TAKE(arena, const char*, n), .n = n};
}

static void node_names(rutArena* arena, rutModel* model, rutKind kind, const rutDraft* draft,
                       const rutList* list, size_t node_offset) {
  NameList names = start_names(arena, list->n);
  for (int i = 0; i < list->n; i++) {
    rutNode node;
    memcpy(&node, (const char*)rut_list_at(list, i) + node_offset, sizeof node);
    const char* text = copy_text(arena, rut_node_name(draft->spec, node));
    if (names.name) names.name[i] = text;
  }
  finish_names(arena, model, kind, &names);
}

// Wheels of axles are named by their axle, from front to rear, and their side.
static void axle_wheel_name(const rutDraftClass* c, int wheel, char text[32]) {
  const rutDraftSpatial* s = &c->spatial;
  const int axle = s->axle[wheel];
  const char* side = c->y[wheel] > 0 ? "left" : (c->y[wheel] < 0 ? "right" : "middle");
  if (s->axles == 1) {
    snprintf(text, 32, "%s", side);
  } else if (axle == 0 || axle == s->axles - 1) {
    snprintf(text, 32, "%s_%s", axle == 0 ? "front" : "rear", side);
  } else {
    snprintf(text, 32, "axle%d_%s", axle + 1, side);
  }
}

static void wheel_names(rutArena* arena, rutModel* model, const rutDraft* draft, int wheels) {
  NameList names = start_names(arena, wheels);
  int n = 0;
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    const rutDraftClass* c = rut_list_at(&draft->group, v->group);
    rutNode node = rut_node_first(draft->spec, v->node, "wheel");
    for (int w = 0; w < c->wheels; w++, node = rut_node_next(draft->spec, node, "wheel")) {
      char text[2 * RUT_SPEC_MAX_NAME + 2];
      char axle[32];
      if (c->spatial.axles) axle_wheel_name(c, w, axle);
      const char* own = c->spatial.axles ? axle : rut_node_name(draft->spec, node);
      const char* parts[3] = {rut_node_name(draft->spec, v->node), "/", own};
      size_t used = 0;
      for (int p = 0; p < 3; p++) {
        size_t length = strlen(parts[p]);
        memcpy(text + used, parts[p], length);
        used += length;
      }
      text[used] = '\0';
      const char* kept = copy_text(arena, text);
      if (names.name) names.name[n] = kept;
      n++;
    }
  }
  finish_names(arena, model, RUT_WHEEL, &names);
}

static void joint_names(rutArena* arena, rutModel* model, const rutDraft* draft) {
  NameList names = start_names(arena, draft->joint.n);
  rutNode node = rut_node_first(draft->spec, rut_spec_root(draft->spec), "joint");
  for (int i = 0; i < draft->joint.n; i++, node = rut_node_next(draft->spec, node, "joint")) {
    const char* text = copy_text(arena, rut_node_name(draft->spec, node));
    if (names.name) names.name[i] = text;
  }
  finish_names(arena, model, RUT_JOINT, &names);
}

// Sensors are named "vehicle/sensor", or by their own name when they are fixed to the world.
static void sensor_names(rutArena* arena, rutModel* model, const rutDraft* draft) {
  NameList names = start_names(arena, draft->sensor.n);
  for (int i = 0; i < draft->sensor.n; i++) {
    const rutDraftSensor* s = rut_list_at(&draft->sensor, i);
    char text[2 * RUT_SPEC_MAX_NAME + 2];
    size_t used = 0;
    if (s->vehicle >= 0) {
      const rutDraftVehicle* v = rut_list_at(&draft->vehicle, s->vehicle);
      const char* vehicle = rut_node_name(draft->spec, v->node);
      used = strlen(vehicle);
      memcpy(text, vehicle, used);
      text[used++] = '/';
    }
    const char* own = rut_node_name(draft->spec, s->node);
    memcpy(text + used, own, strlen(own) + 1);
    const char* kept = copy_text(arena, text);
    if (names.name) names.name[i] = kept;
  }
  finish_names(arena, model, RUT_SENSOR, &names);
}

// ---- groups ----

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

// Order matters: motion, component and command rows are the state (see rutRows).
static void assign_rows(const rutDraftClass* c, rutGroup* g, int rk4) {
  rutRows* r = &g->row;
  int n = 0;
  const bool spatial = c->spatial.axles > 0;
  const int positions = g->tree.positions, speeds = g->tree.speeds;
  const int wheels = spatial ? rut_wheel_pad(c->wheels, g->lanes) : c->wheels;
  const int hull = c->spatial.hull, shafts = g->shafts;
  const int tyre_states = g->tyre_states * g->wheels;
  const int drive_states = g->drive_states;
  const int control_states = g->control_states;
  const int inputs = g->inputs, commands = g->commands;
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

// Sum of the wheel torques when every demand is 1 N m, the wheels standing.
static double torque_gain(const rutGroup* g) {
  enum { MOST = 64 };
  double demand[MOST], speed[RUT_MAX_WHEELS] = {0}, torque[RUT_MAX_WHEELS] = {0}, state[MOST] = {0};
  // throttle is no torque
  if (g->layout.full_demand > 0) return 1;
  if (!g->drive || !g->layout.radius || g->inputs > MOST || g->drive_states > MOST) return 1;
  for (int i = 0; i < g->inputs; i++) demand[i] = 1;
  g->drive->torque(g->drive_param, &g->layout, 1, 1e-3, demand, speed, state, torque);
  double sum = 0;
  for (int w = 0; w < g->wheels; w++) sum += g->layout.driven[w] ? torque[w] : 0;
  return sum > 0 ? sum : 1;
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
    const char* name = g->controller->command[i].name;
    const size_t length = strlen(name);
    if (used + length + 2 > sizeof text) break;
    if (i > 0) text[used++] = ' ';
    memcpy(text + used, name, length + 1);
    used += length;
  }
  return copy_text(arena, text);
}

static void attach_components(const rutDraftClass* c, rutArena* arena, rutGroup* g) {
  g->tyre = (const rutTyreType*)c->tyre.type;
  g->drive = (const rutDriveType*)c->drive.type;
  g->controller = (const rutControllerType*)c->controller.type;
  g->tyre_param = COPY(arena, c->tyre.param, RUT_MAX_PARAMS);
  g->drive_param = COPY(arena, c->drive.param, RUT_MAX_PARAMS);
  g->controller_param = COPY(arena, c->controller.param, RUT_MAX_PARAMS);
  const rutVehicleLayout layout = draft_layout(c, g->layout);
  if (g->drive && g->drive->full_demand) {
    g->layout.full_demand = g->drive->full_demand(c->drive.param);
  }
  g->inputs = g->drive ? g->drive->inputs(c->drive.param, &layout) : 0;
  g->tyre_states = count_states(g, g->tyre ? &g->tyre->base : NULL, c->tyre.param);
  g->drive_states = count_states(g, g->drive ? &g->drive->base : NULL, c->drive.param);
  g->control_states =
      count_states(g, g->controller ? &g->controller->base : NULL, c->controller.param);
  g->layout.torque_gain = torque_gain(g);
  g->commands = g->controller ? g->controller->commands : 0;
  g->command_names = list_commands(g, arena);
  for (int i = 0; g->controller && i < g->controller->base.fields; i++) {
    const bool period = strcmp(g->controller->base.field[i].name, "period") == 0;
    if (period) g->control_period = c->controller.param[i];
  }
}

// Per-wheel constants repeated over the lanes.
static const double* broadcast(rutArena* arena, const double* value, int n, int lanes) {
  double* to = RUT_TAKE(arena, double, n* lanes);
  for (int i = 0; to && i < n * lanes; i++) to[i] = value[i / lanes];
  return to;
}

// Slides come before spins among the coordinates, each with a row per entry.
static void number_spatial_wheels(const rutGroup* g, const rutDraftClass* c, int* position,
                                  int* speed) {
  const int pad = rut_wheel_pad(c->wheels, g->lanes);
  for (int w = 0; w < c->wheels; w++) {
    position[w] = RUT_CHASSIS_POSITIONS + pad + w;
    speed[w] = RUT_CHASSIS_SPEEDS + pad + w;
  }
}

static void wheel_arrays(const rutDraftClass* c, rutArena* arena, rutGroup* g) {
  int n = c->wheels;
  int position[RUT_MAX_WHEELS], speed[RUT_MAX_WHEELS];
  memcpy(position, c->wheel_position, sizeof position);
  memcpy(speed, c->wheel_speed, sizeof speed);
  if (c->spatial.axles) number_spatial_wheels(g, c, position, speed);
  double mount_cos[RUT_MAX_WHEELS], mount_sin[RUT_MAX_WHEELS];
  for (int w = 0; w < n; w++) rut_sincos(c->mount_yaw[w], &mount_sin[w], &mount_cos[w]);
  g->wheels = n;
  g->wheel_body = COPY(arena, c->wheel_body, n);
  g->wheel_speed = COPY(arena, speed, n);
  g->wheel_position = COPY(arena, position, n);
  g->steer_position = COPY(arena, c->steer_position, n);
  g->wheel_x = COPY(arena, c->x, n);
  g->wheel_y = COPY(arena, c->y, n);
  g->mount_yaw = COPY(arena, c->mount_yaw, n);
  g->mount_cos = COPY(arena, mount_cos, n);
  g->mount_sin = COPY(arena, mount_sin, n);
  g->radius = broadcast(arena, c->radius, n, g->lanes);
  g->inertia = broadcast(arena, c->inertia, n, g->lanes);
  g->share = broadcast(arena, c->share, n, g->lanes);
  g->side_mass = broadcast(arena, c->side_mass, n, g->lanes);
  g->hold = broadcast(arena, c->hold, n, g->lanes);
  g->layout.x = g->wheel_x;
  g->layout.y = g->wheel_y;
  g->layout.mount_yaw = g->mount_yaw;
  g->layout.radius = COPY(arena, c->radius, n);
  g->layout.inertia = COPY(arena, c->turning, n);
  g->layout.steered = COPY(arena, c->steered, n);
  g->layout.driven = COPY(arena, c->driven, n);
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

// What a class of vehicles on axles has of its group.
static void share_with_class(const rutGroup* g, rutVehicleClass* vehicle) {
  vehicle->row = g->row;
  vehicle->layout = g->layout;
  vehicle->drive = g->drive;
  vehicle->controller = g->controller;
  vehicle->drive_param = g->drive_param;
  vehicle->controller_param = g->controller_param;
  vehicle->inputs = g->inputs;
  vehicle->commands = g->commands;
  vehicle->control_period = g->control_period;
  vehicle->odometry_scale = g->odometry_scale;
}

static rutGroup build_group(rutDraft* draft, int index, rutArena* arena, size_t* table) {
  const rutDraftClass* c = rut_list_at(&draft->group, index);
  const int first = draft->member_start[index];
  rutGroup g = {.mechanism = c->mechanism, .count = draft->member_start[index + 1] - first};
  g.lanes = g.count > 1 ? RUT_MBD_LANES : 1;
  g.batches = (g.count + g.lanes - 1) / g.lanes;
  int slots = g.batches * g.lanes;
  int* member = RUT_TAKE(arena, int, slots);
  if (member) {
    memcpy(member, draft->member + first, (size_t)g.count * sizeof *member);
    for (int s = g.count; s < slots; s++) member[s] = member[g.count - 1];
  }
  g.member = member;
  g.tree = (rutMbdTree){c->bodies, c->positions, c->speeds, COPY(arena, c->body, c->bodies)};
  g.plan = build_plan(&(rutMbdTree){c->bodies, c->positions, c->speeds, c->body}, arena);
  g.damping = COPY(arena, c->damping, c->speeds);
  g.stiffness = COPY(arena, c->stiffness, c->speeds);
  memcpy(g.com, c->com, sizeof g.com);
  g.mass = c->mass;
  g.yaw_inertia = c->yaw_inertia;
  g.linear_damping = c->linear_damping;
  g.angular_damping = c->angular_damping;
  g.feet = c->feet;
  g.foot = COPY(arena, c->foot, 2 * c->feet);
  rutVehicleClass* on_axles = NULL;
  if (c->spatial.axles) {
    const int pad = rut_wheel_pad(c->wheels, g.lanes);
    g.shafts = count_shafts(c, draft->gravity);
    on_axles = rut_build_axles(c, draft->gravity, draft->rk4 ? draft->dt : 0, g.lanes, g.shafts,
                               has_soft_soil(draft), arena);
    g.spatial = on_axles;
    g.tree =
        (rutMbdTree){0, RUT_CHASSIS_POSITIONS + 2 * pad, RUT_CHASSIS_SPEEDS + 2 * pad, g.tree.body};
  }
  if (!g.mechanism) {
    fill_layout(c, draft->gravity, &g.layout);
    wheel_arrays(c, arena, &g);
    attach_components(c, arena, &g);
  }
  assign_rows(c, &g, draft->rk4);
  g.batch_offset = *table;
  *table += (size_t)g.batches * (size_t)g.row.rows * (size_t)g.lanes;
  if (!g.mechanism && g.member) odometry_scales(draft, arena, &g);
  if (!g.mechanism && !g.member) RUT_TAKE(arena, double, 3 * slots);
  if (on_axles) share_with_class(&g, on_axles);
  return g;
}

// ---- the world ----

static const rutHeightField* build_field(const rutDraftSource* s, rutArena* arena) {
  if (s->source.kind != RUT_GROUND_FIELD) return NULL;
  rutHeightField* field = RUT_TAKE(arena, rutHeightField, 1);
  const double* height = COPY(arena, s->height, s->field.nx * s->field.ny);
  rutHeightPyramid* pyramid = RUT_TAKE(arena, rutHeightPyramid, 1);
  double* top = RUT_TAKE(arena, double, rut_height_pyramid_size(s->field.nx, s->field.ny));
  if (top) {
    *field = s->field;
    field->height = height;
    rut_height_pyramid_build(field, top, pyramid);
  }
  return field;
}

static const rutGroundShape* build_shapes(const rutDraft* draft, rutArena* arena) {
  rutGroundShape* shape = RUT_TAKE(arena, rutGroundShape, draft->shape.n);
  for (int i = 0; i < draft->shape.n; i++) {
    const rutGroundShape* s = rut_list_at(&draft->shape, i);
    const double* param = COPY(arena, (const double*)s->param, RUT_MAX_PARAMS);
    const size_t bytes = s->type->plan_size ? s->type->plan_size(s->param) : 0;
    const void* plan = copy(arena, s->plan, bytes, 1);
    if (!shape) continue;
    shape[i] = *s;
    shape[i].param = param;
    shape[i].plan = bytes ? plan : NULL;
  }
  return shape;
}

static const rutGroundMap* build_ground_maps(const rutDraft* draft, rutArena* arena) {
  rutGroundMap* map = RUT_TAKE(arena, rutGroundMap, draft->ground_map.n);
  for (int i = 0; i < draft->ground_map.n; i++) {
    const rutGroundMap* m = &((const rutDraftMap*)rut_list_at(&draft->ground_map, i))->map;
    const size_t cells = (size_t)m->nx * (size_t)m->ny;
    const unsigned char* soil = m->soil ? copy(arena, m->soil, cells, 1) : NULL;
    const float* value = m->value ? copy(arena, m->value, cells, sizeof *m->value) : NULL;
    if (!map) continue;
    map[i] = *m;
    map[i].soil = soil;
    map[i].value = value;
  }
  return map;
}

static const rutRegion* build_regions(const rutDraft* draft, rutArena* arena) {
  rutRegion* region = COPY(arena, (const rutRegion*)draft->region.item, draft->region.n);
  for (int i = 0; i < draft->region.n; i++) {
    const rutRegion* r = rut_list_at(&draft->region, i);
    const double* xy = COPY(arena, r->xy, 2 * r->corners);
    if (region) region[i].xy = xy;
  }
  return region;
}

static rutGround* build_ground(const rutDraft* draft, rutArena* arena) {
  rutGround* ground = RUT_TAKE(arena, rutGround, 1);
  rutGroundSource* source = RUT_TAKE(arena, rutGroundSource, draft->source.n);
  bool level = true;
  for (int i = 0; i < draft->source.n; i++) {
    const rutDraftSource* s = rut_list_at(&draft->source, i);
    const rutHeightField* field = build_field(s, arena);
    level = level && (s->source.kind == RUT_GROUND_RAMP || s->source.kind == RUT_GROUND_BUMP);
    if (!source) continue;
    source[i] = s->source;
    source[i].field = field;
    rut_ground_source_box(&source[i]);
  }
  const rutRegion* region = build_regions(draft, arena);
  const rutGroundShape* shape = build_shapes(draft, arena);
  const rutGroundMap* map = build_ground_maps(draft, arena);
  if (ground) {
    *ground = (rutGround){.sources = draft->source.n,
                          .regions = draft->region.n,
                          .source = source,
                          .region = region,
                          .shapes = draft->shape.n,
                          .maps = draft->ground_map.n,
                          .shape = shape,
                          .map = map,
                          .soil = draft->ground_soil,
                          .level = level};
  }
  return ground;
}

// Height that no ground at rest exceeds.
static double highest_ground(const rutGround* ground) {
  const bool bare = ground->sources == 0 && ground->shapes == 0;
  double top = ground->level || bare ? 0 : -1e300;
  for (int i = 0; i < ground->sources; i++) {
    const rutGroundSource* s = &ground->source[i];
    const double above = s->kind == RUT_GROUND_FIELD ? s->field->z_max : rut_max(s->height, 0);
    top = rut_max(top, s->z + above);
  }
  return ground->shapes ? 1e300 : top;
}

static const rutGroundMotion* build_ground_motions(const rutDraft* draft, rutArena* arena,
                                                   int* count) {
  *count = 0;
  for (int i = 0; i < draft->source.n; i++) {
    *count += ((const rutDraftSource*)rut_list_at(&draft->source, i))->keyframe.n > 0;
  }
  rutGroundMotion* motion = RUT_TAKE(arena, rutGroundMotion, *count);
  int n = 0;
  for (int i = 0; i < draft->source.n; i++) {
    const rutDraftSource* s = rut_list_at(&draft->source, i);
    if (s->keyframe.n == 0) continue;
    const rutKeyframe* frame = COPY(arena, (const rutKeyframe*)s->keyframe.item, s->keyframe.n);
    if (motion) motion[n] = (rutGroundMotion){i, s->keyframe.n, frame};
    n++;
  }
  return motion;
}

size_t rut_model_scratch(const rutDraft* draft) {
  return (size_t)draft->bodies * sizeof(rutBodyDef) + (size_t)draft->prism.n * sizeof(rutPrismDef) +
         (size_t)draft->grid.n * (sizeof(rutOccupancy*) + 2 * sizeof(double) + 1) +
         8 * RUT_ARENA_ALIGN;
}

static rutContactModel* build_contact(rutDraft* draft, rutArena* arena) {
  int bodies = draft->bodies, prisms = draft->prism.n, grids = draft->grid.n;
  // the definition is only read during the call: it lives in the draft's memory
  rutArena scratch = {.base = draft->scratch, .size = draft->scratch_size};
  memset(scratch.base, 0, scratch.size);
  rutBodyDef* body = RUT_TAKE(&scratch, rutBodyDef, bodies);
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    const rutDraftClass* c = rut_list_at(&draft->group, v->group);
    body[v->record.body] = (rutBodyDef){.mass = c->mass, .inertia = c->yaw_inertia};
  }
  for (int i = 0; i < draft->block.n; i++) {
    const rutDraftBlock* b = rut_list_at(&draft->block, i);
    if (b->record.body < 0) continue;
    body[b->record.body] =
        (rutBodyDef){b->record.mass, b->record.inertia, b->ground_friction, b->ground_radius};
  }
  rutPrismDef* prism = RUT_TAKE(&scratch, rutPrismDef, prisms);
  for (int i = 0; i < prisms; i++) {
    const rutDraftPrism* p = rut_list_at(&draft->prism, i);
    prism[i] = p->def;
    prism[i].n = p->outline.n;
    prism[i].xy = p->outline.xy;
  }
  const rutOccupancy** grid = RUT_TAKE(&scratch, const rutOccupancy*, grids);
  double* friction = RUT_TAKE(&scratch, double, grids);
  double* restitution = RUT_TAKE(&scratch, double, grids);
  unsigned char* solid = RUT_TAKE(&scratch, unsigned char, grids);
  for (int i = 0; i < grids; i++) {
    const rutDraftGrid* g = rut_list_at(&draft->grid, i);
    // the cells themselves move into the model
    rutOccupancy* kept = RUT_TAKE(arena, rutOccupancy, 1);
    size_t cells = rut_occupancy_bytes(g->grid.nx, g->grid.ny);
    void* block = copy(arena, g->block, cells, 1);
    if (kept)
      rut_occupancy_init(kept, g->grid.nx, g->grid.ny, g->grid.resolution, g->grid.origin, block);
    grid[i] = kept ? kept : &g->grid;
    friction[i] = g->friction;
    restitution[i] = g->restitution;
    solid[i] = (unsigned char)(g->solid != 0);
  }
  rutContactDef def = {
      .bodies = bodies,
      .prisms = prisms,
      .joints = draft->joint.n,
      .grids = grids,
      .body = body,
      .prism = prism,
      .joint = draft->joint.item,
      .grid = grid,
      .grid_friction = friction,
      .grid_restitution = restitution,
      .grid_solid = solid,
      .gravity = draft->gravity,
      .margin = draft->margin,
  };
  rutContactModel* model = rut_contact_build(&def, arena);
  return model;
}

static void build_vehicles(const rutDraft* draft, rutArena* arena, rutModel* model, int* wheels) {
  rutVehicleRecord* vehicle = RUT_TAKE(arena, rutVehicleRecord, draft->vehicle.n);
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    const rutDraftClass* c = rut_list_at(&draft->group, v->group);
    if (vehicle) {
      vehicle[i] = v->record;
      vehicle[i].group = v->group;
      vehicle[i].slot = v->member;
      vehicle[i].first_wheel = *wheels;
    }
    *wheels += c->wheels;
  }
  if (model) model->vehicle = vehicle;
}

static void build_mechanisms(const rutDraft* draft, rutArena* arena, rutModel* model) {
  rutMechanismRecord* mechanism = RUT_TAKE(arena, rutMechanismRecord, draft->mechanism.n);
  for (int i = 0; i < draft->mechanism.n; i++) {
    const rutDraftMechanism* m = rut_list_at(&draft->mechanism, i);
    const rutDraftClass* c = rut_list_at(&draft->group, m->group);
    const double* q = COPY(arena, m->q, c->positions);
    const double* v = COPY(arena, m->v, c->speeds);
    if (!mechanism) continue;
    mechanism[i] = (rutMechanismRecord){.group = m->group, .slot = m->member, .q = q, .v = v};
    memcpy(mechanism[i].base, m->base, sizeof m->base);
  }
  if (model) model->mechanism = mechanism;
}

static void build_blocks(const rutDraft* draft, rutArena* arena, rutModel* model) {
  rutBlockRecord* block = RUT_TAKE(arena, rutBlockRecord, draft->block.n);
  for (int i = 0; i < draft->block.n; i++) {
    const rutDraftBlock* b = rut_list_at(&draft->block, i);
    const rutKeyframe* frame = COPY(arena, (const rutKeyframe*)b->keyframe.item, b->keyframe.n);
    if (!block) continue;
    block[i] = b->record;
    block[i].keyframe = frame;
  }
  if (model) model->block = block;
}

// Outputs of a sensor one after the other in a sample, each at a whole number of doubles.
static const rutOutputRecord* build_outputs(const rutDraftSensor* s, rutArena* arena, int* numbers,
                                            int* size) {
  const rutSensorType* type = (const rutSensorType*)s->component.type;
  rutOutputRecord* output = RUT_TAKE(arena, rutOutputRecord, type->outputs);
  *numbers = *size = 0;
  for (int i = 0; i < type->outputs; i++) {
    rutVariableInfo info;
    rut_variable_resolve(&type->base, s->component.param, (rutShapeCounts){0, 0}, &type->output[i],
                         &info);
    if (output) output[i] = (rutOutputRecord){info, *size};
    const size_t bytes = (size_t)info.count * rut_number_size(info.type);
    *size += (int)((bytes + sizeof(double) - 1) / sizeof(double));
    *numbers += info.count;
  }
  return output;
}

// How many samples wait at most until they can be seen, that which is seen among them.
static int sensor_slots(const rutDraft* draft, const rutSensorHead* head) {
  if (!(head->latency > 0)) return 1;
  return 2 + (int)(head->latency / rut_max(head->period, draft->dt));
}

static void build_sensors(const rutDraft* draft, rutArena* arena, rutModel* model) {
  rutSensorRecord* sensor = RUT_TAKE(arena, rutSensorRecord, draft->sensor.n);
  size_t samples = 0;
  for (int i = 0; i < draft->sensor.n; i++) {
    const rutDraftSensor* s = rut_list_at(&draft->sensor, i);
    const rutSensorType* type = (const rutSensorType*)s->component.type;
    const double* param = COPY(arena, s->component.param, RUT_MAX_PARAMS);
    int numbers, size;
    const rutOutputRecord* output = build_outputs(s, arena, &numbers, &size);
    const rutSensorHead* head = (const rutSensorHead*)(const void*)s->component.param;
    const int slots = sensor_slots(draft, head);
    if (slots > 1) size++;
    const size_t state = samples + (size_t)size * (size_t)slots;
    if (sensor) {
      sensor[i] = (rutSensorRecord){
          .type = type,
          .param = param,
          .vehicle = s->vehicle,
          .mount = {head->x, head->y, head->z, head->roll, head->pitch, head->yaw},
          .output = output,
          .numbers = numbers,
          .size = size,
          .slots = slots,
          .sample = samples,
          .state = state};
      const size_t need = type->scratch ? type->scratch(param) : 0;
      if (need > model->sensor_scratch) model->sensor_scratch = need;
    }
    samples =
        state + (size_t)rut_variables_count(&type->base, s->component.param, (rutShapeCounts){0, 0},
                                            type->base.states, type->base.state);
  }
  if (!model) return;
  model->sensor = sensor;
  model->samples_size = samples;
}

static void list_batches(const rutGroup* group, int groups, rutBatchTask* task) {
  for (int i = 0; task && i < groups; i++) {
    for (int b = 0; b < group[i].batches; b++) *task++ = (rutBatchTask){i, b};
  }
}

rutModel* rut_model_build(rutDraft* draft, rutArena* arena) {
  rutModel* model = RUT_TAKE(arena, rutModel, 1);
  rutGroup* group = RUT_TAKE(arena, rutGroup, draft->group.n);
  size_t table = 0;
  int batches = 0;
  for (int i = 0; i < draft->group.n; i++) {
    rutGroup built = build_group(draft, i, arena, &table);
    if (group) group[i] = built;
    batches += built.batches;
  }
  rutBatchTask* task = RUT_TAKE(arena, rutBatchTask, batches);
  list_batches(group, draft->group.n, task);
  int wheels = 0, motions = 0;
  build_vehicles(draft, arena, model, &wheels);
  build_mechanisms(draft, arena, model);
  build_blocks(draft, arena, model);
  build_sensors(draft, arena, model);
  int soils = 0;
  const rutSoilRecord* soil = rut_build_soils(draft, arena, &soils);
  rutGround* ground = build_ground(draft, arena);
  const rutSoftDef* soft = draft->soft.cell > 0 ? COPY(arena, &draft->soft, 1) : NULL;
  const rutGroundMotion* motion = build_ground_motions(draft, arena, &motions);
  rutContactModel* contact = build_contact(draft, arena);
  if (model) {
    model->context = draft->context;
    model->dt = draft->dt;
    model->gravity = draft->gravity;
    memcpy(model->origin, draft->origin, sizeof model->origin);
    model->rk4 = draft->rk4;
    model->workers = rut_context_workers(draft->context);
    model->groups = draft->group.n;
    model->vehicles = draft->vehicle.n;
    model->wheels = wheels;
    model->blocks = draft->block.n;
    model->joints = draft->joint.n;
    model->sensors = draft->sensor.n;
    model->mechanisms = draft->mechanism.n;
    model->bodies = draft->bodies;
    model->group = group;
    model->batches = batches;
    model->task = task;
    model->ground = ground;
    model->soft = soft;
    model->soils = soils;
    model->soil = soil;
    for (int i = 0; i < soils; i++) model->soft_soils |= soil[i].type->sink != NULL;
    model->ground_motions = motions;
    model->ground_motion = motion;
    model->highest_ground = motions > 0 ? 1e300 : highest_ground(ground);
    model->contact = contact;
    model->touchable = contact && !rut_contact_is_empty(contact);
    model->table_size = table;
    for (int i = 0; i < model->groups; i++) {
      rutGroup* g = &group[i];
      g->backup_offset = model->backup_size;
      model->backup_size += (size_t)(g->batches * g->row.state_rows * g->lanes);
      g->press_offset = model->presses;
      if (g->spatial) model->presses += (size_t)g->batches * (size_t)g->spatial->body.n;
    }
    model->backup_size += 7 * (size_t)model->bodies + (size_t)model->blocks;
    model->worker_scratch = rut_worker_scratch(model);
    model->hash = rut_draft_hash(draft);
  }
  node_names(arena, model, RUT_VEHICLE, draft, &draft->vehicle, offsetof(rutDraftVehicle, node));
  node_names(arena, model, RUT_BLOCK, draft, &draft->block, offsetof(rutDraftBlock, node));
  node_names(arena, model, RUT_MECHANISM, draft, &draft->mechanism,
             offsetof(rutDraftMechanism, node));
  node_names(arena, model, RUT_SOIL, draft, &draft->soil, offsetof(rutDraftSoil, node));
  wheel_names(arena, model, draft, wheels);
  sensor_names(arena, model, draft);
  joint_names(arena, model, draft);
  return model;
}
