// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_CLI_MAP_WORLD_H
#define RUT_CLI_MAP_WORLD_H

#include "cli.h"
#include "map_file.h"

// Write a world of which rut view shows the ground of a map in the colours of its speeds: NAME.xml,
// and beside it NAME.asc with the heights and NAME.png with the colours. With a route, it is drawn
// on them. Files that the map was read from stay. Returns CLI_GO_ON or an exit code; errors are
// told. Nullable: route.
int cli_map_write_world(const cliMap* map, const char* path, const rutMapRoute* route,
                        rutMapWay way, double probability);
// Whether a world can have this name; an error of the verb is told. Nullable: path.
int cli_map_check_world(const cliVerb* verb, const char* path);

#endif  // RUT_CLI_MAP_WORLD_H
