// SPDX-License-Identifier: BSD-3-Clause
//
// Limbs and wheels of actors: against closed forms and what was measured of people who walk.
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
#include "world_fixture.h"

#define PI 3.14159265358979323846
// Parts of a person, left ones; the right ones follow them.
enum { TRUNK, THIGH, SHANK = 3, FOOT = 5, FOREARM = 9, PARTS = 11 };
// Those of a car: its body and its wheels.
enum { FRONT_LEFT = 1, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT, CAR_PARTS };
enum { HEEL, BALL };
#define HEIGHT 1.75
static const double dt = 0.005;

static World open_world(const char* elements, int workers) {
  static const rutComponent* const none[] = {NULL};
  char text[4000];
  snprintf(text, sizeof text, "<world timestep='5 ms'>%s</world>", elements);
  return open_world_with(text, workers, none);
}

static void pose_of(const World* w, int block, int part, double pose[7]) {
  assert_true(rut_block_moving_part(w->model, w->data, block, part, pose));
}

// A point of a part in the world.
static void point_of(const World* w, int part, const double local[3], double out[3]) {
  double p[7];
  pose_of(w, 0, part, p);
  const double qw = p[3], *v = p + 4;
  const double t[3] = {2 * (v[1] * local[2] - v[2] * local[1]),
                       2 * (v[2] * local[0] - v[0] * local[2]),
                       2 * (v[0] * local[1] - v[1] * local[0])};
  out[0] = p[0] + local[0] + qw * t[0] + v[1] * t[2] - v[2] * t[1];
  out[1] = p[1] + local[1] + qw * t[1] + v[2] * t[0] - v[0] * t[2];
  out[2] = p[2] + local[2] + qw * t[2] + v[0] * t[1] - v[1] * t[0];
}

static double distance(const double* a, const double* b) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
              (a[2] - b[2]) * (a[2] - b[2]));
}

// ---- wheels ----

// Angle of a wheel of a car that faces along x, from -pi to pi.
static double wheel_angle(const World* w, int wheel) {
  double p[7];
  pose_of(w, 0, wheel, p);
  assert_near(p[4], 0, 1e-12);
  assert_near(p[6], 0, 1e-12);
  return remainder(2 * atan2(p[5], p[3]), 2 * PI);
}

// Rolling: the angle is distance over radius, 0.31 m for a car and 0.5 m for a lorry, after laps
// too; an element's size is that of its wheels.
static void test_wheels_roll(void** state) {
  (void)state;
  World w = open_world(
      "<actor path='-5 0, 40 0' speed='2 m/s' end='stop'><scenery type='car' size='1.5 1.5'/>"
      "</actor>"
      "<actor path='0 20, 90 20' speed='3 m/s'><scenery type='car' kind='lorry'/></actor>",
      0);
  assert_int_equal(rut_block_moving_parts(w.model, 0), CAR_PARTS);
  for (int i = 1; i <= 20; i++) {
    run(&w, 50);
    const double angle = remainder(2 * 50 * dt * i / (1.5 * 0.31), 2 * PI);
    for (int k = FRONT_LEFT; k <= REAR_RIGHT; k++) {
      assert_near(remainder(wheel_angle(&w, k) - angle, 2 * PI), 0, 1e-9);
    }
  }
  double body[7], wheel[7];
  pose_of(&w, 0, 0, body);
  pose_of(&w, 0, REAR_LEFT, wheel);
  assert_near(body[0], 5, 1e-9);
  assert_near(wheel[0], 5 - 1.5 * 1.32, 1e-9);
  assert_near(wheel[2], 1.5 * 0.31, 1e-9);
  // it stands at the end
  run(&w, 6000);
  const double end = wheel_angle(&w, FRONT_LEFT);
  assert_near(remainder(end - 45 / (1.5 * 0.31), 2 * PI), 0, 1e-6);
  run(&w, 77);
  assert_near(wheel_angle(&w, FRONT_LEFT), end, 1e-9);
  close_world(&w);
}

// On the spot wheels of both sides roll against each other: half the track times the angle, over
// the radius. A turn of 90 deg to the left.
static void test_wheels_of_a_turn(void** state) {
  (void)state;
  World w = open_world(
      "<actor path='0 0, 10 0, 10 10' speed='10 m/s' turn_rate='90 deg/s' end='stop'>"
      "<scenery type='car'/></actor>",
      0);
  double before[2][7], after[7];
  run(&w, 200);
  for (int k = 0; k < 2; k++) pose_of(&w, 0, FRONT_LEFT + k, before[k]);
  run(&w, 200);
  for (int k = 0; k < 2; k++) {
    pose_of(&w, 0, FRONT_LEFT + k, after);
    // without the heading of 90 deg only the turn about the axle is left
    const double c = cos(PI / 4), s = sin(PI / 4);
    const double angle = 2 * atan2(c * after[5] - s * after[4], c * after[3] + s * after[6]);
    const double turned = angle - 2 * atan2(before[k][5], before[k][3]);
    const double side = k ? -0.78 : 0.78;
    assert_near(remainder(turned + side * 0.5 * PI / 0.31, 2 * PI), 0, 1e-9);
  }
  close_world(&w);
}

// ---- people ----

// Heel or ball of a foot.
static void sole(const World* w, int foot, int end, double out[3]) {
  const double at[3] = {HEIGHT * (end == HEEL ? -0.035 : 0.1), 0, -0.039 * HEIGHT};
  point_of(w, FOOT + foot, at, out);
}

typedef struct Walked {
  double stance, none, slip, below;  // parts of the time; speed [m/s]; depth [m]
  int steps_of_left;
} Walked;

// Watches the soles along a path.
static Walked watch(const char* speed, double length, double duration) {
  char text[600];
  snprintf(text, sizeof text,
           "<actor path='0 0, %g 0' speed='%s' end='stop'><scenery type='person'/></actor>", length,
           speed);
  World w = open_world(text, 0);
  Walked sum = {0};
  double last[2][2][3];
  bool on[2][2] = {{0}}, was_down = true;
  const int steps = (int)(duration / dt) - 1;
  for (int s = 0; s < steps; s++) {
    bool down[2] = {0};
    for (int foot = 0; foot < 2; foot++) {
      for (int end = 0; end < 2; end++) {
        double p[3];
        sole(&w, foot, end, p);
        sum.below = fmax(sum.below, -p[2]);
        const bool touches = p[2] < 1e-8;
        if (touches && on[foot][end]) {
          sum.slip = fmax(sum.slip, fabs(p[0] - last[foot][end][0]) / dt);
          sum.slip = fmax(sum.slip, fabs(p[1] - last[foot][end][1]) / dt);
        }
        on[foot][end] = touches;
        memcpy(last[foot][end], p, sizeof p);
        down[foot] |= touches;
      }
    }
    sum.stance += (down[0] + down[1]) / (2.0 * steps);
    sum.none += (!down[0] && !down[1]) / (double)steps;
    sum.steps_of_left += was_down && !down[0];
    was_down = down[0];
    run(&w, 1);
  }
  close_world(&w);
  return sum;
}

// A foot that touches the ground stands still: its own speed is that of the body, backwards.
// Walkers always have one on the ground, for 0.62 of the time; runners fly.
static void test_feet_stand_still(void** state) {
  (void)state;
  const Walked walk = watch("1.4 m/s", 70, 50);
  assert_true(walk.slip < 1e-6);
  assert_true(walk.below < 1e-9);
  assert_near(walk.stance, 0.62, 0.01);
  assert_near(walk.none, 0, 0);
  const Walked jog = watch("3.5 m/s", 70, 20);
  assert_true(jog.slip < 1e-6);
  assert_true(jog.below < 1e-9);
  assert_near(jog.stance, 0.36, 0.02);
  assert_true(jog.none > 0.2);
}

// Murray, Drought, Kory, J. Bone Joint Surg. 46-A (1964) 335: 60 men of 1.756 m on average walked
// at 1.51 m/s with strides of 1.565 m; the relation here, which holds for all animals, is 10 %
// below.
static void test_strides(void** state) {
  (void)state;
  assert_near(151.0 / watch("1.51 m/s", 151, 100).steps_of_left, 1.565, 0.18);
}

// Joints hold: thigh, shank and forearm keep their lengths, 0.245, 0.246 and 0.186 of the height to
// the joint before (Winter, figure 4.1); knees bend forwards only.
static void test_joints_hold(void** state) {
  (void)state;
  World w = open_world(
      "<actor path='0 0, 20 0' speed='2.6 m/s' end='return'><waypoint point='1' speed='1 m/s' "
      "pause='1 s'/><scenery type='person'/></actor>",
      0);
  assert_int_equal(rut_block_moving_parts(w.model, 0), PARTS);
  for (int s = 0; s < 6000; s += 3) {
    for (int side = 0; side < 2; side++) {
      double hip[7], knee[7], ankle[7], shoulder[7], elbow[7];
      pose_of(&w, 0, THIGH + side, hip);
      pose_of(&w, 0, SHANK + side, knee);
      pose_of(&w, 0, FOOT + side, ankle);
      pose_of(&w, 0, 7 + side, shoulder);
      pose_of(&w, 0, FOREARM + side, elbow);
      assert_near(distance(knee, hip), 0.245 * HEIGHT, 1e-9);
      assert_near(distance(ankle, knee), 0.246 * HEIGHT, 1e-9);
      assert_near(distance(elbow, shoulder), 0.186 * HEIGHT, 1e-9);
      // the far end of the thigh is the knee
      double end[3];
      point_of(&w, THIGH + side, (const double[]){0, 0, -0.245 * HEIGHT}, end);
      for (int k = 0; k < 3; k++) assert_near(end[k], knee[k], 1e-9);
      point_of(&w, SHANK + side, (const double[]){0, 0, -0.246 * HEIGHT}, end);
      for (int k = 0; k < 3; k++) assert_near(end[k], ankle[k], 1e-9);
    }
    run(&w, 3);
  }
  close_world(&w);
}

// Limbs do not jump: no joint is faster than 12 m/s, through pauses, turns and changes of speed.
static void test_limbs_do_not_jump(void** state) {
  (void)state;
  World w = open_world(
      "<actor path='0 0, 7 0, 7 5' corner_radius='1 m' speed='1.3 m/s' end='loop'><waypoint "
      "point='1' speed='2 m/s'/><waypoint point='2' pause='0.5 s'/><scenery "
      "type='person'/></actor>",
      0);
  double last[PARTS][7];
  for (int s = 0; s < 5000; s++) {
    for (int i = 0; i < PARTS; i++) {
      double p[7];
      pose_of(&w, 0, i, p);
      for (int k = 0; s > 0 && k < 3; k++) assert_true(fabs(p[k] - last[i][k]) < 12 * dt);
      memcpy(last[i], p, sizeof p);
    }
    run(&w, 1);
  }
  close_world(&w);
}

// Who waits stands on both feet.
static void test_stands(void** state) {
  (void)state;
  World w = open_world(
      "<actor path='1 0, 6 0' speed='1.4 m/s' delay='2 s' end='stop'><scenery type='person'/>"
      "</actor>",
      0);
  for (int s = 0; s < 2; s++) {
    for (int foot = 0; foot < 2; foot++) {
      double p[3];
      for (int end = 0; end < 2; end++) {
        sole(&w, foot, end, p);
        assert_near(p[2], 0, 1e-9);
      }
      assert_near(p[0], (s ? 6 : 1) + 0.1 * HEIGHT, 1e-6);
    }
    run(&w, 1400);
  }
  double nothing[7];
  assert_false(rut_block_moving_part(w.model, w.data, 0, PARTS, nothing));
  assert_false(rut_block_moving_part(w.model, w.data, 1, 0, nothing));
  assert_near(nothing[3], 1, 0);
  assert_int_equal(rut_block_moving_parts(w.model, 1), 0);
  close_world(&w);
}

// ---- what sensors see, and states ----

static const char* const crossing =
    "<actor path='0 0, 10 0' speed='1.4 m/s' end='stop'><scenery type='person'/></actor>"
    "<sensor type='range_finder' name='beam' x='1.4285714 m' y='2 m' z='0.02 m' yaw='-90 deg' "
    "fov='0' noise='none' period='5 ms' max_range='10 m'/>";

static double beam(const World* w) {
  double stamp;
  int n;
  const double* range = rut_sensor(w->model, w->data, 0, &stamp, &n);
  assert_non_null(range);
  return range[0];
}

// A beam across the path where the left foot stands: strides of 10 m in 7 parts, seen 1.4286 m from
// the start while that foot is there, from 0.42 x 0.62 of a stride before the body is above it to
// 0.58 x 0.62 after. Soles are 0.052 of the height wide and 0.05 of it beside the middle.
static void test_rays_meet_the_foot(void** state) {
  (void)state;
  World w = open_world(crossing, 0);
  const double stride = 10.0 / 7, near = 2 - (0.05 + 0.026) * HEIGHT;
  int seen = 0;
  for (int s = 0; s < 700; s++) {
    run(&w, 1);
    const double x = 1.4 * dt * (s + 1), from = stride * (1 - 0.42 * 0.62);
    const double to = stride * (1 + 0.58 * 0.62 * 0.6);  // flat on the ground until here
    if (x < from + 0.05 || x > to - 0.05) continue;
    assert_near(beam(&w), near, 1e-6);
    seen++;
  }
  assert_true(seen > 60);
  run(&w, 700);
  assert_true(beam(&w) < 0 || beam(&w) > near + 1);
  close_world(&w);
}

// A state that is put back shows the pose of its time, and beams see the same, with any number of
// workers.
static void test_states(void** state) {
  (void)state;
  World w = open_world(crossing, 1), v = open_world(crossing, 3);
  run(&w, 100);
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  void* kept = malloc(size);
  assert_non_null(kept);
  assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, kept, size), RUT_OK);
  double before[PARTS][7], after[7];
  for (int i = 0; i < PARTS; i++) pose_of(&w, 0, i, before[i]);
  run(&w, 333);
  assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, kept, size), RUT_OK);
  free(kept);
  run(&v, 100);
  for (int i = 0; i < PARTS; i++) {
    pose_of(&w, 0, i, after);
    assert_memory_equal(after, before[i], sizeof after);
    pose_of(&v, 0, i, after);
    assert_memory_equal(after, before[i], sizeof after);
  }
  for (int s = 0; s < 200; s++) {
    run(&w, 1);
    run(&v, 1);
    const double a = beam(&w), b = beam(&v);
    assert_memory_equal(&a, &b, sizeof a);
  }
  close_world(&w);
  close_world(&v);
}

// ---- slopes ----

// Ground that falls by 0.3 to the left of x, and is 6 m high in the middle.
#define SLOPE "<elevation_map matrix='[0 0; 12 12]' resolution='40' rows='north_up'/>"
static double slope_height(const double* at) { return 6 - 0.3 * at[1]; }

// Wheels of a car stand on the slope, uphill, across and between.
static void test_wheels_on_a_slope(void** state) {
  (void)state;
  static const char* const paths[] = {"0 10, 0 -15", "0 15, 0 -15", "-10 2, 15 2", "-10 12, 9 -9"};
  for (int i = 0; i < 4; i++) {
    char text[400];
    snprintf(text, sizeof text,
             SLOPE
             "<actor path='%s' speed='2 m/s' end='return'><scenery type='car' size='1.5 1.5'/>"
             "</actor>",
             paths[i]);
    World w = open_world(text, 0);
    run(&w, 500);
    for (int k = FRONT_LEFT; k <= REAR_RIGHT; k++) {
      double wheel[7];
      pose_of(&w, 0, k, wheel);
      assert_near((wheel[2] - slope_height(wheel)) / sqrt(1 + 0.3 * 0.3), 1.5 * 0.31, 1e-9);
    }
    close_world(&w);
  }
}

// Feet of people on a slope are as high above the ground as on level ground, and the trunk stays
// upright.
static void test_feet_on_a_slope(void** state) {
  (void)state;
  static const char* const paths[] = {"0 10, 0 -15", "-10 2, 15 2", "-10 12, 9 -9"};
  for (int i = 0; i < 3; i++) {
    char text[2][400];
    for (int k = 0; k < 2; k++) {
      snprintf(text[k], sizeof text[k],
               "%s<actor path='%s' speed='1.4 m/s'><scenery type='person' size='1 1'/></actor>",
               k ? SLOPE : "<plane x_min='-20' x_max='20' y_min='-20' y_max='20'/>", paths[i]);
    }
    World level = open_world(text[0], 0), slope = open_world(text[1], 0);
    for (int k = 0; k < 100; k++) {
      run(&level, 8);
      run(&slope, 8);
      for (int foot = FOOT; foot < FOOT + 2; foot++) {
        double want[7], got[7];
        pose_of(&level, 0, foot, want);
        pose_of(&slope, 0, foot, got);
        assert_near(got[0], want[0], 1e-9);
        assert_near(got[1], want[1], 1e-9);
        assert_near(got[2] - slope_height(got), want[2], 1e-9);
      }
      double trunk[7];
      pose_of(&slope, 0, TRUNK, trunk);
      assert_near(trunk[4], 0, 1e-12);
      assert_near(trunk[5], 0, 1e-12);
    }
    close_world(&level);
    close_world(&slope);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_wheels_roll),
                                     cmocka_unit_test(test_wheels_of_a_turn),
                                     cmocka_unit_test(test_feet_stand_still),
                                     cmocka_unit_test(test_strides),
                                     cmocka_unit_test(test_joints_hold),
                                     cmocka_unit_test(test_limbs_do_not_jump),
                                     cmocka_unit_test(test_stands),
                                     cmocka_unit_test(test_rays_meet_the_foot),
                                     cmocka_unit_test(test_wheels_on_a_slope),
                                     cmocka_unit_test(test_feet_on_a_slope),
                                     cmocka_unit_test(test_states)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
