// SPDX-License-Identifier: BSD-3-Clause
//
// Maps and paths of vehicles that find their way, for the pages that watch them.
#include <math.h>

#include "clock.h"
#include "scene/navigation_sample.h"
#include "view/simulation_parts.h"

static int vehicle_of(const viewSimulation* s, const viewWatched* watched) {
  return (watched->source - s->hub->shape.sensors) / 2;
}

void view_navigation_begin(viewSimulation* s, viewWatched* watched) {
  const int vehicle = vehicle_of(s, watched);
  rut_navigation_destroy(watched->navigation);
  watched->navigation = NULL;
  rut_navigation_create(view_simulation_model(s), vehicle, &watched->navigation, NULL);
}

static const rutNavigationView* see(viewSimulation* s, viewWatched* watched, unsigned what) {
  if (!watched->navigation) return NULL;
  return rut_navigation_read(watched->navigation, view_simulation_model(s), s->now.data, what);
}

// Without looking at cells and poses: has anything changed?
static const rutNavigationView* stamps(viewSimulation* s, viewWatched* watched) {
  const rutNavigationView* view = see(s, watched, 0);
  if (view || !watched->navigation) return view;
  // a change of the world has made another map of it
  view_navigation_begin(s, watched);
  watched->stamp = (double)NAN;
  return see(s, watched, 0);
}

void view_navigation_look(viewSimulation* s, viewWatched* watched) {
  const int vehicle = vehicle_of(s, watched);
  const bool map = watched->source == view_map_source(&s->hub->shape, vehicle);
  const double wall = cli_clock();
  if (wall < watched->due) return;
  const rutNavigationView* view = stamps(s, watched);
  if (!view) return;
  const double stamp = map ? view->map_stamp : view->path_stamp;
  if (stamp == watched->stamp || (map && stamp < 0)) return;
  view = see(s, watched, map ? RUT_NAVIGATION_COST : RUT_NAVIGATION_PATH);
  const rutNavigationInfo info = rut_navigation_info(view_simulation_model(s), vehicle);
  viewBytes* bytes = map ? view_map_encode(&info, view, vehicle)
                         : view_path_encode(view, vehicle, rut_time(s->now.data));
  if (!bytes) return;
  watched->stamp = stamp;
  watched->due = wall + 1.0 / (map ? VIEW_MAP_RATE : VIEW_SAMPLE_RATE);
  view_watch_put(s, watched, bytes);
}
