// SPDX-License-Identifier: BSD-3-Clause
//
// Soils whose pressure is no power of the sinkage: snow over a hard layer, muskeg with a mat, thaw
// over frost.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "bekker_fixture.h"

enum { POWER, LIMITED, MAT, FROZEN };
static const double WIDTH_OF_WHEEL = 0.3175;

// Without strength or rebound, largest pressure at the lowest point.
static Soil curved(int curve) {
  Soil soil = bare(1, 1e6);
  set(&soil, "curve", curve);
  set(&soil, "exit_ratio", 0);
  return soil;
}

// A rigid wheel that rolls at a sinkage.
static Sunk roll_at(const Soil* soil, double radius, double z) {
  return sink_linear(soil, (Wheel){.direction = 1,
                                   .radius = radius,
                                   .width = WIDTH_OF_WHEEL,
                                   .k = RIGID,
                                   .depth = z,
                                   .sinkage = z});
}

// Pressure at a sinkage: the compaction resistance of a rigid wheel is b INT p dz, so that its
// change with z is b p.
static double pressure_at(const Soil* soil, double radius, double z) {
  const double step = 1e-3 * z;
  const Sunk low = roll_at(soil, radius, z - step), high = roll_at(soil, radius, z + step);
  return (high.load * high.resistance - low.load * low.resistance) / (2 * step * WIDTH_OF_WHEEL);
}

// INT p cos(th) R dth over the front, on the curve itself.
static double load_on(double (*p)(double), double radius, double z) {
  enum { N = 20000 };
  const double entry = acos(1 - z / radius);
  double sum = 0;
  for (int i = 0; i < N; i++) {
    const double a = entry * (i + 0.5) / N;
    sum += p(radius * (cos(a) - cos(entry))) * cos(a);
  }
  return WIDTH_OF_WHEEL * radius * sum * entry / N;
}

static double greenland(double z) { return -21.6e3 * log(1 - z / 0.54); }

// Snow of Greenland, z_m .54 m, k_m 40 kPa/m: pressures of the digest of ground models, and its
// inverse, p 50 kPa at 0.4867 m (u = 1 - e^(-50/21.6)). Loads as the integral along the rim.
static void test_snow_over_a_hard_layer(void** state) {
  static const double rows[][2] = {{0.1, 4.42e3}, {0.3, 17.52e3}, {0.5, 56.22e3}, {0.4867, 50e3}};
  (void)state;
  const Soil soil = curved(LIMITED);
  for (int c = 0; c < 4; c++) {
    assert_near(pressure_at(&soil, 2, rows[c][0]), rows[c][1], 2e-3 * rows[c][1]);
    const Sunk s = roll_at(&soil, 2, rows[c][0]);
    const double load = load_on(greenland, 2, rows[c][0]);
    print_message("at %.3f m %.1f N, on the curve %.1f N\n", rows[c][0], s.load, load);
    // near the limit a power is a coarser stand-in for the curve
    assert_near(s.load, load, (rows[c][0] < 0.4 ? 0.01 : 0.05) * load);
  }
  // it carries anything before its limit
  assert_true(roll_at(&soil, 2, 0.545).load > 2 * roll_at(&soil, 2, 0.53).load);
}

// The second layer takes over with the pressure of the first, and has a limit of its own.
static void test_two_layers(void** state) {
  (void)state;
  Soil soil = curved(LIMITED);
  set(&soil, "layer_depth", 0.2);
  set(&soil, "second_depth", 0.3);
  set(&soil, "second_stiffness", 400e3);
  const double top = 40e3 * 0.2 * log(100), first = 0.198;
  static const double below[] = {0.05, 0.1, 0.2};
  for (int i = 0; i < 3; i++) {
    const double p = top - 400e3 * 0.3 * log(1 - below[i] / 0.3);
    assert_near(pressure_at(&soil, 2, first + below[i]), p, 3e-3 * p);
  }
  assert_near(pressure_at(&soil, 2, 0.1), 40e3 * 0.2 * log(2), 30);
}

static double petawawa(double z) {
  const double chord = sqrt(z * (4 - z)), across = 2 * WIDTH_OF_WHEEL * chord;
  return z * (290e3 + 4 * 51e3 * z * (WIDTH_OF_WHEEL + chord) / across);
}

// Muskeg of Petawawa A, k_p 290 kN/m3, m_m 51 kN/m3: a contact of .3175 m x .35 m has D_h .333 m
// and 16.0, 35.1, 82.5 kPa at 5, 10, 20 cm (digest). The wheel here is such that its contact is .35
// m long.
static void test_muskeg(void** state) {
  static const double rows[][2] = {{0.05, 16.0e3}, {0.1, 35.1e3}, {0.2, 82.5e3}};
  (void)state;
  const Soil soil = curved(MAT);
  for (int c = 0; c < 3; c++) {
    const double z = rows[c][0], radius = (0.35 * 0.35 / z + z) / 2;
    // a wheel's law has the curve's work per area at the deepest place: INT p dz of a D_h
    const Sunk s = roll_at(&soil, radius, z);
    const double p = rows[c][1], share = 290e3 * z / p,
                 work = p * z * (share / 2 + (1 - share) / 3);
    assert_near(s.load * s.resistance / WIDTH_OF_WHEEL, work, 3e-3 * work);
  }
  const double load = load_on(petawawa, 2, 0.1);
  assert_near(roll_at(&soil, 2, 0.1).load, load, 0.03 * load);
}

// The mat breaks at its pressure: then k_p alone carries, and goes on to where the mat was pressed
// before, though the pressure is less now.
static void test_mat_breaks_for_good(void** state) {
  (void)state;
  Soil soil = curved(MAT), peat = curved(MAT);
  set(&soil, "mat_limit", 30e3);
  set(&peat, "mat_strength", 0);
  const Soil whole = curved(MAT);
  const double shallow = 0.06, deep = 0.12;
  assert_near(roll_at(&soil, 1, shallow).load, roll_at(&whole, 1, shallow).load, 1e-9);
  assert_near(roll_at(&soil, 1, deep).load, roll_at(&peat, 1, deep).load, 1e-9);
  Wheel again = {.direction = 1,
                 .radius = 1,
                 .width = WIDTH_OF_WHEEL,
                 .k = RIGID,
                 .depth = 0.12,
                 .sinkage = 0.12,
                 .pressed = deep};
  assert_near(sink_linear(&soil, again).load, sink_linear(&peat, again).load, 1e-9);
  assert_true(sink_linear(&soil, again).load < 0.9 * sink_linear(&whole, again).load);
}

// Bekker's curve down to the frost, and hardly further: a load that Bekker's soil would carry at
// 0.2 m.
static void test_thaw_over_frost(void** state) {
  (void)state;
  Soil soil = curved(FROZEN), thaw = curved(POWER);
  set(&soil, "frost_depth", 0.1);
  const double shallow = roll_at(&thaw, 0.47, 0.08).load;
  assert_near(roll_at(&soil, 0.47, 0.08).load, shallow, 2e-3 * shallow);
  const double heavy = roll_at(&thaw, 0.47, 0.2).load;
  double low = 0.05, high = 0.2;
  for (int i = 0; i < 40; i++) {
    const double z = 0.5 * (low + high);
    if (roll_at(&soil, 0.47, z).load < heavy)
      low = z;
    else
      high = z;
  }
  print_message("%.0f N at %.4f m over frost at 0.1 m, 0.2 m without\n", heavy, low);
  assert_true(low > 0.1 && low < 0.107);
}

// Soil takes work at any ups and downs, and gives back no more than its spring.
static void test_passive(void** state) {
  (void)state;
  for (int curve = LIMITED; curve <= FROZEN; curve++) {
    Soil soil = curved(curve);
    set(&soil, "rebound", STIFFNESS);
    set(&soil, "largest_rebound", 0.1);
    set(&soil, "quadrature", FAST);
    Wheel w = {
        .direction = 1, .radius = 0.6, .width = WIDTH_OF_WHEEL, .k = RIGID, .distance = 1e-3};
    double work = 0, through = 0, before = 0, last = 0;
    for (int i = 0; i < 4000; i++) {
      const double z = 0.08 + 0.04 * sin(0.02 * i);
      w.depth = w.sinkage = z;
      w.load = 0;
      const Sunk s = sink(&soil, w);
      assert_true(isfinite(s.load) && isfinite(s.stiffness) && s.stiffness >= 0);
      w.footprint = s.footprint;
      w.resistance = s.resistance;
      const double down = 0.5 * (s.load + last) * (z - before);
      const double rolls = s.load * s.resistance * w.distance;
      if (i > 0) work += down + rolls, through += fabs(down) + rolls;
      before = z;
      last = s.load;
    }
    assert_true(work > -0.02 * through);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_snow_over_a_hard_layer),
                                     cmocka_unit_test(test_two_layers),
                                     cmocka_unit_test(test_muskeg),
                                     cmocka_unit_test(test_mat_breaks_for_good),
                                     cmocka_unit_test(test_thaw_over_frost),
                                     cmocka_unit_test(test_passive)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
