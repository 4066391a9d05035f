// SPDX-License-Identifier: BSD-3-Clause
//
// The film of a world, which is simulated.
#ifndef RUT_VIDEO_FILM_WORLD_H
#define RUT_VIDEO_FILM_WORLD_H

#include "video/video.h"

// Film a world file with one of its cameras, or from behind a vehicle. Returns CLI_GO_ON or an exit
// code.
int cli_video_of_world(const char* path, const cliVideo* video, cliVideoSummary* summary);

#endif  // RUT_VIDEO_FILM_WORLD_H
