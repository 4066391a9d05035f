// SPDX-License-Identifier: BSD-3-Clause
//
// D* Lite (Koenig and Likhachev, AAAI 2002), from the goal to a start that moves. Each cell has its
// distance to the goal g, and what its neighbours say of it, rhs; the queue has those where both
// differ.
//
// The search goes on until no cell of the queue could be on a way of least cost, also where the
// start is settled already: then g is right on all such ways, and the way that is read off it does
// not depend on what was searched before.
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/heap.h"
#include "base/report.h"
#include "plan/grid.h"

static const int64_t FAR = INT64_MAX / 4;

struct rutPlanUpdate {
  int cells;         // room
  rutPlanGrid grid;  // of the own costs; no cells before it begins
  uint16_t* cost;    // [cells]
  int64_t *g, *rhs;  // [cells] to the goal [1/1000]
  int* way;          // [cells]
  rutHeap heap;
  int start, goal, last;  // start; for which keys were made last
  int64_t moved;          // k_m: bound by which the moves of the start have lowered keys
};

static void lay_out(rutPlanUpdate* u, rutArena* arena) {
  u->cost = RUT_TAKE(arena, uint16_t, u->cells);
  u->g = RUT_TAKE(arena, int64_t, u->cells);
  u->rhs = RUT_TAKE(arena, int64_t, u->cells);
  u->way = RUT_TAKE(arena, int, u->cells);
  u->heap.entry = RUT_TAKE(arena, rutHeapEntry, u->cells);
  u->heap.place = RUT_TAKE(arena, int32_t, u->cells);
}

rutStatus rut_plan_update_create(int cells, rutPlanUpdate** out, rutError* err) {
  *out = NULL;
  if (cells < 1 || cells > RUT_PLAN_MOST_CELLS) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a search has 1 to %d cells, not %d",
                         RUT_PLAN_MOST_CELLS, cells);
  }
  rutPlanUpdate measure = {.cells = cells};
  rutArena arena = {.used = sizeof measure};
  lay_out(&measure, &arena);
  rutPlanUpdate* u = arena.used < PTRDIFF_MAX ? calloc(1, arena.used) : NULL;
  if (!u) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for %d cells", cells);
  arena = (rutArena){(unsigned char*)u, sizeof *u, arena.used};
  u->cells = cells;
  lay_out(u, &arena);
  *out = u;
  return RUT_OK;
}

void rut_plan_update_destroy(rutPlanUpdate* update) { free(update); }

static rutHeapKey key_of(const rutPlanUpdate* u, int cell) {
  const int64_t least = u->g[cell] < u->rhs[cell] ? u->g[cell] : u->rhs[cell];
  if (least >= FAR) return (rutHeapKey){FAR, FAR};
  return (rutHeapKey){least + rut_grid_octile(&u->grid, u->start, cell) + u->moved, least};
}

// What the neighbours say: the least of a step and their distance.
static int64_t look_around(const rutPlanUpdate* u, int cell) {
  int64_t least = FAR;
  for (int k = 0; k < RUT_GRID_NEIGHBOURS; k++) {
    const int to = rut_grid_next(&u->grid, cell, k);
    if (to < 0 || u->g[to] >= FAR) continue;
    const int64_t cost = u->g[to] + rut_grid_step_cost(&u->grid, cell, to, k);
    if (cost < least) least = cost;
  }
  return least;
}

static void queue(rutPlanUpdate* u, int cell) {
  if (u->g[cell] == u->rhs[cell]) {
    rut_heap_remove(&u->heap, cell);
  } else {
    rut_heap_put(&u->heap, cell, key_of(u, cell));
  }
}

rutStatus rut_plan_update_begin(rutPlanUpdate* u, const rutPlanGrid* grid, const int from_to[2],
                                rutError* err) {
  const rutStatus status = rut_grid_check(grid, u->cells, from_to, err);
  if (status != RUT_OK) return status;
  const int cells = rut_grid_cells(grid);
  rut_heap_clear(&u->heap);
  u->grid = *grid;
  u->grid.cost = u->cost;
  memcpy(u->cost, grid->cost, (size_t)cells * sizeof *u->cost);
  for (int i = 0; i < cells; i++) u->g[i] = u->rhs[i] = FAR;
  u->start = u->last = from_to[0];
  u->goal = from_to[1];
  u->moved = 0;
  u->rhs[u->goal] = 0;
  queue(u, u->goal);
  return RUT_OK;
}

// Keys that were made for the last start stay lower bounds.
static void settle_start(rutPlanUpdate* u) {
  u->moved += rut_grid_octile(&u->grid, u->last, u->start);
  u->last = u->start;
}

void rut_plan_update_start(rutPlanUpdate* u, int cell) {
  if (cell >= 0 && cell < rut_grid_cells(&u->grid)) u->start = cell;
}

void rut_plan_update_cost(rutPlanUpdate* u, int cell, uint16_t cost) {
  if (cell < 0 || cell >= rut_grid_cells(&u->grid) || u->cost[cell] == cost) return;
  settle_start(u);
  u->cost[cell] = cost;
  // steps of the cell and its neighbours, those past its corners too, are between these nine
  const int x = cell % u->grid.width, y = cell / u->grid.width;
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      const int near = cell + dy * u->grid.width + dx;
      if (!rut_grid_has(&u->grid, x + dx, y + dy) || near == u->goal) continue;
      u->rhs[near] = look_around(u, near);
      queue(u, near);
    }
  }
}

static void lower(rutPlanUpdate* u, int cell) {
  u->g[cell] = u->rhs[cell];
  rut_heap_remove(&u->heap, cell);
  for (int k = 0; k < RUT_GRID_NEIGHBOURS; k++) {
    const int to = rut_grid_next(&u->grid, cell, k);
    if (to < 0 || to == u->goal) continue;
    const int64_t cost = u->g[cell] + rut_grid_step_cost(&u->grid, cell, to, k);
    if (cost >= u->rhs[to]) continue;
    u->rhs[to] = cost;
    queue(u, to);
  }
}

static void raise(rutPlanUpdate* u, int cell) {
  const int64_t before = u->g[cell];
  u->g[cell] = FAR;
  queue(u, cell);
  for (int k = 0; k < RUT_GRID_NEIGHBOURS; k++) {
    const int to = rut_grid_next(&u->grid, cell, k);
    if (to < 0 || to == u->goal) continue;
    // only where it came from this cell
    if (u->rhs[to] != before + rut_grid_step_cost(&u->grid, cell, to, k)) continue;
    u->rhs[to] = look_around(u, to);
    queue(u, to);
  }
}

static int settle(rutPlanUpdate* u) {
  int looked = 0;
  while (u->heap.count > 0) {
    const rutHeapEntry top = u->heap.entry[0];
    const bool settled = u->g[u->start] == u->rhs[u->start];
    if (settled && top.key.first > key_of(u, u->start).first) break;
    const rutHeapKey key = key_of(u, top.item);
    if (rut_heap_key_before(top.key, key)) {
      rut_heap_put(&u->heap, top.item, key);
    } else if (u->g[top.item] > u->rhs[top.item]) {
      lower(u, top.item);
      looked++;
    } else {
      raise(u, top.item);
      looked++;
    }
  }
  return looked;
}

static int next_of(const rutPlanUpdate* u, int cell) {
  for (int k = 0; k < RUT_GRID_NEIGHBOURS; k++) {
    const int to = rut_grid_next(&u->grid, cell, k);
    if (to < 0 || u->g[to] >= FAR) continue;
    if (u->g[to] + rut_grid_step_cost(&u->grid, cell, to, k) == u->g[cell]) return to;
  }
  return -1;
}

static void trace(rutPlanUpdate* u, rutPlanWay* out) {
  out->found = true;
  out->cost = u->g[u->start];
  out->cell = u->way;
  for (int cell = u->start; cell >= 0; cell = cell == u->goal ? -1 : next_of(u, cell)) {
    if (out->cells > 0) {
      out->length += rut_grid_euclid(&u->grid, u->way[out->cells - 1], cell);
    }
    u->way[out->cells++] = cell;
  }
}

void rut_plan_update_find(rutPlanUpdate* u, rutPlanWay* out) {
  *out = (rutPlanWay){.found = false};
  if (u->grid.width == 0 || u->cost[u->start] == 0 || u->cost[u->goal] == 0) return;
  settle_start(u);
  out->closed = settle(u);
  if (u->g[u->start] < FAR) {
    trace(u, out);
    return;
  }
  out->closed = 0;
  for (int i = 0; i < rut_grid_cells(&u->grid); i++) out->closed += u->g[i] < FAR;
}
