// SPDX-License-Identifier: BSD-3-Clause
//
// Rocks, or blocks with upright faces, scattered by a seed. The area that rocks of diameter D or
// more cover, as a share, is F(D) = k exp(-q D), q = 1.79 + 0.152/k (Golombek and Rapp,
// "Size-frequency distributions of rocks on Mars and Earth analog sites", J. Geophys. Res. 102
// (1997) 4117, D in m), so that n(D) = k q exp(-q D)/(pi D^2/4) of them stand on a square metre,
// per metre of diameter.
#include "base/report.h"
#include "base/rng.h"
#include "math/lanes.h"
#include "rut/component.h"

enum {
  STREAM = 0x726f636b,   // of random numbers: "rock"
  SIZES = 256,           // diameters at which the distribution is known
  MOST_ROCKS = 1 << 20,  // of a plan
  MOST_CELLS = 512,      // along its side
  MOST_ENTRIES = 1 << 24
};

enum { ABUNDANCE, UNIFORM };
enum { DOME, BLOCK };

#define FIELDS(X)                                                                                \
  X(coverage, "", 0.05, 1e-4, 0.8, "k: share of the ground that rocks of all sizes would cover") \
  X(diameter_min, "m", 0.1, 1e-3, 100, "of the smallest")                                        \
  X(diameter_max, "m", 0.8, 1e-3, 100, "of the largest")                                         \
  X(height_ratio, "", 0.5, 0.01, 5, "height above the ground over diameter, at most")            \
  X(height_spread, "", 0.4, 0, 1, "share by which that differs, downwards")                      \
  X(elongation, "", 1.5, 1, 10, "length over width, at most")                                    \
  X(period, "m", 50, 0.1, 1e4, "side of the square after which the rocks repeat")

typedef struct Param {
  rutTerrainHead head;
  FIELDS(RUT_PARAM)
  double distribution, form, seed;
} Param;

static const rutField fields[] = {
    RUT_TERRAIN_ROWS FIELDS(RUT_ROW)
        RUT_CHOICE_ROW(distribution, "abundance|uniform", 0,
                       "of diameters: that of Golombek and Rapp, or all diameters equally often, "
                       "covering `coverage`") RUT_CHOICE_ROW(form, "dome|block", 0,
                                                             "half ellipsoids, or blocks with a "
                                                             "level top and upright faces"){
            "seed", "", RUT_INTEGER, 1, 1, 0, 2147483647, "", 0, "of sizes and places"},
};

// ---- sizes ----

static double diameter_at(const Param* p, double part) {
  return p->diameter_min * rut_pow(p->diameter_max / p->diameter_min, part);
}

// Number of rocks per m2 and m of diameter, times a constant.
static double density(const Param* p, double diameter) {
  if (p->distribution == UNIFORM) return 1;
  const double q = 1.79 + 0.152 / p->coverage;
  return rut_exp(-q * diameter) / (diameter * diameter);
}

// Share of the ground that the rocks cover where none lie over others.
static double covered(const Param* p) {
  if (p->distribution == UNIFORM) return p->coverage;
  const double q = 1.79 + 0.152 / p->coverage;
  return p->coverage * (rut_exp(-q * p->diameter_min) - rut_exp(-q * p->diameter_max));
}

// Rocks up to each of the diameters as a share of all, and the mean of their areas [m2].
typedef struct Sizes {
  double up_to[SIZES + 1];
  double mean_area;
} Sizes;

static void find_sizes(const Param* p, Sizes* sizes) {
  double number = 0, area = 0;
  sizes->up_to[0] = 0;
  for (int i = 0; i < SIZES; i++) {
    const double a = diameter_at(p, (double)i / SIZES), b = diameter_at(p, (i + 1.0) / SIZES);
    // Simpson's rule
    const double middle = 0.5 * (a + b), run = (b - a) / 6;
    const double fa = density(p, a), fm = density(p, middle), fb = density(p, b);
    number += run * (fa + 4 * fm + fb);
    area += run * (fa * a * a + 4 * fm * middle * middle + fb * b * b);
    sizes->up_to[i + 1] = number;
  }
  sizes->mean_area = number > 0 ? 0.25 * RUT_PI * area / number : 0;
  for (int i = 1; i <= SIZES; i++) sizes->up_to[i] /= number;
}

// Diameter that a share of all rocks does not exceed.
static double diameter_of(const Param* p, const Sizes* sizes, double share) {
  int low = 0, high = SIZES;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    *(sizes->up_to[middle] <= share ? &low : &high) = middle;
  }
  const double run = sizes->up_to[high] - sizes->up_to[low];
  const double t = run > 0 ? (share - sizes->up_to[low]) / run : 0;
  const double a = diameter_at(p, (double)low / SIZES), b = diameter_at(p, (double)high / SIZES);
  return a + rut_clamp(t, 0, 1) * (b - a);
}

static double number_of(const Param* p, const Sizes* sizes) {
  return rut_floor(covered(p) * p->period * p->period / sizes->mean_area + 0.5);
}

// ---- the plan ----

// In the square of a period: half axes, height, heading.
typedef struct Rock {
  double x, y, cos, sin, a, b, height;
} Rock;

// Rocks, and for each cell of a grid over the period those that reach into it.
typedef struct Plan {
  int rocks, side;  // cells along each side
  double per_cell;  // 1 / side of a cell [1/m]
  double highest;   // [m]
  // followed by Rock[rocks], int first[side^2 + 1], int rock[]
} Plan;

static const Rock* rocks_of(const Plan* plan) { return (const Rock*)(plan + 1); }
static const int* firsts_of(const Plan* plan) { return (const int*)(rocks_of(plan) + plan->rocks); }
static const int* entries_of(const Plan* plan) {
  return firsts_of(plan) + (size_t)plan->side * (size_t)plan->side + 1;
}

static int cells_along(const Param* p) {
  const double wanted = 2 * p->period / p->diameter_max;
  return (int)rut_clamp(rut_floor(wanted) + 1, 1, MOST_CELLS);
}

static double longest_radius(const Param* p, double diameter) {
  // a block's corner is farthest from its middle
  const double stretch = rut_sqrt(p->elongation);
  return 0.5 * diameter * (p->form == BLOCK ? rut_hypot(stretch, stretch) : stretch);
}

// Cells along a side that a rock reaches into at most.
static double span_of(const Param* p, int side, double diameter) {
  const double reach = 2 * longest_radius(p, diameter) * side / p->period;
  return rut_min(rut_floor(reach) + 2, side);
}

// Entries of cells that rocks may take.
static double entries_at_most(const Param* p, const Sizes* sizes) {
  const int side = cells_along(p);
  const double rocks = number_of(p, sizes);
  double sum = 0;
  for (int i = 0; i < SIZES; i++) {
    const double span = span_of(p, side, diameter_at(p, (i + 1.0) / SIZES));
    sum += (rut_floor((sizes->up_to[i + 1] - sizes->up_to[i]) * rocks) + 2) * span * span;
  }
  return sum;
}

static size_t rocks_size(const void* param) {
  const Param* p = param;
  Sizes sizes;
  find_sizes(p, &sizes);
  const size_t side = (size_t)cells_along(p);
  return sizeof(Plan) + (size_t)number_of(p, &sizes) * sizeof(Rock) +
         (side * side + 1 + (size_t)entries_at_most(p, &sizes)) * sizeof(int);
}

static Rock lay_rock(const Param* p, const Sizes* sizes, int index, int rocks) {
  uint32_t word[2][4];
  for (uint32_t i = 0; i < 2; i++) {
    const uint32_t counter[4] = {(uint32_t)index, i, 0, 0};
    const uint32_t key[2] = {(uint32_t)p->seed, STREAM};
    rut_philox(counter, key, word[i]);
  }
  static const double PER_WORD = 0x1p-32;
  const double share = (index + PER_WORD * (double)word[0][0]) / rocks;
  const double diameter = diameter_of(p, sizes, share);
  const double lower = 1 - p->height_spread * PER_WORD * (double)word[0][1];
  const double longer = 1 + (p->elongation - 1) * PER_WORD * (double)word[0][2];
  Rock rock = {.x = p->period * PER_WORD * (double)word[1][0],
               .y = p->period * PER_WORD * (double)word[1][1],
               // the area stays
               .a = 0.5 * diameter * rut_sqrt(longer),
               .b = 0.5 * diameter / rut_sqrt(longer),
               .height = p->height_ratio * diameter * lower};
  // the sides of a square of that area
  const double shrink = p->form == BLOCK ? 0.5 * rut_sqrt(RUT_PI) : 1;
  rock.a *= shrink;
  rock.b *= shrink;
  rut_sincos(2 * RUT_PI * PER_WORD * (double)word[1][2], &rock.sin, &rock.cos);
  return rock;
}

static int wrap(int i, int n) { return ((i % n) + n) % n; }

// Count a rock in each cell that its bounding square reaches into, whose `first` moves on; entry
// NULL: only that.
static void enter_rock(const Param* p, const Plan* plan, const Rock* rock, int index, int* first,
                       int* entry) {
  const double reach = p->form == BLOCK ? rut_hypot(rock->a, rock->b) : rut_max(rock->a, rock->b);
  const int side = plan->side;
  const int x0 = (int)rut_floor((rock->x - reach) * plan->per_cell);
  const int y0 = (int)rut_floor((rock->y - reach) * plan->per_cell);
  const int x1 = (int)rut_floor((rock->x + reach) * plan->per_cell);
  const int y1 = (int)rut_floor((rock->y + reach) * plan->per_cell);
  for (int j = y0; j <= y1 && j < y0 + side; j++) {
    for (int i = x0; i <= x1 && i < x0 + side; i++) {
      int* cell = &first[(size_t)wrap(j, side) * (size_t)side + (size_t)wrap(i, side)];
      if (entry) entry[*cell] = index;
      ++*cell;
    }
  }
}

static void rocks_plan(const void* param, void* memory) {
  const Param* p = param;
  Plan* plan = memory;
  Sizes sizes;
  find_sizes(p, &sizes);
  plan->rocks = (int)number_of(p, &sizes);
  plan->side = cells_along(p);
  plan->per_cell = plan->side / p->period;
  Rock* rock = (Rock*)(plan + 1);
  int* first = (int*)(rock + plan->rocks);
  const size_t cells = (size_t)plan->side * (size_t)plan->side;
  int* entry = first + cells + 1;
  for (int i = 0; i < plan->rocks; i++) {
    rock[i] = lay_rock(p, &sizes, i, plan->rocks);
    plan->highest = rut_max(plan->highest, rock[i].height);
    // the number of each cell stands one behind it, and its first entry after the sum
    enter_rock(p, plan, &rock[i], i, first + 1, NULL);
  }
  for (size_t c = 0; c < cells; c++) first[c + 1] += first[c];
  for (int i = 0; i < plan->rocks; i++) enter_rock(p, plan, &rock[i], i, first, entry);
  // every first has moved to its cell's end
  for (size_t c = cells; c > 0; c--) first[c] = first[c - 1];
  first[0] = 0;
}

// ---- heights ----

// Slope at the foot of a dome, where it is upright, is limited to that at this part of its height.
static const double LEAST_RISE = 1e-3;

// Height and slopes at a point.
typedef struct Surface {
  double z, slope_x, slope_y;
} Surface;

// A rock at u along its heading and v across, from its middle, in its own frame.
static Surface dome_at(const Rock* rock, double u, double v) {
  const double square = 1 - u * u / (rock->a * rock->a) - v * v / (rock->b * rock->b);
  if (!(square > 0)) return (Surface){0, 0, 0};
  const double root = rut_sqrt(square), steep = -rock->height / rut_max(root, LEAST_RISE);
  return (Surface){rock->height * root, steep * u / (rock->a * rock->a),
                   steep * v / (rock->b * rock->b)};
}

static Surface block_at(const Rock* rock, double u, double v) {
  const bool on = rut_abs(u) <= rock->a && rut_abs(v) <= rock->b;
  return (Surface){on ? rock->height : 0, 0, 0};
}

// The highest rock over a point.
static Surface surface_at(const Param* p, const Plan* plan, double x, double y) {
  const double period = p->period;
  x -= period * rut_floor(x / period);
  y -= period * rut_floor(y / period);
  const int last = plan->side - 1;
  const int i = (int)rut_clamp(x * plan->per_cell, 0, last);
  const int j = (int)rut_clamp(y * plan->per_cell, 0, last);
  const size_t cell = (size_t)j * (size_t)plan->side + (size_t)i;
  const int *first = firsts_of(plan), *entry = entries_of(plan);
  Surface highest = {0, 0, 0};
  for (int e = first[cell]; e < first[cell + 1]; e++) {
    const Rock* rock = rocks_of(plan) + entry[e];
    double dx = x - rock->x, dy = y - rock->y;
    // the nearest of its repetitions
    dx -= period * rut_floor(dx / period + 0.5);
    dy -= period * rut_floor(dy / period + 0.5);
    const double u = rock->cos * dx + rock->sin * dy, v = rock->cos * dy - rock->sin * dx;
    const Surface own = p->form == BLOCK ? block_at(rock, u, v) : dome_at(rock, u, v);
    if (!(own.z > highest.z)) continue;
    highest = (Surface){own.z, rock->cos * own.slope_x - rock->sin * own.slope_y,
                        rock->sin * own.slope_x + rock->cos * own.slope_y};
  }
  return highest;
}

static void rocks_height(const void* param, const void* plan, const rutGroundPoints* at,
                         const rutGroundSurface* out) {
  for (int i = 0; i < at->n; i++) {
    const Surface s = surface_at(param, plan, at->x[i], at->y[i]);
    out->z[i] = s.z;
    out->slope_x[i] = s.slope_x;
    out->slope_y[i] = s.slope_y;
  }
}

// Highest rock that reaches into a rectangle, where that has few cells.
static void rocks_bounds(const void* param, const void* memory, const double box[4],
                         rutTerrainBounds* out) {
  enum { FEW = 64 };
  const Plan* plan = memory;
  (void)param;
  const double x0 = rut_floor(box[0] * plan->per_cell), x1 = rut_floor(box[1] * plan->per_cell);
  const double y0 = rut_floor(box[2] * plan->per_cell), y1 = rut_floor(box[3] * plan->per_cell);
  *out = (rutTerrainBounds){0, plan->highest, RUT_INFINITY, false};
  // far cells are not whole numbers of int
  static const double FARTHEST = 1e9;
  if (!((x1 - x0 + 1) * (y1 - y0 + 1) <= FEW) || !(rut_abs(x0) < FARTHEST) ||
      !(rut_abs(y0) < FARTHEST)) {
    return;
  }
  const int *first = firsts_of(plan), *entry = entries_of(plan);
  double highest = 0;
  for (int j = (int)y0; j <= (int)y1; j++) {
    for (int i = (int)x0; i <= (int)x1; i++) {
      const size_t cell =
          (size_t)wrap(j, plan->side) * (size_t)plan->side + (size_t)wrap(i, plan->side);
      for (int e = first[cell]; e < first[cell + 1]; e++)
        highest = rut_max(highest, rocks_of(plan)[entry[e]].height);
    }
  }
  *out = (rutTerrainBounds){0, highest, highest > 0 ? RUT_INFINITY : 0, false};
}

static rutStatus rocks_check(const double* param, rutError* err) {
  const Param* p = (const Param*)(const void*)param;
  if (!(p->diameter_min < p->diameter_max)) {
    return rut_error_set(err, RUT_ERR_MODEL, "'diameter_max' must be above 'diameter_min'");
  }
  if (!(2 * longest_radius(p, p->diameter_max) <= p->period)) {
    return rut_error_set(err, RUT_ERR_MODEL, "'period' must not be below the longest rock, %g m",
                         2 * longest_radius(p, p->diameter_max));
  }
  Sizes sizes;
  find_sizes(p, &sizes);
  if (number_of(p, &sizes) <= MOST_ROCKS && entries_at_most(p, &sizes) <= MOST_ENTRIES) {
    return RUT_OK;
  }
  return rut_error_set(err, RUT_ERR_CAPACITY,
                       "%.3g rocks in a period are too many: give a smaller 'period', or a larger "
                       "'diameter_min'",
                       number_of(p, &sizes));
}

const rutTerrainType rut_terrain_rocks = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTerrainType),
             .kind = "terrain",
             .name = "rocks",
             .parents = "world",
             .doc = "Rocks scattered by a seed, whose sizes are distributed as Golombek and Rapp "
                    "(1997) found on Mars and on Earth, or blocks as steps of random height.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .check = rocks_check},
    .plan_size = rocks_size,
    .plan = rocks_plan,
    .height = rocks_height,
    .bounds = rocks_bounds};
