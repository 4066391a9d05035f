// SPDX-License-Identifier: BSD-3-Clause
//
// Lorries with a cab over the engine and a cargo bed, on any number of axles, as the trucks of the
// Family of Medium Tactical Vehicles; scaled to the chassis.
#include "appearance/parts.h"

#define FIELDS(X) X(cover, 1, "a canvas cover stands on the bed")

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

typedef struct Truck {
  const rutAppearanceIn* in;
  rutMeshBuilder* builder;
  rutPartExtent e;
  double floor, top;  // of cab and bed; roof [m]
  double cab;         // x of the back of the cab [m]
  double half;        // of the width [m]
} Truck;

// A point of the cab: x forward, v from floor to roof, side of the middle.
static rutVec3 cab_point(const Truck* t, double x, double v, double y) {
  const double lean = v > 0.45 ? (v - 0.45) / 0.55 : 0;  // the screen leans back above the belt
  const double front = t->e.x1 - 0.05 * t->e.length * lean;
  return rut_vec3(t->cab + x * (front - t->cab), t->e.middle + y * t->half * (1 - 0.08 * lean),
                  t->floor + v * (t->top - t->floor));
}

static void add_cab(const Truck* t) {
  static const double level[4] = {0, 0.45, 0.96, 1};
  rutMeshBuilder* b = t->builder;
  double ring[4][4][3];
  for (int i = 0; i < 4; i++) {
    const double in = i == 3 ? 0.04 : 0;
    for (int k = 0; k < 4; k++) {
      const double x = k == 1 || k == 2 ? 1 - in : in;
      rut_vec3_put(cab_point(t, x, level[i], (k < 2 ? -1 : 1) * (1 - in)), ring[i][k]);
    }
  }
  rut_part_paint(b, t->in, 1);
  rut_mesh_loft(b, 4, 4, &ring[0][0][0], RUT_LOFT_RING | RUT_LOFT_CAPS);
  // windows
  const double out = 1.006;
  rut_mesh_colour(b, (const double[]){0.01, 0.014, 0.016}, 0.06, 0.04);
  for (int side = -1; side <= 1; side += 2) {
    const rutVec3 pane[4] = {
        cab_point(t, 0.22, 0.5, side * out), cab_point(t, 0.88, 0.5, side * out),
        cab_point(t, 0.88, 0.88, side * out), cab_point(t, 0.22, 0.88, side * out)};
    const rutVec3 back[4] = {pane[1], pane[0], pane[3], pane[2]};
    rut_part_plate(b, side < 0 ? pane : back, 0);
    const double y = side * 0.47;
    const rutVec3 screen[4] = {
        cab_point(t, 1.006, 0.5, y - 0.43), cab_point(t, 1.006, 0.5, y + 0.43),
        cab_point(t, 1.006, 0.9, y + 0.43), cab_point(t, 1.006, 0.9, y - 0.43)};
    rut_part_plate(b, screen, 0);
  }
  // door, grille, lamps, bumper
  const double h = t->top - t->floor, x1 = t->e.x1, mid = t->e.middle;
  rut_part_paint(b, t->in, 0.9);
  for (int side = -1; side <= 1; side += 2) {
    rut_part_box(b,
                 rut_vec3(t->cab + 0.55 * (x1 - t->cab), mid + side * t->half, t->floor + 0.27 * h),
                 rut_vec3(0.62 * (x1 - t->cab), 0.03 * t->half, 0.36 * h), 0.01 * h);
  }
  rut_part_black(b);
  for (int i = 0; i < 5; i++) {
    rut_part_box(b, rut_vec3(x1, mid, t->floor + (0.12 + 0.055 * i) * h),
                 rut_vec3(0.04, 1.05 * t->half, 0.03 * h), 0);
  }
  for (int side = -1; side <= 1; side += 2) {
    rut_part_lamp(b);
    rut_part_bar(b, rut_vec3(x1 - 0.02, mid + side * 0.74 * t->half, t->floor + 0.15 * h),
                 rut_vec3(x1 + 0.02, mid + side * 0.74 * t->half, t->floor + 0.15 * h), 0.05 * h,
                 16);
    rut_part_amber(b);
    rut_part_bar(b, rut_vec3(x1 - 0.02, mid + side * 0.9 * t->half, t->floor + 0.15 * h),
                 rut_vec3(x1 + 0.02, mid + side * 0.9 * t->half, t->floor + 0.15 * h), 0.025 * h,
                 12);
    // mirrors
    rut_part_black(b);
    const rutVec3 arm = cab_point(t, 0.97, 0.8, side),
                  end = rut_vec3(arm.x + 0.1, arm.y + side * 0.22, arm.z);
    rut_part_bar(b, arm, end, 0.015, 6);
    rut_part_box(b, rut_vec3(end.x, end.y, end.z - 0.16), rut_vec3(0.06, 0.18, 0.4), 0.02);
  }
  rut_part_paint(b, t->in, 0.6);
  rut_part_box(b, rut_vec3(x1 + 0.01, mid, t->floor - 0.1 * h),
               rut_vec3(0.16, 1.94 * t->half, 0.16 * h), 0.03);
}

static void add_frame(const Truck* t) {
  rutMeshBuilder* b = t->builder;
  const double low = t->in->z_min, x = 0.5 * (t->e.x0 + t->e.x1);
  rut_part_black(b);
  for (int side = -1; side <= 1; side += 2) {
    rut_part_box(b, rut_vec3(x, t->e.middle + side * 0.36 * t->half, 0.5 * (low + t->floor)),
                 rut_vec3(0.97 * t->e.length, 0.09 * t->half, 0.7 * (t->floor - low)), 0.01);
  }
  for (int i = 0; i < t->in->wheels; i++) {
    const rutAppearanceWheel* w = &t->in->wheel[i];
    rut_part_bar(b, rut_vec3(w->x, t->e.middle, w->z), rut_vec3(w->x, w->y, w->z), 0.14 * w->radius,
                 12);
    const rutVec3 half = rut_vec3(0.25 * w->radius, 0, 0), at = rut_vec3(w->x, t->e.middle, w->z);
    if (w->y > t->e.middle)
      rut_part_bar(b, rut_vec3_sub(at, half), rut_vec3_add(at, half), 0.3 * w->radius, 14);
    // mudguard
    const double reach = 1.16 * w->radius, up = rut_min(w->z + 1.25 * w->radius, t->floor - 0.02);
    if (up > w->z + 1.05 * w->radius) {
      rut_part_box(b, rut_vec3(w->x, w->y, up), rut_vec3(2 * reach, 1.15 * w->width, 0.03), 0.005);
    }
  }
  // tank and box of the battery between the axles
  const double y = 0.78 * t->half, size = 0.5 * (t->floor - low) + 0.12;
  const double at = t->e.front - 2.1 * t->e.radius;
  rut_part_metal(b);
  rut_part_bar(b, rut_vec3(at - 0.5, t->e.middle + y, t->floor - size),
               rut_vec3(at + 0.25, t->e.middle + y, t->floor - size), 0.9 * size, 20);
  rut_part_black(b);
  rut_part_box(b, rut_vec3(at - 0.1, t->e.middle - y, t->floor - size),
               rut_vec3(0.6, 0.4, 1.5 * size), 0.03);
}

static void add_bed(const Truck* t, bool cover) {
  rutMeshBuilder* b = t->builder;
  const double front = t->cab - 0.06 * (t->e.x1 - t->cab) - 0.06, rear = t->e.x0;
  const double x = 0.5 * (front + rear), length = front - rear, wall = 0.28 * (t->top - t->floor);
  rut_part_paint(b, t->in, 0.85);
  rut_part_box(b, rut_vec3(x, t->e.middle, t->floor + 0.03), rut_vec3(length, 2 * t->half, 0.12),
               0.02);
  for (int side = -1; side <= 1; side += 2) {
    rut_part_paint(b, t->in, 1);
    rut_part_box(b, rut_vec3(x, t->e.middle + side * (t->half - 0.03), t->floor + 0.5 * wall),
                 rut_vec3(length, 0.05, wall), 0.015);
    rut_part_box(
        b, rut_vec3(side > 0 ? front - 0.03 : rear + 0.03, t->e.middle, t->floor + 0.5 * wall),
        rut_vec3(0.05, 1.96 * t->half, wall), 0.015);
    rut_part_paint(b, t->in, 0.8);
    for (int i = 0; i <= 6; i++) {
      rut_part_box(b,
                   rut_vec3(rear + 0.04 + (length - 0.08) * i / 6, t->e.middle + side * t->half,
                            t->floor + 0.5 * wall),
                   rut_vec3(0.06, 0.04, 1.02 * wall), 0.008);
    }
    rut_part_red(b);
    rut_part_box(b, rut_vec3(rear - 0.01, t->e.middle + side * 0.82 * t->half, t->floor - 0.12),
                 rut_vec3(0.03, 0.2, 0.1), 0.01);
  }
  if (!cover) return;
  // canvas over hoops: rows along the bed, with a sag between hoops
  enum { ROWS = 13, COLUMNS = 7 };
  static const double arc[COLUMNS][2] = {{-1, 0},      {-1, 0.72}, {-0.82, 0.93}, {0, 1},
                                         {0.82, 0.93}, {1, 0.72},  {1, 0}};
  double point[ROWS][COLUMNS][3];
  for (int i = 0; i < ROWS; i++) {
    const double sag = i % 2 ? 0.03 : 0;
    for (int k = 0; k < COLUMNS; k++) {
      const double z = t->floor + wall + arc[k][1] * (t->top + 0.08 - t->floor - wall) * (1 - sag);
      rut_vec3_put(rut_vec3(front - length * i / (ROWS - 1),
                            t->e.middle + arc[k][0] * (t->half - 0.01) * (1 - sag * 0.5), z),
                   point[i][k]);
    }
  }
  rut_mesh_colour(
      b,
      (const double[]){0.5 * t->in->paint->colour[0] + 0.04, 0.5 * t->in->paint->colour[1] + 0.04,
                       0.5 * t->in->paint->colour[2] + 0.03},
      0.95, 0.03);
  // rows run to the rear: rings seen from outside, columns to the right
  rut_mesh_loft(b, ROWS, COLUMNS, &point[0][0][0], RUT_LOFT_RING | RUT_LOFT_CAPS);
}

static void truck_body(const void* param, const rutAppearanceIn* in, rutMeshBuilder* builder) {
  const Param* p = param;
  Truck t = {.in = in, .builder = builder, .e = rut_part_extent(in)};
  double tallest = in->z_min;
  for (int i = 0; i < in->wheels; i++)
    tallest = rut_max(tallest, in->wheel[i].z + 1.12 * in->wheel[i].radius);
  t.top = in->z_max;
  t.floor = rut_clamp(tallest, in->z_min + 0.1 * t.e.height, in->z_min + 0.5 * t.e.height);
  t.half = 0.5 * t.e.width;
  t.cab = t.e.x1 - rut_min(0.3 * t.e.length, 0.85 * t.e.width);
  add_frame(&t);
  add_cab(&t);
  add_bed(&t, p->cover != 0);
}

static void truck_wheel(const void* param, const rutAppearanceIn* in, int i,
                        rutMeshBuilder* builder) {
  (void)param;
  const rutWheelStyle style = {.rim = 0.52, .lugs = 22, .lug = 0.04, .painted = true};
  rut_part_wheel(in, i, &style, builder);
}

const rutAppearanceType rut_appearance_truck = {
    .base = {RUT_HEAD(
        rutAppearanceType, "appearance", "truck", "vehicle",
        "A lorry with cab over engine and cargo bed, on the axles that the vehicle has.", fields)},
    .paint = {{0.075, 0.085, 0.045}, 0.5, 0.5, 0.7, 0.04, 1, 0, 0},
    .body = truck_body,
    .wheel = truck_wheel,
};
