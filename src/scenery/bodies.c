// SPDX-License-Identifier: BSD-3-Clause
#include "scenery/bodies.h"

#include <string.h>

#include "base/rng.h"
#include "math/rut_math.h"

enum { MOST_ROWS = 12, MOST_COLUMNS = 20 };

double rut_dice(rutDice* dice, double low, double high) {
  return low + (high - low) * rut_uniform(0, (uint32_t)dice->use, dice->sample, dice->next++);
}

void rut_draw_material(rutMeshBuilder* builder, const char* preset, double brightness) {
  rut_mesh_preset(builder, preset);
  rut_mesh_tint(builder, (const double[]){brightness, brightness, brightness});
}

void rut_draw_blob(rutMeshBuilder* builder, const rutBlob* blob, rutDice* dice) {
  double point[3 * MOST_ROWS * MOST_COLUMNS];
  const int rows = blob->rows < MOST_ROWS ? blob->rows : MOST_ROWS;
  const int columns = blob->columns < MOST_COLUMNS ? blob->columns : MOST_COLUMNS;
  double* p = point;
  for (int r = 0; r < rows; r++) {
    double up, level;
    rut_sincos(RUT_PI * ((r + 0.5) / rows - 0.5), &up, &level);
    for (int c = 0; c < columns; c++, p += 3) {
      // every second row is turned by half a column
      double s, k;
      rut_sincos(2 * RUT_PI * (c + 0.5 * (r & 1)) / columns, &s, &k);
      const double part = 1 - rut_dice(dice, 0, blob->uneven);
      p[0] = blob->centre[0] + part * blob->radius[0] * level * k;
      p[1] = blob->centre[1] + part * blob->radius[1] * level * s;
      p[2] = blob->centre[2] + part * blob->radius[2] * up;
    }
  }
  rut_mesh_loft(builder, rows, columns, point, RUT_LOFT_RING | RUT_LOFT_CAPS);
}

void rut_draw_limb(rutMeshBuilder* builder, const rutLimb* limb) {
  double path[6];
  memcpy(path, limb->from, sizeof limb->from);
  memcpy(path + 3, limb->to, sizeof limb->to);
  rut_mesh_tube(builder, 2, path, limb->radius, limb->sides);
}

void rut_draw_profile(rutMeshBuilder* builder, int n, const double* xz, double half) {
  // turned about x, the polygon's y points up and its height to the right
  static const double upright[6] = {0, 0, 0, RUT_PI / 2, 0, 0};
  rut_mesh_frame(builder, upright, 1);
  rut_mesh_prism(builder, n, xz, -half, half);
  rut_mesh_frame(builder, NULL, 1);
}

void rut_draw_box(rutMeshBuilder* builder, const double box[6]) {
  rut_mesh_box(builder, box, box + 3);
}
