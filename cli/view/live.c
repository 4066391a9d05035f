// SPDX-License-Identifier: BSD-3-Clause
#include "view/live.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1024 };
static const double SKY = 1e6;  // above all ground [m]

static int find_signal(void* user, const char* name, const char** nearest) {
  const viewLive* live = user;
  const int index = rut_signals_find(live->signals, name);
  *nearest = index < 0 ? rut_signals_nearest(live->signals, name) : NULL;
  return index;
}

static int find_vehicle(void* user, const char* name) {
  viewBox* box = view_workshop_box(((viewLive*)user)->workshop);
  int found = -1;
  for (int i = 0; found < 0 && i < rut_count(box->model, RUT_VEHICLE); i++) {
    if (strcmp(rut_name(box->model, RUT_VEHICLE, i), name) == 0) found = i;
  }
  view_box_drop(box);
  return found;
}

static viewBytes* get_asset(void* user, int index, viewContent* content) {
  return view_workshop_asset(((viewLive*)user)->workshop, index, content);
}

static void* open_ground(void* user) {
  viewBox* box = view_workshop_box(((viewLive*)user)->workshop);
  if (view_box_ground(box)) return box;
  view_box_drop(box);
  return NULL;
}

static void close_ground(void* ground) { view_box_drop(ground); }

static void read_heights(void* ground, int n, const double* x, const double* y, float* out) {
  viewBox* box = ground;
  double below[BLOCK], z[BLOCK], sx[BLOCK], sy[BLOCK];
  for (int from = 0; from < n; from += BLOCK) {
    const int m = n - from < BLOCK ? n - from : BLOCK;
    for (int i = 0; i < m; i++) below[i] = SKY;
    rut_terrain_surface(box->model, view_box_ground(box), &(rutGroundPoints){m, x + from, y + from},
                        below, &(rutGroundSurface){z, sx, sy});
    for (int i = 0; i < m; i++) out[from + i] = (float)z[i];
  }
}

static void read_soils(void* ground, int n, const double* x, const double* y, unsigned char* out) {
  viewBox* box = ground;
  int soil[BLOCK];
  for (int from = 0; from < n; from += BLOCK) {
    const int m = n - from < BLOCK ? n - from : BLOCK;
    rut_terrain_soils(box->model, view_box_ground(box), &(rutGroundPoints){m, x + from, y + from},
                      soil);
    for (int i = 0; i < m; i++) {
      out[from + i] = (unsigned char)(soil[i] >= 0 && soil[i] < 255 ? soil[i] : 255);
    }
  }
}

static bool set_parameter(void* user, int client, const char* path, const char* value) {
  return view_workshop_set(((viewLive*)user)->workshop, client, path, value);
}

static bool begin_run(void* user, int client, int64_t run) {
  return view_workshop_run(((viewLive*)user)->workshop, client, run);
}

static bool accept_state(void* user, int slot, viewBytes* bytes) {
  viewLive* live = user;
  viewBox* box = view_workshop_box(live->workshop);
  const bool fits = view_slots_accept(live->slots, slot, bytes, box);
  view_box_drop(box);
  return fits;
}

viewBackend view_live_backend(viewLive* live) {
  const unsigned replay_only = 1u << VIEW_SEEK | 1u << VIEW_LOOP;
  const unsigned study_only = live->study ? 0 : 1u << VIEW_RUN;
  return (viewBackend){.user = live,
                       .mode = "live",
                       .verbs = ~(replay_only | study_only),
                       .slots = live->slots,
                       .signal = find_signal,
                       .vehicle = find_vehicle,
                       .asset = get_asset,
                       .ground = open_ground,
                       .ground_free = close_ground,
                       .heights = read_heights,
                       .soils = read_soils,
                       .set = set_parameter,
                       .run = begin_run,
                       .study = live->study,
                       .accept = accept_state};
}
