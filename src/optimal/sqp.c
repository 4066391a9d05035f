// SPDX-License-Identifier: BSD-3-Clause
//
// The outer method of rut/mpc.h. A step of the quadratic problem at the iterate is shortened until
// the l1 merit falls, of cost, prices, weighted defects and violations, against the largest of the
// last merits: near a solution full steps of a merit that must fall each time are refused for their
// second-order defects (Maratos). Weights are those above the multipliers so far.
#include <string.h>

#include "base/report.h"
#include "math/rut_math.h"
#include "optimal/interior.h"
#include "optimal/problem.h"

#define X(name, word, doc) word,
static const char* const words[] = {RUT_MPC_END_LIST(X)};
#undef X
#define X(name, word, doc) doc,
static const char* const docs[] = {RUT_MPC_END_LIST(X)};
#undef X

const char* rut_mpc_end_word(rutMpcEnd end) {
  return (unsigned)end < RUT_MPC_END_COUNT ? words[end] : "";
}
const char* rut_mpc_end_doc(rutMpcEnd end) {
  return (unsigned)end < RUT_MPC_END_COUNT ? docs[end] : "";
}

enum { MOST_INTERVALS = 100000, MERITS = 3, HALVINGS = 8 };
static const double MOST_ADDED = 1e8;  // to the hessian [1/scale^2]

rutMpcProblem rut_default_mpc_problem(void) {
  return (rutMpcProblem){.struct_size = sizeof(rutMpcProblem)};
}

rutMpcSettings rut_default_mpc(void) {
  return (rutMpcSettings){.struct_size = sizeof(rutMpcSettings),
                          .iterations = 50,
                          .inner_iterations = 40,
                          .step = 1e-7,
                          .tolerance = 1e-6,
                          .regularisation = 1e-9};
}

// ---- checks ----

static rutStatus check_sizes(const rutMpcProblem* p, rutError* err) {
  if (p->struct_size != sizeof *p) {
    return rut_error_set(err, RUT_ERR_VERSION, "this rutMpcProblem is of another version");
  }
  const int number[] = {p->states, p->controls, p->intervals, p->rows};
  static const int least[] = {1, 1, 1, 0};
  static const int most[] = {RUT_MPC_MOST_STATES, RUT_MPC_MOST_CONTROLS, MOST_INTERVALS,
                             RUT_MPC_MOST_ROWS};
  static const char* const name[] = {"states", "controls", "intervals", "rows"};
  for (int i = 0; i < 4; i++) {
    if (number[i] >= least[i] && number[i] <= most[i]) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "%s of a problem are from %d to %d, not %d",
                         name[i], least[i], most[i], number[i]);
  }
  if (!p->next || !p->cost || (p->rows > 0 && (!p->row || !p->row_price))) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "a problem needs 'next' and 'cost', and with rows 'row' and 'row_price'");
  }
  return RUT_OK;
}

static bool wrong_price(const rutMpcPrice* price) {
  const bool positive = price->linear > 0 || price->square > 0;
  return !(positive && price->linear >= 0 && price->square >= 0) || !rut_is_finite(price->square);
}

static rutStatus check_numbers(const rutMpcProblem* p, const rutMpcSettings* s, rutError* err) {
  const int nz = p->states + p->controls;
  if (s->struct_size != sizeof *s) {
    return rut_error_set(err, RUT_ERR_VERSION, "these rutMpcSettings are of another version");
  }
  const bool positive = s->iterations >= 1 && s->inner_iterations >= 1 && s->step >= 0 &&
                        s->tolerance > 0 && s->regularisation >= 0;
  if (!positive) return rut_error_set(err, RUT_ERR_ARGUMENT, "settings of a solver are positive");
  for (int i = 0; i < p->rows; i++) {
    if (!wrong_price(&p->row_price[i])) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "price of row %d must be positive", i);
  }
  for (int i = 0; i < nz; i++) {
    if (p->state_price && i < p->states && wrong_price(&p->state_price[i])) {
      return rut_error_set(err, RUT_ERR_ARGUMENT, "price of state %d must be positive", i);
    }
    if (p->scale && !(p->scale[i] > 0 && p->scale[i] < RUT_MPC_NO_BOUND)) {
      return rut_error_set(err, RUT_ERR_ARGUMENT, "scale of variable %d must be positive", i);
    }
  }
  for (int i = 0; p->low && p->high && i < (p->intervals + 1) * nz; i++) {
    if (p->low[i] <= p->high[i]) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "bounds of variable %d at node %d cross", i % nz,
                         i / nz);
  }
  return RUT_OK;
}

static rutStatus check_guess(const rutMpcProblem* p, const rutMpcTrajectory* t, rutError* err) {
  for (int i = 0; i < (p->intervals + 1) * p->states; i++) {
    if (rut_is_finite(t->state[i])) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "state %d of node %d is not finite", i % p->states,
                         i / p->states);
  }
  for (int i = 0; i < p->intervals * p->controls; i++) {
    if (rut_is_finite(t->control[i])) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "control %d of node %d is not finite",
                         i % p->controls, i / p->controls);
  }
  return RUT_OK;
}

rutStatus rut_mpc_size(const rutMpcProblem* problem, size_t* bytes, rutError* err) {
  const rutStatus status = check_sizes(problem, err);
  if (status != RUT_OK) return status;
  rutSqp sqp;
  rutArena arena = {0};
  rut_sqp_layout(&sqp, problem, &arena);
  *bytes = arena.used + RUT_ARENA_ALIGN;  // for the alignment of the first array
  return RUT_OK;
}

// ---- the start ----

static double within(const rutMpcProblem* p, int k, int i, double value) {
  const int at = k * (p->states + p->controls) + i;
  if (p->low && p->low[at] > -RUT_MPC_NO_BOUND) value = rut_max(value, p->low[at]);
  if (p->high && p->high[at] < RUT_MPC_NO_BOUND) value = rut_min(value, p->high[at]);
  return value;
}

// Controls, and free components of the first state, begin within their bounds.
static void begin(rutSqp* sqp, const rutMpcTrajectory* guess, bool* fixed) {
  const rutMpcProblem* p = sqp->problem;
  const int nx = p->states, nu = p->controls, nz = nx + nu;
  memcpy(sqp->state, guess->state, (size_t)((p->intervals + 1) * nx) * sizeof(double));
  for (int k = 0; k < p->intervals; k++) {
    for (int i = 0; i < nu; i++) {
      const int at = k * nz + nx + i;
      sqp->control[k * nu + i] = within(p, k, nx + i, guess->control[k * nu + i]);
      fixed[k * nu + i] = p->low && p->high && p->low[at] == p->high[at];
    }
  }
  for (int i = 0; i < nx; i++) {
    if (p->free_start >> i & 1) sqp->state[i] = within(p, 0, i, sqp->state[i]);
  }
  for (int i = 0; i < nz; i++) sqp->scale[i] = p->scale ? p->scale[i] : 1;
  memset(sqp->weight, 0, (size_t)nx * sizeof(double));
}

// ---- an iteration ----

// Largest step of a variable in scales.
static double size_of_step(const rutSqp* sqp) {
  const rutQp* qp = &sqp->qp;
  double most = 0;
  for (int k = 0; k <= qp->intervals; k++) {
    for (int i = 0; i < (k < qp->intervals ? qp->nz : qp->nx); i++) {
      most = rut_max(most, rut_abs(qp->node[k].z[i]) / sqp->scale[i]);
    }
  }
  return most;
}

// Largest slope of the cost along a variable, in scales, and no less than 1.
static double largest_slope(const rutSqp* sqp) {
  const rutQp* qp = &sqp->qp;
  double most = 1;
  for (int k = 0; k <= qp->intervals; k++) {
    for (int i = 0; i < (k < qp->intervals ? qp->nz : qp->nx); i++) {
      most = rut_max(most, rut_abs(qp->node[k].g[i]) * sqp->scale[i]);
    }
  }
  return most;
}

// Whether the step is small because the point is a solution, and not only because it is damped:
// `added` times a step in scales is the slope that is left without damping.
static bool has_converged(const rutSqp* sqp, const rutMpcSettings* s, double added, double step) {
  return step <= s->step && added * step <= s->tolerance * largest_slope(sqp);
}

// Weights of the merit above the multipliers of the step. True if one grew.
static bool raise_weights(rutSqp* sqp) {
  static const double ABOVE = 1.5;
  const rutQp* qp = &sqp->qp;
  bool grew = false;
  for (int k = 0; k <= qp->intervals; k++) {
    rut_riccati_costate(qp, k, sqp->next);
    for (int i = 0; i < qp->nx && k > 0; i++) {
      const double needed = rut_abs(sqp->next[i]);
      if (needed <= sqp->weight[i]) continue;
      sqp->weight[i] = ABOVE * needed;
      grew = true;
    }
  }
  for (int i = 0; i < qp->rows; i++) {
    if (qp->is.hard[i] == 0 || qp->is.dual[i] <= sqp->hard_weight) continue;
    sqp->hard_weight = ABOVE * qp->is.dual[i];
    grew = true;
  }
  return grew;
}

static void make_trial(rutSqp* sqp, double length) {
  const rutMpcProblem* p = sqp->problem;
  const int nx = p->states, nu = p->controls;
  for (int k = 0; k <= p->intervals; k++) {
    const double* z = sqp->qp.node[k].z;
    for (int i = 0; i < nx; i++) {
      sqp->trial_state[k * nx + i] = sqp->state[k * nx + i] + length * z[i];
    }
    for (int i = 0; i < nu && k < p->intervals; i++) {
      const double to = sqp->control[k * nu + i] + length * z[nx + i];
      sqp->trial_control[k * nu + i] = within(p, k, nx + i, to);
    }
  }
}

static void take_trial(rutSqp* sqp) {
  const rutMpcProblem* p = sqp->problem;
  memcpy(sqp->state, sqp->trial_state,
         (size_t)((p->intervals + 1) * p->states) * sizeof *sqp->state);
  memcpy(sqp->control, sqp->trial_control,
         (size_t)(p->intervals * p->controls) * sizeof *sqp->control);
}

static double total(const rutMerit* m) { return m->cost + m->paid + m->wrong; }

// The merits of the last iterates, of which the largest is the one to fall below.
typedef struct History {
  double merit[MERITS];
  int count;
} History;

static double reference_of(const History* h) {
  double most = h->merit[0];
  for (int i = 1; i < h->count && i < MERITS; i++) most = rut_max(most, h->merit[i]);
  return most;
}

static void remember(History* h, double merit) {
  h->merit[h->count % MERITS] = merit;
  h->count++;
}

static double latest_of(const History* h) { return h->merit[(h->count - 1) % MERITS]; }

// z'H z of the step, without damping.
static double curvature_of(const rutSqp* sqp, double added) {
  const rutQp* qp = &sqp->qp;
  double sum = 0;
  for (int k = 0; k <= qp->intervals; k++) {
    const rutQpNode* n = &qp->node[k];
    const int count = k < qp->intervals ? qp->nz : qp->nx;
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) sum += n->z[i] * n->h[i * qp->ld + j] * n->z[j];
      const bool damped = i >= qp->nx || (k == 0 && (qp->free_start >> i & 1));
      const double size = n->z[i] / sqp->scale[i];
      if (damped) sum -= added * size * size;
    }
  }
  return sum;
}

// What became of a step.
typedef struct Search {
  double length;            // taken of it, 0 if the merit did not fall at any
  double change, foreseen;  // of the merit, and what the problem without damping expects
  bool hidden;              // such a change is lost in rounding
  rutMerit merit;           // at its end
} Search;

// Shorten the step until the merit falls, and take it.
static Search search_line(rutSqp* sqp, const History* history, double added) {
  static const double SHARE = 1e-4;
  const double expected = rut_min(rut_sqp_expected(sqp), 0), from = reference_of(history);
  // what rounding makes of equal merits
  const double noise = 1e-13 * (1 + rut_abs(from));
  Search search = {.length = 1, .hidden = -expected <= noise};
  for (int i = 0; i < HALVINGS; i++) {
    const double length = search.length;
    make_trial(sqp, length);
    search.merit = rut_sqp_merit(sqp, sqp->trial_state, sqp->trial_control);
    const double reached = total(&search.merit);
    if (search.merit.finite && reached <= from + SHARE * length * expected + noise) {
      search.change = reached - latest_of(history);
      search.foreseen = length * (expected + 0.5 * length * curvature_of(sqp, added));
      take_trial(sqp);
      return search;
    }
    search.length *= 0.5;
  }
  search.length = 0;
  return search;
}

// Damping for the next step: less after one that did what the problem foresaw, more after one that
// had to be short or did little of it, as the curvature of the equations is not in the hessian. A
// change that is lost in rounding says neither.
static double next_damping(const Search* search, double added, double least) {
  static const double FACTOR = 4, SHORT = 0.4, GOOD = 0.85, BAD = 0.25;
  const bool is_short = search->length < SHORT;
  if (search->hidden && !is_short) return added;
  if (is_short || search->change > BAD * search->foreseen) return rut_max(FACTOR * added, least);
  return search->change <= GOOD * search->foreseen ? rut_max(added / FACTOR, least) : added;
}

// The quadratic problem at the iterate, with more on its diagonal where it is not convex.
static bool find_step(rutSqp* sqp, const rutMpcSettings* s, double* added, rutMpcResult* r) {
  static const double none[RUT_MPC_MOST_STATES] = {0};
  for (;;) {
    if (!rut_sqp_linearise(sqp, *added)) return false;
    const double small = rut_clamp(1e-3 * s->tolerance, 1e-10, 1e-4);
    const rutInteriorResult inner = rut_interior_solve(&sqp->qp, none, s->inner_iterations, small);
    r->inner_iterations += inner.iterations;
    if (inner.end == RUT_INTERIOR_SOLVED) return true;
    if (inner.end == RUT_INTERIOR_LIMIT) {
      // a step that is nearly there is as good as another; without it nothing keeps the hard rows
      static const double USABLE = 1e-3;
      if (inner.residual <= USABLE && rut_is_finite(inner.gap)) return true;
      r->end = RUT_MPC_INFEASIBLE;
      return false;
    }
    *added = rut_max(10 * *added, 1e-6);
    if (*added > MOST_ADDED) return false;
  }
}

static void tell(const rutMerit* m, rutMpcResult* r) {
  r->cost = m->cost;
  r->paid = m->paid;
  r->violation = m->violation;
  r->defect = m->defect;
}

static void iterate(rutSqp* sqp, const rutMpcSettings* s, rutMpcResult* r) {
  double added = s->regularisation;
  History history = {{0}, 0};
  r->end = RUT_MPC_LIMIT;
  for (r->iterations = 0; r->iterations < s->iterations;) {
    r->iterations++;
    r->end = RUT_MPC_FAILED;
    if (!find_step(sqp, s, &added, r)) return;
    r->end = RUT_MPC_LIMIT;
    if (raise_weights(sqp) || history.count == 0) {
      history.count = 0;
      const rutMerit now = rut_sqp_merit(sqp, sqp->state, sqp->control);
      remember(&history, total(&now));
    }
    r->step = size_of_step(sqp);
    const Search search = search_line(sqp, &history, added);
    if (search.length == 0) {
      added = rut_max(10 * added, 1e-6);
      if (added <= MOST_ADDED) continue;
      r->end = RUT_MPC_STUCK;
      return;
    }
    remember(&history, total(&search.merit));
    if (has_converged(sqp, s, added, r->step) && search.merit.defect <= s->tolerance) {
      r->end = RUT_MPC_SOLVED;
      return;
    }
    tell(&search.merit, r);
    if (s->stop && s->stop(r, s->stop_user)) return;
    added = next_damping(&search, added, s->regularisation);
  }
}

static void judge(rutSqp* sqp, const rutMpcSettings* s, rutMpcResult* r) {
  const rutMerit m = rut_sqp_merit(sqp, sqp->state, sqp->control);
  tell(&m, r);
  if (!m.finite) r->end = RUT_MPC_FAILED;
  const bool ended = r->end == RUT_MPC_SOLVED || r->end == RUT_MPC_LIMIT || r->end == RUT_MPC_STUCK;
  if (ended && m.violation > s->tolerance) r->end = RUT_MPC_INFEASIBLE;
}

rutStatus rut_mpc_solve(const rutMpcProblem* problem, const rutMpcSettings* settings,
                        rutMpcMemory memory, rutMpcTrajectory* trajectory, rutMpcResult* result,
                        rutError* err) {
  const rutMpcSettings s = settings ? *settings : rut_default_mpc();
  size_t needed;
  rutStatus status = rut_mpc_size(problem, &needed, err);
  if (status == RUT_OK) status = check_numbers(problem, &s, err);
  if (status == RUT_OK) status = check_guess(problem, trajectory, err);
  if (status != RUT_OK) return status;
  if (memory.bytes < needed) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "this problem takes %zu bytes, not %zu", needed,
                         memory.bytes);
  }
  memset(memory.at, 0, needed);
  const size_t skip = (RUT_ARENA_ALIGN - (uintptr_t)memory.at % RUT_ARENA_ALIGN) % RUT_ARENA_ALIGN;
  rutArena arena = {.base = (unsigned char*)memory.at + skip, .size = needed - skip};
  rutSqp sqp;
  rut_sqp_layout(&sqp, problem, &arena);
  begin(&sqp, trajectory, (bool*)sqp.qp.fixed);
  rutMpcResult r = {0};
  iterate(&sqp, &s, &r);
  judge(&sqp, &s, &r);
  memcpy(trajectory->state, sqp.state,
         (size_t)((problem->intervals + 1) * problem->states) * sizeof(double));
  memcpy(trajectory->control, sqp.control,
         (size_t)(problem->intervals * problem->controls) * sizeof(double));
  if (result) *result = r;
  return RUT_OK;
}

void rut_mpc_simulate(const rutMpcProblem* problem, rutMpcTrajectory* trajectory) {
  for (int k = 0; k < problem->intervals; k++) {
    double* state = trajectory->state + (ptrdiff_t)k * problem->states;
    const rutMpcNode at = {k, state, trajectory->control + (ptrdiff_t)k * problem->controls,
                           problem->user};
    problem->next(&at, state + problem->states, NULL);
  }
}
