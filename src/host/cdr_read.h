// SPDX-License-Identifier: BSD-3-Clause
//
// Reads CDR of strangers (XCDR1, of both byte orders), within bounds.
#ifndef RUT_HOST_CDR_READ_H
#define RUT_HOST_CDR_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rutCdr {
  const unsigned char* bytes;  // behind the header, from which members are aligned
  size_t size, at;
  bool big;     // big-endian
  bool failed;  // it ended too early, or a text was too long: all that was read since is 0
} rutCdr;

// Of a message with its four bytes of encoding. It has failed if that is none of CDR.
rutCdr rut_cdr_of(const void* bytes, size_t size);
uint8_t rut_cdr_get_u8(rutCdr* cdr);
uint32_t rut_cdr_get_u32(rutCdr* cdr);
uint64_t rut_cdr_get_u64(rutCdr* cdr);
double rut_cdr_get_f32(rutCdr* cdr);
double rut_cdr_get_f64(rutCdr* cdr);
// A text, which ends with a zero in its `size` bytes: longer ones fail.
void rut_cdr_get_text(rutCdr* cdr, char* out, size_t size);
void rut_cdr_skip_text(rutCdr* cdr);
// Number of items that follow, of at least so many bytes each: never more than there are bytes for.
uint32_t rut_cdr_get_count(rutCdr* cdr, size_t item);
// builtin_interfaces/Time [ns].
int64_t rut_cdr_get_time(rutCdr* cdr);

#endif  // RUT_HOST_CDR_READ_H
