// SPDX-License-Identifier: BSD-3-Clause
#include "geom/polygon.h"

#include <stdlib.h>
#include <string.h>

#include "math/rut_math.h"

// Twice the area of the triangle o, a, b: positive if it turns left.
static double cross3(const double* o, const double* a, const double* b) {
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

static int compare_points(const void* left, const void* right) {
  const double* a = left;
  const double* b = right;
  if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
  if (a[1] != b[1]) return a[1] < b[1] ? -1 : 1;
  return 0;
}

// Append a point to the chain that starts at hull[first], dropping points that do not turn left.
// Rounding may let a point turn left in both chains, and large numbers make a turn NaN: a hull that
// is full drops points as well.
static int push_point(double* hull, int room, int first, int count, const double* p) {
  while (count >= first + 2 &&
         (count == room || !(cross3(hull + 2 * (count - 2), hull + 2 * (count - 1), p) > 0))) {
    count--;
  }
  hull[2 * count] = p[0];
  hull[2 * count + 1] = p[1];
  return count + 1;
}

// Andrew's monotone chain (1979): lower chain left to right, upper chain back.
int rut_polygon_hull(int n, double* point, double* hull) {
  if (n <= 0) return 0;
  qsort(point, (size_t)n, 2 * sizeof(double), compare_points);
  if (compare_points(point, point + 2 * (n - 1)) == 0) {
    memcpy(hull, point, 2 * sizeof(double));
    return 1;
  }
  int count = 0;
  for (int i = 0; i < n; i++) count = push_point(hull, n + 1, 0, count, point + 2 * i);
  int first = count - 1;
  for (int i = n - 2; i >= 0; i--) count = push_point(hull, n + 1, first, count, point + 2 * i);
  // the last point closes the loop: it is the first one again
  return count - 1;
}

// Keep the outermost points in DIRECTIONS even directions, so that a fine outline costs no
// quadratic time. Along a convex outline these points follow each other.
enum { DIRECTIONS = 256 };
static int thin_out(int n, double* point) {
  double kept[2 * DIRECTIONS];
  int count = 0, at = 0, last = -1;
  for (int i = 1; i < n; i++) {
    if (point[2 * i] > point[2 * at]) at = i;
  }
  int first = at;
  for (int k = 0; k < DIRECTIONS; k++) {
    double s, c;
    rut_sincos(2 * RUT_PI * k / DIRECTIONS, &s, &c);
    for (int step = 0; step < n; step++) {
      const double* here = point + 2 * at;
      const double* next = point + 2 * (at + 1 < n ? at + 1 : 0);
      if (c * (next[0] - here[0]) + s * (next[1] - here[1]) <= 0) break;
      at = at + 1 < n ? at + 1 : 0;
    }
    // the walk may come round to its first point again
    if (at == last || (at == first && count > 0)) continue;
    last = at;
    memcpy(kept + 2 * count++, point + 2 * at, 2 * sizeof(double));
  }
  memcpy(point, kept, 2 * sizeof(double) * (size_t)count);
  return count;
}

int rut_polygon_simplify(int n, double* point, int max) {
  if (max < 3) max = 3;
  if (n > DIRECTIONS && max < DIRECTIONS) n = thin_out(n, point);
  while (n > max) {
    int best = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < n; i++) {
      const double* before = point + 2 * ((i + n - 1) % n);
      double lost = fabs(cross3(before, point + 2 * i, point + 2 * ((i + 1) % n)));
      if (lost < least) {
        least = lost;
        best = i;
      }
    }
    n--;
    memmove(point + 2 * best, point + 2 * (best + 1), 2 * sizeof(double) * (size_t)(n - best));
  }
  return n;
}

double rut_polygon_area(int n, const double* point) {
  // relative to the first point, so that a polygon far from the origin loses no digits
  double twice = 0;
  for (int i = 1; i + 1 < n; i++) twice += cross3(point, point + 2 * i, point + 2 * i + 2);
  return 0.5 * twice;
}

// Fan of triangles (0, a, b) about the first point, with D = a x b (twice the area):
//   A = sum D / 2,  A c = sum D (a + b) / 6,  J = sum D (a.a + a.b + b.b) / 12,
// and J_c = J - A c.c (Steiner). Green's theorem; see Eberly, "Polyhedral mass properties" (2002).
double rut_polygon_mass(int n, const double* point, double mass, double com[2], double* inertia) {
  double area = 0, first_x = 0, first_y = 0, second = 0, mean_x = 0, mean_y = 0;
  for (int i = 0; i < n; i++) {
    mean_x += point[2 * i] / n;
    mean_y += point[2 * i + 1] / n;
  }
  for (int i = 1; i + 1 < n; i++) {
    double ax = point[2 * i] - point[0], ay = point[2 * i + 1] - point[1];
    double bx = point[2 * i + 2] - point[0], by = point[2 * i + 3] - point[1];
    double d = ax * by - ay * bx;
    area += d / 2;
    first_x += d * (ax + bx) / 6;
    first_y += d * (ay + by) / 6;
    second += d * (ax * ax + ay * ay + ax * bx + ay * by + bx * bx + by * by) / 12;
  }
  if (area == 0) {
    com[0] = mean_x;
    com[1] = mean_y;
    *inertia = 0;
    return 0;
  }
  double cx = first_x / area, cy = first_y / area;
  com[0] = point[0] + cx;
  com[1] = point[1] + cy;
  *inertia = mass * (second / area - (cx * cx + cy * cy));
  return fabs(area);
}

void rut_polygon_bounds(int n, const double* point, double box[4]) {
  box[0] = box[2] = point[0];
  box[1] = box[3] = point[1];
  for (int i = 1; i < n; i++) {
    for (int k = 0; k < 2; k++) {
      double value = point[2 * i + k];
      if (value < box[k]) box[k] = value;
      if (value > box[2 + k]) box[2 + k] = value;
    }
  }
}

void rut_polygon_transform(int n, const double* point, rutPlanePose pose, double* out) {
  for (int i = 0; i < n; i++) {
    const double px = point[2 * i], py = point[2 * i + 1];
    out[2 * i] = pose.x + pose.cosine * px - pose.sine * py;
    out[2 * i + 1] = pose.y + pose.sine * px + pose.cosine * py;
  }
}

bool rut_polygon_contains(int n, const double* point, double x, double y) {
  bool inside = false;
  for (int i = 0, j = n - 1; i < n; j = i++) {
    const double* a = point + 2 * i;
    const double* b = point + 2 * j;
    // half-open in y: an edge counts at its lower end only, so a shared vertex counts once
    if ((a[1] > y) == (b[1] > y)) continue;
    double left = (b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1]);
    if (b[1] > a[1] ? left > 0 : left < 0) inside = !inside;
  }
  return inside;
}

// Largest over the edges of a of the least distance of b's vertices from that edge.
static double edge_separation(int na, const double* a, int nb, const double* b) {
  double best = -HUGE_VAL;
  for (int j = 0; j < na; j++) {
    int i = j + 1 < na ? j + 1 : 0;
    double ex = a[2 * i] - a[2 * j], ey = a[2 * i + 1] - a[2 * j + 1];
    double length = sqrt(ex * ex + ey * ey);
    if (length == 0) continue;
    double nx = ey / length, ny = -ex / length;
    double least = HUGE_VAL;
    for (int k = 0; k < nb; k++) {
      double d = nx * (b[2 * k] - a[2 * j]) + ny * (b[2 * k + 1] - a[2 * j + 1]);
      if (d < least) least = d;
    }
    if (least > best) best = least;
  }
  return best;
}

double rut_polygon_separation(int na, const double* a, int nb, const double* b) {
  const double of_a = edge_separation(na, a, nb, b), of_b = edge_separation(nb, b, na, a);
  return of_a >= of_b ? of_a : of_b;
}
