// SPDX-License-Identifier: BSD-3-Clause
#include "view/hub.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

// ---- hub ----

static bool create_parts(viewHub* hub, double rut_cell) {
  if (!view_tiles_create(rut_cell, &hub->tiles)) return false;
  for (int i = 0; i < VIEW_CLIENTS; i++) {
    if (!view_curves_create(&hub->curves[i])) return false;
  }
  if (!view_samples_create(view_shape_sources(&hub->shape), &hub->samples)) return false;
  if (!view_topics_create(&hub->topics)) return false;
  for (int i = 0; i < 3; i++) {
    if (!view_snapshot_create(&hub->shape, &hub->snapshot[i])) return false;
  }
  hub->status.driven = calloc((size_t)hub->shape.vehicles + 1, sizeof *hub->status.driven);
  return hub->status.driven != NULL;
}

bool view_hub_create(viewShape* shape, double rut_cell, viewHub* hub) {
  memset(hub, 0, sizeof *hub);
  hub->shape = *shape;
  *shape = (viewShape){0};
  hub->middle = 1;
  hub->front = 2;
  hub->status.rate = 1;
  hub->status.end = (double)NAN;
  pthread_mutex_init(&hub->lock, NULL);
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&hub->wake, &clock);
  pthread_condattr_destroy(&clock);
  if (create_parts(hub, rut_cell)) return true;
  view_hub_free(hub);
  return false;
}

void view_hub_free(viewHub* hub) {
  view_tiles_free(&hub->tiles);
  for (int i = 0; i < VIEW_CLIENTS; i++) view_curves_free(&hub->curves[i]);
  view_samples_free(&hub->samples);
  view_topics_free(&hub->topics);
  for (int i = 0; i < 3; i++) view_snapshot_free(&hub->snapshot[i]);
  free(hub->status.driven);
  hub->status.driven = NULL;
  free(hub->status.log);
  hub->status.log = NULL;
  view_bytes_drop(hub->scene);
  hub->scene = NULL;
  view_shape_free(&hub->shape);
  pthread_cond_destroy(&hub->wake);
  pthread_mutex_destroy(&hub->lock);
}

void view_hub_lock(viewHub* hub) { pthread_mutex_lock(&hub->lock); }
void view_hub_unlock(viewHub* hub) { pthread_mutex_unlock(&hub->lock); }

static void notify(viewHub* hub) {
  if (hub->notify) hub->notify(hub->user);
}

void view_hub_changed(viewHub* hub) {
  hub->status.change++;
  notify(hub);
}

void view_hub_beat(viewHub* hub) {
  view_hub_lock(hub);
  notify(hub);
  view_hub_unlock(hub);
}

// ---- orders ----

// Of these only the newest counts.
static bool replaces(viewVerb verb) {
  return verb == VIEW_DRIVE || verb == VIEW_SUBSCRIBE || verb == VIEW_WATCH || verb == VIEW_RATE ||
         verb == VIEW_SEEK || verb == VIEW_RESET || verb == VIEW_TOPICS;
}

// A waiting order of the same page is replaced, so that a flood of them delays nobody.
static viewOrder* same_order(viewHub* hub, const viewOrder* order) {
  if (!replaces(order->verb)) return NULL;
  for (int i = hub->orders - 1; i >= 0; i--) {
    viewOrder* it = &hub->order[(hub->first_order + i) % VIEW_ALL_ORDERS];
    if (it->client != order->client) continue;
    if (it->verb != order->verb) return NULL;
    if (it->verb != VIEW_DRIVE || it->vehicle == order->vehicle) return it;
  }
  return NULL;
}

bool view_hub_order(viewHub* hub, const viewOrder* order) {
  view_hub_lock(hub);
  viewOrder* place = same_order(hub, order);
  if (!place && hub->orders < (order->verb == VIEW_GONE ? VIEW_ALL_ORDERS : VIEW_ORDERS)) {
    place = &hub->order[(hub->first_order + hub->orders++) % VIEW_ALL_ORDERS];
  }
  if (place) *place = *order;
  pthread_cond_signal(&hub->wake);
  view_hub_unlock(hub);
  return place != NULL;
}

void view_hub_poke(viewHub* hub) {
  view_hub_lock(hub);
  hub->poked = true;
  pthread_cond_signal(&hub->wake);
  view_hub_unlock(hub);
}

bool view_hub_take(viewHub* hub, double until, viewOrder* order) {
  const struct timespec time = {(time_t)until, (long)((until - floor(until)) * 1e9)};
  view_hub_lock(hub);
  while (hub->orders == 0 && !hub->poked && !hub->ending && cli_clock() < until) {
    if (pthread_cond_timedwait(&hub->wake, &hub->lock, &time) != 0) break;
  }
  const bool any = hub->orders > 0 && !hub->poked && !hub->ending;
  hub->poked = false;
  if (any) {
    *order = hub->order[hub->first_order];
    hub->first_order = (hub->first_order + 1) % VIEW_ALL_ORDERS;
    hub->orders--;
  }
  view_hub_unlock(hub);
  return any;
}

bool view_hub_ending(viewHub* hub) {
  view_hub_lock(hub);
  const bool ending = hub->ending;
  view_hub_unlock(hub);
  return ending;
}

bool view_hub_waits(viewHub* hub) {
  view_hub_lock(hub);
  const bool waits = hub->orders > 0 || hub->poked || hub->ending;
  view_hub_unlock(hub);
  return waits;
}

void view_hub_end(viewHub* hub) {
  view_hub_lock(hub);
  hub->ending = true;
  pthread_cond_broadcast(&hub->wake);
  view_hub_unlock(hub);
}

// ---- news ----

void view_hub_tell(viewHub* hub, const viewNews* news) {
  view_hub_lock(hub);
  if (hub->news_count < VIEW_NEWS) {
    hub->news[(hub->first_news + hub->news_count++) % VIEW_NEWS] = *news;
  }
  notify(hub);
  view_hub_unlock(hub);
}

void view_hub_error(viewHub* hub, int client, const char* format, ...) {
  viewNews news = {.kind = VIEW_NEWS_ERROR, .client = client};
  va_list args;
  va_start(args, format);
  vsnprintf(news.text, sizeof news.text, format, args);
  va_end(args);
  view_hub_tell(hub, &news);
}

bool view_hub_news(viewHub* hub, viewNews* news) {
  view_hub_lock(hub);
  const bool any = hub->news_count > 0;
  if (any) {
    *news = hub->news[hub->first_news];
    hub->first_news = (hub->first_news + 1) % VIEW_NEWS;
    hub->news_count--;
  }
  view_hub_unlock(hub);
  return any;
}

// ---- snapshots ----

viewSnapshot* view_hub_back(viewHub* hub) { return &hub->snapshot[hub->back]; }

void view_hub_publish(viewHub* hub) {
  view_hub_lock(hub);
  const int done = hub->back;
  hub->back = hub->middle;
  hub->middle = done;
  hub->fresh = true;
  notify(hub);
  view_hub_unlock(hub);
}

const viewSnapshot* view_hub_front(viewHub* hub, bool* fresh) {
  view_hub_lock(hub);
  *fresh = hub->fresh;
  if (hub->fresh) {
    const int newest = hub->middle;
    hub->middle = hub->front;
    hub->front = newest;
    hub->fresh = false;
  }
  view_hub_unlock(hub);
  return &hub->snapshot[hub->front];
}
