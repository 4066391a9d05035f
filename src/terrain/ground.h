// SPDX-License-Identifier: BSD-3-Clause
//
// The ground of a world: height maps, level planes, ramps and bumps. Where several lie above each
// other (a ramp on a floor, the storeys of a house) a query takes the highest that is not above
// what asks.
#ifndef RUT_TERRAIN_GROUND_H
#define RUT_TERRAIN_GROUND_H

#include "base/arena.h"
#include "geom/height_field.h"
#include "rut/rut.h"

typedef enum rutGroundKind {
  RUT_GROUND_FIELD,  // height field
  RUT_GROUND_PLANE,  // level rectangle, in its own frame
  RUT_GROUND_RAMP,   // rises along its x from 0 to size z
  RUT_GROUND_BUMP    // half-elliptic cylinder, axis along its x, size z high
} rutGroundKind;

typedef struct rutGroundSource {
  rutGroundKind kind;
  const rutHeightField* field;  // FIELD only
  double x, y, z;               // of its origin in the world [m]
  double cos_yaw, sin_yaw;
  double x_min, x_max, y_min, y_max;  // extent in its own frame [m]
  double height;                      // of a ramp or bump [m]
} rutGroundSource;

// A box in which the ground has its own friction (NaN: not given).
typedef struct rutRegion {
  double min[3], max[3];
  double friction, rolling_resistance;
} rutRegion;

typedef struct rutGround {
  int sources, regions;
  const rutGroundSource* source;
  const rutRegion* region;
} rutGround;

// Ground may be this much above a wheel's foot and still carry it: wheels climb small steps [m].
#define RUT_GROUND_STEP 0.1

// Height [m] of the highest ground at x, y that is not more than RUT_GROUND_STEP above z; nothing
// is ever below a height field, so that those always count. Below all ground it is the lowest; off
// all ground, or without any, *found is false and the height 0. lift[sources] (Nullable) is added
// to the heights of moving sources.
double rut_ground_height(const rutGround* ground, const double* lift, double x, double y, double z,
                         bool* found);

// Friction and rolling resistance coefficients at a point; NaN where no region gives one. The last
// region of the file that contains the point wins.
void rut_ground_properties(const rutGround* ground, double x, double y, double z, double* friction,
                           double* rolling_resistance);

#endif  // RUT_TERRAIN_GROUND_H
