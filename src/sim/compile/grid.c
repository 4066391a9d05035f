// SPDX-License-Identifier: BSD-3-Clause
//
// From <occupancy_grid> to occupied cells.
#include "sim/compile/grid.h"

#include <string.h>

#include "format/gridmap.h"
#include "math/rut_math.h"
#include "sim/compile/material.h"
#include "sim/compile/read.h"

// Values that no arithmetic can be done with, and sizes that no memory should hold.
static rutStatus check_map(rutDraft* draft, rutNode node, const rutGridMap* map) {
  draft->cells += (size_t)map->nx * (size_t)map->ny;
  if (draft->cells > RUT_MAX_CELLS) {
    return rut_node_error(draft->spec, node, "file", RUT_ERR_MODEL, "",
                          "the occupancy grids of this world have more than %d cells",
                          RUT_MAX_CELLS);
  }
  const double far = rut_max(rut_abs(map->origin[0]), rut_abs(map->origin[1]));
  if (map->resolution >= 1e-6 && map->resolution <= 1e6 && far <= 1e9) return RUT_OK;
  return rut_node_error(draft->spec, node, "file", RUT_ERR_MODEL, "",
                        "the map's cells of %g m, from (%g, %g) m, are out of range: 1e-6 m to 1e6 "
                        "m, within 1e9 m",
                        map->resolution, map->origin[0], map->origin[1]);
}

static void read_grid(rutDraft* draft, rutNode node) {
  const rutSpec* spec = draft->spec;
  const char* file = rut_node_text(spec, node, "file");
  if (!file[0]) return;  // which was reported already
  rutGridOptions options = {
      .resolution = rut_node_number(spec, node, "resolution"), .center_x = -1, .center_y = -1};
  int n = 0;
  const double* center = rut_node_numbers(spec, node, "center_pixel", &n);
  if (n == 2) {
    options.center_x = center[0];
    options.center_y = center[1];
  }
  rutGridMap map = {0};
  rutStatus status =
      rut_grid_load(file, options, rut_node_place_of(spec, node, "file"), draft->reporter, &map);
  if (status == RUT_OK) status = check_map(draft, node, &map);
  if (status != RUT_OK) {
    rut_gridmap_free(&map);
    rut_draft_map_failed(draft, node, "file", status);
    return;
  }
  rutDraftGrid* g = rut_draft_push(draft, &draft->grid);
  void* block =
      g ? rut_context_alloc(draft->context, rut_occupancy_bytes(map.nx, map.ny), 64) : NULL;
  if (block) {
    g->block = block;
    rut_occupancy_init(&g->grid, map.nx, map.ny, map.resolution, map.origin, block);
    memcpy(g->grid.cell, map.cell, (size_t)map.nx * (size_t)map.ny);
    g->friction = rut_node_number(spec, node, "friction");
    g->restitution = rut_node_number(spec, node, "restitution");
    g->surface = (rutSurface){rut_draft_instance(draft, node),
                              rut_draft_material(draft, node, RUT_MATERIAL_WALL)};
    g->solid = rut_node_number(spec, node, "solid") != 0;
  } else {
    rut_node_error(spec, node, NULL, RUT_ERR_MEMORY, "", "out of memory");
    if (g) draft->grid.n--;
  }
  rut_gridmap_free(&map);
}

void rut_draft_grids(rutDraft* draft) {
  for (rutNode node = rut_node_first(draft->spec, rut_spec_root(draft->spec), "occupancy_grid");
       !rut_node_is_null(node); node = rut_node_next(draft->spec, node, "occupancy_grid")) {
    // decoding takes time: after several faults, or the one that all are too large, it is enough
    if (draft->reporter->errors >= RUT_MAX_FILE_ERRORS || draft->cells > RUT_MAX_CELLS) return;
    read_grid(draft, node);
  }
  // the tables for rays take longer than the reading: only for a world that will be used
  for (int i = 0; i < draft->grid.n && !draft->reporter->errors; i++) {
    rut_occupancy_build(&((rutDraftGrid*)rut_list_at(&draft->grid, i))->grid);
  }
}
