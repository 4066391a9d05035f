// SPDX-License-Identifier: BSD-3-Clause
//
// Roads of an OpenDRIVE file. The file is read where worlds are compiled; its surface is the plan.
#include "geom/road_surface.h"
#include "rut/component.h"

static const rutField fields[] = {
    RUT_TERRAIN_ROWS_WITH(2){"file", "file", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_REQUIRED,
                             "road network (.xodr)"},
    {"roads", "", RUT_TEXT, 1, 0, 0, 0, "", 0, "ids of the roads that are taken; default: all"},
    {"margin", "m", RUT_REAL, 1, 3, 0.01, 1000, "", 0,
     "beside lanes and beyond ends, over which the road goes over into the ground before it"}};

static void covering(const void* param, const void* plan, const rutGroundPoints* at,
                     const rutGroundSurface* out, const rutGroundSurface* share) {
  (void)param;
  rut_road_plan_surface(plan, at, out, share);
}

static void bounds(const void* param, const void* plan, const double box[4],
                   rutTerrainBounds* out) {
  (void)param;
  rut_road_plan_bounds(plan, box, out);
}

static double share_slope(const void* param, const void* plan, const double box[4]) {
  rutTerrainBounds b;
  (void)param;
  return rut_road_plan_bounds(plan, box, &b);
}

const rutTerrainType rut_terrain_opendrive = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTerrainType),
             .kind = "terrain",
             .name = "opendrive",
             .parents = "world",
             .doc = "Roads of an OpenDRIVE file: elevation, superelevation, lateral profile, lanes "
                    "and their heights, by the file's own formulas. Where roads lie above each "
                    "other the ground is the highest.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .covering = covering,
    .bounds = bounds,
    .share_slope = share_slope};
