// SPDX-License-Identifier: BSD-3-Clause
//
// The ground of a SceneUpdate.
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/update.h"
#include "scene/update_entity.h"

enum {
  MOST = 128,                        // cells along the longer side that are aimed at
  TILE = VIEW_TILE_SIDE - 1,         // rut cells along a side of a tile
  CORNERS = VIEW_UPDATE_REGION + 1,  // along a side of a region
  FEW_TILES = 2,                     // along a cell whose tiles are drawn finely
  MOST_TILES = 8,                    // of larger worlds ruts are not shown
};

// ---- division ----

static void divide(viewUpdateGround* g, const double extent[4], double tile, bool flat) {
  const double width = extent[2] - extent[0], height = extent[3] - extent[1];
  const double longer = fmax(width, height);
  if (!(longer > 0) || !(fmin(width, height) > 0) || !(longer < 1e7)) return;
  const double tiles = tile > 0 ? ceil(longer / (tile * MOST)) : 0;
  if (tiles >= 1 && tiles <= MOST_TILES) {
    g->tiles = (int)tiles;
    g->dx = g->dy = tile * g->tiles;
    g->column = (int32_t)floor(extent[0] / g->dx) * g->tiles;
    g->row = (int32_t)floor(extent[1] / g->dy) * g->tiles;
    g->x = g->column * tile;
    g->y = g->row * tile;
  } else {
    g->dx = flat ? width : longer / MOST;
    g->dy = flat ? height : longer / MOST;
    g->x = extent[0];
    g->y = extent[1];
  }
  g->columns = (int)fmin(VIEW_UPDATE_CELLS, ceil((extent[2] - g->x) / g->dx - 1e-9));
  g->rows = (int)fmin(VIEW_UPDATE_CELLS, ceil((extent[3] - g->y) / g->dy - 1e-9));
}

viewUpdateGround view_update_divide(const viewBytes* scene, double rut_cell) {
  viewUpdateGround g = {.color = {0.52F, 0.5F, 0.4F}};
  json_t* all = json_loadb((const char*)scene->data, scene->size, 0, NULL);
  const json_t* extent = json_object_get(all, "extent");
  const json_t* ground = json_object_get(all, "ground");
  const char* color = json_string_value(json_object_get(ground, "color"));
  double side[4];
  for (size_t i = 0; i < 4; i++) side[i] = json_number_value(json_array_get(extent, i));
  if (color && color[0] == '#') {
    const unsigned long code = strtoul(color + 1, NULL, 16);
    for (int i = 0; i < 3; i++) g.color[i] = (float)(code >> (16 - 8 * i) & 255) / 255;
  }
  divide(&g, side, rut_cell * TILE, json_is_true(json_object_get(ground, "flat")));
  json_decref(all);
  return g;
}

static int regions_along(int cells) {
  return (cells + VIEW_UPDATE_REGION - 1) / VIEW_UPDATE_REGION;
}

int view_update_regions(const viewUpdateGround* g) {
  return regions_along(g->columns) * regions_along(g->rows);
}

int view_update_region_of(const viewUpdateGround* g, int cell) {
  const int column = cell % g->columns / VIEW_UPDATE_REGION;
  const int row = cell / g->columns / VIEW_UPDATE_REGION;
  return row * regions_along(g->columns) + column;
}

// Cell of a tile, -1 if it lies outside.
static int cell_of(const viewUpdateGround* g, int32_t column, int32_t row) {
  const int64_t x = (int64_t)column - g->column, y = (int64_t)row - g->row;
  if (x < 0 || y < 0 || x / g->tiles >= g->columns || y / g->tiles >= g->rows) return -1;
  return (int)(y / g->tiles) * g->columns + (int)(x / g->tiles);
}

void view_update_versions(const viewUpdateGround* g, viewTiles* tiles, uint32_t* version) {
  memset(version, 0, (size_t)g->columns * (size_t)g->rows * sizeof *version);
  if (g->tiles == 0) return;
  pthread_mutex_lock(&tiles->lock);
  for (int i = 0; i < tiles->count; i++) {
    const int cell = cell_of(g, tiles->tile[i].column, tiles->tile[i].row);
    if (cell >= 0) version[cell] += tiles->tile[i].version;
  }
  pthread_mutex_unlock(&tiles->lock);
}

// ---- meshes ----

// A rectangle of heights.
typedef struct Grid {
  double x, y, dx, dy;   // corner, distances
  int nx, ny;            // points
  const float* z;        // [ny][nx], NaN: there is none
  const bool* left_out;  // [ny - 1][nx - 1] cells. Nullable: none
} Grid;

static void put_points(viewUpdate* u, const Grid* g) {
  for (int i = 0; i < g->nx * g->ny; i++) {
    const double z = isfinite(g->z[i]) ? (double)g->z[i] : 0;
    view_entity_vector(u, g->x + i % g->nx * g->dx, g->y + i / g->nx * g->dy, z);
  }
}

// Two triangles of each cell, unless it lacks a corner. Returns how many indices they are.
static uint32_t put_indices(viewUpdate* u, const Grid* g, int first) {
  const int cells = (g->nx - 1) * (g->ny - 1);
  uint32_t n = 0;
  for (int i = 0; i < cells; i++) {
    const int at = i / (g->nx - 1) * g->nx + i % (g->nx - 1);
    const int corner[] = {at, at + 1, at + g->nx + 1, at, at + g->nx + 1, at + g->nx};
    bool whole = !g->left_out || !g->left_out[i];
    for (int k = 0; k < 6; k++) whole = whole && isfinite(g->z[corner[k]]);
    for (int k = 0; k < 6 && whole; k++, n++) {
      view_entity_integer(u, (uint32_t)(first + corner[k]));
    }
  }
  return n;
}

// A mesh of several grids, as the only primitive of an entity.
static void put_mesh(viewUpdate* u, const char* id, int n, const Grid* grid, const float color[3]) {
  const viewEntity entity = {"world", id, VIEW_PART_TRIANGLES};
  uint32_t points = 0, indices = 0;
  for (int i = 0; i < n; i++) points += (uint32_t)(grid[i].nx * grid[i].ny);
  view_entity_begin(u, &entity);
  view_entity_pose(u, &VIEW_ENTITY_ORIGIN);
  view_entity_integer(u, points);
  for (int i = 0; i < n; i++) put_points(u, &grid[i]);
  view_entity_color(u, color);
  view_entity_integer(u, 0);
  const size_t list = view_entity_list(u);
  for (int i = 0, first = 0; i < n; first += grid[i].nx * grid[i].ny, i++) {
    indices += put_indices(u, &grid[i], first);
  }
  view_entity_list_end(u, list, indices);
  view_entity_end(u, &entity);
}

// Heights at the points of a grid. False if out of memory.
static bool measure(const viewHeights* heights, const Grid* g, float* z) {
  const int n = g->nx * g->ny;
  double* place = malloc(2 * (size_t)n * sizeof *place);
  for (int i = 0; place && i < n; i++) {
    place[i] = g->x + i % g->nx * g->dx;
    place[n + i] = g->y + i / g->nx * g->dy;
  }
  const bool fine = place && heights->read(heights->user, n, place, place + n, z);
  free(place);
  return fine;
}

bool view_update_region(viewUpdate* u, const viewUpdateGround* g, const viewHeights* heights,
                        int region, const uint32_t* version) {
  const int along = regions_along(g->columns);
  const int column = region % along * VIEW_UPDATE_REGION;
  const int row = region / along * VIEW_UPDATE_REGION;
  const int nx =
      g->columns - column < VIEW_UPDATE_REGION ? g->columns - column : VIEW_UPDATE_REGION;
  const int ny = g->rows - row < VIEW_UPDATE_REGION ? g->rows - row : VIEW_UPDATE_REGION;
  float z[CORNERS * CORNERS];
  bool left_out[VIEW_UPDATE_REGION * VIEW_UPDATE_REGION];
  for (int i = 0; i < nx * ny; i++) {
    left_out[i] = version[(row + i / nx) * g->columns + column + i % nx] != 0;
  }
  const Grid grid = {.x = g->x + column * g->dx,
                     .y = g->y + row * g->dy,
                     .dx = g->dx,
                     .dy = g->dy,
                     .nx = nx + 1,
                     .ny = ny + 1,
                     .z = z,
                     .left_out = left_out};
  if (!measure(heights, &grid, z)) return false;
  char id[40];
  snprintf(id, sizeof id, "ground/%d", region);
  put_mesh(u, id, 1, &grid, g->color);
  return true;
}

// ---- ruts ----

// Tiles of a cell that were measured, [tiles * tiles], -1 elsewhere. With the lock held.
static void find_tiles(const viewUpdateGround* g, const viewTiles* tiles, int cell, int* index) {
  for (int i = 0; i < g->tiles * g->tiles; i++) index[i] = -1;
  for (int i = 0; i < tiles->count; i++) {
    const viewTile* tile = &tiles->tile[i];
    if (tile->version == 0 || cell_of(g, tile->column, tile->row) != cell) continue;
    const int x = (tile->column - g->column) % g->tiles, y = (tile->row - g->row) % g->tiles;
    index[y * g->tiles + x] = i;
  }
}

// Scratch for the tiles of a cell.
typedef struct Cell {
  Grid* grid;
  float* z;
  int* index;
} Cell;

static bool create_cell(const viewUpdateGround* g, Cell* c) {
  const size_t n = (size_t)g->tiles * (size_t)g->tiles;
  c->grid = malloc(n * sizeof *c->grid);
  c->z = malloc(n * VIEW_TILE_HEIGHTS * sizeof *c->z);
  c->index = malloc(n * sizeof *c->index);
  return c->grid && c->z && c->index;
}

static void free_cell(Cell* c) {
  free(c->grid);
  free(c->z);
  free(c->index);
}

// One grid of each tile: of some of the heights where they were measured, else of its corners.
static bool fill_cell(const viewUpdateGround* g, const viewHeights* heights, viewTiles* tiles,
                      int cell, Cell* c) {
  const int step = g->tiles <= FEW_TILES ? 2 : 4, side = TILE / step + 1;
  const double tile = g->dx / g->tiles;
  float* z = c->z;
  pthread_mutex_lock(&tiles->lock);
  find_tiles(g, tiles, cell, c->index);
  for (int i = 0; i < g->tiles * g->tiles; i++) {
    const int n = c->index[i] >= 0 ? side : 2;
    c->grid[i] = (Grid){.x = g->x + cell % g->columns * g->dx + i % g->tiles * tile,
                        .y = g->y + cell / g->columns * g->dy + i / g->tiles * tile,
                        .dx = tile / (n - 1),
                        .dy = tile / (n - 1),
                        .nx = n,
                        .ny = n,
                        .z = z};
    const float* from = tiles->height + (size_t)(n > 2 ? c->index[i] : 0) * VIEW_TILE_HEIGHTS;
    for (int k = 0; n > 2 && k < n * n; k++) {
      z[k] = from[k / n * step * VIEW_TILE_SIDE + k % n * step];
    }
    z += n * n;
  }
  pthread_mutex_unlock(&tiles->lock);
  bool fine = true;
  for (int i = 0; i < g->tiles * g->tiles && fine; i++) {
    const Grid* grid = &c->grid[i];
    if (c->index[i] < 0) fine = measure(heights, grid, c->z + (grid->z - c->z));
  }
  return fine;
}

bool view_update_ruts(viewUpdate* u, const viewUpdateGround* g, const viewHeights* heights,
                      viewTiles* tiles, int cell) {
  float color[3];
  for (int i = 0; i < 3; i++) color[i] = 0.8F * g->color[i];
  Cell c = {0};
  const bool fine = create_cell(g, &c) && fill_cell(g, heights, tiles, cell, &c);
  char id[40];
  snprintf(id, sizeof id, "ground/cell/%d", cell);
  if (fine) put_mesh(u, id, g->tiles * g->tiles, c.grid, color);
  free_cell(&c);
  return fine;
}
