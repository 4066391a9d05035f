// SPDX-License-Identifier: BSD-3-Clause
#include "scene/update_log.h"

#include <math.h>
#include <stdlib.h>

#include "clock.h"
#include "scene/update.h"

enum { BLOCK = 1024 };
static const double SKY = 1e6;     // above all ground [m]
static const double SHARE = 0.02;  // of the time of the run that it may take
static const double PERIOD = 1;    // between messages at least, simulated time [s]
static const double RATE = 2e5;    // bytes per simulated second at most, before they are packed

struct viewUpdateLog {
  rutLog* log;
  int channel;
  viewShown shown;
  viewShownSource source;
  double due, last;     // simulated time of the next message, and of the last state [s]
  double begun, spent;  // wall clock at the start, and what it has taken so far [s]
};

// What heights are read of.
typedef struct Ground {
  const rutModel* model;
  const rutData* data;
} Ground;

static bool read_heights(void* user, int n, const double* x, const double* y, float* out) {
  const Ground* ground = user;
  double below[BLOCK], z[BLOCK], sx[BLOCK], sy[BLOCK];
  for (int from = 0; from < n; from += BLOCK) {
    const int m = n - from < BLOCK ? n - from : BLOCK;
    for (int i = 0; i < m; i++) below[i] = SKY;
    rut_terrain_surface(ground->model, ground->data, &(rutGroundPoints){m, x + from, y + from},
                        below, &(rutGroundSurface){z, sx, sy});
    for (int i = 0; i < m; i++) out[from + i] = (float)z[i];
  }
  return true;
}

static rutStatus no_memory(rutError* err) {
  if (err) *err = (rutError){.status = RUT_ERR_MEMORY, .message = "no memory for scenes of a log"};
  return RUT_ERR_MEMORY;
}

static rutStatus write_scene(viewUpdateLog* l, const rutModel* model, const rutData* data,
                             rutError* err) {
  const double start = cli_clock(), time = rut_time(data);
  Ground ground = {model, data};
  l->source.heights = (viewHeights){&ground, read_heights};
  viewBytes* bytes = view_shown_all(&l->shown, &l->source, (int64_t)llround(time * 1e9));
  l->source.heights = (viewHeights){0};
  if (!bytes) return no_memory(err);
  const rutStatus status = rut_log_write(l->log, l->channel, time, bytes->data, bytes->size, err);
  l->due = time + fmax(PERIOD, (double)bytes->size / RATE);
  view_bytes_drop(bytes);
  l->spent += cli_clock() - start;
  return status;
}

rutStatus view_update_log_create(const viewUpdateLogDef* def, const rutModel* model,
                                 const rutData* data, viewUpdateLog** out, rutError* err) {
  const rutLogChannelDef channel = {.topic = VIEW_UPDATE_TOPIC,
                                    .schema = VIEW_UPDATE_TYPE,
                                    .definition = view_update_definition,
                                    .encoding = "cdr"};
  viewUpdateLog* l = calloc(1, sizeof *l);
  *out = l;
  if (!l) return no_memory(err);
  l->log = def->log;
  l->source = (viewShownSource){
      .scene = view_bytes_share(def->scene), .tiles = def->tiles, .moving = def->moving};
  l->last = rut_time(data);
  rutStatus status = rut_log_channel(l->log, &channel, &l->channel, err);
  if (status == RUT_OK) status = write_scene(l, model, data, err);
  // the first one is a part of the start, as the files of the scene are
  l->spent = 0;
  l->begun = cli_clock();
  if (status == RUT_OK) return RUT_OK;
  view_update_log_close(l, NULL, NULL, NULL);
  *out = NULL;
  return status;
}

rutStatus view_update_log_step(viewUpdateLog* l, const rutModel* model, const rutData* data,
                               rutError* err) {
  const double time = rut_time(data);
  if (time < l->last) l->due = time;
  l->last = time;
  if (time < l->due || l->spent > SHARE * (cli_clock() - l->begun)) return RUT_OK;
  l->due = time + PERIOD;
  if (!view_shown_changed(&l->shown, &l->source)) return RUT_OK;
  return write_scene(l, model, data, err);
}

rutStatus view_update_log_close(viewUpdateLog* l, const rutModel* model, const rutData* data,
                                rutError* err) {
  if (!l) return RUT_OK;
  rutStatus status = RUT_OK;
  if (model && data && view_shown_changed(&l->shown, &l->source)) {
    status = write_scene(l, model, data, err);
  }
  view_shown_forget(&l->shown);
  view_bytes_drop(l->source.scene);
  free(l);
  return status;
}
