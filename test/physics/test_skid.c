// SPDX-License-Identifier: BSD-3-Clause
//
// Skid-steered vehicles follow their path with the gains that they come with, whatever drives them
// and however many wheels they have; and what is told about the path.
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

#define PATH        "0 0, 10 0, 15 8, 5 12"
#define PATH_LENGTH (10 + 9.433981132 + 10.770329614)  // 10, sqrt(25 + 64), sqrt(100 + 16)
#define MOTOR                                                                    \
  "efficiency='0.9' torque_constant='0.08' resistance='0.05' max_current='100' " \
  "battery_voltage='48' battery_current='250'"

// Output of a vehicle; of the first one.
static double told_of(const World* w, int vehicle, const char* name) {
  const int n = rut_variables(w->model, RUT_VEHICLE, vehicle, RUT_OUTPUT);
  for (int i = 0; i < n; i++) {
    double value = NAN;
    if (strcmp(rut_variable(w->model, RUT_VEHICLE, vehicle, RUT_OUTPUT, i).name, name) != 0)
      continue;
    const rutVariableRange range = {RUT_VEHICLE, vehicle, RUT_OUTPUT, i, 1};
    assert_int_equal(rut_variables_read(w->model, w->data, &range, 1, &value), RUT_OK);
    return value;
  }
  fail_msg("no output %s", name);
  return NAN;
}
static double told(const World* w, const char* name) { return told_of(w, 0, name); }

typedef struct Rover {
  int wheels;
  const char *world, *tyre, *drive, *controller;
} Rover;

// 480 kg on axles 0.65 m apart, on level ground.
static World open_on_axles(Rover r) {
  char text[4000], axles[1000];
  int n = 0;
  for (int i = 0; i < r.wheels / 2; i++) {
    n += snprintf(axles + n, sizeof axles - (size_t)n,
                  "<axle x='%g' track='1.1' radius='0.3' width='0.2' wheel_mass='20'/>",
                  0.65 * (0.25 * r.wheels - 0.5 - i));
  }
  snprintf(text, sizeof text,
           "<world %s><plane x_min='-50' x_max='50' y_min='-50' y_max='50'/><vehicle name='v'>"
           "<chassis mass='%d' com='0 0 0.45' z_min='0.25' z_max='0.8' "
           "outline='-1 -0.4, 1 -0.4, 1 0.4, -1 0.4'/><suspension type='slider' "
           "stiffness='20e3' damping='1500' bump_travel='0.1' rebound_travel='0.1'/>"
           "<tyre type='linear' stiffness='80e3' damping='300'/>%s%s%s</vehicle></world>",
           r.world, 480 - 20 * r.wheels, axles, r.drive, r.controller);
  return open_world(text);
}

// A planar robot of 30 kg and 2 kg a wheel, axles `apart` from each other, 0.6 m wide.
static World open_planar(Rover r, double apart) {
  static const char* const place[] = {"rear_left", "rear_right", "front_left", "front_right"};
  char text[5000], wheels[2000];
  const int axles = r.wheels / 2;
  int n = 0;
  for (int w = 0; w < r.wheels; w++) {
    const int axle = w / 2, last = axle == axles - 1;
    const char* there = axle == 0 ? place[w] : (last ? place[2 + w % 2] : "other");
    n += snprintf(wheels + n, sizeof wheels - (size_t)n,
                  "<wheel place='%s' position='%g %g' mass='2' radius='0.15' width='0.1'/>",
                  axles == 1 ? (w ? "right" : "left") : there, apart * (axle - 0.5 * (axles - 1)),
                  w % 2 ? -0.3 : 0.3);
  }
  snprintf(text, sizeof text,
           "<world %s><vehicle name='v'>"
           "<chassis mass='30' outline='-0.6 -0.25 0.6 -0.25 0.6 0.25 -0.6 0.25'/>%s%s%s%s"
           "</vehicle></world>",
           r.world, wheels, r.tyre, r.drive, r.controller);
  return open_world(text);
}

// It comes to the goal, cuts corners by no more than a lookahead of 5 m does (the arc between two
// points of a corner of 102 degrees, 5 m from it: 2.4 m), and has the whole path behind it.
static void follow(World* w, double time) {
  run_until(w, time);
  assert_true(told(w, "goal_reached") == 1);
  assert_true(told(w, "cross_track_max") < 1.5);
  assert_true(told(w, "cross_track_rms") < 0.55);
  assert_near(told(w, "path_progress"), PATH_LENGTH, 1.05);
  const rutVehicleState v = rut_vehicle_state(w->model, w->data, 0);
  assert_true(hypot(v.position[0] - 5, v.position[1] - 12) < 1.3);
  assert_true(fabs(v.velocity[0]) < 0.05);
  close_world(w);
}

static void test_paths_on_axles(void** state) {
  static const char* const drives[] = {
      "<drive type='direct'/>", "<drive type='dc_motor' command='side' gear='30' " MOTOR "/>",
      "<drive type='dc_motor' command='wheel' gear='30' " MOTOR "/>"};
  (void)state;
  for (int wheels = 4; wheels <= 8; wheels += 2) {
    for (int d = 0; d < 3; d++) {
      World w = open_on_axles(
          (Rover){wheels, d == 1 ? "timestep='0.002'" : "timestep='0.001'", "", drives[d],
                  "<controller type='waypoints' speed='2' points='" PATH "'/>"});
      follow(&w, 20);
    }
  }
}

// With a friction circle; and without one, as MVSim has it, where the wheels' places let it turn.
static void test_paths_of_planar_vehicles(void** state) {
  static const char* const drives[] = {
      "<drive type='direct'/>", "<drive type='dc_motor' command='side' gear='5' " MOTOR "/>",
      "<drive type='dc_motor' command='wheel' gear='5' " MOTOR "/>"};
  static const char* const tyres[] = {"<tyre type='coulomb' combined='true' friction='0.8'/>",
                                      "<tyre type='coulomb' combined='true' friction='0.3'/>",
                                      "<tyre type='coulomb' friction='0.8'/>"};
  (void)state;
  for (int wheels = 2; wheels <= 8; wheels += 2) {
    for (int d = 0; d < 3; d++) {
      for (int t = 0; t < 3; t++) {
        World w = open_planar((Rover){wheels, "timestep='0.005'", tyres[t], drives[d],
                                      "<controller type='waypoints' speed='2' points='" PATH "'/>"},
                              t == 2 ? 0.25 : 0.4);
        follow(&w, 20);
      }
    }
  }
}

// At whatever rate its controller runs, and however late: the largest error in a corner of 90
// degrees that is cut at 1 m lookahead is less than the 0.41 m of the straight cut between points
// 1 m (sqrt 2 - 1) from it, and what the vehicle sways beyond.
static void test_slow_controllers(void** state) {
  static const char* const how[] = {"",
                                    "period='0.1'",
                                    "period='0.3'",
                                    "input_delay='0.02'",
                                    "output_delay='0.1'",
                                    "period='0.1' input_delay='0.05' output_delay='0.1'",
                                    "period='0.2' output_delay='0.1' host='true'"};
  (void)state;
  for (int i = 0; i < 2 * (int)(sizeof how / sizeof how[0]); i++) {
    char controller[300];
    snprintf(controller, sizeof controller,
             "<controller type='waypoints' speed='1' points='0 0, 10 0, 10 10' min_lookahead='1' "
             "goal_radius='0.3' %s/>",
             how[i / 2]);
    World w = i % 2 ? open_on_axles(
                          (Rover){6, "timestep='0.001'", "", "<drive type='direct'/>", controller})
                    : open_planar((Rover){6, "timestep='0.005'",
                                          "<tyre type='coulomb' combined='true' friction='0.7'/>",
                                          "<drive type='direct'/>", controller},
                                  0.4);
    run_until(&w, 25);
    assert_true(told(&w, "goal_reached") == 1);
    assert_true(told(&w, "cross_track_max") < 0.7);
    close_world(&w);
  }
}

// 2 c with sum (|y| s - x^2)/sqrt(s^2 + x^2) = 0, s = c - |y|: in closed form for two and four
// wheels, solved by other means for six and eight.
static void test_effective_track(void** state) {
  static const double expected[] = {0.6, 0.6 + 4 * 0.2 * 0.2 / 0.6, 1.17427626540716,
                                    1.77289936400499};
  (void)state;
  for (int i = 0; i < 4; i++) {
    World w = open_planar((Rover){2 * i + 2, "", "<tyre type='coulomb'/>", "<drive type='direct'/>",
                                  "<controller type='waypoints' speed='1' points='" PATH "'/>"},
                          0.4);
    step_world(&w);
    assert_near(told(&w, "effective_track"), expected[i], 1e-9);
    close_world(&w);
  }
}

// A vehicle that stands beside the path, left and right of its first segment, before its first
// point, where the distance from the line counts, and beyond a corner.
static void test_what_is_told(void** state) {
  static const double place[][5] = {// x, y, error, progress, goal
                                    {2, 0.5, 0.5, 2, 0},  {2, -0.5, -0.5, 2, 0},
                                    {-3, 4, 4, 0, 0},     {10.4, 3, 0.4, 13, 0},
                                    {9.6, 3, 0.4, 13, 0}, {10, 19.2, 0, 29.2, 1}};
  (void)state;
  for (int i = 0; i < (int)(sizeof place / sizeof place[0]); i++) {
    const double* p = place[i];
    char world[400], controller[200];
    World w = open_context();
    snprintf(controller, sizeof controller, "%s",
             "<controller type='waypoints' speed='0' points='0 0, 10 0, 10 20'/>");
    snprintf(world, sizeof world,
             "<world><vehicle name='v' position='%g %g'><chassis mass='15' outline='-0.3 -0.2, 0.3 "
             "-0.2, 0.3 0.2, -0.3 0.2'/><wheel place='left' position='0 0.25'/>",
             p[0], p[1]);
    char text[1000];
    snprintf(text, sizeof text,
             "%s<wheel place='right' position='0 -0.25'/><tyre type='coulomb'/>"
             "<drive type='direct'/>%s</vehicle></world>",
             world, controller);
    load_world(&w, text, "test.xml", NULL, NULL);
    run_until(&w, 0.1);
    assert_near(fabs(told(&w, "cross_track_error")), fabs(p[2]), 1e-9);
    if (i < 2) assert_near(told(&w, "cross_track_error"), p[2], 1e-9);
    assert_near(told(&w, "cross_track_rms"), fabs(p[2]), 1e-9);
    assert_near(told(&w, "cross_track_max"), fabs(p[2]), 1e-9);
    assert_near(told(&w, "path_progress"), p[3], 1e-9);
    assert_true(told(&w, "goal_reached") == p[4]);
    close_world(&w);
  }
}

// Paths that a vehicle has to turn round for: behind it, doubling back, in rows as of a mower that
// are closer than the lookahead, with corners of exactly 90 degrees, and missed altogether. It
// turns round on an arc of half the lookahead, 2.5 m, and so comes back 5 m aside.
static void test_paths_that_turn_back(void** state) {
  static const struct {
    const char *yaw, *points;
    double from[2], x, y, length, most,
        time;  // end, of the path; largest error; time to get there [s]
  } way[] = {{"180 deg", "0 0, 25 0", {0, 0}, 25, 0, 25, 5.3, 60},
             {"0", "0 0, 20 0, 0 0", {0, 0}, 0, 0, 40, 5.3, 90},
             {"0", "0 0, 20 0, 0 0.5", {0, 0}, 0, 0.5, 40, 5.3, 90},
             {"0", "0 0, 15 0, 15 2, 0 2, 0 4, 15 4", {0, 0}, 15, 4, 49, 3, 90},
             {"0", "0 0, 10 0", {11, 50}, 10, 0, 10, 51, 120}};
  (void)state;
  for (int i = 0; i < (int)(sizeof way / sizeof way[0]); i++) {
    char controller[200], text[1500];
    snprintf(controller, sizeof controller, "<controller type='waypoints' speed='1' points='%s'/>",
             way[i].points);
    snprintf(text, sizeof text,
             "<world timestep='0.005'><vehicle name='v' position='%g %g' yaw='%s'>"
             "<chassis mass='30' outline='-0.6 -0.25 0.6 -0.25 0.6 0.25 -0.6 0.25'/>"
             "<wheel place='rear_left' position='-0.2 0.3'/><wheel place='rear_right' "
             "position='-0.2 -0.3'/><wheel place='front_left' position='0.2 0.3'/>"
             "<wheel place='front_right' position='0.2 -0.3'/>"
             "<tyre type='coulomb' combined='true' friction='0.8'/><drive type='direct'/>%s"
             "</vehicle></world>",
             way[i].from[0], way[i].from[1], way[i].yaw, controller);
    World w = open_world(text);
    run_until(&w, 0.1);
    assert_true(told(&w, "goal_reached") == 0);
    run_until(&w, way[i].time);
    assert_true(told(&w, "goal_reached") == 1);
    assert_true(told(&w, "cross_track_max") < way[i].most);
    assert_near(told(&w, "path_progress"), way[i].length, 1.05);
    const rutVehicleState v = rut_vehicle_state(w.model, w.data, 0);
    assert_true(hypot(v.position[0] - way[i].x, v.position[1] - way[i].y) < 2);
    close_world(&w);
  }
}

// One engine turns both sides alike.
static void test_single_input(void** state) {
  static const char* const drives[] = {"<drive type='open'/>", "<drive type='locked'/>",
                                       "<drive type='dc_motor' command='vehicle'/>"};
  (void)state;
  for (int d = 0; d < 3; d++) {
    char text[1500];
    rutSpec* spec = NULL;
    rutError err = {0};
    World w = open_context();
    snprintf(text, sizeof text,
             "<world><vehicle name='v'><chassis mass='15' outline='-0.3 -0.2, 0.3 -0.2, 0.3 0.2, "
             "-0.3 0.2'/><wheel place='left' position='0 0.25'/><wheel place='right' position='0 "
             "-0.25'/><tyre type='coulomb'/>%s<controller type='waypoints' points='" PATH
             "'/></vehicle></world>",
             drives[d]);
    assert_int_equal(rut_spec_parse(w.context, text, strlen(text), "t.xml", &spec, &err), RUT_OK);
    assert_int_equal(rut_compile(spec, &w.model, &err), RUT_ERR_MODEL);
    assert_non_null(strstr(err.message, "cannot skid-steer"));
    rut_spec_destroy(spec);
    rut_context_destroy(w.context);
  }
}

// A turn on the spot, however slow and with any step and integrator. Coulomb friction does not know
// the speed: in a circle the yaw rate is b/(b + 4 a^2/b) of that which the wheels roll, in a square
// all of it, and each wheel then pulls with the part 2 a/b of its friction.
static void test_slow_turn(void** state) {
  static const char* const step[] = {"0.001", "0.005", "0.02", "0.005' integrator='rk4"};
  const double a = 0.25, b = 0.56, wheels_turn = 0.2, friction = 0.7;
  (void)state;
  for (int i = 0; i < 8; i++) {
    const bool circle = i < 4;
    char text[1500];
    snprintf(text, sizeof text,
             "<world timestep='%s' gravity='9.81'><vehicle name='v'><chassis mass='60' "
             "outline='-0.45 -0.18, 0.45 -0.18, 0.45 0.18, -0.45 0.18'/>"
             "<wheel place='rear_left' position='-0.25 0.28' mass='2' radius='0.15'/>"
             "<wheel place='rear_right' position='-0.25 -0.28' mass='2' radius='0.15'/>"
             "<wheel place='front_left' position='0.25 0.28' mass='2' radius='0.15'/>"
             "<wheel place='front_right' position='0.25 -0.28' mass='2' radius='0.15'/>"
             "<tyre type='coulomb' friction='0.7' bearing_damping='0' combined='%s'/>"
             "<drive type='direct'/><controller type='twist_pid' yaw_rate='0.2' "
             "proportional_gain='200' integral_gain='400' max_torque='0'/></vehicle></world>",
             step[i % 4], circle ? "true" : "false");
    World w = open_world(text);
    run_until(&w, 8);
    const double part = circle ? b / (b + 4 * a * a / b) : 1;
    const rutVehicleState v = rut_vehicle_state(w.model, w.data, 0);
    assert_near(v.rate[2], part * wheels_turn, 1e-4 * wheels_turn);
    for (int k = 0; k < 4 && !circle; k++) {
      const double most = friction * 68 * 9.81 / 4;
      assert_near(fabs(rut_wheel_state(w.model, w.data, k).force[0]), most * 2 * a / b,
                  1e-3 * most);
    }
    close_world(&w);
  }
}

// What the comment of worlds/skid_steer.xml tells: 30 deg/s on the spot become 16, a radius of
// 1.5 m/s over 20 deg/s = 4.3 m becomes 7.2 m, and the path is followed within a metre.
static void test_example(void** state) {
  static const double DEGREE = 0.017453292519943295;
  (void)state;
  World w = open_context();
  rutSpec* spec = NULL;
  const char* const path = RUT_SOURCE_DIR "/worlds/skid_steer.xml";
  assert_int_equal(rut_spec_load(w.context, path, &spec, NULL), RUT_OK);
  assert_int_equal(rut_compile(spec, &w.model, NULL), RUT_OK);
  rut_spec_destroy(spec);
  w.data = rut_data_create(w.model);
  run_until(&w, 20);
  const rutVehicleState spot = rut_vehicle_state(w.model, w.data, 0);
  const rutVehicleState circle = rut_vehicle_state(w.model, w.data, 1);
  assert_near(spot.rate[2] / DEGREE, 16, 0.5);
  assert_near(spot.odometry_velocity[1] / DEGREE, 30, 0.1);
  assert_near(hypot(circle.velocity[0], circle.velocity[1]) / circle.rate[2], 7.2, 0.05);
  assert_near(circle.odometry_velocity[0] / circle.odometry_velocity[1], 4.3, 0.05);
  const double farthest = told_of(&w, 2, "cross_track_max");
  assert_true(farthest > 0.5 && farthest < 1);
  assert_true(told_of(&w, 2, "goal_reached") == 1);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_paths_on_axles),   cmocka_unit_test(test_paths_of_planar_vehicles),
      cmocka_unit_test(test_slow_controllers), cmocka_unit_test(test_effective_track),
      cmocka_unit_test(test_what_is_told),     cmocka_unit_test(test_paths_that_turn_back),
      cmocka_unit_test(test_single_input),     cmocka_unit_test(test_slow_turn),
      cmocka_unit_test(test_example),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
