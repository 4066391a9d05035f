// SPDX-License-Identifier: BSD-3-Clause
//
// What surfaces are made of, as sensors see it. The presets are in geom/materials.def.
#include "sim/spec/material.h"

#include <string.h>

#include "rut/component.h"

#define REFLECTANCE(name, def, doc) \
  { name, "1", RUT_REAL, 1, def, 0, 1, "", 0, doc }

static const rutField fields[] = {
    {"color", "1", RUT_VECTOR, 3, 0, 0, 1, "0.3 0.3 0.3", 0,
     "reflectance in red, green and blue light, linear; or #rrggbb"},
    REFLECTANCE("reflectance_905", 0.35, "at 905 nm, of lidars with silicon detectors"),
    REFLECTANCE("reflectance_1550", 0.35, "at 1550 nm, of lidars that are safe for eyes"),
    REFLECTANCE("roughness", 0.9, "of the surface, 0: a mirror (alpha of GGX is its square)"),
    REFLECTANCE("specular", 0.04, "reflectance of the smooth surface at normal incidence"),
    {"radar", "1", RUT_REAL, 1, 0.05, 0, 1e6, "", 0,
     "radar cross section per projected area at 77 GHz"},
    {"retroreflection", "1", RUT_REAL, 1, 0, 0, 1e5, "", 0,
     "coefficient R_A of light that returns to its source [cd/(lx m2)], as in data sheets of "
     "sheeting at 0.2 and 5 deg"},
    {"class", "", RUT_TEXT, 1, 0, 0, 0, "", 0,
     "semantic class; default: ground, wall, obstacle or vehicle, by the element"},
    {"texture", "file", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_PICTURE,
     "of the ground: image that cameras see in place of the colour, right along the world's x"},
    {"texture_size", "m", RUT_VECTOR, 2, 0, 0, 1e6, "1 1", 0,
     "along x and y, after which the image repeats"},
};

#define VALUES(symbol, r, g, b, near_infrared, short_infrared, rough, radar_factor, retro) \
  static const rutPresetValue symbol[] = {{"color", #r " " #g " " #b},                     \
                                          {"reflectance_905", #near_infrared},             \
                                          {"reflectance_1550", #short_infrared},           \
                                          {"roughness", #rough},                           \
                                          {"radar", #radar_factor},                        \
                                          {"retroreflection", #retro}};
#define RUT_MATERIAL_PRESET(symbol, doc, ...) VALUES(symbol, __VA_ARGS__)
#include "geom/materials.def"
#undef RUT_MATERIAL_PRESET

static const rutPreset presets[] = {
#define RUT_MATERIAL_PRESET(symbol, doc, ...) RUT_PRESET(#symbol, doc, symbol),
#include "geom/materials.def"
#undef RUT_MATERIAL_PRESET
};

bool rut_material_preset(const char* name, rutMaterial* out) {
  static const struct {
    const char* name;
    rutMaterial material;
  } row[] = {
#define RUT_MATERIAL_PRESET(symbol, doc, r, g, b, near_infrared, short_infrared, rough, radar, \
                            retro)                                                             \
  {#symbol, {{r, g, b}, near_infrared, short_infrared, rough, 0.04, radar, 0, retro}},
#include "geom/materials.def"
#undef RUT_MATERIAL_PRESET
  };
  for (int i = 0; i < RUT_COUNT_OF(row); i++) {
    if (strcmp(row[i].name, name) != 0) continue;
    *out = row[i].material;
    return true;
  }
  return false;
}

const rutComponent rut_material_element = {
    .abi = RUT_ABI,
    .struct_size = sizeof(rutComponent),
    .kind = "material",
    .name = "",
    .parents =
        "world chassis wheel axle block wall occupancy_grid elevation_map plane soil scenery",
    .doc = "What an element's surface is made of, as sensors see it. In <world>: the ground.",
    .field = fields,
    .fields = RUT_COUNT_OF(fields),
    RUT_PRESETS(presets),
};
