// SPDX-License-Identifier: BSD-3-Clause
//
// Rocks and boulders that stop a vehicle.
#include <string.h>

#include "geom/polygon.h"
#include "math/vec.h"
#include "scenery/bodies.h"
#include "scenery/shapes.h"

enum { VARIANTS = 12, LAYERS = 5 };

#define FIELDS(X)                                                      \
  X(width, "m", 1, 0.01, 100, "of the rock; it is 0.8 of that across") \
  X(height, "m", (double)NAN, 0.005, 100, "above the ground; default: 0.6 width")

typedef struct Param {
  rutSceneryHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_SCENERY_ROWS FIELDS(RUT_ROW)};

static double rock_radius(const void* param) {
  const Param* p = param;
  return 0.5 * p->width;
}

// ---- the stone ----
//
// A rock is an ellipsoid cut by planes: the points p with normal[i] . p <= distance[i] for all i,
// where the ellipsoid is the unit sphere. Any level section of it is a convex polygon.
enum { PLANES = 30, CUTS = 4, MOST = PLANES + 4 };

typedef struct Stone {
  double normal[PLANES][3], distance[PLANES];
  double centre, half[3];  // of the ellipsoid: height of its middle, half axes [m]
} Stone;

static Stone stone_of(const Param* p, int variant) {
  const double height = p->height == p->height ? p->height : 0.6 * p->width;
  rutDice dice = {RUT_DICE_ROCK, (uint64_t)variant, 0};
  Stone stone;
  // 30 % of it is buried
  stone.half[0] = 0.5 * p->width;
  stone.half[1] = 0.4 * p->width;
  stone.half[2] = 0.5 * height / 0.7;
  stone.centre = height - stone.half[2];
  for (int i = 0; i < PLANES; i++) {
    // evenly over the sphere (Fibonacci lattice), shaken
    const double up = rut_clamp(1 - 2 * (i + rut_dice(&dice, 0.1, 0.9)) / PLANES, -1, 1);
    const double level = rut_sqrt(1 - up * up);
    double s, c;
    rut_sincos(2.399963229728653 * i + rut_dice(&dice, -0.35, 0.35), &s, &c);
    stone.normal[i][0] = level * c;
    stone.normal[i][1] = level * s;
    stone.normal[i][2] = up;
    // a few planes cut deep, as where a piece has broken off
    const bool deep = i % (PLANES / CUTS) == variant % (PLANES / CUTS) && up < 0.8;
    stone.distance[i] = deep ? rut_dice(&dice, 0.62, 0.75) : rut_dice(&dice, 0.84, 0.96);
  }
  return stone;
}

// Keep the part of a convex polygon of n points u v with a u + b v <= c. Returns its points.
static int clip(int n, double* polygon, double a, double b, double c) {
  double kept[2 * MOST];
  int m = 0;
  for (int i = 0; i < n; i++) {
    const double *p = polygon + 2 * i, *q = polygon + 2 * ((i + 1) % n);
    const double here = a * p[0] + b * p[1] - c, there = a * q[0] + b * q[1] - c;
    if (here <= 0 && m < MOST) memcpy(kept + 2 * m++, p, 2 * sizeof *p);
    if ((here <= 0) == (there <= 0) || m == MOST) continue;
    const double share = here / (here - there);
    kept[2 * m] = p[0] + share * (q[0] - p[0]);
    kept[2 * m++ + 1] = p[1] + share * (q[1] - p[1]);
  }
  memcpy(polygon, kept, (size_t)(2 * m) * sizeof *kept);
  return m;
}

static int start_polygon(double* polygon) {
  static const double square[8] = {2, 2, -2, 2, -2, -2, 2, -2};
  memcpy(polygon, square, sizeof square);
  return 4;
}

// ---- what vehicles touch ----

// Its outline at a height [m], at most RUT_SCENERY_MAX_CORNERS points. 0: it does not reach there.
static int section(const Stone* stone, double z, double* xy) {
  double polygon[2 * MOST];
  const double up = (z - stone->centre) / stone->half[2];
  int n = start_polygon(polygon);
  for (int i = 0; i < PLANES; i++) {
    const double* m = stone->normal[i];
    n = clip(n, polygon, m[0], m[1], stone->distance[i] - m[2] * up);
  }
  n = n < 3 ? 0 : rut_polygon_simplify(n, polygon, RUT_SCENERY_MAX_CORNERS);
  for (int i = 0; i < 2 * n; i++) xy[i] = polygon[i] * stone->half[i % 2];
  return n;
}

// Layers, each as wide as the stone is half way up.
static int rock_parts(const void* param, int variant, rutSceneryPart* out) {
  const Stone stone = stone_of(param, variant);
  const double top = stone.centre + stone.half[2];
  int n = 0;
  for (int i = 0; i < LAYERS; i++) {
    const double low = i == 0 ? -0.3 * top : top * i / LAYERS, high = top * (i + 1) / LAYERS;
    rutSceneryPart* part = &out[n];
    *part = (rutSceneryPart){0, {0}, low, high, "granite", true};
    part->corners = section(&stone, 0.5 * (rut_max(low, 0) + high), part->xy);
    if (part->corners >= 3) n++;
  }
  return n;
}

// ---- what is seen ----

// Points of the mesh so far: those of neighbouring faces are one.
typedef struct Points {
  double at[PLANES * MOST][3];
  int index[PLANES * MOST], n;
} Points;

static int point_at(rutMeshBuilder* builder, const Stone* stone, Points* points,
                    const double at[3]) {
  for (int i = 0; i < points->n; i++) {
    const double* other = points->at[i];
    const double apart =
        rut_abs(at[0] - other[0]) + rut_abs(at[1] - other[1]) + rut_abs(at[2] - other[2]);
    if (apart < 1e-6) return points->index[i];
  }
  memcpy(points->at[points->n], at, 3 * sizeof *at);
  points->index[points->n] =
      rut_mesh_vertex(builder, stone->half[0] * at[0], stone->half[1] * at[1],
                      stone->centre + stone->half[2] * at[2]);
  return points->index[points->n++];
}

// What the other planes leave of one of them.
static void draw_face(rutMeshBuilder* builder, const Stone* stone, Points* points, int face) {
  double polygon[2 * MOST];
  const rutVec3 normal = rut_vec3_of(stone->normal[face]);
  const rutVec3 other = rut_abs(normal.z) < 0.9 ? rut_vec3(0, 0, 1) : rut_vec3(1, 0, 0);
  const rutVec3 u = rut_vec3_unit(rut_vec3_cross(other, normal)), v = rut_vec3_cross(normal, u);
  const rutVec3 foot = rut_vec3_scale(normal, stone->distance[face]);
  int n = start_polygon(polygon), corner[MOST];
  for (int i = 0; i < PLANES && n > 2; i++) {
    const rutVec3 m = rut_vec3_of(stone->normal[i]);
    if (i == face) continue;
    n = clip(n, polygon, rut_vec3_dot(m, u), rut_vec3_dot(m, v),
             stone->distance[i] - rut_vec3_dot(m, foot));
  }
  for (int i = 0; i < n && n > 2; i++) {
    double at[3];
    const rutVec3 p =
        rut_vec3_add_scaled(rut_vec3_add_scaled(foot, polygon[2 * i], u), polygon[2 * i + 1], v);
    rut_vec3_put(p, at);
    corner[i] = point_at(builder, stone, points, at);
  }
  for (int i = 1; i + 1 < n; i++) {
    rut_mesh_triangle(builder, corner[0], corner[i], corner[i + 1]);
  }
}

static void rock_mesh(const void* param, int variant, rutMeshBuilder* builder) {
  const Stone stone = stone_of(param, variant);
  Points points = {.n = 0};
  for (int i = 0; i < PLANES; i++) {
    rut_draw_material(builder, "granite", i % 3 == 0 ? 0.9 : i % 3 == 1 ? 1 : 1.1);
    draw_face(builder, &stone, &points, i);
  }
}

const rutSceneryType rut_scenery_rock = {
    .base = {RUT_HEAD(rutSceneryType, "scenery", "rock", "world actor",
                      "Rocks. They are obstacles: wheels do not climb them, however small they "
                      "are.",
                      fields)},
    .semantic_class = "rock",
    .variants = VARIANTS,
    .radius = rock_radius,
    .parts = rock_parts,
    .mesh = rock_mesh,
};
