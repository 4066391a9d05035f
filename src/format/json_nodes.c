// SPDX-License-Identifier: BSD-3-Clause
#include "format/json_nodes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "math/rut_math.h"

#define LARGEST 1e7  // number in a list

rutPlace rut_json_place(const rutJsonMaker* m, const rutJsonValue* value) {
  return (rutPlace){m->file, value->line, value->column};
}

bool rut_json_key_at(const char* text, size_t left, const char* key) {
  const size_t n = strlen(key);
  return left >= n + 2 && text[0] == '"' && memcmp(text + 1, key, n) == 0 && text[n + 1] == '"';
}

// ---- elements ----

rutNode rut_json_add(rutJsonMaker* m, rutNode parent, const char* kind, const char* type,
                     const char* name, rutPlace place) {
  rutError err = {0};
  rutNode node = {0, 0};
  if (rut_node_is_null(parent) || m->nodes > RUT_READER_MAX_NODES) return node;
  if (m->nodes++ == RUT_READER_MAX_NODES) {
    rut_report_error(m->reporter, RUT_ERR_CAPACITY, place, "", "",
                     "the file makes more than 16 million elements");
    return node;
  }
  node = rut_spec_add(m->spec, parent, kind, type, name, &err);
  if (rut_node_is_null(node)) {
    rut_report_error(m->reporter, err.status, place, "", "", "%s", err.message);
  } else {
    rut_node_place(m->spec, node, NULL, place);
  }
  return node;
}

static void check(rutJsonMaker* m, rutStatus status, rutPlace place, const rutError* err) {
  if (status == RUT_OK) return;
  rut_report_error(m->reporter, status, place, err->element, "", "%s", err->message);
}

void rut_json_set_list(rutJsonMaker* m, rutNode node, const char* field, int n, const double* value,
                       rutPlace place) {
  rutError err = {0};
  if (rut_node_is_null(node)) return;
  rut_node_place(m->spec, node, field, place);
  check(m, rut_node_set_numbers(m->spec, node, field, n, value, &err), place, &err);
}

void rut_json_set(rutJsonMaker* m, rutNode node, const char* field, double value, rutPlace place) {
  rut_json_set_list(m, node, field, 1, &value, place);
}

void rut_json_set_text(rutJsonMaker* m, rutNode node, const char* field, const char* text,
                       rutPlace place) {
  rutError err = {0};
  if (rut_node_is_null(node)) return;
  rut_node_place(m->spec, node, field, place);
  check(m, rut_node_set(m->spec, node, field, text, &err), place, &err);
}

void rut_json_set_file(rutJsonMaker* m, rutNode node, const char* field, const char* path,
                       rutPlace place) {
  rutError err = {0};
  const rutPlace nowhere = {0};
  if (rut_node_is_null(node)) return;
  // without a place the name is not seen from the folder of a file
  rut_node_place(m->spec, node, field, nowhere);
  check(m, rut_node_set(m->spec, node, field, path, &err), place, &err);
  rut_node_place(m->spec, node, field, place);
}

// ---- values ----

void rut_json_error(rutJsonMaker* m, const rutJsonValue* value, const char* label,
                    const char* format, ...) {
  char message[400];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  rut_report_error(m->reporter, RUT_ERR_PARSE, rut_json_place(m, value), label, "", "%s", message);
}

void rut_json_warn(rutJsonMaker* m, const rutJsonValue* value, const char* label,
                   const char* format, ...) {
  char message[400];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  rut_report_warning(m->reporter, rut_json_place(m, value), label, "%s", message);
}

const rutJsonValue* rut_json_child(rutJsonMaker* m, const rutJsonValue* object, const char* label,
                                   const char* key, rutJsonKind kind) {
  const rutJsonValue* value = rut_json_find(object, key);
  if (!value || value->kind == kind) return value;
  rut_json_error(m, value, label, "'%.60s' must be %s, not %s", key, rut_json_kind_text(kind),
                 rut_json_kind_text(value->kind));
  return NULL;
}

double rut_json_number(rutJsonMaker* m, const rutJsonValue* object, const char* label,
                       const char* key, rutJsonRange range) {
  const rutJsonValue* value = rut_json_child(m, object, label, key, RUT_JSON_NUMBER);
  if (!value) return range.otherwise;
  if (value->number >= range.least && value->number <= range.most) return value->number;
  rut_json_error(m, value, label, "'%s' is %g; it may be %g to %g", key, value->number, range.least,
                 range.most);
  return range.otherwise;
}

bool rut_json_flag(rutJsonMaker* m, const rutJsonValue* object, const char* label, const char* key,
                   bool otherwise) {
  const rutJsonValue* value = rut_json_child(m, object, label, key, RUT_JSON_BOOLEAN);
  return value ? value->number != 0 : otherwise;
}

const char* rut_json_text(rutJsonMaker* m, const rutJsonValue* object, const char* label,
                          const char* key) {
  const rutJsonValue* value = rut_json_child(m, object, label, key, RUT_JSON_STRING);
  return value ? value->text : "";
}

bool rut_json_numbers(rutJsonMaker* m, const rutJsonValue* list, const char* label, int n,
                      double* out) {
  bool fine = list->kind == RUT_JSON_ARRAY && list->children == n;
  for (const rutJsonValue* item = list->first; fine && item; item = item->next) {
    fine = item->kind == RUT_JSON_NUMBER && rut_abs(item->number) <= LARGEST;
  }
  if (!fine) {
    rut_json_error(m, list, label, "'%.60s' must be a list of %d numbers of at most 1e7", list->key,
                   n);
    return false;
  }
  for (const rutJsonValue* item = list->first; item; item = item->next) *out++ = item->number;
  return true;
}

bool rut_json_list(rutJsonMaker* m, const rutJsonValue* object, const char* label, const char* key,
                   int n, double* out) {
  const rutJsonValue* value = rut_json_find(object, key);
  return value && rut_json_numbers(m, value, label, n, out);
}

void rut_json_check_keys(rutJsonMaker* m, const rutJsonValue* object, const char* label,
                         const char* const* known, int n) {
  for (const rutJsonValue* value = object->first; value; value = value->next) {
    int i = 0;
    while (i < n && strcmp(known[i], value->key) != 0) i++;
    if (i < n || value->key[0] == '_') continue;
    const char* near = rut_suggest(value->key, known, (size_t)n);
    if (near) {
      rut_json_warn(m, value, label, "'%.60s' is not used by rut (did you mean '%s'?)", value->key,
                    near);
    } else {
      rut_json_warn(m, value, label, "'%.60s' is not used by rut", value->key);
    }
  }
}

void rut_json_halt(rutJsonMaker* m) { m->nodes = RUT_READER_MAX_NODES + 1; }

bool rut_json_halted(const rutJsonMaker* m) {
  return m->reporter->errors >= RUT_READER_MAX_ERRORS || m->nodes > RUT_READER_MAX_NODES;
}
