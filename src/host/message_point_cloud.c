// SPDX-License-Identifier: BSD-3-Clause
//
// sensor_msgs/msg/PointCloud2 of the returns that there are, pulse by pulse.
#include <string.h>

#include "host/log_schema.h"
#include "host/sensor_message.h"

enum { RANGE, X, Y, Z, INTENSITY, NUMBER, TIME, RING };
enum { IS_UINT8 = 2, IS_UINT16 = 4, IS_FLOAT32 = 7 };  // of sensor_msgs/msg/PointField
enum { POINT = 24 };                                   // bytes of a point

static void put_u8(rutBytes* b, size_t start, uint8_t value) {
  rut_cdr_numbers(b, start, 1, 1, &value);
}

static void put_fields(rutBytes* b, size_t start) {
  static const struct {
    const char* name;
    uint32_t offset;
    uint8_t type;
  } field[] = {{"x", 0, IS_FLOAT32},           {"y", 4, IS_FLOAT32},     {"z", 8, IS_FLOAT32},
               {"intensity", 12, IS_FLOAT32},  {"time", 16, IS_FLOAT32}, {"ring", 20, IS_UINT16},
               {"return_number", 22, IS_UINT8}};
  enum { FIELDS = (int)(sizeof field / sizeof field[0]) };
  rut_cdr_u32(b, start, FIELDS);
  for (int i = 0; i < FIELDS; i++) {
    rut_cdr_text(b, start, field[i].name);
    rut_cdr_u32(b, start, field[i].offset);
    put_u8(b, start, field[i].type);
    rut_cdr_u32(b, start, 1);
  }
}

static void put_f32(rutBytes* b, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  rut_bytes_u32(b, bits);
}

// Returns are [return][channel][column]; times [channel][column], rings [channel].
static void put_points(rutBytes* b, const rutSensorMessageIn* in) {
  const double *range = in->output[RANGE], *x = in->output[X], *y = in->output[Y];
  const double* z = in->output[Z];
  const float *intensity = in->output[INTENSITY], *time = in->output[TIME];
  const uint8_t* number = in->output[NUMBER];
  const uint16_t* ring = in->output[RING];
  const int pulses = in->count[TIME], columns = pulses / in->count[RING];
  for (int pulse = 0; pulse < pulses; pulse++) {
    for (int i = pulse; i < in->count[RANGE]; i += pulses) {
      if (range[i] < 0) continue;
      put_f32(b, (float)x[i]);
      put_f32(b, (float)y[i]);
      put_f32(b, (float)z[i]);
      put_f32(b, intensity[i]);
      put_f32(b, time[pulse]);
      rut_bytes_u16(b, ring[pulse / columns]);
      rut_bytes_u8(b, number[i]);
      rut_bytes_u8(b, 0);
    }
  }
}

static void put(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  const double* range = in->output[RANGE];
  uint32_t points = 0;
  for (int i = 0; i < in->count[RANGE]; i++) points += range[i] >= 0;
  rut_cdr_u32(b, start, 1);
  rut_cdr_u32(b, start, points);
  put_fields(b, start);
  put_u8(b, start, 0);
  rut_cdr_u32(b, start, POINT);
  rut_cdr_u32(b, start, POINT * points);
  rut_cdr_u32(b, start, POINT * points);
  put_points(b, in);
  put_u8(b, start, 1);
}

extern const rutSensorMessage rut_message_point_cloud;
const rutSensorMessage rut_message_point_cloud = {
    .schema = "sensor_msgs/msg/PointCloud2",
    .definition =
        "std_msgs/Header header\n"
        "uint32 height  # 1\n"
        "uint32 width  # points\n"
        "sensor_msgs/PointField[] fields\n"
        "bool is_bigendian\n"
        "uint32 point_step  # bytes of a point\n"
        "uint32 row_step\n"
        "uint8[] data\n"
        "bool is_dense  # no point is NaN\n" RUT_MSG_HEADER
        "================================================================================\n"
        "MSG: sensor_msgs/PointField\n"
        "uint8 INT8=1\nuint8 UINT8=2\nuint8 INT16=3\nuint8 UINT16=4\n"
        "uint8 INT32=5\nuint8 UINT32=6\nuint8 FLOAT32=7\nuint8 FLOAT64=8\n"
        "string name\n"
        "uint32 offset  # in a point\n"
        "uint8 datatype\n"
        "uint32 count\n",
    .put = put,
};
