// SPDX-License-Identifier: BSD-3-Clause
//
// A run that goes on in a model with other numbers, through the public interface.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/navigation.h"
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

// ---- clocks of controllers ----

static const double TAKES = 5, BEGINS = 7;  // [s]

static double speed_of(const World* w) {
  return rut_vehicle_state(w->model, w->data, 0).velocity[0];
}

// A world whose controllers take over at 5 s from a person at the pedals, who holds the speed.
static World taken_over(const char* person, const char* own) {
  World a = open_project_world(person), b = open_project_world(own);
  run_until(&a, TAKES);
  adopt(&b, &a);
  close_world(&a);
  return b;
}

#define LOADED                                                                    \
  "<world timestep='2 ms'><soil type='magic_formula' name='road' surface='dry'/>" \
  "<include file='vehicles/hmmwv_loaded.xml' speed='10' "

// A manoeuvre of a driver begins when the world is at its time, not when the driver has been there
// for as long; beneath shared control as well.
static void test_manoeuvre_by_the_worlds_time(void** state) {
  (void)state;
  World w = taken_over(LOADED "throttle='0.1'/></world>",
                       LOADED "driver='1' manoeuvre='braking' start_time='7'/></world>");
  run_until(&w, BEGINS);
  const double before = speed_of(&w);
  assert_true(before > 5);
  run_until(&w, BEGINS + 1);
  // a road that bears 0.5 g at least
  assert_true(speed_of(&w) < before - 0.5 * 9.81);
  close_world(&w);
}

static void test_shared_by_the_worlds_time(void** state) {
  static const char person[] = LOADED "throttle='0.1'/></world>";
  static const char both[] =
      LOADED "human='1' shared='1' authority='1' assist='false' noise='0'/></world>";
  (void)state;
  rutError err = {.message = ""};
  World a = open_project_world(person), w = open_context();
  rutSpec* spec = NULL;
  assert_int_equal(
      rut_spec_parse(w.context, both, strlen(both), RUT_SOURCE_DIR "/worlds/t.xml", &spec, &err),
      RUT_OK);
  assert_int_equal(rut_spec_set(spec, "hmmwv_loaded/automation.manoeuvre", "braking", &err),
                   RUT_OK);
  assert_int_equal(rut_spec_set(spec, "hmmwv_loaded/automation.start_time", "7 s", &err), RUT_OK);
  assert_int_equal(rut_compile(spec, &w.model, &err), RUT_OK);
  rut_spec_destroy(spec);
  w.data = rut_data_create(w.model);
  run_until(&a, TAKES);
  adopt(&w, &a);
  run_until(&w, BEGINS);
  const double before = speed_of(&w);
  assert_true(before > 5);
  run_until(&w, BEGINS + 1);
  assert_true(speed_of(&w) < before - 0.5 * 9.81);
  close_world(&a);
  close_world(&w);
}

// Plans of a cascade are of the world's time, as the scans are of which they are made.
static void test_plans_by_the_worlds_time(void** state) {
  (void)state;
  rutError err = {.message = ""};
  World w =
      taken_over(LOADED "throttle='0.1'/></world>", LOADED "avoid='1' goal_x='200'/></world>");
  rutNavigation* seen = NULL;
  assert_int_equal(rut_navigation_create(w.model, 0, &seen, &err), RUT_OK);
  for (int i = 0; i < 100; i++) step_world(&w);
  const double stamp = rut_navigation_read(seen, w.model, w.data, 0)->path_stamp;
  // of one of the decisions of the last 0.02 s
  assert_near(stamp, rut_time(w.data), 0.0221);
  rut_navigation_destroy(seen);
  close_world(&w);
}

// A wait is one after the takeover; what is seen then is not old.
static void test_wait_after_takeover(void** state) {
#define TRUCK(drives)                                                                           \
  "<world timestep='2 ms'><soil name='road' type='magic_formula' surface='dry'/>"               \
  "<vehicle name='truck'><chassis mass='1600 kg' com='0 0 0.7 m' outline='-2 -0.8, 2 -0.8, 2 "  \
  "0.8, -2 0.8' z_min='0.4 m' z_max='1.6 m'/><suspension type='slider' stiffness='60 kN/m' "    \
  "damping='6 kN s/m'/><tyre type='linear' stiffness='300 kN/m' damping='1 kN s/m'/><axle "     \
  "x='1.4 m' track='1.6 m' radius='0.4 m' width='0.25 m' wheel_mass='50 kg' max_steer='35 deg'" \
  " brake='3 kN m'/><axle x='-1.4 m' track='1.6 m' radius='0.4 m' width='0.25 m' "              \
  "wheel_mass='50 kg' brake='3 kN m'/><drive type='direct'/>" drives "</vehicle></world>"
  (void)state;
  World w = taken_over(
      TRUCK("<controller type='throttle' brake='1'/>"),
      TRUCK("<sensor type='lidar' name='lidar' channels='8' columns='90' elevation_first='-24 deg' "
            "elevation_last='3 deg' period='0.2 s' max_range='20 m' rated_range='0 m' z='2 m'/>"
            "<controller type='drive_to_goal' commands='drive' period='20 ms' goals='60 0' "
            "speed='3 m/s' front='2' rear='2' width='1.9' lidar_z='2 m' range='20 m' cells='64' "
            "horizon='5 m' level='true' wait='2 s'/>"
            "<controller type='p_gravity' name='drive' speed_gain='4 1/s' brake_force='20 kN'/>"));
  run_until(&w, TAKES + 2);
  assert_true(fabs(speed_of(&w)) < 0.1);
  run_until(&w, TAKES + 4);
  assert_true(speed_of(&w) > 0.5);
  close_world(&w);
}

// What backs out along its own track goes on to do so, by its saved state and in another model.
static void test_backing_out_goes_on(void** state) {
  static const char world[] = LOADED
      "avoid='1' goal_x='80'/><block shape='box' size='1 10 2 m' position='36 8 m'>"
      "<keyframe time='0 s'/><keyframe time='2 s'/><keyframe time='2.8 s' position='0 -8 m'/>"
      "<keyframe time='1000 s' position='0 -8 m'/></block></world>";
  (void)state;
  World a = open_project_world(world), b = open_project_world(world);
  run_until(&a, 8);
  assert_true(speed_of(&a) < -0.1);
  const size_t size = rut_state_size(a.model, a.data, RUT_STATE_ALL);
  void* saved = malloc(size);
  assert_non_null(saved);
  assert_int_equal(rut_state_get(a.model, a.data, RUT_STATE_ALL, saved, size), RUT_OK);
  adopt(&b, &a);
  run_until(&a, 10);
  run_until(&b, 10);
  const uint64_t hash = rut_state_hash(a.model, a.data);
  assert_true(speed_of(&a) < -0.1);
  assert_true(speed_of(&b) == speed_of(&a));
  assert_int_equal(rut_state_set(a.model, a.data, RUT_STATE_ALL, saved, size), RUT_OK);
  run_until(&a, 10);
  assert_true(rut_state_hash(a.model, a.data) == hash);
  free(saved);
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
                                     cmocka_unit_test(test_ruts),
                                     cmocka_unit_test(test_manoeuvre_by_the_worlds_time),
                                     cmocka_unit_test(test_shared_by_the_worlds_time),
                                     cmocka_unit_test(test_plans_by_the_worlds_time),
                                     cmocka_unit_test(test_wait_after_takeover),
                                     cmocka_unit_test(test_backing_out_goes_on),
                                     cmocka_unit_test(test_refusal)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
