// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives that a problem tells against central differences of what it computes.
#include <string.h>

#include "math/rut_math.h"
#include "rut/mpc.h"

enum { NX = RUT_MPC_MOST_STATES, NZ = NX + RUT_MPC_MOST_CONTROLS, ROWS = RUT_MPC_MOST_ROWS };

// A node of which a variable is moved.
typedef struct Place {
  const rutMpcProblem* problem;
  int k, nz;
  double z[NZ];
} Place;

static rutMpcNode node_of(const Place* p) {
  const int nx = p->problem->states;
  return (rutMpcNode){p->k, p->z, p->k < p->problem->intervals ? p->z + nx : NULL,
                      p->problem->user};
}

static void compare(double told, double found, double* largest) {
  const double off = rut_abs(told - found) / (1 + rut_abs(told));
  *largest = rut_is_finite(off) ? rut_max(*largest, off) : RUT_NO_LIMIT;
}

static void compare_cost(Place* p, int i, double h, bool hessian, double* largest) {
  double g[NZ] = {0}, more[NZ] = {0}, less[NZ] = {0}, matrix[NZ * NZ] = {0}, unused[NZ * NZ] = {0};
  const double z = p->z[i];
  const rutMpcNode at = node_of(p);
  p->problem->cost(&at, g, matrix);
  p->z[i] = z + h;
  const double above = p->problem->cost(&at, more, unused);
  p->z[i] = z - h;
  const double below = p->problem->cost(&at, less, unused);
  p->z[i] = z;
  compare(g[i], (above - below) / (2 * h), largest);
  for (int j = 0; j < p->nz && hessian; j++) {
    compare(matrix[j * p->nz + i], (more[j] - less[j]) / (2 * h), largest);
  }
}

static void compare_next(Place* p, int i, double h, double* largest) {
  double by[NX * NZ] = {0}, more[NX], less[NX], z = p->z[i];
  const rutMpcNode at = node_of(p);
  p->problem->next(&at, more, by);
  p->z[i] = z + h;
  p->problem->next(&at, more, NULL);
  p->z[i] = z - h;
  p->problem->next(&at, less, NULL);
  p->z[i] = z;
  for (int j = 0; j < p->problem->states; j++) {
    compare(by[j * p->nz + i], (more[j] - less[j]) / (2 * h), largest);
  }
}

static void compare_rows(Place* p, int i, double h, double* largest) {
  double by[ROWS * NZ] = {0}, more[ROWS], less[ROWS], z = p->z[i];
  const rutMpcNode at = node_of(p);
  const int rows = p->problem->row(&at, more, by);
  p->z[i] = z + h;
  p->problem->row(&at, more, NULL);
  p->z[i] = z - h;
  p->problem->row(&at, less, NULL);
  p->z[i] = z;
  for (int j = 0; j < rows; j++) {
    compare(by[j * p->nz + i], (more[j] - less[j]) / (2 * h), largest);
  }
}

rutStatus rut_mpc_differences(const rutMpcProblem* problem, const rutMpcTrajectory* at, double h,
                              bool hessian, double* largest, rutError* err) {
  size_t bytes;
  const rutStatus status = rut_mpc_size(problem, &bytes, err);
  if (status != RUT_OK) return status;
  const int nx = problem->states, nu = problem->controls;
  *largest = 0;
  for (int k = 0; k <= problem->intervals; k++) {
    Place p = {.problem = problem, .k = k, .nz = nx + nu};
    memcpy(p.z, at->state + (ptrdiff_t)k * nx, (size_t)nx * sizeof *p.z);
    const bool last = k == problem->intervals;
    if (!last) memcpy(p.z + nx, at->control + (ptrdiff_t)k * nu, (size_t)nu * sizeof *p.z);
    for (int i = 0; i < (last ? nx : nx + nu); i++) {
      const double step = h * (problem->scale ? problem->scale[i] : 1);
      compare_cost(&p, i, step, hessian, largest);
      if (!last) compare_next(&p, i, step, largest);
      if (problem->row) compare_rows(&p, i, step, largest);
    }
  }
  return RUT_OK;
}
