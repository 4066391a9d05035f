// SPDX-License-Identifier: BSD-3-Clause
//
// Motion of a sensor at times besides the present, against a rigid body in steady rotation.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "math/quat.h"
#include "sim/motion.h"
#include "world_fixture.h"

static const double gravity = 9.81;
static const double rate = 0.8;  // of the turn [rad/s]

// A point of a body that turns steadily about an axis through the origin: R(t) arm, where R turns
// by rate t. Its axes are turned against those of the body by `mount`.
static rutMotion turning(double time) {
  const rutVec3 axis = rut_vec3_unit(rut_vec3(1, -2, 3)), arm = rut_vec3(3, 1, -2);
  const rutQuat mount = rut_quat_exp(rut_vec3(0.3, -0.7, 1.1));
  const rutQuat turn = rut_quat_exp(rut_vec3_scale(axis, rate * time));
  const rutQuat attitude = rut_quat_mul(turn, mount), back = rut_quat_conjugate(attitude);
  const rutVec3 omega = rut_vec3_scale(axis, rate), at = rut_quat_rotate(turn, arm);
  const rutVec3 velocity = rut_vec3_cross(omega, at);
  const rutVec3 felt = rut_vec3_add(rut_vec3_cross(omega, velocity), rut_vec3(0, 0, gravity));
  rutMotion m = {.attitude = {attitude.w, attitude.x, attitude.y, attitude.z}};
  rut_vec3_put(at, m.position);
  rut_vec3_put(rut_quat_rotate(back, velocity), m.velocity);
  rut_vec3_put(rut_quat_rotate(back, omega), m.angular_velocity);
  rut_vec3_put(rut_quat_rotate(back, felt), m.proper_acceleration);
  return m;
}

// The acceleration is held, so that the place is wrong by jerk t^3/6, the velocity by jerk t^2/2,
// and the acceleration by jerk t; the attitude of a steady turn is exact.
static void test_steady_turn(void** state) {
  (void)state;
  static const double times[] = {-0.1, -0.02, 0, 0.03, 0.1};
  const rutMotion now = turning(0.4);
  for (int i = 0; i < (int)(sizeof times / sizeof *times); i++) {
    const double t = fabs(times[i]), jerk = rate * rate * rate * 3.75;
    const rutMotion exact = turning(0.4 + times[i]);
    rutMotion there;
    rut_motion_shift(&now, rut_vec3(0, 0, 0), gravity, times[i], &there);
    for (int k = 0; k < 3; k++) {
      assert_near(there.position[k], exact.position[k], jerk * t * t * t / 6 + 1e-12);
      assert_near(there.velocity[k], exact.velocity[k], jerk * t * t / 2 + 1e-12);
      assert_near(there.angular_velocity[k], exact.angular_velocity[k], 1e-12);
      assert_near(there.proper_acceleration[k], exact.proper_acceleration[k], jerk * t + 1e-12);
    }
    for (int k = 0; k < 4; k++) assert_near(there.attitude[k], exact.attitude[k], 1e-12);
  }
}

// With the arm from a centre of mass that rests, what a frame feels in a turn that speeds up about
// a fixed axis is exact: the sum of R^T (alpha x r + w x (w x r)) and of gravity.
static void test_arm(void** state) {
  (void)state;
  const rutVec3 axis = rut_vec3_unit(rut_vec3(1, -2, 3)), arm = rut_vec3(3, 1, -2);
  const double spin_up = 1.7;  // [rad/s2]
  rutMotion motion[2];
  for (int i = 0; i < 2; i++) {
    const double t = i == 0 ? 0 : -0.03, w = rate + spin_up * t;
    const rutQuat turn = rut_quat_exp(rut_vec3_scale(axis, 0.9 + rate * t + 0.5 * spin_up * t * t));
    const rutVec3 omega = rut_vec3_scale(axis, w), alpha = rut_vec3_scale(axis, spin_up);
    const rutVec3 at = rut_quat_rotate(turn, arm);
    const rutVec3 acceleration =
        rut_vec3_add(rut_vec3_cross(alpha, at), rut_vec3_cross(omega, rut_vec3_cross(omega, at)));
    const rutQuat back = rut_quat_conjugate(turn);
    motion[i] = (rutMotion){.attitude = {turn.w, turn.x, turn.y, turn.z}};
    rut_vec3_put(omega, motion[i].angular_velocity);
    rut_vec3_put(alpha, motion[i].angular_acceleration);
    rut_vec3_put(rut_quat_rotate(back, rut_vec3_add(acceleration, rut_vec3(0, 0, gravity))),
                 motion[i].proper_acceleration);
  }
  rutMotion there;
  rut_motion_shift(&motion[0], arm, gravity, -0.03, &there);
  for (int k = 0; k < 3; k++) {
    assert_near(there.proper_acceleration[k], motion[1].proper_acceleration[k], 1e-12);
    assert_near(there.angular_velocity[k], motion[1].angular_velocity[k], 1e-12);
  }
}

// An imu 0.54 m from the centre of a turntable of 2 rad/s: w^2 r inwards, nothing along the motion,
// at samples of all phases between steps of 5 ms.
static void test_turntable(void** state) {
  (void)state;
  static const rutComponent* const no_types[] = {NULL};
  World w = open_world_with(
      "<world timestep='5 ms'><vehicle name='r'>"
      "<chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"
      "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
      "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
      "<tyre type='coulomb'/><drive type='direct'/>"
      "<controller type='twist_ideal' speed='0' yaw_rate='2'/>"
      "<sensor type='imu' x='0.54' period='7 ms' noise='none'/></vehicle></world>",
      0, no_types);
  run(&w, 200);  // it turns steadily
  for (int i = 0; i < 50; i++) {
    run(&w, 1);
    const double* force = rut_sensor_output(w.model, w.data, 0, 1, NULL);
    assert_non_null(force);
    const double turning = rut_vehicle_state(w.model, w.data, 0).rate[2];
    assert_near(turning, 2, 0.1);
    assert_near(force[0], -turning * turning * 0.54, 1e-4);
    assert_near(force[1], 0, 1e-4);
  }
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_steady_turn), cmocka_unit_test(test_arm),
                                     cmocka_unit_test(test_turntable)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
