// SPDX-License-Identifier: BSD-3-Clause
#include "appearance/parts.h"

void rut_part_paint(rutMeshBuilder* builder, const rutAppearanceIn* in, double shade) {
  rutMaterial paint = *in->paint;
  for (int i = 0; i < 3; i++) paint.colour[i] = rut_clamp(paint.colour[i] * shade, 0, 1);
  rut_mesh_material(builder, &paint);
}

static void coloured(rutMeshBuilder* builder, double red, double green, double blue,
                     double roughness) {
  rut_mesh_colour(builder, (const double[]){red, green, blue}, roughness, 0.04);
}

void rut_part_black(rutMeshBuilder* builder) { coloured(builder, 0.012, 0.012, 0.013, 0.75); }
void rut_part_metal(rutMeshBuilder* builder) {
  rut_mesh_colour(builder, (const double[]){0.33, 0.34, 0.35}, 0.42, 0.5);
}
void rut_part_glass(rutMeshBuilder* builder) {
  coloured(builder, 0.01, 0.014, 0.016, 0.06);
  rut_mesh_transmission(builder, 0.7);
}
void rut_part_canvas(rutMeshBuilder* builder) { coloured(builder, 0.05, 0.055, 0.04, 0.95); }
void rut_part_lamp(rutMeshBuilder* builder) { coloured(builder, 0.8, 0.82, 0.8, 0.15); }
void rut_part_amber(rutMeshBuilder* builder) { coloured(builder, 0.7, 0.22, 0.02, 0.3); }
void rut_part_red(rutMeshBuilder* builder) { coloured(builder, 0.45, 0.015, 0.012, 0.3); }

void rut_part_box(rutMeshBuilder* builder, rutVec3 centre, rutVec3 size, double bevel) {
  const double low[3] = {centre.x - size.x / 2, centre.y - size.y / 2, centre.z - size.z / 2};
  const double high[3] = {centre.x + size.x / 2, centre.y + size.y / 2, centre.z + size.z / 2};
  rut_mesh_bevelled_box(builder, low, high, bevel);
}

void rut_part_frame(rutMeshBuilder* builder, const rutPartFrame* frame) {
  const double pose[6] = {frame->x, frame->y, frame->z};
  rut_mesh_frame(builder, pose, frame->scale);
}

void rut_part_slab(rutMeshBuilder* builder, const rutPartFrame* frame, int n, const double* xz,
                   const double y[2], double bevel) {
  // turned by 90 deg about x, so that z of the prism is -y
  const double pose[6] = {frame->x, frame->y, frame->z, RUT_PI / 2};
  rut_mesh_frame(builder, pose, frame->scale);
  rut_mesh_bevelled_prism(builder, n, xz, (const double[]){-y[1], -y[0]}, bevel);
  rut_part_frame(builder, frame);
}

void rut_part_plate(rutMeshBuilder* builder, const rutVec3 corner[4], double thickness) {
  const rutVec3 normal = rut_vec3_unit(
      rut_vec3_cross(rut_vec3_sub(corner[2], corner[0]), rut_vec3_sub(corner[3], corner[1])));
  int p[2][4];
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < 4; i++) {
      const rutVec3 at = rut_vec3_add_scaled(corner[i], -side * thickness, normal);
      p[side][i] = rut_mesh_vertex(builder, at.x, at.y, at.z);
    }
  }
  rut_mesh_quad(builder, p[0][0], p[0][1], p[0][2], p[0][3]);
  if (!(thickness > 0)) return;
  rut_mesh_quad(builder, p[1][3], p[1][2], p[1][1], p[1][0]);
  for (int i = 0; i < 4; i++) {
    const int next = (i + 1) % 4;
    rut_mesh_quad(builder, p[0][i], p[1][i], p[1][next], p[0][next]);
  }
}

void rut_part_bar(rutMeshBuilder* builder, rutVec3 from, rutVec3 to, double radius, int sides) {
  const double path[6] = {from.x, from.y, from.z, to.x, to.y, to.z};
  rut_mesh_tube(builder, 2, path, (const double[]){radius, radius}, sides);
}

void rut_part_disc(rutMeshBuilder* builder, const rutPartFrame* frame, rutVec3 centre,
                   double radius, double depth) {
  const rutVec3 half = rut_vec3(depth / 2, 0, 0);
  rut_part_frame(builder, frame);
  rut_part_bar(builder, rut_vec3_sub(centre, half), rut_vec3_add(centre, half), radius, 18);
}

rutPartExtent rut_part_extent(const rutAppearanceIn* in) {
  rutPartExtent e = {
      .x0 = in->outline[0], .x1 = in->outline[0], .y0 = in->outline[1], .y1 = in->outline[1]};
  for (int i = 1; i < in->corners; i++) {
    e.x0 = rut_min(e.x0, in->outline[2 * i]);
    e.x1 = rut_max(e.x1, in->outline[2 * i]);
    e.y0 = rut_min(e.y0, in->outline[2 * i + 1]);
    e.y1 = rut_max(e.y1, in->outline[2 * i + 1]);
  }
  e.length = e.x1 - e.x0;
  e.width = e.y1 - e.y0;
  e.height = in->z_max - in->z_min;
  e.middle = (e.y0 + e.y1) / 2;
  for (int i = 0; i < in->wheels; i++) {
    const rutAppearanceWheel* w = &in->wheel[i];
    e.front = i == 0 ? w->x : rut_max(e.front, w->x);
    e.rear = i == 0 ? w->x : rut_min(e.rear, w->x);
    e.track = rut_max(e.track, 2 * rut_abs(w->y - e.middle));
    e.radius += w->radius / in->wheels;
  }
  return e;
}
