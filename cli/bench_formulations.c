// SPDX-License-Identifier: BSD-3-Clause
#include "bench_formulations.h"

#include <math.h>
#include <stdio.h>

#include "cli.h"

#ifdef RUT_HAVE_FORMULATIONS
#include "formulations/measure.h"
#include "json.h"
#include "table.h"

static const double DURATION = 10, STEP = 1e-3;  // of the drive [s]
enum { RUNS = 5 };

// Ratios that Jayakumar et al. found for such a vehicle: "Advanced Mobility Testbed for Dynamic
// Semi-Autonomous Unmanned Ground Vehicles", table 1.
static double published_ratio(int method) {
  static const double ratio[FORM_METHODS] = {1, 4.1, 4.1, 120, 120};
  return ratio[method];
}

static void json_figures(cliJson* json, const formFigures* f, const formFigures* base,
                         double published) {
  cli_json_object(json, NULL);
  cli_json_text(json, "formulation", f->name);
  cli_json_text(json, "doc", f->doc);
  cli_json_bool(json, "available", f->available);
  cli_json_integer(json, "coordinates", f->coordinates);
  cli_json_integer(json, "constraints", f->constraints);
  cli_json_integer(json, "free", f->coordinates - f->constraints);
  cli_json_integer(json, "prescribed", 1);
  cli_json_integer(json, "equations", f->equations);
  if (f->available) {
    cli_json_number(json, "evaluation_median_ns", f->median);
    cli_json_number(json, "evaluation_mean_ns", f->mean);
    cli_json_number(json, "evaluation_p99_ns", f->p99);
    cli_json_number(json, "forces_ns", f->forces);
    cli_json_number(json, "ms_per_simulated_second", f->second);
    cli_json_number(json, "ratio_of_evaluation", f->median / base->median);
    cli_json_number(json, "ratio_of_whole", f->second / base->second);
    cli_json_number(json, "drift_m", f->drift);
    cli_json_number(json, "apart_m", f->apart);
    cli_json_number(json, "heap_growth_bytes", f->heap);
  }
  cli_json_number(json, "published_ratio", published);
  cli_json_end(json);
}

static void print_json(const formFigures* figures) {
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_array(&json, NULL);
  for (int i = 0; i < FORM_METHODS; i++) {
    json_figures(&json, &figures[i], &figures[0], published_ratio(i));
  }
  cli_json_end(&json);
}

static void add_row(cliTable* table, const formFigures* f, const formFigures* base,
                    double published) {
  cli_table_add(table, "%s", f->name);
  cli_table_add(table, "%d - %d", f->coordinates, f->constraints);
  cli_table_add(table, "%d", f->equations);
  if (f->available) {
    cli_table_add(table, "%.2f", 1e-3 * f->median);
    cli_table_add(table, "%.2f, %.2f", 1e-3 * f->mean, 1e-3 * f->p99);
    cli_table_add(table, "%.2f", 1e-3 * f->forces);
    cli_table_add(table, "%.2f", f->second);
    cli_table_add(table, "%.3g", f->median / base->median);
    cli_table_add(table, "%.3g", f->second / base->second);
    cli_table_add(table, "%.2g", f->drift);
    cli_table_add(table, "%.0f", f->heap);
  } else {
    for (int i = 0; i < 8; i++) cli_table_add(table, "%s", i ? "" : "left out");
  }
  cli_table_add(table, "%.3g", published);
}

static void print_table(const formFigures* figures) {
  static const char* const header[] = {"formulation", "coordinates", "equations", "us",
                                       "mean, p99",   "forces us",   "ms/s",      "ratio",
                                       "ratio whole", "drift m",     "heap B",    "published"};
  cliTable table;
  bool all = true;
  cli_table_init(&table, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(&table, "%s", header[i]);
  for (int i = 0; i < FORM_METHODS; i++) {
    add_row(&table, &figures[i], &figures[0], published_ratio(i));
    all = all && figures[i].available;
  }
  cli_table_print(&table, "lrrrrrrrrrrr", stdout);
  cli_table_free(&table);
  printf(
      "\nOne car, 14 free coordinates and 1 that is prescribed (steering linkage); %g s at %g ms.\n"
      "us: one evaluation of the accelerations, median, mean and 99th percentile (embedded's "
      "holds\n"
      "its springs, which the others have among the forces); ratio: of medians. ms/s: all of a\n"
      "simulated second. heap B: growth. published: ROAMS (Jayakumar et al., table 1).\n",
      DURATION, 1e3 * STEP);
  if (!all) printf("Left out: apt-get install libsuitesparse-dev, and build again.\n");
}

int cli_bench_formulations(bool json) {
  formFigures figures[FORM_METHODS];
  if (!form_measure(DURATION, STEP, RUNS, figures)) {
    fprintf(stderr, "rut: error: out of memory\n");
    return CLI_IO;
  }
  if (json) {
    print_json(figures);
  } else {
    print_table(figures);
  }
  return CLI_DONE;
}

bool cli_formulation_sizes(int n, const int* method, cliFormulationSize* out) {
  formFigures figures[FORM_METHODS];
  if (!form_measure(1, STEP, 2, figures)) return false;
  for (int i = 0; i < n; i++) {
    const formFigures* f = &figures[method[i]];
    out[i] = (cliFormulationSize){f->coordinates, f->constraints, f->equations,
                                  f->available ? f->median : (double)NAN};
  }
  return true;
}

#else

bool cli_formulation_sizes(int n, const int* method, cliFormulationSize* out) {
  (void)n;
  (void)method;
  (void)out;
  return false;
}

int cli_bench_formulations(bool json) {
  (void)json;
  fprintf(stderr, "rut: error: 'formulations' needs a command with a static librut\n");
  return CLI_MISSING;
}
#endif
