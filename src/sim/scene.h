// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes and solids that rays of sensors hit besides ground, prisms and grids: wheels, links,
// bodies of mechanisms, and what files and components draw. Those that do not move are built with
// the model; the others are put in their places at the first ray of an instant.
#ifndef RUT_SIM_SCENE_H
#define RUT_SIM_SCENE_H

#include "sim/model.h"

// Memory of the moving ones in a data; NULL while measuring, and where nothing moves.
rutScene* rut_scene_take(const rutModel* model, rutArena* arena);
// Bodies have moved, or may have: the next ray finds them anew. Not while rays are cast.
void rut_scene_forget(const rutData* data);
// Shorten rays to the meshes and solids that they hit, those that move if `moving`, but for those
// of a vehicle (-1: of none). Targets are RUT_RAY_BODY with indices of visuals. May run in
// parallel.
void rut_scene_cast(const rutModel* model, const rutData* data, bool moving, int skip_vehicle,
                    const rutRayBatch* rays, const rutRayResult* out);
// True if a level plane at this height [m] can meet one of them; likewise.
bool rut_scene_crosses(const rutModel* model, const rutData* data, bool moving, double z);

// From the own frame of a visual that moves to the world, [row][4], as rays meet it at present.
void rut_scene_pose(const rutModel* model, const rutData* data, int visual, double frame[12]);

// Widen low and high, along axes in the world (columns of a matrix by rows), to the meshes and
// solids of an instance.
void rut_scene_reach(const rutModel* model, const rutData* data, int instance, const double axes[9],
                     double low[3], double high[3]);

#endif  // RUT_SIM_SCENE_H
