// SPDX-License-Identifier: BSD-3-Clause
//
// Satellite positioning: what a receiver tells, its errors, its fixes, and what hides the
// satellites.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "geom/geodesy.h"
#include "geom/satellites.h"
#include "rut/component.h"
#include "world_fixture.h"

enum { LATITUDE, LONGITUDE, ALTITUDE, POSITION, VELOCITY, DEVIATION, HDOP, VDOP, USED, FIX };
enum { NONE, SINGLE, DGPS, FLOAT, FIXED };

static World open_world(const char* format, ...) __attribute__((format(printf, 1, 2)));
static World open_world(const char* format, ...) {
  static const rutComponent* const no_types[] = {NULL};
  char text[4000];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return open_world_with(text, 0, no_types);
}

static const double* real(const World* w, int output) {
  static const double nothing[3] = {NAN, NAN, NAN};
  const double* found = rut_sensor_output(w->model, w->data, 0, output, NULL);
  return found ? found : nothing;
}

static int count(const World* w, int output) {
  const uint8_t* found = rut_sensor_output(w->model, w->data, 0, output, NULL);
  return found ? *found : -1;
}

#define EXACT                                                                         \
  " single_horizontal='0' single_vertical='0' dgps_horizontal='0' dgps_vertical='0' " \
  "fixed_horizontal='0' fixed_vertical='0' float_horizontal='0' float_vertical='0' "  \
  "velocity_noise='0' range_error='0' "
#define AT "<world timestep='0.01' latitude='48.7 deg' longitude='9.1 deg' altitude='300'>"
static const double DEGREE = 3.14159265358979323846 / 180;

// ---- without errors ----

// The antenna of a vehicle that faces north stands 2 m north of it. Places differ by arcs of the
// meridian and the parallel: M and N cos(latitude) by their formulas, e^2 of WGS 84.
static void test_place(void** state) {
  (void)state;
  World w = open_world(
      AT
      "<vehicle name='r' position='100 50' yaw='90 deg' velocity='2 0'>"
      "<chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"
      "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
      "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
      "<tyre type='coulomb'/><drive type='direct'/><controller type='twist_ideal' speed='2'/>"
      "<sensor type='gnss' x='2' y='0.5' z='1' period='0.01'" EXACT "/></vehicle></world>");
  run(&w, 100);
  assert_near(real(&w, VELOCITY)[0], 0, 1e-9);
  assert_near(real(&w, VELOCITY)[1], 2, 0.01);
  const double* p = real(&w, POSITION);
  const double speed = real(&w, VELOCITY)[1];
  assert_near(p[0], 99.5, 1e-9);
  assert_near(p[1], rut_vehicle_state(w.model, w.data, 0).position[1] + 2, 1e-9);
  assert_near(p[2], 1, 1e-9);
  assert_near(speed, rut_vehicle_state(w.model, w.data, 0).velocity[0], 1e-9);
  assert_int_equal(count(&w, FIX), SINGLE);
  const double e2 = 6.69437999014e-3, s = sin(48.7 * DEGREE);
  const double prime = 6378137 / sqrt(1 - e2 * s * s),
               meridian = prime * (1 - e2) / (1 - e2 * s * s);
  assert_near(*real(&w, LATITUDE) - 48.7 * DEGREE, p[1] / (meridian + 300), 2e-10);
  assert_near(*real(&w, LONGITUDE) - 9.1 * DEGREE, p[0] / ((prime + 300) * cos(48.7 * DEGREE)),
              1e-9);
  assert_near(*real(&w, ALTITUDE), 301 + (p[0] * p[0] + p[1] * p[1]) / (2 * 6.37e6), 1e-5);
  close_world(&w);
}

// <georeference> turns the world: its x axis points north if that is 90 degrees from east.
static void test_georeference(void** state) {
  (void)state;
  const char* sensor = "<sensor type='gnss' x='1000' z='2' period='0.01'" EXACT "/></world>";
  World w = open_world(
      "<world timestep='0.01'><georeference latitude='-30 deg' longitude='20 deg' height='10' "
      "rotation='90 deg'/>%s",
      sensor);
  run(&w, 2);
  const double e2 = 6.69437999014e-3, meridian = 6378137 * (1 - e2) / pow(1 - e2 * 0.25, 1.5);
  assert_near(*real(&w, LATITUDE), -30 * DEGREE + 1000 / meridian, 1e-9);
  assert_near(*real(&w, LONGITUDE), 20 * DEGREE, 1e-12);
  assert_near(real(&w, POSITION)[0], 1000, 1e-9);
  close_world(&w);
  static const rutComponent* const no_types[] = {NULL};
  char text[1000];
  snprintf(text, sizeof text, "<world latitude='1' longitude='1'><georeference/>%s", sensor);
  assert_false(load_world(&w, text, 0, no_types));
  if (!strstr(w.message, "given twice")) fail_msg("%s", w.message);
  close_world(&w);
}

// Solved from ranges without errors, the place is true to 1e-6 m.
static void test_solved_without_errors(void** state) {
  (void)state;
  World w = open_world(AT
                       "<sensor type='gnss' x='1234' y='-987' z='6' period='60' "
                       "solution='pseudoranges'" EXACT "/></world>");
  for (int i = 0; i < 10; i++) {
    run(&w, 6000);
    assert_near(real(&w, POSITION)[0], 1234, 1e-6);
    assert_near(real(&w, POSITION)[1], -987, 1e-6);
    assert_near(real(&w, POSITION)[2], 6, 1e-6);
  }
  close_world(&w);
}

// ---- errors ----

enum { SAMPLES = 60000, LAG = 10 };

// Errors of a receiver that stands at 0 0 2, over what each should have: [axis][sample].
static void record(World* w, double error[3][SAMPLES]) {
  for (int i = 0; i < SAMPLES; i++) {
    run(w, 1);
    const double *p = real(w, POSITION), *s = real(w, DEVIATION);
    for (int k = 0; k < 3; k++) error[k][i] = (p[k] - (k == 2 ? 2 : 0)) / s[k];
  }
}

static double correlation(const double* x, int lag) {
  double sum = 0;
  for (int i = lag; i < SAMPLES; i++) sum += x[i] * x[i - lag];
  return sum / (SAMPLES - lag);
}

// Standard deviations as given, and an autocorrelation of (1 - k) exp(-t / tau): 1200 time
// constants leave a standard error of sqrt(2 / 1200), 4 %, of each number, the mean of three
// axes 2.4 %.
static void test_gauss_markov(void** state) {
  (void)state;
  static double error[3][SAMPLES];
  World w = open_world(AT
                       "<sensor type='gnss' z='2' period='0.01' single_horizontal='1.2' "
                       "single_vertical='2.5' white_share='0.2' correlation_time='0.5'/></world>");
  run(&w, 1);
  assert_near(real(&w, DEVIATION)[0], 1.2, 1e-9);
  assert_near(real(&w, DEVIATION)[1], 1.2, 1e-9);
  assert_near(real(&w, DEVIATION)[2], 2.5, 1e-9);
  record(&w, error);
  for (int lag = 0; lag <= 100; lag += 25) {
    double mean = 0;
    for (int k = 0; k < 3; k++) mean += correlation(error[k], lag) / 3;
    const double expected = lag == 0 ? 1 : 0.8 * exp(-0.01 * lag / 0.5);
    assert_near(mean, expected, 0.07);
  }
  // axes do not depend on each other
  double cross = 0;
  for (int i = 0; i < SAMPLES; i++) cross += error[0][i] * error[1][i] / SAMPLES;
  assert_near(cross, 0, 0.1);
  close_world(&w);
}

// White errors alone, as MVSim has them: no memory, and the velocity's likewise.
static void test_white(void** state) {
  (void)state;
  static double error[3][SAMPLES];
  World w = open_world(AT "<sensor type='gnss' z='2' period='0.01' white_share='1'/></world>");
  record(&w, error);
  for (int k = 0; k < 3; k++) {
    assert_near(correlation(error[k], 0), 1, 0.03);
    assert_near(correlation(error[k], 1), 0, 0.02);
  }
  close_world(&w);
}

// White errors of the ranges: the solution's covariance is s^2 (G^T G)^-1, so that its errors over
// the standard deviations that the receiver tells have variance 1. These follow the dilution.
static void test_solved_errors(void** state) {
  (void)state;
  static double error[3][SAMPLES];
  World w = open_world(AT
                       "<sensor type='gnss' z='2' period='0.01' white_share='1' "
                       "solution='pseudoranges' range_error='2'/></world>");
  run(&w, 1);
  const double* s = real(&w, DEVIATION);
  assert_near(hypot(s[0], s[1]), 2 * *real(&w, HDOP), 1e-12);
  assert_near(s[2], 2 * *real(&w, VDOP), 1e-12);
  record(&w, error);
  for (int k = 0; k < 3; k++) assert_near(correlation(error[k], 0), 1, 0.03);
  close_world(&w);
}

// ---- fixes ----

// Two states that are left after mean times of 2 and 3 s: 60 % of the time is fixed, and it changes
// to and fro every 5 s. Errors go with the fix.
static void test_rtk(void** state) {
  (void)state;
  World w = open_world(AT
                       "<sensor type='gnss' z='2' period='0.1' corrections='rtk' float_time='2' "
                       "fixed_time='3'/></world>");
  run(&w, 10);
  assert_int_equal(count(&w, FIX), FIXED);
  int fixed = 0, lost = 0, last = FIXED, n = 20000;
  for (int i = 0; i < n; i++) {
    run(&w, 10);
    const int fix = count(&w, FIX);
    assert_true(fix == FIXED || fix == FLOAT);
    assert_near(real(&w, DEVIATION)[0], fix == FIXED ? 0.01 : 0.3, 1e-9);
    assert_near(real(&w, DEVIATION)[2], fix == FIXED ? 0.02 : 0.6, 1e-9);
    fixed += fix == FIXED;
    lost += last == FIXED && fix == FLOAT;
    last = fix;
  }
  assert_near((double)fixed / n, 0.6, 0.05);
  assert_near((double)lost / (0.1 * n / 5), 1, 0.15);
  close_world(&w);
}

static void test_dgps(void** state) {
  (void)state;
  World w = open_world(AT "<sensor type='gnss' z='2' period='0.01' corrections='dgps'/></world>");
  run(&w, 1);
  assert_int_equal(count(&w, FIX), DGPS);
  assert_near(real(&w, DEVIATION)[0], 0.4, 1e-9);
  close_world(&w);
}

// ---- what hides satellites ----

static int in_view(double time, double height, rutVec3 direction[RUT_SATELLITES]) {
  const rutTangentPlane plane = rut_tangent_plane((rutGeodetic){48.7 * DEGREE, 9.1 * DEGREE, 300});
  rutVec3 all[RUT_SATELLITES];
  int n = 0;
  rut_satellites(time, all);
  for (int i = 0; i < RUT_SATELLITES; i++) {
    const rutVec3 to = rut_vec3_sub(rut_enu_of_ecef(&plane, all[i]), rut_vec3(0, 0, height));
    const rutVec3 d = rut_vec3_unit(to);
    if (d.z > sin(10 * DEGREE)) direction[n++] = d;
  }
  return n;
}

// A long wall 10 m to the east, or in a world that is turned to the north, 15 m above the antenna,
// hides what stands lower than it: z/x < 1.5.
static void check_wall(bool turned) {
  int fewer = 0;
  for (int hour = 0; hour < 12; hour++) {
    World w = open_world(
        "<world timestep='0.01'><georeference latitude='48.7 deg' longitude='9.1 deg' height='300' "
        "rotation='%d deg'/>"
        "<block name='wall' fixed='true' shape='box' size='2 10000 40' position='11 0' "
        "z_max='17'/><sensor type='gnss' z='2' period='0.01' constellation_time='%d'/></world>",
        turned ? 90 : 0, hour * 3600);
    run(&w, 1);
    rutVec3 all[RUT_SATELLITES], seen[RUT_SATELLITES];
    const int n = in_view(hour * 3600 + 0.01, 2, all);
    int left = 0;
    for (int i = 0; i < n; i++) {
      const double towards = turned ? all[i].y : all[i].x;
      if (towards <= 0 || all[i].z > 1.5 * towards) seen[left++] = all[i];
    }
    rutDilution open, rest;
    assert_int_equal(count(&w, USED), left);
    rut_dilution(n, all, &open);
    const bool possible = rut_dilution(left, seen, &rest);
    if (possible && count(&w, FIX) == SINGLE) {
      assert_near(real(&w, DEVIATION)[0], 1.5 * rest.x / open.x, 1e-9);
      assert_near(*real(&w, VDOP), rest.z, 1e-9);
    } else {
      assert_true(!possible || rest.x + rest.y + rest.z > 25);
      assert_near(*real(&w, VDOP), 0, 0);
    }
    fewer += left < n;
    close_world(&w);
  }
  assert_true(fewer >= 10);
}

static void test_wall(void** state) {
  (void)state;
  check_wall(false);
  check_wall(true);
}

// Errors of the velocity under a free sky: 3 sigma of the standard deviation of 3 x 3000 numbers.
static void test_velocity_noise(void** state) {
  (void)state;
  enum { N = 3000 };
  World w =
      open_world(AT "<sensor type='gnss' z='2' period='0.01' velocity_noise='0.05'/></world>");
  double squares = 0;
  for (int i = 0; i < N; i++) {
    run(&w, 1);
    for (int k = 0; k < 3; k++) squares += real(&w, VELOCITY)[k] * real(&w, VELOCITY)[k];
  }
  assert_near(sqrt(squares / (3 * N)), 0.05, 0.05 * 3 / sqrt(2.0 * 3 * N));
  close_world(&w);
}

// In a pit without a view, and in a region without reception, there is no fix: the last one stays.
static void test_no_reception(void** state) {
  (void)state;
  World w = open_world(
      AT
      "<vehicle name='r' velocity='2 0'>"
      "<chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"
      "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
      "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
      "<tyre type='coulomb'/><drive type='direct'/><controller type='twist_ideal' speed='2'/>"
      "<sensor type='gnss' z='1' period='0.01'" EXACT
      "/></vehicle>"
      "<region x_min='1' x_max='3' y_min='-9' y_max='9' no_gps='true'/></world>");
  run(&w, 40);
  assert_int_equal(count(&w, FIX), SINGLE);
  run(&w, 60);
  assert_int_equal(count(&w, FIX), NONE);
  assert_int_equal(count(&w, USED), 0);
  assert_near(real(&w, POSITION)[0], 1, 0.03);
  assert_near(real(&w, DEVIATION)[0], 0, 0);
  run(&w, 70);
  assert_int_equal(count(&w, FIX), SINGLE);
  assert_near(real(&w, POSITION)[0], rut_vehicle_state(w.model, w.data, 0).position[0], 1e-9);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_place),
                                     cmocka_unit_test(test_georeference),
                                     cmocka_unit_test(test_solved_without_errors),
                                     cmocka_unit_test(test_gauss_markov),
                                     cmocka_unit_test(test_white),
                                     cmocka_unit_test(test_solved_errors),
                                     cmocka_unit_test(test_rtk),
                                     cmocka_unit_test(test_dgps),
                                     cmocka_unit_test(test_wall),
                                     cmocka_unit_test(test_velocity_noise),
                                     cmocka_unit_test(test_no_reception)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
