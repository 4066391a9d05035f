// SPDX-License-Identifier: BSD-3-Clause
#include "geom/satellites.h"

#include "math/rut_math.h"

// ---- constellation ----

static const double DEGREE = RUT_PI / 180;
static const double SEMI_MAJOR_AXIS = 26559.7e3;     // of the orbits, which are circles [m]
static const double INCLINATION = 55;                // [deg]
static const double GRAVITY_CONSTANT = 3.986005e14;  // of the earth, IS-GPS-200 [m3/s2]
static const double EARTH_RATE = 7.2921151467e-5;    // likewise [rad/s]
// Greenwich hour angle at the epoch, 18 h 36 min 14.4 s [deg].
static const double GREENWICH = 15 * (18 + 36 / 60.0 + 14.4 / 3600.0);

enum { PLANES = 6, SLOTS = RUT_SATELLITES / PLANES };
// Right ascension of the ascending nodes of planes A to F at the epoch [deg].
static const double NODE[PLANES] = {272.847, 332.847, 32.847, 92.847, 152.847, 212.847};
// Angles from the node along the orbit there, slots 1 to 4 of each plane [deg].
static const double LATITUDE_ARGUMENT[PLANES][SLOTS] = {
    {268.126, 161.786, 11.676, 41.806},  {80.956, 173.336, 309.976, 204.376},
    {111.876, 11.796, 339.666, 241.556}, {135.226, 265.446, 35.156, 167.356},
    {197.046, 302.596, 66.066, 333.686}, {238.886, 345.226, 105.206, 135.346}};

void rut_satellites(double time, rutVec3 ecef[RUT_SATELLITES]) {
  const double a = SEMI_MAJOR_AXIS, motion = rut_sqrt(GRAVITY_CONSTANT / (a * a * a));
  double si, ci;
  rut_sincos(INCLINATION * DEGREE, &si, &ci);
  for (int plane = 0; plane < PLANES; plane++) {
    double sn, cn;
    rut_sincos((NODE[plane] - GREENWICH) * DEGREE - EARTH_RATE * time, &sn, &cn);
    for (int slot = 0; slot < SLOTS; slot++) {
      double s, c;
      rut_sincos(LATITUDE_ARGUMENT[plane][slot] * DEGREE + motion * time, &s, &c);
      ecef[plane * SLOTS + slot] =
          rut_vec3(a * (c * cn - s * ci * sn), a * (c * sn + s * ci * cn), a * s * si);
    }
  }
}

// ---- least squares ----

enum { UNKNOWNS = 4 };
// Pivots of the normal matrix below this leave a direction open: an error of 1 in the ranges would
// be one of more than 1e4 in the position.
static const double LEAST_PIVOT = 1e-8;

// Add a row g with the right side y to the normal equations of least squares.
static void add_row(double normal[UNKNOWNS][UNKNOWNS], double right[UNKNOWNS],
                    const double g[UNKNOWNS], double y) {
  for (int i = 0; i < UNKNOWNS; i++) {
    for (int k = 0; k < UNKNOWNS; k++) normal[i][k] += g[i] * g[k];
    right[i] += g[i] * y;
  }
}

// The lower Cholesky factor of a, in place. False if a is singular.
static bool factorise(double a[UNKNOWNS][UNKNOWNS]) {
  for (int i = 0; i < UNKNOWNS; i++) {
    for (int k = 0; k <= i; k++) {
      double v = a[i][k];
      for (int j = 0; j < k; j++) v -= a[i][j] * a[k][j];
      if (i == k && !(v > LEAST_PIVOT)) return false;
      a[i][k] = i == k ? rut_sqrt(v) : v / a[k][k];
    }
  }
  return true;
}

// Solve with a factor, in place.
static void solve(double factor[UNKNOWNS][UNKNOWNS], double x[UNKNOWNS]) {
  for (int i = 0; i < UNKNOWNS; i++) {
    for (int k = 0; k < i; k++) x[i] -= factor[i][k] * x[k];
    x[i] /= factor[i][i];
  }
  for (int i = UNKNOWNS - 1; i >= 0; i--) {
    for (int k = i + 1; k < UNKNOWNS; k++) x[i] -= factor[k][i] * x[k];
    x[i] /= factor[i][i];
  }
}

// A range changes by -direction . (change of position) + (change of c dt).
static void range_row(rutVec3 direction, double g[UNKNOWNS]) {
  const double row[UNKNOWNS] = {-direction.x, -direction.y, -direction.z, 1};
  for (int i = 0; i < UNKNOWNS; i++) g[i] = row[i];
}

bool rut_dilution(int n, const rutVec3* direction, rutDilution* out) {
  double normal[UNKNOWNS][UNKNOWNS] = {{0}}, unused[UNKNOWNS] = {0}, g[UNKNOWNS];
  *out = (rutDilution){0};
  for (int i = 0; i < n; i++) {
    range_row(direction[i], g);
    add_row(normal, unused, g, 0);
  }
  if (n < UNKNOWNS || !factorise(normal)) return false;
  // the covariance is the inverse of the normal matrix: its diagonal, column by column
  double deviation[UNKNOWNS];
  for (int i = 0; i < UNKNOWNS; i++) {
    double column[UNKNOWNS] = {0};
    column[i] = 1;
    solve(normal, column);
    deviation[i] = rut_sqrt(column[i]);
  }
  *out = (rutDilution){deviation[0], deviation[1], deviation[2], deviation[3]};
  return true;
}

bool rut_position_error(int n, const rutVec3* direction, const double* error, rutVec3* out) {
  double normal[UNKNOWNS][UNKNOWNS] = {{0}}, x[UNKNOWNS] = {0}, g[UNKNOWNS];
  for (int i = 0; i < n; i++) {
    range_row(direction[i], g);
    add_row(normal, x, g, error[i]);
  }
  if (n < UNKNOWNS || !factorise(normal)) return false;
  solve(normal, x);
  *out = rut_vec3(x[0], x[1], x[2]);
  return true;
}

bool rut_pseudorange_solve(int n, const rutVec3* satellite, const double* range, rutVec3* position,
                           double* clock) {
  enum { PASSES = 10 };
  const double near_enough = 1e-7;  // change of the last pass [m]
  rutVec3 p = *position;
  double offset = 0;
  if (n < UNKNOWNS) return false;
  for (int pass = 0; pass < PASSES; pass++) {
    double normal[UNKNOWNS][UNKNOWNS] = {{0}}, x[UNKNOWNS] = {0}, g[UNKNOWNS];
    for (int i = 0; i < n; i++) {
      const rutVec3 to = rut_vec3_sub(satellite[i], p);
      const double distance = rut_vec3_norm(to);
      range_row(rut_vec3_scale(to, 1 / distance), g);
      add_row(normal, x, g, range[i] - distance - offset);
    }
    if (!factorise(normal)) return false;
    solve(normal, x);
    const rutVec3 change = rut_vec3(x[0], x[1], x[2]);
    p = rut_vec3_add(p, change);
    offset += x[3];
    if (rut_vec3_norm(change) > near_enough) continue;
    *position = p;
    *clock = offset;
    return true;
  }
  return false;
}
