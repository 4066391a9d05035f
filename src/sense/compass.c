// SPDX-License-Identifier: BSD-3-Clause
//
// Compass: heading clockwise from north of the sensor's x axis in the level plane. East is the
// world's x axis, turned back by the rotation of its georeference.
#include "math/vec.h"
#include "rut/sensor.h"
#include "sense/noise.h"

#define FIELDS(REAL)                                                                      \
  REAL(declination, "rad", 0, -4, 4, "of magnetic north, east positive; 0: true heading") \
  REAL(heading_noise, "rad", 0.01, 0, 4, "standard deviation of each sample")             \
  REAL(resolution, "rad", 0, 0, 1, "step of the values, 0: none")

typedef struct CompassParam {
  RUT_SENSOR_ROWS(RUT_PARAM, RUT_PARAM)
  FIELDS(RUT_PARAM)
} CompassParam;

static const rutField fields[] = {RUT_SENSOR_ROWS(RUT_ROW, RUT_CHOICE_ROW) FIELDS(RUT_ROW)};

static const rutVariable outputs[] = {{.name = "heading",
                                       .unit = "rad",
                                       .frame = "world",
                                       .doc = "clockwise from north, from 0 to 2 pi"}};

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const CompassParam* p = param;
  (void)state;
  (void)scratch;
  double normal;
  in->normals(in->host, 0, 1, &normal);
  const rutMat3 axes = rut_mat3_of_rpy(in->pose[3], in->pose[4], in->pose[5]);
  const rutVec3 ahead = rut_mat3_apply(axes, rut_vec3(1, 0, 0));
  const double truth = rut_atan2(ahead.x, ahead.y) - in->site.rotation - p->declination;
  const double told =
      rut_converted(truth + p->heading_noise * normal, RUT_INFINITY, in->exact ? 0 : p->resolution);
  *(double*)out[0] = told - 2 * RUT_PI * rut_floor(told / (2 * RUT_PI));
}

extern const rutSensorType rut_sensor_compass;
const rutSensorType rut_sensor_compass = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "compass", "vehicle world",
                      "Compass: heading clockwise from north (the world's y axis, unless its "
                      "<georeference> is rotated), with declination, noise and resolution.",
                      fields)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .uses = RUT_USES_SITE,
    .sample = sample,
};
