// SPDX-License-Identifier: BSD-3-Clause
//
// From <occupancy_grid> to occupied cells.
#include <string.h>

#include "format/gridmap.h"
#include "sim/draft.h"

static void read_grid(rutDraft* draft, rutNode node) {
  const rutSpec* spec = draft->spec;
  rutGridOptions options = {.resolution = rut_node_number(spec, node, "resolution"),
                            .center_x = -1, .center_y = -1};
  int n = 0;
  const double* center = rut_node_numbers(spec, node, "center_pixel", &n);
  if (n == 2) {
    options.center_x = center[0];
    options.center_y = center[1];
  }
  rutGridMap map = {0};
  rutStatus status = rut_grid_load(rut_node_text(spec, node, "file"), options,
                                   rut_node_place_of(spec, node, "file"), draft->reporter, &map);
  if (status != RUT_OK) return;

  rutDraftGrid* g = rut_draft_push(draft, &draft->grid);
  void* block =
      g ? rut_context_alloc(draft->context, rut_occupancy_bytes(map.nx, map.ny), 64) : NULL;
  if (block) {
    g->block = block;
    rut_occupancy_init(&g->grid, map.nx, map.ny, map.resolution, map.origin, block);
    memcpy(g->grid.cell, map.cell, (size_t)map.nx * (size_t)map.ny);
    rut_occupancy_build(&g->grid);
    g->friction = rut_node_number(spec, node, "friction");
    g->restitution = rut_node_number(spec, node, "restitution");
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
    read_grid(draft, node);
  }
}
