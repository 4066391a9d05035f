// SPDX-License-Identifier: BSD-3-Clause
//
// The step that a world needs, by running it with shorter ones.
#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "math/rut_math.h"
#include "rut/descriptor.h"
#include "rut/host.h"

// Parts into which a timestep may be divided.
static const int parts[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};

static rutStatus run_with(const rutModel* model, rutData* data, const rutStepOptions* options,
                          rutInputs* inputs, rutStepWatch* watch, rutError* err) {
  const double step = rut_model_timestep(model);
  const int64_t steps = (int64_t)rut_floor(options->duration / step + 0.5);
  rut_data_reset(model, data, options->seed);
  for (int i = 0; i < rut_count(model, RUT_SENSOR); i++) rut_sensor_watch(model, data, i, false);
  rutStatus status = rut_step_watch_update(watch, model, data, NULL, NULL);
  for (int64_t i = 0; i < steps && status == RUT_OK; i++) {
    if (inputs) status = rut_inputs_apply(inputs, model, data);
    if (status == RUT_OK) status = rut_step(model, data, err);
    if (status == RUT_OK) status = rut_step_watch_update(watch, model, data, NULL, NULL);
  }
  return status;
}

// Largest share of a run of the spec as it stands; infinite where it diverges.
static rutStatus try_step(rutSpec* spec, const rutStepOptions* options, double* share,
                          rutError* err) {
  rutModel* model = NULL;
  rutInputs* inputs = NULL;
  rutStatus status = rut_compile(spec, &model, err);
  if (status != RUT_OK) return status;
  rutData* data = rut_data_create(model);
  rutStepWatch* watch = rut_step_watch_create();
  if (!data || !watch) status = rut_error_set(err, RUT_ERR_MEMORY, "no memory for a run");
  if (status == RUT_OK && options->inputs) {
    status = rut_inputs_load(model, options->inputs, &inputs, err);
    if (status == RUT_OK && options->interpolate) status = rut_inputs_interpolate(inputs, model);
  }
  if (status == RUT_OK) status = run_with(model, data, options, inputs, watch, err);
  if (watch) *share = rut_step_watch_share(watch);
  if (status == RUT_ERR_DIVERGED) {
    *share = RUT_INFINITY;
    status = RUT_OK;
  }
  rut_inputs_destroy(inputs);
  rut_step_watch_destroy(watch);
  rut_data_destroy(data);
  rut_model_destroy(model);
  return status;
}

static rutStatus set_step(rutSpec* spec, double step, rutError* err) {
  char text[40];
  snprintf(text, sizeof text, "%.17g s", step);
  return rut_spec_set(spec, "timestep", text, err);
}

// The timestep of a spec as it is compiled, which may follow from its sensors.
static rutStatus whole_step(rutSpec* spec, double* step, rutError* err) {
  rutModel* model = NULL;
  const rutStatus status = rut_compile(spec, &model, err);
  if (status == RUT_OK) *step = rut_model_timestep(model);
  rut_model_destroy(model);
  return status;
}

// The next division to try: the residual falls at least in proportion to the step.
static int next_of(int at, double share, double limit) {
  const double wanted = share < RUT_INFINITY ? parts[at] * share / limit : 0;
  int next = at + 1;
  while (next + 1 < RUT_COUNT_OF(parts) && parts[next] < 0.7 * wanted) next++;
  return next;
}

rutStatus rut_step_choose(rutSpec* spec, const rutStepOptions* options, rutStepChoice* out,
                          rutError* err) {
  const double limit = options->limit > 0 ? options->limit : RUT_STEP_LIMIT;
  double whole = 0;
  *out = (rutStepChoice){0};
  rutStatus status = whole_step(spec, &whole, err);
  for (int at = 0; status == RUT_OK; at = next_of(at, out->share, limit)) {
    out->parts = parts[at];
    out->timestep = whole / parts[at];
    status = set_step(spec, out->timestep, err);
    if (status == RUT_OK) status = try_step(spec, options, &out->share, err);
    out->runs++;
    if (out->share <= limit || at + 1 == RUT_COUNT_OF(parts)) break;
  }
  return status;
}
