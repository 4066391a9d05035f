// SPDX-License-Identifier: BSD-3-Clause
//
// Cameras of films: those of a world with another size or rate, and one that follows a vehicle.
#ifndef RUT_VIDEO_CHASE_H
#define RUT_VIDEO_CHASE_H

#include "video/video.h"

// "640x480". False if it is none.
bool cli_video_size(const char* text, int* width, int* height);
enum { CLI_VIDEO_MAX_SIDE = 4096 };

// Give the camera of a node the size and rate that were asked for.
rutStatus cli_video_adjust(rutSpec* spec, rutNode camera, const cliVideo* video, rutError* err);
// Add a camera that follows the vehicle of --chase, or the first one, to the spec of a world, which
// has been compiled and started. name gets its full name. Returns CLI_GO_ON or an exit code.
int cli_video_chase(cliWorld* world, const cliVideo* video, char name[256]);
// Compile the spec, which has changed, and start anew.
int cli_video_compile(cliWorld* world, uint64_t seed);

#endif  // RUT_VIDEO_CHASE_H
