// SPDX-License-Identifier: BSD-3-Clause
//
// sensor_msgs/msg/Imu. Its linear acceleration is specific force (REP 145): g up at rest.
#include "host/log_schema.h"
#include "host/sensor_message.h"

enum { ANGULAR_VELOCITY, SPECIFIC_FORCE, ORIENTATION };

static void put(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  static const double unknown[9] = {0}, not_measured[9] = {-1};
  const double* q = in->output[ORIENTATION];
  const double orientation[4] = {q ? q[1] : 0, q ? q[2] : 0, q ? q[3] : 0, q ? q[0] : 1};
  rut_cdr_f64(b, start, 4, orientation);
  rut_cdr_f64(b, start, 9, q ? unknown : not_measured);
  rut_cdr_f64(b, start, 3, in->output[ANGULAR_VELOCITY]);
  rut_cdr_f64(b, start, 9, unknown);
  rut_cdr_f64(b, start, 3, in->output[SPECIFIC_FORCE]);
  rut_cdr_f64(b, start, 9, unknown);
}

extern const rutSensorMessage rut_message_imu;
const rutSensorMessage rut_message_imu = {
    .schema = "sensor_msgs/msg/Imu",
    .definition =
        "std_msgs/Header header\n"
        "geometry_msgs/Quaternion orientation\n"
        "float64[9] orientation_covariance  # -1 first: not measured\n"
        "geometry_msgs/Vector3 angular_velocity  # [rad/s]\n"
        "float64[9] angular_velocity_covariance  # 0: unknown\n"
        "geometry_msgs/Vector3 linear_acceleration  # [m/s2] specific force\n"
        "float64[9] linear_acceleration_covariance  # 0: unknown\n" RUT_MSG_QUATERNION
            RUT_MSG_VECTOR3 RUT_MSG_HEADER,
    .put = put,
};
