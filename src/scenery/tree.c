// SPDX-License-Identifier: BSD-3-Clause
//
// Trees: a trunk that vehicles collide with, and a crown that is seen.
#include "base/rng.h"
#include "scenery/bodies.h"
#include "scenery/shapes.h"

enum { CONIFER, BROADLEAF, BIRCH, DEAD, KINDS };
enum { VARIANTS = 12, LAYERS = 6, CORNERS = 10 };

// clang-format off
#define FIELDS(X, CHOICE)                                                                        \
  CHOICE(kind, "conifer|broadleaf|birch|dead", BROADLEAF, "shape and materials")                 \
  X(height, "m", 10, 0.1, 150, "of the tree")                                                    \
  X(crown, "m", (double)NAN, 0, 100, "diameter of the crown; default: 0.35 of the height of a "  \
    "conifer, 0.55 of a broadleaf tree, 0.3 of a birch")                                         \
  X(trunk, "m", (double)NAN, 1e-3, 20, "diameter of the trunk at its foot; default: 0.03 height")
// clang-format on

typedef struct Param {
  rutSceneryHead head;
  FIELDS(RUT_PARAM, RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_SCENERY_ROWS FIELDS(RUT_ROW, RUT_CHOICE_ROW)};

// Height of the lowest leaves over that of the tree; crown diameter over height; radius of the
// crown over its largest, from its foot to its top.
static const struct {
  double base, crown, radius[LAYERS];
  const char *bark, *leaves;
} kinds[KINDS] = {
    [CONIFER] = {0.12, 0.35, {1, 0.86, 0.68, 0.5, 0.33, 0.14}, "pine_bark", "pine_needles"},
    [BROADLEAF] = {0.25, 0.55, {0.55, 0.88, 1, 0.97, 0.8, 0.45}, "oak_bark", "oak_leaves"},
    [BIRCH] = {0.3, 0.3, {0.5, 0.85, 1, 0.9, 0.65, 0.3}, "birch_bark", "maple_leaves"},
    [DEAD] = {1, 0, {0}, "oak_bark", "oak_bark"}};

static double trunk_radius(const Param* p) {
  return 0.5 * (p->trunk == p->trunk ? p->trunk : 0.03 * p->height);
}

static double crown_radius(const Param* p) {
  const double share = kinds[(int)p->kind].crown;
  return 0.5 * (p->crown == p->crown ? p->crown : share * p->height);
}

static double tree_radius(const void* param) {
  const Param* p = param;
  // crowns may touch and cross
  return rut_max(0.6 * crown_radius(p), 2 * trunk_radius(p));
}

static int tree_parts(const void* param, int variant, rutSceneryPart* out) {
  const Param* p = param;
  const int kind = (int)p->kind;
  const double foot = kinds[kind].base * p->height, step = (p->height - foot) / LAYERS;
  const double crown = crown_radius(p);
  rutParts parts = {out, 0};
  rut_part_round(&parts, 8, 0, 0, trunk_radius(p),
                 (rutPartKind){-RUT_FOOT, foot + 1e-3, kinds[kind].bark, true});
  if (kind == DEAD) return parts.n;
  rut_part_round(&parts, 8, 0, 0, 0.6 * trunk_radius(p),
                 (rutPartKind){foot, foot + 0.7 * (p->height - foot), kinds[kind].bark, true});
  for (int i = 0; i < LAYERS; i++) {
    // each variant leans and bulges in its own way, by a tenth of its crown
    const double dx = 0.2 * crown * (rut_uniform(1, 0, (uint64_t)variant, 3 * (uint32_t)i) - 0.5);
    const double dy =
        0.2 * crown * (rut_uniform(1, 0, (uint64_t)variant, 3 * (uint32_t)i + 1) - 0.5);
    const double bulge =
        1 + 0.3 * (rut_uniform(1, 0, (uint64_t)variant, 3 * (uint32_t)i + 2) - 0.5);
    rut_part_round(
        &parts, CORNERS, dx, dy, bulge * crown * kinds[kind].radius[i],
        (rutPartKind){foot + i * step, foot + (i + 1) * step, kinds[kind].leaves, false});
  }
  return parts.n;
}

// ---- what sensors see ----

// A trunk that leans and bends a little, up to a share of the height.
static void draw_trunk(const Param* p, rutMeshBuilder* builder, double share, rutDice* dice) {
  enum { JOINTS = 4 };
  double path[3 * JOINTS], radius[JOINTS], x = 0, y = 0;
  rut_mesh_preset(builder, kinds[(int)p->kind].bark);
  for (int i = 0; i < JOINTS; i++) {
    const double up = (double)i / (JOINTS - 1);
    path[3 * i] = x;
    path[3 * i + 1] = y;
    path[3 * i + 2] = i == 0 ? -RUT_FOOT : up * share * p->height;
    radius[i] = trunk_radius(p) * (i == 0 ? 1.25 : 1 - 0.75 * up);
    x += rut_dice(dice, -0.012, 0.012) * p->height;
    y += rut_dice(dice, -0.012, 0.012) * p->height;
  }
  rut_mesh_tube(builder, JOINTS, path, radius, 8);
}

// Whorls of drooping branches, each a star whose points hang below its middle.
static void draw_conifer(const Param* p, rutMeshBuilder* builder, rutDice* dice) {
  enum { WHORLS = 9, POINTS = 18 };
  const double foot = kinds[CONIFER].base * p->height, crown = crown_radius(p);
  const double step = (p->height - foot) / WHORLS;
  draw_trunk(p, builder, 0.93, dice);
  rut_mesh_preset(builder, kinds[CONIFER].leaves);
  for (int w = 0; w < WHORLS; w++) {
    const double radius = crown * rut_pow(1 - (w + 0.3) / WHORLS, 0.85) * rut_dice(dice, 0.9, 1.1);
    const double z = foot + w * step, turn = rut_dice(dice, 0, 6.3);
    const int top = rut_mesh_vertex(builder, 0, 0, z + 1.9 * step);
    const int below = rut_mesh_vertex(builder, 0, 0, z + 0.35 * step);
    int rim[POINTS];
    for (int i = 0; i < POINTS; i++) {
      double s, c;
      rut_sincos(turn + 2 * RUT_PI * i / POINTS, &s, &c);
      const double r = radius * (i % 2 ? 0.62 : rut_dice(dice, 0.85, 1.05));
      rim[i] = rut_mesh_vertex(builder, r * c, r * s, z + (i % 2 ? 0.25 : -0.1) * step);
    }
    for (int i = 0; i < POINTS; i++) {
      const int next = rim[(i + 1) % POINTS];
      rut_mesh_triangle(builder, rim[i], next, top);
      rut_mesh_triangle(builder, next, rim[i], below);
    }
  }
}

// Branches from the upper trunk outwards, and their twigs (depth 1).
static void draw_branches(const Param* p, rutMeshBuilder* builder, const rutLimb* stem, int depth,
                          rutDice* dice) {
  enum { BRANCHES = 6 };
  static const double golden = 2.399963229728653;  // angle between leaves on a stem [rad]
  const double dx = stem->to[0] - stem->from[0], dy = stem->to[1] - stem->from[1];
  const double dz = stem->to[2] - stem->from[2], length = rut_sqrt(dx * dx + dy * dy + dz * dz);
  for (int i = 0; i < BRANCHES; i++) {
    const double at = 0.35 + 0.6 * i / BRANCHES, reach = length * rut_dice(dice, 0.35, 0.55);
    double s, c;
    rut_sincos(golden * (double)i + rut_dice(dice, 0, 1) + 2 * depth, &s, &c);
    const rutLimb branch = {
        {stem->from[0] + at * dx, stem->from[1] + at * dy, stem->from[2] + at * dz},
        {stem->from[0] + at * dx + 0.75 * reach * c, stem->from[1] + at * dy + 0.75 * reach * s,
         stem->from[2] + at * dz + 0.6 * reach},
        {stem->radius[1] * 0.7, stem->radius[1] * 0.2},
        4};
    rut_draw_limb(builder, &branch);
    if (depth > 0) draw_branches(p, builder, &branch, depth - 1, dice);
  }
}

// Masses of leaves about the outline of the crown.
static void draw_leaves(const Param* p, rutMeshBuilder* builder, rutDice* dice) {
  enum { MASSES = 11 };
  const int kind = (int)p->kind;
  const double foot = kinds[kind].base * p->height, crown = crown_radius(p);
  const double half = 0.5 * (p->height - foot), middle = foot + half;
  rut_mesh_preset(builder, kinds[kind].leaves);
  for (int i = 0; i < MASSES; i++) {
    // evenly over the sphere (Fibonacci lattice), a little inside
    const double up = 1 - 2 * (i + 0.5) / MASSES, level = rut_sqrt(1 - up * up);
    double s, c;
    rut_sincos(2.399963229728653 * i + rut_dice(dice, 0, 0.8), &s, &c);
    const double size = rut_dice(dice, 0.42, 0.58);
    const rutBlob mass = {
        {0.5 * crown * level * c, 0.5 * crown * level * s, middle + 0.55 * half * up},
        {size * crown, size * crown, 0.85 * size * half},
        0.35,
        6,
        10};
    rut_draw_blob(builder, &mass, dice);
  }
}

static void tree_mesh(const void* param, int variant, rutMeshBuilder* builder) {
  const Param* p = param;
  rutDice dice = {1, (uint64_t)variant, 0};
  if (p->kind == CONIFER) {
    draw_conifer(p, builder, &dice);
    return;
  }
  draw_trunk(p, builder, p->kind == DEAD ? 0.95 : 0.75, &dice);
  const double r = trunk_radius(p);
  const rutLimb stem = {{0, 0, 0.1 * p->height}, {0, 0, 0.8 * p->height}, {r, 0.6 * r}, 8};
  draw_branches(p, builder, &stem, p->kind == DEAD, &dice);
  if (p->kind != DEAD) draw_leaves(p, builder, &dice);
}

const rutSceneryType rut_scenery_tree = {
    .base = {RUT_HEAD(rutSceneryType, "scenery", "tree", "world actor",
                      "Trees. Vehicles collide with the trunk and pass through the crown.",
                      fields)},
    .semantic_class = "tree",
    .variants = VARIANTS,
    .radius = tree_radius,
    .parts = tree_parts,
    .mesh = tree_mesh,
};
