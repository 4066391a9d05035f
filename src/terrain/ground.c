// SPDX-License-Identifier: BSD-3-Clause
#include "terrain/ground.h"

#include "math/rut_math.h"

// Height of one source above the world's origin at x, y; NaN outside of it.
static double source_height(const rutGroundSource* s, double x, double y) {
  double dx = x - s->x, dy = y - s->y;
  double u = s->cos_yaw * dx + s->sin_yaw * dy;
  double v = -s->sin_yaw * dx + s->cos_yaw * dy;
  if (s->kind == RUT_GROUND_FIELD) {
    double z = 0, normal[3];
    return rut_height_field_at(s->field, x, y, &z, normal) ? z + s->z : RUT_NAN;
  }
  if (!(u >= s->x_min && u <= s->x_max && v >= s->y_min && v <= s->y_max)) return RUT_NAN;
  switch (s->kind) {
    case RUT_GROUND_RAMP:
      return s->z + s->height * (u - s->x_min) / (s->x_max - s->x_min);
    case RUT_GROUND_BUMP: {
      double r = 2 * v / (s->y_max - s->y_min);
      return s->z + s->height * rut_sqrt(rut_max(0, 1 - r * r));
    }
    default:
      return s->z;
  }
}

double rut_ground_height(const rutGround* ground, const double* lift, double x, double y, double z,
                         bool* found) {
  double best = 0, lowest = 0;
  bool below = false, any = false;
  for (int i = 0; i < ground->sources; i++) {
    double h = source_height(&ground->source[i], x, y) + (lift ? lift[i] : 0);
    if (!(h == h)) continue;
    if (!any || h < lowest) lowest = h;
    any = true;
    bool beneath = ground->source[i].kind == RUT_GROUND_FIELD || h <= z + RUT_GROUND_STEP;
    if (beneath && (!below || h > best)) {
      best = h;
      below = true;
    }
  }
  *found = any;
  return below ? best : any ? lowest : 0;
}

void rut_ground_properties(const rutGround* ground, double x, double y, double z, double* friction,
                           double* rolling_resistance) {
  *friction = RUT_NAN;
  *rolling_resistance = RUT_NAN;
  for (int i = 0; i < ground->regions; i++) {
    const rutRegion* r = &ground->region[i];
    bool inside = x >= r->min[0] && x <= r->max[0] && y >= r->min[1] && y <= r->max[1] &&
                  z >= r->min[2] && z <= r->max[2];
    if (!inside) continue;
    if (r->friction == r->friction) *friction = r->friction;
    if (r->rolling_resistance == r->rolling_resistance) *rolling_resistance = r->rolling_resistance;
  }
}
