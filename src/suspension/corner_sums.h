// SPDX-License-Identifier: BSD-3-Clause
//
// What a suspension's bodies add to the sums of its corner (rutCornerRows in rut/component.h).
#ifndef RUT_SUSPENSION_CORNER_SUMS_H
#define RUT_SUSPENSION_CORNER_SUMS_H

#include "math/sym3.h"

typedef struct rutCornerSums {
  rutVec3 first, q_v, q_w, s_v, s_w, force, moment;
  rutSym3 second;
  double qq, qs, ss, along_q, along_s;
} rutCornerSums;

// A body: mass, centre of mass r, inertia J about it; velocities per q' (v, w) and against the
// chassis (move, turn), accelerations with q'' = s'' = 0 in a chassis at rest (rest, spin).
typedef struct rutCornerMember {
  double mass;
  rutVec3 r, v, w, move, turn, rest, spin;
  rutSym3 inertia;
} rutCornerMember;

// Forces of inertia less gravity.
typedef struct rutCornerInertia {
  rutVec3 force, moment;
} rutCornerInertia;

RUT_INLINE rutCornerInertia rut_corner_inertia(rutCornerMember b, rutVec3 omega, rutVec3 gravity) {
  const rutVec3 swing =
      rut_vec3_cross(omega, rut_vec3_add_scaled(rut_vec3_cross(omega, b.r), 2, b.move));
  const rutVec3 c = rut_vec3_sub(rut_vec3_add(swing, b.rest), gravity);
  const rutVec3 whole = rut_vec3_add(omega, b.turn);
  const rutVec3 change = rut_vec3_add(rut_vec3_cross(omega, b.turn), b.spin);
  return (rutCornerInertia){rut_vec3_scale(c, b.mass),
                            rut_vec3_add(rut_sym3_apply(b.inertia, change),
                                         rut_vec3_cross(whole, rut_sym3_apply(b.inertia, whole)))};
}

RUT_INLINE void rut_corner_add(rutCornerMember b, rutVec3 omega, rutVec3 gravity,
                               rutCornerSums* sum) {
  const rutCornerInertia rest = rut_corner_inertia(b, omega, gravity);
  const rutVec3 p = rut_vec3_scale(b.v, b.mass), h = rut_sym3_apply(b.inertia, b.w);
  const rutVec3 r = b.r, m = rut_vec3_scale(r, b.mass);
  sum->first = rut_vec3_add(sum->first, m);
  sum->second.xx += b.inertia.xx + m.y * r.y + m.z * r.z;
  sum->second.yy += b.inertia.yy + m.x * r.x + m.z * r.z;
  sum->second.zz += b.inertia.zz + m.x * r.x + m.y * r.y;
  sum->second.xy += b.inertia.xy - m.x * r.y;
  sum->second.xz += b.inertia.xz - m.x * r.z;
  sum->second.yz += b.inertia.yz - m.y * r.z;
  sum->q_v = rut_vec3_add(sum->q_v, p);
  sum->q_w = rut_vec3_add(sum->q_w, rut_vec3_add(h, rut_vec3_cross(r, p)));
  sum->qq += rut_vec3_dot(b.v, p) + rut_vec3_dot(b.w, h);
  sum->force = rut_vec3_add(sum->force, rest.force);
  sum->moment = rut_vec3_add(sum->moment, rut_vec3_add(rest.moment, rut_vec3_cross(r, rest.force)));
  sum->along_q += rut_vec3_dot(b.v, rest.force) + rut_vec3_dot(b.w, rest.moment);
}

// The same of a body that moves with the steering as well: v, w per s'.
RUT_INLINE void rut_corner_add_steered(rutCornerMember b, rutVec3 v, rutVec3 w, rutVec3 omega,
                                       rutVec3 gravity, rutCornerSums* sum) {
  const rutCornerInertia rest = rut_corner_inertia(b, omega, gravity);
  const rutVec3 p = rut_vec3_scale(v, b.mass), h = rut_sym3_apply(b.inertia, w);
  rut_corner_add(b, omega, gravity, sum);
  sum->s_v = rut_vec3_add(sum->s_v, p);
  sum->s_w = rut_vec3_add(sum->s_w, rut_vec3_add(h, rut_vec3_cross(b.r, p)));
  sum->qs += rut_vec3_dot(b.v, p) + rut_vec3_dot(b.w, h);
  sum->ss += rut_vec3_dot(v, p) + rut_vec3_dot(w, h);
  sum->along_s += rut_vec3_dot(v, rest.force) + rut_vec3_dot(w, rest.moment);
}

#endif  // RUT_SUSPENSION_CORNER_SUMS_H
