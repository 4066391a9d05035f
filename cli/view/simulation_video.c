// SPDX-License-Identifier: BSD-3-Clause
//
// What a page that drives from afar is shown.
#include "view/simulation_parts.h"

static rutPackets packets_of(const viewSimulation* s, int vehicle) {
  return view_video_packets(&s->now.driver[vehicle].video);
}

static void take(viewSimulation* s, viewSnapshot* snapshot) {
  view_snapshot_take(&s->hub->shape, view_simulation_model(s), s->now.data, snapshot);
  snapshot->late = true;
}

void view_video_take(viewSimulation* s, int vehicle) {
  if (!s->now.driver[vehicle].by_video || s->video.vehicle >= 0) return;
  const rutPackets packets = packets_of(s, vehicle);
  if (!view_video_begin(&s->hub->shape, vehicle, &packets, &s->video)) {
    view_hub_error(s->hub, -1, "no memory for pictures that are late: they come at once");
    return;
  }
  take(s, &s->video.now.snapshot);
  s->show = true;
}

void view_video_release(viewSimulation* s, int vehicle) {
  if (s->video.vehicle != vehicle) return;
  view_video_end(&s->video);
  s->show = true;
}

void view_video_jump(viewSimulation* s) {
  if (s->video.vehicle < 0) return;
  view_video_restart(&s->video);
  take(s, &s->video.now.snapshot);
}

static void put(void* user, int source, viewBytes* bytes) {
  viewSimulation* s = user;
  view_samples_put(&s->hub->samples, source, bytes);
}

void view_video_step(viewSimulation* s) {
  const int64_t now = rut_steps(s->now.data);
  const rutPackets packets = packets_of(s, s->video.vehicle);
  const int64_t arrives =
      rut_packet_arrival(view_simulation_model(s), s->now.data, s->video.vehicle, &packets, now);
  viewSnapshot* snapshot = arrives >= 0 ? view_video_send(&s->video, now, arrives) : NULL;
  if (snapshot) take(s, snapshot);
  if (view_video_arrive(&s->video, now, put, s)) s->show = true;
}
