// SPDX-License-Identifier: BSD-3-Clause
//
// What a vehicle remembers of the ground that has left its local map: for each cell of a larger
// window whether it is not known, blocked, or how dear it is, in three bits. Sixteen cells of a row
// are one double, a whole number, so that this is rows of a state.
#ifndef RUT_CONTROL_GOAL_MEMORY_H
#define RUT_CONTROL_GOAL_MEMORY_H

#include <string.h>

#include "math/rut_math.h"
#include "rut/local_map.h"

enum { RUT_GOAL_WORD = 16, RUT_GOAL_VALUES = 8, RUT_GOAL_UNKNOWN = 0, RUT_GOAL_BLOCKED = 7 };

typedef struct rutGoalMemory {
  int words;      // along each side of the window, of 16 cells each
  int corner[2];  // number of the lower left cell, a multiple of 16
  uint8_t* cell;  // [side * side] row by row, side = 16 words; owned by the caller
} rutGoalMemory;

// Costs as they are kept: not known, 1, 2, ... and blocked.
RUT_INLINE int rut_goal_cost(uint8_t value) {
  static const int cost[RUT_GOAL_VALUES] = {2, 1, 2, 4, 8, 16, 32, 0};
  return cost[value % RUT_GOAL_VALUES];
}

RUT_INLINE uint8_t rut_goal_value(int cost) {
  uint8_t value = 1;
  if (cost == 0) return RUT_GOAL_BLOCKED;
  // the next one up
  while (value + 1 < RUT_GOAL_BLOCKED && rut_goal_cost(value) < cost) value++;
  return value;
}

// Cells from doubles. from: corner of the window that these are of; cells that both have are kept,
// others are not known.
static inline void rut_goal_memory_read(rutGoalMemory* m, const int from[2], int stride,
                                        const double* word) {
  const int side = m->words * RUT_GOAL_WORD;
  memset(m->cell, RUT_GOAL_UNKNOWN, (size_t)side * (size_t)side);
  for (int j = 0; j < side; j++) {
    const int y = from[1] + j - m->corner[1];
    for (int k = 0; k < m->words && y >= 0 && y < side; k++) {
      const int x = from[0] + k * RUT_GOAL_WORD - m->corner[0];
      uint64_t bits = (uint64_t)word[(ptrdiff_t)(j * m->words + k) * stride];
      if (x < 0 || x >= side) continue;
      for (int i = 0; i < RUT_GOAL_WORD; i++, bits /= RUT_GOAL_VALUES) {
        m->cell[y * side + x + i] = (uint8_t)(bits % RUT_GOAL_VALUES);
      }
    }
  }
}

static inline void rut_goal_memory_write(const rutGoalMemory* m, int stride, double* word) {
  const int side = m->words * RUT_GOAL_WORD;
  for (int j = 0; j < side; j++) {
    for (int k = 0; k < m->words; k++) {
      const uint8_t* cell = &m->cell[j * side + k * RUT_GOAL_WORD];
      uint64_t bits = 0;
      for (int i = RUT_GOAL_WORD - 1; i >= 0; i--) bits = bits * RUT_GOAL_VALUES + cell[i];
      word[(ptrdiff_t)(j * m->words + k) * stride] = (double)bits;
    }
  }
}

// Corner of a window about a cell.
RUT_INLINE void rut_goal_memory_corner(int words, const int middle[2], int corner[2]) {
  for (int axis = 0; axis < 2; axis++) {
    const double at = rut_floor((double)(middle[axis] - words * RUT_GOAL_WORD / 2) / RUT_GOAL_WORD);
    corner[axis] = (int)at * RUT_GOAL_WORD;
  }
}

// Put in what the local map knows, with its costs.
static inline void rut_goal_memory_take(rutGoalMemory* m, const rutLocalMap* map,
                                        const uint16_t* cost) {
  const int side = m->words * RUT_GOAL_WORD, local = map->def.side;
  const double r = map->def.resolution;
  for (int j = 0; j < local; j++) {
    for (int i = 0; i < local; i++) {
      const int x = map->corner[0] + i - m->corner[0], y = map->corner[1] + j - m->corner[1];
      if (x < 0 || y < 0 || x >= side || y >= side) continue;
      const rutLocalCell* c =
          rut_local_map_at(map, (map->corner[0] + i + 0.5) * r, (map->corner[1] + j + 0.5) * r);
      if (!c || (c->log_odds == 0 && !(c->points > 0))) continue;
      m->cell[y * side + x] = rut_goal_value(cost[j * local + i]);
    }
  }
}

#endif  // RUT_CONTROL_GOAL_MEMORY_H
