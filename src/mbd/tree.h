// SPDX-License-Identifier: BSD-3-Clause
//
// A tree of rigid bodies in minimal coordinates, and its O(N) dynamics (Featherstone 2008).
//
// Spatial vectors are [angular; linear] in body axes at the body's origin, which is the place of
// the joint that carries it. Joints connect a body to its parent (-1: the fixed base):
//   fixed   0 positions 0 speeds
//   hinge   1 position [rad], 1 speed: turns about `axis`
//   slide   1 position [m],   1 speed: moves along `axis`
//   planar  3 positions x, y, yaw and their 3 rates, in the axes of the joint's mount
//   free    7 positions x, y, z, quaternion (w, x, y, z) and 6 speeds: angular, then linear, in
//           body axes
// A prescribed hinge has a position and a speed that the caller sets; it takes no torque.
// A rotor is a hinge about an axis of symmetry: its body axes do not turn with it. What it carries
// turns with it but keeps its place too, so only fixed joints and hinges about the same axis fit.
//
// A hinge, slide, planar or free joint needs inertia of its own body or of what it carries along
// its axes; without it accelerations are not finite.
#ifndef RUT_MBD_TREE_H
#define RUT_MBD_TREE_H

#include <stddef.h>
#include <stdint.h>

enum { RUT_MBD_LANES = 8, RUT_MBD_MAX_BODIES = 64 };

typedef enum rutJointType {
  RUT_JOINT_FIXED,
  RUT_JOINT_HINGE,
  RUT_JOINT_SLIDE,
  RUT_JOINT_PLANAR,
  RUT_JOINT_FREE
} rutJointType;

typedef struct rutMbdBody {
  int32_t parent;            // index of the parent body, smaller than its own; -1 for the base
  int32_t joint;             // rutJointType
  int32_t prescribed;        // 1 for a hinge whose motion the caller sets
  int32_t rotor;             // 1 for a hinge about an axis of symmetry of body and all it carries
  int32_t position;          // first index in q
  int32_t speed;             // first index in v
  double mount_position[3];  // of the joint in the parent's axes, from the parent's origin [m]
  double mount_rotation[9];  // row-major, joint axes to parent axes
  double axis[3];            // unit vector in joint axes (hinge, slide)
  double mass;               // [kg]; 0 is allowed for a body that carries others
  double com[3];             // centre of mass from the body's origin, body axes [m]
  double inertia[6];         // about the centre of mass: xx yy zz xy xz yz [kg m2]
} rutMbdBody;

typedef struct rutMbdTree {
  int32_t bodies, positions, speeds;
  const rutMbdBody* body;
} rutMbdTree;

// Positions and speeds that a joint type has.
int rut_mbd_joint_positions(rutJointType joint);
int rut_mbd_joint_speeds(rutJointType joint);

// Doubles of scratch that the calls below need for a tree, for `lanes` lanes (1 or 8).
size_t rut_mbd_scratch(const rutMbdTree* tree, int lanes);

// What follows from the tree alone, worked out once: constant inertias and the shortcuts that the
// tree allows. Holds no pointers; may be copied, and hashed (padding is zero).
typedef struct rutMbdPlan rutMbdPlan;
// Bytes of a plan.
size_t rut_mbd_plan_size(const rutMbdTree* tree);
// Make the plan of a tree in memory (aligned for double) that the caller owns.
void rut_mbd_plan(const rutMbdTree* tree, rutMbdPlan* plan);

// State of a tree, and what acts on it. Rows of `lanes` numbers each.
typedef struct rutMbdIn {
  int lanes;              // 1 or RUT_MBD_LANES
  const double* q;        // [positions] joint positions
  const double* v;        // [speeds] joint speeds
  const double* tau;      // [speeds] joint forces [N] or [N m]
  const double* force;    // [bodies][6] external wrench: moment about the body's origin [N m], then
                          // force [N], body axes
  const double* gravity;  // [3] base axes [m/s2], for example 0, 0, -9.81
} rutMbdIn;

// Fill acceleration[speeds][lanes] with dv/dt; 0 for prescribed joints. Each lane's result has the
// same bits whatever `lanes` is. Source: Featherstone 2008, table 7.1 (articulated-body algorithm).
void rut_mbd_forward_dynamics(const rutMbdTree* tree, const rutMbdIn* in, double* scratch,
                              double* acceleration);
// The same, to the bit, with a plan made beforehand: for steps, since making a plan costs as much
// as the accelerations of a few vehicles.
void rut_mbd_accelerate(const rutMbdTree* tree, const rutMbdPlan* plan, const rutMbdIn* in,
                        double* scratch, double* acceleration);

// Positions after a step of h with constant speeds v: q += h v; quaternions by the exponential map.
// A free joint moves along its linear velocity as turned at the start of the step.
void rut_mbd_integrate(const rutMbdTree* tree, int lanes, double h, const double* v, double* q);

// World pose (base axes) of every body: position[body][3][lane], rotation[body][9][lane] row-major,
// body axes to base axes. A rotor's axes do not show its spin.
void rut_mbd_poses(const rutMbdTree* tree, int lanes, const double* q, double* position,
                   double* rotation);

// Sides of the homogeneous cuboid of a body's mass and moments of inertia [m].
void rut_mbd_cuboid(const rutMbdBody* body, double sides[3]);

// Kinetic plus potential energy [J], one lane. Potential energy is 0 at the base's origin.
double rut_mbd_energy(const rutMbdTree* tree, const double* q, const double* v,
                      const double* gravity);

#endif  // RUT_MBD_TREE_H
