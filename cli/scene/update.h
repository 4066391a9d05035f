// SPDX-License-Identifier: BSD-3-Clause
//
// The scene as foxglove_msgs/msg/SceneUpdate in CDR (https://docs.foxglove.dev/docs/sdk/schemas),
// for live clients and logs alike: bodies as prisms and cylinders, the ground as triangles.
#ifndef RUT_SCENE_UPDATE_H
#define RUT_SCENE_UPDATE_H

#include "scene/bytes.h"
#include "scene/ground_tiles.h"
#include "scene/update_entity.h"

#define VIEW_UPDATE_TOPIC "/scene"
#define VIEW_UPDATE_TYPE  "foxglove_msgs/msg/SceneUpdate"

// Its definition in ros2msg.
extern const char view_update_definition[];

// What measures the ground at n points. False if out of memory.
typedef struct viewHeights {
  void* user;
  bool (*read)(void* user, int n, const double* x, const double* y, float* z);
} viewHeights;

// ---- entities of a message ----

// All that is no ground, of scene.json: vehicles and wheels in their own frames, `moving` blocks in
// theirs, the other blocks and walls in `world`. False if out of memory.
bool view_update_bodies(viewUpdate* update, const viewBytes* scene, int moving);

enum {
  VIEW_UPDATE_CELLS = 130,  // along a side of the ground, at most
  VIEW_UPDATE_REGION = 32,  // cells along a side of a region, which is one entity
  VIEW_UPDATE_RUTS = 4      // cells with ruts in one of many messages, at most
};

// How the ground is divided: into cells of two triangles, in regions. Where there are ruts, a cell
// is a number of tiles, and an entity of its own once one of them has been measured.
typedef struct viewUpdateGround {
  int columns, rows;    // cells; 0: there is no ground
  double x, y, dx, dy;  // corner and sides of the first cell [m]
  int tiles;            // along a side of a cell, 0: there are no ruts
  int32_t column, row;  // of the tile at the corner
  float color[3];
} viewUpdateGround;

// The ground of scene.json, and of rut cells of a side [m], 0: none.
viewUpdateGround view_update_divide(const viewBytes* scene, double rut_cell);
int view_update_regions(const viewUpdateGround* ground);
int view_update_region_of(const viewUpdateGround* ground, int cell);
// Sum of the versions of the tiles of each cell, [rows][columns]: another one after every change.
void view_update_versions(const viewUpdateGround* ground, viewTiles* tiles, uint32_t* version);
// A region without the cells whose version is not 0; a cell with ruts. False if out of memory.
bool view_update_region(viewUpdate* update, const viewUpdateGround* ground,
                        const viewHeights* heights, int region, const uint32_t* version);
bool view_update_ruts(viewUpdate* update, const viewUpdateGround* ground,
                      const viewHeights* heights, viewTiles* tiles, int cell);

// ---- messages ----

// The scene as one reader has it. All zero: nothing was sent.
typedef struct viewShown {
  viewBytes* of;  // scene.json that it was made of
  viewUpdateGround ground;
  int region;         // that is sent next, all of them at first
  uint32_t* version;  // [cells] of ruts that were sent; owned
  uint32_t* newest;   // [cells] scratch; owned
  bool* stale;        // [regions] is to be sent again; owned
  double next;        // when ruts may be sent again [s]
} viewShown;

// What it is made of.
typedef struct viewShownSource {
  viewBytes* scene;  // scene.json
  viewTiles* tiles;
  int moving;  // blocks with transforms
  viewHeights heights;
  double ruts_every;  // ruts are sent at most so often [s]
} viewShownSource;

// The next message of a scene that is sent at `now` [s] for a time of the run [ns]: bodies, then
// the ground in regions, then ruts where there are new ones. The caller drops it; NULL if there is
// none.
viewBytes* view_shown_next(viewShown* shown, const viewShownSource* source, double now,
                           int64_t time);
// The scene as a whole, with the ground as it is: replaces everything before. The caller drops it;
// NULL if out of memory.
viewBytes* view_shown_all(viewShown* shown, const viewShownSource* source, int64_t time);
// Whether there are ruts that were not sent.
bool view_shown_changed(viewShown* shown, const viewShownSource* source);
// Whether view_shown_next may give something.
bool view_shown_waits(const viewShown* shown, const viewShownSource* source, double now);
// Nothing was sent.
void view_shown_forget(viewShown* shown);

#endif  // RUT_SCENE_UPDATE_H
