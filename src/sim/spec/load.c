// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the reader that knows a file's format and lets it fill a spec.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "format/file_kind.h"
#include "format/xml.h"
#include "sim/spec/nodes.h"
#include "sim/spec/registry.h"
#include "sim/spec/spec.h"
#include "sim/spec/store.h"

rutStatus rut_spec_allow_beside(rutSpec* spec, const char* path, const char* folder) {
  return rut_access_add_beside(&spec->access, path, folder) == ENOMEM ? RUT_ERR_MEMORY : RUT_OK;
}

void rut_spec_note_random(rutSpec* spec) { spec->random = true; }

bool rut_spec_is_random(const rutSpec* spec) { return spec->random; }

rutStatus rut_spec_read_file(const rutSpec* spec, const char* path, size_t limit, void** bytes,
                             size_t* size, rutError* err) {
  char* text;
  *bytes = NULL;
  const int fault = rut_input_read(&spec->access, path, limit, &text, size);
  if (!fault) {
    *bytes = text;
    return RUT_OK;
  }
  char message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
  rut_input_explain(fault, path, limit, message, hint);
  return rut_error_set(err, fault == ENOMEM ? RUT_ERR_MEMORY : RUT_ERR_IO, "%.380s%s%.120s",
                       message, hint[0] ? "; " : "", hint);
}

static const rutFormatType* find_format(const rutContext* context, const char* text, size_t size) {
  for (int i = 0; i < context->n; ++i) {
    const rutComponent* type = context->registered[i]->type;
    if (strcmp(type->kind, "format") != 0) continue;
    const rutFormatType* format = (const rutFormatType*)(const void*)type;
    if (format->recognise && format->recognise(text, size)) return format;
  }
  return NULL;
}

// True if the bytes begin as UTF-16 text does: with its byte order mark, or with '<' as two bytes.
static bool is_utf16(const char* text, size_t size) {
  static const char* const start[] = {"\xff\xfe", "\xfe\xff", "<\0", "\0<"};
  for (int i = 0; i < RUT_COUNT_OF(start); i++) {
    if (size >= 2 && memcmp(text, start[i], 2) == 0) return true;
  }
  return false;
}

static rutStatus unknown_format(rutContext* context, const char* text, size_t size,
                                rutPlace start) {
  rutReporter* reporter = &context->reporter;
  if (size == 0) {
    return rut_report_error(reporter, RUT_ERR_PARSE, start, "", "", "the file is empty");
  }
  // it may be any file: its first line must not be shown
  if (text[0] != '<') reporter->access = NULL;
  if (is_utf16(text, size)) {
    return rut_report_error(reporter, RUT_ERR_PARSE, start, "", "save it as UTF-8",
                            "the file is UTF-16 text");
  }
  const rutFileKind* kind = rut_file_kind(text, size);
  if (kind) {
    return rut_report_error(reporter, RUT_ERR_PARSE, start, "", "", "this is %s, not a world; %s",
                            kind->what, kind->use);
  }
  char name[64];
  if (rut_xml_first_element(text, size, name, sizeof name)) {
    return rut_report_error(reporter, RUT_ERR_PARSE, start, "", "",
                            "this is not a world: its first element is <%s>; a world of rut "
                            "begins with <world>, one of MVSim with <mvsim_world>",
                            name);
  }
  char all[256];
  rut_registry_list_types(context, "format", all, sizeof all);
  return rut_report_error(reporter, RUT_ERR_PARSE, start, "", "",
                          "this is not a world file that rut can read (known formats: %s); a "
                          "rut world begins with <world>",
                          all);
}

// A file of another kind than a world. NULL, with a report, if its first element is not that.
static const rutFormatType* find_reader(rutContext* context, const char* kind, const char* text,
                                        size_t size, rutPlace start) {
  rutReporter* reporter = &context->reporter;
  char name[64];
  if (size > 0 && text[0] != '<') reporter->access = NULL;
  if (!rut_xml_first_element(text, size, name, sizeof name)) {
    rut_report_error(reporter, RUT_ERR_PARSE, start, "", "",
                     "this is no file that begins with <%.60s>", kind);
    return NULL;
  }
  const rutRegistered* native = rut_registry_find(context, "format", "native");
  if (native && strcmp(name, kind) == 0) return (const rutFormatType*)(const void*)native->type;
  rut_report_error(reporter, RUT_ERR_PARSE, start, "", "",
                   "the first element of a %.60s file must be <%.60s>, not <%.60s>", kind, kind,
                   name);
  return NULL;
}

static rutStatus read_spec(rutContext* context, const char* text, size_t size, const char* name,
                           rutSpec* spec) {
  const rutPlace start = {name, 1, 1};
  rutReporter* reporter = &context->reporter;
  const char* kind = rut_node_kind(spec, rut_spec_root(spec));
  const bool world = strcmp(kind, "world") == 0;
  const rutFormatType* format =
      world ? find_format(context, text, size) : find_reader(context, kind, text, size, start);
  if (!format && !world) return reporter->first.status;
  if (!format) return unknown_format(context, text, size, start);
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

static rutStatus parse_text(rutContext* context, const char* kind, const rutText* in, rutSpec** out,
                            rutError* err) {
  rutSpec* spec;
  rutStatus status = rut_spec_create_root(context, kind, &spec, err);
  if (status != RUT_OK) return status;
  spec->access.any = false;
  // a world from memory may have the name of a folder that does not exist: it then has none
  if (rut_access_add_world(&spec->access, in->name) == ENOMEM) {
    rut_spec_destroy(spec);
    return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  }
  context->reporter.access = &spec->access;
  status = read_spec(context, in->text, in->size, in->name, spec);
  context->reporter.access = NULL;
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
  const rutText file = {text, size, name};
  return rut_spec_parse_as(context, "world", &file, out, err);
}

rutStatus rut_spec_parse_as(rutContext* context, const char* kind, const rutText* text,
                            rutSpec** out, rutError* err) {
  *out = NULL;
  rut_reporter_reset(&context->reporter);
  return parse_text(context, kind, text, out, err);
}

// Note what a file is that was not read, because it is too large for a world.
static void tell_kind(rutContext* context, const char* path) {
  char head[RUT_FILE_KIND_HEAD];
  const size_t size = rut_read_head(path, head, sizeof head);
  const rutFileKind* kind = size ? rut_file_kind(head, size) : NULL;
  const rutPlace place = {path, 0, 0};
  if (kind) rut_report_note(&context->reporter, place, "", "it is %s; %s", kind->what, kind->use);
}

rutStatus rut_spec_load(rutContext* context, const char* path, rutSpec** out, rutError* err) {
  return rut_spec_load_as(context, "world", path, out, err);
}

rutStatus rut_spec_load_as(rutContext* context, const char* kind, const char* path, rutSpec** out,
                           rutError* err) {
  *out = NULL;
  rut_reporter_reset(&context->reporter);
  const rutPlace place = {path, 0, 0};
  char* text;
  size_t size;
  // the file that the user names, wherever it is
  const rutAccess named = {.up = &context->access, .any = true};
  context->reporter.access = &named;
  rutStatus status =
      rut_read_file(path, RUT_SPEC_MAX_FILE, &context->reporter, place, &text, &size);
  context->reporter.access = NULL;
  if (status != RUT_OK) {
    tell_kind(context, path);
    if (err) *err = context->reporter.first;
    return status;
  }
  const rutText in = {text, size, path};
  status = parse_text(context, kind, &in, out, err);
  free(text);
  return status;
}
