// SPDX-License-Identifier: BSD-3-Clause
//
// Current sensors of the motors: offset, scale, white noise, saturation and the steps of a
// converter, as a shunt or a Hall sensor has them.
#include "rut/sensor.h"
#include "sense/noise.h"

#define FIELDS(REAL, CHOICE)                                                           \
  RUT_SENSOR_ROWS(REAL, CHOICE)                                                        \
  REAL(deviation, "A", 0.1, 0, 1e6, "standard deviation of each current")              \
  REAL(bias, "A", 0, -1e6, 1e6, "offset of each current")                              \
  REAL(scale, "", 1, 0, 10, "measured current over the true one")                      \
  REAL(range, "A", 1e6, 0, 1e9, "largest current of either sign; beyond it saturates") \
  REAL(resolution, "A", 0, 0, 1e6, "step of the currents, 0: none")

typedef struct CurrentParam {
  FIELDS(RUT_PARAM, RUT_PARAM)
} CurrentParam;

static const rutField fields[] = {FIELDS(RUT_ROW, RUT_CHOICE_ROW)};

static const rutVariable outputs[] = {
    {.name = "current",
     .unit = "A",
     .shape = "wheels",
     .doc = "of the motor at each wheel, positive where it drives forward"}};

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const CurrentParam* p = param;
  double* current = out[0];
  (void)state;
  (void)scratch;
  in->normals(in->host, 0, in->wheels, current);
  for (int i = 0; i < in->wheels; i++) {
    const double truth = in->motor_current ? in->motor_current[i] : 0;
    const double wrong = p->scale * truth + p->bias + p->deviation * current[i];
    current[i] = rut_measured(in, truth, wrong, p->range, p->resolution);
  }
}

extern const rutSensorType rut_sensor_current;
const rutSensorType rut_sensor_current = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "current", "vehicle",
                      "Current sensors of the motors at all wheels, of drives that know their "
                      "currents: dc_motor, direct.",
                      fields)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .uses = RUT_USES_WHEELS | RUT_USES_CURRENT,
    .sample = sample,
};
