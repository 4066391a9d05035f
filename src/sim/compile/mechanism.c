// SPDX-License-Identifier: BSD-3-Clause
//
// From <mechanism> with nested <body> elements to a tree of bodies.
#include "sim/compile/mechanism.h"

#include <string.h>

#include "math/quat.h"
#include "math/rut_math.h"
#include "math/vec.h"
#include "sim/compile/groups.h"
#include "sim/compile/read.h"

static void read_vector(const rutSpec* spec, rutNode node, const char* field, int n, double* out) {
  int given = 0;
  const double* value = rut_node_numbers(spec, node, field, &given);
  for (int i = 0; i < n; i++) out[i] = i < given ? value[i] : 0;
}

// Number of values a joint's initial_position or initial_speed must have; a free joint's position
// is given as x y z roll pitch yaw.
static bool read_initial(rutDraft* draft, rutNode node, const char* field, int need, double* out) {
  int given = 0;
  const double* value = rut_node_numbers(draft->spec, node, field, &given);
  if (given == 0) {
    for (int i = 0; i < need; i++) out[i] = 0;
    return true;
  }
  if (given != need) {
    rut_node_error(draft->spec, node, field, RUT_ERR_MODEL, "",
                   "'%s' must have %d number%s, not %d", field, need, need == 1 ? "" : "s", given);
    return false;
  }
  for (int i = 0; i < need; i++) out[i] = value[i];
  return true;
}

static void set_initial_state(rutDraft* draft, rutNode node, const rutMbdBody* body,
                              rutDraftMechanism* m) {
  rutJointType joint = (rutJointType)body->joint;
  double* q = m->q + body->position;
  if (joint == RUT_JOINT_FREE) {
    double pose[6] = {0};
    read_initial(draft, node, "initial_position", 6, pose);
    memcpy(q, pose, 3 * sizeof *q);
    rutQuat o = rut_quat_of_rpy(pose[3], pose[4], pose[5]);
    double wxyz[4] = {o.w, o.x, o.y, o.z};
    memcpy(q + 3, wxyz, sizeof wxyz);
  } else {
    read_initial(draft, node, "initial_position", rut_mbd_joint_positions(joint), q);
  }
  read_initial(draft, node, "initial_speed", rut_mbd_joint_speeds(joint), m->v + body->speed);
}

// Moments of inertia are not negative: all principal minors of an inertia tensor are positive or
// 0.
static void read_body(rutDraft* draft, rutNode node, int parent, rutDraftClass* c,
                      rutDraftMechanism* m) {
  const rutSpec* spec = draft->spec;
  rutMbdBody* b = &c->body[c->bodies++];
  b->parent = parent;
  b->joint = (int32_t)rut_node_number(spec, node, "joint");
  b->rotor = rut_node_number(spec, node, "rotor") != 0;
  b->position = c->positions;
  b->speed = c->speeds;
  c->positions += rut_mbd_joint_positions((rutJointType)b->joint);
  c->speeds += rut_mbd_joint_speeds((rutJointType)b->joint);
  read_vector(spec, node, "mount", 3, b->mount_position);
  double angles[3];
  read_vector(spec, node, "mount_angles", 3, angles);
  rutMat3 rotation = rut_mat3_of_rpy(angles[0], angles[1], angles[2]);
  memcpy(b->mount_rotation, rotation.m, sizeof b->mount_rotation);
  read_vector(spec, node, "axis", 3, b->axis);
  double length =
      rut_sqrt(b->axis[0] * b->axis[0] + b->axis[1] * b->axis[1] + b->axis[2] * b->axis[2]);
  if (!(length > 1e-9)) {
    rut_node_error(spec, node, "axis", RUT_ERR_MODEL, "", "the axis has no direction");
    return;
  }
  for (int i = 0; i < 3; i++) b->axis[i] /= length;
  b->mass = rut_node_number(spec, node, "mass");
  read_vector(spec, node, "com", 3, b->com);
  read_vector(spec, node, "inertia", 6, b->inertia);
  for (int i = 0; i < rut_mbd_joint_speeds((rutJointType)b->joint); i++) {
    c->damping[b->speed + i] = rut_node_number(spec, node, "damping");
    c->stiffness[b->speed + i] = rut_node_number(spec, node, "stiffness");
  }
  if (b->joint == RUT_JOINT_FREE && rut_node_number(spec, node, "stiffness") > 0) {
    rut_node_error(spec, node, "stiffness", RUT_ERR_MODEL, "", "a free joint takes no stiffness");
  }
  rut_draft_check_tensor(draft, node, b->inertia);
  set_initial_state(draft, node, b, m);
}

// Depth-first walk with a stack of our own, so that parents come before their children.
static void read_bodies(rutDraft* draft, rutNode mechanism, rutDraftClass* c,
                        rutDraftMechanism* m) {
  rutNode stack[RUT_MBD_MAX_BODIES];
  int parent[RUT_MBD_MAX_BODIES], top = 0;
  rutNode node = rut_node_first(draft->spec, mechanism, "body");
  int above = -1;
  for (;;) {
    if (rut_node_is_null(node)) {
      if (top == 0) return;
      top--;
      node = rut_node_next(draft->spec, stack[top], "body");
      above = parent[top];
      continue;
    }
    if (c->bodies == RUT_MBD_MAX_BODIES) {
      rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "",
                     "a mechanism has at most %d bodies", RUT_MBD_MAX_BODIES);
      return;
    }
    read_body(draft, node, above, c, m);
    stack[top] = node;
    parent[top] = above;
    top++;
    above = c->bodies - 1;
    node = rut_node_first(draft->spec, node, "body");
  }
}

// A joint whose outboard mass does not resist it has no finite acceleration.
static void check_inertia(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  double mass[RUT_MBD_MAX_BODIES] = {0};
  for (int i = c->bodies - 1; i >= 0; i--) {
    const rutMbdBody* b = &c->body[i];
    mass[i] += b->mass;
    if (b->parent >= 0) mass[b->parent] += mass[i];
    if (!(mass[i] > 0)) {
      rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, "",
                     "body %d carries no mass: its motion is not defined", i);
    }
  }
}

// A joint that moves no inertia (a point mass on a hinge's axis) has no finite acceleration. The
// first accelerations show it, since inertias do not change with time but for the posture.
static void check_accelerations(rutDraft* draft, rutNode node, const rutDraftClass* c,
                                const rutDraftMechanism* m) {
  const rutMbdTree tree = {c->bodies, c->positions, c->speeds, c->body};
  const size_t speeds = (size_t)c->speeds, force = 6 * (size_t)c->bodies;
  const size_t scratch = rut_mbd_scratch(&tree, 1);
  double* block =
      rut_context_alloc(draft->context, (2 * speeds + force + scratch) * sizeof(double), 64);
  if (!block) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MEMORY, "", "out of memory");
    return;
  }
  double *tau = block + scratch, *wrench = tau + speeds, *acceleration = wrench + force;
  memset(tau, 0, (speeds + force) * sizeof *tau);
  const double gravity[3] = {0, 0, -draft->gravity};
  const rutMbdIn in = {1, m->q, m->v, tau, wrench, gravity};
  rut_mbd_forward_dynamics(&tree, &in, block, acceleration);
  for (int i = 0; i < c->speeds; i++) {
    if (rut_is_finite(acceleration[i])) continue;
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, "give its bodies an inertia",
                   "a joint moves no inertia: its acceleration is not defined");
    break;
  }
  rut_context_free(draft->context, block);
}

static void read_mechanism(rutDraft* draft, rutNode node) {
  rutDraftClass* c = rut_context_alloc(draft->context, sizeof *c, 64);
  rutDraftMechanism* m = rut_draft_push(draft, &draft->mechanism);
  if (c && m) {
    memset(c, 0, sizeof *c);
    c->mechanism = 1;
    m->node = node;
    read_vector(draft->spec, node, "position", 3, m->base);
    read_bodies(draft, node, c, m);
    if (c->speeds == 0) {
      rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, "", "has no body that can move");
    }
    check_inertia(draft, node, c);
    if (!draft->reporter->errors) check_accelerations(draft, node, c, m);
    m->group = rut_draft_group(draft, node, c);
  }
  rut_context_free(draft->context, c);
}

void rut_draft_mechanisms(rutDraft* draft) {
  for (rutNode node = rut_node_first(draft->spec, rut_spec_root(draft->spec), "mechanism");
       !rut_node_is_null(node); node = rut_node_next(draft->spec, node, "mechanism")) {
    if (draft->mechanism.n == RUT_MAX_MECHANISMS) {
      rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "", "more than %d mechanisms",
                     RUT_MAX_MECHANISMS);
      return;
    }
    read_mechanism(draft, node);
  }
}
