// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/drive_step.h"

#include "math/rut_math.h"
#include "mbd/rolling.h"

enum { MOST_STATES = 64 };
static const double KEPT = 0.999;  // part of the torque at rest below which it is told

// Largest demand that changes a torque of the wheels at rest, in steps of dt.
static double most_demand(const rutGroup* g, double dt, const void* plan) {
  const double zero[RUT_MAX_WHEELS] = {0};
  double state[MOST_STATES] = {0}, low[RUT_ROLLING_INPUTS], high[RUT_ROLLING_INPUTS], most = 0;
  for (int i = 0; i < g->inputs; i++) {
    low[i] = -RUT_INFINITY;
    high[i] = RUT_INFINITY;
  }
  g->drive->limits(g->drive_param, &g->layout, &(rutDriveIn){1, dt, NULL, zero, plan}, state, low,
                   high);
  for (int i = 0; i < g->inputs; i++) most = rut_max(most, high[i]);
  return most;
}

void rut_draft_warn_drive_step(const rutDraft* draft, const rutModel* model) {
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    if (!g->drive || !g->drive->limits || g->inputs > RUT_ROLLING_INPUTS) continue;
    if (g->mechanism || g->drive_states > MOST_STATES) continue;
    const double most = most_demand(g, 0, NULL);
    const double left = most_demand(g, model->dt, g->drive_plan);
    if (!(most < RUT_INFINITY) || left >= KEPT * most) continue;
    const rutDraftVehicle* first = rut_list_at(&draft->vehicle, g->member[0]);
    rut_node_warning(draft->spec, first->node, NULL,
                     "its drive gives %.3g N m of %.3g N m on wheels so light that without load "
                     "they would pass its no-load speed within a step of %g ms: take at most %.2g "
                     "ms, or a larger wheel inertia, with that of the rotors",
                     left, most, 1e3 * model->dt, 1e3 * model->dt * left / most);
  }
}
