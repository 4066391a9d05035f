// SPDX-License-Identifier: BSD-3-Clause
//
// What the chassis leaves in ground that keeps ruts: each block of cells that it stands in is
// pressed to the depth of the chassis there.
#include "math/quat.h"
#include "vehicle/hull_soil.h"

typedef struct Footprint {
  const rutEnvironment* world;
  rutSoftGround* soft;
  int32_t block;
  double side;  // of the plate [m]
} Footprint;

rutHullCells rut_hull_cells(const rutEnvironment* world, double spacing) {
  const double cell = world->soft->def.cell;
  const double times = rut_clamp(rut_floor(spacing / cell + 0.5), 1, 1024);
  const double side = times * cell;
  return (rutHullCells){{world->ground, world->lift, side, {0.5 * side, 0.5 * side}},
                        (int32_t)times};
}

// Of one place; rut_soft_stamp counts from the untouched surface.
static void stamp(const Footprint* footprint, const rutSoilRecord* soil,
                  const rutSoilPlaces* places, const rutOverlap* o) {
  const rutSoftBlock block = rut_soft_block(footprint->soft, footprint->block, o->at.x, o->at.y);
  double dug, pressed, number[9], rut;
  rut_soft_mean(footprint->soft, block, &dug, &pressed);
  const double depth = o->sunk - dug;
  if (!(depth > pressed)) return;
  const rutPlateIn in = {&depth, footprint->side, places, NULL};
  const rutPlateOut out = {&number[0], &number[1], &number[2], &number[3], &number[4],
                           &number[5], &number[6], &number[7], &number[8], &rut};
  soil->type->plate(soil->param, soil->derived, 1, &in, &out);
  rut_soft_stamp(footprint->soft, block, o->sunk, rut + dug);
}

static void stamp_all(void* to, int n, const rutOverlap* overlap) {
  const Footprint* footprint = to;
  const rutGround* ground = footprint->world->ground;
  for (int i = 0; i < n; i++) {
    const rutVec3 at = overlap[i].at;
    double strength, friction, moisture, soft_depth;
    int soil;
    if (!(overlap[i].sunk > 0)) continue;
    rut_ground_material(ground, &(rutGroundPoints){1, &at.x, &at.y}, &at.z,
                        &(rutGroundMaterial){&soil, &strength, &friction, &moisture, &soft_depth});
    const rutSoilRecord* record = &footprint->world->soil[soil];
    const rutSoilPlaces places = {&strength, &moisture, &soft_depth};
    if (record->type->plate) {
      stamp(footprint, record, ground->regions || ground->maps ? &places : NULL, &overlap[i]);
    }
  }
}

void rut_hull_print(const rutEnvironment* world, const rutVehicleBatch* batch, int lane,
                    rutSoftGround* soft) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes, rows = RUT_HULL_PATCHES * RUT_HULL_HELD;
  const double *held = RUT_SPATIAL_STATE(batch, hull) + lane, *q = RUT_STATE(batch, q) + lane;
  for (int i = 0; i < vehicle->hull; i++) {
    // patches of soil are the last ones, and remember the side of their plate
    const double side = held[(i * rows + (RUT_HULL_PATCHES - 1) * RUT_HULL_HELD + 4) * lanes];
    if (!(side > 0)) continue;
    const rutMat3 axes =
        rut_quat_matrix(rut_quat(q[3 * lanes], q[4 * lanes], q[5 * lanes], q[6 * lanes]));
    const rutHullCells cells = rut_hull_cells(world, vehicle->hull_spacing);
    Footprint footprint = {world, soft, cells.side, rut_max(side, cells.columns.spacing)};
    rutPlacedPiece placed;
    rut_piece_place(&vehicle->hull_piece[i], &axes, rut_load_vec3(q, lanes, 0), &placed);
    rut_piece_meet_ground(&cells.columns, &placed, stamp_all, &footprint);
  }
}
