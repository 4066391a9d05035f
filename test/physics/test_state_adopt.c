// SPDX-License-Identifier: BSD-3-Clause
//
// A run that goes on in a model with other numbers, through the public interface.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "vehicle_world.h"

static const char drive[] = "speed='8' driver='1' manoeuvre='step_steer' start_time='0.5'";

static void adopt(World* to, const World* from) {
  rutError err = {.message = ""};
  if (rut_state_adopt(to->model, to->data, from->model, from->data, &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
}

// In a model of equal numbers the run goes on to the same bits, with gearbox, driver and tyres.
static void test_goes_on(void** state) {
  (void)state;
  World a = open_hmmwv("timestep='1 ms'", drive), b = open_hmmwv("timestep='1 ms'", drive);
  run_until(&a, 1);
  adopt(&b, &a);
  assert_true(rut_time(b.data) == rut_time(a.data));
  assert_true(rut_steps(b.data) == rut_steps(a.data));
  run_until(&a, 3);
  run_until(&b, 3);
  const rutVehicleState p = rut_vehicle_state(a.model, a.data, 0);
  const rutVehicleState q = rut_vehicle_state(b.model, b.data, 0);
  assert_memory_equal(&p, &q, sizeof p);
  close_world(&a);
  close_world(&b);
}

// A planar one as well, whose wheels remember what the others gave them.
static void test_planar_goes_on(void** state) {
  static const char world[] =
      "<world timestep='5 ms'><vehicle name='v'><chassis mass='30' "
      "outline='-0.6 -0.25 0.6 -0.25 0.6 0.25 -0.6 0.25'/>"
      "<wheel place='rear_left' position='-0.2 0.3'/><wheel place='rear_right' "
      "position='-0.2 -0.3'/><wheel place='front_left' position='0.2 0.3'/>"
      "<wheel place='front_right' position='0.2 -0.3'/><tyre type='coulomb' combined='true'/>"
      "<drive type='direct'/><controller type='twist_pid' yaw_rate='0.5' "
      "proportional_gain='200' integral_gain='400' max_torque='0'/></vehicle></world>";
  (void)state;
  World a = open_world(world), b = open_world(world);
  run_until(&a, 1);
  assert_true(rut_vehicle_state(a.model, a.data, 0).rate[2] > 0.1);
  adopt(&b, &a);
  run_until(&a, 2);
  run_until(&b, 2);
  const rutVehicleState p = rut_vehicle_state(a.model, a.data, 0);
  const rutVehicleState q = rut_vehicle_state(b.model, b.data, 0);
  assert_memory_equal(&p, &q, sizeof p);
  close_world(&a);
  close_world(&b);
}

// From one model to the next nothing moves, and then the new numbers hold: without drag from the
// engine and on another controller a vehicle that rolls at 8 m/s is braked by 0.8 g at most.
static void test_other_numbers(void** state) {
  (void)state;
  World a = open_hmmwv("timestep='1 ms'", drive);
  World b = open_hmmwv("timestep='1 ms'", "speed='8' controller='throttle' brake='1'");
  run_until(&a, 0.4);
  adopt(&b, &a);
  const rutVehicleState p = rut_vehicle_state(a.model, a.data, 0);
  const rutVehicleState q = rut_vehicle_state(b.model, b.data, 0);
  assert_memory_equal(p.position, q.position, sizeof p.position);
  assert_memory_equal(p.velocity, q.velocity, sizeof p.velocity);
  run_until(&a, 1.4);
  run_until(&b, 1.4);
  const double held = rut_vehicle_state(a.model, a.data, 0).velocity[0];
  const double braked = rut_vehicle_state(b.model, b.data, 0).velocity[0];
  assert_near(held, p.velocity[0], 0.5);
  assert_true(braked < p.velocity[0] - 3);
  assert_true(braked > p.velocity[0] - 0.8 * 9.81 - 0.1);
  close_world(&a);
  close_world(&b);
}

// Ruts come along.
static void test_ruts(void** state) {
  static const char world[] =
      "<world timestep='1 ms' soil='s'><soil name='s' type='bekker' preset='sandy_loam_15'/>"
      "<deformable cell='10 cm'/><include file='vehicles/hmmwv.xml' speed='3'/></world>";
  (void)state;
  World a = open_project_world(world), b = open_project_world(world);
  rutRuts r, s;
  run_until(&a, 0.5);
  adopt(&b, &a);
  assert_true(rut_ruts(a.model, a.data, &r) && rut_ruts(b.model, b.data, &s));
  assert_true(r.area > 0);
  assert_memory_equal(&r, &s, sizeof r);
  close_world(&a);
  close_world(&b);
}

static void test_refusal(void** state) {
  (void)state;
  rutError err = {.message = ""};
  World a = open_hmmwv("timestep='1 ms'", drive);
  World b = open_world(
      "<world><block name='b' position='0 0' mass='1 kg' outline='0 0, 1 0, 0 1'/>"
      "</world>");
  assert_int_equal(rut_state_adopt(b.model, b.data, a.model, a.data, &err), RUT_ERR_VERSION);
  assert_non_null(strstr(err.message, "vehicles"));
  assert_true(rut_time(b.data) == 0);
  close_world(&a);
  close_world(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_goes_on),
                                     cmocka_unit_test(test_planar_goes_on),
                                     cmocka_unit_test(test_other_numbers),
                                     cmocka_unit_test(test_ruts), cmocka_unit_test(test_refusal)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
