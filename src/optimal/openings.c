// SPDX-License-Identifier: BSD-3-Clause
//
// Openings of a scan. Points are taken together to obstacles by the gaps between them. Between two
// obstacles that follow each other by bearing nothing is in the way up to the nearer one's end, so
// that the opening is measured there, across the line of sight: from that end to the bearing of the
// other one. Obstacles far behind hide openings between near ones, therefore it is done again with
// what lies within half of the range.
#include <string.h>

#include "math/rut_math.h"
#include "rut/avoidance.h"

// An end of an obstacle, or of what is seen.
typedef struct Edge {
  double bearing, distance;  // from the middle of what is seen; distance 0: no obstacle
  double at[2];
} Edge;

typedef struct Search {
  const rutAvoidanceScan* scan;
  const double *place, *goal;
  double clearance, reach;
  rutAvoidanceOpening* opening;
  double* length;  // of the way through each [m]
  int most, found;
} Search;

static double middle_of(const rutAvoidanceScan* scan) { return 0.5 * (scan->from + scan->to); }

static Edge edge_of(const Search* s, const double at[2]) {
  const double dx = at[0] - s->place[0], dy = at[1] - s->place[1];
  double sine, cosine;
  rut_sincos(middle_of(s->scan), &sine, &cosine);
  return (Edge){rut_atan2(dy * cosine - dx * sine, dx * cosine + dy * sine),
                rut_hypot(dx, dy),
                {at[0], at[1]}};
}

static double way_through(const Search* s, const double at[2]) {
  return rut_hypot(at[0] - s->place[0], at[1] - s->place[1]) +
         rut_hypot(at[0] - s->goal[0], at[1] - s->goal[1]);
}

// The place between two of its ends, clear of both, with the shortest way: the way is convex along
// a line, and thirds that cannot hold its least are cut off.
static void choose_place(const Search* s, const double right[2], const double left[2], double width,
                         double at[2]) {
  double from = s->clearance / width, to = 1 - from;
  for (int i = 0; i < 40; i++) {
    double way[2];
    for (int k = 0; k < 2; k++) {
      const double t = from + (k + 1) * (to - from) / 3;
      const double here[2] = {right[0] + t * (left[0] - right[0]),
                              right[1] + t * (left[1] - right[1])};
      way[k] = way_through(s, here);
    }
    const double third = (to - from) / 3;
    if (way[0] <= way[1]) {
      to -= third;
    } else {
      from += third;
    }
  }
  const double t = 0.5 * (from + to);
  for (int k = 0; k < 2; k++) at[k] = right[k] + t * (left[k] - right[k]);
}

static bool is_known(const Search* s, const double at[2]) {
  for (int i = 0; i < s->found; i++) {
    const double* there = s->opening[i].at;
    if (rut_hypot(there[0] - at[0], there[1] - at[1]) < s->clearance) return true;
  }
  return false;
}

// Keep an opening in its order, shortest way first.
static void keep(Search* s, const rutAvoidanceOpening* opening) {
  const double length = way_through(s, opening->at);
  int i = s->found < s->most ? s->found++ : s->most - 1;
  if (i == s->most - 1 && s->found == s->most && s->length[i] > 0 && s->length[i] <= length) return;
  for (; i > 0 && s->length[i - 1] > length; i--) {
    s->length[i] = s->length[i - 1];
    s->opening[i] = s->opening[i - 1];
  }
  s->length[i] = length;
  s->opening[i] = *opening;
}

// The opening between two edges.
static void add(Search* s, const Edge* right, const Edge* left) {
  if (left->bearing <= right->bearing) return;
  double r = s->reach;
  if (right->distance > 0) r = rut_min(r, right->distance);
  if (left->distance > 0) r = rut_min(r, left->distance);
  // beside an obstacle only what is nearly across the line of sight, and near it what holds three
  // clearances
  static const double ASIDE = RUT_PI / 6;
  const double room = 2 * rut_asin(rut_min(1, 1.5 * s->clearance / rut_max(r, RUT_LEAST_DIVISOR)));
  const double aside = rut_max(ASIDE, room);
  double bearing[2] = {right->bearing, left->bearing}, end[2][2];
  if (!(right->distance > 0)) bearing[0] = rut_max(bearing[0], bearing[1] - aside);
  if (!(left->distance > 0)) bearing[1] = rut_min(bearing[1], bearing[0] + aside);
  for (int k = 0; k < 2; k++) {
    double sine, cosine;
    rut_sincos(bearing[k] + middle_of(s->scan), &sine, &cosine);
    end[k][0] = s->place[0] + r * cosine;
    end[k][1] = s->place[1] + r * sine;
  }
  rutAvoidanceOpening o = {.width = rut_hypot(end[1][0] - end[0][0], end[1][1] - end[0][1])};
  if (o.width < 2 * s->clearance) return;
  choose_place(s, end[0], end[1], o.width, o.at);
  for (int k = 0; k < 2; k++) {
    o.right[k] = right->distance > 0 ? right->at[k] : (double)NAN;
    o.left[k] = left->distance > 0 ? left->at[k] : (double)NAN;
  }
  if (!is_known(s, o.at)) keep(s, &o);
}

static void search(Search* s) {
  const rutAvoidanceScan* scan = s->scan;
  const double half = 0.5 * (scan->to - scan->from);
  Edge last = {-half, 0, {0, 0}};
  for (int i = 0; i < scan->points; i++) {
    const Edge here = edge_of(s, scan->point[i]);
    if (here.distance > s->reach) continue;
    const double gap = rut_hypot(here.at[0] - last.at[0], here.at[1] - last.at[1]);
    if (!(last.distance > 0) || gap > 2 * s->clearance) add(s, &last, &here);
    last = here;
  }
  const Edge end = {half, 0, {0, 0}};
  if (last.distance > 0) add(s, &last, &end);
}

int rut_avoidance_openings(const rutAvoidanceScan* scan, const double place[2],
                           const double goal[2], double clearance, rutAvoidanceOpening* opening,
                           int most) {
  enum { MOST = 8 };
  double length[MOST] = {0};
  Search s = {.scan = scan,
              .place = place,
              .goal = goal,
              .clearance = clearance,
              .opening = opening,
              .length = length,
              .most = most < MOST ? most : MOST};
  for (int level = 0; level < 2 && s.most > 0; level++) {
    s.reach = level ? 0.5 * scan->range : scan->range;
    search(&s);
  }
  return s.found;
}
