// SPDX-License-Identifier: BSD-3-Clause
//
// Warnings of the runs that a replay shows, as their logs have them.
#ifndef RUT_VIEW_REPLAY_WARNINGS_H
#define RUT_VIEW_REPLAY_WARNINGS_H

#include "view/hub.h"
#include "view/recording.h"

// The first ones; returns their number. Those of the second log begin with "ghost: ".
int view_replay_warnings(const viewRecording* log, int logs, viewWarning out[VIEW_WARNINGS]);

#endif  // RUT_VIEW_REPLAY_WARNINGS_H
