// SPDX-License-Identifier: BSD-3-Clause
//
// Fences, panel by panel: one post and the rails to the next.
#include "scenery/shapes.h"

enum { MAX_RAILS = 8 };

// clang-format off
#define FIELDS(X, WHOLE, CHOICE)                                                            \
  X(height, "m", 1.2, 0.05, 50, "of the posts")                                             \
  X(length, "m", 2.5, 0.05, 100, "of a panel, from post to post")                           \
  X(thickness, "m", 0.1, 0.005, 5, "of the posts; rails are a third as thick")              \
  WHOLE(rails, "", 2, 0, MAX_RAILS, "between two posts")                                    \
  CHOICE(kind, "wood|steel|concrete", 0, "material; of concrete it is a closed barrier")
// clang-format on

typedef struct Param {
  rutSceneryHead head;
  FIELDS(RUT_PARAM, RUT_PARAM, RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_SCENERY_ROWS FIELDS(RUT_ROW, RUT_WHOLE_ROW, RUT_CHOICE_ROW)};

static double fence_radius(const void* param) {
  const Param* p = param;
  return 0.5 * p->length;
}

static double fence_interval(const void* param) { return ((const Param*)param)->length; }

static int fence_parts(const void* param, int variant, rutSceneryPart* out) {
  static const char* const materials[] = {"wood", "galvanised_sheet", "concrete"};
  const Param* p = param;
  const char* material = materials[(int)p->kind];
  const double half = 0.5 * p->thickness, end = 0.5 * p->length;
  rutParts parts = {out, 0};
  (void)variant;
  if (p->kind == 2) {
    const double low[4] = {-end, -half, end, half}, high[4] = {-end, -0.6 * half, end, 0.6 * half};
    const double shoulder = 0.3 * p->height;
    rut_part_box(&parts, low, (rutPartKind){-RUT_FOOT, shoulder, material, true});
    rut_part_box(&parts, high, (rutPartKind){shoulder, p->height, material, true});
    return parts.n;
  }
  const double post[4] = {-end - half, -half, -end + half, half};
  rut_part_box(&parts, post, (rutPartKind){-RUT_FOOT, p->height, material, true});
  for (int i = 0; i < (int)p->rails; i++) {
    const double rail[4] = {-end, -half / 3, end, half / 3};
    const double z = p->height * (i + 1) / (p->rails + 0.3);
    rut_part_box(&parts, rail, (rutPartKind){z - 0.5 * p->thickness, z, material, true});
  }
  return parts.n;
}

const rutSceneryType rut_scenery_fence = {
    .base = {RUT_HEAD(rutSceneryType, "scenery", "fence", "world actor",
                      "Fences and barriers of panels, along a line.", fields)},
    .semantic_class = "fence",
    .variants = 1,
    .radius = fence_radius,
    .interval = fence_interval,
    .parts = fence_parts,
};
