// SPDX-License-Identifier: BSD-3-Clause
//
// Torques that a program gives to a drive between steps.
#include <string.h>

#include "sim/query.h"

static bool holds_torques(const rutDriveType* drive) {
  if (!drive || drive->base.states == 0) return false;
  const rutVariable* first = &drive->base.state[0];
  return strcmp(first->name, RUT_HELD_TORQUE) == 0 && strcmp(first->shape, "wheels") == 0;
}

rutStatus rut_hold_torques(const rutModel* model, rutData* data, int vehicle, int n,
                           const double* torque) {
  if (vehicle < 0 || vehicle >= model->vehicles || !rut_data_is_of(data, model)) {
    return RUT_ERR_ARGUMENT;
  }
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  if (!holds_torques(g->drive)) return RUT_ERR_MODEL;
  if (n != g->wheels) return RUT_ERR_ARGUMENT;
  for (int w = 0; w < n; w++) {
    if (!(torque[w] - torque[w] == 0)) return RUT_ERR_ARGUMENT;
  }
  double* b = rut_batch(data, g, r->slot / g->lanes) + r->slot % g->lanes;
  for (int w = 0; w < n; w++) b[(g->row.drive + w) * g->lanes] = torque[w];
  return RUT_OK;
}
