// SPDX-License-Identifier: BSD-3-Clause
#include "geom/road_curve.h"

#include "math/rut_math.h"

enum { NODES = 10, MOST_ROUNDS = 60 };
// Gauss-Legendre quadrature on [0, 1].
static const double node[NODES] = {0.013046735741414128, 0.067468316655507731, 0.16029521585048778,
                                   0.28330230293537639,  0.42556283050918442,  0.57443716949081558,
                                   0.71669769706462361,  0.83970478414951222,  0.93253168334449232,
                                   0.98695326425858587};
static const double weight[NODES] = {
    0.033335672154344104, 0.074725674575290265, 0.10954318125799106, 0.13463335965499806,
    0.14776211235737646,  0.14776211235737646,  0.13463335965499806, 0.10954318125799106,
    0.074725674575290265, 0.033335672154344104};
// Change of heading over one panel, for which the rule is exact to rounding [rad].
#define PANEL_TURN 1.0

rutRoadValue rut_road_cubic_at(const rutRoadCubic* c, double s) {
  const double w = s - c->s;
  return (rutRoadValue){c->a + w * (c->b + w * (c->c + w * c->d)),
                        c->b + w * (2 * c->c + w * 3 * c->d), 2 * c->c + 6 * c->d * w};
}

rutRoadCubic rut_road_cubic_moved(const rutRoadCubic* c, double s) {
  const rutRoadValue at = rut_road_cubic_at(c, s);
  return (rutRoadCubic){s, at.v, at.d, 0.5 * at.dd, c->d};
}

rutRoadCubic rut_road_cubic_sum(const rutRoadCubic* a, const rutRoadCubic* b, double factor) {
  const rutRoadCubic m = rut_road_cubic_moved(b, a->s);
  return (rutRoadCubic){a->s, a->a + factor * m.a, a->b + factor * m.b, a->c + factor * m.c,
                        a->d + factor * m.d};
}

// ---- cubics in the plane ----

static void cubic_at(const rutRoadCurve* c, double p, rutRoadValue* u, rutRoadValue* v) {
  const rutRoadCubic cu = {0, c->u[0], c->u[1], c->u[2], c->u[3]};
  const rutRoadCubic cv = {0, c->v[0], c->v[1], c->v[2], c->v[3]};
  *u = rut_road_cubic_at(&cu, p);
  *v = rut_road_cubic_at(&cv, p);
}

static double speed_at(const rutRoadCurve* c, double p) {
  rutRoadValue u, v;
  cubic_at(c, p, &u, &v);
  return rut_hypot(u.d, v.d);
}

static double length_between(const rutRoadCurve* c, double from, double to) {
  double sum = 0;
  for (int i = 0; i < NODES; i++) sum += weight[i] * speed_at(c, from + (to - from) * node[i]);
  return (to - from) * sum;
}

static void measure(rutRoadCurve* c) {
  c->arc[0] = 0;
  for (int i = 0; i < RUT_ROAD_PANELS; i++) {
    const double step = c->p_end / RUT_ROAD_PANELS;
    c->arc[i + 1] = c->arc[i] + length_between(c, i * step, (i + 1) * step);
  }
}

// Parameter at which a cubic has a length: Newton's method, kept inside its panel by bisection.
static double parameter_at(const rutRoadCurve* c, double length) {
  int i = 0;
  while (i < RUT_ROAD_PANELS - 1 && c->arc[i + 1] < length) i++;
  const double step = c->p_end / RUT_ROAD_PANELS, from = i * step;
  double low = from, high = from + step, p = 0.5 * (low + high);
  for (int k = 0; k < MOST_ROUNDS; k++) {
    const double over = c->arc[i] + length_between(c, from, p) - length, speed = speed_at(c, p);
    if (over > 0) high = p;
    if (over <= 0) low = p;
    double next = speed > 0 ? p - over / speed : 0.5 * (low + high);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (rut_abs(next - p) <= 1e-15 * c->p_end) break;
    p = next;
  }
  return rut_clamp(p, 0, c->p_end);
}

void rut_road_curve_settle(rutRoadCurve* c, bool function) {
  if (c->shape != RUT_ROAD_CUBIC) return;
  if (function) {
    // v(u) is at least as long as its u
    c->p_end = c->length;
    measure(c);
    c->p_end = parameter_at(c, c->length);
  }
  measure(c);
}

double rut_road_curve_length(const rutRoadCurve* c) {
  return c->shape == RUT_ROAD_CUBIC ? c->arc[RUT_ROAD_PANELS] : c->length;
}

static rutRoadPlace cubic_place(const rutRoadCurve* c, double ds) {
  const double rate = c->length > 0 ? c->arc[RUT_ROAD_PANELS] / c->length : 1;
  const double p = parameter_at(c, ds * rate);
  rutRoadValue u, v;
  cubic_at(c, p, &u, &v);
  const double speed = rut_max(rut_hypot(u.d, v.d), 1e-12);
  double s, k;
  rut_sincos(c->heading, &s, &k);
  return (rutRoadPlace){c->x + k * u.v - s * v.v, c->y + s * u.v + k * v.v,
                        c->heading + rut_atan2(v.d, u.d),
                        (u.d * v.dd - v.d * u.dd) / (speed * speed * speed), rate};
}

// ---- clothoids ----

// Heading is the integral of the curvature, the place that of the direction.
static rutRoadPlace clothoid_place(const rutRoadCurve* c, double ds) {
  const double k0 = c->curvature[0];
  const double rise = c->length > 0 ? (c->curvature[1] - k0) / c->length : 0;
  const double turn = rut_max(rut_abs(k0), rut_abs(k0 + rise * ds)) * ds;
  const int panels = (int)rut_min(turn / PANEL_TURN, 2 * RUT_ROAD_MOST_TURN) + 1;
  double x = 0, y = 0;
  for (int i = 0; i < panels; i++) {
    double sum_x = 0, sum_y = 0;
    for (int j = 0; j < NODES; j++) {
      const double w = ds * (i + node[j]) / panels;
      double sine, cosine;
      rut_sincos(c->heading + w * (k0 + 0.5 * rise * w), &sine, &cosine);
      sum_x += weight[j] * cosine;
      sum_y += weight[j] * sine;
    }
    x += sum_x;
    y += sum_y;
  }
  return (rutRoadPlace){c->x + ds / panels * x, c->y + ds / panels * y,
                        c->heading + ds * (k0 + 0.5 * rise * ds), k0 + rise * ds, 1};
}

rutRoadPlace rut_road_curve_at(const rutRoadCurve* c, double ds) {
  return c->shape == RUT_ROAD_CUBIC ? cubic_place(c, ds) : clothoid_place(c, ds);
}

// ---- polynomials ----

// Quintic with value, slope and second derivative at both ends of [0, h].
static void quintic(rutRoadValue from, rutRoadValue to, double h, double* out) {
  const double d = to.v - from.v, w0 = h * from.d, w1 = h * to.d;
  const double b0 = h * h * from.dd, b1 = h * h * to.dd;
  const double c3 = 10 * d - 6 * w0 - 4 * w1 - 1.5 * b0 + 0.5 * b1;
  const double c4 = -15 * d + 8 * w0 + 7 * w1 + 1.5 * b0 - b1;
  const double c5 = 6 * d - 3 * (w0 + w1) - 0.5 * (b0 - b1);
  out[0] = from.v;
  out[1] = from.d;
  out[2] = 0.5 * from.dd;
  out[3] = c3 / (h * h * h);
  out[4] = c4 / (h * h * h * h);
  out[5] = c5 / (h * h * h * h * h);
}

static void derivatives(const rutRoadPlace* p, rutRoadValue* x, rutRoadValue* y) {
  double s, c;
  rut_sincos(p->heading, &s, &c);
  const double bend = p->rate * p->rate * p->curvature;
  *x = (rutRoadValue){p->x, p->rate * c, -bend * s};
  *y = (rutRoadValue){p->y, p->rate * s, bend * c};
}

double rut_road_arc_make(const rutRoadCurve* curve, double from, double to, rutRoadArc* out) {
  const rutRoadPlace a = rut_road_curve_at(curve, from), b = rut_road_curve_at(curve, to);
  const double h = to - from;
  rutRoadValue xa, ya, xb, yb;
  derivatives(&a, &xa, &ya);
  derivatives(&b, &xb, &yb);
  out->length = h;
  quintic(xa, xb, h, out->x);
  quintic(ya, yb, h, out->y);
  double worst = 0;
  for (int i = 1; i < 4; i++) {
    const double w = 0.25 * i * h;
    const rutRoadPlace exact = rut_road_curve_at(curve, from + w);
    const rutRoadArcAt at = rut_road_arc_at(out, w);
    worst = rut_max(worst, rut_hypot(at.x - exact.x, at.y - exact.y));
  }
  return worst;
}
