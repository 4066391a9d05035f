// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/traction.h"

#include "vehicle/sinkage.h"

// Room for what a law gives to the wheels of a tile, not all of which are its own.
typedef struct Grip {
#define X(name) double name[RUT_WHEEL_TILE];
  RUT_GRIP_OUT(X)
#undef X
} Grip;

// ---- surfaces and soils ----

// Wheels of a tile on soils of different kinds: every soil that some of them stand on.
static void mixed_traction(const rutSoilRecord* record, const rutTractionIn* in, const int* soil,
                           rutWheels e) {
  Grip own;
#define X(name) .name = own.name,
  const rutTractionOut out = {RUT_TRACTION_OUT(X)};
#undef X
  for (int done = 0; done < e.n; done++) {
    const rutSoilRecord* r = &record[soil[done]];
    bool seen = false;
    for (int i = 0; i < done; i++) seen = seen || soil[i] == soil[done];
    if (seen || !r->type->traction) continue;
    r->type->traction(r->param, r->derived, e.n, in, &out);
    for (int i = done; i < e.n; i++) {
      if (soil[i] != soil[done]) continue;
#define X(name) W(name)[i] = own.name[i];
      RUT_TRACTION_OUT(X)
#undef X
    }
  }
}

// friction: of the places.
static void soil_traction(const rutSoilRecord* record, const rutVehicleClass* vehicle,
                          const double* friction, const int* soil, rutWheels e) {
  const rutTractionIn in = {.slip_x = W(slip_x),
                            .slip_y = W(slip_y),
                            .load = W(load),
                            .deflection = W(effective_deflection),
                            .diameter = W(diameter),
                            .width = vehicle->width + e.first,
                            .section = vehicle->section + e.first,
                            .crossover = W(crossover),
                            .strength = W(strength),
                            .friction = friction};
#define X(name) .name = W(name),
  const rutTractionOut out = {RUT_TRACTION_OUT(X)};
#undef X
  bool same = true;
  for (int i = 1; i < e.n; i++) same = same && soil[i] == soil[0];
  const rutSoilRecord* r = &record[soil[0]];
  if (same && r->type->traction) {
    r->type->traction(r->param, r->derived, e.n, &in, &out);
  } else {
    mixed_traction(record, &in, soil, e);
  }
}

// ---- tyres with a law of their own ----

RUT_CLONES static void find_inclinations(rutWheels e) {
  for (int from = 0; from < e.n; from += RUT_WHEEL_PART) {
#pragma omp simd
    for (int i = from; i < from + RUT_WHEEL_PART; i++) {
      const double sine = rut_clamp(W(sin_inclination)[i], -1, 1);
      W(inclination)[i] = rut_atan2(sine, rut_sqrt(rut_max(1 - sine * sine, 0)));
    }
  }
}

// Friction of hard surfaces. How many of a tile are on hard ground.
static int face_road(const rutSoilRecord* record, const int* soil, double hard[RUT_WHEEL_TILE],
                     rutWheels e) {
  int roads = 0;
  for (int i = 0; i < e.n; i++) {
    const rutSoilRecord* r = &record[soil[i]];
    const double of_place = W(friction)[i];
    const bool own = r->type->friction && of_place != of_place;
    hard[i] = r->type->friction ? 1 : 0;
    roads += r->type->friction != NULL;
    W(road)[i] = own ? r->type->friction(r->param) : of_place;
  }
  return roads;
}

// Wheels from..to of a tile, which share a tyre.
static void grip_run(const rutVehicleBatch* batch, const rutWheelRun* run, Overlap o,
                     const double* hard, rutWheels e) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const double* param = rut_tyre_param(batch, run);
  const rutTyreType* type = (const rutTyreType*)run->type;
  const int from = o.from, count = o.to - o.from;
  int own = 0;
  for (int i = from; i < o.to; i++) own += hard[i] > 0;
  if (own == 0) return;
  const rutTyreGripIn in = {.slip_x = W(slip_x) + from,
                            .slip_y = W(slip_y) + from,
                            .direction = W(direction) + from,
                            .load = W(load) + from,
                            .deflection = W(effective_deflection) + from,
                            .radius = vehicle->radius + e.first + from,
                            .inclination = W(inclination) + from,
                            .speed = W(vx) + from,
                            .friction = W(road) + from,
                            .side = vehicle->side + e.first + from};
  if (own == count) {
#define X(name) .name = W(name) + from,
    type->grip(param, count, &in, &(rutTyreGripOut){RUT_GRIP_OUT(X)});
#undef X
    return;
  }
  Grip some;
#define X(name) .name = some.name,
  type->grip(param, count, &in, &(rutTyreGripOut){RUT_GRIP_OUT(X)});
#undef X
  for (int i = 0; i < count; i++) {
    if (!(hard[from + i] > 0)) continue;
#define X(name) W(name)[from + i] = some.name[i];
    RUT_GRIP_OUT(X)
#undef X
  }
}

static void tyre_grip(const rutVehicleBatch* batch, const double* hard, rutWheels e) {
  const rutVehicleClass* vehicle = batch->vehicle;
  for (int r = 0; r < vehicle->tyres; r++) {
    const rutWheelRun* run = &vehicle->tyre[r];
    const Overlap o = overlap(run, e);
    if (o.from < o.to && ((const rutTyreType*)run->type)->grip) {
      grip_run(batch, run, o, hard, e);
    }
  }
}

// ---- all of them ----

void rut_wheel_traction(const rutEnvironment* world, const rutVehicleBatch* batch,
                        const rutStageMotion* motion, const int* soil, rutWheels e) {
  const rutVehicleClass* vehicle = batch->vehicle;
  double hard[RUT_WHEEL_TILE];
  if (!vehicle->twists) {
    soil_traction(world->soil, vehicle, W(friction), soil, e);
    return;
  }
  for (int i = 0; i < e.n; i++) {
    W(overturning)[i] = W(aligning)[i] = 0;
    W(direction)[i] = rut_travel_direction(W(rolling_radius)[i] * W(spin)[i], W(vx)[i]);
  }
  const int roads = vehicle->grips ? face_road(world->soil, soil, hard, e) : 0;
  const double* friction = vehicle->grips ? W(road) : W(friction);
  // where all wheels are on roads and all tyres have a law of their own, no surface is asked
  if (roads < e.n || vehicle->grips < vehicle->body.n) {
    soil_traction(world->soil, vehicle, friction, soil, e);
  }
  if (roads > 0) {
    find_inclinations(e);
    tyre_grip(batch, hard, e);
  }
  if (world->soft_soils) rut_wheels_sink(world, batch, motion, soil, e);
}
