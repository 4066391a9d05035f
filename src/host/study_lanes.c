// SPDX-License-Identifier: BSD-3-Clause
//
// Runs of a study as copies of a batch: up to eight at once, each with its own world, of which
// those of equal structure share lanes. A run that ends leaves its place to the next one. What does
// not end as it should is carried out again, alone: so its row tells what the run alone does.
#include <stdlib.h>

#include "base/report.h"
#include "base/thread.h"
#include "host/study_runner.h"
#include "host/study_sample.h"
#include "host/study_wrong.h"
#include "rut/batch.h"

enum {
  PLACES = 8,
  FEW = 4,       // fewer copies do not share lanes
  PATIENCE = 2,  // times that enough runs are there and do not share, before lanes are given up
  STEPS_AT_ONCE = 256
};
static const double LARGEST = 64e6;  // world with its state of which several are held at once [B]

typedef struct Place {
  rutJob job;
  rutStudyResult* result;  // NULL: no run
  bool in_lanes;
  double wall;
} Place;

struct rutStudyLanes {
  rutBatch* batch;  // NULL before the first run
  int busy;
  bool fresh;     // some have begun since lanes were last looked at
  int unmatched;  // times that enough of them were there and shared no lanes
  bool too_large;
  Place place[PLACES];
};

bool rut_study_has_lanes(const rutStudy* study) {
  // worlds of their own seeds have contexts of their own
  return !study->world_random;
}

// ---- in the steps ----

static void prepare(const rutModel* model, rutData* data, int copy, void* user) {
  rutStudyLanes* lanes = user;
  rut_job_prepare(&lanes->place[copy].job, model, data);
}

static bool follow(const rutModel* model, const rutData* data, int copy, double* reward,
                   void* user) {
  (void)reward;
  rutStudyLanes* lanes = user;
  Place* place = &lanes->place[copy];
  rutJob* job = &place->job;
  place->in_lanes = place->in_lanes || rut_batch_copy(lanes->batch, copy).in_lanes;
  rut_job_follow(job, model, data);
  return rut_job_is_over(job, rut_steps(data));
}

// ---- making places ----

static rutStatus create(const rutStudy* study, rutStudyLanes** out, rutError* err) {
  rutStudyLanes* lanes = calloc(1, sizeof *lanes);
  rutStatus status = lanes ? RUT_OK : rut_study_no_memory(err);
  for (int i = 0; i < PLACES && status == RUT_OK; i++) {
    status = rut_job_create(study, &lanes->place[i].job, err);
  }
  if (status != RUT_OK) {
    rut_study_lanes_destroy(lanes);
    lanes = NULL;
  }
  *out = lanes;
  return status;
}

void rut_study_lanes_destroy(rutStudyLanes* lanes) {
  if (!lanes) return;
  for (int i = 0; i < PLACES; i++) rut_job_free(&lanes->place[i].job);
  rut_batch_destroy(lanes->batch);
  free(lanes);
}

// The batch, once there is a world, which all copies have at first.
static rutStatus create_batch(rutStudyLanes* lanes, const rutSpec* spec, rutError* err) {
  rutBatchDef def = rut_default_batch();
  def.copies = PLACES;
  def.workers = 1;
  const rutStatus status = rut_batch_create(spec, &def, &lanes->batch, err);
  if (status != RUT_OK) return status;
  rut_batch_prepare(lanes->batch, prepare, lanes);
  rut_batch_judge(lanes->batch, follow, lanes);
  return RUT_OK;
}

// ---- beginning a run ----

// A place whose world is that of the settings, the one at hand if it is; -1: none.
static int find_world(const rutStudyLanes* lanes, int own, const rutBytes* settings,
                      uint64_t seed) {
  for (int k = 0; k < PLACES; k++) {
    const int i = (own + k) % PLACES;
    if (rut_job_has_world(&lanes->place[i].job, settings, seed)) return i;
  }
  return -1;
}

// Give place and copy the world of a run. Takes the settings over.
static rutStatus settle(rutStudyRunner* r, int own, rutBytes settings, uint64_t seed,
                        rutError* err) {
  rutStudyLanes* lanes = r->lanes;
  rutJob* job = &lanes->place[own].job;
  const int from = find_world(lanes, own, &settings, seed);
  if (from >= 0) {
    rut_bytes_free(&settings);
    const rutStatus status = rut_job_copy_world(job, &lanes->place[from].job, err);
    if (status != RUT_OK) return status;
    return rut_batch_share_world(lanes->batch, own, from, seed, err);
  }
  rutStatus status = rut_job_make_world(job, &r->worlds, settings, seed, err);
  if (status != RUT_OK) return status;
  if (lanes->batch) return rut_batch_set_world(lanes->batch, own, job->spec, seed, err);
  status = create_batch(lanes, job->spec, err);
  if (status == RUT_OK) rut_batch_reset(lanes->batch, 1, &own, &seed);
  return status;
}

// Begin a run in a free place. False if it is not possible there.
static bool begin(rutStudyRunner* r, int own, rutStudyResult* result) {
  rutStudyLanes* lanes = r->lanes;
  Place* place = &lanes->place[own];
  rutError err = {0};
  rutBytes settings = {0};
  const double start = rut_clock();
  rut_study_clear(r->study, result);
  rut_study_settings(r->study, result->run, &settings);
  if (settings.failed) {
    rut_bytes_free(&settings);
    return false;
  }
  rutStatus status = settle(r, own, settings, result->seed, &err);
  const rutModel* model = status == RUT_OK ? rut_batch_copy_model(lanes->batch, own) : NULL;
  if (status == RUT_OK) status = rut_job_take_model(&place->job, model, &err);
  if (status == RUT_OK) {
    status = rut_job_begin(&place->job, model, rut_batch_data(lanes->batch, own), &err);
  }
  if (status != RUT_OK) {
    rut_job_forget(&place->job);
    return false;
  }
  const double size = (double)rut_model_size(model) + (double)rut_data_size(model);
  lanes->too_large = lanes->too_large || size > LARGEST;
  place->result = result;
  place->in_lanes = false;
  place->wall = rut_clock() - start;
  lanes->busy++;
  lanes->fresh = true;
  return true;
}

// ---- ending one ----

static rutStatus run_alone(rutStudyRunner* r, const rutStudyFeed* feed, rutStudyResult* result,
                           rutError* err) {
  const rutStatus status = rut_study_run_alone(r, result, err);
  feed->done(result, status == RUT_OK, feed->user);
  return status;
}

// A place whose run is over.
static rutStatus end(rutStudyRunner* r, int own, const rutStudyFeed* feed, rutError* err) {
  rutStudyLanes* lanes = r->lanes;
  Place* place = &lanes->place[own];
  rutStudyResult* result = place->result;
  const bool diverged = rut_batch_copy(lanes->batch, own).end == RUT_BATCH_DIVERGED;
  place->result = NULL;
  lanes->busy--;
  if (diverged || place->job.status != RUT_OK) return run_alone(r, feed, result, err);
  const rutModel* model = rut_batch_copy_model(lanes->batch, own);
  rut_job_conclude(&place->job, model, rut_batch_data(lanes->batch, own), NULL, result);
  result->in_lanes = place->in_lanes;
  result->wall = place->wall;
  feed->done(result, true, feed->user);
  return RUT_OK;
}

static bool is_over(const rutStudyLanes* lanes, int own) {
  const rutBatchCopy copy = rut_batch_copy(lanes->batch, own);
  return copy.end != RUT_BATCH_NONE || rut_job_is_over(&lanes->place[own].job, copy.steps);
}

static rutStatus end_all(rutStudyRunner* r, const rutStudyFeed* feed, rutError* err) {
  rutStatus status = RUT_OK;
  for (int i = 0; i < PLACES && status == RUT_OK; i++) {
    if (r->lanes->place[i].result && is_over(r->lanes, i)) status = end(r, i, feed, err);
  }
  return status;
}

// ---- all of them ----

// Places without a run stand still.
static void rest(rutStudyLanes* lanes) {
  for (int i = 0; i < PLACES; i++) {
    if (!lanes->place[i].result) rut_batch_pause(lanes->batch, i);
  }
}

// Runs for the places that are free. Where copies must be of one age all begin together.
static rutStatus fill(rutStudyRunner* r, const rutStudyFeed* feed, rutError* err) {
  rutStudyLanes* lanes = r->lanes;
  if (lanes->busy > 0 && rut_batch_info(lanes->batch).in_step) return RUT_OK;
  for (int i = 0; i < PLACES && !lanes->too_large; i++) {
    if (lanes->place[i].result) continue;
    rutStudyResult* result = feed->next(lanes->busy, feed->user);
    if (!result) return RUT_OK;
    if (begin(r, i, result)) continue;
    const rutStatus status = run_alone(r, feed, result, err);
    if (status != RUT_OK) return status;
  }
  return RUT_OK;
}

// Steps until the first of them is over, if nothing ends it before.
static int steps_to_go(const rutStudyLanes* lanes) {
  int64_t least = STEPS_AT_ONCE;
  for (int i = 0; i < PLACES; i++) {
    if (!lanes->place[i].result) continue;
    const int64_t left = lanes->place[i].job.steps - rut_batch_copy(lanes->batch, i).steps;
    if (left > 0 && left < least) least = left;
  }
  return (int)least;
}

static rutStatus step(rutStudyLanes* lanes, rutError* err) {
  const double start = rut_clock();
  rest(lanes);
  const rutStatus status = rut_batch_step(lanes->batch, steps_to_go(lanes), NULL, err);
  const double each = (rut_clock() - start) / lanes->busy;
  for (int i = 0; i < PLACES; i++) {
    Place* place = &lanes->place[i];
    if (place->result) place->wall += each;
  }
  return status;
}

// Do so many runs share no lanes, though there are enough of them, that it is no use?
static bool are_strangers(rutStudyLanes* lanes) {
  if (!lanes->fresh || lanes->busy < FEW) return false;
  lanes->fresh = false;
  rest(lanes);
  lanes->unmatched = rut_batch_info(lanes->batch).matched > 0 ? 0 : lanes->unmatched + 1;
  return lanes->unmatched >= PATIENCE;
}

static void give_back(rutStudyLanes* lanes, const rutStudyFeed* feed) {
  for (int i = 0; i < PLACES; i++) {
    Place* place = &lanes->place[i];
    if (place->result) feed->done(place->result, false, feed->user);
    place->result = NULL;
  }
  lanes->busy = 0;
}

rutStatus rut_study_work_in_lanes(rutStudyRunner* r, const rutStudyFeed* feed, bool* left,
                                  rutError* err) {
  rutStatus status = r->lanes ? RUT_OK : create(r->study, &r->lanes, err);
  bool strangers = false;
  *left = false;
  while (status == RUT_OK) {
    rutStudyLanes* lanes = r->lanes;
    *left = strangers || lanes->too_large;
    if (!*left) status = fill(r, feed, err);
    if (status == RUT_OK && !*left) status = end_all(r, feed, err);
    if (lanes->busy == 0 || status != RUT_OK) break;
    strangers = strangers || are_strangers(lanes);
    status = step(lanes, err);
    if (status == RUT_OK) status = end_all(r, feed, err);
  }
  if (r->lanes) give_back(r->lanes, feed);
  return status;
}

rutStatus rut_study_matched(rutStudyRunner* r, int n, const int64_t* run, int* matched,
                            rutError* err) {
  *matched = 0;
  if (n > PLACES) return rut_error_set(err, RUT_ERR_ARGUMENT, "at most %d runs", PLACES);
  if (!rut_study_has_lanes(r->study)) return RUT_OK;
  rutStatus status = r->lanes ? RUT_OK : create(r->study, &r->lanes, err);
  double* measure = calloc((size_t)r->study->measures + 1, sizeof *measure);
  rutStudyResult result[PLACES];
  if (status == RUT_OK && !measure) status = rut_study_no_memory(err);
  // one large world tells that none will share
  for (int i = 0; i < n && status == RUT_OK && !r->lanes->too_large; i++) {
    result[i] = (rutStudyResult){.run = run[i], .measure = measure};
    if (run[i] < 0 || run[i] >= r->study->runs) {
      status = rut_error_set(err, RUT_ERR_ARGUMENT, "there is no run %lld", (long long)run[i]);
    } else {
      begin(r, i, &result[i]);
    }
  }
  rutStudyLanes* lanes = r->lanes;
  if (status == RUT_OK && lanes->batch && !lanes->too_large) {
    rest(lanes);
    *matched = rut_batch_info(lanes->batch).matched;
  }
  for (int i = 0; lanes && i < PLACES; i++) lanes->place[i].result = NULL;
  if (lanes) lanes->busy = 0;
  free(measure);
  return status;
}
