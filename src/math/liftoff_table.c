// SPDX-License-Identifier: BSD-3-Clause
//
// A table of lift-off: its cells, what lies between them, and its file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_column.h"
#include "base/input.h"
#include "base/report.h"
#include "base/units.h"
#include "math/liftoff_table.h"
#include "math/rut_math.h"

static const double SHARE = 0.9;              // of a limit that is safe
static const double MOST_ACCELERATION = 1e4;  // in a file [m/s2]
enum {
  MOST_ROWS = 20000,
  MOST_BYTES = 16 << 20,
  MOST_WHEELS = 32,
  MOST_VALUES = 64,
  MOST_CELLS = 20000
};

const char* rut_liftoff_end_word(rutLiftoffEnd end) {
#define X(name, word, doc) word,
  static const char* const words[] = {RUT_LIFTOFF_END_LIST(X)};
#undef X
  return (int)end >= 0 && end < RUT_LIFTOFF_ENDS ? words[end] : "";
}

const char* rut_liftoff_end_doc(rutLiftoffEnd end) {
#define X(name, word, doc) doc,
  static const char* const docs[] = {RUT_LIFTOFF_END_LIST(X)};
#undef X
  return (int)end >= 0 && end < RUT_LIFTOFF_ENDS ? docs[end] : "";
}

// ---- axes ----

#define DEGREE (RUT_PI / 180)
static const double usual_speeds[] = {5, 7.5, 10, 12.5, 15, 17.5, 20, 22.5, 25, 27.5, 30};
static const double usual_rates[] = {10 * DEGREE, 40 * DEGREE};
static const double usual_accelerations[] = {-4, -2, 0};
static const double usual_slopes[] = {0};

typedef struct AxisRange {
  const char *name, *unit;
  double low, high;
  rutLiftoffValues usual;
} AxisRange;
#define USUAL(list) \
  { (int)(sizeof(list) / sizeof(list)[0]), list }
static const AxisRange ranges[RUT_LIFTOFF_AXES] = {
    [RUT_LIFTOFF_SPEED] = {"speed", "m/s", 0.5, 100, USUAL(usual_speeds)},
    [RUT_LIFTOFF_RATE] = {"rate", "rad/s", 1e-3, 100, USUAL(usual_rates)},
    [RUT_LIFTOFF_ACCELERATION] = {"acceleration", "m/s2", -20, 0, USUAL(usual_accelerations)},
    [RUT_LIFTOFF_SLOPE] = {"slope", "rad", -1, 1, USUAL(usual_slopes)}};

rutLiftoffValues rut_liftoff_usual(int axis) { return ranges[axis].usual; }

static rutStatus check_axis(const AxisRange* range, const rutLiftoffValues* axis, rutError* err) {
  if (axis->n < 1 || axis->n > MOST_VALUES) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "%s has %d values; 1 to %d are possible",
                         range->name, axis->n, MOST_VALUES);
  }
  for (int i = 0; i < axis->n; i++) {
    const double v = axis->value[i];
    if (!(v >= range->low && v <= range->high)) {
      return rut_error_set(err, RUT_ERR_ARGUMENT, "%s is between %g and %g %s, not %g", range->name,
                           range->low, range->high, range->unit, v);
    }
    if (i > 0 && !(v > axis->value[i - 1])) {
      return rut_error_set(err, RUT_ERR_ARGUMENT, "values of %s ascend; %g follows %g", range->name,
                           v, axis->value[i - 1]);
    }
  }
  return RUT_OK;
}

rutStatus rut_liftoff_check_axes(const rutLiftoffValues axis[RUT_LIFTOFF_AXES], rutError* err) {
  double cells = 1;
  for (int a = 0; a < RUT_LIFTOFF_AXES; a++) {
    const rutStatus status = check_axis(&ranges[a], &axis[a], err);
    if (status != RUT_OK) return status;
    cells *= axis[a].n;
  }
  if (cells <= MOST_CELLS) return RUT_OK;
  return rut_error_set(err, RUT_ERR_ARGUMENT, "a table has at most %d cells, not %.0f", MOST_CELLS,
                       cells);
}

// ---- cells ----

static rutStatus no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a table of lift-off");
}

rutStatus rut_liftoff_lay_out(const rutLiftoffValues axis[RUT_LIFTOFF_AXES], rutLiftoff** out,
                              rutError* err) {
  rutLiftoff* t = calloc(1, sizeof *t);
  *out = t;
  if (!t) return no_memory(err);
  int cells = 1;
  for (int a = 0; a < RUT_LIFTOFF_AXES; a++) {
    double* value = calloc((size_t)axis[a].n, sizeof *value);
    if (!value) return no_memory(err);
    memcpy(value, axis[a].value, (size_t)axis[a].n * sizeof *value);
    t->axis[a] = (rutLiftoffValues){axis[a].n, value};
    cells *= axis[a].n;
  }
  t->cell = calloc((size_t)cells, sizeof *t->cell);
  if (!t->cell) return no_memory(err);
  t->cells = cells;
  for (int i = 0; i < cells; i++) {
    int rest = i;
    for (int a = 0; a < RUT_LIFTOFF_AXES; a++) {
      t->cell[i].at[a] = axis[a].value[rest % axis[a].n];
      rest /= axis[a].n;
    }
  }
  return RUT_OK;
}

void rut_liftoff_destroy(rutLiftoff* t) {
  if (!t) return;
  for (int a = 0; a < RUT_LIFTOFF_AXES; a++) free((double*)t->axis[a].value);
  free(t->cell);
  free(t);
}

const char* rut_liftoff_vehicle(const rutLiftoff* table) { return table->vehicle; }

rutLiftoffValues rut_liftoff_axis(const rutLiftoff* table, rutLiftoffAxis axis) {
  if ((int)axis < 0 || axis >= RUT_LIFTOFF_AXES) return (rutLiftoffValues){0};
  return table->axis[axis];
}

const rutLiftoffCell* rut_liftoff_cells(const rutLiftoff* table, int* n) {
  *n = table->cells;
  return table->cell;
}

void rut_liftoff_make_safe(rutLiftoff* t) {
  const int speeds = t->axis[RUT_LIFTOFF_SPEED].n;
  for (int i = 0; i < t->cells; i++) {
    rutLiftoffCell* cell = &t->cell[i];
    cell->safe = SHARE * cell->steering;
    if (i % speeds > 0) cell->safe = rut_min(cell->safe, cell[-1].safe);
  }
}

// ---- between cells ----

// The interval of an axis in which a value lies, and its place there from 0 to 1.
static int find_interval(const rutLiftoffValues* axis, double value, double* share) {
  int i = 0;
  *share = 0;
  if (axis->n == 1 || !(value > axis->value[0])) return 0;
  while (i < axis->n - 2 && value >= axis->value[i + 1]) i++;
  *share = rut_min(1, (value - axis->value[i]) / (axis->value[i + 1] - axis->value[i]));
  return i;
}

// Slope of a monotone cubic at a knot between two intervals of lengths h and slopes d: a weighted
// harmonic mean, 0 at an extremum (Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5, 1984).
static double knot_slope(double h0, double d0, double h1, double d1) {
  if (!(d0 * d1 > 0)) return 0;
  const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / d0 + w1 / d1);
}

// A safe angle as it is interpolated: angles fall with about the square of the speed, so that their
// logarithm is nearly straight over that of the speed; 0 has none.
static double scaled(const rutLiftoffCell* cell, bool logs) {
  return logs ? rut_log(cell->safe) : cell->safe;
}

// A monotone cubic over the logarithm of speed.
static double over_speed(const rutLiftoff* t, const rutLiftoffCell* line, double speed) {
  const rutLiftoffValues* axis = &t->axis[RUT_LIFTOFF_SPEED];
  const int last = axis->n - 1;
  if (last == 0 || !(speed > axis->value[0])) return line[0].safe;
  if (speed >= axis->value[last]) return line[last].safe;
  double share;
  const int i = find_interval(axis, speed, &share);
  // safe angles do not grow: the last one is the least
  const bool logs = line[last].safe > 0;
  double h[3] = {0}, d[3] = {0};  // of the interval, the one before it, and the one behind it
  for (int k = 0; k < 3; k++) {
    const int j = i + k - 1;
    if (j < 0 || j >= last) continue;
    h[k] = rut_log(axis->value[j + 1] / axis->value[j]);
    d[k] = (scaled(&line[j + 1], logs) - scaled(&line[j], logs)) / h[k];
  }
  // beyond the ends the line goes on straight
  const double begin = i > 0 ? knot_slope(h[0], d[0], h[1], d[1]) : d[1];
  const double end = i < last - 1 ? knot_slope(h[1], d[1], h[2], d[2]) : d[1];
  const double s = rut_log(speed / axis->value[i]) / h[1], r = 1 - s;
  const double value = r * r * (1 + 2 * s) * scaled(&line[i], logs) +
                       s * s * (3 - 2 * s) * scaled(&line[i + 1], logs) +
                       h[1] * (s * r * r * begin - s * s * r * end);
  return logs ? rut_exp(value) : value;
}

static double along_speed(const rutLiftoff* t, const rutLiftoffCell* line, double speed) {
  double share;
  const int i = find_interval(&t->axis[RUT_LIFTOFF_SPEED], speed, &share);
  const double a = line[i].lateral_acceleration;
  if (share == 0) return SHARE * a;
  return SHARE * (a + share * (line[i + 1].lateral_acceleration - a));
}

// Of the lines over speed around a place, which lie at the corners of a box of the other axes.
static double between(const rutLiftoff* t, const double at[RUT_LIFTOFF_AXES],
                      double (*of_line)(const rutLiftoff*, const rutLiftoffCell*, double)) {
  int first[RUT_LIFTOFF_AXES];
  double share[RUT_LIFTOFF_AXES], sum = 0;
  for (int a = 1; a < RUT_LIFTOFF_AXES; a++)
    first[a] = find_interval(&t->axis[a], at[a], &share[a]);
  for (int corner = 0; corner < 1 << (RUT_LIFTOFF_AXES - 1); corner++) {
    ptrdiff_t place = 0, stride = t->axis[0].n;
    double weight = 1;
    for (int a = 1; a < RUT_LIFTOFF_AXES; a++) {
      const int beyond = corner >> (a - 1) & 1;
      weight *= beyond ? share[a] : 1 - share[a];
      place += stride * (first[a] + (weight > 0 ? beyond : 0));
      stride *= t->axis[a].n;
    }
    if (weight > 0) sum += weight * of_line(t, t->cell + place, at[RUT_LIFTOFF_SPEED]);
  }
  return sum;
}

double rut_liftoff_angle(const rutLiftoff* table, const double at[RUT_LIFTOFF_AXES]) {
  return between(table, at, over_speed);
}

double rut_liftoff_acceleration(const rutLiftoff* table, const double at[RUT_LIFTOFF_AXES]) {
  return between(table, at, along_speed);
}

// ---- reading its file ----

// The numbers of a column, a new array of `rows` of them. rows -1: sets it.
static rutStatus read_column(const char* text, size_t size, const char* name, int* rows,
                             double** out, rutError* err) {
  rutCsvColumn column;
  char message[160];
  const char* fault = rut_csv_column_read(text, size, name, MOST_ROWS, &column, message);
  rutStatus status = fault ? rut_error_set(err, RUT_ERR_PARSE, "%s", fault) : RUT_OK;
  if (*rows < 0) *rows = column.n;
  *out = status == RUT_OK ? calloc((size_t)column.n, sizeof **out) : NULL;
  if (status == RUT_OK && !*out) status = no_memory(err);
  for (int i = 0; i < column.n && status == RUT_OK; i++) {
    const char* end = NULL;
    if (rut_parse_number(column.cell[i], &(*out)[i], &end) && !*end && isfinite((*out)[i]))
      continue;
    status = rut_error_set(err, RUT_ERR_PARSE, "row %d, column '%s': '%.40s' is no number", i + 2,
                           name, column.cell[i]);
  }
  rut_csv_column_free(&column);
  return status;
}

// How often the values of a column change before they begin anew: the values of an axis.
static rutLiftoffValues find_axis(const double* column, int rows, int stride) {
  int n = 1;
  while ((ptrdiff_t)n * stride < rows && column[n * stride] > column[(n - 1) * stride]) n++;
  return (rutLiftoffValues){n, NULL};
}

// A table laid out by the columns of the axes.
static rutStatus read_axes(const char* text, size_t size, rutLiftoff** out, rutError* err) {
  static const char* const names[RUT_LIFTOFF_AXES] = {"speed", "steering_rate", "acceleration",
                                                      "side_slope"};
  double* column[RUT_LIFTOFF_AXES] = {0};
  rutLiftoffValues axis[RUT_LIFTOFF_AXES];
  int rows = -1, stride = 1;
  rutStatus status = RUT_OK;
  for (int a = 0; a < RUT_LIFTOFF_AXES && status == RUT_OK; a++) {
    status = read_column(text, size, names[a], &rows, &column[a], err);
    if (status != RUT_OK) break;
    axis[a] = find_axis(column[a], rows, stride);
    // one value after the other to the front
    for (int i = 0; i < axis[a].n; i++) column[a][i] = column[a][i * stride];
    axis[a].value = column[a];
    stride *= axis[a].n;
  }
  if (status == RUT_OK && stride != rows) {
    status = rut_error_set(err, RUT_ERR_PARSE,
                           "%d rows are not one for each combination of speed, steering_rate, "
                           "acceleration and side_slope, the first of which changes fastest",
                           rows);
  }
  if (status == RUT_OK && rut_liftoff_check_axes(axis, err) != RUT_OK) status = RUT_ERR_PARSE;
  if (err && status != RUT_OK) err->status = status;
  if (status == RUT_OK) status = rut_liftoff_lay_out(axis, out, err);
  for (int a = 0; a < RUT_LIFTOFF_AXES; a++) free(column[a]);
  return status;
}

static rutStatus check_places(const rutLiftoff* t, const rutLiftoffCell* read, rutError* err) {
  for (int i = 0; i < t->cells; i++) {
    for (int a = 0; a < RUT_LIFTOFF_AXES; a++) {
      const bool fine = read[i].steering >= 0 && read[i].steering <= RUT_PI &&
                        rut_abs(read[i].lateral_acceleration) < MOST_ACCELERATION;
      if (read[i].at[a] == t->cell[i].at[a] && fine) continue;
      return rut_error_set(err, RUT_ERR_PARSE,
                           "row %d: the places of the rows are not a grid with speed changing "
                           "fastest, or its steering or lateral acceleration is out of range",
                           i + 2);
    }
  }
  return RUT_OK;
}

static rutStatus read_cells(const char* text, size_t size, rutLiftoff* t, rutError* err) {
  rutLiftoffCell* cell = calloc((size_t)t->cells, sizeof *cell);
  rutStatus status = cell ? RUT_OK : no_memory(err);
  int rows = t->cells;
  double* column = NULL;
#define X(name, member)                                                               \
  if (status == RUT_OK) status = read_column(text, size, #name, &rows, &column, err); \
  for (int i = 0; i < t->cells && status == RUT_OK; i++) cell[i].member = column[i];  \
  free(column);                                                                       \
  column = NULL;
  RUT_LIFTOFF_COLUMNS(X)
#undef X
  if (status == RUT_OK) status = read_column(text, size, "wheel", &rows, &column, err);
  for (int i = 0; i < t->cells && status == RUT_OK; i++) {
    cell[i].wheel = (int)rut_clamp(column[i], -1, MOST_WHEELS);
  }
  free(column);
  if (status == RUT_OK) status = check_places(t, cell, err);
  if (status == RUT_OK) memcpy(t->cell, cell, (size_t)t->cells * sizeof *cell);
  free(cell);
  return status;
}

static rutStatus read_words(const char* text, size_t size, rutLiftoff* t, rutError* err) {
  rutCsvColumn column;
  char message[160];
  const char* fault = rut_csv_column_read(text, size, "end", MOST_ROWS, &column, message);
  rutStatus status = fault ? rut_error_set(err, RUT_ERR_PARSE, "%s", fault) : RUT_OK;
  for (int i = 0; i < column.n && status == RUT_OK; i++) {
    int end = 0;
    while (end < RUT_LIFTOFF_ENDS && strcmp(column.cell[i], rut_liftoff_end_word(end)) != 0) end++;
    t->cell[i].end = (rutLiftoffEnd)end;
    if (end == RUT_LIFTOFF_ENDS) {
      status = rut_error_set(err, RUT_ERR_PARSE,
                             "row %d: '%.40s' is no end; lift, grip, none and diverged are", i + 2,
                             column.cell[i]);
    }
  }
  rut_csv_column_free(&column);
  if (status != RUT_OK) return status;
  fault = rut_csv_column_read(text, size, "vehicle", MOST_ROWS, &column, message);
  if (!fault) snprintf(t->vehicle, sizeof t->vehicle, "%s", column.cell[0]);
  rut_csv_column_free(&column);
  return fault ? rut_error_set(err, RUT_ERR_PARSE, "%s", fault) : RUT_OK;
}

rutStatus rut_liftoff_parse(const char* text, size_t size, rutLiftoff** out, rutError* err) {
  rutLiftoff* table = NULL;
  *out = NULL;
  rutStatus status = read_axes(text, size, &table, err);
  if (status == RUT_OK) status = read_cells(text, size, table, err);
  if (status == RUT_OK) status = read_words(text, size, table, err);
  if (status == RUT_OK) {
    rut_liftoff_make_safe(table);
    *out = table;
    return RUT_OK;
  }
  rut_liftoff_destroy(table);
  return status;
}

rutStatus rut_liftoff_load(const char* path, rutLiftoff** out, rutError* err) {
  char* text;
  size_t size;
  *out = NULL;
  const int fault = rut_input_read(&rut_access_any, path, MOST_BYTES, &text, &size);
  if (fault) {
    char message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
    rut_input_explain(fault, path, MOST_BYTES, message, hint);
    return rut_error_set(err, RUT_ERR_IO, "%s", message);
  }
  const rutStatus status = rut_liftoff_parse(text, size, out, err);
  free(text);
  if (status != RUT_OK && err) snprintf(err->file, sizeof err->file, "%.250s", path);
  return status;
}
