// SPDX-License-Identifier: BSD-3-Clause
//
// Stumps of trees.
#include "scenery/bodies.h"
#include "scenery/shapes.h"

enum { SIDES = 14 };

#define FIELDS(X)                                 \
  X(diameter, "m", 0.4, 0.01, 20, "of the stump") \
  X(height, "m", 0.4, 0.01, 20, "of the stump")

typedef struct Param {
  rutSceneryHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_SCENERY_ROWS FIELDS(RUT_ROW)};

static double stump_radius(const void* param) {
  const Param* p = param;
  return 0.6 * p->diameter;
}

static int stump_parts(const void* param, int variant, rutSceneryPart* out) {
  const Param* p = param;
  rutParts parts = {out, 0};
  (void)variant;
  // sections of the mesh: of its foot half way up, then of its sides
  const double r = 0.5 * p->diameter, h = p->height;
  rut_part_round(&parts, SIDES, 0, 0, 1.125 * r,
                 (rutPartKind){-RUT_FOOT, 0.35 * h, "oak_bark", true});
  rut_part_round(&parts, SIDES, 0, 0, r, (rutPartKind){0.35 * h, 0.97 * h, "oak_bark", true});
  rut_part_round(&parts, SIDES, 0, 0, 0.92 * r, (rutPartKind){0.97 * h, h, "wood", true});
  return parts.n;
}

static void stump_mesh(const void* param, int variant, rutMeshBuilder* builder) {
  const Param* p = param;
  const double r = 0.5 * p->diameter, h = p->height;
  (void)variant;
  rut_mesh_preset(builder, "oak_bark");
  rut_mesh_turned(builder, 6,
                  (const double[]){0, -RUT_FOOT, 1.5 * r, -RUT_FOOT, 1.25 * r, 0, r, 0.35 * h, r,
                                   0.97 * h, 0, 0.97 * h},
                  SIDES);
  rut_mesh_preset(builder, "wood");
  rut_mesh_turned(builder, 4, (const double[]){0, 0.95 * h, 0.92 * r, 0.95 * h, 0.92 * r, h, 0, h},
                  SIDES);
}

const rutSceneryType rut_scenery_stump = {
    .base = {RUT_HEAD(rutSceneryType, "scenery", "stump", "world actor", "Stumps of trees.",
                      fields)},
    .semantic_class = "stump",
    .variants = 1,
    .radius = stump_radius,
    .parts = stump_parts,
    .mesh = stump_mesh,
};
