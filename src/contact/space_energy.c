// SPDX-License-Identifier: BSD-3-Clause
//
// A few iterations over coupled points, with friction and Newton's law of restitution, can add
// energy (Stewart, SIAM Review 42, 2000). Over an island of bodies the impulses P change the
// kinetic energy by P . (v + v')/2; with a part s of them by s B + s^2 A, where B = P . v and A = P
// . (v' - v)/2. A part s = -B/A adds nothing. Momentum is conserved for any s.
#include <string.h>

#include "contact/space_rows.h"
#include "math/rut_math.h"

static int root_of(int* island, int body) {
  while (island[body] != body) {
    island[body] = island[island[body]];
    body = island[body];
  }
  return body;
}

static bool moves(const rutSpaceSolver* s, int body) {
  return body >= 0 && s->model->body[body].def.mass > 0;
}

static void find_islands(const rutSpaceSolver* s) {
  int* island = s->state->island;
  for (int i = 0; i < s->model->bodies; i++) island[i] = i;
  for (int i = 0; i < s->state->touches; i++) {
    const rutSpaceSide* side = s->state->touch[i].side;
    if (!moves(s, side[0].body) || !moves(s, side[1].body)) continue;
    const int a = root_of(island, side[0].body), b = root_of(island, side[1].body);
    if (a < b) island[b] = a;
    if (b < a) island[a] = b;
  }
}

// Sums A and B of each island, at its root. Those may gain energy that a moved body pushes, or a
// tyre, which gives back what it has taken.
static void find_balance(const rutSpaceSolver* s) {
  rutSpaceState* state = s->state;
  double* sum = state->balance;
  memset(sum, 0, (size_t)(2 * s->model->bodies) * sizeof *sum);
  for (int i = 0; i < state->touches; i++) {
    const rutSpaceTouch* t = &state->touch[i];
    const int a = t->side[0].body, b = t->side[1].body;
    const int root = root_of(state->island, moves(s, a) || b < 0 ? a : b);
    const bool driven = (b >= 0 && !moves(s, b)) || !moves(s, a);
    if (driven || t->stiffness > 0) sum[2 * root + 1] = -RUT_INFINITY;
    for (int k = t->first; k < t->first + t->n; k++) {
      const rutSpacePoint* p = &state->point[k];
      for (int d = 0; d < 3; d++) {
        const double before = rut_space_speed(s, t, p, d, state->bodies.before);
        const double after = rut_space_speed(s, t, p, d, state->bodies.speed);
        sum[2 * root] += 0.5 * p->impulse[d] * (after - before);
        sum[2 * root + 1] += p->impulse[d] * before;
      }
    }
  }
}

static double part_of(const double* sum) {
  return sum[0] + sum[1] > 0 && sum[1] < 0 && sum[0] > 0 ? -sum[1] / sum[0] : 1;
}

void rut_space_limit_energy(const rutSpaceSolver* s) {
  rutSpaceState* state = s->state;
  find_islands(s);
  find_balance(s);
  for (int i = 0; i < s->model->bodies; i++) {
    const double part = part_of(state->balance + (size_t)(2 * root_of(state->island, i)));
    if (part == 1) continue;
    for (int k = s->model->first[i]; k < s->model->first[i + 1]; k++) {
      state->bodies.speed[k] =
          state->bodies.before[k] + part * (state->bodies.speed[k] - state->bodies.before[k]);
    }
  }
  for (int i = 0; i < state->touches; i++) {
    const rutSpaceTouch* t = &state->touch[i];
    const int a = t->side[0].body, b = t->side[1].body;
    const int root = root_of(state->island, moves(s, a) || b < 0 ? a : b);
    const double part = part_of(state->balance + (size_t)(2 * root));
    for (int k = t->first; k < t->first + t->n && part != 1; k++) {
      for (int d = 0; d < 3; d++) state->point[k].impulse[d] *= part;
    }
  }
}

// Speed along the normal by which the gap grows: a wheel that spins stays as round as it is.
static double opening(const rutSpaceSolver* s, const rutSpaceTouch* t, const rutSpacePoint* p,
                      const double* speeds) {
  double speed = rut_space_speed(s, t, p, 0, speeds);
  for (int k = 0; k < 2; k++) {
    const rutSpaceSide side = t->side[k];
    if (side.wheel < 0) continue;
    const double* v = speeds + s->model->first[side.body];
    speed -= p->jacobian[k][0][7] * v[RUT_SPACE_RIGID + 2 * side.wheel + 1];
  }
  return speed;
}

void rut_space_find_held(const rutSpaceSolver* s) {
  rutSpaceState* state = s->state;
  for (int i = 0; i < state->touches; i++) {
    rutSpaceTouch* t = &state->touch[i];
    double given = 0;
    for (int k = t->first; k < t->first + t->n && t->stiffness > 0; k++) {
      const rutSpacePoint* p = &state->point[k];
      given += 0.5 * p->impulse[0] *
               (opening(s, t, p, state->bodies.before) + opening(s, t, p, state->bodies.speed));
    }
    t->held = rut_max(t->held - given, 0);
  }
}

void rut_space_find_work(const rutSpaceSolver* s) {
  rutSpaceState* state = s->state;
  for (int i = 0; i < state->touches; i++) {
    const rutSpaceTouch* t = &state->touch[i];
    for (int side = 0; side < 2; side++) {
      rutSpaceTouch one = *t;
      one.side[1 - side].body = -1;
      const int body = t->side[side].body;
      for (int k = t->first; k < t->first + t->n && body >= 0; k++) {
        const rutSpacePoint* p = &state->point[k];
        for (int d = 0; d < 3; d++) {
          state->bodies.work[body] += 0.5 * p->impulse[d] *
                                      (rut_space_speed(s, &one, p, d, state->bodies.before) +
                                       rut_space_speed(s, &one, p, d, state->bodies.speed));
        }
      }
    }
  }
}
