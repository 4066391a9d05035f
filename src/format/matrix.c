// SPDX-License-Identifier: BSD-3-Clause
#include "format/matrix.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"
#include "format/decimal.h"
#include "math/rut_math.h"

typedef struct Parser {
  const char *at, *end, *line_start;
  int line;
  rutPlace place;
  const char* element;
  rutReporter* reporter;
  rutMatrix matrix;
  size_t count, capacity;  // values
  int row_length;          // numbers in the row being read
  bool bracket;            // inside [ ]
  bool comma;              // a comma was read and wants a number
} Parser;

static rutPlace here(const Parser* p) {
  if (p->place.line > 0) return p->place;
  return (rutPlace){p->place.file, p->line, (int)(p->at - p->line_start) + 1};
}

static rutStatus fail(const Parser* p, const char* what, const char* hint) {
  return rut_report_error(p->reporter, RUT_ERR_PARSE, here(p), p->element, hint,
                          "matrix row %d, entry %d: %s", p->matrix.rows + 1, p->row_length + 1,
                          what);
}

static rutStatus append(Parser* p, double value) {
  if (p->count == p->capacity) {
    if (p->capacity >= RUT_MATRIX_MAX_VALUES) {
      return rut_report_error(p->reporter, RUT_ERR_CAPACITY, here(p), p->element, "",
                              "matrix has more than %d numbers", RUT_MATRIX_MAX_VALUES);
    }
    size_t capacity = p->capacity ? 2 * p->capacity : 64;
    double* grown = realloc(p->matrix.value, capacity * sizeof *grown);
    if (!grown) {
      return rut_report_error(p->reporter, RUT_ERR_MEMORY, here(p), p->element, "",
                              "no memory for a matrix of %zu numbers", capacity);
    }
    p->matrix.value = grown;
    p->capacity = capacity;
  }
  p->matrix.value[p->count++] = value;
  p->row_length++;
  p->comma = false;
  return RUT_OK;
}

// End a row. Empty rows (blank lines, "; ;") do not count.
static rutStatus end_row(Parser* p) {
  if (p->comma) return fail(p, "a comma without a number after it", "remove the comma");
  if (p->row_length == 0) return RUT_OK;
  if (p->matrix.rows > 0 && p->row_length != p->matrix.cols) {
    return rut_report_error(p->reporter, RUT_ERR_PARSE, here(p), p->element,
                            "every row needs the same number of entries",
                            "matrix row %d has %d entries, the rows before it have %d",
                            p->matrix.rows + 1, p->row_length, p->matrix.cols);
  }
  p->matrix.cols = p->row_length;
  p->matrix.rows++;
  p->row_length = 0;
  return RUT_OK;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\0'; }

static bool ends_number(char c) {
  return is_space(c) || c == '\n' || c == ',' || c == ';' || c == ']' || c == '%' || c == '#';
}

static rutStatus read_number(Parser* p) {
  const char* at = p->at;
  double plain;
  if (rut_read_decimal(&at, p->end, &plain) && (at == p->end || ends_number(*at))) {
    rutStatus added = append(p, plain);
    p->at = at;
    return added;
  }
  char token[64];
  size_t length = 0, left = (size_t)(p->end - p->at);
  while (length < left && length < sizeof token - 1 && !ends_number(p->at[length])) {
    token[length] = p->at[length];
    // control bytes must not reach a terminal
    if ((unsigned char)token[length] < 32) token[length] = '?';
    length++;
  }
  token[length] = '\0';
  double value;
  const char* rest;
  if (!rut_parse_number(token, &value, &rest) || *rest) {
    char what[128];
    snprintf(what, sizeof what, "'%s' is not a finite number", token);
    return fail(p, what, "");
  }
  rutStatus status = append(p, value);
  p->at += length;
  return status;
}

static rutStatus read_comma(Parser* p) {
  // CSV has single commas; two in a row, or one at the start of a row, would be an empty entry
  if (p->comma || p->row_length == 0)
    return fail(p, "a comma without a number before it", "remove the comma");
  p->comma = true;
  p->at++;
  return RUT_OK;
}

static void skip_comment(Parser* p) {
  while (p->at < p->end && *p->at != '\n') p->at++;
}

// Read one thing: a blank, a separator, a bracket, a comment or a number.
static rutStatus read_item(Parser* p, bool* done) {
  char c = *p->at;
  rutStatus status = RUT_OK;
  if (is_space(c)) {
    p->at++;
  } else if (c == '\n' || c == ';') {
    status = end_row(p);
    p->at++;
    if (c == '\n') {
      p->line++;
      p->line_start = p->at;
    }
  } else if (c == ',') {
    status = read_comma(p);
  } else if (c == '%' || c == '#') {
    skip_comment(p);
  } else if (c == '[' && !p->bracket && p->count == 0) {
    p->bracket = true;
    p->at++;
  } else if (c == ']' && p->bracket) {
    p->at++;
    *done = true;
  } else {
    status = read_number(p);
  }
  return status;
}

static rutStatus read_all(Parser* p) {
  bool done = false;
  while (p->at < p->end && !done) {
    rutStatus status = read_item(p, &done);
    if (status != RUT_OK) return status;
  }
  if (p->bracket && !done) return fail(p, "the text ends before ']'", "add ']' at the end");
  rutStatus status = end_row(p);
  if (status != RUT_OK) return status;
  while (p->at < p->end && (is_space(*p->at) || *p->at == '\n')) p->at++;
  if (p->at < p->end) return fail(p, "there is text after ']'", "");
  if (p->matrix.rows == 0) return fail(p, "there are no numbers", "write a matrix as [1 2; 3 4]");
  return RUT_OK;
}

rutStatus rut_matrix_parse(const char* text, size_t size, rutPlace place, const char* element,
                           rutReporter* reporter, rutMatrix* out) {
  Parser p = {
      .at = text,
      .end = text + size,
      .line_start = text,
      .line = 1,
      .place = place,
      .element = element,
      .reporter = reporter,
  };
  rutStatus status = read_all(&p);
  if (status != RUT_OK) rut_matrix_free(&p.matrix);
  *out = p.matrix;
  return status;
}

void rut_matrix_free(rutMatrix* matrix) {
  free(matrix->value);
  *matrix = (rutMatrix){0};
}

void rut_matrix_flip(rutMatrix* matrix) {
  const size_t cols = (size_t)matrix->cols;
  for (int r = 0; r < matrix->rows / 2; r++) {
    double* top = matrix->value + (size_t)r * cols;
    double* bottom = matrix->value + (size_t)(matrix->rows - 1 - r) * cols;
    for (size_t i = 0; i < cols; i++) {
      const double value = top[i];
      top[i] = bottom[i];
      bottom[i] = value;
    }
  }
}

// ---------------------------------------------------------------------------------------------
// Smoothing

enum { MAX_KERNEL = 63 };

static rutStatus check_kernel(const rutMatrix* kernel, rutPlace place, const char* element,
                              rutReporter* reporter) {
  if (kernel->rows != kernel->cols || kernel->rows % 2 == 0 || kernel->rows > MAX_KERNEL) {
    return rut_report_error(reporter, RUT_ERR_PARSE, place, element,
                            "use a square kernel with an odd side, such as 3 x 3",
                            "kernel is %d x %d", kernel->rows, kernel->cols);
  }
  double sum = 0;
  for (int i = 0; i < kernel->rows * kernel->cols; i++) sum += kernel->value[i];
  if (!(fabs(sum - 1) < 5e-3)) {
    return rut_report_error(reporter, RUT_ERR_PARSE, place, element, "the weights must sum to 1",
                            "kernel weights sum to %g", sum);
  }
  return RUT_OK;
}

// Kernel sum over the part of the neighbourhood that exists; a hole stays one. If those weights
// cancel (a kernel with negative entries, at a border) the entry keeps its value.
static double smooth_entry(const rutMatrix* m, const rutMatrix* kernel, int row, int col) {
  const double own = m->value[(size_t)row * (size_t)m->cols + (size_t)col];
  if (!(own == own)) return own;
  int radius = kernel->rows / 2;
  double sum = 0, weight = 0, all = 0;
  for (int i = -radius; i <= radius; i++) {
    for (int j = -radius; j <= radius; j++) {
      double w = kernel->value[(i + radius) * kernel->cols + j + radius];
      all += w;
      int r = row + i, c = col + j;
      if (r < 0 || r >= m->rows || c < 0 || c >= m->cols) continue;
      const double value = m->value[(size_t)r * (size_t)m->cols + (size_t)c];
      if (!(value == value)) continue;
      weight += w;
      sum += w * value;
    }
  }
  if (fabs(weight) < 1e-6) return own;
  return weight == all ? sum : sum * (all / weight);
}

rutStatus rut_matrix_smooth(const rutMatrix* matrix, const rutMatrix* kernel, rutPlace place,
                            const char* element, rutReporter* reporter, rutMatrix* out) {
  *out = (rutMatrix){0};
  rutStatus status = check_kernel(kernel, place, element, reporter);
  if (status != RUT_OK) return status;
  size_t count = (size_t)matrix->rows * (size_t)matrix->cols;
  double* value = malloc(count * sizeof *value);
  if (!value) {
    return rut_report_error(reporter, RUT_ERR_MEMORY, place, element, "",
                            "no memory for a matrix of %zu numbers", count);
  }
  for (int row = 0; row < matrix->rows; row++) {
    for (int col = 0; col < matrix->cols; col++) {
      value[(size_t)row * (size_t)matrix->cols + (size_t)col] =
          smooth_entry(matrix, kernel, row, col);
    }
  }
  *out = (rutMatrix){matrix->rows, matrix->cols, value};
  return RUT_OK;
}
