// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles on axles in the step of a model: src/vehicle does the work, on what it is handed here.
#include "sim/step_axles.h"

#include <string.h>

#include "sim/lap.h"
#include "vehicle/control.h"
#include "vehicle/energy.h"
#include "vehicle/integrate.h"
#include "vehicle/kinematic.h"
#include "vehicle/observe.h"
#include "vehicle/start.h"

rutEnvironment rut_environment(const rutModel* model, const rutData* data) {
  return (rutEnvironment){.time = data->time,
                          .dt = model->dt,
                          .step = data->steps,
                          .control = &data->control,
                          .gravity = model->gravity,
                          .rk4 = model->rk4,
                          .ground = model->ground,
                          .lift = data->lift,
                          .highest_ground = model->highest_ground,
                          .soft = data->soft,
                          .soil = model->soil,
                          .soft_soils = model->soft_soils,
                          .stage = data->profile ? ((rutData*)(uintptr_t)data)->stage : NULL};
}

void rut_axles_velocity(const rutModel* model, rutData* data, const rutGroup* group, int batch,
                        unsigned char* memory) {
  const rutEnvironment world = rut_environment(model, data);
  const rutVehicleBatch vehicles = rut_vehicle_batch(data, group, batch);
  double since = data->profile ? rut_clock() : 0;
  rut_vehicle_control(&world, &vehicles, batch);
  since = rut_lap(data, RUT_STAGE_control, since);
  // it tells by itself what of its time went to the ground and to the tyres
  const double told = data->stage[RUT_STAGE_terrain] + data->stage[RUT_STAGE_tyre];
  rut_vehicle_velocity(&world, &vehicles, memory);
  const double own = data->stage[RUT_STAGE_terrain] + data->stage[RUT_STAGE_tyre] - told;
  rut_lap(data, RUT_STAGE_dynamics, since + own);
}

void rut_axles_position(const rutModel* model, rutData* data, const rutGroup* group, int batch) {
  const rutEnvironment world = rut_environment(model, data);
  const rutVehicleBatch vehicles = rut_vehicle_batch(data, group, batch);
  rut_vehicle_position(&world, &vehicles);
  rut_vehicle_observe(&vehicles);
  rut_vehicle_odometry(model->dt, &vehicles, batch);
}

void rut_axles_reset(const rutModel* model, rutData* data, int vehicle) {
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* group = &model->group[r->group];
  const rutEnvironment world = rut_environment(model, data);
  const rutVehicleBatch batch = rut_vehicle_batch(data, group, r->slot / group->lanes);
  rutVehicleStart start = {
      .on_ground = r->on_ground, .rolling = r->rolling, .sag = r->sag, .tilt = r->tilt};
  memcpy(start.pose, r->start, sizeof start.pose);
  memcpy(start.velocity, r->velocity, sizeof start.velocity);
  rut_vehicle_start(&world, &batch, r->slot % group->lanes, &start);
}

void rut_axles_settle(const rutModel* model, rutData* data, const rutGroup* group) {
  const rutEnvironment world = rut_environment(model, data);
  for (int b = 0; rut_vehicle_is_kinematic(group->spatial) && b < group->batches; b++) {
    const rutVehicleBatch batch = rut_vehicle_batch(data, group, b);
    rut_kinematic_settle(&world, &batch, data->scratch);
  }
}

void rut_axles_begin_energy(const rutModel* model, rutData* data, int vehicle) {
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* group = &model->group[r->group];
  const rutVehicleBatch batch = rut_vehicle_batch(data, group, r->slot / group->lanes);
  rut_vehicle_begin_energy(model->gravity, &batch, r->slot % group->lanes);
}

bool rut_vehicle_energy(const rutModel* model, const rutData* data, int vehicle, rutEnergy* out) {
  *out = (rutEnergy){0};
  if (vehicle < 0 || vehicle >= model->vehicles || !rut_data_is_of(data, model)) return false;
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* group = &model->group[r->group];
  if (!group->spatial) return false;
  const rutVehicleBatch batch = rut_vehicle_batch(data, group, r->slot / group->lanes);
  rut_vehicle_balance(model->gravity, &batch, r->slot % group->lanes, out);
  return true;
}
