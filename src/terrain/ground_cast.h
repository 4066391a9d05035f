// SPDX-License-Identifier: BSD-3-Clause
//
// Rays against the ground as wheels see it.
#ifndef RUT_TERRAIN_GROUND_CAST_H
#define RUT_TERRAIN_GROUND_CAST_H

#include "geom/rays.h"
#include "terrain/ground.h"
#include "terrain/rut_grid.h"

// The ground at one instant.
typedef struct rutGroundScene {
  const rutGround* ground;
  const double* lift;         // [sources] as of rut_ground_surface. Nullable
  const rutSoftGround* soft;  // ruts. Nullable
} rutGroundScene;

// Shorten rays to the ground that they hit. Needs no scratch; may run in parallel.
//
// Elevation maps and level ground are solid below their surface, with upright walls at borders and
// holes: a ray that starts below hits them at 0, unless it is more than RUT_GROUND_THICKNESS below
// a map, which it then does not see. Planes are sheets, seen from above and from below. Ramps and
// bumps are solid down to the height that they stand on, and sheets where shapes or ruts lower them
// below it; a ray that starts inside one does not see it. There is no ground elsewhere; a world
// without any is level at 0.
//
// Exact are maps, level ground, planes, ramps and bumps where no shape and no rut is. Elsewhere
// the place is found to 1e-9 m along the ray once the ray is known to have gone through. Where the
// shapes have bounds for their slopes, it can only dip below the surface unseen for less than
// RUT_CAST_NEAR; near upright faces and over ruts for less than RUT_CAST_STEP, or half a cell of
// the ruts, of horizontal distance. Shapes and ruts are seen up to RUT_CAST_FARTHEST.
void rut_ground_cast(const rutGroundScene* scene, const rutRayBatch* rays, const rutRayResult* out);

// Distances along a ray [m].
#define RUT_CAST_NEAR     0.01
#define RUT_CAST_STEP     0.05
#define RUT_CAST_FARTHEST 2e4

#endif  // RUT_TERRAIN_GROUND_CAST_H
