// SPDX-License-Identifier: BSD-3-Clause
//
// A* (Hart, Nilsson, Raphael, IEEE Trans. SSC 4(2), 1968) over eight neighbours in whole numbers,
// and Theta* (Daniel, Nash, Koenig, Felner, JAIR 39, 2010) in doubles.
//
// Theta* here opens a closed cell again when a shorter way to it is found. A* has an argument that
// then holds for it: of any way over neighbours, some cell is always open with no more than that
// way's length up to it, since a cell is left either straight from the parent or by the step
// itself, whichever is shorter. So the way is never longer than that of A*.
#include <stdlib.h>

#include "base/arena.h"
#include "base/heap.h"
#include "base/report.h"
#include "math/rut_math.h"
#include "plan/grid.h"

typedef struct Node {
  union {
    int64_t cost;   // from the start [1/1000]
    double length;  // Theta*: the same in cells
  } g;
  int32_t parent;
  uint32_t round;  // of searches, in which it was reached last
  bool closed;     // has been, in this round
} Node;

struct rutPlanSearch {
  int cells;       // room
  uint32_t round;  // of this search, from 1
  Node* node;      // [cells]
  int* way;        // [cells]
  rutHeap heap;
};

static void lay_out(rutPlanSearch* s, rutArena* arena) {
  s->node = RUT_TAKE(arena, Node, s->cells);
  s->way = RUT_TAKE(arena, int, s->cells);
  s->heap.entry = RUT_TAKE(arena, rutHeapEntry, s->cells);
  s->heap.place = RUT_TAKE(arena, int32_t, s->cells);
}

size_t rut_plan_search_bytes(int cells) {
  if (cells < 1 || cells > RUT_PLAN_MOST_CELLS) return 0;
  rutPlanSearch measure = {.cells = cells};
  rutArena arena = {.used = sizeof measure};
  lay_out(&measure, &arena);
  return arena.used < PTRDIFF_MAX ? arena.used : 0;
}

rutPlanSearch* rut_plan_search_in(int cells, void* memory) {
  rutPlanSearch* s = memory;
  rutArena arena = {memory, sizeof *s, rut_plan_search_bytes(cells)};
  s->cells = cells;
  lay_out(s, &arena);
  return s;
}

rutStatus rut_plan_search_create(int cells, rutPlanSearch** out, rutError* err) {
  *out = NULL;
  if (cells < 1 || cells > RUT_PLAN_MOST_CELLS) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a search has 1 to %d cells, not %d",
                         RUT_PLAN_MOST_CELLS, cells);
  }
  const size_t bytes = rut_plan_search_bytes(cells);
  void* memory = bytes > 0 ? calloc(1, bytes) : NULL;
  if (!memory) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for %d cells", cells);
  *out = rut_plan_search_in(cells, memory);
  return RUT_OK;
}

void rut_plan_search_destroy(rutPlanSearch* search) { free(search); }

static void begin_round(rutPlanSearch* s) {
  rut_heap_clear(&s->heap);
  if (++s->round > 0) return;
  // the count has gone round: nodes of old searches could be taken for those of this one
  for (int i = 0; i < s->cells; i++) s->node[i].round = 0;
  s->round = 1;
}

// ---- A* ----

typedef struct Task {
  const rutPlanGrid* grid;
  rutPlanMethod method;
  int from, to;
} Task;

// Of equal sums the cell furthest from the start comes first, which looks at fewer of them.
static void open_cell(rutPlanSearch* s, const Task* t, int cell, int parent, int64_t cost) {
  Node* n = &s->node[cell];
  n->g.cost = cost;
  n->parent = parent;
  n->round = s->round;
  n->closed = false;
  const int64_t rest = t->method == RUT_PLAN_A_STAR ? rut_grid_octile(t->grid, cell, t->to) : 0;
  rut_heap_put(&s->heap, cell, (rutHeapKey){cost + rest, -cost});
}

static int search_steps(rutPlanSearch* s, const Task* t) {
  int closed = 0;
  open_cell(s, t, t->from, -1, 0);
  while (s->heap.count > 0) {
    const int cell = rut_heap_take(&s->heap).item;
    s->node[cell].closed = true;
    closed++;
    if (cell == t->to) break;
    for (int k = 0; k < RUT_GRID_NEIGHBOURS; k++) {
      const int to = rut_grid_next(t->grid, cell, k);
      if (to < 0) continue;
      const Node* n = &s->node[to];
      const int64_t cost = s->node[cell].g.cost + rut_grid_step_cost(t->grid, cell, to, k);
      // the heuristic is consistent: closed cells are settled
      if (n->round == s->round && (n->closed || n->g.cost <= cost)) continue;
      open_cell(s, t, to, cell, cost);
    }
  }
  return closed;
}

// ---- Theta* ----

static void open_corner(rutPlanSearch* s, const Task* t, int cell, int parent, double length) {
  Node* n = &s->node[cell];
  if (n->round != s->round) n->closed = false;
  n->g.length = length;
  n->parent = parent;
  n->round = s->round;
  const double sum = length + rut_grid_euclid(t->grid, cell, t->to);
  // bits of positive doubles are ordered as they are
  rut_heap_put(&s->heap, cell, (rutHeapKey){(int64_t)rut_bits(sum), -(int64_t)rut_bits(length)});
}

static void expand_lines(rutPlanSearch* s, const Task* t, int cell) {
  const int parent = s->node[cell].parent;
  for (int k = 0; k < RUT_GRID_NEIGHBOURS; k++) {
    const int to = rut_grid_next(t->grid, cell, k);
    if (to < 0) continue;
    const double step = rut_grid_line_cost(t->grid, cell, to);
    const double by_step = s->node[cell].g.length + step;
    double straight = RUT_INFINITY;
    if (parent >= 0) {
      straight = s->node[parent].g.length + rut_grid_line_cost(t->grid, parent, to);
    }
    const bool skip = straight <= by_step;
    const double length = skip ? straight : by_step;
    if (s->node[to].round == s->round && s->node[to].g.length <= length) continue;
    open_corner(s, t, to, skip ? parent : cell, length);
  }
}

static int search_lines(rutPlanSearch* s, const Task* t) {
  int closed = 0;
  open_corner(s, t, t->from, -1, 0);
  while (s->heap.count > 0) {
    const int cell = rut_heap_take(&s->heap).item;
    closed += !s->node[cell].closed;
    s->node[cell].closed = true;
    if (cell == t->to) break;
    expand_lines(s, t, cell);
  }
  return closed;
}

// ---- the way ----

static void trace(rutPlanSearch* s, const Task* t, rutPlanWay* out) {
  const Node* goal = &s->node[t->to];
  out->found = goal->round == s->round && goal->closed;
  if (!out->found) return;
  int cells = 0;
  for (int c = t->to; c >= 0; c = s->node[c].parent) cells++;
  int at = cells;
  for (int c = t->to; c >= 0; c = s->node[c].parent) s->way[--at] = c;
  out->cells = cells;
  out->cell = s->way;
  for (int i = 1; i < cells; i++) out->length += rut_grid_euclid(t->grid, s->way[i - 1], s->way[i]);
  out->cost =
      t->method == RUT_PLAN_THETA ? (int64_t)rut_floor(1000 * goal->g.length + 0.5) : goal->g.cost;
}

rutStatus rut_plan_search(rutPlanSearch* search, const rutPlanGrid* grid, rutPlanMethod method,
                          const int from_to[2], rutPlanWay* out, rutError* err) {
  *out = (rutPlanWay){.found = false};
  const rutStatus status = rut_grid_check(grid, search->cells, from_to, err);
  if (status != RUT_OK) return status;
  const Task task = {grid, method, from_to[0], from_to[1]};
  if (grid->cost[task.from] == 0 || grid->cost[task.to] == 0) return RUT_OK;
  begin_round(search);
  out->closed =
      method == RUT_PLAN_THETA ? search_lines(search, &task) : search_steps(search, &task);
  trace(search, &task, out);
  return RUT_OK;
}
