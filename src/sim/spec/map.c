// SPDX-License-Identifier: BSD-3-Clause
//
// The elements of map files: elevation, vehicle, soil and what else varies from place to place.
// host/map_load.c reads them.
#include "sim/spec/map.h"

#include "math/rut_math.h"

#define REAL(name, unit, def, min, max, doc) \
  { name, unit, RUT_REAL, 1, def, min, max, "", 0, doc }
#define INTEGER(name, def, min, max, doc) \
  { name, "", RUT_INTEGER, 1, def, min, max, "", 0, doc }
#define CHOICE(name, words, def, doc) \
  { name, "", RUT_CHOICE, 1, def, 0, 0, words, 0, doc }
#define TEXT(name, doc) \
  { name, "", RUT_TEXT, 1, 0, 0, 0, "", 0, doc }
#define FILE_NAME(name, flags, doc) \
  { name, "file", RUT_TEXT, 1, 0, 0, 0, "", flags, doc }

#define ELEMENT(symbol, kind_name, type_name, parent_kinds, what) \
  static const rutComponent symbol = {                            \
      RUT_HEAD(rutComponent, kind_name, type_name, parent_kinds, what, symbol##_rows)}

static const rutField map_rows[] = {
    TEXT("description", "title of the map, one line"),
    FILE_NAME("dem", RUT_FIELD_REQUIRED,
              "elevation model: GeoTIFF (with the GDAL library), ESRI ASCII grid, or rows of "
              "numbers from north to south, in metres"),
    REAL("resolution", "m", RUT_NAN, 1e-3, 1e6,
         "distance of its values, where the file does not tell it in metres"),
    FILE_NAME("vehicle", RUT_FIELD_REQUIRED, "world with the vehicle, or a vehicle alone"),
    TEXT("vehicle_name", "of the world; default: the first one"),
    TEXT("soil", "type or preset of soil; default: hard ground"),
    TEXT("settings", "of this soil, \"field=value\" with ; between"),
    CHOICE("grain", "auto|fine|coarse", 0,
           "of the soil, for the formula; auto: that of the type, fine for what is not known"),
    REAL("remoulding", "", 1, 0.01, 10,
         "remoulding index, for the formula: rating cone index over cone index"),
    REAL("friction", "", 0.8, 0, 10, "of hard ground"),
    REAL("steepest", "", 0.7, 0.01, 10,
         "tangent of the steepest grade and side slope of the table"),
    INTEGER("grades", 15, 3, 201, "grades of the table, from down to up; an odd number"),
    INTEGER("sides", 4, 2, 101, "side slopes of the table, from level on"),
    INTEGER("strengths", 6, 2, 101,
            "strengths of the table, over the range that occurs; one if there is none"),
    REAL("deceleration", "m/s2", 3.924, 0.01, 100, "that the driver demands on level ground"),
    REAL("acceleration", "m/s2", 1, 0.01, 100, "between obstacles"),
    REAL("reaction", "s", 0.5, 0, 100, "time before the driver brakes"),
    INTEGER("seed", 1, 0, 9e15, "of rough ground"),
};
ELEMENT(map, "map", "", "",
        "The root of a map file, which rut map works out: where a vehicle can go, and how fast.");

// From a raster or the same everywhere.
#define LAYER_ROWS(unit, doc)                                                                      \
  FILE_NAME("file", 0,                                                                             \
            "raster in the coordinate system of the elevation model, of any cells; from north to " \
            "south"),                                                                              \
      REAL("scale", "", 1, -1e12, 1e12, "factor of the raster's numbers: 1000 for kPa"),           \
      CHOICE("sampling", "auto|nearest|bilinear", 0,                                               \
             "of this raster in the middles of the cells; auto: nearest with classes, else "       \
             "bilinear"),                                                                          \
      TEXT("classes",                                                                              \
           "numbers of the layer for classes in the raster, such as of land cover, "               \
           "\"class=number\" with ; between; other classes have no data"),                         \
      REAL("value", unit, RUT_NAN, 0, 1e12, doc)

static const rutField strength_rows[] = {
    LAYER_ROWS("", "mean strength, the same everywhere [SI]"),
    TEXT("field", "of the soil that is the strength; default: cone_index, on hard ground friction"),
    REAL("variation", "", 0, 0, 10,
         "coefficient of variation (deviation over mean) of its log-normal distribution"),
};
ELEMENT(strength, "layer", "strength", "map",
        "A layer of a map: how strong the soil is, such as its cone index.");

static const rutField roughness_rows[] = {
    LAYER_ROWS("m", "root mean square of the heights, the same everywhere")};
ELEMENT(roughness, "layer", "roughness", "map",
        "A layer of a map: roughness of the ground, over waves shorter than 60 ft. Speeds at which "
        "the driver absorbs 6 W are simulated.");

static const rutField obstacle_rows[] = {
    LAYER_ROWS("m", "height, the same everywhere; 0: none"),
    REAL("spacing", "m", 20, 0, 1e9, "distance of obstacles along the way"),
};
ELEMENT(
    obstacle, "layer", "obstacle", "map",
    "A layer of a map: heights of obstacles. The speed over half-rounds at a jolt of 2.5 g, and "
    "the highest step, are simulated.");

static const rutField sight_rows[] = {LAYER_ROWS("m", "recognition distance, the same everywhere")};
ELEMENT(sight, "layer", "sight", "map",
        "A layer of a map: how far the driver sees, and has to stop within.");

static const rutComponent* const elements[] = {&map, &strength, &roughness, &obstacle, &sight};

const rutComponent* const* rut_map_schema(int* n) {
  *n = RUT_COUNT_OF(elements);
  return elements;
}
