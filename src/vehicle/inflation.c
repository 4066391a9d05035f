// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/inflation.h"

#include <string.h>

#define ROW(name) RUT_STATE(batch, name)

// Tyres of an axle at its pressure, where they are not yet.
static void fit_tyres(const rutVehicleBatch* batch, const rutWheelRun* run) {
  const double pressure = ROW(pressure)[run->axle];
  double* param = ROW(inflated) + (size_t)run->axle * RUT_TYRE_NUMBERS;
  if (ROW(inflated_for)[run->axle] == pressure) return;
  memcpy(param, run->given, RUT_TYRE_NUMBERS * sizeof *param);
  ((const rutTyreType*)run->type)->inflate(param, pressure);
  ROW(inflated_for)[run->axle] = pressure;
}

// Its set points are the last ones of the vehicle.
static double* set_points(const rutVehicleBatch* batch, int* n) {
  const rutVehicleClass* vehicle = batch->vehicle;
  *n = vehicle->each_axle > 0 ? vehicle->pressures : 1;
  return batch->table + (vehicle->row.command_end - *n);
}

void rut_vehicle_begin_pressure(const rutVehicleBatch* batch) {
  const rutVehicleClass* vehicle = batch->vehicle;
  if (vehicle->pressures == 0) return;
  int points;
  double* asked = set_points(batch, &points);
  for (int i = 0; i < points; i++) asked[i] = vehicle->asked_pressure;
  for (int a = 0; a < vehicle->pressures; a++) {
    ROW(pressure)[a] = vehicle->tyre[a].pressure;
    fit_tyres(batch, &vehicle->tyre[a]);
  }
}

void rut_vehicle_inflate(const rutVehicleBatch* batch, double dt) {
  const rutVehicleClass* vehicle = batch->vehicle;
  int points;
  const double* asked = set_points(batch, &points);
  for (int a = 0; a < vehicle->pressures; a++) {
    const double point = asked[points > 1 ? a : 0], now = ROW(pressure)[a];
    const double goal = point > 0
                            ? rut_clamp(point, vehicle->least_pressure, vehicle->most_pressure)
                            : vehicle->tyre[a].pressure;
    ROW(pressure)
    [a] = rut_clamp(goal, now - dt * vehicle->deflate_rate, now + dt * vehicle->inflate_rate);
    fit_tyres(batch, &vehicle->tyre[a]);
  }
}
