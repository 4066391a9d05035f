// SPDX-License-Identifier: BSD-3-Clause
//
// Traffic signs on a post, of retroreflective sheeting.
#include "scenery/shapes.h"

// clang-format off
#define FIELDS(X, CHOICE)                                                             \
  X(height, "m", 2.1, 0.1, 20, "of the plate's lower edge")                           \
  X(plate, "m", 0.6, 0.05, 10, "width and height of the plate, which faces backwards")\
  CHOICE(kind, "warning|order|information", 0, "red rim, red, or blue plate")
// clang-format on

typedef struct Param {
  rutSceneryHead head;
  FIELDS(RUT_PARAM, RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_SCENERY_ROWS FIELDS(RUT_ROW, RUT_CHOICE_ROW)};

static double sign_radius(const void* param) { return 0.5 * ((const Param*)param)->plate; }

static double sign_interval(const void* param) {
  (void)param;
  return 50;
}

static int sign_parts(const void* param, int variant, rutSceneryPart* out) {
  static const char* const front[] = {"white_sheeting", "red_sheeting", "blue_sheeting"};
  const Param* p = param;
  const int kind = (int)p->kind;
  const double half = 0.5 * p->plate, post = 0.03, top = p->height + p->plate;
  const double back[4] = {post, -half, post + 0.02, half};
  const double face[4] = {-post - 0.02, -half, -post, half};
  const double inner[4] = {-post - 0.03, -0.75 * half, -post - 0.02, 0.75 * half};
  rutParts parts = {out, 0};
  (void)variant;
  rut_part_round(&parts, 8, 0, 0, post, (rutPartKind){-RUT_FOOT, top, "galvanised_sheet", true});
  rut_part_box(&parts, back, (rutPartKind){p->height, top, "galvanised_sheet", true});
  rut_part_box(&parts, face,
               (rutPartKind){p->height, top, kind == 0 ? "red_sheeting" : front[kind], true});
  rut_part_box(&parts, inner,
               (rutPartKind){p->height + 0.25 * half, top - 0.25 * half,
                             kind == 0 ? "white_sheeting" : front[kind], true});
  return parts.n;
}

const rutSceneryType rut_scenery_sign = {
    .base = {RUT_HEAD(rutSceneryType, "scenery", "sign", "world actor",
                      "Traffic signs. Those who travel along its heading see the plate.", fields)},
    .semantic_class = "traffic sign",
    .variants = 1,
    .radius = sign_radius,
    .interval = sign_interval,
    .parts = sign_parts,
};
