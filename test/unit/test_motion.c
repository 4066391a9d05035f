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
    rut_motion_shift(&now, gravity, times[i], &there);
    for (int k = 0; k < 3; k++) {
      assert_near(there.position[k], exact.position[k], jerk * t * t * t / 6 + 1e-12);
      assert_near(there.velocity[k], exact.velocity[k], jerk * t * t / 2 + 1e-12);
      assert_near(there.angular_velocity[k], exact.angular_velocity[k], 1e-12);
      assert_near(there.proper_acceleration[k], exact.proper_acceleration[k], jerk * t + 1e-12);
    }
    for (int k = 0; k < 4; k++) assert_near(there.attitude[k], exact.attitude[k], 1e-12);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_steady_turn)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
