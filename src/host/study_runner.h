// SPDX-License-Identifier: BSD-3-Clause
//
// Runs of a study in one thread: alone, or several together in lanes.
#ifndef RUT_HOST_STUDY_RUNNER_H
#define RUT_HOST_STUDY_RUNNER_H

#include "host/study_job.h"

// Where runs come from, and where their results go.
typedef struct rutStudyFeed {
  // A result whose `run` and `measure` are set, to be filled in; NULL: there is none at present. It
  // is asked again when a run has ended, as long as there are some: `held` is their number.
  rutStudyResult* (*next)(int held, void* user);
  // In any order. whole: false if the run was not carried out, since the call has failed.
  void (*done)(rutStudyResult* result, bool whole, void* user);
  void* user;
} rutStudyFeed;

typedef struct rutStudyLanes rutStudyLanes;

struct rutStudyRunner {
  const rutStudy* study;
  rutJobWorlds worlds;
  // of runs that are carried out alone
  rutJob job;
  rutModel* model;
  rutData* data;
  rutStudyLanes* lanes;  // of those that are not; NULL before the first of them
};

// Carry out runs until there are none. Errors: MEMORY, IO. Nullable: err.
rutStatus rut_study_work(rutStudyRunner* runner, const rutStudyFeed* feed, rutError* err);

// One run by itself; out has `run` and `measure`. Errors: MEMORY.
rutStatus rut_study_run_alone(rutStudyRunner* runner, rutStudyResult* out, rutError* err);
// A result before its run.
void rut_study_clear(const rutStudy* study, rutStudyResult* out);

// ---- study_lanes.c ----

// Can runs of this study share lanes at all?
bool rut_study_has_lanes(const rutStudy* study);
// rut_study_work in lanes; gives up, with RUT_OK and *left, where runs turn out not to share them.
rutStatus rut_study_work_in_lanes(rutStudyRunner* runner, const rutStudyFeed* feed, bool* left,
                                  rutError* err);
void rut_study_lanes_destroy(rutStudyLanes* lanes);  // Nullable: lanes

#endif  // RUT_HOST_STUDY_RUNNER_H
