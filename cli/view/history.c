// SPDX-License-Identifier: BSD-3-Clause
#include "view/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

// Between rows, simulated time [s].
static const double PERIOD = 1.0 / VIEW_HISTORY_RATE;
// Of the time of the run that rows may take.
static const double SHARE = 0.02;

void view_history_create(viewHistory* h, const rutModel* model) {
  *h = (viewHistory){.begun = cli_clock()};
  if (rut_signals_create(model, &h->signals, NULL) != RUT_OK) return;
  const int all = rut_signals_count(h->signals);
  const size_t n = (size_t)(all < VIEW_HISTORY_SIGNALS ? all : VIEW_HISTORY_SIGNALS);
  h->time = malloc(VIEW_HISTORY_ROWS * sizeof *h->time);
  h->value = malloc(VIEW_HISTORY_ROWS * (n + 1) * sizeof *h->value);
  h->row = malloc((n + 1) * sizeof *h->row);
  h->index = malloc((n + 1) * sizeof *h->index);
  if (!h->time || !h->value || !h->row || !h->index) return;
  for (int i = 0; i < (int)n; i++) h->index[i] = i;
  h->kept = (int)n;
}

void view_history_free(viewHistory* h) {
  rut_signals_destroy(h->signals);
  free(h->time);
  free(h->value);
  free(h->row);
  free(h->index);
  *h = (viewHistory){0};
}

void view_history_restart(viewHistory* h) {
  h->first = h->count = 0;
  h->due = -1;
}

void view_history_step(viewHistory* h, const rutModel* model, const rutData* data) {
  const double time = rut_time(data);
  if (h->kept == 0 || time < h->due - 1e-9) return;
  const double start = cli_clock();
  h->due = time + PERIOD;
  if (h->spent > SHARE * (start - h->begun)) return;
  const int place = (h->first + h->count) % VIEW_HISTORY_ROWS;
  if (h->count < VIEW_HISTORY_ROWS) {
    h->count++;
  } else {
    h->first = (h->first + 1) % VIEW_HISTORY_ROWS;
  }
  rut_signals_read(h->signals, model, data, h->kept, h->index, h->row);
  float* value = h->value + (size_t)place * (size_t)h->kept;
  for (int i = 0; i < h->kept; i++) value[i] = (float)h->row[i];
  h->time[place] = time;
  h->spent += cli_clock() - start;
}

void view_history_recall(const viewHistory* h, viewCurves* curves, uint32_t jumps) {
  // what waits for the page already, and new rows, need room too
  const int room = view_curves_room(curves) - VIEW_CURVE_RATE;
  for (int i = h->count > room ? h->count - room : 0; i < h->count; i++) {
    const int place = (h->first + i) % VIEW_HISTORY_ROWS;
    const float* value = h->value + (size_t)place * (size_t)h->kept;
    float row[VIEW_SIGNALS];
    for (int k = 0; k < curves->signals; k++) {
      row[k] = curves->signal[k] < h->kept ? value[curves->signal[k]] : NAN;
    }
    view_curves_write(curves, h->time[place], jumps, row);
  }
}
