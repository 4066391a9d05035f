// SPDX-License-Identifier: BSD-3-Clause
//
// Worlds that readers of road files make: elements on a road, and a car that drives along it.
#ifndef RUT_FORMAT_ROAD_WORLD_H
#define RUT_FORMAT_ROAD_WORLD_H

#include "format/path_file.h"
#include "format/reader.h"
#include "rut/component.h"

typedef struct rutRoadWorld {
  rutSpec* spec;
  rutReporter* reporter;
  rutPlace place;  // of all elements: the file
} rutRoadWorld;

// Add an element. A null node, which the setters ignore, after an error.
rutNode rut_road_add(const rutRoadWorld* w, rutNode parent, const char* kind, const char* type,
                     const char* name);
void rut_road_set(const rutRoadWorld* w, rutNode node, const char* field, double value);
void rut_road_set_list(const rutRoadWorld* w, rutNode node, const char* field, int n,
                       const double* value);
void rut_road_set_text(const rutRoadWorld* w, rutNode node, const char* field, const char* text);
// The terrain of a file, under a name as it is seen from where the program runs.
rutNode rut_road_add_terrain(const rutRoadWorld* w, const char* type, const char* file);
// A passenger car that stands at the start of a path and follows it at a speed.
void rut_road_add_car(const rutRoadWorld* w, const rutPathPoints* path, double speed);

#endif  // RUT_FORMAT_ROAD_WORLD_H
