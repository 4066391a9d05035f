// SPDX-License-Identifier: BSD-3-Clause
#include "sim/spec/nodes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "sim/spec/colour_value.h"
#include "sim/spec/old_names.h"
#include "sim/spec/store.h"

static const rutNode null_node = {0, 0};

// ---------------------------------------------------------------------------------------------
// Handles

rutSpecNode* rut_spec_node(const rutSpec* spec, rutNode node) {
  if (node.index < 1 || node.index > spec->slots) return NULL;
  rutSpecNode* found = &spec->node[node.index - 1];
  return found->type && found->generation == node.generation ? found : NULL;
}

rutNode rut_spec_handle(const rutSpec* spec, int32_t slot) {
  if (slot < 0) return null_node;
  return (rutNode){slot + 1, spec->node[slot].generation};
}

bool rut_node_is_null(rutNode node) { return node.index == 0; }
rutNode rut_spec_root(const rutSpec* spec) { return rut_spec_handle(spec, 0); }
rutContext* rut_spec_context(const rutSpec* spec) { return spec->context; }
const rutAccess* rut_spec_access(const rutSpec* spec) { return &spec->access; }

const char* rut_node_kind(const rutSpec* spec, rutNode node) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  return n ? n->type->type->kind : "";
}

const char* rut_node_type(const rutSpec* spec, rutNode node) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  return n ? n->type->type->name : "";
}

const char* rut_node_name(const rutSpec* spec, rutNode node) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  return n && n->name ? n->name : "";
}

const rutComponent* rut_node_component(const rutSpec* spec, rutNode node) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  return n ? n->type->type : NULL;
}

rutNode rut_node_parent(const rutSpec* spec, rutNode node) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  return n ? rut_spec_handle(spec, n->parent) : null_node;
}

// First of a chain of siblings that has the kind.
static rutNode first_of_kind(const rutSpec* spec, int32_t slot, const char* kind) {
  while (slot >= 0 && kind && strcmp(spec->node[slot].type->type->kind, kind) != 0) {
    slot = spec->node[slot].next;
  }
  return rut_spec_handle(spec, slot);
}

rutNode rut_node_first(const rutSpec* spec, rutNode parent, const char* kind) {
  const rutSpecNode* n = rut_spec_node(spec, parent);
  return n ? first_of_kind(spec, n->first, kind) : null_node;
}

rutNode rut_node_next(const rutSpec* spec, rutNode node, const char* kind) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  return n ? first_of_kind(spec, n->next, kind) : null_node;
}

int rut_node_count(const rutSpec* spec, rutNode parent, const char* kind) {
  int n = 0;
  for (rutNode node = rut_node_first(spec, parent, kind); !rut_node_is_null(node);
       node = rut_node_next(spec, node, kind)) {
    n++;
  }
  return n;
}

// ---------------------------------------------------------------------------------------------
// Fields

static int field_of(const rutComponent* type, const char* name) {
  // most names differ in the first character
  for (int i = 0; i < type->fields; ++i) {
    const char* other = type->field[i].name;
    if (other[0] == name[0] && strcmp(other, name) == 0) return i;
  }
  return -1;
}

int rut_node_field(const rutSpec* spec, rutNode node, const char* field) {
  const rutComponent* type = rut_node_component(spec, node);
  if (!type) return -1;
  int found = field_of(type, field);
  if (found >= 0) return found;
  const char* other = rut_other_spelling(field);
  if (other) found = field_of(type, other);
  const int old = found < 0 ? rut_old_name(type, field) : -1;
  return old < 0 ? found : field_of(type, rut_present_name(old));
}

rutSpecField* rut_spec_field(const rutSpecNode* node, int field) {
  for (int i = 0; i < rut_spec_fields(node); ++i) {
    if (node->given->field[i].field == field) return &node->given->field[i];
  }
  return NULL;
}

static const rutFieldValue* preset_value(const rutSpecNode* node, int field) {
  const rutPresetInfo* preset = rut_spec_preset(node);
  for (int i = 0; preset && i < preset->preset->values; ++i) {
    if (preset->value[i].field == field) return &preset->value[i].value;
  }
  return NULL;
}

const rutFieldValue* rut_spec_value(const rutSpecNode* node, int field) {
  const rutSpecField* record = rut_spec_field(node, field);
  return record && record->given ? &record->value : preset_value(node, field);
}

rutPlace rut_node_place_of(const rutSpec* spec, rutNode node, const char* field) {
  const rutPlace unknown = {NULL, 0, 0};
  const rutSpecNode* n = rut_spec_node(spec, node);
  if (!n) return unknown;
  if (!field) return n->place;
  const int index = rut_node_field(spec, node, field);
  const rutPlace preset_place = n->given ? n->given->preset_place : unknown;
  if (index < 0) return strcmp(field, "preset") == 0 ? preset_place : unknown;
  const rutSpecField* record = rut_spec_field(n, index);
  if (record) return record->place;
  return preset_value(n, index) ? preset_place : unknown;
}

const char* rut_spec_suggest_field(const rutComponent* type, const char* name) {
  const char* known[RUT_SPEC_MAX_KNOWN];
  size_t n = 0;
  known[n++] = "name";
  for (int i = 0; i < type->fields && n < RUT_SPEC_MAX_KNOWN; ++i) known[n++] = type->field[i].name;
  return rut_suggest(name, known, n);
}

// ---------------------------------------------------------------------------------------------
// Messages

void rut_node_element(const rutSpec* spec, rutNode node, char text[RUT_ELEMENT_TEXT]) {
  const char* type = rut_node_type(spec, node);
  const char* name = rut_node_name(spec, node);
  const char* kind = rut_node_kind(spec, node);
  char attribute[72] = "";
  if (name[0]) {
    snprintf(attribute, sizeof attribute, " name=\"%.60s\"", name);
  } else if (type[0]) {
    snprintf(attribute, sizeof attribute, " type=\"%.60s\"", type);
  }
  snprintf(text, RUT_ELEMENT_TEXT, "<%.20s%s>", kind, attribute);
}

static rutPlace place_of(const rutSpec* spec, rutNode node, const char* field) {
  rutPlace place = rut_node_place_of(spec, node, field);
  if (!place.line && field) place = rut_node_place_of(spec, node, NULL);
  return place;
}

rutStatus rut_node_error(const rutSpec* spec, rutNode node, const char* field, rutStatus status,
                         const char* hint, const char* format, ...) {
  char message[512], element[RUT_ELEMENT_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  rut_node_element(spec, node, element);
  return rut_report_error(&spec->context->reporter, status, place_of(spec, node, field), element,
                          hint, "%s", message);
}

void rut_node_warning(const rutSpec* spec, rutNode node, const char* field, const char* format,
                      ...) {
  char message[512], element[RUT_ELEMENT_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  rut_node_element(spec, node, element);
  rut_report_warning(&spec->context->reporter, place_of(spec, node, field), element, "%s", message);
}

void rut_node_note(const rutSpec* spec, rutNode node, const char* field, const char* format, ...) {
  char message[512], element[RUT_ELEMENT_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  rut_node_element(spec, node, element);
  rut_report_note(&spec->context->reporter, place_of(spec, node, field), element, "%s", message);
}

rutStatus rut_spec_fail(const rutSpec* spec, rutNode node, const char* field, rutError* err,
                        rutStatus status, const char* format, ...) {
  if (!err) return status;
  memset(err, 0, sizeof *err);
  err->status = status;
  const rutPlace place = place_of(spec, node, field);
  err->line = place.line;
  err->column = place.column;
  snprintf(err->file, sizeof err->file, "%s", place.file ? place.file : "");
  if (rut_spec_node(spec, node)) rut_node_element(spec, node, err->element);
  va_list args;
  va_start(args, format);
  vsnprintf(err->message, sizeof err->message, format, args);
  va_end(args);
  return status;
}

rutStatus rut_spec_fail_memory(const rutSpec* spec, rutError* err) {
  return rut_spec_fail(spec, null_node, NULL, err, RUT_ERR_MEMORY, "out of memory");
}
