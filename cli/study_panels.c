// SPDX-License-Identifier: BSD-3-Clause
#include "study_panels.h"

#include <math.h>

#include "gnuplot.h"

void cli_panels_size(cliStudyFigure* f, const cliPanels* g) {
  f->width = g->left + g->right + g->columns * g->width + (g->columns - 1) * g->gap_x;
  f->height = g->top + g->bottom + g->rows * g->height + (g->rows - 1) * g->gap_y;
}

cliPanels cli_panels_of(const cliStudyFigure* f, int n) {
  const int columns = n < 3 ? n : n == 4 ? 2 : 3;
  return (cliPanels){.columns = columns > 0 ? columns : 1,
                     .rows = columns > 0 ? (n + columns - 1) / columns : 1,
                     .width = n == 1 ? 560 : 330,
                     .height = n == 1 ? 330 : 220,
                     .left = 78,
                     .right = 24,
                     .top = f->title ? 64 : 34,
                     .bottom = 56,
                     .gap_x = 84,
                     .gap_y = 92};
}

// Margins of panel i.
void cli_panel_margins(FILE* out, const cliStudyFigure* f, const cliPanels* g, int i) {
  const double x = g->left + i % g->columns * (g->width + g->gap_x);
  const double y = f->height - g->top - i / g->columns * (g->height + g->gap_y);
  fprintf(out,
          "set lmargin at screen %.5f\nset rmargin at screen %.5f\nset tmargin at screen %.5f\n"
          "set bmargin at screen %.5f\n",
          x / f->width, (x + g->width) / f->width, y / f->height, (y - g->height) / f->height);
}

void cli_panels_begin(FILE* out, const cliStudyFigure* f) {
  fputs("set multiplot\n", out);
  if (!f->title) return;
  fputs("set label 99 ", out);
  cli_gnuplot_quoted(out, f->title);
  fprintf(out, " at screen %.5f,%.5f left font ',14' textcolor rgb '#101010'\n", 30 / f->width,
          1 - 24 / f->height);
}

void cli_panel_end(FILE* out) {
  fputs(
      "unset label\nunset arrow\nunset object\nset xtics auto\nset ytics auto\nset format '%h'\n"
      "unset key\n",
      out);
}

void cli_panels_end(FILE* out) { fputs("unset multiplot\nunset output\n", out); }

void cli_panel_label_axis(FILE* out, const char* axis, const char* text) {
  fprintf(out, "set %slabel ", axis);
  cli_gnuplot_quoted(out, text);
  fputs(" offset 0,0.2 textcolor rgb '" INK "'\n", out);
}

// A line above a panel.
void cli_panel_heading(FILE* out, const char* text) {
  fputs("set label 1 ", out);
  cli_gnuplot_quoted(out, text);
  fputs(" at graph 0,1 left offset 0,0.8 font ',10' textcolor rgb '#505050'\n", out);
}

// Tics of an axis with texts.
void cli_panel_levels(FILE* out, const char* axis, const cliColumn* c) {
  if (c->levels == 0) return;
  fprintf(out, "set %stics (", axis);
  for (int i = 0; i < c->levels; i++) {
    fputs(i ? ", " : "", out);
    cli_gnuplot_quoted(out, c->level[i]);
    fprintf(out, " %d", i);
  }
  fputs(")\n", out);
}

void cli_panel_range(FILE* out, const char* axis, cliColumnRange r) {
  fprintf(out, "set %srange [%.9g:%.9g]\n", axis, r.low, r.high);
}

// Steps of 1, 2 or 5 times a power of ten, of which about n fit into a range.
void cli_panel_tics(FILE* out, const char* axis, cliColumnRange r, int n) {
  const double rough = (r.high - r.low) / n, power = pow(10, floor(log10(rough)));
  const double part = rough / power;
  const double step = part > 5 ? 10 * power : part > 2 ? 5 * power : part > 1 ? 2 * power : power;
  if (isfinite(step) && step > 0) fprintf(out, "set %stics %.9g\n", axis, step);
}

void cli_panel_bound(FILE* out, double value) {
  if (isfinite(value)) fprintf(out, "%.9g ", value);
  if (!isfinite(value)) fputs("NaN ", out);
}

const cliColumn* cli_figure_measure(const cliStudyFigure* f, int i) {
  return &f->column[f->inputs + i];
}
