// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_CLI_MAP_SUMMARY_H
#define RUT_CLI_MAP_SUMMARY_H

#include <stdio.h>

#include "rut/map.h"

// Statistics of a map, as tables or as one JSON object. Returns an exit code; errors are told.
int cli_map_print(const rutMap* map, FILE* out);
int cli_map_json(const rutMap* map, FILE* out);

#endif  // RUT_CLI_MAP_SUMMARY_H
