// SPDX-License-Identifier: BSD-3-Clause
//
// rut plot: curves of a log as a figure, or as lines on the terminal.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "gnuplot.h"
#include "plot_dashboard.h"
#include "plot_data.h"
#include "plot_figure.h"
#include "plot_study.h"
#include "report.h"
#include "rut/host.h"

typedef struct PlotOptions {
  const char *output, *versus, *title, *figure;
  double from, to;
  bool dashboard;
} PlotOptions;

static const cliOption options[] = {
    {"output", 'o', CLI_TEXT, "FILE", 0, 0, offsetof(PlotOptions, output),
     "the figure: .png, .svg or .pdf (default: a summary on the terminal)"},
    {"vs", 'x', CLI_TEXT, "SIGNAL", 0, 0, offsetof(PlotOptions, versus),
     "over this signal in place of time"},
    {"from", 0, CLI_NUMBER, "S", 0, 1e9, offsetof(PlotOptions, from),
     "start of the time to draw [s]"},
    {"to", 0, CLI_NUMBER, "S", 0, 1e9, offsetof(PlotOptions, to), "end of the time to draw [s]"},
    {"title", 't', CLI_TEXT, "TEXT", 0, 0, offsetof(PlotOptions, title), "above the figure"},
    {"figure", 'f', CLI_TEXT, "NAME", 0, 0, offsetof(PlotOptions, figure),
     "of a study: histogram, cdf, pass, scatter, tornado, indices or parallel"},
    {"dashboard", 'd', CLI_FLAG, "", 0, 0, offsetof(PlotOptions, dashboard),
     "path, speed, loads, slip and more on one page; SIGNALs are names of vehicles"},
};

typedef struct Choice {
  int signal[CLI_PLOT_CURVES];
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
    if (choice->n == CLI_PLOT_CURVES) {
      return cli_usage_error(&cli_verb_plot, "'%s': more than %d curves", pattern, CLI_PLOT_CURVES);
    }
    choice->signal[choice->n++] = i;
  }
  return found ? CLI_GO_ON : unknown_signal(file, pattern);
}

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
  cliCurve* curve = calloc(CLI_PLOT_CURVES + 1, sizeof *curve);
  cliFigure* figure = calloc(1, sizeof *figure);
  rutError err = {.status = RUT_ERR_MEMORY};
  int code = CLI_GO_ON, n = choice->n;
  int signal[CLI_PLOT_CURVES + 1];
  memcpy(signal, choice->signal, sizeof choice->signal);
  int versus = -1;
  if (option->versus) {
    versus = rut_log_signal_find(file, option->versus);
    if (versus < 0) code = unknown_signal(file, option->versus);
    signal[n] = versus;
  }
  if (code == CLI_GO_ON) {
    rutStatus status = RUT_ERR_MEMORY;
    const rutLogSelection signals = {
        .n = n + (versus >= 0), .index = signal, .from = option->from, .to = option->to};
    if (curve && figure) status = cli_curves_read(file, &signals, curve, &err);
    if (status != RUT_OK) code = cli_tell_failure(status, &err);
  }
  if (code == CLI_GO_ON && !option->output) {
    cli_curves_print(n, curve);
    code = CLI_DONE;
  }
  if (code == CLI_GO_ON) {
    for (int i = 0; i < n && versus < 0; i++) cli_curve_thin(&curve[i], CLI_PLOT_BINS);
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

static int run_plot(int argc, char** argv) {
  PlotOptions option = {.from = 0, .to = 1e300};
  cliList arguments;
  int code = cli_parse(&cli_verb_plot, argc, argv, &option, &arguments);
  if (code != CLI_GO_ON) return code;
  if (option.output && !cli_gnuplot_format(option.output)) {
    return cli_usage_error(&cli_verb_plot, "'%s' ends in none of .png, .svg and .pdf",
                           option.output);
  }
  if (option.dashboard && !option.output) {
    return cli_usage_error(&cli_verb_plot, "--dashboard needs --output FILE");
  }
  if (option.dashboard && option.versus) {
    return cli_usage_error(&cli_verb_plot, "--dashboard and --vs exclude each other");
  }
  if (cli_is_study(arguments.item[0])) {
    const cliStudyPlot plot = {.database = arguments.item[0],
                               .output = option.output,
                               .title = option.title,
                               .figure = option.figure,
                               .names = arguments.n - 1,
                               .name = arguments.item + 1};
    return cli_plot_study(&plot);
  }
  if (option.figure) {
    return cli_usage_error(&cli_verb_plot,
                           "--figure is for results of rut sweep, of which '%s' is none",
                           arguments.item[0]);
  }
  if (!option.dashboard && arguments.n < 2) {
    return cli_usage_error(&cli_verb_plot, "SIGNAL is missing: rut plot LOG SIGNAL...");
  }
  rutLogFile* file = NULL;
  rutError err = {0};
  const rutStatus status = rut_log_open(arguments.item[0], &file, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  if (option.dashboard) {
    const cliDashboardDef dashboard = {.output = option.output,
                                       .title = option.title ? option.title : arguments.item[0],
                                       .from = option.from,
                                       .to = option.to,
                                       .vehicles = arguments.n - 1,
                                       .vehicle = arguments.item + 1};
    code = cli_plot_dashboard(file, &dashboard);
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
    .arguments = "LOG [SIGNAL...] | STUDY.db [NAME...]",
    .min_arguments = 1,
    .max_arguments = CLI_LIST_SIZE,
    .summary = "draw curves of a log, or results of a study, as a figure",
    .details =
        "SIGNALs are names or patterns, such as '*/speed'; rut log LOG --signals lists them.\n"
        "Signals of one unit share an axis, others get panels of their own. Angles are in\n"
        "degrees. Figures are drawn by gnuplot. Of the results of rut sweep, NAMEs choose inputs "
        "and\n"
        "measures; without --output a table is printed.",
    .examples =
        "  rut plot run.mcap hmmwv/speed '*/load'\n"
        "  rut plot run.mcap hmmwv/speed '*/load' -o loads.pdf\n"
        "  rut plot run.mcap hmmwv/y --vs hmmwv/x -o path.svg --title 'A wide turn'\n"
        "  rut plot --dashboard run.mcap -o run.png\n"
        "  rut plot lane_change.db --figure tornado clearance -o tornado.pdf",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_plot,
};
