// SPDX-License-Identifier: BSD-3-Clause
//
// Verbs that test a vehicle take a world, or the file of a vehicle alone.
#ifndef RUT_CLI_VEHICLE_FILE_H
#define RUT_CLI_VEHICLE_FILE_H

#include "world.h"

// Load a world and apply settings, as cli_world_load, or, of a file whose root is <vehicle>, a
// world with this vehicle alone.
int cli_vehicle_load(cliWorld* world, const char* path, const cliList* settings);

#endif  // RUT_CLI_VEHICLE_FILE_H
