// SPDX-License-Identifier: BSD-3-Clause
//
// Prints findings of the library: "file:line:column: error: message", the line concerned, and a
// caret under the place.
#ifndef RUT_CLI_REPORT_H
#define RUT_CLI_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "rut/rut.h"

// A finding that is kept for later.
typedef struct cliFinding {
  rutLevel level;
  int line, column;
  char *file, *element, *message, *hint;  // owned
} cliFinding;

typedef struct cliReport {
  FILE* out;
  bool quiet;   // do not print warnings and notes
  bool silent;  // print nothing, only keep
  bool color;
  const char*
      named;  // a file that is no world, whose lines may be shown, as it was named. Nullable
  int errors, warnings, notes;
  int told;             // errors that were known at the last cli_report_failure
  cliFinding* finding;  // owned
  int findings, capacity;
} cliReport;

// Report that prints to out, with colours if it is a terminal that wants them.
void cli_report_open(cliReport* report, FILE* out);
void cli_report_close(cliReport* report);
// Receives findings; fits rutContextDef.report, with a cliReport as user.
void cli_report_finding(const rutDiagnostic* finding, void* report);
// Print the error of a failed call unless its findings were printed already. Returns the exit code
// for it.
int cli_report_failure(cliReport* report, rutStatus status, const rutError* err);
// The same on stderr, for what has no report.
int cli_tell_failure(rutStatus status, const rutError* err);
// Say that this rut was built without what rut view needs. Returns the exit code for it.
int cli_tell_missing_viewer(void);

// True if out is a terminal and neither NO_COLOR nor TERM=dumb is set.
bool cli_wants_color(FILE* out);

#endif  // RUT_CLI_REPORT_H
