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

// Vehicles that fill up a batch, and wheels that fill up a vector, press nothing.
static void commit_batch(rutData* data, const rutGroup* group, int batch) {
  const rutSoftPress* press = rut_vehicle_batch(data, group, batch).press;
  rutSoftPress* last = data->last_press + (press - data->press);
  const int left = group->count - batch * group->lanes;
  const int used = left < group->lanes ? left : group->lanes;
  for (int w = 0; w < group->wheels; w++) {
    for (int l = 0; l < used; l++) {
      const int i = w * group->lanes + l;
      rut_soft_follow(data->soft, &press[i], &last[i]);
      rut_soft_dig(data->soft, &press[i].dig);
    }
  }
}

void rut_ruts_commit(const rutModel* model, rutData* data) {
  if (!data->soft) return;
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* group = &model->group[i];
    for (int b = 0; group->spatial && b < group->batches; b++) commit_batch(data, group, b);
    if (group->spatial) rut_axles_print(model, data, group);
  }
  rut_ruts_forget(model, data);
}

// ---- what is told about them ----

bool rut_ruts(const rutModel* model, const rutData* data, rutRuts* out) {
  *out = (rutRuts){0};
  const rutSoftGround* g = data->soft;
  if (!model->soft || !g || !rut_data_is_of(data, model)) return false;
  static const double LEAST = 0.05;
  double cells = 0, sum = 0, most = 0;
  for (int t = 0; t < g->used; t++) {
    for (int k = 0; k < RUT_SOFT_CELLS; k++) {
      const int share = g->tile[t].part[k] > 0 ? g->tile[t].part[k] : RUT_SOFT_WHOLE;
      const double part = (double)share / RUT_SOFT_WHOLE;
      const double depth = rut_soft_depth(&g->tile[t], k);
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
      .memory = g->used * rut_soft_tile_bytes(g->def.counts),
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
    const rutSoftTile* tile = &g->tile[*cursor / RUT_SOFT_CELLS];
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
