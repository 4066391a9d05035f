// SPDX-License-Identifier: BSD-3-Clause
#include "study_figure.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "gnuplot.h"
#include "study_means.h"
#include "study_panels.h"

enum { BINS = 60, SCATTER = 3000, LINES = 600, GROUPS = 10 };

// ---- histograms ----

static void histogram_size(cliStudyFigure* f) {
  const cliPanels g = cli_panels_of(f, f->measures);
  cli_panels_size(f, &g);
}

// Width of bins after Freedman and Diaconis (1981), as a number of bins.
static int bins_of(const double* sorted, size_t n, cliColumnRange range) {
  const double spread =
      rut_percentile((int64_t)n, sorted, 75) - rut_percentile((int64_t)n, sorted, 25);
  const double width = 2 * spread / cbrt((double)n);
  const double bins = width > 0 ? (range.high - range.low) / width : 10;
  return (int)fmin(fmax(ceil(bins), 5), BINS);
}

static void put_bins(FILE* out, int panel, const double* sorted, size_t n, cliColumnRange r,
                     int bins) {
  const double width = (r.high - r.low) / bins;
  size_t k = 0;
  fprintf(out, "$B%d << END\n", panel);
  for (int i = 0; i < bins; i++) {
    const size_t from = k;
    while (k < n && (i == bins - 1 || sorted[k] < r.low + (i + 1) * width)) k++;
    fprintf(out, "%.9g %.9g\n", r.low + (i + 0.5) * width, 100 * (double)(k - from) / (double)n);
  }
  fputs("END\n", out);
}

// Percentiles as lines, with their confidence intervals as bands behind the bars.
static void put_percentiles(FILE* out, const double* sorted, size_t n) {
  static const double percent[] = {5, 50, 95};
  char text[200] = "";
  size_t used = 0;
  for (int i = 0; i < CLI_COUNT(percent); i++) {
    rutEstimate e;
    if (rut_percentile_estimate((int64_t)n, sorted, percent[i], &e) != RUT_OK) continue;
    fprintf(out,
            "set object %d rectangle from %.9g, graph 0 to %.9g, graph 1 fc rgb '" VERMILION
            "' fs transparent solid 0.22 noborder behind\n"
            "set arrow %d from %.9g, graph 0 to %.9g, graph 1 nohead front lw 1.3 dt %d lc rgb "
            "'" VERMILION "'\n",
            i + 1, e.low, e.high, i + 1, e.value, e.value, i == 1 ? 1 : 2);
    const int k = snprintf(text + used, sizeof text - used, "%s%g %%: %.3g", used ? "   " : "",
                           percent[i], e.value);
    used += k > 0 ? (size_t)k : 0;
    if (used >= sizeof text) used = sizeof text - 1;
  }
  cli_panel_heading(out, text);
}

static void histogram_put(FILE* out, const void* figure) {
  const cliStudyFigure* f = figure;
  const cliPanels g = cli_panels_of(f, f->measures);
  cli_panels_begin(out, f);
  for (int i = 0; i < f->measures; i++) {
    const cliColumn* c = cli_figure_measure(f, i);
    size_t n;
    double* sorted = cli_column_sorted(c, f->rows, &n);
    cli_panel_margins(out, f, &g, i);
    cli_panel_label_axis(out, "x", c->label);
    cli_panel_label_axis(out, "y", "share of runs (%)");
    cliColumnRange r = cli_column_range(c, f->rows);
    if (n > 0 && sorted[n - 1] > sorted[0]) r = (cliColumnRange){sorted[0], sorted[n - 1]};
    if (sorted && n > 0) {
      const int bins = bins_of(sorted, n, r);
      put_bins(out, i, sorted, n, r, bins);
      put_percentiles(out, sorted, n);
      cli_panel_range(out, "x", cli_column_range(c, f->rows));
      fprintf(out,
              "set yrange [0:*]\nset boxwidth %.9g\nplot $B%d using 1:2 with boxes fs solid 0.75 "
              "border lc rgb 'white' lw 0.6 fc rgb '" BLUE "'\n",
              (r.high - r.low) / bins, i);
    }
    free(sorted);
    cli_panel_end(out);
  }
  cli_panels_end(out);
}

// ---- distribution functions ----

static void cdf_put(FILE* out, const void* figure) {
  const cliStudyFigure* f = figure;
  const cliPanels g = cli_panels_of(f, f->measures);
  cli_panels_begin(out, f);
  for (int i = 0; i < f->measures; i++) {
    const cliColumn* c = cli_figure_measure(f, i);
    size_t n;
    double* sorted = cli_column_sorted(c, f->rows, &n);
    const size_t stride = n > 2000 ? n / 2000 : 1;
    fprintf(out, "$C%d << END\n", i);
    for (size_t k = 0; sorted && k < n; k += stride) {
      const rutEstimate e = rut_share_estimate((int64_t)k + 1, (int64_t)n);
      fprintf(out, "%.9g %.6g %.6g %.6g\n", sorted[k], 100 * e.value, 100 * e.low, 100 * e.high);
    }
    fputs("END\n", out);
    cli_panel_margins(out, f, &g, i);
    cli_panel_label_axis(out, "x", c->label);
    cli_panel_label_axis(out, "y", "runs at or below (%)");
    cli_panel_range(out, "x", cli_column_range(c, f->rows));
    cli_panel_heading(out, "with Wilson's 95 % bounds");
    fprintf(out,
            "set yrange [0:100]\n"
            "plot $C%d using 1:3:4 with filledcurves fc rgb '" BLUE
            "' fs transparent solid 0.25 noborder, $C%d using 1:2 with lines lw 1.5 lc rgb '" BLUE
            "'\n",
            i, i);
    free(sorted);
    cli_panel_end(out);
  }
  cli_panels_end(out);
}

// ---- share that passes ----

static void pass_size(cliStudyFigure* f) {
  const cliPanels g = cli_panels_of(f, f->inputs);
  cli_panels_size(f, &g);
}

typedef struct Run {
  double x;
  int pass;
} Run;

static int by_x(const void* a, const void* b) {
  const Run *p = a, *q = b;
  return (p->x > q->x) - (p->x < q->x);
}

// Groups of equal size, or of equal values, in order of an input.
static void put_groups(FILE* out, const cliStudyFigure* f, const cliColumn* c, int panel) {
  Run* run = malloc((f->rows + 1) * sizeof *run);
  size_t n = 0, distinct = 0;
  for (size_t i = 0; run && i < f->rows; i++) {
    const int pass = rut_study_table_row(f->table, (int64_t)i).pass;
    if (pass >= 0) run[n++] = (Run){c->value[i], pass};
  }
  if (run) qsort(run, n, sizeof *run, by_x);
  for (size_t i = 0; run && i < n; i++) distinct += i == 0 || run[i].x != run[i - 1].x;
  const size_t groups = distinct <= 2 * GROUPS ? distinct : GROUPS;
  fprintf(out, "$P%d << END\n", panel);
  for (size_t from = 0, group = 0; run && from < n; group++) {
    size_t to = distinct <= 2 * GROUPS ? from : n * (group + 1) / groups;
    while (distinct <= 2 * GROUPS && to < n && run[to].x == run[from].x) to++;
    if (to <= from) to = from + 1;
    int64_t passed = 0;
    double x = 0;
    for (size_t i = from; i < to; i++) {
      passed += run[i].pass;
      x += run[i].x / (double)(to - from);
    }
    const rutEstimate e = rut_share_estimate(passed, (int64_t)(to - from));
    fprintf(out, "%.9g %.6g %.6g %.6g\n", x, 100 * e.value, 100 * e.low, 100 * e.high);
    from = to;
  }
  fputs("END\n", out);
  free(run);
}

static void pass_put(FILE* out, const void* figure) {
  const cliStudyFigure* f = figure;
  const cliPanels g = cli_panels_of(f, f->inputs);
  cli_panels_begin(out, f);
  for (int i = 0; i < f->inputs; i++) {
    const cliColumn* c = &f->column[i];
    put_groups(out, f, c, i);
    cli_panel_margins(out, f, &g, i);
    cli_panel_label_axis(out, "x", c->label);
    cli_panel_label_axis(out, "y", "share that passes (%)");
    cli_panel_range(out, "x", cli_column_range(c, f->rows));
    cli_panel_levels(out, "x", c);
    cli_panel_heading(out, "with Wilson's 95 % bounds");
    fprintf(out,
            "set yrange [0:104]\nplot $P%d using 1:2:3:4 with yerrorbars pt 7 ps 0.8 lw 1.2 lc rgb "
            "'" BLUE "'%s\n",
            i, c->levels > 0 ? "" : ", '' using 1:2 with lines lw 1.2 lc rgb '" BLUE "'");
    cli_panel_end(out);
  }
  cli_panels_end(out);
}

// ---- scatter matrix ----

static void scatter_size(cliStudyFigure* f) {
  const int n = f->inputs + f->measures;
  const double side = n > 6 ? 120 : n > 4 ? 150 : 190;
  const cliPanels g = {n, n, side, side, 92, 24, f->title ? 56 : 26, 64, 10, 10};
  cli_panels_size(f, &g);
}

// Rows of a figure: all columns, and whether the run passes (1), fails (0), or is not judged (2).
static void put_rows(FILE* out, const cliStudyFigure* f, size_t most) {
  const size_t stride = f->rows > most ? (f->rows + most - 1) / most : 1;
  fputs("$R << END\n", out);
  for (size_t i = 0; i < f->rows; i += stride) {
    for (int k = 0; k < f->inputs + f->measures; k++) {
      const double x = f->column[k].value[i];
      if (isfinite(x)) fprintf(out, "%.7g ", x);
      if (!isfinite(x)) fputs("NaN ", out);
    }
    const int pass = rut_study_table_row(f->table, (int64_t)i).pass;
    fprintf(out, "%d\n", pass < 0 ? 2 : pass);
  }
  fputs("END\n", out);
}

static void put_diagonal(FILE* out, const cliStudyFigure* f, int k) {
  size_t n;
  const cliColumn* c = &f->column[k];
  double* sorted = cli_column_sorted(c, f->rows, &n);
  cliColumnRange r = cli_column_range(c, f->rows);
  if (c->levels == 0 && sorted && n > 0 && sorted[n - 1] > sorted[0]) {
    r = (cliColumnRange){sorted[0], sorted[n - 1]};
  }
  const int bins = c->levels > 0 ? c->levels : 14;
  if (sorted && n > 0) {
    put_bins(out, k, sorted, n, r, bins);
    fprintf(out,
            "set yrange [0:*]\nset ytics auto\nset ytics format ''\nset boxwidth %.9g\n"
            "plot $B%d using 1:2 with boxes fs solid 0.6 noborder fc rgb '#808080'\n",
            0.95 * (r.high - r.low) / bins, k);
  }
  free(sorted);
}

static void put_points(FILE* out, const cliStudyFigure* f, int x, int y, const char* size) {
  const int pass = f->inputs + f->measures + 1;
  const bool judged = rut_study_table_info(f->table).requirements > 0;
  const char* ok = judged ? "==1" : ">=0";
  fprintf(out,
          "plot $R using %d:(column(%d)%s ? column(%d) : NaN) with points pt 7 ps %s lc rgb "
          "'#800072B2'",
          x + 1, pass, ok, y + 1, size);
  if (judged) {
    fprintf(out,
            ", '' using %d:(column(%d)==0 ? column(%d) : NaN) with points pt 7 ps %s lc rgb "
            "'#80D55E00'",
            x + 1, pass, y + 1, size);
  }
  putc('\n', out);
}

// Colours of runs that pass and fail, beside the upper right.
static void put_judged(FILE* out, const cliStudyFigure* f) {
  if (rut_study_table_info(f->table).requirements == 0) return;
  fprintf(out,
          "set label 50 '● passes' at screen %.5f,%.5f right textcolor rgb '" BLUE
          "'\n"
          "set label 51 '● fails' at screen %.5f,%.5f right textcolor rgb '" VERMILION "'\n",
          1 - 90 / f->width, 1 - 24 / f->height, 1 - 26 / f->width, 1 - 24 / f->height);
}

static void scatter_put(FILE* out, const void* figure) {
  const cliStudyFigure* f = figure;
  const int n = f->inputs + f->measures;
  const double side = n > 6 ? 120 : n > 4 ? 150 : 190;
  const cliPanels g = {n, n, side, side, 92, 24, f->title ? 56 : 26, 64, 10, 10};
  put_rows(out, f, SCATTER);
  cli_panels_begin(out, f);
  put_judged(out, f);
  for (int row = 0; row < n; row++) {
    for (int column = 0; column <= row; column++) {
      const cliColumn *x = &f->column[column], *y = &f->column[row];
      cli_panel_margins(out, f, &g, row * n + column);
      cli_panel_range(out, "x", cli_column_range(x, f->rows));
      cli_panel_range(out, "y", cli_column_range(y, f->rows));
      fputs(
          "set xtics auto\nset ytics auto\nset xtics rotate by -35 font ',8'\nset ytics font "
          "',8'\n",
          out);
      cli_panel_tics(out, "x", cli_column_range(x, f->rows), 4);
      cli_panel_tics(out, "y", cli_column_range(y, f->rows), 4);
      if (row == n - 1) cli_panel_levels(out, "x", x);
      if (column == 0 && row > 0) cli_panel_levels(out, "y", y);
      fputs(row == n - 1 ? "set xtics format '%h'\n" : "set xtics format ''\n", out);
      fputs(column == 0 && row > 0 ? "set ytics format '%h'\n" : "set ytics format ''\n", out);
      cli_panel_label_axis(out, "x", row == n - 1 ? x->label : "");
      cli_panel_label_axis(out, "y", column == 0 && row > 0 ? y->label : "");
      if (row == column) put_diagonal(out, f, row);
      if (row != column) put_points(out, f, column, row, "0.28");
      fputs("unset label\n", out);
    }
  }
  cli_panels_end(out);
}

// ---- tornado ----

static cliPanels bars_of(const cliStudyFigure* f) {
  cliPanels g = cli_panels_of(f, f->measures);
  g.height = 26.0 * f->inputs + 24;
  g.left = 128;
  g.gap_x = 140;
  g.top += 14;
  return g;
}

static void tornado_size(cliStudyFigure* f) {
  const cliPanels g = bars_of(f);
  cli_panels_size(f, &g);
}

typedef struct Bar {
  int input;  // column
  double size;
  rutSensitivity s;
} Bar;

static int by_size(const void* a, const void* b) {
  const Bar *p = a, *q = b;
  return (p->size > q->size) - (p->size < q->size);
}

// Sensitivities of a measure to the inputs of the figure, in order of a size of each.
static int bars(const cliStudyFigure* f, const cliColumn* measure,
                double (*size)(const rutSensitivity*), Bar* bar) {
  const int all = rut_study_table_info(f->table).inputs;
  rutSensitivity* s = calloc((size_t)all + 1, sizeof *s);
  int n = 0;
  if (s && rut_study_sensitivity(f->table, measure->measure, s, NULL) == RUT_OK) {
    for (int i = 0; i < f->inputs; i++) {
      const rutSensitivity* of = &s[f->column[i].input];
      const double bar_size = size(of);
      if (isfinite(bar_size)) bar[n++] = (Bar){i, bar_size, *of};
    }
  }
  free(s);
  qsort(bar, (size_t)n, sizeof *bar, by_size);
  return n;
}

static double swing(const rutSensitivity* s) { return fabs(s->high.value - s->low.value); }

static void put_names(FILE* out, const cliStudyFigure* f, const Bar* bar, int n) {
  fputs("set ytics (", out);
  for (int k = 0; k < n; k++) {
    fputs(k ? ", " : "", out);
    cli_gnuplot_quoted(out, f->column[bar[k].input].label);
    fprintf(out, " %d", k);
  }
  fprintf(out, ") scale 0\nset yrange [-0.6:%.9g]\n", n - 0.4);
}

static double mean_of(const cliColumn* c, size_t rows) {
  double sum = 0;
  size_t n = 0;
  for (size_t i = 0; i < rows; i++) {
    if (!isfinite(c->value[i])) continue;
    sum += c->value[i];
    n++;
  }
  return n > 0 ? sum / (double)n : 0;
}

static void widen(cliColumnRange* r, double value) {
  if (!isfinite(value)) return;
  r->low = fmin(r->low, value);
  r->high = fmax(r->high, value);
}

// Range of an axis around estimates and their bounds, and a value that it shows in any case.
static void put_estimate_range(FILE* out, int n, const rutEstimate* estimate, double scale,
                               double also) {
  cliColumnRange r = {also, also};
  for (int i = 0; i < n; i++) {
    widen(&r, scale * estimate[i].value);
    widen(&r, scale * estimate[i].low);
    widen(&r, scale * estimate[i].high);
  }
  const double air = r.high > r.low ? 0.04 * (r.high - r.low) : fmax(0.1 * fabs(also), 0.1);
  if (r.low < also || r.high == r.low) r.low -= air;
  if (r.high > also || r.high < r.low + 2 * air) r.high += air;
  cli_panel_range(out, "x", r);
}

static void tornado_put(FILE* out, const void* figure) {
  const cliStudyFigure* f = figure;
  const cliPanels g = bars_of(f);
  Bar bar[CLI_COLUMNS];
  cli_panels_begin(out, f);
  for (int i = 0; i < f->measures; i++) {
    const cliColumn* c = cli_figure_measure(f, i);
    const int n = bars(f, c, swing, bar);
    const double mean = mean_of(c, f->rows);
    fprintf(out, "$T%d << END\n", i);
    for (int k = 0; k < n; k++) {
      const rutEstimate* side[] = {&bar[k].s.low, &bar[k].s.high};
      fprintf(out, "%d ", k);
      for (int e = 0; e < 2; e++) {
        cli_panel_bound(out, c->scale * side[e]->value);
        cli_panel_bound(out, c->scale * side[e]->low);
        cli_panel_bound(out, c->scale * side[e]->high);
      }
      putc('\n', out);
    }
    fputs("END\n", out);
    cli_panel_margins(out, f, &g, i);
    cli_panel_label_axis(out, "x", c->label);
    cli_panel_label_axis(out, "y", "");
    put_names(out, f, bar, n);
    fprintf(out,
            "set label 2 'mean at lowest values' at graph 0,1 left offset 0,1.0 font ',10' "
            "textcolor rgb '" BLUE
            "'\n"
            "set label 3 'at highest' at graph 1,1 right offset 0,1.0 font ',10' textcolor rgb "
            "'" VERMILION
            "'\n"
            "set arrow 1 from %.9g, graph 0 to %.9g, graph 1 nohead back lw 1 lc rgb '#606060'\n",
            mean, mean);
    rutEstimate ends[2 * CLI_COLUMNS];
    for (int k = 0; k < n; k++) {
      ends[2 * k] = bar[k].s.low;
      ends[2 * k + 1] = bar[k].s.high;
    }
    put_estimate_range(out, 2 * n, ends, c->scale, mean);
    if (n > 0) {
      fprintf(
          out,
          "plot $T%d using (%.9g):1:(%.9g):2:($1-0.32):($1+0.32) with boxxyerror fs transparent "
          "solid 0.75 noborder fc rgb '" BLUE
          "', '' using (%.9g):1:(%.9g):5:($1-0.32):($1+0.32) with boxxyerror fs transparent solid "
          "0.75 noborder fc rgb '" VERMILION
          "', '' using 2:($1+0.1):3:4 with xerrorbars pt 0 lw 1 lc rgb '#202020', '' using "
          "5:($1-0.1):6:7 with xerrorbars pt 0 lw 1 lc rgb '#202020'\n",
          i, mean, mean, mean, mean);
    }
    cli_panel_end(out);
    fputs("set ytics scale 0.5\n", out);
  }
  cli_panels_end(out);
}

// ---- indices ----

static double total_index(const rutSensitivity* s) {
  return isfinite(s->total.value) ? s->total.value : s->effect.value;
}

static void put_sobol(FILE* out, int panel, const Bar* bar, int n) {
  fprintf(out, "$I%d << END\n", panel);
  for (int k = 0; k < n; k++) {
    fprintf(out, "%d %.6g %.6g %.6g %.6g %.6g %.6g\n", k, bar[k].s.first.value, bar[k].s.first.low,
            bar[k].s.first.high, bar[k].s.total.value, bar[k].s.total.low, bar[k].s.total.high);
  }
  fprintf(
      out,
      "END\nset label 2 'first order' at graph 0,1 left offset 0,1.0 font ',10' textcolor rgb "
      "'" BLUE
      "'\nset label 3 'total' at graph 1,1 right offset 0,1.0 font ',10' textcolor rgb '" GREEN
      "'\nset arrow 1 from 0, graph 0 to 0, graph 1 nohead back lw 1 lc rgb "
      "'#606060'\n"
      "plot $I%d using (0):($1+0.17):(0):2:($1+0.02):($1+0.34) with boxxyerror fs solid 0.75 "
      "noborder fc rgb '" BLUE
      "', '' using (0):($1-0.17):(0):5:($1-0.34):($1-0.02) with boxxyerror fs solid 0.75 noborder "
      "fc rgb '" GREEN
      "', '' using 2:($1+0.17):3:4 with xerrorbars pt 0 lw 1 lc rgb '#202020', '' using "
      "5:($1-0.17):6:7 with xerrorbars pt 0 lw 1 lc rgb '#202020'\n",
      panel);
}

static void put_morris(FILE* out, const cliColumn* c, int panel, const Bar* bar, int n) {
  fprintf(out, "$I%d << END\n", panel);
  for (int k = 0; k < n; k++) {
    const rutSensitivity* s = &bar[k].s;
    fprintf(out, "%d %.6g %.6g %.6g %.6g\n", k, c->scale * s->effect.value,
            c->scale * s->effect.low, c->scale * s->effect.high, c->scale * s->effect_deviation);
  }
  fprintf(
      out,
      "END\nset label 2 'mean size of effects' at graph 0,1 left offset 0,1.0 font ',10' textcolor "
      "rgb '" BLUE
      "'\nset label 3 '◆ their deviation' at graph 1,1 right offset 0,1.0 font ',10' textcolor rgb "
      "'" VERMILION
      "'\n"
      "plot $I%d using (0):1:(0):2:($1-0.3):($1+0.3) with boxxyerror fs solid 0.75 noborder fc rgb "
      "'" BLUE
      "', '' using 2:1:3:4 with xerrorbars pt 0 lw 1 lc rgb '#202020', '' using 5:1 with points pt "
      "13 ps 1 lc rgb '" VERMILION "'\n",
      panel);
}

// Of a label without its unit.
static int name_length(const char* label) {
  const char* unit = strstr(label, " (");
  return unit ? (int)(unit - label) : (int)strlen(label);
}

static void indices_put(FILE* out, const void* figure) {
  const cliStudyFigure* f = figure;
  const cliPanels g = bars_of(f);
  Bar bar[CLI_COLUMNS];
  cli_panels_begin(out, f);
  for (int i = 0; i < f->measures; i++) {
    const cliColumn* c = cli_figure_measure(f, i);
    const int n = bars(f, c, total_index, bar);
    const bool sobol = n > 0 && isfinite(bar[0].s.total.value);
    char label[160];
    if (sobol) {
      snprintf(label, sizeof label, "share of the variance of %.*s", name_length(c->label),
               c->label);
    } else {
      snprintf(label, sizeof label, "effect on %s", c->label);
    }
    cli_panel_margins(out, f, &g, i);
    cli_panel_label_axis(out, "x", label);
    cli_panel_label_axis(out, "y", "");
    put_names(out, f, bar, n);
    rutEstimate shown[2 * CLI_COLUMNS];
    for (int k = 0; k < n; k++) {
      shown[2 * k] = sobol ? bar[k].s.first : bar[k].s.effect;
      shown[2 * k + 1] = sobol ? bar[k].s.total : (rutEstimate){.value = bar[k].s.effect_deviation};
    }
    put_estimate_range(out, 2 * n, shown, sobol ? 1 : c->scale, 0);
    if (sobol) put_sobol(out, i, bar, n);
    if (!sobol && n > 0) put_morris(out, c, i, bar, n);
    cli_panel_end(out);
    fputs("set ytics scale 0.5\n", out);
  }
  cli_panels_end(out);
}

// ---- parallel coordinates ----

static void parallel_size(cliStudyFigure* f) {
  const int n = f->inputs + f->measures;
  f->width = 200 + 120.0 * (n > 1 ? n - 1 : 1);
  f->height = 380 + (f->title ? 30 : 0);
}

// Range of an axis: from the least value to the greatest.
static cliColumnRange axis_range(const cliStudyFigure* f, int k) {
  size_t n;
  const cliColumn* c = &f->column[k];
  cliColumnRange r = cli_column_range(c, f->rows);
  double* sorted = cli_column_sorted(c, f->rows, &n);
  if (c->levels == 0 && sorted && n > 0 && sorted[n - 1] > sorted[0]) {
    r = (cliColumnRange){sorted[0], sorted[n - 1]};
  }
  free(sorted);
  return r;
}

// Lines of the runs, each from axis to axis; those that fail come last, on top.
static void put_lines(FILE* out, const cliStudyFigure* f, int pass) {
  const int n = f->inputs + f->measures;
  const size_t stride = f->rows > LINES ? (f->rows + LINES - 1) / LINES : 1;
  fprintf(out, "$L%d << END\n", pass);
  bool any = false;
  cliColumnRange range[CLI_COLUMNS];
  for (int k = 0; k < n; k++) range[k] = axis_range(f, k);
  for (size_t i = 0; i < f->rows; i += stride) {
    const int of = rut_study_table_row(f->table, (int64_t)i).pass;
    if ((of == 0) != (pass == 0)) continue;
    for (int k = 0; k < n; k++) {
      const cliColumnRange r = range[k];
      const double x = (f->column[k].value[i] - r.low) / (r.high - r.low);
      if (isfinite(x)) fprintf(out, "%d %.5g\n", k, x);
      if (!isfinite(x)) fputs("\n", out);
    }
    fputs("\n", out);
    any = true;
  }
  if (!any) fputs("0 NaN\n", out);
  fputs("END\n", out);
}

static void put_axis(FILE* out, const cliStudyFigure* f, int k) {
  const cliColumn* c = &f->column[k];
  const cliColumnRange r = axis_range(f, k);
  fprintf(out, "set arrow %d from %d,0 to %d,1 nohead front lw 1 lc rgb '#404040'\n", k + 1, k, k);
  fprintf(out, "set label %d ", 100 + 10 * k);
  cli_gnuplot_quoted(out, c->label);
  fprintf(out, " at %d,1.03 rotate by 20 left font ',10' textcolor rgb '" INK "'\n", k);
  for (int i = 0; i < (c->levels > 0 ? c->levels : 3) && i < 9; i++) {
    const double part = c->levels > 0 ? (i + 0.5) / c->levels : 0.5 * i;
    char text[64];
    snprintf(text, sizeof text, "%.4g", r.low + part * (r.high - r.low));
    fprintf(out, "set label %d ", 101 + 10 * k + i);
    cli_gnuplot_quoted(out, c->levels > 0 ? c->level[i] : text);
    fprintf(out, " at %d,%.4g right offset -0.5,0 front boxed font ',8' textcolor rgb '#303030'\n",
            k, part);
  }
}

static void parallel_put(FILE* out, const void* figure) {
  const cliStudyFigure* f = figure;
  const int n = f->inputs + f->measures;
  put_lines(out, f, 1);
  put_lines(out, f, 0);
  fputs("set style textbox opaque noborder fillcolor rgb '#60ffffff' margins 0.3,0.2\n", out);
  cli_panels_begin(out, f);
  put_judged(out, f);
  for (int k = 0; k < n; k++) put_axis(out, f, k);
  fprintf(
      out,
      "set lmargin at screen %.5f\nset rmargin at screen %.5f\nset tmargin at screen %.5f\nset "
      "bmargin at screen %.5f\nunset border\nunset tics\nunset grid\nset xrange [0:%d]\nset "
      "yrange [0:1]\nset clip two\n"
      "plot $L1 using 1:2 with lines lw 0.8 lc rgb '#A00072B2', $L0 using 1:2 with lines lw 0.8 "
      "lc rgb '#70D55E00'\n",
      70 / f->width, 1 - 130 / f->width, 1 - (f->title ? 120 : 90) / f->height, 20 / f->height,
      n > 1 ? n - 1 : 1);
  cli_panels_end(out);
}

// ---- all of them ----

static const cliStudyFigureType types[] = {
    {"histogram", "distribution of each measure, with percentiles and their confidence", true,
     false, false, 12, histogram_size, histogram_put},
    {"cdf", "share of runs at or below each value, with Wilson's bounds", true, false, false, 12,
     histogram_size, cdf_put},
    {"pass", "share of runs that pass over each input, with Wilson's bounds", false, true, true, 12,
     pass_size, pass_put},
    {"means",
     "mean of each measure over the input with the most values, a line for each of the others'",
     true, true, false, 40, histogram_size, cli_study_means_put},
    {"scatter", "each input and measure over each other", true, true, false, 10, scatter_size,
     scatter_put},
    {"tornado", "mean of each measure at low and high values of the inputs", true, true, false, 40,
     tornado_size, tornado_put},
    {"indices", "Sobol indices of designs saltelli, effects of designs morris", true, true, false,
     40, tornado_size, indices_put},
    {"parallel", "all runs as lines over axes of inputs and measures", true, true, false, 14,
     parallel_size, parallel_put},
};

const cliStudyFigureType* cli_study_figures(int* n) {
  *n = CLI_COUNT(types);
  return types;
}
