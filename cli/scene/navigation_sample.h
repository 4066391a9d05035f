// SPDX-License-Identifier: BSD-3-Clause
//
// Maps and paths of vehicles that find their way, as messages of the stream
// (docs/manual/stream.md).
#ifndef RUT_SCENE_NAVIGATION_SAMPLE_H
#define RUT_SCENE_NAVIGATION_SAMPLE_H

#include "rut/navigation.h"
#include "scene/bytes.h"

enum {
  VIEW_CELL_BLOCKED = 100,  // the most that a cell costs: the vehicle does not go there
  VIEW_CELL_UNKNOWN = 255,
  VIEW_POSE_SIZE = 12,   // bytes of a pose of a path
  VIEW_MAP_SIDE = 4096,  // cells along a side, at most
  VIEW_PATH_POSES = 65536
};

// A map without its cells.
typedef struct viewMap {
  int vehicle;
  double time;
  int columns, rows;
  double origin[2], resolution;  // corner with the least x and y of the world [m], and side of a
                                 // cell [m]
} viewMap;
// Message of a map whose cells, row by row from the origin, the caller fills in: *cells. NULL if
// there is no memory, or the map too large.
viewBytes* view_map_begin(const viewMap* map, unsigned char** cells);
// Cost of 0 to 1 as it is sent, rounded down: NaN is not known.
unsigned char view_map_cell(double cost);

// A path without its poses; goal: x, y [m], yaw [rad], NaN where there is none.
typedef struct viewPath {
  int vehicle;
  double time;
  int poses;
  double goal[3];
} viewPath;
// Message of a path whose poses the caller puts at *poses. NULL: as above.
viewBytes* view_path_begin(const viewPath* path, unsigned char** poses);
// One of them: x, y [m], yaw [rad].
void view_path_put(unsigned char* poses, int index, const double pose[3]);

// What a controller tells, read of data with rut_navigation_read.
viewBytes* view_map_encode(const rutNavigationInfo* info, const rutNavigationView* view,
                           int vehicle);
viewBytes* view_path_encode(const rutNavigationView* view, int vehicle, double time);

#endif  // RUT_SCENE_NAVIGATION_SAMPLE_H
