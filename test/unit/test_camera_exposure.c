// SPDX-License-Identifier: BSD-3-Clause
//
// From light to the numbers of an image: vignetting, gain, auto exposure, motion blur.
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
#include "sense/camera_codes.h"
#include "world_fixture.h"

static const double PI = 3.14159265358979323846;
static const rutComponent* const none[] = {NULL};

static const unsigned char* colours_of(const World* w) {
  const unsigned char* image = rut_sensor_output(w->model, w->data, 0, 0, NULL);
  assert_non_null(image);
  return image;
}

static double linear_of(double code) {
  const double x = code / 255.0;
  return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}
static double linear(int code) { return linear_of(code); }

// Half a step of a code near a signal.
static double resolution(double signal) {
  const double code = signal <= 0.0031308 ? 12.92 * signal : 1.055 * pow(signal, 1 / 2.4) - 0.055;
  return 0.51 / 255 * 2.4 / 1.055 * pow((code + 0.055) / 1.055, 1.4);
}

#define CAMERA "<sensor type='camera' name='eye' period='0.1' "
// White ground under a sun in the zenith: a signal of the exposure everywhere.
#define WHITE(attributes)                                                                \
  "<world timestep='0.01'><material colour='1 1 1'/><light ambient='0' elevation='90 "   \
  "deg'/>" CAMERA "z='5' pitch='90 deg' width='60' height='40' fov='70 deg' " attributes \
  "/></world>"

// cos^4 of the angle from the axis: (1 + (x^2 + y^2)/f^2)^-2.
static void test_vignetting(void** state) {
  (void)state;
  World w = open_world_with(WHITE("noise='none' exposure='0.8' vignetting='cos4'"), 0, none);
  World even = open_world_with(
      WHITE("noise='none' exposure='0.8' vignetting='polynomial' v2='-0.5' v4='0.25' v6='-0.1'"), 0,
      none);
  run(&w, 10);
  run(&even, 10);
  const unsigned char *cos4 = colours_of(&w), *polynomial = colours_of(&even);
  const double f = 30 / tan(PI * 35 / 180);
  for (int i = 0; i < 60 * 40; i++) {
    const double x = i % 60 + 0.5 - 30, y = i / 60 + 0.5 - 20, s = x * x + y * y;
    const double r2 = s / (30 * 30 + 20 * 20);
    const double want = 0.8 * pow(1 + s / (f * f), -2);
    const double other = 0.8 * (1 - 0.5 * r2 + 0.25 * r2 * r2 - 0.1 * r2 * r2 * r2);
    assert_near(linear(cos4[3 * i]), want, resolution(want));
    assert_near(linear(polynomial[3 * i]), other, resolution(other));
  }
  close_world(&w);
  close_world(&even);
}

// A gain g makes a signal of e g from e full_well electrons, whose shot noise it amplifies:
// variance over mean is g/full_well.
static void test_gain(void** state) {
  (void)state;
  World w =
      open_world_with(WHITE("exposure='0.05' gain='8' full_well='2000' read_noise='0'"), 0, none);
  run(&w, 10);
  const unsigned char* colour = colours_of(&w);
  enum { N = 3 * 60 * 40 };
  double sum = 0, squares = 0;
  for (int i = 0; i < N; i++) sum += linear(colour[i]);
  for (int i = 0; i < N; i++) squares += pow(linear(colour[i]) - sum / N, 2);
  assert_near(sum / N, 0.4, 3 * sqrt(0.4 * 8 / 2000 / N) + 1e-3);
  assert_near(squares / sum, 8.0 / 2000, 8.0 / 2000 * (3 * sqrt(2.0 / N) + 0.01));
  close_world(&w);
}

// The logarithm of the mean luminance approaches that of 0.18: after k images what is left of the
// difference is exp(-k period/lag).
static void test_auto_exposure(void** state) {
  (void)state;
  World w = open_world_with(
      WHITE("noise='none' exposure='0.02' auto_exposure='true' exposure_lag='0.4 s'"), 0, none);
  const double first = log(0.02 / 0.18);
  for (int k = 0; k < 30; k++) {
    run(&w, 10);
    const double got = linear(colours_of(&w)[0]);
    // the meter reads codes of 8 bits
    const double want = 0.18 * exp(first * exp(-k * 0.1 / 0.4));
    assert_near(got, want, 2 * resolution(0.18) + 0.02 * want);
  }
  assert_near(linear(colours_of(&w)[0]), 0.18, 2 * resolution(0.18));
  close_world(&w);
}

// Beyond the largest exposure the gain grows: the image is as bright, with the noise of the few
// electrons that exposure_max lets in.
static void test_auto_gain(void** state) {
  (void)state;
  World w = open_world_with(WHITE("exposure='0.01' auto_exposure='true' exposure_lag='0' "
                                  "exposure_max='0.03' full_well='5000' read_noise='0'"),
                            0, none);
  run(&w, 100);
  const unsigned char* colour = colours_of(&w);
  enum { N = 3 * 60 * 40 };
  double sum = 0, squares = 0;
  for (int i = 0; i < N; i++) sum += linear(colour[i]);
  for (int i = 0; i < N; i++) squares += pow(linear(colour[i]) - sum / N, 2);
  const double gain = 0.18 / 0.03;
  assert_near(sum / N, 0.18, 0.01);
  assert_near(squares / sum, gain / 5000, gain / 5000 * 0.1);
  close_world(&w);
}

// Koschmieder's law: a black wall at distance d through fog of a visibility V has the part
// 1 - exp(-3.912 d/V) of the light of the air, 2 % less of it at V: here, under a sun of full light
// without a sky, a quarter of the exposure.
static void test_fog(void** state) {
  (void)state;
  World w = open_world_with(
      "<world timestep='0.01'><light ambient='0' elevation='60 deg'/>"
      "<block fixed='true' shape='box' size='2 200 90' position='51 0' z_max='90'>"
      "<material colour='0 0 0'/></block>" CAMERA
      "z='40' width='40' height='30' fov='40 deg' noise='none' exposure='2' visibility='100 m'/>"
      "</world>",
      0, none);
  run(&w, 10);
  const unsigned char* colour = colours_of(&w);
  const double f = 20 / tan(PI / 9);
  for (int i = 0; i < 40 * 30; i++) {
    const double u = (i % 40 + 0.5 - 20) / f, v = (i / 40 + 0.5 - 15) / f;
    const double range = 50 * sqrt(1 + u * u + v * v);
    const double want = 2 * 0.25 * (1 - exp(-3.912 * range / 100));
    assert_near(linear(colour[3 * i]), want, resolution(want));
  }
  close_world(&w);
}

// A planar vehicle drives at 4 m/s over an edge from black to white ground, and looks straight down
// from 1 m: what a pixel sees is white in the sub-frames in which it is beyond the edge.
static void test_blur_of_travel(void** state) {
  (void)state;
  World w = open_world_with(
      "<world timestep='0.01'><light ambient='0' elevation='90 deg' shadows='false'/>"
      "<plane x_min='-100' x_max='0.5' y_min='-9' y_max='9'><material colour='0 0 0'/></plane>"
      "<plane x_min='0.5' x_max='100' y_min='-9' y_max='9'><material colour='1 1 1'/></plane>"
      "<vehicle name='r' velocity='4 0'>"
      "<chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"
      "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
      "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
      "<tyre type='coulomb'/><drive type='direct'/><controller type='twist_ideal' "
      "speed='4'/>" CAMERA
      "z='1' pitch='90 deg' width='20' height='200' fov='20 deg' noise='none' exposure='0.8' "
      "exposure_time='40 ms' sub_frames='8'/></vehicle></world>",
      0, none);
  run(&w, 10);
  const unsigned char* colour = colours_of(&w);
  const double at = rut_vehicle_state(w.model, w.data, 0).position[0], f = 10 / tan(PI / 18);
  int partial = 0;
  for (int row = 0; row < 200; row++) {
    const double x = (100 - row - 0.5) / f;  // ahead of the camera
    int white = 0;
    bool clear = true;
    for (int k = 0; k < 8; k++) {
      const double place = at + x - 4 * 0.04 * (7 - k) / 8;
      white += place > 0.5;
      clear = clear && fabs(place - 0.5) > 1e-3;
    }
    if (!clear) continue;
    const double want = 0.8 * white / 8;
    assert_near(linear(colour[3 * (20 * row + 10)]), want, resolution(want) + 1e-6);
    partial += white > 0 && white < 8;
  }
  // the edge passes over f v T (k - 1)/k = 7.9 pixels
  assert_true(partial >= 6 && partial <= 8);
  close_world(&w);
}

// A white block passes a camera at rest: as far as it moves in the steps of the exposure.
static void test_blur_of_a_block(void** state) {
  (void)state;
  World w = open_world_with(
      "<world timestep='0.005'><material colour='0 0 0'/><light ambient='0' azimuth='180 deg' "
      "elevation='0' shadows='false'/>"
      "<block shape='box' size='2 1 2' position='6 -1' z_max='2'><material colour='1 1 1'/>"
      "<keyframe time='0' position='0 0'/><keyframe time='9' position='0 36'/></block>" CAMERA
      "z='1' width='200' height='20' fov='40 deg' noise='none' exposure='0.8' max_range='9' "
      "exposure_time='40 ms' sub_frames='8'/></world>",
      0, none);
  run(&w, 40);
  const unsigned char* colour = colours_of(&w);
  const double f = 100 / tan(PI / 9), left = -1 + 4 * 0.2 + 0.5;
  int partial = 0;
  for (int i = 0; i < 200; i++) {
    const double y = (100 - i - 0.5) * 5 / f;
    int white = 0;
    bool clear = true;
    for (int k = 0; k < 8; k++) {
      const double from = y - (left - 4 * 0.04 * (7 - k) / 8);
      white += from < 0 && from > -1;
      clear = clear && fabs(from) > 1e-3 && fabs(from + 1) > 1e-3;
    }
    if (!clear) continue;
    const double want = 0.8 * white / 8;
    assert_near(linear(colour[3 * (200 * 10 + i)]), want, resolution(want) + 1e-6);
    partial += white > 0 && white < 8;
  }
  assert_true(partial > 8);
  close_world(&w);
}

// In the middle of an exposure a state is saved; it goes on elsewhere with the same image.
static void test_blur_after_restoring(void** state) {
  (void)state;
  const char* text = WHITE("exposure_time='60 ms' auto_exposure='true'");
  World w = open_world_with(text, 1, none), other = open_world_with(text, 2, none);
  run(&w, 27);
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  void* kept = malloc(size);
  assert_non_null(kept);
  assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, kept, size), RUT_OK);
  assert_int_equal(rut_state_set(other.model, other.data, RUT_STATE_ALL, kept, size), RUT_OK);
  free(kept);
  run(&w, 5);
  run(&other, 5);
  assert_memory_equal(colours_of(&w), colours_of(&other), 3 * 60 * 40);
  close_world(&w);
  close_world(&other);
}

// The table of codes is the formula of IEC 61966-2-1, to the rounding of the powers.
static void test_codes(void** state) {
  (void)state;
  static unsigned char of_part[RUT_CAMERA_PARTS + 1];
  rut_camera_codes(of_part);
  for (int c = 1; c <= 255; c++) {
    const double least = RUT_CAMERA_LEAST[c - 1];
    assert_near(least, linear_of(c - 0.5), 1e-14);
    assert_int_equal(rut_camera_code_of(of_part, least), c);
    assert_int_equal(rut_camera_code_of(of_part, nextafter(least, 0)), c - 1);
  }
  for (int i = 0; i <= 1000000; i++) {
    const double x = i * 1e-6;
    const double code = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
    assert_int_equal(rut_camera_code_of(of_part, x), (int)floor(255 * code + 0.5));
  }
  assert_int_equal(rut_camera_code_of(of_part, -1), 0);
  assert_int_equal(rut_camera_code_of(of_part, 7), 255);
  assert_int_equal(rut_camera_code_of(of_part, NAN), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_codes),
      cmocka_unit_test(test_vignetting),
      cmocka_unit_test(test_gain),
      cmocka_unit_test(test_auto_exposure),
      cmocka_unit_test(test_auto_gain),
      cmocka_unit_test(test_fog),
      cmocka_unit_test(test_blur_of_travel),
      cmocka_unit_test(test_blur_of_a_block),
      cmocka_unit_test(test_blur_after_restoring),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
