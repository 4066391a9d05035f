// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes as a vehicle file of MAVS.
#include "read_as.h"

extern const rutFormatType rut_format_mavs;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz_read_as(&rut_format_mavs, "fuzz.json", data, size);
  return 0;
}
