// SPDX-License-Identifier: BSD-3-Clause
//
// Shortest paths forward (Dubins, Amer. J. Math. 79, 1957): of three pieces, arcs of the turning
// radius at both ends. All from the origin, radius 1. Words that begin to the right are those that
// begin to the left in a mirror.
#include "math/rut_math.h"
#include "plan/curve.h"

enum { LSL, LSR, LRL, FAMILIES };

// Angle in [0, 2 pi); rounding below 0 is 0.
static double positive(double angle) {
  static const double ROUNDING = 1e-12;
  const double turn = 2 * RUT_PI, a = angle - turn * rut_floor(angle / turn);
  return a > turn - ROUNDING ? 0 : a;
}

// Word of a family that begins to the left, as lengths of its pieces. False if there is none.
static bool solve(int family, const rutPlanPose* to, double length[3]) {
  double sine, cosine;
  rut_sincos(to->yaw, &sine, &cosine);
  // from the centre of the first circle to that of the last one
  const double side = family == LSR ? -1 : 1;
  const double x = to->x - side * sine, y = to->y - 1 + side * cosine;
  const double d = rut_hypot(x, y), heading = rut_atan2(y, x);
  if (family == LSL) {
    length[0] = positive(heading);
    length[1] = d;
    length[2] = positive(to->yaw - heading);
    return true;
  }
  if (family == LSR) {
    if (d < 2) return false;
    length[1] = rut_sqrt(d * d - 4);
    length[0] = positive(heading + rut_atan2(2, length[1]));
    length[2] = positive(length[0] - to->yaw);
    return true;
  }
  // centres of three circles that touch are a triangle with sides 2, 2 and d; the middle arc turns
  // by more than half a turn
  if (d > 4) return false;
  const double base = rut_acos(0.25 * d);
  length[0] = positive(heading + base + 0.5 * RUT_PI);
  length[1] = RUT_PI + 2 * base;
  length[2] = positive(to->yaw - length[0] + length[1]);
  return true;
}

rutPlanCurve rut_plan_dubins(const rutPlanPose* from, const rutPlanPose* to, double radius) {
  static const struct {
    int family, turn[3];
  } word[] = {{LSL, {1, 0, 1}},  {LSL, {-1, 0, -1}}, {LSR, {1, 0, -1}},
              {LSR, {-1, 0, 1}}, {LRL, {1, -1, 1}},  {LRL, {-1, 1, -1}}};
  rutPlanCurve best = {.length = RUT_INFINITY};
  if (!(radius > 0) || !rut_is_finite(radius) || !rut_plan_pose_is_finite(from) ||
      !rut_plan_pose_is_finite(to)) {
    return best;
  }
  const rutPlanPose local = rut_plan_local(from, to, radius);
  for (int i = 0; i < (int)(sizeof word / sizeof *word); i++) {
    const double mirror = word[i].turn[0];
    const rutPlanPose target = {local.x, mirror * local.y, mirror * local.yaw};
    double length[3];
    rutPlanCurve curve = {.pieces = 0};
    if (!solve(word[i].family, &target, length)) continue;
    for (int k = 0; k < 3; k++) rut_plan_add_piece(&curve, length[k], word[i].turn[k]);
    if (curve.length < best.length && rut_plan_reaches(&curve, &local)) best = curve;
  }
  rut_plan_scale(&best, radius);
  return best;
}
