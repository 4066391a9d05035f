// SPDX-License-Identifier: BSD-3-Clause
//
// What the wheels' lateral forces act on. Each stops, within a step, the lateral sliding of the
// mass m that it carries. Together they take the part L of a motion of the body, L an eigenvalue of
//   M^-1 sum m J^T J,      J = (-sin a, cos a, x cos a + y sin a)
// for a wheel at (x, y) from the centre of mass and at the angle a. Above L = 1 they would
// overshoot: they are then given 1/L of their mass, and need a few steps. Wheels that know what
// others did in the last step (scrub) are unstable from L = 4/3 on.
//
// Vehicles without scrub take sum m x^2/I_z for L, as MVSim's worlds do: above 1 the yaw rate would
// change its sign.
#include "sim/compile/side_forces.h"

#include "math/rut_math.h"

// Whether lateral forces of the wheels can work against each other: not where all axes are one
// line.
static int may_scrub(const rutDraftClass* c) {
  if (!c->coupled) return 0;
  for (int w = 0; w < c->wheels; w++) {
    if (c->steered[w] || c->mount_yaw[w] != 0 || c->x[w] != c->x[0]) return 1;
  }
  return 0;
}

// J over the square roots of mass and inertia, of wheel w at the angle a.
static void find_lever(const rutDraftClass* c, int w, double a, double lever[3]) {
  const double x = c->x[w] - c->com[0], y = c->y[w] - c->com[1];
  double sine, cosine;
  rut_sincos(a, &sine, &cosine);
  lever[0] = -sine / rut_sqrt(c->mass);
  lever[1] = cosine / rut_sqrt(c->mass);
  lever[2] = (x * cosine + y * sine) / rut_sqrt(c->yaw_inertia);
}

// Largest eigenvalue with all steered wheels at an angle, by the power method.
static double largest_part(const rutDraftClass* c, double steer) {
  enum { ROUNDS = 200 };
  static const double START[3] = {0.48, 0.6, 0.64};  // along no axis
  double m[3][3] = {{0}}, v[3] = {START[0], START[1], START[2]}, size = 0;
  for (int w = 0; w < c->wheels; w++) {
    double lever[3];
    find_lever(c, w, c->mount_yaw[w] + (c->steered[w] ? steer : 0), lever);
    for (int i = 0; i < 9; i++) m[i / 3][i % 3] += c->share[w] * lever[i / 3] * lever[i % 3];
  }
  for (int k = 0; k < ROUNDS; k++) {
    double next[3];
    for (int i = 0; i < 3; i++) next[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    size = rut_sqrt(next[0] * next[0] + next[1] * next[1] + next[2] * next[2]);
    for (int i = 0; i < 3; i++) v[i] = next[i] / rut_max(size, RUT_LEAST_DIVISOR);
  }
  return size;
}

static double part_of_motion(const rutDraftClass* c) {
  static const double STEER[] = {-1, -0.5, 0, 0.5, 1};  // of the largest angle
  double most = 0;
  if (c->scrubs) {
    for (int i = 0; i < RUT_COUNT_OF(STEER); i++) {
      most = rut_max(most, largest_part(c, STEER[i] * c->max_steer));
    }
    return most;
  }
  for (int w = 0; w < c->wheels; w++) {
    const double x = c->x[w] - c->com[0];
    most += c->share[w] * x * x;
  }
  return most / c->yaw_inertia;
}

// Against gravity across the vehicle the forces must balance force and moment about the centre of
// mass: of all shares h with sum h = m and sum h x = 0 the one nearest to equal shares is
// m/n - m X (x - X)/sum (x - X)^2, x from the centre of mass and X its mean over the wheels.
static void share_hold(rutDraftClass* c) {
  double total = 0, mean = 0, spread = 0;
  for (int w = 0; w < c->wheels; w++) {
    total += c->share[w];
    mean += (c->x[w] - c->com[0]) / c->wheels;
  }
  for (int w = 0; w < c->wheels; w++) {
    const double x = c->x[w] - c->com[0] - mean;
    spread += x * x;
  }
  for (int w = 0; w < c->wheels; w++) {
    const double x = c->x[w] - c->com[0] - mean;
    double hold = total / c->wheels;
    if (spread > 1e-9) hold -= total * mean * x / spread;
    c->hold[w] = hold / c->side_mass[w];
  }
}

void rut_draft_share_side_forces(rutDraftClass* c) {
  c->scrubs = may_scrub(c);
  const double taken = part_of_motion(c);
  const double part = taken > 1 ? 1 / taken : 1;
  for (int w = 0; w < c->wheels; w++) c->side_mass[w] = part * c->share[w];
  share_hold(c);
}
