// SPDX-License-Identifier: BSD-3-Clause
//
// ROS map files.
#include "format/ros_map.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rutReporter reporter = {0};
  rutRosMap map;
  (void)rut_is_ros_map((const char*)data, size);
  if (rut_ros_map_parse((const char*)data, size, "fuzz", &reporter, &map) != RUT_OK) return 0;
  uint16_t grey[6] = {0, 50, 100, 150, 200, 255};
  rutImage image = {.width = 3, .height = 2, .max = 255, .grey = grey};
  uint8_t cell[6];
  rut_ros_map_cells(&map, &image, cell);
  return 0;
}
