// SPDX-License-Identifier: BSD-3-Clause
#include "host/definition.h"

#include <stdio.h>
#include <string.h>

static void put_string(rutBytes* b, const char* text) { rut_bytes_put(b, text, strlen(text)); }

// Name of a field in ROS: small letters, digits and underscores.
static void put_field_name(rutBytes* b, const char* name) {
  for (const char* c = name; *c; c++) {
    const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9');
    const char small = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : '_';
    rut_bytes_u8(b, (uint8_t)(plain ? *c : small));
  }
}

void rut_define_field(rutBytes* b, const char* type, int count, const char* name, const char* unit,
                      const char* doc) {
  char size[16] = "";
  if (count > 0) snprintf(size, sizeof size, "[%d]", count);
  put_string(b, type);
  put_string(b, size);
  put_string(b, " ");
  put_field_name(b, name);
  put_string(b, "  # ");
  if (unit[0]) {
    put_string(b, "[");
    put_string(b, unit);
    put_string(b, "] ");
  }
  put_string(b, doc);
  put_string(b, "\n");
}

void rut_define_type(const char* word, char name[RUT_WORD_SIZE]) {
  enum { MOST = 20 };  // letters, so that a number has room behind them
  int n = 0;
  bool begins = true;
  for (const char* c = word; *c && n < MOST; c++) {
    const bool small = *c >= 'a' && *c <= 'z', capital = *c >= 'A' && *c <= 'Z';
    const bool digit = *c >= '0' && *c <= '9' && n > 0;
    if (small || capital || digit) name[n++] = (char)(small && begins ? *c - 'a' + 'A' : *c);
    begins = !small && !capital;
  }
  name[n] = '\0';
  if (n == 0) snprintf(name, RUT_WORD_SIZE, "Message");
}
