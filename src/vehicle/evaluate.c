// SPDX-License-Identifier: BSD-3-Clause
//
// A wheel's way through an evaluation: its chassis, its hub, the ground that it meets, the patch of
// contact, the soil there, load and slip, what the ground gives, forces on the hub. All wheels
// together then give the accelerations, and these the forces as they acted.
//
// The default integrator takes stiff forces linearly implicitly: with a change of acceleration a
// they change by -W a, W being step x damping + step^2 x stiffness; Runge-Kutta steps take them as
// they are.
#include "vehicle/evaluate.h"

#include <string.h>

#include "vehicle/follow.h"
#include "vehicle/hitch.h"
#include "vehicle/hull.h"
#include "vehicle/traction.h"
#include "vehicle/wading.h"

// Times that the forces of a step are found, wheels that would pull on the ground letting go.
enum { RELEASES = 3 };

// Place and contact of the wheels of a tile.
RUT_INLINE void meet(const rutEnvironment* world, const rutVehicleBatch* batch, const rutWork* work,
                     const rutStageMotion* motion, rutWheels e) {
  meet_ground(world, batch, motion, &work->look, e);
  if (rut_has_faces(world, batch)) rut_follow_faces(world, batch, motion, e);
}

// Loads and traction of the wheels of a tile.
RUT_INLINE void grip(const rutEnvironment* world, const rutVehicleBatch* batch,
                     const rutStageMotion* motion, rutWheels e) {
  int soil[RUT_WHEEL_TILE];
  find_soils(world, batch, motion->spin, soil, e);
  load_wheels(world, batch, motion, e);
  rut_wheel_traction(world, batch, motion, soil, e);
  if (rut_has_faces(world, batch)) rut_follow_banks(world->dt, e);
  for (int from = 0; from < e.n; from += e.width) start_push(batch, rut_part(e, from));
}

// Forces, and the accelerations that they give. True if some wheel has lifted off since.
RUT_INLINE bool forces_and_accelerations(const rutEnvironment* world, const rutVehicleBatch* batch,
                                         const rutStageMotion* motion, const rutDynamics* on,
                                         rutTiles all) {
  bool released = false;
  for (int p = 0; p < rut_parts(all); p++) {
    find_forces(world, batch, motion, rut_part_at(all, p));
    if (batch->vehicle->envelops) press_sides(batch->vehicle, motion, rut_part_at(all, p));
    press_walls(world, rut_part_at(all, p));
    if (on->wading) wade_hubs(on->wading, rut_part_at(all, p));
  }
  rut_accelerate(world->dt, batch, motion, on, all);
  for (int p = 0; p < rut_parts(all); p++) {
    released |= spin_up(world, batch->vehicle, motion, on->chassis->alpha, rut_part_at(all, p));
  }
  return released;
}

// Upward force of the ground on the chassis, for outputs, and what springs there hold.
static void tell_hull(const rutVehicleBatch* batch, bool touches, const rutChassis* chassis) {
  const int lanes = batch->vehicle->lanes;
  double *load = RUT_STATE(batch, hull_load), *held = RUT_STATE(batch, held);
  for (int l = 0; l < lanes; l++) {
    double up = 0;
    for (int i = 0; touches && i < 3; i++) {
      up += chassis->motion[(6 + i) * lanes + l] * chassis->hull_force[i * lanes + l];
    }
    load[l] = up;
    held[l] = touches ? chassis->hull_held[l] : 0;
  }
}

RUT_INLINE void evaluate(const rutEnvironment* world, const rutVehicleBatch* batch,
                         const rutWork* work, const rutStageMotion* motion, rutSizes of) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutChassis* chassis = &work->chassis;
  const double *slides = vehicle->body.slides,
               pull = hitch_force(vehicle, world->time + motion->since);
  const rutTiles all = rut_tiles(batch, work, of);
  double since = rut_stage_begin(world);
  place_chassis(world->gravity, motion, of.lanes, chassis);
  for (int t = 0; t < all.tiles; t++) {
    meet(world, batch, work, motion, rut_tile(all, t));
    since = rut_stage_end(world, RUT_STAGE_terrain, since);
    grip(world, batch, motion, rut_tile(all, t));
    since = rut_stage_end(world, RUT_STAGE_tyre, since);
  }
  if (vehicle->anti_roll && vehicle->mechanisms) twist_mechanism_bars(vehicle, motion, all);
  start_forces(world->dt, batch, motion, of.lanes, chassis);
  if (pull > 0) pull_hitch(vehicle, pull, motion->v, chassis);
  const bool touches = rut_hull_touch(world, batch, motion, chassis);
  if (motion->commit) tell_hull(batch, touches, chassis);
  rutWading wading;
  const bool wades = world->waters->n > 0 && rut_wade(world, batch, motion, chassis, all, &wading);
  const rutDynamics on = {chassis, touches, wades ? &wading : NULL, work->dynamics};
  const bool faces = rut_has_faces(world, batch);
  for (int p = 0; faces && p < rut_parts(all); p++) {
    follow_sides(world, batch, motion, rut_part_at(all, p));
  }
  // an elastic column begins anew, so that a vehicle does not tell whether a neighbour let go
  double change[RUT_MBD_LANES], *linkage = RUT_SPATIAL_STATE(batch, linkage_change);
  memcpy(change, linkage, (size_t)of.lanes * sizeof *change);
  for (int pass = 0; pass < RELEASES; pass++) {
    memcpy(linkage, change, (size_t)of.lanes * sizeof *change);
    if (!forces_and_accelerations(world, batch, motion, &on, all)) break;
  }
  if (touches) rut_hull_power(motion, of.lanes, chassis);
  start_power(world->dt, batch, motion, of.lanes, chassis);
  if (wades) rut_wading_power(batch, motion, chassis, all, &wading);
  if (pull > 0) hitch_power(vehicle, pull, motion, chassis);
  for (int p = 0; motion->commit && vehicle->envelops && p < rut_parts(all); p++) {
    hold_sides(vehicle, rut_part_at(all, p), RUT_STATE(batch, held));
  }
  for (int p = 0; motion->commit && faces && p < rut_parts(all); p++) {
    end_sides(batch, motion, rut_part_at(all, p));
  }
  for (int t = 0; motion->commit && faces && t < all.tiles; t++) {
    rut_follow_pay(world->dt, batch, motion, rut_tile(all, t));
  }
  for (int t = 0; t < all.tiles; t++) {
    const rutWheels e = rut_tile(all, t);
    double* restrict slide_rate = motion->slide_rate + e.first;
    const double* restrict slide = slides + e.first;
#pragma omp simd
    for (int i = 0; i < e.n; i++) {
      const double found = slide_rate[i];
      slide_rate[i] = slide[i] > 0 ? found : 0;
    }
    collect_power(vehicle, motion, e, of.wheels, chassis->power);
  }
}

RUT_WHEEL_SIZES(evaluate,
                (const rutEnvironment* world, const rutVehicleBatch* batch, const rutWork* work,
                 const rutStageMotion* motion),
                world, batch, work, motion)

void rut_vehicle_evaluate(const rutEnvironment* world, const rutVehicleBatch* batch,
                          const rutWork* work, const rutStageMotion* motion) {
  evaluate_all(world, batch, work, motion);
}
