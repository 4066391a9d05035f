// SPDX-License-Identifier: BSD-3-Clause
//
// Smoothing in the manner of Dolgov, Thrun, Montemerlo and Diebel (IJRR 29(5), 2010), by steps of
// Gauss and Newton: the sum is one of squares of residuals, of which each has three points at most,
// so that the matrix of a step has five diagonals. x and y are solved for with the same matrix, in
// which curvature and clearance count in every direction; that makes steps shorter, not wrong.
#include "plan/smooth.h"

#include <string.h>

#include "math/rut_math.h"
#include "plan/curve.h"

static const double NEAR_WEIGHT = 0.5, CURVED_WEIGHT = 100;
static const double FURTHEST = 2;  // that a point moves in a step [cells of the ground]
enum { ENDS = 2, ROUNDS = 16, HALVINGS = 10 };

// Arrays of a section, of n numbers each or of n pairs.
typedef struct Work {
  double *before, *p, *trial, *gradient, *step;  // [n][2]
  double *diagonal, *first, *second;             // of the matrix, then of its factors
  double *held, *spacing;
} Work;

static Work divide(double* work, int n) {
  const ptrdiff_t m = n;
  return (Work){.before = work,
                .p = work + 2 * m,
                .trial = work + 4 * m,
                .gradient = work + 6 * m,
                .step = work + 8 * m,
                .diagonal = work + 10 * m,
                .first = work + 11 * m,
                .second = work + 12 * m,
                .held = work + 13 * m,
                .spacing = work + 14 * m};
}

// ---- what is minimised ----

double rut_smooth_distance(const rutPlanSmoothing* s, const double at[2], double gradient[2]) {
  const rutPlanGround* g = s->ground;
  const int side[2] = {g->grid.width, g->grid.height};
  int low[2], high[2];
  double part[2];
  bool inside[2];
  for (int k = 0; k < 2; k++) {
    const double cell = (at[k] - g->origin[k]) / g->resolution - 0.5;
    const double limited = rut_clamp(cell, 0, side[k] - 1);
    inside[k] = cell == limited;
    low[k] = (int)rut_min(rut_floor(limited), rut_max(side[k] - 2, 0));
    high[k] = low[k] + 1 < side[k] ? low[k] + 1 : low[k];
    part[k] = limited - low[k];
  }
  double d[2][2];
  for (int y = 0; y < 2; y++) {
    for (int x = 0; x < 2; x++) {
      const int row = y ? high[1] : low[1], column = x ? high[0] : low[0];
      const int32_t squared = s->squared[(ptrdiff_t)row * side[0] + column];
      d[y][x] = g->resolution * rut_sqrt(squared);
    }
  }
  const double south = d[0][0] + part[0] * (d[0][1] - d[0][0]);
  const double north = d[1][0] + part[0] * (d[1][1] - d[1][0]);
  const double east = d[0][1] + part[1] * (d[1][1] - d[0][1]);
  const double west = d[0][0] + part[1] * (d[1][0] - d[0][0]);
  gradient[0] = inside[0] ? (east - west) / g->resolution : 0;
  gradient[1] = inside[1] ? (north - south) / g->resolution : 0;
  return south + part[1] * (north - south);
}

// Second difference at a point, and by how much its curvature is too large.
typedef struct Bend {
  double bend[2], size;  // and its length [m]
  double over;           // [1/m]
} Bend;

static Bend bend_at(const rutSection* s, const double* p, int i) {
  Bend b;
  for (int k = 0; k < 2; k++) b.bend[k] = p[2 * i - 2 + k] - 2 * p[2 * i + k] + p[2 * i + 2 + k];
  b.size = rut_hypot(b.bend[0], b.bend[1]);
  b.over = rut_max(b.size / s->spacing[i] - s->smoothing->curvature, 0);
  return b;
}

double rut_smooth_sum(const rutSection* s, const double* p, double* gradient) {
  double sum = 0;
  if (gradient) memset(gradient, 0, 2 * (size_t)s->n * sizeof *gradient);
  for (int i = 1; i < s->n - 1; i++) {
    double slope[2];
    const Bend b = bend_at(s, p, i);
    const double near = rut_smooth_distance(s->smoothing, &p[2 * (ptrdiff_t)i], slope);
    const double lacks = rut_max(s->smoothing->clearance - near, 0);
    sum += b.size * b.size + NEAR_WEIGHT * lacks * lacks + CURVED_WEIGHT * b.over * b.over;
    if (!gradient) continue;
    const double curved = b.over > 0 ? 2 * CURVED_WEIGHT * b.over / (b.size * s->spacing[i]) : 0;
    for (int k = 0; k < 2; k++) {
      const double along = (2 + curved) * b.bend[k];
      gradient[2 * i - 2 + k] += along;
      gradient[2 * i + k] -= 2 * along + 2 * NEAR_WEIGHT * lacks * slope[k];
      gradient[2 * i + 2 + k] += along;
    }
  }
  for (int i = 0; i < s->n && gradient; i++) {
    if (s->held[i] > 0) gradient[2 * i] = gradient[2 * i + 1] = 0;
  }
  return sum;
}

// ---- a step ----

// Diagonal and the two above it, of points that move.
static void make_matrix(const rutSection* s, Work* w) {
  const int n = s->n;
  for (int i = 0; i < n; i++) w->diagonal[i] = w->first[i] = w->second[i] = 0;
  for (int i = 1; i < n - 1; i++) {
    double slope[2];
    const Bend b = bend_at(s, w->p, i);
    const double near = rut_smooth_distance(s->smoothing, &w->p[2 * (ptrdiff_t)i], slope);
    const double curved = 2 * CURVED_WEIGHT / (s->spacing[i] * s->spacing[i]);
    const double weight = 2 + (b.over > 0 ? curved : 0);
    w->diagonal[i - 1] += weight;
    w->diagonal[i] += 4 * weight;
    w->diagonal[i + 1] += weight;
    w->first[i - 1] -= 2 * weight;
    w->first[i] -= 2 * weight;
    w->second[i - 1] += weight;
    if (near < s->smoothing->clearance) w->diagonal[i] += 2 * NEAR_WEIGHT;
  }
  for (int i = 0; i < n; i++) {
    if (s->held[i] > 0) w->diagonal[i] = 1;
    if (s->held[i] > 0 || (i + 1 < n && s->held[i + 1] > 0)) w->first[i] = 0;
    if (s->held[i] > 0 || (i + 2 < n && s->held[i + 2] > 0)) w->second[i] = 0;
  }
}

// L D L^T in place: the factors' diagonals below the main one stand in the row of their column.
static void factor(Work* w, int n) {
  for (int i = 0; i < n; i++) {
    const double second = i >= 2 ? w->second[i - 2] / w->diagonal[i - 2] : 0;
    double first = i >= 1 ? w->first[i - 1] : 0;
    if (i >= 2) first -= second * w->first[i - 2] * w->diagonal[i - 2];
    if (i >= 1) first /= w->diagonal[i - 1];
    if (i >= 1) w->diagonal[i] -= first * first * w->diagonal[i - 1];
    if (i >= 2) w->diagonal[i] -= second * second * w->diagonal[i - 2];
    if (i >= 1) w->first[i - 1] = first;
    if (i >= 2) w->second[i - 2] = second;
  }
}

static void solve(const Work* w, int n, int k) {
  double* x = w->step;
  for (int i = 0; i < n; i++) {
    x[2 * i + k] = -w->gradient[2 * i + k];
    if (i >= 1) x[2 * i + k] -= w->first[i - 1] * x[2 * i - 2 + k];
    if (i >= 2) x[2 * i + k] -= w->second[i - 2] * x[2 * i - 4 + k];
  }
  for (int i = n - 1; i >= 0; i--) {
    x[2 * i + k] /= w->diagonal[i];
    if (i + 1 < n) x[2 * i + k] -= w->first[i] * x[2 * i + 2 + k];
    if (i + 2 < n) x[2 * i + k] -= w->second[i] * x[2 * i + 4 + k];
  }
}

// Squares of the mean distance of each point to its neighbours.
static void measure_spacing(int n, const double* p, double* spacing) {
  for (int i = 1; i < n - 1; i++) {
    const double dx = p[2 * i + 2] - p[2 * i - 2], dy = p[2 * i + 3] - p[2 * i - 1];
    spacing[i] = rut_max(0.25 * (dx * dx + dy * dy), RUT_LEAST_DIVISOR);
  }
}

// Part of a step that moves no point further than distances to obstacles can follow.
static double first_scale(const rutSection* s, const Work* w) {
  double most = 0;
  for (int i = 0; i < s->n; i++) {
    most = rut_max(most, rut_hypot(w->step[2 * i], w->step[2 * i + 1]));
  }
  const double furthest = FURTHEST * s->smoothing->ground->resolution;
  return most > furthest ? furthest / most : 1;
}

static void minimise(const rutSection* s, Work* w) {
  static const double ENOUGH = 1e-12;
  for (int i = 0; i < s->smoothing->iterations; i++) {
    // distances of points are those where a step begins: the sum stays one of simple squares
    measure_spacing(s->n, w->p, w->spacing);
    const double sum = rut_smooth_sum(s, w->p, w->gradient);
    make_matrix(s, w);
    factor(w, s->n);
    for (int k = 0; k < 2; k++) solve(w, s->n, k);
    double scale = first_scale(s, w), next = sum;
    for (int h = 0; h < HALVINGS; h++) {
      for (int k = 0; k < 2 * s->n; k++) w->trial[k] = w->p[k] + scale * w->step[k];
      next = rut_smooth_sum(s, w->trial, NULL);
      if (next < sum) break;
      scale *= 0.5;
    }
    if (!(next < sum)) return;
    const bool enough = sum - next < ENOUGH * sum;
    memcpy(w->p, w->trial, 2 * (size_t)s->n * sizeof *w->p);
    if (enough) return;
  }
}

// ---- sections ----

// Headings and curvatures of the points between the held ends; those of the ends stay.
static void follow(const rutSection* s, const Work* w, rutPlanPoint* point) {
  for (int i = 0; i < s->n; i++) {
    point[i].pose.x = w->p[2 * i];
    point[i].pose.y = w->p[2 * i + 1];
  }
  for (int i = 1; i < s->n - 1; i++) {
    const double* p = &w->p[2 * (ptrdiff_t)i];
    const double a[2] = {p[0] - p[-2], p[1] - p[-1]}, b[2] = {p[2] - p[0], p[3] - p[1]};
    const double c[2] = {p[2] - p[-2], p[3] - p[-1]};
    const double sizes = rut_hypot(a[0], a[1]) * rut_hypot(b[0], b[1]) * rut_hypot(c[0], c[1]);
    if (!(sizes > 0)) continue;
    // circle through three points; in reverse, the car points the other way
    point[i].curvature = point[i].gear * 2 * (a[0] * b[1] - a[1] * b[0]) / sizes;
    point[i].pose.yaw = rut_atan2(point[i].gear * c[1], point[i].gear * c[0]);
  }
}

// Hold the middle of each run of points that collide. Returns how many runs there are.
static int hold_collisions(const rutSection* s, Work* w, const rutPlanPoint* point) {
  const rutPlanSmoothing* m = s->smoothing;
  int runs = 0, length = 0;
  for (int i = 1; i < s->n; i++) {
    const bool inner = i < s->n - 1;
    if (inner && rut_plan_collides(m->ground, &m->footprint, &point[i].pose)) {
      length++;
      continue;
    }
    if (length > 0) {
      w->held[i - 1 - length / 2] = 1;
      runs++;
    }
    length = 0;
  }
  return runs;
}

// Points of one gear. Returns how many were moved; -1: some collide still.
static int smooth_section(const rutPlanSmoothing* smoothing, int n, rutPlanPoint* point,
                          const Work* work) {
  Work w = *work;
  const rutSection s = {smoothing, n, w.held, w.spacing};
  for (int i = 0; i < n; i++) {
    w.before[2 * i] = point[i].pose.x;
    w.before[2 * i + 1] = point[i].pose.y;
    w.held[i] = i < ENDS || i >= n - ENDS;
  }
  if (n < 2 * ENDS + 1) return 0;
  int collisions = 0;
  for (int round = 0; round < ROUNDS; round++) {
    memcpy(w.p, w.before, 2 * (size_t)n * sizeof *w.p);
    minimise(&s, &w);
    follow(&s, &w, point);
    collisions = hold_collisions(&s, &w, point);
    if (collisions == 0) break;
  }
  if (collisions > 0) return -1;
  int moved = 0;
  for (int i = 0; i < n; i++) moved += w.held[i] == 0;
  return moved;
}

// Poses and curvatures as they were, to return to: four numbers each.
static void keep(int n, const rutPlanPoint* point, double* kept) {
  for (int i = 0; i < n; i++) {
    const rutPlanPose* p = &point[i].pose;
    const double four[] = {p->x, p->y, p->yaw, point[i].curvature};
    memcpy(&kept[4 * (ptrdiff_t)i], four, sizeof four);
  }
}

static void give_back(int n, rutPlanPoint* point, const double* kept) {
  for (int i = 0; i < n; i++) {
    const double* k = &kept[4 * (ptrdiff_t)i];
    point[i].pose = (rutPlanPose){k[0], k[1], k[2]};
    point[i].curvature = k[3];
  }
}

int rut_plan_smooth(const rutPlanSmoothing* smoothing, int n, rutPlanPoint* point, double* work) {
  const Work w = divide(work, n);
  double* kept = work + 15 * (ptrdiff_t)n;
  int moved = 0;
  for (int i = 0; i < n; i++) {
    if (!rut_plan_pose_is_finite(&point[i].pose)) return 0;
  }
  // a point where the gear changes has that of the piece which ends there
  for (int from = 0; from + 1 < n;) {
    int to = from + 1;
    while (to + 1 < n && point[to + 1].gear == point[from + 1].gear) to++;
    const int points = to - from + 1;
    const int gear = point[from].gear;
    point[from].gear = point[to].gear;
    keep(points, &point[from], kept);
    const int some = smooth_section(smoothing, points, &point[from], &w);
    if (some < 0) give_back(points, &point[from], kept);
    moved += some > 0 ? some : 0;
    point[from].gear = gear;
    from = to;
  }
  for (int i = 1; i < n; i++) {
    const double dx = point[i].pose.x - point[i - 1].pose.x;
    const double dy = point[i].pose.y - point[i - 1].pose.y;
    point[i].distance = point[i - 1].distance + rut_hypot(dx, dy);
  }
  return moved;
}
