// SPDX-License-Identifier: BSD-3-Clause
#include "control/goal_see.h"

#include <string.h>

#include "control/clock.h"
#include "control/goal_ground.h"
#include "math/quat.h"

// ---- when ----

void rut_goal_begin(rutGoalVehicle* v, const rutControlIn* in, int l) {
  rutGoalState* m = v->m;
  const bool begins = m->time == 0;
  m->time = rut_control_clock(in, l, m->time);
  if (begins) m->plan_time = 0 - m->time;
}

bool rut_goal_waits(const rutGoalVehicle* v) {
  const double began = rut_max(-v->m->plan_time, 0);
  return v->m->plan_time <= 0 && v->m->time < began + v->p->wait;
}

// ---- where it is ----

static double number_at(const rutControlReading* r, int i) {
  const ptrdiff_t at = (ptrdiff_t)i * r->stride;
  if (r->type == RUT_F32) return (double)((const float*)r->value)[at];
  return r->type == RUT_F64 ? ((const double*)r->value)[at] : RUT_NAN;
}

void rut_goal_find_pose(rutGoalVehicle* v, const rutControlIn* in, int l) {
  const int lanes = in->lanes;
  // what is true of the world is where it truly is
  const bool knows = v->p->map == RUT_GOAL_MAP_TRUTH;
  const rutControlReading* estimate = &in->reading[RUT_GOAL_POSE * lanes + l];
  double* const to[RUT_GOAL_POSE_NUMBERS] = {&v->x,     &v->y,   &v->z,    &v->roll,
                                             &v->pitch, &v->yaw, &v->speed};
  const double* const from[RUT_GOAL_POSE_NUMBERS] = {in->position,
                                                     in->position + lanes,
                                                     in->position + (ptrdiff_t)2 * lanes,
                                                     in->roll,
                                                     in->pitch,
                                                     in->yaw,
                                                     in->vx};
  for (int i = 0; i < RUT_GOAL_POSE_NUMBERS; i++) {
    const rutControlReading* r = &estimate[i * lanes];
    *to[i] = !knows && r->n > 0 && r->stamp >= 0 ? number_at(r, 0) : from[i][l];
  }
  // an estimate says of when it is; what is measured is as old as it comes late
  const bool estimated = !knows && estimate->n > 0 && estimate->stamp >= 0;
  v->measured = estimated ? estimate->stamp : v->m->time - v->p->head.input_delay;
  // what is newer by more than that is taken to be that much newer
  static const double ESTIMATE_AGE = 1;  // [s]
  v->ahead = estimated ? ESTIMATE_AGE : v->p->head.input_delay;
  double sine, cosine;
  rut_sincos(v->yaw, &sine, &cosine);
  v->pose = (rutPlanPose){v->x + cosine * v->axle, v->y + sine * v->axle, v->yaw};
}

// ---- what it sees ----

// Keep the pose, unless the last one is hardly older.
void rut_goal_keep_past(rutGoalVehicle* v) {
  static const double APART = 0.0099;  // [s]
  rutGoalState* m = v->m;
  const int n = (int)m->poses;
  if (n > 0 && v->measured < m->past[n - 1].time + APART) return;
  if (n == RUT_GOAL_PAST) memmove(m->past, m->past + 1, (RUT_GOAL_PAST - 1) * sizeof(rutGoalPast));
  m->past[n < RUT_GOAL_PAST ? n : RUT_GOAL_PAST - 1] =
      (rutGoalPast){v->measured, v->x, v->y, v->z, v->roll, v->pitch, v->yaw};
  m->poses = n < RUT_GOAL_PAST ? n + 1 : RUT_GOAL_PAST;
}

static double between(double a, double b, double share) { return a + share * (b - a); }

// Pose at a time after the last that is known: on at its speed, turning as since the one before it.
static rutGoalPast pose_after(const rutGoalVehicle* v, const rutGoalPast* now, double time) {
  static const double APART = 0.0099;  // between poses that tell a rate [s]
  const rutGoalState* m = v->m;
  double rate = 0, sine, cosine;
  for (int i = (int)m->poses - 1; i >= 0; i--) {
    const double apart = now->time - m->past[i].time;
    if (apart < APART) continue;
    double turn = now->yaw - m->past[i].yaw;
    turn -= 2 * RUT_PI * rut_floor(turn / (2 * RUT_PI) + 0.5);
    rate = turn / apart;
    break;
  }
  rutGoalPast at = *now;
  const double ahead = rut_min(time - now->time, v->ahead), turn = rate * ahead;
  rut_sincos(now->yaw + 0.5 * turn, &sine, &cosine);
  at.time = time;
  at.x += v->speed * ahead * cosine;
  at.y += v->speed * ahead * sine;
  at.yaw += turn;
  return at;
}

// Pose at a time: between those that are kept, the first of them, or after the last.
static rutGoalPast pose_at(const rutGoalVehicle* v, double time) {
  const rutGoalState* m = v->m;
  const rutGoalPast now = {v->measured, v->x, v->y, v->z, v->roll, v->pitch, v->yaw};
  if (time > now.time) return pose_after(v, &now, time);
  rutGoalPast after = now;
  for (int i = (int)m->poses - 1; i >= 0; i--) {
    const rutGoalPast* before = &m->past[i];
    const double apart = after.time - before->time;
    if (time >= before->time && apart > 0) {
      const double share = rut_clamp((time - before->time) / apart, 0, 1);
      double turn = after.yaw - before->yaw;
      turn -= 2 * RUT_PI * rut_floor(turn / (2 * RUT_PI) + 0.5);
      return (rutGoalPast){time,
                           between(before->x, after.x, share),
                           between(before->y, after.y, share),
                           between(before->z, after.z, share),
                           between(before->roll, after.roll, share),
                           between(before->pitch, after.pitch, share),
                           before->yaw + share * turn};
    }
    after = *before;
  }
  return after;
}

// Where the lidar was, and how it stood.
typedef struct Eye {
  double time;
  rutVec3 place;
  rutMat3 turn;
} Eye;

static Eye eye_at(const rutGoalVehicle* v, double time) {
  const rutGoalParam* p = v->p;
  const rutGoalPast at = pose_at(v, time);
  const rutQuat own = rut_quat_of_rpy(at.roll, at.pitch, at.yaw);
  const rutQuat mount = rut_quat_of_rpy(0, p->lidar_pitch, p->lidar_yaw);
  const rutVec3 arm = rut_quat_rotate(own, rut_vec3(p->lidar_x, p->lidar_y, p->lidar_z));
  return (Eye){time, rut_vec3_add(rut_vec3(at.x, at.y, at.z), arm),
               rut_quat_matrix(rut_quat_mul(own, mount))};
}

// Points of the scan in the world, each from where the vehicle was when it was fired.
static int place_points(const rutGoalVehicle* v, const rutControlIn* in, int l) {
  static const double SAME_TIME = 1e-4;  // within which the lidar stands still [s]
  const int lanes = in->lanes;
  const rutControlReading* r[4];
  for (int i = 0; i < 4; i++) r[i] = &in->reading[i * lanes + l];
  const rutGoalWork* w = &v->work;
  const int all = r[RUT_GOAL_X]->n, every = (all + w->points - 1) / w->points;
  Eye eye = eye_at(v, r[RUT_GOAL_X]->stamp);
  int n = 0;
  for (int k = 0; k<all; k += every> 0 ? every : 1) {
    const rutVec3 own = rut_vec3(number_at(r[RUT_GOAL_X], k), number_at(r[RUT_GOAL_Y], k),
                                 number_at(r[RUT_GOAL_Z], k));
    if (!rut_is_finite(own.x)) continue;
    const double fired =
        r[RUT_GOAL_TIME]->n > 0 ? number_at(r[RUT_GOAL_TIME], k % r[RUT_GOAL_TIME]->n) : 0;
    const double time = r[RUT_GOAL_X]->stamp + fired;
    if (rut_abs(time - eye.time) > SAME_TIME) eye = eye_at(v, time);
    const rutVec3 at = rut_vec3_add(eye.place, rut_mat3_apply(eye.turn, own));
    w->x[n] = at.x;
    w->y[n] = at.y;
    w->z[n] = at.z;
    w->from_x[n] = eye.place.x;
    w->from_y[n] = eye.place.y;
    w->from_z[n] = eye.place.z;
    n++;
  }
  return n;
}

bool rut_goal_has_scan(rutGoalVehicle* v, const rutControlIn* in, int l) {
  const int lanes = in->lanes;
  rutGoalState* m = v->m;
  const rutControlReading* r = &in->reading[l];
  const bool whole = in->reading[RUT_GOAL_Y * lanes + l].n == r->n &&
                     in->reading[RUT_GOAL_Z * lanes + l].n == r->n;
  if (r->stamp < 0 || !whole || (v->map.placed && !(r->stamp > m->scan_time))) return false;
  const double newer = r->stamp - v->measured;
  const bool early = newer > 1e-9 && newer <= v->ahead + 1e-9 && v->p->map != RUT_GOAL_MAP_TRUTH;
  const bool missed = m->awaited > m->scan_time && m->awaited != r->stamp;
  if (early && !missed) m->awaited = r->stamp;
  return !early || missed;
}

// Angle between neighbouring beams of a scanner in a plane [rad], from the bearings and numbers of
// those that came back; 0 if fewer than two did.
static double beam_spacing(const rutControlIn* in, int l) {
  const rutControlReading* x = &in->reading[RUT_GOAL_X * in->lanes + l];
  const rutControlReading* y = &in->reading[RUT_GOAL_Y * in->lanes + l];
  double spacing = 0, before = 0;
  int last = -1;
  for (int k = 0; k < x->n; k++) {
    const double own_x = number_at(x, k), own_y = number_at(y, k);
    if (!rut_is_finite(own_x)) continue;
    const double angle = rut_atan2(own_y, own_x);
    double turn = angle - before;
    turn -= 2 * RUT_PI * rut_floor(turn / (2 * RUT_PI) + 0.5);
    if (last >= 0) spacing = rut_max(spacing, rut_abs(turn) / (k - last));
    before = angle;
    last = k;
  }
  return spacing;
}

// A scanner in a plane sees no ground: beams that come back from nothing say nothing of where they
// passed. Between beams that came back, less than a quarter turn apart, nothing stands where others
// were sent out and did not: as if they had passed. spacing: between beams [rad].
static void clear_gaps(rutGoalVehicle* v, int n, double spacing) {
  enum { BINS = 360, LEAST = 6, MOST = BINS / 4 };
  const rutGoalWork* w = &v->work;
  const double part = 2 * RUT_PI / BINS, r = v->p->resolution;
  // at least one beam that did not come back lies in a gap, and tells of half the way to those that
  // did
  const double apart = spacing / part;
  const double least = rut_max(LEAST, 1.5 * apart);
  const int edge = -(int)rut_floor(-1 - 0.5 * apart);
  unsigned char back[BINS] = {0}, gap[BINS] = {0};
  for (int i = 0; i < n; i++) {
    const double angle = rut_atan2(w->y[i] - v->y, w->x[i] - v->x);
    back[((int)rut_floor(angle / part + 0.5) + BINS) % BINS] = 1;
  }
  for (int i = 0; i < BINS; i++) {
    int wide = 0;
    while (back[i] && wide <= MOST && !back[(i + wide + 1) % BINS]) wide++;
    const bool opens = wide >= least && wide <= MOST;
    for (int k = edge; opens && k <= wide + 1 - edge; k++) gap[(i + k) % BINS] = 1;
  }
  const int side = v->map.def.side;
  for (int k = 0; k < side * side; k++) {
    const double x = (v->map.corner[0] + k % side + 0.5) * r - v->x;
    const double y = (v->map.corner[1] + k / side + 0.5) * r - v->y;
    // a cell of the map is the vehicle's own memory
    rutLocalCell* c = (rutLocalCell*)(uintptr_t)rut_local_map_at(&v->map, v->x + x, v->y + y);
    // what the vehicle met without seeing it stays
    const bool seen = c && c->points > 0 && c->log_odds > 0;
    if (!seen || rut_hypot(x, y) > v->map.def.range) continue;
    const int bin = ((int)rut_floor(rut_atan2(y, x) / part + 0.5) + BINS) % BINS;
    if (gap[bin]) c->log_odds = rut_max(c->log_odds + v->map.def.miss, v->map.def.least);
  }
}

void rut_goal_take_scan(rutGoalVehicle* v, const rutControlIn* in, int l) {
  v->m->scan_time = in->reading[l].stamp;
  rut_local_map_move(&v->map, v->x, v->y);
  const rutGoalWork* w = &v->work;
  const rutLocalScan scan = {.n = place_points(v, in, l),
                             .x = w->x,
                             .y = w->y,
                             .z = w->z,
                             .from_x = w->from_x,
                             .from_y = w->from_y,
                             .from_z = w->from_z,
                             .ground = v->z,
                             .at = {v->x, v->y}};
  rut_local_map_scan(&v->map, &scan);
  if (v->map.def.level) clear_gaps(v, scan.n, beam_spacing(in, l));
  rut_goal_begin_ground(v, in, l);
  rut_goal_mark_edges(v);
}

rutLocalLimits rut_goal_limits(const rutGoalParam* p) {
  rutLocalLimits limits = rut_default_local_limits();
  limits.slope = p->max_slope;
  limits.step = p->max_step;
  limits.roughness = p->max_roughness;
  limits.clearance = p->clearance;
  limits.slope_weight = p->slope_weight;
  limits.step_weight = p->step_weight;
  limits.roughness_weight = p->roughness_weight;
  limits.clearance_weight = p->clearance_weight;
  limits.free_part = p->free_part;
  limits.level = p->level != 0;
  return limits;
}

// ---- what there is ----

enum {
  ALONG = 5,
  SAMPLES = ALONG * ALONG,
  CELLS_AT_ONCE = 4
};  // places of a cell, cells of a look

// What is true of cells, of which nothing is known yet.
static void find_truth(rutGoalVehicle* v, const rutControlIn* in, int l, rutLocalCell** cell,
                       double (*middle)[2], int n) {
  static const double UNIT = 1024;  // heights are whole multiples of its inverse [1/m]
  double x[SAMPLES * CELLS_AT_ONCE], y[SAMPLES * CELLS_AT_ONCE];
  double ground[SAMPLES * CELLS_AT_ONCE], top[SAMPLES * CELLS_AT_ONCE];
  const double apart = v->p->resolution / ALONG;
  for (int i = 0; i < SAMPLES * n; i++) {
    x[i] = middle[i / SAMPLES][0] + (i % SAMPLES % ALONG - ALONG / 2) * apart;
    y[i] = middle[i / SAMPLES][1] + (i % SAMPLES / ALONG - ALONG / 2) * apart;
  }
  const rutGroundPoints at = {SAMPLES * n, x, y};
  in->look(in->world, in->first_lane + l, &at, v->p->overhead, ground, top);
  for (int k = 0; k < n; k++) {
    rutLocalCell c = {.log_odds = v->map.def.least, .lowest = RUT_INFINITY, .highest = -1e9};
    for (int i = SAMPLES * k; i < SAMPLES * (k + 1); i++) {
      // off all ground nothing passes
      const bool none = !rut_is_finite(ground[i]);
      const bool blocked = none || top[i] - ground[i] > v->p->max_step;
      if (blocked) c.log_odds = v->map.def.most;
      if (none) continue;
      const double z = rut_floor((blocked ? ground[i] : top[i]) * UNIT + 0.5) / UNIT;
      c.points += 1;
      c.sum += z;
      c.lowest = rut_min(c.lowest, z);
      c.highest = rut_max(c.highest, z);
    }
    if (c.points == 0) c.lowest = c.highest = 0;
    *cell[k] = c;
  }
}

// In all cells of the map about which nothing is known.
static void look_at_map(rutGoalVehicle* v, const rutControlIn* in, int l) {
  const int side = v->map.def.side;
  const double r = v->p->resolution;
  rutLocalCell* cell[CELLS_AT_ONCE];
  double middle[CELLS_AT_ONCE][2];
  int n = 0;
  for (int k = 0; k < side * side; k++) {
    const double x = (v->map.corner[0] + k % side + 0.5) * r;
    const double y = (v->map.corner[1] + k / side + 0.5) * r;
    // a cell of the map is the vehicle's own memory
    rutLocalCell* c = (rutLocalCell*)(uintptr_t)rut_local_map_at(&v->map, x, y);
    if (c && c->log_odds == 0 && c->points == 0) {
      cell[n] = c;
      middle[n][0] = x;
      middle[n++][1] = y;
    }
    if (n == CELLS_AT_ONCE || (k == side * side - 1 && n > 0)) {
      find_truth(v, in, l, cell, middle, n);
      n = 0;
    }
  }
}

// The whole memory, window by window.
static void look_around(rutGoalVehicle* v, const rutControlIn* in, int l) {
  rutGoalState* m = v->m;
  const rutLocalLimits limits = rut_goal_limits(v->p);
  const double r = v->p->resolution;
  const int side = v->map.def.side, all = (int)v->p->memory * RUT_GOAL_WORD;
  rut_goal_remember(v);
  for (int j = 0; j * side < all; j++) {
    for (int i = 0; i * side < all; i++) {
      rut_local_map_move(&v->map, (v->memory.corner[0] + i * side + 0.5 * side) * r,
                         (v->memory.corner[1] + j * side + 0.5 * side) * r);
      look_at_map(v, in, l);
      rut_local_map_costs(&v->map, &limits, v->work.cost);
      rut_goal_memory_take(&v->memory, &v->map, v->work.cost);
    }
  }
  rut_goal_memory_write(&v->memory, v->stride, v->words);
  for (int axis = 0; axis < 2; axis++) m->looked[axis] = v->memory.corner[axis];
}

void rut_goal_take_truth(rutGoalVehicle* v, const rutControlIn* in, int l) {
  static const double FAR = 4 * RUT_GOAL_WORD;  // [cells]
  rutGoalState* m = v->m;
  const rutLocalLimits limits = rut_goal_limits(v->p);
  m->scan_time = in->reading[l].stamp;
  const bool first = !v->map.placed;
  rut_local_map_move(&v->map, v->x, v->y);
  int corner[2];
  const int middle[2] = {v->map.corner[0] + v->map.def.side / 2,
                         v->map.corner[1] + v->map.def.side / 2};
  rut_goal_memory_corner((int)v->p->memory, middle, corner);
  const bool moved =
      rut_abs(corner[0] - m->looked[0]) > FAR || rut_abs(corner[1] - m->looked[1]) > FAR;
  look_at_map(v, in, l);
  if (!first && !moved) return;
  rut_local_map_costs(&v->map, &limits, v->work.cost);
  look_around(v, in, l);
  rut_local_map_move(&v->map, v->x, v->y);
  look_at_map(v, in, l);
}

// What stopped it without being seen becomes an obstacle.
void rut_goal_mark_ahead(rutGoalVehicle* v) {
  const rutPlanFootprint* f = &v->car.footprint;
  const double r = v->p->resolution;
  const double ahead = v->m->met > 0 ? f->front + v->p->margin + r : -(f->rear + v->p->margin + r);
  double sine, cosine;
  rut_sincos(v->pose.yaw, &sine, &cosine);
  const int parts = (int)(f->width / r) + 1;
  for (int k = 0; k <= parts; k++) {
    const double side = f->width * ((double)k / parts - 0.5);
    const double x = v->pose.x + cosine * ahead - sine * side;
    const double y = v->pose.y + sine * ahead + cosine * side;
    // a cell of the map is the vehicle's own memory
    rutLocalCell* c = (rutLocalCell*)(uintptr_t)rut_local_map_at(&v->map, x, y);
    if (c) c->log_odds = v->map.def.most;
  }
  v->m->met = 0;
}
// Take over what the map knows into the memory of what has left it.
void rut_goal_remember(rutGoalVehicle* v) {
  rutGoalState* m = v->m;
  const int middle[2] = {v->map.corner[0] + v->map.def.side / 2,
                         v->map.corner[1] + v->map.def.side / 2};
  const int before[2] = {(int)m->remembered[0], (int)m->remembered[1]};
  v->memory = (rutGoalMemory){.words = (int)v->p->memory, .cell = v->work.remembered};
  rut_goal_memory_corner(v->memory.words, middle, v->memory.corner);
  rut_goal_memory_read(&v->memory, before, v->stride, v->words);
  rut_goal_memory_take(&v->memory, &v->map, v->work.cost);
  rut_goal_memory_write(&v->memory, v->stride, v->words);
  for (int axis = 0; axis < 2; axis++) m->remembered[axis] = v->memory.corner[axis];
  m->moved = 0;
}
