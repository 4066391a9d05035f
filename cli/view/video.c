// SPDX-License-Identifier: BSD-3-Clause
#include "view/video.h"

#include <math.h>
#include <stdlib.h>

#include "scene/limits.h"

rutPackets view_video_packets(const rutPackets* channel) {
  rutPackets packets = *channel;
  if (!(packets.rate > 0 && packets.rate < VIEW_FRAME_RATE)) packets.rate = VIEW_FRAME_RATE;
  return packets;
}

// ---- pictures ----

static bool create(const viewShape* shape, viewPicture* picture) {
  *picture = (viewPicture){.arrives = -1};
  picture->sample = calloc((size_t)view_shape_sources(shape) + 1, sizeof(viewBytes*));
  return view_snapshot_create(shape, &picture->snapshot) && picture->sample;
}

static void drop_samples(const viewShape* shape, viewPicture* picture) {
  for (int i = 0; picture->sample && i < view_shape_sources(shape); i++) {
    view_bytes_drop(picture->sample[i]);
    picture->sample[i] = NULL;
  }
}

static void destroy(const viewShape* shape, viewPicture* picture) {
  drop_samples(shape, picture);
  free(picture->sample);
  picture->sample = NULL;
  view_snapshot_free(&picture->snapshot);
}

// ---- video ----

bool view_video_begin(const viewShape* shape, int vehicle, const rutPackets* packets,
                      viewVideo* video) {
  // one that is sent, and one that rounding of rates and steps may add
  const int places = (int)ceil((packets->latency + packets->jitter) * packets->rate) + 2;
  *video = (viewVideo){.shape = shape, .vehicle = vehicle};
  bool ready = create(shape, &video->now);
  video->picture = calloc((size_t)places, sizeof *video->picture);
  for (int i = 0; video->picture && ready && i < places; i++) {
    ready = create(shape, &video->picture[i]);
    video->places++;
  }
  if (ready && video->picture) return true;
  view_video_end(video);
  return false;
}

void view_video_end(viewVideo* video) {
  for (int i = 0; i < video->places; i++) destroy(video->shape, &video->picture[i]);
  free(video->picture);
  if (video->shape) destroy(video->shape, &video->now);
  *video = (viewVideo){.vehicle = -1};
}

void view_video_restart(viewVideo* video) {
  for (int i = 0; i < video->places; i++) {
    drop_samples(video->shape, &video->picture[i]);
    video->picture[i].number = 0;
  }
  drop_samples(video->shape, &video->now);
  video->shown = video->sent;
}

viewSnapshot* view_video_send(viewVideo* video, int64_t now, int64_t arrives) {
  viewPicture* picture = &video->picture[(video->sent + 1) % video->places];
  const bool waits = picture->number > video->shown && picture->arrives > now;
  if (waits) return NULL;
  picture->number = ++video->sent;
  picture->arrives = arrives;
  drop_samples(video->shape, picture);
  viewBytes** empty = picture->sample;
  picture->sample = video->now.sample;
  video->now.sample = empty;
  return &picture->snapshot;
}

void view_video_sample(viewVideo* video, int source, viewBytes* bytes) {
  view_bytes_drop(video->now.sample[source]);
  video->now.sample[source] = bytes;
}

// Samples of a picture that is overtaken are those of a newer one, or older than them.
bool view_video_arrive(viewVideo* video, int64_t now,
                       void (*put)(void* user, int source, viewBytes* bytes), void* user) {
  viewPicture* newest = NULL;
  for (int i = 0; i < video->places; i++) {
    viewPicture* picture = &video->picture[i];
    if (picture->number <= video->shown || picture->arrives > now) continue;
    if (!newest || picture->number > newest->number) newest = picture;
  }
  if (!newest) return false;
  video->shown = newest->number;
  view_snapshot_copy(video->shape, &newest->snapshot, &video->now.snapshot);
  for (int k = 0; k < view_shape_sources(video->shape); k++) {
    if (newest->sample[k]) put(user, k, newest->sample[k]);
    newest->sample[k] = NULL;
  }
  return true;
}
