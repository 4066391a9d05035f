// SPDX-License-Identifier: BSD-3-Clause
//
// Memory that a step of a batch works in.
#ifndef RUT_VEHICLE_WORK_H
#define RUT_VEHICLE_WORK_H

#include "vehicle/outcome.h"

typedef struct rutWork {
  double* row;  // [tile][RUT_WHEEL_ROW_COUNT][entry]
  rutChassis chassis;
  rutLookout look;
  double* dynamics;
  // Of a Runge-Kutta step: coordinates at its start and at a stage, sums over stages of their rates
  // and powers, deflections of the patches at a stage and sums of their rates. Of a semi-implicit
  // step: sum holds the accelerations.
  double *start, *stage, *sum, *patch;
} rutWork;

// Bytes of it, and its parts in memory aligned to 64 bytes.
size_t rut_work_size(const rutVehicleClass* vehicle);
rutWork rut_work_of(const rutVehicleClass* vehicle, void* memory);

// All wheels of a batch.
RUT_INLINE rutTiles rut_tiles(const rutVehicleBatch* batch, const rutWork* work, rutSizes of) {
  // there is one tile of four, as the compiler is to know
  const int tiles = of.n < RUT_WHEEL_TILE ? 1 : batch->vehicle->body.n / of.n;
  const size_t stride = (size_t)RUT_WHEEL_ROW_COUNT * (size_t)of.n;
  return (rutTiles){work->row, of.n, of.width, tiles, of.lanes, stride, work->chassis.motion};
}
// The same where nothing depends on what the compiler knows.
RUT_INLINE rutTiles rut_tiles_of(const rutVehicleBatch* batch, const rutWork* work) {
  const int n = batch->vehicle->body.n < RUT_WHEEL_TILE ? RUT_SMALL_TILE : RUT_WHEEL_TILE;
  return rut_tiles(batch, work, (rutSizes){n, n, batch->vehicle->lanes, batch->vehicle->wheels});
}

#endif  // RUT_VEHICLE_WORK_H
