// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of `rut run`, and all that goes along with them.
#ifndef RUT_CLI_RUN_H
#define RUT_CLI_RUN_H

#include "links.h"
#include "orders.h"
#include "pace.h"
#include "progress.h"
#include "run_summary.h"
#include "rut/host.h"
#include "scene/recorder.h"

// What others ask of the run while it goes on, between two steps.
typedef struct cliAsked {
  bool paused, reset, quit;
  int64_t steps_left;  // to do although it is paused
  double speed;        // new pace, negative: the old one
  uint64_t seed;
} cliAsked;

// What runs along with the steps.
typedef struct cliRun {
  cliWorld* world;
  bool (*stop)(void);  // asked between steps: true ends the run
  rutInputs* inputs;   // Nullable
  cliLinks links;
  cliAsked asked;          // by others
  rutCsvLog* csv;          // Nullable
  rutLog* log;             // Nullable
  rutLoggers* loggers;     // that the world names. Nullable
  cliOrders orders;        // to them, file -1: none
  bool misunderstood;      // an order was none
  viewRecorder* recorder;  // of the log, for rut replay. Nullable
  rutMetrics* metrics;     // Nullable
  cliTracker tracker;
  cliProgress progress;
  int64_t steps;           // to do in all
  double unwatched_until;  // [s] from then on sensors take their samples
  bool paced, chose;
  double realtime;  // times as fast as the clock, if it is paced
  cliPace pace;
  rutStepChoice choice;  // if it chose a step
  cliRunStart start;
  double clock;        // when the last part of the start ended [s]
  char command[1024];  // that started the run
} cliRun;

// Bytes of orders that are read before the run.
enum { CLI_FIRST_ORDERS = 16 << 20 };

// Time since the last part of the start ended [s].
double cli_run_lap(cliRun* run);
// What nodes of ROS 2 may ask of a run, which outlives the node.
rutRos2Control cli_run_control(cliRun* run);
// Leave samples of sensors out that nobody looks at, unless everything is wanted.
void cli_run_watch_the_end(cliRun* run, bool everything);
// Log the present state where the world's logs want it. Errors: those of rut_loggers_step.
rutStatus cli_run_step_loggers(cliRun* run, rutError* err);
// Take orders that have arrived. An invalid one is reported, and the run goes on.
void cli_run_read_orders(cliRun* run);
// Make all steps, until the run is over, stopped or fails. Errors: those of rut_step, and of what
// goes along.
rutStatus cli_run_steps(cliRun* run, rutError* err);

#endif  // RUT_CLI_RUN_H
