// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles with suspensions: control, integration, and what others see of them.
#include <string.h>

#include "math/quat.h"
#include "mbd/integrate.h"
#include "sim/step.h"
#include "sim/step_spatial.h"

// A row of the wheels' scratch; k and n are at hand wherever it is used.
#define W(name) RUT_WHEEL_ROW(k, n, name)

#define ROW(member)     (batch + (size_t)group->row.member * (size_t)group->lanes)
#define SPATIAL(member) (batch + (size_t)group->row.spatial.member * (size_t)group->lanes)

// No ground is above this; infinite where that is not known.
static double highest_ground(const rutGround* ground) {
  double top = ground->level ? 0 : -1e300;
  for (int i = 0; i < ground->sources; i++) {
    const rutGroundSource* s = &ground->source[i];
    if (s->kind != RUT_GROUND_FIELD || ground->shapes) return 1e300;
    top = rut_max(top, s->z + s->field->z_max);
  }
  return ground->shapes ? 1e300 : top;
}

static rutStepView view_of(const rutModel* model, const rutData* data, const rutGroup* group,
                           double* batch, const rutSpatialScratch* scratch) {
  const rutGround* ground = model->ground;
  const bool bare = ground->sources == 0 && ground->shapes == 0;
  return (rutStepView){.model = model,
                       .group = group,
                       .spatial = group->spatial,
                       .lift = data->lift,
                       .batch = batch,
                       .scratch = scratch,
                       .n = group->spatial->body.n,
                       .arc = group->spatial->search == RUT_CONTACT_ARC && !bare,
                       .implicit = model->rk4 ? 0 : model->dt,
                       .commit = !model->rk4,
                       .highest_ground = bare ? 0 : highest_ground(ground)};
}

// ---- what sensors, controllers and people see ----

// Pose and velocities of the reference point, and odometry's speeds.
void rut_spatial_observe(const rutGroup* group, double* batch) {
  const int lanes = group->lanes;
  const rutSpatial* s = group->spatial;
  const double *q = ROW(q), *v = ROW(v);
  for (int l = 0; l < lanes; l++) {
    const rutMat3 r = rut_quat_matrix(
        rut_quat(q[3 * lanes + l], q[4 * lanes + l], q[5 * lanes + l], q[6 * lanes + l]));
    const rutVec3 arm = rut_vec3(-s->com[0], -s->com[1], -s->com[2]);
    const rutVec3 at = rut_mat3_apply(r, arm), rpy = rut_mat3_rpy(r);
    const rutVec3 omega = rut_load_vec3(v, lanes, l),
                  linear = rut_load_vec3(v + 3 * lanes, lanes, l);
    const rutVec3 speed = rut_vec3_add(linear, rut_vec3_cross(omega, arm));
    double *position = SPATIAL(position), *attitude = SPATIAL(attitude);
    position[l] = q[l] + at.x;
    position[lanes + l] = q[lanes + l] + at.y;
    position[2 * lanes + l] = q[2 * lanes + l] + at.z;
    // the heading does not wrap
    const double before = attitude[2 * lanes + l];
    attitude[l] = rpy.x;
    attitude[lanes + l] = rpy.y;
    attitude[2 * lanes + l] = rpy.z + 2 * RUT_PI * rut_floor((before - rpy.z) / (2 * RUT_PI) + 0.5);
    ROW(pitch)[l] = rpy.y;
    ROW(body_vx)[l] = speed.x;
    ROW(body_vy)[l] = speed.y;
    ROW(yaw_rate)[l] = omega.z;
    const double level = 1 / rut_sqrt(rut_max(r.m[0] * r.m[0] + r.m[3] * r.m[3], 1e-24));
    ROW(cos_yaw)[l] = r.m[0] * level;
    ROW(sin_yaw)[l] = r.m[3] * level;
    const int left = group->layout.left, right = group->layout.right;
    if (left < 0 || right < 0) continue;
    const double* spin = v + (6 + s->pad) * lanes;
    const double rl = group->layout.radius[left], rr = group->layout.radius[right];
    const double yl = group->wheel_y[left], yr = group->wheel_y[right];
    const double wl = spin[left * lanes + l], wr = spin[right * lanes + l];
    const double turn = yl != yr ? (wr * rr - wl * rl) / (yl - yr) : 0;
    ROW(odo_rate)[l] = turn;
    ROW(odo_speed)[l] = wl * rl + turn * yl;
  }
}

static void integrate_odometry(const rutModel* model, const rutGroup* group, double* batch,
                               int index) {
  const int lanes = group->lanes;
  if (group->layout.left < 0 || group->layout.right < 0) return;
  const double* scale = group->odometry_scale + (size_t)(3 * index) * (size_t)lanes;
  double* o = ROW(odometry);
  for (int l = 0; l < lanes; l++) {
    double s, c;
    const double turn = model->dt * ROW(odo_rate)[l], path = model->dt * ROW(odo_speed)[l];
    rut_sincos(o[2 * lanes + l] + 0.5 * turn, &s, &c);
    o[l] += path * c * scale[l];
    o[lanes + l] += path * s * scale[lanes + l];
    o[2 * lanes + l] += turn * scale[2 * lanes + l];
  }
}

// ---- control ----

// All wheels turn about one point on the line where the axles meet: the angles that go with that
// of the equivalent wheel.
static void set_steer_goals(const rutGroup* group, double* batch, int lane) {
  const rutSpatial* s = group->spatial;
  const int lanes = group->lanes;
  const double asked = ROW(steer)[lane], t = rut_tan(rut_clamp(asked, -1.5, 1.5));
  for (int w = 0; w < group->wheels; w++) {
    const double limit = s->max_steer[w * lanes], base = s->steer_base;
    const double x = group->wheel_x[w] - s->steer_x, y = group->wheel_y[w];
    const double wanted = base > 0 ? rut_atan2(x * t, base - y * t) : rut_atan(t);
    SPATIAL(steer_goal)[w * lanes + lane] = limit > 0 ? rut_clamp(wanted, -limit, limit) : 0;
  }
  SPATIAL(steer_asked)[lane] = asked;
}

// Each wheel turns as fast as the steering allows. Most of the time none does.
static void steer(const rutModel* model, const rutGroup* group, double* batch) {
  const int lanes = group->lanes, wheels = group->wheels * lanes;
  const double most = group->spatial->steer_rate * model->dt;
  for (int l = 0; l < lanes; l++) {
    if (ROW(steer)[l] != SPATIAL(steer_asked)[l]) set_steer_goals(group, batch, l);
  }
  double *angle = SPATIAL(steer), *sine = SPATIAL(steer_sin), *cosine = SPATIAL(steer_cos);
  const double* goal = SPATIAL(steer_goal);
  for (int i = 0; i < wheels; i++) {
    if (angle[i] == goal[i]) continue;
    angle[i] += rut_clamp(goal[i] - angle[i], -most, most);
    rut_sincos(angle[i], &sine[i], &cosine[i]);
    ROW(yaw)[i] = angle[i];
  }
}

static void update_controller(const rutModel* model, const rutGroup* group, double* batch) {
  const int lanes = group->lanes;
  const double period = group->control_period;
  double* left = SPATIAL(update);
  // all lanes began together: one clock tells for all
  if (period > model->dt) {
    const bool due = left[0] <= 0.5 * model->dt;
    for (int l = 0; l < lanes; l++) left[l] += (due ? period : 0) - model->dt;
    if (!due) return;
  }
  const rutControlIn in = {.dt = rut_max(period, model->dt),
                           .command = ROW(command),
                           .vx = ROW(body_vx),
                           .vy = ROW(body_vy),
                           .yaw_rate = ROW(yaw_rate),
                           .odo_speed = ROW(odo_speed),
                           .odo_rate = ROW(odo_rate),
                           .pitch = ROW(pitch),
                           .speed = ROW(start_speed),
                           .steer = ROW(yaw),
                           .position = SPATIAL(position),
                           .yaw = SPATIAL(attitude) + 2 * lanes,
                           .roll = SPATIAL(attitude),
                           .load = ROW(load),
                           .slope = SPATIAL(slope),
                           .arm_x = SPATIAL(arm_x),
                           .arm_z = SPATIAL(arm_z),
                           .grip = SPATIAL(grip)};
  const rutControlOut out = {ROW(demand), ROW(steer), ROW(twist), SPATIAL(brake)};
  group->controller->update(group->controller_param, &group->layout, lanes, group->inputs, &in,
                            ROW(control), &out);
}

static void control(const rutModel* model, const rutGroup* group, double* batch) {
  const int lanes = group->lanes;
  const rutSpatial* s = group->spatial;
  memcpy(ROW(start_speed), ROW(v) + (6 + s->pad) * lanes, (size_t)s->body.n * sizeof *batch);
  if (group->controller) update_controller(model, group, batch);
  steer(model, group, batch);
  if (!group->drive) return;
  group->drive->torque(group->drive_param, &group->layout, lanes, model->dt, ROW(demand),
                       ROW(start_speed), ROW(drive), ROW(torque));
  if (!group->drive->power) return;
  double power[RUT_MBD_LANES];
  group->drive->power(group->drive_param, &group->layout, lanes, ROW(start_speed), ROW(drive),
                      power);
  for (int l = 0; l < lanes; l++) SPATIAL(consumed)[l] += model->dt * power[l];
}

// Torques, brakes and spin axes for an evaluation; they hold through the step.
static void hold_inputs(const rutStepView* e) {
  const rutGroup* group = e->group;
  const int n = e->n;
  double* batch = e->batch;
  const rutSpatialScratch* k = e->scratch;
  const int lanes = group->lanes;
  const double *torque = ROW(torque), *brake = SPATIAL(brake);
  const double *sine = SPATIAL(steer_sin), *cosine = SPATIAL(steer_cos);
  for (int w = 0; w < e->spatial->pad; w++) {
    const bool driven = w < group->wheels && group->layout.driven[w];
    for (int l = 0; l < lanes; l++) {
      const int i = w * lanes + l;
      W(ax)[i] = -sine[i];
      W(ay)[i] = cosine[i];
      W(drive_torque)[i] = driven ? torque[i] : 0;
      W(brake_part)[i] = rut_clamp(brake[l], 0, 1);
    }
  }
}

// ---- integration ----

// Rates of positions: rotation vector (body axes), displacement (world), slides, spins.
static void advance_positions(const rutGroup* group, double h, const double* start, const double* u,
                              double* q) {
  const int lanes = group->lanes, rest = 2 * group->spatial->body.n;
  (void)h;
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
static void euler_positions(const rutGroup* group, double h, double* batch) {
  const int lanes = group->lanes, rest = 2 * group->spatial->body.n;
  double *q = ROW(q), *v = ROW(v);
  for (int l = 0; l < lanes; l++) {
    const rutQuat old =
        rut_quat(q[3 * lanes + l], q[4 * lanes + l], q[5 * lanes + l], q[6 * lanes + l]);
    const rutVec3 omega = rut_load_vec3(v, lanes, l),
                  linear = rut_load_vec3(v + 3 * lanes, lanes, l);
    const rutVec3 world = rut_quat_rotate(old, linear);
    const rutQuat turn = rut_quat_exp(rut_vec3_scale(omega, h));
    const rutQuat now = rut_quat_unit(rut_quat_mul(old, turn));
    q[l] += h * world.x;
    q[lanes + l] += h * world.y;
    q[2 * lanes + l] += h * world.z;
    const double wxyz[4] = {now.w, now.x, now.y, now.z};
    for (int i = 0; i < 4; i++) q[(3 + i) * lanes + l] = wxyz[i];
    rut_store_vec3(v + 3 * lanes, lanes, l, rut_quat_rotate(rut_quat_conjugate(turn), linear));
  }
#pragma omp simd
  for (int i = 0; i < rest; i++) q[7 * lanes + i] += h * v[6 * lanes + i];
}

// The deflections that the step has left: a patch that sticks yields where it is pushed beyond the
// largest force (return mapping), and motion resistance likewise.
RUT_CLONES static void settle_patches(const rutStepView* e, double* patch_x, double* patch_y) {
  static const double RESISTANCE_PATH = 0.004;
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const rutSpatialScratch* k = e->scratch;
  double* rolling = SPATIAL(rolling);
  const int n = e->n;
  for (int i = 0; i < n; i++) {
    const double yield = W(sticking)[i] > 0 && W(use)[i] > 1 ? 1 / W(use)[i] : 1;
    patch_x[i] *= yield;
    patch_y[i] *= yield;
    const double path = RESISTANCE_PATH * e->spatial->radius[i];
    const double moved = rolling[i] + e->model->dt * W(vx)[i] / path;
    rolling[i] = W(load)[i] > 0 ? rut_clamp(moved, -1, 1) : 0;
  }
}

static void euler(const rutStepView* e) {
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const rutSpatialScratch* k = e->scratch;
  const int lanes = group->lanes, speeds = group->tree.speeds * lanes, n = e->n;
  const double h = e->model->dt;
  double *v = ROW(v), *patch_x = SPATIAL(slip_x), *patch_y = SPATIAL(slip_y);
  rut_spatial_evaluate(e, ROW(q), v, patch_x, patch_y, k->sum);
#pragma omp simd
  for (int i = 0; i < speeds; i++) v[i] += h * k->sum[i];
  memcpy(patch_x, W(patch_x), (size_t)e->n * sizeof *patch_x);
  memcpy(patch_y, W(patch_y), (size_t)e->n * sizeof *patch_y);
  settle_patches(e, patch_x, patch_y);
  double* energy = SPATIAL(energy);
  for (int i = 0; i < RUT_ENERGY_COUNT * lanes; i++) energy[i] += h * k->power[i];
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
  memcpy(start_q, ROW(q), (size_t)nq * sizeof *q);
  memcpy(start_v, ROW(v), (size_t)nv * sizeof *v);
  memset(sum_u, 0, (size_t)(2 * nv + ne) * sizeof *sum_u);
  memset(sum_x, 0, (size_t)(2 * n) * sizeof *sum_x);
  memset(rate_u, 0, (size_t)nv * sizeof *rate_u);
  memset(rate_v, 0, (size_t)nv * sizeof *rate_v);
  for (int stage = 0; stage < 4; stage++) {
    const double step = h * node[stage], share = h * weight[stage];
    for (int i = 0; i < nv; i++) {
      u[i] = step * rate_u[i];
      v[i] = start_v[i] + step * rate_v[i];
    }
    for (int i = 0; i < n; i++) {
      px[i] = SPATIAL(slip_x)[i] + (stage ? step * W(patch_rate_x)[i] : 0);
      py[i] = SPATIAL(slip_y)[i] + (stage ? step * W(patch_rate_y)[i] : 0);
    }
    advance_positions(group, step, start_q, u, q);
    displacement_rates(group, u, q, v, rate_u);
    e->commit = stage == 3;
    rut_spatial_evaluate(e, q, v, px, py, rate_v);
    turn_rates(group, v, rate_v);
    for (int i = 0; i < nv; i++) {
      sum_u[i] += share * rate_u[i];
      sum_v[i] += share * rate_v[i];
    }
    for (int i = 0; i < ne; i++) sum_e[i] += share * k->power[i];
    for (int i = 0; i < n; i++) {
      sum_x[i] += share * W(patch_rate_x)[i];
      sum_y[i] += share * W(patch_rate_y)[i];
    }
  }
  advance_positions(group, h, start_q, sum_u, ROW(q));
  for (int i = 0; i < nv; i++) ROW(v)[i] = start_v[i] + sum_v[i];
  for (int i = 0; i < n; i++) {
    const bool locked = W(locked)[i] > 0, massless = !(e->spatial->body.slides[i] > 0);
    SPATIAL(slip_x)[i] = W(load)[i] > 0 ? SPATIAL(slip_x)[i] + sum_x[i] : 0;
    SPATIAL(slip_y)[i] = W(load)[i] > 0 ? SPATIAL(slip_y)[i] + sum_y[i] : 0;
    if (locked) ROW(v)[6 * lanes + n + i] = 0;
    // a massless wheel's slide is found, not integrated
    if (massless) ROW(q)[7 * lanes + i] = q[7 * lanes + i];
    if (massless) ROW(v)[6 * lanes + i] = v[6 * lanes + i];
  }
  settle_patches(e, SPATIAL(slip_x), SPATIAL(slip_y));
  for (int i = 0; i < ne; i++) SPATIAL(energy)[i] += sum_e[i];
}

// What rut_wheel_state and controllers see of the wheels in this step.
RUT_CLONES static void report_wheels(const rutStepView* e) {
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const rutSpatialScratch* k = e->scratch;
  const int n = e->n;
  const rutSliders* body = &e->spatial->body;
  const double* com = e->spatial->total_com;
  const double* slide = ROW(q) + 7 * group->lanes;
  double *load = ROW(load), *hub_vx = ROW(hub_vx), *hub_vy = ROW(hub_vy);
  double *fx = ROW(fx), *fy = ROW(fy), *penetration = SPATIAL(penetration);
  double *slope = SPATIAL(slope), *arm_x = SPATIAL(arm_x), *arm_z = SPATIAL(arm_z);
  double *grip = SPATIAL(grip), *side = SPATIAL(lateral_load);
#pragma omp simd
  for (int i = 0; i < n; i++) {
    load[i] = W(out_n)[i];
    hub_vx[i] = W(vhx)[i];
    hub_vy[i] = W(vhy)[i];
    fx[i] = W(out_x)[i] * W(tx)[i] + W(out_y)[i] * W(sx)[i] + W(out_n)[i] * W(nx)[i];
    fy[i] = W(out_x)[i] * W(ty)[i] + W(out_y)[i] * W(sy)[i] + W(out_n)[i] * W(ny)[i];
    penetration[i] = rut_max(W(deflection)[i], 0);
    side[i] = W(out_y)[i];
    // contact as a controller sees it: slope along the heading, place from the centre of mass
    const double level = 1 / rut_sqrt(rut_max(W(r0)[i] * W(r0)[i] + W(r3)[i] * W(r3)[i], 1e-12));
    const double c = W(r0)[i] * level, s = W(r3)[i] * level;
    slope[i] = rut_atan2(-(W(gnx)[i] * c + W(gny)[i] * s), W(gnz)[i]);
    const double x = body->x[i] + W(dx)[i] - com[0], y = body->y[i] + W(dy)[i] - com[1];
    const double z = body->z[i] + slide[i] + W(dz)[i] - com[2];
    const double wx = W(r0)[i] * x + W(r1)[i] * y + W(r2)[i] * z;
    const double wy = W(r3)[i] * x + W(r4)[i] * y + W(r5)[i] * z;
    arm_x[i] = c * wx + s * wy;
    arm_z[i] = W(r6)[i] * x + W(r7)[i] * y + W(r8)[i] * z;
    grip[i] = W(peak)[i];
  }
}

void rut_spatial_velocity(const rutModel* model, rutData* data, const rutGroup* group,
                          double* batch, unsigned char* memory) {
  rutArena arena = {.base = memory, .size = model->worker_scratch};
  rutSpatialScratch scratch;
  rut_spatial_scratch(group, &arena, &scratch);
  rutStepView view = view_of(model, data, group, batch, &scratch);
  double since = data->profile ? rut_clock() : 0;
  control(model, group, batch);
  since = rut_lap(data, RUT_STAGE_control, since);
  hold_inputs(&view);
  if (model->rk4) {
    runge_kutta(&view);
  } else {
    euler(&view);
  }
  report_wheels(&view);
  rut_lap(data, RUT_STAGE_dynamics, since);
}

void rut_spatial_position(const rutModel* model, const rutGroup* group, double* batch, int index) {
  if (!model->rk4) euler_positions(group, model->dt, batch);
  rut_spatial_observe(group, batch);
  integrate_odometry(model, group, batch, index);
}

// ---- start ----

// A plane through the ground under the wheels: its height under the reference point and slopes
// along and across the heading.
static void lie_on_ground(const rutModel* model, const rutData* data, const rutGroup* group,
                          const double start[6], double* z, double* along, double* across) {
  double s, c, n = 0, m[5] = {0}, b[3] = {0};
  rut_sincos(start[5], &s, &c);
  const double high = 1e9;
  for (int w = 0; w < group->wheels; w++) {
    const double x = group->wheel_x[w], y = group->wheel_y[w];
    double at[2] = {start[0] + c * x - s * y, start[1] + s * x + c * y}, h, sx, sy;
    rut_ground_surface(model->ground, data->lift, 1, &at[0], &at[1], &high, &h, &sx, &sy);
    if (!(h == h)) continue;
    const double add[5] = {x, y, x * x, x * y, y * y};
    for (int i = 0; i < 5; i++) m[i] += add[i];
    b[0] += h;
    b[1] += h * x;
    b[2] += h * y;
    n++;
  }
  *z = *along = *across = 0;
  if (n == 0) return;
  const double mx = m[0] / n, my = m[1] / n, mh = b[0] / n;
  const double xx = m[2] - n * mx * mx, xy = m[3] - n * mx * my, yy = m[4] - n * my * my;
  const double xh = b[1] - n * mx * mh, yh = b[2] - n * my * mh;
  const double det = xx * yy - xy * xy, trace = xx + yy;
  if (det > 1e-9 * trace * trace) {
    *along = (xh * yy - yh * xy) / det;
    *across = (yh * xx - xh * xy) / det;
  } else if (trace > 0) {
    *along = xh / trace;
    *across = yh / trace;
  }
  *z = mh - *along * mx - *across * my;
}

void rut_spatial_reset(const rutModel* model, rutData* data, int index) {
  const rutVehicleRecord* r = &model->vehicle[index];
  const rutGroup* group = &model->group[r->group];
  const rutSpatial* s = group->spatial;
  const int lanes = group->lanes, lane = r->slot % lanes;
  double* batch = rut_batch(data, group, r->slot / lanes);
  double start[6];
  memcpy(start, r->start, sizeof start);
  if (r->on_ground) {
    double z, along, across;
    lie_on_ground(model, data, group, r->start, &z, &along, &across);
    start[2] += z - r->sag;
    start[4] -= rut_atan(along);
    start[3] += rut_atan(across * rut_cos(start[4]));
  }
  const rutQuat attitude = rut_quat_of_rpy(start[3], start[4], start[5]);
  const rutVec3 com = rut_quat_rotate(attitude, rut_vec3_of(s->com));
  double *q = ROW(q) + lane, *v = ROW(v) + lane;
  const double place[7] = {start[0] + com.x, start[1] + com.y, start[2] + com.z, attitude.w,
                           attitude.x,       attitude.y,       attitude.z};
  for (int i = 0; i < 7; i++) q[i * lanes] = place[i];
  const rutVec3 omega = rut_vec3(0, 0, r->velocity[2]);
  const rutVec3 speed = rut_vec3_add(rut_vec3(r->velocity[0], r->velocity[1], r->velocity[3]),
                                     rut_vec3_cross(omega, rut_vec3_of(s->com)));
  const double motion[6] = {omega.x, omega.y, omega.z, speed.x, speed.y, speed.z};
  for (int i = 0; i < 6; i++) v[i * lanes] = motion[i];
  for (int w = 0; w < group->wheels; w++) {
    const double hub = r->velocity[0] - r->velocity[2] * group->wheel_y[w];
    const double radius = s->radius[w * lanes] - s->deflection[w * lanes] / 3;
    v[(6 + s->pad + w) * lanes] = r->rolling ? hub / radius : 0;
  }
  double* odometry = ROW(odometry) + lane;
  odometry[0] = start[0];
  odometry[lanes] = start[1];
  odometry[2 * lanes] = start[5];
  SPATIAL(attitude)[2 * lanes + lane] = start[5];
  for (int w = 0; w < s->pad; w++) SPATIAL(steer_cos)[w * lanes + lane] = 1;
  if (group->controller) {
    double command[RUT_MAX_COMMANDS] = {0};
    group->controller->initial(group->controller_param, command);
    for (int i = 0; i < group->commands; i++) ROW(command)[i * lanes + lane] = command[i];
  }
}

// ---- energy ----

// Kinetic energy, height energy, and what springs hold, of one vehicle.
static void mechanical_energy(const rutModel* model, const rutGroup* group, const double* batch,
                              int lane, double* kinetic, double* potential) {
  const rutSpatial* s = group->spatial;
  const rutSliders* b = &s->body;
  const int lanes = group->lanes;
  const double *q = batch + group->row.q * lanes + lane, *v = batch + group->row.v * lanes + lane;
  const double* steer = batch + group->row.spatial.steer * lanes + lane;
  const rutMat3 r =
      rut_quat_matrix(rut_quat(q[3 * lanes], q[4 * lanes], q[5 * lanes], q[6 * lanes]));
  const rutVec3 omega = rut_vec3(v[0], v[lanes], v[2 * lanes]);
  const rutVec3 linear = rut_vec3(v[3 * lanes], v[4 * lanes], v[5 * lanes]);
  const double* j = b->inertia;
  const rutVec3 momentum = rut_vec3(j[0] * omega.x + j[3] * omega.y + j[4] * omega.z,
                                    j[3] * omega.x + j[1] * omega.y + j[5] * omega.z,
                                    j[4] * omega.x + j[5] * omega.y + j[2] * omega.z);
  double twice = b->mass * rut_vec3_dot(linear, linear) + rut_vec3_dot(omega, momentum);
  double height = b->mass * q[2 * lanes];
  for (int w = 0; w < group->wheels; w++) {
    const int i = w * lanes + lane;
    const double slide = q[(7 + w) * lanes], run = v[(6 + w) * lanes];
    const double spin = v[(6 + s->pad + w) * lanes];
    double sine, cosine;
    rut_sincos(steer[w * lanes], &sine, &cosine);
    const rutVec3 axis = rut_vec3(-sine, cosine, 0),
                  arm = rut_vec3(b->x[i], b->y[i], b->z[i] + slide);
    const rutVec3 hub = rut_vec3_add(rut_vec3_add(linear, rut_vec3_cross(omega, arm)),
                                     rut_vec3(0, 0, b->slides[i] * run));
    const double along = rut_vec3_dot(omega, axis), whole = spin + along;
    twice += b->wheel_mass[i] * rut_vec3_dot(hub, hub) + b->spin[i] * whole * whole +
             s->geared[i] * spin * spin + 2 * s->reaction[i] * spin * along +
             b->transverse[i] * (rut_vec3_dot(omega, omega) - along * along);
    height += b->wheel_mass[i] * (q[2 * lanes] + rut_mat3_apply(r, arm).z);
  }
  *kinetic = 0.5 * twice;
  *potential = model->gravity * height;
}

void rut_spatial_start_energy(const rutModel* model, rutData* data, int index) {
  const rutVehicleRecord* r = &model->vehicle[index];
  const rutGroup* group = &model->group[r->group];
  const int lanes = group->lanes, lane = r->slot % lanes;
  double* batch = rut_batch(data, group, r->slot / lanes);
  double* start = SPATIAL(mechanical) + lane;
  mechanical_energy(model, group, batch, lane, &start[0], &start[lanes]);
}

bool rut_vehicle_energy(const rutModel* model, const rutData* data, int vehicle, rutEnergy* out) {
  *out = (rutEnergy){0};
  if (vehicle < 0 || vehicle >= model->vehicles) return false;
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* group = &model->group[r->group];
  if (!group->spatial) return false;
  const int lanes = group->lanes, lane = r->slot % lanes;
  const double* batch = rut_batch(data, group, r->slot / lanes);
  const double* energy = batch + group->row.spatial.energy * lanes + lane;
  const double* start = batch + group->row.spatial.mechanical * lanes + lane;
#define X(name, doc) out->name = energy[RUT_ENERGY_##name * lanes];
  RUT_ENERGY_LIST(X)
#undef X
  mechanical_energy(model, group, batch, lane, &out->kinetic, &out->potential);
  out->consumed = batch[group->row.spatial.consumed * lanes + lane];
  const double gain = out->kinetic + out->potential - start[0] - start[lanes];
  double lost = 0, moved = rut_abs(out->drive) + rut_abs(gain);
  for (int i = 0; i < RUT_ENERGY_COUNT; i++) {
    if (i == RUT_ENERGY_drive) continue;
    lost += energy[i * lanes];
    moved += rut_abs(energy[i * lanes]);
  }
  out->residual = out->drive - lost - gain;
  out->throughput = 0.5 * moved;
  return true;
}
