// SPDX-License-Identifier: BSD-3-Clause
//
// Images on the ground, of maps, planes and materials: what they show from above, as one picture of
// the whole extent.
#include <math.h>
#include <stdlib.h>

#include "rut/look.h"
#include "scene/scene.h"

enum {
  SIDE = 1024,
  CHANNELS = 4
};  // most pixels along a side; red, green, blue in sRGB, and alpha

typedef struct Picture {
  double x0, y0, cell;
  int width, height;
} Picture;

static Picture picture_of(const double extent[4]) {
  const double w = extent[2] - extent[0], h = extent[3] - extent[1];
  const double cell = fmax(w, h) / SIDE;
  return (Picture){extent[0], extent[1], cell, (int)fmax(1, round(w / cell)),
                   (int)fmax(1, round(h / cell))};
}

// A row of pixels, from west to east. True if any of them shows an image.
static bool fill_row(const viewSceneDef* def, const Picture* p, int row, unsigned char* out) {
  double x[SIDE], y[SIDE], colour[SIDE][3];
  bool any = false;
  for (int i = 0; i < p->width; i++) {
    x[i] = p->x0 + (i + 0.5) * p->cell;
    y[i] = p->y0 + (row + 0.5) * p->cell;
  }
  if (!rut_ground_images(def->model, def->data, &(rutGroundPoints){p->width, x, y}, p->cell,
                         colour)) {
    return false;
  }
  for (int i = 0; i < p->width; i++) {
    const bool shown = !isnan(colour[i][0]);
    unsigned char* pixel = out + (size_t)i * CHANNELS;
    for (int k = 0; k < 3; k++) pixel[k] = shown ? view_srgb_byte(colour[i][k]) : 0;
    pixel[3] = shown ? 255 : 0;
    any |= shown;
  }
  return any;
}

void view_scene_ground_image(const viewSceneDef* def, const double extent[4], cliJson* json) {
  const rutGroundPoints nowhere = {0};
  if (!rut_ground_images(def->model, def->data, &nowhere, 1, NULL)) return;
  const Picture p = picture_of(extent);
  const size_t row_size = (size_t)p.width * CHANNELS;
  viewBytes* bytes = view_bytes_create(row_size * (size_t)p.height);
  bool any = false;
  for (int row = 0; bytes && row < p.height; row++) {
    any |= fill_row(def, &p, row, bytes->data + (size_t)row * row_size);
  }
  if (!any) {
    view_bytes_drop(bytes);
    return;
  }
  const int asset = view_assets_bytes(def->assets, "ground.rgba", bytes);
  if (asset < 0) return;
  cli_json_object(json, "image");
  cli_json_integer(json, "asset", asset);
  cli_json_integer(json, "width", p.width);
  cli_json_integer(json, "height", p.height);
  cli_json_end(json);
}
