// SPDX-License-Identifier: BSD-3-Clause
//
// Runs of a study, one by one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/thread.h"
#include "host/study_runner.h"
#include "host/study_sample.h"
#include "host/study_wrong.h"
#include "math/rut_math.h"

enum {
  FEW = 4,    // fewer runs are not worth lanes
  ALONE = 64  // runs before lanes are tried again
};

// ---- a run alone ----

static void forget(rutStudyRunner* r) {
  rut_job_forget(&r->job);
  rut_data_destroy(r->data);
  rut_model_destroy(r->model);
  r->data = NULL;
  r->model = NULL;
}

// Make the world of a run, which replaces the one before. Takes the settings over.
static rutStatus build(rutStudyRunner* r, uint64_t seed, rutBytes settings, rutError* err) {
  forget(r);
  rutStatus status = rut_job_make_world(&r->job, &r->worlds, settings, seed, err);
  if (status == RUT_OK) status = rut_compile(r->job.spec, &r->model, err);
  if (status == RUT_OK) r->data = rut_data_create(r->model);
  if (status == RUT_OK && !r->data) status = rut_study_no_memory(err);
  if (status == RUT_OK) status = rut_job_take_model(&r->job, r->model, err);
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
  if (!r->data || !rut_job_has_world(&r->job, &settings, seed)) {
    return build(r, seed, settings, err);
  }
  rut_bytes_free(&settings);
  return RUT_OK;
}

static rutStatus simulate(rutStudyRunner* r, rutStudyResult* out, rutError* err) {
  rutJob* job = &r->job;
  rut_data_reset(r->model, r->data, out->seed);
  rutStatus status = rut_job_begin(job, r->model, r->data, err);
  while (status == RUT_OK && !rut_job_is_over(job, rut_steps(r->data))) {
    rut_job_prepare(job, r->model, r->data);
    if (job->status != RUT_OK) break;
    status = rut_step(r->model, r->data, err);
    if (status == RUT_OK) rut_job_follow(job, r->model, r->data);
  }
  if (job->status == RUT_ERR_MEMORY) return rut_study_no_memory(err);
  if (status == RUT_OK && job->status != RUT_OK) {
    status = rut_error_set(err, job->status, "a set point of the inputs is not allowed");
  }
  if (status == RUT_OK || status == RUT_ERR_DIVERGED) {
    rut_job_conclude(job, r->model, r->data, status == RUT_OK ? NULL : err, out);
    return RUT_OK;
  }
  out->time = rut_time(r->data);
  out->steps = rut_steps(r->data);
  out->model_hash = rut_model_hash(r->model);
  out->state_hash = rut_state_hash(r->model, r->data);
  return status;
}

void rut_study_clear(const rutStudy* study, rutStudyResult* out) {
  double* measure = out->measure;
  *out = (rutStudyResult){.run = out->run,
                          .seed = rut_study_seed(study, out->run),
                          .pass = study->requirements > 0 ? 1 : -1,
                          .measure = measure};
  for (int i = 0; i < study->measures; i++) measure[i] = RUT_NAN;
}

rutStatus rut_study_run_alone(rutStudyRunner* r, rutStudyResult* out, rutError* err) {
  const rutStudy* study = r->study;
  rutError fault = {0};
  const double start = rut_clock();
  rut_study_clear(study, out);
  rutStatus status = prepare(r, out->run, out->seed, &fault);
  if (status == RUT_OK) status = simulate(r, out, &fault);
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

// ---- runs ----

// At most so many runs one by one. *none: there are no more.
static rutStatus work_alone(rutStudyRunner* r, const rutStudyFeed* feed, int64_t most, bool* none,
                            rutError* err) {
  for (int64_t i = 0; i < most; i++) {
    rutStudyResult* result = feed->next(0, feed->user);
    *none = !result;
    if (!result) return RUT_OK;
    const rutStatus status = rut_study_run_alone(r, result, err);
    feed->done(result, status == RUT_OK, feed->user);
    if (status != RUT_OK) return status;
  }
  return RUT_OK;
}

rutStatus rut_study_work(rutStudyRunner* r, const rutStudyFeed* feed, rutError* err) {
  rutStatus status = RUT_OK;
  for (bool none = false; status == RUT_OK && !none;) {
    bool left = true;
    if (rut_study_has_lanes(r->study)) {
      status = rut_study_work_in_lanes(r, feed, &left, err);
      none = !left;
    }
    if (status == RUT_OK && left) status = work_alone(r, feed, ALONE, &none, err);
  }
  return status;
}

// Results in a list, in its order.
typedef struct List {
  rutStudyResult* result;
  int n, next;
} List;
static rutStudyResult* next_of_list(int held, void* user) {
  (void)held;
  List* list = user;
  return list->next < list->n ? &list->result[list->next++] : NULL;
}
static void done_with(rutStudyResult* result, bool whole, void* user) {
  (void)result;
  (void)whole;
  (void)user;
}

rutStatus rut_study_run(rutStudyRunner* runner, int n, const int64_t* run, rutStudyResult* out,
                        rutError* err) {
  for (int i = 0; i < n; i++) {
    if (run[i] < 0 || run[i] >= runner->study->runs) {
      return rut_error_set(err, RUT_ERR_ARGUMENT, "there is no run %lld", (long long)run[i]);
    }
    out[i].run = run[i];
  }
  List list = {out, n, 0};
  const rutStudyFeed feed = {next_of_list, done_with, &list};
  bool none = false;
  return n < FEW ? work_alone(runner, &feed, n, &none, err) : rut_study_work(runner, &feed, err);
}

rutStatus rut_study_runner_create(const rutStudy* study, rutStudyRunner** out, rutError* err) {
  *out = NULL;
  rutStudyRunner* r = calloc(1, sizeof *r);
  if (!r) return rut_study_no_memory(err);
  r->study = study;
  rutStatus status = rut_job_create(study, &r->job, err);
  if (status == RUT_OK) status = rut_job_worlds_open(study, &r->worlds, err);
  if (status != RUT_OK) {
    rut_study_runner_destroy(r);
    return status;
  }
  *out = r;
  return RUT_OK;
}

void rut_study_runner_destroy(rutStudyRunner* r) {
  if (!r) return;
  rut_study_lanes_destroy(r->lanes);
  forget(r);
  rut_job_free(&r->job);
  rut_job_worlds_close(&r->worlds);
  free(r);
}
