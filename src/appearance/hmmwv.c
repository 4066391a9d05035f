// SPDX-License-Identifier: BSD-3-Clause
//
// The High Mobility Multipurpose Wheeled Vehicle with hard top, slant back and four doors (M1025).
// Points are of a vehicle with a wheelbase of 3.302 m, from the ground half way between the axles,
// and are scaled to the wheelbase of the vehicle; proportions after drawings in TM 9-2320-280.
#include <string.h>

#include "appearance/parts.h"

#define FIELDS(X) \
  X(cockpit, 1, "seats, steering wheel and dashboard are there; 0: the cab is empty")

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

#define WHEELBASE 3.302

// What the functions below are given: where to build, and the frame of the points.
typedef struct Cab {
  const rutAppearanceIn* in;
  rutMeshBuilder* builder;
  rutPartFrame frame;
} Cab;

static void paint(const Cab* cab, double shade) { rut_part_paint(cab->builder, cab->in, shade); }

// A box, and its mirror image on the right.
static void box(const Cab* cab, rutVec3 centre, rutVec3 size, double bevel) {
  const rutMeshMark mark = rut_mesh_mark(cab->builder);
  rut_part_box(cab->builder, centre, size, bevel);
  if (centre.y != 0) rut_mesh_mirror(cab->builder, mark);
}

static void bar(const Cab* cab, rutVec3 from, rutVec3 to, double radius) {
  const rutMeshMark mark = rut_mesh_mark(cab->builder);
  rut_part_bar(cab->builder, from, to, radius, 8);
  if (from.y != 0 || to.y != 0) rut_mesh_mirror(cab->builder, mark);
}

static void plate(const Cab* cab, const rutVec3 corner[4], double thickness) {
  const rutMeshMark mark = rut_mesh_mark(cab->builder);
  rut_part_plate(cab->builder, corner, thickness);
  rut_mesh_mirror(cab->builder, mark);
}

static void disc(const Cab* cab, rutVec3 centre, double radius, double depth) {
  const rutMeshMark mark = rut_mesh_mark(cab->builder);
  rut_part_disc(cab->builder, &cab->frame, centre, radius, depth);
  if (centre.y != 0) rut_mesh_mirror(cab->builder, mark);
}

// ---------------------------------------------------------------------------------------------
// Body

enum { HOOD_ROWS = 9, HOOD_COLUMNS = 7 };

// Rows of the hood and the front wings, from the nose to the screen: x; z in the middle; y and z of
// the crease and of the edge; z of the lower end, along the wheel arch.
static const double hood[HOOD_ROWS][7] = {
    {2.14, 1.045, 0.62, 1.035, 1.04, 0.985, 0.74},  {2.10, 1.085, 0.63, 1.075, 1.06, 1.015, 0.79},
    {2.00, 1.115, 0.635, 1.105, 1.07, 1.045, 0.88}, {1.84, 1.155, 0.645, 1.145, 1.075, 1.085, 0.98},
    {1.65, 1.19, 0.655, 1.18, 1.08, 1.12, 1.03},    {1.44, 1.22, 0.665, 1.21, 1.08, 1.145, 0.995},
    {1.27, 1.24, 0.67, 1.23, 1.08, 1.165, 0.87},    {1.10, 1.255, 0.68, 1.245, 1.08, 1.18, 0.61},
    {0.76, 1.275, 0.70, 1.265, 1.08, 1.205, 0.50}};

static void add_hood(const Cab* cab) {
  double point[HOOD_ROWS][2 * HOOD_COLUMNS - 1][3];
  for (int i = 0; i < HOOD_ROWS; i++) {
    const double* h = hood[i];
    // the left half from the arch to the middle; y and z
    const double half[HOOD_COLUMNS][2] = {{h[4], h[6]},
                                          {h[4], 0.5 * (h[5] + h[6])},
                                          {h[4], h[5] - 0.02},
                                          {h[4] - 0.02, h[5]},
                                          {h[2] + 0.03, h[3] - 0.012},
                                          {h[2] - 0.03, h[3]},
                                          {0, h[1]}};
    for (int k = 0; k < HOOD_COLUMNS; k++) {
      const rutVec3 p = rut_vec3(h[0], half[k][0], half[k][1]);
      rut_vec3_put(p, point[i][2 * HOOD_COLUMNS - 2 - k]);
      rut_vec3_put(rut_vec3(p.x, -p.y, p.z), point[i][k]);
    }
  }
  paint(cab, 1);
  rut_mesh_loft(cab->builder, HOOD_ROWS, 2 * HOOD_COLUMNS - 1, &point[0][0][0], 0);
  // vents before the screen, and rings to lift it by
  box(cab, rut_vec3(0.98, 0.32, 1.262), rut_vec3(0.26, 0.36, 0.02), 0.008);
  rut_part_black(cab->builder);
  for (int i = 0; i < 5; i++) {
    box(cab, rut_vec3(0.895 + 0.042 * i, 0.32, 1.2735), rut_vec3(0.018, 0.3, 0.006), 0);
  }
  for (int i = 0; i < 2; i++) {
    bar(cab, rut_vec3(1.9 - 1.0 * i, 0.83, 1.10 + 0.12 * i),
        rut_vec3(1.9 - 1.0 * i, 0.83, 1.16 + 0.11 * i), 0.018);
  }
}

static void add_nose(const Cab* cab) {
  rutMeshBuilder* b = cab->builder;
  paint(cab, 0.96);
  // flat front below the edge of the hood, a little back
  const double front[] = {-1.03, 0.70, -1.04, 0.985, -0.62, 1.035, 0,
                          1.045, 0.62, 1.035, 1.04,  0.985, 1.03,  0.70};
  const double pose[6] = {cab->frame.x + 2.12 * cab->frame.scale,
                          cab->frame.y,
                          cab->frame.z,
                          RUT_PI / 2,
                          0,
                          RUT_PI / 2};
  rut_mesh_frame(b, pose, cab->frame.scale);
  rut_mesh_prism(b, RUT_COUNT_OF(front) / 2, front, -0.03, 0.015);
  rut_part_frame(b, &cab->frame);
  // seven slots
  box(cab, rut_vec3(2.135, 0, 0.90), rut_vec3(0.03, 0.92, 0.235), 0.01);
  rut_part_black(b);
  for (int i = -3; i <= 3; i++) {
    rut_part_box(b, rut_vec3(2.1505, 0.118 * i, 0.90), rut_vec3(0.012, 0.062, 0.185), 0.003);
  }
  disc(cab, rut_vec3(2.137, 0.66, 0.91), 0.118, 0.02);
  rut_part_metal(b);
  disc(cab, rut_vec3(2.142, 0.66, 0.91), 0.104, 0.03);
  rut_part_lamp(b);
  disc(cab, rut_vec3(2.150, 0.66, 0.91), 0.09, 0.03);
  rut_part_black(b);
  box(cab, rut_vec3(2.14, 0.90, 0.90), rut_vec3(0.03, 0.17, 0.17), 0.01);
  rut_part_amber(b);
  disc(cab, rut_vec3(2.158, 0.90, 0.93), 0.042, 0.02);
  rut_part_lamp(b);
  disc(cab, rut_vec3(2.158, 0.90, 0.855), 0.026, 0.02);
  // bumper, and shackles to tow it by
  paint(cab, 0.7);
  rut_part_box(b, rut_vec3(2.17, 0, 0.62), rut_vec3(0.10, 1.62, 0.17), 0.02);
  box(cab, rut_vec3(2.05, 0.45, 0.60), rut_vec3(0.3, 0.07, 0.12), 0.01);
  rut_part_black(b);
  bar(cab, rut_vec3(2.215, 0.41, 0.62), rut_vec3(2.29, 0.43, 0.62), 0.018);
  bar(cab, rut_vec3(2.215, 0.49, 0.62), rut_vec3(2.29, 0.47, 0.62), 0.018);
  bar(cab, rut_vec3(2.285, 0.42, 0.62), rut_vec3(2.285, 0.48, 0.62), 0.018);
}

static void add_sides(const Cab* cab) {
  rutMeshBuilder* b = cab->builder;
  const double side[] = {0.80,  0.50, 0.80,  1.21, 0.74,  1.27, -1.15, 1.27, -2.36, 1.28,
                         -2.42, 1.24, -2.42, 0.75, -2.15, 0.75, -2.05, 0.85, -1.90, 0.96,
                         -1.65, 1.02, -1.45, 0.97, -1.30, 0.89, -1.13, 0.60, -1.06, 0.50};
  const rutMeshMark mark = rut_mesh_mark(b);
  paint(cab, 1);
  rut_part_slab(b, &cab->frame, RUT_COUNT_OF(side) / 2, side, (const double[]){1.0, 1.08}, 0.025);
  // doors stand out of it, with their crosses of stiffeners
  const double door[2][8] = {{0.70, 0.56, 0.70, 1.24, -0.19, 1.24, -0.19, 0.56},
                             {-0.25, 0.56, -0.25, 1.24, -1.08, 1.24, -1.02, 0.56}};
  for (int i = 0; i < 2; i++) {
    rut_part_slab(b, &cab->frame, 4, door[i], (const double[]){1.04, 1.088}, 0.012);
  }
  paint(cab, 0.93);
  for (int i = 0; i < 2; i++) {
    const double x0 = i == 0 ? 0.62 : -0.33, x1 = i == 0 ? -0.11 : -0.96;
    const rutVec3 corner[4] = {rut_vec3(x0, 1.084, 0.64), rut_vec3(x0, 1.084, 1.16),
                               rut_vec3(x1, 1.084, 0.64), rut_vec3(x1, 1.084, 1.16)};
    rut_part_bar(b, corner[0], corner[3], 0.018, 6);
    rut_part_bar(b, corner[1], corner[2], 0.018, 6);
  }
  rut_part_black(b);
  for (int i = 0; i < 2; i++) {
    const double x = i == 0 ? -0.12 : -0.98;
    rut_part_box(b, rut_vec3(x, 1.094, 1.19), rut_vec3(0.11, 0.02, 0.035), 0.008);
    for (int k = 0; k < 2; k++) {
      rut_part_bar(b, rut_vec3(i == 0 ? 0.715 : -0.235, 1.086, 0.68 + 0.4 * k),
                   rut_vec3(i == 0 ? 0.715 : -0.235, 1.086, 0.78 + 0.4 * k), 0.016, 6);
    }
  }
  // sill
  paint(cab, 0.75);
  rut_part_box(b, rut_vec3(-0.13, 1.0, 0.47), rut_vec3(1.8, 0.12, 0.07), 0.015);
  // mirror on its bracket
  rut_part_black(b);
  rut_part_bar(b, rut_vec3(0.70, 1.08, 1.22), rut_vec3(0.74, 1.26, 1.40), 0.011, 6);
  rut_part_bar(b, rut_vec3(0.70, 1.02, 1.50), rut_vec3(0.74, 1.26, 1.46), 0.011, 6);
  rut_part_box(b, rut_vec3(0.75, 1.29, 1.43), rut_vec3(0.03, 0.17, 0.27), 0.012);
  rut_mesh_mirror(b, mark);
}

static void add_underbody(const Cab* cab) {
  rutMeshBuilder* b = cab->builder;
  rut_part_black(b);
  rut_part_box(b, rut_vec3(0, 0, 0.62), rut_vec3(1.96, 2.0, 0.22), 0.03);
  rut_part_box(b, rut_vec3(1.5, 0, 0.80), rut_vec3(1.2, 1.24, 0.5), 0.04);
  rut_part_box(b, rut_vec3(-1.68, 0, 0.80), rut_vec3(1.36, 1.24, 0.5), 0.04);
  box(cab, rut_vec3(-0.05, 0.45, 0.49), rut_vec3(4.3, 0.07, 0.13), 0.01);
  rut_part_box(b, rut_vec3(1.65, 0, 0.55), rut_vec3(0.34, 0.3, 0.24), 0.05);
  rut_part_box(b, rut_vec3(-1.65, 0, 0.55), rut_vec3(0.34, 0.3, 0.24), 0.05);
  // wheel houses
  box(cab, rut_vec3(1.50, 0.83, 1.055), rut_vec3(0.80, 0.42, 0.02), 0);
  box(cab, rut_vec3(-1.62, 0.80, 1.06), rut_vec3(1.0, 0.40, 0.02), 0);
}

// Corners of the upper half at belt and roof: x, y, z.
#define BELT_Y 1.055
#define ROOF_Y 0.885
static rutVec3 pillar(double x_belt, double x_roof, double t) {
  return rut_vec3(x_belt + t * (x_roof - x_belt), BELT_Y + t * (ROOF_Y - BELT_Y),
                  1.265 + t * (1.80 - 1.265));
}

static void add_windows(const Cab* cab) {
  static const double pane[2][4] = {{0.69, 0.60, -0.18, -0.18}, {-0.26, -0.26, -1.08, -1.06}};
  rutMeshBuilder* b = cab->builder;
  for (int i = 0; i < 2; i++) {
    // frame of the door around its window
    const rutVec3 front[2] = {pillar(pane[i][0], pane[i][1], 0), pillar(pane[i][0], pane[i][1], 1)};
    const rutVec3 rear[2] = {pillar(pane[i][2], pane[i][3], 0), pillar(pane[i][2], pane[i][3], 1)};
    paint(cab, 0.97);
    bar(cab, front[0], front[1], 0.034);
    bar(cab, rear[0], rear[1], 0.034);
    bar(cab, front[1], rear[1], 0.034);
    bar(cab, front[0], rear[0], 0.03);
    rut_part_glass(b);
    const rutVec3 corner[4] = {rear[0], front[0], front[1], rear[1]};
    plate(cab, (const rutVec3[]){corner[1], corner[0], corner[3], corner[2]}, 0);
  }
  // post between the doors
  paint(cab, 0.97);
  plate(cab,
        (const rutVec3[]){pillar(-0.16, -0.16, 1), pillar(-0.16, -0.16, 0), pillar(-0.28, -0.28, 0),
                          pillar(-0.28, -0.28, 1)},
        0.03);
  // screen of two panes, which leans back by 11 deg
  paint(cab, 0.97);
  const rutVec3 foot = rut_vec3(0.76, 0.94, 1.27), top = rut_vec3(0.65, 0.86, 1.80);
  const rutVec3 middle = rut_vec3(0.76, 0, 1.275), middle_top = rut_vec3(0.65, 0, 1.81);
  bar(cab, foot, top, 0.045);
  bar(cab, middle, middle_top, 0.028);
  bar(cab, foot, middle, 0.035);
  bar(cab, top, middle_top, 0.04);
  bar(cab, rut_vec3(0.74, 0.94, 1.26), rut_vec3(0.70, BELT_Y, 1.26), 0.04);
  rut_part_glass(b);
  plate(cab, (const rutVec3[]){foot, top, middle_top, middle}, 0);
  rut_part_black(b);
  bar(cab, rut_vec3(0.785, 0.50, 1.28), rut_vec3(0.73, 0.28, 1.55), 0.009);
}

static void add_roof(const Cab* cab) {
  rutMeshBuilder* b = cab->builder;
  paint(cab, 1);
  // rows from the front to the tail: x, half width and height at the edge, height in the middle
  static const double row[6][4] = {{0.70, 0.86, 1.80, 1.815},  {0.64, 0.88, 1.825, 1.845},
                                   {-0.2, 0.90, 1.84, 1.865},  {-1.12, 0.90, 1.84, 1.865},
                                   {-1.95, 0.905, 1.60, 1.62}, {-2.40, 0.93, 1.29, 1.30}};
  double point[6][7][3];
  for (int i = 0; i < 6; i++) {
    const double* r = row[i];
    const double across[7] = {-1, -0.97, -0.5, 0, 0.5, 0.97, 1};
    for (int k = 0; k < 7; k++) {
      const double edge = k == 0 || k == 6 ? -0.03 : 0;
      const double z = k == 3 ? r[3] : k == 2 || k == 4 ? 0.3 * r[2] + 0.7 * r[3] : r[2];
      rut_vec3_put(rut_vec3(r[0], across[k] * r[1], z + edge), point[i][k]);
    }
  }
  rut_mesh_loft(b, 6, 7, &point[0][0][0], 0);
  // the lining is seen from inside
  paint(cab, 0.6);
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 7; k++) point[i][k][2] -= 0.025;
    for (int k = 0; k < 3; k++) {
      double swapped[3];
      memcpy(swapped, point[i][k], sizeof swapped);
      memcpy(point[i][k], point[i][6 - k], sizeof swapped);
      memcpy(point[i][6 - k], swapped, sizeof swapped);
    }
  }
  rut_mesh_loft(b, 6, 7, &point[0][0][0], 0);
  // hatch of the gunner, its ring, and stiffeners of the roof
  rut_part_frame(b, &cab->frame);
  paint(cab, 0.9);
  const double ring[6] = {cab->frame.x - 0.5 * cab->frame.scale, cab->frame.y,
                          cab->frame.z + 1.87 * cab->frame.scale};
  rut_mesh_frame(b, ring, cab->frame.scale);
  const double profile[] = {0, 0.015, 0.36, 0.015, 0.38, 0, 0.38, 0.035, 0.42, 0.035, 0.42, -0.03};
  rut_mesh_turned(b, RUT_COUNT_OF(profile) / 2, profile, 36);
  rut_part_frame(b, &cab->frame);
  // sides of the slant back
  paint(cab, 1);
  plate(cab,
        (const rutVec3[]){rut_vec3(-1.12, 0.90, 1.825), rut_vec3(-1.12, BELT_Y, 1.265),
                          rut_vec3(-2.40, 1.05, 1.27), rut_vec3(-1.95, 0.905, 1.585)},
        0);
  plate(cab,
        (const rutVec3[]){rut_vec3(-1.95, 0.905, 1.585), rut_vec3(-2.40, 1.05, 1.27),
                          rut_vec3(-2.40, 1.05, 1.27), rut_vec3(-2.40, 0.93, 1.28)},
        0);
  paint(cab, 0.93);
  for (int i = -1; i <= 1; i++) {
    const double path[] = {-1.2, 0.5 * i, 1.835, -1.95, 0.5 * i, 1.612, -2.34, 0.5 * i, 1.34};
    rut_mesh_tube(b, 3, path, (const double[]){0.02, 0.02, 0.02}, 6);
  }
}

static void add_tail(const Cab* cab) {
  rutMeshBuilder* b = cab->builder;
  paint(cab, 1);
  rut_part_box(b, rut_vec3(-2.405, 0, 1.01), rut_vec3(0.05, 2.06, 0.54), 0.015);
  paint(cab, 0.93);
  rut_part_box(b, rut_vec3(-2.437, 0, 1.02), rut_vec3(0.025, 1.5, 0.40), 0.01);
  rut_part_box(b, rut_vec3(-2.38, 0, 0.66), rut_vec3(0.12, 1.5, 0.14), 0.02);
  rut_part_black(b);
  rut_part_box(b, rut_vec3(-2.48, 0, 0.66), rut_vec3(0.16, 0.12, 0.12), 0.02);
  box(cab, rut_vec3(-2.44, 0.92, 0.93), rut_vec3(0.03, 0.16, 0.24), 0.01);
  rut_part_red(b);
  disc(cab, rut_vec3(-2.458, 0.92, 0.985), 0.05, 0.02);
  rut_part_amber(b);
  disc(cab, rut_vec3(-2.458, 0.92, 0.875), 0.04, 0.02);
  rut_part_black(b);
  rut_part_bar(b, rut_vec3(-2.3, -0.98, 1.25), rut_vec3(-2.42, -1.0, 2.9), 0.007, 5);
  rut_part_box(b, rut_vec3(-2.3, -0.98, 1.31), rut_vec3(0.09, 0.09, 0.14), 0.02);
}

static void add_cockpit(const Cab* cab) {
  rutMeshBuilder* b = cab->builder;
  rut_part_black(b);
  rut_part_box(b, rut_vec3(0.62, 0, 1.17), rut_vec3(0.24, 1.86, 0.16), 0.03);
  rut_part_box(b, rut_vec3(0.50, 0.55, 1.20), rut_vec3(0.06, 0.5, 0.16), 0.02);
  paint(cab, 0.6);
  rut_part_box(b, rut_vec3(-0.3, 0, 0.88), rut_vec3(1.9, 0.9, 0.34), 0.06);
  rut_part_canvas(b);
  for (int i = 0; i < 2; i++) {
    const double x = i == 0 ? -0.02 : -0.86;
    box(cab, rut_vec3(x, 0.72, 0.93), rut_vec3(0.52, 0.48, 0.16), 0.05);
    box(cab, rut_vec3(x - 0.28, 0.72, 1.22), rut_vec3(0.13, 0.46, 0.56), 0.05);
  }
  // the steering wheel, tilted, and its column
  rut_part_black(b);
  const double s = cab->frame.scale;
  const double pose[6] = {
      cab->frame.x + 0.34 * s, cab->frame.y + 0.55 * s, cab->frame.z + 1.22 * s, 0, -0.96, 0};
  rut_mesh_frame(b, pose, s);
  double profile[2 * 9];
  for (int i = 0; i < 9; i++) {
    double sine, cosine;
    rut_sincos(2 * RUT_PI * (i % 8) / 8, &sine, &cosine);
    profile[2 * i] = 0.2 + 0.014 * cosine;
    profile[2 * i + 1] = 0.014 * sine;
  }
  rut_mesh_turned(b, 9, profile, 28);
  rut_mesh_cylinder(b, 0.05, 0.04, 12);
  for (int i = 0; i < 3; i++) {
    double sine, cosine;
    rut_sincos(2 * RUT_PI * i / 3, &sine, &cosine);
    rut_part_bar(b, rut_vec3(0, 0, 0), rut_vec3(-0.2 * cosine, 0.2 * sine, 0), 0.012, 6);
  }
  rut_part_bar(b, rut_vec3(0, 0, -0.02), rut_vec3(0, 0, -0.3), 0.025, 8);
  rut_part_frame(b, &cab->frame);
}

static rutPartFrame frame_of(const rutAppearanceIn* in) {
  const rutPartExtent e = rut_part_extent(in);
  const bool axles = e.front > e.rear;
  return (rutPartFrame){axles ? 0.5 * (e.front + e.rear) : 0.5 * (e.x0 + e.x1), e.middle,
                        in->ground, axles ? (e.front - e.rear) / WHEELBASE : e.length / 4.7};
}

static void hmmwv_body(const void* param, const rutAppearanceIn* in, rutMeshBuilder* builder) {
  const Param* p = param;
  const Cab cab = {in, builder, frame_of(in)};
  rut_part_frame(builder, &cab.frame);
  add_underbody(&cab);
  add_hood(&cab);
  add_nose(&cab);
  add_sides(&cab);
  add_roof(&cab);
  add_tail(&cab);
  if (p->cockpit != 0) add_cockpit(&cab);
  add_windows(&cab);
}

static void hmmwv_eye(const void* param, const rutAppearanceIn* in, double eye[3]) {
  (void)param;
  const rutPartFrame f = frame_of(in);
  rut_vec3_put(rut_vec3(f.x + 0.02 * f.scale, f.y + 0.55 * f.scale, f.z + 1.56 * f.scale), eye);
}

static void hmmwv_wheel(const void* param, const rutAppearanceIn* in, int i,
                        rutMeshBuilder* builder) {
  (void)param;
  const rutWheelStyle style = {.rim = 0.53, .lugs = 20, .lug = 0.045, .painted = true};
  rut_part_wheel(in, i, &style, builder);
}

const rutAppearanceType rut_appearance_hmmwv = {
    .base = {RUT_HEAD(rutAppearanceType, "appearance", "hmmwv", "vehicle",
                      "A HMMWV with hard top and slant back (M1025), scaled to the wheelbase.",
                      fields)},
    // desert tan
    .paint = {{0.36, 0.28, 0.17}, 0.5, 0.5, 0.62, 0.04, 1, 0, 0},
    .body = hmmwv_body,
    .wheel = hmmwv_wheel,
    .eye = hmmwv_eye,
};
