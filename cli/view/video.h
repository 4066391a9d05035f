// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures on their way to a page that drives from afar: snapshots, and samples of sensors, that
// are sent at a frame rate, and shown when they arrive. What has come last is shown; a picture that
// is overtaken by a newer one is dropped.
#ifndef RUT_VIEW_VIDEO_H
#define RUT_VIEW_VIDEO_H

#include "scene/bytes.h"
#include "scene/snapshot.h"

typedef struct viewPicture {
  viewSnapshot snapshot;
  int64_t number;      // from 1 on, in the order of sending; 0: there is none
  int64_t arrives;     // number of steps made by then
  viewBytes** sample;  // [sources] that were new, NULL: none
} viewPicture;

typedef struct viewVideo {
  const viewShape* shape;  // borrowed
  int vehicle;             // that is driven by it, -1: pictures are live
  viewPicture* picture;    // ring of `places`
  int places;
  int64_t sent, shown;  // numbers of the newest pictures that were sent and shown
  viewPicture now;      // what is shown; its samples are those that wait for the next picture
} viewVideo;

// The packets of a channel as pages are sent them: at most VIEW_FRAME_RATE pictures per second.
rutPackets view_video_packets(const rutPackets* channel);
// Begin: room for all pictures that packets may have on their way. What is shown is for the caller
// to take into `now`. False if out of memory; the video is then off.
bool view_video_begin(const viewShape* shape, int vehicle, const rutPackets* packets,
                      viewVideo* video);
// Pictures are live again.
void view_video_end(viewVideo* video);
// Nothing is on its way any more: time has jumped.
void view_video_restart(viewVideo* video);
// The picture to be filled that arrives after so many steps, with the samples that waited. NULL:
// more are on their way than there is room for, and it is lost.
viewSnapshot* view_video_send(viewVideo* video, int64_t now, int64_t arrives);
// A sample of a source goes with the next picture. Takes bytes over.
void view_video_sample(viewVideo* video, int source, viewBytes* bytes);
// Show the newest picture that has arrived after so many steps. put gets its samples, and owns
// them. False: none has come since the last call.
bool view_video_arrive(viewVideo* video, int64_t now,
                       void (*put)(void* user, int source, viewBytes* bytes), void* user);

#endif  // RUT_VIEW_VIDEO_H
