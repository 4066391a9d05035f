// SPDX-License-Identifier: BSD-3-Clause
//
// Speeds at the points of touches, for the files that find impulses and what they do.
#ifndef RUT_CONTACT_SPACE_ROWS_H
#define RUT_CONTACT_SPACE_ROWS_H

#include "contact/space_data.h"

typedef struct rutSpaceSolver {
  const rutSpaceModel* model;
  rutSpaceState* state;
  const rutSpaceWorld* world;
} rutSpaceSolver;

// Speed of b's point against a's along a direction.
RUT_INLINE double rut_space_speed(const rutSpaceSolver* s, const rutSpaceTouch* t,
                                  const rutSpacePoint* p, int direction, const double* speeds) {
  double sum = 0;
  for (int k = 0; k < 2; k++) {
    const rutSpaceSide side = t->side[k];
    if (side.body < 0) continue;
    const double* v = speeds + s->model->first[side.body];
    const double* j = p->jacobian[k][direction];
    for (int i = 0; i < RUT_SPACE_RIGID; i++) sum += j[i] * v[i];
    if (side.wheel < 0) continue;
    const double* w = v + RUT_SPACE_RIGID + 2 * side.wheel;
    sum += j[6] * w[0] + j[7] * w[1];
  }
  return sum;
}

// Change of the speeds by an impulse there.
RUT_INLINE void rut_space_push(const rutSpaceSolver* s, const rutSpaceTouch* t,
                               const rutSpacePoint* p, int direction, double impulse,
                               double* speeds) {
  for (int k = 0; k < 2; k++) {
    const int body = t->side[k].body;
    if (body < 0) continue;
    const int n = s->model->body[body].def.speeds;
    double* v = speeds + s->model->first[body];
    const double* response = p->response[k] + direction * n;
    for (int i = 0; i < n; i++) v[i] += response[i] * impulse;
  }
}

// --- space_energy.c
// Scale the impulses of each island down until they add no energy to it.
void rut_space_limit_energy(const rutSpaceSolver* s);
// What tyres have taken, less what they gave back.
void rut_space_find_held(const rutSpaceSolver* s);
// Kinetic energy that the impulses give each body: P . (v + v')/2.
void rut_space_find_work(const rutSpaceSolver* s);

// --- space_list.c
// Things that were apart and have met within the step touch.
void rut_space_mark_met(const rutSpaceSolver* s);
// Keep what the next step starts from, and list the contacts.
void rut_space_keep(const rutSpaceSolver* s);

#endif  // RUT_CONTACT_SPACE_ROWS_H
