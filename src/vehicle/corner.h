// SPDX-License-Identifier: BSD-3-Clause
//
// Stage 2 of an evaluation, of vehicles some of whose wheels hang on mechanisms: where these put
// their wheels, and what their bodies bring to the dynamics.
#ifndef RUT_VEHICLE_CORNER_H
#define RUT_VEHICLE_CORNER_H

#include "vehicle/chassis.h"

// Rows of RUT_CORNER_ROWS (rut/component.h).
enum {
  RUT_WHEEL_ROW_CORNER = 0,
  RUT_CORNER_ROWS_END = RUT_WHEEL_ROW_CORNER + RUT_CORNER_ROW_COUNT
};
#define RUT_CORNER_ROW(e, name) \
  ((e).row + (size_t)(RUT_WHEEL_ROW_CORNER + RUT_CORNER_##name) * (size_t)(e).n)

// Constants of the four mechanisms that `entry` of the wheel arrays is among: row c at
// [c * RUT_CORNER_WIDTH]. Vehicles in lanes share those of their wheel, unless they differ.
RUT_INLINE const double* rut_corner_constants(const rutVehicleClass* vehicle, int entry) {
  const bool shared = vehicle->lanes > 1 && !vehicle->own_corners;
  const int block = entry / (shared ? vehicle->lanes : RUT_CORNER_WIDTH);
  return vehicle->constant + block * vehicle->constants * RUT_CORNER_WIDTH;
}

// Fill these rows of a part. beside: room for RUT_CORNER_ROW_COUNT x RUT_CORNER_LANES numbers
// where there is more than one type of mechanism.
void rut_corners_move(double gravity, const rutVehicleBatch* batch, const rutStageMotion* motion,
                      double* beside, rutWheels e);

// Type of the mechanism at an entry of the wheel arrays, NULL if it has none.
const rutSuspensionType* rut_corner_type(const rutVehicleClass* vehicle, int entry);

// Rows of the mechanism at an entry, at rest, at its coordinate q and that of the linkage; zeros if
// there is none.
void rut_corner_rows(const rutVehicleClass* vehicle, int entry, double q, double linkage,
                     double row[RUT_CORNER_ROW_COUNT]);

// Motion of its carrier against the chassis, as the batch stands, in the chassis's axes: hub, axis,
// velocity, angular velocity; mass times place of its bodies, energy of its springs.
typedef struct rutCornerMotion {
  rutVec3 hub, axis, velocity, turning, first;
  double spring, travel;  // travel: of the hub, up from its design position [m]
} rutCornerMotion;
// Rows of the mechanisms of one part, which its entries share as long as the batch stands so; those
// before `end`, 0: none yet.
typedef struct rutCornerLook {
  int end;
  double row[RUT_CORNER_ROW_COUNT * RUT_CORNER_WIDTH];
} rutCornerLook;
rutCornerMotion rut_corner_motion(const rutVehicleBatch* batch, int entry, rutCornerLook* look);
// Kinetic energy of its bodies, the chassis moving so [J].
double rut_corner_energy(const rutVehicleBatch* batch, int entry, rutVec3 linear, rutVec3 omega);

#endif  // RUT_VEHICLE_CORNER_H
