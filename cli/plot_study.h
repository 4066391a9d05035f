// SPDX-License-Identifier: BSD-3-Clause
//
// Figures of the results of a study.
#ifndef RUT_CLI_PLOT_STUDY_H
#define RUT_CLI_PLOT_STUDY_H

#include <stdbool.h>

typedef struct cliStudyPlot {
  const char *database, *output, *title;
  const char* figure;  // "histogram", ...; NULL: histogram
  int names;           // of measures and inputs that are shown; 0: all
  const char* const* name;
} cliStudyPlot;

// True if the file is a database.
bool cli_is_study(const char* path);
// Draw a figure, or print a summary where there is no output. Returns the exit code.
int cli_plot_study(const cliStudyPlot* plot);

#endif  // RUT_CLI_PLOT_STUDY_H
