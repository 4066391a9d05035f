// SPDX-License-Identifier: BSD-3-Clause
//
// Rays against many bodies: meshes and solids, each in its place. The upper of two levels: a
// hierarchy of the bodies' boxes, refitted when they move.
#ifndef RUT_GEOM_INSTANCES_H
#define RUT_GEOM_INSTANCES_H

#include "geom/solid.h"
#include "geom/triangles.h"

// A mesh or a solid in its place. Many may share one mesh.
typedef struct rutInstance {
  const rutTriangles* mesh;  // borrowed; NULL for a solid
  const rutSolid* solid;     // borrowed; NULL for a mesh
  int owner;                 // rays that skip this owner do not hit it
  double pose[12];  // [row][4]: from its own frame to the world's, rotation (or any regular matrix)
                    // and translation [m]
} rutInstance;

typedef struct rutInstances {
  int n;
  int first;              // added to indices of instances that are hit; 0 unless the caller sets it
  rutInstance* instance;  // [n] set by the caller, who then calls build or move
  rutBvh bvh;
  rutBox* box;      // [n] in the world
  double* inverse;  // [n][9] of the matrices of the poses
  double surface;   // of the hierarchy as it was built [m2]
} rutInstances;

// Take memory for n instances (at most RUT_BVH_ITEMS) from an arena.
void rut_instances_take(rutInstances* set, int n, rutArena* arena);
// After a change of meshes or solids.
void rut_instances_build(rutInstances* set);
// After a change of poses: refits, and builds anew once the boxes of the hierarchy have grown by
// half. Results are the same bits as after a build. No allocation.
void rut_instances_move(rutInstances* set);

// Shorten rays to the instances that they hit. A mesh is hit on both sides of its triangles; a
// solid is not hit from inside. Of equally near hits the one with the smaller instance, then with
// the smaller triangle counts. May run in parallel.
void rut_instances_cast(const rutInstances* set, const rutRayBatch* rays, const rutRayResult* out);
// The same but for the instances of one owner.
void rut_instances_cast_past(const rutInstances* set, int owner, const rutRayBatch* rays,
                             const rutRayResult* out);

#endif  // RUT_GEOM_INSTANCES_H
