// SPDX-License-Identifier: BSD-3-Clause
#include "scene/tracks.h"

#include <math.h>
#include <stdlib.h>

// As far from a wheel's middle soil is moved: by its contact, what it throws up, and what slides
// off.
static const double REACH = 0.8;  // [m]

bool view_tracks_create(const rutModel* model, const rutData* data, viewTracks* t) {
  *t = (viewTracks){.vehicles = rut_count(model, RUT_VEHICLE)};
  t->leaves = calloc((size_t)t->vehicles + 1, sizeof *t->leaves);
  t->offset = calloc((size_t)rut_count(model, RUT_WHEEL) + 1, sizeof *t->offset);
  if (!t->leaves || !t->offset) {
    view_tracks_free(t);
    return false;
  }
  for (int v = 0; v < t->vehicles; v++) {
    const rutVehicleInfo info = rut_vehicle_info(model, v);
    const rutVehicleState s = rut_vehicle_state(model, data, v);
    rutEnergy energy;
    // planar vehicles leave none
    t->leaves[v] = rut_vehicle_energy(model, data, v, &energy);
    for (int w = info.first_wheel; w < info.first_wheel + info.wheels; w++) {
      const rutWheelPose pose = rut_wheel_pose(model, data, w);
      const double dx = pose.position[0] - s.position[0], dy = pose.position[1] - s.position[1];
      t->offset[w][0] = cos(s.yaw) * dx + sin(s.yaw) * dy;
      t->offset[w][1] = cos(s.yaw) * dy - sin(s.yaw) * dx;
    }
  }
  return true;
}

void view_tracks_free(viewTracks* t) {
  free(t->leaves);
  free(t->offset);
  *t = (viewTracks){0};
}

void view_tracks_mark(const viewTracks* t, const rutModel* model, const rutData* data,
                      viewTiles* tiles) {
  const double time = rut_time(data);
  for (int v = 0; v < t->vehicles; v++) {
    if (!t->leaves[v]) continue;
    const rutVehicleInfo info = rut_vehicle_info(model, v);
    const rutVehicleState s = rut_vehicle_state(model, data, v);
    const double sine = sin(s.yaw), cosine = cos(s.yaw);
    for (int w = info.first_wheel; w < info.first_wheel + info.wheels; w++) {
      const double* o = t->offset[w];
      view_tiles_mark(tiles, time, s.position[0] + cosine * o[0] - sine * o[1],
                      s.position[1] + sine * o[0] + cosine * o[1], REACH);
    }
  }
}
