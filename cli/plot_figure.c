// SPDX-License-Identifier: BSD-3-Clause
#include "plot_figure.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "report.h"
#include "rut/host.h"

extern char** environ;

enum { VERSUS_POINTS = 20000 };
static const double CHARACTER = 8.5, LEGEND_ROW = 18;  // of a legend, in pixels of a screen

// Okabe and Ito: told apart by colour-blind people, and in grey by their dashes.
static const char* const colors[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                     "#E69F00", "#56B4E9", "#000000"};
#define COLORS CLI_COUNT(colors)

typedef struct Page {
  double width, height;  // in pixels of a screen, of which there are 96 to the inch
  double left, right, top, bottom;
  double gap_x, gap_y;
} Page;

bool cli_figure_format(const char* path) {
  const char* end = strrchr(path, '.');
  return end && (strcmp(end, ".png") == 0 || strcmp(end, ".svg") == 0 || strcmp(end, ".pdf") == 0);
}

// ---- words ----

// In single quotes gnuplot reads a quote when it is doubled, and nothing else specially.
static void put_quoted(FILE* out, const char* text) {
  putc('\'', out);
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '\'') putc('\'', out);
    putc(c < 32 ? ' ' : c, out);
  }
  putc('\'', out);
}

// "m/s2" as it is printed: "m/s²".
static void put_unit(const char* unit, char* out, size_t size) {
  size_t used = 0;
  for (; *unit && used + 4 < size; unit++) {
    const char* raised = unit[0] == '2' ? "²" : unit[0] == '3' ? "³" : NULL;
    if (raised) {
      used += (size_t)snprintf(out + used, size - used, "%s", raised);
    } else if (unit[0] == ' ') {
      used += (size_t)snprintf(out + used, size - used, "·");
    } else {
      out[used++] = *unit;
    }
  }
  out[used] = '\0';
}

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
  put_unit(unit, sign, sizeof sign);
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

// part: the file to write, until it takes the place of the figure's path.
static void put_terminal(FILE* out, const cliFigure* f, const Page* page, const char* part) {
  const char* end = strrchr(f->path, '.');
  if (strcmp(end, ".png") == 0) {
    // twice as fine as a screen
    fprintf(out,
            "set terminal pngcairo noenhanced size %.0f,%.0f font 'DejaVu Sans,11' fontscale 1.9 "
            "linewidth 2 background '#ffffff'\n",
            2 * page->width, 2 * page->height);
  } else if (strcmp(end, ".svg") == 0) {
    fprintf(out,
            "set terminal svg noenhanced size %.0f,%.0f font 'DejaVu Sans,Helvetica,sans-serif,13' "
            "background '#ffffff'\n",
            page->width, page->height);
  } else {
    fprintf(out,
            "set terminal pdfcairo noenhanced color size %.2fin,%.2fin font 'DejaVu Sans,11' "
            "fontscale 0.85 linewidth 1.1\n",
            page->width / 96, page->height / 96);
  }
  fputs("set output ", out);
  put_quoted(out, part);
  putc('\n', out);
}

static void put_style(FILE* out) {
  fputs(
      "set encoding utf8\n"
      "set border 3 lc rgb '#606060' lw 0.8\n"
      "set tics nomirror out scale 0.5 textcolor rgb '#303030'\n"
      "set grid back lc rgb '#e4e4e4' lw 0.7 lt 1 dt 1\n"
      "set key noautotitle\n"
      "set minussign\n",
      out);
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
  put_quoted(out, p->label);
  fputs(" offset 0,0 textcolor rgb '#303030'\n", out);
  const bool lowest = columns > 1 || row == rows - 1;
  if (lowest) {
    fputs("set format x '%h'\nset xlabel ", out);
    put_quoted(out, p->x_label);
    fputs(" offset 0,0.3 textcolor rgb '#303030'\n", out);
  } else {
    fputs("set format x ''\nset xlabel ''\n", out);
  }
  fputs("plot ", out);
  for (int k = 0; k < p->n; k++) {
    char name[96];
    legend_of(p, k, name, sizeof name);
    fprintf(out, "%s$D%d_%d using 1:2 with lines lw 1.4 dt %d lc rgb '%s' title ", k ? ", " : "", i,
            k, 1 + k / COLORS, colors[k % COLORS]);
    put_quoted(out, name);
  }
  putc('\n', out);
}

static void put_script(FILE* out, const cliFigure* f, const char* part) {
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
  put_terminal(out, f, &page, part);
  put_style(out);
  fputs("set multiplot\n", out);
  if (f->title) {
    fprintf(out, "set label 1 ");
    put_quoted(out, f->title);
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

// ---- the process ----

static int tell_missing(void) {
  fputs(
      "rut: error: figures are drawn by gnuplot, which is not here: apt-get install gnuplot-nox\n",
      stderr);
  return CLI_MISSING;
}

// Start gnuplot. Returns its process, with *pipe_to for its script; -1 with errno set if not.
static pid_t start(int* pipe_to) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  char name[] = "gnuplot", dash[] = "-";
  char* const argv[] = {name, dash, NULL};
  pid_t process = -1;
  const int code = posix_spawnp(&process, name, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (code == 0) {
    *pipe_to = ends[1];
    return process;
  }
  close(ends[1]);
  errno = code;
  return -1;
}

// Let gnuplot draw into a file. Returns the exit code after an error was told.
static int draw_into(const cliFigure* figure, const char* part) {
  int to = -1;
  const pid_t process = start(&to);
  if (process < 0) {
    const int code = errno;
    if (code == ENOENT) return tell_missing();
    fprintf(stderr, "rut: error: cannot start gnuplot: %s\n", strerror(code));
    return CLI_IO;
  }
  signal(SIGPIPE, SIG_IGN);
  FILE* out = fdopen(to, "w");
  if (out) {
    put_script(out, figure, part);
    fclose(out);
  } else {
    close(to);
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  if (out && WIFEXITED(status) && WEXITSTATUS(status) == 0) return CLI_DONE;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return tell_missing();
  fprintf(stderr, "rut: error: gnuplot could not draw '%s'\n", figure->path);
  return CLI_IO;
}

int cli_figure_draw(const cliFigure* figure) {
  rutOutput* output;
  rutError err = {0};
  rutStatus status = rut_output_create(figure->path, &output, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  const int code = draw_into(figure, rut_output_part(output));
  status = rut_output_close(output, code == CLI_DONE, &err);
  return status == RUT_OK ? code : cli_tell_failure(status, &err);
}
