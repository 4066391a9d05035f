// SPDX-License-Identifier: BSD-3-Clause
//
// Rays against a height field: a walk from cell to cell (Amanatides and Woo, Eurographics 1987)
// with a quadratic equation in each, which skips blocks of cells that the ray flies over (a maximum
// pyramid, as that of Tevs, Ihrke and Seidel, I3D 2008).
#include "geom/height_field.h"
#include "geom/height_patch.h"
#include "geom/rays.h"
#include "math/rut_math.h"

// Margin of comparisons, relative to heights, in cells of places: far above rounding, far below
// what matters on the ground.
#define MARGIN 1e-9

// ---------------------------------------------------------------------------------------------
// Pyramid

static int blocks_of(int cells, int shift) { return ((cells - 1) >> shift) + 1; }

size_t rut_height_pyramid_size(int nx, int ny) {
  size_t size = 0;
  for (int shift = RUT_PYRAMID_SHIFT;; shift++) {
    const int bx = blocks_of(nx - 1, shift), by = blocks_of(ny - 1, shift);
    size += (size_t)bx * (size_t)by;
    if (bx == 1 && by == 1) return size;
  }
}

// Highest of the nodes [x0, x1] x [y0, y1], -infinity if all are holes.
static double highest(const double* z, int stride, int x0, int x1, int y0, int y1) {
  double top = -RUT_INFINITY;
  for (int y = y0; y <= y1; y++) {
    const double* row = z + (ptrdiff_t)y * stride;
    for (int x = x0; x <= x1; x++) top = rut_max(row[x], top);
  }
  return top;
}

static int least(int a, int b) { return a < b ? a : b; }

// First level, from the nodes. The margin covers the rounding of heights between nodes.
static void fill_blocks(const rutHeightField* field, int bx, int by, double* top) {
  enum { SIDE = 1 << RUT_PYRAMID_SHIFT };
  for (int iy = 0; iy < by; iy++) {
    for (int ix = 0; ix < bx; ix++) {
      const int x = ix * SIDE, y = iy * SIDE;
      const double z = highest(field->height, field->nx, x, least(x + SIDE, field->nx - 1), y,
                               least(y + SIDE, field->ny - 1));
      top[(ptrdiff_t)iy * bx + ix] = z + MARGIN * (1 + rut_abs(z));
    }
  }
}

// Both slopes of a bilinear surface are between those of the lines of nodes.
static double steepest_slope(const rutHeightField* field) {
  double along = 0, across = 0;
  bool whole = true;
  for (int iy = 0; iy < field->ny; iy++) {
    const double* row = field->height + (ptrdiff_t)iy * field->nx;
    for (int ix = 0; ix < field->nx; ix++) {
      whole = whole && row[ix] == row[ix];
      if (ix + 1 < field->nx) along = rut_max(rut_abs(row[ix + 1] - row[ix]), along);
      if (iy + 1 < field->ny) across = rut_max(rut_abs(row[ix + field->nx] - row[ix]), across);
    }
  }
  return whole ? rut_hypot(along, across) / field->spacing : RUT_INFINITY;
}

void rut_height_pyramid_build(rutHeightField* field, double* top, rutHeightPyramid* pyramid) {
  const double* below = NULL;
  int nx = 0, ny = 0, level = 0;
  for (;; level++) {
    const int shift = RUT_PYRAMID_SHIFT + level;
    const int bx = blocks_of(field->nx - 1, shift), by = blocks_of(field->ny - 1, shift);
    if (!below) fill_blocks(field, bx, by, top);
    for (int iy = 0; below && iy < by; iy++) {
      for (int ix = 0; ix < bx; ix++) {
        top[(ptrdiff_t)iy * bx + ix] = highest(below, nx, 2 * ix, least(2 * ix + 1, nx - 1), 2 * iy,
                                               least(2 * iy + 1, ny - 1));
      }
    }
    pyramid->level[level].nx = nx = bx;
    pyramid->level[level].ny = ny = by;
    pyramid->level[level].top = below = top;
    top += (ptrdiff_t)bx * by;
    if (bx == 1 && by == 1) break;
  }
  pyramid->levels = level + 1;
  pyramid->steepest = steepest_slope(field);
  field->pyramid = pyramid;
}

// First and last cell that a range touches, cut to the field. False if it is off the field.
static bool cells_in(double low, double high, double origin, double spacing, int cells,
                     int range[2]) {
  const double first = (low - origin) / spacing - MARGIN, last = (high - origin) / spacing + MARGIN;
  if (!(last >= 0 && first <= cells)) return false;
  range[0] = (int)rut_clamp(first, 0, cells - 1);
  range[1] = (int)rut_clamp(last, 0, cells - 1);
  return true;
}

double rut_height_field_top(const rutHeightField* field, const double box[4]) {
  const rutHeightPyramid* p = field->pyramid;
  int x[2], y[2], level = 0;
  if (!cells_in(box[0], box[1], field->origin[0], field->spacing, field->nx - 1, x) ||
      !cells_in(box[2], box[3], field->origin[1], field->spacing, field->ny - 1, y)) {
    return -RUT_INFINITY;
  }
  if (!p) return field->z_max;
  // a level of which few blocks cover the rectangle
  const int extent = x[1] - x[0] > y[1] - y[0] ? x[1] - x[0] : y[1] - y[0];
  while (level < p->levels - 1 && extent >> (RUT_PYRAMID_SHIFT + level) > 2) level++;
  const int shift = RUT_PYRAMID_SHIFT + level;
  return highest(p->level[level].top, p->level[level].nx, x[0] >> shift, x[1] >> shift,
                 y[0] >> shift, y[1] >> shift);
}

// ---------------------------------------------------------------------------------------------
// One cell

// Ray in the cell: u = u0 + t ru, v = v0 + t rv, z = z0 + t rz.
typedef struct CellRay {
  double u0, v0, z0, ru, rv, rz;
} CellRay;

// First t in [t0, t1] at which the ray sinks into a patch, infinity if none. Its height above the
// patch is -(A t^2 + B t + C),
//   A = d ru rv,  B = b ru + c rv + d (u0 rv + v0 ru) - rz,  C = a + b u0 + c v0 + d u0 v0 - z0.
RUT_INLINE double hit_patch(rutHeightPatch p, CellRay r, double t0, double t1) {
  double qa = p.d * r.ru * r.rv;
  double qb = p.b * r.ru + p.c * r.rv + p.d * (r.u0 * r.rv + r.v0 * r.ru) - r.rz;
  double qc = p.a + p.b * r.u0 + p.c * r.v0 + p.d * r.u0 * r.v0 - r.z0;
  double start = (qa * t0 + qb) * t0 + qc, end = (qa * t1 + qb) * t1 + qc;
  // Below the ground where the cell begins: the edge itself is the hit, no ray leaks through. The
  // same if it is on the ground there and goes below.
  if (start > 0 || (start == 0 && end > 0)) return t0;
  // a hole
  if (!(start <= 0)) return RUT_INFINITY;
  double discriminant = qb * qb - 4 * qa * qc;
  if (end < 0 && (qa >= 0 || discriminant < 0)) return RUT_INFINITY;
  if (discriminant < 0) discriminant = 0;
  // the root at which g = A t^2 + B t + C rises, without cancellation (Press et al., Numerical
  // Recipes, 5.6)
  const double q = -0.5 * (qb + (qb < 0 ? -1 : 1) * rut_sqrt(discriminant));
  const double t = qb < 0 ? q / qa : qc / q;
  if (end < 0) return t >= t0 && t <= t1 ? t : RUT_INFINITY;
  // signs at the ends prove a crossing: rounding may have moved it just outside
  return rut_min(rut_max(t, t0), t1);
}

// ---------------------------------------------------------------------------------------------
// Walk

enum { NO_SIDE = -1, SIDE_U, SIDE_V };

// A ray in units of cells, and where on it the walk is.
typedef struct Walk {
  const rutHeightField* field;
  rutRay ray;         // in cells along u and v, metres along z
  double t0, t1;      // rest of the ray
  int cell[2], side;  // present cell, and the side through which the ray has come into it
} Walk;

// Where the ray leaves row or column i along an axis. A function of i alone, so that it does not
// depend on the cells before.
RUT_INLINE double leave_at(const Walk* w, int axis, int i) {
  const double d = w->ray.d[axis];
  return d != 0 ? (i + (d > 0) - w->ray.o[axis]) * w->ray.inverse[axis] : RUT_INFINITY;
}

// Cell along an axis where the ray is at t, between the cells `from` and `to`, counting lines at t
// itself as crossed or not: the cell to which steps from cell to cell would lead.
RUT_INLINE int cell_at(const Walk* w, int axis, double t, bool crossed, int from, int to) {
  if (from == to) return from;
  const int step = from < to ? 1 : -1;
  const double place =
      rut_clamp(w->ray.o[axis] + t * w->ray.d[axis], 0, w->field->nx + w->field->ny);
  int i = (int)place;
  if ((i - from) * step < 0) i = from;
  if ((i - to) * step > 0) i = to;
  while (i != from &&
         !(crossed ? leave_at(w, axis, i - step) <= t : leave_at(w, axis, i - step) < t))
    i -= step;
  while (i != to && (crossed ? leave_at(w, axis, i) <= t : leave_at(w, axis, i) < t)) i += step;
  return i;
}

// Go to the end of a square of cells, from low to high, around the present one. Lines along v are
// crossed before those along u where both are met at once. False if the ray ends before.
RUT_INLINE bool leave_square(Walk* w, const int low[2], const int high[2]) {
  int last[2];
  double leave[2];
  for (int k = 0; k < 2; k++) {
    last[k] = w->ray.d[k] < 0 ? low[k] : high[k];
    leave[k] = leave_at(w, k, last[k]);
  }
  const int across = leave[0] < leave[1] ? SIDE_U : SIDE_V, other = 1 - across;
  const double t = leave[across];
  if (!(t < w->t1)) return false;
  w->cell[other] = cell_at(w, other, t, across == SIDE_U, w->cell[other], last[other]);
  w->cell[across] = last[across] + (w->ray.d[across] < 0 ? -1 : 1);
  w->side = across;
  w->t0 = rut_max(t, w->t0);
  return true;
}

static bool is_on_field(const Walk* w) {
  return w->cell[0] >= 0 && w->cell[0] < w->field->nx - 1 && w->cell[1] >= 0 &&
         w->cell[1] < w->field->ny - 1;
}

// Skip the block of a level around the present cell, if the ray stays above it. *ended says that
// the ray ends in it.
static bool skip_block(Walk* w, int level, bool* ended) {
  const rutHeightPyramid* p = w->field->pyramid;
  const int shift = RUT_PYRAMID_SHIFT + level, side = 1 << shift;
  const int cells[2] = {w->field->nx - 1, w->field->ny - 1};
  int low[2], high[2];
  double end = w->t1;
  for (int k = 0; k < 2; k++) {
    low[k] = w->cell[k] >> shift << shift;
    high[k] = (cells[k] - low[k] < side ? cells[k] : low[k] + side) - 1;
    end = rut_min(leave_at(w, k, w->ray.d[k] < 0 ? low[k] : high[k]), end);
  }
  const double lowest = w->ray.o[2] + (w->ray.d[2] < 0 ? rut_max(end, w->t0) : w->t0) * w->ray.d[2];
  const ptrdiff_t block =
      (ptrdiff_t)(w->cell[1] >> shift) * p->level[level].nx + (w->cell[0] >> shift);
  if (!(lowest > p->level[level].top[block])) return false;
  *ended = !leave_square(w, low, high);
  return true;
}

// Begin where the ray comes below the highest node over the field. False if it never does.
static bool begin(Walk* w, const rutHeightField* field, const double origin[3],
                  const double direction[3], double t_min, double t_max) {
  const double inverse = 1 / field->spacing, z = origin[2];
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += origin[k] + direction[k];
  if (!rut_is_finite(sum)) return false;
  w->field = field;
  w->t0 = t_min;
  w->t1 = t_max;
  w->side = NO_SIDE;
  for (int k = 0; k < 3; k++) {
    const double scale = k < 2 ? inverse : 1;
    w->ray.o[k] = k < 2 ? (origin[k] - field->origin[k]) * scale : z;
    rut_ray_aim(&w->ray, k, direction[k] * scale);
  }
  const double high[3] = {field->nx - 1, field->ny - 1, field->z_max};
  for (int k = 0; k < 3; k++) {
    // an upright ray that comes below all nodes has hit before: it has an end
    const double bottom = rut_min(z, field->z_min) - 1 - MARGIN * rut_abs(z);
    const double low = k < 2 ? 0 : w->t1 < RUT_INFINITY ? -RUT_INFINITY : bottom;
    const double before = w->t0;
    rut_ray_clip(&w->ray, k, low, high[k], &w->t0, &w->t1);
    if (w->t0 > before) w->side = k < 2 ? k : NO_SIDE;
  }
  if (!(w->t0 <= w->t1 && w->t1 < RUT_INFINITY)) return false;
  for (int k = 0; k < 2; k++) {
    const double place = rut_clamp(w->ray.o[k] + w->t0 * w->ray.d[k], 0, high[k] - 1);
    w->cell[k] = (int)place;
  }
  return true;
}

// Outward normal where the ray meets a patch at t. If the surface there is higher than the ray, it
// is a wall, through which the ray has come into the cell.
static void normal_of(const Walk* w, CellRay r, rutHeightPatch p, double t, double t_min,
                      double normal[3]) {
  const double u = rut_clamp(r.u0 + t * r.ru, 0, 1), v = rut_clamp(r.v0 + t * r.rv, 0, 1);
  const double z = p.a + p.b * u + (p.c + p.d * u) * v, at = r.z0 + t * r.rz;
  const bool wall = z - at > MARGIN * (1 + rut_abs(z)) && t > t_min && w->side != NO_SIDE;
  const double inverse = 1 / w->field->spacing;
  const double slope[2] = {(p.b + p.d * v) * inverse, (p.c + p.d * u) * inverse};
  const double length = rut_sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
  for (int k = 0; k < 2; k++) {
    const double side = w->side != k ? 0 : w->ray.d[k] < 0 ? 1 : -1;
    normal[k] = wall ? side : -slope[k] / length;
  }
  normal[2] = wall ? 0 : 1 / length;
}

double rut_height_field_cast(const rutHeightField* field, const double origin[3],
                             const double direction[3], double t_min, double t_max,
                             double normal[3]) {
  Walk w;
  if (!begin(&w, field, origin, direction, t_min, t_max)) return RUT_INFINITY;
  const int highest_level = field->pyramid ? field->pyramid->levels - 1 : -1;
  int level = highest_level < 0 ? -1 : 0;
  while (is_on_field(&w)) {
    bool ended = false;
    if (level >= 0) {
      const bool skipped = skip_block(&w, level, &ended);
      if (ended) break;
      level += skipped ? level < highest_level : -1;
      continue;
    }
    const int ix = w.cell[0], iy = w.cell[1];
    const double end =
        rut_max(rut_min(rut_min(leave_at(&w, 0, ix), leave_at(&w, 1, iy)), w.t1), w.t0);
    // coordinates relative to the cell, so that a far origin costs no digits
    const CellRay r = {w.ray.o[0] - ix, w.ray.o[1] - iy, w.ray.o[2],
                       w.ray.d[0],      w.ray.d[1],      w.ray.d[2]};
    const rutHeightPatch patch =
        rut_height_patch(field->height + (ptrdiff_t)iy * field->nx + ix, field->nx);
    const double t = hit_patch(patch, r, w.t0, end);
    if (t <= end) {
      if (normal) normal_of(&w, r, patch, t, t_min, normal);
      return t;
    }
    if (!leave_square(&w, w.cell, w.cell)) break;
    // another block begins: it may be one to skip
    const int mask = (1 << RUT_PYRAMID_SHIFT) - 1, now = w.cell[w.side] & mask;
    if (highest_level >= 0 && now == (w.ray.d[w.side] < 0 ? mask : 0)) level = 0;
  }
  return RUT_INFINITY;
}
