// SPDX-License-Identifier: BSD-3-Clause
//
// What is told of wheels before the first step, and of those at rest: loads of statics, no slip.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "vehicle_world.h"

// A car of 1000 kg on axles 1.5 m before and some way behind its centre of mass, with wheels of
// 20 kg.
#define CAR(attributes, rear, controller)                                                  \
  "<world timestep='1 ms'><soil type='magic_formula' name='road' surface='user' d='0.8'/>" \
  "<vehicle name='c' " attributes                                                          \
  "><chassis mass='1000' com='0 0 .5' inertia='400 1500 1700' "                            \
  "outline='2 .8 2 -.8 -2 -.8 -2 .8' z_min='.3' z_max='1'/><tyre type='linear'/>"          \
  "<axle x='1.5' " AXLE "<axle x='-" rear "' " AXLE controller "</vehicle></world>"
#define AXLE                                        \
  "z='.3' track='1.6' radius='.3' wheel_mass='20'>" \
  "<suspension type='slider' stiffness='30000' damping='3000'/></axle>"

static double load_of(const World* w, int wheel) {
  return rut_wheel_state(w->model, w->data, wheel).load;
}

// An output of the first vehicle.
static double output(const World* w, const char* name) {
  double value = 0;
  const int n = rut_variables(w->model, RUT_VEHICLE, 0, RUT_OUTPUT);
  for (int i = 0; i < n; i++) {
    const rutVariableInfo info = rut_variable(w->model, RUT_VEHICLE, 0, RUT_OUTPUT, i);
    if (strcmp(info.name, name) != 0 || info.part[0]) continue;
    const rutVariableRange range = {RUT_VEHICLE, 0, RUT_OUTPUT, i, 1};
    assert_int_equal(rut_variables_read(w->model, w->data, &range, 1, &value), RUT_OK);
    return value;
  }
  fail_msg("no output %s", name);
  return 0;
}

static void planar_wheels_share_the_weight(void** state) {
  (void)state;
  // 10 kg and two wheels of 1 kg, half of them on each wheel
  static const char robot[] =
      "<vehicle name='r'><chassis mass='10' outline='-.3 -.3 .3 -.3 .3 .3 -.3 .3'/>"
      "<wheel name='l' position='0 .3' place='left' mass='1'/>"
      "<wheel name='r' position='0 -.3' place='right' mass='1'/><tyre type='coulomb'/></vehicle>";
  // heights over x: a slope of 0.3, on which normal forces fall by 1/sqrt(1 + 0.3^2)
  static const struct {
    const char* ground;
    double slope;
  } cases[] = {{"", 0},
               {"<plane/>", 0},
               {"<elevation_map matrix='[0 0 0;3 3 3;6 6 6]' resolution='10'/>", 0.3}};
  for (int i = 0; i < 3; i++) {
    char text[1000];
    snprintf(text, sizeof text, "<world>%s%s</world>", robot, cases[i].ground);
    World w = open_world(text);
    const double expected = 6 * 9.81 / sqrt(1 + cases[i].slope * cases[i].slope);
    for (int k = 0; k < 2; k++) assert_near(load_of(&w, k), expected, 1e-9);
    assert_near(output(&w, "load"), 2 * expected, 1e-9);
    assert_near(output(&w, "load_transfer_ratio"), 0, 0);
    close_world(&w);
  }
}

static void axles_carry_the_weight(void** state) {
  (void)state;
  World w = open_world(CAR("", "1.5", ""));
  const double each = 9.81 * (1000 / 4.0 + 20);
  for (int i = 0; i < 4; i++) assert_near(load_of(&w, i), each, 1e-3);
  assert_near(output(&w, "load"), 1080 * 9.81, 1e-3);
  // after a reset as well
  run_until(&w, 0.1);
  rut_data_reset(w.model, w.data, 0);
  for (int i = 0; i < 4; i++) assert_near(load_of(&w, i), each, 1e-3);
  close_world(&w);
}

// Vehicles without dynamics stand as their springs carry them at rest: moments about the axles give
// 3/4.5 and 1.5/4.5 of the chassis to them, and each wheel weighs on itself. The car
// pitches by 2 mrad as its tyres give way, which moves the centre of mass by 1 mm of 4.5 m: 2 N.
static void axles_carry_by_their_levers(void** state) {
  (void)state;
  World w = open_world(CAR("", "3", "<controller type='twist_ideal'/>"));
  const double front = 9.81 * (1000 * (3 / 4.5) / 2 + 20);
  const double rear = 9.81 * (1000 * (1.5 / 4.5) / 2 + 20);
  for (int i = 0; i < 4; i++) assert_near(load_of(&w, i), i < 2 ? front : rear, 2);
  close_world(&w);
}

static void what_is_in_the_air_carries_nothing(void** state) {
  (void)state;
  World w = open_world(CAR("position='0 0 2' on_ground='false'", "1.5", ""));
  for (int i = 0; i < 4; i++) assert_near(load_of(&w, i), 0, 0);
  close_world(&w);
}

// The loads are no part of the state: it is that of a vehicle that no step was tried on.
static void the_state_is_left_as_it_was(void** state) {
  (void)state;
  World w = open_world(CAR("velocity='5 0'", "1.5", ""));
  const rutVehicleState start = rut_vehicle_state(w.model, w.data, 0);
  assert_near(start.velocity[0], 5, 0);
  rutEnergy energy;
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &energy));
  assert_near(energy.throughput, 0, 0);
  for (int i = 0; i < 4; i++) {
    const rutWheelState wheel = rut_wheel_state(w.model, w.data, i);
    assert_near(wheel.force[0], 0, 0);
    assert_near(wheel.force[1], 0, 0);
  }
  const uint64_t before = rut_state_hash(w.model, w.data);
  rut_data_reset(w.model, w.data, 0);
  assert_true(rut_state_hash(w.model, w.data) == before);
  close_world(&w);
}

// The HMMWV starts where its springs, which are curves, nearly carry it.
static void the_hmmwv_carries_its_weight(void** state) {
  (void)state;
  World w = open_context();
  load_hmmwv(&w, "", "", NULL, NULL);
  const double weight = rut_vehicle_info(w.model, 0).mass * 9.81;
  assert_near(output(&w, "load"), weight, 1e-2 * weight);
  assert_near(load_of(&w, 0), load_of(&w, 1), 1e-2 * load_of(&w, 0));
  close_world(&w);
}

static void expect_no_slip(const World* w) {
  for (int k = 0; k < 4; k++) {
    const rutWheelState wheel = rut_wheel_state(w->model, w->data, k);
    if (wheel.slip[0] == 0 && wheel.slip[1] == 0) continue;
    fail_msg("t = %g s, wheel %d: slip %g, angle %g", rut_time(w->data), k, wheel.slip[0],
             wheel.slip[1]);
  }
}

static void wheels_at_rest_do_not_slip(void** state) {
  (void)state;
  World w = open_hmmwv("timestep='1 ms'", "steering='0.1'");
  expect_no_slip(&w);
  // it settles first
  run_until(&w, 3);
  for (int i = 0; i < 1000; i++) {
    step_world(&w);
    expect_no_slip(&w);
  }
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planar_wheels_share_the_weight),
      cmocka_unit_test(axles_carry_the_weight),
      cmocka_unit_test(axles_carry_by_their_levers),
      cmocka_unit_test(what_is_in_the_air_carries_nothing),
      cmocka_unit_test(the_state_is_left_as_it_was),
      cmocka_unit_test(the_hmmwv_carries_its_weight),
      cmocka_unit_test(wheels_at_rest_do_not_slip),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
