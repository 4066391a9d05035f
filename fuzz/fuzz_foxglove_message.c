// SPDX-License-Identifier: BSD-3-Clause
//
// Messages of clients of Foxglove's protocol: texts; binary ones; and, behind "j" or "c", twists as
// JSON or CDR alone.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "view/foxglove_message.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static bool is_text(const char* text) { return memchr(text, 0, VIEW_FOXGLOVE_NAME) != NULL; }

static void check_text(const char* text, size_t size) {
  static viewFoxgloveMessage message;
  char error[400] = "";
  memset(&message, 0x55, sizeof message);
  if (!view_foxglove_read(text, size, &message, error, sizeof error)) {
    if (!error[0]) abort();
    return;
  }
  // what was read is what the rest relies on
  bool fine = message.op < VIEW_FOXGLOVE_OPS && message.items >= 0;
  const bool adverts = message.op == VIEW_FOXGLOVE_ADVERTISE;
  fine = fine && message.items <= (adverts ? (int)VIEW_FOXGLOVE_ADVERTS : (int)VIEW_FOXGLOVE_ITEMS);
  for (int i = 0; adverts && fine && i < message.items; i++) {
    const viewFoxgloveAdvert* a = &message.advert[i];
    fine = is_text(a->topic) && is_text(a->encoding) && is_text(a->schema);
  }
  if (!fine) abort();
}

static void check_twist(const char* encoding, const viewFoxglovePublished* published) {
  char error[400] = "";
  viewTwist twist = {0};
  const bool read = view_foxglove_read_twist(encoding, published, &twist, error, sizeof error);
  if (!read && !error[0]) abort();
  if (read &&
      !(isfinite(twist.speed) && isfinite(twist.lateral_speed) && isfinite(twist.yaw_rate))) {
    abort();
  }
}

static void check_binary(const uint8_t* data, size_t size) {
  char error[400] = "";
  viewFoxglovePublished published;
  if (!view_foxglove_read_binary(data, size, &published, error, sizeof error)) {
    if (!error[0]) abort();
    return;
  }
  if (published.bytes < data || published.bytes + published.size != data + size) abort();
  check_twist("json", &published);
  check_twist("cdr", &published);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  check_text((const char*)data, size);
  check_binary(data, size);
  if (size > 0 && (data[0] == 'j' || data[0] == 'c')) {
    const viewFoxglovePublished published = {0, data + 1, size - 1};
    check_twist(data[0] == 'j' ? "json" : "cdr", &published);
  }
  return 0;
}
