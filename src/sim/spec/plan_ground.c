// SPDX-License-Identifier: BSD-3-Clause
//
// Occupancy grids as ground to plan on.
#include <errno.h>
#include <stdlib.h>

#include "base/access.h"
#include "format/gridmap.h"
#include "geom/occupancy.h"
#include "rut/plan.h"
#include "sim/spec/context.h"

void rut_plan_ground_free(rutPlanGround* ground) {
  free((void*)ground->grid.cost);
  *ground = (rutPlanGround){.resolution = 0};
}

static rutStatus load(rutContext* context, const char* path, double resolution, rutGridMap* out) {
  rutReporter* reporter = &context->reporter;
  rut_reporter_reset(reporter);
  // as a world: a map names an image, which stands in its folder
  rutAccess access = {.up = &context->access, .inputs = &context->inputs};
  if (rut_access_add_world(&access, path) == ENOMEM) {
    rut_access_free(&access);
    return rut_report_error(reporter, RUT_ERR_MEMORY, (rutPlace){path, 0, 0}, "", "",
                            "no memory for a map");
  }
  const rutGridOptions options = {.resolution = resolution};
  reporter->access = &access;
  const rutStatus status = rut_grid_load(path, options, (rutPlace){path, 0, 0}, reporter, out);
  reporter->access = NULL;
  rut_access_free(&access);
  return status;
}

rutStatus rut_plan_ground_read(rutContext* context, const char* path, const rutPlanReading* reading,
                               rutPlanGround* out, rutError* err) {
  *out = (rutPlanGround){.resolution = 0};
  rutGridMap map;
  const rutStatus status = load(context, path, reading->resolution, &map);
  if (status != RUT_OK) {
    if (err) *err = context->reporter.first;
    return status;
  }
  const size_t cells = (size_t)map.nx * (size_t)map.ny;
  uint16_t* cost = malloc(cells * sizeof *cost);
  for (size_t i = 0; cost && i < cells; i++) {
    cost[i] =
        map.cell[i] == RUT_CELL_UNKNOWN ? reading->unknown_cost : map.cell[i] == RUT_CELL_FREE;
  }
  *out = (rutPlanGround){.grid = {.width = map.nx, .height = map.ny, .cost = cost},
                         .resolution = map.resolution,
                         .origin = {map.origin[0], map.origin[1]}};
  rut_gridmap_free(&map);
  return cost ? RUT_OK : rut_error_set(err, RUT_ERR_MEMORY, "no memory for a ground");
}
