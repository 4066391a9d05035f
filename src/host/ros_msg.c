// SPDX-License-Identifier: BSD-3-Clause
#include "host/ros_msg.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/bytes.h"

enum {
  MAX_FIELDS = 4096,
  MAX_DEPTH = 12,
  MAX_LINES = 100000,
  LINE_SIZE = 256,  // a longer one counts as several
  MAX_COMMENT = 1024,
  NAME_SIZE = 256,
  TYPE_SIZE = 128,
  FEW_NUMBERS = 16  // in an array whose numbers are told one by one
};

typedef struct Primitive {
  const char* name;
  char kind;
  unsigned char size;
} Primitive;

static const Primitive primitives[] = {
    {"bool", 'u', 1},    {"byte", 'u', 1},   {"char", 'u', 1},  {"uint8", 'u', 1},
    {"int8", 'i', 1},    {"uint16", 'u', 2}, {"int16", 'i', 2}, {"uint32", 'u', 4},
    {"int32", 'i', 4},   {"uint64", 'u', 8}, {"int64", 'i', 8}, {"float32", 'f', 4},
    {"float64", 'f', 8}, {"string", 's', 1},
};

// A parsed line: type, name, and count.
typedef struct Line {
  char type[TYPE_SIZE], name[NAME_SIZE];
  const char* comment;  // after the '#', up to the end of the line; NULL if there is none
  size_t comment_size;
  int count;  // as rutMsgField's
} Line;

typedef struct Parser {
  rutMsg* msg;
  const char* text;
  long lines;  // that may still be read
  bool ended;  // the offsets of later fields are unknown
} Parser;

static size_t line_length(const char* text) { return strcspn(text, "\n"); }

static const char* next_line(const char* text) {
  text += line_length(text);
  return *text ? text + 1 : text;
}

// Nested types can make a small text arbitrarily long: count each line that is read. False beyond
// the limit.
static bool count_line(Parser* p, const char* at) {
  p->lines -= 1 + (long)(line_length(at) / LINE_SIZE);
  return p->lines >= 0;
}

// "[3]" is an array of 3, "[]" and "[<=3]" are sequences.
static int count_of(const char* bracket) {
  if (!bracket) return 1;
  char* end;
  const long n = strtol(bracket + 1, &end, 10);
  return *end == ']' && end != bracket + 1 && n > 0 && n < 1 << 20 ? (int)n : -1;
}

// Split a line. False for those without a field: comments, constants, separators.
static bool split(const char* text, Line* line) {
  char copy[2 * NAME_SIZE];
  size_t size = line_length(text);
  const char* hash = memchr(text, '#', size);
  line->comment = hash ? hash + 1 : NULL;
  line->comment_size = hash ? size - (size_t)(hash + 1 - text) : 0;
  if (hash) size = (size_t)(hash - text);
  if (size >= sizeof copy) return false;
  memcpy(copy, text, size);
  copy[size] = '\0';
  char* type = copy + strspn(copy, " \t\r");
  char* rest = type + strcspn(type, " \t\r");
  if (*rest) *rest++ = '\0';
  char* name = rest + strspn(rest, " \t\r");
  const size_t length = strcspn(name, " \t\r=");
  const char* after = name + length + strspn(name + length, " \t\r");
  if (!type[0] || length == 0 || length >= NAME_SIZE || *after == '=') return false;
  if (strncmp(type, "====", 4) == 0 || strcmp(type, "MSG:") == 0) return false;
  char* bracket = strchr(type, '[');
  line->count = count_of(bracket);
  if (bracket) *bracket = '\0';
  char* bound = strchr(type, '<');  // string<=10
  if (bound) *bound = '\0';
  if (strlen(type) >= TYPE_SIZE) return false;
  memcpy(line->type, type, strlen(type) + 1);
  memcpy(line->name, name, length);
  line->name[length] = '\0';
  return true;
}

static char* copy_text(const char* from, size_t size) {
  char* text = malloc(size + 1);
  if (!text) return NULL;
  memcpy(text, from, size);
  text[size] = '\0';
  return text;
}

// A comment "[unit] what it is" as our own definitions have it.
static bool take_comment(const Line* line, rutMsgField* field) {
  const char *text = line->comment ? line->comment : "", *unit = "";
  size_t size = line->comment_size < MAX_COMMENT ? line->comment_size : MAX_COMMENT;
  size_t unit_size = 0;
  while (size > 0 && isspace((unsigned char)*text)) {
    text++;
    size--;
  }
  const char* end = size > 1 && *text == '[' ? memchr(text, ']', size) : NULL;
  if (end) {
    unit = text + 1;
    unit_size = (size_t)(end - unit);
    size -= unit_size + 2;
    text = end + 1;
    while (size > 0 && *text == ' ') {
      text++;
      size--;
    }
  }
  while (size > 0 && isspace((unsigned char)text[size - 1])) size--;
  field->unit = copy_text(unit, unit_size);
  field->doc = copy_text(text, size);
  return field->unit && field->doc;
}

// A field; name is NULL if it is no single number.
static bool add_field(rutMsg* msg, const Primitive* p, const Line* line, int count,
                      const char* name) {
  if (msg->fields == msg->capacity) {
    const int capacity = 2 * msg->capacity + 16;
    rutMsgField* grown = realloc(msg->field, (size_t)capacity * sizeof *grown);
    if (!grown) return false;
    msg->field = grown;
    msg->capacity = capacity;
  }
  rutMsgField* f = &msg->field[msg->fields++];
  *f = (rutMsgField){.kind = p->kind, .size = p->size, .count = count};
  if (!name) return true;
  f->name = copy_text(name, strlen(name));
  return f->name && take_comment(line, f);
}

// What a line with a primitive type stands for; each number of a short array is one of its own.
static bool add_primitive(rutMsg* msg, const Primitive* p, const Line* line, const char* name) {
  const bool text = p->kind == 's';
  if (!name || text || line->count < 1 || line->count > FEW_NUMBERS) {
    return add_field(msg, p, line, line->count, NULL);
  }
  if (line->count == 1) return add_field(msg, p, line, 1, name);
  for (int k = 0; k < line->count; k++) {
    char number[NAME_SIZE + 16];
    snprintf(number, sizeof number, "%s%s%d", name, name[1] ? "_" : "", k);
    if (!add_field(msg, p, line, 1, number)) return false;
  }
  return true;
}

// Where the definition of a type begins: "geometry_msgs/Point" as such or with "msg" between,
// "Point" as the tail of the only one that there is.
static const char* find_type(Parser* p, const char* type) {
  const char* tail = strrchr(type, '/');
  tail = tail ? tail + 1 : type;
  const char* package_end = strchr(type, '/');
  for (const char* at = p->text; *at && count_line(p, at); at = next_line(at)) {
    if (strncmp(at, "MSG: ", 5) != 0) continue;
    const char* name = at + 5;
    size_t size = line_length(name);
    while (size > 0 && isspace((unsigned char)name[size - 1])) size--;
    const size_t length = strlen(tail);
    if (size < length || strncmp(name + size - length, tail, length) != 0) continue;
    if (size > length && name[size - length - 1] != '/') continue;
    const size_t package = package_end ? (size_t)(package_end - type) + 1 : 0;
    if (package > 0 && (size < package || strncmp(name, type, package) != 0)) continue;
    return next_line(at);
  }
  return NULL;
}

// Time stamps are not values.
static bool is_time(const char* type) {
  const char* tail = strrchr(type, '/');
  tail = tail ? tail + 1 : type;
  return strcmp(tail, "Time") == 0 || strcmp(tail, "Duration") == 0;
}

static const Primitive* find_primitive(const char* type) {
  for (size_t i = 0; i < sizeof primitives / sizeof primitives[0]; i++) {
    if (strcmp(type, primitives[i].name) == 0) return &primitives[i];
  }
  return NULL;
}

// Take in the fields of the definition that begins at `at`, their names behind `prefix`; no names
// without one. False if out of memory.
static bool add_fields(Parser* p, const char* at, const char* prefix, int depth) {
  for (; *at && !p->ended; at = next_line(at)) {
    if (!count_line(p, at)) {
      p->ended = true;
      return true;
    }
    if (strncmp(at, "====", 4) == 0) return true;
    Line line;
    if (!split(at, &line)) continue;
    char name[NAME_SIZE];
    if (prefix) {
      const int n = snprintf(name, sizeof name, "%s%s%s", prefix, prefix[0] ? "." : "", line.name);
      if (n < 0 || (size_t)n >= sizeof name) prefix = NULL;
    }
    const Primitive* primitive = find_primitive(line.type);
    if (primitive) {
      p->ended = p->msg->fields >= MAX_FIELDS;
      if (!p->ended && !add_primitive(p->msg, primitive, &line, prefix ? name : NULL)) return false;
      continue;
    }
    const char* type = line.count == 1 && depth < MAX_DEPTH ? find_type(p, line.type) : NULL;
    if (!type) {
      p->ended = true;
      return true;
    }
    const char* inner = prefix && !is_time(line.type) ? name : NULL;
    if (!add_fields(p, type, inner, depth + 1)) return false;
  }
  return true;
}

bool rut_msg_parse(rutMsg* msg, const char* definition, long* lines) {
  *msg = (rutMsg){0};
  const long most = *lines < MAX_LINES ? *lines : MAX_LINES;
  Parser p = {.msg = msg, .text = definition, .lines = most};
  const bool fine = add_fields(&p, definition, "", 0);
  *lines -= most - (p.lines > 0 ? p.lines : 0);
  return fine;
}

void rut_msg_free(rutMsg* msg) {
  for (int i = 0; i < msg->fields; i++) {
    free(msg->field[i].name);
    free(msg->field[i].unit);
    free(msg->field[i].doc);
  }
  free(msg->field);
  *msg = (rutMsg){0};
}

static double number_at(const rutMsgField* f, const unsigned char* at) {
  uint64_t bits = 0;
  for (int i = 0; i < f->size; i++) bits |= (uint64_t)at[i] << (8 * i);
  if (f->kind == 'f' && f->size == 8) return rut_get_f64(at);
  if (f->kind == 'f') {
    const uint32_t half = (uint32_t)bits;
    float value;
    memcpy(&value, &half, sizeof value);
    return (double)value;
  }
  if (f->kind == 'i') {
    // spread the sign
    const int unused = 64 - 8 * f->size;
    return (double)((int64_t)(bits << unused) / ((int64_t)1 << unused));
  }
  return (double)bits;
}

// Move *at to a multiple of size from the start of the message.
static void align(size_t* at, size_t size) { *at = (*at + size - 1) / size * size; }

bool rut_msg_read(const rutMsg* msg, const unsigned char* bytes, size_t size, int n,
                  const int* field, double* out) {
  // little-endian, plain CDR
  if (size < 4 || bytes[0] != 0 || bytes[1] != 1) return false;
  bytes += 4;
  size -= 4;
  size_t at = 0;
  int found = 0;
  for (int i = 0; i < msg->fields && found < n; i++) {
    const rutMsgField* f = &msg->field[i];
    uint64_t count = f->count > 0 ? (uint64_t)f->count : 1;
    if (f->count < 0) {
      align(&at, 4);
      if (at > size || size - at < 4) return false;
      count = rut_get_u32(bytes + at);
      at += 4;
    }
    if (f->kind == 's') {
      if (count > size) return false;
      for (uint64_t k = 0; k < count; k++) {
        align(&at, 4);
        if (at > size || size - at < 4) return false;
        const uint32_t length = rut_get_u32(bytes + at);
        at += 4;
        if (length > size - at) return false;
        at += length;
      }
      continue;
    }
    if (count == 0) continue;
    align(&at, f->size);
    if (at > size || count > (size - at) / f->size) return false;
    if (i == field[found]) out[found++] = number_at(f, bytes + at);
    at += (size_t)count * f->size;
  }
  return found == n;
}
