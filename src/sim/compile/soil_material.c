// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/soil_material.h"

#include <string.h>

#include "sim/spec/material.h"

// In the order in which words are looked for: a wet road is asphalt, wet clay is clay.
static const struct {
  const char *word, *preset;
} looks[] = {{"snow", "snow"},       {"ice", "snow"},  // nearer to it than to sandy loam
             {"sand", "dry_sand"},   {"clay", "light_clay"},
             {"mud", "wet_soil"},    {"road", "asphalt"},
             {"asphalt", "asphalt"}, {"concrete", "concrete"},
             {"grass", "lawn"},      {"lawn", "lawn"},
             {"meadow", "lawn"},     {"gravelly", "gravelly_loam"},
             {"gravel", "gravel"},   {"silt", "silty_loam"}};

static const char* preset_named(const char* text) {
  for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
    if (strstr(text, looks[i].word)) return looks[i].preset;
  }
  return NULL;
}

void rut_soil_material(const rutSpec* spec, rutNode soil, rutMaterial* material) {
  const char* preset = preset_named(rut_node_name(spec, soil));
  if (!preset) preset = preset_named(rut_node_type(spec, soil));
  if (!preset) return;
  const int class_index = material->semantic_class;
  if (rut_material_preset(preset, material)) material->semantic_class = class_index;
}
