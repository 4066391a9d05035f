// SPDX-License-Identifier: BSD-3-Clause
//
// From a motion to its accelerations: the stages of an evaluation, in order.
#ifndef RUT_VEHICLE_EVALUATE_H
#define RUT_VEHICLE_EVALUATE_H

#include "vehicle/work.h"

// Accelerations at a motion, which are written to it. Slides of massless wheels, and their speeds,
// are found and written as well.
void rut_vehicle_evaluate(const rutEnvironment* world, const rutVehicleBatch* batch,
                          const rutWork* work, const rutStageMotion* motion);

#endif  // RUT_VEHICLE_EVALUATE_H
