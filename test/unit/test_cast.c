// SPDX-License-Identifier: BSD-3-Clause
//
// Rays in space against prisms and cells: closed forms, a plain search of all half-spaces, and the
// planar scans.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_near.h"
#include "contact_fixture.h"
#include "repetitions.h"

static const double pi = 3.14159265358979323846;

enum { MOST = 2000 };

// A batch with room for its results.
typedef struct cast {
  rutRayBatch rays;
  rutRayResult out;
  double o[3][MOST], d[3][MOST], range[MOST], normal[3][MOST];
  unsigned char target[MOST];
  int index[MOST];
  bool moving;
  int skip_body;
} cast;

static cast* cast_new(double max_range) {
  cast* c = calloc(1, sizeof *c);
  c->rays.max_range = max_range;
  for (int k = 0; k < 3; k++) {
    c->rays.origin[k] = c->o[k];
    c->rays.direction[k] = c->d[k];
    c->out.normal[k] = c->normal[k];
  }
  c->out.range = c->range;
  c->out.target = c->target;
  c->out.index = c->index;
  c->moving = true;
  c->skip_body = -1;
  return c;
}

// Add a ray along a vector of any length; returns its index.
static int add_ray(cast* c, double x, double y, double z, double dx, double dy, double dz) {
  const double o[3] = {x, y, z}, d[3] = {dx, dy, dz}, length = sqrt(dx * dx + dy * dy + dz * dz);
  const int i = c->rays.n++;
  assert_true(i < MOST);
  for (int k = 0; k < 3; k++) {
    c->o[k][i] = o[k];
    c->d[k][i] = length > 0 ? d[k] / length : d[k];
  }
  return i;
}

static void run(world* w, cast* c) {
  rut_contact_index(w->model, w->state, &w->at);
  const rutCastScene scene = rut_contact_scene(w->model, w->state, &w->at);
  rut_rays_begin(&c->rays, &c->out);
  rut_contact_cast(&scene, c->moving, c->skip_body, &c->rays, &c->out);
}

static void assert_hit(const cast* c, int i, double range, double nx, double ny, double nz) {
  assert_near(c->range[i], range, 1e-12 * (1 + range));
  assert_near(c->normal[0][i], nx, 1e-12);
  assert_near(c->normal[1][i], ny, 1e-12);
  assert_near(c->normal[2][i], nz, 1e-12);
}

static void assert_miss(const cast* c, int i) {
  assert_true(isinf(c->range[i]));
  assert_int_equal(c->target[i], RUT_RAY_NOTHING);
  assert_int_equal(c->index[i], -1);
}

// ---------------------------------------------------------------------------------------------
// Closed forms

// The box -1..1, -2..2, 0..1 and rays whose ends are worked out by hand.
static void all_faces_of_a_box(void** state) {
  (void)state;
  world w = world_new(0, 1);
  world_box(&w, -1, 0, 0, 2, 4);
  world_build(&w);
  cast* c = cast_new(100);
  const double r2 = sqrt(2);
  add_ray(c, -5, 0.5, 0.5, 1, 0, 0);
  add_ray(c, 5, 0.5, 0.5, -1, 0, 0);
  add_ray(c, 0.5, -5, 0.5, 0, 1, 0);
  add_ray(c, 0.5, 5, 0.5, 0, -1, 0);
  add_ray(c, 0.5, 0.5, 4, 0, 0, -1);
  add_ray(c, 0.5, 0.5, -4, 0, 0, 1);
  add_ray(c, -2, 0, 2.5, 1, 0, -1);  // onto the top, at x = -0.5
  add_ray(c, -2, 0, 1.5, 1, 0, -1);  // into the side, at z = 0.5
  add_ray(c, -2, 0, -1.5, 1, 0, 1);  // from below onto the bottom, at x = -0.5
  add_ray(c, -2, 0, 4.1, 1, 0, -1);  // over it, at z = 1.1 where it ends
  run(&w, c);
  assert_hit(c, 0, 4, -1, 0, 0);
  assert_hit(c, 1, 4, 1, 0, 0);
  assert_hit(c, 2, 3, 0, -1, 0);
  assert_hit(c, 3, 3, 0, 1, 0);
  assert_hit(c, 4, 3, 0, 0, 1);
  assert_hit(c, 5, 4, 0, 0, -1);
  assert_hit(c, 6, 1.5 * r2, 0, 0, 1);
  assert_hit(c, 7, r2, -1, 0, 0);
  assert_hit(c, 8, 1.5 * r2, 0, 0, -1);
  for (int i = 0; i < 9; i++) assert_int_equal(c->target[i], RUT_RAY_PRISM);
  assert_miss(c, 9);
  free(c);
  world_free(&w);
}

// A body at (10, 5), turned by 30 degrees and lifted by 2 m: the same ray in its own axes.
static void moving_bodies_turn_and_rise(void** state) {
  (void)state;
  world w = world_new(2, 3);
  w.body[0] = w.body[1] = (rutBodyDef){1, 1, 0, 0};
  world_box(&w, 0, 0, 0, 2, 4);
  world_box(&w, 1, 0, 0, 1, 1);
  world_build(&w);
  w.at.x[0] = 10;
  w.at.y[0] = 5;
  w.at.yaw[0] = pi / 6;
  w.at.z[0] = 2;
  w.at.x[1] = 10;
  w.at.y[1] = 5;
  const double cs = cos(pi / 6), sn = sin(pi / 6);
  cast* c = cast_new(100);
  // from 4 m along the body's x axis, 0.25 m to its left, at half of its height
  add_ray(c, 10 + 4 * cs - 0.25 * sn, 5 + 4 * sn + 0.25 * cs, 2.5, -cs, -sn, 0);
  add_ray(c, 10, 5, 9, 0, 0, -1);
  run(&w, c);
  assert_hit(c, 0, 3, cs, sn, 0);
  assert_hit(c, 1, 6, 0, 0, 1);
  const rutPrismOwner hit = rut_contact_owner(w.model, c->index[0]);
  assert_int_equal(hit.body, 0);
  assert_int_equal(hit.kind, 0);
  assert_int_equal(hit.index, 0);
  // without the first, the second; without any, nothing
  c->skip_body = 0;
  run(&w, c);
  assert_miss(c, 0);
  assert_hit(c, 1, 8, 0, 0, 1);
  assert_int_equal(rut_contact_owner(w.model, c->index[1]).body, 1);
  c->moving = false;
  run(&w, c);
  assert_miss(c, 1);
  assert_int_equal(rut_contact_owner(w.model, -1).kind, -1);
  free(c);
  world_free(&w);
}

static void what_begins_inside_does_not_see_the_prism(void** state) {
  (void)state;
  world w = world_new(0, 2);
  world_box(&w, -1, 0, 0, 2, 2);
  world_box(&w, -1, 5, 0, 2, 2);
  world_build(&w);
  cast* c = cast_new(100);
  add_ray(c, 0, 0, 0.5, 1, 0, 0);
  add_ray(c, 0, 0, 0.5, 0, 0, 1);
  add_ray(c, 0, 0, 0.5, 1, 0, 0.2);  // leaves through the side at z 0.7, passes over the other
  run(&w, c);
  assert_hit(c, 0, 4, -1, 0, 0);
  assert_miss(c, 1);
  assert_miss(c, 2);
  free(c);
  world_free(&w);
}

// A hit at max_range counts, one behind it does not; what was nearer before stays.
static void ranges_are_only_shortened(void** state) {
  (void)state;
  world w = world_new(0, 1);
  world_box(&w, -1, 0, 0, 2, 2);
  world_build(&w);
  cast* c = cast_new(2);
  add_ray(c, -3, 0, 0.5, 1, 0, 0);
  add_ray(c, -3.001, 0, 0.5, 1, 0, 0);
  add_ray(c, -2.5, 0, 0.5, 1, 0, 0);
  add_ray(c, -2.5, 0, 0.5, 1, 0, 0);
  rut_contact_index(w.model, w.state, &w.at);
  const rutCastScene scene = rut_contact_scene(w.model, w.state, &w.at);
  rut_rays_begin(&c->rays, &c->out);
  c->range[2] = 1.25;
  c->target[2] = RUT_RAY_GROUND;
  c->index[2] = 7;
  c->range[3] = 1.75;
  rut_contact_cast(&scene, true, -1, &c->rays, &c->out);
  assert_near(c->range[0], 2, 0);
  assert_miss(c, 1);
  assert_near(c->range[2], 1.25, 0);
  assert_int_equal(c->target[2], RUT_RAY_GROUND);
  assert_int_equal(c->index[2], 7);
  assert_near(c->range[3], 1.5, 0);
  // outputs that are not wanted
  c->out.normal[0] = NULL;
  c->out.target = NULL;
  c->rays.max_range = HUGE_VAL;
  rut_rays_begin(&c->rays, &c->out);
  rut_contact_cast(&scene, true, -1, &c->rays, &c->out);
  assert_near(c->range[1], 2.001, 1e-15);
  free(c);
  world_free(&w);
}

// ---------------------------------------------------------------------------------------------
// Plain search

typedef struct hit {
  double range, normal[3];
  int prism;     // of the definition
  double doubt;  // how near the ray passes to an edge of some prism, or begins to a face [m]
} hit;

typedef struct clip {
  double enter, leave, normal[3];
} clip;

// Cut by the half-space n . (p - a) <= 0 (Cyrus and Beck).
static void cut(clip* c, const double n[3], const double a[3], const double o[3],
                const double d[3]) {
  double away = 0, rate = 0;
  for (int k = 0; k < 3; k++) {
    away += n[k] * (o[k] - a[k]);
    rate += n[k] * d[k];
  }
  if (rate == 0) {
    if (away > 0) c->leave = -HUGE_VAL;
    return;
  }
  const double t = -away / rate;
  if (rate < 0 && t > c->enter) {
    c->enter = t;
    for (int k = 0; k < 3; k++) c->normal[k] = n[k];
  }
  if (rate > 0) c->leave = fmin(c->leave, t);
}

static void try_prism(const world* w, int i, const double o[3], const double d[3], hit* h) {
  const rutPrismDef* p = &w->prism[i];
  const int b = p->body;
  const double x = b < 0 ? 0 : w->at.x[b], y = b < 0 ? 0 : w->at.y[b], z = b < 0 ? 0 : w->at.z[b];
  const double s = b < 0 ? 0 : sin(w->at.yaw[b]), c = b < 0 ? 1 : cos(w->at.yaw[b]);
  clip in = {-HUGE_VAL, HUGE_VAL, {0, 0, 0}};
  const double up[3] = {0, 0, 1}, down[3] = {0, 0, -1};
  cut(&in, up, (double[]){0, 0, z + p->z_max}, o, d);
  cut(&in, down, (double[]){0, 0, z + p->z_min}, o, d);
  for (int k = 0; k < p->n; k++) {
    const double *u = p->xy + 2 * k, *v = p->xy + 2 * ((k + 1) % p->n);
    const double a[3] = {x + c * u[0] - s * u[1], y + s * u[0] + c * u[1], 0};
    const double ex = c * (v[0] - u[0]) - s * (v[1] - u[1]);
    const double ey = s * (v[0] - u[0]) + c * (v[1] - u[1]), length = sqrt(ex * ex + ey * ey);
    cut(&in, (double[]){ey / length, -ex / length, 0}, a, o, d);
  }
  h->doubt = fmin(h->doubt, fmin(fabs(in.leave - in.enter), fabs(in.enter)));
  if (!(in.enter <= in.leave && in.enter >= 0)) return;
  h->doubt = fmin(h->doubt, fabs(in.enter - h->range));
  if (in.enter >= h->range) return;
  h->range = in.enter;
  h->prism = i;
  for (int k = 0; k < 3; k++) h->normal[k] = in.normal[k];
}

static hit search(const world* w, const cast* c, int ray) {
  hit h = {HUGE_VAL, {0}, -1, HUGE_VAL};
  const double o[3] = {c->o[0][ray], c->o[1][ray], c->o[2][ray]};
  const double d[3] = {c->d[0][ray], c->d[1][ray], c->d[2][ray]};
  for (int i = 0; i < w->def.prisms; i++) {
    const int body = w->prism[i].body;
    if (body >= 0 && (!c->moving || body == c->skip_body)) continue;
    try_prism(w, i, o, d, &h);
  }
  h.doubt = fmin(h.doubt, fabs(h.range - c->rays.max_range));
  if (h.range > c->rays.max_range) h.prism = -1;
  return h;
}

// Compare all rays with the search; returns how many hit something.
static int compare(world* w, cast* c) {
  run(w, c);
  int hits = 0;
  for (int i = 0; i < c->rays.n; i++) {
    const hit h = search(w, c, i);
    if (h.doubt < 1e-8) continue;
    if (h.prism < 0) {
      assert_miss(c, i);
      continue;
    }
    double facing = 0;
    for (int k = 0; k < 3; k++) facing -= h.normal[k] * c->d[k][i];
    assert_near(c->range[i], h.range, 1e-12 * (1 + h.range) / facing);
    for (int k = 0; k < 3; k++) assert_near(c->normal[k][i], h.normal[k], 1e-12);
    assert_int_equal(c->target[i], RUT_RAY_PRISM);
    const rutPrismOwner solid = rut_contact_owner(w->model, c->index[i]);
    assert_int_equal(solid.body, w->prism[h.prism].body);
    hits++;
  }
  return hits;
}

static void random_scenes_match_plain_search(void** state) {
  (void)state;
  uint64_t seed = 5;
  int rays = 0, hits = 0;
  for (int scene = 0; scene < 60; scene += repetitions(1, 7)) {
    const double extent = scene % 3 == 0 ? 10 : scene % 3 == 1 ? 40 : 120;
    world w = random_scene(&seed, 1 + scene * 2, scene % 4 ? scene * 2 : 0, extent);
    // one far away from all others, outside the cells
    if (scene % 5 == 0) w.at.x[0] = 30 * extent;
    for (int k = 0; k < 3; k++) {
      cast* c = cast_new(k == 2 ? 0.3 * extent : HUGE_VAL);
      c->moving = k != 1 || scene % 2;
      c->skip_body = k ? -1 : 0;
      for (int i = 0; i < 600; i++) {
        // low rays over the ground, steep ones from above, and from below
        const double z = i % 3 == 0 ? random_unit(&seed) : i % 3 == 1 ? 20 : -3;
        const double dz = i % 3 == 0 ? 0.2 * random_unit(&seed) - 0.1 : i % 3 == 1 ? -1 : 0.2;
        add_ray(c, extent * (random_unit(&seed) - 0.5), extent * (random_unit(&seed) - 0.5), z,
                random_unit(&seed) - 0.5, random_unit(&seed) - 0.5, dz);
      }
      // towards the one far away
      for (int i = 0; i < 20; i++) {
        const double from = extent * (random_unit(&seed) - 0.5);
        add_ray(c, 0, from, 1, w.at.x[0], w.at.y[0] - from, w.at.z[0] - 0.8);
      }
      hits += compare(&w, c);
      rays += c->rays.n;
      free(c);
    }
    world_free(&w);
  }
  assert_true(rays > repetitions(100000, 10000));
  assert_true(hits > rays / repetitions(6, 7));
}

// Level rays against the planar scan, which takes another way to the same numbers.
static void level_rays_are_those_of_a_scan(void** state) {
  (void)state;
  enum { N = 720 };
  uint64_t seed = 9;
  int hits = 0;
  for (int scene = 0; scene < 40; scene += repetitions(1, 7)) {
    const double extent = scene % 2 ? 15 : 60;
    world w = random_scene(&seed, 2 + 2 * scene, 2 * scene, extent);
    double angle[N], range[N];
    cast* c = cast_new(scene % 3 ? 1000 : 0.4 * extent);
    c->moving = scene % 4 != 0;
    c->skip_body = scene % 3 - 1;
    const double x = extent * (random_unit(&seed) - 0.5), y = extent * (random_unit(&seed) - 0.5);
    const double z = random_unit(&seed);
    for (int i = 0; i < N; i++) {
      angle[i] = -pi + 2 * pi * i / (N - 1);
      add_ray(c, x, y, z, cos(angle[i]), sin(angle[i]), 0);
    }
    run(&w, c);
    const rutScan scan = {x, y, z, N, angle, c->rays.max_range, c->moving, c->skip_body};
    void* scratch = malloc(rut_scan_scratch(w.model, N));
    rut_scan_cast(w.model, w.state, &w.at, &scan, scratch, (rutScanResult){range, NULL});
    for (int i = 0; i < N; i++) {
      if (search(&w, c, i).doubt < 1e-8) continue;
      if (range[i] < 0) {
        assert_miss(c, i);
        continue;
      }
      const double facing = -c->normal[0][i] * c->d[0][i] - c->normal[1][i] * c->d[1][i];
      // where a face is seen edge-on, roundings of the direction move the hit along it
      const double tolerance = facing > 0.1 ? 1e-12 : 1e-13 / facing;
      assert_near(c->range[i], range[i], tolerance * (1 + range[i]));
      hits++;
    }
    free(scratch);
    free(c);
    world_free(&w);
  }
  assert_true(hits > repetitions(10000, 500));
}

// ---------------------------------------------------------------------------------------------
// Nothing leaks

// A floor of boxes side by side: straight down and slanting, on borders and corners of the boxes,
// which are those of the cells too.
static void no_ray_leaks_between_prisms(void** state) {
  (void)state;
  enum { SIDE = 12 };
  const double size[3] = {1, 0.1, 0.7};
  uint64_t seed = 21;
  for (int k = 0; k < 3; k++) {
    world w = world_new(0, SIDE * SIDE);
    const double a = size[k];
    for (int i = 0; i < SIDE * SIDE; i++) {
      const double x = a * (i % SIDE), y = a * (i / SIDE);
      const double x1 = a * (i % SIDE + 1), y1 = a * (i / SIDE + 1);
      const double xy[8] = {x, y, x1, y, x1, y1, x, y1};
      world_prism(&w, -1, 4, xy);
    }
    world_build(&w);
    for (int round = 0; round < repetitions(20, 4); round++) {
      cast* c = cast_new(HUGE_VAL);
      for (int i = 0; i < MOST; i++) {
        // a point on the grid of borders, or a node of it
        double x = a * (1 + (int)(random_unit(&seed) * (SIDE - 1))), y = x;
        y = i % 2 ? a * (1 + (int)(random_unit(&seed) * (SIDE - 1)))
                  : a * (0.5 + random_unit(&seed) * (SIDE - 1));
        if (i % 4 == 0) {
          const double swap = x;
          x = y;
          y = swap;
        }
        double from[3] = {x, y, 3};
        if (round % 2) from[0] += 4 * random_unit(&seed) - 2;
        if (round % 4 > 1) from[1] += 4 * random_unit(&seed) - 2;
        add_ray(c, from[0], from[1], from[2], x - from[0], y - from[1], 1 - from[2]);
      }
      run(&w, c);
      for (int i = 0; i < c->rays.n; i++) {
        const double z = c->o[2][i] + c->range[i] * c->d[2][i];
        assert_near(z, 1, 1e-9);
      }
      free(c);
    }
    world_free(&w);
  }
}

// 1e5 rays straight down on a mosaic of prisms of many heights meet each one's own top.
static void downward_rays_meet_the_highest_top(void** state) {
  (void)state;
  uint64_t seed = 33;
  world w = random_scene(&seed, 40, 60, 30);
  int hits = 0;
  for (int round = 0; round < repetitions(50, 10); round++) {
    cast* c = cast_new(HUGE_VAL);
    for (int i = 0; i < MOST; i++) {
      add_ray(c, 34 * (random_unit(&seed) - 0.5), 34 * (random_unit(&seed) - 0.5), 5, 0, 0, -1);
    }
    run(&w, c);
    for (int i = 0; i < c->rays.n; i++) {
      const hit h = search(&w, c, i);
      if (h.prism < 0) {
        assert_miss(c, i);
        continue;
      }
      assert_near(c->range[i], h.range, 1e-14 * h.range);
      assert_near(c->normal[2][i], 1, 0);
      hits++;
    }
    free(c);
  }
  assert_true(hits > repetitions(10000, 2000));
  world_free(&w);
}

// ---------------------------------------------------------------------------------------------
// Occupancy grids

enum { CELLS = 30 };

static world grid_world(uint64_t* seed, rutOccupancy* grid, const rutOccupancy** list,
                        double friction[2]) {
  const double origin[2] = {-3.1, 2.2};
  rut_occupancy_init(grid, CELLS, CELLS, 0.2, origin, malloc(rut_occupancy_bytes(CELLS, CELLS)));
  for (int i = 0; i < CELLS * CELLS; i++) {
    const double u = random_unit(seed);
    grid->cell[i] = u < 0.06 ? RUT_CELL_OCCUPIED : u < 0.07 ? RUT_CELL_UNKNOWN : RUT_CELL_FREE;
  }
  rut_occupancy_build(grid);
  static const unsigned char solid[1] = {1};
  world w = world_new(0, 1);
  list[0] = grid;
  friction[0] = friction[1] = 0;
  w.def.grids = 1;
  w.def.grid = list;
  w.def.grid_friction = w.def.grid_restitution = friction;
  w.def.grid_solid = solid;
  world_box(&w, -1, 0, 5, 0.3, 0.3);
  world_build(&w);
  return w;
}

// Cells are columns without end: a slanting ray goes as far over the map as the level one below it.
static bool is_occupied(const rutOccupancy* grid, double x, double y) {
  const double u = (x - grid->origin[0]) / grid->resolution;
  const double v = (y - grid->origin[1]) / grid->resolution;
  if (!(u >= 0 && v >= 0 && u < grid->nx && v < grid->ny)) return false;
  return grid->cell[(int)v * grid->nx + (int)u] == RUT_CELL_OCCUPIED;
}

static void cells_are_upright_columns(void** state) {
  (void)state;
  uint64_t seed = 17;
  rutOccupancy grid;
  const rutOccupancy* list[1];
  double friction[2];
  world w = grid_world(&seed, &grid, list, friction);
  cast* c = cast_new(HUGE_VAL);
  for (int i = 0; i < MOST; i++) {
    const double a = 2 * pi * random_unit(&seed), slope = 6 * (random_unit(&seed) - 0.5);
    // above and below the only prism, 0 to 1 m
    add_ray(c, 8 * random_unit(&seed) - 4, 1 + 8 * random_unit(&seed), slope > 0 ? 2 : -1, cos(a),
            sin(a), slope);
  }
  run(&w, c);
  int hits = 0, inside = 0;
  for (int i = 0; i < c->rays.n; i++) {
    const double x = c->o[0][i], y = c->o[1][i], level = hypot(c->d[0][i], c->d[1][i]);
    const rutGridRay ray = {x, y, c->d[0][i] / level, c->d[1][i] / level, HUGE_VAL};
    const double far = rut_occupancy_cast(&grid, &ray, NULL);
    if (isinf(far)) {
      assert_miss(c, i);
      continue;
    }
    hits++;
    assert_int_equal(c->target[i], RUT_RAY_GRID);
    assert_int_equal(c->index[i], 0);
    assert_near(c->range[i] * level, far, 1e-12 * (1 + far));
    if (far == 0) {
      inside++;
      for (int k = 0; k < 3; k++) assert_near(c->normal[k][i], -c->d[k][i], 0);
      continue;
    }
    // half a cell behind the face is the occupied cell, half a cell before it another one
    const double nx = c->normal[0][i], ny = c->normal[1][i], h = 1e-6;
    const double px = x + c->range[i] * c->d[0][i], py = y + c->range[i] * c->d[1][i];
    assert_true(fabs(nx) + fabs(ny) == 1 && c->normal[2][i] == 0);
    assert_true(nx * c->d[0][i] + ny * c->d[1][i] < 0);
    assert_true(is_occupied(&grid, px - h * nx, py - h * ny));
    assert_false(is_occupied(&grid, px + h * nx, py + h * ny));
  }
  assert_true(hits > 500 && inside > 20);
  free(c);
  free(grid.cell);
  world_free(&w);
}

// Prisms and cells together, level: the scan again.
static void level_rays_in_a_grid_are_those_of_a_scan(void** state) {
  (void)state;
  enum { N = 360 };
  uint64_t seed = 19;
  rutOccupancy grid;
  const rutOccupancy* list[1];
  double friction[2], angle[N], range[N];
  unsigned char on_grid[N];
  world w = grid_world(&seed, &grid, list, friction);
  cast* c = cast_new(4);
  for (int i = 0; i < N; i++) {
    angle[i] = -3 + 6.0 * i / N;
    add_ray(c, 0.31, 4.4, 0.5, cos(angle[i]), sin(angle[i]), 0);
  }
  run(&w, c);
  const rutScan scan = {0.31, 4.4, 0.5, N, angle, 4, true, -1};
  void* scratch = malloc(rut_scan_scratch(w.model, N));
  rut_scan_cast(w.model, w.state, &w.at, &scan, scratch, (rutScanResult){range, on_grid});
  int cells = 0;
  for (int i = 0; i < N; i++) {
    assert_int_equal(range[i] < 0, isinf(c->range[i]));
    if (range[i] < 0) continue;
    assert_near(c->range[i], range[i], 1e-12 * (1 + range[i]));
    assert_int_equal(c->target[i] == RUT_RAY_GRID, on_grid[i]);
    cells += on_grid[i];
  }
  assert_true(cells > 100 && cells < N);
  free(scratch);
  free(c);
  free(grid.cell);
  world_free(&w);
}

// ---------------------------------------------------------------------------------------------

static void strange_numbers_do_no_harm(void** state) {
  (void)state;
  uint64_t seed = 2;
  world w = random_scene(&seed, 20, 20, 20);
  cast* c = cast_new(HUGE_VAL);
  add_ray(c, NAN, 0, 0, 1, 0, 0);
  add_ray(c, 0, 0, HUGE_VAL, 1, 0, 0);
  add_ray(c, 0, 0, 0.5, 0, 0, 0);
  c->d[1][add_ray(c, 0, 0, 0.5, 1, 0, 0)] = NAN;
  add_ray(c, 1e300, 1e300, 0.5, -1, -1, 0);
  add_ray(c, -60, 0, 0.5, 1, 1e-300, 1e-310);
  run(&w, c);
  for (int i = 0; i < 5; i++) assert_miss(c, i);
  // components that lead nowhere count as 0
  c->o[1][2] = 0;
  const int level = add_ray(c, -60, 0, 0.5, 1, 0, 0);
  run(&w, c);
  assert_true(c->range[5] == c->range[level]);
  w.at.x[0] = w.at.yaw[1] = NAN;
  w.at.y[2] = HUGE_VAL;
  w.at.z[3] = NAN;
  run(&w, c);
  c->rays.max_range = NAN;
  run(&w, c);
  for (int i = 0; i < c->rays.n; i++) assert_miss(c, i);
  c->rays.n = 0;
  run(&w, c);
  free(c);
  world_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_faces_of_a_box),
      cmocka_unit_test(moving_bodies_turn_and_rise),
      cmocka_unit_test(what_begins_inside_does_not_see_the_prism),
      cmocka_unit_test(ranges_are_only_shortened),
      cmocka_unit_test(random_scenes_match_plain_search),
      cmocka_unit_test(level_rays_are_those_of_a_scan),
      cmocka_unit_test(no_ray_leaks_between_prisms),
      cmocka_unit_test(downward_rays_meet_the_highest_top),
      cmocka_unit_test(cells_are_upright_columns),
      cmocka_unit_test(level_rays_in_a_grid_are_those_of_a_scan),
      cmocka_unit_test(strange_numbers_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
