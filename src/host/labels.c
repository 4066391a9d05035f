// SPDX-License-Identifier: BSD-3-Clause
//
// Labels of images: what has pixels, and the boxes around it in the image and in space.
#include "host/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "math/quat.h"

// Nearest distance along the axis at which edges of boxes are projected [m].
static const double NEAR = 0.01;

// ---- axes ----

// Columns: optical x, y, z in the world. The sensor looks along its own x axis, z is up.
static rutMat3 optical_axes(const double pose[6]) {
  const rutMat3 s = rut_mat3_of_rpy(pose[3], pose[4], pose[5]);
  const rutVec3 ahead = rut_mat3_apply(s, rut_vec3(1, 0, 0));
  const rutVec3 right = rut_mat3_apply(s, rut_vec3(0, -1, 0));
  const rutVec3 down = rut_mat3_apply(s, rut_vec3(0, 0, -1));
  return (rutMat3){{right.x, down.x, ahead.x, right.y, down.y, ahead.y, right.z, down.z, ahead.z}};
}

// Columns: level x, y, z in the world. A camera that looks straight down heads where the top of its
// image is, one that looks straight up where the bottom is.
static rutMat3 level_axes(const rutMat3* optical) {
  static const double STEEP = 1e-9;  // least horizontal part of the axis
  rutVec3 ahead = rut_mat3_apply(*optical, rut_vec3(0, 0, 1));
  const double up = ahead.z;
  if (ahead.x * ahead.x + ahead.y * ahead.y < STEEP * STEEP) {
    ahead = rut_mat3_apply(*optical, rut_vec3(0, up < 0 ? -1 : 1, 0));
  }
  ahead = rut_vec3_unit(rut_vec3(ahead.x, ahead.y, 0));
  return (rutMat3){{ahead.y, 0, ahead.x, -ahead.x, 0, ahead.y, 0, -1, 0}};
}

bool rut_camera_level(const rutModel* model, const rutData* data, int sensor, double rotation[9]) {
  rutCameraGeometry camera;
  double pose[6];
  memset(rotation, 0, 9 * sizeof *rotation);
  if (!rut_camera_geometry(model, sensor, &camera)) return false;
  rut_sensor_pose(model, data, sensor, pose);
  const rutMat3 optical = optical_axes(pose), level = level_axes(&optical);
  for (int i = 0; i < 3; i++) {
    const rutVec3 axis = rut_vec3(i == 0, i == 1, i == 2);
    const rutVec3 column = rut_mat3_apply_transposed(optical, rut_mat3_apply(level, axis));
    rotation[i] = column.x;
    rotation[3 + i] = column.y;
    rotation[6 + i] = column.z;
  }
  return true;
}

// ---- boxes in space ----

static int ceiling(double x) { return (int)-rut_floor(-x); }

static double wrapped(double angle) {
  return angle > RUT_PI ? angle - 2 * RUT_PI : angle < -RUT_PI ? angle + 2 * RUT_PI : angle;
}

// A box in the image's axes.
typedef struct Solid {
  rutMat3 axes;  // of the box in optical axes, by columns
  rutVec3 centre;
  double half[3];
} Solid;

static rutVec3 corner_of(const Solid* s, int i) {
  const rutVec3 at =
      rut_vec3((i & 1) != 0 ? s->half[0] : -s->half[0], (i & 2) != 0 ? s->half[1] : -s->half[1],
               (i & 4) != 0 ? s->half[2] : -s->half[2]);
  return rut_vec3_add(s->centre, rut_mat3_apply(s->axes, at));
}

static void reach(const rutCameraGeometry* camera, rutVec3 at, rutLabel* out) {
  const double point[3] = {at.x, at.y, at.z};
  double pixel[2];
  if (!rut_camera_project(camera, point, pixel)) return;
  for (int k = 0; k < 2; k++) {
    out->low[k] = rut_min(out->low[k], pixel[k]);
    out->high[k] = rut_max(out->high[k], pixel[k]);
  }
}

// The rectangle around the edges of a box. What is behind a perspective lens is cut off.
static void project_edges(const rutCameraGeometry* camera, const Solid* s, rutLabel* out) {
  const bool cut = camera->lens == RUT_LENS_PERSPECTIVE;
  for (int k = 0; k < 2; k++) {
    out->low[k] = RUT_INFINITY;
    out->high[k] = -RUT_INFINITY;
  }
  for (int i = 0; i < 8; i++) {
    const rutVec3 a = corner_of(s, i);
    if (!cut || a.z >= NEAR) reach(camera, a, out);
    for (int k = 1; cut && k < 8; k *= 2) {
      const rutVec3 b = corner_of(s, i ^ k);
      if ((i & k) != 0 || (a.z < NEAR) == (b.z < NEAR)) continue;
      const double t = (NEAR - a.z) / (b.z - a.z);
      reach(camera, rut_vec3_add_scaled(a, t, rut_vec3_add_scaled(b, -1, a)), out);
    }
  }
}

// Area of a rectangle, 0 if it is empty.
static double area(const double low[2], const double high[2]) {
  return rut_max(high[0] - low[0], 0) * rut_max(high[1] - low[1], 0);
}

static void cut_to_image(const rutCameraGeometry* camera, const rutLabel* label, double low[2],
                         double high[2]) {
  const double size[2] = {camera->width, camera->height};
  for (int k = 0; k < 2; k++) {
    low[k] = rut_clamp(label->low[k], 0, size[k]);
    high[k] = rut_clamp(label->high[k], 0, size[k]);
  }
}

// Distance along the axis, over that of a ray, at which a ray enters the box; negative if it
// misses.
static double entry(const Solid* s, const double ray[3]) {
  const rutVec3 o = rut_mat3_apply_transposed(s->axes, rut_vec3_scale(s->centre, -1));
  const rutVec3 d = rut_mat3_apply_transposed(s->axes, rut_vec3_of(ray));
  const double from[3] = {o.x, o.y, o.z}, along[3] = {d.x, d.y, d.z};
  double low = 0, high = RUT_INFINITY;
  for (int k = 0; k < 3; k++) {
    if (along[k] == 0) {
      if (rut_abs(from[k]) > s->half[k]) return -1;
      continue;
    }
    const double a = (-s->half[k] - from[k]) / along[k], b = (s->half[k] - from[k]) / along[k];
    low = rut_max(low, rut_min(a, b));
    high = rut_min(high, rut_max(a, b));
  }
  return low <= high ? low : -1;
}

// Part of the pixels in which the box would be seen, and something else is nearer.
static double occlusion_of(const rutImages* images, const Solid* s, const rutLabel* label) {
  const rutCameraGeometry* camera = &images->camera;
  double low[2], high[2];
  int64_t covered = 0, hidden = 0;
  cut_to_image(camera, label, low, high);
  for (int row = (int)low[1]; row < ceiling(high[1]); row++) {
    for (int column = (int)low[0]; column < ceiling(high[0]); column++) {
      const double pixel[2] = {column + 0.5, row + 0.5};
      double ray[3];
      if (!rut_camera_ray(camera, pixel, ray)) continue;
      const double enters = entry(s, ray);
      if (enters < 0) continue;
      const int at = row * camera->width + column;
      covered++;
      const double depth = camera->ray_depth ? enters : enters * ray[2];
      const bool nearer = (double)images->depth[at] < depth;
      hidden += images->instance[at] >= 0 && images->instance[at] != label->instance && nearer;
    }
  }
  return covered > 0 ? (double)hidden / (double)covered : 0;
}

// The box of an instance, from the world to the label and to the image's axes.
static Solid place_box(const rutInstanceBox* box, const double pose[6], rutLabel* out) {
  const rutMat3 optical = optical_axes(pose), level = level_axes(&optical);
  const double* q = box->quaternion;
  const rutMat3 axes = rut_quat_matrix(rut_quat(q[0], q[1], q[2], q[3]));
  const rutVec3 from = rut_vec3_add_scaled(rut_vec3_of(box->centre), -1, rut_vec3_of(pose));
  const rutVec3 centre = rut_mat3_apply_transposed(level, from);
  const rutVec3 nose = rut_mat3_apply_transposed(level, rut_mat3_apply(axes, rut_vec3(1, 0, 0)));
  rut_vec3_put(centre, out->centre);
  memcpy(out->size, box->size, sizeof out->size);
  out->rotation_y = rut_atan2(-nose.z, nose.x);
  out->alpha = wrapped(out->rotation_y - rut_atan2(centre.x, centre.z));
  Solid solid = {.centre = rut_mat3_apply_transposed(optical, from),
                 .half = {0.5 * box->size[0], 0.5 * box->size[1], 0.5 * box->size[2]}};
  for (int i = 0; i < 3; i++) {
    const rutVec3 axis = rut_mat3_apply(axes, rut_vec3(i == 0, i == 1, i == 2));
    const rutVec3 column = rut_mat3_apply_transposed(optical, axis);
    solid.axes.m[i] = column.x;
    solid.axes.m[3 + i] = column.y;
    solid.axes.m[6 + i] = column.z;
  }
  return solid;
}

static void add_box(const rutModel* model, const rutData* data, const rutImages* images,
                    rutLabel* out) {
  rutInstanceBox box;
  if (!rut_instance_box(model, data, out->instance, &box)) return;
  const Solid solid = place_box(&box, images->pose, out);
  project_edges(&images->camera, &solid, out);
  out->has_box = out->low[0] <= out->high[0];
  if (!out->has_box) {
    const rutLabel seen = *out;
    *out = (rutLabel){.instance = seen.instance,
                      .semantic_class = seen.semantic_class,
                      .pixels = seen.pixels,
                      .first = {seen.first[0], seen.first[1]},
                      .last = {seen.last[0], seen.last[1]}};
    return;
  }
  double low[2], high[2];
  cut_to_image(&images->camera, out, low, high);
  const double whole = area(out->low, out->high);
  out->truncation = whole > 0 ? 1 - area(low, high) / whole : 0;
  out->occlusion = occlusion_of(images, &solid, out);
}

// ---- pixels ----

static const void* image_of(const rutModel* model, const rutData* data, int sensor,
                            const char* output, double* stamp) {
  const int n = rut_sensor_info(model, sensor).outputs;
  for (int i = 0; i < n; i++) {
    const rutVariableInfo v = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    if (strcmp(v.name, output) == 0) return rut_sensor_output(model, data, sensor, i, stamp);
  }
  return NULL;
}

rutStatus rut_images_find(const rutModel* model, const rutData* data, int sensor, rutImages* out,
                          rutError* err) {
  *out = (rutImages){.stamp = -1};
  if (!rut_camera_geometry(model, sensor, &out->camera)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "sensor %d is no camera", sensor);
  }
  out->depth = image_of(model, data, sensor, "depth", NULL);
  out->seen = image_of(model, data, sensor, "class", NULL);
  out->instance = image_of(model, data, sensor, "instance", &out->stamp);
  rut_sensor_pose(model, data, sensor, out->pose);
  if (out->depth && out->seen && out->instance && out->stamp >= 0) return RUT_OK;
  return rut_error_set(err, RUT_ERR_ARGUMENT, "camera '%s' has no sample yet",
                       rut_sensor_info(model, sensor).name);
}

// Boyer and Moore's vote (1981): the class that has the majority of an instance's pixels, if one
// has it.
static void count_pixel(rutLabel* label, int* votes, int seen, int column, int row) {
  const int at[2] = {column, row};
  if (*votes == 0) label->semantic_class = seen;
  *votes += label->semantic_class == seen ? 1 : -1;
  for (int k = 0; k < 2; k++) {
    if (label->pixels == 0 || at[k] < label->first[k]) label->first[k] = at[k];
    if (label->pixels == 0 || at[k] > label->last[k]) label->last[k] = at[k];
  }
  label->pixels++;
}

static void count_pixels(const rutImages* images, int instances, rutLabel* label, int* votes) {
  for (int row = 0; row < images->camera.height; row++) {
    for (int column = 0; column < images->camera.width; column++) {
      const int at = row * images->camera.width + column, i = images->instance[at];
      if (i >= 0 && i < instances) count_pixel(&label[i], &votes[i], images->seen[at], column, row);
    }
  }
}

rutStatus rut_labels_read(const rutModel* model, const rutData* data, int sensor, rutLabels* out,
                          rutError* err) {
  rutImages images;
  *out = (rutLabels){0};
  const rutStatus status = rut_images_find(model, data, sensor, &images, err);
  if (status != RUT_OK) return status;
  const int instances = rut_instance_count(model);
  rutLabel* label = calloc((size_t)instances + 1, sizeof *label);
  int* votes = calloc((size_t)instances + 1, sizeof *votes);
  if (!label || !votes) {
    free(label);
    free(votes);
    return rut_error_set(err, RUT_ERR_MEMORY, "no memory for labels");
  }
  count_pixels(&images, instances, label, votes);
  for (int i = 0; i < instances; i++) {
    if (label[i].pixels == 0) continue;
    label[i].instance = i;
    add_box(model, data, &images, &label[i]);
    label[out->n++] = label[i];
  }
  free(votes);
  out->label = label;
  return RUT_OK;
}
