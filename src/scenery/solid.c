// SPDX-License-Identifier: BSD-3-Clause
//
// Simple solids: boxes and cylinders, as obstacles of test courses and in the place of things whose
// shape is not known.
#include "math/rut_math.h"
#include "scenery/shapes.h"

enum { BOX, CYLINDER };

// clang-format off
#define FIELDS(X, CHOICE)                                                    \
  CHOICE(shape, "box|cylinder", 0, "of its outline")                         \
  X(length, "m", 1, 0.001, 1e4, "along its heading; diameter of a cylinder") \
  X(width, "m", 1, 0.001, 1e4, "across, of a box")                           \
  X(height, "m", 1, 0.001, 1e4, "from its underside")                        \
  X(bottom, "m", 0, -1e4, 1e4, "height of its underside above the ground")
// clang-format on

typedef struct Param {
  rutSceneryHead head;
  FIELDS(RUT_PARAM, RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_SCENERY_ROWS FIELDS(RUT_ROW, RUT_CHOICE_ROW)};

static double solid_radius(const void* param) {
  const Param* p = param;
  return p->shape == CYLINDER ? 0.5 * p->length : 0.5 * rut_hypot(p->length, p->width);
}

static int solid_parts(const void* param, int variant, rutSceneryPart* out) {
  const Param* p = param;
  const double box[4] = {-0.5 * p->length, -0.5 * p->width, 0.5 * p->length, 0.5 * p->width};
  const rutPartKind kind = {p->bottom, p->bottom + p->height, "concrete", true};
  rutParts parts = {out, 0};
  (void)variant;
  if (p->shape == CYLINDER) {
    rut_part_round(&parts, RUT_SCENERY_MAX_CORNERS, 0, 0, 0.5 * p->length, kind);
  } else {
    rut_part_box(&parts, box, kind);
  }
  return parts.n;
}

const rutSceneryType rut_scenery_solid = {
    .base = {RUT_HEAD(rutSceneryType, "scenery", "solid", "world actor",
                      "Boxes and cylinders that stop a vehicle.", fields)},
    .semantic_class = "obstacle",
    .variants = 1,
    .radius = solid_radius,
    .parts = solid_parts,
};
