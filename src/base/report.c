// SPDX-License-Identifier: BSD-3-Clause
#include "base/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rut_reporter_reset(rutReporter* reporter) {
  memset(&reporter->first, 0, sizeof reporter->first);
  reporter->errors = 0;
  reporter->warnings = 0;
}

static void pass_on(rutReporter* reporter, rutLevel level, rutPlace place, const char* element,
                    const char* hint, const char* message) {
  if (!reporter->report) return;
  const char* file = place.file ? place.file : "";
  rutDiagnostic finding = {
      .level = level,
      .file = file,
      .line = place.line,
      .column = place.column,
      .element = element,
      .message = message,
      .hint = hint,
      .quotable = file[0] && rut_access_allows(reporter->access, file, NULL),
  };
  reporter->report(&finding, reporter->user);
}

rutStatus rut_report_error(rutReporter* reporter, rutStatus status, rutPlace place,
                           const char* element, const char* hint, const char* format, ...) {
  char message[512];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);

  // the caller's rutError holds the first error only: later ones often follow from it
  if (reporter->errors++ == 0) {
    rutError* first = &reporter->first;
    first->status = status;
    first->line = place.line;
    first->column = place.column;
    snprintf(first->file, sizeof first->file, "%s", place.file ? place.file : "");
    snprintf(first->element, sizeof first->element, "%s", element);
    if (hint[0]) {
      snprintf(first->message, sizeof first->message, "%.380s; %.120s", message, hint);
    } else {
      snprintf(first->message, sizeof first->message, "%s", message);
    }
  }
  pass_on(reporter, RUT_ERROR, place, element, hint, message);
  return status;
}

void rut_report_warning(rutReporter* reporter, rutPlace place, const char* element,
                        const char* format, ...) {
  char message[512];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  reporter->warnings++;
  pass_on(reporter, RUT_WARNING, place, element, "", message);
}

void rut_report_note(rutReporter* reporter, rutPlace place, const char* element, const char* format,
                     ...) {
  char message[512];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  pass_on(reporter, RUT_NOTE, place, element, "", message);
}

rutStatus rut_error_set(rutError* err, rutStatus status, const char* format, ...) {
  if (!err) return status;
  memset(err, 0, sizeof *err);
  err->status = status;
  va_list args;
  va_start(args, format);
  vsnprintf(err->message, sizeof err->message, format, args);
  va_end(args);
  return status;
}
