// SPDX-License-Identifier: BSD-3-Clause
//
// Wheels: tyres with a tread of blocks on a rim, or rigid wheels with grousers. They are built
// about the z axis, with their outside at positive z, and laid on their side at the end.
#include "appearance/parts.h"

typedef struct Wheel {
  double radius, half, rim;  // outer radius, half width, radius of the rim [m]
  double base;               // radius of the tread between its blocks [m]
  int sides;
} Wheel;

static void turned(rutMeshBuilder* builder, const Wheel* w, int n, const double* profile) {
  rut_mesh_turned(builder, n, profile, w->sides);
}

static void add_tyre(rutMeshBuilder* builder, const Wheel* w) {
  const double h = w->half, bead = w->rim, side = 0.45 * bead + 0.55 * w->radius;
  const double profile[] = {bead * 0.96,    -0.82 * h, bead * 1.03, -0.9 * h, side,        -h,
                            0.93 * w->base, -0.95 * h, w->base,     -0.8 * h, w->base,     0.8 * h,
                            0.93 * w->base, 0.95 * h,  side,        h,        bead * 1.03, 0.9 * h,
                            bead * 0.96,    0.82 * h,  bead * 0.96, -0.82 * h};
  rut_mesh_preset(builder, "rubber");
  turned(builder, w, RUT_COUNT_OF(profile) / 2, profile);
}

// Frame of something on the tread: x outwards, z along the axis, turned by `lean` about x.
static void tread_frame(rutMeshBuilder* builder, double angle, double z, double lean) {
  const double pose[6] = {0, 0, z, lean, 0, angle};
  rut_mesh_frame(builder, pose, 1);
}

// Two rows of blocks, half a pitch apart, each reaching over its shoulder.
static void add_lugs(rutMeshBuilder* builder, const Wheel* w, int lugs) {
  const double pitch = 2 * RUT_PI / lugs, half = 0.29 * pitch * w->radius, bevel = 0.12 * half;
  rut_mesh_preset(builder, "rubber");
  for (int i = 0; i < 2 * lugs; i++) {
    const int side = i % 2 ? 1 : -1;
    const double angle = 0.5 * i * pitch;
    tread_frame(builder, angle, side * 0.41 * w->half, side * 0.25);
    rut_mesh_bevelled_box(builder, (const double[]){w->base * 0.98, -half, -0.37 * w->half},
                          (const double[]){w->radius, half, 0.37 * w->half}, bevel);
    tread_frame(builder, angle + side * 0.09 * pitch, side * 0.9 * w->half, 0);
    rut_mesh_box(builder, (const double[]){0.84 * w->radius, -half, -0.12 * w->half},
                 (const double[]){0.985 * w->radius, half, 0.1 * w->half});
  }
}

// A rigid drum with bars across, on curved spokes.
static void add_drum(rutMeshBuilder* builder, const Wheel* w, const rutWheelStyle* style) {
  const double h = w->half, r = w->base, wall = 0.05 * w->radius;
  const double crown[] = {r * 0.97 - wall, -h, r * 0.97,        -h,       r,
                          -0.4 * h,        r,  0.4 * h,         r * 0.97, h,
                          r * 0.97 - wall, h,  r * 0.97 - wall, -h};
  rut_part_metal(builder);
  turned(builder, w, RUT_COUNT_OF(crown) / 2, crown);
  const double thick = 0.011 * w->radius;
  for (int i = 0; i < style->lugs; i++) {
    tread_frame(builder, 2 * RUT_PI * i / style->lugs, 0, 0);
    rut_mesh_bevelled_box(builder, (const double[]){r * 0.965, -2 * thick, -h},
                          (const double[]){w->radius, 2 * thick, h}, 0.6 * thick);
  }
}

static void add_bolts(rutMeshBuilder* builder, double circle, double z, double size, int bolts) {
  for (int i = 0; i < bolts; i++) {
    double s, c;
    rut_sincos(2 * RUT_PI * (i + 0.5) / bolts, &s, &c);
    const rutVec3 foot = rut_vec3(circle * c, circle * s, z);
    rut_part_bar(builder, foot, rut_vec3_add(foot, rut_vec3(0, 0, size)), 0.7 * size, 6);
  }
}

// Barrel and flanges, open towards the outside.
static void add_barrel(rutMeshBuilder* builder, const Wheel* w) {
  const double h = w->half, r = w->rim, in = 0.93 * r;
  const double profile[] = {in,        -0.86 * h, r * 1.03,  -0.86 * h, r * 1.03, -0.8 * h,
                            r * 0.965, -0.76 * h, r * 0.965, 0.76 * h,  r * 1.03, 0.8 * h,
                            r * 1.03,  0.88 * h,  in,        0.86 * h,  in,       -0.86 * h};
  turned(builder, w, RUT_COUNT_OF(profile) / 2, profile);
}

// A pressed disc with holes for the hand, as dark hollows, a hub and nuts.
static void add_disc(rutMeshBuilder* builder, const Wheel* w) {
  const double h = w->half, r = w->rim, z = 0.3 * h;
  const double profile[] = {0,        z - 0.18 * h,
                            0.93 * r, z - 0.18 * h,
                            0.93 * r, z + 0.1 * h,
                            0.84 * r, z + 0.16 * h,
                            0.74 * r, z + 0.12 * h,
                            0.62 * r, z,
                            0.42 * r, z,
                            0.36 * r, z + 0.2 * h,
                            0,        z + 0.2 * h};
  turned(builder, w, RUT_COUNT_OF(profile) / 2, profile);
  const double hub[] = {
      0, z, 0.24 * r, z + 0.1 * h, 0.22 * r, z + 0.46 * h, 0.15 * r, z + 0.52 * h, 0, z + 0.52 * h};
  turned(builder, w, RUT_COUNT_OF(hub) / 2, hub);
  rut_part_metal(builder);
  add_bolts(builder, 0.29 * r, z + 0.18 * h, 0.055 * r, 8);
  add_bolts(builder, 0.8 * r, z + 0.13 * h, 0.04 * r, 12);
}

static void add_spokes(rutMeshBuilder* builder, const Wheel* w, int spokes) {
  const double h = w->half, r = w->rim, z = 0.42 * h;
  const double hub[] = {0,           -0.2 * h, 0.26 * r,     -0.2 * h, 0.26 * r,
                        z + 0.1 * h, 0.2 * r,  z + 0.18 * h, 0,        z + 0.18 * h};
  turned(builder, w, RUT_COUNT_OF(hub) / 2, hub);
  const double wide = 0.5 * r / (0.35 * spokes + 1);
  for (int i = 0; i < spokes; i++) {
    double s, c, s2, c2;
    rut_sincos(2 * RUT_PI * i / spokes, &s, &c);
    rut_sincos(2 * RUT_PI * (i + 0.12) / spokes, &s2, &c2);
    const double path[9] = {0.2 * r * c,  0.2 * r * s,  z,
                            0.6 * r * c2, 0.6 * r * s2, z + 0.04 * h,
                            0.96 * r * c, 0.96 * r * s, z - 0.12 * h};
    rut_mesh_tube(builder, 3, path, (const double[]){0.8 * wide, 0.55 * wide, 0.6 * wide}, 6);
  }
  rut_part_metal(builder);
  add_bolts(builder, 0.17 * r, z + 0.12 * h, 0.05 * r, 5);
}

void rut_part_wheel(const rutAppearanceIn* in, int i, const rutWheelStyle* style,
                    rutMeshBuilder* builder) {
  const rutAppearanceWheel* wheel = &in->wheel[i];
  const double lug = style->lugs > 0 ? style->lug : 0;
  const Wheel w = {.radius = wheel->radius,
                   .half = rut_max(wheel->width, 0.05 * wheel->radius) / 2,
                   .rim = style->rim * wheel->radius,
                   .base = (1 - lug) * wheel->radius,
                   .sides = 40};
  const rutMeshMark mark = rut_mesh_mark(builder);
  rut_mesh_frame(builder, NULL, 1);
  if (style->grousers) {
    add_drum(builder, &w, style);
  } else {
    add_tyre(builder, &w);
    if (style->lugs > 0) add_lugs(builder, &w, style->lugs);
  }
  rut_mesh_frame(builder, NULL, 1);
  if (style->painted) {
    rut_part_paint(builder, in, 1);
  } else {
    rut_part_metal(builder);
  }
  if (!style->grousers) add_barrel(builder, &w);
  if (style->spokes > 0) {
    add_spokes(builder, &w, style->spokes);
  } else {
    add_disc(builder, &w);
  }
  // its outside is on the side of the vehicle on which it is
  const double roll = wheel->y < 0 ? RUT_PI / 2 : -RUT_PI / 2;
  rut_mesh_move(builder, mark, (const double[]){0, 0, 0, roll, 0, 0}, 1);
}

void rut_appearance_wheel(const rutAppearanceIn* in, int i, rutMeshBuilder* builder) {
  const rutAppearanceWheel* w = &in->wheel[i];
  const bool thin = w->width < 0.3 * w->radius;
  const rutWheelStyle style = {
      .rim = 0.58, .lugs = thin ? 0 : 18, .lug = 0.045, .spokes = w->radius < 0.2 ? 6 : 5};
  rut_part_wheel(in, i, &style, builder);
}
