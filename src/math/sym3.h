// SPDX-License-Identifier: BSD-3-Clause
//
// Symmetric matrices of order three, by value: inertias and the like.
#ifndef RUT_MATH_SYM3_H
#define RUT_MATH_SYM3_H

#include "math/vec.h"

// Symmetric 3 x 3 matrix.
typedef struct rutSym3 {
  double xx, yy, zz, xy, xz, yz;
} rutSym3;

RUT_INLINE rutVec3 rut_sym3_apply(rutSym3 a, rutVec3 v) {
  return rut_vec3(a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                  a.xz * v.x + a.yz * v.y + a.zz * v.z);
}

// Inertia given in the axes e1, e2, e3, in those in which these are written.
RUT_INLINE rutSym3 rut_sym3_turned(rutSym3 j, rutVec3 e1, rutVec3 e2, rutVec3 e3) {
  const rutVec3 a =
      rut_vec3_add_scaled(rut_vec3_add_scaled(rut_vec3_scale(e1, j.xx), j.xy, e2), j.xz, e3);
  const rutVec3 b =
      rut_vec3_add_scaled(rut_vec3_add_scaled(rut_vec3_scale(e1, j.xy), j.yy, e2), j.yz, e3);
  const rutVec3 c =
      rut_vec3_add_scaled(rut_vec3_add_scaled(rut_vec3_scale(e1, j.xz), j.yz, e2), j.zz, e3);
  return (rutSym3){a.x * e1.x + b.x * e2.x + c.x * e3.x, a.y * e1.y + b.y * e2.y + c.y * e3.y,
                   a.z * e1.z + b.z * e2.z + c.z * e3.z, a.x * e1.y + b.x * e2.y + c.x * e3.y,
                   a.x * e1.z + b.x * e2.z + c.x * e3.z, a.y * e1.z + b.y * e2.z + c.y * e3.z};
}

// Point given by its coordinates along e1, e2, e3.
RUT_INLINE rutVec3 rut_vec3_along(double a, rutVec3 e1, double b, rutVec3 e2, double c,
                                  rutVec3 e3) {
  return rut_vec3_add_scaled(rut_vec3_add_scaled(rut_vec3_scale(e1, a), b, e2), c, e3);
}

#endif  // RUT_MATH_SYM3_H
