// SPDX-License-Identifier: BSD-3-Clause
//
// The side of a tyre against what stands beside it: kerbs, walls of ruts, posts. The tyre is a
// torus; a face that is higher than the middle of its tube presses the tube in, along the normal of
// the face. What is lower is mounted (vehicle/envelope.h).
#ifndef RUT_VEHICLE_SIDE_H
#define RUT_VEHICLE_SIDE_H

#include "vehicle/environment.h"

// A wheel in the world: hub, unit vectors of its axis and heading (level), height below which
// ground is looked for.
typedef struct rutSideIn {
  const rutEnvironment* world;
  rutVec3 hub, axis;
  double ex, ey, below;
  double radius, width;  // [m]
} rutSideIn;

// The deepest face. share: 1 for faces that are higher than the tube's middle, less near it.
typedef struct rutSideTouch {
  double depth;   // along the normal of the face [m]; 0: none
  double share;   // 0 to 1
  double aside;   // by which the tread is pressed to the left [m]
  double nx, ny;  // normal of the face, out of it
  rutVec3 arm;    // where it presses, from the hub, world [m]
} rutSideTouch;

rutSideTouch rut_side_touch(const rutSideIn* in);

#endif  // RUT_VEHICLE_SIDE_H
