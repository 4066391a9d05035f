// SPDX-License-Identifier: BSD-3-Clause
//
// Parses a table of set points. The header names the columns.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_index.h"
#include "base/report.h"
#include "base/suggest.h"
#include "base/units.h"
#include "host/inputs.h"
#include "math/rut_math.h"

enum {
  MAX_COLUMNS = 256,
  MAX_CELL = 256  // bytes of a cell
};

// Set points of vehicles with equal controllers, and their columns in the table.
typedef struct Kind {
  const char* names;  // "speed yaw_rate"
  int commands;
  int command[MAX_COLUMNS];  // set point of each column, -1 where these vehicles have none
} Kind;

typedef struct Column {
  char title[MAX_CELL];
  const char* at;  // where the title stands
} Column;

typedef struct Reader {
  const rutModel* model;
  rutInputs* inputs;
  const char *name, *line_start, *at, *line_end;  // the line being read ends at line_end
  int line;
  rutName* vehicle;  // sorted by name
  int* kind_of;      // kind of each vehicle
  Kind* kind;
  Column* column;
  int vehicles, last_vehicle, kinds, columns, time_column, vehicle_column;
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

static rutStatus out_of_memory(const Reader* reader) {
  return rut_error_set(reader->err, RUT_ERR_MEMORY, "no memory for the inputs");
}

static void skip_blanks(Reader* reader) {
  while (reader->at < reader->line_end && (*reader->at == ' ' || *reader->at == '\t')) reader->at++;
}

// Copy the present cell without blanks around it, and go behind the comma that ends it. False at
// the end of the line. A cell longer than the buffer is cut.
static bool next_cell(Reader* reader, char* cell, size_t size, const char** start) {
  cell[0] = '\0';
  *start = reader->line_end;
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

// Grow an array of `size`-byte items so that `more` fit.
static bool reserve(void** items, size_t count, size_t more, size_t* capacity, size_t size) {
  if (count + more <= *capacity) return true;
  size_t larger = *capacity ? *capacity * 2 : 1024;
  if (larger < count + more) larger = count + more;
  if (larger > SIZE_MAX / size / 2) return false;
  void* grown = realloc(*items, larger * size);
  if (!grown) return false;
  *items = grown;
  *capacity = larger;
  return true;
}

// --- Names ------------------------------------------------------------------------------------

// Index of a word among space separated ones, -1 if it is not there.
static int word_index(const char* words, const char* word) {
  const size_t length = strlen(word);
  for (int i = 0; *words; i++) {
    const size_t n = strcspn(words, " ");
    if (n == length && memcmp(words, word, n) == 0) return i;
    words += n;
    words += strspn(words, " ");
  }
  return -1;
}

// Group the vehicles by the set points of their controllers. False if out of memory.
static bool find_kinds(Reader* reader) {
  int capacity = 0;
  for (int i = 0; i < reader->vehicles; i++) {
    const rutVehicleInfo info = rut_vehicle_info(reader->model, i);
    int k = 0;
    while (k < reader->kinds && strcmp(reader->kind[k].names, info.command_names) != 0) k++;
    reader->kind_of[i] = k;
    if (k < reader->kinds) continue;
    if (reader->kinds == capacity) {
      capacity = capacity ? 2 * capacity : 8;
      Kind* grown = realloc(reader->kind, (size_t)capacity * sizeof *grown);
      if (!grown) return false;
      reader->kind = grown;
    }
    const int commands = info.commands < RUT_INPUT_COMMANDS ? info.commands : RUT_INPUT_COMMANDS;
    reader->kind[reader->kinds++] = (Kind){.names = info.command_names, .commands = commands};
  }
  return true;
}

// The column name that is nearest to a title, out of all that a header may have.
static bool nearest_title(const Reader* reader, const char* title, char nearest[MAX_CELL]) {
  size_t size = sizeof "t vehicle";
  for (int k = 0; k < reader->kinds; k++) size += strlen(reader->kind[k].names) + 1;
  char* text = malloc(size);
  const char** word = malloc(size * sizeof *word);
  const char* found = NULL;
  if (text && word) {
    size_t used = (size_t)snprintf(text, size, "t vehicle"), words = 0;
    for (int k = 0; k < reader->kinds; k++) {
      used += (size_t)snprintf(text + used, size - used, " %s", reader->kind[k].names);
    }
    char* rest = NULL;
    for (char* w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) word[words++] = w;
    found = rut_suggest(title, word, words);
    if (found) snprintf(nearest, MAX_CELL, "%s", found);
  }
  free(text);
  free(word);
  return found != NULL;
}

static rutStatus unknown_title(const Reader* reader, const Column* column) {
  char nearest[MAX_CELL], detail[2 * MAX_CELL + 32];
  if (strchr(column->title, '[')) {
    return fail(reader, column->at, "set points are in SI units: '%.100s' must be a name alone",
                column->title);
  }
  if (nearest_title(reader, column->title, nearest)) {
    snprintf(detail, sizeof detail, "'%.200s'; did you mean '%.200s'?", column->title, nearest);
  } else if (reader->kinds == 1) {
    snprintf(detail, sizeof detail, "'%.150s'; they have: %.300s", column->title,
             reader->kind[0].names);
  } else {
    snprintf(detail, sizeof detail, "'%.200s'", column->title);
  }
  return fail(reader, column->at, "no vehicle of this world has a set point %s", detail);
}

static rutStatus unknown_vehicle(const Reader* reader, const char* start, const char* name) {
  const char* nearest = rut_names_nearest(reader->vehicles, reader->vehicle, name);
  char detail[2 * MAX_CELL + 32];
  if (nearest) {
    snprintf(detail, sizeof detail, "'%.200s'; did you mean '%.200s'?", name, nearest);
  } else {
    snprintf(detail, sizeof detail, "'%.200s'", name);
  }
  return fail(reader, start, "the world has no vehicle %s", detail);
}

// --- Header -----------------------------------------------------------------------------------

// Find the set point of a column, for every group of vehicles.
static rutStatus place_column(Reader* reader, int index) {
  const Column* column = &reader->column[index];
  for (int i = 0; i < index; i++) {
    if (strcmp(reader->column[i].title, column->title) != 0) continue;
    return fail(reader, column->at, "the header has '%.100s' twice", column->title);
  }
  bool known = false;
  for (int k = 0; k < reader->kinds; k++) {
    const int command = word_index(reader->kind[k].names, column->title);
    reader->kind[k].command[index] = command < reader->kind[k].commands ? command : -1;
    known = known || command >= 0;
  }
  if (strcmp(column->title, "t") == 0) {
    reader->time_column = index;
  } else if (strcmp(column->title, "vehicle") == 0) {
    reader->vehicle_column = index;
  } else if (!column->title[0]) {
    return fail(reader, column->at, "a name is missing in the header%s", "");
  } else if (!known) {
    return unknown_title(reader, column);
  }
  return RUT_OK;
}

static rutStatus read_header(Reader* reader) {
  const char* start = reader->at;
  reader->time_column = reader->vehicle_column = -1;
  while (reader->at <= reader->line_end) {
    if (reader->columns == MAX_COLUMNS) {
      return fail(reader, reader->at, "the header has more than 256 names%s", "");
    }
    Column* column = &reader->column[reader->columns];
    next_cell(reader, column->title, sizeof column->title, &column->at);
    // "t [s]" is what our own logs write
    if (strcmp(column->title, "t [s]") == 0) column->title[1] = '\0';
    const rutStatus status = place_column(reader, reader->columns++);
    if (status != RUT_OK) return status;
  }
  if (reader->time_column < 0) return fail(reader, start, "the header has no column 't'%s", "");
  if (reader->vehicle_column < 0) {
    return fail(reader, start, "the header has no column 'vehicle'%s", "");
  }
  return RUT_OK;
}

// --- Rows -------------------------------------------------------------------------------------

static rutStatus parse_value(const Reader* reader, const char* cell, const char* start,
                             double* value) {
  const char* end = cell;
  if (!rut_parse_number(cell, value, &end) || *end) {
    return fail(reader, start, "'%.100s' is not a number", cell);
  }
  return RUT_OK;
}

static int find_vehicle(Reader* reader, const char* name) {
  // most tables have rows of one vehicle, or of the same vehicles in turn
  for (int i = 0; i < 2 && reader->vehicles; i++) {
    const int guess = (reader->last_vehicle + i) % reader->vehicles;
    if (strcmp(rut_name(reader->model, RUT_VEHICLE, guess), name) == 0) return guess;
  }
  return rut_names_find(reader->vehicles, reader->vehicle, name);
}

// Go to the beginning of the line, and over `cells` of its cells.
static void seek_cell(Reader* reader, int cells) {
  char cell[MAX_CELL];
  const char* start;
  reader->at = reader->line_start;
  for (int i = 0; i < cells; i++) next_cell(reader, cell, sizeof cell, &start);
}

// The row's vehicle, which decides what its other cells mean.
static rutStatus read_vehicle(Reader* reader, rutInputRow* row) {
  char cell[MAX_CELL];
  const char* start;
  seek_cell(reader, reader->vehicle_column);
  if (!next_cell(reader, cell, sizeof cell, &start) || !cell[0]) {
    return fail(reader, start, "the vehicle is missing%s", "");
  }
  row->vehicle = find_vehicle(reader, cell);
  if (row->vehicle < 0) return unknown_vehicle(reader, start, cell);
  reader->last_vehicle = row->vehicle;
  row->commands = reader->kind[reader->kind_of[row->vehicle]].commands;
  return RUT_OK;
}

static rutStatus not_taken(const Reader* reader, const rutInputRow* row, const char* start,
                           const char* title) {
  const char* names = reader->kind[reader->kind_of[row->vehicle]].names;
  char detail[3 * MAX_CELL];
  snprintf(detail, sizeof detail, "'%.100s' has no set point '%.100s'; it has: %.300s",
           rut_name(reader->model, RUT_VEHICLE, row->vehicle), title, names[0] ? names : "none");
  return fail(reader, start, "%s", detail);
}

// One cell of a row whose vehicle is known, into value[command].
static rutStatus read_cell(Reader* reader, rutInputRow* row, int column, const char* cell,
                           const char* start, double* value) {
  const Kind* kind = &reader->kind[reader->kind_of[row->vehicle]];
  if (column == reader->vehicle_column) return RUT_OK;
  if (column == reader->time_column) return parse_value(reader, cell, start, &row->time);
  // an empty cell leaves the set point as it is
  if (!cell[0]) return RUT_OK;
  if (kind->command[column] < 0) {
    return not_taken(reader, row, start, reader->column[column].title);
  }
  return parse_value(reader, cell, start, &value[kind->command[column]]);
}

static rutStatus read_cells(Reader* reader, rutInputRow* row, double* value) {
  char cell[MAX_CELL], counts[96];
  const char *start, *time_at = reader->line_start;
  seek_cell(reader, 0);
  for (int i = 0; i < reader->columns; i++) {
    if (!next_cell(reader, cell, sizeof cell, &start)) {
      snprintf(counts, sizeof counts, "%d cells, the header has %d names", i, reader->columns);
      return fail(reader, start, "the row is too short: %s (an empty cell keeps what holds)",
                  counts);
    }
    if (i == reader->time_column) time_at = start;
    const rutStatus status = read_cell(reader, row, i, cell, start, value);
    if (status != RUT_OK) return status;
  }
  if (next_cell(reader, cell, sizeof cell, &start)) {
    snprintf(counts, sizeof counts, "%d", reader->columns);
    return fail(reader, start, "the row is too long: the header has %s names", counts);
  }
  const rutInputs* inputs = reader->inputs;
  if (inputs->rows && row->time < inputs->row[inputs->rows - 1].time) {
    return fail(reader, time_at, "the time is before that of the row above%s", "");
  }
  return RUT_OK;
}

static rutStatus read_row(Reader* reader) {
  rutInputs* inputs = reader->inputs;
  rutInputRow row = {.first = inputs->values};
  rutStatus status = read_vehicle(reader, &row);
  if (status != RUT_OK) return status;
  if (!reserve((void**)&inputs->value, inputs->values, (size_t)row.commands,
               &inputs->value_capacity, sizeof *inputs->value) ||
      !reserve((void**)&inputs->row, inputs->rows, 1, &inputs->row_capacity, sizeof *inputs->row)) {
    return out_of_memory(reader);
  }
  double* value = inputs->value + inputs->values;
  for (int i = 0; i < row.commands; i++) value[i] = RUT_NAN;
  status = read_cells(reader, &row, value);
  if (status != RUT_OK) return status;
  inputs->values += (size_t)row.commands;
  inputs->row[inputs->rows++] = row;
  return RUT_OK;
}

static rutStatus read_lines(Reader* reader, const char* text, size_t size) {
  const char* end = text + size;
  bool header = false;
  rutStatus status = RUT_OK;
  // some spreadsheets write a byte order mark
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

static bool prepare(Reader* reader) {
  const size_t n = (size_t)reader->vehicles + 1;
  reader->vehicle = calloc(n, sizeof *reader->vehicle);
  reader->kind_of = calloc(n, sizeof *reader->kind_of);
  reader->column = calloc(MAX_COLUMNS, sizeof *reader->column);
  if (!reader->vehicle || !reader->kind_of || !reader->column) return false;
  for (int i = 0; i < reader->vehicles; i++) {
    const char* name = rut_name(reader->model, RUT_VEHICLE, i);
    reader->vehicle[i] = (rutName){.name = name, .leaf = name, .index = i};
  }
  rut_names_sort(reader->vehicles, reader->vehicle);
  return find_kinds(reader);
}

rutStatus rut_inputs_parse(const rutModel* model, const char* text, size_t size, const char* name,
                           rutInputs** out, rutError* err) {
  *out = NULL;
  Reader reader = {.model = model,
                   .inputs = calloc(1, sizeof *reader.inputs),
                   .name = name,
                   .vehicles = rut_count(model, RUT_VEHICLE),
                   .err = err};
  const bool ready = reader.inputs && prepare(&reader);
  const rutStatus status = ready ? read_lines(&reader, text, size) : out_of_memory(&reader);
  free(reader.vehicle);
  free(reader.kind_of);
  free(reader.kind);
  free(reader.column);
  if (status == RUT_OK) {
    *out = reader.inputs;
  } else {
    rut_inputs_destroy(reader.inputs);
  }
  return status;
}
