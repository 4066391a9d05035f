// SPDX-License-Identifier: BSD-3-Clause
//
// Scenes with HMMWVs: double wishbones, Fiala tyres, powertrain.
#ifndef RUT_CLI_BENCH_HMMWV_H
#define RUT_CLI_BENCH_HMMWV_H

#include "bench_scene.h"

// As cli_scene_build.
int cli_hmmwv_scene_build(const cliScene* scene, cliWorld* world);

#endif  // RUT_CLI_BENCH_HMMWV_H
