// SPDX-License-Identifier: BSD-3-Clause
//
// Simulates points of a map's table, in one thread.
#ifndef RUT_HOST_MAP_POINT_H
#define RUT_HOST_MAP_POINT_H

#include "host/map.h"
#include "host/track.h"

typedef struct rutMapRunner {
  const rutMap* map;
  rutContext* context;  // owned, as all that follow
  rutSpec* world;
  rutTrack track;
} rutMapRunner;

// Open a world of the map's vehicle. Errors: those of the host's contexts, rut_spec_load and
// rut_track_open. Nullable: err, as below.
rutStatus rut_map_runner_open(const rutMap* map, rutMapRunner* runner, rutError* err);
// A simulation that diverges is a NO-GO. Errors: those of rut_compile.
rutStatus rut_map_run(rutMapRunner* runner, int point, rutMapPoint* out, rutError* err);
void rut_map_runner_close(rutMapRunner* runner);

#endif  // RUT_HOST_MAP_POINT_H
