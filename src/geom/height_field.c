// SPDX-License-Identifier: BSD-3-Clause
#include "geom/height_field.h"

#include <stddef.h>

#include "geom/bilinear.h"
#include "math/lanes.h"

void rut_height_field_init(rutHeightField* field, int nx, int ny, double spacing,
                           const double origin[2], rutHeightSurface surface, const double* height) {
  field->nx = nx;
  field->ny = ny;
  field->spacing = spacing;
  field->origin[0] = origin[0];
  field->origin[1] = origin[1];
  field->surface = surface;
  field->height = height;
  double low = HUGE_VAL, high = -HUGE_VAL;
  size_t nodes = (size_t)nx * (size_t)ny;
  for (size_t i = 0; i < nodes; i++) {
    if (height[i] < low) low = height[i];
    if (height[i] > high) high = height[i];
  }
  field->z_min = low;
  field->z_max = high;
}

void rut_height_field_from_rows(int rows, int cols, const double* value, double scale,
                                double offset, double* height) {
  // in squares, whose rows and columns both stay in the cache
  enum { SQUARE = 32 };
  const size_t n = (size_t)rows, m = (size_t)cols;
  for (size_t r0 = 0; r0 < n; r0 += SQUARE) {
    const size_t r1 = r0 + SQUARE < n ? r0 + SQUARE : n;
    for (size_t c0 = 0; c0 < m; c0 += SQUARE) {
      const size_t c1 = c0 + SQUARE < m ? c0 + SQUARE : m;
      for (size_t r = r0; r < r1; r++) {
        for (size_t c = c0; c < c1; c++) height[c * n + r] = offset + scale * value[r * m + c];
      }
    }
  }
}

// One cell: heights of its corners as z = a + b u + c v + d u v, u and v in [0, 1].
typedef struct Patch {
  double a, b, c, d;
} Patch;

RUT_INLINE Patch patch_of(const double* corner, int nx) {
  double z00 = corner[0], z10 = corner[1], z01 = corner[nx], z11 = corner[nx + 1];
  return (Patch){z00, z10 - z00, z01 - z00, z11 - z10 - z01 + z00};
}

// Two planes through the diagonal u = v: where u >= v the one over (1, 0), else the one over (0,
// 1). Both are the bilinear patch with its twist d moved into the slope of the smaller coordinate.
RUT_INLINE Patch plane_of(Patch p, bool over_u) {
  return (Patch){p.a, over_u ? p.b : p.b + p.d, over_u ? p.c + p.d : p.c, 0};
}

// Height and slopes at one point. In loops over points `triangles` is a constant, and the corners
// become gathers. Nodes that are NaN are holes: there is no ground in the cells around them.
RUT_INLINE void sample(const rutHeightField* field, bool triangles, double x, double y, double* z,
                       double* slope_x, double* slope_y) {
  double inverse = 1 / field->spacing;
  double u = (x - field->origin[0]) * inverse, v = (y - field->origin[1]) * inverse;
  const int nx = field->nx, ny = field->ny;
  const int inside = (u >= 0) & (v >= 0) & (u <= nx - 1) & (v <= ny - 1);
  // outside, any cell will do: the result is replaced below
  double us = inside ? u : 0, vs = inside ? v : 0;
  int ix = (int)us, iy = (int)vs;
  ix = ix < nx - 2 ? ix : nx - 2;
  iy = iy < ny - 2 ? iy : ny - 2;
  us -= ix;
  vs -= iy;
  Patch p = patch_of(field->height + (ptrdiff_t)(iy * nx + ix), nx);
  if (triangles) p = plane_of(p, us >= vs);
  double height = p.a + p.b * us + (p.c + p.d * us) * vs;
  const int ground = inside & (height == height);
  *z = inside ? height : (double)NAN;
  *slope_x = ground ? (p.b + p.d * vs) * inverse : 0;
  *slope_y = ground ? (p.c + p.d * us) * inverse : 0;
}

bool rut_height_field_at(const rutHeightField* field, double x, double y, double* z,
                         double normal[3]) {
  double slope_x, slope_y;
  sample(field, field->surface == RUT_SURFACE_TRIANGLES, x, y, z, &slope_x, &slope_y);
  if (normal) {
    double length = sqrt(1 + slope_x * slope_x + slope_y * slope_y);
    normal[0] = -slope_x / length;
    normal[1] = -slope_y / length;
    normal[2] = 1 / length;
  }
  return *z == *z;
}

RUT_CLONES static void find_field_cells(const rutHeightField* field, int n,
                                        const double* restrict x, const double* restrict y,
                                        rutCells* restrict cells) {
  const double inverse = 1 / field->spacing, x0 = field->origin[0], y0 = field->origin[1];
  const int nx = field->nx, last_x = field->nx - 2, last_y = field->ny - 2;
  const double most_x = field->nx - 1, most_y = field->ny - 1;
  RUT_FOR_LANES(i, n) {
    const double u = (x[i] - x0) * inverse, v = (y[i] - y0) * inverse;
    const int inside = (u >= 0) & (v >= 0) & (u <= most_x) & (v <= most_y);
    const double us = inside ? u : 0, vs = inside ? v : 0;
    const int ku = (int)us, kv = (int)vs;
    const int ix = ku < last_x ? ku : last_x, iy = kv < last_y ? kv : last_y;
    cells->offset[i] = iy * nx + ix;
    cells->u[i] = us - ix;
    cells->v[i] = vs - iy;
    cells->inside[i] = inside ? 1 : 0;
  }
}

void rut_height_field_at_n(const rutHeightField* field, int n, const double* x, const double* y,
                           double* z, double* slope_x, double* slope_y) {
  const rutHeightField f = *field;
  const bool triangles = f.surface == RUT_SURFACE_TRIANGLES;
  if (slope_x && !triangles) {
    rutCells cells;
    for (int i = 0; i < n; i += RUT_BILINEAR_BLOCK) {
      const int m = n - i < RUT_BILINEAR_BLOCK ? n - i : RUT_BILINEAR_BLOCK;
      find_field_cells(&f, m, x + i, y + i, &cells);
      rut_bilinear(f.height, f.nx, 1 / f.spacing, m, &cells, z + i, slope_x + i, slope_y + i);
    }
    return;
  }
  for (int i = 0; i < n; i++) {
    double along_x, along_y;
    sample(&f, triangles, x[i], y[i], &z[i], &along_x, &along_y);
    if (slope_x) slope_x[i] = along_x;
    if (slope_x) slope_y[i] = along_y;
  }
}

// ---------------------------------------------------------------------------------------------
// Rays

// First t in [t0, t1] at which the ray sinks into a patch, HUGE_VAL if none. Ray in the cell:
// u = u0 + t ru, v = v0 + t rv, z = z0 + t rz. Its height above the patch is -(A t^2 + B t + C),
//   A = d ru rv,  B = b ru + c rv + d (u0 rv + v0 ru) - rz,  C = a + b u0 + c v0 + d u0 v0 - z0.
typedef struct CellRay {
  double u0, v0, z0, ru, rv, rz;
} CellRay;

static double hit_patch(Patch p, CellRay r, double t0, double t1) {
  double qa = p.d * r.ru * r.rv;
  double qb = p.b * r.ru + p.c * r.rv + p.d * (r.u0 * r.rv + r.v0 * r.ru) - r.rz;
  double qc = p.a + p.b * r.u0 + p.c * r.v0 + p.d * r.u0 * r.v0 - r.z0;
  double start = (qa * t0 + qb) * t0 + qc, end = (qa * t1 + qb) * t1 + qc;
  // at or below the ground where the cell begins: the edge itself is the hit, no ray leaks through
  if (start >= 0) return t0;
  double discriminant = qb * qb - 4 * qa * qc;
  if (end < 0 && (qa >= 0 || discriminant < 0)) return HUGE_VAL;
  if (discriminant < 0) discriminant = 0;
  // stable roots: q has no cancellation (Press et al., Numerical Recipes, 5.6)
  double q = -0.5 * (qb + (qb < 0 ? -1 : 1) * sqrt(discriminant));
  double root_a = qa != 0 ? q / qa : HUGE_VAL, root_b = q != 0 ? qc / q : HUGE_VAL;
  double first = root_a < root_b ? root_a : root_b, last = root_a < root_b ? root_b : root_a;
  double t = first >= t0 ? first : last;
  if (t >= t0 && t <= t1) return t;
  // signs at the ends prove a crossing: rounding moved it just outside
  return end >= 0 ? t1 : HUGE_VAL;
}

static double hit_cell(const rutHeightField* field, int ix, int iy, CellRay r, double t0,
                       double t1) {
  Patch p = patch_of(field->height + (ptrdiff_t)iy * field->nx + ix, field->nx);
  if (field->surface == RUT_SURFACE_BILINEAR) return hit_patch(p, r, t0, t1);
  // the ray may cross the diagonal u = v inside the cell
  double apart = r.u0 - r.v0, rate = r.ru - r.rv;
  double across = rate != 0 ? -apart / rate : HUGE_VAL;
  double middle = 0.5 * (t0 + t1);
  if (!(across > t0 && across < t1)) {
    return hit_patch(plane_of(p, apart + middle * rate >= 0), r, t0, t1);
  }
  double t = hit_patch(plane_of(p, rate < 0), r, t0, across);
  return t <= across ? t : hit_patch(plane_of(p, rate > 0), r, across, t1);
}

// Cut [t0, t1] to where start + t rate is in [low, high].
static void clip(double start, double rate, double low, double high, double* t0, double* t1) {
  if (rate == 0) {
    if (!(start >= low && start <= high)) *t0 = HUGE_VAL;
    return;
  }
  double first = ((rate > 0 ? low : high) - start) / rate;
  double last = ((rate > 0 ? high : low) - start) / rate;
  if (first > *t0) *t0 = first;
  if (last < *t1) *t1 = last;
}

static int cell_index(double coordinate, int cells) {
  if (!(coordinate > 0)) return 0;
  return coordinate < cells ? (int)coordinate : cells - 1;
}

// Walk from cell to cell (Amanatides and Woo 1987) in grid units, between the point where the ray
// comes below the highest node and the one where it leaves the field.
double rut_height_field_cast(const rutHeightField* field, const double origin[3],
                             const double direction[3], double max_range) {
  double inverse = 1 / field->spacing;
  double u = (origin[0] - field->origin[0]) * inverse, ru = direction[0] * inverse;
  double v = (origin[1] - field->origin[1]) * inverse, rv = direction[1] * inverse;
  double z = origin[2], rz = direction[2];
  double t0 = 0, t1 = max_range;
  clip(u, ru, 0, field->nx - 1, &t0, &t1);
  clip(v, rv, 0, field->ny - 1, &t0, &t1);
  // a ray below all nodes has hit before; the margin keeps the end of a vertical ray finite
  double floor_z = (z < field->z_min ? z : field->z_min) - 1 - 1e-9 * fabs(z);
  clip(z, rz, floor_z, field->z_max, &t0, &t1);
  if (!(t0 <= t1)) return HUGE_VAL;
  int cells_x = field->nx - 1, cells_y = field->ny - 1;
  int ix = cell_index(u + t0 * ru, cells_x), iy = cell_index(v + t0 * rv, cells_y);
  int step_x = ru < 0 ? -1 : 1, step_y = rv < 0 ? -1 : 1;
  while (ix >= 0 && ix < cells_x && iy >= 0 && iy < cells_y) {
    double exit_x = ru != 0 ? (ix + (ru > 0) - u) / ru : HUGE_VAL;
    double exit_y = rv != 0 ? (iy + (rv > 0) - v) / rv : HUGE_VAL;
    double leave = exit_x < exit_y ? exit_x : exit_y;
    double end = leave < t1 ? leave : t1;
    if (end < t0) end = t0;
    // coordinates relative to the cell, so that a far origin costs no digits
    CellRay r = {u - ix, v - iy, z, ru, rv, rz};
    double t = isfinite(end) ? hit_cell(field, ix, iy, r, t0, end) : HUGE_VAL;
    if (t <= end) return t;
    if (end >= t1) break;
    t0 = end;
    if (exit_x < exit_y) {
      ix += step_x;
    } else {
      iy += step_y;
    }
  }
  return HUGE_VAL;
}
