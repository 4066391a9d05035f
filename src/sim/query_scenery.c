// SPDX-License-Identifier: BSD-3-Clause
//
// Scenery of a model, for display.
#include "geom/polygon.h"
#include "math/rut_math.h"
#include "sim/model.h"

int rut_scenery_count(const rutModel* model) { return model->scenery.items; }

bool rut_scenery_info(const rutModel* model, int index, rutSceneryInfo* out) {
  *out = (rutSceneryInfo){.type = "", .name = ""};
  if (index < 0 || index >= model->scenery.items) return false;
  const rutSceneryItem* item = &model->scenery.item[index];
  const rutSceneryForm* form = &model->scenery.form[item->form];
  *out = (rutSceneryInfo){.type = form->type,
                          .name = form->name,
                          .position = {item->position[0], item->position[1], item->position[2]},
                          .yaw = item->yaw,
                          .size = item->size,
                          .variant = form->variant,
                          .instance = item->instance,
                          .parts = form->parts,
                          .element = form->element};
  return true;
}

// A part in the frame of its owner.
static void put_prism(const rutModel* model, const rutSceneryPartRecord* from,
                      rutSceneryPrism* out) {
  const rutSceneryPart* p = &from->part;
  out->corners = p->corners;
  for (int k = 0; k < 2 * p->corners; k++) out->xy[k] = p->xy[k];
  out->z_min = p->z_min;
  out->z_max = p->z_max;
  out->solid = p->solid;
  for (int k = 0; k < 3; k++) out->colour[k] = model->seen.material[from->material].colour[k];
}

bool rut_block_prism(const rutModel* model, int block, int part, rutSceneryPrism* out) {
  *out = (rutSceneryPrism){0};
  if (block < 0 || block >= model->blocks || model->block[block].form < 0) return false;
  const rutSceneryForm* form = &model->scenery.form[model->block[block].form];
  if (part < 0 || part >= form->parts) return false;
  put_prism(model, &model->scenery.part[form->first + part], out);
  return true;
}

bool rut_scenery_prism(const rutModel* model, int index, int part, rutSceneryPrism* out) {
  *out = (rutSceneryPrism){0};
  if (index < 0 || index >= model->scenery.items) return false;
  const rutSceneryItem* item = &model->scenery.item[index];
  const rutSceneryForm* form = &model->scenery.form[item->form];
  if (part < 0 || part >= form->parts) return false;
  put_prism(model, &model->scenery.part[form->first + part], out);
  double sine, cosine;
  rut_sincos(item->yaw, &sine, &cosine);
  const rutPlanePose pose = {item->position[0], item->position[1], cosine, sine};
  for (int k = 0; k < 2 * out->corners; k++) out->xy[k] *= item->size;
  rut_polygon_transform(out->corners, out->xy, pose, out->xy);
  out->z_min = item->position[2] + item->size * out->z_min;
  out->z_max = item->position[2] + item->size * out->z_max;
  return true;
}
