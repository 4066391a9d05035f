// SPDX-License-Identifier: BSD-3-Clause
#include "scene/update_entity.h"

#include <stdlib.h>
#include <string.h>

#include "scene/little_endian.h"

enum { HEAD = 4 };  // bytes of CDR that are not counted by its alignment

// ---- bytes ----

// Room for bytes at a multiple of their alignment, NULL if out of memory.
static unsigned char* extend(viewUpdate* u, size_t alignment, size_t size) {
  const size_t start = u->size + (alignment - (u->size - HEAD) % alignment) % alignment;
  if (u->failed) return NULL;
  if (start + size > u->room) {
    const size_t room = 2 * (start + size) + 4096;
    unsigned char* grown = realloc(u->data, room);
    u->failed = !grown;
    if (!grown) return NULL;
    u->data = grown;
    u->room = room;
  }
  memset(u->data + u->size, 0, start - u->size);
  u->size = start + size;
  return u->data + start;
}

static void put_byte(viewUpdate* u, unsigned char value) {
  unsigned char* at = extend(u, 1, 1);
  if (at) *at = value;
}

void view_entity_integer(viewUpdate* u, uint32_t value) {
  unsigned char* at = extend(u, 4, 4);
  if (at) view_put_unsigned(at, value, 4);
}

void view_entity_number(viewUpdate* u, double value) {
  unsigned char* at = extend(u, 8, 8);
  if (at) view_put_f64(at, value);
}

// A text and its zero.
static void put_text(viewUpdate* u, const char* text) {
  const size_t size = strlen(text) + 1;
  view_entity_integer(u, (uint32_t)size);
  unsigned char* at = extend(u, 1, size);
  if (at) memcpy(at, text, size);
}

// A time, or a duration.
static void put_time(viewUpdate* u, int64_t time) {
  view_entity_integer(u, (uint32_t)(time / 1000000000));
  view_entity_integer(u, (uint32_t)(time % 1000000000));
}

size_t view_entity_list(viewUpdate* u) {
  view_entity_integer(u, 0);
  return u->failed ? 0 : u->size - 4;
}

void view_entity_list_end(viewUpdate* u, size_t list, uint32_t items) {
  if (!u->failed) view_put_unsigned(u->data + list, items, 4);
}

// ---- messages ----

void view_update_begin(viewUpdate* u, bool anew, int64_t time) {
  static const unsigned char little_endian[HEAD] = {0, 1, 0, 0};
  enum { ALL = 1 };
  *u = (viewUpdate){.time = time};
  u->data = malloc(4096);
  u->room = 4096;
  u->failed = !u->data;
  if (u->failed) return;
  memcpy(u->data, little_endian, HEAD);
  u->size = HEAD;
  view_entity_integer(u, anew);
  if (anew) {
    put_time(u, time);
    put_byte(u, ALL);
    put_text(u, "");
  }
  u->counts = view_entity_list(u);
}

viewBytes* view_update_end(viewUpdate* u) {
  view_entity_list_end(u, u->counts, u->entities);
  viewBytes* bytes = u->failed ? NULL : view_bytes_of(u->data, u->size);
  free(u->data);
  *u = (viewUpdate){0};
  return bytes;
}

// Kinds of primitives, in the order of their definition: each entity has one of one of them.
enum { METADATA, ARROWS, CUBES, SPHERES, CYLINDERS, LINES, TRIANGLES, TEXTS, MODELS, LISTS };

static int list_of(viewPart part) { return part == VIEW_PART_CYLINDERS ? CYLINDERS : TRIANGLES; }

void view_entity_begin(viewUpdate* u, const viewEntity* entity) {
  u->entities++;
  put_time(u, u->time);
  put_text(u, entity->frame);
  put_text(u, entity->id);
  put_time(u, 0);
  put_byte(u, true);
  for (int i = METADATA; i < list_of(entity->part); i++) view_entity_integer(u, 0);
  view_entity_integer(u, 1);
}

void view_entity_end(viewUpdate* u, const viewEntity* entity) {
  for (int i = list_of(entity->part) + 1; i < LISTS; i++) view_entity_integer(u, 0);
}

void view_entity_vector(viewUpdate* u, double x, double y, double z) {
  view_entity_number(u, x);
  view_entity_number(u, y);
  view_entity_number(u, z);
}

void view_entity_pose(viewUpdate* u, const viewEntityPose* pose) {
  view_entity_vector(u, pose->at[0], pose->at[1], pose->at[2]);
  view_entity_vector(u, pose->turn[1], pose->turn[2], pose->turn[3]);
  view_entity_number(u, pose->turn[0]);
}

void view_entity_color(viewUpdate* u, const float color[3]) {
  view_entity_vector(u, (double)color[0], (double)color[1], (double)color[2]);
  view_entity_number(u, 1);
}
