// SPDX-License-Identifier: BSD-3-Clause
//
// Values of fields: from text, from numbers, back to text.
#ifndef RUT_SIM_SPEC_FIELDS_H
#define RUT_SIM_SPEC_FIELDS_H

#include "sim/spec/context.h"

enum {
  RUT_FIELD_MESSAGE = 256,          // buffer of the messages below
  RUT_FIELD_MAX_NUMBERS = 1 << 24,  // of one vector or points field
  RUT_FIELD_MAX_WORDS = 64,         // of one choice
  RUT_MAX_UNIT = 32                 // bytes of one unit
};

// Memory of numbers and text comes from the context.
typedef struct rutFieldValue {
  double number;  // scalar; index of a choice
  double* list;   // vector, points; NULL if empty
  int numbers;    // length of the list
  char* text;     // text
} rutFieldValue;

// A field that a preset fills.
typedef struct rutPresetField {
  int field;  // index of its row
  rutFieldValue value;
} rutPresetField;

// Text that grows. Starts as {context}; data is NULL while nothing was written.
typedef struct rutString {
  rutContext* context;
  char* data;
  size_t size, capacity;
  bool failed;  // out of memory; what was written is lost
} rutString;
void rut_string_add(rutString* string, const char* text);
void rut_string_free(rutString* string);

// Read a value as a file gives it. On failure *value is untouched and message says what is wrong,
// to follow the field's name ("must be ..."). Errors: PARSE, MEMORY.
rutStatus rut_field_parse(rutContext* context, const rutField* field, const char* text,
                          rutFieldValue* value, char message[RUT_FIELD_MESSAGE]);
// Take a value from numbers [SI]. The same rules.
rutStatus rut_field_take(rutContext* context, const rutField* field, int n, const double* number,
                         rutFieldValue* value, char message[RUT_FIELD_MESSAGE]);
void rut_field_free(rutContext* context, rutFieldValue* value);
// Write a value so that it reads back to the same bits.
void rut_field_print(const rutField* field, const rutFieldValue* value, rutString* out);
// Unit of number i of a vector; "" for pure numbers. The whole unit where the field is not MIXED.
void rut_field_unit(const rutField* field, int i, char unit[RUT_MAX_UNIT]);
// Length of word i of "a|b|c" and its start; NULL beyond the last.
const char* rut_field_word(const rutField* field, int i, size_t* length);

// A file name of a file field, as seen from the file in which it stands. The caller frees the
// result through the context; NULL if out of memory.
char* rut_field_resolve(rutContext* context, const char* text, const char* standing_in);
// The reverse: name as seen from the folder of `saved`, where there is a way. The same rules.
char* rut_field_relative(rutContext* context, const char* name, const char* saved);
// Copy of a text. The same rules.
char* rut_copy_text(rutContext* context, const char* text);

#endif  // RUT_SIM_SPEC_FIELDS_H
