// SPDX-License-Identifier: BSD-3-Clause
#include "sim/spec/colour_value.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "math/colour.h"

const char* rut_other_spelling(const char* field) {
  if (strcmp(field, "color") == 0) return "colour";
  return strcmp(field, "colour") == 0 ? "color" : NULL;
}

static int digit_of(char c) {
  static const char digits[] = "0123456789abcdef";
  const char* at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
  return at ? (int)(at - digits) : -1;
}

bool rut_linear_colour(const char* text, double colour[3]) {
  if (text[0] != '#') return false;
  for (int i = 0; i < 3; i++) {
    const int high = digit_of(text[1 + 2 * i]), low = high < 0 ? -1 : digit_of(text[2 + 2 * i]);
    if (low < 0) return false;
    colour[i] = rut_linear_of_srgb((16 * high + low) / 255.0);
  }
  // two more digits are an opacity, which has no effect
  const bool opacity = digit_of(text[7]) >= 0 && digit_of(text[8]) >= 0;
  return text[opacity ? 9 : 7] == '\0';
}

// Three numbers from 0 to 1 and nothing else.
static bool read_numbers(const char* text, double value[3]) {
  for (int i = 0; i < 3; i++) {
    text += strspn(text, " \t\r\n,");
    if (!rut_parse_number(text, &value[i], &text)) return false;
    if (!(value[i] >= 0 && value[i] <= 1)) return false;
  }
  return text[strspn(text, " \t\r\n")] == '\0';
}

static int code_of(double linear) { return (int)(255 * rut_srgb_of_linear(linear) + 0.5); }

const char* rut_colour_text(const rutField* field, const char* text, char out[RUT_COLOUR_TEXT]) {
  double value[3];
  if (!rut_other_spelling(field->name)) return text;
  if (field->type == RUT_TEXT && read_numbers(text, value)) {
    snprintf(out, RUT_COLOUR_TEXT, "#%02x%02x%02x", (unsigned)code_of(value[0]),
             (unsigned)code_of(value[1]), (unsigned)code_of(value[2]));
    return out;
  }
  if (field->type == RUT_VECTOR && rut_linear_colour(text, value)) {
    snprintf(out, RUT_COLOUR_TEXT, "%.17g %.17g %.17g", value[0], value[1], value[2]);
    return out;
  }
  return text;
}
