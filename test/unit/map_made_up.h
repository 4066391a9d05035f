// SPDX-License-Identifier: BSD-3-Clause
//
// Maps over a table that is made up, so that closed forms hold: the vehicle holds 10 m/s less 10
// m/s per unit of grade, goes up to a grade of 0.5 on any soil, slides from a side slope of 0.4 on,
// and brakes at 5 m/s2 plus gravity.
#ifndef RUT_TEST_MAP_MADE_UP_H
#define RUT_TEST_MAP_MADE_UP_H

#include "host/map.h"

// A map of heights z(east, north) on cells around the origin. The caller frees it below.
rutMap* map_made_up(int rows, int cols, double spacing, double (*height)(double x, double y));
void map_made_up_free(rutMap* map);
// n numbers from one to the other, in place of those of an axis.
void map_made_up_axis(rutMapAxis* axis, int n, double from, double to);
// Ground whose roughness lets the vehicle go at most so fast, given cell by cell.
void map_made_up_speeds(rutMap* map, double (*most)(int row, int col));

#endif  // RUT_TEST_MAP_MADE_UP_H
