// SPDX-License-Identifier: BSD-3-Clause
//
// What tyres tell: forces along the wheel, inclination, aligning moment, power. Against Newton's
// law, Fiala's closed form, and the balance of energy.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_near.h"
#include "vehicle_world.h"

enum { WHEELS = 4 };
static const double MASS = 1200 + 4 * 20, CORNERING = 30000, FRICTION = 0.8, WIDTH = 0.3;

// A car that rolls at 10 m/s and turns, on tyres of constant friction without motion resistance.
#define CAR(tyre)                                                                          \
  "<world timestep='1 ms'><vehicle name='car' velocity='10 0'>"                            \
  "<chassis mass='1200' com='0 0 0.5' outline='-2 -0.6 2 -0.6 2 0.6 -2 0.6' z_min='0.4' "  \
  "z_max='1'/>"                                                                            \
  "<suspension type='slider' stiffness='50 kN/m' damping='5 kN s/m'/>"                     \
  "<tyre type='fiala' cornering_stiffness='30000' friction_max='0.8' friction_min='0.8' "  \
  "width='0.3' " tyre                                                                      \
  "/>"                                                                                     \
  "<axle x='1.3' track='1.4' radius='0.4' width='0.2' max_steer='30 deg' driven='false'/>" \
  "<axle x='-1.3' track='1.4' radius='0.4' width='0.2'/>"                                  \
  "<drive type='open'/><controller type='pedals' steer='0.1' torque='100'/></vehicle></world>"

static double number(const World* w, rutKind kind, int index, const char* name) {
  for (int i = 0; i < rut_variables(w->model, kind, index, RUT_OUTPUT); i++) {
    double out;
    if (strcmp(rut_variable(w->model, kind, index, RUT_OUTPUT, i).name, name) != 0) continue;
    const rutVariableRange range = {kind, index, RUT_OUTPUT, i, 1};
    assert_int_equal(rut_variables_read(w->model, w->data, &range, 1, &out), RUT_OK);
    return out;
  }
  fail_msg("no output '%s'", name);
  return NAN;
}

static double wheel(const World* w, int i, const char* name) {
  return number(w, RUT_WHEEL, i, name);
}

static void run(World* w, double duration) {
  while (rut_time(w->data) < duration - 1e-9) {
    assert_int_equal(rut_step(w->model, w->data, NULL), RUT_OK);
  }
}

// Sum of the forces, each turned by its wheel's steering angle: mass times acceleration.
static void test_newton(void** state) {
  World w = open_world(CAR("rolling_resistance='0'"));
  double along = 0, across = 0;
  (void)state;
  run(&w, 3);
  for (int i = 0; i < WHEELS; i++) {
    const double x = wheel(&w, i, "tyre_force_x"), y = wheel(&w, i, "tyre_force_y");
    const double steer = wheel(&w, i, "steer");
    along += x * cos(steer) - y * sin(steer);
    across += x * sin(steer) + y * cos(steer);
    // front wheels are not driven: across the wheel only, however it is steered
    if (i < 2) assert_true(steer > 0.08 && fabs(x) < 1e-3 * y);
  }
  const double ax = number(&w, RUT_VEHICLE, 0, "proper_acceleration_x");
  const double ay = number(&w, RUT_VEHICLE, 0, "proper_acceleration_y");
  const double roll = number(&w, RUT_VEHICLE, 0, "roll");
  assert_true(ay > 3);
  // less the part of gravity that the roll turns into the lateral axis
  assert_near(across, MASS * (ay - 9.81 * sin(roll)), 0.01 * across);
  assert_near(along, MASS * ax, 0.01 * across);
  close_world(&w);
}

// F_y = -mu N (1 - H^3) and M_z = mu N W (1 - H) H^3, H = 1 - C |tan a|/(3 mu N) (Fiala 1954).
static void test_fiala(void** state) {
  World w = open_world(CAR("rolling_resistance='0'"));
  (void)state;
  run(&w, 3);
  for (int i = 0; i < 2; i++) {
    const double angle = wheel(&w, i, "slip_angle"), load = wheel(&w, i, "load");
    const double h = 1 - CORNERING * fabs(tan(angle)) / (3 * FRICTION * load);
    const double force = FRICTION * load * (1 - h * h * h);
    const double moment = FRICTION * load * WIDTH * (1 - h) * h * h * h;
    assert_true(angle < -0.02 && h > 0.2);
    assert_near(wheel(&w, i, "tyre_force_y"), force, 0.02 * force);
    // it turns the wheel back, to the right
    assert_near(wheel(&w, i, "aligning_moment"), -moment, 0.03 * moment);
  }
  close_world(&w);
}

// The wheels' axes go with the chassis on slides: n a = sin(pitch) sin(d) + cos(pitch) sin(roll)
// cos(d) at a steering angle d. It rolls out of the bend, to the right.
static void test_inclination(void** state) {
  World w = open_world(CAR("rolling_resistance='0'"));
  (void)state;
  run(&w, 3);
  const double roll = number(&w, RUT_VEHICLE, 0, "roll");
  const double pitch = number(&w, RUT_VEHICLE, 0, "pitch");
  assert_true(roll > 0.01);
  for (int i = 0; i < WHEELS; i++) {
    const double steer = wheel(&w, i, "steer");
    const double sine = sin(pitch) * sin(steer) + cos(pitch) * sin(roll) * cos(steer);
    assert_near(wheel(&w, i, "inclination_angle"), asin(sine), 1e-3 * roll);
  }
  close_world(&w);
}

// Power of a drive is torque times speed; power that tyres take adds up to the balance of energy.
static void test_power(void** state) {
  World w = open_world(CAR("rolling_resistance='0.015'"));
  double taken = 0, slipped = 0, driven = 0;
  rutEnergy e;
  (void)state;
  for (int k = 0; k < 2000; k++) {
    assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
    double power = 0;
    for (int i = 0; i < WHEELS; i++) {
      taken += 1e-3 * wheel(&w, i, "tyre_power");
      slipped += 1e-3 * wheel(&w, i, "slip_power");
      power += wheel(&w, i, "drive_power");
    }
    assert_near(power, number(&w, RUT_VEHICLE, 0, "drive_power"), 1e-9 * fabs(power));
    driven += 1e-3 * power;
  }
  assert_near(wheel(&w, 2, "drive_power"), wheel(&w, 2, "torque") * wheel(&w, 2, "speed"), 1e-9);
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  assert_true(e.slip > 100 && e.rolling > 100);
  assert_near(slipped, e.slip, 1e-9 * e.slip);
  assert_near(taken, e.slip + e.rolling + e.tyre, 1e-9 * taken);
  // at the ends of steps, not in their middle
  assert_near(driven, e.drive, 2e-3 * e.drive);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_newton),
      cmocka_unit_test(test_fiala),
      cmocka_unit_test(test_inclination),
      cmocka_unit_test(test_power),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
