// SPDX-License-Identifier: BSD-3-Clause
//
// Deformable soil that wheels have pressed before: passes, springing back, and a wheel's own
// print.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "bekker_fixture.h"

// Passes of a towed, rigid wheel of a HMMWV in its own rut, without shear: sinkage and resistance
// over load from the pressures on the arcs in front and behind, integrated for the digest of ground
// models (section 1), at two stiffnesses of unloading.
static void test_towed_passes(void** state) {
  static const struct {
    const char* soil;
    double rebound;
    double mm[4], resistance[4];
  } rows[] = {{"dry_sand", 20e6, {79.3, 96.8, 106.7, 113.3}, {.163, .084, .056, .041}},
              {"dry_sand", 200e6, {87.2, 110.1, 125.0, 136.3}, {.211, .133, .105, .089}},
              {"lete_sand", 20e6, {11.1, 12.0, 12.2, 12.3}, {.017, .003, .001, .000}},
              {"lete_sand", 200e6, {14.7, 19.0, 21.6, 23.4}, {.075, .043, .031, .024}},
              {"upland_sandy_loam", 20e6, {59.5, 71.8, 78.5, 82.6}, {.131, .063, .039, .027}},
              {"upland_sandy_loam", 200e6, {66.5, 83.7, 94.9, 103.2}, {.180, .113, .088, .073}},
              {"clayey_soil_38", 20e6, {26.3, 34.6, 39.6, 43.0}, {.085, .046, .031, .022}},
              {"clayey_soil_38", 200e6, {33.1, 47.3, 57.7, 66.1}, {.142, .101, .085, .074}}};
  (void)state;
  for (int c = 0; c < RUT_COUNT_OF(rows); c++) {
    Soil soil = preset(rows[c].soil);
    set(&soil, "quadrature", EXACT);
    set(&soil, "plate", WIDTH);
    set(&soil, "friction_angle", 0);
    set(&soil, "cohesion", 0);
    set(&soil, "peak_angle", 0);
    set(&soil, "peak_angle_slip", 0);
    set(&soil, "rebound_stiffness", rows[c].rebound);
    set(&soil, "rebound_gradient", 0);
    set(&soil, "largest_rebound", 1);
    set(&soil, "rubber_share", 0);
    rutSoilWheel wheel = on_tyre(truck, RIGID);
    for (int pass = 0; pass < 4; pass++) {
      const Steady p = rig(&soil, wheel, 0, 0);
      // as rounded there, and within the error of its quadrature
      assert_near(p.sinkage * 1e3, rows[c].mm[pass], 0.05 + 1e-3 * rows[c].mm[pass]);
      assert_near(p.resistance, rows[c].resistance[pass], 0.0005 + 0.01 * rows[c].resistance[pass]);
      wheel.pressed = p.pressed;
    }
  }
}

// Soil without strength that is pressed below its line only springs: the contact is even, and
// nothing resists. Its line begins where the surface was left.
static void test_springing(void** state) {
  Soil soil = bare(1, 1e6);
  (void)state;
  set(&soil, "exit_ratio", 0.3);
  set(&soil, "peak_angle", 0.2);
  const double z_u = 0.04, b = 0.2, r = 0.3;
  Wheel w = {.direction = 1, .radius = r, .width = b, .k = 1e14, .pressed = z_u};
  for (int i = 0; i < 5; i++) {
    const double h = 0.0285 + 0.0025 * i, p = h - 0.7 * z_u, f = acos(1 - p / r);
    const Sunk s = sink_linear(&soil, (w.depth = w.sinkage = h, w));
    // slope k/0.3, both sides of the closed form of the load at n = 1
    assert_close(s.load, 2 * (b * 1e6 / 0.3 * r * r / 2) * (f - sin(f) * cos(f)), 1e-6, 0);
    assert_near(s.resistance, 0, 1e-12);
    assert_near(s.rut, 0.7 * z_u, 1e-15);
    assert_near(s.pressed, z_u, 0);
  }
  const Sunk off = sink_linear(&soil, (w.depth = w.sinkage = 0.027, w));
  assert_near(off.load, 0, 0);
  assert_near(off.rut, 0.7 * z_u, 1e-15);
}

// A wheel that stands is unloaded along the soil's line, to nothing where the soil has sprung back,
// and loaded again along it; further down the virgin curve goes on.
static void test_footprint(void** state) {
  Soil soil = reference("dry_sand", EXACT);
  (void)state;
  set(&soil, "exit_ratio", 0.1);
  Wheel w = {.radius = 0.47, .width = 0.3175, .k = 1e14};
  const double deepest = 0.05;
  const double whole = sink_linear(&soil, (w.depth = w.sinkage = deepest, w)).load;
  w.footprint = deepest;
  for (int i = 0; i <= 10; i++) {
    const double h = deepest * (1 - 0.1 * i / 10.0);
    const Sunk s = sink_linear(&soil, (w.depth = w.sinkage = h, w));
    assert_close(s.load, whole * (1 - i / 10.0), 1e-6, 1);
    assert_near(s.pressed, deepest, 1e-15);
    assert_near(s.footprint, deepest, 1e-15);
    assert_near(s.rut, 0.9 * deepest, 1e-15);
  }
  const double below = sink_linear(&soil, (w.depth = w.sinkage = 0.06, w)).load;
  w.footprint = 0;
  assert_close(below, sink_linear(&soil, w).load, 1e-12, 0);
}

// A rigid wheel that has rolled one step further, at a depth that is prescribed.
static Sunk roll(const Soil* soil, Wheel* w, double depth, double distance) {
  const Sunk s =
      sink(soil, (w->depth = w->sinkage = depth, w->distance = distance, w->load = 0, *w));
  w->footprint = s.footprint;
  w->resistance = s.resistance;
  return s;
}

// A wheel that rises all along by the slope u keeps 1 - u N/R of its load; one that sinks, all. Its
// rise is slow against the millimetres in which its print fades.
static void test_rising(void** state) {
  static const double slopes[] = {-0.1, -0.01, 0.01, 0.03, 0.06};
  Soil soil = bare(1, 1e6);
  (void)state;
  set(&soil, "exit_ratio", 0.01);
  for (int c = 0; c < 5; c++) {
    Wheel w = {.direction = 1, .radius = 0.47, .width = 0.3175, .k = 1e14};
    const double start = slopes[c] < 0 ? 0.01 : 0.08, step = 2e-4, u = slopes[c];
    for (int i = 0; i < 2500; i++) {
      const double z = start - u * step * i;
      const Sunk s = roll(&soil, &w, z, step), flat = sink_linear(&soil, (Wheel){.direction = 1,
                                                                                 .radius = 0.47,
                                                                                 .width = 0.3175,
                                                                                 .k = 1e14,
                                                                                 .depth = z,
                                                                                 .sinkage = z});
      const double kept = u > 0 ? 1 - u / flat.resistance : 1;
      if (i > 300) assert_near(s.load / flat.load, kept, u > 0 ? 0.01 : 1e-9);
    }
  }
}

// Over any ups and downs soil takes work, from the wheel's descent and from its way; at most what
// it has as a spring, load times rebound, it gives back.
static void test_passive(void** state) {
  double least = 1;
  (void)state;
  const char* sanitize = getenv("RUT_SANITIZE");
  const int draws = sanitize && *sanitize ? 10 : 100;
  for (int c = 0; c < draws; c++) {
    Soil soil = draw_soil();
    set(&soil, "friction_angle", 0);
    set(&soil, "cohesion", 0);
    Soil user = bare(uniform(0.5, 1.5), pow(10, uniform(5, 7)));
    if (c % 2) soil = user;
    set(&soil, "rebound", RATIO);
    set(&soil, "exit_ratio", 0.02);
    set(&soil, "damping", 0);
    set(&soil, "plate", WIDTH);
    Wheel w = {.direction = 1, .radius = 0.47, .width = 0.3175, .k = 1e14};
    const double mean = uniform(0.02, 0.1), swing = mean * uniform(0.1, 1.5);
    const double often = pow(10, uniform(-1, 2)), distance = pow(10, uniform(-5, -2));
    double work = 0, through = 0, before = 0, last = 0;
    for (int i = 0; i < 3000; i++) {
      const double z = mean + swing * sin(often * 1e-3 * i);
      const Sunk s = roll(&soil, &w, fmax(z, 0), distance);
      const double pressed = 0.5 * (s.load + last) * (z - before);
      const double compacted = s.load * s.resistance * distance;
      if (i > 0) work += pressed + compacted, through += fabs(pressed) + compacted;
      before = z;
      last = s.load;
    }
    if (!(work >= -0.02 * through)) fail_msg("draw %d: %g of %g J come back", c, -work, through);
    least = fmin(least, work / through);
  }
  print_message("soil keeps at least %.3f of what goes through it\n", least);
}

// After n passes with the slip s cohesion and weight are (1 + (1 - e^(-s/k_1)) k_2 + k_3 n) times
// those of fresh soil, and nothing else changes: the factors are computed by hand from the numbers
// of the digest of ground models for dry sand, k_1 .1178, k_2 .1672, k_3 .0348.
static void test_passes_make_soil_firmer(void** state) {
  static const struct {
    double passes, slip, factor;
  } rows[] = {{0, 0, 1}, {1, 0, 1.0348}, {1, 0.2, 1.171388}, {2, 0.5, 1.234402}, {3, 1, 1.271566}};
  (void)state;
  for (int reece = 0; reece < 2; reece++) {
    for (int c = 0; c < RUT_COUNT_OF(rows); c++) {
      Soil soil = preset(reece ? "mars_soft" : "clayey_soil_38");
      const double cohesion = reece ? 0.6e3 : 4.14e3, weight = reece ? 5750 : 17e3;
      set(&soil, "bulldozing", 3);
      Soil firmer = soil;
      set(&soil, "pass_slip", 0.1178);
      set(&soil, "pass_slip_gain", 0.1672);
      set(&soil, "pass_gain", 0.0348);
      set(&firmer, "cohesion", cohesion * rows[c].factor);
      set(&firmer, "unit_weight", weight * rows[c].factor);
      Wheel w = {.slip_x = 0.2,
                 .slip_y = 0.1,
                 .direction = 1,
                 .radius = 0.47,
                 .width = 0.3175,
                 .depth = 0.06,
                 .sinkage = 0.05,
                 .k = RIGID};
      const Sunk expect = sink_linear(&firmer, w);
      w.passes = rows[c].passes;
      w.pass_slip = rows[c].slip;
      const Sunk found = sink_linear(&soil, w);
      const double *a = (const double*)&expect, *b = (const double*)&found;
      for (int i = 0; i < OUTPUTS; i++) assert_near(b[i], a[i], 2e-6 * fabs(a[i]) + 1e-12);
      // without the numbers passes change nothing
      w.pass_slip = 0;
      Soil plain = preset(reece ? "mars_soft" : "clayey_soil_38");
      const Sunk other = sink_linear(&plain, w);
      w.passes = 0;
      const Sunk same = sink_linear(&plain, w);
      assert_memory_equal(&other, &same, sizeof same);
    }
  }
  assert_true(rut_soil_bekker.counts_passes != NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_towed_passes), cmocka_unit_test(test_springing),
      cmocka_unit_test(test_footprint),    cmocka_unit_test(test_rising),
      cmocka_unit_test(test_passive),      cmocka_unit_test(test_passes_make_soil_firmer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
