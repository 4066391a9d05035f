// SPDX-License-Identifier: BSD-3-Clause
//
// Cars that are parked, and those of actors, whose wheels turn.
#include "scenery/bodies.h"
#include "scenery/shapes.h"

enum { VARIANTS = 5, WHEELS = 4, SPOKES = 5 };

// clang-format off
#define FIELDS(X, CHOICE)                                                                 \
  CHOICE(kind, "car|van|lorry", 0, "shape and size")                                      \
  CHOICE(paint, "any|white|grey|red|blue|olive", 0, "colour; any: each one at random")
// clang-format on

typedef struct Param {
  rutSceneryHead head;
  FIELDS(RUT_PARAM, RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_SCENERY_ROWS FIELDS(RUT_ROW, RUT_CHOICE_ROW)};

// Length, width, height, height of the bonnet, wheel radius, axle distance from the middle, and the
// cabin from and to x, all in m.
static const struct {
  double length, width, height, bonnet, wheel, axle, cabin[2];
} kinds[] = {{4.4, 1.8, 1.46, 0.92, 0.31, 1.32, {-1.7, 1.0}},
             {5.4, 2.0, 2.3, 1.15, 0.35, 1.65, {-2.65, 1.6}},
             {8.2, 2.5, 3.4, 1.2, 0.5, 2.5, {2.2, 4.05}}};

static double car_radius(const void* param) {
  return 0.5 * kinds[(int)((const Param*)param)->kind].length;
}

static double car_interval(const void* param) {
  return kinds[(int)((const Param*)param)->kind].length + 1.2;
}

static void add_wheels(rutParts* parts, int kind) {
  const double r = kinds[kind].wheel, side = 0.5 * kinds[kind].width;
  for (int i = 0; i < 4; i++) {
    const double x = i < 2 ? kinds[kind].axle : -kinds[kind].axle, y = i % 2 ? side : -side + 0.2;
    const double box[4] = {x - 0.8 * r, y - 0.2, x + 0.8 * r, y};
    rut_part_box(parts, box, (rutPartKind){-0.05, 1.6 * r, "rubber", true});
  }
}

static int car_parts(const void* param, int variant, rutSceneryPart* out) {
  static const char* const paints[VARIANTS] = {"white_paint", "grey_paint", "red_paint",
                                               "blue_paint", "olive_paint"};
  const Param* p = param;
  const int kind = (int)p->kind;
  const char* paint = paints[p->paint > 0 ? (int)p->paint - 1 : variant % VARIANTS];
  const double x = 0.5 * kinds[kind].length, y = 0.5 * kinds[kind].width,
               *cabin = kinds[kind].cabin;
  const double bonnet = kinds[kind].bonnet, top = kinds[kind].height;
  const double body[4] = {-x, -y + 0.02, x, y - 0.02};
  const double glass[4] = {cabin[0] + 0.15, -0.9 * y, cabin[1], 0.9 * y};
  const double roof[4] = {cabin[0] + 0.3, -0.88 * y, cabin[1] - 0.35, 0.88 * y};
  rutParts parts = {out, 0};
  rut_part_box(&parts, body, (rutPartKind){0.25, bonnet, paint, true});
  rut_part_box(&parts, glass, (rutPartKind){bonnet, top - 0.12, "dark_glass", true});
  rut_part_box(&parts, roof, (rutPartKind){top - 0.12, top, paint, true});
  add_wheels(&parts, kind);
  const double load[4] = {-x, -y, 2.0, y};
  if (kind == 2) rut_part_box(&parts, load, (rutPartKind){bonnet, top, "white_paint", true});
  return parts.n;
}

// ---- what sensors see ----

enum { CAR, VAN, LORRY };

// A tyre and a rim with spokes, about its centre, y along the axle.
static void draw_wheel(rutMeshBuilder* builder, double r) {
  static const double upright[6] = {0, 0, 0, RUT_PI / 2, 0, 0};
  rut_mesh_frame(builder, upright, 1);
  rut_mesh_preset(builder, "rubber");
  rut_mesh_cylinder(builder, r, 0.22, 24);
  rut_mesh_preset(builder, "galvanised_sheet");
  rut_mesh_cylinder(builder, 0.62 * r, 0.225, 20);
  rut_mesh_preset(builder, "grey_paint");
  rut_mesh_cylinder(builder, 0.16 * r, 0.24, 12);
  rut_mesh_frame(builder, NULL, 1);
  for (int i = 0; i < SPOKES; i++) {
    const double turned[6] = {0, 0, 0, 0, 2 * RUT_PI * i / SPOKES, 0};
    rut_mesh_frame(builder, turned, 1);
    rut_draw_box(builder, (const double[]){-0.07 * r, -0.118, 0.1 * r, 0.07 * r, 0.118, 0.61 * r});
  }
  rut_mesh_frame(builder, NULL, 1);
}

// Number plates of 520 mm x 110 mm (ISO 7591), at the front and at the rear.
static void draw_plates(rutMeshBuilder* builder, double x) {
  static const double half = 0.26, low = 0.4, high = 0.51, thickness = 0.02;
  rut_mesh_preset(builder, "number_plate");
  rut_draw_box(builder, (const double[]){x - 0.1, -half, low, x + thickness, half, high});
  rut_draw_box(builder, (const double[]){-x - thickness, -half, low, 0.1 - x, half, high});
}

// Lamps at the front and at the rear, and plates.
static void draw_lamps(rutMeshBuilder* builder, int kind) {
  const double x = 0.5 * kinds[kind].length, y = 0.5 * kinds[kind].width, z = 0.65;
  for (int i = 0; i < 2; i++) {
    const double side = i ? -1 : 1, from = side * (y - 0.1), to = side * (y - 0.42);
    const double low = rut_min(from, to), high = rut_max(from, to);
    rut_mesh_preset(builder, "road_paint");
    rut_draw_box(builder, (const double[]){x - 0.1, low, z, x + 0.01, high, z + 0.13});
    rut_mesh_preset(builder, "red_paint");
    rut_draw_box(builder, (const double[]){-x - 0.01, low, z + 0.05, 0.1 - x, high, z + 0.2});
  }
  draw_plates(builder, x);
}

// A saloon: body with bonnet and boot, glass house, roof.
static void draw_saloon(rutMeshBuilder* builder, const char* paint) {
  static const double body[] = {-2.2, 0.3,  2.15, 0.25, 2.2,  0.55,  2.12, 0.72, 1.0,
                                0.92, 0.75, 0.95, -1.6, 0.98, -2.15, 0.95, -2.2, 0.75};
  static const double house[] = {0.95, 0.9, 0.3, 1.4, -1.0, 1.42, -1.65, 0.94};
  static const double roof[] = {0.36, 1.36, 0.25, 1.44, -0.95, 1.46, -1.06, 1.38};
  rut_mesh_preset(builder, paint);
  rut_draw_profile(builder, RUT_COUNT_OF(body) / 2, body, 0.87);
  rut_mesh_preset(builder, "dark_glass");
  rut_draw_profile(builder, RUT_COUNT_OF(house) / 2, house, 0.74);
  rut_mesh_preset(builder, paint);
  rut_draw_profile(builder, RUT_COUNT_OF(roof) / 2, roof, 0.75);
}

static void draw_van(rutMeshBuilder* builder, const char* paint) {
  static const double body[] = {-2.7, 0.35, 2.65, 0.3, 2.7, 0.75, 2.55, 1.05, 1.75,
                                1.25, 1.0,  2.2,  0.6, 2.3, -2.6, 2.3,  -2.7, 2.2};
  static const double screen[] = {1.84, 1.25, 1.13, 2.12, 1.05, 2.1, 1.74, 1.22};
  static const double side[] = {1.55, 1.3, 1.0, 1.95, 0.45, 1.95, 0.45, 1.3};
  rut_mesh_preset(builder, paint);
  rut_draw_profile(builder, RUT_COUNT_OF(body) / 2, body, 0.97);
  rut_mesh_preset(builder, "dark_glass");
  rut_draw_profile(builder, RUT_COUNT_OF(screen) / 2, screen, 0.88);
  rut_draw_profile(builder, RUT_COUNT_OF(side) / 2, side, 0.98);
}

static void draw_lorry(rutMeshBuilder* builder, const char* paint) {
  static const double cab[] = {2.3, 0.6, 4.05, 0.5, 4.1, 1.5, 3.85, 2.75, 3.6, 2.85, 2.3, 2.85};
  static const double screen[] = {4.12, 1.6, 3.9, 2.6, 3.8, 2.6, 4.0, 1.6};
  static const double side[] = {3.75, 1.6, 3.6, 2.5, 2.9, 2.5, 2.9, 1.6};
  rut_mesh_preset(builder, paint);
  rut_draw_profile(builder, RUT_COUNT_OF(cab) / 2, cab, 1.2);
  rut_mesh_preset(builder, "dark_glass");
  rut_draw_profile(builder, RUT_COUNT_OF(screen) / 2, screen, 1.1);
  rut_draw_profile(builder, RUT_COUNT_OF(side) / 2, side, 1.21);
  rut_mesh_preset(builder, "grey_paint");
  rut_draw_box(builder, (const double[]){-4.0, -0.45, 0.6, 3.6, 0.45, 1.0});
  rut_mesh_preset(builder, "white_paint");
  rut_draw_box(builder, (const double[]){-4.1, -1.25, 1.05, 2.05, 1.25, 3.4});
}

static void draw_body(const Param* p, int variant, rutMeshBuilder* builder) {
  static const char* const paints[VARIANTS] = {"white_paint", "grey_paint", "red_paint",
                                               "blue_paint", "olive_paint"};
  const int kind = (int)p->kind;
  const char* paint = paints[p->paint > 0 ? (int)p->paint - 1 : variant % VARIANTS];
  if (kind == CAR) draw_saloon(builder, paint);
  if (kind == VAN) draw_van(builder, paint);
  if (kind == LORRY) draw_lorry(builder, paint);
  draw_lamps(builder, kind);
}

// The body, and the wheels from the front left to the rear right one.
static void car_part_mesh(const void* param, int variant, int part, rutMeshBuilder* builder) {
  const Param* p = param;
  if (part == 0) {
    draw_body(p, variant, builder);
  } else {
    draw_wheel(builder, kinds[(int)p->kind].wheel);
  }
}

// Wheels roll: a point at y of a body that moves at v and turns at w goes ahead at v - w y.
static void car_pose(const void* param, const rutActorMotion* motion, double pose[][6]) {
  const int kind = (int)((const Param*)param)->kind;
  const double r = kinds[kind].wheel;
  for (int i = 0; i < WHEELS; i++) {
    double* wheel = pose[1 + i];
    wheel[0] = i < 2 ? kinds[kind].axle : -kinds[kind].axle;
    wheel[1] = (i % 2 ? -1 : 1) * (0.5 * kinds[kind].width - 0.12);
    wheel[2] = r;
    wheel[4] = (motion->distance - wheel[1] * motion->turned) / r;
  }
}

const rutSceneryType rut_scenery_car = {
    .base = {RUT_HEAD(rutSceneryType, "scenery", "car", "world actor",
                      "Parked cars, vans and lorries. Those that drive are actors or vehicles.",
                      fields)},
    .semantic_class = "car",
    .variants = VARIANTS,
    .radius = car_radius,
    .interval = car_interval,
    .parts = car_parts,
    .moving = 1 + WHEELS,
    .moving_mesh = car_part_mesh,
    .moving_pose = car_pose,
    .tilts = true,
};
