// SPDX-License-Identifier: BSD-3-Clause
//
// Runs steps at the pace of the wall clock.
#ifndef RUT_CLI_PACE_H
#define RUT_CLI_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLI_PACE_BINS = 1024 };

typedef struct cliPace {
  double factor;        // simulated seconds per second of wall clock
  double start, begun;  // wall clock and simulated time at which both agree [s]
  double step;          // that may be missed [s of the wall]
  int64_t steps, missed;
  double sum, most;            // of how late steps were [s]
  int64_t bin[CLI_PACE_BINS];  // numbers of steps by how late they were
} cliPace;

// How late steps ended against the pace. A step that ends early has waited for its time, so these
// are the delays of waking up, and of computing where that takes longer than there is time.
typedef struct cliLateness {
  double mean, p99, max;  // [s]
  int64_t steps, missed;  // missed: steps that were late by more than a step
} cliLateness;

// Begin now, at a simulated time. timestep: of the world [s].
void cli_pace_begin(cliPace* pace, double factor, double timestep, double time);
// Wait until the wall clock has reached a simulated time, and count how late it is. Returns early
// on a signal.
void cli_pace_wait(cliPace* pace, double time);
cliLateness cli_pace_lateness(const cliPace* pace);

// Let the calling thread run on one core only. Threads that it starts later inherit that. False,
// with the reason in message, if that cannot be.
bool cli_pin_core(int core, char* message, size_t size);

#endif  // RUT_CLI_PACE_H
