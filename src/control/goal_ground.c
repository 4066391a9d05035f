// SPDX-License-Identifier: BSD-3-Clause
#include "control/goal_ground.h"

static const double SHARE = 1.05;         // of the place where level ground begins to be seen
static const double LONGEST_BLIND = 1.5;  // the same where ground falls away from the start
static const double FARTHEST_EDGE = 1.5;  // the same where edges are looked for
static const double FLATTEST = 0.01;      // sine of the angle of a beam that sees ground

// ---- how the lidar sees ground ----

static double value_at(const rutControlReading* r, int i) {
  const ptrdiff_t at = (ptrdiff_t)i * r->stride;
  return r->type == RUT_F32 ? (double)((const float*)r->value)[at] : ((const double*)r->value)[at];
}

// Angle of a beam below the plane of its lidar [rad].
static double angle_below(const rutControlReading* const r[3], int k) {
  const double x = value_at(r[0], k), y = value_at(r[1], k), z = value_at(r[2], k);
  return rut_is_finite(x) ? rut_atan2(-z, rut_hypot(x, y)) : -RUT_PI;
}

void rut_goal_begin_ground(rutGoalVehicle* v, const rutControlIn* in, int l) {
  static const double SAME = 1e-3;  // angles of beams [rad]
  rutGoalState* m = v->m;
  if (m->steepest != 0 || v->map.def.level || !(v->p->lidar_z > 0)) return;
  const rutControlReading* r[3];
  for (int i = 0; i < 3; i++) r[i] = &in->reading[(RUT_GOAL_X + i) * in->lanes + l];
  double first = -RUT_PI, second = -RUT_PI;
  for (int k = 0; k < r[0]->n; k++) first = rut_max(first, angle_below(r, k));
  for (int k = 0; k < r[0]->n; k++) {
    const double angle = angle_below(r, k);
    if (angle < first - SAME) second = rut_max(second, angle);
  }
  if (first + rut_abs(v->p->lidar_pitch) < FLATTEST) return;
  m->steepest = first;
  // rings of neighbouring beams are apart by their angle times (height^2 + radius^2)/height
  const double height = v->p->lidar_z;
  const double square = v->p->gap * height / rut_max(first - second, SAME) - height * height;
  m->ring = rut_sqrt(rut_max(square, 0));
  double sine, cosine;
  rut_sincos(v->yaw, &sine, &cosine);
  const double ahead = -rut_tan(v->pitch), left = rut_tan(v->roll);
  m->start = (rutGoalStart){.x = v->x,
                            .y = v->y,
                            .z = v->z,
                            .yaw = v->yaw,
                            .slope = {cosine * ahead - sine * left, sine * ahead + cosine * left}};
}

// The lidar where a vehicle stands, and the direction in which it is pitched down.
typedef struct Lidar {
  double x, y, forward[2];
} Lidar;

static Lidar lidar_at(const rutGoalParam* p, double x, double y, double yaw) {
  double sine, cosine;
  Lidar out;
  rut_sincos(yaw, &sine, &cosine);
  out.x = x + cosine * p->lidar_x - sine * p->lidar_y;
  out.y = y + sine * p->lidar_x + cosine * p->lidar_y;
  rut_sincos(yaw + p->lidar_yaw, &out.forward[1], &out.forward[0]);
  return out;
}

// From where on a lidar sees level ground in a direction [m]; 0: it sees none. Its steepest beam, e
// below its plane, which is pitched down by p, is sin e cos p + cos e cos f sin p below the
// horizon, by the sine, at an angle f from where it looks.
static double blind_of(const rutGoalVehicle* v, const Lidar* lidar, double ux, double uy) {
  double sine, cosine, sine_pitch, cosine_pitch;
  rut_sincos(v->m->steepest, &sine, &cosine);
  rut_sincos(v->p->lidar_pitch, &sine_pitch, &cosine_pitch);
  const double towards = ux * lidar->forward[0] + uy * lidar->forward[1];
  const double down = sine * cosine_pitch + cosine * towards * sine_pitch;
  if (down < FLATTEST) return 0;
  return v->p->lidar_z * rut_sqrt(rut_max(1 - down * down, 0)) / down;
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

// Height of a place over the plane on which the vehicle stood at first, if anything was measured
// there or in a cell beside it [m].
static bool height_at(const rutGoalVehicle* v, double x, double y, double* height) {
  const rutGoalStart* s = &v->m->start;
  const double r = v->p->resolution;
  const double plane = s->z + s->slope[0] * (x - s->x) + s->slope[1] * (y - s->y);
  bool found = false;
  *height = RUT_INFINITY;
  for (int k = 0; k < 9; k++) {
    const rutLocalCell* c =
        rut_local_map_at(&v->map, x + (k % 3 - 1) * r, y + ((int)(k / 3) - 1) * r);
    if (!c || c->points == 0) continue;
    *height = rut_min(*height, c->lowest - plane);
    found = true;
  }
  return found;
}

// A line from a lidar over ground that it does not see.
typedef struct Line {
  double x, y, direction[2];
  double from, to;  // [m]
} Line;

// The first place on a line where something was measured [m], and its height; false if none was.
static bool first_on(const rutGoalVehicle* v, const Line* line, double* way, double* height) {
  for (int i = 0; (*way = line->from + i * v->p->resolution) < line->to; i++) {
    const double x = line->x + *way * line->direction[0], y = line->y + *way * line->direction[1];
    if (height_at(v, x, y, height)) return true;
  }
  return false;
}

// Whether ground goes on along a line: what is seen first is not lower than the plane of the start,
// or else it falls away, by what is seen next, as steeply as it takes to have come there from that.
static bool goes_on(const rutGoalVehicle* v, const Line* line) {
  static const double SLACK = 1.3;
  const double r = v->p->resolution;
  double way, height, next_way, next;
  if (!first_on(v, line, &way, &height)) return false;
  if (height > -v->p->max_step) return true;
  Line behind = *line;
  behind.from = 1.3 * way + 2 * r;
  behind.to = 2 * line->to;
  if (!first_on(v, &behind, &next_way, &next)) return false;
  const double slope = (next - height) / (next_way - way);
  return slope < 0 && height > SLACK * slope * way;
}

// Whether a place is under the vehicle at a pose, or in a cell beside that.
static bool is_under(const rutGoalVehicle* v, const rutPlanPose* pose, double x, double y) {
  const rutPlanFootprint* f = &v->car.footprint;
  double sine, cosine;
  rut_sincos(pose->yaw, &sine, &cosine);
  const double dx = x - pose->x, dy = y - pose->y, r = v->p->resolution;
  const double along = cosine * dx + sine * dy, across = cosine * dy - sine * dx;
  return along < f->front + r && along > -f->rear - r && rut_abs(across) < 0.5 * f->width + r;
}

// Whether the vehicle stood on it, or beside it, before it saw any: nearer than where its lidar
// sees level ground, and beyond that, in the same direction, the ground goes on.
static bool is_start(const rutGoalVehicle* v, double x, double y) {
  const rutGoalStart* s = &v->m->start;
  const double r = v->p->resolution;
  if (v->m->steepest == 0) return false;
  double sine, cosine;
  rut_sincos(s->yaw, &sine, &cosine);
  const rutPlanPose pose = {s->x + cosine * v->axle, s->y + sine * v->axle, s->yaw};
  if (is_under(v, &pose, x, y)) return true;
  const Lidar lidar = lidar_at(v->p, s->x, s->y, s->yaw);
  const double away = rut_max(rut_hypot(x - lidar.x, y - lidar.y), 1e-9);
  const double ux = (x - lidar.x) / away, uy = (y - lidar.y) / away;
  const double blind = blind_of(v, &lidar, ux, uy);
  if (blind == 0 || away > SHARE * blind + r) return false;
  return goes_on(v, &(Line){lidar.x, lidar.y, {ux, uy}, away + r, LONGEST_BLIND * blind + 2 * r});
}

bool rut_goal_is_known(const rutGoalVehicle* v, double x, double y) {
  const rutLocalCell* c = rut_local_map_at(&v->map, x, y);
  if (!c) return false;
  if (c->points > 0) return true;
  // a lidar in a plane sees no ground, and knows that it is level
  if (v->map.def.level) return c->log_odds != 0;
  return is_between(v, x, y) || is_start(v, x, y);
}

bool rut_goal_is_on_known(const rutGoalVehicle* v, const rutPlanPose* pose, double gear) {
  const rutPlanFootprint* f = &v->car.footprint;
  double sine, cosine;
  rut_sincos(pose->yaw, &sine, &cosine);
  bool known = true;
  for (int i = 0; i < 6 && known; i++) {
    const double left = 0.5 * (i % 3 - 1) * f->width, ahead = i < 3      ? 0
                                                              : gear > 0 ? f->front
                                                                         : -f->rear;
    known = rut_goal_is_known(v, pose->x + cosine * ahead - sine * left,
                              pose->y + sine * ahead + cosine * left);
  }
  return known;
}

// ---- where it ends ----

// Something that was seen; an edge is not.
static bool stands_in_the_way(const rutGoalVehicle* v, const rutLocalCell* c) {
  return c->points > 0 && (c->log_odds > 0 || c->highest - c->lowest > v->p->max_step);
}

// Up to where it sees level ground without gaps in a direction [m], as far as edges are looked for.
static double near_of(const rutGoalVehicle* v, const Lidar* lidar, double ux, double uy) {
  const rutPlanFootprint* f = &v->car.footprint;
  const double blind = blind_of(v, lidar, ux, uy);
  const double reach = rut_hypot(rut_max(f->front, f->rear), 0.5 * f->width) + 4 * v->p->resolution;
  return rut_clamp(v->m->ring, SHARE * blind, rut_max(FARTHEST_EDGE * blind, reach));
}

static void mark_along(rutGoalVehicle* v, const Lidar* lidar, double ux, double uy) {
  const double apart = 0.5 * v->p->resolution, near = near_of(v, lidar, ux, uy);
  rutLocalCell* before = NULL;  // not measured, beside the last one that was
  for (int i = 1; i * apart <= near; i++) {
    const double way = i * apart;
    const double x = lidar->x + way * ux, y = lidar->y + way * uy;
    // a cell of the map is the vehicle's own memory
    rutLocalCell* c = (rutLocalCell*)(uintptr_t)rut_local_map_at(&v->map, x, y);
    if (!c || stands_in_the_way(v, c)) return;
    const bool under = is_under(v, &v->pose, x, y);
    if (under || rut_goal_is_known(v, x, y)) {
      before = c->points > 0 || under ? NULL : c;
      continue;
    }
    if (c->log_odds < 0) c->log_odds = v->map.def.most;
    if (c->log_odds > 0 && before) before->log_odds = v->map.def.most;
    return;
  }
}

void rut_goal_mark_edges(rutGoalVehicle* v) {
  if (v->m->steepest == 0) return;
  const Lidar lidar = lidar_at(v->p, v->x, v->y, v->yaw);
  // as many as the cells at the farthest place
  const double farthest = rut_max(near_of(v, &lidar, lidar.forward[0], lidar.forward[1]),
                                  near_of(v, &lidar, -lidar.forward[0], -lidar.forward[1]));
  const int rays = (int)(2 * RUT_PI * farthest / v->p->resolution) + 1;
  for (int i = 0; i < rays; i++) {
    double sine, cosine;
    rut_sincos(2 * RUT_PI * i / rays, &sine, &cosine);
    mark_along(v, &lidar, cosine, sine);
  }
}
