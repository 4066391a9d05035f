// SPDX-License-Identifier: BSD-3-Clause
#include "travel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void count_collision(const rutContactPair* pair, bool begin, void* user) {
  cliTracker* tracker = user;
  if (!begin) return;
  if (pair->kind_a == RUT_VEHICLE) tracker->travel[pair->index_a].collisions++;
  if (pair->kind_b == RUT_VEHICLE) tracker->travel[pair->index_b].collisions++;
}

static void note_exit(const rutGroundExit* exit, void* user) {
  cliTracker* tracker = user;
  cliTravel* travel = &tracker->travel[exit->vehicle];
  if (exit->step != 0) {
    travel->stepped = true;
    travel->step = *exit;
    return;
  }
  travel->left_ground = true;
  travel->exit = *exit;
}

static void note_residual(const rutStepResidual* residual, void* user) {
  cliTracker* tracker = user;
  cliTravel* travel = &tracker->travel[residual->vehicle];
  travel->unresolved = true;
  travel->residual = *residual;
}

static void sample(cliTravel* travel, const rutVehicleState* state) {
  double square = 0, speed_square = 0;
  for (int i = 0; i < 3; i++) {
    double step = state->position[i] - travel->position[i];
    square += step * step;
    speed_square += state->velocity[i] * state->velocity[i];
    travel->position[i] = state->position[i];
  }
  travel->distance += sqrt(square);
  travel->max_speed = fmax(travel->max_speed, sqrt(speed_square));
}

bool cli_tracker_begin(cliTracker* tracker, const rutModel* model, const rutData* data) {
  memset(tracker, 0, sizeof *tracker);
  tracker->vehicles = rut_count(model, RUT_VEHICLE);
  tracker->travel = calloc((size_t)tracker->vehicles + 1, sizeof *tracker->travel);
  tracker->contacts = rut_contact_watch_create();
  tracker->ground = rut_ground_watch_create();
  tracker->soil = rut_soil_watch_create();
  tracker->steps = rut_step_watch_create();
  const bool watched = tracker->contacts && tracker->ground && tracker->soil && tracker->steps;
  if (!tracker->travel || !watched) return false;
  if (rut_step_watch_update(tracker->steps, model, data, note_residual, tracker)) return false;
  if (rut_ground_watch_update(tracker->ground, model, data, note_exit, tracker)) return false;
  // 10 ms: a chord across a turn of 2 m radius at 1 m/s is short by a millionth
  double steps = floor(0.01 / rut_model_timestep(model) + 1e-9);
  tracker->every = steps >= 1 ? (int64_t)steps : 1;
  for (int i = 0; i < tracker->vehicles; i++) {
    rutVehicleState state = rut_vehicle_state(model, data, i);
    memcpy(tracker->travel[i].position, state.position, sizeof state.position);
    sample(&tracker->travel[i], &state);
  }
  return true;
}

void cli_tracker_end(cliTracker* tracker, const rutModel* model, const rutData* data) {
  for (int i = 0; i < tracker->vehicles; i++) {
    rutVehicleState state = rut_vehicle_state(model, data, i);
    sample(&tracker->travel[i], &state);
  }
}

rutStatus cli_tracker_step(cliTracker* tracker, const rutModel* model, const rutData* data) {
  rutStatus status =
      rut_contact_watch_update(tracker->contacts, model, data, count_collision, tracker);
  if (status == RUT_OK && rut_steps(data) % tracker->every == 0) {
    cli_tracker_end(tracker, model, data);
  }
  if (status == RUT_OK) {
    status = rut_ground_watch_update(tracker->ground, model, data, note_exit, tracker);
  }
  if (status == RUT_OK) {
    status = rut_soil_watch_update(tracker->soil, model, data, NULL, NULL);
  }
  if (status == RUT_OK) {
    status = rut_step_watch_update(tracker->steps, model, data, note_residual, tracker);
  }
  return status;
}

void cli_tracker_free(cliTracker* tracker) {
  free(tracker->travel);
  rut_contact_watch_destroy(tracker->contacts);
  rut_ground_watch_destroy(tracker->ground);
  rut_soil_watch_destroy(tracker->soil);
  rut_step_watch_destroy(tracker->steps);
  memset(tracker, 0, sizeof *tracker);
}
