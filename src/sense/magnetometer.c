// SPDX-License-Identifier: BSD-3-Clause
//
// Magnetometer of three axes: m = S R^T B + h + n, with the field B of the earth, soft iron S and
// hard iron h of what turns with the sensor (Gebre-Egziabher et al., J. Aerospace Engineering
// 19(2), 2006), saturated and quantised.
//
// Where the file gives no field, B is that of the earth's dipole, the first degree of IGRF-13 for
// 2020 (Alken et al., Earth, Planets and Space 73:49, 2021). At the colatitude t, longitude l and
// radius r, with the axial part g10 and the equatorial part e = g11 cos l + h11 sin l,
//   up = 2 (a/r)^3 (g10 cos t + e sin t), north = -(a/r)^3 (g10 sin t - e cos t),
//   east = (a/r)^3 (g11 sin l - h11 cos l).
// The rest of the field changes its size by up to a third and its direction by some degrees, so
// that the geodetic latitude stands for the geocentric one.
#include <string.h>

#include "base/report.h"
#include "math/vec.h"
#include "rut/sensor.h"
#include "sense/noise.h"

#define FIELDS(REAL, LIST)                                                                       \
  LIST(earth_field, "T", 0, 1e-2, "",                                                            \
       "field of the earth, east north up; default: the earth's dipole at the world's latitude " \
       "and longitude, or 0 2e-5 -4.5e-5 without these")                                         \
  LIST(hard_iron, "T", 3, 1e-2, "0 0 0", "field of the carrier's magnets, sensor axes")          \
  LIST(soft_iron, "", 9, 10, "1 0 0 0 1 0 0 0 1",                                                \
       "measured from true axes, row by row: iron around, scale factors, misalignments")         \
  REAL(field_noise, "T", 1e-7, 0, 1e-2, "standard deviation of each axis of a sample")           \
  REAL(range, "T", 8e-4, 0, 10, "largest value of an axis; beyond it saturates")                 \
  REAL(resolution, "T", 0, 0, 1e-2, "step of the values, 0: none")

#define LIST_PARAM(name, unit, count, most, def, doc) double name;
#define LIST_ROW(name, unit, count, most, def, doc) \
  {#name, unit, RUT_VECTOR, count, 0, -(most), most, def, 0, doc},

typedef struct MagnetometerParam {
  RUT_SENSOR_ROWS(RUT_PARAM, RUT_PARAM)
  FIELDS(RUT_PARAM, LIST_PARAM)
} MagnetometerParam;

static const rutField fields[] = {RUT_SENSOR_ROWS(RUT_ROW, RUT_CHOICE_ROW)
                                      FIELDS(RUT_ROW, LIST_ROW)};

static const rutVariable outputs[] = {{.name = "magnetic_field",
                                       .unit = "T",
                                       .shape = "3",
                                       .frame = "sensor",
                                       .doc = "measured field"}};

static rutStatus check(const double* param, rutError* err) {
  const MagnetometerParam* p = (const MagnetometerParam*)(const void*)param;
  int n;
  rut_param_list(p, p->earth_field, &n);
  if (n == 0 || n == 3) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MODEL,
                       "earth_field has %d numbers, but wants three: east, "
                       "north, up",
                       n);
}

static rutVec3 dipole_field(const rutSite* site) {
  static const double g10 = -29404.8e-9, g11 = -1450.9e-9, h11 = 4652.5e-9;  // [T]
  static const double radius = 6371200;                                      // a [m]
  double sin_lat, cos_lat, sin_lon, cos_lon;
  rut_sincos(site->latitude, &sin_lat, &cos_lat);
  rut_sincos(site->longitude, &sin_lon, &cos_lon);
  const double ratio = radius / (radius + site->altitude), cube = ratio * ratio * ratio;
  const double equatorial = g11 * cos_lon + h11 * sin_lon;
  return rut_vec3(cube * (g11 * sin_lon - h11 * cos_lon),
                  -cube * (g10 * cos_lat - equatorial * sin_lat),
                  2 * cube * (g10 * sin_lat + equatorial * cos_lat));
}

// Field of the earth where the world is, east north up.
static rutVec3 field_there(const MagnetometerParam* p, const rutSite* site) {
  int n;
  const double* given = rut_param_list(p, p->earth_field, &n);
  if (n == 3) return rut_vec3_of(given);
  if (site->latitude == site->latitude && site->longitude == site->longitude) {
    return dipole_field(site);
  }
  return rut_vec3(0, 2e-5, -4.5e-5);
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const MagnetometerParam* p = param;
  (void)state;
  (void)scratch;
  int n;
  double normal[3], *measured = out[0];
  in->normals(in->host, 0, 3, normal);
  const rutMat3 axes = rut_mat3_of_rpy(in->pose[3], in->pose[4], in->pose[5]);
  const rutMat3 from_enu = rut_mat3_of_rpy(0, 0, -in->site.rotation);
  const rutVec3 world = rut_mat3_apply(from_enu, field_there(p, &in->site));
  const rutVec3 field = rut_mat3_apply_transposed(axes, world);
  const rutMat3 soft = rut_mat3_of(rut_param_list(p, p->soft_iron, &n));
  const rutVec3 hard = rut_vec3_of(rut_param_list(p, p->hard_iron, &n));
  const rutVec3 disturbed = rut_vec3_add(rut_mat3_apply(soft, field), hard);
  const double resolution = in->exact ? 0 : p->resolution;
  rut_vec3_put(in->exact ? field : disturbed, measured);
  for (int i = 0; i < 3; i++) {
    measured[i] = rut_converted(measured[i] + p->field_noise * normal[i], p->range, resolution);
  }
}

extern const rutSensorType rut_sensor_magnetometer;
const rutSensorType rut_sensor_magnetometer = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "magnetometer", "vehicle world",
                      "Magnetometer of three axes: the field of the earth (given, or the dipole of "
                      "IGRF-13 at the world's place) with hard and soft iron, noise, range and "
                      "resolution. The world's x axis points east, y north, unless its "
                      "<georeference> is rotated.",
                      fields),
             .check = check},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .uses = RUT_USES_SITE,
    .form = RUT_FORM_MAGNETIC_FIELD,
    .sample = sample,
};
