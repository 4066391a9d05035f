// SPDX-License-Identifier: BSD-3-Clause
//
// Samples of sensors from the messages of a log: sensor_msgs/msg/PointCloud2, Image and NavSatFix,
// and images of rut/msg/Camera.
#ifndef RUT_VIEW_REPLAY_SAMPLES_H
#define RUT_VIEW_REPLAY_SAMPLES_H

#include "scene/sample.h"
#include "view/recording.h"

// Message of the newest sample of a sensor of the scene that could be seen at a time of the log;
// NULL if there is none, or its time is *stamp already. *stamp gets its time [s].
viewBytes* view_replay_sample(viewRecording* recording, int sensor, double time, unsigned layers,
                              double* stamp);

// Image of one layer (VIEW_LAYER_COLOUR...) from a sensor_msgs/msg/Image, without a pose; NULL if
// it is none of that layer or there is no memory.
viewBytes* view_replay_image(const rutLogMessage* message, int sensor, int layer);

#endif  // RUT_VIEW_REPLAY_SAMPLES_H
