// SPDX-License-Identifier: BSD-3-Clause
//
// Fan of rays from one point in a horizontal plane. Rather than following each ray through the
// world, the world is walked outwards in rings of cells, and every edge shortens the rays that it
// covers, until all rays end nearer than the next ring. Which rays an edge can cover comes from a
// table over a pseudo-angle that needs no trigonometry.
//
// Edges are seen from outside only, so a ray that starts inside a prism does not see that prism (as
// in Box2D, which MVSim's laser uses).
#include <string.h>

#include "contact/contact_data.h"
#include "math/lanes.h"
#include "math/rut_math.h"

enum { MIN_BUCKETS = 256, MAX_BUCKETS = 1 << 16, BUCKETS_PER_RAY = 4, FEW_RAYS = 6 };

// Pseudo-angle errors are 1e-15; prisms and rays that just touch must not be lost to them.
#define ANGLE_MARGIN 1e-9
// Rays of the same direction, a turn apart, may differ by rounding, but less than this
// pseudo-angle.
#define TURN_MARGIN 1e-6

// Rays in the order of their pseudo-angle. Ray k here is ray (k + turn) mod n of the caller.
typedef struct Fan {
  int n, turn;
  double x, y, z;
  double limit;  // ranges below this count [m]
  double forward_x, forward_y;
  bool half_plane;  // all rays are within a right angle of forward
  double *dx, *dy, *range;
  int* bucket;   // [buckets + 2] first ray whose bucket is this one or later
  double scale;  // buckets per unit of pseudo-angle
} Fan;

// Monotone in the angle of (x, y), from -2 at -pi to 2 at pi.
RUT_INLINE double pseudo_angle(double x, double y) {
  double r = 1 - x / (rut_abs(x) + rut_abs(y));
  return rut_copysign(r, y);
}

static int bucket_count(int n) {
  int buckets = MIN_BUCKETS;
  while (buckets < BUCKETS_PER_RAY * n && buckets < MAX_BUCKETS) buckets *= 2;
  return buckets;
}

static inline int bucket_of(const Fan* f, double angle) {
  // NaN becomes bucket 0
  return (int)rut_min(rut_max((angle + 2) * f->scale, 0), 4 * f->scale);
}

// ---------------------------------------------------------------------------------------------
// Edges against rays

// An edge from a to b, relative to the fan's origin.
typedef struct Edge {
  const double *a, *b;
} Edge;

// Range of a ray, shortened by the edge from a to b. u and w are the signed areas that say that the
// ray passes between the ends; edges that share a corner compute the same number for it, so no ray
// slips through between them.
RUT_INLINE double cut_ray(const double a[2], const double b[2], double dx, double dy,
                          double range) {
  double ex = b[0] - a[0], ey = b[1] - a[1];
  double u = b[0] * dy - b[1] * dx, w = dx * a[1] - dy * a[0];
  double t = (a[0] * ey - a[1] * ex) / (dx * ey - dy * ex);
  return ((u >= 0) & (w >= 0) & (t >= 0) & (t < range)) ? t : range;
}

// Shorten the rays [first, end).
RUT_CLONES static void cut_run(const Fan* f, int first, int end, Edge edge) {
  const double p[2] = {edge.a[0], edge.a[1]}, q[2] = {edge.b[0], edge.b[1]};
  const double *dx = f->dx, *dy = f->dy;
  double* range = f->range;
#pragma omp simd
  for (int i = first; i < end; i++) range[i] = cut_ray(p, q, dx[i], dy[i], range[i]);
}

static void cut_rays(const Fan* f, int first, int end, Edge edge) {
  if (end - first > FEW_RAYS) {
    cut_run(f, first, end, edge);
    return;
  }
  for (int i = first; i < end; i++) {
    f->range[i] = cut_ray(edge.a, edge.b, f->dx[i], f->dy[i], f->range[i]);
  }
}

// Rays between two pseudo-angles, counter-clockwise, cut to [first, end).
static void cut_between(const Fan* f, double low, double high, int first, int end, Edge edge) {
  int from = f->bucket[bucket_of(f, low)], to = f->bucket[bucket_of(f, high) + 1];
  from = from > first ? from : first;
  to = to < end ? to : end;
  if (from < to) cut_rays(f, from, to, edge);
}

static void cut_edge(const Fan* f, int first, int end, Edge edge) {
  if (end - first <= FEW_RAYS) {
    cut_rays(f, first, end, edge);
    return;
  }
  // seen from outside, an edge of a counter-clockwise polygon runs clockwise
  double low = pseudo_angle(edge.b[0], edge.b[1]) - ANGLE_MARGIN;
  double high = pseudo_angle(edge.a[0], edge.a[1]) + ANGLE_MARGIN;
  if (low < -2) low += 4;
  if (high > 2) high -= 4;
  if (low <= high) {
    cut_between(f, low, high, first, end, edge);
  } else {
    cut_between(f, low, 2, first, end, edge);
    cut_between(f, -2, high, first, end, edge);
  }
}

// A convex polygon, corners relative to the origin.
static void cut_convex(const Fan* f, int first, int end, int n, const double* xy) {
  for (int i = 0; i < n; i++) {
    const double *a = xy + 2 * i, *b = xy + 2 * (i + 1 < n ? i + 1 : 0);
    if (a[0] * (b[1] - a[1]) - a[1] * (b[0] - a[0]) < 0) cut_edge(f, first, end, (Edge){a, b});
  }
}

// ---------------------------------------------------------------------------------------------
// Sections of what is round

// A circle, or the rectangle in which the plane cuts a lying cylinder, in the prism's frame.
typedef struct Section {
  bool circle;
  double x, y, square;  // middle and squared radius of a circle
  double corner[8];     // counter-clockwise
} Section;

// Section at a height in the prism's frame. False if there is none.
static bool section_of(const rutRoundLook* look, double z, Section* s) {
  const double up = z - look->z, square = look->radius * look->radius;
  s->circle = look->kind != RUT_LOOK_WHEEL;
  s->x = look->x;
  s->y = look->y;
  s->square = look->kind == RUT_LOOK_CYLINDER ? square : square - up * up;
  if (!(s->square > 0)) return false;
  if (s->circle) return true;
  const double half = rut_sqrt(s->square), w = look->half_width;
  const double lx = half * look->ux, ly = half * look->uy, wx = -w * look->uy, wy = w * look->ux;
  const double corner[8] = {s->x - lx - wx, s->y - ly - wy, s->x + lx - wx, s->y + ly - wy,
                            s->x + lx + wx, s->y + ly + wy, s->x - lx + wx, s->y - ly + wy};
  memcpy(s->corner, corner, sizeof corner);
  return true;
}

// Range of a ray, shortened by a circle about (x, y) from its origin; not from inside.
RUT_INLINE double cut_by_circle(double x, double y, double square, double dx, double dy,
                                double range) {
  const double along = dx * x + dy * y, side = dx * y - dy * x, rest = square - side * side;
  const double t = along - rut_sqrt(rest > 0 ? rest : 0);
  return ((rest >= 0) & (t >= 0) & (t < range) & (x * x + y * y > square)) ? t : range;
}

static void cut_circle_run(const Fan* f, int first, int end, double x, double y, double square) {
  for (int i = first; i < end; i++) {
    f->range[i] = cut_by_circle(x, y, square, f->dx[i], f->dy[i], f->range[i]);
  }
}

static double wrap(double angle) {
  angle = angle < -2 ? angle + 4 : angle;
  return angle > 2 ? angle - 4 : angle;
}

// Rays between the tangents of a circle about (x, y), whose directions are that of its middle
// turned by the angle whose sine is radius / distance; cut to [first, end).
static void cut_circle(const Fan* f, int first, int end, double x, double y, double square) {
  const double along2 = x * x + y * y - square;
  if (!(along2 > 0)) return;
  if (end - first <= FEW_RAYS) {
    cut_circle_run(f, first, end, x, y, square);
    return;
  }
  const double along = rut_sqrt(along2), r = rut_sqrt(square);
  const double low = wrap(pseudo_angle(x * along + y * r, y * along - x * r) - ANGLE_MARGIN);
  const double high = wrap(pseudo_angle(x * along - y * r, y * along + x * r) + ANGLE_MARGIN);
  const int from = f->bucket[bucket_of(f, low)], to = f->bucket[bucket_of(f, high) + 1];
  const bool split = low > high;
  const int last = split ? end : (to < end ? to : end);
  cut_circle_run(f, from > first ? from : first, last, x, y, square);
  if (split) cut_circle_run(f, first, to < end ? to : end, x, y, square);
}

// ---------------------------------------------------------------------------------------------
// Moving bodies

// Bodies wait in a batch, in order of distance, for the part of the work that is one vector loop.
enum { BATCH = 64, NO_RAYS = -1, CLOSE_BODY = -2 };

typedef struct BodyScan {
  const rutContactModel* model;
  const rutContactState* state;
  const rutBodies* bodies;
  int skip;
  int waiting;
  int id[BATCH], low[BATCH], high[BATCH];  // buckets of the first and last ray
  double x[BATCH], y[BATCH], radius[BATCH], distance[BATCH];
} BodyScan;

// Many rays: bring the corners of waiting body `at` into world axes.
static void cut_many(const Fan* f, const BodyScan* s, int at, int first, int end) {
  const rutContactModel* model = s->model;
  const int id = s->id[at];
  const rutContactBody* body = &model->body[id];
  const double x = s->x[at], y = s->y[at];
  double sn = s->state->sine[id], cs = s->state->cosine[id], z = f->z - s->bodies->z[id];
  for (int i = body->first; i < body->first + body->prisms; i++) {
    const rutPrism* p = &model->prism[i];
    if (!(z >= p->low && z <= p->high)) continue;
    double corner[2 * RUT_CONVEX_MAX];
    const double* xy = model->xy + 2 * p->first;
    int n = p->n;
    Section section;
    if (p->round >= 0) {
      if (!section_of(&model->round[p->round], z, &section)) continue;
      if (section.circle) {
        cut_circle(f, first, end, x + (cs * section.x - sn * section.y),
                   y + (sn * section.x + cs * section.y), section.square);
        continue;
      }
      xy = section.corner;
      n = 4;
    }
    for (int k = 0; k < 2 * n; k += 2) {
      corner[k] = x + (cs * xy[k] - sn * xy[k + 1]);
      corner[k + 1] = y + (sn * xy[k] + cs * xy[k + 1]);
    }
    cut_convex(f, first, end, n, corner);
  }
}

// Distance to a convex polygon along a ray from (ox, oy); negative or infinite if it misses. A line
// has the corners of a counter-clockwise polygon on its left, then on its right, and enters where
// left becomes right.
static double enter_convex(int n, const double* xy, double ox, double oy, double dx, double dy) {
  const double here = dx * oy - dy * ox;
  const double first = (dx * xy[1] - dy * xy[0]) - here;
  double side = first;
  for (int i = 0; i < n; i++) {
    const double *a = xy + 2 * i, *b = i + 1 < n ? a + 2 : xy;
    double next = i + 1 < n ? (dx * b[1] - dy * b[0]) - here : first;
    if (side >= 0 && next < 0) {
      double ex = b[0] - a[0], ey = b[1] - a[1];
      return ((a[0] - ox) * ey - (a[1] - oy) * ex) / (dx * ey - dy * ex);
    }
    side = next;
  }
  return -1;
}

// Distance to a lying cylinder; negative or infinite if the ray misses it. half: of the length of
// its section.
static double enter_wheel(const rutRoundLook* look, double half, const double o[2],
                          const double d[2]) {
  const double x = o[0] - look->x, y = o[1] - look->y, ux = look->ux, uy = look->uy;
  const double place[2] = {ux * x + uy * y, ux * y - uy * x};
  const double along[2] = {ux * d[0] + uy * d[1], ux * d[1] - uy * d[0]};
  const double size[2] = {half, look->half_width};
  double enter = -RUT_INFINITY, leave = RUT_INFINITY;
  for (int k = 0; k < 2; k++) {
    if (along[k] == 0) {
      if (rut_abs(place[k]) > size[k]) return -1;
      continue;
    }
    const double middle = -place[k] / along[k], reach = size[k] / rut_abs(along[k]);
    enter = rut_max(middle - reach, enter);
    leave = rut_min(middle + reach, leave);
  }
  return enter <= leave ? enter : -1;
}

// Distance to a round prism; negative or infinite if the ray misses it.
static double enter_round(const rutRoundLook* look, double z, const double o[2],
                          const double d[2]) {
  const double up = z - look->z, square = look->radius * look->radius;
  const double rest = look->kind == RUT_LOOK_CYLINDER ? square : square - up * up;
  if (!(rest > 0)) return -1;
  if (look->kind == RUT_LOOK_WHEEL) return enter_wheel(look, rut_sqrt(rest), o, d);
  return cut_by_circle(look->x - o[0], look->y - o[1], rest, d[0], d[1], RUT_INFINITY);
}

// Range of one ray after waiting body `at`: the ray is brought into the axes of the body.
static double enter_body(const Fan* f, const BodyScan* s, int at, int ray) {
  const rutContactModel* model = s->model;
  const int id = s->id[at];
  const rutContactBody* body = &model->body[id];
  const double x = s->x[at], y = s->y[at], wx = f->dx[ray], wy = f->dy[ray];
  const double z = f->z - s->bodies->z[id];
  double best = f->range[ray];
  double sn = s->state->sine[id], cs = s->state->cosine[id];
  double ox = -(cs * x + sn * y), oy = sn * x - cs * y;
  double dx = cs * wx + sn * wy, dy = cs * wy - sn * wx;
  for (int i = body->first; i < body->first + body->prisms; i++) {
    const rutPrism* p = &model->prism[i];
    double px = p->x - ox, py = p->y - oy;
    if (rut_abs(dx * py - dy * px) > p->radius || dx * px + dy * py - p->radius > best) continue;
    if (!(z >= p->low && z <= p->high) || p->n == 0) continue;
    double t = p->round >= 0
                   ? enter_round(&model->round[p->round], z, (double[]){ox, oy}, (double[]){dx, dy})
                   : enter_convex(p->n, model->xy + 2 * p->first, ox, oy, dx, dy);
    if (t >= 0 && t < best) best = t;
  }
  return best;
}

static void cut_few(const Fan* f, const BodyScan* s, int i, int first, int end) {
  double x = s->x[i], y = s->y[i], radius = s->radius[i], near = s->distance[i] - radius;
  for (int k = first; k < end; k++) {
    if (f->range[k] <= near || rut_abs(f->dx[k] * y - f->dy[k] * x) > radius) continue;
    f->range[k] = enter_body(f, s, i, k);
  }
}

// Rays in the buckets low to high.
static void cut_body(const Fan* f, const BodyScan* s, int i, int low, int high) {
  int first = f->bucket[low], end = f->bucket[high + 1];
  if (end - first <= FEW_RAYS) {
    cut_few(f, s, i, first, end);
  } else {
    cut_many(f, s, i, first, end);
  }
}

// A body so near that its angle needs care: the two tangents to its circle, of any length, are the
// direction of its centre turned by the angle whose sine is radius / distance.
static void find_close_body(const Fan* f, BodyScan* s, int i) {
  double x = s->x[i], y = s->y[i], r = s->radius[i], d = s->distance[i];
  s->low[i] = 0;
  s->high[i] = (int)(4 * f->scale);
  if (!(d > r)) return;
  double along = rut_sqrt(d * d - r * r);
  double low = pseudo_angle(x * along + y * r, y * along - x * r) - ANGLE_MARGIN;
  double high = pseudo_angle(x * along - y * r, y * along + x * r) + ANGLE_MARGIN;
  s->low[i] = bucket_of(f, wrap(low));
  s->high[i] = bucket_of(f, wrap(high));
}

// A body is close if the sum of its coordinates is at most this many of its radii.
#define CLOSE_RADII 15
// The pseudo-angle changes by (d / sum)^2 per radian; over an angle of at most 0.1 that grows by a
// factor of at most 1.1^2, and the arcsine by 1.002. This covers both.
#define ANGLE_GROWTH 1.3

// Distance, and buckets of the rays that may meet the circle of each waiting body.
RUT_CLONES static void find_buckets(const Fan* f, BodyScan* s) {
  const double scale = f->scale, side_x = f->forward_x, side_y = f->forward_y;
  const double limit = f->limit, behind = f->half_plane ? 1 : 0;
#pragma omp simd
  for (int i = 0; i < s->waiting; i++) {
    double x = s->x[i], y = s->y[i], r = s->radius[i];
    double d = rut_sqrt(x * x + y * y), sum = rut_abs(x) + rut_abs(y), inverse = 1 / sum;
    double middle = rut_copysign(1 - x * inverse, y);
    double half = ANGLE_GROWTH * r * d * inverse * inverse + ANGLE_MARGIN;
    double low = middle - half, high = middle + half;
    low = low < -2 ? low + 4 : low;
    high = high > 2 ? high - 4 : high;
    bool hidden = (behind * (x * side_x + y * side_y) < -r) | !(d <= limit + r);
    bool close = !(r * CLOSE_RADII < sum);
    s->distance[i] = d;
    low = hidden ? NO_RAYS : close ? CLOSE_BODY : (low + 2) * scale;
    s->low[i] = (int)low;
    s->high[i] = (int)((hidden | close) ? 0 : (high + 2) * scale);
  }
}

static void cut_waiting(const Fan* f, BodyScan* s) {
  int last = (int)(4 * f->scale);
  find_buckets(f, s);
  for (int i = 0; i < s->waiting; i++) {
    if (s->low[i] == NO_RAYS) continue;
    if (s->low[i] == CLOSE_BODY) find_close_body(f, s, i);
    if (s->low[i] <= s->high[i]) {
      cut_body(f, s, i, s->low[i], s->high[i]);
    } else {
      cut_body(f, s, i, s->low[i], last);
      cut_body(f, s, i, 0, s->high[i]);
    }
  }
  s->waiting = 0;
}

static void cut_bodies(const Fan* f, void* source, int first_entry, int end_entry) {
  BodyScan* s = source;
  if (first_entry == end_entry) cut_waiting(f, s);
  for (int k = first_entry; k < end_entry; k++) {
    int i = s->waiting, id = s->state->entry[k];
    if (id == s->skip) continue;
    s->id[i] = id;
    s->x[i] = s->state->entry_x[k] - f->x;
    s->y[i] = s->state->entry_y[k] - f->y;
    s->radius[i] = s->model->body[id].radius;
    if (++s->waiting == BATCH) cut_waiting(f, s);
  }
}

// ---------------------------------------------------------------------------------------------
// Fixed prisms

typedef struct FixedScan {
  const rutContactModel* model;
  unsigned char* seen;  // a bit per fixed prism: long ones stand in many cells
} FixedScan;

static void cut_fixed(const Fan* f, void* source, int first_entry, int end_entry) {
  const FixedScan* s = source;
  for (int e = first_entry; e < end_entry; e++) {
    int i = s->model->fixed_entry[e], bit = i - s->model->moving_prisms;
    const rutPrism* p = &s->model->prism[i];
    if (s->seen[bit >> 3] >> (bit & 7) & 1) continue;
    s->seen[bit >> 3] |= (unsigned char)(1 << (bit & 7));
    if (!(f->z >= p->low && f->z <= p->high)) continue;
    if (p->round >= 0) {
      // no wheel is fixed
      Section section;
      if (section_of(&s->model->round[p->round], f->z, &section)) {
        cut_circle(f, 0, f->n, section.x - f->x, section.y - f->y, section.square);
      }
      continue;
    }
    double corner[2 * RUT_CONVEX_MAX];
    const double* xy = s->model->xy + 2 * p->first;
    for (int k = 0; k < 2 * p->n; k += 2) {
      corner[k] = xy[k] - f->x;
      corner[k + 1] = xy[k + 1] - f->y;
    }
    cut_convex(f, 0, f->n, p->n, corner);
  }
}

// ---------------------------------------------------------------------------------------------
// Rings of cells

// What to do with the entries of a few cells; an empty range says that a ring is complete.
typedef void CutCells(const Fan* f, void* source, int first_entry, int end_entry);

// Entries sorted into the cells of a grid, and what to do with those near the fan.
typedef struct Sorted {
  const rutCellGrid* grid;
  const int* start;  // [cells + 1] first entry of each cell
  double reach;      // bodies stick out of their cells by at most this [m]
  CutCells* cut;
  void* source;  // passed to `cut`
} Sorted;

static void walk_row(const Fan* f, const Sorted* in, int iy, int x0, int x1) {
  const int nx = in->grid->nx;
  x0 = x0 < 0 ? 0 : x0;
  x1 = x1 < nx ? x1 : nx - 1;
  if (x0 > x1) return;
  const int first = in->start[iy * nx + x0], end = in->start[iy * nx + x1 + 1];
  if (first < end) in->cut(f, in->source, first, end);
}

static double longest_range(const Fan* f) {
  double most = 0;
  for (int i = 0; i < f->n; i++) most = f->range[i] > most ? f->range[i] : most;
  return most;
}

// All cells in rings of rising distance from the origin's cell. What stands in ring k is at least
// (k - 1) cells away, less the reach.
static void walk_rings(const Fan* f, const Sorted* in) {
  const rutCellGrid* grid = in->grid;
  int cx = rut_cell_index(f->x, grid->x, grid->inverse, grid->nx);
  int cy = rut_cell_index(f->y, grid->y, grid->inverse, grid->ny);
  int last = cx > cy ? cx : cy;
  last = grid->nx - 1 - cx > last ? grid->nx - 1 - cx : last;
  last = grid->ny - 1 - cy > last ? grid->ny - 1 - cy : last;
  for (int k = 0; k <= last; k++) {
    if (k > 1 && longest_range(f) <= (k - 1) * grid->size - in->reach) return;
    int y0 = cy - k < 0 ? 0 : cy - k, y1 = cy + k < grid->ny ? cy + k : grid->ny - 1;
    for (int iy = y0; iy <= y1; iy++) {
      if (iy == cy - k || iy == cy + k) {
        walk_row(f, in, iy, cx - k, cx + k);
      } else {
        if (cx - k >= 0) walk_row(f, in, iy, cx - k, cx - k);
        if (cx + k < grid->nx) walk_row(f, in, iy, cx + k, cx + k);
      }
    }
    in->cut(f, in->source, 0, 0);
  }
}

// ---------------------------------------------------------------------------------------------
// The fan

// Directions of rays that are close together: exact for the middle of each block, turned from there
// by the Taylor series of sine and cosine, whose rest is below 1e-16 for the angles allowed. False
// if some ray is too far from its middle.
enum { BLOCK = 8 };
#define BLOCK_REACH 0.125

RUT_INLINE bool aim_blocks(int n, const double* angle, double* dx, double* dy, double* middle) {
  int blocks = (n + BLOCK - 1) / BLOCK;
  double farthest = 0, *sine = middle + blocks, *cosine = sine + blocks;
  for (int b = 0; b < blocks; b++) {
    int first = b * BLOCK, last = first + BLOCK < n ? first + BLOCK - 1 : n - 1;
    middle[b] = 0.5 * (angle[first] + angle[last]);
    farthest = rut_max(farthest, angle[last] - middle[b]);
  }
  if (!(farthest <= BLOCK_REACH)) return false;
#pragma omp simd
  for (int b = 0; b < blocks; b++) rut_sincos(middle[b], &sine[b], &cosine[b]);
  for (int b = 0; b < blocks; b++) {
    int first = b * BLOCK, end = first + BLOCK < n ? first + BLOCK : n;
    double m = middle[b], s = sine[b], c = cosine[b];
#pragma omp simd
    for (int i = first; i < end; i++) {
      double t = angle[i] - m, z = t * t;
      double st = t * (1 - z * (1.0 / 6) *
                               (1 - z * (1.0 / 20) * (1 - z * (1.0 / 42) * (1 - z * (1.0 / 72)))));
      double ct =
          1 - z * 0.5 *
                  (1 - z * (1.0 / 12) *
                           (1 - z * (1.0 / 30) * (1 - z * (1.0 / 56) * (1 - z * (1.0 / 90)))));
      dx[i] = c * ct - s * st;
      dy[i] = s * ct + c * st;
    }
  }
  return true;
}

// Directions and pseudo-angles of all rays. pseudo also serves as scratch.
RUT_CLONES static void find_ray_directions(int n, const double* angle, double* dx, double* dy,
                                           double* pseudo) {
  if (n < 2 * BLOCK || !aim_blocks(n, angle, dx, dy, pseudo)) {
#pragma omp simd
    for (int i = 0; i < n; i++) rut_sincos(angle[i], &dy[i], &dx[i]);
  }
#pragma omp simd
  for (int i = 0; i < n; i++) pseudo[i] = pseudo_angle(dx[i], dy[i]);
}

// Directions of the rays, turned so that pseudo-angles ascend, and the table over them.
static void aim(Fan* f, const double* angle, double* work) {
  int n = f->n;
  double *dx = work, *dy = work + n, *pseudo = work + 2 * n;
  find_ray_directions(n, angle, dx, dy, pseudo);
  f->turn = 0;
  for (int i = 1; i < n && f->turn == 0; i++) {
    if (pseudo[i] < pseudo[i - 1] - TURN_MARGIN) f->turn = i;
  }
  size_t tail = (size_t)(n - f->turn) * sizeof *dx, head = (size_t)f->turn * sizeof *dx;
  memcpy(f->dx, dx + f->turn, tail);
  memcpy(f->dx + (n - f->turn), dx, head);
  memcpy(f->dy, dy + f->turn, tail);
  memcpy(f->dy + (n - f->turn), dy, head);
  int next = 0;
  double before = -2;
  for (int i = 0; i < n; i++) {
    double p = pseudo[i + f->turn < n ? i + f->turn : i + f->turn - n];
    // rounding may put the last ray, or two that coincide, on the wrong side of their neighbour
    p = p >= before ? p : before - p > 2 ? 2 : before;
    before = p;
    int b = bucket_of(f, p);
    while (next <= b) f->bucket[next++] = i;
  }
  int buckets = (int)(4 * f->scale);
  while (next <= buckets + 1) f->bucket[next++] = n;
}

static void cut_grids(const rutContactModel* model, const Fan* f, unsigned char* on_grid) {
  rutGridRay ray = {.x = f->x, .y = f->y};
  for (int g = 0; g < model->grids; g++) {
    for (int i = 0; i < f->n; i++) {
      ray.dx = f->dx[i];
      ray.dy = f->dy[i];
      ray.limit = f->range[i];
      const double t = rut_occupancy_cast(model->grid[g], &ray, NULL);
      if (!(t < f->range[i])) continue;
      f->range[i] = t;
      on_grid[i] = 1;
    }
  }
}

// Parts of the caller's scratch.
typedef struct ScratchParts {
  double *dx, *dy, *range, *work;  // [n], work [3 n]
  int* bucket;
  unsigned char *on_grid, *seen;
} ScratchParts;

static size_t align8(size_t size) { return (size + 7) & ~(size_t)7; }

static size_t divide(const rutContactModel* model, int n, unsigned char* base,
                     ScratchParts* parts) {
  size_t rays = (size_t)n * sizeof(double), used = 0;
  size_t seen = align8((size_t)(model->prisms - model->moving_prisms) / 8 + 1);
  size_t offset[7], size[7] = {rays,
                               rays,
                               rays,
                               3 * rays,
                               align8(((size_t)bucket_count(n) + 2) * sizeof(int)),
                               align8((size_t)n),
                               seen};
  for (int i = 0; i < 7; i++) {
    offset[i] = used;
    used += size[i];
  }
  if (!parts) return used;
  parts->dx = (double*)(void*)(base + offset[0]);
  parts->dy = (double*)(void*)(base + offset[1]);
  parts->range = (double*)(void*)(base + offset[2]);
  parts->work = (double*)(void*)(base + offset[3]);
  parts->bucket = (int*)(void*)(base + offset[4]);
  parts->on_grid = base + offset[5];
  parts->seen = base + offset[6];
  memset(parts->seen, 0, seen);
  memset(parts->on_grid, 0, (size_t)n);
  return used;
}

size_t rut_scan_scratch(const rutContactModel* model, int n) {
  return divide(model, n > 0 ? n : 1, NULL, NULL);
}

// Cast rays that span at most one turn.
static void cast_turn(const rutContactModel* model, const rutContactState* state,
                      const rutBodies* bodies, const rutScan* scan, void* scratch,
                      rutScanResult out) {
  const int n = scan->n;
  const double* angle = scan->angle;
  ScratchParts parts;
  divide(model, n, scratch, &parts);
  Fan f = {.n = n, .x = scan->x, .y = scan->y, .z = scan->z};
  f.dx = parts.dx;
  f.dy = parts.dy;
  f.range = parts.range;
  f.bucket = parts.bucket;
  f.scale = 0.25 * bucket_count(n);
  f.limit = scan->max_range * RUT_RAY_INCLUSIVE;
  double middle = 0.5 * (angle[0] + angle[n - 1]);
  rut_sincos(middle, &f.forward_y, &f.forward_x);
  f.half_plane = angle[n - 1] - angle[0] <= RUT_PI;
  aim(&f, angle, parts.work);
  for (int i = 0; i < n; i++) f.range[i] = f.limit;

  if (model->prisms > model->moving_prisms) {
    FixedScan fixed = {model, parts.seen};
    const Sorted prisms = {&model->fixed_grid, model->fixed_start, model->bulge, cut_fixed, &fixed};
    walk_rings(&f, &prisms);
  }
  cut_grids(model, &f, parts.on_grid);
  if (scan->bodies && model->bodies) {
    // the work area is free again: ranges before, to tell grid hits that a body hides
    memcpy(parts.work, f.range, (size_t)n * sizeof *f.range);
    BodyScan moving;
    moving.model = model;
    moving.state = state;
    moving.bodies = bodies;
    moving.skip = scan->skip_body;
    moving.waiting = 0;
    const Sorted sorted = {&state->cells, state->cell_start, model->largest_radius, cut_bodies,
                           &moving};
    walk_rings(&f, &sorted);
    for (int i = 0; i < n; i++) parts.on_grid[i] &= f.range[i] == parts.work[i];
  }
  for (int i = 0; i < n; i++) {
    int k = i >= f.turn ? i - f.turn : i - f.turn + n;
    out.range[i] = f.range[k] < f.limit ? f.range[k] : -1;
    if (out.on_grid) out.on_grid[i] = parts.on_grid[k] && out.range[i] >= 0;
  }
}

void rut_scan_cast(const rutContactModel* model, const rutContactState* state,
                   const rutBodies* bodies, const rutScan* scan, void* scratch, rutScanResult out) {
  for (int first = 0; first < scan->n;) {
    int end = first + 1;
    while (end < scan->n && scan->angle[end] - scan->angle[first] <= 2 * RUT_PI) end++;
    rutScan part = *scan;
    part.angle = scan->angle + first;
    part.n = end - first;
    const rutScanResult found = {out.range + first, out.on_grid ? out.on_grid + first : NULL};
    cast_turn(model, state, bodies, &part, scratch, found);
    first = end;
  }
}
