// SPDX-License-Identifier: BSD-3-Clause
//
// A frame of KITTI's object benchmark (Geiger, Lenz, Urtasun 2012, and its development kit):
// training/image_2, label_2, calib, velodyne. Its rectified axes are the level ones of labels: x
// right, y straight down, z ahead. Pixel centres are whole numbers there.
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/units.h"
#include "host/dataset.h"
#include "math/quat.h"

#define IMAGES "training/image_2"
#define CALIB  "training/calib"
#define POINTS "training/velodyne"

// A space and a number of so many significant digits.
static void put_number(rutBytes* bytes, double value, int digits) {
  char text[RUT_NUMBER_SIZE];
  rut_bytes_u8(bytes, ' ');
  // 0 without a sign
  rut_bytes_put(bytes, text, rut_write_number(value == 0 ? 0 : value, digits, text));
}

// ---- calibration ----

static void put_matrix(rutBytes* bytes, const char* name, int n, const double* value) {
  enum { DIGITS = 13 };
  rut_dataset_print(bytes, "%s:", name);
  for (int i = 0; i < n; i++) put_number(bytes, value[i], DIGITS);
  rut_bytes_u8(bytes, '\n');
}

// P = K R^T [I 0], R being the rotation from optical to rectified axes: the picture is that of the
// camera itself, whatever its pitch and roll.
static void project_rectified(const rutCameraGeometry* camera, const double to_optical[9],
                              double p[12]) {
  const double f = camera->focal, x = camera->cx - 0.5, y = camera->cy - 0.5;
  for (int k = 0; k < 3; k++) {
    const double ahead = to_optical[6 + k];
    p[k] = f * to_optical[k] + x * ahead;
    p[4 + k] = f * to_optical[3 + k] + y * ahead;
    p[8 + k] = ahead;
  }
  p[3] = p[7] = p[11] = 0;
}

// Pose of a sensor's axes in those of another: the rotation by rows with the origin as last column.
static void relate(const double from[6], const double to[6], double out[12]) {
  const rutMat3 a = rut_mat3_of_rpy(from[3], from[4], from[5]);
  const rutMat3 b = rut_mat3_of_rpy(to[3], to[4], to[5]);
  const rutVec3 offset = rut_vec3_add_scaled(rut_vec3_of(from), -1, rut_vec3_of(to));
  const rutVec3 column[4] = {rut_mat3_apply_transposed(b, rut_mat3_apply(a, rut_vec3(1, 0, 0))),
                             rut_mat3_apply_transposed(b, rut_mat3_apply(a, rut_vec3(0, 1, 0))),
                             rut_mat3_apply_transposed(b, rut_mat3_apply(a, rut_vec3(0, 0, 1))),
                             rut_mat3_apply_transposed(b, offset)};
  for (int k = 0; k < 4; k++) {
    // from the axes of a sensor (x ahead, y left, z up) to optical ones
    out[k] = -column[k].y;
    out[4 + k] = -column[k].z;
    out[8 + k] = column[k].x;
  }
}

static void put_calibration(const rutDatasetFrame* frame, rutBytes* bytes) {
  static const double no_motion[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  const rutDatasetDef* def = frame->def;
  double to_optical[9], to_level[9], p[12], velodyne[12], pose[6];
  rut_camera_level(frame->model, frame->data, def->camera, to_optical);
  for (int i = 0; i < 9; i++) to_level[i] = to_optical[i % 3 * 3 + i / 3];
  project_rectified(&frame->images.camera, to_optical, p);
  memcpy(pose, frame->images.pose, sizeof pose);
  if (def->lidar >= 0) rut_sensor_pose(frame->model, frame->data, def->lidar, pose);
  relate(pose, frame->images.pose, velodyne);
  static const char* const cameras[] = {"P0", "P1", "P2", "P3"};
  for (int i = 0; i < 4; i++) put_matrix(bytes, cameras[i], 12, p);
  put_matrix(bytes, "R0_rect", 9, to_level);
  put_matrix(bytes, "Tr_velo_to_cam", 12, velodyne);
  put_matrix(bytes, "Tr_imu_to_velo", 12, no_motion);
}

// ---- labels ----

// Type by the semantic class: a type of the kit by its name, a car for vehicles, else Misc.
static const char* type_of(const char* class_name) {
  static const char* const types[][2] = {{"car", "Car"},
                                         {"vehicle", "Car"},
                                         {"van", "Van"},
                                         {"truck", "Truck"},
                                         {"pedestrian", "Pedestrian"},
                                         {"person", "Pedestrian"},
                                         {"cyclist", "Cyclist"},
                                         {"tram", "Tram"},
                                         {"person_sitting", "Person_sitting"}};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    if (strcmp(class_name, types[i][0]) == 0 || strcmp(class_name, types[i][1]) == 0) {
      return types[i][1];
    }
  }
  return "Misc";
}

// 0 seen as a whole, 1 partly hidden, 2 largely: here by more than a tenth, and more than half.
static int level_of(double occlusion) { return occlusion > 0.5 ? 2 : occlusion > 0.1 ? 1 : 0; }

static void put_label(const rutDatasetFrame* frame, const rutLabel* l, rutBytes* bytes) {
  enum { DIGITS = 7 };
  const double size[2] = {frame->images.camera.width, frame->images.camera.height};
  double box[4];
  // the first pixel is from -0.5 to 0.5; boxes are cut at the middles of the outermost ones, as
  // those of KITTI are
  for (int k = 0; k < 2; k++) {
    const double low = frame->def->corners ? l->low[k] : l->first[k];
    const double high = frame->def->corners ? l->high[k] : l->last[k] + 1;
    box[k] = rut_clamp(low - 0.5, 0, size[k] - 1);
    box[2 + k] = rut_clamp(high - 0.5, 0, size[k] - 1);
  }
  rut_dataset_print(bytes, "%s", type_of(rut_class_name(frame->model, l->semantic_class)));
  put_number(bytes, l->truncation, DIGITS);
  rut_dataset_print(bytes, " %d", level_of(l->occlusion));
  put_number(bytes, l->alpha, DIGITS);
  for (int k = 0; k < 4; k++) put_number(bytes, box[k], DIGITS);
  for (int k = 3; k-- > 0;) put_number(bytes, l->size[k], DIGITS);
  put_number(bytes, l->centre[0], DIGITS);
  put_number(bytes, l->centre[1] + 0.5 * l->size[2], DIGITS);
  put_number(bytes, l->centre[2], DIGITS);
  put_number(bytes, l->rotation_y, DIGITS);
  rut_bytes_u8(bytes, '\n');
}

// ---- points ----

static void put_f32(rutBytes* bytes, double value) {
  const float number = (float)value;
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  rut_bytes_u32(bytes, bits);
}

// Returns, in the lidar's axes: x y z, and the intensity up to 1.
static rutStatus put_points(const rutDatasetFrame* frame, rutBytes* bytes, rutError* err) {
  static const char* const names[] = {"x", "y", "z", "range", "intensity"};
  enum { X, Y, Z, RANGE, INTENSITY, FIELDS };
  static const double SAME = 1e-9;  // [s]
  const rutModel* model = frame->model;
  const int lidar = frame->def->lidar;
  const rutSensorInfo info = rut_sensor_info(model, lidar);
  const void* field[FIELDS] = {NULL};
  double stamp = -1;
  int n = 0;
  for (int i = 0; i < info.outputs; i++) {
    const rutVariableInfo v = rut_variable(model, RUT_SENSOR, lidar, RUT_OUTPUT, i);
    for (int k = 0; k < FIELDS; k++) {
      if (strcmp(v.name, names[k]) != 0) continue;
      field[k] = rut_sensor_output(model, frame->data, lidar, i, &stamp);
      n = v.count;
    }
  }
  if (info.form != RUT_FORM_POINT_CLOUD || !(rut_abs(stamp - frame->images.stamp) < SAME)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "sensor '%s' has no point cloud of the time of the image, %g s", info.name,
                         frame->images.stamp);
  }
  const double *x = field[X], *y = field[Y], *z = field[Z], *range = field[RANGE];
  const float* intensity = field[INTENSITY];
  for (int i = 0; i < n; i++) {
    if (range[i] < 0) continue;
    put_f32(bytes, x[i]);
    put_f32(bytes, y[i]);
    put_f32(bytes, z[i]);
    put_f32(bytes, rut_clamp((double)intensity[i], 0, 1));
  }
  return RUT_OK;
}

// ---- the frame ----

static rutStatus check_lens(const rutDatasetFrame* frame, rutError* err) {
  const rutCameraGeometry* c = &frame->images.camera;
  bool plain = c->lens == RUT_LENS_PERSPECTIVE;
  for (int i = 0; i < 5; i++) plain = plain && c->distortion[i] == 0;
  if (plain) return RUT_OK;
  return rut_error_set(err, RUT_ERR_ARGUMENT,
                       "camera '%s': images of KITTI have no distortion: use a perspective lens "
                       "without any, or COCO",
                       rut_sensor_info(frame->model, frame->def->camera).name);
}

rutStatus rut_dataset_put_kitti(const rutDatasetFrame* frame, rutError* err) {
  const rutDatasetDef* def = frame->def;
  const bool lidar = def->lidar >= 0;
  rutBytes points = {0}, calibration = {0}, labels = {0};
  rutStatus status = check_lens(frame, err);
  if (status == RUT_OK) status = rut_dataset_folder(def, IMAGES, err);
  if (status == RUT_OK) status = rut_dataset_folder(def, CALIB, err);
  if (status == RUT_OK) status = rut_dataset_folder(def, RUT_KITTI_LABELS, err);
  if (status == RUT_OK && lidar) status = rut_dataset_folder(def, POINTS, err);
  if (status == RUT_OK && lidar) status = put_points(frame, &points, err);
  if (status == RUT_OK && lidar) status = rut_dataset_save(frame, POINTS, ".bin", &points, err);
  if (status == RUT_OK) status = rut_dataset_picture(frame, IMAGES, err);
  if (status == RUT_OK) {
    put_calibration(frame, &calibration);
    status = rut_dataset_save(frame, CALIB, ".txt", &calibration, err);
  }
  if (status == RUT_OK) {
    for (int i = 0; i < frame->labels; i++) put_label(frame, &frame->label[i], &labels);
    status = rut_dataset_save(frame, RUT_KITTI_LABELS, ".txt", &labels, err);
  }
  rut_bytes_free(&points);
  return status;
}
