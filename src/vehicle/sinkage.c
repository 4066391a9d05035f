// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/sinkage.h"

#include <string.h>

#include "vehicle/dig.h"

#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

// ---- what wheels leave behind ----

// Slope, along the path of a wheel, of the ground that earlier passes left. Its force is normal to
// it: it resists a wheel that rolls up and drives one that rolls down. The work of lifting a wheel
// out of undisturbed soil is part of the soil law. What motion across the wheel brings is left to
// the force there (vehicle/press_wall.h).
static double floor_slope(double dt, rutWheels e, int i, double before) {
  static const double SLOW = 0.05, STEEP = 1;
  const double distance = dt * rut_max(rut_abs(W(vx)[i]), SLOW);
  const double bears = W(wall)[i] / rut_max(W(load)[i], LEAST_LOAD);
  const double across = dt * rut_clamp(W(bank)[i], -bears, bears) * W(vy)[i];
  const double slope = (W(raised)[i] - W(earlier)[i] - before - across) / distance;
  return W(prior_share)[i] * (1 - W(sticking)[i]) * rut_clamp(slope, -STEEP, STEEP);
}

// A wheel that has come from soft soil to hard ground rolls up a bank, whose slope is its floor's.
static void climb_bank(double dt, const rutVehicleBatch* batch, rutWheels e, int i) {
  static const double BANK = 1;     // slope of the bank: 45 degrees, assumed
  static const double SLOW = 0.05;  // below this speed it stands before the bank [m/s]
  const int own = e.first + i;
  const double left = -W(raised)[i], speed = rut_abs(W(vx)[i]);
  const double slope = left > 0 ? BANK * rut_min(speed / SLOW, 1) : 0;
  SPATIAL(floor_slope)[own] = slope;
  SPATIAL(sinkage)[own] = rut_max(left - dt * speed * slope, 0);
}

// Distance that a wheel has come over the length of its contact, as far as that knows: where it
// rocks in its own footprint it does not turn over and over.
static double roll_on(const rutVehicleBatch* batch, rutWheels e, int i) {
  static const double SHORTEST = 1e-6;  // contact [m]
  static const double HALF = 0.5;       // as far as what lies before it is its own
  const double rolled = SPATIAL(rolled)[e.first + i], goes = W(direction)[i];
  const double more = goes * W(step_distance)[i] / rut_max(W(ahead)[i], SHORTEST);
  return rolled != 0 ? rut_clamp(rolled + more, -1, 1) : HALF * goes;
}

static void leave_rut(const rutEnvironment* world, const rutVehicleBatch* batch, const int* soil,
                      rutWheels e) {
  static const double LEAST_SPEED = 0.05;  // that has a direction [m/s]
  const rutSoilRecord* record = rut_wheel_soils(world);
  const int at = e.first;
  const double dt = world->dt;
  for (int i = 0; i < e.n; i++) {
    const bool in = W(deformable)[i] > 0 && W(load)[i] > 0;
    const double before = SPATIAL(floor)[at + i];
    SPATIAL(floor_slope)[at + i] = in && before < RUT_NO_GROUND ? floor_slope(dt, e, i, before) : 0;
    // walls of its own pit are not pressed down to the floor by a wheel that rocks in it
    const double read = W(raised)[i] + (world->soft ? SPATIAL(to_dig)[at + i] : 0);
    const double ground = rut_max(read, 0);
    // what the wheel digs away under itself is no slope of its path
    const rutDug dug = rut_dig_in(world, batch, &record[soil[i]], in, e, i);
    SPATIAL(floor)[at + i] = in ? W(raised)[i] - W(earlier)[i] - dug.deeper : RUT_NO_GROUND;
    SPATIAL(prior_depth)[at + i] = in ? W(earlier)[i] : 0;
    if (W(deformable)[i] > 0) W(deflection_end)[i] = rut_max(W(depth)[i] - W(sinkage)[i], 0);
    // a tyre without load is round
    const double sunk = SPATIAL(sinkage)[at + i];
    RUT_STATE(batch, sinking)[at + i] = in && sunk > 0 ? W(sinkage)[i] - sunk : 0;
    SPATIAL(sinkage)[at + i] = in ? W(sinkage)[i] : rut_max(W(deformable)[i] * W(depth)[i], 0);
    if (!(W(deformable)[i] > 0)) climb_bank(dt, batch, e, i);
    SPATIAL(footprint)[at + i] = W(deformable)[i] > 0 ? W(footprint)[i] : 0;
    SPATIAL(rolled)[at + i] = roll_on(batch, e, i);
    if (in) SPATIAL(resistance)[at + i] = W(resistance)[i];
    RUT_STATE(batch, soil_pressure)[at + i] = in ? W(soil_pressure)[i] : 0;
    RUT_STATE(batch, on_soil)[at + i] = in ? soil[i] % world->soils : 0;
    if (!batch->press) continue;
    rutSoftPress* to = &batch->press[at + i];
    const double x = V(r0, i) * W(dx)[i] + V(r1, i) * W(dy)[i] + V(r2, i) * W(dz)[i];
    const double y = V(r3, i) * W(dx)[i] + V(r4, i) * W(dy)[i] + V(r5, i) * W(dz)[i];
    const double move_x = V(r0, i) * W(vhx)[i] + V(r1, i) * W(vhy)[i] + V(r2, i) * W(vhz)[i];
    const double move_y = V(r3, i) * W(vhx)[i] + V(r4, i) * W(vhy)[i] + V(r5, i) * W(vhz)[i];
    const double speed = rut_hypot(move_x, move_y);
    const double moves = speed > LEAST_SPEED ? 1 / speed : 0;
    *to = (rutSoftPress){.x = W(hx)[i] + x,
                         .y = W(hy)[i] + y,
                         .dir_x = W(dir_x)[i],
                         .dir_y = W(dir_y)[i],
                         .move_x = moves * move_x,
                         .move_y = moves * move_y,
                         .ahead = W(ahead)[i],
                         .behind = 2 * speed * dt,
                         .width = in ? batch->vehicle->width[at + i] : 0,
                         .pressed = W(pressed)[i] - ground,
                         .rut = W(rut)[i] - ground,
                         .slip = rut_min(rut_abs(W(slip_x)[i]), 1)};
    if (dug.carried > 0) rut_dig_ground(world, batch, dug, e, i, to);
  }
}

// ---- loads, traction and sinkage ----

// Members of rutSinkOut, and the rows that they go to.
// clang-format off
#define SINK_OUT(X)                                                                       \
  X(load, load) X(stiffness, normal_k) X(damping, normal_c)                               \
  X(sinkage, sinkage) X(rut, rut) X(pressed, pressed)                                     \
  X(mu_x, mu_x) X(mu_y, mu_y) X(secant_x, secant_x) X(secant_y, secant_y)                 \
  X(normalised_slip, normalised_slip) X(resistance, resistance) X(peak, peak)             \
  X(overturning, overturning) X(aligning, aligning) X(footprint, footprint)               \
  X(slip_sinkage, slip_sinkage) X(pressure, soil_pressure)
// clang-format on

typedef struct Sunk {
#define X(member, row) double member[RUT_WHEEL_TILE];
  SINK_OUT(X)
#undef X
} Sunk;

// Inputs of the soil law for the wheels of a tile.
typedef struct Sinking {
  double tyre_load[RUT_WHEEL_TILE], sinkage[RUT_WHEEL_TILE], direction[RUT_WHEEL_TILE];
  double expected[RUT_WHEEL_TILE];  // sinkage, as it went on in the last step
} Sinking;

// Loads of the tyres without their dampers, and directions of travel. A wheel at rest has none;
// what tells front from rear is what resists.
RUT_CLONES static void find_inputs(double gravity, const rutVehicleBatch* batch, rutWheels e,
                                   Sinking* restrict k) {
  const double* restrict limit = SPATIAL(resistance) + e.first;
  const double* restrict rolling = SPATIAL(rolling) + e.first;
  const double* restrict radius = batch->vehicle->radius + e.first;
  const double* restrict sinking = RUT_STATE(batch, sinking) + e.first;
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    k->tyre_load[i] = rut_max(W(carcass)[i] - W(tyre_c)[i] * W(rate)[i], 0);
    k->sinkage[i] = W(depth)[i] - W(deflection)[i];
    k->expected[i] = k->sinkage[i] + sinking[i];
    const double held = rut_resistance_held(rolling[i], W(vx)[i], limit[i], radius[i], gravity);
    const double agrees = rut_max(held * W(direction)[i], 0);
    k->direction[i] = W(direction)[i] * agrees * (1 - W(sticking)[i]);
  }
}

// ---- some wheels of a tile ----

// clang-format off
#define SINK_IN(X)                                                                        \
  X(slip_x) X(slip_y) X(direction) X(depth) X(rate) X(radius) X(width) X(tyre_load)       \
  X(tyre_stiffness) X(tyre_damping) X(sinkage) X(expected) X(pressed) X(footprint)        \
  X(distance) X(resistance)
#define SINK_IN_OR_NULL(X) X(passes) X(pass_slip)
#define SINK_PLACES(X) X(strength) X(moisture) X(soft_depth)
// clang-format on

// Their inputs and results.
typedef struct SomeSink {
  struct {
#define X(name) double name[RUT_WHEEL_TILE];
    SINK_IN(X)
    SINK_IN_OR_NULL(X)
    SINK_PLACES(X)
#undef X
  } in;
  Sunk out;
} SomeSink;

static const double* pick(const double* from, const int* at, int n, double* to) {
  if (!from) return NULL;
  for (int k = 0; k < n; k++) to[k] = from[at[k]];
  return to;
}

// Wheels of a tile that stand on one soil.
typedef struct Standing {
  const rutSoilRecord* soil;
  int n, at[RUT_WHEEL_TILE];
} Standing;

static void sink_some(const Standing* these, const rutSinkIn* in, Sunk* sunk) {
  const rutSoilRecord* r = these->soil;
  const int n = these->n, *at = these->at;
  SomeSink some;
#define X(name) .name = pick(in->name, at, n, some.in.name),
  rutSinkIn from = {.dt = in->dt, SINK_IN(X) SINK_IN_OR_NULL(X)};
#undef X
#define X(name) .name = in->places ? pick(in->places->name, at, n, some.in.name) : NULL,
  const rutSoilPlaces places = {SINK_PLACES(X)};
#undef X
  from.places = in->places ? &places : NULL;
#define X(member, row) .member = some.out.member,
  r->type->sink(r->param, r->derived, n, &from, &(rutSinkOut){SINK_OUT(X)});
#undef X
#define X(member, row) \
  for (int k = 0; k < n; k++) sunk->member[at[k]] = some.out.member[k];
  SINK_OUT(X)
#undef X
}

// The soil law for some or all wheels of a tile.
static void sink_into(const rutEnvironment* world, const rutVehicleBatch* batch,
                      const Standing* these, Sunk* sunk, rutWheels e) {
  Sinking k;
  find_inputs(world->gravity, batch, e, &k);
  const bool counts = world->soft && world->soft->passes;
  const rutGround* ground = world->ground;
  const rutSoilPlaces places = {.strength = W(strength),
                                .moisture = ground->local ? W(moisture) : NULL,
                                .soft_depth = ground->local ? W(soft_depth) : NULL};
  const rutSinkIn in = {.dt = world->dt,
                        .slip_x = W(slip_x),
                        .slip_y = W(slip_y),
                        .direction = k.direction,
                        .depth = W(depth),
                        .rate = W(rate),
                        .radius = batch->vehicle->radius + e.first,
                        .width = batch->vehicle->width + e.first,
                        .tyre_load = k.tyre_load,
                        .tyre_stiffness = W(tyre_k),
                        .tyre_damping = W(tyre_c),
                        .sinkage = k.sinkage,
                        .expected = k.expected,
                        .pressed = W(prior_depth),
                        .footprint = W(footprint_start),
                        .distance = W(step_distance),
                        .resistance = SPATIAL(resistance) + e.first,
                        .passes = counts ? W(passes) : NULL,
                        .pass_slip = counts ? W(pass_slip) : NULL,
                        .places = ground->regions || ground->maps ? &places : NULL};
  if (these->n < e.n) {
    memset(sunk, 0, sizeof *sunk);
    sink_some(these, &in, sunk);
    return;
  }
#define X(member, row) .member = sunk->member,
  const rutSinkOut out = {SINK_OUT(X)};
#undef X
  these->soil->type->sink(these->soil->param, these->soil->derived, e.n, &in, &out);
}

// Store the results of the wheels on this soil; the load is that at the end of the step.
RUT_CLONES static void take_sunk(double implicit, const int* restrict kind, int soil,
                                 const Sunk* restrict sunk, rutWheels e) {
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    const double gain = W(gain)[i], rate = W(rate)[i];
    const double ahead = gain * rut_max(sunk->load[i] + implicit * sunk->stiffness[i] * rate, 0);
    const double load = sunk->load[i] > 0 ? ahead : 0;
#define X(member, row)                                       \
  {                                                          \
    const double found = sunk->member[i], other = W(row)[i]; \
    W(row)[i] = kind[i] == soil ? found : other;             \
  }
    SINK_OUT(X)
#undef X
    const double other = W(load)[i];
    W(load)[i] = kind[i] == soil ? load : other;
  }
}

void rut_wheels_sink(const rutEnvironment* world, const rutVehicleBatch* batch,
                     const rutStageMotion* motion, const int* soil, rutWheels e) {
  Sunk sunk;
  for (int i = 0; i < e.n; i++) {
    W(step_distance)[i] = rut_hypot(W(vx)[i], W(vy)[i]) * world->dt;
    // of wheels on hard ground
    W(sinkage)[i] = W(slip_sinkage)[i] = 0;
  }
  Standing these;
  for (int done = 0; done < e.n; done++) {
    these.n = W(deformable)[done] > 0 ? rut_wheels_on(soil, done, e.n, these.at) : 0;
    if (these.n == 0) continue;
    these.soil = &rut_wheel_soils(world)[soil[done]];
    sink_into(world, batch, &these, &sunk, e);
    take_sunk(motion->implicit, soil, soil[done], &sunk, e);
  }
  if (motion->commit) leave_rut(world, batch, soil, e);
}
