// SPDX-License-Identifier: BSD-3-Clause
//
// Figures by gnuplot, which runs as a process.
#ifndef RUT_CLI_PLOT_FIGURE_H
#define RUT_CLI_PLOT_FIGURE_H

#include "plot_data.h"

enum { CLI_PANEL_CURVES = 64, CLI_PANELS = 32 };

// Curves that share their axes.
typedef struct cliPanel {
  const cliCurve* curve[CLI_PANEL_CURVES];
  const cliCurve* versus[CLI_PANEL_CURVES];  // over this in place of time; NULL: over time
  int n;
  bool equal;       // both axes have one scale, as on a map
  bool names_only;  // the legend tells vehicles, the axis what is shown
  char label[96], x_label[96];
} cliPanel;

typedef struct cliFigure {
  const char *path, *title;  // the path ends in .png, .svg or .pdf
  cliPanel panel[CLI_PANELS];
  int panels;
  int columns;  // 1: stacked, sharing their x axis
} cliFigure;

// What the curves of a panel have in common, as the label of its axis.
void cli_panel_label(cliPanel* panel);
// Draw. Returns an exit code: done, missing (gnuplot), or IO, which it has told.
int cli_figure_draw(const cliFigure* figure);

#endif  // RUT_CLI_PLOT_FIGURE_H
