// SPDX-License-Identifier: BSD-3-Clause
//
// Small robots of the kind of Clearpath's Jackal: a low body between or above the wheels, with
// bumpers, side covers, and a deck with rails for payloads.
#include "appearance/parts.h"

static void robot_body(const void* param, const rutAppearanceIn* in, rutMeshBuilder* b) {
  (void)param;
  const rutPartExtent e = rut_part_extent(in);
  const double low = in->z_min, high = in->z_max, h = e.height, x = 0.5 * (e.x0 + e.x1);
  // the narrowest place between wheels that stand beside the body
  double inner = e.width;
  for (int i = 0; i < in->wheels; i++) {
    const rutAppearanceWheel* w = &in->wheel[i];
    const bool beside = rut_abs(w->y - e.middle) > 0.25 * e.width;
    const double room = 2 * rut_abs(w->y - e.middle) - 1.15 * w->width;
    if (beside && w->z + w->radius > low) inner = rut_min(inner, room);
  }
  const double width = rut_clamp(inner, 0.3 * e.width, e.width), bevel = 0.06 * rut_min(h, width);
  const double belt = low + 0.68 * h;
  // tub
  rut_part_black(b);
  rut_part_box(b, rut_vec3(x, e.middle, 0.5 * (low + belt)),
               rut_vec3(0.96 * e.length, width, belt - low), bevel);
  // covers in colour, slanted at both ends
  const double cover[] = {e.x0,
                          belt - 0.1 * h,
                          e.x0 + 0.04 * e.length,
                          high - 0.1 * h,
                          e.x0 + 0.1 * e.length,
                          high - 0.05 * h,
                          e.x1 - 0.16 * e.length,
                          high - 0.05 * h,
                          e.x1 - 0.03 * e.length,
                          belt + 0.06 * h,
                          e.x1,
                          belt - 0.1 * h};
  const rutPartFrame frame = {0, e.middle, 0, 1};
  rut_part_paint(b, in, 1);
  rut_part_slab(b, &frame, RUT_COUNT_OF(cover) / 2, cover,
                (const double[]){-0.49 * width, 0.49 * width}, bevel);
  rut_mesh_frame(b, NULL, 1);
  // deck with rails and holes
  rut_part_black(b);
  rut_part_box(b, rut_vec3(x - 0.04 * e.length, e.middle, high - 0.04 * h),
               rut_vec3(0.7 * e.length, 0.9 * width, 0.06 * h), 0.01 * h);
  rut_part_metal(b);
  for (int side = -1; side <= 1; side += 2) {
    const double y = e.middle + side * 0.36 * width;
    rut_part_box(b, rut_vec3(x - 0.04 * e.length, y, high - 0.005 * h),
                 rut_vec3(0.66 * e.length, 0.06 * width, 0.03 * h), 0);
  }
  // bumpers, lamps in front, a stop on the deck
  rut_part_black(b);
  for (int end = -1; end <= 1; end += 2) {
    rut_part_box(b, rut_vec3(x + end * 0.5 * e.length, e.middle, low + 0.42 * h),
                 rut_vec3(0.04 * e.length, 0.92 * width, 0.16 * h), 0.03 * h);
  }
  for (int side = -1; side <= 1; side += 2) {
    const double y = e.middle + side * 0.33 * width;
    rut_part_lamp(b);
    rut_part_bar(b, rut_vec3(e.x1 - 0.02 * e.length, y, low + 0.57 * h),
                 rut_vec3(e.x1 + 0.004 * e.length, y, low + 0.57 * h), 0.05 * h, 14);
    rut_part_red(b);
    rut_part_box(b, rut_vec3(e.x0 - 0.002 * e.length, y, low + 0.57 * h),
                 rut_vec3(0.01 * e.length, 0.12 * width, 0.05 * h), 0);
  }
  const rutVec3 stop = rut_vec3(e.x0 + 0.14 * e.length, e.middle, high - 0.02 * h);
  rut_part_amber(b);
  rut_part_bar(b, stop, rut_vec3_add(stop, rut_vec3(0, 0, 0.05 * h)), 0.06 * width, 16);
  rut_part_red(b);
  rut_part_bar(b, rut_vec3_add(stop, rut_vec3(0, 0, 0.05 * h)),
               rut_vec3_add(stop, rut_vec3(0, 0, 0.11 * h)), 0.04 * width, 16);
  // axles out to the wheels
  rut_part_metal(b);
  for (int i = 0; i < in->wheels; i++) {
    const rutAppearanceWheel* w = &in->wheel[i];
    const double from = e.middle + rut_clamp(w->y - e.middle, -0.45 * width, 0.45 * width);
    if (rut_abs(w->y - from) < 1e-3 * e.width) continue;
    rut_part_bar(b, rut_vec3(w->x, from, w->z), rut_vec3(w->x, w->y, w->z), 0.16 * w->radius, 12);
  }
}

static void robot_wheel(const void* param, const rutAppearanceIn* in, int i,
                        rutMeshBuilder* builder) {
  (void)param;
  const rutWheelStyle style = {.rim = 0.6, .lugs = 16, .lug = 0.07, .spokes = 5};
  rut_part_wheel(in, i, &style, builder);
}

const rutAppearanceType rut_appearance_robot = {
    .base =
        {.abi = RUT_ABI,
         .struct_size = sizeof(rutAppearanceType),
         .kind = "appearance",
         .name = "robot",
         .parents = "vehicle",
         .doc =
             "A small wheeled robot of the kind of Clearpath's Jackal: a low body with a deck for "
             "payloads."},
    .paint = {{0.8, 0.5, 0.02}, 0.5, 0.5, 0.45, 0.04, 1, 0, 0},
    .body = robot_body,
    .wheel = robot_wheel,
};
