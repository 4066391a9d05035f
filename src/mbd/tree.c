// SPDX-License-Identifier: BSD-3-Clause
#include "mbd/tree.h"

#include "mbd/joint_lanes.h"

int rut_mbd_joint_positions(rutJointType joint) {
  static const int count[] = {0, 1, 1, 3, 7};
  return count[joint];
}
int rut_mbd_joint_speeds(rutJointType joint) {
  static const int count[] = {0, 1, 1, 3, 6};
  return count[joint];
}

// Turns the quaternion at q by h times the angular velocity at v, and moves along the velocity.
static void integrate_free(int lanes, double h, const double* v, double* q) {
  RUT_FOR_LANES(l, lanes) {
    const rutQuat old =
        rut_quat(q[3 * lanes + l], q[4 * lanes + l], q[5 * lanes + l], q[6 * lanes + l]);
    const rutVec3 rate = rut_load_vec3(v, lanes, l);
    const rutVec3 velocity = rut_quat_rotate(old, rut_load_vec3(v + 3 * lanes, lanes, l));
    const rutVec3 place = rut_load_vec3(q, lanes, l);
    const rutQuat turned = rut_quat_unit(rut_quat_mul(old, rut_quat_exp(rut_vec3_scale(rate, h))));
    rut_store_vec3(q, lanes, l, rut_vec3_add_scaled(place, h, velocity));
    q[3 * lanes + l] = turned.w;
    q[4 * lanes + l] = turned.x;
    q[5 * lanes + l] = turned.y;
    q[6 * lanes + l] = turned.z;
  }
}

void rut_mbd_integrate(const rutMbdTree* tree, int lanes, double h, const double* v, double* q) {
  for (int i = 0; i < tree->bodies; ++i) {
    const rutMbdBody* body = &tree->body[i];
    const double* speed = v + body->speed * lanes;
    double* position = q + body->position * lanes;
    if (body->joint == RUT_JOINT_FREE) {
      integrate_free(lanes, h, speed, position);
      continue;
    }
    const int size = rut_mbd_joint_speeds((rutJointType)body->joint) * lanes;
    RUT_FOR_LANES(k, size) position[k] += h * speed[k];
  }
}

// Rows of one body: [3] position, [9] rotation to base axes.
typedef struct Pose {
  double *position, *rotation;
} Pose;

// Pose of a body from that of its parent, q being its joint's positions.
RUT_INLINE void pose_lanes(const rutMbdBody* body, int n, const double* q, Pose parent, Pose own) {
  const rutMbdConstants k = rut_body_constants(body);
  const rutMbdJointKind kind = {body->joint, body->rotor, 1};
  const int base = body->parent < 0;
  RUT_FOR_LANES(l, n) {
    const rutMbdFrame f = rut_joint_frame(&k, kind, q, n, l);
    const rutMat3 turn = base ? rut_mat3_identity() : rut_load_mat3(parent.rotation, n, l);
    const rutVec3 place = base ? rut_vec3(0.0, 0.0, 0.0) : rut_load_vec3(parent.position, n, l);
    rut_store_vec3(own.position, n, l, rut_vec3_add(place, rut_mat3_apply(turn, f.origin)));
    rut_store_mat3(own.rotation, n, l, rut_mat3_mul(turn, f.rotation));
  }
}

void rut_mbd_poses(const rutMbdTree* tree, int lanes, const double* q, double* position,
                   double* rotation) {
  for (int i = 0; i < tree->bodies; ++i) {
    const rutMbdBody* body = &tree->body[i];
    const int parent = body->parent < 0 ? 0 : body->parent;
    const Pose above = {position + 3 * parent * lanes, rotation + 9 * parent * lanes};
    const Pose own = {position + 3 * i * lanes, rotation + 9 * i * lanes};
    pose_lanes(body, lanes, q + body->position * lanes, above, own);
  }
}
