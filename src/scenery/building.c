// SPDX-License-Identifier: BSD-3-Clause
//
// Buildings: walls with bands of windows, and a flat or pitched roof.
#include "scenery/bodies.h"
#include "scenery/shapes.h"

enum { MAX_STOREYS = 12, STEPS = 5 };
#define PARAPET 0.25  // beyond the walls [m]

// clang-format off
#define FIELDS(X, WHOLE, CHOICE)                                                      \
  X(length, "m", 12, 0.5, 1000, "along its own x")                                    \
  X(width, "m", 9, 0.5, 1000, "along its own y")                                      \
  WHOLE(storeys, "", 2, 1, MAX_STOREYS, "with windows each")                          \
  X(storey_height, "m", 3, 1, 20, "of each storey")                                   \
  CHOICE(roof, "flat|pitched", 0, "a parapet, or a ridge along x")                    \
  CHOICE(walls, "brick|concrete|wood|plaster", 0, "their material")
// clang-format on

typedef struct Param {
  rutSceneryHead head;
  FIELDS(RUT_PARAM, RUT_PARAM, RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_SCENERY_ROWS FIELDS(RUT_ROW, RUT_WHOLE_ROW, RUT_CHOICE_ROW)};

static double building_radius(const void* param) {
  const Param* p = param;
  return 0.5 * rut_hypot(p->length, p->width);
}

static double building_interval(const void* param) { return ((const Param*)param)->length; }

// The footprint, wider by a margin on all sides [m].
static void footprint(const Param* p, double margin, double box[4]) {
  box[2] = 0.5 * p->length + margin;
  box[3] = 0.5 * p->width + margin;
  box[0] = -box[2];
  box[1] = -box[3];
}

static int building_parts(const void* param, int variant, rutSceneryPart* out) {
  static const char* const materials[] = {"brick", "concrete", "wood", "plaster"};
  static const double sill = 0.3, head = 0.75;  // of a window band, over the storey's height
  const Param* p = param;
  const char* material = materials[(int)p->walls];
  const double h = p->storey_height, top = h * p->storeys;
  double box[4];
  rutParts parts = {out, 0};
  (void)variant;
  footprint(p, 0, box);
  for (int i = 0; i < (int)p->storeys; i++) {
    const double low = i == 0 ? -3 : h * (i - 1 + head);
    rut_part_box(&parts, box, (rutPartKind){low, h * (i + sill), material, true});
    rut_part_box(&parts, box, (rutPartKind){h * (i + sill), h * (i + head), "dark_glass", true});
  }
  rut_part_box(&parts, box, (rutPartKind){h * (p->storeys - 1 + head), top, material, true});
  if (p->roof == 0) {
    footprint(p, PARAPET, box);
    rut_part_box(&parts, box, (rutPartKind){top, top + 0.4, "concrete", true});
    return parts.n;
  }
  for (int i = 0; i < STEPS; i++) {
    footprint(p, 0.3, box);
    const double side = (0.5 * p->width + 0.3) * (1 - (double)i / STEPS);
    const double rise = 0.4 * p->width / STEPS;
    box[1] = -side;
    box[3] = side;
    rut_part_box(&parts, box,
                 (rutPartKind){top + i * rise, top + (i + 1) * rise, "roof_tiles", true});
  }
  return parts.n;
}

// ---- what sensors see ----

// Windows and a door of the walls with these outward normals along x or y, on all storeys.
static void draw_windows(const Param* p, rutMeshBuilder* builder) {
  static const double pitch = 2.5, width = 1.2, high = 1.35, deep = 0.01;
  for (int wall = 0; wall < 4; wall++) {
    const bool across = wall >= 2;
    const double length = across ? p->width : p->length, side = wall % 2 ? -1 : 1;
    const double face = side * 0.5 * (across ? p->length : p->width);
    const int n = (int)rut_min((length - 0.6) / pitch, 60);
    for (int storey = 0; storey < (int)p->storeys; storey++) {
      const double z = storey * p->storey_height + 0.3 * p->storey_height;
      for (int i = 0; i < n; i++) {
        const double middle = (i - 0.5 * (n - 1)) * pitch;
        const bool door = storey == 0 && wall == 1 && i == n / 2;
        const double low = rut_min(face, face + side * deep), top = low + deep;
        const double a = middle - 0.5 * width, b = middle + 0.5 * width;
        const double z0 = door ? -0.2 : z, z1 = door ? 2.1 : z + high;
        rut_mesh_preset(builder, door ? "wood" : "dark_glass");
        if (across)
          rut_draw_box(builder, (const double[]){low, a, z0, top, b, z1});
        else
          rut_draw_box(builder, (const double[]){a, low, z0, b, top, z1});
      }
    }
  }
}

static void draw_roof(const Param* p, rutMeshBuilder* builder) {
  const double top = p->storey_height * p->storeys, x = 0.5 * p->length, y = 0.5 * p->width;
  if (p->roof == 0) {
    rut_mesh_preset(builder, "concrete");
    double box[4];
    footprint(p, PARAPET, box);
    rut_draw_box(builder, (const double[]){box[0], box[1], top, box[2], box[3], top + 0.4});
    return;
  }
  // a profile y z along x: turned so that its x points to y
  const double rise = 0.8 * y, eaves = y + 0.4, drop = 0.4 * rise / y;
  const double profile[] = {-eaves, top - drop, eaves, top - drop, 0, top + rise};
  const double along[6] = {0, 0, 0, RUT_PI / 2, 0, RUT_PI / 2};
  rut_mesh_preset(builder, "roof_tiles");
  rut_mesh_frame(builder, along, 1);
  rut_mesh_prism(builder, 3, profile, -x - 0.3, x + 0.3);
  rut_mesh_frame(builder, NULL, 1);
}

static void building_mesh(const void* param, int variant, rutMeshBuilder* builder) {
  static const char* const materials[] = {"brick", "concrete", "wood", "plaster"};
  const Param* p = param;
  const double x = 0.5 * p->length, y = 0.5 * p->width;
  (void)variant;
  rut_mesh_preset(builder, materials[(int)p->walls]);
  rut_draw_box(builder, (const double[]){-x, -y, -3, x, y, p->storey_height * p->storeys});
  draw_windows(p, builder);
  draw_roof(p, builder);
}

const rutSceneryType rut_scenery_building = {
    .base = {RUT_HEAD(rutSceneryType, "scenery", "building", "world actor",
                      "Buildings with a rectangular footprint.", fields)},
    .semantic_class = "building",
    .variants = 1,
    .radius = building_radius,
    .interval = building_interval,
    .parts = building_parts,
    .mesh = building_mesh,
};
