// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE  // sched_setaffinity
#include "pace.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "clock.h"

static const double SHORTEST = 1e-9;  // delay of the first bin [s]
enum { BINS_PER_OCTAVE = 24 };
static const double WORTH_SLEEPING = 20e-6;  // [s]

void cli_pace_begin(cliPace* pace, double factor, double timestep, double time) {
  *pace = (cliPace){.factor = factor, .step = timestep / factor, .begun = time};
  // Linux may else wake a thread 50 us late to save power
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  pace->start = cli_clock();
}

static void sleep_until(double clock) {
  struct timespec until = {.tv_sec = (time_t)clock};
  until.tv_nsec = (long)((clock - (double)until.tv_sec) * 1e9);
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

void cli_pace_wait(cliPace* pace, double time) {
  const double due = pace->start + (time - pace->begun) / pace->factor;
  double now = cli_clock();
  if (due - now > WORTH_SLEEPING) {
    sleep_until(due);
    now = cli_clock();
  }
  const double late = fmax(now - due, 0);
  pace->steps++;
  pace->sum += late;
  pace->most = fmax(pace->most, late);
  pace->missed += late > pace->step;
  const double octaves = late > SHORTEST ? log2(late / SHORTEST) : 0;
  const int bin = (int)fmin(octaves * BINS_PER_OCTAVE, CLI_PACE_BINS - 1);
  pace->bin[bin]++;
}

cliLateness cli_pace_lateness(const cliPace* pace) {
  cliLateness late = {.steps = pace->steps, .missed = pace->missed, .max = pace->most};
  if (pace->steps == 0) return late;
  late.mean = pace->sum / (double)pace->steps;
  const int64_t most = pace->steps - pace->steps / 100;
  int64_t below = 0;
  int bin = 0;
  while (bin < CLI_PACE_BINS && (below += pace->bin[bin]) < most) bin++;
  // the upper end of the bin, three percent above its lower one
  late.p99 = fmin(SHORTEST * exp2((double)(bin + 1) / BINS_PER_OCTAVE), pace->most);
  return late;
}

// "0-3,8"
static void list_cores(const cpu_set_t* set, char* text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < CPU_SETSIZE && used < size; i++) {
    if (!CPU_ISSET(i, set)) continue;
    int last = i;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set)) last++;
    used += (size_t)snprintf(text + used, size - used, last > i ? "%s%d-%d" : "%s%d",
                             used ? "," : "", i, last);
    i = last;
  }
}

bool cli_pin_core(int core, char* message, size_t size) {
  cpu_set_t may, one;
  char cores[128];
  CPU_ZERO(&one);
  if (sched_getaffinity(0, sizeof may, &may) != 0) CPU_ZERO(&may);
  list_cores(&may, cores, sizeof cores);
  if (core < 0 || core >= CPU_SETSIZE || !CPU_ISSET(core, &may)) {
    snprintf(message, size, "core %d is not there for this process; it may use %s", core, cores);
    return false;
  }
  CPU_SET(core, &one);
  if (sched_setaffinity(0, sizeof one, &one) == 0) return true;
  snprintf(message, size, "cannot run on core %d: %s", core, strerror(errno));
  return false;
}
