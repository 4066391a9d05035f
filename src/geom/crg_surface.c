// SPDX-License-Identifier: BSD-3-Clause
//
// Heights of a curved regular grid at places.
#include "geom/crg_plan.h"
#include "math/rut_math.h"

static const double TOUCH = 1e-9;  // segments overlap by this share of themselves

static const int* starts_of(const rutCrgPlan* plan) {
  return (const int*)(const void*)((const char*)plan + plan->start);
}
static const rutCrgRun* runs_of(const rutCrgPlan* plan) {
  return (const rutCrgRun*)(const void*)((const char*)plan + plan->run);
}

void rut_crg_point(const rutCrgPlan* plan, double u, double v, double xy[2]) {
  const int i = (int)rut_clamp(u, 0, plan->nu - 2);
  const rutCrgVertex *a = rut_crg_vertices(plan) + i, *b = a + 1;
  const double f = u - i;
  xy[0] = (1 - f) * (a->x + v * a->side[0]) + f * (b->x + v * b->side[0]);
  xy[1] = (1 - f) * (a->y + v * a->side[1]) + f * (b->y + v * b->side[1]);
}

// ---- place to u and v ----

// A segment and the coordinates of a place in it.
typedef struct Local {
  int segment;
  double f, v;          // share of the segment, distance to the left of it [m]
  double length;        // of the line of this v in the segment [m]
  double tx, ty, skew;  // direction; df / dv times that length, negative
} Local;

// False beyond a centre of curvature.
static bool to_local(const rutCrgPlan* plan, int i, double x, double y, Local* out) {
  const rutCrgVertex *a = rut_crg_vertices(plan) + i, *b = a + 1;
  const double dx = b->x - a->x, dy = b->y - a->y, whole = rut_hypot(dx, dy);
  const double tx = dx / whole, ty = dy / whole;
  const double along = (x - a->x) * tx + (y - a->y) * ty, v = (y - a->y) * tx - (x - a->x) * ty;
  const double from = a->side[0] * tx + a->side[1] * ty, to = b->side[0] * tx + b->side[1] * ty;
  const double length = whole + v * (to - from);
  if (!(length > 1e-6 * whole)) return false;
  const double f = (along - v * from) / length;
  *out = (Local){i, f, v, length, tx, ty, from + f * (to - from)};
  return true;
}

// Whether a place is ahead of the line across vertex i.
static bool is_ahead(const rutCrgVertex* p, int i, double x, double y) {
  return (x - p[i].x) * p[i].side[1] - (y - p[i].y) * p[i].side[0] >= 0;
}

// The segment of a run between whose bisectors the place is; those of the ends reach beyond it.
static bool find_in_run(const rutCrgPlan* plan, rutCrgRun run, double x, double y, Local* out) {
  const rutCrgVertex* p = rut_crg_vertices(plan);
  int low = run.first, high = run.last + 1;
  if (!is_ahead(p, low, x, y) && low > 0) return false;
  if (is_ahead(p, high, x, y) && high < plan->nu - 1) return false;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (is_ahead(p, middle, x, y))
      low = middle;
    else
      high = middle;
  }
  if (!to_local(plan, low, x, y, out)) return false;
  const bool first = low == 0, last = low == plan->nu - 2;
  return (first || out->f >= -TOUCH) && (last || out->f <= 1 + TOUCH);
}

// ---- heights ----

// How far beyond its border a coordinate is, and where the grid is read then.
typedef struct Reach {
  double away, at;  // [same unit]
  double slope;     // of `at` by the coordinate
  bool zero;
} Reach;

static Reach reach_of(rutCrgBorder border, double w, double low, double high) {
  const double size = high - low;
  Reach r = {w > high ? w - high : w < low ? w - low : 0, rut_clamp(w, low, high), 0, false};
  if (r.away == 0) {
    r.slope = 1;
    return r;
  }
  r.zero = border == RUT_CRG_ZERO;
  if (border == RUT_CRG_REPEAT || border == RUT_CRG_REFLECT) {
    const double rounds = rut_floor((w - low) / size), rest = w - low - rounds * size;
    const bool back = border == RUT_CRG_REFLECT && rounds - 2 * rut_floor(0.5 * rounds) > 0.5;
    r.at = rut_clamp(back ? high - rest : low + rest, low, high);
    r.slope = back ? -1 : 1;
  }
  return r;
}

// Bilinear grid at u (in segments) and v inside of it, and its slopes.
static double grid_at(const rutCrgPlan* plan, double u, double v, double slope[2]) {
  const double* all = rut_crg_v(plan);
  const int i = (int)rut_clamp(u, 0, plan->nu - 2);
  int low = 0, high = plan->nv - 1;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (all[middle] <= v)
      low = middle;
    else
      high = middle;
  }
  const double* z = rut_crg_z(plan) + (size_t)i * (size_t)plan->nv + (size_t)low;
  const double f = u - i, width = all[low + 1] - all[low], g = (v - all[low]) / width;
  const double near = z[0] + g * (z[1] - z[0]);
  const double far = z[plan->nv] + g * (z[plan->nv + 1] - z[plan->nv]);
  slope[0] = far - near;
  slope[1] = ((1 - f) * (z[1] - z[0]) + f * (z[plan->nv + 1] - z[plan->nv])) / width;
  return near + f * slope[0];
}

static double fade(double away, double beyond, double margin, double* slope) {
  *slope = 0;
  if (away <= beyond) return 1;
  if (away >= beyond + margin) return 0;
  const double u = 1 - (away - beyond) / margin;
  *slope = -6 * u * (1 - u) / margin;
  return u * u * (3 - 2 * u);
}

// Height, slopes and share of a place that is known by u and v. False where it is none.
static bool evaluate(const rutCrgPlan* plan, const Local* at, rutCrgFound* out) {
  const rutCrgVertex* a = rut_crg_vertices(plan) + at->segment;
  const double* v = rut_crg_v(plan);
  const double v_low = v[0], v_high = v[plan->nv - 1], u = at->segment + at->f, step = at->length;
  const Reach ru = reach_of(plan->border[0], u, 0, plan->nu - 1);
  const Reach rv = reach_of(plan->border[1], at->v, v_low, v_high);
  double slope[2] = {0, 0}, z = 0;
  if (!ru.zero && !rv.zero) z = grid_at(plan, ru.at, rv.at, slope);
  if (!(z == z)) return false;
  if (ru.away != 0) z += plan->offset[0];
  if (rv.away != 0) z += plan->offset[1];
  slope[0] *= ru.slope;
  slope[1] *= rv.slope;
  // the line's height and banking stay as they are at its ends, those of the border beyond it
  const double f = rut_clamp(at->f, 0, 1), inside = f == at->f ? 1 : 0;
  const double w = rut_clamp(at->v, v_low, v_high), within = rv.away == 0 ? 1 : 0;
  const double bank = a[0].bank + f * (a[1].bank - a[0].bank);
  z += a[0].z + f * (a[1].z - a[0].z) + bank * w;
  slope[0] += inside * (a[1].z - a[0].z + w * (a[1].bank - a[0].bank));
  slope[1] += within * bank;
  const double side = plan->border[1] == RUT_CRG_REFUSE ? 0 : plan->beyond;
  const double ends = plan->border[0] == RUT_CRG_REFUSE ? 0 : plan->beyond;
  double by_v, by_u;
  const double across = fade(rut_abs(rv.away), side, plan->margin, &by_v);
  const double ahead = fade(rut_abs(ru.away) * step, ends, plan->margin, &by_u);
  if (!(across * ahead > 0)) return false;
  const double share[2] = {across * by_u * rut_sign(ru.away) * step,
                           ahead * by_v * rut_sign(rv.away)};
  *out = (rutCrgFound){.u = u, .v = at->v, .z = z, .share = across * ahead};
  // u changes along the segment by 1 / step, and with v by - skew / step
  const double g[2] = {slope[0] / step, slope[1] - slope[0] * at->skew / step};
  const double h[2] = {share[0] / step, share[1] - share[0] * at->skew / step};
  out->gradient[0] = g[0] * at->tx - g[1] * at->ty;
  out->gradient[1] = g[0] * at->ty + g[1] * at->tx;
  out->share_gradient[0] = h[0] * at->tx - h[1] * at->ty;
  out->share_gradient[1] = h[0] * at->ty + h[1] * at->tx;
  return true;
}

bool rut_crg_at(const rutCrgPlan* plan, double x, double y, rutCrgFound* out) {
  const double cx = (x - plan->corner[0]) / plan->cell, cy = (y - plan->corner[1]) / plan->cell;
  if (!(cx >= 0 && cy >= 0 && cx < plan->cells[0] && cy < plan->cells[1])) return false;
  const int cell = (int)cy * plan->cells[0] + (int)cx;
  const int* start = starts_of(plan);
  const double middle = 0.5 * (rut_crg_v(plan)[0] + rut_crg_v(plan)[plan->nv - 1]);
  bool any = false;
  double nearest = RUT_INFINITY;
  for (int i = start[cell]; i < start[cell + 1]; i++) {
    Local at;
    rutCrgFound found;
    if (!find_in_run(plan, runs_of(plan)[i], x, y, &at) || !evaluate(plan, &at, &found)) continue;
    const double away = rut_abs(at.v - middle) + rut_max(rut_abs(at.f - 0.5) - 0.5, 0) * at.length;
    if (away >= nearest) continue;
    nearest = away;
    *out = found;
    any = true;
  }
  return any;
}

void rut_crg_surface(const rutCrgPlan* plan, const rutGroundPoints* at, const rutGroundSurface* out,
                     const rutGroundSurface* share) {
  for (int i = 0; i < at->n; i++) {
    rutCrgFound f = {0};
    if (plan && !rut_crg_at(plan, at->x[i], at->y[i], &f)) f = (rutCrgFound){0};
    out->z[i] = f.z;
    out->slope_x[i] = f.gradient[0];
    out->slope_y[i] = f.gradient[1];
    share->z[i] = f.share;
    share->slope_x[i] = f.share_gradient[0];
    share->slope_y[i] = f.share_gradient[1];
  }
}

double rut_crg_bounds(const rutCrgPlan* plan, const double box[4], rutTerrainBounds* out) {
  static const double FADE_SLOPE = 1.5 * 1.4143;  // of the weight 3 u^2 - 2 u^3 along both axes
  *out = (rutTerrainBounds){0, 0, 0, false};
  if (!plan) return -1;
  for (int k = 0; k < 2; k++) {
    const double end = plan->corner[k] + plan->cells[k] * plan->cell;
    if (box[2 * k] > end || box[2 * k + 1] < plan->corner[k]) return -1;
  }
  *out = (rutTerrainBounds){plan->low, plan->high, plan->steepest, false};
  return FADE_SLOPE / plan->margin;
}
