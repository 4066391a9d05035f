// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles on axles that meet walls, posts, crates and each other in space: momentum, the way in
// which they pitch, and their energy.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "vehicle_world.h"

#define CART(attributes, axle)                                                                    \
  "<vehicle " attributes                                                                          \
  "><chassis mass='50' com='0 0 0.4' inertia='2 3 4' z_min='0.2' z_max='0.6' outline='-0.6 -0.2 " \
  "0.6 -0.2 0.6 0.2 -0.6 0.2'/><suspension type='slider' stiffness='10000' damping='500'/>"       \
  "<tyre type='linear' stiffness='60000' damping='100'/>"                                         \
  "<axle x='0.4' track='0.6' radius='0.2' wheel_mass='2' wheel_inertia='0.05' " axle              \
  "/><axle x='-0.4' track='0.6' radius='0.2' wheel_mass='2' wheel_inertia='0.05' " axle           \
  "/><drive type='direct'/><controller type='raw'/></vehicle>"

// Momentum of a cart in the world: chassis and wheels, which follow it but for their slides.
static void cart_momentum(const World* w, int vehicle, double p[3]) {
  const rutVehicleState s = rut_vehicle_state(w->model, w->data, vehicle);
  const double c = cos(s.yaw), sn = sin(s.yaw);
  const double chassis[3] = {c * s.com_velocity[0] + sn * s.com_velocity[1],
                             -sn * s.com_velocity[0] + c * s.com_velocity[1], s.com_velocity[2]};
  double own[3] = {50 * chassis[0], 50 * chassis[1], 50 * chassis[2]};
  for (int i = 0; i < 4; i++) {
    const double x = i < 2 ? 0.4 : -0.4, y = i % 2 ? -0.3 : 0.3, z = -0.2;
    own[0] += 2 * (chassis[0] + s.rate[1] * z - s.rate[2] * y);
    own[1] += 2 * (chassis[1] + s.rate[2] * x - s.rate[0] * z);
  }
  p[0] = c * own[0] - sn * own[1];
  p[1] = sn * own[0] + c * own[1];
  p[2] = own[2];
}

static void block_momentum(const World* w, int block, double mass, double middle, double p[3]) {
  rutBlockMotion m;
  assert_true(rut_block_motion(w->model, w->data, block, &m));
  // an upright arm: the block has not turned yet
  const double arm[3] = {0, 0, middle}, *o = m.angular_velocity;
  p[0] = mass * (m.velocity[0] + o[1] * arm[2]);
  p[1] = mass * (m.velocity[1] - o[0] * arm[2]);
  p[2] = mass * m.velocity[2];
}

static bool has_met(const World* w) {
  int n = 0;
  const rutContact* c = rut_contacts(w->model, w->data, &n);
  return n > 0 && c[0].impulse > 0;
}

// Run until a contact has an impulse.
static void run_to_contact(World* w) {
  int steps = 0;
  do {
    assert_int_equal(rut_step(w->model, w->data, NULL), RUT_OK);
    assert_true(steps++ < 5000);
  } while (!has_met(w));
}

static void test_a_cart_and_a_crate_keep_momentum(void** state) {
  (void)state;
  static const double moving[2] = {4, -4};
  for (int i = 0; i < 2; i++) {
    char text[2000];
    snprintf(text, sizeof text,
             "<world gravity='0' timestep='1e-3'>" CART("position='0 0 50' on_ground='false' "
                                                        "velocity='%g 0 0'",
                                                        "width='0.1'")
                 "<block name='crate' shape='box' size='0.4 0.3 0.3' mass='15' motion='space' "
                 "friction='0' position='%g 0.1 50.3' velocity='%g 0'/></world>",
             i == 0 ? moving[0] : 0.0, i == 0 ? 1.2 : -1.2, i == 0 ? 0.0 : -moving[1]);
    World w = open_world(text);
    double before[2][3], after[2][3];
    cart_momentum(&w, 0, before[0]);
    block_momentum(&w, 0, 15, 0.15, before[1]);
    run_to_contact(&w);
    cart_momentum(&w, 0, after[0]);
    block_momentum(&w, 0, 15, 0.15, after[1]);
    const double p0 = before[0][0] + before[1][0], p1 = after[0][0] + after[1][0];
    assert_true(fabs(after[1][0] - before[1][0]) > 5);
    // wheels that hang slide across the chassis once it has begun to turn
    assert_near(p1, p0, 1e-4 * fabs(p0));
    rutEnergy e;
    assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
    assert_near(e.residual, 0, 1e-4 * e.throughput);
    close_world(&w);
  }
}

static void test_two_carts_keep_momentum(void** state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    char text[3000];
    snprintf(text, sizeof text,
             "<world gravity='0' timestep='1e-3'>" CART("name='a' position='0 0 50' "
                                                        "on_ground='false' velocity='4 0 0'",
                                                        "width='0.1'")
                 CART("name='b' position='1.6 %g %g' yaw='%g' on_ground='false' velocity='%g 0 0'",
                      "width='0.1'") "</world>",
             0.05 * i, 50 + 0.1 * (i - 1), i % 2 ? 3.141592653589793 : 0.0, i % 2 ? 2.0 : -1.0);
    World w = open_world(text);
    double a[3], b[3], before[3], after[3];
    cart_momentum(&w, 0, a);
    cart_momentum(&w, 1, b);
    for (int k = 0; k < 3; k++) before[k] = a[k] + b[k];
    run_to_contact(&w);
    cart_momentum(&w, 0, a);
    cart_momentum(&w, 1, b);
    for (int k = 0; k < 2; k++) after[k] = a[k] + b[k];
    assert_near(after[0], before[0], 1e-3 * 58 * 4);
    assert_near(after[1], before[1], 1e-3 * 58 * 4);
    close_world(&w);
  }
}

// A beam above the centre of mass lifts the nose, one below pushes it down. Positive is nose down.
static void test_the_height_of_a_hit_pitches(void** state) {
  (void)state;
  for (int low = 0; low < 2; low++) {
    char text[2000];
    snprintf(text, sizeof text,
             "<world gravity='0' timestep='1e-3'>" CART("position='0 0 50' on_ground='false' "
                                                        "velocity='3 0 0'",
                                                        "width='0.1'")
                 "<block name='beam' shape='box' size='0.2 2 0.1' fixed='true' friction='0' "
                 "position='1 0 %g'/></world>",
             low ? 50.22 : 50.48);
    World w = open_world(text);
    run_to_contact(&w);
    // the gap closes in the first step, the hit comes in the next
    for (int s = 0; s < 5; s++) assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
    const double rate = rut_vehicle_state(w.model, w.data, 0).rate[1];
    assert_true(low ? rate > 1 : rate < -1);
    close_world(&w);
  }
}

// No speed takes a truck through a wall, however thin it is.
static void test_no_truck_passes_through_a_wall(void** state) {
  (void)state;
  static const double speeds[4] = {2, 8, 14, 20}, thickness[2] = {0.02, 1};
  for (int i = 0; i < 8; i++) {
    char text[2000];
    snprintf(text, sizeof text,
             "<world timestep='5e-3'><include file='vehicles/four_by_four.xml' start='%g 0 0'/>"
             "<block name='wall' shape='box' size='%g 20 4' fixed='true' position='%g 0'/></world>",
             speeds[i % 4], thickness[i / 4], 4 + 0.5 * thickness[i / 4]);
    World w = open_project_world(text);
    for (int s = 0; s < 600; s++) {
      assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
      const rutVehicleState v = rut_vehicle_state(w.model, w.data, 0);
      // the front of the chassis is 2.3 m ahead, and may rise against the wall
      assert_true(v.position[0] + 2.3 * cos(v.pitch) < 4.12);
    }
    assert_true(rut_vehicle_state(w.model, w.data, 0).velocity[0] < 0.5);
    rutEnergy e;
    assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
    assert_near(e.residual, 0, 1e-3 * e.throughput);
    close_world(&w);
  }
}

// ---- random crashes ----

static uint64_t random_state = 88172645463325252u;

static double uniform(double low, double high) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return low + (high - low) * ((double)(random_state >> 11) * 0x1p-53);
}

// What contacts have given so far: to the cart, by its balance, and to two crates.
static double given_energy(const World* w) {
  rutEnergy e;
  assert_true(rut_vehicle_energy(w->model, w->data, 0, &e));
  double sum = -e.obstacle;
  for (int i = 0; i < 2; i++) {
    rutBlockMotion m;
    assert_true(rut_block_motion(w->model, w->data, i, &m));
    const double *q = m.quaternion, *o = m.angular_velocity, mass = 10, h = 0.2;
    // the middle of a cube: every axis is alike
    const double up[3] = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                          1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    const double v[3] = {m.velocity[0] + h * (o[1] * up[2] - o[2] * up[1]),
                         m.velocity[1] + h * (o[2] * up[0] - o[0] * up[2]),
                         m.velocity[2] + h * (o[0] * up[1] - o[1] * up[0])};
    const double spin = o[0] * o[0] + o[1] * o[1] + o[2] * o[2];
    sum += 0.5 * mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 0.5 * mass * 0.16 / 6 * spin +
           mass * 9.81 * (m.position[2] + h * up[2]);
  }
  return sum;
}

// Each crash is a check of its own. Builds with sanitizers, which are many times slower, make
// fewer.
static int crashes(void) {
  const char* sanitize = getenv("RUT_SANITIZE");
  return sanitize && *sanitize ? 20 : 100;
}

// What stands still does no work: on a crate, and pushed against a wall by its own wheels. Work of
// the forces of a step on the speed that contact then takes away again would add up.
static const char* const still_worlds[] = {
    "<block name='crate' shape='box' size='2.4 3 0.3' mass='3000' motion='space' "
    "position='1.5 0 0'/>",
    "<block name='wall' shape='box' size='1 4 2' fixed='true' position='3 0 0'/>"};

static World open_still(int place, const char* integrator) {
  char text[2000];
  snprintf(text, sizeof text,
           "<world timestep='1e-3' integrator='%s'><soil type='magic_formula' surface='dry'/>%s"
           "<vehicle position='0 0 %g' on_ground='%s'>"
           "<chassis mass='2090' com='0.12 0 0.85' z_min='0.4' z_max='1.7' "
           "outline='-2.1 -0.9 2.3 -0.9 2.3 0.9 -2.1 0.9'/>"
           "<suspension type='slider' stiffness='80e3' damping='8e3'/><tyre type='fiala'/>"
           "<axle x='1.53' track='1.6' radius='0.47' width='0.3' wheel_mass='62'/>"
           "<axle x='-1.28' track='1.6' radius='0.47' width='0.3' wheel_mass='62'/>"
           "<drive type='direct'/><controller type='raw' torque_left='%d' torque_right='%d'/>"
           "</vehicle></world>",
           integrator, still_worlds[place], place ? 0.0 : 0.35, place ? "true" : "false",
           place ? 600 : 0, place ? 600 : 0);
  return open_world(text);
}

static rutEnergy energy_after(World* w, int steps) {
  for (int s = 0; s < steps; s++) assert_int_equal(rut_step(w->model, w->data, NULL), RUT_OK);
  rutEnergy e;
  assert_true(rut_vehicle_energy(w->model, w->data, 0, &e));
  return e;
}

static void test_what_stands_still_does_no_work(void** state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    World w = open_still(i, "semi_implicit");
    const rutEnergy before = energy_after(&w, 8000), after = energy_after(&w, 2000);
    assert_true(after.kinetic < 1e-6);
    // no account has taken 0.1 W
    assert_near(after.damper, before.damper, 0.2);
    assert_near(after.tyre, before.tyre, 0.2);
    assert_near(after.rolling, before.rolling, 0.2);
    assert_near(after.obstacle, before.obstacle, 0.2);
    assert_near(after.residual, before.residual, 1e-3);
    close_world(&w);
  }
}

// Runge-Kutta steps move a vehicle by its forces before contact ends that motion: contact moves it
// back, or it would be pressed into the crate, and driven off it in the end.
static void test_a_crate_carries_in_runge_kutta_steps(void** state) {
  (void)state;
  World w = open_still(0, "rk4");
  const double before = energy_after(&w, 3000).obstacle;
  const double x = rut_vehicle_state(w.model, w.data, 0).position[0];
  const double z = rut_vehicle_state(w.model, w.data, 0).position[2];
  const rutEnergy after = energy_after(&w, 9000);
  const rutVehicleState end = rut_vehicle_state(w.model, w.data, 0);
  assert_near(end.position[2], z, 1e-5);
  assert_near(end.position[0], x, 0.01);
  // contact gives nothing
  assert_true(after.obstacle > before - 0.1);
  assert_true(after.kinetic < 0.01);
  close_world(&w);
}

// Contacts take energy all the time. Tyres that meet things give back what they took, so that with
// them it stays below that of the start.
static void test_random_crashes_gain_no_energy(void** state) {
  (void)state;
  double worst[2] = {0, 0}, most = 0;
  int met = 0;
  const int all = crashes();
  for (int i = 0; i < all; i++) {
    char text[3000];
    snprintf(text, sizeof text,
             "<world timestep='5e-4'>" CART("position='0 0' velocity='%g 0 0'", "width='%g'")
                 "<block name='a' shape='box' size='0.4 0.4 0.4' mass='10' motion='space' "
                 "restitution='%g' position='%g %g' yaw='%g'/>"
                 "<block name='b' shape='box' size='0.4 0.4 0.4' mass='10' motion='space' "
                 "position='%g %g' yaw='%g'/>"
                 "<block name='post' shape='cylinder' radius='%g' length='%g' fixed='true' "
                 "position='%g %g'/>"
                 "<block name='wall' shape='box' size='0.3 4 %g' fixed='true' position='4 0' "
                 "yaw='%g'/></world>",
             uniform(1, 12), i % 2 ? 0.1 : 0.0, i % 2 ? 0.1 : 0.0, uniform(0, 0.8), uniform(1, 1.4), uniform(-0.4, 0.4), uniform(0, 3),
             uniform(2.4, 3), uniform(-0.4, 0.4), uniform(0, 3), uniform(0.05, 0.1),
             uniform(0.1, 2), uniform(1.8, 2), uniform(-0.8, 0.8), uniform(0.1, 1),
             uniform(-0.5, 0.5));
    World w = open_world(text);
    rutEnergy e;
    assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
    const double start = given_energy(&w), scale = start + e.kinetic + e.potential;
    double least = start;
    bool touched = false;
    for (int s = 0; s < 4000; s++) {
      assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
      const double now = given_energy(&w);
      worst[i % 2] = fmax(worst[i % 2], (now - least) / scale);
      // from its least so far
      if (i % 2 == 0) least = fmin(least, now);
      touched = touched || has_met(&w);
    }
    met += touched;
    assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
    most = fmax(most, fabs(e.residual) / e.throughput);
    close_world(&w);
  }
  print_message(
      "%d of %d met; largest gain of energy %.2g of the whole, with tyres %.2g; largest "
      "residual %.2g of the throughput\n",
      met, all, worst[0], worst[1], most);
  assert_true(10 * met > 9 * all);
  assert_true(worst[0] < 1e-3);
  assert_true(worst[1] < 1e-3);
  assert_true(most < 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_cart_and_a_crate_keep_momentum),
      cmocka_unit_test(test_two_carts_keep_momentum),
      cmocka_unit_test(test_the_height_of_a_hit_pitches),
      cmocka_unit_test(test_no_truck_passes_through_a_wall),
      cmocka_unit_test(test_what_stands_still_does_no_work),
      cmocka_unit_test(test_a_crate_carries_in_runge_kutta_steps),
      cmocka_unit_test(test_random_crashes_gain_no_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
