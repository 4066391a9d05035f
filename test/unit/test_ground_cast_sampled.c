// SPDX-License-Identifier: BSD-3-Clause
//
// Rays against the ground: the surface that wheels see, sampled densely; ruts; the same bits
// everywhere.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "ground_cast_fixture.h"
#include "math/rut_math.h"
#include "repetitions.h"

extern const rutTerrainType rut_terrain_plane, rut_terrain_sine, rut_terrain_step,
    rut_terrain_half_round, rut_terrain_ditch, rut_terrain_ramp, rut_terrain_ramp_field,
    rut_terrain_iso8608, rut_terrain_fractal;

// The surface that wheels see, sampled

static double surface(const rutGroundScene* scene, double x, double y) {
  double z, slope_x, slope_y, below = 1e6;
  rut_ground_surface(scene->ground, scene->lift, &(rutGroundPoints){1, &x, &y}, &below,
                     &(rutGroundSurface){&z, &slope_x, &slope_y});
  if (scene->soft)
    rut_soft_add(scene->soft, &(rutGroundPoints){1, &x, &y},
                 &(rutGroundSurface){&z, &slope_x, &slope_y});
  return z;
}

static double clearance(const rutGroundScene* scene, const double o[3], const double d[3],
                        double t) {
  return o[2] + t * d[2] - surface(scene, o[0] + t * d[0], o[1] + t * d[1]);
}

// Every place of the ray before the hit is above ground, but for dips shorter than `dip`; the hit
// is where it goes below. Returns whether it hits.
static bool check_ray(const rutGroundScene* scene, double far, double dip, const double o[3],
                      const double d[3]) {
  const double step = 2e-3;
  const Hit h = cast_within(scene, far, o, d);
  if (h.range == 0) {
    assert_true(clearance(scene, o, d, 0) < 0);
    return true;
  }
  const double last = h.range < far ? h.range - 1e-8 : far;
  double below = 0;
  for (double t = 0; t < last; t += step) {
    below = clearance(scene, o, d, t) < 0 ? below + step : 0;
    assert_true(below <= dip);
  }
  if (!(h.range < far)) return false;
  const double before = clearance(scene, o, d, h.range - 2e-8);
  const double behind = clearance(scene, o, d, h.range + 2e-8);
  assert_true(!(before < -1e-6) && behind < 1e-6);
  return true;
}

// Every test runs over as many random sequences; its counts are of all of them.
static int seeds(void) { return repetitions(16, 4); }
static void begin_sequence(int i) { seed = 2118011535u + 7919u * (uint32_t)i; }

// Shapes of all types, in all blends, on a map or on level ground.
typedef struct Scene {
  Map map;
  rutGroundShape shape[12];
  rutGround ground;
  rutGroundScene scene;
} Scene;

static const double roughness[PARAMS] = {[8] = 3, 1, 0.5, 8, 0, 0, 1},
                    fractal[PARAMS] = {[8] = 0.7, 0.1, 1, 0.5, 8, 0, 0, 2},
                    wave[PARAMS] = {[8] = 0.2, 4, 0}, curb[PARAMS] = {[8] = 0.4, 0},
                    slope[PARAMS] = {[8] = 0.3, 0.6}, trench[PARAMS] = {[8] = 0.5, 1, 0.3},
                    log_[PARAMS] = {[8] = 0.3}, ramps[PARAMS] = {[8] = 1.2, 1.2, 0.32, 1, 0},
                    jumble[PARAMS] = {[8] = 1.2, 1.2, 0.32, 2, 3},
                    incline[PARAMS] = {[8] = 0.05, -0.1}, ramp[PARAMS] = {[8] = 2, 0.8, 1, 0};

static Scene* scene_new(bool on_map, bool walls) {
  static const struct {
    const rutTerrainType* type;
    const double* param;
    bool walls;
  } types[] = {{&rut_terrain_iso8608, roughness, false}, {&rut_terrain_sine, wave, false},
               {&rut_terrain_step, slope, false},        {&rut_terrain_ditch, trench, false},
               {&rut_terrain_plane, incline, false},     {&rut_terrain_fractal, fractal, false},
               {&rut_terrain_step, curb, true},          {&rut_terrain_half_round, log_, true},
               {&rut_terrain_ramp_field, ramps, true},   {&rut_terrain_ramp_field, jumble, true},
               {&rut_terrain_ramp, ramp, true}};
  Scene* s = calloc(1, sizeof *s);
  map_make(&s->map, false);
  int n = 0;
  for (int i = 0; i < 11; i++) {
    if ((types[i].walls && !walls) || between(0, 1) < 0.4) continue;
    rutGroundShape* shape = &s->shape[n++];
    *shape =
        shape_at(types[i].type, types[i].param, between(-8, 18), between(-10, 12), between(-4, 4));
    shape->z = i % 3 ? 0 : between(-0.2, 0.4);
    shape->blend = (rutBlend)(i % 5 == 4 ? 2 : i % 2);
    if (i < 2 && walls) continue;
    if (i < 2 || i == 5) continue;
    shape->x_min = between(-5, -1);
    shape->x_max = between(1, 6);
    shape->y_min = between(-5, -1);
    shape->y_max = between(1, 6);
    shape->edge = walls && i % 2 ? 0 : between(0.3, 1);
    rut_ground_shape_box(shape);
  }
  s->ground = (rutGround){
      .sources = 1, .source = on_map ? &s->map.source : &level, .shapes = n, .shape = s->shape};
  s->scene.ground = &s->ground;
  return s;
}

static void scene_free(Scene* s) {
  for (int i = 0; i < s->ground.shapes; i++) free((void*)(uintptr_t)s->shape[i].plan);
  free(s);
}

static void random_scenes_are_those_that_wheels_see(void** state) {
  (void)state;
  int hits = 0, rays = 0;
  for (int round = 0; round < 2 * seeds(); round++) {
    begin_sequence(round);
    const bool walls = round % 4 > 1;
    Scene* s = scene_new(round % 2, walls);
    for (int i = 0; i < 75; i++) {
      double o[3], d[3];
      random_ray(o, d);
      o[2] += 0.6;
      hits += check_ray(&s->scene, 25, walls ? RUT_CAST_STEP * 3 : RUT_CAST_NEAR + 2e-3, o, d);
      rays++;
    }
    scene_free(s);
  }
  assert_true(hits > rays / 3);
}

// Bounds of random rectangles of the same scenes.
static void bounds_hold(void** state) {
  (void)state;
  int finite = 0, plain = 0, planes = 0;
  for (int round = 0; round < 64; round++) {
    begin_sequence(round);
    Scene* s = scene_new(round % 2, round % 4 > 1);
    for (int i = 0; i < repetitions(200, 40); i++) {
      const double size = i % 2 ? 1 : 6, x = between(-9, 14), y = between(-11, 8);
      const double box[4] = {x, x + between(0, size), y, y + between(0, size)};
      rutTerrainBounds b;
      const bool changed = rut_ground_bounds(&s->ground, 0, 0.3, box, &b);
      finite += b.steepest < HUGE_VAL;
      plain += !changed;
      double px[20], py[20], z[20], bare;
      for (int k = 0; k < 20; k++) {
        double slope_x, slope_y;
        px[k] = k < 4 ? box[k & 1] : between(box[0], box[1]);
        py[k] = k < 4 ? box[2 + (k >> 1)] : between(box[2], box[3]);
        rut_ground_source_surface(&s->ground, 0, 0.3, &(rutGroundPoints){1, &px[k], &py[k]},
                                  &(rutGroundSurface){&z[k], &slope_x, &slope_y});
        if (isnan(z[k])) continue;
        assert_true(z[k] >= b.low - 1e-9 && z[k] <= b.high + 1e-9);
        if (b.plane && k > 2) {
          const double u = (px[k] - box[0]) / (box[1] - box[0]);
          const double v = (py[k] - box[2]) / (box[3] - box[2]);
          assert_near(z[k], z[0] + u * (z[1] - z[0]) + v * (z[2] - z[0]), 1e-9);
          planes++;
        }
        const rutGround no_shapes = {.sources = 1, .source = s->ground.source};
        rut_ground_source_surface(&no_shapes, 0, 0.3, &(rutGroundPoints){1, &px[k], &py[k]},
                                  &(rutGroundSurface){&bare, &slope_x, &slope_y});
        if (!changed) assert_near(z[k], bare, 0);
        for (int m = 0; m < k; m++) {
          const double far = hypot(px[k] - px[m], py[k] - py[m]);
          if (far > 0 && !isnan(z[m])) assert_true(fabs(z[k] - z[m]) <= b.steepest * far + 1e-9);
        }
      }
    }
    scene_free(s);
  }
  const int least = repetitions(100, 20);
  assert_true(finite > 40 * least && plain > 5 * least && planes > least);
}

// 1e5 rays straight down hit each once, at the height that wheels stand on; slanting ones that are
// aimed at the same place do not get through.
static void every_downward_ray_hits(void** state) {
  (void)state;
  for (int round = 0; round < 2 * seeds(); round++) {
    begin_sequence(round);
    Scene* s = scene_new(round % 2, round % 4 > 1);
    for (int i = 0; i < 3200; i++) {
      double x = between(-9, 18), y = between(-11, 11);
      // on lines of nodes
      if (i % 3 == 0) x = -10 + 0.5 * (int)between(2, 56);
      if (i % 5 == 0) y = -12 + 0.5 * (int)between(2, 46);
      const double z = surface(&s->scene, x, y), sides[2] = {between(-4, 4), between(-4, 4)};
      const Hit h = cast(&s->scene, x, y, 9, 0, 0, -1);
      assert_near(h.range, 9 - z, 1e-12);
      assert_true(h.normal[2] > 0);
      if (x < -5 || x > 14 || y < -7 || y > 8 || i % 4) continue;
      assert_true(
          cast(&s->scene, x + sides[0], y + sides[1], 9, -sides[0], -sides[1], z - 9).range < 16);
    }
    scene_free(s);
  }
}

// Several sources are seen as the nearest of each. Counts in of[4] the hits on each.
static void check_nearest(int* of) {
  Scene* s = scene_new(true, true);
  rutGroundSource sources[4] = {s->map.source, source_at(RUT_GROUND_PLANE, 2, 0, 2, 0.3),
                                source_at(RUT_GROUND_RAMP, -3, 2, 0, 1),
                                source_at(RUT_GROUND_BUMP, 8, -3, 0.2, 2)};
  const double lift[4] = {0, 0.4, 0, -0.1};
  rutGround all = s->ground;
  all.sources = 4;
  all.source = sources;
  const rutGroundScene scene = {&all, lift, NULL};
  for (int i = 0; i < 500; i++) {
    double o[3], d[3];
    random_ray(o, d);
    all.shapes = i % 2 ? 0 : s->ground.shapes;
    const Hit h = cast_within(&scene, 40, o, d);
    double nearest = HUGE_VAL;
    for (int k = 0; k < 4; k++) {
      rutGround one = all;
      one.sources = 1;
      one.source = &sources[k];
      const rutGroundScene alone = {&one, &lift[k], NULL};
      nearest = fmin(nearest, cast_within(&alone, 40, o, d).range);
    }
    assert_near(h.range, nearest, 1e-8);
    if (h.range < 40) of[h.index]++;
  }
  scene_free(s);
}

static void the_nearest_source_is_seen(void** state) {
  (void)state;
  int of[4] = {0};
  for (int round = 0; round < seeds(); round++) {
    begin_sequence(round);
    check_nearest(of);
  }
  for (int k = 0; k < 4; k++) assert_true(of[k] > repetitions(15, 3));
}

// A ray that comes down to x, y, z: it hits there, or what is before it. Returns whether it hits.
static bool check_slanting(const rutGroundScene* scene, double x, double y, double z) {
  const double o[3] = {x + between(-3, 3), y + between(-3, 3), 6};
  const double d[3] = {x - o[0], y - o[1], z - 6};
  const Hit h = cast_within(scene, HUGE_VAL, o, d);
  if (isinf(h.range)) return false;
  const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), t = h.range / length;
  const double px = o[0] + t * d[0], py = o[1] + t * d[1], pz = o[2] + t * d[2], e = 1e-7;
  // on the surface, or on an upright face: below the surface behind it, not below that before it
  const double before = surface(scene, px - e * d[0], py - e * d[1]);
  const double behind = surface(scene, px + e * d[0], py + e * d[1]);
  if (h.normal[2] > 0.01) {
    assert_near(pz, behind, 1e-5);
  } else {
    assert_true(pz < behind + 1e-5);
    assert_true(isnan(before) || pz > before - 1e-5);
  }
  return true;
}

static int check_blocks(rutGroundKind kind, const rutGroundSource* source, bool partly) {
  rutGroundShape shape = shape_at(&rut_terrain_iso8608, roughness, 0, 0, 0);
  if (partly) shape.x_max = 0.8;
  rut_ground_shape_box(&shape);
  rutGround ground = shaped(1, &shape);
  ground.source = source;
  const rutGroundScene scene = {&ground, NULL, NULL};
  int hits = 0;
  for (int ray = 0; ray < 125; ray++) {
    const double x = between(-3, 5), y = between(-3, 5), z = surface(&scene, x, y);
    const Hit down = cast(&scene, x, y, 6, 0, 0, -1);
    assert_int_equal(isnan(z), isinf(down.range));
    if (isnan(z)) continue;
    assert_near(down.range, 6 - z, 1e-12);
    hits += check_slanting(&scene, x, y, z);
  }
  // from below: a ceiling, or the floor of a block
  const bool block = kind != RUT_GROUND_PLANE;
  const Hit up = cast(&scene, 1, 1, -2, 0.01, 0, 1);
  const double want = block ? 0.5 : surface(&scene, 1.025, 1);
  assert_near(up.range, (2 + want) * sqrt(1 + 1e-4), 2e-4);
  assert_true(up.normal[2] < -0.9);
  // from inside a block it is not seen
  if (block) assert_none(cast(&scene, 1.2, 1.1, 0.7, 0.1, 0, 1));
  free((void*)(uintptr_t)shape.plan);
  return hits;
}

// Ramps, bumps and storeys below a rough sheet, on all of them or on a part: the same as their
// surface sampled, from above.
static void shapes_lie_on_blocks_and_storeys(void** state) {
  (void)state;
  const rutGroundKind kinds[] = {RUT_GROUND_PLANE, RUT_GROUND_RAMP, RUT_GROUND_BUMP};
  for (int i = 0; i < 6; i++) {
    const rutGroundKind kind = kinds[i / 2];
    const rutGroundSource source = source_at(kind, 1, 1, 0.5, 0.4);
    int hits = 0;
    for (int round = 0; round < seeds(); round++) {
      begin_sequence(round);
      hits += check_blocks(kind, &source, i % 2);
    }
    assert_true(hits > 25 * seeds());
  }
}

// Where a shape lowers a ramp below the height that it stands on, it is a sheet. Here the ramp's
// surface is z = (x + 1) / 2 - 0.5, and 0 is that height: x > 0 is solid, the rest is a sheet.
static void lowered_edges_of_ramps_are_sheets(void** state) {
  (void)state;
  const double lower[PARAMS] = {[8] = 0, 0};
  rutGroundShape shape = shape_at(&rut_terrain_plane, lower, 0, 0, 0);
  shape.z = -0.5;
  const rutGroundSource ramp_source = source_at(RUT_GROUND_RAMP, 0, 0, 0, 0);
  rutGround ground = shaped(1, &shape);
  ground.source = &ramp_source;
  const rutGroundScene scene = {&ground, NULL, NULL};
  const double slope_z = 2 / sqrt(5), slope_x = -1 / sqrt(5);
  assert_hit(cast(&scene, -0.6, 0, 6, 0, 0, -1), 6.3, slope_x, 0, slope_z, 1e-9);
  assert_hit(cast(&scene, -0.6, 0, -6, 0, 0, 1), 5.7, -slope_x, 0, -slope_z, 1e-9);
  assert_hit(cast(&scene, 0.6, 0, -6, 0, 0, 1), 6, 0, 0, -1, 1e-9);
  assert_hit(cast(&scene, 0.6, 0, 6, 0, 0, -1), 5.7, slope_x, 0, slope_z, 1e-9);
  // level ones: into the sheet from its front, into it from below, and into a side of the solid
  assert_hit(cast(&scene, -3, 0, -0.2, 1, 0, 0), 2.6, slope_x, 0, slope_z, 1e-9);
  assert_hit(cast(&scene, 5, 0, -0.2, -1, 0, 0), 5.4, -slope_x, 0, -slope_z, 1e-9);
  assert_hit(cast(&scene, 2, -5, 0.2, 0, 1, 0), 3, 0, -1, 0, 1e-9);
  // along y below the solid, and over the sheet
  assert_none(cast(&scene, 2, -5, -0.2, 0, 1, 0));
  assert_none(cast(&scene, -0.6, -5, -0.2, 0, 1, 0));
}

// A plane at 0 that is lowered to -1: rays that come over its edge in between are above it, though
// by rounding there may be no ground yet where they do.
static void borders_are_crossed_on_the_right_side(void** state) {
  (void)state;
  const double level_shape[PARAMS] = {0};
  rutGroundShape shape = shape_at(&rut_terrain_plane, level_shape, 0, 0, 0);
  shape.z = -1;
  rutGround ground = shaped(1, &shape);
  for (int round = 0; round < seeds(); round++) {
    begin_sequence(round);
    for (int i = 0; i < 1000; i++) {
      const double x = between(-9, 9), y = between(-9, 9), angle = between(-4, 4);
      const rutGroundSource plane = source_at(RUT_GROUND_PLANE, x, y, 0, between(-4, 4));
      ground.source = &plane;
      const rutGroundScene scene = {&ground, NULL, NULL};
      const double way[3] = {5 * cos(angle), 5 * sin(angle), -0.5};
      const Hit h = cast(&scene, x - way[0], y - way[1], -0.5, way[0], way[1], way[2]);
      assert_hit(h, sqrt(25.25), 0, 0, 1, 1e-9);
    }
  }
}

// ---------------------------------------------------------------------------------------------
// Ruts

static rutSoftGround* soft_new(void) {
  const rutSoftDef def = {
      .cell = 0.05, .displaced = 0.6, .border = 0.5, .repose = 0.7, .tiles = 512};
  rutArena measure = {0};
  rut_soft_build(&def, &measure);
  rutArena arena = {.base = aligned_alloc(64, (measure.used + 63) / 64 * 64), .size = measure.used};
  rutSoftGround* ground = rut_soft_build(&def, &arena);
  // two tracks that cross, 8 cm deep
  for (int i = 0; i < 1200; i++) {
    const double s = 0.02 * i - 12, yaw = i % 2 ? 0.3 : 1.7;
    const rutSoftPress p = {.x = 4 + s * cos(yaw),
                            .y = s * sin(yaw),
                            .dir_x = cos(yaw),
                            .dir_y = sin(yaw),
                            .behind = 0.1,
                            .width = 0.3,
                            .pressed = 0.09,
                            .rut = 0.08};
    rut_soft_press(ground, &p);
  }
  assert_true(ground->used > 40 && !ground->full);
  return ground;
}

// From above: half of the rays towards a track. Returns how many end in ruts.
static int check_rutted(const rutGroundScene* scene, const rutGroundScene* untouched, int rays) {
  const bool plane = scene->ground->source->kind == RUT_GROUND_PLANE;
  int in_ruts = 0;
  for (int i = 0; i < rays; i++) {
    double o[3], d[3];
    random_ray(o, d);
    // over the plane, which is seen from below as well
    if (plane) o[0] = between(3, 7);
    if (plane) o[1] = between(-2, 2);
    if (plane) o[2] = 2;
    const double s = between(-10, 10), yaw = i % 4 ? 0.3 : 1.7, z = surface(scene, 4, 0);
    const double way[3] = {4 + s * cos(yaw) - o[0], s * sin(yaw) - o[1], z - o[2]};
    const double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    for (int n = 0; i % 2 && n < 3; n++) d[n] = way[n] / length;
    if (!check_ray(scene, 30, 0.06, o, d)) continue;
    in_ruts += cast_within(scene, 30, o, d).range != cast_within(untouched, 30, o, d).range;
  }
  for (int i = 0; i < 5 * rays; i++) {
    const double x = between(-8, 16), y = between(-10, 10), z = surface(scene, x, y);
    const Hit h = cast(scene, x, y, 9, 0, 0, -1);
    if (isnan(z)) assert_none(h);
    if (!isnan(z)) assert_near(h.range, 9 - z, 1e-12);
  }
  return in_ruts;
}

// The rutted underside of a plane: steep rays, and some along it. Returns how many only touch it
// where they are aimed, and hit it later or not at all.
static int check_underside(const rutGroundScene* scene, int rays) {
  int late = 0;
  for (int i = 0; i < rays; i++) {
    const double x = between(3.4, 6.6), y = between(-1.6, 1.6), z = surface(scene, x, y);
    const double side = i % 8 ? 0.3 : 3, depth = i % 8 ? 1 : 0.15;
    const double o[3] = {fmin(fmax(x + between(-side, side), 3.4), 6.6),
                         fmin(fmax(y + between(-side, side), -1.6), 1.6), z - depth};
    const double d[3] = {x - o[0], y - o[1], depth};
    if (surface(scene, o[0], o[1]) < o[2]) continue;
    const Hit h = cast_within(scene, HUGE_VAL, o, d);
    const double far = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (h.range < HUGE_VAL) assert_true(h.normal[2] < 0);
    if (!(h.range > far + 1e-6)) continue;
    late++;
    // it does not stay above the underside behind that place
    double lowest = HUGE_VAL;
    for (double t = 1e-3; t < 0.06; t += 1e-3)
      lowest = fmin(lowest, clearance(scene, o, d, 1 + t / far));
    assert_true(lowest <= 0);
  }
  return late;
}

static void ruts_are_seen_as_wheels_left_them(void** state) {
  (void)state;
  enum { UNDER_RAYS = 125 };
  rutSoftGround* soft = soft_new();
  int in_ruts = 0, late = 0;
  for (int round = 0; round < seeds(); round++) {
    begin_sequence(round);
    Map m;
    map_make(&m, false);
    const rutGroundSource sources[3] = {m.source, level, source_at(RUT_GROUND_PLANE, 4, 0, 0.1, 0)};
    for (int k = 0; k < 3; k++) {
      const rutGround ground = {.sources = 1, .source = &sources[k]};
      const rutGroundScene scene = {&ground, NULL, soft}, untouched = {&ground, NULL, NULL};
      in_ruts += check_rutted(&scene, &untouched, 40);
      if (k == 2) late += check_underside(&scene, UNDER_RAYS);
    }
  }
  assert_true(in_ruts > 12 * seeds());
  assert_true(late < seeds() * UNDER_RAYS / 100);
  free(soft);
}

// Rays in a batch over a map with ruts: each as by itself, and as without ruts where it stays away
// from them.
enum { BATCH = 3000 };
typedef struct Batch {
  double o[3][BATCH], d[3][BATCH], range[BATCH], normal[3][BATCH];
} Batch;

static void cast_some(const rutGroundScene* scene, Batch* b, int first, int n) {
  double *o[3], *d[3], *normal[3];
  for (int k = 0; k < 3; k++) {
    o[k] = b->o[k] + first;
    d[k] = b->d[k] + first;
    normal[k] = b->normal[k] + first;
  }
  const rutRayBatch rays = {
      .n = n, .origin = {o[0], o[1], o[2]}, .direction = {d[0], d[1], d[2]}, .max_range = 40};
  const rutRayResult out = {.range = b->range + first, .normal = {normal[0], normal[1], normal[2]}};
  rut_rays_begin(&rays, &out);
  rut_ground_cast(scene, &rays, &out);
}

static void batches_over_ruts(void** state) {
  (void)state;
  static Batch together, alone, plain;
  rutSoftGround* soft = soft_new();
  Map m;
  begin_sequence(0);
  map_make(&m, true);
  const rutGround ground = {.sources = 1, .source = &m.source};
  const rutGroundScene scene = {&ground, NULL, soft}, untouched = {&ground, NULL, NULL};
  for (int i = 0; i < BATCH; i++) {
    double o[3], d[3];
    random_ray(o, d);
    for (int k = 0; k < 3; k++) together.o[k][i] = o[k];
    for (int k = 0; k < 3; k++) together.d[k][i] = d[k];
  }
  alone = plain = together;
  cast_some(&scene, &together, 0, BATCH);
  for (int i = 0; i < BATCH; i++) cast_some(&scene, &alone, i, 1);
  for (int i = 0; i < BATCH; i++) cast_some(&untouched, &plain, i, 1);
  assert_memory_equal(&together, &alone, sizeof alone);
  int away = 0, changed = 0;
  for (int i = 0; i < BATCH; i++) {
    double raised, from[2], to[2];
    for (int k = 0; k < 2; k++) {
      from[k] = together.o[k][i];
      to[k] = from[k] + fmin(plain.range[i], 40) * together.d[k][i];
    }
    if (rut_soft_near(soft, from, to, &raised)) {
      changed += together.range[i] != plain.range[i];
      continue;
    }
    assert_memory_equal(&together.range[i], &plain.range[i], sizeof(double));
    away += plain.range[i] < 40;
  }
  assert_true(changed > 50 && away > 500);
  free(soft);
}

// What rut_soft_near says holds for all places between two.
static void places_with_ruts_are_known(void** state) {
  (void)state;
  rutSoftGround* soft = soft_new();
  int near = 0, apart = 0;
  for (int i = 0; i < 20000; i++) {
    const double from[2] = {between(-8, 16), between(-11, 11)}, reach = i % 3 ? 0.1 : 5;
    const double to[2] = {from[0] + between(-reach, reach), from[1] + between(-reach, reach)};
    double raised;
    const bool changed = rut_soft_near(soft, from, to, &raised);
    for (int k = 0; k <= 50; k++) {
      double x = from[0] + (to[0] - from[0]) * k / 50, y = from[1] + (to[1] - from[1]) * k / 50;
      double z = 0, slope_x = 0, slope_y = 0;
      rut_soft_add(soft, &(rutGroundPoints){1, &x, &y},
                   &(rutGroundSurface){&z, &slope_x, &slope_y});
      assert_true(changed ? z <= raised + 1e-12 : z == 0);
    }
    near += changed;
    apart += !changed;
  }
  assert_true(near > 500 && apart > 1000);
  double raised;
  assert_true(rut_soft_near(soft, (double[]){-1e3, 0}, (double[]){1e3, 0}, &raised));
  assert_false(rut_soft_near(soft, (double[]){-1e3, 50}, (double[]){1e3, 50}, &raised));
  assert_false(rut_soft_near(soft, (double[]){-1e300, 50}, (double[]){HUGE_VAL, 50}, &raised));
  rut_soft_reset(soft);
  assert_false(rut_soft_near(soft, (double[]){-1, 0}, (double[]){1, 0}, &raised));
  free(soft);
}

// ---------------------------------------------------------------------------------------------

static void strange_numbers_do_no_harm(void** state) {
  (void)state;
  Scene* s = scene_new(false, true);
  const double good[3] = {0, 0, 3}, down[3] = {0, 0, -1};
  const double bad[][3] = {{NAN, 0, 3}, {0, HUGE_VAL, 3}, {0, 0, NAN}};
  for (int i = 0; i < 3; i++) {
    double range = 5;
    const rutRayBatch from = {.n = 1,
                              .origin = {&bad[i][0], &bad[i][1], &bad[i][2]},
                              .direction = {&down[0], &down[1], &down[2]},
                              .max_range = HUGE_VAL};
    const rutRayBatch way = {.n = 1,
                             .origin = {&good[0], &good[1], &good[2]},
                             .direction = {&bad[i][0], &bad[i][1], &bad[i][2]},
                             .max_range = HUGE_VAL};
    const rutRayResult out = {.range = &range};
    rut_rays_begin(&from, &out);
    rut_ground_cast(&s->scene, &from, &out);
    assert_true(isinf(range));
    rut_rays_begin(&way, &out);
    rut_ground_cast(&s->scene, &way, &out);
    assert_true(isinf(range));
  }
  // rays that never end, over ground that never ends
  cast(&s->scene, 0, 0, 50, 1, 1, 0);
  cast(&s->scene, 0, 0, 1, 1, 1, 1e-9);
  cast(&s->scene, 0, 0, 1, 1e-14, 0, -1);
  cast(&s->scene, 1e8, 1e8, 1, -1, -1, 0);
  scene_free(s);
}

// Nothing here comes from libm, so that every compiler and processor must give this hash.
static void bits_are_the_same_everywhere(void** state) {
  (void)state;
  enum { N = 4000 };
  static double x[3][N], d[3][N], range[N], normal[3][N];
  Map m;
  seed = 99;
  map_make(&m, false);
  for (int i = 0; i < NX * NY; i++) m.height[i] = between(-0.2, 0.2);
  const double origin[2] = {-10, -12};
  rut_height_field_init(&m.field, NX, NY, 0.5, origin, m.height);
  rut_height_pyramid_build(&m.field, m.top, &m.pyramid);
  rutGroundShape shapes[4] = {shape_at(&rut_terrain_iso8608, roughness, 0, 0, 0),
                              shape_at(&rut_terrain_step, curb, 3, 1, 0),
                              shape_at(&rut_terrain_half_round, log_, -2, -1, 0),
                              shape_at(&rut_terrain_sine, wave, 0, 0, 0)};
  for (int k = 1; k < 3; k++) {
    rut_sincos(0.7 * k, &shapes[k].sin_yaw, &shapes[k].cos_yaw);
    shapes[k].y_max = 2;
    shapes[k].x_max = 1.5;
    rut_ground_shape_box(&shapes[k]);
  }
  const rutGround ground = {.sources = 1, .source = &m.source, .shapes = 4, .shape = shapes};
  const rutGroundScene scene = {&ground, NULL, NULL};
  for (int i = 0; i < N; i++) {
    double way[3] = {between(-1, 1), between(-1, 1), between(-0.3, 0.05)};
    const double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    for (int k = 0; k < 3; k++) d[k][i] = way[k] / length;
    x[0][i] = between(-9, 18);
    x[1][i] = between(-11, 11);
    x[2][i] = between(0.3, 3);
  }
  const rutRayBatch rays = {
      .n = N, .origin = {x[0], x[1], x[2]}, .direction = {d[0], d[1], d[2]}, .max_range = 50};
  const rutRayResult out = {.range = range, .normal = {normal[0], normal[1], normal[2]}};
  rut_rays_begin(&rays, &out);
  rut_ground_cast(&scene, &rays, &out);
  uint64_t hash = rut_hash(RUT_HASH_START, range, sizeof range);
  hash = rut_hash(hash, normal, sizeof normal);
  if (hash != UINT64_C(0x7cb22b911d2c6f75)) fail_msg("%016llx", (unsigned long long)hash);
  free((void*)(uintptr_t)shapes[0].plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_scenes_are_those_that_wheels_see),
      cmocka_unit_test(bounds_hold),
      cmocka_unit_test(every_downward_ray_hits),
      cmocka_unit_test(the_nearest_source_is_seen),
      cmocka_unit_test(shapes_lie_on_blocks_and_storeys),
      cmocka_unit_test(lowered_edges_of_ramps_are_sheets),
      cmocka_unit_test(borders_are_crossed_on_the_right_side),
      cmocka_unit_test(ruts_are_seen_as_wheels_left_them),
      cmocka_unit_test(batches_over_ruts),
      cmocka_unit_test(places_with_ruts_are_known),
      cmocka_unit_test(strange_numbers_do_no_harm),
      cmocka_unit_test(bits_are_the_same_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
