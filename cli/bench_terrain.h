// SPDX-License-Identifier: BSD-3-Clause
//
// Scenes of `rut bench` with vehicles on suspensions.
#ifndef RUT_CLI_BENCH_TERRAIN_H
#define RUT_CLI_BENCH_TERRAIN_H

#include "bench_scene.h"

// As cli_scene_build, for CLI_SLIDERS and CLI_ROVERS.
int cli_terrain_scene_build(const cliScene* scene, cliWorld* world);

#endif  // RUT_CLI_BENCH_TERRAIN_H
