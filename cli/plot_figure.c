// SPDX-License-Identifier: BSD-3-Clause
#include "plot_figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "gnuplot.h"

enum { VERSUS_POINTS = 20000 };
static const double CHARACTER = 8.5, LEGEND_ROW = 18;  // of a legend, in pixels of a screen

typedef struct Page {
  double width, height;  // in pixels of a screen, of which there are 96 to the inch
  double left, right, top, bottom;
  double gap_x, gap_y;
} Page;

// ---- words ----

static const char* leaf_of(const char* name) {
  const char* slash = strrchr(name, '/');
  return slash ? slash + 1 : name;
}

static void spell(const char* name, char* out, size_t size) {
  snprintf(out, size, "%s", name);
  for (char* c = out; *c; c++) {
    if (*c == '_') *c = ' ';
  }
}

// What signals of a unit are, where they have no name in common.
static const char* quantity_of(const char* unit) {
  static const char* const known[][2] = {
      {"m", "length"}, {"m/s", "velocity"}, {"m/s2", "acceleration"}, {"°", "angle"},
      {"°/s", "rate"}, {"N", "force"},      {"kN", "force"},          {"N m", "torque"},
      {"J", "energy"}, {"kJ", "energy"},    {"MJ", "energy"},         {"W", "power"},
      {"kW", "power"}, {"s", "time"},       {"kN m", "torque"},
  };
  for (int i = 0; i < CLI_COUNT(known); i++) {
    if (strcmp(unit, known[i][0]) == 0) return known[i][1];
  }
  return "value";
}

static void label_of(const char* name, const char* unit, char* out, size_t size) {
  char text[64], sign[48];
  spell(name, text, sizeof text);
  cli_gnuplot_unit(unit, sign, sizeof sign);
  snprintf(out, size, unit[0] ? "%s (%s)" : "%s", text, sign);
}

// True if all curves have the same last word.
static bool one_leaf(const cliPanel* p) {
  for (int i = 1; i < p->n; i++) {
    if (strcmp(leaf_of(p->curve[i]->name), leaf_of(p->curve[0]->name)) != 0) return false;
  }
  return p->n > 0;
}

// Length of what all names begin with, up to a slash.
static size_t common_start(const cliPanel* p) {
  size_t common = 0;
  const char* first = p->curve[0]->name;
  for (size_t i = 0; first[i]; i++) {
    for (int k = 1; k < p->n; k++) {
      if (strncmp(p->curve[k]->name, first, i + 1) != 0) return common;
    }
    if (first[i] == '/') common = i + 1;
  }
  return common;
}

// What tells a curve from the others of its panel.
static void legend_of(const cliPanel* p, int i, char* out, size_t size) {
  const char* name = p->curve[i]->name;
  const size_t start = p->n > 1 ? common_start(p) : 0;
  size_t length = strlen(name) - start;
  const char* leaf = leaf_of(name);
  char text[96];
  if (one_leaf(p) && leaf > name + start) length = (size_t)(leaf - 1 - name) - start;
  snprintf(text, sizeof text, "%.*s", (int)length, name + start);
  // the element that has all the others in it
  if (one_leaf(p) && p->n > 1 && leaf == name + start && start > 1) {
    snprintf(text, sizeof text, "%.*s", (int)(start - 1), name);
  }
  spell(text, out, size);
}

void cli_panel_label(cliPanel* p) {
  if (p->n == 0) return;
  const cliCurve* c = p->curve[0];
  if (p->n == 1) {
    const char* leaf = leaf_of(c->name);
    label_of(leaf, c->unit, p->label, sizeof p->label);
  } else {
    label_of(one_leaf(p) ? leaf_of(c->name) : quantity_of(c->unit), c->unit, p->label,
             sizeof p->label);
  }
  if (p->versus[0]) {
    label_of(leaf_of(p->versus[0]->name), p->versus[0]->unit, p->x_label, sizeof p->x_label);
  } else {
    snprintf(p->x_label, sizeof p->x_label, "time (s)");
  }
}

// ---- the script ----

static void put_number(FILE* out, double value) {
  if (isfinite(value)) {
    fprintf(out, "%.7g", value);
  } else {
    fputs("NaN", out);
  }
}

static void put_data(FILE* out, const cliPanel* p, int panel) {
  for (int i = 0; i < p->n; i++) {
    const cliCurve *c = p->curve[i], *v = p->versus[i];
    const size_t stride = v && c->n > VERSUS_POINTS ? c->n / VERSUS_POINTS : 1;
    fprintf(out, "$D%d_%d << END\n", panel, i);
    for (size_t k = 0; k < c->n; k += stride) {
      put_number(out, v ? cli_curve_at(v, c->t[k]) : c->t[k]);
      putc(' ', out);
      put_number(out, c->y[k]);
      putc('\n', out);
    }
    fputs("END\n", out);
  }
}

static Page page_of(const cliFigure* f) {
  if (f->columns == 1) {
    const double single = f->panel[0].equal ? 640 : 460;
    const double height = f->panels == 1 ? single : 230.0 * f->panels + 90;
    return (Page){900, height, 92, 26, f->title ? 52 : 26, 58, 0, 22};
  }
  const int rows = (f->panels + f->columns - 1) / f->columns;
  return (Page){520.0 * f->columns, 330.0 * rows + 60, 78, 26, 84, 58, 92, 84};
}

// Rows of a legend whose columns are as wide as its widest name.
static int legend_rows(const cliPanel* p, double width) {
  size_t widest = 0;
  for (int i = 0; i < p->n; i++) {
    char name[96];
    legend_of(p, i, name, sizeof name);
    widest = strlen(name) > widest ? strlen(name) : widest;
  }
  const int columns = (int)fmax(floor(width / (CHARACTER * (double)(widest + 5))), 1);
  return p->n < 2 ? 0 : (p->n + columns - 1) / columns;
}

// Above the panel, so that it never hides a curve.
static void put_legend(FILE* out, const cliPanel* p, double x, double y, int rows) {
  if (p->n < 2) {
    fputs("unset key\n", out);
    return;
  }
  fprintf(out,
          "set key at screen %.5f,%.5f left top Left reverse horizontal samplen 1.6 width -0.5 "
          "maxrows %d textcolor rgb '#303030'\n",
          x, y, rows);
}

typedef struct Range {
  double low, high;
} Range;

static void widen(Range* range, double value) {
  if (!isfinite(value)) return;
  range->low = fmin(range->low, value);
  range->high = fmax(range->high, value);
}

// Margins of an axis, also around constant values.
static void breathe(Range* r) {
  if (!(r->high >= r->low)) *r = (Range){0, 0};
  const double least = 1e-9 + 1e-6 * fmax(fabs(r->low), fabs(r->high));
  const bool flat = !(r->high - r->low > least);
  const double air = flat ? fmax(0.1 * fabs(r->high), 0.5) : 0.06 * (r->high - r->low);
  r->low -= air;
  r->high += air;
}

static void stretch(Range* r, double span) {
  const double more = 0.5 * (span - (r->high - r->low));
  r->low -= more;
  r->high += more;
}

// w, h: size of the panel, for maps.
static void put_ranges(FILE* out, const cliPanel* p, Range x, double w, double h) {
  Range y = {HUGE_VAL, -HUGE_VAL};
  if (p->versus[0]) x = y;
  for (int i = 0; i < p->n; i++) {
    const cliCurve *c = p->curve[i], *v = p->versus[i];
    for (size_t k = 0; k < c->n; k++) widen(&y, c->y[k]);
    for (size_t k = 0; v && k < v->n; k++) widen(&x, v->y[k]);
  }
  breathe(&y);
  if (p->versus[0] || !(x.high > x.low)) breathe(&x);
  if (p->equal) {
    const double scale = fmax((x.high - x.low) / w, (y.high - y.low) / h);
    stretch(&x, scale * w);
    stretch(&y, scale * h);
  }
  fprintf(out, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", x.low, x.high, y.low, y.high);
}

static void put_panel(FILE* out, const cliFigure* f, const Page* page, int i, Range time) {
  const cliPanel* p = &f->panel[i];
  const int columns = f->columns, rows = (f->panels + columns - 1) / columns;
  const int row = i / columns, column = i % columns;
  const double w = (page->width - page->left - page->right - (columns - 1) * page->gap_x) / columns;
  const double h = (page->height - page->top - page->bottom - (rows - 1) * page->gap_y) / rows;
  const double x0 = page->left + column * (w + page->gap_x);
  const double y1 = page->height - page->top - row * (h + page->gap_y);
  // the legend stands in the upper part of the panel's place, alike in all panels of a page
  const int names = legend_rows(p, w);
  const double legend = columns > 1 ? 34 : names > 0 ? 8 + LEGEND_ROW * names : 0;
  fprintf(out, "set lmargin at screen %.5f\nset rmargin at screen %.5f\n", x0 / page->width,
          (x0 + w) / page->width);
  fprintf(out, "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
          (y1 - legend) / page->height, (y1 - h) / page->height);
  put_legend(out, p, x0 / page->width, (y1 - legend + 6 + LEGEND_ROW * names) / page->height,
             names);
  put_ranges(out, p, time, w, h - legend);
  fputs("set ylabel ", out);
  cli_gnuplot_quoted(out, p->label);
  fputs(" offset 0,0 textcolor rgb '#303030'\n", out);
  const bool lowest = columns > 1 || row == rows - 1;
  if (lowest) {
    fputs("set format x '%h'\nset xlabel ", out);
    cli_gnuplot_quoted(out, p->x_label);
    fputs(" offset 0,0.3 textcolor rgb '#303030'\n", out);
  } else {
    fputs("set format x ''\nset xlabel ''\n", out);
  }
  fputs("plot ", out);
  for (int k = 0; k < p->n; k++) {
    char name[96];
    legend_of(p, k, name, sizeof name);
    fprintf(out, "%s$D%d_%d using 1:2 with lines lw 1.4 dt %d lc rgb '%s' title ", k ? ", " : "", i,
            k, 1 + k / CLI_GNUPLOT_COLORS, cli_gnuplot_color[k % CLI_GNUPLOT_COLORS]);
    cli_gnuplot_quoted(out, name);
  }
  putc('\n', out);
}

static void put_script(FILE* out, const void* user) {
  const cliFigure* f = user;
  const Page page = page_of(f);
  Range time = {HUGE_VAL, -HUGE_VAL};
  for (int i = 0; i < f->panels; i++) {
    for (int k = 0; k < f->panel[i].n; k++) {
      const cliCurve* c = f->panel[i].curve[k];
      if (c->n > 0) widen(&time, c->t[0]);
      if (c->n > 0) widen(&time, c->t[c->n - 1]);
    }
  }
  for (int i = 0; i < f->panels; i++) put_data(out, &f->panel[i], i);
  fputs("set multiplot\n", out);
  if (f->title) {
    fprintf(out, "set label 1 ");
    cli_gnuplot_quoted(out, f->title);
    fprintf(out, " at screen %.5f,%.5f left font ',14' textcolor rgb '#101010'\n",
            (f->columns == 1 ? page.left : 0.5 * page.left) / page.width,
            1 - (f->columns == 1 ? 24 : 30) / page.height);
  }
  for (int i = 0; i < f->panels; i++) {
    put_panel(out, f, &page, i, time);
    if (i == 0 && f->title) fputs("unset label 1\n", out);
  }
  fputs("unset multiplot\nunset output\n", out);
}

int cli_figure_draw(const cliFigure* figure) {
  const Page page = page_of(figure);
  return cli_gnuplot_draw(figure->path, page.width, page.height, put_script, figure);
}
