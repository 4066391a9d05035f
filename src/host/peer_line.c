// SPDX-License-Identifier: BSD-3-Clause
#include "host/peer_line.h"

#include <string.h>

#include "base/report.h"
#include "base/units.h"

typedef struct Reader {
  const char *start, *at, *end;
  rutError* err;
} Reader;

static rutStatus fail(const Reader* r, const char* at, const char* what) {
  rut_error_set(r->err, RUT_ERR_PARSE, "%s", what);
  if (r->err) r->err->column = (int)(at - r->start) + 1;
  return RUT_ERR_PARSE;
}

static void skip_blanks(Reader* r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')) r->at++;
}

static bool take(Reader* r, char c) {
  skip_blanks(r);
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

// ---- texts ----

// Bytes of the UTF-8 character at a place, 0 if it is none (RFC 3629).
static size_t utf8_length(const unsigned char* p, size_t left) {
  const unsigned char first = p[0];
  const size_t n = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (n == 0 || n > left || first > 0xf4) return 0;
  for (size_t i = 1; i < n; i++) {
    if ((p[i] & 0xc0) != 0x80) return 0;
  }
  // overlong forms, surrogates, and beyond the last character
  if ((first == 0xe0 && p[1] < 0xa0) || (first == 0xed && p[1] > 0x9f) ||
      (first == 0xf0 && p[1] < 0x90) || (first == 0xf4 && p[1] > 0x8f)) {
    return 0;
  }
  return n;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// What follows a backslash, as one byte; -1 if it is none. Names are ASCII: other characters come
// as they are, and \u is for those alone.
static int escaped(Reader* r) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  if (r->at == r->end) return -1;
  const char c = *r->at++;
  const char* found = c ? strchr(from, c) : NULL;
  if (found) return to[found - from];
  if (c != 'u' || r->end - r->at < 4) return -1;
  int code = 0;
  for (int i = 0; i < 4; i++) {
    const int digit = hex_digit(*r->at++);
    if (digit < 0) return -1;
    code = 16 * code + digit;
  }
  return code > 0 && code < 0x80 ? code : -1;
}

static rutStatus read_string(Reader* r, char text[RUT_PEER_TEXT]) {
  const char* first = r->at - 1;
  size_t used = 0;
  while (r->at < r->end && *r->at != '"') {
    char bytes[4];
    size_t n = 1;
    if (*r->at == '\\') {
      const char* at = r->at++;
      const int c = escaped(r);
      if (c < 0) return fail(r, at, "a string has an escape that is not taken");
      bytes[0] = (char)c;
    } else {
      const unsigned char* p = (const unsigned char*)r->at;
      n = utf8_length(p, (size_t)(r->end - r->at));
      if (n == 0) return fail(r, r->at, "a string is not UTF-8");
      if (p[0] < 0x20) return fail(r, r->at, "a string has a control character");
      memcpy(bytes, r->at, n);
      r->at += n;
    }
    if (used + n >= RUT_PEER_TEXT) return fail(r, first, "a string is longer than 127 bytes");
    memcpy(text + used, bytes, n);
    used += n;
  }
  if (r->at == r->end) return fail(r, first, "a string has no end");
  r->at++;
  text[used] = '\0';
  return RUT_OK;
}

// ---- numbers and words ----

static const char* skip_digits(const char* at, const char* end) {
  while (at < end && *at >= '0' && *at <= '9') at++;
  return at;
}

// End of the number at a place, as JSON writes them; NULL if there is none.
static const char* number_end(const char* at, const char* end) {
  if (at < end && *at == '-') at++;
  const char* whole = at;
  at = skip_digits(at, end);
  if (at == whole || (*whole == '0' && at - whole > 1)) return NULL;
  if (at < end && *at == '.') {
    const char* part = ++at;
    at = skip_digits(at, end);
    if (at == part) return NULL;
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    at++;
    if (at < end && (*at == '+' || *at == '-')) at++;
    const char* exponent = at;
    at = skip_digits(at, end);
    if (at == exponent) return NULL;
  }
  return at;
}

static rutStatus read_number(Reader* r, double* number) {
  enum { LONGEST = 64 };
  char text[LONGEST];
  const char* first = r->at;
  const char *end = number_end(first, r->end), *rest;
  if (!end) return fail(r, first, "a value is neither a number, a string, true, false nor null");
  const size_t n = (size_t)(end - first);
  if (n >= sizeof text) return fail(r, first, "a number is longer than 63 characters");
  memcpy(text, first, n);
  text[n] = '\0';
  if (!rut_parse_number(text, number, &rest) || *rest) {
    return fail(r, first, "a number is too large");
  }
  r->at = end;
  return RUT_OK;
}

static bool take_word(Reader* r, const char* word) {
  const size_t n = strlen(word);
  if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0) return false;
  r->at += n;
  return true;
}

static rutStatus read_value(Reader* r, rutPeerMember* m) {
  skip_blanks(r);
  m->number = 0;
  m->text[0] = '\0';
  if (take(r, '"')) {
    m->kind = RUT_PEER_STRING;
    return read_string(r, m->text);
  }
  if (r->at < r->end && (*r->at == '{' || *r->at == '[')) {
    return fail(r, r->at, "a value is an object or an array: lines are flat");
  }
  if (take_word(r, "true") || take_word(r, "false")) {
    m->kind = RUT_PEER_FLAG;
    m->number = r->at[-2] == 'u';  // of tr(u)e
    return RUT_OK;
  }
  if (take_word(r, "null")) {
    m->kind = RUT_PEER_NULL;
    return RUT_OK;
  }
  m->kind = RUT_PEER_NUMBER;
  return read_number(r, &m->number);
}

// ---- the object ----

static rutStatus read_member(Reader* r, rutPeerLine* out) {
  skip_blanks(r);
  const char* first = r->at;
  if (!take(r, '"')) return fail(r, first, "a key in \" is missing");
  if (out->members == RUT_PEER_MEMBERS) return fail(r, first, "a line has more than 64 members");
  rutPeerMember* m = &out->member[out->members];
  rutStatus status = read_string(r, m->key);
  if (status != RUT_OK) return status;
  m->column = (int)(first - r->start) + 1;
  if (rut_peer_find(out, m->key)) return fail(r, first, "a key stands twice");
  skip_blanks(r);
  if (!take(r, ':')) return fail(r, r->at, "a : is missing behind a key");
  status = read_value(r, m);
  if (status == RUT_OK) out->members++;
  return status;
}

rutStatus rut_peer_parse(const char* text, size_t size, rutPeerLine* out, rutError* err) {
  Reader r = {text, text, text + size, err};
  out->members = 0;
  if (!take(&r, '{')) return fail(&r, r.at, "a line is a JSON object: {\"type\": ...}");
  bool more = !take(&r, '}');
  while (more) {
    const rutStatus status = read_member(&r, out);
    if (status != RUT_OK) return status;
    more = take(&r, ',');
    if (!more && !take(&r, '}')) return fail(&r, r.at, "a , or } is missing");
  }
  skip_blanks(&r);
  return r.at == r.end ? RUT_OK : fail(&r, r.at, "there is more behind the object");
}

const rutPeerMember* rut_peer_find(const rutPeerLine* line, const char* key) {
  for (int i = 0; i < line->members; i++) {
    if (strcmp(line->member[i].key, key) == 0) return &line->member[i];
  }
  return NULL;
}
