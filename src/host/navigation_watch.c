// SPDX-License-Identifier: BSD-3-Clause
#include "host/navigation_watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"

bool rut_navigation_watch_begin(rutNavigationWatch* w, const rutModel* model, int vehicle,
                                rutStatus* status, rutError* err) {
  *w = (rutNavigationWatch){.map_stamp = -1, .path_stamp = -1};
  *status = RUT_OK;
  w->info = rut_navigation_info(model, vehicle);
  w->info.controller = "";
  if (w->info.publish == 0) return false;
  *status = rut_navigation_create(model, vehicle, &w->of, err);
  if (*status != RUT_OK) return false;
  w->path = calloc((size_t)w->info.poses + 1, sizeof *w->path);
  if (!w->path) *status = rut_error_set(err, RUT_ERR_MEMORY, "no memory for a path");
  return *status == RUT_OK;
}

void rut_navigation_watch_end(rutNavigationWatch* w) {
  rut_navigation_destroy(w->of);
  free(w->path);
  *w = (rutNavigationWatch){0};
}

// Whether a path is another one than the last.
static bool is_new(rutNavigationWatch* w, const rutNavigationView* view) {
  const size_t size = (size_t)view->poses * sizeof *view->path;
  if (view->poses == w->poses && memcmp(view->path, w->path, size) == 0) return false;
  memcpy(w->path, view->path, size);
  w->poses = view->poses;
  return true;
}

unsigned rut_navigation_watch_update(rutNavigationWatch* w, const rutModel* model,
                                     const rutData* data, const rutNavigationView** view) {
  const unsigned map = w->info.publish & (RUT_NAVIGATION_COST | RUT_NAVIGATION_LAYERS);
  const unsigned path = w->info.publish & RUT_NAVIGATION_PATH;
  const rutNavigationView* seen = rut_navigation_read(w->of, model, data, 0);
  unsigned what = 0;
  *view = seen;
  if (!seen) return 0;
  if (seen->map_stamp >= 0 && seen->map_stamp != w->map_stamp) what |= map;
  if (seen->path_stamp != w->path_stamp) what |= path;
  w->map_stamp = seen->map_stamp;
  w->path_stamp = seen->path_stamp;
  if (what == 0) return 0;
  *view = seen = rut_navigation_read(w->of, model, data, what);
  if ((what & path) && !is_new(w, seen)) what &= ~path;
  return what;
}
