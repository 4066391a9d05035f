// SPDX-License-Identifier: BSD-3-Clause
//
// Scans against a plain search of all edges and cells by every single ray.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_near.h"
#include "contact_fixture.h"

static const double pi = 3.14159265358979323846;

// ---------------------------------------------------------------------------------------------
// Reference: one ray against one convex polygon, by clipping it with all half planes (Cyrus, Beck)

typedef struct hit {
  double range;
  double doubt;  // how near to an end of an edge, or to grazing, the ray passes [m]
} hit;

static void try_polygon(hit* h, int n, const double* xy, double px, double py, double s, double c,
                        double ox, double oy, double angle) {
  double enter = -HUGE_VAL, leave = HUGE_VAL, dx = cos(angle), dy = sin(angle);
  for (int i = 0; i < n; i++) {
    int j = (i + 1) % n;
    double ax = px + c * xy[2 * i] - s * xy[2 * i + 1], ay = py + s * xy[2 * i] + c * xy[2 * i + 1];
    double bx = px + c * xy[2 * j] - s * xy[2 * j + 1], by = py + s * xy[2 * j] + c * xy[2 * j + 1];
    double nx = by - ay, ny = ax - bx, length = hypot(nx, ny);
    double away = ((ox - ax) * nx + (oy - ay) * ny) / length, rate = (dx * nx + dy * ny) / length;
    // distance of the line from the corner
    h->doubt = fmin(h->doubt, fabs(dx * (ay - oy) - dy * (ax - ox)));
    if (rate < 0) enter = fmax(enter, -away / rate);
    if (rate > 0) leave = fmin(leave, -away / rate);
    if (rate == 0 && away > 0) leave = -HUGE_VAL;
  }
  // from inside nothing is seen
  if (enter <= leave && enter >= 0) h->range = fmin(h->range, enter);
}

static hit reference(const world* w, const rutScan* scan, double angle) {
  hit h = {HUGE_VAL, HUGE_VAL};
  for (int i = 0; i < w->def.prisms; i++) {
    const rutPrismDef* p = &w->prism[i];
    if (p->body >= 0 && (!scan->bodies || p->body == scan->skip_body)) continue;
    double z = p->body < 0 ? 0 : w->at.z[p->body];
    if (scan->z < p->z_min + z || scan->z > p->z_max + z) continue;
    double x = p->body < 0 ? 0 : w->at.x[p->body], y = p->body < 0 ? 0 : w->at.y[p->body];
    double yaw = p->body < 0 ? 0 : w->at.yaw[p->body];
    try_polygon(&h, p->n, p->xy, x, y, sin(yaw), cos(yaw), scan->x, scan->y, angle);
  }
  return h;
}

// Cast and compare all rays; returns how many hit something. Rays that pass a corner by less than a
// nanometre may go either way.
static int compare(world* w, const rutScan* scan, double tolerance) {
  rut_contact_index(w->model, w->state, &w->at);
  double* range = malloc((size_t)scan->n * sizeof *range);
  void* scratch = malloc(rut_scan_scratch(w->model, scan->n));
  rut_scan_cast(w->model, w->state, &w->at, scan, scratch, (rutScanResult){range, NULL});
  int hits = 0;
  for (int i = 0; i < scan->n; i++) {
    hit h = reference(w, scan, scan->angle[i]);
    if (h.doubt < 1e-9 * (1 + hypot(scan->x, scan->y))) continue;
    double expect = h.range <= scan->max_range ? h.range : -1;
    if (fabs(h.range - scan->max_range) < 1e-9) continue;
    assert_near(range[i], expect, tolerance);
    hits += expect >= 0;
  }
  free(range);
  free(scratch);
  return hits;
}

static void test_random_scenes_match_plain_search(void** state) {
  (void)state;
  uint64_t seed = 3;
  long rays = 0, hits = 0;
  for (int scene = 0; scene < 60; scene++) {
    double extent = scene % 3 == 0 ? 10 : scene % 3 == 1 ? 40 : 120;
    world w = random_scene(&seed, 1 + scene * 2, scene % 4 ? scene * 2 : 0, extent);
    enum { N = 720 };
    double angle[N];
    for (int k = 0; k < 4; k++) {
      // even fans of all widths, and uneven ones
      int n = k == 0 ? 1 + scene : N;
      double fov = k == 1 ? 2 * pi : 0.1 + 6 * random_unit(&seed);
      double first = 20 * (random_unit(&seed) - 0.5), at = 0;
      for (int i = 0; i < n; i++) {
        if (k < 2) at = n > 1 ? (double)i / (n - 1) : 0;
        if (k >= 2) at += (i > 0) * 2 * random_unit(&seed) / n;
        angle[i] = first + fov * (at < 1 ? at : 1);
      }
      rutScan s = {.x = extent * (random_unit(&seed) - 0.5),
                   .y = extent * (random_unit(&seed) - 0.5),
                   .z = random_unit(&seed),
                   .n = n,
                   .angle = angle,
                   .max_range = k == 2 ? 0.3 * extent : 1000,
                   .bodies = k != 3 || scene % 2,
                   .skip_body = k == 1 ? 0 : -1};
      hits += compare(&w, &s, 1e-9);
      rays += n;
    }
    world_free(&w);
  }
  assert_true(rays > 100000);
  assert_true(hits > rays / 4);
}

// A full turn from -pi to pi among bodies on the seam, seen from many places and directions.
static void test_seam_of_the_circle(void** state) {
  (void)state;
  enum { N = 361 };
  double angle[N];
  for (int yaw = -4; yaw <= 4; yaw++) {
    world w = world_new(2, 4);
    w.body[0] = w.body[1] = (rutBodyDef){1, 1, 0, 0};
    world_box(&w, 0, 0, 0, 0.5, 0.5);
    world_box(&w, 1, 0, 0, 0.5, 3);
    world_box(&w, -1, -9, 0, 1, 30);
    world_box(&w, -1, 0, 12, 30, 1);
    world_build(&w);
    w.at.x[0] = -3;
    w.at.x[1] = -5;
    w.at.y[1] = 0.01 * yaw;
    for (int i = 0; i < N; i++) angle[i] = yaw * pi / 2 - pi + i * 2 * pi / (N - 1);
    rutScan s = {
        .z = 0.5, .n = N, .angle = angle, .max_range = 50, .bodies = true, .skip_body = -1};
    assert_true(compare(&w, &s, 1e-9) > 100);
    double range[N];
    void* scratch = malloc(rut_scan_scratch(w.model, N));
    rut_scan_cast(w.model, w.state, &w.at, &s, scratch, (rutScanResult){range, NULL});
    // first and last ray coincide
    assert_near(range[0], range[N - 1], 1e-9);
    for (int i = 0; i < N; i++) {
      if (fabs(remainder(angle[i] - pi, 2 * pi)) < 0.05) {
        assert_near(range[i] * fabs(cos(angle[i])), 2.75, 1e-9);
      }
    }
    free(scratch);
    world_free(&w);
  }
}

// Rays that span more than a turn, all in one direction, or straight along the axes.
static void test_unusual_fans(void** state) {
  (void)state;
  uint64_t seed = 11;
  world w = random_scene(&seed, 30, 30, 30);
  enum { N = 500 };
  double angle[N], range[N];
  for (int i = 0; i < N; i++) angle[i] = -10 + 0.05 * i;
  rutScan s = {.z = 0.3, .n = N, .angle = angle, .max_range = 100, .bodies = true, .skip_body = -1};
  assert_true(compare(&w, &s, 1e-9) > 100);
  for (int i = 0; i < N; i++) angle[i] = 0.7;
  compare(&w, &s, 1e-9);
  for (int i = 0; i < 9; i++) angle[i] = (i - 4) * pi / 2;
  s.n = 9;
  compare(&w, &s, 1e-9);
  s.n = 0;
  rut_scan_cast(w.model, w.state, &w.at, &s, NULL, (rutScanResult){range, NULL});
  // numbers that are not finite give no hit, or any, but no harm
  s.n = 9;
  void* scratch = malloc(rut_scan_scratch(w.model, 9));
  s.x = NAN;
  rut_scan_cast(w.model, w.state, &w.at, &s, scratch, (rutScanResult){range, NULL});
  s.x = 0;
  angle[3] = NAN;
  rut_scan_cast(w.model, w.state, &w.at, &s, scratch, (rutScanResult){range, NULL});
  w.at.x[0] = w.at.yaw[1] = NAN;
  w.at.y[2] = HUGE_VAL;
  rut_contact_index(w.model, w.state, &w.at);
  rut_scan_cast(w.model, w.state, &w.at, &s, scratch, (rutScanResult){range, NULL});
  free(scratch);
  world_free(&w);
}

static double cast_one(world* w, rutScan s, double angle) {
  double range;
  void* scratch = malloc(rut_scan_scratch(w->model, 1));
  s.n = 1;
  s.angle = &angle;
  rut_contact_index(w->model, w->state, &w->at);
  rut_scan_cast(w->model, w->state, &w->at, &s, scratch, (rutScanResult){&range, NULL});
  free(scratch);
  return range;
}

// What is seen depends on height, on the wish to see bodies, on the carrier, and on the side.
static void test_what_is_seen(void** state) {
  (void)state;
  world w = world_new(2, 3);
  w.body[0] = w.body[1] = (rutBodyDef){1, 1, 0, 0};
  world_box(&w, 0, 0, 0, 1, 1);
  rutPrismDef* p = world_box(&w, 1, 0, 0, 1, 1);
  p->z_min = 0.2;
  p->z_max = 0.6;
  world_box(&w, -1, 10, 0, 1, 1);
  world_build(&w);
  w.at.x[1] = 5;
  w.at.z[1] = 1;
  rutScan s = {.z = 1.5, .max_range = 100, .bodies = true, .skip_body = -1};
  assert_near(cast_one(&w, s, 0), 4.5, 1e-12);
  // a ray that starts inside a shape does not see that shape
  s.z = 0.5;
  assert_near(cast_one(&w, s, 0), 9.5, 1e-12);
  s.x = -3;
  assert_near(cast_one(&w, s, 0), 2.5, 1e-12);
  s.skip_body = 0;
  assert_near(cast_one(&w, s, 0), 12.5, 1e-12);
  s.z = 1.4;
  s.bodies = false;
  assert_near(cast_one(&w, s, 0), -1, 0);
  s.z = 1;
  assert_near(cast_one(&w, s, 0), 12.5, 1e-12);
  // a hit at max_range counts, one beyond does not
  s.max_range = 12.5;
  assert_near(cast_one(&w, s, 0), 12.5, 0);
  s.max_range = 12.499;
  assert_near(cast_one(&w, s, 0), -1, 0);
  world_free(&w);
}

// Grid cells: exact distance to their squares, hidden by and hiding bodies, and told apart.
static void test_occupancy_grid_and_bodies(void** state) {
  (void)state;
  const double origin[2] = {-10, -10};
  rutOccupancy grid;
  void* block = calloc(1, rut_occupancy_bytes(400, 400));
  rut_occupancy_init(&grid, 400, 400, 0.05, origin, block);
  // a square room: cells from 5 to 5.05 m on all sides
  for (int i = 99; i <= 300; i++) {
    grid.cell[i * 400 + 300] = grid.cell[i * 400 + 99] = RUT_CELL_OCCUPIED;
    grid.cell[300 * 400 + i] = grid.cell[99 * 400 + i] = RUT_CELL_OCCUPIED;
  }
  rut_occupancy_build(&grid);
  const rutOccupancy* grids[] = {&grid};
  const double friction[] = {0.5}, restitution[] = {0};
  const unsigned char solid[] = {0};
  world w = world_new(1, 2);
  w.body[0] = (rutBodyDef){1, 1, 0, 0};
  world_box(&w, 0, 0, 0, 1, 1);
  world_box(&w, -1, 0, 8, 1, 1);
  w.def.grids = 1;
  w.def.grid = grids;
  w.def.grid_friction = friction;
  w.def.grid_restitution = restitution;
  w.def.grid_solid = solid;
  world_build(&w);
  w.at.x[0] = 3;
  enum { N = 360 };
  double angle[N], range[N];
  unsigned char on_grid[N];
  for (int i = 0; i < N; i++) angle[i] = -pi + (i + 0.5) * 2 * pi / N;
  rutScan s = {.z = 0.5, .n = N, .angle = angle, .max_range = 80, .bodies = true, .skip_body = -1};
  void* scratch = malloc(rut_scan_scratch(w.model, N));
  rut_contact_index(w.model, w.state, &w.at);
  rut_scan_cast(w.model, w.state, &w.at, &s, scratch, (rutScanResult){range, on_grid});
  for (int i = 0; i < N; i++) {
    double dx = cos(angle[i]), dy = sin(angle[i]);
    bool box = dx > 0 && fabs(2.5 * dy / dx) < 0.5;
    double wall = 5 / fmax(fabs(dx), fabs(dy));
    assert_near(range[i], box ? 2.5 / dx : wall, 1e-9);
    assert_int_equal(on_grid[i], !box);
  }
  // a prism in front of cells and behind them
  s.y = 4;
  assert_near(cast_one(&w, s, pi / 2), 1, 1e-9);
  s.y = 6;
  assert_near(cast_one(&w, s, pi / 2), 1.5, 1e-9);
  free(scratch);
  free(block);
  world_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_scenes_match_plain_search),
      cmocka_unit_test(test_seam_of_the_circle),
      cmocka_unit_test(test_unusual_fans),
      cmocka_unit_test(test_what_is_seen),
      cmocka_unit_test(test_occupancy_grid_and_bodies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
