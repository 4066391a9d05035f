// SPDX-License-Identifier: BSD-3-Clause
#include "host/inputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/report.h"
#include "math/rut_math.h"

enum { MAX_FILE = 1 << 29 };  // bytes of a table

// Read a whole file into memory; the caller frees *text.
static rutStatus read_file(const char* path, char** text, size_t* size, rutError* err) {
  const int fault = rut_input_read(&rut_access_any, path, MAX_FILE, text, size);
  if (!fault) return RUT_OK;
  char message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
  rut_input_explain(fault, path, MAX_FILE, message, hint);
  rut_error_set(err, fault == ENOMEM ? RUT_ERR_MEMORY : RUT_ERR_IO, "%s", message);
  if (err) snprintf(err->file, sizeof err->file, "%.250s", path);
  return fault == ENOMEM ? RUT_ERR_MEMORY : RUT_ERR_IO;
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

// --- Between rows -----------------------------------------------------------------------------

rutStatus rut_inputs_interpolate(rutInputs* inputs, const rutModel* model) {
  const int n = rut_count(model, RUT_VEHICLE);
  free(inputs->since);
  inputs->since = malloc(((size_t)n + 1) * (1 + RUT_INPUT_COMMANDS) * sizeof *inputs->since);
  if (!inputs->since) return RUT_ERR_MEMORY;
  inputs->from = inputs->since + n;
  inputs->vehicles = n;
  rut_inputs_rewind(inputs);
  return RUT_OK;
}

// A row has been applied: lines begin there.
static void begin_lines(rutInputs* inputs, const rutModel* model, const rutData* data,
                        const rutInputRow* row) {
  double* from = inputs->from + (size_t)row->vehicle * RUT_INPUT_COMMANDS;
  inputs->since[row->vehicle] = row->time;
  rut_command_state(model, data, row->vehicle, row->commands, from);
}

// A straight line of set points, from a time and values to a row.
typedef struct Line {
  double since, from[RUT_INPUT_COMMANDS];
  size_t to;  // the row
} Line;

// What a line gives at its end.
static double at_end(const rutInputs* inputs, const Line* line, int i) {
  const rutInputRow* row = &inputs->row[line->to];
  const double end = i < row->commands ? inputs->value[row->first + (size_t)i] : RUT_NAN;
  return isnan(end) ? line->from[i] : end;
}

// The line that holds at a time: of the vehicle's rows before it, none is passed over.
static void go_on(const rutInputs* inputs, double time, Line* line) {
  const int vehicle = inputs->row[line->to].vehicle;
  while (inputs->row[line->to].time < time) {
    size_t next = line->to + 1;
    while (next < inputs->rows && inputs->row[next].vehicle != vehicle) next++;
    if (next == inputs->rows) return;
    for (int i = 0; i < RUT_INPUT_COMMANDS; i++) line->from[i] = at_end(inputs, line, i);
    line->since = inputs->row[line->to].time;
    line->to = next;
  }
}

// Set points of a vehicle on the way to its next row, and within the step beyond it.
static rutStatus move_along(const rutInputs* inputs, size_t row, const rutModel* model,
                            rutData* data) {
  enum { TIMES = 3 };  // start, middle and end of the step
  double at[TIMES][RUT_INPUT_COMMANDS];
  const int vehicle = inputs->row[row].vehicle, n = inputs->row[row].commands;
  Line line = {.since = inputs->since[vehicle], .to = row};
  memcpy(line.from, inputs->from + (size_t)vehicle * RUT_INPUT_COMMANDS, sizeof line.from);
  for (int k = 0; k < TIMES; k++) {
    const double time = rut_time(data) + 0.5 * k * rut_model_timestep(model);
    go_on(inputs, time, &line);
    const double length = inputs->row[line.to].time - line.since;
    const double part = length > 0 ? rut_clamp((time - line.since) / length, 0, 1) : 1;
    for (int i = 0; i < n; i++) {
      at[k][i] = line.from[i] + part * (at_end(inputs, &line, i) - line.from[i]);
    }
  }
  const rutStatus status = rut_command(model, data, vehicle, n, at[0]);
  // where nothing looks within the step, they hold through it
  if (status == RUT_OK) rut_command_course(model, data, vehicle, n, at[1], at[2]);
  return status;
}

// Of all vehicles whose next row is not the first.
static rutStatus follow_lines(rutInputs* inputs, const rutModel* model, rutData* data,
                              const bool* skip) {
  enum { MOST = 4096 };  // vehicles, by index, that can do so
  unsigned char seen[MOST] = {0};
  rutStatus first = RUT_OK;
  int left = inputs->vehicles < MOST ? inputs->vehicles : MOST;
  for (size_t k = inputs->next; k < inputs->rows && left > 0; k++) {
    const rutInputRow* row = &inputs->row[k];
    if (row->vehicle >= MOST || seen[row->vehicle]) continue;
    seen[row->vehicle] = 1;
    left--;
    if (isnan(inputs->since[row->vehicle]) || (skip && skip[row->vehicle])) continue;
    const rutStatus status = move_along(inputs, k, model, data);
    if (first == RUT_OK) first = status;
  }
  return first;
}

// --- Applying ---------------------------------------------------------------------------------

// Give a vehicle the set points of a row; those that the row leaves out stay as they are.
static rutStatus apply_row(const rutInputs* inputs, const rutInputRow* row, const rutModel* model,
                           rutData* data) {
  double command[RUT_INPUT_COMMANDS];
  const int n = row->commands;
  // a changed world may have given the vehicle another controller
  if (rut_command_state(model, data, row->vehicle, n, command) < n) return RUT_ERR_ARGUMENT;
  for (int i = 0; i < n; i++) {
    const double value = inputs->value[row->first + (size_t)i];
    if (!isnan(value)) command[i] = value;
  }
  return rut_command(model, data, row->vehicle, n, command);
}

rutStatus rut_inputs_apply(rutInputs* inputs, const rutModel* model, rutData* data) {
  return rut_inputs_apply_except(inputs, model, data, NULL);
}

rutStatus rut_inputs_apply_except(rutInputs* inputs, const rutModel* model, rutData* data,
                                  const bool* skip) {
  double now = rut_time(data) + 1e-9;
  rutStatus first = RUT_OK;
  while (inputs->next < inputs->rows && inputs->row[inputs->next].time <= now) {
    const rutInputRow* row = &inputs->row[inputs->next++];
    if (skip && skip[row->vehicle]) continue;
    const rutStatus status = apply_row(inputs, row, model, data);
    if (status == RUT_OK && inputs->since) begin_lines(inputs, model, data, row);
    // a row that is refused does not affect those of other vehicles
    if (first == RUT_OK) first = status;
  }
  if (inputs->since && first == RUT_OK) first = follow_lines(inputs, model, data, skip);
  return first;
}

void rut_inputs_rewind(rutInputs* inputs) {
  inputs->next = 0;
  for (int i = 0; inputs->since && i < inputs->vehicles; i++) inputs->since[i] = RUT_NAN;
}

size_t rut_inputs_count(const rutInputs* inputs) { return inputs->rows; }

void rut_inputs_destroy(rutInputs* inputs) {
  if (!inputs) return;
  free(inputs->row);
  free(inputs->value);
  free(inputs->since);
  free(inputs);
}
