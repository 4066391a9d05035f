// SPDX-License-Identifier: BSD-3-Clause
//
// What things look like, for display.
#include <string.h>

#include "rut/look.h"
#include "sim/model.h"

bool rut_model_lamp(const rutModel* model, int index, rutLamp* out, double mount[6]) {
  if (index < 0 || index >= model->seen.lamps) return false;
  const rutLampRecord* record = &model->seen.lamp[index];
  *out = record->lamp;
  memcpy(mount, record->mount, sizeof record->mount);
  return true;
}
