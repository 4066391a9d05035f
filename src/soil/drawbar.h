// SPDX-License-Identifier: BSD-3-Clause
//
// A single wheel under a steady load on a soil, as in a test rig: the numbers of drawbar curves and
// of passes in one rut.
#ifndef RUT_SOIL_DRAWBAR_H
#define RUT_SOIL_DRAWBAR_H

#include "rut/component.h"

// Bits of rutSoilLimit of a wheel in deformable soil, at a sinkage in a pit, and a largest
// pressure.
unsigned rut_soil_limits(const rutSoilType* soil, const double* param, double sinkage, double pit,
                         double pressure, double radius);

// False, and all zero, if a number of the wheel is out of range, or if no sinkage below its radius
// carries the load.
bool rut_drawbar(const rutSoilType* soil, const double* param, const double* derived,
                 const rutSoilWheel* wheel, rutSoilPoint* out);

#endif  // RUT_SOIL_DRAWBAR_H
