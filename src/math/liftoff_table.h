// SPDX-License-Identifier: BSD-3-Clause
//
// Tables of steering angles at which a wheel lifts, which rut/liftoff.h makes: cells, what lies
// between them, and their file.
#ifndef RUT_MATH_LIFTOFF_TABLE_H
#define RUT_MATH_LIFTOFF_TABLE_H

#include "rut/liftoff.h"

enum { RUT_LIFTOFF_NAME = 96 };

struct rutLiftoff {
  char vehicle[RUT_LIFTOFF_NAME];
  rutLiftoffValues axis[RUT_LIFTOFF_AXES];  // values owned
  rutLiftoffCell* cell;                     // owned
  int cells;
};

// Usual values of an axis.
rutLiftoffValues rut_liftoff_usual(int axis);
// Whether values of all axes ascend and are in range. Errors: ARGUMENT.
rutStatus rut_liftoff_check_axes(const rutLiftoffValues axis[RUT_LIFTOFF_AXES], rutError* err);
// A table with cells that know their places, no more. The values are copied. Errors: MEMORY.
rutStatus rut_liftoff_lay_out(const rutLiftoffValues axis[RUT_LIFTOFF_AXES], rutLiftoff** out,
                              rutError* err);
// Fill in the safe angles of all cells.
void rut_liftoff_make_safe(rutLiftoff* table);

// Read a table from the text of a file. The caller owns *out. Errors: PARSE, MEMORY.
rutStatus rut_liftoff_parse(const char* text, size_t size, rutLiftoff** out, rutError* err);

// Numbers of a row, in the order of their columns.
#define RUT_LIFTOFF_COLUMNS(X)                  \
  X(speed, at[RUT_LIFTOFF_SPEED])               \
  X(steering_rate, at[RUT_LIFTOFF_RATE])        \
  X(acceleration, at[RUT_LIFTOFF_ACCELERATION]) \
  X(side_slope, at[RUT_LIFTOFF_SLOPE])          \
  X(steering, steering)                         \
  X(safe_steering, safe)                        \
  X(lateral_acceleration, lateral_acceleration) \
  X(yaw_rate, yaw_rate)                         \
  X(speed_there, speed)                         \
  X(least_load, load)                           \
  X(rigid_lateral_acceleration, rigid)

#endif  // RUT_MATH_LIFTOFF_TABLE_H
