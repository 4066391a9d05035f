// SPDX-License-Identifier: BSD-3-Clause
//
// Maps and paths of vehicles from the messages of a log: nav_msgs/msg/OccupancyGrid and Path.
#ifndef RUT_VIEW_REPLAY_NAVIGATION_H
#define RUT_VIEW_REPLAY_NAVIGATION_H

#include "scene/navigation_sample.h"
#include "view/recording.h"

// What of a vehicle of the scene a log has: the sum of RUT_NAVIGATION_PATH and RUT_NAVIGATION_COST.
unsigned view_replay_navigation(const viewRecording* recording, int vehicle);
// Message of the newest map (RUT_NAVIGATION_COST) or path of a vehicle at a time of the log; NULL
// if there is none, or its time is *stamp already. *stamp gets its time [s].
viewBytes* view_replay_navigation_sample(viewRecording* recording, int vehicle, unsigned what,
                                         double time, double* stamp);

// Of a message: bytes of anyone. NULL if they are none.
viewBytes* view_replay_map(const rutLogMessage* message, int vehicle);
viewBytes* view_replay_path(const rutLogMessage* message, int vehicle);

#endif  // RUT_VIEW_REPLAY_NAVIGATION_H
