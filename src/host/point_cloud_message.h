// SPDX-License-Identifier: BSD-3-Clause
//
// What every sensor_msgs/msg/PointCloud2 has around its points.
#ifndef RUT_HOST_POINT_CLOUD_MESSAGE_H
#define RUT_HOST_POINT_CLOUD_MESSAGE_H

#include "host/bytes.h"
#include "host/log_schema.h"

// Of sensor_msgs/msg/PointField.
enum {
  RUT_POINT_UINT8 = 2,
  RUT_POINT_INT16 = 3,
  RUT_POINT_UINT16 = 4,
  RUT_POINT_INT32 = 5,
  RUT_POINT_FLOAT32 = 7
};

typedef struct rutPointField {
  const char* name;
  uint8_t type;
} rutPointField;

// Everything before the points, which stand in one row, after the message's header. Fields follow
// each other without gaps; a point takes `size` bytes.
void rut_cloud_put_head(rutBytes* bytes, size_t start, int fields, const rutPointField* field,
                        uint32_t size, uint32_t points);
void rut_cloud_put_f32(rutBytes* bytes, double value);
// What stands after the points.
void rut_cloud_put_tail(rutBytes* bytes, size_t start);

#define RUT_POINT_CLOUD_SCHEMA "sensor_msgs/msg/PointCloud2"
#define RUT_POINT_CLOUD_DEFINITION                                                     \
  "std_msgs/Header header\n"                                                           \
  "uint32 height  # 1\n"                                                               \
  "uint32 width  # points\n"                                                           \
  "sensor_msgs/PointField[] fields\n"                                                  \
  "bool is_bigendian\n"                                                                \
  "uint32 point_step  # bytes of a point\n"                                            \
  "uint32 row_step\n"                                                                  \
  "uint8[] data\n"                                                                     \
  "bool is_dense  # no point is NaN\n" RUT_MSG_HEADER                                  \
  "================================================================================\n" \
  "MSG: sensor_msgs/PointField\n"                                                      \
  "uint8 INT8=1\nuint8 UINT8=2\nuint8 INT16=3\nuint8 UINT16=4\n"                       \
  "uint8 INT32=5\nuint8 UINT32=6\nuint8 FLOAT32=7\nuint8 FLOAT64=8\n"                  \
  "string name\n"                                                                      \
  "uint32 offset  # in a point\n"                                                      \
  "uint8 datatype\n"                                                                   \
  "uint32 count\n"

#endif  // RUT_HOST_POINT_CLOUD_MESSAGE_H
