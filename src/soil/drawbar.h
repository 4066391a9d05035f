// SPDX-License-Identifier: BSD-3-Clause
//
// A single wheel under a steady load on soil that gives way, as in a test rig: the numbers of
// drawbar curves.
#ifndef RUT_SOIL_DRAWBAR_H
#define RUT_SOIL_DRAWBAR_H

#include "rut/component.h"

typedef struct rutDrawbarWheel {
  double radius, width;  // undeflected [m]
  double stiffness;      // of the tyre [N/m]; from 1e10 on the wheel is rigid
  double load;           // [N] > 0
  double pressed;        // depth to which earlier passes have pressed the soil [m], 0: untouched
} rutDrawbarWheel;

typedef struct rutDrawbarPoint {
  double slip, slip_y;           // as in rutTractionIn, forward
  double depth, sinkage;         // of the wheel and of the soil [m]
  double rut, pressed;           // as in rutSinkOut [m]
  double torque;                 // over load and rolling radius
  double drawbar;                // net force along x over load
  double side;                   // side force over load
  double resistance;             // motion resistance over load
  double overturning, aligning;  // [N m]
  double efficiency;             // drawbar power over that of the torque, where both are positive
  double stiffness, secant_x, peak;  // as in rutSinkOut
} rutDrawbarPoint;

// False if no depth up to the wheel's diameter carries the load.
bool rut_drawbar(const rutSoilType* soil, const double* param, const double* derived,
                 const rutDrawbarWheel* wheel, double slip, double slip_y, rutDrawbarPoint* out);

#endif  // RUT_SOIL_DRAWBAR_H
