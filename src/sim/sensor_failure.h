// SPDX-License-Identifier: BSD-3-Clause
//
// Failures of sensors by schedule: <failure> elements of a sensor.
#ifndef RUT_SIM_SENSOR_FAILURE_H
#define RUT_SIM_SENSOR_FAILURE_H

#include "sim/model.h"

// True if a failure of this kind holds for a sample that is due at a time [s].
bool rut_sensor_fails(const rutSensorRecord* sensor, rutFailureKind kind, double time);
// Add the biases and the noise of failures to an output of a sample that was taken at a time, whose
// number is `sample`. True if there are any.
bool rut_sensor_disturb(const rutData* data, int sensor, int output, double time, uint64_t sample,
                        void* out);

#endif  // RUT_SIM_SENSOR_FAILURE_H
