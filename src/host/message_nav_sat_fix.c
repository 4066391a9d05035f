// SPDX-License-Identifier: BSD-3-Clause
//
// sensor_msgs/msg/NavSatFix.
#include "host/log_schema.h"
#include "host/sensor_message.h"
#include "math/rut_math.h"

enum { LATITUDE, LONGITUDE, ALTITUDE, DEVIATION, FIX };

// Of NavSatStatus, by the output "fix": none, single, DGPS, float, fixed. The last three use
// stations on the ground.
static const int8_t STATUS[] = {-1, 0, 2, 2, 2};
static const uint16_t SERVICE_GPS = 1;
static const uint8_t COVARIANCE_UNKNOWN = 0, COVARIANCE_DIAGONAL = 2;

static void put(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  const uint8_t fix = *(const uint8_t*)in->output[FIX];
  const int8_t status = STATUS[fix < (int)sizeof STATUS ? fix : 0];
  const double* s = in->output[DEVIATION];
  const double place[3] = {*(const double*)in->output[LATITUDE] * 180 / RUT_PI,
                           *(const double*)in->output[LONGITUDE] * 180 / RUT_PI,
                           *(const double*)in->output[ALTITUDE]};
  const double covariance[9] = {s[0] * s[0], 0, 0, 0, s[1] * s[1], 0, 0, 0, s[2] * s[2]};
  rut_cdr_numbers(b, start, 1, 1, &status);
  rut_cdr_numbers(b, start, 2, 1, &SERVICE_GPS);
  rut_cdr_f64(b, start, 3, place);
  rut_cdr_f64(b, start, 9, covariance);
  rut_cdr_numbers(b, start, 1, 1, fix > 0 ? &COVARIANCE_DIAGONAL : &COVARIANCE_UNKNOWN);
}

extern const rutSensorMessage rut_message_nav_sat_fix;
const rutSensorMessage rut_message_nav_sat_fix = {
    .schema = "sensor_msgs/msg/NavSatFix",
    .definition =
        "std_msgs/Header header\n"
        "sensor_msgs/NavSatStatus status\n"
        "float64 latitude  # [deg]\n"
        "float64 longitude  # [deg]\n"
        "float64 altitude  # [m] above the ellipsoid\n"
        "float64[9] position_covariance  # [m2] east, north, up\n"
        "uint8 position_covariance_type  # 0: unknown, 2: diagonal\n"
        RUT_MSG_BEGIN("sensor_msgs/NavSatStatus")
        "int8 status  # -1: no fix, 0: fix, 1: satellite, 2: ground-based augmentation\n"
        "uint16 service  # 1: GPS\n" RUT_MSG_HEADER,
    .live_tail = "/fix",
    .put = put,
};
