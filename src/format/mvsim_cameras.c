// SPDX-License-Identifier: BSD-3-Clause
//
// Cameras of MVSim. It gives the pose of what sees colours in optical axes, z ahead and y down, and
// that of what sees depth with x ahead.
#include <stdio.h>
#include <string.h>

#include "format/mvsim_load.h"
#include "math/vec.h"

static const rutMvsimRow camera_rows[] = {
    RUT_MVSIM_ROW_NUMBER("sensor_period", "period"),
    RUT_MVSIM_ROW_NUMBER("clip_min", "min_range"),
    RUT_MVSIM_ROW_NUMBER("clip_max", "max_range"),
    RUT_MVSIM_ROW("ignore_parent_body", RUT_MVSIM_BOOLEAN, "ignore_parent"),
    RUT_MVSIM_ROW_CODE("ncols"),
    RUT_MVSIM_ROW_CODE("nrows"),
    RUT_MVSIM_ROW_CODE("cx"),
    RUT_MVSIM_ROW_CODE("cy"),
    RUT_MVSIM_ROW_CODE("fx"),
    RUT_MVSIM_ROW_CODE("fy"),
    RUT_MVSIM_ROW_CODE("pose"),
    RUT_MVSIM_ROW_CODE("pose_3d"),
    RUT_MVSIM_ROW_CODE("publish"),
    RUT_MVSIM_ROW_CODE("visual"),
};
static const rutMvsimTable camera_table = RUT_MVSIM_TABLE("sensor", camera_rows);

// What both cameras of an rgbd_camera have; then that of depth, and that of colour.
#define RGBD_ROWS                                                                                  \
  RUT_MVSIM_ROW_NUMBER("sensor_period", "period"),                                                 \
      RUT_MVSIM_ROW("ignore_parent_body", RUT_MVSIM_BOOLEAN, "ignore_parent"),                     \
      RUT_MVSIM_ROW_CODE("sense_depth"), RUT_MVSIM_ROW_CODE("sense_rgb"),                          \
      RUT_MVSIM_ROW_CODE("relativePoseIntensityWRTDepth"), RUT_MVSIM_ROW_CODE("depth_ncols"),      \
      RUT_MVSIM_ROW_CODE("depth_nrows"), RUT_MVSIM_ROW_CODE("depth_cx"),                           \
      RUT_MVSIM_ROW_CODE("depth_cy"), RUT_MVSIM_ROW_CODE("depth_fx"),                              \
      RUT_MVSIM_ROW_CODE("depth_fy"), RUT_MVSIM_ROW_CODE("rgb_ncols"),                             \
      RUT_MVSIM_ROW_CODE("rgb_nrows"), RUT_MVSIM_ROW_CODE("rgb_cx"), RUT_MVSIM_ROW_CODE("rgb_cy"), \
      RUT_MVSIM_ROW_CODE("rgb_fx"), RUT_MVSIM_ROW_CODE("rgb_fy"),                                  \
      RUT_MVSIM_ROW_CODE("show_3d_pointcloud"), RUT_MVSIM_ROW_CODE("publish_ros_depth_image"),     \
      RUT_MVSIM_ROW_CODE("publish_ros_colored_pointcloud"), RUT_MVSIM_ROW_CODE("pose"),            \
      RUT_MVSIM_ROW_CODE("pose_3d"), RUT_MVSIM_ROW_CODE("publish"), RUT_MVSIM_ROW_CODE("visual")
static const rutMvsimRow depth_rows[] = {
    RGBD_ROWS,
    RUT_MVSIM_ROW_NUMBER("depth_clip_min", "min_range"),
    RUT_MVSIM_ROW_NUMBER("depth_clip_max", "max_range"),
    RUT_MVSIM_ROW_NUMBER("depth_resolution", "depth_step"),
    RUT_MVSIM_ROW_NUMBER("depth_noise_sigma", "depth_noise"),
    RUT_MVSIM_ROW_CODE("rgb_clip_min"),
    RUT_MVSIM_ROW_CODE("rgb_clip_max"),
};
static const rutMvsimTable depth_table = RUT_MVSIM_TABLE("sensor", depth_rows);
static const rutMvsimRow colour_rows[] = {
    RGBD_ROWS,
    RUT_MVSIM_ROW_NUMBER("rgb_clip_min", "min_range"),
    RUT_MVSIM_ROW_NUMBER("rgb_clip_max", "max_range"),
    RUT_MVSIM_ROW_CODE("depth_clip_min"),
    RUT_MVSIM_ROW_CODE("depth_clip_max"),
    RUT_MVSIM_ROW_CODE("depth_resolution"),
    RUT_MVSIM_ROW_CODE("depth_noise_sigma"),
};
static const rutMvsimTable colour_table = RUT_MVSIM_TABLE("sensor", colour_rows);

// ---- lenses ----

// Number in a child `prefix` `tag`, or what it is without one.
static double number_of(rutMvsim* load, const rutMvsimItems* items, const char* prefix,
                        const char* tag, double otherwise) {
  char name[40], label[RUT_MVSIM_LABEL];
  snprintf(name, sizeof name, "%s%s", prefix, tag);
  const rutMvsimItem item = rut_mvsim_first(items, name);
  const char* text = item.element ? rut_mvsim_text(load, item) : NULL;
  if (!text) return otherwise;
  rut_mvsim_label(item, label);
  rut_mvsim_number(load, text, rut_mvsim_place(item), label, &otherwise);
  return otherwise;
}

// A pinhole with square pixels, without the noise that MVSim's images do not have either.
static void read_lens(rutMvsim* load, const rutMvsimItems* items, const char* prefix, rutNode node,
                      rutPlace place) {
  const double width = number_of(load, items, prefix, "ncols", 640);
  const double height = number_of(load, items, prefix, "nrows", 480);
  const double focal = number_of(load, items, prefix, "fx", 400);
  const double cx = number_of(load, items, prefix, "cx", 320);
  const double cy = number_of(load, items, prefix, "cy", 240);
  const double across = number_of(load, items, prefix, "fy", focal);
  if (!(focal > 0)) {
    rut_mvsim_error(load, place, "<fx>", RUT_ERR_MODEL, "in pixels, <fx>400</fx>",
                    "must be above 0, not %g", focal);
    return;
  }
  if (across != focal) {
    rut_mvsim_warn(load, place, "<fy>", NULL, "pixels are square here: fx = %g counts, not fy = %g",
                   focal, across);
  }
  rut_mvsim_set(load, node, "width", width, place);
  rut_mvsim_set(load, node, "height", height, place);
  rut_mvsim_set(load, node, "fov", 2 * rut_atan(0.5 * width / focal), place);
  rut_mvsim_set(load, node, "offset_x", cx - 0.5 * width, place);
  rut_mvsim_set(load, node, "offset_y", cy - 0.5 * height, place);
  rut_mvsim_set(load, node, "read_noise", 0, place);
  rut_mvsim_set(load, node, "full_well", 1e9, place);
}

// ---- poses ----

typedef struct Mount {
  rutVec3 place;
  rutMat3 axes;
} Mount;

// x y z [m], yaw pitch roll [deg].
static Mount mount_of(const double p[6]) {
  const double unit = RUT_MVSIM_DEGREE;
  return (Mount){rut_vec3_of(p), rut_mat3_of_rpy(p[5] * unit, p[4] * unit, p[3] * unit)};
}

// With x ahead, y left, z up in place of optical axes: z ahead, x right, y down.
static Mount from_optical(Mount m) {
  static const rutMat3 own = {{0, -1, 0, 0, 0, -1, 1, 0, 0}};
  return (Mount){m.place, rut_mat3_mul(m.axes, own)};
}

static void set_mount(rutMvsim* load, rutNode node, Mount m, rutPlace place) {
  static const char* const field[6] = {"x", "y", "z", "roll", "pitch", "yaw"};
  double value[6];
  rut_vec3_put(m.place, value);
  rut_vec3_put(rut_mat3_rpy(m.axes), value + 3);
  for (int i = 0; i < 6; i++) rut_mvsim_set(load, node, field[i], value[i], place);
}

// ---- the cameras ----

// What MVSim's cameras have without being told.
static void set_standard(rutMvsim* load, rutNode node, double min_range, double max_range) {
  rut_node_set_number(load->spec, node, "min_range", min_range, NULL);
  rut_node_set_number(load->spec, node, "max_range", max_range, NULL);
  rut_node_set_number(load->spec, node, "ignore_parent", 0, NULL);
}

void rut_mvsim_read_camera(rutMvsim* load, const rutMvsimItems* items, rutNode node,
                           rutPlace place) {
  double pose[6];
  set_standard(load, node, 0.01, 1e4);
  rut_mvsim_apply(load, &camera_table, items, node);
  read_lens(load, items, "", node, place);
  const rutPlace from = rut_mvsim_mount(load, items, place, 0, pose);
  set_mount(load, node, from_optical(mount_of(pose)), from);
  rut_mvsim_mount_visuals(load, items, node);
}

static bool senses(rutMvsim* load, const rutMvsimItems* items, const char* tag) {
  const rutMvsimItem item = rut_mvsim_first(items, tag);
  const char* text = item.element ? rut_mvsim_text(load, item) : NULL;
  char label[RUT_MVSIM_LABEL];
  bool value = true;
  if (!text) return true;
  rut_mvsim_label(item, label);
  return !rut_mvsim_boolean(load, text, rut_mvsim_place(item), label, &value) || value;
}

static void fill_depth(rutMvsim* load, const rutMvsimItems* items, rutNode node, Mount mount,
                       rutPlace place) {
  set_standard(load, node, 0.1, 15);
  rut_node_set_number(load->spec, node, "depth_step", 1e-3, NULL);
  rut_node_set_number(load->spec, node, "depth_noise", 1e-3, NULL);
  rut_node_set_number(load->spec, node, "render", 0, NULL);
  rut_mvsim_apply(load, &depth_table, items, node);
  read_lens(load, items, "depth_", node, place);
  set_mount(load, node, mount, place);
}

static void fill_colour(rutMvsim* load, const rutMvsimItems* items, rutNode node, Mount depth,
                        rutPlace place) {
  double offset[6] = {0, 0, 0, -90, 0, -90};
  char label[RUT_MVSIM_LABEL];
  const rutMvsimItem item = rut_mvsim_first(items, "relativePoseIntensityWRTDepth");
  const char* text = item.element ? rut_mvsim_text(load, item) : NULL;
  if (text) {
    rut_mvsim_label(item, label);
    const rutMvsimForm form = {"x y z yaw pitch roll", 6, 6};
    rut_mvsim_numbers(load, text, rut_mvsim_place(item), label, form, offset);
  }
  const Mount relative = mount_of(offset);
  const Mount mount = {rut_vec3_add(depth.place, rut_mat3_apply(depth.axes, relative.place)),
                       rut_mat3_mul(depth.axes, relative.axes)};
  set_standard(load, node, 0.01, 1e4);
  rut_mvsim_apply(load, &colour_table, items, node);
  read_lens(load, items, "rgb_", node, place);
  set_mount(load, node, from_optical(mount), place);
}

void rut_mvsim_read_rgbd_camera(rutMvsim* load, const rutMvsimItems* items, rutNode node,
                                rutPlace place) {
  double pose[6];
  char name[RUT_MVSIM_LABEL];
  const rutPlace from = rut_mvsim_mount(load, items, place, 0, pose);
  const Mount mount = mount_of(pose);
  const bool depth = senses(load, items, "sense_depth"), colour = senses(load, items, "sense_rgb");
  rutNode second = node;
  if (depth && colour) {
    snprintf(name, sizeof name, "%.80s_rgb", rut_node_name(load->spec, node));
    const rutNode parent = rut_node_parent(load->spec, node);
    second = rut_mvsim_add(load, parent, "sensor", "camera", name, place);
    if (rut_node_is_null(second)) return;
  }
  if (depth || !colour) fill_depth(load, items, node, mount, from);
  if (colour) fill_colour(load, items, second, mount, from);
  rut_mvsim_mount_visuals(load, items, node);
}
