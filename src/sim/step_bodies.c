// SPDX-License-Identifier: BSD-3-Clause
//
// Between the batches of vehicles, the blocks, and the bodies of the contact solver.
#include <string.h>

#include "math/rut_math.h"
#include "sim/step.h"

// Body of the vehicle in a lane of a batch, -1 for padding.
static int body_of(const rutModel* model, const rutGroup* group, int slot) {
  return slot < group->count ? model->vehicle[group->member[slot]].body : -1;
}

void rut_bodies_gather(const rutModel* model, rutData* data, const rutGroup* group, int batch) {
  if (group->mechanism) return;
  const int n = group->lanes;
  rutBodies* b = &data->bodies;
  const double* table = rut_batch(data, group, batch);
  const double *q = table + group->row.q * n, *v = table + group->row.v * n;
  for (int l = 0; l < n; l++) {
    const int body = body_of(model, group, batch * n + l);
    if (body < 0) return;
    b->x[body] = q[l];
    b->y[body] = q[n + l];
    b->yaw[body] = q[2 * n + l];
    b->z[body] = table[group->row.ground * n + l];
    b->vx[body] = v[l];
    b->vy[body] = v[n + l];
    b->rate[body] = v[2 * n + l];
  }
}

void rut_bodies_gather_all(const rutModel* model, rutData* data) {
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    for (int batch = 0; batch < g->batches; batch++) rut_bodies_gather(model, data, g, batch);
  }
}

void rut_bodies_scatter_velocity(const rutModel* model, rutData* data, const rutGroup* group,
                                 int batch) {
  if (group->mechanism) return;
  const int n = group->lanes;
  const rutBodies* b = &data->bodies;
  double* table = rut_batch(data, group, batch);
  double *v = table + group->row.v * n, *touching = table + group->row.touching * n;
  for (int l = 0; l < n; l++) {
    const int body = body_of(model, group, batch * n + l);
    if (body < 0) return;
    v[l] = b->vx[body];
    v[n + l] = b->vy[body];
    v[2 * n + l] = b->rate[body];
    touching[l] = rut_contact_touching(data->contact, body) ? 1 : 0;
  }
}

void rut_bodies_scatter_position(const rutModel* model, rutData* data) {
  const rutBodies* b = &data->bodies;
  for (int i = 0; i < model->vehicles; i++) {
    const rutVehicleRecord* r = &model->vehicle[i];
    const rutGroup* g = &model->group[r->group];
    const int n = g->lanes;
    double* batch = rut_batch(data, g, r->slot / n) + r->slot % n;
    double* q = batch + g->row.q * n;
    q[0] = b->x[r->body];
    q[n] = b->y[r->body];
    if (q[2 * n] == b->yaw[r->body]) continue;
    q[2 * n] = b->yaw[r->body];
    rut_sincos(q[2 * n], &batch[g->row.sin_yaw * n], &batch[g->row.cos_yaw * n]);
  }
}

void rut_blocks_velocity(const rutModel* model, rutData* data) {
  rutBodies* b = &data->bodies;
  for (int i = 0; i < model->blocks; i++) {
    const rutBlockRecord* r = &model->block[i];
    if (r->body < 0 || r->keyframes) continue;
    const double linear = 1 / (1 + model->dt * r->linear_damping);
    b->vx[r->body] *= linear;
    b->vy[r->body] *= linear;
    b->rate[r->body] *= 1 / (1 + model->dt * r->angular_damping);
  }
}

void rut_blocks_position(const rutModel* model, rutData* data) {
  rutBodies* b = &data->bodies;
  for (int i = 0; i < model->blocks; i++) {
    const rutBlockRecord* r = &model->block[i];
    if (r->body < 0 || r->keyframes) continue;
    bool still = b->vx[r->body] == 0 && b->vy[r->body] == 0 && b->rate[r->body] == 0;
    if (still && model->ground_motions == 0) continue;
    b->x[r->body] += model->dt * b->vx[r->body];
    b->y[r->body] += model->dt * b->vy[r->body];
    b->yaw[r->body] += model->dt * b->rate[r->body];
    if (!r->on_ground || model->ground->sources == 0) continue;
    bool found;
    data->block_z[i] = rut_ground_height(model->ground, data->lift, b->x[r->body], b->y[r->body],
                                         data->block_z[i], &found);
    b->z[r->body] = data->block_z[i];
  }
}

// ---- keyframes ----

// Offset at a time, linear between keyframes; the sequence repeats after the last one.
static void keyframe_at(const rutKeyframe* frame, int n, double time, double pose[6]) {
  const double period = frame[n - 1].time;
  double t = period > 0 ? time - period * rut_floor(time / period) : 0;
  int k = 1;
  while (k < n - 1 && frame[k].time < t) k++;
  if (n == 1) {
    memcpy(pose, frame[0].pose, sizeof frame[0].pose);
    return;
  }
  const rutKeyframe *a = &frame[k - 1], *b = &frame[k];
  const double f = rut_clamp((t - a->time) / (b->time - a->time), 0, 1);
  for (int i = 0; i < 6; i++) {
    double change = b->pose[i] - a->pose[i];
    // angles take the short way round
    if (i >= 3) change -= 2 * RUT_PI * rut_floor(change / (2 * RUT_PI) + 0.5);
    pose[i] = a->pose[i] + f * change;
  }
}

static void place_keyframed_block(const rutModel* model, rutData* data, int index) {
  const rutBlockRecord* r = &model->block[index];
  rutBodies* body = &data->bodies;
  double now[6], next[6], s, c;
  keyframe_at(r->keyframe, r->keyframes, data->time, now);
  keyframe_at(r->keyframe, r->keyframes, data->time + model->dt, next);
  const double yaw = r->start[5] + now[5];
  rut_sincos(yaw, &s, &c);
  const int b = r->body;
  body->x[b] = r->start[0] + now[0] + c * r->com[0] - s * r->com[1];
  body->y[b] = r->start[1] + now[1] + s * r->com[0] + c * r->com[1];
  body->yaw[b] = yaw;
  data->block_z[index] = body->z[b] = r->start[2] + now[2];
  // where the sequence starts over the block jumps: it then pushes nothing
  const double period = r->keyframe[r->keyframes - 1].time;
  bool wraps =
      period > 0 && rut_floor(data->time / period) != rut_floor((data->time + model->dt) / period);
  const double rate = wraps ? 0 : 1 / model->dt;
  body->vx[b] = (next[0] - now[0]) * rate;
  body->vy[b] = (next[1] - now[1]) * rate;
  const double turn = next[5] - now[5];
  body->rate[b] = (turn - 2 * RUT_PI * rut_floor(turn / (2 * RUT_PI) + 0.5)) * rate;
}

void rut_keyframes_apply(const rutModel* model, rutData* data) {
  for (int i = 0; i < model->blocks; i++) {
    if (model->block[i].keyframes) place_keyframed_block(model, data, i);
  }
  for (int i = 0; i < model->ground_motions; i++) {
    const rutGroundMotion* m = &model->ground_motion[i];
    double pose[6];
    keyframe_at(m->keyframe, m->keyframes, data->time, pose);
    data->lift[m->source] = pose[2];
  }
}
