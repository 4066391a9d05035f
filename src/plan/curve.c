// SPDX-License-Identifier: BSD-3-Clause
//
// Arcs and straight lines of a car, and samples of them.
#include "plan/curve.h"

#include "math/rut_math.h"

rutPlanPose rut_plan_drive(const rutPlanPose* from, double length, double curvature) {
  // the chord of an arc points halfway between its headings
  const double half = 0.5 * length * curvature;
  const double chord = length * rut_chord_ratio(half, rut_sin(half));
  double sine, cosine;
  rut_sincos(from->yaw + half, &sine, &cosine);
  return (rutPlanPose){from->x + chord * cosine, from->y + chord * sine, from->yaw + 2 * half};
}

double rut_plan_wrap(double angle) {
  const double rest = angle - 2 * RUT_PI * rut_floor(angle / (2 * RUT_PI) + 0.5);
  // angles that no longer resolve a turn leave more
  return rut_clamp(rest, -RUT_PI, RUT_PI);
}

rutPlanPose rut_plan_local(const rutPlanPose* from, const rutPlanPose* to, double scale) {
  double sine, cosine;
  rut_sincos(from->yaw, &sine, &cosine);
  const double dx = (to->x - from->x) / scale, dy = (to->y - from->y) / scale;
  return (rutPlanPose){cosine * dx + sine * dy, cosine * dy - sine * dx,
                       rut_plan_wrap(to->yaw - from->yaw)};
}

bool rut_plan_pose_is_finite(const rutPlanPose* pose) {
  return rut_is_finite(pose->x) && rut_is_finite(pose->y) && rut_is_finite(pose->yaw);
}

bool rut_plan_reaches(const rutPlanCurve* curve, const rutPlanPose* to) {
  static const double NEAR = 1e-9;  // [turning radii, rad]
  rutPlanPose p = {0, 0, 0};
  for (int i = 0; i < curve->pieces; i++) {
    p = rut_plan_drive(&p, curve->piece[i].length, curve->piece[i].curvature);
  }
  const double near = NEAR * (1 + rut_abs(to->x) + rut_abs(to->y));
  return rut_hypot(p.x - to->x, p.y - to->y) < near &&
         rut_abs(rut_plan_wrap(p.yaw - to->yaw)) < near;
}

void rut_plan_add_piece(rutPlanCurve* curve, double length, int turn) {
  static const double NOTHING = 1e-12;  // shorter pieces are rounding [turning radii]
  if (rut_abs(length) < NOTHING) return;
  curve->piece[curve->pieces++] = (rutPlanPiece){length, turn};
  curve->length += rut_abs(length);
}

void rut_plan_scale(rutPlanCurve* curve, double radius) {
  for (int i = 0; i < curve->pieces; i++) {
    curve->piece[i].length *= radius;
    curve->piece[i].curvature /= radius;
  }
  curve->length *= radius;
}

// Parts of a piece, none longer than a spacing; without one, or of what is not finite, one.
static int parts_of(double size, double spacing) {
  static const double MOST = 1e6, ROUNDING = 1e-9;
  const double parts = size / spacing;
  if (!(parts > 1) || !rut_is_finite(size)) return 1;
  return (int)rut_min(-rut_floor(ROUNDING - parts), MOST);
}

int rut_plan_sample(const rutPlanSampling* s, int most, rutPlanPoint* out) {
  int n = 0;
  double driven = 0;
  rutPlanPose pose = s->from;
  const double first = s->pieces > 0 ? s->piece[0].length : 0;
  if (most > 0) {
    const double curvature = s->pieces > 0 ? s->piece[0].curvature : 0;
    out[0] = (rutPlanPoint){pose, 0, curvature, first < 0 ? -1 : 1};
  }
  n++;
  for (int i = 0; i < s->pieces; i++) {
    const rutPlanPiece* p = &s->piece[i];
    const double size = rut_abs(p->length);
    const int parts = parts_of(size, s->spacing);
    if (parts > INT32_MAX - n) break;
    for (int k = 1; k <= parts; k++) {
      const double part = (double)k / parts;
      if (n < most) {
        out[n] = (rutPlanPoint){rut_plan_drive(&pose, p->length * part, p->curvature),
                                driven + size * part, p->curvature, p->length < 0 ? -1 : 1};
      }
      n++;
    }
    pose = rut_plan_drive(&pose, p->length, p->curvature);
    driven += size;
  }
  return n;
}
