// SPDX-License-Identifier: BSD-3-Clause
//
// What is seen of the wheels after a step: by rut_wheel_state, and by controllers in the next.
#ifndef RUT_VEHICLE_REPORT_H
#define RUT_VEHICLE_REPORT_H

#include "vehicle/work.h"

void rut_vehicle_report(const rutVehicleBatch* batch, const rutWork* work);

#endif  // RUT_VEHICLE_REPORT_H
