// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/cam.h"

#include <stdbool.h>

#include "math/lanes.h"

// Places per radius, about: an obstacle of a fiftieth of a wheel's radius is seen.
static const double FINENESS = 60;
// Ground higher than so much below the hub has a face there, of the radius.
static const double LEAST_RISE = 0.05;
// Height of the hub over level ground from which on its feet are free, of the radius.
static const double LOWEST = 0.6;

rutCam rut_cam_of(double radius, double length, double height, double order, double distance) {
  const double fine = radius / FINENESS, half = 0.5 * distance;
  // a place below the middle of each cam
  const double steps = rut_floor(half / fine + 0.5);
  const double spacing = steps > 0 ? half / steps : fine, low = LOWEST * radius;
  const double places = rut_min((length + half) / spacing + 1, RUT_CAM_REACH);
  return (rutCam){.radius = radius,
                  .length = length,
                  .height = height,
                  .order = order,
                  .distance = distance,
                  .spacing = spacing,
                  .guard = rut_hypot(low, half) - low,
                  .reach = (int)places};
}

// x^order of a number that is not negative, fast and alike everywhere.
RUT_INLINE double power_of(double x, double order) {
  static const double LEAST = 1e-300;
  return rut_exp(order * rut_log(rut_max(x, LEAST)));
}

void rut_cam_powers(const rutCam* cam, double* power) {
  for (int j = 0; j <= 2 * cam->reach; j++) {
    const double x = (j - cam->reach) * cam->spacing - 0.5 * cam->distance;
    power[j] = power_of(rut_abs(x) / cam->length, cam->order);
  }
}

// A wheel over a line of ground.
typedef struct Stance {
  rutCam cam;
  const rutCamLine* line;
  double hub, grade, scale;  // scale: cosine of the slope of the ground at large
} Stance;

// What both cams have in common at a point: its depth below the hub, as a power of the gauge, and
// the least power that the round of the tyre allows.
typedef struct Points {
  double rise[RUT_CAM_POINTS], high[RUT_CAM_POINTS], round[RUT_CAM_POINTS];
} Points;

RUT_INLINE int places_of(const rutCam* cam) { return 2 * cam->reach + 1; }

// Depth of a point at u below the hub, along the normal of the ground at large.
RUT_INLINE double depth_of(const Stance* s, double u, double z) {
  return rut_max(s->scale * (s->hub - z + s->grade * u), LEAST_RISE * s->cam.radius);
}

RUT_INLINE void measure(const Stance* s, int i, double u, Points* p) {
  const double z = s->line->z[i], over = depth_of(s, u, z), lift = s->cam.height - s->cam.radius;
  const double up = rut_max(over + lift, LEAST_RISE * s->cam.radius), inverse = 1 / s->cam.height;
  const double far = rut_sqrt(u * u + over * over) - s->cam.guard + lift;
  const int ground = z == z;
  p->rise[i] = up;
  p->high[i] = ground ? power_of(up * inverse, s->cam.order) : RUT_INFINITY;
  p->round[i] = power_of(rut_max(far, 0) * inverse, s->cam.order);
}

RUT_CLONES static void measure_places(const Stance* stance, Points* restrict p) {
  const Stance s = *stance;
  const int n = places_of(&s.cam);
#pragma omp simd
  for (int j = 0; j < n; j++) measure(&s, j, (j - s.cam.reach) * s.cam.spacing, p);
}

// The point on which a cam stands.
typedef struct Foot {
  int point;
  double x;    // the part of its gauge along the line, as a power
  double off;  // from the middle of the cam [m]
} Foot;

// The distance where a cam stands on a point, and its changes.
static rutCamTouch touch_at(const Stance* s, const Points* p, Foot foot) {
  static const double LEAST = 1e-9;  // [m]
  const rutCam* cam = &s->cam;
  const int j = foot.point, n = places_of(cam);
  const bool corner = j >= n;
  const double u = corner ? s->line->u[j - n] : (j - cam->reach) * cam->spacing;
  const double gauge = foot.x + p->high[j], power = rut_max(gauge, p->round[j]);
  const double size = power_of(power, 1 / cam->order);
  rutCamTouch t = {.distance = cam->height * size + cam->radius - cam->height};
  if (p->round[j] > gauge) {
    const double over = depth_of(s, u, s->line->z[j]), far = rut_sqrt(u * u + over * over);
    t.up = s->scale * over / far;
    t.along = corner ? -u / far - s->grade * t.up : -t.up * s->line->slope[j];
    return t;
  }
  const double rate = size / power, away = rut_max(rut_abs(foot.off), LEAST);
  t.up = s->scale * rate * p->high[j] * cam->height / p->rise[j];
  const double aside = rut_copysign(cam->height * rate * foot.x / away, foot.off);
  t.along = corner ? -aside - s->grade * t.up : -t.up * s->line->slope[j];
  return t;
}

// The cam whose middle is at `middle` from the hub; powers of its places in steps.
static rutCamTouch stand(const Stance* s, const Points* p, const double* power, int step,
                         double middle) {
  static const double SAME = 1e-12;
  const rutCam* cam = &s->cam;
  const int n = places_of(cam);
  double least = RUT_INFINITY;
  Foot foot = {.point = -1};
  for (int j = 0; j < n; j++) {
    const double x = power[step * j], whole = rut_max(x + p->high[j], p->round[j]);
    if (!(whole < least)) continue;
    least = whole;
    foot = (Foot){j, x, (j - cam->reach) * cam->spacing - middle};
  }
  for (int k = 0; k < s->line->corners; k++) {
    const double off = s->line->u[k] - middle;
    const double x = power_of(rut_abs(off) / cam->length, cam->order);
    const double whole = rut_max(x + p->high[n + k], p->round[n + k]);
    // where a place of the line is at a corner, the corner holds: it is what moves along the cam
    if (!(whole <= least * (1 + SAME))) continue;
    least = whole;
    foot = (Foot){n + k, x, off};
  }
  if (foot.point < 0) return (rutCamTouch){RUT_INFINITY, 0, 1};
  return touch_at(s, p, foot);
}

rutCamPair rut_cam_stand(const rutCam* cam, const double* power, const rutCamLine* line,
                         rutCamPlace at) {
  const double scale = 1 / rut_sqrt(1 + at.grade * at.grade + at.bank * at.bank);
  const double half = 0.5 * cam->distance;
  const int n = places_of(cam);
  const Stance s = {*cam, line, at.z, at.grade, scale};
  Points p;
  measure_places(&s, &p);
  for (int k = 0; k < line->corners; k++) measure(&s, n + k, line->u[k], &p);
  return (rutCamPair){.front = stand(&s, &p, power, 1, half),
                      .rear = stand(&s, &p, power + n - 1, -1, -half)};
}
