// SPDX-License-Identifier: BSD-3-Clause
//
// Routes of least time by Dijkstra's algorithm over sixteen neighbours of a cell: the eight around
// it, and the eight at a knight's move. A segment between two middles of cells takes its length in
// each cell that it passes through over the speed there in its heading.
//
// In the plane such ways are longer than straight ones by at most 1/cos(a/2), a = atan(1/2) being
// the largest angle between two headings: 2.75 %.
#include <stdint.h>
#include <stdlib.h>

#include "base/heap.h"
#include "base/report.h"
#include "host/map.h"
#include "math/rut_math.h"

enum { MOVES = 16, MOST_CELLS = 4 };
// Rows and columns to the neighbour in each heading of the map.
static const int step[RUT_MAP_HEADINGS][2] = {{0, 1},  {-1, 1}, {-1, 0}, {-1, -1},
                                              {0, -1}, {1, -1}, {1, 0},  {1, 1}};
static const double ROOT2 = 1.4142135623730951, ROOT5 = 2.23606797749979;
// Where a knight's move lies between a straight heading and a diagonal one: atan(1/2) of 45
// degrees.
static const double SHARE = 0.59033447060173318;

// From the middle of a cell to that of another one.
typedef struct Move {
  int step[2];
  int heading[2];             // straight and diagonal one that it lies between; the same twice
  double length;              // in cells
  int cells;                  // that it passes through, in equal parts, the first one being its own
  int cell[MOST_CELLS][2];    // rows and columns to each
  int touched, corner[2][2];  // cells of which it touches a corner
} Move;

typedef struct Search {
  const rutMap* map;
  rutMapWay way;
  double probability;
  int rows, cols;
  Move move[MOVES];                  // counter-clockwise from east
  double* time;                      // [cell], infinite if not reached
  float (*speed)[RUT_MAP_HEADINGS];  // [cell], negative if not computed
  unsigned char* from;               // [cell] last move; MOVES at the start
  unsigned char* done;               // [cell]
  rutHeap heap;                      // cells by the bits of their times, which order them
} Search;

bool rut_map_find(const rutMap* map, double x, double y, int cell[2]) {
  const rutGeoGrid* g = &map->dem;
  if (!rut_geo_grid_covers(g, x, y)) return false;
  // what is on the border belongs to the cell inside
  const double col = rut_floor((x - g->corner[0]) / g->spacing + 0.5);
  const double up = rut_floor((y - g->corner[1]) / g->spacing + 0.5);
  cell[0] = g->rows - 1 - (int)rut_clamp(up, 0, g->rows - 1);
  cell[1] = (int)rut_clamp(col, 0, g->cols - 1);
  return true;
}

// ---- moves ----

static void set_cell(int cell[2], int rows, int cols) {
  cell[0] = rows;
  cell[1] = cols;
}

static Move straight_or_diagonal(int heading) {
  const int rows = step[heading][0], cols = step[heading][1];
  const bool diagonal = heading % 2 != 0;
  Move m = {.step = {rows, cols},
            .heading = {heading, heading},
            .length = diagonal ? ROOT2 : 1,
            .cells = 2,
            .touched = diagonal ? 2 : 0};
  set_cell(m.cell[1], rows, cols);
  set_cell(m.corner[0], rows, 0);
  set_cell(m.corner[1], 0, cols);
  return m;
}

// One step straight and one diagonal, at once: a quarter of it is in each of four cells.
static Move knight(int straight, int diagonal) {
  const int *s = step[straight], *d = step[diagonal];
  Move m = {.step = {s[0] + d[0], s[1] + d[1]},
            .heading = {straight, diagonal},
            .length = ROOT5,
            .cells = 4};
  set_cell(m.cell[1], s[0], s[1]);
  set_cell(m.cell[2], d[0], d[1]);
  set_cell(m.cell[3], m.step[0], m.step[1]);
  return m;
}

static void make_moves(Move move[MOVES]) {
  for (int k = 0; k < RUT_MAP_HEADINGS; k++) {
    const int next = (k + 1) % RUT_MAP_HEADINGS;
    move[2 * k] = straight_or_diagonal(k);
    move[2 * k + 1] = k % 2 == 0 ? knight(k, next) : knight(next, k);
  }
}

// Speed of a move in a cell. A heading between two of which one is NO-GO is NO-GO.
static double speed_of(const Move* m, double straight, double diagonal) {
  if (m->heading[0] == m->heading[1]) return straight;
  return straight > 0 && diagonal > 0 ? (1 - SHARE) * straight + SHARE * diagonal : 0;
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

static double speed_in(Search* s, const Move* m, int64_t cell) {
  const float* speed = speeds_of(s, cell);
  return speed_of(m, (double)speed[m->heading[0]], (double)speed[m->heading[1]]);
}

static int64_t beside(const Search* s, int64_t cell, const int by[2]) {
  return cell + by[0] * (int64_t)s->cols + by[1];
}

// Time of a move from a cell, infinite if one of the cells that it passes through or touches is
// NO-GO: corners are not cut.
static double time_of(Search* s, int64_t cell, const Move* m) {
  double time = 0;
  const double part = s->map->spacing * m->length / m->cells;
  for (int i = 0; i < m->cells; i++) {
    const double speed = speed_in(s, m, beside(s, cell, m->cell[i]));
    if (!(speed > 0)) return RUT_INFINITY;
    time += part / speed;
  }
  for (int i = 0; i < m->touched; i++) {
    if (!(speed_in(s, m, beside(s, cell, m->corner[i])) > 0)) return RUT_INFINITY;
  }
  return time;
}

static void open_cell(Search* s, int64_t cell, double time, unsigned char move) {
  s->time[cell] = time;
  s->from[cell] = move;
  rut_heap_put(&s->heap, (int32_t)cell, (rutHeapKey){(int64_t)rut_bits(time), 0});
}

static void expand(Search* s, int64_t cell) {
  const int row = (int)(cell / s->cols), col = (int)(cell % s->cols);
  for (int k = 0; k < MOVES; k++) {
    const Move* m = &s->move[k];
    const int r = row + m->step[0], c = col + m->step[1];
    if (r < 0 || r >= s->rows || c < 0 || c >= s->cols) continue;
    const int64_t to = beside(s, cell, m->step);
    if (s->done[to]) continue;
    const double time = s->time[cell] + time_of(s, cell, m);
    if (time >= s->time[to]) continue;
    open_cell(s, to, time, (unsigned char)k);
  }
}

static void search(Search* s, int64_t from, int64_t to) {
  open_cell(s, from, 0, MOVES);
  while (s->heap.count > 0) {
    const int64_t cell = rut_heap_take(&s->heap).item;
    s->done[cell] = 1;
    if (cell == to) break;
    expand(s, cell);
  }
}

static int64_t previous(const Search* s, int64_t cell) {
  const int* back = s->move[s->from[cell]].step;
  return beside(s, cell, (const int[]){-back[0], -back[1]});
}

// The slowest of the cells of a move, and what limits the speed there.
static rutMapLimit slowest(const Search* s, int64_t from, const Move* m) {
  rutMapLimit out = {RUT_INFINITY, RUT_MAP_NO_DATA};
  for (int i = 0; i < m->cells; i++) {
    const int64_t cell = beside(s, from, m->cell[i]);
    rutMapLimit limit[RUT_MAP_HEADINGS];
    rut_map_cell(s->map, s->way, s->probability, (int)(cell / s->cols), (int)(cell % s->cols),
                 limit);
    const rutMapLimit *a = &limit[m->heading[0]], *b = &limit[m->heading[1]];
    const double speed = speed_of(m, a->speed, b->speed);
    if (speed < out.speed) out = (rutMapLimit){speed, (a->speed <= b->speed ? a : b)->reason};
  }
  return out;
}

static bool trace(const Search* s, int64_t to, rutMapRoute* out) {
  int steps = 1;
  for (int64_t c = to; s->from[c] < MOVES; c = previous(s, c)) steps++;
  out->step = calloc((size_t)steps, sizeof *out->step);
  if (!out->step) return false;
  out->steps = steps;
  int64_t cell = to;
  for (int i = steps - 1; i >= 0; i--) {
    rutMapStep* at = &out->step[i];
    const rutGeoGrid* g = &s->map->dem;
    at->row = (int)(cell / s->cols);
    at->col = (int)(cell % s->cols);
    at->x = g->corner[0] + at->col * g->spacing;
    at->y = g->corner[1] + (g->rows - 1 - at->row) * g->spacing;
    at->time = s->time[cell];
    if (i == 0) break;
    const Move* m = &s->move[s->from[cell]];
    cell = previous(s, cell);
    at->limit = slowest(s, cell, m);
    at->distance = m->length * s->map->spacing;
  }
  for (int i = 1; i < steps; i++) out->step[i].distance += out->step[i - 1].distance;
  out->distance = out->step[steps - 1].distance;
  out->time = out->step[steps - 1].time;
  return true;
}

static bool prepare(Search* s) {
  make_moves(s->move);
  const size_t cells = (size_t)s->rows * (size_t)s->cols;
  s->time = malloc(cells * sizeof *s->time);
  s->speed = malloc(cells * sizeof *s->speed);
  s->from = calloc(cells, 1);
  s->done = calloc(cells, 1);
  s->heap.entry = malloc(cells * sizeof *s->heap.entry);
  s->heap.place = calloc(cells, sizeof *s->heap.place);
  if (!s->time || !s->speed || !s->from || !s->done || !s->heap.entry || !s->heap.place) {
    return false;
  }
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
  bool ok = prepare(&s);
  if (ok) search(&s, (int64_t)from[0] * s.cols + from[1], goal);
  if (ok && s.time[goal] < RUT_INFINITY) ok = trace(&s, goal, out);
  free(s.time);
  free(s.speed);
  free(s.from);
  free(s.done);
  free(s.heap.entry);
  free(s.heap.place);
  return ok ? RUT_OK : rut_error_set(err, RUT_ERR_MEMORY, "no memory for a route");
}

void rut_map_route_free(rutMapRoute* route) {
  free(route->step);
  *route = (rutMapRoute){0};
}
