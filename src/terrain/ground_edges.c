// SPDX-License-Identifier: BSD-3-Clause
#include "terrain/ground_edges.h"

#include "math/rut_math.h"

enum { BORDERS = 4, LINES = BORDERS + RUT_TERRAIN_EDGES };
#define ENDLESS 1e9  // extents beyond it count as infinite [m]
// Places on one edge, within a box.
#define MOST_PLACES 1e6

// The frame in which something has its extent.
typedef struct Frame {
  double x, y, cosine, sine;
  double x_min, x_max, y_min, y_max;
  const double* box;
} Frame;

static Frame frame_of_shape(const rutGroundShape* s) {
  return (Frame){s->x,     s->y,     s->cos_yaw, s->sin_yaw, s->x_min,
                 s->x_max, s->y_min, s->y_max,   s->box};
}

static Frame frame_of_source(const rutGroundSource* s) {
  if (s->kind == RUT_GROUND_FIELD)
    return (Frame){0, 0, 1, 0, s->box[0], s->box[1], s->box[2], s->box[3], s->box};
  return (Frame){s->x,     s->y,     s->cos_yaw, s->sin_yaw, s->x_min,
                 s->x_max, s->y_min, s->y_max,   s->box};
}

// The part of a line, at + t along, that is in a box.
static bool clip(const double box[4], const double at[2], const double along[2], double range[2]) {
  for (int k = 0; k < 2; k++) {
    const double low = box[2 * k] - at[k], high = box[2 * k + 1] - at[k];
    if (along[k] == 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    const double a = low / along[k], b = high / along[k];
    range[0] = rut_max(rut_min(a, b), range[0]);
    range[1] = rut_min(rut_max(a, b), range[1]);
  }
  return range[0] <= range[1];
}

// The line in a frame at `place` of its x (upright) or its y, as long as the frame.
static bool edge_of(const Frame* f, bool upright, double place, const double box[4], double spacing,
                    rutGroundEdge* out) {
  const double low = upright ? f->y_min : f->x_min, high = upright ? f->y_max : f->x_max;
  if (!(rut_abs(place) < ENDLESS)) return false;
  const bool from = low > -ENDLESS, to = high < ENDLESS;
  const double zero = from ? low : to ? high : 0, length = from && to ? high - low : 0;
  const double parts = rut_floor(length / spacing) + 1;
  const double step = from && to ? length / parts : spacing;
  const double u = upright ? place : zero, v = upright ? zero : place;
  const double at[2] = {f->x + f->cosine * u - f->sine * v, f->y + f->sine * u + f->cosine * v};
  const double along[2] = {upright ? -f->sine : f->cosine, upright ? f->cosine : f->sine};
  double range[2] = {from ? 0 : -RUT_INFINITY, to ? high - zero : RUT_INFINITY};
  if (!(step > 0) || !clip(box, at, along, range)) return false;
  const double first = -rut_floor(-range[0] / step), last = rut_floor(range[1] / step + 1e-9);
  if (!(last >= first) || last - first > MOST_PLACES || rut_abs(first) > 1e9) return false;
  *out = (rutGroundEdge){.start = {at[0], at[1]},
                         .step = {step * along[0], step * along[1]},
                         .spacing = step,
                         .across = {-along[1], along[0]},
                         .first = (int)first,
                         .last = (int)last,
                         .ends = {from && first == 0, to && (int)last == (from ? (int)parts : 0)}};
  return true;
}

static bool border(const Frame* f, int line, const double box[4], double spacing,
                   rutGroundEdge* out) {
  const double place[BORDERS] = {f->x_min, f->x_max, f->y_min, f->y_max};
  return edge_of(f, line < 2, place[line], box, spacing, out);
}

static bool shape_edge(const rutGroundShape* s, int line, const double box[4], double spacing,
                       rutGroundEdge* out) {
  const Frame f = frame_of_shape(s);
  if (line < BORDERS) return s->edge == 0 && border(&f, line, box, spacing, out);
  double x[RUT_TERRAIN_EDGES];
  const int n = s->type->edges ? s->type->edges(s->param, x) : 0, k = line - BORDERS;
  if (k >= n || !(x[k] > s->x_min && x[k] < s->x_max)) return false;
  return edge_of(&f, true, x[k], box, spacing, out);
}

static bool apart(const double a[4], const double b[4]) {
  return a[0] > b[1] || b[0] > a[1] || a[2] > b[3] || b[2] > a[3];
}

bool rut_ground_next_edge(const rutGround* ground, const double box[4], double spacing, int* cursor,
                          rutGroundEdge* out) {
  const int all = (ground->sources + ground->shapes) * LINES;
  while (*cursor < all) {
    const int owner = *cursor / LINES, line = *cursor % LINES, shape = owner - ground->sources;
    const double* around = shape < 0 ? ground->source[owner].box : ground->shape[shape].box;
    const bool endless = shape < 0 && ground->source[owner].kind == RUT_GROUND_LEVEL;
    if (endless || apart(around, box)) {
      *cursor += LINES - line;
      continue;
    }
    (*cursor)++;
    if (shape >= 0) {
      if (shape_edge(&ground->shape[shape], line, box, spacing, out)) return true;
    } else if (line < BORDERS) {
      const Frame f = frame_of_source(&ground->source[owner]);
      if (border(&f, line, box, spacing, out)) return true;
    }
  }
  return false;
}
