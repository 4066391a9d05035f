// SPDX-License-Identifier: BSD-3-Clause
//
// Ground that keeps ruts: what wheels have made of the untouched surface, as square cells in tiles
// that exist where something has happened, found by a hash of their place. The pool of tiles is
// reserved once; memory is touched tile by tile, and nothing is allocated afterwards.
//
// Each cell has three heights: how high the untouched surface has been raised by soil that wheels
// pushed there (negative where slipping wheels have carried soil away: rut_dig.h), how deep the
// soil under that raised surface has been pressed, and how deep the rut in it is, once the wheel is
// gone (less than pressed: the soil springs back a little). They are whole multiples of 2^-24 m (60
// nm), so that sums are exact: no volume is lost, whatever the order of the additions, and a state
// saved and set again is the same to the bit.
//
// At the edge of a rut wheels have run over a part of a cell only: its share of the cell is the
// exact overlap of cell and track. `pressed` is the depth in that part; `raised` and `rut` are
// means over the cell, which have its volume. Soil pushed out lies beside the part, and what was
// raised before is under it as well. So a track has the same width, volume and centre on any grid.
//
// A wheel needs `pressed` for the soil's law, and `raised`, which adds to the depth of its lowest
// point below the untouched surface. The law has one pressed depth for the whole contact, which
// must be that of soil that the wheel has not met yet. Therefore rut_soft_read reads the means over
// the rectangle between the lowest and the foremost point of contact, by exact overlap, and
// rut_soft_press writes the cells that have wholly come to lie behind the lowest point: over fresh
// soil a wheel reads 0, in a rut of depth p and of its width exactly p, and what it reads is a
// continuous function of its place. An edge of the patch in the same cell as that of a track is
// taken to be the same edge.
#ifndef RUT_TERRAIN_RUT_GRID_H
#define RUT_TERRAIN_RUT_GRID_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "rut/rut.h"

enum {
  RUT_SOFT_SIDE = 16,                             // cells along a tile
  RUT_SOFT_CELLS = RUT_SOFT_SIDE * RUT_SOFT_SIDE  // of a tile
};
// One unit of height [m], and the largest number of a cell in units, 32 m; sums of two fit into 32
// bits.
#define RUT_SOFT_UNIT (1.0 / (1 << 24))
#define RUT_SOFT_MOST (1 << 29)
// Share of a whole cell, and one unit of raised soil under a part of one [units].
#define RUT_SOFT_WHOLE (1 << 14)
#define RUT_SOFT_UNDER (1 << 11)
// Bits of the fraction in which rutSoftGround.share counts.
#define RUT_SOFT_SHARE_BITS 16
// Footprints are cut where they reach farther than this many cells from the lowest point, along or
// across.
#define RUT_SOFT_REACH 36

typedef struct rutSoftDef {
  double cell;       // side of a cell [m]
  double displaced;  // part of the pressed volume that moves to the borders, 0 to 1
  double border;     // width of each border, in widths of the wheel
  double repose;     // tangent of the steepest slope of soil that lies loose; 0: it stays
  int tiles;         // that there may be
  int counts;        // 1: passes are counted
} rutSoftDef;

// Numbers of cells, rows of x one after the other [units]; pressed and rut >= 0.
typedef struct rutSoftTile {
  int32_t x, y;  // of its cells >> 4
  int32_t raised[RUT_SOFT_CELLS];
  int32_t pressed[RUT_SOFT_CELLS];
  int32_t rut[RUT_SOFT_CELLS];
  uint16_t part[RUT_SOFT_CELLS];  // that wheels have run over [1/RUT_SOFT_WHOLE]
  int16_t under[RUT_SOFT_CELLS];  // raised soil under it, where it is less than the whole cell
} rutSoftTile;

// Passes over the part of a tile's cells that wheels have run over, and their mean slip.
#define RUT_SOFT_PASS 256
#define RUT_SOFT_SLIP 255
typedef struct rutSoftPasses {
  uint16_t passes[RUT_SOFT_CELLS];  // [1/RUT_SOFT_PASS]
  uint8_t slip[RUT_SOFT_CELLS];     // [1/RUT_SOFT_SLIP]
} rutSoftPasses;

// Volumes since the start [units x cell area]. The heights of all cells, raised less rut, sum to
// deposited - pressed.
typedef struct rutSoftLedger {
  int64_t pressed;    // by which wheels have lowered the surface
  int64_t deposited;  // of it, what lies at the borders or has fallen back
} rutSoftLedger;

// Tiles of a run from which others go on. They read these and take a copy of a tile before they
// change it, so that a thousand of them have one set of old ruts and each its new ones.
typedef struct rutSoftBase {
  const rutSoftTile* tile;      // [tiles]
  const rutSoftPasses* passes;  // [tiles], NULL if they are not counted
  rutSoftLedger ledger;
  int tiles, full;
  atomic_int users;  // grounds that have it
} rutSoftBase;

typedef struct rutSoftGround {
  rutSoftDef def;
  double inverse;    // 1 / cell
  int64_t share;     // displaced x 2^RUT_SOFT_SHARE_BITS
  int32_t steepest;  // rise of loose soil from one cell to the next [units]
  int used;          // tiles
  int full;          // a tile was wanted that the pool did not have
  rutSoftLedger ledger;
  int32_t box[4];         // around all tiles: first and last x, first and last y, as in rutSoftTile
  uint32_t mask;          // of slots
  int32_t* slot;          // [mask + 1] index of a tile + 1, minus that if it is the base's, 0: none
  rutSoftTile* tile;      // [def.tiles], those that are the base's unused
  rutSoftPasses* passes;  // [def.tiles] likewise, NULL if they are not counted
  rutSoftBase* base;      // not owned, NULL: none
  int own;                // tiles that are not the base's
} rutSoftGround;

// Where n wheels stand and go.
typedef struct rutSoftPatches {
  const double *x, *y;          // of the lowest point [m]
  const double *dir_x, *dir_y;  // unit vector of travel
  const double* ahead;          // length of the contact before the lowest point [m]
  const double* width;          // [m]
  // Width of each shoulder of which the floor is asked for [m]; 0: not of this wheel. NULL: of
  // none.
  const double* shoulder;
} rutSoftPatches;

// What they find, means over the soil that they meet: depth to which it has been pressed, below the
// raised surface, and by how much that is raised [m]; how many wheels have passed, and their slip.
typedef struct rutSoftFound {
  double *pressed, *raised;
  double *passes, *slip;  // NULL where they are not asked for
  // Mean floor under the outermost part of each side, left and right of the way, above the
  // untouched surface [m]; 0 where it is not asked for. NULL where no shoulders are.
  double *left, *right;
} rutSoftFound;
// What a slipping wheel carries away. depth 0: nothing.
typedef struct rutSoftDig {
  double x, y, dir_x, dir_y;  // lowest point, unit vector of travel
  double ahead, behind;       // length of the contact from there [m]
  double width;               // [m]
  double depth;               // by which the soil under it goes down, were there no walls [m]
  double laid;                // length on which it is laid, before the contact, < 0: behind [m]
} rutSoftDig;

// What a wheel does to the ground in one step. width 0: nothing.
typedef struct rutSoftPress {
  double x, y, dir_x, dir_y;
  // Unit vector of motion, 0 for that of the heading. A wheel that moves at an angle to its heading
  // leaves a track of this direction.
  double move_x, move_y;
  double ahead;   // length of the contact before the lowest point [m], which then widens it
  double behind;  // at least the distance of this step, so that no gaps remain [m]
  double width;
  // Depths below the untouched surface, that is less `raised`: to which the soil is pressed, and
  // of the rut that remains [m].
  double pressed, rut;
  double slip;  // 0 to 1
  rutSoftDig dig;
} rutSoftPress;

// Tiles that fit into so many bytes, with their part of the index.
int rut_soft_tiles(double bytes, int counts);
// Bytes that a tile takes.
double rut_soft_tile_bytes(int counts);

// Carve ground from an arena; NULL while measuring. The memory need not be zeroed, and tiles that
// are never used are never touched.
rutSoftGround* rut_soft_build(const rutSoftDef* def, rutArena* arena);
// Back to the untouched surface.
void rut_soft_reset(rutSoftGround* ground);

// Read the soil that n wheels meet.
void rut_soft_read(const rutSoftGround* ground, int n, const rutSoftPatches* patch,
                   const rutSoftFound* found);
// Write what a wheel does: cells under it become as deep as it is, displaced soil goes to both
// sides and slides where it is too steep.
void rut_soft_press(rutSoftGround* ground, const rutSoftPress* press);

// The same, if the wheel has moved a quarter of a cell, or sunk deeper, since it last did; `last`,
// zero at first, keeps when that was and belongs to the state.
void rut_soft_follow(rutSoftGround* ground, const rutSoftPress* press, rutSoftPress* last);

// A square of `side` x `side` cells, counted in such squares from 0, 0 of the world.
typedef struct rutSoftBlock {
  int32_t side, i, j;
} rutSoftBlock;
// The one of a place [m].
rutSoftBlock rut_soft_block(const rutSoftGround* ground, int32_t side, double x, double y);
// Means over a block, of which heaps do not count: how far the surface has been dug away, and the
// depth below what is left to which the soil has been pressed [m].
void rut_soft_mean(const rutSoftGround* ground, rutSoftBlock block, double* dug, double* pressed);
// A plate stands on a block: its soil is pressed to a depth below the untouched surface, of which
// `rut` remains [m]. It is compacted; nothing goes to its borders.
void rut_soft_stamp(rutSoftGround* ground, rutSoftBlock block, double pressed, double rut);

// Depth below the untouched surface of the part of a cell that wheels have run over, of all of it
// where none has [m].
double rut_soft_depth(const rutSoftTile* tile, int cell);

// Add the change to a surface, bilinear between the middles of cells; z stays NaN where it is.
void rut_soft_add(const rutSoftGround* ground, const rutGroundPoints* at,
                  const rutGroundSurface* surface);

// Whether the surface may have changed between two places [m], and by how much it is raised there
// at most [m]; infinite if they are too far apart to look.
bool rut_soft_near(const rutSoftGround* ground, const double from[2], const double to[2],
                   double* raised);

// Exact copies: bytes, get, set. A saved ground says itself how long it is; 0 if that cannot be, or
// is more than `available`.
size_t rut_soft_size(const rutSoftGround* ground);
void rut_soft_get(const rutSoftGround* ground, void* to);
size_t rut_soft_saved_size(const rutSoftGround* ground, const void* saved, size_t available);
void rut_soft_set(rutSoftGround* ground, const void* saved);
uint64_t rut_soft_hash(const rutSoftGround* ground, uint64_t hash);

// What a base of a ground's tiles takes [bytes], and the base, made in memory of that size, aligned
// as for malloc, which is the caller's. Grounds that have it count as its users.
size_t rut_soft_base_size(const rutSoftGround* ground);
rutSoftBase* rut_soft_base_make(const rutSoftGround* ground, void* memory);
// Go on from a base that was made of a ground with the same def. The ground is, to the bit, the one
// that it was made of; a later reset or set leaves the base.
void rut_soft_share(rutSoftGround* ground, rutSoftBase* base);
// Before the ground's memory goes: it has no base any more, nor its tiles.
void rut_soft_leave(rutSoftGround* ground);

// Tile with these coordinates, NULL if nothing has happened there.
const rutSoftTile* rut_soft_find(const rutSoftGround* ground, int32_t x, int32_t y);
// The same to be changed, made if there is none yet; NULL if the pool is full. What was found
// there before may be the base's, which stays as it is.
rutSoftTile* rut_soft_take(rutSoftGround* ground, int32_t x, int32_t y);
// Tile number i of `used`, in the order in which they were made.
const rutSoftTile* rut_soft_tile(const rutSoftGround* ground, int i);
// Whether a tile is this ground's own: those are next to each other, and the base's elsewhere.
static inline bool rut_soft_owns(const rutSoftGround* ground, const rutSoftTile* tile) {
  return (uintptr_t)tile - (uintptr_t)ground->tile < (size_t)ground->def.tiles * sizeof *tile;
}
// Passes over a tile that rut_soft_find or rut_soft_tile gave.
const rutSoftPasses* rut_soft_passes(const rutSoftGround* ground, const rutSoftTile* tile);

#endif  // RUT_TERRAIN_RUT_GRID_H
