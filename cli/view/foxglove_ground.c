// SPDX-License-Identifier: BSD-3-Clause
//
// The ground of a SceneUpdate.
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/foxglove_entity.h"
#include "view/foxglove_scene.h"

enum {
  MOST = 128,                          // cells along the longer side that are aimed at
  TILE = VIEW_TILE_SIDE - 1,           // rut cells along a side of a tile
  CORNERS = VIEW_FOXGLOVE_REGION + 1,  // along a side of a region
  FEW_TILES = 2,                       // along a cell whose tiles are drawn finely
  MOST_TILES = 8,                      // of larger worlds ruts are not shown
};

// ---- division ----

static void divide(viewFoxgloveGround* g, const double extent[4], double tile, bool flat) {
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
  g->columns = (int)fmin(VIEW_FOXGLOVE_CELLS, ceil((extent[2] - g->x) / g->dx - 1e-9));
  g->rows = (int)fmin(VIEW_FOXGLOVE_CELLS, ceil((extent[3] - g->y) / g->dy - 1e-9));
}

viewFoxgloveGround view_foxglove_ground(const viewBytes* scene, double rut_cell) {
  viewFoxgloveGround g = {.color = {0.52F, 0.5F, 0.4F}};
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
  return (cells + VIEW_FOXGLOVE_REGION - 1) / VIEW_FOXGLOVE_REGION;
}

int view_foxglove_regions(const viewFoxgloveGround* g) {
  return regions_along(g->columns) * regions_along(g->rows);
}

int view_foxglove_region_of(const viewFoxgloveGround* g, int cell) {
  const int column = cell % g->columns / VIEW_FOXGLOVE_REGION;
  const int row = cell / g->columns / VIEW_FOXGLOVE_REGION;
  return row * regions_along(g->columns) + column;
}

// Cell of a tile, -1 if it lies outside.
static int cell_of(const viewFoxgloveGround* g, int32_t column, int32_t row) {
  const int64_t x = (int64_t)column - g->column, y = (int64_t)row - g->row;
  if (x < 0 || y < 0 || x / g->tiles >= g->columns || y / g->tiles >= g->rows) return -1;
  return (int)(y / g->tiles) * g->columns + (int)(x / g->tiles);
}

void view_foxglove_versions(const viewFoxgloveGround* g, viewTiles* tiles, uint32_t* version) {
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

static void put_points(viewFoxgloveUpdate* u, const Grid* g) {
  for (int i = 0; i < g->nx * g->ny; i++) {
    const double z = isfinite(g->z[i]) ? (double)g->z[i] : 0;
    view_foxglove_vector(u, NULL, g->x + i % g->nx * g->dx, g->y + i / g->nx * g->dy, z);
  }
}

// Two triangles of each cell, unless it lacks a corner.
static void put_indices(viewFoxgloveUpdate* u, const Grid* g, int first) {
  const int cells = (g->nx - 1) * (g->ny - 1);
  for (int i = 0; i < cells; i++) {
    const int at = i / (g->nx - 1) * g->nx + i % (g->nx - 1);
    const int corner[] = {at, at + 1, at + g->nx + 1, at, at + g->nx + 1, at + g->nx};
    bool whole = !g->left_out || !g->left_out[i];
    for (int k = 0; k < 6; k++) whole = whole && isfinite(g->z[corner[k]]);
    for (int k = 0; k < 6 && whole; k++) cli_json_integer(&u->json, NULL, first + corner[k]);
  }
}

// A mesh of several grids, as the only primitive of an entity.
static void put_mesh(viewFoxgloveUpdate* u, const char* id, int n, const Grid* grid,
                     const float color[3]) {
  view_foxglove_entity_begin(u, &(viewFoxgloveEntity){"world", id, "triangles"});
  cli_json_object(&u->json, NULL);
  view_foxglove_pose(u, &VIEW_FOXGLOVE_ORIGIN);
  cli_json_array(&u->json, "points");
  for (int i = 0; i < n; i++) put_points(u, &grid[i]);
  cli_json_end(&u->json);
  view_foxglove_color(u, color);
  cli_json_array(&u->json, "colors");
  cli_json_end(&u->json);
  cli_json_array(&u->json, "indices");
  for (int i = 0, first = 0; i < n; first += grid[i].nx * grid[i].ny, i++) {
    put_indices(u, &grid[i], first);
  }
  cli_json_end(&u->json);
  cli_json_end(&u->json);
  view_foxglove_entity_end(u);
}

// Heights at the points of a grid at the start of the run. False if out of memory.
static bool measure(const viewBackend* backend, const Grid* g, float* z) {
  const int n = g->nx * g->ny;
  double* place = malloc(2 * (size_t)n * sizeof *place);
  void* ground = place ? backend->ground(backend->user) : NULL;
  for (int i = 0; ground && i < n; i++) {
    place[i] = g->x + i % g->nx * g->dx;
    place[n + i] = g->y + i / g->nx * g->dy;
  }
  if (ground) {
    backend->heights(ground, n, place, place + n, z);
    backend->ground_free(ground);
  }
  free(place);
  return ground != NULL;
}

viewBytes* view_foxglove_region(const viewFoxgloveGround* g, const viewBackend* backend, int region,
                                const uint32_t* version, int64_t time) {
  const int along = regions_along(g->columns);
  const int column = region % along * VIEW_FOXGLOVE_REGION;
  const int row = region / along * VIEW_FOXGLOVE_REGION;
  const int nx =
      g->columns - column < VIEW_FOXGLOVE_REGION ? g->columns - column : VIEW_FOXGLOVE_REGION;
  const int ny = g->rows - row < VIEW_FOXGLOVE_REGION ? g->rows - row : VIEW_FOXGLOVE_REGION;
  float z[CORNERS * CORNERS];
  bool left_out[VIEW_FOXGLOVE_REGION * VIEW_FOXGLOVE_REGION];
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
  viewFoxgloveUpdate u;
  if (!measure(backend, &grid, z) || !view_foxglove_update_begin(&u, false, time)) return NULL;
  char id[40];
  snprintf(id, sizeof id, "ground/%d", region);
  put_mesh(&u, id, 1, &grid, g->color);
  return view_foxglove_update_end(&u);
}

// ---- ruts ----

// Tiles of a cell that were measured, [tiles * tiles], -1 elsewhere. With the lock held.
static void find_tiles(const viewFoxgloveGround* g, const viewTiles* tiles, int cell, int* index) {
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

static bool create_cell(const viewFoxgloveGround* g, Cell* c) {
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
static bool fill_cell(const viewFoxgloveGround* g, const viewBackend* backend, viewTiles* tiles,
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
    if (c->index[i] < 0) fine = measure(backend, grid, c->z + (grid->z - c->z));
  }
  return fine;
}

viewBytes* view_foxglove_ruts(const viewFoxgloveGround* g, const viewBackend* backend,
                              viewTiles* tiles, int n, const int* cell, int64_t time) {
  float color[3];
  for (int i = 0; i < 3; i++) color[i] = 0.8F * g->color[i];
  viewFoxgloveUpdate u;
  Cell c = {0};
  bool fine = create_cell(g, &c);
  if (!fine || !view_foxglove_update_begin(&u, false, time)) {
    free_cell(&c);
    return NULL;
  }
  for (int i = 0; i < n && fine; i++) {
    char id[40];
    snprintf(id, sizeof id, "ground/cell/%d", cell[i]);
    fine = fill_cell(g, backend, tiles, cell[i], &c);
    if (fine) put_mesh(&u, id, g->tiles * g->tiles, c.grid, color);
  }
  free_cell(&c);
  viewBytes* bytes = view_foxglove_update_end(&u);
  if (fine) return bytes;
  view_bytes_drop(bytes);
  return NULL;
}
