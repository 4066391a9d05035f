// SPDX-License-Identifier: BSD-3-Clause
#include "study_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gnuplot.h"
#include "sort.h"

static const double DEGREES = 57.29577951308232;

static void set_label(cliColumn* c, const char* name, const char* unit) {
  char words[64], shown[32], sign[64];
  snprintf(words, sizeof words, "%s", name);
  for (char* at = words; *at; at++) {
    if (*at == '_') *at = ' ';
  }
  const bool angle = strncmp(unit, "rad", 3) == 0;
  c->scale = angle ? DEGREES : 1;
  snprintf(shown, sizeof shown, "%s%.24s", angle ? "°" : "", unit + (angle ? 3 : 0));
  cli_gnuplot_unit(shown, sign, sizeof sign);
  snprintf(c->label, sizeof c->label, sign[0] ? "%s (%s)" : "%s", words, sign);
}

// Place of a text among the levels, which it joins. -1 if there are too many.
static int place_of(cliColumn* c, const char* text) {
  int at = 0;
  while (at < c->levels && strcmp(c->level[at], text) < 0) at++;
  if (at < c->levels && strcmp(c->level[at], text) == 0) return at;
  if (c->levels == CLI_COLUMN_LEVELS) return -1;
  memmove(&c->level[at + 1], &c->level[at], (size_t)(c->levels - at) * sizeof c->level[0]);
  c->level[at] = text;
  c->levels++;
  return at;
}

bool cli_column_of_input(const rutStudyTable* table, int input, cliColumn* out) {
  const int64_t rows = rut_study_table_info(table).rows;
  const rutStudyInput in = rut_study_table_input(table, input);
  *out = (cliColumn){.input = input, .measure = -1};
  set_label(out, in.name, in.unit);
  // numbers of inputs are in their own unit
  if (!in.unit[0] || strcmp(in.unit, "rad") != 0) out->scale = 1;
  out->value = malloc(((size_t)rows + 1) * sizeof *out->value);
  if (!out->value) return false;
  for (int64_t i = 0; i < rows && !in.number; i++) {
    if (place_of(out, rut_study_table_row(table, i).input[input].text) < 0) return false;
  }
  for (int64_t i = 0; i < rows; i++) {
    const rutStudyValue v = rut_study_table_row(table, i).input[input];
    out->value[i] = in.number ? v.number * out->scale : place_of(out, v.text);
  }
  return true;
}

bool cli_column_of_measure(const rutStudyTable* table, int measure, cliColumn* out) {
  const int64_t rows = rut_study_table_info(table).rows;
  const rutStudyMeasure m = rut_study_table_measure(table, measure);
  *out = (cliColumn){.input = -1, .measure = measure};
  set_label(out, m.name, m.unit);
  out->value = malloc(((size_t)rows + 1) * sizeof *out->value);
  if (!out->value) return false;
  for (int64_t i = 0; i < rows; i++) {
    out->value[i] = rut_study_table_row(table, i).measure[measure] * out->scale;
  }
  return true;
}

void cli_column_free(cliColumn* column) {
  free(column->value);
  column->value = NULL;
}

cliColumnRange cli_column_range(const cliColumn* column, size_t rows) {
  cliColumnRange r = {HUGE_VAL, -HUGE_VAL};
  for (size_t i = 0; i < rows; i++) {
    if (!isfinite(column->value[i])) continue;
    r.low = fmin(r.low, column->value[i]);
    r.high = fmax(r.high, column->value[i]);
  }
  if (column->levels > 0) return (cliColumnRange){-0.5, column->levels - 0.5};
  if (!(r.high >= r.low)) return (cliColumnRange){0, 1};
  const double span = r.high - r.low;
  const double air = span > 1e-9 * fabs(r.high) ? 0.05 * span : fmax(0.1 * fabs(r.high), 1e-9);
  return (cliColumnRange){r.low - air, r.high + air};
}

double* cli_column_sorted(const cliColumn* column, size_t rows, size_t* n) {
  double* sorted = malloc((rows + 1) * sizeof *sorted);
  *n = 0;
  if (!sorted) return NULL;
  for (size_t i = 0; i < rows; i++) {
    if (isfinite(column->value[i])) sorted[(*n)++] = column->value[i];
  }
  cli_sort(*n, sorted);
  return sorted;
}
