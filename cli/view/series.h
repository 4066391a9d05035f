// SPDX-License-Identifier: BSD-3-Clause
//
// Signals of one or two logs over their whole length, as rows in order of time.
#ifndef RUT_VIEW_SERIES_H
#define RUT_VIEW_SERIES_H

#include "rut/host.h"

typedef struct viewSeries {
  int signals, rows;
  double* time;
  float* value;  // [row][signal]
} viewSeries;

// A signal of a log.
typedef struct viewSeriesSignal {
  int log, signal;
} viewSeriesSignal;

// Read n signals; thinned out to a number of rows that a page can draw, with all peaks. Errors:
// those of the logs, MEMORY, CAPACITY (more than 67 million values).
rutStatus view_series_read(rutLogFile* const* log, int logs, int n, const viewSeriesSignal* signal,
                           viewSeries* out, rutError* err);
void view_series_free(viewSeries* series);

#endif  // RUT_VIEW_SERIES_H
