// SPDX-License-Identifier: BSD-3-Clause
#include "control/goal_ground.h"

static const double SHARE = 1.05;         // of the place where level ground begins to be seen
static const double LONGEST_BLIND = 1.5;  // the same where ground falls away from the start
static const double FARTHEST_EDGE = 1.5;  // the same where edges are looked for

// ---- how the lidar sees ground ----

static double value_at(const rutControlReading* r, int i) {
  const ptrdiff_t at = (ptrdiff_t)i * r->stride;
  return r->type == RUT_F32 ? (double)((const float*)r->value)[at] : ((const double*)r->value)[at];
}

// Angle of a beam below the plane on which the vehicle stands [rad].
static double angle_below(const rutGoalVehicle* v, const rutControlReading* const r[3], int k) {
  double sine, cosine;
  rut_sincos(v->p->lidar_pitch, &sine, &cosine);
  const double x = value_at(r[0], k), y = value_at(r[1], k), z = value_at(r[2], k);
  const double ahead = cosine * x + sine * z, up = cosine * z - sine * x;
  return rut_is_finite(x) ? rut_atan2(-up, rut_hypot(ahead, y)) : -RUT_PI;
}

void rut_goal_begin_ground(rutGoalVehicle* v, const rutControlIn* in, int l) {
  static const double SAME = 1e-3, FLATTEST = 0.01;  // angles of beams [rad]
  rutGoalState* m = v->m;
  if (m->blind > 0 || v->map.def.level || !(v->p->lidar_z > 0)) return;
  const rutControlReading* r[3];
  for (int i = 0; i < 3; i++) r[i] = &in->reading[(RUT_GOAL_X + i) * in->lanes + l];
  double first = 0, second = 0;
  for (int k = 0; k < r[0]->n; k++) first = rut_max(first, angle_below(v, r, k));
  for (int k = 0; k < r[0]->n; k++) {
    const double angle = angle_below(v, r, k);
    if (angle < first - SAME) second = rut_max(second, angle);
  }
  if (first < FLATTEST) return;
  const double height = v->p->lidar_z;
  m->start[0] = v->x;
  m->start[1] = v->y;
  m->blind = height / rut_tan(first);
  // rings of neighbouring beams are apart by their angle times (height^2 + radius^2)/height
  const double square = v->p->gap * height / rut_max(first - second, SAME) - height * height;
  m->near = rut_clamp(rut_sqrt(rut_max(square, 0)), SHARE * m->blind, FARTHEST_EDGE * m->blind);
}

// ---- which ground is known ----

static bool is_ground(const rutGoalVehicle* v, const rutLocalCell* c) {
  return c && c->points > 0 && !(c->log_odds > v->map.def.occupied);
}

// Whether there is measured ground at most half of a gap away, without a step in between.
static bool is_between(const rutGoalVehicle* v, double x, double y) {
  const double r = v->p->resolution;
  const int reach = (int)(0.5 * v->p->gap / r + 1e-9);
  double low = RUT_INFINITY, high = -RUT_INFINITY;
  for (int b = -reach; b <= reach; b++) {
    for (int a = -reach; a <= reach; a++) {
      const rutLocalCell* c = rut_local_map_at(&v->map, x + a * r, y + b * r);
      if (!is_ground(v, c)) continue;
      low = rut_min(low, c->sum / c->points);
      high = rut_max(high, c->sum / c->points);
    }
  }
  const double rise = rut_tan(v->p->max_slope) * 2 * reach * r;
  return high >= low && high - low <= rut_max(v->p->max_step, rise);
}

// Whether the vehicle stood on it, or beside it, before it saw any: nearer than where its lidar
// sees level ground, and beyond that, in the same direction, it does see ground.
static bool is_start(const rutGoalVehicle* v, double x, double y) {
  const rutGoalState* m = v->m;
  const double r = v->p->resolution;
  const double dx = x - m->start[0], dy = y - m->start[1], away = rut_hypot(dx, dy);
  if (!(m->blind > 0) || away > SHARE * m->blind + r) return false;
  const rutPlanFootprint* f = &v->car.footprint;
  if (away < 0.5 * f->width) return true;
  const int steps = (int)((LONGEST_BLIND * m->blind + r - away) / r);
  for (int k = 1; k <= steps; k++) {
    const double to = (away + k * r) / away;
    const rutLocalCell* c = rut_local_map_at(&v->map, m->start[0] + to * dx, m->start[1] + to * dy);
    if (c && c->points > 0) return true;
  }
  return false;
}

bool rut_goal_is_known(const rutGoalVehicle* v, double x, double y) {
  const rutLocalCell* c = rut_local_map_at(&v->map, x, y);
  if (!c) return false;
  if (c->points > 0) return true;
  // a lidar in a plane sees no ground, and knows that it is level
  if (v->map.def.level) return c->log_odds != 0;
  return is_between(v, x, y) || is_start(v, x, y);
}

// ---- where it ends ----

static bool is_under(const rutGoalVehicle* v, double x, double y) {
  const rutPlanFootprint* f = &v->car.footprint;
  double sine, cosine;
  rut_sincos(v->pose.yaw, &sine, &cosine);
  const double dx = x - v->pose.x, dy = y - v->pose.y, r = v->p->resolution;
  const double along = cosine * dx + sine * dy, across = cosine * dy - sine * dx;
  return along < f->front + r && along > -f->rear - r && rut_abs(across) < 0.5 * f->width + r;
}

// Something that was seen; an edge is not.
static bool stands_in_the_way(const rutGoalVehicle* v, const rutLocalCell* c) {
  return c->points > 0 && (c->log_odds > 0 || c->highest - c->lowest > v->p->max_step);
}

void rut_goal_mark_edges(rutGoalVehicle* v) {
  const rutGoalState* m = v->m;
  const double apart = 0.5 * v->p->resolution;
  if (!(m->blind > 0)) return;
  const int rays = (int)(2 * RUT_PI * m->near / v->p->resolution) + 1;
  for (int i = 0; i < rays; i++) {
    double sine, cosine;
    rut_sincos(2 * RUT_PI * i / rays, &sine, &cosine);
    rutLocalCell* before = NULL;  // not measured, beside the last one that was
    for (double way = apart; way <= m->near; way += apart) {
      const double x = v->x + way * cosine, y = v->y + way * sine;
      // a cell of the map is the vehicle's own memory
      rutLocalCell* c = (rutLocalCell*)(uintptr_t)rut_local_map_at(&v->map, x, y);
      if (!c || stands_in_the_way(v, c)) break;
      if (is_under(v, x, y) || rut_goal_is_known(v, x, y)) {
        before = c->points > 0 || is_under(v, x, y) ? NULL : c;
        continue;
      }
      if (c->log_odds < 0) c->log_odds = v->map.def.most;
      if (c->log_odds > 0 && before) before->log_odds = v->map.def.most;
      break;
    }
  }
}
