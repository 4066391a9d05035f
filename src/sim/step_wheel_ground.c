// SPDX-License-Identifier: BSD-3-Clause
//
// What ground a wheel meets: the plane under its hub, or that at the nearest ground along its arc.
// A rigid wheel that rolls over any ground touches it where the ground is nearest to its hub in the
// wheel's plane, so that the nearest place is the contact, exactly.
#include "sim/step_spatial.h"

// A row of the wheels' scratch; k and n are at hand wherever it is used.
#define W(name) RUT_WHEEL_ROW(k, n, name)

enum { REFINEMENTS = 6, EDGE_HALVINGS = 16 };

static void surface(const rutStepView* e, int n, const double* x, const double* y,
                    const double* below, double* z, double* sx, double* sy) {
  rut_ground_surface(e->model->ground, e->lift, n, x, y, below, z, sx, sy);
}

// ---- under the hub ----

RUT_INLINE void plane_under_hub(const rutStepView* e, int n) {
  const rutSpatialScratch* k = e->scratch;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double sx = W(gsx)[i], sy = W(gsy)[i], inverse = 1 / rut_sqrt(1 + sx * sx + sy * sy);
    const double z = W(gz)[i], distance = (W(hz)[i] - z) * inverse;
    W(distance)[i] = z == z ? distance : RUT_NO_GROUND;
    W(gnx)[i] = -sx * inverse;
    W(gny)[i] = -sy * inverse;
    W(gnz)[i] = inverse;
  }
}

// ---- along the arc ----

// Horizontal heading of each wheel, and places along it: those under equal angles of the wheel.
RUT_INLINE void lay_samples(const rutStepView* e, int n, const double* sine) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double length = rut_sqrt(W(fx)[i] * W(fx)[i] + W(fy)[i] * W(fy)[i]);
    const double inverse = length > 1e-9 ? 1 / length : 0;
    W(ex)[i] = W(fx)[i] * inverse;
    W(ey)[i] = W(fy)[i] * inverse;
  }
  for (int j = 0; j < s->slices; j++) {
    double *x = k->sample_x + j * n, *y = k->sample_y + j * n, *below = k->sample_below + j * n;
#pragma omp simd
    for (int i = 0; i < n; i++) {
      const double u = s->radius[i] * sine[j];
      x[i] = W(hx)[i] + u * W(ex)[i];
      y[i] = W(hy)[i] + u * W(ey)[i];
      below[i] = W(hz)[i];
    }
  }
}

// Half the squared distance from the hub, and its slope along the heading.
RUT_INLINE double half_square(double u, double rise) { return 0.5 * (u * u + rise * rise); }

// The nearest sample, and its neighbours as the bracket of the nearest place.
RUT_INLINE void pick_nearest(const rutStepView* e, int n, const double* sine) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  const int last = s->slices - 1;
  for (int i = 0; i < n; i++) W(best_value)[i] = 1e300;
  for (int j = 0; j <= last; j++) {
    const int before = j > 0 ? j - 1 : 0, after = j < last ? j + 1 : last;
    const double *z = k->sample_z + j * n, *zb = k->sample_z + before * n;
    const double* za = k->sample_z + after * n;
    const double *sx = k->sample_slope_x + j * n, *sy = k->sample_slope_y + j * n;
    const double *bx = k->sample_slope_x + before * n, *by = k->sample_slope_y + before * n;
    const double *cx = k->sample_slope_x + after * n, *cy = k->sample_slope_y + after * n;
#pragma omp simd
    for (int i = 0; i < n; i++) {
      const double r = s->radius[i], u = r * sine[j];
      const double rise = W(hz)[i] - z[i], value = half_square(u, rise);
      const int nearer = value < W(best_value)[i];
      const double ub = r * sine[before], ua = r * sine[after];
      const double rise_b = W(hz)[i] - zb[i], rise_a = W(hz)[i] - za[i];
      W(best_value)[i] = nearer ? value : W(best_value)[i];
      W(best_u)[i] = nearer ? u : W(best_u)[i];
      W(best_z)[i] = nearer ? z[i] : W(best_z)[i];
      W(best_sx)[i] = nearer ? sx[i] : W(best_sx)[i];
      W(best_sy)[i] = nearer ? sy[i] : W(best_sy)[i];
      W(low)[i] = nearer ? ub : W(low)[i];
      W(high)[i] = nearer ? ua : W(high)[i];
      W(low_value)[i] = nearer ? half_square(ub, rise_b) : W(low_value)[i];
      W(high_value)[i] = nearer ? half_square(ua, rise_a) : W(high_value)[i];
      const double low = ub - rise_b * (bx[i] * W(ex)[i] + by[i] * W(ey)[i]);
      const double high = ua - rise_a * (cx[i] * W(ex)[i] + cy[i] * W(ey)[i]);
      W(low_slope)[i] = nearer ? low : W(low_slope)[i];
      W(high_slope)[i] = nearer ? high : W(high_slope)[i];
    }
  }
}

// Wheels whose best place is level as seen along the arc, so that the distance is exact to
// rounding. Returns whether all are.
RUT_INLINE bool mark_settled(const rutStepView* e, int n) {
  static const double LEVEL = 1e-8;
  const rutSpatialScratch* k = e->scratch;
  double least = 1;
#pragma omp simd reduction(min : least)
  for (int i = 0; i < n; i++) {
    const double slope = W(best_sx)[i] * W(ex)[i] + W(best_sy)[i] * W(ey)[i];
    const double rate = W(best_u)[i] - (W(hz)[i] - W(best_z)[i]) * slope;
    const double settled = rut_abs(rate) < LEVEL * e->spatial->radius[i] ? 1.0 : 0.0;
    W(settled)[i] = settled;
    least = rut_min(least, settled);
  }
  return least > 0;
}

// Where to look next: in turn the minimum of the parabola at the best place (fast on smooth
// ground) and the meeting of the tangents at the bracket's ends (exact at an edge); the middle
// where that leaves the bracket.
RUT_INLINE void choose_place(const rutStepView* e, int n, int pass) {
  const rutSpatialScratch* k = e->scratch;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double a = W(low)[i], b = W(high)[i];
    const double slope = W(best_sx)[i] * W(ex)[i] + W(best_sy)[i] * W(ey)[i];
    const double rate = W(best_u)[i] - (W(hz)[i] - W(best_z)[i]) * slope;
    const double newton = W(best_u)[i] - rate / (1 + slope * slope);
    const double ga = W(low_slope)[i], gb = W(high_slope)[i];
    const double meet = ((W(low_value)[i] - ga * a) - (W(high_value)[i] - gb * b)) / (gb - ga);
    const double wanted = pass % 2 ? meet : newton;
    const int inside = wanted > a && wanted < b;
    const double u = inside ? wanted : 0.5 * (a + b);
    W(try_u)[i] = u;
    W(try_x)[i] = W(hx)[i] + u * W(ex)[i];
    W(try_y)[i] = W(hy)[i] + u * W(ey)[i];
  }
}

RUT_INLINE void take_place(const rutStepView* e, int n) {
  const rutSpatialScratch* k = e->scratch;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double u = W(try_u)[i], z = W(try_z)[i], rise = W(hz)[i] - z;
    const double slope_x = W(try_sx)[i], slope_y = W(try_sy)[i];
    // what has settled stays: its result does not depend on how long others take
    const double none = 1e300, found = half_square(u, rise);
    const double value = W(settled)[i] > 0 ? none : found;
    const double rate = u - rise * (slope_x * W(ex)[i] + slope_y * W(ey)[i]);
    const double best = W(best_value)[i], best_u = W(best_u)[i], best_z = W(best_z)[i];
    const double best_sx = W(best_sx)[i], best_sy = W(best_sy)[i];
    const double low = W(low)[i], low_value = W(low_value)[i], low_slope = W(low_slope)[i];
    const double high = W(high)[i], high_value = W(high_value)[i], high_slope = W(high_slope)[i];
    // no ground there: NaN, and nothing changes
    const int nearer = value < best, falling = rate < 0, rising = rate >= 0;
    W(best_value)[i] = nearer ? value : best;
    W(best_u)[i] = nearer ? u : best_u;
    W(best_z)[i] = nearer ? z : best_z;
    W(best_sx)[i] = nearer ? slope_x : best_sx;
    W(best_sy)[i] = nearer ? slope_y : best_sy;
    W(low)[i] = falling ? u : low;
    W(low_value)[i] = falling ? value : low_value;
    W(low_slope)[i] = falling ? rate : low_slope;
    W(high)[i] = rising ? u : high;
    W(high_value)[i] = rising ? value : high_value;
    W(high_slope)[i] = rising ? rate : high_slope;
  }
}

// The plane at the nearest place: its normal points to the hub in the wheel's plane and leans
// sideways with the ground. A hub below its ground keeps the plane under it.
RUT_INLINE void plane_at_nearest(const rutStepView* e, int n) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double rise = W(hz)[i] - W(best_z)[i], u = W(best_u)[i];
    const double value = W(best_value)[i], over = W(hz)[i] - W(gz)[i], least = 0.05 * s->radius[i];
    const double found = value < 1e299 ? 1.0 : 0.0, above = rise > least ? 1.0 : 0.0;
    const double buried = over <= least ? 1.0 : 0.0;
    const int usable = found * above * (1 - buried) > 0;
    const double far = usable ? rut_sqrt(2 * value) : 1, inverse = 1 / far;
    const double across = -W(best_sx)[i] * W(ey)[i] + W(best_sy)[i] * W(ex)[i];
    const double along = -u * inverse, up = rise * inverse, lean = -across * up;
    const double length = rut_sqrt(1 + lean * lean), unit = 1 / length;
    const double nx = (along * W(ex)[i] - lean * W(ey)[i]) * unit;
    const double ny = (along * W(ey)[i] + lean * W(ex)[i]) * unit;
    const double away = far * unit, nz = up * unit;
    W(distance)[i] = usable ? away : W(distance)[i];
    W(gnx)[i] = usable ? nx : W(gnx)[i];
    W(gny)[i] = usable ? ny : W(gny)[i];
    W(gnz)[i] = usable ? nz : W(gnz)[i];
  }
}

// An upright edge between two samples: the interval that could hold the nearest place, if the
// ground between its ends rises by more than the slopes at them tell. True if some wheel has one.
RUT_INLINE bool pick_edge(const rutStepView* e, int n, const double* sine) {
  static const double STEEP = 0.1;  // unexplained rise over the length of the interval
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  double found = 0;
  for (int i = 0; i < n; i++) {
    W(edge_bound)[i] = W(best_value)[i];
    W(edge_low)[i] = W(edge_high)[i] = W(best_u)[i];
  }
  for (int j = 0; j + 1 < s->slices; j++) {
    const double *z0 = k->sample_z + j * n, *z1 = z0 + n;
    const double *x0 = k->sample_slope_x + j * n, *x1 = x0 + n;
    const double *y0 = k->sample_slope_y + j * n, *y1 = y0 + n;
#pragma omp simd reduction(max : found)
    for (int i = 0; i < n; i++) {
      const double a = s->radius[i] * sine[j], b = s->radius[i] * sine[j + 1];
      const double za = z0[i], zb = z1[i], top = rut_max(za, zb);
      const double inner = rut_max(rut_max(a, -b), 0), rise = rut_max(W(hz)[i] - top, 0);
      const double bound = half_square(inner, rise);
      const double told = 0.5 * ((x0[i] + x1[i]) * W(ex)[i] + (y0[i] + y1[i]) * W(ey)[i]);
      const double jump = rut_abs(zb - za - told * (b - a)) - STEEP * (b - a);
      const double old = W(edge_bound)[i], old_low = W(edge_low)[i], old_high = W(edge_high)[i];
      const double old_z = W(edge_z)[i], old_level = W(edge_level)[i];
      const int nearer = bound < old && jump > 0, up = zb > za;
      W(edge_bound)[i] = nearer ? bound : old;
      W(edge_low)[i] = nearer ? (up ? a : b) : old_low;
      W(edge_high)[i] = nearer ? (up ? b : a) : old_high;
      W(edge_z)[i] = nearer ? top : old_z;
      W(edge_level)[i] = nearer ? 0.5 * (za + zb) : old_level;
      found = rut_max(found, nearer ? 1.0 : 0.0);
    }
  }
  return found > 0;
}

// Halve the interval until the edge is found, and take the edge's upper side if it is nearer.
RUT_INLINE void meet_edge(const rutStepView* e, int n) {
  const rutSpatialScratch* k = e->scratch;
  for (int pass = 0; pass < EDGE_HALVINGS; pass++) {
    for (int i = 0; i < n; i++) {
      const double u = 0.5 * (W(edge_low)[i] + W(edge_high)[i]);
      W(try_u)[i] = u;
      W(try_x)[i] = W(hx)[i] + u * W(ex)[i];
      W(try_y)[i] = W(hy)[i] + u * W(ey)[i];
    }
    surface(e, n, W(try_x), W(try_y), W(hz), W(try_z), W(try_sx), W(try_sy));
    for (int i = 0; i < n; i++) {
      if (W(try_z)[i] > W(edge_level)[i]) {
        W(edge_high)[i] = W(try_u)[i];
        W(edge_z)[i] = W(try_z)[i];
      } else {
        W(edge_low)[i] = W(try_u)[i];
      }
    }
  }
  for (int i = 0; i < n; i++) {
    const double u = W(edge_high)[i], z = W(edge_z)[i], value = half_square(u, W(hz)[i] - z);
    if (W(edge_bound)[i] >= W(best_value)[i] || !(value < W(best_value)[i])) continue;
    W(best_value)[i] = value;
    W(best_u)[i] = u;
    W(best_z)[i] = z;
  }
}

RUT_INLINE void search_arc(const rutStepView* e, int n) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  double sine[RUT_MAX_SLICES];
  for (int j = 0; j < s->slices; j++) {
    double cosine;
    rut_sincos(RUT_PI * ((j + 0.5) / s->slices - 0.5), &sine[j], &cosine);
  }
  lay_samples(e, n, sine);
  surface(e, s->slices * n, k->sample_x, k->sample_y, k->sample_below, k->sample_z,
          k->sample_slope_x, k->sample_slope_y);
  pick_nearest(e, n, sine);
  for (int pass = 0; pass < (s->refine ? REFINEMENTS : 0); pass++) {
    if (mark_settled(e, n)) break;
    choose_place(e, n, pass);
    surface(e, n, W(try_x), W(try_y), W(hz), W(try_z), W(try_sx), W(try_sy));
    take_place(e, n);
  }
  if (s->refine && pick_edge(e, n, sine)) meet_edge(e, n);
  plane_at_nearest(e, n);
}

// ---- all wheels ----

RUT_INLINE void meet_disc(const rutStepView* e, int n) {
  const rutSpatialScratch* k = e->scratch;
  surface(e, n, W(hx), W(hy), W(hz), W(gz), W(gsx), W(gsy));
  plane_under_hub(e, n);
  if (e->arc) search_arc(e, n);
}

// A wide wheel as discs side by side. Each carries in proportion to its depth; together they act
// like one disc on the plane that has their mean depth and direction.
RUT_INLINE void meet_discs(const rutStepView* e, int n) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  const int discs = s->width_slices;
  double* home[3] = {W(home_x), W(home_y), W(home_z)};
  double* hub[3] = {W(hx), W(hy), W(hz)};
  const double* axis[3] = {W(wx), W(wy), W(wz)};
  double* sum[5] = {W(sum_depth), W(sum_x), W(sum_y), W(sum_z), W(sum_shift)};
  for (int c = 0; c < 3; c++) {
    for (int i = 0; i < n; i++) home[c][i] = hub[c][i];
  }
  for (int c = 0; c < 5; c++) {
    for (int i = 0; i < n; i++) sum[c][i] = 0;
  }
  for (int d = 0; d < discs; d++) {
    for (int c = 0; c < 3; c++) {
      for (int i = 0; i < n; i++) {
        hub[c][i] = home[c][i] + ((d + 0.5) / discs - 0.5) * s->width[i] * axis[c][i];
      }
    }
    meet_disc(e, n);
    for (int i = 0; i < n; i++) {
      const double lean = W(gnx)[i] * axis[0][i] + W(gny)[i] * axis[1][i] + W(gnz)[i] * axis[2][i];
      const double in = rut_sqrt(rut_max(1 - lean * lean, 0));
      const double depth = rut_max(s->radius[i] * in - W(distance)[i], 0);
      W(sum_depth)[i] += depth;
      W(sum_x)[i] += depth * W(gnx)[i];
      W(sum_y)[i] += depth * W(gny)[i];
      W(sum_z)[i] += depth * W(gnz)[i];
      W(sum_shift)[i] += depth * ((d + 0.5) / discs - 0.5) * s->width[i];
    }
  }
  for (int c = 0; c < 3; c++) {
    for (int i = 0; i < n; i++) hub[c][i] = home[c][i];
  }
  for (int i = 0; i < n; i++) {
    W(crown)[i] = 0;
    const double total = W(sum_depth)[i];
    // nothing touches: the last disc's plane is as good as any
    if (!(total > 0)) {
      W(shift)[i] = 0;
      continue;
    }
    const double length =
        rut_sqrt(W(sum_x)[i] * W(sum_x)[i] + W(sum_y)[i] * W(sum_y)[i] + W(sum_z)[i] * W(sum_z)[i]);
    W(gnx)[i] = W(sum_x)[i] / length;
    W(gny)[i] = W(sum_y)[i] / length;
    W(gnz)[i] = W(sum_z)[i] / length;
    const double lean = W(gnx)[i] * axis[0][i] + W(gny)[i] * axis[1][i] + W(gnz)[i] * axis[2][i];
    W(distance)[i] = s->radius[i] * rut_sqrt(rut_max(1 - lean * lean, 0)) - total / discs;
    W(shift)[i] = W(sum_shift)[i] / total;
  }
}

RUT_INLINE void wheel_ground(const rutStepView* e, int n, int lanes, int wheels) {
  (void)lanes;
  (void)wheels;
  const rutSpatialScratch* k = e->scratch;
  for (int i = 0; i < n; i++) {
    W(crown)[i] = e->spatial->crown[i];
    W(shift)[i] = 0;
  }
  if (e->spatial->width_slices > 1) {
    meet_discs(e, n);
  } else {
    meet_disc(e, n);
  }
}

RUT_SPATIAL_SIZES(wheel_ground)

void rut_wheel_ground(const rutStepView* e) { wheel_ground_all(e); }
