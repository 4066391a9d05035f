// SPDX-License-Identifier: BSD-3-Clause
#include "host/bytes.h"

#include <stdlib.h>
#include <string.h>

void rut_bytes_free(rutBytes* b) {
  free(b->data);
  *b = (rutBytes){0};
}

unsigned char* rut_bytes_extend(rutBytes* b, size_t more) {
  if (b->size - b->used < more) {
    size_t size = b->size ? b->size : 4096;
    while (size - b->used < more && size < SIZE_MAX / 4) size *= 2;
    unsigned char* grown = size - b->used < more ? NULL : realloc(b->data, size);
    if (!grown) {
      b->failed = true;
      return NULL;
    }
    b->data = grown;
    b->size = size;
  }
  unsigned char* place = b->data + b->used;
  b->used += more;
  return place;
}

void rut_bytes_put(rutBytes* b, const void* data, size_t size) {
  if (size == 0) return;
  unsigned char* place = rut_bytes_extend(b, size);
  if (place) memcpy(place, data, size);
}

static void store(unsigned char* place, uint64_t value, int size) {
  for (int i = 0; i < size; i++) place[i] = (unsigned char)(value >> (8 * i));
}

static void put(rutBytes* b, uint64_t value, int size) {
  unsigned char* place = rut_bytes_extend(b, (size_t)size);
  if (place) store(place, value, size);
}

void rut_bytes_u8(rutBytes* b, uint8_t value) { put(b, value, 1); }
void rut_bytes_u16(rutBytes* b, uint16_t value) { put(b, value, 2); }
void rut_bytes_u32(rutBytes* b, uint32_t value) { put(b, value, 4); }
void rut_bytes_u64(rutBytes* b, uint64_t value) { put(b, value, 8); }

void rut_bytes_text(rutBytes* b, const char* text) {
  const size_t length = strlen(text);
  rut_bytes_u32(b, (uint32_t)length);
  rut_bytes_put(b, text, length);
}

void rut_bytes_u32_at(rutBytes* b, size_t at, uint32_t value) {
  if (!b->failed) store(b->data + at, value, 4);
}

void rut_bytes_u64_at(rutBytes* b, size_t at, uint64_t value) {
  if (!b->failed) store(b->data + at, value, 8);
}

static uint64_t load(const unsigned char* from, int size) {
  uint64_t value = 0;
  for (int i = 0; i < size; i++) value |= (uint64_t)from[i] << (8 * i);
  return value;
}

uint16_t rut_get_u16(const unsigned char* from) { return (uint16_t)load(from, 2); }
uint32_t rut_get_u32(const unsigned char* from) { return (uint32_t)load(from, 4); }
uint64_t rut_get_u64(const unsigned char* from) { return load(from, 8); }

double rut_get_f64(const unsigned char* from) {
  const uint64_t bits = load(from, 8);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// ---- CDR ----

static void align(rutBytes* b, size_t start, size_t size) {
  static const unsigned char zero[8];
  const size_t over = (b->used - start) % size;
  if (over) rut_bytes_put(b, zero, size - over);
}

size_t rut_cdr_begin(rutBytes* b) {
  static const unsigned char little_endian[4] = {0, 1, 0, 0};
  rut_bytes_put(b, little_endian, sizeof little_endian);
  return b->used;
}

void rut_cdr_u32(rutBytes* b, size_t start, uint32_t value) {
  align(b, start, 4);
  rut_bytes_u32(b, value);
}

void rut_cdr_f32(rutBytes* b, size_t start, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  rut_cdr_u32(b, start, bits);
}

// A number in the byte order of the machine.
static uint64_t bits_of(const unsigned char* from, size_t size) {
  uint64_t whole;
  uint32_t half;
  uint16_t quarter;
  switch (size) {
    case 8:
      memcpy(&whole, from, 8);
      return whole;
    case 4:
      memcpy(&half, from, 4);
      return half;
    case 2:
      memcpy(&quarter, from, 2);
      return quarter;
    default:
      return *from;
  }
}

void rut_cdr_numbers(rutBytes* b, size_t start, size_t size, int n, const void* value) {
  align(b, start, size);
  unsigned char* place = rut_bytes_extend(b, size * (size_t)n);
  for (size_t i = 0; place && i < (size_t)n; i++) {
    store(place + size * i, bits_of((const unsigned char*)value + size * i, size), (int)size);
  }
}

void rut_cdr_f64(rutBytes* b, size_t start, int n, const double* value) {
  rut_cdr_numbers(b, start, 8, n, value);
}

void rut_cdr_text(rutBytes* b, size_t start, const char* text) {
  const size_t length = strlen(text) + 1;
  rut_cdr_u32(b, start, (uint32_t)length);
  rut_bytes_put(b, text, length);
}

void rut_cdr_time(rutBytes* b, size_t start, int64_t nanoseconds) {
  const int64_t second = 1000000000;
  int64_t whole = nanoseconds / second, rest = nanoseconds % second;
  if (rest < 0) {
    rest += second;
    whole--;
  }
  rut_cdr_u32(b, start, (uint32_t)whole);
  rut_cdr_u32(b, start, (uint32_t)rest);
}
