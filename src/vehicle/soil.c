// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/soil.h"

#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

// Least deflection of a tyre in soil, so that it has a stiffness [m].
static const double LEAST = 1e-9;

// Where the wheels meet soil that keeps ruts: horizontal direction of travel, length of the contact
// ahead of the lowest point, and the depth to which the soil there was pressed before.
static void read_ruts(const rutSoftGround* soft, const rutVehicleBatch* batch, const double* spin,
                      rutWheels e) {
  static const double LEAST_LEVEL = 1e-12;  // level part of a heading, squared
  const rutVehicleClass* vehicle = batch->vehicle;
  const double *dug = SPATIAL(dug) + e.first, *rolled = SPATIAL(rolled) + e.first;
  double x[RUT_WHEEL_TILE], y[RUT_WHEEL_TILE];
  for (int i = 0; i < e.n; i++) {
    const double size =
        1 / rut_sqrt(rut_max(W(fx)[i] * W(fx)[i] + W(fy)[i] * W(fy)[i], LEAST_LEVEL));
    const double radius = vehicle->radius[e.first + i];
    const double moves = size * (W(vhx)[i] * W(ay)[i] - W(vhy)[i] * W(ax)[i]);
    // as it came, until it has come back
    const double starts = rut_travel_direction(radius * spin[e.first + i], moves);
    const double back = rolled[i] != 0 ? rut_copysign(1, rolled[i]) : starts;
    // in a pit of its own the wheel touches the floor only
    const double depth = rut_clamp(W(overlap)[i] - dug[i], 0, radius);
    W(dir_x)[i] = back * size * W(fx)[i];
    W(dir_y)[i] = back * size * W(fy)[i];
    W(ahead)[i] = rut_sqrt(depth * (2 * radius - depth));
    x[i] = W(hx)[i] + V(r0, i) * W(dx)[i] + V(r1, i) * W(dy)[i] + V(r2, i) * W(dz)[i];
    y[i] = W(hy)[i] + V(r3, i) * W(dx)[i] + V(r4, i) * W(dy)[i] + V(r5, i) * W(dz)[i];
  }
  const rutSoftPatches at = {x, y, W(dir_x), W(dir_y), W(ahead), vehicle->width + e.first};
  const bool counts = soft->passes != NULL;
  rut_soft_read(soft, e.n, &at,
                &(rutSoftFound){W(earlier), W(raised), counts ? W(passes) : NULL,
                                counts ? W(pass_slip) : NULL});
}

// Tell the wheel's own footprint from the rut of earlier passes. A footprint follows the round of
// the wheel, a rut lies flat ahead of it. What is read there is the wheel's own until it has rolled
// by half the length of its contact, and wholly of others after as much again.
static void separate_footprint(const rutVehicleBatch* batch, rutWheels e) {
  const double *floor = SPATIAL(floor) + e.first, *prior_depth = SPATIAL(prior_depth) + e.first;
  const double *footprint = SPATIAL(footprint) + e.first, *rolled = SPATIAL(rolled) + e.first;
  for (int i = 0; i < e.n; i++) {
    const double rut = W(earlier)[i], come = rut_max(2 * rut_abs(rolled[i]) - 1, 0);
    const double own = rut_clamp(footprint[i] / rut_max(rut, LEAST), 0, 1);
    const double prior_share = 1 - own * (1 - come);
    const double lift = floor[i] < RUT_NO_GROUND ? prior_share * (prior_depth[i] - rut) : 0;
    W(prior_share)[i] = prior_share;
    W(prior_depth)[i] = prior_share * rut;
    W(footprint_start)[i] = rut_max(footprint[i] - lift, 0);
  }
}

// Lower the ground under the wheels by the pits that they have dug: of ground that keeps ruts by
// what it has not followed yet.
static void place_pits(const rutEnvironment* world, const rutVehicleBatch* batch, rutWheels e) {
  const double* lowered = (world->soft ? SPATIAL(to_dig) : SPATIAL(dug)) + e.first;
  for (int i = 0; i < e.n; i++) W(raised)[i] -= W(deformable)[i] * lowered[i];
}

void rut_split_depth(const rutEnvironment* world, const rutVehicleBatch* batch, const double* spin,
                     const int* soil, rutWheels e) {
  const double *sinkage = SPATIAL(sinkage) + e.first, *floor_slope = SPATIAL(floor_slope) + e.first;
  double some = 0;
  for (int i = 0; i < e.n; i++) {
    W(deformable)[i] = world->soil[soil[i]].type->sink ? 1 : 0;
    W(raised)[i] = W(earlier)[i] = W(ahead)[i] = 0;
    W(floor_slope)[i] = floor_slope[i];
    some += W(deformable)[i];
  }
  if (world->soft && some > 0) read_ruts(world->soft, batch, spin, e);
  if (some > 0) place_pits(world, batch, e);
  separate_footprint(batch, e);
  for (int i = 0; i < e.n; i++) {
    // a wheel that comes to hard ground from soft soil is as deep in it, and rolls up out of it
    if (!(W(deformable)[i] > 0)) W(raised)[i] = -rut_clamp(W(overlap)[i], 0, sinkage[i]);
    W(depth)[i] = W(overlap)[i] + W(raised)[i];
    W(deflection)
    [i] = W(deformable)[i] > 0 ? rut_max(W(depth)[i] - sinkage[i], LEAST) : W(depth)[i];
  }
}
