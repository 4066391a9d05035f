// SPDX-License-Identifier: BSD-3-Clause
#include "host/log_navigation.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/log_definition.h"

// What stands in the queue before layers and path.
typedef struct Head {
  int64_t stamp[RUT_NAVIGATION_MESSAGES];  // of each message [ns]
  uint32_t what;
  int32_t poses;
  double origin[2];
} Head;

// ---- at the beginning ----

// Channels of a vehicle; schema: of each message, 0 before the first.
static rutStatus add_channels(rutLog* log, int vehicle, int schema[RUT_NAVIGATION_MESSAGES],
                              rutError* err) {
  rutLogNavigation* n = &log->navigation[vehicle];
  for (int i = 0; i < RUT_NAVIGATION_MESSAGES; i++) {
    const rutNavigationMessage* message = rut_navigation_message(i);
    if (!(n->watch.info.publish & message->bit)) continue;
    rutStatus status = RUT_OK;
    if (schema[i] == 0) {
      status = rut_log_add_schema(log, message->schema, message->definition, err);
      schema[i] = log->schemas;
    }
    if (status != RUT_OK) return status;
    char tail[64];
    snprintf(tail, sizeof tail, "/%s", message->name);
    n->channel[i] = log->channels;
    status = rut_log_add_channel(log, schema[i], log->frame[vehicle], tail, err);
    if (status != RUT_OK) return status;
  }
  return RUT_OK;
}

rutStatus rut_log_begin_navigation(rutLog* log, const rutModel* model, rutError* err) {
  int schema[RUT_NAVIGATION_MESSAGES] = {0};
  log->navigation = calloc((size_t)log->vehicles + 1, sizeof *log->navigation);
  if (!log->navigation) return rut_log_no_memory(err);
  for (int i = 0; i < log->vehicles; i++) {
    rutLogNavigation* n = &log->navigation[i];
    rutStatus status;
    n->watches = rut_navigation_watch_begin(&n->watch, model, i, &status, err);
    if (status == RUT_OK && n->watches) status = add_channels(log, i, schema, err);
    if (status != RUT_OK) return status;
  }
  return RUT_OK;
}

void rut_log_navigation_free(rutLog* log) {
  for (int i = 0; log->navigation && i < log->vehicles; i++) {
    rut_navigation_watch_end(&log->navigation[i].watch);
  }
  free(log->navigation);
}

// ---- after a step ----

// Bytes of the layers in the queue, each of which begins at a multiple of 8.
static size_t layer_size(const rutNavigationInfo* info) {
  return ((size_t)info->columns * (size_t)info->rows * sizeof(float) + 7) / 8 * 8;
}

static bool hand_over(rutLog* log, int vehicle, const rutNavigationView* view, unsigned what) {
  const rutNavigationInfo* info = &log->navigation[vehicle].watch.info;
  const bool map = what & (RUT_NAVIGATION_COST | RUT_NAVIGATION_LAYERS);
  const int poses = what & RUT_NAVIGATION_PATH ? view->poses : 0;
  const size_t cells = (size_t)info->columns * (size_t)info->rows * sizeof(float);
  const size_t layers = map ? 2 * layer_size(info) : 0, path = (size_t)poses * sizeof *view->path;
  const rutLogItem item = {.kind = RUT_LOG_NAVIGATION,
                           .which = vehicle,
                           .time = rut_log_time(log, log->last_time),
                           .size = sizeof(Head) + layers + path};
  unsigned char* place = rut_log_queue_begin(log->queue, item);
  if (!place) return false;
  const int64_t now = rut_log_nanoseconds(log->last_time);
  const int64_t scan = map ? rut_log_nanoseconds(view->map_stamp) : now;
  const Head head = {.stamp = {now, scan, scan},
                     .what = what,
                     .poses = poses,
                     .origin = {view->origin[0], view->origin[1]}};
  memcpy(place, &head, sizeof head);
  place += sizeof head;
  if (map) {
    memcpy(place, view->cost, cells);
    memcpy(place + layer_size(info), view->height, cells);
  }
  if (path > 0) memcpy(place + layers, view->path, path);
  rut_log_queue_end(log->queue);
  return true;
}

bool rut_log_take_navigation(rutLog* log, const rutModel* model, const rutData* data) {
  for (int i = 0; log->navigation && i < log->vehicles; i++) {
    rutLogNavigation* n = &log->navigation[i];
    const rutNavigationView* view;
    if (!n->watches) continue;
    const unsigned what = rut_navigation_watch_update(&n->watch, model, data, &view);
    if (what != 0 && !hand_over(log, i, view, what)) return false;
  }
  return true;
}

// ---- in the thread ----

rutStatus rut_log_put_navigation(rutLog* log, const rutLogItem* item, const void* bytes,
                                 rutError* err) {
  const rutLogNavigation* n = &log->navigation[item->which];
  const rutNavigationInfo* info = &n->watch.info;
  const Head* head = bytes;
  unsigned char* place = (unsigned char*)(uintptr_t)bytes + sizeof *head;
  const bool map = head->what & (RUT_NAVIGATION_COST | RUT_NAVIGATION_LAYERS);
  const size_t layers = map ? 2 * layer_size(info) : 0;
  rutNavigationView view = {.origin = {head->origin[0], head->origin[1]}, .poses = head->poses};
  view.cost = map ? (float*)(void*)place : NULL;
  view.height = map ? (float*)(void*)(place + layer_size(info)) : NULL;
  view.path = (double(*)[3])(void*)(place + layers);
  for (int i = 0; i < RUT_NAVIGATION_MESSAGES; i++) {
    const rutNavigationMessage* message = rut_navigation_message(i);
    if (!(head->what & message->bit)) continue;
    const rutNavigationHead told = {head->stamp[i], "world"};
    message->put(rut_mcap_message(log->writer, n->channel[i], item->time), &told, info, &view);
    const rutStatus status = rut_log_end_message(log, err);
    if (status != RUT_OK) return status;
  }
  return RUT_OK;
}
