// SPDX-License-Identifier: BSD-3-Clause
//
// Between the batches of vehicles, the blocks, and the bodies of the contact solver.
#include "sim/step_bodies.h"

#include <string.h>

#include "math/lanes.h"
#include "math/quat.h"
#include "sim/keyframes.h"

// Numbers of bodies, of the vehicles of a batch.
#define BODY_NUMBERS(X) X(x) X(y) X(z) X(yaw) X(rate) X(vx) X(vy)
typedef struct Seen {
#define X(name) double name[RUT_MBD_LANES];
  BODY_NUMBERS(X)
#undef X
} Seen;

// Vehicles with suspensions meet obstacles as upright prisms: place and velocity over the map of
// the centre of mass of the whole vehicle.
RUT_INLINE void see_spatial(const rutGroup* g, const double* restrict table, int n,
                            Seen* restrict to) {
  const double* at = table + g->row.spatial.position * n;
  const double *v = table + g->row.v * n, *q = table + g->row.q * n;
  const double *cosine = table + g->row.cos_yaw * n, *sine = table + g->row.sin_yaw * n;
  const double* turned = table + g->row.spatial.turned * n;
  const double x = g->com[0], y = g->com[1];
  RUT_FOR_LANES(l, n) {
    const double c = cosine[l], s = sine[l];
    const rutMat3 r =
        rut_quat_matrix(rut_quat(q[3 * n + l], q[4 * n + l], q[5 * n + l], q[6 * n + l]));
    const rutVec3 omega = rut_mat3_apply(r, rut_load_vec3(v, n, l));
    const rutVec3 linear = rut_mat3_apply(r, rut_load_vec3(v + 3 * n, n, l));
    to->x[l] = at[l] + c * x - s * y;
    to->y[l] = at[n + l] + s * x + c * y;
    to->z[l] = at[2 * n + l];
    to->yaw[l] = rut_atan2(s, c) + 2 * RUT_PI * turned[l];
    to->rate[l] = omega.z;
    // the velocity is that of the chassis's own centre of mass, which the solver's point is close
    // to
    to->vx[l] = linear.x;
    to->vy[l] = linear.y;
  }
}
RUT_CLONES static void see_spatial_batch(const rutGroup* g, const double* table, Seen* to) {
  see_spatial(g, table, RUT_MBD_LANES, to);
}

static void gather_spatial(const rutGroup* g, const double* table, int batch, const rutBodies* b) {
  const rutLaneRange own = rut_batch_lanes(g, batch);
  Seen seen;
  if (g->lanes == 1) {
    see_spatial(g, table, 1, &seen);
  } else {
    see_spatial_batch(g, table, &seen);
  }
  for (int l = own.first; l < own.end; l++) {
    const int body = rut_group_body(g, batch, l);
#define X(name) b->name[body] = seen.name[l];
    BODY_NUMBERS(X)
#undef X
  }
}

// What contacts have done to the planar velocities, given to the whole vehicle.
static void scatter_spatial(const rutGroup* g, double* table, int lane, int body,
                            const rutBodies* b) {
  const int n = g->lanes;
  double *v = table + g->row.v * n + lane, *q = table + g->row.q * n + lane;
  const rutMat3 r = rut_quat_matrix(rut_quat(q[3 * n], q[4 * n], q[5 * n], q[6 * n]));
  const rutVec3 omega = rut_mat3_apply(r, rut_vec3(v[0], v[n], v[2 * n]));
  const rutVec3 linear = rut_mat3_apply(r, rut_vec3(v[3 * n], v[4 * n], v[5 * n]));
  const double dx = b->vx[body] - linear.x, dy = b->vy[body] - linear.y;
  const double turn = b->rate[body] - omega.z;
  if (dx == 0 && dy == 0 && turn == 0) return;
  const double middle_x = linear.x + 0.5 * dx, middle_y = linear.y + 0.5 * dy;
  table[(g->row.spatial.energy + RUT_ENERGY_obstacle) * n + lane] -=
      g->mass * (dx * middle_x + dy * middle_y) + g->yaw_inertia * turn * (omega.z + 0.5 * turn);
  const rutVec3 push = rut_mat3_apply_transposed(r, rut_vec3(dx, dy, 0));
  const rutVec3 spin = rut_mat3_apply_transposed(r, rut_vec3(0, 0, turn));
  const double add[6] = {spin.x, spin.y, spin.z, push.x, push.y, push.z};
  for (int i = 0; i < 6; i++) v[i * n] += add[i];
}

static void gather_planar(const rutGroup* g, const double* table, int lane, int body,
                          const rutBodies* b) {
  const int n = g->lanes;
  const double *q = table + g->row.q * n + lane, *v = table + g->row.v * n + lane;
  b->x[body] = q[0];
  b->y[body] = q[n];
  b->yaw[body] = q[2 * n];
  b->z[body] = table[g->row.ground * n + lane];
  b->vx[body] = v[0];
  b->vy[body] = v[n];
  b->rate[body] = v[2 * n];
}

void rut_bodies_gather(rutData* data, const rutGroup* group, int batch) {
  if (group->mechanism) return;
  const double* table = rut_batch(data, group, batch);
  const rutLaneRange own = rut_batch_lanes(group, batch);
  if (group->spatial) {
    gather_spatial(group, table, batch, &data->bodies);
    return;
  }
  for (int l = own.first; l < own.end; l++) {
    gather_planar(group, table, l, rut_group_body(group, batch, l), &data->bodies);
  }
}

void rut_bodies_gather_all(const rutModel* model, rutData* data) {
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    for (int batch = 0; batch < g->batches; batch++) rut_bodies_gather(data, g, batch);
  }
}

bool rut_bodies_are_quiet(const rutModel* model, const rutData* data) {
  return rut_contact_is_quiet(model->contact, data->contact) &&
         (!model->space || rut_space_is_quiet(data->space));
}

void rut_bodies_scatter_velocity(const rutModel* model, rutData* data, const rutGroup* group,
                                 int batch) {
  if (group->mechanism) return;
  const int n = group->lanes;
  const rutLaneRange own = rut_batch_lanes(group, batch);
  const rutBodies* b = &data->bodies;
  double* table = rut_batch(data, group, batch);
  double *v = table + group->row.v * n, *touching = table + group->row.touching * n;
  // without contacts and joints the velocities have not changed
  const bool quiet = rut_bodies_are_quiet(model, data);
  for (int l = own.first; l < own.end; l++) {
    const int body = rut_group_body(group, batch, l);
    const bool touches = rut_contact_touching(data->contact, body) ||
                         (model->space && rut_space_touching(data->space, body));
    touching[l] = !quiet && touches ? 1 : 0;
    if (quiet) continue;
    if (group->spatial) {
      scatter_spatial(group, table, l, body, b);
    } else {
      v[l] = b->vx[body];
      v[n + l] = b->vy[body];
      v[2 * n + l] = b->rate[body];
    }
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
    if (g->spatial) {
      // only the correction moves it: heading stays
      const double* at = batch + g->row.spatial.position * n;
      const double c = batch[g->row.cos_yaw * n], s = batch[g->row.sin_yaw * n];
      q[0] += b->x[r->body] - (at[0] + c * g->com[0] - s * g->com[1]);
      q[n] += b->y[r->body] - (at[n] + s * g->com[0] + c * g->com[1]);
      continue;
    }
    q[0] = b->x[r->body];
    q[n] = b->y[r->body];
    if (q[2 * n] == b->yaw[r->body]) continue;
    q[2 * n] = b->yaw[r->body];
    rut_sincos(q[2 * n], &batch[g->row.sin_yaw * n], &batch[g->row.cos_yaw * n]);
  }
}

void rut_blocks_velocity(const rutModel* model, rutData* data) {
  rutBodies* b = &data->bodies;
  for (int k = 0; k < model->moving_blocks; k++) {
    const rutBlockRecord* r = &model->block[model->moving_block[k]];
    if (r->keyframes || r->space) continue;
    const double linear = 1 / (1 + model->dt * r->linear_damping);
    b->vx[r->body] *= linear;
    b->vy[r->body] *= linear;
    b->rate[r->body] *= 1 / (1 + model->dt * r->angular_damping);
  }
}

void rut_blocks_position(const rutModel* model, rutData* data) {
  rutBodies* b = &data->bodies;
  for (int k = 0; k < model->moving_blocks; k++) {
    const int i = model->moving_block[k];
    const rutBlockRecord* r = &model->block[i];
    if (r->keyframes || r->space) continue;
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

static void place_keyframed_block(const rutModel* model, rutData* data, int index) {
  const rutBlockRecord* r = &model->block[index];
  rutBodies* body = &data->bodies;
  double now[6], next[6], s, c;
  const double time = rut_keyframe_time(r, data->time),
               after = rut_keyframe_time(r, data->time + model->dt);
  rut_keyframe_pose(r->keyframe, r->keyframes, time, now);
  rut_keyframe_pose(r->keyframe, r->keyframes, after, next);
  const double yaw = r->start[5] + now[5];
  rut_sincos(yaw, &s, &c);
  const int b = r->body;
  body->x[b] = r->start[0] + now[0] + c * r->com[0] - s * r->com[1];
  body->y[b] = r->start[1] + now[1] + s * r->com[0] + c * r->com[1];
  body->yaw[b] = yaw;
  data->block_z[index] = r->start[2] + now[2];
  bool found = false;
  if (r->form >= 0) {
    // actors walk on the ground
    data->block_z[index] =
        rut_ground_height(model->ground, data->lift, body->x[b], body->y[b], body->z[b], &found);
  }
  body->z[b] = data->block_z[index];
  // where the sequence starts over the block jumps, with no velocity
  const double period = r->keyframe[r->keyframes - 1].time;
  bool wraps = period > 0 && rut_floor(time / period) != rut_floor(after / period);
  const double rate = wraps ? 0 : 1 / model->dt;
  body->vx[b] = (next[0] - now[0]) * rate;
  body->vy[b] = (next[1] - now[1]) * rate;
  const double turn = next[5] - now[5];
  body->rate[b] = (turn - 2 * RUT_PI * rut_floor(turn / (2 * RUT_PI) + 0.5)) * rate;
}

void rut_keyframes_apply(const rutModel* model, rutData* data) {
  for (int k = 0; k < model->moving_blocks; k++) {
    const int i = model->moving_block[k];
    if (model->block[i].keyframes) place_keyframed_block(model, data, i);
  }
  for (int i = 0; i < model->ground_motions; i++) {
    const rutGroundMotion* m = &model->ground_motion[i];
    double pose[6];
    rut_keyframe_pose(m->keyframe, m->keyframes, data->time, pose);
    data->lift[m->source] = pose[2];
  }
}
