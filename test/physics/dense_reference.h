// SPDX-License-Identifier: BSD-3-Clause
//
// Dynamics of a tree the long way: every body's velocity as a dense Jacobian in world axes, and the
// Newton-Euler equations of each body about its centre of mass, projected on the joints. Shares no
// code with the library; runs in extended precision. Rotors are made to spin in fact.
#ifndef DENSE_REFERENCE_H
#define DENSE_REFERENCE_H

#include "mbd/tree.h"

enum { REFERENCE_SPEEDS = 96 };

typedef struct denseBody {
  long double rotation[3][3];  // body to world, with a rotor's spin
  long double axes[3][3];      // body to world, without
  long double origin[3], com[3];
  long double omega[3], velocity[3], com_velocity[3];
  long double alpha[3], acceleration[3];  // with all dv/dt = 0; of the origin
  long double turn[REFERENCE_SPEEDS][3], move[REFERENCE_SPEEDS][3];  // d omega, d velocity / d v
  long double inertia[3][3];  // about the centre of mass, world axes
} denseBody;

typedef struct denseTree {
  denseBody body[RUT_MBD_MAX_BODIES];
  long double mass[REFERENCE_SPEEDS][REFERENCE_SPEEDS];  // M
  long double bias[REFERENCE_SPEEDS];  // velocity products less gravity and external forces
} denseTree;

// Fills `dense` for one state; arguments as in rut_mbd_forward_dynamics, one lane.
void dense_evaluate(const rutMbdTree* tree, const double* q, const double* v, const double* force,
                    const double* gravity, denseTree* dense);
// Accelerations M^-1 (tau - bias) of the joints that are not prescribed, 0 for those.
void dense_accelerate(const rutMbdTree* tree, denseTree* dense, const double* tau,
                      long double* acceleration);
// Kinetic and potential energy, linear momentum and angular momentum about the base's origin.
long double dense_energy(const rutMbdTree* tree, const denseTree* dense, const double* gravity);
void dense_momentum(const rutMbdTree* tree, const denseTree* dense, long double linear[3],
                    long double angular[3]);

#endif  // DENSE_REFERENCE_H
