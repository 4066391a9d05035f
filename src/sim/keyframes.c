// SPDX-License-Identifier: BSD-3-Clause
#include "sim/keyframes.h"

#include <string.h>

#include "math/rut_math.h"

double rut_keyframe_time(const rutBlockRecord* block, double time) {
  const double t = rut_max(time - block->delay, 0);
  const double end = block->keyframe[block->keyframes - 1].time;
  // the pose at the end itself would be that of the beginning
  return block->once ? rut_min(t, end * (1 - 1e-15)) : t;
}

int rut_keyframe_find(const rutKeyframe* frame, int n, double time, double* passed) {
  const double period = frame[n - 1].time;
  const double t = period > 0 ? time - period * rut_floor(time / period) : 0;
  // the first keyframe at or after that time
  int k = 1, last = n - 1;
  while (k < last) {
    const int middle = (k + last) / 2;
    if (frame[middle].time < t)
      k = middle + 1;
    else
      last = middle;
  }
  const rutKeyframe *a = &frame[k - 1], *b = &frame[k];
  *passed = rut_clamp((t - a->time) / (b->time - a->time), 0, 1);
  return k;
}

void rut_keyframe_pose(const rutKeyframe* frame, int n, double time, double pose[6]) {
  if (n == 1) {
    memcpy(pose, frame[0].pose, sizeof frame[0].pose);
    return;
  }
  double f;
  const int k = rut_keyframe_find(frame, n, time, &f);
  const rutKeyframe *a = &frame[k - 1], *b = &frame[k];
  for (int i = 0; i < 6; i++) {
    double change = b->pose[i] - a->pose[i];
    // angles take the short way round
    if (i >= 3) change -= 2 * RUT_PI * rut_floor(change / (2 * RUT_PI) + 0.5);
    pose[i] = a->pose[i] + f * change;
  }
}
