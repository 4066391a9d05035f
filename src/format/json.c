// SPDX-License-Identifier: BSD-3-Clause
//
// jansson reads and checks the text. It gives no places of values, so a second walk over the text,
// by now known to be JSON, goes along with its tree, whose objects keep the order of the file. The
// C interface of jansson 2 has not changed since 2009: the few functions are declared here, and no
// header is needed to build.
#include "format/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/dynamic.h"

// Values of jansson.h.
enum { REJECT_DUPLICATES = 0x1, INT_AS_REAL = 0x8 };
enum { OBJECT, ARRAY, STRING, INTEGER, REAL, YES, NO, NOTHING };

typedef struct Any {
  int type;
  volatile size_t references;
} Any;

typedef struct Fault {
  int line, column, position;
  char source[80], text[160];
} Fault;

typedef struct Jansson {
  Any* (*load)(const char* text, size_t size, size_t flags, Fault* fault);
  void (*delete)(Any* value);
  void* (*iterator)(Any* object);
  void* (*following)(Any* object, void* iterator);
  const char* (*key)(void* iterator);
  Any* (*value)(void* iterator);
  size_t (*size)(const Any* array);
  Any* (*at)(const Any* array, size_t index);
  const char* (*string)(const Any* value);
  double (*number)(const Any* value);
} Jansson;

struct rutJson {
  Jansson library;
  Any* tree;
  rutJsonValue* value;
  int values;
};

// Where the second walk stands.
typedef struct Walk {
  const char *at, *end;
  int line, column;
} Walk;

static bool load_library(Jansson* j) {
  static const char* const names[] = {"libjansson.so.4", "libjansson.so", "libjansson.4.dylib"};
  const rutSymbol symbols[] = {
      {"json_loadb", &j->load},           {"json_delete", &j->delete},
      {"json_object_iter", &j->iterator}, {"json_object_iter_next", &j->following},
      {"json_object_iter_key", &j->key},  {"json_object_iter_value", &j->value},
      {"json_array_size", &j->size},      {"json_array_get", &j->at},
      {"json_string_value", &j->string},  {"json_number_value", &j->number}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (rut_dynamic_load(names[i], symbols, sizeof symbols / sizeof symbols[0])) return true;
  }
  return false;
}

// ---- places ----

static void step(Walk* walk) {
  const unsigned char c = (unsigned char)*walk->at++;
  if (c == '\n') {
    walk->line++;
    walk->column = 1;
  } else if (c < 0x80 || c >= 0xc0) {
    walk->column++;  // not for the further bytes of a character
  }
}

static void skip_blanks(Walk* walk) {
  while (walk->at < walk->end && strchr(" \t\r\n,:", *walk->at) && *walk->at) step(walk);
}

static void skip_string(Walk* walk) {
  if (walk->at < walk->end) step(walk);
  while (walk->at < walk->end && *walk->at != '"') {
    if (*walk->at == '\\' && walk->at + 1 < walk->end) step(walk);
    step(walk);
  }
  if (walk->at < walk->end) step(walk);
}

static void skip_word(Walk* walk) {
  while (walk->at < walk->end && !(strchr(" \t\r\n,:]}", *walk->at) && *walk->at)) step(walk);
}

// ---- the tree ----

// Values of a tree, itself included.
static int count_values(const Jansson* j, Any* tree) {
  int n = 1;
  if (tree->type == OBJECT) {
    for (void* i = j->iterator(tree); i; i = j->following(tree, i)) {
      n += count_values(j, j->value(i));
    }
  } else if (tree->type == ARRAY) {
    for (size_t i = 0; i < j->size(tree); i++) n += count_values(j, j->at(tree, i));
  }
  return n;
}

// key is NULL outside of objects.
static rutJsonValue* copy_value(rutJson* json, Walk* walk, Any* from, const char* key);

static void add_child(rutJson* json, Walk* walk, rutJsonValue* parent, rutJsonValue** last,
                      Any* from, const char* key) {
  rutJsonValue* child = copy_value(json, walk, from, key);
  if (*last) {
    (*last)->next = child;
  } else {
    parent->first = child;
  }
  *last = child;
  parent->children++;
}

static void copy_children(rutJson* json, Walk* walk, Any* from, rutJsonValue* value) {
  const Jansson* j = &json->library;
  rutJsonValue* last = NULL;
  if (walk->at < walk->end) step(walk);
  if (from->type == OBJECT) {
    for (void* i = j->iterator(from); i; i = j->following(from, i)) {
      add_child(json, walk, value, &last, j->value(i), j->key(i));
    }
  } else {
    for (size_t i = 0; i < j->size(from); i++) {
      add_child(json, walk, value, &last, j->at(from, i), NULL);
    }
  }
  skip_blanks(walk);
  if (walk->at < walk->end) step(walk);
}

static rutJsonValue* copy_value(rutJson* json, Walk* walk, Any* from, const char* key) {
  static const rutJsonKind kind[] = {
      [OBJECT] = RUT_JSON_OBJECT,  [ARRAY] = RUT_JSON_ARRAY, [STRING] = RUT_JSON_STRING,
      [INTEGER] = RUT_JSON_NUMBER, [REAL] = RUT_JSON_NUMBER, [YES] = RUT_JSON_BOOLEAN,
      [NO] = RUT_JSON_BOOLEAN,     [NOTHING] = RUT_JSON_NULL};
  rutJsonValue* value = &json->value[json->values++];
  skip_blanks(walk);
  *value = (rutJsonValue){.kind = kind[from->type],
                          .key = key ? key : "",
                          .text = "",
                          .line = walk->line,
                          .column = walk->column};
  if (key) {
    skip_string(walk);
    skip_blanks(walk);
  }
  if (value->kind == RUT_JSON_OBJECT || value->kind == RUT_JSON_ARRAY) {
    copy_children(json, walk, from, value);
  } else if (value->kind == RUT_JSON_STRING) {
    value->text = json->library.string(from);
    skip_string(walk);
  } else {
    value->number = value->kind == RUT_JSON_NUMBER ? json->library.number(from) : from->type == YES;
    skip_word(walk);
  }
  return value;
}

rutStatus rut_json_parse(const char* text, size_t size, const char* name, rutReporter* reporter,
                         rutJson** out) {
  *out = NULL;
  const rutPlace start = {name, 0, 0};
  const size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  rutJson* json = calloc(1, sizeof *json);
  if (!json) return rut_report_error(reporter, RUT_ERR_MEMORY, start, "", "", "out of memory");
  if (!load_library(&json->library)) {
    free(json);
    return rut_report_error(reporter, RUT_ERR_MISSING, start, "", "apt-get install libjansson4",
                            "reading JSON needs the library jansson");
  }
  Fault fault = {0};
  json->tree =
      json->library.load(text + mark, size - mark, REJECT_DUPLICATES | INT_AS_REAL, &fault);
  if (!json->tree) {
    free(json);
    const rutPlace place = {name, fault.line, fault.column > 0 ? fault.column : 1};
    return rut_report_error(reporter, RUT_ERR_PARSE, place, "", "", "not well-formed JSON: %s",
                            fault.text);
  }
  const int values = count_values(&json->library, json->tree);
  json->value = calloc((size_t)values, sizeof *json->value);
  if (!json->value) {
    rut_json_destroy(json);
    return rut_report_error(reporter, RUT_ERR_MEMORY, start, "", "", "out of memory");
  }
  Walk walk = {text + mark, text + size, 1, 1};
  copy_value(json, &walk, json->tree, NULL);
  *out = json;
  return RUT_OK;
}

const rutJsonValue* rut_json_root(const rutJson* json) { return json->value; }

void rut_json_destroy(rutJson* json) {
  if (!json) return;
  json->library.delete(json->tree);
  free(json->value);
  free(json);
}

const rutJsonValue* rut_json_find(const rutJsonValue* object, const char* key) {
  const rutJsonValue* child = object->kind == RUT_JSON_OBJECT ? object->first : NULL;
  while (child && strcmp(child->key, key) != 0) child = child->next;
  return child;
}

const char* rut_json_kind_text(rutJsonKind kind) {
  static const char* const text[] = {"null",     "true or false", "a number",
                                     "a string", "a list",        "an object"};
  return text[kind];
}
