// SPDX-License-Identifier: BSD-3-Clause
//
// A map as read from its file. map_load.c fills it; map_table.c adds what was simulated.
#ifndef RUT_HOST_MAP_H
#define RUT_HOST_MAP_H

#include "rut/geo_grid.h"
#include "rut/map.h"

// What varies from place to place. Not given: value is NaN, without a grid.
typedef struct rutMapLayer {
  rutNode node;
  rutGeoGrid grid;  // of the map's cells; rows = 0: value everywhere
  double scale, value, variation;
  int rows, cols;            // of the raster as its file has it
  double spacing;            // of it, 0 if the file does not tell
  int64_t outside, missing;  // cells with a height outside of it, and without a number in it
} rutMapLayer;

// One point of the table. NaN: not simulated.
typedef struct rutMapPoint {
  double speed;         // that it holds, or of a trial its limit; infinite for none
  double deceleration;  // of full braking [m/s2]
  double margin;        // mean acceleration at full throttle from a slow start [m/s2]
  double offset;        // sideways from its line in doing so [m]
} rutMapPoint;

typedef enum rutMapKind {
  RUT_MAP_OF_PLANE,
  RUT_MAP_OF_RIDE,
  RUT_MAP_OF_HALF_ROUND,
  RUT_MAP_OF_STEP
} rutMapKind;
// What a point is of.
typedef struct rutMapTask {
  rutMapKind kind;
  double grade, side, strength;  // of a plane
  double parameter;              // of a trial: roughness, radius [m]
} rutMapTask;

typedef struct rutMapAxis {
  int n;
  double* value;  // ascending, owned
} rutMapAxis;

struct rutMap {
  rutContext* context;
  rutMapHost host;
  rutSpec* spec;
  rutNode root;
  char *name, *signature;  // signature: all that points depend on; owned, as all that follow
  char* world;             // path of the vehicle's file
  char** setting;          // of the soil
  int settings;
  const char *soil, *vehicle_name, *field;  // of the spec; "" for none. field: the strength
  rutMapGrain grain;
  double friction, remoulding, own_strength;  // own: of the soil as it is, for the formula
  rutMapDriver driver;
  int seed;
  rutMapVehicle vehicle;
  rutGeoGrid dem;
  double spacing;  // of cells [m]; that of dem is in its file's unit
  rutMapLayer strength, roughness, obstacle, sight;
  double obstacle_spacing;  // [m]
  rutMapAxis grades, sides, strengths, rides, rounds;
  int planes, points;
  rutMapPoint* point;
};

// Error with its place in the map file: at a field, or at the element (field NULL). Returns
// RUT_ERR_MODEL. Nullable: field, err.
rutStatus rut_map_wrong(const rutMap* map, rutNode node, const char* field, rutError* err,
                        const char* format, ...) RUT_PRINTF(5, 6);
// The task of a point.
rutMapTask rut_map_task(const rutMap* map, int point);
// Read a layer, of the same everywhere or of a raster, which it samples in the middles of the map's
// cells. None of this type: value is NaN. Errors: those of rut_geo_grid_read; MODEL. Nullable: err.
rutStatus rut_map_read_layer(rutMap* map, const char* type, rutMapLayer* layer, rutError* err);
// Value of a layer at a cell, before its quantile.
double rut_map_layer_at(const rutMap* map, const rutMapLayer* layer, int row, int col);

#endif  // RUT_HOST_MAP_H
