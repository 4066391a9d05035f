// SPDX-License-Identifier: BSD-3-Clause
#include "host/way_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/rut_math.h"

static const double PERIOD = 0.02;  // between two looks [s]
static const double NO_WAY = 4;     // goal_state

// A vehicle that says so.
typedef struct Said {
  rutVariableRange range;  // of its goal_state
  bool none;               // there is no way
} Said;

struct rutWayWatch {
  bool begun;
  uint64_t model;  // hash of the model that the fields below belong to
  int n;
  int64_t every;  // steps between two looks
  double time;    // of the last one [s]
  Said* said;     // [n]
};

rutWayWatch* rut_way_watch_create(void) { return calloc(1, sizeof(rutWayWatch)); }

void rut_way_watch_destroy(rutWayWatch* watch) {
  if (!watch) return;
  free(watch->said);
  free(watch);
}

// Index of a vehicle's output goal_state, -1 if it has none.
static int state_of(const rutModel* model, int vehicle) {
  const int n = rut_variables(model, RUT_VEHICLE, vehicle, RUT_OUTPUT);
  for (int i = 0; i < n; i++) {
    const rutVariableInfo info = rut_variable(model, RUT_VEHICLE, vehicle, RUT_OUTPUT, i);
    if (info.count == 1 && strcmp(info.name, "goal_state") == 0) return i;
  }
  return -1;
}

static bool begin(rutWayWatch* watch, const rutModel* model) {
  const int vehicles = rut_count(model, RUT_VEHICLE);
  free(watch->said);
  memset(watch, 0, sizeof *watch);
  watch->model = rut_model_hash(model);
  watch->time = -1;
  watch->said = calloc((size_t)vehicles + 1, sizeof *watch->said);
  if (!watch->said) return false;
  for (int i = 0; i < vehicles; i++) {
    const int first = state_of(model, i);
    if (first < 0) continue;
    watch->said[watch->n++].range = (rutVariableRange){RUT_VEHICLE, i, RUT_OUTPUT, first, 1};
  }
  const double steps = rut_floor(PERIOD / rut_model_timestep(model) + 1e-9);
  watch->every = steps >= 1 ? (int64_t)steps : 1;
  watch->begun = true;
  return true;
}

rutStatus rut_way_watch_update(rutWayWatch* watch, const rutModel* model, const rutData* data,
                               rutWayHandler event, void* user) {
  const bool known = watch->begun && watch->model == rut_model_hash(model);
  const double time = rut_time(data);
  // after a reset all begins anew
  if ((!known || time < watch->time) && !begin(watch, model)) return RUT_ERR_MEMORY;
  if (watch->n == 0 || rut_steps(data) % watch->every != 0 || time == watch->time) return RUT_OK;
  watch->time = time;
  for (int i = 0; i < watch->n; i++) {
    Said* said = &watch->said[i];
    double state = 0;
    rut_variables_read(model, data, &said->range, 1, &state);
    if ((state == NO_WAY) == said->none) continue;
    said->none = !said->none;
    const rutVehicleState at = rut_vehicle_state(model, data, said->range.index);
    rutWayEvent now = {.vehicle = said->range.index, .found = !said->none, .time = time};
    for (int k = 0; k < 3; k++) now.position[k] = at.position[k];
    if (event) event(&now, user);
  }
  return RUT_OK;
}

void rut_way_event_text(const rutModel* model, const rutWayEvent* event, char* text, size_t size) {
  snprintf(text, size, "'%s' %s at t = %.6g s, x = %.6g m, y = %.6g m",
           rut_name(model, RUT_VEHICLE, event->vehicle),
           event->found ? "sees a way to its goal again" : "sees no way to its goal", event->time,
           event->position[0], event->position[1]);
}
