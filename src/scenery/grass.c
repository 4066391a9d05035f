// SPDX-License-Identifier: BSD-3-Clause
//
// Tufts of grass or of a crop: seen only.
#include "base/rng.h"
#include "scenery/bodies.h"
#include "scenery/shapes.h"

enum { VARIANTS = 6, BLADES = 5 };

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

// Upright blades about a common root.
static int grass_parts(const void* param, int variant, rutSceneryPart* out) {
  const Param* p = param;
  const char* material = p->kind == 0 ? "oat_grass" : "sagebrush";
  rutParts parts = {out, 0};
  for (int i = 0; i < BLADES; i++) {
    double s, c;
    const double u = rut_uniform(3, 0, (uint64_t)variant, (uint32_t)i);
    rut_sincos(2 * RUT_PI * (i + u) / BLADES, &s, &c);
    rut_part_round(&parts, 3, 0.25 * p->width * c, 0.25 * p->width * s, 0.12 * p->width,
                   (rutPartKind){-0.1, p->height * (0.6 + 0.4 * u), material, false});
  }
  return parts.n;
}

static void grass_mesh(const void* param, int variant, rutMeshBuilder* builder) {
  enum { TUFT = 7 };
  const Param* p = param;
  rutDice dice = {3, (uint64_t)variant, 0};
  rut_mesh_preset(builder, p->kind == 0 ? "oat_grass" : "sagebrush");
  for (int i = 0; i < TUFT; i++) {
    double s, c;
    rut_sincos(2 * RUT_PI * i / TUFT + rut_dice(&dice, 0, 1), &s, &c);
    const double h = p->height * rut_dice(&dice, 0.6, 1), out = 0.5 * p->width;
    const double path[9] = {0.2 * out * c, 0.2 * out * s, -0.05,
                            0.4 * out * c, 0.4 * out * s, 0.55 * h,
                            out * c,       out * s,       h};
    const double thick = 0.02 * p->width + 0.01 * p->height;
    const double radius[3] = {thick, 0.8 * thick, 0};
    rut_mesh_tube(builder, 3, path, radius, 3);
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
