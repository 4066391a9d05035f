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

enum { STEER, RATE };
static const rutVariable outputs[] = {
    [STEER] = {.name = "steer",
               .unit = "rad",
               .shape = "wheels",
               .frame = "vehicle",
               .doc = "angle of each wheel, positive to the left"},
    [RATE] = {.name = "steer_rate",
              .unit = "rad/s",
              .shape = "wheels",
              .doc = "of each wheel, from the change of its angle since the last sample"}};

typedef struct SteeringState {
  double last_time;
  double last_steer[];  // [wheels]
} SteeringState;
static const rutVariable states[] = {
    {.name = "last_time", .unit = "s", .doc = "of the last sample"},
    {.name = "last_steer", .unit = "rad", .shape = "wheels", .doc = "at that time"}};

static double measure(const SteeringParam* p, const rutSensorIn* in, int wheel, double normal) {
  const double truth = in->wheel[wheel].steer;
  if (!in->steered[wheel]) return truth;
  return rut_measured(in, truth, truth + p->bias + p->deviation * normal, p->range, p->resolution);
}

static void start(const void* param, const rutSensorIn* in, double* state) {
  double* last = ((SteeringState*)(void*)state)->last_steer;
  in->normals(in->host, 0, in->wheels, last);
  for (int i = 0; i < in->wheels; i++) last[i] = measure(param, in, i, last[i]);
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  SteeringState* s = (SteeringState*)(void*)state;
  double *steer = out[STEER], *rate = out[RATE], *last = s->last_steer;
  const double dt = in->time - s->last_time;
  (void)scratch;
  in->normals(in->host, 0, in->wheels, steer);
  for (int i = 0; i < in->wheels; i++) {
    steer[i] = measure(param, in, i, steer[i]);
    rate[i] = dt > 0 ? (steer[i] - last[i]) / dt : 0;
    last[i] = steer[i];
  }
  s->last_time = in->time;
}

extern const rutSensorType rut_sensor_steering_angle;
const rutSensorType rut_sensor_steering_angle = {
    .base = {RUT_HEAD(
                 rutSensorType, "sensor", "steering_angle", "vehicle",
                 "Potentiometers that measure the steer angles of wheels; those that do not steer "
                 "have their fixed angle.",
                 fields),
             .state = states, .states = RUT_COUNT_OF(states)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .uses = RUT_USES_WHEELS,
    .form = RUT_FORM_JOINTS,
    .start = start,
    .sample = sample,
};
