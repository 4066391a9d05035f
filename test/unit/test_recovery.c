// SPDX-License-Identifier: BSD-3-Clause
//
// Backing out along the own track, with a bicycle as the vehicle: a circle is driven back on within
// centimetres, to where it was 8 m of arc before; what has come to stand in the way, or is
// remembered beside it, ends the way by its geometry; tries and their bound.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "assert_near.h"
#include "control/recovery.h"

static const double DT = 0.01, BASE = 3.3;

static rutRecoveryCar car_of(double tries) {
  return (rutRecoveryCar){.footprint = {4, 0.7, 2},
                          .base = BASE,
                          .radius = 5.7,
                          .steer_rate = 0.17,
                          .speed = 1,
                          .way = 8,
                          .tries = tries};
}

static const rutRecoveryPoints nothing = {NULL, 0};

// Forward along a circle to the left, curvature 0 being a line.
static rutPlanPose come(rutRecovery* r, const rutRecoveryCar* car, double way, double curvature,
                        rutRecoveryPoints points) {
  const rutPlanPose from = {0, 0, 0};
  rutPlanPose pose = from;
  for (double s = 0; s <= way + 1e-9; s += 0.1) {
    pose = rut_plan_drive(&from, s, curvature);
    rut_recovery_keep(r, car, &pose, points);
  }
  return pose;
}

// Back, by a bicycle whose speed and steering angle are as asked for; returns the greatest distance
// from the circle.
static double go_back(rutRecovery* r, const rutRecoveryCar* car, rutPlanPose* pose,
                      double curvature, double steer) {
  rutRecoveryAsked asked = {0, steer, 1};
  double speed = 0, most = 0;
  for (int i = 0; i < 6000 && r->backing > 0; i++) {
    rut_recovery_drive(r, car, pose, speed, DT, &asked);
    assert_true(asked.speed <= 0 && asked.speed >= -1);
    speed = asked.brake > 0 ? 0 : asked.speed;
    r->stood = speed == 0 ? r->stood + DT : 0;
    *pose = rut_plan_drive(pose, speed * DT, tan(asked.steer) / BASE);
    const double off =
        curvature > 0 ? hypot(pose->x, pose->y - 1 / curvature) - 1 / curvature : pose->y;
    most = fmax(most, fabs(off));
  }
  assert_true(r->backing == 0);
  return most;
}

static void test_circle(void** state) {
  (void)state;
  static const double curvature = 0.08;
  const rutRecoveryCar car = car_of(1);
  rutRecovery r = {0};
  rutPlanPose pose = come(&r, &car, 12, curvature, nothing);
  // not before it stands
  rut_recovery_begin(&r, &car, &pose, nothing, 50, 3);
  assert_true(r.backing == 0);
  r.stood = 1;
  rut_recovery_begin(&r, &car, &pose, nothing, 50, 3);
  assert_true(r.backing == 1 && r.since == 3);
  // wheels that stand straight turn first
  rutRecoveryAsked asked = {0};
  rut_recovery_drive(&r, &car, &pose, 0, DT, &asked);
  assert_near(asked.speed, 0, 0);
  assert_near(asked.steer, 0.17 * DT, 1e-12);
  assert_true(go_back(&r, &car, &pose, curvature, 0) < 0.05);
  // 8 m of arc, in steps of a track of 0.5 m, and what may be left of it
  const double angle = atan2(pose.x, 1 / curvature - pose.y);
  assert_near(angle / curvature, 12 - 8.25, 0.25 + 0.15);
  assert_near(pose.yaw, angle, 0.03);
}

// A post has come to stand across the way, 3 m behind the rear end: 0.25 m are between two looks.
static void test_post_behind(void** state) {
  (void)state;
  const rutRecoveryCar car = car_of(1);
  rutRecovery r = {.stood = 0};
  rutPlanPose pose = come(&r, &car, 12, 0, nothing);
  const double behind[1][2] = {{12 - 0.7 - 3, 0.5}};
  const rutRecoveryPoints post = {behind, 1};
  r.stood = 1;
  rut_recovery_begin(&r, &car, &pose, post, 50, 0);
  assert_true(r.backing == 1);
  assert_true(r.free <= 3 - 0.25 && r.free > 3 - 0.3 - 0.3);
  go_back(&r, &car, &pose, 0, 0);
  assert_true(pose.x - 0.7 - behind[0][0] >= 0.2);
}

// What it has passed beside, out of sight now, is remembered: straight back there is room, not for
// a vehicle that was moved aside.
static void test_remembers(void** state) {
  (void)state;
  const rutRecoveryCar car = car_of(2);
  rutRecovery r = {.stood = 0};
  const double beside[1][2] = {{6, 1.4}};
  const rutRecoveryPoints post = {beside, 1};
  rutPlanPose pose = come(&r, &car, 4, 0, post);
  const rutPlanPose from = {0, 0, 0};
  for (double s = 4; s <= 12 + 1e-9; s += 0.1) {
    pose = rut_plan_drive(&from, s, 0);
    rut_recovery_keep(&r, &car, &pose, nothing);
  }
  rutRecovery moved = r;
  r.stood = moved.stood = 1;
  rut_recovery_begin(&r, &car, &pose, nothing, 50, 0);
  assert_true(r.backing == 1 && r.free >= 8);
  // both ends of the track 0.6 m further to the left: the post is within its width
  for (int i = 0; i < RUT_GOAL_TRACK; i++) moved.track[3 * i + 1] += 0.6;
  pose.y += 0.6;
  rut_recovery_begin(&moved, &car, &pose, nothing, 50, 0);
  assert_true(moved.backing == 1);
  // its rear end is 12 - 0.7 - 6 m from the post
  assert_near(moved.free, 12 - 0.7 - 6 - 0.3, 0.25);
}

// Without coming nearer to the goal by its length it tries so many times only; what has not moved
// has no track.
static void test_tries(void** state) {
  (void)state;
  const rutRecoveryCar car = car_of(2), never = car_of(0);
  rutRecovery r = {0};
  rutPlanPose pose = come(&r, &car, 0, 0, nothing);
  assert_false(rut_recovery_hopes(&r, &car));
  for (int i = 0; i < 4; i++) {
    r.tracked = 0;
    pose = come(&r, &car, 12, 0, nothing);
    assert_true(rut_recovery_hopes(&r, &car));
    assert_false(rut_recovery_hopes(&r, &never));
    r.stood = 1;
    // 4 m nearer are less than its length of 4.7 m
    rut_recovery_begin(&r, &car, &pose, nothing, i == 0 ? 50 : 46, 0);
    assert_true(r.backing == (i < 2));
    r.backing = 0;
  }
  assert_false(rut_recovery_hopes(&r, &car));
  come(&r, &car, 12, 0, nothing);
  r.stood = 1;
  rut_recovery_begin(&r, &car, &pose, nothing, 45, 0);
  assert_true(r.backing == 1 && r.rounds == 1);
}

// What does not move however long it asks for it gives up.
static void test_stuck(void** state) {
  (void)state;
  const rutRecoveryCar car = car_of(3);
  rutRecovery r = {0};
  const rutPlanPose pose = come(&r, &car, 12, 0, nothing);
  rutRecoveryAsked asked = {0};
  r.stood = 1;
  rut_recovery_begin(&r, &car, &pose, nothing, 50, 0);
  int updates = 0;
  for (; r.backing > 0 && updates < 1000; updates++) {
    rut_recovery_drive(&r, &car, &pose, 0, DT, &asked);
    r.stood += DT;
  }
  // 3 s, and until it counts as standing
  assert_near(updates * DT, 3.3, 0.1);
  assert_false(rut_recovery_hopes(&r, &car));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_circle), cmocka_unit_test(test_post_behind),
      cmocka_unit_test(test_remembers), cmocka_unit_test(test_tries), cmocka_unit_test(test_stuck)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
