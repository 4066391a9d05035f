// SPDX-License-Identifier: BSD-3-Clause
#include "view/recording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/assets.h"
#include "scene/little_endian.h"
#include "scene/recorder.h"

enum {
  CDR_HEAD = 8,             // of a message: encapsulation, length
  MAX_RUTS = 60000,         // tiles in memory, 4 kB each
  MAX_THINGS = 1000000,     // of each kind in a scene
  MAX_ATTACHMENT = 1 << 28  // bytes, of one and of all assets together
};

static rutStatus fail(rutError* err, rutStatus status, const char* message) {
  *err = (rutError){.status = status};
  snprintf(err->message, sizeof err->message, "%s", message);
  return status;
}

// ---- attachments ----

static viewBytes* attachment(const viewRecording* r, const char* name) {
  const int index = rut_log_attachment_find(r->file, name);
  const uint64_t size = index >= 0 ? rut_log_attachment_at(r->file, index).size : UINT64_MAX;
  if (size > MAX_ATTACHMENT) return NULL;
  viewBytes* bytes = view_bytes_create((size_t)size);
  rutError err;
  if (bytes && rut_log_attachment_read(r->file, index, bytes->data, &err) != RUT_OK) {
    view_bytes_drop(bytes);
    return NULL;
  }
  return bytes;
}

// What is in a packed attachment; NULL if there is none. Adds to *cost how many bytes it says to
// hold.
static viewBytes* unpacked(const viewRecording* r, const char* name, size_t* cost) {
  viewBytes* packed = attachment(r, name);
  if (packed) *cost += view_bytes_unpacked_size(packed->data, packed->size);
  viewBytes* plain = packed ? view_bytes_unpack(packed->data, packed->size) : NULL;
  view_bytes_drop(packed);
  return plain;
}

// A packed raster of so many bytes; NULL if there is none.
static viewBytes* raster(const viewRecording* r, const char* name, size_t size) {
  size_t cost = 0;
  viewBytes* plain = unpacked(r, name, &cost);
  if (plain && plain->size != size) {
    view_bytes_drop(plain);
    return NULL;
  }
  return plain;
}

static json_int_t integer(const json_t* object, const char* key) {
  return json_integer_value(json_object_get(object, key));
}

// Mark what a list of the scene has as grids, or as points.
static void mark_numbers(viewRecording* r, const char* key) {
  const json_t* list = json_object_get(r->scene, key);
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_int_t asset = integer(json_array_get(list, i), "asset");
    if (asset >= 0 && asset < r->assets) r->asset[asset].content = VIEW_CONTENT_NUMBERS;
  }
}

// The log may come from anybody: what is neither a mesh nor an image, nor numbers that the scene
// has a use for, is left out.
static viewContent content_in_place(const viewBytes* bytes, viewContent place) {
  if (place == VIEW_CONTENT_NUMBERS) return place;
  const viewContent content = view_content_of(bytes->data, bytes->size);
  if (content != VIEW_CONTENT_OTHER) return content;
  // perhaps the buffer of a glTF
  const bool binary = view_content_is_binary(bytes->data, bytes->size);
  return binary ? VIEW_CONTENT_NUMBERS : VIEW_CONTENT_OTHER;
}

// Bytes that were read for it, also those that are no asset.
static size_t read_asset(viewRecording* r, int index) {
  char name[32];
  size_t cost = 0;
  viewRecordedFile* asset = &r->asset[index];
  snprintf(name, sizeof name, VIEW_ASSET_PACKED, index);
  asset->bytes = unpacked(r, name, &cost);
  snprintf(name, sizeof name, VIEW_ASSET_FILE, index);
  if (!asset->bytes) {
    asset->bytes = attachment(r, name);
    if (asset->bytes) cost += asset->bytes->size;
  }
  if (!asset->bytes) return cost;
  asset->content = content_in_place(asset->bytes, asset->content);
  if (asset->content != VIEW_CONTENT_OTHER) return cost;
  view_bytes_drop(asset->bytes);
  asset->bytes = NULL;
  return cost;
}

static bool read_assets(viewRecording* r) {
  const size_t n = json_array_size(json_object_get(r->scene, "assets"));
  r->assets = n <= VIEW_MAX_ASSETS ? (int)n : 0;
  r->asset = calloc((size_t)r->assets + 1, sizeof *r->asset);
  if (!r->asset) return false;
  mark_numbers(r, "grids");
  mark_numbers(r, "points");
  size_t total = 0;
  for (int i = 0; i < r->assets && total <= MAX_ATTACHMENT; i++) total += read_asset(r, i);
  return true;
}

static rutStatus read_scene(viewRecording* r, rutError* err) {
  viewBytes* text = attachment(r, VIEW_SCENE_FILE);
  json_error_t wrong;
  r->scene = text ? json_loadb((const char*)text->data, text->size, 0, &wrong) : NULL;
  view_bytes_drop(text);
  if (!json_is_object(r->scene)) {
    return fail(err, RUT_ERR_VERSION, "the log has no scene: was it made by rut with --log?");
  }
  const json_t* extent = json_object_get(r->scene, "extent");
  for (size_t i = 0; i < 4; i++) r->extent[i] = json_number_value(json_array_get(extent, i));
  if (!(r->extent[2] > r->extent[0] && r->extent[3] > r->extent[1])) {
    return fail(err, RUT_ERR_PARSE, "the scene of the log has no extent");
  }
  const size_t n = (size_t)VIEW_SAMPLES * VIEW_SAMPLES;
  r->height = raster(r, VIEW_TERRAIN_FILE, n * sizeof(float));
  r->soil = raster(r, VIEW_SOIL_FILE, n);
  return read_assets(r) ? RUT_OK : fail(err, RUT_ERR_MEMORY, "out of memory");
}

// ---- shape ----

static int count_links(const json_t* wheels) {
  int links = 0;
  for (size_t i = 0; i < json_array_size(wheels); i++) {
    const json_int_t n = json_integer_value(json_object_get(json_array_get(wheels, i), "links"));
    links += n > 0 && n < 1000 ? (int)n : 0;
  }
  return links;
}

// What the frames of a scene have.
static bool read_shape(viewRecording* r) {
  viewShape* s = &r->shape;
  const json_t* vehicles = json_object_get(r->scene, "vehicles");
  const json_t* blocks = json_object_get(r->scene, "blocks");
  const json_t* sensors = json_object_get(r->scene, "sensors");
  if (json_array_size(vehicles) > MAX_THINGS || json_array_size(sensors) > MAX_THINGS) return false;
  s->vehicles = (int)json_array_size(vehicles);
  s->sensors = (int)json_array_size(sensors);
  for (int i = 0; i < s->vehicles; i++) {
    const json_t* wheels = json_object_get(json_array_get(vehicles, (size_t)i), "wheels");
    if (json_array_size(wheels) > MAX_THINGS) return false;
    s->wheels += (int)json_array_size(wheels);
    s->links += count_links(wheels);
    if (s->wheels > MAX_THINGS || s->links > MAX_THINGS) return false;
  }
  for (size_t i = 0; i < json_array_size(blocks); i++) {
    s->blocks += json_is_true(json_object_get(json_array_get(blocks, i), "moves"));
  }
  s->ray_start = calloc((size_t)s->sensors + 1, sizeof *s->ray_start);
  for (int i = 0; s->ray_start && i < s->sensors; i++) {
    const json_int_t rays =
        json_integer_value(json_object_get(json_array_get(sensors, (size_t)i), "rays"));
    s->ray_start[i] = s->rays;
    s->rays += rays > 0 && rays <= 100000 && s->rays < (1 << 26) ? (int)rays : 0;
  }
  if (s->ray_start) s->ray_start[s->sensors] = s->rays;
  return s->ray_start != NULL;
}

// ---- frames ----

// The frame in a message: bytes behind encapsulation and length.
static bool payload(const rutLogMessage* message, const unsigned char** data, size_t* size) {
  if (message->size < CDR_HEAD) return false;
  const size_t length = view_get_u32(message->bytes + 4);
  if (length > message->size - CDR_HEAD) return false;
  *data = message->bytes + CDR_HEAD;
  *size = length;
  return true;
}

static unsigned char* copy_frame(const rutLogMessage* message, size_t* size) {
  const unsigned char* data;
  if (!payload(message, &data, size)) return NULL;
  unsigned char* copy = malloc(*size + 1);
  if (copy && *size) memcpy(copy, data, *size);
  return copy;
}

// Read the frame after the present one into `next`. A log that cannot be read further ends there.
static void read_next(viewRecording* r) {
  rutLogMessage message;
  free(r->next);
  r->next = NULL;
  while (!r->next && r->cursor && rut_log_next(r->cursor, &message, &r->fault)) {
    if (message.time <= r->held_time) continue;
    r->next = copy_frame(&message, &r->next_size);
    r->next_time = message.time;
  }
}

unsigned char* view_recording_frame(viewRecording* r, double time, size_t* size) {
  rutLogMessage message;
  *size = 0;
  return rut_log_message_at(r->file, r->channel, time, &message) ? copy_frame(&message, size)
                                                                 : NULL;
}

bool view_recording_seek(viewRecording* r, double time) {
  rutLogMessage message;
  if (!rut_log_message_at(r->file, r->channel, time, &message)) return false;
  size_t size;
  unsigned char* copy = copy_frame(&message, &size);
  if (!copy) return false;
  free(r->held);
  r->held = copy;
  r->held_size = size;
  r->held_time = message.time;
  rut_log_cursor_destroy(r->cursor);
  r->cursor = NULL;
  r->fault.status = RUT_OK;
  const rutLogSelection later = {
      .n = 1, .index = &r->channel, .from = r->held_time, .to = HUGE_VAL};
  rut_log_cursor_create(r->file, &later, &r->cursor, &r->fault);
  read_next(r);
  return true;
}

bool view_recording_advance(viewRecording* r, double time, viewPassed passed, void* user) {
  bool changed = false;
  while (r->next && r->next_time <= time) {
    if (changed && passed) passed(user);
    free(r->held);
    r->held = r->next;
    r->held_size = r->next_size;
    r->held_time = r->next_time;
    r->next = NULL;
    changed = true;
    read_next(r);
  }
  return changed;
}

// ---- ground ----

static bool add_rut(viewRecording* r, double time, const viewFrameTile* tile) {
  if (r->ruts == MAX_RUTS) return false;
  const size_t size = sizeof(float) * VIEW_TILE_HEIGHTS;
  unsigned char* height = malloc(size);
  if (!height) return false;
  memcpy(height, tile->height, size);
  r->rut[r->ruts] = (viewRut){
      .time = time, .order = r->ruts, .column = tile->column, .row = tile->row, .height = height};
  r->ruts++;
  return true;
}

static int by_time(const void* a, const void* b) {
  const viewRut *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return x->order - y->order;
}

static int by_place(const void* a, const void* b) {
  const viewRut *x = *(const viewRut*const*)a, *y = *(const viewRut*const*)b;
  if (x->column != y->column) return x->column < y->column ? -1 : 1;
  if (x->row != y->row) return x->row < y->row ? -1 : 1;
  return x < y ? -1 : x > y;
}

// Find out which tiles are the same one at different times. They are in order of time.
static bool link_ruts(viewRecording* r) {
  viewRut** place = malloc(((size_t)r->ruts + 1) * sizeof(viewRut*));
  if (!place) return false;
  for (int i = 0; i < r->ruts; i++) place[i] = &r->rut[i];
  qsort(place, (size_t)r->ruts, sizeof(viewRut*), by_place);
  for (int i = 0; i < r->ruts; i++) {
    const viewRut* before = i > 0 ? place[i - 1] : NULL;
    const viewRut* after = i + 1 < r->ruts ? place[i + 1] : NULL;
    viewRut* rut = place[i];
    rut->first = !before || before->column != rut->column || before->row != rut->row;
    const bool last = !after || after->column != rut->column || after->row != rut->row;
    rut->until = last ? HUGE_VAL : after->time;
  }
  free(place);
  return true;
}

// All tiles of the log. They are measured some time after the last wheel has left them, and show up
// when it did.
static rutStatus read_ruts(viewRecording* r, rutError* err) {
  const int channel = rut_log_channel_find(r->file, VIEW_GROUND_TOPIC);
  if (channel < 0) return RUT_OK;
  r->rut = calloc(MAX_RUTS, sizeof *r->rut);
  if (!r->rut) return fail(err, RUT_ERR_MEMORY, "out of memory");
  rutLogCursor* cursor;
  const rutLogSelection tiles = {.n = 1, .index = &channel, .from = -HUGE_VAL, .to = HUGE_VAL};
  rutStatus status = rut_log_cursor_create(r->file, &tiles, &cursor, err);
  if (status != RUT_OK) return status;
  rutLogMessage message;
  while (rut_log_next(cursor, &message, err)) {
    const unsigned char* data;
    size_t size;
    viewFrame frame;
    viewFrameTile tile;
    if (!payload(&message, &data, &size) || !view_frame_read(data, size, &frame)) continue;
    for (uint32_t i = 0; i < frame.section[VIEW_SECTION_GROUND].count; i++) {
      const double time = frame.time >= 0 ? message.time - frame.time : message.time;
      if (!view_frame_tile(&frame, i, &tile) || !add_rut(r, time, &tile)) break;
    }
  }
  rut_log_cursor_destroy(cursor);
  // rut_log_next has cleared it at the end
  if (err->status != RUT_OK) return err->status;
  qsort(r->rut, (size_t)r->ruts, sizeof *r->rut, by_time);
  return link_ruts(r) ? RUT_OK : fail(err, RUT_ERR_MEMORY, "out of memory");
}

// Sample of the raster that holds at a place, as parts of the extent; false outside.
static bool raster_place(const viewRecording* r, double x, double y, double* u, double* v) {
  *u = (x - r->extent[0]) / (r->extent[2] - r->extent[0]) * (VIEW_SAMPLES - 1);
  *v = (y - r->extent[1]) / (r->extent[3] - r->extent[1]) * (VIEW_SAMPLES - 1);
  return *u >= 0 && *u <= VIEW_SAMPLES - 1 && *v >= 0 && *v <= VIEW_SAMPLES - 1;
}

static double sample(const viewBytes* raster_of, int column, int row) {
  float value;
  memcpy(&value, raster_of->data + sizeof value * ((size_t)row * VIEW_SAMPLES + (size_t)column),
         sizeof value);
  return (double)value;
}

float view_recording_height(const viewRecording* r, double x, double y) {
  double u, v;
  if (!r->height) return 0;
  if (!raster_place(r, x, y, &u, &v)) return (float)NAN;
  const int i = u < VIEW_SAMPLES - 1 ? (int)u : VIEW_SAMPLES - 2,
            j = v < VIEW_SAMPLES - 1 ? (int)v : VIEW_SAMPLES - 2;
  const double s = u - i, t = v - j;
  const double low = (1 - s) * sample(r->height, i, j) + s * sample(r->height, i + 1, j);
  const double high = (1 - s) * sample(r->height, i, j + 1) + s * sample(r->height, i + 1, j + 1);
  return (float)((1 - t) * low + t * high);
}

unsigned char view_recording_soil(const viewRecording* r, double x, double y) {
  double u, v;
  if (!r->soil || !raster_place(r, x, y, &u, &v)) return 255;
  return r->soil->data[(size_t)(v + 0.5) * VIEW_SAMPLES + (size_t)(u + 0.5)];
}

// ---- life ----

rutStatus view_recording_open(const char* path, viewRecording* r, rutError* err) {
  memset(r, 0, sizeof *r);
  rutStatus status = rut_log_open(path, &r->file, err);
  if (status != RUT_OK) return status;
  const rutLogInfo info = rut_log_info(r->file);
  r->start = info.start;
  r->end = info.end;
  r->channel = rut_log_channel_find(r->file, VIEW_FRAME_TOPIC);
  if (r->channel < 0) {
    status = fail(err, RUT_ERR_VERSION, "the log has no frames: was it made by rut with --log?");
  }
  if (status == RUT_OK) status = read_scene(r, err);
  if (status == RUT_OK && !read_shape(r)) {
    status = fail(err, RUT_ERR_PARSE, "the scene of the log is too large");
  }
  if (status == RUT_OK) status = read_ruts(r, err);
  if (status == RUT_OK && !view_recording_seek(r, r->start)) {
    status = fail(err, RUT_ERR_PARSE, "the log has no whole frame");
  }
  if (status != RUT_OK) view_recording_close(r);
  return status;
}

void view_recording_close(viewRecording* r) {
  rut_log_cursor_destroy(r->cursor);
  rut_log_file_close(r->file);
  json_decref(r->scene);
  view_shape_free(&r->shape);
  free(r->held);
  free(r->next);
  view_bytes_drop(r->height);
  view_bytes_drop(r->soil);
  for (int i = 0; i < r->ruts; i++) free(r->rut[i].height);
  free(r->rut);
  for (int i = 0; r->asset && i < r->assets; i++) view_bytes_drop(r->asset[i].bytes);
  free(r->asset);
  memset(r, 0, sizeof *r);
}
