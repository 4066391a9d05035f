// SPDX-License-Identifier: BSD-3-Clause
#include "scene/frame_read.h"

#include <string.h>

#include "scene/little_endian.h"

enum { SECTION_HEAD = 8, SCAN_HEAD = 8, TILE_HEAD = 16, CURVE_HEAD = 8 };

static size_t padded(size_t size) { return (size + 7) & ~(size_t)7; }

// Bytes of a scan or tile that begins at `at`, 0 if it does not fit into `size`.
static size_t scan_size(const unsigned char* at, size_t size) {
  if (size < SCAN_HEAD || view_get_u32(at + 4) > size / 4) return 0;
  const size_t whole = padded(SCAN_HEAD + 4 * (size_t)view_get_u32(at + 4));
  return whole <= size ? whole : 0;
}

static size_t tile_size(const unsigned char* at, size_t size) {
  if (size < TILE_HEAD || view_get_u32(at + 12) > 4096) return 0;
  const size_t side = view_get_u32(at + 12), whole = padded(TILE_HEAD + 4 * side * side);
  return whole <= size ? whole : 0;
}

// Bytes of what a section holds; SIZE_MAX if it does not fit.
static size_t section_size(uint32_t kind, uint32_t count, const unsigned char* at, size_t size) {
  static const size_t each[] = {[VIEW_SECTION_VEHICLES] = VIEW_VEHICLE_NUMBERS,
                                [VIEW_SECTION_WHEELS] = VIEW_WHEEL_NUMBERS,
                                [VIEW_SECTION_LINKS] = VIEW_LINK_NUMBERS,
                                [VIEW_SECTION_BLOCKS] = VIEW_BLOCK_NUMBERS,
                                [VIEW_SECTION_CONTACTS] = VIEW_CONTACT_NUMBERS};
  size_t used = 0;
  if (kind == VIEW_SECTION_SCANS || kind == VIEW_SECTION_GROUND) {
    for (uint32_t i = 0; i < count; i++) {
      const size_t one = kind == VIEW_SECTION_SCANS ? scan_size(at + used, size - used)
                                                    : tile_size(at + used, size - used);
      if (one == 0) return SIZE_MAX;
      used += one;
    }
    return used;
  }
  if (kind == VIEW_SECTION_CURVES) {
    if (size < CURVE_HEAD || view_get_u32(at + 4) > VIEW_SIGNALS || count > size) return SIZE_MAX;
    used = CURVE_HEAD + count * padded(8 + 4 * (size_t)view_get_u32(at + 4));
  } else {
    if (count > size / 4) return SIZE_MAX;
    used = padded(count * each[kind] * 4);
  }
  return used <= size ? used : SIZE_MAX;
}

bool view_frame_read(const unsigned char* data, size_t size, viewFrame* frame) {
  memset(frame, 0, sizeof *frame);
  if (size < VIEW_FRAME_HEAD || view_get_u32(data) != VIEW_FRAME_MAGIC) return false;
  if (view_get_unsigned(data + 4, 2) != VIEW_FRAME_VERSION) return false;
  const int sections = (int)view_get_unsigned(data + 6, 2);
  frame->time = view_get_f64(data + 8);
  frame->steps = view_get_unsigned(data + 16, 8);
  frame->bits = view_get_u32(data + 28);
  size_t at = VIEW_FRAME_HEAD;
  for (int i = 0; i < sections; i++) {
    if (size - at < SECTION_HEAD) return false;
    const uint32_t kind = view_get_u32(data + at), count = view_get_u32(data + at + 4);
    at += SECTION_HEAD;
    if (kind < VIEW_SECTION_VEHICLES || kind > VIEW_SECTION_CONTACTS) return false;
    const size_t used = section_size(kind, count, data + at, size - at);
    if (used == SIZE_MAX) return false;
    frame->section[kind] = (viewSection){data + at, used, count};
    at += used;
  }
  return true;
}

int view_frame_floats(const viewSection* section, int each, int most, float* out) {
  const int n = section->count < (uint32_t)most ? (int)section->count : most;
  for (int i = 0; i < n * each; i++) out[i] = view_get_f32(section->at + 4 * (size_t)i);
  return n;
}

void view_frame_scans(const viewFrame* frame, const viewShape* shape, float* range, bool* changed) {
  const viewSection* section = &frame->section[VIEW_SECTION_SCANS];
  const unsigned char* at = section->at;
  for (uint32_t i = 0; i < section->count; i++) {
    const uint32_t sensor = view_get_u32(at), rays = view_get_u32(at + 4);
    if (sensor < (uint32_t)shape->sensors) {
      const int first = shape->ray_start[sensor], most = shape->ray_start[sensor + 1] - first;
      for (int k = 0; k < most; k++) {
        range[first + k] = (uint32_t)k < rays ? view_get_f32(at + SCAN_HEAD + 4 * (size_t)k) : -1;
      }
      changed[sensor] = true;
    }
    at += padded(SCAN_HEAD + 4 * (size_t)rays);
  }
}

bool view_frame_tile(const viewFrame* frame, uint32_t index, viewFrameTile* tile) {
  const size_t each = padded(TILE_HEAD + 4 * (size_t)VIEW_TILE_HEIGHTS);
  const viewSection* section = &frame->section[VIEW_SECTION_GROUND];
  // tiles of another size than ours are of another version
  if (section->size != section->count * each) return false;
  const unsigned char* at = section->at + index * each;
  if (view_get_u32(at + 12) != VIEW_TILE_SIDE) return false;
  *tile = (viewFrameTile){(int32_t)view_get_u32(at), (int32_t)view_get_u32(at + 4),
                          view_get_f32(at + 8), at + TILE_HEAD};
  return true;
}
