// SPDX-License-Identifier: BSD-3-Clause
#include "sim/spec/material_read.h"

#include <string.h>

#include "math/rut_math.h"

void rut_material_read(const rutSpec* spec, rutNode node, rutMaterial* out) {
  rutMaterial m = {0};
  int n = 0;
  const double* colour = rut_node_numbers(spec, node, "color", &n);
  for (int i = 0; i < n && i < 3; i++) m.colour[i] = rut_clamp(colour[i], 0, 1);
  m.reflectance_905 = rut_node_number(spec, node, "reflectance_905");
  m.reflectance_1550 = rut_node_number(spec, node, "reflectance_1550");
  m.roughness = rut_node_number(spec, node, "roughness");
  m.specular = rut_node_number(spec, node, "specular");
  m.radar = rut_node_number(spec, node, "radar");
  m.retroreflection = rut_node_number(spec, node, "retroreflection");
  *out = m;
}

const char* rut_material_only_class(const rutSpec* spec, rutNode carrier) {
  const rutNode own = rut_node_first(spec, carrier, "material");
  if (rut_node_is_null(own)) return NULL;
  const rutComponent* type = rut_node_component(spec, own);
  bool more = rut_node_has(spec, own, "preset");
  for (int i = 0; i < type->fields; i++) {
    const char* field = type->field[i].name;
    more = more || (strcmp(field, "class") != 0 && rut_node_has(spec, own, field));
  }
  const char* name = rut_node_text(spec, own, "class");
  return !more && name[0] ? name : NULL;
}
