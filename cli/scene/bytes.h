// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes with several owners.
#ifndef RUT_SCENE_BYTES_H
#define RUT_SCENE_BYTES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct viewBytes {
  atomic_int owners;
  size_t size;
  unsigned char data[];  // one more, 0, at the end
} viewBytes;

// NULL if out of memory.
viewBytes* view_bytes_create(size_t size);
viewBytes* view_bytes_of(const void* data, size_t size);
// Nullable: bytes.
viewBytes* view_bytes_share(viewBytes* bytes);
void view_bytes_drop(viewBytes* bytes);
// Hash of bytes (FNV-1a).
uint64_t view_hash(const void* data, size_t size);
// Packed with gzip, NULL if that fails; and unpacked.
viewBytes* view_bytes_pack(const void* data, size_t size);
viewBytes* view_bytes_unpack(const void* data, size_t size);
// What gzip says to hold [bytes], which is the most that view_bytes_unpack reads; 0 if that is
// nothing or too much.
size_t view_bytes_unpacked_size(const void* data, size_t size);

#endif  // RUT_SCENE_BYTES_H
