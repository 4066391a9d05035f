// SPDX-License-Identifier: BSD-3-Clause
//
// People who stand. Those who walk are <actor>.
#include "scenery/bodies.h"
#include "scenery/shapes.h"

enum { VARIANTS = 6 };

#define FIELDS(X) X(height, "m", 1.75, 0.3, 3, "of the person")

typedef struct Param {
  rutSceneryHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_SCENERY_ROWS FIELDS(RUT_ROW)};

static double person_radius(const void* param) {
  (void)param;
  return 0.3;
}

// Proportions of a standing adult (Winter, Biomechanics and Motor Control of Human Movement, 4th
// edition, figure 4.1): hip at 0.53, shoulders at 0.82, chin at 0.87 of the height.
static int person_parts(const void* param, int variant, rutSceneryPart* out) {
  static const char* const tops[VARIANTS] = {"cotton",      "red_paint", "blue_paint",
                                             "olive_paint", "denim",     "road_paint"};
  const double h = ((const Param*)param)->height, w = 0.13 * h;
  const double left[4] = {-0.05 * h, 0.01 * h, 0.05 * h, 0.1 * h};
  const double right[4] = {-0.05 * h, -0.1 * h, 0.05 * h, -0.01 * h};
  const double trunk[4] = {-0.07 * h, -w, 0.07 * h, w};
  const double arm_l[4] = {-0.03 * h, w, 0.03 * h, w + 0.05 * h};
  const double arm_r[4] = {-0.03 * h, -w - 0.05 * h, 0.03 * h, -w};
  const char* top = tops[variant % VARIANTS];
  rutParts parts = {out, 0};
  rut_part_box(&parts, left, (rutPartKind){-0.05, 0.53 * h, "denim", true});
  rut_part_box(&parts, right, (rutPartKind){-0.05, 0.53 * h, "denim", true});
  rut_part_box(&parts, trunk, (rutPartKind){0.53 * h, 0.82 * h, top, true});
  rut_part_box(&parts, arm_l, (rutPartKind){0.45 * h, 0.81 * h, top, true});
  rut_part_box(&parts, arm_r, (rutPartKind){0.45 * h, 0.81 * h, top, true});
  rut_part_round(&parts, 6, 0, 0, 0.035 * h, (rutPartKind){0.82 * h, 0.87 * h, "skin", true});
  rut_part_round(&parts, 10, 0, 0, 0.055 * h, (rutPartKind){0.87 * h, h, "skin", true});
  return parts.n;
}

static void person_mesh(const void* param, int variant, rutMeshBuilder* builder) {
  static const char* const tops[VARIANTS] = {"cotton",      "red_paint", "blue_paint",
                                             "olive_paint", "denim",     "road_paint"};
  const double h = ((const Param*)param)->height;
  const double stride[2] = {0.05 * h, -0.06 * h};
  rutDice dice = {RUT_DICE_PERSON, (uint64_t)variant, 0};
  rut_mesh_preset(builder, "denim");
  for (int i = 0; i < 2; i++) {
    const double y = i ? -0.052 * h : 0.052 * h;
    const rutLimb thigh = {
        {0, y, 0.53 * h}, {0.6 * stride[i], y, 0.285 * h}, {0.052 * h, 0.038 * h}, 8};
    const rutLimb shank = {
        {0.6 * stride[i], y, 0.285 * h}, {stride[i], y, 0.03 * h}, {0.038 * h, 0.025 * h}, 8};
    rut_draw_limb(builder, &thigh);
    rut_draw_limb(builder, &shank);
  }
  rut_mesh_preset(builder, "rubber");
  for (int i = 0; i < 2; i++) {
    const double y = i ? -0.052 * h : 0.052 * h, x = stride[i];
    const double shoe[6] = {x - 0.03 * h, y - 0.025 * h, 0, x + 0.1 * h, y + 0.025 * h, 0.04 * h};
    rut_draw_box(builder, shoe);
  }
  rut_mesh_preset(builder, tops[variant % VARIANTS]);
  const rutBlob trunk = {{0, 0, 0.68 * h}, {0.075 * h, 0.125 * h, 0.17 * h}, 0.02, 8, 12};
  rut_draw_blob(builder, &trunk, &dice);
  for (int i = 0; i < 2; i++) {
    const double y = i ? -0.13 * h : 0.13 * h;
    const rutLimb arm = {
        {0, 0.95 * y, 0.81 * h}, {-0.02 * h, 1.2 * y, 0.63 * h}, {0.036 * h, 0.028 * h}, 8};
    const rutLimb forearm = {
        {-0.02 * h, 1.2 * y, 0.63 * h}, {0.03 * h, 1.2 * y, 0.5 * h}, {0.028 * h, 0.02 * h}, 8};
    rut_draw_limb(builder, &arm);
    rut_draw_limb(builder, &forearm);
  }
  rut_mesh_preset(builder, "skin");
  const rutLimb neck = {{0, 0, 0.8 * h}, {0, 0, 0.89 * h}, {0.035 * h, 0.03 * h}, 8};
  const rutBlob head = {{0.01 * h, 0, 0.935 * h}, {0.055 * h, 0.045 * h, 0.067 * h}, 0, 8, 12};
  rut_draw_limb(builder, &neck);
  rut_draw_blob(builder, &head, &dice);
}

const rutSceneryType rut_scenery_person = {
    .base = {RUT_HEAD(rutSceneryType, "scenery", "person", "world actor",
                      "People who stand. Those who walk are actors.", fields)},
    .semantic_class = "person",
    .variants = VARIANTS,
    .radius = person_radius,
    .parts = person_parts,
    .mesh = person_mesh,
};
