// SPDX-License-Identifier: BSD-3-Clause
//
// What follows from a tree's constants alone.
#ifndef RUT_MBD_PLAN_H
#define RUT_MBD_PLAN_H

#include "mbd/spatial.h"
#include "mbd/tree.h"

// How a body's frame stands in its parent's.
typedef enum rutMbdPlace {
  RUT_PLACE_ALIGNED,  // fixed, same axes
  RUT_PLACE_TURNED,   // fixed, other axes
  RUT_PLACE_MOVING    // depends on the joint's position
} rutMbdPlace;

typedef struct rutMbdPlanBody {
  int32_t place;      // rutMbdPlace
  int32_t turned;     // the mount's axes are not the parent's
  int32_t folded;     // its articulated inertia is constant and part of its parent's `inertia`
  int32_t branching;  // some child is not folded
  double inertia[RUT_INERTIA_SIZE];  // own and of folded children, at the origin
  double u[6], d_inverse;            // of a folded rotor: inertia times axis, and 1 / (axis u)

  // Planar vehicles only. `frame` is the steered body that carries this one, 0 for the chassis; the
  // numbers place the body in that frame.
  int32_t frame;
  int32_t steered;                 // its centre of mass moves in chassis axes with the steering
  double x, y, c, s;               // origin, cosine and sine of its constant yaw
  double com_x, com_y;             // centre of mass, in the frame's axes from the frame's origin
  double spin_sign, spin_inverse;  // of a rotor about y: sign of its axis, 1 / moment of inertia
} rutMbdPlanBody;

struct rutMbdPlan {
  int32_t bodies;
  // 1 if the root is planar and everything else is fixed to it, spins about a lateral axis or is
  // steered about the vertical: the three accelerations then follow from sums.
  int32_t planar;
  int32_t steered;  // some body is
  int32_t padding;
  double mass;  // total
  double inverse_mass;
  // Of the bodies that are not steered: mass times position, and moment of inertia about the
  // chassis origin.
  double moment_x, moment_y, yaw_inertia;
  double com_x, com_y, inverse_central;  // if none is steered: centre of mass, 1 / central inertia
  rutMbdPlanBody body[];
};

#endif  // RUT_MBD_PLAN_H
