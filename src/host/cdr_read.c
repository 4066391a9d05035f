// SPDX-License-Identifier: BSD-3-Clause
#include "host/cdr_read.h"

#include <string.h>

rutCdr rut_cdr_of(const void* bytes, size_t size) {
  const unsigned char* b = bytes;
  if (size < 4 || b[0] != 0 || b[1] > 1) return (rutCdr){.failed = true};
  return (rutCdr){.bytes = b + 4, .size = size - 4, .big = b[1] == 0};
}

// Bytes of a number, NULL if there are none.
static const unsigned char* take(rutCdr* cdr, size_t size, size_t alignment) {
  const size_t at = (cdr->at + alignment - 1) / alignment * alignment;
  if (cdr->failed || at > cdr->size || size > cdr->size - at) {
    cdr->failed = true;
    return NULL;
  }
  cdr->at = at + size;
  return cdr->bytes + at;
}

static uint64_t number(rutCdr* cdr, size_t size) {
  const unsigned char* b = take(cdr, size, size);
  uint64_t value = 0;
  for (size_t i = 0; b && i < size; i++) value = value << 8 | b[cdr->big ? i : size - 1 - i];
  return value;
}

uint8_t rut_cdr_get_u8(rutCdr* cdr) { return (uint8_t)number(cdr, 1); }
uint32_t rut_cdr_get_u32(rutCdr* cdr) { return (uint32_t)number(cdr, 4); }
uint64_t rut_cdr_get_u64(rutCdr* cdr) { return number(cdr, 8); }

double rut_cdr_get_f32(rutCdr* cdr) {
  const uint32_t bits = rut_cdr_get_u32(cdr);
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

double rut_cdr_get_f64(rutCdr* cdr) {
  const uint64_t bits = rut_cdr_get_u64(cdr);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// A text without its zero, which some leave out of an empty one. *length gets its bytes.
static const char* text(rutCdr* cdr, size_t* length) {
  const uint32_t size = rut_cdr_get_u32(cdr);
  const unsigned char* b = take(cdr, size, 1);
  *length = 0;
  if (!b || size == 0) return "";
  if (b[size - 1] != '\0') cdr->failed = true;
  *length = strnlen((const char*)b, size);
  return cdr->failed ? "" : (const char*)b;
}

void rut_cdr_get_text(rutCdr* cdr, char* out, size_t size) {
  size_t length;
  const char* from = text(cdr, &length);
  if (length >= size) cdr->failed = true;
  if (cdr->failed) length = 0;
  memcpy(out, from, length);
  out[length] = '\0';
}

void rut_cdr_skip_text(rutCdr* cdr) {
  size_t length;
  (void)text(cdr, &length);
}

uint32_t rut_cdr_get_count(rutCdr* cdr, size_t item) {
  const uint32_t n = rut_cdr_get_u32(cdr);
  if (!cdr->failed && n <= (cdr->size - cdr->at) / item) return n;
  cdr->failed = true;
  return 0;
}

int64_t rut_cdr_get_time(rutCdr* cdr) {
  const int64_t seconds = (int32_t)rut_cdr_get_u32(cdr);
  return seconds * 1000000000 + (int64_t)rut_cdr_get_u32(cdr);
}
