// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles on motors of their own (drive direct): speed, power and top speed by the line of torque
// over speed, against closed forms.
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

// A cart of 100 kg on four wheels of 2 kg and 0.2 m radius, discs of I/r^2 = 1 kg: an accelerating
// force moves 104 kg. By default its motors pull with its weight at rest, and turn at 10 m/s
// without load.
#define MASS    100.0
#define MOVED   104.0
#define RADIUS  0.2
#define PULL    (MASS * 9.80665)
#define TOP     10.0
#define GRAVITY 9.81
#define MUCH    "torque_left='1000' torque_right='1000'"

typedef struct Cart {
  double timestep;
  const char *vehicle, *tyre, *drive, *controller;  // attributes, of the controller all
} Cart;

static World open_cart(Cart c) {
  static const char* const places[] = {"rear_left", "rear_right", "front_left", "front_right"};
  char text[2000], wheels[800];
  int n = 0;
  for (int w = 0; w < 4; w++) {
    n += snprintf(wheels + n, sizeof wheels - (size_t)n,
                  "<wheel place='%s' position='%g %g' mass='2' radius='0.2'/>", places[w],
                  w < 2 ? -0.4 : 0.4, w % 2 ? -0.4 : 0.4);
  }
  snprintf(text, sizeof text,
           "<world timestep='%.17g'><vehicle name='c' %s>"
           "<chassis mass='92' outline='-0.5 -0.4 0.5 -0.4 0.5 0.4 -0.5 0.4'/>%s"
           "<tyre type='coulomb' %s/><drive type='direct' %s/>%s</vehicle></world>",
           c.timestep, c.vehicle, wheels, c.tyre, c.drive, c.controller);
  return open_world(text);
}

#define GRIPS "friction='2' bearing_damping='0'"
#define RAW   "<controller type='raw' " MUCH "/>"

static double speed_of(const World* w) {
  return rut_vehicle_state(w->model, w->data, 0).velocity[0];
}
static double spin_of(const World* w, int wheel) {
  return rut_wheel_state(w->model, w->data, wheel).speed;
}

// Nothing resists: M v' = F (1 - v/v_0), hence v = v_0 (1 - exp(-t F/(M v_0))), to first order in
// the step. The power F v (1 - v/v_0) is largest at v_0/2, where it is F v_0/4, 24.5 W/kg.
static void test_speed_and_power(void** state) {
  static const double step[] = {1e-3, 5e-3, 0.02};
  const double rate = PULL / (MOVED * TOP);
  (void)state;
  for (int i = 0; i < 3; i++) {
    double most = 0, at = 0;
    World w = open_cart((Cart){step[i], "", GRIPS, "", RAW});
    while (rut_time(w.data) < 3) {
      double power = 0;
      const double before = speed_of(&w);
      step_world(&w);
      for (int k = 0; k < 4; k++) {
        power += rut_wheel_state(w.model, w.data, k).torque * before / RADIUS;
      }
      if (power > most) at = before;
      most = fmax(most, power);
      const double expected = TOP * (1 - exp(-rate * rut_time(w.data)));
      assert_near(speed_of(&w), expected, 0.2 * TOP * rate * step[i]);
    }
    assert_near(most, PULL * TOP / 4, 1e-3 * PULL * TOP / 4);
    assert_near(at, TOP / 2, 0.6 * TOP * rate * step[i]);
    close_world(&w);
  }
}

// Rolling resistance C m g and bearings 4 c v/r^2 against the line: the top speed.
static void test_top_speed(void** state) {
  const double rolling = 0.1, damping = 0.5, bearing = 4 * damping / (RADIUS * RADIUS);
  const double expected = (PULL - rolling * MASS * GRAVITY) / (PULL / TOP + bearing);
  (void)state;
  World w = open_cart(
      (Cart){5e-3, "", "friction='2' bearing_damping='0.5' rolling_resistance='0.1'", "", RAW});
  run_until(&w, 30);
  assert_near(speed_of(&w), expected, 1e-9);
  close_world(&w);
}

// Numbers of one's own: 5 N m at rest, 30 rad/s without load, and no fall, and no limit.
static void test_own_limits(void** state) {
  (void)state;
  World w = open_cart((Cart){1e-3, "", GRIPS, "max_torque='5' no_load_speed='30'", RAW});
  run_until(&w, 2);
  const double force = 4 * 5 / RADIUS;
  assert_near(speed_of(&w), 6 * (1 - exp(-2 * force / (MOVED * 6))), 1e-3);
  run_until(&w, 60);
  assert_near(speed_of(&w), 6, 1e-3);
  close_world(&w);
  w = open_cart((Cart){1e-3, "", GRIPS, "max_torque='5' no_load_speed='0'", RAW});
  run_until(&w, 20);
  assert_near(speed_of(&w), 20 * force / MOVED, 1e-9);
  close_world(&w);
  w = open_cart((Cart){1e-3, "", "friction='100' bearing_damping='0'", "max_torque='0'", RAW});
  run_until(&w, 2);
  assert_near(speed_of(&w), 2 * 4 * 1000 / RADIUS / MOVED, 1e-9);
  close_world(&w);
}

// Above the no-load speed a motor does not push, and without demand it does not brake; asked to
// brake it has its torque at rest.
static void test_above_no_load_speed(void** state) {
  static const char* const controller[] = {
      RAW, "<controller type='raw'/>",
      "<controller type='raw' torque_left='-1000' torque_right='-1000'/>"};
  static const double force[] = {0, 0, -PULL};
  (void)state;
  for (int i = 0; i < 3; i++) {
    World w = open_cart((Cart){1e-3, "velocity='25 0'", GRIPS, "", controller[i]});
    run_until(&w, 1);
    assert_near(speed_of(&w), 25 + force[i] / MOVED, 1e-9);
    close_world(&w);
  }
}

// On ice the wheels spin: the line against the friction, w = w_0 (1 - r mu N/T) with T = r F/4.
static void test_spinning_wheels(void** state) {
  static const double friction = 0.05;
  (void)state;
  World w = open_cart((Cart){1e-3, "", "friction='0.05' bearing_damping='0'", "", RAW});
  run_until(&w, 1);
  const double expected = TOP / RADIUS * (1 - friction * GRAVITY / 9.80665);
  for (int k = 0; k < 4; k++) assert_near(spin_of(&w, k), expected, 1e-6);
  assert_near(speed_of(&w), friction * GRAVITY, 1e-6);
  close_world(&w);
}

// A loop of any gain takes the vehicle to its set point without overshoot, at most as fast as the
// motors do, on two wheels and on four.
static void test_loops(void** state) {
  static const double step[] = {1e-3, 5e-3, 0.02};
  static const double gain[] = {50, 1e3, 1e6};
  char loop[200];
  (void)state;
  for (int i = 0; i < 9; i++) {
    const double h = step[i % 3], rate = PULL / (MOVED * TOP);
    snprintf(loop, sizeof loop,
             "<controller type='twist_pid' proportional_gain='%g' max_torque='0' speed='3'/>",
             gain[i / 3]);
    World w = open_cart((Cart){h, "", GRIPS, "", loop});
    while (rut_time(w.data) < 3) {
      step_world(&w);
      const double most = TOP * (1 - exp(-rate * rut_time(w.data)));
      assert_true(speed_of(&w) <= fmin(3, most + 0.2 * TOP * rate * h) + 1e-9);
    }
    assert_near(speed_of(&w), 3, 1e-3);
    close_world(&w);
  }
}

// The integral of a loop with anti-windup stops at what the motors have: after a long time beyond
// reach the vehicle obeys at once, and brakes with all that they have.
static void test_integral_knows_the_limit(void** state) {
  (void)state;
  World w =
      open_cart((Cart){5e-3, "", GRIPS, "max_torque='20'",
                       "<controller type='twist_pid' proportional_gain='20' "
                       "integral_gain='20' max_torque='1000' anti_windup='true' speed='15'/>"});
  run_until(&w, 20);
  assert_near(speed_of(&w), TOP, 0.01);
  const double slower[] = {5, 0};
  assert_int_equal(rut_command(w.model, w.data, 0, 2, slower), RUT_OK);
  run_until(&w, 20.05);
  const double from = speed_of(&w);
  run_until(&w, 20.25);
  assert_near((speed_of(&w) - from) / 0.2, -4 * 20 / RADIUS / MOVED, 0.05);
  close_world(&w);
}

// Wheels on springs. In the air, turned against each other, w = w_0 (1 - exp(-t T/(I w_0))); on the
// ground the wheels reach w_0, and the vehicle v_0.
static void test_on_axles(void** state) {
  static const char text[] =
      "<world timestep='1 ms'>"
      "<soil type='magic_formula' surface='user' d='1' rolling_resistance='0'/>"
      "<vehicle name='v' position='0 0 %g'>"
      "<chassis mass='80' com='0 0 0.2' z_min='0.1' z_max='0.4' drag_area='0' "
      "outline='-0.6 -0.3 0.6 -0.3 0.6 0.3 -0.6 0.3'/>"
      "<suspension type='slider' stiffness='10 kN/m' damping='600'/>"
      "<tyre type='linear' stiffness='60 kN/m' bearing='0'/>"
      "<axle x='0.5' track='0.8' radius='0.2' wheel_mass='5' wheel_inertia='0.1'/>"
      "<axle x='-0.5' track='0.8' radius='0.2' wheel_mass='5' wheel_inertia='0.1'/>"
      "<drive type='direct' max_torque='10'/>"
      "<controller type='raw' torque_left='1000' torque_right='%g'/></vehicle></world>";
  const double top = TOP / RADIUS, expected = top * (1 - exp(-1 * 10 / (0.1 * top)));
  char world[2000];
  (void)state;
  snprintf(world, sizeof world, text, 40.0, -1000.0);
  World w = open_world(world);
  run_until(&w, 1);
  for (int k = 0; k < 4; k++) assert_near(fabs(spin_of(&w, k)), expected, 0.05);
  close_world(&w);
  snprintf(world, sizeof world, text, 0.0, 1000.0);
  w = open_world(world);
  run_until(&w, 60);
  for (int k = 0; k < 4; k++) assert_near(spin_of(&w, k), top, 1e-3 * top);
  // the tyre is pressed in by 5 mm of 200
  assert_near(speed_of(&w), TOP, 0.03 * TOP);
  close_world(&w);
}

// A vehicle of three wheels on axles, the front one between the two sides.
static World open_trike(const char* front, const char* drive, const char* controller) {
  char text[2000];
  snprintf(
      text, sizeof text,
      "<world timestep='1 ms'><soil type='magic_formula' surface='dry'/>"
      "<vehicle name='t'><chassis mass='2000' com='0 0 0.7' z_min='0.4' z_max='1.5' "
      "outline='-2 -0.8 2 -0.8 2 0.8 -2 0.8'/>"
      "<suspension type='slider' stiffness='80000' damping='8000'/>"
      "<tyre type='linear' stiffness='320000' damping='1000'/>%s"
      "<axle x='-1' track='1.4' radius='0.4' width='0.2' wheel_mass='20'/>%s%s</vehicle></world>",
      front, drive, controller);
  return open_world(text);
}
#define MIDDLE "<axle x='1' track='0' radius='0.4' width='0.2' wheel_mass='20' max_steer='30 deg'/>"

static double torque_of(const World* w, int wheel) {
  return rut_wheel_state(w->model, w->data, wheel).torque;
}

// By symmetry a wheel in the middle gets the mean of the demands of both sides, so that equal
// demands drive a symmetric vehicle straight on, at the force that is asked for.
static void test_wheel_in_the_middle(void** state) {
  static const char* const drives[] = {
      "<drive type='direct'/>",
      "<drive type='dc_motor' command='side' gear='30' torque_constant='0.1' resistance='0.1' "
      "battery_voltage='400' max_current='500'/>"};
  (void)state;
  for (int d = 0; d < 2; d++) {
    World w = open_trike(MIDDLE, drives[d],
                         "<controller type='raw' torque_left='100' torque_right='40'/>");
    step_world(&w);
    assert_near(torque_of(&w, 1), 100, 1e-9);
    assert_near(torque_of(&w, 2), 40, 1e-9);
    assert_near(torque_of(&w, 0), 70, 1e-9);
    close_world(&w);
    w = open_trike(MIDDLE, drives[d],
                   "<controller type='p_gravity' speed='3' speed_gain='5' max_acceleration='2'/>");
    for (int k = 0; k < 5000; k++) {
      step_world(&w);
      assert_near(rut_vehicle_state(w.model, w.data, 0).position[1], 0, 1e-12);
      if (k == 0) assert_near(torque_of(&w, 0), 2060 * 2 * 0.4 / 3, 1e-9);
    }
    assert_near(speed_of(&w), 3, 0.05);
    close_world(&w);
  }
}

// A lone wheel under the vehicle gets what is asked for.
static void test_one_wheel(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='1 ms'><soil type='magic_formula' surface='dry'/>"
      "<vehicle name='t'><chassis mass='200' com='0 0 0.3' z_min='0.2' z_max='0.5' "
      "outline='-1 -0.8 1 -0.8 1 0.8 -1 0.8'/>"
      "<suspension type='slider' stiffness='8000' damping='800'/>"
      "<tyre type='linear' stiffness='32000' damping='100'/>"
      "<axle x='0' track='0' radius='0.4' width='0.2' wheel_mass='20'/><drive type='direct'/>"
      "<controller type='p_gravity' speed='3' speed_gain='5' max_acceleration='2'/>"
      "</vehicle></world>");
  step_world(&w);
  assert_near(torque_of(&w, 0), 220 * 2 * 0.4, 1e-9);
  close_world(&w);
}

// Only the axle that is named has motors, whether the vehicle steers, and how many wheels it has.
static void test_driven_axle(void** state) {
  static const char* const fronts[] = {
      MIDDLE, "<axle x='1' track='0' radius='0.4' width='0.2' wheel_mass='20'/>",
      "<axle x='1' track='1.4' radius='0.4' width='0.2' wheel_mass='20'/>"};
  static const int wheels[] = {1, 1, 2};  // on it
  (void)state;
  for (int i = 0; i < 3; i++) {
    World w = open_trike(fronts[i], "<drive type='direct' driven='rear'/>",
                         "<controller type='p_gravity' speed='3' speed_gain='5' "
                         "max_acceleration='2'/>");
    step_world(&w);
    const int rear = wheels[i];
    for (int k = 0; k < rear; k++) assert_near(torque_of(&w, k), 0, 0);
    const double mass = 2000 + 20 * (rear + 2);
    assert_near(torque_of(&w, rear), mass * 2 * 0.4 / 2, 1e-9);
    assert_near(torque_of(&w, rear + 1), torque_of(&w, rear), 0);
    close_world(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_speed_and_power),
      cmocka_unit_test(test_top_speed),
      cmocka_unit_test(test_own_limits),
      cmocka_unit_test(test_above_no_load_speed),
      cmocka_unit_test(test_spinning_wheels),
      cmocka_unit_test(test_loops),
      cmocka_unit_test(test_integral_knows_the_limit),
      cmocka_unit_test(test_on_axles),
      cmocka_unit_test(test_wheel_in_the_middle),
      cmocka_unit_test(test_one_wheel),
      cmocka_unit_test(test_driven_axle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
