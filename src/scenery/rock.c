// SPDX-License-Identifier: BSD-3-Clause
//
// Rocks and boulders that stop a vehicle.
#include "base/rng.h"
#include "scenery/bodies.h"
#include "scenery/shapes.h"

enum { VARIANTS = 12, LAYERS = 4, CORNERS = 9 };

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

// A rounded stone of which 30 % is buried, cut into layers with an uneven outline.
static int rock_parts(const void* param, int variant, rutSceneryPart* out) {
  static const double section[LAYERS] = {1, 0.95, 0.8, 0.5};
  const Param* p = param;
  const double height = p->height == p->height ? p->height : 0.6 * p->width;
  rutParts parts = {out, 0};
  for (int i = 0; i < LAYERS; i++) {
    rut_part_round(&parts, CORNERS, 0, 0, 0.5 * p->width * section[i],
                   (rutPartKind){i == 0 ? -0.3 * height : height * i / LAYERS,
                                 height * (i + 1) / LAYERS, "granite", true});
    rutSceneryPart* part = &out[parts.n - 1];
    for (int k = 0; k < CORNERS; k++) {
      const double uneven = 0.85 + 0.15 * rut_uniform(4, 0, (uint64_t)variant, (uint32_t)k);
      part->xy[2 * k] *= uneven;
      part->xy[2 * k + 1] *= 0.8 * uneven;
    }
  }
  return parts.n;
}

static void rock_mesh(const void* param, int variant, rutMeshBuilder* builder) {
  const Param* p = param;
  const double height = p->height == p->height ? p->height : 0.6 * p->width;
  rutDice dice = {4, (uint64_t)variant, 0};
  // 30 % of it is buried
  const double half = 0.5 * height / 0.7;
  const rutBlob stone = {
      {0, 0, height - half}, {0.5 * p->width, 0.4 * p->width, half}, 0.22, 8, 12};
  rut_mesh_preset(builder, "granite");
  rut_draw_blob(builder, &stone, &dice);
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
