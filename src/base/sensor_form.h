// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs that samples of a form consist of. The registry checks that a sensor has them; a log
// makes the form's message of them.
#ifndef RUT_BASE_SENSOR_FORM_H
#define RUT_BASE_SENSOR_FORM_H

#include "rut/rut.h"

enum { RUT_FORM_OUTPUTS = 10 };  // of a form, at most

typedef struct rutFormOutput {
  const char* name;
  rutNumberType type;
  int count;  // numbers in it, 0: any
  const char* unit;
  bool optional;  // the sensor may lack it, or have it with a count of 0
} rutFormOutput;

// Outputs of a form; *n gets their number.
const rutFormOutput* rut_form_outputs(rutSensorForm form, int* n);

#endif  // RUT_BASE_SENSOR_FORM_H
