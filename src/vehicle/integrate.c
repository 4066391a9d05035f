// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles on axles: one step in time, semi-implicit or Runge-Kutta, around the evaluation of
// forces and accelerations.
#include <string.h>

#include "math/quat.h"
#include "mbd/integrate.h"
#include "sim/step.h"
#include "vehicle/view.h"

// A row of the tile at hand; e and n, its size, are at hand wherever it is used.
#define W(name) RUT_WHEEL_ROW(e, n, name)

#define ROW(member)     (batch + (size_t)group->row.member * (size_t)group->lanes)
#define SPATIAL(member) (batch + (size_t)group->row.spatial.member * (size_t)group->lanes)

// Force of the hitch at a time.
static double hitch_force(const rutSpatial* s, double time) {
  const double since = time - s->hitch_start;
  const double most = s->hitch_ramp > 0 ? s->hitch_ramp * since : s->hitch_force;
  return since >= 0 ? rut_min(s->hitch_force, most) : 0;
}

static rutStepView view_of(const rutModel* model, const rutData* data, const rutGroup* group,
                           double* batch, const rutSpatialScratch* scratch) {
  const rutGround* ground = model->ground;
  const bool bare = ground->sources == 0 && ground->shapes == 0;
  return (rutStepView){.model = model,
                       .group = group,
                       .spatial = group->spatial,
                       .lift = data->lift,
                       .soft = data->soft,
                       .press = rut_batch_press(data, group, batch),
                       .batch = batch,
                       .scratch = scratch,
                       .row = scratch->row,
                       .n = group->spatial->body.n,
                       .arc = group->spatial->search == RUT_CONTACT_ARC && !bare,
                       .implicit = model->rk4 ? 0 : model->dt,
                       .commit = !model->rk4,
                       .highest_ground = model->highest_ground,
                       .hitch_force = hitch_force(group->spatial, data->time)};
}

// Torques, brakes and spin axes of a part for an evaluation; they hold through the step.
RUT_INLINE void hold_part(const rutStepView* e, int n, int lanes) {
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const int at = e->first;
  const double* restrict torque = ROW(torque) + at, * restrict brake = SPATIAL(brake);
  const double* restrict sine = SPATIAL(steer_sin) + at, * restrict cosine =
                                                             SPATIAL(steer_cos) + at;
  const double* restrict driven = e->spatial->driven + at;
  const double* restrict inertia = SPATIAL(shaft_inertia) + at;
#pragma omp simd
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    const double given = torque[i];
    W(brake_part)[i] = rut_clamp(brake[lanes > 1 ? at % lanes + i : 0], 0, 1);
    W(ax)[i] = -sine[i];
    W(ay)[i] = cosine[i];
    W(az)[i] = 0;
    W(shaft_inertia)[i] = inertia[i];
    W(drive_torque)[i] = driven[i] > 0 ? given : 0;
  }
}

RUT_INLINE void hold_inputs(const rutStepView* e, int n, int lanes, int wheels) {
  (void)wheels;
  for (int p = 0; p < rut_wheel_parts(e, n); p++) {
    const rutStepView part = rut_wheel_part_at(e, n, p);
    hold_part(&part, n, lanes);
  }
}

RUT_SPATIAL_SIZES(hold_inputs)

// Rates of positions: rotation vector (body axes), displacement (world), slides, spins.
static void advance_positions(const rutGroup* group, const double* start, const double* u,
                              double* q) {
  const int lanes = group->lanes, rest = 2 * group->spatial->body.n;
  for (int l = 0; l < lanes; l++) {
    const rutQuat old = rut_quat(start[3 * lanes + l], start[4 * lanes + l], start[5 * lanes + l],
                                 start[6 * lanes + l]);
    const rutQuat now = rut_quat_unit(rut_quat_mul(old, rut_quat_exp(rut_load_vec3(u, lanes, l))));
    const double wxyz[4] = {now.w, now.x, now.y, now.z};
    for (int i = 0; i < 3; i++) q[i * lanes + l] = start[i * lanes + l] + u[(3 + i) * lanes + l];
    for (int i = 0; i < 4; i++) q[(3 + i) * lanes + l] = wxyz[i];
  }
  for (int i = 0; i < rest; i++) q[7 * lanes + i] = start[7 * lanes + i] + u[6 * lanes + i];
}

// Positions after the step from the velocities that contacts have left; the linear velocity keeps
// its direction in the world while the axes turn.
RUT_INLINE void euler_positions(const rutGroup* group, int lanes, double h, double* batch) {
  const int rest = 2 * group->spatial->body.n;
  double* restrict q = ROW(q), * restrict v = ROW(v);
  RUT_FOR_LANES(l, lanes) {
    const rutQuat old =
        rut_quat(q[3 * lanes + l], q[4 * lanes + l], q[5 * lanes + l], q[6 * lanes + l]);
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
    q[6 * lanes + l] = now.z;
    rut_store_vec3(v + 3 * lanes, lanes, l, carried);
  }
#pragma omp simd
  for (int i = 0; i < rest; i++) q[7 * lanes + i] += h * v[6 * lanes + i];
}

RUT_CLONES static void euler_positions_batch(const rutGroup* group, double h, double* batch) {
  euler_positions(group, RUT_MBD_LANES, h, batch);
}

// The deflections that the step has left: a patch that sticks yields where it is pushed beyond the
// largest force (return mapping), and motion resistance likewise.
RUT_INLINE void settle(const rutStepView* e, int n, double* restrict patch_x,
                       double* restrict patch_y) {
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const int at = e->first;
  double* restrict rolling = SPATIAL(rolling) + at, * restrict used = SPATIAL(use) + at;
  const double* restrict radius = e->spatial->radius + at;
  const double step = e->model->dt / RUT_RESISTANCE_PATH;
#pragma omp simd
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    const double sticks = W(sticking)[i] > 0 ? W(use)[i] : 0, yield = 1 / rut_max(sticks, 1);
    patch_x[i] *= yield;
    patch_y[i] *= yield;
    used[i] = W(load)[i] > 0 ? W(use)[i] : 0;
    const double moved = rut_clamp(rolling[i] + step * W(vx)[i] / radius[i], -1, 1);
    rolling[i] = W(load)[i] > 0 ? moved : 0;
  }
}

// Patches of a part at the end of a semi-implicit step.
RUT_INLINE void end_part(const rutStepView* e, int n) {
  const rutGroup* group = e->group;
  double* batch = e->batch;
  double* restrict patch_x = SPATIAL(slip_x) + e->first;
  double* restrict patch_y = SPATIAL(slip_y) + e->first;
#pragma omp simd
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    patch_x[i] = W(patch_x)[i];
    patch_y[i] = W(patch_y)[i];
  }
  settle(e, n, patch_x, patch_y);
}

// Speeds, patches and energies at the end of a semi-implicit step.
RUT_INLINE void end_step(const rutStepView* e, int n, int lanes, int wheels) {
  (void)wheels;
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const double h = e->model->dt;
  double* restrict v = ROW(v), * restrict energy = SPATIAL(energy);
  const double* restrict rate = e->rate, * restrict power = e->scratch->power;
  const int tiles = rut_wheel_tiles(e, n);
#pragma omp simd
  for (int i = 0; i < 6 * lanes + 2 * tiles * n; i++) v[i] += h * rate[i];
  for (int p = 0; p < rut_wheel_parts(e, n); p++) {
    const rutStepView part = rut_wheel_part_at(e, n, p);
    end_part(&part, n);
  }
#pragma omp simd
  for (int i = 0; i < RUT_ENERGY_COUNT * lanes; i++) energy[i] += h * power[i];
}

// A coordinate of the steering at the end of the step; with part 1 of its acceleration where
// positions follow from the new speeds, with half where they follow from both.
static void move_on(int lanes, double h, double part, const double* change, double* motion) {
  for (int l = 0; l < lanes; l++) {
    motion[l] += h * (motion[lanes + l] + part * h * change[l]);
    motion[lanes + l] += h * change[l];
  }
}

// The steering linkage, and its column.
static void end_linkage(const rutStepView* e, double part) {
  const rutGroup* group = e->group;
  double* batch = e->batch;
  move_on(group->lanes, e->model->dt, part, SPATIAL(linkage_change), SPATIAL(linkage));
  move_on(group->lanes, e->model->dt, part, SPATIAL(column_change), SPATIAL(column));
}

RUT_SPATIAL_SIZES(end_step)

static void euler(rutStepView* e) {
  const rutGroup* group = e->group;
  double* batch = e->batch;
  e->q = ROW(q);
  e->v = ROW(v);
  e->patch_x = SPATIAL(slip_x);
  e->patch_y = SPATIAL(slip_y);
  e->rate = e->scratch->sum;
  rut_spatial_evaluate(e);
  end_step_all(e);
  if (e->spatial->mechanisms) end_linkage(e, 1);
}

// Rates of the displacements u from the start of the step (mbd/integrate.c has the series).
static void displacement_rates(const rutGroup* group, const double* u, const double* q,
                               const double* v, double* rate) {
  const int lanes = group->lanes, rest = 2 * group->spatial->body.n;
  for (int l = 0; l < lanes; l++) {
    const rutVec3 turn = rut_load_vec3(u, lanes, l), w = rut_load_vec3(v, lanes, l);
    const rutVec3 once = rut_vec3_cross(turn, w), twice = rut_vec3_cross(turn, once);
    const rutQuat now =
        rut_quat(q[3 * lanes + l], q[4 * lanes + l], q[5 * lanes + l], q[6 * lanes + l]);
    rut_store_vec3(rate, lanes, l,
                   rut_vec3_add_scaled(rut_vec3_add_scaled(w, 0.5, once), 1.0 / 12.0, twice));
    rut_store_vec3(rate + 3 * lanes, lanes, l,
                   rut_quat_rotate(now, rut_load_vec3(v + 3 * lanes, lanes, l)));
  }
  for (int i = 0; i < rest; i++) rate[6 * lanes + i] = v[6 * lanes + i];
}

// The rate of the velocity's components in axes that turn: less omega x v.
static void turn_rates(const rutGroup* group, const double* v, double* rate) {
  const int lanes = group->lanes;
  for (int l = 0; l < lanes; l++) {
    const rutVec3 turning =
        rut_vec3_cross(rut_load_vec3(v, lanes, l), rut_load_vec3(v + 3 * lanes, lanes, l));
    const rutVec3 a = rut_load_vec3(rate + 3 * lanes, lanes, l);
    rut_store_vec3(rate + 3 * lanes, lanes, l, rut_vec3_sub(a, turning));
  }
}

// Add a part of the rates of the patches' deflections to sums over stages.
static void add_patch_rates(const rutStepView* e, double part, double* x, double* y) {
  const int n = e->n < RUT_WHEEL_TILE ? e->n : RUT_WHEEL_TILE;
  for (int t = 0; t * n < e->n; t++) {
    const rutStepView tile = rut_wheel_tile(e, n, t);
    const double* rate_x = RUT_WHEEL_ROW(&tile, n, patch_rate_x);
    const double* rate_y = RUT_WHEEL_ROW(&tile, n, patch_rate_y);
    for (int i = 0; i < n; i++) {
      x[tile.first + i] += part * rate_x[i];
      y[tile.first + i] += part * rate_y[i];
    }
  }
}

// Wheels of a part at the end of a Runge-Kutta step, from the sums of the patches' deflections and
// the last stage.
static void end_stages(const rutStepView* e, int n, const double* sum_x, const double* sum_y) {
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const int lanes = group->lanes, at = e->first;
  double *slip_x = SPATIAL(slip_x) + at, *slip_y = SPATIAL(slip_y) + at;
  double *slide = ROW(q) + 7 * lanes + at, *speed = ROW(v) + 6 * lanes + at;
  const double *last_slide = e->q + 7 * lanes + at, *last_speed = e->v + 6 * lanes + at;
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    const bool locked = W(locked)[i] > 0, massless = !(e->spatial->body.slides[at + i] > 0);
    slip_x[i] = W(load)[i] > 0 ? slip_x[i] + sum_x[at + i] : 0;
    slip_y[i] = W(load)[i] > 0 ? slip_y[i] + sum_y[at + i] : 0;
    if (locked) speed[e->n + i] = 0;
    // a massless wheel's slide is found, not integrated
    if (massless) slide[i] = last_slide[i];
    if (massless) speed[i] = last_speed[i];
  }
  settle(e, n, slip_x, slip_y);
}

// Classical Runge-Kutta step of positions, speeds, patch deflections and energies together.
static void runge_kutta(rutStepView* e) {
  static const double node[4] = {0, 0.5, 0.5, 1};
  static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const rutSpatialScratch* k = e->scratch;
  const int lanes = group->lanes, n = e->n;
  const int nq = group->tree.positions * lanes, nv = group->tree.speeds * lanes;
  const int ne = RUT_ENERGY_COUNT * lanes;
  const double h = e->model->dt;
  double *start_q = k->start, *start_v = start_q + nq, *q = k->stage, *v = q + nq;
  double *sum_u = k->sum, *sum_v = sum_u + nv, *sum_e = sum_v + nv;
  double *px = k->patch, *py = px + n, *sum_x = py + n, *sum_y = sum_x + n;
  double rate_u[RUT_MAX_SPATIAL_SPEEDS], rate_v[RUT_MAX_SPATIAL_SPEEDS], u[RUT_MAX_SPATIAL_SPEEDS];
  double turns[RUT_MBD_LANES] = {0};  // mean acceleration of the linkage
  e->q = q;
  e->v = v;
  e->patch_x = px;
  e->patch_y = py;
  e->rate = rate_v;
  memcpy(start_q, ROW(q), (size_t)nq * sizeof *q);
  memcpy(start_v, ROW(v), (size_t)nv * sizeof *v);
  memset(sum_u, 0, (size_t)(2 * nv + ne) * sizeof *sum_u);
  memset(sum_x, 0, (size_t)(2 * n) * sizeof *sum_x);
  memset(rate_u, 0, (size_t)nv * sizeof *rate_u);
  memset(rate_v, 0, (size_t)nv * sizeof *rate_v);
  for (int stage = 0; stage < 4; stage++) {
    const double step = h * node[stage], share = h * weight[stage];
    e->since = step;
    for (int i = 0; i < nv; i++) {
      u[i] = step * rate_u[i];
      v[i] = start_v[i] + step * rate_v[i];
    }
    memcpy(px, SPATIAL(slip_x), (size_t)n * sizeof *px);
    memcpy(py, SPATIAL(slip_y), (size_t)n * sizeof *py);
    if (stage) add_patch_rates(e, step, px, py);
    advance_positions(group, start_q, u, q);
    displacement_rates(group, u, q, v, rate_u);
    e->commit = stage == 3;
    rut_spatial_evaluate(e);
    for (int l = 0; l < lanes; l++) turns[l] += weight[stage] * SPATIAL(linkage_change)[l];
    turn_rates(group, v, rate_v);
    for (int i = 0; i < nv; i++) {
      sum_u[i] += share * rate_u[i];
      sum_v[i] += share * rate_v[i];
    }
    for (int i = 0; i < ne; i++) sum_e[i] += share * k->power[i];
    add_patch_rates(e, share, sum_x, sum_y);
  }
  advance_positions(group, start_q, sum_u, ROW(q));
  for (int i = 0; i < nv; i++) ROW(v)[i] = start_v[i] + sum_v[i];
  const int width = n < RUT_WHEEL_TILE ? n : RUT_WHEEL_TILE;
  for (int p = 0; p < rut_wheel_parts(e, width); p++) {
    const rutStepView part = rut_wheel_part_at(e, width, p);
    end_stages(&part, width, sum_x, sum_y);
  }
  for (int i = 0; i < ne; i++) SPATIAL(energy)[i] += sum_e[i];
  if (!e->spatial->mechanisms) return;
  memcpy(SPATIAL(linkage_change), turns, (size_t)lanes * sizeof *turns);
  end_linkage(e, 0.5);
}

void rut_spatial_velocity(const rutModel* model, rutData* data, const rutGroup* group,
                          double* batch, unsigned char* memory) {
  rutSpatialScratch scratch;
  rut_spatial_scratch(group, memory, &scratch);
  rutStepView view = view_of(model, data, group, batch, &scratch);
  double since = data->profile ? rut_clock() : 0;
  rut_spatial_control(model, group, batch);
  since = rut_lap(data, RUT_STAGE_control, since);
  hold_inputs_all(&view);
  if (model->rk4) {
    runge_kutta(&view);
  } else {
    euler(&view);
  }
  rut_spatial_report(&view);
  rut_lap(data, RUT_STAGE_dynamics, since);
}

void rut_spatial_position(const rutModel* model, const rutGroup* group, double* batch, int index) {
  if (!model->rk4 && group->lanes == 1) euler_positions(group, 1, model->dt, batch);
  if (!model->rk4 && group->lanes > 1) euler_positions_batch(group, model->dt, batch);
  rut_spatial_observe(group, batch);
  rut_spatial_odometry(model, group, batch, index);
}
