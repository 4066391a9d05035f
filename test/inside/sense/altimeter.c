// SPDX-License-Identifier: BSD-3-Clause
//
// Height above the ground, and the soil there.
#include "rut/component.h"

#define FIELDS(X, CHOICE)    \
  RUT_SENSOR_ROWS(X, CHOICE) \
  X(height_noise, "m", 0.01, 0, 1, "standard deviation of the height")
typedef struct Param {
  FIELDS(RUT_PARAM, RUT_PARAM)
} Param;
static const rutField fields[] = {FIELDS(RUT_ROW, RUT_CHOICE_ROW)};
static const rutVariable outputs[] = {RUT_VARIABLE(height, "m", "above the ground"){
    .name = "soil", .unit = "", .doc = "index of the soil below, -1: none", .type = RUT_I32}};

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  double noise;
  in->normals(in->host, 0, 1, &noise);
  *(double*)out[0] = in->pose[2] - in->site.ground + ((const Param*)param)->height_noise * noise;
  *(int32_t*)out[1] = in->site.soil;
  (void)state;
  (void)scratch;
}

const rutSensorType rut_sensor_altimeter = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "altimeter", "vehicle world",
                      "Height above the ground.", fields)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .uses = RUT_USES_SITE,
    .sample = sample};
