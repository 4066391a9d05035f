// SPDX-License-Identifier: BSD-3-Clause
//
// sensor_msgs/msg/Imu. Its linear acceleration is specific force (REP 145): g up at rest.
#include "host/log_schema.h"
#include "host/sensor_message.h"
#include "math/rut_math.h"

enum { ANGULAR_VELOCITY, SPECIFIC_FORCE, ORIENTATION };
enum { RATE_DENSITY, RATE_RESOLUTION, FORCE_DENSITY, FORCE_RESOLUTION, ORIENTATION_NOISE };

// White noise of a density, of one sample a period.
static double variance(const rutSensorMessageIn* in, int density, int resolution) {
  return rut_message_variance(in, in->parameter[density] / rut_sqrt(in->period),
                              in->parameter[resolution]);
}

static void put(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  static const double not_measured[9] = {-1};
  const double* q = in->output[ORIENTATION];
  const double orientation[4] = {q ? q[1] : 0, q ? q[2] : 0, q ? q[3] : 0, q ? q[0] : 1};
  rut_cdr_f64(b, start, 4, orientation);
  if (q) {
    const double noise = rut_message_variance(in, in->parameter[ORIENTATION_NOISE], 0);
    rut_message_put_covariance(b, start, noise);
  } else {
    rut_cdr_f64(b, start, 9, not_measured);
  }
  rut_cdr_f64(b, start, 3, in->output[ANGULAR_VELOCITY]);
  rut_message_put_covariance(b, start, variance(in, RATE_DENSITY, RATE_RESOLUTION));
  rut_cdr_f64(b, start, 3, in->output[SPECIFIC_FORCE]);
  rut_message_put_covariance(b, start, variance(in, FORCE_DENSITY, FORCE_RESOLUTION));
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
    .parameter = {[RATE_DENSITY] = "gyro_noise_density",
                  [RATE_RESOLUTION] = "gyro_resolution",
                  [FORCE_DENSITY] = "accelerometer_noise_density",
                  [FORCE_RESOLUTION] = "accelerometer_resolution",
                  [ORIENTATION_NOISE] = "orientation_noise"},
    .live_tail = "/data",
    .partial_tail = "/data_raw",
    .put = put,
};
