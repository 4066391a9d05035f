// SPDX-License-Identifier: BSD-3-Clause
//
// Which vehicles leave the ground, or come under it, in a world whose ground has an edge; and which
// planar ones are lifted by steps.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  bool endless, some_planar;
  bool *left, *planar, *stepped;                  // [vehicles]
  rutVehicleState* last;                          // [vehicles] at the last check
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
  free(watch->last);
  free(watch->x);
  free(watch);
}

// Begin to watch the vehicles of a model. False if out of memory.
static bool begin(rutGroundWatch* watch, const rutModel* model, const rutData* data) {
  const int n = rut_count(model, RUT_VEHICLE);
  const size_t room = (size_t)n + 1;
  free(watch->left);
  free(watch->last);
  free(watch->x);
  *watch = (rutGroundWatch){.model = rut_model_hash(model), .vehicles = n, .time = -1};
  watch->endless = !is_void(model, data, (const double[3]){BEYOND, BEYOND, ABOVE});
  watch->begun = true;
  for (int i = 0; i < n && !watch->some_planar; i++) {
    watch->some_planar = !rut_vehicle_energy(model, data, i, NULL);
  }
  if (watch->endless && !watch->some_planar) return true;
  const double steps = rut_floor(PERIOD / rut_model_timestep(model) + 1e-9);
  watch->every = steps >= 1 ? (int64_t)steps : 1;
  watch->left = calloc(3 * room, sizeof *watch->left);
  watch->last = calloc(room, sizeof *watch->last);
  watch->x = malloc(6 * room * sizeof *watch->x);
  if (!watch->left || !watch->last || !watch->x) {
    watch->begun = false;
    return false;
  }
  watch->planar = watch->left + room;
  watch->stepped = watch->planar + room;
  for (int i = 0; i < n; i++) watch->planar[i] = !rut_vehicle_energy(model, data, i, NULL);
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

static void tell(const rutModel* model, const rutData* data, int vehicle, double step,
                 rutGroundEvent event, void* user) {
  const rutVehicleState state = rut_vehicle_state(model, data, vehicle);
  const double* p = state.position;
  const rutGroundExit exit = {
      .vehicle = vehicle, .step = step, .time = rut_time(data), .position = {p[0], p[1], p[2]}};
  if (event) event(&exit, user);
}

// ---- steps under planar vehicles ----

static double height_at(const rutModel* model, const rutData* data, const double place[2],
                        double below) {
  double z, slope_x, slope_y;
  rut_terrain_surface(model, data, &(rutGroundPoints){1, &place[0], &place[1]}, &below,
                      &(rutGroundSurface){&z, &slope_x, &slope_y});
  return z;
}

// By how much the ground rises at once on the way from a to b: more than `least` within that
// length. 0 if it does not. The half that rises more is halved again.
static double find_step(const rutModel* model, const rutData* data, const double a[2],
                        const double b[2], double below, double least) {
  enum { HALVINGS = 30 };
  double from[2] = {a[0], a[1]}, to[2] = {b[0], b[1]};
  double low = height_at(model, data, from, below), high = height_at(model, data, to, below);
  for (int k = 0; k < HALVINGS && rut_abs(high - low) > least; k++) {
    if (rut_hypot(to[0] - from[0], to[1] - from[1]) <= least) return high - low;
    const double middle[2] = {0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])};
    const double z = height_at(model, data, middle, below);
    const bool first = rut_abs(z - low) > rut_abs(high - z);
    memcpy(first ? to : from, middle, sizeof middle);
    if (first) {
      high = z;
    } else {
      low = z;
    }
  }
  return 0;
}

// Rows of the rotation from a vehicle's axes to the world's.
static void find_axes(const rutVehicleState* s, double m[3][3]) {
  double sr, cr, sp, cp, sy, cy;
  rut_sincos(s->roll, &sr, &cr);
  rut_sincos(s->pitch, &sp, &cp);
  rut_sincos(s->yaw, &sy, &cy);
  const double axes[3][3] = {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                             {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                             {-sp, cp * sr, cp * cr}};
  memcpy(m, axes, sizeof axes);
}

// The step that the lowest point of a wheel has met since the last check, 0 if none.
static double step_under(const rutModel* model, const rutData* data, int wheel,
                         const rutVehicleState* last, const rutVehicleState* now) {
  const rutWheelPose pose = rut_wheel_pose(model, data, wheel);
  const double *p = pose.position, *c = pose.contact;
  const double radius = sqrt(pow(p[0] - c[0], 2) + pow(p[1] - c[1], 2) + pow(p[2] - c[2], 2));
  double was[3][3], is[3][3], arm[3] = {0}, before[2] = {last->position[0], last->position[1]};
  find_axes(last, was);
  find_axes(now, is);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) arm[i] += is[k][i] * (c[k] - now->position[k]);
  }
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 3; k++) before[i] += was[i][k] * arm[k];
  }
  const double below = rut_max(now->position[2], last->position[2]) + radius;
  return find_step(model, data, before, c, below, radius);
}

// Planar vehicles whose height has changed are looked at wheel by wheel.
static void watch_steps(rutGroundWatch* watch, const rutModel* model, const rutData* data,
                        bool first, rutGroundEvent event, void* user) {
  for (int i = 0; i < watch->vehicles; i++) {
    if (!watch->planar[i] || watch->stepped[i]) continue;
    const rutVehicleState now = rut_vehicle_state(model, data, i), last = watch->last[i];
    watch->last[i] = now;
    if (first || now.position[2] == last.position[2]) continue;
    const rutVehicleInfo info = rut_vehicle_info(model, i);
    for (int w = 0; w < info.wheels && !watch->stepped[i]; w++) {
      const double step = step_under(model, data, info.first_wheel + w, &last, &now);
      if (step == 0) continue;
      watch->stepped[i] = true;
      tell(model, data, i, step, event, user);
    }
  }
}

static void watch_exits(rutGroundWatch* watch, const rutModel* model, const rutData* data,
                        rutGroundEvent event, void* user) {
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
    tell(model, data, i, 0, event, user);
  }
}

rutStatus rut_ground_watch_update(rutGroundWatch* watch, const rutModel* model, const rutData* data,
                                  rutGroundEvent event, void* user) {
  const bool known = watch->begun && watch->model == rut_model_hash(model);
  if (!known && !begin(watch, model, data)) return RUT_ERR_MEMORY;
  const double time = rut_time(data);
  if (watch->endless && !watch->some_planar) return RUT_OK;
  if (time > watch->time && rut_steps(data) % watch->every != 0) return RUT_OK;
  // after a reset
  const bool again = time < watch->time, first = again || watch->time < 0;
  for (int i = 0; again && i < watch->vehicles; i++) watch->left[i] = watch->stepped[i] = false;
  watch->time = time;
  if (watch->some_planar) watch_steps(watch, model, data, first, event, user);
  if (!watch->endless) watch_exits(watch, model, data, event, user);
  return RUT_OK;
}

static double to_centimetre(double length) { return rut_floor(100 * length + 0.5) / 100; }

void rut_ground_exit_text(const rutModel* model, const rutGroundExit* exit, char* text,
                          size_t size) {
  char what[120] = " left the ground";
  if (exit->step != 0) {
    snprintf(what, sizeof what,
             ", which is planar and follows any ground, was %s by a step of %g m",
             exit->step > 0 ? "lifted" : "lowered", to_centimetre(rut_abs(exit->step)));
  }
  snprintf(text, size, "'%.80s'%s at t = %.2f s, x = %g m, y = %g m, z = %g m",
           rut_name(model, RUT_VEHICLE, exit->vehicle), what, exit->time,
           to_centimetre(exit->position[0]), to_centimetre(exit->position[1]),
           to_centimetre(exit->position[2]));
}
