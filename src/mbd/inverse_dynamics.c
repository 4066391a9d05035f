// SPDX-License-Identifier: BSD-3-Clause
#include "mbd/joint_lanes.h"

// How one body moves. Conventions as in forward_dynamics_lanes.h.
typedef struct BodyMotion {
  rutMbdFrame frame;   // in the parent
  rutSpatial carrier;  // velocity of the frame
  rutSpatial twist;    // velocity of the body
  rutSpatial rate;     // acceleration
  rutSpatial force;    // that the joint passes on to the body
  rutMat3 rotation;    // body to base axes
  rutVec3 position;    // of the origin, base axes
} BodyMotion;

// The scratch of the forward dynamics has this many doubles for each body, and more.
_Static_assert(sizeof(BodyMotion) <= 92 * sizeof(double), "scratch per body");

// The base, at rest and accelerating upwards against gravity.
static BodyMotion motion_of_base(const double* gravity) {
  const rutVec3 zero = rut_vec3(0.0, 0.0, 0.0);
  const rutSpatial rest = {zero, zero};
  const rutSpatial up = {zero, rut_vec3_scale(rut_vec3_of(gravity), -1.0)};
  return (BodyMotion){
      {rut_mat3_identity(), zero, 0.0, 1.0}, rest, rest, up, rest, rut_mat3_identity(), zero};
}

static BodyMotion motion_of_body(const rutMbdBody* body, const BodyMotion* parent, const double* q,
                                 const double* v) {
  const rutMbdConstants k = rut_body_constants(body);
  const rutMbdFrame f = rut_joint_frame(&k, body->joint, body->rotor, 1, q, 1, 0);
  const rutSpatial move = rut_joint_velocity(&k, body->joint, f.s, f.c, v, 1, 0);
  const rutSpatial base = rut_motion_to_child(f.rotation, f.origin, parent->carrier);
  const rutSpatial carried = rut_motion_to_child(f.rotation, f.origin, parent->twist);
  BodyMotion m;
  m.frame = f;
  m.carrier = body->rotor ? base : rut_spatial_add(base, move);
  m.twist = rut_spatial_add(carried, move);
  m.rate = rut_spatial_add(rut_motion_to_child(f.rotation, f.origin, parent->rate),
                           rut_joint_bias(body->joint, body->rotor, carried, move));
  m.rotation = rut_mat3_mul(parent->rotation, f.rotation);
  m.position = rut_vec3_add(parent->position, rut_mat3_apply(parent->rotation, f.origin));
  m.force = rut_spatial(rut_vec3(0.0, 0.0, 0.0), rut_vec3(0.0, 0.0, 0.0));
  return m;
}

// Part of a wrench that does work on the joint's speeds.
static void joint_force(const rutMbdBody* body, const BodyMotion* m, double* tau) {
  const rutSpatial f = m->force;
  const double s = m->frame.s, c = m->frame.c;
  switch (body->joint) {
    case RUT_JOINT_HINGE:
      tau[0] = rut_vec3_dot(rut_vec3_of(body->axis), f.a);
      break;
    case RUT_JOINT_SLIDE:
      tau[0] = rut_vec3_dot(rut_vec3_of(body->axis), f.l);
      break;
    case RUT_JOINT_PLANAR:
      rut_vec3_put(rut_vec3(c * f.l.x - s * f.l.y, s * f.l.x + c * f.l.y, f.a.z), tau);
      break;
    case RUT_JOINT_FREE:
      rut_store_spatial(tau, 1, 0, f);
      break;
    default:
      break;
  }
}

void rut_mbd_inverse_dynamics(const rutMbdTree* tree, const double* q, const double* v,
                              const double* acceleration, const double* force,
                              const double* gravity, double* scratch, double* tau) {
  BodyMotion* motion = (BodyMotion*)(void*)scratch;
  const BodyMotion base = motion_of_base(gravity);
  for (int i = 0; i < tree->bodies; ++i) {
    const rutMbdBody* body = &tree->body[i];
    const rutMbdConstants k = rut_body_constants(body);
    BodyMotion* m = &motion[i];
    *m = motion_of_body(body, body->parent < 0 ? &base : &motion[body->parent], q + body->position,
                        v + body->speed);
    const rutSpatial change = rut_joint_velocity(&k, body->joint, m->frame.s, m->frame.c,
                                                 acceleration + body->speed, 1, 0);
    m->rate = rut_spatial_add(m->rate, change);
    m->force = rut_spatial_sub(
        rut_spatial_add(rut_body_momentum(&k, m->rate),
                        rut_cross_force(m->carrier, rut_body_momentum(&k, m->twist))),
        rut_load_spatial(force + 6 * i, 1, 0));
  }
  for (int i = tree->bodies - 1; i >= 0; --i) {
    const rutMbdBody* body = &tree->body[i];
    const BodyMotion* m = &motion[i];
    joint_force(body, m, tau + body->speed);
    if (body->parent < 0) continue;
    BodyMotion* parent = &motion[body->parent];
    parent->force = rut_spatial_add(
        parent->force, rut_force_to_parent(m->frame.rotation, m->frame.origin, m->force));
  }
}

double rut_mbd_energy(const rutMbdTree* tree, const double* q, const double* v,
                      const double* gravity) {
  BodyMotion motion[RUT_MBD_MAX_BODIES];
  const BodyMotion base = motion_of_base(gravity);
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
