// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/shafts.h"

#include <string.h>

#include "vehicle/lane_drive.h"

#define ROW(name)     RUT_STATE(batch, name)
#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

// Twice the kinetic energy of the shafts of each lane, with a sign, added to its sum.
static void add_shaft_energy(const rutVehicleBatch* batch, double sign, double sum[RUT_MBD_LANES]) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes, n = vehicle->body.n, wheels = vehicle->wheels * lanes;
  const double *shaft_ratio = SPATIAL(shaft_ratio), *inverse_inertia = SPATIAL(inverse_inertia),
               *speed = ROW(start_speed);
  const double* tilting = SPATIAL(tilting);
  for (int k = 0; k < vehicle->shafts; k++) {
    double turning[RUT_MBD_LANES] = {0};
    for (int i = 0; i < wheels; i++) {
      turning[i % lanes] += shaft_ratio[k * n + i] * (speed[i] + tilting[i]);
    }
    for (int l = 0; l < lanes; l++) {
      const double inverse = inverse_inertia[k * lanes + l];
      if (inverse > 0) sum[l] += sign * turning[l] * turning[l] / inverse;
    }
  }
}

// For brakes: inertia of the shafts at each wheel as all turn alike.
static void see_inertia(const rutVehicleBatch* batch) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes, n = vehicle->body.n, wheels = vehicle->wheels * lanes;
  const double *shaft_ratio = SPATIAL(shaft_ratio), *inverse_inertia = SPATIAL(inverse_inertia);
  double* inertia = SPATIAL(shaft_inertia);
  memset(inertia, 0, (size_t)n * sizeof *inertia);
  for (int k = 0; k < vehicle->shafts; k++) {
    double all[RUT_MBD_LANES] = {0};
    for (int i = 0; i < wheels; i++) all[i % lanes] += shaft_ratio[k * n + i];
    for (int i = 0; i < wheels; i++) {
      const double inverse = inverse_inertia[k * lanes + i % lanes];
      if (inverse > 0) inertia[i] += shaft_ratio[k * n + i] * all[i % lanes] / inverse;
    }
  }
}

void rut_vehicle_couple(const rutVehicleBatch* batch) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutDriveType* drive = vehicle->drive;
  const int lanes = vehicle->lanes, n = vehicle->body.n, wheels = vehicle->wheels * lanes;
  const double* gear = ROW(drive) + drive->couple_row * lanes;
  const double* engine =
      drive->joined_row > 0 ? ROW(drive) + (drive->joined_row - 1) * lanes : NULL;
  double *shaft_ratio = SPATIAL(shaft_ratio), *inverse_inertia = SPATIAL(inverse_inertia),
         *coupled = SPATIAL(coupled), *regeared = ROW(regeared), *joined = ROW(joined);
  memset(regeared, 0, (size_t)lanes * sizeof *regeared);
  bool known = false, some = false, shifts[RUT_MBD_LANES];
  for (int i = 0; i < vehicle->shafts * lanes; i++) known = known || inverse_inertia[i] > 0;
  for (int l = 0; l < lanes; l++) {
    shifts[l] = !known || coupled[l] != gear[l];
    some = some || shifts[l];
  }
  if (!some) return;
  double given[RUT_MAX_SHAFTS * RUT_MAX_WHEELS * RUT_MBD_LANES] = {0};
  // a shift of gears changes what the shafts hold at the same speeds: that is the drive's doing
  double twice[RUT_MBD_LANES] = {0};
  add_shaft_energy(batch, -1, twice);
  // shafts that the drive does not have stand still
  for (int i = 0; i < vehicle->shafts * lanes; i++) inverse_inertia[i] = 1;
  if (vehicle->own_drive) {
    rut_lanes_couple(batch, given, inverse_inertia);
  } else {
    drive->couple(vehicle->drive_param, &vehicle->layout, lanes, ROW(drive), given,
                  inverse_inertia);
  }
  for (int k = 0; k < vehicle->shafts; k++) {
    for (int i = 0; i < wheels; i++) shaft_ratio[k * n + i] = given[k * wheels + i];
  }
  see_inertia(batch);
  add_shaft_energy(batch, 1, twice);
  memcpy(coupled, gear, (size_t)lanes * sizeof *coupled);
  // before the first step nothing is known of them: what they hold then they had at the start
  double* to = known ? SPATIAL(energy) + RUT_ENERGY_drive * lanes : SPATIAL(mechanical);
  for (int l = 0; l < lanes; l++) {
    const double now = engine ? engine[l] : 0;
    // what a neighbour's shift would add here is rounding
    if (!shifts[l]) continue;
    to[l] += 0.5 * twice[l];
    // an engine that joins the shafts brings its own energy: no power of theirs
    regeared[l] = known && now == joined[l] ? 0.5 * twice[l] : 0;
    joined[l] = now;
  }
}
