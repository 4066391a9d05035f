// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/hull.h"

#include <string.h>

#include "math/rut_math.h"
#include "sim/compile/read.h"

// ---------------------------------------------------------------------------------------------
// Reading

// Corners of a prism over an outline, from the centre of mass.
static void add_prism(rutDraftSpatial* s, const rutOutline* outline, double low, double high) {
  const int n = outline->n, piece = s->hull++;
  for (int i = 0; i < 2 * n; i++) {
    double* p = s->hull_point[piece] + (ptrdiff_t)(3 * i);
    p[0] = outline->xy[2 * (i % n)] - s->com[0];
    p[1] = outline->xy[2 * (i % n) + 1] - s->com[1];
    p[2] = (i < n ? low : high) - s->com[2];
  }
  s->hull_corners[piece] = 2 * n;
}

static void add_outline(rutDraft* draft, rutNode node, rutDraftClass* c) {
  const double low = rut_node_number(draft->spec, node, "z_min");
  const double high = rut_node_number(draft->spec, node, "z_max");
  const double z_min = low == low ? low : c->z_min, z_max = high == high ? high : c->z_max;
  rutOutline outline;
  if (!rut_draft_outline(draft, node, "outline", &outline)) return;
  if (!(z_max > z_min)) {
    rut_node_error(draft->spec, node, high == high ? "z_max" : "z_min", RUT_ERR_MODEL, "",
                   "z_max, %g m, must be above z_min, %g m", z_max, z_min);
    return;
  }
  add_prism(&c->spatial, &outline, z_min, z_max);
}

static void add_corners(rutDraft* draft, rutNode node, const double* corner, int n,
                        rutDraftSpatial* s) {
  if (n % 3 != 0 || n < 3 * 4 || n > 3 * RUT_POLYHEDRON_CORNERS) {
    rut_node_error(draft->spec, node, "corners", RUT_ERR_MODEL, "",
                   "'corners' must have x y z of 4 to %d points, not %d numbers",
                   RUT_POLYHEDRON_CORNERS, n);
    return;
  }
  double* to = s->hull_point[s->hull];
  for (int i = 0; i < n; i++) to[i] = corner[i] - s->com[i % 3];
  rutPolyhedron piece;
  if (!rut_polyhedron_hull(n / 3, to, &piece)) {
    rut_node_error(draft->spec, node, "corners", RUT_ERR_MODEL, "",
                   "the points of 'corners' enclose no volume");
    return;
  }
  s->hull_corners[s->hull++] = n / 3;
}

static void add_piece(rutDraft* draft, rutNode node, rutDraftClass* c) {
  int corners = 0, outline = 0;
  const double* corner = rut_node_numbers(draft->spec, node, "corners", &corners);
  (void)rut_node_numbers(draft->spec, node, "outline", &outline);
  if (c->spatial.hull == RUT_MAX_HULL) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "", "only %d <hull> are allowed here",
                   RUT_MAX_HULL);
  } else if ((corners > 0) == (outline > 0)) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, "",
                   "a hull needs either 'outline' or 'corners'");
  } else if (outline > 0) {
    add_outline(draft, node, c);
  } else {
    add_corners(draft, node, corner, corners, &c->spatial);
  }
}

void rut_draft_hull(rutDraft* draft, rutNode node, rutDraftClass* c) {
  rutNode hull = rut_node_first(draft->spec, node, "hull");
  if (rut_node_is_null(hull)) add_prism(&c->spatial, &c->outline, c->z_min, c->z_max);
  for (; !rut_node_is_null(hull); hull = rut_node_next(draft->spec, hull, "hull")) {
    add_piece(draft, hull, c);
  }
}

// ---------------------------------------------------------------------------------------------
// Building

// Corners that are those of a prism make one exactly; else their hull.
static void build_piece(const double* corner, int n, rutPolyhedron* out) {
  double ring[2 * RUT_POLYHEDRON_CORNERS];
  const int half = n / 2;
  bool prism = n % 2 == 0;
  for (int i = 0; prism && i < half; i++) {
    const double *low = corner + (ptrdiff_t)(3 * i), *high = low + (ptrdiff_t)(3 * half);
    prism = low[0] == high[0] && low[1] == high[1] && low[2] == corner[2] && high[2] > low[2] &&
            high[2] == corner[3 * half + 2];
    ring[2 * i] = low[0];
    ring[2 * i + 1] = low[1];
  }
  if (prism && rut_polyhedron_prism(half, ring, corner[2], corner[3 * half + 2], out)) return;
  rut_polyhedron_hull(n, corner, out);
}

// Largest extents of all pieces.
static void measure(rutVehicleClass* s) {
  double box[4] = {RUT_INFINITY, -RUT_INFINITY, RUT_INFINITY, -RUT_INFINITY};
  for (int i = 0; i < s->hull; i++) {
    const rutPolyhedron* piece = &s->hull_piece[i];
    for (int k = 0; k < piece->corners; k++) {
      const rutVec3 p = piece->corner[k];
      const double size[4] = {rut_abs(p.x), rut_abs(p.y), -p.z, p.z};
      for (int j = 0; j < 4; j++) s->hull_size[j] = rut_max(s->hull_size[j], size[j]);
      s->hull_radius = rut_max(rut_vec3_norm(p), s->hull_radius);
      box[0] = rut_min(p.x, box[0]);
      box[1] = rut_max(p.x, box[1]);
      box[2] = rut_min(p.y, box[2]);
      box[3] = rut_max(p.y, box[3]);
    }
  }
  static const double COARSEST = 0.05, FINEST = 1e-3;  // [m]
  static const double PLACES = 40;                     // across the narrower side
  const double side = rut_min(box[1] - box[0], box[3] - box[2]);
  s->hull_spacing = rut_clamp(side / PLACES, FINEST, COARSEST);
}

// Explicit steps of dt need softer springs: all of the surface may press at once.
static void soften(const rutDraftClass* c, double dt, rutVehicleClass* s) {
  static const double STABLE = 0.3;  // part of what a step may change
  const double* size = s->hull_size;
  const double area = 4 * size[0] * size[1], *j = c->spatial.inertia;
  const double least = rut_min(j[0], rut_min(j[1], j[2]));
  const double yields = 1 / c->mass + s->hull_radius * s->hull_radius / least;
  // three times: see rutHullPatch
  const double steep = 3 * rut_sqrt(rut_max(area * s->hull_per_area, 1));
  s->hull_stiffness = rut_min(s->hull_stiffness, STABLE / (dt * dt * yields * steep));
  s->hull_grip = rut_min(s->hull_grip, STABLE / (dt * yields));
}

// Where the chassis touches hard ground it sinks in by a few millimetres under its weight.
void rut_build_hull(const rutDraftClass* c, double gravity, double dt, rutArena* arena,
                    rutVehicleClass* out) {
  static const double SINKAGE = 0.005;   // of a patch of a few places [m]
  static const double PLACES = 4;        // of such a patch
  static const double EARTH = 9.81;      // [m/s2]
  static const double SEPARATION = 0.1;  // fastest at which the ground pushes it off [m/s]
  const rutDraftSpatial* d = &c->spatial;
  rutPolyhedron* piece = RUT_TAKE(arena, rutPolyhedron, d->hull);
  out->hull = d->hull;
  out->hull_piece = piece;
  if (!piece) return;
  memset(piece, 0, (size_t)d->hull * sizeof *piece);
  for (int i = 0; i < d->hull; i++) build_piece(d->hull_point[i], d->hull_corners[i], &piece[i]);
  measure(out);
  out->hull_per_area = 1 / (PLACES * out->hull_spacing * out->hull_spacing);
  out->hull_friction = c->friction;
  out->hull_stiffness = c->mass * rut_max(gravity, EARTH) / SINKAGE;
  out->hull_damping = 1 / SEPARATION;
  out->hull_grip = rut_sqrt(out->hull_stiffness * c->mass);
  if (dt > 0) soften(c, dt, out);
}
