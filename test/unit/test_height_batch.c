// SPDX-License-Identifier: BSD-3-Clause
//
// Batches of rays against elevation maps: lanes, single rays and a search of every cell agree bit
// for bit. RUT_TEST_RAYS=10000000 casts that many rays where a test has 1e5.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "geom/height_field.h"
#include "geom/height_walk.h"

static uint32_t seed = 11;
static double random_unit(void) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) / 16777216.0;
}
static double between(double low, double high) { return low + (high - low) * random_unit(); }

static int ray_count(void) {
  const char* count = getenv("RUT_TEST_RAYS");
  return count ? atoi(count) : 100000;
}

// ---------------------------------------------------------------------------------------------
// Maps

typedef enum Kind { HILLS, CLIFFS, HOLES, RIDGES } Kind;

typedef struct Map {
  int nx, ny;
  double spacing, origin[2], *height, *top;
  float* cells;
  rutHeightPyramid pyramid;
  rutHeightMaxima maxima;
  rutHeightField field;
} Map;

static double height_of(Kind kind, double x, double y) {
  const double hill = 2 * sin(0.31 * x) * cos(0.23 * y) + 0.3 * sin(1.7 * x + 0.9 * y);
  const bool here = random_unit() < 0.01;
  const double ridge = fmod(fabs(x), 4) < 0.01 ? 1.5 : 0;
  if (kind == CLIFFS && here) return hill + between(-3, 20);
  if (kind == HOLES && here) return RUT_NAN;
  return kind == RIDGES ? ridge : hill + between(-0.05, 0.05);
}

static Map* map_new(Kind kind, int nx, int ny, double offset) {
  Map* m = calloc(1, sizeof *m);
  const size_t numbers = rut_height_maxima_size(nx, ny);
  m->nx = nx;
  m->ny = ny;
  m->spacing = 0.5;
  m->origin[0] = offset - 5;
  m->origin[1] = offset + 3;
  m->height = malloc((size_t)nx * (size_t)ny * sizeof *m->height);
  m->top = malloc(rut_height_pyramid_size(nx, ny) * sizeof *m->top);
  m->cells = malloc(numbers * sizeof *m->cells);
  for (int i = 0; i < nx * ny; i++) {
    m->height[i] = height_of(kind, m->spacing * (i % nx), m->spacing * (i / nx));
  }
  rut_height_field_init(&m->field, nx, ny, m->spacing, m->origin, m->height);
  rut_height_pyramid_build(&m->field, m->top, &m->pyramid);
  rut_height_maxima_build(&m->field, m->cells, &m->maxima);
  assert_non_null(m->field.maxima);
  return m;
}

static void map_free(Map* m) {
  free(m->height);
  free(m->top);
  free(m->cells);
  free(m);
}

// ---------------------------------------------------------------------------------------------
// Rays

typedef struct Rays {
  int n;
  double *number[12], *o[3], *d[3], *t_min, *t_max, *range, *normal[3];
} Rays;

static Rays rays_new(int n) {
  Rays r = {.n = n};
  for (int k = 0; k < 12; k++) r.number[k] = calloc((size_t)n, sizeof(double));
  for (int k = 0; k < 3; k++) {
    r.o[k] = r.number[k];
    r.d[k] = r.number[3 + k];
    r.normal[k] = r.number[6 + k];
  }
  r.t_min = r.number[9];
  r.t_max = r.number[10];
  r.range = r.number[11];
  return r;
}

static void rays_free(Rays* r) {
  for (int k = 0; k < 12; k++) free(r->number[k]);
}

static void put_ray(Rays* r, int i, const double from[3], const double way[3], double far) {
  const double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
  for (int k = 0; k < 3; k++) {
    r->o[k][i] = from[k];
    r->d[k][i] = way[k] / length;
  }
  r->t_max[i] = far;
}

static double clamp_int(double x, int low, int high) { return x < low ? low : x > high ? high : x; }

// From above, within or beside the map; many through nodes, along lines of nodes and diagonals,
// level or upright, or just over a node.
static void random_ray(const Map* m, Rays* r, int i) {
  const double wide = m->spacing * (m->nx - 1), high = m->spacing * (m->ny - 1);
  const int ix = (int)between(0, m->nx - 1), iy = (int)between(0, m->ny - 1);
  const double node = m->height[iy * m->nx + ix], ground = node == node ? node : 0;
  double from[3] = {m->origin[0] + between(-0.1, 1.1) * wide,
                    m->origin[1] + between(-0.1, 1.1) * high, between(-1, 5)};
  double way[3] = {between(-1, 1), between(-1, 1), between(-0.3, 0.05)};
  const int kind = (int)between(0, 10);
  if (kind <= 2) {  // along lines and diagonals, from a node
    for (int k = 0; k < 2; k++) from[k] = m->origin[k] + m->spacing * (k == 0 ? ix : iy);
    way[0] = kind == 0 ? 0 : random_unit() < 0.5 ? 1 : -1;
    way[1] = kind == 1 ? 0 : random_unit() < 0.5 ? 1 : -1;
  } else if (kind <= 5) {  // past a node, or at it
    const double over = kind == 3 ? 0 : kind == 4 ? 1e-4 : between(-1e-3, 1e-3);
    const double at[3] = {m->origin[0] + m->spacing * ix, m->origin[1] + m->spacing * iy,
                          ground + over};
    for (int k = 0; k < 3; k++) way[k] = at[k] - from[k];
  } else if (kind == 6) {
    way[2] = 0;
  } else if (kind == 7 && random_unit() < 0.2) {
    way[0] = way[1] = 0;
    way[2] = random_unit() < 0.8 ? -1 : 1;
  }
  put_ray(r, i, from, way, random_unit() < 0.8 ? HUGE_VAL : between(0, 30));
  // no unit vector, which is no use, but no harm either
  const double scale = random_unit() < 0.99 ? 1 : exp(between(-40, 40));
  for (int k = 0; k < 3; k++) r->d[k][i] *= scale;
  r->t_min[i] = random_unit() < 0.9 ? 0 : between(0, 10);
}

static void cast(const Map* m, Rays* r, int first, int n) {
  const rutHeightRays rays = {
      n,
      {r->o[0] + first, r->o[1] + first, r->o[2] + first},
      {r->d[0] + first, r->d[1] + first, r->d[2] + first},
      r->t_min + first,
      r->t_max + first,
      r->range + first,
      {r->normal[0] + first, r->normal[1] + first, r->normal[2] + first},
  };
  rut_height_field_cast_n(&m->field, &rays);
}

static void assert_same_bits(double a, double b) { assert_memory_equal(&a, &b, sizeof a); }

// ---------------------------------------------------------------------------------------------
// Every cell

// The first of all cells in which a ray hits, without any walk.
static double search(const rutHeightField* f, const Rays* r, int i) {
  rutHeightWalk w;
  const rutVec3 o = rut_vec3(r->o[0][i], r->o[1][i], r->o[2][i]);
  const rutVec3 d = rut_vec3(r->d[0][i], r->d[1][i], r->d[2][i]);
  double nearest = HUGE_VAL;
  if (!rut_walk_begin(&w, f, o, d, r->t_min[i], r->t_max[i])) return nearest;
  for (int iy = 0; iy < f->ny - 1; iy++) {
    for (int ix = 0; ix < f->nx - 1; ix++) {
      const int cell[2] = {ix, iy};
      double enter[2], leave[2];
      for (int k = 0; k < 2; k++) {
        const int back = w.d[k] < 0 ? 1 : -1, ahead = (w.cell[k] - cell[k]) * back;
        enter[k] = rut_line_at(rut_walk_axis(&w, k), cell[k] + back);
        enter[k] = ahead > 0 ? enter[k] : ahead < 0 ? HUGE_VAL : -HUGE_VAL;
        leave[k] = rut_line_at(rut_walk_axis(&w, k), cell[k]);
      }
      // through a node, the way leads over the cell beside it along v
      if (enter[0] >= leave[1] || enter[1] > leave[0]) continue;
      const double entered = rut_max(enter[0], enter[1]), t0 = rut_max(entered, w.t0);
      const double t1 = rut_max(rut_min(rut_min(leave[0], leave[1]), w.t1), t0);
      // nor does it lead into a cell at its very end
      if (!(entered < w.t1)) continue;
      const rutHeightPatch patch = rut_height_patch(f->height + iy * f->nx + ix, f->nx);
      const double t = rut_cell_hit(rut_cell_depth(patch, rut_cell_ray(&w, ix, iy)), t0, t1);
      if (t <= t1) nearest = rut_min(t, nearest);
    }
  }
  return nearest;
}

static void every_cell_gives_the_same_bits(void** state) {
  (void)state;
  const int n = ray_count() / 8;
  for (int round = 0; round < 8; round++) {
    Map* m = map_new((Kind)(round % 4), 37, 29, round < 4 ? 0 : 1e6);
    Rays r = rays_new(n);
    int hits = 0;
    for (int i = 0; i < n; i++) random_ray(m, &r, i);
    cast(m, &r, 0, n);
    for (int i = 0; i < n; i++) {
      assert_same_bits(r.range[i], search(&m->field, &r, i));
      hits += r.range[i] < HUGE_VAL;
    }
    assert_true(hits > n / 3);
    rays_free(&r);
    map_free(m);
  }
}

static void lanes_equal_single_rays(void** state) {
  (void)state;
  const int n = ray_count() / 8;
  for (int round = 0; round < 8; round++) {
    Map* m = map_new((Kind)(round % 4), 300, 203, round < 4 ? 0 : 1e6);
    Rays r = rays_new(n);
    for (int i = 0; i < n; i++) random_ray(m, &r, i);
    cast(m, &r, 0, n);
    for (int i = 0; i < n; i++) {
      const double o[3] = {r.o[0][i], r.o[1][i], r.o[2][i]};
      const double d[3] = {r.d[0][i], r.d[1][i], r.d[2][i]};
      double normal[3];
      const double t = rut_height_field_cast(&m->field, o, d, r.t_min[i], r.t_max[i], normal);
      assert_same_bits(r.range[i], t);
      for (int k = 0; t < HUGE_VAL && k < 3; k++) assert_same_bits(r.normal[k][i], normal[k]);
    }
    rays_free(&r);
    map_free(m);
  }
}

// A bundle as of a lidar or camera: from one place above the ground, or from all over a patch of
// ground towards a sun.
static void put_bundle(const Map* m, Rays* r, int first, int n) {
  const double wide = m->spacing * (m->nx - 1), high = m->spacing * (m->ny - 1);
  const double place[2] = {m->origin[0] + between(0.1, 0.9) * wide,
                           m->origin[1] + between(0.1, 0.9) * high};
  const bool to_sun = random_unit() < 0.3;
  const double turn = between(-3, 3), rise = to_sun ? between(0.02, 1) : between(-0.6, 0.1);
  const double spread = random_unit() < 0.5 ? 0.1 : 0.005, far = between(5, 100);
  double over = between(0.01, 4);
  for (int i = first; i < first + n; i++) {
    double from[3] = {place[0], place[1], 0}, normal[3];
    const double angle = turn + (to_sun ? 0 : spread * (i - first) / n);
    const double way[3] = {cos(angle), sin(angle), rise + (to_sun ? 0 : between(-1e-3, 1e-3))};
    if (to_sun) {
      for (int k = 0; k < 2; k++) from[k] += between(-1, 1);
      over = 1e-4;
    }
    if (!rut_height_field_at(&m->field, from[0], from[1], &from[2], normal)) from[2] = 1;
    from[2] += over;
    put_ray(r, i, from, way, far);
    r->t_min[i] = 0;
  }
}

static void bundles_equal_single_rays(void** state) {
  (void)state;
  const int n = ray_count() / 8, whole = 64;
  for (int round = 0; round < 8; round++) {
    Map* m = map_new((Kind)(round % 4), 300, 203, round < 4 ? 0 : 1e6);
    Rays r = rays_new(n);
    int hits = 0;
    for (int i = 0; i < n; i += whole) put_bundle(m, &r, i, n - i < whole ? n - i : whole);
    cast(m, &r, 0, n);
    for (int i = 0; i < n; i++) {
      const double o[3] = {r.o[0][i], r.o[1][i], r.o[2][i]};
      const double d[3] = {r.d[0][i], r.d[1][i], r.d[2][i]};
      double normal[3];
      const double t = rut_height_field_cast(&m->field, o, d, r.t_min[i], r.t_max[i], normal);
      assert_same_bits(r.range[i], t);
      for (int k = 0; t < HUGE_VAL && k < 3; k++) assert_same_bits(r.normal[k][i], normal[k]);
      hits += t < HUGE_VAL;
    }
    assert_true(hits > n / 4 && hits < n);
    rays_free(&r);
    map_free(m);
  }
}

static void neighbours_in_a_batch_change_nothing(void** state) {
  (void)state;
  enum { N = 999 };
  Map* m = map_new(CLIFFS, 120, 90, 0);
  Rays r = rays_new(N);
  double range[N], normal[3][N];
  for (int i = 0; i < N; i++) random_ray(m, &r, i);
  cast(m, &r, 0, N);
  memcpy(range, r.range, sizeof range);
  for (int k = 0; k < 3; k++) memcpy(normal[k], r.normal[k], sizeof normal[k]);
  const int sizes[] = {1, 2, 5, 15, 16, 17, 100};
  for (int s = 0; s < 7; s++) {
    for (int i = 0; i < N; i += sizes[s]) cast(m, &r, i, N - i < sizes[s] ? N - i : sizes[s]);
    assert_memory_equal(range, r.range, sizeof range);
    for (int k = 0; k < 3; k++) assert_memory_equal(normal[k], r.normal[k], sizeof normal[k]);
  }
  // in reverse order
  Rays back = rays_new(N);
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 12; k++) back.number[k][N - 1 - i] = r.number[k][i];
  }
  cast(m, &back, 0, N);
  for (int i = 0; i < N; i++) assert_same_bits(back.range[N - 1 - i], range[i]);
  rays_free(&back);
  rays_free(&r);
  map_free(m);
}

// ---------------------------------------------------------------------------------------------
// Closed forms

// Ridges 1.5 m high every 4 m along y: rays a tenth of a millimetre over them meet none, rays that
// much below meet the first, where the slope of 3 has that height.
static void rays_just_over_and_below_a_ridge(void** state) {
  (void)state;
  enum { N = 64 };
  const double offsets[] = {0, 1e6};
  for (int s = 0; s < 2; s++) {
    Map* m = map_new(RIDGES, 401, 101, offsets[s]);
    Rays r = rays_new(N);
    for (int i = 0; i < N; i++) {
      const double over = i % 2 ? 1e-4 : -1e-4, y = m->origin[1] + 0.5 + 0.7 * i;
      const double from[3] = {m->origin[0] + 0.75, y, 1.5 + over}, way[3] = {1, 0, 0};
      put_ray(&r, i, from, way, HUGE_VAL);
    }
    cast(m, &r, 0, N);
    for (int i = 0; i < N; i++) {
      if (i % 2) {
        assert_true(isinf(r.range[i]));
        continue;
      }
      assert_near(r.range[i], 4 - 0.75 - 1e-4 / 3, 1e-9);
      assert_near(r.normal[0][i], -3 / sqrt(10), 1e-9);
    }
    rays_free(&r);
    map_free(m);
  }
}

// What comes down on the map from above stops on it, at nodes and edges too.
static void no_ray_leaks(void** state) {
  (void)state;
  const int n = ray_count();
  Map* m = map_new(HILLS, 150, 130, 0);
  Rays r = rays_new(n);
  for (int i = 0; i < n; i++) {
    const int ix = (int)between(20, m->nx - 20), iy = (int)between(20, m->ny - 20);
    double x = m->origin[0] + m->spacing * ix, y = m->origin[1] + m->spacing * iy;
    if (i % 3 == 1) x += m->spacing * random_unit();
    if (i % 3 == 2) y += m->spacing * random_unit();
    const double from[3] = {x + between(-9, 9), y + between(-9, 9), 8};
    const double way[3] = {x - from[0], y - from[1], -8 - 3};
    put_ray(&r, i, from, way, HUGE_VAL);
  }
  cast(m, &r, 0, n);
  for (int i = 0; i < n; i++) assert_true(r.range[i] < 25);
  rays_free(&r);
  map_free(m);
}

// Rays against a plane, which bilinear patches hold exactly.
static void lanes_meet_a_plane(void** state) {
  (void)state;
  enum { N = 2000 };
  Map* m = map_new(HILLS, 90, 110, 0);
  for (int i = 0; i < m->nx * m->ny; i++) {
    m->height[i] = 0.3 + 0.15 * 0.5 * (i % m->nx) - 0.4 * 0.5 * (i / m->nx);
  }
  rut_height_field_init(&m->field, m->nx, m->ny, m->spacing, m->origin, m->height);
  rut_height_pyramid_build(&m->field, m->top, &m->pyramid);
  rut_height_maxima_build(&m->field, m->cells, &m->maxima);
  Rays r = rays_new(N);
  int hits = 0;
  for (int i = 0; i < N; i++) {
    const double from[3] = {m->origin[0] + between(5, 40), m->origin[1] + between(5, 50), 8};
    const double way[3] = {between(-1, 1), between(-1, 1), between(-1, -0.2)};
    put_ray(&r, i, from, way, HUGE_VAL);
  }
  cast(m, &r, 0, N);
  for (int i = 0; i < N; i++) {
    const double x = r.o[0][i] - m->origin[0], y = r.o[1][i] - m->origin[1];
    const double above = r.o[2][i] - (0.3 + 0.15 * x - 0.4 * y);
    const double t = above / (0.15 * r.d[0][i] - 0.4 * r.d[1][i] - r.d[2][i]);
    const double u = x + t * r.d[0][i], v = y + t * r.d[1][i];
    if (!(t > 0 && u > 0 && v > 0 && u < 44.5 && v < 54.5)) continue;
    assert_near(r.range[i], t, 1e-12 * (1 + t));
    hits++;
  }
  assert_true(hits > N / 2);
  rays_free(&r);
  map_free(m);
}

static void rays_that_are_not_numbers_hit_nothing(void** state) {
  (void)state;
  enum { N = 20 };
  Map* m = map_new(HILLS, 40, 40, 0);
  Rays r = rays_new(N);
  const double bad[] = {RUT_NAN, HUGE_VAL, -HUGE_VAL};
  for (int i = 0; i < N; i++) {
    const double from[3] = {1, 5, 6}, way[3] = {0.1, 0.1, -1};
    put_ray(&r, i, from, way, HUGE_VAL);
    if (i < 18) r.number[i % 6][i] = bad[i / 6];
  }
  cast(m, &r, 0, N);
  for (int i = 0; i < 18; i++) assert_true(isinf(r.range[i]));
  for (int i = 18; i < N; i++) assert_true(r.range[i] < 10);
  rays_free(&r);
  map_free(m);
}

// Each number is the highest node of its block, and of the cells of the frame beside it.
static void maxima_are_the_highest_nodes(void** state) {
  (void)state;
  Map* m = map_new(HOLES, 150, 70, 0);
  const rutHeightMaxima* x = &m->maxima;
  assert_int_equal(x->width, 192);
  assert_int_equal(x->rows, 128);
  const float* top = x->top;
  for (int level = 0; level < RUT_MAXIMA_LEVELS; level++) {
    for (int by = 0; by < x->rows >> level; by++) {
      for (int bx = 0; bx < x->width >> level; bx++) {
        double most = -HUGE_VAL;
        for (int cy = by << level; cy < (by + 1) << level && cy <= m->ny; cy++) {
          for (int cx = bx << level; cx < (bx + 1) << level && cx <= m->nx; cx++) {
            const int ix = (int)clamp_int(cx - 1, 0, m->nx - 2);
            const int iy = (int)clamp_int(cy - 1, 0, m->ny - 2);
            for (int k = 0; k < 4; k++) {
              most = fmax(most, m->height[(iy + k / 2) * m->nx + ix + k % 2]);
            }
          }
        }
        const float is = top[by * (x->width >> level) + bx];
        if (isinf(most))
          assert_true(isinf(is) && is < 0);
        else
          assert_near((double)is, most - m->field.z_min, 1e-6);
      }
    }
    top += (x->width >> level) * (x->rows >> level);
  }
  map_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_cell_gives_the_same_bits),
      cmocka_unit_test(lanes_equal_single_rays),
      cmocka_unit_test(bundles_equal_single_rays),
      cmocka_unit_test(neighbours_in_a_batch_change_nothing),
      cmocka_unit_test(rays_just_over_and_below_a_ridge),
      cmocka_unit_test(no_ray_leaks),
      cmocka_unit_test(lanes_meet_a_plane),
      cmocka_unit_test(rays_that_are_not_numbers_hit_nothing),
      cmocka_unit_test(maxima_are_the_highest_nodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
