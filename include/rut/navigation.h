// SPDX-License-Identifier: BSD-3-Clause
//
// What the navigation of a vehicle knows and means to do: the local map that one of its controllers
// keeps, the path that it has planned, and its goal. Logs, topics of ROS 2 and the viewer are made
// of this. A controller tells it by rutControllerType.navigation.
//
//   rutNavigation* navigation;
//   rut_navigation_create(model, vehicle, &navigation, &error);
//   const rutNavigationView* seen = rut_navigation_read(navigation, model, data,
//   RUT_NAVIGATION_COST); if (seen && seen->map_stamp >= 0) draw(seen->cost, seen->origin);
//   rut_navigation_destroy(navigation);
#ifndef RUT_NAVIGATION_H
#define RUT_NAVIGATION_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

// What there is to be told; sums of these.
enum { RUT_NAVIGATION_PATH = 1, RUT_NAVIGATION_COST = 2, RUT_NAVIGATION_LAYERS = 4 };

// How large it is, which does not change in a run.
typedef struct rutNavigationInfo {
  const char* controller;  // type of the controller that tells it, "" where no one does. Borrowed
  int columns, rows;       // cells of its map along x and y of the world; 0: it keeps none
  double resolution;       // side of a cell [m]
  int poses;               // of a path, at most; 0: it plans none
  unsigned publish;        // what of it logs and topics of ROS 2 get, RUT_NAVIGATION_PATH, ...
} rutNavigationInfo;

// Numbers are in the frame in which the controller navigates: the world's, as it knows it.
typedef struct rutNavigationView {
  double map_stamp;  // time of what the map was last made of [s]; -1: there is no map yet
  double origin[2];  // corner of the first cell: the least x and y of the map [m]
  // [rows * columns] each, row by row along x, from the origin. Of the cost: 0 as on level ground,
  // 1 where it does not go, between them what it avoids, NaN where nothing is known. Height of the
  // ground [m], NaN where it is not known.
  float *cost, *height;
  double path_stamp;  // changes when there may be another path [s]; -1: there is none
  int poses;          // of the path, of the point of the vehicle that follows it
  double (*path)[3];  // [poses] x, y [m], yaw [rad], from its start to its end
  bool has_goal;
  double goal[3];  // x, y [m], yaw [rad], NaN where any will do
} rutNavigationView;

// What there is of a vehicle: of the outermost of its controllers that tells something.
RUT_API rutNavigationInfo rut_navigation_info(const rutModel* model, int vehicle);

// Memory to read it into, which the caller owns. Errors: ARGUMENT (no such vehicle, or nothing to
// be told), MEMORY. Nullable: err.
typedef struct rutNavigation rutNavigation;
RUT_API rutStatus rut_navigation_create(const rutModel* model, int vehicle, rutNavigation** out,
                                        rutError* err);
// As it is in a state: stamps, the goal, and of `what` (a sum of RUT_NAVIGATION_PATH, ...) the
// path, or the map with both of its layers; the rest is what was read before. Without `what` it
// takes no time to speak of, a map of 128 by 128 cells some milliseconds. Borrowed until the next
// call. NULL if data is not of the model, or the model another one than that of the creation in
// what rut_navigation_info tells.
RUT_API const rutNavigationView* rut_navigation_read(rutNavigation* navigation,
                                                     const rutModel* model, const rutData* data,
                                                     unsigned what);
// Nullable: navigation.
RUT_API void rut_navigation_destroy(rutNavigation* navigation);

#ifdef __cplusplus
}
#endif

#endif  // RUT_NAVIGATION_H
