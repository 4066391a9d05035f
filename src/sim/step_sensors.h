// SPDX-License-Identifier: BSD-3-Clause
//
// Sensors in a step.
#ifndef RUT_SIM_STEP_SENSORS_H
#define RUT_SIM_STEP_SENSORS_H

#include "sim/model.h"

// Take the samples that are due at the present time; begin anew.
void rut_sensors_sample(const rutModel* model, rutData* data);
void rut_sensors_reset(const rutModel* model, rutData* data);
// Bytes of scratch that one worker needs.
size_t rut_worker_scratch(const rutModel* model);

// Latest sample of a sensor's output that can be seen, for controllers; user is the rutData.
void rut_sensor_reading(const void* user, int sensor, int output, rutControlReading* out);

#endif  // RUT_SIM_STEP_SENSORS_H
