// SPDX-License-Identifier: BSD-3-Clause
#include "view/pace.h"

#include <math.h>

// A larger delay is not made up for [s].
static const double PATIENCE = 0.1;
static const double MARK_EVERY = 0.1;

void view_pace_start(viewPace* p, double rate, double wall, double time) {
  p->rate = rate;
  p->wall = wall;
  p->time = time;
  p->marks = 0;
}

double view_pace_due(viewPace* p, double wall, double time, double dt) {
  const double due = p->time + (wall - p->wall) * p->rate;
  // in slow motion a step may take longer than the patience
  const double most = fmax(PATIENCE * p->rate, dt);
  if (due - time <= most) return due;
  p->wall = wall;
  p->time = time + most;
  return p->time;
}

double view_pace_wall(const viewPace* p, double time) {
  return p->rate > 0 ? p->wall + (time - p->time) / p->rate : p->wall;
}

double view_pace_factor(viewPace* p, double wall, double time) {
  const int last = (p->marks + VIEW_PACE_MARKS - 1) % VIEW_PACE_MARKS;
  if (p->marks == 0 || wall - p->mark[last].wall >= MARK_EVERY) {
    p->mark[p->marks % VIEW_PACE_MARKS].wall = wall;
    p->mark[p->marks++ % VIEW_PACE_MARKS].time = time;
  }
  const int first = p->marks > VIEW_PACE_MARKS ? p->marks % VIEW_PACE_MARKS : 0;
  const double passed = wall - p->mark[first].wall;
  return passed > 0 ? (time - p->mark[first].time) / passed : 0;
}
