// SPDX-License-Identifier: BSD-3-Clause
//
// What things look like, for display.
#include <string.h>

#include "rut/look.h"
#include "sim/cast.h"

bool rut_model_lamp(const rutModel* model, int index, rutLamp* out, double mount[6]) {
  if (index < 0 || index >= model->seen.lamps) return false;
  const rutLampRecord* record = &model->seen.lamp[index];
  *out = record->lamp;
  memcpy(mount, record->mount, sizeof record->mount);
  return true;
}

void rut_soil_reflectance(const rutModel* model, int soil, double colour[3]) {
  const bool known = model->seen.soil && soil >= 0 && soil < rut_count(model, RUT_SOIL);
  const int own = known ? model->seen.soil[soil] : -1;
  const int material = own >= 0 ? own : model->seen.ground.material;
  memcpy(colour, model->seen.material[material].colour, 3 * sizeof *colour);
}

bool rut_ground_images(const rutModel* model, const rutData* data, const rutGroundPoints* at,
                       double across, double (*colour)[3]) {
  if (model->seen.ground_textures == 0) return false;
  rut_cast_ground_images(model, data, at, across, colour);
  return true;
}
