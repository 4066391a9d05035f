// SPDX-License-Identifier: BSD-3-Clause
//
// What an FMU holds beside its world: the file fmu.txt in its resources, a line for each setting.
#ifndef RUT_HOST_FMU_SETTINGS_H
#define RUT_HOST_FMU_SETTINGS_H

#include "host/bytes.h"
#include "host/fmu_variables.h"

#define RUT_FMU_WORLD    "world.xml"
#define RUT_FMU_SETTINGS "fmu.txt"
enum { RUT_FMU_TOKEN = 40 };

typedef struct rutFmuSettings {
  char token[RUT_FMU_TOKEN];
  rutFmuChoice choice;  // its patterns point into `pattern`
  char* text;           // owned
  const char** pattern;
} rutFmuSettings;

// Write the file.
void rut_fmu_settings_write(const char* token, const rutFmuChoice* choice, rutBytes* out);
// Read it from the resources of an FMU. Errors: IO, PARSE, MEMORY. Free it in every case.
rutStatus rut_fmu_settings_read(const char* folder, rutFmuSettings* out, rutError* err);
// The same from memory, which it changes and takes over.
rutStatus rut_fmu_settings_parse(char* text, rutFmuSettings* out, rutError* err);
void rut_fmu_settings_free(rutFmuSettings* settings);

#endif  // RUT_HOST_FMU_SETTINGS_H
