// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of an instance of an FMU that its files share.
#ifndef RUT_HOST_FMU_INSTANCE_H
#define RUT_HOST_FMU_INSTANCE_H

#include "host/fmu_settings.h"

struct rutFmu {
  rutContext* context;
  rutFmuReport report;  // Nullable
  void* user;
  rutFmuSettings settings;
  rutSpec* spec;      // as it is in the file
  rutModel* first;    // of this spec: names of variables are in it
  rutModel* changed;  // with other parameters. Nullable
  rutData* data;      // of the present model
  rutSignals* signals;
  rutFmuList list;
  double* value;  // [variable] of parameters and, before the start, of inputs
  bool* given;    // [variable] inputs that were set before the start
  bool stale;     // parameters are not those of the present model
  bool running;
  double start;  // time of the first step on the importing program's clock [s]
};

// Compile the world with the present parameters, where they have changed since. Errors: those of
// rut_compile.
rutStatus rut_fmu_settle(rutFmu* fmu, rutError* err);

#endif  // RUT_HOST_FMU_INSTANCE_H
