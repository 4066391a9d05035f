// SPDX-License-Identifier: BSD-3-Clause
//
// Verbs that test a vehicle take a world, or the file of a vehicle alone.
#ifndef RUT_CLI_VEHICLE_FILE_H
#define RUT_CLI_VEHICLE_FILE_H

#include "world.h"

// Load a world and apply settings, as cli_world_load, or, of a file whose root is <vehicle>, a
// world with this vehicle alone.
int cli_vehicle_load(cliWorld* world, const char* path, const cliList* settings);
// Load a world with the vehicle of the first of some files, and the parts that the others hold, as
// Project Chrono has them: tyre, engine, transmission. Their data folder, above that of the
// vehicle, may be read.
int cli_parts_load(cliWorld* world, const cliList* files, const cliList* settings);

#endif  // RUT_CLI_VEHICLE_FILE_H
