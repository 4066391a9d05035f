// SPDX-License-Identifier: BSD-3-Clause
//
// Functions without branches are for one pixel or in a loop over lanes, with the same bits.
#include "geom/lens.h"

#include "math/lanes.h"

// Distance from the principal point over the focal length, at an angle from the axis; and back.
static double distance_at(rutLensModel model, double angle) {
  switch (model) {
    case RUT_LENS_EQUIDISTANT:
      return angle;
    case RUT_LENS_EQUISOLID:
      return 2 * rut_sin(0.5 * angle);
    case RUT_LENS_STEREOGRAPHIC:
      return 2 * rut_tan(0.5 * angle);
    default:
      return rut_tan(angle);
  }
}

// Of a fisheye. Beyond pi there is nothing that a lens could see.
RUT_INLINE double angle_at(rutLensModel model, double distance) {
  const double half = 0.5 * distance;
  if (model == RUT_LENS_EQUIDISTANT) return distance;
  if (model == RUT_LENS_STEREOGRAPHIC) return 2 * rut_atan(half);
  const double angle = 2 * rut_asin(half < 1 ? half : 1);
  return half <= 1 ? angle : RUT_INFINITY;
}

double rut_lens_focal(rutLensModel model, double width, double angle) {
  return 0.5 * width / distance_at(model, 0.5 * angle);
}

// d/dr of r (1 + k1 r^2 + k2 r^4 + k3 r^6), with s = r^2.
static double radial_slope(const rutLens* lens, double s) {
  return 1 + s * (3 * lens->k1 + s * (5 * lens->k2 + s * 7 * lens->k3));
}

static bool is_distorted(const rutLens* lens) {
  return lens->k1 != 0 || lens->k2 != 0 || lens->k3 != 0 || lens->p1 != 0 || lens->p2 != 0;
}

// The first zero of the radial slope: farther out two directions would share a pixel. It is found
// in steps of 0.01 up to a slope of 10 from the axis, then by bisection.
void rut_lens_init(rutLens* lens) {
  static const double STEP = 0.01, END = 100;
  lens->fold = RUT_INFINITY;
  if (lens->k1 >= 0 && lens->k2 >= 0 && lens->k3 >= 0) return;
  double low = 0;
  while (low < END && radial_slope(lens, low + STEP) > 0) low += STEP;
  if (low >= END) return;
  double high = low + STEP;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (radial_slope(lens, middle) > 0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  lens->fold = low;
}

// Distorted place of an undistorted one, and its Jacobian by rows.
RUT_INLINE void distort(const rutLens* lens, double x, double y, double out[2],
                        double jacobian[4]) {
  const double s = x * x + y * y;
  const double radial = 1 + s * (lens->k1 + s * (lens->k2 + s * lens->k3));
  const double slope = lens->k1 + s * (2 * lens->k2 + s * 3 * lens->k3);  // d radial / d s
  out[0] = x * radial + 2 * lens->p1 * x * y + lens->p2 * (s + 2 * x * x);
  out[1] = y * radial + lens->p1 * (s + 2 * y * y) + 2 * lens->p2 * x * y;
  jacobian[0] = radial + 2 * x * x * slope + 2 * lens->p1 * y + 6 * lens->p2 * x;
  jacobian[1] = 2 * x * y * slope + 2 * lens->p1 * x + 2 * lens->p2 * y;
  jacobian[2] = jacobian[1];
  jacobian[3] = radial + 2 * y * y * slope + 6 * lens->p1 * y + 2 * lens->p2 * x;
}

static bool project_perspective(const rutLens* lens, const double point[3], double out[2]) {
  if (!(point[2] > 0)) return false;
  const double x = point[0] / point[2], y = point[1] / point[2];
  double jacobian[4];
  distort(lens, x, y, out, jacobian);
  return x * x + y * y < lens->fold;
}

static void project_fisheye(const rutLens* lens, const double point[3], double out[2]) {
  const double across = rut_hypot(point[0], point[1]);
  const double distance = distance_at(lens->model, rut_atan2(across, point[2]));
  const double scale = across > 0 ? distance / across : 0;
  out[0] = scale * point[0];
  out[1] = scale * point[1];
}

bool rut_lens_project(const rutLens* lens, const double point[3], double pixel[2]) {
  double at[2];
  if (lens->model != RUT_LENS_PERSPECTIVE) {
    project_fisheye(lens, point, at);
  } else if (!project_perspective(lens, point, at)) {
    return false;
  }
  pixel[0] = lens->cx + lens->focal * at[0];
  pixel[1] = lens->cy + lens->focal * at[1];
  return true;
}

// Newton's method from the distorted place itself: one round of it. *state is SEEKING, and gets
// another value when the search ends.
enum { SEEKING, FOUND, FOLDED, ROUNDS = 30 };
RUT_INLINE void undistort_round(const rutLens* lens, double to_x, double to_y, double* x, double* y,
                                int* state) {
  static const double CLOSE = 1e-28;  // square of the distance [focal lengths]
  double now[2], j[4];
  distort(lens, *x, *y, now, j);
  const double dx = to_x - now[0], dy = to_y - now[1];
  const double det = j[0] * j[3] - j[1] * j[2];
  const int seeks = *state == SEEKING, close = dx * dx + dy * dy < CLOSE;
  const int before_fold = *x * *x + *y * *y<lens->fold, regular = det> 0;
  const int end = close ? (before_fold ? FOUND : FOLDED) : (regular ? SEEKING : FOLDED);
  const int now_state = seeks ? end : *state;
  const double next_x = *x + (j[3] * dx - j[1] * dy) / det;
  const double next_y = *y + (j[0] * dy - j[2] * dx) / det;
  const int goes_on = now_state == SEEKING;
  *x = goes_on ? next_x : *x;
  *y = goes_on ? next_y : *y;
  *state = now_state;
}

// Unit vector through a place of the image plane, in focal lengths.
RUT_INLINE void perspective_ray(double x, double y, double direction[3]) {
  const double scale = 1 / rut_sqrt(1 + x * x + y * y);
  direction[0] = x * scale;
  direction[1] = y * scale;
  direction[2] = scale;
}

// Returns 0 where the lens sees nothing.
RUT_INLINE int fisheye_ray(rutLensModel model, double x, double y, double direction[3]) {
  const double distance = rut_hypot(x, y), angle = angle_at(model, distance);
  double s, c;
  rut_sincos(angle, &s, &c);
  const double scale = s / (distance > 0 ? distance : 1);
  direction[0] = x * scale;
  direction[1] = y * scale;
  direction[2] = c;
  return angle <= RUT_PI;
}

bool rut_lens_ray(const rutLens* lens, const double pixel[2], double direction[3]) {
  const double x = (pixel[0] - lens->cx) / lens->focal, y = (pixel[1] - lens->cy) / lens->focal;
  if (lens->model != RUT_LENS_PERSPECTIVE) return fisheye_ray(lens->model, x, y, direction);
  double at[2] = {x, y};
  int state = is_distorted(lens) ? SEEKING : FOUND;
  for (int i = 0; i < ROUNDS && state == SEEKING; i++) {
    undistort_round(lens, x, y, &at[0], &at[1], &state);
  }
  perspective_ray(at[0], at[1], direction);
  return state == FOUND;
}

// ---------------------------------------------------------------------------------------------
// Pixels in lanes

enum { LANES = 32 };

// Places of pixels in the image plane.
typedef struct Places {
  double x[LANES], y[LANES];
  int state[LANES];
} Places;

RUT_CLONES static void undistort_lanes(const rutLens* from, const double* restrict to_x,
                                       double to_y, Places* restrict p) {
  const rutLens lens = *from;
  int seeking = 1;
  for (int i = 0; i < ROUNDS && seeking; i++) {
    seeking = 0;
    _Pragma("omp simd reduction(| : seeking)") for (int k = 0; k < LANES; k++) {
      double x = p->x[k], y = p->y[k];
      int state = p->state[k];
      undistort_round(&lens, to_x[k], to_y, &x, &y, &state);
      p->x[k] = x;
      p->y[k] = y;
      p->state[k] = state;
      seeking |= state == SEEKING;
    }
  }
}

static void undistort_row(const rutLens* lens, int n, double first, double y,
                          const rutLensRays* out) {
  for (int i = 0; i < n; i += LANES) {
    Places p;
    double to_x[LANES];
    for (int k = 0; k < LANES; k++) {
      const double pixel = first + rut_min(i + k, n - 1);
      to_x[k] = p.x[k] = (pixel - lens->cx) / lens->focal;
      p.y[k] = y;
      p.state[k] = SEEKING;
    }
    undistort_lanes(lens, to_x, y, &p);
    for (int k = 0; k < LANES && i + k < n; k++) {
      double d[3];
      perspective_ray(p.x[k], p.y[k], d);
      for (int c = 0; c < 3; c++) out->direction[c][i + k] = d[c];
      out->seen[i + k] = p.state[k] == FOUND;
    }
  }
}

// A row of a lens without distortion; `model` is a constant.
RUT_INLINE void plain_row(rutLensModel model, const rutLens* lens, int n, double first, double y,
                          const rutLensRays* out) {
  double* restrict dx = out->direction[0];
  double* restrict dy = out->direction[1];
  double* restrict dz = out->direction[2];
  int* restrict seen = out->seen;
  const double cx = lens->cx, focal = lens->focal;
  RUT_FOR_LANES(i, n) {
    double d[3];
    const double x = (first + i - cx) / focal;
    int sees = 1;
    if (model == RUT_LENS_PERSPECTIVE)
      perspective_ray(x, y, d);
    else
      sees = fisheye_ray(model, x, y, d);
    dx[i] = d[0];
    dy[i] = d[1];
    dz[i] = d[2];
    seen[i] = sees;
  }
}

RUT_CLONES static void perspective_row(const rutLens* lens, int n, double first, double y,
                                       const rutLensRays* out) {
  plain_row(RUT_LENS_PERSPECTIVE, lens, n, first, y, out);
}

RUT_CLONES static void fisheye_row(const rutLens* lens, int n, double first, double y,
                                   const rutLensRays* out) {
  switch (lens->model) {
    case RUT_LENS_EQUIDISTANT:
      plain_row(RUT_LENS_EQUIDISTANT, lens, n, first, y, out);
      break;
    case RUT_LENS_EQUISOLID:
      plain_row(RUT_LENS_EQUISOLID, lens, n, first, y, out);
      break;
    default:
      plain_row(RUT_LENS_STEREOGRAPHIC, lens, n, first, y, out);
  }
}

void rut_lens_row(const rutLens* lens, int n, const double pixel[2], const rutLensRays* out) {
  const double y = (pixel[1] - lens->cy) / lens->focal;
  if (lens->model != RUT_LENS_PERSPECTIVE)
    fisheye_row(lens, n, pixel[0], y, out);
  else if (is_distorted(lens))
    undistort_row(lens, n, pixel[0], y, out);
  else
    perspective_row(lens, n, pixel[0], y, out);
}
