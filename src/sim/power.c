// SPDX-License-Identifier: BSD-3-Clause
#include "sim/power.h"

double rut_power_drawn(const rutModel* model, const rutData* data, int vehicle) {
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  if (!g->drive || !g->drive->power || g->control.imposes_twist) return 0;
  const double* b = rut_batch(data, g, r->slot / g->lanes);
  double power[RUT_MBD_LANES];
  g->drive->power(g->drive_param, &g->layout, g->lanes, b + g->row.start_speed * g->lanes,
                  b + g->row.drive * g->lanes, power);
  return power[r->slot % g->lanes];
}
