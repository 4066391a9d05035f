// SPDX-License-Identifier: BSD-3-Clause
//
// The scene as foxglove.SceneUpdate in JSON (https://docs.foxglove.dev/docs/sdk/schemas): bodies as
// prisms and cylinders, the ground as triangles.
#ifndef RUT_VIEW_FOXGLOVE_SCENE_H
#define RUT_VIEW_FOXGLOVE_SCENE_H

#include "scene/ground_tiles.h"
#include "view/backend.h"

#define VIEW_FOXGLOVE_SCENE "foxglove.SceneUpdate"

// Its schema, as JSON Schema.
extern const char view_foxglove_scene_schema[];

// All that is no ground, of scene.json, at a time [ns]: vehicles and wheels in their own frames,
// `moving` blocks in theirs, the other blocks and walls in `world`. Everything that was there
// before goes. The caller drops it. NULL if out of memory.
viewBytes* view_foxglove_bodies(const viewBytes* scene, int moving, int64_t time);

enum {
  VIEW_FOXGLOVE_CELLS = 130,  // along a side of the ground, at most
  VIEW_FOXGLOVE_REGION = 32,  // cells along a side of a region, which is one entity
  VIEW_FOXGLOVE_RUTS = 4      // cells with ruts in one message, at most
};

// How the ground is divided: into cells of two triangles, in regions. Where there are ruts, a cell
// is a number of tiles, and an entity of its own once one of them has been measured.
typedef struct viewFoxgloveGround {
  int columns, rows;    // cells; 0: there is no ground
  double x, y, dx, dy;  // corner and sides of the first cell [m]
  int tiles;            // along a side of a cell, 0: there are no ruts
  int32_t column, row;  // of the tile at the corner
  float color[3];
} viewFoxgloveGround;

// The ground of scene.json, and of rut cells of a side [m], 0: none.
viewFoxgloveGround view_foxglove_ground(const viewBytes* scene, double rut_cell);
int view_foxglove_regions(const viewFoxgloveGround* ground);
int view_foxglove_region_of(const viewFoxgloveGround* ground, int cell);
// Sum of the versions of the tiles of each cell, [rows][columns]: another one after every change.
void view_foxglove_versions(const viewFoxgloveGround* ground, viewTiles* tiles, uint32_t* version);
// A region without the cells whose version is not 0, and cells with ruts. The caller drops them.
// NULL if out of memory.
viewBytes* view_foxglove_region(const viewFoxgloveGround* ground, const viewBackend* backend,
                                int region, const uint32_t* version, int64_t time);
viewBytes* view_foxglove_ruts(const viewFoxgloveGround* ground, const viewBackend* backend,
                              viewTiles* tiles, int n, const int* cell, int64_t time);

#endif  // RUT_VIEW_FOXGLOVE_SCENE_H
