// SPDX-License-Identifier: BSD-3-Clause
//
// What wheels read of ground that keeps ruts: means over rectangles, by exact overlap with cells.
#include <string.h>

#include "terrain/rut_window.h"

enum {
  LANES = RUT_SOFT_LANES,
  // of a window
  MOST_ROWS = RUT_WINDOW_SPAN * RUT_SOFT_SIDE,
  MOST_RUNS = 2 * (2 * RUT_SOFT_REACH + 4) * (2 * RUT_SOFT_REACH + 4) / LANES
};

// Least length of a patch [cells]
#define SHORTEST 0.25

// Cells first and next of a row, of which those before `skip` are part of another run.
typedef struct Run {
  const rutSoftTile* tile;  // NULL: nothing has happened
  double along, across;     // middle of the first [cells]
  int first, skip;
} Run;

// A patch in cells.
typedef struct Patch {
  rutSoftEdge edge;
  double front, half;
  rutSoftPlace step;  // to the next cell of a row
} Patch;

// Sums over cells, each times its share of the patch.
typedef struct Sums {
  double weight[LANES], pressed[LANES], raised[LANES];
  double passed[LANES], slipped[LANES];   // passes, and those times their slip
  double left[LANES], left_floor[LANES];  // shares of the left shoulder, and of its floor
  double right[LANES], right_floor[LANES];
} Sums;

// Whether something has happened in cells of a run, from `skip` to before `length`: masks, cut out
// of tables, keep these.
RUT_INLINE bool is_touched(const rutSoftTile* tile, int first, int skip, int length) {
  static const int32_t begins[2 * LANES] = {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1};
  static const int32_t ends[2 * LANES] = {-1, -1, -1, -1, -1, -1, -1, -1};
  const int32_t *from = begins + LANES - skip, *to = ends + LANES - length;
  int32_t some = 0;
#pragma omp simd reduction(| : some)
  for (int k = 0; k < LANES; k++) {
    some |= (tile->part[first + k] | tile->raised[first + k]) & from[k] & to[k];
  }
  return some != 0;
}

// Cells of rows that have a share in a patch, counted from the first cell of each: first to before
// `end`, whole numbers.
typedef struct Cuts {
  double first[MOST_ROWS], end[MOST_ROWS];
} Cuts;

// Steps along a row from a place to an interval, by its inverse step.
RUT_INLINE void cut_row(double place, double low, double high, double inverse, double* from,
                        double* to) {
  const double a = (low - place) * inverse, b = (high - place) * inverse;
  *from = rut_max(*from, rut_min(a, b));
  *to = rut_min(*to, rut_max(a, b));
}

// Of `rows` rows of `cells` cells, eight rows at a time. Rows are across x, one cell further along
// y. Cells that are outside by rounding have no share.
RUT_INLINE void cut_rows(const Patch* patch, rutSoftPlace corner, int rows, int cells, Cuts* cuts) {
  static const double LEAST = 1e-9;  // step
  static const double ROUNDING = 1e-6;
  const rutSoftPlace step = patch->step;
  const double reach = patch->edge.reach, far = patch->front + reach, side = patch->half + reach;
  const double inverse_along = 1 / (rut_abs(step.along) > LEAST ? step.along : LEAST);
  const double inverse_across = 1 / (rut_abs(step.across) > LEAST ? step.across : LEAST);
  const double last = cells - 1;
  for (int r = 0; r < rows; r += LANES) {
    RUT_FOR_LANES(k, LANES) {
      const double row = r + rut_soft_lane[k];
      const double along = corner.along - row * step.across;
      const double across = corner.across + row * step.along;
      double from = 0, to = last;
      cut_row(along, -reach, far, inverse_along, &from, &to);
      cut_row(across, -side, side, inverse_across, &from, &to);
      const double at = rut_max(from - ROUNDING, 0), whole = rut_round_small(at);
      const double first = whole + (whole < at ? 1.0 : 0.0), before = rut_min(to + ROUNDING, last);
      const double nearest = rut_round_small(before),
                   end = nearest - (nearest > before ? 1.0 : 0.0);
      cuts->first[r + k] = first;
      cuts->end[r + k] = from <= to + ROUNDING ? end + 1 : 0.0;
    }
  }
}

// Runs of the cells of a window, whose corner is there. Returns whether something has happened in
// one.
RUT_CLONES static int find_runs(const rutSoftWindow* w, rutSoftPlace corner, const Patch* patch,
                                Run* run, int* runs) {
  const rutSoftPlace step = patch->step;
  const int32_t i0 = w->i0, j0 = w->j0, rows = w->j1 - j0 + 1;
  Cuts cuts;
  cut_rows(patch, corner, rows, w->i1 - i0 + 1, &cuts);
  int touched = 0, n = 0;
  for (int r = 0; r < rows; r++) {
    const double along = corner.along - r * step.across;
    const double across = corner.across + r * step.along;
    const rutSoftTile* const* tiles = w->tile + (((j0 + r) >> 4) - w->tile_y) * RUT_WINDOW_SPAN;
    const int row = rut_soft_index(0, j0 + r), end = (int)cuts.end[r];
    for (int by = (int)cuts.first[r]; by < end;) {
      const int at = (i0 + by) & (RUT_SOFT_SIDE - 1);  // in its tile
      const int skip = at > LANES ? at - LANES : 0;
      const int from = by - skip, first = row + at - skip;
      const rutSoftTile* tile = tiles[((i0 + by) >> 4) - w->tile_x];
      const int rest = end - from, length = rest < LANES ? rest : LANES;
      if (tile && !is_touched(tile, first, skip, length)) tile = NULL;
      touched |= tile != NULL;
      run[n++] = (Run){tile, along + from * step.along, across + from * step.across, first, skip};
      by = from + LANES;
    }
  }
  *runs = n;
  return touched;
}

// Shares of the cells of a run in the patch across and along it. Where the patch is wider than what
// an edge cuts, only the nearer edge does.
RUT_INLINE void find_shares(const Patch* patch, int wide, const Run* run, double* across,
                            double* along) {
  const double half = patch->half, front = patch->front, skip = run->skip;
  RUT_FOR_LANES(k, LANES) {
    const double a = run->along + rut_soft_lane[k] * patch->step.along;
    const double b = run->across + rut_soft_lane[k] * patch->step.across;
    const double side = wide ? rut_edge_share(&patch->edge, half - rut_abs(b))
                             : rut_strip_share(&patch->edge, half - b, half + b);
    const double length = wide ? rut_edge_share(&patch->edge, rut_min(a, front - a))
                               : rut_strip_share(&patch->edge, a, front - a);
    across[k] = rut_kept_share(side);
    along[k] = rut_soft_lane[k] < skip ? 0.0 : length;
  }
}

// What the cells of a run hold: the share that wheels have run over, the depth to which that is
// pressed, how far soil is raised under that share and beside it.
typedef struct Cells {
  double covered[LANES], pressed[LANES], raised[LANES], beneath[LANES], beside[LANES];
} Cells;

static const rutSoftTile none;  // where nothing has happened

// Whether something has happened in cells that have a part in the patch.
RUT_INLINE bool load_surface(const Run* run, const double* share, Cells* cells) {
  static const double SHARE = 1.0 / RUT_SOFT_WHOLE;
  const rutSoftTile* tile = run->tile ? run->tile : &none;
  double some = 0;
  for (int k = 0; k < LANES; k++) {
    cells->raised[k] = tile->raised[run->first + k];
    cells->covered[k] = (int32_t)tile->part[run->first + k] * SHARE;
  }
#pragma omp simd reduction(+ : some)
  for (int k = 0; k < LANES; k++) {
    some += share[k] * (cells->covered[k] + rut_abs(cells->raised[k]));
  }
  return some > 0;
}

RUT_INLINE void load_depths(const Run* run, Cells* cells) {
  static const double LEAST = 0.5 / RUT_SOFT_WHOLE;
  const rutSoftTile* tile = run->tile ? run->tile : &none;
  double under[LANES];
  for (int k = 0; k < LANES; k++) {
    cells->pressed[k] = tile->pressed[run->first + k];
    under[k] = (int32_t)tile->under[run->first + k] * RUT_SOFT_UNDER;
  }
  RUT_FOR_LANES(k, LANES) {
    const double covered = cells->covered[k], raised = cells->raised[k], rest = 1 - covered;
    const double beside = (raised - covered * under[k]) / rut_max(rest, LEAST);
    cells->beneath[k] = rest > 0 ? under[k] : raised;
    cells->beside[k] = rest > 0 ? beside : raised;
  }
}

// Of a cell that wheels have run over in part, a patch has that part first.
RUT_INLINE double cell_pressed(const Cells* cells, int k, double across) {
  return rut_min(across, cells->covered[k]) * cells->pressed[k];
}
RUT_INLINE double cell_raised(const Cells* cells, int k, double across) {
  const double own = rut_min(across, cells->covered[k]);
  return own * cells->beneath[k] + (across - own) * cells->beside[k];
}

// What is read of a patch.
typedef struct Reading {
  const rutSoftGround* ground;
  double inner;  // half the width between the shoulders [cells]; < 0: they are not asked for
  bool passes;
} Reading;

RUT_INLINE void add_passes(const Reading* reading, const Run* run, const double* own, Sums* sums) {
  const rutSoftPasses* tile = rut_soft_passes(reading->ground, run->tile);
  double passes[LANES], slip[LANES];
  for (int k = 0; k < LANES; k++) {
    passes[k] = (int32_t)tile->passes[run->first + k];
    slip[k] = (int32_t)tile->slip[run->first + k];
  }
  RUT_FOR_LANES(k, LANES) {
    sums->passed[k] += own[k] * passes[k];
    sums->slipped[k] += own[k] * passes[k] * slip[k];
  }
}

// Of a shoulder cells have what the patch has of them, less what is between both shoulders. Cells
// around the middle line are wholly there.
RUT_INLINE void find_between(const Patch* patch, double inner, const Run* run, double* between) {
  RUT_FOR_LANES(k, LANES) {
    const double b = run->across + rut_soft_lane[k] * patch->step.across;
    between[k] = rut_edge_share(&patch->edge, inner - rut_abs(b));
  }
}

// To the left and the right one.
RUT_INLINE void add_sides(const Patch* patch, const Run* run, const double* value, double* left,
                          double* right) {
  RUT_FOR_LANES(k, LANES) {
    const double b = run->across + rut_soft_lane[k] * patch->step.across;
    left[k] += b > 0 ? value[k] : 0.0;
    right[k] += b > 0 ? 0.0 : value[k];
  }
}

RUT_INLINE void add_run(const Reading* reading, const Patch* patch, int wide, const Run* run,
                        Sums* sums) {
  const bool shoulders = wide && reading->inner >= 0;
  double across[LANES], along[LANES], share[LANES], own[LANES], between[LANES], side[LANES];
  Cells cells;
  find_shares(patch, wide, run, across, along);
  RUT_FOR_LANES(k, LANES) {
    share[k] = along[k] * across[k];
    sums->weight[k] += share[k];
  }
  if (shoulders) {
    find_between(patch, reading->inner, run, between);
    RUT_FOR_LANES(k, LANES) { side[k] = along[k] * (across[k] - between[k]); }
    add_sides(patch, run, side, sums->left, sums->right);
  }
  if (!run->tile || !load_surface(run, share, &cells)) return;
  load_depths(run, &cells);
  RUT_FOR_LANES(k, LANES) {
    own[k] = along[k] * rut_min(across[k], cells.covered[k]);
    sums->pressed[k] += along[k] * cell_pressed(&cells, k, across[k]);
    sums->raised[k] += along[k] * cell_raised(&cells, k, across[k]);
  }
  if (reading->passes) add_passes(reading, run, own, sums);
  if (!shoulders) return;
  RUT_FOR_LANES(k, LANES) {
    const double outer = cell_raised(&cells, k, across[k]) - cell_pressed(&cells, k, across[k]);
    const double rest = cell_raised(&cells, k, between[k]) - cell_pressed(&cells, k, between[k]);
    side[k] = along[k] * (outer - rest);
  }
  add_sides(patch, run, side, sums->left_floor, sums->right_floor);
}

RUT_CLONES static void add_wide(const Reading* reading, const Patch* patch, const Run* run, int n,
                                Sums* to) {
  const Reading asked = *reading;
  const Patch own = *patch;
  Sums sums = {0};
  for (int r = 0; r < n; r++) add_run(&asked, &own, 1, &run[r], &sums);
  *to = sums;
}
RUT_CLONES static void add_narrow(const Reading* reading, const Patch* patch, const Run* run, int n,
                                  Sums* to) {
  Sums sums = {0};
  for (int r = 0; r < n; r++) add_run(reading, patch, 0, &run[r], &sums);
  *to = sums;
}

// In the same order on any machine.
static double total(const double* sum) {
  return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
}

// The cells around a patch. Returns whether something has happened in one.
static bool open_patch(const rutSoftGround* ground, const rutSoftExtent* e, Patch* patch, Run* run,
                       int* runs) {
  const double cell = ground->def.cell, per = ground->inverse;
  const rutSoftEdge edge = rut_soft_edge(e->dir_x, e->dir_y);
  rutSoftExtent reach = *e;
  rutSoftWindow w;
  reach.back = edge.reach * cell;
  reach.front += edge.reach * cell;
  reach.half += edge.reach * cell;
  if (!rut_window_open(ground, &reach, &w) || w.empty) return false;
  *patch = (Patch){edge, e->front * per, e->half * per, {e->dir_x, -e->dir_y}};
  const rutSoftPlace at = rut_window_place(e, cell, w.i0, w.j0);
  return find_runs(&w, (rutSoftPlace){at.along * per, at.across * per}, patch, run, runs);
}

// Narrow patches have shoulders in the cells of their middle line: strips from there outwards, to
// the end and to the shoulder before it: of a cell
// that wheels have run over in part they have that part first, as the patch itself has.
enum { LEFT, LEFT_INNER, RIGHT, RIGHT_INNER, STRIPS };
typedef struct Strips {
  double weight[STRIPS][LANES], floor[STRIPS][LANES];
} Strips;

// Shares of the cells of a run in the strips, and along them.
RUT_INLINE void find_strips(const Patch* patch, double inner, const Run* run,
                            double across[STRIPS][LANES], double* along) {
  const double half = patch->half, front = patch->front, skip = run->skip;
  RUT_FOR_LANES(k, LANES) {
    const double a = run->along + rut_soft_lane[k] * patch->step.along;
    const double b = run->across + rut_soft_lane[k] * patch->step.across;
    const double left = rut_edge_share(&patch->edge, b);
    const double length = rut_strip_share(&patch->edge, a, front - a);
    const double to_left = rut_edge_share(&patch->edge, half - b) + left - 1;
    const double to_left_inner = rut_edge_share(&patch->edge, inner - b) + left - 1;
    const double to_right = rut_edge_share(&patch->edge, half + b) - left;
    const double to_right_inner = rut_edge_share(&patch->edge, inner + b) - left;
    across[LEFT][k] = rut_kept_share(rut_max(to_left, 0));
    across[LEFT_INNER][k] = rut_kept_share(rut_max(to_left_inner, 0));
    across[RIGHT][k] = rut_kept_share(rut_max(to_right, 0));
    across[RIGHT_INNER][k] = rut_kept_share(rut_max(to_right_inner, 0));
    along[k] = rut_soft_lane[k] < skip ? 0.0 : length;
  }
}

RUT_CLONES static void add_strips(const Patch* patch, double inner, const Run* run, int n,
                                  Strips* to) {
  Strips sums = {{{0}}, {{0}}};
  for (int r = 0; r < n; r++) {
    double across[STRIPS][LANES], along[LANES];
    Cells cells;
    find_strips(patch, inner, &run[r], across, along);
    load_surface(&run[r], along, &cells);
    load_depths(&run[r], &cells);
    for (int s = 0; s < STRIPS; s++) {
      RUT_FOR_LANES(k, LANES) {
        const double share = across[s][k];
        const double floor = cell_raised(&cells, k, share) - cell_pressed(&cells, k, share);
        sums.weight[s][k] += along[k] * share;
        sums.floor[s][k] += along[k] * floor;
      }
    }
  }
  *to = sums;
}

// Mean floor under the shoulders, above the untouched surface [m].
typedef struct Floors {
  double left, right;
} Floors;

// By strips: what is over the left ones, less what is over the inner ones.
static Floors strip_floors(const Patch* patch, double inner, const Run* run, int n) {
  Strips sums;
  add_strips(patch, inner, run, n, &sums);
  double floor[STRIPS];  // over the width of the strip
  for (int s = 0; s < STRIPS; s++) {
    const double weight = total(sums.weight[s]);
    const double wide = s == LEFT || s == RIGHT ? patch->half : inner;
    floor[s] = weight > 0 ? total(sums.floor[s]) / weight * RUT_SOFT_UNIT * wide : 0;
  }
  const double shoulder = patch->half - inner;
  return (Floors){(floor[LEFT] - floor[LEFT_INNER]) / shoulder,
                  (floor[RIGHT] - floor[RIGHT_INNER]) / shoulder};
}

static double mean_floor(const double* floor, const double* share) {
  const double all = total(share);
  return all > 0 ? total(floor) / all * RUT_SOFT_UNIT : 0;
}

// What one wheel finds.
typedef struct Found {
  double pressed, raised, passes, slip;
  Floors floor;
} Found;

static void read_patch(const rutSoftGround* ground, const rutSoftExtent* e, double shoulder,
                       Found* found) {
  Patch patch;
  Run run[MOST_RUNS];
  int runs = 0;
  if (!open_patch(ground, e, &patch, run, &runs)) return;
  const double inner = patch.half - shoulder * ground->inverse, reach = patch.edge.reach;
  const bool shoulders = shoulder > 0 && inner > 0;
  const bool wide = patch.half >= reach && patch.front >= 2 * reach;
  const bool apart = wide && inner >= 2 * reach;  // no cell is in both shoulders
  const Reading reading = {ground, shoulders && apart ? inner : -1, ground->passes != NULL};
  Sums sums;
  (wide ? add_wide : add_narrow)(&reading, &patch, run, runs, &sums);
  const double weight = total(sums.weight);
  if (!(weight > 0)) return;
  found->pressed = total(sums.pressed) / weight * RUT_SOFT_UNIT;
  found->raised = total(sums.raised) / weight * RUT_SOFT_UNIT;
  const double passed = total(sums.passed);
  found->passes = passed / weight / RUT_SOFT_PASS;
  found->slip = passed > 0 ? total(sums.slipped) / passed / RUT_SOFT_SLIP : 0;
  if (!shoulders) return;
  found->floor = apart ? (Floors){mean_floor(sums.left_floor, sums.left),
                                  mean_floor(sums.right_floor, sums.right)}
                       : strip_floors(&patch, inner, run, runs);
}

// What is read of the patch of wheel i.
static rutSoftExtent extent_of(const rutSoftGround* ground, const rutSoftPatches* patch, int i) {
  const double cell = ground->def.cell, most = RUT_SOFT_REACH * cell;
  return (rutSoftExtent){patch->x[i],
                         patch->y[i],
                         patch->dir_x[i],
                         patch->dir_y[i],
                         0,
                         rut_clamp(patch->ahead[i], SHORTEST * cell, most),
                         rut_clamp(0.5 * patch->width[i], 0, most)};
}

void rut_soft_read(const rutSoftGround* ground, int n, const rutSoftPatches* patch,
                   const rutSoftFound* found) {
  for (int i = 0; i < n; i++) {
    Found one = {0};
    if (ground->used > 0) {
      const rutSoftExtent e = extent_of(ground, patch, i);
      read_patch(ground, &e, patch->shoulder ? patch->shoulder[i] : 0, &one);
    }
    found->pressed[i] = one.pressed;
    found->raised[i] = one.raised;
    if (found->passes) {
      found->passes[i] = one.passes;
      found->slip[i] = one.slip;
    }
    if (found->left) {
      found->left[i] = one.floor.left;
      found->right[i] = one.floor.right;
    }
  }
}
