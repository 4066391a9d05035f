// SPDX-License-Identifier: BSD-3-Clause
//
// Rolling wheels on a body: what comes out meets the equations that define it, whatever goes in.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mbd/rolling.h"

enum { WHEELS = RUT_ROLLING_WHEELS, LANES = RUT_ROLLING_LANES, INPUTS = RUT_ROLLING_INPUTS };

static uint64_t seed = 1;
static double uniform(double low, double high) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}
static double spread(double size) { return uniform(-size, size); }
// Over decades.
static double decades(double low, double high) { return exp(uniform(log(low), log(high))); }

// A vehicle as numbers, [wheel] and [input].
typedef struct Vehicle {
  int wheels, inputs, straight, left, right;
  double dt, mass, yaw_inertia, gravity[2], x[WHEELS], y[WHEELS], yaw[WHEELS];
  double radius[WHEELS], inertia[WHEELS], velocity[WHEELS], speed[WHEELS], spin[WHEELS];
  double torque[WHEELS], limit[WHEELS], across[WHEELS], drag[WHEELS], beside[WHEELS];
  double demand[INPUTS], still[INPUTS], rate[INPUTS], low[INPUTS], high[INPUTS];
  double gain[INPUTS][WHEELS];
} Vehicle;

typedef struct Result {
  double force[WHEELS], torque[WHEELS], spin_up[WHEELS], a[3];
} Result;

// heaviest: reflected mass of a wheel over that of the body; steepest: rate of a demand over it.
static Vehicle draw(int inputs, int straight, double heaviest, double steepest) {
  Vehicle v = {.wheels = 2 + (int)uniform(0, 6.99), .inputs = inputs, .straight = straight};
  v.right = 1;
  v.dt = decades(1e-4, 0.02);
  v.mass = decades(1, 1e4);
  v.yaw_inertia = v.mass * decades(0.01, 1);
  for (int i = 0; i < 2; i++) v.gravity[i] = spread(4);
  for (int w = 0; w < v.wheels; w++) {
    v.x[w] = spread(1);
    v.y[w] = spread(1);
    v.yaw[w] = straight ? 0 : spread(1.5);
    v.radius[w] = uniform(0.05, 0.6);
    v.inertia[w] = v.mass * v.radius[w] * v.radius[w] * decades(1e-4, heaviest);
    v.velocity[w] = spread(3);
    v.speed[w] = v.velocity[w] / v.radius[w] + (uniform(0, 1) < 0.5 ? 0 : spread(5));
    v.torque[w] = spread(10) * v.mass * v.radius[w];
    v.spin[w] = spread(0.1) * v.mass * v.radius[w];
    v.limit[w] = uniform(0, 1) < 0.1 ? 0 : v.mass * uniform(0, 5);
    v.across[w] = v.mass * spread(3);
    v.drag[w] = v.mass * spread(0.3);
    v.beside[w] = uniform(0, 1) < 0.8 ? 0 : v.mass * spread(0.3);
  }
  for (int k = 0; k < inputs; k++) {
    v.high[k] = v.mass * uniform(0, 5);
    v.low[k] = -v.mass * uniform(0, 5);
    v.still[k] = spread(10) * v.mass;
    v.rate[k] = uniform(0, 1) < 0.1 ? 0 : v.mass * decades(1e-3, steepest);
    v.demand[k] = fmax(v.low[k], fmin(v.still[k], v.high[k]));
    // wheels of one side, or all
    for (int w = 0; w < v.wheels; w++) {
      const int follows = inputs == 1 || w % 2 == k;
      v.gain[k][w] = !follows || uniform(0, 1) < 0.3 ? 0 : uniform(0, 1);
    }
  }
  return v;
}

static double roll_of(const Vehicle* v, int w) {
  const double r = v->radius[w];
  return (v->torque[w] + v->spin[w] - v->inertia[w] * (v->velocity[w] / r - v->speed[w]) / v->dt) /
         r;
}
static double clamp(double x, double limit) { return fmax(-limit, fmin(x, limit)); }

// One vehicle per lane, all with as many wheels.
static void solve(int lanes, const Vehicle* v, Result* out, void (*call)(const rutRolling*, int)) {
  double row[18][WHEELS * LANES], mass[LANES], yaw_inertia[LANES], input[5][INPUTS * LANES],
      gain[INPUTS * WHEELS * LANES];
  double gravity[2 * LANES], a[3 * LANES];
  const int n = v->wheels;
  for (int l = 0; l < lanes; l++) {
    for (int i = 0; i < 2; i++) gravity[i * lanes + l] = v[l].gravity[i];
    mass[l] = v[l].mass;
    yaw_inertia[l] = v[l].yaw_inertia;
    for (int w = 0; w < n; w++) {
      const Vehicle* u = &v[l];
      const double r = u->radius[w], roll = roll_of(u, w);
      const double number[] = {cos(u->yaw[w]),
                               sin(u->yaw[w]),
                               r,
                               1 / r,
                               u->inertia[w] / (r * r),
                               u->dt / u->inertia[w],
                               u->velocity[w],
                               u->speed[w],
                               u->spin[w],
                               roll,
                               u->limit[w],
                               u->across[w],
                               u->drag[w],
                               u->beside[w] + clamp(roll, u->limit[w]),
                               u->torque[w],
                               0,
                               u->x[w],
                               u->y[w]};
      for (int i = 0; i < 18; i++) row[i][w * lanes + l] = number[i];
      for (int k = 0; k < u->inputs; k++) gain[(k * n + w) * lanes + l] = u->gain[k][w];
    }
    for (int k = 0; k < v->inputs; k++) {
      const double number[] = {v[l].demand[k], v[l].still[k], v[l].rate[k], v[l].low[k],
                               v[l].high[k]};
      for (int i = 0; i < 5; i++) input[i][k * lanes + l] = number[i];
    }
  }
  const rutRolling r = {.wheels = n,
                        .left = v->left,
                        .right = v->right,
                        .mass = mass,
                        .yaw_inertia = yaw_inertia,
                        .x = row[16],
                        .y = row[17],
                        .cosine = row[0],
                        .sine = row[1],
                        .radius = row[2],
                        .inverse_radius = row[3],
                        .mass_of_spin = row[4],
                        .speed_per_torque = row[5],
                        .velocity = row[6],
                        .speed = row[7],
                        .spin = row[8],
                        .roll = row[9],
                        .limit = row[10],
                        .across = row[11],
                        .drag = row[12],
                        .gravity = gravity,
                        .demand = input[0],
                        .still = input[1],
                        .rate = input[2],
                        .low = input[3],
                        .high = input[4],
                        .gain = gain,
                        .dt = v->dt,
                        .along = row[13],
                        .torque = row[14],
                        .acceleration = a,
                        .speed_change = row[15]};
  call(&r, lanes);
  for (int l = 0; l < lanes; l++) {
    for (int i = 0; i < 3; i++) out[l].a[i] = a[i * lanes + l];
    for (int w = 0; w < n; w++) {
      out[l].force[w] = row[13][w * lanes + l];
      out[l].torque[w] = row[14][w * lanes + l];
      out[l].spin_up[w] = row[15][w * lanes + l] / v->dt;
    }
  }
}

#define SIZE(name, inputs, straight)                                   \
  static void name(const rutRolling* r, int lanes) {                   \
    if (lanes == 1) {                                                  \
      rut_rolling_solve(r, (rutRollingSize){inputs, straight, 1});     \
    } else {                                                           \
      rut_rolling_solve(r, (rutRollingSize){inputs, straight, LANES}); \
    }                                                                  \
  }
SIZE(solve_0, 0, 0)
SIZE(solve_1, 1, 0)
SIZE(solve_2, 2, 0)
SIZE(solve_straight_0, 0, 1)
SIZE(solve_straight_1, 1, 1)
SIZE(solve_straight_2, 2, 1)
static void (*const solvers[2][3])(const rutRolling*, int) = {
    {solve_0, solve_1, solve_2}, {solve_straight_0, solve_straight_1, solve_straight_2}};

// How far the result misses the equations, as a part of the forces.
static double miss(const Vehicle* v, const Result* r) {
  double sum[3] = {v->mass * v->gravity[0], v->mass * v->gravity[1], 0}, size = v->mass * 10;
  double worst = 0;
  for (int w = 0; w < v->wheels; w++) {
    const double c = cos(v->yaw[w]), s = sin(v->yaw[w]), along = r->force[w] + v->drag[w];
    const double fx = c * along - s * v->across[w], fy = s * along + c * v->across[w];
    sum[0] += fx;
    sum[1] += fy;
    sum[2] += v->x[w] * fy - v->y[w] * fx;
    size += fabs(roll_of(v, w)) + fabs(v->torque[w] / v->radius[w]);
  }
  // the body
  for (int i = 0; i < 3; i++) {
    const double inertia = i < 2 ? v->mass : v->yaw_inertia;
    worst = fmax(worst, fabs(inertia * r->a[i] - sum[i]) / size);
  }
  for (int w = 0; w < v->wheels; w++) {
    const double c = cos(v->yaw[w]), s = sin(v->yaw[w]), h = v->dt, radius = v->radius[w];
    const double arm = v->x[w] * s - v->y[w] * c, rolls = r->force[w] - v->beside[w];
    const double hub = v->velocity[w] + h * (c * r->a[0] + s * r->a[1] + arm * r->a[2]);
    const double speed = v->speed[w] + h * r->spin_up[w];
    const double spun = v->inertia[w] * r->spin_up[w];
    const double given = r->torque[w] + v->spin[w] - radius * r->force[w];
    worst = fmax(worst, fabs(spun - given) / (radius * size));
    // slip that is left, as the force that would end it
    const double slip = (radius * speed - hub) * v->inertia[w] / (radius * radius * h);
    const double room = v->limit[w] - fabs(rolls);
    worst = fmax(worst, -room / size);
    if (room > 1e-9 * size) worst = fmax(worst, fabs(slip + v->beside[w]) / size);
    if (room <= 1e-9 * size && rolls > 0) worst = fmax(worst, -(slip + v->beside[w]) / size);
    if (room <= 1e-9 * size && rolls < 0) worst = fmax(worst, (slip + v->beside[w]) / size);
  }
  return worst;
}

// What the demands should have been, from the speeds that came out.
static double miss_of_demands(const Vehicle* v, const Result* r) {
  double torque[WHEELS], worst = 0;
  memcpy(torque, v->torque, sizeof torque);
  for (int k = 0; k < v->inputs; k++) {
    const double left = v->dt * r->spin_up[v->left], right = v->dt * r->spin_up[v->right];
    const double seen = v->inputs == 1 ? 0.5 * (left + right) : (k == 0 ? left : right);
    const double d = fmax(v->low[k], fmin(v->still[k] - v->rate[k] * seen, v->high[k]));
    for (int w = 0; w < v->wheels; w++) torque[w] += v->gain[k][w] * (d - v->demand[k]);
  }
  for (int w = 0; w < v->wheels; w++) {
    worst = fmax(worst, fabs(torque[w] - r->torque[w]) / (10 * v->mass));
  }
  return worst;
}

// In how many of ROUNDS random vehicles the equations are missed.
enum { ROUNDS = 20000 };
static int misses(double heaviest, double steepest) {
  int missed = 0;
  for (int round = 0; round < ROUNDS; round++) {
    const int inputs = round % 3, straight = round / 3 % 2;
    const Vehicle v = draw(inputs, straight, heaviest, steepest);
    Result r;
    solve(1, &v, &r, solvers[straight][inputs]);
    missed += !(fmax(miss(&v, &r), miss_of_demands(&v, &r)) < 1e-6);
  }
  return missed;
}

// Wheels and gains as vehicles have them: always.
static void test_equations_hold(void** state) {
  (void)state;
  assert_int_equal(misses(0.3, 1), 0);
}

// Wheels of up to three times the mass of the body each, with speeds that have nothing to do with
// each other: the search for what rolls and what slides may run out of rounds, once in a thousand.
static void test_equations_hold_for_monsters(void** state) {
  (void)state;
  assert_true(misses(3, 1e3) <= ROUNDS / 1000);
}

// What one vehicle finds does not depend on those beside it.
static void test_lanes(void** state) {
  (void)state;
  for (int round = 0; round < 2000; round++) {
    const int inputs = round % 3, straight = round / 3 % 2;
    Vehicle v[LANES];
    Result all[LANES], one;
    v[0] = draw(inputs, straight, 3, 1e3);
    for (int l = 1; l < LANES; l++) {
      Vehicle other = draw(inputs, straight, 3, 1e3);
      // of one class
      other.wheels = v->wheels;
      other.dt = v->dt;
      v[l] = other;
    }
    // wheels that were not drawn, of those with fewer
    for (int l = 1; l < LANES; l++) {
      for (int w = 0; w < v->wheels; w++) {
        if (v[l].radius[w] > 0) continue;
        v[l].radius[w] = v->radius[w];
        v[l].inertia[w] = v->inertia[w];
      }
    }
    solve(LANES, v, all, solvers[straight][inputs]);
    for (int l = 0; l < LANES; l++) {
      solve(1, &v[l], &one, solvers[straight][inputs]);
      for (int w = 0; w < v->wheels; w++) {
        assert_memory_equal(&one.force[w], &all[l].force[w], sizeof(double));
        assert_memory_equal(&one.torque[w], &all[l].torque[w], sizeof(double));
        assert_memory_equal(&one.spin_up[w], &all[l].spin_up[w], sizeof(double));
      }
      assert_memory_equal(one.a, all[l].a, sizeof one.a);
    }
  }
}

static void follow(const rutRolling* r, int lanes) {
  rut_rolling_follow(r, (rutRollingSize){2, 0, lanes});
}

// Two wheels that spin in place under loops of one gain: with rate h/I below 1.9 nothing changes;
// beyond, the wheel ends where the loop is content, in one step.
static void test_follow(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    const double inertia = 0.005, h = 0.005, rate = (k ? 4.0 : 1.8) * inertia / h;
    Vehicle v = {.wheels = 2, .inputs = 2, .right = 1, .dt = h, .mass = 10, .yaw_inertia = 1};
    Result r;
    for (int w = 0; w < 2; w++) {
      v.y[w] = w ? -0.2 : 0.2;
      v.radius[w] = 0.1;
      v.inertia[w] = inertia;
      // free wheels, asked for 10 rad/s
      v.still[w] = v.demand[w] = v.torque[w] = rate * 10;
      v.rate[w] = rate;
      v.low[w] = -100;
      v.high[w] = 100;
      v.gain[w][w] = 1;
    }
    solve(1, &v, &r, follow);
    for (int w = 0; w < 2; w++) {
      const double explicit_torque = rate * 10, implicit_torque = explicit_torque / (1 + 4.0);
      assert_true(fabs(r.torque[w] - (k ? implicit_torque : explicit_torque)) < 1e-12);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equations_hold),
      cmocka_unit_test(test_equations_hold_for_monsters),
      cmocka_unit_test(test_lanes),
      cmocka_unit_test(test_follow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
