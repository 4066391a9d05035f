// SPDX-License-Identifier: BSD-3-Clause
//
// The scene of a replay, from those of its logs, and the signals that its logs have.
#ifndef RUT_VIEW_REPLAY_SCENE_H
#define RUT_VIEW_REPLAY_SCENE_H

#include "view/recording.h"
#include "view/series.h"

enum { VIEW_REPLAY_LOGS = 2 };

// Signals of all logs, one log after the other; those of the second are called "ghost/...".
typedef struct viewReplayCatalogue {
  const viewRecording* log;
  int logs;
  int count[VIEW_REPLAY_LOGS];
} viewReplayCatalogue;

viewReplayCatalogue view_replay_catalogue(const viewRecording* log, int logs);
int view_replay_find_signal(const viewReplayCatalogue* catalogue, const char* name,
                            const char** nearest);
viewSeriesSignal view_replay_signal(const viewReplayCatalogue* catalogue, int index);

// NULL if out of memory.
viewBytes* view_replay_scene(const viewRecording* log, int logs,
                             const viewReplayCatalogue* catalogue, const char* title);

#endif  // RUT_VIEW_REPLAY_SCENE_H
