// SPDX-License-Identifier: BSD-3-Clause
//
// The articulated-body algorithm (Featherstone 2008, table 7.1) over lanes, for every tree.
//
// Two things are added to the book's form. Bodies whose frames are fixed in their parents' and
// whose articulated inertia is therefore constant were folded into their parents beforehand
// (plan.c). And a rotor's frame does not spin: with V the frame's velocity and v the body's,
// momentum I v changes at the rate I a + V x* (I v), where a is the rate of v in the frame, which
// needs no velocity-product part at the joint: a = X a_parent + axis s'.
//
// Accelerations are rates of spatial velocity in body axes; gravity enters as the base accelerating
// upwards.
#ifndef RUT_MBD_FORWARD_DYNAMICS_LANES_H
#define RUT_MBD_FORWARD_DYNAMICS_LANES_H

#include "mbd/joint_lanes.h"
#include "mbd/plan.h"

// Scratch rows of one body.
enum {
  ABA_ROTATION = 0,  // child to parent axes; moving joints only, as the next three
  ABA_ORIGIN = 9,    // in the parent's axes
  ABA_YAW = 12,      // sine and cosine of a planar joint
  ABA_FRAME = 14,    // velocity of the frame
  ABA_TWIST = 20,    // velocity of the body
  ABA_BIAS = 26,     // velocity-product acceleration
  ABA_FORCE = 32,    // articulated bias force
  ABA_RATE = 38,     // acceleration
  ABA_INERTIA = 44,  // articulated inertia; bodies that are not folded
  ABA_U = 65,        // inertia times joint axes, up to 3
  ABA_D = 83,        // factors of axes^T U
  ABA_EFFORT = 89,   // joint force less bias force
  ABA_ROWS = 92
};

// One body's view of the arrays. The base is a body too: at rest, and accelerating against gravity.
typedef struct AbaBody {
  const rutMbdBody* body;
  const rutMbdPlanBody* plan;
  double *own, *parent;               // scratch
  const double *q, *v, *tau, *force;  // of this joint and body
  double* acceleration;
} AbaBody;

RUT_INLINE rutSpatial aba_zero(void) {
  return rut_spatial(rut_vec3(0.0, 0.0, 0.0), rut_vec3(0.0, 0.0, 0.0));
}
// Frame of a body whose scratch is `own`.
RUT_INLINE rutMbdFrame aba_frame(const rutMbdConstants* k, const double* own, int place, int n,
                                 int l) {
  if (place == RUT_PLACE_MOVING)
    return (rutMbdFrame){rut_load_mat3(own + ABA_ROTATION * n, n, l),
                         rut_load_vec3(own + ABA_ORIGIN * n, n, l), 0.0, 1.0};
  return (rutMbdFrame){rut_mat3_of(k->mount.m), k->place, 0.0, 1.0};
}
RUT_INLINE rutSpatial aba_to_child(int place, rutMbdFrame f, rutSpatial v) {
  if (place == RUT_PLACE_ALIGNED)
    return rut_spatial(v.a, rut_vec3_add(v.l, rut_vec3_cross(v.a, f.origin)));
  return rut_motion_to_child(f.rotation, f.origin, v);
}
RUT_INLINE rutSpatial aba_to_parent(int place, rutMbdFrame f, rutSpatial force) {
  if (place == RUT_PLACE_ALIGNED)
    return rut_spatial(rut_vec3_add(force.a, rut_vec3_cross(f.origin, force.l)), force.l);
  return rut_force_to_parent(f.rotation, f.origin, force);
}

// ---------------------------------------------------------------------------------------------
// Outward: velocities and bias forces

RUT_INLINE void aba_velocity(const AbaBody* b, int n, rutMbdJointKind kind) {
  const int joint = kind.type, rotor = kind.rotor;
  const int moving = joint != RUT_JOINT_FIXED && !rotor;
  const int place = !moving && !kind.turned ? RUT_PLACE_ALIGNED : RUT_PLACE_TURNED;
  const rutMbdConstants k = rut_body_constants(b->body);
  const double *q = b->q, *v = b->v, *wrench = b->force;
  double *own = b->own, *parent = b->parent;
  RUT_FOR_LANES(l, n) {
    const rutMbdFrame f = rut_joint_frame(&k, kind, q, n, l);
    const rutSpatial move = rut_joint_velocity(&k, joint, &f, v, n, l);
    const rutSpatial base = aba_to_child(place, f, rut_load_spatial(parent + ABA_FRAME * n, n, l));
    const rutSpatial carried =
        aba_to_child(place, f, rut_load_spatial(parent + ABA_TWIST * n, n, l));
    const rutSpatial frame = moving ? rut_spatial_add(base, move) : base;
    const rutSpatial twist = joint == RUT_JOINT_FIXED ? carried : rut_spatial_add(carried, move);
    const rutSpatial bias_force = rut_cross_force(frame, rut_body_momentum(&k, twist));
    if (moving) {
      rut_store_mat3(own + ABA_ROTATION * n, n, l, f.rotation);
      rut_store_vec3(own + ABA_ORIGIN * n, n, l, f.origin);
      own[ABA_YAW * n + l] = f.s;
      own[(ABA_YAW + 1) * n + l] = f.c;
      rut_store_spatial(own + ABA_BIAS * n, n, l, rut_joint_bias(joint, rotor, carried, move));
    }
    rut_store_spatial(own + ABA_FRAME * n, n, l, frame);
    rut_store_spatial(own + ABA_TWIST * n, n, l, twist);
    rut_store_spatial(own + ABA_FORCE * n, n, l,
                      rut_spatial_sub(bias_force, rut_load_spatial(wrench, n, l)));
  }
}

RUT_INLINE void aba_outward_velocity(const AbaBody* b, int n) {
  const int turned = b->plan->turned;
  switch (b->body->joint) {
    case RUT_JOINT_HINGE:
      if (b->body->rotor) {
        if (turned) {
          aba_velocity(b, n, (rutMbdJointKind){RUT_JOINT_HINGE, 1, 1});
        } else {
          aba_velocity(b, n, (rutMbdJointKind){RUT_JOINT_HINGE, 1, 0});
        }
      } else if (turned) {
        aba_velocity(b, n, (rutMbdJointKind){RUT_JOINT_HINGE, 0, 1});
      } else {
        aba_velocity(b, n, (rutMbdJointKind){RUT_JOINT_HINGE, 0, 0});
      }
      break;
    case RUT_JOINT_SLIDE:
      aba_velocity(b, n, (rutMbdJointKind){RUT_JOINT_SLIDE, 0, 1});
      break;
    case RUT_JOINT_PLANAR:
      aba_velocity(b, n, (rutMbdJointKind){RUT_JOINT_PLANAR, 0, 1});
      break;
    case RUT_JOINT_FREE:
      aba_velocity(b, n, (rutMbdJointKind){RUT_JOINT_FREE, 0, 1});
      break;
    default:
      if (turned) {
        aba_velocity(b, n, (rutMbdJointKind){RUT_JOINT_FIXED, 0, 1});
      } else {
        aba_velocity(b, n, (rutMbdJointKind){RUT_JOINT_FIXED, 0, 0});
      }
  }
  if (b->plan->folded) return;
  for (int k = 0; k < RUT_INERTIA_SIZE; ++k)
    rut_fill_row(b->own + (ABA_INERTIA + k) * n, n, b->plan->inertia[k]);
}

// ---------------------------------------------------------------------------------------------
// Inward: articulated inertias and bias forces. First the joint's response to them (U, D and
// effort), then what remains for the parent, in place, then its transfer.

// Hinge (angular) or slide.
RUT_INLINE void aba_axis_response(const AbaBody* b, int n, int angular) {
  const rutVec3 axis = rut_vec3_of(b->body->axis), none = rut_vec3(0.0, 0.0, 0.0);
  const rutSpatial s = angular ? rut_spatial(axis, none) : rut_spatial(none, axis);
  const double* tau = b->tau;
  double* own = b->own;
  RUT_FOR_LANES(l, n) {
    const rutInertia inertia = rut_load_inertia(own + ABA_INERTIA * n, n, l);
    const rutSpatial p = rut_load_spatial(own + ABA_FORCE * n, n, l);
    const rutSpatial u = rut_inertia_apply(inertia, s);
    rut_store_spatial(own + ABA_U * n, n, l, u);
    own[ABA_D * n + l] = 1.0 / rut_vec3_dot(axis, angular ? u.a : u.l);
    own[ABA_EFFORT * n + l] = tau[l] - rut_vec3_dot(axis, angular ? p.a : p.l);
  }
}
// What is left is I - U D^-1 U^T, p + (that) c + U D^-1 effort.
RUT_INLINE void aba_axis_remainder(const AbaBody* b, int n, int moving) {
  double* own = b->own;
  RUT_FOR_LANES(l, n) {
    const rutSpatial u = rut_load_spatial(own + ABA_U * n, n, l);
    const double d = own[ABA_D * n + l], effort = own[ABA_EFFORT * n + l];
    const rutInertia inertia =
        rut_inertia_sub_outer(rut_load_inertia(own + ABA_INERTIA * n, n, l), d, u);
    rutSpatial p = rut_load_spatial(own + ABA_FORCE * n, n, l);
    if (moving) {
      const rutSpatial bias = rut_load_spatial(own + ABA_BIAS * n, n, l);
      p = rut_spatial_add(p, rut_inertia_apply(inertia, bias));
    }
    rut_store_inertia(own + ABA_INERTIA * n, n, l, inertia);
    rut_store_spatial(own + ABA_FORCE * n, n, l, rut_spatial_add_scaled(p, effort * d, u));
  }
}

// Planar: the axes are x, y (linear) and z (angular) of the body.
RUT_INLINE void aba_planar_response(const AbaBody* b, int n) {
  const double* tau = b->tau;
  double* own = b->own;
  RUT_FOR_LANES(l, n) {
    const rutInertia i = rut_load_inertia(own + ABA_INERTIA * n, n, l);
    const rutSpatial p = rut_load_spatial(own + ABA_FORCE * n, n, l);
    const double s = own[ABA_YAW * n + l], c = own[(ABA_YAW + 1) * n + l];
    const double tx = tau[l], ty = tau[n + l];
    const rutMat3 m = i.cross;
    const rutSpatial ux = {{m.m[0], m.m[3], m.m[6]}, {i.linear.xx, i.linear.xy, i.linear.xz}};
    const rutSpatial uy = {{m.m[1], m.m[4], m.m[7]}, {i.linear.xy, i.linear.yy, i.linear.yz}};
    const rutSpatial uz = {{i.angular.xz, i.angular.yz, i.angular.zz}, {m.m[6], m.m[7], m.m[8]}};
    rut_store_spatial(own + ABA_U * n, n, l, ux);
    rut_store_spatial(own + (ABA_U + 6) * n, n, l, uy);
    rut_store_spatial(own + (ABA_U + 12) * n, n, l, uz);
    const rutLdl3 d = rut_sym3_factor(
        (rutSym3){i.linear.xx, i.linear.yy, i.angular.zz, i.linear.xy, m.m[6], m.m[7]});
    rut_store_vec3(own + ABA_D * n, n, l, rut_vec3(d.l10, d.l20, d.l21));
    rut_store_vec3(own + (ABA_D + 3) * n, n, l, rut_vec3(d.d0, d.d1, d.d2));
    rut_store_vec3(
        own + ABA_EFFORT * n, n, l,
        rut_vec3((c * tx + s * ty) - p.l.x, (c * ty - s * tx) - p.l.y, tau[2 * n + l] - p.a.z));
  }
}
RUT_INLINE rutLdl3 aba_load_factors(const double* own, int n, int l) {
  const rutVec3 a = rut_load_vec3(own + ABA_D * n, n, l);
  const rutVec3 d = rut_load_vec3(own + (ABA_D + 3) * n, n, l);
  return (rutLdl3){a.x, a.y, a.z, d.x, d.y, d.z};
}
// U D^-1 U^T is the sum of three outer products of the columns of U L^-T.
RUT_INLINE void aba_planar_remainder(const AbaBody* b, int n) {
  double* own = b->own;
  RUT_FOR_LANES(l, n) {
    const rutSpatial ux = rut_load_spatial(own + ABA_U * n, n, l);
    const rutSpatial uy = rut_load_spatial(own + (ABA_U + 6) * n, n, l);
    const rutSpatial uz = rut_load_spatial(own + (ABA_U + 12) * n, n, l);
    const rutLdl3 d = aba_load_factors(own, n, l);
    const rutSpatial wy = rut_spatial_add_scaled(uy, -d.l10, ux);
    const rutSpatial wz =
        rut_spatial_add_scaled(rut_spatial_add_scaled(uz, -d.l20, ux), -d.l21, wy);
    rutInertia i = rut_load_inertia(own + ABA_INERTIA * n, n, l);
    i = rut_inertia_sub_outer(i, d.d0, ux);
    i = rut_inertia_sub_outer(i, d.d1, wy);
    i = rut_inertia_sub_outer(i, d.d2, wz);
    const rutVec3 x = rut_ldl3_solve(d, rut_load_vec3(own + ABA_EFFORT * n, n, l));
    rutSpatial p = rut_load_spatial(own + ABA_FORCE * n, n, l);
    p = rut_spatial_add(p, rut_inertia_apply(i, rut_load_spatial(own + ABA_BIAS * n, n, l)));
    p = rut_spatial_add_scaled(p, x.x, ux);
    p = rut_spatial_add_scaled(p, x.y, uy);
    p = rut_spatial_add_scaled(p, x.z, uz);
    rut_store_inertia(own + ABA_INERTIA * n, n, l, i);
    rut_store_spatial(own + ABA_FORCE * n, n, l, p);
  }
}

// Solves I x = f by blocks: the linear part first, then the angular one that remains.
RUT_INLINE rutSpatial rut_inertia_solve(rutInertia i, rutSpatial f) {
  const double* m = i.cross.m;
  const rutSym3 a = i.angular;
  const rutLdl3 linear = rut_sym3_factor(i.linear);
  const rutVec3 r0 = rut_vec3(m[0], m[1], m[2]), r1 = rut_vec3(m[3], m[4], m[5]);
  const rutVec3 r2 = rut_vec3(m[6], m[7], m[8]);
  const rutVec3 x0 = rut_ldl3_solve(linear, r0), x1 = rut_ldl3_solve(linear, r1);
  const rutVec3 x2 = rut_ldl3_solve(linear, r2), xf = rut_ldl3_solve(linear, f.l);
  const rutLdl3 angular = rut_sym3_factor((rutSym3){
      a.xx - rut_vec3_dot(r0, x0), a.yy - rut_vec3_dot(r1, x1), a.zz - rut_vec3_dot(r2, x2),
      a.xy - rut_vec3_dot(r0, x1), a.xz - rut_vec3_dot(r0, x2), a.yz - rut_vec3_dot(r1, x2)});
  const rutVec3 w = rut_ldl3_solve(angular, rut_vec3_sub(f.a, rut_mat3_apply(i.cross, xf)));
  rutVec3 v = rut_vec3_add_scaled(xf, -w.x, x0);
  v = rut_vec3_add_scaled(v, -w.y, x1);
  return rut_spatial(w, rut_vec3_add_scaled(v, -w.z, x2));
}
// Free: the body follows its own forces, and its parent feels the joint's force only.
RUT_INLINE void aba_free_response(const AbaBody* b, int n) {
  const double* effort = b->tau;
  double* own = b->own;
  RUT_FOR_LANES(l, n) {
    const rutInertia inertia = rut_load_inertia(own + ABA_INERTIA * n, n, l);
    const rutSpatial p = rut_load_spatial(own + ABA_FORCE * n, n, l);
    const rutSpatial tau = rut_load_spatial(effort, n, l);
    rut_store_spatial(own + ABA_U * n, n, l, rut_inertia_solve(inertia, rut_spatial_sub(tau, p)));
    rut_store_spatial(own + ABA_FORCE * n, n, l, tau);
  }
}
RUT_INLINE void aba_prescribed_remainder(const AbaBody* b, int n) {
  double* own = b->own;
  RUT_FOR_LANES(l, n) {
    const rutInertia inertia = rut_load_inertia(own + ABA_INERTIA * n, n, l);
    const rutSpatial p = rut_load_spatial(own + ABA_FORCE * n, n, l);
    const rutSpatial bias = rut_load_spatial(own + ABA_BIAS * n, n, l);
    rut_store_spatial(own + ABA_FORCE * n, n, l,
                      rut_spatial_add(p, rut_inertia_apply(inertia, bias)));
  }
}
// A folded rotor passes on the force that its spin does not take up.
RUT_INLINE void aba_folded_rotor(const AbaBody* b, int n) {
  const rutVec3 axis = rut_vec3_of(b->body->axis);
  const rutSpatial u = rut_load_spatial(b->plan->u, 1, 0);
  const double d = b->plan->d_inverse, *tau = b->tau;
  double* own = b->own;
  RUT_FOR_LANES(l, n) {
    const rutSpatial p = rut_load_spatial(own + ABA_FORCE * n, n, l);
    const double effort = tau[l] - rut_vec3_dot(axis, p.a);
    own[ABA_EFFORT * n + l] = effort;
    rut_store_spatial(own + ABA_FORCE * n, n, l, rut_spatial_add_scaled(p, effort * d, u));
  }
}

RUT_INLINE void aba_transfer_force(const AbaBody* b, int n, int place) {
  const rutMbdConstants k = rut_body_constants(b->body);
  double *own = b->own, *parent = b->parent;
  RUT_FOR_LANES(l, n) {
    const rutMbdFrame f = aba_frame(&k, own, place, n, l);
    const rutSpatial p = aba_to_parent(place, f, rut_load_spatial(own + ABA_FORCE * n, n, l));
    rut_store_spatial(parent + ABA_FORCE * n, n, l,
                      rut_spatial_add(rut_load_spatial(parent + ABA_FORCE * n, n, l), p));
  }
}
RUT_INLINE void aba_transfer_inertia(const AbaBody* b, int n, int place) {
  const rutMbdConstants k = rut_body_constants(b->body);
  double *own = b->own, *parent = b->parent;
  RUT_FOR_LANES(l, n) {
    const rutMbdFrame f = aba_frame(&k, own, place, n, l);
    rutInertia i = rut_load_inertia(own + ABA_INERTIA * n, n, l);
    if (place != RUT_PLACE_ALIGNED) i = rut_inertia_rotate(f.rotation, i);
    i = rut_inertia_shift(f.origin, i);
    rut_store_inertia(parent + ABA_INERTIA * n, n, l,
                      rut_inertia_add(rut_load_inertia(parent + ABA_INERTIA * n, n, l), i));
  }
}
RUT_INLINE void aba_transfer(const AbaBody* b, int n) {
  const int inertia = !b->plan->folded && b->body->joint != RUT_JOINT_FREE;
  switch (b->plan->place) {
    case RUT_PLACE_ALIGNED:
      aba_transfer_force(b, n, RUT_PLACE_ALIGNED);
      if (inertia) aba_transfer_inertia(b, n, RUT_PLACE_ALIGNED);
      break;
    case RUT_PLACE_TURNED:
      aba_transfer_force(b, n, RUT_PLACE_TURNED);
      if (inertia) aba_transfer_inertia(b, n, RUT_PLACE_TURNED);
      break;
    default:
      aba_transfer_force(b, n, RUT_PLACE_MOVING);
      if (inertia) aba_transfer_inertia(b, n, RUT_PLACE_MOVING);
  }
}

RUT_INLINE void aba_inward(const AbaBody* b, int n) {
  const int moving = b->plan->place == RUT_PLACE_MOVING, has_parent = b->body->parent >= 0;
  if (b->body->joint == RUT_JOINT_FIXED || b->body->prescribed) {
    if (moving && has_parent) aba_prescribed_remainder(b, n);
  } else if (b->plan->folded) {
    aba_folded_rotor(b, n);
  } else if (b->body->joint == RUT_JOINT_PLANAR) {
    aba_planar_response(b, n);
    if (has_parent) aba_planar_remainder(b, n);
  } else if (b->body->joint == RUT_JOINT_FREE) {
    aba_free_response(b, n);
  } else {
    if (b->body->joint == RUT_JOINT_HINGE) {
      aba_axis_response(b, n, 1);
    } else {
      aba_axis_response(b, n, 0);
    }
    if (has_parent && moving) aba_axis_remainder(b, n, 1);
    if (has_parent && !moving) aba_axis_remainder(b, n, 0);
  }
  if (has_parent) aba_transfer(b, n);
}

// ---------------------------------------------------------------------------------------------
// Outward: accelerations

// Acceleration that the joint leaves unchanged: that of the parent, and the velocity products.
RUT_INLINE rutSpatial aba_given_rate(const rutMbdConstants* k, const double* own,
                                     const double* parent, int place, int n, int l) {
  const rutMbdFrame f = aba_frame(k, own, place, n, l);
  const rutSpatial a = aba_to_child(place, f, rut_load_spatial(parent + ABA_RATE * n, n, l));
  if (place != RUT_PLACE_MOVING) return a;
  return rut_spatial_add(a, rut_load_spatial(own + ABA_BIAS * n, n, l));
}
RUT_INLINE void aba_follow(const AbaBody* b, int n, int place) {
  const rutMbdConstants k = rut_body_constants(b->body);
  double *own = b->own, *parent = b->parent;
  RUT_FOR_LANES(l, n)
  rut_store_spatial(own + ABA_RATE * n, n, l, aba_given_rate(&k, own, parent, place, n, l));
}
RUT_INLINE void aba_axis_rate(const AbaBody* b, int n, int place, int angular, int folded) {
  const rutMbdConstants k = rut_body_constants(b->body);
  const rutSpatial folded_u = rut_load_spatial(b->plan->u, 1, 0);
  const double folded_d = b->plan->d_inverse;
  double *own = b->own, *parent = b->parent, *acceleration = b->acceleration;
  RUT_FOR_LANES(l, n) {
    rutSpatial a = aba_given_rate(&k, own, parent, place, n, l);
    const rutSpatial u = folded ? folded_u : rut_load_spatial(own + ABA_U * n, n, l);
    const double d = folded ? folded_d : own[ABA_D * n + l];
    const double rate = d * (own[ABA_EFFORT * n + l] - rut_spatial_dot(u, a));
    if (angular) a.a = rut_vec3_add_scaled(a.a, rate, k.axis);
    if (!angular) a.l = rut_vec3_add_scaled(a.l, rate, k.axis);
    acceleration[l] = rate;
    rut_store_spatial(own + ABA_RATE * n, n, l, a);
  }
}
RUT_INLINE void aba_planar_rate(const AbaBody* b, int n) {
  const rutMbdConstants k = rut_body_constants(b->body);
  double *own = b->own, *parent = b->parent, *acceleration = b->acceleration;
  RUT_FOR_LANES(l, n) {
    rutSpatial a = aba_given_rate(&k, own, parent, RUT_PLACE_MOVING, n, l);
    const rutVec3 effort = rut_load_vec3(own + ABA_EFFORT * n, n, l);
    const rutVec3 taken =
        rut_vec3(rut_spatial_dot(rut_load_spatial(own + ABA_U * n, n, l), a),
                 rut_spatial_dot(rut_load_spatial(own + (ABA_U + 6) * n, n, l), a),
                 rut_spatial_dot(rut_load_spatial(own + (ABA_U + 12) * n, n, l), a));
    const rutVec3 x = rut_ldl3_solve(aba_load_factors(own, n, l), rut_vec3_sub(effort, taken));
    const double s = own[ABA_YAW * n + l], c = own[(ABA_YAW + 1) * n + l];
    a.l.x += x.x;
    a.l.y += x.y;
    a.a.z += x.z;
    acceleration[l] = c * x.x - s * x.y;
    acceleration[n + l] = s * x.x + c * x.y;
    acceleration[2 * n + l] = x.z;
    rut_store_spatial(own + ABA_RATE * n, n, l, a);
  }
}
RUT_INLINE void aba_free_rate(const AbaBody* b, int n) {
  const rutMbdConstants k = rut_body_constants(b->body);
  double *own = b->own, *parent = b->parent, *acceleration = b->acceleration;
  RUT_FOR_LANES(l, n) {
    const rutSpatial given = aba_given_rate(&k, own, parent, RUT_PLACE_MOVING, n, l);
    const rutSpatial a = rut_load_spatial(own + ABA_U * n, n, l);
    rut_store_spatial(acceleration, n, l, rut_spatial_sub(a, given));
    rut_store_spatial(own + ABA_RATE * n, n, l, a);
  }
}

RUT_INLINE void aba_outward_still(const AbaBody* b, int n, int place) {
  if (b->body->joint == RUT_JOINT_FIXED || b->body->prescribed) {
    aba_follow(b, n, place);
  } else if (b->plan->folded) {
    aba_axis_rate(b, n, place, 1, 1);
  } else {
    aba_axis_rate(b, n, place, 1, 0);
  }
}
RUT_INLINE void aba_outward_rate(const AbaBody* b, int n) {
  if (b->body->prescribed) rut_fill_row(b->acceleration, n, 0.0);
  if (b->plan->place == RUT_PLACE_ALIGNED) {
    aba_outward_still(b, n, RUT_PLACE_ALIGNED);
  } else if (b->plan->place == RUT_PLACE_TURNED) {
    aba_outward_still(b, n, RUT_PLACE_TURNED);
  } else if (b->body->prescribed) {
    aba_follow(b, n, RUT_PLACE_MOVING);
  } else if (b->body->joint == RUT_JOINT_PLANAR) {
    aba_planar_rate(b, n);
  } else if (b->body->joint == RUT_JOINT_FREE) {
    aba_free_rate(b, n);
  } else if (b->body->joint == RUT_JOINT_HINGE) {
    aba_axis_rate(b, n, RUT_PLACE_MOVING, 1, 0);
  } else {
    aba_axis_rate(b, n, RUT_PLACE_MOVING, 0, 0);
  }
}

// ---------------------------------------------------------------------------------------------

// Arguments as in rut_mbd_accelerate; n lanes.
RUT_INLINE void aba_accelerate(const rutMbdTree* tree, const rutMbdPlan* plan, const rutMbdIn* in,
                               int n, double* scratch, double* acceleration) {
  // Block 0 is the base, block i + 1 body i.
  const int stride = ABA_ROWS * n;
  const double* gravity = in->gravity;
  RUT_FOR_LANES(l, n) {
    const rutSpatial zero = aba_zero();
    const rutSpatial up = {zero.a, rut_vec3_scale(rut_load_vec3(gravity, n, l), -1.0)};
    rut_store_spatial(scratch + ABA_FRAME * n, n, l, zero);
    rut_store_spatial(scratch + ABA_TWIST * n, n, l, zero);
    rut_store_spatial(scratch + ABA_RATE * n, n, l, up);
  }
  // Out, in, out.
  for (int pass = 0; pass < 3; ++pass) {
    for (int k = 0; k < tree->bodies; ++k) {
      const int i = pass == 1 ? tree->bodies - 1 - k : k;
      const rutMbdBody* body = &tree->body[i];
      const AbaBody b = {body,
                         &plan->body[i],
                         scratch + stride * (i + 1),
                         scratch + stride * (body->parent + 1),
                         in->q + body->position * n,
                         in->v + body->speed * n,
                         in->tau + body->speed * n,
                         in->force + 6 * i * n,
                         acceleration + body->speed * n};
      if (pass == 0) aba_outward_velocity(&b, n);
      if (pass == 1) aba_inward(&b, n);
      if (pass == 2) aba_outward_rate(&b, n);
    }
  }
}

#endif  // RUT_MBD_FORWARD_DYNAMICS_LANES_H
