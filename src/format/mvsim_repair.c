// SPDX-License-Identifier: BSD-3-Clause
//
// MVSim reads XML with a parser that checks little, and worlds in use rely on it: one of its own
// vehicles closes <model_offset_x> with </model_offset_z>, one of its demos has a < in an
// attribute. Such text is put right here, before the strict parser sees it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/mvsim_load.h"

enum { MAX_OPEN = 1024 };

typedef struct Word {
  const char* p;
  size_t n;
} Word;

typedef struct Repair {
  rutMvsim* load;
  const char* file;
  const char *p, *end;
  const char* copied;  // all before is in out
  char* out;
  size_t size, capacity;
  bool no_memory;
  Word open[MAX_OPEN];  // elements around
  int depth;
  const char* counted;  // line and column are those of this byte
  int line, column;
} Repair;

static void append(Repair* r, const char* text, size_t n) {
  if (r->no_memory) return;
  if (r->capacity - r->size < n + 1) {
    const size_t capacity = 2 * r->capacity + n + 4096;
    char* grown = realloc(r->out, capacity);
    if (!grown) {
      r->no_memory = true;
      return;
    }
    r->out = grown;
    r->capacity = capacity;
  }
  memcpy(r->out + r->size, text, n);
  r->size += n;
}

// Put a text in the place of [from, to) of the input.
static void replace(Repair* r, const char* from, const char* to, const char* text, size_t n) {
  append(r, r->copied, (size_t)(from - r->copied));
  append(r, text, n);
  r->copied = to;
}

static bool looking_at(const Repair* r, const char* word) {
  const size_t n = strlen(word);
  return (size_t)(r->end - r->p) >= n && memcmp(r->p, word, n) == 0;
}

// First byte of `word` at or after `from`; NULL if there is none.
static const char* find(const Repair* r, const char* from, const char* word) {
  const size_t n = strlen(word);
  for (; (size_t)(r->end - from) >= n; from++) {
    from = memchr(from, word[0], (size_t)(r->end - from));
    if (!from || (size_t)(r->end - from) < n) return NULL;
    if (memcmp(from, word, n) == 0) return from;
  }
  return NULL;
}

static bool is_name_byte(char c) { return c && !strchr(" \t\r\n/>=<\"'", c); }

static Word read_name(Repair* r) {
  Word name = {r->p, 0};
  while (r->p < r->end && is_name_byte(*r->p)) r->p++;
  name.n = (size_t)(r->p - name.p);
  return name;
}

static rutPlace place_of(Repair* r, const char* at) {
  for (; r->counted < at; r->counted++) {
    const unsigned char c = (unsigned char)*r->counted;
    if (c == '\n') {
      r->line++;
      r->column = 1;
    } else if ((c & 0xc0) != 0x80) {
      r->column++;
    }
  }
  return (rutPlace){r->file, r->line, r->column};
}

// A comment must not have -- inside.
static void repair_comment(Repair* r) {
  const char* content = r->p + 4;
  const char* close = find(r, content, "-->");
  for (const char* c = content; close && c < close; c++) {
    const bool twice = c > content && c[-1] == '-';
    if (*c == '-' && (twice || c + 1 == close)) replace(r, c, c + 1, "_", 1);
  }
  r->p = close ? close + 3 : r->end;
}

// A lone & stands for itself.
static void repair_ampersand(Repair* r) {
  static const char* const known[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
  for (int i = 0; i < RUT_COUNT_OF(known); i++) {
    if (looking_at(r, known[i])) return;
  }
  const char* c = r->p + 1;
  if (c < r->end && *c == '#') {
    for (c++; c < r->end && strchr("xX0123456789abcdefABCDEF", *c) && *c; c++) continue;
    if (c < r->end && *c == ';') return;
  }
  replace(r, r->p, r->p + 1, "&amp;", 5);
}

static void repair_value(Repair* r, char quote) {
  for (r->p++; r->p < r->end && *r->p != quote; r->p++) {
    if (*r->p == '<') replace(r, r->p, r->p + 1, "&lt;", 4);
    if (*r->p == '&') repair_ampersand(r);
  }
  if (r->p < r->end) r->p++;
}

static void repair_open_tag(Repair* r) {
  r->p++;
  const Word name = read_name(r);
  while (r->p < r->end && *r->p != '>' && *r->p != '<') {
    const char c = *r->p;
    if (c == '"' || c == '\'') {
      repair_value(r, c);
    } else {
      r->p++;
    }
  }
  const bool empty = r->p > name.p && r->p[-1] == '/';
  if (r->p < r->end && *r->p == '>') r->p++;
  if (!empty && r->depth < MAX_OPEN) r->open[r->depth++] = name;
}

static void repair_close_tag(Repair* r) {
  const char* start = r->p;
  r->p += 2;
  const Word name = read_name(r);
  if (r->depth > 0) {
    const Word open = r->open[--r->depth];
    if (open.n != name.n || memcmp(open.p, name.p, name.n) != 0) {
      char label[RUT_MVSIM_LABEL];
      snprintf(label, sizeof label, "<%.*s>", (int)(open.n < 60 ? open.n : 60), open.p);
      rut_mvsim_warn(r->load, place_of(r, start), label, NULL,
                     "%s is closed by </%.*s>, which is taken as its end", label,
                     (int)(name.n < 60 ? name.n : 60), name.p);
      replace(r, name.p, name.p + name.n, open.p, open.n);
    }
  }
  while (r->p < r->end && *r->p != '>') r->p++;
  if (r->p < r->end) r->p++;
}

static void skip_past(Repair* r, const char* word) {
  const char* found = find(r, r->p, word);
  r->p = found ? found + strlen(word) : r->end;
}

rutStatus rut_mvsim_repair(rutMvsim* load, const char* text, size_t size, const char* file,
                           char** out, size_t* out_size) {
  *out = NULL;
  *out_size = 0;
  Repair* r = calloc(1, sizeof *r);
  if (!r) return RUT_ERR_MEMORY;
  *r = (Repair){.load = load,
                .file = file,
                .p = text,
                .end = text + size,
                .copied = text,
                .counted = text,
                .line = 1,
                .column = 1};
  while (r->p < r->end && !r->no_memory && r->depth < MAX_OPEN) {
    if (*r->p == '&') {
      repair_ampersand(r);
      r->p++;
    } else if (*r->p != '<') {
      r->p++;
    } else if (looking_at(r, "<!--")) {
      repair_comment(r);
    } else if (looking_at(r, "<![CDATA[")) {
      skip_past(r, "]]>");
    } else if (looking_at(r, "<?")) {
      skip_past(r, "?>");
    } else if (looking_at(r, "<!")) {
      break;  // a document type is refused by the parser
    } else if (looking_at(r, "</")) {
      repair_close_tag(r);
    } else {
      repair_open_tag(r);
    }
  }
  if (r->copied != text) {
    append(r, r->copied, (size_t)(r->end - r->copied));
    if (!r->no_memory) r->out[r->size] = '\0';
  }
  const bool failed = r->no_memory;
  if (failed) {
    free(r->out);
  } else {
    *out = r->out;
    *out_size = r->size;
  }
  free(r);
  return failed ? RUT_ERR_MEMORY : RUT_OK;
}
