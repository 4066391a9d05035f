// SPDX-License-Identifier: BSD-3-Clause
#include "view/replay_warnings.h"

#include <stdio.h>
#include <string.h>

#include "scene/little_endian.h"

// rcl_interfaces/Log in CDR: encapsulation, time, level; then texts, each behind its size.
enum { HEAD = 4, LEVEL = HEAD + 8, TEXTS = HEAD + 12, WARNING = 30 };

// The text at *at, which goes behind it; NULL if it is not all there.
static const char* take_text(const rutLogMessage* m, size_t* at, size_t* length) {
  const size_t place = HEAD + (*at - HEAD + 3) / 4 * 4;
  if (place + 4 > m->size) return NULL;
  const size_t size = view_get_u32(m->bytes + place);
  if (size == 0 || size > m->size - place - 4) return NULL;
  *at = place + 4 + size;
  *length = size - 1;  // without the zero at its end
  return (const char*)m->bytes + place + 4;
}

static bool read_warning(const rutLogMessage* m, const char* before, viewWarning* out) {
  size_t at = TEXTS, length;
  if (m->size < TEXTS || m->bytes[LEVEL] < WARNING) return false;
  if (!take_text(m, &at, &length)) return false;  // who says it
  const char* text = take_text(m, &at, &length);
  if (!text) return false;
  *out = (viewWarning){.vehicle = -1, .time = m->time};
  snprintf(out->text, sizeof out->text, "%s%.*s", before, (int)(length < 400 ? length : 400), text);
  return true;
}

int view_replay_warnings(const viewRecording* log, int logs, viewWarning out[VIEW_WARNINGS]) {
  int n = 0;
  for (int k = 0; k < logs; k++) {
    const int channel = rut_log_channel_find(log[k].file, "/rosout");
    rutLogCursor* cursor = NULL;
    rutLogMessage message;
    if (channel < 0 ||
        strcmp(rut_log_channel_at(log[k].file, channel).schema, "rcl_interfaces/msg/Log") != 0) {
      continue;
    }
    const rutLogSelection all = {1, &channel, log[k].start, log[k].end};
    if (rut_log_cursor_create(log[k].file, &all, &cursor, NULL) != RUT_OK) continue;
    while (n < VIEW_WARNINGS && rut_log_next(cursor, &message, NULL)) {
      n += read_warning(&message, k == 0 ? "" : "ghost: ", &out[n]);
    }
    rut_log_cursor_destroy(cursor);
  }
  return n;
}
