// SPDX-License-Identifier: BSD-3-Clause
#include "study_summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "sort.h"
#include "table.h"
#include "text.h"

static const double DEGREES = 57.29577951308232;

// Values of a measure in ascending order, of the runs that have it. The caller frees *out.
static int64_t sorted_values(const rutStudyTable* table, int measure, double** out) {
  const int64_t rows = rut_study_table_info(table).rows;
  double* value = malloc(((size_t)rows + 1) * sizeof *value);
  int64_t n = 0;
  for (int64_t i = 0; value && i < rows; i++) {
    const double x = rut_study_table_row(table, i).measure[measure];
    if (!isnan(x)) value[n++] = x;
  }
  if (value) cli_sort((size_t)n, value);
  *out = value;
  return n;
}

static const double percents[] = {0, 5, 50, 95, 100};

static void add_measure(const rutStudyTable* table, int measure, cliTable* rows) {
  const rutStudyMeasure m = rut_study_table_measure(table, measure);
  const bool angle = strncmp(m.unit, "rad", 3) == 0;
  double* value;
  const int64_t n = sorted_values(table, measure, &value);
  cli_table_add(rows, "%s", m.name);
  cli_table_add(rows, "%s%s", angle ? "deg" : m.unit, angle ? m.unit + 3 : "");
  cli_table_add(rows, "%" PRId64, n);
  for (int i = 0; i < CLI_COUNT(percents); i++) {
    const double x = value ? rut_percentile(n, value, percents[i]) : (double)NAN;
    if (isnan(x)) cli_table_add(rows, "%s", "-");
    if (!isnan(x)) cli_table_add(rows, "%.4g", x * (angle ? DEGREES : 1));
  }
  free(value);
}

static void count(const rutStudyTable* table, int64_t ends[RUT_STUDY_ENDS], int64_t* passed,
                  int64_t* judged) {
  const int64_t rows = rut_study_table_info(table).rows;
  memset(ends, 0, RUT_STUDY_ENDS * sizeof *ends);
  *passed = *judged = 0;
  for (int64_t i = 0; i < rows; i++) {
    const rutStudyRow row = rut_study_table_row(table, i);
    ends[row.end]++;
    *judged += row.pass >= 0;
    *passed += row.pass == 1;
  }
}

void cli_study_print(const rutStudyTable* table, FILE* out) {
  static const char* const header[] = {"measure", "unit", "runs", "min",
                                       "5 %",     "50 %", "95 %", "max"};
  const rutStudyTableInfo info = rut_study_table_info(table);
  if (info.measures > 0) {
    cliTable rows;
    cli_table_init(&rows, CLI_COUNT(header));
    for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(&rows, "%s", header[i]);
    for (int i = 0; i < info.measures; i++) add_measure(table, i, &rows);
    cli_table_print(&rows, "llrrrrrr", out);
    cli_table_free(&rows);
    putc('\n', out);
  }
  int64_t ends[RUT_STUDY_ENDS], passed, judged;
  count(table, ends, &passed, &judged);
  fprintf(out, "%s: %" PRId64 " of %" PRId64 " runs", CLI_CLEAN(info.name), info.rows, info.runs);
  for (int i = 0; i < RUT_STUDY_ENDS; i++) {
    if (ends[i] > 0) fprintf(out, ", %" PRId64 " %s", ends[i], rut_study_end_name((rutStudyEnd)i));
  }
  putc('\n', out);
  if (judged > 0) {
    const rutEstimate share = rut_share_estimate(passed, judged);
    fprintf(out, "%.4g %% pass, 95 %% confidence %.4g to %.4g %%\n", 100 * share.value,
            100 * share.low, 100 * share.high);
  }
}

static void put_estimate(cliJson* json, const char* key, rutEstimate e) {
  if (isnan(e.value)) return;
  cli_json_object(json, key);
  cli_json_number(json, "value", e.value);
  cli_json_number(json, "low", e.low);
  cli_json_number(json, "high", e.high);
  cli_json_end(json);
}

// How a measure depends on the inputs.
static void put_sensitivities(const rutStudyTable* table, int measure, cliJson* json) {
  const int n = rut_study_table_info(table).inputs;
  rutSensitivity* s = calloc((size_t)n + 1, sizeof *s);
  if (!s || rut_study_sensitivity(table, measure, s, NULL) != RUT_OK) {
    free(s);
    return;
  }
  cli_json_object(json, "inputs");
  for (int i = 0; i < n; i++) {
    cli_json_object(json, rut_study_table_input(table, i).name);
    put_estimate(json, "low_mean", s[i].low);
    put_estimate(json, "high_mean", s[i].high);
    put_estimate(json, "first", s[i].first);
    put_estimate(json, "total", s[i].total);
    put_estimate(json, "effect", s[i].effect);
    if (!isnan(s[i].effect_deviation)) {
      cli_json_number(json, "effect_deviation", s[i].effect_deviation);
    }
    if (!isnan(s[i].rank_correlation)) {
      cli_json_number(json, "rank_correlation", s[i].rank_correlation);
    }
    cli_json_end(json);
  }
  cli_json_end(json);
  free(s);
}

void cli_study_json(const rutStudyTable* table, cliJson* json) {
  const rutStudyTableInfo info = rut_study_table_info(table);
  int64_t ends[RUT_STUDY_ENDS], passed, judged;
  count(table, ends, &passed, &judged);
  cli_json_text(json, "study", info.name);
  cli_json_integer(json, "runs", info.runs);
  cli_json_integer(json, "rows", info.rows);
  for (int i = 0; i < RUT_STUDY_ENDS; i++) {
    cli_json_integer(json, rut_study_end_name((rutStudyEnd)i), ends[i]);
  }
  if (judged > 0) {
    const rutEstimate share = rut_share_estimate(passed, judged);
    cli_json_object(json, "pass");
    cli_json_number(json, "share", share.value);
    cli_json_number(json, "low", share.low);
    cli_json_number(json, "high", share.high);
    cli_json_end(json);
  }
  cli_json_object(json, "measures");
  for (int i = 0; i < info.measures; i++) {
    static const char* const keys[] = {"min", "p5", "median", "p95", "max"};
    double* value;
    const int64_t n = sorted_values(table, i, &value);
    cli_json_object(json, rut_study_table_measure(table, i).name);
    cli_json_text(json, "unit", rut_study_table_measure(table, i).unit);
    cli_json_integer(json, "runs", n);
    for (int k = 0; k < CLI_COUNT(percents); k++) {
      cli_json_number(json, keys[k], value ? rut_percentile(n, value, percents[k]) : (double)NAN);
    }
    put_sensitivities(table, i, json);
    cli_json_end(json);
    free(value);
  }
  cli_json_end(json);
}
