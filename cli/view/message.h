// SPDX-License-Identifier: BSD-3-Clause
//
// Messages of a page (docs/manual/stream.md), checked as far as they can be without a world.
#ifndef RUT_VIEW_MESSAGE_H
#define RUT_VIEW_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rut/host.h"
#include "scene/driver.h"
#include "view/samples.h"

typedef enum viewVerb {
  VIEW_HELLO,
  VIEW_PAUSE,
  VIEW_RESUME,
  VIEW_RESET,
  VIEW_STEP,
  VIEW_RATE,
  VIEW_DRIVE,
  VIEW_RELEASE,
  VIEW_COMMAND,
  VIEW_SET,
  VIEW_SAVE,
  VIEW_RESTORE,
  VIEW_SUBSCRIBE,
  VIEW_SEEK,
  VIEW_LOOP,
  VIEW_LOG,
  VIEW_WATCH,
  VIEW_RUN,
  VIEW_VERBS,
  VIEW_GONE = VIEW_VERBS,  // no message: the page has gone
  VIEW_TOPICS,             // no message: topics are to be told anew
  VIEW_LET_GO              // no message: release, if this client is who drives
} viewVerb;

typedef struct viewMessage {
  viewVerb verb;
  int vehicle;    // drive, release, command
  int slot;       // save, restore
  int64_t steps;  // step
  int64_t run;    // run: of the study
  double value;   // rate, seek
  bool on;        // loop
  int log;        // log: its place among those of the world
  rutLoggerOrder request;
  viewPedals pedals;
  // watch: sensors, and vehicles whose maps and paths are watched
  int sensors, maps, paths;
  int sensor[VIEW_WATCHED], map[VIEW_NAVIGATED], path_of[VIEW_NAVIGATED];
  unsigned layers;  // of images
  int numbers;      // command
  double number[VIEW_COMMANDS];
  char path[VIEW_PATH_SIZE], text[VIEW_VALUE_SIZE];  // set
  int signals;                                       // subscribe: names one after the other
  char names[VIEW_MESSAGE_SIZE];
} viewMessage;

// Read one. False, with what is wrong in error, if it is none.
bool view_message_read(const char* text, size_t size, viewMessage* message, char* error,
                       size_t error_size);
// The word that stands for a verb.
const char* view_verb_name(viewVerb verb);

#endif  // RUT_VIEW_MESSAGE_H
