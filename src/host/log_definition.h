// SPDX-License-Identifier: BSD-3-Clause
//
// Schemas and channels of a log.
#ifndef RUT_HOST_LOG_DEFINITION_H
#define RUT_HOST_LOG_DEFINITION_H

#include "host/log_parts.h"
#include "host/signals.h"

// Definitions in the file, to write equal ones once.
typedef struct rutLogDefinition {
  char* text;  // owned
  char type[RUT_WORD_SIZE];
  int schema;
} rutLogDefinition;
typedef struct rutLogDefinitions {
  rutLogDefinition* list;  // owned
  int n;
} rutLogDefinitions;

void rut_log_definitions_free(rutLogDefinitions* known);

// Schema "rut/msg/Word" of a word, or with a number behind where another definition has that name:
// one that is there, or a new one. Takes the text, which ends with a zero. *schema gets its number.
// Errors: IO, MEMORY.
rutStatus rut_log_define(rutLog* log, rutLogDefinitions* known, const char* word, rutBytes* text,
                         int* schema, rutError* err);
// Add a schema with a given name and text.
rutStatus rut_log_add_schema(rutLog* log, const char* name, const char* text, rutError* err);
// Topic "/ELEMENTtail".
rutStatus rut_log_add_channel(rutLog* log, int schema, const char* element, const char* tail,
                              rutError* err);

#endif  // RUT_HOST_LOG_DEFINITION_H
