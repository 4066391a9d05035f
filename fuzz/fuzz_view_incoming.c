// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes of a WebSocket, at once and in pieces: both give the same.
#include <stdint.h>
#include <stdlib.h>

#include "view/incoming.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static uint64_t read_all(const uint8_t* data, size_t size, size_t step) {
  viewIncoming in;
  uint64_t sum = 0;
  if (!view_incoming_create(&in)) return 0;
  for (size_t at = 0; at < size;) {
    viewIncomingKind kind;
    at += view_incoming_take(&in, data + at, size - at < step ? size - at : step, &kind);
    if (kind == VIEW_INCOMING_NOTHING) continue;
    sum = 31 * sum + (uint64_t)kind;
    for (size_t i = 0; kind == VIEW_INCOMING_TEXT && i < in.size; i++) {
      sum = 31 * sum + (unsigned char)in.message[i];
    }
    if (kind == VIEW_INCOMING_FAULT) break;
  }
  view_incoming_free(&in);
  return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  const uint64_t whole = read_all(data + 1, size - 1, size);
  if (read_all(data + 1, size - 1, (size_t)data[0] + 1) != whole) abort();
  return 0;
}
