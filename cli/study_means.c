// SPDX-License-Identifier: BSD-3-Clause
#include "study_means.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "gnuplot.h"
#include "sort.h"
#include "study_panels.h"

enum { CLI_TENTHS = 10 };

static const char* const colours[] = {BLUE,      VERMILION, GREEN,     "#CC79A7",
                                      "#E69F00", "#56B4E9", "#000000", "#808080"};

// Different values of a column.
static size_t distinct_values(const cliColumn* c, size_t rows) {
  size_t n, distinct = 0;
  double* sorted = cli_column_sorted(c, rows, &n);
  for (size_t i = 0; sorted && i < n; i++) distinct += i == 0 || sorted[i] != sorted[i - 1];
  free(sorted);
  return distinct;
}

// The input with the most values, and no texts if there is another.
static int across(const cliStudyFigure* f) {
  int best = 0;
  size_t most = 0;
  for (int i = 0; i < f->inputs; i++) {
    const size_t n = f->column[i].levels > 0 ? 1 : 1 + distinct_values(&f->column[i], f->rows);
    if (n > most) best = i;
    if (n > most) most = n;
  }
  return best;
}

// Runs that agree in all inputs but the one across.
typedef struct Family {
  size_t like[CLI_COUNT(colours)];  // the first run of each
  int n;
  bool more;  // than have a colour
} Family;

static bool agree(const cliStudyFigure* f, int x, size_t a, size_t b) {
  for (int i = 0; i < f->inputs; i++) {
    if (i != x && f->column[i].value[a] != f->column[i].value[b]) return false;
  }
  return true;
}

static Family families(const cliStudyFigure* f, int x) {
  Family all = {.n = 0};
  for (size_t row = 0; row < f->rows && !all.more; row++) {
    bool known = false;
    for (int k = 0; k < all.n && !known; k++) known = agree(f, x, all.like[k], row);
    if (!known && all.n == (int)CLI_COUNT(colours)) all.more = true;
    if (!known && !all.more) all.like[all.n++] = row;
  }
  return all;
}

// Means of a measure over the values of the input across, or over its tenths if those are many;
// shown gets wide enough for them and their bounds.
static void put_means(FILE* out, const cliStudyFigure* f, const cliColumn* y, int x,
                      const size_t* like, cliColumnRange* shown) {
  typedef struct Pair {
    double x, y;
  } Pair;
  Pair* pair = malloc((f->rows + 1) * sizeof *pair);
  double* value = malloc((f->rows + 1) * sizeof *value);
  size_t n = 0;
  for (size_t i = 0; pair && i < f->rows; i++) {
    const Pair p = {f->column[x].value[i], y->value[i]};
    if (isfinite(p.x) && isfinite(p.y) && (!like || agree(f, x, *like, i))) pair[n++] = p;
  }
  // the value of x comes first in a pair
  if (pair) qsort(pair, n, sizeof *pair, cli_ascending);
  const bool tenths = distinct_values(&f->column[x], f->rows) > 3 * CLI_TENTHS;
  for (size_t from = 0, group = 1; pair && value && from < n; group++) {
    size_t to = tenths ? n * group / CLI_TENTHS : from;
    while (!tenths && to < n && pair[to].x == pair[from].x) to++;
    if (to <= from) to = from + 1;
    double sum = 0;
    for (size_t i = from; i < to; i++) {
      sum += pair[i].x;
      value[i - from] = pair[i].y;
    }
    const rutEstimate e = rut_mean_estimate((int64_t)(to - from), value);
    fprintf(out, "%.9g %.9g ", sum / (double)(to - from), e.value);
    // a bound of NaN changes neither
    shown->low = fmin(fmin(shown->low, e.value), e.low);
    shown->high = fmax(fmax(shown->high, e.value), e.high);
    cli_panel_bound(out, e.low);
    cli_panel_bound(out, e.high);
    putc('\n', out);
    from = to;
  }
  // a table without rows would end the script
  if (n == 0) fputs("NaN NaN NaN NaN\n", out);
  free(pair);
  free(value);
}

// What the runs of a family have in common: "sine, 10 m/s".
static void put_family_name(FILE* out, const cliStudyFigure* f, int x, size_t row) {
  char name[200] = "";
  size_t used = 0;
  for (int i = 0; i < f->inputs && used < sizeof name; i++) {
    const cliColumn* c = &f->column[i];
    const char* unit = strstr(c->label, " (");
    int k = 0;
    if (i == x) continue;
    if (c->levels > 0 && c->value[row] >= 0 && c->value[row] < c->levels) {
      k = snprintf(name + used, sizeof name - used, "%s%s", used ? ", " : "",
                   c->level[(int)c->value[row]]);
    } else {
      k = snprintf(name + used, sizeof name - used, "%s%.4g", used ? ", " : "", c->value[row]);
      if (unit && k > 0 && used + (size_t)k < sizeof name) {
        used += (size_t)k;
        k = snprintf(name + used, sizeof name - used, " %.*s", (int)strcspn(unit + 2, ")"),
                     unit + 2);
      }
    }
    used += k > 0 ? (size_t)k : 0;
  }
  cli_gnuplot_quoted(out, name);
}

void cli_study_means_put(FILE* out, const void* figure) {
  const cliStudyFigure* f = figure;
  const cliPanels g = cli_panels_of(f, f->measures);
  const int x = across(f);
  const Family all = families(f, x);
  const int lines = all.more ? 1 : all.n;
  cli_panels_begin(out, f);
  for (int i = 0; i < f->measures; i++) {
    cliColumnRange shown = {HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < lines; k++) {
      fprintf(out, "$M%d_%d << END\n", i, k);
      put_means(out, f, cli_figure_measure(f, i), x, all.more ? NULL : &all.like[k], &shown);
      fputs("END\n", out);
    }
    cli_panel_margins(out, f, &g, i);
    cli_panel_label_axis(out, "x", f->column[x].label);
    cli_panel_label_axis(out, "y", cli_figure_measure(f, i)->label);
    cli_panel_range(out, "x", cli_column_range(&f->column[x], f->rows));
    cli_panel_levels(out, "x", &f->column[x]);
    cli_panel_heading(out, "mean, with 95 % bounds");
    fputs(lines > 1 && i == 0 ? "set key top left Left reverse samplen 2\n" : "unset key\n", out);
    if (!(shown.high > shown.low)) shown = cli_column_range(cli_figure_measure(f, i), f->rows);
    const double air = 0.04 * (shown.high - shown.low);
    cli_panel_range(out, "y", (cliColumnRange){shown.low - air, shown.high + air});
    fputs("plot ", out);
    for (int k = 0; k < lines; k++) {
      fprintf(out,
              "%s$M%d_%d using 1:2:3:4 with yerrorbars pt 0 lw 1.2 lc rgb '%s' notitle, '' using "
              "1:2 with linespoints pt 7 ps 0.4 lw 1.4 lc rgb '%s' title ",
              k ? ", " : "", i, k, colours[k], colours[k]);
      if (lines > 1) put_family_name(out, f, x, all.like[k]);
      if (lines == 1) fputs("''", out);
    }
    putc('\n', out);
    cli_panel_end(out);
  }
  cli_panels_end(out);
}
