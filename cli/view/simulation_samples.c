// SPDX-License-Identifier: BSD-3-Clause
//
// Samples of sensors for the pages that watch them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "scene/sample.h"
#include "view/simulation_parts.h"

void view_watch_free(viewSimulation* s) {
  for (int i = 0; i < s->watching; i++) free(s->watched[i].pose);
  free(s->watched);
  s->watched = NULL;
  s->watching = 0;
}

// Begin to watch a sensor that some page wants.
static void add(viewSimulation* s, int sensor) {
  for (int i = 0; i < s->watching; i++) {
    if (s->watched[i].sensor == sensor) return;
  }
  viewWatched* watched = &s->watched[s->watching++];
  *watched = (viewWatched){.sensor = sensor,
                           .layers = view_watch_layers(s->watch, sensor),
                           .stamp = (double)NAN,
                           .latency = rut_sensor_info(view_simulation_model(s), sensor).latency};
  if (watched->latency > 0) watched->pose = calloc(VIEW_POSES, sizeof *watched->pose);
}

void view_watch_change(viewSimulation* s, int client, const viewWatch* watch) {
  view_watch_free(s);
  s->watch[client] = *watch;
  int most = 0;
  for (int i = 0; i < VIEW_CLIENTS; i++) most += s->watch[i].sensors;
  s->watched = calloc((size_t)most + 1, sizeof *s->watched);
  for (int i = 0; s->watched && i < VIEW_CLIENTS; i++) {
    for (int k = 0; k < s->watch[i].sensors; k++) add(s, s->watch[i].sensor[k]);
  }
  view_watch_step(s);
}

void view_watch_restart(viewSimulation* s) {
  for (int i = 0; i < s->watching; i++) {
    s->watched[i].stamp = (double)NAN;
    s->watched[i].due = 0;
    s->watched[i].poses = 0;
  }
  view_watch_step(s);
}

// Pose of the sensor at the time of a sample: the nearest that was kept, else the present one.
static void pose_at(const viewWatched* watched, double time, double pose[6]) {
  double nearest = HUGE_VAL;
  const int kept = watched->poses < VIEW_POSES ? watched->poses : VIEW_POSES;
  for (int i = 0; i < kept; i++) {
    const double away = fabs(watched->pose[i][0] - time);
    if (away >= nearest) continue;
    nearest = away;
    memcpy(pose, watched->pose[i] + 1, 6 * sizeof *pose);
  }
}

static void look(viewSimulation* s, viewWatched* watched) {
  const rutModel* model = view_simulation_model(s);
  double pose[6];
  const double stamp = view_sample_time(model, s->now.data, watched->sensor);
  const bool is_new = stamp >= 0 && stamp != watched->stamp;
  if (!is_new && !watched->pose) return;
  rut_sensor_pose(model, s->now.data, watched->sensor, pose);
  if (watched->pose) {
    double* kept = watched->pose[watched->poses++ % VIEW_POSES];
    kept[0] = rut_time(s->now.data);
    memcpy(kept + 1, pose, sizeof pose);
  }
  if (!is_new) return;
  const double wall = cli_clock();
  if (wall < watched->due) return;
  if (watched->pose) pose_at(watched, stamp, pose);
  viewBytes* bytes = view_sample_encode(model, s->now.data, watched->sensor, pose, watched->layers);
  if (!bytes) return;
  watched->stamp = stamp;
  watched->due = wall + 1.0 / VIEW_SAMPLE_RATE;
  if (s->video.vehicle >= 0) {
    view_video_sample(&s->video, watched->sensor, bytes);
    return;
  }
  view_samples_put(&s->hub->samples, watched->sensor, bytes);
  s->show = true;
}

void view_watch_step(viewSimulation* s) {
  for (int i = 0; i < s->watching; i++) look(s, &s->watched[i]);
}
