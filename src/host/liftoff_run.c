// SPDX-License-Identifier: BSD-3-Clause
//
// The manoeuvre that lifts wheels, driven by copies in a batch.
#include "base/report.h"
#include "host/liftoff.h"
#include "math/rut_math.h"

static const double SETTLES = 0.5;  // before the wheels turn [s]
static const double HOLDS = 3;      // an angle [s]
static const double BRAKES = 1.5;   // at most [s]
static const double SLOWEST = 0.5;  // share of the speed to which it brakes
static const double GAIN = 8;       // of the driver: acceleration per error of the speed [1/s]
enum { STEPS_AT_ONCE = 200 };

// ---- the course of a run ----

static double turns(const rutLiftoffRun* r) { return r->steering / r->at[RUT_LIFTOFF_RATE]; }

static bool brakes(const rutLiftoffRun* r) { return r->at[RUT_LIFTOFF_ACCELERATION] < 0; }

// Whether it turns to the other side as well. On a slope it stays across it then for one turn only.
static bool turns_back(const rutLiftoffRun* r) {
  return !brakes(r) && r->at[RUT_LIFTOFF_SLOPE] == 0;
}

static double braking_time(const rutLiftoffRun* r) {
  const double loss = (1 - SLOWEST) * r->at[RUT_LIFTOFF_SPEED];
  return rut_min(BRAKES, loss / -r->at[RUT_LIFTOFF_ACCELERATION]);
}

static double duration(const rutLiftoffRun* r) {
  if (brakes(r)) return SETTLES + turns(r) + braking_time(r);
  return SETTLES + turns(r) + HOLDS + (turns_back(r) ? 2 * turns(r) + HOLDS : 0);
}

static double steering_at(const rutLiftoffRun* r, double time) {
  const double rate = r->at[RUT_LIFTOFF_RATE], first = time - SETTLES;
  const double back = first - turns(r) - HOLDS;
  const double there = rut_clamp(rate * first, 0, r->steering);
  if (!turns_back(r) || back <= 0) return there;
  return rut_max(r->steering - rate * back, -r->steering);
}

static double speed_at(const rutLiftoffRun* r, double time) {
  const double braked = rut_max(0, time - SETTLES - turns(r));
  return rut_max(0, r->at[RUT_LIFTOFF_SPEED] + r->at[RUT_LIFTOFF_ACCELERATION] * braked);
}

// ---- in the steps ----

static void command(const rutModel* model, rutData* data, int copy, void* user) {
  const rutLiftoffStage* stage = user;
  const rutLiftoffRun* r = &stage->run[copy];
  const double time = rut_time(data);
  const double set_point[3] = {speed_at(r, time), steering_at(r, time) / stage->lock, 0};
  rut_command(model, data, 0, 3, set_point);
}

// Horizontal acceleration of the chassis's centre of mass across the heading [m/s2].
static double across(const rutLiftoffStage* stage, const rutModel* model, const rutData* data) {
  rutMotion m;
  if (!rut_motion(model, data, 0, stage->centre, &m)) return 0;
  const double w = m.attitude[0], x = m.attitude[1], y = m.attitude[2], z = m.attitude[3];
  const double* f = m.proper_acceleration;
  // rows of the rotation to the world, and the heading
  const double ax =
      (1 - 2 * (y * y + z * z)) * f[0] + 2 * (x * y - w * z) * f[1] + 2 * (x * z + w * y) * f[2];
  const double ay =
      2 * (x * y + w * z) * f[0] + (1 - 2 * (x * x + z * z)) * f[1] + 2 * (y * z - w * x) * f[2];
  const double cosine = 1 - 2 * (y * y + z * z), sine = 2 * (x * y + w * z);
  return (ay * cosine - ax * sine) / rut_max(rut_hypot(cosine, sine), RUT_LEAST_DIVISOR);
}

// What a step has shown. True ends the run.
static bool follow(const rutModel* model, const rutData* data, int copy, double* reward,
                   void* user) {
  const rutLiftoffStage* stage = user;
  rutLiftoffRun* r = &stage->run[copy];
  const double time = rut_time(data);
  (void)reward;
  if (time < SETTLES) return false;
  double load = RUT_INFINITY;
  int wheel = 0;
  for (int i = 0; i < stage->wheels; i++) {
    const double here = rut_wheel_state(model, data, i).load;
    if (here < load) wheel = i;
    load = rut_min(load, here);
  }
  const rutVehicleState s = rut_vehicle_state(model, data, 0);
  const double lateral = rut_abs(across(stage, model, data));
  // the turn to the other side is another one
  const bool back = steering_at(r, time) < 0;
  if (back && !r->back) r->turn = r->turn_rate = 0;
  r->back = back;
  r->turn = rut_max(r->turn, lateral);
  r->turn_rate = rut_max(r->turn_rate, rut_abs(s.rate[2]));
  if (load < r->load) {
    r->load = load;
    r->wheel = wheel;
    r->lateral_acceleration = r->turn;
    r->yaw_rate = r->turn_rate;
    r->speed = s.velocity[0];
  }
  if (lateral > r->most && time <= SETTLES + turns(r)) {
    r->most = lateral;
    r->most_yaw_rate = rut_abs(s.rate[2]);
    r->most_speed = s.velocity[0];
    r->most_steering = steering_at(r, time);
  }
  r->lifted = load <= stage->load;
  return r->lifted || time >= duration(r);
}

// ---- the vehicle ----

// Largest angle of a steered axle; 0 if none steers.
static double find_lock(const rutTrack* t) {
  double lock = 0;
  for (rutNode axle = rut_node_first(t->spec, t->vehicle, "axle"); !rut_node_is_null(axle);
       axle = rut_node_next(t->spec, axle, "axle")) {
    lock = rut_max(lock, rut_node_number(t->spec, axle, "max_steer"));
  }
  return lock;
}

rutStatus rut_liftoff_open(const rutSpec* world, const rutLiftoffDef* def, rutLiftoffStage* stage,
                           rutError* err) {
  *stage = (rutLiftoffStage){.load = def->load};
  rutStatus status = rut_track_open(world, def->vehicle, &stage->track, err);
  if (status != RUT_OK) return status;
  stage->lock = find_lock(&stage->track);
  rut_track_centre(&stage->track, stage->centre);
  if (rut_node_is_null(stage->track.driver) || !(stage->lock > 0)) {
    status = rut_error_set(err, RUT_ERR_MODEL, "'%.60s' does not steer: no axle has max_steer",
                           rut_node_name(stage->track.spec, stage->track.vehicle));
  } else if (def->soil) {
    status = rut_track_soil(&stage->track, def->soil, def->settings, def->setting, err);
  } else {
    status = rut_track_road(&stage->track, def->friction, err);
  }
  if (status != RUT_OK) rut_liftoff_close(stage);
  return status;
}

void rut_liftoff_close(rutLiftoffStage* stage) {
  rut_batch_destroy(stage->batch);
  stage->batch = NULL;
  rut_track_close(&stage->track);
}

// A world that begins at this speed.
static void set_speed(rutTrack* t, double speed) {
  const double velocity[2] = {speed, 0};
  rut_node_set_numbers(t->spec, t->vehicle, "velocity", 2, velocity, NULL);
  rut_node_set_number(t->spec, t->driver, "speed", speed, NULL);
}

rutStatus rut_liftoff_prepare(rutLiftoffStage* stage, rutLiftoffRun* run, int runs, double slope,
                              int workers, rutError* err) {
  rutTrack* t = &stage->track;
  rut_batch_destroy(stage->batch);
  stage->batch = NULL;
  stage->run = run;
  stage->runs = runs;
  rut_node_set(t->spec, t->driver, "manoeuvre", "none", NULL);
  rut_node_set_number(t->spec, t->driver, "speed_gain", GAIN, NULL);
  rut_track_clear(t);
  rutStatus status = RUT_OK;
  if (slope != 0) {
    const rutTrackNumber number[RUT_TRACK_NUMBERS] = {{"slope_y", rut_tan(slope)}};
    status = rut_track_shape(t, "plane", 0, number, err);
  }
  rutBatchDef def = rut_default_batch();
  def.copies = runs;
  def.workers = workers;
  set_speed(t, run[0].at[RUT_LIFTOFF_SPEED]);
  if (status == RUT_OK) status = rut_batch_create(t->spec, &def, &stage->batch, err);
  if (status != RUT_OK) return status;
  stage->wheels = rut_vehicle_info(rut_batch_model(stage->batch), 0).wheels;
  rut_batch_prepare(stage->batch, command, stage);
  rut_batch_judge(stage->batch, follow, stage);
  // copies of one speed share a world
  for (int i = 1; i < runs && status == RUT_OK; i++) {
    int same = 0;
    while (run[same].at[RUT_LIFTOFF_SPEED] != run[i].at[RUT_LIFTOFF_SPEED]) same++;
    if (same < i) {
      status = rut_batch_share_world(stage->batch, i, same, 0, err);
    } else {
      set_speed(t, run[i].at[RUT_LIFTOFF_SPEED]);
      status = rut_batch_set_world(stage->batch, i, t->spec, 0, err);
    }
  }
  return status;
}

// ---- all runs ----

rutStatus rut_liftoff_drive(rutLiftoffStage* stage, const bool* skip, rutError* err) {
  rut_batch_reset(stage->batch, 0, NULL, NULL);
  for (int i = 0; i < stage->runs; i++) {
    rutLiftoffRun* r = &stage->run[i];
    if (skip && skip[i]) {
      rut_batch_pause(stage->batch, i);
      continue;
    }
    r->lifted = r->diverged = r->back = false;
    r->load = RUT_INFINITY;
    r->most = r->turn = r->turn_rate = 0;
  }
  for (bool busy = true; busy;) {
    const rutStatus status = rut_batch_step(stage->batch, STEPS_AT_ONCE, NULL, err);
    if (status != RUT_OK) return status;
    busy = false;
    for (int i = 0; i < stage->runs; i++) {
      const rutBatchEnd end = rut_batch_copy(stage->batch, i).end;
      if (end == RUT_BATCH_DIVERGED) stage->run[i].diverged = true;
      busy = busy || end == RUT_BATCH_NONE;
    }
  }
  return RUT_OK;
}
