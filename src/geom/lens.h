// SPDX-License-Identifier: BSD-3-Clause
//
// Lenses of cameras: from points to pixels and back. Optical axes: x right, y down, z ahead. Pixel
// (column i, row j) covers [i, i + 1] x [j, j + 1].
#ifndef RUT_GEOM_LENS_H
#define RUT_GEOM_LENS_H

#include <stdbool.h>

#include "rut/rut.h"

typedef struct rutLens {
  rutLensModel model;
  double focal;   // focal length [pixel]
  double cx, cy;  // principal point [pixel]
  // Distortion of the perspective lens (D. C. Brown, Photogrammetric Engineering 37, 1971), in the
  // order of OpenCV: x' = x (1 + k1 r^2 + k2 r^4 + k3 r^6) + 2 p1 x y + p2 (r^2 + 2 x^2).
  double k1, k2, p1, p2, k3;
  double fold;  // square of the distance from which on the distortion folds back, see rut_lens_init
} rutLens;

// Sets `fold`.
void rut_lens_init(rutLens* lens);
// Focal length [pixel] at which the width [pixel] covers an angle [rad], without distortion.
double rut_lens_focal(rutLensModel model, double width, double angle);
// Pixel of a point. False if the lens does not see it: behind a perspective lens, or where the
// distortion has folded back.
bool rut_lens_project(const rutLens* lens, const double point[3], double pixel[2]);
// Unit vector towards what is seen at a place of the image. False if that is nothing.
bool rut_lens_ray(const rutLens* lens, const double pixel[2], double direction[3]);

// What is seen at places of a row.
typedef struct rutLensRays {
  double* direction[3];  // x[n], y[n], z[n] of unit vectors
  int* seen;             // [n] 0: nothing is seen, the vector has no meaning
} rutLensRays;
// The same for n places that are 1 apart in x, from `pixel` on, with the same bits.
void rut_lens_row(const rutLens* lens, int n, const double pixel[2], const rutLensRays* out);

#endif  // RUT_GEOM_LENS_H
