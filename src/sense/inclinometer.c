// SPDX-License-Identifier: BSD-3-Clause
//
// Inclinometer: a damped pendulum, or slow accelerometers. It measures the direction of specific
// force f behind a first-order lag, so that accelerations tilt what it tells by atan(a/g). At rest
// f = R^T (0, 0, g) = g (-sin p, cos p sin r, cos p cos r), which is solved for pitch p and roll r.
#include "rut/sensor.h"
#include "sense/noise.h"

#define FIELDS(REAL)                                                                   \
  REAL(time_constant, "s", 0.2, 0, 1e4, "of the lag")                                  \
  REAL(angle_noise, "rad", 1e-3, 0, 1, "standard deviation of each angle of a sample") \
  REAL(range, "rad", RUT_PI, 0, 4, "largest angle; beyond it saturates")               \
  REAL(resolution, "rad", 0, 0, 1, "step of the angles, 0: none")

typedef struct InclinometerParam {
  RUT_SENSOR_ROWS(RUT_PARAM, RUT_PARAM)
  FIELDS(RUT_PARAM)
} InclinometerParam;

static const rutField fields[] = {RUT_SENSOR_ROWS(RUT_ROW, RUT_CHOICE_ROW) FIELDS(RUT_ROW)};

static const rutVariable outputs[] = {
    {.name = "roll", .unit = "rad", .frame = "world", .doc = "measured, right side down positive"},
    {.name = "pitch", .unit = "rad", .frame = "world", .doc = "measured, nose down positive"}};

typedef struct InclinometerState {
  double time, force[3];
} InclinometerState;
static const rutVariable states[] = {
    RUT_VARIABLE(sample_time, "s", "time of the last sample, 0 before the first"){
        .name = "lagged_force",
        .unit = "m/s2",
        .shape = "3",
        .frame = "sensor",
        .doc = "specific force behind the lag"}};

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const InclinometerParam* p = param;
  InclinometerState* s = (InclinometerState*)(void*)state;
  (void)scratch;
  double normal[2], *f = s->force;
  in->normals(in->host, 0, 2, normal);
  // the exact lag of a force that is constant between samples; the first one finds it settled
  const bool settled = s->time == 0 || p->time_constant == 0;
  const double share = settled ? 1 : -rut_expm1(-(in->time - s->time) / p->time_constant);
  for (int i = 0; i < 3; i++) f[i] += share * (in->motion.proper_acceleration[i] - f[i]);
  s->time = in->time;
  const double roll = rut_atan2(f[1], f[2]);
  const double pitch = rut_atan2(-f[0], rut_sqrt(f[1] * f[1] + f[2] * f[2]));
  const double resolution = in->exact ? 0 : p->resolution;
  *(double*)out[0] = rut_converted(roll + p->angle_noise * normal[0], p->range, resolution);
  *(double*)out[1] = rut_converted(pitch + p->angle_noise * normal[1], p->range, resolution);
}

extern const rutSensorType rut_sensor_inclinometer;
const rutSensorType rut_sensor_inclinometer = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "inclinometer", "vehicle world",
                      "Inclinometer: roll and pitch from specific force behind a first-order lag, "
                      "disturbed by accelerations as real ones are.",
                      fields),
             .state = states, .states = RUT_COUNT_OF(states)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .uses = RUT_USES_MOTION,
    .sample = sample,
};
