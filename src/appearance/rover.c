// SPDX-License-Identifier: BSD-3-Clause
//
// Rovers of rough ground: a deck on rocker arms over rigid wheels with grousers, solar cells, and a
// mast with cameras. Six wheels hang on rocker and bogie, others on a beam of each side.
#include "appearance/parts.h"

#define FIELDS(X) X(mast, 1, "a mast with cameras stands on the deck")

typedef struct Param {
#define ROW(name, def, doc) double name;
  FIELDS(ROW)
#undef ROW
} Param;

static const rutField fields[] = {
#define ROW(name, def, doc) RUT_FLAG_ROW(name, def, doc)
    FIELDS(ROW)
#undef ROW
};

typedef struct Rover {
  const rutAppearanceIn* in;
  rutMeshBuilder* builder;
  rutPartExtent e;
  double size;  // shorter side of the deck [m]
} Rover;

static void gold(const Rover* r) {
  rut_mesh_colour(r->builder, (const double[]){0.55, 0.33, 0.07}, 0.35, 0.35);
}

// Warm box, deck and solar cells.
static void add_body(const Rover* r) {
  rutMeshBuilder* b = r->builder;
  const rutPartExtent* e = &r->e;
  const double low = r->in->z_min, high = r->in->z_max, h = high - low;
  const double deck = 0.08 * h + 0.006, x = 0.5 * (e->x0 + e->x1);
  rut_part_paint(b, r->in, 1);
  rut_part_box(b, rut_vec3(x, e->middle, low + 0.5 * (h - deck)),
               rut_vec3(0.84 * e->length, 0.72 * e->width, h - deck), 0.06 * r->size);
  rut_part_paint(b, r->in, 0.85);
  rut_part_box(b, rut_vec3(x, e->middle, high - 0.5 * deck), rut_vec3(e->length, e->width, deck),
               0.3 * deck);
  // cells between their frames
  const int columns = 5, rows = 3;
  const double cell_x = 0.66 * e->length / columns, cell_y = 0.9 * e->width / rows;
  rut_mesh_colour(b, (const double[]){0.01, 0.015, 0.06}, 0.15, 0.08);
  for (int i = 0; i < columns * rows; i++) {
    const double cx = e->x0 + 0.04 * e->length + (i % columns + 0.5) * cell_x;
    const double cy = e->middle + (i / columns - 0.5 * (rows - 1)) * cell_y;
    rut_part_box(b, rut_vec3(cx, cy, high + 0.08 * deck),
                 rut_vec3(0.94 * cell_x, 0.94 * cell_y, 0.2 * deck), 0);
  }
  // foil, radiator and a lamp that show the front
  gold(r);
  rut_part_box(b, rut_vec3(e->x1 - 0.07 * e->length, e->middle, low + 0.45 * h),
               rut_vec3(0.06 * e->length, 0.6 * e->width, 0.5 * h), 0.1 * deck);
  rut_part_black(b);
  for (int side = -1; side <= 1; side += 2) {
    const double y = e->middle + side * 0.2 * e->width;
    rut_part_bar(b, rut_vec3(e->x1 - 0.05 * e->length, y, low + 0.55 * h),
                 rut_vec3(e->x1 - 0.01 * e->length, y, low + 0.55 * h), 0.05 * r->size, 14);
    rut_part_lamp(b);
    rut_part_bar(b, rut_vec3(e->x1 - 0.012 * e->length, y, low + 0.55 * h),
                 rut_vec3(e->x1 - 0.006 * e->length, y, low + 0.55 * h), 0.035 * r->size, 14);
    rut_part_black(b);
  }
}

static void add_mast(const Rover* r) {
  rutMeshBuilder* b = r->builder;
  const double x = r->e.x1 - 0.16 * r->e.length, y = r->e.middle, z = r->in->z_max;
  const double height = 0.85 * r->size + 0.05, head = 0.3 * r->size;
  rut_part_metal(b);
  rut_part_bar(b, rut_vec3(x, y, z), rut_vec3(x, y, z + 0.12 * height), 0.075 * r->size, 16);
  rut_part_bar(b, rut_vec3(x, y, z), rut_vec3(x, y, z + height), 0.035 * r->size, 12);
  rut_part_paint(b, r->in, 1);
  rut_part_box(b, rut_vec3(x, y, z + height), rut_vec3(0.12 * r->size, 1.5 * head, 0.36 * head),
               0.02 * r->size);
  for (int side = -1; side <= 1; side += 2) {
    const rutVec3 lens = rut_vec3(x + 0.06 * r->size, y + side * 0.5 * head, z + height);
    rut_part_black(b);
    rut_part_bar(b, lens, rut_vec3_add(lens, rut_vec3(0.06 * r->size, 0, 0)), 0.13 * head, 14);
  }
  // antenna
  const double ax = r->e.x0 + 0.1 * r->e.length, ay = y + 0.36 * r->e.width;
  rut_part_black(b);
  rut_part_bar(b, rut_vec3(ax, ay, z), rut_vec3(ax, ay, z + 0.8 * height), 0.012 * r->size, 6);
}

// The wheels of one side from front to rear; returns their number, at most 8.
static int side_wheels(const Rover* r, int side, rutAppearanceWheel wheel[8]) {
  int n = 0;
  for (int i = 0; i < r->in->wheels && n < 8; i++) {
    if ((r->in->wheel[i].y - r->e.middle) * side <= 0) continue;
    int at = n++;
    for (; at > 0 && wheel[at - 1].x < r->in->wheel[i].x; at--) wheel[at] = wheel[at - 1];
    wheel[at] = r->in->wheel[i];
  }
  return n;
}

static rutVec3 hub(const rutAppearanceWheel* w, double y) { return rut_vec3(w->x, y, w->z); }

// A leg: down to the height of the hub, and out to the wheel.
static void add_leg(const Rover* r, rutVec3 from, const rutAppearanceWheel* w, int side) {
  rutMeshBuilder* b = r->builder;
  const double thick = 0.05 * r->size, inner = w->y - side * (0.5 * w->width + 0.3 * thick);
  const rutVec3 knee = rut_vec3(w->x, from.y, w->z + 0.25 * w->radius), foot = hub(w, from.y);
  const double path[9] = {from.x, from.y, from.z, knee.x, knee.y, knee.z, foot.x, foot.y, foot.z};
  rut_mesh_tube(b, 3, path, (const double[]){thick, 0.85 * thick, 0.7 * thick}, 10);
  // motor at the hub
  rut_part_bar(b, foot, rut_vec3(w->x, inner, w->z), 0.22 * w->radius, 14);
}

static void add_side(const Rover* r, int side) {
  rutMeshBuilder* b = r->builder;
  rutAppearanceWheel w[8];
  const int n = side_wheels(r, side, w);
  if (n == 0) return;
  const double gap = 0.05 * r->size;
  double y = w[0].y - side * (0.5 * w[0].width + gap);
  const double body = r->e.middle + side * 0.38 * r->e.width;
  // outside of the body, where the wheels leave room
  if ((y - body) * side < 0) y = body;
  const double high = r->in->z_min + 0.45 * r->e.height;
  rut_part_metal(b);
  const double middle = 0.5 * (w[0].x + w[n - 1].x);
  const rutVec3 pivot = rut_vec3(n == 6 / 2 ? middle + 0.1 * r->e.length : middle, y, high);
  rut_part_bar(b, rut_vec3(pivot.x, r->e.middle, high), pivot, 0.045 * r->size, 12);
  if (n != 3) {
    for (int i = 0; i < n; i++) add_leg(r, pivot, &w[i], side);
    return;
  }
  // rocker to the front wheel and to the bogie of the other two
  const rutVec3 bogie = rut_vec3(0.5 * (w[1].x + w[2].x), y, w[1].z + 0.75 * w[1].radius);
  add_leg(r, pivot, &w[0], side);
  rut_part_bar(b, pivot, bogie, 0.05 * r->size, 10);
  rut_part_bar(b, rut_vec3(bogie.x, y - 0.04 * r->size, bogie.z),
               rut_vec3(bogie.x, y + 0.04 * r->size, bogie.z), 0.07 * r->size, 14);
  add_leg(r, bogie, &w[1], side);
  add_leg(r, bogie, &w[2], side);
}

static void rover_body(const void* param, const rutAppearanceIn* in, rutMeshBuilder* builder) {
  const Param* p = param;
  Rover r = {in, builder, rut_part_extent(in), 0};
  r.size = rut_min(r.e.length, r.e.width);
  add_body(&r);
  if (p->mast != 0) add_mast(&r);
  add_side(&r, 1);
  add_side(&r, -1);
}

static void rover_wheel(const void* param, const rutAppearanceIn* in, int i,
                        rutMeshBuilder* builder) {
  (void)param;
  const rutWheelStyle style = {.rim = 0.9, .lugs = 24, .lug = 0.045, .grousers = true, .spokes = 6};
  rut_part_wheel(in, i, &style, builder);
}

const rutAppearanceType rut_appearance_rover = {
    .base = {RUT_HEAD(rutAppearanceType, "appearance", "rover", "vehicle",
                      "A rover with a deck of solar cells on rocker arms and wheels with grousers.",
                      fields)},
    .paint = {{0.62, 0.62, 0.6}, 0.6, 0.6, 0.4, 0.04, 1, 0, 0},
    .body = rover_body,
    .wheel = rover_wheel,
};
