// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs of an element that are computed together: rows, and functions that compute them.
#ifndef RUT_SIM_OUTPUT_SET_H
#define RUT_SIM_OUTPUT_SET_H

#include "sim/model.h"

typedef struct rutOutputSet {
  const char* part;   // what of the element they are of, "" for itself
  const char* where;  // which elements have them, "" for all
  const rutVariable* row;
  int rows;
  rutReading reading;
  bool (*applies)(const rutModel* model, int index);  // Nullable: to all
  // Numbers of a row that is an array. Nullable: every row is one number.
  int (*count)(const rutModel* model, int index, int row);
  // All numbers of all rows, in order.
  void (*read)(const rutModel* model, const rutData* data, int index, double* out);
} rutOutputSet;

extern const rutOutputSet rut_vehicle_outputs[], rut_wheel_outputs[], rut_block_outputs[],
    rut_mechanism_outputs[], rut_world_outputs[];
extern const int rut_vehicle_output_sets, rut_wheel_output_sets, rut_block_output_sets,
    rut_mechanism_output_sets, rut_world_output_sets;

// A row of one number, and its number put behind the others: X(name, unit, frame, value, doc).
#define RUT_OUTPUT_ROW(name, unit, frame, value, doc) \
  {#name, unit, "", frame, doc, RUT_F64, false, RUT_MEANS_NOTHING},
#define RUT_OUTPUT_PUT(name, unit, frame, value, doc) *out++ = (value);

#endif  // RUT_SIM_OUTPUT_SET_H
