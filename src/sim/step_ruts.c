// SPDX-License-Identifier: BSD-3-Clause
//
// Ruts: wheels deform the ground at the end of a step; queries of ruts.
#include "sim/step_ruts.h"

#include <string.h>

#include "math/rut_math.h"
#include "sim/step_axles.h"
#include "terrain/rut_dig.h"

void rut_ruts_forget(const rutModel* model, rutData* data) {
  if (data->press) memset(data->press, 0, model->presses * sizeof *data->press);
}

void rut_ruts_reset(const rutModel* model, rutData* data) {
  if (!data->soft) return;
  rut_soft_reset(data->soft);
  memset(data->last_press, 0, model->presses * sizeof *data->last_press);
  rut_ruts_forget(model, data);
}

// What wheel w of vehicle k of a group is about to press.
static size_t press_of(const rutGroup* group, int k, int w) {
  const int slot = rut_group_slot(group, k), lanes = group->lanes;
  return group->press_offset + (size_t)(slot / lanes * group->spatial->body.n) +
         (size_t)(w * lanes + slot % lanes);
}

// Wheel by wheel of vehicles that are in a batch together where the world has all lanes for itself:
// the order is the same in a lane of its own.
static void commit_group(rutData* data, const rutGroup* group) {
  const int together = group->own_lane ? RUT_MBD_LANES : group->lanes;
  for (int first = 0; first < group->count; first += together) {
    for (int w = 0; w < group->wheels; w++) {
      for (int k = first; k < first + together && k < group->count; k++) {
        const size_t i = press_of(group, k, w);
        rut_soft_follow(data->soft, &data->press[i], &data->last_press[i]);
        rut_soft_dig(data->soft, &data->press[i].dig);
      }
    }
  }
}

void rut_ruts_commit(const rutModel* model, rutData* data) {
  if (!data->soft) return;
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* group = &model->group[i];
    if (!group->spatial) continue;
    commit_group(data, group);
    rut_axles_print(model, data, group);
  }
}

// ---- what is told about them ----

bool rut_ruts(const rutModel* model, const rutData* data, rutRuts* out) {
  *out = (rutRuts){0};
  const rutSoftGround* g = data->soft;
  if (!model->soft || !g || !rut_data_is_of(data, model)) return false;
  static const double LEAST = 0.05;
  double cells = 0, sum = 0, most = 0;
  for (int t = 0; t < g->used; t++) {
    const rutSoftTile* tile = rut_soft_tile(g, t);
    for (int k = 0; k < RUT_SOFT_CELLS; k++) {
      const int share = tile->part[k] > 0 ? tile->part[k] : RUT_SOFT_WHOLE;
      const double part = (double)share / RUT_SOFT_WHOLE;
      const double depth = rut_soft_depth(tile, k);
      if (!(depth > 0)) continue;
      cells += part;
      sum += part * depth;
      // a sliver of a track in a cell tells no depth
      most = part > LEAST ? rut_max(depth, most) : most;
    }
  }
  const double area = g->def.cell * g->def.cell;
  *out = (rutRuts){
      .cell = g->def.cell,
      .area = cells * area,
      .mean_depth = cells > 0 ? sum / cells : 0,
      .max_depth = most,
      .volume = (double)g->ledger.pressed * RUT_SOFT_UNIT * area,
      .displaced = (double)g->ledger.deposited * RUT_SOFT_UNIT * area,
      .memory = g->own * rut_soft_tile_bytes(g->def.counts),
      .capacity = g->def.tiles * rut_soft_tile_bytes(g->def.counts),
      .full = g->full != 0,
  };
  return true;
}

int rut_ruts_next(const rutModel* model, const rutData* data, size_t* cursor, int n,
                  rutRutCell* cell) {
  const rutSoftGround* g = data->soft;
  if (!model->soft || !g || !rut_data_is_of(data, model)) return 0;
  const size_t end = (size_t)g->used * RUT_SOFT_CELLS;
  int found = 0;
  for (; *cursor < end && found < n; (*cursor)++) {
    const rutSoftTile* tile = rut_soft_tile(g, (int)(*cursor / RUT_SOFT_CELLS));
    const int k = (int)(*cursor % RUT_SOFT_CELLS);
    if (tile->raised[k] == 0 && tile->pressed[k] == 0 && tile->rut[k] == 0) continue;
    const double i = (double)tile->x * RUT_SOFT_SIDE + k % RUT_SOFT_SIDE;
    const double j = (double)tile->y * RUT_SOFT_SIDE + k / RUT_SOFT_SIDE;
    cell[found++] = (rutRutCell){(i + 0.5) * g->def.cell, (j + 0.5) * g->def.cell,
                                 (tile->raised[k] - tile->rut[k]) * RUT_SOFT_UNIT,
                                 tile->pressed[k] * RUT_SOFT_UNIT};
  }
  return found;
}
