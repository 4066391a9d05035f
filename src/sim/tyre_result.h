// SPDX-License-Identifier: BSD-3-Clause
//
// What the tyre of a wheel tells of the last step.
#ifndef RUT_SIM_TYRE_RESULT_H
#define RUT_SIM_TYRE_RESULT_H

#include "sim/model.h"

typedef struct rutWheelTyre {
  const rutTyreType* type;  // NULL if the wheel has none
  const double* param;
  const double* given;  // before its inflation; NULL on planar vehicles
  double pressure;      // that it names [Pa], 0 if it knows none
} rutWheelTyre;
rutWheelTyre rut_wheel_tyre(const rutModel* model, int wheel);

// All outputs of that tyre, which has some.
void rut_tyre_tell(const rutModel* model, const rutData* data, int wheel, double* out);

#endif  // RUT_SIM_TYRE_RESULT_H
