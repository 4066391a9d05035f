// SPDX-License-Identifier: BSD-3-Clause
//
// Wheels over obstacles that are shorter than a tyre's contact, through the public interface. The
// truck is that of the project, 2.3 t on tyres of 320 kN/m and R = 0.47 m.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
// after them
#include <cmocka.h>

#include "assert_near.h"
#include "repetitions.h"
#include "vehicle_world.h"

// What a pass over an obstacle does to the front wheels: 0 left, 1 right.
typedef struct Pass {
  double most[2], least[2];        // load [N]
  double backward[2], forward[2];  // force along the vehicle [N]
  double aside;                    // largest motion of the vehicle to a side [m]
  double kept;                     // by elastic tyres, since the start [J]
  rutEnergy end;
} Pass;

// Energy of the tyres of the truck.
static double held(const World* w) {
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    const double pressed = rut_wheel_state(w->model, w->data, i).deflection;
    sum += pressed > 0 ? 0.5 * 320e3 * pressed * pressed : 0;
  }
  return sum;
}

// The truck comes at a speed, its front axle 0.8 m before the world's origin. damping: of tyres.
typedef struct Run {
  const char* obstacle;
  double speed, damping, length, step;
} Run;

static Pass pass_of(Run run) {
  char text[2000], damping[20];
  snprintf(text, sizeof text,
           "<world timestep='%g'>%s<include file='vehicles/four_by_four.xml' x='-2.33' "
           "start='%g 0 0' speed='%g'/></world>",
           run.step, run.obstacle, run.speed, run.speed);
  snprintf(damping, sizeof damping, "%g", run.damping);
  World w = open_context();
  load_world(&w, text, RUT_SOURCE_DIR "/worlds/test.xml", "truck/tyre.damping", damping);
  Pass p = {.least = {1e9, 1e9}};
  p.kept = -held(&w);
  while (rut_vehicle_state(w.model, w.data, 0).position[0] < run.length - 2.33) {
    step_world(&w);
    for (int i = 0; i < 2; i++) {
      const rutWheelState wheel = rut_wheel_state(w.model, w.data, i);
      p.most[i] = fmax(p.most[i], wheel.load);
      p.least[i] = fmin(p.least[i], wheel.load);
      p.backward[i] = fmax(p.backward[i], -wheel.force[0]);
      p.forward[i] = fmax(p.forward[i], wheel.force[0]);
    }
    p.aside = fmax(p.aside, fabs(rut_vehicle_state(w.model, w.data, 0).position[1]));
  }
  rut_vehicle_energy(w.model, w.data, 0, &p.end);
  p.kept += held(&w);
  assert_true(fabs(p.end.residual) < 1e-3 * p.end.throughput);
  close_world(&w);
  return p;
}

#define CLEAT(height, length) "<terrain type='step' height='" height "' x_max='" length "'/>"

// A cleat is enveloped, a platform is not: the peak over 3 cm of 3 cm is below that of 30 cm. A
// round wheel has it the other way round.
static void test_short_bumps(void** state) {
  (void)state;
  const Pass cleat = pass_of((Run){CLEAT("3 cm", "3 cm"), 5, 1000, 2, 5e-4});
  const Pass platform = pass_of((Run){CLEAT("3 cm", "30 cm"), 5, 1000, 2, 5e-4});
  assert_true(cleat.most[0] < platform.most[0]);
  // backward on the way up, forward on the way down
  assert_true(cleat.backward[0] > 500 && cleat.forward[0] > 300);
  assert_near(cleat.most[0], cleat.most[1], 1e-6 * cleat.most[0]);
}

// What goes into an elastic tyre comes out of it: up an upright face and down a ramp, over a
// cleat, slowly and fast.
static void test_elastic(void** state) {
  static const char* const obstacle[] = {
      CLEAT("3 cm", "3 cm"), CLEAT("1 cm", "1 cm"),
      ("<terrain type='step' height='5 cm'/><terrain type='step' position='0.2 0' height='-5 cm' "
       "run='40 cm'/>")};
  (void)state;
  for (int k = 0; k < 6; k += repetitions(1, 6)) {
    const Pass p = pass_of((Run){obstacle[k / 2], k % 2 ? 5 : 1.5, 0, 1.6, 2e-5});
    // the rest is the damping of the implicit step
    const double lost = p.end.tyre - p.kept;
    if (!(lost > -1e-4 * p.end.throughput && lost < 7e-3 * p.end.throughput)) {
      fail_msg("%d: %g J of %g J", k, lost, p.end.throughput);
    }
  }
}

// A stone of 10 cm, 5 cm long, under one shoulder: felt there, on both sides alike, the more the
// farther it reaches under the tyre, which is 0.3 m wide and 0.8 m from the middle.
static void test_stones(void** state) {
  static const double reach[] = {0.05, 0.11, 0.17, 0.23, 0.30};
  (void)state;
  double before = 6200;
  for (size_t k = 0; k < sizeof reach / sizeof *reach; k++) {
    Pass p[2];
    for (int side = 0; side < 2; side++) {
      char stone[200];
      const double from = side ? -0.95 : 0.95 - reach[k], to = side ? -0.95 + reach[k] : 0.95;
      snprintf(stone, sizeof stone,
               "<terrain type='step' height='10 cm' x_max='5 cm' y_min='%g' y_max='%g'/>", from,
               to);
      p[side] = pass_of((Run){stone, 2, 1000, 1.1, 2e-4});
    }
    assert_near(p[0].most[0], p[1].most[1], 1e-6 * p[0].most[0]);
    assert_near(p[0].aside, p[1].aside, 1e-9);
    assert_true(p[0].most[0] > before + 300);
    before = p[0].most[0];
  }
}

// On ground that is smooth over the length of the contact cams and the arc agree, the better the
// longer its waves: apart by the curvature of the ground over the distance of the cams, l^2/8 of
// it, which is 0.16 m here.
static void test_smooth_ground(void** state) {
  static const double wavelength[] = {4, 8, 16};
  (void)state;
  for (int k = 0; k < 3; k++) {
    double load[2][300];
    for (int c = 0; c < 2; c++) {
      char text[500];
      snprintf(text, sizeof text,
               "<world timestep='1 ms'><terrain type='sine' amplitude='0.02' wavelength='%g'/>"
               "<include file='vehicles/four_by_four.xml' start='2 0 0' speed='2'/></world>",
               wavelength[k]);
      World w = open_context();
      load_world(&w, text, RUT_SOURCE_DIR "/worlds/test.xml", "truck.contact", c ? "cams" : "arc");
      for (int i = 0; i < 300; i++) {
        for (int j = 0; j < 10; j++) step_world(&w);
        load[c][i] = rut_wheel_state(w.model, w.data, 0).load;
      }
      close_world(&w);
    }
    const double wave = 2 * 3.14159265 / wavelength[k], bend = 0.02 * wave * wave;
    const double bound = 2 * 320e3 * bend * 0.16 * 0.16 / 8;
    for (int i = 0; i < 300; i++) {
      if (!(fabs(load[1][i] - load[0][i]) < bound)) {
        fail_msg("%g m: %g N for %g N, bound %g N", wavelength[k], load[1][i], load[0][i], bound);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_short_bumps),
                                     cmocka_unit_test(test_elastic), cmocka_unit_test(test_stones),
                                     cmocka_unit_test(test_smooth_ground)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
