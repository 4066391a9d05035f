// SPDX-License-Identifier: BSD-3-Clause
//
// A steering linkage on an elastic column: the HMMWV through the public interface.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "vehicle_world.h"

static World open_column(const char* world, const char* vehicle, const char* stiffness,
                         const char* damping, const char* inertia) {
  char text[2000];
  snprintf(text, sizeof text,
           "<world %s><soil type='magic_formula' name='road' surface='user' d='0.8'/>"
           "<include file='vehicles/hmmwv.xml' steer_stiffness='%s' steer_damping='%s' "
           "steer_inertia='%s' %s/></world>",
           world, stiffness, damping, inertia, vehicle);
  return open_project_world(text);
}

static void close_both(World* a, World* b) {
  close_world(a);
  close_world(b);
}

// The stiffer the column, the nearer the linkage is to what it is told.
static void test_rigid_limit(void** state) {
  static const char drive[] = "speed='12' driver='1' manoeuvre='step_steer' start_time='1'";
  double error[2];
  (void)state;
  for (int c = 0; c < 2; c++) {
    World told = open_column("timestep='1 ms'", drive, "0", "0", "0");
    World gives = open_column("timestep='1 ms'", drive, c ? "1e7" : "1e6", "100", "1");
    run_until(&told, 5);
    run_until(&gives, 5);
    const rutVehicleState a = rut_vehicle_state(told.model, told.data, 0);
    const rutVehicleState b = rut_vehicle_state(gives.model, gives.data, 0);
    error[c] = hypot(a.position[0] - b.position[0], a.position[1] - b.position[1]);
    close_both(&told, &gives);
  }
  // in a turn of 30 m: of first order in the compliance
  assert_true(error[0] < 0.2);
  assert_near(error[1] / error[0], 0.1, 0.03);
}

// Far off the ground a heavy gear swings about what it is told with sqrt(k/J), and dies away with
// exp(-c t/(2 J)).
static void test_swing(void** state) {
  const double k = 3e5, j = 3000, c = 1200;
  (void)state;
  World w = open_column("timestep='1 ms' gravity='0'", "steering='0.05'", "3e5", "1200", "3000");
  double peak[16], time[16], before = 0, last = 0;
  int peaks = 0;
  while (rut_time(w.data) < 4 && peaks < 16) {
    step_world(&w);
    const double now = rut_wheel_state(w.model, w.data, 0).steer;
    if (last > before && last >= now) {
      peak[peaks] = last;
      time[peaks++] = rut_time(w.data);
    }
    before = last;
    last = now;
  }
  const double rate = sqrt(k / j - c * c / (4 * j * j)), period = 2 * 3.14159265358979 / rate;
  assert_true(peaks >= 5);
  // arms and wheels add some per cent to the inertia
  assert_near((time[4] - time[0]) / 4, period, 0.02 * period);
  // so do the differences of peaks
  const double decay = exp(-c * period / (2 * j));
  const double first = peak[0] - peak[1], second = peak[1] - peak[2];
  assert_near(second / first, decay, 0.03);
  close_world(&w);
}

// The balance of energy closes as it does with a rigid column.
static void test_energy(void** state) {
  (void)state;
  World w = open_column("timestep='0.25 ms' integrator='rk4'",
                        "speed='10' driver='1' manoeuvre='step_steer' start_time='0.5'", "8e4",
                        "200", "30");
  run_until(&w, 3);
  rutEnergy e;
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  assert_near(e.residual / e.throughput, 0, 1e-4);
  close_world(&w);
}

// Largest steer angle of the front left wheel in 2 s of a vehicle in the air, told to turn fully.
static double largest_steer(const char* stiffness, const char* inertia) {
  double most = 0;
  World w = open_column("timestep='1 ms' gravity='0'", "steering='1'", stiffness, "0", inertia);
  while (rut_time(w.data) < 2) {
    step_world(&w);
    most = fmax(most, fabs(rut_wheel_state(w.model, w.data, 0).steer));
  }
  close_world(&w);
  return most;
}

// Told to go to its lock at once, a gear on a column without damping would swing to twice that. The
// stop of 1 MN m/rad lets it go beyond by no more than sqrt(k/stop) of the swing.
static void test_stop_at_lock(void** state) {
  (void)state;
  const double lock = largest_steer("0", "0"), most = largest_steer("3e3", "30");
  assert_true(most > lock);
  assert_true(most < (1 + sqrt(3e3 / 1e6)) * lock);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rigid_limit),
                                     cmocka_unit_test(test_swing), cmocka_unit_test(test_energy),
                                     cmocka_unit_test(test_stop_at_lock)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
