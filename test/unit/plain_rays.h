// SPDX-License-Identifier: BSD-3-Clause
//
// Rays against a scene by loops over everything in it: no tree, no cells but those of the ground,
// no code and no arithmetic in common with the library. Include cmocka.h before.
#ifndef RUT_TEST_UNIT_PLAIN_RAYS_H
#define RUT_TEST_UNIT_PLAIN_RAYS_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline double plain_dot(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void plain_cross(const double* a, const double* b, double* out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// What a ray meets first.
typedef struct PlainHit {
  double range;  // INFINITY: nothing
  double slant;  // |cosine| of the angle between the ray and the normal there
  double dip;    // of ground: how far the ray stays below it, horizontally
} PlainHit;

// ---- ground ----

// Heights at nodes, bilinear between, and on top of that changes of height at the middles of cells,
// bilinear between; solid below.
typedef struct PlainGround {
  int nx, ny;
  double low[2], spacing, top, *height;  // [ny][nx]
  int cells[2], first[2];                // of the raster of ruts; cells 0: none
  double cell, raised, *change;          // [cells[1]][cells[0]], 0 along its border
} PlainGround;

// Of a grid of numbers, in the cell with the lower corner (i, j).
static inline double plain_patch(const double* v, int nx, int i, int j, double s, double t) {
  const double* a = v + (size_t)j * (size_t)nx + i;
  return (1 - s) * (1 - t) * a[0] + s * (1 - t) * a[1] + (1 - s) * t * a[nx] + s * t * a[nx + 1];
}

static inline int plain_cell(double u, int n) {
  const double k = floor(u);
  return k < 0 ? 0 : k > n - 2 ? n - 2 : (int)k;
}

// Height at (x, y) by the patches that hold `at`: beyond their borders they go on.
static inline double plain_height_by(const PlainGround* g, const double at[2], double x, double y) {
  const double u = (x - g->low[0]) / g->spacing, v = (y - g->low[1]) / g->spacing;
  const int i = plain_cell((at[0] - g->low[0]) / g->spacing, g->nx);
  const int j = plain_cell((at[1] - g->low[1]) / g->spacing, g->ny);
  const double z = plain_patch(g->height, g->nx, i, j, u - i, v - j);
  if (g->cells[0] == 0) return z;
  const double p = at[0] / g->cell - 0.5 - g->first[0], q = at[1] / g->cell - 0.5 - g->first[1];
  if (p < 0 || q < 0 || p >= g->cells[0] - 1 || q >= g->cells[1] - 1) return z;
  const int k = (int)p, m = (int)q;
  return z + plain_patch(g->change, g->cells[0], k, m, x / g->cell - 0.5 - g->first[0] - k,
                         y / g->cell - 0.5 - g->first[1] - m);
}
static inline double plain_height(const PlainGround* g, double x, double y) {
  return plain_height_by(g, (const double[2]){x, y}, x, y);
}

enum { PLAIN_BORDERS = 6000 };
typedef struct PlainBorders {
  int n;
  double t[PLAIN_BORDERS];
} PlainBorders;

// Add the places of a ray between t0 and t1 at which it crosses the lines low + k spacing, k < n.
static inline void plain_lines(PlainBorders* b, double o, double d, const double span[2],
                               double low, double spacing, int n) {
  if (d == 0) return;
  const double one = (o + span[0] * d - low) / spacing, other = (o + span[1] * d - low) / spacing;
  const double from = fmax(ceil(fmin(one, other)), 0), to = fmin(floor(fmax(one, other)), n - 1);
  for (double k = from; k <= to; k++) {
    const double t = (low + k * spacing - o) / d;
    assert_true(b->n < PLAIN_BORDERS);
    if (t > span[0] && t < span[1]) b->t[b->n++] = t;
  }
}

static inline int plain_ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// Cut a span to where a ray is between low and high along an axis.
static inline void plain_clip(double o, double d, double low, double high, double span[2]) {
  if (d == 0) {
    if (o < low || o > high) span[1] = -1;
    return;
  }
  const double a = (low - o) / d, b = (high - o) / d;
  span[0] = fmax(span[0], fmin(a, b));
  span[1] = fmin(span[1], fmax(a, b));
}

// Where in [0, 1] a parabola through f(0), f(1/2), f(1) is first below 0, and where it is next not;
// -1 for nowhere.
static inline void plain_below(const double f[3], double root[2]) {
  const double a = 2 * (f[0] - 2 * f[1] + f[2]), b = -3 * f[0] + 4 * f[1] - f[2], c = f[0];
  const double rest = b * b - 4 * a * c;
  double low = -1, high = -1;
  if (rest >= 0) {
    const double q = -0.5 * (b + copysign(sqrt(rest), b));
    const double one = a != 0 ? q / a : (double)INFINITY, other = q != 0 ? c / q : one;
    low = fmin(one, other);
    high = fmax(one, other);
  }
  root[0] = root[1] = -1;
  if (c < 0) {
    root[0] = 0;
  } else if (low > 0 && low <= 1) {
    root[0] = low;
    if (high > low && high <= 1) root[1] = high;
  } else if (high > 0 && high <= 1) {
    root[0] = high;
  }
  if (c < 0 && low > 0 && low <= 1) root[1] = low;
  if (c < 0 && root[1] < 0 && high > 0 && high <= 1) root[1] = high;
  // rounding at the end of a piece: the next one begins below
  if (root[0] >= 0 && root[1] < 0 && f[2] > 0 && c >= 0) root[0] = -1;
}

// A ray that only touches a ridge, to rounding, does not hit it [m].
#define PLAIN_TOUCH 1e-12

// First place of a ray from t0 on where it is below the ground.
static inline PlainHit plain_ground(const PlainGround* g, const double o[3], const double d[3],
                                    double t0, double far) {
  PlainHit hit = {(double)INFINITY, 1, 0};
  static PlainBorders b;
  double span[2] = {t0, far};
  const double horizontal = hypot(d[0], d[1]);
  plain_clip(o[0], d[0], g->low[0], g->low[0] + (g->nx - 1) * g->spacing, span);
  plain_clip(o[1], d[1], g->low[1], g->low[1] + (g->ny - 1) * g->spacing, span);
  plain_clip(o[2], d[2], -1e9, g->top + g->raised, span);
  if (!(span[0] <= span[1])) return hit;
  b.n = 0;
  plain_lines(&b, o[0], d[0], span, g->low[0], g->spacing, g->nx);
  plain_lines(&b, o[1], d[1], span, g->low[1], g->spacing, g->ny);
  if (g->cells[0] > 0) {
    double over[2] = {span[0], span[1]};
    for (int k = 0; k < 2; k++) {
      const double low = (g->first[k] + 0.5) * g->cell;
      plain_clip(o[k], d[k], low, low + (g->cells[k] - 1) * g->cell, over);
    }
    for (int k = 0; k < 2 && over[0] <= over[1]; k++) {
      plain_lines(&b, o[k], d[k], over, (g->first[k] + 0.5) * g->cell, g->cell, g->cells[k]);
    }
  }
  b.t[b.n++] = span[0];
  b.t[b.n++] = span[1];
  qsort(b.t, (size_t)b.n, sizeof *b.t, plain_ascending);
  for (int i = 0; i + 1 < b.n; i++) {
    const double length = b.t[i + 1] - b.t[i], middle = b.t[i] + 0.5 * length;
    const double at[2] = {o[0] + middle * d[0], o[1] + middle * d[1]};
    double f[3], root[2];
    for (int k = 0; k < 3; k++) {
      const double t = b.t[i] + 0.5 * k * length;
      f[k] =
          o[2] + t * d[2] - plain_height_by(g, at, o[0] + t * d[0], o[1] + t * d[1]) + PLAIN_TOUCH;
    }
    if (isinf(hit.range)) {
      plain_below(f, root);
      if (root[0] < 0) continue;
      hit.range = b.t[i] + root[0] * length;
      const double x = o[0] + hit.range * d[0], y = o[1] + hit.range * d[1], e = 1e-4;
      const double sx = plain_height_by(g, at, x + e, y) - plain_height_by(g, at, x - e, y);
      const double sy = plain_height_by(g, at, x, y + e) - plain_height_by(g, at, x, y - e);
      const double n[3] = {-sx / (2 * e), -sy / (2 * e), 1};
      hit.slant = fabs(plain_dot(n, d)) / sqrt(plain_dot(n, n));
      hit.dip = (double)INFINITY;
      if (root[1] < 0) continue;
      hit.dip = horizontal * (root[1] - root[0]) * length;
      return hit;
    }
    // how long it stays there
    plain_below((const double[3]){-f[0], -f[1], -f[2]}, root);
    if (root[0] < 0) continue;
    hit.dip = horizontal * (b.t[i] + root[0] * length - hit.range);
    return hit;
  }
  return hit;
}

// ---- bodies ----

typedef enum PlainKind { PLAIN_MESH, PLAIN_PRISM, PLAIN_ROD, PLAIN_BALL } PlainKind;

typedef struct PlainBody {
  PlainKind kind;
  double middle[3], reach;        // of a sphere around it
  int n;                          // triangles, or corners of a prism
  double (*corner)[3][3];         // [n] of a mesh
  double (*around)[4];            // spheres around groups of its triangles, see plain_group
  double xy[32][2], z[2];         // of a prism, counterclockwise
  double from[3], to[3], radius;  // of a rod; a ball is at `middle`
} PlainBody;

// All rays have corners of a triangle on the same side of their plane through an edge, whichever
// triangle of the edge asks: the vector product changes its sign only.
static inline double plain_triangle(double (*c)[3], const double o[3], const double d[3],
                                    double* slant) {
  double to[3][3], normal[3], ab[3], ac[3], side[3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) to[i][k] = c[i][k] - o[k];
  for (int i = 0; i < 3; i++) {
    plain_cross(to[i], to[(i + 1) % 3], normal);
    side[i] = plain_dot(d, normal);
  }
  const bool left = side[0] >= 0 && side[1] >= 0 && side[2] >= 0;
  const bool right = side[0] <= 0 && side[1] <= 0 && side[2] <= 0;
  if (!left && !right) return (double)INFINITY;
  for (int k = 0; k < 3; k++) ab[k] = c[1][k] - c[0][k];
  for (int k = 0; k < 3; k++) ac[k] = c[2][k] - c[0][k];
  plain_cross(ab, ac, normal);
  const double fall = plain_dot(normal, d);
  if (fall == 0) return (double)INFINITY;
  *slant = fabs(fall) / sqrt(plain_dot(normal, normal));
  return plain_dot(normal, to[0]) / fall;
}

// True if a ray passes a sphere x y z r.
static inline bool plain_passes(const double sphere[4], const double o[3], const double d[3]) {
  double w[3], off[3];
  for (int k = 0; k < 3; k++) w[k] = sphere[k] - o[k];
  plain_cross(w, d, off);
  return plain_dot(off, off) > 1.001 * sphere[3] * sphere[3];
}

enum { PLAIN_GROUP = 16 };

// Every triangle, but for groups of neighbours that the ray passes.
static inline PlainHit plain_mesh(const PlainBody* b, const double o[3], const double d[3]) {
  PlainHit hit = {(double)INFINITY, 1, 0};
  for (int i = 0; i < b->n; i++) {
    if (i % PLAIN_GROUP == 0 && plain_passes(b->around[i / PLAIN_GROUP], o, d)) {
      i += PLAIN_GROUP - 1;
      continue;
    }
    double slant = 1;
    const double t = plain_triangle(b->corner[i], o, d, &slant);
    if (t >= 0 && t < hit.range) hit = (PlainHit){t, slant, 0};
  }
  return hit;
}

// What is below the top, above the bottom and left of all sides (Cyrus and Beck). Rays from inside
// do not see it.
static inline PlainHit plain_prism(const PlainBody* b, const double o[3], const double d[3]) {
  PlainHit hit = {(double)INFINITY, 1, 0};
  double enter = -(double)INFINITY, leave = (double)INFINITY, slant = 1;
  for (int i = 0; i < b->n + 2; i++) {
    double n[3] = {0, 0, i == b->n ? -1 : 1}, p[3] = {0, 0, b->z[i == b->n ? 0 : 1]};
    if (i < b->n) {
      const double *a = b->xy[i], *c = b->xy[(i + 1) % b->n],
                   length = hypot(c[0] - a[0], c[1] - a[1]);
      n[0] = (c[1] - a[1]) / length;
      n[1] = -(c[0] - a[0]) / length;
      n[2] = 0;
      memcpy(p, a, 2 * sizeof *a);
      p[2] = 0;
    }
    const double rate = plain_dot(n, d), away = plain_dot(n, o) - plain_dot(n, p);
    if (rate == 0) {
      if (away > 0) return hit;
    } else if (rate > 0) {
      leave = fmin(leave, -away / rate);
    } else if (-away / rate > enter) {
      enter = -away / rate;
      slant = -rate;
    }
  }
  if (enter >= 0 && enter <= leave) hit = (PlainHit){enter, slant, 0};
  return hit;
}

// A cylinder with flat ends: the first place that is within the radius of the axis and between the
// ends. Rays from inside do not see it.
static inline PlainHit plain_rod(const PlainBody* b, const double o[3], const double d[3]) {
  PlainHit hit = {(double)INFINITY, 1, 0};
  double axis[3], w[3], nearest[3];
  for (int k = 0; k < 3; k++) axis[k] = b->to[k] - b->from[k];
  const double length = sqrt(plain_dot(axis, axis));
  for (int k = 0; k < 3; k++) axis[k] /= length;
  // from the place nearest to it: far origins cost digits
  double shift = 0;
  for (int k = 0; k < 3; k++) shift += (b->middle[k] - o[k]) * d[k];
  for (int k = 0; k < 3; k++) nearest[k] = o[k] + shift * d[k];
  for (int k = 0; k < 3; k++) w[k] = nearest[k] - b->from[k];
  const double da = plain_dot(d, axis), wa = plain_dot(w, axis), r2 = b->radius * b->radius;
  const double a = plain_dot(d, d) - da * da, h = plain_dot(w, d) - wa * da,
               c = plain_dot(w, w) - wa * wa - r2, root = h * h - a * c;
  double enter = -(double)INFINITY, leave = (double)INFINITY, slant = 1;
  if (a > 0 && root < 0) return hit;
  if (!(a > 0) && c > 0) return hit;
  if (a > 0) {
    enter = (-h - sqrt(root)) / a;
    leave = (-h + sqrt(root)) / a;
    slant = sqrt(root) / b->radius;
  }
  const double one = -wa / da, other = (length - wa) / da;
  if (da == 0 && (wa < 0 || wa > length)) return hit;
  if (da != 0 && fmin(one, other) > enter) {
    enter = fmin(one, other);
    slant = fabs(da);
  }
  if (da != 0) leave = fmin(leave, fmax(one, other));
  if (enter + shift >= 0 && enter <= leave) hit = (PlainHit){enter + shift, slant, 0};
  return hit;
}

static inline PlainHit plain_ball(const PlainBody* b, const double o[3], const double d[3]) {
  PlainHit hit = {(double)INFINITY, 1, 0};
  double w[3], shift = 0;
  for (int k = 0; k < 3; k++) shift += (b->middle[k] - o[k]) * d[k];
  for (int k = 0; k < 3; k++) w[k] = o[k] + shift * d[k] - b->middle[k];
  const double h = plain_dot(w, d), rest = h * h - plain_dot(w, w) + b->radius * b->radius;
  if (rest >= 0 && shift - h - sqrt(rest) >= 0) {
    hit = (PlainHit){shift - h - sqrt(rest), sqrt(rest) / b->radius, 0};
  }
  return hit;
}

// Nearest of all bodies. Those are left out whose sphere the ray does not touch.
static inline PlainHit plain_bodies(int n, const PlainBody* body, const double o[3],
                                    const double d[3]) {
  static PlainHit (*const hit_of[])(const PlainBody*, const double*, const double*) = {
      plain_mesh, plain_prism, plain_rod, plain_ball};
  PlainHit best = {(double)INFINITY, 1, 0};
  for (int i = 0; i < n; i++) {
    const double* m = body[i].middle;
    if (plain_passes((const double[4]){m[0], m[1], m[2], body[i].reach}, o, d)) continue;
    const PlainHit hit = hit_of[body[i].kind](&body[i], o, d);
    if (hit.range < best.range) best = hit;
  }
  return best;
}

// Sphere x y z r around points.
static inline void plain_sphere(int n, const double* point, double sphere[4]) {
  double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
  for (int i = 0; i < 3 * n; i++) {
    low[i % 3] = fmin(low[i % 3], point[i]);
    high[i % 3] = fmax(high[i % 3], point[i]);
  }
  for (int k = 0; k < 3; k++) sphere[k] = 0.5 * (low[k] + high[k]);
  sphere[3] = 0;
  for (int i = 0; i < n; i++) {
    double v[3];
    for (int k = 0; k < 3; k++) v[k] = point[3 * i + k] - sphere[k];
    sphere[3] = fmax(sphere[3], sqrt(plain_dot(v, v)));
  }
}

// Of a mesh, a rod or a prism; of a ball it is set by hand.
static inline void plain_enclose(PlainBody* b, int n, const double* point) {
  double sphere[4];
  plain_sphere(n, point, sphere);
  memcpy(b->middle, sphere, sizeof b->middle);
  b->reach = sphere[3] + (b->kind == PLAIN_ROD ? b->radius : 0);
}

// Of the triangles of a mesh, and of groups of them. The caller frees `around`.
static inline void plain_group(PlainBody* b) {
  const int groups = (b->n + PLAIN_GROUP - 1) / PLAIN_GROUP;
  plain_enclose(b, 3 * b->n, &b->corner[0][0][0]);
  b->around = malloc((size_t)groups * sizeof *b->around);
  assert_non_null(b->around);
  for (int i = 0; i < groups; i++) {
    const int first = i * PLAIN_GROUP, left = b->n - first;
    plain_sphere(3 * (left < PLAIN_GROUP ? left : PLAIN_GROUP), &b->corner[first][0][0],
                 b->around[i]);
  }
}

// p' = position + R(q) (scale p + offset), q being a quaternion w x y z.
static inline void plain_place(const double q[4], const double position[3], double scale,
                               const double offset[3], const double p[3], double out[3]) {
  double v[3], c[3], cc[3];
  for (int k = 0; k < 3; k++) v[k] = scale * p[k] + offset[k];
  plain_cross(q + 1, v, c);
  plain_cross(q + 1, c, cc);
  for (int k = 0; k < 3; k++) out[k] = position[k] + v[k] + 2 * (q[0] * c[k] + cc[k]);
}

#endif  // RUT_TEST_UNIT_PLAIN_RAYS_H
