// SPDX-License-Identifier: BSD-3-Clause
//
// The scene in a log for Foxglove, on the topic "/scene": each message is the whole scene, so that
// any place of the log can be opened. New ones come where there are new ruts, and no more of them
// than take a small part of the time of the run and of the log.
#ifndef RUT_SCENE_UPDATE_LOG_H
#define RUT_SCENE_UPDATE_LOG_H

#include "rut/host.h"
#include "scene/bytes.h"
#include "scene/ground_tiles.h"

typedef struct viewUpdateLog viewUpdateLog;

typedef struct viewUpdateLogDef {
  rutLog* log;       // stays the caller's; is closed after this
  viewBytes* scene;  // scene.json, shared
  viewTiles* tiles;  // stay the caller's
  int moving;        // blocks with transforms
} viewUpdateLogDef;

// Write the scene at the start of the run. The caller owns *out. Errors: MEMORY, IO.
rutStatus view_update_log_create(const viewUpdateLogDef* def, const rutModel* model,
                                 const rutData* data, viewUpdateLog** out, rutError* err);
// Write it again if it is due. Errors: MEMORY, IO.
rutStatus view_update_log_step(viewUpdateLog* update, const rutModel* model, const rutData* data,
                               rutError* err);
// Write it if it has changed, where data are given. Nullable: update, model, data, err.
rutStatus view_update_log_close(viewUpdateLog* update, const rutModel* model, const rutData* data,
                                rutError* err);

#endif  // RUT_SCENE_UPDATE_LOG_H
