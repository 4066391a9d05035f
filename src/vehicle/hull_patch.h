// SPDX-License-Identifier: BSD-3-Clause
//
// Places at which the hull presses on hard ground from one side, taken together: one spring, one
// damper, one place that rubs. With the depths d_i of places that stand for areas a_i, in units of
// an area A, the spring has the potential
//   V = K/2 S^(1/2),  S = sum (a_i/A) d_i^4,   so that   f_i = K (a_i/A) d_i^3 S^(-1/2).
// A patch of the area A has the stiffness K; one of the area a has K (a/A)^(1/2). A narrow ridge is
// thus nearly as stiff as a wide floor, and the hull sinks into neither by more than millimetres,
// while forces stay continuous and conservative, and converge with the places. Each f_i is
// multiplied by 1 + c times the speed of approach, never less than 0 (Hunt and Crossley, J. Applied
// Mechanics 42, 1975): no tension, and no speed of separation above 1/c.
#ifndef RUT_VEHICLE_HULL_PATCH_H
#define RUT_VEHICLE_HULL_PATCH_H

#include "mbd/sliders.h"
#include "terrain/piece_ground.h"

enum { RUT_HULL_MOTIONS = 6, RUT_HULL_PAIRS = 21 };

// Sums over the places of a patch, in the chassis's axes. Motions are those of the centre of mass,
// then turns: what a force along n at r does is J = (n, r x n).
typedef struct rutHullPatch {
  double spring;                   // S
  double damped;                   // the same with damping
  double force[RUT_HULL_MOTIONS];  // sum of a/A d^3 J with damping
  double pressure;                 // sum of a/A d^3 with damping
  double stiff[RUT_HULL_PAIRS];    // sum of a/A d^2 J J^T with damping, lower triangle
  double damping[RUT_HULL_PAIRS];  // sum of a/A d^3 J J^T where it acts
  rutVec3 first;                   // sum of pressure times r
  double second;                   // sum of pressure times r . r
} rutHullPatch;

// A place at r with the normal n in the chassis's axes.
typedef struct rutHullPlace {
  rutVec3 r, n;
  double depth, share;  // [m], a/A
  double gain, most;    // of the damper, which is cut to 0 to most
} rutHullPlace;

RUT_INLINE void rut_hull_patch_add(rutHullPatch* p, const rutHullPlace* at) {
  const rutVec3 r = at->r, n = at->n;
  const double depth = at->depth, share = at->share, gain = rut_clamp(at->gain, 0, at->most);
  const rutVec3 turn = rut_vec3_cross(r, n);
  const double j[RUT_HULL_MOTIONS] = {n.x, n.y, n.z, turn.x, turn.y, turn.z};
  const double d2 = share * depth * depth, d3 = d2 * depth, pressure = gain * d3;
  p->spring += d3 * depth;
  p->damped += pressure * depth;
  p->pressure += pressure;
  const double acts = gain > 0 && gain < at->most ? d3 : 0, stiff = gain * d2;
  for (int i = 0, k = 0; i < RUT_HULL_MOTIONS; i++) {
    p->force[i] += pressure * j[i];
    for (int m = 0; m <= i; m++, k++) {
      const double pair = j[i] * j[m];
      p->stiff[k] += stiff * pair;
      p->damping[k] += acts * pair;
    }
  }
  p->first = rut_vec3_add_scaled(p->first, pressure, r);
  p->second += pressure * rut_vec3_dot(r, r);
}

#endif  // RUT_VEHICLE_HULL_PATCH_H
