// SPDX-License-Identifier: BSD-3-Clause
//
// Obstacle avoidance: derivatives of the vehicle by differences, its tyres and lift-off against
// published numbers, a manoeuvre around an obstacle against IPOPT (tools/optimal_reference.py),
// openings of scenes whose gaps are known, and decisions, which are driven again in small steps.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "assert_near.h"
#include "optimal/avoidance.h"
#include "repetitions.h"

enum { NX = RUT_AVOIDANCE_STATES, NU = RUT_AVOIDANCE_CONTROLS, NZ = NX + NU };
static const double PI = 3.14159265358979324;

static uint32_t seed = 5;
static double draw(void) {
  seed = seed * 1664525u + 1013904223u;
  return seed / 2147483648.0 - 1;
}

// ---- the vehicle ----

static void random_state(double z[NZ]) {
  const double size[NZ] = {10, 10, 3, 2, 0.4, 0.2, 8, 0.2, 3};
  for (int i = 0; i < NZ; i++) z[i] = size[i] * draw();
  z[RUT_AVOIDANCE_SPEED] += 15;
}

static void derivatives_are_differences(void** state) {
  const rutAvoidanceVehicle v = rut_default_avoidance_vehicle();
  (void)state;
  for (int round = 0; round < repetitions(200, 20); round++) {
    double z[NZ + 1], rate_by[NX * NZ], load_by[4 * NZ], step_by[NX * (NZ + 1)];
    double unused[NX], load[4];
    random_state(z);
    z[NZ] = 0.08;  // dt
    rut_avoidance_rate(&v, z, z + NX, unused, rate_by);
    rut_avoidance_loads(&v, z, z + NX, load, load_by);
    rut_avoidance_step(&v, z, z + NX, z[NZ], unused, step_by);
    for (int j = 0; j <= NZ; j++) {
      const double h = 1e-5, z0 = z[j];
      double rate[2][NX], loads[2][4], step[2][NX];
      for (int k = 0; k < 2; k++) {
        z[j] = z0 + (k ? -h : h);
        rut_avoidance_rate(&v, z, z + NX, rate[k], NULL);
        rut_avoidance_loads(&v, z, z + NX, loads[k], NULL);
        rut_avoidance_step(&v, z, z + NX, z[NZ], step[k], NULL);
      }
      z[j] = z0;
      for (int i = 0; i < NX; i++) {
        const double by_step = (step[0][i] - step[1][i]) / (2 * h);
        assert_close(step_by[i * (NZ + 1) + j], by_step, 1e-6, 1);
        if (j == NZ) continue;
        assert_close(rate_by[i * NZ + j], (rate[0][i] - rate[1][i]) / (2 * h), 1e-6, 1);
      }
      for (int i = 0; i < 4 && j < NZ; i++) {
        assert_close(load_by[i * NZ + j], (loads[0][i] - loads[1][i]) / (2 * h), 1e-6, 1000);
      }
    }
  }
}

// The published cornering stiffnesses are per axle, at the loads 6840 and 6348 N of a wheel.
static void stiffness_is_as_published(void** state) {
  static const double load[2] = {6840, 6348}, stiffness[2] = {84138.6, 78123.6};
  (void)state;
  for (int i = 0; i < 2; i++) {
    rutAvoidanceVehicle v = rut_default_avoidance_vehicle();
    v.front = v.rear = 1.5;
    v.gravity = 4 * load[i] / v.mass;
    // both axles have factors of their own; the force of the front wheels steers
    v.front_stiffness = i ? 0.8 : 1;
    v.rear_stiffness = i ? 1 : 0.8;
    double by[NX * NZ], rate[NX];
    const double x[NX] = {0, 0, 0, 0, 0, 0, 20}, u[NU] = {0};
    rut_avoidance_rate(&v, x, u, rate, by);
    const double found = by[RUT_AVOIDANCE_SIDEWAYS * NZ + RUT_AVOIDANCE_STEER] * v.mass;
    // the load of a wheel that is on the ground is softened by 0.0002 of itself
    assert_close(found, v.front_stiffness * stiffness[i], 3e-4, 1);
    const double both = by[RUT_AVOIDANCE_SIDEWAYS * NZ + RUT_AVOIDANCE_SIDEWAYS] * v.mass * 20;
    assert_close(-both, 1.8 * stiffness[i], 3e-4, 1);
  }
}

// A steady turn at the angle at which the rear inner wheel is about to lift.
static void it_lifts_where_it_should(void** state) {
  static const double speed[3] = {10, 15, 20}, angle[3] = {11.410913, 5.926278, 3.991686};
  static const double lateral[3] = {5.91334, 6.04094, 6.08827};
  const rutAvoidanceVehicle v = rut_default_avoidance_vehicle();
  (void)state;
  for (int i = 0; i < 3; i++) {
    double x[NX] = {0}, load[4], rate[NX];
    const double u[NU] = {0};
    x[RUT_AVOIDANCE_SPEED] = speed[i];
    x[RUT_AVOIDANCE_STEER] = angle[i] * PI / 180;
    for (int k = 0; k < 4000; k++) rut_avoidance_step(&v, x, u, 0.005, x, NULL);
    rut_avoidance_rate(&v, x, u, rate, NULL);
    rut_avoidance_loads(&v, x, u, load, NULL);
    assert_near(rate[RUT_AVOIDANCE_YAW_RATE], 0, 1e-6);
    assert_near(x[RUT_AVOIDANCE_YAW_RATE] * speed[i], lateral[i], 1e-3);
    assert_near(load[2], 0, 2);
    assert_near(load[0] + load[1] + load[2] + load[3], v.mass * v.gravity, 1e-6);
  }
}

static void limits_are_monotone(void** state) {
  rutAvoidanceVehicle v = rut_default_avoidance_vehicle();
  (void)state;
  assert_near(rut_avoidance_limit(&v, 20, NULL), v.max_steer, 0);
  v.limits = 4;
  const double speed[4] = {10, 15, 20, 30}, angle[4] = {0.19, 0.09, 0.055, 0.022};
  memcpy(v.limit_speed, speed, sizeof speed);
  memcpy(v.limit_steer, angle, sizeof angle);
  double last = 1;
  for (int i = 0; i <= 400; i++) {
    const double u = 8 + 0.06 * i, h = 1e-6;
    double slope;
    const double at = rut_avoidance_limit(&v, u, &slope);
    assert_true(at <= last);
    last = at;
    const double change =
        rut_avoidance_limit(&v, u + h, NULL) - rut_avoidance_limit(&v, u - h, NULL);
    assert_near(slope, change / (2 * h), 1e-5);
  }
  for (int i = 0; i < 4; i++) assert_near(rut_avoidance_limit(&v, speed[i], NULL), angle[i], 1e-15);
  // a table beyond the lock is none
  v.max_steer = 0.07;
  for (int i = 0; i < 4; i++) {
    double slope = 1;
    const double least = angle[i] < 0.07 ? angle[i] : 0.07;
    assert_near(rut_avoidance_limit(&v, speed[i], &slope), least, 1e-15);
    assert_true((slope == 0) == (i != 2));
  }
}

// ---- a manoeuvre ----

static const double H = 0.1;
enum { N = 24 };

static void disc_next(const rutMpcNode* at, double* next, double* by) {
  double full[NX * (NZ + 1)];
  rut_avoidance_step(at->user, at->state, at->control, H, next, by ? full : NULL);
  for (int i = 0; i < NX && by; i++) {
    memcpy(by + (ptrdiff_t)i * NZ, full + (ptrdiff_t)i * (NZ + 1), NZ * sizeof *by);
  }
}

static double disc_cost(const rutMpcNode* at, double* g, double* h) {
  const double* x = at->state;
  double w[NZ] = {0}, sum = 0;
  if (at->control) {
    w[1] = 0.01 * H, w[5] = H, w[7] = 10 * H, w[8] = 0.01 * H;
  } else {
    w[1] = 0.05, w[2] = 4;
  }
  for (int i = 0; i < NZ; i++) {
    const double z = i < NX ? x[i] : at->control ? at->control[i - NX] : 0;
    sum += w[i] * z * z;
    if (g) g[i] = 2 * w[i] * z;
    if (h) h[i * (NZ + 1)] = 2 * w[i];
  }
  return sum;
}

static int disc_row(const rutMpcNode* at, double* value, double* by) {
  const double dx = at->state[0] - 35, dy = at->state[1] - 0.5, r2 = 4.4 * 4.4;
  if (at->k == 0) return 0;
  value[0] = (dx * dx + dy * dy) / r2 - 1;
  if (by) by[0] = 2 * dx / r2;
  if (by) by[1] = 2 * dy / r2;
  if (!at->control) return 1;
  double load_by[4 * NZ];
  rut_avoidance_loads(at->user, at->state, at->control, value + 1, by ? load_by : NULL);
  for (int i = 0; i < 4; i++) {
    value[1 + i] = (value[1 + i] - 1000) / 1000;
    for (int j = 0; j < NZ && by; j++) by[(1 + i) * NZ + j] = load_by[i * NZ + j] / 1000;
  }
  return 5;
}

static void manoeuvre_agrees_with_ipopt(void** state) {
  static const rutMpcPrice price[5] = {{50, 20}, {50, 20}, {50, 20}, {50, 20}, {50, 20}};
  static const double scale[NZ] = {1, 1, 0.1, 1, 0.2, 0.1, 1, 0.1, 1};
  rutAvoidanceVehicle v = rut_default_avoidance_vehicle();
  double low[(N + 1) * NZ], high[(N + 1) * NZ], x[(N + 1) * NX] = {0}, u[N * NU] = {0};
  rutMpcProblem p = rut_default_mpc_problem();
  rutMpcTrajectory t = {x, u};
  rutMpcResult r;
  size_t bytes;
  (void)state;
  p.states = NX, p.controls = NU, p.intervals = N, p.rows = 5;
  p.next = disc_next, p.cost = disc_cost, p.row = disc_row, p.row_price = price, p.scale = scale;
  p.user = &v, p.low = low, p.high = high;
  for (int k = 0; k <= N; k++) {
    for (int i = 0; i < NZ; i++) {
      low[k * NZ + i] = i < NX ? -RUT_MPC_NO_BOUND : i == NX ? -10 * PI / 180 : -4;
      high[k * NZ + i] = i < NX ? RUT_MPC_NO_BOUND : i == NX ? 10 * PI / 180 : 1.5;
    }
    // it slows down first: the other minimum, without that, costs 1.579
    x[k * NX] = 1.8 * k;
    x[k * NX + 1] = k > 12 && k < 24 ? -4 : 0;
    x[k * NX + 6] = k > 0 ? 17 : 20;
  }
  double off;
  assert_int_equal(rut_mpc_differences(&p, &t, 1e-5, true, &off, NULL), RUT_OK);
  assert_true(off < 1e-6);
  assert_int_equal(rut_mpc_size(&p, &bytes, NULL), RUT_OK);
  void* work = malloc(bytes);
  assert_int_equal(rut_mpc_solve(&p, NULL, (rutMpcMemory){work, bytes}, &t, &r, NULL), RUT_OK);
  free(work);
  assert_near(r.cost, 1.3252504281, 1e-4);
  assert_true(r.violation < 1e-6 && r.defect < 1e-6);
  assert_near(x[N * NX + 6], 16.9942, 1e-2);
}

// ---- openings ----

// Points of discs (x, y, radius) that a scanner at a place sees over 180 degrees.
typedef struct Scene {
  double disc[8][3];
  int discs;
  double point[512][2];
} Scene;

static rutAvoidanceScan look(Scene* s, const double x[3], double range) {
  rutAvoidanceScan scan = {(const double(*)[2])s->point, 0, range, x[2] - PI / 2, x[2] + PI / 2};
  for (int i = 0; i <= 360; i++) {
    const double a = scan.from + PI * i / 360;
    double nearest = range;
    for (int k = 0; k < s->discs; k++) {
      const double dx = s->disc[k][0] - x[0], dy = s->disc[k][1] - x[1], r = s->disc[k][2];
      const double b = dx * cos(a) + dy * sin(a), c = dx * dx + dy * dy - r * r, root = b * b - c;
      if (root < 0 || b < 0) continue;
      nearest = fmin(nearest, b - sqrt(root));
    }
    if (nearest >= range) continue;
    s->point[scan.points][0] = x[0] + nearest * cos(a);
    s->point[scan.points++][1] = x[1] + nearest * sin(a);
  }
  return scan;
}

static void openings_are_found(void** state) {
  const double place[3] = {0, 0, 0}, goal[2] = {100, 0};
  rutAvoidanceOpening o[8];
  (void)state;
  // two discs with 8 m between them, whose middle is straight ahead: it is passed there
  Scene s = {.disc = {{40, 7, 3}, {40, -7, 3}}, .discs = 2};
  rutAvoidanceScan scan = look(&s, place, 80);
  int n = rut_avoidance_openings(&scan, place, goal, 1.9, o, 8);
  assert_int_equal(n, 3);
  // of chord between the tangents, 40 m off
  assert_near(o[0].width, 8, 0.6);
  assert_near(o[0].at[1], 0, 0.1);
  assert_true(o[1].at[1] * o[2].at[1] < 0);
  assert_true(isnan(o[1].left[0]) != isnan(o[1].right[0]));
  // with 3.4 m between them, less than two clearances, it is none
  s.disc[0][1] = 4.7;
  s.disc[1][1] = -4.7;
  scan = look(&s, place, 80);
  n = rut_avoidance_openings(&scan, place, goal, 1.9, o, 8);
  assert_int_equal(n, 2);
  for (int i = 0; i < n; i++) assert_true(fabs(o[i].at[1]) > 7);
  // a disc far behind a gap does not close it
  s.disc[0][1] = 7;
  s.disc[1][1] = -7;
  s.disc[2][0] = 75;
  s.disc[2][2] = 9;
  s.discs = 3;
  scan = look(&s, place, 80.1);
  n = rut_avoidance_openings(&scan, place, goal, 1.9, o, 8);
  int through = 0;
  for (int i = 0; i < n; i++) through += fabs(o[i].at[1]) < 3;
  s.disc[0][0] = s.disc[1][0] = 30;
  scan = look(&s, place, 80.1);
  n = rut_avoidance_openings(&scan, place, goal, 1.9, o, 8);
  for (int i = 0; i < n; i++) through += fabs(o[i].at[1]) < 3;
  assert_true(through >= 1);
  // beside a near disc, in front of a far one, there is no room before the far one is passed
  const Scene staggered = {.disc = {{20, -3.5, 3}, {60, 3, 3}}, .discs = 2};
  s = staggered;
  scan = look(&s, place, 80);
  n = rut_avoidance_openings(&scan, place, goal, 1.9, o, 8);
  assert_true(n >= 2);
  for (int i = 0; i < n; i++) assert_true(o[i].width >= 2 * 1.9);
  // beside something that is near there is open ground on both sides
  for (int i = 0; i < 4; i++) {
    const Scene near = {.disc = {{4 + i + 1, 0, 1}}, .discs = 1};
    s = near;
    scan = look(&s, place, 80);
    n = rut_avoidance_openings(&scan, place, goal, 1.9, o, 8);
    assert_int_equal(n, 2);
    assert_true(o[0].at[1] * o[1].at[1] < 0);
    for (int k = 0; k < 2; k++) assert_near(o[k].width, 3 * 1.9, 1e-9);
  }
  // and none where the field of view ends: 0.2 rad of 6 m are 1.2 m
  scan.from = -0.36;
  scan.to = 0.36;
  assert_int_equal(rut_avoidance_openings(&scan, place, goal, 1.9, o, 8), 0);
  // nothing in the way: no opening, the goal is straight ahead
  s.discs = 0;
  scan = look(&s, place, 80);
  assert_int_equal(rut_avoidance_openings(&scan, place, goal, 1.9, o, 8), 0);
}

// ---- decisions ----

typedef struct Test {
  rutAvoidanceVehicle vehicle;
  rutAvoidanceSettings settings;
  Scene scene;
  rutAvoidanceScan scan;
  double state[NX], goal[2], range;
  rutAvoidancePlan plan;
} Test;

static Test* new_test(double speed) {
  Test* t = calloc(1, sizeof *t);
  assert_non_null(t);
  t->vehicle = rut_default_avoidance_vehicle();
  t->vehicle.top_speed = speed;
  t->settings = rut_default_avoidance();
  t->state[RUT_AVOIDANCE_SPEED] = speed;
  t->goal[0] = 200;
  t->range = 80;
  return t;
}

static rutAvoidanceEnd decide(Test* t) {
  rutError err = {0};
  const double place[3] = {t->state[0], t->state[1], t->state[2]};
  const size_t bytes = rut_avoidance_size();
  void* work = malloc(bytes);
  t->scan = look(&t->scene, place, t->range);
  const rutAvoidanceQuestion q = {&t->vehicle, &t->settings, &t->scan, t->state, t->goal, NULL};
  assert_int_equal(rut_avoidance_decide(&q, work, bytes, &t->plan, &err), RUT_OK);
  free(work);
  return t->plan.end;
}

// The problem that a decision solves: rows of half-planes, loads, steering and the engine, costs,
// and steps of free length.
static void problems_tell_their_derivatives(void** state) {
  (void)state;
  void* work = malloc(rut_avoidance_size());
  for (int i = 0; i < 6; i++) {
    Test* t = new_test(i % 2 ? 18 : 12);
    t->range = 80;
    t->scene = (Scene){.disc = {{30, 1, 2}, {45, -6, 2}}, .discs = i < 4 ? 2 : 0};
    t->goal[0] = i < 2 ? 35 : 200;
    t->vehicle.limits = i < 3 ? 0 : 3;
    const double speed[3] = {5, 15, 25}, angle[3] = {0.3, 0.1, 0.05};
    memcpy(t->vehicle.limit_speed, speed, sizeof speed);
    memcpy(t->vehicle.limit_steer, angle, sizeof angle);
    const double place[3] = {0};
    t->scan = look(&t->scene, place, t->range);
    const rutAvoidanceQuestion q = {&t->vehicle, &t->settings, &t->scan, t->state, t->goal, NULL};
    const double off = rut_avoidance_differences(&q, work, 0.5);
    assert_true(off >= 0 && off < 1e-5);
    free(t);
  }
  free(work);
}

static void without_obstacles_it_goes_straight(void** state) {
  (void)state;
  Test* t = new_test(20);
  // 60 m at the top speed; seeing 80 m it has to stop in the last 15 m, from sqrt(2 4 15) m/s
  assert_int_equal(decide(t), RUT_AVOIDANCE_DRIVES);
  assert_true(t->plan.state[RUT_AVOIDANCE_NODES][RUT_AVOIDANCE_SPEED] < sqrt(120) + 0.01);
  t->range = 200;
  assert_int_equal(decide(t), RUT_AVOIDANCE_DRIVES);
  assert_near(t->plan.time[RUT_AVOIDANCE_NODES], 3, 1e-2);
  for (int k = 0; k <= RUT_AVOIDANCE_NODES; k++) {
    assert_near(t->plan.state[k][RUT_AVOIDANCE_STEER], 0, 1e-6);
    assert_near(t->plan.state[k][RUT_AVOIDANCE_Y], 0, 1e-6);
  }
  t->state[0] = 198;
  assert_int_equal(decide(t), RUT_AVOIDANCE_ARRIVED);
  free(t);
}

// Any horizon that may be asked for gives a plan on free ground: a longer one than 24 intervals
// have time for is cut.
static void horizons_are_cut(void** state) {
  static const double speed[3] = {4, 10, 20};
  (void)state;
  for (int i = 0; i < repetitions(3, 1); i++) {
    for (int horizon = 2; horizon <= 10; horizon += 2) {
      Test* t = new_test(speed[i]);
      t->goal[0] = 1000;
      t->settings.horizon = horizon;
      t->range = 300;
      assert_int_equal(decide(t), RUT_AVOIDANCE_DRIVES);
      const double* end = t->plan.state[RUT_AVOIDANCE_NODES];
      const double most = fmax(12, fmin(horizon, 0.9 * 4.8) * speed[i]);
      assert_near(end[0], most, 0.2);
      // 70 m are too few to go on like this: it slows down, and is stopped before their end
      t->range = 70;
      assert_int_equal(decide(t), RUT_AVOIDANCE_DRIVES);
      assert_true(end[0] + end[RUT_AVOIDANCE_SPEED] * end[RUT_AVOIDANCE_SPEED] / 8 < 70);
      free(t);
    }
  }
}

// It does not plan beyond what it sees: from 25 m/s it takes 78 m to stop, of which it sees 30.
static void it_ends_in_sight(void** state) {
  (void)state;
  Test* t = new_test(25);
  t->range = 30;
  assert_int_equal(decide(t), RUT_AVOIDANCE_INFEASIBLE);
  // from 14 m/s, 24.5 m
  t->state[RUT_AVOIDANCE_SPEED] = 14;
  assert_int_equal(decide(t), RUT_AVOIDANCE_DRIVES);
  const double* end = t->plan.state[RUT_AVOIDANCE_NODES];
  assert_true(end[0] <= 30 && end[RUT_AVOIDANCE_SPEED] <= 4 + 0.5);
  free(t);
}

// Steering up to the lock, whatever a table allows.
static void plans_keep_the_lock(void** state) {
  (void)state;
  Test* t = new_test(6);
  t->vehicle.max_steer = 0.1;
  t->vehicle.steer_rate = 0.6;
  t->vehicle.limits = 2;
  t->vehicle.limit_speed[0] = 3;
  t->vehicle.limit_speed[1] = 20;
  t->vehicle.limit_steer[0] = 1;
  t->vehicle.limit_steer[1] = 0.5;
  t->scene = (Scene){.disc = {{13, 0.5, 1}}, .discs = 1};
  assert_int_equal(decide(t), RUT_AVOIDANCE_DRIVES);
  double most = 0;
  for (int k = 0; k <= RUT_AVOIDANCE_NODES; k++) {
    most = fmax(most, fabs(t->plan.state[k][RUT_AVOIDANCE_STEER]));
  }
  // rows are kept within 0.05 of their unit of 0.1 rad
  assert_true(most > 0.09 && most < 0.1 + 0.0051);
  free(t);
}

// Half in the way and near: it is passed on the side where less is missing.
static void what_is_near_is_passed(void** state) {
  (void)state;
  Test* t = new_test(5);
  t->scene = (Scene){.disc = {{7, 2.6, 1}}, .discs = 1};
  t->goal[0] = 40;
  assert_int_equal(decide(t), RUT_AVOIDANCE_DRIVES);
  assert_true(t->plan.at[1] < 0 && t->plan.margin > -0.05);
  free(t);
}

// A goal behind is driven to round a turn to its side; one within the tightest turn is left behind
// first. A mirrored question has the mirrored answer.
static void it_turns_round(void** state) {
  (void)state;
  Test* t = new_test(8);
  t->scene.discs = 0;
  const double side[2] = {1, -1};
  double turned[2];
  for (int i = 0; i < 2; i++) {
    t->goal[0] = -60;
    t->goal[1] = 20 * side[i];
    assert_int_equal(decide(t), RUT_AVOIDANCE_DRIVES);
    turned[i] = t->plan.state[RUT_AVOIDANCE_NODES][RUT_AVOIDANCE_YAW];
    assert_true(turned[i] * side[i] > 0.3);
    assert_true(t->plan.load > t->vehicle.least_load - 50);
  }
  assert_near(turned[0], -turned[1], 0.02);
  // a circle of 21 m (8 m/s at 3 m/s2) to its left has this goal inside
  t->goal[0] = -3;
  t->goal[1] = 15;
  assert_int_equal(decide(t), RUT_AVOIDANCE_DRIVES);
  assert_near(t->plan.state[RUT_AVOIDANCE_NODES][RUT_AVOIDANCE_YAW], 0, 0.05);
  free(t);
}

// Where rays from the origin meet walls, from (x, y) to (x, y), if within the range.
static rutAvoidanceScan look_at_walls(Scene* s, double wall[2][4], double range) {
  rutAvoidanceScan scan = {(const double(*)[2])s->point, 0, range, -PI / 2, PI / 2};
  for (int k = 1; k < 360; k++) {
    const double a = -PI / 2 + PI * k / 360, c = cos(a), sine = sin(a);
    double nearest = range;
    for (int i = 0; i < 2; i++) {
      const double *w = wall[i], dx = w[2] - w[0], dy = w[3] - w[1], d = c * dy - sine * dx;
      const double along = (w[0] * dy - w[1] * dx) / d, part = (w[0] * sine - w[1] * c) / d;
      if (along > 0 && part >= 0 && part <= 1 && along < nearest) nearest = along;
    }
    if (nearest >= range) continue;
    s->point[scan.points][0] = nearest * c;
    s->point[scan.points++][1] = nearest * sine;
  }
  return scan;
}

static double distance_to_wall(const double w[4], double x, double y) {
  const double dx = w[2] - w[0], dy = w[3] - w[1];
  const double part = ((x - w[0]) * dx + (y - w[1]) * dy) / (dx * dx + dy * dy);
  const double on = fmin(fmax(part, 0), 1);
  return hypot(w[0] + on * dx - x, w[1] + on * dy - y);
}

// A goal behind and walls ahead that leave no room to turn to its side, only to the other one: it
// turns there. A mirrored question has the mirrored answer.
static void it_turns_round_to_the_free_side(void** state) {
  (void)state;
  static const double speed[2] = {6.868, 6.114}, goal[2][2] = {{-49.19, -17.75}, {-1.89, 14.30}};
  static const double place[2][2][4] = {
      {{26.92, -15.85, 10.01, -6.77}, {24.38, 4.45, 20.97, 21.22}},
      {{11.62, -3.11, 28.01, 19.76}, {27.55, 4.19, -7.24, 23.27}}};
  const size_t bytes = rut_avoidance_size();
  void* work = malloc(bytes);
  for (int i = 0; i < 4; i++) {
    const int k = i / 2;
    const double mirror = i % 2 ? -1 : 1, side = goal[k][1] * mirror;
    Test* t = new_test(speed[k]);
    double wall[2][4];
    for (int n = 0; n < 8; n++) wall[n / 4][n % 4] = place[k][n / 4][n % 4] * (n % 2 ? mirror : 1);
    t->goal[0] = goal[k][0];
    t->goal[1] = side;
    t->scan = look_at_walls(&t->scene, wall, 40);
    const rutAvoidanceQuestion q = {&t->vehicle, &t->settings, &t->scan, t->state, t->goal, NULL};
    assert_int_equal(rut_avoidance_decide(&q, work, bytes, &t->plan, NULL), RUT_OK);
    assert_int_equal(t->plan.end, RUT_AVOIDANCE_DRIVES);
    assert_true(t->plan.state[RUT_AVOIDANCE_NODES][RUT_AVOIDANCE_YAW] * side < 0);
    for (int n = 0; n <= RUT_AVOIDANCE_NODES; n++) {
      const double *x = t->plan.state[n], yaw = x[RUT_AVOIDANCE_YAW];
      for (int w = 0; w < 2; w++) {
        const double at[2] = {x[0] + t->vehicle.front * cos(yaw),
                              x[1] + t->vehicle.front * sin(yaw)};
        assert_true(distance_to_wall(wall[w], at[0], at[1]) > t->settings.clearance - 0.1);
      }
    }
    free(t);
  }
  free(work);
}

// Driven again in steps of 5 ms, with points of obstacles themselves: distances and loads are those
// that were told.
static void plans_hold_when_driven(void** state) {
  (void)state;
  int drives = 0;
  for (int round = 0; round < repetitions(30, 3); round++) {
    Test* t = new_test(12 + 4 * draw() + 4);
    seed = 100u + (uint32_t)round;
    t->scene.discs = 4;
    for (int i = 0; i < 4; i++) {
      t->scene.disc[i][0] = 35 + 25 * i + 5 * draw();
      t->scene.disc[i][1] = 7 * draw();
      t->scene.disc[i][2] = 1.5 + draw();
    }
    if (decide(t) == RUT_AVOIDANCE_DRIVES) {
      drives++;
      double x[NX], margin = 100, load = 1e9;
      memcpy(x, t->state, sizeof x);
      for (int k = 0; k < RUT_AVOIDANCE_NODES; k++) {
        const double dt = (t->plan.time[k + 1] - t->plan.time[k]) / 20;
        for (int i = 0; i < 20; i++) {
          rut_avoidance_step(&t->vehicle, x, t->plan.control[k], dt, x, NULL);
          double wheel[4];
          rut_avoidance_loads(&t->vehicle, x, t->plan.control[k], wheel, NULL);
          for (int w = 0; w < 4 && k > 0; w++) load = fmin(load, wheel[w]);
          for (int w = 0; w < 2; w++) {
            const double arm = w ? -t->vehicle.rear : t->vehicle.front;
            for (int d = 0; d < t->scan.points; d++) {
              const double* at = t->scene.point[d];
              const double off =
                  hypot(x[0] + arm * cos(x[2]) - at[0], x[1] + arm * sin(x[2]) - at[1]);
              margin = fmin(margin, off - t->settings.clearance);
            }
          }
        }
        for (int i = 0; i < NX; i++) assert_near(x[i], t->plan.state[k + 1][i], 0.02);
      }
      assert_true(margin > -0.1);
      assert_near(margin, t->plan.margin, 0.1);
      assert_true(load > t->vehicle.least_load - 300);
    }
    free(t);
  }
  assert_true(drives >= repetitions(20, 1));
}

// An obstacle straight ahead: one side is chosen, always the same; one that is too near is told.
// Asked once more, and told what it has answered, it does not take what is dearer: what it had
// comes first, and others are given up early.
static void what_is_kept_is_not_left_for_less(void** state) {
  (void)state;
  const size_t bytes = rut_avoidance_size();
  void* work = malloc(bytes);
  int again = 0, first_inner = 0, second_inner = 0;
  for (int round = 0; round < repetitions(30, 3); round++) {
    seed = 300u + (uint32_t)round;
    Test* t = new_test(14 + 4 * draw());
    t->scene.discs = 4;
    for (int i = 0; i < 4; i++) {
      t->scene.disc[i][0] = 35 + 15 * i + 5 * draw();
      t->scene.disc[i][1] = 9 * draw();
      t->scene.disc[i][2] = 1.5 + draw();
    }
    if (decide(t) == RUT_AVOIDANCE_DRIVES) {
      const rutAvoidancePlan last = t->plan;
      const rutAvoidanceQuestion q = {&t->vehicle, &t->settings, &t->scan,
                                      t->state,    t->goal,      &last};
      assert_int_equal(rut_avoidance_decide(&q, work, bytes, &t->plan, NULL), RUT_OK);
      assert_int_equal(t->plan.end, RUT_AVOIDANCE_DRIVES);
      assert_true(t->plan.cost <= last.cost * 1.01);
      first_inner += last.inner_iterations;
      second_inner += t->plan.inner_iterations;
      again++;
    }
    free(t);
  }
  assert_true(again >= repetitions(20, 1));
  if (again >= 20) assert_true(second_inner < 0.86 * first_inner);
  free(work);
}

static void what_is_in_the_way_is_passed_or_told(void** state) {
  (void)state;
  Test* t = new_test(20);
  t->scene = (Scene){.disc = {{50, 0, 2.5}}, .discs = 1};
  assert_int_equal(decide(t), RUT_AVOIDANCE_DRIVES);
  const double cost = t->plan.cost, aside = t->plan.at[1];
  assert_true(fabs(aside) > 2.5 + 1.4);
  assert_int_equal(decide(t), RUT_AVOIDANCE_DRIVES);
  assert_true(t->plan.cost == cost && t->plan.at[1] == aside);
  // 20 m before it: to clear 4.4 m takes 2 sqrt(4.4/5.9) s or more of turning, 24 m
  t->scene.disc[0][0] = 22.5;
  assert_int_equal(decide(t), RUT_AVOIDANCE_INFEASIBLE);
  free(t);
}

static void a_wall_is_a_dead_end(void** state) {
  (void)state;
  Test* t = new_test(10);
  // a ring of discs around what it sees
  t->scene.discs = 1;
  t->scene.disc[0][0] = 0;
  t->scene.disc[0][2] = 0;
  rutAvoidanceScan scan = {(const double(*)[2])t->scene.point, 361, 80, -PI / 2, PI / 2};
  for (int i = 0; i <= 360; i++) {
    const double a = -PI / 2 + PI * i / 360;
    t->scene.point[i][0] = 30 * cos(a);
    t->scene.point[i][1] = 30 * sin(a);
  }
  const size_t bytes = rut_avoidance_size();
  void* work = malloc(bytes);
  const rutAvoidanceQuestion q = {&t->vehicle, &t->settings, &scan, t->state, t->goal, NULL};
  assert_int_equal(rut_avoidance_decide(&q, work, bytes, &t->plan, NULL), RUT_OK);
  assert_int_equal(t->plan.end, RUT_AVOIDANCE_DEAD_END);
  rutError err = {0};
  assert_int_equal(rut_avoidance_decide(&q, work, bytes - 1, &t->plan, &err), RUT_ERR_ARGUMENT);
  t->state[2] = NAN;
  assert_int_equal(rut_avoidance_decide(&q, work, bytes, &t->plan, &err), RUT_ERR_ARGUMENT);
  assert_string_equal(err.message, "state 2 is not finite");
  free(work);
  free(t);
}

// Numbers that are none, or outside of what they may be, are told, and leave no plan.
static void wrong_numbers_are_refused(void** state) {
  static const double point[1][2] = {{NAN, 3}};
  (void)state;
  Test* t = new_test(10);
  double* const number[] = {&t->vehicle.gravity,
                            &t->vehicle.load_x,
                            &t->vehicle.load_front,
                            &t->vehicle.load_rear,
                            &t->vehicle.friction_load,
                            &t->vehicle.curvature,
                            &t->vehicle.curvature_load,
                            &t->vehicle.least_load,
                            &t->vehicle.power,
                            &t->vehicle.resistance,
                            &t->settings.goal_radius,
                            &t->settings.keep,
                            &t->settings.time_weight,
                            &t->settings.steer_weight,
                            &t->settings.rate_weight,
                            &t->settings.heading_weight,
                            &t->vehicle.top_speed,
                            &t->settings.acceleration_weight,
                            &t->vehicle.limit_speed[0],
                            &t->vehicle.limit_speed[1],
                            &t->vehicle.limit_steer[0],
                            &t->vehicle.limit_steer[1],
                            &t->scan.from,
                            &t->scan.to,
                            &t->goal[0],
                            &t->state[0],
                            &t->scan.range};
  const int numbers = sizeof number / sizeof *number;
  const size_t bytes = rut_avoidance_size();
  void* work = malloc(bytes);
  t->vehicle.limits = 2;
  t->vehicle.limit_speed[0] = 5;
  t->vehicle.limit_speed[1] = 20;
  t->vehicle.limit_steer[0] = 0.2;
  t->vehicle.limit_steer[1] = 0.1;
  t->scan = (rutAvoidanceScan){(const double(*)[2])t->scene.point, 0, 80, -1, 1};
  const rutAvoidanceQuestion q = {&t->vehicle, &t->settings, &t->scan, t->state, t->goal, NULL};
  assert_int_equal(rut_avoidance_decide(&q, work, bytes, &t->plan, NULL), RUT_OK);
  rutAvoidancePlan none;
  memset(&none, 0, sizeof none);
  none.end = RUT_AVOIDANCE_INFEASIBLE;
  none.opening = -1;
  for (int i = 0; i < 2 * numbers; i++) {
    const double right = *number[i / 2];
    *number[i / 2] = i % 2 ? NAN : INFINITY;
    memset(&t->plan, 0xff, sizeof t->plan);
    assert_int_equal(rut_avoidance_decide(&q, work, bytes, &t->plan, NULL), RUT_ERR_ARGUMENT);
    assert_memory_equal(&t->plan, &none, sizeof none);
    *number[i / 2] = right;
  }
  static const int limits[3] = {-1, RUT_AVOIDANCE_MOST_LIMITS + 1, 100000};
  for (int i = 0; i < 3; i++) {
    t->vehicle.limits = limits[i];
    assert_int_equal(rut_avoidance_decide(&q, work, bytes, &t->plan, NULL), RUT_ERR_ARGUMENT);
  }
  rutError err = {0};
  t->vehicle.limits = 2;
  t->vehicle.limit_speed[1] = 5;
  assert_int_equal(rut_avoidance_decide(&q, work, bytes, &t->plan, &err), RUT_ERR_ARGUMENT);
  assert_string_equal(err.message,
                      "limit 1: speeds must ascend and angles be positive, not 5 and 0.1");
  t->vehicle.limit_speed[1] = 20;
  t->vehicle.limit_steer[1] = 0;
  assert_int_equal(rut_avoidance_decide(&q, work, bytes, &t->plan, NULL), RUT_ERR_ARGUMENT);
  t->vehicle.limit_steer[1] = 0.1;
  t->vehicle.gravity = 0;
  assert_int_equal(rut_avoidance_decide(&q, work, bytes, &t->plan, &err), RUT_ERR_ARGUMENT);
  assert_string_equal(err.message, "'gravity' must be finite and more than 0, not 0");
  t->vehicle.gravity = 9.81;
  t->scan.point = point;
  t->scan.points = 1;
  assert_int_equal(rut_avoidance_decide(&q, work, bytes, &t->plan, NULL), RUT_ERR_ARGUMENT);
  free(work);
  free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_are_differences),
      cmocka_unit_test(stiffness_is_as_published),
      cmocka_unit_test(it_lifts_where_it_should),
      cmocka_unit_test(limits_are_monotone),
      cmocka_unit_test(manoeuvre_agrees_with_ipopt),
      cmocka_unit_test(openings_are_found),
      cmocka_unit_test(problems_tell_their_derivatives),
      cmocka_unit_test(without_obstacles_it_goes_straight),
      cmocka_unit_test(plans_hold_when_driven),
      cmocka_unit_test(what_is_kept_is_not_left_for_less),
      cmocka_unit_test(what_is_in_the_way_is_passed_or_told),
      cmocka_unit_test(a_wall_is_a_dead_end),
      cmocka_unit_test(horizons_are_cut),
      cmocka_unit_test(it_ends_in_sight),
      cmocka_unit_test(plans_keep_the_lock),
      cmocka_unit_test(what_is_near_is_passed),
      cmocka_unit_test(it_turns_round),
      cmocka_unit_test(it_turns_round_to_the_free_side),
      cmocka_unit_test(wrong_numbers_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
