// SPDX-License-Identifier: BSD-3-Clause
//
// Bodies and links of double wishbones, for pictures and proofs.
#include "suspension/double_wishbone_mechanism.h"

static rutCornerBody body_of(const char* name, rutCornerMember b, rutVec3 e1, rutVec3 e2,
                             rutVec3 e3, rutSym3 own) {
  rutCornerBody out = {.name = name, .mass = b.mass};
  rut_vec3_put(b.r, out.position);
  rut_vec3_put(b.move, out.velocity);
  rut_vec3_put(b.turn, out.angular_velocity);
  const double attitude[9] = {e1.x, e2.x, e3.x, e1.y, e2.y, e3.y, e1.z, e2.z, e3.z};
  const double inertia[6] = {own.xx, own.yy, own.zz, own.xy, own.xz, own.yz};
  for (int c = 0; c < 9; c++) out.attitude[c] = attitude[c];
  for (int c = 0; c < 6; c++) out.inertia[c] = inertia[c];
  return out;
}

int rut_wishbone_bodies(const double* constant, double q, double qd, double s, double sd,
                        rutCornerBody out[RUT_MAX_CORNER_BODIES]) {
  const int i = 0;
  const rutWishbonePose p = rut_wishbone_pose(constant, i, q, s);
  const rutWishboneTurn turn = rut_wishbone_turn(constant, i, &p, qd, sd);
  rutVec3 s_v, s_w;
  out[0] = body_of("lower arm", rut_wishbone_lower_arm(constant, i, &p, qd), KVEC(lower_axis),
                   p.lower_n, p.lower_t, KSYM(lower));
  out[1] = body_of("upper arm", rut_wishbone_upper_arm(constant, i, &p, qd), KVEC(upper_axis),
                   p.upper_n, p.upper_t, KSYM(upper));
  out[2] = body_of("upright", rut_wishbone_upright(constant, i, &p, &turn, &s_v), p.k, p.m, p.o,
                   KSYM(upright));
  const rutCornerMember tie = rut_wishbone_tie_rod(constant, i, &p, &turn, &s_v, &s_w);
  const rutVec3 along = rut_vec3_unit(rut_vec3_sub(p.tie, p.inner));
  const rutVec3 across = rut_vec3_unit(rut_vec3_cross(along, p.k));
  const double j = tie.mass * K(tie_length) * K(tie_length) / 12;
  out[3] = body_of("tie rod", tie, along, across, rut_vec3_cross(along, across),
                   (rutSym3){0, j, j, 0, 0, 0});
  return 4;
}

static rutCornerLink link_of(const char* name, rutVec3 from, rutVec3 to) {
  rutCornerLink out = {.name = name};
  rut_vec3_put(from, out.from);
  rut_vec3_put(to, out.to);
  return out;
}

// Arms as two bars each from the ball joint, whose feet are a part of its distance apart.
int rut_wishbone_links(const double* constant, double q, double s,
                       rutCornerLink out[RUT_MAX_CORNER_LINKS]) {
  static const double SPREAD = 0.4;
  const int i = 0;
  const rutWishbonePose p = rut_wishbone_pose(constant, i, q, s);
  const rutVec3 lower = KVEC(lower_foot), upper = KVEC(upper_foot), axis = KVEC(lower_axis);
  const rutVec3 ball = rut_vec3_add_scaled(upper, K(upper_radius), p.upper_n);
  const rutVec3 along_lower = rut_vec3_scale(axis, SPREAD * K(lower_radius));
  const rutVec3 along_upper = rut_vec3_scale(KVEC(upper_axis), SPREAD * K(upper_radius));
  const rutVec3 spring = KVEC(spring_foot), damper = KVEC(damper_foot);
  const rutVec3 spring_foot =
      rut_vec3_add(lower, rut_vec3_along(spring.x, axis, spring.y, p.lower_n, spring.z, p.lower_t));
  const rutVec3 damper_foot =
      rut_vec3_add(lower, rut_vec3_along(damper.x, axis, damper.y, p.lower_n, damper.z, p.lower_t));
  out[0] = link_of("lower arm", rut_vec3_add(lower, along_lower), p.ball);
  out[1] = link_of("lower arm", rut_vec3_sub(lower, along_lower), p.ball);
  out[2] = link_of("upper arm", rut_vec3_add(upper, along_upper), ball);
  out[3] = link_of("upper arm", rut_vec3_sub(upper, along_upper), ball);
  out[4] = link_of("upright", p.ball, ball);
  out[5] = link_of("upright", rut_vec3_scale(rut_vec3_add(p.ball, ball), 0.5),
                   rut_vec3_add(p.ball, rut_wishbone_on_upright(&p, KVEC(hub))));
  out[6] = link_of("tie rod", rut_vec3_add(p.ball, p.inner), rut_vec3_add(p.ball, p.tie));
  out[7] = link_of("spring", KVEC(spring_top), spring_foot);
  out[8] = link_of("damper", KVEC(damper_top), damper_foot);
  return 9;
}
