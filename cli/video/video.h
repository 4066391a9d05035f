// SPDX-License-Identifier: BSD-3-Clause
//
// What is filmed, and what was: shared by the kinds of films of rut video.
#ifndef RUT_VIDEO_VIDEO_H
#define RUT_VIDEO_VIDEO_H

#include <signal.h>

#include "world.h"

typedef struct cliVideo {
  const char *output, *camera, *chase, *size, *inputs;
  double rate, duration, from;  // rate 0, duration and from NaN: not given
  int64_t seed, workers;
  bool json, quiet;
  cliList set, plugin;
  cliAllowed allowed;
  const volatile sig_atomic_t* interrupted;
  void (*on_interrupt)(int signal_number);
} cliVideo;

// What was filmed.
typedef struct cliVideoSummary {
  char camera[256];
  double rate, start, wall;
  int width, height;
  int64_t frames;
} cliVideoSummary;

#endif  // RUT_VIDEO_VIDEO_H
