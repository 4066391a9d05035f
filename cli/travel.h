// SPDX-License-Identifier: BSD-3-Clause
//
// Distance, speed and collisions of each vehicle, for the summary of a run.
#ifndef RUT_CLI_TRAVEL_H
#define RUT_CLI_TRAVEL_H

#include <stdint.h>

#include "rut/host.h"

typedef struct cliTravel {
  double distance;     // length of the path of the reference point [m]
  double max_speed;    // [m/s]
  int collisions;      // times at which it began to touch something
  double position[3];  // at the last sample
  bool left_ground, stepped;
  rutGroundExit exit, step;  // when and where, if so
  bool unresolved;
  rutStepResidual residual;  // the largest that the step leaves, if so
} cliTravel;

typedef struct cliTracker {
  cliTravel* travel;  // one per vehicle
  int vehicles;
  int64_t every;  // steps between samples of position and speed
  rutContactWatch* contacts;
  rutGroundWatch* ground;
  rutSoilWatch* soil;
  rutStepWatch* steps;
} cliTracker;

// Begin at the present state. False if out of memory; free it in any case.
bool cli_tracker_begin(cliTracker* tracker, const rutModel* model, const rutData* data);
// Follow one step. Distance and speed are sampled every 10 ms of simulated time.
rutStatus cli_tracker_step(cliTracker* tracker, const rutModel* model, const rutData* data);
// Take the present state into account.
void cli_tracker_end(cliTracker* tracker, const rutModel* model, const rutData* data);
void cli_tracker_free(cliTracker* tracker);

#endif  // RUT_CLI_TRAVEL_H
