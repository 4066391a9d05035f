// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/integrate.h"

#include <string.h>

#include "mbd/integrate.h"
#include "vehicle/course.h"
#include "vehicle/evaluate.h"
#include "vehicle/kinematic.h"
#include "vehicle/report.h"

#define ROW(name)     RUT_STATE(batch, name)
#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

// Rates of positions: rotation vector (body axes), displacement (world), slides, spins.
static void advance_positions(const rutVehicleClass* vehicle, const double* start, const double* u,
                              double* q) {
  const int lanes = vehicle->lanes, rest = 2 * vehicle->body.n;
  for (int l = 0; l < lanes; l++) {
    const rutQuat old = rut_quat(start[3 * lanes + l], start[4 * lanes + l], start[5 * lanes + l],
                                 start[RUT_CHASSIS_SPEEDS * lanes + l]);
    const rutQuat now = rut_quat_unit(rut_quat_mul(old, rut_quat_exp(rut_load_vec3(u, lanes, l))));
    const double wxyz[4] = {now.w, now.x, now.y, now.z};
    for (int i = 0; i < 3; i++) q[i * lanes + l] = start[i * lanes + l] + u[(3 + i) * lanes + l];
    for (int i = 0; i < 4; i++) q[(3 + i) * lanes + l] = wxyz[i];
  }
  for (int i = 0; i < rest; i++)
    q[RUT_CHASSIS_POSITIONS * lanes + i] =
        start[RUT_CHASSIS_POSITIONS * lanes + i] + u[RUT_CHASSIS_SPEEDS * lanes + i];
}

// Positions after the step from the velocities that contacts have left; the linear velocity keeps
// its direction in the world while the axes turn.
RUT_INLINE void euler_positions(const rutVehicleBatch* batch, double h, int lanes) {
  const int rest = 2 * batch->vehicle->body.n;
  double* restrict q = ROW(q), * restrict v = ROW(v);
  RUT_FOR_LANES(l, lanes) {
    const rutQuat old = rut_quat(q[3 * lanes + l], q[4 * lanes + l], q[5 * lanes + l],
                                 q[RUT_CHASSIS_SPEEDS * lanes + l]);
    const rutVec3 omega = rut_load_vec3(v, lanes, l);
    const rutVec3 linear = rut_load_vec3(v + 3 * lanes, lanes, l);
    const rutVec3 world = rut_quat_rotate(old, linear);
    const rutQuat turn = rut_quat_of_turn(rut_vec3_scale(omega, h));
    const rutQuat now = rut_quat_unit(rut_quat_mul(old, turn));
    const rutVec3 carried = rut_quat_rotate(rut_quat_conjugate(turn), linear);
    q[l] += h * world.x;
    q[lanes + l] += h * world.y;
    q[2 * lanes + l] += h * world.z;
    q[3 * lanes + l] = now.w;
    q[4 * lanes + l] = now.x;
    q[5 * lanes + l] = now.y;
    q[RUT_CHASSIS_SPEEDS * lanes + l] = now.z;
    rut_store_vec3(v + 3 * lanes, lanes, l, carried);
  }
#pragma omp simd
  for (int i = 0; i < rest; i++)
    q[RUT_CHASSIS_POSITIONS * lanes + i] += h * v[RUT_CHASSIS_SPEEDS * lanes + i];
}

RUT_CLONES static void euler_positions_batch(const rutVehicleBatch* batch, double h) {
  euler_positions(batch, h, RUT_MBD_LANES);
}

// The deflections that the step has left: a patch that sticks slides where it is deflected beyond
// the largest force (return mapping), and motion resistance likewise.
RUT_INLINE void settle(double dt, const rutVehicleBatch* batch, rutWheels e) {
  const int at = e.first;
  double* restrict patch_x = SPATIAL(slip_x) + at, * restrict patch_y = SPATIAL(slip_y) + at;
  double* restrict rolling = SPATIAL(rolling) + at, * restrict used = SPATIAL(normalised_slip) + at;
  const double* restrict radius = batch->vehicle->radius + at;
  const double step = dt / RUT_RESISTANCE_PATH;
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    const double sticks = W(sticking)[i] > 0 ? W(normalised_slip)[i] : 0,
                 scale = 1 / rut_max(sticks, 1);
    patch_x[i] *= scale;
    patch_y[i] *= scale;
    used[i] = W(load)[i] > 0 ? W(normalised_slip)[i] : 0;
    const double moved = rut_clamp(rolling[i] + step * W(vx)[i] / radius[i], -1, 1);
    rolling[i] = W(load)[i] > 0 ? moved : 0;
  }
}

// Work of the tyres of a part over `time`, at the power of the last evaluation.
RUT_INLINE void add_tyre_work(double time, const rutVehicleBatch* batch, rutWheels e) {
  double* restrict slip = ROW(slip_work) + e.first, * restrict tyre = ROW(tyre_work) + e.first;
  const double twists = batch->vehicle->twists ? 1 : 0;
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    const double power = W(p_slip)[i] + (twists > 0 ? W(p_twist)[i] : 0);
    slip[i] += time * power;
    tyre[i] += time * (power + W(p_tyre)[i] + W(p_rolling)[i]);
  }
}

// Patches of a part at the end of a semi-implicit step.
RUT_INLINE void end_part(double dt, const rutVehicleBatch* batch, rutWheels e) {
  double* restrict patch_x = SPATIAL(slip_x) + e.first;
  double* restrict patch_y = SPATIAL(slip_y) + e.first;
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    patch_x[i] = W(patch_x)[i];
    patch_y[i] = W(patch_y)[i];
  }
  settle(dt, batch, e);
  add_tyre_work(dt, batch, e);
}

void rut_end_wheels(double dt, const rutVehicleBatch* batch, const rutWork* work) {
  const rutTiles all = rut_tiles_of(batch, work);
  for (int p = 0; p < rut_parts(all); p++) end_part(dt, batch, rut_part_at(all, p));
}

// Speeds, patches and energies at the end of a semi-implicit step.
RUT_INLINE void end_step(double h, const rutVehicleBatch* batch, const rutWork* work,
                         const rutStageMotion* motion, rutSizes of) {
  const int lanes = of.lanes;
  const rutTiles all = rut_tiles(batch, work, of);
  double* restrict v = ROW(v), * restrict energy = SPATIAL(energy);
  const double* restrict rate = motion->rate, * restrict power = work->chassis.power;
#pragma omp simd
  for (int i = 0; i < RUT_CHASSIS_SPEEDS * lanes + 2 * all.tiles * all.n; i++) v[i] += h * rate[i];
  for (int p = 0; p < rut_parts(all); p++) end_part(h, batch, rut_part_at(all, p));
#pragma omp simd
  for (int i = 0; i < RUT_ENERGY_COUNT * lanes; i++) energy[i] += h * power[i];
}

RUT_WHEEL_SIZES(end_step,
                (double h, const rutVehicleBatch* batch, const rutWork* work,
                 const rutStageMotion* motion),
                h, batch, work, motion)

// A coordinate of the steering at the end of the step.
static void move_on(int lanes, double h, const double* change, double* motion) {
  for (int l = 0; l < lanes; l++) {
    motion[l] += h * (motion[lanes + l] + h * change[l]);
    motion[lanes + l] += h * change[l];
  }
}

// The steering linkage, and its column.
static void end_linkage(const rutVehicleBatch* batch, double h) {
  const int lanes = batch->vehicle->lanes;
  move_on(lanes, h, SPATIAL(linkage_change), SPATIAL(linkage));
  move_on(lanes, h, SPATIAL(column_change), SPATIAL(column));
}

static void euler(const rutEnvironment* world, const rutVehicleBatch* batch, const rutWork* work) {
  rutStageMotion motion = rut_stage_motion(batch->vehicle, ROW(q), ROW(v), work->sum);
  motion.patch_x = SPATIAL(slip_x);
  motion.patch_y = SPATIAL(slip_y);
  motion.implicit = world->dt;
  motion.commit = true;
  rut_vehicle_evaluate(world, batch, work, &motion);
  end_step_all(world->dt, batch, work, &motion);
  if (batch->vehicle->mechanisms) end_linkage(batch, world->dt);
}

// Rates of the displacements u from the start of the step (mbd/integrate.c has the series).
static void displacement_rates(const rutVehicleClass* vehicle, const double* u, const double* q,
                               const double* v, double* rate) {
  const int lanes = vehicle->lanes, rest = 2 * vehicle->body.n;
  for (int l = 0; l < lanes; l++) {
    const rutVec3 turn = rut_load_vec3(u, lanes, l), w = rut_load_vec3(v, lanes, l);
    const rutVec3 once = rut_vec3_cross(turn, w), twice = rut_vec3_cross(turn, once);
    const rutQuat now = rut_quat(q[3 * lanes + l], q[4 * lanes + l], q[5 * lanes + l],
                                 q[RUT_CHASSIS_SPEEDS * lanes + l]);
    rut_store_vec3(rate, lanes, l,
                   rut_vec3_add_scaled(rut_vec3_add_scaled(w, 0.5, once), 1.0 / 12.0, twice));
    rut_store_vec3(rate + 3 * lanes, lanes, l,
                   rut_quat_rotate(now, rut_load_vec3(v + 3 * lanes, lanes, l)));
  }
  for (int i = 0; i < rest; i++)
    rate[RUT_CHASSIS_SPEEDS * lanes + i] = v[RUT_CHASSIS_SPEEDS * lanes + i];
}

// The rate of the velocity's components in axes that turn: less omega x v.
static void turn_rates(int lanes, const double* v, double* rate) {
  for (int l = 0; l < lanes; l++) {
    const rutVec3 turning =
        rut_vec3_cross(rut_load_vec3(v, lanes, l), rut_load_vec3(v + 3 * lanes, lanes, l));
    const rutVec3 a = rut_load_vec3(rate + 3 * lanes, lanes, l);
    rut_store_vec3(rate + 3 * lanes, lanes, l, rut_vec3_sub(a, turning));
  }
}

// Add a part of the rates of the patches' deflections to sums over stages.
static void add_patch_rates(rutTiles all, double part, double* x, double* y) {
  for (int t = 0; t < all.tiles; t++) {
    const rutWheels e = rut_tile(all, t);
    for (int i = 0; i < e.n; i++) {
      x[e.first + i] += part * W(patch_rate_x)[i];
      y[e.first + i] += part * W(patch_rate_y)[i];
    }
  }
}

// Wheels of a part at the end of a Runge-Kutta step, from the sums of the patches' deflections and
// the last stage.
static void end_stages(double dt, const rutVehicleBatch* batch, const rutStageMotion* last,
                       const double* sum, rutWheels e) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = e.lanes, at = e.first, n = vehicle->body.n;
  double *slip_x = SPATIAL(slip_x) + at, *slip_y = SPATIAL(slip_y) + at;
  double* slide = ROW(q) + RUT_CHASSIS_POSITIONS * lanes + at;
  double* speed = ROW(v) + RUT_CHASSIS_SPEEDS * lanes + at;
  const double *sum_x = sum + at, *sum_y = sum + n + at;
  for (int i = 0; i < e.width; i++) {
    const bool locked = W(locked)[i] > 0, massless = !(vehicle->body.slides[at + i] > 0);
    slip_x[i] = W(load)[i] > 0 ? W(kept)[i] * slip_x[i] + sum_x[i] : 0;
    slip_y[i] = W(load)[i] > 0 ? W(kept)[i] * slip_y[i] + sum_y[i] : 0;
    if (locked) speed[n + i] = 0;
    // a massless wheel's slide is found, not integrated
    if (massless) slide[i] = last->slide[at + i];
    if (massless) speed[i] = last->slide_speed[at + i];
  }
  settle(dt, batch, e);
}

// What a Runge-Kutta step carries from stage to stage.
typedef struct Stages {
  rutStageMotion motion;
  double *patch_x, *patch_y;
  double *start_q, *start_v;                  // at the start of the step
  double *sum_u, *sum_v, *sum_e, *sum_patch;  // weighted sums over stages
  double rate_u[RUT_MAX_SPATIAL_SPEEDS];      // of the displacements at the last stage
  double rate_v[RUT_MAX_SPATIAL_SPEEDS];      // of the speeds there
  rutCourse course;
  // of a linkage behind an elastic column, and its rate: at the start, sums over stages
  double start_linkage[2 * RUT_MBD_LANES], sum_linkage[2 * RUT_MBD_LANES];
} Stages;

static void begin_stages(const rutVehicleBatch* batch, const rutWork* work, Stages* s) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes, n = vehicle->body.n;
  const int nq = vehicle->positions * lanes, nv = vehicle->speeds * lanes;
  *s = (Stages){.patch_x = work->patch,
                .patch_y = work->patch + n,
                .start_q = work->start,
                .start_v = work->start + nq,
                .sum_u = work->sum,
                .sum_v = work->sum + nv,
                .sum_e = work->sum + 2 * nv,
                .sum_patch = work->patch + 2 * n};
  s->motion = rut_stage_motion(vehicle, work->stage, work->stage + nq, s->rate_v);
  s->motion.patch_x = s->patch_x;
  s->motion.patch_y = s->patch_y;
  memcpy(s->start_q, ROW(q), (size_t)nq * sizeof *s->start_q);
  memcpy(s->start_v, ROW(v), (size_t)nv * sizeof *s->start_v);
  memset(s->sum_u, 0, (size_t)(2 * nv + RUT_ENERGY_COUNT * lanes) * sizeof *s->sum_u);
  memset(s->sum_patch, 0, (size_t)(2 * n) * sizeof *s->sum_patch);
  memcpy(s->start_linkage, SPATIAL(linkage), (size_t)(2 * lanes) * sizeof *s->start_linkage);
}

// A linkage behind an elastic column at the next stage, from the rates of the last one.
static void move_linkage(const rutVehicleBatch* batch, double step, Stages* s) {
  const int lanes = batch->vehicle->lanes;
  double *at = SPATIAL(linkage), *change = SPATIAL(linkage_change);
  for (int l = 0; l < lanes; l++) {
    const double rate = at[lanes + l];
    at[l] = s->start_linkage[l] + step * rate;
    at[lanes + l] = s->start_linkage[lanes + l] + step * change[l];
  }
}

static void add_linkage(const rutVehicleBatch* batch, double share, Stages* s) {
  const int lanes = batch->vehicle->lanes;
  const double *at = SPATIAL(linkage), *change = SPATIAL(linkage_change);
  for (int l = 0; l < lanes; l++) {
    s->sum_linkage[l] += share * at[lanes + l];
    s->sum_linkage[lanes + l] += share * change[l];
  }
}

// Motion at the next stage, `step` after the start at the rates of the last one.
static void move_to_stage(const rutVehicleBatch* batch, rutTiles all, double step, Stages* s) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int n = vehicle->body.n, nv = vehicle->speeds * vehicle->lanes;
  rutStageMotion* motion = &s->motion;
  double u[RUT_MAX_SPATIAL_SPEEDS];
  motion->since = step;
  for (int i = 0; i < nv; i++) {
    u[i] = step * s->rate_u[i];
    motion->v[i] = s->start_v[i] + step * s->rate_v[i];
  }
  memcpy(s->patch_x, SPATIAL(slip_x), (size_t)n * sizeof *s->patch_x);
  memcpy(s->patch_y, SPATIAL(slip_y), (size_t)n * sizeof *s->patch_y);
  // nothing is known of the patches before the first stage
  if (step > 0) add_patch_rates(all, step, s->patch_x, s->patch_y);
  advance_positions(vehicle, s->start_q, u, motion->q);
  displacement_rates(vehicle, u, motion->q, motion->v, s->rate_u);
}

// Add what a stage has found, its weight being `share` of the step.
static void add_stage(const rutVehicleBatch* batch, const rutWork* work, rutTiles all, double share,
                      Stages* s) {
  const int lanes = batch->vehicle->lanes, nv = batch->vehicle->speeds * lanes;
  turn_rates(lanes, s->motion.v, s->rate_v);
  for (int i = 0; i < nv; i++) {
    s->sum_u[i] += share * s->rate_u[i];
    s->sum_v[i] += share * s->rate_v[i];
  }
  for (int i = 0; i < RUT_ENERGY_COUNT * lanes; i++) s->sum_e[i] += share * work->chassis.power[i];
  for (int l = 0; l < lanes; l++) {
    s->sum_e[RUT_ENERGY_steering * lanes + l] += share * s->course.power[l];
  }
  add_patch_rates(all, share, s->sum_patch, s->sum_patch + batch->vehicle->body.n);
  for (int p = 0; p < rut_parts(all); p++) add_tyre_work(share, batch, rut_part_at(all, p));
}

// Classical Runge-Kutta step of positions, speeds, patch deflections and energies together, with
// what is prescribed at the times of its stages.
static void runge_kutta(const rutEnvironment* world, const rutVehicleBatch* batch,
                        const rutWork* work) {
  static const double node[4] = {0, 0.5, 0.5, 1};
  static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  static const int time[4] = {0, 1, 1, 2};  // of the course
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  const bool elastic = vehicle->mechanisms && vehicle->steer_stiffness > 0;
  const double h = world->dt;
  const rutTiles all = rut_tiles_of(batch, work);
  Stages s;
  begin_stages(batch, work, &s);
  rut_course_begin(h, batch, &s.course);
  for (int stage = 0; stage < 4; stage++) {
    move_to_stage(batch, all, h * node[stage], &s);
    if (elastic && stage > 0) move_linkage(batch, h * node[stage], &s);
    rut_course_set(h, batch, &s.motion, time[stage], &s.course);
    s.motion.commit = stage == 3;
    rut_vehicle_evaluate(world, batch, work, &s.motion);
    if (elastic) add_linkage(batch, h * weight[stage], &s);
    add_stage(batch, work, all, h * weight[stage], &s);
  }
  advance_positions(vehicle, s.start_q, s.sum_u, ROW(q));
  for (int i = 0; i < vehicle->speeds * lanes; i++) ROW(v)[i] = s.start_v[i] + s.sum_v[i];
  for (int p = 0; p < rut_parts(all); p++) {
    end_stages(h, batch, &s.motion, s.sum_patch, rut_part_at(all, p));
  }
  for (int i = 0; i < RUT_ENERGY_COUNT * lanes; i++) SPATIAL(energy)[i] += s.sum_e[i];
  if (!elastic) return;
  for (int i = 0; i < 2 * lanes; i++) SPATIAL(linkage)[i] = s.start_linkage[i] + s.sum_linkage[i];
}

void rut_vehicle_velocity(const rutEnvironment* world, const rutVehicleBatch* batch, void* memory) {
  if (rut_vehicle_is_kinematic(batch->vehicle)) {
    rut_kinematic_velocity(world, batch, memory);
    return;
  }
  const rutWork work = rut_work_of(batch->vehicle, memory);
  if (world->rk4) {
    runge_kutta(world, batch, &work);
  } else {
    euler(world, batch, &work);
  }
  rut_vehicle_report(batch, &work);
}

void rut_vehicle_position(const rutEnvironment* world, const rutVehicleBatch* batch) {
  if (rut_vehicle_is_kinematic(batch->vehicle)) {
    rut_kinematic_position(world, batch);
    return;
  }
  if (world->rk4) return;
  if (batch->vehicle->lanes == 1) {
    euler_positions(batch, world->dt, 1);
  } else {
    euler_positions_batch(batch, world->dt);
  }
}
