// SPDX-License-Identifier: BSD-3-Clause
//
// Stage 7 of an evaluation: suspension forces, loads and deflections of the tyres, slips of the
// patches.
#ifndef RUT_VEHICLE_LOAD_H
#define RUT_VEHICLE_LOAD_H

#include "vehicle/inflation.h"
#include "vehicle/soil.h"

// clang-format off
#define RUT_LOAD_ROWS(X)                                                                          \
  /* velocity of the patch over the ground without the wheel's spin; rate of the deflection */    \
  X(vx) X(vy) X(rate)                                                                             \
  /* wheel speed in the world; rolling radius */                                                  \
  X(spin) X(rolling_radius)                                                                       \
  /* suspension: force, stiffness, damping, energy */                                             \
  X(spring) X(spring_k) X(spring_c) X(spring_energy)                                              \
  /* rutCarcassOut */                                                                             \
  X(carcass) X(tyre_k) X(tyre_c) X(tyre_energy)                                                   \
  X(relaxation_x) X(relaxation_y) X(crossover) X(bearing)                                         \
  /* normal force at the end of the step, stiffness and damping; in deformable soil the soil's */ \
  /* (vehicle/sinkage.h) */                                                                       \
  X(load) X(normal_k) X(normal_c)                                                                 \
  /* deflections of the patch at the end of the step, their rates, 1 where it sticks */           \
  X(patch_x) X(patch_y) X(patch_rate_x) X(patch_rate_y) X(sticking)                               \
  /* what is left of them under a load that has grown */                                          \
  X(kept)                                                                                         \
  /* speeds at which it slides, and their change per change of the slip speed: the rest of that */ \
  /* deflects it */                                                                               \
  X(sliding_x) X(sliding_y) X(slides_x) X(slides_y)                                               \
  /* slips, and their change per acceleration */                                                  \
  X(slip_x) X(slip_y) X(compliance_x) X(compliance_y)                                             \
  /* deflection of the tyre under its load; diameter */                                           \
  X(effective_deflection) X(diameter)
// clang-format on
RUT_NUMBER_ROWS(RUT_LOAD_ROWS, RUT_SOIL_ROWS_END, RUT_LOAD_ROWS_END);

// Below this speed of a wheel its contact patch sticks instead of rolling off its deflection: for
// small wheels, which creep along at such speeds, at this many radii a second.
static const double STICK_SPEED = 0.02, STICK_RATE = 0.05;  // [m/s], [1/s]
// Damping of the contact patch over its stiffness: some per cent of critical for a vehicle that
// stands on its tyres.
static const double PATCH_DAMPING = 0.002;  // [s]
// Load of a wheel in soil whose tyre has no load [N].
static const double LEAST_LOAD = 1e-6;
// Load of an impact, over that of a wheel at rest: laws of tyres are measured below it.
static const double HEAVY = 3;

// Velocity of the patch over the ground; the wheel's spin comes separately.
RUT_INLINE void move_patch(const rutVehicleClass* vehicle, const double* spin, rutWheels e) {
  const int at = e.first;
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    const double ax = W(ax)[i], ay = W(ay)[i], az = W(az)[i];
    const double along = W(cox)[i] * ax + W(coy)[i] * ay + W(coz)[i] * az;
    const double ox = W(cox)[i] - along * ax, oy = W(coy)[i] - along * ay;
    const double oz = W(coz)[i] - along * az;
    const double x = W(vhx)[i] + oy * W(dz)[i] - oz * W(dy)[i];
    const double y = W(vhy)[i] + oz * W(dx)[i] - ox * W(dz)[i];
    const double z = W(vhz)[i] + ox * W(dy)[i] - oy * W(dx)[i];
    W(vx)[i] = x * W(tx)[i] + y * W(ty)[i] + z * W(tz)[i];
    W(vy)[i] = x * W(sx)[i] + y * W(sy)[i] + z * W(sz)[i];
    W(rate)[i] = -W(rate_gain)[i] * (x * W(nx)[i] + y * W(ny)[i] + z * W(nz)[i]);
    W(spin)[i] = spin[at + i] + along;
    // rolling radius: between that of the free tyre and that of the hub's height, or this
    const double radius = vehicle->radius[at + i], pressed = rut_clamp(W(deflection)[i], 0, radius);
    W(rolling_radius)[i] = radius - vehicle->rolls[at + i] * pressed;
  }
}

// Entries from..to of a tile that belong to a run.
typedef struct Overlap {
  int from, to;
} Overlap;

RUT_INLINE Overlap overlap(const rutWheelRun* run, rutWheels e) {
  const int from = run->first - e.first, to = from + run->count;
  return (Overlap){from > 0 ? from : 0, to < e.n ? to : e.n};
}

// Springs and dampers of mechanisms.
RUT_INLINE void suspend_mechanisms(const rutVehicleClass* vehicle, rutWheels e) {
  const double* mass = vehicle->corner_mass + e.first;
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    const double force = -RUT_CORNER_ROW(e, force)[i], stiffness = RUT_CORNER_ROW(e, stiffness)[i];
    const double damping = RUT_CORNER_ROW(e, damping)[i], energy = RUT_CORNER_ROW(e, energy)[i];
    const double spring = W(spring)[i], k = W(spring_k)[i], c = W(spring_c)[i];
    const double before = W(spring_energy)[i];
    const int own = mass[i] > 0;
    W(spring)[i] = own ? force : spring;
    W(spring_k)[i] = own ? stiffness : k;
    W(spring_c)[i] = own ? damping : c;
    W(spring_energy)[i] = own ? energy : before;
  }
}

// Anti-roll bars between slides, at the end of the step, less what spring_k makes of this wheel's
// speed alone.
RUT_INLINE void twist_bars(const rutVehicleClass* vehicle, const rutStageMotion* motion,
                           rutWheels e) {
  const double *slide = motion->slide, *slide_speed = motion->slide_speed;
  for (int i = 0; i < e.n; i++) {
    const int own = e.first + i, other = vehicle->partner[own];
    if (vehicle->corner_mass[own] > 0) continue;
    const double rate = vehicle->roll_rate[own], twist = slide[own] - slide[other];
    const double both = slide_speed[own] + slide_speed[other];
    W(spring)[i] += rate * (twist - motion->implicit * both);
    W(spring_k)[i] += 2 * rate;
  }
}

// The same between mechanisms: the bar is twisted by the travel of the hubs, a part of which each
// coordinate makes, so that it acts on the coordinate with that part of its force. For this the
// mechanisms of all tiles must have moved.
RUT_INLINE void twist_mechanism_bars(const rutVehicleClass* vehicle, const rutStageMotion* motion,
                                     rutTiles all) {
  const double* speed = motion->slide_speed;
  for (int own = 0; own < all.tiles * all.n; own++) {
    const double rate = vehicle->roll_rate[own];
    if (!(rate > 0 && vehicle->corner_mass[own] > 0)) continue;
    const int other = vehicle->partner[own], i = own % all.n, k = other % all.n;
    const rutWheels e = rut_tile(all, own / all.n), beyond = rut_tile(all, other / all.n);
    const double part = RUT_CORNER_ROW(e, hub_v_z)[i],
                 part_beyond = RUT_CORNER_ROW(beyond, hub_v_z)[k];
    const double twist = RUT_CORNER_ROW(e, travel)[i] - RUT_CORNER_ROW(beyond, travel)[k];
    const double both = part * speed[own] + part_beyond * speed[other];
    W(spring)[i] += part * rate * (twist - motion->implicit * both);
    W(spring_k)[i] += 2 * part * part * rate;
  }
}

RUT_INLINE void suspension_forces(const rutVehicleClass* vehicle, const rutStageMotion* motion,
                                  rutWheels e) {
  for (int r = 0; r < vehicle->suspensions; r++) {
    const rutWheelRun* run = &vehicle->suspension[r];
    const rutSuspensionType* type = (const rutSuspensionType*)run->type;
    const Overlap o = overlap(run, e);
    const int at = e.first + o.from;
    if (o.from >= o.to || !type->force) continue;
    const rutSuspensionOut out = {W(spring) + o.from, W(spring_k) + o.from, W(spring_c) + o.from,
                                  W(spring_energy) + o.from};
    type->force(run->param, o.to - o.from, motion->slide + at, motion->slide_speed + at,
                vehicle->preload + at, &out);
  }
  if (vehicle->corners) suspend_mechanisms(vehicle, e);
  if (vehicle->anti_roll) twist_bars(vehicle, motion, e);
}

RUT_INLINE void tyre_loads(const rutVehicleBatch* batch, rutWheels e) {
  const rutVehicleClass* vehicle = batch->vehicle;
  for (int r = 0; r < vehicle->tyres; r++) {
    const rutWheelRun* run = &vehicle->tyre[r];
    const Overlap o = overlap(run, e);
    if (o.from >= o.to) continue;
    const rutCarcassOut out = {W(carcass) + o.from,      W(tyre_k) + o.from,
                               W(tyre_c) + o.from,       W(tyre_energy) + o.from,
                               W(relaxation_x) + o.from, W(relaxation_y) + o.from,
                               W(crossover) + o.from,    W(bearing) + o.from};
    ((const rutTyreType*)run->type)
        ->carcass(rut_tyre_param(batch, run), o.to - o.from, W(deflection) + o.from,
                  W(rate) + o.from, vehicle->radius + e.first + o.from, &out);
  }
}

// Loads at the end of the step, of massless wheels from their springs, and the deflections of the
// patches then.
//
// A patch that slides is not deflected further: its deflection is the force over its stiffness. So
// the relaxation length falls as the force over the slip, L/max(s, 1) with the normalised slip s
// (Pacejka, Tire and Vehicle Dynamics, 2012, 7.3), and a slip that changes its sign takes no longer
// distance to build up than at the peak. The memory is never shorter than a step.
//
// The stiffness of a patch grows with its load. In an impact, above `heavy`, a patch that is
// deflected already would so hold energy that no work has brought: there its deflection falls as
// the load grows, N z^2 staying as it is.
RUT_INLINE void load_and_slip(double dt, const rutVehicleBatch* batch, const rutStageMotion* motion,
                              rutWheels e) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int at = e.first;
  const double* used = RUT_SPATIAL_STATE(batch, normalised_slip) + at;
  const double* soil_load = RUT_STATE(batch, load) + at;  // of the last step
  const double* mean_weight = vehicle->mean_weight + at;
  const double *patch_x = motion->patch_x, *patch_y = motion->patch_y;
  const double *slide_speed = motion->slide_speed, h = motion->implicit;
  static const double LEAST_LEAK = 1e-3;  // within a step
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    const double slides = vehicle->body.slides[at + i], spring = W(spring)[i];
    // a wheel in deformable soil touches it however little its tyre carries
    const int buried = (W(deformable)[i] > 0) & (W(depth)[i] > 0);
    const double least = rut_max(W(carcass)[i], LEAST_LOAD);
    const double carried = buried ? least : W(carcass)[i];
    const double up = rut_max(W(nz)[i], RUT_LYING), vx = W(vx)[i], vy = W(vy)[i];
    const double found = W(distance)[i] < RUT_NO_GROUND ? 1.0 : 0.0;
    const double sprung = spring + h * W(spring_k)[i] * slide_speed[at + i];
    const double ahead = rut_max(carried + h * W(tyre_k)[i] * W(rate)[i], 0);
    const double own = carried > 0 ? W(gain)[i] * ahead : 0;
    const double hangs = (1 - slides) * upright(W(nz)[i]);
    const double load = hangs * (found * rut_max(sprung, 0) / up) + (1 - hangs) * own;
    W(load)[i] = load;
    W(normal_k)[i] = W(tyre_k)[i];
    W(normal_c)[i] = W(tyre_c)[i];
    const double rolling = W(rolling_radius)[i] * W(spin)[i];
    const double swift = rut_max(rut_max(rut_abs(rolling), rut_abs(vx)), 0.5 * rut_abs(vy));
    const double stick = rut_min(STICK_SPEED, STICK_RATE * vehicle->radius[at + i]);
    const double part = rut_clamp((swift - stick) / stick, 0, 1);
    const double moving = part * part * (3 - 2 * part);
    const double along = 1 / W(relaxation_x)[i], across = 1 / W(relaxation_y)[i];
    const double leak_x = swift * moving * along, leak_y = swift * moving * across;
    const double most = 1 / rut_max(dt * rut_max(leak_x, leak_y), LEAST_LEAK);
    const double quick = rut_max(rut_min(used[i], most), 1), hq = h * quick;
    // what a stiff tyre expects of a wheel that rises in soil is no load, where the soil has one
    const int held = (buried > 0) & (soil_load[i] > 0);
    const double touching = (load > 0) | held ? 1.0 : 0.0;
    const double heavy = rut_max(HEAVY * mean_weight[i], LEAST_LOAD);
    const double heavier = rut_max(held ? 0.0 : load, heavy), light = rut_max(soil_load[i], heavy);
    const double kept = rut_sqrt(rut_min(light / heavier, 1));
    const double gain_x = touching / (1 + hq * leak_x), gain_y = touching / (1 + hq * leak_y);
    const double sx = rolling - vx, sy = vy;
    const double zx = (kept * patch_x[at + i] + hq * sx) * gain_x;
    const double zy = (kept * patch_y[at + i] + hq * sy) * gain_y;
    const double rate_x = touching * (sx - leak_x * zx), rate_y = touching * (sy - leak_y * zy);
    W(kept)[i] = kept;
    W(patch_x)[i] = zx;
    W(patch_y)[i] = zy;
    W(patch_rate_x)[i] = quick * rate_x;
    W(patch_rate_y)[i] = quick * rate_y;
    W(sticking)[i] = 1 - moving;
    W(sliding_x)[i] = leak_x * zx;
    W(sliding_y)[i] = leak_y * zy;
    W(slides_x)[i] = 1 - gain_x;
    W(slides_y)[i] = 1 - gain_y;
    W(slip_x)[i] = (zx + PATCH_DAMPING * rate_x) * along;
    W(slip_y)[i] = (zy + PATCH_DAMPING * rate_y) * across;
    W(compliance_x)[i] = h * (hq + PATCH_DAMPING) * gain_x * along;
    W(compliance_y)[i] = h * (hq + PATCH_DAMPING) * gain_y * across;
    // a massless wheel does not sink in: its tyre deflects by load over stiffness
    const double static_deflection = load / vehicle->stiffness[at + i],
                 pressed = rut_max(W(deflection)[i], 0);
    W(effective_deflection)[i] = slides > 0 ? pressed : static_deflection;
    W(diameter)[i] = 2 * vehicle->radius[at + i];
  }
}

// Loads and slips of the wheels of a tile.
RUT_INLINE void load_wheels(const rutEnvironment* world, const rutVehicleBatch* batch,
                            const rutStageMotion* motion, rutWheels e) {
  const rutVehicleClass* vehicle = batch->vehicle;
  for (int from = 0; from < e.n; from += e.width) {
    move_patch(vehicle, motion->spin, rut_part(e, from));
  }
  suspension_forces(vehicle, motion, e);
  tyre_loads(batch, e);
  for (int from = 0; from < e.n; from += e.width) {
    load_and_slip(world->dt, batch, motion, rut_part(e, from));
  }
}

#endif  // RUT_VEHICLE_LOAD_H
