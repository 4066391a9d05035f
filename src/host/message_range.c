// SPDX-License-Identifier: BSD-3-Clause
//
// sensor_msgs/msg/Range.
#include "host/log_schema.h"
#include "host/sensor_message.h"
#include "math/rut_math.h"

enum { RADIATION, FIELD_OF_VIEW, MIN_RANGE, MAX_RANGE };

static void put(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  const double range = *(const double*)in->output[0];
  // its words are in the order of the message's numbers
  const uint8_t radiation = in->parameter[RADIATION] == 1;
  rut_cdr_numbers(b, start, 1, 1, &radiation);
  rut_cdr_f32(b, start, (float)in->parameter[FIELD_OF_VIEW]);
  rut_cdr_f32(b, start, (float)in->parameter[MIN_RANGE]);
  rut_cdr_f32(b, start, (float)in->parameter[MAX_RANGE]);
  rut_cdr_f32(b, start, range < 0 ? (float)RUT_INFINITY : (float)range);
  rut_cdr_f32(b, start, 0);
}

extern const rutSensorMessage rut_message_range;
const rutSensorMessage rut_message_range = {
    .schema = "sensor_msgs/msg/Range",
    .definition =
        "std_msgs/Header header\n"
        "uint8 radiation_type  # 0: ultrasound, 1: infrared\n"
        "float32 field_of_view  # [rad]\n"
        "float32 min_range  # [m]\n"
        "float32 max_range  # [m]\n"
        "float32 range  # [m] infinite without an echo\n"
        "float32 variance  # [m2] 0: unknown\n" RUT_MSG_HEADER,
    .parameter = {"radiation", "fov", "min_range", "max_range"},
    .put = put,
};
