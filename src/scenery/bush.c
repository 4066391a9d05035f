// SPDX-License-Identifier: BSD-3-Clause
//
// Bushes: seen, and driven through.
#include "base/rng.h"
#include "scenery/bodies.h"
#include "scenery/shapes.h"

enum { VARIANTS = 8, LAYERS = 4, CORNERS = 9 };

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
  rutParts parts = {out, 0};
  if (p->stem > 0) {
    rut_part_round(&parts, 8, 0, 0, 0.5 * p->stem,
                   (rutPartKind){-RUT_FOOT, 0.5 * p->height, "oak_bark", true});
  }
  for (int i = 0; i < LAYERS; i++) {
    const double bulge = 0.85 + 0.3 * rut_uniform(2, 0, (uint64_t)variant, (uint32_t)i);
    rut_part_round(&parts, CORNERS, 0, 0, 0.5 * p->width * dome[i] * bulge,
                   (rutPartKind){i == 0 ? -0.1 * p->height : p->height * i / LAYERS,
                                 p->height * (i + 1) / LAYERS, "sagebrush", false});
  }
  return parts.n;
}

static void bush_mesh(const void* param, int variant, rutMeshBuilder* builder) {
  enum { MASSES = 6 };
  const Param* p = param;
  rutDice dice = {2, (uint64_t)variant, 0};
  rut_mesh_preset(builder, "sagebrush");
  for (int i = 0; i < MASSES; i++) {
    double s, c;
    rut_sincos(2.399963229728653 * i, &s, &c);
    const double out = i == 0 ? 0 : 0.26 * p->width, size = rut_dice(&dice, 0.2, 0.3);
    const double up = rut_dice(&dice, 0.3, i == 0 ? 0.62 : 0.5) * p->height;
    const rutBlob mass = {{out * c, out * s, up},
                          {size * p->width, size * p->width, p->height * size * 1.3},
                          0.4,
                          5,
                          9};
    rut_draw_blob(builder, &mass, &dice);
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
