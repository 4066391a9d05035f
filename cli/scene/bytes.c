// SPDX-License-Identifier: BSD-3-Clause
#include "scene/bytes.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { GZIP = 16, MAX_UNPACKED = 1 << 28 };

viewBytes* view_bytes_create(size_t size) {
  viewBytes* bytes = malloc(sizeof *bytes + size + 1);
  if (!bytes) return NULL;
  atomic_init(&bytes->owners, 1);
  bytes->size = size;
  bytes->data[size] = 0;
  return bytes;
}

viewBytes* view_bytes_of(const void* data, size_t size) {
  viewBytes* bytes = view_bytes_create(size);
  if (bytes && size) memcpy(bytes->data, data, size);
  return bytes;
}

viewBytes* view_bytes_share(viewBytes* bytes) {
  if (bytes) atomic_fetch_add(&bytes->owners, 1);
  return bytes;
}

void view_bytes_drop(viewBytes* bytes) {
  if (bytes && atomic_fetch_sub(&bytes->owners, 1) == 1) free(bytes);
}

uint64_t view_hash(const void* data, size_t size) {
  const unsigned char* byte = data;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
  return hash;
}

viewBytes* view_bytes_pack(const void* data, size_t size) {
  z_stream stream = {0};
  if (size > UINT_MAX / 2 || deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + GZIP, 8,
                                          Z_DEFAULT_STRATEGY) != Z_OK) {
    return NULL;
  }
  viewBytes* bytes = view_bytes_create(deflateBound(&stream, size));
  if (bytes) {
    stream.next_in = (unsigned char*)(size_t)data;
    stream.avail_in = (unsigned)size;
    stream.next_out = bytes->data;
    stream.avail_out = (unsigned)bytes->size;
    const bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    bytes->size = stream.total_out;
    if (!whole) {
      view_bytes_drop(bytes);
      bytes = NULL;
    }
  }
  deflateEnd(&stream);
  return bytes;
}

// The last four bytes of gzip tell how long the content is.
size_t view_bytes_unpacked_size(const void* data, size_t size) {
  const unsigned char* byte = data;
  if (size < 18) return 0;
  size_t n = 0;
  for (int i = 0; i < 4; i++) n |= (size_t)byte[size - 4 + (size_t)i] << (8 * i);
  return n <= MAX_UNPACKED ? n : 0;
}

viewBytes* view_bytes_unpack(const void* data, size_t size) {
  const size_t whole = view_bytes_unpacked_size(data, size);
  z_stream stream = {0};
  if (whole == 0 || inflateInit2(&stream, MAX_WBITS + GZIP) != Z_OK) return NULL;
  viewBytes* bytes = view_bytes_create(whole);
  if (bytes) {
    stream.next_in = (unsigned char*)(size_t)data;
    stream.avail_in = (unsigned)size;
    stream.next_out = bytes->data;
    stream.avail_out = (unsigned)whole;
    if (inflate(&stream, Z_FINISH) != Z_STREAM_END) {
      view_bytes_drop(bytes);
      bytes = NULL;
    }
  }
  inflateEnd(&stream);
  return bytes;
}
