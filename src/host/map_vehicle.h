// SPDX-License-Identifier: BSD-3-Clause
//
// The vehicle of a map, as a world of a context.
#ifndef RUT_HOST_MAP_VEHICLE_H
#define RUT_HOST_MAP_VEHICLE_H

#include "host/map.h"

// Load the world of the vehicle, or one around a vehicle that is alone in its file. The caller owns
// *out. Errors: those of rut_spec_load. Nullable: err.
rutStatus rut_map_world(const rutMap* map, rutContext* context, rutSpec** out, rutError* err);
// Stand, weigh and accelerate it on hard level ground: fills map->vehicle. *hash gets that of its
// model. Errors: those of rut_track_open and rut_compile. Nullable: err.
rutStatus rut_map_look(rutMap* map, const rutSpec* world, uint64_t* hash, rutError* err);

#endif  // RUT_HOST_MAP_VEHICLE_H
