// SPDX-License-Identifier: BSD-3-Clause
//
// SHA-256 (FIPS 180-4).
#ifndef RUT_BASE_SHA256_H
#define RUT_BASE_SHA256_H

#include <stddef.h>

// Digest of a text, as 64 hexadecimal digits and a zero.
void rut_sha256(const void* data, size_t size, char digest[65]);

#endif  // RUT_BASE_SHA256_H
