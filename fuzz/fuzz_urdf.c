// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes as a robot description (URDF).
#include "read_as.h"

extern const rutFormatType rut_format_urdf;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz_read_as(&rut_format_urdf, "fuzz.urdf", data, size);
  return 0;
}
