// SPDX-License-Identifier: BSD-3-Clause
#include "control/goal_navigation.h"

#include "control/goal_see.h"

enum { PATH_POSES = 256 };

void rut_goal_navigation_info(const rutGoalParam* p, rutNavigationInfo* out) {
  static const unsigned publish[] = {
      0, RUT_NAVIGATION_PATH, RUT_NAVIGATION_PATH | RUT_NAVIGATION_COST,
      RUT_NAVIGATION_PATH | RUT_NAVIGATION_COST | RUT_NAVIGATION_LAYERS};
  out->columns = out->rows = (int)p->cells;
  out->resolution = p->resolution;
  out->poses = PATH_POSES;
  out->publish = publish[(int)p->publish];
}

void rut_goal_tell_path(const rutGoalState* m, rutNavigationView* out) {
  static const double APART = 0.25;  // [m]
  // all of it changes with a scan, but for a path that ends
  out->map_stamp = m->placed > 0 ? m->scan_time : -1;
  out->path_stamp = m->driving > 0 ? m->scan_time : -1;
  if (!out->path) return;
  out->poses = m->driving > 0 ? rut_goal_path_poses(&m->path, APART, PATH_POSES, out->path) : 0;
}

// Layers of a map whose costs are in work->cost.
static void tell_layers(const rutLocalMap* map, const rutGoalWork* w, rutNavigationView* out) {
  // a cell of this cost is hardly ever gone through
  static const double DEAR = 20;
  const int side = map->def.side;
  const double r = map->def.resolution;
  for (int k = 0; k < side * side; k++) {
    const rutLocalCell* c = rut_local_map_at(map, (map->corner[0] + k % side + 0.5) * r,
                                             (map->corner[1] + k / side + 0.5) * r);
    const double avoided = rut_min((w->cost[k] - 1) / DEAR, 0.99);
    const bool known = c && (c->log_odds != 0 || c->points > 0);
    out->cost[k] = !known ? (float)RUT_NAN : w->cost[k] == 0 ? 1 : (float)avoided;
    out->height[k] = c && c->points > 0 ? (float)(c->sum / c->points) : (float)RUT_NAN;
  }
}

void rut_goal_tell_map(rutGoalVehicle* v, const double* cells, int stride, rutNavigationView* out) {
  v->map = rut_goal_map_of(v);
  rut_local_map_unpack(&v->map, stride, cells);
  const rutLocalLimits limits = rut_goal_limits(v->p);
  rut_local_map_costs(&v->map, &limits, v->work.cost);
  for (int axis = 0; axis < 2; axis++) out->origin[axis] = v->map.corner[axis] * v->p->resolution;
  tell_layers(&v->map, &v->work, out);
}
