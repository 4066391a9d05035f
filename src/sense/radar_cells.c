// SPDX-License-Identifier: BSD-3-Clause
#include "sense/radar_cells.h"

#include <string.h>

#include "math/rut_math.h"

// A cell that is taken leaves this in the hash table.
enum { TAKEN = -2, NEIGHBOURS = 81 };
static const double FARTHEST = 1e18;  // index of a cell

static uint32_t slots_for(int echoes) {
  uint32_t slots = 16;
  while (slots < 2 * (uint32_t)echoes) slots *= 2;
  return slots;
}

size_t rut_radar_cells_size(int echoes) {
  return (size_t)echoes * (sizeof(rutRadarCell) + 2 * sizeof(int32_t)) +
         slots_for(echoes) * sizeof(int32_t);
}

void rut_radar_cells_init(rutRadarCells* cells, const double resolution[RUT_RADAR_AXES], int echoes,
                          void* memory) {
  *cells = (rutRadarCells){.cell = memory, .slots = slots_for(echoes)};
  memcpy(cells->resolution, resolution, sizeof cells->resolution);
  cells->slot = (int32_t*)(void*)(cells->cell + echoes);
  cells->strongest = cells->slot + cells->slots;
  memset(cells->slot, -1, cells->slots * sizeof *cells->slot);
}

// The finaliser of MurmurHash3, over all axes.
static uint32_t hash_of(const int64_t index[RUT_RADAR_AXES]) {
  uint64_t h = 0;
  for (int k = 0; k < RUT_RADAR_AXES; k++) {
    h = (h ^ (uint64_t)index[k]) * UINT64_C(0xff51afd7ed558ccd);
    h ^= h >> 33;
  }
  return (uint32_t)h;
}

// Slot of the cell of an index; if there is none, the empty one in which it would be.
static uint32_t slot_of(const rutRadarCells* c, const int64_t index[RUT_RADAR_AXES]) {
  uint32_t at = hash_of(index) & (c->slots - 1);
  for (; c->slot[at] != -1; at = (at + 1) & (c->slots - 1)) {
    const int32_t i = c->slot[at];
    if (i >= 0 && memcmp(c->cell[i].index, index, sizeof c->cell[i].index) == 0) break;
  }
  return at;
}

// The cell of an index, which is added if it is new.
static rutRadarCell* cell_at(rutRadarCells* c, const int64_t index[RUT_RADAR_AXES]) {
  const uint32_t at = slot_of(c, index);
  if (c->slot[at] >= 0) return &c->cell[c->slot[at]];
  c->slot[at] = c->n;
  rutRadarCell* added = &c->cell[c->n++];
  *added = (rutRadarCell){.sum = {.instance = -1}};
  memcpy(added->index, index, sizeof added->index);
  return added;
}

void rut_radar_add(rutRadarCells* cells, const rutRadarEcho* echo) {
  int64_t index[RUT_RADAR_AXES] = {0};
  for (int k = 0; k < RUT_RADAR_AXES; k++) {
    const double size = cells->resolution[k];
    if (size > 0) {
      index[k] = (int64_t)rut_clamp(rut_floor(echo->at[k] / size), -FARTHEST, FARTHEST);
    }
  }
  rutRadarEcho* sum = &cell_at(cells, index)->sum;
  sum->power += echo->power;
  for (int k = 0; k < RUT_RADAR_AXES; k++) sum->at[k] += echo->power * echo->at[k];
  if (echo->strongest > sum->strongest) {
    sum->strongest = echo->strongest;
    sum->instance = echo->instance;
  }
}

// ---- the strongest cell ----

// Of equally strong cells the first.
static int32_t stronger(const rutRadarCells* c, int32_t a, int32_t b) {
  if (a < 0 || b < 0) return a < 0 ? b : a;
  const double power = c->cell[a].sum.power, other = c->cell[b].sum.power;
  if (power == other) return a < b ? a : b;
  return power > other ? a : b;
}

static void join(rutRadarCells* c, int node) {
  const int32_t* child = &c->strongest[2 * node];
  c->strongest[node] = stronger(c, child[0], child[1]);
}

void rut_radar_ready(rutRadarCells* cells) {
  rutRadarCells* c = cells;
  c->leaves = c->n;
  for (int i = 0; i < c->n; i++) {
    rutRadarEcho* sum = &c->cell[i].sum;
    for (int k = 0; k < RUT_RADAR_AXES; k++) sum->at[k] /= sum->power;
    c->strongest[c->leaves + i] = i;
  }
  for (int node = c->leaves - 1; node > 0; node--) join(c, node);
}

// A cell has changed.
static void update(rutRadarCells* c, int i) {
  int node = c->leaves + i;
  c->strongest[node] = i < c->n ? i : -1;
  while ((node /= 2) > 0) join(c, node);
}

// The last cell takes the place of the one that goes.
static void remove_cell(rutRadarCells* c, int i) {
  const int last = c->n - 1;
  const uint32_t gone = slot_of(c, c->cell[i].index), moved = slot_of(c, c->cell[last].index);
  c->slot[moved] = i;
  c->slot[gone] = TAKEN;
  c->cell[i] = c->cell[last];
  c->n = last;
  update(c, last);
  if (i < last) update(c, i);
}

// ---- targets ----

static bool near(const rutRadarCells* c, const rutRadarEcho* a, const rutRadarEcho* b) {
  for (int k = 0; k < RUT_RADAR_AXES; k++) {
    if (c->resolution[k] > 0 && rut_abs(a->at[k] - b->at[k]) >= c->resolution[k]) return false;
  }
  return true;
}

// Cells near one: those next to it, at most. The last first.
static int find_near(const rutRadarCells* c, const rutRadarCell* middle, int32_t out[NEIGHBOURS]) {
  int n = 0;
  for (int neighbour = 0; neighbour < NEIGHBOURS; neighbour++) {
    int64_t index[RUT_RADAR_AXES];
    bool resolved = true;
    for (int k = 0, digits = neighbour; k < RUT_RADAR_AXES; k++, digits /= 3) {
      const int step = digits % 3 - 1;
      resolved = resolved && (step == 0 || c->resolution[k] > 0);
      index[k] = middle->index[k] + step;
    }
    const int32_t i = resolved ? c->slot[slot_of(c, index)] : -1;
    if (i < 0 || !near(c, &middle->sum, &c->cell[i].sum)) continue;
    int place = n++;
    for (; place > 0 && out[place - 1] < i; place--) out[place] = out[place - 1];
    out[place] = i;
  }
  return n;
}

bool rut_radar_take(rutRadarCells* cells, double least, rutRadarEcho* out) {
  if (cells->n == 0) return false;
  const rutRadarCell* peak = &cells->cell[cells->strongest[1]];
  if (!(peak->sum.power >= least)) return false;
  int32_t part_of[NEIGHBOURS];
  const int parts = find_near(cells, peak, part_of);
  *out = (rutRadarEcho){.instance = -1};
  for (int i = 0; i < parts; i++) {
    const rutRadarEcho part = cells->cell[part_of[i]].sum;
    out->power += part.power;
    for (int k = 0; k < RUT_RADAR_AXES; k++) out->at[k] += part.power * part.at[k];
    if (part.strongest > out->strongest) {
      out->strongest = part.strongest;
      out->instance = part.instance;
    }
    remove_cell(cells, part_of[i]);
  }
  for (int k = 0; k < RUT_RADAR_AXES; k++) out->at[k] /= out->power;
  return true;
}
