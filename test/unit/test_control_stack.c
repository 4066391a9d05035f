// SPDX-License-Identifier: BSD-3-Clause
//
// Controllers above each other, their rates, inputs, delays, and the actuators below them; through
// the public interface, on planar vehicles and on those with suspensions.
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
#include "rut/component.h"
#include "world_fixture.h"

// ---- a planner: reads a laser, gives a speed and a yaw rate to another controller ----

typedef struct PlannerParam {
  rutControllerHead head;
  double distance;
} PlannerParam;
static const rutField planner_fields[] = {
    RUT_CONTROLLER_ROWS RUT_ROW(distance, "m", 2, 0, 100, "at which it stops")
        RUT_ROW(cruise, "m/s", 1, 0, 100, "speed before the first command")};
static const rutVariable planner_commands[] = {RUT_VARIABLE(cruise, "m/s", "speed on free ground")};
static const rutVariable planner_outputs[] = {RUT_VARIABLE(speed, "m/s", "set point") RUT_VARIABLE(
    nearest, "m", "nearest range") RUT_VARIABLE(calls, "", "updates so far")};
static const rutVariable planner_inputs[] = {
    {.name = "range", .unit = "m", .doc = "of a planar scan", .shape = ""}};

static void planner_update(const void* param, const rutVehicleLayout* layout,
                           const rutControlIn* in, double* state, const rutControlOut* out) {
  const PlannerParam* p = param;
  const int lanes = in->lanes;
  (void)layout;
  (void)state;
  assert_null(out->demand);
  assert_null(in->position);
  assert_null(in->vx);
  for (int l = 0; l < lanes; l++) {
    const rutControlReading* r = &in->reading[l];
    double nearest = 1e9;
    for (int i = 0; i < r->n && r->stamp >= 0; i++) {
      const double range = ((const double*)r->value)[i * r->stride];
      if (range >= 0 && range < nearest) nearest = range;
    }
    in->scratch[l] = nearest;
    out->output[l] = nearest > p->distance ? in->command[l] : 0;
    out->output[lanes + l] = in->scratch[l];
    out->output[2 * lanes + l] += 1;
  }
}

static int planner_scratch(const void* param, const rutVehicleLayout* layout) {
  (void)param;
  (void)layout;
  return 1;
}

static const rutControllerType planner = {.base = {.abi = RUT_ABI,
                                                   .struct_size = sizeof(rutControllerType),
                                                   .kind = "controller",
                                                   .name = "planner",
                                                   .parents = "vehicle",
                                                   .doc = "Stops in front of what it sees.",
                                                   .field = planner_fields,
                                                   .fields = RUT_COUNT_OF(planner_fields)},
                                          .command = planner_commands,
                                          .commands = RUT_COUNT_OF(planner_commands),
                                          .output = planner_outputs,
                                          .outputs = RUT_COUNT_OF(planner_outputs),
                                          .input = planner_inputs,
                                          .inputs = RUT_COUNT_OF(planner_inputs),
                                          .supervises = true,
                                          .scratch = planner_scratch,
                                          .update = planner_update};

// ---- an echo: tells what it measures, and asks for the time as a steering angle ----

typedef struct EchoParam {
  rutControllerHead head;
} EchoParam;
static const rutField echo_fields[] = {RUT_CONTROLLER_ROWS};
static const rutVariable echo_commands[] = {RUT_VARIABLE(steer, "rad", "asked for")};
static const rutVariable echo_outputs[] = {RUT_VARIABLE(seen, "m", "x of the vehicle") RUT_VARIABLE(
    interval, "s", "since the last update") RUT_VARIABLE(calls, "", "updates so far")};

static void echo_update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                        double* state, const rutControlOut* out) {
  const int lanes = in->lanes;
  (void)param;
  (void)layout;
  (void)state;
  for (int l = 0; l < lanes; l++) {
    out->output[l] = in->position[l];
    out->output[lanes + l] = in->dt;
    out->output[2 * lanes + l] += 1;
    out->steer[l] = in->command[l];
  }
  for (int i = 0; i < in->demands * lanes; i++) out->demand[i] = 3;
}

static const rutControllerType echo = {.base = {.abi = RUT_ABI,
                                                .struct_size = sizeof(rutControllerType),
                                                .kind = "controller",
                                                .name = "echo",
                                                .parents = "vehicle",
                                                .doc = "Tells what it measures.",
                                                .field = echo_fields,
                                                .fields = RUT_COUNT_OF(echo_fields)},
                                       .command = echo_commands,
                                       .commands = RUT_COUNT_OF(echo_commands),
                                       .output = echo_outputs,
                                       .outputs = RUT_COUNT_OF(echo_outputs),
                                       .uses = RUT_USES_POSE,
                                       .update = echo_update};

// ---- a watch: looks at the pose, and tells more than most ----

enum { WATCHED = 200 };
static const rutVariable watch_commands[] = {RUT_VARIABLE(angle, "rad", "asked for")};
static const rutVariable watch_outputs[] = {
    {.name = "trail", .unit = "m", .shape = "200", .frame = "", .doc = "x of the vehicle, often"},
    {.name = "steer", .unit = "rad", .shape = "", .frame = "", .doc = "set point"}};

static void watch_update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                         double* state, const rutControlOut* out) {
  const int lanes = in->lanes;
  (void)param;
  (void)layout;
  (void)state;
  for (int i = 0; i < WATCHED * lanes; i++) out->output[i] = in->position[i % lanes];
  for (int l = 0; l < lanes; l++) out->output[WATCHED * lanes + l] = in->command[l];
}

static const rutControllerType watch = {.base = {RUT_HEAD(rutControllerType, "controller", "watch",
                                                          "vehicle", "Watches.", echo_fields)},
                                        .command = watch_commands,
                                        .commands = RUT_COUNT_OF(watch_commands),
                                        .output = watch_outputs,
                                        .outputs = RUT_COUNT_OF(watch_outputs),
                                        .uses = RUT_USES_POSE,
                                        .supervises = true,
                                        .update = watch_update};

// ---- a feeler: tells how fast a wheel spins, and sees nothing else ----

static const rutVariable feeler_outputs[] = {RUT_VARIABLE(spin, "rad/s", "of the first wheel")};

static void feeler_update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                          double* state, const rutControlOut* out) {
  const int lanes = in->lanes;
  (void)param;
  (void)layout;
  (void)state;
  for (int l = 0; l < lanes; l++) {
    out->output[l] = in->speed[l];
    out->steer[l] = in->command[l];
  }
  for (int i = 0; i < in->demands * lanes; i++) out->demand[i] = 1;
}

static const rutControllerType feeler = {
    .base = {RUT_HEAD(rutControllerType, "controller", "feeler", "vehicle", "Feels.", echo_fields)},
    .command = echo_commands,
    .commands = RUT_COUNT_OF(echo_commands),
    .output = feeler_outputs,
    .outputs = RUT_COUNT_OF(feeler_outputs),
    .update = feeler_update};

// ---- a crowd: tells too much ----

static const rutVariable crowd_outputs[] = {
    {.name = "map", .unit = "m", .shape = "16 17", .frame = "", .doc = "heights"}};

static const rutControllerType crowd = {
    .base = {RUT_HEAD(rutControllerType, "controller", "crowd", "vehicle", "Talks.", echo_fields)},
    .command = echo_commands,
    .commands = RUT_COUNT_OF(echo_commands),
    .output = crowd_outputs,
    .outputs = RUT_COUNT_OF(crowd_outputs),
    .update = feeler_update};

// ---- worlds ----

static const rutComponent* const own_types[] = {&planner.base, &echo.base,  &watch.base,
                                                &feeler.base,  &crowd.base, NULL};

static World open_world(const char* text) { return open_world_with(text, 0, own_types); }

// Output of one of the vehicle's controllers.
static double output_of(const World* w, int vehicle, const char* name) {
  const int n = rut_variables(w->model, RUT_VEHICLE, vehicle, RUT_OUTPUT);
  for (int i = 0; i < n; i++) {
    const rutVariableInfo v = rut_variable(w->model, RUT_VEHICLE, vehicle, RUT_OUTPUT, i);
    double value = NAN;
    if (strcmp(v.name, name) != 0) continue;
    assert_int_equal(
        rut_variables_read(w->model, w->data,
                           &(rutVariableRange){RUT_VEHICLE, vehicle, RUT_OUTPUT, i, 1}, 1, &value),
        RUT_OK);
    return value;
  }
  fail_msg("no output %s", name);
  return NAN;
}

#define ROBOT(name, attributes, inside)                                                            \
  "<vehicle name='" name "' " attributes                                                           \
  ">"                                                                                              \
  "<chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"                             \
  "<wheel name='fl' position='0.5 0.25' place='front_left' mass='1' radius='0.1' steered='true'/>" \
  "<wheel name='fr' position='0.5 -0.25' place='front_right' mass='1' radius='0.1' "               \
  "steered='true'/>"                                                                               \
  "<wheel name='l' position='0 0.25' place='rear_left' mass='1' radius='0.1'/>"                    \
  "<wheel name='r' position='0 -0.25' place='rear_right' mass='1' radius='0.1'/>"                  \
  "<tyre type='coulomb'/><drive type='direct'/>" inside "</vehicle>"
#define ON_AXLES(inside)                                                                      \
  "<vehicle name='a'><chassis mass='100' outline='-1 -0.5 1 -0.5 1 0.5 -1 0.5' z_min='0.3'/>" \
  "<axle x='0.8' wheel_mass='5' radius='0.3' track='1' max_steer='0.5'>"                      \
  "<suspension type='slider'/><tyre type='linear'/></axle>"                                   \
  "<axle x='-0.8' wheel_mass='5' radius='0.3' track='1'>"                                     \
  "<suspension type='slider'/><tyre type='linear'/></axle><drive type='direct'/>" inside      \
  "</vehicle>"

// ---- tests ----

// The planner stops its robot two metres in front of a wall; each robot of a batch by its own
// laser.
static void test_stack_with_sensor(void** state) {
  (void)state;
#define PLANNED                                                                         \
  "<controller type='planner' name='plan' commands='drive' period='0.1'/>"              \
  "<controller type='twist_ideal' name='drive'/>"                                       \
  "<sensor type='laser' name='scan' period='0.05' x='0.5' z='0.3' rays='3' fov='0.02' " \
  "range_noise='0' angle_noise='0'/>"
  World w = open_world("<world timestep='0.005'>" ROBOT("a", "position='0 0'", PLANNED) ROBOT(
      "b", "position='1 5'",
      PLANNED) "<wall from='8 -2' to='8 2' thickness='0.1'/>"
               "<wall from='5 3' to='5 7' thickness='0.1'/></world>");
  assert_string_equal(rut_vehicle_info(w.model, 0).command_names, "cruise lateral_speed yaw_rate");
  // that nobody else looks makes no difference
  for (int i = 0; i < 2; i++) rut_sensor_watch(w.model, w.data, i, false);
  run(&w, 2000);
  // seen every 0.05 s, decided every 0.1 s at 1 m/s: it stops within 0.2 m behind the line
  const double a = rut_vehicle_state(w.model, w.data, 0).position[0];
  const double b = rut_vehicle_state(w.model, w.data, 1).position[0];
  assert_true(a > 7.95 - 0.5 - 2 - 1e-9 && a < 7.95 - 0.5 - 2 + 0.2);
  assert_true(b > 4.95 - 0.5 - 2 - 1e-9 && b < 4.95 - 0.5 - 2 + 0.2);
  assert_near(output_of(&w, 0, "nearest"), 7.95 - a - 0.5, 1e-9);
  assert_near(output_of(&w, 1, "speed"), 0, 0);
  // a new set point goes to the outermost controller
  const double back[1] = {-1};
  assert_int_equal(rut_command(w.model, w.data, 0, 1, back), RUT_OK);
  close_world(&w);
}

// Period and phase hold on both kinds of vehicle: at 30 ms from 50 ms on, in 1 s, 32 updates.
static void test_rates(void** state) {
  (void)state;
  static const char* const worlds[] = {
      "<world timestep='0.005'>" ROBOT(
          "a", "", "<controller type='echo' period='0.03' phase='0.05'/>") "</world>",
      "<world timestep='0.005'>" ON_AXLES(
          "<controller type='echo' period='0.03' phase='0.05'/>") "</world>"};
  for (int i = 0; i < 2; i++) {
    World w = open_world(worlds[i]);
    run(&w, 10);
    assert_near(output_of(&w, 0, "calls"), 0, 0);
    run(&w, 1);
    assert_near(output_of(&w, 0, "calls"), 1, 0);
    run(&w, 189);
    assert_near(output_of(&w, 0, "calls"), 32, 0);
    assert_near(output_of(&w, 0, "interval"), 0.03, 1e-12);
    close_world(&w);
  }
}

// What is measured comes late by the delay: at 2 m/s the place of 0.1 s ago is 0.2 m behind.
static void test_input_delay(void** state) {
  (void)state;
  World w = open_world("<world timestep='0.005'>" ROBOT(
      "a", "velocity='2 0'", "<controller type='echo' input_delay='0.1'/>") "</world>");
  double x[201] = {0};
  for (int k = 1; k <= 200; k++) {
    // a controller sees the state at the beginning of a step
    x[k - 1] = rut_vehicle_state(w.model, w.data, 0).position[0];
    run(&w, 1);
    assert_near(output_of(&w, 0, "seen"), x[k - 1 < 20 ? 0 : k - 1 - 20], 1e-12);
  }
  close_world(&w);
}

// The pose is there only at steps at which the outer controller looks at it; what comes late to the
// inner one, which looks at none, is the same number all the same.
static void test_input_delay_beside_another(void** state) {
  (void)state;
  World w = open_world("<world timestep='0.005'>" ROBOT(
      "a", "",
      "<controller type='watch' name='w' commands='f' period='0.03'/>"
      "<controller type='feeler' name='f' input_delay='0.1'/>") "</world>");
  double spin[201] = {0};
  for (int k = 1; k <= 200; k++) {
    spin[k - 1] = rut_wheel_state(w.model, w.data, 0).speed;
    run(&w, 1);
    assert_near(output_of(&w, 0, "spin"), spin[k - 1 < 20 ? 0 : k - 1 - 20], 1e-12);
  }
  assert_true(spin[199] > spin[100] && spin[100] > 0.1);
  close_world(&w);
}

// Eight vehicles of a controller with many outputs, all of which wait.
static void test_many_outputs(void** state) {
  (void)state;
  static const char robot[] =
      ROBOT("r%d", "position='%d 0' velocity='1 0'",
            "<controller type='watch' name='w' commands='f' output_delay='0.05'/>"
            "<controller type='feeler' name='f'/>");
  char text[8 * sizeof robot + 100] = "<world timestep='0.005'>";
  for (int v = 0; v < 8; v++) snprintf(text + strlen(text), sizeof robot, robot, v, 10 * v);
  strcat(text, "</world>");
  World w = open_world(text);
  run(&w, 20);
  for (int v = 0; v < 8; v++) {
    assert_int_equal(rut_command(w.model, w.data, v, 1, (const double[]){0.01 * v}), RUT_OK);
  }
  run(&w, 10);
  for (int v = 0; v < 8; v++) assert_near(rut_wheel_state(w.model, w.data, 4 * v).steer, 0, 0);
  run(&w, 40);
  for (int v = 0; v < 8; v++) {
    double told[WATCHED];
    rutVariableRange trail = {RUT_VEHICLE, v, RUT_OUTPUT, 0, 1};
    while (strcmp(rut_variable(w.model, RUT_VEHICLE, v, RUT_OUTPUT, trail.first).name, "trail")) {
      trail.first++;
    }
    assert_int_equal(rut_variables_read(w.model, w.data, &trail, WATCHED, told), RUT_OK);
    assert_near(told[0], 10 * v + 0.35, 0.3);
    assert_near(told[WATCHED - 1], told[0], 0);
    const double left = rut_wheel_state(w.model, w.data, 4 * v).steer;
    const double right = rut_wheel_state(w.model, w.data, 4 * v + 1).steer;
    if (v > 0) assert_near(2 / (1 / tan(left) + 1 / tan(right)), tan(0.01 * v), 1e-9);
  }
  close_world(&w);
}

// A set point arrives at the wheels after the delay, on both kinds of vehicle.
static void test_output_delay(void** state) {
  (void)state;
  static const char* const worlds[] = {
      "<world timestep='0.005'>" ROBOT("a", "",
                                       "<controller type='echo' output_delay='0.05'/>") "</world>",
      "<world timestep='0.005'>" ON_AXLES(
          "<controller type='echo' output_delay='0.05'/>") "</world>"};
  for (int i = 0; i < 2; i++) {
    World w = open_world(worlds[i]);
    run(&w, 20);
    const double steer[1] = {0.2};
    assert_int_equal(rut_command(w.model, w.data, 0, 1, steer), RUT_OK);
    run(&w, 10);
    assert_near(rut_wheel_state(w.model, w.data, 0).steer, 0, 0);
    run(&w, 1);
    assert_true(rut_wheel_state(w.model, w.data, 0).steer > 0.1);
    close_world(&w);
  }
}

// Until the first output has come there is none: a vehicle that is told 1 m/s from the start on
// stands for the second by which that is late, in whatever way it is driven.
static void test_nothing_before_the_delay(void** state) {
  static const char late[] = "output_delay='1'",
                    beside[] = "output_delay='1' period='1' host='true'";
  static const char* const how[] = {late, beside};
  (void)state;
  for (int i = 0; i < 4; i++) {
    char controller[200], text[4000];
    snprintf(controller, sizeof controller, "<controller type='twist_ideal' speed='1' %s/>",
             how[i / 2]);
    snprintf(text, sizeof text,
             i % 2 ? "<world timestep='0.005'>" ON_AXLES("%s") "</world>"
                   : "<world timestep='0.005'>" ROBOT("a", "", "%s") "</world>",
             controller);
    World w = open_world(text);
    run(&w, 200);
    assert_near(rut_vehicle_state(w.model, w.data, 0).position[0], 0, 1e-12);
    run(&w, 200);
    assert_near(rut_vehicle_state(w.model, w.data, 0).position[0], 1, 1e-9);
    close_world(&w);
  }
}

// An actuator with dead time, lag and rate limit: the steering angle of a planar vehicle follows
// the closed form; torques are limited.
static void test_actuators(void** state) {
  (void)state;
  World w = open_world("<world timestep='0.005'>" ROBOT(
      "a", "",
      "<controller type='echo'/><actuator type='steering' dead_time='0.02' lag='0.1'/>"
      "<actuator type='torque' upper='2 N m' rate='10 N m/s'/>") "</world>");
  const double steer[1] = {0.3};
  assert_int_equal(rut_command(w.model, w.data, 0, 1, steer), RUT_OK);
  for (int k = 1; k <= 100; k++) {
    run(&w, 1);
    const double t = (k - 4) * 0.005;
    const double angle = t > 0 ? 0.3 * (1 - exp(-t / 0.1)) : 0;
    // of the equivalent wheel: half way between the two
    const double left = rut_wheel_state(w.model, w.data, 0).steer;
    const double right = rut_wheel_state(w.model, w.data, 1).steer;
    if (angle > 1e-6) assert_near(2 / (1 / tan(left) + 1 / tan(right)), tan(angle), 1e-9);
    assert_near(rut_wheel_state(w.model, w.data, 0).torque, fmin(2, 0.05 * k), 1e-9);
  }
  close_world(&w);
}

// States hold all of it: a copy goes on with the same bits.
static void test_snapshot(void** state) {
  (void)state;
  World w = open_world("<world timestep='0.005'>" ROBOT(
      "a", "velocity='1 0'",
      "<controller type='echo' period='0.02' input_delay='0.03' output_delay='0.04'/>"
      "<actuator type='steering' dead_time='0.02' lag='0.1' rate='1'/>") "</world>");
  const double steer[1] = {0.3};
  run(&w, 17);
  rut_command(w.model, w.data, 0, 1, steer);
  run(&w, 7);
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  void* saved = malloc(size);
  assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  run(&w, 60);
  const uint64_t hash = rut_state_hash(w.model, w.data);
  rut_data_reset(w.model, w.data, 0);
  assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  run(&w, 60);
  assert_int_equal(rut_state_hash(w.model, w.data), hash);
  free(saved);
  close_world(&w);
}

// What cannot work is refused, with the reason.
static void test_refused(void** state) {
  (void)state;
#define BAD(inside) "<world>" ROBOT("a", "", inside) "</world>"
#define LASER(name) "<sensor type='laser' name='" name "'/>"
  static const struct {
    const char *world, *message;
  } bad[] = {
      {BAD("<controller type='echo'/><controller type='echo'/>"), "only one <controller>"},
      {BAD("<controller type='planner'/>" LASER("s")), "gives set points to another"},
      {BAD("<controller type='planner' name='p' commands='q'/><controller type='twist_ideal' "
           "name='d'/>" LASER("s")),
       "no other controller 'q'"},
      {BAD("<controller type='planner' name='p' commands='d'/><controller type='twist_ideal' "
           "name='d'/>"),
       "no sensor of the vehicle tells 'range'"},
      {BAD("<controller type='planner' name='p' commands='d'/><controller type='twist_ideal' "
           "name='d'/>" LASER("s") LASER("t")),
       "several sensors tell 'range'"},
      {BAD("<controller type='planner' name='p' commands='d'><input name='range' from='u.range'/>"
           "</controller><controller type='twist_ideal' name='d'/>" LASER("s")),
       "tells 'u.range'"},
      {BAD("<controller type='echo' name='p' commands='d'/><controller type='twist_ideal' "
           "name='d'/>"),
       "no output of echo is called like a set point"},
      {BAD("<controller type='echo'/><actuator type='throttle'/>"), "the drive takes torques"},
      {BAD("<controller type='echo'/><actuator type='torque' lower='1' upper='0'/>"),
       "'lower' is above 'upper'"},
      {BAD("<controller type='echo'/><actuator type='brake'/><actuator type='brake'/>"),
       "another brake actuator"},
      {BAD("<controller type='echo' input_delay='900'/>"), "more than 100000"},
      {BAD("<controller type='crowd'/>"), "have 272 numbers, more than 256"}};
  for (int i = 0; i < RUT_COUNT_OF(bad); i++) {
    World w;
    assert_false(load_world(&w, bad[i].world, 0, own_types));
    if (!strstr(w.message, bad[i].message)) fail_msg("%d: %s", i, w.message);
    close_world(&w);
  }
  // which one is meant may be said
  World w = open_world(
      BAD("<controller type='planner' name='p' commands='d'><input name='range' from='t'/>"
          "</controller><controller type='twist_ideal' name='d'/>" LASER("s") LASER("t")));
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stack_with_sensor), cmocka_unit_test(test_rates),
      cmocka_unit_test(test_input_delay),       cmocka_unit_test(test_input_delay_beside_another),
      cmocka_unit_test(test_output_delay),      cmocka_unit_test(test_nothing_before_the_delay),
      cmocka_unit_test(test_many_outputs),      cmocka_unit_test(test_actuators),
      cmocka_unit_test(test_snapshot),          cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
