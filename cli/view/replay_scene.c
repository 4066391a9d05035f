// SPDX-License-Identifier: BSD-3-Clause
#include "view/replay_scene.h"

#include <stdlib.h>
#include <string.h>

#include "scene/assets.h"
#include "view/replay_navigation.h"

static const char ghost[] = "ghost/";
enum { MAX_SIGNALS = 10000 };

// ---- signals ----

viewReplayCatalogue view_replay_catalogue(const viewRecording* log, int logs) {
  viewReplayCatalogue c = {.log = log, .logs = logs};
  for (int k = 0; k < logs; k++) c.count[k] = rut_log_info(log[k].file).signals;
  return c;
}

int view_replay_find_signal(const viewReplayCatalogue* c, const char* name, const char** nearest) {
  const size_t n = sizeof ghost - 1;
  const bool second = c->logs > 1 && strncmp(name, ghost, n) == 0;
  const int k = second ? 1 : 0;
  if (second) name += n;
  const int index = rut_log_signal_find(c->log[k].file, name);
  *nearest = index < 0 ? rut_log_signal_nearest(c->log[k].file, name) : NULL;
  if (index < 0) return -1;
  return second ? c->count[0] + index : index;
}

viewSeriesSignal view_replay_signal(const viewReplayCatalogue* c, int index) {
  if (index < c->count[0]) return (viewSeriesSignal){0, index};
  return (viewSeriesSignal){1, index - c->count[0]};
}

static json_t* signals_of(const viewReplayCatalogue* c) {
  json_t* list = json_array();
  for (int k = 0; k < c->logs; k++) {
    for (int i = 0; i < c->count[k] && i < MAX_SIGNALS; i++) {
      const rutSignal signal = rut_log_signal_at(c->log[k].file, i);
      char name[1024];
      snprintf(name, sizeof name, "%s%.1000s", k > 0 ? ghost : "", signal.name);
      json_array_append_new(
          list, json_pack("{s:s, s:s, s:s}", "name", name, "unit", signal.unit, "doc", signal.doc));
    }
  }
  return list;
}

// ---- scene ----

// Numbers of assets go up by those of the logs before.
static void shift_assets(json_t* carrier, int by) {
  json_t* visuals = json_object_get(carrier, "visuals");
  for (size_t i = 0; i < json_array_size(visuals); i++) {
    json_t* visual = json_array_get(visuals, i);
    const json_int_t asset = json_integer_value(json_object_get(visual, "asset"));
    // a log of someone else may say anything
    const bool one = asset >= 0 && asset < VIEW_MAX_ASSETS;
    json_object_set_new(visual, "asset", one ? json_integer(asset + by) : json_null());
  }
}

// What of its navigation the log has, whatever there was in the run.
static void put_navigation(json_t* vehicle, unsigned what) {
  json_object_del(vehicle, "navigation");
  if (what == 0) return;
  json_t* list = json_array();
  if (what & RUT_NAVIGATION_PATH) json_array_append_new(list, json_string("path"));
  if (what & RUT_NAVIGATION_COST) json_array_append_new(list, json_string("map"));
  json_object_set_new(vehicle, "navigation", list);
}

static void put_vehicles(json_t* list, const viewRecording* log, int assets, bool is_ghost) {
  const json_t* vehicles = json_object_get(log->scene, "vehicles");
  for (size_t i = 0; i < json_array_size(vehicles); i++) {
    json_t* vehicle = json_deep_copy(json_array_get(vehicles, i));
    json_object_set_new(vehicle, "drivable", json_false());
    put_navigation(vehicle, is_ghost ? 0 : view_replay_navigation(log, (int)i));
    if (is_ghost) json_object_set_new(vehicle, "ghost", json_true());
    shift_assets(vehicle, assets);
    json_t* wheels = json_object_get(vehicle, "wheels");
    for (size_t w = 0; w < json_array_size(wheels); w++) {
      shift_assets(json_array_get(wheels, w), assets);
    }
    json_array_append_new(list, vehicle);
  }
}

static void put_list(json_t* list, const json_t* scene, const char* key) {
  json_t* items = json_object_get(scene, key);
  if (json_is_array(items)) json_array_extend(list, items);
}

viewBytes* view_replay_scene(const viewRecording* log, int logs, const viewReplayCatalogue* c,
                             const char* title) {
  json_t* scene = json_copy(log[0].scene);
  json_t *vehicles = json_array(), *links = json_array(), *assets = json_array();
  double end = log[0].end;
  int before = 0;
  for (int k = 0; k < logs; k++) {
    put_vehicles(vehicles, &log[k], before, k > 0);
    put_list(links, log[k].scene, "links");
    put_list(assets, log[k].scene, "assets");
    before += log[k].assets;
    if (log[k].end > end) end = log[k].end;
  }
  json_object_del(scene, "parameters");
  json_object_set_new(scene, "mode", json_string("replay"));
  json_object_set_new(scene, "title", json_string(title));
  json_object_set_new(scene, "start", json_real(log[0].start));
  json_object_set_new(scene, "duration", json_real(end));
  json_object_set_new(scene, "vehicles", vehicles);
  json_object_set_new(scene, "links", links);
  json_object_set_new(scene, "assets", assets);
  json_object_set_new(scene, "signals", signals_of(c));
  char* text = json_dumps(scene, JSON_COMPACT);
  viewBytes* bytes = text ? view_bytes_of(text, strlen(text)) : NULL;
  free(text);
  json_decref(scene);
  return bytes;
}
