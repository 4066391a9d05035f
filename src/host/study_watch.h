// SPDX-License-Identifier: BSD-3-Clause
//
// What a study measures and watches in a run, state by state.
#ifndef RUT_HOST_STUDY_WATCH_H
#define RUT_HOST_STUDY_WATCH_H

#include "host/study.h"
#include "rut/host.h"

// What a measure knows so far.
typedef struct rutWatched {
  double value, sum, last, time;  // the latter two: of the sample before
  int64_t n;                      // samples
  double* all;                    // of a percentile: [capacity]; owned
  int64_t capacity;
} rutWatched;

typedef struct rutWatch {
  const rutStudy* study;
  rutSignals* signals;  // of the model
  int* index;           // [n] signals that are read, and the values read
  double* value;
  int n;
  int* of_measure;  // place among them of each measure, -1 for none; and of each stop
  int* of_stop;
  rutWatched* watched;  // [measures]
  bool sensors;         // some of them are of sensors
} rutWatch;

// Zeroed memory for a study. Errors: MEMORY.
rutStatus rut_watch_create(const rutStudy* study, rutWatch* watch, rutError* err);
// Begin with a model. Errors: MODEL (it has not all signals), MEMORY.
rutStatus rut_watch_begin(rutWatch* watch, const rutModel* model, rutError* err);
// Begin another run of it.
void rut_watch_clear(rutWatch* watch);
// Take in the present state. Returns the <stop> whose condition holds, NULL for none. Sets *failed
// if it is out of memory.
const rutStop* rut_watch_step(rutWatch* watch, const rutModel* model, const rutData* data,
                              bool* failed);
// Measures so far, [measures]; NaN for those that are not of signals.
void rut_watch_read(rutWatch* watch, double* measure);
void rut_watch_free(rutWatch* watch);

#endif  // RUT_HOST_STUDY_WATCH_H
