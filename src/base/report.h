// SPDX-License-Identifier: BSD-3-Clause
//
// Collects findings (errors, warnings) with their place in a file and passes them to the host.
#ifndef RUT_BASE_REPORT_H
#define RUT_BASE_REPORT_H

#include "base/access.h"
#include "rut/rut.h"

typedef struct rutReporter {
  void (*report)(const rutDiagnostic* finding, void* user);  // Nullable
  void* user;
  // What the world may reach that is being read: files that it names are read, and quoted, under
  // this. NULL: none.
  const rutAccess* access;
  rutError first;  // first error since rut_reporter_reset, status RUT_OK if none
  int errors, warnings;
} rutReporter;

// Forget what was found, keep the sink and the access.
void rut_reporter_reset(rutReporter* reporter);
// Report an error; returns status, so that callers can `return rut_report_error(...)`. element and
// hint may be "".
rutStatus rut_report_error(rutReporter* reporter, rutStatus status, rutPlace place,
                           const char* element, const char* hint, const char* format, ...)
    RUT_PRINTF(6, 7);
void rut_report_warning(rutReporter* reporter, rutPlace place, const char* element,
                        const char* format, ...) RUT_PRINTF(4, 5);
// Something to know that is not wrong.
void rut_report_note(rutReporter* reporter, rutPlace place, const char* element, const char* format,
                     ...) RUT_PRINTF(4, 5);
// Fill an error without a reporter. Returns status. Nullable: err.
rutStatus rut_error_set(rutError* err, rutStatus status, const char* format, ...) RUT_PRINTF(3, 4);

#endif  // RUT_BASE_REPORT_H
