// SPDX-License-Identifier: BSD-3-Clause
//
// Rays of a batch that walk over a height field at once, in lanes of single precision that only
// find the cells in which they may hit (a maximum pyramid: Tevs, Ihrke and Seidel, I3D 2008).
//
// Lanes err, at most, by
//   along the ground  2^-22 of the cells that the ray has gone over: a line of nodes is met at
//                     (k - o) / d, with four roundings of at most 2^-24 each
//   in height         2^-22 of the range of heights.
// So they only skip what the ray flies over by more than `margin`, twice the change of height that
// belongs to these errors.
#ifndef RUT_GEOM_HEIGHT_PACKET_H
#define RUT_GEOM_HEIGHT_PACKET_H

#include <stdint.h>

#include "geom/height_walk.h"

enum { RUT_HEIGHT_LANES = 32, RUT_HEIGHT_FRAME = 1 };

// The pyramid of a field.
typedef struct rutHeightMap {
  const float* level[RUT_MAXIMA_LEVELS];
  unsigned width, rows;  // cells of the lowest level
  unsigned last;         // index of the last number
  double base;           // height that counts as 0, and the margin [m]
  double margin;         // clearance that is beyond the errors of lanes [m]
  int cells[2];          // of the field
  int most;              // steps after which something is wrong
} rutHeightMap;

// Rays in lanes: where they are at distance t from their beginning, in cells and metres.
enum { RUT_LANE_ROWS = 16 };
typedef union rutHeightLanes {
  struct {
    float z[RUT_HEIGHT_LANES], rate[RUT_HEIGHT_LANES];               // height = z + t rate
    float inverse_x[RUT_HEIGHT_LANES], inverse_y[RUT_HEIGHT_LANES];  // distances per cell
    float before_x[RUT_HEIGHT_LANES], before_y[RUT_HEIGHT_LANES];    // distances to cell 0
    float t[RUT_HEIGHT_LANES], end[RUT_HEIGHT_LANES];
    int forward_x[RUT_HEIGHT_LANES], forward_y[RUT_HEIGHT_LANES];  // 1 or 0
    int cell_x[RUT_HEIGHT_LANES], cell_y[RUT_HEIGHT_LANES];        // where they begin
    int level[RUT_HEIGHT_LANES];
    int x[RUT_HEIGHT_LANES], y[RUT_HEIGHT_LANES];  // present block
    // masks, 0 or -1. leave: the present block is known not to be hit. lost: to be decided by a
    // walk
    int leave[RUT_HEIGHT_LANES];
    int walking[RUT_HEIGHT_LANES], found[RUT_HEIGHT_LANES], lost[RUT_HEIGHT_LANES];
  };
  uint32_t row[RUT_LANE_ROWS][RUT_HEIGHT_LANES];  // up to leave
} rutHeightLanes;

// The same rays in double precision, as of rutHeightWalk.
enum { RUT_EXACT_ROWS = 10, RUT_BEGIN_ROWS = 3 };
typedef union rutHeightExact {
  struct {
    double o[3][RUT_HEIGHT_LANES], d[3][RUT_HEIGHT_LANES], inverse[2][RUT_HEIGHT_LANES];
    double t0[RUT_HEIGHT_LANES], t1[RUT_HEIGHT_LANES];
  };
  double row[RUT_EXACT_ROWS][RUT_HEIGHT_LANES];
} rutHeightExact;
typedef union rutHeightBegin {
  struct {
    int ray[RUT_HEIGHT_LANES];  // in the batch
    int cell_x[RUT_HEIGHT_LANES], cell_y[RUT_HEIGHT_LANES];
  };
  int row[RUT_BEGIN_ROWS][RUT_HEIGHT_LANES];
} rutHeightBegin;

typedef struct rutHeightPacket {
  rutHeightExact exact;
  rutHeightBegin begin;
  rutHeightLanes lanes;
} rutHeightPacket;

// What the loops over lanes need of a walk: without its side and the inverse of its rise.
RUT_INLINE rutHeightWalk rut_height_packet_walk(const rutHeightPacket* p, int i) {
  const rutHeightExact* e = &p->exact;
  return (rutHeightWalk){.o = {e->o[0][i], e->o[1][i], e->o[2][i]},
                         .d = {e->d[0][i], e->d[1][i], e->d[2][i]},
                         .inverse = {e->inverse[0][i], e->inverse[1][i], 0},
                         .t0 = e->t0[i],
                         .t1 = e->t1[i],
                         .cell = {p->begin.cell_x[i], p->begin.cell_y[i]},
                         .side = RUT_NO_SIDE};
}

// Cells before a block of a level, which may be one beside the map.
RUT_INLINE int rut_cells_before(int block, int level) { return (int)((unsigned)block << level); }

// Rays of a batch from `first` on, n of them, at most as many as there are lanes. Those that are
// over the map are set walking. The other lanes must be 0.
void rut_height_packet_begin(const rutHeightField* field, const rutHeightRays* rays, int first,
                             int n, rutHeightPacket* packet);
// Distance up to which none of the rays that walk comes near the ground [m], infinite if none ever
// does; and the level at which lanes should begin there.
double rut_height_packet_start(const rutHeightMap* map, const rutHeightPacket* packet, int* level);
// Lanes begin at that distance or where their rays do, in blocks of a level. Those that have ended
// before stop.
void rut_height_packet_place(const rutHeightMap* map, double start, int level,
                             rutHeightPacket* packet);
// Lanes walk on, each to the next cell in which it may hit or to its end, until no more than `left`
// of them walk.
void rut_height_packet_walk_on(const rutHeightMap* map, int left, rutHeightLanes* lanes);
// The same for lanes that begin at the lowest level, and stay there, for some steps only.
void rut_height_packet_walk_cells(const rutHeightMap* map, int left, rutHeightLanes* lanes);

#endif  // RUT_GEOM_HEIGHT_PACKET_H
