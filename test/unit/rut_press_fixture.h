// SPDX-License-Identifier: BSD-3-Clause
//
// A wheel that presses soft ground.
#ifndef RUT_TEST_UNIT_RUT_PRESS_FIXTURE_H
#define RUT_TEST_UNIT_RUT_PRESS_FIXTURE_H

#include <math.h>

#include "terrain/rut_grid.h"

// 0.3 m wide at x, y [m] with the heading yaw [rad]; its rut is 0.07 m deep.
static inline rutSoftPress wheel(double x, double y, double yaw) {
  return (rutSoftPress){.x = x,
                        .y = y,
                        .dir_x = cos(yaw),
                        .dir_y = sin(yaw),
                        .behind = 0.1,
                        .width = 0.3,
                        .pressed = 0.08,
                        .rut = 0.07};
}

#endif  // RUT_TEST_UNIT_RUT_PRESS_FIXTURE_H
