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

rutDriveResult rut_drive_result(const rutModel* model, const rutData* data, int vehicle) {
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  const int lanes = g->lanes;
  const double* row = rut_batch(data, g, r->slot / lanes) + r->slot % lanes;
  return (rutDriveResult){.dt = model->dt,
                          .demand = row + g->row.demand * lanes,
                          .speed = row + g->row.start_speed * lanes,
                          .torque = row + g->row.torque * lanes,
                          .state = row + g->row.drive * lanes,
                          .stride = lanes};
}

bool rut_motor_currents(const rutModel* model, const rutData* data, int vehicle, double* out) {
  const rutGroup* g = &model->group[model->vehicle[vehicle].group];
  if (!g->drive || !g->drive->current || g->control.imposes_twist) return false;
  const rutDriveResult seen = rut_drive_result(model, data, vehicle);
  return g->drive->current(g->drive_param, &g->layout, &seen, out);
}
