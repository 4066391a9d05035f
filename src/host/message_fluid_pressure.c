// SPDX-License-Identifier: BSD-3-Clause
//
// sensor_msgs/msg/FluidPressure.
#include "host/log_schema.h"
#include "host/sensor_message.h"

static void put(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  // the slow error is one as well
  const double variance = rut_message_variance(in, in->parameter[0], in->parameter[1]) +
                          rut_message_variance(in, in->parameter[2], 0);
  rut_cdr_f64(b, start, 1, in->output[0]);
  rut_cdr_f64(b, start, 1, &variance);
}

extern const rutSensorMessage rut_message_fluid_pressure;
const rutSensorMessage rut_message_fluid_pressure = {
    .schema = "sensor_msgs/msg/FluidPressure",
    .definition =
        "std_msgs/Header header\n"
        "float64 fluid_pressure  # [Pa] absolute\n"
        "float64 variance  # 0: unknown\n" RUT_MSG_HEADER,
    .parameter = {"pressure_noise", "resolution", "drift"},
    .put = put,
};
