// SPDX-License-Identifier: BSD-3-Clause
//
// sensor_msgs/msg/MagneticField.
#include "host/log_schema.h"
#include "host/sensor_message.h"

static void put(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  rut_cdr_f64(b, start, 3, in->output[0]);
  rut_message_put_covariance(b, start,
                             rut_message_variance(in, in->parameter[0], in->parameter[1]));
}

extern const rutSensorMessage rut_message_magnetic_field;
const rutSensorMessage rut_message_magnetic_field = {
    .schema = "sensor_msgs/msg/MagneticField",
    .definition =
        "std_msgs/Header header\n"
        "geometry_msgs/Vector3 magnetic_field  # [T]\n"
        "float64[9] magnetic_field_covariance  # 0: unknown\n" RUT_MSG_VECTOR3 RUT_MSG_HEADER,
    .parameter = {"field_noise", "resolution"},
    .live_tail = "/mag",
    .put = put,
};
