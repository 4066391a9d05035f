// SPDX-License-Identifier: BSD-3-Clause
#include "control/goal_plan.h"

#include <string.h>

#include "base/arena.h"
#include "rut/descriptor.h"

enum { UNKNOWN_OUTSIDE = 2 };               // cost of the ring around the map
enum { GEAR_CHANGE = 3 };                   // how much dearer than by default
enum { DEAREST = 8 };                       // what a place beside an obstacle costs more
static const double RADIUS_IN_CELLS = 1.6;  // of the turning radius over the cell of the search

static rutPlanCar plan_car(const rutGoalCar* car, double margin) {
  rutPlanCar c = rut_default_plan_car();
  c.footprint = (rutPlanFootprint){car->footprint.front + margin, car->footprint.rear + margin,
                                   car->footprint.width + 2 * margin};
  c.turning_radius = car->radius;
  c.cell = rut_min(c.cell, car->radius / RADIUS_IN_CELLS);
  c.gear_change = RUT_GOAL_CHANGE * car->radius;
  c.reverse = RUT_GOAL_REVERSE;
  c.steering_change = 0.1 * rut_min(5, car->radius);
  c.cell_cost = 0.2;
  c.nodes = car->nodes;
  c.refine = 400;
  return c;
}

size_t rut_goal_work(const rutGoalSize* size, const rutGoalCar* car, void* memory, rutGoalWork* out,
                     rutError* err) {
  const rutPlanCar c = plan_car(car, car->margin);
  const uint16_t none = 0;
  const rutPlanGround largest = {.grid = {size->side, size->side, &none, false},
                                 .resolution = size->resolution};
  const size_t cells = (size_t)size->side * (size_t)size->side;
  const size_t inner = (size_t)size->words * RUT_GOAL_WORD, wide = (inner + 2) * (inner + 2);
  *out = (rutGoalWork){.side = size->side, .wide_side = (int)inner + 2, .points = size->points};
  out->search_bytes = rut_plan_search_bytes((int)wide);
  out->hybrid_bytes = rut_plan_hybrid_bytes(&c, &largest, err);
  if (out->hybrid_bytes == 0 || out->search_bytes == 0) return 0;
  rutArena arena = {.base = memory, .size = SIZE_MAX / 2};
  out->cost = RUT_TAKE(&arena, uint16_t, cells);
  out->wide = RUT_TAKE(&arena, uint16_t, wide);
  out->remembered = RUT_TAKE(&arena, uint8_t, inner * inner);
  out->squared = RUT_TAKE(&arena, int32_t, wide);
  out->row = RUT_TAKE(&arena, int32_t, 3 * (inner + 2));
  out->cell = RUT_TAKE(&arena, rutLocalCell, cells);
  double** const array[] = {&out->x, &out->y, &out->z, &out->from_x, &out->from_y, &out->from_z};
  for (int i = 0; i < RUT_COUNT_OF(array); i++) *array[i] = RUT_TAKE(&arena, double, size->points);
  out->search = RUT_TAKE(&arena, unsigned char, out->search_bytes);
  out->hybrid = RUT_TAKE(&arena, unsigned char, out->hybrid_bytes);
  return arena.used;
}

rutPlanGround rut_goal_ground(const rutLocalMap* map, const rutGoalWork* work) {
  const double r = map->def.resolution;
  return (rutPlanGround){.grid = {map->def.side, map->def.side, work->cost, false},
                         .resolution = r,
                         .origin = {map->corner[0] * r, map->corner[1] * r}};
}

// ---- over cells ----
//
// The window of the memory with a ring around it, which is free: what is outside is not known.

typedef struct Wide {
  int side;
  double resolution, origin[2];  // of the ring's lower left cell [m]
} Wide;

static Wide wide_of(const rutGoalTask* t, const rutGoalWork* w) {
  const double r = t->map->def.resolution;
  const int* corner = t->memory->corner;
  return (Wide){w->wide_side, r, {(corner[0] - 1) * r, (corner[1] - 1) * r}};
}

// Cell of a place: outside, the nearest of the ring.
static int wide_cell(const Wide* g, double x, double y) {
  const double i = rut_floor((x - g->origin[0]) / g->resolution);
  const double j = rut_floor((y - g->origin[1]) / g->resolution);
  const int most = g->side - 1;
  return (int)rut_clamp(j, 0, most) * g->side + (int)rut_clamp(i, 0, most);
}

static void middle_of(const Wide* g, int cell, double at[2]) {
  at[0] = g->origin[0] + (cell % g->side + 0.5) * g->resolution;
  at[1] = g->origin[1] + (cell / g->side + 0.5) * g->resolution;
}

// Cells where a disc within the footprint has room, dearer beside obstacles.
static void widen(const rutGoalTask* t, rutGoalWork* w) {
  const int wide = w->wide_side, inner = wide - 2;
  const double r = t->map->def.resolution, inside = 0.5 * t->car->footprint.width;
  const double comfort = rut_max(t->car->comfort, r);
  // a place in a cell is half a diagonal off at most; a blocked cell begins half a side from its
  // middle: what is blocked here has no room for the disc, so that "no way" is a proof
  const double least = 0.5 * (1.4142135623730951 - 1) * r;
  for (int k = 0; k < wide * wide; k++) w->wide[k] = UNKNOWN_OUTSIDE;
  for (int j = 0; j < inner; j++) {
    for (int i = 0; i < inner; i++) {
      w->wide[(j + 1) * wide + i + 1] = (uint16_t)rut_goal_cost(w->remembered[j * inner + i]);
    }
  }
  const rutPlanGrid grid = {wide, wide, w->wide, true};
  rut_plan_distances(&grid, w->squared, w->row);
  for (int k = 0; k < wide * wide; k++) {
    // the ring stands for all that is outside, where a goal may be
    const int x = k % wide, y = k / wide;
    if (x == 0 || y == 0 || x == wide - 1 || y == wide - 1) continue;
    const double free = rut_sqrt(w->squared[k]) * r - inside;
    const double near = rut_clamp(1 - free / comfort, 0, 1);
    const double cost = w->wide[k] + rut_floor(DEAREST * near + 0.5);
    w->wide[k] = w->wide[k] == 0 || free < -least ? 0 : (uint16_t)cost;
  }
}

// The free cell nearest to a place, at most so many cells away; -1 if there is none. Of equal ones
// the first.
static int free_near(const rutGoalWork* w, int cell, double most) {
  const int wide = w->wide_side, reach = (int)rut_min(most, wide);
  int best = -1;
  double least = most * most + 0.5;
  for (int b = -reach; b <= reach; b++) {
    for (int a = -reach; a <= reach; a++) {
      const int x = cell % wide + a, y = cell / wide + b;
      if (x < 0 || y < 0 || x >= wide || y >= wide || w->wide[y * wide + x] == 0) continue;
      const double square = (double)a * a + (double)b * b;
      if (square >= least) continue;
      least = square;
      best = y * wide + x;
    }
  }
  return best;
}

// *starts: whether it can begin.
static rutPlanWay find_way(const rutGoalTask* t, const Wide* g, rutGoalWork* w, bool* starts) {
  const rutPlanGrid grid = {g->side, g->side, w->wide, true};
  const rutGoalCar* car = t->car;
  rutPlanWay way = {0};
  widen(t, w);
  const double around = (car->footprint.front + car->footprint.width) / g->resolution;
  const int from = free_near(w, wide_cell(g, t->from.x, t->from.y), around);
  const int to = free_near(w, wide_cell(g, t->target.x, t->target.y),
                           rut_max(t->target.radius / g->resolution, 1));
  *starts = from >= 0;
  if (from < 0 || to < 0) return way;
  memset(w->search, 0, w->search_bytes);
  rutPlanSearch* search = rut_plan_search_in(g->side * g->side, w->search);
  const int ends[2] = {from, to};
  rut_plan_search(search, &grid, RUT_PLAN_A_STAR, ends, &way, NULL);
  return way;
}

// ---- along them ----

enum { ENDS = 25 };  // places about a goal where a path may end
// A place of the way where a path may end.
typedef struct Stop {
  rutPlanPose pose;
  double rest;            // of the way [m]
  double place[ENDS][2];  // that may be taken for it: at the goal all, elsewhere the first
} Stop;

enum { NEARER = 10 };  // parts of the horizon by which ends come nearer
// How to look for a manoeuvre.
typedef struct Try {
  double wider;  // turning radius over that of the vehicle
  int nearer;    // parts of the horizon that are left out
  bool tight;    // reverse and changes of gear are cheap, which finds ways in narrow places sooner
  bool back;     // back to front at the end
  bool whole;    // looks at as many poses as the car may, others at a part of these
} Try;
enum { FEW = 3, CALL = 6 };  // parts of these poses: of a search; after which a call ends

// Heading of a way about one of its cells; of one without length that of the vehicle.
static double heading_at(const rutGoalTask* t, const Wide* g, const rutPlanWay* way, int k) {
  enum { APART = 4 };
  if (way->cells < 2) return t->from.yaw;
  const int a = k > APART ? k - APART : 0, b = k + APART < way->cells ? k + APART : way->cells - 1;
  double from[2], to[2];
  middle_of(g, way->cell[a], from);
  middle_of(g, way->cell[b], to);
  return rut_atan2(to[1] - from[1], to[0] - from[0]);
}

// Whether a place is in the local map, further than a distance from its border.
static bool is_in_map(const rutGoalTask* t, const double at[2], double distance) {
  const rutLocalMap* map = t->map;
  const double r = map->def.resolution, size = map->def.side * r;
  bool in = true;
  for (int axis = 0; axis < 2; axis++) {
    const double x = at[axis] - map->corner[axis] * r;
    in = in && x > distance && x < size - distance;
  }
  return in;
}

// Length of the way from a cell of it to the next one [m].
static double step_of(const Wide* g, const rutPlanWay* way, int k) {
  double a[2], b[2];
  middle_of(g, way->cell[k], a);
  middle_of(g, way->cell[k + 1], b);
  return rut_hypot(b[0] - a[0], b[1] - a[1]);
}

// The last cell of the way within a length of its start and in the map, with room for the vehicle.
static int cell_within(const rutGoalTask* t, const Wide* g, const rutPlanWay* way, double length) {
  const double around = rut_hypot(rut_max(t->car->footprint.front, t->car->footprint.rear),
                                  0.5 * t->car->footprint.width) +
                        t->car->margin;
  double gone = 0;
  int last = 0;
  for (int k = 1; k < way->cells; k++) {
    double b[2];
    middle_of(g, way->cell[k], b);
    gone += step_of(g, way, k - 1);
    if (gone > length || !is_in_map(t, b, around)) break;
    last = k;
  }
  return last;
}

// Where to drive to: the goal, or a place of the way, the further the better; ahead, or back to
// front as a vehicle does that has to leave in reverse.
static bool stop_of(const rutGoalTask* t, const Wide* g, const rutPlanWay* way, const Try* how,
                    Stop* out) {
  const double all = rut_min(t->car->horizon, way->length * g->resolution + g->resolution);
  const double length = all * (1 - (double)how->nearer / NEARER);
  const int last = way->cells - 1, k = cell_within(t, g, way, length);
  const bool final = k == last;  // the goal, but for what is beyond the border
  double at[2], rest = 0;
  middle_of(g, way->cell[k], at);
  if (final && how->nearer == 0 &&
      rut_hypot(t->target.x - at[0], t->target.y - at[1]) < g->resolution) {
    at[0] = t->target.x;
    at[1] = t->target.y;
  }
  const bool bound = final && t->target.has_yaw;
  const double yaw = bound ? t->target.yaw : heading_at(t, g, way, k) + (how->back ? RUT_PI : 0);
  for (int i = k; i < last; i++) rest += step_of(g, way, i);
  // the way may end at the border of what is remembered
  double end[2];
  middle_of(g, way->cell[last], end);
  const double beyond = rut_hypot(t->target.x - end[0], t->target.y - end[1]);
  if (beyond > t->target.radius + g->resolution) rest += beyond;
  *out = (Stop){.pose = {at[0], at[1], yaw}, .rest = rest};
  return !(bound && how->back) && k > 0;
}

// Places within the radius of the goal, on which a path may end: the goal, then two rings about it,
// beginning on the side where the way ends, or else short of the goal.
static void ends_of(const rutGoalTask* t, const Wide* g, const rutPlanWay* way, Stop* stop) {
  static const double ring[] = {0.4, 0.75};                                // of the radius
  static const double turn[] = {0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6};  // [1/12 turn]
  double end[2];
  middle_of(g, way->cell[way->cells - 1], end);
  const double dx = end[0] - t->target.x, dy = end[1] - t->target.y;
  const bool beside = rut_hypot(dx, dy) > g->resolution;
  const double first = beside ? rut_atan2(dy, dx) : stop->pose.yaw + RUT_PI;
  stop->place[0][0] = stop->pose.x;
  stop->place[0][1] = stop->pose.y;
  for (int i = 1; i < ENDS; i++) {
    double sine, cosine;
    const double away = ring[(i - 1) / RUT_COUNT_OF(turn)] * t->target.radius;
    rut_sincos(first + RUT_PI / 6 * turn[(i - 1) % RUT_COUNT_OF(turn)], &sine, &cosine);
    stop->place[i][0] = t->target.x + cosine * away;
    stop->place[i][1] = t->target.y + sine * away;
  }
}

// Where a path is to end: a place at which the search may end, with room for a distance around the
// footprint. At a goal any place within its radius is good, and any heading where it leaves that
// open: the first heading, and of these the first place, with room. Of two headings that are as far
// from the way's the first is on the side of the vehicle's own.
static bool end_with_room(const rutGoalTask* t, const rutGoalWork* w, const Stop* stop,
                          const rutPlanHybrid* hybrid, double around, rutPlanPose* end) {
  enum { HEADINGS = 36 };
  const bool at_goal = stop->rest == 0;
  const int headings = at_goal && !t->target.has_yaw ? HEADINGS : 1;
  const rutPlanGround ground = rut_goal_ground(t->map, w);
  const rutPlanFootprint* own = &t->car->footprint;
  const rutPlanFootprint f = {own->front + around, own->rear + around, own->width + 2 * around};
  double turn = t->from.yaw - stop->pose.yaw;
  turn -= 2 * RUT_PI * rut_floor(turn / (2 * RUT_PI) + 0.5);
  const double step = (turn < 0 ? -2 : 2) * RUT_PI / HEADINGS;
  for (int h = 0; h < headings; h++) {
    // 0, 1, -1, 2, -2, ...
    const int steps = h % 2 == 1 ? (h + 1) / 2 : -(h / 2);
    for (int i = 0; i < (at_goal ? ENDS : 1); i++) {
      *end = (rutPlanPose){stop->place[i][0], stop->place[i][1], stop->pose.yaw + steps * step};
      if (rut_plan_hybrid_fits(hybrid, end) && !rut_plan_collides(&ground, &f, end)) return true;
    }
  }
  return false;
}

// Search a path that ends at the stop: with as much distance from obstacles as there is room for,
// also where the vehicle stands too near to one.
static bool find_stop(const rutGoalTask* t, const rutGoalWork* w, const Stop* stop,
                      rutPlanHybrid* hybrid, rutPlanPath* path) {
  const double own = t->car->margin,
               around[] = {own + 0.5 * t->map->def.resolution, own, t->margin};
  for (int i = 0; i < RUT_COUNT_OF(around) && path->answer == RUT_PLAN_NO_GOAL; i++) {
    rutPlanPose to;
    if (!end_with_room(t, w, stop, hybrid, around[i], &to)) continue;
    if (rut_plan_hybrid_find(hybrid, &t->from, &to, path, NULL) != RUT_OK) return false;
  }
  return true;
}

static bool keep(const rutPlanPose* from, const rutPlanPath* path, rutGoalPath* out) {
  if (path->pieces < 1) return false;
  const int n = path->pieces < RUT_GOAL_PIECES ? path->pieces : RUT_GOAL_PIECES;
  *out = (rutGoalPath){.from = {from->x, from->y, from->yaw}, .pieces = n};
  for (int i = 0; i < n; i++) {
    out->length[i] = path->piece[i].length;
    out->curvature[i] = path->piece[i].curvature;
  }
  return true;
}

// The best path so far.
typedef struct Found {
  bool found;
  double price, rest;
  rutGoalPath path;
  bool ends;  // the last search has one that ends at the goal
  int poses;  // that were looked at
} Found;

// True if nothing better is to be expected.
static bool consider(const rutGoalTask* t, const rutPlanPath* path, double rest, Found* best) {
  rutGoalPath own;
  if (path->answer != RUT_PLAN_FOUND || !keep(&t->from, path, &own)) return false;
  // what is cut off is driven later
  const double left = path->pieces <= RUT_GOAL_PIECES ? rest : rut_max(rest, path->length);
  const double change = RUT_GOAL_CHANGE * t->car->radius;
  const double price = rut_goal_path_price(&own, t->gear, change) + left;
  if (best->found && best->price <= price) return false;
  best->found = true;
  best->price = price;
  best->rest = left;
  best->path = own;
  return path->gear_changes == 0 && rut_goal_gear(&own, 0) > 0;
}

// The way is no longer than two vehicles.
static bool is_short(const rutGoalTask* t, const Wide* g, const rutPlanWay* way) {
  const rutPlanFootprint* f = &t->car->footprint;
  return way->length * g->resolution < 2 * (f->front + f->rear);
}

// False if others need not be tried.
static bool try_manoeuvre(const rutGoalTask* t, const Wide* g, const rutPlanWay* way,
                          rutGoalWork* w, const Try* how, Found* best) {
  const rutPlanGround ground = rut_goal_ground(t->map, w);
  rutGoalCar car = *t->car;
  car.radius *= how->wider;
  rutPlanCar planned = plan_car(&car, t->margin);
  if (!how->whole) planned.nodes = planned.nodes / FEW + 1;
  if (how->tight) {
    planned.reverse = 1.2;
    planned.gear_change = 0.3 * car.radius;
  }
  memset(w->hybrid, 0, w->hybrid_bytes);
  rutPlanHybrid* hybrid = rut_plan_hybrid_in(&planned, &ground, w->hybrid);
  if (!hybrid || rut_plan_hybrid_ground(hybrid, &ground, NULL) != RUT_OK) return false;
  Try now = *how;
  Stop stop;
  best->ends = false;
  for (; now.nearer < NEARER; now.nearer++) {
    if (!stop_of(t, g, way, &now, &stop)) continue;
    rutPlanPath path = {.answer = RUT_PLAN_NO_GOAL};
    ends_of(t, g, way, &stop);
    if (!find_stop(t, w, &stop, hybrid, &path)) return false;
    if (path.answer == RUT_PLAN_NO_START) return false;
    // no place for the vehicle there: somewhat nearer, without a search; but short of a goal that
    // is near it would stand, and do so for ever
    if (path.answer == RUT_PLAN_NO_GOAL && stop.rest == 0 && is_short(t, g, way)) return false;
    if (path.answer == RUT_PLAN_NO_GOAL) continue;
    best->poses += (int)path.closed;
    best->ends = stop.rest == 0 && path.answer == RUT_PLAN_FOUND;
    return !consider(t, &path, stop.rest, best);
  }
  return true;
}

// In wide curves, which are faster, then in narrow ones, and the better of both; the narrow ones
// are not tried once a path needs no change of gear. Where that finds none, with many moves, and to
// an end in reverse; then the same at length. Returns the search that is left to begin with, or 0.
static int find_manoeuvre(const rutGoalTask* t, const Wide* g, const rutPlanWay* way,
                          rutGoalWork* w, Found* best) {
  enum { SHORT = 3 };  // of a nearer end
  static const Try tries[] = {{.wider = 2},
                              {.wider = 1},
                              {.wider = 1, .nearer = SHORT},
                              {.wider = 1, .tight = true},
                              {.wider = 1, .nearer = SHORT, .tight = true},
                              {.wider = 1, .tight = true, .back = true},
                              {.wider = 1, .nearer = SHORT, .tight = true, .back = true},
                              {.wider = 1, .whole = true},
                              {.wider = 1, .tight = true, .whole = true},
                              {.wider = 1, .tight = true, .back = true, .whole = true}};
  for (int i = t->search; i < RUT_COUNT_OF(tries); i++) {
    if ((tries[i].tight || tries[i].whole) && best->found) break;
    // from short of the goal the manoeuvres that are left would be no shorter
    if (tries[i].nearer > 0 && best->ends) continue;
    if (best->poses > t->car->nodes / CALL) return best->found ? 0 : i;
    if (!try_manoeuvre(t, g, way, w, &tries[i], best)) break;
  }
  return 0;
}

rutGoalAnswer rut_goal_plan(const rutGoalTask* task, rutGoalWork* work, rutGoalPath* out,
                            double* rest, int* search) {
  const Wide ground = wide_of(task, work);
  bool starts;
  *search = 0;
  const rutPlanWay way = find_way(task, &ground, work, &starts);
  Found best = {0};
  // between obstacles where it stands the map is wrong
  if (!starts) return RUT_GOAL_NO_MANOEUVRE;
  if (!way.found) return RUT_GOAL_NO_WAY;
  *search = find_manoeuvre(task, &ground, &way, work, &best);
  if (!best.found) return *search > 0 ? RUT_GOAL_GOES_ON : RUT_GOAL_NO_MANOEUVRE;
  *out = best.path;
  *rest = best.rest;
  return RUT_GOAL_FOUND;
}

// ---- distances ----

double rut_goal_clearance(const rutPlanGround* ground, const rutPlanFootprint* footprint,
                          const rutPlanPose* pose) {
  const rutPlanGrid* g = &ground->grid;
  double sine, cosine, least = RUT_INFINITY, deepest = 0;
  rut_sincos(pose->yaw, &sine, &cosine);
  for (int j = 0; j < g->height; j++) {
    for (int i = 0; i < g->width; i++) {
      if (g->cost[j * g->width + i] != 0) continue;
      const double dx = ground->origin[0] + (i + 0.5) * ground->resolution - pose->x;
      const double dy = ground->origin[1] + (j + 0.5) * ground->resolution - pose->y;
      const double x = cosine * dx + sine * dy, y = cosine * dy - sine * dx;
      const double along = rut_max(x - footprint->front, -footprint->rear - x);
      const double across = rut_abs(y) - 0.5 * footprint->width;
      const double ahead = rut_max(along, 0), aside = rut_max(across, 0);
      least = rut_min(least, ahead * ahead + aside * aside);
      if (along < 0 && across < 0) deepest = rut_max(deepest, along * across);
    }
  }
  return (deepest > 0 ? -rut_sqrt(deepest) : rut_sqrt(least)) - 0.5 * ground->resolution;
}
