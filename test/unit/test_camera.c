// SPDX-License-Identifier: BSD-3-Clause
//
// The camera: depths of a plane, light and shadow, noise of photons, rolling shutter, what is seen.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/component.h"
#include "world_fixture.h"

static const double PI = 3.14159265358979323846;

enum { COLOUR, DEPTH, CLASS, INSTANCE };

static World open_world(const char* text) {
  static const rutComponent* const none[] = {NULL};
  World w = open_world_with(text, 0, none);
  run(&w, 10);
  return w;
}

static const void* image_of(const World* w, int output) {
  const void* image = rut_sensor_output(w->model, w->data, 0, output, NULL);
  assert_non_null(image);
  return image;
}

static double linear(int code) {
  const double x = code / 255.0;
  return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

#define CAMERA "<sensor type='camera' name='eye' period='0.1' "

// 2 m above level ground, 30 degrees down: the ray of a pixel at (u, v) from the middle, over the
// focal length, falls by (sin 30 + v cos 30) per unit of depth.
static void test_depth_of_a_plane(void** state) {
  (void)state;
  World w = open_world("<world timestep='0.01'>" CAMERA
                       "z='2' pitch='30 deg' width='64' height='48' fov='90 deg'/></world>");
  const float* depth = image_of(&w, DEPTH);
  const int32_t* seen = image_of(&w, CLASS);
  int hits = 0;
  for (int row = 0; row < 48; row++) {
    for (int column = 0; column < 64; column++) {
      const double v = (row + 0.5 - 24) / 32;
      const double fall = 0.5 + v * cos(PI / 6), want = fall > 0 ? 2 / fall : -1;
      const int at = row * 64 + column;
      const double u = (column + 0.5 - 32) / 32;
      if (fall > 0 && want * sqrt(1 + u * u + v * v) > 1000) continue;
      assert_near(depth[at], want, 1e-6 * fabs(want));
      assert_true((seen[at] >= 0) == (fall > 0));
      hits += fall > 0;
    }
  }
  assert_true(hits > 64 * 30);
  close_world(&w);
}

// A fisheye of 300 degrees, level, 2 m above the ground, sees it ahead, beside and behind: r = f
// theta, and the distance along a ray that falls by d per length is 2/d. Failing numbers of depth
// noise stay distances.
static void test_depth_of_a_fisheye(void** state) {
  (void)state;
  World w = open_world("<world timestep='0.01'>" CAMERA
                       "z='2' width='60' height='60' lens='equidistant' fov='300 deg'/></world>");
  const float* depth = image_of(&w, DEPTH);
  const double focal = 60 / (300 * PI / 180);
  int behind = 0;
  for (int at = 0; at < 60 * 60; at++) {
    const double x = at % 60 + 0.5 - 30, y = at / 60 + 0.5 - 30, r = sqrt(x * x + y * y);
    if (r / focal >= PI) {
      assert_near(depth[at], -1, 0);
      continue;
    }
    const double fall = sin(r / focal) * y / r, want = fall > 2e-3 ? 2 / fall : -1;
    assert_near(depth[at], want, 1e-6 * fabs(want));
    behind += r / focal > PI / 2 && depth[at] > 0;
  }
  assert_true(behind > 300);
  close_world(&w);
}

// Distances along the axis are less by the cosine, where a lens is told so; one that sees beside
// itself has none.
static void test_depth_along(void** state) {
  (void)state;
#define FISHEYE(fov, along)                                       \
  "<world timestep='0.01'>" CAMERA                                \
  "z='2' pitch='90 deg' width='40' height='40' lens='equisolid' " \
  "fov='" fov "' depth_along='" along "'/></world>"
  World axis = open_world(FISHEYE("100 deg", "axis")), ray = open_world(FISHEYE("100 deg", "ray"));
  const float *along_axis = image_of(&axis, DEPTH), *along_ray = image_of(&ray, DEPTH);
  const double focal = 20 / (2 * sin(25 * PI / 180));
  for (int at = 0; at < 40 * 40; at++) {
    const double x = at % 40 + 0.5 - 20, y = at / 40 + 0.5 - 20;
    const double angle = 2 * asin(sqrt(x * x + y * y) / (2 * focal));
    assert_near(along_axis[at], 2, 1e-6);
    assert_near(along_ray[at], 2 / cos(angle), 1e-5);
  }
  close_world(&axis);
  close_world(&ray);
  static const rutComponent* const none[] = {NULL};
  World wide;
  assert_false(load_world(&wide, FISHEYE("150 deg", "axis"), 0, none));
  assert_non_null(strstr(wide.message, "'depth_along' must be 'ray'"));
  close_world(&wide);
}

// White ground and a white wall. Under the sky alone, a wall sees half of it: half the light of the
// ground. Under the sun alone, at an elevation of 30 degrees in line with the camera's view, ground
// has sin 30, a wall that faces it cos 30, and the shadow behind the wall nothing.
static void test_light(void** state) {
  (void)state;
#define WHITE_WORLD(light)                                                         \
  "<world timestep='0.01'><material colour='1 1 1'/>" light                        \
  "<wall from='5 -2' to='5 2' height='1'><material colour='1 1 1'/></wall>" CAMERA \
  "z='6' pitch='45 deg' width='40' height='40' fov='60 deg' noise='none' exposure='0.8'/></world>"
  World sky = open_world(WHITE_WORLD("<light ambient='1' azimuth='180 deg' elevation='30 deg'/>"));
  World sun = open_world(WHITE_WORLD("<light ambient='0' azimuth='180 deg' elevation='30 deg'/>"));
  const unsigned char *under_sky = image_of(&sky, COLOUR), *under_sun = image_of(&sun, COLOUR);
  const int32_t* instance = image_of(&sky, INSTANCE);
  const float* depth = image_of(&sky, DEPTH);
  int walls = 0, shadows = 0;
  double ground = 0, face = 0;
  for (int at = 0; at < 40 * 40; at++) {
    const double v = (at / 40 + 0.5 - 20) / (20 / tan(PI / 6)),
                 u = (at % 40 + 0.5 - 20) / (20 / tan(PI / 6));
    const double ahead = depth[at] * (cos(PI / 4) - v * sin(PI / 4)), left = -depth[at] * u;
    const double up = 6 - depth[at] * (sin(PI / 4) + v * cos(PI / 4));
    if (instance[at] == 0 && fabs(left) > 2.2) {
      if (ground == 0) ground = linear(under_sky[3 * at]);
      assert_near(linear(under_sky[3 * at]), ground, 1e-12);
      assert_near(linear(under_sun[3 * at]), 0.8 * 0.5, 0.004);
    }
    // the wall's shadow is 1 / tan 30 m long
    const bool shadow = instance[at] == 0 && fabs(left) < 1.8 && ahead > 5.2 && ahead < 6.5;
    if (shadow) assert_int_equal(under_sun[3 * at], 0);
    shadows += shadow;
    if (instance[at] > 0 && up < 0.9) {
      if (face == 0) face = linear(under_sky[3 * at]);
      assert_near(linear(under_sun[3 * at]), 0.8 * cos(PI / 6), 0.004);
      walls++;
    }
  }
  assert_true(walls > 10);
  assert_true(shadows > 10);
  assert_near(face / ground, 0.5, 0.01);
  close_world(&sky);
  close_world(&sun);
}

// Fresnel for n = 1.33, light that is not polarised: at 80 and 60 deg of incidence 0.348 and 0.0597
// (Born, Wolf, Principles of Optics, section 1.5, worked out). The rest is what water sends back.
static void test_water_mirrors_the_sky(void** state) {
  (void)state;
  static const double expected[2] = {0.348, 0.0597};
  for (int i = 0; i < 2; i++) {
    char text[700];
    snprintf(text, sizeof text,
             "<world timestep='5 ms'><light ambient='1' shadows='false'/>"
             "<scenery type='water' length='900 m' width='900 m' depth='0.5 m' places='0 0'/>"
             "<sensor type='camera' z='2 m' pitch='%d deg' width='1' height='1' fov='0.1 deg' "
             "noise='none' exposure='0.5' period='10 ms'/></world>",
             i ? 30 : 10);
    World w = open_world(text);
    const unsigned char* pixel = image_of(&w, COLOUR);
    // the sky's green is 0.98; water itself gives 0.015 of it
    const double share = linear(pixel[1]) / (0.5 * 0.98);
    assert_near(share, expected[i] + 0.015 * (1 - expected[i]), 0.008);
    close_world(&w);
  }
}

// Photon transfer: without read noise the variance of the electrons is their mean.
static void test_photon_transfer(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='0.01'><material colour='1 1 1'/><light ambient='0' elevation='90 "
      "deg'/>" CAMERA
      "z='5' pitch='90 deg' width='160' height='120' fov='20 deg' exposure='0.5' full_well='200' "
      "read_noise='0'/></world>");
  const unsigned char* colour = image_of(&w, COLOUR);
  enum { N = 3 * 160 * 120 };
  double sum = 0, squares = 0;
  for (int i = 0; i < N; i++) {
    const double electrons = 200 * linear(colour[i]);
    sum += electrons;
    squares += electrons * electrons;
  }
  const double mean = sum / N, variance = squares / N - mean * mean;
  // of N = 57600 numbers: 3 sigma of the mean, and of the variance sqrt(2 / N)
  assert_near(mean, 100, 3 * 10 / sqrt(N) + 0.1);
  assert_near(variance / mean, 1, 3 * sqrt(2.0 / N) + 0.01);
  close_world(&w);
}

// A camera that looks to the left of a vehicle at 2 m/s, at a wall 4 m away that ends ahead of it:
// the end is on the right of the image and moves to the left, by f v T / D from the first row to
// the last, T = 0.2 s later.
static void test_rolling_shutter(void** state) {
  (void)state;
#define ROVER(shutter)                                                               \
  "<world timestep='0.01'><plane x_min='-100' x_max='100' y_min='-1' y_max='1'/>"    \
  "<wall from='-9 4' to='0.4 4' height='9' thickness='0.01'/>"                       \
  "<vehicle name='r' velocity='2 0'>"                                                \
  "<chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"               \
  "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"           \
  "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"         \
  "<tyre type='coulomb'/><drive type='direct'/>"                                     \
  "<controller type='twist_ideal' speed='2'/>" CAMERA                                \
  "z='1' yaw='90 deg' width='401' height='101' fov='90 deg' render='false' " shutter \
  "/></vehicle></world>"
  World still = open_world(ROVER("row_time='0'"));
  World rolling = open_world(ROVER("row_time='2 ms'"));
  const float *at_once = image_of(&still, DEPTH), *by_rows = image_of(&rolling, DEPTH);
  int shift[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    const float* depth = k ? by_rows : at_once;
    int column[2];
    for (int i = 0; i < 2; i++) {
      const int row = i ? 100 : 0;
      column[i] = 401;
      while (column[i] > 0 && !(depth[row * 401 + column[i] - 1] > 0)) column[i]--;
    }
    shift[k] = column[1] - column[0];
  }
  assert_int_equal(shift[0], 0);
  // the face of the wall is 3.995 m away, and f = 200.5 pixels
  assert_near(shift[1], -200.5 * 2 * 0.2 / 3.995, 1.01);
  close_world(&still);
  close_world(&rolling);
}

// Depths of a wall 5 m ahead with noise, then in steps, then too near.
static void test_measured_depth(void** state) {
  (void)state;
#define DEPTHS(attributes)                                                                        \
  "<world timestep='0.01'><block fixed='true' shape='box' size='2 100 90' position='6 0' "        \
  "z_max='90'/>" CAMERA "z='40' width='100' height='100' fov='40 deg' render='false' " attributes \
  "/></world>"
  enum { PIXELS = 100 * 100 };
  World noisy = open_world(DEPTHS("depth_noise='0.05'"));
  World stepped = open_world(DEPTHS("depth_step='0.3'"));
  World near = open_world(DEPTHS("min_range='5.2'"));
  const float *depth = image_of(&noisy, DEPTH), *steps = image_of(&stepped, DEPTH);
  const float* far = image_of(&near, DEPTH);
  const double face = 5;
  double mean = 0, square = 0;
  for (int i = 0; i < PIXELS; i++) mean += depth[i] / PIXELS;
  for (int i = 0; i < PIXELS; i++) square += pow(depth[i] - face, 2) / PIXELS;
  assert_near(mean, face, 3 * 0.05 / sqrt(PIXELS));
  assert_near(sqrt(square), 0.05, 0.05 * 3 / sqrt(2.0 * PIXELS));
  for (int i = 0; i < PIXELS; i++) {
    assert_near(steps[i], 5.1, 1e-6);
    const double u = (i % 100 + 0.5 - 50) / 50 * tan(PI / 9);
    const double v = (i / 100 + 0.5 - 50) / 50 * tan(PI / 9);
    const double range = face * sqrt(1 + u * u + v * v);
    if (fabs(range - 5.2) > 1e-6) assert_true((far[i] > 0) == (range > 5.2));
  }
  close_world(&noisy);
  close_world(&stepped);
  close_world(&near);
}

// Angles of view of MAVS's cameras, from the width of the sensor and the focal length [mm].
static void test_mavs_presets(void** state) {
  (void)state;
  static const struct {
    const char* name;
    double width, focal;
    int pixels;
  } camera[] = {{"mavs_machine_vision", 3.5, 3.5, 224},
                {"flea3_4mm", 6.784, 4, 1280},
                {"xcd_v60", 2.4, 3.5, 640},
                {"mavs_hd1080", 22.5, 9, 1620},
                {"sf3325", 5.784, 5, 1928},
                {"phantom4", 20.32, 28, 1216},
                {"mavs_low_res", 3.5, 3.5, 384}};
  for (int i = 0; i < (int)(sizeof camera / sizeof camera[0]); i++) {
    char text[200];
    snprintf(text, sizeof text, "<world><sensor type='camera' name='c' preset='%s'/></world>",
             camera[i].name);
    rutContext* context = NULL;
    rutSpec* spec = NULL;
    assert_int_equal(rut_context_create(NULL, &context, NULL), RUT_OK);
    assert_int_equal(rut_spec_parse(context, text, strlen(text), "w.xml", &spec, NULL), RUT_OK);
    const rutNode node = rut_spec_find(spec, "c");
    const double fov = 2 * atan(0.5 * camera[i].width / camera[i].focal);
    assert_near(rut_node_number(spec, node, "fov"), fov, 1e-4);
    assert_true(rut_node_number(spec, node, "width") == camera[i].pixels);
    rut_spec_destroy(spec);
    rut_context_destroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mavs_presets),
      cmocka_unit_test(test_depth_of_a_plane),
      cmocka_unit_test(test_depth_of_a_fisheye),
      cmocka_unit_test(test_depth_along),
      cmocka_unit_test(test_light),
      cmocka_unit_test(test_water_mirrors_the_sky),
      cmocka_unit_test(test_photon_transfer),
      cmocka_unit_test(test_rolling_shutter),
      cmocka_unit_test(test_measured_depth),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
