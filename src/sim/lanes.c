// SPDX-License-Identifier: BSD-3-Clause
#include "sim/lanes.h"

#include <string.h>

#include "sim/cast.h"
#include "sim/data.h"
#include "sim/soil_changes.h"
#include "sim/spec/context.h"
#include "sim/step.h"
#include "sim/step_bodies.h"
#include "sim/step_ground.h"
#include "sim/step_ruts.h"
#include "sim/step_sensors.h"
#include "sim/step_space.h"

void rut_lanes_destroy(rutLanes* lanes) {
  if (lanes) rut_context_free(lanes->context, lanes);
}

// ---- constants of each lane ----

// Numbers of wheels, [n]: entry i from the array of its lane.
static const double* mix(const double* const from[RUT_MBD_LANES], int n, rutArena* arena) {
  double* to = RUT_TAKE(arena, double, n);
  for (int i = 0; to && i < n; i++) to[i] = from[i % RUT_MBD_LANES][i];
  return to;
}

static const rutWheelRun* run_of(int runs, const rutWheelRun* run, int entry) {
  for (int r = 0; r < runs; r++) {
    if (entry >= run[r].first && entry < run[r].first + run[r].count) return &run[r];
  }
  return &run[runs - 1];
}

static bool is_alike(const rutWheelRun* a, const rutWheelRun* b) {
  // numbers that are not given (NaN) are equal as well, as bytes
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c)
  return a->type == b->type && memcmp(a->param, b->param, RUT_TYRE_NUMBERS * sizeof(double)) == 0;
}

// Runs of entries whose component has the same parameters, which may be those of one lane alone.
typedef struct Runs {
  int runs[RUT_MBD_LANES];
  const rutWheelRun* run[RUT_MBD_LANES];
} Runs;
static const rutWheelRun* mix_runs(const Runs* of, int n, rutArena* arena, int* runs) {
  rutWheelRun* to = RUT_TAKE(arena, rutWheelRun, n);
  *runs = 0;
  for (int i = 0; to && i < n; i++) {
    const int l = i % RUT_MBD_LANES;
    const rutWheelRun* own = run_of(of->runs[l], of->run[l], i);
    if (*runs > 0 && is_alike(&to[*runs - 1], own)) {
      to[*runs - 1].count++;
      continue;
    }
    to[*runs] = *own;
    to[*runs].first = i;
    to[*runs].count = 1;
    (*runs)++;
  }
  return to;
}

// Mechanisms whose constants differ have four entries to a block, as those of lone vehicles.
static void mix_corners(const rutVehicleClass* const from[RUT_MBD_LANES], rutArena* arena,
                        rutVehicleClass* mixed) {
  enum { N = RUT_CORNER_WIDTH };
  const int n = mixed->body.n, constants = mixed->constants;
  // one block of a wheel, with the same numbers four times
  const int each = constants * N;
  const size_t bytes = (size_t)(each * mixed->pad) * sizeof(double);
  bool same = true;
  for (int l = 1; l < RUT_MBD_LANES; l++) {
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c)
    same = same && memcmp(from[l]->constant, from[0]->constant, bytes) == 0;
  }
  if (same) return;
  double* to = RUT_TAKE(arena, double, n* constants);
  mixed->own_corners = 1;
  mixed->constant = to;
  for (int i = 0; to && i < n; i++) {
    const double* own = from[i % RUT_MBD_LANES]->constant + (size_t)(i / RUT_MBD_LANES * each);
    for (int k = 0; k < constants; k++) to[i / N * each + k * N + i % N] = own[k * N];
  }
}

static bool same_params(const double* a, const double* b) {
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c)
  return memcmp(a, b, RUT_TYRE_NUMBERS * sizeof *a) == 0;
}

// Numbers of all wheels are equal. Nullable: both.
static bool same_wheels(const double* a, const double* b, int wheels) {
  bool same = true;
  for (int w = 0; a && b && w < wheels; w++) same = same && a[w] == b[w];
  return same;
}

// What a drive or controller knows of its vehicle; which wheels steer and are driven is equal.
static bool same_layout(const rutVehicleLayout* a, const rutVehicleLayout* b, bool with_mass) {
  return a->max_steer == b->max_steer && a->torque_gain == b->torque_gain &&
         a->full_demand == b->full_demand && a->max_demand == b->max_demand &&
         a->steer_x == b->steer_x && a->steer_base == b->steer_base &&
         same_wheels(a->x, b->x, a->wheels) && same_wheels(a->y, b->y, a->wheels) &&
         same_wheels(a->radius, b->radius, a->wheels) &&
         same_wheels(a->inertia, b->inertia, a->wheels) && (!with_mass || a->mass == b->mass);
}

// The parts of a vehicle that may be called lane by lane.
typedef struct Parts {
  const rutDriveType* drive;
  const double* drive_param;
  const rutControlStack* control;
  const rutVehicleLayout* layout;
} Parts;

static Parts parts_of(const rutVehicleClass* c) {
  return (Parts){c->drive, c->drive_param, &c->control, &c->layout};
}

static bool same_drive(const Parts* a, const Parts* b) {
  return !a->drive || (same_params(a->drive_param, b->drive_param) &&
                       same_layout(a->layout, b->layout, !a->drive->masses));
}

static bool same_cornering(const rutVehicleLayout* a, const rutVehicleLayout* b) {
  return a->front_cornering == b->front_cornering && a->rear_cornering == b->rear_cornering;
}

static bool same_control(const Parts* a, const Parts* b) {
  bool same = same_layout(a->layout, b->layout, true);
  for (int i = 0; i < a->control->n; i++) {
    const rutController* own = &a->control->controller[i];
    const bool grip = !(own->type->uses & RUT_USES_TYRES) || same_cornering(a->layout, b->layout);
    same = same && grip && same_params(own->param, b->control->controller[i].param);
  }
  return same;
}

// What is called lane by lane, where it differs.
static void mix_parts(const rutVehicleClass* const from[RUT_MBD_LANES], rutArena* arena,
                      rutVehicleClass* mixed) {
  const rutVehicleClass** own = RUT_TAKE(arena, const rutVehicleClass*, RUT_MBD_LANES);
  rutControlOwn* control = RUT_TAKE(arena, rutControlOwn, RUT_MBD_LANES);
  const Parts first = parts_of(from[0]);
  bool controls = true;
  mixed->own = own;
  for (int l = 0; l < RUT_MBD_LANES; l++) {
    if (own) own[l] = from[l];
    if (control) control[l] = (rutControlOwn){&from[l]->control, &from[l]->layout};
    const Parts parts = parts_of(from[l]);
    if (!same_drive(&first, &parts)) mixed->own_drive = 1;
    controls = controls && same_control(&first, &parts);
    // all chassis are within these
    for (int k = 0; k < 4; k++) {
      mixed->hull_size[k] = rut_max(mixed->hull_size[k], from[l]->hull_size[k]);
    }
    mixed->hull_radius = rut_max(mixed->hull_radius, from[l]->hull_radius);
  }
  if (!controls) mixed->own_control = control;
  mixed->layout.lane_mass = mixed->total_mass;
}

// A class with the constants of each lane.
static const rutVehicleClass* mix_class(const rutVehicleClass* const from[RUT_MBD_LANES],
                                        rutArena* arena) {
  rutVehicleClass* to = RUT_TAKE(arena, rutVehicleClass, 1);
  const int n = from[0]->body.n;
  rutVehicleClass mixed = *from[0];
  const double* row[RUT_MBD_LANES];
#define MIX(name, numbers)                                        \
  for (int l = 0; l < RUT_MBD_LANES; l++) row[l] = from[l]->name; \
  mixed.name = mix(row, numbers, arena);
  MIX(body.mass, RUT_MBD_LANES)
  MIX(body.inertia, 6 * RUT_MBD_LANES)
  MIX(mean_mass, n)
  MIX(mean_weight, n)
#define X(name, rows, unit, doc) MIX(name, (rows)*RUT_MBD_LANES)
  RUT_LANE_CONSTANTS(X)
#undef X
#define X(name, unit, doc) MIX(body.name, n)
  RUT_CARRIER_CONSTANTS(X)
#undef X
#define X(name, unit, doc) MIX(name, n)
  RUT_WHEEL_CONSTANTS(X)
#undef X
#undef MIX
  mix_corners(from, arena, &mixed);
  mix_parts(from, arena, &mixed);
  Runs tyre, suspension;
  for (int l = 0; l < RUT_MBD_LANES; l++) {
    tyre.runs[l] = from[l]->tyres;
    tyre.run[l] = from[l]->tyre;
    suspension.runs[l] = from[l]->suspensions;
    suspension.run[l] = from[l]->suspension;
  }
  mixed.tyre = mix_runs(&tyre, n, arena, &mixed.tyres);
  mixed.suspension = mix_runs(&suspension, n, arena, &mixed.suspensions);
  if (to) *to = mixed;
  return to;
}

// Place of a parameter of a tyre that a number of the place may replace: `friction` or
// `rolling_resistance` of those laws that say so. -1: it has none.
static int replaced_row(const rutTyreType* tyre, const char* name) {
  static const char* const known[] = {"coulomb", "ward_iagnemma"};
  bool found = false;
  for (int i = 0; tyre && i < RUT_COUNT_OF(known); i++) {
    found = found || strcmp(tyre->base.name, known[i]) == 0;
  }
  for (int i = 0; found && i < tyre->base.fields; i++) {
    if (strcmp(tyre->base.field[i].name, name) == 0) return i;
  }
  return -1;
}

// Groups of the vehicle in each lane.
typedef struct Groups {
  const rutGroup* lane[RUT_MBD_LANES];
} Groups;

// A parameter of each wheel's tyre; NULL if the tyre has none such, or while measuring.
static const double* mix_row(const Groups* from, int at, rutArena* arena) {
  if (at < 0) return NULL;
  const int n = from->lane[0]->wheels * RUT_MBD_LANES;
  double* row = RUT_TAKE(arena, double, n);
  for (int i = 0; row && i < n; i++) row[i] = from->lane[i % RUT_MBD_LANES]->tyre_param[at];
  return row;
}

// Tyres: what a place may replace is told for each lane, all else makes calls lane by lane.
static void mix_tyres(const Groups* from, rutArena* arena, rutGroup* mixed) {
  const rutGroup* first = from->lane[0];
  const int friction = replaced_row(first->tyre, "friction");
  const int rolling = replaced_row(first->tyre, "rolling_resistance");
  mixed->lane_friction = mix_row(from, friction, arena);
  mixed->lane_rolling = mix_row(from, rolling, arena);
  for (int l = 1; first->tyre && l < RUT_MBD_LANES; l++) {
    double param[RUT_TYRE_NUMBERS];
    memcpy(param, from->lane[l]->tyre_param, sizeof param);
    if (friction >= 0) param[friction] = first->tyre_param[friction];
    if (rolling >= 0) param[rolling] = first->tyre_param[rolling];
    if (!same_params(param, first->tyre_param)) mixed->own_tyre = 1;
  }
}

// A group of planar vehicles with the constants of each lane.
static void mix_plane(const Groups* from, rutArena* arena, rutGroup* mixed) {
  const rutGroup* first = from->lane[0];
  const int n = first->wheels * RUT_MBD_LANES;
  const rutGroup** own = RUT_TAKE(arena, const rutGroup*, RUT_MBD_LANES);
  rutControlOwn* control = RUT_TAKE(arena, rutControlOwn, RUT_MBD_LANES);
  const double* row[RUT_MBD_LANES];
#define MIX(name, numbers)                                              \
  for (int l = 0; l < RUT_MBD_LANES; l++) row[l] = from->lane[l]->name; \
  mixed->name = mix(row, numbers, arena);
#define X(name, unit, doc) MIX(name, n)
  RUT_WHEEL_NUMBERS(X)
#undef X
#define X(name, rows, unit, doc) MIX(name, (rows)*RUT_MBD_LANES)
  RUT_PLANE_CONSTANTS(X)
#undef X
  if (first->gain) {
    MIX(gain, first->lines * n)
  }
#undef MIX
  mix_tyres(from, arena, mixed);
  const Parts one = {first->drive, first->drive_param, &first->control, &first->layout};
  bool controls = true;
  for (int l = 0; l < RUT_MBD_LANES; l++) {
    const rutGroup* g = from->lane[l];
    const Parts parts = {g->drive, g->drive_param, &g->control, &g->layout};
    if (own) own[l] = g;
    if (control) control[l] = (rutControlOwn){&g->control, &g->layout};
    if (!same_drive(&one, &parts)) mixed->own_drive = 1;
    controls = controls && same_control(&one, &parts);
  }
  mixed->own = own;
  mixed->own_control = controls ? NULL : control;
  mixed->own_tree = 1;
  mixed->layout.lane_mass = mixed->lane_mass;
}

// Groups for copies of models with other constants.
static const rutGroup* mix_groups(const rutLanes* const lanes[RUT_MBD_LANES], rutArena* arena) {
  const rutModel* first = &lanes[0]->view[0];
  rutGroup* group = RUT_TAKE(arena, rutGroup, first->groups);
  for (int g = 0; g < first->groups; g++) {
    rutGroup mixed = first->group[g];
    const rutVehicleClass* class[RUT_MBD_LANES];
    Groups from;
    for (int l = 0; l < RUT_MBD_LANES; l++) {
      from.lane[l] = &lanes[l]->view[0].group[g];
      class[l] = from.lane[l]->spatial;
    }
    if (class[0]) {
      mixed.spatial = mix_class(class, arena);
    } else if (!mixed.mechanism) {
      mix_plane(&from, arena, &mixed);
    }
    if (group) group[g] = mixed;
  }
  return group;
}

static bool same_soils(const rutModel* a, const rutModel* b) {
  bool same = true;
  for (int i = 0; i < a->soils; i++) {
    same = same && same_params(a->soil[i].param, b->soil[i].param);
  }
  return same;
}

// Soils of all lanes, one behind the other. NULL if they are the same, or while measuring.
static const rutSoilRecord* join_soils(const rutLanes* const lanes[RUT_MBD_LANES],
                                       rutArena* arena) {
  const int soils = lanes[0]->view[0].soils;
  bool same = true;
  for (int l = 1; l < RUT_MBD_LANES; l++) {
    same = same && same_soils(&lanes[0]->view[0], &lanes[l]->view[0]);
  }
  if (same) return NULL;
  rutSoilRecord* soil = RUT_TAKE(arena, rutSoilRecord, RUT_MBD_LANES * soils);
  for (int l = 0; soil && l < RUT_MBD_LANES; l++) {
    memcpy(soil + (size_t)l * (size_t)soils, lanes[l]->view[0].soil, (size_t)soils * sizeof *soil);
  }
  return soil;
}

void rut_tile_take(const rutLanes* const lanes[RUT_MBD_LANES], rutArena* arena, rutTile* out) {
  const rutModel* view = &lanes[0]->view[0];
  const size_t presses = view->soft ? lanes[0]->presses : 0;
  double* table = RUT_TAKE(arena, double, lanes[0]->table_size);
  double* backup = RUT_TAKE(arena, double, lanes[0]->backup_size);
  rutSoftPress* press = RUT_TAKE(arena, rutSoftPress, presses);
  rutSoftPress* last_press = RUT_TAKE(arena, rutSoftPress, presses);
  bool same = true;
  for (int l = 1; l < RUT_MBD_LANES; l++) same = same && lanes[l]->exact == lanes[0]->exact;
  *out = (rutTile){.group = same ? view->group : mix_groups(lanes, arena),
                   .soil = same ? NULL : join_soils(lanes, arena),
                   .table = table,
                   .backup = backup,
                   .lead = -1};
  memcpy(out->lanes, lanes, sizeof out->lanes);
  if (!view->soft) return;
  out->press = press;
  out->last_press = last_press;
}

// ---- from a table to another ----

// Numbers of a batch: rows one after the other, each so many lanes wide.
typedef struct Rows {
  double* first;  // of the lane
  int lanes;
} Rows;

static void copy_rows(Rows to, Rows from, int n) {
  for (int r = 0; r < n; r++) to.first[r * to.lanes] = from.first[r * from.lanes];
}

// Where a member of a group stands at home, and in its lane.
typedef struct Places {
  const rutGroup *home, *lane;
  int home_batch, home_lane, batch, own;
} Places;

static Places places_of(const rutTile* tile, int group, int k, int lane) {
  const rutGroup* home = &tile->home[lane].model->group[group];
  return (Places){
      home, &tile->lanes[lane]->view[lane].group[group], k / home->lanes, k % home->lanes, k, lane};
}

static Rows rows_in(double* table, size_t offset, const rutGroup* g, int rows, int batch,
                    int lane) {
  return (Rows){table + offset + (size_t)batch * (size_t)rows * (size_t)g->lanes + lane, g->lanes};
}

static void move_rows(const rutTile* tile, const Places* p, bool join) {
  const rutLaneHome* home = &tile->home[p->own];
  const int rows[] = {p->home->row.rows, p->home->row.state_rows};
  double* const at_home[] = {home->table, home->backup};
  double* const in_lane[] = {tile->table, tile->backup};
  const size_t home_offset[] = {p->home->batch_offset, p->home->backup_offset};
  const size_t lane_offset[] = {p->lane->batch_offset, p->lane->backup_offset};
  for (int i = 0; i < 2; i++) {
    const Rows a =
        rows_in(at_home[i], home_offset[i], p->home, rows[i], p->home_batch, p->home_lane);
    const Rows b = rows_in(in_lane[i], lane_offset[i], p->lane, rows[i], p->batch, p->own);
    copy_rows(join ? b : a, join ? a : b, rows[i]);
  }
}

// What the wheels last did to the ground.
static void move_presses(const rutTile* tile, const Places* p, bool join) {
  if (!tile->press || !p->home->spatial) return;
  const int home_lanes = p->home->lanes, lanes = p->lane->lanes, pad = p->home->spatial->pad;
  rutSoftPress* a = tile->home[p->own].last_press + p->home->press_offset +
                    (size_t)(p->home_batch * p->home->spatial->body.n + p->home_lane);
  rutSoftPress* b = tile->last_press + p->lane->press_offset +
                    (size_t)(p->batch * p->lane->spatial->body.n + p->own);
  for (int w = 0; w < pad; w++) {
    if (join) {
      b[w * lanes] = a[w * home_lanes];
    } else {
      a[w * home_lanes] = b[w * lanes];
    }
  }
}

static void move_copy(const rutTile* tile, int lane, bool join) {
  const rutModel* model = tile->home[lane].model;
  for (int i = 0; i < model->groups; i++) {
    for (int k = 0; k < model->group[i].count; k++) {
      const Places p = places_of(tile, i, k, lane);
      move_rows(tile, &p, join);
      move_presses(tile, &p, join);
    }
  }
}

// ---- who is in which lane ----

// A sensor's sample for a controller: sensors are counted through all lanes.
static void read_sensor(const void* user, int sensor, int output, rutControlReading* out) {
  const rutTile* tile = user;
  const int sensors = tile->lanes[0]->view[0].sensors;
  const rutData* data = tile->data[sensor / sensors];
  rut_sensor_reading(data ? data : tile->data[tile->lead], sensor % sensors, output, out);
}

static uint64_t seed_of(const void* user, int lane) {
  const rutTile* tile = user;
  return tile->data[tile->data[lane] ? lane : tile->lead]->seed;
}

static double time_of(const void* user, int lane) {
  const rutTile* tile = user;
  return tile->data[tile->data[lane] ? lane : tile->lead]->time;
}

static void look_of(const void* user, int lane, const rutGroundPoints* at, double above,
                    double* ground, double* top) {
  const rutTile* tile = user;
  rut_cast_fixed(tile->data[tile->data[lane] ? lane : tile->lead], at, above, ground, top);
}

static void find_lead(rutTile* tile) {
  tile->lead = -1;
  tile->copies = 0;
  for (int l = RUT_MBD_LANES - 1; l >= 0; l--) {
    if (!tile->data[l]) continue;
    tile->lead = l;
    tile->copies++;
  }
  for (int l = 0; l < RUT_MBD_LANES && tile->lead >= 0; l++) {
    tile->soft[l] = tile->data[tile->data[l] ? l : tile->lead]->soft;
  }
  tile->loose = tile->copies < RUT_MBD_LANES;
}

bool rut_tile_can_join(const rutTile* tile, const rutData* data) {
  if (data->steps < 1 || data->ground != data->model->ground) return false;
  return !tile->lanes[0]->in_step || tile->lead < 0 || tile->data[tile->lead]->steps == data->steps;
}

void rut_tile_join(rutTile* tile, int lane, rutData* data) {
  tile->home[lane] = (rutLaneHome){data->model, data->table,      data->backup,
                                   data->press, data->last_press, data->control};
  tile->data[lane] = data;
  move_copy(tile, lane, true);
  data->model = &tile->lanes[lane]->view[lane];
  data->table = tile->table;
  data->backup = tile->backup;
  data->press = tile->press;
  data->last_press = tile->last_press;
  data->control.user = tile;
  data->control.read = read_sensor;
  data->control.look = look_of;
  data->control.seed = seed_of;
  data->control.time = time_of;
  data->control.work = NULL;
  data->lane_soft = tile->press ? tile->soft : NULL;
  data->lane_soil = tile->soil;
  find_lead(tile);
}

void rut_tile_leave(rutTile* tile, int lane) {
  rutData* data = tile->data[lane];
  const rutLaneHome* home = &tile->home[lane];
  move_copy(tile, lane, false);
  data->model = home->model;
  data->table = home->table;
  data->backup = home->backup;
  data->press = home->press;
  data->last_press = home->last_press;
  data->control = home->control;
  data->lane_soft = NULL;
  data->lane_soil = NULL;
  tile->data[lane] = NULL;
  for (int i = 0; i < data->model->groups; i++) rut_fill_padding(data, &data->model->group[i]);
  find_lead(tile);
}

// Lanes without a copy repeat the lead's numbers, so that they compute what is finite.
static void fill_lanes(rutTile* tile) {
  const rutModel* view = &tile->lanes[0]->view[0];
  for (int t = 0; t < view->batches; t++) {
    const rutGroup* g = &view->group[view->task[t].group];
    const int rows = g->row.rows, batch = view->task[t].batch;
    const Rows lead = rows_in(tile->table, g->batch_offset, g, rows, batch, tile->lead);
    for (int l = 0; l < RUT_MBD_LANES; l++) {
      if (tile->data[l]) continue;
      copy_rows(rows_in(tile->table, g->batch_offset, g, rows, batch, l), lead, rows);
    }
  }
  tile->loose = false;
}

// ---- a step ----

// Does a step do more with a copy than with its vehicles?
static bool has_bodies(const rutModel* model) {
  return model->touchable || model->blocks > 0 || model->space_blocks > 0;
}

static void velocities(rutTile* tile, unsigned char* memory) {
  rutData* lead = tile->data[tile->lead];
  const rutModel* view = lead->model;
  const bool bodies = has_bodies(view);
  for (int l = 0; bodies && l < RUT_MBD_LANES; l++) {
    if (tile->data[l]) rut_step_keep_bodies(tile->data[l]->model, tile->data[l]);
  }
  for (int t = 0; t < view->batches; t++) {
    const rutBatchTask* unit = &view->task[t];
    rut_step_velocity(lead, &tile->group[unit->group], unit->batch, memory);
    for (int l = 0; view->touchable && l < RUT_MBD_LANES; l++) {
      rutData* data = tile->data[l];
      if (data) rut_bodies_gather(data, &data->model->group[unit->group], unit->batch);
    }
  }
  for (int l = 0; bodies && l < RUT_MBD_LANES; l++) {
    rutData* data = tile->data[l];
    if (!data) continue;
    rut_blocks_velocity(data->model, data);
    rut_space_velocity(data->model, data);
    rut_step_contact(data->model, data);
  }
}

// True if all coordinates are finite, those of lanes without a copy included.
static bool positions(rutTile* tile) {
  rutData* lead = tile->data[tile->lead];
  const rutModel* view = lead->model;
  bool finite = true;
  for (int t = 0; t < view->batches; t++) {
    const rutBatchTask* unit = &view->task[t];
    for (int l = 0; view->touchable && l < RUT_MBD_LANES; l++) {
      rutData* data = tile->data[l];
      if (!data) continue;
      rut_bodies_scatter_velocity(data->model, data, &data->model->group[unit->group], unit->batch);
    }
    if (!rut_step_position(lead, &tile->group[unit->group], unit->batch)) finite = false;
  }
  for (int l = 0; has_bodies(view) && l < RUT_MBD_LANES; l++) {
    rutData* data = tile->data[l];
    if (!data) continue;
    rut_blocks_position(data->model, data);
    rut_space_position(data->model, data);
    rut_step_correct(data->model, data);
  }
  return finite;
}

static bool is_finite(const rutTile* tile, int lane) {
  const rutData* data = tile->data[lane];
  const rutModel* view = data->model;
  for (int t = 0; t < view->batches; t++) {
    const rutGroup* g = &view->group[view->task[t].group];
    const double* q = rut_batch(data, g, view->task[t].batch) + g->row.q * g->lanes + lane;
    for (int i = 0; i < g->tree.positions + g->tree.speeds; i++) {
      if (!rut_all_finite(q + i * g->lanes, 1)) return false;
    }
  }
  return rut_step_bodies_are_finite(view, data);
}

// Take those out that are not finite; their data then holds the state before the step.
static unsigned part_with_diverged(rutTile* tile, bool finite) {
  unsigned gone = 0;
  const bool bodies = has_bodies(&tile->lanes[0]->view[0]);
  for (int l = 0; (bodies || !finite) && l < RUT_MBD_LANES; l++) {
    rutData* data = tile->data[l];
    if (!data || (finite && rut_step_bodies_are_finite(data->model, data)) || is_finite(tile, l)) {
      continue;
    }
    rut_tile_leave(tile, l);
    rut_step_diverged(data->model, data, NULL);
    gone |= 1u << l;
  }
  // numbers of lanes without a copy may not be finite either
  if (!finite) tile->loose = tile->copies < RUT_MBD_LANES;
  return gone;
}

// What comes after the positions.
static void end_step(rutTile* tile) {
  rutData* lead = tile->data[tile->lead];
  for (int l = 0; l < RUT_MBD_LANES; l++) {
    rutData* data = tile->data[l];
    if (!data) continue;
    if (data->soft) rut_ruts_commit(data->model, data);
    data->steps++;
    data->time = (double)data->steps * data->model->dt;
    rut_keyframes_apply(data->model, data);
  }
  if (tile->press) rut_ruts_forget(lead->model, lead);
  const rutModel* view = lead->model;
  for (int t = 0; view->ground->sources && t < view->batches; t++) {
    const rutGroup* g = &tile->group[view->task[t].group];
    if (!g->spatial) {
      rut_batch_ground(view, lead, g, rut_batch(lead, g, view->task[t].batch));
    }
  }
  for (int l = 0; view->sensors > 0 && l < RUT_MBD_LANES; l++) {
    if (tile->data[l]) rut_sensors_sample(tile->data[l]->model, tile->data[l]);
  }
}

unsigned rut_tile_step(rutTile* tile, unsigned char* memory) {
  if (tile->copies == 0) return 0;
  if (tile->loose) fill_lanes(tile);
  velocities(tile, memory);
  const unsigned gone = part_with_diverged(tile, positions(tile));
  if (tile->copies > 0) end_step(tile);
  if (tile->copies == 0 && tile->press) {
    memset(tile->press, 0, tile->lanes[0]->presses * sizeof *tile->press);
  }
  return gone;
}
