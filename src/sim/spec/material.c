// SPDX-License-Identifier: BSD-3-Clause
//
// What surfaces are made of, as sensors see it. Reflectances are diffuse and hemispherical. Those
// of the presets are means over bands of the spectra that MAVS comes with (red 650, green 550, blue
// 450 nm; 905 and 1550 nm); radar factors at 77 GHz are orders of magnitude.
#include "sim/spec/material.h"

#include "rut/component.h"

#define REFLECTANCE(name, def, doc) \
  { name, "1", RUT_REAL, 1, def, 0, 1, "", 0, doc }

static const rutField fields[] = {
    {"colour", "1", RUT_VECTOR, 3, 0, 0, 1, "0.3 0.3 0.3", 0,
     "reflectance in red, green and blue light, linear"},
    REFLECTANCE("reflectance_905", 0.35, "at 905 nm, of lidars with silicon detectors"),
    REFLECTANCE("reflectance_1550", 0.35, "at 1550 nm, of lidars that are safe for eyes"),
    REFLECTANCE("roughness", 0.9, "of the surface, 0: a mirror (alpha of GGX is its square)"),
    REFLECTANCE("specular", 0.04, "reflectance of the smooth surface at normal incidence"),
    {"radar", "1", RUT_REAL, 1, 0.05, 0, 1e6, "", 0,
     "radar cross section per projected area at 77 GHz"},
    {"class", "", RUT_TEXT, 1, 0, 0, 0, "", 0,
     "semantic class; default: ground, wall, obstacle or vehicle, by the element"},
};

#define VALUES(symbol, r, g, b, near_infrared, short_infrared, rough, radar_factor) \
  static const rutPresetValue symbol[] = {{"colour", #r " " #g " " #b},             \
                                          {"reflectance_905", #near_infrared},      \
                                          {"reflectance_1550", #short_infrared},    \
                                          {"roughness", #rough},                    \
                                          {"radar", #radar_factor}};
// X(symbol, sentence, red, green, blue, 905 nm, 1550 nm, roughness, radar factor)
#define MATERIALS(X)                                                                   \
  X(sandy_loam, "Brown sandy loam.", 0.23, 0.14, 0.05, 0.35, 0.49, 0.95, 0.01)         \
  X(silty_loam, "Dark silty loam.", 0.10, 0.07, 0.03, 0.21, 0.36, 0.95, 0.01)          \
  X(gravelly_loam, "Gravelly loam.", 0.28, 0.18, 0.07, 0.35, 0.45, 1, 0.01)            \
  X(dark_clay, "Dark brown clay.", 0.01, 0, 0, 0.12, 0.31, 0.8, 0.01)                  \
  X(light_clay, "Light yellow clay.", 0.46, 0.38, 0.23, 0.50, 0.60, 0.9, 0.01)         \
  X(dry_sand, "Dry sand.", 0.45, 0.38, 0.28, 0.45, 0.55, 0.95, 0.01)                   \
  X(wet_soil, "Wet sandy loam.", 0.115, 0.07, 0.025, 0.21, 0.12, 0.7, 0.05)            \
  X(snow, "Fresh snow.", 0.95, 0.95, 0.95, 0.85, 0.12, 0.8, 0.01)                      \
  X(asphalt, "Asphalt.", 0.083, 0.072, 0.057, 0.11, 0.14, 0.85, 0.005)                 \
  X(concrete, "Concrete.", 0.30, 0.25, 0.19, 0.32, 0.38, 0.8, 0.2)                     \
  X(lawn, "Lawn grass.", 0.044, 0.097, 0.036, 0.71, 0.26, 0.9, 0.05)                   \
  X(oat_grass, "Oat grass.", 0.10, 0.21, 0.08, 0.55, 0.27, 0.9, 0.05)                  \
  X(oak_leaves, "Leaves of oaks.", 0.10, 0.17, 0.10, 0.86, 0.39, 0.7, 0.05)            \
  X(maple_leaves, "Leaves of maples.", 0.04, 0.10, 0.04, 0.64, 0.30, 0.7, 0.05)        \
  X(pine_needles, "Needles of pines.", 0.06, 0.17, 0.10, 0.59, 0.15, 0.7, 0.05)        \
  X(oak_bark, "Bark of oaks.", 0.05, 0.05, 0.02, 0.34, 0.16, 0.95, 0.05)               \
  X(pine_bark, "Bark of lodgepole pines.", 0.23, 0.12, 0.06, 0.59, 0.39, 0.95, 0.05)   \
  X(sagebrush, "Dry sagebrush.", 0.28, 0.31, 0.18, 0.68, 0.49, 0.9, 0.05)              \
  X(brick, "Red brick.", 0.19, 0.07, 0.04, 0.25, 0.53, 0.9, 0.2)                       \
  X(olive_paint, "Olive paint on sheet metal.", 0.11, 0.22, 0.11, 0.58, 0.58, 0.5, 1)  \
  X(galvanised_sheet, "Galvanised sheet metal.", 0.08, 0.09, 0.09, 0.06, 0.11, 0.3, 1) \
  X(rubber, "Rubber of tyres.", 0.04, 0.04, 0.04, 0.05, 0.06, 0.9, 0.02)               \
  X(road_paint, "White paint on roads.", 0.75, 0.75, 0.75, 0.75, 0.70, 0.8, 0.005)     \
  X(skin, "Human skin.", 0.55, 0.38, 0.30, 0.60, 0.20, 0.6, 0.02)                      \
  X(cotton, "White cotton.", 0.5, 0.5, 0.5, 0.6, 0.6, 0.9, 0.02)

#define X(symbol, doc, ...) VALUES(symbol, __VA_ARGS__)
MATERIALS(X)
#undef X

static const rutPreset presets[] = {
#define X(symbol, doc, ...) RUT_PRESET(#symbol, doc, symbol),
    MATERIALS(X)
#undef X
};

const rutComponent rut_material_element = {
    .abi = RUT_ABI,
    .struct_size = sizeof(rutComponent),
    .kind = "material",
    .name = "",
    .parents = "world chassis wheel axle block wall occupancy_grid elevation_map plane soil",
    .doc = "What an element's surface is made of, as sensors see it. In <world>: the ground.",
    .field = fields,
    .fields = RUT_COUNT_OF(fields),
    RUT_PRESETS(presets),
};
