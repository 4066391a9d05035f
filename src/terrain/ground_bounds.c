// SPDX-License-Identifier: BSD-3-Clause
//
// Bounds of the heights over a rectangle: those of the source, then of each shape on top of it.
#include "math/rut_math.h"
#include "terrain/ground.h"

// Margin around boxes, relative to coordinates: far above rounding.
#define MARGIN 1e-9
// Steepest slope of a weight that fades over a unit of length: 3 t^2 - 2 t^3 rises by at most 1.5,
// at a corner along both axes, which is a factor of at most the root of 2.
#define FADE_SLOPE (1.5 * 1.4143)

static rutTerrainBounds source_bounds(const rutGround* ground, int source, double lift,
                                      const double box[4]) {
  if (source < 0) return (rutTerrainBounds){lift, lift, 0, true};
  const rutGroundSource* s = &ground->source[source];
  const double base = s->z + lift;
  if (s->kind == RUT_GROUND_RAMP || s->kind == RUT_GROUND_BUMP)
    return (rutTerrainBounds){base, base + s->height, RUT_INFINITY, false};
  if (s->kind != RUT_GROUND_FIELD) return (rutTerrainBounds){base, base, 0, true};
  const rutHeightField* f = s->field;
  const double steepest = f->pyramid ? f->pyramid->steepest : RUT_INFINITY;
  return (rutTerrainBounds){base + f->z_min, base + rut_height_field_top(f, box), steepest, false};
}

// Box in a shape's own frame around a box of the world.
static void own_box(const rutGroundShape* shape, const double box[4], double own[4]) {
  const double c = shape->cos_yaw, s = shape->sin_yaw;
  own[0] = own[2] = RUT_INFINITY;
  own[1] = own[3] = -RUT_INFINITY;
  for (int i = 0; i < 4; i++) {
    const double x = box[i & 1] - shape->x, y = box[2 + (i >> 1)] - shape->y;
    const double u = c * x + s * y, v = c * y - s * x;
    own[0] = rut_min(u, own[0]);
    own[1] = rut_max(u, own[1]);
    own[2] = rut_min(v, own[2]);
    own[3] = rut_max(v, own[3]);
  }
  for (int i = 0; i < 4; i++) own[i] += (i & 1 ? MARGIN : -MARGIN) * (1 + rut_abs(own[i]));
}

// How a shape's weight goes over a box of its frame.
typedef struct Weight {
  bool everywhere, nowhere;  // 1, or 0, in all of the box
  double steepest;           // slope of the weight
} Weight;

static Weight weight_over(const rutGroundShape* s, const double own[4]) {
  const double e = s->edge;
  const bool outside =
      own[0] > s->x_max || own[1] < s->x_min || own[2] > s->y_max || own[3] < s->y_min;
  const bool inside = own[0] >= s->x_min + e && own[1] <= s->x_max - e && own[2] >= s->y_min + e &&
                      own[3] <= s->y_max - e;
  if (outside) return (Weight){.nowhere = true};
  if (inside) return (Weight){.everywhere = true};
  return (Weight){.steepest = e > 0 ? FADE_SLOPE / e : RUT_INFINITY};
}

// Slope that a weight gives to a change of height.
static double slope_of(Weight w, double change) {
  if (w.everywhere || !(change > 0)) return 0;
  return w.steepest * change;
}

static void add(rutTerrainBounds* b, rutTerrainBounds h, Weight w) {
  b->steepest += h.steepest + slope_of(w, rut_max(rut_abs(h.low), rut_abs(h.high)));
  b->low += w.everywhere ? h.low : rut_min(0, h.low);
  b->high += w.everywhere ? h.high : rut_max(0, h.high);
  b->plane = b->plane && h.plane && w.everywhere;
}

// The higher, or the shape instead: w h + (1 - w) z, which is between both and no steeper.
static void replace(rutTerrainBounds* b, rutTerrainBounds h, Weight w, bool higher) {
  const double up = h.high - b->low, down = higher ? 0 : b->high - h.low;
  b->steepest = rut_max(b->steepest, h.steepest) + slope_of(w, rut_max(up, down));
  b->plane = h.plane && w.everywhere && !higher;
  if (higher) {
    b->low = w.everywhere ? rut_max(b->low, h.low) : b->low;
    b->high = rut_max(b->high, h.high);
  } else {
    b->low = w.everywhere ? h.low : rut_min(b->low, h.low);
    b->high = w.everywhere ? h.high : rut_max(b->high, h.high);
  }
}

bool rut_ground_bounds(const rutGround* ground, int source, double lift, const double box[4],
                       rutTerrainBounds* out) {
  rutTerrainBounds b = source_bounds(ground, source, lift, box);
  bool shaped = false;
  for (int k = 0; k < ground->shapes; k++) {
    const rutGroundShape* s = &ground->shape[k];
    double own[4];
    if (box[0] > s->box[1] || s->box[0] > box[1] || box[2] > s->box[3] || s->box[2] > box[3]) {
      continue;
    }
    own_box(s, box, own);
    Weight w = weight_over(s, own);
    if (w.nowhere) continue;
    const double extent[4] = {rut_max(own[0], s->x_min), rut_min(own[1], s->x_max),
                              rut_max(own[2], s->y_min), rut_min(own[3], s->y_max)};
    rutTerrainBounds h = {-RUT_INFINITY, RUT_INFINITY, RUT_INFINITY, false};
    if (s->type->bounds) s->type->bounds(s->param, s->plan, extent, &h);
    if (s->type->covering) {
      const bool known = s->type->bounds && s->type->share_slope;
      const double slope = known ? s->type->share_slope(s->param, s->plan, extent) : RUT_INFINITY;
      if (slope < 0) continue;
      // the slope of the product of weight and share is at most the sum of both
      w.everywhere = false;
      w.steepest += slope;
    }
    shaped = true;
    h.low += s->z;
    h.high += s->z;
    if (s->blend == RUT_BLEND_ADD)
      add(&b, h, w);
    else
      replace(&b, h, w, s->blend == RUT_BLEND_MAX);
  }
  *out = b;
  return shaped;
}
