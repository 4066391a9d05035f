// SPDX-License-Identifier: BSD-3-Clause
//
// Worlds whose speed `rut bench` measures.
#ifndef RUT_CLI_BENCH_SCENE_H
#define RUT_CLI_BENCH_SCENE_H

#include "world.h"

typedef struct cliScene {
  const char* name;
  int vehicles;
  bool laser;  // each vehicle carries a laser of 181 rays at 10 Hz
  bool grid;   // in an occupancy grid
} cliScene;

// All scenes; *n gets their number. Static.
const cliScene* cli_scenes(int* n);
// Build the spec of a scene into world->spec. Returns CLI_GO_ON or an exit code.
int cli_scene_build(const cliScene* scene, cliWorld* world);

enum { CLI_SCENE_RAYS = 181 };

#endif  // RUT_CLI_BENCH_SCENE_H
