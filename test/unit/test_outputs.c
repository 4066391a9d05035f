// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs of elements and components: what their rows say, and numbers that other laws give.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_near.h"
#include "log_fixture.h"
#include "rut/component.h"

// An output of an element by its name, as one number.
static double output(const Fixture* f, rutKind kind, int index, const char* part,
                     const char* name) {
  const int n = rut_variables(f->model, kind, index, RUT_OUTPUT);
  for (int i = 0; i < n; i++) {
    const rutVariableInfo v = rut_variable(f->model, kind, index, RUT_OUTPUT, i);
    double out = NAN;
    if (strcmp(v.name, name) != 0 || strcmp(v.part, part) != 0) continue;
    assert_int_equal(
        rut_variables_read(f->model, f->data, &(rutVariableRange){kind, index, RUT_OUTPUT, i, 1}, 1,
                           &out),
        RUT_OK);
    return out;
  }
  fail_msg("no output %s/%s", part, name);
  return NAN;
}

// All numbers of an element at once are those of its variables one by one, and sets stand together.
static void check_reads(const Fixture* f, rutKind kind, int index, rutRole role) {
  enum { MOST = 4096 };
  static double all[MOST], one[MOST];
  const int n = rut_variables(f->model, kind, index, role);
  int numbers = 0, last = -1, highest = -1;
  for (int i = 0; i < n; i++) {
    const rutVariableInfo v = rut_variable(f->model, kind, index, role, i);
    assert_true(v.name[0] && v.doc[0] && v.count >= 0);
    assert_true(v.set == last || v.set > highest);
    last = v.set;
    highest = v.set > highest ? v.set : highest;
    assert_true(numbers + v.count <= MOST);
    assert_int_equal(
        rut_variables_read(f->model, f->data, &(rutVariableRange){kind, index, role, i, 1}, v.count,
                           one + numbers),
        RUT_OK);
    numbers += v.count;
  }
  assert_int_equal(rut_variables_read(f->model, f->data,
                                      &(rutVariableRange){kind, index, role, 0, n}, numbers, all),
                   RUT_OK);
  assert_memory_equal(all, one, (size_t)numbers * sizeof *all);
  // from the middle of a set on, and neither more nor less than there is
  if (n > 2) {
    const int first = rut_variable(f->model, kind, index, role, 0).count;
    assert_int_equal(
        rut_variables_read(f->model, f->data, &(rutVariableRange){kind, index, role, 1, n - 1},
                           numbers - first, all),
        RUT_OK);
    assert_memory_equal(all, one + first, (size_t)(numbers - first) * sizeof *all);
  }
  if (n == 0) return;
  assert_int_equal(
      rut_variables_read(f->model, f->data, &(rutVariableRange){kind, index, role, 0, n},
                         numbers - 1, all),
      RUT_ERR_ARGUMENT);
  assert_int_equal(
      rut_variables_read(f->model, f->data, &(rutVariableRange){kind, index, role, 0, n},
                         numbers + 1, all),
      RUT_ERR_ARGUMENT);
  assert_int_equal(
      rut_variables_read(f->model, f->data, &(rutVariableRange){kind, index, role, 0, n + 1},
                         numbers, all),
      RUT_ERR_ARGUMENT);
}

static void test_reads(void** state) {
  static const char* const worlds[] = {"hmmwv.xml", "demo.xml", "rover_ramp.xml", "mechanisms.xml"};
  Fixture* f = *state;
  for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
    load(f, worlds[i]);
    run(f, 20);
    for (int kind = 0; kind < RUT_KIND_COUNT; kind++) {
      for (int index = 0; index < rut_count(f->model, (rutKind)kind); index++) {
        for (int role = 0; role < RUT_ROLE_COUNT; role++) {
          check_reads(f, (rutKind)kind, index, (rutRole)role);
        }
      }
    }
    tear_down(state);
    set_up(state);
    f = *state;
  }
}

// A robot on a circle of 4 m at 2 m/s: centripetal acceleration v^2/r at its centre of mass.
static void test_accelerations(void** state) {
  Fixture* f = *state;
  parse(f, circle);
  run(f, 100);
  assert_near(output(f, RUT_VEHICLE, 0, "", "proper_acceleration_y"), 2 * 0.5, 5e-3);
  assert_near(output(f, RUT_VEHICLE, 0, "", "proper_acceleration_z"), 9.81, 1e-12);
  assert_near(output(f, RUT_VEHICLE, 0, "", "yaw_acceleration"), 0, 1e-9);
  assert_near(output(f, RUT_WORLD, 0, "", "time"), 1, 1e-12);
  assert_int_equal(rut_count(f->model, RUT_WORLD), 1);
  assert_string_equal(rut_name(f->model, RUT_WORLD, 0), "");
  assert_int_equal(rut_find(f->model, RUT_WORLD, ""), 0);
}

#define SKID(parameters, timestep)                                     \
  "<world timestep='" timestep                                         \
  "'><vehicle name='r'>"                                               \
  "<chassis mass='30' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>" \
  "<wheel position='0.2 0.25' mass='1' radius='0.1'/>"                 \
  "<wheel position='0.2 -0.25' mass='1' radius='0.1'/>"                \
  "<wheel position='-0.2 0.25' mass='1' radius='0.1' place='left'/>"   \
  "<wheel position='-0.2 -0.25' mass='1' radius='0.1' place='right'/>" \
  "<tyre type='coulomb'/><drive type='dc_motor' " parameters           \
  "/><controller type='raw' torque_left='4' torque_right='2'/></vehicle></world>"

// Power from the battery is copper loss and motor power, of every motor; torque is K i.
static void check_motors(Fixture* f, double resistance, double constant) {
  double current[4], torque[4];
  const int n = rut_variables(f->model, RUT_VEHICLE, 0, RUT_OUTPUT);
  for (int i = 0; i < n; i++) {
    const rutVariableInfo v = rut_variable(f->model, RUT_VEHICLE, 0, RUT_OUTPUT, i);
    double* out = strcmp(v.name, "current") == 0        ? current
                  : strcmp(v.name, "motor_torque") == 0 ? torque
                                                        : NULL;
    if (!out) continue;
    assert_string_equal(v.part, "drive");
    assert_int_equal(v.count, 4);
    assert_int_equal(
        rut_variables_read(f->model, f->data, &(rutVariableRange){RUT_VEHICLE, 0, RUT_OUTPUT, i, 1},
                           4, out),
        RUT_OK);
  }
  double loss = 0, power = 0;
  for (int i = 0; i < 4; i++) {
    loss += resistance * current[i] * current[i];
    assert_near(torque[i], constant * current[i], 1e-12);
    assert_true(current[i] > 0);
  }
  power = output(f, RUT_VEHICLE, 0, "drive", "motor_power");
  const double drawn = output(f, RUT_VEHICLE, 0, "drive", "battery_power");
  assert_near(drawn, loss + power, 1e-9 * drawn);
  assert_near(output(f, RUT_VEHICLE, 0, "", "consumed_power"), drawn, 0);
  assert_true(power > 0 && loss > 0);
}

static void test_motors(void** state) {
  static const char* const worlds[] = {
      // freely, on a weak battery, and in steps in which back-EMF rises much
      SKID("gear='20'", "0.001"), SKID("gear='20' battery_current='2'", "0.001"),
      SKID("gear='20' rotor_inertia='0'", "0.01")};
  Fixture* f = *state;
  for (int i = 0; i < 3; i++) {
    parse(f, worlds[i]);
    run(f, i == 2 ? 60 : 600);
    check_motors(f, 0.064, 0.03757);
    tear_down(state);
    set_up(state);
    f = *state;
  }
  parse(f, SKID("gear='20' battery_resistance='0.5'", "0.001"));
  run(f, 600);
  const double power = output(f, RUT_VEHICLE, 0, "drive", "battery_power");
  const double voltage = output(f, RUT_VEHICLE, 0, "drive", "battery_voltage");
  // V = V0 - R P / V
  assert_near(voltage, 36 - 0.5 * power / voltage, 1e-9);
}

// With the lockup clutch closed the engine turns with the wheels through the gear: third 1.25,
// final drive 5.
static void test_powertrain(void** state) {
  Fixture* f = *state;
  rutError err = {0};
  const char* const world = RUT_SOURCE_DIR "/worlds/hmmwv.xml";
  assert_int_equal(rut_spec_load(f->context, world, &f->spec, &err), RUT_OK);
  assert_int_equal(rut_spec_set(f->spec, "hmmwv/drive.lockup", "on", &err), RUT_OK);
  build(f, RUT_OK, &err);
  run(f, 30000);
  double mean = 0;
  for (int i = 0; i < 4; i++) mean += 0.25 * rut_wheel_state(f->model, f->data, i).speed;
  const double gear = output(f, RUT_VEHICLE, 0, "drive", "gear");
  const double speed = output(f, RUT_VEHICLE, 0, "drive", "engine_speed");
  assert_near(gear, 3, 0);
  assert_near(output(f, RUT_VEHICLE, 0, "drive", "lockup"), 1, 0);
  assert_near(output(f, RUT_VEHICLE, 0, "drive", "throttle"), 0.6, 1e-12);
  assert_near(speed, 5 * 1.25 * mean, 1e-3 * speed);
  // the fuel's part that becomes work, less drag of 70 to 90 N m from 209.4 to 314.2 rad/s
  const double gas = 0.3 * output(f, RUT_VEHICLE, 0, "", "consumed_power") / speed;
  const double drag = 70 + 20 * (speed - 209.4395102) / (314.1592654 - 209.4395102);
  assert_near(output(f, RUT_VEHICLE, 0, "drive", "engine_torque"), gas - drag, 1e-3 * gas);
  const double engine = output(f, RUT_VEHICLE, 0, "drive", "engine_speed");
  assert_near(output(f, RUT_VEHICLE, 0, "drive", "engine_power"), (gas - drag) * engine,
              1e-3 * gas * engine);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_reads, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_accelerations, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_motors, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_powertrain, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
