// SPDX-License-Identifier: BSD-3-Clause
#include "terrain/ground.h"

#include "geom/polygon.h"
#include "math/rut_math.h"

// Height of one source above the world's origin at x, y; NaN outside of it.
static double source_height(const rutGroundSource* s, double x, double y) {
  double dx = x - s->x, dy = y - s->y;
  double u = s->cos_yaw * dx + s->sin_yaw * dy;
  double v = -s->sin_yaw * dx + s->cos_yaw * dy;
  if (s->kind == RUT_GROUND_LEVEL) return s->z;
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

static bool has_no_underside(const rutGroundSource* s) {
  return s->kind == RUT_GROUND_FIELD || s->kind == RUT_GROUND_LEVEL;
}

double rut_ground_height(const rutGround* ground, const double* lift, double x, double y, double z,
                         bool* found) {
  double best = 0, lowest = 0;
  bool below = false, any = false;
  for (int i = 0; i < ground->sources; i++) {
    double h = source_height(&ground->source[i], x, y) + (lift ? lift[i] : 0);
    if (ground->shapes) {
      double slope_x = 0, slope_y = 0;
      rut_ground_add_shapes(ground, &(rutGroundPoints){1, &x, &y},
                            &(rutGroundSurface){&h, &slope_x, &slope_y});
    }
    if (!(h == h)) continue;
    if (!any || h < lowest) lowest = h;
    any = true;
    bool beneath = has_no_underside(&ground->source[i]) || h <= z + RUT_GROUND_STEP;
    if (beneath && (!below || h > best)) {
      best = h;
      below = true;
    }
  }
  *found = any;
  return below ? best : any ? lowest : 0;
}

// ---------------------------------------------------------------------------------------------
// Properties

static bool is_inside(const rutRegion* r, double x, double y, double z) {
  const bool in_box = x >= r->min[0] && x <= r->max[0] && y >= r->min[1] && y <= r->max[1] &&
                      z >= r->min[2] && z <= r->max[2];
  return in_box && (r->corners == 0 || rut_polygon_contains(r->corners, r->xy, x, y));
}

// Index of the cell around a point, -1 outside.
static ptrdiff_t cell_at(const rutGroundMap* map, double x, double y) {
  const double u = (x - map->corner[0]) / map->spacing + 0.5;
  const double v = (y - map->corner[1]) / map->spacing + 0.5;
  if (!(u >= 0 && v >= 0 && u < map->nx && v < map->ny)) return -1;
  return (ptrdiff_t)v * map->nx + (ptrdiff_t)u;
}

// Bilinear at u, v of the cells that have a value, u and v counting from the middle of cell 0;
// those beyond the border are as the last.
static double between_cells(const rutGroundMap* map, double u, double v) {
  const double x = rut_clamp(u, 0, map->nx - 1), y = rut_clamp(v, 0, map->ny - 1);
  const int ix = (int)x;
  const int iy = (int)y;
  double sum = 0, weights = 0;
  for (int k = 0; k < 4; k++) {
    const int cx = ix + (k & 1), cy = iy + (k >> 1);
    const double wx = k & 1 ? x - ix : 1 - (x - ix), wy = k >> 1 ? y - iy : 1 - (y - iy);
    if (!(wx * wy > 0)) continue;
    const double value = (double)map->value[(ptrdiff_t)cy * map->nx + cx];
    if (!(value == value)) continue;
    sum += wx * wy * value;
    weights += wx * wy;
  }
  return sum / weights;
}

static double map_value(const rutGround* ground, rutGroundQuantity quantity, double x, double y) {
  double value = RUT_NAN;
  for (int i = 0; i < ground->maps; i++) {
    const rutGroundMap* map = &ground->map[i];
    if (map->quantity != quantity) continue;
    const ptrdiff_t cell = cell_at(map, x, y);
    if (cell < 0 || !(map->value[cell] == map->value[cell])) continue;
    value = (double)map->value[cell];
    if (map->linear) {
      const double u = (x - map->corner[0]) / map->spacing, v = (y - map->corner[1]) / map->spacing;
      value = between_cells(map, u, v);
    }
  }
  return value;
}

static int map_soil(const rutGround* ground, double x, double y) {
  int soil = ground->soil;
  for (int i = 0; i < ground->maps; i++) {
    const rutGroundMap* map = &ground->map[i];
    if (map->quantity != RUT_MAP_SOIL) continue;
    const ptrdiff_t cell = cell_at(map, x, y);
    if (cell >= 0 && map->soil[cell] != RUT_NO_SOIL) soil = map->soil[cell];
  }
  return soil;
}

void rut_ground_properties(const rutGround* ground, double x, double y, double z, double* friction,
                           double* rolling_resistance) {
  *friction = map_value(ground, RUT_MAP_FRICTION, x, y);
  *rolling_resistance = RUT_NAN;
  for (int i = 0; i < ground->regions; i++) {
    const rutRegion* r = &ground->region[i];
    if (!is_inside(r, x, y, z)) continue;
    if (r->friction == r->friction) *friction = r->friction;
    if (r->rolling_resistance == r->rolling_resistance) *rolling_resistance = r->rolling_resistance;
  }
}

bool rut_ground_no_gps(const rutGround* ground, double x, double y, double z) {
  for (int i = 0; i < ground->regions; i++) {
    if (ground->region[i].no_gps && is_inside(&ground->region[i], x, y, z)) return true;
  }
  return false;
}

// Moisture and depth of the soft layer, of maps and then of regions.
static void find_local(const rutGround* ground, const rutGroundPoints* at, const double* z,
                       const rutGroundMaterial* out) {
  for (int i = 0; i < at->n; i++) {
    const double x = at->x[i], y = at->y[i];
    out->moisture[i] = map_value(ground, RUT_MAP_MOISTURE, x, y);
    out->soft_depth[i] = map_value(ground, RUT_MAP_SOFT_DEPTH, x, y);
    for (int k = 0; k < ground->regions; k++) {
      const rutRegion* r = &ground->region[k];
      if (!is_inside(r, x, y, z[i])) continue;
      if (r->moisture == r->moisture) out->moisture[i] = r->moisture;
      if (r->soft_depth == r->soft_depth) out->soft_depth[i] = r->soft_depth;
    }
  }
}

void rut_ground_material(const rutGround* ground, const rutGroundPoints* at, const double* z,
                         const rutGroundMaterial* out) {
  const double *x = at->x, *y = at->y;
  for (int i = 0; i < at->n; i++) {
    out->soil[i] = ground->soil;
    out->strength[i] = out->friction[i] = RUT_NAN;
  }
  for (int i = 0; ground->maps && i < at->n; i++) {
    out->soil[i] = map_soil(ground, x[i], y[i]);
    out->strength[i] = map_value(ground, RUT_MAP_STRENGTH, x[i], y[i]);
    out->friction[i] = map_value(ground, RUT_MAP_FRICTION, x[i], y[i]);
  }
  for (int k = 0; k < ground->regions; k++) {
    const rutRegion* r = &ground->region[k];
    for (int i = 0; i < at->n; i++) {
      if (!is_inside(r, x[i], y[i], z[i])) continue;
      if (r->soil >= 0) out->soil[i] = r->soil;
      if (r->strength == r->strength) out->strength[i] = r->strength;
      if (r->friction == r->friction) out->friction[i] = r->friction;
    }
  }
  if (out->moisture && ground->local) find_local(ground, at, z, out);
  for (int i = 0; out->moisture && !ground->local && i < at->n; i++) {
    out->moisture[i] = out->soft_depth[i] = RUT_NAN;
  }
}
