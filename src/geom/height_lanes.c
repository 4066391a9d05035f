// SPDX-License-Identifier: BSD-3-Clause
//
// The walk of rays in lanes over the maximum pyramid of a height field.
#include "geom/height_packet.h"
#include "math/lanes.h"

enum { LANES = RUT_HEIGHT_LANES, TOP_LEVEL = RUT_MAXIMA_LEVELS - 1 };
// Steps at the lowest level: rays that have not found a cell then have more way to go.
enum { CELL_STEPS = 8 };

// Where a ray meets a line of nodes before cell `line` along an axis.
RUT_INLINE float line_at(int line, int begin, float inverse, float before) {
  return (float)(line - begin) * inverse + before;
}

// Returns the number of lanes that still walk.
RUT_CLONES static int walk_on(const rutHeightMap* restrict map, rutHeightLanes* restrict w) {
  const float* restrict top = map->level[0];
  const unsigned width = map->width, numbers = map->width * map->rows, last = map->last;
  int walk = 0;
  _Pragma("omp simd reduction(+ : walk)") for (int i = 0; i < LANES; i++) {
    const int level = w->level[i], x = w->x[i], y = w->y[i], walking = w->walking[i];
    const int from_x = w->cell_x[i], from_y = w->cell_y[i];
    const float per_x = w->inverse_x[i], per_y = w->inverse_y[i];
    const float before_x = w->before_x[i], before_y = w->before_y[i];
    const float t = w->t[i], end = w->end[i], rate = w->rate[i];
    const int line_x = rut_cells_before(x + w->forward_x[i], level);
    const int line_y = rut_cells_before(y + w->forward_y[i], level);
    const float tx = line_at(line_x, from_x, per_x, before_x);
    const float ty = line_at(line_y, from_y, per_y, before_y);
    const float next = tx < ty ? tx : ty, to = next < end ? next : end;
    const float low = w->z[i] + (rate < 0 ? to : t) * rate;
    // numbers (1 + 1/4 + ... ) of the levels below: a third of 4 (1 - 4^-level) numbers
    const unsigned below = ((numbers - (numbers >> 2 * level)) * 0xaaaaaaabu) << 2;
    int at = (int)(below + (unsigned)y * (width >> level) + (unsigned)x);
    at = (unsigned)at < last ? at : (int)last;
    const int clear = (low > top[at] ? -1 : 0) | w->leave[i];
    const int go = clear & (next < end ? -1 : 0) & walking;
    const int across_x = tx < ty ? -1 : 0;
    const int beside_x = x + ((2 * w->forward_x[i] - 1) & across_x);
    const int beside_y = y + ((2 * w->forward_y[i] - 1) & ~across_x);
    const int up =
        ((((beside_x ^ x) | (beside_y ^ y)) >> 1) != 0 ? 1 : 0) & (level < TOP_LEVEL ? 1 : 0);
    // the quarter of the block in which the ray is
    const int down = ~clear & walking & (level > 0 ? -1 : 0);
    const int half = level > 0 ? level - 1 : 0;
    const float middle_x = line_at(rut_cells_before(2 * x + 1, half), from_x, per_x, before_x);
    const float middle_y = line_at(rut_cells_before(2 * y + 1, half), from_y, per_y, before_y);
    const int quarter_x = 2 * x + ((t >= middle_x ? 1 : 0) ^ 1 ^ w->forward_x[i]);
    const int quarter_y = 2 * y + ((t >= middle_y ? 1 : 0) ^ 1 ^ w->forward_y[i]);
    const int still_x = down ? quarter_x : x, still_y = down ? quarter_y : y;
    w->x[i] = go ? beside_x >> up : still_x;
    w->y[i] = go ? beside_y >> up : still_y;
    w->level[i] = level + (up & go) + down;
    w->t[i] = go ? to : t;
    w->leave[i] = w->leave[i] & ~walking;
    w->found[i] = w->found[i] | (~clear & walking & ~down);
    w->walking[i] = go | down;
    walk -= go | down;
  }
  return walk;
}

void rut_height_packet_walk_on(const rutHeightMap* map, int left, rutHeightLanes* lanes) {
  for (int k = 0; k < map->most; k++) {
    if (walk_on(map, lanes) <= left) return;
  }
  // never: but should it be, what is left is lost
  for (int i = 0; i < LANES; i++) {
    lanes->lost[i] |= lanes->walking[i];
    lanes->walking[i] = 0;
  }
}

// As walk_on at level 0, for lanes that need not leave a cell which they have found.
RUT_CLONES static int walk_cells(const rutHeightMap* restrict map, rutHeightLanes* restrict w) {
  const float* restrict top = map->level[0];
  const unsigned width = map->width, last = map->last;
  int walk = 0;
  _Pragma("omp simd reduction(+ : walk)") for (int i = 0; i < LANES; i++) {
    const int x = w->x[i], y = w->y[i], walking = w->walking[i];
    const float t = w->t[i], end = w->end[i], rate = w->rate[i];
    const int line_x = x + w->forward_x[i], line_y = y + w->forward_y[i];
    const float tx = line_at(line_x, w->cell_x[i], w->inverse_x[i], w->before_x[i]);
    const float ty = line_at(line_y, w->cell_y[i], w->inverse_y[i], w->before_y[i]);
    const float next = tx < ty ? tx : ty, to = next < end ? next : end;
    const float low = w->z[i] + (rate < 0 ? to : t) * rate;
    int at = (int)((unsigned)y * width + (unsigned)x);
    at = (unsigned)at < last ? at : (int)last;
    const int clear = low > top[at] ? -1 : 0;
    const int go = clear & (next < end ? -1 : 0) & walking;
    const int across_x = tx < ty ? -1 : 0;
    w->x[i] = x + ((2 * w->forward_x[i] - 1) & across_x & go);
    w->y[i] = y + ((2 * w->forward_y[i] - 1) & ~across_x & go);
    w->t[i] = go ? to : t;
    w->found[i] = w->found[i] | (~clear & walking);
    w->walking[i] = go;
    walk -= go;
  }
  return walk;
}

void rut_height_packet_walk_cells(const rutHeightMap* map, int left, rutHeightLanes* lanes) {
  for (int k = 0; k < CELL_STEPS && walk_cells(map, lanes) > left; k++) {
  }
}
