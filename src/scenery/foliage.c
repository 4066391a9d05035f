// SPDX-License-Identifier: BSD-3-Clause
#include "scenery/foliage.h"

#include "math/vec.h"

// Brightness of leaves inside, and of those outside from below to above.
#define INNER 0.55
static const double shades[] = {0.7, 0.9, 1.1, 1.35};
enum { SHADES = sizeof shades / sizeof shades[0] };

void rut_draw_spray(rutMeshBuilder* builder, const rutSpray* spray) {
  const double *a = spray->root, *b = spray->tip, *w = spray->side;
  int corner[2];
  const int root = rut_mesh_vertex(builder, a[0], a[1], a[2]);
  const int tip = rut_mesh_vertex(builder, b[0], b[1], b[2]);
  for (int i = 0; i < 2; i++) {
    const double side = i ? -1 : 1;
    corner[i] = rut_mesh_vertex(builder, 0.45 * a[0] + 0.55 * b[0] + side * w[0],
                                0.45 * a[1] + 0.55 * b[1] + side * w[1],
                                0.45 * a[2] + 0.55 * b[2] + side * w[2] - spray->fold);
  }
  rut_mesh_triangle(builder, root, tip, corner[0]);
  rut_mesh_triangle(builder, tip, root, corner[1]);
}

// The body inside: an uneven icosahedron.
static void draw_inside(rutMeshBuilder* builder, const rutFoliage* f, rutDice* dice) {
  const rutBlob inside = {{f->centre[0], f->centre[1], f->centre[2]},
                          {0.86 * f->radius[0], 0.86 * f->radius[1], 0.86 * f->radius[2]},
                          0.15,
                          3,
                          6};
  rut_draw_material(builder, f->leaf, INNER);
  rut_draw_blob(builder, &inside, dice);
}

// One spray at a direction from the middle, which grows outwards and along the surface.
static rutSpray grow_spray(const rutFoliage* f, double up, double azimuth, rutDice* dice) {
  // so that sprays about cover the ellipsoid
  const double mean = (f->radius[0] + f->radius[1] + f->radius[2]) / 3;
  const double length = mean * rut_sqrt(9.0 / f->sprays) * rut_dice(dice, 0.8, 1.2);
  const double level = rut_sqrt(1 - up * up), depth = rut_dice(dice, 0.78, 0.95);
  const double lift = rut_dice(dice, 0.1, 0.45);
  double s, c, ts, tc;
  rut_sincos(azimuth, &s, &c);
  rut_sincos(rut_dice(dice, 0, 2 * RUT_PI), &ts, &tc);
  const rutVec3 out = rut_vec3(level * c, level * s, up);
  const rutVec3 east = rut_vec3(-s, c, 0), north = rut_vec3(-up * c, -up * s, level);
  const rutVec3 along = rut_vec3_add_scaled(rut_vec3_scale(east, tc), ts, north);
  const rutVec3 across = rut_vec3_cross(out, along);
  const rutVec3 middle = rut_vec3(f->centre[0] + depth * f->radius[0] * out.x,
                                  f->centre[1] + depth * f->radius[1] * out.y,
                                  f->centre[2] + depth * f->radius[2] * up);
  const rutVec3 half = rut_vec3_scale(along, 0.5 * length);
  rutSpray spray = {.fold = 0.12 * length};
  rut_vec3_put(rut_vec3_add_scaled(rut_vec3_sub(middle, half), -0.3 * lift * length, out),
               spray.root);
  rut_vec3_put(rut_vec3_add_scaled(rut_vec3_add(middle, half), lift * length, out), spray.tip);
  rut_vec3_put(rut_vec3_scale(across, 0.36 * length), spray.side);
  spray.tip[2] -= f->droop * length;
  return spray;
}

void rut_draw_foliage(rutMeshBuilder* builder, const rutFoliage* f, rutDice* dice) {
  draw_inside(builder, f, dice);
  for (int i = 0; i < f->sprays; i++) {
    // evenly over the sphere (Fibonacci lattice)
    const double up = 1 - 2 * (i + 0.5) / f->sprays;
    const double azimuth = RUT_GOLDEN_ANGLE * i + rut_dice(dice, -0.4, 0.4);
    const rutSpray spray = grow_spray(f, up, azimuth, dice);
    const int shade = (int)((0.5 + 0.5 * up + rut_dice(dice, -0.3, 0.3)) * SHADES);
    rut_draw_material(builder, f->leaf,
                      shades[shade < 0        ? 0
                             : shade < SHADES ? shade
                                              : SHADES - 1]);
    rut_draw_spray(builder, &spray);
  }
}
