// SPDX-License-Identifier: BSD-3-Clause
//
// The surface under many points at once: sources are evaluated in blocks, each as one vector loop,
// the shapes are laid on each, and the highest that may carry wins.
#include "math/lanes.h"
#include "terrain/ground.h"

enum { BLOCK = 64 };

#define ENDLESS 1e15  // extents beyond it count as infinite [m]
#define MARGIN  1e-9  // of boxes, relative to coordinates: their corners are rounded
// The slope of a bump's flank grows without limit towards its edge; it is cut where 1 - r^2 is
// this.
#define STEEPEST_FLANK 1e-6

// The surface over a block of points.
typedef struct Surface {
  double z[BLOCK], slope_x[BLOCK], slope_y[BLOCK];
} Surface;

static rutGroundSurface all_of(Surface* s) {
  return (rutGroundSurface){s->z, s->slope_x, s->slope_y};
}

// The block of points that begins with point i, and its part of a surface.
static rutGroundPoints block_of(const rutGroundPoints* at, int i) {
  return (rutGroundPoints){at->n - i < BLOCK ? at->n - i : BLOCK, at->x + i, at->y + i};
}
static rutGroundSurface part_of(const rutGroundSurface* out, int i) {
  return (rutGroundSurface){out->z + i, out->slope_x + i, out->slope_y + i};
}

// ---------------------------------------------------------------------------------------------
// Boxes

// Box around an extent turned into the world. Infinite limits make an infinite box.
static void box_of(double x, double y, double c, double s, const double extent[4], double box[4]) {
  box[0] = box[2] = RUT_INFINITY;
  box[1] = box[3] = -RUT_INFINITY;
  bool endless = false;
  for (int i = 0; i < 4; i++) {
    const double u = extent[i & 1], v = extent[2 + (i >> 1)];
    endless = endless || rut_abs(u) > ENDLESS || rut_abs(v) > ENDLESS;
    const double px = x + c * u - s * v, py = y + s * u + c * v;
    box[0] = rut_min(px, box[0]);
    box[1] = rut_max(px, box[1]);
    box[2] = rut_min(py, box[2]);
    box[3] = rut_max(py, box[3]);
  }
  for (int i = 0; i < 4; i++) {
    const double out = i & 1 ? 1 : -1;
    box[i] = endless ? out * RUT_INFINITY : box[i] + out * MARGIN * (1 + rut_abs(box[i]));
  }
}

void rut_ground_source_box(rutGroundSource* s) {
  const double all[4] = {-RUT_INFINITY, RUT_INFINITY, -RUT_INFINITY, RUT_INFINITY};
  const double own[4] = {s->x_min, s->x_max, s->y_min, s->y_max};
  if (s->kind == RUT_GROUND_FIELD) {
    const rutHeightField* f = s->field;
    const double grid[4] = {f->origin[0], f->origin[0] + (f->nx - 1) * f->spacing, f->origin[1],
                            f->origin[1] + (f->ny - 1) * f->spacing};
    box_of(0, 0, 1, 0, grid, s->box);
  } else {
    box_of(s->x, s->y, s->cos_yaw, s->sin_yaw, s->kind == RUT_GROUND_LEVEL ? all : own, s->box);
  }
}

static bool is_endless(const rutGroundShape* s) {
  return s->x_min == -RUT_INFINITY && s->x_max == RUT_INFINITY && s->y_min == -RUT_INFINITY &&
         s->y_max == RUT_INFINITY;
}

static const double STEEP = 1;  // slope

void rut_ground_shape_box(rutGroundShape* s) {
  const double own[4] = {s->x_min, s->x_max, s->y_min, s->y_max};
  rutTerrainBounds bounds = {0, 0, 0, false};
  box_of(s->x, s->y, s->cos_yaw, s->sin_yaw, own, s->box);
  if (s->type->bounds) s->type->bounds(s->param, s->plan, own, &bounds);
  s->faces = bounds.steepest == RUT_INFINITY;
  s->walls = s->edge == 0 && !is_endless(s);
  s->steep = s->walls || bounds.steepest > STEEP;
}

// Whether a limit of an extent is inside the range low..high.
static bool within(double limit, double low, double high) { return limit > low && limit < high; }

// Whether a wall, or where the shape is steep a slope, can be within `reach` of a place.
static bool steep_near(const rutGroundShape* s, double x, double y, double reach, bool steep) {
  const double dx = x - s->x, dy = y - s->y;
  const double u = s->cos_yaw * dx + s->sin_yaw * dy, v = s->cos_yaw * dy - s->sin_yaw * dx;
  const double box[4] = {rut_max(u - reach, s->x_min), rut_min(u + reach, s->x_max),
                         rut_max(v - reach, s->y_min), rut_min(v + reach, s->y_max)};
  rutTerrainBounds bounds;
  if (box[0] > box[1] || box[2] > box[3]) return false;
  if (s->walls &&
      (within(s->x_min, u - reach, u + reach) || within(s->x_max, u - reach, u + reach) ||
       within(s->y_min, v - reach, v + reach) || within(s->y_max, v - reach, v + reach))) {
    return true;
  }
  if (!steep) return false;
  s->type->bounds(s->param, s->plan, box, &bounds);
  return bounds.steepest > STEEP;
}

bool rut_ground_shape_upright(const rutGroundShape* s, double x, double y, double reach) {
  return steep_near(s, x, y, reach, s->faces);
}

bool rut_ground_shape_steep(const rutGroundShape* s, double x, double y, double reach) {
  return steep_near(s, x, y, reach, s->steep && s->type->bounds);
}

static void box_of_points(const rutGroundPoints* at, double box[4]) {
  const double *x = at->x, *y = at->y;
  double x0 = x[0], x1 = x[0], y0 = y[0], y1 = y[0];
  for (int i = 1; i < at->n; i++) {
    x0 = rut_min(x[i], x0);
    x1 = rut_max(x[i], x1);
    y0 = rut_min(y[i], y0);
    y1 = rut_max(y[i], y1);
  }
  box[0] = x0;
  box[1] = x1;
  box[2] = y0;
  box[3] = y1;
}

static bool apart(const double a[4], const double b[4]) {
  return a[0] > b[1] || b[0] > a[1] || a[2] > b[3] || b[2] > a[3];
}

// ---------------------------------------------------------------------------------------------
// Shapes

// Factor that comes in over the edge of a range, and its derivative: 3 t^2 - 2 t^3 of the depth t
// behind the border in widths of the edge.
RUT_INLINE double fade(double u, double low, double high, double edge, double* slope) {
  const double from_low = u - low, from_high = high - u;
  const double depth = rut_min(from_low, from_high), sense = from_low < from_high ? 1 : -1;
  const double width = edge > 0 ? edge : 1;
  const double soft = rut_clamp(depth / width, 0, 1), hard = depth >= 0 ? 1 : 0;
  const double t = edge > 0 ? soft : hard;
  *slope = sense * 6 * t * (1 - t) / width;
  return t * t * (3 - 2 * t);
}

RUT_CLONES static void to_own_frame(const rutGroundShape* shape, const rutGroundPoints* at,
                                    double* restrict u, double* restrict v) {
  const int n = at->n;
  const double* restrict x = at->x, * restrict y = at->y;
  const double x0 = shape->x, y0 = shape->y, c = shape->cos_yaw, s = shape->sin_yaw;
  RUT_FOR_LANES(i, n) {
    const double dx = x[i] - x0, dy = y[i] - y0;
    u[i] = c * dx + s * dy;
    v[i] = c * dy - s * dx;
  }
}

// Blend a shape's own surface, at points in its own frame, into the surface.
RUT_CLONES static void blend_shape(const rutGroundShape* shape, const rutGroundPoints* at,
                                   const Surface* restrict own, const rutGroundSurface* out) {
  const int n = at->n;
  const double* restrict u = at->x, * restrict v = at->y;
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  const rutGroundShape f = *shape;
  const double keep = f.blend == RUT_BLEND_ADD ? 0 : 1;
  const double least = f.blend == RUT_BLEND_MAX ? 0 : -RUT_INFINITY;
  RUT_FOR_LANES(i, n) {
    double wu, wv;
    const double fu = fade(u[i], f.x_min, f.x_max, f.edge, &wu);
    const double fv = fade(v[i], f.y_min, f.y_max, f.edge, &wv);
    const double w = fu * fv;
    const double hx = f.cos_yaw * own->slope_x[i] - f.sin_yaw * own->slope_y[i];
    const double hy = f.sin_yaw * own->slope_x[i] + f.cos_yaw * own->slope_y[i];
    const double wx = f.cos_yaw * (wu * fv) - f.sin_yaw * (fu * wv);
    const double wy = f.sin_yaw * (wu * fv) + f.cos_yaw * (fu * wv);
    const double step = own->z[i] + f.z - keep * z[i];
    const double used = step > least ? 1 : 0;
    const double change = used > 0 ? step : 0;
    const double sx = slope_x[i] + w * (used * (hx - keep * slope_x[i])) + wx * change;
    const double sy = slope_y[i] + w * (used * (hy - keep * slope_y[i])) + wy * change;
    const bool ground = z[i] == z[i];
    z[i] = ground ? z[i] + w * change : z[i];
    slope_x[i] = ground ? sx : 0;
    slope_y[i] = ground ? sy : 0;
  }
}

// The same of a shape that covers a part of the plane.
RUT_CLONES static void blend_shares(const rutGroundShape* shape, int n, const Surface* restrict own,
                                    const Surface* restrict share, const rutGroundSurface* out) {
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  const rutGroundShape f = *shape;
  const double keep = f.blend == RUT_BLEND_ADD ? 0 : 1;
  const double least = f.blend == RUT_BLEND_MAX ? 0 : -RUT_INFINITY;
  RUT_FOR_LANES(i, n) {
    const double w = share->z[i];
    const double hx = f.cos_yaw * own->slope_x[i] - f.sin_yaw * own->slope_y[i];
    const double hy = f.sin_yaw * own->slope_x[i] + f.cos_yaw * own->slope_y[i];
    const double wx = f.cos_yaw * share->slope_x[i] - f.sin_yaw * share->slope_y[i];
    const double wy = f.sin_yaw * share->slope_x[i] + f.cos_yaw * share->slope_y[i];
    const double step = own->z[i] + f.z - keep * z[i];
    const double used = ((step > least) & (w > 0)) ? 1 : 0;
    const double change = used > 0 ? step : 0;
    const double sx = slope_x[i] + w * (used * (hx - keep * slope_x[i])) + wx * change;
    const double sy = slope_y[i] + w * (used * (hy - keep * slope_y[i])) + wy * change;
    const bool ground = z[i] == z[i];
    z[i] = ground ? z[i] + w * change : z[i];
    slope_x[i] = ground ? sx : 0;
    slope_y[i] = ground ? sy : 0;
  }
}

// Multiply the shares of a shape by its weight inside of its border.
RUT_CLONES static void fade_shares(const rutGroundShape* shape, const rutGroundPoints* at,
                                   Surface* restrict share) {
  const int n = at->n;
  const double* restrict u = at->x, * restrict v = at->y;
  const rutGroundShape f = *shape;
  RUT_FOR_LANES(i, n) {
    double wu, wv;
    const double fu = fade(u[i], f.x_min, f.x_max, f.edge, &wu);
    const double fv = fade(v[i], f.y_min, f.y_max, f.edge, &wv);
    const double w = fu * fv, z = share->z[i];
    share->slope_x[i] = w * share->slope_x[i] + wu * fv * z;
    share->slope_y[i] = w * share->slope_y[i] + fu * wv * z;
    share->z[i] = w * z;
  }
}

// Of shapes that are added and have no border.
RUT_CLONES static void add_shape(const rutGroundShape* shape, int n, const Surface* restrict own,
                                 const rutGroundSurface* out) {
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  const double rise = shape->z, c = shape->cos_yaw, s = shape->sin_yaw;
  RUT_FOR_LANES(i, n) {
    const bool ground = z[i] == z[i];
    const double su = own->slope_x[i], sv = own->slope_y[i];
    z[i] = ground ? z[i] + (own->z[i] + rise) : z[i];
    slope_x[i] = ground ? slope_x[i] + (c * su - s * sv) : 0;
    slope_y[i] = ground ? slope_y[i] + (s * su + c * sv) : 0;
  }
}

static void add_shapes(const rutGround* ground, const rutGroundPoints* at, const double box[4],
                       const rutGroundSurface* out) {
  double u[BLOCK], v[BLOCK];
  const rutGroundPoints own = {at->n, u, v};
  Surface surface;
  const rutGroundSurface found = all_of(&surface);
  for (int k = 0; k < ground->shapes; k++) {
    const rutGroundShape* shape = &ground->shape[k];
    if (apart(shape->box, box)) continue;
    to_own_frame(shape, at, u, v);
    if (shape->type->covering) {
      Surface share;
      const rutGroundSurface shares = all_of(&share);
      shape->type->covering(shape->param, shape->plan, &own, &found, &shares);
      if (!is_endless(shape)) fade_shares(shape, &own, &share);
      blend_shares(shape, at->n, &surface, &share, out);
      continue;
    }
    shape->type->height(shape->param, shape->plan, &own, &found);
    if (shape->blend == RUT_BLEND_ADD && is_endless(shape))
      add_shape(shape, at->n, &surface, out);
    else
      blend_shape(shape, &own, &surface, out);
  }
}

void rut_ground_add_shapes(const rutGround* ground, const rutGroundPoints* at,
                           const rutGroundSurface* out) {
  for (int i = 0; i < at->n; i += BLOCK) {
    const rutGroundPoints block = block_of(at, i);
    const rutGroundSurface part = part_of(out, i);
    double box[4];
    box_of_points(&block, box);
    add_shapes(ground, &block, box, &part);
  }
}

// ---------------------------------------------------------------------------------------------
// Sources

RUT_CLONES static void level_rectangle(const rutGroundSource* source, const rutGroundPoints* at,
                                       const rutGroundSurface* out) {
  const int n = at->n;
  const double* restrict x = at->x, * restrict y = at->y;
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  const rutGroundSource s = *source;
  RUT_FOR_LANES(i, n) {
    const double dx = x[i] - s.x, dy = y[i] - s.y;
    const double u = s.cos_yaw * dx + s.sin_yaw * dy, v = s.cos_yaw * dy - s.sin_yaw * dx;
    const int inside = (u >= s.x_min) & (u <= s.x_max) & (v >= s.y_min) & (v <= s.y_max);
    z[i] = inside ? s.z : RUT_NAN;
    slope_x[i] = slope_y[i] = 0;
  }
}

RUT_CLONES static void inclined_block(const rutGroundSource* source, const rutGroundPoints* at,
                                      const rutGroundSurface* out) {
  const int n = at->n;
  const double* restrict x = at->x, * restrict y = at->y;
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  const rutGroundSource s = *source;
  const double length = s.x_max - s.x_min, rise = s.height / length;
  RUT_FOR_LANES(i, n) {
    const double dx = x[i] - s.x, dy = y[i] - s.y;
    const double u = s.cos_yaw * dx + s.sin_yaw * dy, v = s.cos_yaw * dy - s.sin_yaw * dx;
    const int inside = (u >= s.x_min) & (u <= s.x_max) & (v >= s.y_min) & (v <= s.y_max);
    z[i] = inside ? s.z + s.height * (u - s.x_min) / length : RUT_NAN;
    slope_x[i] = inside ? s.cos_yaw * rise : 0;
    slope_y[i] = inside ? s.sin_yaw * rise : 0;
  }
}

RUT_CLONES static void rounded_block(const rutGroundSource* source, const rutGroundPoints* at,
                                     const rutGroundSurface* out) {
  const int n = at->n;
  const double* restrict x = at->x, * restrict y = at->y;
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  const rutGroundSource s = *source;
  const double width = s.y_max - s.y_min;
  RUT_FOR_LANES(i, n) {
    const double dx = x[i] - s.x, dy = y[i] - s.y;
    const double u = s.cos_yaw * dx + s.sin_yaw * dy, v = s.cos_yaw * dy - s.sin_yaw * dx;
    const int inside = (u >= s.x_min) & (u <= s.x_max) & (v >= s.y_min) & (v <= s.y_max);
    const double r = 2 * v / width, rest = 1 - r * r;
    const double across = -s.height * r / rut_sqrt(rut_max(rest, STEEPEST_FLANK)) * 2 / width;
    z[i] = inside ? s.z + s.height * rut_sqrt(rut_max(0, rest)) : RUT_NAN;
    slope_x[i] = inside ? -s.sin_yaw * across : 0;
    slope_y[i] = inside ? s.cos_yaw * across : 0;
  }
}

static void fill(int n, double value, const rutGroundSurface* out) {
  for (int i = 0; i < n; i++) {
    out->z[i] = value;
    out->slope_x[i] = out->slope_y[i] = 0;
  }
}

static void source_lanes(const rutGroundSource* s, double lift, const rutGroundPoints* at,
                         const rutGroundSurface* out) {
  double rise = lift;
  switch (s->kind) {
    case RUT_GROUND_FIELD:
      rut_height_field_at_n(s->field, at, out);
      rise = s->z + lift;
      break;
    case RUT_GROUND_PLANE:
      level_rectangle(s, at, out);
      break;
    case RUT_GROUND_RAMP:
      inclined_block(s, at, out);
      break;
    case RUT_GROUND_BUMP:
      rounded_block(s, at, out);
      break;
    case RUT_GROUND_LEVEL:
      fill(at->n, s->z, out);
      break;
  }
  for (int i = 0; rise != 0 && i < at->n; i++) out->z[i] += rise;
}

void rut_ground_source_surface(const rutGround* ground, int source, double lift,
                               const rutGroundPoints* at, const rutGroundSurface* out) {
  for (int i = 0; i < at->n; i += BLOCK) {
    const rutGroundPoints block = block_of(at, i);
    const rutGroundSurface part = part_of(out, i);
    double box[4];
    if (source < 0)
      fill(block.n, lift, &part);
    else
      source_lanes(&ground->source[source], lift, &block, &part);
    if (!ground->shapes) continue;
    box_of_points(&block, box);
    add_shapes(ground, &block, box, &part);
  }
}

// Take the points at which a surface is higher than what was found before it and may carry. reach
// is how far above `below` it may be.
RUT_CLONES static void take_higher(int n, double reach, const Surface* restrict surface,
                                   const double* restrict below, const rutGroundSurface* out) {
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  RUT_FOR_LANES(i, n) {
    const double h = surface->z[i];
    const int found = z[i] == z[i];
    const int carries = (h == h) & (h <= below[i] + reach);
    const int better = carries & ((h > z[i]) | !found);
    z[i] = better ? h : z[i];
    slope_x[i] = better ? surface->slope_x[i] : slope_x[i];
    slope_y[i] = better ? surface->slope_y[i] : slope_y[i];
  }
}

// How far above what asks a source still carries it.
static double reach_of(rutGroundKind kind) {
  if (kind == RUT_GROUND_LEVEL) return RUT_INFINITY;
  return kind == RUT_GROUND_FIELD ? RUT_GROUND_THICKNESS : RUT_GROUND_STEP;
}

// Of a field, which carries nothing that is far below it.
RUT_INLINE void drop(int n, const double* restrict below, const rutGroundSurface* out) {
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  RUT_FOR_LANES(i, n) {
    const int deep = z[i] > below[i] + RUT_GROUND_THICKNESS;
    z[i] = deep ? RUT_NAN : z[i];
    slope_x[i] = deep ? 0 : slope_x[i];
    slope_y[i] = deep ? 0 : slope_y[i];
  }
}
// The compiler knows the counts of wheels of one vehicle and of a tile.
RUT_CLONES static void drop_what_is_deep(int n, const double* restrict below,
                                         const rutGroundSurface* out) {
  if (n == 4) {
    drop(4, below, out);
  } else if (n == 8) {
    drop(8, below, out);
  } else {
    drop(n, below, out);
  }
}

static void surface_block(const rutGround* ground, const double* lift, const rutGroundPoints* at,
                          const double* below, const rutGroundSurface* out) {
  double box[4];
  Surface surface;
  const rutGroundSurface found = all_of(&surface);
  box_of_points(at, box);
  fill(at->n, ground->level ? 0 : RUT_NAN, out);
  if (ground->level) add_shapes(ground, at, box, out);
  for (int k = 0; k < ground->sources; k++) {
    const rutGroundSource* s = &ground->source[k];
    if (apart(s->box, box)) continue;
    source_lanes(s, lift ? lift[k] : 0, at, &found);
    add_shapes(ground, at, box, &found);
    take_higher(at->n, reach_of(s->kind), &surface, below, out);
  }
}

// Ground of one piece, above or below which nothing else can be.
static void surface_of_one(const rutGround* ground, const double* lift, const rutGroundPoints* at,
                           const double* below, const rutGroundSurface* out) {
  const rutGroundSource* only = ground->sources ? ground->source : NULL;
  if (only)
    source_lanes(only, lift ? lift[0] : 0, at, out);
  else
    fill(at->n, 0, out);
  if (ground->shapes) rut_ground_add_shapes(ground, at, out);
  if (only && only->kind == RUT_GROUND_FIELD) drop_what_is_deep(at->n, below, out);
}

void rut_ground_surface(const rutGround* ground, const double* lift, const rutGroundPoints* at,
                        const double* below, const rutGroundSurface* out) {
  const rutGroundSource* only = ground->sources == 1 && !ground->level ? ground->source : NULL;
  const bool solid = only && (only->kind == RUT_GROUND_FIELD || only->kind == RUT_GROUND_LEVEL);
  if (solid || ground->sources == 0) {
    surface_of_one(ground, lift, at, below, out);
    return;
  }
  for (int i = 0; i < at->n; i += BLOCK) {
    const rutGroundPoints block = block_of(at, i);
    const rutGroundSurface part = part_of(out, i);
    surface_block(ground, lift, &block, below + i, &part);
  }
}
