// SPDX-License-Identifier: BSD-3-Clause
#include "geom/piece.h"

#include <stdint.h>
#include <string.h>

// Of sizes: what is nearer counts as the same place.
#define SAME 1e-9
// Normals this near to level belong to upright faces.
#define UPRIGHT 1e-9
// Level part of an edge that has a direction, over its height.
#define STEEP_EDGE 1e-6

static rutVec3 level_normal(rutVec3 from, rutVec3 to) {
  return rut_vec3_unit(rut_vec3(to.y - from.y, from.x - to.x, 0));
}

// ---------------------------------------------------------------------------------------------
// Making

static double ring_area(int n, const double* ring) {
  double twice = 0;
  for (int i = 0; i < n; i++) {
    const double *a = ring + 2 * i, *b = ring + 2 * ((i + 1) % n);
    twice += a[0] * b[1] - a[1] * b[0];
  }
  return 0.5 * twice;
}

static void add_edge(rutPiece* p, int a, int b, int f, int g) {
  unsigned char* e = p->edge[p->edges++];
  e[0] = (unsigned char)a;
  e[1] = (unsigned char)b;
  e[2] = (unsigned char)f;
  e[3] = (unsigned char)g;
}

bool rut_piece_prism(int n, const double* ring, double low, double high, rutPiece* out) {
  memset(out, 0, sizeof *out);
  if (n < 3 || 2 * n > RUT_PIECE_CORNERS || !(high > low) || !(ring_area(n, ring) > 0)) {
    return false;
  }
  // corners below, then above; faces around, then bottom and top
  const int bottom = n, top = n + 1;
  for (int i = 0; i < n; i++) {
    out->corner[i] = rut_vec3(ring[2 * i], ring[2 * i + 1], low);
    out->corner[n + i] = rut_vec3(ring[2 * i], ring[2 * i + 1], high);
  }
  out->corners = 2 * n;
  out->faces = n + 2;
  out->face[bottom] = (rutHalfSpace){rut_vec3(0, 0, -1), -low};
  out->face[top] = (rutHalfSpace){rut_vec3(0, 0, 1), high};
  for (int i = 0; i < n; i++) {
    const int next = (i + 1) % n, before = (i + n - 1) % n;
    const rutVec3 normal = level_normal(out->corner[i], out->corner[next]);
    out->face[i] = (rutHalfSpace){normal, rut_vec3_dot(normal, out->corner[i])};
    add_edge(out, i, next, i, bottom);
    add_edge(out, n + i, n + next, i, top);
    add_edge(out, i, n + i, before, i);
  }
  return true;
}

// How far the farthest point is from the first one.
static double size_of(int n, const rutVec3* p) {
  double size = 0;
  for (int i = 1; i < n; i++) size = rut_max(rut_vec3_norm(rut_vec3_sub(p[i], p[0])), size);
  return size;
}

// The plane through three points if all others are on one side of it; `on` gets those in it.
static bool bounding_plane(int n, const rutVec3* p, const int three[3], double near,
                           rutHalfSpace* out, uint32_t* on) {
  const rutVec3 a = p[three[0]];
  const rutVec3 cross = rut_vec3_cross(rut_vec3_sub(p[three[1]], a), rut_vec3_sub(p[three[2]], a));
  rutVec3 normal = rut_vec3_unit(cross);
  if (!(rut_vec3_norm(cross) > near * (near / SAME))) return false;
  double above = 0, below = 0;
  *on = 0;
  for (int i = 0; i < n; i++) {
    const double d = rut_vec3_dot(normal, rut_vec3_sub(p[i], a));
    above = rut_max(d, above);
    below = rut_max(-d, below);
    if (rut_abs(d) <= near) *on |= 1u << i;
  }
  if ((above > near) == (below > near)) return false;
  if (above > near) normal = rut_vec3_scale(normal, -1);
  *out = (rutHalfSpace){normal, rut_vec3_dot(normal, a)};
  return true;
}

// Faces from all triples; the points in a face tell whether it is known already.
static int find_faces(int n, const rutVec3* p, double near, rutPiece* out, uint32_t* on) {
  for (int i = 0; i < n; i++) {
    for (int j = i + 1; j < n; j++) {
      for (int k = j + 1; k < n; k++) {
        rutHalfSpace plane;
        uint32_t points;
        bool known = false;
        for (int f = 0; f < out->faces; f++) {
          const uint32_t three = 1u << i | 1u << j | 1u << k;
          known = known || (on[f] & three) == three;
        }
        if (known || !bounding_plane(n, p, (int[]){i, j, k}, near, &plane, &points)) continue;
        if (out->faces == RUT_PIECE_FACES) return 0;
        on[out->faces] = points;
        out->face[out->faces++] = plane;
      }
    }
  }
  return out->faces;
}

static int bits_of(uint32_t set) {
  int count = 0;
  for (; set; set &= set - 1) count++;
  return count;
}

bool rut_piece_hull(int n, const double* point, rutPiece* out) {
  rutVec3 p[RUT_PIECE_CORNERS];
  uint32_t on[RUT_PIECE_FACES], corner = 0;
  int index[RUT_PIECE_CORNERS];
  memset(out, 0, sizeof *out);
  if (n < 4 || n > RUT_PIECE_CORNERS) return false;
  for (int i = 0; i < n; i++) p[i] = rut_vec3_of(point + 3 * i);
  const double near = SAME * size_of(n, p);
  const int faces = near > 0 && rut_is_finite(near) ? find_faces(n, p, near, out, on) : 0;
  // a corner is where three faces meet, an edge where two faces share two corners
  for (int i = 0; i < n; i++) {
    int meet = 0, same = 0;
    for (int f = 0; f < faces; f++) meet += (on[f] >> i & 1u) != 0;
    for (int k = 0; k < i; k++) same += rut_vec3_norm(rut_vec3_sub(p[i], p[k])) <= near;
    if (meet < 3 || same > 0) continue;
    corner |= 1u << i;
    index[i] = out->corners;
    out->corner[out->corners++] = p[i];
  }
  for (int f = 0; f < faces; f++) {
    for (int g = f + 1; g < faces; g++) {
      const uint32_t shared = on[f] & on[g] & corner;
      int a = 0, b = RUT_PIECE_CORNERS - 1;
      if (bits_of(shared) != 2 || out->edges == RUT_PIECE_EDGES) continue;
      while (!(shared >> a & 1u)) a++;
      while (!(shared >> b & 1u)) b--;
      add_edge(out, index[a], index[b], f, g);
    }
  }
  if (faces >= 4 && out->corners - out->edges + out->faces == 2) return true;
  memset(out, 0, sizeof *out);
  return false;
}

void rut_piece_move(rutVec3 shift, rutPiece* piece) {
  for (int i = 0; i < piece->corners; i++) {
    piece->corner[i] = rut_vec3_add(piece->corner[i], shift);
  }
  for (int f = 0; f < piece->faces; f++) {
    piece->face[f].offset += rut_vec3_dot(piece->face[f].n, shift);
  }
}

// ---------------------------------------------------------------------------------------------
// In the world

static void box_of_corners(int n, const rutVec3* p, double box[6]) {
  for (int k = 0; k < 3; k++) {
    box[2 * k] = RUT_INFINITY;
    box[2 * k + 1] = -RUT_INFINITY;
  }
  for (int i = 0; i < n; i++) {
    const double at[3] = {p[i].x, p[i].y, p[i].z};
    for (int k = 0; k < 3; k++) {
      box[2 * k] = rut_min(at[k], box[2 * k]);
      box[2 * k + 1] = rut_max(at[k], box[2 * k + 1]);
    }
  }
}

// Upright plane through an edge of the outline as seen from above, which looks away from a point
// inside.
static void add_side(rutPlacedPiece* out, const unsigned char* edge, rutVec3 inside) {
  const rutVec3 a = out->corner[edge[0]], b = out->corner[edge[1]];
  rutVec3 normal = level_normal(a, b);
  // one that is upright is a point of the outline
  if (!(rut_hypot(b.x - a.x, b.y - a.y) > STEEP_EDGE * rut_abs(b.z - a.z))) return;
  if (rut_vec3_dot(normal, rut_vec3_sub(inside, a)) > 0) normal = rut_vec3_scale(normal, -1);
  out->side[out->sides++] = (rutHalfSpace){normal, rut_vec3_dot(normal, a)};
}

void rut_piece_place(const rutPiece* piece, const rutPiecePose* pose, rutPlacedPiece* out) {
  rutVec3 middle = rut_vec3(0, 0, 0);
  out->piece = piece;
  out->lower = out->sides = 0;
  for (int i = 0; i < piece->corners; i++) {
    out->corner[i] = rut_vec3_add(pose->at, rut_mat3_apply(pose->axes, piece->corner[i]));
    middle = rut_vec3_add_scaled(middle, 1.0 / piece->corners, out->corner[i]);
  }
  box_of_corners(piece->corners, out->corner, out->box);
  for (int f = 0; f < piece->faces; f++) {
    const rutVec3 n = rut_mat3_apply(pose->axes, piece->face[f].n);
    out->face[f] = (rutHalfSpace){n, piece->face[f].offset + rut_vec3_dot(n, pose->at)};
    if (n.z < -UPRIGHT) out->low[out->lower++] = out->face[f];
  }
  // edges between what looks down and what does not, and upright faces
  for (int e = 0; e < piece->edges; e++) {
    const unsigned char* edge = piece->edge[e];
    const double a = out->face[edge[2]].n.z, b = out->face[edge[3]].n.z;
    if ((a < -UPRIGHT) != (b < -UPRIGHT)) add_side(out, edge, middle);
  }
}
