// SPDX-License-Identifier: BSD-3-Clause
#include "view/cdr.h"

#include <math.h>

#include "scene/little_endian.h"

viewCdr view_cdr_of(const rutLogMessage* message) {
  const bool fine = message->size >= 4 && message->bytes[1] == 1;
  return fine ? (viewCdr){.data = message->bytes + 4, .size = message->size - 4}
              : (viewCdr){.bad = true};
}

const unsigned char* view_cdr_get(viewCdr* c, size_t size, size_t align) {
  const size_t at = (c->at + align - 1) / align * align;
  if (c->bad || at > c->size || size > c->size - at) {
    c->bad = true;
    return NULL;
  }
  c->at = at + size;
  return c->data + at;
}

uint32_t view_cdr_u32(viewCdr* c) {
  const unsigned char* at = view_cdr_get(c, 4, 4);
  return at ? view_get_u32(at) : 0;
}

float view_cdr_f32(viewCdr* c) {
  const unsigned char* at = view_cdr_get(c, 4, 4);
  return at ? view_get_f32(at) : (float)NAN;
}

double view_cdr_f64(viewCdr* c) {
  const unsigned char* at = view_cdr_get(c, 8, 8);
  return at ? view_get_f64(at) : (double)NAN;
}

const char* view_cdr_text(viewCdr* c) {
  const uint32_t size = view_cdr_u32(c);
  const unsigned char* at = view_cdr_get(c, size, 1);
  return at && size > 0 && at[size - 1] == '\0' ? (const char*)at : "";
}

double view_cdr_time(viewCdr* c) {
  const int32_t seconds = (int32_t)view_cdr_u32(c);
  return seconds + 1e-9 * view_cdr_u32(c);
}

double view_cdr_header(viewCdr* c) {
  const double time = view_cdr_time(c);
  view_cdr_text(c);
  return time;
}
