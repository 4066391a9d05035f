// SPDX-License-Identifier: BSD-3-Clause
//
// Speeds along a path by a pass forward and one backward (Kapania, Subosits, Gerdes, "A sequential
// two-step algorithm for fast generation of vehicle racing trajectories", ASME JDSMC 138(9), 2016).
#include "math/rut_math.h"
#include "rut/plan.h"

double rut_plan_sight_speed(double distance, double deceleration, double reaction) {
  if (!(distance > 0) || !(deceleration > 0)) return 0;
  if (distance == RUT_INFINITY) return RUT_INFINITY;
  const double at = deceleration * reaction;
  return rut_sqrt(at * at + 2 * deceleration * distance) - at;
}

rutPlanLimits rut_default_plan_limits(void) {
  return (rutPlanLimits){.speed = 25,
                         .lateral = 4.72,
                         .acceleration = 2,
                         .deceleration = 4,
                         .friction = 0.8,
                         .gravity = 9.81,
                         .sight = RUT_INFINITY,
                         .margin = 5,
                         .reaction = 0.5};
}

// What curvature leaves of the friction circle at a speed, and no more than wanted.
static double along(const rutPlanLimits* l, double wanted, double squared, double curvature) {
  const double grip = l->friction * l->gravity, across = squared * curvature;
  const double left = grip * grip - across * across;
  return rut_min(wanted, rut_sqrt(rut_max(left, 0)));
}

static double limit_of(const rutPlanTrack* t, const rutPlanLimits* l, double sight, int i) {
  const double curvature = rut_abs(t->curvature[i]);
  const double across = rut_min(l->lateral, l->friction * l->gravity);
  double speed = rut_min(l->speed, sight);
  if (curvature * speed * speed > across) speed = rut_sqrt(across / curvature);
  if (t->limit) speed = rut_min(speed, t->limit[i]);
  return rut_max(speed, 0);
}

// The highest speed one point further, from v with what is left of an acceleration there.
static double reach(const rutPlanTrack* t, const rutPlanLimits* l, double wanted, int from, int to,
                    double v) {
  const double ds = rut_abs(t->distance[to] - t->distance[from]);
  return rut_sqrt(v * v + 2 * ds * along(l, wanted, v * v, t->curvature[from]));
}

// Between neighbouring points at both of which it stands: up to a speed between them and down
// again.
static double time_between_rests(const rutPlanLimits* l, double sight, double ds) {
  const double each = 1 / l->acceleration + 1 / l->deceleration;  // time over speed
  const double peak = rut_min(rut_sqrt(2 * ds / each), rut_min(l->speed, sight));
  return peak > 0 ? ds / peak + 0.5 * peak * each : RUT_INFINITY;
}

// stops: where the limit is 0 it stops, and goes on; else it does not pass such a place.
static double speeds_of(const rutPlanTrack* t, const rutPlanLimits* l, bool stops, double* speed,
                        double* time) {
  if (t->n < 1) return 0;
  const int last = t->n - 1;
  const double sight = rut_plan_sight_speed(l->sight - l->margin, l->deceleration, l->reaction);
  for (int i = 0; i <= last; i++) speed[i] = limit_of(t, l, sight, i);
  speed[0] = rut_min(speed[0], l->start);
  speed[last] = rut_min(speed[last], l->end);
  for (int i = 0; i < last; i++) {
    speed[i + 1] = rut_min(speed[i + 1], reach(t, l, l->acceleration, i, i + 1, speed[i]));
  }
  for (int i = last; i > 0; i--) {
    speed[i - 1] = rut_min(speed[i - 1], reach(t, l, l->deceleration, i, i - 1, speed[i]));
  }
  double sum = 0;
  for (int i = 0; i <= last; i++) {
    const double ds = i > 0 ? t->distance[i] - t->distance[i - 1] : 0;
    const double both = i > 0 ? speed[i] + speed[i - 1] : 0;
    const bool passes = stops || !t->limit || (i > 0 && rut_max(t->limit[i - 1], t->limit[i]) > 0);
    if (ds > 0 && both == 0) sum += passes ? time_between_rests(l, sight, ds) : RUT_INFINITY;
    if (ds > 0 && both > 0) sum += 2 * ds / both;
    if (time) time[i] = sum;
  }
  return sum;
}

double rut_plan_speeds(const rutPlanTrack* t, const rutPlanLimits* l, double* speed, double* time) {
  return speeds_of(t, l, false, speed, time);
}

double rut_plan_point_speeds(int n, const rutPlanPoint* point, const rutPlanLimits* limits,
                             double* work, double* speed, double* time) {
  double *distance = work, *curvature = work + n, *limit = work + 2 * (ptrdiff_t)n;
  for (int i = 0; i < n; i++) {
    const rutPlanPoint* next = &point[i + 1 < n ? i + 1 : i];
    distance[i] = point[i].distance;
    curvature[i] = rut_max(rut_abs(point[i].curvature), rut_abs(next->curvature));
    limit[i] = point[i].gear == next->gear ? RUT_INFINITY : 0;
  }
  const rutPlanTrack track = {n, distance, curvature, limit};
  return speeds_of(&track, limits, true, speed, time);
}
