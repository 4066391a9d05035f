// SPDX-License-Identifier: BSD-3-Clause
//
// <sensor>, of a vehicle or of the world; cameras are in mvsim_cameras.c.
#include <stdio.h>
#include <string.h>

#include "format/mvsim_load.h"
#include "math/rut_math.h"

// Rows viz_* are about MVSim's window.
static const rutMvsimRow laser_rows[] = {
    RUT_MVSIM_ROW_NUMBER("sensor_period", "period"),
    RUT_MVSIM_ROW_DEGREES("fov_degrees", "fov"),
    RUT_MVSIM_ROW("nrays", RUT_MVSIM_INTEGER, "rays"),
    RUT_MVSIM_ROW_NUMBER("max_range", "max_range"),
    RUT_MVSIM_ROW_NUMBER("range_std_noise", "range_noise"),
    RUT_MVSIM_ROW_DEGREES("angle_std_noise_deg", "angle_noise"),
    RUT_MVSIM_ROW("bodies_visible", RUT_MVSIM_BOOLEAN, "bodies_visible"),
    RUT_MVSIM_ROW_CODE("pose"),
    RUT_MVSIM_ROW_CODE("pose_3d"),
    RUT_MVSIM_ROW_CODE("height"),
    RUT_MVSIM_ROW_CODE("raytrace_3d"),
    RUT_MVSIM_ROW_CODE("ignore_parent_body"),
    RUT_MVSIM_ROW_CODE("publish"),
    RUT_MVSIM_ROW_CODE("visual"),
    RUT_MVSIM_ROW_CODE("viz_pointSize"),
    RUT_MVSIM_ROW_CODE("viz_visiblePlane"),
    RUT_MVSIM_ROW_CODE("viz_visibleLines"),
    RUT_MVSIM_ROW_CODE("viz_visiblePoints"),
    RUT_MVSIM_ROW_CODE("viz_pointsColor"),
    RUT_MVSIM_ROW_CODE("viz_planeColor"),
};
static const rutMvsimTable laser_table = RUT_MVSIM_TABLE("sensor", laser_rows);

// Factors of resolution and limits of interpolation are of MVSim's depth images: rays need none.
static const rutMvsimRow lidar_rows[] = {
    RUT_MVSIM_ROW_NUMBER("sensor_period", "period"),
    RUT_MVSIM_ROW("vert_nrays", RUT_MVSIM_INTEGER, "channels"),
    RUT_MVSIM_ROW("horz_nrays", RUT_MVSIM_INTEGER, "columns"),
    RUT_MVSIM_ROW_NUMBER("min_range", "min_range"),
    RUT_MVSIM_ROW_NUMBER("max_range", "max_range"),
    RUT_MVSIM_ROW_NUMBER("range_std_noise", "range_noise"),
    RUT_MVSIM_ROW("ignore_parent_body", RUT_MVSIM_BOOLEAN, "ignore_parent"),
    RUT_MVSIM_ROW_CODE("vert_fov_degrees"),
    RUT_MVSIM_ROW_CODE("vertical_ray_angles"),
    RUT_MVSIM_ROW_CODE("pose"),
    RUT_MVSIM_ROW_CODE("pose_3d"),
    RUT_MVSIM_ROW_CODE("publish"),
    RUT_MVSIM_ROW_CODE("visual"),
    RUT_MVSIM_ROW_CODE("horz_resolution_factor"),
    RUT_MVSIM_ROW_CODE("vert_resolution_factor"),
    RUT_MVSIM_ROW_CODE("max_vert_relative_depth_to_interpolate"),
    RUT_MVSIM_ROW_CODE("max_horz_relative_depth_to_interpolate"),
    RUT_MVSIM_ROW_CODE("generate_intensity"),
    RUT_MVSIM_ROW_CODE("viz_pointSize"),
};
static const rutMvsimTable lidar_table = RUT_MVSIM_TABLE("sensor", lidar_rows);

static const rutMvsimRow gnss_rows[] = {
    RUT_MVSIM_ROW_NUMBER("sensor_period", "period"),
    RUT_MVSIM_ROW_NUMBER("horizontal_std_noise", "single_horizontal"),
    RUT_MVSIM_ROW_NUMBER("vertical_std_noise", "single_vertical"),
    RUT_MVSIM_ROW_CODE("pose"),
    RUT_MVSIM_ROW_CODE("pose_3d"),
    RUT_MVSIM_ROW_CODE("publish"),
    RUT_MVSIM_ROW_CODE("visual"),
};
static const rutMvsimTable gnss_table = RUT_MVSIM_TABLE("sensor", gnss_rows);

// MVSim gives each axis of a sample white noise of a standard deviation, whatever the period, and a
// random walk of the bias in unit/sqrt(s) (https://github.com/MRPT/mvsim, IMU.cpp).
static const rutMvsimRow imu_rows[] = {
    RUT_MVSIM_ROW_NUMBER("sensor_period", "period"),
    RUT_MVSIM_ROW_CODE("angular_velocity_std_noise"),
    RUT_MVSIM_ROW_CODE("angular_velocity_white_noise_std_noise"),
    RUT_MVSIM_ROW_CODE("linear_acceleration_std_noise"),
    RUT_MVSIM_ROW_CODE("linear_acceleration_white_noise_std_noise"),
    RUT_MVSIM_ROW_NUMBER("angular_velocity_random_walk_std_noise", "gyro_random_walk"),
    RUT_MVSIM_ROW_NUMBER("linear_acceleration_random_walk_std_noise", "accelerometer_random_walk"),
    RUT_MVSIM_ROW("measure_orientation", RUT_MVSIM_BOOLEAN, "measure_orientation"),
    RUT_MVSIM_ROW_NUMBER("orientation_std_noise", "orientation_noise"),
    RUT_MVSIM_ROW_CODE("pose"),
    RUT_MVSIM_ROW_CODE("pose_3d"),
    RUT_MVSIM_ROW_CODE("publish"),
    RUT_MVSIM_ROW_CODE("visual"),
};
static const rutMvsimTable imu_table = RUT_MVSIM_TABLE("sensor", imu_rows);

static void read_pose(rutMvsim* load, const rutMvsimItems* items, rutNode node, rutPlace place,
                      double z) {
  static const char* const field[6] = {"x", "y", "z", "yaw", "pitch", "roll"};
  double p[6];
  place = rut_mvsim_mount(load, items, place, z, p);
  for (int i = 0; i < 6; i++) {
    rut_mvsim_set(load, node, field[i], i < 3 ? p[i] : p[i] * RUT_MVSIM_DEGREE, place);
  }
}

// Truth value of a child; false if absent or wrong.
static bool child_is_true(rutMvsim* load, const rutMvsimItems* items, const char* tag,
                          rutMvsimItem* item) {
  *item = rut_mvsim_first(items, tag);
  const char* text = item->element ? rut_mvsim_text(load, *item) : NULL;
  bool value = false;
  char label[RUT_MVSIM_LABEL];
  if (!text) return false;
  rut_mvsim_label(*item, label);
  return rut_mvsim_boolean(load, text, rut_mvsim_place(*item), label, &value) && value;
}

static void read_laser(rutMvsim* load, const rutMvsimItems* items, rutNode node, rutPlace place) {
  const double height = 0.05;  // of MVSim's laser, unless told otherwise [m]
  rut_mvsim_apply(load, &laser_table, items, node);
  read_pose(load, items, node, place, height);
  rutMvsimItem item;
  // MVSim's planar rays stay level and pass over the ground, unless it draws the scene for them
  if (!child_is_true(load, items, "raytrace_3d", &item)) {
    rut_node_set_number(load->spec, node, "stabilised", 1, NULL);
    rut_node_set_number(load->spec, node, "ground_visible", 0, NULL);
  }
  // unless told to, a laser does not see its carrier: MVSim's planar rays never do
  item = rut_mvsim_first(items, "ignore_parent_body");
  if (item.element && !child_is_true(load, items, "ignore_parent_body", &item)) {
    rut_node_set_number(load->spec, node, "ignore_parent", 0, NULL);
  }
  rut_mvsim_mount_visuals(load, items, node);
}

// Elevations of a lidar, in degrees: a list, or even from -fov/2 to fov/2.
static void read_elevations(rutMvsim* load, const rutMvsimItems* items, rutNode node) {
  enum { MOST = 128 };
  double fov = 30, list[MOST];
  char label[RUT_MVSIM_LABEL];
  rutMvsimItem item = rut_mvsim_first(items, "vert_fov_degrees");
  const char* text = item.element ? rut_mvsim_text(load, item) : NULL;
  if (text) {
    rut_mvsim_label(item, label);
    rut_mvsim_number(load, text, rut_mvsim_place(item), label, &fov);
  }
  const double edge = 0.5 * fov * RUT_MVSIM_DEGREE;
  rut_node_set_number(load->spec, node, "elevation_first", -edge, NULL);
  rut_node_set_number(load->spec, node, "elevation_last", edge, NULL);
  item = rut_mvsim_first(items, "vertical_ray_angles");
  text = item.element ? rut_mvsim_text(load, item) : NULL;
  if (!text) return;
  rut_mvsim_label(item, label);
  const rutMvsimForm form = {"angles in degrees", 1, MOST};
  const int n = rut_mvsim_numbers(load, text, rut_mvsim_place(item), label, form, list);
  if (n < 1) return;
  for (int i = 0; i < n; i++) list[i] *= RUT_MVSIM_DEGREE;
  rut_mvsim_set_numbers(load, node, "elevations", n, list, rut_mvsim_place(item));
  rut_mvsim_set(load, node, "channels", n, rut_mvsim_place(item));
}

// MVSim measures all ranges at once, whatever the surface, and sees the carrier unless told not to.
static void read_lidar(rutMvsim* load, const rutMvsimItems* items, rutNode node, rutPlace place) {
  static const struct {
    const char* field;
    double value;
  } standard[] = {{"columns", 180},   {"min_range", 0.01}, {"max_range", 80}, {"range_noise", 0.01},
                  {"rated_range", 0}, {"rolling", 0},      {"clockwise", 0},  {"ignore_parent", 0}};
  for (int i = 0; i < RUT_COUNT_OF(standard); i++) {
    rut_node_set_number(load->spec, node, standard[i].field, standard[i].value, NULL);
  }
  rut_mvsim_apply(load, &lidar_table, items, node);
  read_elevations(load, items, node);
  read_pose(load, items, node, place, 0);
  rut_mvsim_mount_visuals(load, items, node);
}

// MVSim's errors have no memory, and its satellites are never hidden.
static void read_gnss(rutMvsim* load, const rutMvsimItems* items, rutNode node, rutPlace place) {
  rut_node_set(load->spec, node, "preset", "mvsim", NULL);
  rut_mvsim_apply(load, &gnss_table, items, node);
  read_pose(load, items, node, place, 0);
  rut_mvsim_mount_visuals(load, items, node);
}

// Noise density of a standard deviation of each sample, which one of two tags gives.
static void read_white_noise(rutMvsim* load, const rutMvsimItems* items, rutNode node,
                             const char* const tag[2], const char* field, double deviation) {
  for (int i = 0; i < items->n; i++) {
    const rutMvsimItem item = items->item[i];
    const char* name = item.element->name;
    if (strcmp(name, tag[0]) != 0 && strcmp(name, tag[1]) != 0) continue;
    char label[RUT_MVSIM_LABEL];
    const char* text = rut_mvsim_text(load, item);
    rut_mvsim_label(item, label);
    if (text) rut_mvsim_number(load, text, rut_mvsim_place(item), label, &deviation);
  }
  const double period = rut_node_number(load->spec, node, "period");
  rut_node_set_number(load->spec, node, field, deviation * rut_sqrt(period), NULL);
}

static void read_imu(rutMvsim* load, const rutMvsimItems* items, rutNode node, rutPlace place) {
  static const char* const rate[] = {"angular_velocity_std_noise",
                                     "angular_velocity_white_noise_std_noise"};
  static const char* const force[] = {"linear_acceleration_std_noise",
                                      "linear_acceleration_white_noise_std_noise"};
  rut_node_set(load->spec, node, "preset", "mvsim", NULL);
  rut_mvsim_apply(load, &imu_table, items, node);
  // MVSim's defaults [rad/s], [m/s2]
  read_white_noise(load, items, node, rate, "gyro_noise_density", 2e-4);
  read_white_noise(load, items, node, force, "accelerometer_noise_density", 0.017);
  read_pose(load, items, node, place, 0);
  rut_mvsim_mount_visuals(load, items, node);
}

// Classes of sensors: their names, what MVSim calls one without a name, its type here and reader.
typedef struct SensorClass {
  const char *name, *prefix, *type;
  void (*read)(rutMvsim* load, const rutMvsimItems* items, rutNode node, rutPlace place);
} SensorClass;
static const SensorClass classes[] = {
    {"laser", "laser", "laser", read_laser},
    {"lidar3d", "lidar3d", "lidar", read_lidar},
    {"camera", "camera", "camera", rut_mvsim_read_camera},
    {"rgbd_camera", "camera", "camera", rut_mvsim_read_rgbd_camera},
    {"imu", "imu", "imu", read_imu},
    {"gnss", "imu", "gnss", read_gnss},
};

// Add the sensor's node. MVSim takes several sensors of one name; later ones get a number.
static rutNode add_sensor(rutMvsim* load, rutNode parent, const char* type, const char* name,
                          rutPlace place) {
  char other[RUT_MVSIM_LABEL];
  rutNode node = rut_spec_add(load->spec, parent, "sensor", type, name, NULL);
  for (int i = 2; rut_node_is_null(node) && i < 1000; i++) {
    snprintf(other, sizeof other, "%.80s_%d", name, i);
    node = rut_spec_add(load->spec, parent, "sensor", type, other, NULL);
    if (!rut_node_is_null(node)) {
      rut_mvsim_warn(load, place, "<sensor>", NULL,
                     "there is another sensor named '%.80s': this one is called '%s'", name, other);
    }
  }
  if (rut_node_is_null(node)) return rut_mvsim_add(load, parent, "sensor", type, name, place);
  rut_node_place(load->spec, node, NULL, place);
  return node;
}

// Class of a sensor; the manual says type= where the code says class=. NULL after an error.
static const SensorClass* sensor_class(rutMvsim* load, rutMvsimItem item) {
  const char* name[RUT_COUNT_OF(classes)];
  for (int i = 0; i < RUT_COUNT_OF(classes); i++) name[i] = classes[i].name;
  int which = rut_mvsim_word(load, item, "class", name, RUT_COUNT_OF(classes), -2);
  if (which == -2) which = rut_mvsim_word(load, item, "type", name, RUT_COUNT_OF(classes), -2);
  if (which >= 0) return &classes[which];
  if (which == -1) return NULL;
  char label[RUT_MVSIM_LABEL];
  rut_mvsim_label(item, label);
  rut_mvsim_error(load, rut_mvsim_place(item), label, RUT_ERR_MODEL,
                  "write <sensor class=\"laser\">", "the attribute 'class' is missing");
  return NULL;
}

// Logs have every sensor under the topic /VEHICLE/SENSOR, which <publish> mostly asks for too.
static void check_topic(rutMvsim* load, const rutMvsimItems* items, const char* parent_name,
                        const char* name) {
  const rutMvsimItem publish = rut_mvsim_first(items, "publish");
  bool enabled = true;
  if (!publish.element) return;
  rutPlace place = rut_mvsim_place(publish);
  const char* text = rut_mvsim_attribute(load, publish, "enabled", &place);
  if (text && !rut_mvsim_boolean(load, text, place, "<publish>", &enabled)) return;
  if (!enabled) return;
  char own[2 * RUT_MVSIM_LABEL];
  snprintf(own, sizeof own, parent_name[0] ? "/%.90s/%.90s" : "%.0s/%.90s", parent_name, name);
  rutMvsimItems children = {0};
  rut_mvsim_children(load, publish, &children);
  const rutMvsimItem topic = rut_mvsim_first(&children, "publish_topic");
  text = topic.element ? rut_mvsim_text(load, topic) : NULL;
  if (text && strcmp(text, own) != 0) {
    rut_report_note(load->reporter, rut_mvsim_place(topic), "<publish_topic>",
                    "logs call this sensor '%s', not '%.90s'", own, text);
  }
  rut_mvsim_items_free(&children);
}

void rut_mvsim_read_sensor(rutMvsim* load, rutMvsimItem item, rutNode parent,
                           const char* parent_name, int index) {
  const SensorClass* is = sensor_class(load, item);
  if (!is) return;
  static const char* const attributes[] = {"class", "type", "name"};
  rut_mvsim_check_attributes(load, item, attributes, 3);
  const rutPlace place = rut_mvsim_place(item);
  char made[RUT_MVSIM_LABEL];
  snprintf(made, sizeof made, "%s%d", is->prefix, index);
  const char* name = rut_mvsim_attribute(load, item, "name", NULL);
  if (!name || !name[0]) name = made;
  const bool was_inside = load->inside;
  load->inside = true;
  rut_scope_set(load->variables, "NAME", name);
  rut_scope_set(load->variables, "PARENT_NAME", parent_name);
  const rutNode node = add_sensor(load, parent, is->type, name, place);
  if (!rut_node_is_null(node)) {
    rutMvsimItems items = {0};
    rut_mvsim_children(load, item, &items);
    is->read(load, &items, node, place);
    check_topic(load, &items, parent_name, name);
    rut_mvsim_items_free(&items);
  }
  rut_scope_set(load->variables, "NAME", parent_name);
  load->inside = was_inside;
}
