// SPDX-License-Identifier: BSD-3-Clause
#include "sim/spec/variables.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"

enum { MAX_WORD = 64, MAX_UNIT_TEXT = 64 };
static const double LARGEST_DIMENSION = 1 << 24;

// Value of a factor of a word, -1 if it has none.
static double factor(const rutComponent* type, const double* param, rutShapeCounts counts,
                     const char* word) {
  if (word[0] >= '0' && word[0] <= '9') {
    double value = 0;
    for (const char* c = word; *c; c++) {
      if (*c < '0' || *c > '9') return -1;
      value = 10 * value + (*c - '0');
    }
    return value;
  }
  if (strcmp(word, "wheels") == 0) return counts.wheels;
  if (strcmp(word, "inputs") == 0) return counts.inputs;
  for (int i = 0; i < type->fields; i++) {
    const rutField* field = &type->field[i];
    const bool whole = field->type == RUT_INTEGER || field->type == RUT_BOOLEAN;
    if (!whole || strcmp(field->name, word) != 0) continue;
    return param ? param[i] : field->def;
  }
  return -1;
}

// Value of a word of a shape, which it overwrites: a product of factors. -1 if it has none.
static double dimension(const rutComponent* type, const double* param, rutShapeCounts counts,
                        char* word) {
  double product = 1;
  for (char* at = word; at;) {
    char* star = strchr(at, '*');
    if (star) *star++ = '\0';
    const double value = factor(type, param, counts, at);
    if (value < 0) return -1;
    product *= value;
    at = star;
  }
  return product;
}

bool rut_variable_resolve(const rutComponent* type, const double* param, rutShapeCounts counts,
                          const rutVariable* variable, rutVariableInfo* out) {
  const char* shape = variable->shape ? variable->shape : "";
  *out = (rutVariableInfo){.name = variable->name,
                           .unit = variable->unit,
                           .frame = variable->frame ? variable->frame : "",
                           .doc = variable->doc,
                           .part = type->kind,
                           .type = variable->type,
                           .count = 1};
  double count = 1;
  for (const char* at = shape + strspn(shape, " "); *at;) {
    char word[MAX_WORD];
    const size_t length = strcspn(at, " ");
    if (length >= sizeof word || out->dimensions == RUT_MAX_DIMENSIONS) return false;
    memcpy(word, at, length);
    word[length] = '\0';
    const double size = dimension(type, param, counts, word);
    count *= size;
    if (!(size >= 0) || !(count <= LARGEST_DIMENSION)) return false;
    out->size[out->dimensions++] = (int)size;
    at += length;
    at += strspn(at, " ");
  }
  out->count = (int)count;
  return true;
}

int rut_variables_count(const rutComponent* type, const double* param, rutShapeCounts counts, int n,
                        const rutVariable* variable) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    rutVariableInfo info;
    rut_variable_resolve(type, param, counts, &variable[i], &info);
    count += info.count;
  }
  return count;
}

// Variables that a descriptor lists.
typedef struct Rows {
  const rutVariable* row;
  int n;
} Rows;

static Rows outputs_of(const rutComponent* type) {
  const void* t = type;
  const rutTyreType* tyre = t;
  const rutDriveType* drive = t;
  const rutControllerType* controller = t;
  const rutSensorType* sensor = t;
  if (!type->name[0]) return (Rows){NULL, 0};
  if (strcmp(type->kind, "tyre") == 0) return (Rows){tyre->output, tyre->outputs};
  if (strcmp(type->kind, "drive") == 0) return (Rows){drive->output, drive->outputs};
  if (strcmp(type->kind, "sensor") == 0) return (Rows){sensor->output, sensor->outputs};
  if (strcmp(type->kind, "controller") == 0) {
    return (Rows){controller->output, controller->outputs};
  }
  return (Rows){NULL, 0};
}

static Rows commands_of(const rutComponent* type) {
  const void* t = type;
  const rutControllerType* controller = t;
  if (!type->name[0] || strcmp(type->kind, "controller") != 0) return (Rows){NULL, 0};
  return (Rows){controller->command, controller->commands};
}

const rutVariable* rut_component_variables(const rutComponent* type, rutRole role, int* n) {
  const Rows rows = role == RUT_OUTPUT    ? outputs_of(type)
                    : role == RUT_COMMAND ? commands_of(type)
                                          : (Rows){type->state, type->states};
  *n = rows.n;
  return rows.row;
}

size_t rut_number_size(rutNumberType type) {
  static const size_t size[] = {
      [RUT_F64] = 8, [RUT_F32] = 4, [RUT_U8] = 1, [RUT_U16] = 2, [RUT_I32] = 4};
  return size[type];
}

static bool is_name(const char* text) {
  return text && text[0] >= 'a' && text[0] <= 'z' &&
         text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

static bool unit_is_known(const char* unit) {
  char text[MAX_UNIT_TEXT + 4], message[160];
  double value;
  const char* end;
  if (!unit[0]) return true;
  if (strlen(unit) > MAX_UNIT_TEXT) return false;
  snprintf(text, sizeof text, "1 %s", unit);
  return rut_parse_quantity(text, unit, &value, &end, message) && !*end;
}

static bool frame_is_known(const char* frame) {
  static const char* const known[] = {"", "world", "vehicle", "wheel", "sensor"};
  for (int i = 0; i < RUT_COUNT_OF(known); i++) {
    if (strcmp(frame, known[i]) == 0) return true;
  }
  return false;
}

static const char* fault_of(const rutComponent* type, const rutVariable* v) {
  rutVariableInfo info;
  if (!is_name(v->name)) return "has no proper name (small letters, digits, '_')";
  if (!v->unit || !v->doc) return "has no unit or no sentence";
  if (v->type < RUT_F64 || v->type > RUT_I32) return "has an unknown number type";
  if (!unit_is_known(v->unit)) return "has a bad unit";
  if (v->frame && !frame_is_known(v->frame)) return "has an unknown frame";
  if (!rut_variable_resolve(type, NULL, (rutShapeCounts){0, 0}, v, &info)) return "has a bad shape";
  return NULL;
}

const char* rut_variables_fault(const rutComponent* type, int n, const rutVariable* variable,
                                int* at) {
  *at = 0;
  if (n < 0 || (n > 0 && !variable)) return "is missing";
  for (int i = 0; i < n; i++) {
    *at = i;
    const char* fault = fault_of(type, &variable[i]);
    if (fault) return fault;
    for (int j = 0; j < i; j++) {
      if (strcmp(variable[j].name, variable[i].name) == 0) return "stands there twice";
    }
  }
  return NULL;
}
