// SPDX-License-Identifier: BSD-3-Clause
//
// The last minute of the signals that the scene lists, for curves that are asked for later. It
// takes at most a small share of the run: one that is far faster than the clock gets fewer rows.
#ifndef RUT_VIEW_HISTORY_H
#define RUT_VIEW_HISTORY_H

#include "rut/host.h"
#include "scene/curves.h"

typedef struct viewHistory {
  rutSignals* signals;
  int kept;  // signals, the first ones of the list; 0: there is no history
  double* time;
  float* value;  // [row][signal], a ring of VIEW_HISTORY_ROWS
  double* row;   // of all signals that are kept
  int* index;    // of them, from 0 on
  int first, count;
  double due;           // time of the next row [s]
  double begun, spent;  // wall clock at the start, and what rows have taken since [s]
} viewHistory;

// Of a world as it is at first. Without memory there is no history. The caller frees it.
void view_history_create(viewHistory* history, const rutModel* model);
void view_history_free(viewHistory* history);
// After a jump in time nothing is known any more.
void view_history_restart(viewHistory* history);
// Keep the state, if it is time for a row.
void view_history_step(viewHistory* history, const rutModel* model, const rutData* data);
// Begin curves that have just been subscribed with what is known of their signals, NaN for those
// that are not kept.
void view_history_recall(const viewHistory* history, viewCurves* curves, uint32_t jumps);

#endif  // RUT_VIEW_HISTORY_H
