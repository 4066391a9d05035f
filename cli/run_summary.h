// SPDX-License-Identifier: BSD-3-Clause
//
// The summary that `rut run` prints at the end.
#ifndef RUT_CLI_RUN_SUMMARY_H
#define RUT_CLI_RUN_SUMMARY_H

#include "links.h"
#include "pace.h"
#include "travel.h"
#include "world.h"

typedef enum cliRunEnd { CLI_RUN_DONE, CLI_RUN_INTERRUPTED, CLI_RUN_DIVERGED } cliRunEnd;

// Seconds that the parts of the start took.
typedef struct cliRunStart {
  double load;     // reading the world
  double compile;  // making the model of it
  double state;    // making and filling its state
  double beside;   // making what runs beside it: logs, metrics
  double step;     // the first step
} cliRunStart;

typedef struct cliRunResult {
  const char* path;  // of the world
  cliRunEnd end;
  uint64_t seed;
  double wall;  // seconds that the steps took
  bool profile;
  cliRunStart start;
  const cliTracker* tracker;
  const rutMetrics* metrics;
  const cliPace* pace;  // Nullable: as fast as it goes
  const cliLinks* links;
  const rutStepChoice* choice;  // of the step. Nullable: it was given
} cliRunResult;

// Warn of vehicles that left the ground, and of steps that do not resolve their motion.
void cli_run_warn(cliWorld* world, const cliTracker* tracker);
// Warn if no step was found that the world needs.
void cli_run_warn_of_choice(cliWorld* world, const rutStepChoice* choice);
// Warn of orders to logs that wait although the run is over; none if there are 0.
void cli_run_warn_of_orders(cliWorld* world, int orders);
// A table of vehicles and a line of totals, for people.
void cli_run_print(const cliWorld* world, const cliRunResult* result, FILE* out);
// One JSON object, for programs.
void cli_run_print_json(const cliWorld* world, const cliRunResult* result, FILE* out);
// Last finite state of the vehicles, at most ten of them.
void cli_run_print_last_state(const cliWorld* world, FILE* out);

#endif  // RUT_CLI_RUN_SUMMARY_H
