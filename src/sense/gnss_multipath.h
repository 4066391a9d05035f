// SPDX-License-Identifier: BSD-3-Clause
//
// Multipath: signals of satellites that reach an antenna by way of a wall, and what they do to a
// measured range.
#ifndef RUT_SENSE_GNSS_MULTIPATH_H
#define RUT_SENSE_GNSS_MULTIPATH_H

#include "math/vec.h"
#include "rut/sensor.h"

// How far walls and what stands in front of them are looked for.
typedef struct rutMirrors {
  double wall_range;         // of walls from the antenna [m]
  double obstruction_range;  // of what hides a satellite from a wall [m]
} rutMirrors;

// How much longer than the direct path the shortest specular reflection is [m], of n
// <= RUT_SATELLITES satellites in directions [n] of the world; negative where none reaches the
// sensor. A wall of distance d lengthens it by 2 d (direction . normal), which for an upright wall
// is 2 d cos(elevation) cos(azimuth from the normal).
void rut_reflected_paths(const rutSensorIn* in, const rutMirrors* mirrors, int n,
                         const rutVec3* direction, double* extra);

// Error of a code range [m] when a reflection of `amplitude` (over that of the direct signal, below
// 1) arrives `extra` metres after it; of an early-late discriminator with correlators `spacing`
// chips apart and unlimited bandwidth. GPS C/A.
double rut_code_multipath(double amplitude, double extra, double spacing);

// Error of a carrier range [m], L1.
double rut_carrier_multipath(double amplitude, double extra);

#endif  // RUT_SENSE_GNSS_MULTIPATH_H
