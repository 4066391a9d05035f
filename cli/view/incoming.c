// SPDX-License-Identifier: BSD-3-Clause
#include "view/incoming.h"

#include <stdlib.h>
#include <string.h>

#include "scene/limits.h"

enum { CONTINUATION = 0, TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };
enum { FINAL = 0x80, RESERVED = 0x70, OPCODE = 0x0f, CONTROL = 0x08, MASKED = 0x80, LENGTH = 0x7f };
// Largest frame in bytes; a longer one closes the connection.
enum { MAX_FRAME = 1 << 20 };

bool view_incoming_create(viewIncoming* in) {
  *in = (viewIncoming){.head_needed = 2, .message = malloc(VIEW_MESSAGE_SIZE)};
  return in->message != NULL;
}

void view_incoming_free(viewIncoming* in) {
  free(in->message);
  in->message = NULL;
}

static int opcode_of(const viewIncoming* in) { return in->head[0] & OPCODE; }

// ---- head ----

// Bytes of a head, from its first two.
static int head_length(const unsigned char head[2]) {
  const int length = head[1] & LENGTH;
  return 2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + 4;
}

// Whether the first two bytes may stand where they stand.
static bool is_allowed(const viewIncoming* in) {
  const int opcode = opcode_of(in);
  if (in->head[0] & RESERVED || !(in->head[1] & MASKED)) return false;
  if (opcode & CONTROL) {
    return opcode <= PONG && in->head[0] & FINAL && (in->head[1] & LENGTH) <= VIEW_CONTROL_SIZE;
  }
  return opcode <= BINARY && (opcode == CONTINUATION) == in->open;
}

static uint64_t payload_length(const viewIncoming* in) {
  const int n = in->head_needed - 2 - 4;
  uint64_t length = 0;
  for (int i = 0; i < n; i++) length = length << 8 | in->head[2 + i];
  return n > 0 ? length : in->head[1] & LENGTH;
}

static bool fault(viewIncoming* in, int code) {
  in->close_code = code;
  return false;
}

// The head is whole: its payload begins.
static bool begin_payload(viewIncoming* in) {
  in->left = payload_length(in);
  in->place = 0;
  if (opcode_of(in) & CONTROL) {
    in->control_size = 0;
    return true;
  }
  if (in->left > MAX_FRAME) return fault(in, VIEW_CLOSE_TOO_LONG);
  if (in->open) return true;
  in->open = true;
  in->size = 0;
  in->too_long = false;
  in->binary = opcode_of(in) == BINARY;
  return true;
}

// One byte of a head. False if it cannot be the head of a frame.
static bool take_head(viewIncoming* in, unsigned char byte) {
  in->head[in->head_size++] = byte;
  if (in->head_size < in->head_needed) return true;
  if (in->head_size > 2) return begin_payload(in);
  in->head_needed = head_length(in->head);
  return is_allowed(in) || fault(in, VIEW_CLOSE_PROTOCOL);
}

// ---- payload ----

static bool in_head(const viewIncoming* in) { return in->head_size < in->head_needed; }

static void unmask(viewIncoming* in, const unsigned char* data, size_t n, unsigned char* out) {
  const unsigned char* mask = in->head + in->head_needed - 4;
  for (size_t i = 0; i < n; i++) out[i] = data[i] ^ mask[(in->place + i) & 3];
}

static size_t take_payload(viewIncoming* in, const unsigned char* data, size_t size) {
  const size_t n = size < in->left ? size : (size_t)in->left;
  if (opcode_of(in) & CONTROL) {
    unmask(in, data, n, in->control + in->control_size);
    in->control_size += n;
  } else if (in->size + n > VIEW_MESSAGE_SIZE) {
    in->too_long = true;
  } else if (!in->too_long) {
    unmask(in, data, n, (unsigned char*)in->message + in->size);
    in->size += n;
  }
  in->place += (unsigned)n;
  in->left -= n;
  return n;
}

// A frame is whole.
static viewIncomingKind end_frame(viewIncoming* in) {
  const int opcode = opcode_of(in);
  in->head_size = 0;
  in->head_needed = 2;
  if (opcode == CLOSE) return VIEW_INCOMING_CLOSE;
  if (opcode == PING) return VIEW_INCOMING_PING;
  if (opcode == PONG || !(in->head[0] & FINAL)) return VIEW_INCOMING_NOTHING;
  in->open = false;
  if (in->too_long) return VIEW_INCOMING_TOO_LONG;
  return in->binary ? VIEW_INCOMING_BINARY : VIEW_INCOMING_TEXT;
}

size_t view_incoming_take(viewIncoming* in, const unsigned char* data, size_t size,
                          viewIncomingKind* kind) {
  size_t at = 0;
  *kind = in->close_code ? VIEW_INCOMING_FAULT : VIEW_INCOMING_NOTHING;
  while (at < size && *kind == VIEW_INCOMING_NOTHING) {
    if (in_head(in)) {
      if (!take_head(in, data[at++])) *kind = VIEW_INCOMING_FAULT;
    } else {
      at += take_payload(in, data + at, size - at);
    }
    if (*kind == VIEW_INCOMING_NOTHING && !in_head(in) && in->left == 0) *kind = end_frame(in);
  }
  return at;
}
