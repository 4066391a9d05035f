// SPDX-License-Identifier: BSD-3-Clause
//
// Forces of a world's soils on a single wheel.
#include "sim/model.h"
#include "soil/drawbar.h"

// NULL if there is none. The first record is that of places without any soil.
static const rutSoilRecord* find_soil(const rutModel* model, int soil) {
  return soil >= 0 && soil < model->soils - 1 ? &model->soil[soil + 1] : NULL;
}

rutSoilInfo rut_soil_info(const rutModel* model, int soil) {
  const rutSoilRecord* r = find_soil(model, soil);
  if (!r) return (rutSoilInfo){.name = "", .type = ""};
  return (rutSoilInfo){model->name[RUT_SOIL][soil], r->type->base.name, r->type->sink != NULL};
}

rutSoilWheel rut_default_soil_wheel(void) {
  return (rutSoilWheel){.struct_size = sizeof(rutSoilWheel),
                        .radius = 0.47,
                        .width = 0.3175,
                        .section_height = 0.26,
                        .load = 6500,
                        .stiffness = 411e3,
                        .crossover = 0.09};
}

bool rut_soil_point(const rutModel* model, int soil, const rutSoilWheel* wheel, rutSoilPoint* out) {
  const rutSoilRecord* r = find_soil(model, soil);
  *out = (rutSoilPoint){0};
  return r && rut_drawbar(r->type, r->param, r->derived, wheel, out);
}
