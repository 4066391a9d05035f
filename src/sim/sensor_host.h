// SPDX-License-Identifier: BSD-3-Clause
//
// What a sensor can query of the world while it takes a sample.
#ifndef RUT_SIM_SENSOR_HOST_H
#define RUT_SIM_SENSOR_HOST_H

#include "sim/model.h"

// One sensor at one sample. Memory of rut_sensor_host_scratch bytes, aligned to 64, serves its
// rays.
typedef struct rutSensorHost {
  const rutModel* model;
  const rutData* data;
  int sensor;
  double time;       // of the sample [s]
  uint64_t sample;   // number of the sample
  rutMotion motion;  // at the present time, which the sample may be earlier than
  rutVec3 arm;       // of the sensor from the centre of mass, its own axes [m]
  void* memory;
  double motor_current[RUT_MAX_WHEELS];  // of its vehicle
} rutSensorHost;

size_t rut_sensor_host_scratch(const rutModel* model);
// Input of the sensor, with the services of the host. wheel has room for
// RUT_MAX_WHEELS states, of which those are filled that the sensor uses.
void rut_sensor_host_fill(rutSensorHost* host, rutWheelState* wheel, rutSensorIn* in);

#endif  // RUT_SIM_SENSOR_HOST_H
