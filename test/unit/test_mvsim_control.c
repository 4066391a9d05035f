// SPDX-License-Identifier: BSD-3-Clause
//
// <controller> of MVSim worlds that take more than a controller of ours.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mvsim_fixture.h"

// Waypoints come in the order of their times; MVSim loops unless it is told otherwise.
static void test_trajectories(void** state) {
  (void)state;
  Load* load =
      parse_well(WORLD(
          "<vehicle name='a'><dynamics class='differential'><controller class='trajectory' "
          "loop='false'><lookahead_distance>0.4</lookahead_distance><waypoint t='5' x='3' y='1'/>"
          "<waypoint t='0' x='0' y='0'/></controller></dynamics>" POSE "</vehicle>"
          "<vehicle name='b'><dynamics class='ackermann'><controller class='trajectory'>"
          "<waypoint t='0' x='0' y='0'/><waypoint t='5' x='3' y='0'/></controller></dynamics>" POSE
          "</vehicle>"));
  assert_string_equal(type_of(load, "a/drive"), "twist_ideal");
  assert_string_equal(type_of(load, "a/path"), "trajectory");
  assert_string_equal(text_of(load, "a/path", "commands"), "drive");
  assert_value(number(load, "a/path", "closed"), 0);
  assert_value(number(load, "a/path", "lookahead"), 0.4);
  assert_int_equal(length_of(load, "a/path", "times"), 2);
  assert_int_equal(length_of(load, "a/path", "points"), 4);
  assert_value(part(load, "a/path", "times", 0), 0);
  assert_value(part(load, "a/path", "times", 1), 5);
  assert_value(part(load, "a/path", "points", 2), 3);
  assert_value(part(load, "a/path", "points", 3), 1);
  assert_value(number(load, "b/path", "closed"), 1);
  assert_value(number(load, "b/path", "lookahead"), 0.5);
  assert_value(number(load, "b/path", "max_yaw_rate"), 2);
  assert_int_equal(load->warnings, 0);
  close_load(load);
}

// Controllers that need more than rut has are stood in for by the nearest that it has, and said so.
static void test_controllers_that_stand_in(void** state) {
  (void)state;
  Load* load = parse_well(WORLD(
      "<vehicle name='c'><dynamics class='differential_4_wheels'><controller class='ros2_control'>"
      "<command_interface>velocity</command_interface><KP>18.3</KP><KI>474.5</KI>"
      "<max_torque>50</max_torque><controllers_yaml>c.yaml</controllers_yaml></controller>"
      "</dynamics>" POSE
      "</vehicle>"
      "<vehicle name='d'><dynamics class='differential'><controller class='ros2_control'>"
      "<command_interface>effort</command_interface></controller></dynamics>" POSE
      "</vehicle>"
      "<vehicle name='e'><dynamics class='differential'><controller class='ros2_control'/>"
      "</dynamics>" POSE "</vehicle>"));
  assert_string_equal(type_of(load, "c/controller[0]"), "twist_pid");
  assert_value(number(load, "c/controller[0]", "proportional_gain"), 18.3);
  assert_value(number(load, "c/controller[0]", "integral_gain"), 474.5);
  assert_value(number(load, "c/controller[0]", "max_torque"), 50);
  assert_string_equal(type_of(load, "d/controller[0]"), "raw");
  // MVSim's defaults (WheelJointsInterface.h)
  assert_value(number(load, "e/controller[0]", "proportional_gain"), 10);
  assert_value(number(load, "e/controller[0]", "max_torque"), 100);
  // one warning for each kind, in each file
  assert_int_equal(load->warnings, 2);
  assert_int_equal(count_of(load, RUT_WARNING, "twist_pid with these gains"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "torque_left, torque_right"), 1);
  close_load(load);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_trajectories),
                                     cmocka_unit_test(test_controllers_that_stand_in)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
