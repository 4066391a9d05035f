// SPDX-License-Identifier: BSD-3-Clause
#include "clock.h"

#include <math.h>
#include <time.h>

double cli_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double cli_processor_time(void) {
  struct timespec used;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return (double)NAN;
  return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}
