// SPDX-License-Identifier: BSD-3-Clause
//
// Tyre property files (.tir): [SECTION] lines, KEY = value with comments after $ or !, texts in
// quotes, tables of curves, and a section of units. They set the fields of the tyre component that
// bear the names of the keys.
#ifndef RUT_FORMAT_TIR_H
#define RUT_FORMAT_TIR_H

#include "base/report.h"
#include "rut/component.h"

enum { RUT_TIR_FIELDS = 256, RUT_TIR_POINTS = 32, RUT_TIR_CURVES = 2 };

// A table: deflection [m] and load [N] of each point.
typedef struct rutTirCurve {
  int field;  // of the component, -1 if the file has no such table
  int points;
  double point[2 * RUT_TIR_POINTS];
} rutTirCurve;

typedef struct rutTir {
  bool given[RUT_TIR_FIELDS];  // by the file, for each field of the component
  double number[RUT_TIR_FIELDS];
  rutTirCurve curve[RUT_TIR_CURVES];
} rutTir;

// Parse size bytes into numbers in SI for the fields of `type`, a PAC2002 tyre. What the file does
// not give but its format takes as 0 is given as 0. Errors are reported with line and column, and
// all keys that say nothing to `type` in one warning. Errors: PARSE, CAPACITY.
rutStatus rut_tir_parse(const char* text, size_t size, const char* name, const rutComponent* type,
                        rutReporter* reporter, rutTir* out);
// The same of a file; errors about the file itself are reported at `place`. Errors also: IO,
// MEMORY.
rutStatus rut_tir_load(const char* path, rutPlace place, const rutComponent* type,
                       rutReporter* reporter, rutTir* out);

#endif  // RUT_FORMAT_TIR_H
