// SPDX-License-Identifier: BSD-3-Clause
#include "scene/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECTION_HEAD = 8, TILE_HEAD = 16, MAX_ROWS = 512 };

// ---- readers ----

bool view_reader_create(viewSource source, viewReader* r) {
  *r = (viewReader){.stamp = calloc((size_t)source.shape->sensors + 1, sizeof *r->stamp)};
  bool fine = r->stamp != NULL;
  if (source.tiles->cell > 0) {
    r->tile = calloc(VIEW_TILES, sizeof *r->tile);
    fine = fine && r->tile != NULL;
  }
  if (fine) {
    view_reader_forget(source, r);
  } else {
    view_reader_free(r);
  }
  return fine;
}

void view_reader_free(viewReader* r) {
  free(r->stamp);
  free(r->tile);
  *r = (viewReader){0};
}

void view_reader_forget(viewSource source, viewReader* r) {
  for (int i = 0; i < source.shape->sensors; i++) r->stamp[i] = (double)NAN;
  if (r->tile) memset(r->tile, 0, VIEW_TILES * sizeof *r->tile);
}

// ---- numbers, little-endian ----

typedef struct Writer {
  unsigned char *start, *at;
  int sections;
} Writer;

static void put(Writer* w, const void* value, size_t size) {
  memcpy(w->at, value, size);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  for (size_t i = 0; i < size / 2; i++) {
    const unsigned char byte = w->at[i];
    w->at[i] = w->at[size - 1 - i];
    w->at[size - 1 - i] = byte;
  }
#endif
  w->at += size;
}

static void put_u16(Writer* w, uint16_t value) { put(w, &value, sizeof value); }
static void put_u32(Writer* w, uint32_t value) { put(w, &value, sizeof value); }
static void put_u64(Writer* w, uint64_t value) { put(w, &value, sizeof value); }
static void put_f32(Writer* w, float value) { put(w, &value, sizeof value); }
static void put_f64(Writer* w, double value) { put(w, &value, sizeof value); }

static void put_floats(Writer* w, size_t n, const float* value) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (n) memcpy(w->at, value, n * sizeof *value);
  w->at += n * sizeof *value;
#else
  for (size_t i = 0; i < n; i++) put_f32(w, value[i]);
#endif
}

static void pad(Writer* w) {
  while ((w->at - w->start) % 8 != 0) *w->at++ = 0;
}

static void begin_section(Writer* w, uint32_t kind, uint32_t count) {
  w->sections++;
  put_u32(w, kind);
  put_u32(w, count);
}

// ---- sections ----

static void put_things(Writer* w, uint32_t kind, int count, int each, const float* value) {
  if (count == 0) return;
  begin_section(w, kind, (uint32_t)count);
  put_floats(w, (size_t)count * (size_t)each, value);
  pad(w);
}

static void put_scans(Writer* w, const viewShape* shape, const viewSnapshot* s,
                      viewReader* reader) {
  unsigned char* head = w->at;
  uint32_t count = 0;
  for (int i = 0; i < shape->sensors; i++) {
    // NaN, nothing seen yet, is equal to no stamp
    if (s->stamp[i] < 0 || isnan(s->stamp[i]) || s->stamp[i] == reader->stamp[i]) continue;
    reader->stamp[i] = s->stamp[i];
    if (count++ == 0) begin_section(w, VIEW_SECTION_SCANS, 0);
    const int first = shape->ray_start[i], rays = shape->ray_start[i + 1] - first;
    put_u32(w, (uint32_t)i);
    put_u32(w, (uint32_t)rays);
    put_floats(w, (size_t)rays, s->range + first);
    pad(w);
  }
  if (count == 0) return;
  Writer again = {head, head, 0};
  begin_section(&again, VIEW_SECTION_SCANS, count);
}

static void put_tile(Writer* w, const viewTiles* tiles, int index) {
  const viewTile* tile = &tiles->tile[index];
  put(w, &tile->column, sizeof tile->column);
  put(w, &tile->row, sizeof tile->row);
  put_f32(w, (float)tiles->cell);
  put_u32(w, VIEW_TILE_SIDE);
  put_floats(w, VIEW_TILE_HEIGHTS, tiles->height + (size_t)index * VIEW_TILE_HEIGHTS);
  pad(w);
}

static void put_ground(Writer* w, viewTiles* tiles, viewReader* reader, bool* more) {
  if (!reader->tile) return;
  unsigned char* head = w->at;
  uint32_t count = 0;
  pthread_mutex_lock(&tiles->lock);
  for (int i = 0; i < tiles->count && !*more; i++) {
    if (tiles->tile[i].version == reader->tile[i]) continue;
    if (count == VIEW_FRAME_TILES) {
      *more = true;
      break;
    }
    reader->tile[i] = tiles->tile[i].version;
    if (count++ == 0) begin_section(w, VIEW_SECTION_GROUND, 0);
    put_tile(w, tiles, i);
  }
  pthread_mutex_unlock(&tiles->lock);
  if (count == 0) return;
  Writer again = {head, head, 0};
  begin_section(&again, VIEW_SECTION_GROUND, count);
}

// Rows of another subscription, or from before a jump, are of no use any more.
static bool wanted(const viewReader* reader, const viewCurveRow* row, uint32_t jumps) {
  return row->subscription == reader->subscription && row->jumps == jumps;
}

static void put_curves(Writer* w, const viewSnapshot* s, viewReader* reader) {
  if (!reader->curves) return;
  unsigned char* head = w->at;
  uint32_t count = 0;
  for (const viewCurveRow* row; (row = view_curves_peek(reader->curves)) && count < MAX_ROWS;
       view_curves_pop(reader->curves)) {
    // rows after a jump that this frame does not show yet wait for the next
    if ((int32_t)(row->jumps - s->jumps) > 0) break;
    // nobody sees numbers of a time of which the picture has not come
    if (s->late && row->time > s->time) break;
    if (!wanted(reader, row, s->jumps)) continue;
    if (count++ == 0) {
      begin_section(w, VIEW_SECTION_CURVES, 0);
      put_u32(w, reader->subscriptions);
      put_u32(w, (uint32_t)reader->signals);
    }
    put_f64(w, row->time);
    put_floats(w, (size_t)reader->signals, row->value);
    pad(w);
  }
  if (count == 0) return;
  Writer again = {head, head, 0};
  begin_section(&again, VIEW_SECTION_CURVES, count);
}

// ---- frame ----

size_t view_frame_size(viewSource source, const viewReader* reader) {
  const viewShape* n = source.shape;
  size_t floats = (size_t)n->vehicles * VIEW_VEHICLE_NUMBERS +
                  (size_t)n->wheels * VIEW_WHEEL_NUMBERS + (size_t)n->links * VIEW_LINK_NUMBERS +
                  (size_t)n->blocks * VIEW_BLOCK_NUMBERS +
                  VIEW_CONTACTS * (size_t)VIEW_CONTACT_NUMBERS + (size_t)n->rays;
  size_t size = VIEW_FRAME_HEAD + 8 * (SECTION_HEAD + 8) + 4 * floats;
  size += (size_t)n->sensors * 16;
  if (reader->tile) {
    size += VIEW_FRAME_TILES * (TILE_HEAD + sizeof(float) * VIEW_TILE_HEIGHTS + 8);
  }
  if (reader->curves) size += 8 + MAX_ROWS * (sizeof(double) + 4 * (size_t)reader->signals + 8);
  return size;
}

static void put_head(Writer* w, double time, uint64_t steps, float factor, uint32_t bits) {
  w->at = w->start;
  put_u32(w, VIEW_FRAME_MAGIC);
  put_u16(w, VIEW_FRAME_VERSION);
  put_u16(w, (uint16_t)w->sections);
  put_f64(w, time);
  put_u64(w, steps);
  put_f32(w, factor);
  put_u32(w, bits);
}

size_t view_frame_write(viewSource source, const viewSnapshot* s, viewReader* reader,
                        unsigned char* out, bool* more) {
  const viewShape* n = source.shape;
  Writer w = {out, out + VIEW_FRAME_HEAD, 0};
  *more = false;
  const bool jumped = reader->jumps != s->jumps;
  // a sample of another run may bear the time of one that was sent
  for (int i = 0; jumped && i < n->sensors; i++) reader->stamp[i] = (double)NAN;
  put_things(&w, VIEW_SECTION_VEHICLES, n->vehicles, VIEW_VEHICLE_NUMBERS, s->vehicle);
  put_things(&w, VIEW_SECTION_WHEELS, n->wheels, VIEW_WHEEL_NUMBERS, s->wheel);
  put_things(&w, VIEW_SECTION_LINKS, n->links, VIEW_LINK_NUMBERS, s->link);
  put_things(&w, VIEW_SECTION_BLOCKS, n->blocks, VIEW_BLOCK_NUMBERS, s->block);
  put_scans(&w, n, s, reader);
  put_ground(&w, source.tiles, reader, more);
  put_curves(&w, s, reader);
  put_things(&w, VIEW_SECTION_CONTACTS, s->contacts, VIEW_CONTACT_NUMBERS, s->contact);
  const size_t size = (size_t)(w.at - out);
  reader->jumps = s->jumps;
  put_head(&w, s->time, s->steps, s->factor, s->bits | (jumped ? VIEW_JUMPED : 0));
  return size;
}

size_t view_frame_write_tile(const viewTiles* tiles, int index, double time, unsigned char* out) {
  Writer w = {out, out + VIEW_FRAME_HEAD, 0};
  begin_section(&w, VIEW_SECTION_GROUND, 1);
  put_tile(&w, tiles, index);
  const size_t size = (size_t)(w.at - out);
  put_head(&w, time, 0, 0, 0);
  return size;
}
