// SPDX-License-Identifier: BSD-3-Clause
//
// Potentiometers at all wheels that steer: offset, white noise, saturation and the steps of a
// converter. Wheels that do not steer have no potentiometer: theirs is their fixed angle.
#include "rut/sensor.h"
#include "sense/noise.h"

#define FIELDS(REAL, CHOICE)                                                             \
  RUT_SENSOR_ROWS(REAL, CHOICE)                                                          \
  REAL(deviation, "rad", 0.1 * RUT_PI / 180, 0, 1, "standard deviation of each angle")   \
  REAL(bias, "rad", 0, -1, 1, "offset of each angle")                                    \
  REAL(range, "rad", RUT_PI, 0, 10, "largest angle to either side; beyond it saturates") \
  REAL(resolution, "rad", 0, 0, 1, "step of the angles, 0: none")

typedef struct SteeringParam {
  FIELDS(RUT_PARAM, RUT_PARAM)
} SteeringParam;

static const rutField fields[] = {FIELDS(RUT_ROW, RUT_CHOICE_ROW)};

static const rutVariable outputs[] = {{.name = "steer",
                                       .unit = "rad",
                                       .shape = "wheels",
                                       .frame = "vehicle",
                                       .doc = "angle of each wheel, positive to the left"}};

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const SteeringParam* p = param;
  double* steer = out[0];
  (void)state;
  (void)scratch;
  in->normals(in->host, 0, in->wheels, steer);
  for (int i = 0; i < in->wheels; i++) {
    const double truth = in->wheel[i].steer;
    const double wrong = truth + p->bias + p->deviation * steer[i];
    const double told = rut_measured(in, truth, wrong, p->range, p->resolution);
    steer[i] = in->steered[i] ? told : truth;
  }
}

extern const rutSensorType rut_sensor_steering_angle;
const rutSensorType rut_sensor_steering_angle = {
    .base = {RUT_HEAD(
        rutSensorType, "sensor", "steering_angle", "vehicle",
        "Potentiometers that measure the steer angles of wheels; those that do not steer "
        "have their fixed angle.",
        fields)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .uses = RUT_USES_WHEELS,
    .sample = sample,
};
