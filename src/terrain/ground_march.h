// SPDX-License-Identifier: BSD-3-Clause
//
// The part of ground_cast that steps along a ray over one source with shapes and ruts.
#ifndef RUT_TERRAIN_GROUND_MARCH_H
#define RUT_TERRAIN_GROUND_MARCH_H

#include "terrain/ground_cast.h"

// A ray over one source. Its clearance is its height above the source's surface, or its depth below
// it for a ray that comes from below a sheet: a hit is where the clearance becomes negative.
typedef struct rutGroundRay {
  rutGroundScene in;
  int source;    // -1: the level ground
  double lift;   // of the source [m]
  double sense;  // 1 from above, -1 from below
  rutRay ray;
  double horizontal;  // horizontal distance per distance along the ray
} rutGroundRay;

typedef struct rutGroundHit {
  double range, normal[3];
} rutGroundHit;

// Clearance at distance t [m], NaN where there is no ground.
double rut_ground_clearance(const rutGroundRay* ray, double t);
// A hit at distance t, where the ray comes below the surface: its normal is that of the surface, or
// of the upright face that the ray goes through there.
rutGroundHit rut_ground_hit(const rutGroundRay* ray, double t);
// First hit between t0 and t1. No two heights there differ by more than `steepest` times their
// distance; if that is infinite, the surface is sampled every `step` of horizontal distance.
bool rut_ground_march(const rutGroundRay* ray, double t0, double t1, double steepest, double step,
                      rutGroundHit* hit);

#endif  // RUT_TERRAIN_GROUND_MARCH_H
