// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes as a vehicle of Project Chrono (JSON), whose parts may stand in it.
#include <stdint.h>

#include "rut/component.h"

extern const rutFormatType rut_format_chrono;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  if (rut_context_create(NULL, &context, NULL) != RUT_OK) return 0;
  // whatever it looks like
  if (rut_spec_create(context, &spec, NULL) == RUT_OK) {
    rut_format_chrono.read(context, (const char*)data, size, "fuzz.json", spec, NULL);
    rut_spec_destroy(spec);
  }
  rut_context_destroy(context);
  return 0;
}
