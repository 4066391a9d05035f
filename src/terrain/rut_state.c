// SPDX-License-Identifier: BSD-3-Clause
//
// Ground that keeps ruts as bytes, and as a base from which others go on.
#include <string.h>

#include "base/hash.h"
#include "terrain/rut_grid.h"

// What a saved ground begins with; its tiles follow.
typedef struct SoftHead {
  int64_t used, full;
  rutSoftLedger ledger;
} SoftHead;

static SoftHead head_of(const rutSoftGround* ground) {
  return (SoftHead){ground->used, ground->full, ground->ledger};
}

static size_t tiles_size(int64_t tiles) { return (size_t)tiles * sizeof(rutSoftTile); }
static size_t passes_size(const rutSoftGround* ground, int64_t tiles) {
  return ground->passes ? (size_t)tiles * sizeof(rutSoftPasses) : 0;
}

size_t rut_soft_size(const rutSoftGround* ground) {
  return sizeof(SoftHead) + tiles_size(ground->used) + passes_size(ground, ground->used);
}

// All tiles, and where they are counted their passes.
static void copy_tiles(const rutSoftGround* ground, void* tiles, void* passes) {
  for (int i = 0; i < ground->used; i++) {
    const rutSoftTile* tile = rut_soft_tile(ground, i);
    memcpy((rutSoftTile*)tiles + i, tile, sizeof *tile);
    if (!ground->passes) continue;
    memcpy((rutSoftPasses*)passes + i, rut_soft_passes(ground, tile), sizeof *ground->passes);
  }
}

void rut_soft_get(const rutSoftGround* ground, void* to) {
  const SoftHead head = head_of(ground);
  memcpy(to, &head, sizeof head);
  if (!ground->used) return;
  unsigned char* rest = (unsigned char*)to + sizeof head;
  copy_tiles(ground, rest, rest + tiles_size(ground->used));
}

size_t rut_soft_saved_size(const rutSoftGround* ground, const void* saved, size_t available) {
  SoftHead head;
  if (available < sizeof head) return 0;
  memcpy(&head, saved, sizeof head);
  if (head.used < 0 || head.used > ground->def.tiles) return 0;
  const size_t size = sizeof head + tiles_size(head.used) + passes_size(ground, head.used);
  return size <= available ? size : 0;
}

void rut_soft_set(rutSoftGround* ground, const void* saved) {
  SoftHead head;
  memcpy(&head, saved, sizeof head);
  rut_soft_reset(ground);
  const unsigned char* from = (const unsigned char*)saved + sizeof head;
  for (int64_t i = 0; i < head.used; i++, from += sizeof(rutSoftTile)) {
    int32_t at[2];
    memcpy(at, from, sizeof at);
    rutSoftTile* tile = rut_soft_take(ground, at[0], at[1]);
    if (tile) memcpy(tile, from, sizeof *tile);
  }
  // tiles stand in the order in which they were saved
  if (ground->passes && ground->used == head.used)
    memcpy(ground->passes, from, passes_size(ground, head.used));
  ground->full = head.full != 0;
  ground->ledger = head.ledger;
}

uint64_t rut_soft_hash(const rutSoftGround* ground, uint64_t hash) {
  const SoftHead head = head_of(ground);
  hash = rut_hash(hash, &head, sizeof head);
  for (int i = 0; i < ground->used; i++) {
    hash = rut_hash(hash, rut_soft_tile(ground, i), sizeof *ground->tile);
  }
  for (int i = 0; ground->passes && i < ground->used; i++) {
    hash =
        rut_hash(hash, rut_soft_passes(ground, rut_soft_tile(ground, i)), sizeof *ground->passes);
  }
  return hash;
}

size_t rut_soft_base_size(const rutSoftGround* ground) {
  return sizeof(rutSoftBase) + tiles_size(ground->used) + passes_size(ground, ground->used);
}

rutSoftBase* rut_soft_base_make(const rutSoftGround* ground, void* memory) {
  rutSoftBase* base = memory;
  rutSoftTile* tile = (rutSoftTile*)(base + 1);
  rutSoftPasses* passes = (rutSoftPasses*)(tile + ground->used);
  copy_tiles(ground, tile, passes);
  *base = (rutSoftBase){.tile = tile,
                        .passes = ground->passes ? passes : NULL,
                        .ledger = ground->ledger,
                        .tiles = ground->used,
                        .full = ground->full};
  return base;
}
