// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles as they collide: the prism over the outline, sharp-edged, on cylinders. For tests of
// sensors, and where a look would mislead.
#include "appearance/parts.h"

enum { SIDES = 64 };

static void prism_body(const void* param, const rutAppearanceIn* in, rutMeshBuilder* builder) {
  (void)param;
  rut_mesh_frame(builder, NULL, 1);
  rut_part_paint(builder, in, 1);
  rut_mesh_prism(builder, in->corners, in->outline, in->z_min, in->z_max);
}

static void prism_wheel(const void* param, const rutAppearanceIn* in, int i,
                        rutMeshBuilder* builder) {
  static const double along_y[6] = {0, 0, 0, RUT_PI / 2, 0, 0};
  (void)param;
  rut_mesh_frame(builder, along_y, 1);
  rut_mesh_preset(builder, "rubber");
  rut_mesh_cylinder(builder, in->wheel[i].radius, in->wheel[i].width, SIDES);
}

const rutAppearanceType rut_appearance_prism = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutAppearanceType),
             .kind = "appearance",
             .name = "prism",
             .parents = "vehicle",
             .doc = "The shape that collides: the outline from z_min to z_max, wheels as "
                    "cylinders."},
    .paint = {{0.3, 0.3, 0.3}, 0.4, 0.4, 0.5, 0.04, 1, 0, 0},
    .paints_as_host = true,
    .body = prism_body,
    .wheel = prism_wheel,
};
