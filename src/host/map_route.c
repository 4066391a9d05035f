// SPDX-License-Identifier: BSD-3-Clause
//
// Routes of least time by Dijkstra's algorithm over the eight neighbours of a cell.
#include <stdint.h>
#include <stdlib.h>

#include "base/report.h"
#include "host/map.h"
#include "math/rut_math.h"

// Row and column of the neighbour in each heading.
static const int step[RUT_MAP_HEADINGS][2] = {{0, 1},  {-1, 1}, {-1, 0}, {-1, -1},
                                              {0, -1}, {1, -1}, {1, 0},  {1, 1}};
static const double ROOT2 = 1.4142135623730951;

typedef struct Entry {
  double time;
  int64_t cell;
} Entry;

typedef struct Search {
  const rutMap* map;
  rutMapWay way;
  double probability;
  int rows, cols;
  double* time;                      // [cell], infinite if not reached
  float (*speed)[RUT_MAP_HEADINGS];  // [cell], negative if not computed
  unsigned char* from;               // [cell] heading of the last step; 8 at the start
  unsigned char* done;               // [cell]
  Entry* heap;                       // the least time first
  size_t entries, capacity;
} Search;

bool rut_map_find(const rutMap* map, double x, double y, int cell[2]) {
  const rutGeoGrid* g = &map->dem;
  const double col = rut_floor((x - g->corner[0]) / g->spacing + 0.5);
  const double up = rut_floor((y - g->corner[1]) / g->spacing + 0.5);
  if (!(col >= 0 && col < g->cols && up >= 0 && up < g->rows)) return false;
  cell[0] = g->rows - 1 - (int)up;
  cell[1] = (int)col;
  return true;
}

// ---- the heap ----

static bool before(const Entry* a, const Entry* b) {
  return a->time != b->time ? a->time < b->time : a->cell < b->cell;
}

static bool push(Search* s, Entry e) {
  if (s->entries == s->capacity) {
    const size_t capacity = 2 * s->capacity + 1024;
    Entry* grown = realloc(s->heap, capacity * sizeof *grown);
    if (!grown) return false;
    s->heap = grown;
    s->capacity = capacity;
  }
  size_t i = s->entries++;
  for (; i > 0 && before(&e, &s->heap[(i - 1) / 2]); i = (i - 1) / 2) {
    s->heap[i] = s->heap[(i - 1) / 2];
  }
  s->heap[i] = e;
  return true;
}

static Entry pop(Search* s) {
  const Entry first = s->heap[0], last = s->heap[--s->entries];
  size_t i = 0;
  for (;;) {
    size_t child = 2 * i + 1;
    if (child >= s->entries) break;
    if (child + 1 < s->entries && before(&s->heap[child + 1], &s->heap[child])) child++;
    if (!before(&s->heap[child], &last)) break;
    s->heap[i] = s->heap[child];
    i = child;
  }
  s->heap[i] = last;
  return first;
}

// ---- the search ----

static const float* speeds_of(Search* s, int64_t cell) {
  float* speed = s->speed[cell];
  if (speed[0] >= 0) return speed;
  rutMapLimit limit[RUT_MAP_HEADINGS];
  rut_map_cell(s->map, s->way, s->probability, (int)(cell / s->cols), (int)(cell % s->cols), limit);
  for (int k = 0; k < RUT_MAP_HEADINGS; k++) speed[k] = (float)limit[k].speed;
  return speed;
}

static double length_of(const Search* s, int heading) {
  return s->map->dem.spacing * (heading % 2 ? ROOT2 : 1);
}

static bool expand(Search* s, int64_t cell) {
  const int row = (int)(cell / s->cols), col = (int)(cell % s->cols);
  for (int k = 0; k < RUT_MAP_HEADINGS; k++) {
    const int r = row + step[k][0], c = col + step[k][1];
    if (r < 0 || r >= s->rows || c < 0 || c >= s->cols) continue;
    const int64_t to = (int64_t)r * s->cols + c;
    const double leaves = (double)speeds_of(s, cell)[k], enters = (double)speeds_of(s, to)[k];
    if (!(leaves > 0 && enters > 0)) continue;
    const double time = s->time[cell] + 0.5 * length_of(s, k) * (1 / leaves + 1 / enters);
    if (time >= s->time[to]) continue;
    s->time[to] = time;
    s->from[to] = (unsigned char)k;
    if (!push(s, (Entry){time, to})) return false;
  }
  return true;
}

static bool search(Search* s, int64_t from, int64_t to) {
  s->time[from] = 0;
  s->from[from] = RUT_MAP_HEADINGS;
  if (!push(s, (Entry){0, from})) return false;
  while (s->entries > 0) {
    const Entry e = pop(s);
    if (s->done[e.cell]) continue;
    s->done[e.cell] = 1;
    if (e.cell == to) break;
    if (!expand(s, e.cell)) return false;
  }
  return true;
}

static int64_t previous(const Search* s, int64_t cell) {
  const int k = s->from[cell];
  return cell - step[k][0] * (int64_t)s->cols - step[k][1];
}

static bool trace(const Search* s, int64_t to, rutMapRoute* out) {
  int steps = 1;
  for (int64_t c = to; s->from[c] < RUT_MAP_HEADINGS; c = previous(s, c)) steps++;
  out->step = calloc((size_t)steps, sizeof *out->step);
  if (!out->step) return false;
  out->steps = steps;
  int64_t cell = to;
  for (int i = steps - 1; i >= 0; i--) {
    rutMapStep* at = &out->step[i];
    const int k = s->from[cell];
    const rutGeoGrid* g = &s->map->dem;
    at->row = (int)(cell / s->cols);
    at->col = (int)(cell % s->cols);
    at->x = g->corner[0] + at->col * g->spacing;
    at->y = g->corner[1] + (g->rows - 1 - at->row) * g->spacing;
    at->time = s->time[cell];
    if (k == RUT_MAP_HEADINGS) break;
    rutMapLimit limit[RUT_MAP_HEADINGS];
    rut_map_cell(s->map, s->way, s->probability, at->row, at->col, limit);
    at->limit = limit[k];
    cell = previous(s, cell);
  }
  for (int i = 1; i < steps; i++) {
    const bool aside =
        out->step[i].row != out->step[i - 1].row && out->step[i].col != out->step[i - 1].col;
    out->step[i].distance = out->step[i - 1].distance + length_of(s, aside);
  }
  out->distance = out->step[steps - 1].distance;
  out->time = out->step[steps - 1].time;
  return true;
}

static bool prepare(Search* s) {
  const size_t cells = (size_t)s->rows * (size_t)s->cols;
  s->time = malloc(cells * sizeof *s->time);
  s->speed = malloc(cells * sizeof *s->speed);
  s->from = calloc(cells, 1);
  s->done = calloc(cells, 1);
  if (!s->time || !s->speed || !s->from || !s->done) return false;
  for (size_t i = 0; i < cells; i++) {
    s->time[i] = RUT_INFINITY;
    s->speed[i][0] = -1;
  }
  return true;
}

rutStatus rut_map_route(const rutMap* map, const rutMapTrip* trip, rutMapRoute* out,
                        rutError* err) {
  *out = (rutMapRoute){0};
  Search s = {.map = map,
              .way = trip->way,
              .probability = trip->probability,
              .rows = map->dem.rows,
              .cols = map->dem.cols};
  const int *from = trip->from, *to = trip->to;
  const int* const ends[] = {from, to};
  for (int i = 0; i < 2; i++) {
    if (ends[i][0] >= 0 && ends[i][0] < s.rows && ends[i][1] >= 0 && ends[i][1] < s.cols) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "row %d, column %d is outside of the map of %d x %d cells", ends[i][0],
                         ends[i][1], s.rows, s.cols);
  }
  const int64_t goal = (int64_t)to[0] * s.cols + to[1];
  bool ok = prepare(&s) && search(&s, (int64_t)from[0] * s.cols + from[1], goal);
  if (ok && s.time[goal] < RUT_INFINITY) ok = trace(&s, goal, out);
  free(s.time);
  free(s.speed);
  free(s.from);
  free(s.done);
  free(s.heap);
  return ok ? RUT_OK : rut_error_set(err, RUT_ERR_MEMORY, "no memory for a route");
}

void rut_map_route_free(rutMapRoute* route) {
  free(route->step);
  *route = (rutMapRoute){0};
}
