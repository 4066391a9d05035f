// SPDX-License-Identifier: BSD-3-Clause
//
// Puts what rut replay shows into a log: the scene with its files and ground as attachments, frames
// (docs/manual/stream.md) on the topic "/view/frame", and on "/view/ground" frames that have
// nothing but tiles, whose time is how long ago the last wheel left them. All of it takes at most
// a few hundredths of the time of the run: one that is far faster than the clock gets fewer frames.
#ifndef RUT_SCENE_RECORDER_H
#define RUT_SCENE_RECORDER_H

#include "rut/host.h"
#include "scene/assets.h"

#define VIEW_FRAME_TOPIC  "/view/frame"
#define VIEW_GROUND_TOPIC "/view/ground"
#define VIEW_SCENE_FILE   "scene.json"
#define VIEW_TERRAIN_FILE "terrain.f32.gz"
#define VIEW_SOIL_FILE    "soil.u8.gz"
#define VIEW_ASSET_FILE   "asset/%d"
#define VIEW_ASSET_PACKED "asset/%d.gz"

typedef struct viewRecorder viewRecorder;

// What is recorded, and where.
typedef struct viewRecorderDef {
  const rutSpec* spec;  // the world
  const rutModel* model;
  const char* title;  // file name of the world
  rutLog* log;        // stays the caller's; is closed after the recorder
  bool updates;       // the scene for Foxglove, too (scene/update_log.h)
} viewRecorderDef;

// data is at the start of the run. The caller owns *out and ends it with view_recorder_close.
// Errors: MEMORY, IO.
rutStatus view_recorder_create(const viewRecorderDef* def, const rutData* data, viewRecorder** out,
                               rutError* err);
// Record the state if it is due. Call it after every rut_log_step.
rutStatus view_recorder_step(viewRecorder* recorder, const rutModel* model, const rutData* data,
                             rutError* err);
// The next state is not the one that a step has made of the last: after a reset or a restore.
void view_recorder_jump(viewRecorder* recorder);
// Files that the world names as meshes and that are not in the log.
const viewRefused* view_recorder_refused(const viewRecorder* recorder);
// Record the last state. Nullable: recorder, err.
rutStatus view_recorder_close(viewRecorder* recorder, const rutModel* model, const rutData* data,
                              rutError* err);

#endif  // RUT_SCENE_RECORDER_H
