// SPDX-License-Identifier: BSD-3-Clause
//
// What wheels read of ground that keeps ruts: means over rectangles, by exact overlap with cells.
#include <string.h>

#include "terrain/rut_window.h"

enum {
  LANES = RUT_SOFT_LANES,
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

typedef struct Sums {
  double weight[LANES], pressed[LANES], raised[LANES];
} Sums;

// Whether something has happened in a run.
static bool is_touched(const rutSoftTile* tile, int first) {
  uint64_t part[LANES / 4], raised[LANES / 2];
  memcpy(part, tile->part + first, sizeof part);
  memcpy(raised, tile->raised + first, sizeof raised);
  return (part[0] | part[1] | raised[0] | raised[1] | raised[2] | raised[3]) != 0;
}

// Whether a run may reach into the patch.
static bool is_near(const Patch* patch, double along, double across) {
  static const double MIDDLE = 0.5 * (LANES - 1);
  const double x = along + MIDDLE * patch->step.along, y = across + MIDDLE * patch->step.across;
  const double length = patch->edge.reach + MIDDLE * rut_abs(patch->step.along);
  const double side = patch->half + patch->edge.reach + MIDDLE * rut_abs(patch->step.across);
  return x > -length && x < patch->front + length && rut_abs(y) < side;
}

// Runs of the cells of a window, whose corner is there. Returns whether something has happened in
// one.
static bool find_runs(const rutSoftWindow* w, rutSoftPlace corner, const Patch* patch, Run* run,
                      int* runs) {
  bool touched = false;
  int n = 0;
  for (int32_t j = w->j0; j <= w->j1; j++) {
    // rows are across x, one cell further along y
    const double along = corner.along - (j - w->j0) * patch->step.across;
    const double across = corner.across + (j - w->j0) * patch->step.along;
    for (int32_t i = w->i0; i <= w->i1;) {
      const int32_t last = i | (RUT_SOFT_SIDE - 1);  // of its tile
      const int32_t from = i + LANES - 1 > last ? last - LANES + 1 : i, by = from - w->i0;
      const double x = along + by * patch->step.along, y = across + by * patch->step.across;
      if (is_near(patch, x, y)) {
        const rutSoftTile* tile = rut_window_tile(w, i, j);
        const int first = rut_soft_index(from, j);
        if (tile && !is_touched(tile, first)) tile = NULL;
        touched = touched || tile;
        run[n++] = (Run){tile, x, y, first, i - from};
      }
      i = from + LANES;
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
  double covered[LANES], pressed[LANES], beneath[LANES], beside[LANES];
} Cells;

RUT_INLINE void load_cells(const Run* run, Cells* cells) {
  static const double SHARE = 1.0 / RUT_SOFT_WHOLE, LEAST = 0.5 / RUT_SOFT_WHOLE;
  static const rutSoftTile none;
  const rutSoftTile* tile = run->tile ? run->tile : &none;
  double raised[LANES], under[LANES];
  for (int k = 0; k < LANES; k++) {
    cells->pressed[k] = tile->pressed[run->first + k];
    raised[k] = tile->raised[run->first + k];
    cells->covered[k] = (int32_t)tile->part[run->first + k] * SHARE;
    under[k] = (int32_t)tile->under[run->first + k] * RUT_SOFT_UNDER;
  }
  RUT_FOR_LANES(k, LANES) {
    const double covered = cells->covered[k], rest = 1 - covered;
    const double beside = (raised[k] - covered * under[k]) / rut_max(rest, LEAST);
    cells->beneath[k] = rest > 0 ? under[k] : raised[k];
    cells->beside[k] = rest > 0 ? beside : raised[k];
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

RUT_INLINE void add_run(const Patch* patch, int wide, const Run* run, Sums* sums) {
  double across[LANES], along[LANES];
  Cells cells;
  find_shares(patch, wide, run, across, along);
  load_cells(run, &cells);
  RUT_FOR_LANES(k, LANES) {
    sums->weight[k] += along[k] * across[k];
    sums->pressed[k] += along[k] * cell_pressed(&cells, k, across[k]);
    sums->raised[k] += along[k] * cell_raised(&cells, k, across[k]);
  }
}
RUT_INLINE void add_fresh_run(const Patch* patch, int wide, const Run* run, Sums* sums) {
  double across[LANES], along[LANES];
  find_shares(patch, wide, run, across, along);
  RUT_FOR_LANES(k, LANES) { sums->weight[k] += along[k] * across[k]; }
}

RUT_CLONES static void add_wide(const Patch* patch, const Run* run, int n, Sums* to) {
  Sums sums = {{0}, {0}, {0}};
  for (int r = 0; r < n; r++) {
    if (run[r].tile) {
      add_run(patch, 1, &run[r], &sums);
    } else {
      add_fresh_run(patch, 1, &run[r], &sums);
    }
  }
  *to = sums;
}
RUT_CLONES static void add_narrow(const Patch* patch, const Run* run, int n, Sums* to) {
  Sums sums = {{0}, {0}, {0}};
  for (int r = 0; r < n; r++) add_run(patch, 0, &run[r], &sums);
  *to = sums;
}

// Passes over the part of a patch that wheels have run over, and those times their slip.
static void add_passes(const rutSoftGround* ground, const Patch* patch, const Run* run, int n,
                       double sum[2]) {
  const int wide = patch->half >= patch->edge.reach && patch->front >= 2 * patch->edge.reach;
  sum[0] = sum[1] = 0;
  for (int r = 0; r < n; r++) {
    if (!run[r].tile) continue;
    const rutSoftPasses* passes = &ground->passes[run[r].tile - ground->tile];
    double across[LANES], along[LANES];
    find_shares(patch, wide, &run[r], across, along);
    for (int k = 0; k < LANES; k++) {
      const int at = run[r].first + k;
      const double covered = run[r].tile->part[at] * (1.0 / RUT_SOFT_WHOLE);
      const double own = along[k] * rut_min(across[k], covered) * passes->passes[at];
      sum[0] += own;
      sum[1] += own * passes->slip[at];
    }
  }
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

// Of what is found only that for this wheel.
static void read_patch(const rutSoftGround* ground, const rutSoftExtent* e,
                       const rutSoftFound* found) {
  Patch patch;
  Run run[MOST_RUNS];
  int runs = 0;
  if (!open_patch(ground, e, &patch, run, &runs)) return;
  Sums sums;
  if (patch.half >= patch.edge.reach && patch.front >= 2 * patch.edge.reach) {
    add_wide(&patch, run, runs, &sums);
  } else {
    add_narrow(&patch, run, runs, &sums);
  }
  const double weight = total(sums.weight);
  if (!(weight > 0)) return;
  *found->pressed = total(sums.pressed) / weight * RUT_SOFT_UNIT;
  *found->raised = total(sums.raised) / weight * RUT_SOFT_UNIT;
  if (!found->passes || !ground->passes) return;
  double passed[2];
  add_passes(ground, &patch, run, runs, passed);
  *found->passes = passed[0] / weight / RUT_SOFT_PASS;
  *found->slip = passed[0] > 0 ? passed[1] / passed[0] / RUT_SOFT_SLIP : 0;
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
    const bool passes = found->passes != NULL;
    const rutSoftFound one = {found->pressed + i, found->raised + i,
                              passes ? found->passes + i : NULL, passes ? found->slip + i : NULL};
    *one.pressed = *one.raised = 0;
    if (passes) *one.passes = *one.slip = 0;
    if (ground->used == 0) continue;
    const rutSoftExtent e = extent_of(ground, patch, i);
    read_patch(ground, &e, &one);
  }
}

// Strips from the middle of a patch outwards, to its end and to the shoulder before it: of a cell
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
    load_cells(&run[r], &cells);
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

rutSoftShoulders rut_soft_shoulders(const rutSoftGround* ground, const rutSoftPatches* patch,
                                    double shoulder) {
  const rutSoftShoulders fresh = {0, 0};
  const rutSoftExtent e = extent_of(ground, patch, 0);
  Patch cells;
  Run run[MOST_RUNS];
  int runs = 0;
  if (ground->used == 0 || !(shoulder > 0 && shoulder < e.half)) return fresh;
  if (!open_patch(ground, &e, &cells, run, &runs)) return fresh;
  Strips sums;
  add_strips(&cells, (e.half - shoulder) * ground->inverse, run, runs, &sums);
  double floor[STRIPS];  // over the width of the strip
  for (int s = 0; s < STRIPS; s++) {
    const double weight = total(sums.weight[s]);
    const double wide = s == LEFT || s == RIGHT ? e.half : e.half - shoulder;
    floor[s] = weight > 0 ? total(sums.floor[s]) / weight * RUT_SOFT_UNIT * wide : 0;
  }
  return (rutSoftShoulders){(floor[LEFT] - floor[LEFT_INNER]) / shoulder,
                            (floor[RIGHT] - floor[RIGHT_INNER]) / shoulder};
}
