// SPDX-License-Identifier: BSD-3-Clause
//
// A vehicle with gears that starts moving: it coasts as one that has come to this speed by
// coasting, and as friction of its engine, air and tyres have it; a driver holds the speed from the
// start.
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

static void run(World* w, double seconds) { run_until(w, rut_time(w->data) + seconds); }
static double speed_of(const World* w) {
  return rut_vehicle_state(w->model, w->data, 0).velocity[0];
}
static double deceleration(World* w, double seconds) {
  const double before = speed_of(w);
  run(w, seconds);
  return (before - speed_of(w)) / seconds;
}

// Deceleration at a speed of what has come to it by coasting.
static double converged(double from, double speed) {
  char vehicle[100];
  snprintf(vehicle, sizeof vehicle, "tyre='fiala' speed='%g'", from);
  World w = open_hmmwv("timestep='1 ms'", vehicle);
  while (speed_of(&w) > speed) step_world(&w);
  const double result = deceleration(&w, 0.5);
  close_world(&w);
  return result;
}

static void test_coasts_as_converged(void** state) {
  static const double start[][2] = {{15, 17}, {20, 22}, {6, 7}};
  (void)state;
  for (int i = 0; i < 3; i++) {
    char vehicle[100];
    snprintf(vehicle, sizeof vehicle, "tyre='fiala' speed='%g'", start[i][0]);
    World w = open_hmmwv("timestep='1 ms'", vehicle);
    const double expected = converged(start[i][1], start[i][0]);
    assert_near(deceleration(&w, 0.5), expected, 0.015 * expected);
    close_world(&w);
  }
}

// In third gear, 6.25 turns of the turbine per turn of the wheels. The engine turns where its
// friction, 50 to 70 N m from 1000 to 2000 min^-1, is the converter's (w/K)^2; rolling resistance
// is 0.015 m of the load; drag area 2.45 m2; shafts of 0.5, 0.5, 0.5 and 0.3, casings of 0.6 and an
// engine of 0.5 kg m2.
static void test_coasts_as_computed(void** state) {
  const double mass = 2573.138, radius = 0.47 - 0.0109 / 3, speed = 15, rpm = 30 / 3.14159265358979;
  const double turbine = 6.25 * speed / radius;
  double low = 0.85 * turbine, high = turbine;
  (void)state;
  for (int i = 0; i < 60; i++) {
    const double w = 0.5 * (low + high), at = 2 - turbine / w;
    const double k = at < 0.9 ? 16 + 2 * (at - 0.75) / 0.15 : 18 + 17 * (at - 0.9) / 0.1;
    if (w * w / (k * k) > 50 + 0.02 * (w * rpm - 1000)) {
      low = w;
    } else {
      high = w;
    }
  }
  const double engine = 6.25 * (50 + 0.02 * (low * rpm - 1000));
  const double force = (engine + 0.015 * mass * 9.81) / radius + 0.5 * 1.2 * 2.45 * speed * speed;
  const double shafts = 25 * (0.5 + 0.5 + 0.5) + 2 * 0.6 + 6.25 * 6.25 * (0.3 + 0.5);
  const double turning = (shafts + 4 * (7.38782 + 0.4)) / (radius * radius);
  World w = open_hmmwv("timestep='1 ms'", "tyre='fiala' speed='15'");
  run(&w, 0.1);  // until the tyres have built up their slip
  const double expected = force / (mass + turning);
  assert_near(deceleration(&w, 0.3), expected, 0.015 * expected);
  close_world(&w);
}

static void test_driver_holds_the_speed(void** state) {
  (void)state;
  World w = open_hmmwv("timestep='1 ms'", "tyre='fiala' speed='15' driver='1'");
  while (rut_time(w.data) < 4) {
    step_world(&w);
    assert_near(speed_of(&w), 15, 0.1);
  }
  close_world(&w);
  // with an engine that the wheels alone would not keep turning
  w = open_hmmwv("timestep='1 ms'", "tyre='fiala' speed='10' driver='1'");
  while (rut_time(w.data) < 4) {
    step_world(&w);
    assert_near(speed_of(&w), 10, 0.15);
  }
  close_world(&w);
}

static double residual(const char* world, const char* vehicle) {
  World w = open_hmmwv(world, vehicle);
  rutEnergy e;
  run(&w, 1);
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  assert_true(e.throughput > 1e4);
  const double part = fabs(e.residual / e.throughput);
  close_world(&w);
  return part;
}

static void test_energy(void** state) {
  static const char* const rolls[] = {"tyre='fiala' speed='15'", "tyre='fiala' speed='7'",
                                      "tyre='fiala' speed='15' throttle='0.4' steering='0.1'"};
  (void)state;
  for (int i = 0; i < 3; i++) {
    assert_true(residual("timestep='0.5 ms' integrator='rk4'", rolls[i]) < 1e-7);
    assert_near(residual("timestep='1 ms'", rolls[i]), 0, 1e-3);
  }
}

// One among nine starts with the bits that it has alone, whatever the others do.
static void test_lanes(void** state) {
  char text[4000] = "<world timestep='1 ms'>";
  (void)state;
  for (int i = 0; i < 9; i++) {
    char one[200];
    snprintf(one, sizeof one, "<include file='vehicles/hmmwv.xml' name='v%d' y='%d' speed='%d'/>",
             i, 10 * i, 2 * i);
    strcat(text, one);
  }
  strcat(text, "</world>");
  World many = open_project_world(text);
  run(&many, 1);
  for (int i = 0; i < 9; i += 3) {
    char vehicle[100];
    snprintf(vehicle, sizeof vehicle, "name='v%d' y='%d' speed='%d'", i, 10 * i, 2 * i);
    World one = open_hmmwv("timestep='1 ms'", vehicle);
    run(&one, 1);
    const rutVehicleState a = rut_vehicle_state(one.model, one.data, 0);
    const rutVehicleState b = rut_vehicle_state(many.model, many.data, i);
    assert_near(a.velocity[0], b.velocity[0], 1e-9);
    close_world(&one);
  }
  close_world(&many);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_coasts_as_converged),
      cmocka_unit_test(test_coasts_as_computed),
      cmocka_unit_test(test_driver_holds_the_speed),
      cmocka_unit_test(test_energy),
      cmocka_unit_test(test_lanes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
