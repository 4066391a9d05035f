// SPDX-License-Identifier: BSD-3-Clause
#include "geom/convex.h"

#include <string.h>

#include "math/rut_math.h"

// Corners nearer than this are one corner [m]: far below any slop, far above the rounding of
// coordinates within a kilometre.
#define SAME_POINT 1e-9
// A face of the other polygon must be this much better to become the reference, so that the choice
// does not flicker between two faces that are parallel [m].
#define FACE_PREFERENCE 5e-4

// A contact is taken to push against a blocked edge from this cosine between their normals on,
// which is 87 degrees.
#define BLOCKED_COSINE 0.05
// Two corners make the contact where they are farther apart than the faces by this part.
#define CORNER_EXCESS 1e-3

// Parts of a point's id, above the indices of two features.
enum { ID_FLIP = 1 << 16, ID_CUT_START = 1 << 17, ID_CUT_END = 1 << 18, ID_CORNERS = 1 << 19 };

static double signed_area(int n, const double* xy) {
  double sum = 0;
  for (int i = 0, j = n - 1; i < n; j = i++) {
    sum += (xy[2 * j] - xy[0]) * (xy[2 * i + 1] - xy[1]) -
           (xy[2 * i] - xy[0]) * (xy[2 * j + 1] - xy[1]);
  }
  return sum;
}

static bool same_point(const double* p, const double* q) {
  return fabs(p[0] - q[0]) <= SAME_POINT && fabs(p[1] - q[1]) <= SAME_POINT;
}

int rut_convex_prepare(int n, const double* corner, double* xy, double* normal) {
  int kept = 0;
  if (n <= 0) return 0;
  bool reverse = signed_area(n, corner) < 0;
  for (int i = 0; i < n; i++) {
    const double* p = corner + 2 * (reverse ? n - 1 - i : i);
    if (!rut_is_finite(p[0]) || !rut_is_finite(p[1])) return 0;
    if (kept && same_point(p, xy + 2 * (kept - 1))) continue;
    memcpy(xy + 2 * kept++, p, 2 * sizeof *p);
  }
  while (kept > 1 && same_point(xy, xy + 2 * (kept - 1))) kept--;
  for (int i = 0; i < kept; i++) {
    int j = i + 1 < kept ? i + 1 : 0;
    double ex = xy[2 * j] - xy[2 * i], ey = xy[2 * j + 1] - xy[2 * i + 1];
    double length = rut_hypot(ex, ey);
    normal[2 * i] = length > 0 ? ey / length : 1;
    normal[2 * i + 1] = length > 0 ? -ex / length : 0;
  }
  return kept;
}

// ---------------------------------------------------------------------------------------------
// Closest points

// Nearest point to p on the edge from q to r: its parameter in [0, 1] and squared distance.
static double edge_distance(const double* p, const double* q, const double* r, double* t) {
  double ex = r[0] - q[0], ey = r[1] - q[1], px = p[0] - q[0], py = p[1] - q[1];
  double length2 = ex * ex + ey * ey;
  double s = length2 > 0 ? rut_clamp((px * ex + py * ey) / length2, 0, 1) : 0;
  double dx = px - s * ex, dy = py - s * ey;
  *t = s;
  return dx * dx + dy * dy;
}

// Best corner of `points` against edges of `edges`, if nearer than *best (squared distance).
static bool closest_corner(const rutConvex* points, const rutConvex* edges, double* best,
                           int* corner, int* edge, double* where) {
  bool found = false;
  for (int i = 0; i < points->n; i++) {
    for (int j = 0; j < edges->n; j++) {
      int k = j + 1 < edges->n ? j + 1 : 0;
      double t;
      double d = edge_distance(points->xy + 2 * i, edges->xy + 2 * j, edges->xy + 2 * k, &t);
      if (d >= *best) continue;
      *best = d;
      *corner = i;
      *edge = j;
      *where = t;
      found = true;
    }
  }
  return found;
}

// Point on an edge, and the corner it is if it is at an end.
static int point_on_edge(const rutConvex* c, int edge, double t, double* point, bool* inner) {
  int next = edge + 1 < c->n ? edge + 1 : 0;
  *inner = t > 0 && t < 1;
  for (int k = 0; k < 2; k++) {
    double q = c->xy[2 * edge + k], r = c->xy[2 * next + k];
    point[k] = t >= 1 ? r : q + t * (r - q);
  }
  return t >= 1 ? next : edge;
}

rutClosest rut_convex_closest(const rutConvex* a, const rutConvex* b) {
  rutClosest c = {0};
  double best = HUGE_VAL, t = 0;
  int corner = 0, edge = 0;
  closest_corner(a, b, &best, &corner, &edge, &t);
  bool b_corner = closest_corner(b, a, &best, &corner, &edge, &t);
  const rutConvex* points = b_corner ? b : a;
  const rutConvex* edges = b_corner ? a : b;
  memcpy(b_corner ? c.b : c.a, points->xy + 2 * corner, sizeof c.a);
  bool inner;
  int feature = point_on_edge(edges, edge, t, b_corner ? c.a : c.b, &inner);
  c.feature_a = b_corner ? feature : corner;
  c.feature_b = b_corner ? corner : feature;
  c.edge_a = b_corner && inner;
  c.edge_b = !b_corner && inner;
  c.distance = rut_sqrt(best);
  return c;
}

// ---------------------------------------------------------------------------------------------
// Contact

// Depth of `other` below each face of `face`: the largest over all faces, and over allowed ones.
typedef struct FaceQuery {
  double any, allowed;
  int edge;  // of `allowed`, -1 if none
} FaceQuery;

// True if a contact whose outward normal on b is (x, y) would push against a blocked edge.
static bool against_blocked(const rutConvex* b, unsigned blocked, double x, double y) {
  for (int i = 0; i < b->n; i++) {
    const double cosine = b->normal[2 * i] * x + b->normal[2 * i + 1] * y;
    if ((blocked >> i & 1u) && cosine > BLOCKED_COSINE) return true;
  }
  return false;
}

static double least_along(const rutConvex* c, double nx, double ny, double x, double y) {
  double least = HUGE_VAL;
  for (int i = 0; i < c->n; i++) {
    double s = nx * (c->xy[2 * i] - x) + ny * (c->xy[2 * i + 1] - y);
    if (s < least) least = s;
  }
  return least;
}

static FaceQuery query_faces(const rutConvex* face, const rutConvex* other, bool face_is_b,
                             unsigned blocked) {
  FaceQuery q = {-HUGE_VAL, -HUGE_VAL, -1};
  for (int i = 0; i < face->n; i++) {
    double nx = face->normal[2 * i], ny = face->normal[2 * i + 1];
    double s = least_along(other, nx, ny, face->xy[2 * i], face->xy[2 * i + 1]);
    if (s > q.any) q.any = s;
    if (s <= q.allowed) continue;
    bool no = blocked &&
              (face_is_b ? (blocked >> i & 1u) != 0 : against_blocked(other, blocked, -nx, -ny));
    if (no) continue;
    q.allowed = s;
    q.edge = i;
  }
  return q;
}

// Edge of c that faces most against (nx, ny).
static int opposite_edge(const rutConvex* c, double nx, double ny) {
  int edge = 0;
  double least = HUGE_VAL;
  for (int i = 0; i < c->n; i++) {
    double d = c->normal[2 * i] * nx + c->normal[2 * i + 1] * ny;
    if (d < least) least = d, edge = i;
  }
  return edge;
}

typedef struct ClipPoint {
  double x[2];
  uint32_t id;
} ClipPoint;

// Keep the part of a segment where along . p >= low (after Box2D and many before it: Sutherland and
// Hodgman, CACM 17, 1974). Returns the number of points left, 0 or 2.
static int clip_segment(ClipPoint p[2], double along_x, double along_y, double low, uint32_t mark) {
  double d0 = along_x * p[0].x[0] + along_y * p[0].x[1] - low;
  double d1 = along_x * p[1].x[0] + along_y * p[1].x[1] - low;
  if (d0 < 0 && d1 < 0) return 0;
  if (d0 >= 0 && d1 >= 0) return 2;
  double t = d0 / (d0 - d1);
  int cut = d0 < 0 ? 0 : 1;
  double x = p[0].x[0] + t * (p[1].x[0] - p[0].x[0]), y = p[0].x[1] + t * (p[1].x[1] - p[0].x[1]);
  p[cut].x[0] = x;
  p[cut].x[1] = y;
  p[cut].id |= mark;
  return 2;
}

static void add_point(rutManifold* m, const double p[2], double gap, double nx, double ny,
                      uint32_t id) {
  int k = m->n++;
  m->point[k][0] = p[0] - 0.5 * gap * nx;
  m->point[k][1] = p[1] - 0.5 * gap * ny;
  m->gap[k] = gap;
  m->id[k] = id;
}

// Points of `inc` below the face `edge` of `ref`.
static int face_contact(const rutConvex* ref, int edge, const rutConvex* inc, bool flip,
                        double reach, rutManifold* m) {
  int end = edge + 1 < ref->n ? edge + 1 : 0;
  const double *r0 = ref->xy + 2 * edge, *r1 = ref->xy + 2 * end;
  double nx = ref->normal[2 * edge], ny = ref->normal[2 * edge + 1], tx = -ny, ty = nx;
  int i0 = opposite_edge(inc, nx, ny), i1 = i0 + 1 < inc->n ? i0 + 1 : 0;
  uint32_t base = (uint32_t)edge | (flip ? ID_FLIP : 0u);
  ClipPoint p[2] = {{{inc->xy[2 * i0], inc->xy[2 * i0 + 1]}, base | (uint32_t)i0 << 8},
                    {{inc->xy[2 * i1], inc->xy[2 * i1 + 1]}, base | (uint32_t)i1 << 8}};
  m->n = 0;
  m->flip = flip;
  m->normal[0] = flip ? -nx : nx;
  m->normal[1] = flip ? -ny : ny;
  m->plane[0] = r0[0];
  m->plane[1] = r0[1];
  if (!clip_segment(p, tx, ty, tx * r0[0] + ty * r0[1], ID_CUT_START)) return 0;
  if (!clip_segment(p, -tx, -ty, -tx * r1[0] - ty * r1[1], ID_CUT_END)) return 0;
  for (int k = 0; k < 2; k++) {
    double gap = nx * (p[k].x[0] - r0[0]) + ny * (p[k].x[1] - r0[1]);
    if (gap > reach || (k && m->n && same_point(p[0].x, p[1].x))) continue;
    add_point(m, p[k].x, gap, nx, ny, p[k].id);
  }
  return m->n;
}

static int corner_contact(const rutClosest* c, rutManifold* m) {
  m->n = 1;
  m->flip = false;
  for (int k = 0; k < 2; k++) {
    m->normal[k] = (c->b[k] - c->a[k]) / c->distance;
    m->plane[k] = c->a[k];
    m->point[0][k] = 0.5 * (c->a[k] + c->b[k]);
  }
  m->gap[0] = c->distance;
  m->id[0] = (uint32_t)c->feature_a | (uint32_t)c->feature_b << 8 | ID_CORNERS;
  return 1;
}

// Two polygons, and their faces against each other.
typedef struct Pair {
  const rutConvex *a, *b;
  FaceQuery faces_a, faces_b;
  double reach;      // polygons farther apart make no contact [m]
  unsigned blocked;  // edges of b, a bit each
} Pair;

// Contact through the better of two allowed faces, or through the other one if that gives none.
static int best_face_contact(const Pair* pair, rutManifold* m) {
  const FaceQuery *fa = &pair->faces_a, *fb = &pair->faces_b;
  bool flip = fb->edge >= 0 && (fa->edge < 0 || fb->allowed > fa->allowed + FACE_PREFERENCE);
  for (int attempt = 0; attempt < 2; attempt++, flip = !flip) {
    if ((flip ? fb->edge : fa->edge) < 0) continue;
    int n = flip ? face_contact(pair->b, fb->edge, pair->a, true, pair->reach, m)
                 : face_contact(pair->a, fa->edge, pair->b, false, pair->reach, m);
    if (n) return n;
  }
  return 0;
}

// Polygons that are `any` apart along the best face normal: their closest features decide. Two
// corners make a contact of their own unless they lie across a face, as those of aligned boxes do.
static int apart_contact(const Pair* pair, double any, rutManifold* m) {
  const rutConvex *a = pair->a, *b = pair->b;
  const double reach = pair->reach;
  rutClosest c = rut_convex_closest(a, b);
  if (!(c.distance <= reach)) return 0;
  bool touching = c.distance < SAME_POINT;
  double scale = touching ? 0 : 1 / c.distance;
  double nx = scale * (c.b[0] - c.a[0]), ny = scale * (c.b[1] - c.a[1]);
  // what faces the gap is blocked: the neighbour behind that edge makes this contact
  if (pair->blocked && against_blocked(b, pair->blocked, -nx, -ny)) {
    const double allowed = rut_max(pair->faces_a.allowed, pair->faces_b.allowed);
    return allowed < 0 ? 0 : best_face_contact(pair, m);
  }
  bool corners = !c.edge_a && !c.edge_b && !touching;
  if (corners && c.distance > any * (1 + CORNER_EXCESS) + SAME_POINT) return corner_contact(&c, m);
  int n = c.edge_a   ? face_contact(a, c.feature_a, b, false, reach, m)
          : c.edge_b ? face_contact(b, c.feature_b, a, true, reach, m)
                     : best_face_contact(pair, m);
  return n || touching ? n : corner_contact(&c, m);
}

int rut_convex_collide(const rutConvex* a, const rutConvex* b, double reach, unsigned blocked,
                       double slack, rutManifold* m) {
  m->n = 0;
  if (a->n < 1 || b->n < 1) return 0;
  const FaceQuery fa = query_faces(a, b, false, blocked);
  if (!(fa.any <= reach)) return 0;
  const FaceQuery fb = query_faces(b, a, true, blocked);
  if (!(fb.any <= reach)) return 0;
  if (fa.edge < 0 && fb.edge < 0) return 0;

  const Pair pair = {a, b, fa, fb, reach, blocked};
  const double any = rut_max(fa.any, fb.any), allowed = rut_max(fa.allowed, fb.allowed);
  if (any > 0) return apart_contact(&pair, any, m);
  if (any > allowed + slack) return 0;
  return best_face_contact(&pair, m);
}
