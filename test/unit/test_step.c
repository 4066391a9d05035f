// SPDX-License-Identifier: BSD-3-Clause
//
// The step through the public interface: no allocation, commands, divergence, odometry, names.
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
#include "rut/rut.h"

typedef struct Counter {
  int live, calls;
  int fail_at;  // number of the call that finds no memory, 0 for none
  int poison;   // byte that fills what is handed out
} Counter;

static void* counted_alloc(size_t size, size_t align, void* user) {
  Counter* c = user;
  if (++c->calls == c->fail_at) return NULL;
  c->live++;
  const size_t bytes = (size + 63) & ~(size_t)63;
  void* block = aligned_alloc(align < 16 ? 16 : align, bytes);
  if (block) memset(block, c->poison, bytes);
  return block;
}

static void counted_free(void* ptr, void* user) {
  Counter* c = user;
  if (ptr) c->live--;
  free(ptr);
}

typedef struct World {
  Counter counter;
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutData* data;
} World;

static World* open_world(const char* text) {
  World* w = calloc(1, sizeof *w);
  assert_non_null(w);
  rutContextDef def = rut_default_context();
  def.alloc = counted_alloc;
  def.free = counted_free;
  def.user = &w->counter;
  rutError err = {0};
  rutStatus status = rut_context_create(&def, &w->context, &err);
  if (status == RUT_OK) {
    status = rut_spec_parse(w->context, text, strlen(text), "test.xml", &w->spec, &err);
  }
  if (status == RUT_OK) status = rut_compile(w->spec, &w->model, &err);
  if (status != RUT_OK) fail_msg("%d:%d: %s", err.line, err.column, err.message);
  w->data = rut_data_create(w->model);
  assert_non_null(w->data);
  return w;
}

static void close_world(World* w) {
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
  rut_spec_destroy(w->spec);
  rut_context_destroy(w->context);
  assert_int_equal(w->counter.live, 0);
  free(w);
}

static void run(World* w, int steps) {
  for (int i = 0; i < steps; i++) {
    rutError err = {0};
    if (rut_step(w->model, w->data, &err) != RUT_OK) fail_msg("%s", err.message);
  }
}

#define ROBOT(name, pose, extra)                                                          \
  "<vehicle name='" name "' " pose                                                        \
  "><chassis mass='15' outline='-.3 -.2, .3 -.2, .3 .2, -.3 .2'/>"                        \
  "<wheel name='l' place='left' position='0 .25' mass='1.5' radius='.15' width='.05'/>"   \
  "<wheel name='r' place='right' position='0 -.25' mass='1.5' radius='.15' width='.05'/>" \
  "<tyre type='coulomb' friction='.7'/><drive type='direct'/>" extra "</vehicle>"
#define PID "<controller type='twist_pid' proportional_gain='10' integral_gain='10'/>"
#define RAW "<controller type='raw'/>"

static void test_step_does_not_allocate(void** state) {
  (void)state;
  World* w =
      open_world("<world>" ROBOT("a", "position='0 0'", PID "<sensor type='laser' name='s' z='.3'/>") ROBOT(
          "b", "position='3 0' velocity='-1 0'",
          RAW) "<wall from='5 -5' to='5 5'/><block name='box' shape='box' position='1 0' mass='5'/>"
               "<elevation_map matrix='[0 0;1 1]' resolution='40' corner='-20 -20'/>"
               "<joint type='distance' body_a='a' body_b='b' max_length='4'/></world>");
  const double command[2] = {1, 0.3};
  assert_int_equal(rut_command(w->model, w->data, 0, 2, command), RUT_OK);
  const int before = w->counter.calls;
  run(w, 500);
  rut_data_reset(w->model, w->data, 1);
  run(w, 100);
  assert_int_equal(w->counter.calls, before);
  close_world(w);
}

static void test_one_allocation_each_for_model_and_data(void** state) {
  (void)state;
  World* w = open_world("<world>" ROBOT("a", "", PID) "</world>");
  const int before = w->counter.live;
  rutData* second = rut_data_create(w->model);
  assert_int_equal(w->counter.live, before + 1);
  rut_data_destroy(second);
  rut_spec_destroy(w->spec);
  w->spec = NULL;
  // what remains besides context internals is the model and the data
  const int with_model = w->counter.live;
  rut_data_destroy(w->data);
  w->data = NULL;
  assert_int_equal(w->counter.live, with_model - 1);
  rut_model_destroy(w->model);
  w->model = NULL;
  assert_int_equal(w->counter.live, with_model - 2);
  close_world(w);
}

// A rotating vehicle whose reference point is off its centre of mass moves with v + w x r.
static void test_initial_velocity_is_in_the_body_frame(void** state) {
  (void)state;
  World* w = open_world(
      "<world><vehicle name='a' position='2 3' yaw='90 deg' velocity='1 0' yaw_rate='2'>"
      "<chassis mass='10' outline='0 -.2, 1 -.2, 1 .2, 0 .2'/></vehicle></world>");
  rutVehicleState s = rut_vehicle_state(w->model, w->data, 0);
  assert_near(s.velocity[0], 1, 1e-12);
  assert_near(s.velocity[1], 0, 1e-12);
  assert_near(s.rate[2], 2, 1e-12);
  // centre of mass 0.5 m ahead, so 1 m/s to the left of a vehicle that looks along y
  assert_near(s.com_velocity[0], -1, 1e-12);
  assert_near(s.com_velocity[1], 1, 1e-12);
  assert_near(s.position[0], 2, 1e-12);
  // free: the centre of mass goes straight, the body turns at 2 rad/s
  run(w, 200);
  s = rut_vehicle_state(w->model, w->data, 0);
  assert_near(s.yaw, 1.5707963267948966 + 2, 1e-12);
  assert_near(s.com_velocity[0], -1, 1e-12);
  assert_near(s.com_velocity[1], 1, 1e-12);
  close_world(w);
}

static void test_commands_are_checked(void** state) {
  (void)state;
  World* w = open_world("<world>" ROBOT("a", "", PID) "</world>");
  const double good[3] = {1, 0, 0}, bad[2] = {1, 0.0 / 1e-300 + 1e308 * 10};
  assert_int_equal(rut_command(w->model, w->data, 0, 2, good), RUT_OK);
  assert_int_equal(rut_command(w->model, w->data, 0, 1, good), RUT_OK);
  assert_int_equal(rut_command(w->model, w->data, 0, 3, good), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_command(w->model, w->data, 0, 2, bad), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_command(w->model, w->data, 1, 2, good), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_command(w->model, w->data, -1, 2, good), RUT_ERR_ARGUMENT);
  close_world(w);
}

// Speeds whose square overflows end the run with the last finite state kept.
static void test_divergence_keeps_the_last_finite_state(void** state) {
  (void)state;
  World* w = open_world(
      "<world timestep='1'><mechanism name='m'><body joint='slide' axis='1 0 0' mass='1e-9' "
      "stiffness='1e9' initial_position='1'/></mechanism></world>");
  rutError err = {0};
  rutStatus status = RUT_OK;
  int steps = 0;
  while (status == RUT_OK && steps < 1000) {
    status = rut_step(w->model, w->data, &err);
    steps++;
  }
  assert_int_equal(status, RUT_ERR_DIVERGED);
  assert_non_null(strstr(err.message, "'m'"));
  double q, v;
  rut_mechanism_state(w->model, w->data, 0, &q, &v);
  assert_true(q - q == 0 && v - v == 0);
  assert_int_equal(rut_steps(w->data), steps - 1);
  close_world(w);
}

static void test_names_are_found(void** state) {
  (void)state;
  World* w = open_world("<world>" ROBOT("zed", "", PID) ROBOT(
      "a", "position='3 0'",
      RAW) "<block name='b' fixed='true' position='9 9' shape='box'/></world>");
  assert_int_equal(rut_find(w->model, RUT_VEHICLE, "zed"), 0);
  assert_int_equal(rut_find(w->model, RUT_VEHICLE, "a"), 1);
  assert_int_equal(rut_find(w->model, RUT_VEHICLE, "b"), -1);
  assert_int_equal(rut_find(w->model, RUT_WHEEL, "a/r"), 3);
  assert_int_equal(rut_find(w->model, RUT_BLOCK, "b"), 0);
  assert_string_equal(rut_name(w->model, RUT_WHEEL, 0), "zed/l");
  assert_string_equal(rut_name(w->model, RUT_WHEEL, 99), "");
  rutVehicleInfo info = rut_vehicle_info(w->model, 1);
  assert_string_equal(info.controller, "raw");
  assert_int_equal(info.first_wheel, 2);
  assert_near(info.mass, 18, 1e-12);
  close_world(w);
}

// Perfect rolling: dead reckoning with wheel speeds finds the true path; its scales stretch it.
static void test_odometry_follows_the_wheels(void** state) {
  (void)state;
  World* w = open_world(
      "<world timestep='1 ms'>" ROBOT("a", "",
                                      "<controller type='twist_pid' proportional_gain='10' "
                                      "integral_gain='10' speed='0.5' yaw_rate='0.2'/>")
          ROBOT("b", "position='0 9'",
                "<controller type='twist_pid' "
                "proportional_gain='10' integral_gain='10' speed='0.5'/>"
                "<odometry x_scale='1.5'/>") "</world>");
  run(w, 5000);
  rutVehicleState a = rut_vehicle_state(w->model, w->data, 0);
  assert_near(a.odometry[0], a.position[0], 2e-3);
  assert_near(a.odometry[1], a.position[1], 2e-3);
  assert_near(a.odometry[2], a.yaw, 2e-3);
  rutVehicleState b = rut_vehicle_state(w->model, w->data, 1);
  assert_near(b.odometry[0], 1.5 * b.position[0], 3e-3);
  close_world(w);
}

#define BUSY \
  "<world>" ROBOT("a", "position='0 0'", PID "<sensor type='laser' name='s' z='.3'/>")          \
  ROBOT("b", "position='3 0' velocity='-2 0'", RAW)                                             \
  "<wall from='5 -5' to='5 5'/><block name='box' shape='box' position='1 0' mass='5'/>"         \
  "<elevation_map matrix='[0 0;1 1]' resolution='40' corner='-20 -20'/>"                        \
  "<joint type='distance' body_a='a' body_b='b' max_length='4'/></world>"

// What memory held before must not matter.
static void test_fresh_memory_may_hold_anything(void** state) {
  (void)state;
  uint64_t hash[2];
  for (int i = 0; i < 2; i++) {
    World* w = open_world("<world/>");
    rut_data_destroy(w->data);
    rut_model_destroy(w->model);
    rut_spec_destroy(w->spec);
    w->counter.poison = i ? 0xA5 : 0;
    rutError err = {0};
    assert_int_equal(rut_spec_parse(w->context, BUSY, strlen(BUSY), "t.xml", &w->spec, &err), 0);
    assert_int_equal(rut_compile(w->spec, &w->model, &err), RUT_OK);
    w->data = rut_data_create(w->model);
    run(w, 400);
    hash[i] = rut_state_hash(w->model, w->data);
    close_world(w);
  }
  assert_true(hash[0] == hash[1]);
}

// Every allocation of a compile in turn finds no memory: an error each time, and nothing leaks.
static void test_compile_without_memory(void** state) {
  (void)state;
  World* w = open_world(BUSY);
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
  w->data = NULL;
  w->model = NULL;
  const int live = w->counter.live;
  rutStatus status = RUT_ERR_MEMORY;
  for (int k = 1; status != RUT_OK && k < 10000; k++) {
    rutError err = {0};
    w->counter.fail_at = w->counter.calls + k;
    status = rut_compile(w->spec, &w->model, &err);
    if (status == RUT_OK) break;
    assert_null(w->model);
    assert_int_equal(status, RUT_ERR_MEMORY);
    assert_int_equal(w->counter.live, live);
  }
  assert_int_equal(status, RUT_OK);
  w->counter.fail_at = 0;
  close_world(w);
}

// Parked on a 15 % slope, with its weight off the middle of its wheels: it stays, whatever way it
// looks. The unbalanced hold would turn it away at g_y h X/var(x).
static void test_parked_vehicle_stays(void** state) {
  (void)state;
  World* w = open_world(
      "<world><elevation_map matrix='[-3 -3;3 3]' resolution='40' corner='-20 -20'/>"
      "<vehicle name='a' yaw='90 deg'><chassis mass='60' com='0.2 0' "
      "outline='-.5 -.3, .5 -.3, .5 .3, -.5 .3'/>"
      "<wheel name='lr' place='rear_left' position='-.4 .3'/>"
      "<wheel name='rr' place='rear_right' position='-.4 -.3'/>"
      "<wheel name='lf' place='front_left' position='.4 .3'/>"
      "<wheel name='rf' place='front_right' position='.4 -.3'/>"
      "<tyre type='coulomb' friction='.7'/></vehicle></world>");
  run(w, 12000);
  const rutVehicleState s = rut_vehicle_state(w->model, w->data, 0);
  assert_near(s.position[0], 0, 1e-4);
  assert_near(s.position[1], 0, 1e-4);
  close_world(w);
}

// Told to stop, a controlled vehicle stays on a slope.
static void test_controller_holds_on_a_slope(void** state) {
  (void)state;
  World* w = open_world(
      "<world><elevation_map matrix='[-3 -3;3 3]' resolution='40' corner='-20 -20'/>" ROBOT(
          "a", "",
          "<controller type='twist_pid' proportional_gain='40' integral_gain='60' "
          "max_torque='30'/>") "</world>");
  run(w, 2000);
  const double x = rut_vehicle_state(w->model, w->data, 0).position[0];
  run(w, 10000);
  assert_near(rut_vehicle_state(w->model, w->data, 0).position[0], x, 1e-4);
  close_world(w);
}

// A bearing stiffer than the step can follow stops a wheel, but does not make it diverge.
static void test_stiff_bearing_is_stable(void** state) {
  (void)state;
  World* w = open_world(
      "<world><vehicle name='a'><chassis mass='1' outline='-.1 -.1, .1 -.1, .1 .1, -.1 .1'/>"
      "<wheel name='l' place='left' position='0 .08' mass='.03' radius='.033' width='.02'/>"
      "<wheel name='r' place='right' position='0 -.08' mass='.03' radius='.033' width='.02'/>"
      "<tyre type='coulomb' friction='.05' bearing_damping='.01'/><drive type='direct'/>"
      "<controller type='raw' torque_left='.05' torque_right='.05'/></vehicle></world>");
  run(w, 2000);
  // the torque left over by the sliding contact turns against the bearing: w < torque/damping
  const double speed = rut_wheel_state(w->model, w->data, 0).speed;
  assert_true(speed > 0 && speed < 0.05 / 0.01 * 100);
  close_world(w);
}

// Wheels roll from the start unless they are told not to: nothing slows the vehicle.
static void test_wheels_roll_at_the_start(void** state) {
  (void)state;
  World* w = open_world("<world>" ROBOT("a", "velocity='3 0'", "") ROBOT(
      "b", "position='0 5' velocity='3 0' rolling_start='false'", "") "</world>");
  assert_near(rut_wheel_state(w->model, w->data, 0).speed, 20, 1e-12);
  assert_near(rut_wheel_state(w->model, w->data, 2).speed, 0, 0);
  run(w, 200);
  // b gives its wheels their spin: m_eff = 18 + 2 * 0.5 * 1.5, m v = m_eff v1
  assert_true(rut_vehicle_state(w->model, w->data, 0).velocity[0] > 2.8);
  assert_true(rut_vehicle_state(w->model, w->data, 1).velocity[0] < 3 * 18 / 19.5);
  close_world(w);
}

// The ends of a crate's pushes are events, and the block is where it was pushed to.
static void test_contacts_are_reported(void** state) {
  (void)state;
  World* w = open_world(
      "<world>" ROBOT("a", "velocity='2 0'",
                      RAW) "<block name='box' shape='box' position='1.2 0' mass='5'/></world>");
  bool touched = false;
  for (int i = 0; i < 200; i++) {
    run(w, 1);
    int n = 0;
    const rutContact* c = rut_contacts(w->model, w->data, &n);
    if (n == 0) continue;
    touched = true;
    assert_int_equal(n, 1);
    const bool order = c->kind_a == RUT_VEHICLE && c->kind_b == RUT_BLOCK;
    assert_true(order || (c->kind_a == RUT_BLOCK && c->kind_b == RUT_VEHICLE));
    assert_near(fabs(c->normal[0]), 1, 1e-6);
    assert_true(c->since > 0.1 && c->since < 0.4);
  }
  assert_true(touched);
  double pose[6], velocity[3];
  rut_block_state(w->model, w->data, 0, pose, velocity);
  assert_true(pose[0] > 1.25);
  close_world(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_step_does_not_allocate),
      cmocka_unit_test(test_one_allocation_each_for_model_and_data),
      cmocka_unit_test(test_initial_velocity_is_in_the_body_frame),
      cmocka_unit_test(test_commands_are_checked),
      cmocka_unit_test(test_divergence_keeps_the_last_finite_state),
      cmocka_unit_test(test_names_are_found),
      cmocka_unit_test(test_odometry_follows_the_wheels),
      cmocka_unit_test(test_fresh_memory_may_hold_anything),
      cmocka_unit_test(test_compile_without_memory),
      cmocka_unit_test(test_parked_vehicle_stays),
      cmocka_unit_test(test_controller_holds_on_a_slope),
      cmocka_unit_test(test_stiff_bearing_is_stable),
      cmocka_unit_test(test_wheels_roll_at_the_start),
      cmocka_unit_test(test_contacts_are_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
