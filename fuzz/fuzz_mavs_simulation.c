// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes as a simulation file of MAVS.
#include <stdint.h>

#include "rut/component.h"

extern const rutFormatType rut_format_mavs_simulation;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  if (rut_context_create(NULL, &context, NULL) != RUT_OK) return 0;
  // whatever it looks like; without a reporter's rights no file is read
  if (rut_spec_create(context, &spec, NULL) == RUT_OK) {
    rut_format_mavs_simulation.read(context, (const char*)data, size, "fuzz.json", spec, NULL);
    rut_spec_destroy(spec);
  }
  rut_context_destroy(context);
  return 0;
}
