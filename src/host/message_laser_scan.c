// SPDX-License-Identifier: BSD-3-Clause
//
// sensor_msgs/msg/LaserScan of a planar scan.
#include "host/log_schema.h"
#include "host/sensor_message.h"
#include "math/rut_math.h"

static void put(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  const double* range = in->output[0];
  const rutScanGeometry* g = &in->geometry;
  const int n = in->count[0];
  // the limit may have been changed since
  float limit = (float)g->range_max;
  for (int i = 0; i < n; i++) limit = (float)range[i] > limit ? (float)range[i] : limit;
  const double last = g->angle_min + (n - 1) * g->angle_increment;
  const float number[7] = {
      (float)g->angle_min, (float)last, (float)g->angle_increment, 0, (float)in->period,
      (float)g->range_min, limit};
  for (int i = 0; i < 7; i++) rut_cdr_f32(b, start, number[i]);
  rut_cdr_u32(b, start, (uint32_t)n);
  for (int i = 0; i < n; i++) {
    rut_cdr_f32(b, start, range[i] < 0 ? (float)RUT_INFINITY : (float)range[i]);
  }
  rut_cdr_u32(b, start, 0);
}

extern const rutSensorMessage rut_message_laser_scan;
const rutSensorMessage rut_message_laser_scan = {
    .schema = "sensor_msgs/msg/LaserScan",
    .definition =
        "std_msgs/Header header\n"
        "float32 angle_min  # [rad] of the first ray\n"
        "float32 angle_max  # [rad] of the last ray\n"
        "float32 angle_increment  # [rad]\n"
        "float32 time_increment  # [s]\n"
        "float32 scan_time  # [s] between scans\n"
        "float32 range_min  # [m]\n"
        "float32 range_max  # [m]\n"
        "float32[] ranges  # [m] infinite where nothing is hit\n"
        "float32[] intensities\n" RUT_MSG_HEADER,
    .put = put,
};
