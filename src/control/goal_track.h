// SPDX-License-Identifier: BSD-3-Clause
//
// The own track of a vehicle, and the way back along it: over ground that it has just driven on.
#ifndef RUT_CONTROL_GOAL_TRACK_H
#define RUT_CONTROL_GOAL_TRACK_H

#include "control/goal_path.h"

enum { RUT_GOAL_TRACK = 32 };

// Between poses of the track [m].
#define RUT_GOAL_TRACK_STEP 0.5

// Add a pose to a track of *tracked poses, x, y and yaw of each, the newest last; the oldest goes
// where there is no room. False if the newest one is no further away than a step.
static inline bool rut_goal_track_keep(double* track, double* tracked, const rutPlanPose* pose) {
  const int n = (int)*tracked;
  const double* last = &track[3 * (n > 0 ? n - 1 : 0)];
  if (n > 0 && rut_hypot(pose->x - last[0], pose->y - last[1]) < RUT_GOAL_TRACK_STEP) return false;
  if (n == RUT_GOAL_TRACK) memmove(track, track + 3, 3 * (RUT_GOAL_TRACK - 1) * sizeof(double));
  double* to = &track[3 * (n < RUT_GOAL_TRACK ? n : RUT_GOAL_TRACK - 1)];
  to[0] = pose->x;
  to[1] = pose->y;
  to[2] = pose->yaw;
  *tracked = n < RUT_GOAL_TRACK ? n + 1 : RUT_GOAL_TRACK;
  return true;
}

// A way back along a track.
typedef struct rutGoalBack {
  rutGoalPath path;
  double length;  // [m]
  int used;       // poses that it leads over
} rutGoalBack;

// The way back from a pose, of `most` at least where the track is that long [m], in arcs no
// narrower than a radius.
static inline rutGoalBack rut_goal_track_back(const double* track, double tracked,
                                              const rutPlanPose* pose, double most, double radius) {
  rutPlanPose at = *pose;
  rutGoalBack back = {.path.from = {pose->x, pose->y, pose->yaw}};
  rutGoalPath* path = &back.path;
  while (back.used < (int)tracked && back.length < most && path->pieces < RUT_GOAL_PIECES) {
    const double* to = &track[3 * ((int)tracked - ++back.used)];
    const double length = rut_hypot(to[0] - at.x, to[1] - at.y);
    double turn = to[2] - at.yaw;
    turn -= 2 * RUT_PI * rut_floor(turn / (2 * RUT_PI) + 0.5);
    if (length < 0.5 * RUT_GOAL_TRACK_STEP) continue;
    const int i = (int)path->pieces;
    path->length[i] = -length;
    path->curvature[i] = rut_clamp(-turn / length, -1 / radius, 1 / radius);
    path->pieces += 1;
    at = rut_plan_drive(&at, -length, path->curvature[i]);
    back.length += length;
  }
  return back;
}

#endif  // RUT_CONTROL_GOAL_TRACK_H
