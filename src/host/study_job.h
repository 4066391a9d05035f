// SPDX-License-Identifier: BSD-3-Clause
//
// One run of a study: its world, and what it measures step by step. Who makes the model and steps
// the data is told by its callers.
#ifndef RUT_HOST_STUDY_JOB_H
#define RUT_HOST_STUDY_JOB_H

#include "host/bytes.h"
#include "host/study.h"
#include "host/study_watch.h"
#include "rut/host.h"

// Where worlds of one thread come from.
typedef struct rutJobWorlds {
  const rutStudy* study;
  rutContext* context;
  rutSpec* world;  // as its file says; NULL where each seed has another
} rutJobWorlds;

rutStatus rut_job_worlds_open(const rutStudy* study, rutJobWorlds* worlds, rutError* err);
void rut_job_worlds_close(rutJobWorlds* worlds);

typedef struct rutJob {
  const rutStudy* study;
  // The world, and what it was made of: settings, and the seed where that counts.
  rutSpec* spec;  // NULL: none yet
  rutBytes settings;
  uint64_t seed;
  bool seeded;
  double duration;    // of a run [s]
  rutInputs* inputs;  // Nullable
  rutWatch watch;
  rutStudyValue* value;  // [inputs]
  // Of the run at hand.
  int64_t steps;  // that it has if nothing ends it
  int64_t every;  // steps from a look at the signals to the next
  int64_t unwatched;
  rutMetrics* metrics;  // Nullable
  const rutStop* stop;  // whose condition holds; NULL: none
  rutStatus status;     // of what is done beside the steps
} rutJob;

// Zeroed memory for runs of a study. Errors: MEMORY.
rutStatus rut_job_create(const rutStudy* study, rutJob* job, rutError* err);
void rut_job_free(rutJob* job);

// Is the world that it has the one of these settings and this seed?
bool rut_job_has_world(const rutJob* job, const rutBytes* settings, uint64_t seed);
// Make the spec of a run in place of the one before. Takes the settings over. Errors: those of
// rut_spec_set and rut_spec_parse.
rutStatus rut_job_make_world(rutJob* job, rutJobWorlds* worlds, rutBytes settings, uint64_t seed,
                             rutError* err);
// Have the world of another job.
rutStatus rut_job_copy_world(rutJob* job, const rutJob* from, rutError* err);
// Look at the model of its world from now on. Errors: MODEL (signals are missing), those of
// rut_inputs_parse.
rutStatus rut_job_take_model(rutJob* job, const rutModel* model, rutError* err);
// Forget the world; its model may then go.
void rut_job_forget(rutJob* job);

// Begin a run with data that is as after rut_data_reset, and look at it. Errors: ARGUMENT (a set
// point of the inputs), MEMORY.
rutStatus rut_job_begin(rutJob* job, const rutModel* model, rutData* data, rutError* err);
// Has it ended, after so many steps?
static inline bool rut_job_is_over(const rutJob* job, int64_t steps) {
  return job->stop || job->status != RUT_OK || steps >= job->steps;
}
// What comes before and after every step.
void rut_job_prepare(rutJob* job, const rutModel* model, rutData* data);
void rut_job_follow(rutJob* job, const rutModel* model, const rutData* data);
// Tell how it ended and what was measured; out has its run, seed and room for measures. diverged:
// what the last step told, NULL if the state is finite.
void rut_job_conclude(rutJob* job, const rutModel* model, const rutData* data,
                      const rutError* diverged, rutStudyResult* out);

#endif  // RUT_HOST_STUDY_JOB_H
