// SPDX-License-Identifier: BSD-3-Clause
//
// Which vehicles leave the ground, or come under it, in a world whose ground has an edge.
#include <stdio.h>
#include <stdlib.h>

#include "math/rut_math.h"
#include "rut/host.h"

static const double PERIOD = 0.05;  // between two checks [s]
static const double BEYOND = 1e12;  // farther than any map reaches [m]
static const double ABOVE = 1e9;    // higher than all ground [m]

struct rutGroundWatch {
  bool begun;
  uint64_t model;  // hash of the model that the fields below belong to
  int vehicles;
  int64_t every;  // steps between two checks
  double time;    // of the last one [s]
  bool endless;
  bool* left;
  double *x, *y, *below, *z, *slope_x, *slope_y;  // of all vehicles
};

// True if there is no ground at a place that what is at its height could stand on.
static bool is_void(const rutModel* model, const rutData* data, const double at[3]) {
  double z, slope_x, slope_y;
  rut_terrain_surface(model, data, &(rutGroundPoints){1, &at[0], &at[1]}, &at[2],
                      &(rutGroundSurface){&z, &slope_x, &slope_y});
  return z != z;
}

rutGroundWatch* rut_ground_watch_create(void) { return calloc(1, sizeof(rutGroundWatch)); }

void rut_ground_watch_destroy(rutGroundWatch* watch) {
  if (!watch) return;
  free(watch->left);
  free(watch->x);
  free(watch);
}

// Begin to watch the vehicles of a model. False if out of memory.
static bool begin(rutGroundWatch* watch, const rutModel* model, const rutData* data) {
  const int n = rut_count(model, RUT_VEHICLE);
  const size_t room = (size_t)n + 1;
  free(watch->left);
  free(watch->x);
  *watch = (rutGroundWatch){.model = rut_model_hash(model), .vehicles = n, .time = -1};
  watch->endless = !is_void(model, data, (const double[3]){BEYOND, BEYOND, ABOVE});
  watch->begun = true;
  if (watch->endless) return true;
  const double steps = rut_floor(PERIOD / rut_model_timestep(model) + 1e-9);
  watch->every = steps >= 1 ? (int64_t)steps : 1;
  watch->left = calloc(room, sizeof *watch->left);
  watch->x = malloc(6 * room * sizeof *watch->x);
  if (!watch->left || !watch->x) {
    watch->begun = false;
    return false;
  }
  watch->y = watch->x + room;
  watch->below = watch->y + room;
  watch->z = watch->below + room;
  watch->slope_x = watch->z + room;
  watch->slope_y = watch->slope_x + room;
  return true;
}

// True if no wheel is above ground either: gaps shorter than the vehicle do not count.
static bool are_wheels_off(const rutModel* model, const rutData* data, int vehicle) {
  const rutVehicleInfo info = rut_vehicle_info(model, vehicle);
  for (int i = 0; i < info.wheels; i++) {
    const rutWheelPose wheel = rut_wheel_pose(model, data, info.first_wheel + i);
    if (!is_void(model, data, wheel.position)) return false;
  }
  return true;
}

static void tell(const rutModel* model, const rutData* data, int vehicle, rutGroundEvent event,
                 void* user) {
  const rutVehicleState state = rut_vehicle_state(model, data, vehicle);
  const double* p = state.position;
  const rutGroundExit exit = {
      .vehicle = vehicle, .time = rut_time(data), .position = {p[0], p[1], p[2]}};
  event(&exit, user);
}

rutStatus rut_ground_watch_update(rutGroundWatch* watch, const rutModel* model, const rutData* data,
                                  rutGroundEvent event, void* user) {
  const bool known = watch->begun && watch->model == rut_model_hash(model);
  if (!known && !begin(watch, model, data)) return RUT_ERR_MEMORY;
  const double time = rut_time(data);
  if (watch->endless || (time > watch->time && rut_steps(data) % watch->every != 0)) return RUT_OK;
  // after a reset
  for (int i = 0; time < watch->time && i < watch->vehicles; i++) watch->left[i] = false;
  watch->time = time;
  for (int i = 0; i < watch->vehicles; i++) {
    const rutVehicleState state = rut_vehicle_state(model, data, i);
    watch->x[i] = state.position[0];
    watch->y[i] = state.position[1];
    watch->below[i] = state.position[2];
  }
  rut_terrain_surface(model, data, &(rutGroundPoints){watch->vehicles, watch->x, watch->y},
                      watch->below, &(rutGroundSurface){watch->z, watch->slope_x, watch->slope_y});
  for (int i = 0; i < watch->vehicles; i++) {
    if (watch->left[i] || watch->z[i] == watch->z[i] || !are_wheels_off(model, data, i)) continue;
    watch->left[i] = true;
    if (event) tell(model, data, i, event, user);
  }
  return RUT_OK;
}

static double to_centimetre(double length) { return rut_floor(100 * length + 0.5) / 100; }

void rut_ground_exit_text(const rutModel* model, const rutGroundExit* exit, char* text,
                          size_t size) {
  snprintf(text, size, "'%.80s' left the ground at t = %.2f s, x = %g m, y = %g m, z = %g m",
           rut_name(model, RUT_VEHICLE, exit->vehicle), exit->time,
           to_centimetre(exit->position[0]), to_centimetre(exit->position[1]),
           to_centimetre(exit->position[2]));
}
