// SPDX-License-Identifier: BSD-3-Clause
//
// The messages of a scene, one after the other.
#include <stdlib.h>
#include <string.h>

#include "scene/update.h"

void view_shown_forget(viewShown* s) {
  view_bytes_drop(s->of);
  free(s->version);
  free(s->newest);
  free(s->stale);
  *s = (viewShown){0};
}

// What is written so far, or nothing if something failed.
static viewBytes* end(viewUpdate* u, bool fine) {
  viewBytes* bytes = view_update_end(u);
  if (fine) return bytes;
  view_bytes_drop(bytes);
  return NULL;
}

// Begin with another scene, of which nothing was sent.
static void take_scene(viewShown* s, const viewShownSource* from) {
  view_shown_forget(s);
  s->ground = view_update_divide(from->scene, from->tiles->cell);
  const size_t cells = (size_t)s->ground.columns * (size_t)s->ground.rows;
  s->version = calloc(cells + 1, sizeof *s->version);
  s->newest = calloc(cells + 1, sizeof *s->newest);
  s->stale = calloc((size_t)view_update_regions(&s->ground) + 1, sizeof *s->stale);
  // what cannot be shown is not tried again and again
  s->of = view_bytes_share(from->scene);
  if (!s->version || !s->newest || !s->stale) s->ground = (viewUpdateGround){0};
}

// All that is no ground, after which comes the ground anew.
static viewBytes* begin_scene(viewShown* s, const viewShownSource* from, int64_t time) {
  viewUpdate u;
  take_scene(s, from);
  view_update_begin(&u, true, time);
  return end(&u, view_update_bodies(&u, from->scene, from->moving));
}

static int stale_region(const viewShown* s) {
  for (int i = 0; i < view_update_regions(&s->ground); i++) {
    if (s->stale[i]) return i;
  }
  return -1;
}

// A few cells whose ruts have changed. NULL if there are none.
static viewBytes* next_ruts(viewShown* s, const viewShownSource* from, double now, int64_t time) {
  const int cells = s->ground.columns * s->ground.rows;
  int cell[VIEW_UPDATE_RUTS], n = 0;
  view_update_versions(&s->ground, from->tiles, s->newest);
  for (int i = 0; i < cells && n < VIEW_UPDATE_RUTS; i++) {
    if (s->newest[i] == s->version[i]) continue;
    if (s->version[i] == 0) s->stale[view_update_region_of(&s->ground, i)] = true;
    s->version[i] = s->newest[i];
    cell[n++] = i;
  }
  if (n < VIEW_UPDATE_RUTS) s->next = now + from->ruts_every;
  if (n == 0) return NULL;
  viewUpdate u;
  bool fine = true;
  view_update_begin(&u, false, time);
  for (int i = 0; i < n && fine; i++) {
    fine = view_update_ruts(&u, &s->ground, &from->heights, from->tiles, cell[i]);
  }
  return end(&u, fine);
}

viewBytes* view_shown_next(viewShown* s, const viewShownSource* from, double now, int64_t time) {
  if (from->scene != s->of) return begin_scene(s, from, time);
  const int stale = s->ground.columns > 0 ? stale_region(s) : -1;
  int region = -1;
  if (s->region < view_update_regions(&s->ground)) {
    region = s->region++;
  } else if (stale >= 0) {
    region = stale;
    s->stale[stale] = false;
  } else if (s->ground.tiles > 0 && now >= s->next) {
    return next_ruts(s, from, now, time);
  }
  if (region < 0) return NULL;
  viewUpdate u;
  view_update_begin(&u, false, time);
  return end(&u, view_update_region(&u, &s->ground, &from->heights, region, s->version));
}

viewBytes* view_shown_all(viewShown* s, const viewShownSource* from, int64_t time) {
  viewUpdate u;
  if (from->scene != s->of) take_scene(s, from);
  const viewUpdateGround* g = &s->ground;
  const int cells = g->columns * g->rows;
  if (cells > 0) view_update_versions(g, from->tiles, s->version);
  view_update_begin(&u, true, time);
  bool fine = view_update_bodies(&u, from->scene, from->moving);
  for (int i = 0; i < view_update_regions(g) && fine; i++) {
    fine = view_update_region(&u, g, &from->heights, i, s->version);
  }
  for (int i = 0; i < cells && fine; i++) {
    if (s->version[i] > 0) fine = view_update_ruts(&u, g, &from->heights, from->tiles, i);
  }
  return end(&u, fine);
}

bool view_shown_changed(viewShown* s, const viewShownSource* from) {
  const size_t cells = (size_t)s->ground.columns * (size_t)s->ground.rows;
  if (cells == 0 || s->ground.tiles == 0) return false;
  view_update_versions(&s->ground, from->tiles, s->newest);
  return memcmp(s->newest, s->version, cells * sizeof *s->newest) != 0;
}

bool view_shown_waits(const viewShown* s, const viewShownSource* from, double now) {
  return from->scene != s->of || s->region < view_update_regions(&s->ground) ||
         (s->ground.columns > 0 && stale_region(s) >= 0) || (s->ground.tiles > 0 && now >= s->next);
}
