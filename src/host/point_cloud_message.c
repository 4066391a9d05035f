// SPDX-License-Identifier: BSD-3-Clause
#include "host/point_cloud_message.h"

#include <string.h>

static void put_u8(rutBytes* b, size_t start, uint8_t value) {
  rut_cdr_numbers(b, start, 1, 1, &value);
}

static uint32_t size_of(uint8_t type) {
  if (type == RUT_POINT_UINT8) return 1;
  return type == RUT_POINT_UINT16 || type == RUT_POINT_INT16 ? 2 : 4;
}

void rut_cloud_put_head(rutBytes* bytes, size_t start, int fields, const rutPointField* field,
                        uint32_t size, uint32_t points) {
  rut_cdr_u32(bytes, start, 1);
  rut_cdr_u32(bytes, start, points);
  rut_cdr_u32(bytes, start, (uint32_t)fields);
  uint32_t offset = 0;
  for (int i = 0; i < fields; i++) {
    rut_cdr_text(bytes, start, field[i].name);
    rut_cdr_u32(bytes, start, offset);
    put_u8(bytes, start, field[i].type);
    rut_cdr_u32(bytes, start, 1);
    offset += size_of(field[i].type);
  }
  put_u8(bytes, start, 0);
  rut_cdr_u32(bytes, start, size);
  rut_cdr_u32(bytes, start, size * points);
  rut_cdr_u32(bytes, start, size * points);
}

void rut_cloud_put_f32(rutBytes* bytes, double value) {
  const float number = (float)value;
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  rut_bytes_u32(bytes, bits);
}

void rut_cloud_put_tail(rutBytes* bytes, size_t start) { put_u8(bytes, start, 1); }
