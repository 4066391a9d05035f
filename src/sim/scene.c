// SPDX-License-Identifier: BSD-3-Clause
#include "sim/scene.h"

#include <sched.h>
#include <string.h>

#include "math/quat.h"
#include "sim/actor.h"
#include "sim/query.h"
#include "sim/rope.h"

// Places of the moving instances.
enum { STALE, BEING_FOUND, KNOWN };

struct rutScene {
  rutInstances moving;
  bool built;
  atomic_int places;
};

rutScene* rut_scene_take(const rutModel* model, rutArena* arena) {
  const rutSceneModel* s = &model->scene;
  if (s->visuals == s->fixed) return NULL;
  rutScene* scene = RUT_TAKE(arena, rutScene, 1);
  rutInstances moving;
  rut_instances_take(&moving, s->visuals - s->fixed, arena);
  if (!scene) return NULL;
  *scene = (rutScene){.moving = moving};
  scene->moving.first = s->fixed;
  return scene;
}

void rut_scene_forget(const rutData* data) {
  if (data->scene) atomic_store(&data->scene->places, STALE);
}

// ---- places ----

// What the last visual was carried by: neighbours share it.
typedef struct Carried {
  const rutModel* model;
  const rutData* data;
  rutCarrier carrier;
  double frame[12];
  int links;  // of the wheel of a link
  rutLink link[RUT_MAX_CORNER_LINKS];
  rutBodyPose body[RUT_MBD_MAX_BODIES];  // of the mechanism of a body
  rutVec3 rope[RUT_ROPE_PIECES + 1];     // ends of the pieces of a joint
} Carried;

static void put_frame(const rutMat3* axes, rutVec3 at, double frame[12]) {
  for (int i = 0; i < 3; i++) memcpy(frame + 4 * i, axes->m + 3 * i, 3 * sizeof *frame);
  frame[3] = at.x;
  frame[7] = at.y;
  frame[11] = at.z;
}

static void frame_of_block(const Carried* c, int block, double frame[12]) {
  double pose[6], velocity[3];
  rut_block_state(c->model, c->data, block, pose, velocity);
  const rutMat3 axes = rut_mat3_of_rpy(pose[3], pose[4], pose[5]);
  put_frame(&axes, rut_vec3_of(pose), frame);
}

// A limb or a wheel of an actor: it moves in the frame of the block.
static void frame_of_moving_part(const Carried* c, rutCarrier part, double frame[12]) {
  double block[12], own[12];
  frame_of_block(c, part.index, block);
  rut_actor_part(c->model, c->data, part.index, part.part - 1, own);
  rut_affine_mul(block, own, frame);
}

static void frame_of_vehicle(const Carried* c, int vehicle, double frame[12]) {
  double pose[6], rotation[9];
  rut_vehicle_pose(c->model, c->data, vehicle, pose, rotation);
  const rutMat3 axes = rut_mat3_of(rotation);
  put_frame(&axes, rut_vec3_of(pose), frame);
}

// From one end of a link to its other one, which is at z = 1; across it the axes have length 1.
static void frame_of_link(const rutLink* link, double frame[12]) {
  const rutVec3 from = rut_vec3_of(link->from);
  const rutVec3 along = rut_vec3_sub(rut_vec3_of(link->to), from);
  const rutVec3 z = rut_vec3_unit(along);
  const bool upright = rut_abs(z.z) > 0.9;
  const rutVec3 x = rut_vec3_unit(rut_vec3_cross(rut_vec3(upright, 0, !upright), z));
  const rutVec3 y = rut_vec3_cross(z, x);
  const rutMat3 axes = {{x.x, y.x, along.x, x.y, y.y, along.y, x.z, y.z, along.z}};
  put_frame(&axes, from, frame);
}

static void frame_of_body(const rutBodyPose* body, double frame[12]) {
  const double* q = body->quaternion;
  const rutMat3 axes = rut_quat_matrix(rut_quat(q[0], q[1], q[2], q[3]));
  put_frame(&axes, rut_vec3_of(body->position), frame);
}

// Ends of the pieces of a rope, rod or spring.
static void find_rope(Carried* c, const rutJointLook* look) {
  rutVec3 end[2];
  for (int k = 0; k < 2; k++) {
    double frame[12];
    if (look->end[k].kind == RUT_CARRIER_BLOCK) {
      frame_of_block(c, look->end[k].index, frame);
    } else {
      frame_of_vehicle(c, look->end[k].index, frame);
    }
    end[k] = rut_affine_apply(frame, rut_vec3_of(look->anchor[k]));
  }
  rut_rope_points(c->model, c->data, look, end, c->rope);
}

static void frame_of_piece(const rutVec3 end[2], double frame[12]) {
  static const double shortest = 1e-6;  // a piece without length has no direction
  rutLink piece;
  rutVec3 to = end[1];
  if (rut_vec3_norm(rut_vec3_sub(to, end[0])) < shortest) to.z = end[0].z + shortest;
  rut_vec3_put(end[0], piece.from);
  rut_vec3_put(to, piece.to);
  frame_of_link(&piece, frame);
}

static void find_frame(Carried* c, rutCarrier to) {
  const rutCarrier last = c->carrier;
  const bool other = last.kind != to.kind || last.index != to.index;
  if (!other && last.part == to.part) return;
  c->carrier = to;
  switch (to.kind) {
    case RUT_CARRIER_WORLD:
      frame_of_body(&(rutBodyPose){.quaternion = {1, 0, 0, 0}}, c->frame);
      break;
    case RUT_CARRIER_BLOCK:
      if (to.part > 0) {
        frame_of_moving_part(c, to, c->frame);
      } else {
        frame_of_block(c, to.index, c->frame);
      }
      break;
    case RUT_CARRIER_VEHICLE:
      frame_of_vehicle(c, to.index, c->frame);
      break;
    case RUT_CARRIER_WHEEL:
      rut_wheel_frame(c->model, c->data, to.index, c->frame);
      break;
    case RUT_CARRIER_LINK:
      if (other) {
        c->links = rut_suspension_links(c->model, c->data, to.index, RUT_MAX_CORNER_LINKS, c->link);
      }
      frame_of_link(&c->link[to.part < c->links ? to.part : 0], c->frame);
      break;
    case RUT_CARRIER_BODY:
      if (other) rut_mechanism_bodies(c->model, c->data, to.index, RUT_MBD_MAX_BODIES, c->body);
      frame_of_body(&c->body[to.part], c->frame);
      break;
    case RUT_CARRIER_JOINT:
      if (other) find_rope(c, &c->model->scene.joint[to.index]);
      frame_of_piece(&c->rope[to.part], c->frame);
      break;
  }
}

static void find_places(const rutModel* model, const rutData* data, rutScene* scene) {
  const rutSceneModel* s = &model->scene;
  Carried carried = {.model = model, .data = data, .carrier = {RUT_CARRIER_WORLD, -1, 0}};
  for (int i = s->fixed; i < s->visuals; i++) {
    const rutVisual* v = &s->visual[i];
    rutInstance* instance = &scene->moving.instance[i - s->fixed];
    find_frame(&carried, v->carrier);
    instance->mesh = v->mesh;
    instance->solid = v->solid;
    instance->owner = v->vehicle;
    rut_affine_mul(carried.frame, v->pose, instance->pose);
  }
  if (scene->built) {
    rut_instances_move(&scene->moving);
  } else {
    rut_instances_build(&scene->moving);
  }
  scene->built = true;
}

// The first ray of an instant finds the places, while others wait. They depend on the state alone.
static rutInstances* moving_now(const rutModel* model, const rutData* data) {
  rutScene* scene = data->scene;
  int expected = STALE;
  if (atomic_load(&scene->places) == KNOWN) return &scene->moving;
  if (atomic_compare_exchange_strong(&scene->places, &expected, BEING_FOUND)) {
    find_places(model, data, scene);
    atomic_store(&scene->places, KNOWN);
  }
  while (atomic_load(&scene->places) != KNOWN) sched_yield();
  return &scene->moving;
}

// ---- rays ----

static bool only_of(const rutSceneModel* scene, int vehicle) {
  return vehicle >= 0 && scene->only_vehicle == vehicle;
}

void rut_scene_cast(const rutModel* model, const rutData* data, bool moving, int skip_vehicle,
                    const rutRayBatch* rays, const rutRayResult* out) {
  const rutSceneModel* s = &model->scene;
  if (s->fixed > 0) rut_instances_cast(&s->standing, rays, out);
  if (!moving || !data->scene || only_of(s, skip_vehicle)) return;
  const rutInstances* set = moving_now(model, data);
  if (skip_vehicle < 0) {
    rut_instances_cast(set, rays, out);
  } else {
    rut_instances_cast_past(set, skip_vehicle, rays, out);
  }
}

static bool meets_plane(const rutInstances* set, double z) {
  const rutBox box = rut_bvh_box(&set->bvh);
  return (double)box.low[2] <= z && z <= (double)box.high[2];
}

bool rut_scene_crosses(const rutModel* model, const rutData* data, bool moving, double z) {
  const rutSceneModel* s = &model->scene;
  if (s->fixed > 0 && meets_plane(&s->standing, z)) return true;
  return moving && data->scene && meets_plane(moving_now(model, data), z);
}

void rut_scene_pose(const rutModel* model, const rutData* data, int visual, double frame[12]) {
  const rutInstances* set = moving_now(model, data);
  memcpy(frame, set->instance[visual - model->scene.fixed].pose, 12 * sizeof *frame);
}

// ---- extents ----

// How far a solid reaches along e, a direction of any length in its own axes.
static double solid_reach(const rutSolid* s, const double e[3]) {
  const double flat = rut_hypot(e[0], e[1]);
  switch (s->kind) {
    case RUT_SOLID_BOX:
      return rut_abs(e[0]) * s->half[0] + rut_abs(e[1]) * s->half[1] + rut_abs(e[2]) * s->half[2];
    case RUT_SOLID_SPHERE:
      return s->radius * rut_hypot(flat, e[2]);
    case RUT_SOLID_CAPSULE:
      return s->radius * rut_hypot(flat, e[2]) + 0.5 * s->length * rut_abs(e[2]);
    case RUT_SOLID_TURNED:
      break;
  }
  double most = -RUT_INFINITY;
  for (int i = 0; i < s->rings; i++) most = rut_max(most, s->z[i] * e[2] + s->ring[i] * flat);
  return most;
}

// The same of the box around a mesh.
static double mesh_reach(const rutTriangles* mesh, const double e[3]) {
  const rutBox box = rut_bvh_box(&mesh->bvh);
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += e[k] * (double)(e[k] > 0 ? box.high[k] : box.low[k]);
  return sum;
}

static void reach_instance(const rutInstance* in, const double axes[9], double low[3],
                           double high[3]) {
  for (int k = 0; k < 3; k++) {
    double offset = 0, e[3] = {0, 0, 0};
    for (int row = 0; row < 3; row++) {
      const double along = axes[3 * row + k];
      for (int j = 0; j < 3; j++) e[j] += along * in->pose[4 * row + j];
      offset += along * in->pose[4 * row + 3];
    }
    const double back[3] = {-e[0], -e[1], -e[2]};
    const double ahead = in->mesh ? mesh_reach(in->mesh, e) : solid_reach(in->solid, e);
    const double behind = in->mesh ? mesh_reach(in->mesh, back) : solid_reach(in->solid, back);
    low[k] = rut_min(low[k], offset - behind);
    high[k] = rut_max(high[k], offset + ahead);
  }
}

void rut_scene_reach(const rutModel* model, const rutData* data, int instance, const double axes[9],
                     double low[3], double high[3]) {
  const rutSceneModel* s = &model->scene;
  for (int i = 0; i < s->visuals; i++) {
    if (s->visual[i].surface.instance != instance) continue;
    const rutInstances* set = i < s->fixed ? &s->standing : moving_now(model, data);
    reach_instance(&set->instance[i < s->fixed ? i : i - s->fixed], axes, low, high);
  }
}
