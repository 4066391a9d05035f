// SPDX-License-Identifier: BSD-3-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/suggest.h"
#include "base/units.h"
#include "rut/host.h"

enum {
  MAX_FILE = 1 << 29,  // bytes of a table
  MAX_VALUES = 64,     // per row, more than any controller takes
  MAX_NAME = 256       // bytes of a vehicle's name
};

typedef struct Row {
  double time;
  size_t first;  // of its values
  int vehicle, values;
} Row;

struct rutInputs {
  Row* row;
  double* value;
  size_t rows, row_capacity, values, value_capacity;
  size_t next;  // first row that is not applied yet
};

// --- Reading ----------------------------------------------------------------------------------

typedef struct Reader {
  const rutModel* model;
  rutInputs* inputs;
  const char *name, *line_start, *at, *line_end;  // the line being read ends at line_end
  int line;
  int* by_name;  // vehicle indices sorted by name
  int vehicles, last_vehicle;
  rutError* err;
} Reader;

// Fill the error with the place of `at`. Returns the status.
static rutStatus fail(const Reader* reader, const char* at, const char* what, const char* detail) {
  rut_error_set(reader->err, RUT_ERR_PARSE, what, detail);
  if (reader->err) {
    snprintf(reader->err->file, sizeof reader->err->file, "%.250s", reader->name);
    reader->err->line = reader->line;
    reader->err->column = (int)(at - reader->line_start) + 1;
  }
  return RUT_ERR_PARSE;
}

static void skip_blanks(Reader* reader) {
  while (reader->at < reader->line_end && (*reader->at == ' ' || *reader->at == '\t')) reader->at++;
}

// Copy the present cell without blanks around it, and go behind the comma that ends it. False at
// the end of the line, or if the cell is longer than the buffer (then it is cut).
static bool next_cell(Reader* reader, char* cell, size_t size, const char** start) {
  cell[0] = '\0';
  if (reader->at > reader->line_end) return false;
  skip_blanks(reader);
  *start = reader->at;
  const char* end = memchr(reader->at, ',', (size_t)(reader->line_end - reader->at));
  if (!end) end = reader->line_end;
  size_t length = (size_t)(end - reader->at);
  while (length && (reader->at[length - 1] == ' ' || reader->at[length - 1] == '\t')) length--;
  if (length >= size) length = size - 1;
  memcpy(cell, reader->at, length);
  cell[length] = '\0';
  reader->at = end + 1;
  return true;
}

// Grow an array of `size`-byte items so that one more fits.
static bool reserve(void** items, size_t count, size_t* capacity, size_t size) {
  if (count < *capacity) return true;
  size_t larger = *capacity ? *capacity * 2 : 1024;
  if (larger > SIZE_MAX / size / 2) return false;
  void* grown = realloc(*items, larger * size);
  if (!grown) return false;
  *items = grown;
  *capacity = larger;
  return true;
}

static rutStatus parse_value(const Reader* reader, const char* cell, const char* start,
                             double* value) {
  const char* end = cell;
  if (!rut_parse_number(cell, value, &end) || *end) {
    return fail(reader, start, "'%.100s' is not a number", cell);
  }
  return RUT_OK;
}

static int find_vehicle(Reader* reader, const char* name) {
  // rows of one vehicle, or of the same vehicles in turn, mostly follow each other
  for (int i = 0; i < 2 && reader->vehicles; i++) {
    int guess = (reader->last_vehicle + i) % reader->vehicles;
    if (strcmp(rut_name(reader->model, RUT_VEHICLE, guess), name) == 0) return guess;
  }
  int low = 0, high = reader->vehicles - 1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    int vehicle = reader->by_name[middle];
    int order = strcmp(name, rut_name(reader->model, RUT_VEHICLE, vehicle));
    if (order == 0) return vehicle;
    if (order < 0) high = middle - 1;
    if (order > 0) low = middle + 1;
  }
  return -1;
}

static rutStatus unknown_vehicle(const Reader* reader, const char* start, const char* name) {
  const char** known = malloc(((size_t)reader->vehicles + 1) * sizeof *known);
  const char* nearest = NULL;
  if (known) {
    for (int i = 0; i < reader->vehicles; i++) {
      known[i] = rut_name(reader->model, RUT_VEHICLE, i);
    }
    nearest = rut_suggest(name, known, (size_t)reader->vehicles);
  }
  char detail[2 * MAX_NAME + 32];
  if (nearest) {
    snprintf(detail, sizeof detail, "'%.200s'; did you mean '%.200s'?", name, nearest);
  } else {
    snprintf(detail, sizeof detail, "'%.200s'", name);
  }
  free(known);
  return fail(reader, start, "the world has no vehicle %s", detail);
}

// Read the values of a row up to the end of the line.
static rutStatus read_values(Reader* reader, Row* row, int commands) {
  rutInputs* inputs = reader->inputs;
  char cell[MAX_NAME];
  const char *start = reader->at, *gap = NULL;
  row->first = inputs->values;
  while (next_cell(reader, cell, sizeof cell, &start)) {
    if (!cell[0]) {
      if (!gap) gap = start;
      continue;
    }
    if (gap) return fail(reader, gap, "a value is missing%s: only the last ones may be", "");
    if (row->values >= commands) {
      rutVehicleInfo info = rut_vehicle_info(reader->model, row->vehicle);
      char detail[3 * MAX_NAME];
      snprintf(detail, sizeof detail, "'%.200s' takes %d (%.400s)", info.name, commands,
               info.command_names);
      return fail(reader, start, "too many values: %s", detail);
    }
    double value = 0;
    rutStatus status = parse_value(reader, cell, start, &value);
    if (status != RUT_OK) return status;
    if (!reserve((void**)&inputs->value, inputs->values, &inputs->value_capacity, sizeof value)) {
      return rut_error_set(reader->err, RUT_ERR_MEMORY, "no memory for the inputs");
    }
    inputs->value[inputs->values++] = value;
    row->values++;
  }
  return RUT_OK;
}

static rutStatus read_row(Reader* reader) {
  rutInputs* inputs = reader->inputs;
  char cell[MAX_NAME];
  const char* start = reader->at;
  Row row = {0};
  next_cell(reader, cell, sizeof cell, &start);
  rutStatus status = parse_value(reader, cell, start, &row.time);
  if (status != RUT_OK) return status;
  if (inputs->rows && row.time < inputs->row[inputs->rows - 1].time) {
    return fail(reader, start, "time %s is before that of the row above", cell);
  }
  if (!next_cell(reader, cell, sizeof cell, &start)) {
    return fail(reader, reader->line_end, "the vehicle is missing%s", "");
  }
  row.vehicle = find_vehicle(reader, cell);
  if (row.vehicle < 0) return unknown_vehicle(reader, start, cell);
  reader->last_vehicle = row.vehicle;
  int commands = rut_vehicle_info(reader->model, row.vehicle).commands;
  status = read_values(reader, &row, commands < MAX_VALUES ? commands : MAX_VALUES);
  if (status != RUT_OK) return status;
  if (!reserve((void**)&inputs->row, inputs->rows, &inputs->row_capacity, sizeof row)) {
    return rut_error_set(reader->err, RUT_ERR_MEMORY, "no memory for the inputs");
  }
  inputs->row[inputs->rows++] = row;
  return RUT_OK;
}

static rutStatus read_header(Reader* reader) {
  char cell[MAX_NAME];
  const char* start = reader->at;
  static const char* const wanted[] = {"t", "vehicle"};
  for (int i = 0; i < 2; i++) {
    next_cell(reader, cell, sizeof cell, &start);
    // "t [s]" is what our own logs write
    if (i == 0 && strcmp(cell, "t [s]") == 0) continue;
    if (strcmp(cell, wanted[i]) != 0) {
      return fail(reader, start, "the header must begin with t,vehicle; here stands '%.100s'",
                  cell);
    }
  }
  return RUT_OK;
}

static rutStatus read_lines(Reader* reader, const char* text, size_t size) {
  const char* end = text + size;
  bool header = false;
  rutStatus status = RUT_OK;
  // a byte order mark is what some spreadsheets write
  if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
  for (const char* line = text; line < end && status == RUT_OK;) {
    const char* stop = memchr(line, '\n', (size_t)(end - line));
    if (!stop) stop = end;
    reader->line++;
    reader->line_start = reader->at = line;
    reader->line_end = stop > line && stop[-1] == '\r' ? stop - 1 : stop;
    line = stop + 1;
    skip_blanks(reader);
    if (reader->at == reader->line_end || *reader->at == '#') continue;
    status = header ? read_row(reader) : read_header(reader);
    header = true;
  }
  if (status == RUT_OK && !header) {
    reader->line = 1;
    reader->line_start = reader->at = text;
    status = fail(reader, text, "the header is missing%s: t,vehicle,...", "");
  }
  return status;
}

typedef struct NamedVehicle {
  const char* name;
  int vehicle;
} NamedVehicle;

static int compare_names(const void* left, const void* right) {
  const NamedVehicle *a = left, *b = right;
  return strcmp(a->name, b->name);
}

// Vehicle indices in the order of their names, NULL if out of memory.
static int* sort_vehicles(const rutModel* model, int vehicles) {
  NamedVehicle* named = malloc(((size_t)vehicles + 1) * sizeof *named);
  int* sorted = malloc(((size_t)vehicles + 1) * sizeof *sorted);
  if (named && sorted) {
    for (int i = 0; i < vehicles; i++) {
      named[i] = (NamedVehicle){rut_name(model, RUT_VEHICLE, i), i};
    }
    qsort(named, (size_t)vehicles, sizeof *named, compare_names);
    for (int i = 0; i < vehicles; i++) sorted[i] = named[i].vehicle;
  } else {
    free(sorted);
    sorted = NULL;
  }
  free(named);
  return sorted;
}

rutStatus rut_inputs_parse(const rutModel* model, const char* text, size_t size, const char* name,
                           rutInputs** out, rutError* err) {
  *out = NULL;
  int vehicles = rut_count(model, RUT_VEHICLE);
  rutInputs* inputs = calloc(1, sizeof *inputs);
  int* by_name = sort_vehicles(model, vehicles);
  if (!inputs || !by_name) {
    free(inputs);
    free(by_name);
    return rut_error_set(err, RUT_ERR_MEMORY, "no memory for the inputs");
  }
  Reader reader = {.model = model,
                   .inputs = inputs,
                   .name = name,
                   .by_name = by_name,
                   .vehicles = vehicles,
                   .err = err};
  rutStatus status = read_lines(&reader, text, size);
  free(by_name);
  if (status != RUT_OK) {
    rut_inputs_destroy(inputs);
    return status;
  }
  *out = inputs;
  return RUT_OK;
}

// Read a whole file into memory; the caller frees *text.
static rutStatus read_file(const char* path, char** text, size_t* size, rutError* err) {
  *text = NULL;
  *size = 0;
  FILE* file = fopen(path, "rb");
  size_t capacity = 1 << 16;
  char* bytes = malloc(capacity);
  bool failed = !file || !bytes;
  while (!failed) {
    *size += fread(bytes + *size, 1, capacity - *size, file);
    if (*size < capacity) break;
    char* grown = capacity < MAX_FILE ? realloc(bytes, capacity * 2) : NULL;
    if (!grown) {
      errno = EFBIG;
      failed = true;
      break;
    }
    bytes = grown;
    capacity *= 2;
  }
  failed = failed || ferror(file);
  int code = errno;
  if (file) fclose(file);
  if (!failed) {
    *text = bytes;
    return RUT_OK;
  }
  free(bytes);
  char reason[128];
  if (strerror_r(code, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "%d", code);
  rut_error_set(err, RUT_ERR_IO, "cannot read '%.250s': %s", path, reason);
  if (err) snprintf(err->file, sizeof err->file, "%.250s", path);
  return RUT_ERR_IO;
}

rutStatus rut_inputs_load(const rutModel* model, const char* path, rutInputs** out, rutError* err) {
  *out = NULL;
  char* text = NULL;
  size_t size = 0;
  rutStatus status = read_file(path, &text, &size, err);
  if (status == RUT_OK) status = rut_inputs_parse(model, text, size, path, out, err);
  free(text);
  return status;
}

// --- Applying ---------------------------------------------------------------------------------

rutStatus rut_inputs_apply(rutInputs* inputs, const rutModel* model, rutData* data) {
  return rut_inputs_apply_except(inputs, model, data, NULL);
}

rutStatus rut_inputs_apply_except(rutInputs* inputs, const rutModel* model, rutData* data,
                                  const bool* skip) {
  double now = rut_time(data) + 1e-9;
  rutStatus first = RUT_OK;
  while (inputs->next < inputs->rows && inputs->row[inputs->next].time <= now) {
    const Row* row = &inputs->row[inputs->next++];
    if (skip && skip[row->vehicle]) continue;
    rutStatus status =
        rut_command(model, data, row->vehicle, row->values, inputs->value + row->first);
    // rows of other vehicles are no worse for one that is refused
    if (first == RUT_OK) first = status;
  }
  return first;
}

void rut_inputs_rewind(rutInputs* inputs) { inputs->next = 0; }

size_t rut_inputs_count(const rutInputs* inputs) { return inputs->rows; }

void rut_inputs_destroy(rutInputs* inputs) {
  if (!inputs) return;
  free(inputs->row);
  free(inputs->value);
  free(inputs);
}
