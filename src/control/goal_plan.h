// SPDX-License-Identifier: BSD-3-Clause
//
// From a local map to a path that a vehicle can drive: a way over the cells of the map to the goal,
// and manoeuvres along its first part. All memory is the caller's, for one call only.
#ifndef RUT_CONTROL_GOAL_PLAN_H
#define RUT_CONTROL_GOAL_PLAN_H

#include <stddef.h>

#include "control/goal_memory.h"
#include "control/goal_path.h"
#include "rut/local_map.h"

// A vehicle, its reference point being the middle of its rear axle.
typedef struct rutGoalCar {
  rutPlanFootprint footprint;
  double margin;   // that paths keep around the footprint [m]
  double radius;   // turning radius of paths [m]
  double comfort;  // distance from obstacles beyond which they cost nothing [m]
  double horizon;  // length of paths towards a goal that is further away [m]
  int nodes;       // of a search of manoeuvres
} rutGoalCar;

typedef struct rutGoalTarget {
  double x, y;  // [m]
  double yaw;   // [rad], where it matters
  bool has_yaw;
  double radius;  // near enough [m]
} rutGoalTarget;

typedef enum rutGoalAnswer {
  RUT_GOAL_FOUND,
  RUT_GOAL_NO_WAY,        // no cell that can be reached is near enough to the goal: proved
  RUT_GOAL_NO_MANOEUVRE,  // there is a way over the cells, and none was found that the vehicle can
                          // drive
  RUT_GOAL_GOES_ON        // none was found so far: other searches are left for the next call
} rutGoalAnswer;

// What planning works with.
typedef struct rutGoalWork {
  int side, wide_side;    // of the local map; of the memory with a ring around it
  uint16_t *cost, *wide;  // [side^2], [wide_side^2]
  int32_t *squared, *row;
  uint8_t* remembered;                           // [(wide_side - 2)^2]
  double *x, *y, *z, *from_x, *from_y, *from_z;  // [points]
  int points;
  rutLocalCell* cell;  // [side^2]
  void *search, *hybrid;
  size_t search_bytes, hybrid_bytes;
} rutGoalWork;

// How large it is.
typedef struct rutGoalSize {
  int side;           // of the local map [cells]
  double resolution;  // [m]
  int words;          // of the memory, along each side
  int points;         // of a scan
} rutGoalSize;
// Bytes of it; 0 if the car is refused. memory: of so many bytes, aligned to 64; NULL: only their
// number.
size_t rut_goal_work(const rutGoalSize* size, const rutGoalCar* car, void* memory, rutGoalWork* out,
                     rutError* err);

// Ground of the map for rut/plan.h, its costs being work->cost.
rutPlanGround rut_goal_ground(const rutLocalMap* map, const rutGoalWork* work);

// Find a path from a pose. margin: of rutGoalCar, or less where a vehicle stands too near to
// something. *rest gets the length of the way from its end to the goal [m], 0 where it ends there.
typedef struct rutGoalTask {
  const rutLocalMap* map;
  const rutGoalMemory* memory;
  const rutGoalCar* car;
  rutPlanPose from;
  rutGoalTarget target;
  double margin;
  double gear;  // in which it moves: 1 or -1
  int search;   // of manoeuvres to begin with: 0, or what the call before left
} rutGoalTask;
// A call ends with what it has once its searches have looked at a sixth of car->nodes poses.
// *search gets that to begin the next call with, where the answer is RUT_GOAL_GOES_ON.
rutGoalAnswer rut_goal_plan(const rutGoalTask* task, rutGoalWork* work, rutGoalPath* out,
                            double* rest, int* search);

// Distance from the footprint to the nearest blocked cell of the ground [m]: to its middle, less
// half of its side; infinite if none is blocked, negative if one is
// within: by the geometric mean of its ways out ahead or behind and aside, which grows where the
// vehicle moves on over it.
double rut_goal_clearance(const rutPlanGround* ground, const rutPlanFootprint* footprint,
                          const rutPlanPose* pose);

#endif  // RUT_CONTROL_GOAL_PLAN_H
