// SPDX-License-Identifier: BSD-3-Clause
#include "format/frames.h"

rutVec3 rut_frame_apply(rutFramePose a, rutVec3 p) {
  return rut_vec3_add(rut_mat3_apply(a.turn, p), a.at);
}

rutFramePose rut_frame_mul(rutFramePose a, rutFramePose b) {
  return (rutFramePose){rut_mat3_mul(a.turn, b.turn), rut_frame_apply(a, b.at)};
}

rutFramePose rut_frame_inverse(rutFramePose a) {
  const rutMat3 back = rut_mat3_transpose(a.turn);
  return (rutFramePose){back, rut_vec3_scale(rut_mat3_apply(back, a.at), -1)};
}

// Column of a matrix: an axis of its frame.
static rutVec3 column(rutMat3 a, int i) { return rut_vec3(a.m[i], a.m[3 + i], a.m[6 + i]); }

rutBodyMass rut_body_mass_moved(rutBodyMass m, rutFramePose pose) {
  const rutMat3 t = pose.turn;
  return (rutBodyMass){m.mass, rut_frame_apply(pose, m.com),
                       rut_sym3_turned(m.inertia, column(t, 0), column(t, 1), column(t, 2))};
}

// Add to an inertia that of a mass at d from the point it is about.
static rutSym3 shifted(rutSym3 j, double mass, rutVec3 d) {
  return (rutSym3){j.xx + mass * (d.y * d.y + d.z * d.z),
                   j.yy + mass * (d.x * d.x + d.z * d.z),
                   j.zz + mass * (d.x * d.x + d.y * d.y),
                   j.xy - mass * d.x * d.y,
                   j.xz - mass * d.x * d.z,
                   j.yz - mass * d.y * d.z};
}

rutBodyMass rut_body_mass_sum(rutBodyMass a, rutBodyMass b) {
  const double mass = a.mass + b.mass;
  if (!(mass > 0)) return a;
  const rutVec3 com = rut_vec3_scale(
      rut_vec3_add(rut_vec3_scale(a.com, a.mass), rut_vec3_scale(b.com, b.mass)), 1 / mass);
  const rutSym3 i = shifted(a.inertia, a.mass, rut_vec3_sub(a.com, com));
  const rutSym3 j = shifted(b.inertia, b.mass, rut_vec3_sub(b.com, com));
  const rutSym3 sum = {i.xx + j.xx, i.yy + j.yy, i.zz + j.zz,
                       i.xy + j.xy, i.xz + j.xz, i.yz + j.yz};
  return (rutBodyMass){mass, com, sum};
}
