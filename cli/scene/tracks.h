// SPDX-License-Identifier: BSD-3-Clause
//
// Where wheels may have changed the ground.
#ifndef RUT_SCENE_TRACKS_H
#define RUT_SCENE_TRACKS_H

#include "scene/ground_tiles.h"

typedef struct viewTracks {
  int vehicles;
  bool* leaves;         // whether a vehicle can leave ruts
  double (*offset)[2];  // of each wheel from its vehicle's reference point, forward and left [m]
} viewTracks;

// data is at the start of a run. False if out of memory.
bool view_tracks_create(const rutModel* model, const rutData* data, viewTracks* tracks);
void view_tracks_free(viewTracks* tracks);
// Mark the ground under and beside all wheels.
void view_tracks_mark(const viewTracks* tracks, const rutModel* model, const rutData* data,
                      viewTiles* tiles);

#endif  // RUT_SCENE_TRACKS_H
