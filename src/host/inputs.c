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
    // a row that is refused does not affect those of other vehicles
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
