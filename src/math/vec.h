// SPDX-License-Identifier: BSD-3-Clause
//
// 3-vectors and 3 x 3 matrices, passed by value so that compilers keep them in registers.
#ifndef RUT_MATH_VEC_H
#define RUT_MATH_VEC_H

#include "math/rut_math.h"

typedef struct rutVec3 {
  double x, y, z;
} rutVec3;

// Row-major: m[3 * row + column].
typedef struct rutMat3 {
  double m[9];
} rutMat3;

RUT_INLINE rutVec3 rut_vec3(double x, double y, double z) { return (rutVec3){x, y, z}; }
RUT_INLINE rutVec3 rut_vec3_of(const double a[3]) { return (rutVec3){a[0], a[1], a[2]}; }
RUT_INLINE void rut_vec3_put(rutVec3 v, double out[3]) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}
RUT_INLINE rutVec3 rut_vec3_add(rutVec3 a, rutVec3 b) {
  return rut_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}
RUT_INLINE rutVec3 rut_vec3_sub(rutVec3 a, rutVec3 b) {
  return rut_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}
RUT_INLINE rutVec3 rut_vec3_scale(rutVec3 a, double s) {
  return rut_vec3(a.x * s, a.y * s, a.z * s);
}
// a + s b
RUT_INLINE rutVec3 rut_vec3_add_scaled(rutVec3 a, double s, rutVec3 b) {
  return rut_vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
RUT_INLINE double rut_vec3_dot(rutVec3 a, rutVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
RUT_INLINE rutVec3 rut_vec3_cross(rutVec3 a, rutVec3 b) {
  return rut_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
RUT_INLINE double rut_vec3_norm(rutVec3 a) { return rut_sqrt(rut_vec3_dot(a, a)); }
// Unit vector along a; the zero vector stays zero.
RUT_INLINE rutVec3 rut_vec3_unit(rutVec3 a) {
  const double n = rut_vec3_norm(a);
  return rut_vec3_scale(a, 1.0 / (n > 0.0 ? n : 1.0));
}

RUT_INLINE rutMat3 rut_mat3_identity(void) {
  return (rutMat3){{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
}
RUT_INLINE rutMat3 rut_mat3_of(const double a[9]) {
  return (rutMat3){{a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]}};
}
RUT_INLINE rutMat3 rut_mat3_transpose(rutMat3 a) {
  return (rutMat3){{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}
// A v
RUT_INLINE rutVec3 rut_mat3_apply(rutMat3 a, rutVec3 v) {
  return rut_vec3(a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z,
                  a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
                  a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z);
}
// A^T v
RUT_INLINE rutVec3 rut_mat3_apply_transposed(rutMat3 a, rutVec3 v) {
  return rut_vec3(a.m[0] * v.x + a.m[3] * v.y + a.m[6] * v.z,
                  a.m[1] * v.x + a.m[4] * v.y + a.m[7] * v.z,
                  a.m[2] * v.x + a.m[5] * v.y + a.m[8] * v.z);
}
// A B
RUT_INLINE rutMat3 rut_mat3_mul(rutMat3 a, rutMat3 b) {
  const rutVec3 c0 = rut_mat3_apply(a, rut_vec3(b.m[0], b.m[3], b.m[6]));
  const rutVec3 c1 = rut_mat3_apply(a, rut_vec3(b.m[1], b.m[4], b.m[7]));
  const rutVec3 c2 = rut_mat3_apply(a, rut_vec3(b.m[2], b.m[5], b.m[8]));
  return (rutMat3){{c0.x, c1.x, c2.x, c0.y, c1.y, c2.y, c0.z, c1.z, c2.z}};
}
// Rotation by an angle of given sine and cosine about a unit axis (Rodrigues).
RUT_INLINE rutMat3 rut_mat3_about(rutVec3 u, double s, double c) {
  const double t = 1.0 - c;
  const double xy = t * u.x * u.y, xz = t * u.x * u.z, yz = t * u.y * u.z;
  return (rutMat3){{c + t * u.x * u.x, xy - s * u.z, xz + s * u.y,  //
                    xy + s * u.z, c + t * u.y * u.y, yz - s * u.x,  //
                    xz - s * u.y, yz + s * u.x, c + t * u.z * u.z}};
}

// Rotation body to world from roll, pitch and yaw: Rz(yaw) Ry(pitch) Rx(roll) (ISO 8855; with z up
// positive pitch lowers the nose).
RUT_INLINE rutMat3 rut_mat3_of_rpy(double roll, double pitch, double yaw) {
  double sr, cr, sp, cp, sy, cy;
  rut_sincos(roll, &sr, &cr);
  rut_sincos(pitch, &sp, &cp);
  rut_sincos(yaw, &sy, &cy);
  return (rutMat3){{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
                    sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,  //
                    -sp, cp * sr, cp * cr}};
}
// Roll, pitch and yaw of a rotation, pitch in [-pi/2, pi/2]. At pitch = +-pi/2, where only a
// combination of roll and yaw counts, the split is arbitrary.
RUT_INLINE rutVec3 rut_mat3_rpy(rutMat3 a) {
  return rut_vec3(rut_atan2(a.m[7], a.m[8]), rut_asin(rut_clamp(-a.m[6], -1.0, 1.0)),
                  rut_atan2(a.m[3], a.m[0]));
}

// Affine maps as rows of [3][4]: a matrix and what is added.
RUT_INLINE rutVec3 rut_affine_apply(const double a[12], rutVec3 p) {
  return rut_vec3(a[0] * p.x + a[1] * p.y + a[2] * p.z + a[3],
                  a[4] * p.x + a[5] * p.y + a[6] * p.z + a[7],
                  a[8] * p.x + a[9] * p.y + a[10] * p.z + a[11]);
}
// First b, then a.
RUT_INLINE void rut_affine_mul(const double a[12], const double b[12], double out[12]) {
  for (int i = 0; i < 3; i++) {
    const double* row = a + 4 * i;
    for (int j = 0; j < 4; j++) {
      const double sum = row[0] * b[j] + row[1] * b[4 + j] + row[2] * b[8 + j];
      out[4 * i + j] = j == 3 ? sum + row[3] : sum;
    }
  }
}
// Of a frame at a place with roll, pitch and yaw.
RUT_INLINE void rut_affine_of(const double at[3], const double rpy[3], double out[12]) {
  const rutMat3 turn = rut_mat3_of_rpy(rpy[0], rpy[1], rpy[2]);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) out[4 * i + k] = turn.m[3 * i + k];
    out[4 * i + 3] = at[i];
  }
}

#endif  // RUT_MATH_VEC_H
