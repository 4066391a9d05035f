// SPDX-License-Identifier: BSD-3-Clause
//
// Ratings by cone index and laws of pull against numbers that were worked out by hand from the
// published formulas.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/mobility.h"

static const double POUND = 4.4482216152605, INCH = 0.0254, PSI = 6894.757293168361;
static const double DEGREE = 57.295779513082323;

// A vehicle of two driven axles with two tyres each.
static rutMobilityVehicle vehicle_of(double weight, double width, double diameter, double clearance,
                                     double flattened) {
  const rutMobilityAxle axle = {{weight / 4, diameter, width, 0.26, flattened * 0.26}, 2, true};
  return (rutMobilityVehicle){.axles = 2, .axle = {axle, axle}, .clearance = clearance};
}

// Of 13450 lb on 12.5/37 in with 17.4 in of clearance: MI = 14.541 x 1.2719/0.225 + 3.3625 - 1.74
// (the public example of Ciobotaru 2009: 191.6 and 435.8 kPa).
static void test_heavy(void** state) {
  (void)state;
  const rutMobilityVehicle v = vehicle_of(13450 * POUND, 12.5 * INCH, 37 * INCH, 17.4 * INCH, 0.15);
  assert_near(rut_mobility_weight(&v), 13450 * POUND, 1e-6);
  assert_near(rut_mobility_index(&v), 83.820, 1e-3);
  assert_near(rut_vci1(&v) / PSI, 27.796, 1e-3);
  assert_near(rut_vci50(&v) / PSI, 63.214, 1e-3);
  assert_near(rut_vci1(&v), 191.6e3, 0.1e3);
  assert_near(rut_vci50(&v), 435.8e3, 0.1e3);
}

// The index of 7700 and of 5929.5 lb on tyres of 36 and 37 in, and what deflection does to VCI.
static void test_light(void** state) {
  (void)state;
  const struct {
    double weight, diameter, clearance, index, flattened[3], vci1[3], vci50[3];
  } row[] = {
      {7700, 36, 16.3, 45.052, {.15, .25, .35}, {19.69, 17.33, 15.93}, {45.70, 40.22, 36.98}},
      {5929.5, 37, 16.3, 32.555, {.15, .25, .35}, {16.91, 14.88, 13.68}, {39.68, 34.92, 32.10}}};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 3; i++) {
      const rutMobilityVehicle v =
          vehicle_of(row[k].weight * POUND, 12.5 * INCH, row[k].diameter * INCH,
                     row[k].clearance * INCH, row[k].flattened[i]);
      assert_near(rut_mobility_index(&v), row[k].index, 2e-3);
      assert_near(rut_vci1(&v) / PSI, row[k].vci1[i], 6e-3);
      assert_near(rut_vci50(&v) / PSI, row[k].vci50[i], 6e-3);
    }
  }
  // each factor of the index by itself: 5 % each for engine and gearbox, 5 % less for chains
  rutMobilityVehicle v = vehicle_of(7700 * POUND, 12.5 * INCH, 36 * INCH, 16.3 * INCH, 0.15);
  v.low_power = v.manual = true;
  assert_near(rut_mobility_index(&v), 45.052 * 1.05 * 1.05, 3e-3);
  v = vehicle_of(7700 * POUND, 12.5 * INCH, 36 * INCH, 16.3 * INCH, 0.15);
  v.chains = true;
  const double rest = 1.925 - 1.63;  // 3.85 kips an axle over 2, 16.3 in over 10
  assert_near(rut_mobility_index(&v), (45.052 - rest) / 1.05 + rest, 3e-3);
}

// 2688.7 kg on tyres 0.3175 x 0.94 m.
static rutMobilityVehicle hv(double flattened) {
  return vehicle_of(2688.7 * 9.81, 0.3175, 0.94, 16.3 * INCH, flattened);
}

static void test_pressure(void** state) {
  (void)state;
  const double row[][2] = {{.1, 216.7e3}, {.15, 176.9e3}, {.2, 153.2e3}, {.3, 125.1e3}};
  for (int i = 0; i < 4; i++) {
    const rutMobilityVehicle v = hv(row[i][0]);
    assert_near(rut_mmp(&v), row[i][1], 60);
  }
  rutMobilityVehicle v = hv(0.15);
  v.axle[1].driven = false;
  assert_true(isnan(rut_mmp(&v)));
}

// Two numerics of one name, whose ratio is 3.33 at a deflection of 0.115 h and 2.89 at 0.25 h.
static void test_numerics(void** state) {
  (void)state;
  rutMobilityTyre t = {6500, 0.94, 0.3175, 0.2604, 0.115 * 0.2604};
  assert_near(rut_wheel_numeric(&t, 200e3), 9.183, 1e-3);
  assert_near(rut_wheel_numeric(&t, 600e3), 27.549, 1e-3);
  assert_near(rut_clay_numeric_drove(&t, 3e5) / rut_clay_numeric(&t, 3e5), 3.328, 4e-3);
  t.deflection = 0.25 * t.section_height;
  assert_near(rut_clay_numeric_drove(&t, 3e5) / rut_clay_numeric(&t, 3e5), 2.89, 5e-3);
  // (CI/3.47 in) (b d)^1.5/W delta/h
  assert_near(rut_sand_numeric(&t, 3e5), 3e5 / 0.088138 * pow(0.3175 * 0.94, 1.5) / 6500 * 0.25,
              1e-3);
}

// Excess of the rating cone index [psi], pull and resistance over weight of the NATO model.
static void test_nrmm(void** state) {
  (void)state;
  static const double row[][3] = {{0, 0, .4},         {5, .2498, .2457},  {10, .4091, .1848},
                                  {20, .5436, .1321}, {50, .6254, .0858}, {100, .6493, .0667}};
  const rutMobilityVehicle v = hv(0.15);
  const int law = rut_mobility_law_find("nrmm");
  for (int i = 0; i < 6; i++) {
    const double rci = rut_vci1(&v) + row[i][0] * PSI + 1e-6;
    assert_near(rut_mobility_pull(law, &v, rci, 0.2), row[i][1], 6e-5);
    assert_near(rut_mobility_resistance(law, &v, rci), row[i][2], 6e-5);
  }
  // 2688.7 kg at RCI 200 kPa
  assert_near(rut_mobility_pull(law, &v, 200e3, 0.2), 0.452, 1e-3);
  // less than VCI1: no go
  assert_true(isnan(rut_mobility_pull(law, &v, rut_vci1(&v) - PSI, 0.2)));
  assert_true(isnan(rut_mobility_resistance(law, &v, rut_vci1(&v) - PSI)));
  // a light vehicle, below 4 psi, where 0.5443 - sqrt(0.5443^2) = 0
  const rutMobilityVehicle light = vehicle_of(1000 * POUND, 12.5 * INCH, 37 * INCH, 0.4, 0.15);
  assert_near(rut_mobility_pull(law, &light, rut_vci1(&light) + 1e-6, 0.2), 0, 1e-6);
  assert_near(rut_mobility_resistance(law, &light, rut_vci1(&light) + 1e-6), .035 + .861 / 3.249,
              1e-6);
  const double a = .5443 + .463;  // at 10 psi
  assert_near(rut_mobility_pull(law, &light, rut_vci1(&light) + 10 * PSI, 0.2),
              a - sqrt(a * a - .702), 1e-6);
}

// A wheel of 6500 N, 0.94 x 0.3175 m, delta/h 0.115, at 20 % slip.
static void test_wheels(void** state) {
  (void)state;
  const rutMobilityAxle axle = {{6500, 0.94, 0.3175, 0.2604, 0.115 * 0.2604}, 2, true};
  rutMobilityVehicle v = {.axles = 2, .axle = {axle, axle}};
  const int wismer = rut_mobility_law_find("wismer_luth");
  assert_near(rut_mobility_pull(wismer, &v, 200e3, .2), .147, 6e-4);
  assert_near(rut_mobility_pull(wismer, &v, 300e3, .2), .295, 6e-4);
  assert_near(rut_mobility_pull(wismer, &v, 600e3, .2), .523, 6e-4);
  const int clay = rut_mobility_law_find("wes_clay");
  assert_near(rut_mobility_resistance(clay, &v, 300e3), .174, 6e-4);
  assert_near(rut_mobility_resistance(clay, &v, 600e3), .076, 6e-4);
  assert_true(isnan(rut_mobility_resistance(clay, &v, 200e3)));
  // pairs of the clay curve: N_c is proportional to the cone index
  const double per = rut_clay_numeric(&axle.tyre, 1);
  assert_near(rut_mobility_pull(clay, &v, 6 / per, .2), .25, 1e-9);
  assert_near(rut_mobility_pull(clay, &v, 10 / per, .2), .5, 1e-9);
  assert_near(rut_mobility_pull(clay, &v, 8 / per, .2), .375, 1e-9);
  assert_true(isnan(rut_mobility_pull(clay, &v, 3 / per, .2)));
  assert_true(isnan(rut_mobility_pull(clay, &v, 8 / per, .3)));
  // the sand curve, within the bands in which it is known
  const int sand = rut_mobility_law_find("wes_sand");
  static const double band[][4] = {
      {10, .05, .20, .202}, {20, .25, .36, .340}, {50, .38, .47, .446}, {100, .45, .50, .487}};
  const double per_sand = rut_sand_numeric(&axle.tyre, 1);
  for (int i = 0; i < 4; i++) {
    const double pull = rut_mobility_pull(sand, &v, band[i][0] / per_sand, .2);
    assert_near(pull, band[i][3], 1e-3);
    assert_true(pull > band[i][1] - 0.003 && pull < band[i][2] + 0.003);
  }
  assert_true(isnan(rut_mobility_resistance(sand, &v, 3e5)));
  // an axle that is not driven is towed
  v.axle[1].driven = false;
  const double towed = 1.2 / rut_wheel_numeric(&axle.tyre, 3e5) + .04;
  assert_near(rut_mobility_pull(wismer, &v, 300e3, .2), .5 * (.295 - towed), 6e-4);
  assert_near(rut_mobility_resistance(wismer, &v, 300e3), towed, 1e-12);
}

static void test_slopes_and_names(void** state) {
  (void)state;
  static const double row[][2] = {{.1, 5.71}, {.2, 11.31}, {.3, 16.70}, {.4, 21.80}, {.5, 26.57}};
  for (int i = 0; i < 5; i++) {
    assert_near(rut_mobility_slope(row[i][0]) * DEGREE, row[i][1], 6e-3);
  }
  assert_near(rut_mobility_slope(-.1), 0, 0);
  const rutMobilityVehicle v = hv(0.15);
  for (int i = 0; i < rut_mobility_laws(); i++) {
    assert_int_equal(rut_mobility_law_find(rut_mobility_law(i).name), i);
    assert_true(rut_mobility_law(i).source[0] != '\0');
  }
  assert_int_equal(rut_mobility_law_find("no such law"), -1);
  assert_true(isnan(rut_mobility_pull(-1, &v, 3e5, .2)));
  assert_true(isnan(rut_mobility_resistance(99, &v, 3e5)));
  assert_string_equal(rut_mobility_law(99).name, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_heavy),
      cmocka_unit_test(test_light),
      cmocka_unit_test(test_pressure),
      cmocka_unit_test(test_numerics),
      cmocka_unit_test(test_nrmm),
      cmocka_unit_test(test_wheels),
      cmocka_unit_test(test_slopes_and_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
