// SPDX-License-Identifier: BSD-3-Clause
//
// Sensors that a verb works with, by the names that people write.
#ifndef RUT_CLI_CAMERAS_H
#define RUT_CLI_CAMERAS_H

#include "rut/rut.h"

// Index of a sensor whose samples have a form: of this name, with or without that of its vehicle,
// or the first one (name NULL). -1 if there is none. Nullable: name.
int cli_find_sensor(const rutModel* model, rutSensorForm form, const char* name);
// Tell that there is no element of this name, and which one was probably meant. Returns CLI_USAGE.
int cli_unknown_element(const rutModel* model, rutKind kind, const char* what, const char* name);
// Node of a vehicle, of a sensor, by its full name; the null node if it is not in the tree.
rutNode cli_vehicle_node(const rutSpec* spec, const char* name);
rutNode cli_sensor_node_called(const rutSpec* spec, const char* name);
rutNode cli_sensor_node(const rutSpec* spec, const rutModel* model, int sensor);
// Set a number of a node, unless an error was met before: err->status says so.
void cli_set_number(rutSpec* spec, rutNode node, const char* field, double value, rutError* err);

#endif  // RUT_CLI_CAMERAS_H
