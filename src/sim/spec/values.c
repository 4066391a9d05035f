// SPDX-License-Identifier: BSD-3-Clause
//
// Fields of the nodes of a spec: where they stand in a file, their values, and whether all that are
// needed are there and in order.
#include "sim/spec/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/model_path.h"
#include "base/suggest.h"
#include "math/rut_math.h"
#include "sim/spec/colour_value.h"
#include "sim/spec/nodes.h"
#include "sim/spec/old_names.h"
#include "sim/spec/presets.h"
#include "sim/spec/registry.h"
#include "sim/spec/spec.h"
#include "sim/spec/store.h"

enum { MAX_FILES = 100000 };

// ---------------------------------------------------------------------------------------------
// Places

// The spec's own copy of a file name, NULL if out of memory.
static const char* keep_file(rutSpec* spec, const char* file) {
  for (int i = spec->files - 1; i >= 0; --i) {
    if (strcmp(spec->file[i], file) == 0) return spec->file[i];
  }
  if (spec->files == MAX_FILES) return NULL;
  if (spec->files == spec->file_capacity) {
    const int capacity = spec->file_capacity ? 2 * spec->file_capacity : 4;
    char** grown = rut_context_grow(spec->context, spec->file, (size_t)spec->files * sizeof *grown,
                                    (size_t)capacity * sizeof *grown);
    if (!grown) return NULL;
    spec->file = grown;
    spec->file_capacity = capacity;
  }
  char* copy = rut_copy_text(spec->context, file);
  if (copy) spec->file[spec->files++] = copy;
  return copy;
}

// Record of a field, made if there is none. NULL if out of memory.
static rutSpecField* open_field(rutSpec* spec, rutSpecNode* node, int field) {
  const bool is_there = rut_spec_field(node, field) != NULL;
  rutSpecGiven* given = rut_spec_open_given(spec, node, is_there ? 0 : 1);
  if (!given) return NULL;
  if (is_there) return rut_spec_field(node, field);
  given->field[given->fields] = (rutSpecField){.field = field};
  return &given->field[given->fields++];
}

void rut_node_place(rutSpec* spec, rutNode node, const char* field, rutPlace place) {
  rutSpecNode* n = rut_spec_node(spec, node);
  if (!n) return;
  place.file = place.file ? keep_file(spec, place.file) : NULL;
  if (!field) {
    n->place = place;
    return;
  }
  const int index = rut_node_field(spec, node, field);
  rutSpecField* record = index >= 0 ? open_field(spec, n, index) : NULL;
  if (record) record->place = place;
  if (index >= 0 || !rut_is_preset(n->type->type, field)) return;
  rutSpecGiven* given = rut_spec_open_given(spec, n, 0);
  if (given) given->preset_place = place;
}

// ---------------------------------------------------------------------------------------------
// Setting fields

static rutStatus unknown_field(const rutSpec* spec, rutNode node, const rutComponent* type,
                               const char* field, rutError* err) {
  char element[RUT_ELEMENT_TEXT];
  rut_node_element(spec, node, element);
  bool typed;
  if (rut_registry_has_kind(spec->context, field, &typed) &&
      rut_registry_suggest_kind(spec->context, field, type->kind)) {
    return rut_spec_fail(spec, node, NULL, err, RUT_ERR_PARSE,
                         "%s has no field '%.60s'; it is an element: write <%.60s .../> inside",
                         element, field, field);
  }
  const char* nearest = rut_spec_suggest_field(type, field);
  return rut_spec_fail(
      spec, node, NULL, err, RUT_ERR_PARSE,
      nearest ? "%s has no field '%.60s'; did you mean '%s'?" : "%s has no field '%.60s'%s",
      element, field, nearest ? nearest : "");
}

// Text of a field as stored: file names are seen from the file in which they stand.
static rutStatus parse_field(rutSpec* spec, const rutField* field, const rutSpecField* record,
                             const char* text, rutFieldValue* value,
                             char message[RUT_FIELD_MESSAGE]) {
  if (field->type != RUT_TEXT || strcmp(field->unit, "file") != 0 || !record->place.file) {
    return rut_field_parse(spec->context, field, text, value, message);
  }
  char* name = rut_field_resolve(spec->context, text, record->place.file);
  if (!name) {
    snprintf(message, RUT_FIELD_MESSAGE, "does not fit into memory");
    return RUT_ERR_MEMORY;
  }
  rut_context_free(spec->context, value->text);
  value->text = name;
  return RUT_OK;
}

// Find the record that a setter fills, NULL with err filled if there cannot be one.
static rutSpecField* settable(rutSpec* spec, rutNode node, const char* field, const rutField** row,
                              rutError* err, rutStatus* status) {
  rutSpecNode* n = rut_spec_node(spec, node);
  if (!n) {
    *status = rut_error_set(err, RUT_ERR_ARGUMENT, "the node of field '%.60s' was removed", field);
    return NULL;
  }
  const int index = rut_node_field(spec, node, field);
  if (index < 0) {
    *status = unknown_field(spec, node, n->type->type, field, err);
    return NULL;
  }
  *row = &n->type->type->field[index];
  rutSpecField* record = open_field(spec, n, index);
  if (!record) *status = rut_spec_fail_memory(spec, err);
  return record;
}

// Report each old name of a field once.
static void note_old_name(rutSpec* spec, rutNode node, const char* field, const rutField* row) {
  const int old = rut_old_name(rut_node_component(spec, node), field);
  if (strcmp(field, row->name) == 0 || old < 0) return;
  const uint64_t bit = 1ull << old;
  if (spec->old_names & bit) return;
  spec->old_names |= bit;
  rut_node_note(spec, node, row->name, "'%s' is the old name of '%s'", field, row->name);
}

rutStatus rut_node_set(rutSpec* spec, rutNode node, const char* field, const char* text,
                       rutError* err) {
  rutSpecNode* n = rut_spec_node(spec, node);
  if (n && strcmp(field, "name") == 0) return rut_spec_rename(spec, node, text, err);
  if (n && rut_is_preset(n->type->type, field)) return rut_preset_choose(spec, node, text, err);
  rutStatus status = RUT_OK;
  const rutField* row = NULL;
  rutSpecField* record = settable(spec, node, field, &row, err, &status);
  if (!record) return status;
  note_old_name(spec, node, field, row);
  char message[RUT_FIELD_MESSAGE], colour[RUT_COLOUR_TEXT];
  text = rut_colour_text(row, text, colour);
  status = parse_field(spec, row, record, text, &record->value, message);
  if (status != RUT_OK) {
    return rut_spec_fail(spec, node, field, err, status, "'%s' %s", row->name, message);
  }
  record->given = true;
  return RUT_OK;
}

rutStatus rut_node_set_numbers(rutSpec* spec, rutNode node, const char* field, int n,
                               const double* value, rutError* err) {
  rutStatus status = RUT_OK;
  const rutField* row = NULL;
  rutSpecField* record = settable(spec, node, field, &row, err, &status);
  if (!record) return status;
  char message[RUT_FIELD_MESSAGE];
  status = rut_field_take(spec->context, row, n, value, &record->value, message);
  if (status != RUT_OK) {
    return rut_spec_fail(spec, node, field, err, status, "'%s' %s", row->name, message);
  }
  record->given = true;
  return RUT_OK;
}

rutStatus rut_node_set_number(rutSpec* spec, rutNode node, const char* field, double value,
                              rutError* err) {
  return rut_node_set_numbers(spec, node, field, 1, &value, err);
}

// ---------------------------------------------------------------------------------------------
// Reading fields

// Value of a field that was given or comes from a preset, else NULL; *row and *info get what the
// type says, NULL if there is no such field.
static const rutFieldValue* value_of(const rutSpec* spec, rutNode node, const char* field,
                                     const rutField** row, const rutFieldInfo** info) {
  *row = NULL;
  *info = NULL;
  const rutSpecNode* n = rut_spec_node(spec, node);
  const int index = n ? rut_node_field(spec, node, field) : -1;
  if (index < 0) return NULL;
  *row = &n->type->type->field[index];
  *info = &n->type->field[index];
  return rut_spec_value(n, index);
}

static bool is_scalar(const rutField* row) {
  return row->type == RUT_REAL || row->type == RUT_INTEGER || row->type == RUT_BOOLEAN ||
         row->type == RUT_CHOICE;
}

// Name of a node's preset, "" for none.
static const char* preset_of(const rutSpec* spec, rutNode node) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  const rutPresetInfo* preset = n ? rut_spec_preset(n) : NULL;
  return preset ? preset->preset->name : "";
}

bool rut_node_has(const rutSpec* spec, rutNode node, const char* field) {
  const rutField* row;
  const rutFieldInfo* info;
  if (strcmp(field, "name") == 0) return rut_node_name(spec, node)[0] != '\0';
  const bool given = value_of(spec, node, field, &row, &info) != NULL;
  if (!row && strcmp(field, "preset") == 0) return preset_of(spec, node)[0] != '\0';
  return given;
}

double rut_node_number(const rutSpec* spec, rutNode node, const char* field) {
  const rutField* row;
  const rutFieldInfo* info;
  const rutFieldValue* value = value_of(spec, node, field, &row, &info);
  if (!row || !is_scalar(row)) return RUT_NAN;
  return value ? value->number : row->def;
}

const double* rut_node_numbers(const rutSpec* spec, rutNode node, const char* field, int* n) {
  const rutField* row;
  const rutFieldInfo* info;
  const rutFieldValue* value = value_of(spec, node, field, &row, &info);
  *n = 0;
  if (!row || row->type == RUT_TEXT) return NULL;
  if (is_scalar(row)) {
    *n = 1;
    return value ? &value->number : &row->def;
  }
  *n = value ? value->numbers : info->numbers;
  return value ? value->list : info->number;
}

const char* rut_node_text(const rutSpec* spec, rutNode node, const char* field) {
  const rutField* row;
  const rutFieldInfo* info;
  const rutFieldValue* value = value_of(spec, node, field, &row, &info);
  if (!row && strcmp(field, "preset") == 0) return preset_of(spec, node);
  if (!row) return strcmp(field, "name") == 0 ? rut_node_name(spec, node) : "";
  if (row->type == RUT_TEXT) return value ? value->text : row->text;
  if (row->type != RUT_CHOICE) return "";
  const char* word = info->word;
  for (int i = (int)(value ? value->number : row->def); i > 0; --i) word += strlen(word) + 1;
  return word;
}

int rut_node_params(const rutSpec* spec, rutNode node, int capacity, double* param) {
  const rutSpecNode* n = rut_spec_node(spec, node);
  if (!n) return 0;
  const rutComponent* type = n->type->type;
  int used = type->fields;
  for (int i = 0; i < type->fields; ++i) {
    const rutField* field = &type->field[i];
    if (i < capacity) param[i] = is_scalar(field) ? field->def : RUT_NAN;
    if (field->type != RUT_VECTOR && field->type != RUT_POINTS) continue;
    // numbers stand behind the fields, after their count
    int count = 0;
    const double* value = rut_node_numbers(spec, node, field->name, &count);
    if (used + 1 + count <= capacity) {
      param[i] = used;
      param[used] = count;
      for (int k = 0; k < count; ++k) param[used + 1 + k] = value[k];
    }
    used += 1 + count;
  }
  const rutPresetInfo* preset = rut_spec_preset(n);
  for (int i = 0; preset && i < preset->preset->values; ++i) {
    const rutPresetField* filled = &preset->value[i];
    if (filled->field < capacity && is_scalar(&type->field[filled->field])) {
      param[filled->field] = filled->value.number;
    }
  }
  for (int i = 0; i < rut_spec_fields(n); ++i) {
    const rutSpecField* record = &n->given->field[i];
    if (record->given && record->field < capacity && is_scalar(&type->field[record->field])) {
      param[record->field] = record->value.number;
    }
  }
  return used;
}

// ---------------------------------------------------------------------------------------------
// Checking

static rutStatus check_required(const rutSpec* spec, rutNode node, const rutSpecNode* n) {
  const rutComponent* type = n->type->type;
  rutStatus first = RUT_OK;
  for (int i = 0; i < type->fields; ++i) {
    if (!(type->field[i].flags & RUT_FIELD_REQUIRED)) continue;
    if (rut_spec_value(n, i)) continue;
    char element[RUT_ELEMENT_TEXT];
    rut_node_element(spec, node, element);
    const rutStatus status =
        rut_node_error(spec, node, NULL, RUT_ERR_MODEL, "", "%s needs '%s': %s", element,
                       type->field[i].name, type->field[i].doc);
    if (first == RUT_OK) first = status;
  }
  return first;
}

static rutStatus check_rules(const rutSpec* spec, rutNode node, const rutComponent* type) {
  if (!type->check) return RUT_OK;
  const int numbers = rut_node_params(spec, node, 0, NULL);
  double* param = rut_context_alloc(spec->context, (size_t)(numbers + 1) * sizeof *param, 16);
  if (!param) return rut_node_error(spec, node, NULL, RUT_ERR_MEMORY, "", "out of memory");
  rut_node_params(spec, node, numbers, param);
  rutError err = {0};
  rutStatus status = type->check(param, &err);
  rut_context_free(spec->context, param);
  if (status != RUT_OK) {
    status = rut_node_error(spec, node, NULL, status, "", "%s",
                            err.message[0] ? err.message : rut_status_text(status));
  }
  return status;
}

// Names that were checked: many elements often name the same few files.
typedef struct KnownFiles {
  const char* name[16];
  int next;
} KnownFiles;

static bool is_known(const KnownFiles* known, const char* name) {
  for (int i = 0; i < RUT_COUNT_OF(known->name); ++i) {
    if (known->name[i] && strcmp(known->name[i], name) == 0) return true;
  }
  return false;
}

// A file that is only displayed, or is missing, does not prevent a run.
static rutStatus tell_outside(const rutSpec* spec, rutNode node, const rutField* field,
                              const char* name, bool is_there) {
  char message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
  rut_input_explain(RUT_INPUT_OUTSIDE, name, 0, message, hint);
  if (!(field->flags & RUT_FIELD_PICTURE)) {
    return rut_node_error(spec, node, field->name, RUT_ERR_IO, hint, "%s", message);
  }
  if (is_there) {
    rut_node_warning(spec, node, field->name, "%s and is not shown%s%s", message,
                     hint[0] ? "; " : "", hint);
  }
  return RUT_OK;
}

// Code of a stranger's is run only where the user allows it.
static rutStatus check_code(const rutSpec* spec, rutNode node, const rutField* field,
                            const char* name) {
  if (!(field->flags & RUT_FIELD_CODE) || spec->context->allows_code) return RUT_OK;
  return rut_node_error(spec, node, field->name, RUT_ERR_MODEL,
                        "rut run --allow-fmu allows it, if you trust the file",
                        "code in '%.300s' would be run, with all rights of yours", name);
}

static rutStatus check_files_of(const rutSpec* spec, rutNode node, const rutSpecNode* n,
                                KnownFiles* known) {
  rutStatus first = RUT_OK;
  for (int i = 0; i < rut_spec_fields(n); ++i) {
    const rutSpecField* record = &n->given->field[i];
    const rutField* field = &n->type->type->field[record->field];
    if (field->type != RUT_TEXT || strcmp(field->unit, "file") != 0 || !record->given) continue;
    const char* name = record->value.text;
    const rutStatus code = name[0] ? check_code(spec, node, field, name) : RUT_OK;
    if (first == RUT_OK) first = code;
    // what is elsewhere, "http://...", is never fetched
    if (!name[0] || strstr(name, "://") || is_known(known, name)) continue;
    known->name[known->next] = name;
    known->next = (known->next + 1) % RUT_COUNT_OF(known->name);
    char* real = NULL;
    bool allowed = rut_access_allows(&spec->access, name, &real);
    if (!allowed && !real) {
      char* model = rut_model_find(&spec->access, name);
      allowed = model != NULL;
      free(model);
    }
    if (!allowed) {
      const rutStatus status = tell_outside(spec, node, field, name, real != NULL);
      if (first == RUT_OK) first = status;
    }
    free(real);
  }
  return first;
}

rutStatus rut_spec_check_files(const rutSpec* spec) {
  KnownFiles known = {0};
  rutStatus first = RUT_OK;
  for (int32_t slot = 0; slot < spec->slots; ++slot) {
    if (!spec->node[slot].type) continue;
    const rutStatus status =
        check_files_of(spec, rut_spec_handle(spec, slot), &spec->node[slot], &known);
    if (first == RUT_OK) first = status;
  }
  return first;
}

rutStatus rut_spec_check(const rutSpec* spec) {
  rutStatus first = RUT_OK;
  for (int32_t slot = 0; slot < spec->slots; ++slot) {
    if (!spec->node[slot].type) continue;
    const rutNode node = rut_spec_handle(spec, slot);
    rutStatus status = check_required(spec, node, &spec->node[slot]);
    if (status == RUT_OK) status = check_rules(spec, node, spec->node[slot].type->type);
    if (first == RUT_OK) first = status;
  }
  return first;
}
