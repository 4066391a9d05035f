// SPDX-License-Identifier: BSD-3-Clause
//
// MRPT grid maps, plain and compressed, and the tables built from their cells.
#include <stdlib.h>
#include <string.h>

#include "format/gridmap.h"
#include "geom/occupancy.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rutReporter reporter = {0};
  rutGridMap map;
  (void)rut_is_gridmap(data, size);
  if (rut_gridmap_decode(data, size, "fuzz", &reporter, &map) != RUT_OK) return 0;
  if ((int64_t)map.nx * map.ny <= 1 << 16) {
    rutOccupancy grid;
    void* block = malloc(rut_occupancy_bytes(map.nx, map.ny));
    if (block) {
      rut_occupancy_init(&grid, map.nx, map.ny, map.resolution, map.origin, block);
      memcpy(grid.cell, map.cell, (size_t)map.nx * (size_t)map.ny);
      rut_occupancy_build(&grid);
      for (int i = 0; i < 16; i++) {
        const rutGridRay ray = {map.origin[0] + i, map.origin[1] + 0.5 * i, i - 8, i % 5 - 2, 1e6};
        (void)rut_occupancy_cast(&grid, &ray, NULL);
      }
    }
    free(block);
  }
  rut_gridmap_free(&map);
  return 0;
}
