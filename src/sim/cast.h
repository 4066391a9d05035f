// SPDX-License-Identifier: BSD-3-Clause
//
// Rays cast at the present world.
#ifndef RUT_SIM_CAST_H
#define RUT_SIM_CAST_H

#include "sim/model.h"

// grid[n] (Nullable) tells hits on occupancy grids. memory has room for rut_cast_scratch bytes.
void rut_cast_rays(const rutModel* model, const rutData* data, const rutRays* rays,
                   const rutRayHits* hits, unsigned char* grid, void* memory);
size_t rut_cast_scratch(const rutModel* model, int rays);
// What is fixed in the world at places, as rutControlIn.look. Reads nothing that steps of vehicles
// change, so that it may run beside them.
void rut_cast_fixed(const rutData* data, const rutGroundPoints* at, double above, double* ground,
                    double* top);
// As rut_ground_images, in a world that has some.
void rut_cast_ground_images(const rutModel* model, const rutData* data, const rutGroundPoints* at,
                            double across, double (*colour)[3]);

#endif  // RUT_SIM_CAST_H
