// SPDX-License-Identifier: BSD-3-Clause
#include "host/ros_type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/sha256.h"
#include "host/bytes.h"

enum { MOST_TYPES = 32, LINE_SIZE = 512, WORD = 128 };

// Numbers of types in descriptions (type_description_interfaces/msg/FieldType), and what is added
// for arrays.
static const struct {
  const char* name;
  int id;
} primitives[] = {{"int8", 2},     {"uint8", 3},  {"char", 3},  {"int16", 4},  {"uint16", 5},
                  {"int32", 6},    {"uint32", 7}, {"int64", 8}, {"uint64", 9}, {"float32", 10},
                  {"float64", 11}, {"bool", 15},  {"byte", 16}, {"string", 17}};
enum { NESTED = 1, STRING = 17, BOUNDED_STRING = 21 };
enum { ARRAY = 48, BOUNDED_SEQUENCE = 96, SEQUENCE = 144 };

// A definition being described.
typedef struct Describing {
  const char* text;             // all definitions
  char type[MOST_TYPES][WORD];  // "package/msg/Name" of those that are made use of
  int types;
  rutError* err;
} Describing;

typedef struct Field {
  char name[WORD], nested[WORD];  // nested: "" for primitive types
  int id;
  long capacity, string_capacity;
} Field;

static size_t line_length(const char* text) { return strcspn(text, "\n"); }

static const char* next_line(const char* text) {
  text += line_length(text);
  return *text ? text + 1 : text;
}

static rutStatus wrong(Describing* d, const char* what, const char* line) {
  return rut_error_set(d->err, RUT_ERR_PARSE, "definition of a message: %s: '%.*s'", what,
                       (int)(line_length(line) < 100 ? line_length(line) : 100), line);
}

// "package/Name" and "package/msg/Name" are one type.
static bool full_name(const char* from, char to[WORD]) {
  const char* slash = strchr(from, '/');
  if (!slash) return false;
  const bool full = strchr(slash + 1, '/') != NULL;
  const int n = full ? snprintf(to, WORD, "%s", from)
                     : snprintf(to, WORD, "%.*s/msg/%s", (int)(slash - from), from, slash + 1);
  return n > 0 && n < WORD;
}

// "string<=256", "float64[36]", "Point[<=4]", "uint8[]".
static bool read_type(char* word, Field* f) {
  int shape = 0;
  char* bracket = strchr(word, '[');
  if (bracket) {
    const bool bounded = bracket[1] == '<';
    f->capacity = strtol(bracket + (bounded ? 3 : 1), NULL, 10);
    shape = bounded ? BOUNDED_SEQUENCE : f->capacity > 0 ? ARRAY : SEQUENCE;
    *bracket = '\0';
  }
  char* bound = strstr(word, "<=");
  if (bound) {
    f->string_capacity = strtol(bound + 2, NULL, 10);
    *bound = '\0';
  }
  f->id = shape + NESTED;
  for (size_t i = 0; i < sizeof primitives / sizeof primitives[0]; i++) {
    if (strcmp(word, primitives[i].name) == 0) f->id = shape + primitives[i].id;
  }
  if (f->id == shape + STRING && bound) f->id = shape + BOUNDED_STRING;
  return f->id != shape + NESTED || full_name(word, f->nested);
}

// Read a line. *found tells whether it has a field: comments, constants and empty lines have none.
static bool read_field(const char* text, Field* f, bool* found) {
  char line[LINE_SIZE];
  size_t size = line_length(text);
  const char* hash = memchr(text, '#', size);
  if (hash) size = (size_t)(hash - text);
  *found = false;
  *f = (Field){0};
  if (size >= sizeof line) return false;
  memcpy(line, text, size);
  line[size] = '\0';
  char* type = line + strspn(line, " \t\r");
  if (!type[0]) return true;
  char* rest = type + strcspn(type, " \t\r");
  if (*rest) *rest++ = '\0';
  const char* name = rest + strspn(rest, " \t\r");
  const size_t length = strcspn(name, " \t\r=");
  const char* after = name + length + strspn(name + length, " \t\r");
  if (*after == '=') return true;
  if (length == 0 || length >= sizeof f->name) return false;
  memcpy(f->name, name, length);
  *found = true;
  return read_type(type, f);
}

static bool ends_definition(const char* line) { return !*line || strncmp(line, "====", 4) == 0; }

// Where the definition of a type begins, NULL if it is not there.
static const char* find_type(const Describing* d, const char* type) {
  for (const char* at = d->text; *at; at = next_line(at)) {
    if (strncmp(at, "MSG: ", 5) != 0) continue;
    char name[WORD], full[WORD];
    const size_t size = line_length(at) - 5;
    if (size >= sizeof name) continue;
    memcpy(name, at + 5, size);
    name[size] = '\0';
    if (full_name(name, full) && strcmp(full, type) == 0) return next_line(at);
  }
  return NULL;
}

static void put_text(rutBytes* out, const char* text) { rut_bytes_put(out, text, strlen(text)); }

static bool note_type(Describing* d, const char* type) {
  for (int i = 0; i < d->types; i++) {
    if (strcmp(d->type[i], type) == 0) return true;
  }
  if (d->types == MOST_TYPES) return false;
  memcpy(d->type[d->types++], type, strlen(type) + 1);
  return true;
}

// One type, and note those that it is made of.
static rutStatus describe(Describing* d, const char* name, const char* at, rutBytes* out) {
  char text[LINE_SIZE];
  snprintf(text, sizeof text, "{\"type_name\": \"%s\", \"fields\": [", name);
  put_text(out, text);
  bool any = false;
  for (; !ends_definition(at); at = next_line(at)) {
    Field f;
    bool found;
    if (!read_field(at, &f, &found)) return wrong(d, "no field", at);
    if (!found) continue;
    snprintf(text, sizeof text,
             "%s{\"name\": \"%s\", \"type\": {\"type_id\": %d, \"capacity\": %ld, "
             "\"string_capacity\": %ld, \"nested_type_name\": \"%s\"}}",
             any ? ", " : "", f.name, f.id, f.capacity, f.string_capacity, f.nested);
    put_text(out, text);
    any = true;
    if (f.nested[0] && !note_type(d, f.nested)) return wrong(d, "too many types", at);
  }
  // as the generators of ROS have it
  static const char none[] =
      "{\"name\": \"structure_needs_at_least_one_member\", \"type\": {\"type_id\": 3, "
      "\"capacity\": 0, \"string_capacity\": 0, \"nested_type_name\": \"\"}}";
  if (!any) put_text(out, none);
  put_text(out, "]}");
  return RUT_OK;
}

static int by_name(const void* a, const void* b) { return strcmp(a, b); }

// All types that are made use of, first to find them, then in the order of their names.
static rutStatus describe_all(Describing* d, rutBytes* out) {
  rutBytes unused = {0};
  rutStatus status = RUT_OK;
  for (int i = 0; i < d->types && status == RUT_OK; i++) {
    const char* at = find_type(d, d->type[i]);
    status = at ? describe(d, d->type[i], at, &unused) : wrong(d, "not defined", d->type[i]);
  }
  rut_bytes_free(&unused);
  qsort(d->type, (size_t)d->types, sizeof d->type[0], by_name);
  for (int i = 0; i < d->types && status == RUT_OK; i++) {
    if (i > 0) put_text(out, ", ");
    status = describe(d, d->type[i], find_type(d, d->type[i]), out);
  }
  return status;
}

rutStatus rut_ros_type_hash(const char* name, const char* definition, char hash[RUT_ROS_HASH_SIZE],
                            rutError* err) {
  Describing d = {.text = definition, .err = err};
  rutBytes out = {0};
  put_text(&out, "{\"type_description\": ");
  rutStatus status = describe(&d, name, definition, &out);
  put_text(&out, ", \"referenced_type_descriptions\": [");
  if (status == RUT_OK) status = describe_all(&d, &out);
  put_text(&out, "]}");
  if (status == RUT_OK && out.failed) {
    status = rut_error_set(err, RUT_ERR_MEMORY, "no memory for the description of a message");
  }
  char digest[65] = "";
  if (status == RUT_OK) rut_sha256(out.data, out.used, digest);
  snprintf(hash, RUT_ROS_HASH_SIZE, "RIHS01_%s", digest);
  rut_bytes_free(&out);
  return status;
}

bool rut_ros_dds_type(const char* name, char out[RUT_ROS_TYPE_SIZE]) {
  const char* first = strchr(name, '/');
  const char* second = first ? strchr(first + 1, '/') : NULL;
  if (!second) return false;
  const int n = snprintf(out, RUT_ROS_TYPE_SIZE, "%.*s::%.*s::dds_::%s_", (int)(first - name), name,
                         (int)(second - first - 1), first + 1, second + 1);
  return n > 0 && n < RUT_ROS_TYPE_SIZE;
}

void rut_ros_name(const char* from, bool slashes, char out[RUT_ROS_NAME_SIZE]) {
  size_t n = 0;
  bool begins = true;
  for (const char* c = from; *c && n + 2 < RUT_ROS_NAME_SIZE; c++) {
    const bool digit = *c >= '0' && *c <= '9';
    const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
    const bool slash = slashes && *c == '/' && !begins;
    if (digit && begins) out[n++] = '_';
    out[n++] = (char)(digit || letter || slash ? *c : '_');
    begins = slash;
  }
  out[n] = '\0';
}
