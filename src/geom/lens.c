// SPDX-License-Identifier: BSD-3-Clause
#include "geom/lens.h"

#include "math/rut_math.h"

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

// Beyond pi there is nothing that a lens could see.
static double angle_at(rutLensModel model, double distance) {
  switch (model) {
    case RUT_LENS_EQUIDISTANT:
      return distance;
    case RUT_LENS_EQUISOLID:
      return distance <= 2 ? 2 * rut_asin(0.5 * distance) : RUT_INFINITY;
    case RUT_LENS_STEREOGRAPHIC:
      return 2 * rut_atan(0.5 * distance);
    default:
      return rut_atan(distance);
  }
}

double rut_lens_focal(rutLensModel model, double width, double angle) {
  return 0.5 * width / distance_at(model, 0.5 * angle);
}

// d/dr of r (1 + k1 r^2 + k2 r^4 + k3 r^6), with s = r^2.
static double radial_slope(const rutLens* lens, double s) {
  return 1 + s * (3 * lens->k1 + s * (5 * lens->k2 + s * 7 * lens->k3));
}

// The first zero of the radial slope: farther out two directions would share a pixel. It is found
// in steps of 0.01 up to a slope of 10 from the axis, then by bisection.
void rut_lens_init(rutLens* lens) {
  static const double STEP = 0.01, END = 100;
  lens->fold = RUT_INFINITY;
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
static void distort(const rutLens* lens, double x, double y, double out[2], double jacobian[4]) {
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

static bool is_distorted(const rutLens* lens) {
  return lens->k1 != 0 || lens->k2 != 0 || lens->k3 != 0 || lens->p1 != 0 || lens->p2 != 0;
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

// Newton's method from the distorted place itself.
static bool undistort(const rutLens* lens, const double to[2], double at[2]) {
  enum { ROUNDS = 30 };
  static const double CLOSE = 1e-28;  // square of the distance [focal lengths]
  at[0] = to[0];
  at[1] = to[1];
  for (int i = 0; i < ROUNDS; i++) {
    double now[2], j[4];
    distort(lens, at[0], at[1], now, j);
    const double dx = to[0] - now[0], dy = to[1] - now[1];
    if (dx * dx + dy * dy < CLOSE) return at[0] * at[0] + at[1] * at[1] < lens->fold;
    const double det = j[0] * j[3] - j[1] * j[2];
    if (!(det > 0)) return false;
    at[0] += (j[3] * dx - j[1] * dy) / det;
    at[1] += (j[0] * dy - j[2] * dx) / det;
  }
  return false;
}

bool rut_lens_ray(const rutLens* lens, const double pixel[2], double direction[3]) {
  const double to[2] = {(pixel[0] - lens->cx) / lens->focal, (pixel[1] - lens->cy) / lens->focal};
  if (lens->model == RUT_LENS_PERSPECTIVE) {
    double at[2] = {to[0], to[1]};
    if (is_distorted(lens) && !undistort(lens, to, at)) return false;
    const double scale = 1 / rut_sqrt(1 + at[0] * at[0] + at[1] * at[1]);
    direction[0] = at[0] * scale;
    direction[1] = at[1] * scale;
    direction[2] = scale;
    return true;
  }
  const double distance = rut_hypot(to[0], to[1]);
  const double angle = angle_at(lens->model, distance);
  if (!(angle <= RUT_PI)) return false;
  double s, c;
  rut_sincos(angle, &s, &c);
  const double scale = distance > 0 ? s / distance : 0;
  direction[0] = to[0] * scale;
  direction[1] = to[1] * scale;
  direction[2] = c;
  return true;
}
