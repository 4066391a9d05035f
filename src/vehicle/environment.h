// SPDX-License-Identifier: BSD-3-Clause
//
// What vehicles on axles see of the world that they drive in, as it stands when a step begins.
#ifndef RUT_VEHICLE_ENVIRONMENT_H
#define RUT_VEHICLE_ENVIRONMENT_H

#include "base/thread.h"
#include "math/lanes.h"
#include "rut/component.h"
#include "terrain/ground.h"
#include "terrain/rut_grid.h"
#include "terrain/water.h"
#include "vehicle/control_stack.h"

// A soil with its parameters and what follows from them.
typedef struct rutSoilRecord {
  const rutSoilType* type;
  const double *param, *derived;
} rutSoilRecord;

typedef struct rutEnvironment {
  double time, dt;                // [s]
  int64_t step;                   // number of steps before this one
  const rutControlHost* control;  // for controllers that read sensors
  const int* vehicle;             // [lane] of the batch whose controllers run: index in the world
  double gravity;                 // [m/s2]
  int rk4;                        // Runge-Kutta steps; else semi-implicit ones
  const rutGround* ground;
  const double* lift;         // [ground sources] how far moving ground has risen [m]
  double highest_ground;      // none is higher [m]; 1e300 where that is not known
  const rutSoftGround* soft;  // ground that keeps ruts, NULL if it does not
  // That of each lane where lanes are copies of a world; NULL: one for all.
  const rutSoftGround* const* lane_soft;
  int soils;
  const rutSoilRecord* soil;  // [soils] by the index that the ground gives a place
  // Those of each lane, [lane][soils], where lanes are copies whose soils differ; NULL: one for
  // all.
  const rutSoilRecord* lane_soil;
  int soft_soils;  // some of them are deformable
  const rutWaters* waters;
  double* stage;  // [RUT_STAGE_COUNT] time spent in each [s]; NULL: it is not taken
} rutEnvironment;

// Ground that keeps ruts under the vehicle in a lane.
RUT_INLINE const rutSoftGround* rut_soft_of_lane(const rutEnvironment* world, int lane) {
  return world->lane_soft ? world->lane_soft[lane] : world->soft;
}

// What the indices of wheels' soils refer to (find_soils).
RUT_INLINE const rutSoilRecord* rut_wheel_soils(const rutEnvironment* world) {
  return world->lane_soil ? world->lane_soil : world->soil;
}

// By the index that the ground gives, those under the vehicle in a lane.
RUT_INLINE const rutSoilRecord* rut_soils_of_lane(const rutEnvironment* world, int lane) {
  return world->lane_soil ? world->lane_soil + (size_t)lane * (size_t)world->soils : world->soil;
}

// Time at which a stage begins; add the time since then to a stage, for the next one to begin.
RUT_INLINE double rut_stage_begin(const rutEnvironment* world) {
  return world->stage ? rut_clock() : 0;
}
RUT_INLINE double rut_stage_end(const rutEnvironment* world, rutStage stage, double since) {
  if (!world->stage) return 0;
  const double now = rut_clock();
  world->stage[stage] += now - since;
  return now;
}

#endif  // RUT_VEHICLE_ENVIRONMENT_H
