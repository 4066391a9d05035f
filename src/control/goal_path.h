// SPDX-License-Identifier: BSD-3-Clause
//
// A path of arcs and straight lines, forward and in reverse, and the curvature that follows it.
//
// Offset e from the path, positive to the left, and heading error psi obey, along the way s driven
// forward, e' = psi, psi' = k - k_path. With k = k_path - 2 psi/d - e/d^2 the offset dies as
// (a + b s) exp(-s/d). In reverse the way is -s: k = k_path + 2 psi/d - e/d^2 does the same.
#ifndef RUT_CONTROL_GOAL_PATH_H
#define RUT_CONTROL_GOAL_PATH_H

#include <string.h>

#include "math/rut_math.h"
#include "rut/plan.h"

enum { RUT_GOAL_PIECES = 48 };

// All numbers are doubles, so that a path is rows of a state.
typedef struct rutGoalPath {
  double from[3];  // x, y, yaw of its start [m, rad]
  double pieces;
  double length[RUT_GOAL_PIECES];     // driven, negative in reverse [m]
  double curvature[RUT_GOAL_PIECES];  // [1/m]
  double piece;                       // that is driven now
  double along;                       // driven of it, 0 or more [m]
} rutGoalPath;

static inline rutPlanPose rut_goal_path_start(const rutGoalPath* p, int piece) {
  rutPlanPose pose = {p->from[0], p->from[1], p->from[2]};
  for (int i = 0; i < piece; i++) pose = rut_plan_drive(&pose, p->length[i], p->curvature[i]);
  return pose;
}

RUT_INLINE double rut_goal_gear(const rutGoalPath* p, int piece) {
  return p->length[piece] < 0 ? -1 : 1;
}

// Way to the end of the path, or to the next change of gear [m].
static inline double rut_goal_path_left(const rutGoalPath* p, bool gear) {
  double left = -p->along;
  for (int i = (int)p->piece; i < (int)p->pieces; i++) {
    if (gear && rut_goal_gear(p, i) != rut_goal_gear(p, (int)p->piece)) break;
    left += rut_abs(p->length[i]);
  }
  return rut_max(left, 0);
}

// Lengths that take as long: of a way in reverse over its own, and of a change of gear over the
// turning radius.
#define RUT_GOAL_REVERSE 4.0
#define RUT_GOAL_CHANGE  2.5

// What the rest of the path costs [m]: reverse more than its length, and a way for each change of
// gear, from that the vehicle is in.
static inline double rut_goal_path_price(const rutGoalPath* p, double gear, double change) {
  double price = 0, along = p->along;
  for (int i = (int)p->piece; i < (int)p->pieces; i++) {
    const double own = rut_goal_gear(p, i), length = rut_max(rut_abs(p->length[i]) - along, 0);
    price += (own < 0 ? RUT_GOAL_REVERSE : 1) * length + (own != gear ? change : 0);
    gear = own;
    along = 0;
  }
  return price;
}

// Pose a way ahead on the path, its end beyond that.
static inline rutPlanPose rut_goal_path_ahead(const rutGoalPath* p, double way) {
  int i = (int)p->piece;
  rutPlanPose pose = rut_goal_path_start(p, i);
  double rest = p->along + way;
  for (; i < (int)p->pieces; i++) {
    const double length = rut_abs(p->length[i]);
    if (rest <= length) return rut_plan_drive(&pose, rut_goal_gear(p, i) * rest, p->curvature[i]);
    pose = rut_plan_drive(&pose, p->length[i], p->curvature[i]);
    rest -= length;
  }
  return pose;
}

// Poses along the whole path, each piece in parts of equal length of about `apart` [m], or longer
// ones where room for n poses, more than pieces, is too little. Returns their number.
static inline int rut_goal_path_poses(const rutGoalPath* p, double apart, int n,
                                      double (*pose)[3]) {
  const int pieces = (int)p->pieces;
  double length = 0;
  for (int i = 0; i < pieces; i++) length += rut_abs(p->length[i]);
  apart = rut_max(apart, length / (n - 1 - pieces));
  rutPlanPose at = {p->from[0], p->from[1], p->from[2]};
  int used = 0;
  for (int i = 0; i < pieces; i++) {
    const int parts = -(int)rut_floor(-rut_abs(p->length[i]) / apart);
    for (int k = 0; k < parts && used < n - 1; k++) {
      const rutPlanPose to = rut_plan_drive(&at, p->length[i] * k / parts, p->curvature[i]);
      memcpy(pose[used++], (const double[3]){to.x, to.y, to.yaw}, sizeof *pose);
    }
    at = rut_plan_drive(&at, p->length[i], p->curvature[i]);
  }
  memcpy(pose[used++], (const double[3]){at.x, at.y, at.yaw}, sizeof *pose);
  return used;
}

// Gear in which it is driven a way ahead, that of its end beyond that.
static inline double rut_goal_path_gear(const rutGoalPath* p, double way) {
  int i = (int)p->piece;
  double rest = p->along + way;
  while (i + 1 < (int)p->pieces && rest > rut_abs(p->length[i])) rest -= rut_abs(p->length[i++]);
  return rut_goal_gear(p, i);
}

// Where a vehicle is off its path.
typedef struct rutGoalError {
  double offset;   // to the left of the path [m]
  double heading;  // from that of the path [rad]
} rutGoalError;

// Find the nearest place of the piece that is driven, and go on to the next piece where that is
// done: to one of another gear only where the vehicle stands, at most `near` before its end [m].
static inline rutGoalError rut_goal_path_find(rutGoalPath* p, const rutPlanPose* at, bool stands,
                                              double near) {
  enum { STEPS = 4 };
  static const double LEAST_SLOPE = 0.3;
  rutGoalError error = {0};
  for (;;) {
    const int i = (int)p->piece;
    const double gear = rut_goal_gear(p, i), length = rut_abs(p->length[i]);
    const rutPlanPose start = rut_goal_path_start(p, i);
    double s = p->along, along = 0;
    for (int k = 0; k <= STEPS; k++) {
      const rutPlanPose here = rut_plan_drive(&start, gear * s, p->curvature[i]);
      double sine, cosine;
      rut_sincos(here.yaw, &sine, &cosine);
      const double dx = at->x - here.x, dy = at->y - here.y;
      along = gear * (cosine * dx + sine * dy);
      error.offset = cosine * dy - sine * dx;
      const double turn = at->yaw - here.yaw;
      error.heading = turn - 2 * RUT_PI * rut_floor(turn / (2 * RUT_PI) + 0.5);
      // Newton's method; near the centre of an arc the slope is of no use
      const double slope = rut_max(1 - p->curvature[i] * error.offset, LEAST_SLOPE);
      if (k < STEPS) s = rut_clamp(s + along / slope, 0, length);
    }
    p->along = s;
    const bool last = i + 1 >= (int)p->pieces;
    const bool changes = !last && rut_goal_gear(p, i + 1) != gear;
    const bool done = s >= length || (stands && length - s < near && (changes || last));
    if (!done || last || (changes && !stands)) return error;
    p->piece += 1;
    p->along = 0;
  }
}

// Curvature that follows the path [1/m]; correction: the way d in which offsets die [m].
RUT_INLINE double rut_goal_curvature(const rutGoalPath* p, rutGoalError error, double correction) {
  const int i = (int)p->piece;
  const double gear = rut_goal_gear(p, i), d = correction;
  const double offset = rut_clamp(error.offset, -d, d);
  return p->curvature[i] - gear * 2 * error.heading / d - offset / (d * d);
}

#endif  // RUT_CONTROL_GOAL_PATH_H
