// SPDX-License-Identifier: BSD-3-Clause
//
// K. Thompson, "Regular expression search algorithm", CACM 11 (1968) 419-422: all ways through the
// nodes are followed at once, so that none is gone twice at one place of the text.
#include "host/regular_expression.h"

#include <ctype.h>
#include <string.h>

// ---- taking apart ----

typedef struct Reader {
  const char* at;
  rutRegularExpression* out;
} Reader;

static bool read_alternatives(Reader* r);

static void add_to_set(uint32_t set[8], unsigned char c) { set[c / 32] |= UINT32_C(1) << c % 32; }

// Put a node before that of a number; splits and jumps within what follows it stay right. There is
// room, since no character makes more than two.
static rutRegularNode* insert(Reader* r, int before, rutRegularKind kind, int to) {
  rutRegularExpression* e = r->out;
  rutRegularNode* n = &e->node[before];
  memmove(n + 1, n, (size_t)(e->nodes - before) * sizeof *n);
  e->nodes++;
  *n = (rutRegularNode){.kind = kind, .to = to};
  return n;
}

static rutRegularNode* append(Reader* r, rutRegularKind kind, int to) {
  return insert(r, r->out->nodes, kind, to);
}

// "[:alpha:]" of which the first two characters are read. False if there is no such class.
static bool read_class(Reader* r, uint32_t set[8]) {
  static const struct {
    const char* name;
    int (*has)(int c);
  } known[] = {{"alpha:]", isalpha}, {"digit:]", isdigit}, {"alnum:]", isalnum},
               {"upper:]", isupper}, {"lower:]", islower}, {"space:]", isspace},
               {"blank:]", isblank}, {"punct:]", ispunct}, {"print:]", isprint},
               {"graph:]", isgraph}, {"cntrl:]", iscntrl}, {"xdigit:]", isxdigit}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    const size_t length = strlen(known[i].name);
    if (strncmp(r->at, known[i].name, length) != 0) continue;
    r->at += length;
    for (int c = 0; c < 128; c++) {
      if (known[i].has(c)) add_to_set(set, (unsigned char)c);
    }
    return true;
  }
  return false;
}

// One item of a bracket: a character, a range or a class.
static bool read_item(Reader* r, uint32_t set[8]) {
  const unsigned char first = (unsigned char)*r->at++;
  if (first == '[' && *r->at == ':') {
    r->at++;
    return read_class(r, set);
  }
  // elements of collation are none of plain bytes
  if (first == '[' && (*r->at == '.' || *r->at == '=')) return false;
  unsigned char last = first;
  if (r->at[0] == '-' && r->at[1] && r->at[1] != ']') {
    last = (unsigned char)r->at[1];
    if (last == '[' && r->at[2] && strchr(":.=", r->at[2])) return false;
    r->at += 2;
  }
  for (int c = first; c <= last; c++) add_to_set(set, (unsigned char)c);
  return first <= last;
}

// Behind "[".
static bool read_bracket(Reader* r) {
  uint32_t set[8] = {0};
  const bool others = *r->at == '^';
  r->at += others;
  // a bracket that closes is one of the set where it comes first
  do {
    if (!*r->at || !read_item(r, set)) return false;
  } while (*r->at != ']');
  r->at++;
  rutRegularNode* n = append(r, RUT_REGULAR_BYTE, 0);
  for (int i = 0; i < 8; i++) n->set[i] = others ? ~set[i] : set[i];
  return true;
}

static bool read_atom(Reader* r) {
  const char c = *r->at++;
  switch (c) {
    case '(':
      if (!read_alternatives(r) || *r->at != ')') return false;
      r->at++;
      return true;
    case '[':
      return read_bracket(r);
    case '^':
      append(r, RUT_REGULAR_BEGIN, 0);
      return true;
    case '$':
      append(r, RUT_REGULAR_END, 0);
      return true;
    case '.': {
      rutRegularNode* n = append(r, RUT_REGULAR_BYTE, 0);
      memset(n->set, 0xff, sizeof n->set);
      return true;
    }
    default:
      if (strchr("*+?{}\\", c)) return false;
      add_to_set(append(r, RUT_REGULAR_BYTE, 0)->set, (unsigned char)c);
      return true;
  }
}

static void repeat(Reader* r, int begin, char how) {
  const int length = r->out->nodes - begin;
  if (how == '+') {
    append(r, RUT_REGULAR_SPLIT, -length);
    return;
  }
  insert(r, begin, RUT_REGULAR_SPLIT, length + (how == '*' ? 2 : 1));
  if (how == '*') append(r, RUT_REGULAR_JUMP, -(length + 1));
}

static bool read_sequence(Reader* r) {
  while (*r->at && *r->at != '|' && *r->at != ')') {
    const int begin = r->out->nodes;
    const bool anchor = *r->at == '^' || *r->at == '$';
    if (!read_atom(r)) return false;
    // an end of the text is not repeated
    while (!anchor && *r->at && strchr("*+?", *r->at)) repeat(r, begin, *r->at++);
  }
  return true;
}

static bool read_alternatives(Reader* r) {
  const int begin = r->out->nodes;
  if (!read_sequence(r)) return false;
  if (*r->at != '|') return true;
  r->at++;
  // the split goes to the next alternative as well, and the jump behind that
  insert(r, begin, RUT_REGULAR_SPLIT, r->out->nodes - begin + 2);
  const int jump = r->out->nodes;
  append(r, RUT_REGULAR_JUMP, 1);
  const bool fine = read_alternatives(r);
  r->out->node[jump].to = r->out->nodes - jump;
  return fine;
}

bool rut_regular_compile(const char* text, rutRegularExpression* out) {
  out->nodes = 0;
  if (strlen(text) > RUT_REGULAR_MOST) return false;
  Reader r = {.at = text, .out = out};
  if (!read_alternatives(&r) || *r.at) return false;
  append(&r, RUT_REGULAR_FOUND, 0);
  return true;
}

// ---- finding ----

// Nodes at which ways are, before one byte of the text.
typedef struct Ways {
  int n;
  int at[RUT_REGULAR_NODES];
  bool has[RUT_REGULAR_NODES];
} Ways;

static void reach(Ways* w, int node) {
  if (w->has[node]) return;
  w->has[node] = true;
  w->at[w->n++] = node;
}

// Follow what takes no byte; nodes that are reached on the way stand behind. True: an end is.
static bool follow(const rutRegularExpression* e, Ways* w, bool begin, bool end) {
  for (int i = 0; i < w->n; i++) {
    const int at = w->at[i];
    const rutRegularNode* n = &e->node[at];
    if (n->kind == RUT_REGULAR_FOUND) return true;
    if (n->kind == RUT_REGULAR_SPLIT || n->kind == RUT_REGULAR_JUMP) reach(w, at + n->to);
    const bool passes = n->kind == RUT_REGULAR_SPLIT || (n->kind == RUT_REGULAR_BEGIN && begin) ||
                        (n->kind == RUT_REGULAR_END && end);
    if (passes) reach(w, at + 1);
  }
  return false;
}

bool rut_regular_matches(const rutRegularExpression* expression, const char* text) {
  Ways ways = {0};
  for (const char* c = text;; c++) {
    // a part that matches may begin anywhere
    reach(&ways, 0);
    if (follow(expression, &ways, c == text, !*c)) return true;
    if (!*c) return false;
    Ways next = {0};
    const unsigned char byte = (unsigned char)*c;
    for (int i = 0; i < ways.n; i++) {
      const rutRegularNode* n = &expression->node[ways.at[i]];
      const bool has = n->set[byte / 32] >> byte % 32 & 1;
      if (n->kind == RUT_REGULAR_BYTE && has) reach(&next, ways.at[i] + 1);
    }
    ways = next;
  }
}
