// SPDX-License-Identifier: BSD-3-Clause
//
// What ground a wheel meets: the plane under its hub, or that at the nearest ground along its arc.
// A rigid wheel that rolls over any ground touches it where the ground is nearest to its hub in the
// wheel's plane, so that the nearest place is the contact, exactly.
#include "sim/step_spatial.h"

enum { REFINEMENTS = 6 };

static void surface(const rutStepView* e, int n, const double* x, const double* y,
                    const double* below, double* z, double* sx, double* sy) {
  rut_ground_surface(e->model->ground, e->lift, n, x, y, below, z, sx, sy);
}

// ---- under the hub ----

RUT_CLONES static void plane_under_hub(const rutStepView* e) {
  const rutSpatialScratch* k = e->scratch;
  const int n = e->n;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double sx = k->gsx[i], sy = k->gsy[i], inverse = 1 / rut_sqrt(1 + sx * sx + sy * sy);
    const int found = k->gz[i] == k->gz[i];
    k->distance[i] = found ? (k->hz[i] - k->gz[i]) * inverse : RUT_NO_GROUND;
    k->gnx[i] = -sx * inverse;
    k->gny[i] = -sy * inverse;
    k->gnz[i] = inverse;
  }
}

// ---- along the arc ----

// Horizontal heading of each wheel, and places along it: those under equal angles of the wheel.
RUT_CLONES static void lay_samples(const rutStepView* e, const double* sine) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  const int n = e->n;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double length = rut_sqrt(k->fx[i] * k->fx[i] + k->fy[i] * k->fy[i]);
    const double inverse = length > 1e-9 ? 1 / length : 0;
    k->ex[i] = k->fx[i] * inverse;
    k->ey[i] = k->fy[i] * inverse;
  }
  for (int j = 0; j < s->slices; j++) {
    double *x = k->sample_x + j * n, *y = k->sample_y + j * n, *below = k->sample_below + j * n;
#pragma omp simd
    for (int i = 0; i < n; i++) {
      const double u = s->radius[i] * sine[j];
      x[i] = k->hx[i] + u * k->ex[i];
      y[i] = k->hy[i] + u * k->ey[i];
      below[i] = k->hz[i];
    }
  }
}

// Half the squared distance from the hub, and its slope along the heading.
RUT_INLINE double half_square(double u, double rise) { return 0.5 * (u * u + rise * rise); }

// The nearest sample, and its neighbours as the bracket of the nearest place.
RUT_CLONES static void pick_nearest(const rutStepView* e, const double* sine) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  const int n = e->n, last = s->slices - 1;
  for (int i = 0; i < n; i++) k->best_value[i] = 1e300;
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
      const double rise = k->hz[i] - z[i], value = half_square(u, rise);
      const int nearer = value < k->best_value[i];
      const double ub = r * sine[before], ua = r * sine[after];
      const double rise_b = k->hz[i] - zb[i], rise_a = k->hz[i] - za[i];
      k->best_value[i] = nearer ? value : k->best_value[i];
      k->best_u[i] = nearer ? u : k->best_u[i];
      k->best_z[i] = nearer ? z[i] : k->best_z[i];
      k->best_sx[i] = nearer ? sx[i] : k->best_sx[i];
      k->best_sy[i] = nearer ? sy[i] : k->best_sy[i];
      k->low[i] = nearer ? ub : k->low[i];
      k->high[i] = nearer ? ua : k->high[i];
      k->low_value[i] = nearer ? half_square(ub, rise_b) : k->low_value[i];
      k->high_value[i] = nearer ? half_square(ua, rise_a) : k->high_value[i];
      const double low = ub - rise_b * (bx[i] * k->ex[i] + by[i] * k->ey[i]);
      const double high = ua - rise_a * (cx[i] * k->ex[i] + cy[i] * k->ey[i]);
      k->low_slope[i] = nearer ? low : k->low_slope[i];
      k->high_slope[i] = nearer ? high : k->high_slope[i];
    }
  }
}

// Where to look next: in turn the minimum of the parabola at the best place (fast on smooth
// ground) and the meeting of the tangents at the bracket's ends (exact at an edge); the middle
// where that leaves the bracket.
RUT_CLONES static void choose_place(const rutStepView* e, int pass) {
  const rutSpatialScratch* k = e->scratch;
  const int n = e->n;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double a = k->low[i], b = k->high[i];
    const double slope = k->best_sx[i] * k->ex[i] + k->best_sy[i] * k->ey[i];
    const double rate = k->best_u[i] - (k->hz[i] - k->best_z[i]) * slope;
    const double newton = k->best_u[i] - rate / (1 + slope * slope);
    const double ga = k->low_slope[i], gb = k->high_slope[i];
    const double meet = ((k->low_value[i] - ga * a) - (k->high_value[i] - gb * b)) / (gb - ga);
    const double wanted = pass % 2 ? meet : newton;
    const int inside = wanted > a && wanted < b;
    const double u = inside ? wanted : 0.5 * (a + b);
    k->try_u[i] = u;
    k->try_x[i] = k->hx[i] + u * k->ex[i];
    k->try_y[i] = k->hy[i] + u * k->ey[i];
  }
}

RUT_CLONES static void take_place(const rutStepView* e) {
  const rutSpatialScratch* k = e->scratch;
  const int n = e->n;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double u = k->try_u[i], rise = k->hz[i] - k->try_z[i];
    const double value = half_square(u, rise);
    const double rate = u - rise * (k->try_sx[i] * k->ex[i] + k->try_sy[i] * k->ey[i]);
    // no ground there: NaN, and nothing changes
    const int nearer = value < k->best_value[i], falling = rate < 0, rising = rate >= 0;
    k->best_value[i] = nearer ? value : k->best_value[i];
    k->best_u[i] = nearer ? u : k->best_u[i];
    k->best_z[i] = nearer ? k->try_z[i] : k->best_z[i];
    k->best_sx[i] = nearer ? k->try_sx[i] : k->best_sx[i];
    k->best_sy[i] = nearer ? k->try_sy[i] : k->best_sy[i];
    k->low[i] = falling ? u : k->low[i];
    k->low_value[i] = falling ? value : k->low_value[i];
    k->low_slope[i] = falling ? rate : k->low_slope[i];
    k->high[i] = rising ? u : k->high[i];
    k->high_value[i] = rising ? value : k->high_value[i];
    k->high_slope[i] = rising ? rate : k->high_slope[i];
  }
}

// The plane at the nearest place: its normal points to the hub in the wheel's plane and leans
// sideways with the ground. A hub below its ground keeps the plane under it.
RUT_CLONES static void plane_at_nearest(const rutStepView* e) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  const int n = e->n;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double rise = k->hz[i] - k->best_z[i], u = k->best_u[i];
    const double far = rut_sqrt(2 * k->best_value[i]);
    const int usable = k->best_value[i] < 1e299 && rise > 0.05 * s->radius[i] &&
                       !(k->hz[i] - k->gz[i] <= 0.05 * s->radius[i]);
    const double inverse = 1 / (usable ? far : 1);
    const double across = -k->best_sx[i] * k->ey[i] + k->best_sy[i] * k->ex[i];
    const double along = -u * inverse, up = rise * inverse, lean = -across * up;
    const double length = rut_sqrt(1 + lean * lean), unit = 1 / length;
    const double nx = (along * k->ex[i] - lean * k->ey[i]) * unit;
    const double ny = (along * k->ey[i] + lean * k->ex[i]) * unit;
    k->distance[i] = usable ? far * unit : k->distance[i];
    k->gnx[i] = usable ? nx : k->gnx[i];
    k->gny[i] = usable ? ny : k->gny[i];
    k->gnz[i] = usable ? up * unit : k->gnz[i];
  }
}

static void search_arc(const rutStepView* e) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  double sine[RUT_MAX_SLICES];
  for (int j = 0; j < s->slices; j++) {
    double cosine;
    rut_sincos(RUT_PI * ((j + 0.5) / s->slices - 0.5), &sine[j], &cosine);
  }
  lay_samples(e, sine);
  surface(e, s->slices * e->n, k->sample_x, k->sample_y, k->sample_below, k->sample_z,
          k->sample_slope_x, k->sample_slope_y);
  pick_nearest(e, sine);
  for (int pass = 0; pass < (s->refine ? REFINEMENTS : 0); pass++) {
    choose_place(e, pass);
    surface(e, e->n, k->try_x, k->try_y, k->hz, k->try_z, k->try_sx, k->try_sy);
    take_place(e);
  }
  plane_at_nearest(e);
}

// ---- all wheels ----

static void meet_disc(const rutStepView* e) {
  const rutSpatialScratch* k = e->scratch;
  surface(e, e->n, k->hx, k->hy, k->hz, k->gz, k->gsx, k->gsy);
  plane_under_hub(e);
  if (e->arc) search_arc(e);
}

// A wide wheel as discs side by side. Each carries in proportion to its depth; together they act
// like one disc on the plane that has their mean depth and direction.
static void meet_discs(const rutStepView* e) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  const int n = e->n, discs = s->width_slices;
  double* home[3] = {k->home_x, k->home_y, k->home_z};
  double* hub[3] = {k->hx, k->hy, k->hz};
  const double* axis[3] = {k->wx, k->wy, k->wz};
  double* sum[5] = {k->sum_depth, k->sum_x, k->sum_y, k->sum_z, k->sum_shift};
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
    meet_disc(e);
    for (int i = 0; i < n; i++) {
      const double lean = k->gnx[i] * axis[0][i] + k->gny[i] * axis[1][i] + k->gnz[i] * axis[2][i];
      const double in = rut_sqrt(rut_max(1 - lean * lean, 0));
      const double depth = rut_max(s->radius[i] * in - k->distance[i], 0);
      k->sum_depth[i] += depth;
      k->sum_x[i] += depth * k->gnx[i];
      k->sum_y[i] += depth * k->gny[i];
      k->sum_z[i] += depth * k->gnz[i];
      k->sum_shift[i] += depth * ((d + 0.5) / discs - 0.5) * s->width[i];
    }
  }
  for (int c = 0; c < 3; c++) {
    for (int i = 0; i < n; i++) hub[c][i] = home[c][i];
  }
  for (int i = 0; i < n; i++) {
    k->crown[i] = 0;
    const double total = k->sum_depth[i];
    // nothing touches: the last disc's plane is as good as any
    if (!(total > 0)) {
      k->shift[i] = 0;
      continue;
    }
    const double length =
        rut_sqrt(k->sum_x[i] * k->sum_x[i] + k->sum_y[i] * k->sum_y[i] + k->sum_z[i] * k->sum_z[i]);
    k->gnx[i] = k->sum_x[i] / length;
    k->gny[i] = k->sum_y[i] / length;
    k->gnz[i] = k->sum_z[i] / length;
    const double lean = k->gnx[i] * axis[0][i] + k->gny[i] * axis[1][i] + k->gnz[i] * axis[2][i];
    k->distance[i] = s->radius[i] * rut_sqrt(rut_max(1 - lean * lean, 0)) - total / discs;
    k->shift[i] = k->sum_shift[i] / total;
  }
}

void rut_wheel_ground(const rutStepView* e) {
  const rutSpatialScratch* k = e->scratch;
  for (int i = 0; i < e->n; i++) {
    k->crown[i] = e->spatial->crown[i];
    k->shift[i] = 0;
  }
  if (e->spatial->width_slices > 1) {
    meet_discs(e);
  } else {
    meet_disc(e);
  }
}
