// SPDX-License-Identifier: BSD-3-Clause
#include "geom/polyhedron.h"

#include <string.h>

enum { MAX_OUTLINE = RUT_POLYHEDRON_CORNERS / 2 };
// Points nearer to a plane than this part of the hull's size are in it.
static const double FLAT = 1e-9;

// Mean of the corners, and the sphere around it.
static void bound(rutPolyhedron* p) {
  rutVec3 sum = rut_vec3(0, 0, 0);
  double far = 0;
  for (int i = 0; i < p->corners; i++) sum = rut_vec3_add(sum, p->corner[i]);
  p->centre = rut_vec3_scale(sum, 1.0 / (p->corners > 0 ? p->corners : 1));
  for (int i = 0; i < p->corners; i++) {
    const rutVec3 arm = rut_vec3_sub(p->corner[i], p->centre);
    far = rut_max(far, rut_vec3_dot(arm, arm));
  }
  p->radius = rut_sqrt(far);
}

static void set_face(rutPolyhedron* p, int face, rutVec3 normal) {
  p->normal[face] = normal;
  p->offset[face] = rut_vec3_dot(normal, p->corner[p->side[p->first[face]]]);
}

bool rut_polyhedron_prism(int n, const double* xy, double low, double high, rutPolyhedron* p) {
  p->corners = p->faces = p->edges = 0;
  if (n < 3 || n > MAX_OUTLINE || !(high > low)) return false;
  p->corners = 2 * n;
  p->faces = n + 2;
  for (int i = 0; i < n; i++) {
    const int j = (i + 1) % n;
    p->corner[i] = rut_vec3(xy[2 * i], xy[2 * i + 1], low);
    p->corner[n + i] = rut_vec3(xy[2 * i], xy[2 * i + 1], high);
    const unsigned char side[4] = {(unsigned char)i, (unsigned char)j, (unsigned char)(n + j),
                                   (unsigned char)(n + i)};
    p->first[i] = (unsigned char)(4 * i);
    memcpy(p->side + 4 * i, side, sizeof side);
    // the lower face, clockwise from above, and the upper one
    p->side[5 * n - 1 - i] = (unsigned char)i;
    p->side[5 * n + i] = (unsigned char)(n + i);
  }
  p->first[n] = (unsigned char)(4 * n);
  p->first[n + 1] = (unsigned char)(5 * n);
  p->first[n + 2] = (unsigned char)(6 * n);
  for (int i = 0; i < n; i++) {
    const int j = (i + 1) % n, before = (i + n - 1) % n;
    const double ex = xy[2 * j] - xy[2 * i], ey = xy[2 * j + 1] - xy[2 * i + 1];
    set_face(p, i, rut_vec3_unit(rut_vec3(ey, -ex, 0)));
    const unsigned char a = (unsigned char)i, b = (unsigned char)j, up = (unsigned char)n;
    const rutEdge edges[3] = {
        {a, b, a, up},
        {(unsigned char)(n + i), (unsigned char)(n + j), (unsigned char)(n + 1), a},
        {a, (unsigned char)(n + i), (unsigned char)before, a}};
    memcpy(p->edge + 3 * i, edges, sizeof edges);
  }
  p->edges = 3 * n;
  set_face(p, n, rut_vec3(0, 0, -1));
  set_face(p, n + 1, rut_vec3(0, 0, 1));
  bound(p);
  return true;
}

void rut_polyhedron_cylinder(int sides, double radius, double length, double angle,
                             rutPolyhedron* p) {
  double xy[2 * MAX_OUTLINE];
  const int n = sides < 3 ? 3 : sides > MAX_OUTLINE ? MAX_OUTLINE : sides;
  for (int i = 0; i < n; i++) {
    double s, c;
    rut_sincos(angle + 2 * RUT_PI * i / n, &s, &c);
    xy[2 * i] = radius * c;
    xy[2 * i + 1] = radius * s;
  }
  rut_polyhedron_prism(n, xy, -0.5 * length, 0.5 * length, p);
}

// ---- hull ----

// Points without repetition, and the size of their box.
typedef struct Cloud {
  int n;
  rutVec3 point[RUT_POLYHEDRON_CORNERS];
  double size;
} Cloud;

static void take_cloud(int n, const double* point, Cloud* cloud) {
  rutVec3 low = rut_vec3_of(point), high = low;
  for (int i = 1; i < n; i++) {
    const rutVec3 p = rut_vec3_of(point + (size_t)(3 * i));
    low = rut_vec3(rut_min(low.x, p.x), rut_min(low.y, p.y), rut_min(low.z, p.z));
    high = rut_vec3(rut_max(high.x, p.x), rut_max(high.y, p.y), rut_max(high.z, p.z));
  }
  cloud->size = rut_vec3_norm(rut_vec3_sub(high, low));
  cloud->n = 0;
  for (int i = 0; i < n; i++) {
    const rutVec3 p = rut_vec3_of(point + (size_t)(3 * i));
    bool known = false;
    for (int k = 0; k < cloud->n && !known; k++) {
      known = rut_vec3_norm(rut_vec3_sub(p, cloud->point[k])) <= FLAT * cloud->size;
    }
    if (!known) cloud->point[cloud->n++] = p;
  }
}

// Points in a plane that has all others behind it; 0 if it has some in front.
static int points_in(const Cloud* cloud, rutVec3 normal, double offset, unsigned char* in) {
  const double near = FLAT * cloud->size;
  int n = 0;
  for (int i = 0; i < cloud->n; i++) {
    const double above = rut_vec3_dot(normal, cloud->point[i]) - offset;
    if (above > near) return 0;
    if (above >= -near) in[n++] = (unsigned char)i;
  }
  return n;
}

// Points of a plane in counter-clockwise order, without those on straight lines between others:
// the next corner is that which has all others at its left. Returns the corners.
static int wrap(const Cloud* cloud, rutVec3 normal, int n, const unsigned char* in,
                unsigned char* corner) {
  const double least = FLAT * cloud->size;
  // the outermost in some direction is a corner; of several the one farthest along another
  const rutVec3 lead = rut_vec3_sub(cloud->point[in[1]], cloud->point[in[0]]);
  const rutVec3 across = rut_vec3_cross(normal, lead);
  int start = in[0], corners = 0;
  for (int i = 1; i < n; i++) {
    const rutVec3 d = rut_vec3_sub(cloud->point[in[i]], cloud->point[start]);
    const double ahead = rut_vec3_dot(d, lead) / rut_vec3_norm(lead);
    const double aside = rut_vec3_dot(d, across);
    if (ahead > least || (ahead >= -least && aside > 0)) start = in[i];
  }
  int at = start;
  do {
    corner[corners++] = (unsigned char)at;
    int next = -1;
    for (int i = 0; i < n; i++) {
      if (in[i] == at) continue;
      if (next < 0) {
        next = in[i];
        continue;
      }
      const rutVec3 to = rut_vec3_sub(cloud->point[next], cloud->point[at]);
      const rutVec3 other = rut_vec3_sub(cloud->point[in[i]], cloud->point[at]);
      const double left = rut_vec3_dot(rut_vec3_cross(to, other), normal);
      const bool right = left < -least * rut_vec3_norm(to);
      const bool beyond =
          left <= least * rut_vec3_norm(to) && rut_vec3_dot(other, other) > rut_vec3_dot(to, to);
      if (right || beyond) next = in[i];
    }
    at = next;
  } while (at != start && corners < n);
  return corners;
}

static bool has_face(const rutPolyhedron* p, rutVec3 normal) {
  static const double SAME = 1e-9;
  for (int f = 0; f < p->faces; f++) {
    if (rut_vec3_norm(rut_vec3_sub(p->normal[f], normal)) < SAME) return true;
  }
  return false;
}

// The plane of three points, its normal first to one side and then to the other.
static bool try_face(const Cloud* cloud, const int of[3], double side, rutPolyhedron* p) {
  const rutVec3 a = cloud->point[of[0]];
  const rutVec3 ab = rut_vec3_sub(cloud->point[of[1]], a);
  const rutVec3 ac = rut_vec3_sub(cloud->point[of[2]], a), cross = rut_vec3_cross(ab, ac);
  unsigned char in[RUT_POLYHEDRON_CORNERS];
  if (rut_vec3_norm(cross) <= FLAT * rut_vec3_norm(ab) * rut_vec3_norm(ac)) return true;
  const rutVec3 normal = rut_vec3_scale(rut_vec3_unit(cross), side);
  const int n = points_in(cloud, normal, rut_vec3_dot(normal, a), in);
  if (n < 3 || has_face(p, normal)) return true;
  const int first = p->first[p->faces];
  if (p->faces == RUT_POLYHEDRON_FACES || first + n > RUT_POLYHEDRON_SIDES) return false;
  const int corners = wrap(cloud, normal, n, in, p->side + first);
  p->normal[p->faces] = normal;
  p->first[++p->faces] = (unsigned char)(first + corners);
  return corners >= 3;
}

static bool find_faces(const Cloud* cloud, rutPolyhedron* p) {
  for (int i = 0; i < cloud->n; i++) {
    for (int j = i + 1; j < cloud->n; j++) {
      for (int k = j + 1; k < cloud->n; k++) {
        const int of[3] = {i, j, k};
        if (!try_face(cloud, of, 1, p) || !try_face(cloud, of, -1, p)) return false;
      }
    }
  }
  return p->faces >= 4;
}

// Keep the points that are corners, numbered anew.
static void keep_corners(const Cloud* cloud, rutPolyhedron* p) {
  int number[RUT_POLYHEDRON_CORNERS];
  memset(number, -1, sizeof number);
  p->corners = 0;
  for (int i = 0; i < p->first[p->faces]; i++) {
    const int point = p->side[i];
    if (number[point] < 0) {
      number[point] = p->corners;
      p->corner[p->corners++] = cloud->point[point];
    }
    p->side[i] = (unsigned char)number[point];
  }
}

// Face on whose border a corner follows another, -1 if there is none.
static int face_along(const rutPolyhedron* p, int from, int to) {
  for (int f = 0; f < p->faces; f++) {
    const int n = p->first[f + 1] - p->first[f];
    const unsigned char* side = p->side + p->first[f];
    for (int i = 0; i < n; i++) {
      if (side[i] == from && side[(i + 1) % n] == to) return f;
    }
  }
  return -1;
}

static bool find_edges(rutPolyhedron* p) {
  for (int f = 0; f < p->faces; f++) {
    const int n = p->first[f + 1] - p->first[f];
    const unsigned char* side = p->side + p->first[f];
    for (int i = 0; i < n; i++) {
      const int from = side[i], to = side[(i + 1) % n];
      if (from > to) continue;
      const int right = face_along(p, to, from);
      if (right < 0 || p->edges == RUT_POLYHEDRON_EDGES) return false;
      p->edge[p->edges++] =
          (rutEdge){(unsigned char)from, (unsigned char)to, (unsigned char)f, (unsigned char)right};
    }
  }
  return p->corners - p->edges + p->faces == 2;
}

bool rut_polyhedron_hull(int n, const double* point, rutPolyhedron* p) {
  Cloud cloud;
  p->corners = p->faces = p->edges = 0;
  p->first[0] = 0;
  if (n < 4 || n > RUT_POLYHEDRON_CORNERS) return false;
  take_cloud(n, point, &cloud);
  bool whole = cloud.n >= 4 && find_faces(&cloud, p);
  if (whole) keep_corners(&cloud, p);
  whole = whole && find_edges(p);
  if (!whole) {
    p->corners = p->faces = p->edges = 0;
    return false;
  }
  for (int f = 0; f < p->faces; f++) set_face(p, f, p->normal[f]);
  bound(p);
  return true;
}

void rut_polyhedron_place(const rutPolyhedron* shape, const rutMat3* turn, rutVec3 at,
                          rutPolyhedron* out) {
  out->corners = shape->corners;
  out->faces = shape->faces;
  out->edges = shape->edges;
  out->radius = shape->radius;
  out->centre = rut_vec3_add(at, rut_mat3_apply(*turn, shape->centre));
  for (int i = 0; i < shape->corners; i++) {
    out->corner[i] = rut_vec3_add(at, rut_mat3_apply(*turn, shape->corner[i]));
  }
  memcpy(out->edge, shape->edge, (size_t)shape->edges * sizeof *shape->edge);
  memcpy(out->first, shape->first, (size_t)shape->faces + 1);
  memcpy(out->side, shape->side, shape->first[shape->faces]);
  for (int f = 0; f < shape->faces; f++) {
    set_face(out, f, rut_mat3_apply(*turn, shape->normal[f]));
  }
}

// Tetrahedra from the centre over triangles of the faces. With corners a, b, c from there and
// s = a + b + c, the integral of x x^T over one is its volume (a a^T + b b^T + c c^T + s s^T)/20.
rutVolume rut_polyhedron_volume(const rutPolyhedron* p) {
  double volume = 0, second[6] = {0};
  rutVec3 first = rut_vec3(0, 0, 0);
  for (int f = 0; f < p->faces; f++) {
    for (int i = p->first[f] + 1; i + 1 < p->first[f + 1]; i++) {
      const int of[3] = {p->side[p->first[f]], p->side[i], p->side[i + 1]};
      rutVec3 v[4];
      for (int k = 0; k < 3; k++) v[k] = rut_vec3_sub(p->corner[of[k]], p->centre);
      v[3] = rut_vec3_add(v[0], rut_vec3_add(v[1], v[2]));
      const double part = rut_vec3_dot(v[0], rut_vec3_cross(v[1], v[2])) / 6;
      volume += part;
      first = rut_vec3_add_scaled(first, part / 4, v[3]);
      for (int k = 0; k < 4; k++) {
        const double w = part / 20;
        second[0] += w * v[k].x * v[k].x;
        second[1] += w * v[k].y * v[k].y;
        second[2] += w * v[k].z * v[k].z;
        second[3] += w * v[k].x * v[k].y;
        second[4] += w * v[k].x * v[k].z;
        second[5] += w * v[k].y * v[k].z;
      }
    }
  }
  if (!(volume > 0)) return (rutVolume){.com = p->centre};
  const rutVec3 c = rut_vec3_scale(first, 1 / volume);
  const double xx = second[0] - volume * c.x * c.x, yy = second[1] - volume * c.y * c.y,
               zz = second[2] - volume * c.z * c.z;
  return (rutVolume){volume,
                     rut_vec3_add(p->centre, c),
                     {yy + zz, xx + zz, xx + yy, volume * c.x * c.y - second[3],
                      volume * c.x * c.z - second[4], volume * c.y * c.z - second[5]}};
}
