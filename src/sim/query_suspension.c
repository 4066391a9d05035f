// SPDX-License-Identifier: BSD-3-Clause
//
// Kinematics and forces of a suspension mechanism over its travel.
#include "math/quat.h"
#include "sim/model.h"
#include "vehicle/corner.h"

// Constants and type of the mechanism of a wheel (counted over all vehicles' wheels as in
// rut_wheel_state); false if it has none.
typedef struct Corner {
  const rutSuspensionType* type;
  const rutVehicleClass* spatial;
  int entry;
} Corner;

static bool find_corner(const rutModel* model, int vehicle, int wheel, Corner* out) {
  if (vehicle < 0 || vehicle >= model->vehicles) return false;
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* group = &model->group[r->group];
  if (!group->spatial || wheel < 0 || wheel >= group->wheels) return false;
  const rutVehicleClass* s = group->spatial;
  const int entry = wheel * group->lanes;
  *out = (Corner){rut_corner_type(s, entry), s, entry};
  return out->type != NULL;
}

bool rut_suspension_range(const rutModel* model, int vehicle, int wheel, double range[3]) {
  Corner k;
  if (!find_corner(model, vehicle, wheel, &k)) return false;
  range[0] = k.spatial->lowest[k.entry];
  range[1] = k.spatial->settled[k.entry];
  range[2] = k.spatial->highest[k.entry];
  return true;
}

bool rut_suspension_point(const rutModel* model, int vehicle, int wheel, double coordinate,
                          double steering, rutSuspensionPoint* out) {
  static const double STEP = 1e-6;
  Corner k;
  double now[RUT_CORNER_ROW_COUNT], design[RUT_CORNER_ROW_COUNT];
  double low[RUT_CORNER_ROW_COUNT], high[RUT_CORNER_ROW_COUNT];
  *out = (rutSuspensionPoint){0};
  if (!find_corner(model, vehicle, wheel, &k)) return false;
  const double s = steering * k.spatial->steer_lock, side = k.spatial->side[k.entry];
  rut_corner_rows(k.spatial, k.entry, coordinate, s, now);
  rut_corner_rows(k.spatial, k.entry, 0, 0, design);
  rut_corner_rows(k.spatial, k.entry, coordinate - STEP, s, low);
  rut_corner_rows(k.spatial, k.entry, coordinate + STEP, s, high);
#define AT(row, name) (row)[RUT_CORNER_##name]
  // the force that holds the wheel against the springs, and how it grows with its travel
  const double force = -AT(now, force) / AT(now, hub_v_z);
  const double below = -AT(low, force) / AT(low, hub_v_z);
  const double above = -AT(high, force) / AT(high, hub_v_z);
  const double mirrored = side < 0 ? -1 : 1;
  *out = (rutSuspensionPoint){
      .coordinate = coordinate,
      .travel = AT(now, travel),
      .forward = AT(now, hub_x) - AT(design, hub_x),
      .outward = mirrored * (AT(now, hub_y) - AT(design, hub_y)),
      .toe = mirrored * rut_atan2(AT(now, axis_x), AT(now, axis_y)),
      .camber = -mirrored * rut_atan2(AT(now, axis_z), rut_hypot(AT(now, axis_x), AT(now, axis_y))),
      .motion_ratio = AT(now, spring_arm) / AT(now, hub_v_z),
      .force = force,
      .rate = (above - below) / (AT(high, travel) - AT(low, travel))};
#undef AT
  return true;
}
