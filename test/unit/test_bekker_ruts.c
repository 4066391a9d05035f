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

// Passes of the same wheel in its own rut: on soil that springs back as measured (LETE sand) the
// second adds next to nothing, and the resistance is all but gone; on soil that hardly does, each
// adds less and meets less resistance.
static void test_passes(void** state) {
  (void)state;
  for (int c = 0; c < 3; c++) {
    Soil soil = preset(c == 2 ? RUT_SOIL_dry_sand : RUT_SOIL_lete_sand);
    set(&soil, "quadrature", EXACT);
    rutSoilWheel wheel = on_tyre(truck, c == 1 ? RIGID : 411e3);
    double depth[6], added[6], resistance[6], pull[6];
    for (int pass = 0; pass < 6; pass++) {
      const Steady p = rig(&soil, wheel, 0.05, 0);
      assert_true(p.rut <= p.sinkage && p.rut >= 0 && p.pressed >= wheel.pressed);
      depth[pass] = p.sinkage;
      added[pass] = p.pressed - wheel.pressed;
      resistance[pass] = p.resistance;
      pull[pass] = p.drawbar;
      wheel.pressed = p.pressed;
    }
    print_message(
        "passes %d: sinkage %.4f %.4f %.4f %.4f mm, resistance %.4f %.4f %.4f %.4f, "
        "pull %.4f %.4f %.4f\n",
        c, depth[0] * 1e3, depth[1] * 1e3, depth[2] * 1e3, depth[3] * 1e3, resistance[0],
        resistance[1], resistance[2], resistance[3], pull[0], pull[1], pull[2]);
    for (int pass = 1; pass < 6; pass++) {
      assert_true(added[pass] <= added[pass - 1] &&
                  resistance[pass] <= resistance[pass - 1] + 1e-9);
      if (c < 2) assert_true(pull[pass] >= pull[pass - 1] - 1e-6);
    }
    assert_true(added[1] < (c == 2 ? 0.35 : 0.1) * depth[0]);
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
  Soil soil = reference(RUT_SOIL_dry_sand, EXACT);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_passes),    cmocka_unit_test(test_springing),
      cmocka_unit_test(test_footprint), cmocka_unit_test(test_rising),
      cmocka_unit_test(test_passive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
