// SPDX-License-Identifier: BSD-3-Clause
#include "host/sensor_message.h"

#define MESSAGES(X)                          \
  X(RUT_FORM_PLANAR_SCAN, laser_scan)        \
  X(RUT_FORM_IMU, imu)                       \
  X(RUT_FORM_MAGNETIC_FIELD, magnetic_field) \
  X(RUT_FORM_FLUID_PRESSURE, fluid_pressure) \
  X(RUT_FORM_POINT_CLOUD, point_cloud)       \
  X(RUT_FORM_NAV_SAT_FIX, nav_sat_fix)       \
  X(RUT_FORM_RANGE, range)                   \
  X(RUT_FORM_RADAR, radar)                   \
  X(RUT_FORM_JOINTS, joint_state)            \
  X(RUT_FORM_IMAGE, image)                   \
  X(RUT_FORM_BATTERY, battery_state)

#define DECLARE(form, name) extern const rutSensorMessage rut_message_##name;
MESSAGES(DECLARE)
#define ENTRY(form, name) [form] = &rut_message_##name,
static const rutSensorMessage* const messages[RUT_FORM_COUNT] = {MESSAGES(ENTRY)};

const rutSensorMessage* rut_sensor_message(rutSensorForm form) { return messages[form]; }

static double or_nothing(double parameter) { return parameter == parameter ? parameter : 0; }

double rut_message_variance(const rutSensorMessageIn* in, double deviation, double resolution) {
  const double s = or_nothing(deviation), q = or_nothing(resolution);
  return in->exact ? 0 : s * s + q * q / 12;
}

void rut_message_put_covariance(rutBytes* bytes, size_t start, double variance) {
  const double diagonal[9] = {variance, 0, 0, 0, variance, 0, 0, 0, variance};
  rut_cdr_f64(bytes, start, 9, diagonal);
}
