// SPDX-License-Identifier: BSD-3-Clause
//
// Moments of a run, shown in data that has not run: everything that is displayed stands where it
// stood. Places are those that the simulation computed, on its own way.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/host.h"
#include "rut/replay.h"
#include "world_fixture.h"

enum { MOST = 600 };

// The numbers of a moment, as a log has them.
typedef struct Numbers {
  double vehicle[6 * MOST], wheel[3 * MOST], block[6 * MOST], joint[MOST];
} Numbers;

static World open_file(const char* name) {
  char path[1024];
  World w = {0};
  rutError err = {0};
  rutSpec* spec = NULL;
  snprintf(path, sizeof path, "%s/worlds/%s", RUT_SOURCE_DIR, name);
  assert_int_equal(rut_context_create(NULL, &w.context, &err), RUT_OK);
  if (rut_world_load(w.context, path, 0, NULL, &spec, &err) != RUT_OK) fail_msg("%s", err.message);
  if (rut_compile(spec, &w.model, &err) != RUT_OK) fail_msg("%s", err.message);
  rut_spec_destroy(spec);
  w.data = rut_data_create(w.model);
  assert_non_null(w.data);
  return w;
}

static void copy(double* to, const double* from, int n) {
  memcpy(to, from, (size_t)n * sizeof *to);
}

static rutMoment moment_of(const World* w, Numbers* numbers) {
  for (int i = 0; i < rut_count(w->model, RUT_VEHICLE); i++) {
    const rutVehicleState s = rut_vehicle_state(w->model, w->data, i);
    copy(numbers->vehicle + 6 * i, s.position, 3);
    copy(numbers->vehicle + 6 * i + 3, (const double[]){s.roll, s.pitch, s.yaw}, 3);
  }
  for (int i = 0; i < rut_count(w->model, RUT_WHEEL); i++) {
    const rutWheelState s = rut_wheel_state(w->model, w->data, i);
    copy(numbers->wheel + 3 * i, (const double[]){s.angle, s.steer, s.travel}, 3);
  }
  for (int i = 0; i < rut_count(w->model, RUT_BLOCK); i++) {
    double velocity[3];
    rut_block_state(w->model, w->data, i, numbers->block + 6 * i, velocity);
  }
  int joints = 0;
  for (int i = 0; i < rut_count(w->model, RUT_MECHANISM); i++) {
    double speed[64];
    int positions, speeds;
    rut_mechanism_size(w->model, i, &positions, &speeds);
    rut_mechanism_state(w->model, w->data, i, numbers->joint + joints, speed);
    joints += positions;
  }
  return (rutMoment){rut_time(w->data), numbers->vehicle, numbers->wheel, numbers->block,
                     numbers->joint};
}

// How far apart numbers may be.
typedef struct Near {
  double place, turn;  // [m], of a quaternion
} Near;

static void same(const double* a, const double* b, int n, double most) {
  for (int i = 0; i < n; i++) assert_near(a[i], b[i], most);
}

static void same_turn(const double a[4], const double b[4], double most) {
  const double sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  for (int i = 0; i < 4; i++) assert_near(a[i], sign * b[i], most);
}

static void same_vehicles(const World* w, const rutData* shown, Near near) {
  for (int i = 0; i < rut_count(w->model, RUT_VEHICLE); i++) {
    rutMotion a, b;
    assert_true(rut_motion(w->model, w->data, i, NULL, &a));
    assert_true(rut_motion(w->model, shown, i, NULL, &b));
    same(b.position, a.position, 3, 1e-9);
    same_turn(b.attitude, a.attitude, 1e-9);
  }
  for (int i = 0; i < rut_count(w->model, RUT_WHEEL); i++) {
    const rutWheelPose a = rut_wheel_pose(w->model, w->data, i);
    const rutWheelPose b = rut_wheel_pose(w->model, shown, i);
    rutLink link[32], other[32];
    same(b.position, a.position, 3, near.place);
    same_turn(b.quaternion, a.quaternion, near.turn);
    const int links = rut_suspension_links(w->model, w->data, i, 32, link);
    rut_suspension_links(w->model, shown, i, 32, other);
    for (int k = 0; k < links; k++) {
      same(other[k].from, link[k].from, 3, near.place);
      same(other[k].to, link[k].to, 3, near.place);
    }
  }
}

static void same_rest(const World* w, const rutData* shown) {
  for (int i = 0; i < rut_count(w->model, RUT_BLOCK); i++) {
    double a[6], b[6], velocity[3];
    rut_block_state(w->model, w->data, i, a, velocity);
    rut_block_state(w->model, shown, i, b, velocity);
    same(b, a, 6, 1e-9);
  }
  for (int i = 0; i < rut_count(w->model, RUT_MECHANISM); i++) {
    rutBodyPose a[16], b[16];
    const int bodies = rut_mechanism_bodies(w->model, w->data, i, 16, a);
    rut_mechanism_bodies(w->model, shown, i, 16, b);
    for (int k = 0; k < bodies; k++) {
      same(b[k].position, a[k].position, 3, 1e-9);
      same_turn(b[k].quaternion, a[k].quaternion, 1e-9);
    }
  }
}

// Run for a time, and show its end. What moves must have moved, and steered wheels have turned.
static void check_world(const char* name, double time, double steered, Near near) {
  static Numbers numbers;
  World w = open_file(name);
  rutError err = {0};
  double most = 0;
  while (rut_time(w.data) < time) assert_int_equal(rut_step(w.model, w.data, &err), RUT_OK);
  for (int i = 0; i < rut_count(w.model, RUT_WHEEL); i++) {
    most = fmax(most, fabs(rut_wheel_state(w.model, w.data, i).steer));
  }
  assert_true(most >= steered);
  rutData* shown = rut_data_create(w.model);
  const rutMoment moment = moment_of(&w, &numbers);
  assert_int_equal(rut_replay_show(w.model, shown, &moment, &err), RUT_OK);
  assert_true(rut_time(shown) == rut_time(w.data));
  same_vehicles(&w, shown, near);
  same_rest(&w, shown);
  rut_data_destroy(shown);
  close_world(&w);
}

static void test_planar(void** state) {
  (void)state;
  check_world("depot.xml", 6, 0, (Near){1e-9, 1e-9});
  check_world("hills.xml", 2, 0, (Near){1e-9, 1e-9});
  check_world("demo.xml", 4, 0.01, (Near){1e-9, 1e-9});
}

static void test_slides(void** state) {
  (void)state;
  check_world("trailer.xml", 3, 0, (Near){1e-9, 1e-9});
  check_world("rover_jump.xml", 2, 0, (Near){1e-9, 1e-9});
}

// Wishbones tell travel and angle as they were when the step began: at 0.3 m/s and 0.5 rad/s 0.3 mm
// and 0.5 mrad in a step of 1 ms.
static void test_wishbones(void** state) {
  (void)state;
  check_world("manoeuvres/step_steer.xml", 5.2, 0.02, (Near){3e-4, 3e-4});
  check_world("manoeuvres/double_lane_change_iso.xml", 5, 0.01, (Near){3e-4, 3e-4});
}

static void test_mechanisms(void** state) {
  (void)state;
  check_world("mechanisms.xml", 1.5, 0, (Near){1e-9, 1e-9});
}

// What is not known stays; what cannot be is refused.
static void test_errors(void** state) {
  (void)state;
  World w = open_file("lidar.xml");
  rutError err = {0};
  const double nowhere[6] = {NAN, 0, 0, 0, 0, 0}, far[6] = {1e300, 0, 0, 0, 0, INFINITY};
  double before[6], after[6];
  rut_sensor_pose(w.model, w.data, 0, before);
  rutMoment moment = {.time = 1, .vehicle = nowhere};
  assert_int_equal(rut_replay_show(w.model, w.data, &moment, &err), RUT_OK);
  moment.vehicle = far;
  assert_int_equal(rut_replay_show(w.model, w.data, &moment, &err), RUT_OK);
  rut_sensor_pose(w.model, w.data, 0, after);
  assert_memory_equal(before, after, sizeof before);
  moment.time = NAN;
  assert_int_equal(rut_replay_show(w.model, w.data, &moment, &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_replay_sample(w.model, w.data, -1, &err), RUT_ERR_ARGUMENT);
  moment.time = 0.123456;
  assert_int_equal(rut_replay_show(w.model, w.data, &moment, &err), RUT_OK);
  assert_int_equal(rut_replay_sample(w.model, w.data, 0, &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "takes no sample"));
  World other = open_file("hills.xml");
  assert_int_equal(rut_replay_show(other.model, w.data, &moment, &err), RUT_ERR_ARGUMENT);
  close_world(&other);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_planar),    cmocka_unit_test(test_slides),
      cmocka_unit_test(test_wishbones), cmocka_unit_test(test_mechanisms),
      cmocka_unit_test(test_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
