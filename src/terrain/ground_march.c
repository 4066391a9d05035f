// SPDX-License-Identifier: BSD-3-Clause
//
// Where the slopes are bounded, steps are as long as the clearance allows (sphere tracing: Hart,
// The Visual Computer 12, 1996), two at a time; elsewhere samples are as close as the step. Once
// two places are known between which the ray goes through the surface, Newton's method with
// bisection finds where.
#include "terrain/ground_march.h"

#include "math/rut_math.h"

enum { SAMPLES = 64, AHEAD = 2, CIRCLE = 16, ANGLE_STEPS = 24, MOST_STEPS = 200 };

#define RESOLUTION  1e-10  // of a hit along the ray [m]
#define FACE        1e-6   // a surface that rises more within RESOLUTION is an upright face [m]
#define FACE_CIRCLE 1e-5   // radius of the circle on which the direction of a face is found [m]
#define STRIDE      1.2  // of the second of two places ahead, per distance that is known to be clear
#define MARGIN      1e-9  // of bounds of slopes, relative: far above rounding

// The surface at places along a ray.
typedef struct Places {
  double x[SAMPLES], y[SAMPLES], z[SAMPLES], slope_x[SAMPLES], slope_y[SAMPLES];
} Places;

static void find_surface(const rutGroundRay* r, int n, Places* p) {
  const rutGroundPoints at = {n, p->x, p->y};
  const rutGroundSurface surface = {p->z, p->slope_x, p->slope_y};
  rut_ground_source_surface(r->in.ground, r->source, r->lift, &at, &surface);
  if (r->in.soft) rut_soft_add(r->in.soft, &at, &surface);
}

static void put_place(const rutGroundRay* r, double t, double dx, double dy, int i, Places* p) {
  p->x[i] = rut_ray_at(&r->ray, 0, t) + dx;
  p->y[i] = rut_ray_at(&r->ray, 1, t) + dy;
}

static void surface_at(const rutGroundRay* r, double t, Places* p) {
  put_place(r, t, 0, 0, 0, p);
  find_surface(r, 1, p);
}

static double clearance_at(const rutGroundRay* r, double t, const Places* p, int i) {
  return r->sense * (rut_ray_at(&r->ray, 2, t) - p->z[i]);
}

double rut_ground_clearance(const rutGroundRay* r, double t) {
  Places p;
  surface_at(r, t, &p);
  return clearance_at(r, t, &p, 0);
}

// ---------------------------------------------------------------------------------------------
// Normals

// Whether the surface hides places at the ray's height, at angles around a place of the ray.
static void hidden_around(const rutGroundRay* r, double t, int n, const double* angle,
                          bool* hidden) {
  Places p;
  put_place(r, t, 0, 0, 0, &p);
  for (int i = 0; i < n; i++) {
    double s, c;
    rut_sincos(angle[i], &s, &c);
    put_place(r, t, FACE_CIRCLE * c, FACE_CIRCLE * s, i, &p);
  }
  find_surface(r, n, &p);
  for (int i = 0; i < n; i++) hidden[i] = clearance_at(r, t, &p, i) < 0;
}

// Outward normal of an upright face at t: against the middle of the part of a circle that it hides.
// Without two clear ends of that part it is against the ray.
static void face_normal(const rutGroundRay* r, double t, double normal[3]) {
  double angle[CIRCLE], end[2] = {0, 0};
  bool hidden[CIRCLE];
  int ends = 0, begins = 0;
  for (int i = 0; i < CIRCLE; i++) angle[i] = 2 * RUT_PI * i / CIRCLE;
  hidden_around(r, t, CIRCLE, angle, hidden);
  for (int i = 0; i < CIRCLE; i++) {
    const bool next = hidden[(i + 1) % CIRCLE];
    if (hidden[i] == next) continue;
    end[next ? 0 : 1] = angle[i];
    begins += next;
    ends++;
  }
  double half = 2 * RUT_PI / CIRCLE;
  for (int k = 0; ends == 2 && begins == 1 && k < ANGLE_STEPS; k++) {
    half *= 0.5;
    const double middle[2] = {end[0] + half, end[1] + half};
    hidden_around(r, t, 2, middle, hidden);
    if (!hidden[0]) end[0] = middle[0];
    if (hidden[1]) end[1] = middle[1];
  }
  double s = r->ray.d[1] / r->horizontal, c = r->ray.d[0] / r->horizontal;
  if (ends == 2 && begins == 1) {
    const double turn = end[1] < end[0] ? 2 * RUT_PI : 0;
    rut_sincos(0.5 * (end[0] + end[1] + turn), &s, &c);
  }
  normal[0] = -c;
  normal[1] = -s;
  normal[2] = 0;
}

static void surface_normal(const rutGroundRay* r, const Places* p, double normal[3]) {
  const double x = p->slope_x[0], y = p->slope_y[0];
  const double scale = r->sense / rut_sqrt(1 + x * x + y * y);
  normal[0] = -x * scale;
  normal[1] = -y * scale;
  normal[2] = scale;
}

rutGroundHit rut_ground_hit(const rutGroundRay* r, double t) {
  rutGroundHit hit = {.range = t};
  Places p;
  surface_at(r, t, &p);
  const bool upright = clearance_at(r, t, &p, 0) < -FACE && r->horizontal > 0 && t > 0;
  if (upright)
    face_normal(r, t, hit.normal);
  else
    surface_normal(r, &p, hit.normal);
  return hit;
}

// ---------------------------------------------------------------------------------------------
// From two places to the hit

// The ray has clearance (or no ground) at `above`, none at `below`.
static rutGroundHit refine(const rutGroundRay* r, double above, double below) {
  Places p;
  double t = 0.5 * (above + below), last = below - above;
  for (int i = 0; i < MOST_STEPS && below - above > RESOLUTION; i++) {
    surface_at(r, t, &p);
    const double clearance = clearance_at(r, t, &p, 0);
    if (clearance < 0)
      below = t;
    else
      above = t;
    const double rate =
        r->sense * (r->ray.d[2] - p.slope_x[0] * r->ray.d[0] - p.slope_y[0] * r->ray.d[1]);
    double next = t - clearance / rate;
    // Newton's step, if it stays between both and gets shorter: else they are an upright face, or
    // far from straight
    if (!(next >= above && next <= below && rut_abs(next - t) < 0.5 * last)) {
      next = 0.5 * (above + below);
    }
    last = rut_abs(next - t);
    t = next;
    if (last < RESOLUTION) {
      surface_at(r, t, &p);
      if (rut_abs(clearance_at(r, t, &p, 0)) < FACE) break;
    }
  }
  // where the surface jumps the hit is in front of it, and its normal looked for behind
  surface_at(r, t, &p);
  rutGroundHit hit = {.range = t};
  if (rut_abs(clearance_at(r, t, &p, 0)) < FACE) {
    surface_normal(r, &p, hit.normal);
    return hit;
  }
  hit = rut_ground_hit(r, below);
  hit.range = above;
  return hit;
}

// ---------------------------------------------------------------------------------------------
// Along the ray

// Places ahead of one whose clearance is known: the first as far as the clearance cannot be used
// up, the others a little farther apart, for which what both ends of a gap have must do.
static int places_ahead(const rutGroundRay* r, double t, double reach, double t1, double* at,
                        Places* p) {
  int n = 0;
  put_place(r, t, 0, 0, 0, p);
  while (n < AHEAD) {
    const double next =
        t + rut_max(reach, RUT_CAST_NEAR) + n * rut_max(STRIDE * reach, RUT_CAST_NEAR);
    at[n] = rut_min(next, t1);
    put_place(r, at[n], 0, 0, n, p);
    if (at[n++] >= t1) break;
  }
  find_surface(r, n, p);
  return n;
}

// Along the ray the clearance falls by at most `fall` per distance, and by `back` the other way.
static bool trace(const rutGroundRay* r, double t0, double t1, double steepest, rutGroundHit* hit) {
  const double fall = steepest * r->horizontal - r->sense * r->ray.d[2];
  const double back = steepest * r->horizontal + r->sense * r->ray.d[2];
  double t = t0, clearance = rut_ground_clearance(r, t0), at[AHEAD];
  if (clearance < 0) {
    *hit = rut_ground_hit(r, t0);
    return true;
  }
  while (fall > 0 && t < t1) {
    Places p;
    const double reach = clearance / fall;
    const int n = places_ahead(r, t, reach, t1, at, &p);
    for (int i = 0; i < n; i++) {
      const double next = clearance_at(r, at[i], &p, i), gap = at[i] - t;
      const bool covered = next >= back * (gap - clearance / fall) || gap <= RUT_CAST_NEAR;
      if (i > 0 && !covered) break;
      if (next < 0) {
        *hit = refine(r, t, at[i]);
        return true;
      }
      t = at[i];
      clearance = next;
    }
  }
  return false;
}

// Samples at equal distances, both ends among them.
static bool sample(const rutGroundRay* r, double t0, double t1, double step, rutGroundHit* hit) {
  const double pieces = rut_clamp(rut_floor(r->horizontal * (t1 - t0) / step) + 1, 1, SAMPLES - 1);
  const int n = (int)pieces + 1;
  double t[SAMPLES] = {t0};
  Places p;
  put_place(r, t0, 0, 0, 0, &p);
  for (int i = 1; i < n; i++) {
    t[i] = i < n - 1 ? t0 + (t1 - t0) * (i / pieces) : t1;
    put_place(r, t[i], 0, 0, i, &p);
  }
  find_surface(r, n, &p);
  for (int i = 0; i < n; i++) {
    if (!(clearance_at(r, t[i], &p, i) < 0)) continue;
    *hit = i > 0 ? refine(r, t[i - 1], t[i]) : rut_ground_hit(r, t[i]);
    return true;
  }
  return false;
}

bool rut_ground_march(const rutGroundRay* r, double t0, double t1, double steepest, double step,
                      rutGroundHit* hit) {
  if (steepest < RUT_INFINITY) return trace(r, t0, t1, steepest * (1 + MARGIN), hit);
  return sample(r, t0, t1, step, hit);
}
