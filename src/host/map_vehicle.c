// SPDX-License-Identifier: BSD-3-Clause
#include "host/map_vehicle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/track.h"
#include "math/rut_math.h"
#include "rut/host.h"
#include "rut/trial.h"

enum { MOST_FILE = 64 << 20, PATH_SIZE = 4096 };

// ---- its file ----

static rutStatus load_alone(rutContext* context, const char* path, rutSpec** out, rutError* err) {
  char text[PATH_SIZE + 64], name[PATH_SIZE + 16];
  const char* slash = strrchr(path, '/');
  const char* base = slash ? slash + 1 : path;
  if (strlen(path) >= PATH_SIZE || strpbrk(base, "&<>\"'")) {
    return rut_error_set(err, RUT_ERR_IO, "rename '%.200s': no &, <, >, ' and \" here", path);
  }
  const int length =
      snprintf(text, sizeof text, "<world timestep=\"1 ms\"><include file=\"%s\"/></world>", base);
  snprintf(name, sizeof name, "%s (alone)", path);
  return rut_spec_parse(context, text, (size_t)length, name, out, err);
}

rutStatus rut_map_world(const rutMap* map, rutContext* context, rutSpec** out, rutError* err) {
  void* bytes = NULL;
  size_t size = 0;
  *out = NULL;
  rutStatus status = rut_spec_read_file(map->spec, map->world, MOST_FILE, &bytes, &size, err);
  if (status != RUT_OK) return status;
  const bool alone = rut_is_vehicle_text(bytes);
  free(bytes);
  return alone ? load_alone(context, map->world, out, err)
               : rut_spec_load(context, map->world, out, err);
}

// ---- what it is like ----

static void measure(const rutTrack* t, rutMapVehicle* v) {
  static const double AIR = 1.225;  // [kg/m3]
  const rutNode chassis = rut_node_first(t->spec, t->vehicle, "chassis");
  double force = 0;
  for (rutNode axle = rut_node_first(t->spec, t->vehicle, "axle"); !rut_node_is_null(axle);
       axle = rut_node_next(t->spec, axle, "axle")) {
    const int wheels = rut_node_number(t->spec, axle, "track") > 0 ? 2 : 1;
    force +=
        wheels * rut_node_number(t->spec, axle, "brake") / rut_node_number(t->spec, axle, "radius");
  }
  v->brakes = force > 0 && v->weight > 0 ? force / v->weight : RUT_INFINITY;
  const double area = rut_node_number(t->spec, chassis, "drag_area");
  v->drag = area > 0 ? 0.5 * AIR * area : 0;
  int n = 0;
  const double* outline = rut_node_numbers(t->spec, chassis, "outline", &n);
  double ahead = t->front, behind = t->rear;
  for (int i = 0; i + 1 < n; i += 2) {
    ahead = rut_max(ahead, outline[i]);
    behind = rut_min(behind, outline[i]);
  }
  v->shape = (rutMapShape){.wheelbase = t->front - t->rear,
                           .front = ahead - t->front,
                           .rear = t->rear - behind,
                           .clearance = v->axles.clearance};
}

// Torque of all wheels over their radius.
static double effort_of(const rutTrack* t, const double* radius) {
  double sum = 0;
  for (int i = 0; i < t->wheels && i < RUT_TRACK_WHEELS; i++) {
    sum += rut_wheel_state(t->model, t->data, i).torque / radius[i];
  }
  return sum;
}

static void read_radii(const rutTrack* t, double radius[RUT_TRACK_WHEELS]) {
  int w = 0;
  for (rutNode axle = rut_node_first(t->spec, t->vehicle, "axle"); !rut_node_is_null(axle);
       axle = rut_node_next(t->spec, axle, "axle")) {
    const int wheels = rut_node_number(t->spec, axle, "track") > 0 ? 2 : 1;
    for (int i = 0; i < wheels && w < RUT_TRACK_WHEELS; i++) {
      radius[w++] = rut_node_number(t->spec, axle, "radius");
    }
  }
}

// Full throttle, also of a vehicle whose own controller drives it.
static void floor_it(const rutTrack* t) {
  static const double FAST = 100;  // [m/s]
  double command[16];
  if (!rut_node_is_null(t->driver) || t->speed < 0) return;
  for (int i = 0; i < 16; i++) command[i] = RUT_NAN;
  command[t->speed] = FAST;
  rut_command(t->model, t->data, 0, t->controls, command);
}

// Mean effort in intervals of speed, by accelerating until nothing is gained.
static rutStatus accelerate(rutTrack* t, rutMapVehicle* v, rutError* err) {
  static const double LONGEST = 90, PATIENCE = 4, GAIN = 0.02;  // [s], [s], [m/s]
  double radius[RUT_TRACK_WHEELS], sum[RUT_MAP_SPEEDS] = {0};
  int count[RUT_MAP_SPEEDS] = {0};
  const rutTrackDrive drive = {.manoeuvre = "acceleration", .at_rest = true};
  rutStatus status = rut_track_begin(t, &drive, LONGEST, err);
  read_radii(t, radius);
  if (status == RUT_OK) floor_it(t);
  double best = 0, mark = 0, since = 0;
  v->spacing = 1;
  while (status == RUT_OK && rut_time(t->data) < LONGEST) {
    status = rut_track_step(t, err);
    const double speed = rut_track_state(t).velocity[0], time = rut_time(t->data);
    if (speed > mark + GAIN) {
      mark = speed;
      since = time;
    }
    best = rut_max(best, speed);
    const int k = (int)(rut_max(0, speed) / v->spacing + 0.5);
    // the tyres take up the first torque
    if (time > 0.3 && k < RUT_MAP_SPEEDS) {
      sum[k] += effort_of(t, radius);
      count[k]++;
    }
    if (time - since > PATIENCE) break;
  }
  v->gravity = t->seat.gravity;
  rut_track_end(t);
  if (status != RUT_OK) return status;
  v->top_speed = best;
  double last = 0;
  for (int k = 0; k < RUT_MAP_SPEEDS && k <= best / v->spacing + 0.5; k++) {
    if (count[k] > 0) last = sum[k] / count[k];
    v->effort[k] = last;
    v->speeds = k + 1;
  }
  for (int k = v->speeds - 2; k >= 0; k--) {
    if (count[k] == 0) v->effort[k] = v->effort[k + 1];
  }
  return RUT_OK;
}

rutStatus rut_map_look(rutMap* map, const rutSpec* world, uint64_t* hash, rutError* err) {
  rutMapVehicle* v = &map->vehicle;
  static const double SLOWEST = 0.1;  // top speed of what does not drive [m/s]
  rutStatus status = rut_mobility_vehicle(world, map->vehicle_name, &v->axles, err);
  if (status != RUT_OK) return status;
  v->weight = rut_mobility_weight(&v->axles);
  rutTrialDef trial = rut_default_trial();
  rutTrials* trials = NULL;
  trial.vehicle = map->vehicle_name;
  status = rut_trials_create(world, &trial, &trials, err);
  if (status == RUT_OK) {
    v->height = rut_trials_vehicle(trials).height;
    v->track = rut_trials_vehicle(trials).track;
    snprintf(v->name, sizeof v->name, "%s", rut_trials_vehicle(trials).name);
  }
  rut_trials_destroy(trials);
  rutTrack t;
  if (status == RUT_OK) status = rut_track_open(world, map->vehicle_name, &t, err);
  if (status != RUT_OK) return status;
  measure(&t, v);
  const rutTrackDrive stand = {.manoeuvre = "straight", .at_rest = true};
  status = rut_track_begin(&t, &stand, 1, err);
  if (status == RUT_OK) *hash = rut_model_hash(t.model);
  rut_track_end(&t);
  if (status == RUT_OK) status = accelerate(&t, v, err);
  rut_track_close(&t);
  if (status == RUT_OK && !(v->top_speed > SLOWEST)) {
    status = rut_error_set(err, RUT_ERR_MODEL,
                           "'%.60s' does not drive on hard level ground: it has no drive, or no "
                           "controller that moves it",
                           v->name);
  }
  return status;
}
