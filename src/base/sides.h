// SPDX-License-Identifier: BSD-3-Clause
//
// Sides of a vehicle: its wheels on the left, on the right, and in the middle.
#ifndef RUT_BASE_SIDES_H
#define RUT_BASE_SIDES_H

#include "rut/component.h"

// The first two number the torque demands of drives that have one for each side.
enum { RUT_LEFT, RUT_RIGHT, RUT_MIDDLE };

// Side of a wheel at y, the sides being apart at `middle` [m]: rounding makes no wheel of the
// middle one of a side.
static inline int rut_side_of(double y, double middle) {
  const double nearest = 1e-6;  // [m]
  return y > middle + nearest ? RUT_LEFT : (y < middle - nearest ? RUT_RIGHT : RUT_MIDDLE);
}

// Line between the wheels of the left and those of the right side [m]. A vehicle without a pair of
// wheels has its reference point there.
static inline double rut_middle_of_sides(const rutVehicleLayout* layout) {
  const int pair = layout->left >= 0 && layout->right >= 0;
  return pair ? 0.5 * (layout->y[layout->left] + layout->y[layout->right]) : 0.0;
}

#endif  // RUT_BASE_SIDES_H
