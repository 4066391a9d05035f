// SPDX-License-Identifier: BSD-3-Clause
//
// Formats of a world's logs. A format is a file of its own, log_NAME.c, and a line in
// base/log_formats.def.
#ifndef RUT_HOST_LOG_FORMAT_H
#define RUT_HOST_LOG_FORMAT_H

#include "base/output.h"
#include "rut/host.h"

// Columns of a log, constant during a run.
typedef struct rutLogColumns {
  rutSignals* signals;
  int n;
  int* index;     // of its signals, ascending
  size_t prefix;  // leading characters of their names that are left out: the log's vehicle
  int64_t every;  // steps between rows
} rutLogColumns;

// What a session begins with.
typedef struct rutLogSession {
  const rutModel* model;
  const rutLogColumns* columns;
  const char* path;
  rutOutput* place;     // an empty file at path; a format may take its descriptor
  const rutSpec* spec;  // the world, the seed and the command of the run
  uint64_t seed;
  const char* command;
  const rutLoggerInfo* log;
  const rutLogSink* sink;  // of the program, instead of a file
} rutLogSession;

typedef struct rutLogFormat {
  const char* name;  // value of <log format=>, and ending of the file's name
  // Begin a session. *out is the first argument of the functions below. Errors: IO, MEMORY.
  rutStatus (*begin)(const rutLogSession* session, void** out, rutError* err);
  // Write the present state. Errors: IO, MEMORY.
  rutStatus (*row)(void* log, const rutModel* model, const rutData* data, rutError* err);
  // Discard the rows of the session. Nullable: the file is closed and removed.
  rutStatus (*clear)(void* log, rutError* err);
  // End the session and free, also after a failure. Errors: IO.
  rutStatus (*end)(void* log, rutError* err);
} rutLogFormat;

#define RUT_LOG_FORMAT(name) extern const rutLogFormat rut_log_format_##name;
#include "base/log_formats.def"
#undef RUT_LOG_FORMAT
// A program's own sink.
extern const rutLogFormat rut_log_format_sink;

#endif  // RUT_HOST_LOG_FORMAT_H
