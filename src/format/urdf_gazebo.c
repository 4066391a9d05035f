// SPDX-License-Identifier: BSD-3-Clause
//
// What Gazebo is told in a URDF: friction of links, plug-ins that drive, sensors. Names of
// parameters are those of ROS 1 (leftJoint), ROS 2 (left_joint) and gz-sim, which mean the same.
#include <stdio.h>
#include <string.h>

#include "format/urdf.h"

static const double DEGREE = 0.017453292519943295;

// ---- texts ----

static char small(char c) { return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

bool rut_urdf_contains(const char* text, const char* part) {
  for (; *text; text++) {
    size_t i = 0;
    while (part[i] && small(text[i]) == part[i]) i++;
    if (!part[i]) return true;
  }
  return false;
}

// True if two names are equal without regard to case and underscores.
static bool is_named(const char* text, const char* name) {
  while (*text || *name) {
    while (*text == '_') text++;
    if (small(*text) != *name) return false;
    if (*text) text++, name++;
  }
  return true;
}

static const rutXmlElement* child_of(const rutXmlElement* element, const char* name) {
  const rutXmlElement* child = element ? element->first : NULL;
  while (child && !is_named(child->name, name)) child = child->next;
  return child;
}

static const char* text_of(const rutXmlElement* element, const char* name) {
  const rutXmlElement* child = child_of(element, name);
  return child ? child->text : "";
}

static double number_of(const rutXmlElement* element, const char* name, double otherwise) {
  double value;
  return rut_urdf_numbers(text_of(element, name), 1, &value) ? value : otherwise;
}

static const char* attribute(const rutXmlElement* element, const char* name) {
  const rutXmlAttribute* a = rut_xml_attribute(element, name);
  return a ? a->value : "";
}

static rutPlace place_of(const rutXmlElement* element) {
  return (rutPlace){element->file, element->line, element->column};
}

// ---- plug-ins that drive ----

static void list(const char** joint, int* n, const char* name) {
  if (*n < RUT_URDF_MAX_LISTED && name[0]) joint[(*n)++] = name;
}

// Elements such as leftJoint, front_left_joint, rightRearJoint, left_steering_joint, and right_rear
// of Gazebo's own SkidSteerDrivePlugin.
static void list_joint(rutUrdfPlugin* p, const rutXmlElement* element) {
  const char* name = element->name;
  const bool bare = is_named(name, "leftfront") || is_named(name, "leftrear") ||
                    is_named(name, "rightfront") || is_named(name, "rightrear");
  if (!(bare || rut_urdf_contains(name, "joint")) ||
      !(rut_urdf_contains(name, "left") || rut_urdf_contains(name, "right")))
    return;
  if (rut_urdf_contains(name, "steering")) {
    list(p->steering_joint, &p->steering, element->text);
  } else {
    list(p->driven_joint, &p->driven, element->text);
  }
}

static void read_drive(rutUrdf* robot, const rutXmlElement* plugin, rutUrdfDrive drive,
                       rutReporter* reporter) {
  rutUrdfPlugin* p = &robot->plugin;
  if (p->drive != RUT_URDF_NO_DRIVE) {
    rut_report_warning(reporter, place_of(plugin), "plugin",
                       "dropped: a second plug-in that drives");
    return;
  }
  *p = (rutUrdfPlugin){.drive = drive, .place = place_of(plugin)};
  for (const rutXmlElement* child = plugin->first; child; child = child->next) list_joint(p, child);
  p->separation = number_of(plugin, "wheelseparation", 0);
  p->radius = number_of(plugin, "wheelradius", 0.5 * number_of(plugin, "wheeldiameter", 0));
  p->torque = number_of(plugin, "maxwheeltorque",
                        number_of(plugin, "wheeltorque", number_of(plugin, "torque", 0)));
  p->max_steer = number_of(plugin, "maxsteer", number_of(plugin, "steeringlimit", 0));
}

// ---- sensors ----

static rutUrdfSensor* add_sensor(rutUrdf* robot, const rutXmlElement* element, const char* type,
                                 const char* link, rutReporter* reporter) {
  if (robot->sensors == RUT_URDF_MAX_SENSORS) {
    rut_report_warning(reporter, place_of(element), "sensor",
                       "dropped: a robot has at most %d sensors", RUT_URDF_MAX_SENSORS);
    return NULL;
  }
  rutUrdfSensor* s = &robot->sensor[robot->sensors++];
  *s = (rutUrdfSensor){.type = type,
                       .name = attribute(element, "name"),
                       .link = link,
                       .place = place_of(element),
                       .pose = {rut_mat3_identity(), {0, 0, 0}}};
  double rate = number_of(element, "updaterate", 0);
  if (rate > 0) s->period = 1 / rut_clamp(rate, 1e-3, 1e4);
  return s;
}

static int count_of(const rutXmlElement* element, const char* name, int otherwise, int most) {
  return (int)rut_clamp(number_of(element, name, otherwise), 1, most);
}

static void read_rays(rutUrdfSensor* s, const rutXmlElement* sensor) {
  const rutXmlElement* ray = child_of(sensor, "ray");
  if (!ray) ray = child_of(sensor, "lidar");
  const rutXmlElement* scan = child_of(ray, "scan");
  const rutXmlElement* across = child_of(scan, "horizontal");
  const rutXmlElement* up = child_of(scan, "vertical");
  const rutXmlElement* range = child_of(ray, "range");
  s->columns = count_of(across, "samples", 181, 65536);
  s->rows = count_of(up, "samples", 1, 256);
  s->from = number_of(across, "minangle", -0.5 * RUT_PI);
  s->to = number_of(across, "maxangle", 0.5 * RUT_PI);
  s->low = number_of(up, "minangle", 0);
  s->high = number_of(up, "maxangle", 0);
  s->min_range = number_of(range, "min", 0);
  s->max_range = number_of(range, "max", 0);
  s->noise = number_of(child_of(ray, "noise"), "stddev", 0);
  if (s->rows > 1) s->type = "lidar";
}

static void read_camera(rutUrdfSensor* s, const rutXmlElement* sensor) {
  const rutXmlElement* camera = child_of(sensor, "camera");
  const rutXmlElement* image = child_of(camera, "image");
  s->to = number_of(camera, "horizontalfov", 1.047);
  s->columns = count_of(image, "width", 320, 4096);
  s->rows = count_of(image, "height", 240, 4096);
}

static const char* sensor_type(const char* type) {
  static const char* const types[][2] = {{"ray", "laser"},
                                         {"gpu_ray", "laser"},
                                         {"lidar", "laser"},
                                         {"gpu_lidar", "laser"},
                                         {"imu", "imu"},
                                         {"camera", "camera"},
                                         {"depth", "camera"},
                                         {"depth_camera", "camera"},
                                         {"rgbd_camera", "camera"},
                                         {"wideanglecamera", "camera"},
                                         {"navsat", "gnss"},
                                         {"gps", "gnss"},
                                         {"magnetometer", "magnetometer"},
                                         {"air_pressure", "barometer"},
                                         {"altimeter", "barometer"}};
  for (int i = 0; i < RUT_COUNT_OF(types); i++) {
    if (strcmp(type, types[i][0]) == 0) return types[i][1];
  }
  return NULL;
}

void rut_urdf_sensor(rutUrdf* robot, const rutXmlElement* element, const char* link,
                     rutReporter* reporter) {
  const char* type = sensor_type(attribute(element, "type"));
  if (!type || !link[0]) {
    rut_report_warning(reporter, place_of(element), "sensor",
                       "dropped: rut has no sensor of type '%.60s' on '%.60s'",
                       attribute(element, "type"), link);
    return;
  }
  rutUrdfSensor* s = add_sensor(robot, element, type, link, reporter);
  if (!s) return;
  double pose[6] = {0};
  const char* text = text_of(element, "pose");
  if (text[0] && rut_urdf_numbers(text, 6, pose)) {
    s->pose = (rutFramePose){rut_mat3_of_rpy(pose[3], pose[4], pose[5]), rut_vec3_of(pose)};
  }
  if (strcmp(type, "laser") == 0) read_rays(s, element);
  if (strcmp(type, "camera") == 0) read_camera(s, element);
}

// Sensors that are plug-ins of their own.
static void read_sensor_plugin(rutUrdf* robot, const rutXmlElement* plugin, const char* type,
                               rutReporter* reporter) {
  const char* link = text_of(plugin, "bodyname");
  if (rut_urdf_link(robot, link) < 0) {
    rut_report_warning(reporter, place_of(plugin), "plugin", "dropped: there is no link '%.60s'",
                       link);
    return;
  }
  add_sensor(robot, plugin, type, link, reporter);
  const rutXmlElement* latitude = child_of(plugin, "referencelatitude");
  const rutXmlElement* longitude = child_of(plugin, "referencelongitude");
  if (!latitude || !longitude) return;
  robot->latitude = rut_clamp(number_of(plugin, "referencelatitude", 0), -90, 90) * DEGREE;
  robot->longitude = rut_clamp(number_of(plugin, "referencelongitude", 0), -180, 180) * DEGREE;
  robot->geographic = true;
}

void rut_urdf_plugin(rutUrdf* robot, const rutXmlElement* plugin, rutReporter* reporter) {
  static const struct {
    const char* part;
    rutUrdfDrive drive;
    const char* sensor;
  } known[] = {
      {"diff_drive", RUT_URDF_DIFFERENTIAL, NULL},  {"diff-drive", RUT_URDF_DIFFERENTIAL, NULL},
      {"diffdrive", RUT_URDF_DIFFERENTIAL, NULL},   {"skid_steer", RUT_URDF_SKID, NULL},
      {"skidsteer", RUT_URDF_SKID, NULL},           {"planar_move", RUT_URDF_ANY_WAY, NULL},
      {"velocity-control", RUT_URDF_ANY_WAY, NULL}, {"ackermann", RUT_URDF_ACKERMANN, NULL},
      {"ros_imu", RUT_URDF_NO_DRIVE, "imu"},        {"ros_gps", RUT_URDF_NO_DRIVE, "gnss"}};
  // of publishers, physics and sensors as such, which describe nothing of the robot
  static const char* const silent[] = {"joint_state", "joint-state",    "control",
                                       "p3d",         "pose-publisher", "sensors-system",
                                       "imu-system",  "navsat-system",  "odometry"};
  const char* file = attribute(plugin, "filename");
  for (int i = 0; i < RUT_COUNT_OF(known); i++) {
    if (!rut_urdf_contains(file, known[i].part)) continue;
    if (known[i].sensor) {
      read_sensor_plugin(robot, plugin, known[i].sensor, reporter);
    } else {
      read_drive(robot, plugin, known[i].drive, reporter);
    }
    return;
  }
  for (int i = 0; i < RUT_COUNT_OF(silent); i++) {
    if (rut_urdf_contains(file, silent[i])) return;
  }
  rut_report_warning(reporter, place_of(plugin), "plugin",
                     "dropped: rut has nothing for the plug-in '%.100s'", file);
}

// ---- the element ----

static void read_friction(rutUrdf* robot, const rutXmlElement* element, int link) {
  double value;
  const char* given = attribute(element, "value");
  const char* text = given[0] ? given : element->text;
  if (rut_urdf_numbers(text, 1, &value) && value >= 0) robot->link[link].friction = value;
}

void rut_urdf_gazebo(rutUrdf* robot, const rutXmlElement* gazebo, rutReporter* reporter) {
  const char* reference = attribute(gazebo, "reference");
  const int link = rut_urdf_link(robot, reference);
  for (const rutXmlElement* child = gazebo->first; child; child = child->next) {
    if (strcmp(child->name, "plugin") == 0) rut_urdf_plugin(robot, child, reporter);
    if (strcmp(child->name, "sensor") == 0) rut_urdf_sensor(robot, child, reference, reporter);
    if (link >= 0 && strcmp(child->name, "mu1") == 0) read_friction(robot, child, link);
  }
}
