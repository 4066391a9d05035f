// SPDX-License-Identifier: BSD-3-Clause
//
// Maps of mobility: where a vehicle can go on an elevation model, how fast, and what limits it, for
// eight headings. Two ways stand beside each other: a table of simulations on planes, and a formula
// after the NATO Reference Mobility Model. Routes of least time run over these speeds.
#ifndef RUT_MAP_H
#define RUT_MAP_H

#include "rut/mobility.h"

#ifdef __cplusplus
extern "C" {
#endif

// What limits a vehicle's speed at a place, or stops it.
#define RUT_MAP_REASON_LIST(X)                                                       \
  X(POWER, power, "tractive force balances resistance, slope and drag")              \
  X(TRACTION, traction, "the soil does not carry it: it stays on level ground, too") \
  X(SLOPE, slope, "too steep in this heading")                                       \
  X(SIDE_SLOPE, side_slope, "slides or tips sideways")                               \
  X(RIDE, ride, "driver's absorbed power of 6 W on rough ground")                    \
  X(OBSTACLE, obstacle, "obstacles: a jolt of 2.5 g, or too high")                   \
  X(BRAKING, braking, "brakes do not hold on this slope, or not within sight")       \
  X(VISIBILITY, visibility, "has to stop within sight")                              \
  X(CLEARANCE, clearance, "the chassis touches the ground")                          \
  X(NO_DATA, no_data, "no height, or no soil")
#define X(name, word, doc) RUT_MAP_##name,
typedef enum rutMapReason { RUT_MAP_REASON_LIST(X) RUT_MAP_REASONS } rutMapReason;
#undef X
// Its word ("side_slope"), and what it means. "" if there is none.
RUT_API const char* rut_map_reason_name(rutMapReason reason);
RUT_API const char* rut_map_reason_doc(rutMapReason reason);

// Speed that is possible, and what limits it. 0: NO-GO.
typedef struct rutMapLimit {
  double speed;  // [m/s]
  rutMapReason reason;
} rutMapLimit;

// ---- laws, which need no map ----

// Speed from which a vehicle stops within sight: V = -a t + sqrt((a t)^2 + 2 a S), with a reaction
// time t [s] before a deceleration a [m/s2]. Infinite sight gives infinity; 0 without deceleration.
RUT_API double rut_map_sight_speed(double sight, double deceleration, double reaction);

// Mean speed over obstacles at a distance `spacing` [m] that are crossed at `crossing` [m/s], with
// acceleration and braking between them and at most `most` [m/s].
RUT_API double rut_map_obstacle_speed(double crossing, double spacing, double most,
                                      double acceleration, double deceleration);

// Speed made good where n directions are equally likely: the harmonic mean, of up, level and down
// in the NATO Reference Mobility Model, 3/(1/V_up + 1/V_level + 1/V_down). 0 if one of them is.
RUT_API double rut_map_mean_speed(int n, const double* speed);

typedef struct rutMapPatch {
  double area, speed;
} rutMapPatch;
// Speed V_p over the best `percent` % of an area, sum A/sum(A/V), of patches that it sorts by
// speed, the fastest first. 0 if these include NO-GO, and if there is no area.
RUT_API double rut_map_percentile_speed(int n, rutMapPatch* patch, double percent);

// Quantile of a log-normal distribution by its mean and coefficient of variation (deviation over
// mean); the mean if that is 0.
RUT_API double rut_map_quantile(double mean, double variation, double probability);

// Lengths that decide whether a chassis hangs up [m].
typedef struct rutMapShape {
  double wheelbase;    // between first and last axle
  double front, rear;  // how far the chassis stands out beyond these axles
  double clearance;    // of the chassis above the ground, everywhere
} rutMapShape;
// Least distance of the chassis from ground with a constant curvature along the heading [1/m],
// positive in hollows: on crests in the middle, c - |k| L^2/8, in hollows at the ends, c - k (L o +
// o^2)/2 for an overhang o.
RUT_API double rut_map_clearance(const rutMapShape* shape, double curvature);

// ---- the formula ----

enum { RUT_MAP_SPEEDS = 96 };
// What the formula knows of a vehicle.
typedef struct rutMapVehicle {
  char name[96];
  rutMobilityVehicle axles;  // standing on hard level ground
  rutMapShape shape;
  double weight;     // [N]
  double gravity;    // [m/s2]
  double height;     // of the centre of mass above the ground [m]
  double track;      // the largest [m]
  double drag;       // aerodynamic drag over speed squared [N s2/m2]
  double brakes;     // force of all brakes over the weight
  double top_speed;  // on hard level ground [m/s]
  int speeds;        // tractive effort of the drive at full throttle [N], at speed k * spacing
  double spacing;    // [m/s]
  double effort[RUT_MAP_SPEEDS];
} rutMapVehicle;

// The ground under the formula.
typedef enum rutMapGrain {
  RUT_MAP_FINE,    // fine-grained soil: law "nrmm" of the rating cone index
  RUT_MAP_COARSE,  // coarse-grained soil: "wes_sand" at 20 % slip, resistance by "wismer_luth"
  RUT_MAP_HARD     // hard ground: friction, and a motion resistance of 0.015
} rutMapGrain;

// How a vehicle goes on a plane: the fastest it holds at full throttle, and how it brakes.
typedef struct rutMapPace {
  rutMapLimit limit;
  double deceleration;  // of full braking on this slope, negative if it does not hold [m/s2]
} rutMapPace;
// On a plane that rises by `grade` along the heading and by `side` across it (tangents). strength:
// rating cone index [Pa], on hard ground friction. GO where the net pull carries it up: min(T(V)/W
// - R/W cos - drag/W, D/W cos) >= sin; brakes take at most D/W + R/W. NaN numbers are NO_DATA.
RUT_API rutMapPace rut_map_formula(const rutMapVehicle* vehicle, rutMapGrain grain, double strength,
                                   double grade, double side);

// ---- both ways ----

typedef struct rutMapDriver {
  double deceleration;  // at most demanded on level ground [m/s2]
  double acceleration;  // between obstacles [m/s2]
  double reaction;      // [s]
} rutMapDriver;

// A place in one heading, besides soil and side slope.
typedef struct rutMapPlace {
  double grade;      // tangent along the heading
  double curvature;  // along the heading, positive in hollows [1/m]
  double ride;       // ride-limited speed [m/s], infinite if there is none
  double crossing;   // speed over its obstacles [m/s]: 0 if they are too high, infinite for none
  double spacing;    // of these obstacles [m]
  double sight;      // recognition distance [m], infinite for no limit
} rutMapPlace;
// The least of all limits, of a pace by either way.
RUT_API rutMapLimit rut_map_limit(const rutMapPace* pace, const rutMapPlace* place,
                                  const rutMapDriver* driver, const rutMapShape* shape,
                                  double gravity);

// ---- a map ----

typedef struct rutMap rutMap;

// Makes the contexts in which worlds are loaded, one for each thread; called from several threads
// at once.
typedef struct rutMapHost {
  rutStatus (*open)(rutContext** out, void* user, rutError* err);
  void* user;
} rutMapHost;

// Read a map file (rut doc map), its rasters and its vehicle. Errors: those of rut_spec_load,
// rut_geo_grid_read and rut_mobility_assess; MODEL for what is wrong in it, with its place. The
// caller owns *out; the context must outlive it. Nullable: host (contexts are those of
// rut_context_create without a definition), err.
RUT_API rutStatus rut_map_load(rutContext* context, const char* path, const rutMapHost* host,
                               rutMap** out, rutError* err);
RUT_API void rut_map_destroy(rutMap* map);  // Nullable: map

typedef struct rutMapInfo {
  const char* name;  // of the file without folder and ending; borrowed, as all texts
  const char* description;
  const char* soil;    // "" for hard ground
  const char* crs;     // "" if the elevation model has none
  int rows, cols;      // of cells, from north to south and west to east
  double spacing;      // of neighbouring cells [m]
  double corner[2];    // centre of the south-western cell, in the elevation model's coordinates
  double step;         // of neighbouring cells in these: spacing, or degrees
  int points, planes;  // simulations of the table; those on planes
  int done;            // of them, that are known
  int grades, sides, strengths;
  double least, most;  // strengths of the table; NaN if soil is what it is
} rutMapInfo;
RUT_API rutMapInfo rut_map_info(const rutMap* map);
RUT_API const rutMapVehicle* rut_map_vehicle(const rutMap* map);

enum { RUT_MAP_LAYERS = 4 };  // strength, roughness, obstacle, sight
typedef struct rutMapLayerInfo {
  const char* type;  // "strength"; "" if the map has none; borrowed
  int rows, cols;    // of its raster as the file has it; 0 for a number everywhere
  double spacing;    // of this raster, in the file's unit; 0 if the file does not tell
  int64_t outside;   // cells with a height that the raster does not cover
  int64_t missing;   // cells with a height that it covers, but where it has no data
} rutMapLayerInfo;
// A layer by its number from 0, in the order above.
RUT_API rutMapLayerInfo rut_map_layer(const rutMap* map, int layer);

// ---- its table ----

// Each point of the table is one simulation, of the vehicle in eight lanes on a plane, or of a
// trial on rough ground, half-rounds and steps. What a point gives depends on nothing else, so that
// any process may do it.
typedef struct rutMapWork {
  size_t struct_size;  // set by rut_default_map_work
  const char* path;    // of the database of this shard
  int workers;         // threads
  int shard, shards;   // this one, from 0, of so many
  bool resume;         // go on with a database that is there
  // Called in the caller's thread, a few times a second at most; false stops. Nullable.
  bool (*go_on)(int done, int points, void* user);
  void* user;
} rutMapWork;
// One worker, one shard.
RUT_API rutMapWork rut_default_map_work(void);
// Simulate the points of a shard that its database has not, and write each as it is done. Errors:
// IO (also a database that is there without `resume`), VERSION (it has another table), MISSING (no
// SQLite), MEMORY, those of rut_compile. Nullable: err.
RUT_API rutStatus rut_map_simulate(rutMap* map, const rutMapWork* work, rutError* err);
// Read the points of a database into the map. Errors: as above. Nullable: err.
RUT_API rutStatus rut_map_open_table(rutMap* map, const char* path, rutError* err);
// Make one database of those of shards; its bytes do not depend on how many there were. *missing
// gets the number of points that none has. Errors: as above; VERSION also where two have other
// results of one point. Nullable: err.
RUT_API rutStatus rut_map_merge(int files, const char* const* file, const char* path, int* missing,
                                rutError* err);

// ---- its cells ----

typedef enum rutMapWay { RUT_MAP_SIMULATION, RUT_MAP_FORMULA, RUT_MAP_WAYS } rutMapWay;
RUT_API const char* rut_map_way_name(rutMapWay way);  // "simulation", "formula"

enum { RUT_MAP_HEADINGS = 8 };  // heading k is k 45 degrees counter-clockwise from east
RUT_API const char* rut_map_heading_name(int heading);  // "e", "ne", "n", ...

// What a way says of the headings of a cell where the strength is at its quantile of a probability.
// Since more strength does not slow a vehicle down, these are quantiles of the speed. NO_DATA where
// there is no height, no soil, or no point of the table.
RUT_API void rut_map_cell(const rutMap* map, rutMapWay way, double probability, int row, int col,
                          rutMapLimit out[RUT_MAP_HEADINGS]);
// Gradient of the ground [east, north] and its curvatures [1/m]: along east, along north, mixed.
// NaN where heights are missing.
RUT_API void rut_map_slope(const rutMap* map, int row, int col, double gradient[2],
                           double curvature[3]);
// Height of a cell [m], NaN outside and where there is none.
RUT_API double rut_map_height(const rutMap* map, int row, int col);

enum { RUT_MAP_CURVE = 101 };
typedef struct rutMapStatistics {
  int64_t cells;                    // with data
  double no_go;                     // share of cells and headings that are NO-GO
  double stopped[RUT_MAP_REASONS];  // share that a reason stops
  double limited[RUT_MAP_REASONS];  // share of GO whose speed it limits
  double blocked;                   // share of cells with a NO-GO heading
  double mean;                      // over cells and headings that are GO [m/s]
  // V_p over the best p % of the area, p = 0, 1, ..., 100, of the cells' mean speeds over headings:
  // the speed profile [m/s]
  double profile[RUT_MAP_CURVE];
} rutMapStatistics;
// Errors: MEMORY. Nullable: err.
RUT_API rutStatus rut_map_statistics(const rutMap* map, rutMapWay way, double probability,
                                     rutMapStatistics* out, rutError* err);

// Write all cells: a GeoTIFF (.tif), or ESRI ASCII grids NAME.BAND.asc (.asc) with one file for
// each band. Bands of each way: speed made good at the 10th, 50th and 90th percentile, reason (of
// the slowest heading, at the median), and the median speed of each heading. Errors: ARGUMENT
// (another ending), those of rut_geo_grid_geotiff, IO. Nullable: err.
RUT_API rutStatus rut_map_save(const rutMap* map, const char* path, rutError* err);

// ---- routes ----

typedef struct rutMapStep {
  int row, col;
  double x, y;        // of the cell's centre, in the coordinates of the elevation model
  double distance;    // from the start, level [m]
  double time;        // from the start [s]
  rutMapLimit limit;  // of the slowest cell on the way to this one; of the first one: none
} rutMapStep;
typedef struct rutMapRoute {
  int steps;
  rutMapStep* step;  // owned
  double distance, time;
} rutMapRoute;
// From where to where [row, column], and by which speeds.
typedef struct rutMapTrip {
  int from[2], to[2];
  rutMapWay way;
  double probability;  // of the quantile of strength, as of rut_map_cell
} rutMapTrip;
// The way of least time between two cells over sixteen neighbours of each: those around it, and
// those at a knight's move. A step takes its length in each cell that it passes through over the
// speed there in its heading, linear between the headings of the map. It neither passes through
// cells that are NO-GO in one of these headings nor touches their corners. steps = 0 if there is no
// way. Errors: ARGUMENT (a place outside), MEMORY. Nullable: err.
RUT_API rutStatus rut_map_route(const rutMap* map, const rutMapTrip* trip, rutMapRoute* out,
                                rutError* err);
RUT_API void rut_map_route_free(rutMapRoute* route);
// Row and column of the cell at a place. False if it is outside.
RUT_API bool rut_map_find(const rutMap* map, double x, double y, int cell[2]);

#ifdef __cplusplus
}
#endif

#endif  // RUT_MAP_H
