// SPDX-License-Identifier: BSD-3-Clause
//
// Which wheels leave the range in which the laws of deformable soil hold, since when, and for how
// long; and whose chassis the ground carries.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/rut_math.h"
#include "rut/host.h"

static const double PERIOD = 0.01;  // between two looks [s]
// Part of the weight from which on the ground counts as carrying the chassis.
static const double CARRIES = 0.1;

// What is known of a limit of a wheel, or of a vehicle's chassis.
typedef struct Known {
  rutSoilEvent first;
  int64_t looks;  // at which it held
} Known;

struct rutSoilWatch {
  bool begun;
  uint64_t model;  // hash of the model that the fields below belong to
  int vehicles, wheels;
  int64_t every, looks;  // steps between two looks; looks so far
  double time;           // of the last one [s]
  Known* known;          // [wheels][limits], then [vehicles] of the chassis
  int* told;             // [found] indices in known, in the order in which they were found
  int found;
};

rutSoilWatch* rut_soil_watch_create(void) { return calloc(1, sizeof(rutSoilWatch)); }

void rut_soil_watch_destroy(rutSoilWatch* watch) {
  if (!watch) return;
  free(watch->known);
  free(watch->told);
  free(watch);
}

static bool begin(rutSoilWatch* watch, const rutModel* model) {
  const int vehicles = rut_count(model, RUT_VEHICLE), wheels = rut_count(model, RUT_WHEEL);
  free(watch->known);
  free(watch->told);
  memset(watch, 0, sizeof *watch);
  watch->model = rut_model_hash(model);
  watch->vehicles = vehicles;
  watch->wheels = wheels;
  watch->time = -1;
  bool soft = false;
  for (int i = 0; i < rut_count(model, RUT_SOIL); i++) soft |= rut_soil_info(model, i).deformable;
  // where no soil is deformable there is nothing to know
  const size_t n = soft ? (size_t)wheels * RUT_SOIL_LIMIT_COUNT + (size_t)vehicles + 1 : 1;
  watch->known = calloc(n, sizeof *watch->known);
  watch->told = calloc(n, sizeof *watch->told);
  const double steps = rut_floor(PERIOD / rut_model_timestep(model) + 1e-9);
  watch->every = steps >= 1 ? (int64_t)steps : 1;
  if (!soft) watch->every = 0;
  watch->begun = watch->known && watch->told;
  return watch->begun;
}

static void note(rutSoilWatch* watch, int index, const rutSoilEvent* now, rutSoilHandler event,
                 void* user) {
  Known* known = &watch->known[index];
  if (known->looks++ > 0) return;
  known->first = *now;
  watch->told[watch->found++] = index;
  if (event) event(now, user);
}

static void look_at(rutSoilWatch* watch, const rutModel* model, const rutData* data, int vehicle,
                    rutSoilHandler event, void* user) {
  const rutVehicleInfo info = rut_vehicle_info(model, vehicle);
  rutSoilEvent now = {.vehicle = vehicle, .wheel = -1, .soil = -1, .time = rut_time(data)};
  int soil = -1;
  for (int w = 0; w < info.wheels; w++) {
    const rutSoilContact c = rut_soil_contact(model, data, info.first_wheel + w);
    soil = c.soil >= 0 ? c.soil : soil;
    if (c.limits == 0) continue;
    const rutWheelPose pose = rut_wheel_pose(model, data, info.first_wheel + w);
    now.wheel = w;
    now.soil = c.soil;
    for (int i = 0; i < 3; i++) now.position[i] = pose.position[i];
    for (int k = 0; k < RUT_SOIL_LIMIT_COUNT; k++) {
      if (!(c.limits >> k & 1u)) continue;
      now.limit = (rutSoilLimit)k;
      now.value = k == RUT_SOIL_LIMIT_pressure ? c.pressure : c.sinkage;
      note(watch, (info.first_wheel + w) * RUT_SOIL_LIMIT_COUNT + k, &now, event, user);
    }
  }
  const double share = soil >= 0 ? rut_hull_share(model, data, vehicle) : 0;
  if (share < CARRIES) return;
  const rutVehicleState state = rut_vehicle_state(model, data, vehicle);
  now = (rutSoilEvent){.vehicle = vehicle,
                       .wheel = -1,
                       .soil = soil,
                       .time = rut_time(data),
                       .limit = RUT_SOIL_LIMIT_hull,
                       .value = share};
  for (int i = 0; i < 3; i++) now.position[i] = state.position[i];
  note(watch, watch->wheels * RUT_SOIL_LIMIT_COUNT + vehicle, &now, event, user);
}

rutStatus rut_soil_watch_update(rutSoilWatch* watch, const rutModel* model, const rutData* data,
                                rutSoilHandler event, void* user) {
  const bool known = watch->begun && watch->model == rut_model_hash(model);
  if (!known && !begin(watch, model)) return RUT_ERR_MEMORY;
  const double time = rut_time(data);
  // after a reset
  if (time < watch->time && !begin(watch, model)) return RUT_ERR_MEMORY;
  if (watch->every == 0 || rut_steps(data) % watch->every != 0) return RUT_OK;
  if (time == watch->time || rut_steps(data) == 0) return RUT_OK;
  watch->time = time;
  watch->looks++;
  for (int i = 0; i < watch->vehicles; i++) look_at(watch, model, data, i, event, user);
  return RUT_OK;
}

int rut_soil_watch_found(const rutSoilWatch* watch) { return watch->found; }

rutSoilEvent rut_soil_watch_event(const rutSoilWatch* watch, int index, double* share) {
  const Known* known = &watch->known[watch->told[index]];
  *share = watch->looks > 0 ? (double)known->looks / (double)watch->looks : 0;
  return known->first;
}

static double to_centimetre(double length) { return rut_floor(100 * length + 0.5) / 100; }

void rut_soil_event_text(const rutModel* model, const rutSoilEvent* e, char* text, size_t size) {
  char who[120] = "the chassis", what[60];
  if (e->wheel >= 0) {
    const int wheel = rut_vehicle_info(model, e->vehicle).first_wheel + e->wheel;
    snprintf(who, sizeof who, "wheel '%.80s'", rut_name(model, RUT_WHEEL, wheel));
  }
  if (e->limit == RUT_SOIL_LIMIT_hull) {
    snprintf(what, sizeof what, "%.0f %% of the weight", 100 * e->value);
  } else if (e->limit == RUT_SOIL_LIMIT_pressure) {
    snprintf(what, sizeof what, "%.3g kPa", 1e-3 * e->value);
  } else {
    snprintf(what, sizeof what, "%.0f mm", 1e3 * e->value);
  }
  snprintf(text, size, "'%.80s', %s, in soil '%.60s': %s (%s) at t = %.2f s, x = %g m, y = %g m",
           rut_name(model, RUT_VEHICLE, e->vehicle), who, rut_name(model, RUT_SOIL, e->soil),
           rut_soil_limit_doc(e->limit), what, e->time, to_centimetre(e->position[0]),
           to_centimetre(e->position[1]));
}
