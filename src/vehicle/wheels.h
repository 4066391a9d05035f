// SPDX-License-Identifier: BSD-3-Clause
//
// How the stages of an evaluation walk over wheels.
//
// Arrays over wheels have an entry per wheel and lane, [wheel * lanes + lane], `n` of them: 4 or a
// multiple of 8, so that a single vehicle's wheels fill a vector. Entries beyond the last wheel
// compute, and what they find is never used.
//
// Entries are worked through in tiles of eight, so that what is found of one stays in the
// first-level cache: one wheel of a batch of vehicles, eight of a single one. Single vehicles of up
// to four wheels are one tile of four. What a stage finds are rows of its tile, one number per
// entry. Each stage numbers its rows on from those of the stage before it (RUT_NUMBER_ROWS), in the
// header that declares it. Long loop bodies work on parts of a tile, as wide as the vectors of the
// machine: what is left of the loop then has nothing but constant addresses.
#ifndef RUT_VEHICLE_WHEELS_H
#define RUT_VEHICLE_WHEELS_H

#include "math/lanes.h"
#include "mbd/tree.h"

// Entries of a tile: of batches and of long vehicles; of single vehicles of up to four wheels.
enum { RUT_WHEEL_TILE = 8, RUT_SMALL_TILE = 4 };

// Wheels at hand, a tile or the part of one that begins at entry `first`.
typedef struct rutWheels {
  double* row;  // row 0 of entry `first`
  int n;        // entries of the tile: from a row to the next
  int width;    // of them, those that a part has
  int first;
  int lanes;
  const double* chassis;  // [row][lane] numbers of the vehicles, see vehicle/chassis.h
} rutWheels;

// Row of that name of the wheels e.
#define RUT_WHEEL_ROW(e, name) ((e).row + (size_t)RUT_WHEEL_ROW_##name * (size_t)(e).n)
#define RUT_NAME_ROW(name)     RUT_WHEEL_ROW_##name,
// Numbers a stage's list of rows from `from` on; `to` is where the next stage's begin.
#define RUT_NUMBER_ROWS(LIST, from, to) enum { to##_BEFORE = (from)-1, LIST(RUT_NAME_ROW) to }

RUT_INLINE rutWheels rut_part(rutWheels e, int from) {
  return (rutWheels){e.row + from, e.n, e.width, e.first + from, e.lanes, e.chassis};
}

// All wheels of a batch, tile by tile.
typedef struct rutTiles {
  double* row;
  int n, width, tiles, lanes;
  size_t stride;  // from a tile's rows to the next one's
  const double* chassis;
} rutTiles;

RUT_INLINE rutWheels rut_tile(rutTiles all, int tile) {
  return (rutWheels){
      all.row + (size_t)tile * all.stride, all.n, all.width, tile * all.n, all.lanes, all.chassis};
}
// Parts of all tiles.
RUT_INLINE int rut_parts(rutTiles all) { return all.tiles * (all.n / all.width); }
RUT_INLINE rutWheels rut_part_at(rutTiles all, int part) {
  const int each = all.n / all.width;
  return rut_part(rut_tile(all, part / each), part % each * all.width);
}

// Counts that the compiler can know: entries of a tile and of a part, lanes, wheels of a vehicle.
typedef struct rutSizes {
  int n, width, lanes, wheels;
} rutSizes;

// From name(..., sizes) makes name_all(...), compiled for single vehicles of four wheels, of fewer,
// of more, and for batches, which takes the one that fits. `params`, with `batch` among them, are
// its parameters in parentheses, the rest their names.
#define RUT_WHEEL_SIZES(name, params, ...)                                                    \
  RUT_CLONES static void name##_four params { name(__VA_ARGS__, (rutSizes){4, 4, 1, 4}); }    \
  RUT_CLONES static void name##_few params {                                                  \
    name(__VA_ARGS__, (rutSizes){4, 4, 1, batch->vehicle->wheels});                           \
  }                                                                                           \
  RUT_CLONES static void name##_many params {                                                 \
    name(__VA_ARGS__, (rutSizes){RUT_WHEEL_TILE, RUT_WHEEL_TILE, 1, batch->vehicle->wheels}); \
  }                                                                                           \
  RUT_CLONES static void name##_batch params {                                                \
    const int wheels = batch->vehicle->wheels;                                                \
    name(__VA_ARGS__, (rutSizes){RUT_WHEEL_TILE, RUT_WHEEL_TILE, RUT_MBD_LANES, wheels});     \
  }                                                                                           \
  static void name##_all params {                                                             \
    if (batch->vehicle->lanes > 1) {                                                          \
      name##_batch(__VA_ARGS__);                                                              \
    } else if (batch->vehicle->body.n > 4) {                                                  \
      name##_many(__VA_ARGS__);                                                               \
    } else if (batch->vehicle->wheels == 4) {                                                 \
      name##_four(__VA_ARGS__);                                                               \
    } else {                                                                                  \
      name##_few(__VA_ARGS__);                                                                \
    }                                                                                         \
  }

#endif  // RUT_VEHICLE_WHEELS_H
