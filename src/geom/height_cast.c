// SPDX-License-Identifier: BSD-3-Clause
//
// The walk of a single ray, which skips blocks of cells that the ray flies over (a maximum pyramid,
// as that of Tevs, Ihrke and Seidel, I3D 2008).
#include "geom/height_walk.h"

RUT_INLINE double leave_at(const rutHeightWalk* w, int axis, int i) {
  return rut_line_at(rut_walk_axis(w, axis), i);
}

// Cell along an axis where the ray is at t, between the cells `from` and `to`, counting lines at t
// itself as crossed or not: the cell to which steps from cell to cell would lead.
RUT_INLINE int cell_at(const rutHeightWalk* w, int axis, double t, bool crossed, int from, int to) {
  if (from == to) return from;
  const int step = from < to ? 1 : -1;
  int i = (int)rut_clamp(w->o[axis] + t * w->d[axis], 0, from < to ? to : from);
  if ((i - from) * step < 0) i = from;
  if ((i - to) * step > 0) i = to;
  while (i != from &&
         !(crossed ? leave_at(w, axis, i - step) <= t : leave_at(w, axis, i - step) < t))
    i -= step;
  while (i != to && (crossed ? leave_at(w, axis, i) <= t : leave_at(w, axis, i) < t)) i += step;
  return i;
}

RUT_INLINE bool leave_square(rutHeightWalk* w, const int low[2], const int high[2]) {
  int last[2];
  double leave[2];
  for (int k = 0; k < 2; k++) {
    last[k] = w->d[k] < 0 ? low[k] : high[k];
    leave[k] = leave_at(w, k, last[k]);
  }
  const int across = leave[0] < leave[1] ? RUT_SIDE_U : RUT_SIDE_V, other = 1 - across;
  const double t = leave[across];
  if (!(t < w->t1)) return false;
  w->cell[other] = cell_at(w, other, t, across == RUT_SIDE_U, w->cell[other], last[other]);
  w->cell[across] = last[across] + (w->d[across] < 0 ? -1 : 1);
  w->side = across;
  w->t0 = rut_max(t, w->t0);
  return true;
}

bool rut_walk_leave_square(rutHeightWalk* w, const int low[2], const int high[2]) {
  return leave_square(w, low, high);
}

static bool is_on_field(const rutHeightWalk* w, const rutHeightField* field) {
  return w->cell[0] >= 0 && w->cell[0] < field->nx - 1 && w->cell[1] >= 0 &&
         w->cell[1] < field->ny - 1;
}

// Skip the block of a level around the present cell, if the ray stays above it. *ended says that
// the ray ends in it.
static bool skip_block(rutHeightWalk* w, const rutHeightField* field, int level, bool* ended) {
  const rutHeightPyramid* p = field->pyramid;
  const int shift = RUT_PYRAMID_SHIFT + level, side = 1 << shift;
  const int cells[2] = {field->nx - 1, field->ny - 1};
  int low[2], high[2];
  double end = w->t1;
  for (int k = 0; k < 2; k++) {
    low[k] = w->cell[k] >> shift << shift;
    high[k] = (cells[k] - low[k] < side ? cells[k] : low[k] + side) - 1;
    end = rut_min(leave_at(w, k, w->d[k] < 0 ? low[k] : high[k]), end);
  }
  const double lowest = w->o[2] + (w->d[2] < 0 ? rut_max(end, w->t0) : w->t0) * w->d[2];
  const ptrdiff_t block =
      (ptrdiff_t)(w->cell[1] >> shift) * p->level[level].nx + (w->cell[0] >> shift);
  if (!(lowest > p->level[level].top[block])) return false;
  *ended = !leave_square(w, low, high);
  return true;
}

// Outward normal where the ray meets a patch of the field at t. If the surface there is higher than
// the ray, it is a wall, through which the ray has come into the cell.
static void normal_of(const rutHeightWalk* w, rutHeightPatch p, double spacing, double t,
                      double t_min, double normal[3]) {
  const rutCellRay r = rut_cell_ray(w, w->cell[0], w->cell[1]);
  const double u = rut_clamp(r.u0 + t * r.ru, 0, 1), v = rut_clamp(r.v0 + t * r.rv, 0, 1);
  const double z = p.a + p.b * u + (p.c + p.d * u) * v, at = r.z0 + t * r.rz;
  const bool wall =
      z - at > RUT_WALK_MARGIN * (1 + rut_abs(z)) && t > t_min && w->side != RUT_NO_SIDE;
  const rutVec3 n = rut_patch_normal(p, u, v, spacing);
  normal[0] = n.x;
  normal[1] = n.y;
  normal[2] = n.z;
  for (int k = 0; wall && k < 3; k++) normal[k] = w->side != k ? 0 : w->d[k] < 0 ? 1 : -1;
}

// Most cells, without roots and quotients.
RUT_INLINE bool is_clear(rutCellDepth g, double t0, double t1) {
  return rut_cell_depth_at(g, t0) < 0 && rut_cell_depth_at(g, t1) < 0 &&
         (g.a >= 0 || g.b * g.b - 4 * g.a * g.c < 0);
}

double rut_walk_cast(rutHeightWalk* w, const rutHeightField* field, double t_min,
                     double normal[3]) {
  const int highest_level = field->pyramid ? field->pyramid->levels - 1 : -1;
  int level = highest_level < 0 ? -1 : 0;
  while (is_on_field(w, field)) {
    bool ended = false;
    if (level >= 0) {
      const bool skipped = skip_block(w, field, level, &ended);
      if (ended) break;
      level += skipped ? level < highest_level : -1;
      continue;
    }
    const int ix = w->cell[0], iy = w->cell[1];
    const double end =
        rut_max(rut_min(rut_min(leave_at(w, 0, ix), leave_at(w, 1, iy)), w->t1), w->t0);
    const rutHeightPatch patch =
        rut_height_patch(field->height + (ptrdiff_t)iy * field->nx + ix, field->nx);
    const rutCellDepth depth = rut_cell_depth(patch, rut_cell_ray(w, ix, iy));
    const double t = is_clear(depth, w->t0, end) ? RUT_INFINITY : rut_cell_hit(depth, w->t0, end);
    if (t <= end) {
      if (normal) normal_of(w, patch, field->spacing, t, t_min, normal);
      return t;
    }
    if (!leave_square(w, w->cell, w->cell)) break;
    // another block begins: it may be one to skip
    const int mask = (1 << RUT_PYRAMID_SHIFT) - 1, now = w->cell[w->side] & mask;
    if (highest_level >= 0 && now == (w->d[w->side] < 0 ? mask : 0)) level = 0;
  }
  return RUT_INFINITY;
}

double rut_height_field_cast(const rutHeightField* field, const double origin[3],
                             const double direction[3], double t_min, double t_max,
                             double normal[3]) {
  rutHeightWalk w;
  const rutVec3 o = rut_vec3(origin[0], origin[1], origin[2]);
  const rutVec3 d = rut_vec3(direction[0], direction[1], direction[2]);
  if (!rut_walk_begin(&w, field, o, d, t_min, t_max)) return RUT_INFINITY;
  return rut_walk_cast(&w, field, t_min, normal);
}
