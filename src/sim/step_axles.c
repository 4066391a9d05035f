// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles on axles in the step of a model: hands batches to src/vehicle, which does the work.
#include "sim/step_axles.h"

#include <string.h>

#include "sim/lap.h"
#include "vehicle/control.h"
#include "vehicle/energy.h"
#include "vehicle/hull_soil.h"
#include "vehicle/integrate.h"
#include "vehicle/kinematic.h"
#include "vehicle/observe.h"
#include "vehicle/start.h"

// What vehicles on axles see of the world.
static rutEnvironment environment_of(const rutModel* model, const rutData* data) {
  return (rutEnvironment){.time = data->time,
                          .dt = model->dt,
                          .step = data->steps,
                          .control = &data->control,
                          .gravity = model->gravity,
                          .rk4 = model->rk4,
                          .ground = data->ground,
                          .lift = data->lift,
                          .highest_ground = model->highest_ground,
                          .soft = data->soft,
                          .lane_soft = data->lane_soft,
                          .soils = model->soils,
                          .soil = model->soil,
                          .lane_soil = data->lane_soil,
                          .soft_soils = model->soft_soils,
                          .waters = &model->waters,
                          .stage = data->profile ? ((rutData*)(uintptr_t)data)->stage : NULL};
}

void rut_axles_velocity(const rutModel* model, rutData* data, const rutGroup* group, int batch,
                        unsigned char* memory) {
  rutEnvironment world = environment_of(model, data);
  world.vehicle = group->member + (ptrdiff_t)batch * group->lanes;
  const rutVehicleBatch vehicles = rut_vehicle_batch(data, group, batch);
  double since = data->profile ? rut_clock() : 0;
  rut_vehicle_control(&world, &vehicles, batch);
  since = rut_lap(data, RUT_STAGE_control, since);
  // it measures by itself the time of ground and tyres
  const double told = data->stage[RUT_STAGE_terrain] + data->stage[RUT_STAGE_tyre];
  rut_vehicle_velocity(&world, &vehicles, memory);
  const double own = data->stage[RUT_STAGE_terrain] + data->stage[RUT_STAGE_tyre] - told;
  rut_lap(data, RUT_STAGE_dynamics, since + own);
}

void rut_axles_position(const rutModel* model, rutData* data, const rutGroup* group, int batch) {
  const rutEnvironment world = environment_of(model, data);
  const rutVehicleBatch vehicles = rut_vehicle_batch(data, group, batch);
  rut_vehicle_position(&world, &vehicles);
  rut_vehicle_observe(&vehicles);
  rut_vehicle_odometry(model->dt, &vehicles, batch);
}

void rut_axles_guide(const rutModel* model, rutData* data, const rutGroup* group, double dt,
                     const rutGuide* guide, rutGuided* out) {
  rutEnvironment world = environment_of(model, data);
  const rutVehicleBatch batch = rut_vehicle_batch(data, group, 0);
  memcpy(rut_backup(data, group, 0), batch.table, (size_t)group->row.state_rows * sizeof(double));
  world.dt = dt;
  world.rk4 = 0;
  rut_guide_step(&world, &batch, guide, data->scratch, out);
}

void rut_axles_reset(const rutModel* model, rutData* data, int vehicle) {
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* group = &model->group[r->group];
  const rutEnvironment world = environment_of(model, data);
  const rutVehicleBatch batch = rut_vehicle_batch(data, group, r->slot / group->lanes);
  rutVehicleStart start = {
      .on_ground = r->on_ground, .rolling = r->rolling, .sag = r->sag, .tilt = r->tilt};
  memcpy(start.pose, r->start, sizeof start.pose);
  memcpy(start.velocity, r->velocity, sizeof start.velocity);
  rut_vehicle_start(&world, &batch, r->slot % group->lanes, &start);
}

void rut_axles_settle(const rutModel* model, rutData* data, const rutGroup* group) {
  const rutEnvironment world = environment_of(model, data);
  for (int b = 0; rut_vehicle_is_kinematic(group->spatial) && b < group->batches; b++) {
    const rutVehicleBatch batch = rut_vehicle_batch(data, group, b);
    rut_kinematic_settle(&world, &batch, data->scratch);
  }
}

static size_t batch_numbers(const rutGroup* group) {
  return (size_t)group->row.rows * (size_t)group->lanes;
}

size_t rut_axles_largest_batch(const rutModel* model) {
  size_t most = 0;
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    if (g->spatial && batch_numbers(g) > most) most = batch_numbers(g);
  }
  return most;
}

void rut_axles_start_loads(const rutModel* model, rutData* data, const rutGroup* group,
                           double* copy) {
  rutEnvironment world = environment_of(model, data);
  // nothing but the batch is written
  world.soft = NULL;
  world.lane_soft = NULL;
  world.stage = NULL;
  const int n = group->lanes;
  const size_t size = batch_numbers(group) * sizeof *copy;
  for (int b = 0; b < group->batches; b++) {
    rutVehicleBatch batch = rut_vehicle_batch(data, group, b);
    batch.press = NULL;
    memcpy(copy, batch.table, size);
    rut_vehicle_velocity(&world, &batch, data->scratch);
    for (int l = 0; l < n; l++) {
      const rutVehicleRecord* r = &model->vehicle[group->member[b * n + l]];
      const double* load = batch.table + group->row.load * n + l;
      for (int w = 0; w < group->wheels; w++) data->start_load[r->first_wheel + w] = load[w * n];
    }
    memcpy(batch.table, copy, size);
  }
}

void rut_axles_print(const rutModel* model, rutData* data, const rutGroup* group) {
  const rutEnvironment world = environment_of(model, data);
  for (int k = 0; model->soft_soils && k < group->count; k++) {
    const int slot = rut_group_slot(group, k);
    const rutVehicleBatch batch = rut_vehicle_batch(data, group, slot / group->lanes);
    rut_hull_print(&world, &batch, slot % group->lanes, data->soft);
  }
}

void rut_axles_begin_energy(const rutModel* model, rutData* data, int vehicle) {
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* group = &model->group[r->group];
  const rutVehicleBatch batch = rut_vehicle_batch(data, group, r->slot / group->lanes);
  rut_vehicle_begin_energy(model->gravity, &batch, r->slot % group->lanes);
}

bool rut_vehicle_energy(const rutModel* model, const rutData* data, int vehicle, rutEnergy* out) {
  if (out) *out = (rutEnergy){0};
  if (vehicle < 0 || vehicle >= model->vehicles || !rut_data_is_of(data, model)) return false;
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* group = &model->group[r->group];
  if (!group->spatial) return false;
  if (!out) return true;
  const rutVehicleBatch batch = rut_vehicle_batch(data, group, r->slot / group->lanes);
  const double step = model->rk4 ? 0 : model->dt;
  rut_vehicle_balance(model->gravity, step, &batch, r->slot % group->lanes, out);
  return true;
}
