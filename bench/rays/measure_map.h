// SPDX-License-Identifier: BSD-3-Clause
//
// How fast rays are cast against an elevation map, by rut and, where it is installed, by Embree.
// Needs nothing of src/ to be included.
#ifndef MAP_MEASURE_H
#define MAP_MEASURE_H

#include <stdbool.h>

enum { MAP_SETS = 4 };

typedef struct mapFigures {
  const char *name, *doc;
  int rays;
  double hits;                           // share of them
  double rut, rut_single;                // rays per second [1/s], in batches and one by one
  bool embree;                           // it is there
  double embree_packets, embree_single;  // in packets of 16 and one by one [1/s]
  double differ;                         // share of rays of which only one of both hits
} mapFigures;

// Building of a scene over a million cells.
typedef struct mapBuild {
  double rut_time, rut_bytes;        // [s], besides the heights
  double embree_time, embree_bytes;  // [s], vertices included
} mapBuild;

// Cast each set of rays `runs` times, on one thread; the fastest counts. False if memory is
// missing.
bool map_measure(int runs, mapFigures out[MAP_SETS], mapBuild* build);

#endif  // MAP_MEASURE_H
