// SPDX-License-Identifier: BSD-3-Clause
//
// Colours in world files: `color` and `colour` are one name, and both forms of a colour mean the
// same: "#rrggbb" (sRGB), and three linear reflectances from 0 to 1.
#ifndef RUT_SIM_SPEC_COLOUR_VALUE_H
#define RUT_SIM_SPEC_COLOUR_VALUE_H

#include "rut/component.h"

enum { RUT_COLOUR_TEXT = 96 };

// The other spelling of a field's name, NULL if it has none.
const char* rut_other_spelling(const char* field);
// Text of a colour in the form that a field takes, in `out` if the text has the other form; any
// other text as it is.
const char* rut_colour_text(const rutField* field, const char* text, char out[RUT_COLOUR_TEXT]);

// Linear reflectances of a colour "#rrggbb", whose numbers are those of sRGB (IEC 61966-2-1), or
// "#rrggbbaa", whose opacity has no effect. False for other texts.
bool rut_linear_colour(const char* text, double colour[3]);

#endif  // RUT_SIM_SPEC_COLOUR_VALUE_H
