// SPDX-License-Identifier: BSD-3-Clause
//
// A growing buffer of little-endian numbers and strings, as used in MCAP and CDR.
#ifndef RUT_HOST_BYTES_H
#define RUT_HOST_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rutBytes {
  unsigned char* data;  // owned
  size_t used, size;
  bool failed;  // out of memory: later data is lost
} rutBytes;

void rut_bytes_free(rutBytes* bytes);
// Room for `more` bytes behind those used, which grow by it. NULL if out of memory.
unsigned char* rut_bytes_extend(rutBytes* bytes, size_t more);
void rut_bytes_put(rutBytes* bytes, const void* data, size_t size);
void rut_bytes_u8(rutBytes* bytes, uint8_t value);
void rut_bytes_u16(rutBytes* bytes, uint16_t value);
void rut_bytes_u32(rutBytes* bytes, uint32_t value);
void rut_bytes_u64(rutBytes* bytes, uint64_t value);
// Length as u32, then the characters.
void rut_bytes_text(rutBytes* bytes, const char* text);
// Overwrite a number at an offset.
void rut_bytes_u32_at(rutBytes* bytes, size_t at, uint32_t value);
void rut_bytes_u64_at(rutBytes* bytes, size_t at, uint64_t value);

uint16_t rut_get_u16(const unsigned char* from);
uint32_t rut_get_u32(const unsigned char* from);
uint64_t rut_get_u64(const unsigned char* from);
double rut_get_f64(const unsigned char* from);

// ---- CDR (little-endian, XCDR1): members are aligned to their size from the message's start ----

// Begin a message. Returns its start, an argument of the other functions.
size_t rut_cdr_begin(rutBytes* bytes);
void rut_cdr_u32(rutBytes* bytes, size_t start, uint32_t value);
void rut_cdr_f32(rutBytes* bytes, size_t start, float value);
void rut_cdr_f64(rutBytes* bytes, size_t start, int n, const double* value);
// n numbers in the byte order of the machine, of 1, 2, 4 or 8 bytes each.
void rut_cdr_numbers(rutBytes* bytes, size_t start, size_t size, int n, const void* value);
// Length including the final zero, the characters, the zero.
void rut_cdr_text(rutBytes* bytes, size_t start, const char* text);
// builtin_interfaces/Time from nanoseconds.
void rut_cdr_time(rutBytes* bytes, size_t start, int64_t nanoseconds);

#endif  // RUT_HOST_BYTES_H
