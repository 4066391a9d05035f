// SPDX-License-Identifier: BSD-3-Clause
//
// Quantities in files: "12 deg", "15 psi", "0.5 m", bare numbers in SI.
#ifndef RUT_BASE_UNITS_H
#define RUT_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Parse one number with an optional unit and convert it to `unit` (an SI unit expression such as
// "N m s/rad", "" for a pure number, which also takes "%"). *end gets the first character not read.
// Returns false and fills message if there is no number, it is not finite, the unit is unknown, or
// its dimension does not fit. Locale-independent.
bool rut_parse_quantity(const char* text, const char* unit, double* value, const char** end,
                        char message[160]);
// Parse a number only, locale-independent, same rules for what is finite.
bool rut_parse_number(const char* text, double* value, const char** end);

// Base units of the SI in which a unit is expressed, in this order, and the radian.
enum {
  RUT_UNIT_KG,
  RUT_UNIT_M,
  RUT_UNIT_S,
  RUT_UNIT_A,
  RUT_UNIT_K,
  RUT_UNIT_MOL,
  RUT_UNIT_CD,
  RUT_UNIT_RAD,
  RUT_BASE_UNITS
};
// Powers of the base units in a unit expression, and what one of it is in their product. A hertz
// counts as 1/s. False if the text is no unit, or one that whole powers of these do not make, such
// as m/s/sqrt(h) or a byte.
bool rut_unit_powers(const char* unit, int power[RUT_BASE_UNITS], double* factor);

// digits * 10^exponent
typedef struct rutDecimal {
  uint64_t digits;
  int exponent;
} rutDecimal;
// Of the decimals that read back to the size of a finite double, the shortest, and of those the
// nearest to it.
rutDecimal rut_shortest_decimal(double value);
enum { RUT_NUMBER_SIZE = 32 };
// Text of that decimal, with its sign, as printf's %g would write it; rounded to `digits` digits if
// it has more (0: all, at most 17). Returns its length; there is no zero behind it.
size_t rut_write_number(double value, int digits, char text[RUT_NUMBER_SIZE]);
// Shortest decimal text that reads back to the same double, with a zero behind it.
void rut_format_number(double value, char text[32]);

#endif  // RUT_BASE_UNITS_H
