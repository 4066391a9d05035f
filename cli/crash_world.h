// SPDX-License-Identifier: BSD-3-Clause
//
// Random crashes: worlds by seed in which vehicles on axles fall, roll over, slide into kerbs, drop
// into holes and hit walls, posts, rocks, crates and each other, on ground and soils of all kinds.
#ifndef RUT_CLI_CRASH_WORLD_H
#define RUT_CLI_CRASH_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLI_CRASH_TEXT = 16384, CLI_CRASH_THINGS = 8, CLI_CRASH_VEHICLES = 2 };

// A block of the world, by its index: fixed, or a homogeneous body that moves.
typedef struct cliCrashThing {
  bool fixed;
  double x, y, yaw, half[2], radius, top;  // of a fixed one: a box, or a cylinder if radius > 0
  double mass, inertia[3], middle[3];      // of a moving one, about its middle in its own frame
} cliCrashThing;

typedef struct cliCrash {
  char text[CLI_CRASH_TEXT];  // of the world file
  const char *kind, *vehicle, *soil;
  double step, duration;  // [s]
  bool rk4, soft;         // soft: on soil that yields
  int vehicles, things;
  double com[3];           // of the vehicles' chassis
  double low[3], high[3];  // corners of the chassis's box
  cliCrashThing thing[CLI_CRASH_THINGS];
} cliCrash;

// The crash of a seed, with a timestep that is 1/parts of its own. False: it does not fit.
bool cli_crash_write(uint64_t seed, int parts, cliCrash* out);

#endif  // RUT_CLI_CRASH_WORLD_H
