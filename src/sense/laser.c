// SPDX-License-Identifier: BSD-3-Clause
//
// Planar laser scanner. Rays go counter-clockwise from -fov/2 to fov/2 in equal steps of
// fov / (rays - 1), both ends included, as in MVSim and MRPT's CObservation2DRangeScan: the first
// and the last ray of a full circle coincide.
#include <string.h>

#include "math/rut_math.h"
#include "rut/sensor.h"

enum { MAX_RAYS = 100000 };

#define FIELDS(REAL, WHOLE, FLAG, CHOICE)                                         \
  RUT_SENSOR_ROWS(REAL, CHOICE)                                                   \
  REAL(fov, "rad", RUT_PI, 0, 2 * RUT_PI, "angle from the first to the last ray") \
  WHOLE(rays, "", 181, 1, MAX_RAYS, "number of rays")                             \
  REAL(max_range, "m", 80, 0, 1e6, "farthest distance that is seen")              \
  REAL(range_noise, "m", 0.01, 0, 1e3, "standard deviation of each range")        \
  REAL(angle_noise, "rad", 0.01 * RUT_PI / 180, 0, 1,                             \
       "standard deviation of each ray's direction about its nominal one")        \
  RUT_SIGHT_ROWS(FLAG)                                                            \
  FLAG(stabilised, 0, "scans the level plane through its place, however the vehicle tilts")

typedef struct LaserParam {
  FIELDS(RUT_PARAM, RUT_PARAM, RUT_PARAM, RUT_PARAM)
} LaserParam;

static const rutField fields[] = {FIELDS(RUT_ROW, RUT_WHOLE_ROW, RUT_FLAG_ROW, RUT_CHOICE_ROW)};

static const rutPresetValue lms291[] = {{"fov", "180 deg"},
                                        {"rays", "361"},
                                        {"max_range", "80 m"},
                                        {"range_noise", "10 mm"},
                                        {"period", "26.67 ms"}};
static const rutPresetValue utm30lx[] = {{"fov", "270 deg"},
                                         {"rays", "1081"},
                                         {"max_range", "30 m"},
                                         {"range_noise", "10 mm"},
                                         {"period", "25 ms"}};
static const rutPreset presets[] = {
    RUT_PRESET("lms291", "SICK LMS 291-S05 at 0.5 deg: technical description LMS 200/211/221/291",
               lms291),
    RUT_PRESET("utm30lx", "Hokuyo UTM-30LX: specification C-42-3615", utm30lx)};

static const rutVariable outputs[] = {{.name = "range",
                                       .unit = "m",
                                       .shape = "rays",
                                       .frame = "sensor",
                                       .doc = "distance along each ray, -1 where nothing is hit"}};

static void scan(const void* param, rutScanGeometry* out) {
  const LaserParam* p = param;
  const int n = (int)p->rays;
  *out = (rutScanGeometry){.rays = n,
                           .angle_min = n > 1 ? -0.5 * p->fov : 0,
                           .angle_increment = n > 1 ? p->fov / (n - 1) : 0,
                           .range_max = p->max_range,
                           .level = p->stabilised != 0};
}

// Directions, ranges as cast, noise, and the ray that each range belongs to.
static size_t scratch_size(const void* param) {
  return (size_t)((const LaserParam*)param)->rays * (3 * sizeof(double) + sizeof(int));
}

// Sort angles ascending together with the rays they belong to. Noise mixes neighbours only, which
// this handles in linear time, yet no noise makes it slow (Shell, CACM 2, 1959; gaps of Tokuda).
static void sort_rays(int n, double* angle, int* ray) {
  static const int gaps[] = {68178, 30301, 13467, 5985, 2660, 1182, 525, 233, 103, 46, 20, 9, 4, 1};
  for (int g = 0; g < RUT_COUNT_OF(gaps); g++) {
    int gap = gaps[g];
    for (int i = gap; i < n; i++) {
      double a = angle[i];
      int r = ray[i], k = i;
      for (; k >= gap && angle[k - gap] > a; k -= gap) {
        angle[k] = angle[k - gap];
        ray[k] = ray[k - gap];
      }
      angle[k] = a;
      ray[k] = r;
    }
  }
}

// Nominal directions, with noise. Numbers 0 .. n - 1 of the sample go to ranges, n .. 2 n - 1 to
// directions. Returns true if neighbours have changed places.
static bool aim(const LaserParam* p, const rutSensorIn* in, int n, double* noise, double* angle,
                int* ray) {
  double step = n > 1 ? p->fov / (n - 1) : 0, first = n > 1 ? -0.5 * p->fov : 0;
  const double spread = in->exact ? 0 : p->angle_noise;
  bool mixed = false;
  if (spread > 0) in->normals(in->host, (uint32_t)n, n, noise);
  for (int i = 0; i < n; i++) {
    angle[i] = first + i * step;
    ray[i] = i;
    if (spread > 0) angle[i] += spread * noise[i];
    mixed |= i > 0 && angle[i] < angle[i - 1];
  }
  return mixed;
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const LaserParam* p = param;
  const int n = (int)p->rays;
  double *measured = out[0], *angle = scratch, *range = angle + n, *noise = range + n;
  int* ray = (int*)(void*)(noise + n);
  (void)state;
  if (aim(p, in, n, noise, angle, ray)) sort_rays(n, angle, ray);
  rutRayFan fan = {.n = n,
                   .angle = angle,
                   .max_range = p->max_range,
                   .bodies = p->bodies_visible != 0,
                   .ground = p->ground_visible != 0,
                   .skip_vehicle = p->ignore_parent != 0 ? in->vehicle : -1};
  memcpy(fan.pose, in->pose, sizeof fan.pose);
  if (p->stabilised != 0) fan.pose[3] = fan.pose[4] = 0;
  in->cast_fan(in->host, &fan, range, NULL);
  const double spread = in->exact ? 0 : p->range_noise;
  if (spread > 0) in->normals(in->host, 0, n, noise);
  for (int k = 0; k < n; k++) {
    double r = range[k];
    if (r >= 0 && spread > 0) {
      // a reading of something that was hit stays one
      r = rut_max(r + spread * noise[ray[k]], 0);
    }
    measured[ray[k]] = r >= 0 ? r : -1;
  }
}

extern const rutSensorType rut_sensor_laser;
const rutSensorType rut_sensor_laser = {
    .base = {RUT_HEAD(
                 rutSensorType, "sensor", "laser", "vehicle world",
                 "Planar laser scanner that tilts with its vehicle: ranges counter-clockwise from "
                 "-fov/2 to fov/2, -1 where nothing is hit. It sees the ground, occupancy grids, "
                 "walls, blocks and vehicles; a ray that starts inside a shape does not see that "
                 "shape. Geometry as in MVSim's laser and MRPT's CObservation2DRangeScan.",
                 fields),
             RUT_PRESETS(presets)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .gaps = 1u << 0,
    .form = RUT_FORM_PLANAR_SCAN,
    .scan = scan,
    .scratch = scratch_size,
    .sample = sample,
};
