// SPDX-License-Identifier: BSD-3-Clause
//
// One line on a terminal that tells how far a run is. Nothing if stderr is no terminal.
#ifndef RUT_CLI_PROGRESS_H
#define RUT_CLI_PROGRESS_H

#include <stdbool.h>

typedef struct cliProgress {
  bool on;
  const char* unit;    // what is counted, such as "frames". NULL: simulated time [s]
  double total;        // of the whole run
  char note[48];       // behind the line
  double start, last;  // wall clock at the start and when the line was last drawn [s]
} cliProgress;

// quiet: never draw.
void cli_progress_begin(cliProgress* progress, double total, bool quiet);
// Draw the line for what was reached, at most ten times a second.
void cli_progress_update(cliProgress* progress, double time);
// Erase the line.
void cli_progress_end(cliProgress* progress);

#endif  // RUT_CLI_PROGRESS_H
