// SPDX-License-Identifier: BSD-3-Clause
#include "geom/collide.h"

// A face is taken rather than an edge, and a face of a rather than one of b, unless the other is
// better by this [m]: so that features do not change with rounding.
static const double CLEARLY = 1e-4;
// Sines of edges below it are parallel.
static const double PARALLEL = 1e-4;

// ---- axes ----

typedef struct Axis {
  double gap;  // of the bodies along it [m]
  int a, b;    // face, or edges
  rutVec3 normal;
} Axis;

// Least height of the corners of a polyhedron over a plane.
static double lowest(const rutPolyhedron* p, rutVec3 normal, double offset) {
  double low = RUT_INFINITY;
  for (int i = 0; i < p->corners; i++) low = rut_min(low, rut_vec3_dot(normal, p->corner[i]));
  return low - offset;
}

// Face of `of` from which the other is farthest. False if it is farther than reach.
static bool best_face(const rutPolyhedron* of, const rutPolyhedron* other, double reach,
                      Axis* best) {
  *best = (Axis){.gap = -RUT_INFINITY};
  for (int f = 0; f < of->faces; f++) {
    const double gap = lowest(other, of->normal[f], of->offset[f]);
    if (gap > reach) return false;
    if (!(gap > best->gap)) continue;
    best->gap = gap;
    best->a = f;
    best->normal = of->normal[f];
  }
  return true;
}

// Whether the product of two edges is the normal of a face of the Minkowski difference: the arcs
// between the normals beside them, c and d being those of b turned round, cross on the sphere.
// ab and cd are the products of these normals, up to sign along the edges.
static bool makes_face(rutVec3 a, rutVec3 b, rutVec3 ab, rutVec3 c, rutVec3 d, rutVec3 cd) {
  const double cba = rut_vec3_dot(c, ab), dba = rut_vec3_dot(d, ab);
  const double adc = rut_vec3_dot(a, cd), bdc = rut_vec3_dot(b, cd);
  return cba * dba < 0 && adc * bdc < 0 && cba * bdc > 0;
}

static rutVec3 along_edge(const rutPolyhedron* p, const rutEdge* e) {
  return rut_vec3_sub(p->corner[e->to], p->corner[e->from]);
}

// Two edges, where they begin and where they go.
typedef struct Edges {
  rutVec3 p, along_p, q, along_q;
} Edges;

// Their product as an axis from a, whose middle is at `centre`, to b. False if they are parallel.
static bool edge_axis(const Edges* e, rutVec3 centre, Axis* axis) {
  const rutVec3 da = e->along_p, db = e->along_q, cross = rut_vec3_cross(da, db);
  const double size2 = rut_vec3_dot(cross, cross);
  const double least = PARALLEL * PARALLEL * rut_vec3_dot(da, da) * rut_vec3_dot(db, db);
  if (!(size2 > least)) return false;
  rutVec3 n = rut_vec3_scale(cross, 1 / rut_sqrt(size2));
  if (rut_vec3_dot(n, rut_vec3_sub(e->p, centre)) < 0) n = rut_vec3_scale(n, -1);
  axis->normal = n;
  axis->gap = rut_vec3_dot(n, rut_vec3_sub(e->q, e->p));
  return true;
}

// Edges between which the gap is largest. False if it is larger than reach.
static bool best_edges(const rutPolyhedron* a, const rutPolyhedron* b, double reach, Axis* best) {
  rutVec3 db[RUT_POLYHEDRON_EDGES];
  *best = (Axis){.gap = -RUT_INFINITY};
  for (int j = 0; j < b->edges; j++) db[j] = along_edge(b, &b->edge[j]);
  for (int i = 0; i < a->edges; i++) {
    const rutEdge* ea = &a->edge[i];
    const rutVec3 da = along_edge(a, ea), n1 = a->normal[ea->left], n2 = a->normal[ea->right];
    for (int j = 0; j < b->edges; j++) {
      const rutEdge* eb = &b->edge[j];
      // normals of left x right go along the edge; turning both round leaves the product
      const rutVec3 m1 = rut_vec3_scale(b->normal[eb->left], -1);
      const rutVec3 m2 = rut_vec3_scale(b->normal[eb->right], -1);
      Axis axis;
      if (!makes_face(n1, n2, da, m1, m2, db[j])) continue;
      const Edges pair = {a->corner[ea->from], da, b->corner[eb->from], db[j]};
      if (!edge_axis(&pair, a->centre, &axis)) continue;
      if (axis.gap > reach) return false;
      if (!(axis.gap > best->gap)) continue;
      *best = axis;
      best->a = i;
      best->b = j;
    }
  }
  return true;
}

// ---- points on a face ----

// A polygon that is being cut. `after` tells which line a side lies on: a side of the cut face, or
// RUT_POLYHEDRON_CORNERS and more, a side of the face that cuts.
typedef struct Cut {
  int n;
  rutVec3 point[2 * RUT_POLYHEDRON_CORNERS];
  unsigned char after[2 * RUT_POLYHEDRON_CORNERS];
} Cut;

// Keep what is behind a plane through p with the outward normal n, line being its label.
static void cut_by(const Cut* from, rutVec3 n, rutVec3 p, unsigned char line, Cut* to) {
  to->n = 0;
  for (int i = 0; i < from->n; i++) {
    const int j = i + 1 < from->n ? i + 1 : 0;
    const rutVec3 a = from->point[i], b = from->point[j];
    const double ha = rut_vec3_dot(n, rut_vec3_sub(a, p)), hb = rut_vec3_dot(n, rut_vec3_sub(b, p));
    if (ha <= 0) {
      to->point[to->n] = a;
      to->after[to->n++] = from->after[i];
    }
    if ((ha <= 0) == (hb <= 0)) continue;
    const double t = ha / (ha - hb);
    to->point[to->n] = rut_vec3_add_scaled(a, t, rut_vec3_sub(b, a));
    to->after[to->n++] = ha <= 0 ? line : from->after[i];
  }
}

// Face of a polyhedron that looks most against a direction.
static int against(const rutPolyhedron* p, rutVec3 normal) {
  int best = 0;
  double least = RUT_INFINITY;
  for (int f = 0; f < p->faces; f++) {
    const double d = rut_vec3_dot(p->normal[f], normal);
    if (d < least) best = f;
    least = rut_min(d, least);
  }
  return best;
}

static void take_face(const rutPolyhedron* p, int face, Cut* cut) {
  cut->n = 0;
  for (int i = p->first[face]; i < p->first[face + 1]; i++) {
    cut->point[cut->n] = p->corner[p->side[i]];
    cut->after[cut->n] = (unsigned char)cut->n;
    cut->n++;
  }
}

// Points of b's face against face `face` of a, cut by the sides of that. flip: a is the second
// body.
static int face_points(const rutPolyhedron* a, int face, const rutPolyhedron* b, double reach,
                       bool flip, rutPatch* out) {
  const rutVec3 n = a->normal[face];
  const int other = against(b, n), first = a->first[face], sides = a->first[face + 1] - first;
  Cut cut[2];
  int now = 0;
  take_face(b, other, &cut[0]);
  for (int i = 0; i < sides && cut[now].n > 0; i++) {
    const rutVec3 from = a->corner[a->side[first + i]];
    const rutVec3 to = a->corner[a->side[first + (i + 1 < sides ? i + 1 : 0)]];
    const rutVec3 outward = rut_vec3_cross(rut_vec3_sub(to, from), n);
    cut_by(&cut[now], outward, from, (unsigned char)(RUT_POLYHEDRON_CORNERS + i), &cut[1 - now]);
    now = 1 - now;
  }
  rutCandidates all;
  all.n = 0;
  const uint32_t faces = ((uint32_t)flip << 31) | ((uint32_t)face << 22) | ((uint32_t)other << 14);
  for (int i = 0; i < cut[now].n; i++) {
    const double gap = rut_vec3_dot(n, cut[now].point[i]) - a->offset[face];
    if (gap > reach) continue;
    const int before = i > 0 ? i - 1 : cut[now].n - 1;
    const uint32_t lines = ((uint32_t)cut[now].after[before] << 7) | cut[now].after[i];
    all.point[all.n] = rut_vec3_add_scaled(cut[now].point[i], -0.5 * gap, n);
    all.gap[all.n] = gap;
    all.id[all.n++] = faces | lines;
  }
  int kept[RUT_PATCH_POINTS];
  out->n = rut_reduce_patch(&all, n, kept);
  out->normal = flip ? rut_vec3_scale(n, -1) : n;
  for (int i = 0; i < out->n; i++) {
    out->point[i] = all.point[kept[i]];
    out->gap[i] = all.gap[kept[i]];
    out->id[i] = all.id[kept[i]];
  }
  return out->n;
}

// ---- reduction ----

static double area_of(rutVec3 a, rutVec3 b, rutVec3 c, rutVec3 normal) {
  return rut_vec3_dot(rut_vec3_cross(rut_vec3_sub(b, a), rut_vec3_sub(c, a)), normal);
}

// Candidate that adds most to the polygon of those kept so far, -1 if none does.
static int best_addition(const rutCandidates* from, rutVec3 normal, int n, const int* kept) {
  static const double LEAST = 1e-12;  // [m2]
  int best = -1;
  double most = LEAST;
  for (int i = 0; i < from->n; i++) {
    double gain = 0;
    const rutVec3 p = from->point[i], first = from->point[kept[0]];
    if (n == 1) {
      const rutVec3 d = rut_vec3_sub(p, first);
      gain = rut_vec3_dot(d, d);
    } else if (n == 2) {
      gain = rut_abs(area_of(first, from->point[kept[1]], p, normal));
    } else {
      // outside of one of the triangle's sides
      const double turn = area_of(first, from->point[kept[1]], from->point[kept[2]], normal);
      for (int k = 0; k < 3; k++) {
        const double side =
            area_of(from->point[kept[k]], from->point[kept[(k + 1) % 3]], p, normal);
        gain = rut_max(gain, turn > 0 ? -side : side);
      }
    }
    if (gain > most) best = i;
    most = rut_max(gain, most);
  }
  return best;
}

int rut_reduce_patch(const rutCandidates* from, rutVec3 normal, int kept[RUT_PATCH_POINTS]) {
  // points deeper by less are as deep: the first counts [m]
  static const double DEEPER = 1e-5;
  if (from->n == 0) return 0;
  if (from->n <= RUT_PATCH_POINTS) {
    for (int i = 0; i < from->n; i++) kept[i] = i;
    return from->n;
  }
  int n = 1;
  kept[0] = 0;
  for (int i = 1; i < from->n; i++) {
    if (from->gap[i] < from->gap[kept[0]] - DEEPER) kept[0] = i;
  }
  for (; n < RUT_PATCH_POINTS; n++) {
    const int next = best_addition(from, normal, n, kept);
    if (next < 0) break;
    kept[n] = next;
  }
  return n;
}

// ---- points between edges ----

// Where two lines p + s u and q + t v are nearest to each other, within the edges.
static int edge_point(const rutPolyhedron* a, const rutPolyhedron* b, const Axis* axis,
                      rutPatch* out) {
  const rutEdge *ea = &a->edge[axis->a], *eb = &b->edge[axis->b];
  const rutVec3 p = a->corner[ea->from], u = along_edge(a, ea);
  const rutVec3 q = b->corner[eb->from], v = along_edge(b, eb), d = rut_vec3_sub(p, q);
  const double uu = rut_vec3_dot(u, u), uv = rut_vec3_dot(u, v), vv = rut_vec3_dot(v, v);
  const double ud = rut_vec3_dot(u, d), vd = rut_vec3_dot(v, d), det = uu * vv - uv * uv;
  const double s = rut_clamp((uv * vd - vv * ud) / det, 0, 1);
  const double t = rut_clamp((uu * vd - uv * ud) / det, 0, 1);
  const rutVec3 x = rut_vec3_add_scaled(p, s, u), y = rut_vec3_add_scaled(q, t, v);
  out->n = 1;
  out->normal = axis->normal;
  out->point[0] = rut_vec3_scale(rut_vec3_add(x, y), 0.5);
  out->gap[0] = axis->gap;
  out->id[0] = (1u << 30) | ((uint32_t)axis->a << 8) | (uint32_t)axis->b;
  return 1;
}

int rut_collide_polyhedra(const rutPolyhedron* a, const rutPolyhedron* b, double reach,
                          rutPatch* out) {
  Axis of_a, of_b, edges;
  out->n = 0;
  const double far = a->radius + b->radius + reach;
  const rutVec3 apart = rut_vec3_sub(b->centre, a->centre);
  if (rut_vec3_dot(apart, apart) > far * far || a->faces == 0 || b->faces == 0) return 0;
  if (!best_face(a, b, reach, &of_a) || !best_face(b, a, reach, &of_b)) return 0;
  if (!best_edges(a, b, reach, &edges)) return 0;
  const double face = rut_max(of_a.gap, of_b.gap);
  if (edges.gap > face + CLEARLY) return edge_point(a, b, &edges, out);
  if (of_b.gap > of_a.gap + CLEARLY) return face_points(b, of_b.a, a, reach, true, out);
  return face_points(a, of_a.a, b, reach, false, out);
}

// ---- spheres ----

static int one_point(rutVec3 centre, double radius, rutVec3 normal, double gap, uint32_t id,
                     rutPatch* out) {
  out->n = 1;
  out->normal = normal;
  out->gap[0] = gap;
  out->point[0] = rut_vec3_add_scaled(centre, radius + 0.5 * gap, normal);
  out->id[0] = id;
  return 1;
}

// Point of a face that is nearest to p; true if p is over the face itself.
static bool nearest_on_face(const rutPolyhedron* b, int face, rutVec3 p, rutVec3* nearest) {
  const rutVec3 n = b->normal[face];
  const int first = b->first[face], sides = b->first[face + 1] - first;
  double least = RUT_INFINITY;
  bool over = true;
  *nearest = rut_vec3_add_scaled(p, b->offset[face] - rut_vec3_dot(n, p), n);
  const rutVec3 foot = *nearest;
  for (int i = 0; i < sides; i++) {
    const rutVec3 from = b->corner[b->side[first + i]];
    const rutVec3 to = b->corner[b->side[first + (i + 1 < sides ? i + 1 : 0)]];
    const rutVec3 e = rut_vec3_sub(to, from), d = rut_vec3_sub(foot, from);
    if (rut_vec3_dot(rut_vec3_cross(n, e), d) >= 0) continue;
    over = false;
    const double t = rut_clamp(rut_vec3_dot(d, e) / rut_vec3_dot(e, e), 0, 1);
    const rutVec3 at = rut_vec3_add_scaled(from, t, e), away = rut_vec3_sub(foot, at);
    const double distance2 = rut_vec3_dot(away, away);
    if (distance2 < least) *nearest = at;
    least = rut_min(least, distance2);
  }
  return over;
}

int rut_collide_sphere(rutVec3 centre, double radius, const rutPolyhedron* b, double reach,
                       rutPatch* out) {
  int deepest = 0, best = -1;
  double highest = -RUT_INFINITY, least = RUT_INFINITY;
  rutVec3 towards = rut_vec3(0, 0, 0);
  out->n = 0;
  for (int f = 0; f < b->faces; f++) {
    const double above = rut_vec3_dot(b->normal[f], centre) - b->offset[f];
    if (above > radius + reach) return 0;
    if (above > highest) deepest = f;
    highest = rut_max(highest, above);
    if (!(above > 0)) continue;
    rutVec3 nearest;
    nearest_on_face(b, f, centre, &nearest);
    const rutVec3 to = rut_vec3_sub(nearest, centre);
    const double distance = rut_vec3_norm(to);
    if (distance < least) {
      best = f;
      towards = to;
    }
    least = rut_min(least, distance);
  }
  if (best < 0) {  // the centre is inside
    return one_point(centre, radius, rut_vec3_scale(b->normal[deepest], -1), highest - radius,
                     (uint32_t)deepest, out);
  }
  if (least - radius > reach) return 0;
  return one_point(centre, radius, rut_vec3_unit(towards), least - radius, (uint32_t)best, out);
}

int rut_collide_spheres(rutVec3 a, double radius_a, rutVec3 b, double radius_b, double reach,
                        rutPatch* out) {
  const rutVec3 to = rut_vec3_sub(b, a);
  const double distance = rut_vec3_norm(to), gap = distance - radius_a - radius_b;
  out->n = 0;
  if (gap > reach) return 0;
  const rutVec3 normal = distance > 0 ? rut_vec3_scale(to, 1 / distance) : rut_vec3(0, 0, 1);
  return one_point(a, radius_a, normal, gap, 0, out);
}
