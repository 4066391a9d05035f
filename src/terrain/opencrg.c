// SPDX-License-Identifier: BSD-3-Clause
//
// A road surface of an OpenCRG file. The file is read where worlds are compiled; its grid is the
// plan.
#include "geom/crg_plan.h"
#include "rut/component.h"

static const rutField fields[] = {
    RUT_TERRAIN_ROWS_WITH(2){"file", "file", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_REQUIRED,
                             "road surface (.crg)"},
    {"border", "", RUT_CHOICE, 1, 0, 0, 5, "file|none|zero|keep|repeat|reflect", 0,
     "how it goes on beyond its border; file: as the file says, or keep"},
    {"beyond", "m", RUT_REAL, 1, 5, 0, 1000, "", 0, "how far it goes on there"},
    {"margin", "m", RUT_REAL, 1, 1, 0.01, 1000, "", 0,
     "over which it goes over into the ground before it, behind that"}};

static void covering(const void* param, const void* plan, const rutGroundPoints* at,
                     const rutGroundSurface* out, const rutGroundSurface* share) {
  (void)param;
  rut_crg_surface(plan, at, out, share);
}

static void bounds(const void* param, const void* plan, const double box[4],
                   rutTerrainBounds* out) {
  (void)param;
  rut_crg_bounds(plan, box, out);
}

static double share_slope(const void* param, const void* plan, const double box[4]) {
  rutTerrainBounds b;
  (void)param;
  return rut_crg_bounds(plan, box, &b);
}

const rutTerrainType rut_terrain_opencrg = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTerrainType),
             .kind = "terrain",
             .name = "opencrg",
             .parents = "world",
             .doc = "A road surface of an OpenCRG file: a grid along a curved, sloped and banked "
                    "line, by the rules of OpenCRG. Holes show the ground before it.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .covering = covering,
    .bounds = bounds,
    .share_slope = share_slope};
