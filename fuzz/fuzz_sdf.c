// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes as a model or world of Gazebo (SDF). What stands behind a zero byte is the model m that it
// may include.
#define _XOPEN_SOURCE 700  // for mkdtemp
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "read_as.h"

extern const rutFormatType rut_format_sdf;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static const char wheel[] =
    "<sdf version='1.9'><model name='w'><link "
    "name='l'><inertial><mass>1</mass></inertial><collision "
    "name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link></model>"
    "</sdf>";

static void write_model(const char* folder, const char* name, const void* bytes, size_t size) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  mkdir(path, 0700);
  snprintf(path, sizeof path, "%s/%s/model.sdf", folder, name);
  FILE* out = fopen(path, "wb");
  if (!out || (size && fwrite(bytes, size, 1, out) != 1) || fclose(out) != 0) abort();
}

// A folder of models that stays for the whole run.
static const char* place(void) {
  static char folder[64];
  if (folder[0]) return folder;
  snprintf(folder, sizeof folder, "/tmp/rut_fuzz_sdf_XXXXXX");
  if (!mkdtemp(folder)) abort();
  write_model(folder, "w", wheel, sizeof wheel - 1);
  return folder;
}

// A context that knows the folder of models.
static rutContext* context_of_models(void) {
  static rutContext* context = NULL;
  if (context) return context;
  if (rut_context_create(NULL, &context, NULL) != RUT_OK) return NULL;
  rut_context_add_models(context, place(), NULL);
  return context;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const uint8_t* zero = size ? memchr(data, 0, size) : NULL;
  if (!zero) {
    fuzz_read_as(&rut_format_sdf, "fuzz.sdf", data, size);
    return 0;
  }
  const size_t first = (size_t)(zero - data);
  rutSpec* spec = NULL;
  rutContext* context = context_of_models();
  if (!context) return 0;
  write_model(place(), "m", zero + 1, size - first - 1);
  rut_spec_parse(context, (const char*)data, first, "fuzz.sdf", &spec, NULL);
  rut_spec_destroy(spec);
  return 0;
}
