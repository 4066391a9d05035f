// SPDX-License-Identifier: BSD-3-Clause
//
// People who stand, and those of actors, who walk and run.
#include <string.h>

#include "scenery/bodies.h"
#include "scenery/gait.h"
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

// ---- what sensors see ----

enum { TRUNK, THIGH, SHANK = 3, FOOT = 5, UPPER_ARM = 7, FOREARM = 9, MOVING = 11 };
enum { RINGS = 7, COLUMNS = 16 };

static const struct {
  const char *top, *trousers;
  double hair[3], skin;  // linear reflectances, brightness
  bool bag;
} looks[VARIANTS] = {{"cotton", "denim", {0.05, 0.03, 0.02}, 1, false},
                     {"red_paint", "grey_paint", {0.02, 0.015, 0.01}, 0.45, true},
                     {"blue_paint", "denim", {0.25, 0.16, 0.07}, 1.05, false},
                     {"olive_paint", "cotton", {0.1, 0.05, 0.03}, 0.9, true},
                     {"denim", "olive_paint", {0.03, 0.02, 0.015}, 0.6, false},
                     {"road_paint", "denim", {0.3, 0.3, 0.28}, 1, false}};

// Level rings about a height, each of half widths ahead and to the side, in parts of the height.
static void draw_rings(rutMeshBuilder* builder, double h, int rings, const double ring[][4]) {
  double point[RINGS * COLUMNS * 3], *p = point;
  for (int r = 0; r < rings; r++) {
    for (int c = 0; c < COLUMNS; c++, p += 3) {
      double s, k;
      rut_sincos(2 * RUT_PI * c / COLUMNS, &s, &k);
      p[0] = h * (ring[r][3] + ring[r][1] * k);
      p[1] = h * ring[r][2] * s;
      p[2] = h * ring[r][0];
    }
  }
  rut_mesh_loft(builder, rings, COLUMNS, point, RUT_LOFT_RING | RUT_LOFT_CAPS);
}

static void draw_head(rutMeshBuilder* builder, double h, int variant, rutDice* dice) {
  rut_draw_material(builder, "skin", looks[variant].skin);
  const rutLimb neck = {
      {-0.005 * h, 0, 0.27 * h}, {0.005 * h, 0, 0.36 * h}, {0.034 * h, 0.03 * h}, 10};
  const rutBlob head = {{0.012 * h, 0, 0.4 * h}, {0.052 * h, 0.043 * h, 0.066 * h}, 0, 10, 16};
  const rutBlob nose = {{0.064 * h, 0, 0.398 * h}, {0.012 * h, 0.008 * h, 0.014 * h}, 0, 5, 8};
  rut_draw_limb(builder, &neck);
  rut_draw_blob(builder, &head, dice);
  rut_draw_blob(builder, &nose, dice);
  rut_mesh_colour(builder, looks[variant].hair, 0.8, 0.04);
  const rutBlob hair = {{0, 0, 0.417 * h}, {0.05 * h, 0.047 * h, 0.055 * h}, 0.05, 8, 14};
  rut_draw_blob(builder, &hair, dice);
}

// From the hips up: pelvis, chest, shoulders, neck and head.
static void draw_trunk(rutMeshBuilder* builder, double h, int variant) {
  // height above the hips, half depth, half width, offset ahead
  static const double pelvis[4][4] = {{-0.045, 0.05, 0.07, 0},
                                      {-0.015, 0.066, 0.098, -0.004},
                                      {0.03, 0.064, 0.1, 0},
                                      {0.06, 0.056, 0.09, 0.004}};
  static const double chest[RINGS][4] = {
      {0.03, 0.062, 0.1, 0.002},   {0.08, 0.056, 0.088, 0.006},  {0.16, 0.064, 0.1, 0.004},
      {0.225, 0.066, 0.112, 0},    {0.27, 0.056, 0.122, -0.006}, {0.295, 0.042, 0.095, -0.008},
      {0.312, 0.034, 0.04, -0.006}};
  rutDice dice = {RUT_DICE_PERSON, (uint64_t)variant, 0};
  rut_mesh_preset(builder, looks[variant].trousers);
  draw_rings(builder, h, RUT_COUNT_OF(pelvis), pelvis);
  rut_mesh_preset(builder, looks[variant].top);
  draw_rings(builder, h, RINGS, chest);
  draw_head(builder, h, variant, &dice);
  if (!looks[variant].bag) return;
  const double low[3] = {-0.15 * h, -0.075 * h, 0.07 * h};
  const double high[3] = {-0.05 * h, 0.075 * h, 0.28 * h};
  rut_mesh_preset(builder, "rubber");
  rut_mesh_bevelled_box(builder, low, high, 0.02 * h);
}

// From its upper joint down, with a round joint at that end.
static void draw_hanging(rutMeshBuilder* builder, double h, double length, const double radius[2]) {
  const rutLimb limb = {{0, 0, 0}, {0, 0, -length * h}, {radius[0] * h, radius[1] * h}, 10};
  rut_draw_limb(builder, &limb);
  for (int i = 0; i < 2; i++) {
    const double r = radius[i] * h, pose[6] = {0, 0, i ? -length * h : 0, 0, 0, 0};
    rut_mesh_frame(builder, pose, 1);
    rut_mesh_sphere(builder, r, 1);
  }
  rut_mesh_frame(builder, NULL, 1);
}

static void draw_foot(rutMeshBuilder* builder, double h) {
  static const double sole = 0.016;
  const double xz[] = {RUT_HEEL * h,
                       -RUT_ANKLE_HEIGHT * h,
                       0.105 * h,
                       -RUT_ANKLE_HEIGHT * h,
                       0.115 * h,
                       (sole - RUT_ANKLE_HEIGHT) * h,
                       0.08 * h,
                       (0.034 - RUT_ANKLE_HEIGHT) * h,
                       0.03 * h,
                       0.012 * h,
                       -0.03 * h,
                       0.014 * h,
                       (RUT_HEEL - 0.005) * h,
                       (sole - RUT_ANKLE_HEIGHT) * h};
  rut_mesh_preset(builder, "rubber");
  rut_draw_profile(builder, RUT_COUNT_OF(xz) / 2, xz, 0.026 * h);
}

// Left ones first; limbs hang from their upper joints.
static void person_part_mesh(const void* param, int variant, int part, rutMeshBuilder* builder) {
  static const double thigh[2] = {0.05, 0.036}, shank[2] = {0.036, 0.026};
  static const double upper_arm[2] = {0.034, 0.027}, forearm[2] = {0.026, 0.02};
  const double h = ((const Param*)param)->height;
  const int look = variant % VARIANTS;
  if (part == TRUNK) {
    draw_trunk(builder, h, look);
  } else if (part < FOOT) {
    rut_mesh_preset(builder, looks[look].trousers);
    draw_hanging(builder, h, part < SHANK ? RUT_THIGH : RUT_SHANK, part < SHANK ? thigh : shank);
  } else if (part < UPPER_ARM) {
    draw_foot(builder, h);
  } else if (part < FOREARM) {
    rut_mesh_preset(builder, looks[look].top);
    draw_hanging(builder, h, RUT_UPPER_ARM, upper_arm);
  } else {
    rutDice dice = {RUT_DICE_PERSON, (uint64_t)variant, 0};
    rut_mesh_preset(builder, looks[look].top);
    draw_hanging(builder, h, RUT_FOREARM, forearm);
    rut_draw_material(builder, "skin", looks[look].skin);
    const rutBlob hand = {{0.005 * h, 0, -0.185 * h}, {0.022 * h, 0.014 * h, 0.045 * h}, 0, 6, 10};
    rut_draw_blob(builder, &hand, &dice);
  }
}

static void put_limb(double x, double y, double z, double forwards, double pose[6]) {
  const double limb[6] = {x, y, z, 0, -forwards, 0};
  memcpy(pose, limb, sizeof limb);
}

static void person_pose(const void* param, const rutActorMotion* motion, double pose[][6]) {
  const double h = ((const Param*)param)->height;
  rutGait gait;
  rut_gait(h, motion, &gait);
  put_limb(0, 0, gait.hip, -gait.lean, pose[TRUNK]);
  double lean_s, lean_c;
  rut_sincos(gait.lean, &lean_s, &lean_c);
  const double shoulder[2] = {RUT_SHOULDER * h * lean_s, gait.hip + RUT_SHOULDER * h * lean_c};
  for (int i = 0; i < 2; i++) {
    const rutGaitSide* side = &gait.side[i];
    const double left = i ? -1 : 1, leg = RUT_HIP_SIDE * left * h, arm = 0.128 * left * h;
    double s, c;
    put_limb(0, leg, gait.hip, side->thigh, pose[THIGH + i]);
    put_limb(side->knee[0], leg, side->knee[1], side->shank, pose[SHANK + i]);
    put_limb(side->ankle[0], leg, side->ankle[1], side->foot, pose[FOOT + i]);
    rut_sincos(side->upper_arm, &s, &c);
    put_limb(shoulder[0], arm, shoulder[1], side->upper_arm, pose[UPPER_ARM + i]);
    put_limb(shoulder[0] + RUT_UPPER_ARM * h * s, arm, shoulder[1] - RUT_UPPER_ARM * h * c,
             side->forearm, pose[FOREARM + i]);
  }
}

const rutSceneryType rut_scenery_person = {
    .base = {RUT_HEAD(rutSceneryType, "scenery", "person", "world actor",
                      "People who stand. Those who walk are actors.", fields)},
    .semantic_class = "person",
    .variants = VARIANTS,
    .radius = person_radius,
    .parts = person_parts,
    .moving = MOVING,
    .moving_mesh = person_part_mesh,
    .moving_pose = person_pose,
};
