// SPDX-License-Identifier: BSD-3-Clause
#include "view/replay_navigation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/little_endian.h"
#include "view/cdr.h"

// geometry_msgs/msg/Pose as x, y [m] and yaw [rad]. False if a number is not finite.
static bool read_pose(viewCdr* c, double pose[3]) {
  double n[7], sum = 0;
  for (int i = 0; i < 7; i++) {
    n[i] = view_cdr_f64(c);
    sum += fabs(n[i]);
  }
  const double *p = n, *q = n + 3;  // x y z w
  pose[0] = p[0];
  pose[1] = p[1];
  pose[2] = atan2(2 * (q[3] * q[2] + q[0] * q[1]), 1 - 2 * (q[1] * q[1] + q[2] * q[2]));
  return isfinite(sum) && isfinite(pose[2]);
}

viewBytes* view_replay_map(const rutLogMessage* message, int vehicle) {
  viewCdr c = view_cdr_of(message);
  viewMap map = {.vehicle = vehicle, .time = view_cdr_header(&c)};
  view_cdr_time(&c);
  map.resolution = (double)view_cdr_f32(&c);
  const uint32_t columns = view_cdr_u32(&c), rows = view_cdr_u32(&c);
  double pose[3];
  const bool level = read_pose(&c, pose) && pose[2] == 0;
  const uint32_t n = view_cdr_u32(&c);
  const unsigned char* data = view_cdr_get(&c, n, 1);
  const bool fits = columns <= VIEW_MAP_SIDE && rows <= VIEW_MAP_SIDE && columns * rows == n;
  if (!data || !level || !fits || !(map.resolution > 0 && isfinite(map.resolution))) return NULL;
  map.columns = (int)columns;
  map.rows = (int)rows;
  memcpy(map.origin, pose, sizeof map.origin);
  unsigned char* cells;
  viewBytes* bytes = view_map_begin(&map, &cells);
  for (uint32_t k = 0; bytes && k < n; k++) {
    cells[k] = data[k] <= VIEW_CELL_BLOCKED ? data[k] : VIEW_CELL_UNKNOWN;
  }
  return bytes;
}

viewBytes* view_replay_path(const rutLogMessage* message, int vehicle) {
  enum { LEAST = 64 };  // bytes of a pose with its header
  viewCdr c = view_cdr_of(message);
  viewPath path = {.vehicle = vehicle, .time = view_cdr_header(&c)};
  for (int i = 0; i < 3; i++) path.goal[i] = (double)NAN;
  const uint32_t poses = view_cdr_u32(&c);
  if (c.bad || poses > VIEW_PATH_POSES || poses > message->size / LEAST) return NULL;
  path.poses = (int)poses;
  unsigned char* to;
  viewBytes* bytes = view_path_begin(&path, &to);
  for (int i = 0; bytes && i < path.poses; i++) {
    double pose[3];
    view_cdr_header(&c);
    if (read_pose(&c, pose)) {
      view_path_put(to, i, pose);
      continue;
    }
    view_bytes_drop(bytes);
    bytes = NULL;
  }
  return bytes;
}

static const struct {
  unsigned bit;
  const char *topic, *schema;
  viewBytes* (*read)(const rutLogMessage* message, int vehicle);
} kinds[] = {
    {RUT_NAVIGATION_PATH, "plan", "nav_msgs/msg/Path", view_replay_path},
    {RUT_NAVIGATION_COST, "local_costmap/costmap", "nav_msgs/msg/OccupancyGrid", view_replay_map}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

// Channel of a kind of a vehicle, -1 if there is none.
static int channel_of(const viewRecording* r, int vehicle, int kind) {
  const json_t* vehicles = json_object_get(r->scene, "vehicles");
  const char* name =
      json_string_value(json_object_get(json_array_get(vehicles, (size_t)vehicle), "name"));
  char topic[512];
  if (!name) return -1;
  snprintf(topic, sizeof topic, "/%.400s/%s", name, kinds[kind].topic);
  const int channel = rut_log_channel_find(r->file, topic);
  const bool fits =
      channel >= 0 && strcmp(rut_log_channel_at(r->file, channel).schema, kinds[kind].schema) == 0;
  return fits ? channel : -1;
}

unsigned view_replay_navigation(const viewRecording* r, int vehicle) {
  unsigned what = 0;
  for (int i = 0; i < KINDS; i++) what |= channel_of(r, vehicle, i) >= 0 ? kinds[i].bit : 0;
  return what;
}

viewBytes* view_replay_navigation_sample(viewRecording* r, int vehicle, unsigned what, double time,
                                         double* stamp) {
  for (int i = 0; i < KINDS; i++) {
    rutLogMessage message;
    if (kinds[i].bit != what) continue;
    const int channel = channel_of(r, vehicle, i);
    if (channel < 0 || !rut_log_message_at(r->file, channel, time, &message)) return NULL;
    viewBytes* bytes = message.time != *stamp ? kinds[i].read(&message, vehicle) : NULL;
    if (bytes) *stamp = message.time;
    return bytes;
  }
  return NULL;
}
