// SPDX-License-Identifier: BSD-3-Clause
#include "plot_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

enum { SPARKS = 20 };
static const double DEGREES = 57.29577951308232;

static void keep(int which, double time, double value, void* user) {
  cliCurve* c = &((cliCurve*)user)[which];
  if (c->n == c->capacity) {
    const size_t capacity = 2 * c->capacity + 1024;
    double* t = realloc(c->t, capacity * sizeof *t);
    if (t) c->t = t;
    double* y = t ? realloc(c->y, capacity * sizeof *y) : NULL;
    if (y) c->y = y;
    c->failed = c->failed || !y;
    if (!y) return;
    c->capacity = capacity;
  }
  c->t[c->n] = time;
  c->y[c->n++] = value;
}

// Degrees in place of radians.
static void to_degrees(cliCurve* c, const char* unit) {
  const bool angle = strncmp(unit, "rad", 3) == 0;
  snprintf(c->unit, sizeof c->unit, "%s%.16s", angle ? "°" : "", unit + (angle ? 3 : 0));
  for (size_t i = 0; angle && i < c->n; i++) c->y[i] *= DEGREES;
}

rutStatus cli_curves_read(rutLogFile* file, const rutLogSelection* signals, cliCurve* curve,
                          rutError* err) {
  size_t values = 0;
  memset(curve, 0, (size_t)signals->n * sizeof *curve);
  rutStatus status = rut_log_read_signals(file, signals, keep, curve, err);
  for (int i = 0; i < signals->n; i++) {
    const rutSignal s = rut_log_signal_at(file, signals->index[i]);
    curve[i].name = s.name;
    to_degrees(&curve[i], s.unit);
    values += curve[i].n;
    if (curve[i].failed && status == RUT_OK) {
      status = RUT_ERR_MEMORY;
      if (err) *err = (rutError){.status = status, .message = "no memory for the curves"};
    }
  }
  if (status == RUT_OK && values == 0) {
    const rutLogInfo info = rut_log_info(file);
    status = RUT_ERR_ARGUMENT;
    *err = (rutError){.status = status};
    snprintf(err->message, sizeof err->message,
             "the log has no values of these signals in that time; it goes from %g to %g s",
             info.start, info.end);
  }
  return status;
}

void cli_curves_free(int n, cliCurve* curve) {
  for (int i = 0; i < n; i++) {
    free(curve[i].t);
    free(curve[i].y);
  }
}

static double largest(const cliCurve* c) {
  double most = 0;
  for (size_t i = 0; i < c->n; i++) {
    if (isfinite(c->y[i])) most = fmax(most, fabs(c->y[i]));
  }
  return most;
}

void cli_curves_scale(int n, cliCurve* const* curve) {
  static const char* const units[] = {"N", "J", "W", "N m"};
  bool known = false;
  double most = 0;
  for (int i = 0; i < (int)(sizeof units / sizeof units[0]); i++) {
    known = known || (n > 0 && strcmp(curve[0]->unit, units[i]) == 0);
  }
  for (int i = 0; i < n; i++) most = fmax(most, largest(curve[i]));
  if (!known || most < 2e3) return;
  const bool mega = most >= 2e6;
  const double scale = mega ? 1e-6 : 1e-3;
  for (int i = 0; i < n; i++) {
    char unit[CLI_UNIT_SIZE];
    snprintf(unit, sizeof unit, "%c%.20s", mega ? 'M' : 'k', curve[i]->unit);
    memcpy(curve[i]->unit, unit, sizeof unit);
    for (size_t k = 0; k < curve[i]->n; k++) curve[i]->y[k] *= scale;
  }
}

void cli_curve_thin(cliCurve* c, size_t bins) {
  if (c->n <= 4 * bins) return;
  const double start = c->t[0], width = (c->t[c->n - 1] - start) / (double)bins;
  if (!(width > 0)) return;
  size_t kept = 0;
  for (size_t i = 0; i < c->n;) {
    const double end = start + width * (floor((c->t[i] - start) / width) + 1);
    const size_t first = i;
    size_t low = i, high = i;
    for (; i < c->n && (c->t[i] < end || i == first); i++) {
      if (!(c->y[i] >= c->y[low])) low = i;
      if (!(c->y[i] <= c->y[high])) high = i;
    }
    // first, extremes in their order, last: the line through them looks the same
    size_t at[4] = {first, low < high ? low : high, low < high ? high : low, i - 1};
    for (int k = 0; k < 4; k++) {
      if (k > 0 && at[k] == at[k - 1]) continue;
      c->t[kept] = c->t[at[k]];
      c->y[kept++] = c->y[at[k]];
    }
  }
  c->n = kept;
}

double cli_curve_at(const cliCurve* c, double time) {
  if (c->n == 0 || time < c->t[0] || time > c->t[c->n - 1]) return (double)NAN;
  size_t low = 0, high = c->n - 1;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (c->t[middle] <= time) {
      low = middle;
    } else {
      high = middle;
    }
  }
  if (c->t[high] == time || high == low) return c->y[high];
  const double part = (time - c->t[low]) / (c->t[high] - c->t[low]);
  return c->y[low] + part * (c->y[high] - c->y[low]);
}

// ---- the terminal ----

// Mean of each part of the time as a bar of eight heights.
static void spark(const cliCurve* c, double least, double most, char* text, size_t size) {
  static const char* const bar[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const double start = c->t[0], span = c->t[c->n - 1] - start;
  size_t i = 0, used = 0;
  text[0] = '\0';
  for (int k = 0; k < SPARKS; k++) {
    double sum = 0;
    int n = 0;
    for (; i < c->n && (k == SPARKS - 1 || c->t[i] - start <= span * (k + 1) / SPARKS); i++) {
      if (!isfinite(c->y[i])) continue;
      sum += c->y[i];
      n++;
    }
    const double part = most > least ? (sum / n - least) / (most - least) : 0;
    const int height = n > 0 ? (int)fmin(part * 8, 7) : -1;
    used += (size_t)snprintf(text + used, size - used, "%s", height < 0 ? " " : bar[height]);
  }
}

void cli_curves_print(int n, const cliCurve* curve) {
  static const char* const header[] = {"signal",  "unit", "least",    "mean",
                                       "largest", "last", "over time"};
  cliTable table;
  cli_table_init(&table, 7);
  for (int i = 0; i < 7; i++) cli_table_add(&table, "%s", header[i]);
  for (int i = 0; i < n; i++) {
    const cliCurve* c = &curve[i];
    double least = HUGE_VAL, most = -HUGE_VAL, sum = 0, last = (double)NAN;
    size_t finite = 0;
    for (size_t k = 0; k < c->n; k++) {
      if (!isfinite(c->y[k])) continue;
      least = fmin(least, c->y[k]);
      most = fmax(most, c->y[k]);
      sum += last = c->y[k];
      finite++;
    }
    cli_table_add(&table, "%s", c->name);
    cli_table_add(&table, "%s", c->unit);
    const double number[] = {least, sum / (double)finite, most, last};
    for (int k = 0; k < 4; k++) {
      if (finite > 0) {
        cli_table_add(&table, "%.4g", number[k]);
      } else {
        cli_table_add(&table, "-");
      }
    }
    char text[4 * SPARKS + 1] = "";
    if (finite > 0) spark(c, least, most, text, sizeof text);
    cli_table_add(&table, "%s", text);
  }
  cli_table_print(&table, "llrrrrl", stdout);
  cli_table_free(&table);
}
