// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles on axles of one class that step together, one to a lane, and the motion at which their
// forces are looked for.
#ifndef RUT_VEHICLE_BATCH_H
#define RUT_VEHICLE_BATCH_H

#include "terrain/rut_grid.h"
#include "vehicle/class.h"

typedef struct rutVehicleBatch {
  const rutVehicleClass* vehicle;
  double* table;        // rows as vehicle->row says
  rutSoftPress* press;  // [n] what wheels do to ground that keeps ruts; NULL if it keeps none
  rutControlJob* job;   // of its controllers that run beside the steps; NULL without any
} rutVehicleBatch;

// First row of that name: of all vehicles, of those on axles.
#define RUT_STATE(batch, name) \
  ((batch)->table + (size_t)(batch)->vehicle->row.name * (size_t)(batch)->vehicle->lanes)
#define RUT_SPATIAL_STATE(batch, name) RUT_STATE(batch, spatial.name)

// What an integrator asks of an evaluation, and the accelerations that it finds. Each is a row of
// lanes per number, then a wheel array of `n` entries.
typedef struct rutStageMotion {
  double *q, *v;                    // of the chassis
  double *slide, *slide_speed;      // [n] those of massless wheels are found, and written
  const double* spin;               // [n] against the chassis
  const double *patch_x, *patch_y;  // [n] deflections of the contact patches
  double *rate, *slide_rate, *spin_rate;
  double implicit;  // step of the implicit treatment [s]; 0: none
  double since;     // time since the start of the step [s]
  bool commit;      // states that an evaluation itself advances may change
} rutStageMotion;

RUT_INLINE rutStageMotion rut_stage_motion(const rutVehicleClass* vehicle, double* q, double* v,
                                           double* rate) {
  const int lanes = vehicle->lanes, n = vehicle->body.n;
  double* slide_speed = v + RUT_CHASSIS_SPEEDS * lanes;
  double* slide_rate = rate + RUT_CHASSIS_SPEEDS * lanes;
  return (rutStageMotion){.q = q,
                          .v = v,
                          .slide = q + RUT_CHASSIS_POSITIONS * lanes,
                          .slide_speed = slide_speed,
                          .spin = slide_speed + n,
                          .rate = rate,
                          .slide_rate = slide_rate,
                          .spin_rate = slide_rate + n};
}

#endif  // RUT_VEHICLE_BATCH_H
