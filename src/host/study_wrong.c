// SPDX-License-Identifier: BSD-3-Clause
#include "host/study_wrong.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"

rutStatus rut_study_wrong(const rutStudy* study, rutNode node, const char* field, rutError* err,
                          const char* format, ...) {
  if (!err) return RUT_ERR_MODEL;
  rutPlace place = rut_node_place_of(study->spec, node, field);
  // a field that was not given has the place of its element
  if (place.line == 0) place = rut_node_place_of(study->spec, node, NULL);
  *err = (rutError){.status = RUT_ERR_MODEL, .line = place.line, .column = place.column};
  if (place.file) snprintf(err->file, sizeof err->file, "%.250s", place.file);
  const char* name = rut_node_name(study->spec, node);
  const char* kind = rut_node_kind(study->spec, node);
  if (name[0] && strcmp(kind, "study") != 0) {
    snprintf(err->element, sizeof err->element, "<%.24s name=\"%.50s\">", kind, name);
  } else {
    snprintf(err->element, sizeof err->element, "<%.60s>", kind);
  }
  va_list args;
  va_start(args, format);
  vsnprintf(err->message, sizeof err->message, format, args);
  va_end(args);
  return RUT_ERR_MODEL;
}

rutStatus rut_study_no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for the study");
}

char* rut_study_copy(const char* text) {
  const size_t size = strlen(text) + 1;
  char* copy = malloc(size);
  if (copy) memcpy(copy, text, size);
  return copy;
}
