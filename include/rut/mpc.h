// SPDX-License-Identifier: BSD-3-Clause
//
// Optimal control over a finite horizon, for model predictive control: steps of sequential
// quadratic programming in multiple shooting (Bock and Plitt, IFAC World Congress 1984), each of
// which is solved by an interior-point method whose equations are a Riccati recursion (Rao, Wright
// and Rawlings, J. Optim. Theory Appl. 99, 1998; Mehrotra, SIAM J. Optim. 2, 1992).
//
//   minimise    sum_{k<N} l_k(x_k, u_k) + l_N(x_N)
//   subject to  x_{k+1} = f_k(x_k, u_k), x_0 given,
//               low_k <= (x_k, u_k) <= high_k, rows_k(x_k, u_k) >= 0
//
// States may be given bounds and rows at a price: what is lacking, s, then costs price s +
// square s^2/2 instead of being forbidden. A price above the multiplier of the forbidden case has
// the same solution wherever there is one, and where there is none the least violation is found and
// told.
//
//   rutMpcMemory memory;
//   rut_mpc_size(&problem, &memory.bytes, &error);
//   memory.at = malloc(memory.bytes);
//   rut_mpc_solve(&problem, &settings, memory, &trajectory, &result, &error);
//
// It needs no world, allocates nothing, ends after a fixed number of iterations at most, and has
// the same bits everywhere.
#ifndef RUT_MPC_H
#define RUT_MPC_H

#include "rut/batch.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- a problem ----

enum { RUT_MPC_MOST_STATES = 16, RUT_MPC_MOST_CONTROLS = 8, RUT_MPC_MOST_ROWS = 64 };
#define RUT_MPC_NO_BOUND  1e30  // beyond it a bound is none
#define RUT_MPC_FORBIDDEN 1e30  // a price from it on: no violation

// A node of the horizon and the point at which functions are asked about it.
typedef struct rutMpcNode {
  int k;                  // 0 to `intervals`
  const double* state;    // [states]
  const double* control;  // [controls]; NULL at the last node
  void* user;             // of the problem
} rutMpcNode;

// What a violation costs.
typedef struct rutMpcPrice {
  double linear, square;  // >= 0 and not both 0, or linear >= RUT_MPC_FORBIDDEN
} rutMpcPrice;

// Functions may not depend on anything but the node. Derivatives are by z = (state, control), of
// variables = states + controls numbers; they are 0 before the call, and NULL where none are
// wanted.
typedef struct rutMpcProblem {
  size_t struct_size;  // set by rut_default_mpc_problem
  int states, controls, intervals;
  int rows;  // largest number of rows of a node
  // The next state; by[states][variables] its derivatives.
  void (*next)(const rutMpcNode* at, double* next, double* by);
  // Cost of a node; gradient[variables] and hessian[variables][variables], symmetric and positive
  // semidefinite: the second derivatives, or of squares of residuals their Gauss-Newton part.
  double (*cost)(const rutMpcNode* at, double* gradient, double* hessian);
  // Values of the rows of a node, best of the order of 1, by[rows][variables] their derivatives;
  // returns how many it has there. Nullable: none.
  int (*row)(const rutMpcNode* at, double* value, double* by);
  void* user;
  // Prices of rows, [rows]. Nullable if there are no rows.
  const rutMpcPrice* row_price;
  // Bounds of (state, control) at all nodes, [intervals + 1][variables]; those of the first node's
  // state and of the last node's control are not looked at. A control with equal bounds is fixed;
  // a state with equal bounds needs a price.
  // Nullable: none.
  const double *low, *high;
  // Prices of the states' bounds, [states]; bounds of controls are always kept. Nullable:
  // forbidden.
  const rutMpcPrice* state_price;
  // States whose first value is free, within the bounds of the first node, such as a duration that
  // is to be found: bit i for state i.
  unsigned free_start;
  // Size of a usual change of each variable, [variables]: steps are measured with it. Nullable: 1.
  const double* scale;
} rutMpcProblem;
RUT_API rutMpcProblem rut_default_mpc_problem(void);

// ---- solving ----

struct rutMpcResult;
typedef struct rutMpcSettings {
  size_t struct_size;     // set by rut_default_mpc
  int iterations;         // of the outer method, at most; 1 is the real-time iteration
  int inner_iterations;   // of the interior-point method in each of them, at most
  double step;            // it has converged when no variable moves by more, in scales
  double tolerance;       // largest defect [scales] and violation of a solution, and slope that
                          // what is added to the hessian may leave there, over the largest slope
                          // of the cost (1 if that is less) [cost/scale]
  double regularisation;  // least that is added to the hessian, of controls and free first values
                          // [1/scale^2]
  // Asked after each of the outer iterations with what it has led to (all of it but `end`): true
  // ends there, as LIMIT or INFEASIBLE. Nullable.
  bool (*stop)(const struct rutMpcResult* so_far, void* user);
  void* stop_user;
} rutMpcSettings;
// 50 iterations of at most 40, steps of 1e-7, tolerance 1e-6, regularisation 1e-9.
RUT_API rutMpcSettings rut_default_mpc(void);

// Guess and solution: state[intervals + 1][states], control[intervals][controls]. The first state
// is where the problem begins. The caller owns both.
typedef struct rutMpcTrajectory {
  double *state, *control;
} rutMpcTrajectory;

#define RUT_MPC_END_LIST(X)                                                         \
  X(SOLVED, "solved", "no step improves it, and all bounds and rows are kept")      \
  X(LIMIT, "limit",                                                                 \
    "the iterations are used up, or it was told to stop; bounds and rows are kept") \
  X(INFEASIBLE, "infeasible", "bounds or rows are violated, or cannot be kept")     \
  X(STUCK, "stuck", "no step along the direction found improves it")                \
  X(FAILED, "failed", "a function or its derivatives are not finite, or not convex")
#define X(name, word, doc) RUT_MPC_##name,
typedef enum rutMpcEnd { RUT_MPC_END_LIST(X) RUT_MPC_END_COUNT } rutMpcEnd;
#undef X
// Its word ("solved"), and what it means. "" if there is none.
RUT_API const char* rut_mpc_end_word(rutMpcEnd end);
RUT_API const char* rut_mpc_end_doc(rutMpcEnd end);

typedef struct rutMpcResult {
  rutMpcEnd end;
  int iterations, inner_iterations;  // the second of all together
  double cost;                       // without prices
  double paid;                       // prices of violations
  double violation;                  // largest of a bound or row
  double defect;                     // largest x_{k+1} - f_k(x_k, u_k) [scales]
  double step;                       // last one [scales]
} rutMpcResult;

// Bytes of memory that solving takes. Errors: VERSION, ARGUMENT (sizes out of range, a function is
// missing).
RUT_API rutStatus rut_mpc_size(const rutMpcProblem* problem, size_t* bytes, rutError* err);

// Memory of a solve, aligned as malloc does, of which nothing is kept. The caller owns it.
typedef struct rutMpcMemory {
  void* at;
  size_t bytes;
} rutMpcMemory;

// Solve from a guess, whose states need not fit its controls (see rut_mpc_simulate). RUT_OK
// whatever the end is: the trajectory then holds the last iterate. Errors: VERSION, ARGUMENT (as
// rut_mpc_size, too little memory, bounds that cross or prices out of range, a guess that is not
// finite); the trajectory is as before. Nullable: settings (the default), result, err.
RUT_API rutStatus rut_mpc_solve(const rutMpcProblem* problem, const rutMpcSettings* settings,
                                rutMpcMemory memory, rutMpcTrajectory* trajectory,
                                rutMpcResult* result, rutError* err);

// States that follow from the first one and the controls.
RUT_API void rut_mpc_simulate(const rutMpcProblem* problem, rutMpcTrajectory* trajectory);

// Largest difference between derivatives that the problem's functions tell along a trajectory and
// central differences of steps h in scales, over 1 + |derivative|. For problems whose cost's
// hessian is exact, `hessian` compares it, too. For tests. Nullable: err. Errors: as rut_mpc_size,
// MEMORY.
RUT_API rutStatus rut_mpc_differences(const rutMpcProblem* problem, const rutMpcTrajectory* at,
                                      double h, bool hessian, double* largest, rutError* err);

// ---- by sampling, with any model ----

// Model predictive path integral control (Williams, Wagener, Goldfain, Drews, Rehg, Boots and
// Theodorou, "Information theoretic MPC for model-based reinforcement learning", ICRA 2017): the
// mean of commands moves towards random variations of it, each weighted by what it costs,
//
//   mean += sum_i w_i e_i,  w_i ~ exp(-(S_i - least S)/temperature)
//   S_i = cost_i + temperature (1 - exploration) mean' Sigma^-1 e_i
//
// where Sigma is the covariance of variations over all intervals, deviation^2 correlation^|j - k|
// of each command at intervals j and k. The first candidate is the mean itself. Costs come from
// anywhere, best from rut_rollout: the full vehicle, eight candidates to the lanes of a vector.
//
//   rut_mppi_create(&def, &mppi, &error);
//   rut_mppi_update(mppi, batch, model, data, &result, &error);   // as often as there is time
//   rut_command(..., rut_mppi_mean(mppi)[0]);                     // of the first interval
//   rut_mppi_shift(mppi, 1);                                      // when the next one begins
typedef struct rutMppi rutMppi;

typedef struct rutMppiDef {
  size_t struct_size;         // set by rut_default_mppi
  int candidates, intervals;  // intervals in which commands hold
  int commands;               // numbers in each
  int steps;                  // of an interval, for rut_mppi_update
  uint64_t seed;              // all variations are a function of it and of the number of the update
  double temperature;         // of costs > 0
  double share;             // if > 0, the temperature is found that makes `effective` this part of
                            // the candidates, and `temperature` is not looked at
  double exploration;       // 0: as above, 1: variations cost nothing by themselves, as they do for
                            // any exploration if share > 0
  double correlation;       // of variations of neighbouring intervals, 0 to less than 1
  double end_cost;          // see rutRollout
  const double* deviation;  // [commands] standard, of variations; 0: it is not varied
  const double *low, *high;  // [commands] limits of commands. Nullable: none
} rutMppiDef;
// 64 candidates, 20 intervals of 10 steps, temperature 1, correlation 0.7; no commands.
RUT_API rutMppiDef rut_default_mppi(void);

typedef struct rutMppiResult {
  double least, mean;  // cost of the best candidate and of the mean before the update
  double effective;    // candidates that count: 1/sum w^2
  double temperature;
} rutMppiResult;

// All memory is taken here; arrays of the def are copied. The mean begins at 0, within the limits.
// The caller owns *out. Errors: VERSION, ARGUMENT, MEMORY. Nullable: err.
RUT_API rutStatus rut_mppi_create(const rutMppiDef* def, rutMppi** out, rutError* err);
RUT_API void rut_mppi_destroy(rutMppi* mppi);  // Nullable: mppi

// The mean, [intervals][commands]; it may be written between updates.
RUT_API double* rut_mppi_mean(rutMppi* mppi);
// Memory for costs, [candidates], of the caller's use.
RUT_API double* rut_mppi_costs(rutMppi* mppi);
// What it was created with; its arrays are those of mppi.
RUT_API rutMppiDef rut_mppi_def(const rutMppi* mppi);
// Begin the mean some intervals later; its last one is repeated.
RUT_API void rut_mppi_shift(rutMppi* mppi, int intervals);

// An update in two halves: make candidates, [candidates][intervals][commands], owned by mppi and
// valid until the next call; and learn from what they cost. Costs that are not finite do not
// count; if none is, the mean stays and `effective` is 0. Nullable: result.
RUT_API const double* rut_mppi_sample(rutMppi* mppi);
RUT_API void rut_mppi_learn(rutMppi* mppi, const double* cost, rutMppiResult* result);

// Both, with costs from rut_rollout on a batch of as many copies or more, from a state. Its results
// have the same bits for any number of workers. Errors: those of rut_rollout, ARGUMENT (the batch
// has other commands). Nullable: result, err.
RUT_API rutStatus rut_mppi_update(rutMppi* mppi, rutBatch* batch, const rutModel* model,
                                  const rutData* from, rutMppiResult* result, rutError* err);

// Weights of costs, which sum to 1; those of costs that are not finite are 0. Returns the number of
// candidates that count, 1/sum w^2, 0 if no cost is finite.
RUT_API double rut_mppi_weigh(int n, const double* cost, double temperature, double* weight);

#ifdef __cplusplus
}
#endif

#endif  // RUT_MPC_H
