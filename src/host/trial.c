// SPDX-License-Identifier: BSD-3-Clause
//
// The search for a limit, and what all trials watch.
#include "rut/trial.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/trial_course.h"
#include "math/rut_math.h"

struct rutTrials {
  rutTrialCase on;
  rutTrialDef def;
  rutTrialVehicle vehicle;
  char name[96];
};

const char* rut_trial_end_text(rutTrialEnd end) {
#define X(name, text) text,
  static const char* const texts[] = {RUT_TRIAL_END_LIST(X)};
#undef X
  return (int)end >= 0 && end < RUT_TRIAL_ENDS ? texts[end] : "";
}

int rut_trial_count(void) {
  int n;
  rut_trial_courses(&n);
  return n;
}

rutTrialInfo rut_trial_info(int trial) {
  int n;
  const rutTrialCourse* course = rut_trial_courses(&n);
  if (trial >= 0 && trial < n) return course[trial].told;
  return (rutTrialInfo){.name = "",
                        .doc = "",
                        .quantity = "",
                        .unit = "",
                        .parameter = "",
                        .parameter_unit = "",
                        .measure = "",
                        .measure_unit = ""};
}

int rut_trial_find(const char* name) {
  for (int i = 0; i < rut_trial_count(); i++) {
    if (strcmp(rut_trial_info(i).name, name) == 0) return i;
  }
  return -1;
}

rutTrialDef rut_default_trial(void) {
  return (rutTrialDef){.struct_size = sizeof(rutTrialDef), .friction = 0.8, .seed = 1};
}

// ---- what all of them watch ----

static rutTrialEnd tips(rutTrialCase* on, const rutVehicleState* s) {
  static const double LIFTED = 1e-3, STANDS = 0.5;  // loads over the weight
  static const double FOR = 0.3;                    // [s]
  static const double FLAT = 1.2;                   // attitude from which none comes back [rad]
  const rutTrack* t = &on->track;
  const double left = rut_track_load(t, 1), right = rut_track_load(t, -1);
  const bool up = rut_min(left, right) < LIFTED * on->weight && left + right > STANDS * on->weight;
  const double dt = rut_model_timestep(t->model);
  on->lifted = up && t->width > 0 ? on->lifted + dt : 0;
  const bool over = rut_abs(s->roll) > FLAT || rut_abs(s->pitch) > FLAT;
  return on->lifted > FOR || over ? RUT_TRIAL_TIPPED : RUT_TRIAL_PASSED;
}

// Whether it has not moved for a while, though it tries.
static bool rests(rutTrialCase* on, const rutVehicleState* s) {
  static const double WAY = 0.02, FOR = 5;  // [m], [s]
  const double time = rut_time(on->track.data);
  if (s->position[0] > on->furthest + WAY) {
    on->furthest = s->position[0];
    on->since = time;
  }
  return time - on->since > FOR;
}

// One run. It ends with what a course watches, or at its goal; PASSED goes on until then.
static rutStatus run_at(rutTrialCase* on, const rutTrialCourse* course, double value,
                        rutTrialEnd* end, rutError* err) {
  rutTrialPlan plan = {.drive = {.manoeuvre = "straight"}, .goal = RUT_INFINITY};
  rut_track_clear(&on->track);
  rutStatus status = course->prepare(on, value, &plan, err);
  if (status == RUT_OK) status = rut_track_begin(&on->track, &plan.drive, plan.duration, err);
  if (status != RUT_OK) return status;
  on->lifted = on->since = 0;
  on->furthest = -RUT_INFINITY;
  on->measure = RUT_NAN;
  *end = RUT_TRIAL_PASSED;
  while (*end == RUT_TRIAL_PASSED) {
    status = rut_track_step(&on->track, err);
    if (status == RUT_ERR_DIVERGED) *end = RUT_TRIAL_DIVERGED;
    if (status != RUT_OK) break;
    const rutVehicleState s = rut_track_state(&on->track);
    *end = tips(on, &s);
    if (*end == RUT_TRIAL_PASSED) *end = course->watch(on, &plan, &s);
    if (s.position[0] + on->track.rear >= plan.goal) break;
    const bool late = rut_time(on->track.data) >= plan.duration;
    const bool waits = plan.goal < RUT_INFINITY && rests(on, &s);
    if (*end == RUT_TRIAL_PASSED && plan.goal < RUT_INFINITY && (late || waits)) {
      *end = RUT_TRIAL_STUCK;
    }
    if (late) break;
  }
  if (*end == RUT_TRIAL_PASSED && course->finish) *end = course->finish(on, &plan);
  rut_track_end(&on->track);
  return status == RUT_ERR_DIVERGED ? RUT_OK : status;
}

// ---- the search ----

static rutStatus search(rutTrials* t, const rutTrialCourse* course, rutTrialResult* out,
                        rutError* err) {
  const rutTrialInfo* info = &course->told;
  rutStatus status = RUT_OK;
  double value = info->low, low = RUT_NAN, high = RUT_NAN;
  while (status == RUT_OK) {
    rutTrialEnd end = RUT_TRIAL_PASSED;
    if (t->def.go_on && !t->def.go_on(out->runs, t->def.user)) {
      out->end = RUT_TRIAL_STOPPED;
      break;
    }
    status = run_at(&t->on, course, value, &end, err);
    out->runs++;
    if (end == RUT_TRIAL_PASSED) {
      low = value;
      out->measure = t->on.measure;
    } else {
      high = value;
      out->end = end;
    }
    if (isnan(low) || (isnan(high) && low >= info->high) || high - low <= info->resolution) break;
    value = isnan(high) ? rut_min(low + info->step, info->high) : 0.5 * (low + high);
  }
  out->limit = low;
  out->beyond = high;
  return status;
}

// ---- of a vehicle ----

static rutStatus weigh(rutTrials* t, rutError* err) {
  static const double SETTLES = 2;  // [s]
  rutTrack* track = &t->on.track;
  const rutTrackDrive stand = {.manoeuvre = "straight", .at_rest = true};
  rutStatus status = rut_track_begin(track, &stand, SETTLES, err);
  while (status == RUT_OK && rut_time(track->data) < SETTLES) status = rut_track_step(track, err);
  if (status != RUT_OK) return status;
  const rutVehicleInfo info = rut_vehicle_info(track->model, 0);
  const double height = rut_track_height(track), weight = info.mass * track->seat.gravity;
  double front = 0;
  const double hub = rut_wheel_pose(track->model, track->data, 0).position[0];
  for (int i = 0; i < track->wheels; i++) {
    const bool first = rut_wheel_pose(track->model, track->data, i).position[0] > hub - 0.1;
    if (first) front += rut_wheel_state(track->model, track->data, i).load;
  }
  const size_t length = strlen(info.name);
  memcpy(t->name, info.name, length < sizeof t->name ? length : sizeof t->name - 1);
  t->on.weight = weight;
  t->vehicle = (rutTrialVehicle){.name = t->name,
                                 .weight = weight,
                                 .height = height,
                                 .track = track->width,
                                 .wheelbase = track->front - track->rear,
                                 .front_share = front / rut_track_load(track, 0),
                                 .static_factor = 0.5 * track->width / height,
                                 .tip_angle = rut_atan2(0.5 * track->width, height),
                                 .transfer = height / track->width};
  rut_track_end(track);
  return RUT_OK;
}

rutStatus rut_trials_create(const rutSpec* world, const rutTrialDef* def, rutTrials** out,
                            rutError* err) {
  *out = NULL;
  const rutTrialDef usual = def ? *def : rut_default_trial();
  if (!(usual.friction >= 0 && usual.friction <= 10)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "friction is between 0 and 10, not %g",
                         usual.friction);
  }
  rutTrials* t = calloc(1, sizeof *t);
  if (!t) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for trials");
  t->def = usual;
  t->on = (rutTrialCase){.def = &t->def};
  rutStatus status = rut_track_open(world, usual.vehicle, &t->on.track, err);
  if (status == RUT_OK) status = weigh(t, err);
  if (status == RUT_OK) status = rut_trial_lay(&t->on, usual.friction, err);
  if (status != RUT_OK) {
    rut_trials_destroy(t);
    return status;
  }
  *out = t;
  return RUT_OK;
}

void rut_trials_destroy(rutTrials* t) {
  if (!t) return;
  if (t->on.track.spec) rut_track_close(&t->on.track);
  free(t);
}

rutTrialVehicle rut_trials_vehicle(const rutTrials* t) { return t->vehicle; }

static rutStatus choose(rutTrials* t, int trial, double parameter, const rutTrialCourse** out,
                        rutError* err) {
  int n;
  const rutTrialCourse* course = rut_trial_courses(&n);
  if (trial < 0 || trial >= n) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "%d is none of the %d trials", trial, n);
  }
  *out = &course[trial];
  const rutTrialInfo* info = &course[trial].told;
  if (course[trial].steers && rut_node_is_null(t->on.track.driver)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "trial '%s' needs a driver, who cannot steer '%s': no axle has max_steer",
                         info->name, t->vehicle.name);
  }
  t->on.parameter = isnan(parameter) && info->values > 0 ? info->value[0] : parameter;
  if (info->values > 0 && !(t->on.parameter > 0 && t->on.parameter < 1e3)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "%s of trial '%s' is above 0 and below 1000, not %g", info->parameter,
                         info->name, t->on.parameter);
  }
  // trials of ground of their own leave none behind
  return rut_trial_lay(&t->on, t->def.friction, err);
}

rutStatus rut_trial_run(rutTrials* t, int trial, double parameter, rutTrialResult* out,
                        rutError* err) {
  *out = (rutTrialResult){.limit = RUT_NAN, .beyond = RUT_NAN, .measure = RUT_NAN};
  const rutTrialCourse* course = NULL;
  const rutStatus status = choose(t, trial, parameter, &course, err);
  if (status != RUT_OK) return status;
  out->parameter = course->told.values > 0 ? t->on.parameter : RUT_NAN;
  return search(t, course, out, err);
}

rutStatus rut_trial_save(rutTrials* t, int trial, double parameter, double value, const char* path,
                         rutError* err) {
  const rutTrialCourse* course = NULL;
  rutStatus status = choose(t, trial, parameter, &course, err);
  rutTrialPlan plan = {.drive = {.manoeuvre = "straight"}, .goal = RUT_INFINITY};
  if (status == RUT_OK) status = course->prepare(&t->on, value, &plan, err);
  if (status == RUT_OK) status = rut_track_begin(&t->on.track, &plan.drive, plan.duration, err);
  rut_track_end(&t->on.track);
  return status == RUT_OK ? rut_spec_save(t->on.track.spec, path, err) : status;
}
