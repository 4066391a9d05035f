// SPDX-License-Identifier: BSD-3-Clause
//
// A decision: for each opening a way of one or two straight pieces, around each of them a convex
// stage, and the manoeuvre of least cost through the stages. Beside the states of the vehicle, the
// length of an interval is a state that stands still within a stage, and is chosen at its
// beginning: so the duration of each stage is free.
#include "optimal/avoidance.h"

#include <string.h>

#include "base/report.h"
#include "math/rut_math.h"
#include "optimal/corridor.h"
#include "rut/descriptor.h"

enum {
  NX = RUT_AVOIDANCE_STATES + 1,
  NU = RUT_AVOIDANCE_CONTROLS + 1,
  NZ = NX + NU,
  N = RUT_AVOIDANCE_NODES,
  INTERVAL = RUT_AVOIDANCE_STATES,  // state
  U = NX,                           // first control
  CHANGE = NZ - 1,                  // of the interval, at the beginning of a stage
  LOADS = 4,
  ROWS = 2 * RUT_CORRIDOR_PLANES + LOADS + 3,
  LEAST_NODES = 4,  // of a stage
  MOST_POINTS = 2048,
  MOST_OPENINGS = 8
};
static const double LEAST_INTERVAL = 0.01, MOST_INTERVAL = 0.2;  // [s]
static const double LOAD_UNIT = 1000, STEER_UNIT = 0.1;          // of rows [N], [rad]
static const double TOLERANCE = 0.05;  // of rows, and of a manoeuvre's distances [m]
static const double LEAST_SPEED = 3;   // [m/s]
static const double STOP_MARGIN = 5;   // of where it can stop to the end of what it sees [m]

// One candidate.
typedef struct Task {
  const rutAvoidanceVehicle* vehicle;
  const rutAvoidanceSettings* settings;
  rutCorridor stage[RUT_CORRIDOR_STAGES];
  int stages, first[RUT_CORRIDOR_STAGES + 1];  // node at which each begins
  double way[2];                               // direction of the last piece
  double goal[2];                              // bearing to it counts at the end
  bool at_goal;                                // where the way ends
} Task;

// All memory of a decision; that of the solver follows.
typedef struct Work {
  Task task;
  double low[(N + 1) * NZ], high[(N + 1) * NZ];
  double state[(N + 1) * NX], control[N * NU];
  rutMpcPrice row_price[ROWS], state_price[NX];
  rutAvoidancePlan trial;
  rutAvoidanceOpening opening[MOST_OPENINGS];
  bool gone[MOST_POINTS];
} Work;

static double distance(const double a[2], const double b[2]) {
  return rut_hypot(a[0] - b[0], a[1] - b[1]);
}

static int stage_of(const Task* t, int k) { return t->stages > 1 && k > t->first[1]; }

// ---- the problem ----

static void next_of(const rutMpcNode* at, double* next, double* by) {
  enum { VX = RUT_AVOIDANCE_STATES, VU = RUT_AVOIDANCE_CONTROLS, VT = VX + VU + 1 };
  const Task* t = at->user;
  const double half = 0.5 * at->state[INTERVAL];
  double middle[VX], first[VX * VT], second[VX * VT];
  rut_avoidance_step(t->vehicle, at->state, at->control, half, middle, by ? first : NULL);
  rut_avoidance_step(t->vehicle, middle, at->control, half, next, by ? second : NULL);
  next[INTERVAL] = at->state[INTERVAL] + at->control[NU - 1];
  if (!by) return;
  for (int i = 0; i < VX; i++) {
    double total[VT];
    for (int j = 0; j < VT; j++) total[j] = j < VX ? 0 : second[i * VT + j];
    for (int l = 0; l < VX; l++) {
      const double f = second[i * VT + l];
      if (f == 0) continue;
      for (int j = 0; j < VT; j++) total[j] += f * first[l * VT + j];
    }
    memcpy(by + (ptrdiff_t)i * NZ, total, VX * sizeof *total);
    for (int j = 0; j < VU; j++) by[i * NZ + U + j] = total[VX + j];
    by[i * NZ + INTERVAL] = 0.5 * total[VT - 1];
  }
  by[INTERVAL * NZ + INTERVAL] = by[INTERVAL * NZ + CHANGE] = 1;
}

// Heading towards the goal, and a pull to the end of the way, a weak one if that is not the goal.
static double end_cost(const Task* t, const double* x, double* g, double* h) {
  static const double ASIDE = 0.05, GOAL = 0.5;  // [1/m2]
  const double* to = t->stage[t->stages - 1].to;
  const double off = t->at_goal ? GOAL : ASIDE;
  const double dx = x[0] - to[0], dy = x[1] - to[1];
  const double aside = t->way[0] * dy - t->way[1] * dx, w = t->settings->heading_weight;
  const double bearing = rut_atan2(t->goal[1], t->goal[0]);
  double s, c;
  rut_sincos(x[RUT_AVOIDANCE_YAW] - bearing, &s, &c);
  const double across[2] = {-t->way[1], t->way[0]};
  for (int i = 0; i < 2 && g; i++) g[i] += 2 * off * aside * across[i];
  if (g) g[RUT_AVOIDANCE_YAW] += 2 * w * s;
  for (int i = 0; i < 4 && h; i++) h[i / 2 * NZ + i % 2] += 2 * off * across[i / 2] * across[i % 2];
  if (h) h[RUT_AVOIDANCE_YAW * NZ + RUT_AVOIDANCE_YAW] += 2 * w * rut_max(c, 0.1);
  return 2 * w * (1 - c) + off * aside * aside;
}

static double cost_of(const rutMpcNode* at, double* g, double* h) {
  const Task* t = at->user;
  const rutAvoidanceSettings* s = t->settings;
  if (!at->control) return end_cost(t, at->state, g, h);
  const double dt = at->state[INTERVAL], change = at->control[NU - 1];
  const double weight[3] = {s->steer_weight, s->rate_weight, s->acceleration_weight};
  const double value[3] = {at->state[RUT_AVOIDANCE_STEER], at->control[0], at->control[1]};
  static const int index[3] = {RUT_AVOIDANCE_STEER, U, U + 1};
  static const double EVEN = 1e-3;  // keeps the choice of intervals convex
  double rate = s->time_weight;
  for (int i = 0; i < 3; i++) {
    rate += weight[i] * value[i] * value[i];
    if (g) g[index[i]] = 2 * dt * weight[i] * value[i];
    if (h) h[index[i] * (NZ + 1)] = 2 * dt * weight[i];
  }
  if (g) g[INTERVAL] = rate;
  if (g) g[CHANGE] = EVEN * change;
  if (h) h[CHANGE * (NZ + 1)] = EVEN;
  return dt * rate + 0.5 * EVEN * change * change;
}

// Both axles within the half-planes of the stage.
static int plane_rows(const Task* t, const rutMpcNode* at, double* value, double* by) {
  const rutCorridor* stage = &t->stage[stage_of(t, at->k)];
  const double arm[2] = {t->vehicle->front, -t->vehicle->rear};
  double s, c;
  int n = 0;
  rut_sincos(at->state[RUT_AVOIDANCE_YAW], &s, &c);
  for (int i = 0; i < 2 * stage->planes; i++) {
    const rutHalfPlane* p = &stage->plane[i / 2];
    const double a = arm[i % 2], *m = p->normal;
    value[n] = m[0] * (at->state[0] + a * c) + m[1] * (at->state[1] + a * s) - p->offset;
    if (by) {
      double* row = by + (ptrdiff_t)n * NZ;
      row[0] = m[0];
      row[1] = m[1];
      row[RUT_AVOIDANCE_YAW] = a * (m[1] * c - m[0] * s);
    }
    n++;
  }
  return n;
}

static int load_rows(const Task* t, const rutMpcNode* at, double* value, double* by) {
  double load[LOADS], load_by[LOADS * RUT_AVOIDANCE_INPUTS];
  rut_avoidance_loads(t->vehicle, at->state, at->control, load, by ? load_by : NULL);
  for (int i = 0; i < LOADS; i++) {
    value[i] = (load[i] - t->vehicle->least_load) / LOAD_UNIT;
    for (int j = 0; j < RUT_AVOIDANCE_INPUTS && by; j++) {
      const int z = j < RUT_AVOIDANCE_STATES ? j : j + 1;
      by[i * NZ + z] = load_by[i * RUT_AVOIDANCE_INPUTS + j] / LOAD_UNIT;
    }
  }
  return LOADS;
}

static int steer_rows(const Task* t, const rutMpcNode* at, double* value, double* by) {
  double slope;
  const double most = rut_avoidance_limit(t->vehicle, at->state[RUT_AVOIDANCE_SPEED], &slope);
  for (int i = 0; i < 2; i++) {
    const double side = i ? -1 : 1;
    value[i] = (most - side * at->state[RUT_AVOIDANCE_STEER]) / STEER_UNIT;
    if (!by) continue;
    by[i * NZ + RUT_AVOIDANCE_STEER] = -side / STEER_UNIT;
    by[i * NZ + RUT_AVOIDANCE_SPEED] = slope / STEER_UNIT;
  }
  return 2;
}

// What the engine gives: holding the speed of a vehicle that slides sideways takes power.
static int drive_row(const Task* t, const rutMpcNode* at, double* value, double* by) {
  const rutAvoidanceVehicle* p = t->vehicle;
  const double speed = rut_max(at->state[RUT_AVOIDANCE_SPEED], LEAST_SPEED);
  const double v = at->state[RUT_AVOIDANCE_SIDEWAYS], r = at->state[RUT_AVOIDANCE_YAW_RATE];
  const double engine = p->power / (p->mass * speed);
  const bool full = engine < p->max_acceleration;
  value[0] = (full ? engine : p->max_acceleration) - p->resistance - at->control[1] + v * r;
  if (!by) return 1;
  by[U + 1] = -1;
  by[RUT_AVOIDANCE_SIDEWAYS] = r;
  by[RUT_AVOIDANCE_YAW_RATE] = v;
  if (full && speed > LEAST_SPEED) by[RUT_AVOIDANCE_SPEED] = -engine / speed;
  return 1;
}

static int rows_of(const rutMpcNode* at, double* value, double* by) {
  const Task* t = at->user;
  // where it is now, is given; loads there are of the acceleration that begins
  int n = at->k > 0 ? plane_rows(t, at, value, by) : 0;
  if (at->control) {
    n += load_rows(t, at, value + n, by ? by + (ptrdiff_t)n * NZ : NULL);
    n += drive_row(t, at, value + n, by ? by + (ptrdiff_t)n * NZ : NULL);
  }
  if (at->k == 0) return n;
  n += steer_rows(t, at, value + n, by ? by + (ptrdiff_t)n * NZ : NULL);
  if (at->control) return n;
  // the end of the way is passed
  const double* to = t->stage[t->stages - 1].to;
  value[n] = t->way[0] * (at->state[0] - to[0]) + t->way[1] * (at->state[1] - to[1]);
  if (by) by[n * NZ] = t->way[0];
  if (by) by[n * NZ + 1] = t->way[1];
  return n + 1;
}

// ---- bounds, guess ----

static void set_bounds(const Task* t, double end_speed, double* low, double* high) {
  const rutAvoidanceVehicle* v = t->vehicle;
  for (int k = 0; k <= N; k++) {
    double *l = low + (ptrdiff_t)k * NZ, *h = high + (ptrdiff_t)k * NZ;
    for (int i = 0; i < NZ; i++) {
      l[i] = -RUT_MPC_NO_BOUND;
      h[i] = RUT_MPC_NO_BOUND;
    }
    l[RUT_AVOIDANCE_SPEED] = LEAST_SPEED;
    h[RUT_AVOIDANCE_SPEED] = k == N ? end_speed : v->top_speed;
    l[INTERVAL] = LEAST_INTERVAL;
    h[INTERVAL] = MOST_INTERVAL;
    l[U] = -v->steer_rate;
    h[U] = v->steer_rate;
    l[U + 1] = -v->max_deceleration;
    h[U + 1] = v->max_acceleration;
    const bool begins = t->stages > 1 && k == t->first[1] - 1;
    l[CHANGE] = begins ? -MOST_INTERVAL : 0;
    h[CHANGE] = begins ? MOST_INTERVAL : 0;
  }
}

// Evenly along the way at the speed that the vehicle has.
static void guess(const Task* t, const double* from, double* state, double* control) {
  const double speed = rut_max(from[RUT_AVOIDANCE_SPEED], LEAST_SPEED);
  memset(control, 0, sizeof(double) * N * NU);
  for (int k = 0; k <= N; k++) {
    const int s = stage_of(t, k), nodes = t->first[s + 1] - t->first[s];
    const rutCorridor* stage = &t->stage[s];
    const double part = (double)(k - t->first[s]) / nodes;
    const double dx = stage->to[0] - stage->from[0], dy = stage->to[1] - stage->from[1];
    double *x = state + (ptrdiff_t)k * NX, sine, cosine;
    memset(x, 0, NX * sizeof *x);
    x[0] = stage->from[0] + part * dx;
    x[1] = stage->from[1] + part * dy;
    rut_sincos(from[RUT_AVOIDANCE_YAW], &sine, &cosine);
    const double turned = rut_atan2(dy * cosine - dx * sine, dx * cosine + dy * sine);
    x[RUT_AVOIDANCE_YAW] = from[RUT_AVOIDANCE_YAW] + turned;
    x[RUT_AVOIDANCE_SPEED] = speed;
    x[INTERVAL] = rut_clamp(rut_hypot(dx, dy) / (speed * nodes), LEAST_INTERVAL, MOST_INTERVAL);
  }
  for (int s = 1; s < t->stages; s++) {
    const int k = t->first[s];
    state[k * NX + INTERVAL] = state[(k + 1) * NX + INTERVAL];
    control[(k - 1) * NU + NU - 1] = state[k * NX + INTERVAL] - state[(k - 1) * NX + INTERVAL];
  }
  memcpy(state, from, sizeof(double) * RUT_AVOIDANCE_STATES);
  state[RUT_AVOIDANCE_SPEED] = speed;
}

// The last plan, where it is one through the same opening.
static void guess_from(const rutAvoidancePlan* last, const double* from, double* state,
                       double* control) {
  for (int k = 0; k <= N; k++) {
    double* x = state + (ptrdiff_t)k * NX;
    memcpy(x, k > 0 ? last->state[k] : from, sizeof last->state[k]);
    if (k < N) x[INTERVAL] = last->time[k + 1] - last->time[k];
    if (k == N) x[INTERVAL] = x[INTERVAL - NX];
    if (k < N) memcpy(control + (ptrdiff_t)k * NU, last->control[k], sizeof last->control[k]);
  }
  for (int k = 0; k < N; k++) {
    control[k * NU + NU - 1] = state[(k + 1) * NX + INTERVAL] - state[k * NX + INTERVAL];
  }
  state[RUT_AVOIDANCE_SPEED] = rut_max(from[RUT_AVOIDANCE_SPEED], LEAST_SPEED);
}

// ---- a candidate ----

// The stages of a way, and how many intervals each has.
static void make_stages(Task* t, const rutAvoidanceScan* scan, bool* gone) {
  double length[RUT_CORRIDOR_STAGES] = {0}, all = 0;
  for (int s = 0; s < t->stages; s++) {
    const rutCorridor* stage = &t->stage[s];
    length[s] = rut_hypot(stage->to[0] - stage->from[0], stage->to[1] - stage->from[1]);
    all += length[s];
    rut_corridor_make(scan, t->settings->clearance, gone, &t->stage[s]);
  }
  t->first[0] = 0;
  t->first[t->stages] = N;
  if (t->stages > 1) {
    const double share = rut_floor(N * length[0] / rut_max(all, RUT_LEAST_DIVISOR) + 0.5);
    t->first[1] = (int)rut_clamp(share, LEAST_NODES, N - LEAST_NODES);
  }
  const rutCorridor* last = &t->stage[t->stages - 1];
  const double d = rut_max(length[t->stages - 1], RUT_LEAST_DIVISOR);
  for (int i = 0; i < 2; i++) t->way[i] = (last->to[i] - last->from[i]) / d;
}

// Speed at a place from which it can stop within what it sees; at least one that the model has.
static double stopping_speed(const rutAvoidanceQuestion* q, const double* at) {
  const double left = q->scan->range - distance(q->state, at) - STOP_MARGIN;
  const double square = 2 * q->vehicle->max_deceleration * rut_max(left, 0);
  return rut_max(rut_sqrt(square), LEAST_SPEED + 1);
}

// Whether a manoeuvre gets to the end of its way, and can stop in sight from there.
static bool ends_well(const rutAvoidanceQuestion* q, const Task* t, const double* x) {
  static const double LACKS = 1, FASTER = 0.5;  // [m], [m/s]
  const double* to = t->stage[t->stages - 1].to;
  const double lacks = t->way[0] * (to[0] - x[0]) + t->way[1] * (to[1] - x[1]);
  if (!(lacks <= LACKS)) return false;
  if (!q->settings->stop_in_sight || t->at_goal) return true;
  return distance(q->state, x) <= q->scan->range &&
         x[RUT_AVOIDANCE_SPEED] <= stopping_speed(q, x) + FASTER;
}

// Distances along the manoeuvre, between its nodes as well, its loads, and whether it keeps its
// limits of distance, load and steering angle, and those of its end.
static bool judge(const rutAvoidanceQuestion* q, const Work* w, rutAvoidancePlan* plan) {
  const rutAvoidanceVehicle* v = q->vehicle;
  double violation = 0;
  plan->margin = q->scan->range;
  plan->load = RUT_MPC_NO_BOUND;
  for (int k = 0; k < N; k++) {
    double axle[2][2][2], load[LOADS];
    for (int end = 0; end < 2; end++) {
      double s, c;
      rut_sincos(plan->state[k + end][RUT_AVOIDANCE_YAW], &s, &c);
      for (int i = 0; i < 2; i++) {
        const double arm = i ? -v->rear : v->front;
        axle[i][end][0] = plan->state[k + end][0] + arm * c;
        axle[i][end][1] = plan->state[k + end][1] + arm * s;
      }
    }
    for (int i = 0; i < 2; i++) {
      int nearest;
      const double d = rut_corridor_distance(q->scan, axle[i][0], axle[i][1], NULL, &nearest);
      plan->margin = rut_min(plan->margin, d - q->settings->clearance);
    }
    rut_avoidance_loads(v, plan->state[k], plan->control[k], load, NULL);
    for (int i = 0; i < LOADS && k > 0; i++) plan->load = rut_min(plan->load, load[i]);
    const double most = rut_avoidance_limit(v, plan->state[k + 1][RUT_AVOIDANCE_SPEED], NULL);
    const double over = rut_abs(plan->state[k + 1][RUT_AVOIDANCE_STEER]) - most;
    violation = rut_max(violation, over / STEER_UNIT);
  }
  violation = rut_max(violation, (v->least_load - plan->load) / LOAD_UNIT);
  return violation <= TOLERANCE && plan->margin >= -TOLERANCE &&
         ends_well(q, &w->task, plan->state[N]);
}

static double total_cost(const rutMpcProblem* p, const Work* w) {
  double cost = 0;
  for (int k = 0; k <= N; k++) {
    const rutMpcNode at = {k, w->state + (ptrdiff_t)k * NX,
                           k < N ? w->control + (ptrdiff_t)k * NU : NULL, p->user};
    cost += p->cost(&at, NULL, NULL);
  }
  return cost;
}

static void copy_plan(const Work* w, rutAvoidancePlan* plan) {
  plan->time[0] = 0;
  for (int k = 0; k <= N; k++) {
    const double* x = w->state + (ptrdiff_t)k * NX;
    memcpy(plan->state[k], x, sizeof plan->state[k]);
    if (k == N) break;
    plan->time[k + 1] = plan->time[k] + x[INTERVAL];
    memcpy(plan->control[k], w->control + (ptrdiff_t)k * NU, sizeof plan->control[k]);
  }
}

// The parts of a problem that are the same for all candidates.
static rutMpcProblem problem_of(Work* w) {
  static const rutMpcPrice dear = {50, 20}, forbidden = {RUT_MPC_FORBIDDEN, 0};
  static const double scale[NZ] = {1, 1, 0.1, 1, 0.2, 0.1, 1, 0.05, 0.1, 1, 0.05};
  rutMpcProblem p = rut_default_mpc_problem();
  p.states = NX;
  p.controls = NU;
  p.intervals = N;
  p.rows = ROWS;
  p.next = next_of;
  p.cost = cost_of;
  p.row = rows_of;
  p.free_start = 1u << INTERVAL;
  p.scale = scale;
  if (!w) return p;
  for (int i = 0; i < ROWS; i++) w->row_price[i] = dear;
  for (int i = 0; i < NX; i++) w->state_price[i] = i == INTERVAL ? forbidden : dear;
  p.row_price = w->row_price;
  p.state_price = w->state_price;
  p.low = w->low;
  p.high = w->high;
  p.user = &w->task;
  return p;
}

size_t rut_avoidance_size(void) {
  static const rutMpcPrice some[ROWS];
  static const double none;
  rutMpcProblem p = problem_of(NULL);
  size_t bytes = 0;
  p.row_price = some;
  p.low = p.high = &none;
  rut_mpc_size(&p, &bytes, NULL);
  return sizeof(Work) + bytes;
}

// Largest speed at the end of the way.
static double end_speed_of(const rutAvoidanceQuestion* q, const Work* w) {
  const double* end = w->task.stage[w->task.stages - 1].to;
  if (!q->settings->stop_in_sight || w->task.at_goal) return q->vehicle->top_speed;
  return rut_min(stopping_speed(q, end), q->vehicle->top_speed);
}

// Whether a candidate takes the opening of the last plan.
static bool is_kept(const rutAvoidanceQuestion* q, const rutAvoidancePlan* trial) {
  const rutAvoidancePlan* last = q->last;
  return last && last->end == RUT_AVOIDANCE_DRIVES && (last->opening < 0) == (trial->opening < 0) &&
         distance(last->at, trial->at) < 2 * q->settings->clearance;
}

// Whether a candidate costs so much more than the best one that it will not become better: its
// first iteration is far from where it goes.
static bool is_hopeless(const rutMpcResult* so_far, void* user) {
  static const double DEARER = 1.1;
  const double* best = user;
  return so_far->iterations >= 2 && so_far->cost + so_far->paid > DEARER * *best;
}

// Solve a candidate, drive it and see. Returns whether it keeps all limits. best: cost of the best
// one before it.
static bool try_candidate(const rutAvoidanceQuestion* q, Work* w, double best,
                          rutAvoidancePlan* plan) {
  rutMpcProblem p = problem_of(w);
  rutMpcSettings settings = rut_default_mpc();
  rutMpcTrajectory trajectory = {w->state, w->control};
  rutMpcResult r;
  settings.iterations = q->settings->iterations;
  settings.inner_iterations = 20;
  // what is left after such a step is of second order, and a plan is driven again by the model
  settings.step = 0.5;
  settings.tolerance = 1e-2;
  settings.regularisation = 1e-4;
  settings.stop = is_hopeless;
  settings.stop_user = &best;
  set_bounds(&w->task, end_speed_of(q, w), w->low, w->high);
  if (is_kept(q, plan)) {
    guess_from(q->last, q->state, w->state, w->control);
  } else {
    guess(&w->task, q->state, w->state, w->control);
  }
  const rutMpcMemory memory = {w + 1, rut_avoidance_size() - sizeof *w};
  rut_mpc_solve(&p, &settings, memory, &trajectory, &r, NULL);
  plan->iterations = r.iterations;
  plan->inner_iterations = r.inner_iterations;
  if (r.end == RUT_MPC_FAILED) return false;
  rut_mpc_simulate(&p, &trajectory);
  copy_plan(w, plan);
  plan->cost = total_cost(&p, w);
  return judge(q, w, plan) && rut_is_finite(plan->cost);
}

// ---- candidates ----

// Part of a piece, up to a length.
static void cut(const double from[2], const double to[2], double most, double out[2]) {
  const double d = rut_max(distance(from, to), RUT_LEAST_DIVISOR), part = rut_min(1, most / d);
  for (int i = 0; i < 2; i++) out[i] = from[i] + part * (to[i] - from[i]);
}

// Distance at whose end the speed from which it stops in sight is one that it can have after a
// time. Until it has to brake it goes c = range - margin - U^2/(2 a), whatever that distance is.
static double slowed_reach(const rutAvoidanceQuestion* q, double time) {
  const double a = q->vehicle->max_deceleration, left = q->scan->range - STOP_MARGIN;
  const double speed = rut_max(q->state[RUT_AVOIDANCE_SPEED], LEAST_SPEED);
  const double free = left - speed * speed / (2 * a);
  const double slowed = speed - a * (time - free / speed);
  const bool counts = q->settings->stop_in_sight && free > 0 && slowed > 0 && slowed < speed;
  return counts ? left - slowed * slowed / (2 * a) : q->scan->range;
}

// How far it plans [m]: what its intervals have time for, with some to spare.
static double reach_of(const rutAvoidanceQuestion* q) {
  static const double LEAST = 12, SEEN = 0.9;
  const double most = 0.9 * N * MOST_INTERVAL, time = rut_min(q->settings->horizon, most);
  const double by_time = rut_min(time * q->state[RUT_AVOIDANCE_SPEED], slowed_reach(q, most));
  return rut_min(SEEN * q->scan->range, rut_max(by_time, LEAST));
}

// The way of a candidate, -1: straight to the goal. Returns false if it is none.
static bool make_way(const rutAvoidanceQuestion* q, Work* w, int opening) {
  Task* t = &w->task;
  const double* place = q->state;
  const double reach = reach_of(q);
  int nearest;
  *t = (Task){.vehicle = q->vehicle, .settings = q->settings, .stages = 1};
  memcpy(t->stage[0].from, place, sizeof t->stage[0].from);
  if (opening < 0) {
    cut(place, q->goal, reach, t->stage[0].to);
    const double clear = rut_corridor_distance(q->scan, place, t->stage[0].to, NULL, &nearest);
    if (clear < q->settings->clearance) return false;
  } else {
    const double *at = w->opening[opening].at, d = distance(place, at);
    cut(place, at, reach, t->stage[0].to);
    // beyond it towards the goal, where that is free, else on along the line of sight
    static const double LEAST_PIECE = 4;  // [m]
    if (reach - d > LEAST_PIECE) {
      t->stages = 2;
      memcpy(t->stage[1].from, at, sizeof t->stage[1].from);
      cut(at, q->goal, reach - d, t->stage[1].to);
      if (rut_corridor_distance(q->scan, at, t->stage[1].to, NULL, &nearest) <
          q->settings->clearance) {
        for (int i = 0; i < 2; i++) {
          t->stage[1].to[i] = at[i] + (reach - d) * (at[i] - place[i]) / rut_max(d, 1e-6);
        }
      }
    }
  }
  make_stages(t, q->scan, w->gone);
  const double* end = t->stage[t->stages - 1].to;
  for (int i = 0; i < 2; i++) t->goal[i] = q->goal[i] - end[i];
  // at the goal itself any heading is right that the way has
  t->at_goal = distance(end, q->goal) < 1;
  if (t->at_goal) memcpy(t->goal, t->way, sizeof t->goal);
  return distance(place, t->stage[0].to) > 1e-3;
}

typedef struct Number {
  const char* name;
  double value;
} Number;

// Whether numbers are finite and beyond a bound, or on it.
static rutStatus check_numbers(const Number* number, int n, double above, bool or_equal,
                               rutError* err) {
  for (int i = 0; i < n; i++) {
    const double x = number[i].value;
    if (rut_is_finite(x) && (x > above || (or_equal && x >= above))) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "'%s' must be finite and %s %g, not %g",
                         number[i].name, or_equal ? "at least" : "more than", above, x);
  }
  return RUT_OK;
}

#define NUMBER(of, name) \
  { #name, (of)->name }
static rutStatus check_positive(const rutAvoidanceQuestion* q, rutError* err) {
  const rutAvoidanceVehicle* v = q->vehicle;
  const rutAvoidanceSettings* s = q->settings;
  const Number number[] = {NUMBER(v, mass),
                           NUMBER(v, inertia),
                           NUMBER(v, front),
                           NUMBER(v, rear),
                           NUMBER(v, gravity),
                           NUMBER(v, nominal),
                           NUMBER(v, shape),
                           NUMBER(v, friction),
                           NUMBER(v, stiffness),
                           NUMBER(v, stiffness_load),
                           NUMBER(v, front_stiffness),
                           NUMBER(v, rear_stiffness),
                           NUMBER(v, steer_rate),
                           NUMBER(v, max_steer),
                           NUMBER(v, max_acceleration),
                           NUMBER(v, max_deceleration),
                           NUMBER(s, clearance),
                           NUMBER(s, horizon),
                           NUMBER(s, time_weight),
                           NUMBER(q->scan, range)};
  const Number top_speed = NUMBER(v, top_speed);
  const rutStatus status = check_numbers(number, RUT_COUNT_OF(number), 0, false, err);
  return status != RUT_OK ? status : check_numbers(&top_speed, 1, LEAST_SPEED, false, err);
}

static rutStatus check_others(const rutAvoidanceQuestion* q, rutError* err) {
  const rutAvoidanceVehicle* v = q->vehicle;
  const rutAvoidanceSettings* s = q->settings;
  const Number least[] = {NUMBER(v, load_x),
                          NUMBER(v, load_front),
                          NUMBER(v, load_rear),
                          NUMBER(v, least_load),
                          NUMBER(v, power),
                          NUMBER(v, resistance),
                          NUMBER(s, goal_radius),
                          NUMBER(s, keep),
                          NUMBER(s, steer_weight),
                          NUMBER(s, rate_weight),
                          NUMBER(s, acceleration_weight),
                          NUMBER(s, heading_weight),
                          {"to - from", q->scan->to - q->scan->from}};
  const Number any[] = {NUMBER(v, friction_load), NUMBER(v, curvature), NUMBER(v, curvature_load),
                        NUMBER(q->scan, from),    NUMBER(q->scan, to),  {"goal", q->goal[0]},
                        {"goal", q->goal[1]}};
  for (int i = 0; i < RUT_COUNT_OF(any); i++) {
    if (rut_is_finite(any[i].value)) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "'%s' is not finite", any[i].name);
  }
  return check_numbers(least, RUT_COUNT_OF(least), 0, true, err);
}
#undef NUMBER

static rutStatus check_table(const rutAvoidanceVehicle* v, rutError* err) {
  if (v->limits < 0 || v->limits > RUT_AVOIDANCE_MOST_LIMITS) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a vehicle has 0 to %d limits, not %d",
                         RUT_AVOIDANCE_MOST_LIMITS, v->limits);
  }
  for (int i = 0; i < v->limits; i++) {
    const double speed = v->limit_speed[i], angle = v->limit_steer[i];
    const bool ascends = i == 0 || speed > v->limit_speed[i - 1];
    if (ascends && rut_is_finite(speed) && angle > 0 && rut_is_finite(angle)) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "limit %d: speeds must ascend and angles be positive, not %g and %g", i,
                         speed, angle);
  }
  return RUT_OK;
}

static bool are_finite(const double* value, int n) {
  for (int i = 0; i < n; i++) {
    if (!rut_is_finite(value[i])) return false;
  }
  return true;
}

static rutStatus check_scan(const rutAvoidanceScan* scan, rutError* err) {
  if (scan->points < 0 || scan->points > MOST_POINTS) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a scan has up to %d points, not %d", MOST_POINTS,
                         scan->points);
  }
  for (int i = 0; i < scan->points; i++) {
    if (are_finite(scan->point[i], 2)) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "point %d is not finite", i);
  }
  return RUT_OK;
}

// The last plan, as far as it is used.
static rutStatus check_last(const rutAvoidancePlan* last, rutError* err) {
  if (!last || last->end != RUT_AVOIDANCE_DRIVES) return RUT_OK;
  if (are_finite(last->time, N + 1) && are_finite(last->at, 2) &&
      are_finite(last->state[0], (N + 1) * RUT_AVOIDANCE_STATES) &&
      are_finite(last->control[0], N * RUT_AVOIDANCE_CONTROLS)) {
    return RUT_OK;
  }
  return rut_error_set(err, RUT_ERR_ARGUMENT, "the last plan is not finite");
}

static rutStatus check(const rutAvoidanceQuestion* q, size_t bytes, rutError* err) {
  if (q->vehicle->struct_size != sizeof *q->vehicle ||
      q->settings->struct_size != sizeof *q->settings) {
    return rut_error_set(err, RUT_ERR_VERSION, "vehicle or settings are of another version");
  }
  rutStatus status = check_positive(q, err);
  if (status == RUT_OK) status = check_others(q, err);
  if (status == RUT_OK) status = check_table(q->vehicle, err);
  if (status == RUT_OK) status = check_scan(q->scan, err);
  if (status == RUT_OK) status = check_last(q->last, err);
  if (status != RUT_OK) return status;
  for (int i = 0; i < RUT_AVOIDANCE_STATES; i++) {
    if (rut_is_finite(q->state[i])) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "state %d is not finite", i);
  }
  if (q->settings->iterations < 1) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "iterations are positive, not %d",
                         q->settings->iterations);
  }
  if (bytes >= rut_avoidance_size()) return RUT_OK;
  return rut_error_set(err, RUT_ERR_ARGUMENT, "a decision takes %zu bytes, not %zu",
                       rut_avoidance_size(), bytes);
}

rutAvoidanceSettings rut_default_avoidance(void) {
  return (rutAvoidanceSettings){.struct_size = sizeof(rutAvoidanceSettings),
                                .clearance = 1.9,
                                .goal_radius = 3,
                                .horizon = 3,
                                .candidates = 3,
                                .iterations = 5,
                                .stop_in_sight = true,
                                .keep = 0.05,
                                .time_weight = 1,
                                .steer_weight = 1,
                                .rate_weight = 10,
                                .acceleration_weight = 0.01,
                                .heading_weight = 1};
}

// Take a plan if it is better than what there is; an opening that was taken before has an
// advantage.
static void compare(const rutAvoidanceQuestion* q, const rutAvoidancePlan* trial, double* best,
                    rutAvoidancePlan* plan) {
  double cost = trial->cost;
  if (is_kept(q, trial)) cost *= 1 - q->settings->keep;
  if (cost >= *best) return;
  *best = cost;
  *plan = *trial;
  plan->end = RUT_AVOIDANCE_DRIVES;
}

// Where a goal lies: behind is also what is not seen.
typedef enum Side { AHEAD, ASIDE, BEHIND } Side;

// No way of the planned length leads to a goal behind it, or far to a side. Then the vehicle
// turns round first: `aims` has a place on the chord of a tight steady turn to the goal's side, or
// straight ahead where the goal lies within that circle, from which it has to get away, and one of
// the turn to the other side, for where the first has no way.
static Side side_of(const rutAvoidanceQuestion* q, double aims[2][2]) {
  static const double LATERAL = 3, TIGHTEST = 1.5,
                      MOST_BEARING = RUT_PI / 4;  // [m/s2], of lock, [rad]
  const double* x = q->state;
  double s, c;
  rut_sincos(x[RUT_AVOIDANCE_YAW], &s, &c);
  const double dx = q->goal[0] - x[0], dy = q->goal[1] - x[1];
  const double ahead = c * dx + s * dy, left = c * dy - s * dx;
  const double side = left < 0 ? -1 : 1, bearing = rut_abs(rut_atan2(left, ahead));
  const double reach = reach_of(q), yaw = x[RUT_AVOIDANCE_YAW];
  const double seen = side > 0 ? q->scan->to - yaw : yaw - q->scan->from;
  // what is near is gone to as long as it is seen
  const double most = rut_hypot(dx, dy) > reach ? MOST_BEARING : 0.5 * RUT_PI;
  const double view = rut_min(0.5 * RUT_PI, rut_max(seen, 0));
  if (bearing <= rut_min(most, view)) return AHEAD;
  const double base = q->vehicle->front + q->vehicle->rear, speed = x[RUT_AVOIDANCE_SPEED];
  const double radius =
      rut_max(speed * speed / LATERAL, TIGHTEST * base / rut_tan(q->vehicle->max_steer));
  const bool inside = rut_hypot(ahead, rut_abs(left) - radius) < radius;
  const double chord = side * rut_min(0.5 * reach / radius, MOST_BEARING);
  const double turn[2] = {inside ? 0 : chord, -chord};
  for (int i = 0; i < 2; i++) {
    rut_sincos(yaw + turn[i], &s, &c);
    // beyond where plans end: to arrive there is no end
    aims[i][0] = x[0] + 2 * reach * c;
    aims[i][1] = x[1] + 2 * reach * s;
  }
  return bearing > view ? BEHIND : ASIDE;
}

// What was tried in a decision so far.
typedef struct Trials {
  int candidates, iterations, inner;
  double best;  // cost of the best one, with the advantage of what was taken before
} Trials;

static bool is_way_of_last(const rutAvoidanceQuestion* q, const Work* w, int opening) {
  rutAvoidancePlan as = {.opening = opening};
  memcpy(as.at, opening < 0 ? q->goal : w->opening[opening].at, sizeof as.at);
  return is_kept(q, &as);
}

// Try an opening, -1: the straight way to the goal, and take it if it is better. Returns whether it
// is a manoeuvre.
static bool try_opening(const rutAvoidanceQuestion* q, Work* w, int opening, Trials* trials,
                        rutAvoidancePlan* plan) {
  if (!make_way(q, w, opening)) return false;
  rutAvoidancePlan* trial = &w->trial;
  memset(trial, 0, sizeof *trial);
  trial->opening = opening;
  memcpy(trial->at, opening < 0 ? q->goal : w->opening[opening].at, sizeof trial->at);
  const bool fine = try_candidate(q, w, trials->best, trial);
  trials->candidates++;
  trials->iterations += trial->iterations;
  trials->inner += trial->inner_iterations;
  // the straight way is taken where it is free
  if (fine && opening < 0) trials->best = RUT_MPC_NO_BOUND;
  if (fine) compare(q, trial, &trials->best, plan);
  return fine;
}

// Try the straight way to the goal and openings on the way to it, and take the best. First of all
// what was taken before, which most often is: then others are soon known to be worse.
static void choose(const rutAvoidanceQuestion* q, Work* w, rutAvoidancePlan* plan) {
  const int most =
      q->settings->candidates < MOST_OPENINGS ? q->settings->candidates : MOST_OPENINGS;
  const int openings =
      rut_avoidance_openings(q->scan, q->state, q->goal, q->settings->clearance, w->opening, most);
  Trials trials = {plan->candidates, plan->iterations, plan->inner_iterations, RUT_MPC_NO_BOUND};
  int first = -1;
  for (int i = openings - 1; i >= -1; i--) {
    if (is_way_of_last(q, w, i)) first = i;
  }
  const bool fine = try_opening(q, w, first, &trials, plan);
  bool straight = fine && first < 0;
  for (int i = -1; i < openings && !straight; i++) {
    if (i != first) straight = try_opening(q, w, i, &trials, plan) && i < 0;
  }
  if (trials.best >= RUT_MPC_NO_BOUND) {
    plan->end = trials.candidates > 0 ? RUT_AVOIDANCE_INFEASIBLE : RUT_AVOIDANCE_DEAD_END;
  }
  plan->candidates = trials.candidates;
  plan->iterations = trials.iterations;
  plan->inner_iterations = trials.inner;
}

rutStatus rut_avoidance_decide(const rutAvoidanceQuestion* question, void* work, size_t bytes,
                               rutAvoidancePlan* plan, rutError* err) {
  const rutAvoidanceQuestion* q = question;
  // nothing of what was there before is told, also where this fails
  memset(plan, 0, sizeof *plan);
  plan->end = RUT_AVOIDANCE_INFEASIBLE;
  plan->opening = -1;
  const rutStatus status = check(q, bytes, err);
  if (status != RUT_OK) return status;
  if (distance(q->state, q->goal) <= q->settings->goal_radius) {
    plan->end = RUT_AVOIDANCE_ARRIVED;
    return RUT_OK;
  }
  double aims[2][2];
  const Side side = side_of(q, aims);
  rutAvoidanceQuestion round = *q;
  for (int i = 0; i < 2; i++) {
    round.goal = aims[i];
    if (side != AHEAD && plan->end != RUT_AVOIDANCE_DRIVES) choose(&round, work, plan);
    // what is seen may be gone to where there is no room to turn
    const bool directly = i == 0 && (side == AHEAD || side == ASIDE);
    if (directly && plan->end != RUT_AVOIDANCE_DRIVES) choose(q, work, plan);
  }
  return RUT_OK;
}

double rut_avoidance_differences(const rutAvoidanceQuestion* question, void* work, double bent) {
  Work* w = work;
  const int openings =
      rut_avoidance_openings(question->scan, question->state, question->goal,
                             question->settings->clearance, w->opening, MOST_OPENINGS);
  if (!make_way(question, w, openings > 0 ? 0 : -1)) return -1;
  guess(&w->task, question->state, w->state, w->control);
  set_bounds(&w->task, end_speed_of(question, w), w->low, w->high);
  const rutMpcProblem p = problem_of(w);
  // off the straight line, where sines are not 0
  for (int i = NX; i < (N + 1) * NX; i++) {
    const int z = i % NX;
    if (z != INTERVAL) w->state[i] += bent * p.scale[z] * rut_sin(i);
  }
  for (int i = 0; i < N * NU; i++) w->control[i] += bent * p.scale[NX + i % NU] * rut_cos(i);
  const rutMpcTrajectory at = {w->state, w->control};
  double largest = -1;
  rut_mpc_differences(&p, &at, 1e-4, false, &largest, NULL);
  return largest;
}
