// SPDX-License-Identifier: BSD-3-Clause
//
// Manoeuvres among obstacles. Every path is driven again here in small steps by its own
// integration, with points of the whole footprint looked up in the grid one by one.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "base/rng.h"
#include "plan/footprint.h"
#include "repetitions.h"

static const double PI = 3.14159265358979323846;
enum { MOST = 400 * 400 };
static uint16_t cost[MOST];

static rutPlanGround ground_of(int width, int height, double resolution) {
  for (int i = 0; i < width * height; i++) cost[i] = 1;
  return (rutPlanGround){{width, height, cost, false}, resolution, {0, 0}};
}

// Set the cost of the cells with their middles in a rectangle [m].
static void fill(const rutPlanGround* g, const double from[2], const double to[2], uint16_t with) {
  for (int i = 0; i < g->grid.width * g->grid.height; i++) {
    const double x = (i % g->grid.width + .5) * g->resolution;
    const double y = (i / g->grid.width + .5) * g->resolution;
    if (x > from[0] && x < to[0] && y > from[1] && y < to[1]) cost[i] = with;
  }
}
static void block(const rutPlanGround* g, double x0, double y0, double x1, double y1) {
  fill(g, (double[]){x0, y0}, (double[]){x1, y1}, 0);
}

static bool is_blocked(const rutPlanGround* g, double x, double y) {
  const int cx = (int)floor((x - g->origin[0]) / g->resolution);
  const int cy = (int)floor((y - g->origin[1]) / g->resolution);
  if (cx < 0 || cy < 0 || cx >= g->grid.width || cy >= g->grid.height) return true;
  return g->grid.cost[cy * g->grid.width + cx] == 0;
}

// Points of a footprint, less than a spacing apart, that is smaller than the true one by `less`.
static bool covers_blocked(const rutPlanGround* g, const rutPlanFootprint* f, const rutPlanPose* p,
                           double less) {
  const int along = 1 + (int)((f->front + f->rear) / (0.4 * g->resolution));
  const int across = 1 + (int)(f->width / (0.4 * g->resolution));
  for (int i = 0; i <= along; i++) {
    for (int k = 0; k <= across; k++) {
      const double x = -f->rear + less + (f->front + f->rear - 2 * less) * i / along;
      const double y = (f->width - 2 * less) * ((double)k / across - .5);
      const double c = cos(p->yaw), s = sin(p->yaw);
      if (is_blocked(g, p->x + c * x - s * y, p->y + s * x + c * y)) return true;
    }
  }
  return false;
}

// Exact overlap against points of rectangles that are a little smaller and larger; with distances
// and without.
static void test_collision(void** state) {
  (void)state;
  static int32_t squared[MOST], work[3 * 60];
  rutPlanGround g = ground_of(60, 50, 0.25);
  int hits = 0;
  for (uint32_t n = 0; n < (uint32_t)repetitions(3000, 200); n++) {
    if (n % 20 == 0) {
      for (int i = 0; i < 3000; i++) cost[i] = rut_uniform(1, n, 0, (uint32_t)i) > .01;
      rut_plan_distances(&g.grid, squared, work);
    }
    const rutPlanFootprint f = {.5 + 3 * rut_uniform(2, n, 0, 0), rut_uniform(2, n, 1, 0),
                                .3 + 2 * rut_uniform(2, n, 2, 0)};
    const rutPlanPose p = {15 * rut_uniform(2, n, 3, 0), 12.5 * rut_uniform(2, n, 4, 0),
                           2 * PI * rut_uniform(2, n, 5, 0)};
    const bool collides = rut_plan_collides(&g, &f, &p);
    assert_int_equal(rut_footprint_collides(&g, squared, &f, &p), collides);
    if (covers_blocked(&g, &f, &p, 1e-6)) assert_true(collides);
    // points are 0.1 m apart: what hides between them is no wider
    if (!covers_blocked(&g, &f, &p, -.08)) assert_false(collides);
    hits += collides;
  }
  assert_true(hits > repetitions(600, 40) && hits < repetitions(2400, 160));
  // side by side with a block is no collision, a millimetre further it is
  g = ground_of(40, 40, .25);
  block(&g, 5, 0, 6, 10);
  const rutPlanFootprint f = {2, 1, 2};
  assert_false(rut_plan_collides(&g, &f, &(rutPlanPose){3, 5, 0}));
  assert_true(rut_plan_collides(&g, &f, &(rutPlanPose){3.001, 5, 0}));
  assert_false(rut_plan_collides(&g, &f, &(rutPlanPose){4, 5, PI / 2}));
  assert_true(rut_plan_collides(&g, &f, &(rutPlanPose){4.001, 5, PI / 2}));
  assert_false(rut_plan_collides(&g, &f, &(rutPlanPose){1, 1, 0}));
  assert_true(rut_plan_collides(&g, &f, &(rutPlanPose){.999, 1, 0}));
  assert_true(rut_plan_collides(&g, &f, &(rutPlanPose){NAN, 1, 0}));
}

// A point of a footprint moves at most by what it is grown, in half of the distance.
static void test_grown(void** state) {
  (void)state;
  const rutPlanFootprint f = {3.8, .8, 2.2};
  const double distance = .5, radius = 5.72;
  const rutPlanFootprint grown = rut_footprint_grown(&f, distance, 1 / radius);
  double most = 0;
  for (int k = -1; k <= 1; k++) {
    const rutPlanPose from = {0, 0, 0}, to = rut_plan_drive(&from, distance / 2, k / radius);
    for (int i = 0; i < 4; i++) {
      const double x = i % 2 ? f.front : -f.rear, y = (i / 2 ? .5 : -.5) * f.width;
      const double u = to.x + cos(to.yaw) * x - sin(to.yaw) * y;
      const double v = to.y + sin(to.yaw) * x + cos(to.yaw) * y;
      most = fmax(most, hypot(u - x, v - y));
    }
  }
  assert_true(most <= grown.front - f.front);
  assert_near(grown.front - f.front, most, .01 * most);
  assert_near(grown.width - f.width, 2 * (grown.front - f.front), 1e-12);
  assert_near(grown.rear - f.rear, grown.front - f.front, 1e-12);
}

static rutPlanHybrid* hybrid_for(const rutPlanCar* car, const rutPlanGround* g) {
  rutPlanHybrid* h;
  assert_int_equal(rut_plan_hybrid_create(car, g, &h, NULL), RUT_OK);
  assert_int_equal(rut_plan_hybrid_ground(h, g, NULL), RUT_OK);
  return h;
}

// What the pieces of a path cost on even ground.
static double cost_of(const rutPlanCar* car, const rutPlanPath* path) {
  double sum = 0;
  for (int i = 0; i < path->pieces; i++) {
    const rutPlanPiece a = path->piece[i], b = path->piece[i > 0 ? i - 1 : 0];
    sum += a.length > 0 ? a.length : -a.length * car->reverse;
    if (a.length * b.length < 0) sum += car->gear_change;
    if (fabs(a.curvature - b.curvature) > 1e-9) sum += car->steering_change;
  }
  return sum;
}

// Drives a path in steps of at most 2 cm: no collision, curvature within the turning radius, and it
// ends at the goal.
static void check_path(const rutPlanGround* g, const rutPlanCar* car, const rutPlanPath* path,
                       const rutPlanPose* from, const rutPlanPose* to) {
  rutPlanPose p = *from;
  double length = 0;
  int changes = 0;
  assert_false(covers_blocked(g, &car->footprint, &p, 0));
  for (int i = 0; i < path->pieces; i++) {
    const rutPlanPiece* piece = &path->piece[i];
    assert_true(fabs(piece->curvature) * car->turning_radius <= 1 + 1e-12);
    const int steps = 1 + (int)(fabs(piece->length) / .02);
    const double h = piece->length / steps, turn = h * piece->curvature;
    for (int k = 0; k < steps; k++) {
      p.x += h / 6 * (cos(p.yaw) + 4 * cos(p.yaw + turn / 2) + cos(p.yaw + turn));
      p.y += h / 6 * (sin(p.yaw) + 4 * sin(p.yaw + turn / 2) + sin(p.yaw + turn));
      p.yaw += turn;
      assert_false(covers_blocked(g, &car->footprint, &p, 0));
    }
    length += fabs(piece->length);
    changes += i > 0 && piece->length * path->piece[i - 1].length < 0;
  }
  assert_near(p.x, to->x, 1e-6);
  assert_near(p.y, to->y, 1e-6);
  assert_near(remainder(p.yaw - to->yaw, 2 * PI), 0, 1e-6);
  assert_near(path->length, length, 1e-9);
  assert_int_equal(path->gear_changes, changes);
  assert_true(path->cost >= cost_of(car, path) - 1e-9);
  if (car->cell_cost == 0) assert_near(path->cost, cost_of(car, path), 1e-9);
}

static rutPlanPath find(rutPlanHybrid* h, const rutPlanPose* from, const rutPlanPose* to) {
  rutPlanPath path;
  assert_int_equal(rut_plan_hybrid_find(h, from, to, &path, NULL), RUT_OK);
  return path;
}

// On open ground, where only lengths cost, the path is that of Reeds and Shepp; where such paths
// are tried close to the goal only, arcs of the search come within a few per cent.
static void test_open_ground(void** state) {
  (void)state;
  const rutPlanGround g = ground_of(160, 160, .5);
  rutPlanCar car = rut_default_plan_car();
  car.reverse = 1;
  car.gear_change = car.steering_change = 0;
  rutPlanHybrid* exact = hybrid_for(&car, &g);
  car.analytic = 6;
  rutPlanHybrid* by_arcs = hybrid_for(&car, &g);
  for (uint32_t n = 0; n < (uint32_t)repetitions(8, 2); n++) {
    const double turn = 2 * PI * rut_uniform(3, n, 0, 0);
    const rutPlanPose from = {40, 40, 2 * PI * rut_uniform(3, n, 1, 0)};
    const rutPlanPose to = {40 + 22 * cos(turn), 40 + 22 * sin(turn),
                            2 * PI * rut_uniform(3, n, 2, 0)};
    const double shortest = rut_plan_reeds_shepp(&from, &to, car.turning_radius).length;
    const rutPlanPath path = find(exact, &from, &to);
    assert_int_equal(path.answer, RUT_PLAN_FOUND);
    assert_near(path.length, shortest, 1e-9);
    check_path(&g, &car, &path, &from, &to);
    const rutPlanPath arcs = find(by_arcs, &from, &to);
    assert_int_equal(arcs.answer, RUT_PLAN_FOUND);
    assert_true(arcs.length >= shortest - 1e-9 && arcs.length <= 1.06 * shortest);
    assert_near(arcs.cost, arcs.length, 1e-9);
    check_path(&g, &car, &arcs, &from, &to);
  }
  rut_plan_hybrid_destroy(exact);
  rut_plan_hybrid_destroy(by_arcs);
}

// A street with a row of parked cars, and a gap between two of them beside the kerb.
static rutPlanGround street(double gap) {
  const rutPlanGround g = ground_of(300, 80, .1);
  block(&g, 0, 0, 30, .4);
  block(&g, 0, 0, 15 - gap / 2, 2.8);
  block(&g, 15 + gap / 2, 0, 30, 2.8);
  return g;
}

static void test_parking(void** state) {
  (void)state;
  rutPlanCar car = rut_default_plan_car();
  // middle of the gap, 0.2 m from the kerb
  const rutPlanPose from = {4, 5, 0}, to = {15 - 1.5, .4 + .2 + 1.1, 0};
  const double gap[] = {8.2, 6.6};
  int changes = 0;
  for (int i = 0; i < repetitions(2, 1); i++) {
    const rutPlanGround g = street(gap[i]);
    car.cell = i > 0 ? .25 : .5;
    rutPlanHybrid* h = hybrid_for(&car, &g);
    const rutPlanPath path = find(h, &from, &to);
    assert_int_equal(path.answer, RUT_PLAN_FOUND);
    check_path(&g, &car, &path, &from, &to);
    // backwards into the gap; the smaller, the more often to and fro: 2.49 m in front of it are
    // what the outer front corner needs to leave in one go, and 6.6 m leave 1 m at either end
    assert_true(path.gear_changes > changes);
    changes = path.gear_changes;
    rut_plan_hybrid_destroy(h);
  }
  // shorter than the car
  const rutPlanGround g = street(4.5);
  rutPlanHybrid* h = hybrid_for(&car, &g);
  assert_int_equal(find(h, &from, &to).answer, RUT_PLAN_NO_GOAL);
  rut_plan_hybrid_destroy(h);
}

// A corridor too narrow for a turn in one go.
static void test_turn_in_corridor(void** state) {
  (void)state;
  const rutPlanCar car = rut_default_plan_car();
  const rutPlanGround g = ground_of(160, 40, .25);
  const rutPlanPose from = {12, 3, 0}, to = {12, 7, PI};
  rutPlanHybrid* h = hybrid_for(&car, &g);
  const rutPlanPath path = find(h, &from, &to);
  assert_int_equal(path.answer, RUT_PLAN_FOUND);
  assert_true(path.gear_changes >= 2);
  check_path(&g, &car, &path, &from, &to);
  // the longer it looks, the cheaper
  double before = INFINITY;
  for (int refine = 0; refine <= repetitions(1000, 10); refine = 10 * refine + 10) {
    rutPlanCar patient = car;
    patient.refine = refine;
    rutPlanHybrid* other = hybrid_for(&patient, &g);
    const rutPlanPath cheaper = find(other, &from, &to);
    assert_true(cheaper.answer == RUT_PLAN_FOUND && cheaper.cost <= before);
    check_path(&g, &car, &cheaper, &from, &to);
    before = cheaper.cost;
    rut_plan_hybrid_destroy(other);
  }
  rut_plan_hybrid_destroy(h);
}

static void test_around(void** state) {
  (void)state;
  const rutPlanCar car = rut_default_plan_car();
  const rutPlanGround g = ground_of(160, 120, .25);
  block(&g, 18, 0, 22, 22);
  const rutPlanPose from = {6, 6, 0}, to = {34, 6, -PI / 2};
  rutPlanHybrid* h = hybrid_for(&car, &g);
  const rutPlanPath path = find(h, &from, &to);
  assert_int_equal(path.answer, RUT_PLAN_FOUND);
  check_path(&g, &car, &path, &from, &to);
  // no shorter than a string around the corners, nor much longer
  const double string = hypot(12, 16) + 4 + hypot(12, 16);
  assert_true(path.length > string && path.length < 1.3 * string);
  // the same bits again, also after another question
  rutPlanPiece piece[64];
  assert_true(path.pieces <= 64);
  memcpy(piece, path.piece, (size_t)path.pieces * sizeof *piece);
  find(h, &to, &from);
  const rutPlanPath again = find(h, &from, &to);
  assert_int_equal(again.pieces, path.pieces);
  assert_int_equal(again.closed, path.closed);
  assert_memory_equal(again.piece, piece, (size_t)path.pieces * sizeof *piece);
  rut_plan_hybrid_destroy(h);
}

static void test_no_way(void** state) {
  (void)state;
  const rutPlanCar car = rut_default_plan_car();
  rutPlanGround g = ground_of(96, 48, .25);
  const rutPlanPose from = {3, 6, 0}, to = {18, 6, 0};
  block(&g, 11, 0, 12, 12);
  rutPlanHybrid* h = hybrid_for(&car, &g);
  rutPlanPath path = find(h, &from, &to);
  assert_int_equal(path.answer, RUT_PLAN_NO_WAY);
  assert_int_equal(path.closed, 0);
  // a gap for the disc about the rear axle, 1.6 m wide, but not for the car
  fill(&g, (double[]){11, 5}, (double[]){12, 7}, 1);
  assert_int_equal(rut_plan_hybrid_ground(h, &g, NULL), RUT_OK);
  path = find(h, &from, &to);
  assert_int_equal(path.answer, RUT_PLAN_NO_WAY);
  assert_true(path.closed > 1000);
  assert_int_equal(path.pieces, 0);
  // and one for the car
  fill(&g, (double[]){11, 4.5}, (double[]){12, 7.5}, 1);
  assert_int_equal(rut_plan_hybrid_ground(h, &g, NULL), RUT_OK);
  path = find(h, &from, &to);
  assert_int_equal(path.answer, RUT_PLAN_FOUND);
  check_path(&g, &car, &path, &from, &to);
  // ends that collide
  const rutPlanPose wall = {9, 2, 0};
  assert_int_equal(find(h, &wall, &to).answer, RUT_PLAN_NO_START);
  assert_int_equal(find(h, &from, &wall).answer, RUT_PLAN_NO_GOAL);
  assert_int_equal(find(h, &from, &(rutPlanPose){-50, 0, 0}).answer, RUT_PLAN_NO_GOAL);
  assert_false(rut_plan_hybrid_fits(h, &wall));
  assert_false(rut_plan_hybrid_fits(h, &(rutPlanPose){-50, 0, 0}));
  assert_false(rut_plan_hybrid_fits(h, &(rutPlanPose){NAN, 6, 0}));
  // 1 cm in front of the wall it has room, but a search that moves on would step into it
  const rutPlanPose close = {11 - car.footprint.front - 0.01, 2, 0}, far = {close.x - 1, 3, 0};
  assert_false(rut_plan_collides(&g, &car.footprint, &close));
  assert_false(rut_plan_hybrid_fits(h, &close));
  assert_int_equal(find(h, &from, &close).answer, RUT_PLAN_NO_GOAL);
  assert_true(rut_plan_hybrid_fits(h, &far));
  assert_int_not_equal(find(h, &from, &far).answer, RUT_PLAN_NO_GOAL);
  rut_plan_hybrid_destroy(h);
  // too few nodes
  rutPlanCar forgetful = car;
  forgetful.nodes = 50;
  fill(&g, (double[]){11, 0}, (double[]){12, 8}, 0);
  fill(&g, (double[]){11, 8}, (double[]){12, 12}, 1);
  h = hybrid_for(&forgetful, &g);
  assert_int_equal(find(h, &from, &to).answer, RUT_PLAN_TOO_LONG);
  rut_plan_hybrid_destroy(h);
}

// Across dear ground while it is a little dearer, around it where it is much.
static void test_dear_ground(void** state) {
  (void)state;
  rutPlanCar car = rut_default_plan_car();
  const rutPlanGround g = ground_of(200, 120, .25);
  fill(&g, (double[]){15, 0}, (double[]){35, 20}, 11);
  const rutPlanPose from = {6, 6, 0}, to = {42, 6, 0};
  double length[2];
  for (int i = 0; i < 2; i++) {
    car.cell_cost = i == 0 ? .002 : .5;
    rutPlanHybrid* h = hybrid_for(&car, &g);
    const rutPlanPath path = find(h, &from, &to);
    assert_int_equal(path.answer, RUT_PLAN_FOUND);
    check_path(&g, &car, &path, &from, &to);
    length[i] = path.length;
    assert_true(path.cost >= path.length);
    rut_plan_hybrid_destroy(h);
  }
  assert_near(length[0], 36, 1e-9);
  // round the corners of the dear ground, which the rear axle has to pass
  const double round = 2 * hypot(9, 14) + 20;
  assert_true(length[1] > round && length[1] < 1.1 * round);
}

static void test_refused(void** state) {
  (void)state;
  const rutPlanGround g = ground_of(40, 40, .5);
  const rutPlanCar good = rut_default_plan_car();
  rutPlanHybrid* h;
  rutError err = {0};
  rutPlanCar bad[9];
  for (int i = 0; i < 9; i++) bad[i] = good;
  bad[0].turning_radius = 0;
  bad[1].footprint.width = -1;
  bad[2].headings = 7;
  bad[3].steerings = 4;
  bad[4].reverse = NAN;
  bad[5].cell = 5;
  bad[6].nodes = 0;
  bad[7].gear_change = -1;
  bad[8].analytic = NAN;
  for (int i = 0; i < 9; i++) {
    assert_int_equal(rut_plan_hybrid_create(&bad[i], &g, &h, &err), RUT_ERR_ARGUMENT);
    assert_null(h);
  }
  rutPlanCar old = good;
  old.struct_size = 8;
  assert_int_equal(rut_plan_hybrid_create(&old, &g, &h, &err), RUT_ERR_VERSION);
  rutPlanGround none = g;
  none.resolution = 0;
  assert_int_equal(rut_plan_hybrid_create(&good, &none, &h, &err), RUT_ERR_ARGUMENT);
  none = g;
  none.grid.width = 0;
  assert_int_equal(rut_plan_hybrid_create(&good, &none, &h, &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_plan_hybrid_create(&good, &g, &h, &err), RUT_OK);
  const rutPlanPose at = {10, 10, 0}, odd = {10, NAN, 0};
  rutPlanPath path;
  assert_int_equal(rut_plan_hybrid_find(h, &at, &at, &path, &err), RUT_ERR_ARGUMENT);
  rutPlanGround large = g;
  large.grid.width = 41;
  assert_int_equal(rut_plan_hybrid_ground(h, &large, &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_plan_hybrid_ground(h, &g, &err), RUT_OK);
  assert_int_equal(rut_plan_hybrid_find(h, &at, &odd, &path, &err), RUT_ERR_ARGUMENT);
  // to where it is
  assert_int_equal(rut_plan_hybrid_find(h, &at, &at, &path, &err), RUT_OK);
  assert_true(path.answer == RUT_PLAN_FOUND && path.length == 0 && path.pieces == 0);
  // headings far beyond a turn, places far beyond the ground
  const rutPlanPose turned = {10, 10, -1e20}, far = {1e300, -1e300, 1};
  assert_int_equal(rut_plan_hybrid_find(h, &turned, &at, &path, &err), RUT_OK);
  assert_int_equal(rut_plan_hybrid_find(h, &at, &far, &path, &err), RUT_OK);
  assert_int_equal(path.answer, RUT_PLAN_NO_GOAL);
  rut_plan_hybrid_destroy(h);
  rut_plan_hybrid_destroy(NULL);
}

// In memory of the caller's it finds the same path; not a byte beyond it is written.
static void test_in_memory(void** state) {
  (void)state;
  rutPlanGround g = ground_of(40, 40, .5);
  rutPlanCar car = rut_default_plan_car();
  car.nodes = 20000;
  rutPlanHybrid* own;
  assert_int_equal(rut_plan_hybrid_create(&car, &g, &own, NULL), RUT_OK);
  const size_t bytes = rut_plan_hybrid_bytes(&car, &g, NULL);
  enum { BEYOND = 64 };
  unsigned char* memory = calloc(1, bytes + BEYOND);
  assert_non_null(memory);
  memset(memory + bytes, 0xa5, BEYOND);
  rutPlanHybrid* placed = rut_plan_hybrid_in(&car, &g, memory);
  const rutPlanPose from = {4, 4, 0}, to = {15, 12, 2};
  rutPlanPath a, b;
  assert_int_equal(rut_plan_hybrid_ground(own, &g, NULL), RUT_OK);
  assert_int_equal(rut_plan_hybrid_ground(placed, &g, NULL), RUT_OK);
  assert_int_equal(rut_plan_hybrid_find(own, &from, &to, &a, NULL), RUT_OK);
  assert_int_equal(rut_plan_hybrid_find(placed, &from, &to, &b, NULL), RUT_OK);
  assert_int_equal(a.answer, RUT_PLAN_FOUND);
  assert_int_equal(a.pieces, b.pieces);
  assert_memory_equal(a.piece, b.piece, (size_t)a.pieces * sizeof *a.piece);
  for (int i = 0; i < BEYOND; i++) assert_int_equal(memory[bytes + (size_t)i], 0xa5);
  rut_plan_hybrid_destroy(own);
  free(memory);
  car.turning_radius = -1;
  assert_int_equal(rut_plan_hybrid_bytes(&car, &g, NULL), 0);
  assert_null(rut_plan_hybrid_in(&car, &g, NULL));
  assert_int_equal(rut_plan_search_bytes(0), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_collision),        cmocka_unit_test(test_grown),
      cmocka_unit_test(test_open_ground),      cmocka_unit_test(test_parking),
      cmocka_unit_test(test_turn_in_corridor), cmocka_unit_test(test_around),
      cmocka_unit_test(test_no_way),           cmocka_unit_test(test_dear_ground),
      cmocka_unit_test(test_refused),          cmocka_unit_test(test_in_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
