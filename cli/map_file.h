// SPDX-License-Identifier: BSD-3-Clause
//
// What rut map and rut route share: a map file with its table.
#ifndef RUT_CLI_MAP_FILE_H
#define RUT_CLI_MAP_FILE_H

#include "rut/map.h"
#include "world.h"

enum { CLI_MAP_PATH = 4096 };

typedef struct cliMap {
  cliWorld world;  // for its context and report
  rutMap* map;
  const cliAllowed* allowed;
} cliMap;

// Load a map file. Returns CLI_GO_ON or an exit code after an error was told.
int cli_map_open(cliMap* map, const char* path, const cliAllowed* allowed, bool quiet);
void cli_map_close(cliMap* map);

#endif  // RUT_CLI_MAP_FILE_H
