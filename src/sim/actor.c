// SPDX-License-Identifier: BSD-3-Clause
#include "sim/actor.h"

#include <string.h>

#include "math/quat.h"
#include "math/vec.h"
#include "sim/keyframes.h"
#include "sim/query.h"
#include "terrain/ground.h"

// In lengths of an individual of size 1.
static rutActorMotion motion_at(const rutBlockRecord* block, double time) {
  const rutActor* actor = &block->actor;
  const rutKeyframe* frame = block->keyframe;
  const int last = block->keyframes - 1;
  const double t = rut_keyframe_time(block, time);
  double passed;
  const int k = rut_keyframe_find(frame, block->keyframes, t, &passed);
  const rutPace *from = &actor->pace[k - 1], *to = &actor->pace[k];
  const double laps = rut_floor(t / frame[last].time), scale = 1 / actor->size;
  const double here = from->distance + passed * (to->distance - from->distance);
  const double turned = frame[k - 1].pose[5] + passed * (frame[k].pose[5] - frame[k - 1].pose[5]);
  const double first = actor->pace[to->first].distance;
  return (rutActorMotion){
      .distance = scale * (laps * actor->pace[last].distance + here),
      .turned = laps * frame[last].pose[5] + turned,
      .speed = scale * to->speed,
      .stretch = scale * (actor->pace[to->last].distance - first),
      .gone = scale * (here - first),
  };
}

// Rise of the ground over a length along a direction, from as far behind an actor as ahead of it; 0
// beside the ground. pose: of the actor.
static double rise_along(const rutModel* model, const rutData* data, const double pose[6],
                         double dx, double dy) {
  bool ahead, behind;
  const double high =
      rut_ground_height(model->ground, data->lift, pose[0] + dx, pose[1] + dy, pose[2], &ahead);
  const double low =
      rut_ground_height(model->ground, data->lift, pose[0] - dx, pose[1] - dy, pose[2], &behind);
  return ahead && behind ? rut_clamp((high - low) / (2 * rut_hypot(dx, dy)), -1, 1) : 0;
}

static void find_slope(const rutModel* model, const rutData* data, int block, double slope[2]) {
  const rutBlockRecord* r = &model->block[block];
  // about half the wheelbase of cars
  const double reach = 0.6 * r->actor.size * r->actor.type->radius(r->actor.param);
  double pose[6], velocity[3], s, c;
  slope[0] = slope[1] = 0;
  if (!r->on_ground || model->ground->sources == 0 || !(reach > 0)) return;
  rut_block_state(model, data, block, pose, velocity);
  rut_sincos(pose[5], &s, &c);
  slope[0] = rise_along(model, data, pose, reach * c, reach * s);
  slope[1] = rise_along(model, data, pose, -reach * s, reach * c);
}

// Axes on a slope: x along it, z along its normal.
static void tilted_frame(const double slope[2], double frame[12]) {
  const rutVec3 x = rut_vec3_unit(rut_vec3(1, 0, slope[0]));
  const rutVec3 z = rut_vec3_unit(rut_vec3(-slope[0], -slope[1], 1));
  const rutVec3 y = rut_vec3_cross(z, x);
  const double rows[12] = {x.x, y.x, z.x, 0, x.y, y.y, z.y, 0, x.z, y.z, z.z, 0};
  memcpy(frame, rows, sizeof rows);
}

void rut_actor_part(const rutModel* model, const rutData* data, int block, int part,
                    double frame[12]) {
  const rutActor* actor = &model->block[block].actor;
  double pose[RUT_SCENERY_MAX_MOVING][6] = {{0}};
  rutActorMotion motion = motion_at(&model->block[block], rut_time(data));
  find_slope(model, data, block, motion.slope);
  actor->type->moving_pose(actor->param, &motion, pose);
  const double* p = pose[part];
  const double at[3] = {actor->size * p[0], actor->size * p[1], actor->size * p[2]};
  rut_affine_of(at, p + 3, frame);
  if (!actor->type->tilts || (motion.slope[0] == 0 && motion.slope[1] == 0)) return;
  double tilt[12], upright[12];
  memcpy(upright, frame, sizeof upright);
  tilted_frame(motion.slope, tilt);
  rut_affine_mul(tilt, upright, frame);
}

// ---- for display ----

int rut_block_moving_parts(const rutModel* model, int block) {
  if (block < 0 || block >= model->blocks || !model->block[block].actor.type) return 0;
  return model->block[block].actor.type->moving;
}

bool rut_block_moving_part(const rutModel* model, const rutData* data, int block, int part,
                           double pose[7]) {
  static const double nothing[7] = {0, 0, 0, 1, 0, 0, 0};
  memcpy(pose, nothing, sizeof nothing);
  if (part < 0 || part >= rut_block_moving_parts(model, block) || !rut_data_is_of(data, model)) {
    return false;
  }
  double place[6], velocity[3], carrier[12], own[12], frame[12];
  rut_block_state(model, data, block, place, velocity);
  rut_affine_of(place, place + 3, carrier);
  rut_actor_part(model, data, block, part, own);
  rut_affine_mul(carrier, own, frame);
  rutMat3 axes;
  for (int i = 0; i < 3; i++) {
    pose[i] = frame[4 * i + 3];
    for (int k = 0; k < 3; k++) axes.m[3 * i + k] = frame[4 * i + k];
  }
  const rutQuat q = rut_quat_of_matrix(axes);
  const double turn[4] = {q.w, q.x, q.y, q.z};
  memcpy(pose + 3, turn, sizeof turn);
  return true;
}
