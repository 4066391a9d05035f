// SPDX-License-Identifier: BSD-3-Clause
#include "host/track.h"

#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "math/rut_math.h"
#include "rut/component.h"

static const char SOIL[] = "ground";  // name of the soil of a track
enum { MOST_COMMANDS = 16, MOST_METRICS = 128 };

// ---- the vehicle ----

static bool is_kind(const rutSpec* spec, rutNode node, const char* kind) {
  return strcmp(rut_node_kind(spec, node), kind) == 0;
}

// Remove children of these kinds, or, if `but`, of all others. kinds ends with NULL.
static void remove_children(rutSpec* spec, rutNode parent, const char* const* kinds, bool but) {
  rutNode node = rut_node_first(spec, parent, NULL);
  while (!rut_node_is_null(node)) {
    const rutNode next = rut_node_next(spec, node, NULL);
    bool listed = false;
    for (int i = 0; kinds[i]; i++) listed = listed || is_kind(spec, node, kinds[i]);
    if (listed != but) rut_spec_remove(spec, node);
    node = next;
  }
}

static rutStatus pick_vehicle(rutTrack* t, const char* name, rutError* err) {
  static const char* const kept[] = {"vehicle", "material", NULL};
  rutSpec* spec = t->spec;
  const rutNode root = rut_spec_root(spec);
  remove_children(spec, root, kept, true);
  rutNode node = rut_node_first(spec, root, "vehicle");
  while (!rut_node_is_null(node)) {
    const rutNode next = rut_node_next(spec, node, "vehicle");
    const bool fits = !name || !name[0] || strcmp(rut_node_name(spec, node), name) == 0;
    if (rut_node_is_null(t->vehicle) && fits) {
      t->vehicle = node;
    } else {
      rut_spec_remove(spec, node);
    }
    node = next;
  }
  if (rut_node_is_null(t->vehicle)) {
    return rut_error_set(err, RUT_ERR_MODEL, "no vehicle%s%.60s%s in this world",
                         name && name[0] ? " called '" : "", name ? name : "",
                         name && name[0] ? "'" : "");
  }
  if (rut_node_is_null(rut_node_first(spec, t->vehicle, "axle"))) {
    return rut_error_set(err, RUT_ERR_MODEL,
                         "'%.60s' is a planar vehicle; tests need one on <axle> elements",
                         rut_node_name(spec, t->vehicle));
  }
  return RUT_OK;
}

// Its extent, and whether it steers.
static bool measure(rutTrack* t) {
  const rutSpec* spec = t->spec;
  bool steers = false;
  int w = 0;
  double ahead = -RUT_INFINITY, behind = RUT_INFINITY;
  t->slices = rut_node_number(spec, t->vehicle, "contact_slices");
  t->front = -RUT_INFINITY;
  t->rear = RUT_INFINITY;
  for (rutNode axle = rut_node_first(spec, t->vehicle, "axle"); !rut_node_is_null(axle);
       axle = rut_node_next(spec, axle, "axle")) {
    const double x = rut_node_number(spec, axle, "x"), track = rut_node_number(spec, axle, "track");
    const double radius = rut_node_number(spec, axle, "radius");
    t->front = rut_max(t->front, x);
    t->rear = rut_min(t->rear, x);
    t->radius = rut_max(t->radius, radius);
    t->width = rut_max(t->width, track);
    t->across = rut_max(t->across, track + rut_node_number(spec, axle, "width"));
    ahead = rut_max(ahead, x + radius);
    behind = rut_min(behind, x - radius);
    if (w < RUT_TRACK_WHEELS) t->side[w++] = track > 0 ? 1 : 0;
    if (track > 0 && w < RUT_TRACK_WHEELS) t->side[w++] = -1;
    steers = steers || rut_node_number(spec, axle, "max_steer") > 0;
  }
  int n = 0;
  const rutNode chassis = rut_node_first(spec, t->vehicle, "chassis");
  const double* outline = rut_node_numbers(spec, chassis, "outline", &n);
  for (int i = 0; i + 1 < n; i += 2) {
    ahead = rut_max(ahead, outline[i]);
    behind = rut_min(behind, outline[i]);
    t->across = rut_max(t->across, 2 * rut_abs(outline[i + 1]));
  }
  t->length = ahead - behind;
  return steers;
}

// A driver in place of all controllers, with the numbers of one that there is.
static rutStatus hire_driver(rutTrack* t, rutError* err) {
  static const char* const gone[] = {"sensor", NULL};
  static const char* const controllers[] = {"controller", NULL};
  rutSpec* spec = t->spec;
  const rutNode first = rut_node_first(spec, t->vehicle, "controller");
  if (!rut_node_is_null(first) && strcmp(rut_node_type(spec, first), "driver") == 0) {
    t->driver = first;
  } else {
    remove_children(spec, t->vehicle, controllers, false);
    t->driver = rut_spec_add(spec, t->vehicle, "controller", "driver", "", err);
    if (rut_node_is_null(t->driver)) return RUT_ERR_MODEL;
    rut_node_set_number(spec, t->driver, "length", t->length, NULL);
    rut_node_set_number(spec, t->driver, "width", t->across, NULL);
    rut_node_set_number(spec, t->driver, "understeer", 0, NULL);
  }
  remove_children(spec, t->vehicle, gone, false);
  return RUT_OK;
}

rutStatus rut_track_open(const rutSpec* world, const char* name, rutTrack* t, rutError* err) {
  static const char* const gone[] = {"hitch", "lamp", "log", NULL};
  *t = (rutTrack){.speed = -1};
  rutStatus status = rut_spec_copy(world, &t->spec, err);
  if (status == RUT_OK) status = pick_vehicle(t, name, err);
  if (status != RUT_OK) {
    rut_track_close(t);
    return status;
  }
  remove_children(t->spec, t->vehicle, gone, false);
  static const double origin[3] = {0};
  rut_node_set_numbers(t->spec, t->vehicle, "position", 2, origin, NULL);
  for (int i = 0; i < 3; i++) {
    static const char* const angle[] = {"yaw", "pitch", "roll"};
    rut_node_set_number(t->spec, t->vehicle, angle[i], 0, NULL);
  }
  rut_node_set(t->spec, t->vehicle, "on_ground", "true", NULL);
  rut_node_set(t->spec, t->vehicle, "rolling_start", "true", NULL);
  const rutNode root = rut_spec_root(t->spec);
  if (!(rut_node_number(t->spec, root, "timestep") > 0)) {
    rut_node_set_number(t->spec, root, "timestep", 1e-3, NULL);
  }
  if (measure(t)) status = hire_driver(t, err);
  if (status == RUT_OK) status = rut_track_road(t, 0.8, err);
  if (status != RUT_OK) rut_track_close(t);
  return status;
}

void rut_track_close(rutTrack* t) {
  rut_track_end(t);
  rut_spec_destroy(t->spec);
  t->spec = NULL;
}

// ---- ground ----

void rut_track_clear(rutTrack* t) {
  static const char* const shapes[] = {"terrain", NULL};
  remove_children(t->spec, rut_spec_root(t->spec), shapes, false);
}

// A soil of a type in place of the last one.
static rutStatus lay(rutTrack* t, const char* type, rutError* err) {
  static const char* const soils[] = {"soil", NULL};
  const rutNode root = rut_spec_root(t->spec);
  rut_track_clear(t);
  remove_children(t->spec, root, soils, false);
  t->ground = rut_spec_add(t->spec, root, "soil", type, SOIL, err);
  if (rut_node_is_null(t->ground)) return RUT_ERR_ARGUMENT;
  return rut_node_set(t->spec, root, "soil", SOIL, err);
}

rutStatus rut_track_road(rutTrack* t, double friction, rutError* err) {
  rutStatus status = lay(t, "magic_formula", err);
  if (status == RUT_OK) status = rut_node_set(t->spec, t->ground, "surface", "user", err);
  const rutTrackNumber number[] = {{"b", 10}, {"c", 1}, {"d", friction}, {"e", 0}};
  for (int i = 0; i < (int)(sizeof number / sizeof number[0]) && status == RUT_OK; i++) {
    status = rut_node_set_number(t->spec, t->ground, number[i].name, number[i].value, err);
  }
  return status;
}

// The nearest name of a type or preset of soils, NULL if none is near.
static const char* nearest_soil(const rutContext* context, const char* name) {
  const char* known[256];
  size_t n = 0;
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* type = rut_component_at(context, i);
    if (strcmp(type->kind, "soil") != 0) continue;
    if (n < 256) known[n++] = type->name;
    for (int k = 0; k < type->presets && n < 256; k++) known[n++] = type->preset[k].name;
  }
  return rut_nearest(name, n, known);
}

rutStatus rut_track_soil(rutTrack* t, const char* soil, int settings, const char* const* setting,
                         rutError* err) {
  const rutContext* context = rut_spec_context(t->spec);
  const rutComponent* found = NULL;
  bool preset = false;
  for (int i = 0; i < rut_component_count(context) && !found; i++) {
    const rutComponent* type = rut_component_at(context, i);
    if (strcmp(type->kind, "soil") != 0) continue;
    for (int k = 0; k < type->presets && !preset; k++) {
      preset = strcmp(type->preset[k].name, soil) == 0;
    }
    if (preset || strcmp(type->name, soil) == 0) found = type;
  }
  if (!found) {
    const char* near = nearest_soil(context, soil);
    return rut_error_set(err, RUT_ERR_ARGUMENT, "no soil called '%.60s'%s%s%s", soil,
                         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  rutStatus status = lay(t, found->name, err);
  if (status == RUT_OK && preset) status = rut_node_set(t->spec, t->ground, "preset", soil, err);
  for (int i = 0; i < settings && status == RUT_OK; i++) {
    char field[64];
    const char* sign = strchr(setting[i], '=');
    const size_t length = sign ? (size_t)(sign - setting[i]) : 0;
    if (length == 0 || length >= sizeof field) {
      return rut_error_set(err, RUT_ERR_ARGUMENT, "'%.60s' is no FIELD=VALUE", setting[i]);
    }
    memcpy(field, setting[i], length);
    field[length] = '\0';
    rutError cause = {0};
    if (rut_node_set(t->spec, t->ground, field, sign + 1, &cause) != RUT_OK) {
      return rut_error_set(err, RUT_ERR_ARGUMENT, "setting '%.100s' of soil '%.60s': %.300s",
                           setting[i], soil, cause.message);
    }
  }
  return status;
}

rutStatus rut_track_shape(rutTrack* t, const char* type, double x,
                          const rutTrackNumber number[RUT_TRACK_NUMBERS], rutError* err) {
  const double at[2] = {x, 0};
  const rutNode node = rut_spec_add(t->spec, rut_spec_root(t->spec), "terrain", type, "", err);
  if (rut_node_is_null(node)) return RUT_ERR_MODEL;
  rutStatus status = rut_node_set_numbers(t->spec, node, "position", 2, at, err);
  for (int i = 0; i < RUT_TRACK_NUMBERS && number[i].name && status == RUT_OK; i++) {
    status = rut_node_set_number(t->spec, node, number[i].name, number[i].value, err);
  }
  return status;
}

// ---- a run ----

// Of a vehicle that its own controller drives: the set point that is its speed.
static rutStatus find_controls(rutTrack* t, const rutTrackDrive* drive, rutError* err) {
  const rutVehicleInfo info = rut_vehicle_info(t->model, 0);
  double command[MOST_COMMANDS] = {0};
  t->controls = info.commands;
  if (!rut_node_is_null(t->driver) || drive->coasts) return RUT_OK;
  t->speed = -1;
  for (int i = 0; i < info.commands && i < MOST_COMMANDS; i++) {
    const rutVariableInfo v = rut_variable(t->model, RUT_VEHICLE, 0, RUT_COMMAND, i);
    if (strcmp(v.name, "speed") == 0) t->speed = i;
  }
  if (t->speed < 0 || info.commands > MOST_COMMANDS) {
    return rut_error_set(err, RUT_ERR_MODEL,
                         "'%.60s' neither steers, so that a driver could drive it, nor has a "
                         "controller that holds a speed",
                         info.name);
  }
  command[t->speed] = drive->speed;
  return rut_command(t->model, t->data, 0, info.commands, command);
}

static void brief(rutTrack* t, const rutTrackDrive* drive) {
  static const double CLOSE = 96;  // slices of an arc that tell two edges apart
  // of a usual driver, per speed error [1/s] and its integral [1/s2]; of both
  static const double GAIN = 1.5, SUM = 0.3, SUM_PER_GAIN = 0.2;
  rutSpec* spec = t->spec;
  const double velocity[2] = {drive->at_rest ? 0 : drive->speed, 0};
  rut_node_set_numbers(spec, t->vehicle, "velocity", 2, velocity, NULL);
  rut_node_set_number(spec, t->vehicle, "contact_slices",
                      drive->edges ? rut_max(t->slices, CLOSE) : t->slices, NULL);
  if (rut_node_is_null(t->driver)) return;
  rut_node_set(spec, t->driver, "manoeuvre", drive->manoeuvre, NULL);
  rut_node_set_number(spec, t->driver, "speed", drive->speed, NULL);
  rut_node_set_number(spec, t->driver, "start_time", drive->start, NULL);
  rut_node_set_number(spec, t->driver, "start_distance", drive->start, NULL);
  const double gain = drive->gain;
  rut_node_set_number(spec, t->driver, "speed_gain", gain > 0 ? gain : GAIN, NULL);
  rut_node_set_number(spec, t->driver, "speed_integral", gain > 0 ? SUM_PER_GAIN * gain : SUM,
                      NULL);
  if (drive->radius > 0) rut_node_set_number(spec, t->driver, "radius", drive->radius, NULL);
}

rutStatus rut_track_begin(rutTrack* t, const rutTrackDrive* drive, double duration, rutError* err) {
  rut_track_end(t);
  brief(t, drive);
  rut_node_set_number(t->spec, rut_spec_root(t->spec), "duration", duration, NULL);
  rutStatus status = rut_compile(t->spec, &t->model, err);
  if (status != RUT_OK) return status;
  t->data = rut_data_create(t->model);
  if (!t->data) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a test");
  t->wheels = rut_vehicle_info(t->model, 0).wheels;
  status = find_controls(t, drive, err);
  if (status == RUT_OK) {
    status = rut_metrics_create(t->spec, t->model, t->data, duration, &t->metrics, err);
  }
  if (status == RUT_OK) status = rut_metrics_watch(t->metrics, t->model, t->data, 0, err);
  t->seat = rut_seat_of(t->spec, t->vehicle);
  if (status == RUT_OK) status = rut_seat_begin(&t->seat, rut_model_timestep(t->model), err);
  return status;
}

rutStatus rut_track_step(rutTrack* t, rutError* err) {
  const rutStatus status = rut_step(t->model, t->data, err);
  if (status != RUT_OK) return status;
  rut_metrics_step(t->metrics, t->model, t->data);
  rut_seat_add(&t->seat, t->model, t->data, 0);
  return RUT_OK;
}

void rut_track_end(rutTrack* t) {
  rut_seat_end(&t->seat);
  rut_metrics_destroy(t->metrics);
  if (t->data) rut_data_destroy(t->data);
  if (t->model) rut_model_destroy(t->model);
  t->metrics = NULL;
  t->data = NULL;
  t->model = NULL;
}

rutVehicleState rut_track_state(const rutTrack* t) {
  return rut_vehicle_state(t->model, t->data, 0);
}

double rut_track_load(const rutTrack* t, int side) {
  double sum = 0;
  for (int i = 0; i < t->wheels && i < RUT_TRACK_WHEELS; i++) {
    if (side == 0 || side == t->side[i]) sum += rut_wheel_state(t->model, t->data, i).load;
  }
  return sum;
}

double rut_track_metric(const rutTrack* t, const char* name) {
  rutMetric metric[MOST_METRICS];
  const int n = rut_metrics_get(t->metrics, t->model, 0, MOST_METRICS, metric);
  for (int i = 0; i < n && i < MOST_METRICS; i++) {
    if (strcmp(metric[i].name, name) == 0) return metric[i].value;
  }
  return RUT_NAN;
}

void rut_track_centre(const rutTrack* t, double centre[3]) {
  const rutNode chassis = rut_node_first(t->spec, t->vehicle, "chassis");
  int n = 0;
  const double* com = rut_node_numbers(t->spec, chassis, "com", &n);
  for (int i = 0; i < 3; i++) centre[i] = i < n ? com[i] : 0;
  if (n > 2) return;
  centre[2] = 0.5 * (rut_node_number(t->spec, chassis, "z_min") +
                     rut_node_number(t->spec, chassis, "z_max"));
}

double rut_track_height(const rutTrack* t) {
  const rutNode chassis = rut_node_first(t->spec, t->vehicle, "chassis");
  const double body = rut_node_number(t->spec, chassis, "mass");
  const double all = rut_vehicle_info(t->model, 0).mass;
  double centre[3], hubs = 0;
  rut_track_centre(t, centre);
  for (int i = 0; i < t->wheels; i++) {
    hubs += rut_wheel_pose(t->model, t->data, i).position[2] / t->wheels;
  }
  return (body * (rut_track_state(t).position[2] + centre[2]) + (all - body) * hubs) / all;
}
