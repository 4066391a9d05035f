// SPDX-License-Identifier: BSD-3-Clause
//
// Normals and optical flow of a camera, against closed forms.
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

static const double PI = 3.14159265358979323846;

enum { COLOUR, DEPTH, CLASS, INSTANCE, NORMAL, FLOW };
static const rutComponent* const none[] = {NULL};

static const float* floats_of(const World* w, int output) {
  const float* image = rut_sensor_output(w->model, w->data, 0, output, NULL);
  assert_non_null(image);
  return image;
}

#define CAMERA "<sensor type='camera' name='eye' period='0.1' render='false' "
// A planar vehicle that moves exactly as told.
#define ROVER(motion, attributes)                                                      \
  "<world timestep='0.01'><plane x_min='-100' x_max='100' y_min='-100' y_max='100'/>"  \
  "<vehicle name='r' velocity='2 0'>"                                                  \
  "<chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"                 \
  "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"             \
  "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"           \
  "<tyre type='coulomb'/><drive type='direct'/><controller type='twist_ideal' " motion \
  "/>" CAMERA attributes "/></vehicle></world>"

// Level ground and a wall ahead, 30 degrees down.
static void test_normals(void** state) {
  (void)state;
  World w = open_world_with(
      "<world timestep='0.01'><block fixed='true' shape='box' size='2 100 90' position='6 0' "
      "z_max='90'/>" CAMERA
      "z='2' pitch='30 deg' width='40' height='40' fov='70 deg' normals='true'/></world>",
      0, none);
  run(&w, 10);
  const float* normal = floats_of(&w, NORMAL);
  const int32_t* instance = rut_sensor_output(w.model, w.data, 0, INSTANCE, NULL);
  const double c = cos(PI / 6), s = sin(PI / 6);
  int ground = 0, wall = 0;
  for (int i = 0; i < 40 * 40; i++) {
    const bool up = instance[i] == 0;
    assert_near(normal[3 * i], 0, 1e-7);
    assert_near(normal[3 * i + 1], up ? -c : s, 1e-7);
    assert_near(normal[3 * i + 2], up ? -s : -c, 1e-7);
    ground += up;
    wall += !up;
  }
  assert_true(ground > 100);
  assert_true(wall > 100);
  close_world(&w);
}

// Without them their images are empty.
static void test_off(void** state) {
  (void)state;
  World w =
      open_world_with("<world timestep='0.01'>" CAMERA "width='4' height='4'/></world>", 0, none);
  assert_int_equal(rut_variable(w.model, RUT_SENSOR, 0, RUT_OUTPUT, NORMAL).count, 0);
  assert_int_equal(rut_variable(w.model, RUT_SENSOR, 0, RUT_OUTPUT, FLOW).count, 0);
  close_world(&w);
}

// Straight down from h = 1.5 m at v = 2 m/s: all ground moves down by f v T / h in the image.
static void test_flow_of_travel(void** state) {
  (void)state;
  World w = open_world_with(ROVER("speed='2'",
                                  "z='1.5' pitch='90 deg' width='40' height='30' "
                                  "fov='60 deg' flow='true'"),
                            0, none);
  run(&w, 10);
  const float* flow = floats_of(&w, FLOW);
  for (int i = 0; i < 2 * 40 * 30; i++) assert_true(isnan(flow[i]));
  run(&w, 10);
  const double f = 20 / tan(PI / 6), want = f * 2 * 0.1 / 1.5;
  flow = floats_of(&w, FLOW);
  for (int i = 0; i < 40 * 30; i++) {
    assert_near(flow[2 * i], 0, 1e-5);
    assert_near(flow[2 * i + 1], want, 1e-5);
  }
  close_world(&w);
}

// The same with a rolling shutter: what moves s pixels a second is seen later by row_time for each
// row that it has moved by: D = s T + s row_time D.
static void test_flow_of_rolling_shutter(void** state) {
  (void)state;
  World w = open_world_with(
      ROVER("speed='2'",
            "z='1.5' pitch='90 deg' width='40' height='30' fov='60 deg' flow='true' "
            "row_time='1 ms'"),
      0, none);
  run(&w, 20);
  const double speed = 20 / tan(PI / 6) * 2 / 1.5, want = speed * 0.1 / (1 - speed * 1e-3);
  const float* flow = floats_of(&w, FLOW);
  // rows that were in the image then
  for (int i = 40 * 8; i < 40 * 30; i++) {
    assert_near(flow[2 * i], 0, 1e-4);
    assert_near(flow[2 * i + 1], want, 1e-4);
  }
  close_world(&w);
}

// A point of the ground in optical axes of a camera 1 m ahead of a vehicle, 1.2 m high, 20 degrees
// down.
static void to_optical(const rutVehicleState* v, const double at[2], double out[3]) {
  const double c = cos(v->yaw), s = sin(v->yaw), cp = cos(PI / 9), sp = sin(PI / 9);
  const double dx = at[0] - v->position[0], dy = at[1] - v->position[1];
  const double ahead = c * dx + s * dy - 1, left = c * dy - s * dx, up = -1.2;
  out[0] = -left;
  out[1] = -(sp * ahead + cp * up);
  out[2] = cp * ahead - sp * up;
}

// Ground and sky from a vehicle on a circle: the homography of the plane from pose to pose, and
// the turn alone.
static void test_flow_of_travel_and_turn(void** state) {
  (void)state;
  World w = open_world_with(
      ROVER("speed='2' yaw_rate='0.8'",
            "x='1' z='1.2' pitch='20 deg' width='64' height='64' fov='80 deg' flow='true'"),
      0, none);
  run(&w, 40);
  const rutVehicleState before = rut_vehicle_state(w.model, w.data, 0);
  run(&w, 10);
  const rutVehicleState now = rut_vehicle_state(w.model, w.data, 0);
  assert_near(now.yaw - before.yaw, 0.08, 1e-3);
  const float *flow = floats_of(&w, FLOW), *depth = floats_of(&w, DEPTH);
  const double f = 32 / tan(PI * 40 / 180), cp = cos(PI / 9), sp = sin(PI / 9);
  int ground = 0, sky = 0;
  for (int i = 0; i < 64 * 64; i++) {
    const double u = (i % 64 + 0.5 - 32) / f, v = (i / 64 + 0.5 - 32) / f;
    // along heading, left and up, for a depth of 1
    const double along = cp - sp * v, left = -u, rise = -sp - cp * v;
    double then[3];
    if (depth[i] > 0) {
      const double t = -1.2 / rise;
      const double x = 1 + t * along, y = t * left, c = cos(now.yaw), s = sin(now.yaw);
      to_optical(&before,
                 (double[2]){now.position[0] + c * x - s * y, now.position[1] + s * x + c * y},
                 then);
    } else {
      const double turn = now.yaw - before.yaw, c = cos(turn), s = sin(turn);
      const double a = c * along - s * left, l = s * along + c * left;
      then[0] = -l;
      then[1] = -(sp * a + cp * rise);
      then[2] = cp * a - sp * rise;
    }
    assert_near(flow[2 * i], f * (u - then[0] / then[2]), 1e-4);
    assert_near(flow[2 * i + 1], f * (v - then[1] / then[2]), 1e-4);
    ground += depth[i] > 0;
    sky += depth[i] < 0;
  }
  assert_true(ground > 1000);
  assert_true(sky > 100);
  close_world(&w);
}

// A block 5 m ahead that moves to the left at 2 m/s, by f v T / D in the image; the rest is still.
static void test_flow_of_a_block(void** state) {
  (void)state;
  World w = open_world_with(
      "<world timestep='0.01'><block shape='box' size='2 1 2' position='6 0' z_max='2'>"
      "<keyframe time='0' position='0 0'/><keyframe time='9' position='0 18'/></block>" CAMERA
      "z='1' width='80' height='60' fov='70 deg' flow='true'/></world>",
      0, none);
  run(&w, 30);
  const float* flow = floats_of(&w, FLOW);
  const int32_t* instance = rut_sensor_output(w.model, w.data, 0, INSTANCE, NULL);
  const double want = -40 / tan(PI * 35 / 180) * 2 * 0.1 / 5;
  int hits = 0;
  for (int i = 0; i < 80 * 60; i++) {
    assert_near(flow[2 * i], instance[i] > 0 ? want : 0, instance[i] > 0 ? 1e-5 : 1e-12);
    assert_near(flow[2 * i + 1], 0, instance[i] > 0 ? 1e-5 : 1e-12);
    hits += instance[i] > 0;
  }
  assert_true(hits > 100);
  close_world(&w);
}

// The top of a block that turns at 1 rad/s under the camera turns in the image about its middle.
static void test_flow_of_a_turning_block(void** state) {
  (void)state;
  World w = open_world_with(
      "<world timestep='0.01'><block shape='box' size='4 4 2' position='0 0' z_max='2'>"
      "<keyframe time='0'/><keyframe time='3' yaw='3'/></block>" CAMERA
      "z='8' pitch='90 deg' width='60' height='60' fov='60 deg' flow='true'/></world>",
      0, none);
  run(&w, 20);
  const float *flow = floats_of(&w, FLOW), *depth = floats_of(&w, DEPTH);
  int hits = 0;
  for (int i = 0; i < 60 * 60; i++) {
    if (fabs(depth[i] - 6) > 1e-3) continue;
    // counter-clockwise as seen from above; the image's y is down and its top is ahead
    const double x = i % 60 + 0.5 - 30, y = i / 60 + 0.5 - 30, c = cos(0.1), s = sin(0.1);
    assert_near(flow[2 * i], x - (c * x - s * y), 1e-5);
    assert_near(flow[2 * i + 1], y - (s * x + c * y), 1e-5);
    hits++;
  }
  assert_true(hits > 500);
  close_world(&w);
}

// The side of a wheel that rolls to the right before a camera at rest: about its hub it turns.
static void test_flow_of_a_wheel(void** state) {
  (void)state;
  World w = open_world_with(
      "<world timestep='0.01'><plane x_min='-100' x_max='100' y_min='-100' y_max='100'/>"
      "<sensor type='camera' name='eye' period='0.1' render='false' x='-0.6' y='-3' z='0.4' "
      "yaw='90 deg' width='160' height='120' fov='40 deg' flow='true'/>"
      "<vehicle name='r' position='-1 0' velocity='2 0'>"
      "<chassis mass='10' z_min='0.9' z_max='1' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"
      "<wheel name='l' position='0 0.5' place='left' mass='1' radius='0.4' width='0.2'/>"
      "<wheel name='r' position='0 -0.5' place='right' mass='1' radius='0.4' width='0.2'/>"
      "<tyre type='coulomb'/><drive type='direct'/><controller type='twist_ideal' speed='2'/>"
      "</vehicle></world>",
      0, none);
  run(&w, 10);
  const double angle = rut_wheel_state(w.model, w.data, 1).angle;
  run(&w, 10);
  const float *flow = floats_of(&w, FLOW), *depth = floats_of(&w, DEPTH);
  const double hub = rut_vehicle_state(w.model, w.data, 0).position[0];
  const double f = 80 / tan(PI / 9), turn = rut_wheel_state(w.model, w.data, 1).angle - angle;
  assert_near(turn, 0.5, 1e-3);
  int hits = 0;
  for (int i = 0; i < 160 * 120; i++) {
    const double D = (double)depth[i];  // it lies across the axis, so that this does not change
    const double x = (i % 160 + 0.5 - 80) * D / f - 0.6 - hub, z = (60 - i / 160 - 0.5) * D / f;
    if (D < 0 || D > 2.6 || hypot(x, z) > 0.38) continue;
    const double c = cos(turn), s = sin(turn);  // it has turned clockwise, as seen
    const double past_x = c * x - s * z - 0.2, past_z = s * x + c * z;
    assert_near(flow[2 * i], f * (x - past_x) / D, 2e-3);
    assert_near(flow[2 * i + 1], f * (past_z - z) / D, 2e-3);
    hits++;
  }
  assert_true(hits > 1000);
  close_world(&w);
}

// A state that was saved between two samples gives the same flow again, on any number of workers.
static void test_flow_after_restoring(void** state) {
  (void)state;
  const char* text =
      ROVER("speed='2' yaw_rate='0.8'", "x='1' z='1.2' width='160' height='120' flow='true'");
  World w = open_world_with(text, 1, none), other = open_world_with(text, 2, none);
  run(&w, 25);
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  void* kept = malloc(size);
  assert_non_null(kept);
  assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, kept, size), RUT_OK);
  assert_int_equal(rut_state_set(other.model, other.data, RUT_STATE_ALL, kept, size), RUT_OK);
  free(kept);
  run(&w, 10);
  run(&other, 10);
  assert_memory_equal(floats_of(&w, FLOW), floats_of(&other, FLOW), 2 * 160 * 120 * sizeof(float));
  close_world(&w);
  close_world(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_normals),
      cmocka_unit_test(test_off),
      cmocka_unit_test(test_flow_of_travel),
      cmocka_unit_test(test_flow_of_rolling_shutter),
      cmocka_unit_test(test_flow_of_travel_and_turn),
      cmocka_unit_test(test_flow_of_a_block),
      cmocka_unit_test(test_flow_of_a_turning_block),
      cmocka_unit_test(test_flow_of_a_wheel),
      cmocka_unit_test(test_flow_after_restoring),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
