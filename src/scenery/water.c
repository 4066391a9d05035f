// SPDX-License-Identifier: BSD-3-Clause
//
// Ponds, puddles and fords: level surfaces. Vehicles drive on the ground below them; those on axles
// are carried and slowed by the water (vehicle/wading.h).
#include "math/rut_math.h"
#include "scenery/bodies.h"
#include "scenery/shapes.h"

enum { SIDES = 64, VARIANTS = 4 };

// Deep clear water: from below the surface it sends back 1 to 2 % of blue and green light, and next
// to none of 905 nm and more, which it absorbs within decimetres (Hale, Querry, Appl. Opt. 12
// (1973) 555). The refractive index is 1.33, and the surface calm.
static const rutMaterial water = {.colour = {0.005, 0.015, 0.02},
                                  .reflectance_905 = 0.001,
                                  .reflectance_1550 = 0.0005,
                                  .roughness = 0.05,
                                  .specular = 0.02,
                                  .radar = 0.001};

// clang-format off
#define FIELDS(X)                                                                     \
  X(length, "m", 20, 0.1, 1e4, "along its heading")                                   \
  X(width, "m", 12, 0.1, 1e4, "across")                                               \
  X(depth, "m", 0.02, 0.001, 100, "of the surface above the ground in its middle")
// clang-format on

typedef struct Param {
  rutSceneryHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_SCENERY_ROWS FIELDS(RUT_ROW)};

static double water_radius(const void* param) {
  const Param* p = param;
  return 0.5 * rut_max(p->length, p->width);
}

// An ellipse.
static void outline(const Param* p, int corners, double* xy) {
  for (int i = 0; i < corners; i++) {
    double s, c;
    rut_sincos(2 * RUT_PI * i / corners, &s, &c);
    xy[2 * i] = 0.5 * p->length * c;
    xy[2 * i + 1] = 0.5 * p->width * s;
  }
}

static int water_parts(const void* param, int variant, rutSceneryPart* out) {
  const Param* p = param;
  (void)variant;
  out[0] = (rutSceneryPart){.corners = RUT_SCENERY_MAX_CORNERS,
                            .z_min = 0,
                            .z_max = p->depth,
                            .material = "dark_glass",
                            .solid = false};
  outline(p, RUT_SCENERY_MAX_CORNERS, out[0].xy);
  return 1;
}

// The surface alone: the ground is its bank.
static void water_mesh(const void* param, int variant, rutMeshBuilder* builder) {
  const Param* p = param;
  rutDice dice = {RUT_DICE_WATER, (uint64_t)variant, 0};
  const double wide = rut_dice(&dice, 0, 2 * RUT_PI), narrow = rut_dice(&dice, 0, 2 * RUT_PI);
  double xy[2 * SIDES];
  outline(p, SIDES, xy);
  // bays, within the ellipse
  for (int i = 0; i < SIDES; i++) {
    const double at = 2 * RUT_PI * i / SIDES;
    const double part = (1 + 0.1 * rut_sin(2 * at + wide) + 0.05 * rut_sin(5 * at + narrow)) / 1.15;
    xy[2 * i] *= part;
    xy[2 * i + 1] *= part;
  }
  rut_mesh_material(builder, &water);
  const int middle = rut_mesh_vertex(builder, 0, 0, p->depth);
  int first = 0, last = 0;
  for (int i = 0; i < SIDES; i++) {
    const int next = rut_mesh_vertex(builder, xy[2 * i], xy[2 * i + 1], p->depth);
    if (i > 0)
      rut_mesh_triangle(builder, middle, last, next);
    else
      first = next;
    last = next;
  }
  rut_mesh_triangle(builder, middle, last, first);
}

const rutSceneryType rut_scenery_water = {
    .base = {RUT_HEAD(
        rutSceneryType, "scenery", "water", "world",
        "Ponds, puddles and fords. Vehicles drive on the ground below; the water carries and "
        "slows those on axles.",
        fields)},
    .semantic_class = "water",
    .variants = VARIANTS,
    .radius = water_radius,
    .parts = water_parts,
    .mesh = water_mesh,
    .water = true,
};
