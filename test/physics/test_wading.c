// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles in water: draught and drag of a boat of known shape, loads of wheels in a ford, the
// balance of energy.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_near.h"
#include "vehicle_world.h"

#define PI 3.14159265358979323846

// A closed box of 4.6 m x 2.1 m on four wheels of 0.2 m x 0.2 m, on ground under water, whose
// level is `depth` above it.
static World boat(double depth, const char* chassis, const char* vehicle) {
  char text[1600];
  snprintf(text, sizeof text,
           "<world timestep='1 ms'>"
           "<plane x_min='-200' x_max='200' y_min='-200' y_max='200'/>"
           "<soil type='magic_formula' name='road' surface='user' d='0.8'/>"
           "<scenery type='water' length='300' width='300' depth='%.17g'><place position='0 0'/>"
           "</scenery><vehicle name='boat' %s>"
           "<chassis mass='2400' com='0 0 0.2' inertia='800 2500 3000' %s"
           " outline='2.3 1.05, 2.3 -1.05, -2.3 -1.05, -2.3 1.05' z_min='0' z_max='1.2'/>"
           "<axle x='1.5' z='0' track='1.8' radius='0.2' width='0.2' wheel_mass='40' "
           "wheel_inertia='3'><suspension type='slider' stiffness='50000' damping='4000'/></axle>"
           "<axle x='-1.5' z='0' track='1.8' radius='0.2' width='0.2' wheel_mass='40' "
           "wheel_inertia='3'><suspension type='slider' stiffness='50000' damping='4000'/></axle>"
           "<tyre type='fiala'/><drive type='direct'/><controller type='raw'/></vehicle></world>",
           depth, vehicle, chassis);
  return open_world(text);
}

static double balance_error(const World* w) {
  rutEnergy e;
  assert_true(rut_vehicle_energy(w->model, w->data, 0, &e));
  return fabs(e.residual) / e.throughput;
}

// Archimedes: mass over density is the volume below the level, of the hull and of all of its
// wheels, which are below it.
static void a_closed_hull_floats(void** state) {
  (void)state;
  World w = boat(4, "flooding='0'", "position='0 0 3.6'");
  run_until(&w, 60);
  const double wheels = 4 * PI * 0.2 * 0.2 * 0.2;
  const double draught = (2560.0 / 1000 - wheels) / (4.6 * 2.1);
  // it bobs on, ever slower
  double below = 0;
  enum { STEPS = 30000 };
  for (int i = 0; i < STEPS; i++) {
    step_world(&w);
    below += (4 - rut_vehicle_state(w.model, w.data, 0).position[2]) / STEPS;
  }
  for (int i = 0; i < 4; i++) {
    const rutWheelState wheel = rut_wheel_state(w.model, w.data, i);
    assert_near(wheel.load, 0, 0);
  }
  assert_near(below, draught, 1e-3);
  assert_true(balance_error(&w) < 1e-4);
  close_world(&w);
}

// m v' = -1/2 rho C_d A v^2 gives 1/v = 1/v0 + rho C_d A t/(2 m): hull 2.1 m wide and `draught`
// deep, wheels 0.2 m x 0.4 m with a coefficient of 1.
static void water_slows_a_boat(void** state) {
  (void)state;
  World w = boat(4, "flooding='0' water_drag='1.1'", "position='0 0 3.7454' velocity='0.5 0'");
  const double wheels = 4 * PI * 0.2 * 0.2 * 0.2, mass = 2560;
  const double draught = (mass / 1000 - wheels) / (4.6 * 2.1);
  run_until(&w, 2);
  const double before = rut_vehicle_state(w.model, w.data, 0).velocity[0];
  run_until(&w, 12);
  const double after = rut_vehicle_state(w.model, w.data, 0).velocity[0];
  const double area = 1.1 * 2.1 * draught + 4 * 0.2 * 0.4;
  const double want = 1 / (1 / before + 1000 * area * 10 / (2 * mass));
  assert_true(before > 0.3 && after < 0.6 * before);
  // the bow rises and falls by a few millimetres
  assert_near(after, want, 0.02 * want);
  // steps of 1 ms: m g h/2 times the present vertical speed of 3 cm/s, 0.4 J of 240 J
  assert_true(balance_error(&w) < 2e-3);
  close_world(&w);
}

// Standing wheels carry the weight less what the water carries: segments of their circles, and the
// part of the hull that is not flooded.
static void a_ford_takes_load_off_wheels(void** state) {
  (void)state;
  const double depth = 0.3, flooding = 0.4;
  World w = boat(depth, "flooding='0.4'", "position='0 0 0.3'");
  run_until(&w, 20);
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  double load = 0, carried = 0;
  for (int i = 0; i < 4; i++) {
    const rutWheelState wheel = rut_wheel_state(w.model, w.data, i);
    const double r = 0.2, d = depth - (s.position[2] + wheel.travel - r);
    carried += 0.2 * (r * r * acos((r - d) / r) - (r - d) * sqrt(d * (2 * r - d)));
    load += wheel.load;
  }
  carried += (1 - flooding) * 4.6 * 2.1 * fmax(0, depth - s.position[2]);
  assert_true(s.position[2] < depth - 0.05);
  assert_near(load, 9.81 * (2560 - 1000 * carried), 2);
  assert_true(balance_error(&w) < 1e-4);
  close_world(&w);
}

// Two worlds that differ by water far away have the same motion, to the bit.
static void water_elsewhere_is_nothing(void** state) {
  (void)state;
  World near = boat(0.6, "", "position='190 0 0.5' velocity='3 0'");
  World none = boat(0.001, "", "position='190 0 0.5' velocity='3 0'");
  run_until(&near, 2);
  run_until(&none, 2);
  const rutVehicleState a = rut_vehicle_state(near.model, near.data, 0);
  const rutVehicleState b = rut_vehicle_state(none.model, none.data, 0);
  assert_memory_equal(a.position, b.position, sizeof a.position);
  assert_memory_equal(a.velocity, b.velocity, sizeof a.velocity);
  close_world(&near);
  close_world(&none);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_closed_hull_floats),
      cmocka_unit_test(water_slows_a_boat),
      cmocka_unit_test(a_ford_takes_load_off_wheels),
      cmocka_unit_test(water_elsewhere_is_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
