// SPDX-License-Identifier: BSD-3-Clause
//
// sensor_msgs/msg/PointCloud2 of the returns that there are, pulse by pulse.
#include "host/point_cloud_message.h"
#include "host/sensor_message.h"

enum { RANGE, X, Y, Z, INTENSITY, NUMBER, TIME, RING, CLASS, INSTANCE };
enum { POINT = 24, LABELLED = 32 };  // bytes of a point

static const rutPointField fields[] = {
    {"x", RUT_POINT_FLOAT32},           {"y", RUT_POINT_FLOAT32},    {"z", RUT_POINT_FLOAT32},
    {"intensity", RUT_POINT_FLOAT32},   {"time", RUT_POINT_FLOAT32}, {"ring", RUT_POINT_UINT16},
    {"return_number", RUT_POINT_UINT8}, {"class", RUT_POINT_INT16},  {"instance", RUT_POINT_INT32}};
enum { FIELDS = (int)(sizeof fields / sizeof fields[0]), LABELS = 2 };  // the last ones, if any

static bool is_labelled(const rutSensorMessageIn* in) { return in->count[CLASS] > 0; }

// Returns are [return][channel][column]; times [channel][column], rings [channel].
static void put_points(rutBytes* b, const rutSensorMessageIn* in) {
  const double *range = in->output[RANGE], *x = in->output[X], *y = in->output[Y];
  const double* z = in->output[Z];
  const float *intensity = in->output[INTENSITY], *time = in->output[TIME];
  const uint8_t* number = in->output[NUMBER];
  const uint16_t* ring = in->output[RING];
  const int32_t *label = in->output[CLASS], *instance = in->output[INSTANCE];
  const bool labelled = is_labelled(in);
  const int pulses = in->count[TIME], columns = pulses / in->count[RING];
  for (int pulse = 0; pulse < pulses; pulse++) {
    for (int i = pulse; i < in->count[RANGE]; i += pulses) {
      if (range[i] < 0) continue;
      rut_cloud_put_f32(b, x[i]);
      rut_cloud_put_f32(b, y[i]);
      rut_cloud_put_f32(b, z[i]);
      rut_cloud_put_f32(b, (double)intensity[i]);
      rut_cloud_put_f32(b, (double)time[pulse]);
      rut_bytes_u16(b, ring[pulse / columns]);
      rut_bytes_u8(b, number[i]);
      if (labelled) {
        rut_bytes_u16(b, (uint16_t)(int16_t)label[i]);
        rut_bytes_u32(b, (uint32_t)instance[i]);
      }
      for (int pad = labelled ? 3 : 1; pad > 0; pad--) rut_bytes_u8(b, 0);
    }
  }
}

static void put(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  const double* range = in->output[RANGE];
  uint32_t points = 0;
  for (int i = 0; i < in->count[RANGE]; i++) points += range[i] >= 0;
  const bool labelled = is_labelled(in);
  rut_cloud_put_head(b, start, labelled ? FIELDS : FIELDS - LABELS, fields,
                     labelled ? LABELLED : POINT, points);
  put_points(b, in);
  rut_cloud_put_tail(b, start);
}

extern const rutSensorMessage rut_message_point_cloud;
const rutSensorMessage rut_message_point_cloud = {
    .schema = RUT_POINT_CLOUD_SCHEMA,
    .definition = RUT_POINT_CLOUD_DEFINITION,
    .live_tail = "/points",
    .put = put,
};
