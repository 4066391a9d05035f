// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/accelerate.h"

#include "mbd/corners.h"

// A row of the mechanisms of the wheels e.
#define C(name)       RUT_CORNER_ROW(e, name)
#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

// What the wheels get, the rows of the first tile standing for all; torque: from their carriers.
RUT_INLINE rutWheelForces wheel_forces(rutWheels e, const double* torque) {
  return (rutWheelForces){.momentum = W(momentum),
                          .held = W(held),
                          .coupling = W(coupling),
                          .along_x = W(tx),
                          .along_y = W(ty),
                          .along_z = W(tz),
                          .fx = W(force_x),
                          .fy = W(force_y),
                          .fz = W(force_z),
                          .mx = W(moment_x),
                          .my = W(moment_y),
                          .mz = W(moment_z),
                          .torque = torque,
                          .lift = W(lift),
                          .soft = W(soft),
                          .wxx = W(wxx),
                          .wyy = W(wyy),
                          .wzz = W(wzz),
                          .wxy = W(wxy),
                          .wxz = W(wxz),
                          .wyz = W(wyz)};
}

static rutChassisIn chassis_in(const rutStageMotion* motion, const rutDynamics* on) {
  const rutChassis* chassis = on->chassis;
  return (rutChassisIn){.omega = motion->v,
                        .gravity = chassis->gravity,
                        .force = chassis->force,
                        .moment = chassis->moment,
                        .soft_body = on->touches ? chassis->hull_soft : NULL};
}

// What the speeds of the wheels of shaft k against the chassis, spin and the carrier's turning
// together, have to change by in lane l.
static double stop_shaft(double dt, const rutVehicleBatch* batch, const rutStageMotion* motion,
                         rutTiles all, int k, int l) {
  const int lanes = all.lanes, n = batch->vehicle->body.n, wheels = batch->vehicle->wheels * lanes;
  const double* ratio = SPATIAL(shaft_ratio) + k * n;
  double sum = 0;
  for (int i = l; i < wheels; i += lanes) {
    const rutWheels e = rut_part(rut_tile(all, i / all.n), i % all.n);
    const double tilts =
        *C(move_w_x) * *C(axis_x) + *C(move_w_y) * *C(axis_y) + *C(move_w_z) * *C(axis_z);
    sum += ratio[i] * (motion->spin[i] + tilts);
  }
  return sum / dt;
}

// Shafts that cannot turn and do are stopped within the step.
static void stop_rigid(double dt, const rutVehicleBatch* batch, const rutStageMotion* motion,
                       rutTiles all, double* correction) {
  const int lanes = all.lanes, shafts = batch->vehicle->shafts;
  const double* inverse_inertia = SPATIAL(inverse_inertia);
  for (int k = 0; k < shafts; k++) {
    for (int l = 0; l < lanes; l++) {
      const bool free = inverse_inertia[k * lanes + l] > 0;
      correction[k * lanes + l] = free ? 0 : stop_shaft(dt, batch, motion, all, k, l);
    }
  }
}

// Linkages on elastic columns. All accelerations, and the effort E that the linkage takes,
// are straight lines over its own acceleration s''; that of the column's torque at the end of the
// step is
//   J s'' + E(s'') = k (g - s) + c (g' - s') + stop,
// g being the motion of the column's upper end. The linkage ends at its lock.
static void steer_by_column(const rutVehicleBatch* batch, const rutStageMotion* motion,
                            const rutCornersIn* in, double* scratch, const rutCornersOut* out) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  static const double STOP_RATE = 1e6, STOP_TIME = 2e-3;  // [N m/rad], damping over stiffness [s]
  const double h = motion->implicit, k = vehicle->steer_stiffness, c = vehicle->steer_damping;
  const double *linkage = SPATIAL(linkage), *column = SPATIAL(column);
  const double* given = SPATIAL(column_change);
  double *change = SPATIAL(linkage_change), before[RUT_MBD_LANES], torque[RUT_MBD_LANES];
  double soft[RUT_MBD_LANES];
  for (int l = 0; l < lanes; l++) {
    const double last = change[l], at = linkage[l], rate = linkage[lanes + l];
    const double g = column[l] + h * (column[lanes + l] + 0.5 * h * given[l]);
    const double gd = column[lanes + l] + h * given[l];
    const double beyond = at - rut_clamp(at, -vehicle->steer_lock, vehicle->steer_lock);
    const double stop = beyond != 0 ? STOP_RATE : 0, damps = STOP_TIME * stop;
    torque[l] =
        k * (g - at - h * rate) + c * (gd - rate) - stop * (beyond + h * rate) - damps * rate;
    soft[l] = h * (c + damps + h * (k + stop));
    before[l] = last;
  }
  // two places of the line
  double first[RUT_MBD_LANES];
  for (int l = 0; l < lanes; l++) {
    first[l] = out->effort[l];
    change[l] = before[l] + 1;
  }
  rut_corners_accelerate(&vehicle->body, in, scratch, out);
  for (int l = 0; l < lanes; l++) {
    const double slope = out->effort[l] - first[l], effort = first[l] - slope * before[l];
    change[l] = (torque[l] - effort) / (vehicle->steer_inertia + slope + soft[l]);
  }
  rut_corners_accelerate(&vehicle->body, in, scratch, out);
}

// Wheels on mechanisms, or coupled by shafts.
static void accelerate_corners(const rutVehicleBatch* batch, const rutStageMotion* motion,
                               const rutDynamics* on, const double* correction, rutTiles all) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutChassis* chassis = on->chassis;
  const rutWheels e = rut_tile(all, 0);
  const rutCornersIn in = {.chassis = chassis_in(motion, on),
                           .stride = all.stride,
                           .corner = C(hub_x),
                           .mass = vehicle->corner_mass,
                           .steer_gain = vehicle->steer_gain,
                           .steer_change = SPATIAL(linkage_change),
                           .wheel = wheel_forces(e, W(own_torque)),
                           .drive = W(drive_torque),
                           .shafts = vehicle->shafts,
                           .shaft_ratio = SPATIAL(shaft_ratio),
                           .inverse_inertia = SPATIAL(inverse_inertia),
                           .correction = correction,
                           .spin_yield = W(spin_yield),
                           .spin_force = W(spin_share),
                           .spin_free = W(spin_known),
                           .spin_turn = W(spin_turn)};
  const rutCornersOut out = {.alpha = chassis->alpha,
                             .acceleration = chassis->acceleration,
                             .slide = motion->slide_rate,
                             .hub_x = W(hub_x),
                             .hub_y = W(hub_y),
                             .hub_z = W(hub_z),
                             .about = W(about),
                             .shaft = W(shaft_torque),
                             .effort = chassis->effort};
  rut_corners_accelerate(&vehicle->body, &in, on->scratch, &out);
  if (vehicle->steer_stiffness > 0) steer_by_column(batch, motion, &in, on->scratch, &out);
}

// Wheels on slides.
static void accelerate_slides(const rutVehicleBatch* batch, const rutStageMotion* motion,
                              const rutDynamics* on, rutTiles all) {
  const rutChassis* chassis = on->chassis;
  const rutWheels e = rut_tile(all, 0);
  const rutSlidersIn in = {.stride = all.stride,
                           .chassis = chassis_in(motion, on),
                           .position = motion->slide,
                           .speed = motion->slide_speed,
                           .axis_x = W(ax),
                           .axis_y = W(ay),
                           .wheel = wheel_forces(e, W(shaft))};
  const rutSlidersOut out = {.alpha = chassis->alpha,
                             .acceleration = chassis->acceleration,
                             .slide = motion->slide_rate,
                             .hub_x = W(hub_x),
                             .hub_y = W(hub_y),
                             .hub_z = W(hub_z)};
  rut_sliders_accelerate(&batch->vehicle->body, &in, on->scratch, &out);
}

size_t rut_dynamics_scratch(const rutVehicleClass* vehicle) {
  return vehicle->corners ? rut_corners_scratch(&vehicle->body)
                          : rut_sliders_scratch(&vehicle->body);
}

void rut_accelerate(double dt, const rutVehicleBatch* batch, const rutStageMotion* motion,
                    const rutDynamics* on, rutTiles all) {
  const int lanes = all.lanes;
  if (batch->vehicle->corners) {
    double correction[RUT_MAX_SHAFTS * RUT_MBD_LANES];
    stop_rigid(dt, batch, motion, all, correction);
    accelerate_corners(batch, motion, on, correction, all);
  } else {
    accelerate_slides(batch, motion, on, all);
  }
  for (int i = 0; i < 3 * lanes; i++) {
    motion->rate[i] = on->chassis->alpha[i];
    motion->rate[3 * lanes + i] = on->chassis->acceleration[i];
  }
}
