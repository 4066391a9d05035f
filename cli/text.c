// SPDX-License-Identifier: BSD-3-Clause
#include "text.h"

#include <string.h>

int cli_utf8_length(const char* text) {
  const unsigned char* t = (const unsigned char*)text;
  const unsigned char c = t[0];
  const int n = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : 4;
  if (n == 4 && (c < 0xf0 || c > 0xf4)) return 0;
  for (int i = 1; i < n; i++) {
    if ((t[i] & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (c == 0xe0 && t[1] < 0xa0) || (c == 0xf0 && t[1] < 0x90);
  const bool surrogate = c == 0xed && t[1] > 0x9f;
  const bool too_large = c == 0xf4 && t[1] > 0x8f;
  return overlong || surrogate || too_large ? 0 : n;
}

bool cli_steers(const char* text, int n) {
  const unsigned char* t = (const unsigned char*)text;
  if (n == 1) return t[0] < 0x20 || t[0] == 0x7f;
  if (n == 2) return t[0] == 0xc2 && t[1] < 0xa0;
  // U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069
  if (n != 3 || t[0] != 0xe2) return false;
  if (t[1] == 0x80) return t[2] == 0x8e || t[2] == 0x8f || (t[2] >= 0xaa && t[2] <= 0xae);
  return t[1] == 0x81 && t[2] >= 0xa6 && t[2] <= 0xa9;
}

// The character at *text, or "?" for one that is not to be printed, and its bytes in *n; *text goes
// on to the next.
static const char* next_character(const char** text, int* n) {
  const char* at = *text;
  const int length = cli_utf8_length(at);
  *text += length > 0 ? length : 1;
  const bool good = length > 0 && !cli_steers(at, length);
  *n = good ? length : 1;
  return good ? at : "?";
}

void cli_put_text(const char* text, FILE* out) {
  while (*text) {
    int n;
    const char* character = next_character(&text, &n);
    fwrite(character, 1, (size_t)n, out);
  }
}

const char* cli_clean(const char* text, char* out, size_t size) {
  size_t used = 0;
  while (*text) {
    int n;
    const char* character = next_character(&text, &n);
    if (used + (size_t)n >= size) break;
    memcpy(out + used, character, (size_t)n);
    used += (size_t)n;
  }
  out[used] = '\0';
  return out;
}

void cli_put_attribute(const char* text, FILE* out) {
  for (; *text; text++) {
    if (strchr("&<>\"'", *text) || (unsigned char)*text < 32) {
      fprintf(out, "&#%d;", (unsigned char)*text);
    } else {
      fputc(*text, out);
    }
  }
}
