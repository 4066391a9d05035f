// SPDX-License-Identifier: BSD-3-Clause
#include "scene/recorder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "scene/frame.h"
#include "scene/scene.h"
#include "scene/tracks.h"
#include "scene/update_log.h"

enum {
  ROW = VIEW_SAMPLES,          // sampled at once
  MAX_ASSETS_SIZE = 64 << 20,  // bytes of all files that go into a log
  TILES_AT_ONCE = 4
};
static const double PERIOD = 0.05;     // between frames, simulated time [s]
static const double SHARE = 0.02;      // of the time of the run that frames may take, and ground
static const double LONGEST = 0.5;     // between frames, however little time there is [s]
static const double MARK_EVERY = 0.1;  // between looks at where wheels are [s]
static const double SETTLED = 0.5;     // since a wheel was last near ground that is recorded [s]
static const double SKY = 1e6;         // above all ground [m]

struct viewRecorder {
  rutLog* log;
  int channel, ground;
  viewShape shape;
  viewTiles tiles;
  viewSnapshot snapshot;
  viewReader reader;
  viewTracks tracks;
  viewRefused refused;
  viewBytes* scene;       // scene.json
  viewUpdateLog* update;  // NULL: none is wanted
  unsigned char* frame;
  // simulated time of the next frame, of the last one, of the next look, of the last step
  double due, shown, mark, last;
  double begun, spent,
      spent_ground;  // wall clock at the start, and what both have taken so far [s]
};

static rutStatus no_memory(rutError* err) {
  if (err) *err = (rutError){.status = RUT_ERR_MEMORY, .message = "no memory for frames of a log"};
  return RUT_ERR_MEMORY;
}

// ---- attachments ----

static rutStatus attach_packed(rutLog* log, const char* name, const void* data, size_t size,
                               rutError* err) {
  viewBytes* packed = view_bytes_pack(data, size);
  if (!packed) return no_memory(err);
  const rutStatus status =
      rut_log_attach(log, name, "application/gzip", packed->data, packed->size, err);
  view_bytes_drop(packed);
  return status;
}

// Heights and soils of the extent, as /terrain and /soil give them.
static rutStatus attach_ground(rutLog* log, const rutModel* model, const rutData* data,
                               const double extent[4], bool flat, rutError* err) {
  const size_t n = (size_t)VIEW_SAMPLES * VIEW_SAMPLES;
  float* height = malloc(n * sizeof *height);
  unsigned char* soil = malloc(n);
  if (!height || !soil) {
    free(height);
    free(soil);
    return no_memory(err);
  }
  for (int row = 0; row < VIEW_SAMPLES; row++) {
    double x[ROW], y[ROW], z[ROW], below[ROW], sx[ROW], sy[ROW];
    int index[ROW];
    for (int i = 0; i < ROW; i++) {
      x[i] = extent[0] + (extent[2] - extent[0]) * i / (VIEW_SAMPLES - 1);
      y[i] = extent[1] + (extent[3] - extent[1]) * row / (VIEW_SAMPLES - 1);
      below[i] = SKY;
    }
    if (!flat)
      rut_terrain_surface(model, data, &(rutGroundPoints){ROW, x, y}, below,
                          &(rutGroundSurface){z, sx, sy});
    rut_terrain_soils(model, data, &(rutGroundPoints){ROW, x, y}, index);
    for (int i = 0; i < ROW; i++) {
      height[row * VIEW_SAMPLES + i] = flat ? 0 : (float)z[i];
      soil[row * VIEW_SAMPLES + i] =
          (unsigned char)(index[i] >= 0 && index[i] < 255 ? index[i] : 255);
    }
  }
  rutStatus status = RUT_OK;
  if (!flat) status = attach_packed(log, VIEW_TERRAIN_FILE, height, n * sizeof *height, err);
  if (status == RUT_OK && rut_count(model, RUT_SOIL) > 0) {
    status = attach_packed(log, VIEW_SOIL_FILE, soil, n, err);
  }
  free(height);
  free(soil);
  return status;
}

// One file of the scene: packed, unless it is small or an image, which is packed already.
static rutStatus attach_asset(rutLog* log, const viewAsset* asset, int index, rutError* err) {
  enum { SMALL = 4096 };  // [bytes]
  const viewBytes* bytes = asset->bytes;
  const bool packs = bytes->size >= SMALL && !view_content_is_image(asset->content);
  char name[32];
  snprintf(name, sizeof name, packs ? VIEW_ASSET_PACKED : VIEW_ASSET_FILE, index);
  if (packs) return attach_packed(log, name, bytes->data, bytes->size, err);
  return rut_log_attach(log, name, view_content_type(asset->content), bytes->data, bytes->size,
                        err);
}

// Files of the scene, as long as they are not too large.
static rutStatus attach_assets(rutLog* log, const viewAssets* assets, rutError* err) {
  size_t total = 0;
  rutStatus status = RUT_OK;
  for (int i = 0; i < assets->count && status == RUT_OK; i++) {
    const size_t size = assets->asset[i].bytes->size;
    if (total + size > MAX_ASSETS_SIZE) continue;
    total += size;
    status = attach_asset(log, &assets->asset[i], i, err);
  }
  return status;
}

static rutStatus attach_scene(viewRecorder* r, const viewSceneDef* def, rutError* err) {
  uint64_t fixed;
  double extent[4];
  bool flat;
  rutLog* log = r->log;
  r->scene = view_scene_write(def, &fixed);
  if (!r->scene) return no_memory(err);
  rutStatus status =
      rut_log_attach(log, VIEW_SCENE_FILE, "application/json", r->scene->data, r->scene->size, err);
  view_scene_extent(def, extent, &flat);
  if (status == RUT_OK) {
    status = attach_ground(log, def->model, def->data, extent, flat, err);
  }
  if (status == RUT_OK) status = attach_assets(log, def->assets, err);
  return status;
}

static rutStatus attach_all(viewRecorder* r, const viewRecorderDef* recorded, const rutData* data,
                            rutError* err) {
  viewAssets* assets = calloc(1, sizeof *assets);
  viewDriver* driver = view_drivers_of(recorded->spec, recorded->model);
  rutSignals* signals = NULL;
  rutStatus status =
      assets && driver ? rut_signals_create(recorded->model, &signals, err) : no_memory(err);
  if (status == RUT_OK) {
    const viewSceneDef def = {.spec = recorded->spec,
                              .model = recorded->model,
                              .data = data,
                              .shape = &r->shape,
                              .signals = signals,
                              .driver = driver,
                              .assets = assets,
                              .title = recorded->title};
    status = attach_scene(r, &def, err);
  }
  rut_signals_destroy(signals);
  free(driver);
  if (assets) r->refused = assets->refused;
  if (assets) view_assets_free(assets);
  free(assets);
  return status;
}

// ---- the scene for Foxglove ----

static rutStatus begin_update(viewRecorder* r, const rutModel* model, const rutData* data,
                              rutError* err) {
  const viewUpdateLogDef def = {
      .log = r->log, .scene = r->scene, .tiles = &r->tiles, .moving = r->shape.moving};
  return view_update_log_create(&def, model, data, &r->update, err);
}

// ---- frames ----

static rutStatus write_frame(viewRecorder* r, const rutModel* model, const rutData* data,
                             rutError* err) {
  // ground goes its own way
  viewTiles none = {0};
  bool more;
  view_snapshot_take(&r->shape, model, data, &r->snapshot);
  const size_t size =
      view_frame_write((viewSource){&r->shape, &none}, &r->snapshot, &r->reader, r->frame, &more);
  return rut_log_write_bytes(r->log, r->channel, rut_time(data), r->frame, size, err);
}

// A frame, unless the last ones took too much of the run. Then it waits.
static rutStatus frame_if_due(viewRecorder* r, const rutModel* model, const rutData* data,
                              rutError* err) {
  const double time = rut_time(data);
  if (time < r->due - 1e-9) return RUT_OK;
  const double start = cli_clock();
  const bool late = time - r->shown >= LONGEST || time < r->shown;
  if (!late && r->spent > SHARE * (start - r->begun)) {
    // looks again soon, yet not at every step
    r->due = time + 0.2 * PERIOD;
    return RUT_OK;
  }
  r->due = time + PERIOD;
  r->shown = time;
  const rutStatus status = write_frame(r, model, data, err);
  r->spent += cli_clock() - start;
  return status;
}

// ---- ground ----

// One tile as a frame of its own.
static rutStatus write_tile(viewRecorder* r, int index, double time, rutError* err) {
  const double ago = time - r->tiles.tile[index].left;
  const size_t size = view_frame_write_tile(&r->tiles, index, ago, r->frame);
  return rut_log_write_bytes(r->log, r->ground, time, r->frame, size, err);
}

// Measure and write up to n tiles that wheels have left before a time.
static rutStatus write_tiles(viewRecorder* r, const rutModel* model, const rutData* data,
                             double before, int n, rutError* err) {
  rutStatus status = RUT_OK;
  for (int i = 0; i < n && status == RUT_OK; i++) {
    int index;
    bool changed;
    if (!view_tiles_measure_next(&r->tiles, model, data, before, &index, &changed)) break;
    if (changed) status = write_tile(r, index, rut_time(data), err);
  }
  return status;
}

static rutStatus ground_if_due(viewRecorder* r, const rutModel* model, const rutData* data,
                               rutError* err) {
  const double time = rut_time(data);
  if (!(r->tiles.cell > 0) || time < r->mark) return RUT_OK;
  r->mark = time + MARK_EVERY;
  const double start = cli_clock();
  rutStatus status = RUT_OK;
  view_tracks_mark(&r->tracks, model, data, &r->tiles);
  if (r->tiles.waiting > 0 && r->spent_ground <= SHARE * (start - r->begun)) {
    status = write_tiles(r, model, data, time - SETTLED, TILES_AT_ONCE, err);
  }
  r->spent_ground += cli_clock() - start;
  if (status == RUT_OK && r->update) status = view_update_log_step(r->update, model, data, err);
  return status;
}

// Time has gone back, or was set: everything is new. Ground is measured by and by, as always.
static void jump(viewRecorder* r, const rutModel* model, const rutData* data) {
  const double time = rut_time(data);
  r->due = r->mark = time;
  r->shown = -LONGEST;
  r->snapshot.jumps++;
  view_tiles_mark_all(&r->tiles, model, data);
  // earlier marks of wheels are void: these tiles are the present ones
  for (int i = 0; i < r->tiles.count; i++) r->tiles.tile[i].left = time;
}

void view_recorder_jump(viewRecorder* r) { r->last = HUGE_VAL; }

const viewRefused* view_recorder_refused(const viewRecorder* r) { return &r->refused; }

rutStatus view_recorder_step(viewRecorder* r, const rutModel* model, const rutData* data,
                             rutError* err) {
  const double time = rut_time(data);
  if (time < r->last || time > r->last + 2 * PERIOD + rut_model_timestep(model)) {
    jump(r, model, data);
  }
  r->last = time;
  rutStatus status = ground_if_due(r, model, data, err);
  if (status == RUT_OK) status = frame_if_due(r, model, data, err);
  return status;
}

rutStatus view_recorder_close(viewRecorder* r, const rutModel* model, const rutData* data,
                              rutError* err) {
  if (!r) return RUT_OK;
  rutStatus status = RUT_OK;
  if (model && data && r->frame) {
    status = write_tiles(r, model, data, HUGE_VAL, VIEW_TILES, err);
    if (status == RUT_OK) status = write_frame(r, model, data, err);
  }
  const bool whole = status == RUT_OK && model && data;
  const rutStatus updated =
      view_update_log_close(r->update, whole ? model : NULL, whole ? data : NULL, err);
  if (status == RUT_OK) status = updated;
  view_bytes_drop(r->scene);
  view_reader_free(&r->reader);
  view_snapshot_free(&r->snapshot);
  view_tiles_free(&r->tiles);
  view_tracks_free(&r->tracks);
  view_shape_free(&r->shape);
  free(r->frame);
  free(r);
  return status;
}

// ---- life ----

static bool create_parts(viewRecorder* r, const rutModel* model, const rutData* data) {
  rutRuts ruts;
  if (!view_tiles_create(rut_ruts(model, data, &ruts) ? ruts.cell : 0, &r->tiles)) return false;
  viewTiles none = {0};
  const viewSource source = {&r->shape, &none};
  if (!view_shape_of(model, &r->shape) || !view_snapshot_create(&r->shape, &r->snapshot) ||
      !view_reader_create(source, &r->reader) || !view_tracks_create(model, data, &r->tracks)) {
    return false;
  }
  const size_t frame = view_frame_size(source, &r->reader);
  r->frame = malloc(frame > VIEW_TILE_FRAME_SIZE ? frame : VIEW_TILE_FRAME_SIZE);
  return r->frame != NULL;
}

// Channel of frames.
static rutStatus add_channel(rutLog* log, const char* topic, int* channel, rutError* err) {
  const rutLogChannelDef def = {
      .topic = topic, .schema = "rut/msg/Frame", .definition = "uint8[] data\n", .encoding = "cdr"};
  return rut_log_channel(log, &def, channel, err);
}

rutStatus view_recorder_create(const viewRecorderDef* def, const rutData* data, viewRecorder** out,
                               rutError* err) {
  *out = NULL;
  viewRecorder* r = calloc(1, sizeof *r);
  if (!r) return no_memory(err);
  r->log = def->log;
  r->due = r->mark = r->last = rut_time(data);
  r->shown = r->last - LONGEST;
  rutStatus status = create_parts(r, def->model, data) ? RUT_OK : no_memory(err);
  if (status == RUT_OK) status = attach_all(r, def, data, err);
  if (status == RUT_OK) status = add_channel(def->log, VIEW_FRAME_TOPIC, &r->channel, err);
  if (status == RUT_OK && r->tiles.cell > 0) {
    status = add_channel(def->log, VIEW_GROUND_TOPIC, &r->ground, err);
  }
  if (status == RUT_OK && def->updates) status = begin_update(r, def->model, data, err);
  r->begun = cli_clock();
  if (status == RUT_OK) status = view_recorder_step(r, def->model, data, err);
  if (status != RUT_OK) {
    view_recorder_close(r, NULL, NULL, NULL);
    return status;
  }
  *out = r;
  return RUT_OK;
}
