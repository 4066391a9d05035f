// SPDX-License-Identifier: BSD-3-Clause
#include "scene/ground_tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 2 * VIEW_TILES, BATCH = 256, SCRATCH_ROWS = 6 };
// Above all ground, so that the highest is found.
static const double SKY = 1e6;  // [m]
// Farther away a tile has no number.
static const double FAR = 1e9;
// A wheel that was not there for so long comes anew [s].
static const double ABSENCE = 0.5;

bool view_tiles_create(double cell, viewTiles* t) {
  *t = (viewTiles){.cell = cell};
  pthread_mutex_init(&t->lock, NULL);
  if (!(cell > 0)) return true;
  t->tile = calloc(VIEW_TILES, sizeof *t->tile);
  t->height = calloc((size_t)VIEW_TILES * VIEW_TILE_HEIGHTS, sizeof *t->height);
  t->slot = malloc(SLOTS * sizeof *t->slot);
  t->queue = malloc(VIEW_TILES * sizeof *t->queue);
  t->scratch = malloc(SCRATCH_ROWS * VIEW_TILE_HEIGHTS * sizeof *t->scratch);
  if (!t->tile || !t->height || !t->slot || !t->queue || !t->scratch) {
    view_tiles_free(t);
    return false;
  }
  for (int i = 0; i < SLOTS; i++) t->slot[i] = -1;
  return true;
}

void view_tiles_free(viewTiles* t) {
  free(t->tile);
  free(t->height);
  free(t->slot);
  free(t->queue);
  free(t->scratch);
  pthread_mutex_destroy(&t->lock);
  *t = (viewTiles){0};
}

// Tile at a place, which may be made if it is not there; -1 if there is none, or too many are.
static int find(viewTiles* t, int32_t column, int32_t row, bool make) {
  const uint64_t key = (uint64_t)(uint32_t)column << 32 | (uint32_t)row;
  uint64_t at = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 40;
  for (;; at++) {
    const int i = t->slot[at % SLOTS];
    if (i >= 0 && t->tile[i].column == column && t->tile[i].row == row) return i;
    if (i < 0) break;
  }
  if (!make || t->count == VIEW_TILES) return -1;
  pthread_mutex_lock(&t->lock);
  const int made = t->count++;
  t->tile[made] = (viewTile){.column = column, .row = row};
  pthread_mutex_unlock(&t->lock);
  t->slot[at % SLOTS] = made;
  return made;
}

static void wait_for(viewTiles* t, int index, double time) {
  viewTile* tile = &t->tile[index];
  const bool follows = time - tile->marked < ABSENCE;
  if (!tile->dirty || follows) tile->left = time;
  tile->marked = time;
  if (tile->dirty) return;
  tile->dirty = true;
  t->queue[(t->first + t->waiting++) % VIEW_TILES] = index;
}

void view_tiles_mark(viewTiles* t, double time, double x, double y, double reach) {
  if (!(t->cell > 0)) return;
  const double side = t->cell * (VIEW_TILE_SIDE - 1);
  if (!(fabs(x) < side * FAR && fabs(y) < side * FAR && reach < 100 * side)) return;
  const int32_t x0 = (int32_t)floor((x - reach) / side), x1 = (int32_t)floor((x + reach) / side);
  const int32_t y0 = (int32_t)floor((y - reach) / side), y1 = (int32_t)floor((y + reach) / side);
  for (int32_t row = y0; row <= y1; row++) {
    for (int32_t column = x0; column <= x1; column++) {
      const int i = find(t, column, row, true);
      if (i >= 0) wait_for(t, i, time);
    }
  }
}

void view_tiles_mark_all(viewTiles* t, const rutModel* model, const rutData* data) {
  const double time = rut_time(data);
  if (!(t->cell > 0)) return;
  for (int i = 0; i < t->count; i++) wait_for(t, i, time);
  rutRutCell cell[BATCH];
  size_t cursor = 0;
  for (int n; (n = rut_ruts_next(model, data, &cursor, BATCH, cell)) > 0;) {
    for (int i = 0; i < n; i++) view_tiles_mark(t, time, cell[i].x, cell[i].y, t->cell);
  }
}

// Neighbours share lines of heights: those of a tile that has changed there are measured as well.
// line: changed heights at the west, inside, and at the east; of each at the south, inside, north.
// A tile that is new has changed everywhere: its neighbours are not made.
static void wait_for_neighbours(viewTiles* t, int index, bool line[3][3]) {
  const viewTile tile = t->tile[index];
  for (int k = 0; k < 9; k++) {
    const int east = k % 3 - 1, north = k / 3 - 1;
    bool changed = line[east + 1][north + 1];
    // a side has its corners too
    if (east == 0) changed = changed || line[0][north + 1] || line[2][north + 1];
    if (north == 0) changed = changed || line[east + 1][0] || line[east + 1][2];
    if (!changed || k == 4) continue;
    const int other = find(t, tile.column + east, tile.row + north, tile.version > 0);
    if (other >= 0) wait_for(t, other, tile.marked);
  }
}

// Measure one tile, and tell whether it has changed.
static bool measure(viewTiles* t, int index, const rutModel* model, const rutData* data) {
  const int side = VIEW_TILE_SIDE, n = VIEW_TILE_HEIGHTS;
  viewTile* tile = &t->tile[index];
  double *x = t->scratch, *y = x + n, *below = y + n, *z = below + n, *sx = z + n, *sy = sx + n;
  for (int i = 0; i < n; i++) {
    x[i] = ((double)tile->column * (side - 1) + i % side) * t->cell;
    y[i] = ((double)tile->row * (side - 1) + i / side) * t->cell;
    below[i] = SKY;
  }
  rut_terrain_surface(model, data, &(rutGroundPoints){n, x, y}, below,
                      &(rutGroundSurface){z, sx, sy});
  float* height = t->height + (size_t)index * (size_t)n;
  bool changed = tile->version == 0, line[3][3] = {{false}};
  for (int i = 0; i < n; i++) {
    const float h = (float)z[i];
    if (h == height[i] || (isnan(h) && isnan(height[i]))) continue;
    const int column = i % side, row = i / side;
    line[(column > 0) + (column == side - 1)][(row > 0) + (row == side - 1)] = true;
    changed = true;
  }
  if (!changed) return false;
  wait_for_neighbours(t, index, line);
  pthread_mutex_lock(&t->lock);
  for (int i = 0; i < n; i++) height[i] = (float)z[i];
  tile->version++;
  pthread_mutex_unlock(&t->lock);
  return true;
}

bool view_tiles_measure_next(viewTiles* t, const rutModel* model, const rutData* data,
                             double before, int* index, bool* changed) {
  for (int left = t->waiting; left > 0; left--) {
    const int next = t->queue[t->first];
    t->first = (t->first + 1) % VIEW_TILES;
    if (!(t->tile[next].marked < before)) {
      // to the end of the ring, to be asked again
      t->queue[(t->first + t->waiting - 1) % VIEW_TILES] = next;
      continue;
    }
    t->waiting--;
    t->tile[next].dirty = false;
    *index = next;
    *changed = measure(t, next, model, data);
    return true;
  }
  return false;
}

int view_tiles_measure(viewTiles* t, const rutModel* model, const rutData* data, double before,
                       int n) {
  int index;
  bool changed;
  for (; n > 0; n--) {
    if (!view_tiles_measure_next(t, model, data, before, &index, &changed)) break;
  }
  return t->waiting;
}

bool view_tiles_put(viewTiles* t, int32_t column, int32_t row, const unsigned char* height) {
  const int index = t->cell > 0 ? find(t, column, row, true) : -1;
  if (index < 0) return false;
  float* out = t->height + (size_t)index * VIEW_TILE_HEIGHTS;
  pthread_mutex_lock(&t->lock);
  for (int i = 0; i < VIEW_TILE_HEIGHTS; i++) {
    const unsigned char* b = height + 4 * (size_t)i;
    const uint32_t bits =
        (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    memcpy(&out[i], &bits, sizeof bits);
  }
  t->tile[index].version++;
  pthread_mutex_unlock(&t->lock);
  return true;
}
