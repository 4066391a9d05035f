// SPDX-License-Identifier: BSD-3-Clause
//
// One batch of equal vehicles through one step. Loops run over wheels x lanes; every lane goes
// through the same operations, so its bits do not depend on its neighbours.
#include "sim/step_vehicle.h"

#include <string.h>

#include "math/lanes.h"
#include "mbd/integrate.h"
#include "mbd/rolling.h"
#include "sim/step_lanes.h"
#include "sim/step_plane.h"

// Whether forces along the wheels are found together with accelerations.
RUT_INLINE bool rolls_implicitly(const rutGroup* group) { return group->coupled && group->tyre; }

void rut_batch_scratch(const rutGroup* group, rutArena* arena, rutBatchScratch* out) {
  int n = group->wheels * group->lanes, lanes = group->lanes;
  double** per_wheel[] = {&out->vx,       &out->vy,      &out->gx,   &out->gy,    &out->fx,
                          &out->fy,       &out->drag,    &out->spin, &out->cos,   &out->sin,
                          &out->friction, &out->rolling, &out->roll, &out->limit, &out->torque};
  // few pieces: this is done for every batch and step
  double* rows = RUT_TAKE(arena, double, RUT_COUNT_OF(per_wheel) * n + 5 * lanes);
  for (int i = 0; i < RUT_COUNT_OF(per_wheel); i++) *per_wheel[i] = rows ? rows + i * n : NULL;
  double* row = rows ? rows + RUT_COUNT_OF(per_wheel) * n : NULL;
  out->heading_cos = row;
  out->heading_sin = row ? row + lanes : NULL;
  out->gravity = row ? row + 2 * lanes : NULL;
  out->acceleration = RUT_TAKE(arena, double, group->tree.speeds* lanes);
  if (!rolls_implicitly(group)) {
    out->tau = RUT_TAKE(arena, double, group->tree.speeds* lanes);
    out->force = RUT_TAKE(arena, double, 6 * group->tree.bodies * lanes);
    out->tree = RUT_TAKE(arena, double, rut_mbd_scratch(&group->tree, lanes));
  } else {
    out->tau = out->force = out->tree = NULL;
  }
  out->gain = RUT_TAKE(arena, double, group->gain ? 0 : group->lines* n);
  out->saved = RUT_TAKE(arena, double, group->tree.positions* lanes);
  out->tyre_state = RUT_TAKE(arena, double, group->tyre_states* n);
  out->integrator = RUT_TAKE(arena, double, rut_mbd_step_scratch(&group->tree, lanes));
}

// ---- forces ----

// Gravity in the axes of the ground under the vehicle (columns of the stored rotation), and along
// and across the vehicle.
RUT_INLINE void find_gravity(const rutModel* model, const rutGroup* group, int lanes, double* batch,
                             const rutBatchScratch* scratch) {
  const double* restrict axes = ROW(ground) + lanes;
  double* restrict gravity = scratch->gravity;
  const double g = model->gravity;
#pragma omp simd
  for (int i = 0; i < 3 * lanes; i++) gravity[i] = -g * axes[6 * lanes + i];
}

// Hub velocities and gravity in the axes of every wheel, from coordinates q and v.
RUT_INLINE void wheel_kinematics(const rutGroup* group, int lanes, double* batch, const double* q,
                                 const double* v, const rutBatchScratch* k) {
  double* restrict c = k->heading_cos, * restrict s = k->heading_sin;
  if (q == ROW(q)) {
    memcpy(c, ROW(cos_yaw), (size_t)lanes * sizeof *c);
    memcpy(s, ROW(sin_yaw), (size_t)lanes * sizeof *s);
  } else {
#pragma omp simd
    for (int l = 0; l < lanes; l++) rut_sincos(q[2 * lanes + l], &s[l], &c[l]);
  }

  for (int w = 0; w < group->wheels; w++) {
    const size_t at = (size_t)w * (size_t)lanes;
    double* restrict wc = k->cos + at, * restrict ws = k->sin + at;
    if (group->steer_position[w] >= 0) {
      const double* restrict yaw = ROW(yaw) + at;
#pragma omp simd
      for (int l = 0; l < lanes; l++) rut_sincos(yaw[l], &ws[l], &wc[l]);
    } else {
      for (int l = 0; l < lanes; l++) {
        wc[l] = group->mount_cos[w];
        ws[l] = group->mount_sin[w];
      }
    }
    // lever arms from the centre of mass, whose velocity v is
    const double* restrict x = group->arm_x + at, * restrict y = group->arm_y + at;
    double* restrict vx = k->vx + at, * restrict vy = k->vy + at;
    double* restrict gx = k->gx + at, * restrict gy = k->gy + at;
    double* restrict hub_vx = ROW(hub_vx) + at, * restrict hub_vy = ROW(hub_vy) + at;
    const double* restrict gravity = k->gravity, * restrict hold = group->hold + at;
#pragma omp simd
    for (int l = 0; l < lanes; l++) {
      double rate = v[2 * lanes + l];
      double hx = c[l] * v[l] + s[l] * v[lanes + l] - rate * y[l];
      double hy = -s[l] * v[l] + c[l] * v[lanes + l] + rate * x[l];
      double bx = c[l] * gravity[l] + s[l] * gravity[lanes + l];
      double by = -s[l] * gravity[l] + c[l] * gravity[lanes + l];
      hub_vx[l] = hx;
      hub_vy[l] = hy;
      vx[l] = wc[l] * hx + ws[l] * hy;
      vy[l] = -ws[l] * hx + wc[l] * hy;
      gx[l] = wc[l] * bx + ws[l] * by;
      gy[l] = (-ws[l] * bx + wc[l] * by) * hold[l];
    }
  }
}

// Wheels carry fixed shares of the weight: in the plane there is no load transfer.
RUT_INLINE void wheel_loads(const rutGroup* group, int lanes, double* batch,
                            const rutBatchScratch* k) {
  const int n = group->wheels * lanes;
  double* restrict load = ROW(load);
  const double* restrict share = group->share, * restrict gravity = k->gravity;
  for (int w = 0; w < n; w += lanes) {
#pragma omp simd
    for (int l = 0; l < lanes; l++) load[w + l] = share[w + l] * -gravity[2 * lanes + l];
  }
}

RUT_INLINE void place_properties(const rutModel* model, const rutGroup* group, int lanes,
                                 double* batch, const double* q, const rutBatchScratch* k) {
  const int n = group->wheels * lanes;
  const bool local = model->ground->regions > 0 || model->ground->maps > 0;
  for (int i = 0; i < n; i++) k->friction[i] = k->rolling[i] = RUT_NAN;
  for (int w = 0; local && w < group->wheels; w++) {
    for (int l = 0; l < lanes; l++) {
      const double x = group->arm_x[w * lanes + l], y = group->arm_y[w * lanes + l];
      double c = k->heading_cos[l], s = k->heading_sin[l];
      rut_ground_properties(model->ground, q[l] + c * x - s * y, q[lanes + l] + s * x + c * y,
                            ROW(ground)[l], &k->friction[w * lanes + l],
                            &k->rolling[w * lanes + l]);
    }
  }
  if (lanes == 1) return;
  // what the place does not say is the tyre's
  const double *friction = group->lane_friction, *rolling = group->lane_rolling;
  for (int i = 0; friction && i < n; i++) {
    const double of_place = k->friction[i];
    k->friction[i] = of_place == of_place ? of_place : friction[i];
  }
  for (int i = 0; rolling && i < n; i++) {
    const double of_place = k->rolling[i];
    k->rolling[i] = of_place == of_place ? of_place : rolling[i];
  }
}

// Where lateral forces do not work against each other.
static const double no_scrub[RUT_MAX_WHEELS * RUT_MBD_LANES] = {0};

RUT_INLINE void tyre_forces(const rutModel* model, const rutGroup* group, int lanes, double* batch,
                            const rutBatchScratch* k, const double* speed) {
  const int n = group->wheels * lanes;
  if (!group->tyre) {
    double* rows[] = {k->fx, k->fy, k->drag, k->spin};
    for (int i = 0; i < RUT_COUNT_OF(rows); i++) memset(rows[i], 0, (size_t)n * sizeof(double));
    return;
  }
  rutTyreIn in = {
      .dt = model->dt,
      .gravity = model->gravity,
      .vx = k->vx,
      .vy = k->vy,
      .gx = k->gx,
      .gy = k->gy,
      .speed = speed,
      .torque = ROW(torque),
      .load = ROW(load),
      .mass = group->side_mass,
      .radius = group->radius,
      .inertia = group->inertia,
      .friction = k->friction,
      .rolling = k->rolling,
      .scrub = group->scrubs ? ROW(scrub) : no_scrub,
  };
  rutTyreOut out = {.fx = k->fx,
                    .fy = k->fy,
                    .drag = k->drag,
                    .spin = k->spin,
                    .roll = k->roll,
                    .limit = k->limit};
  memset(k->roll, 0, (size_t)(2 * n) * sizeof *k->roll);  // and limit
  if (lanes > 1 && group->own_tyre) {
    rut_plane_tyres(group, &in, ROW(tyre), &out);
  } else {
    group->tyre->force(group->tyre_param, n, &in, ROW(tyre), &out);
  }
}

// What wheels and body have at the start of a step; the arrays are the caller's.
RUT_INLINE rutRolling rolling_of(const rutModel* model, const rutGroup* group, int lanes,
                                 double* batch, const rutBatchScratch* k) {
  const rutDemandLine line = rut_plane_line(group, lanes, batch);
  return (rutRolling){.wheels = group->wheels,
                      .left = group->layout.left,
                      .right = group->layout.right,
                      .dt = model->dt,
                      .mass = group->lane_mass,
                      .yaw_inertia = group->lane_yaw_inertia,
                      .x = group->arm_x,
                      .y = group->arm_y,
                      .cosine = k->cos,
                      .sine = k->sin,
                      .radius = group->radius,
                      .inverse_radius = group->inverse_radius,
                      .mass_of_spin = group->mass_of_spin,
                      .speed_per_torque = group->speed_per_torque,
                      .velocity = k->vx,
                      .spin = k->spin,
                      .roll = k->roll,
                      .limit = k->limit,
                      .across = k->fy,
                      .drag = k->drag,
                      .demand = ROW(demand),
                      .still = line.still,
                      .rate = line.rate,
                      .low = line.low,
                      .high = line.high,
                      .gain = group->gain ? group->gain : k->gain,
                      .along = k->fx,
                      .torque = k->torque};
}

// Accelerations of the tree's coordinates, from those of the body in vehicle axes and the change of
// the wheel speeds in the step.
RUT_INLINE void gather_accelerations(const rutModel* model, const rutGroup* group, int lanes,
                                     const rutRolling* rolling, const rutBatchScratch* k) {
  const double* turned = rolling->acceleration;
  double* restrict a = k->acceleration;
  memset(a, 0, (size_t)(group->tree.speeds * lanes) * sizeof *a);
  for (int l = 0; l < lanes; l++) {
    const double c = k->heading_cos[l], s = k->heading_sin[l];
    a[l] = c * turned[l] - s * turned[lanes + l];
    a[lanes + l] = s * turned[l] + c * turned[lanes + l];
    a[2 * lanes + l] = turned[2 * lanes + l];
  }
  const double per_step = 1 / model->dt;
  for (int w = 0; w < group->wheels; w++) {
    double* restrict spin_up = a + group->wheel_speed[w] * lanes;
    for (int l = 0; l < lanes; l++) spin_up[l] = per_step * rolling->speed_change[w * lanes + l];
  }
}

// Forces along the wheels, and torques, at the end of the step.
RUT_INLINE void roll_wheels(const rutModel* model, const rutGroup* group, int lanes, double* batch,
                            const rutBatchScratch* k, const double* speed) {
  const int n = group->wheels * lanes, lines = group->lines;
  memcpy(k->torque, ROW(torque), (size_t)n * sizeof *batch);
  if (!group->tyre || (!group->coupled && !lines)) return;
  double gravity[2 * RUT_MBD_LANES], turned[3 * RUT_MBD_LANES];
  double speeding[RUT_MAX_WHEELS * RUT_MBD_LANES];
  for (int l = 0; l < lanes; l++) {
    const double c = k->heading_cos[l], s = k->heading_sin[l];
    const double gx = k->gravity[l], gy = k->gravity[lanes + l];
    gravity[l] = c * gx + s * gy;
    gravity[lanes + l] = c * gy - s * gx;
  }
  if (lines && !group->gain) {
    memset(k->gain, 0, (size_t)(lines * n) * sizeof *batch);
    const rutDriveIn in = {lanes, model->dt, ROW(demand), ROW(start_speed), group->drive_plan};
    if (lanes > 1 && group->own_drive) {
      rut_plane_gain(group, &in, ROW(drive), k->gain);
    } else {
      group->drive->gain(group->drive_param, &group->layout, &in, ROW(drive), k->gain);
    }
  }
  rutRolling rolling = rolling_of(model, group, lanes, batch, k);
  rolling.speed = speed;
  rolling.gravity = gravity;
  rolling.acceleration = turned;
  rolling.speed_change = speeding;
  const rutRollingSize size = {lines, group->straight, lanes};
  if (group->coupled) {
    rut_rolling_solve(&rolling, size);
    gather_accelerations(model, group, lanes, &rolling, k);
  } else {
    rut_rolling_follow(&rolling, size);
  }
}

// Forces on the wheels for outputs, in the vehicle's axes.
RUT_INLINE void report_forces(const rutGroup* group, int lanes, double* batch,
                              const rutBatchScratch* k) {
  const int n = group->wheels * lanes;
  double* restrict out_x = ROW(fx), * restrict out_y = ROW(fy);
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double along = k->fx[i] + k->drag[i];
    out_x[i] = k->cos[i] * along - k->sin[i] * k->fy[i];
    out_y[i] = k->sin[i] * along + k->cos[i] * k->fy[i];
  }
}

// Wrench on each wheel body: the ground's force acts a radius below the hub, drag at the hub.
RUT_INLINE void apply_forces(const rutGroup* group, int lanes, const rutBatchScratch* k) {
  memset(k->force, 0, 6 * (size_t)group->tree.bodies * (size_t)lanes * sizeof(double));
  memset(k->tau, 0, (size_t)group->tree.speeds * (size_t)lanes * sizeof(double));
  for (int w = 0; w < group->wheels; w++) {
    const size_t at = (size_t)w * (size_t)lanes;
    double* restrict f = k->force + 6 * (size_t)group->wheel_body[w] * (size_t)lanes;
    double* restrict tau = k->tau + (size_t)group->wheel_speed[w] * (size_t)lanes;
    const double* restrict fx = k->fx + at, * restrict fy = k->fy + at, * restrict drag = k->drag + at;
    const double* restrict spin = k->spin + at, * restrict r = group->radius + at;
    const double* restrict torque = k->torque + at;
#pragma omp simd
    for (int l = 0; l < lanes; l++) {
      double along = fx[l] + drag[l];
      f[l] = r[l] * fy[l];
      f[lanes + l] = -r[l] * fx[l];
      f[3 * lanes + l] = along;
      f[4 * lanes + l] = fy[l];
      tau[l] = torque[l] + spin[l];
    }
  }
}

RUT_INLINE void joint_forces(const rutGroup* group, int lanes, const double* q, const double* v,
                             const rutBatchScratch* k) {
  memset(k->force, 0, 6 * (size_t)group->tree.bodies * (size_t)lanes * sizeof(double));
  for (int b = 0; b < group->tree.bodies; b++) {
    const rutMbdBody* body = &group->tree.body[b];
    int speeds = rut_mbd_joint_speeds((rutJointType)body->joint);
    for (int i = 0; i < speeds * lanes; i++) {
      int s = body->speed * lanes + i;
      double stiffness = group->stiffness[body->speed + i / lanes];
      double spring = stiffness > 0 ? stiffness * q[body->position * lanes + i] : 0;
      k->tau[s] = -group->damping[body->speed + i / lanes] * v[s] - spring;
    }
  }
}

// ---- integration ----

typedef struct Evaluation {
  const rutModel* model;
  const rutGroup* group;
  double* batch;
  const rutBatchScratch* scratch;
  int stage;  // of a Runge-Kutta step, the next one
} Evaluation;

static void account(const Evaluation* e, const double* v, double half, double weight);

static void accelerate_tree(const rutGroup* group, const rutMbdIn* in, double* scratch,
                            double* acceleration) {
  if (group->own_tree) {
    rut_plane_accelerate(group, in, scratch, acceleration);
  } else {
    rut_mbd_accelerate(&group->tree, group->plan, in, scratch, acceleration);
  }
}

RUT_INLINE void forces_at(const Evaluation* e, int lanes, const double* q, const double* v) {
  const rutModel* model = e->model;
  const rutGroup* group = e->group;
  const rutBatchScratch* k = e->scratch;
  double* batch = e->batch;
  if (group->mechanism) {
    joint_forces(group, lanes, q, v, k);
    return;
  }
  double speed[RUT_MAX_WHEELS * RUT_MBD_LANES];
  for (int w = 0; w < group->wheels; w++) {
    memcpy(speed + w * lanes, v + (size_t)group->wheel_speed[w] * (size_t)lanes,
           (size_t)lanes * sizeof *speed);
  }
  wheel_kinematics(group, lanes, batch, q, v, k);
  place_properties(model, group, lanes, batch, q, k);
  tyre_forces(model, group, lanes, batch, k, speed);
  roll_wheels(model, group, lanes, batch, k, speed);
  report_forces(group, lanes, batch, k);
  if (!rolls_implicitly(group)) apply_forces(group, lanes, k);
}

// Accelerations at coordinates q, v with the torques and angles that control has set.
static void accelerate(void* user, double time, const double* q, const double* v,
                       double* acceleration) {
  Evaluation* e = user;
  (void)time;
  const rutBatchScratch* k = e->scratch;
  forces_at(e, e->group->lanes, q, v);
  account(e, v, 0, rut_mbd_rk4_weight[e->stage++]);
  if (rolls_implicitly(e->group)) {
    memcpy(acceleration, k->acceleration,
           (size_t)(e->group->tree.speeds * e->group->lanes) * sizeof *acceleration);
    return;
  }
  const rutMbdIn in = {e->group->lanes, q, v, k->tau, k->force, k->gravity};
  accelerate_tree(e->group, &in, k->tree, acceleration);
}

RUT_INLINE void forces(const rutModel* model, const rutGroup* group, int lanes, double* batch,
                       const rutBatchScratch* k) {
  if (group->mechanism) {
    for (int l = 0; l < lanes; l++) {
      k->gravity[l] = k->gravity[lanes + l] = 0;
      k->gravity[2 * lanes + l] = -model->gravity;
    }
  } else {
    find_gravity(model, group, lanes, batch, k);
    wheel_loads(group, lanes, batch, k);
  }
  forces_at(&(Evaluation){model, group, batch, k, 0}, lanes, ROW(q), ROW(v));
}

// Every entry below comes for eight lanes and for one, so that the compiler knows the count.
RUT_CLONES static void forces_8(const rutModel* model, const rutGroup* group, double* batch,
                                const rutBatchScratch* k) {
  forces(model, group, RUT_MBD_LANES, batch, k);
}

void rut_batch_forces(const rutModel* model, const rutGroup* group, double* batch,
                      const rutBatchScratch* k) {
  if (group->lanes == 1) {
    forces(model, group, 1, batch, k);
  } else {
    forces_8(model, group, batch, k);
  }
}

// What slipping takes in the part `weight` of the step, at the speeds v and `half` a step on. The
// forces of a semi-implicit step are constant in it and speeds change linearly, so that the work is
// theirs in the middle.
RUT_INLINE void account_slip(const Evaluation* e, int lanes, const double* restrict v, double half,
                             double weight) {
  const rutGroup* group = e->group;
  const rutBatchScratch* k = e->scratch;
  double* batch = e->batch;
  const double* restrict a = k->acceleration;
  const double dt = e->model->dt;
  for (int w = 0; w < group->wheels; w++) {
    const size_t at = (size_t)w * (size_t)lanes;
    const double* restrict x = group->arm_x + at, * restrict y = group->arm_y + at;
    const double* restrict spin = v + (size_t)group->wheel_speed[w] * (size_t)lanes;
    const double* restrict spin_up = a + (size_t)group->wheel_speed[w] * (size_t)lanes;
    const double* restrict wc = k->cos + at, * restrict ws = k->sin + at;
    const double* restrict vx = k->vx + at, * restrict vy = k->vy + at;
    const double* restrict fx = k->fx + at, * restrict fy = k->fy + at;
    const double* restrict r = group->radius + at;
    const double* restrict c = k->heading_cos, * restrict s = k->heading_sin;
    double* restrict power = ROW(slip_power) + at, * restrict work = ROW(slip_work) + at;
#pragma omp simd
    for (int l = 0; l < lanes; l++) {
      const double turn = a[2 * lanes + l];
      const double hx = c[l] * a[l] + s[l] * a[lanes + l] - turn * y[l];
      const double hy = c[l] * a[lanes + l] - s[l] * a[l] + turn * x[l];
      const double along = vx[l] + half * (wc[l] * hx + ws[l] * hy);
      const double across = vy[l] + half * (wc[l] * hy - ws[l] * hx);
      const double tread = r[l] * (spin[l] + half * spin_up[l]);
      const double taken = weight * (fx[l] * (tread - along) - fy[l] * across);
      // the stages of a Runge-Kutta step add up; the one evaluation of others is all there is
      const double before = weight < 1.0 ? power[l] : 0.0;
      power[l] = before + taken;
      work[l] += dt * taken;
    }
  }
}

RUT_CLONES static void account_slip_8(const Evaluation* e, const double* v, double half,
                                      double weight) {
  account_slip(e, RUT_MBD_LANES, v, half, weight);
}

// Of vehicles whose motion is not imposed. The power that is told is the mean over the step.
static void account(const Evaluation* e, const double* v, double half, double weight) {
  const rutGroup* group = e->group;
  if (group->mechanism || group->control.imposes_twist) return;
  if (group->lanes == 1) {
    account_slip(e, 1, v, half, weight);
  } else {
    account_slip_8(e, v, half, weight);
  }
}

// What the other wheels, and all else but gravity, have given each hub across its wheel in this
// step. The tyre takes it for that of the next step: without it, a wheel that others keep sliding
// would have a lateral force in proportion to v_y/h, up to the speed mu g h.
RUT_INLINE void remember_scrub(const rutGroup* group, int lanes, double* batch,
                               const rutBatchScratch* k) {
  const double* restrict a = k->acceleration;
  const double* restrict c = k->heading_cos, * restrict s = k->heading_sin;
  for (int w = 0; w < group->wheels; w++) {
    const size_t at = (size_t)w * (size_t)lanes;
    const double* restrict x = group->arm_x + at, * restrict y = group->arm_y + at;
    const double* restrict wc = k->cos + at, * restrict ws = k->sin + at;
    const double* restrict fy = k->fy + at, * restrict gy = k->gy + at;
    const double* restrict mass = group->side_mass + at;
    double* restrict scrub = ROW(scrub) + at;
#pragma omp simd
    for (int l = 0; l < lanes; l++) {
      const double turn = a[2 * lanes + l];
      const double hx = c[l] * a[l] + s[l] * a[lanes + l] - turn * y[l];
      const double hy = c[l] * a[lanes + l] - s[l] * a[l] + turn * x[l];
      scrub[l] = wc[l] * hy - ws[l] * hx - fy[l] / rut_max(mass[l], RUT_LEAST_DIVISOR) - gy[l];
    }
  }
}

RUT_CLONES static void remember_scrub_8(const rutGroup* group, double* batch,
                                        const rutBatchScratch* k) {
  remember_scrub(group, RUT_MBD_LANES, batch, k);
}

// Viscous drag on the whole body, taken implicitly: dv/dt = -c v gives v1 = v0 / (1 + h c).
RUT_INLINE void damp_root(const rutModel* model, const rutGroup* group, int lanes, double* batch) {
  double* restrict v = ROW(v);
  const double* restrict along = group->lane_linear_damping;
  const double* restrict about = group->lane_angular_damping;
  const double dt = model->dt;
#pragma omp simd
  for (int l = 0; l < lanes; l++) {
    const double linear = 1 / (1 + dt * along[l]), angular = 1 / (1 + dt * about[l]);
    v[l] *= linear;
    v[lanes + l] *= linear;
    v[2 * lanes + l] *= angular;
  }
}

// ---- ideal controllers ----

// Velocities of the centre of mass that the twist of the reference point gives, along the headings
// in the table; the mean over a step that begins with them is that along the chord of the arc,
// which points half way and is sin(a)/a as long, a being half of the turn.
RUT_INLINE void twist_velocity(const rutGroup* group, int lanes, const double* batch, double step,
                               double* velocity) {
  const double* twist = ROW(twist);
  const double *c = ROW(cos_yaw), *s = ROW(sin_yaw), *com = group->lane_com;
  for (int l = 0; l < lanes; l++) {
    const double rate = twist[2 * lanes + l], half = 0.5 * step * rate;
    const double x = twist[l] - rate * com[lanes + l], y = twist[lanes + l] + rate * com[l];
    double sine, cosine;
    rut_sincos(half, &sine, &cosine);
    const double part = rut_chord_ratio(half, sine);
    const double along = c[l] * cosine - s[l] * sine, across = s[l] * cosine + c[l] * sine;
    velocity[l] = part * (along * x - across * y);
    velocity[lanes + l] = part * (across * x + along * y);
    velocity[2 * lanes + l] = rate;
  }
}

// Whether the body moves as it is told, whatever forces act. Under wheel_coupling="explicit", which
// is MVSim's law, it only starts each step with that velocity.
RUT_INLINE bool moves_as_told(const rutGroup* group) {
  return group->coupled && group->control.imposes_twist;
}

// The velocity that the body moves with in this step, if no contact changes it.
RUT_INLINE void impose_mean(const rutModel* model, const rutGroup* group, int lanes,
                            double* batch) {
  twist_velocity(group, lanes, batch, model->dt, ROW(v));
  if (model->rk4) memset(ROW(drift), 0, 3 * (size_t)lanes * sizeof *batch);
}

// The velocity at the end of the step, along the heading that it ends with; contacts have left the
// body `mean`.
RUT_INLINE void impose_end(const rutModel* model, const rutGroup* group, int lanes, double* batch,
                           const double* mean) {
  double told[3 * RUT_MBD_LANES], pushed[3 * RUT_MBD_LANES];
  double* restrict v = ROW(v);
  const double* q = ROW(q);
  twist_velocity(group, lanes, batch, model->dt, told);
  for (int i = 0; i < 3 * lanes; i++) pushed[i] = mean[i] - told[i];
  for (int l = 0; l < lanes; l++) {
    rut_sincos(q[2 * lanes + l], &ROW(sin_yaw)[l], &ROW(cos_yaw)[l]);
  }
  twist_velocity(group, lanes, batch, 0, told);
  for (int i = 0; i < 3 * lanes; i++) v[i] = told[i] + pushed[i];
}

// Runge-Kutta moves positions and speeds together; a vehicle's positions wait for the contacts, so
// the part beyond h v is stored.
static void runge_kutta(const rutModel* model, const rutGroup* group, double* batch,
                        const rutBatchScratch* k) {
  const int lanes = group->lanes, n = group->tree.positions * lanes;
  Evaluation evaluation = {model, group, batch, k, 0};
  double *q = ROW(q), *v = ROW(v);
  if (!group->mechanism) {
    memcpy(k->saved, q, (size_t)n * sizeof *q);
    memset(ROW(slip_power), 0, (size_t)(group->wheels * lanes) * sizeof *q);
  }
  // the account of slip adds none of it, but reads it
  memset(k->acceleration, 0, (size_t)(group->tree.speeds * lanes) * sizeof *q);
  // tyre states have advanced with the first evaluation; the stages must not advance them again
  const size_t states = group->tyre ? (size_t)(group->tyre_states * group->wheels * lanes) : 0;
  if (states) memcpy(k->tyre_state, ROW(tyre), states * sizeof *q);
  const rutMbdStep step = {
      .lanes = lanes, .h = model->dt, .rates = accelerate, .user = &evaluation};
  rut_mbd_step_rk4(&group->tree, &step, k->integrator, q, v);
  if (states) memcpy(ROW(tyre), k->tyre_state, states * sizeof *q);
  if (group->mechanism) return;
  double* drift = ROW(drift);
  memset(drift, 0, (size_t)n * sizeof *drift);
  for (int l = 0; l < 3 * lanes; l++) drift[l] = (q[l] - k->saved[l]) / model->dt - v[l];
  for (int w = 0; w < group->wheels; w++) {
    for (int l = 0; l < lanes; l++) {
      int i = group->wheel_position[w] * lanes + l;
      drift[i] = (q[i] - k->saved[i]) / model->dt - v[group->wheel_speed[w] * lanes + l];
    }
  }
  memcpy(q, k->saved, (size_t)n * sizeof *q);
}

void rut_batch_velocity(const rutModel* model, const rutGroup* group, double* batch,
                        const rutBatchScratch* k) {
  const int lanes = group->lanes, n = group->tree.speeds * lanes;
  if (model->rk4) {
    runge_kutta(model, group, batch, k);
  } else {
    double* restrict v = ROW(v);
    if (!rolls_implicitly(group)) {
      const rutMbdIn in = {lanes, ROW(q), v, k->tau, k->force, k->gravity};
      accelerate_tree(group, &in, k->tree, k->acceleration);
    }
    account(&(Evaluation){model, group, batch, k, 0}, v, 0.5 * model->dt, 1);
    if (group->mechanism) {
      rut_mbd_advance_euler(&group->tree, lanes, model->dt, k->acceleration, ROW(q), v);
      return;
    }
    const double* restrict a = k->acceleration;
    const double dt = model->dt;
#pragma omp simd
    for (int i = 0; i < n; i++) v[i] += dt * a[i];
  }
  if (group->mechanism) return;
  if (group->scrubs) {
    if (lanes == 1) {
      remember_scrub(group, 1, batch, k);
    } else {
      remember_scrub_8(group, batch, k);
    }
  }
  // torques of the drive at the end of the step
  memcpy(ROW(torque), k->torque, (size_t)(group->wheels * lanes) * sizeof *batch);
  damp_root(model, group, lanes, batch);
  if (moves_as_told(group)) impose_mean(model, group, lanes, batch);
}

// Wheel odometry: dead reckoning with the speeds after the step, each increment with its own error.
RUT_INLINE void integrate_odometry(const rutModel* model, const rutGroup* group, int lanes,
                                   double* batch, int index) {
  const double* restrict scale = group->odometry_scale + (size_t)(3 * index) * (size_t)lanes;
  double* restrict o = ROW(odometry);
  const double* restrict speed = ROW(odo_speed), * restrict rate = ROW(odo_rate);
  const double dt = model->dt;
#pragma omp simd
  for (int l = 0; l < lanes; l++) {
    double s, c, sine, cosine, turn = dt * rate[l], step = dt * speed[l];
    // the arc's chord points half way between the headings before and after
    rut_sincos(0.5 * turn, &s, &c);
    rut_sincos(o[2 * lanes + l], &sine, &cosine);
    double x = step * c * scale[l], y = step * s * scale[lanes + l];
    o[l] += cosine * x - sine * y;
    o[lanes + l] += sine * x + cosine * y;
    o[2 * lanes + l] += turn * scale[2 * lanes + l];
  }
}

// On a slope the root's speeds are along the ground: the map advances by their horizontal parts.
RUT_INLINE void advance_root(const rutModel* model, const rutGroup* group, int lanes, double* batch,
                             const double* mean) {
  double* restrict q = ROW(q);
  const double* restrict v = mean;
  const double* restrict axes = ROW(ground) + lanes;
  const double dt = model->dt;
#pragma omp simd
  for (int l = 0; l < lanes; l++) {
    double x = v[l], y = v[lanes + l];
    q[l] += dt * (axes[l] * x + axes[lanes + l] * y);
    q[lanes + l] += dt * (axes[3 * lanes + l] * x + axes[4 * lanes + l] * y);
    q[2 * lanes + l] += dt * v[2 * lanes + l];
  }
}

RUT_INLINE void position(const rutModel* model, const rutGroup* group, int lanes, double* batch,
                         int index) {
  // nothing touches a mechanism: its positions have moved with its speeds
  if (group->mechanism) return;
  double* restrict q = ROW(q);
  const double* v = ROW(v);
  double mean[3 * RUT_MBD_LANES];
  for (int l = 0; l < 3 * lanes; l++) mean[l] = v[l];
  if (model->rk4) {
    for (int l = 0; l < 3 * lanes; l++) mean[l] += ROW(drift)[l];
  }
  advance_root(model, group, lanes, batch, mean);
  const double dt = model->dt;
  for (int w = 0; w < group->wheels; w++) {
    double* restrict angle = q + (size_t)group->wheel_position[w] * (size_t)lanes;
    const double* restrict speed = v + (size_t)group->wheel_speed[w] * (size_t)lanes;
#pragma omp simd
    for (int l = 0; l < lanes; l++) angle[l] += dt * speed[l];
    if (!model->rk4) continue;
    const double* drift = ROW(drift) + (size_t)group->wheel_position[w] * (size_t)lanes;
    for (int l = 0; l < lanes; l++) angle[l] += dt * drift[l];
  }
  if (moves_as_told(group)) {
    impose_end(model, group, lanes, batch, mean);
  } else if (group->control.imposes_twist) {
    // with the heading that the step began with, as MVSim does: the next one starts from there
    twist_velocity(group, lanes, batch, 0, ROW(v));
  }
  double* restrict c = ROW(cos_yaw), * restrict s = ROW(sin_yaw);
#pragma omp simd
  for (int l = 0; l < lanes; l++) rut_sincos(q[2 * lanes + l], &s[l], &c[l]);
  rut_plane_measure(group, lanes, batch);
  if (group->layout.left >= 0 && group->layout.right >= 0) {
    integrate_odometry(model, group, lanes, batch, index);
  }
}

RUT_CLONES static void position_8(const rutModel* model, const rutGroup* group, double* batch,
                                  int index) {
  position(model, group, RUT_MBD_LANES, batch, index);
}

void rut_batch_position(const rutModel* model, const rutGroup* group, double* batch, int index) {
  if (group->lanes == 1) {
    position(model, group, 1, batch, index);
  } else {
    position_8(model, group, batch, index);
  }
}
