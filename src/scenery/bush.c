// SPDX-License-Identifier: BSD-3-Clause
//
// Bushes: seen, and driven through.
#include "scenery/foliage.h"
#include "scenery/shapes.h"

enum { VARIANTS = 8, LAYERS = 4, CORNERS = 9, MASSES = 5, SPRAYS = 18 };

#define FIELDS(X)                                    \
  X(height, "m", 1.2, 0.05, 20, "of the bush")       \
  X(width, "m", 1.6, 0.05, 40, "of its widest part") \
  X(stem, "m", 0, 0, 2, "diameter of a stem that vehicles collide with; 0: none")

typedef struct Param {
  rutSceneryHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_SCENERY_ROWS FIELDS(RUT_ROW)};

static double bush_radius(const void* param) {
  const Param* p = param;
  return 0.4 * p->width;
}

static int bush_parts(const void* param, int variant, rutSceneryPart* out) {
  static const double dome[LAYERS] = {0.8, 1, 0.85, 0.5};
  const Param* p = param;
  rutDice dice = {RUT_DICE_LAYERS, (uint64_t)variant, 0};
  rutParts parts = {out, 0};
  if (p->stem > 0) {
    rut_part_round(&parts, 8, 0, 0, 0.5 * p->stem,
                   (rutPartKind){-RUT_FOOT, 0.5 * p->height, "oak_bark", true});
  }
  for (int i = 0; i < LAYERS; i++) {
    const double bulge = rut_dice(&dice, 0.85, 1.15);
    rut_part_round(&parts, CORNERS, 0, 0, 0.5 * p->width * dome[i] * bulge,
                   (rutPartKind){i == 0 ? -0.1 * p->height : p->height * i / LAYERS,
                                 p->height * (i + 1) / LAYERS, "sagebrush", false});
  }
  return parts.n;
}

static void bush_mesh(const void* param, int variant, rutMeshBuilder* builder) {
  const Param* p = param;
  rutDice dice = {RUT_DICE_BUSH, (uint64_t)variant, 0};
  for (int i = 0; i < MASSES; i++) {
    double s, c;
    rut_sincos(RUT_GOLDEN_ANGLE * i + rut_dice(&dice, -0.3, 0.3), &s, &c);
    const double out = i == 0 ? 0 : 0.24 * p->width, size = rut_dice(&dice, 0.2, 0.26);
    const double up = p->height * (i == 0 ? 0.58 : rut_dice(&dice, 0.25, 0.48));
    const rutFoliage mass = {{out * c, out * s, up},
                             {size * p->width, size * p->width, 1.55 * size * p->height},
                             SPRAYS,
                             -0.2,
                             "sagebrush"};
    rut_draw_foliage(builder, &mass, &dice);
  }
}

const rutSceneryType rut_scenery_bush = {
    .base = {RUT_HEAD(rutSceneryType, "scenery", "bush", "world actor",
                      "Bushes. Vehicles pass through them, except for a stem.", fields)},
    .semantic_class = "bush",
    .variants = VARIANTS,
    .radius = bush_radius,
    .parts = bush_parts,
    .mesh = bush_mesh,
};
