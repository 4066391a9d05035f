// SPDX-License-Identifier: BSD-3-Clause
//
// Wheels that roll from soft soil, in which they are sunk, to hard ground at the same height.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "vehicle_world.h"

// A truck of 2.3 t on nearly rigid wheels leaves snow at 6 m/s.
static World leave_snow(const char* step) {
  char text[2000];
  snprintf(text, sizeof text,
           "<world timestep='%s' integrator='semi_implicit'><soil name='snow' type='bekker' "
           "preset='snow_greenland'/><soil name='road' type='magic_formula' surface='user' "
           "d='0.8'/><region x_min='4' x_max='100' y_min='-50' y_max='50' soil='road'/>"
           "<vehicle name='v' velocity='6 0'><chassis mass='2090' com='0.12 0 0.85' z_min='0.6' "
           "z_max='1.7' outline='-2.1 -0.9, 2.3 -0.9, 2.3 0.9, -2.1 0.9'/><suspension "
           "type='slider' stiffness='80e3' damping='8e3' bump_travel='0.18' "
           "rebound_travel='0.15'/><tyre type='linear' stiffness='4e6' damping='4e3'/><axle "
           "x='1.53' track='1.6' radius='0.47' width='0.3' wheel_mass='62'/><axle x='-1.28' "
           "track='1.6' radius='0.47' width='0.3' wheel_mass='62'/><drive type='direct'/>"
           "<controller type='raw'/></vehicle></world>",
           step);
  return open_world(text);
}

// Largest part of the throughput by which the balance does not close, and height.
typedef struct Most {
  double residual, height;
} Most;

static void look(const World* w, Most* most) {
  static const double LEAST = 1e3;  // [J]
  rutEnergy e;
  assert_true(rut_vehicle_energy(w->model, w->data, 0, &e));
  const double whole = fmax(e.throughput, LEAST);
  most->residual = fmax(most->residual, fabs(e.residual - e.flight) / whole);
  most->height = fmax(most->height, rut_vehicle_state(w->model, w->data, 0).position[2]);
}

// The front wheels, 0.6 m deep, come out, and nothing throws the truck up: what it has is less than
// at the start. What the balance leaves falls with the step.
static void test_wheels_roll_out_of_soft_soil(void** state) {
  static const char* const steps[2] = {"1e-3", "2.5e-4"};
  double left[2];
  (void)state;
  for (int i = 0; i < 2; i++) {
    World w = leave_snow(steps[i]);
    Most most = {0};
    while (rut_time(w.data) < 3) {
      step_world(&w);
      look(&w, &most);
    }
    const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
    assert_true(s.position[0] + 1.53 > 5);
    assert_true(most.height < 0.1);
    rutEnergy e;
    assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
    assert_true(e.kinetic + e.potential < e.start);
    assert_true(e.tyre + e.rolling + e.slip > 0);
    left[i] = most.residual;
    close_world(&w);
  }
  assert_true(left[1] < 1e-3);
  assert_true(left[1] < 0.3 * left[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_wheels_roll_out_of_soft_soil)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
