// SPDX-License-Identifier: BSD-3-Clause
//
// Friction of a shaft as bristles that bend and slip: sticks, breaks away, and slides with one
// state (Canudas de Wit, Olsson, Astrom and Lischinsky, IEEE Trans. Autom. Control 40, 1995). |w|
// is replaced by a smooth function, so that the law is continuously differentiable through
// standstill (Sobczyk, Perondi and Cunha, COBEM 2009).
#ifndef RUT_DRIVE_LUGRE_H
#define RUT_DRIVE_LUGRE_H

#include "math/rut_math.h"

typedef struct rutLugre {
  double coulomb;         // T_c: friction torque while sliding fast [N m] > 0
  double break_away;      // T_s: largest torque at rest [N m] >= T_c
  double stribeck_speed;  // w_s: speed over which the one becomes the other [rad/s]
  double viscous;         // s2 [N m s/rad]
  double stiffness;       // s0: of the bristles [N m/rad]
  double damping;         // s1: of the bristles [N m s/rad]
  double sharpness;       // k: |w| is w tanh(k w), at most 0.28/k too small [s/rad]
} rutLugre;

// The law as a step of length dt can resolve it. The shaft is integrated explicitly, with the
// torque at the start of the step; bristles that would swing or decay faster than it can follow are
// softened. This changes how far they bend, not what they carry.
RUT_INLINE rutLugre rut_lugre_for_step(const rutLugre* law, double inertia, double dt) {
  rutLugre f = *law;
  f.stiffness = rut_min(f.stiffness, 0.5 * inertia / (dt * dt));
  f.damping = rut_min(f.damping, 0.25 * inertia / dt);
  f.viscous = rut_min(f.viscous, 0.25 * inertia / dt);
  return f;
}

// Torque against a shaft that turns at w through a step. *bristle is the mean bend z [rad], which
// never leaves T_s/s0.
//   T = s0 z + s1 dz/dt + s2 w,   dz/dt = w - a z,   a = s0 |w|/g,
//   g(w) = T_c + (T_s - T_c) exp(-(w/w_s)^2)
// For constant w the state is exact at the end of a step of any length,
//   z1 = z0 exp(-a dt) + w (1 - exp(-a dt))/a,
// and dz/dt is its mean over the step. The law only takes energy while s1 |w| <= 4 g; s1 fades as
// s1/(1 + s1 |w|/g), which keeps to a quarter of that.
RUT_INLINE double rut_lugre_torque(const rutLugre* f, double w, double dt, double* bristle) {
  static const double LEAST_DECAY = 1e-12;  // within a step
  const double ratio = w / f->stribeck_speed;
  const double g = f->coulomb + (f->break_away - f->coulomb) * rut_exp(-ratio * ratio);
  const double size = w * rut_tanh(f->sharpness * w);
  const double decay = dt * f->stiffness * size / g;
  const double lost = -rut_expm1(-decay);  // 1 - exp(-a dt)
  const double travel = w * dt * (decay > LEAST_DECAY ? lost / rut_max(decay, LEAST_DECAY) : 1.0);
  const double longest = f->break_away / f->stiffness;
  const double start = *bristle;
  const double end = rut_clamp(start - start * lost + travel, -longest, longest);
  const double damping = f->damping / (1.0 + f->damping * size / g);
  *bristle = end;
  return f->stiffness * end + damping * (end - start) / dt + f->viscous * w;
}

#endif  // RUT_DRIVE_LUGRE_H
