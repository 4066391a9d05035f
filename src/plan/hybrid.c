// SPDX-License-Identifier: BSD-3-Clause
//
// Hybrid A* (Dolgov, Thrun, Montemerlo, Diebel, IJRR 29(5), 2010). The heuristic is the larger of
// the Reeds-Shepp length, which knows the car but no obstacle, and the way of a disc over the grid,
// which knows obstacles but not the car. Ways over eight neighbours are up to 1/cos(pi/8) longer
// than the straight line, by which the latter is divided.
#include <stdlib.h>

#include "base/arena.h"
#include "base/heap.h"
#include "base/report.h"
#include "math/rut_math.h"
#include "plan/curve.h"
#include "plan/footprint.h"
#include "plan/grid.h"
#include "plan/reeds_shepp.h"

static const double OCTILE = 1.0823922002923940, ROOT2 = 1.4142135623730951;
static const double ARC = 1.5;        // length of an arc [cells of the search], above a diagonal
static const double TRY_EVERY = 10;   // distance for each pose between two tries of a path [m]
static const double NEAR_BEST = 1.1;  // by which a path may be dearer than what is still possible
static const double CHECKS = 4;       // checks of collision on a cell of the search
static const double FINEST = 2.5e-4;  // distance between checks [turning radii]
enum { MOST_STATES = 1 << 30 };
enum { PARTS = 64 };  // of the cost of a cell of which the disc takes the whole ones

// A pose that was reached, the cheapest so far of its cell of place and heading.
typedef struct Node {
  rutPlanPose pose;
  double cost;        // from the start [m]
  rutPlanPiece last;  // arc that led here; of the start none, of length 0
  int32_t parent;     // -1: the start
  int32_t state;
  bool closed;
} Node;

// A way to the goal: to a node, and on by a Reeds-Shepp path.
typedef struct Best {
  double cost;  // infinite: none
  int32_t node;
  rutPlanCurve curve;
} Best;

struct rutPlanHybrid {
  rutPlanCar car;
  rutPlanPrice price;
  rutPlanFootprint grown;
  double resolution, check;  // of the ground; distance between checks of collision [m]
  int most_width, most_height, most_states;

  rutPlanGround ground;  // without cells until there is one
  int32_t *squared, *work;
  rutPlanGrid disc;   // where a disc within the footprint can be; its costs are `free`
  uint16_t* free;     // [cells]
  int64_t* flood;     // [cells] ways of the disc to the goal
  rutHeap cells;      // of the flood
  int columns, rows;  // of cells of the search on this ground

  rutPlanPose goal;
  int32_t* node_of;  // [states] from 1; 0: none
  Node* node;        // [car.nodes]
  int nodes;
  rutHeap open;
  rutPlanPiece* path;  // [car.nodes + RUT_PLAN_PIECES]
};

// ---- creation ----

rutPlanCar rut_default_plan_car(void) {
  return (rutPlanCar){.struct_size = sizeof(rutPlanCar),
                      .footprint = {3.8, 0.8, 2.2},
                      .turning_radius = 5.72,
                      .cell = 0.5,
                      .headings = 72,
                      .steerings = 5,
                      .reverse = 2,
                      .gear_change = 5,
                      .steering_change = 0.5,
                      .analytic = RUT_INFINITY,
                      .nodes = 200000,
                      .refine = 2000};
}

static bool is_positive(double x) { return x > 0 && rut_is_finite(x); }
static bool is_not_negative(double x) { return x >= 0 && rut_is_finite(x); }

// What is wrong with a car, or NULL.
static const char* fault_of(const rutPlanCar* c) {
  const rutPlanFootprint* f = &c->footprint;
  if (!rut_is_finite(f->front) || !rut_is_finite(f->rear) || !(f->front + f->rear > 0) ||
      !is_positive(f->width)) {
    return "its footprint has no size";
  }
  if (!is_positive(c->turning_radius)) return "its turning radius is not above 0";
  if (!is_positive(c->cell)) return "the cell of the search is not above 0";
  if (c->headings < 8 || c->headings > 360) return "headings are 8 to 360";
  if (c->steerings < 3 || c->steerings > 15 || c->steerings % 2 == 0) {
    return "steerings are 3, 5, ... 15";
  }
  if (!(c->reverse >= 1) || !rut_is_finite(c->reverse)) return "the cost of reverse is below 1";
  if (!is_not_negative(c->gear_change) || !is_not_negative(c->steering_change) ||
      !is_not_negative(c->cell_cost)) {
    return "costs of changes and cells are not below 0";
  }
  if (!(c->analytic >= 0)) return "the distance of Reeds-Shepp paths is below 0";
  if (c->nodes < 1 || c->nodes > 1 << 26 || c->refine < 0) return "nodes are 1 to 2^26";
  // an arc must leave its cell of heading or place, and not turn by half a turn
  if (ARC * c->cell > c->turning_radius) return "cells are larger than 2/3 of the turning radius";
  return NULL;
}

static double states_along(const rutPlanHybrid* h, int cells) {
  return rut_floor(cells * h->resolution / h->car.cell) + 1;
}

static void lay_out(rutPlanHybrid* h, rutArena* arena) {
  const int cells = h->most_width * h->most_height;
  h->squared = RUT_TAKE(arena, int32_t, cells);
  h->work = RUT_TAKE(arena, int32_t, 3 * (size_t)h->most_width);
  h->free = RUT_TAKE(arena, uint16_t, cells);
  h->flood = RUT_TAKE(arena, int64_t, cells);
  h->cells.entry = RUT_TAKE(arena, rutHeapEntry, cells);
  h->cells.place = RUT_TAKE(arena, int32_t, cells);
  h->node_of = RUT_TAKE(arena, int32_t, h->most_states);
  h->node = RUT_TAKE(arena, Node, h->car.nodes);
  h->open.entry = RUT_TAKE(arena, rutHeapEntry, h->car.nodes);
  h->open.place = RUT_TAKE(arena, int32_t, h->car.nodes);
  h->path = RUT_TAKE(arena, rutPlanPiece, h->car.nodes + RUT_PLAN_PIECES);
}

// A search without its memory.
static rutStatus measure(const rutPlanCar* car, const rutPlanGround* largest, rutPlanHybrid* out,
                         rutError* err) {
  if (car->struct_size != sizeof(rutPlanCar)) {
    return rut_error_set(err, RUT_ERR_VERSION, "a rutPlanCar of another version of librut");
  }
  const char* fault = fault_of(car);
  if (fault) return rut_error_set(err, RUT_ERR_ARGUMENT, "car of a search: %s", fault);
  const double check = rut_min(largest->resolution, car->cell / CHECKS);
  if (!(check >= FINEST * car->turning_radius) || !rut_is_finite(largest->resolution)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "cells of %g m and of %g m: they are at least a thousandth of the turning "
                         "radius",
                         largest->resolution, car->cell);
  }
  const int ends[] = {0, 0};
  const rutStatus status = rut_grid_check(&largest->grid, RUT_PLAN_MOST_CELLS, ends, err);
  if (status != RUT_OK) return status;
  *out = (rutPlanHybrid){.car = *car,
                         .resolution = largest->resolution,
                         .most_width = largest->grid.width,
                         .most_height = largest->grid.height};
  const double states =
      states_along(out, out->most_width) * states_along(out, out->most_height) * car->headings;
  if (states > MOST_STATES) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "%.3g cells of place and heading, more than %d: take larger cells", states,
                         MOST_STATES);
  }
  out->most_states = (int)states;
  out->price = (rutPlanPrice){car->reverse, car->gear_change, car->steering_change};
  out->check = check;
  out->grown = rut_footprint_grown(&car->footprint, out->check, 1 / car->turning_radius);
  return RUT_OK;
}

static size_t bytes_of(const rutPlanHybrid* measured) {
  rutPlanHybrid h = *measured;
  rutArena arena = {.used = sizeof h};
  lay_out(&h, &arena);
  return arena.used < PTRDIFF_MAX ? arena.used : 0;
}

static rutPlanHybrid* place(const rutPlanHybrid* measured, void* memory, size_t bytes) {
  rutPlanHybrid* h = memory;
  *h = *measured;
  rutArena arena = {memory, sizeof *h, bytes};
  lay_out(h, &arena);
  return h;
}

size_t rut_plan_hybrid_bytes(const rutPlanCar* car, const rutPlanGround* largest, rutError* err) {
  rutPlanHybrid measured;
  return measure(car, largest, &measured, err) == RUT_OK ? bytes_of(&measured) : 0;
}

rutPlanHybrid* rut_plan_hybrid_in(const rutPlanCar* car, const rutPlanGround* largest,
                                  void* memory) {
  rutPlanHybrid measured;
  if (measure(car, largest, &measured, NULL) != RUT_OK) return NULL;
  return place(&measured, memory, bytes_of(&measured));
}

rutStatus rut_plan_hybrid_create(const rutPlanCar* car, const rutPlanGround* largest,
                                 rutPlanHybrid** out, rutError* err) {
  *out = NULL;
  rutPlanHybrid measured;
  const rutStatus status = measure(car, largest, &measured, err);
  if (status != RUT_OK) return status;
  const size_t bytes = bytes_of(&measured);
  void* memory = bytes > 0 ? calloc(1, bytes) : NULL;
  if (!memory) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a search of manoeuvres");
  *out = place(&measured, memory, bytes);
  return RUT_OK;
}

void rut_plan_hybrid_destroy(rutPlanHybrid* hybrid) { free(hybrid); }

// ---- the ground ----

// Cells where the middle of the rear axle can be as far as a disc about it is concerned, that lies
// within the footprint: blocked only where no place in the cell is far enough from obstacles.
// What a cell costs at least is that of its ground, in whole parts.
static void find_free(rutPlanHybrid* h) {
  const rutPlanFootprint* f = &h->car.footprint;
  const double radius = rut_max(rut_min(0.5 * f->width, rut_min(f->front, f->rear)), 0);
  // a place in the cell is half a diagonal off at most; a blocked cell begins half a side from its
  // middle
  const double least = rut_max(radius / h->resolution - (0.5 * ROOT2 - 0.5), 0);
  for (int i = 0; i < rut_grid_cells(&h->ground.grid); i++) {
    const double dearer = h->car.cell_cost * (rut_max(h->ground.grid.cost[i], 1) - 1);
    // an axle outside of its footprint may be above an obstacle
    const bool can = (radius == 0 || h->squared[i] > 0) && h->squared[i] >= least * least;
    h->free[i] = can ? (uint16_t)rut_min(PARTS * (1 + dearer), UINT16_MAX) : 0;
  }
}

rutStatus rut_plan_hybrid_ground(rutPlanHybrid* h, const rutPlanGround* ground, rutError* err) {
  const rutPlanGrid* g = &ground->grid;
  h->ground.grid.width = 0;
  if (ground->resolution != h->resolution || g->width < 1 || g->height < 1 ||
      g->width > h->most_width || g->height > h->most_height) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "a ground of %d x %d cells of %g m: this search is for at most %d x %d of "
                         "%g m",
                         g->width, g->height, ground->resolution, h->most_width, h->most_height,
                         h->resolution);
  }
  if (!rut_is_finite(ground->origin[0]) || !rut_is_finite(ground->origin[1])) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "the origin of the ground is not finite");
  }
  h->ground = *ground;
  h->columns = (int)states_along(h, g->width);
  h->rows = (int)states_along(h, g->height);
  rut_plan_distances(g, h->squared, h->work);
  find_free(h);
  h->disc = (rutPlanGrid){g->width, g->height, h->free, true};
  return RUT_OK;
}

// ---- costs and collisions ----

// Least cost from a pose to the goal; infinite where not even the disc gets there.
static double heuristic(const rutPlanHybrid* h, const rutPlanPose* pose) {
  const int cell = rut_ground_cell(&h->ground, pose->x, pose->y);
  if (cell < 0 || h->flood[cell] == RUT_GRID_FAR) return RUT_INFINITY;
  // start and goal may be anywhere in their cells
  const double cells = 1e-3 / PARTS * (double)h->flood[cell];
  const double way = h->resolution * (cells - 2 * ROOT2) / OCTILE;
  const rutPlanCurve curve = rut_plan_reeds_shepp(pose, &h->goal, h->car.turning_radius);
  return rut_max(way, curve.length);
}

// What the cells of the ground add to the cost of a piece; infinite where the car collides.
static double ground_cost(const rutPlanHybrid* h, const rutPlanPose* from,
                          const rutPlanPiece* piece) {
  const double size = rut_abs(piece->length);
  const int parts = (int)rut_max(-rut_floor(1e-9 - size / h->check), 1);
  double dearer = 0;
  for (int k = 1; k <= parts; k++) {
    const double length = piece->length * k / parts;
    const rutPlanPose pose = rut_plan_drive(from, length, piece->curvature);
    if (rut_footprint_collides(&h->ground, h->squared, &h->grown, &pose)) return RUT_INFINITY;
    const int cell = rut_ground_cell(&h->ground, pose.x, pose.y);
    if (cell < 0) return RUT_INFINITY;
    dearer += h->ground.grid.cost[cell] - 1;
  }
  return h->car.cell_cost * dearer * size / parts;
}

// ---- the search ----

static int32_t state_of(const rutPlanHybrid* h, const rutPlanPose* pose) {
  const double turn = 2 * RUT_PI / h->car.headings;
  int heading = (int)rut_floor(rut_plan_wrap(pose->yaw) / turn + 0.5);
  if (heading < 0) heading += h->car.headings;
  heading %= h->car.headings;
  const double x = rut_floor((pose->x - h->ground.origin[0]) / h->car.cell);
  const double y = rut_floor((pose->y - h->ground.origin[1]) / h->car.cell);
  const int column = (int)rut_clamp(x, 0, h->columns - 1);
  const int row = (int)rut_clamp(y, 0, h->rows - 1);
  return (row * h->columns + column) * h->car.headings + heading;
}

// Open a node for a pose, or change that of its cell if this one is cheaper. False: no room.
static bool reach(rutPlanHybrid* h, const Node* reached) {
  const int32_t at = h->node_of[reached->state] - 1;
  if (at >= 0 && (h->node[at].closed || h->node[at].cost <= reached->cost)) return true;
  const double rest = heuristic(h, &reached->pose);
  if (rest == RUT_INFINITY) return true;
  if (at < 0 && h->nodes == h->car.nodes) return false;
  const int32_t index = at >= 0 ? at : h->nodes++;
  h->node[index] = *reached;
  h->node_of[reached->state] = index + 1;
  // bits of positive doubles are ordered as they are; of equal sums the one nearest to the goal
  const double sum = reached->cost + rest;
  rut_heap_put(&h->open, index, (rutHeapKey){(int64_t)rut_bits(sum), (int64_t)rut_bits(rest)});
  return true;
}

static bool expand(rutPlanHybrid* h, int32_t index) {
  const Node from = h->node[index];
  const int steerings = h->car.steerings, middle = steerings / 2;
  for (int k = 0; k < 2 * steerings; k++) {
    const double gear = k < steerings ? 1 : -1;
    const rutPlanPiece arc = {gear * ARC * h->car.cell,
                              (double)(k % steerings - middle) / middle / h->car.turning_radius};
    Node to = {.last = arc, .parent = index};
    to.pose = rut_plan_drive(&from.pose, arc.length, arc.curvature);
    if (rut_ground_cell(&h->ground, to.pose.x, to.pose.y) < 0) continue;
    to.state = state_of(h, &to.pose);
    to.cost = from.cost + rut_plan_price(&h->price, &from.last, 1, &arc);
    const int32_t there = h->node_of[to.state] - 1;
    if (there >= 0 && (h->node[there].closed || h->node[there].cost <= to.cost)) continue;
    to.cost += ground_cost(h, &from.pose, &arc);
    if (to.cost < RUT_INFINITY && !reach(h, &to)) return false;
  }
  return true;
}

// What a curve from a pose costs with its ground; infinite where the car collides. Dearer than
// `most` does not matter.
static double cost_of_curve(const rutPlanHybrid* h, rutPlanPose pose, const rutPricedCurve* c,
                            double most) {
  double cost = c->cost;
  for (int i = 0; i < c->curve.pieces && cost < most; i++) {
    const rutPlanPiece* piece = &c->curve.piece[i];
    cost += ground_cost(h, &pose, piece);
    pose = rut_plan_drive(&pose, piece->length, piece->curvature);
  }
  return cost;
}

// Try Reeds-Shepp paths from a node to the goal, the cheapest first. True if one is better.
static bool finish(const rutPlanHybrid* h, int32_t index, Best* best) {
  const Node* n = &h->node[index];
  const double radius = h->car.turning_radius;
  const rutPlanPose local = rut_plan_local(&n->pose, &h->goal, radius);
  rutPricedCurve curve[RUT_REEDS_SHEPP_WORDS];
  int curves = rut_reeds_shepp_all(&local, &h->price, &n->last, radius, curve);
  bool better = false;
  while (curves > 0) {
    int first = 0;
    for (int i = 1; i < curves; i++) first = curve[i].cost < curve[first].cost ? i : first;
    const double most = best->cost - n->cost;
    if (curve[first].cost >= most) break;
    const double cost = cost_of_curve(h, n->pose, &curve[first], most);
    if (cost < most) {
      *best = (Best){n->cost + cost, index, curve[first].curve};
      better = true;
    }
    curve[first] = curve[--curves];
  }
  return better;
}

static void search(rutPlanHybrid* h, const rutPlanPose* start, Best* best, rutPlanPath* out) {
  const Node first = {.pose = *start, .parent = -1, .state = state_of(h, start)};
  reach(h, &first);
  out->answer = RUT_PLAN_NO_WAY;
  int after = 0;
  double wait = 0;
  while (h->open.count > 0) {
    const rutHeapEntry top = rut_heap_take(&h->open);
    const double sum = rut_from_bits((uint64_t)top.key.first);
    if (best->cost <= NEAR_BEST * sum || (best->cost < RUT_INFINITY && after++ >= h->car.refine)) {
      break;
    }
    h->node[top.item].closed = true;
    out->closed++;
    // from far away paths mostly collide
    const double rest = rut_from_bits((uint64_t)top.key.second);
    if (rest <= h->car.analytic && --wait <= 0) {
      if (finish(h, top.item, best)) after = 0;
      wait = rut_max(1, rut_floor(rest / TRY_EVERY));
    }
    if (expand(h, top.item)) continue;
    out->answer = RUT_PLAN_TOO_LONG;
    break;
  }
  if (best->cost < RUT_INFINITY) out->answer = RUT_PLAN_FOUND;
}

// ---- the path ----

static void add(rutPlanPath* out, rutPlanPiece* path, rutPlanPiece piece) {
  rutPlanPiece* last = out->pieces > 0 ? &path[out->pieces - 1] : NULL;
  const bool same_gear = last && (last->length < 0) == (piece.length < 0);
  if (same_gear && rut_abs(last->curvature - piece.curvature) < 1e-12) {
    last->length += piece.length;
  } else {
    if (last && !same_gear) out->gear_changes++;
    path[out->pieces++] = piece;
  }
  out->length += rut_abs(piece.length);
}

static void trace(rutPlanHybrid* h, const Best* best, rutPlanPath* out) {
  // arcs from the last to the first, at the end of the room, then in order at its beginning
  int at = h->car.nodes;
  for (int32_t n = best->node; h->node[n].parent >= 0; n = h->node[n].parent) {
    h->path[--at] = h->node[n].last;
  }
  while (at < h->car.nodes) add(out, h->path, h->path[at++]);
  for (int i = 0; i < best->curve.pieces; i++) add(out, h->path, best->curve.piece[i]);
  out->piece = h->path;
  out->cost = best->cost;
}

static void forget(rutPlanHybrid* h) {
  for (int i = 0; i < h->nodes; i++) h->node_of[h->node[i].state] = 0;
  h->nodes = 0;
  rut_heap_clear(&h->open);
}

bool rut_plan_hybrid_fits(const rutPlanHybrid* h, const rutPlanPose* pose) {
  if (h->ground.grid.width == 0 || !rut_plan_pose_is_finite(pose)) return false;
  return rut_ground_cell(&h->ground, pose->x, pose->y) >= 0 &&
         !rut_footprint_collides(&h->ground, h->squared, &h->grown, pose);
}

rutStatus rut_plan_hybrid_find(rutPlanHybrid* h, const rutPlanPose* from, const rutPlanPose* to,
                               rutPlanPath* out, rutError* err) {
  *out = (rutPlanPath){.answer = RUT_PLAN_NO_WAY};
  if (h->ground.grid.width == 0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a search of manoeuvres without a ground");
  }
  if (!rut_plan_pose_is_finite(from) || !rut_plan_pose_is_finite(to)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a pose that is not finite");
  }
  forget(h);
  const rutPlanPose* ends[] = {from, to};
  for (int i = 0; i < 2; i++) {
    if (rut_plan_hybrid_fits(h, ends[i])) continue;
    out->answer = i == 0 ? RUT_PLAN_NO_START : RUT_PLAN_NO_GOAL;
    return RUT_OK;
  }
  h->goal = *to;
  rut_grid_flood(&h->disc, rut_ground_cell(&h->ground, to->x, to->y), h->flood, &h->cells);
  Best best = {.cost = RUT_INFINITY};
  search(h, from, &best, out);
  if (out->answer == RUT_PLAN_FOUND) trace(h, &best, out);
  return RUT_OK;
}
