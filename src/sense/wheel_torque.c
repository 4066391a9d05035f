// SPDX-License-Identifier: BSD-3-Clause
//
// Torque transducers between drive and wheels: offset, scale, white noise, saturation and the steps
// of a converter.
#include "rut/sensor.h"
#include "sense/noise.h"

#define FIELDS(REAL, CHOICE)                                                            \
  RUT_SENSOR_ROWS(REAL, CHOICE)                                                         \
  REAL(deviation, "N m", 0.5, 0, 1e6, "standard deviation of each torque")              \
  REAL(bias, "N m", 0, -1e6, 1e6, "offset of each torque")                              \
  REAL(scale, "", 1, 0, 10, "measured torque over the true one")                        \
  REAL(range, "N m", 1e6, 0, 1e9, "largest torque of either sign; beyond it saturates") \
  REAL(resolution, "N m", 0, 0, 1e6, "step of the torques, 0: none")

typedef struct TorqueParam {
  FIELDS(RUT_PARAM, RUT_PARAM)
} TorqueParam;

static const rutField fields[] = {FIELDS(RUT_ROW, RUT_CHOICE_ROW)};

static const rutVariable outputs[] = {
    {.name = "torque", .unit = "N m", .shape = "wheels", .doc = "of the drive on each wheel"}};

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const TorqueParam* p = param;
  double* torque = out[0];
  (void)state;
  (void)scratch;
  in->normals(in->host, 0, in->wheels, torque);
  for (int i = 0; i < in->wheels; i++) {
    const double truth = in->wheel[i].torque;
    const double wrong = p->scale * truth + p->bias + p->deviation * torque[i];
    torque[i] = rut_measured(in, truth, wrong, p->range, p->resolution);
  }
}

extern const rutSensorType rut_sensor_wheel_torque;
const rutSensorType rut_sensor_wheel_torque = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "wheel_torque", "vehicle",
                      "Transducers of the drive torque on all wheels.", fields)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .uses = RUT_USES_WHEELS,
    .form = RUT_FORM_JOINTS,
    .sample = sample,
};
