// SPDX-License-Identifier: BSD-3-Clause
//
// The topics of a node of ROS 2, and how they are found.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/definition.h"
#include "host/pose_message.h"
#include "host/ros2_parts.h"
#include "host/ros2_schema.h"
#include "math/quat.h"

enum { FULL_NAME = 3 * RUT_ROS_NAME_SIZE };
static const char NODE[] = "rut";

// ---- one topic ----

static rutStatus add_row(rutRos2* r, const char* name, const char* type, bool received, int end,
                         rutError* err) {
  rutRos2Row* grown = realloc(r->row, ((size_t)r->rows + 1) * sizeof *grown);
  if (!grown) return rut_ros2_no_memory(err);
  r->row = grown;
  rutRos2Row* row = &r->row[r->rows++];
  const size_t n = strlen(name) + 1, t = strlen(type) + 1;
  *row = (rutRos2Row){.name = malloc(n), .type = malloc(t), .received = received, .end = end};
  if (!row->name || !row->type) return rut_ros2_no_memory(err);
  memcpy(row->name, name, n);
  memcpy(row->type, type, t);
  return RUT_OK;
}

// Qualities of service that readers of ROS 2 expect.
static rutDdsTopic deliver(const rutRos2* r, rutRos2Delivery service) {
  switch (service) {
    case RUT_ROS2_CLOCK:
      return (rutDdsTopic){.reliable = true, .depth = 1};
    case RUT_ROS2_TRANSFORMS:
      return (rutDdsTopic){.reliable = true, .depth = 100};
    case RUT_ROS2_LATCHED:
      return (rutDdsTopic){.reliable = true, .kept = true, .depth = 1};
    case RUT_ROS2_SENSOR:
      return (rutDdsTopic){.reliable = r->reliable, .depth = 5};
    case RUT_ROS2_NEWEST:
      // each answer counts in a lockstep, else only the newest command
      return (rutDdsTopic){.reliable = r->lockstep, .depth = r->lockstep ? 10 : 1};
    case RUT_ROS2_STATE:
    case RUT_ROS2_EACH:
      break;
  }
  return (rutDdsTopic){.reliable = true, .depth = 10};
}

rutStatus rut_ros2_offer_raw(rutRos2* r, const rutDdsTopic* topic, bool received, int* end,
                             rutError* err) {
  const rutStatus status =
      received ? rut_dds_reader(r->dds, topic, end, err) : rut_dds_writer(r->dds, topic, end, err);
  if (status != RUT_OK) return status;
  return add_row(r, topic->name, topic->type, received, *end, err);
}

rutStatus rut_ros2_offer(rutRos2* r, const rutRos2Offer* offer, int* end, rutError* err) {
  char name[FULL_NAME], type[RUT_ROS_TYPE_SIZE], hash[RUT_ROS_HASH_SIZE];
  char user_data[RUT_ROS_HASH_SIZE + 16];
  snprintf(name, sizeof name, "rt/%s%s%s", r->space, offer->space, offer->name);
  rutStatus status = rut_ros_type_hash(offer->schema, offer->definition, hash, err);
  if (status != RUT_OK) return status;
  if (!rut_ros_dds_type(offer->schema, type)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "'%.100s' is no type of ROS 2", offer->schema);
  }
  snprintf(user_data, sizeof user_data, "typehash=%s;", hash);
  rutDdsTopic topic = deliver(r, offer->delivery);
  topic.name = name;
  topic.type = type;
  topic.user_data = user_data;
  const bool received = offer->delivery == RUT_ROS2_NEWEST || offer->delivery == RUT_ROS2_EACH;
  status = received ? rut_dds_reader(r->dds, &topic, end, err)
                    : rut_dds_writer(r->dds, &topic, end, err);
  // as ROS shows it
  return status == RUT_OK ? add_row(r, name + 2, offer->schema, received, *end, err) : status;
}

bool rut_ros2_send(rutRos2* r, int writer) {
  const bool fine = !r->out.failed && rut_dds_write(r->dds, writer, r->out.data, r->out.used);
  r->report.messages++;
  return fine;
}

// ---- vehicles ----

static const char* leaf_of(const char* name) {
  const char* slash = strrchr(name, '/');
  return slash ? slash + 1 : name;
}

// Maps and paths reach those who come later: both are told only when they change.
static rutStatus make_navigation(rutRos2* r, const rutModel* model, int index, rutError* err) {
  rutRos2Vehicle* v = &r->vehicle[index];
  rutStatus status;
  v->watches = rut_navigation_watch_begin(&v->watch, model, index, &status, err);
  for (int i = 0; i < RUT_NAVIGATION_MESSAGES && v->watches && status == RUT_OK; i++) {
    const rutNavigationMessage* m = rut_navigation_message(i);
    if (!(v->watch.info.publish & m->bit)) continue;
    const rutRos2Offer offer = {v->space, m->name, m->schema, m->definition, RUT_ROS2_LATCHED};
    status = rut_ros2_offer(r, &offer, &v->navigation[i], err);
  }
  return status;
}

static rutStatus make_vehicle(rutRos2* r, const rutModel* model, int index, rutError* err) {
  rutRos2Vehicle* v = &r->vehicle[index];
  // the only one has the names that robots have
  char name[RUT_ROS_NAME_SIZE];
  rut_ros_name(rut_name(model, RUT_VEHICLE, index), false, name);
  if (r->vehicles > 1) snprintf(v->space, sizeof v->space, "%.200s/", name);
  const struct {
    const char *name, *schema, *definition;
    rutRos2Delivery delivery;
    int* end;
  } row[] = {
      {"odom", "nav_msgs/msg/Odometry", RUT_MSG_ODOMETRY, RUT_ROS2_STATE, &v->odometry},
      {"ground_truth", "nav_msgs/msg/Odometry", RUT_MSG_ODOMETRY, RUT_ROS2_STATE, &v->truth},
      {"tf", "tf2_msgs/msg/TFMessage", RUT_MSG_TF, RUT_ROS2_TRANSFORMS, &v->tf},
      {"tf_static", "tf2_msgs/msg/TFMessage", RUT_MSG_TF, RUT_ROS2_LATCHED, &v->tf_static},
      {"collision", "std_msgs/msg/Bool", RUT_MSG_BOOL, RUT_ROS2_STATE, &v->collision},
      {"joint_states", "sensor_msgs/msg/JointState", RUT_MSG_JOINT_STATE, RUT_ROS2_STATE,
       &v->joint_states},
  };
  rutStatus status = rut_joints_find(model, RUT_VEHICLE, index, &v->joints, err);
  v->joint = malloc(RUT_JOINT_NUMBERS * (size_t)v->joints.count * sizeof *v->joint + 1);
  if (!v->joint) return rut_ros2_no_memory(err);
  for (size_t i = 0; i < sizeof row / sizeof row[0] && status == RUT_OK; i++) {
    const rutRos2Offer offer = {v->space, row[i].name, row[i].schema, row[i].definition,
                                row[i].delivery};
    status = rut_ros2_offer(r, &offer, row[i].end, err);
  }
  return status == RUT_OK ? make_navigation(r, model, index, err) : status;
}

// ---- sensors ----

// Its place in its vehicle, or in the world. Planar scans are level whatever the mount is.
static void find_mount(rutRos2Sensor* s, const rutModel* model, const rutData* data, int sensor) {
  double pose[6], q[4];
  rut_sensor_pose(model, data, sensor, pose);
  const bool level = s->of.constant.geometry.level;
  rut_quaternion_of_angles(level ? 0 : pose[3], level ? 0 : pose[4], pose[5], q);
  memcpy(s->mount, pose, sizeof s->mount);
  memcpy(s->attitude, q, sizeof s->attitude);
  if (s->vehicle < 0) return;
  const rutVehicleState v = rut_vehicle_state(model, data, s->vehicle);
  double base[4], flat[4];
  rut_quaternion_of_angles(v.roll, v.pitch, v.yaw, base);
  rut_quaternion_of_angles(0, 0, v.yaw, flat);
  const rutQuat own = rut_quat(base[0], base[1], base[2], base[3]);
  const rutQuat axes = level ? rut_quat(flat[0], flat[1], flat[2], flat[3]) : own;
  const rutQuat relative = rut_quat_mul(rut_quat_conjugate(axes), rut_quat(q[0], q[1], q[2], q[3]));
  const rutVec3 at = {pose[0] - v.position[0], pose[1] - v.position[1], pose[2] - v.position[2]};
  const rutVec3 local = rut_quat_rotate(rut_quat_conjugate(own), at);
  memcpy(s->mount, (const double[3]){local.x, local.y, local.z}, sizeof s->mount);
  memcpy(s->attitude, (const double[4]){relative.w, relative.x, relative.y, relative.z},
         sizeof s->attitude);
}

static rutStatus offer_sample(rutRos2* r, const rutRos2Sensor* s, const char* tail,
                              const rutRos2Offer* offer, int* end, rutError* err) {
  char name[RUT_ROS_NAME_SIZE + 64];
  snprintf(name, sizeof name, "%s%s", s->frame, tail);
  rutRos2Offer named = *offer;
  named.space = s->vehicle >= 0 ? r->vehicle[s->vehicle].space : "";
  named.name = name;
  return rut_ros2_offer(r, &named, end, err);
}

static const char* tail_of(const rutRos2Sensor* s, const rutSensorMessage* message) {
  if (!s->of.whole && message->partial_tail) return message->partial_tail;
  if (message->live_tail) return message->live_tail;
  return message->tail ? message->tail : "";
}

// The message of outputs that no message of ROS holds.
static rutStatus offer_rest(rutRos2* r, rutRos2Sensor* s, const rutModel* model, int sensor,
                            rutError* err) {
  char word[RUT_WORD_SIZE], schema[RUT_WORD_SIZE + 16];
  rut_define_type(rut_sensor_info(model, sensor).type, word);
  snprintf(schema, sizeof schema, "rut/msg/%s", word);
  rutBytes text = {0};
  rut_sample_define_rest(&text, &s->of, model, sensor);
  if (text.failed) {
    rut_bytes_free(&text);
    return rut_ros2_no_memory(err);
  }
  const rutRos2Offer offer = {
      .schema = schema, .definition = (const char*)text.data, .delivery = RUT_ROS2_SENSOR};
  const rutStatus status =
      offer_sample(r, s, s->of.covered ? "/readings" : "", &offer, &s->rest, err);
  rut_bytes_free(&text);
  return status;
}

static rutStatus make_sensor(rutRos2* r, const rutModel* model, const rutData* data, int sensor,
                             rutError* err) {
  rutRos2Sensor* s = &r->sensor[sensor];
  const rutSensorInfo info = rut_sensor_info(model, sensor);
  s->vehicle = info.vehicle;
  s->stamp = s->rest = -1;
  rut_ros_name(leaf_of(info.name), false, s->frame);
  rutStatus status = rut_sample_messages_find(model, sensor, &s->of, err);
  if (s->of.images) snprintf(s->optical, sizeof s->optical, "%.200s_optical", s->frame);
  for (int i = 0; i < s->of.messages && status == RUT_OK; i++) {
    const rutSensorMessage* m = s->of.message[i];
    const rutRos2Offer offer = {
        .schema = m->schema, .definition = m->definition, .delivery = RUT_ROS2_SENSOR};
    status = offer_sample(r, s, tail_of(s, m), &offer, &s->writer[i], err);
  }
  if (status == RUT_OK && s->of.rest) status = offer_rest(r, s, model, sensor, err);
  if (status == RUT_OK) find_mount(s, model, data, sensor);
  return status;
}

// ---- all of them ----

rutStatus rut_ros2_make_topics(rutRos2* r, const rutModel* model, const rutData* data,
                               rutError* err) {
  r->vehicles = rut_count(model, RUT_VEHICLE);
  r->sensors = rut_count(model, RUT_SENSOR);
  r->vehicle = calloc((size_t)r->vehicles + 1, sizeof *r->vehicle);
  r->sensor = calloc((size_t)r->sensors + 1, sizeof *r->sensor);
  if (!r->vehicle || !r->sensor) return rut_ros2_no_memory(err);
  const rutRos2Offer clock = {"", "clock", "rosgraph_msgs/msg/Clock", RUT_MSG_CLOCK,
                              RUT_ROS2_CLOCK};
  // a clock has no name space
  char space[RUT_ROS_NAME_SIZE];
  memcpy(space, r->space, sizeof space);
  r->space[0] = '\0';
  rutStatus status = rut_ros2_offer(r, &clock, &r->clock, err);
  memcpy(r->space, space, sizeof space);
  for (int i = 0; i < r->vehicles && status == RUT_OK; i++) {
    status = make_vehicle(r, model, i, err);
  }
  for (int i = 0; i < r->sensors && status == RUT_OK; i++) {
    status = make_sensor(r, model, data, i, err);
  }
  // the only vehicle tells of the world as well
  r->tf_static = r->vehicles == 1 ? r->vehicle[0].tf_static : -1;
  const rutRos2Offer fixed = {"", "tf_static", "tf2_msgs/msg/TFMessage", RUT_MSG_TF,
                              RUT_ROS2_LATCHED};
  if (r->vehicles != 1 && status == RUT_OK) {
    status = rut_ros2_offer(r, &fixed, &r->tf_static, err);
  }
  return status;
}

void rut_ros2_free_topics(rutRos2* r) {
  for (int i = 0; r->vehicle && i < r->vehicles; i++) {
    rut_joints_free(&r->vehicle[i].joints);
    free(r->vehicle[i].joint);
    rut_navigation_watch_end(&r->vehicle[i].watch);
  }
  for (int i = 0; r->sensor && i < r->sensors; i++) rut_sample_messages_free(&r->sensor[i].of);
  free(r->vehicle);
  free(r->sensor);
}

// ---- the graph of nodes ----

static void put_id(rutBytes* b, const rutRos2* r, const unsigned char guid[RUT_DDS_GUID]) {
  static const unsigned char zeros[8];
  rut_bytes_put(b, guid, RUT_DDS_GUID);
  if (r->long_ids) rut_bytes_put(b, zeros, sizeof zeros);
}

// Identities of all ends of one kind.
static void put_ids(rutBytes* b, size_t start, rutRos2* r, bool received) {
  uint32_t n = 0;
  for (int i = 0; i < r->rows; i++) n += r->row[i].received == received;
  rut_cdr_u32(b, start, n);
  for (int i = 0; i < r->rows; i++) {
    unsigned char guid[RUT_DDS_GUID];
    if (r->row[i].received != received) continue;
    if (received) {
      rut_dds_reader_guid(r->dds, r->row[i].end, guid);
    } else {
      rut_dds_writer_guid(r->dds, r->row[i].end, guid);
    }
    put_id(b, r, guid);
  }
}

rutStatus rut_ros2_tell_graph(rutRos2* r, rutError* err) {
  char hash[RUT_ROS_HASH_SIZE], user_data[RUT_ROS_HASH_SIZE + 16], space[RUT_ROS_NAME_SIZE + 2];
  const char* name = "rmw_dds_common/msg/ParticipantEntitiesInfo";
  const char* definition = r->long_ids ? RUT_MSG_PARTICIPANT_OF("24") : RUT_MSG_PARTICIPANT;
  rutStatus status = rut_ros_type_hash(name, definition, hash, err);
  if (status != RUT_OK) return status;
  snprintf(user_data, sizeof user_data, "typehash=%s;", hash);
  const rutDdsTopic topic = {.name = "ros_discovery_info",
                             .type = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_",
                             .user_data = user_data,
                             .reliable = true,
                             .kept = true,
                             .depth = 1};
  status = rut_dds_writer(r->dds, &topic, &r->graph, err);
  if (status != RUT_OK) return status;
  // one node, "/rut" or "/team/rut"
  const size_t n = strlen(r->space);
  snprintf(space, sizeof space, "/%.*s", n > 0 ? (int)n - 1 : 0, r->space);
  unsigned char guid[RUT_DDS_GUID];
  rut_dds_participant_guid(r->dds, guid);
  rutBytes* b = &r->out;
  b->used = 0;
  const size_t start = rut_cdr_begin(b);
  put_id(b, r, guid);
  rut_cdr_u32(b, start, 1);
  rut_cdr_text(b, start, space);
  rut_cdr_text(b, start, NODE);
  put_ids(b, start, r, true);
  put_ids(b, start, r, false);
  return rut_ros2_send(r, r->graph) ? RUT_OK : rut_ros2_no_memory(err);
}

// ---- what does not change ----

static void put_fixed(rutBytes* b, size_t start, int64_t stamp, const rutRos2Sensor* s) {
  const char* parent = s->vehicle >= 0 ? "base_link" : "map";
  const rutTransformMessage mount = {stamp, parent, s->frame, s->mount, s->attitude};
  rut_put_transform(b, start, &mount);
  if (!s->optical[0]) return;
  static const double none[3], level[4] = {1, 0, 0, 0};
  double q[4];
  rut_optical_quaternion(level, q);
  const rutTransformMessage image = {stamp, s->frame, s->optical, none, q};
  rut_put_transform(b, start, &image);
}

// Mounts of the sensors of a vehicle, and of those of the world, in one message: readers that come
// later get the newest one alone.
static bool tell_mounts_of(rutRos2* r, int writer, int vehicle, bool world, double time) {
  static const double none[3], level[4] = {1, 0, 0, 0};
  const int64_t stamp = rut_ros2_nanoseconds(time);
  rutBytes* b = &r->out;
  b->used = 0;
  const size_t start = rut_cdr_begin(b), count = b->used;
  uint32_t n = 0;
  rut_cdr_u32(b, start, 0);
  if (vehicle >= 0) {
    const rutTransformMessage foot = {stamp, "base_link", "base_footprint", none, level};
    rut_put_transform(b, start, &foot);
    n++;
  }
  for (int i = 0; i < r->sensors; i++) {
    const rutRos2Sensor* s = &r->sensor[i];
    if (!(s->vehicle >= 0 ? s->vehicle == vehicle : world)) continue;
    put_fixed(b, start, stamp, s);
    n += s->optical[0] ? 2 : 1;
  }
  if (b->failed) return false;
  rut_bytes_u32_at(b, count, n);
  return rut_ros2_send(r, writer);
}

bool rut_ros2_tell_mounts(rutRos2* r, double time) {
  const bool alone = r->vehicles == 1;
  bool fine = alone || tell_mounts_of(r, r->tf_static, -1, true, time);
  for (int i = 0; i < r->vehicles && fine; i++) {
    fine = tell_mounts_of(r, r->vehicle[i].tf_static, i, alone, time);
  }
  return fine;
}
