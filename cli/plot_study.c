// SPDX-License-Identifier: BSD-3-Clause
#include "plot_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "gnuplot.h"
#include "report.h"
#include "rut/host.h"
#include "study_figure.h"
#include "study_summary.h"
#include "table.h"

bool cli_is_study(const char* path) {
  static const char magic[] = "SQLite format 3";
  char head[sizeof magic] = "";
  FILE* file = rut_file_open(path, NULL);
  const bool same = file && fread(head, 1, sizeof head, file) == sizeof head &&
                    memcmp(head, magic, sizeof head) == 0;
  if (file) fclose(file);
  return same;
}

// ---- what is shown ----

static const cliStudyFigureType* find_type(const char* name, int* code) {
  int n;
  const cliStudyFigureType* type = cli_study_figures(&n);
  const char* known[16];
  for (int i = 0; i < n; i++) {
    if (strcmp(type[i].name, name) == 0) return &type[i];
    known[i] = type[i].name;
  }
  const char* nearest = rut_nearest(name, (size_t)n, known);
  char all[200] = "";
  size_t used = 0;
  for (int i = 0; i < n && used < sizeof all; i++) {
    const int k = snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", type[i].name);
    used += k > 0 ? (size_t)k : 0;
  }
  *code = cli_usage_error(&cli_verb_plot, "there is no figure '%s'%s%s%s: %s", name,
                          nearest ? "; did you mean '" : "", nearest ? nearest : "",
                          nearest ? "'?" : "", all);
  return NULL;
}

static bool wanted(const cliStudyPlot* plot, const char* name, bool* found) {
  for (int i = 0; i < plot->names; i++) {
    if (!rut_glob(plot->name[i], name)) continue;
    found[i] = true;
    return true;
  }
  return false;
}

// A name that nothing has. Returns the exit code.
static int unknown_name(const rutStudyTable* table, const char* name) {
  const rutStudyTableInfo info = rut_study_table_info(table);
  const char** known = calloc((size_t)(info.inputs + info.measures) + 1, sizeof *known);
  size_t n = 0;
  for (int i = 0; known && i < info.inputs; i++) known[n++] = rut_study_table_input(table, i).name;
  for (int i = 0; known && i < info.measures; i++) {
    known[n++] = rut_study_table_measure(table, i).name;
  }
  const char* nearest = known ? rut_nearest(name, n, known) : NULL;
  const int code = cli_usage_error(&cli_verb_plot, "no input or measure is called '%s'%s%s%s", name,
                                   nearest ? "; did you mean '" : "", nearest ? nearest : "",
                                   nearest ? "'?" : "");
  free(known);
  return code;
}

// Columns of the figure: those that are named, or all of a kind of which none is. Returns CLI_GO_ON
// or an exit code.
static int choose(cliStudyFigure* f, const cliStudyPlot* plot, const cliStudyFigureType* type) {
  const rutStudyTableInfo info = rut_study_table_info(f->table);
  bool found[CLI_LIST_SIZE] = {false}, some_input = false, some_measure = false;
  for (int i = 0; i < info.inputs; i++) {
    some_input = wanted(plot, rut_study_table_input(f->table, i).name, found) || some_input;
  }
  for (int i = 0; i < info.measures; i++) {
    some_measure = wanted(plot, rut_study_table_measure(f->table, i).name, found) || some_measure;
  }
  for (int i = 0; i < plot->names; i++) {
    if (!found[i]) return unknown_name(f->table, plot->name[i]);
  }
  bool fits = true;
  for (int i = 0; i < info.inputs && type->wants_inputs && fits; i++) {
    if (some_input && !wanted(plot, rut_study_table_input(f->table, i).name, found)) continue;
    fits = f->inputs < type->most && cli_column_of_input(f->table, i, &f->column[f->inputs]);
    if (fits) f->inputs++;
  }
  for (int i = 0; i < info.measures && type->wants_measures && fits; i++) {
    if (some_measure && !wanted(plot, rut_study_table_measure(f->table, i).name, found)) continue;
    cliColumn* c = &f->column[f->inputs + f->measures];
    fits = f->inputs + f->measures < type->most && cli_column_of_measure(f->table, i, c);
    if (fits) f->measures++;
  }
  if (!fits) {
    return cli_usage_error(
        &cli_verb_plot,
        "figure '%s' shows at most %d inputs and measures, with at most %d texts "
        "each: name those that you want",
        type->name, type->most, CLI_COLUMN_LEVELS);
  }
  return CLI_GO_ON;
}

static int check(const cliStudyFigure* f, const cliStudyFigureType* type) {
  const rutStudyTableInfo info = rut_study_table_info(f->table);
  const bool indices = strcmp(info.design, "saltelli") == 0 || strcmp(info.design, "morris") == 0;
  if (type->wants_pass && info.requirements == 0) {
    return cli_usage_error(&cli_verb_plot, "this study has no <pass> and no <stop fails=\"true\">");
  }
  if (strcmp(type->name, "indices") == 0 && !indices) {
    return cli_usage_error(&cli_verb_plot,
                           "figure 'indices' needs design=\"saltelli\" or \"morris\", not \"%s\"",
                           info.design);
  }
  if (strcmp(type->name, "means") == 0 && f->inputs == 0) {
    return cli_usage_error(&cli_verb_plot, "figure 'means' needs a study that varies an input");
  }
  const bool lacks_inputs = type->wants_inputs && !type->wants_measures && f->inputs == 0;
  if (lacks_inputs || f->inputs + f->measures == 0 || f->rows == 0) {
    return cli_usage_error(&cli_verb_plot, "there is nothing to draw");
  }
  return CLI_GO_ON;
}

static int draw(const rutStudyTable* table, const cliStudyPlot* plot) {
  int code = CLI_GO_ON;
  const cliStudyFigureType* type = find_type(plot->figure ? plot->figure : "histogram", &code);
  if (!type) return code;
  cliStudyFigure* f = calloc(1, sizeof *f);
  if (!f) return CLI_IO;
  f->table = table;
  f->title = plot->title;
  f->rows = (size_t)rut_study_table_info(table).rows;
  code = choose(f, plot, type);
  if (code == CLI_GO_ON) code = check(f, type);
  if (code == CLI_GO_ON) {
    type->size(f);
    code = cli_gnuplot_draw(plot->output, f->width, f->height, type->put, f);
  }
  for (int i = 0; i < CLI_COLUMNS; i++) cli_column_free(&f->column[i]);
  free(f);
  return code;
}

int cli_plot_study(const cliStudyPlot* plot) {
  rutStudyTable* table = NULL;
  rutError err = {0};
  const rutStatus status = rut_study_table_open(plot->database, &table, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  int code = CLI_DONE;
  if (plot->output) {
    code = draw(table, plot);
  } else {
    cli_study_print(table, stdout);
  }
  rut_study_table_close(table);
  return code;
}
