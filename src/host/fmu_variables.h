// SPDX-License-Identifier: BSD-3-Clause
//
// Variables of an FMU: the fields of a world that are numbers, set points, and signals, all by
// their rows.
#ifndef RUT_HOST_FMU_VARIABLES_H
#define RUT_HOST_FMU_VARIABLES_H

#include "host/signals.h"
#include "rut/fmu.h"

// Where the number of a variable is.
typedef struct rutFmuPlace {
  char* path;   // of the element of a field; owned
  int element;  // of a vector; -1: the field is one number
  int vehicle;  // of a set point
  int index;    // of a set point or signal
} rutFmuPlace;

typedef struct rutFmuEntry {
  rutFmuVariable seen;
  char *name, *unit;  // owned, what `seen` shows
  rutFmuPlace place;
} rutFmuEntry;

// What is chosen, as in rutFmuDef.
typedef struct rutFmuChoice {
  uint64_t seed;
  int outputs, parameters;
  const char* const* output;
  const char* const* parameter;
} rutFmuChoice;

typedef struct rutFmuList {
  rutFmuEntry* entry;
  int n, capacity;
} rutFmuList;

// List them: time, seed, fields, set points, signals. The spec and model must outlive the list.
// Errors: ARGUMENT (a pattern matches nothing), MEMORY. Free it in every case.
rutStatus rut_fmu_list(const rutSpec* spec, const rutModel* model, const rutSignals* signals,
                       const rutFmuChoice* choice, rutFmuList* out, rutError* err);
void rut_fmu_list_free(rutFmuList* list);

#endif  // RUT_HOST_FMU_VARIABLES_H
