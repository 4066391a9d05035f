// SPDX-License-Identifier: BSD-3-Clause
//
// Tufts of grass or of a crop: seen only.
#include "scenery/foliage.h"
#include "scenery/shapes.h"

enum { VARIANTS = 6, BLADES = 12 };

#define FIELDS(X, CHOICE)                                  \
  X(height, "m", 0.35, 0.01, 5, "of the tuft")             \
  X(width, "m", 0.3, 0.01, 5, "of the tuft at its widest") \
  CHOICE(kind, "green|dry", 0, "material: lawn grass, or dry stalks")

typedef struct Param {
  rutSceneryHead head;
  FIELDS(RUT_PARAM, RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_SCENERY_ROWS FIELDS(RUT_ROW, RUT_CHOICE_ROW)};

static double grass_radius(const void* param) {
  const Param* p = param;
  return 0.35 * p->width;
}

static const char* material_of(const Param* p) { return p->kind == 0 ? "oat_grass" : "sagebrush"; }

// Upright blades about a common root, for those who do not draw meshes.
static int grass_parts(const void* param, int variant, rutSceneryPart* out) {
  enum { UPRIGHT = 5 };
  const Param* p = param;
  rutDice dice = {RUT_DICE_LAYERS, (uint64_t)variant, 0};
  rutParts parts = {out, 0};
  for (int i = 0; i < UPRIGHT; i++) {
    double s, c;
    const double u = rut_dice(&dice, 0, 1);
    rut_sincos(2 * RUT_PI * (i + u) / UPRIGHT, &s, &c);
    rut_part_round(&parts, 3, 0.25 * p->width * c, 0.25 * p->width * s, 0.12 * p->width,
                   (rutPartKind){-0.1, p->height * (0.6 + 0.4 * u), material_of(p), false});
  }
  return parts.n;
}

// Blades that bend outwards, each folded along its middle.
static void grass_mesh(const void* param, int variant, rutMeshBuilder* builder) {
  const Param* p = param;
  rutDice dice = {RUT_DICE_GRASS, (uint64_t)variant, 0};
  for (int i = 0; i < BLADES; i++) {
    double s, c;
    rut_sincos(RUT_GOLDEN_ANGLE * i + rut_dice(&dice, 0, 1), &s, &c);
    const double h = p->height * rut_dice(&dice, 0.55, 1), w = 0.5 * p->width;
    const double out = w * rut_dice(&dice, 0.3, 1), foot = w * rut_dice(&dice, 0, 0.3);
    const double half = 0.03 * p->width + 0.012 * p->height, bend = 0.3 * (out - foot);
    const double knee[3] = {(foot + bend) * c, (foot + bend) * s, 0.6 * h};
    int row[2][2];
    rut_draw_material(builder, material_of(p), i % 3 == 0 ? 0.7 : i % 3 == 1 ? 1 : 1.3);
    for (int side = 0; side < 2; side++) {
      const double a = side ? -half : half;
      row[0][side] = rut_mesh_vertex(builder, foot * c - a * s, foot * s + a * c, -0.05);
      row[1][side] =
          rut_mesh_vertex(builder, knee[0] - 0.8 * a * s, knee[1] + 0.8 * a * c, knee[2]);
    }
    const int tip = rut_mesh_vertex(builder, out * c, out * s, h);
    rut_mesh_quad(builder, row[0][1], row[0][0], row[1][0], row[1][1]);
    rut_mesh_triangle(builder, row[1][1], row[1][0], tip);
  }
}

const rutSceneryType rut_scenery_grass = {
    .base = {RUT_HEAD(rutSceneryType, "scenery", "grass", "world actor",
                      "Tufts of grass, crops or stubble. They are seen and touch nothing.",
                      fields)},
    .semantic_class = "grass",
    .variants = VARIANTS,
    .radius = grass_radius,
    .parts = grass_parts,
    .mesh = grass_mesh,
};
