// SPDX-License-Identifier: BSD-3-Clause
#include "sim/step_space.h"

#include <string.h>

#include "math/solve3.h"
#include "math/sym3.h"
#include "sim/step_bodies.h"
#include "vehicle/inertia.h"
#include "vehicle/observe.h"

static rutQuat attitude_of(const rutSpaceBlock* b) {
  return rut_quat(b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]);
}

static void put_attitude(rutQuat q, rutSpaceBlock* b) {
  const double wxyz[4] = {q.w, q.x, q.y, q.z};
  memcpy(b->attitude, wxyz, sizeof wxyz);
}

static rutVec3 com_of(const rutBlockRecord* r) { return rut_vec3(r->com[0], r->com[1], r->com_z); }

// What else is told of bodies that move in the plane.
static void tell_plane(const rutModel* model, rutData* data, int block) {
  const rutBlockRecord* r = &model->block[block];
  const rutSpaceBlock* s = rut_space_block(model, data, block);
  rutBodies* b = &data->bodies;
  rutVec3 origin, velocity;
  rutQuat attitude;
  rut_space_block_pose(model, data, block, &origin, &attitude, &velocity);
  b->x[r->body] = s->at[0];
  b->y[r->body] = s->at[1];
  b->yaw[r->body] = rut_quat_rpy(attitude).z;
  b->z[r->body] = data->block_z[block] = origin.z;
  b->vx[r->body] = s->velocity[0];
  b->vy[r->body] = s->velocity[1];
  b->rate[r->body] = s->rate[2];
}

void rut_space_block_put(const rutModel* model, rutData* data, int block, const double pose[6]) {
  rutSpaceBlock* s = rut_space_block(model, data, block);
  const rutQuat q = rut_quat_of_rpy(pose[3], pose[4], pose[5]);
  *s = (rutSpaceBlock){0};
  put_attitude(q, s);
  rut_vec3_put(rut_vec3_add(rut_vec3_of(pose), rut_quat_rotate(q, com_of(&model->block[block]))),
               s->at);
  tell_plane(model, data, block);
}

void rut_space_block_reset(const rutModel* model, rutData* data, int block) {
  const rutBlockRecord* r = &model->block[block];
  rutSpaceBlock* s = rut_space_block(model, data, block);
  rut_space_block_put(model, data, block, r->start);
  const rutMat3 turn = rut_quat_matrix(attitude_of(s));
  const rutVec3 rate = rut_vec3_of(r->rate);
  const rutVec3 origin = rut_vec3(r->velocity[0], r->velocity[1], r->rise);
  const rutVec3 velocity = rut_vec3_add(origin, rut_vec3_cross(rate, com_of(r)));
  rut_vec3_put(rut_mat3_apply(turn, velocity), s->velocity);
  rut_vec3_put(rut_mat3_apply(turn, rate), s->rate);
  tell_plane(model, data, block);
}

void rut_space_block_pose(const rutModel* model, const rutData* data, int block, rutVec3* origin,
                          rutQuat* attitude, rutVec3* velocity) {
  const rutSpaceBlock* s = rut_space_block(model, data, block);
  *attitude = attitude_of(s);
  const rutVec3 arm = rut_quat_rotate(*attitude, com_of(&model->block[block]));
  *origin = rut_vec3_sub(rut_vec3_of(s->at), arm);
  *velocity = rut_vec3_sub(rut_vec3_of(s->velocity), rut_vec3_cross(rut_vec3_of(s->rate), arm));
}

void rut_space_velocity(const rutModel* model, rutData* data) {
  for (int m = 0; m < model->moving_blocks && model->space_blocks > 0; m++) {
    const int i = model->moving_block[m];
    const rutBlockRecord* r = &model->block[i];
    if (!r->space) continue;
    rutSpaceBlock* s = rut_space_block(model, data, i);
    s->velocity[2] -= model->dt * model->gravity;
    const double linear = 1 / (1 + model->dt * r->linear_damping);
    const double angular = 1 / (1 + model->dt * r->angular_damping);
    for (int k = 0; k < 3; k++) s->velocity[k] *= linear;
    for (int k = 0; k < 3; k++) s->rate[k] *= angular;
  }
}

// ---- contacts ----

static void ground_of(void* user, const rutSpaceGround* at) {
  const rutData* data = user;
  rut_ground_surface(data->model->ground, data->lift, &(rutGroundPoints){at->n, at->x, at->y},
                     at->below, &(rutGroundSurface){at->z, at->slope_x, at->slope_y});
}

// Level planes only: then corners say all that a body feels of the ground.
static bool is_flat(const rutModel* model) {
  bool flat = model->ground->shapes == 0 && !model->soft;
  for (int i = 0; i < model->ground->sources; i++) {
    const rutGroundKind kind = model->ground->source[i].kind;
    flat = flat && (kind == RUT_GROUND_PLANE || kind == RUT_GROUND_LEVEL);
  }
  return flat;
}

// ---- vehicles on axles ----

// One of them: its rows, and its place in them.
typedef struct Linked {
  const rutGroup* group;
  rutVehicleBatch batch;
  double *q, *v;
  int n, lane, index;  // lanes, its lane, its batch
} Linked;

static Linked linked_at(const rutModel* model, const rutData* data, int vehicle) {
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  const int n = g->lanes, lane = r->slot % n, index = r->slot / n;
  double* b = rut_batch(data, g, index) + lane;
  return (Linked){
      g, rut_vehicle_batch(data, g, index), b + g->row.q * n, b + g->row.v * n, n, lane, index};
}

static rutQuat attitude_of_linked(const Linked* k) {
  const int n = k->n;
  return rut_quat(k->q[3 * n], k->q[4 * n], k->q[5 * n], k->q[6 * n]);
}

// Index of the speed of a wheel: of its suspension, and with `pad` more of its spin.
static int wheel_row(int wheel) { return RUT_CHASSIS_SPEEDS + wheel; }

static void fill_linked(const rutModel* model, const rutData* data, int vehicle,
                        rutSpaceBodies* to) {
  const Linked k = linked_at(model, data, vehicle);
  const int body = model->vehicle[vehicle].body, n = k.n, pad = k.group->spatial->pad;
  const rutMat3 turn = rut_quat_matrix(attitude_of_linked(&k));
  const double *q = k.q, *v = k.v;
  double* speed = to->speed + to->first[body];
  to->at[body] = rut_vec3(q[0], q[n], q[2 * n]);
  to->turn[body] = turn;
  rut_vec3_put(rut_mat3_apply(turn, rut_vec3(v[3 * n], v[4 * n], v[5 * n])), speed);
  rut_vec3_put(rut_mat3_apply(turn, rut_vec3(v[0], v[n], v[2 * n])), speed + 3);
  for (int w = 0; w < k.group->wheels; w++) {
    speed[RUT_SPACE_RIGID + 2 * w] = v[wheel_row(w) * n];
    speed[RUT_SPACE_RIGID + 2 * w + 1] = v[(wheel_row(w) + pad) * n];
  }
}

// The work that a displacement of its chassis and wheels takes against gravity.
static double lift_of(const rutModel* model, const Linked* k, const double* shift,
                      const rutMat3* turn) {
  const rutVehicleClass* s = k->group->spatial;
  const rutVec3 com = rut_mat3_apply(*turn, rut_load_vec3(s->total_com, k->n, k->lane));
  double moment =
      s->total_mass[k->lane] * (shift[2] + rut_vec3_cross(rut_vec3_of(shift + 3), com).z);
  for (int w = 0; w < s->wheels; w++) {
    const rutWheelMount m = rut_wheel_mount(&k->batch, w, k->lane);
    const int entry = w * k->n + k->lane;
    const double mass = s->body.wheel_mass[entry] + s->corner_mass[entry];
    moment += mass * shift[RUT_SPACE_RIGID + 2 * w] * rut_mat3_apply(*turn, m.move).z;
  }
  return model->gravity * moment;
}

// The work that the forces of this step on its wheels do on a displacement.
typedef struct WheelWork {
  double suspension, tyre, rolling;  // that they take
  double drive;                      // that it gives
} WheelWork;

static WheelWork wheel_work_of(const Linked* k, const double* shift, const rutMat3* turn) {
  const rutVehicleBatch* batch = &k->batch;
  const rutVec3 linear = rut_mat3_apply_transposed(*turn, rut_vec3_of(shift));
  const rutVec3 angular = rut_mat3_apply_transposed(*turn, rut_vec3_of(shift + 3));
  WheelWork work = {0, 0, 0, 0};
  for (int w = 0; w < k->group->wheels; w++) {
    const int i = w * k->n + k->lane;
    const rutWheelMount m = rut_wheel_mount(batch, w, k->lane);
    const rutVec3 force =
        rut_vec3(RUT_STATE(batch, fx)[i], RUT_STATE(batch, fy)[i], RUT_STATE(batch, fz)[i]);
    const rutVec3 at = rut_vec3(RUT_STATE(batch, patch_x)[i], RUT_STATE(batch, patch_y)[i],
                                RUT_STATE(batch, patch_z)[i]);
    const rutVec3 arm = rut_vec3_sub(at, m.hub);
    // a massless wheel stays on its ground
    const bool massless = !(batch->vehicle->body.slides[i] > 0);
    const rutVec3 move = massless ? rut_vec3(0, 0, 1) : m.move;
    const rutVec3 carried = rut_vec3_add(linear, rut_vec3_cross(angular, at));
    const double travel = massless ? -carried.z : shift[RUT_SPACE_RIGID + 2 * w];
    const double spin = shift[RUT_SPACE_RIGID + 2 * w + 1];
    const rutVec3 turning = rut_vec3_add_scaled(rut_vec3_scale(m.turning, travel), spin, m.axis);
    const rutVec3 hub = rut_vec3_add_scaled(carried, travel, move);
    const rutVec3 by = rut_vec3_add(hub, rut_vec3_cross(turning, arm));
    // motion resistance is in the force, along the way
    const rutVec3 way = rut_vec3_cross(arm, m.axis);
    const double length = rut_vec3_norm(way);
    const double drag = length > 0 ? RUT_STATE(batch, drag)[i] / length : 0;
    const double rolling = -drag * rut_vec3_dot(hub, way);
    work.suspension += travel * RUT_STATE(batch, suspension_force)[i];
    work.rolling += rolling;
    work.drive += RUT_STATE(batch, torque)[i] * (spin + travel * rut_vec3_dot(m.turning, m.axis));
    work.tyre -= rut_vec3_dot(force, by) + rolling;
  }
  return work;
}

// Accounts of a vehicle that contact has displaced beyond what its forces did: those forces have
// worked on that as well, and contact has taken it. Forces Q take the speeds from v0 to v1 in a
// step h, impulses P from there to v2. The kinetic energy gains
//   h Q . (v0 + v1)/2 + P . (v1 + v2)/2 = (h Q + P) . (v0 + v2)/2,
// since h Q . (v2 - v1) = P . (v1 - v0) with the one mass matrix. The left side has the work of a
// spring on a speed that contact takes away again; the right side has none at rest, v0 = v2 = 0.
// From one to the other h Q . (v2 - v1)/2 goes from the account of P to those of Q.
static void account(const rutModel* model, rutData* data, const Linked* k, const double* shift,
                    const rutMat3* turn, double work) {
  const double lift = lift_of(model, k, shift, turn);
  const WheelWork taken = wheel_work_of(k, shift, turn);
  double* energy =
      rut_batch(data, k->group, k->index) + k->lane + k->group->row.spatial.energy * k->n;
  energy[RUT_ENERGY_drive * k->n] += taken.drive;
  energy[RUT_ENERGY_damper * k->n] += taken.suspension;
  energy[RUT_ENERGY_tyre * k->n] += taken.tyre;
  energy[RUT_ENERGY_rolling * k->n] += taken.rolling;
  const double losses = taken.suspension + taken.tyre + taken.rolling;
  energy[RUT_ENERGY_obstacle * k->n] += taken.drive - losses - lift - work;
}

// Displace chassis and suspensions, beyond what the step does.
static void displace(const Linked* k, const double* shift) {
  const int n = k->n;
  const rutQuat old = attitude_of_linked(k);
  const rutMat3 turn = rut_quat_matrix(old);
  const rutQuat now = rut_quat_unit(rut_quat_mul(rut_quat_exp(rut_vec3_of(shift + 3)), old));
  // the velocity keeps its direction in the world while the axes turn
  const rutVec3 linear = rut_mat3_apply(turn, rut_vec3(k->v[3 * n], k->v[4 * n], k->v[5 * n]));
  const rutVec3 carried = rut_mat3_apply_transposed(rut_quat_matrix(now), linear);
  const double place[4] = {now.w, now.x, now.y, now.z};
  for (int i = 0; i < 3; i++) k->q[i * n] += shift[i];
  for (int i = 0; i < 4; i++) k->q[(3 + i) * n] = place[i];
  k->v[3 * n] = carried.x;
  k->v[4 * n] = carried.y;
  k->v[5 * n] = carried.z;
  for (int w = 0; w < k->group->wheels; w++) {
    k->q[(RUT_CHASSIS_POSITIONS + w) * n] += shift[RUT_SPACE_RIGID + 2 * w];
  }
}

static void scatter_linked(const rutModel* model, rutData* data, int vehicle,
                           const rutSpaceBodies* from) {
  const Linked k = linked_at(model, data, vehicle);
  const int body = model->vehicle[vehicle].body, n = k.n, pad = k.group->spatial->pad;
  const rutMat3 turn = rut_quat_matrix(attitude_of_linked(&k));
  const double* speed = from->speed + from->first[body];
  const double* before = from->before + from->first[body];
  double* v = k.v;
  const rutVec3 linear = rut_mat3_apply_transposed(turn, rut_vec3_of(speed));
  const rutVec3 omega = rut_mat3_apply_transposed(turn, rut_vec3_of(speed + 3));
  const double chassis[RUT_CHASSIS_SPEEDS] = {omega.x,  omega.y,  omega.z,
                                              linear.x, linear.y, linear.z};
  // impulses are those of forces that act over the step: they displace it as well, and the other
  // forces have worked without that. A semi-implicit step moves it by twice as much, as by any
  // force
  double extra[RUT_SPACE_SPEEDS];
  for (int i = 0; i < rut_vehicle_speeds(k.group->spatial); i++) {
    extra[i] = 0.5 * model->dt * (speed[i] - before[i]);
  }
  account(model, data, &k, extra, &turn, from->work[body]);
  for (int i = 0; i < RUT_CHASSIS_SPEEDS; i++) v[i * n] = chassis[i];
  for (int w = 0; w < k.group->wheels; w++) {
    v[wheel_row(w) * n] = speed[RUT_SPACE_RIGID + 2 * w];
    v[(wheel_row(w) + pad) * n] = speed[RUT_SPACE_RIGID + 2 * w + 1];
  }
  // Runge-Kutta steps have moved it by the other forces already
  if (model->rk4) displace(&k, extra);
  rut_bodies_gather(data, k.group, k.index);
}

static void place_wheels(void* user, int body) {
  const rutData* data = user;
  const rutModel* model = data->model;
  rutSpaceBodies* to = rut_space_bodies(data->space);
  // vehicles come first, in their order
  const Linked k = linked_at(model, data, body);
  const rutMat3* turn = &to->turn[body];
  for (int w = 0; w < k.group->wheels; w++) {
    const rutWheelMount m = rut_wheel_mount(&k.batch, w, k.lane);
    to->wheel[to->first_wheel[body] + w] = (rutSpaceWheel){
        rut_vec3_add(to->at[body], rut_mat3_apply(*turn, m.hub)), rut_mat3_apply(*turn, m.axis),
        rut_mat3_apply(*turn, m.move), rut_mat3_apply(*turn, m.turning)};
  }
}

// From the chassis's axes to the world's: T M^-1 T^T.
static void inverse_mass(void* user, int body, double* out) {
  const rutData* data = user;
  const Linked k = linked_at(data->model, data, body);
  const int n = rut_vehicle_speeds(k.group->spatial);
  const rutMat3 turn = rut_space_bodies(data->space)->turn[body];
  rut_vehicle_inverse_mass(&k.batch, k.lane, out);
  for (int part = 0; part < 2; part++) {
    for (int i = 0; i < n; i++) {
      double* row = out + (size_t)(i * n + 3 * part);
      rut_vec3_put(rut_mat3_apply(turn, rut_vec3_of(row)), row);
    }
    for (int i = 0; i < n; i++) {
      double* column = out + (size_t)(3 * part * n + i);
      const rutVec3 c = rut_mat3_apply(turn, rut_vec3(column[0], column[n], column[2 * n]));
      column[0] = c.x;
      column[n] = c.y;
      column[2 * n] = c.z;
    }
  }
}

static void correct_linked(const rutModel* model, rutData* data, int vehicle, const double* shift) {
  const Linked k = linked_at(model, data, vehicle);
  const rutMat3 turn = rut_quat_matrix(attitude_of_linked(&k));
  account(model, data, &k, shift, &turn, 0);
  displace(&k, shift);
  rut_vehicle_observe(&k.batch);
}

void rut_space_correct_linked(const rutModel* model, rutData* data) {
  if (!model->space) return;
  const rutSpaceBodies* from = rut_space_bodies(data->space);
  for (int i = 0; i < model->vehicles; i++) {
    const rutVehicleRecord* r = &model->vehicle[i];
    if (!r->linked || !rut_space_changed(data->space, r->body)) continue;
    const double* shift = from->shift + from->first[r->body];
    bool any = false;
    for (int k = from->first[r->body]; k < from->first[r->body + 1]; k++) {
      any = any || from->shift[k] != 0;
    }
    if (any) correct_linked(model, data, i, shift);
  }
}

// ---- all of them ----

// Places and speeds of all bodies: those that move in the plane first, then the others over them.
static void fill(const rutModel* model, rutData* data) {
  rutSpaceBodies* to = rut_space_bodies(data->space);
  const rutBodies* b = &data->bodies;
  for (int i = 0; i < b->n; i++) {
    if (!rut_space_is_active(data->space, i)) continue;
    double s, c, *v = to->speed + to->first[i];
    rut_sincos(b->yaw[i], &s, &c);
    to->at[i] = rut_vec3(b->x[i], b->y[i], b->z[i]);
    to->turn[i] = (rutMat3){{c, -s, 0, s, c, 0, 0, 0, 1}};
    const double speed[RUT_SPACE_RIGID] = {b->vx[i], b->vy[i], 0, 0, 0, b->rate[i]};
    memcpy(v, speed, sizeof speed);
  }
  for (int i = 0; i < model->vehicles; i++) {
    const rutVehicleRecord* r = &model->vehicle[i];
    if (r->linked && rut_space_is_active(data->space, r->body)) fill_linked(model, data, i, to);
  }
  for (int m = 0; m < model->moving_blocks; m++) {
    const int i = model->moving_block[m];
    const rutBlockRecord* r = &model->block[i];
    if (!r->space) continue;
    const rutSpaceBlock* s = rut_space_block(model, data, i);
    double* v = to->speed + to->first[r->body];
    to->at[r->body] = rut_vec3_of(s->at);
    to->turn[r->body] = rut_quat_matrix(attitude_of(s));
    memcpy(v, s->velocity, sizeof s->velocity);
    memcpy(v + 3, s->rate, sizeof s->rate);
  }
}

static void scatter(const rutModel* model, rutData* data) {
  const rutSpaceBodies* from = rut_space_bodies(data->space);
  rutBodies* b = &data->bodies;
  for (int i = 0; i < b->n; i++) {
    if (!rut_space_changed(data->space, i)) continue;
    const double* v = from->speed + from->first[i];
    b->vx[i] = v[0];
    b->vy[i] = v[1];
    b->rate[i] = v[5];
  }
  for (int i = 0; i < model->vehicles; i++) {
    const rutVehicleRecord* r = &model->vehicle[i];
    if (r->linked && rut_space_changed(data->space, r->body)) scatter_linked(model, data, i, from);
  }
  for (int m = 0; m < model->moving_blocks; m++) {
    const int i = model->moving_block[m];
    const rutBlockRecord* r = &model->block[i];
    if (!r->space) continue;
    rutSpaceBlock* s = rut_space_block(model, data, i);
    const double* v = from->speed + from->first[r->body];
    memcpy(s->velocity, v, sizeof s->velocity);
    memcpy(s->rate, v + 3, sizeof s->rate);
  }
}

void rut_space_contact(const rutModel* model, rutData* data) {
  if (!model->space) return;
  if (!rut_space_near(model->space, data->space, &data->bodies, model->dt)) return;
  fill(model, data);
  const rutSpaceWorld world = {.dt = model->dt,
                               .time = data->time,
                               .user = data,
                               .highest_ground = model->highest_ground,
                               .flat_ground = is_flat(model),
                               .ground = ground_of,
                               .wheels = place_wheels,
                               .inverse_mass = inverse_mass};
  rut_space_solve(model->space, data->space, &world);
  scatter(model, data);
}

void rut_space_join_lists(const rutModel* model, rutData* data) {
  if (!model->space) return;
  int planar = 0, space = 0;
  const rutContact* first = rut_contact_list(data->contact, &planar);
  const rutContact* second = rut_space_list(data->space, &space);
  if (planar) memcpy(data->contact_list, first, (size_t)planar * sizeof *first);
  if (space) memcpy(data->contact_list + planar, second, (size_t)space * sizeof *second);
  data->contacts = planar + space;
}

// ---- motion ----

// Euler's equations by the implicit midpoint rule, the attitude by the Cayley map of the same
// angular velocity: angular momentum in the world and energy are kept exactly (Austin,
// Krishnaprasad, Wang, J. Computational Physics 107, 1993). With w the mean of the rates, in the
// body's axes, J (w1 - w0) + h w x J w = 0.
static rutQuat turn_freely(const double moments[6], double h, rutQuat q, double rate[3]) {
  enum { NEWTON = 5 };
  const rutSym3 j = {moments[0], moments[1], moments[2], moments[3], moments[4], moments[5]};
  const rutMat3 turn = rut_quat_matrix(q);
  const rutVec3 start = rut_mat3_apply_transposed(turn, rut_vec3_of(rate));
  rutVec3 end = start;
  const rutVec3 column[3] = {rut_vec3(j.xx, j.xy, j.xz), rut_vec3(j.xy, j.yy, j.yz),
                             rut_vec3(j.xz, j.yz, j.zz)};
  for (int pass = 0; pass < NEWTON; pass++) {
    const rutVec3 w = rut_vec3_scale(rut_vec3_add(start, end), 0.5);
    const rutVec3 momentum = rut_sym3_apply(j, w);
    const rutVec3 change = rut_sym3_apply(j, rut_vec3_sub(end, start));
    const rutVec3 f = rut_vec3_add_scaled(change, h, rut_vec3_cross(w, momentum));
    double a[3][3], b[3] = {-f.x, -f.y, -f.z}, x[3];
    for (int k = 0; k < 3; k++) {
      const rutVec3 e = rut_vec3(k == 0, k == 1, k == 2);
      const rutVec3 turned =
          rut_vec3_add(rut_vec3_cross(w, column[k]), rut_vec3_cross(e, momentum));
      rut_vec3_put(rut_vec3_add_scaled(column[k], 0.5 * h, turned), a[k]);
    }
    // columns so far
    for (int r = 0; r < 3; r++) {
      for (int c = r + 1; c < 3; c++) {
        const double kept = a[r][c];
        a[r][c] = a[c][r];
        a[c][r] = kept;
      }
    }
    rut_solve3(a, b, x);
    end = rut_vec3_add(end, rut_vec3(x[0], x[1], x[2]));
  }
  const rutVec3 half = rut_vec3_scale(rut_vec3_add(start, end), 0.25 * h);
  const rutQuat now = rut_quat_unit(rut_quat_mul(q, rut_quat(1, half.x, half.y, half.z)));
  rut_vec3_put(rut_mat3_apply(rut_quat_matrix(now), end), rate);
  return now;
}

void rut_space_position(const rutModel* model, rutData* data) {
  for (int m = 0; m < model->moving_blocks && model->space_blocks > 0; m++) {
    const int i = model->moving_block[m];
    const rutBlockRecord* r = &model->block[i];
    if (!r->space) continue;
    rutSpaceBlock* s = rut_space_block(model, data, i);
    for (int k = 0; k < 3; k++) s->at[k] += model->dt * s->velocity[k];
    put_attitude(turn_freely(r->moments, model->dt, attitude_of(s), s->rate), s);
    tell_plane(model, data, i);
  }
}

void rut_space_correct(const rutModel* model, rutData* data) {
  if (!model->space) return;
  const rutSpaceBodies* from = rut_space_bodies(data->space);
  for (int i = 0; i < data->bodies.n; i++) {
    const bool linked = i < model->vehicles && model->vehicle[i].linked;
    if (linked || !rut_space_changed(data->space, i)) continue;
    const double* d = from->shift + from->first[i];
    data->bodies.x[i] += d[0];
    data->bodies.y[i] += d[1];
    data->bodies.yaw[i] += d[5];
  }
  for (int m = 0; m < model->moving_blocks; m++) {
    const int i = model->moving_block[m];
    const rutBlockRecord* r = &model->block[i];
    if (!r->space || !rut_space_changed(data->space, r->body)) continue;
    rutSpaceBlock* s = rut_space_block(model, data, i);
    const double* d = from->shift + from->first[r->body];
    for (int k = 0; k < 3; k++) s->at[k] += d[k];
    const rutQuat turn = rut_quat_exp(rut_vec3_of(d + 3));
    put_attitude(rut_quat_unit(rut_quat_mul(turn, attitude_of(s))), s);
    tell_plane(model, data, i);
  }
}
