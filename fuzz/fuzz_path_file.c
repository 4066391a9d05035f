// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes as a path: a replay (.vprp) or waypoints of MAVS.
#include <stdint.h>

#include "format/path_file.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rutReporter reporter = {0};
  rutPathPoints points;
  if (rut_path_parse((const char*)data, size, "fuzz.vprp", &reporter, &points) == RUT_OK) {
    rut_path_points_free(&points);
  }
  return 0;
}
