// SPDX-License-Identifier: BSD-3-Clause
//
// Runs of a study, in one thread.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/thread.h"
#include "host/study_measures.h"
#include "host/study_sample.h"
#include "host/study_watch.h"
#include "host/study_wrong.h"
#include "math/rut_math.h"
#include "rut/host.h"

enum { MAX_METRICS = 256 };

struct rutStudyRunner {
  const rutStudy* study;
  rutContext* context;
  rutSpec* world;  // as its file says; NULL where each seed has another
  // The world of a run, and what it was made of: settings, and the seed where that counts.
  rutSpec* spec;
  rutModel* model;
  rutData* data;
  rutBytes settings;
  uint64_t seed;
  bool seeded;
  rutInputs* inputs;  // Nullable
  rutWatch watch;
  rutStudyValue* value;  // [inputs]
  double duration;       // of the present run [s]
};

// ---- the world of a run ----

static void forget(rutStudyRunner* r) {
  rut_inputs_destroy(r->inputs);
  rut_data_destroy(r->data);
  rut_model_destroy(r->model);
  rut_spec_destroy(r->spec);
  rut_bytes_free(&r->settings);
  r->inputs = NULL;
  r->data = NULL;
  r->model = NULL;
  r->spec = NULL;
}

static rutStatus load_world(rutStudyRunner* r, uint64_t seed, rutSpec** out, rutError* err) {
  const rutStudy* study = r->study;
  rut_context_destroy(r->context);
  r->context = NULL;
  rutStatus status = study->host.open(seed, &r->context, study->host.user, err);
  if (status != RUT_OK) return status;
  return rut_spec_parse(r->context, study->world_text, study->world_size, study->world, out, err);
}

static rutStatus prepare_inputs(rutStudyRunner* r, rutError* err) {
  const rutStudy* study = r->study;
  if (!study->inputs_text) return RUT_OK;
  rutStatus status = rut_inputs_parse(r->model, study->inputs_text, study->inputs_size,
                                      study->inputs_path, &r->inputs, err);
  if (status == RUT_OK && study->interpolate) status = rut_inputs_interpolate(r->inputs, r->model);
  return status;
}

// The step that a world with step="auto" needs, as rut run finds it.
static rutStatus choose_step(rutStudyRunner* r, uint64_t seed, rutError* err) {
  const rutStudy* study = r->study;
  r->seeded = r->seeded || rut_node_number(r->spec, rut_spec_root(r->spec), "step") > 0;
  if (rut_node_number(r->spec, rut_spec_root(r->spec), "step") == 0) return RUT_OK;
  const rutStepOptions options = {.duration = r->duration,
                                  .seed = seed,
                                  .inputs = study->inputs_text ? study->inputs_path : NULL,
                                  .interpolate = study->interpolate};
  rutStepChoice choice;
  return rut_step_choose(r->spec, &options, &choice, err);
}

static double duration_of(const rutStudyRunner* r) {
  if (!isnan(r->study->duration)) return r->study->duration;
  return rut_node_number(r->spec, rut_spec_root(r->spec), "duration");
}

// Make the world of a run, which replaces the one before. Takes the settings over.
static rutStatus build(rutStudyRunner* r, uint64_t seed, rutBytes settings, rutError* err) {
  forget(r);
  r->settings = settings;
  r->seed = seed;
  r->seeded = r->study->world_random;
  rutStatus status =
      r->world ? rut_spec_copy(r->world, &r->spec, err) : load_world(r, seed, &r->spec, err);
  for (size_t at = 0; at < settings.used && status == RUT_OK;) {
    const char* setting = (const char*)settings.data + at;
    status = rut_study_set(r->spec, setting, err);
    at += strlen(setting) + 1;
  }
  if (status == RUT_OK) r->duration = duration_of(r);
  if (status == RUT_OK) status = choose_step(r, seed, err);
  if (status == RUT_OK) status = rut_compile(r->spec, &r->model, err);
  if (status == RUT_OK) r->data = rut_data_create(r->model);
  if (status == RUT_OK && !r->data) status = rut_study_no_memory(err);
  if (status == RUT_OK) status = prepare_inputs(r, err);
  if (status == RUT_OK) status = rut_watch_begin(&r->watch, r->model, err);
  if (status != RUT_OK) forget(r);
  return status;
}

// The world of a run, of the one before where that is the same.
static rutStatus prepare(rutStudyRunner* r, int64_t run, uint64_t seed, rutError* err) {
  rutBytes settings = {0};
  rut_study_settings(r->study, run, &settings);
  if (settings.failed) {
    rut_bytes_free(&settings);
    return rut_study_no_memory(err);
  }
  const bool same =
      r->data && settings.used == r->settings.used &&
      (settings.used == 0 || memcmp(settings.data, r->settings.data, settings.used) == 0) &&
      (!r->seeded || r->seed == seed);
  if (!same) return build(r, seed, settings, err);
  rut_bytes_free(&settings);
  if (r->inputs) rut_inputs_rewind(r->inputs);
  return RUT_OK;
}

// ---- steps ----

static void watch_sensors(rutStudyRunner* r, bool watched) {
  for (int i = 0; i < rut_count(r->model, RUT_SENSOR); i++) {
    rut_sensor_watch(r->model, r->data, i, watched);
  }
}

// Steps after which sensors take samples that nobody measures, since the state at the end has them.
static int64_t unwatched_steps(const rutStudyRunner* r, int64_t steps) {
  if (r->watch.sensors || r->study->stops > 0) return 0;
  double longest = 0;
  for (int i = 0; i < rut_count(r->model, RUT_SENSOR); i++) {
    const rutSensorInfo info = rut_sensor_info(r->model, i);
    longest = rut_max(longest, info.latency + 3 * info.period);
  }
  const double late = rut_floor(longest / rut_model_timestep(r->model)) + 4;
  return (double)steps > late ? steps - (int64_t)late : 0;
}

static rutMetrics* begin_metrics(rutStudyRunner* r, rutStatus* status, rutError* err) {
  const rutStudy* study = r->study;
  rutMetrics* metrics = NULL;
  for (int i = 0; i < study->measures && *status == RUT_OK; i++) {
    const rutMeasure* m = &study->measure[i];
    if (m->type != RUT_MEASURE_METRIC) continue;
    if (!metrics) {
      *status = rut_metrics_create(r->spec, r->model, r->data, r->duration, &metrics, err);
    }
    const int vehicle = m->vehicle[0] ? rut_find(r->model, RUT_VEHICLE, m->vehicle) : 0;
    if (*status == RUT_OK) *status = rut_metrics_watch(metrics, r->model, r->data, vehicle, err);
    if (*status == RUT_ERR_ARGUMENT) *status = RUT_OK;  // none to tell of
  }
  return metrics;
}

// What a run has besides its data.
typedef struct Steps {
  int64_t steps, every, unwatched;
  rutMetrics* metrics;  // Nullable
} Steps;

static rutStatus one_step(rutStudyRunner* r, const Steps* s, rutError* err) {
  if (s->unwatched > 0 && rut_steps(r->data) == s->unwatched) watch_sensors(r, true);
  rutStatus status = RUT_OK;
  if (r->inputs) status = rut_inputs_apply(r->inputs, r->model, r->data);
  if (status != RUT_OK)
    return rut_error_set(err, status, "a set point of the inputs is not allowed");
  status = rut_step(r->model, r->data, err);
  if (status == RUT_OK && s->metrics) rut_metrics_step(s->metrics, r->model, r->data);
  return status;
}

static rutStatus all_steps(rutStudyRunner* r, const Steps* s, rutStudyResult* out, rutError* err) {
  bool failed = false;
  const rutStop* stop = rut_watch_step(&r->watch, r->model, r->data, &failed);
  rutStatus status = RUT_OK;
  if (s->unwatched > 0) watch_sensors(r, false);
  while (!stop && status == RUT_OK && rut_steps(r->data) < s->steps) {
    status = one_step(r, s, err);
    const int64_t done = rut_steps(r->data);
    if (status == RUT_OK && (done % s->every == 0 || done == s->steps)) {
      stop = rut_watch_step(&r->watch, r->model, r->data, &failed);
    }
  }
  if (failed) return rut_study_no_memory(err);
  if (status == RUT_OK && stop) {
    const bool high = !isnan(stop->above);
    out->end = RUT_STUDY_stopped;
    snprintf(out->reason, sizeof out->reason, "%.150s is %s %g", stop->signal,
             high ? "above" : "below", high ? stop->above : stop->below);
    if (stop->fails) out->pass = 0;
  }
  return status;
}

static double metric_of(const rutStudyRunner* r, const rutMetrics* metrics, const rutMeasure* m) {
  rutMetric all[MAX_METRICS];
  const int vehicle = m->vehicle[0] ? rut_find(r->model, RUT_VEHICLE, m->vehicle) : 0;
  const int n = metrics ? rut_metrics_get(metrics, r->model, vehicle, MAX_METRICS, all) : 0;
  for (int i = 0; i < n && i < MAX_METRICS; i++) {
    if (strcmp(all[i].name, m->source) == 0) return all[i].value;
  }
  return RUT_NAN;
}

// Measures and the verdict of a run that has ended.
static void conclude(rutStudyRunner* r, int64_t run, const rutMetrics* metrics,
                     rutStudyResult* out) {
  const rutStudy* study = r->study;
  rut_watch_read(&r->watch, out->measure);
  for (int i = 0; i < study->measures; i++) {
    if (study->measure[i].type != RUT_MEASURE_METRIC) continue;
    out->measure[i] = metric_of(r, metrics, &study->measure[i]);
  }
  rut_study_values(study, run, r->value, NULL);
  const bool stopped_to_fail = out->pass == 0;
  const int all = rut_study_conclude(study, r->value, out->time, out->measure);
  out->pass = study->requirements == 0 ? -1 : all != 0;
  if (stopped_to_fail || (out->pass == 1 && out->end == RUT_STUDY_diverged)) out->pass = 0;
}

static int64_t count_steps(const rutStudyRunner* r) {
  const double n = -rut_floor(1e-6 - r->duration / rut_model_timestep(r->model));
  return n > 0 ? (int64_t)rut_min(n, 9e15) : 0;
}

static rutStatus simulate(rutStudyRunner* r, int64_t run, rutStudyResult* out, rutError* err) {
  const double dt = rut_model_timestep(r->model), rate = r->study->rate;
  rutStatus status = RUT_OK;
  rut_data_reset(r->model, r->data, out->seed);
  rut_watch_clear(&r->watch);
  watch_sensors(r, true);
  Steps s = {.steps = count_steps(r), .every = 1};
  if (rate > 0) s.every = (int64_t)rut_clamp(rut_floor(1 / (rate * dt) + 0.5), 1, 1e15);
  s.unwatched = unwatched_steps(r, s.steps);
  // what holds from the start is also seen at the start
  if (r->inputs) status = rut_inputs_apply(r->inputs, r->model, r->data);
  s.metrics = begin_metrics(r, &status, err);
  if (status == RUT_OK) status = all_steps(r, &s, out, err);
  out->time = rut_time(r->data);
  out->steps = rut_steps(r->data);
  out->model_hash = rut_model_hash(r->model);
  out->state_hash = rut_state_hash(r->model, r->data);
  if (status == RUT_ERR_DIVERGED) {
    out->end = RUT_STUDY_diverged;
    snprintf(out->reason, sizeof out->reason, "%.250s", err->message);
    status = RUT_OK;
  }
  if (status == RUT_OK) conclude(r, run, s.metrics, out);
  rut_metrics_destroy(s.metrics);
  return status;
}

// ---- runs ----

// The one place where runs are carried out one by one.
static rutStatus run_one(rutStudyRunner* r, int64_t run, rutStudyResult* out, rutError* err) {
  const rutStudy* study = r->study;
  double* measure = out->measure;
  rutError fault = {0};
  const double start = rut_clock();
  *out = (rutStudyResult){.run = run,
                          .seed = rut_study_seed(study, run),
                          .pass = study->requirements > 0 ? 1 : -1,
                          .measure = measure};
  for (int i = 0; i < study->measures; i++) measure[i] = RUT_NAN;
  rutStatus status = prepare(r, run, out->seed, &fault);
  if (status == RUT_OK) status = simulate(r, run, out, &fault);
  out->wall = rut_clock() - start;
  if (status == RUT_ERR_MEMORY) {
    if (err) *err = fault;
    return status;
  }
  if (status != RUT_OK) {
    out->end = RUT_STUDY_invalid;
    out->pass = study->requirements > 0 ? 0 : -1;
    snprintf(out->reason, sizeof out->reason, "%.250s",
             fault.message[0] ? fault.message : rut_status_text(status));
  }
  return RUT_OK;
}

rutStatus rut_study_run(rutStudyRunner* runner, int n, const int64_t* run, rutStudyResult* out,
                        rutError* err) {
  for (int i = 0; i < n; i++) {
    if (run[i] < 0 || run[i] >= runner->study->runs) {
      return rut_error_set(err, RUT_ERR_ARGUMENT, "there is no run %lld", (long long)run[i]);
    }
    const rutStatus status = run_one(runner, run[i], &out[i], err);
    if (status != RUT_OK) return status;
  }
  return RUT_OK;
}

rutStatus rut_study_runner_create(const rutStudy* study, rutStudyRunner** out, rutError* err) {
  *out = NULL;
  rutStudyRunner* r = calloc(1, sizeof *r);
  if (!r) return rut_study_no_memory(err);
  r->study = study;
  r->value = calloc((size_t)study->inputs + 1, sizeof *r->value);
  rutStatus status = r->value ? rut_watch_create(study, &r->watch, err) : rut_study_no_memory(err);
  if (status == RUT_OK && !study->world_random) status = load_world(r, 0, &r->world, err);
  if (status != RUT_OK) {
    rut_study_runner_destroy(r);
    return status;
  }
  *out = r;
  return RUT_OK;
}

void rut_study_runner_destroy(rutStudyRunner* r) {
  if (!r) return;
  forget(r);
  if (r->watch.study) rut_watch_free(&r->watch);
  rut_spec_destroy(r->world);
  rut_context_destroy(r->context);
  free(r->value);
  free(r);
}
