// SPDX-License-Identifier: BSD-3-Clause
//
// Scene with a skid-steer rover in the plane.
#ifndef RUT_CLI_BENCH_SKID_H
#define RUT_CLI_BENCH_SKID_H

#include "bench_scene.h"

// As cli_scene_build.
int cli_skid_scene_build(const cliScene* scene, cliWorld* world);

#endif  // RUT_CLI_BENCH_SKID_H
