// SPDX-License-Identifier: BSD-3-Clause
//
// Signals of a run: their names, units and values.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_near.h"
#include "log_fixture.h"

static void test_signals_of_a_vehicle(void** state) {
  Fixture* f = *state;
  load(f, "hmmwv.xml");
  rutSignals* s = NULL;
  assert_int_equal(rut_signals_create(f->model, &s, NULL), RUT_OK);
  run(f, 3000);
  const rutVehicleState v = rut_vehicle_state(f->model, f->data, 0);
  assert_near(value(f, s, "hmmwv/x"), v.position[0], 0);
  assert_near(value(f, s, "hmmwv/roll"), v.roll, 0);
  assert_near(value(f, s, "hmmwv/yaw_rate"), v.rate[2], 0);
  assert_near(value(f, s, "hmmwv/speed"),
              sqrt(v.velocity[0] * v.velocity[0] + v.velocity[1] * v.velocity[1] +
                   v.velocity[2] * v.velocity[2]),
              1e-12);
  assert_near(value(f, s, "hmmwv/sideslip_angle"), atan2(v.velocity[1], v.velocity[0]), 1e-12);
  assert_near(value(f, s, "time"), 3, 1e-9);

  static const char* const wheels[] = {"front_left", "front_right", "rear_left", "rear_right"};
  double load_sum = 0, difference = 0, power = 0;
  for (int i = 0; i < 4; i++) {
    char name[64];
    snprintf(name, sizeof name, "hmmwv/%s", wheels[i]);
    const rutWheelState w = rut_wheel_state(f->model, f->data, rut_find(f->model, RUT_WHEEL, name));
    snprintf(name, sizeof name, "hmmwv/%s/load", wheels[i]);
    assert_near(value(f, s, name), w.load, 0);
    snprintf(name, sizeof name, "hmmwv/%s/slip_angle", wheels[i]);
    assert_near(value(f, s, name), w.slip[1], 0);
    snprintf(name, sizeof name, "hmmwv/%s/travel", wheels[i]);
    assert_near(value(f, s, name), w.travel, 0);
    load_sum += w.load;
    difference += i % 2 == 0 ? -w.load : w.load;
    snprintf(name, sizeof name, "hmmwv/%s/drive_power", wheels[i]);
    power += value(f, s, name);
  }
  assert_near(value(f, s, "hmmwv/load_transfer_ratio"), difference / load_sum, 1e-12);
  assert_near(value(f, s, "hmmwv/load"), load_sum, 1e-9);
  assert_near(value(f, s, "hmmwv/drive_power"), power, 1e-6);
  assert_near(value(f, s, "hmmwv/front_left/sinkage"), 0, 0);
  rutEnergy e;
  assert_true(rut_vehicle_energy(f->model, f->data, 0, &e));
  assert_near(value(f, s, "hmmwv/energy_drive"), e.drive, 0);
  assert_near(value(f, s, "hmmwv/energy_kinetic"), e.kinetic, 0);
  assert_near(value(f, s, "hmmwv/energy_residual"), e.residual, 0);
  const double command[3] = {0.25, 0.125, -0.5};
  assert_int_equal(rut_command(f->model, f->data, 0, 3, command), RUT_OK);
  assert_near(value(f, s, "hmmwv/command_throttle"), 0.25, 0);
  assert_near(value(f, s, "hmmwv/command_brake"), 0.125, 0);
  assert_near(value(f, s, "hmmwv/command_steering"), -0.5, 0);
  rut_signals_destroy(s);
}

// On a circle at 2 m/s the velocity turns with the heading: its change over a step is a chord,
// which points to the middle.
static void test_acceleration_on_a_circle(void** state) {
  Fixture* f = *state;
  parse(f, circle);
  rutSignals* s = NULL;
  assert_int_equal(rut_signals_create(f->model, &s, NULL), RUT_OK);
  run(f, 100);
  assert_near(value(f, s, "r1/lateral_acceleration"), 0, 0);  // nothing to compare with yet
  const double before = rut_vehicle_state(f->model, f->data, 0).yaw;
  run(f, 1);
  const double turn = rut_vehicle_state(f->model, f->data, 0).yaw - before;
  const double lateral = value(f, s, "r1/lateral_acceleration");
  const double along = value(f, s, "r1/longitudinal_acceleration");
  assert_near(hypot(lateral, along), 2 * 2.0 * sin(0.5 * turn) / 0.01, 1e-9);
  assert_near(lateral, 2 * 0.5, 0.003);
  // the velocity is that of the step's beginning
  assert_near(along, 0, 2.0 * 0.5 * 0.5 * 0.01 + 1e-4);
  assert_near(value(f, s, "r1/vertical_acceleration"), 0, 0);
  // asked again at the same time it is the same
  assert_near(value(f, s, "r1/lateral_acceleration"), lateral, 0);
  // over half a second the chord of a quarter of a radian, and still none of it along the way
  const double begin = rut_vehicle_state(f->model, f->data, 0).yaw;
  run(f, 50);
  const double turned = rut_vehicle_state(f->model, f->data, 0).yaw - begin;
  assert_near(value(f, s, "r1/lateral_acceleration"), 2 * 2.0 * sin(0.5 * turned) / 0.5, 1e-4);
  assert_near(value(f, s, "r1/longitudinal_acceleration"), 0, 2.0 * 0.5 * 0.5 * 0.01 + 1e-4);
  rut_data_reset(f->model, f->data, 0);
  assert_near(value(f, s, "r1/lateral_acceleration"), 0, 0);
  rut_signals_destroy(s);
}

static void test_signals_of_the_rest(void** state) {
  Fixture* f = *state;
  parse(f, circle);
  rutSignals* s = NULL;
  assert_int_equal(rut_signals_create(f->model, &s, NULL), RUT_OK);
  assert_true(isnan(value(f, s, "r1/scan/nearest")));
  run(f, 50);
  double pose[6], velocity[3], q, v, stamp;
  int n;
  rut_block_state(f->model, f->data, 0, pose, velocity);
  assert_near(value(f, s, "box/x"), pose[0], 0);
  assert_near(value(f, s, "box/yaw_rate"), velocity[2], 0);
  rut_mechanism_state(f->model, f->data, 0, &q, &v);
  assert_near(value(f, s, "arm/q0"), q, 0);
  assert_near(value(f, s, "arm/v0"), v, 0);
  assert_near(value(f, s, "arm/energy"), rut_mechanism_energy(f->model, f->data, 0), 0);
  const double* range = rut_sensor(f->model, f->data, 0, &stamp, &n);
  double nearest = HUGE_VAL;
  for (int i = 0; i < n; i++) nearest = range[i] >= 0 ? fmin(nearest, range[i]) : nearest;
  const double told = value(f, s, "r1/scan/nearest");
  assert_true(isfinite(nearest) ? told == nearest : isnan(told));
  rut_signals_destroy(s);
}

// Drives have states and outputs of one name: a signal is told once.
static void test_names_stand_once(void** state) {
  Fixture* f = *state;
  load(f, "hmmwv.xml");
  rutSignals* s = NULL;
  assert_int_equal(rut_signals_create(f->model, &s, NULL), RUT_OK);
  for (int i = 0; i < rut_signals_count(s); i++) {
    assert_int_equal(rut_signals_find(s, rut_signals_at(s, i).name), i);
  }
  assert_near(value(f, s, "hmmwv/drive/gear"), 1, 0);  // the output, not the state 0
  rut_signals_destroy(s);
}

static void test_names_of_signals(void** state) {
  Fixture* f = *state;
  parse(f, circle);
  rutSignals* s = NULL;
  assert_int_equal(rut_signals_create(f->model, &s, NULL), RUT_OK);
  const int n = rut_signals_count(s);
  for (int i = 0; i < n; i++) {
    const rutSignal signal = rut_signals_at(s, i);
    assert_int_equal(rut_signals_find(s, signal.name), i);
    assert_true(signal.doc[0] != '\0');
    assert_int_equal(strncmp(signal.name, signal.element, strlen(signal.element)), 0);
  }
  assert_int_equal(rut_signals_find(s, "r1/spede"), -1);
  assert_string_equal(rut_signals_nearest(s, "r1/spede"), "r1/speed");
  assert_string_equal(rut_signals_nearest(s, "roll_rate"), "r1/roll_rate");
  assert_null(rut_signals_nearest(s, "no such thing at all"));
  assert_string_equal(rut_signals_at(s, -1).name, "");
  assert_string_equal(rut_signals_at(s, n).name, "");
  const int bad[2] = {-1, n};
  double out[2];
  rut_signals_read(s, f->model, f->data, 2, bad, out);
  assert_true(isnan(out[0]) && isnan(out[1]));
  rut_signals_destroy(s);
  rut_signals_destroy(NULL);

  assert_true(rut_glob("*", "") && rut_glob("*/speed", "a/b/speed") && rut_glob("a?c", "abc"));
  assert_true(rut_glob("*a*b*", "xxaxxbxx") && rut_glob("abc", "abc") && rut_glob("a*", "a"));
  assert_false(rut_glob("*/speed", "speed") || rut_glob("a?c", "ac") || rut_glob("", "a"));
  assert_false(rut_glob("*a*b*", "xxbxxaxx") || rut_glob("abc", "abcd") || rut_glob("abcd", "abc"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_signals_of_a_vehicle, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_acceleration_on_a_circle, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_signals_of_the_rest, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_names_stand_once, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_names_of_signals, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
