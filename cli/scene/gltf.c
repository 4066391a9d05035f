// SPDX-License-Identifier: BSD-3-Clause
#include "scene/gltf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 64, KEY_SIZE = 16, NUMBER_SIZE = 64 };

typedef struct Reader {
  const char *at, *end;
  int depth;                  // objects and arrays around
  char key[DEPTH][KEY_SIZE];  // of the member at each depth; "" in arrays and for long ones
  bool versioned;             // asset.version was there
  viewGltfPart part;          // of the object that is read
  viewGltfFound found;
  void* user;
} Reader;

static bool read_value(Reader* r);

// ---- tokens ----

static void skip_space(Reader* r) {
  while (r->at < r->end && memchr(" \t\r\n", *r->at, 4)) r->at++;
}

// True, and behind it, if a character comes next.
static bool take(Reader* r, char c) {
  skip_space(r);
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

static bool take_word(Reader* r, const char* word) {
  const size_t n = strlen(word);
  if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0) return false;
  r->at += n;
  return true;
}

// A string; *text and *length get what stands between its quotes.
static bool take_string(Reader* r, const char** text, size_t* length) {
  if (!take(r, '"')) return false;
  *text = r->at;
  for (; r->at < r->end && *r->at != '"'; r->at++) {
    if ((unsigned char)*r->at < ' ') return false;
    if (*r->at == '\\' && ++r->at == r->end) return false;
  }
  if (r->at == r->end) return false;
  *length = (size_t)(r->at++ - *text);
  return true;
}

static bool take_number(Reader* r, double* value) {
  char text[NUMBER_SIZE], *end;
  size_t n = 0;
  while (n < (size_t)(r->end - r->at) && n < NUMBER_SIZE - 1 &&
         memchr("0123456789+-.eE", r->at[n], 15)) {
    text[n] = r->at[n];
    n++;
  }
  text[n] = '\0';
  *value = strtod(text, &end);
  r->at += n;
  return n > 0 && *end == '\0';
}

// ---- members that matter ----

static bool at(const Reader* r, int depth, const char* key) {
  return strcmp(r->key[depth], key) == 0;
}

// True in the objects of the top level's arrays "buffers" and "images".
static bool in_part(const Reader* r) {
  return r->depth == 3 && (at(r, 0, "buffers") || at(r, 0, "images"));
}

static void see_string(Reader* r, const char* text, size_t length) {
  if (r->depth == 2 && at(r, 0, "asset") && at(r, 1, "version")) r->versioned = true;
  if (!in_part(r) || !at(r, 2, "uri") || memchr(text, '\\', length)) return;
  r->part.uri = text;
  r->part.length = length;
}

static void see_number(Reader* r, double value) {
  if (in_part(r) && at(r, 2, "byteLength")) r->part.bytes = value;
}

static void end_object(Reader* r) {
  if (!in_part(r) || !r->part.uri || !r->found) return;
  r->part.buffer = at(r, 0, "buffers");
  r->found(&r->part, r->user);
}

// ---- values ----

static bool read_key(Reader* r) {
  const char* text;
  size_t n;
  if (!take_string(r, &text, &n)) return false;
  char* key = r->key[r->depth - 1];
  if (n >= KEY_SIZE) n = 0;
  memcpy(key, text, n);
  key[n] = '\0';
  return take(r, ':');
}

// Behind the bracket that opens it.
static bool read_group(Reader* r, char close) {
  const bool object = close == '}';
  if (r->depth == DEPTH) return false;
  r->key[r->depth++][0] = '\0';
  if (object && in_part(r)) r->part = (viewGltfPart){.bytes = (double)NAN};
  bool fine = true;
  if (!take(r, close)) {
    do {
      fine = (!object || read_key(r)) && read_value(r);
    } while (fine && take(r, ','));
    fine = fine && take(r, close);
  }
  if (fine && object) end_object(r);
  r->depth--;
  return fine;
}

static bool read_value(Reader* r) {
  skip_space(r);
  if (r->at == r->end) return false;
  if (take(r, '{')) return read_group(r, '}');
  if (take(r, '[')) return read_group(r, ']');
  if (*r->at == '"') {
    const char* text;
    size_t length;
    if (!take_string(r, &text, &length)) return false;
    see_string(r, text, length);
    return true;
  }
  if (take_word(r, "true") || take_word(r, "false") || take_word(r, "null")) return true;
  double value;
  if (!take_number(r, &value)) return false;
  see_number(r, value);
  return true;
}

bool view_gltf_read(const char* text, size_t size, viewGltfFound found, void* user) {
  Reader r = {.at = text, .end = text + size, .found = found, .user = user};
  skip_space(&r);
  if (r.at == r.end || *r.at != '{' || !read_value(&r)) return false;
  skip_space(&r);
  return r.at == r.end && r.versioned;
}
