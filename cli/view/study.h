// SPDX-License-Identifier: BSD-3-Clause
//
// A study in the viewer: its results as a table, and its runs, which are simulated again.
#ifndef RUT_VIEW_STUDY_H
#define RUT_VIEW_STUDY_H

#include "rut/host.h"
#include "rut/study.h"
#include "scene/bytes.h"

typedef struct viewStudy viewStudy;

typedef struct viewStudyDef {
  const char* database;
  const char* file;          // the study file; NULL: as if it lay beside the database
  rutContext* context;       // of all worlds that draw no random numbers; outlives the study
  const rutStudyHost* host;  // for those that do; outlives the study
} viewStudyDef;

// A run to be simulated again.
typedef struct viewRun {
  int64_t run;  // -1: none
  uint64_t seed, state_hash;
  int64_t steps;      // that it had
  rutInputs* inputs;  // set points over time. Owned, Nullable
} viewRun;
static const viewRun VIEW_NO_RUN = {.run = -1};

// Read the results, and the study that is in them. Errors: those of rut_study_table_open and
// rut_study_parse. The caller owns *out.
rutStatus view_study_open(const viewStudyDef* def, viewStudy** out, rutError* err);
// Nullable: study.
void view_study_close(viewStudy* study);

// The table as JSON (docs/manual/stream.md). The caller drops it. NULL if out of memory.
viewBytes* view_study_json(const viewStudy* study);
// The first run that can be simulated, -1 if there is none.
int64_t view_study_first(const viewStudy* study);
uint64_t view_study_seed(const viewStudy* study, int64_t run);
// The world of a run. Errors: ARGUMENT (it is not in the results, or was not possible), those of
// rut_study_world. The caller owns *spec, which is to go before the study. From one thread at a
// time.
rutStatus view_study_world(viewStudy* study, int64_t run, rutSpec** spec, rutError* err);
// What else belongs to a run that view_study_world knows, for a model of its world. The caller owns
// its inputs.
rutStatus view_study_run(const viewStudy* study, int64_t run, const rutModel* model, viewRun* out,
                         rutError* err);

#endif  // RUT_VIEW_STUDY_H
