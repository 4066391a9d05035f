// SPDX-License-Identifier: BSD-3-Clause
//
// Puts vehicles, blocks and mechanisms where a log says they stood.
#include "rut/replay.h"

#include "base/report.h"
#include "math/quat.h"
#include "sim/data.h"
#include "sim/scene.h"
#include "sim/step_bodies.h"
#include "sim/step_space.h"
#include "vehicle/corner.h"
#include "vehicle/observe.h"

// Numbers of a log that is damaged, or of someone else, are not known either.
static bool are_known(const double* number, int n) {
  static const double LARGEST = 1e9;  // [m], [rad]
  bool known = true;
  for (int i = 0; i < n; i++) known = known && rut_abs(number[i]) <= LARGEST;
  return known;
}

// ---- vehicles ----

// The planar joint's coordinates: those of the centre of mass, in the plane of the ground.
static void place_planar(const rutGroup* g, const double pose[6], double* b) {
  const int n = g->lanes;
  const rutMat3 body = rut_mat3_of_rpy(pose[3], pose[4], pose[5]);
  const double nx = body.m[2], ny = body.m[5], nz = body.m[8], k = 1 / (1 + rut_max(nz, 0));
  // the shortest rotation that takes the vertical to the normal, as in step_ground.c
  const rutMat3 axes = {
      {1 - nx * nx * k, -nx * ny * k, nx, -nx * ny * k, 1 - ny * ny * k, ny, -nx, -ny, nz}};
  const rutMat3 turn = rut_mat3_mul(rut_mat3_transpose(axes), body);
  const rutVec3 com = rut_mat3_apply(body, rut_vec3(g->com[0], g->com[1], 0));
  double *q = b + g->row.q * n, *ground = b + g->row.ground * n;
  q[0] = pose[0] + com.x;
  q[n] = pose[1] + com.y;
  q[2 * n] = nz == 1 ? pose[5] : rut_atan2(turn.m[3], turn.m[0]);
  rut_sincos(q[2 * n], &b[g->row.sin_yaw * n], &b[g->row.cos_yaw * n]);
  ground[0] = pose[2];
  for (int i = 0; i < 9; i++) ground[(1 + i) * n] = axes.m[i];
}

static void place_spatial(const rutGroup* g, const double pose[6], double* b) {
  const int n = g->lanes;
  const rutQuat turn = rut_quat_of_rpy(pose[3], pose[4], pose[5]);
  const rutVec3 com = rut_quat_rotate(turn, rut_load_vec3(g->spatial->com, n, 0));
  double* q = b + g->row.q * n;
  const double number[7] = {pose[0] + com.x, pose[1] + com.y, pose[2] + com.z, turn.w,
                            turn.x,          turn.y,          turn.z};
  for (int i = 0; i < 7; i++) q[i * n] = number[i];
}

// ---- wheels on mechanisms ----

// Coordinate of a mechanism that gives its wheel this travel, by Newton's method.
static double coordinate_at(const rutVehicleClass* s, int entry, double travel, double steer,
                            double row[RUT_CORNER_ROW_COUNT]) {
  enum { STEPS = 12 };
  const double low = s->lowest[entry], high = s->highest[entry];
  double q = rut_clamp(0, low, high);
  for (int i = 0; i < STEPS; i++) {
    rut_corner_rows(s, entry, q, steer, row);
    const double slope = row[RUT_CORNER_hub_v_z], step = (travel - row[RUT_CORNER_travel]) / slope;
    if (slope != 0) q = rut_clamp(q + step, low, high);
  }
  rut_corner_rows(s, entry, q, steer, row);
  return q;
}

// Angle of the wheel in the vehicle as the linkage stands, its travel being given.
static double steer_at(const rutVehicleClass* s, int entry, double travel, double linkage) {
  double row[RUT_CORNER_ROW_COUNT];
  coordinate_at(s, entry, travel, linkage, row);
  return rut_atan2(-row[RUT_CORNER_axis_x], row[RUT_CORNER_axis_y]);
}

// Coordinate of the linkage at which a steered wheel has its angle, by the secant method.
static double linkage_at(const rutVehicleClass* s, int entry, double travel, double angle) {
  enum { STEPS = 10 };
  static const double FIRST = 1e-3;
  double a = 0, b = FIRST;
  double fa = steer_at(s, entry, travel, a) - angle, fb = steer_at(s, entry, travel, b) - angle;
  for (int i = 0; i < STEPS && fb != fa; i++) {
    const double next = b - fb * (b - a) / (fb - fa);
    a = b;
    fa = fb;
    b = rut_clamp(next, -s->steer_lock, s->steer_lock);
    fb = steer_at(s, entry, travel, b) - angle;
  }
  return b;
}

// wheel: [wheels][3] of the vehicle.
static void place_corners(const rutGroup* g, int lane, const double* wheel, double* b) {
  const rutVehicleClass* s = g->spatial;
  const int n = g->lanes;
  double* linkage = b + g->row.spatial.linkage * n;
  for (int w = 0; w < g->wheels; w++) {
    const int entry = w * n + lane;
    const bool steered = s->corner_mass[entry] > 0 && s->steer_gain[entry] != 0;
    if (!steered || !are_known(wheel + 3 * w, 3)) continue;
    *linkage = linkage_at(s, entry, wheel[3 * w + 2], wheel[3 * w + 1]);
    break;
  }
  for (int w = 0; w < g->wheels; w++) {
    const int entry = w * n + lane;
    double row[RUT_CORNER_ROW_COUNT];
    if (!(s->corner_mass[entry] > 0) || !are_known(wheel + 3 * w, 3)) continue;
    b[(g->row.q + 7 + w) * n] = coordinate_at(s, entry, wheel[3 * w + 2], *linkage, row);
    b[(g->row.spatial.travel + w) * n] = wheel[3 * w + 2];
  }
}

static void place_wheels(const rutGroup* g, int lane, const double* wheel, double* b) {
  const int n = g->lanes;
  for (int w = 0; w < g->wheels; w++) {
    const double* one = wheel + 3 * w;
    if (!are_known(one, 2)) continue;
    b[(g->row.q + g->wheel_position[w]) * n] = one[0];
    b[(g->row.yaw + w) * n] = one[1];
    const bool slides = g->spatial && !(g->spatial->corner_mass[w * n + lane] > 0);
    if (slides && are_known(one, 3)) b[(g->row.q + 7 + w) * n] = one[2];
  }
  if (g->spatial && g->spatial->mechanisms) place_corners(g, lane, wheel, b);
}

static void place_vehicle(const rutModel* model, rutData* data, int vehicle,
                          const rutMoment* moment) {
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  const int lane = r->slot % g->lanes;
  double* b = rut_batch(data, g, r->slot / g->lanes) + lane;
  const double* pose = moment->vehicle ? moment->vehicle + 6 * vehicle : NULL;
  if (pose && are_known(pose, 6)) {
    if (g->spatial) {
      place_spatial(g, pose, b);
    } else {
      place_planar(g, pose, b);
    }
  }
  if (moment->wheel) place_wheels(g, lane, moment->wheel + 3 * r->first_wheel, b);
}

// ---- blocks and mechanisms ----

static void place_block(const rutModel* model, rutData* data, int block, const double pose[6]) {
  const rutBlockRecord* r = &model->block[block];
  if (r->body < 0 || !are_known(pose, 6)) return;
  if (r->space) {
    rut_space_block_put(model, data, block, pose);
    return;
  }
  rutBodies* body = &data->bodies;
  double s, c;
  rut_sincos(pose[5], &s, &c);
  body->x[r->body] = pose[0] + c * r->com[0] - s * r->com[1];
  body->y[r->body] = pose[1] + s * r->com[0] + c * r->com[1];
  body->yaw[r->body] = pose[5];
  body->z[r->body] = data->block_z[block] = pose[2];
}

static void place_mechanism(const rutModel* model, rutData* data, int mechanism,
                            const double* joint) {
  const rutMechanismRecord* r = &model->mechanism[mechanism];
  const rutGroup* g = &model->group[r->group];
  double* b = rut_batch(data, g, r->slot / g->lanes) + r->slot % g->lanes;
  if (!are_known(joint, g->tree.positions)) return;
  for (int i = 0; i < g->tree.positions; i++) b[(g->row.q + i) * g->lanes] = joint[i];
}

static void place_rest(const rutModel* model, rutData* data, const rutMoment* moment) {
  rut_keyframes_apply(model, data);
  for (int i = 0; i < model->blocks && moment->block; i++) {
    place_block(model, data, i, moment->block + 6 * i);
  }
  const double* joint = moment->joint;
  for (int i = 0; i < model->mechanisms && joint; i++) {
    place_mechanism(model, data, i, joint);
    joint += model->group[model->mechanism[i].group].tree.positions;
  }
}

// ---- all of it ----

rutStatus rut_replay_show(const rutModel* model, rutData* data, const rutMoment* moment,
                          rutError* err) {
  if (!rut_data_is_of(data, model)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "this data was made from another model");
  }
  if (!are_known(&moment->time, 1)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a moment needs a time, in seconds");
  }
  data->time = moment->time;
  data->steps = (int64_t)rut_floor(moment->time / model->dt + 0.5);
  place_rest(model, data, moment);
  for (int i = 0; i < model->vehicles; i++) place_vehicle(model, data, i, moment);
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    rut_fill_padding(data, g);
    for (int b = 0; g->spatial && b < g->batches; b++) {
      const rutVehicleBatch vehicles = rut_vehicle_batch(data, g, b);
      rut_vehicle_observe(&vehicles);
    }
    rut_keep_state(data, g);
  }
  rut_bodies_gather_all(model, data);
  rut_scene_forget(data);
  return RUT_OK;
}
