// SPDX-License-Identifier: BSD-3-Clause
//
// Traffic cones (EN 13422: 0.75 m) with retroreflective bands.
#include "scenery/bodies.h"
#include "scenery/shapes.h"

enum { RINGS = 5 };

#define FIELDS(X) X(height, "m", 0.75, 0.05, 5, "of the cone; its base is half as wide")

typedef struct Param {
  rutSceneryHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_SCENERY_ROWS FIELDS(RUT_ROW)};

static double cone_radius(const void* param) { return 0.35 * ((const Param*)param)->height; }

static double cone_interval(const void* param) {
  (void)param;
  return 5;
}

static int cone_parts(const void* param, int variant, rutSceneryPart* out) {
  const double h = ((const Param*)param)->height, side = 0.25 * h;
  const double base[4] = {-side, -side, side, side};
  rutParts parts = {out, 0};
  (void)variant;
  rut_part_box(&parts, base, (rutPartKind){-0.02, 0.05 * h, "orange_plastic", false});
  for (int i = 0; i < RINGS; i++) {
    const double low = 0.05 + 0.19 * i, radius = 0.17 * (1 - 0.85 * (i + 0.5) / RINGS);
    rut_part_round(&parts, 12, 0, 0, radius * h,
                   (rutPartKind){low * h, (low + 0.19) * h,
                                 i % 2 ? "white_sheeting" : "orange_plastic", false});
  }
  return parts.n;
}

static void cone_mesh(const void* param, int variant, rutMeshBuilder* builder) {
  enum { BANDS = 5 };
  const double h = ((const Param*)param)->height, side = 0.25 * h;
  (void)variant;
  rut_mesh_preset(builder, "orange_plastic");
  rut_draw_box(builder, (const double[]){-side, -side, -0.02, side, side, 0.04 * h});
  for (int i = 0; i < BANDS; i++) {
    const double low = 0.04 + 0.96 * i / BANDS, high = 0.04 + 0.96 * (i + 1) / BANDS;
    const double r0 = h * (0.17 - 0.14 * low), r1 = h * (0.17 - 0.14 * high);
    const double band[8] = {0, low * h, r0, low * h, r1, high * h, 0, high * h};
    rut_mesh_preset(builder, i % 2 ? "white_sheeting" : "orange_plastic");
    rut_mesh_turned(builder, 4, band, 16);
  }
}

const rutSceneryType rut_scenery_cone = {
    .base = {RUT_HEAD(rutSceneryType, "scenery", "cone", "world actor",
                      "Traffic cones. Vehicles run them over as if they were not there.", fields)},
    .semantic_class = "traffic cone",
    .variants = 1,
    .radius = cone_radius,
    .interval = cone_interval,
    .parts = cone_parts,
    .mesh = cone_mesh,
};
