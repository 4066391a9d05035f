// SPDX-License-Identifier: BSD-3-Clause
//
// Images in logs, for verbs that read them.
#ifndef RUT_CLI_IMAGES_H
#define RUT_CLI_IMAGES_H

#include "rut/host.h"

// Whether a log has images at all.
bool cli_has_images(const rutLogFile* file);
// Channel of images by topic ("/car/eye/image_raw") or by the name of a camera, whose colours come
// first ("car/eye", "eye"). Empty: the first one with colours. Returns -1 after an error was told.
int cli_find_images(const rutLogFile* file, const char* name);
// Write the images of a channel into a folder, NAME-000000.png, ..., and their times as times.csv.
// Returns an exit code.
int cli_save_images(rutLogFile* file, int channel, const char* folder);

#endif  // RUT_CLI_IMAGES_H
