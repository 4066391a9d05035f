// SPDX-License-Identifier: BSD-3-Clause
//
// Absorbed power and ISO 2631-1 against numbers of the continuous filters that were worked out
// elsewhere (complex arithmetic on the published transfer functions), and closed forms of sines.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/ride.h"

static const double PI = 3.14159265358979323846;

// Power per (m/s2)^2 root mean square, [Hz, W].
static const double power[][2] = {{1, .0835},  {2, .4107}, {3, 1.1821}, {4, 2.1115}, {5, 2.1090},
                                  {6, 1.5784}, {8, .8518}, {10, .5312}, {16, .2096}, {20, .1362}};
// |Wk| and |Wd|, within 1 % of the table of the standard.
static const double weight_k[][2] = {{.5, .4182}, {1, .4825},    {2, .5314},  {4, .9672},
                                     {5, 1.0388}, {6.3, 1.0544}, {8, 1.0364}, {10, .9884},
                                     {16, .7687}, {31.5, .4048}, {63, .1861}};
static const double weight_d[][2] = {{.5, .8528}, {1, 1.0110}, {2, .8902},
                                     {4, .5119},  {8, .2531},  {16, .1254}};
#define COUNT(array) (int)(sizeof(array) / sizeof(array)[0])

static void test_gains(void** state) {
  (void)state;
  for (int i = 0; i < COUNT(power); i++) {
    const double gain = rut_ride_gain(RUT_RIDE_ABSORBED_POWER, power[i][0]);
    assert_near(gain * gain, power[i][1], 6e-5);
  }
  for (int i = 0; i < COUNT(weight_k); i++) {
    assert_near(rut_ride_gain(RUT_RIDE_WK, weight_k[i][0]), weight_k[i][1], 6e-5);
  }
  for (int i = 0; i < COUNT(weight_d); i++) {
    assert_near(rut_ride_gain(RUT_RIDE_WD, weight_d[i][0]), weight_d[i][1], 6e-5);
  }
  // the largest power is at 4.464 Hz
  const double at = 4.464, most = rut_ride_gain(RUT_RIDE_ABSORBED_POWER, at);
  assert_near(most * most, 2.2427, 6e-5);
  assert_true(rut_ride_gain(RUT_RIDE_ABSORBED_POWER, at - 0.02) < most);
  assert_true(rut_ride_gain(RUT_RIDE_ABSORBED_POWER, at + 0.02) < most);
}

// Power of noise with 1 (m/s2)^2/Hz from 0.5 to 40 Hz: the integral of the squared gain.
static void test_flat_spectrum(void** state) {
  (void)state;
  const int n = 4000;
  const double from = 0.5, step = (40 - from) / n;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double gain = rut_ride_gain(RUT_RIDE_ABSORBED_POWER, from + (i + 0.5) * step);
    sum += gain * gain * step;
  }
  assert_near(sum, 14.454, 6e-4);
}

// Measures of a sine along one axis, after a run-up.
static rutRideMeasures sine(double dt, int axis, double amplitude, double frequency,
                            double duration) {
  rutRide* ride;
  assert_int_equal(rut_ride_create(dt, &ride, NULL), RUT_OK);
  const double run_up = 10 + ceil(20 / frequency);
  const long before = lround(run_up / dt), all = lround((run_up + duration) / dt);
  for (long i = 1; i <= all; i++) {
    double a[3] = {0};
    a[axis] = amplitude * sin(2 * PI * frequency * (double)i * dt);
    rut_ride_add(ride, a);
    if (i == before) rut_ride_begin(ride);
  }
  const rutRideMeasures m = rut_ride_measures(ride);
  rut_ride_destroy(ride);
  return m;
}

static void test_sine_power(void** state) {
  (void)state;
  // steps [s] and the relative tolerance of linear samples, 2 (pi f dt)^2/3, and of the transform
  assert_near(sine(1e-4, 2, 2, 5, 10).absorbed_power, 4.2180, 4.2180 * 1e-4);
  assert_near(sine(1e-4, 2, 2, 1, 10).absorbed_power, .16692, .16692 * 1e-4);
  assert_near(sine(1e-3, 2, 2, 5, 10).absorbed_power, 4.2180, 4.2180 * 1e-3);
  assert_near(sine(5e-3, 2, 2, 5, 10).absorbed_power, 4.2180, 4.2180 * 6e-3);
  for (int i = 0; i < COUNT(power); i++) {
    const double p = sine(1e-3, 2, sqrt(2), power[i][0], 10).absorbed_power;
    assert_near(p, power[i][1], 6e-5 + 4e-3 * power[i][1]);
  }
  // only the vertical one
  assert_near(sine(1e-3, 0, 2, 5, 10).absorbed_power, 0, 1e-12);
}

static void test_sine_weights(void** state) {
  (void)state;
  const double root = sqrt(0.5);
  for (int i = 0; i < COUNT(weight_k) - 1; i++) {
    const double w = weight_k[i][1], f = weight_k[i][0];
    assert_near(sine(1e-4, 2, 1, f, 10).weighted[2], root * w, 1.5e-4);
    assert_near(sine(1e-3, 2, 1, f, 10).weighted[2], root * w, 8e-3 * w);
  }
  for (int i = 0; i < COUNT(weight_d); i++) {
    for (int axis = 0; axis < 2; axis++) {
      const double w = weight_d[i][1], f = weight_d[i][0];
      assert_near(sine(1e-3, axis, 1, f, 10).weighted[axis], root * w, 4e-3 * w);
    }
  }
}

// 1 m/s2 at 5 Hz for 10 s: the dose, the running mean and the crest of a sine.
static void test_sine_measures(void** state) {
  (void)state;
  const rutRideMeasures m = sine(1e-4, 2, 1, 5, 10);
  assert_near(m.duration, 10, 1e-9);
  assert_near(m.weighted[2], .73456, 1e-4);
  assert_near(m.vdv[2], 1.44561, 1.5e-4);
  assert_near(m.vdv[2] / (m.weighted[2] * pow(10, .25)), 1.1067, 1e-4);
  assert_near(m.mtvv[2], .73456, 1.5e-4);
  assert_near(m.crest[2], sqrt(2), 2e-4);
  assert_near(m.health, .73456, 1e-4);
  const rutRideMeasures along = sine(1e-4, 0, 1, 1, 10);
  assert_near(along.health, 1.4 * along.comfort, 1e-12);
  assert_near(along.comfort, 1.0110 * sqrt(0.5), 1e-4);
}

// Shocks pass a filter of 30 Hz, at which 1/sqrt(2) is left; of 60 Hz 1/sqrt(1 + 2^8).
static void test_shock(void** state) {
  (void)state;
  assert_near(sine(1e-4, 2, 3, 3, 2).shock, 3, 3e-3);
  assert_near(sine(1e-4, 2, 3, 30, 2).shock, 3 * sqrt(0.5), 3e-3);
  assert_near(sine(1e-4, 2, 3, 60, 2).shock, 3 / sqrt(257), 3e-3);
  assert_near(sine(1e-3, 2, 3, 30, 2).shock, 3 * sqrt(0.5), 3e-2);
}

// A jolt of 0.5 s in 20 s: the running mean tells it, the mean does not.
static void test_jolt(void** state) {
  (void)state;
  rutRide* ride;
  assert_int_equal(rut_ride_create(1e-3, &ride, NULL), RUT_OK);
  double squares = 0;
  for (int i = 0; i < 20000; i++) {
    const bool on = i >= 10000 && i < 10500;
    const double a[3] = {0, 0, on ? 5 * sin(2 * PI * 6 * i * 1e-3) : 0};
    rut_ride_add(ride, a);
    squares += a[2] * a[2] * 1e-3;
  }
  const rutRideMeasures m = rut_ride_measures(ride);
  rut_ride_destroy(ride);
  // all of the jolt is within one second: its mean square over it is 20 times that over the run
  assert_near(m.mtvv[2] / m.weighted[2], sqrt(20), 0.01 * sqrt(20));
  assert_true(m.mtvv[2] / m.weighted[2] > 1.5);
  // |Wk| is 1.05 at 6 Hz, and a short jolt has energy beside it
  assert_near(m.mtvv[2], 1.05 * sqrt(squares), 0.05 * sqrt(squares));
}

static void test_arguments(void** state) {
  (void)state;
  rutRide* ride;
  rutError err = {0};
  const double bad[] = {0, -1, 2, (double)NAN, (double)INFINITY};
  for (int i = 0; i < COUNT(bad); i++) {
    assert_int_equal(rut_ride_create(bad[i], &ride, &err), RUT_ERR_ARGUMENT);
    assert_null(ride);
    assert_true(err.message[0] != '\0');
  }
  assert_int_equal(rut_ride_create(1, &ride, NULL), RUT_OK);
  assert_near(rut_ride_measures(ride).absorbed_power, 0, 0);
  rut_ride_add(ride, (const double[3]){(double)NAN, (double)INFINITY, 0});
  assert_near(rut_ride_measures(ride).health, 0, 0);
  rut_ride_destroy(ride);
  rut_ride_destroy(NULL);
  assert_near(rut_ride_gain(RUT_RIDE_WK, 0), 0, 0);
  assert_near(rut_ride_gain(RUT_RIDE_WK, -1), 0, 0);
  assert_near(rut_ride_gain(RUT_RIDE_WEIGHTS, 5), 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gains),         cmocka_unit_test(test_flat_spectrum),
      cmocka_unit_test(test_sine_power),    cmocka_unit_test(test_sine_weights),
      cmocka_unit_test(test_sine_measures), cmocka_unit_test(test_jolt),
      cmocka_unit_test(test_shock),         cmocka_unit_test(test_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
