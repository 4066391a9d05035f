// SPDX-License-Identifier: BSD-3-Clause
//
// Optimal control against closed forms (Riccati equation, bang-bang time, steady rate limit),
// against values that IPOPT finds for the same problems (tools/optimal_reference.py), and the
// conditions of a minimum themselves.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "assert_near.h"
#include "repetitions.h"
#include "rut/mpc.h"

enum { MOST_N = 200, MOST_NX = 8, MOST_NZ = 10 };

// A problem's memory, trajectory and bounds.
typedef struct Case {
  rutMpcProblem p;
  double state[(MOST_N + 1) * MOST_NX], control[MOST_N * MOST_NX];
  double low[(MOST_N + 1) * MOST_NZ], high[(MOST_N + 1) * MOST_NZ];
  rutMpcTrajectory t;
  rutMpcResult r;
} Case;

static Case* new_case(int nx, int nu, int n) {
  Case* c = calloc(1, sizeof *c);
  assert_non_null(c);
  c->p = rut_default_mpc_problem();
  c->p.states = nx;
  c->p.controls = nu;
  c->p.intervals = n;
  c->t = (rutMpcTrajectory){c->state, c->control};
  for (int i = 0; i < (n + 1) * (nx + nu); i++) {
    c->low[i] = -RUT_MPC_NO_BOUND;
    c->high[i] = RUT_MPC_NO_BOUND;
  }
  return c;
}

static void bound(Case* c, int variable, double low, double high) {
  const int nz = c->p.states + c->p.controls;
  for (int k = 0; k <= c->p.intervals; k++) {
    c->low[k * nz + variable] = low;
    c->high[k * nz + variable] = high;
  }
  c->p.low = c->low;
  c->p.high = c->high;
}

static void solve(Case* c, const rutMpcSettings* settings) {
  size_t bytes;
  rutError err = {0};
  assert_int_equal(rut_mpc_size(&c->p, &bytes, &err), RUT_OK);
  void* work = malloc(bytes);
  assert_non_null(work);
  assert_int_equal(rut_mpc_solve(&c->p, settings, (rutMpcMemory){work, bytes}, &c->t, &c->r, &err),
                   RUT_OK);
  free(work);
}

// ---- a double integrator ----

static const double H = 0.1;

static void integrator_next(const rutMpcNode* at, double* next, double* by) {
  const double *x = at->state, u = at->control[0];
  next[0] = x[0] + H * x[1] + 0.5 * H * H * u;
  next[1] = x[1] + H * u;
  if (!by) return;
  const double own[6] = {1, H, 0.5 * H * H, 0, 1, H};
  memcpy(by, own, sizeof own);
}

// Quadratic cost with the matrix of the Riccati equation at the end, from user[4].
static double integrator_cost(const rutMpcNode* at, double* g, double* h) {
  const double *x = at->state, *p = at->user;
  if (!at->control) {
    const double px[2] = {p[0] * x[0] + p[1] * x[1], p[2] * x[0] + p[3] * x[1]};
    if (g) memcpy(g, px, sizeof px);
    for (int i = 0; i < 4 && h; i++) h[i / 2 * 3 + i % 2] = p[i];
    return 0.5 * (x[0] * px[0] + x[1] * px[1]);
  }
  const double w[3] = {1, 0.1, 0.01}, z[3] = {x[0], x[1], at->control[0]};
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    sum += 0.5 * w[i] * z[i] * z[i];
    if (g) g[i] = w[i] * z[i];
    if (h) h[i * 4] = w[i];
  }
  return sum;
}

// Solution of the discrete Riccati equation by repeating it, written out for two states.
static void fixed_point(double p[4], double gain[2]) {
  const double b[2] = {0.5 * H * H, H};
  double q[4] = {1, 0, 0, 0.1};
  for (int round = 0; round < 5000; round++) {
    // columns of A: (1, 0), (H, 1)
    const double pa[4] = {q[0], q[0] * H + q[1], q[2], q[2] * H + q[3]};
    const double pb[2] = {q[0] * b[0] + q[1] * b[1], q[2] * b[0] + q[3] * b[1]};
    const double f = 0.01 + b[0] * pb[0] + b[1] * pb[1];
    const double g[2] = {b[0] * pa[0] + b[1] * pa[2], b[0] * pa[1] + b[1] * pa[3]};
    const double apa[4] = {pa[0], pa[1], H * pa[0] + pa[2], H * pa[1] + pa[3]};
    for (int i = 0; i < 4; i++) q[i] = apa[i] - g[i / 2] * g[i % 2] / f;
    q[0] += 1;
    q[3] += 0.1;
    gain[0] = g[0] / f;
    gain[1] = g[1] / f;
  }
  memcpy(p, q, sizeof q);
}

static Case* integrator(int n, double p[4]) {
  double gain[2];
  Case* c = new_case(2, 1, n);
  fixed_point(p, gain);
  c->p.next = integrator_next;
  c->p.cost = integrator_cost;
  c->p.user = p;
  c->state[0] = 2;
  return c;
}

// Without bounds it is the regulator: cost x'P x/2, control -K x at every node.
static void regulator_is_the_fixed_point(void** state) {
  double p[4], gain[2];
  (void)state;
  fixed_point(p, gain);
  // scipy.linalg.solve_discrete_are
  assert_near(p[0], 6.02254079, 1e-8);
  assert_near(p[3], 0.60911464, 1e-8);
  Case* c = integrator(30, p);
  rutMpcSettings s = rut_default_mpc();
  s.regularisation = 0;
  solve(c, &s);
  assert_int_equal(c->r.end, RUT_MPC_SOLVED);
  assert_true(c->r.iterations <= 2);
  assert_near(c->r.cost, 0.5 * 4 * p[0], 1e-9);
  for (int k = 0; k < 30; k++) {
    const double* x = &c->state[2 * k];
    assert_near(c->control[k], -gain[0] * x[0] - gain[1] * x[1], 1e-9);
  }
  free(c);
}

static void bounds_agree_with_ipopt(void** state) {
  double p[4];
  (void)state;
  Case* c = integrator(50, p);
  static const rutMpcPrice forbidden[2] = {{RUT_MPC_FORBIDDEN, 0}, {RUT_MPC_FORBIDDEN, 0}};
  static const rutMpcPrice dear[2] = {{1e3, 1}, {1e3, 1}};
  bound(c, 2, -1, 1);
  for (int k = 0; k <= 50; k++) c->low[3 * k + 1] = -0.8;
  // a price above the multiplier has the solution of a bound that is kept
  for (int i = 0; i < 3; i++) {
    static const rutMpcPrice* const price[3] = {NULL, forbidden, dear};
    c->p.state_price = price[i];
    memset(c->control, 0, sizeof c->control);
    solve(c, NULL);
    assert_int_equal(c->r.end, RUT_MPC_SOLVED);
    assert_near(c->r.cost, 26.0523968856, 1e-6);
    assert_near(c->control[0], -1, 1e-7);
    double least = 0;
    for (int k = 0; k <= 50; k++) least = fmin(least, c->state[2 * k + 1]);
    assert_near(least, -0.8, 1e-7);
  }
  free(c);
}

// A state's bound that control cannot keep: with a price the least violation, without one it says
// so.
static void what_cannot_be_kept_is_told(void** state) {
  static const rutMpcPrice dear[2] = {{1e4, 1}, {1e4, 1}};
  double p[4];
  (void)state;
  for (int priced = 0; priced < 2; priced++) {
    Case* c = integrator(20, p);
    c->state[1] = 1;  // it cannot stop before x = 2 + 1/2
    bound(c, 2, -1, 1);
    for (int k = 0; k <= 20; k++) c->high[3 * k] = 2.3;
    c->p.state_price = priced ? dear : NULL;
    solve(c, NULL);
    assert_int_equal(c->r.end, RUT_MPC_INFEASIBLE);
    if (priced) assert_near(c->r.violation, 0.2, 1e-6);
    free(c);
  }
}

// ---- least time ----

// (p, v, T) with steps of T/N: T is free, and the end is at rest at 0 by prices of bounds.
static void time_next(const rutMpcNode* at, double* next, double* by) {
  const int n = *(const int*)at->user;
  const double *x = at->state, u = at->control[0], h = x[2] / n;
  next[0] = x[0] + h * x[1] + 0.5 * h * h * u;
  next[1] = x[1] + h * u;
  next[2] = x[2];
  if (!by) return;
  const double own[12] = {1, h, (x[1] + h * u) / n, 0.5 * h * h, 0, 1, u / n, h, 0, 0, 1, 0};
  memcpy(by, own, sizeof own);
}

static double time_cost(const rutMpcNode* at, double* g, double* h) {
  (void)h;
  if (at->control) return 0;
  if (g) g[2] = 1;
  return at->state[2];
}

static void bang_bang_takes_its_time(void** state) {
  static const rutMpcPrice price[3] = {{100, 0}, {100, 0}, {RUT_MPC_FORBIDDEN, 0}};
  (void)state;
  int n = 20;
  Case* c = new_case(3, 1, n);
  c->p.next = time_next;
  c->p.cost = time_cost;
  c->p.user = &n;
  c->p.state_price = price;
  c->p.free_start = 4;
  bound(c, 3, -1, 1);
  bound(c, 2, 0.1, 50);
  c->low[4 * n] = c->high[4 * n] = c->low[4 * n + 1] = c->high[4 * n + 1] = 0;
  for (int i = 0; i < 3; i++) {
    // from rest at -d: T = 2 sqrt(d), full thrust one way and then the other
    const double d = 1.0 + 3.5 * i;
    for (int k = 0; k <= n; k++) {
      const double begin[3] = {-d * (1 - (double)k / n), 0.5, 5};
      memcpy(&c->state[3 * k], begin, sizeof begin);
    }
    c->state[1] = 0;
    memset(c->control, 0, sizeof c->control);
    solve(c, NULL);
    assert_int_equal(c->r.end, RUT_MPC_SOLVED);
    assert_near(c->r.cost, 2 * sqrt(d), 1e-5);
    for (int k = 0; k < n; k++) assert_near(c->control[k], k < n / 2 ? 1 : -1, 1e-3);
  }
  free(c);
}

// ---- costs that are states: all curvature is in the equations ----

// x_1 = K (u - 3)^2/2, of which the least is 0 at u = 3.
static void parabola_next(const rutMpcNode* at, double* next, double* by) {
  const double curvature = *(const double*)at->user, off = at->control[0] - 3;
  next[0] = 0.5 * curvature * off * off;
  if (by) by[1] = curvature * off;
}

// The last value of the first state is the cost.
static double last_state(const rutMpcNode* at, double* g, double* h) {
  (void)h;
  if (at->control) return 0;
  if (g) g[0] = 1;
  return at->state[0];
}

static void a_parabola_ends_at_its_vertex(void** state) {
  (void)state;
  rutMpcSettings s = rut_default_mpc();
  s.iterations = 200;
  for (int i = 0; i < 8; i++) {
    static const double curvatures[4] = {0.1, 1, 10, 1000};
    double curvature = curvatures[i / 2];
    Case* c = new_case(1, 1, 1);
    c->p.next = parabola_next;
    c->p.cost = last_state;
    c->p.user = &curvature;
    if (i & 1) bound(c, 1, -10, 10);
    rut_mpc_simulate(&c->p, &c->t);
    solve(c, &s);
    assert_int_equal(c->r.end, RUT_MPC_SOLVED);
    assert_near(c->control[0], 3, 1e-6);
    assert_near(c->r.cost, 0, 1e-9);
    free(c);
  }
}

enum { SUM_N = 10 };

// (sum, x): x follows u, and the sum is that of (K (x - 1)^2 + u^2)/N.
static void sum_next(const rutMpcNode* at, double* next, double* by) {
  const double k = *(const double*)at->user, off = at->state[1] - 1, u = at->control[0];
  next[0] = at->state[0] + (k * off * off + u * u) / SUM_N;
  next[1] = at->state[1] + u / SUM_N;
  if (!by) return;
  const double own[6] = {1, 2 * k * off / SUM_N, 2 * u / SUM_N, 0, 1, 1.0 / SUM_N};
  memcpy(by, own, sizeof own);
}

// From x - 1 = -1 the least sum is P of the Riccati equation of one state.
static void a_sum_is_that_of_the_regulator(void** state) {
  (void)state;
  rutMpcSettings s = rut_default_mpc();
  s.iterations = 200;
  for (double k = 0.1; k < 20; k *= 10) {
    const double b = 1.0 / SUM_N;
    double p = 0, weight = k;
    for (int i = 0; i < SUM_N; i++) p = k * b + p - p * b * p * b / (b + b * p * b);
    Case* c = new_case(2, 1, SUM_N);
    c->p.next = sum_next;
    c->p.cost = last_state;
    c->p.user = &weight;
    rut_mpc_simulate(&c->p, &c->t);
    solve(c, &s);
    assert_int_equal(c->r.end, RUT_MPC_SOLVED);
    assert_near(c->r.cost, p, 1e-9);
    free(c);
  }
}

// x_1 = (C (u - v)^2 + (u + v - 10)^2)/2: a valley, for large C one that damped steps go down
// slowly.
static void valley_next(const rutMpcNode* at, double* next, double* by) {
  const double steep = *(const double*)at->user;
  const double across = at->control[0] - at->control[1];
  const double along = at->control[0] + at->control[1] - 10;
  next[0] = 0.5 * (steep * across * across + along * along);
  if (!by) return;
  by[1] = steep * across + along;
  by[2] = -steep * across + along;
}

// Steps that are small because they are damped are no solution.
static void small_steps_are_not_taken_for_a_solution(void** state) {
  (void)state;
  int solved = 0;
  for (int i = 0; i < 30; i++) {
    double steep = pow(10, i / 3);
    rutMpcSettings s = rut_default_mpc();
    s.iterations = 100;
    s.step = pow(10, -7 + i % 3 * 2);
    Case* c = new_case(1, 2, 1);
    c->p.next = valley_next;
    c->p.cost = last_state;
    c->p.user = &steep;
    c->control[0] = 1;
    rut_mpc_simulate(&c->p, &c->t);
    solve(c, &s);
    if (i < 3) assert_int_equal(c->r.end, RUT_MPC_SOLVED);
    if (c->r.end == RUT_MPC_SOLVED) assert_near(c->r.cost, 0, 1e-9);
    solved += c->r.end == RUT_MPC_SOLVED;
    free(c);
  }
  // and some are not
  assert_true(solved < 30);
}

// ---- a car in a lane change, with linear tyres ----

enum { LANE_N = 40, LANE_NX = 5, LANE_NZ = 6 };

// Rates of states and their derivatives by (state, control).
typedef void Rate(const double* x, double u, double* out, double* by);

// A step of Runge and Kutta with its derivatives [nx][nx + 1]; `by` adds to what came before.
static void runge_kutta(Rate* rate, int nx, double h, const rutMpcNode* at, double* next,
                        double* by) {
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  const int nz = nx + 1;
  double k[4][5], x[5], f[30], dk[4][30] = {{0}}, sum[5] = {0}, dsum[30] = {0};
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < nx; i++) x[i] = at->state[i] + (s ? part[s] * h * k[s - 1][i] : 0);
    rate(x, at->control[0], k[s], f);
    for (int i = 0; i < nx; i++) {
      for (int j = 0; j < nz; j++) {
        double d = f[nz * i + j];
        for (int l = 0; l < nx && s; l++) d += f[nz * i + l] * part[s] * h * dk[s - 1][nz * l + j];
        dk[s][nz * i + j] = d;
        dsum[nz * i + j] += weight[s] * d;
      }
      sum[i] += weight[s] * k[s][i];
    }
  }
  for (int i = 0; i < nx; i++) {
    next[i] = at->state[i] + h / 6 * sum[i];
    for (int j = 0; j < nz && by; j++) by[nz * i + j] = (i == j) + h / 6 * dsum[nz * i + j];
  }
}

// y v r psi delta at 20 m/s; the published vehicle.
static void lane_rate(const double* x, double u, double* out, double* by) {
  const double m = 2688.7, inertia = 4110.1, la = 1.5775, lb = 1.7245, speed = 20;
  const double tf = (x[1] + la * x[2]) / speed, tr = (x[1] - lb * x[2]) / speed;
  const double df = -84138 / (speed * (1 + tf * tf)), dr = -78124 / (speed * (1 + tr * tr));
  const double front = -84138 * (atan(tf) - x[4]), rear = -78124 * atan(tr);
  const double sine = sin(x[3]), cosine = cos(x[3]);
  const double own[5] = {speed * sine + x[1] * cosine, (front + rear) / m - speed * x[2],
                         (la * front - lb * rear) / inertia, x[2], u};
  const double slopes[5][6] = {
      {0, cosine, 0, speed * cosine - x[1] * sine, 0, 0},
      {0, (df + dr) / m, (la * df - lb * dr) / m - speed, 0, 84138 / m, 0},
      {0, (la * df - lb * dr) / inertia, (la * la * df + lb * lb * dr) / inertia, 0,
       la * 84138 / inertia, 0},
      {0, 0, 1, 0, 0, 0},
      {0, 0, 0, 0, 0, 1}};
  memcpy(out, own, sizeof own);
  memcpy(by, slopes, sizeof slopes);
}

// Two half steps and the chain rule.
static void lane_next(const rutMpcNode* at, double* next, double* by) {
  double middle[5], first[30], second[30];
  runge_kutta(lane_rate, 5, 0.025, at, middle, first);
  const rutMpcNode there = {at->k, middle, at->control, NULL};
  runge_kutta(lane_rate, 5, 0.025, &there, next, second);
  for (int i = 0; i < 5 && by; i++) {
    for (int j = 0; j < 6; j++) {
      double d = j == 5 ? second[6 * i + 5] : 0;
      for (int l = 0; l < 5; l++) d += second[6 * i + l] * first[6 * l + j];
      by[6 * i + j] = d;
    }
  }
}

static double lane_cost(const rutMpcNode* at, double* g, double* h) {
  const double* x = at->state;
  double w[6] = {0, 0, 0, 0, 20 * 0.05, 200 * 0.05}, off[6] = {0};
  if (!at->control) {
    const double end[6] = {20, 20, 20, 200, 0, 0};
    memcpy(w, end, sizeof w);
  }
  double sum = 0;
  for (int i = 0; i < 6; i++) {
    off[i] = i < 5 ? x[i] : at->control ? at->control[0] : 0;
    if (i == 0) off[i] -= 3;
    sum += 0.5 * w[i] * off[i] * off[i];
    if (g) g[i] = w[i] * off[i];
    if (h) h[i * 7] = w[i];
  }
  return sum;
}

static void lane_change_has_the_known_costs(void** state) {
  static const double degree = 3.14159265358979324 / 180;
  static const double rate[2] = {10, 5}, cost[2] = {2.0364530671, 2.1652229570};
  static const double end[2] = {2.931897, 2.918924};
  (void)state;
  for (int i = 0; i < 2; i++) {
    Case* c = new_case(LANE_NX, 1, LANE_N);
    c->p.next = lane_next;
    c->p.cost = lane_cost;
    bound(c, 5, -rate[i] * degree, rate[i] * degree);
    solve(c, NULL);
    assert_int_equal(c->r.end, RUT_MPC_SOLVED);
    assert_near(c->r.cost, cost[i], 2e-8);
    assert_near(c->state[LANE_N * LANE_NX], end[i], 1e-6);
    if (i == 0) assert_near(c->control[0] / degree, 9.823461, 1e-6);
    int active = 0;
    for (int k = 0; k < LANE_N; k++) active += fabs(c->control[k]) > (rate[i] - 1e-4) * degree;
    assert_int_equal(active, i == 0 ? 0 : 6);
    free(c);
  }
}

// ---- a bicycle around a disc ----

static void bicycle_rate(const double* x, double u, double* out, double* by) {
  const double sine = sin(x[2]), cosine = cos(x[2]), t = tan(x[3]);
  out[0] = 10 * cosine;
  out[1] = 10 * sine;
  out[2] = 10.0 / 3 * t;
  out[3] = u;
  memset(by, 0, 20 * sizeof *by);
  by[2] = -10 * sine;
  by[5 + 2] = 10 * cosine;
  by[10 + 3] = 10.0 / 3 * (1 + t * t);
  by[15 + 4] = 1;
}

static void bicycle_next(const rutMpcNode* at, double* next, double* by) {
  runge_kutta(bicycle_rate, 4, 0.1, at, next, by);
}

static double bicycle_cost(const rutMpcNode* at, double* g, double* h) {
  const double* x = at->state;
  double w[5] = {0, 0.01, 0, 1, 0.1};
  if (!at->control) {
    w[1] = 1, w[2] = 10, w[3] = w[4] = 0;
  }
  double sum = 0;
  for (int i = 0; i < 5; i++) {
    const double z = i < 4 ? x[i] : at->control ? at->control[0] : 0;
    sum += 0.5 * w[i] * z * z;
    if (g) g[i] = w[i] * z;
    if (h) h[6 * i] = w[i];
  }
  return sum;
}

static int bicycle_row(const rutMpcNode* at, double* value, double* by) {
  const double dx = at->state[0] - 20, dy = at->state[1] - 0.5;
  value[0] = (dx * dx + dy * dy) / 16 - 1;
  if (by) {
    by[0] = dx / 8;
    by[1] = dy / 8;
  }
  return at->k > 0;
}

static Case* bicycle(const rutMpcPrice* price, int side) {
  Case* c = new_case(4, 1, 40);
  c->p.next = bicycle_next;
  c->p.cost = bicycle_cost;
  c->p.row = bicycle_row;
  c->p.rows = 1;
  c->p.row_price = price;
  bound(c, 3, -0.5, 0.5);
  bound(c, 4, -0.4, 0.4);
  for (int k = 0; k <= 40; k++) {
    c->state[4 * k] = k;
    c->state[4 * k + 1] = k > 12 && k < 28 ? 4 * side : 0;
  }
  return c;
}

static void bicycle_passes_as_with_ipopt(void** state) {
  static const rutMpcPrice prices[2] = {{RUT_MPC_FORBIDDEN, 0}, {100, 10}};
  (void)state;
  for (int i = 0; i < 4; i++) {
    const int left = i & 1;
    Case* c = bicycle(&prices[i / 2], left ? 1 : -1);
    solve(c, NULL);
    assert_int_equal(c->r.end, RUT_MPC_SOLVED);
    assert_near(c->r.cost, left ? 1.7637767361 : 1.0673186984, 1e-5);
    free(c);
  }
}

// The functions of these problems tell their derivatives, and a wrong one is seen.
static double wrong_cost(const rutMpcNode* at, double* g, double* h) {
  const double cost = bicycle_cost(at, g, h);
  if (g) g[1] *= 1.01;
  return cost;
}
// What is told between iterations; it stops after some of them.
typedef struct Told {
  int most, calls;
  rutMpcResult last;
} Told;

static bool stop_after(const rutMpcResult* so_far, void* user) {
  Told* told = user;
  told->calls++;
  told->last = *so_far;
  return told->calls == told->most;
}

// Stopped after two iterations it is where two lead; not stopped, and told, it is what it is
// untold.
static void it_stops_when_told(void** state) {
  static const rutMpcPrice price = {100, 10};
  (void)state;
  Case* c[3] = {bicycle(&price, 1), bicycle(&price, 1), bicycle(&price, 1)};
  for (int stops = 0; stops < 2; stops++) {
    Told told = {.most = stops ? 2 : -1};
    rutMpcSettings s = rut_default_mpc(), few = rut_default_mpc();
    s.stop = stop_after;
    s.stop_user = &told;
    if (stops) few.iterations = 2;
    Case *with = stops ? c[2] : c[0], *without = c[1];
    memcpy(without->control, with->control, sizeof with->control);
    memcpy(without->state, with->state, sizeof with->state);
    solve(with, &s);
    solve(without, &few);
    assert_int_equal(with->r.end == RUT_MPC_SOLVED, !stops);
    assert_int_equal(with->r.iterations, without->r.iterations);
    assert_memory_equal(with->control, without->control, sizeof with->control);
    assert_true(told.calls >= 1 && told.calls <= with->r.iterations);
    if (stops) assert_int_equal(told.last.iterations, 2);
    if (stops) assert_near(told.last.cost, with->r.cost, 1e-9);
  }
  for (int i = 0; i < 3; i++) free(c[i]);
}

static void derivatives_are_differences(void** state) {
  static const rutMpcPrice price = {100, 10};
  (void)state;
  Case* c = bicycle(&price, 1);
  double off;
  for (int k = 0; k <= 40; k++) {
    for (int i = 1; i < 4; i++) c->state[4 * k + i] = 0.3 * sin(k + 2 * i);
  }
  assert_int_equal(rut_mpc_differences(&c->p, &c->t, 1e-5, true, &off, NULL), RUT_OK);
  assert_true(off < 1e-8);
  c->p.cost = wrong_cost;
  assert_int_equal(rut_mpc_differences(&c->p, &c->t, 1e-5, true, &off, NULL), RUT_OK);
  assert_true(off > 1e-4);
  free(c);
}

// ---- conditions of a minimum ----

// Random convex problems: along the solution no feasible change of the controls lowers the cost,
// found by trying many.
typedef struct Random {
  double a[3][3], b[3][2], q[3], r[2], target[3];
} Random;

static uint32_t seed;
static double draw(void) {
  seed = seed * 1664525u + 1013904223u;
  return seed / 2147483648.0 - 1;
}

static void random_next(const rutMpcNode* at, double* next, double* by) {
  const Random* p = at->user;
  for (int i = 0; i < 3; i++) {
    next[i] = 0;
    for (int j = 0; j < 5; j++) {
      const double d = j < 3 ? p->a[i][j] : p->b[i][j - 3];
      next[i] += d * (j < 3 ? at->state[j] : at->control[j - 3]);
      if (by) by[5 * i + j] = d;
    }
  }
}

static double random_cost(const rutMpcNode* at, double* g, double* h) {
  const Random* p = at->user;
  double sum = 0;
  for (int i = 0; i < (at->control ? 5 : 3); i++) {
    const double w = i < 3 ? p->q[i] : p->r[i - 3];
    const double off = i < 3 ? at->state[i] - p->target[i] : at->control[i - 3];
    sum += 0.5 * w * off * off;
    if (g) g[i] = w * off;
    if (h) h[6 * i] = w;
  }
  return sum;
}

// Cost and price of a trajectory that follows its controls.
static double worth(const Case* c, const double* control) {
  double x[3], next[3], sum = 0;
  memcpy(x, c->state, sizeof x);
  for (int k = 0; k <= c->p.intervals; k++) {
    const rutMpcNode at = {k, x, k < c->p.intervals ? control + 2 * k : NULL, c->p.user};
    sum += c->p.cost(&at, NULL, NULL);
    for (int i = 0; i < 3 && k > 0; i++) {
      const double lacks = fmax(fmax(c->low[5 * k + i] - x[i], x[i] - c->high[5 * k + i]), 0);
      sum += lacks * (c->p.state_price[i].linear + 0.5 * c->p.state_price[i].square * lacks);
    }
    if (k == c->p.intervals) break;
    c->p.next(&at, next, NULL);
    memcpy(x, next, sizeof x);
  }
  return sum;
}

static void no_change_is_better(void** state) {
  (void)state;
  for (int round = 0; round < repetitions(60, 6); round++) {
    static const rutMpcPrice price[3] = {{2, 0}, {0, 5}, {3, 4}};
    Random p;
    seed = 77u + (uint32_t)round;
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) p.a[i][j] = 0.6 * draw();
      for (int j = 0; j < 2; j++) p.b[i][j] = draw();
      p.q[i] = 0.2 + fabs(draw());
      p.target[i] = 2 * draw();
    }
    p.r[0] = 0.01;
    p.r[1] = 0.3;
    Case* c = new_case(3, 2, 12);
    c->p.next = random_next;
    c->p.cost = random_cost;
    c->p.user = &p;
    c->p.state_price = price;
    for (int i = 0; i < 3; i++) c->state[i] = 2 * draw(), bound(c, i, -0.7, 0.7);
    bound(c, 3, -0.5, 1);
    bound(c, 4, 0.2, 0.2);  // fixed
    solve(c, NULL);
    assert_true(c->r.end == RUT_MPC_SOLVED || c->r.end == RUT_MPC_INFEASIBLE);
    assert_true(c->r.defect < 1e-9);
    const double best = worth(c, c->control);
    assert_near(best, c->r.cost + c->r.paid, 1e-9);
    for (int k = 0; k < 12; k++) assert_near(c->control[2 * k + 1], 0.2, 0);
    for (int i = 0; i < 200; i++) {
      double control[24], size = pow(10, -4 * fabs(draw()));
      for (int k = 0; k < 12; k++) {
        const double moved = c->control[2 * k] + size * draw();
        control[2 * k] = fmin(fmax(moved, -0.5), 1);
        control[2 * k + 1] = 0.2;
      }
      assert_true(worth(c, control) > best - 1e-7);
    }
    free(c);
  }
}

// ---- what is wrong with a problem ----

static void wrong_problems_are_refused(void** state) {
  double p[4];
  size_t bytes;
  rutError err = {0};
  (void)state;
  Case* c = integrator(5, p);
  c->p.states = RUT_MPC_MOST_STATES + 1;
  assert_int_equal(rut_mpc_size(&c->p, &bytes, &err), RUT_ERR_ARGUMENT);
  assert_string_equal(err.message, "states of a problem are from 1 to 16, not 17");
  c->p.states = 2;
  assert_int_equal(rut_mpc_size(&c->p, &bytes, &err), RUT_OK);
  void* work = malloc(bytes);
  assert_int_equal(rut_mpc_solve(&c->p, NULL, (rutMpcMemory){work, bytes - 1}, &c->t, NULL, &err),
                   RUT_ERR_ARGUMENT);
  c->state[3] = NAN;
  assert_int_equal(rut_mpc_solve(&c->p, NULL, (rutMpcMemory){work, bytes}, &c->t, NULL, &err),
                   RUT_ERR_ARGUMENT);
  assert_string_equal(err.message, "state 1 of node 1 is not finite");
  c->state[3] = 0;
  bound(c, 2, 1, -1);
  assert_int_equal(rut_mpc_solve(&c->p, NULL, (rutMpcMemory){work, bytes}, &c->t, NULL, &err),
                   RUT_ERR_ARGUMENT);
  assert_string_equal(err.message, "bounds of variable 2 at node 0 cross");
  free(work);
  free(c);
}

// A function that is not finite, or a cost that is not convex, ends with a word and in bounded
// time.
static double not_finite(const rutMpcNode* at, double* g, double* h) {
  (void)h;
  if (g) g[0] = NAN;
  return at->state[0];
}
static double hollow(const rutMpcNode* at, double* g, double* h) {
  if (g) g[0] = -2e12 * at->state[0];
  if (h) h[0] = -2e12;
  return -1e12 * at->state[0] * at->state[0];
}
static void failures_end(void** state) {
  double p[4];
  (void)state;
  Case* c = integrator(5, p);
  c->p.cost = not_finite;
  solve(c, NULL);
  assert_int_equal(c->r.end, RUT_MPC_FAILED);
  c->p.cost = hollow;
  solve(c, NULL);
  assert_int_equal(c->r.end, RUT_MPC_FAILED);
  assert_string_equal(rut_mpc_end_word(c->r.end), "failed");
  free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(regulator_is_the_fixed_point),
      cmocka_unit_test(bounds_agree_with_ipopt),
      cmocka_unit_test(what_cannot_be_kept_is_told),
      cmocka_unit_test(bang_bang_takes_its_time),
      cmocka_unit_test(a_parabola_ends_at_its_vertex),
      cmocka_unit_test(a_sum_is_that_of_the_regulator),
      cmocka_unit_test(small_steps_are_not_taken_for_a_solution),
      cmocka_unit_test(lane_change_has_the_known_costs),
      cmocka_unit_test(bicycle_passes_as_with_ipopt),
      cmocka_unit_test(it_stops_when_told),
      cmocka_unit_test(derivatives_are_differences),
      cmocka_unit_test(no_change_is_better),
      cmocka_unit_test(wrong_problems_are_refused),
      cmocka_unit_test(failures_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
