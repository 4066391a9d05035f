// SPDX-License-Identifier: BSD-3-Clause
//
// Samples for the pages that watch them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "scene/sample.h"
#include "view/simulation_parts.h"

void view_watch_free(viewSimulation* s) {
  for (int i = 0; i < s->watching; i++) {
    free(s->watched[i].pose);
    rut_navigation_destroy(s->watched[i].navigation);
  }
  free(s->watched);
  s->watched = NULL;
  s->watching = 0;
}

static bool is_sensor(const viewSimulation* s, int source) {
  return source < s->hub->shape.sensors;
}

// Begin to watch what some page wants.
static void add(viewSimulation* s, int source) {
  for (int i = 0; i < s->watching; i++) {
    if (s->watched[i].source == source) return;
  }
  viewWatched* watched = &s->watched[s->watching++];
  *watched = (viewWatched){
      .source = source, .layers = view_watch_layers(s->watch, source), .stamp = (double)NAN};
  if (!is_sensor(s, source)) {
    view_navigation_begin(s, watched);
    return;
  }
  watched->latency = rut_sensor_info(view_simulation_model(s), source).latency;
  if (watched->latency > 0) watched->pose = calloc(VIEW_POSES, sizeof *watched->pose);
}

void view_watch_change(viewSimulation* s, int client, const viewWatch* watch) {
  view_watch_free(s);
  s->watch[client] = *watch;
  int most = 0;
  for (int i = 0; i < VIEW_CLIENTS; i++) most += s->watch[i].sources;
  s->watched = calloc((size_t)most + 1, sizeof *s->watched);
  for (int i = 0; s->watched && i < VIEW_CLIENTS; i++) {
    for (int k = 0; k < s->watch[i].sources; k++) add(s, s->watch[i].source[k]);
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
  const double stamp = view_sample_time(model, s->now.data, watched->source);
  const bool is_new = stamp >= 0 && stamp != watched->stamp;
  if (!is_new && !watched->pose) return;
  rut_sensor_pose(model, s->now.data, watched->source, pose);
  if (watched->pose) {
    double* kept = watched->pose[watched->poses++ % VIEW_POSES];
    kept[0] = rut_time(s->now.data);
    memcpy(kept + 1, pose, sizeof pose);
  }
  if (!is_new) return;
  const double wall = cli_clock();
  if (wall < watched->due) return;
  if (watched->pose) pose_at(watched, stamp, pose);
  viewBytes* bytes = view_sample_encode(model, s->now.data, watched->source, pose, watched->layers);
  if (!bytes) return;
  watched->stamp = stamp;
  watched->due = wall + 1.0 / VIEW_SAMPLE_RATE;
  view_watch_put(s, watched, bytes);
}

void view_watch_put(viewSimulation* s, const viewWatched* watched, viewBytes* bytes) {
  if (s->video.vehicle >= 0) {
    view_video_sample(&s->video, watched->source, bytes);
    return;
  }
  view_samples_put(&s->hub->samples, watched->source, bytes);
  s->show = true;
}

void view_watch_step(viewSimulation* s) {
  for (int i = 0; i < s->watching; i++) {
    viewWatched* watched = &s->watched[i];
    if (is_sensor(s, watched->source)) {
      look(s, watched);
    } else {
      view_navigation_look(s, watched);
    }
  }
}
