// SPDX-License-Identifier: BSD-3-Clause
//
// Data of an OpenCRG file to a curved regular grid: which columns are heights at which v, and the
// reference line as the sum of its segments.
#include "format/crg.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "format/crg_mods.h"
#include "format/crg_source.h"
#include "math/rut_math.h"

enum { ROW = 80, FIELD = 10 };
static const double FARTHEST = 1e6;  // of a number of the data

typedef struct Reader {
  const char *text, *file;
  size_t size;
  rutReporter* reporter;
  const rutCrgHead* head;
  rutCrg* crg;
  double* phi;                      // [nu] of the segment that ends at the row
  double* rise;                     // [nu] slope of it
  double* bank;                     // [nu] of the row
  int order[RUT_CRG_MAX_SECTIONS];  // column of a channel in z, -1: none
} Reader;

static rutStatus fail(const Reader* r, rutStatus status, int line, const char* hint,
                      const char* message) {
  return rut_report_error(r->reporter, status, (rutPlace){r->file, line, line ? 1 : 0}, "", hint,
                          "%s", message);
}

static double key(const Reader* r, int k) { return r->head->key[k]; }
static double key_or(const Reader* r, int k, double none) {
  const double v = r->head->key[k];
  return v == v ? v : none;
}

bool rut_crg_recognise(const char* text, size_t size) {
  // a section of it on a line of its own, before anything that is no comment
  static const char* const marks[] = {"$CT", "$ROAD_CRG", "$KD_DEFINITION"};
  for (size_t at = 0; at < size && at < 4096;) {
    const char* stop = memchr(text + at, '\n', size - at);
    const size_t n = stop ? (size_t)(stop - text) - at : size - at;
    if (text[at] == '$') {
      for (int i = 0; i < RUT_COUNT_OF(marks); i++) {
        const size_t length = strlen(marks[i]);
        bool same = n >= length;
        for (size_t k = 0; same && k < length; k++) {
          const char c = text[at + k];
          same = (c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c) == marks[i][k];
        }
        if (same) return true;
      }
    } else if (text[at] != '*' && text[at] != '!' && text[at] != '\r' && n > 0) {
      return false;
    }
    at += n + 1;
  }
  return false;
}

// ---- columns ----

typedef struct Column {
  double v;
  int channel;
} Column;

static int by_v(const void* a, const void* b) {
  const Column *p = a, *q = b;
  if (p->v != q->v) return p->v > q->v ? 1 : -1;
  return p->channel - q->channel;
}

// v of numbered sections, from right to left: by border and increment, by both borders, or by the
// increment alone about the middle, as the files that say so mean it.
static double numbered(const Reader* r, int k, int n) {
  const double right = key(r, RUT_CRG_long_section_v_right),
               left = key(r, RUT_CRG_long_section_v_left);
  const double step = key(r, RUT_CRG_long_section_v_increment);
  if (right == right && step == step) return right + k * step;
  if (right == right && left == left) return right + (left - right) * k / (n - 1);
  if (left == left && step == step) return left - (n - 1 - k) * step;
  return step == step ? (k - 0.5 * (n - 1)) * step : RUT_NAN;
}

static rutStatus find_columns(Reader* r) {
  const rutCrgHead* head = r->head;
  Column* column = calloc(RUT_CRG_MAX_SECTIONS, sizeof *column);
  if (!column) return fail(r, RUT_ERR_MEMORY, 0, "", "out of memory");
  int n = 0;
  for (int i = 0; i < head->channels; i++) {
    if (head->channel[i].kind == RUT_CRG_SECTION) column[n++] = (Column){head->channel[i].v, i};
  }
  bool known = n >= 2;
  for (int i = 0; i < n; i++) {
    if (!(column[i].v == column[i].v)) column[i].v = numbered(r, i, n);
    column[i].v *= key_or(r, RUT_CRG_scale_width, 1);
    known = known && rut_abs(column[i].v) <= FARTHEST;
  }
  if (known) qsort(column, (size_t)n, sizeof *column, by_v);
  for (int i = 1; known && i < n; i++) known = column[i].v - column[i - 1].v > 1e-6;
  r->crg->nv = n;
  r->crg->v = calloc((size_t)n + 1, sizeof *r->crg->v);
  for (int i = 0; r->crg->v && known && i < n; i++) {
    r->crg->v[i] = column[i].v;
    r->order[column[i].channel] = i;
  }
  free(column);
  if (!r->crg->v) return fail(r, RUT_ERR_MEMORY, 0, "", "out of memory");
  if (known) return RUT_OK;
  return fail(r, RUT_ERR_PARSE, head->line, "name each 'D:long section at v = NUMBER,m'",
              "needs two or more long sections, each at a v of its own");
}

// ---- rows ----

// Bytes of a row of numbers.
static size_t row_bytes(const Reader* r) {
  return (size_t)r->head->channels * (r->head->wide ? 8 : 4);
}

// Rows that the data has room for, at most `most`.
static int count_rows(const Reader* r, int most) {
  const size_t left = r->size - r->head->data;
  if (r->head->binary) {
    const size_t n = left / row_bytes(r);
    return n < (size_t)most ? (int)n : most;
  }
  // lines of a row
  const int fields = ROW / (r->head->wide ? 2 * FIELD : FIELD);
  const int lines = 1 + (r->head->channels - 1) / fields;
  int n = 0;
  size_t at = r->head->data;
  while (at < r->size && n / lines < most) {
    const char* stop = memchr(r->text + at, '\n', r->size - at);
    const size_t end = stop ? (size_t)(stop - r->text) : r->size;
    // an empty line at the end is none
    n += end > at + (r->text[end - 1] == '\r' ? 1 : 0) || end < r->size - 1;
    at = end + 1;
  }
  return n / lines;
}

static rutStatus make_room(Reader* r) {
  rutCrg* crg = r->crg;
  const double end = key(r, RUT_CRG_reference_line_end_u);
  crg->start = key_or(r, RUT_CRG_reference_line_start_u, 0);
  crg->increment = key_or(r, RUT_CRG_reference_line_increment, RUT_NAN);
  if (!(crg->increment >= 1e-4)) {
    return fail(r, RUT_ERR_PARSE, 0, "", "needs 'reference_line_increment' of 1e-4 m or more");
  }
  const double limit = (double)RUT_CRG_MAX_NODES / crg->nv;
  const double wanted = end == end ? rut_floor((end - crg->start) / crg->increment + 1.5) : limit;
  if (wanted > limit) {
    return fail(r, RUT_ERR_CAPACITY, 0, "cut it into parts", "has more than 2^26 heights");
  }
  crg->nu = count_rows(r, wanted >= 1 ? (int)wanted : 1);
  if (end == end && crg->nu < wanted) {
    rut_report_warning(r->reporter, (rutPlace){r->file, r->head->line, 1}, "",
                       "the data has %d rows, 'reference_line_end_u' asks for %.0f: it is shorter",
                       crg->nu, wanted);
  }
  if (crg->nu < 2)
    return fail(r, RUT_ERR_PARSE, r->head->line, "", "needs two or more rows of data");
  const size_t n = (size_t)crg->nu;
  crg->vertex = calloc(n, sizeof *crg->vertex);
  crg->z = calloc(n * (size_t)crg->nv, sizeof *crg->z);
  r->phi = calloc(3 * n, sizeof *r->phi);
  if (!crg->vertex || !crg->z || !r->phi) return fail(r, RUT_ERR_MEMORY, 0, "", "out of memory");
  r->rise = r->phi + n;
  r->bank = r->rise + n;
  return RUT_OK;
}

// Keep number k of a row. False if it is out of range.
static bool keep(Reader* r, int row, int k, double value) {
  const rutCrgChannelKind kind = r->head->channel[k].kind;
  if (rut_abs(value) > FARTHEST) return false;
  if (kind == RUT_CRG_SECTION) {
    r->crg->z[(size_t)row * (size_t)r->crg->nv + (size_t)r->order[k]] = value;
    return true;
  }
  if (kind == RUT_CRG_PHI) r->phi[row] = value;
  if (kind == RUT_CRG_SLOPE) r->rise[row] = value;
  if (kind == RUT_CRG_BANKING) r->bank[row] = value;
  // the line must be known, but for the segment before the first row
  return value == value || kind == RUT_CRG_OTHER || (row == 0 && kind != RUT_CRG_BANKING);
}

static double from_bytes(const unsigned char* at, bool wide) {
  uint64_t bits = 0;
  for (int i = 0; i < (wide ? 8 : 4); i++) bits = bits << 8 | at[i];
  if (wide) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  const uint32_t half = (uint32_t)bits;
  float value;
  memcpy(&value, &half, sizeof value);
  return (double)value;
}

static rutStatus read_binary(Reader* r) {
  const unsigned char* at = (const unsigned char*)r->text + r->head->data;
  for (int row = 0; row < r->crg->nu; row++) {
    for (int k = 0; k < r->head->channels; k++) {
      double value = from_bytes(at, r->head->wide);
      at += r->head->wide ? 8 : 4;
      if (!rut_is_finite(value)) value = RUT_NAN;
      if (keep(r, row, k, value)) continue;
      return rut_report_error(r->reporter, RUT_ERR_PARSE, (rutPlace){r->file, 0, 0}, "", "",
                              "row %d, number %d of the data is out of range", row + 1, k + 1);
    }
  }
  return RUT_OK;
}

// The number in a field of some columns. False: it is none.
static bool field_value(const char* at, size_t width, double* value) {
  char field[2 * FIELD + 1];
  memcpy(field, at, width);
  field[width] = '\0';
  const char *text = field + strspn(field, " \t"), *end;
  if (text[0] == '*') {
    *value = strncmp(text, "**unused**", 10) == 0 ? 0 : RUT_NAN;
    return true;
  }
  if (strncmp(text, "nan", 3) == 0 || strncmp(text, "NaN", 3) == 0) {
    *value = RUT_NAN;
    return true;
  }
  if (!rut_parse_number(text, value, &end)) return false;
  return end[strspn(end, " \t\r")] == '\0';
}

// Numbers stand in columns and may touch.
static rutStatus read_text(Reader* r) {
  const size_t width = r->head->wide ? 2 * FIELD : FIELD;
  const int fields = ROW / (int)width, channels = r->head->channels;
  size_t at = r->head->data;
  int line = r->head->line;
  for (int row = 0; row < r->crg->nu; row++) {
    for (int k = 0; k < channels; k += fields) {
      const char* stop = at < r->size ? memchr(r->text + at, '\n', r->size - at) : NULL;
      const size_t end = stop ? (size_t)(stop - r->text) : r->size;
      line++;
      for (int i = 0; i < fields && k + i < channels; i++) {
        const size_t from = at + (size_t)i * width;
        const size_t n = from < end ? (end - from < width ? end - from : width) : 0;
        double value = RUT_NAN;
        const bool fine =
            n > 0 && field_value(r->text + from, n, &value) && keep(r, row, k + i, value);
        if (fine) continue;
        return rut_report_error(r->reporter, RUT_ERR_PARSE,
                                (rutPlace){r->file, line, 1 + i * (int)width}, "",
                                r->head->wide ? "numbers have 20 columns each, 4 to a line"
                                              : "numbers have 10 columns each, 8 to a line",
                                "must be a number below 1e6");
      }
      at = end + 1;
    }
  }
  return RUT_OK;
}

// ---- the reference line ----

static bool has(const Reader* r, rutCrgChannelKind kind) {
  for (int i = 0; i < r->head->channels; i++) {
    if (r->head->channel[i].kind == kind) return true;
  }
  return false;
}

// What no channel tells is constant, or linear between the values at both ends.
static void fill_line(Reader* r) {
  const int n = r->crg->nu;
  const double x0 = key_or(r, RUT_CRG_reference_line_start_x, 0),
               y0 = key_or(r, RUT_CRG_reference_line_start_y, 0);
  const double x1 = key(r, RUT_CRG_reference_line_end_x), y1 = key(r, RUT_CRG_reference_line_end_y);
  double heading = key(r, RUT_CRG_reference_line_start_phi);
  if (!(heading == heading)) {
    heading = x1 == x1 && y1 == y1 ? rut_atan2(y1 - y0, x1 - x0)
                                   : key_or(r, RUT_CRG_reference_line_end_phi, 0);
  }
  const double s0 = key_or(r, RUT_CRG_reference_line_start_s, 0),
               s1 = key_or(r, RUT_CRG_reference_line_end_s, s0);
  const double b0 = key_or(r, RUT_CRG_reference_line_start_b, 0),
               b1 = key_or(r, RUT_CRG_reference_line_end_b, b0);
  const bool phi = has(r, RUT_CRG_PHI), slope = has(r, RUT_CRG_SLOPE),
             bank = has(r, RUT_CRG_BANKING);
  for (int i = 0; i < n; i++) {
    if (!phi) r->phi[i] = heading;
    if (!slope) r->rise[i] = s0 + (s1 - s0) * (i - 0.5) / (n - 1);
    if (!bank) r->bank[i] = b0 + (b1 - b0) * i / (n - 1);
  }
  // the first segment keeps its direction
  const double bend = key_or(r, RUT_CRG_scale_curvature, 1);
  for (int i = n - 1; i > 0 && bend != 1; i--) {
    r->phi[i] = r->phi[1] + bend * (r->phi[i] - r->phi[1]);
  }
}

// Sum of the segments; where the end is given, what is missing to it is spread along. Slope and
// length are scaled behind that: a line that is scaled ends elsewhere.
static void lay_line(Reader* r) {
  rutCrg* crg = r->crg;
  const int n = crg->nu;
  const double step = crg->increment, bank = key_or(r, RUT_CRG_scale_banking, 1);
  const double start[3] = {key_or(r, RUT_CRG_reference_line_start_x, 0),
                           key_or(r, RUT_CRG_reference_line_start_y, 0),
                           key_or(r, RUT_CRG_reference_line_start_z, 0)};
  double x = start[0], y = start[1], z = start[2];
  for (int i = 0; i < n; i++) {
    if (i > 0) {
      double s, c;
      rut_sincos(r->phi[i], &s, &c);
      x += step * c;
      y += step * s;
      z += step * r->rise[i];
    }
    crg->vertex[i] = (rutCrgVertex){.x = x, .y = y, .z = z, .bank = bank * r->bank[i]};
  }
  const double end[3] = {key(r, RUT_CRG_reference_line_end_x), key(r, RUT_CRG_reference_line_end_y),
                         key(r, RUT_CRG_reference_line_end_z)};
  const bool bent = key_or(r, RUT_CRG_scale_curvature, 1) != 1;
  const double miss[3] = {end[0] == end[0] && !bent ? end[0] - x : 0,
                          end[1] == end[1] && !bent ? end[1] - y : 0,
                          end[2] == end[2] ? end[2] - z : 0};
  const double scale = key_or(r, RUT_CRG_scale_length, 1);
  const double rise = scale * key_or(r, RUT_CRG_scale_slope, 1);
  for (int i = 0; i < n; i++) {
    rutCrgVertex* p = &crg->vertex[i];
    const double share = (double)i / (n - 1);
    p->x = start[0] + scale * (p->x + share * miss[0] - start[0]);
    p->y = start[1] + scale * (p->y + share * miss[1] - start[1]);
    p->z = start[2] + rise * (p->z + share * miss[2] - start[2]);
  }
  crg->increment *= scale;
}

static rutStatus read_all(Reader* r) {
  rutStatus status =
      r->head->defined && r->head->channels > 0
          ? RUT_OK
          : fail(r, RUT_ERR_PARSE, 0, "", "needs $KD_DEFINITION with a format and channels");
  if (status == RUT_OK) status = find_columns(r);
  if (status == RUT_OK) status = make_room(r);
  if (status == RUT_OK) status = r->head->binary ? read_binary(r) : read_text(r);
  if (status != RUT_OK) return status;
  fill_line(r);
  lay_line(r);
  const double scale = key_or(r, RUT_CRG_scale_z_grid, 1);
  const size_t nodes = (size_t)r->crg->nu * (size_t)r->crg->nv;
  for (size_t i = 0; i < nodes; i++) r->crg->z[i] *= scale;
  if (!rut_crg_fill_holes(r->head, r->crg)) {
    return fail(r, RUT_ERR_PARSE, 0, "", "'grid_nan_mode' must be 0, 1 or 2");
  }
  rut_crg_move(r->head, r->crg);
  for (int k = 0; k < 2; k++) {
    const double mode = key_or(r, k ? RUT_CRG_border_mode_v : RUT_CRG_border_mode_u, RUT_CRG_KEEP);
    r->crg->border_offset[k] = key_or(r, k ? RUT_CRG_border_offset_v : RUT_CRG_border_offset_u, 0);
    if (mode != (int)mode || mode < RUT_CRG_REFUSE || mode > RUT_CRG_REFLECT) {
      return fail(r, RUT_ERR_PARSE, 0, "", "'border_mode_u' and 'border_mode_v' must be 0 to 4");
    }
    r->crg->border[k] = (rutCrgBorder)mode;
  }
  return RUT_OK;
}

rutStatus rut_crg_read(const char* text, size_t size, const char* file, rutReporter* reporter,
                       rutCrg* out) {
  *out = (rutCrg){0};
  rutCrgSource source;
  rutStatus status = rut_crg_source_open(text, size, file, reporter, &source);
  Reader* r = calloc(1, sizeof *r);
  if (!r) {
    const rutPlace place = {file, 0, 0};
    status = rut_report_error(reporter, RUT_ERR_MEMORY, place, "", "", "out of memory");
  } else if (status == RUT_OK) {
    *r = (Reader){.text = source.text,
                  .file = source.file,
                  .size = source.size,
                  .reporter = reporter,
                  .head = source.head,
                  .crg = out};
    status = read_all(r);
    free(r->phi);
  }
  free(r);
  rut_crg_source_free(&source);
  return status;
}

void rut_crg_free(rutCrg* crg) {
  free(crg->vertex);
  free(crg->v);
  free(crg->z);
  *crg = (rutCrg){0};
}
