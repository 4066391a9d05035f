// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_BASE_HASH_H
#define RUT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { RUT_HASH_WORD = 8 };
#define RUT_HASH_START UINT64_C(0xcbf29ce484222325)

// Continue a 64-bit hash over bytes (not cryptographic). Start with RUT_HASH_START.
uint64_t rut_hash(uint64_t hash, const void* bytes, size_t size);

#endif  // RUT_BASE_HASH_H
