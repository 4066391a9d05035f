// SPDX-License-Identifier: BSD-3-Clause
//
// Worlds whose speed `rut bench` measures.
#ifndef RUT_CLI_BENCH_SCENE_H
#define RUT_CLI_BENCH_SCENE_H

#include <stdio.h>

#include "world.h"

typedef enum cliSceneKind {
  CLI_CIRCLES,  // differential robots in circles
  CLI_SLIDERS,  // vehicles of two tons on sprung wheels
  CLI_HMMWV,    // double wishbones, Fiala tyres, powertrain
  CLI_ROVERS,   // VIVI: massless suspensions, motors, CDTA at 10 kHz
  CLI_SKID,     // a skid-steer rover in the plane
  CLI_RAYS,     // a robot that stands still with 16 tilted lasers of 1800 rays each at 10 Hz
} cliSceneKind;

typedef enum cliEye {
  CLI_LASERS,
  CLI_VLP16,          // a VLP-16 with its noise: 16 x 1808 rays
  CLI_LIDAR64,        // 64 x 1600 rays with noise
  CLI_CAMERA_DEPTH,   // 640 x 480 pixels: depth, class and instance
  CLI_CAMERA_COLOUR,  // the same with colour, one sun with shadows, noise
} cliEye;

typedef struct cliScene {
  const char* name;
  cliSceneKind kind;
  int vehicles;
  bool laser;  // each vehicle carries a laser of 181 rays at 10 Hz
  bool grid;   // in an occupancy grid
  // of CLI_SLIDERS
  int axles;
  bool rough;  // on an elevation map of 512 x 512 heights, 1024 x 1024 of CLI_RAYS
  bool soft;   // of CLI_HMMWV: on soil that keeps ruts
  bool ideal;  // kinematic: under twist_ideal; of CLI_HMMWV and CLI_SLIDERS
  int slices;  // places along the arc of a wheel, not refined; 0: the default search
  // of CLI_RAYS
  int prisms;   // fixed blocks around it
  int trees;    // individuals of scenery around it, and a tenth as many cars
  bool shapes;  // on random roughness, endless, with a curb
  cliEye eye;   // one sensor in place of the lasers
  int copies;   // of the world, in a batch; 0: it is stepped by itself
} cliScene;

// All scenes; *n gets their number. Static.
const cliScene* cli_scenes(int* n);
// Build the spec of a scene into world->spec. Returns CLI_GO_ON or an exit code.
int cli_scene_build(const cliScene* scene, cliWorld* world);

enum { CLI_SCENE_RAYS = 181, CLI_SCENE_FANS = 16, CLI_FAN_RAYS = 1800, CLI_SCENE_PATH = 512 };
// Rays that all lasers of a scene cast in one period of 0.1 s, of cameras pixels.
int cli_scene_rays(const cliScene* scene);

// A new file in a new temporary folder, whose path is put into `path`. NULL if there can be none.
// Removal takes file and folder away.
FILE* cli_scene_file(const char* name, char path[CLI_SCENE_PATH]);
void cli_scene_file_remove(char path[CLI_SCENE_PATH]);

#endif  // RUT_CLI_BENCH_SCENE_H
