// SPDX-License-Identifier: BSD-3-Clause
//
// On a plane eight copies of the vehicle drive for three seconds, from eight speeds: seven at full
// throttle, whose accelerations tell the speed that is held, and one that brakes.
#include "host/map_point.h"

#include <string.h>

#include "base/report.h"
#include "host/map_vehicle.h"
#include "math/rut_math.h"
#include "rut/batch.h"
#include "rut/trial.h"

enum { COPIES = 8, BRAKES = 7, INTERVALS = 12, COMMANDS = 16 };
static const double INTERVAL = 0.25;  // [s]
// Speeds at the start over the top speed; the last one brakes.
static const double share[COPIES] = {0.04, 0.1, 0.2, 0.33, 0.5, 0.75, 1, 0.4};
static const double LEAST = 0.5, BRAKED_FROM = 10;  // [m/s]

// How a copy has moved.
typedef struct Lane {
  double start;             // [m/s]
  double speed[INTERVALS];  // mean of each interval, along the slope [m/s]
  double offset;            // from its line at the end [m]
  bool whole;               // neither tipped, nor turned, nor diverged
} Lane;

rutStatus rut_map_runner_open(const rutMap* map, rutMapRunner* r, rutError* err) {
  *r = (rutMapRunner){.map = map};
  rutStatus status = map->host.open(&r->context, map->host.user, err);
  if (status == RUT_OK) status = rut_map_world(map, r->context, &r->world, err);
  if (status == RUT_OK) status = rut_track_open(r->world, map->vehicle_name, &r->track, err);
  if (status != RUT_OK) rut_map_runner_close(r);
  return status;
}

void rut_map_runner_close(rutMapRunner* r) {
  if (r->track.spec) rut_track_close(&r->track);
  rut_spec_destroy(r->world);
  if (r->context) rut_context_destroy(r->context);
  *r = (rutMapRunner){0};
}

// ---- ground ----

static rutStatus lay(rutMapRunner* r, const rutMapTask* task, rutError* err) {
  const rutMap* map = r->map;
  rutTrack* t = &r->track;
  const bool given = !isnan(task->strength);
  if (!map->soil[0]) return rut_track_road(t, given ? task->strength : map->friction, err);
  rutStatus status =
      rut_track_soil(t, map->soil, map->settings, (const char* const*)map->setting, err);
  if (status == RUT_OK && given) {
    status = rut_node_set_number(t->spec, t->ground, map->field, task->strength, err);
  }
  return status;
}

static rutStatus lay_plane(rutMapRunner* r, const rutMapTask* task, rutError* err) {
  rutStatus status = lay(r, task, err);
  const rutTrackNumber number[RUT_TRACK_NUMBERS] = {{"slope_x", task->grade},
                                                    {"slope_y", task->side}};
  return status == RUT_OK ? rut_track_shape(&r->track, "plane", 0, number, err) : status;
}

// ---- eight copies ----

// A copy per speed. Models differ in the speed at the start alone, which the batch takes over.
static rutStatus start(rutMapRunner* r, rutBatch** batch, Lane lane[COPIES], rutError* err) {
  static const double EAGER = 100, LONG = 10;  // gain of a driver who uses all force; [s]
  rutTrack* t = &r->track;
  rutStatus status = RUT_OK;
  *batch = NULL;
  for (int c = 0; c < COPIES && status == RUT_OK; c++) {
    lane[c] = (Lane){.start = rut_max(LEAST, share[c] * r->map->vehicle.top_speed)};
    if (c == BRAKES) lane[c].start = rut_min(lane[c].start, BRAKED_FROM);
    const rutTrackDrive drive = {.manoeuvre = "straight", .speed = lane[c].start, .gain = EAGER};
    status = rut_track_begin(t, &drive, LONG, err);
    if (status == RUT_OK && c == 0) {
      rutBatchDef def = rut_default_batch();
      def.copies = COPIES;
      def.workers = 1;
      status = rut_batch_create(t->spec, &def, batch, err);
    }
    if (status == RUT_OK) status = rut_batch_adopt(*batch, 1, &c, t->model, t->data, err);
  }
  return status;
}

// Full throttle, or full brakes.
static void command_all(const rutMapRunner* r, const rutBatch* batch, int n,
                        double command[COPIES][COMMANDS]) {
  static const double FAST = 100;  // [m/s]
  const rutModel* model = rut_batch_model(batch);
  const bool driver = !rut_node_is_null(r->track.driver);
  for (int c = 0; c < COPIES; c++) {
    for (int i = 0; i < n; i++) {
      const char* name = rut_variable(model, RUT_VEHICLE, 0, RUT_COMMAND, i).name;
      command[c][i] = RUT_NAN;
      if (strcmp(name, "speed") == 0) command[c][i] = c == BRAKES ? 0 : FAST;
      if (driver && strcmp(name, "brake") == 0) command[c][i] = c == BRAKES ? 1 : 0;
    }
  }
}

static void look(rutBatch* batch, const rutMapTask* task, int interval, double* before,
                 Lane lane[COPIES]) {
  static const double TIPPED = 1.2, TURNED = 0.5;  // [rad]
  for (int c = 0; c < COPIES; c++) {
    const rutVehicleState s =
        rut_vehicle_state(rut_batch_copy_model(batch, c), rut_batch_data(batch, c), 0);
    const double along = s.position[0] * rut_sqrt(1 + task->grade * task->grade);
    if (interval >= 0) {
      lane[c].speed[interval] = (along - before[c]) / INTERVAL;
    } else {
      lane[c].whole = true;
    }
    before[c] = along;
    lane[c].offset = rut_abs(s.position[1]);
    const bool diverged = rut_batch_copy(batch, c).end != RUT_BATCH_NONE;
    const bool turned = rut_abs(s.roll) > TIPPED || rut_abs(s.yaw) > TURNED;
    lane[c].whole = lane[c].whole && !diverged && !turned;
  }
}

static rutStatus drive(rutMapRunner* r, const rutMapTask* task, Lane lane[COPIES], rutError* err) {
  rutBatch* batch = NULL;
  double command[COPIES][COMMANDS], before[COPIES];
  rutStatus status = start(r, &batch, lane, err);
  const int n = status == RUT_OK ? rut_batch_commands(batch) : 0;
  if (n > COMMANDS) status = rut_error_set(err, RUT_ERR_CAPACITY, "more than 16 set points");
  if (status == RUT_OK) {
    command_all(r, batch, n, command);
    look(batch, task, -1, before, lane);
  }
  const double dt = status == RUT_OK ? rut_model_timestep(r->track.model) : 1;
  const int steps = (int)rut_max(1, rut_floor(INTERVAL / dt + 0.5));
  const rutBatchIo io = {.command = {&command[0][0], COMMANDS, 1}};
  for (int i = 0; i < INTERVALS && status == RUT_OK; i++) {
    status = rut_batch_step(batch, steps, &io, err);
    if (status == RUT_OK) look(batch, task, i, before, lane);
  }
  if (batch) rut_batch_destroy(batch);
  rut_track_end(&r->track);
  return status;
}

// ---- what they tell ----

static double mean(const double* value, int from, int n) {
  double sum = 0;
  for (int i = from; i < from + n; i++) sum += value[i] / n;
  return sum;
}

enum { WINDOW = 3, LATE = INTERVALS - WINDOW, EARLY = LATE - WINDOW };

// Acceleration in the second half.
static double gained(const Lane* l) {
  return (mean(l->speed, LATE, WINDOW) - mean(l->speed, EARLY, WINDOW)) / (WINDOW * INTERVAL);
}

// The first speed, from slow to fast, at which acceleration at full throttle ends.
static double held_speed(const Lane lane[COPIES], double top) {
  static const double LANE = 1;  // half of its width [m]
  double last = 0, gain = 0;
  for (int c = 0; c < BRAKES; c++) {
    const Lane* l = &lane[c];
    if (!l->whole || l->offset > LANE) return c > 0 ? rut_max(0, last) : 0;
    const double speed = mean(l->speed, LATE, WINDOW);
    const double now = gained(l);
    if (now < 0) {
      // slower than at its start: between it and the one before
      if (c == 0) return rut_max(0, speed);
      return rut_max(0, last + (speed - last) * gain / (gain - now));
    }
    last = speed;
    gain = now;
  }
  return top;
}

static double braking(const Lane* l) {
  static const double STOPPED = 0.5;  // [m/s]
  int end = 1;
  while (end < INTERVALS - 1 && l->speed[end] > STOPPED) end++;
  // the last interval has a stop in it
  if (end > 1 && l->speed[end] <= STOPPED) end--;
  if (end == 1 && l->speed[1] <= STOPPED) return (l->start - l->speed[0]) / (0.5 * INTERVAL);
  return (l->speed[0] - l->speed[end]) / (end * INTERVAL);
}

static rutStatus run_plane(rutMapRunner* r, const rutMapTask* task, rutMapPoint* out,
                           rutError* err) {
  static const double FAR = 1, MOVES = 0.3;  // counts as slid [m]; share of the speed at the start
  Lane lane[COPIES];
  rutStatus status = lay_plane(r, task, err);
  if (status == RUT_OK) status = drive(r, task, lane, err);
  if (status != RUT_OK) return status;
  const Lane* slow = &lane[0];
  const double last = slow->speed[INTERVALS - 1], now = gained(slow);
  double margin = (last - slow->start) / (INTERVAL * (INTERVALS - 0.5));
  // slower than at the start, but at a speed that it holds
  if (last > MOVES * slow->start) margin = rut_max(margin, now);
  const double top = r->map->vehicle.top_speed;
  *out = (rutMapPoint){.speed = rut_min(top, held_speed(lane, top)),
                       .deceleration = braking(&lane[BRAKES]),
                       .margin = margin,
                       .offset = slow->whole ? rut_min(FAR, slow->offset) : FAR};
  return RUT_OK;
}

// ---- trials ----

static rutStatus run_trial(rutMapRunner* r, const rutMapTask* task, rutMapPoint* out,
                           rutError* err) {
  static const char* const names[] = {[RUT_MAP_OF_RIDE] = "ride",
                                      [RUT_MAP_OF_HALF_ROUND] = "half_round",
                                      [RUT_MAP_OF_STEP] = "step"};
  rutTrialDef def = rut_default_trial();
  rutTrials* trials = NULL;
  rutTrialResult result;
  def.vehicle = r->map->vehicle_name;
  def.friction = r->map->friction;
  def.seed = r->map->seed;
  rutStatus status = rut_trials_create(r->world, &def, &trials, err);
  if (status == RUT_OK) {
    status =
        rut_trial_run(trials, rut_trial_find(names[task->kind]), task->parameter, &result, err);
  }
  rut_trials_destroy(trials);
  if (status != RUT_OK) return status;
  // a vehicle that cannot go faster is not limited by the ride
  const bool free = isnan(result.beyond) || result.end == RUT_TRIAL_TOO_SLOW;
  const double limit = isnan(result.limit) ? 0 : result.limit;
  out->speed = task->kind != RUT_MAP_OF_STEP && free ? RUT_INFINITY : limit;
  out->deceleration = out->margin = out->offset = 0;
  return RUT_OK;
}

rutStatus rut_map_run(rutMapRunner* r, int point, rutMapPoint* out, rutError* err) {
  const rutMapTask task = rut_map_task(r->map, point);
  return task.kind == RUT_MAP_OF_PLANE ? run_plane(r, &task, out, err)
                                       : run_trial(r, &task, out, err);
}
