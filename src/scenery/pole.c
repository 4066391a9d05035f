// SPDX-License-Identifier: BSD-3-Clause
//
// Poles: lamps of streets, and posts for wires.
#include "scenery/shapes.h"

// clang-format off
#define FIELDS(X, CHOICE)                                                \
  X(height, "m", 6, 0.1, 100, "of the pole")                             \
  X(diameter, "m", 0.16, 0.005, 5, "at its foot")                        \
  X(arm, "m", 1.2, 0, 20, "length of the arm, to the right")             \
  CHOICE(kind, "lamp|wood", 0, "steel with a lamp, or wood with a crossbar")
// clang-format on

typedef struct Param {
  rutSceneryHead head;
  FIELDS(RUT_PARAM, RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_SCENERY_ROWS FIELDS(RUT_ROW, RUT_CHOICE_ROW)};

static double pole_radius(const void* param) { return ((const Param*)param)->diameter; }

static double pole_interval(const void* param) {
  (void)param;
  return 25;
}

static int pole_parts(const void* param, int variant, rutSceneryPart* out) {
  const Param* p = param;
  const bool lamp = p->kind == 0;
  const char* material = lamp ? "galvanised_sheet" : "wood";
  const double r = 0.5 * p->diameter, thin = 0.4 * r, h = p->height;
  rutParts parts = {out, 0};
  (void)variant;
  rut_part_round(&parts, 10, 0, 0, r, (rutPartKind){-RUT_FOOT, 0.3 * h, material, true});
  rut_part_round(&parts, 10, 0, 0, 0.75 * r, (rutPartKind){0.3 * h, h, material, true});
  if (!(p->arm > 0)) return parts.n;
  const double arm[4] = {-thin, -p->arm, thin, lamp ? 0 : p->arm};
  rut_part_box(
      &parts, arm,
      (rutPartKind){lamp ? h : 0.92 * h, (lamp ? h : 0.92 * h) + 2 * thin, material, true});
  const double head[4] = {-2 * r, -p->arm - 0.5, 2 * r, -p->arm + 0.1};
  if (lamp) rut_part_box(&parts, head, (rutPartKind){h, h + 0.12, "dark_glass", true});
  return parts.n;
}

const rutSceneryType rut_scenery_pole = {
    .base = {RUT_HEAD(rutSceneryType, "scenery", "pole", "world actor",
                      "Poles: street lamps and posts for wires. A <lamp> gives light.", fields)},
    .semantic_class = "pole",
    .variants = 1,
    .radius = pole_radius,
    .interval = pole_interval,
    .parts = pole_parts,
};
