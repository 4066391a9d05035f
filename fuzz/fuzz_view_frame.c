// SPDX-License-Identifier: BSD-3-Clause
//
// Frames of the viewer, as logs bring them.
#include <stdlib.h>
#include <string.h>

#include "scene/frame_read.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  viewFrame frame;
  if (!view_frame_read(data, size, &frame)) return 0;
  static float out[64 * VIEW_WHEEL_NUMBERS], range[100];
  int start[] = {0, 10, 60, 100};
  bool changed[3] = {false};
  const viewShape shape = {.sensors = 3, .rays = 100, .ray_start = start};
  view_frame_floats(&frame.section[VIEW_SECTION_VEHICLES], VIEW_VEHICLE_NUMBERS, 64, out);
  view_frame_floats(&frame.section[VIEW_SECTION_WHEELS], VIEW_WHEEL_NUMBERS, 64, out);
  view_frame_floats(&frame.section[VIEW_SECTION_LINKS], VIEW_LINK_NUMBERS, 64, out);
  view_frame_floats(&frame.section[VIEW_SECTION_BLOCKS], VIEW_BLOCK_NUMBERS, 64, out);
  view_frame_floats(&frame.section[VIEW_SECTION_CONTACTS], VIEW_CONTACT_NUMBERS, 64, out);
  view_frame_scans(&frame, &shape, range, changed);
  unsigned sum = 0;
  for (uint32_t i = 0; i < frame.section[VIEW_SECTION_GROUND].count; i++) {
    viewFrameTile tile;
    if (!view_frame_tile(&frame, i, &tile)) break;
    for (int k = 0; k < 4 * VIEW_TILE_HEIGHTS; k++) sum += tile.height[k];
  }
  // keeps the reads
  if (sum == 0xffffffffu) abort();
  return 0;
}
