// SPDX-License-Identifier: BSD-3-Clause
//
// Boxes around what rays see of an element: its prisms, meshes and solids.
#include "contact/contact.h"
#include "geom/polygon.h"
#include "math/quat.h"
#include "sim/query.h"
#include "sim/scene.h"

// A body's place in the plane; points of fixed prisms are in the world.
static rutPlanePose place_of(const rutData* data, int body, double* z) {
  rutPlanePose place = {0, 0, 1, 0};
  *z = 0;
  if (body < 0) return place;
  const rutBodies* b = &data->bodies;
  place.x = b->x[body];
  place.y = b->y[body];
  *z = b->z[body];
  rut_sincos(b->yaw[body], &place.sine, &place.cosine);
  return place;
}

static rutMat3 turned(double yaw) { return rut_mat3_of_rpy(0, 0, yaw); }

// Axes of the box around a prism; false for walls, which may have any outline.
static bool prism_axes(const rutModel* model, const rutData* data, const rutPrismDef* prism,
                       rutMat3* axes) {
  if (prism->kind != RUT_VEHICLE && prism->kind != RUT_BLOCK) return false;
  *axes = turned(prism->body >= 0 ? data->bodies.yaw[prism->body]
                                  : model->block[prism->index].start[5]);
  return true;
}

// Axes of what has meshes or solids only: of what carries them, or their own heading.
static rutMat3 visual_axes(const rutModel* model, const rutData* data, const rutVisual* visual) {
  double pose[6], rotation[9];
  if (visual->vehicle >= 0) {
    rut_vehicle_pose(model, data, visual->vehicle, pose, rotation);
    return rut_mat3_of(rotation);
  }
  if (visual->carrier.kind == RUT_CARRIER_BLOCK) {
    double velocity[3];
    rut_block_state(model, data, visual->carrier.index, pose, velocity);
    return rut_mat3_of_rpy(pose[3], pose[4], pose[5]);
  }
  return turned(rut_atan2(visual->pose[4], visual->pose[0]));
}

// Widen the range to a point, along the axes.
static void reach(const rutMat3* axes, rutVec3 at, double low[3], double high[3]) {
  const rutVec3 along = rut_mat3_apply_transposed(*axes, at);
  const double value[3] = {along.x, along.y, along.z};
  for (int k = 0; k < 3; k++) {
    low[k] = rut_min(low[k], value[k]);
    high[k] = rut_max(high[k], value[k]);
  }
}

// An upright cylinder or a sphere; the axes stand upright.
static void reach_round(const rutPrismDef* prism, const rutPlanePose* place, double z,
                        const rutMat3* axes, double low[3], double high[3]) {
  double at[2];
  rut_polygon_transform(1, prism->round.centre, *place, at);
  for (int i = 0; i < 4; i++) {
    const double out = i % 2 == 0 ? prism->round.radius : -prism->round.radius;
    const rutVec3 along = rut_mat3_apply(*axes, rut_vec3(i < 2 ? out : 0, i < 2 ? 0 : out, 0));
    const rutVec3 rim = rut_vec3_add(along, rut_vec3(at[0], at[1], z));
    reach(axes, rut_vec3_add(rim, rut_vec3(0, 0, prism->z_min)), low, high);
    reach(axes, rut_vec3_add(rim, rut_vec3(0, 0, prism->z_max)), low, high);
  }
}

// Corners of a wheel's prism are those of the box around it.
static void reach_prism(const rutData* data, const rutPrismDef* prism, const rutMat3* axes,
                        double low[3], double high[3]) {
  double z;
  const rutPlanePose place = place_of(data, prism->body, &z);
  if (prism->look == RUT_LOOK_CYLINDER || prism->look == RUT_LOOK_SPHERE) {
    reach_round(prism, &place, z, axes, low, high);
    return;
  }
  for (int i = 0; i < prism->n; i++) {
    double at[2];
    rut_polygon_transform(1, prism->xy + 2 * (size_t)i, place, at);
    reach(axes, rut_vec3(at[0], at[1], z + prism->z_min), low, high);
    reach(axes, rut_vec3(at[0], at[1], z + prism->z_max), low, high);
  }
}

// The axes of an instance's box: those of its first prism that is seen, else of its first visual.
static bool find_axes(const rutModel* model, const rutData* data, int instance, rutMat3* axes) {
  rutPrismDef prism;
  for (int i = 0; rut_contact_prism(model->contact, i, &prism); i++) {
    if (model->seen.prism[i].instance == instance && prism.look != RUT_LOOK_NOTHING) {
      return prism_axes(model, data, &prism, axes);
    }
  }
  for (int i = 0; i < model->scene.visuals; i++) {
    const rutVisual* visual = &model->scene.visual[i];
    if (visual->surface.instance != instance) continue;
    *axes = visual_axes(model, data, visual);
    return true;
  }
  return false;
}

bool rut_instance_box(const rutModel* model, const rutData* data, int instance,
                      rutInstanceBox* out) {
  *out = (rutInstanceBox){.quaternion = {1, 0, 0, 0}};
  rutMat3 axes;
  if (instance < 0 || !rut_data_is_of(data, model)) return false;
  if (!find_axes(model, data, instance, &axes)) return false;
  double low[3] = {RUT_INFINITY, RUT_INFINITY, RUT_INFINITY};
  double high[3] = {-RUT_INFINITY, -RUT_INFINITY, -RUT_INFINITY};
  rutPrismDef prism;
  for (int i = 0; rut_contact_prism(model->contact, i, &prism); i++) {
    if (model->seen.prism[i].instance == instance && prism.look != RUT_LOOK_NOTHING) {
      reach_prism(data, &prism, &axes, low, high);
    }
  }
  rut_scene_reach(model, data, instance, axes.m, low, high);
  rutVec3 middle = {0, 0, 0};
  for (int k = 0; k < 3; k++) {
    if (!(low[k] <= high[k])) return false;
    const rutVec3 axis = rut_mat3_apply(axes, rut_vec3(k == 0, k == 1, k == 2));
    middle = rut_vec3_add_scaled(middle, 0.5 * (low[k] + high[k]), axis);
    out->size[k] = high[k] - low[k];
  }
  const rutQuat q = rut_quat_of_matrix(axes);
  rut_vec3_put(middle, out->centre);
  memcpy(out->quaternion, (const double[4]){q.w, q.x, q.y, q.z}, sizeof out->quaternion);
  return true;
}
