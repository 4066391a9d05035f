// SPDX-License-Identifier: BSD-3-Clause
//
// Lidar: its beams, returns, limits and refused parameters. Laws are cases of rut validate.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "world_fixture.h"

static const double PI = 3.14159265358979323846;

static const rutComponent* const no_types[] = {NULL};

// A lidar that is fixed above level ground; the first sample is taken.
static World sensed(const char* elements, const char* attributes) {
  char text[2000];
  snprintf(text, sizeof text, "<world timestep='0.01'>%s<sensor type='lidar' name='l' %s/></world>",
           elements, attributes);
  World w = open_world_with(text, 0, no_types);
  run(&w, 10);
  return w;
}

// An output by name; *n gets its numbers.
static const void* output_of(const World* w, const char* name, int* n) {
  for (int i = 0; i < rut_variables(w->model, RUT_SENSOR, 0, RUT_OUTPUT); i++) {
    const rutVariableInfo v = rut_variable(w->model, RUT_SENSOR, 0, RUT_OUTPUT, i);
    if (strcmp(v.name, name) != 0) continue;
    *n = v.count;
    return rut_sensor_output(w->model, w->data, 0, i, NULL);
  }
  fail_msg("no output '%s'", name);
  return NULL;
}

static const double* numbers_of(const World* w, const char* name) {
  int n;
  return output_of(w, name, &n);
}

#define ONE_BEAM "pattern='raster' channels='1' columns='1' fov='0' "
#define DOWN     "elevation_first='-90 deg' elevation_last='-90 deg' "
#define AHEAD    "elevation_first='0' elevation_last='0' "

// ---- beams ----

// A head on a vehicle that stands, in sectors of columns: all beams that look down meet the ground
// at 1.5 m below it, however times of columns are rounded.
static void test_sectors(void** state) {
  (void)state;
  static const char body[] =
      "<world timestep='0.01'><vehicle name='v'><chassis mass='20' outline='-.3 -.2, .3 -.2, .3 "
      ".2, -.3 "
      ".2' z_min='.05' z_max='.2'/><wheel place='left' position='0 .25' mass='1' radius='.1'/>"
      "<wheel place='right' position='0 -.25' mass='1' radius='.1'/><tyre type='coulomb'/>"
      "<drive type='direct'/><sensor type='lidar' name='l' z='1.5' noise='none' rated_range='0' "
      "max_range='1000' channels='16' columns='%d' elevation_first='-15 deg' elevation_last='-10 "
      "deg'/>"
      "</vehicle></world>";
  for (int columns = 1600; columns < 2200; columns += 37) {
    char text[1000];
    snprintf(text, sizeof text, body, columns);
    World w = open_world_with(text, 0, no_types);
    run(&w, 10);
    const double* range = numbers_of(&w, "range");
    for (int i = 0; i < 16 * columns; i++) {
      const double elevation = (-15 + 5.0 * (i / columns) / 15) * PI / 180;
      assert_near(range[i], -1.5 / sin(elevation), 1e-9);
    }
    close_world(&w);
  }
}

// A head that spins clockwise begins at the rear and first turns to its left. Points are where
// azimuth and elevation say, on a wall of a room of 10 m.
static void test_spinning(void** state) {
  (void)state;
  World w = sensed(
      "<block fixed='true' shape='box' size='1 12 40' position='5.5 0 -20'/>"
      "<block fixed='true' shape='box' size='1 12 40' position='-5.5 0 -20'/>"
      "<block fixed='true' shape='box' size='12 1 40' position='0 5.5 -20'/>"
      "<block fixed='true' shape='box' size='12 1 40' position='0 -5.5 -20'/>",
      "noise='none' rated_range='0' z='2' channels='2' columns='8' elevation_first='10 deg' "
      "elevation_last='-10 deg' ground_visible='false'");
  int n;
  const double* range = output_of(&w, "range", &n);
  const double *x = numbers_of(&w, "x"), *y = numbers_of(&w, "y"), *z = numbers_of(&w, "z");
  assert_int_equal(n, 16);
  for (int i = 0; i < n; i++) {
    const double elevation = (i < 8 ? 10 : -10) * PI / 180, azimuth = PI - 2 * PI * (i % 8) / 8;
    const double level = 5 / fmax(fabs(cos(azimuth)), fabs(sin(azimuth)));
    assert_near(range[i], level / cos(elevation), 1e-9);
    assert_near(x[i], level * cos(azimuth), 1e-9);
    assert_near(y[i], level * sin(azimuth), 1e-9);
    assert_near(z[i], level * tan(elevation), 1e-9);
  }
  const uint16_t* ring = output_of(&w, "ring", &n);
  assert_int_equal(n, 2);
  assert_true(ring[0] == 1 && ring[1] == 0);
  const float* time = output_of(&w, "time", &n);
  assert_int_equal(n, 16);
  for (int i = 0; i < n; i++) assert_near(time[i], -0.1 * (8 - i % 8) / 8, 1e-8);
  close_world(&w);
}

// Counter-clockwise from -45 to 45 degrees, both included.
static void test_sector(void** state) {
  (void)state;
  World w = sensed("<block fixed='true' shape='box' size='1 60 4' position='5.5 0'/>",
                   "noise='none' rated_range='0' z='1' channels='1' columns='3' fov='90 deg' " AHEAD
                   "clockwise='false'");
  const double *x = numbers_of(&w, "x"), *y = numbers_of(&w, "y");
  for (int i = 0; i < 3; i++) {
    assert_near(x[i], 5, 1e-9);
    assert_near(y[i], 5.0 * (i - 1), 1e-9);
  }
  close_world(&w);
}

// A single column is in the middle of its sector, as a single channel is in that of the elevations.
static void test_single(void** state) {
  (void)state;
  static const char* const pattern[] = {"raster", "spinning"};
  for (int i = 0; i < 2; i++) {
    char attributes[300];
    snprintf(attributes, sizeof attributes,
             "noise='none' rated_range='0' z='3' pattern='%s' channels='1' columns='1' "
             "fov='90 deg' elevation_first='-30 deg' elevation_last='0'",
             pattern[i]);
    World w =
        sensed("<block fixed='true' shape='box' size='1 60 4' position='5.5 0'/>", attributes);
    assert_near(numbers_of(&w, "x")[0], 5, 1e-9);
    assert_near(numbers_of(&w, "y")[0], 0, 1e-9);
    assert_near(numbers_of(&w, "z")[0], -5 * tan(PI / 12), 1e-9);
    close_world(&w);
  }
}

// Rows from above, columns from the left: beams of a grid that looks down a wall.
static void test_raster(void** state) {
  (void)state;
  World w = sensed("<block fixed='true' shape='box' size='1 60 40' position='5.5 0 -20'/>",
                   "noise='none' rated_range='0' z='10' pattern='raster' channels='3' columns='3' "
                   "fov='60 deg' elevation_first='20 deg' elevation_last='-20 deg'");
  const double *y = numbers_of(&w, "y"), *z = numbers_of(&w, "z");
  for (int i = 0; i < 9; i++) {
    const double azimuth = (1 - i % 3) * PI / 6, elevation = (1 - i / 3) * PI / 9;
    assert_near(y[i], 5 * tan(azimuth), 1e-9);
    assert_near(z[i], 5 / cos(azimuth) * tan(elevation), 1e-9);
  }
  int n;
  const float* time = output_of(&w, "time", &n);
  for (int i = 0; i < 9; i++) assert_near(time[i], -0.1 * (9 - i) / 9, 1e-8);
  close_world(&w);
}

// All points of a rosette are within its cone, some near its edge, and the next sample differs.
static void test_rosette(void** state) {
  (void)state;
  World w = sensed("<block fixed='true' shape='box' size='1 60 60' position='10.5 0'/>",
                   "noise='none' z='20' preset='mid40' rated_range='0' columns='1000'");
  int n;
  const double* x = output_of(&w, "x", &n);
  const double *y = numbers_of(&w, "y"), *z = numbers_of(&w, "z");
  double most = 0;
  for (int i = 0; i < n; i++) {
    assert_near(x[i], 10, 1e-9);
    const double azimuth = atan2(y[i], x[i]), elevation = atan2(z[i], hypot(x[i], y[i]));
    most = fmax(most, hypot(azimuth, elevation));
  }
  assert_true(most <= 19.2 * PI / 180 + 1e-12 && most > 19 * PI / 180);
  const double before = y[500];
  run(&w, 10);
  assert_true(fabs(numbers_of(&w, "y")[500] - before) > 0.01);
  close_world(&w);
}

// Azimuths of channels, and origins off the axis and above each other.
static void test_offsets(void** state) {
  (void)state;
  World w = sensed("<block fixed='true' shape='box' size='1 60 20' position='10.5 0'/>",
                   "noise='none' rated_range='0' z='5' channels='4' columns='1' fov='0' " AHEAD
                   "azimuths='6 -3 deg' heights='0.1 0.2 0.3 0.4' origin_radius='0.5'");
  const double *x = numbers_of(&w, "x"), *y = numbers_of(&w, "y"), *z = numbers_of(&w, "z");
  const double* range = numbers_of(&w, "range");
  for (int i = 0; i < 4; i++) {
    const double azimuth = (i % 2 == 0 ? 6 : -3) * PI / 180;
    assert_near(range[i], 9.5 / cos(azimuth), 1e-9);
    assert_near(x[i], 10, 1e-9);
    assert_near(y[i], 9.5 * tan(azimuth), 1e-9);
    assert_near(z[i], 0.1 * (i + 1), 1e-9);
  }
  close_world(&w);
}

// The head turns on while the channels of a column fire, clockwise: 36 degrees in 10 ms.
static void test_firing(void** state) {
  (void)state;
  World w = sensed("",
                   "noise='none' rated_range='0' z='1' channels='3' columns='10' "
                   "firing_interval='2 ms' elevation_first='-30 deg' elevation_last='-10 deg'");
  const double *x = numbers_of(&w, "x"), *y = numbers_of(&w, "y");
  int n;
  const float* time = output_of(&w, "time", &n);
  for (int i = 0; i < 3; i++) {
    const double left = atan2(-y[10 * i + 5], x[10 * i + 5]);
    assert_near(left, 36 * PI / 180 * 0.2 * i, 1e-9);
    assert_near(time[10 * i + 5], -0.05 + 0.002 * i, 1e-8);
  }
  close_world(&w);
}

// Every preset makes a model, and sees level ground or a wall somewhere.
static void test_presets(void** state) {
  (void)state;
  static const char* const preset[] = {
      "vlp16",          "hdl32e",   "hdl64e",      "os1_64",   "os1_32",    "os2",
      "rs32",           "m8",       "lms291",      "grid",     "mid40",     "lms291_half",
      "lms291_quarter", "mavs_os1", "mavs_os1_16", "mavs_os2", "mavs_anvel"};
  for (int k = 0; k < RUT_COUNT_OF(preset); k++) {
    char attributes[200];
    snprintf(attributes, sizeof attributes, "preset='%s' z='1' columns='100' column_time='0'",
             preset[k]);
    World w =
        sensed("<block fixed='true' shape='box' size='1 60 20' position='10.5 0'/>", attributes);
    int n, hits = 0;
    const double* range = output_of(&w, "range", &n);
    for (int i = 0; i < n; i++) hits += range[i] > 0;
    if (hits < n / 20) fail_msg("%s: %d hits of %d", preset[k], hits, n);
    close_world(&w);
  }
}

// ---- returns ----

// Three walls behind each other's edges, seen by one spot: all, by each order, and numbered.
static void returns_of(const char* order, const double expected[3]) {
  char attributes[600];
  snprintf(attributes, sizeof attributes,
           "noise='none' rated_range='0' z='1' returns='3' order='%s' subrays='40' "
           "divergence_horizontal='20 mrad' divergence_vertical='20 mrad' " ONE_BEAM AHEAD,
           order);
  World w = sensed(
      "<block fixed='true' shape='box' size='0.2 2 4' position='10.1 -1.02'/>"
      "<block fixed='true' shape='box' size='0.2 4 4' position='15.1 -1.97'/>"
      "<block fixed='true' shape='box' size='1 40 4' position='20.5 0'/>",
      attributes);
  int n;
  const double* range = output_of(&w, "range", &n);
  const uint8_t* number = output_of(&w, "return_number", &n);
  assert_int_equal(n, 3);
  for (int i = 0; i < 3; i++) {
    assert_near(range[i], expected[i], 0.005);
    assert_int_equal(number[i], expected[i] < 12 ? 1 : expected[i] < 17 ? 2 : 3);
  }
  close_world(&w);
}

static void test_orders(void** state) {
  (void)state;
  returns_of("first", (const double[]){10, 15, 20});
  returns_of("last", (const double[]){20, 15, 10});
}

// Weak first return, strong one behind it: the strongest is kept.
static void test_strongest(void** state) {
  (void)state;
  static const char walls[] =
      "<block fixed='true' shape='box' size='0.2 2 4' position='10.1 -1.03'/>"
      "<block fixed='true' shape='box' size='1 40 4' position='12.5 0'/>";
  static const char spot[] =
      "noise='none' rated_range='0' z='1' subrays='40' divergence_horizontal='20 mrad' "
      "divergence_vertical='20 mrad' " ONE_BEAM AHEAD;
  char attributes[400];
  static const struct {
    const char* order;
    double range;
    int number;
  } row[] = {{"strongest", 12, 2}, {"first", 10, 1}, {"last", 12, 2}};
  for (int i = 0; i < RUT_COUNT_OF(row); i++) {
    snprintf(attributes, sizeof attributes, "order='%s' %s", row[i].order, spot);
    World w = sensed(walls, attributes);
    int n;
    assert_near(numbers_of(&w, "range")[0], row[i].range, 0.005);
    assert_int_equal(*(const uint8_t*)output_of(&w, "return_number", &n), row[i].number);
    close_world(&w);
  }
}

// A spot that is wide and flat sees both sides of an upright edge, and one side of a level one.
static void test_flat_spot(void** state) {
  (void)state;
  static const char spot[] =
      "noise='none' rated_range='0' z='1' returns='2' order='first' subrays='8' "
      "divergence_horizontal='20 mrad' divergence_vertical='0' " ONE_BEAM AHEAD;
  World w = sensed(
      "<block fixed='true' shape='box' size='0.2 2 4' position='10.1 -1'/>"
      "<block fixed='true' shape='box' size='1 40 4' position='20.5 0'/>",
      spot);
  assert_true(numbers_of(&w, "range")[0] < 10.1 && numbers_of(&w, "range")[1] > 19.9);
  close_world(&w);
  // the same to the left
  char aside[400];
  snprintf(aside, sizeof aside, "azimuths='90 deg' %s", spot);
  w = sensed(
      "<block fixed='true' shape='box' size='2 0.2 4' position='1 10.1'/>"
      "<block fixed='true' shape='box' size='40 1 4' position='0 20.5'/>",
      aside);
  assert_true(numbers_of(&w, "range")[0] < 10.1 && numbers_of(&w, "range")[1] > 19.9);
  close_world(&w);
  w = sensed(
      "<block fixed='true' shape='box' size='0.2 9 0.999' position='10.1 0'/>"
      "<block fixed='true' shape='box' size='1 40 4' position='20.5 0'/>",
      spot);
  assert_true(numbers_of(&w, "range")[0] > 19.9 && numbers_of(&w, "range")[1] < 0);
  close_world(&w);
}

// Nothing is hit: -1, NaN, 0.
static void test_no_return(void** state) {
  (void)state;
  World w = sensed("", "noise='none' z='2' max_range='1' " ONE_BEAM DOWN);
  int n;
  assert_near(numbers_of(&w, "range")[0], -1, 0);
  assert_true(isnan(numbers_of(&w, "x")[0]) && isnan(numbers_of(&w, "z")[0]));
  assert_int_equal(*(const uint8_t*)output_of(&w, "return_number", &n), 0);
  close_world(&w);
  w = sensed("", "noise='none' z='2' min_range='3' rated_range='0' " ONE_BEAM DOWN);
  assert_near(numbers_of(&w, "range")[0], -1, 0);
  close_world(&w);
}

// Intensity of a slope of 60 degrees: reflectance times the cosine.
static void test_reflectance(void** state) {
  (void)state;
  int n;
  World w = sensed("", "noise='none' z='2' reflectance='0.6' rated_range='0' " ONE_BEAM
                       "elevation_first='-30 deg' elevation_last='-30 deg'");
  assert_near(*(const float*)output_of(&w, "intensity", &n), 0.3, 1e-7);
  close_world(&w);
  w = sensed("", "noise='none' z='2' reflectance='0.6' rated_range='0' intensity='power' " ONE_BEAM
                 "elevation_first='-30 deg' elevation_last='-30 deg'");
  assert_near(*(const float*)output_of(&w, "intensity", &n), 0.3 / 16, 1e-8);
  close_world(&w);
}

// The ground reflects 0.2 at 905 nm and 0.6 at 1550 nm, a slab of 1 m on it 0.8 at both: beams from
// 2 and 1 m above return rho/d^2 of what a white surface at 1 m does. `reflectance` holds for all.
static void test_materials(void** state) {
  (void)state;
#define GROUND                                                   \
  "<material reflectance_905='0.2' reflectance_1550='0.6'/>"     \
  "<block fixed='true' shape='box' size='2 2 1' position='5 0'>" \
  "<material reflectance_905='0.8' reflectance_1550='0.8'/></block>"
#define LOOK "noise='none' z='2' rated_range='0' intensity='power' " ONE_BEAM DOWN
  static const struct {
    const char* attributes;
    double want;
  } row[] = {{LOOK "wavelength='905 nm'", 0.2 / 4},
             {LOOK "wavelength='850 nm'", 0.2 / 4},
             {LOOK "wavelength='1550 nm'", 0.6 / 4},
             {LOOK "wavelength='1227.5 nm'", 0.4 / 4},
             {LOOK "wavelength='1550 nm' x='5'", 0.8},
             {LOOK "wavelength='905 nm' subrays='3' divergence_horizontal='0' "
                   "divergence_vertical='0'",
              0.2 / 4},
             {LOOK "wavelength='905 nm' reflectance='0.3'", 0.3 / 4},
             {LOOK "reflectance='0.3' x='5'", 0.3}};
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    World w = sensed(GROUND, row[i].attributes);
    int n;
    assert_near(*(const float*)output_of(&w, "intensity", &n), row[i].want, 1e-7);
    close_world(&w);
  }
}

// White sheeting of type 2 (BGBl. II 238/1998) and III (ASTM D4956-01): 250 cd/(lx m2) at an
// observation angle of 0.2 deg and an entrance angle of 5 deg, 300 at 0.1 and 4, 180 at 0.1 and 30.
// The receiver is where the light comes from: a little more than at 0.1 deg. A diffuse surface
// sends rho cos(i)/pi of its flux back per solid angle, sheeting R_A / cos(i).
static void test_sheeting(void** state) {
  (void)state;
#define SHEETING "<material preset='white_sheeting' reflectance_905='0'/>"
#define AT(degrees)                                                                             \
  "noise='none' z='2' rated_range='0' intensity='reflectance' intensity_limit='2.55' " ONE_BEAM \
  "elevation_first='" degrees " deg' elevation_last='" degrees " deg'"
  static const struct {
    const char* attributes;
    double entrance, listed, exact;  // [deg]; at 0.1 deg; at 0 deg by the fit of the header
  } row[] = {{AT("-90"), 0, 300, 250 * 1.211311 * 1.013433},
             {AT("-86"), 4, 300, 250 * 1.211311 * 1.004819},
             {AT("-60"), 30, 180, 250 * 1.211311 * 0.612565}};
  const double pi = 3.14159265358979;
  int n;
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    World w = sensed(SHEETING, row[i].attributes);
    const double cosine = cos(row[i].entrance * pi / 180);
    const double back = (double)*(const float*)output_of(&w, "intensity", &n) / pi * cosine;
    assert_near(back, row[i].exact, 3e-4 * row[i].exact);
    assert_near(back, row[i].listed, 0.06 * row[i].listed);
    close_world(&w);
  }
  // the instrument tells no more than its largest number
  World w = sensed(SHEETING,
                   "z='2' rated_range='0' range_noise='0' intensity_step='0.01' "
                   "intensity_limit='2.55' " ONE_BEAM DOWN);
  assert_near(*(const float*)output_of(&w, "intensity", &n), 2.55f, 0);
  close_world(&w);
  w = sensed(SHEETING, "noise='none' z='2' rated_range='0' reflectance='0.4' " ONE_BEAM DOWN);
  assert_near(*(const float*)output_of(&w, "intensity", &n), 0.4f, 1e-7);
  close_world(&w);
}

// ---- errors of measurement ----

enum { MANY = 20000 };
#define MANY_BEAMS "pattern='raster' channels='1' columns='20000' fov='0' "

static void test_quantised(void** state) {
  (void)state;
  World w = sensed("",
                   "z='10.003' rated_range='0' range_noise='0' range_step='0.25' "
                   "intensity_step='0.2' reflectance='0.47' " ONE_BEAM DOWN);
  int n;
  assert_near(numbers_of(&w, "range")[0], 10, 0);
  assert_near(numbers_of(&w, "z")[0], -10, 1e-12);
  assert_near(*(const float*)output_of(&w, "intensity", &n), 0.4f, 0);
  close_world(&w);
}

static int hits_of(const char* attributes) {
  World w = sensed("", attributes);
  int n, hits = 0;
  const double* range = output_of(&w, "range", &n);
  for (int i = 0; i < n; i++) hits += range[i] >= 0;
  close_world(&w);
  return hits;
}

static void test_dropout(void** state) {
  (void)state;
  const int hits = hits_of("z='10' dropout='0.2' rated_range='0' " MANY_BEAMS DOWN);
  assert_near(hits, 0.8 * MANY, 4 * sqrt(0.16 * MANY));
  assert_int_equal(hits_of("z='10' dropout='0.2' rated_range='0' noise='none' " MANY_BEAMS DOWN),
                   MANY);
}

// At the limit of detection the deviations of strong and weak signals add as squares.
static void test_weak_noise(void** state) {
  (void)state;
  World w = sensed("",
                   "z='50' rated_range='100' rated_reflectance='0.5' reflectance='0.5' "
                   "range_noise='0.03' weak_range_noise='0.08' signal_noise='0' " MANY_BEAMS DOWN);
  const double* range = numbers_of(&w, "range");
  double squares = 0;
  for (int i = 0; i < MANY; i++) squares += (range[i] - 50) * (range[i] - 50);
  // a quarter of the weak one's square: four times the power of the limit
  assert_near(sqrt(squares / MANY), sqrt(0.03 * 0.03 + 0.08 * 0.08 / 4), 0.02 * 0.05);
  close_world(&w);
}

// Directions scatter, the points do not know: heights of points on level ground.
static void test_angle_noise(void** state) {
  (void)state;
  World w = sensed("", "z='10' rated_range='0' range_noise='0' angle_noise='2 mrad' " MANY_BEAMS
                       "elevation_first='-45 deg' elevation_last='-45 deg'");
  const double* range = numbers_of(&w, "range");
  const double true_range = 10 * sqrt(2);
  double squares = 0;
  for (int i = 0; i < MANY; i++) squares += pow(range[i] - true_range, 2);
  // d range/d elevation = range/tan(45 deg)
  assert_near(sqrt(squares / MANY), 0.002 * true_range, 0.02 * 0.002 * true_range);
  close_world(&w);
}

// ---- what is refused ----

static void refused(const char* attributes, const char* said) {
  char text[600];
  snprintf(text, sizeof text, "<world><sensor type='lidar' name='l' %s/></world>", attributes);
  World w;
  assert_false(load_world(&w, text, 0, no_types));
  if (!strstr(w.message, said)) fail_msg("'%s' does not say '%s'", w.message, said);
  close_world(&w);
}

static void test_refused(void** state) {
  (void)state;
  refused("channels='3' elevations='1 2 deg'", "elevations has 2 numbers for 3 channels");
  refused("channels='3' azimuths='1 2 deg'", "azimuths has 2 numbers");
  refused("channels='3' heights='1 2 mm'", "heights has 2 numbers");
  refused("channels='256' columns='65536' returns='3'", "channels x columns x returns");
  refused("columns='1000' column_time='1 ms'", "longer than the period");
  refused("columns='1000' firing_interval='1 ms'", "do not fire within a column");
  refused("max_range='1' min_range='2'", "below min_range");
  refused("preset='vlp61'", "vlp16");
}

// ---- failures ----

// A failure of the ranges moves the points along their beams: here they start off the axis, on two
// heights, and miss something between two walls.
static void test_failed_ranges(void** state) {
  (void)state;
  static const char walls[] =
      "<block fixed='true' shape='box' size='1 3 40' position='5.5 0 -20'/>"
      "<block fixed='true' shape='box' size='1 3 40' position='-5.5 0 -20'/>";
#define TWO_HEIGHTS                                                                    \
  "rated_range='0' z='2' channels='2' columns='60' elevation_first='10 deg' "          \
  "elevation_last='-20 deg' heights='0.1 0.3' origin_radius='0.2' azimuths='0 5 deg' " \
  "ground_visible='false' range_noise='0' weak_range_noise='0' signal_noise='0'"
  World truth = sensed(walls, TWO_HEIGHTS);
  World w = sensed(walls, TWO_HEIGHTS
                   "><failure type='bias' output='range' value='0.5'/></sensor>"
                   "<sensor type='imu' name='i'");
  World noisy = sensed(walls, TWO_HEIGHTS
                       "><failure type='noise' output='range' value='0.1'/>"
                       "<failure type='bias' output='x' value='7'/></sensor>"
                       "<sensor type='imu' name='i'");
  int n, seen = 0;
  const double* range = output_of(&truth, "range", &n);
  static const char* const axes[] = {"x", "y", "z"};
  for (int i = 0; i < n; i++) {
    const double far = numbers_of(&w, "range")[i], spread = numbers_of(&noisy, "range")[i];
    double at[3], moved[3], length = 0;
    for (int k = 0; k < 3; k++) at[k] = numbers_of(&truth, axes[k])[i];
    for (int k = 0; k < 3; k++) moved[k] = numbers_of(&w, axes[k])[i] - at[k];
    if (range[i] < 0) {
      assert_true(far < 0 && spread < 0 && isnan(moved[0]));
      continue;
    }
    seen++;
    assert_near(far, range[i] + 0.5, 1e-12);
    // 0.5 m along the beam, whose direction the elevation tells
    for (int k = 0; k < 3; k++) length += moved[k] * moved[k];
    assert_near(sqrt(length), 0.5, 1e-12);
    assert_near(moved[2], 0.5 * sin((i < n / 2 ? 10 : -20) * PI / 180), 1e-12);
    assert_near(moved[0] * (at[1] - numbers_of(&w, "y")[i]),
                moved[1] * (at[0] - numbers_of(&w, "x")[i]), 1e-12);
    // a failure of x comes on top of what follows from the range
    const double share = (spread - range[i]) / 0.5;
    assert_true(share != 0);
    assert_near(numbers_of(&noisy, "x")[i], at[0] + share * moved[0] + 7, 1e-11);
    assert_near(numbers_of(&noisy, "z")[i], at[2] + share * moved[2], 1e-11);
  }
  assert_true(seen > 4 && seen < n);
  close_world(&truth);
  close_world(&w);
  close_world(&noisy);
}

// ---- labels ----

static const char* class_of(const World* w, int return_index) {
  int n;
  const int32_t* label = output_of(w, "class", &n);
  assert_true(return_index < n);
  return rut_class_name(w->model, label[return_index]);
}

// Beams down, ahead at a tree, and past it; half a beam on a post before a wall has a return of
// each.
static void test_labels(void** state) {
  (void)state;
  World w = sensed(
      "<block fixed='true' shape='box' size='1 1 9' position='5.5 0'><material "
      "class='tree'/></block>",
      "noise='none' labels='true' rated_range='0' z='2' channels='3' columns='2' fov='180 deg' "
      "clockwise='false' pattern='raster' elevations='-90 0 80 deg' yaw='90 deg'");
  int n;
  const int32_t* instance = output_of(&w, "instance", &n);
  assert_int_equal(n, 6);
  for (int i = 0; i < 2; i++) assert_string_equal(class_of(&w, i), "ground");
  // the two ends of the row look along -x and x, the latter at the tree
  int trees = 0;
  for (int i = 2; i < 4; i++) {
    rutInstanceInfo info;
    const bool seen = numbers_of(&w, "range")[i] >= 0;
    assert_int_equal(rut_instance_info(w.model, instance[i], &info), seen);
    assert_string_equal(class_of(&w, i), seen ? "tree" : "");
    trees += seen;
  }
  assert_int_equal(trees, 1);
  for (int i = 4; i < 6; i++) assert_true(instance[i] == -1 && class_of(&w, i)[0] == 0);
  close_world(&w);
  w = sensed(
      "<block fixed='true' shape='box' size='1 1 9' position='5.5 0.5'><material "
      "class='post'/></block>"
      "<block fixed='true' shape='box' size='1 9 9' position='9.5 0'><material "
      "class='wall'/></block>",
      "noise='none' labels='true' rated_range='0' z='2' returns='2' order='first' "
      "subrays='16' " ONE_BEAM AHEAD);
  assert_string_equal(class_of(&w, 0), "post");
  assert_string_equal(class_of(&w, 1), "wall");
  close_world(&w);
  // without labels there are none
  w = sensed("", "z='2' " ONE_BEAM DOWN);
  output_of(&w, "class", &n);
  assert_int_equal(n, 0);
  close_world(&w);
}

// What the air returns has no class.
static void test_label_of_fog(void** state) {
  (void)state;
  World w = sensed("<weather visibility='10'/>",
                   "labels='true' signal_noise='0' z='2' rated_range='500' "
                   "overlap_range='0' " ONE_BEAM AHEAD);
  int n;
  const int32_t* instance = output_of(&w, "instance", &n);
  assert_true(numbers_of(&w, "range")[0] >= 0);
  assert_true(instance[0] == -1 && class_of(&w, 0)[0] == 0);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_spinning),   cmocka_unit_test(test_sectors),
      cmocka_unit_test(test_sector),     cmocka_unit_test(test_single),
      cmocka_unit_test(test_spinning),   cmocka_unit_test(test_sector),
      cmocka_unit_test(test_single),     cmocka_unit_test(test_failed_ranges),
      cmocka_unit_test(test_labels),     cmocka_unit_test(test_label_of_fog),
      cmocka_unit_test(test_raster),     cmocka_unit_test(test_rosette),
      cmocka_unit_test(test_offsets),    cmocka_unit_test(test_presets),
      cmocka_unit_test(test_orders),     cmocka_unit_test(test_strongest),
      cmocka_unit_test(test_no_return),  cmocka_unit_test(test_firing),
      cmocka_unit_test(test_flat_spot),  cmocka_unit_test(test_reflectance),
      cmocka_unit_test(test_sheeting),   cmocka_unit_test(test_materials),
      cmocka_unit_test(test_quantised),  cmocka_unit_test(test_dropout),
      cmocka_unit_test(test_weak_noise), cmocka_unit_test(test_angle_noise),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
