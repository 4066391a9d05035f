// SPDX-License-Identifier: BSD-3-Clause
//
// What a node of ROS 2 tells of a state. Frames are those of REP 105: map, odom, base_link.
#include <string.h>

#include "host/pose_message.h"
#include "host/ros2_parts.h"
#include "math/quat.h"

static const double LOOK_AGAIN = 0.5;  // of a step: samples come between steps

static size_t begin(rutRos2* r) {
  r->out.used = 0;
  return rut_cdr_begin(&r->out);
}

static bool tell_clock(rutRos2* r, double time) {
  const size_t start = begin(r);
  rut_cdr_time(&r->out, start, rut_ros2_nanoseconds(time));
  return rut_ros2_send(r, r->clock);
}

// ---- vehicles ----

// A pose, as a rotation after which comes a shift.
typedef struct Pose {
  rutVec3 at;
  rutQuat turn;
} Pose;

// Where odometry begins in the map, so that the vehicle is where it is in truth.
static Pose origin_of_odometry(const Pose* truth, const Pose* odometry) {
  const rutQuat turn = rut_quat_mul(truth->turn, rut_quat_conjugate(odometry->turn));
  const rutVec3 moved = rut_quat_rotate(turn, odometry->at);
  const rutVec3 at = {truth->at.x - moved.x, truth->at.y - moved.y, truth->at.z - moved.z};
  return (Pose){at, turn};
}

static void put_pose(rutBytes* b, size_t start, int64_t stamp, const char* parent,
                     const char* child, const Pose* pose) {
  const double at[3] = {pose->at.x, pose->at.y, pose->at.z};
  const double q[4] = {pose->turn.w, pose->turn.x, pose->turn.y, pose->turn.z};
  const rutTransformMessage t = {stamp, parent, child, at, q};
  rut_put_transform(b, start, &t);
}

static bool tell_frames(rutRos2* r, const rutRos2Vehicle* v, int64_t stamp, const Pose* truth,
                        const Pose* odometry) {
  const size_t start = begin(r);
  rut_cdr_u32(&r->out, start, r->localisation ? 2 : 1);
  put_pose(&r->out, start, stamp, "odom", "base_link", odometry);
  if (r->localisation) {
    const Pose origin = origin_of_odometry(truth, odometry);
    put_pose(&r->out, start, stamp, "map", "odom", &origin);
  }
  return rut_ros2_send(r, v->tf);
}

static bool tell_motion(rutRos2* r, int writer, const rutOdometryMessage* message) {
  const size_t start = begin(r);
  rut_put_odometry(&r->out, start, message);
  return rut_ros2_send(r, writer);
}

// Frames, and at a period odometry and truth.
static bool tell_poses(rutRos2* r, const rutRos2Vehicle* v, int64_t stamp, const rutVehicleState* s,
                       bool due) {
  double q[4], yaw[4];
  rut_quaternion_of_angles(s->roll, s->pitch, s->yaw, q);
  rut_quaternion_of_angles(0, 0, s->odometry[2], yaw);
  const double at[3] = {s->odometry[0], s->odometry[1], 0};
  const double ahead[3] = {s->odometry_velocity[0], 0, 0};
  const double turn[3] = {0, 0, s->odometry_velocity[1]};
  const Pose truth = {{s->position[0], s->position[1], s->position[2]},
                      rut_quat(q[0], q[1], q[2], q[3])};
  const Pose odometry = {{at[0], at[1], 0}, rut_quat(yaw[0], 0, 0, yaw[3])};
  const rutOdometryMessage wheels = {stamp, "odom", "base_link", at, yaw, ahead, turn};
  const rutOdometryMessage real = {stamp, "map", "base_link", s->position, q, s->velocity, s->rate};
  const bool fine = tell_frames(r, v, stamp, &truth, &odometry);
  if (!fine || !due) return fine;
  return tell_motion(r, v->odometry, &wheels) && tell_motion(r, v->truth, &real);
}

static bool tell_joints(rutRos2* r, const rutRos2Vehicle* v, const rutModel* model,
                        const rutData* data, int64_t stamp) {
  const int n = v->joints.count;
  if (n == 0) return true;
  rut_joints_read(&v->joints, model, data, v->joint);
  const rutJointMessage message = {stamp,           n, v->joints.names, v->joint, v->joint + n,
                                   v->joint + 2 * n};
  const size_t start = begin(r);
  rut_put_joint_state(&r->out, start, &message);
  return rut_ros2_send(r, v->joint_states);
}

static bool tell_collision(rutRos2* r, rutRos2Vehicle* v) {
  begin(r);
  rut_bytes_u8(&r->out, v->collided);
  v->collided = false;
  return rut_ros2_send(r, v->collision);
}

// What is new of its map and path.
static bool tell_navigation(rutRos2* r, rutRos2Vehicle* v, const rutModel* model,
                            const rutData* data) {
  const rutNavigationView* view;
  if (!v->watches) return true;
  const unsigned what = rut_navigation_watch_update(&v->watch, model, data, &view);
  bool fine = true;
  for (int i = 0; i < RUT_NAVIGATION_MESSAGES && fine; i++) {
    const rutNavigationMessage* m = rut_navigation_message(i);
    if (!(what & m->bit)) continue;
    const double stamp = m->bit == RUT_NAVIGATION_PATH ? rut_time(data) : view->map_stamp;
    const rutNavigationHead head = {rut_ros2_nanoseconds(stamp), "map"};
    r->out.used = 0;
    m->put(&r->out, &head, &v->watch.info, view);
    fine = rut_ros2_send(r, v->navigation[i]);
  }
  return fine;
}

static bool tell_vehicle(rutRos2* r, int index, const rutModel* model, const rutData* data,
                         bool due) {
  rutRos2Vehicle* v = &r->vehicle[index];
  const int64_t stamp = rut_ros2_nanoseconds(rut_time(data));
  const rutVehicleState state = rut_vehicle_state(model, data, index);
  bool fine = tell_poses(r, v, stamp, &state, due);
  if (fine && due) fine = tell_joints(r, v, model, data, stamp) && tell_collision(r, v);
  return fine;
}

// ---- sensors ----

// Whether a sensor has a sample that was not told yet.
static bool has_news(rutRos2* r, rutRos2Sensor* s, const rutModel* model, const rutData* data,
                     int sensor) {
  double stamp = -1;
  const double now = rut_time(data);
  if (now < s->next || (s->of.messages == 0 && s->rest < 0)) return false;
  const void* seen = rut_sensor_output(model, data, sensor, 0, &stamp);
  const rutSensorInfo info = rut_sensor_info(model, sensor);
  s->next = stamp < 0 ? 0 : stamp + info.period + info.latency - LOOK_AGAIN * r->dt;
  if (!seen || stamp < 0 || stamp == s->stamp) return false;
  s->stamp = stamp;
  return rut_sample_messages_fit(&s->of, model, sensor);
}

// Messages that nobody reads are not made: images are large.
static bool tell_sample(rutRos2* r, rutRos2Sensor* s, const rutModel* model, const rutData* data,
                        int sensor) {
  rutSampleHead head = {.stamp = rut_ros2_nanoseconds(s->stamp),
                        .received = rut_ros2_nanoseconds(rut_time(data))};
  bool fine = true;
  for (int i = 0; i < s->of.outputs; i++) {
    s->of.place[i] = rut_sensor_output(model, data, sensor, i, NULL);
  }
  for (int i = 0; i < s->of.messages && fine; i++) {
    if (rut_dds_readers(r->dds, s->writer[i]) == 0) continue;
    head.frame = s->of.message[i]->frame ? s->optical : s->frame;
    r->out.used = 0;
    rut_sample_put_message(&r->out, &s->of, i, &head);
    fine = rut_ros2_send(r, s->writer[i]);
  }
  if (!fine || s->rest < 0 || rut_dds_readers(r->dds, s->rest) == 0) return fine;
  head.frame = s->frame;
  r->out.used = 0;
  rut_sample_put_rest(&r->out, &s->of, &head);
  return rut_ros2_send(r, s->rest);
}

// ---- a state ----

// Time has gone back: samples bear earlier times again, and nobody drives.
static void forget(rutRos2* r) {
  for (int i = 0; i < r->sensors; i++) {
    r->sensor[i].stamp = -1;
    r->sensor[i].next = 0;
  }
  for (int i = 0; i < r->vehicles; i++) {
    r->vehicle[i].commanded = RUT_NAN;
    r->vehicle[i].collided = false;
  }
}

bool rut_ros2_publish(rutRos2* r, const rutModel* model, const rutData* data, bool due) {
  bool fine = true, posed = false;
  if (rut_time(data) < r->last) forget(r);
  r->last = rut_time(data);
  for (int i = 0; i < r->vehicles; i++) {
    r->vehicle[i].collided |= rut_vehicle_state(model, data, i).collision;
  }
  if (due) fine = tell_clock(r, rut_time(data));
  for (int i = 0; i < r->vehicles && fine && due; i++) fine = tell_vehicle(r, i, model, data, true);
  for (int i = 0; i < r->vehicles && fine; i++) {
    fine = tell_navigation(r, &r->vehicle[i], model, data);
  }
  posed = due;
  for (int i = 0; i < r->sensors && fine; i++) {
    rutRos2Sensor* s = &r->sensor[i];
    if (!has_news(r, s, model, data, i)) continue;
    // transforms at the time of a sample come before it
    if (!posed) fine = tell_clock(r, rut_time(data));
    for (int k = 0; k < r->vehicles && fine && !posed; k++) {
      fine = tell_vehicle(r, k, model, data, false);
    }
    posed = true;
    if (fine) fine = tell_sample(r, s, model, data, i);
  }
  return fine;
}
