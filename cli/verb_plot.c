// SPDX-License-Identifier: BSD-3-Clause
//
// rut plot: curves of a log as a figure, or as lines on the terminal.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "plot_data.h"
#include "plot_figure.h"
#include "report.h"
#include "rut/host.h"

enum { MAX_CURVES = 256, BINS = 3000 };

typedef struct PlotOptions {
  const char *output, *versus, *title;
  double from, to;
  bool dashboard;
} PlotOptions;

static const cliOption options[] = {
    {"output", 'o', CLI_TEXT, "FILE", 0, 0, offsetof(PlotOptions, output),
     "the figure: .png, .svg or .pdf (default: a summary on the terminal)"},
    {"vs", 'x', CLI_TEXT, "SIGNAL", 0, 0, offsetof(PlotOptions, versus),
     "over this signal in place of time"},
    {"from", 0, CLI_NUMBER, "S", 0, 1e9, offsetof(PlotOptions, from), "leave out what was before"},
    {"to", 0, CLI_NUMBER, "S", 0, 1e9, offsetof(PlotOptions, to), "leave out what came after"},
    {"title", 't', CLI_TEXT, "TEXT", 0, 0, offsetof(PlotOptions, title), "above the figure"},
    {"dashboard", 'd', CLI_FLAG, "", 0, 0, offsetof(PlotOptions, dashboard),
     "path, speed, loads, slip and more on one page; SIGNALs are names of vehicles"},
};

typedef struct Choice {
  int signal[MAX_CURVES];
  int n;
} Choice;

static int unknown_signal(const rutLogFile* file, const char* word) {
  const char* near = rut_log_signal_nearest(file, word);
  if (near) {
    return cli_usage_error(&cli_verb_plot, "the log has no signal '%s'; did you mean '%s'?", word,
                           near);
  }
  return cli_usage_error(&cli_verb_plot, "the log has no signal '%s'; rut log --signals lists them",
                         word);
}

// Take in all signals that a pattern matches. Returns CLI_GO_ON or an exit code.
static int choose(Choice* choice, const rutLogFile* file, const char* pattern) {
  const int all = rut_log_info(file).signals;
  bool found = false;
  for (int i = 0; i < all; i++) {
    if (!rut_glob(pattern, rut_log_signal_at(file, i).name)) continue;
    found = true;
    bool known = false;
    for (int k = 0; k < choice->n; k++) known = known || choice->signal[k] == i;
    if (known) continue;
    if (choice->n == MAX_CURVES) {
      return cli_usage_error(&cli_verb_plot, "'%s': more than %d curves", pattern, MAX_CURVES);
    }
    choice->signal[choice->n++] = i;
  }
  return found ? CLI_GO_ON : unknown_signal(file, pattern);
}

// ---- one figure of chosen signals ----

// Curves of one unit share a panel, in the order in which the units come.
static bool arrange(cliFigure* f, int n, cliCurve* curve, const cliCurve* versus) {
  char unit[CLI_PANELS][CLI_UNIT_SIZE];
  for (int i = 0; i < n; i++) {
    int at = 0;
    while (at < f->panels && strcmp(unit[at], curve[i].unit) != 0) at++;
    if (at == CLI_PANELS) return false;
    cliPanel* p = &f->panel[at];
    if (at == f->panels) {
      memcpy(unit[at], curve[i].unit, sizeof unit[at]);
      f->panels++;
    }
    if (p->n == CLI_PANEL_CURVES) return false;
    p->versus[p->n] = versus;
    p->curve[p->n++] = &curve[i];
  }
  for (int i = 0; i < f->panels; i++) {
    cliPanel* p = &f->panel[i];
    // the curves are the caller's, which lets us scale them
    cliCurve* all[CLI_PANEL_CURVES];
    for (int k = 0; k < p->n; k++) all[k] = &curve[p->curve[k] - curve];
    cli_curves_scale(p->n, all);
    p->equal = versus && strcmp(versus->unit, "m") == 0 && strcmp(p->curve[0]->unit, "m") == 0;
    cli_panel_label(p);
  }
  return true;
}

static int plot_signals(rutLogFile* file, const PlotOptions* option, Choice* choice) {
  cliCurve* curve = calloc(MAX_CURVES + 1, sizeof *curve);
  cliFigure* figure = calloc(1, sizeof *figure);
  rutError err = {.status = RUT_ERR_MEMORY};
  int code = CLI_GO_ON, n = choice->n;
  int signal[MAX_CURVES + 1];
  memcpy(signal, choice->signal, sizeof choice->signal);
  int versus = -1;
  if (option->versus) {
    versus = rut_log_signal_find(file, option->versus);
    if (versus < 0) code = unknown_signal(file, option->versus);
    signal[n] = versus;
  }
  if (code == CLI_GO_ON) {
    rutStatus status = RUT_ERR_MEMORY;
    if (curve && figure) {
      status =
          cli_curves_read(file, n + (versus >= 0), signal, option->from, option->to, curve, &err);
    }
    if (status != RUT_OK) code = cli_tell_failure(status, &err);
  }
  if (code == CLI_GO_ON && !option->output) {
    cli_curves_print(n, curve);
    code = CLI_DONE;
  }
  if (code == CLI_GO_ON) {
    for (int i = 0; i < n && versus < 0; i++) cli_curve_thin(&curve[i], BINS);
    *figure = (cliFigure){.path = option->output, .title = option->title, .columns = 1};
    code = arrange(figure, n, curve, versus >= 0 ? &curve[n] : NULL)
               ? cli_figure_draw(figure)
               : cli_usage_error(&cli_verb_plot, "too many curves for one figure");
  }
  if (curve) cli_curves_free(n + (versus >= 0), curve);
  free(curve);
  free(figure);
  return code;
}

// ---- the dashboard ----

enum { DASH_VEHICLES = 7, DASH_CURVES = 14 * DASH_VEHICLES + 64 };

typedef struct Dashboard {
  const char* vehicle[DASH_VEHICLES];
  int vehicles;
  Choice choice;
  cliFigure figure;
  cliCurve curve[MAX_CURVES];
  int of[CLI_PANELS][2];  // first curve of a panel, and behind its last
} Dashboard;

// Is it an element with a speed over ground and a heading, and so a vehicle?
static bool is_vehicle(const rutLogFile* file, const char* element) {
  static const char* const has[] = {"speed", "yaw_rate"};
  for (int i = 0; i < CLI_COUNT(has); i++) {
    char name[512];
    snprintf(name, sizeof name, "%.400s/%s", element, has[i]);
    if (rut_log_signal_find(file, name) < 0) return false;
  }
  return element[0] != '\0';
}

static int choose_vehicles(Dashboard* d, const rutLogFile* file, const cliList* words) {
  const int all = rut_log_info(file).signals;
  for (int i = 0; i < all; i++) {
    const rutSignal s = rut_log_signal_at(file, i);
    if (strcmp(s.leaf, "speed") != 0) continue;
    bool wanted = words->n <= 1;
    for (int k = 1; k < words->n; k++) wanted = wanted || rut_glob(words->item[k], s.element);
    if (!wanted || !is_vehicle(file, s.element) || d->vehicles == DASH_VEHICLES) continue;
    d->vehicle[d->vehicles++] = s.element;
  }
  if (d->vehicles > 0) return CLI_GO_ON;
  return cli_usage_error(&cli_verb_plot, "the log has no vehicle '%s' with speed and yaw_rate",
                         words->n > 1 ? words->item[1] : "*");
}

// A panel of signals, one name for each vehicle or a pattern within the first. Left out where there
// are none.
static void add_panel(Dashboard* d, const rutLogFile* file, int n, const char* const* leaf,
                      bool all_vehicles) {
  const int first = d->choice.n;
  for (int v = 0; v < (all_vehicles ? d->vehicles : 1); v++) {
    for (int i = 0; i < n; i++) {
      char pattern[512];
      snprintf(pattern, sizeof pattern, "%.300s/%s", d->vehicle[v], leaf[i]);
      for (int s = 0; s < rut_log_info(file).signals && d->choice.n < MAX_CURVES; s++) {
        const char* name = rut_log_signal_at(file, s).name;
        if (rut_glob(pattern, name) && d->choice.n - first < CLI_PANEL_CURVES) {
          d->choice.signal[d->choice.n++] = s;
        }
      }
    }
  }
  if (d->choice.n == first) return;
  d->of[d->figure.panels][0] = first;
  d->of[d->figure.panels][1] = d->choice.n;
  d->figure.panels++;
}

// y over x of all vehicles: pairs of curves next to each other.
static void fill_map(Dashboard* d, cliPanel* p, int from, int to) {
  for (int i = from; i + 1 < to; i += 2) {
    p->versus[p->n] = &d->curve[i];
    p->curve[p->n++] = &d->curve[i + 1];
  }
  p->equal = true;
  cli_panel_label(p);
  snprintf(p->label, sizeof p->label, "y (m)");
  snprintf(p->x_label, sizeof p->x_label, "x (m)");
}

static void fill_panel(Dashboard* d, cliPanel* p, int from, int to) {
  cliCurve* all[CLI_PANEL_CURVES];
  for (int i = from; i < to; i++) {
    cli_curve_thin(&d->curve[i], BINS / 2);
    all[p->n] = &d->curve[i];
    p->curve[p->n++] = &d->curve[i];
  }
  cli_curves_scale(p->n, all);
  cli_panel_label(p);
}

static void lay_out(Dashboard* d, const rutLogFile* file) {
  static const char* const map[] = {"x", "y"};
  static const char* const speed[] = {"speed"};
  static const char* const lateral[] = {"lateral_acceleration"};
  static const char* const attitude[] = {"roll", "pitch"};
  static const char* const yaw_rate[] = {"yaw_rate"};
  static const char* const transfer[] = {"load_transfer_ratio"};
  static const char* const loads[] = {"*/load"};
  static const char* const slips[] = {"*/slip"};
  static const char* const energy[] = {"energy_drive", "energy_kinetic", "energy_slip",
                                       "energy_rolling", "energy_brake"};
  static const char* const power[] = {"drive_power"};
  add_panel(d, file, 2, map, true);
  add_panel(d, file, 1, speed, true);
  add_panel(d, file, 1, lateral, true);
  add_panel(d, file, 2, attitude, d->vehicles == 1);
  add_panel(d, file, 1, yaw_rate, true);
  add_panel(d, file, 1, transfer, true);
  add_panel(d, file, 1, loads, false);
  add_panel(d, file, 1, slips, false);
  const int before = d->figure.panels;
  add_panel(d, file, 5, energy, false);
  if (d->figure.panels == before) add_panel(d, file, 1, power, true);
}

static bool all_zero(const cliCurve* c) {
  for (size_t i = 0; i < c->n; i++) {
    if (fabs(c->y[i]) > 1e-9) return false;
  }
  return true;
}

// Panels in which nothing happens, such as the roll of planar vehicles.
static void leave_out_zeros(Dashboard* d) {
  int kept = 0;
  for (int i = 0; i < d->figure.panels; i++) {
    bool zero = true;
    for (int k = d->of[i][0]; k < d->of[i][1]; k++) zero = zero && all_zero(&d->curve[k]);
    if (zero) continue;
    memmove(d->of[kept++], d->of[i], sizeof d->of[i]);
  }
  if (kept > 0) d->figure.panels = kept;
}

static int plot_dashboard(rutLogFile* file, const PlotOptions* option, const cliList* words) {
  Dashboard* d = calloc(1, sizeof *d);
  rutError err = {.status = RUT_ERR_MEMORY};
  if (!d) return cli_tell_failure(RUT_ERR_MEMORY, &err);
  char title[1100];
  snprintf(title, sizeof title, "%.1000s", words->item[0]);
  d->figure = (cliFigure){
      .path = option->output, .title = option->title ? option->title : title, .columns = 3};
  int code = choose_vehicles(d, file, words);
  if (code == CLI_GO_ON) {
    lay_out(d, file);
    const rutStatus status = cli_curves_read(file, d->choice.n, d->choice.signal, option->from,
                                             option->to, d->curve, &err);
    if (status != RUT_OK) code = cli_tell_failure(status, &err);
  }
  if (code == CLI_GO_ON) {
    leave_out_zeros(d);
    for (int i = 0; i < d->figure.panels; i++) {
      const bool map = strcmp(strrchr(d->curve[d->of[i][0]].name, '/'), "/x") == 0;
      (map ? fill_map : fill_panel)(d, &d->figure.panel[i], d->of[i][0], d->of[i][1]);
    }
    code = cli_figure_draw(&d->figure);
  }
  cli_curves_free(d->choice.n, d->curve);
  free(d);
  return code;
}

static int run_plot(int argc, char** argv) {
  PlotOptions option = {.from = 0, .to = 1e300};
  cliList arguments;
  int code = cli_parse(&cli_verb_plot, argc, argv, &option, &arguments);
  if (code != CLI_GO_ON) return code;
  if (option.output && !cli_figure_format(option.output)) {
    return cli_usage_error(&cli_verb_plot, "'%s' ends in none of .png, .svg and .pdf",
                           option.output);
  }
  if (option.dashboard && !option.output) {
    return cli_usage_error(&cli_verb_plot, "--dashboard needs --output FILE");
  }
  if (option.dashboard && option.versus) {
    return cli_usage_error(&cli_verb_plot, "--dashboard and --vs exclude each other");
  }
  if (!option.dashboard && arguments.n < 2) {
    return cli_usage_error(&cli_verb_plot, "SIGNAL is missing: rut plot LOG SIGNAL...");
  }
  rutLogFile* file = NULL;
  rutError err = {0};
  const rutStatus status = rut_log_open(arguments.item[0], &file, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  if (option.dashboard) {
    code = plot_dashboard(file, &option, &arguments);
  } else {
    Choice choice = {.n = 0};
    for (int i = 1; i < arguments.n && code == CLI_GO_ON; i++) {
      code = choose(&choice, file, arguments.item[i]);
    }
    if (code == CLI_GO_ON) code = plot_signals(file, &option, &choice);
  }
  rut_log_file_close(file);
  return code;
}

const cliVerb cli_verb_plot = {
    .name = "plot",
    .arguments = "LOG [SIGNAL...]",
    .min_arguments = 1,
    .max_arguments = CLI_LIST_SIZE,
    .summary = "draw curves of a log as a figure",
    .details =
        "SIGNALs are names or patterns, such as '*/speed'; rut log LOG --signals lists them.\n"
        "Signals of one unit share an axis, others get panels of their own. Angles are in\n"
        "degrees. Figures are drawn by gnuplot.",
    .examples =
        "  rut plot run.mcap hmmwv/speed '*/load'\n"
        "  rut plot run.mcap hmmwv/speed '*/load' -o loads.pdf\n"
        "  rut plot run.mcap hmmwv/y --vs hmmwv/x -o path.svg --title 'A wide turn'\n"
        "  rut plot --dashboard run.mcap -o run.png",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_plot,
};
