// SPDX-License-Identifier: BSD-3-Clause
#include "host/study_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/study_measures.h"
#include "host/study_sample.h"
#include "host/study_wrong.h"
#include "math/rut_math.h"

enum { MAX_METRICS = 256 };

// ---- where worlds come from ----

static rutStatus load_world(rutJobWorlds* worlds, uint64_t seed, rutSpec** out, rutError* err) {
  const rutStudy* study = worlds->study;
  rut_context_destroy(worlds->context);
  worlds->context = NULL;
  rutStatus status = study->host.open(seed, &worlds->context, study->host.user, err);
  if (status != RUT_OK) return status;
  return rut_spec_parse(worlds->context, study->world_text, study->world_size, study->world, out,
                        err);
}

rutStatus rut_job_worlds_open(const rutStudy* study, rutJobWorlds* worlds, rutError* err) {
  *worlds = (rutJobWorlds){.study = study};
  return study->world_random ? RUT_OK : load_world(worlds, 0, &worlds->world, err);
}

void rut_job_worlds_close(rutJobWorlds* worlds) {
  rut_spec_destroy(worlds->world);
  rut_context_destroy(worlds->context);
  *worlds = (rutJobWorlds){0};
}

// ---- the world of a run ----

rutStatus rut_job_create(const rutStudy* study, rutJob* job, rutError* err) {
  *job = (rutJob){.study = study};
  job->value = calloc((size_t)study->inputs + 1, sizeof *job->value);
  return job->value ? rut_watch_create(study, &job->watch, err) : rut_study_no_memory(err);
}

void rut_job_forget(rutJob* job) {
  rut_metrics_destroy(job->metrics);
  rut_inputs_destroy(job->inputs);
  rut_spec_destroy(job->spec);
  rut_bytes_free(&job->settings);
  job->metrics = NULL;
  job->inputs = NULL;
  job->spec = NULL;
}

void rut_job_free(rutJob* job) {
  rut_job_forget(job);
  if (job->watch.study) rut_watch_free(&job->watch);
  free(job->value);
  *job = (rutJob){0};
}

bool rut_job_has_world(const rutJob* job, const rutBytes* settings, uint64_t seed) {
  return job->spec && settings->used == job->settings.used &&
         (settings->used == 0 || memcmp(settings->data, job->settings.data, settings->used) == 0) &&
         (!job->seeded || job->seed == seed);
}

// The step that a world with step="auto" needs, as rut run finds it.
static rutStatus choose_step(rutJob* job, rutError* err) {
  const rutStudy* study = job->study;
  const bool chosen = rut_node_number(job->spec, rut_spec_root(job->spec), "step") != 0;
  job->seeded = job->seeded || chosen;
  if (!chosen) return RUT_OK;
  const rutStepOptions options = {.duration = job->duration,
                                  .seed = job->seed,
                                  .inputs = study->inputs_text ? study->inputs_path : NULL,
                                  .interpolate = study->interpolate};
  rutStepChoice choice;
  return rut_step_choose(job->spec, &options, &choice, err);
}

static double duration_of(const rutJob* job) {
  if (!isnan(job->study->duration)) return job->study->duration;
  return rut_node_number(job->spec, rut_spec_root(job->spec), "duration");
}

// Apply the settings of the job to its spec.
static rutStatus set_up(rutJob* job, rutError* err) {
  rutStatus status = RUT_OK;
  for (size_t at = 0; at < job->settings.used && status == RUT_OK;) {
    const char* setting = (const char*)job->settings.data + at;
    status = rut_study_set(job->spec, setting, err);
    at += strlen(setting) + 1;
  }
  if (status == RUT_OK) job->duration = duration_of(job);
  return status == RUT_OK ? choose_step(job, err) : status;
}

rutStatus rut_job_make_world(rutJob* job, rutJobWorlds* worlds, rutBytes settings, uint64_t seed,
                             rutError* err) {
  rut_job_forget(job);
  job->settings = settings;
  job->seed = seed;
  job->seeded = job->study->world_random;
  rutStatus status = worlds->world ? rut_spec_copy(worlds->world, &job->spec, err)
                                   : load_world(worlds, seed, &job->spec, err);
  if (status == RUT_OK) status = set_up(job, err);
  if (status != RUT_OK) rut_job_forget(job);
  return status;
}

rutStatus rut_study_world(const rutStudy* study, int64_t run, rutContext* context, rutSpec** out,
                          rutError* err) {
  *out = NULL;
  if (run < 0 || run >= study->runs) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "there is no run %lld", (long long)run);
  }
  rutJob job = {.study = study, .seed = rut_study_seed(study, run)};
  rut_study_settings(study, run, &job.settings);
  rutStatus status = job.settings.failed
                         ? rut_study_no_memory(err)
                         : rut_spec_parse(context, study->world_text, study->world_size,
                                          study->world, &job.spec, err);
  if (status == RUT_OK) status = set_up(&job, err);
  if (status == RUT_OK) {
    *out = job.spec;
    job.spec = NULL;
  }
  rut_job_forget(&job);
  return status;
}

rutStatus rut_job_copy_world(rutJob* job, const rutJob* from, rutError* err) {
  if (job == from) return RUT_OK;
  rut_job_forget(job);
  rut_bytes_put(&job->settings, from->settings.data, from->settings.used);
  job->seed = from->seed;
  job->seeded = from->seeded;
  job->duration = from->duration;
  const rutStatus status =
      job->settings.failed ? rut_study_no_memory(err) : rut_spec_copy(from->spec, &job->spec, err);
  if (status != RUT_OK) rut_job_forget(job);
  return status;
}

rutStatus rut_study_set_points(const rutStudy* study, const rutModel* model, rutInputs** out,
                               rutError* err) {
  *out = NULL;
  if (!study->inputs_text) return RUT_OK;
  rutStatus status =
      rut_inputs_parse(model, study->inputs_text, study->inputs_size, study->inputs_path, out, err);
  if (status == RUT_OK && study->interpolate) status = rut_inputs_interpolate(*out, model);
  if (status != RUT_OK) {
    rut_inputs_destroy(*out);
    *out = NULL;
  }
  return status;
}

rutStatus rut_job_take_model(rutJob* job, const rutModel* model, rutError* err) {
  rut_inputs_destroy(job->inputs);
  rutStatus status = rut_study_set_points(job->study, model, &job->inputs, err);
  if (status == RUT_OK) status = rut_watch_begin(&job->watch, model, err);
  return status;
}

// ---- a run ----

static void watch_sensors(const rutModel* model, rutData* data, bool watched) {
  for (int i = 0; i < rut_count(model, RUT_SENSOR); i++) rut_sensor_watch(model, data, i, watched);
}

// Steps after which sensors take samples that nobody measures, since the state at the end has them.
static int64_t unwatched_steps(const rutJob* job, const rutModel* model) {
  if (job->watch.sensors || job->study->stops > 0) return 0;
  double longest = 0;
  for (int i = 0; i < rut_count(model, RUT_SENSOR); i++) {
    const rutSensorInfo info = rut_sensor_info(model, i);
    longest = rut_max(longest, info.latency + 3 * info.period);
  }
  const double late = rut_floor(longest / rut_model_timestep(model)) + 4;
  return (double)job->steps > late ? job->steps - (int64_t)late : 0;
}

static rutStatus begin_metrics(rutJob* job, const rutModel* model, const rutData* data,
                               rutError* err) {
  const rutStudy* study = job->study;
  rutStatus status = RUT_OK;
  for (int i = 0; i < study->measures && status == RUT_OK; i++) {
    const rutMeasure* m = &study->measure[i];
    if (m->type != RUT_MEASURE_METRIC) continue;
    if (!job->metrics) {
      status = rut_metrics_create(job->spec, model, data, job->duration, &job->metrics, err);
    }
    const int vehicle = m->vehicle[0] ? rut_find(model, RUT_VEHICLE, m->vehicle) : 0;
    if (status == RUT_OK) status = rut_metrics_watch(job->metrics, model, data, vehicle, err);
    if (status == RUT_ERR_ARGUMENT) status = RUT_OK;  // none to tell of
  }
  return status;
}

static int64_t count_steps(const rutJob* job, const rutModel* model) {
  const double n = -rut_floor(1e-6 - job->duration / rut_model_timestep(model));
  return n > 0 ? (int64_t)rut_min(n, 9e15) : 0;
}

static void look(rutJob* job, const rutModel* model, const rutData* data) {
  bool failed = false;
  job->stop = rut_watch_step(&job->watch, model, data, &failed);
  if (failed) job->status = RUT_ERR_MEMORY;
}

rutStatus rut_job_begin(rutJob* job, const rutModel* model, rutData* data, rutError* err) {
  const double dt = rut_model_timestep(model), rate = job->study->rate;
  rut_metrics_destroy(job->metrics);
  job->metrics = NULL;
  job->stop = NULL;
  job->status = RUT_OK;
  rut_watch_clear(&job->watch);
  watch_sensors(model, data, true);
  job->steps = count_steps(job, model);
  job->every = 1;
  if (rate > 0) job->every = (int64_t)rut_clamp(rut_floor(1 / (rate * dt) + 0.5), 1, 1e15);
  job->unwatched = unwatched_steps(job, model);
  // what holds from the start is also seen at the start
  if (job->inputs) {
    rut_inputs_rewind(job->inputs);
    job->status = rut_inputs_apply(job->inputs, model, data);
  }
  if (job->status == RUT_OK) job->status = begin_metrics(job, model, data, err);
  if (job->status != RUT_OK) return job->status;
  look(job, model, data);
  if (job->unwatched > 0) watch_sensors(model, data, false);
  return job->status == RUT_OK ? RUT_OK : rut_study_no_memory(err);
}

void rut_job_prepare(rutJob* job, const rutModel* model, rutData* data) {
  if (job->unwatched > 0 && rut_steps(data) == job->unwatched) watch_sensors(model, data, true);
  if (!job->inputs) return;
  const rutStatus status = rut_inputs_apply(job->inputs, model, data);
  if (status != RUT_OK) job->status = status;
}

void rut_job_follow(rutJob* job, const rutModel* model, const rutData* data) {
  const int64_t done = rut_steps(data);
  if (job->metrics) rut_metrics_step(job->metrics, model, data);
  if (job->status == RUT_OK && (done % job->every == 0 || done == job->steps)) {
    look(job, model, data);
  }
}

// ---- its end ----

static double metric_of(const rutJob* job, const rutModel* model, const rutMeasure* m) {
  rutMetric all[MAX_METRICS];
  const int vehicle = m->vehicle[0] ? rut_find(model, RUT_VEHICLE, m->vehicle) : 0;
  const int n = job->metrics ? rut_metrics_get(job->metrics, model, vehicle, MAX_METRICS, all) : 0;
  for (int i = 0; i < n && i < MAX_METRICS; i++) {
    if (strcmp(all[i].name, m->source) == 0) return all[i].value;
  }
  return RUT_NAN;
}

// Measures and the verdict.
static void judge(rutJob* job, const rutModel* model, rutStudyResult* out) {
  const rutStudy* study = job->study;
  rut_watch_read(&job->watch, out->measure);
  for (int i = 0; i < study->measures; i++) {
    if (study->measure[i].type != RUT_MEASURE_METRIC) continue;
    out->measure[i] = metric_of(job, model, &study->measure[i]);
  }
  rut_study_values(study, out->run, job->value, NULL);
  const bool stopped_to_fail = out->pass == 0;
  const int all = rut_study_conclude(study, job->value, out->time, out->measure);
  out->pass = study->requirements == 0 ? -1 : all != 0;
  if (stopped_to_fail || (out->pass == 1 && out->end == RUT_STUDY_diverged)) out->pass = 0;
}

void rut_job_conclude(rutJob* job, const rutModel* model, const rutData* data,
                      const rutError* diverged, rutStudyResult* out) {
  const rutStop* stop = job->stop;
  out->time = rut_time(data);
  out->steps = rut_steps(data);
  out->model_hash = rut_model_hash(model);
  out->state_hash = rut_state_hash(model, data);
  if (diverged) {
    out->end = RUT_STUDY_diverged;
    snprintf(out->reason, sizeof out->reason, "%.250s", diverged->message);
  } else if (stop) {
    const bool high = !isnan(stop->above);
    out->end = RUT_STUDY_stopped;
    snprintf(out->reason, sizeof out->reason, "%.150s is %s %g", stop->signal,
             high ? "above" : "below", high ? stop->above : stop->below);
    if (stop->fails) out->pass = 0;
  }
  judge(job, model, out);
}
