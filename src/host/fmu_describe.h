// SPDX-License-Identifier: BSD-3-Clause
//
// modelDescription.xml of an FMU.
#ifndef RUT_HOST_FMU_DESCRIBE_H
#define RUT_HOST_FMU_DESCRIBE_H

#include "host/bytes.h"
#include "rut/fmu.h"

typedef struct rutFmuDescription {
  int version;             // of FMI, 2 or 3
  const char* name;        // of the model
  const char* identifier;  // of its library: a name of C
  const char* description;
  double duration;  // of a run by default [s]; 0 or not finite: not said
} rutFmuDescription;

// Write it for what an instance has.
void rut_fmu_describe(const rutFmu* fmu, const rutFmuDescription* description, rutBytes* out);

#endif  // RUT_HOST_FMU_DESCRIBE_H
