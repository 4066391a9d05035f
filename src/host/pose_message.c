// SPDX-License-Identifier: BSD-3-Clause
#include "host/pose_message.h"

#include <string.h>

#include "math/quat.h"
#include "math/rut_math.h"

// x y z w, as ROS has it.
static void put_quaternion(rutBytes* b, size_t start, const double q[4]) {
  const double xyzw[4] = {q[1], q[2], q[3], q[0]};
  rut_cdr_f64(b, start, 4, xyzw);
}

void rut_put_transform(rutBytes* b, size_t start, const rutTransformMessage* t) {
  rut_cdr_time(b, start, t->stamp);
  rut_cdr_text(b, start, t->parent);
  rut_cdr_text(b, start, t->child);
  rut_cdr_f64(b, start, 3, t->at);
  put_quaternion(b, start, t->q);
}

void rut_put_odometry(rutBytes* b, size_t start, const rutOdometryMessage* o) {
  static const double unknown[36];
  rut_cdr_time(b, start, o->stamp);
  rut_cdr_text(b, start, o->frame);
  rut_cdr_text(b, start, o->child);
  rut_cdr_f64(b, start, 3, o->at);
  put_quaternion(b, start, o->q);
  rut_cdr_f64(b, start, 36, unknown);
  rut_cdr_f64(b, start, 3, o->linear);
  rut_cdr_f64(b, start, 3, o->angular);
  rut_cdr_f64(b, start, 36, unknown);
}

static void put_array(rutBytes* b, size_t start, int n, const double* number) {
  rut_cdr_u32(b, start, (uint32_t)n);
  if (n > 0) rut_cdr_f64(b, start, n, number);
}

void rut_put_joint_state(rutBytes* b, size_t start, const rutJointMessage* j) {
  const char* name = j->names;
  rut_cdr_time(b, start, j->stamp);
  rut_cdr_text(b, start, "");
  rut_cdr_u32(b, start, (uint32_t)j->n);
  for (int i = 0; i < j->n; i++) {
    rut_cdr_text(b, start, name);
    name += strlen(name) + 1;
  }
  put_array(b, start, j->n, j->position);
  put_array(b, start, j->n, j->velocity);
  // an array is empty where nothing is known
  put_array(b, start, j->effort ? j->n : 0, j->effort);
}

void rut_quaternion_of_angles(double roll, double pitch, double yaw, double q[4]) {
  double sr, cr, sp, cp, sy, cy;
  rut_sincos(0.5 * roll, &sr, &cr);
  rut_sincos(0.5 * pitch, &sp, &cp);
  rut_sincos(0.5 * yaw, &sy, &cy);
  q[0] = cr * cp * cy + sr * sp * sy;
  q[1] = sr * cp * cy - cr * sp * sy;
  q[2] = cr * sp * cy + sr * cp * sy;
  q[3] = cr * cp * sy - sr * sp * cy;
}

void rut_optical_quaternion(const double q[4], double out[4]) {
  const rutQuat turn = rut_quat(0.5, -0.5, 0.5, -0.5);
  const rutQuat r = rut_quat_mul(rut_quat(q[0], q[1], q[2], q[3]), turn);
  memcpy(out, (const double[4]){r.w, r.x, r.y, r.z}, 4 * sizeof *out);
}
