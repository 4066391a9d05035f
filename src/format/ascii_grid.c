// SPDX-License-Identifier: BSD-3-Clause
//
// ESRI ASCII grids (.asc), as ArcInfo writes them and GDAL reads them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "format/decimal.h"
#include "format/raster.h"
#include "math/rut_math.h"

enum { TOKEN = 64 };

// Lines of the header; their order is free.
enum { NCOLS, NROWS, XLLCORNER, YLLCORNER, XLLCENTER, YLLCENTER, CELLSIZE, NODATA, KEYS };
static const char* const keys[KEYS] = {"ncols",     "nrows",     "xllcorner", "yllcorner",
                                       "xllcenter", "yllcenter", "cellsize",  "nodata_value"};

typedef struct Parser {
  const char *at, *end, *line_start;
  int line;
  const char* name;
  rutReporter* reporter;
  double head[KEYS];
  bool given[KEYS];
  rutPlace place[KEYS];  // of the values of the header
} Parser;

static rutPlace here(const Parser* p) {
  return (rutPlace){p->name, p->line, (int)(p->at - p->line_start) + 1};
}

static rutStatus fail(const Parser* p, const char* hint, const char* what) {
  return rut_report_error(p->reporter, RUT_ERR_PARSE, here(p), "", hint, "ASCII grid: %s", what);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static void skip_blanks(Parser* p) {
  for (; p->at < p->end && is_blank(*p->at); p->at++) {
    if (*p->at != '\n') continue;
    p->line++;
    p->line_start = p->at + 1;
  }
}

// Copy the word at hand, without moving on. Bytes that must not reach a terminal become '?'.
static size_t peek(const Parser* p, char word[TOKEN]) {
  size_t n = 0;
  const size_t left = (size_t)(p->end - p->at);
  for (; n < TOKEN - 1 && n < left && !is_blank(p->at[n]); n++) {
    word[n] = (unsigned char)p->at[n] < 32 ? '?' : p->at[n];
  }
  word[n] = '\0';
  return n;
}

static bool same_word(const char* word, const char* key) {
  for (; *word && *key; word++, key++) {
    const char c = *word >= 'A' && *word <= 'Z' ? (char)(*word - 'A' + 'a') : *word;
    if (c != *key) return false;
  }
  return *word == *key;
}

static int key_of(const char* word) {
  for (int i = 0; i < KEYS; i++) {
    if (same_word(word, keys[i])) return i;
  }
  return -1;
}

bool rut_is_ascii_grid(const char* text, size_t size) {
  Parser p = {.at = text, .end = text + size, .line_start = text, .line = 1};
  char word[TOKEN];
  skip_blanks(&p);
  peek(&p, word);
  return key_of(word) >= 0;
}

static rutStatus read_number(Parser* p, double* value) {
  const char* start = p->at;
  if (rut_read_decimal(&p->at, p->end, value) && (p->at == p->end || is_blank(*p->at))) {
    return RUT_OK;
  }
  p->at = start;
  char word[TOKEN], what[TOKEN + 40];
  const size_t n = peek(p, word);
  const char* rest;
  // GDAL writes missing values of grids of floats as nan
  if (same_word(word, "nan")) {
    *value = RUT_NAN;
  } else if (!rut_parse_number(word, value, &rest) || *rest) {
    snprintf(what, sizeof what, "'%s' is not a finite number", word);
    return fail(p, "", n ? what : "the file ends where a number is expected");
  }
  p->at += n;
  return RUT_OK;
}

static rutStatus fail_header(const Parser* p, int key, const char* what) {
  return rut_report_error(p->reporter, RUT_ERR_PARSE, p->place[key], "", "",
                          "ASCII grid: %s %s, not %.9g", keys[key], what, p->head[key]);
}

static rutStatus read_header(Parser* p) {
  for (;;) {
    char word[TOKEN];
    skip_blanks(p);
    const size_t n = peek(p, word);
    const int key = key_of(word);
    if (key < 0 && n && !strchr("0123456789+-.", word[0]) && !same_word(word, "nan")) {
      return fail(p,
                  "known are ncols, nrows, xllcorner, xllcenter, yllcorner, yllcenter, cellsize, "
                  "nodata_value",
                  "unknown word in the header");
    }
    if (key < 0) return RUT_OK;
    if (p->given[key])
      return fail(p, "remove one of the two lines", "the header has this keyword twice");
    p->at += n;
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t')) p->at++;
    p->place[key] = here(p);
    rutStatus status = read_number(p, &p->head[key]);
    if (status != RUT_OK) return status;
    if (key != NODATA && !rut_is_finite(p->head[key])) {
      return fail_header(p, key, "must be a finite number");
    }
    p->given[key] = true;
  }
}

static rutStatus check_header(const Parser* p) {
  const double *h = p->head, rows = h[NROWS], cols = h[NCOLS];
  if (!p->given[NCOLS] || !p->given[NROWS] || !p->given[CELLSIZE]) {
    return fail(p, "", "the header needs ncols, nrows and cellsize");
  }
  if (p->given[XLLCORNER] == p->given[XLLCENTER] || p->given[YLLCORNER] == p->given[YLLCENTER]) {
    return fail(
        p, "", "the header needs either xllcorner or xllcenter, and either yllcorner or yllcenter");
  }
  for (int key = NCOLS; key <= NROWS; key++) {
    if (h[key] >= 1 && h[key] == rut_floor(h[key])) continue;
    return fail_header(p, key, "must be a whole number, at least 1");
  }
  if (!(h[CELLSIZE] > 0)) return fail_header(p, CELLSIZE, "must be positive");
  for (int key = XLLCORNER; key <= CELLSIZE; key++) {
    if (p->given[key] && rut_abs(h[key]) > 1e12) return fail_header(p, key, "must be at most 1e12");
  }
  if (rows * cols > RUT_MATRIX_MAX_VALUES) {
    return rut_report_error(p->reporter, RUT_ERR_CAPACITY, p->place[NROWS], "",
                            "use a coarser grid",
                            "ASCII grid claims %.6g x %.6g values, more than %d in all", rows, cols,
                            RUT_MATRIX_MAX_VALUES);
  }
  // a value takes a digit and a blank
  if (rows * cols > 0.5 * ((double)(p->end - p->at) + 1)) {
    char what[120];
    snprintf(what, sizeof what,
             "the header claims %.0f x %.0f values, but the file is too short for them", rows,
             cols);
    return fail(p, "the file is damaged", what);
  }
  return RUT_OK;
}

static rutStatus read_values(Parser* p, rutMatrix* out) {
  const size_t count = (size_t)p->head[NROWS] * (size_t)p->head[NCOLS];
  double* value = malloc(count * sizeof *value);
  if (!value) {
    return rut_report_error(p->reporter, RUT_ERR_MEMORY, here(p), "", "",
                            "no memory for %zu values", count);
  }
  *out = (rutMatrix){(int)p->head[NROWS], (int)p->head[NCOLS], value};
  const double missing = p->given[NODATA] ? p->head[NODATA] : RUT_NAN;
  for (size_t i = 0; i < count; i++) {
    skip_blanks(p);
    rutStatus status = read_number(p, &value[i]);
    if (status != RUT_OK) return status;
    if (value[i] == missing) value[i] = RUT_NAN;
  }
  skip_blanks(p);
  if (p->at == p->end) return RUT_OK;
  return rut_report_error(p->reporter, RUT_ERR_PARSE, here(p), "", "",
                          "ASCII grid: more than the %d x %d values that the header claims",
                          out->rows, out->cols);
}

rutStatus rut_ascii_grid_parse(const char* text, size_t size, const char* name,
                               rutReporter* reporter, rutRaster* out) {
  *out = (rutRaster){0};
  Parser p = {.at = text,
              .end = text + size,
              .line_start = text,
              .line = 1,
              .name = name,
              .reporter = reporter};
  rutStatus status = read_header(&p);
  if (status == RUT_OK) status = check_header(&p);
  if (status == RUT_OK) status = read_values(&p, &out->values);
  if (status != RUT_OK) {
    rut_raster_free(out);
    return status;
  }
  const double half = 0.5 * p.head[CELLSIZE];
  out->placed = out->metric = true;
  out->spacing = p.head[CELLSIZE];
  out->corner[0] = p.given[XLLCENTER] ? p.head[XLLCENTER] : p.head[XLLCORNER] + half;
  out->corner[1] = p.given[YLLCENTER] ? p.head[YLLCENTER] : p.head[YLLCORNER] + half;
  return RUT_OK;
}
