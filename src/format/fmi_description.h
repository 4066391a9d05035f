// SPDX-License-Identifier: BSD-3-Clause
//
// Reads modelDescription.xml of an FMU (FMI 2.0, section 2.2; FMI 3.0, section 2.4): what it takes
// to run it in co-simulation. Of what is not needed only the form is checked.
#ifndef RUT_FORMAT_FMI_DESCRIPTION_H
#define RUT_FORMAT_FMI_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rut/rut.h"

// Types of variables; enumerations of FMI 2 are RUT_FMI_INT32, those of FMI 3 RUT_FMI_INT64.
typedef enum rutFmiType {
  RUT_FMI_FLOAT64,
  RUT_FMI_FLOAT32,
  RUT_FMI_INT8,
  RUT_FMI_UINT8,
  RUT_FMI_INT16,
  RUT_FMI_UINT16,
  RUT_FMI_INT32,
  RUT_FMI_UINT32,
  RUT_FMI_INT64,
  RUT_FMI_UINT64,
  RUT_FMI_BOOLEAN,
  RUT_FMI_STRING,
  RUT_FMI_OTHER  // binaries, clocks
} rutFmiType;

typedef enum rutFmiCausality {
  RUT_FMI_LOCAL,
  RUT_FMI_PARAMETER,
  RUT_FMI_INPUT,
  RUT_FMI_OUTPUT,
  RUT_FMI_INDEPENDENT
} rutFmiCausality;

typedef struct rutFmiVariable {
  char* name;  // owned
  uint32_t reference;
  rutFmiType type;
  rutFmiCausality causality;
  bool array;
} rutFmiVariable;

typedef struct rutFmiDescription {
  int version;           // 2 or 3
  char identifier[128];  // of the library: a name of C
  char token[512];       // guid or instantiationToken
  int n;
  rutFmiVariable* variable;  // [n]
} rutFmiDescription;

// Errors: PARSE (not well formed; no description; without co-simulation; names, references or types
// that are none), VERSION (of FMI), MEMORY. Free it in every case. Nullable: err.
rutStatus rut_fmi_description_parse(const char* text, size_t size, rutFmiDescription* out,
                                    rutError* err);
void rut_fmi_description_free(rutFmiDescription* description);
// Index of a variable by its name, -1 if there is none.
int rut_fmi_description_find(const rutFmiDescription* description, const char* name);

#endif  // RUT_FORMAT_FMI_DESCRIPTION_H
