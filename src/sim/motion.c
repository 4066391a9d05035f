// SPDX-License-Identifier: BSD-3-Clause
//
// Accelerations are the mean of the last step: change of velocity over time, as an ideal
// accelerometer read once a step would measure, including the impulses of collisions.
#include "sim/motion.h"

#include <string.h>

#include "math/quat.h"

// Chassis at one instant: axes, centre of mass and its velocity in the world, angular velocity in
// its own axes.
typedef struct Instant {
  rutMat3 axes;
  rutVec3 com, velocity, omega;
} Instant;

// From the rows of one lane, present or copied at the beginning of the step.
static Instant spatial_instant(const rutGroup* group, const double* row) {
  const int n = group->lanes;
  const double *q = row + group->row.q * n, *v = row + group->row.v * n;
  const rutMat3 axes = rut_quat_matrix(rut_quat(q[3 * n], q[4 * n], q[5 * n], q[6 * n]));
  const rutVec3 velocity = rut_vec3(v[3 * n], v[4 * n], v[5 * n]);
  return (Instant){axes, rut_vec3(q[0], q[n], q[2 * n]), rut_mat3_apply(axes, velocity),
                   rut_vec3(v[0], v[n], v[2 * n])};
}

static Instant planar_instant(const rutGroup* group, const double* row) {
  const int n = group->lanes;
  const double *q = row + group->row.q * n, *v = row + group->row.v * n;
  const double* ground = row + group->row.ground * n;
  const double c = row[group->row.cos_yaw * n], s = row[group->row.sin_yaw * n];
  rutMat3 plane, turn = {{c, -s, 0, s, c, 0, 0, 0, 1}};
  for (int i = 0; i < 9; i++) plane.m[i] = ground[(1 + i) * n];
  const rutMat3 axes = rut_mat3_mul(plane, turn);
  const rutVec3 arm = rut_mat3_apply(axes, rut_vec3(group->com[0], group->com[1], 0));
  return (Instant){axes, rut_vec3(q[0], q[n], ground[0] + arm.z),
                   rut_mat3_apply(plane, rut_vec3(v[0], v[n], 0)), rut_vec3(0, 0, v[2 * n])};
}

// A planar vehicle turns with the ground under it: mean rate of the last step about its level axes.
static void add_tilting(const Instant* before, double dt, Instant* now) {
  const rutMat3 turned = rut_mat3_mul(rut_mat3_transpose(before->axes), now->axes);
  const rutVec3 angle = rut_quat_log(rut_quat_of_matrix(turned));
  now->omega.x = angle.x / dt;
  now->omega.y = angle.y / dt;
}

// Change of a vehicle's motion in the last step.
typedef struct Change {
  Instant before, now;
  rutVec3 velocity, omega;  // per time
} Change;

static Change last_change(const rutModel* model, const rutData* data, int vehicle) {
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  const int batch = r->slot / g->lanes, lane = r->slot % g->lanes;
  const double* row = rut_batch(data, g, batch) + lane;
  const double* last = rut_backup(data, g, batch) + lane;
  Change c = {.before = g->spatial ? spatial_instant(g, last) : planar_instant(g, last),
              .now = g->spatial ? spatial_instant(g, row) : planar_instant(g, row)};
  c.velocity = rut_vec3_scale(rut_vec3_sub(c.now.velocity, c.before.velocity), 1 / model->dt);
  c.omega = rut_vec3_scale(rut_vec3_sub(c.now.omega, c.before.omega), 1 / model->dt);
  return c;
}

void rut_com_acceleration(const rutModel* model, const rutData* data, int vehicle, double proper[3],
                          double angular[3]) {
  const Change c = last_change(model, data, vehicle);
  const rutVec3 lifted = rut_vec3_add(c.velocity, rut_vec3(0, 0, model->gravity));
  rut_vec3_put(rut_mat3_apply_transposed(c.now.axes, lifted), proper);
  rut_vec3_put(c.omega, angular);
}

static rutVec3 com_of(const rutGroup* g) {
  return g->spatial ? rut_load_vec3(g->spatial->com, g->lanes, 0)
                    : rut_vec3(g->com[0], g->com[1], 0);
}

rutVec3 rut_mounted_arm(const rutModel* model, int vehicle, const double mount[6]) {
  if (vehicle < 0) return rut_vec3(0, 0, 0);
  const rutVec3 com = com_of(&model->group[model->vehicle[vehicle].group]);
  return rut_mat3_apply_transposed(rut_mat3_of_rpy(mount[3], mount[4], mount[5]),
                                   rut_vec3_sub(rut_vec3_of(mount), com));
}

void rut_mounted_motion(const rutModel* model, const rutData* data, int vehicle,
                        const double mount[6], rutMotion* out) {
  const rutMat3 mounted = rut_mat3_of_rpy(mount[3], mount[4], mount[5]);
  Instant now = {.axes = rut_mat3_identity()};
  rutVec3 change = rut_vec3(0, 0, 0), alpha = change, com = change;
  if (vehicle >= 0) {
    const rutGroup* g = &model->group[model->vehicle[vehicle].group];
    const Change last = last_change(model, data, vehicle);
    now = last.now;
    com = com_of(g);
    change = last.velocity;
    alpha = last.omega;
    if (!g->spatial) add_tilting(&last.before, model->dt, &now);
  }
  // the frame's origin from the centre of mass, and what it moves more than that
  const rutVec3 arm = rut_vec3_sub(rut_vec3_of(mount), com), omega = now.omega;
  const rutVec3 swing = rut_vec3_cross(omega, arm);
  const rutVec3 velocity = rut_vec3_add(rut_mat3_apply_transposed(now.axes, now.velocity), swing);
  const rutVec3 lifted = rut_vec3_add(change, rut_vec3(0, 0, model->gravity));
  const rutVec3 proper =
      rut_vec3_add(rut_mat3_apply_transposed(now.axes, lifted),
                   rut_vec3_add(rut_vec3_cross(alpha, arm), rut_vec3_cross(omega, swing)));
  const rutQuat attitude = rut_quat_of_matrix(rut_mat3_mul(now.axes, mounted));
  *out = (rutMotion){.attitude = {attitude.w, attitude.x, attitude.y, attitude.z}};
  rut_vec3_put(rut_vec3_add(now.com, rut_mat3_apply(now.axes, arm)), out->position);
  rut_vec3_put(rut_mat3_apply_transposed(mounted, velocity), out->velocity);
  rut_vec3_put(rut_mat3_apply_transposed(mounted, omega), out->angular_velocity);
  rut_vec3_put(rut_mat3_apply_transposed(mounted, proper), out->proper_acceleration);
  rut_vec3_put(rut_mat3_apply_transposed(mounted, alpha), out->angular_acceleration);
}

// Acceleration of a point of a body over that of its centre of mass, in the body's axes.
static rutVec3 swing_of(rutVec3 omega, rutVec3 alpha, rutVec3 arm) {
  return rut_vec3_add(rut_vec3_cross(alpha, arm),
                      rut_vec3_cross(omega, rut_vec3_cross(omega, arm)));
}

void rut_motion_shift(const rutMotion* motion, rutVec3 arm, double gravity, double time,
                      rutMotion* out) {
  const rutQuat attitude =
      rut_quat(motion->attitude[0], motion->attitude[1], motion->attitude[2], motion->attitude[3]);
  const rutVec3 omega = rut_vec3_of(motion->angular_velocity);
  const rutVec3 alpha = rut_vec3_of(motion->angular_acceleration);
  const rutVec3 velocity = rut_quat_rotate(attitude, rut_vec3_of(motion->velocity));
  const rutVec3 change = rut_vec3_sub(
      rut_quat_rotate(attitude, rut_vec3_of(motion->proper_acceleration)), rut_vec3(0, 0, gravity));
  // own axes: the turn from now to then is about omega t + alpha t^2/2
  const rutVec3 angle = rut_vec3_scale(rut_vec3_add_scaled(omega, 0.5 * time, alpha), time);
  const rutQuat then = rut_quat_unit(rut_quat_mul(attitude, rut_quat_exp(angle)));
  const rutQuat back = rut_quat_conjugate(then);
  const rutVec3 path = rut_vec3_scale(rut_vec3_add_scaled(velocity, 0.5 * time, change), time);
  // what the centre of mass feels stays in the world, and the rest turns
  const rutVec3 turned = rut_vec3_add_scaled(omega, time, alpha);
  const rutVec3 felt = rut_quat_rotate(
      attitude,
      rut_vec3_sub(rut_vec3_of(motion->proper_acceleration), swing_of(omega, alpha, arm)));
  *out = *motion;
  rut_vec3_put(rut_vec3_add(rut_vec3_of(motion->position), path), out->position);
  const double q[4] = {then.w, then.x, then.y, then.z};
  memcpy(out->attitude, q, sizeof q);
  rut_vec3_put(rut_quat_rotate(back, rut_vec3_add_scaled(velocity, time, change)), out->velocity);
  rut_vec3_put(turned, out->angular_velocity);
  rut_vec3_put(rut_vec3_add(rut_quat_rotate(back, felt), swing_of(turned, alpha, arm)),
               out->proper_acceleration);
}

bool rut_motion(const rutModel* model, const rutData* data, int vehicle, const double mount[6],
                rutMotion* out) {
  static const double reference[6] = {0};
  *out = (rutMotion){.attitude = {1}};
  if (vehicle < 0 || vehicle >= model->vehicles || !rut_data_is_of(data, model)) return false;
  rut_mounted_motion(model, data, vehicle, mount ? mount : reference, out);
  return true;
}

// Of its reference point; blocks turn about upright axes.
static void block_motion(const rutModel* model, const rutData* data, int block, rutMotion* out) {
  double pose[6], velocity[3], s, c;
  rut_block_state(model, data, block, pose, velocity);
  rut_sincos(pose[5], &s, &c);
  const rutQuat attitude = rut_quat_of_rpy(0, 0, pose[5]);
  *out = (rutMotion){
      .attitude = {attitude.w, attitude.x, attitude.y, attitude.z},
      .velocity = {c * velocity[0] + s * velocity[1], c * velocity[1] - s * velocity[0], 0},
      .angular_velocity = {0, 0, velocity[2]}};
  memcpy(out->position, pose, sizeof out->position);
}

bool rut_instance_motion(const rutModel* model, const rutData* data, int instance, rutMotion* out) {
  static const double reference[6] = {0};
  if (instance < 0 || instance >= model->seen.instances) return false;
  const rutMover* mover = &model->seen.mover[instance];
  if (mover->index < 0) return false;
  if (mover->kind == RUT_VEHICLE) {
    rut_mounted_motion(model, data, mover->index, reference, out);
  } else {
    block_motion(model, data, mover->index, out);
  }
  return true;
}
