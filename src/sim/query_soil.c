// SPDX-License-Identifier: BSD-3-Clause
//
// Forces of a world's soils on a single wheel, and wheels of vehicles in them.
#include "sim/query.h"
#include "soil/drawbar.h"

// NULL if there is none. The first record is that of places without any soil.
static const rutSoilRecord* find_soil(const rutModel* model, int soil) {
  return soil >= 0 && soil < model->soils - 1 ? &model->soil[soil + 1] : NULL;
}

rutSoilInfo rut_soil_info(const rutModel* model, int soil) {
  const rutSoilRecord* r = find_soil(model, soil);
  if (!r) return (rutSoilInfo){.name = "", .type = ""};
  return (rutSoilInfo){model->name[RUT_SOIL][soil], r->type->base.name, r->type->sink != NULL};
}

rutSoilWheel rut_default_soil_wheel(void) {
  return (rutSoilWheel){.struct_size = sizeof(rutSoilWheel),
                        .radius = 0.47,
                        .width = 0.3175,
                        .section_height = 0.26,
                        .load = 6500,
                        .stiffness = 411e3,
                        .crossover = 0.09};
}

bool rut_soil_point(const rutModel* model, int soil, const rutSoilWheel* wheel, rutSoilPoint* out) {
  const rutSoilRecord* r = find_soil(model, soil);
  *out = (rutSoilPoint){0};
  return r && rut_drawbar(r->type, r->param, r->derived, wheel, out);
}

const char* rut_soil_limit_name(rutSoilLimit limit) {
#define X(name, doc) #name,
  static const char* const name[] = {RUT_SOIL_LIMIT_LIST(X)};
#undef X
  return (unsigned)limit < RUT_SOIL_LIMIT_COUNT ? name[limit] : "";
}

const char* rut_soil_limit_doc(rutSoilLimit limit) {
#define X(name, doc) doc,
  static const char* const text[] = {RUT_SOIL_LIMIT_LIST(X)};
#undef X
  return (unsigned)limit < RUT_SOIL_LIMIT_COUNT ? text[limit] : "";
}

rutSoilContact rut_soil_contact(const rutModel* model, const rutData* data, int wheel) {
  rutSoilContact out = {.soil = -1};
  if (wheel < 0 || wheel >= model->wheels || !rut_data_is_of(data, model)) return out;
  const rutVehicleRecord* r = &model->vehicle[rut_wheel_owner(model, wheel)];
  const rutGroup* g = &model->group[r->group];
  if (!g->spatial) return out;
  const int lanes = g->lanes, lane = r->slot % lanes, w = wheel - r->first_wheel;
  const double* batch = rut_batch(data, g, r->slot / lanes) + lane;
#define ROW(name) batch[(g->row.name + w) * lanes]
  const int soil = (int)ROW(on_soil);
  if (soil <= 0) return out;
  const rutSoilRecord* record = &model->soil[soil];
  out.soil = soil - 1;
  out.dug = ROW(spatial.dug);
  out.sinkage = ROW(spatial.sinkage) + out.dug;
  out.pressure = ROW(soil_pressure);
  out.limits = rut_soil_limits(record->type, record->param, out.sinkage - out.dug, out.dug,
                               out.pressure, g->radius[w * lanes + lane]);
#undef ROW
  return out;
}

double rut_hull_share(const rutModel* model, const rutData* data, int vehicle) {
  if (vehicle < 0 || vehicle >= model->vehicles || !rut_data_is_of(data, model)) return 0;
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  if (!g->spatial || !(model->gravity > 0)) return 0;
  const double* batch = rut_batch(data, g, r->slot / g->lanes) + r->slot % g->lanes;
  return batch[g->row.hull_load * g->lanes] / (g->spatial->total_mass[0] * model->gravity);
}
