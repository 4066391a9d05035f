// SPDX-License-Identifier: BSD-3-Clause
//
// How rays in lanes begin. Those of a packet that go about the same way have a long part in common
// which no ground comes near: boxes around pieces of all rays at once are compared with the
// pyramid, so that each ray begins its own walk shortly before it comes down.
#include "geom/height_packet.h"
#include "math/lanes.h"

enum { LANES = RUT_HEIGHT_LANES, FRAME = RUT_HEIGHT_FRAME, TOP_LEVEL = RUT_MAXIMA_LEVELS - 1 };

// Bounds of inverse directions, so that lines that a ray never meets are far away.
#define LEAST_DIRECTION 1e-10
// Relative error of the end of a ray.
#define END_ERROR 0x1p-21

// All in double precision; errors of lanes are those of unit vectors.
RUT_CLONES static void begin(const rutHeightField* field, const rutHeightRays* rays, int first,
                             int n, rutHeightPacket* restrict p) {
  const double* restrict ox = rays->origin[0] + first;
  const double* restrict oy = rays->origin[1] + first;
  const double* restrict oz = rays->origin[2] + first;
  const double* restrict dx = rays->direction[0] + first;
  const double* restrict dy = rays->direction[1] + first;
  const double* restrict dz = rays->direction[2] + first;
  const double* restrict t_min = rays->t_min + first;
  const double* restrict t_max = rays->t_max + first;
  const rutHeightField f = *field;
  RUT_FOR_LANES(i, n) {
    rutHeightWalk w;
    const int begins = rut_walk_begin(&w, &f, rut_vec3(ox[i], oy[i], oz[i]),
                                      rut_vec3(dx[i], dy[i], dz[i]), t_min[i], t_max[i]);
    RUT_UNROLL for (int k = 0; k < 3; k++) {
      p->exact.o[k][i] = w.o[k];
      p->exact.d[k][i] = w.d[k];
    }
    p->exact.inverse[0][i] = w.inverse[0];
    p->exact.inverse[1][i] = w.inverse[1];
    p->exact.t0[i] = w.t0;
    p->exact.t1[i] = w.t1;
    p->begin.ray[i] = first + i;
    p->begin.cell_x[i] = w.cell[0];
    p->begin.cell_y[i] = w.cell[1];
    const double square = dx[i] * dx[i] + dy[i] * dy[i] + dz[i] * dz[i];
    const int unit = (square > 0.9) & (square < 1.1);
    p->lanes.walking[i] = -(begins & unit);
    p->lanes.lost[i] = -(begins & (unit ^ 1));
  }
}

void rut_height_packet_begin(const rutHeightField* field, const rutHeightRays* rays, int first,
                             int n, rutHeightPacket* packet) {
  begin(field, rays, first, n, packet);
}

// ---------------------------------------------------------------------------------------------
// What the rays of a packet have in common

typedef struct Range {
  double low, high;
} Range;

// Ranges of their origins, directions, beginnings and ends.
typedef struct Hull {
  Range o[3], d[3], t0, t1;
} Hull;

// Of lanes that walk.
RUT_INLINE Range range_of(const double* restrict number, const int* restrict walking) {
  double low = RUT_INFINITY, high = -RUT_INFINITY;
  _Pragma("omp simd reduction(min : low) reduction(max : high)") for (int i = 0; i < LANES; i++) {
    const double above = walking[i] ? 0 : RUT_INFINITY;
    low = rut_min(number[i] + above, low);
    high = rut_max(number[i] - above, high);
  }
  return (Range){low, high};
}

RUT_CLONES static void find_hull(const rutHeightPacket* restrict p, Hull* restrict h) {
  const rutHeightExact* e = &p->exact;
  const int* walking = p->lanes.walking;
  for (int k = 0; k < 3; k++) {
    h->o[k] = range_of(e->o[k], walking);
    h->d[k] = range_of(e->d[k], walking);
  }
  h->t0 = range_of(e->t0, walking);
  h->t1 = range_of(e->t1, walking);
}

// Cells over which the rays are between two distances along an axis, widened by far more than
// errors of lanes.
static void cells_between(const Hull* h, int axis, double ta, double tb, unsigned cells,
                          int range[2]) {
  static const double wider = 0.01;
  const Range o = h->o[axis], d = h->d[axis];
  const double low = o.low + rut_min(ta * d.low, tb * d.low);
  const double high = o.high + rut_max(ta * d.high, tb * d.high);
  range[0] = (int)rut_clamp(low + FRAME - wider, 0, cells - 1);
  range[1] = (int)rut_clamp(high + FRAME + wider, 0, cells - 1);
}

// Whether all rays keep clear of the ground between two distances.
static bool is_clear(const rutHeightMap* map, const Hull* h, double ta, double tb) {
  int x[2], y[2], level = 0;
  cells_between(h, 0, ta, tb, map->width, x);
  cells_between(h, 1, ta, tb, map->rows, y);
  const double fall = rut_min(ta * h->d[2].low, tb * h->d[2].low);
  const double lowest = h->o[2].low + fall - map->base;
  // a level of which few blocks cover the box
  const int extent = x[1] - x[0] > y[1] - y[0] ? x[1] - x[0] : y[1] - y[0];
  while (level < TOP_LEVEL && extent >> level > 2) level++;
  const size_t width = map->width >> level;
  for (int iy = y[0] >> level; iy <= y[1] >> level; iy++) {
    const float* row = map->level[level] + (size_t)iy * width;
    for (int ix = x[0] >> level; ix <= x[1] >> level; ix++) {
      if (!(lowest > (double)row[ix])) return false;
    }
  }
  return true;
}

// Directions that are farther apart than this part of the fastest have no way in common.
static const double APART = 0.5;
// Pieces of the way, in cells, the factors by which they grow and shrink, and the most that are
// tried.
static const double FIRST_PIECE = 8, LEAST_PIECE = 1, LONGEST_PIECE = 256;
static const double GROWTH = 2, SHRINKAGE = 0.25;
enum { MOST_PIECES = 40 };
// Level at which lanes without a way in common begin.
enum { FAR_LEVEL = 5 };

double rut_height_packet_start(const rutHeightMap* map, const rutHeightPacket* packet, int* level) {
  Hull h;
  find_hull(packet, &h);
  const Range x = h.d[0], y = h.d[1];
  const double speed = rut_max(rut_max(-x.low, x.high), rut_max(-y.low, y.high));
  const double begin = h.t0.low, end = h.t1.high, apart = APART * speed;
  double t = begin, size = FIRST_PIECE / speed;
  *level = FAR_LEVEL;
  if (!(begin >= 0 && begin < end && speed > LEAST_DIRECTION)) return t;
  if (x.high - x.low > apart || y.high - y.low > apart) return t;
  *level = 0;
  for (int k = 0; k < MOST_PIECES && t < end && size * speed >= LEAST_PIECE; k++) {
    const double to = rut_min(t + size, end);
    const bool clear = is_clear(map, &h, t, to);
    if (clear) t = to;
    size = rut_min(size * (clear ? GROWTH : SHRINKAGE), LONGEST_PIECE / speed);
  }
  return t < end ? t : RUT_INFINITY;
}

// ---------------------------------------------------------------------------------------------
// Lanes

// Cell in which a ray is at t0, inverse of a direction in cells, and the distance to the line of
// nodes before.
typedef struct Aim {
  float inverse, before;
  int forward, cell;
} Aim;

RUT_INLINE Aim aim_of(rutRayAxis a, int walks, double t0, double last) {
  const double per = rut_abs(a.d) > LEAST_DIRECTION ? a.inverse : 1 / LEAST_DIRECTION;
  const double at = walks ? a.o + t0 * a.d : 0;
  const int cell = (int)rut_clamp(at, 0, last);
  const double in = rut_clamp(at - cell, 0, 1);
  return (Aim){(float)per, (float)(-in * per), per > 0 ? 1 : 0, cell};
}

RUT_CLONES static void place(const rutHeightMap* map, double start, int level,
                             rutHeightPacket* restrict p) {
  rutHeightLanes* restrict w = &p->lanes;
  const double last_x = map->cells[0] - 1, last_y = map->cells[1] - 1, base = map->base;
  RUT_FOR_LANES(i, LANES) {
    const rutHeightWalk walk = rut_height_packet_walk(p, i);
    const double later = start > walk.t0 ? start : walk.t0;
    const int walks = w->walking[i] & (later <= walk.t1 ? -1 : 0);
    const double t0 = walks ? later : 0;
    const Aim x = aim_of(rut_walk_axis(&walk, 0), walks, t0, last_x);
    const Aim y = aim_of(rut_walk_axis(&walk, 1), walks, t0, last_y);
    w->inverse_x[i] = x.inverse;
    w->inverse_y[i] = y.inverse;
    w->before_x[i] = x.before;
    w->before_y[i] = y.before;
    w->forward_x[i] = x.forward;
    w->forward_y[i] = y.forward;
    w->cell_x[i] = x.cell + FRAME;
    w->cell_y[i] = y.cell + FRAME;
    w->x[i] = (x.cell + FRAME) >> level;
    w->y[i] = (y.cell + FRAME) >> level;
    w->level[i] = level;
    w->z[i] = (float)(walk.o[2] + t0 * walk.d[2] - base);
    w->rate[i] = (float)walk.d[2];
    w->t[i] = 0;
    w->end[i] = (float)((walk.t1 - t0) * (1 + END_ERROR));
    w->walking[i] = walks;
    w->found[i] = 0;
    w->leave[i] = 0;
  }
}

void rut_height_packet_place(const rutHeightMap* map, double start, int level,
                             rutHeightPacket* packet) {
  place(map, start, level, packet);
}
