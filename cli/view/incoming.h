// SPDX-License-Identifier: BSD-3-Clause
//
// What a page sends through a WebSocket, as messages (RFC 6455, section 5). The library would read
// it too, but takes frames that are not masked, which a server must refuse (section 5.1).
#ifndef RUT_VIEW_INCOMING_H
#define RUT_VIEW_INCOMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VIEW_CONTROL_SIZE = 125, VIEW_INCOMING_HEAD = 14 };

// Status codes of a close (section 7.4.1).
enum { VIEW_CLOSE_NORMAL = 1000, VIEW_CLOSE_PROTOCOL = 1002, VIEW_CLOSE_TOO_LONG = 1009 };

typedef enum viewIncomingKind {
  VIEW_INCOMING_NOTHING,   // all bytes are taken in
  VIEW_INCOMING_TEXT,      // message, size
  VIEW_INCOMING_BINARY,    // a message that is no text, and is thrown away
  VIEW_INCOMING_TOO_LONG,  // a message that is thrown away
  VIEW_INCOMING_PING,      // control, control_size
  VIEW_INCOMING_CLOSE,
  VIEW_INCOMING_FAULT  // close_code tells how to close; nothing that follows means anything
} viewIncomingKind;

typedef struct viewIncoming {
  // the frame that comes in
  unsigned char head[VIEW_INCOMING_HEAD];
  int head_size, head_needed;
  uint64_t left;   // bytes of it still to come
  unsigned place;  // in the mask
  unsigned char control[VIEW_CONTROL_SIZE];
  size_t control_size;
  // the message that comes in
  char* message;  // of VIEW_MESSAGE_SIZE bytes; owned
  size_t size;
  bool open, binary, too_long;
  int close_code;
} viewIncoming;

// False if out of memory.
bool view_incoming_create(viewIncoming* incoming);
void view_incoming_free(viewIncoming* incoming);
// Take bytes in, up to the end of the next event. Returns how many.
size_t view_incoming_take(viewIncoming* incoming, const unsigned char* data, size_t size,
                          viewIncomingKind* kind);

#endif  // RUT_VIEW_INCOMING_H
