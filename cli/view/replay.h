// SPDX-License-Identifier: BSD-3-Clause
//
// The thread that plays a log, or two side by side, and the log as the server sees it.
#ifndef RUT_VIEW_REPLAY_H
#define RUT_VIEW_REPLAY_H

#include "view/backend.h"
#include "view/hub.h"

typedef struct viewReplay viewReplay;

// Open one log, or two of which the vehicles of the second are ghosts. The caller owns *out.
// Errors: those of rut_log_open, VERSION (no frames in it).
rutStatus view_replay_open(const char* const* path, int logs, viewReplay** out, rutError* err);
// Shape of the frames, which the caller frees, and side of the cells of ruts, 0 without.
bool view_replay_shape(const viewReplay* replay, viewShape* shape, double* cell);
// Start the thread. The scene is shown to the hub. Errors: MEMORY.
rutStatus view_replay_start(viewReplay* replay, viewHub* hub, const char* title, bool paused,
                            bool loop, rutError* err);
viewBackend view_replay_backend(viewReplay* replay);
// End it, after view_hub_end. Nullable: replay.
void view_replay_stop(viewReplay* replay);

#endif  // RUT_VIEW_REPLAY_H
