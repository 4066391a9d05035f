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

static bool are_same(const int* soil, int n) {
  int other = 0;
  for (int i = 1; i < n; i++) other |= soil[i] ^ soil[0];
  return other == 0;
}

// Inputs and results of some wheels of a tile.
// clang-format off
#define TRACTION_IN(X)                                                                    \
  X(slip_x) X(slip_y) X(load) X(deflection) X(diameter) X(width) X(section) X(crossover)  \
  X(strength) X(friction)
// clang-format on
typedef struct Some {
  struct {
#define X(name) double name[RUT_WHEEL_TILE];
    TRACTION_IN(X)
#undef X
  } in;
  Grip out;
} Some;

// The n wheels of one soil, at these places of a tile.
static void some_traction(const rutSoilRecord* record, const rutTractionIn* in, const int* at,
                          int n, rutWheels e) {
  Some some;
#define X(name) \
  for (int k = 0; k < n; k++) some.in.name[k] = in->name[at[k]];
  TRACTION_IN(X)
#undef X
#define X(name) .name = some.in.name,
  const rutTractionIn from = {TRACTION_IN(X)};
#undef X
#define X(name) .name = some.out.name,
  const rutTractionOut to = {RUT_TRACTION_OUT(X)};
#undef X
  record->type->traction(record->param, record->derived, n, &from, &to);
#define X(name) \
  for (int k = 0; k < n; k++) W(name)[at[k]] = some.out.name[k];
  RUT_TRACTION_OUT(X)
#undef X
}

// Wheels of a tile on soils of different kinds, or of different lanes: one soil after the other.
static void mixed_traction(const rutSoilRecord* record, const rutTractionIn* in, const int* soil,
                           rutWheels e) {
  int at[RUT_WHEEL_TILE];
  for (int done = 0; done < e.n; done++) {
    if (!record[soil[done]].type->traction) continue;
    const int n = rut_wheels_on(soil, done, e.n, at);
    if (n > 0) some_traction(&record[soil[done]], in, at, n, e);
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
  const rutSoilRecord* r = &record[soil[0]];
  if (r->type->traction && are_same(soil, e.n)) {
    r->type->traction(r->param, r->derived, e.n, &in, &out);
  } else {
    mixed_traction(record, &in, soil, e);
  }
}

// ---- tyres with a law of their own ----

RUT_CLONES static void find_inclinations(rutWheels e) {
  for (int from = 0; from < e.n; from += RUT_SMALL_TILE) {
#pragma omp simd
    for (int i = from; i < from + RUT_SMALL_TILE; i++) {
      const double sine = rut_clamp(W(sin_inclination)[i], -1, 1);
      W(inclination)[i] = rut_atan2(sine, rut_sqrt(rut_max(1 - sine * sine, 0)));
    }
  }
}

// No moments yet, and the directions of travel.
RUT_CLONES static void find_directions(rutWheels e) {
  const double* restrict radius = W(rolling_radius), * restrict spin = W(spin);
  const double* restrict speed = W(vx);
  double* restrict overturning = W(overturning), * restrict aligning = W(aligning);
  double* restrict direction = W(direction);
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    overturning[i] = aligning[i] = 0;
    direction[i] = rut_travel_direction(radius[i] * spin[i], speed[i]);
  }
}

// Friction of a hard surface, unless the place has its own.
RUT_CLONES static void face_one_road(double friction, double* restrict hard, rutWheels e) {
  const double* restrict of_place = W(friction);
  double* restrict road = W(road);
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    const double given = of_place[i];
    hard[i] = 1;
    road[i] = given != given ? friction : given;
  }
}

// Friction of hard surfaces. How many of a tile are on hard ground.
static int face_road(const rutSoilRecord* record, const int* soil, double hard[RUT_WHEEL_TILE],
                     rutWheels e) {
  const rutSoilRecord* first = &record[soil[0]];
  int roads = 0;
  if (first->type->friction && are_same(soil, e.n)) {
    face_one_road(first->type->friction(first->param), hard, e);
    return e.n;
  }
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

// Wheels from..to of a tile, which share a tyre. Nullable: hard, where all are on hard ground.
static void grip_run(const rutVehicleBatch* batch, const rutWheelRun* run, Overlap o,
                     const double* hard, rutWheels e) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const double* param = rut_tyre_param(batch, run);
  const rutTyreType* type = (const rutTyreType*)run->type;
  const int from = o.from, count = o.to - o.from;
  int own = hard ? 0 : count;
  for (int i = from; hard && i < o.to; i++) own += hard[i] > 0;
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
  const rutSoilRecord* record = rut_wheel_soils(world);
  double hard[RUT_WHEEL_TILE];
  if (!vehicle->twists) {
    soil_traction(record, vehicle, W(friction), soil, e);
    return;
  }
  find_directions(e);
  const int roads = vehicle->grips ? face_road(record, soil, hard, e) : 0;
  const double* friction = vehicle->grips ? W(road) : W(friction);
  // where all wheels are on roads and all tyres have a law of their own, no surface is asked
  if (roads < e.n || vehicle->grips < vehicle->body.n) {
    soil_traction(record, vehicle, friction, soil, e);
  }
  if (roads > 0) {
    find_inclinations(e);
    tyre_grip(batch, roads < e.n ? hard : NULL, e);
  }
  if (world->soft_soils) rut_wheels_sink(world, batch, motion, soil, e);
}
