// SPDX-License-Identifier: BSD-3-Clause
//
// A world or a log in the browser: ties the threads together.
#ifndef RUT_VIEW_VIEW_H
#define RUT_VIEW_VIEW_H

#include "links.h"
#include "view/study.h"
#include "world.h"

typedef struct viewOptions {
  const char* path;           // of the world
  const char* host;           // address to listen on
  const char* record;         // log to write, NULL: none
  const char* output;         // folder for logs that the world names, NULL: none are written
  const char* inputs;         // table of set points, NULL: none
  const char* const* origin;  // [origins] of pages that may speak Foxglove's protocol
  int origins;
  const char* const* ancestor;  // [ancestors] origins of pages that may show ours within theirs
  int ancestors;
  viewStudy* study;  // of which the world is a run, NULL: it is of none
  const cliVerb* verb;
  const cliLinksOptions* links;  // NULL: no program drives
  int64_t port, seed, run;
  bool open;    // a browser
  bool paused;  // at the start
  bool loop;    // of a log
  bool ends_with_input;
} viewOptions;

// Show one log, or two, of which the vehicles of the second are ghosts. Returns the exit code.
int view_logs(const char* const* path, int logs, const viewOptions* options);

// Show a world that was loaded and compiled until the program is interrupted. Returns the exit
// code.
int view_world(cliWorld* world, const viewOptions* options);

#endif  // RUT_VIEW_VIEW_H
