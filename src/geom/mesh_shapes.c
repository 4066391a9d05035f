// SPDX-License-Identifier: BSD-3-Clause
//
// The shapes of rut/mesh.h.
#include <string.h>

#include "geom/mesh_builder.h"
#include "geom/polygon.h"
#include "math/vec.h"

static void refuse(rutMeshBuilder* builder, const char* message) {
  rut_mesh_builder_fail(builder, RUT_ERR_ARGUMENT, message);
}

// ---------------------------------------------------------------------------------------------
// Boxes

void rut_mesh_box(rutMeshBuilder* builder, const double low[3], const double high[3]) {
  if (!(low[0] < high[0] && low[1] < high[1] && low[2] < high[2])) {
    refuse(builder, "a box of a mesh has no volume");
    return;
  }
  // corner i is high in x, y, z where bits 0, 1, 2 of i are set
  static const int face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  int p[8];
  for (int i = 0; i < 8; i++) {
    p[i] = rut_mesh_vertex(builder, i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1],
                           i & 4 ? high[2] : low[2]);
  }
  for (int i = 0; i < 6; i++) {
    rut_mesh_quad(builder, p[face[i][0]], p[face[i][1]], p[face[i][2]], p[face[i][3]]);
  }
}

void rut_mesh_bevelled_box(rutMeshBuilder* builder, const double low[3], const double high[3],
                           double bevel) {
  const double shortest = rut_min(rut_min(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
  if (!(shortest > 0) || !(bevel >= 0)) {
    refuse(builder, "a box of a mesh has no volume, or a negative bevel");
    return;
  }
  const double cut = rut_min(bevel, 0.49 * shortest);
  if (cut == 0) {
    rut_mesh_box(builder, low, high);
    return;
  }
  // p[axis][corner]: near that corner, on the face across that axis; corners as in a box
  int p[3][8];
  for (int axis = 0; axis < 3; axis++) {
    for (int i = 0; i < 8; i++) {
      double at[3];
      for (int k = 0; k < 3; k++) {
        const double inward = k == axis ? 0 : cut;
        at[k] = i >> k & 1 ? high[k] - inward : low[k] + inward;
      }
      p[axis][i] = rut_mesh_vertex(builder, at[0], at[1], at[2]);
    }
  }
  for (int axis = 0; axis < 3; axis++) {
    const int next = (axis + 1) % 3, u = 1 << next, v = 1 << (axis + 2) % 3, w = 1 << axis;
    // the two faces across the axis
    rut_mesh_quad(builder, p[axis][w], p[axis][w + u], p[axis][w + u + v], p[axis][w + v]);
    rut_mesh_quad(builder, p[axis][0], p[axis][v], p[axis][u + v], p[axis][u]);
    // the four edges along v, between the faces across the axis and across the next
    for (int i = 0; i < 4; i++) {
      const int a = (i & 1 ? w : 0) + (i & 2 ? u : 0), b = a + v;
      if ((i & 1) == i >> 1) {
        rut_mesh_quad(builder, p[axis][a], p[next][a], p[next][b], p[axis][b]);
      } else {
        rut_mesh_quad(builder, p[next][a], p[axis][a], p[axis][b], p[next][b]);
      }
    }
  }
  for (int i = 0; i < 8; i++) {
    const bool turned = ((i ^ i >> 1 ^ i >> 2) & 1) == 0;
    rut_mesh_triangle(builder, p[0][i], p[turned ? 2 : 1][i], p[turned ? 1 : 2][i]);
  }
}

// ---------------------------------------------------------------------------------------------
// Prisms

// Twice the area of a triangle of corners of a polygon, positive if counterclockwise.
static double turn(const double* xy, int a, int b, int c) {
  const double *p = xy + 2 * a, *q = xy + 2 * b, *r = xy + 2 * c;
  return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

// Whether corner i of the n that are left, of a counterclockwise polygon, can be cut off: it is
// convex, and no other corner lies in its triangle.
static bool is_ear(const double* xy, const int* left, int n, int i) {
  const int a = left[(i + n - 1) % n], b = left[i], c = left[(i + 1) % n];
  if (turn(xy, a, b, c) <= 0) return false;
  for (int k = 0; k < n; k++) {
    const int d = left[k];
    const bool corner = d == a || d == b || d == c;
    if (!corner && turn(xy, a, b, d) >= 0 && turn(xy, b, c, d) >= 0 && turn(xy, c, a, d) >= 0) {
      return false;
    }
  }
  return true;
}

// Cuts a counterclockwise polygon into triangles by cutting off ears; triangle gets n - 2 of them.
// False if no corner can be cut off: the polygon crosses itself.
static bool cut_polygon(const double* xy, int n, int (*triangle)[3]) {
  int left[RUT_MESH_MOST_CORNERS];
  for (int i = 0; i < n; i++) left[i] = i;
  int made = 0, from = 0;
  for (int rest = n; rest > 3; rest--) {
    int i = from % rest, tried = 0;
    while (tried < rest && !is_ear(xy, left, rest, i)) {
      i = (i + 1) % rest;
      tried++;
    }
    if (tried == rest) return false;
    triangle[made][0] = left[(i + rest - 1) % rest];
    triangle[made][1] = left[i];
    triangle[made++][2] = left[(i + 1) % rest];
    for (int k = i; k + 1 < rest; k++) left[k] = left[k + 1];
    from = i;
  }
  triangle[made][0] = left[0];
  triangle[made][1] = left[1];
  triangle[made][2] = left[2];
  return turn(xy, left[0], left[1], left[2]) > 0;
}

// A ring of corners at a height. Returns the first.
static int add_corners(rutMeshBuilder* builder, int n, const double* corner, double z) {
  const int first = rut_mesh_mark(builder).points;
  for (int i = 0; i < n; i++) rut_mesh_vertex(builder, corner[2 * i], corner[2 * i + 1], z);
  return first;
}

static void join_corners(rutMeshBuilder* builder, int n, int below, int above) {
  for (int i = 0; i < n; i++) {
    const int next = (i + 1) % n;
    rut_mesh_quad(builder, below + i, below + next, above + next, above + i);
  }
}

// Moves the edges of a counterclockwise polygon inwards.
static void inset(int n, const double* corner, double distance, double* out) {
  for (int i = 0; i < n; i++) {
    const double *a = corner + 2 * ((i + n - 1) % n), *b = corner + 2 * i;
    const double* c = corner + 2 * ((i + 1) % n);
    const rutVec3 before = rut_vec3_unit(rut_vec3(a[1] - b[1], b[0] - a[0], 0));
    const rutVec3 after = rut_vec3_unit(rut_vec3(b[1] - c[1], c[0] - b[0], 0));
    // inward normals of both edges; sharp corners move by no more than four times the distance
    const rutVec3 sum = rut_vec3_add(before, after);
    const double scale = distance / rut_max(0.5 * rut_vec3_dot(sum, sum), 0.125);
    out[2 * i] = b[0] + scale * sum.x;
    out[2 * i + 1] = b[1] + scale * sum.y;
  }
}

static void put_counterclockwise(int n, const double* xy, double* out) {
  const bool clockwise = rut_polygon_area(n, xy) < 0;
  for (int i = 0; i < n; i++) {
    const int from = clockwise ? n - 1 - i : i;
    out[2 * i] = xy[2 * from];
    out[2 * i + 1] = xy[2 * from + 1];
  }
}

void rut_mesh_bevelled_prism(rutMeshBuilder* builder, int n, const double* xy,
                             const double height[2], double bevel) {
  const double low = height[0], high = height[1];
  if (n < 3 || n > RUT_MESH_MOST_CORNERS || !(low < high) || !(bevel >= 0)) {
    refuse(builder, "a prism of a mesh has 3 to 1000 corners and a height");
    return;
  }
  double cut = rut_min(bevel, 0.49 * (high - low));
  double corner[2 * RUT_MESH_MOST_CORNERS], end[2 * RUT_MESH_MOST_CORNERS];
  put_counterclockwise(n, xy, corner);
  inset(n, corner, cut, end);
  int triangle[RUT_MESH_MOST_CORNERS][3];
  bool fits = cut_polygon(end, n, triangle);
  // no bevel where a part of the polygon is too thin for it
  if (!fits && cut > 0) {
    cut = 0;
    memcpy(end, corner, (size_t)(2 * n) * sizeof *end);
    fits = cut_polygon(end, n, triangle);
  }
  if (!fits) {
    refuse(builder, "the outline of a prism of a mesh crosses itself or has no area");
    return;
  }
  const int bottom = add_corners(builder, n, end, low);
  int last = bottom;
  for (int i = 0; i < 2 && cut > 0; i++) {
    const int ring = add_corners(builder, n, corner, i == 0 ? low + cut : high - cut);
    join_corners(builder, n, last, ring);
    last = ring;
  }
  const int top = add_corners(builder, n, end, high);
  join_corners(builder, n, last, top);
  for (int i = 0; i < n - 2; i++) {
    const int* t = triangle[i];
    rut_mesh_triangle(builder, bottom + t[0], bottom + t[2], bottom + t[1]);
    rut_mesh_triangle(builder, top + t[0], top + t[1], top + t[2]);
  }
}

void rut_mesh_prism(rutMeshBuilder* builder, int n, const double* xy, double low, double high) {
  rut_mesh_bevelled_prism(builder, n, xy, (const double[]){low, high}, 0);
}

// ---------------------------------------------------------------------------------------------
// Rings: turned profiles, tubes

// A row of points around a closed line, or a single one.
typedef struct Ring {
  int first;
  int sides;  // 1: a single point
} Ring;

// The band between two rings of equally many sides, either of which may be a point. Seen from
// outside, points of a ring follow each other to the right, and b is above a.
static void join(rutMeshBuilder* builder, Ring a, Ring b) {
  const int sides = a.sides > b.sides ? a.sides : b.sides;
  for (int i = 0; i < sides && sides > 1; i++) {
    const int next = (i + 1) % sides;
    rut_mesh_quad(builder, a.first + i % a.sides, a.first + next % a.sides,
                  b.first + next % b.sides, b.first + i % b.sides);
  }
}

static bool are_sides(rutMeshBuilder* builder, int sides) {
  const bool sound = sides >= 3 && sides <= RUT_MESH_MOST_CORNERS;
  if (!sound) refuse(builder, "a ring of a mesh has 3 to 1000 sides");
  return sound;
}

// Ring in the plane of two unit vectors.
static Ring add_ring(rutMeshBuilder* builder, rutVec3 centre, const rutVec3 axis[2], double radius,
                     int sides) {
  const Ring ring = {rut_mesh_mark(builder).points, radius == 0 ? 1 : sides};
  for (int i = 0; i < ring.sides; i++) {
    double s, c;
    rut_sincos(2 * RUT_PI * i / sides, &s, &c);
    const rutVec3 p =
        rut_vec3_add_scaled(rut_vec3_add_scaled(centre, radius * c, axis[0]), radius * s, axis[1]);
    rut_mesh_vertex(builder, p.x, p.y, p.z);
  }
  return ring;
}

void rut_mesh_turned(rutMeshBuilder* builder, int n, const double* profile, int sides) {
  if (!are_sides(builder, sides)) return;
  bool sound = n >= 2 && n <= RUT_MESH_MOST_CORNERS;
  for (int i = 0; i < n && sound; i++) sound = profile[2 * i] >= 0;
  if (!sound) {
    refuse(builder, "a profile of a mesh has 2 to 1000 points, with radii that are not negative");
    return;
  }
  const rutVec3 axis[2] = {rut_vec3(1, 0, 0), rut_vec3(0, 1, 0)};
  const double* end = profile + 2 * (n - 1);
  const bool loop = n > 2 && end[0] == profile[0] && end[1] == profile[1];
  Ring first = {0, 1}, last = {0, 1};
  for (int i = 0; i < n; i++) {
    const rutVec3 centre = rut_vec3(0, 0, profile[2 * i + 1]);
    const Ring ring =
        loop && i == n - 1 ? first : add_ring(builder, centre, axis, profile[2 * i], sides);
    if (i > 0) join(builder, last, ring);
    if (i == 0) first = ring;
    last = ring;
  }
}

void rut_mesh_cylinder(rutMeshBuilder* builder, double radius, double length, int sides) {
  if (!(radius > 0 && length > 0)) {
    refuse(builder, "a cylinder of a mesh has no volume");
    return;
  }
  const double end = length / 2;
  rut_mesh_turned(builder, 4, (const double[]){0, -end, radius, -end, radius, end, 0, end}, sides);
}

// Unit vector along a piece of a path.
static rutVec3 direction_of(const double* path, int from) {
  return rut_vec3_unit(
      rut_vec3_sub(rut_vec3_of(path + 3 * (from + 1)), rut_vec3_of(path + 3 * from)));
}

// Any unit vector across another.
static rutVec3 across(rutVec3 u) {
  const rutVec3 other = rut_abs(u.z) < 0.9 ? rut_vec3(0, 0, 1) : rut_vec3(1, 0, 0);
  return rut_vec3_unit(rut_vec3_cross(other, u));
}

static bool is_path(const double* path, const double* radius, int n) {
  for (int i = 0; i < n; i++) {
    if (!(radius[i] >= 0)) return false;
    if (i + 1 < n && !(rut_vec3_norm(direction_of(path, i)) > 0)) return false;
  }
  return true;
}

static Ring add_point(rutMeshBuilder* builder, const double* p) {
  return (Ring){rut_mesh_vertex(builder, p[0], p[1], p[2]), 1};
}

void rut_mesh_tube(rutMeshBuilder* builder, int n, const double* path, const double* radius,
                   int sides) {
  if (!are_sides(builder, sides)) return;
  if (n < 2 || n > RUT_MESH_MOST_CORNERS || !is_path(path, radius, n)) {
    refuse(builder, "a tube of a mesh has 2 to 1000 points apart from each other");
    return;
  }
  rutVec3 side = across(direction_of(path, 0));
  Ring last = {0, 1};
  for (int i = 0; i < n; i++) {
    // rings stand half way between the pieces that meet; their axes turn as little as they can
    const rutVec3 before = direction_of(path, i > 0 ? i - 1 : 0);
    const rutVec3 after = direction_of(path, i + 1 < n ? i : n - 2);
    const rutVec3 mean = rut_vec3_add(before, after);
    const rutVec3 along = rut_vec3_norm(mean) > 1e-9 ? rut_vec3_unit(mean) : before;
    const rutVec3 flat = rut_vec3_add_scaled(side, -rut_vec3_dot(side, along), along);
    side = rut_vec3_norm(flat) > 1e-9 ? rut_vec3_unit(flat) : across(along);
    const rutVec3 axis[2] = {side, rut_vec3_cross(along, side)};
    const bool flat_end = radius[i] > 0 && (i == 0 || i == n - 1);
    if (i == 0 && flat_end) last = add_point(builder, path);
    const Ring ring = add_ring(builder, rut_vec3_of(path + 3 * i), axis, radius[i], sides);
    if (i > 0 || flat_end) join(builder, last, ring);
    last = ring;
    if (i == n - 1 && flat_end) join(builder, ring, add_point(builder, path + 3 * i));
  }
}

// ---------------------------------------------------------------------------------------------
// Lofts

// Closes a row by a fan about its mean. Seen from outside, points follow each other to the right
// below (`above` false) or above the cap.
static void cap_row(rutMeshBuilder* builder, const double* point, Ring ring, bool above) {
  rutVec3 mean = rut_vec3(0, 0, 0);
  for (int i = 0; i < ring.sides; i++) {
    mean = rut_vec3_add_scaled(mean, 1.0 / ring.sides, rut_vec3_of(point + 3 * i));
  }
  const Ring centre = {rut_mesh_vertex(builder, mean.x, mean.y, mean.z), 1};
  join(builder, above ? ring : centre, above ? centre : ring);
}

void rut_mesh_loft(rutMeshBuilder* builder, int rows, int columns, const double* point,
                   unsigned flags) {
  const bool is_ring = flags & RUT_LOFT_RING, loop = flags & RUT_LOFT_LOOP;
  const bool caps = flags & RUT_LOFT_CAPS;
  if (rows < 2 || columns < 2 || rows > RUT_MESH_MOST_CORNERS || columns > RUT_MESH_MOST_CORNERS ||
      (caps && (!is_ring || loop)) || (is_ring && columns < 3) || (loop && rows < 3)) {
    refuse(builder,
           "a loft of a mesh has 2 to 1000 rows and columns, 3 where they are closed; caps need "
           "rows that are rings");
    return;
  }
  const int first = rut_mesh_mark(builder).points;
  for (int i = 0; i < rows * columns; i++) {
    rut_mesh_vertex(builder, point[3 * i], point[3 * i + 1], point[3 * i + 2]);
  }
  for (int i = 0; i < rows - !loop; i++) {
    const int a = first + i * columns, b = first + (i + 1) % rows * columns;
    for (int k = 0; k < columns - !is_ring; k++) {
      const int next = (k + 1) % columns;
      rut_mesh_quad(builder, a + k, a + next, b + next, b + k);
    }
  }
  if (!caps) return;
  const int end = (rows - 1) * columns;
  cap_row(builder, point, (Ring){first, columns}, false);
  cap_row(builder, point + 3 * (size_t)end, (Ring){first + end, columns}, true);
}

// ---------------------------------------------------------------------------------------------
// Spheres

enum { CORNERS = 12, FACES = 20, MOST_LEVEL = 7 };

// Faces of an icosahedron whose corners are below.
static const int icosahedron[FACES][3] = {
    {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};

// Corner i: two of its coordinates are +-1 and +-golden, the third is 0.
static rutVec3 icosahedron_corner(int i) {
  const double golden = 0.5 * (1 + rut_sqrt(5));
  static const signed char sign[4][2] = {{-1, 1}, {1, 1}, {-1, -1}, {1, -1}};
  const double a = sign[i % 4][0], b = sign[i % 4][1] * golden;
  return i < 4 ? rut_vec3(a, b, 0) : i < 8 ? rut_vec3(0, a, b) : rut_vec3(b, 0, a);
}

typedef struct Sphere {
  rutMeshBuilder* builder;
  double radius;
  int parts;  // of each edge
  rutVec3 corner[CORNERS];
  int vertex[CORNERS];
  int edge[CORNERS][CORNERS];  // first of the points on the edge from the smaller corner, -1: none
} Sphere;

// Point of the face a, b, c, i parts from a towards b and k towards c, drawn out to the sphere.
static int sphere_vertex(const Sphere* s, const int face[3], int i, int k) {
  const rutVec3 a = s->corner[face[0]], b = s->corner[face[1]], c = s->corner[face[2]];
  rutVec3 p = rut_vec3_scale(a, s->parts - i - k);
  p = rut_vec3_add_scaled(rut_vec3_add_scaled(p, i, b), k, c);
  p = rut_vec3_scale(rut_vec3_unit(p), s->radius);
  return rut_mesh_vertex(s->builder, p.x, p.y, p.z);
}

// Point `step` parts from corner a towards b; edges are made when they are first met.
static int edge_vertex(Sphere* s, int a, int b, int step) {
  if (step == 0) return s->vertex[a];
  if (step == s->parts) return s->vertex[b];
  const int low = a < b ? a : b, high = a < b ? b : a;
  if (s->edge[low][high] < 0) {
    s->edge[low][high] = rut_mesh_mark(s->builder).points;
    for (int i = 1; i < s->parts; i++) sphere_vertex(s, (const int[]){low, high, low}, i, 0);
  }
  return s->edge[low][high] + (a < b ? step : s->parts - step) - 1;
}

// Index of the point i, k of a face, the inner ones of which begin at `inside`, row after row of
// equal k.
static int face_vertex(Sphere* s, const int face[3], int inside, int i, int k) {
  const int n = s->parts;
  if (k == 0) return edge_vertex(s, face[0], face[1], i);
  if (i == 0) return edge_vertex(s, face[0], face[2], k);
  if (i + k == n) return edge_vertex(s, face[1], face[2], k);
  // rows 1 to k - 1 have n - 2, n - 3, ... points
  return inside + (k - 1) * (n - 1) - k * (k - 1) / 2 + i - 1;
}

static void add_face(Sphere* s, const int face[3]) {
  const int n = s->parts;
  for (int side = 0; side < 3 && n > 1; side++) {
    edge_vertex(s, face[side], face[(side + 1) % 3], 1);
  }
  const int inside = rut_mesh_mark(s->builder).points;
  for (int k = 1; k < n; k++) {
    for (int i = 1; i + k < n; i++) sphere_vertex(s, face, i, k);
  }
  for (int k = 0; k < n; k++) {
    for (int i = 0; i + k < n; i++) {
      const int a = face_vertex(s, face, inside, i, k);
      const int b = face_vertex(s, face, inside, i + 1, k);
      const int c = face_vertex(s, face, inside, i, k + 1);
      rut_mesh_triangle(s->builder, a, b, c);
      if (i + k + 1 == n) continue;
      rut_mesh_triangle(s->builder, b, face_vertex(s, face, inside, i + 1, k + 1), c);
    }
  }
}

void rut_mesh_sphere(rutMeshBuilder* builder, double radius, int level) {
  if (!(radius > 0) || level < 0 || level > MOST_LEVEL) {
    refuse(builder, "a sphere of a mesh has a radius, and a level of 0 to 7");
    return;
  }
  Sphere s = {.builder = builder, .radius = radius, .parts = 1 << level};
  for (int i = 0; i < CORNERS; i++) {
    s.corner[i] = icosahedron_corner(i);
    const rutVec3 p = rut_vec3_scale(rut_vec3_unit(s.corner[i]), radius);
    s.vertex[i] = rut_mesh_vertex(builder, p.x, p.y, p.z);
    for (int k = 0; k < CORNERS; k++) s.edge[i][k] = -1;
  }
  for (int i = 0; i < FACES; i++) add_face(&s, icosahedron[i]);
}
