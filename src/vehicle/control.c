// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/control.h"

#include <string.h>

#include "vehicle/inflation.h"
#include "vehicle/kinematic.h"
#include "vehicle/lane_drive.h"
#include "vehicle/observe.h"
#include "vehicle/shafts.h"
#include "vehicle/stability.h"
#include "vehicle/steering.h"

#define ROW(name)     RUT_STATE(batch, name)
#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

// Angles of the contacts along the heading.
RUT_CLONES static void contact_slopes(const rutVehicleBatch* batch, double* slope) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int n = vehicle->wheels * vehicle->lanes;
  const double* restrict along = SPATIAL(normal_along), * restrict up = SPATIAL(normal_up);
#pragma omp simd
  for (int i = 0; i < n; i++) slope[i] = rut_atan2(-along[i], up[i]);
}

// What is asked for in the middle of the step and at its end, for an integrator that looks there.
static void look_ahead(const rutControlStep* step, const rutControlMeasured* measured,
                       const rutVehicleBatch* batch) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutRows* row = &vehicle->row;
  const int lanes = vehicle->lanes, inputs = vehicle->inputs;
  const int commands = row->command_end - row->command;
  double* const given = ROW(course) + 2 * commands * lanes;
  bool some = false;
  for (int l = 0; l < lanes; l++) some = some || given[l] > 0;
  for (int k = 0; k < 2; k++) {
    double* to = ROW(later) + k * (inputs + 2) * lanes;
    double twist[3 * RUT_MBD_LANES];
    const rutControlOut out = {.demand = to,
                               .steer = to + inputs * lanes,
                               .brake = to + (inputs + 1) * lanes,
                               .twist = twist};
    memcpy(out.demand, ROW(demand), (size_t)(inputs * lanes) * sizeof *to);
    memcpy(out.steer, ROW(steer), (size_t)lanes * sizeof *to);
    memcpy(out.brake, SPATIAL(brake), (size_t)lanes * sizeof *to);
    if (!some) continue;
    double* command = ROW(course) + k * commands * lanes;
    for (int i = 0; i < commands * lanes; i++) {
      const bool holds = !(given[i % lanes] > 0) || command[i] != command[i];
      if (holds) command[i] = ROW(command)[i];
    }
    rut_control_ahead(step, measured, command, &out);
  }
  memset(given, 0, (size_t)lanes * sizeof *given);
}

static void run_controllers(const rutEnvironment* world, const rutVehicleBatch* batch, int index) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  const rutControlStep step = {.stack = &vehicle->control,
                               .layout = &vehicle->layout,
                               .own = vehicle->own_control,
                               .lanes = lanes,
                               .inputs = vehicle->inputs,
                               .first_slot = index * lanes,
                               .vehicle = world->vehicle,
                               .dt = world->dt,
                               .step = world->step,
                               .table = batch->table,
                               .host = world->control,
                               .job = batch->job};
  double roll[RUT_MBD_LANES], pitch[RUT_MBD_LANES], yaw[RUT_MBD_LANES];
  double slope[RUT_MAX_WHEELS * RUT_MBD_LANES];
  const bool attitude = rut_control_looks(&step, RUT_USES_POSE | RUT_USES_PITCH);
  const bool contact = rut_control_looks(&step, RUT_USES_CONTACT);
  for (int l = 0; attitude && l < lanes; l++) {
    const rutVec3 rpy = rut_vehicle_attitude(batch, l);
    roll[l] = rpy.x;
    pitch[l] = rpy.y;
    yaw[l] = rpy.z;
  }
  if (contact) contact_slopes(batch, slope);
  const rutControlMeasured measured = {.vx = ROW(body_vx),
                                       .vy = ROW(body_vy),
                                       .yaw_rate = ROW(yaw_rate),
                                       .odo_speed = ROW(odo_speed),
                                       .odo_rate = ROW(odo_rate),
                                       .pitch = attitude ? pitch : NULL,
                                       .speed = ROW(start_speed),
                                       .steer = ROW(yaw),
                                       .position = SPATIAL(position),
                                       .yaw = attitude ? yaw : NULL,
                                       .roll = attitude ? roll : NULL,
                                       .load = ROW(load),
                                       .slope = contact ? slope : NULL,
                                       .arm_x = SPATIAL(arm_x),
                                       .arm_z = SPATIAL(arm_z),
                                       .grip = SPATIAL(grip)};
  const rutControlOut out = {
      .demand = ROW(demand), .steer = ROW(steer), .twist = ROW(twist), .brake = SPATIAL(brake)};
  rut_control_run(&step, &measured, &out);
  if (world->rk4) look_ahead(&step, &measured, batch);
}

void rut_vehicle_control(const rutEnvironment* world, const rutVehicleBatch* batch, int index) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const double dt = world->dt;
  const rutDriveType* drive = vehicle->drive;
  const int lanes = vehicle->lanes;
  const double* spin = ROW(v) + (RUT_CHASSIS_SPEEDS + vehicle->pad) * lanes;
  memcpy(ROW(start_speed), spin, (size_t)vehicle->body.n * sizeof *spin);
  if (vehicle->control.n > 0) run_controllers(world, batch, index);
  if (vehicle->stability > 0) {
    rut_control_tell(world->control, world->vehicle[0], -1, "stability", true);
    rut_vehicle_stabilise(batch, dt);
    rut_control_tell(world->control, world->vehicle[0], -1, "stability", false);
  }
  if (vehicle->pressures > 0) rut_vehicle_inflate(batch, dt);
  // what is imposed needs neither steering nor drive
  if (rut_vehicle_is_kinematic(vehicle)) return;
  // Runge-Kutta steps steer from stage to stage
  if (!world->rk4) rut_vehicle_steer(dt, batch);
  if (!drive) return;
  const rutDriveIn in = {.lanes = lanes,
                         .dt = dt,
                         .demand = rut_asked_demand(batch),
                         .speed = ROW(start_speed),
                         .plan = vehicle->drive_plan};
  if (vehicle->own_drive) {
    rut_lanes_drive(batch, &in);
  } else {
    drive->torque(vehicle->drive_param, &vehicle->layout, &in, ROW(drive), ROW(torque));
  }
  if (vehicle->shafts) rut_vehicle_couple(batch);
  if (!drive->power) return;
  double power[RUT_MBD_LANES];
  if (vehicle->own_drive) {
    rut_lanes_power(batch, power);
  } else {
    drive->power(vehicle->drive_param, &vehicle->layout, lanes, ROW(start_speed), ROW(drive),
                 power);
  }
  for (int l = 0; l < lanes; l++) SPATIAL(consumed)[l] += dt * power[l];
}
