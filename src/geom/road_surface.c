// SPDX-License-Identifier: BSD-3-Clause
//
// Heights of roads at places, by Newton's method in road coordinates.
#include "geom/road_surface.h"

#include "math/rut_math.h"

enum { MOST_STEPS = 12 };
static const double CLOSE = 1e-12;    // of the place that is found [m], and
static const double ROUNDED = 1e-15;  // relative to its coordinates
static const double CLEARLY = 1;      // beyond a joint, whatever is left to find [m]
static const double JOINT = 0.05;     // by which pieces that are joined overlap, at kinks [m]
static const double MISSED = 1e-6;    // where it is none [m]

static const rutRoadStrip* strips_of(const rutRoadPlan* plan) {
  return (const rutRoadStrip*)(const void*)((const char*)plan + plan->strip);
}
static const rutRoadProfile* profiles_of(const rutRoadPlan* plan) {
  return (const rutRoadProfile*)(const void*)((const char*)plan + plan->profile);
}
static const rutRoadCubic* parts_of(const rutRoadPlan* plan) {
  return (const rutRoadCubic*)(const void*)((const char*)plan + plan->part);
}
static const int* starts_of(const rutRoadPlan* plan) {
  return (const int*)(const void*)((const char*)plan + plan->start);
}
static const int* entries_of(const rutRoadPlan* plan) {
  return (const int*)(const void*)((const char*)plan + plan->entry);
}

static rutRoadValue poly(const double c[4], double w) {
  return (rutRoadValue){c[0] + w * (c[1] + w * (c[2] + w * c[3])),
                        c[1] + w * (2 * c[2] + w * 3 * c[3]), 2 * c[2] + 6 * c[3] * w};
}

// A quantity over (w, t) and its derivatives.
typedef struct Over {
  double v, w, t;
} Over;

// A place on the surface in the frame of the reference line at w: along, across to the left, up.
typedef struct Place {
  rutRoadArcAt line;
  double rate, bend;  // length of the line per w, and its curvature [1/m]
  Over along, across, up;
  double beyond, beyond_w, beyond_t;  // distance beyond the lanes [m]
} Place;

// ---- heights across ----

static rutRoadValue profile_at(const rutRoadPlan* plan, int profile, double t) {
  const rutRoadProfile p = profiles_of(plan)[profile];
  const rutRoadCubic* part = parts_of(plan) + p.first;
  int low = 0, high = p.n;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (part[middle].s <= t)
      low = middle;
    else
      high = middle;
  }
  // level on before the first
  if (t < part[0].s) return (rutRoadValue){part[0].a, 0, 0};
  return rut_road_cubic_at(&part[low], t);
}

// Height above the turned plane, of the lateral profile and the crossfall.
static Over relief(const rutRoadPlan* plan, const rutRoadSpan* span, double w, double t) {
  Over h = {0};
  if (span->profile[0] >= 0) {
    const rutRoadValue a = profile_at(plan, span->profile[0], t);
    const rutRoadValue b = profile_at(plan, span->profile[1], t);
    const double share = span->share[0] + span->share[1] * w;
    h = (Over){a.v + share * (b.v - a.v), span->share[1] * (b.v - a.v), a.d + share * (b.d - a.d)};
  }
  const int side = t >= 0 ? 0 : 1;
  const rutRoadValue fall = poly(span->fall[side], w);
  if (fall.v == 0 && fall.d == 0) return h;
  const double slope = rut_tan(fall.v), away = rut_abs(t);
  h.v -= away * slope;
  h.w -= away * (1 + slope * slope) * fall.d;
  h.t -= (side ? -1 : 1) * slope;
  return h;
}

// Height of a lane at d from its inner border, |d| up to `width`, which changes with w by width_w.
static Over lane_height(const rutRoadStrip* strip, double away, double width, double width_w) {
  if (strip->before == 0 && strip->in == 0 && strip->out == 0) return (Over){0};
  const double w = rut_max(width, 1e-6), tilt = (strip->out - strip->in) / w;
  const double own = strip->in + tilt * away, own_w = -tilt * away * width_w / w;
  const double kerb = rut_min(RUT_ROAD_KERB, w);
  if (away >= kerb) return (Over){own, own_w, tilt};
  const double share = away / kerb;
  return (Over){strip->before + share * (own - strip->before), share * own_w,
                share * tilt + (own - strip->before) / kerb};
}

typedef struct Roll {
  double s, c, rate;  // sine, cosine, change per w
} Roll;

// Add a width of a lane, or a part of it, to the border that was reached.
static void reach(Over* across, Over* up, rutRoadValue width, int level, Roll roll) {
  if (level) {
    across->v += width.v;
    across->w += width.d;
    return;
  }
  across->v += width.v * roll.c;
  across->w += width.d * roll.c - width.v * roll.s * roll.rate;
  up->v += width.v * roll.s;
  up->w += width.d * roll.s + width.v * roll.c * roll.rate;
}

// The point of the cross-section at t: across and up, and how far beyond the lanes.
static void cross(const rutRoadPlan* plan, const rutRoadSpan* span, double w, double t, Roll roll,
                  Place* out) {
  const rutRoadValue middle = poly(span->middle, w);
  const double side = t >= middle.v ? 1 : -1;
  const int n = span->strips[side > 0 ? 0 : 1];
  const rutRoadStrip* strip = strips_of(plan) + span->strip + (side > 0 ? 0 : span->strips[0]);
  Over across = {0}, up = {0};
  reach(&across, &up, middle, 0, roll);
  int k = 0;
  rutRoadValue in = {0}, width = {0};
  for (;; k++, strip++) {
    in = poly(strip->inner, w);
    const rutRoadValue border = poly(strip->outer, w);
    width = (rutRoadValue){border.v - in.v, border.d - in.d, 0};
    if (k == n - 1 || side * (t - border.v) <= 0) break;
    reach(&across, &up, width, strip->level, roll);
  }
  const bool beyond = k == n - 1;
  const double d = t - in.v;
  reach(&across, &up, (rutRoadValue){d, -in.d, 0}, strip->level, roll);
  across.t = strip->level ? 1 : roll.c;
  up.t = strip->level ? 0 : roll.s;
  // heights: beyond the lanes and on level ones the relief is that of the inner border
  Over h = relief(plan, span, w, strip->level ? in.v : t);
  if (strip->level) {
    h.w += h.t * in.d;
    h.t = 0;
  }
  const Over own = beyond ? (Over){strip->before, 0, 0}
                          : lane_height(strip, rut_abs(d), rut_abs(width.v), side * width.d);
  h.v += own.v;
  h.w += own.w - side * in.d * own.t;
  h.t += side * own.t;
  across.w -= h.w * roll.s + h.v * roll.c * roll.rate;
  across.t -= h.t * roll.s;
  across.v -= h.v * roll.s;
  up.w += h.w * roll.c - h.v * roll.s * roll.rate;
  up.t += h.t * roll.c;
  up.v += h.v * roll.c;
  out->across = across;
  out->up = up;
  out->beyond = beyond ? rut_abs(d) : 0;
  out->beyond_w = beyond ? -side * in.d : 0;
  out->beyond_t = beyond ? side : 0;
}

// r: the reference line at w.
static void place_on(const rutRoadPlan* plan, const rutRoadSpan* span, rutRoadArcAt r, double w,
                     double t, Place* out) {
  const rutRoadValue z = poly(span->z, w), turn = poly(span->roll, w);
  Roll roll = {0, 1, turn.d};
  if (turn.v != 0) rut_sincos(turn.v, &roll.s, &roll.c);
  out->line = r;
  out->rate = rut_max(rut_hypot(r.dx, r.dy), 1e-9);
  out->bend = (r.dx * r.ddy - r.dy * r.ddx) / (out->rate * out->rate * out->rate);
  cross(plan, span, w, t, roll, out);
  // what stands up from the line leans back where the line rises
  const double square = 1 + z.d * z.d, cosine = 1 / rut_sqrt(square), sine = z.d * cosine;
  const double rate = z.dd / square;
  const Over q = out->up;
  out->along = (Over){-sine * q.v, -cosine * rate * q.v - sine * q.w, -sine * q.t};
  out->up = (Over){z.v + cosine * q.v, z.d - sine * rate * q.v + cosine * q.w, cosine * q.t};
}

// Derivatives of the plan place by w and t, along and across the line.
typedef struct Frame {
  double ww, wa, tw, ta;  // along per w, across per w, along per t, across per t
} Frame;

static Frame frame_of(const Place* p) {
  const double turn = p->rate * p->bend;
  return (Frame){p->rate - turn * p->across.v + p->along.w, p->across.w + turn * p->along.v,
                 p->along.t, p->across.t};
}

// Gradient in the world of what changes by w and t.
static void gradient(const Place* p, Frame f, double by_w, double by_t, double out[2]) {
  const double det = f.ww * f.ta - f.wa * f.tw;
  const double along = (by_w * f.ta - by_t * f.wa) / det,
               across = (by_t * f.ww - by_w * f.tw) / det;
  const double c = p->line.dx / p->rate, s = p->line.dy / p->rate;
  out[0] = c * along - s * across;
  out[1] = s * along + c * across;
}

// ---- one span ----

// 1 at the border, 0 at the margin's end: 3 u^2 - 2 u^3 of what is left of it.
static double fade(double away, double margin, double* slope) {
  *slope = 0;
  if (away <= 0) return 1;
  if (away >= margin) return 0;
  const double u = 1 - away / margin;
  *slope = -6 * u * (1 - u) / margin;
  return u * u * (3 - 2 * u);
}

// Whether a place is behind a joint of a span, for certain: farther along than the joint's overlap
// and what slope and roll can move a point of the surface along the line.
static bool is_past(const rutRoadSpan* span, int end, double x, double y) {
  static const double SPARE = 0.1, RELIEF = 0.5;  // above JOINT; greatest height of lanes [m]
  static const double TANGENT = 4.2;              // of the largest roll over the roll itself
  if (!span->joined[end]) return false;
  const rutRoadEnd* r = &span->end[end];
  const double dx = x - r->x, dy = y - r->y;
  const double along = dx * r->out[0] + dy * r->out[1];
  if (!(along > SPARE)) return false;
  const double across = rut_abs(dy * r->out[0] - dx * r->out[1]);
  return along > SPARE + r->slope * (RELIEF + TANGENT * r->roll * across);
}

void rut_road_span_ends(rutRoadSpan* span) {
  for (int k = 0; k < 2; k++) {
    const double w = k ? span->arc.length : 0;
    const rutRoadArcAt r = rut_road_arc_at(&span->arc, w);
    const double rate = (k ? 1 : -1) * rut_max(rut_hypot(r.dx, r.dy), 1e-9);
    span->end[k] = (rutRoadEnd){.x = r.x,
                                .y = r.y,
                                .out = {r.dx / rate, r.dy / rate},
                                .slope = rut_abs(poly(span->z, w).d),
                                .roll = rut_abs(poly(span->roll, w).v)};
  }
  span->middle_of_line = rut_road_arc_at(&span->arc, 0.5 * span->arc.length);
}

bool rut_road_span_at(const rutRoadPlan* plan, const rutRoadSpan* span, double x, double y,
                      rutRoadFound* out) {
  const double length = span->arc.length;
  Place p;
  const rutRoadArcAt start = span->middle_of_line;
  const double pace = start.dx * start.dx + start.dy * start.dy;
  double w = rut_clamp(0.5 * length + ((x - start.x) * start.dx + (y - start.y) * start.dy) / pace,
                       0, length);
  rutRoadArcAt near = rut_road_arc_at(&span->arc, w);
  double t = ((y - near.y) * near.dx - (x - near.x) * near.dy) / rut_hypot(near.dx, near.dy);
  const double close = CLOSE + ROUNDED * (rut_abs(x) + rut_abs(y));
  double miss = RUT_INFINITY, over = 0;
  Frame f = {1, 0, 0, 1};
  for (int i = 0; i < MOST_STEPS; i++) {
    // straight on beyond both ends
    const double inside = rut_clamp(w, 0, length);
    over = w - inside;
    // what is clearly beyond belongs to the piece that goes on there
    const bool beyond = span->joined[over > 0 ? 1 : 0] && over != 0;
    if (beyond && i > 0 && rut_abs(over) > CLEARLY) return false;
    if (i > 0) near = rut_road_arc_at(&span->arc, inside);
    place_on(plan, span, near, inside, t, &p);
    f = frame_of(&p);
    if (over != 0) {
      f.ww = p.rate;
      f.wa = 0;
    }
    const double c = p.line.dx / p.rate, s = p.line.dy / p.rate;
    const double dx = x - p.line.x, dy = y - p.line.y;
    const double along = c * dx + s * dy - p.along.v - over * p.rate;
    const double across = c * dy - s * dx - p.across.v;
    miss = rut_max(rut_abs(along), rut_abs(across));
    if (miss < close) break;
    const double det = f.ww * f.ta - f.wa * f.tw;
    if (!(rut_abs(det) > 1e-9)) return false;
    w = rut_clamp(w + (along * f.ta - across * f.tw) / det, -2 * length - 2 * plan->margin - 1,
                  3 * length + 2 * plan->margin + 1);
    t += (across * f.ww - along * f.wa) / det;
  }
  if (!(miss < MISSED)) return false;
  double side_slope, end_slope = 0;
  const double across = fade(p.beyond, plan->margin, &side_slope);
  const bool inner = span->joined[over > 0 ? 1 : 0] != 0;
  if (inner && rut_abs(over) > JOINT) return false;
  const double ahead = inner ? 1 : fade(rut_abs(over) * p.rate, plan->margin, &end_slope);
  if (!(across * ahead > 0)) return false;
  *out = (rutRoadFound){.w = w, .t = t, .z = p.up.v, .share = across * ahead};
  const int ends = over != 0;
  if (inner && ends) {
    // as steep as at the joint
    gradient(&p, frame_of(&p), p.up.w, p.up.t, out->gradient);
    out->z += over * (p.line.dx * out->gradient[0] + p.line.dy * out->gradient[1]);
    out->overlap = true;
  } else {
    gradient(&p, f, ends ? 0 : p.up.w, p.up.t, out->gradient);
  }
  const double by_w = ahead * side_slope * (ends ? 0 : p.beyond_w) +
                      across * end_slope * (over > 0 ? 1 : -1) * p.rate * ends;
  gradient(&p, f, by_w, ahead * side_slope * p.beyond_t, out->share_gradient);
  return true;
}

void rut_road_point(const rutRoadPlan* plan, const rutRoadSpan* span, double w, double t,
                    double point[3]) {
  Place p;
  place_on(plan, span, rut_road_arc_at(&span->arc, w), w, t, &p);
  const double c = p.line.dx / p.rate, s = p.line.dy / p.rate;
  point[0] = p.line.x + c * p.along.v - s * p.across.v;
  point[1] = p.line.y + s * p.along.v + c * p.across.v;
  point[2] = p.up.v;
}

// ---- all roads ----

// Cell of a coordinate, -1 outside.
static int cell_of(const rutRoadPlan* plan, double x, int axis) {
  const double u = (x - plan->corner[axis]) / plan->cell;
  return u >= 0 && u < plan->cells[axis] ? (int)u : -1;
}

// A mean of surfaces that cover a place in part.
typedef struct Mean {
  double weight, weight_x[2];  // sum of weights, and its gradient
  double z, z_x[2];            // of weights times heights
  double open, open_x[2];      // product of what each leaves open
} Mean;

static void add_to_mean(Mean* m, const rutRoadFound* f) {
  const double left = 1 - f->share, weight = f->share * f->share / left;
  const double rate = (2 * f->share - f->share * f->share) / (left * left);
  for (int k = 0; k < 2; k++) {
    const double weight_x = rate * f->share_gradient[k];
    m->weight_x[k] += weight_x;
    m->z_x[k] += weight_x * f->z + weight * f->gradient[k];
    m->open_x[k] = m->open_x[k] * left - m->open * f->share_gradient[k];
  }
  m->weight += weight;
  m->z += weight * f->z;
  m->open *= left;
}

// Of two pieces that cover a place the higher one is the ground; of two that are joined it is the
// one that has the place between its ends.
static bool is_ground(const rutRoadPlan* plan, const rutRoadFound* a, const rutRoadFound* b) {
  const bool neighbours = a->span - b->span == 1 || b->span - a->span == 1;
  if (neighbours && a->overlap != b->overlap &&
      rut_road_span(plan, a->span)->road == rut_road_span(plan, b->span)->road) {
    return b->overlap;
  }
  return a->z > b->z;
}

double rut_road_plan_at(const rutRoadPlan* plan, double x, double y, rutRoadFound* out) {
  // a share this near to 1 is all
  static const double WHOLE = 1 - 1e-9;
  *out = (rutRoadFound){.span = -1};
  const int ix = cell_of(plan, x, 0), iy = cell_of(plan, y, 1);
  if (ix < 0 || iy < 0) return 0;
  const int cell = iy * plan->cells[0] + ix;
  const int *start = starts_of(plan), *entry = entries_of(plan);
  Mean mean = {.open = 1};
  rutRoadFound found;
  int nearest = -1;
  double most = 0;
  for (int i = start[cell]; i < start[cell + 1]; i++) {
    const rutRoadSpan* span = rut_road_span(plan, entry[i]);
    if (x < span->box[0] || x > span->box[1] || y < span->box[2] || y > span->box[3]) continue;
    if (is_past(span, 0, x, y) || is_past(span, 1, x, y)) continue;
    if (!rut_road_span_at(plan, span, x, y, &found)) continue;
    found.span = entry[i];
    if (found.share >= WHOLE) {
      if (out->span < 0 || is_ground(plan, &found, out)) *out = found;
      continue;
    }
    if (found.share > most) nearest = found.span;
    most = rut_max(most, found.share);
    add_to_mean(&mean, &found);
  }
  if (out->span >= 0) {
    out->share = 1;
    out->share_gradient[0] = out->share_gradient[1] = 0;
    return 1;
  }
  if (!(mean.weight > 0)) return 0;
  out->span = nearest;
  out->z = mean.z / mean.weight;
  out->share = 1 - mean.open;
  for (int k = 0; k < 2; k++) {
    out->gradient[k] = (mean.z_x[k] - out->z * mean.weight_x[k]) / mean.weight;
    out->share_gradient[k] = -mean.open_x[k];
  }
  return out->share;
}

bool rut_road_plan_crosses(const rutRoadPlan* plan, double x, double y, double step, int road[2]) {
  const int ix = cell_of(plan, x, 0), iy = cell_of(plan, y, 1);
  if (ix < 0 || iy < 0) return false;
  const int cell = iy * plan->cells[0] + ix;
  const int *start = starts_of(plan), *entry = entries_of(plan);
  double low = RUT_INFINITY, high = -RUT_INFINITY;
  for (int i = start[cell]; i < start[cell + 1]; i++) {
    const rutRoadSpan* span = rut_road_span(plan, entry[i]);
    rutRoadFound found;
    if (!rut_road_span_at(plan, span, x, y, &found) || found.share < 1) continue;
    if (found.z < low) road[0] = span->road;
    if (found.z > high) road[1] = span->road;
    low = rut_min(low, found.z);
    high = rut_max(high, found.z);
  }
  return high - low > step;
}

void rut_road_plan_surface(const rutRoadPlan* plan, const rutGroundPoints* at,
                           const rutGroundSurface* out, const rutGroundSurface* share) {
  for (int i = 0; i < at->n; i++) {
    rutRoadFound f = {.span = -1};
    share->z[i] = plan ? rut_road_plan_at(plan, at->x[i], at->y[i], &f) : 0;
    out->z[i] = f.z;
    out->slope_x[i] = f.gradient[0];
    out->slope_y[i] = f.gradient[1];
    share->slope_x[i] = f.share_gradient[0];
    share->slope_y[i] = f.share_gradient[1];
  }
}

// Cells that a box meets: first and last along both axes. Returns how many, 0 if none.
static double cells_of(const rutRoadPlan* plan, const double box[4], int range[4]) {
  double cells = 1;
  for (int k = 0; k < 2; k++) {
    const double low = rut_floor(rut_clamp((box[2 * k] - plan->corner[k]) / plan->cell, -1, 1e9));
    const double high =
        rut_floor(rut_clamp((box[2 * k + 1] - plan->corner[k]) / plan->cell, -1, 1e9));
    range[2 * k] = (int)rut_max(low, 0);
    range[2 * k + 1] = (int)rut_min(high, plan->cells[k] - 1);
    if (range[2 * k] > range[2 * k + 1]) return 0;
    cells *= range[2 * k + 1] - range[2 * k] + 1;
  }
  return cells;
}

// Bounds of the spans of a cell that meet a box. Returns whether there are any.
static bool bound_cell(const rutRoadPlan* plan, int cell, const double box[4],
                       rutTerrainBounds* b) {
  const int *start = starts_of(plan), *entry = entries_of(plan);
  bool any = false;
  for (int i = start[cell]; i < start[cell + 1]; i++) {
    const rutRoadSpan* span = rut_road_span(plan, entry[i]);
    if (box[0] > span->box[1] || box[1] < span->box[0] || box[2] > span->box[3] ||
        box[3] < span->box[2]) {
      continue;
    }
    any = true;
    b->low = rut_min(b->low, span->low);
    b->high = rut_max(b->high, span->high);
    b->steepest = rut_max(b->steepest, span->steepest);
  }
  return any;
}

double rut_road_plan_bounds(const rutRoadPlan* plan, const double box[4], rutTerrainBounds* out) {
  static const double MOST_CELLS = 256;
  // of the weight 3 u^2 - 2 u^3 along both axes at once
  static const double FADE_SLOPE = 1.5 * 1.4143;
  *out = (rutTerrainBounds){0, 0, 0, false};
  if (!plan) return -1;
  int range[4];
  const double cells = cells_of(plan, box, range);
  if (!(cells > 0)) return -1;
  rutTerrainBounds b = {plan->low, plan->high, plan->steepest, false};
  if (cells <= MOST_CELLS) {
    b = (rutTerrainBounds){RUT_INFINITY, -RUT_INFINITY, 0, false};
    bool any = false;
    for (int iy = range[2]; iy <= range[3]; iy++) {
      for (int ix = range[0]; ix <= range[1]; ix++) {
        any = bound_cell(plan, iy * plan->cells[0] + ix, box, &b) || any;
      }
    }
    if (!any) return -1;
  }
  *out = b;
  return FADE_SLOPE / plan->margin;
}
