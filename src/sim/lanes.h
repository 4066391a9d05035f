// SPDX-License-Identifier: BSD-3-Clause
//
// Copies of one world whose vehicles step together, one copy to a lane (docs/adr/0051).
//
// A copy is a rutData with tables of its own, and as such a run like any other. In a lane its
// vehicles' rows, which are the same ones in both places, stand in the tables of a tile, beside
// those of up to seven other copies: vehicle k of a group in batch k, copy l in lane l. The data
// then belongs to a view of the model that knows these places; all else of it stays where it is,
// and everything that looks at one copy works on it in its lane.
#ifndef RUT_SIM_LANES_H
#define RUT_SIM_LANES_H

#include "sim/model.h"

// A model as the copy in each lane sees it.
typedef struct rutLanes {
  rutContext* context;
  rutModel view[RUT_MBD_LANES];
  size_t table_size, backup_size, presses;  // of a tile [doubles], [doubles], entries
  // Copies of models whose `kind` is equal can share lanes. If `exact` is equal as well,
  // their vehicles have the same constants; otherwise these differ from lane to lane.
  uint64_t kind, exact;
  bool shared;      // copies can share lanes; the views are empty otherwise
  bool in_step;     // only copies that have made the same number of steps
  const char* why;  // reason of either
} rutLanes;

void rut_lanes_destroy(rutLanes* lanes);  // Nullable: lanes

// What a copy has outside its lane.
typedef struct rutLaneHome {
  const rutModel* model;
  double *table, *backup;
  rutSoftPress *press, *last_press;
  rutControlHost control;
} rutLaneHome;

typedef struct rutTile {
  const rutLanes* lanes[RUT_MBD_LANES];  // of the model of the copy in each lane
  const rutGroup* group;                 // groups as the stages of vehicles see them, of all lanes
  const rutSoilRecord* soil;             // [lane][soils] where they differ, else NULL
  double *table, *backup;
  rutSoftPress *press, *last_press;          // NULL where the ground keeps no ruts
  rutData* data[RUT_MBD_LANES];              // copy in each lane, NULL: none
  const rutSoftGround* soft[RUT_MBD_LANES];  // of each; of a lane without a copy that of another
  rutLaneHome home[RUT_MBD_LANES];
  int copies;  // in lanes
  int lead;    // lane of one of them
  bool loose;  // lanes without a copy hold numbers of a copy that has left
} rutTile;

// Carve the tables of a tile, and groups with the constants of each lane where they differ;
// measures with an arena without memory. lanes: of the models of the copies in each lane, which can
// share.
void rut_tile_take(const rutLanes* const lanes[RUT_MBD_LANES], rutArena* arena, rutTile* out);
// Can a copy share the lanes of a tile? It has made its first step, its soils are those of the
// model, and where copies have to be in step it is.
bool rut_tile_can_join(const rutTile* tile, const rutData* data);
// Put a copy into its lane, and take it out again: it is then a run of the model that it was made
// of. A copy keeps its bits.
void rut_tile_join(rutTile* tile, int lane, rutData* data);
void rut_tile_leave(rutTile* tile, int lane);
// A step of all copies in lanes; memory is a worker's scratch. Those that diverge have left their
// lanes, and stand as rut_step leaves them. Returns a mask of their lanes.
unsigned rut_tile_step(rutTile* tile, unsigned char* memory);

#endif  // RUT_SIM_LANES_H
