// SPDX-License-Identifier: BSD-3-Clause
//
// What holds for any deformable soil and any wheel on it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_near.h"
#include "bekker_fixture.h"
#include "repetitions.h"

static void test_anything(void** state) {
  (void)state;
  for (int i = 0; i < repetitions(4000, 400); i++) {
    const Soil soil = draw_soil();
    const Wheel w = draw_wheel();
    const Sunk s = sink(&soil, w);
    const double* number = (const double*)&s;
    for (int c = 0; c < OUTPUTS; c++) {
      if (!isfinite(number[c])) fail_msg("draw %d: output %d is %g", i, c, number[c]);
    }
    assert_true(s.load >= 0 && s.stiffness >= 0 && s.damping >= 0 && s.resistance >= 0);
    assert_true(s.secant_x >= 0 && s.secant_y >= 0 && s.normalised_slip >= 0 && s.peak >= 0 &&
                s.peak <= 3.001);
    assert_true(s.sinkage >= 0 && s.sinkage <= fmax(w.depth, 0) * (1 + 1e-12));
    assert_true(s.rut >= 0 && s.pressed >= s.rut && s.pressed >= w.pressed && s.footprint >= 0);
    assert_true(s.mu_y * w.slip_y <= 0);
    if (w.depth <= 0) assert_true(s.load == 0 && s.sinkage == 0);
  }
}

// Mirrored: left and right, and forward and backward.
static void test_mirrors(void** state) {
  (void)state;
  for (int i = 0; i < 500; i++) {
    const Soil soil = draw_soil();
    const Wheel w = draw_wheel();
    Wheel left = w, back = w;
    left.slip_y = -w.slip_y;
    back.slip_x = -w.slip_x;
    back.direction = -w.direction;
    const Sunk a = sink(&soil, w), b = sink(&soil, left), c = sink(&soil, back);
    assert_true(a.load == b.load && a.load == c.load && a.mu_x == b.mu_x && a.mu_x == -c.mu_x);
    assert_true(a.mu_y == -b.mu_y && a.mu_y == c.mu_y && a.aligning == -b.aligning);
    assert_true(a.overturning == -b.overturning && a.aligning == -c.aligning);
    assert_true(a.resistance == b.resistance && a.resistance == c.resistance);
  }
}

// The same bits alone and among others.
static void test_lanes(void** state) {
  enum { WHEELS = 11 };
  (void)state;
  for (int round = 0; round < 60; round++) {
    const Soil soil = draw_soil();
    double in[INPUTS][WHEELS], out[OUTPUTS][WHEELS];
    Wheel wheel[WHEELS];
    for (int w = 0; w < WHEELS; w++) {
      wheel[w] = draw_wheel();
      const double* number = (const double*)&wheel[w];
      for (int c = 0; c < INPUTS; c++) in[c][w] = number[c];
    }
    const rutSinkIn from = {dt,     in[0],  in[1],  in[2],  in[3],  in[4],  in[5],
                            in[6],  in[7],  in[8],  in[9],  in[10], in[11], in[12],
                            in[13], in[14], in[15], in[16], NULL,   NULL};
    const rutSinkOut to = {out[0],  out[1],  out[2],  out[3],  out[4],  out[5],
                           out[6],  out[7],  out[8],  out[9],  out[10], out[11],
                           out[12], out[13], out[14], out[15], out[16], out[17]};
    rut_soil_bekker.sink(soil.param, soil.derived, WHEELS, &from, &to);
    for (int w = 0; w < WHEELS; w++) {
      const Sunk alone = sink(&soil, wheel[w]);
      const double* number = (const double*)&alone;
      for (int c = 0; c < OUTPUTS; c++) assert_memory_equal(&number[c], &out[c][w], sizeof(double));
    }
  }
}

// The fast quadrature against the exact one: over load, 99 of 100 within 1e-3 of the load, where
// the ground gives no more than the load.
static void test_fast(void** state) {
  int n = 0, off = 0;
  double worst = 0;
  (void)state;
  for (int i = 0; i < repetitions(3000, 600); i++) {
    Soil soil = preset(any_soil());
    const double r = uniform(0.1, 0.6);
    Wheel w = {.slip_x = uniform(-0.5, 1),
               .slip_y = uniform(-0.4, 0.4),
               .direction = 1,
               .depth = r * uniform(0.01, 0.4),
               .radius = r,
               .width = r * uniform(0.3, 0.8),
               .k = pow(10, uniform(4.5, 6))};
    set(&soil, "quadrature", EXACT);
    for (int pass = 0; pass < 3; pass++) w.sinkage = sink_linear(&soil, w).sinkage;
    const Sunk exact = sink_linear(&soil, w);
    set(&soil, "quadrature", FAST);
    const Sunk fast = sink_linear(&soil, w);
    if (exact.load < 1 || exact.peak > 1) continue;
    const double error = fabs(fast.load - exact.load) / exact.load;
    const double force = fmax(fabs(fast.mu_x - exact.mu_x), fabs(fast.mu_y - exact.mu_y));
    n++;
    off += error > 1e-3;
    worst = fmax(worst, fmax(error, force));
  }
  print_message("fast against exact: %d of %d loads beyond 1e-3, worst force %.2g of the load\n",
                off, n, worst);
  assert_true(n > repetitions(1500, 300) && off * 100 <= n && worst < 0.02);
}

// What slip and compaction take from the wheel's power is never negative: with the rim's speed 1,
// T w - F_x v - F_y v_y. Per distance where it brakes.
static void test_losses(void** state) {
  (void)state;
  for (int i = 0; i < repetitions(4000, 400); i++) {
    Soil soil = draw_soil();
    Wheel w = draw_wheel();
    w.slip_x = uniform(-1, 1);
    w.direction = 1;
    w.footprint = 0;
    const Sunk s = sink(&soil, w);
    const double rim = w.slip_x < 0 ? 1 + w.slip_x : 1, hub = w.slip_x < 0 ? 1 : 1 - w.slip_x;
    const double loss = s.mu_x * rim - (s.mu_x - s.resistance) * hub - s.mu_y * w.slip_y;
    assert_true(loss >= -1e-9);
  }
}

// Load and forces near each other.
static void assert_steady(Sunk a, Sunk b, double part) {
  const double scale = b.load + 100;
  assert_near(a.load, b.load, part * scale);
  assert_near(a.mu_x * a.load, b.mu_x * b.load, part * scale);
  assert_near(a.mu_y * a.load, b.mu_y * b.load, part * scale);
  assert_near(a.resistance * a.load, b.resistance * b.load, part * scale);
}

// No jumps over slip, and through standstill: a wheel that stands grips both ways alike.
static void test_continuity(void** state) {
  static const char* const soils[] = {"dry_sand", "lete_sand", "heavy_clay", "snow_sweden"};
  enum { STEPS = 2000 };
  (void)state;
  for (int c = 0; c < 8; c++) {
    Soil soil = preset(soils[c / 2]);
    set(&soil, "bulldozing", 3);
    Wheel w = {.direction = 1,
               .depth = 0.05,
               .radius = 0.47,
               .width = 0.3175,
               .k = 411e3,
               .sinkage = 0.03,
               .slip_y = c % 2 ? 0.05 : 0};
    Sunk last = sink_linear(&soil, (w.slip_x = -1.02, w));
    for (int i = 1; i <= STEPS; i++) {
      w.slip_x = -1.02 + 2.04 * i / STEPS;
      const Sunk s = sink_linear(&soil, w);
      assert_steady(s, last, 0.06);
      last = s;
    }
    last = sink_linear(&soil, (w.slip_x = 0.02, w.direction = -1, w));
    for (int i = 1; i <= STEPS; i++) {
      w.direction = -1 + 2.0 * i / STEPS;
      const Sunk s = sink_linear(&soil, w);
      assert_steady(s, last, 3e-3);
      last = s;
    }
    w.direction = 0;
    const Sunk ahead = sink_linear(&soil, (w.slip_x = 0.1, w));
    const Sunk behind = sink_linear(&soil, (w.slip_x = -0.1, w));
    assert_near(ahead.mu_x, -behind.mu_x, 1e-12);
    assert_near(ahead.secant_x, ahead.mu_x / 0.1, 1e-9);
    assert_near(sink_linear(&soil, (w.slip_x = 0, w)).mu_x, 0, 1e-15);
  }
  // to nothing with the depth
  const Soil soil = preset("dry_sand");
  for (double depth = 1e-3; depth > 1e-9; depth *= 0.1) {
    const Wheel w = {
        .slip_x = 0.1, .direction = 1, .depth = depth, .radius = 0.3, .width = 0.2, .k = 1e13};
    assert_true(sink_linear(&soil, w).load < 4e5 * depth);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_anything), cmocka_unit_test(test_mirrors),
      cmocka_unit_test(test_lanes),    cmocka_unit_test(test_fast),
      cmocka_unit_test(test_losses),   cmocka_unit_test(test_continuity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
