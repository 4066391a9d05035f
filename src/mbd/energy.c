// SPDX-License-Identifier: BSD-3-Clause
#include "mbd/joint_lanes.h"

// How one body moves.
typedef struct BodyMotion {
  rutSpatial twist;  // velocity, body axes
  rutMat3 rotation;  // body to base axes
  rutVec3 position;  // of the origin, base axes
} BodyMotion;

static BodyMotion motion_of_body(const rutMbdBody* body, const BodyMotion* parent, const double* q,
                                 const double* v) {
  const rutMbdConstants k = rut_body_constants(body);
  const rutMbdJointKind kind = {body->joint, body->rotor, 1};
  const rutMbdFrame f = rut_joint_frame(&k, kind, q, 1, 0);
  const rutSpatial move = rut_joint_velocity(&k, body->joint, &f, v, 1, 0);
  return (BodyMotion){
      rut_spatial_add(rut_motion_to_child(f.rotation, f.origin, parent->twist), move),
      rut_mat3_mul(parent->rotation, f.rotation),
      rut_vec3_add(parent->position, rut_mat3_apply(parent->rotation, f.origin))};
}

double rut_mbd_energy(const rutMbdTree* tree, const double* q, const double* v,
                      const double* gravity) {
  const rutVec3 zero = rut_vec3(0.0, 0.0, 0.0);
  const BodyMotion base = {rut_spatial(zero, zero), rut_mat3_identity(), zero};
  BodyMotion motion[RUT_MBD_MAX_BODIES];
  double energy = 0.0;
  for (int i = 0; i < tree->bodies; ++i) {
    const rutMbdBody* body = &tree->body[i];
    const rutMbdConstants k = rut_body_constants(body);
    BodyMotion* m = &motion[i];
    *m = motion_of_body(body, body->parent < 0 ? &base : &motion[body->parent], q + body->position,
                        v + body->speed);
    const rutVec3 com = rut_vec3_add(m->position, rut_mat3_apply(m->rotation, k.com));
    energy += 0.5 * rut_spatial_dot(m->twist, rut_body_momentum(&k, m->twist)) -
              k.mass * rut_vec3_dot(rut_vec3_of(gravity), com);
  }
  return energy;
}

// A homogeneous cuboid of mass m and sides a, b, c has the moments m (b^2 + c^2)/12 and so on,
// hence a^2 = 6 (I_y + I_z - I_x)/m.
void rut_mbd_cuboid(const rutMbdBody* body, double sides[3]) {
  const double* i = body->inertia;
  const double sum = i[0] + i[1] + i[2];
  for (int k = 0; k < 3; k++) {
    const double square = body->mass > 0 ? 6 * (sum - 2 * i[k]) / body->mass : 0;
    sides[k] = rut_sqrt(rut_max(square, 0));
  }
}
