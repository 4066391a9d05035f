// SPDX-License-Identifier: BSD-3-Clause
#include "base/hash.h"

// FNV-1a, 64 bits (Fowler, Noll, Vo; RFC 9923): bytewise, so the same on every byte order.
uint64_t rut_hash(uint64_t hash, const void* bytes, size_t size) {
  const unsigned char* byte = bytes;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
  return hash;
}
