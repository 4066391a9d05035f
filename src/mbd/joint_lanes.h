// SPDX-License-Identifier: BSD-3-Clause
//
// What a joint's position and speed mean: where it puts a body in its parent, and how the body then
// moves against it. The kind of joint is a constant of the inlined calls.
#ifndef RUT_MBD_JOINT_LANES_H
#define RUT_MBD_JOINT_LANES_H

#include "math/quat.h"
#include "mbd/spatial.h"
#include "mbd/tree.h"

// Rotation (child to parent axes) and origin (parent axes) of a body; sine and cosine of the yaw of
// a planar joint.
typedef struct rutMbdFrame {
  rutMat3 rotation;
  rutVec3 origin;
  double s, c;
} rutMbdFrame;

// Constants of a body, copied out of memory so that stores in a loop over lanes cannot change them.
typedef struct rutMbdConstants {
  rutMat3 mount;
  rutVec3 place, axis, com;
  rutSym3 inertia;
  double mass;
} rutMbdConstants;
RUT_INLINE rutMbdConstants rut_body_constants(const rutMbdBody* body) {
  return (rutMbdConstants){rut_mat3_of(body->mount_rotation),
                           rut_vec3_of(body->mount_position),
                           rut_vec3_of(body->axis),
                           rut_vec3_of(body->com),
                           rut_load_sym3(body->inertia, 1, 0),
                           body->mass};
}

typedef struct rutMbdJointKind {
  int type;    // rutJointType
  int rotor;   // 1 for a rotor, whose frame does not turn
  int turned;  // 1 if the mount has a rotation
} rutMbdJointKind;

// q points at the joint's first position, of n lanes.
RUT_INLINE rutMbdFrame rut_joint_frame(const rutMbdConstants* k, rutMbdJointKind kind,
                                       const double* q, int n, int l) {
  const int joint = kind.type, turned = kind.turned;
  rutMat3 own = rut_mat3_identity();
  rutVec3 shift = rut_vec3(0.0, 0.0, 0.0);
  rutMbdFrame f = {own, shift, 0.0, 1.0};
  if (joint == RUT_JOINT_HINGE && !kind.rotor) {
    rut_sincos(q[l], &f.s, &f.c);
    own = rut_mat3_about(k->axis, f.s, f.c);
  } else if (joint == RUT_JOINT_SLIDE) {
    shift = rut_vec3_scale(k->axis, q[l]);
  } else if (joint == RUT_JOINT_PLANAR) {
    rut_sincos(q[2 * n + l], &f.s, &f.c);
    own = (rutMat3){{f.c, -f.s, 0.0, f.s, f.c, 0.0, 0.0, 0.0, 1.0}};
    shift = rut_vec3(q[l], q[n + l], 0.0);
  } else if (joint == RUT_JOINT_FREE) {
    own = rut_quat_matrix(rut_quat(q[3 * n + l], q[4 * n + l], q[5 * n + l], q[6 * n + l]));
    shift = rut_load_vec3(q, n, l);
  }
  f.rotation = turned ? rut_mat3_mul(k->mount, own) : own;
  f.origin = rut_vec3_add(k->place, turned ? rut_mat3_apply(k->mount, shift) : shift);
  return f;
}

// Velocity of the body against its parent, in body axes, from the joint's speeds v in its frame.
RUT_INLINE rutSpatial rut_joint_velocity(const rutMbdConstants* k, int joint, const rutMbdFrame* f,
                                         const double* v, int n, int l) {
  const rutVec3 zero = rut_vec3(0.0, 0.0, 0.0);
  if (joint == RUT_JOINT_HINGE) return rut_spatial(rut_vec3_scale(k->axis, v[l]), zero);
  if (joint == RUT_JOINT_SLIDE) return rut_spatial(zero, rut_vec3_scale(k->axis, v[l]));
  if (joint == RUT_JOINT_PLANAR) {
    const double vx = v[l], vy = v[n + l];
    return rut_spatial(rut_vec3(0.0, 0.0, v[2 * n + l]),
                       rut_vec3(f->c * vx + f->s * vy, f->c * vy - f->s * vx, 0.0));
  }
  if (joint == RUT_JOINT_FREE) return rut_load_spatial(v, n, l);
  return rut_spatial(zero, zero);
}

// Acceleration of the body in its moving axes when neither its parent nor its speeds change: seen
// from axes that turn with the joint, the parent's motion `carried` and, for a planar joint, the
// joint's own axes turn back.
RUT_INLINE rutSpatial rut_joint_bias(int joint, int rotor, rutSpatial carried,
                                     rutSpatial velocity) {
  const rutVec3 zero = rut_vec3(0.0, 0.0, 0.0);
  if (joint == RUT_JOINT_FIXED || rotor) return rut_spatial(zero, zero);
  rutSpatial bias = rut_cross_motion(carried, velocity);
  if (joint == RUT_JOINT_PLANAR) {
    const double w = velocity.a.z;
    bias.l.x += w * velocity.l.y;
    bias.l.y -= w * velocity.l.x;
  }
  return bias;
}

// Momentum of a body about its origin at velocity v, in its axes.
RUT_INLINE rutSpatial rut_body_momentum(const rutMbdConstants* k, rutSpatial v) {
  const rutVec3 p = rut_vec3_scale(rut_vec3_add(v.l, rut_vec3_cross(v.a, k->com)), k->mass);
  return rut_spatial(rut_vec3_add(rut_sym3_apply(k->inertia, v.a), rut_vec3_cross(k->com, p)), p);
}

#endif  // RUT_MBD_JOINT_LANES_H
