// SPDX-License-Identifier: BSD-3-Clause
//
// The film of a log from behind a vehicle: everything stands where the log tells, in the world that
// the log holds.
#ifndef RUT_VIDEO_FILM_MOMENTS_H
#define RUT_VIDEO_FILM_MOMENTS_H

#include "video/video.h"

// path: of the log, from where the world's files are found. Returns CLI_GO_ON or an exit code.
int cli_video_of_moments(rutLogFile* file, const char* path, const cliVideo* video,
                         cliVideoSummary* summary);

#endif  // RUT_VIDEO_FILM_MOMENTS_H
