// SPDX-License-Identifier: BSD-3-Clause
#include "math/quadrature.h"

#include "math/rut_math.h"

// Recurrence of the orthonormal polynomials on [-1, 1]:
// off[k + 1] p_(k+1) = (x - middle[k]) p_k - off[k] p_(k-1), p_0 = 1.
typedef struct Recurrence {
  int n;
  double middle[RUT_MOST_NODES], off[RUT_MOST_NODES + 1];
} Recurrence;

static Recurrence jacobi(int n, double a) {
  Recurrence r = {.n = n};
  r.middle[0] = -a / (a + 2.0);
  for (int k = 1; k <= n; k++) {
    const double twice = 2.0 * k + a, top = 2.0 * k * (k + a);
    if (k < n) r.middle[k] = -a * a / (twice * (twice + 2.0));
    r.off[k] = top / (twice * rut_sqrt(twice * twice - 1.0));
  }
  return r;
}

// p[0..n - 1] at x, and how many nodes lie below it: sign changes of the sequence of minors.
static int polynomials(const Recurrence* r, double x, double* p) {
  int below = 0;
  double minor = 1.0, value = 1.0, last = 0.0;
  for (int k = 0; k < r->n; k++) {
    const double square = r->off[k] * r->off[k];
    const double next = (x - r->middle[k]) * value - r->off[k] * last;
    minor = (r->middle[k] - x) - (k > 0 ? square / minor : 0.0);
    if (minor == 0.0) minor = 1e-300;
    below += minor < 0.0;
    p[k] = value;
    last = value;
    value = next / r->off[k + 1];
  }
  return below;
}

// Node of number `index`, by bisection of the count.
static double find_node(const Recurrence* r, int index) {
  double low = -1.0, high = 1.0, p[RUT_MOST_NODES];
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (polynomials(r, middle, p) > index) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return 0.5 * (low + high);
}

static double dot(int n, const double* a, const double* b) {
  double sum = 0.0;
  for (int k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

// Means of the polynomials over [-1, 1], by Gauss-Legendre.
static void mean_polynomials(const Recurrence* r, double* mean) {
  const Recurrence legendre = jacobi(r->n, 0.0);
  double p[RUT_MOST_NODES];
  for (int k = 0; k < r->n; k++) mean[k] = 0.0;
  for (int i = 0; i < r->n; i++) {
    const double x = find_node(&legendre, i);
    polynomials(&legendre, x, p);
    const double weight = 1.0 / dot(r->n, p, p);
    polynomials(r, x, p);
    for (int k = 0; k < r->n; k++) mean[k] += weight * p[k];
  }
}

void rut_gauss_jacobi(int n, double a, double* node, double* weight, double* plain) {
  const Recurrence r = jacobi(n, a);
  double p[RUT_MOST_NODES], mean[RUT_MOST_NODES];
  mean_polynomials(&r, mean);
  for (int i = 0; i < n; i++) {
    const double x = find_node(&r, i);
    polynomials(&r, x, p);
    const double share = 1.0 / dot(n, p, p);
    node[i] = 0.5 * (1.0 + x);
    weight[i] = share / (a + 1.0);
    plain[i] = share * dot(n, p, mean);
  }
}
