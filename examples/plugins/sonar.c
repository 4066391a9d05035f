// SPDX-License-Identifier: BSD-3-Clause
//
// A sensor: an ultrasonic range finder.
#include <rut/component.h>

#define FIELDS(X, CHOICE)                                        \
  RUT_SENSOR_ROWS(X, CHOICE)                                     \
  X(max_range, "m", 5, 0, 100, "farthest distance that is seen") \
  X(range_noise, "m", 0.01, 0, 1, "standard deviation of the distance")
typedef struct Param {
  FIELDS(RUT_PARAM, RUT_PARAM)
} Param;
static const rutField fields[] = {FIELDS(RUT_ROW, RUT_CHOICE_ROW)};
static const rutVariable outputs[] = {RUT_VARIABLE(distance, "m", "to the nearest object, or -1")};

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const Param* p = param;
  double ahead = 0, range, noise;
  rutRayFan ray = {.n = 1,
                   .angle = &ahead,
                   .max_range = p->max_range,
                   .bodies = true,
                   .ground = true,
                   .skip_vehicle = in->vehicle};
  for (int i = 0; i < 6; i++) ray.pose[i] = in->pose[i];
  in->cast_fan(in->host, &ray, &range, NULL);
  in->normals(in->host, 0, 1, &noise);
  *(double*)out[0] = range < 0 ? -1 : range + p->range_noise * noise;
  (void)state;
  (void)scratch;
}

static const rutSensorType sonar = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "sonar", "vehicle world", "Ultrasonic range finder.",
                      fields)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .sample = sample};
RUT_PLUGIN(&sonar.base)
