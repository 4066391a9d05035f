// SPDX-License-Identifier: BSD-3-Clause
//
// Shared by the parts of the loggers: creation from a world (loggers_create.c), and work in a run
// (loggers.c).
#ifndef RUT_HOST_LOGGERS_H
#define RUT_HOST_LOGGERS_H

#include "base/report.h"
#include "host/log_format.h"

// Signals that a log waits for.
typedef enum rutWatchKind {
  RUT_WATCH_RECORD,   // it records while this is above 0
  RUT_WATCH_CLEAR,    // it is cleared when this changes
  RUT_WATCH_SESSION,  // it begins a session when this changes
  RUT_WATCHES
} rutWatchKind;
typedef struct rutWatch {
  int at;       // place among the values that are watched, -1: none
  double last;  // its value at the last step
} rutWatch;

typedef struct rutLogger {
  char* name;  // owned; "run", "vehicle/run"
  int vehicle;
  const rutLogFormat* format;
  rutLogColumns columns;
  rutWatch watch[RUT_WATCHES];
  bool watches;  // any of them
  rutLogSink sink;
  bool has_sink;
  char* stem;  // owned; folder and file name without number and end. NULL: no folder was given
  char* path;  // owned; of the present session
  size_t path_size;

  bool paused;  // by orders
  bool holds;   // what it waits for
  bool failed;
  bool begun;  // the present session has its file
  int session;
  int64_t rows;
  rutFileId file;  // of the present session
  int held;        // descriptor of it, so that its inode is no other file's; -1: none
  void* log;       // the present session as its format has it
} rutLogger;

struct rutLoggers {
  rutLogger* logger;
  int n;
  double dt;
  // Signals of columns. Accelerations are means between two readings, so that no vehicle is read by
  // two logs of a set: logs of the world have one each, those of a vehicle its first, second, ...
  rutSignals** set;
  int sets;
  bool renamed;   // some file has another name than its log
  rutSpec* spec;  // a copy, for logs that keep the world
  uint64_t seed;
  char* command;
  // signals that are watched, in the order in which logs named them
  rutSignals* signals;
  int watched;
  int* watched_index;
  double* watched_value;
  bool watches_changes;  // some log is cleared, or begins a session, when one changes
  bool watched_now;      // they were read in this step

  bool begun, jumped;
  double time;  // of the last step
};

void rut_loggers_free(rutLoggers* loggers);

#endif  // RUT_HOST_LOGGERS_H
