// SPDX-License-Identifier: BSD-3-Clause
//
// Residuals of the balance of energy, window by window.
#include <stdio.h>
#include <stdlib.h>

#include "math/rut_math.h"
#include "rut/host.h"

// Residuals count against the energy of a fall by this height at least [m].
static const double LEAST_FALL = 0.1;
static const double STANDARD_GRAVITY = 9.80665;  // [m/s2]

typedef struct Account {
  bool looks;              // a vehicle on axles
  double least;            // [J]
  double start, residual;  // at the start, and since then, at the last look [J]
  double worst, most;      // largest that was told, and that there was [J]
  double throughput;       // at the last look [J]
} Account;

struct rutStepWatch {
  uint64_t model;  // hash of the model that the fields below belong to
  int vehicles;
  bool some;
  int64_t every;     // steps between two looks
  double time;       // of the last one [s]
  Account* account;  // [vehicles]
};

rutStepWatch* rut_step_watch_create(void) { return calloc(1, sizeof(rutStepWatch)); }

void rut_step_watch_destroy(rutStepWatch* watch) {
  if (!watch) return;
  free(watch->account);
  free(watch);
}

// Accounts as they stand now. False if out of memory.
static bool begin(rutStepWatch* watch, const rutModel* model, const rutData* data) {
  const int n = rut_count(model, RUT_VEHICLE);
  free(watch->account);
  *watch = (rutStepWatch){.model = rut_model_hash(model), .vehicles = n, .time = rut_time(data)};
  watch->account = calloc((size_t)n + 1, sizeof *watch->account);
  if (!watch->account) return false;
  const double steps = rut_floor(RUT_STEP_WINDOW / rut_model_timestep(model) + 1e-9);
  watch->every = steps >= 1 ? (int64_t)steps : 1;
  for (int i = 0; i < n; i++) {
    Account* a = &watch->account[i];
    rutEnergy energy;
    a->looks = rut_vehicle_energy(model, data, i, &energy);
    if (!a->looks) continue;
    a->least = rut_vehicle_info(model, i).mass * STANDARD_GRAVITY * LEAST_FALL;
    a->start = energy.residual - energy.flight;
    watch->some = true;
  }
  return true;
}

static void look(rutStepWatch* watch, const rutModel* model, const rutData* data, int vehicle,
                 rutStepEvent event, void* user) {
  Account* a = &watch->account[vehicle];
  rutEnergy energy;
  if (!rut_vehicle_energy(model, data, vehicle, &energy)) return;
  const double residual_now = energy.residual - energy.flight - a->start;
  const double change = residual_now - a->residual, all = rut_max(energy.throughput, a->least);
  a->residual = residual_now;
  a->most = rut_max(a->most, rut_abs(residual_now));
  a->throughput = energy.throughput;
  // an impact, or what has added up
  const double size = rut_max(rut_abs(change), rut_abs(residual_now));
  if (!(size > rut_max(RUT_STEP_SHARE * all, a->worst))) return;
  const rutVehicleState state = rut_vehicle_state(model, data, vehicle);
  const rutStepResidual residual = {
      .vehicle = vehicle,
      .first = a->worst == 0,
      .time = rut_time(data),
      .residual = residual_now,
      .change = change,
      .throughput = energy.throughput,
      .position = {state.position[0], state.position[1], state.position[2]}};
  a->worst = size;
  if (event) event(&residual, user);
}

rutStatus rut_step_watch_update(rutStepWatch* watch, const rutModel* model, const rutData* data,
                                rutStepEvent event, void* user) {
  const double time = rut_time(data);
  // another model, or a reset
  if (!watch->account || watch->model != rut_model_hash(model) || time < watch->time) {
    return begin(watch, model, data) ? RUT_OK : RUT_ERR_MEMORY;
  }
  if (!watch->some || time == watch->time || rut_steps(data) % watch->every != 0) return RUT_OK;
  watch->time = time;
  for (int i = 0; i < watch->vehicles; i++) {
    if (watch->account[i].looks) look(watch, model, data, i, event, user);
  }
  return RUT_OK;
}

double rut_step_watch_share(const rutStepWatch* watch) {
  double share = 0;
  for (int i = 0; i < watch->vehicles; i++) {
    const Account* a = &watch->account[i];
    if (a->looks) share = rut_max(share, a->most / rut_max(a->throughput, a->least));
  }
  return share;
}

void rut_step_residual_text(const rutModel* model, const rutStepResidual* residual, char* text,
                            size_t size) {
  snprintf(text, size,
           "the step of %g ms does not resolve the motion of '%.80s' at t = %.2f s: %.3g J of %.3g "
           "J are unaccounted for, %.3g J since %g ms ago; step=\"auto\" finds one that does",
           1e3 * rut_model_timestep(model), rut_name(model, RUT_VEHICLE, residual->vehicle),
           residual->time, rut_abs(residual->residual), residual->throughput,
           rut_abs(residual->change), 1e3 * RUT_STEP_WINDOW);
}
