// SPDX-License-Identifier: BSD-3-Clause
#include "control/trail_plan.h"

#include <string.h>

#include "base/arena.h"
#include "rut/descriptor.h"

// Curvatures over the largest one: fine ones for gentle bends.
static const double bends[] = {0, 1.0 / 9, -1.0 / 9, 4.0 / 9, -4.0 / 9, 1, -1};
enum { BENDS = 7, PARTS = 4 };           // parts of an arc for its cost and collisions
static const double CELL = 0.5;          // of the search, more where the horizon is far [m]
static const double LIMITS_REACHED = 3;  // of a blocked cell
static const double KEY = 1e6;           // costs as whole numbers [1/m]

size_t rut_trail_work(int side, int nodes, void* memory, rutTrailWork* out) {
  const size_t cells = (size_t)side * (size_t)side;
  rutArena arena = {.base = memory, .size = SIZE_MAX / 2};
  *out = (rutTrailWork){.nodes = nodes, .side = side};
  out->cost = RUT_TAKE(&arena, uint16_t, cells);
  double** const array[] = {&out->raw, &out->known, &out->sum, &out->weight, &out->smooth};
  for (int i = 0; i < RUT_COUNT_OF(array); i++) *array[i] = RUT_TAKE(&arena, double, cells);
  out->node = RUT_TAKE(&arena, rutTrailNode, nodes);
  out->closed = RUT_TAKE(&arena, uint8_t, RUT_TRAIL_PLACES * RUT_TRAIL_PLACES * RUT_TRAIL_HEADINGS);
  out->heap.entry = RUT_TAKE(&arena, rutHeapEntry, nodes);
  out->heap.place = RUT_TAKE(&arena, int32_t, nodes);
  return arena.used;
}

// ---- costs ----

static double square_of(double x, double limit) {
  const double part = rut_min(x / limit, LIMITS_REACHED);
  return part * part;
}

double rut_trail_costs(const rutLocalMap* map, const rutLocalLimits* limits, const rutTrailCar* car,
                       rutTrailWork* work) {
  const int side = map->def.side;
  const double r = map->def.resolution;
  const double dearest = 1 + car->weight * LIMITS_REACHED * LIMITS_REACHED;
  for (int k = 0; k < side * side; k++) {
    const double x = (map->corner[0] + k % side + 0.5) * r;
    const double y = (map->corner[1] + k / side + 0.5) * r;
    const rutLocalCell* c = rut_local_map_at(map, x, y);
    const bool seen = c && c->points > 0, blocked = c && c->log_odds > map->def.occupied;
    work->raw[k] = work->known[k] = 0;
    if (!seen && !blocked) continue;
    const rutLocalTerrain t = rut_local_map_terrain(map, x, y);
    double sum = 0;
    if (t.cells > 0 && !blocked && !limits->level) {
      sum = square_of(t.slope, limits->slope) + square_of(t.step, limits->step) +
            square_of(t.roughness, limits->roughness) + square_of(t.bulge, limits->clearance);
    }
    work->raw[k] = blocked ? dearest : rut_min(1 + car->weight * sum, dearest);
    work->known[k] = 1;
  }
  return rut_trail_smooth(r, car->reach, work);
}

// Sums with weights of a triangle along rows (step 1) or columns (step side).
static void add_along(const rutTrailWork* w, double* values, int step, int half) {
  const int side = w->side, other = step == 1 ? side : 1;
  double line[RUT_LOCAL_MAP_MOST_SIDE];
  for (int j = 0; j < side; j++) {
    double* at = values + (ptrdiff_t)j * other;
    for (int i = 0; i < side; i++) line[i] = at[(ptrdiff_t)i * step];
    for (int i = 0; i < side; i++) {
      double sum = half * line[i];
      // both sides at once: mirrored ground has the same bits
      for (int k = 1; k < half; k++) {
        const double before = i - k >= 0 ? line[i - k] : 0;
        const double after = i + k < side ? line[i + k] : 0;
        sum += (half - k) * (before + after);
      }
      at[(ptrdiff_t)i * step] = sum;
    }
  }
}

double rut_trail_smooth(double resolution, double reach, rutTrailWork* work) {
  static const double DOUBT = 0.02;  // weight of the mean of all, over that of all around
  const int cells = work->side * work->side;
  const int half = (int)rut_clamp(rut_floor(reach / resolution + 0.5), 1, work->side);
  double all = 0, count = 0;
  for (int k = 0; k < cells; k++) {
    work->sum[k] = work->raw[k] * work->known[k];
    work->weight[k] = work->known[k];
    all += work->sum[k];
    count += work->known[k];
  }
  const double mean = count > 0 ? all / count : 1;
  for (int step = 1; step <= work->side; step += work->side - 1) {
    add_along(work, work->sum, step, half);
    add_along(work, work->weight, step, half);
  }
  const double full = (double)half * half * half * half, doubt = DOUBT * full;
  for (int k = 0; k < cells; k++) {
    work->smooth[k] = (work->sum[k] + doubt * mean) / (work->weight[k] + doubt);
  }
  return mean;
}

double rut_trail_cost_at(const rutPlanGround* ground, const rutTrailWork* work, double x,
                         double y) {
  const int side = work->side;
  const double u = (x - ground->origin[0]) / ground->resolution - 0.5;
  const double v = (y - ground->origin[1]) / ground->resolution - 0.5;
  if (!(u >= 0) || !(v >= 0) || u >= side - 1 || v >= side - 1) return 1;
  const int i = (int)u, j = (int)v;
  const double a = u - i, b = v - j;
  const double* c = &work->smooth[j * side + i];
  return (1 - b) * ((1 - a) * c[0] + a * c[1]) + b * ((1 - a) * c[side] + a * c[side + 1]);
}

// ---- the search ----

typedef struct Search {
  const rutPlanGround* ground;
  rutPlanFootprint footprint;
  const rutTrailCar* car;
  const rutPlanPose* from;
  rutTrailWork* w;
  double cell, arc, least;  // of the grid of poses [m], length of an arc [m], least cost
  double sine, cosine;      // of the heading at the start
  int nodes;
} Search;

// Number of the cell of place and heading, seen from the start; -1 outside. Mirrored poses are in
// mirrored cells.
static int cell_of(const Search* s, const rutPlanPose* pose) {
  const double dx = pose->x - s->from->x, dy = pose->y - s->from->y;
  const double x = s->cosine * dx + s->sine * dy, y = s->cosine * dy - s->sine * dx;
  const int half = RUT_TRAIL_PLACES / 2;
  const int i = (int)rut_floor(x / s->cell + 0.5) + half;
  const int j = (int)rut_floor(rut_abs(y) / s->cell + 0.5) * (y < 0 ? -1 : 1) + half;
  if (i < 0 || j < 0 || i >= RUT_TRAIL_PLACES || j >= RUT_TRAIL_PLACES) return -1;
  double turn = (pose->yaw - s->from->yaw) / (2 * RUT_PI);
  turn -= rut_floor(turn + 0.5);
  const int k = (int)rut_floor(rut_abs(turn) * RUT_TRAIL_HEADINGS + 0.5) * (turn < 0 ? -1 : 1);
  const int heading = (k + RUT_TRAIL_HEADINGS) % RUT_TRAIL_HEADINGS;
  return (heading * RUT_TRAIL_PLACES + j) * RUT_TRAIL_PLACES + i;
}

static double away(const Search* s, const rutPlanPose* pose) {
  return rut_hypot(pose->x - s->from->x, pose->y - s->from->y);
}

static void put(Search* s, const rutTrailNode* node) {
  if (s->nodes >= s->w->nodes) return;
  s->w->node[s->nodes] = *node;
  const double rest = rut_max(s->car->horizon - away(s, &node->pose), 0);
  const double price = node->cost + s->least * rest;
  rut_heap_put(&s->w->heap, s->nodes,
               (rutHeapKey){(int64_t)(rut_min(price, 1e12) * KEY), s->nodes});
  s->nodes++;
}

static double price_of(const Search* s, const rutPlanPose* from, double curvature) {
  double sum = 0;
  for (int i = 0; i <= PARTS; i++) {
    const rutPlanPose at = rut_plan_drive(from, s->arc * i / PARTS, curvature);
    const double cost = rut_trail_cost_at(s->ground, s->w, at.x, at.y);
    sum += i == 0 || i == PARTS ? 0.5 * cost : cost;
  }
  return sum * s->arc / PARTS;
}

// Whether the footprint has room along the arc that leads to a pose.
static bool has_room(const Search* s, const rutTrailNode* node) {
  if (node->parent < 0) return true;
  const rutPlanPose* from = &s->w->node[node->parent].pose;
  const double curvature = bends[node->curvature] / s->car->radius;
  bool room = true;
  for (int i = 1; i <= PARTS && room; i++) {
    const rutPlanPose at = rut_plan_drive(from, s->arc * i / PARTS, curvature);
    room = !rut_plan_collides(s->ground, &s->footprint, &at);
  }
  return room;
}

static void expand(Search* s, int32_t number) {
  const rutTrailNode node = s->w->node[number];
  for (int i = 0; i < BENDS; i++) {
    const double curvature = bends[i] / s->car->radius;
    const rutPlanPose to = rut_plan_drive(&node.pose, s->arc, curvature);
    const int cell = cell_of(s, &to);
    if (cell < 0 || s->w->closed[cell]) continue;
    const double price = price_of(s, &node.pose, curvature);
    put(s, &(rutTrailNode){to, node.cost + price, number, i});
  }
}

// Whether a pose is where a way may end: far enough away, and ahead.
static bool is_end(const Search* s, const rutPlanPose* pose) {
  const double dx = pose->x - s->from->x, dy = pose->y - s->from->y;
  const double x = s->cosine * dx + s->sine * dy, y = s->cosine * dy - s->sine * dx;
  return away(s, pose) >= s->car->horizon && rut_abs(rut_atan2(y, x)) <= s->car->ahead;
}

// Arcs of equal curvature are one piece.
static void keep(const Search* s, int32_t last, rutGoalPath* out) {
  int32_t back[RUT_GOAL_PIECES];
  int n = 0;
  for (int32_t k = last; s->w->node[k].parent >= 0 && n < RUT_GOAL_PIECES;
       k = s->w->node[k].parent) {
    back[n++] = s->w->node[k].curvature;
  }
  *out = (rutGoalPath){.from = {s->from->x, s->from->y, s->from->yaw}};
  for (int i = n - 1; i >= 0; i--) {
    const double curvature = bends[back[i]] / s->car->radius;
    int p = (int)out->pieces;
    if (p > 0 && out->curvature[p - 1] == curvature) {
      out->length[p - 1] += s->arc;
      continue;
    }
    out->length[p] = s->arc;
    out->curvature[p] = curvature;
    out->pieces = ++p;
  }
}

static Search begin(const rutPlanGround* ground, const rutTrailCar* car, const rutPlanPose* from,
                    rutTrailWork* work) {
  static const double MOST_ARCS = 40;  // to the horizon
  const double cell = rut_max(CELL, 2.2 * car->horizon / RUT_TRAIL_PLACES);
  const double around = car->margin;
  const rutPlanFootprint* f = &car->footprint;
  Search s = {.ground = ground,
              .footprint = {f->front + around, f->rear + around, f->width + 2 * around},
              .car = car,
              .from = from,
              .w = work,
              .cell = cell,
              .arc = rut_max(2 * cell, car->horizon / MOST_ARCS),
              .least = RUT_INFINITY};
  rut_sincos(from->yaw, &s.sine, &s.cosine);
  for (int k = 0; k < work->side * work->side; k++) s.least = rut_min(s.least, work->smooth[k]);
  memset(work->closed, 0, RUT_TRAIL_PLACES * RUT_TRAIL_PLACES * RUT_TRAIL_HEADINGS);
  memset(work->heap.place, 0, (size_t)work->nodes * sizeof(int32_t));
  work->heap.count = 0;
  return s;
}

bool rut_trail_plan(const rutPlanGround* ground, const rutTrailCar* car, const rutPlanPose* from,
                    rutTrailWork* work, rutGoalPath* out, double* mean) {
  Search s = begin(ground, car, from, work);
  put(&s, &(rutTrailNode){*from, 0, -1, 0});
  while (work->heap.count > 0) {
    const int32_t number = rut_heap_take(&work->heap).item;
    const rutTrailNode* node = &work->node[number];
    const int cell = cell_of(&s, &node->pose);
    if (cell < 0 || work->closed[cell] || !has_room(&s, node)) continue;
    work->closed[cell] = 1;
    if (is_end(&s, &node->pose)) {
      keep(&s, number, out);
      *mean = node->cost / rut_goal_path_left(out, false);
      return true;
    }
    expand(&s, number);
  }
  return false;
}
