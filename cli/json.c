// SPDX-License-Identifier: BSD-3-Clause
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

void cli_json_init(cliJson* json, FILE* out) {
  memset(json, 0, sizeof *json);
  json->out = out;
}

static void put_indent(const cliJson* json) { fprintf(json->out, "\n%*s", 2 * json->depth, ""); }

// Code point of a character that controls a terminal; it has at most three bytes.
static unsigned code_of(const char* text, int n) {
  const unsigned char* t = (const unsigned char*)text;
  if (n == 1) return t[0];
  if (n == 2) return (t[0] & 0x1fu) << 6 | (t[1] & 0x3fu);
  return (t[0] & 0xfu) << 12 | (t[1] & 0x3fu) << 6 | (t[2] & 0x3fu);
}

static void put_string(const cliJson* json, const char* text) {
  FILE* out = json->out;
  putc('"', out);
  for (const char* c = text; *c;) {
    int n = cli_utf8_length(c);
    if (n == 0) {
      fputs("\\ufffd", out);
      n = 1;
    } else if (*c == '"' || *c == '\\') {
      fprintf(out, "\\%c", *c);
    } else if (cli_steers(c, n)) {
      fprintf(out, "\\u%04x", code_of(c, n));
    } else {
      fwrite(c, 1, (size_t)n, out);
    }
    c += n;
  }
  putc('"', out);
}

// Everything that stands before a value: comma, line break, key.
static void begin_value(cliJson* json, const char* key) {
  if (json->depth > 0) {
    if (json->filled[json->depth - 1]) putc(',', json->out);
    json->filled[json->depth - 1] = true;
    put_indent(json);
  }
  if (!key) return;
  put_string(json, key);
  fputs(": ", json->out);
}

static void open_group(cliJson* json, const char* key, bool array) {
  begin_value(json, key);
  putc(array ? '[' : '{', json->out);
  json->filled[json->depth] = false;
  json->array[json->depth] = array;
  if (json->depth < CLI_JSON_DEPTH - 1) json->depth++;
}

void cli_json_object(cliJson* json, const char* key) { open_group(json, key, false); }

void cli_json_array(cliJson* json, const char* key) { open_group(json, key, true); }

void cli_json_end(cliJson* json) {
  json->depth--;
  if (json->filled[json->depth]) put_indent(json);
  putc(json->array[json->depth] ? ']' : '}', json->out);
  if (json->depth == 0) putc('\n', json->out);
}

void cli_json_text(cliJson* json, const char* key, const char* value) {
  begin_value(json, key);
  put_string(json, value);
}

void cli_json_number(cliJson* json, const char* key, double value) {
  begin_value(json, key);
  if (!isfinite(value)) {
    fputs("null", json->out);
    return;
  }
  // the shorter of two texts that both read back to the same number
  char text[40];
  snprintf(text, sizeof text, "%.15g", value);
  if (strtod(text, NULL) != value) snprintf(text, sizeof text, "%.17g", value);
  fputs(text, json->out);
}

void cli_json_integer(cliJson* json, const char* key, int64_t value) {
  begin_value(json, key);
  fprintf(json->out, "%" PRId64, value);
}

void cli_json_bool(cliJson* json, const char* key, bool value) {
  begin_value(json, key);
  fputs(value ? "true" : "false", json->out);
}
