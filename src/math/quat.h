// SPDX-License-Identifier: BSD-3-Clause
//
// Unit quaternions (w, x, y, z) that rotate body to world (Hamilton product, right-handed).
#ifndef RUT_MATH_QUAT_H
#define RUT_MATH_QUAT_H

#include "math/vec.h"

typedef struct rutQuat {
  double w, x, y, z;
} rutQuat;

RUT_INLINE rutQuat rut_quat(double w, double x, double y, double z) {
  return (rutQuat){w, x, y, z};
}
RUT_INLINE rutQuat rut_quat_conjugate(rutQuat q) { return rut_quat(q.w, -q.x, -q.y, -q.z); }
// First b, then a.
RUT_INLINE rutQuat rut_quat_mul(rutQuat a, rutQuat b) {
  return rut_quat(
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}
RUT_INLINE double rut_quat_norm(rutQuat q) {
  return rut_sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}
// Unit quaternion along q; the zero quaternion gives no rotation.
RUT_INLINE rutQuat rut_quat_unit(rutQuat q) {
  const double n = rut_quat_norm(q);
  const int usable = n > 0.0;
  const double s = 1.0 / (usable ? n : 1.0);
  return rut_quat(usable ? q.w * s : 1.0, q.x * s, q.y * s, q.z * s);
}

// Rotation by |r| about r (exponential map): cos(|r|/2) + sin(|r|/2)/|r| r.
RUT_INLINE rutQuat rut_quat_exp(rutVec3 r) {
  const double angle2 = rut_vec3_dot(r, r), angle = rut_sqrt(angle2);
  double s, c;
  rut_sincos(0.5 * angle, &s, &c);
  // Series below 1e-4 rad, where it is exact to 1e-18 and the quotient would be 0/0.
  const int small = angle < 1e-4;
  const double k = small ? 0.5 - angle2 * (1.0 / 48.0) : s / (small ? 1.0 : angle);
  return rut_quat(c, k * r.x, k * r.y, k * r.z);
}
// The same for the turn of one step, by series that are exact to double precision up to 1 rad:
// without branches, so that a loop over lanes becomes vector code.
RUT_INLINE rutQuat rut_quat_of_turn(rutVec3 r) {
  const double y = -0.25 * rut_vec3_dot(r, r);
  // sum y^k/(2k)! and sum y^k/(2k+1)!
  double c = 1.0 / 87178291200.0, s = 1.0 / 1307674368000.0;
  c = 1.0 / 479001600.0 + y * c;
  s = 1.0 / 6227020800.0 + y * s;
  c = 1.0 / 3628800.0 + y * c;
  s = 1.0 / 39916800.0 + y * s;
  c = 1.0 / 40320.0 + y * c;
  s = 1.0 / 362880.0 + y * s;
  c = 1.0 / 720.0 + y * c;
  s = 1.0 / 5040.0 + y * s;
  c = 1.0 / 24.0 + y * c;
  s = 1.0 / 120.0 + y * s;
  c = 1.0 / 2.0 + y * c;
  s = 1.0 / 6.0 + y * s;
  c = 1.0 + y * c;
  s = 0.5 * (1.0 + y * s);
  return rut_quat(c, s * r.x, s * r.y, s * r.z);
}
// Rotation vector of a unit quaternion, of length in [0, pi].
RUT_INLINE rutVec3 rut_quat_log(rutQuat q) {
  const double sign = q.w < 0.0 ? -1.0 : 1.0;
  const double s = rut_sqrt(q.x * q.x + q.y * q.y + q.z * q.z), c = sign * q.w;
  const int small = s < 1e-4;
  const double k = small ? 2.0 + s * s * (1.0 / 3.0) : 2.0 * rut_atan2(s, c) / (small ? 1.0 : s);
  return rut_vec3(sign * k * q.x, sign * k * q.y, sign * k * q.z);
}

// Rotation matrix body to world of a unit quaternion.
RUT_INLINE rutMat3 rut_quat_matrix(rutQuat q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return (rutMat3){{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy),  //
                    2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx),  //
                    2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}};
}
// Unit quaternion of a rotation matrix, w or its largest part positive: the largest of the four
// parts is found first and divides the others (Shepperd, J. Guidance and Control 1(3), 1978).
RUT_INLINE rutQuat rut_quat_of_matrix(rutMat3 a) {
  const double *m = a.m, trace = m[0] + m[4] + m[8];
  rutQuat q;
  if (trace >= m[0] && trace >= m[4] && trace >= m[8]) {
    q = rut_quat(1.0 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1]);
  } else if (m[0] >= m[4] && m[0] >= m[8]) {
    q = rut_quat(m[7] - m[5], 1.0 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6]);
  } else if (m[4] >= m[8]) {
    q = rut_quat(m[2] - m[6], m[1] + m[3], 1.0 + m[4] - m[0] - m[8], m[5] + m[7]);
  } else {
    q = rut_quat(m[3] - m[1], m[2] + m[6], m[5] + m[7], 1.0 + m[8] - m[0] - m[4]);
  }
  return rut_quat_unit(q);
}
RUT_INLINE rutVec3 rut_quat_rotate(rutQuat q, rutVec3 v) {
  return rut_mat3_apply(rut_quat_matrix(q), v);
}
// From and to roll, pitch, yaw (see rut_mat3_of_rpy).
RUT_INLINE rutQuat rut_quat_of_rpy(double roll, double pitch, double yaw) {
  double sr, cr, sp, cp, sy, cy;
  rut_sincos(0.5 * roll, &sr, &cr);
  rut_sincos(0.5 * pitch, &sp, &cp);
  rut_sincos(0.5 * yaw, &sy, &cy);
  return rut_quat(cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy,
                  cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy);
}
RUT_INLINE rutVec3 rut_quat_rpy(rutQuat q) { return rut_mat3_rpy(rut_quat_matrix(q)); }

#endif  // RUT_MATH_QUAT_H
