// SPDX-License-Identifier: BSD-3-Clause
//
// Pressures of tyres, and their set points.
#include "math/rut_math.h"
#include "sim/query.h"
#include "sim/tyre_result.h"

#define POINT(name, doc) \
  { #name, "Pa", "", "", doc, RUT_F64, false, RUT_MEANS_NOTHING }
static const rutVariable points[1 + RUT_MAX_AXLES] = {
    POINT(tyre_pressure, "that tyres are to have; 0: that which they name"),
    POINT(tyre_pressure_1, "the same of the first axle"),
    POINT(tyre_pressure_2, "the same of the second axle"),
    POINT(tyre_pressure_3, "the same of the third axle"),
    POINT(tyre_pressure_4, "the same of the fourth axle"),
    POINT(tyre_pressure_5, "the same of the fifth axle"),
    POINT(tyre_pressure_6, "the same of the sixth axle"),
    POINT(tyre_pressure_7, "the same of the seventh axle"),
    POINT(tyre_pressure_8, "the same of the eighth axle"),
};

const rutVariable* rut_group_command(const rutGroup* g, const rutGroupCommand* c) {
  if (c->controller < 0) return &points[c->command];
  return &g->control.controller[c->controller].type->command[c->command];
}

rutStatus rut_set_tyre_pressure(const rutModel* model, rutData* data, int vehicle, int axle,
                                double pressure) {
  if (vehicle < 0 || vehicle >= model->vehicles || !rut_data_is_of(data, model)) {
    return RUT_ERR_ARGUMENT;
  }
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  const int axles = g->spatial ? g->spatial->pressures : 0;
  if (axles == 0) return RUT_ERR_MODEL;
  if (axle < -1 || axle >= axles || !(pressure >= 0 && pressure - pressure == 0)) {
    return RUT_ERR_ARGUMENT;
  }
  const bool each = g->spatial->each_axle > 0;
  if (axle >= 0 && !each) return RUT_ERR_MODEL;
  double* b = rut_batch(data, g, r->slot / g->lanes) + r->slot % g->lanes;
  for (int i = 0; i < g->commands; i++) {
    const rutGroupCommand* c = &g->command[i];
    if (c->controller < 0 && (axle < 0 || c->command == axle + 1)) b[c->row * g->lanes] = pressure;
  }
  return RUT_OK;
}

double rut_tyre_pressure(const rutModel* model, const rutData* data, int wheel) {
  if (wheel < 0 || wheel >= rut_count(model, RUT_WHEEL)) return 0;
  const rutVehicleRecord* r = &model->vehicle[rut_wheel_owner(model, wheel)];
  const rutGroup* g = &model->group[r->group];
  const int own = wheel - r->first_wheel;
  if (!g->spatial || g->spatial->pressures == 0) return rut_wheel_tyre(model, wheel).pressure;
  const rutWheelRun* run = g->spatial->tyre;
  while (own >= run->first + run->count) run++;
  return rut_batch(data, g, r->slot)[g->row.pressure + run->axle];
}
