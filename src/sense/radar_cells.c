// SPDX-License-Identifier: BSD-3-Clause
#include "sense/radar_cells.h"

#include <string.h>

#include "math/rut_math.h"

static uint32_t slots_for(int echoes) {
  uint32_t slots = 16;
  while (slots < 2 * (uint32_t)echoes) slots *= 2;
  return slots;
}

size_t rut_radar_cells_size(int echoes) {
  return (size_t)echoes * sizeof(rutRadarCell) + slots_for(echoes) * sizeof(int32_t);
}

void rut_radar_cells_init(rutRadarCells* cells, const double resolution[RUT_RADAR_AXES], int echoes,
                          void* memory) {
  *cells = (rutRadarCells){.cell = memory, .slots = slots_for(echoes)};
  memcpy(cells->resolution, resolution, sizeof cells->resolution);
  cells->slot = (int32_t*)(void*)(cells->cell + echoes);
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

// The cell of an index, which is added if it is new.
static rutRadarCell* cell_at(rutRadarCells* c, const int64_t index[RUT_RADAR_AXES]) {
  uint32_t at = hash_of(index) & (c->slots - 1);
  for (; c->slot[at] >= 0; at = (at + 1) & (c->slots - 1)) {
    rutRadarCell* cell = &c->cell[c->slot[at]];
    if (memcmp(cell->index, index, sizeof cell->index) == 0) return cell;
  }
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
    if (size > 0) index[k] = (int64_t)rut_floor(echo->at[k] / size);
  }
  rutRadarEcho* sum = &cell_at(cells, index)->sum;
  sum->power += echo->power;
  for (int k = 0; k < RUT_RADAR_AXES; k++) sum->at[k] += echo->power * echo->at[k];
  if (echo->strongest > sum->strongest) {
    sum->strongest = echo->strongest;
    sum->instance = echo->instance;
  }
}

void rut_radar_ready(rutRadarCells* cells) {
  for (int i = 0; i < cells->n; i++) {
    rutRadarEcho* sum = &cells->cell[i].sum;
    for (int k = 0; k < RUT_RADAR_AXES; k++) sum->at[k] /= sum->power;
  }
}

static bool near(const rutRadarCells* c, const rutRadarEcho* a, const rutRadarEcho* b) {
  for (int k = 0; k < RUT_RADAR_AXES; k++) {
    if (c->resolution[k] > 0 && rut_abs(a->at[k] - b->at[k]) >= c->resolution[k]) return false;
  }
  return true;
}

bool rut_radar_take(rutRadarCells* cells, double least, rutRadarEcho* out) {
  int peak = -1;
  for (int i = 0; i < cells->n; i++) {
    const double power = cells->cell[i].sum.power;
    if (power >= least && (peak < 0 || power > cells->cell[peak].sum.power)) peak = i;
  }
  if (peak < 0) return false;
  const rutRadarEcho middle = cells->cell[peak].sum;
  *out = (rutRadarEcho){.instance = -1};
  for (int i = cells->n - 1; i >= 0; i--) {
    const rutRadarEcho part = cells->cell[i].sum;
    if (!near(cells, &middle, &part)) continue;
    out->power += part.power;
    for (int k = 0; k < RUT_RADAR_AXES; k++) out->at[k] += part.power * part.at[k];
    if (part.strongest > out->strongest) {
      out->strongest = part.strongest;
      out->instance = part.instance;
    }
    cells->cell[i] = cells->cell[--cells->n];
  }
  for (int k = 0; k < RUT_RADAR_AXES; k++) out->at[k] /= out->power;
  return true;
}
