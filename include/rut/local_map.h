// SPDX-License-Identifier: BSD-3-Clause
//
// A vehicle's own map of the ground around it, from points of a lidar: in a square window of cells
// that moves along, whether a cell is occupied, and how high, steep, stepped and rough it is.
//
//   rutLocalMapDef def = rut_default_local_map();
//   static rutLocalCell cell[RUT_LOCAL_MAP_CELLS(128)];
//   rutLocalMap map;
//   rut_local_map_begin(&map, &def, cell, &error);
//   rut_local_map_move(&map, x, y);                  // when the vehicle has moved
//   rut_local_map_scan(&map, &scan);                 // when there is a scan
//   rut_local_map_costs(&map, &limits, cost);        // for rut/plan.h
//
// It needs no world. All of its memory is the struct and the cells, which the caller owns: copy
// them to keep a map. A struct of which all but def and cell is zero is an empty map, if its cells
// are zero. Sources: occupancy by log-odds, Moravec and Elfes (ICRA 1985) and Thrun,
// Burgard and Fox, "Probabilistic Robotics", chapter 9; each cell at most once a scan, occupied
// before free, with limits, Hornung and others (OctoMap, Autonomous Robots 34, 2013); obstacles by
// pairs of points, Manduchi, Castano, Talukder and Matthies (Autonomous Robots 18, 2005); cells of
// beams, Amanatides and Woo (Eurographics 1987).
#ifndef RUT_LOCAL_MAP_H
#define RUT_LOCAL_MAP_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RUT_LOCAL_MAP_MOST_SIDE = 1024 };
// Cells that a map of so many along each side takes.
#define RUT_LOCAL_MAP_CELLS(side) ((side) * (side))

typedef struct rutLocalMapDef {
  size_t struct_size;  // set by rut_default_local_map
  int side;            // cells along each side, 8 to RUT_LOCAL_MAP_MOST_SIDE
  double resolution;   // side of a cell [m]
  double hit, miss;    // what a scan adds to the log-odds of a cell: that of an obstacle, and of
                       // none; miss is negative
  double least, most;  // limits of the log-odds
  double occupied;     // log-odds above which a cell is occupied
  double step;         // height difference that is no obstacle [m]
  double slope;        // nor is a larger one, over a distance, at a smaller slope [rad]
  double overhead;     // what is higher above the ground is above the vehicle [m]
  double range;        // points further away are left out [m]
  bool level;          // the ground is level: what is higher than `step` above the ground under
                       // the vehicle is an obstacle. For scanners in a plane, which see no ground
} rutLocalMapDef;
// 128 cells of 0.25 m; log-odds of probabilities of 0.7 and 0.4, ln(7/3) and -ln(3/2), as 868/1024
// and -415/1024 so that sums are exact, between -2 and 3.5, occupied above 0.85; step 0.2 m, slope
// 30 degrees, overhead 2.5 m, range 50 m.
RUT_API rutLocalMapDef rut_default_local_map(void);

// What is known of a cell. All zero: nothing.
typedef struct rutLocalCell {
  double log_odds;         // that it is occupied; 0: even
  double points;           // that were seen on it, below `overhead`; 0: heights are not known
  double lowest, highest;  // of these [m]
  double sum;              // of their heights [m]
  double scan_lowest, scan_highest, mark;  // of a scan that is being taken; 0 between scans
} rutLocalCell;

typedef struct rutLocalMap {
  rutLocalMapDef def;
  int start[2];        // where the lower left cell stands in memory, along x and y
  int corner[2];       // number of the lower left cell, along x and y: it begins at these times the
                       // resolution
  bool placed;         // the window stands somewhere
  rutLocalCell* cell;  // [side * side], borrowed. Cell i, j of the world is at
                       // (j mod side) * side + i mod side
} rutLocalMap;

// Whether the numbers of a map are within their ranges. Errors: VERSION, ARGUMENT. Nullable: err.
RUT_API rutStatus rut_local_map_check(const rutLocalMapDef* def, rutError* err);
// An empty map. cell: [def.side * def.side], borrowed while the map is used. Errors: as of
// rut_local_map_check. Nullable: def (the default), err.
RUT_API rutStatus rut_local_map_begin(rutLocalMap* map, const rutLocalMapDef* def,
                                      rutLocalCell* cell, rutError* err);

// Move the window so that a place [m] is in its middle cell, side/2 from its corner. Cells that
// stay keep what is known, without being moved in memory; those that come in are empty. Places that
// are not finite, or more than 2^30 cells away, change nothing.
RUT_API void rut_local_map_move(rutLocalMap* map, double x, double y);

// Points of a scan, [n] each, world [m]; those that are not finite are left out.
typedef struct rutLocalScan {
  int n;
  const double *x, *y, *z;                 // where beams ended
  const double *from_x, *from_y, *from_z;  // where they came from
  double ground;                           // height of the ground under the vehicle [m]
  double at[2];                            // where the vehicle is [m]
} rutLocalScan;
// Take a scan. Points higher above the ground than `overhead`, the slope from under the vehicle
// included, are left out. A cell has an obstacle if one of the points that the scan sees on it is
// higher than the lowest place of a cell that is at most a diagonal away, by more than `step` and
// by more than `slope` over the distance of the cells' middles. A cell is free if points were seen
// on it and no obstacle, or if a beam passed it no higher than the highest point there; where none
// is known, no higher than `overhead` above the ground under the vehicle. Occupied comes before
// free, and each cell is changed once: the order of the points does not matter, down to the last
// bit (heights are whole multiples of 2^-10 m, so that sums are exact). The heights of a cell that
// has become free again are those of this scan, as are those of a cell at `least`
// that has an obstacle by the highest point of an earlier scan, when a beam passes below that. Of
// more than 256 points the mean counts as of 256.
// A cell that the caller has made occupied, without a point, stays that until a point is seen on
// it, which decides anew; with `level` beams that pass free it as any other.
RUT_API void rut_local_map_scan(rutLocalMap* map, const rutLocalScan* scan);

// Two doubles per cell instead of the struct, for states that are copied often: all that is known
// between scans, if log-odds and their limits are whole multiples of 2^-10 within +-7 and heights
// within 30 km, as they are by default. Cell k stands at packed[2 * k * stride] and packed[(2 * k +
// 1) * stride]; zeros are an empty cell.
RUT_API void rut_local_map_pack(const rutLocalMap* map, int stride, double* packed);
RUT_API void rut_local_map_unpack(rutLocalMap* map, int stride, const double* packed);

// Cell at a place, NULL outside of the window.
RUT_API const rutLocalCell* rut_local_map_at(const rutLocalMap* map, double x, double y);
// Whether it is occupied; not outside.
RUT_API bool rut_local_map_occupied(const rutLocalMap* map, double x, double y);

// The ground around a place: the plane that fits the mean heights of the known cells at most two
// away best, in least squares. Cells that are occupied are left out, and those whose highest point
// would be an obstacle in a scan: what stands on the ground tells nothing of the ground beside it.
typedef struct rutLocalTerrain {
  int cells;         // that are known, of 25; below 6, or along a line, all else is 0, but for
                     // the bulge of what stands out where it was hit more often than passed: above
                     // the lowest place at most a diagonal away
  double height;     // of the plane at the middle of the cell [m]
  double slope;      // of the plane [rad]
  double step;       // largest difference of mean heights between the cell and one of its known
                     // neighbours along x and y that are no obstacle beside it [m]
  double roughness;  // root mean square distance of mean heights from the plane [m]
  double bulge;      // of the highest point above the plane, of the cell itself in any case, 0 or
                     // more [m]
} rutLocalTerrain;
RUT_API rutLocalTerrain rut_local_map_terrain(const rutLocalMap* map, double x, double y);

// What a vehicle can pass.
typedef struct rutLocalLimits {
  size_t struct_size;  // set by rut_default_local_limits
  double slope;        // [rad]
  double step;         // [m]
  double roughness;    // [m]
  double clearance;    // below the belly [m]
  // weight of each of them in the cost
  double slope_weight, step_weight, roughness_weight, clearance_weight;
  double free_part;  // share of a limit that costs nothing
  int unknown;       // cost of cells about which nothing is known, from 1
  bool level;        // only occupied cells count
} rutLocalLimits;
// 30 degrees, 0.2 m, 0.15 m, 0.4 m; weights 10, free below 0.3; unknown cells cost 2.
RUT_API rutLocalLimits rut_default_local_limits(void);
// Costs of the cells of the window for rut_plan_search and others: [side * side], row by row from
// the corner, owned by the caller. 0 where it is occupied, or a limit is reached; else the whole
// number next to 1 + sum of weight * max(0, x/limit - free_part)^2, at most UINT16_MAX.
RUT_API void rut_local_map_costs(const rutLocalMap* map, const rutLocalLimits* limits,
                                 uint16_t* cost);

#ifdef __cplusplus
}
#endif

#endif  // RUT_LOCAL_MAP_H
