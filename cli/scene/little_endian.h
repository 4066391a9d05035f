// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers in frames and logs, whatever the order of bytes is here.
#ifndef RUT_SCENE_LITTLE_ENDIAN_H
#define RUT_SCENE_LITTLE_ENDIAN_H

#include <stdint.h>
#include <string.h>

static inline uint64_t view_get_unsigned(const unsigned char* at, int bytes) {
  uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; i--) value = value << 8 | at[i];
  return value;
}

static inline uint32_t view_get_u32(const unsigned char* at) {
  return (uint32_t)view_get_unsigned(at, 4);
}

static inline float view_get_f32(const unsigned char* at) {
  const uint32_t bits = view_get_u32(at);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline double view_get_f64(const unsigned char* at) {
  const uint64_t bits = view_get_unsigned(at, 8);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline void view_put_f32(unsigned char* at, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(bits >> (8 * i));
}

static inline void view_put_unsigned(unsigned char* at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> (8 * i));
}

static inline void view_put_f64(unsigned char* at, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  view_put_unsigned(at, bits, 8);
}

#endif  // RUT_SCENE_LITTLE_ENDIAN_H
