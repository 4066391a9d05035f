// SPDX-License-Identifier: BSD-3-Clause
//
// How fast rays are against meshes and many bodies, beside Embree where it is installed. Needs
// nothing of src/ to be included.
#ifndef RAYS_MEASURE_H
#define RAYS_MEASURE_H

#include <stdbool.h>

enum { RAYS_CASES = 4 };

typedef struct raysFigures {
  const char *scene, *rays;
  double hits;  // share of the rays
  double build,
      move;       // time of a build, and of a refit after all bodies have moved [ms], NaN: none
  double speed;   // million rays per second, one thread
  double embree;  // the same of Embree with single rays, NaN without it
} raysFigures;

// A mesh of 100352 triangles, and 2000 boxes in a field of 400 m; rays at random, and those of a
// camera and of a lidar in order. The fastest of `runs` counts, rut and Embree in turn. Returns
// false if memory is missing.
bool rays_measure(int runs, raysFigures out[RAYS_CASES]);

#endif  // RAYS_MEASURE_H
