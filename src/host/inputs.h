// SPDX-License-Identifier: BSD-3-Clause
//
// A table of set points in memory.
#ifndef RUT_HOST_INPUTS_H
#define RUT_HOST_INPUTS_H

#include "rut/host.h"

enum { RUT_INPUT_COMMANDS = 64 };  // largest number of set points of a vehicle in a table

typedef struct rutInputRow {
  double time;
  size_t first;           // of its values: one per set point, NaN where the table leaves it alone
  int vehicle, commands;  // and the number of its set points
} rutInputRow;

struct rutInputs {
  rutInputRow* row;
  double* value;
  size_t rows, row_capacity, values, value_capacity;
  size_t next;  // first row that is not applied yet
  // between the rows of a vehicle: since when its set points are what they are; NULL: they hold
  double *since, *from;  // [vehicle], [vehicle][RUT_INPUT_COMMANDS]
  int vehicles;
};

#endif  // RUT_HOST_INPUTS_H
