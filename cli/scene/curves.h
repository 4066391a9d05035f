// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of the signals that one page has subscribed. The thread that steps writes them, that of the
// server reads them, and neither waits for the other. While nobody reads, rows get sparser.
#ifndef RUT_SCENE_CURVES_H
#define RUT_SCENE_CURVES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "scene/limits.h"

typedef struct viewCurveRow {
  double time;
  uint32_t subscription, jumps;  // to which the row belongs
  float value[VIEW_SIGNALS];
} viewCurveRow;

typedef struct viewCurves {
  viewCurveRow* row;       // ring of VIEW_CURVE_ROWS
  atomic_uint head, tail;  // rows written and read so far
  // of the thread that steps
  int signals;               // 0: nothing is subscribed
  int signal[VIEW_SIGNALS];  // in the list of the scene
  uint32_t subscription;
  int skipped;  // rows that were due and not written since the last
  double due;   // time of the next row [s]
} viewCurves;

bool view_curves_create(viewCurves* curves);
void view_curves_free(viewCurves* curves);
// From now on these signals.
void view_curves_subscribe(viewCurves* curves, uint32_t subscription, int n, const int* signal);
// Row to fill at a time, NULL if none is due; view_curves_push then hands it to the reader.
viewCurveRow* view_curves_next(viewCurves* curves, double time, uint32_t jumps);
void view_curves_push(viewCurves* curves);
// Rows that there is room for.
int view_curves_room(const viewCurves* curves);
// Write a row whatever is due; false if there is no room.
bool view_curves_write(viewCurves* curves, double time, uint32_t jumps, const float* value);
// After a jump in time the next row is due at once.
void view_curves_restart(viewCurves* curves);

// Oldest row that was not read, NULL if there is none; view_curves_pop gives it back.
const viewCurveRow* view_curves_peek(viewCurves* curves);
void view_curves_pop(viewCurves* curves);

#endif  // RUT_SCENE_CURVES_H
