// SPDX-License-Identifier: BSD-3-Clause
//
// Places of scenery: what stands already, and random places between it.
#ifndef RUT_SIM_COMPILE_SCATTER_H
#define RUT_SIM_COMPILE_SCATTER_H

#include "sim/spec/context.h"

// Things that stand, in cells of a table by hash. Two of one kind keep its spacing, two of
// different kinds do not touch.
typedef struct rutStanding rutStanding;

// NULL if out of memory.
rutStanding* rut_standing_create(rutContext* context);
void rut_standing_destroy(rutContext* context, rutStanding* standing);
// False if out of memory.
bool rut_standing_add(rutContext* context, rutStanding* standing, const double at[2], double radius,
                      int kind);

// Random places in a box. Seat i draws its place from random numbers of (seed, stream, i) alone, so
// that places stay where they are when a condition changes elsewhere.
typedef struct rutScatter {
  uint64_t seed;
  uint32_t stream;
  double box[4];  // x_min, y_min, x_max, y_max [m]
  int seats;
  // A seat whose place does not suit draws again; without it, as for a density, it stays empty. It
  // always draws again where others stand too near.
  bool insist;
  int kind;
  double spacing;  // of its own kind [m]
  double radius;   // of the ground that one takes [m]
  // Whether a place suits, draw being uniform in (0, 1); *cost is raised by the work of finding
  // out.
  bool (*suits)(void* user, const double at[2], double draw, int64_t* cost);
  void* user;
  int64_t* work;  // done so far for all elements; it has a limit, so that no world takes long
} rutScatter;

typedef struct rutScatterPlace {
  double at[2];
  int seat;
} rutScatterPlace;

typedef enum rutScatterEnd {
  RUT_SCATTER_DONE,
  RUT_SCATTER_FULL,   // some seats found no room
  RUT_SCATTER_LONG,   // it would take too long
  RUT_SCATTER_MEMORY  // out of memory
} rutScatterEnd;

// Places of seats, at most one each, into place[seats]; they then stand. *n gets their number.
rutScatterEnd rut_scatter(rutContext* context, const rutScatter* scatter, rutStanding* standing,
                          rutScatterPlace* place, int* n);

#endif  // RUT_SIM_COMPILE_SCATTER_H
