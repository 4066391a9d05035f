// SPDX-License-Identifier: BSD-3-Clause
//
// sensor_msgs/msg/PointCloud2 of a radar's detections, which viewers show as it is; the messages of
// radar_msgs have no place for a radar cross section.
#include "host/point_cloud_message.h"
#include "host/sensor_message.h"
#include "math/rut_math.h"

enum { RANGE, AZIMUTH, ELEVATION, RATE, RCS, SNR, OUTPUTS };

#define F32(name) \
  { name, RUT_POINT_FLOAT32 }
static const rutPointField fields[] = {F32("x"),          F32("y"),       F32("z"),
                                       F32("range"),      F32("azimuth"), F32("elevation"),
                                       F32("range_rate"), F32("rcs"),     F32("snr")};
enum { FIELDS = (int)(sizeof fields / sizeof fields[0]), POINT = 4 * FIELDS };

static void put(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  const double* const* output = (const double* const*)in->output;
  int points = 0;
  while (points < in->count[RANGE] && output[RANGE][points] >= 0) points++;
  rut_cloud_put_head(b, start, FIELDS, fields, POINT, (uint32_t)points);
  for (int i = 0; i < points; i++) {
    double up, level, left, ahead;
    rut_sincos(output[ELEVATION][i], &up, &level);
    rut_sincos(output[AZIMUTH][i], &left, &ahead);
    const double r = output[RANGE][i];
    rut_cloud_put_f32(b, r * level * ahead);
    rut_cloud_put_f32(b, r * level * left);
    rut_cloud_put_f32(b, r * up);
    for (int k = 0; k < OUTPUTS; k++) rut_cloud_put_f32(b, output[k][i]);
  }
  rut_cloud_put_tail(b, start);
}

extern const rutSensorMessage rut_message_radar;
const rutSensorMessage rut_message_radar = {
    .schema = RUT_POINT_CLOUD_SCHEMA, .definition = RUT_POINT_CLOUD_DEFINITION, .put = put};
