// SPDX-License-Identifier: BSD-3-Clause
#include "scene/frame_read.h"

#include <string.h>

enum { SECTION_HEAD = 8, SCAN_HEAD = 8, TILE_HEAD = 16, CURVE_HEAD = 8 };

// Numbers, little-endian.
static uint64_t unsigned_at(const unsigned char* at, int bytes) {
  uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; i--) value = value << 8 | at[i];
  return value;
}
static uint32_t u32(const unsigned char* at) { return (uint32_t)unsigned_at(at, 4); }

static float f32(const unsigned char* at) {
  const uint32_t bits = u32(at);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double f64(const unsigned char* at) {
  const uint64_t bits = unsigned_at(at, 8);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static size_t padded(size_t size) { return (size + 7) & ~(size_t)7; }

// Bytes of a scan or tile that begins at `at`, 0 if it does not fit into `size`.
static size_t scan_size(const unsigned char* at, size_t size) {
  if (size < SCAN_HEAD || u32(at + 4) > size / 4) return 0;
  const size_t whole = padded(SCAN_HEAD + 4 * (size_t)u32(at + 4));
  return whole <= size ? whole : 0;
}

static size_t tile_size(const unsigned char* at, size_t size) {
  if (size < TILE_HEAD || u32(at + 12) > 4096) return 0;
  const size_t side = u32(at + 12), whole = padded(TILE_HEAD + 4 * side * side);
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
    if (size < CURVE_HEAD || u32(at + 4) > VIEW_SIGNALS || count > size) return SIZE_MAX;
    used = CURVE_HEAD + count * padded(8 + 4 * (size_t)u32(at + 4));
  } else {
    if (count > size / 4) return SIZE_MAX;
    used = padded(count * each[kind] * 4);
  }
  return used <= size ? used : SIZE_MAX;
}

bool view_frame_read(const unsigned char* data, size_t size, viewFrame* frame) {
  memset(frame, 0, sizeof *frame);
  if (size < VIEW_FRAME_HEAD || u32(data) != VIEW_FRAME_MAGIC) return false;
  if (unsigned_at(data + 4, 2) != VIEW_FRAME_VERSION) return false;
  const int sections = (int)unsigned_at(data + 6, 2);
  frame->time = f64(data + 8);
  frame->steps = unsigned_at(data + 16, 8);
  frame->bits = u32(data + 28);
  size_t at = VIEW_FRAME_HEAD;
  for (int i = 0; i < sections; i++) {
    if (size - at < SECTION_HEAD) return false;
    const uint32_t kind = u32(data + at), count = u32(data + at + 4);
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
  for (int i = 0; i < n * each; i++) out[i] = f32(section->at + 4 * (size_t)i);
  return n;
}

void view_frame_scans(const viewFrame* frame, const viewShape* shape, float* range, bool* changed) {
  const viewSection* section = &frame->section[VIEW_SECTION_SCANS];
  const unsigned char* at = section->at;
  for (uint32_t i = 0; i < section->count; i++) {
    const uint32_t sensor = u32(at), rays = u32(at + 4);
    if (sensor < (uint32_t)shape->sensors) {
      const int first = shape->ray_start[sensor], most = shape->ray_start[sensor + 1] - first;
      for (int k = 0; k < most; k++) {
        range[first + k] = (uint32_t)k < rays ? f32(at + SCAN_HEAD + 4 * (size_t)k) : -1;
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
  if (u32(at + 12) != VIEW_TILE_SIDE) return false;
  *tile = (viewFrameTile){(int32_t)u32(at), (int32_t)u32(at + 4), f32(at + 8), at + TILE_HEAD};
  return true;
}
