// SPDX-License-Identifier: BSD-3-Clause
#include "random_tree.h"

#include <math.h>
#include <string.h>

// xorshift64 (Marsaglia, J. Stat. Soft. 8(14), 2003).
double random_number(uint64_t* seed, double low, double high) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return low + (high - low) * ((double)(*seed >> 11) * 0x1p-53);
}
int random_index(uint64_t* seed, int count) { return (int)random_number(seed, 0.0, (double)count); }

static void random_unit(uint64_t* seed, int n, double* out) {
  double size = 0.0;
  while (size < 0.1 || size > 1.0) {
    size = 0.0;
    for (int i = 0; i < n; ++i) {
      out[i] = random_number(seed, -1.0, 1.0);
      size += out[i] * out[i];
    }
    size = sqrt(size);
  }
  for (int i = 0; i < n; ++i) out[i] /= size;
}
static void rotation_of(const double q[4], double r[9]) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double m[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  memcpy(r, m, sizeof m);
}
static void random_rotation(uint64_t* seed, double r[9]) {
  double q[4];
  random_unit(seed, 4, q);
  rotation_of(q, r);
}
static void identity(double r[9]) {
  for (int i = 0; i < 9; ++i) r[i] = i % 4 == 0;
}

// B diag(a, b, c) B^T for a random rotation B, with principal moments that a body can have.
static void random_inertia(uint64_t* seed, double inertia[6]) {
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double r[9];
  random_rotation(seed, r);
  double x[3], sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += x[i] = random_number(seed, 0.1, 0.5);
  for (int k = 0; k < 6; ++k) {
    inertia[k] = 0.0;
    for (int i = 0; i < 3; ++i)
      inertia[k] += (sum - x[i]) * r[3 * row[k] + i] * r[3 * column[k] + i];
  }
}
// Symmetric about an axis: t 1 + (a - t) axis axis^T, centre of mass on the axis.
static void symmetric_inertia(uint64_t* seed, const double axis[3], rutMbdBody* body) {
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  const double a = random_number(seed, 0.1, 0.5), t = random_number(seed, 0.6, 1.0) * a;
  const double place = random_number(seed, -0.3, 0.3);
  for (int k = 0; k < 6; ++k)
    body->inertia[k] = (k < 3 ? t : 0.0) + (a - t) * axis[row[k]] * axis[column[k]];
  for (int i = 0; i < 3; ++i) body->com[i] = place * axis[i];
}

static void random_mount(uint64_t* seed, rutMbdBody* body) {
  for (int i = 0; i < 3; ++i) body->mount_position[i] = random_number(seed, -0.6, 0.6);
  if (random_index(seed, 2)) {
    random_rotation(seed, body->mount_rotation);
  } else {
    identity(body->mount_rotation);
  }
}

// Fixed part of a rotor: on its axis, and symmetric about it.
static void part_of_rotor(uint64_t* seed, const rutMbdBody* rotor, rutMbdBody* body) {
  double axis[3];
  body->joint = RUT_JOINT_FIXED;
  const double place = random_number(seed, -0.3, 0.3), *r = body->mount_rotation;
  for (int i = 0; i < 3; ++i) {
    body->mount_position[i] = place * rotor->axis[i];
    axis[i] = r[i] * rotor->axis[0] + r[3 + i] * rotor->axis[1] + r[6 + i] * rotor->axis[2];
  }
  symmetric_inertia(seed, axis, body);
}

static void random_body(uint64_t* seed, const rutMbdBody* all, int index, rutMbdBody* body) {
  static const rutJointType joints[] = {RUT_JOINT_FIXED,  RUT_JOINT_HINGE, RUT_JOINT_HINGE,
                                        RUT_JOINT_HINGE,  RUT_JOINT_HINGE, RUT_JOINT_SLIDE,
                                        RUT_JOINT_PLANAR, RUT_JOINT_FREE};
  body->parent = random_index(seed, index + 1) - 1;
  const rutMbdBody* parent = body->parent < 0 ? NULL : &all[body->parent];
  random_mount(seed, body);
  random_unit(seed, 3, body->axis);
  body->mass = random_number(seed, 0.5, 2.0);
  // The root's children keep the tree movable; what hangs on a rotor must suit it.
  body->joint = joints[index == 0 ? 1 + random_index(seed, 7) : random_index(seed, 8)];
  const rutMbdBody* rotor = parent;
  while (rotor && !rotor->rotor && rotor->joint == RUT_JOINT_FIXED && rotor->parent >= 0)
    rotor = &all[rotor->parent];
  if (rotor && rotor->rotor) {
    body->parent = (int32_t)(rotor - all);
    part_of_rotor(seed, rotor, body);
    return;
  }
  random_inertia(seed, body->inertia);
  for (int i = 0; i < 3; ++i) body->com[i] = random_number(seed, -0.3, 0.3);
  if (body->joint != RUT_JOINT_HINGE) return;
  const int kind = random_index(seed, 4);
  if (kind == 0) {
    body->prescribed = 1;
    if (random_index(seed, 2)) {
      body->mass = 0.0;
      memset(body->inertia, 0, sizeof body->inertia);
    }
  } else if (kind == 1) {
    body->rotor = 1;
    body->prescribed = random_index(seed, 5) == 0;
    symmetric_inertia(seed, body->axis, body);
  }
}

void number_tree(randomTree* t, int bodies) {
  t->tree = (rutMbdTree){bodies, 0, 0, t->body};
  for (int i = 0; i < bodies; ++i) {
    const rutJointType joint = (rutJointType)t->body[i].joint;
    t->body[i].position = t->tree.positions;
    t->body[i].speed = t->tree.speeds;
    t->tree.positions += rut_mbd_joint_positions(joint);
    t->tree.speeds += rut_mbd_joint_speeds(joint);
  }
}

void random_tree(uint64_t* seed, randomTree* out) {
  memset(out, 0, sizeof *out);
  const int bodies = 1 + random_index(seed, RANDOM_BODIES);
  for (int i = 0; i < bodies; ++i) random_body(seed, out->body, i, &out->body[i]);
  number_tree(out, bodies);
}

void random_planar_vehicle(uint64_t* seed, randomTree* out) {
  memset(out, 0, sizeof *out);
  const int bodies = 1 + random_index(seed, RANDOM_BODIES);
  for (int i = 0; i < bodies; ++i) {
    rutMbdBody* body = &out->body[i];
    random_mount(seed, body);
    body->joint = i == 0 ? RUT_JOINT_PLANAR : random_index(seed, 2);
    body->mass = random_number(seed, 0.5, 2.0);
    random_inertia(seed, body->inertia);
    for (int k = 0; k < 3; ++k) body->com[k] = random_number(seed, -0.3, 0.3);
    if (i == 0) {
      body->parent = -1;
      continue;
    }
    do body->parent = random_index(seed, i);
    while (out->body[body->parent].rotor);
    const double yaw = random_index(seed, 2) ? random_number(seed, -1.0, 1.0) : 0.0;
    const double turn[4] = {cos(0.5 * yaw), 0.0, 0.0, sin(0.5 * yaw)};
    rotation_of(turn, body->mount_rotation);
    if (body->joint == RUT_JOINT_FIXED) continue;
    const double sign = random_index(seed, 2) ? 1.0 : -1.0;
    if (random_index(seed, 3) == 0) {
      body->prescribed = 1;
      body->axis[2] = sign;
      if (random_index(seed, 2)) body->mass = 0.0;
      if (random_index(seed, 2)) body->com[0] = body->com[1] = 0.0;
      if (random_index(seed, 2)) memset(body->inertia, 0, sizeof body->inertia);
    } else {
      body->rotor = 1;
      body->axis[1] = sign;
      symmetric_inertia(seed, body->axis, body);
    }
  }
  number_tree(out, bodies);
}

void random_state(uint64_t* seed, const rutMbdTree* tree, randomState* out) {
  memset(out, 0, sizeof *out);
  for (int i = 0; i < tree->positions; ++i) out->q[i] = random_number(seed, -1.5, 1.5);
  for (int i = 0; i < tree->bodies; ++i) {
    if (tree->body[i].joint == RUT_JOINT_FREE)
      random_unit(seed, 4, out->q + tree->body[i].position + 3);
  }
  for (int i = 0; i < tree->speeds; ++i) {
    out->v[i] = random_number(seed, -2.0, 2.0);
    out->tau[i] = random_number(seed, -3.0, 3.0);
  }
  for (int i = 0; i < 6 * tree->bodies; ++i) out->force[i] = random_number(seed, -3.0, 3.0);
  for (int i = 0; i < 3; ++i) out->gravity[i] = random_number(seed, -10.0, 10.0);
}

rutMbdBody simple_body(int parent, rutJointType joint, double x, double y, double z) {
  rutMbdBody body = {
      .parent = parent, .joint = joint, .mount_position = {x, y, z}, .axis = {0.0, 1.0, 0.0}};
  identity(body.mount_rotation);
  return body;
}
