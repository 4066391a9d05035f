// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_CLI_MAP_PICTURE_H
#define RUT_CLI_MAP_PICTURE_H

#include "rut/map.h"

// Draw a map into .png, .svg or .pdf: speed by both ways, what limits it, and the speed profiles.
// With a route, one large map of the speed by its way, and the route on it. Returns an exit code;
// errors are told. Nullable: route.
int cli_map_draw(const rutMap* map, const char* path, const rutMapRoute* route, rutMapWay way,
                 double probability);

#endif  // RUT_CLI_MAP_PICTURE_H
