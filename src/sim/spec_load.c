// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the reader that knows a file's format and lets it fill a spec.
#include <stdlib.h>
#include <string.h>

#include "format/xml.h"
#include "sim/spec.h"

static const rutFormatType* find_format(const rutContext* context, const char* text, size_t size) {
  for (int i = 0; i < context->n; ++i) {
    const rutComponent* type = context->registered[i]->type;
    if (strcmp(type->kind, "format") != 0) continue;
    const rutFormatType* format = (const rutFormatType*)(const void*)type;
    if (format->recognise && format->recognise(text, size)) return format;
  }
  return NULL;
}

static rutStatus read_spec(rutContext* context, const char* text, size_t size, const char* name,
                           rutSpec* spec) {
  const rutPlace start = {name, 1, 1};
  rutReporter* reporter = &context->reporter;
  const rutFormatType* format = find_format(context, text, size);
  if (!format) {
    char all[256];
    rut_registry_list_types(context, "format", all, sizeof all);
    return rut_report_error(reporter, RUT_ERR_PARSE, start, "", "",
                            "this is no world file that rut can read (known formats: %s); a rut "
                            "world begins with <world>",
                            all);
  }
  rutError err = {0};
  const rutStatus status = format->read(context, text, size, name, spec, &err);
  // a reader may return an error that it did not report
  if (status != RUT_OK && reporter->errors == 0) {
    const rutPlace place = {err.file[0] ? err.file : name, err.line, err.column};
    rut_report_error(reporter, status, place, err.element, "", "%s",
                     err.message[0] ? err.message : rut_status_text(status));
  }
  return reporter->errors ? reporter->first.status : status;
}

static rutStatus parse_text(rutContext* context, const char* text, size_t size, const char* name,
                            rutSpec** out, rutError* err) {
  rutSpec* spec;
  rutStatus status = rut_spec_create(context, &spec, err);
  if (status != RUT_OK) return status;
  status = read_spec(context, text, size, name, spec);
  if (status != RUT_OK) {
    if (err) *err = context->reporter.first;
    rut_spec_destroy(spec);
    return status;
  }
  *out = spec;
  return RUT_OK;
}

rutStatus rut_spec_parse(rutContext* context, const char* text, size_t size, const char* name,
                         rutSpec** out, rutError* err) {
  *out = NULL;
  rut_reporter_reset(&context->reporter);
  return parse_text(context, text, size, name, out, err);
}

rutStatus rut_spec_load(rutContext* context, const char* path, rutSpec** out, rutError* err) {
  *out = NULL;
  rut_reporter_reset(&context->reporter);
  const rutPlace place = {path, 0, 0};
  char* text;
  size_t size;
  rutStatus status =
      rut_read_file(path, RUT_SPEC_MAX_FILE, &context->reporter, place, &text, &size);
  if (status != RUT_OK) {
    if (err) *err = context->reporter.first;
    return status;
  }
  status = parse_text(context, text, size, path, out, err);
  free(text);
  return status;
}
