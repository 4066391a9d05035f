// SPDX-License-Identifier: BSD-3-Clause
//
// Frames in one another, and masses of bodies in them, for readers of files that describe bodies.
#ifndef RUT_FORMAT_FRAMES_H
#define RUT_FORMAT_FRAMES_H

#include "math/sym3.h"

// A frame in another: p' = turn p + at [m].
typedef struct rutFramePose {
  rutMat3 turn;
  rutVec3 at;
} rutFramePose;

// Frame b, given in frame a, in that of a.
rutFramePose rut_frame_mul(rutFramePose a, rutFramePose b);
rutVec3 rut_frame_apply(rutFramePose a, rutVec3 p);
rutFramePose rut_frame_inverse(rutFramePose a);

// Mass [kg], centre of mass [m], and inertia about that in the axes of the frame [kg m2].
typedef struct rutBodyMass {
  double mass;
  rutVec3 com;
  rutSym3 inertia;
} rutBodyMass;

// The same in the frame in which `pose` is given.
rutBodyMass rut_body_mass_moved(rutBodyMass m, rutFramePose pose);
// Two bodies of one frame joined: parallel axes theorem about the common centre of mass.
rutBodyMass rut_body_mass_sum(rutBodyMass a, rutBodyMass b);

#endif  // RUT_FORMAT_FRAMES_H
