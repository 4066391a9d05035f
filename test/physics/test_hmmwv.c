// SPDX-License-Identifier: BSD-3-Clause
//
// A whole vehicle on double wishbones through the public interface: how it stands, against Project
// Chrono's converged run; its balance of energy; mirror and frame.
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
#include "sim/model.h"
#include "vehicle_world.h"

// ---- at rest ----

// Loads, height, pitch and the toe of the front wheels, which hang 0.11 m below their design
// position; Chrono's Fiala tyre has 580 kN/m.
static void test_rest_against_chrono(void** state) {
  static const double load[4] = {6495.7, 6494.1, 6127.6, 6125.2};
  (void)state;
  World w = open_hmmwv("timestep='1 ms'", "tyre='fiala' brake='1'");
  run_until(&w, 3);
  for (int i = 0; i < 4; i++) {
    assert_near(rut_wheel_state(w.model, w.data, i).load, load[i], 1e-3 * load[i]);
  }
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  assert_near(s.position[2], 0.59083, 0.002);
  assert_near(s.pitch * 57.29578, 0.167, 0.02);
  assert_near(s.velocity[0], 0, 1e-6);
  for (int i = 0; i < 2; i++) {
    const double toe = rut_wheel_state(w.model, w.data, i).steer * 57.29578;
    assert_near(toe, i ? 1.1 : -1.1, 0.05);
    // how far the tyres' scrub lets it down, its brakes locked, is not unique
    assert_near(rut_wheel_state(w.model, w.data, i).travel, -0.106, 0.005);
  }
  close_world(&w);
}

// It starts as it stands: nothing moves but what the small angles of the start leave.
static void test_starts_settled(void** state) {
  (void)state;
  World w = open_hmmwv("timestep='1 ms'", "tyre='linear' brake='1'");
  const double before = rut_vehicle_state(w.model, w.data, 0).position[2];
  run_until(&w, 2);
  assert_near(rut_vehicle_state(w.model, w.data, 0).position[2], before, 2e-4);
  close_world(&w);
}

// Chrono measures the mass, the centre of mass and the yaw inertia of the whole vehicle at rest.
static void test_mass_against_chrono(void** state) {
  (void)state;
  World w = open_hmmwv("timestep='1 ms'", "tyre='fiala'");
  const rutGroup* g = w.model->group;
  assert_near(g->mass, 2573.138, 1e-3);
  assert_near(g->com[0], 0.04842, 1e-5);
  assert_near(g->com[1], 0.00016, 1e-5);
  assert_near(g->yaw_inertia, 5216.64, 1e-3 * 5216.64);
  close_world(&w);
}

// ---- energy ----

static double residual(const char* world, const char* vehicle) {
  World w = open_hmmwv(world, vehicle);
  run_until(&w, 4);
  rutEnergy e;
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  assert_true(e.throughput > 2e3);
  const double part = e.residual / e.throughput;
  close_world(&w);
  return fabs(part);
}

// Driving with a steered linkage and springs with kinks: what goes in is what is stored and lost.
// With Runge-Kutta steps to their order, with the default steps to first order. A shift of gears,
// which lets shafts slip, keeps the balance too.
static void test_energy(void** state) {
  static const char* const coast = "tyre='linear' drive='direct' steering='0.2' speed='5'";
  static const char* const shift = "tyre='fiala' throttle='0.5' steering='0.2' speed='8'";
  (void)state;
  assert_true(residual("timestep='0.25 ms' integrator='rk4'", coast) < 1e-8);
  const double whole = residual("timestep='1 ms'", coast);
  const double half = residual("timestep='0.5 ms'", coast);
  assert_near(whole, 0, 3e-5);
  assert_true(half < 0.7 * whole);
  assert_true(residual("timestep='0.5 ms' integrator='rk4'", shift) < 1e-7);
}

// ---- symmetry ----

static const char* const middle[2] = {"hmmwv/chassis.com", "0.059266 0 0.212631"};

static void test_mirror(void** state) {
  (void)state;
  World left = open_hmmwv_with("timestep='1 ms'", "throttle='0.4' steering='0.3' speed='6'",
                               middle[0], middle[1]);
  World right = open_hmmwv_with("timestep='1 ms'", "throttle='0.4' steering='-0.3' speed='6'",
                                middle[0], middle[1]);
  run_until(&left, 3);
  run_until(&right, 3);
  const rutVehicleState a = rut_vehicle_state(left.model, left.data, 0);
  const rutVehicleState b = rut_vehicle_state(right.model, right.data, 0);
  assert_true(a.position[1] > 1);
  assert_near(a.position[0], b.position[0], 1e-12);
  assert_near(a.position[1], -b.position[1], 1e-12);
  assert_near(a.position[2], b.position[2], 1e-12);
  assert_near(a.roll, -b.roll, 1e-12);
  assert_near(a.yaw, -b.yaw, 1e-12);
  for (int i = 0; i < 4; i++) {
    const double load = rut_wheel_state(left.model, left.data, i).load;
    assert_near(load, rut_wheel_state(right.model, right.data, i ^ 1).load, 1e-8);
  }
  close_world(&left);
  close_world(&right);
}

static void test_frame(void** state) {
  (void)state;
  World a = open_hmmwv("timestep='1 ms'", "throttle='0.4' steering='0.3' speed='6'");
  World b = open_hmmwv("timestep='1 ms'", "throttle='0.4' steering='0.3' speed='6' yaw='73'");
  run_until(&a, 3);
  run_until(&b, 3);
  const rutVehicleState s = rut_vehicle_state(a.model, a.data, 0);
  const rutVehicleState t = rut_vehicle_state(b.model, b.data, 0);
  const double yaw = 73 / 57.295779513082323, c = cos(yaw), d = sin(yaw);
  assert_near(c * s.position[0] - d * s.position[1], t.position[0], 1e-12);
  assert_near(d * s.position[0] + c * s.position[1], t.position[1], 1e-12);
  assert_near(s.yaw + yaw, t.yaw, 1e-12);
  close_world(&a);
  close_world(&b);
}

// One vehicle among nine has the bits that it has alone.
static void test_lanes(void** state) {
  char text[4000] = "<world timestep='1 ms'>";
  (void)state;
  for (int i = 0; i < 9; i++) {
    char one[200];
    snprintf(one, sizeof one,
             "<include file='vehicles/hmmwv.xml' name='v%d' y='%d' throttle='0.4' steering='0.2'/>",
             i, 10 * i);
    strcat(text, one);
  }
  strcat(text, "</world>");
  World many = open_project_world(text);
  snprintf(text, sizeof text,
           "<world timestep='1 ms'><include file='vehicles/hmmwv.xml' name='v3' y='30' "
           "throttle='0.4' steering='0.2'/></world>");
  World one = open_project_world(text);
  run_until(&many, 2);
  run_until(&one, 2);
  const rutVehicleState a = rut_vehicle_state(one.model, one.data, 0);
  const rutVehicleState b = rut_vehicle_state(many.model, many.data, 3);
  assert_memory_equal(a.position, b.position, sizeof a.position);
  assert_memory_equal(a.velocity, b.velocity, sizeof a.velocity);
  assert_memory_equal(a.rate, b.rate, sizeof a.rate);
  close_world(&many);
  close_world(&one);
}

// ---- Runge-Kutta steps ----

static void count_steps(const rutDiagnostic* finding, void* user) {
  int* warnings = (int*)user;
  if (finding->level == RUT_WARNING && strstr(finding->message, "Runge-Kutta")) *warnings += 1;
}

// Energy that a vehicle at rest gains or loses in steps of so many seconds [J]; whether there was a
// warning of them.
static double gain_at_rest(double step, int* warnings) {
  char world[100];
  World w = {0};
  *warnings = 0;
  rutContextDef def = rut_default_context();
  def.report = count_steps;
  def.user = warnings;
  snprintf(world, sizeof world, "timestep='%g' integrator='rk4'", step);
  assert_int_equal(rut_context_create(&def, &w.context, NULL), RUT_OK);
  load_hmmwv(&w, world, "tyre='linear' drive='direct'", NULL, NULL);
  run_until(&w, 4);
  rutEnergy e;
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  close_world(&w);
  return fabs(e.residual);
}

// A warning comes before the steps at which the vehicle begins to shake by itself.
static void test_long_steps(void** state) {
  (void)state;
  int warnings;
  assert_true(gain_at_rest(1e-3, &warnings) < 1e-6);
  assert_int_equal(warnings, 0);
  assert_true(gain_at_rest(0.02, &warnings) < 0.01);
  assert_int_equal(warnings, 0);
  assert_true(gain_at_rest(0.03, &warnings) > 100);
  assert_int_equal(warnings, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rest_against_chrono),
      cmocka_unit_test(test_starts_settled),
      cmocka_unit_test(test_mass_against_chrono),
      cmocka_unit_test(test_energy),
      cmocka_unit_test(test_mirror),
      cmocka_unit_test(test_frame),
      cmocka_unit_test(test_lanes),
      cmocka_unit_test(test_long_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
