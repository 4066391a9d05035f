// SPDX-License-Identifier: BSD-3-Clause
//
// Range finder, ultrasonic or optical: the nearest echo in a cone about its x axis. The cone is a
// central ray and rings of rays at equal steps of the angle, ring k having 8 k of them, so that
// every ring has rays to the left, right, top and bottom. Surfaces that are struck too obliquely
// reflect the pulse away.
#include "math/rut_math.h"
#include "math/vec.h"
#include "rut/sensor.h"
#include "sense/noise.h"

enum { MOST_RINGS = 12, MOST_RAYS = 1 + 4 * MOST_RINGS * (MOST_RINGS + 1) };

#define FIELDS(REAL, WHOLE, FLAG, CHOICE)                                                   \
  RUT_SENSOR_ROWS(REAL, CHOICE)                                                             \
  REAL(fov, "rad", 15 * RUT_PI / 180, 0, RUT_PI, "full angle of the cone; 0: a single ray") \
  WHOLE(rings, "", 3, 1, MOST_RINGS, "rings of rays in the cone")                           \
  REAL(min_range, "m", 0.02, 0, 1e4, "least distance; what is nearer is seen at it")        \
  REAL(max_range, "m", 4, 0, 1e4, "farthest distance that is seen")                         \
  REAL(range_noise, "m", 0.003, 0, 1e3, "standard deviation of the range")                  \
  REAL(relative_noise, "", 0, 0, 1, "a further standard deviation, over the range")         \
  REAL(resolution, "m", 0, 0, 1e3, "step of the range, 0: none")                            \
  REAL(max_incidence, "rad", 0.5 * RUT_PI, 0, 0.5 * RUT_PI,                                 \
       "angle from the surface's normal beyond which there is no echo")                     \
  REAL(dropout, "", 0, 0, 1, "share of samples without an echo")                            \
  FLAG(ignore_parent, 1, "does not see the vehicle that carries it")                        \
  CHOICE(radiation, "ultrasound|infrared", 0, "of the pulse, for logs")

typedef struct RangeParam {
  FIELDS(RUT_PARAM, RUT_PARAM, RUT_PARAM, RUT_PARAM)
} RangeParam;

static const rutField fields[] = {FIELDS(RUT_ROW, RUT_WHOLE_ROW, RUT_FLAG_ROW, RUT_CHOICE_ROW)};

static const rutPresetValue hc_sr04[] = {{"period", "60 ms"},        {"fov", "15 deg"},
                                         {"min_range", "20 mm"},     {"max_range", "4 m"},
                                         {"range_noise", "3 mm"},    {"resolution", "3 mm"},
                                         {"max_incidence", "45 deg"}};
static const rutPresetValue tfmini[] = {{"period", "10 ms"},     {"fov", "2.3 deg"},
                                        {"min_range", "0.3 m"},  {"max_range", "12 m"},
                                        {"range_noise", "5 mm"}, {"relative_noise", "0.01"},
                                        {"resolution", "5 mm"},  {"radiation", "infrared"}};
static const rutPreset presets[] = {
    RUT_PRESET("hc_sr04", "ultrasonic module HC-SR04: Elec Freaks, user guide", hc_sr04),
    RUT_PRESET("tfmini", "optical single beam, Benewake TFmini: SJ-PM-TFmini-T-01", tfmini)};

static const rutVariable outputs[] = {{.name = "range",
                                       .unit = "m",
                                       .frame = "sensor",
                                       .doc = "distance of the nearest echo, -1 without one"}};

// A batch of rays: origins, directions, and what they hit.
enum { ORIGIN, DIRECTION = 3, NORMAL = 6, RANGE = 9, ARRAYS };

static size_t scratch_size(const void* param) {
  (void)param;
  return (size_t)ARRAYS * MOST_RAYS * sizeof(double);
}

// Directions of the cone in the world; returns their number.
static int aim(const RangeParam* p, const double pose[6], double* ray[ARRAYS]) {
  const rutMat3 axes = rut_mat3_of_rpy(pose[3], pose[4], pose[5]);
  const int rings = p->fov > 0 ? (int)p->rings : 0;
  int n = 0;
  for (int ring = 0; ring <= rings; ring++) {
    double s = 0, c = 1;
    if (ring > 0) rut_sincos(0.5 * p->fov * ring / rings, &s, &c);
    const int rays = ring > 0 ? 8 * ring : 1;
    for (int i = 0; i < rays; i++) {
      double up, left, d[3];
      rut_sincos(2 * RUT_PI * i / rays, &up, &left);
      rut_vec3_put(rut_mat3_apply(axes, rut_vec3(c, s * left, s * up)), d);
      for (int k = 0; k < 3; k++) {
        ray[ORIGIN + k][n] = pose[k];
        ray[DIRECTION + k][n] = d[k];
      }
      n++;
    }
  }
  return n;
}

// Distance of the nearest surface that sends an echo back, -1 if there is none.
static double nearest_echo(const RangeParam* p, const rutSensorIn* in, double* ray[ARRAYS]) {
  const int n = aim(p, in->pose, ray);
  const rutRays rays = {.n = n,
                        .x = ray[ORIGIN],
                        .y = ray[ORIGIN + 1],
                        .z = ray[ORIGIN + 2],
                        .dx = ray[DIRECTION],
                        .dy = ray[DIRECTION + 1],
                        .dz = ray[DIRECTION + 2],
                        .max_range = p->max_range,
                        .bodies = true,
                        .ground = true,
                        .skip_vehicle = p->ignore_parent != 0 ? in->vehicle : -1};
  const rutRayHits hits = {.range = ray[RANGE],
                           .normal = {ray[NORMAL], ray[NORMAL + 1], ray[NORMAL + 2]}};
  in->cast(in->host, &rays, &hits);
  const double least_cosine = in->exact ? 0 : rut_cos(p->max_incidence);
  double nearest = -1;
  for (int i = 0; i < n; i++) {
    double cosine = 0;
    for (int k = 0; k < 3; k++) cosine -= ray[NORMAL + k][i] * ray[DIRECTION + k][i];
    const double r = ray[RANGE][i];
    // rounding must not lose echoes of surfaces that are just grazed
    if (r < 0 || cosine < least_cosine - 1e-12) continue;
    if (nearest < 0 || r < nearest) nearest = r;
  }
  return nearest;
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const RangeParam* p = param;
  double *measured = out[0], *ray[ARRAYS], normal, uniform;
  (void)state;
  for (int i = 0; i < ARRAYS; i++) ray[i] = (double*)scratch + (size_t)i * MOST_RAYS;
  const double range = nearest_echo(p, in, ray);
  in->normals(in->host, 0, 1, &normal);
  in->uniforms(in->host, 0, 1, &uniform);
  *measured = -1;
  if (range < 0 || (!in->exact && uniform < p->dropout)) return;
  const double spread = rut_hypot(p->range_noise, p->relative_noise * range);
  const double noisy =
      in->exact ? range : rut_converted(range + spread * normal, p->max_range, p->resolution);
  *measured = rut_max(noisy, p->min_range);
}

extern const rutSensorType rut_sensor_range_finder;
const rutSensorType rut_sensor_range_finder = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "range_finder", "vehicle world",
                      "Ultrasonic or optical range finder: distance of the nearest surface in a "
                      "cone that it does not strike too obliquely.",
                      fields),
             RUT_PRESETS(presets)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .gaps = 1u << 0,
    .uses = RUT_USES_LOOKS,
    .form = RUT_FORM_RANGE,
    .scratch = scratch_size,
    .sample = sample,
};
