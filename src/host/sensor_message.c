// SPDX-License-Identifier: BSD-3-Clause
#include "host/sensor_message.h"

#define MESSAGES(X)                          \
  X(RUT_FORM_PLANAR_SCAN, laser_scan)        \
  X(RUT_FORM_IMU, imu)                       \
  X(RUT_FORM_MAGNETIC_FIELD, magnetic_field) \
  X(RUT_FORM_FLUID_PRESSURE, fluid_pressure)

#define DECLARE(form, name) extern const rutSensorMessage rut_message_##name;
MESSAGES(DECLARE)
#define ENTRY(form, name) [form] = &rut_message_##name,
static const rutSensorMessage* const messages[RUT_FORM_COUNT] = {MESSAGES(ENTRY)};

const rutSensorMessage* rut_sensor_message(rutSensorForm form) { return messages[form]; }
