// SPDX-License-Identifier: BSD-3-Clause
//
// Trees: a trunk that vehicles collide with, and a crown that is seen.
#include "scenery/foliage.h"
#include "scenery/shapes.h"

enum { CONIFER, BROADLEAF, BIRCH, DEAD, KINDS };
enum { VARIANTS = 12, LAYERS = 6, CORNERS = 10 };
enum { MASSES = 6, SPRAYS = 24 };  // masses of leaves, and sprays of each

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
    [BIRCH] = {0.25, 0.3, {0.5, 0.85, 1, 0.9, 0.65, 0.3}, "birch_bark", "maple_leaves"},
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

// ---- the trunk ----

enum { JOINTS = 5, SIDES = 8 };

// A trunk that leans and bends a little, up to the top of the tree.
typedef struct Trunk {
  double path[3 * JOINTS], radius[JOINTS];
} Trunk;

static Trunk trunk_of(const Param* p, int variant) {
  static const double up[JOINTS] = {0, 0.06, 0.3, 0.62, 1};
  static const double thick[JOINTS] = {1.6, 1, 0.8, 0.5, 0.08};
  rutDice dice = {RUT_DICE_TRUNK, (uint64_t)variant, 0};
  Trunk t;
  double x = 0, y = 0;
  const double bend = p->kind == CONIFER ? 0.004 : 0.014;
  for (int i = 0; i < JOINTS; i++) {
    t.path[3 * i] = x;
    t.path[3 * i + 1] = y;
    t.path[3 * i + 2] = i == 0 ? -RUT_FOOT : up[i] * 0.97 * p->height;
    t.radius[i] = trunk_radius(p) * thick[i];
    // upright where it leaves the ground
    const double step = i == 0 ? 0 : bend * p->height;
    x += rut_dice(&dice, -step, step);
    y += rut_dice(&dice, -step, step);
  }
  return t;
}

// Its middle and radius at a height.
static double trunk_at(const Trunk* t, double z, double at[3]) {
  int i = 0;
  while (i + 2 < JOINTS && t->path[3 * i + 5] < z) i++;
  const double *a = &t->path[3 * i], *b = a + 3;
  const double share = rut_clamp((z - a[2]) / (b[2] - a[2]), 0, 1);
  for (int k = 0; k < 3; k++) at[k] = a[k] + share * (b[k] - a[k]);
  return t->radius[i] + share * (t->radius[i + 1] - t->radius[i]);
}

// ---- what vehicles touch ----

// Layers of leaves, for those who do not draw meshes.
static void add_crown(const Param* p, int variant, rutParts* parts) {
  const int kind = (int)p->kind;
  const double foot = kinds[kind].base * p->height, step = (p->height - foot) / LAYERS;
  const double crown = crown_radius(p);
  rutDice dice = {RUT_DICE_LAYERS, (uint64_t)variant, 0};
  for (int i = 0; i < LAYERS; i++) {
    // each variant leans and bulges in its own way, by a tenth of its crown
    const double dx = crown * rut_dice(&dice, -0.1, 0.1), dy = crown * rut_dice(&dice, -0.1, 0.1);
    const double bulge = rut_dice(&dice, 0.85, 1.15);
    rut_part_round(
        parts, CORNERS, dx, dy, bulge * crown * kinds[kind].radius[i],
        (rutPartKind){foot + i * step, foot + (i + 1) * step, kinds[kind].leaves, false});
  }
}

static int tree_parts(const void* param, int variant, rutSceneryPart* out) {
  static const double cut[] = {0, 0.1, 0.3, 0.65};  // shares of the height
  const Param* p = param;
  const int kind = (int)p->kind;
  const Trunk trunk = trunk_of(p, variant);
  rutParts parts = {out, 0};
  for (int i = 0; i + 1 < RUT_COUNT_OF(cut); i++) {
    const double low = cut[i] * p->height, high = cut[i + 1] * p->height;
    // a section of the mesh half way up
    double at[3];
    const double radius = trunk_at(&trunk, 0.5 * (low + high), at);
    rut_part_round(&parts, SIDES, at[0], at[1], radius,
                   (rutPartKind){i == 0 ? -RUT_FOOT : low, high, kinds[kind].bark, true});
  }
  if (kind != DEAD) add_crown(p, variant, &parts);
  return parts.n;
}

// ---- what is seen ----

static void draw_trunk(const Param* p, const Trunk* trunk, rutMeshBuilder* builder) {
  double point[3 * JOINTS * SIDES];
  for (int i = 0; i < JOINTS; i++) {
    const double* at = &trunk->path[3 * i];
    for (int k = 0; k < SIDES; k++) {
      double* q = &point[3 * (i * SIDES + k)];
      double s, c;
      rut_sincos(2 * RUT_PI * k / SIDES, &s, &c);
      q[0] = at[0] + trunk->radius[i] * c;
      q[1] = at[1] + trunk->radius[i] * s;
      q[2] = at[2];
    }
  }
  rut_mesh_preset(builder, kinds[(int)p->kind].bark);
  rut_mesh_loft(builder, JOINTS, SIDES, point, RUT_LOFT_RING);
}

// A branch that rises and bends upwards, pointed at its end.
typedef struct Branch {
  double from[3], to[3], radius;  // [m]
} Branch;

static void draw_branch(rutMeshBuilder* builder, const Branch* b) {
  double path[9];
  const double radius[3] = {b->radius, 0.6 * b->radius, 0};
  for (int k = 0; k < 3; k++) {
    path[k] = b->from[k];
    path[3 + k] = 0.5 * (b->from[k] + b->to[k]);
    path[6 + k] = b->to[k];
  }
  path[5] -= 0.08 * (b->to[2] - b->from[2]);
  rut_mesh_tube(builder, 3, path, radius, 3);
}

// Boughs in whorls, each folded along its middle, that droop the more the lower they grow; a dark
// cone within.
static void draw_conifer(const Param* p, const Trunk* trunk, rutMeshBuilder* builder, int variant) {
  enum { WHORLS = 13, MOST = 10, LEAST = 6 };
  const double foot = kinds[CONIFER].base * p->height, crown = crown_radius(p);
  const double step = (p->height - foot) / WHORLS;
  rutDice dice = {RUT_DICE_CROWN, (uint64_t)variant, 0};
  rut_draw_material(builder, kinds[CONIFER].leaves, 0.45);
  rut_mesh_turned(builder, 4,
                  (const double[]){0, foot + 0.2 * step, 0.36 * crown, foot + 0.6 * step,
                                   0.05 * crown, p->height - 1.5 * step, 0, p->height - step},
                  7);
  for (int w = 0; w < WHORLS; w++) {
    const double share = (double)w / WHORLS, reach = crown * (1 - 0.95 * share);
    const int boughs = MOST - (int)(share * (MOST - LEAST + 1));
    const double turn = rut_dice(&dice, 0, 2 * RUT_PI);
    for (int i = 0; i < boughs; i++) {
      double at[3], s, c;
      const double z =
          rut_min(foot + (w + rut_dice(&dice, 0.4, 1.4)) * step, p->height - 0.8 * step);
      trunk_at(trunk, z, at);
      rut_sincos(turn + 2 * RUT_PI * (i + rut_dice(&dice, -0.25, 0.25)) / boughs, &s, &c);
      const double length = rut_max(reach, 0.07 * crown) * rut_dice(&dice, 0.75, 1.2);
      const double droop = (0.5 + 0.25 * share) * length * rut_dice(&dice, 0.8, 1.2);
      const double half = 0.4 * step + 0.24 * length;
      const rutSpray bough = {{at[0], at[1], z + 0.5 * step},
                              {at[0] + length * c, at[1] + length * s, z + 0.3 * step - droop},
                              {-half * s, half * c, 0},
                              0.4 * half};
      rut_draw_material(builder, kinds[CONIFER].leaves, i % 3 == 0 ? 0.8 : i % 3 == 1 ? 1 : 1.25);
      rut_draw_spray(builder, &bough);
    }
  }
  // the leader
  double top[3];
  trunk_at(trunk, p->height, top);
  const Branch leader = {
      {top[0], top[1], p->height - 1.6 * step}, {top[0], top[1], p->height}, 0.12 * crown};
  rut_draw_material(builder, kinds[CONIFER].leaves, 1);
  draw_branch(builder, &leader);
}

// A mass of leaves of a crown: direction from its middle, or the middle itself.
static void place_mass(const Param* p, int i, rutDice* dice, rutFoliage* mass) {
  const int kind = (int)p->kind;
  const double foot = kinds[kind].base * p->height, crown = crown_radius(p);
  const double half = 0.5 * (p->height - foot), middle = foot + half;
  // the first on top, the others about the middle, in two rings where the crown is tall
  const bool tall = kind == BIRCH;
  const double size = i == 0 ? 0.55 : rut_dice(dice, 0.46, 0.6);
  double s, c;
  rut_sincos(RUT_GOLDEN_ANGLE * i + rut_dice(dice, -0.3, 0.3), &s, &c);
  const double level = i == 0 ? 0 : tall ? 0.3 : 0.5;
  const double up = i == 0 ? 0.5 : 0.5 - (tall ? 1.1 : 0.85) * (i - 0.5) / (MASSES - 1);
  mass->centre[0] = level * crown * c;
  mass->centre[1] = level * crown * s;
  mass->centre[2] = middle + up * half + rut_dice(dice, -0.06, 0.06) * half;
  mass->radius[0] = mass->radius[1] = size * crown * (tall ? 1.1 : 1);
  mass->radius[2] = size * half * (tall ? 0.62 : 0.85);
}

static void draw_broadleaf(const Param* p, const Trunk* trunk, rutMeshBuilder* builder,
                           int variant) {
  const int kind = (int)p->kind;
  rutDice crown = {RUT_DICE_CROWN, (uint64_t)variant, 0};
  for (int i = 0; i < MASSES; i++) {
    rutFoliage mass = {
        .sprays = SPRAYS, .droop = kind == BIRCH ? 0.5 : 0.15, .leaf = kinds[kind].leaves};
    place_mass(p, i, &crown, &mass);
    rut_draw_foliage(builder, &mass, &crown);
    // a branch from the trunk into it
    Branch branch;
    const double z =
        rut_max(0.75 * kinds[kind].base * p->height, mass.centre[2] - 0.9 * crown_radius(p));
    branch.radius = 0.55 * trunk_at(trunk, z, branch.from);
    branch.from[2] = z;
    for (int k = 0; k < 3; k++) branch.to[k] = mass.centre[k];
    rut_mesh_preset(builder, kinds[kind].bark);
    if (i > 0) draw_branch(builder, &branch);
  }
}

// Bare branches, each with twigs.
static void draw_dead(const Param* p, const Trunk* trunk, rutMeshBuilder* builder, int variant) {
  enum { BRANCHES = 9, TWIGS = 3 };
  rutDice dice = {RUT_DICE_BRANCHES, (uint64_t)variant, 0};
  rut_mesh_preset(builder, kinds[DEAD].bark);
  for (int i = 0; i < BRANCHES; i++) {
    const double z = (0.3 + 0.62 * i / BRANCHES) * p->height;
    const double reach = p->height * (0.3 - 0.2 * i / BRANCHES) * rut_dice(&dice, 0.7, 1.2);
    double s, c;
    rut_sincos(RUT_GOLDEN_ANGLE * i + rut_dice(&dice, -0.5, 0.5), &s, &c);
    Branch b;
    b.radius = 0.45 * trunk_at(trunk, z, b.from);
    b.from[2] = z;
    const double rise = reach * rut_dice(&dice, 0.3, 0.8);
    b.to[0] = b.from[0] + reach * c;
    b.to[1] = b.from[1] + reach * s;
    b.to[2] = z + rise;
    draw_branch(builder, &b);
    for (int k = 0; k < TWIGS; k++) {
      const double share = 0.35 + 0.22 * k, length = 0.35 * reach * rut_dice(&dice, 0.6, 1.2);
      double ts, tc;
      rut_sincos(rut_dice(&dice, 0, 2 * RUT_PI), &ts, &tc);
      Branch twig = {.radius = 0.4 * b.radius};
      for (int n = 0; n < 3; n++) twig.from[n] = b.from[n] + share * (b.to[n] - b.from[n]);
      twig.to[0] = twig.from[0] + length * (0.6 * c + 0.5 * tc);
      twig.to[1] = twig.from[1] + length * (0.6 * s + 0.5 * ts);
      twig.to[2] = twig.from[2] + 0.7 * length;
      draw_branch(builder, &twig);
    }
  }
}

static void tree_mesh(const void* param, int variant, rutMeshBuilder* builder) {
  const Param* p = param;
  const Trunk trunk = trunk_of(p, variant);
  draw_trunk(p, &trunk, builder);
  if (p->kind == CONIFER)
    draw_conifer(p, &trunk, builder, variant);
  else if (p->kind == DEAD)
    draw_dead(p, &trunk, builder, variant);
  else
    draw_broadleaf(p, &trunk, builder, variant);
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
