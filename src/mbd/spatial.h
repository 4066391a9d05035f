// SPDX-License-Identifier: BSD-3-Clause
//
// Spatial vectors and inertias (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 2), by
// value. A motion vector is [angular; linear], a force vector [moment; force], at one point.
#ifndef RUT_MBD_SPATIAL_H
#define RUT_MBD_SPATIAL_H

#include "math/lanes.h"
#include "math/sym3.h"

typedef struct rutSpatial {
  rutVec3 a;  // angular velocity, or moment
  rutVec3 l;  // linear velocity, or force
} rutSpatial;

// Symmetric 6 x 6 matrix [angular, cross; cross^T, linear] that maps motion to force.
typedef struct rutInertia {
  rutSym3 angular;
  rutMat3 cross;
  rutSym3 linear;
} rutInertia;
enum { RUT_INERTIA_SIZE = 21 };

RUT_INLINE rutSpatial rut_spatial(rutVec3 a, rutVec3 l) { return (rutSpatial){a, l}; }
RUT_INLINE rutSpatial rut_spatial_add(rutSpatial p, rutSpatial q) {
  return rut_spatial(rut_vec3_add(p.a, q.a), rut_vec3_add(p.l, q.l));
}
RUT_INLINE rutSpatial rut_spatial_sub(rutSpatial p, rutSpatial q) {
  return rut_spatial(rut_vec3_sub(p.a, q.a), rut_vec3_sub(p.l, q.l));
}
// p + s q
RUT_INLINE rutSpatial rut_spatial_add_scaled(rutSpatial p, double s, rutSpatial q) {
  return rut_spatial(rut_vec3_add_scaled(p.a, s, q.a), rut_vec3_add_scaled(p.l, s, q.l));
}
RUT_INLINE double rut_spatial_dot(rutSpatial p, rutSpatial q) {
  return rut_vec3_dot(p.a, q.a) + rut_vec3_dot(p.l, q.l);
}
// Rate of a motion vector m carried along by v: v x m.
RUT_INLINE rutSpatial rut_cross_motion(rutSpatial v, rutSpatial m) {
  return rut_spatial(rut_vec3_cross(v.a, m.a),
                     rut_vec3_add(rut_vec3_cross(v.a, m.l), rut_vec3_cross(v.l, m.a)));
}
// Rate of a force vector f carried along by v: v x* f.
RUT_INLINE rutSpatial rut_cross_force(rutSpatial v, rutSpatial f) {
  return rut_spatial(rut_vec3_add(rut_vec3_cross(v.a, f.a), rut_vec3_cross(v.l, f.l)),
                     rut_vec3_cross(v.a, f.l));
}
// Motion given at the parent's origin, parent axes, seen at a child with origin r and axes R.
RUT_INLINE rutSpatial rut_motion_to_child(rutMat3 rotation, rutVec3 r, rutSpatial v) {
  return rut_spatial(
      rut_mat3_apply_transposed(rotation, v.a),
      rut_mat3_apply_transposed(rotation, rut_vec3_add(v.l, rut_vec3_cross(v.a, r))));
}
// Force given at that child, seen at the parent's origin.
RUT_INLINE rutSpatial rut_force_to_parent(rutMat3 rotation, rutVec3 r, rutSpatial f) {
  const rutVec3 force = rut_mat3_apply(rotation, f.l);
  return rut_spatial(rut_vec3_add(rut_mat3_apply(rotation, f.a), rut_vec3_cross(r, force)), force);
}

RUT_INLINE rutSym3 rut_sym3_add(rutSym3 a, rutSym3 b) {
  return (rutSym3){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
// A - s u u^T
RUT_INLINE rutSym3 rut_sym3_sub_outer(rutSym3 a, double s, rutVec3 u) {
  return (rutSym3){a.xx - s * u.x * u.x, a.yy - s * u.y * u.y, a.zz - s * u.z * u.z,
                   a.xy - s * u.x * u.y, a.xz - s * u.x * u.z, a.yz - s * u.y * u.z};
}
// R S R^T
RUT_INLINE rutSym3 rut_sym3_rotate(rutMat3 r, rutSym3 s) {
  const rutVec3 a = rut_sym3_apply(s, rut_vec3(r.m[0], r.m[1], r.m[2]));
  const rutVec3 b = rut_sym3_apply(s, rut_vec3(r.m[3], r.m[4], r.m[5]));
  const rutVec3 c = rut_sym3_apply(s, rut_vec3(r.m[6], r.m[7], r.m[8]));
  return (rutSym3){
      r.m[0] * a.x + r.m[1] * a.y + r.m[2] * a.z, r.m[3] * b.x + r.m[4] * b.y + r.m[5] * b.z,
      r.m[6] * c.x + r.m[7] * c.y + r.m[8] * c.z, r.m[0] * b.x + r.m[1] * b.y + r.m[2] * b.z,
      r.m[0] * c.x + r.m[1] * c.y + r.m[2] * c.z, r.m[3] * c.x + r.m[4] * c.y + r.m[5] * c.z};
}

// Factors of S = L D L^T, with the reciprocals of D.
typedef struct rutLdl3 {
  double l10, l20, l21, d0, d1, d2;
} rutLdl3;
RUT_INLINE rutLdl3 rut_sym3_factor(rutSym3 s) {
  rutLdl3 f;
  f.d0 = 1.0 / s.xx;
  f.l10 = s.xy * f.d0;
  f.l20 = s.xz * f.d0;
  f.d1 = 1.0 / (s.yy - f.l10 * s.xy);
  const double t = s.yz - f.l10 * s.xz;
  f.l21 = t * f.d1;
  f.d2 = 1.0 / (s.zz - f.l20 * s.xz - f.l21 * t);
  return f;
}
RUT_INLINE rutVec3 rut_ldl3_solve(rutLdl3 f, rutVec3 b) {
  const double y1 = b.y - f.l10 * b.x, y2 = b.z - f.l20 * b.x - f.l21 * y1;
  const double z = y2 * f.d2, y = y1 * f.d1 - f.l21 * z;
  return rut_vec3(b.x * f.d0 - f.l10 * y - f.l20 * z, y, z);
}

RUT_INLINE rutSpatial rut_inertia_apply(rutInertia i, rutSpatial v) {
  return rut_spatial(
      rut_vec3_add(rut_sym3_apply(i.angular, v.a), rut_mat3_apply(i.cross, v.l)),
      rut_vec3_add(rut_mat3_apply_transposed(i.cross, v.a), rut_sym3_apply(i.linear, v.l)));
}
// I - s U U^T, the inertia that is seen through a joint that is free along one axis.
RUT_INLINE rutInertia rut_inertia_sub_outer(rutInertia i, double s, rutSpatial u) {
  const rutVec3 a = rut_vec3_scale(u.a, s);
  const double* c = i.cross.m;
  return (rutInertia){rut_sym3_sub_outer(i.angular, s, u.a),
                      {{c[0] - a.x * u.l.x, c[1] - a.x * u.l.y, c[2] - a.x * u.l.z,
                        c[3] - a.y * u.l.x, c[4] - a.y * u.l.y, c[5] - a.y * u.l.z,
                        c[6] - a.z * u.l.x, c[7] - a.z * u.l.y, c[8] - a.z * u.l.z}},
                      rut_sym3_sub_outer(i.linear, s, u.l)};
}
// Inertia given at a child with origin r and axes along the parent's, seen at the parent's origin:
// C_p = C + r~ L,  A_p = A + r~ C^T - C_p r~.
RUT_INLINE rutInertia rut_inertia_shift(rutVec3 r, rutInertia i) {
  const rutSym3 l = i.linear, a = i.angular;
  const double* c = i.cross.m;
  const rutMat3 p = {{c[0] + r.y * l.xz - r.z * l.xy, c[1] + r.y * l.yz - r.z * l.yy,
                      c[2] + r.y * l.zz - r.z * l.yz, c[3] + r.z * l.xx - r.x * l.xz,
                      c[4] + r.z * l.xy - r.x * l.yz, c[5] + r.z * l.xz - r.x * l.zz,
                      c[6] + r.x * l.xy - r.y * l.xx, c[7] + r.x * l.yy - r.y * l.xy,
                      c[8] + r.x * l.yz - r.y * l.xz}};
  // Column j of C_p r~ is C_p (r x e_j); row i of r~ C^T is r x (row i of ...), written out.
  const double* m = p.m;
  const rutSym3 angular = {a.xx + (r.y * c[2] - r.z * c[1]) - (m[1] * r.z - m[2] * r.y),
                           a.yy + (r.z * c[3] - r.x * c[5]) - (m[5] * r.x - m[3] * r.z),
                           a.zz + (r.x * c[7] - r.y * c[6]) - (m[6] * r.y - m[7] * r.x),
                           a.xy + (r.y * c[5] - r.z * c[4]) - (m[2] * r.x - m[0] * r.z),
                           a.xz + (r.y * c[8] - r.z * c[7]) - (m[0] * r.y - m[1] * r.x),
                           a.yz + (r.z * c[6] - r.x * c[8]) - (m[3] * r.y - m[4] * r.x)};
  return (rutInertia){angular, p, l};
}
RUT_INLINE rutInertia rut_inertia_rotate(rutMat3 r, rutInertia i) {
  return (rutInertia){rut_sym3_rotate(r, i.angular),
                      rut_mat3_mul(rut_mat3_mul(r, i.cross), rut_mat3_transpose(r)),
                      rut_sym3_rotate(r, i.linear)};
}
RUT_INLINE rutInertia rut_inertia_add(rutInertia i, rutInertia j) {
  const double *a = i.cross.m, *b = j.cross.m;
  return (rutInertia){rut_sym3_add(i.angular, j.angular),
                      {{a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4],
                        a[5] + b[5], a[6] + b[6], a[7] + b[7], a[8] + b[8]}},
                      rut_sym3_add(i.linear, j.linear)};
}

RUT_INLINE rutSpatial rut_load_spatial(const double* p, int lanes, int lane) {
  return rut_spatial(rut_load_vec3(p, lanes, lane), rut_load_vec3(p + 3 * lanes, lanes, lane));
}
RUT_INLINE void rut_store_spatial(double* p, int lanes, int lane, rutSpatial v) {
  rut_store_vec3(p, lanes, lane, v.a);
  rut_store_vec3(p + 3 * lanes, lanes, lane, v.l);
}
RUT_INLINE rutSym3 rut_load_sym3(const double* p, int n, int l) {
  return (rutSym3){p[l], p[n + l], p[2 * n + l], p[3 * n + l], p[4 * n + l], p[5 * n + l]};
}
RUT_INLINE void rut_store_sym3(double* p, int n, int l, rutSym3 s) {
  p[l] = s.xx;
  p[n + l] = s.yy;
  p[2 * n + l] = s.zz;
  p[3 * n + l] = s.xy;
  p[4 * n + l] = s.xz;
  p[5 * n + l] = s.yz;
}
RUT_INLINE rutInertia rut_load_inertia(const double* p, int n, int l) {
  return (rutInertia){rut_load_sym3(p, n, l), rut_load_mat3(p + 6 * n, n, l),
                      rut_load_sym3(p + 15 * n, n, l)};
}
RUT_INLINE void rut_store_inertia(double* p, int n, int l, rutInertia i) {
  rut_store_sym3(p, n, l, i.angular);
  rut_store_mat3(p + 6 * n, n, l, i.cross);
  rut_store_sym3(p + 15 * n, n, l, i.linear);
}

#endif  // RUT_MBD_SPATIAL_H
