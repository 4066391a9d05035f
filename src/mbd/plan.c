// SPDX-License-Identifier: BSD-3-Clause
#include "mbd/plan.h"

size_t rut_mbd_plan_size(const rutMbdTree* tree) {
  return sizeof(rutMbdPlan) + (size_t)tree->bodies * sizeof(rutMbdPlanBody);
}

static int is_identity(const double m[9]) {
  return m[0] == 1.0 && m[4] == 1.0 && m[8] == 1.0 && m[1] == 0.0 && m[2] == 0.0 && m[3] == 0.0 &&
         m[5] == 0.0 && m[6] == 0.0 && m[7] == 0.0;
}

// Spatial inertia at the body's origin: [Ic + m (c.c 1 - c c^T), m c~; -m c~, m 1].
static rutInertia inertia_at_origin(const rutMbdBody* body) {
  const double *i = body->inertia, *c = body->com, m = body->mass;
  const double x = m * c[0], y = m * c[1], z = m * c[2];
  return (rutInertia){
      {i[0] + y * c[1] + z * c[2], i[1] + x * c[0] + z * c[2], i[2] + x * c[0] + y * c[1],
       i[3] - x * c[1], i[4] - x * c[2], i[5] - y * c[2]},
      {{0.0, -z, y, z, 0.0, -x, -y, x, 0.0}},
      {m, m, m, 0.0, 0.0, 0.0}};
}

// Leaves first, gives each body whose frame is fixed in its parent's, with all it carries, to its
// parent: what the parent feels of it never changes. A rotor withholds its inertia about its axis.
static void fold_inertias(const rutMbdTree* tree, rutMbdPlan* plan) {
  for (int i = tree->bodies - 1; i >= 0; --i) {
    const rutMbdBody* body = &tree->body[i];
    rutMbdPlanBody* p = &plan->body[i];
    rutMbdPlanBody* parent = body->parent < 0 ? NULL : &plan->body[body->parent];
    p->folded = p->place != RUT_PLACE_MOVING && !p->branching;
    if (!p->folded) {
      if (parent) parent->branching = 1;
      continue;
    }
    rutInertia inertia = rut_load_inertia(p->inertia, 1, 0);
    if (body->rotor && !body->prescribed) {
      const rutVec3 axis = rut_vec3_of(body->axis);
      const rutSpatial u = rut_inertia_apply(inertia, rut_spatial(axis, rut_vec3(0.0, 0.0, 0.0)));
      p->d_inverse = 1.0 / rut_vec3_dot(axis, u.a);
      rut_store_spatial(p->u, 1, 0, u);
      inertia = rut_inertia_sub_outer(inertia, p->d_inverse, u);
    }
    if (!parent) continue;
    if (p->turned) inertia = rut_inertia_rotate(rut_mat3_of(body->mount_rotation), inertia);
    inertia = rut_inertia_shift(rut_vec3_of(body->mount_position), inertia);
    inertia = rut_inertia_add(rut_load_inertia(parent->inertia, 1, 0), inertia);
    rut_store_inertia(parent->inertia, 1, 0, inertia);
  }
}

// ---------------------------------------------------------------------------------------------
// Planar vehicles

static int turns_about_z(const double m[9]) {
  return m[2] == 0.0 && m[5] == 0.0 && m[6] == 0.0 && m[7] == 0.0 && m[8] == 1.0 && m[0] == m[4] &&
         m[1] == -m[3];
}

// A wheel whose spin does not push on the chassis within the plane: about y, and balanced.
static int is_lateral_rotor(const rutMbdBody* body) {
  return body->joint == RUT_JOINT_HINGE && body->rotor && !body->prescribed &&
         body->axis[0] == 0.0 && rut_abs(body->axis[1]) == 1.0 && body->axis[2] == 0.0 &&
         body->com[0] == 0.0 && body->com[2] == 0.0 && body->inertia[1] > 0.0 &&
         body->inertia[3] == 0.0 && body->inertia[4] == 0.0 && body->inertia[5] == 0.0;
}
static int is_steer(const rutMbdBody* body) {
  return body->joint == RUT_JOINT_HINGE && body->prescribed && !body->rotor &&
         body->axis[0] == 0.0 && body->axis[1] == 0.0 && rut_abs(body->axis[2]) == 1.0;
}

static int is_planar_vehicle(const rutMbdTree* tree) {
  if (tree->bodies < 1 || tree->body[0].joint != RUT_JOINT_PLANAR) return 0;
  for (int i = 1; i < tree->bodies; ++i) {
    const rutMbdBody* body = &tree->body[i];
    if (body->parent < 0 || (body->parent > 0 && tree->body[body->parent].rotor) ||
        !turns_about_z(body->mount_rotation))
      return 0;
    if (body->joint != RUT_JOINT_FIXED && !is_lateral_rotor(body) && !is_steer(body)) return 0;
  }
  return 1;
}

// Places body i in the frame that carries it: the nearest steered body above it, or the chassis.
static void place_in_frame(const rutMbdTree* tree, rutMbdPlan* plan, int i) {
  const rutMbdBody* body = &tree->body[i];
  rutMbdPlanBody* p = &plan->body[i];
  const double *r = body->mount_position, *m = body->mount_rotation;
  if (is_steer(&tree->body[body->parent])) {
    p->frame = body->parent;
    p->x = r[0];
    p->y = r[1];
    p->c = m[0];
    p->s = m[3];
  } else {
    const rutMbdPlanBody* parent = &plan->body[body->parent];
    p->frame = parent->frame;
    p->x = parent->x + parent->c * r[0] - parent->s * r[1];
    p->y = parent->y + parent->s * r[0] + parent->c * r[1];
    p->c = parent->c * m[0] - parent->s * m[3];
    p->s = parent->s * m[0] + parent->c * m[3];
  }
  // A steered body is a frame of its own: its centre of mass counts from its own origin.
  const double* c = body->com;
  const int steer = is_steer(body);
  p->com_x = steer ? c[0] : p->x + p->c * c[0] - p->s * c[1];
  p->com_y = steer ? c[1] : p->y + p->s * c[0] + p->c * c[1];
  if (is_lateral_rotor(body)) {
    p->spin_sign = body->axis[1];
    p->spin_inverse = 1.0 / body->inertia[1];
  }
}

// Constant origin, in chassis axes, of a frame that only turns; 0 if it moves as well.
static int frame_origin(const rutMbdPlan* plan, int frame, double* x, double* y) {
  *x = 0.0;
  *y = 0.0;
  for (; frame > 0; frame = plan->body[frame].frame) {
    const rutMbdPlanBody* p = &plan->body[frame];
    const int on_axis = p->x == 0.0 && p->y == 0.0;
    if (p->frame > 0 && !on_axis) return 0;
    *x += p->x;
    *y += p->y;
  }
  return 1;
}

static void plan_planar_vehicle(const rutMbdTree* tree, rutMbdPlan* plan) {
  plan->body[0].c = 1.0;
  plan->body[0].com_x = tree->body[0].com[0];
  plan->body[0].com_y = tree->body[0].com[1];
  for (int i = 0; i < tree->bodies; ++i) {
    const rutMbdBody* body = &tree->body[i];
    rutMbdPlanBody* p = &plan->body[i];
    if (i > 0) place_in_frame(tree, plan, i);
    plan->mass += body->mass;
    const int frame = i > 0 && is_steer(body) ? i : p->frame;
    double x, y;
    const int centred = frame == 0 || (p->com_x == 0.0 && p->com_y == 0.0);
    const int steady = frame_origin(plan, frame, &x, &y) && centred;
    x += p->com_x;
    y += p->com_y;
    if (body->mass != 0.0 && !steady) {
      p->steered = 1;
      plan->steered = 1;
      plan->yaw_inertia += body->inertia[2];
    } else {
      plan->moment_x += body->mass * x;
      plan->moment_y += body->mass * y;
      plan->yaw_inertia += body->inertia[2] + body->mass * (x * x + y * y);
    }
  }
  plan->inverse_mass = 1.0 / plan->mass;
  plan->com_x = plan->moment_x * plan->inverse_mass;
  plan->com_y = plan->moment_y * plan->inverse_mass;
  plan->inverse_central =
      1.0 / (plan->yaw_inertia - plan->moment_x * plan->com_x - plan->moment_y * plan->com_y);
}

void rut_mbd_plan(const rutMbdTree* tree, rutMbdPlan* plan) {
  memset(plan, 0, rut_mbd_plan_size(tree));
  plan->bodies = tree->bodies;
  for (int i = 0; i < tree->bodies; ++i) {
    const rutMbdBody* body = &tree->body[i];
    rutMbdPlanBody* p = &plan->body[i];
    const int still =
        body->joint == RUT_JOINT_FIXED || (body->joint == RUT_JOINT_HINGE && body->rotor);
    p->turned = !is_identity(body->mount_rotation);
    p->place = !still ? RUT_PLACE_MOVING : (p->turned ? RUT_PLACE_TURNED : RUT_PLACE_ALIGNED);
    rut_store_inertia(p->inertia, 1, 0, inertia_at_origin(body));
  }
  fold_inertias(tree, plan);
  plan->planar = is_planar_vehicle(tree);
  if (plan->planar) plan_planar_vehicle(tree, plan);
}
