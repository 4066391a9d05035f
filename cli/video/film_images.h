// SPDX-License-Identifier: BSD-3-Clause
//
// The film of the images of a camera in a log.
#ifndef RUT_VIDEO_FILM_IMAGES_H
#define RUT_VIDEO_FILM_IMAGES_H

#include "video/video.h"

// Film the images of --camera, or the first ones. Returns CLI_GO_ON or an exit code.
int cli_video_of_images(rutLogFile* file, const cliVideo* video, cliVideoSummary* summary);

#endif  // RUT_VIDEO_FILM_IMAGES_H
