// SPDX-License-Identifier: BSD-3-Clause
#include "terrain/tile.h"

#include "base/report.h"
#include "base/rng.h"
#include "geom/bilinear.h"
#include "math/lanes.h"

enum { MAX_SIDE = 4096, MAX_PROFILE = 1 << 18 };  // nodes along a side
enum { AREA_NODES = 3, PROFILE_NODES = 6 };       // least number of nodes to the shortest wave
enum { STREAM = 0x7465 };                         // of random numbers: "te"

#define ROUNDING   1e-9  // of wave numbers, relative: waves at the ends of the band belong to it
#define MOST_NODES 1e9   // beyond it the number is not doubled any more

typedef struct Tile {
  int area, n;     // nodes along x, and y of an area, before it repeats
  double spacing;  // [m]
  rutTerrainBounds bounds;
  double pad[3];
  double node[];  // profile: [n + 1]; area: [n + 1][n + 2], the last column unused
} Tile;

// ---------------------------------------------------------------------------------------------
// Size

static double period_of(const rutTileDef* def) {
  if (def->period > 0) return def->period;
  // a line of the spectrum needs neighbours, which the many directions of an area give
  return (def->area ? 1 : 2) * def->longest;
}

// Power of two, with 3 to 6 nodes to the shortest wave of an area and 6 to 12 to that of a profile.
// (Between bilinear nodes a wave of 8 nodes keeps 95 % of its height, one of 4 nodes 81 %.)
static double side_of(const rutTileDef* def) {
  const double chosen = def->shortest / (def->area ? AREA_NODES : PROFILE_NODES);
  const double spacing = def->resolution > 0 ? def->resolution : chosen;
  const double need = period_of(def) / spacing;
  double n = 4;
  while (n < need && n < MOST_NODES) n *= 2;
  return n;
}

rutStatus rut_tile_check(const rutTileDef* def, rutError* err) {
  if (!(def->shortest < def->longest)) {
    return rut_error_set(err, RUT_ERR_MODEL, "'wavelength_max' must be above 'wavelength_min'");
  }
  if (period_of(def) < def->longest) {
    return rut_error_set(err, RUT_ERR_MODEL, "'period' must not be below 'wavelength_max'");
  }
  const double n = side_of(def), most = def->area ? MAX_SIDE : MAX_PROFILE;
  if (2 * period_of(def) > n * def->shortest) {
    return rut_error_set(err, RUT_ERR_MODEL,
                         "'resolution' must not be above half of 'wavelength_min'");
  }
  if (n <= most) return RUT_OK;
  return rut_error_set(err, RUT_ERR_CAPACITY,
                       "needs %.0f nodes along each side, more than %.0f: raise 'wavelength_min' "
                       "or 'resolution', or lower 'wavelength_max' or 'period'",
                       n, most);
}

static int nodes_of(const rutTileDef* def) {
  const double most = def->area ? MAX_SIDE : MAX_PROFILE;
  return (int)rut_min(side_of(def), most);
}

// A profile is transformed in place as complex numbers, with its twiddle factors behind it.
size_t rut_tile_size(const rutTileDef* def) {
  const size_t n = (size_t)nodes_of(def);
  return sizeof(Tile) + (def->area ? (n + 1) * (n + 2) : 3 * n) * sizeof(double);
}

// ---------------------------------------------------------------------------------------------
// Synthesis

// e^(2 pi i k / n) for k < n / 2.
static void make_twiddles(int n, double* twiddle) {
  for (int k = 0; k < n / 2; k++) {
    rut_sincos(2 * RUT_PI * k / n, &twiddle[2 * k + 1], &twiddle[2 * k]);
  }
}

static void bit_reverse(int n, double* a) {
  for (int i = 1, j = 0; i < n; i++) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    for (int k = 0; k < 2; k++) {
      const double kept = a[2 * i + k];
      a[2 * i + k] = a[2 * j + k];
      a[2 * j + k] = kept;
    }
  }
}

// a[m] = sum over k of a[k] e^(2 pi i k m / n), n a power of two (Cooley and Tukey 1965).
static void transform(int n, double* a, const double* twiddle) {
  bit_reverse(n, a);
  for (int size = 2; size <= n; size *= 2) {
    const int half = size / 2, stride = n / size;
    for (int start = 0; start < n; start += size) {
      for (int k = 0; k < half; k++) {
        double *p = a + 2 * (start + k), *q = p + 2 * half;
        const double c = twiddle[2 * k * stride], s = twiddle[2 * k * stride + 1];
        const double re = q[0] * c - q[1] * s, im = q[0] * s + q[1] * c;
        q[0] = p[0] - re;
        q[1] = p[1] - im;
        p[0] += re;
        p[1] += im;
      }
    }
  }
}

// Amplitude of the wave (kx, ky), in cells of the period; 0 outside the band.
static double amplitude(const rutTileDef* def, int kx, int ky) {
  const double cell = 1 / period_of(def);
  const double k = cell * rut_sqrt((double)kx * kx + (double)ky * ky);
  if (!(k * def->longest >= 1 - ROUNDING && k * def->shortest <= 1 + ROUNDING)) return 0;
  const double width = def->area ? cell : rut_sqrt(cell);
  return def->scale * rut_pow(k, -def->power) * width;
}

// Coefficient of e^(i k x), half of the wave's amplitude with its phase.
static void coefficient(const rutTileDef* def, double gain, int kx, int ky, double out[2]) {
  const double half = 0.5 * gain * amplitude(def, kx, ky);
  double s, c;
  rut_sincos(2 * RUT_PI * rut_uniform(def->seed, STREAM, (uint64_t)kx, (uint32_t)ky), &s, &c);
  out[0] = half * c;
  out[1] = half * s;
}

// Waves are one of each pair (k, -k): kx > 0, or kx = 0 and ky > 0.
static int highest_wave(const rutTileDef* def, int n) {
  const double k = period_of(def) / def->shortest * (1 + ROUNDING);
  return k < n / 2 - 1 ? (int)k : n / 2 - 1;
}

// Factor that gives the asked rms; every wave adds half the square of its amplitude.
static double gain_of(const rutTileDef* def, int n) {
  if (!(def->rms > 0)) return 1;
  const int most = highest_wave(def, n), low = def->area ? -most : 0, high = def->area ? most : 0;
  double variance = 0;
  for (int kx = 0; kx <= most; kx++) {
    for (int ky = kx ? low : 1; ky <= high; ky++) {
      const double a = amplitude(def, kx, ky);
      variance += 0.5 * a * a;
    }
  }
  return variance > 0 ? def->rms / rut_sqrt(variance) : 0;
}

static void make_profile(const rutTileDef* def, Tile* tile) {
  const int n = tile->n, most = highest_wave(def, n);
  const double gain = gain_of(def, n);
  double *a = tile->node, *twiddle = a + 2 * (ptrdiff_t)n;
  make_twiddles(n, twiddle);
  for (int k = 1; k <= most; k++) {
    double *up = a + 2 * (ptrdiff_t)k, *down = a + 2 * (ptrdiff_t)(n - k);
    coefficient(def, gain, k, 0, up);
    down[0] = up[0];
    down[1] = -up[1];
  }
  transform(n, a, twiddle);
  for (ptrdiff_t i = 0; i < n; i++) a[i] = a[2 * i];
  a[n] = a[0];
}

// The half plane kx >= 0 of the transform of a real field, rows of n / 2 + 1 complex numbers.
static void fill_area(const rutTileDef* def, Tile* tile) {
  const int n = tile->n, most = highest_wave(def, n);
  const ptrdiff_t stride = n + 2;
  const double gain = gain_of(def, n);
  for (int kx = 0; kx <= most; kx++) {
    for (int ky = kx ? -most : 1; ky <= most; ky++) {
      double* at = tile->node + (ky < 0 ? ky + n : ky) * stride + 2 * (ptrdiff_t)kx;
      coefficient(def, gain, kx, ky, at);
      if (kx > 0) continue;
      double* mirror = tile->node + (n - ky) * stride;
      mirror[0] = at[0];
      mirror[1] = -at[1];
    }
  }
}

static void make_area(const rutTileDef* def, Tile* tile) {
  double line[2 * MAX_SIDE], twiddle[MAX_SIDE];
  const int n = tile->n;
  const ptrdiff_t stride = n + 2;
  fill_area(def, tile);
  make_twiddles(n, twiddle);
  for (ptrdiff_t kx = 0; kx <= highest_wave(def, n); kx++) {
    double* column = tile->node + 2 * kx;
    for (int y = 0; y < n; y++) memcpy(line + 2 * y, column + y * stride, 2 * sizeof *line);
    transform(n, line, twiddle);
    for (int y = 0; y < n; y++) memcpy(column + y * stride, line + 2 * y, 2 * sizeof *line);
  }
  for (int y = 0; y < n; y++) {
    double* row = tile->node + y * stride;
    memcpy(line, row, (size_t)stride * sizeof *line);
    for (int k = 1; k < n / 2; k++) {
      line[2 * (n - k)] = line[2 * k];
      line[2 * (n - k) + 1] = -line[2 * k + 1];
    }
    transform(n, line, twiddle);
    for (int x = 0; x < n; x++) row[x] = line[2 * x];
    row[n] = row[0];
    row[n + 1] = 0;
  }
  memcpy(tile->node + n * stride, tile->node, (size_t)stride * sizeof *tile->node);
}

// Range of heights and steepest slope: between nodes, both slopes of a bilinear surface are between
// those of the lines of nodes.
static rutTerrainBounds bounds_of(const Tile* tile) {
  const int n = tile->n, rows = tile->area ? n : 0;
  const ptrdiff_t stride = n + 2;
  double low = RUT_INFINITY, high = -RUT_INFINITY, along = 0, across = 0;
  for (int y = 0; y <= rows; y++) {
    const double* row = tile->node + y * stride;
    for (int x = 0; x <= n; x++) {
      low = rut_min(row[x], low);
      high = rut_max(row[x], high);
      if (x < n) along = rut_max(rut_abs(row[x + 1] - row[x]), along);
      if (y < rows) across = rut_max(rut_abs(row[x + stride] - row[x]), across);
    }
  }
  return (rutTerrainBounds){low, high, rut_hypot(along, across) / tile->spacing, false};
}

void rut_tile_make(const rutTileDef* def, void* memory) {
  Tile* tile = memory;
  tile->area = def->area;
  tile->n = nodes_of(def);
  tile->spacing = period_of(def) / tile->n;
  if (def->area)
    make_area(def, tile);
  else
    make_profile(def, tile);
  tile->bounds = bounds_of(tile);
}

// ---------------------------------------------------------------------------------------------
// Look-up

// Cell and place in it of a coordinate in nodes; the tile repeats.
RUT_INLINE int wrap(double u, int n, double* part) {
  const double per = 1.0 / n;
  const double within = u - rut_floor(u * per) * n;
  const double usable = rut_clamp(within, 0, n) == within ? within : 0;
  const int i = (int)usable, cell = i < n - 1 ? i : n - 1;
  *part = within - cell;
  return cell;
}

RUT_CLONES static void profile_lanes(const Tile* tile, const rutGroundPoints* at,
                                     const rutGroundSurface* out) {
  const int n = at->n;
  const double* restrict x = at->x;
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  const double inverse = 1 / tile->spacing, *restrict node = tile->node;
  const int side = tile->n;
  RUT_FOR_LANES(i, n) {
    double t;
    const int k = wrap(x[i] * inverse, side, &t);
    const double low = node[k], rise = node[k + 1] - low;
    z[i] = low + rise * t;
    slope_x[i] = rise * inverse;
    slope_y[i] = 0;
  }
}

RUT_CLONES static void find_tile_cells(const Tile* tile, const double* restrict x,
                                       const double* restrict y, rutCells* restrict cells) {
  const int n = cells->n;
  const double inverse = 1 / tile->spacing;
  const int side = tile->n, stride = side + 2;
  RUT_FOR_LANES(i, n) {
    double u, v;
    const int ix = wrap(x[i] * inverse, side, &u), iy = wrap(y[i] * inverse, side, &v);
    cells->offset[i] = iy * stride + ix;
    cells->u[i] = u;
    cells->v[i] = v;
    cells->inside[i] = 1;
  }
}

static void area_height(const Tile* tile, const rutGroundPoints* at, const rutGroundSurface* out) {
  const rutNodes nodes = {tile->node, tile->n + 2, 1 / tile->spacing};
  rutCells cells;
  for (int i = 0; i < at->n; i += RUT_BILINEAR_BLOCK) {
    cells.n = at->n - i < RUT_BILINEAR_BLOCK ? at->n - i : RUT_BILINEAR_BLOCK;
    find_tile_cells(tile, at->x + i, at->y + i, &cells);
    rut_bilinear(&nodes, &cells, out, i);
  }
}

rutTileDef rut_tile_def(const rutTileParam* p) {
  return (rutTileDef){.area = p->form != 0,
                      .shortest = p->wavelength_min,
                      .longest = p->wavelength_max,
                      .period = p->period,
                      .resolution = p->resolution,
                      .seed = (uint64_t)p->seed};
}

void rut_tile_height(const void* param, const void* memory, const rutGroundPoints* at,
                     const rutGroundSurface* out) {
  (void)param;
  const Tile* tile = memory;
  if (tile->area)
    area_height(tile, at, out);
  else
    profile_lanes(tile, at, out);
}

void rut_tile_bounds(const void* param, const void* memory, const double box[4],
                     rutTerrainBounds* out) {
  const Tile* tile = memory;
  (void)param, (void)box;
  *out = tile->bounds;
}
