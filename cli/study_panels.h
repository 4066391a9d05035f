// SPDX-License-Identifier: BSD-3-Clause
//
// What the figures of a study share: panels in a grid, their axes and labels, in gnuplot's words.
#ifndef RUT_CLI_STUDY_PANELS_H
#define RUT_CLI_STUDY_PANELS_H

#include "study_figure.h"

#define BLUE      "#0072B2"
#define VERMILION "#D55E00"
#define GREEN     "#009E73"
#define INK       "#303030"

// Panels of one size, row by row from the upper left.
typedef struct cliPanels {
  int columns, rows;
  double width, height;                           // of a panel [pixels]
  double left, right, top, bottom, gap_x, gap_y;  // around them
} cliPanels;

// Panels for n columns, as wide as they fit side by side.
cliPanels cli_panels_of(const cliStudyFigure* figure, int n);
// Set the size of the page to that of its panels.
void cli_panels_size(cliStudyFigure* figure, const cliPanels* panels);
// The first and the last lines of a figure.
void cli_panels_begin(FILE* out, const cliStudyFigure* figure);
void cli_panels_end(FILE* out);

// Margins of panel i; what follows is of it.
void cli_panel_margins(FILE* out, const cliStudyFigure* figure, const cliPanels* panels, int i);
// Forget labels, tics and legend of a panel.
void cli_panel_end(FILE* out);
// The label of an axis, "x" or "y".
void cli_panel_label_axis(FILE* out, const char* axis, const char* text);
// A line above a panel.
void cli_panel_heading(FILE* out, const char* text);
// Tics of an axis with texts; nothing for numbers.
void cli_panel_levels(FILE* out, const char* axis, const cliColumn* column);
void cli_panel_range(FILE* out, const char* axis, cliColumnRange range);
// Steps of 1, 2 or 5 times a power of ten, of which about n fit into a range.
void cli_panel_tics(FILE* out, const char* axis, cliColumnRange range, int n);
// A number of a table, or NaN, and a blank.
void cli_panel_bound(FILE* out, double value);

// Measure i of a figure.
const cliColumn* cli_figure_measure(const cliStudyFigure* figure, int i);

#endif  // RUT_CLI_STUDY_PANELS_H
