// SPDX-License-Identifier: BSD-3-Clause
#include "geom/occupancy.h"

#include "math/rut_math.h"

size_t rut_occupancy_bytes(int nx, int ny) { return 5 * (size_t)nx * (size_t)ny; }

void rut_occupancy_init(rutOccupancy* grid, int nx, int ny, double resolution,
                        const double origin[2], void* block) {
  grid->nx = nx;
  grid->ny = ny;
  grid->resolution = resolution;
  grid->origin[0] = origin[0];
  grid->origin[1] = origin[1];
  grid->cell = block;
  grid->open = grid->cell + (size_t)nx * (size_t)ny;
}

static uint8_t least3(uint8_t a, uint8_t b, uint8_t c) {
  uint8_t least = a < b ? a : b;
  return least < c ? least : c;
}

// Largest free square with its near corner at a cell: one more than the least of the squares of the
// three cells ahead of it (along x, along y, along both). Cells beyond the grid count as full, so
// that a square never leaves it. step_x, step_y point ahead.
static void build_quadrant(const rutOccupancy* grid, int step_x, int step_y, uint8_t* open) {
  int nx = grid->nx, ny = grid->ny;
  int first_x = step_x > 0 ? nx - 1 : 0, first_y = step_y > 0 ? ny - 1 : 0;
  for (int j = 0, iy = first_y; j < ny; j++, iy -= step_y) {
    const uint8_t* cell = grid->cell + (size_t)iy * (size_t)nx;
    uint8_t* row = open + (size_t)iy * (size_t)nx;
    const uint8_t* ahead = j > 0 ? row + (ptrdiff_t)step_y * nx : NULL;
    for (int i = 0, ix = first_x; i < nx; i++, ix -= step_x) {
      if (cell[ix] != RUT_CELL_FREE) {
        row[ix] = 0;
      } else if (i == 0 || !ahead) {
        row[ix] = 1;
      } else {
        uint8_t side = least3(row[ix + step_x], ahead[ix], ahead[ix + step_x]);
        row[ix] = (uint8_t)(side < UINT8_MAX ? side + 1 : UINT8_MAX);
      }
    }
  }
}

void rut_occupancy_build(rutOccupancy* grid) {
  size_t cells = (size_t)grid->nx * (size_t)grid->ny;
  for (int q = 0; q < 4; q++) {
    build_quadrant(grid, q & 1 ? -1 : 1, q & 2 ? -1 : 1, grid->open + (size_t)q * cells);
  }
}

// A ray in cell units, with what does not change along it.
typedef struct Ray {
  double u, v, du, dv, inverse_u, inverse_v, t_max;
  int sign_u, sign_v;   // +1 or -1
  const uint8_t* open;  // table of the ray's quadrant
} Ray;

// Side of a cell through which a ray comes.
enum { FROM_WITHIN = -1, ACROSS_U, ACROSS_V };

// Ray components this small never reach a next cell; as 0 they need no care for overflow.
#define NO_MOTION 1e-150
// Rays that start or point farther than this many cells hit nothing: indices of cells stay within
// int.
#define FARTHEST 1e9

static bool prepare_ray(const rutOccupancy* grid, const rutGridRay* ray, Ray* r) {
  const double dx = ray->dx, dy = ray->dy;
  r->u = (ray->x - grid->origin[0]) / grid->resolution;
  r->v = (ray->y - grid->origin[1]) / grid->resolution;
  if (!(fabs(r->u) < FARTHEST && fabs(r->v) < FARTHEST && ray->limit >= 0)) return false;
  if (!(fabs(dx) < FARTHEST && fabs(dy) < FARTHEST)) return false;
  r->du = fabs(dx) > NO_MOTION ? dx : 0;
  r->dv = fabs(dy) > NO_MOTION ? dy : 0;
  r->sign_u = r->du < 0 ? -1 : 1;
  r->sign_v = r->dv < 0 ? -1 : 1;
  r->inverse_u = r->du != 0 ? 1 / r->du : HUGE_VAL;
  r->inverse_v = r->dv != 0 ? 1 / r->dv : HUGE_VAL;
  r->t_max = ray->limit / grid->resolution;
  const int quadrant = (r->du < 0) + 2 * (r->dv < 0);
  r->open = grid->open + (size_t)quadrant * (size_t)grid->nx * (size_t)grid->ny;
  return true;
}

// Interval of t in which a coordinate is inside [0, n].
static void clip(double start, double rate, double inverse, int n, double* enter, double* leave) {
  if (rate == 0) {
    if (start < 0 || start >= n) *enter = HUGE_VAL;
    return;
  }
  double t0 = -start * inverse, t1 = (n - start) * inverse;
  double first = t0 < t1 ? t0 : t1, last = t0 < t1 ? t1 : t0;
  if (first > *enter) *enter = first;
  if (last < *leave) *leave = last;
}

static int clamp_cell(double coordinate, int n) {
  int i = (int)coordinate;
  if (i < 0) return 0;
  return i < n ? i : n - 1;
}

// First cell of a ray that starts outside the grid: where it enters, at *t, and across which axis.
// False if it misses.
static bool enter_grid(const rutOccupancy* grid, const Ray* r, double* t, int* ix, int* iy,
                       int* axis) {
  double enter = 0, leave = r->t_max;
  clip(r->u, r->du, r->inverse_u, grid->nx, &enter, &leave);
  const double enter_u = enter;
  clip(r->v, r->dv, r->inverse_v, grid->ny, &enter, &leave);
  if (!(enter < leave)) return false;
  *t = enter;
  *axis = enter > enter_u ? ACROSS_V : ACROSS_U;
  *ix = clamp_cell(r->u + enter * r->du, grid->nx);
  *iy = clamp_cell(r->v + enter * r->dv, grid->ny);
  return true;
}

// Jump from square to square of free cells. Each jump ends on the line at which the ray leaves the
// square, computed from the start of the ray, so the distance has no accumulated error; the index
// across the other axis comes from the position there and cannot leave the square. *axis is the
// side through which it came into its first cell, and gets that of the last.
static double march(const rutOccupancy* grid, const Ray* r, double t, int ix, int iy, int* axis) {
  int nx = grid->nx, ny = grid->ny;
  int forward_u = r->sign_u > 0, forward_v = r->sign_v > 0, side_axis = *axis;
  for (;;) {
    size_t index = (size_t)iy * (size_t)nx + (size_t)ix;
    int side = r->open[index];
    if (side == 0) {
      *axis = side_axis;
      return grid->cell[index] == RUT_CELL_OCCUPIED ? t * grid->resolution : HUGE_VAL;
    }
    int last_u = ix + r->sign_u * (side - 1), last_v = iy + r->sign_v * (side - 1);
    double tu = (last_u + forward_u - r->u) * r->inverse_u;
    double tv = (last_v + forward_v - r->v) * r->inverse_v;
    bool across_u = tu < tv;
    t = across_u ? tu : tv;
    if (t > r->t_max) return HUGE_VAL;
    int ju = (int)(r->u + t * r->du), jv = (int)(r->v + t * r->dv);
    int low_u = forward_u ? ix : last_u, high_u = forward_u ? last_u : ix;
    int low_v = forward_v ? iy : last_v, high_v = forward_v ? last_v : iy;
    ju = ju < low_u ? low_u : ju > high_u ? high_u : ju;
    jv = jv < low_v ? low_v : jv > high_v ? high_v : jv;
    ix = across_u ? last_u + r->sign_u : ju;
    iy = across_u ? jv : last_v + r->sign_v;
    side_axis = across_u ? ACROSS_U : ACROSS_V;
    if ((unsigned)ix >= (unsigned)nx || (unsigned)iy >= (unsigned)ny) return HUGE_VAL;
  }
}

double rut_occupancy_cast(const rutOccupancy* grid, const rutGridRay* ray, int normal[2]) {
  Ray r;
  double t = 0;
  int ix, iy, axis = FROM_WITHIN;
  if (!prepare_ray(grid, ray, &r)) return HUGE_VAL;
  if (r.u >= 0 && r.v >= 0 && r.u < grid->nx && r.v < grid->ny) {
    ix = (int)r.u;
    iy = (int)r.v;
  } else if (!enter_grid(grid, &r, &t, &ix, &iy, &axis)) {
    return HUGE_VAL;
  }
  // without motion only the start counts
  if (r.du == 0 && r.dv == 0) r.t_max = 0;
  const double range = march(grid, &r, t, ix, iy, &axis);
  if (normal) {
    normal[0] = axis == ACROSS_U ? (ray->dx < 0 ? 1 : -1) : 0;
    normal[1] = axis == ACROSS_V ? (ray->dy < 0 ? 1 : -1) : 0;
  }
  return range;
}
