// SPDX-License-Identifier: BSD-3-Clause
//
// Tree dynamics against a dense computation that shares no code with it, against closed forms, and
// against conservation laws.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "dense_reference.h"
#include "mbd/integrate.h"
#include "mbd/plan.h"
#include "random_tree.h"

enum { TREES = 1000, LANES = RUT_MBD_LANES, SCRATCH = 20000 };
static const double pi = 3.14159265358979323846;

// ---------------------------------------------------------------------------------------------
// Random trees

typedef struct laneState {
  double q[RANDOM_POSITIONS * LANES], v[RANDOM_SPEEDS * LANES], tau[RANDOM_SPEEDS * LANES];
  double force[6 * RANDOM_BODIES * LANES], gravity[3 * LANES];
  double acceleration[RANDOM_SPEEDS * LANES];
} laneState;

// Big arrays of the tests in this file.
typedef struct bench {
  randomTree random;
  randomState state[LANES];
  laneState lanes;
  denseTree dense;
  double scratch[SCRATCH];
  long double expected[REFERENCE_SPEEDS];
} bench;

static int create_bench(void** state) {
  *state = calloc(1, sizeof(bench));
  return *state ? 0 : -1;
}
static int destroy_bench(void** state) {
  free(*state);
  return 0;
}

static void interleave(const double* from, int items, int lane, double* to) {
  for (int i = 0; i < items; ++i) to[i * LANES + lane] = from[i];
}

// Fills eight random states, and their lanes.
static void fill_states(uint64_t* seed, bench* b) {
  const rutMbdTree* tree = &b->random.tree;
  for (int l = 0; l < LANES; ++l) {
    randomState* s = &b->state[l];
    random_state(seed, tree, s);
    interleave(s->q, tree->positions, l, b->lanes.q);
    interleave(s->v, tree->speeds, l, b->lanes.v);
    interleave(s->tau, tree->speeds, l, b->lanes.tau);
    interleave(s->force, 6 * tree->bodies, l, b->lanes.force);
    interleave(s->gravity, 3, l, b->lanes.gravity);
  }
}
static rutMbdIn eight_lanes(const laneState* s) {
  return (rutMbdIn){LANES, s->q, s->v, s->tau, s->force, s->gravity};
}
static void accelerate_eight(bench* b) {
  const rutMbdTree* tree = &b->random.tree;
  const rutMbdIn in = eight_lanes(&b->lanes);
  assert_true(rut_mbd_scratch(tree, LANES) <= SCRATCH);
  rut_mbd_forward_dynamics(tree, &in, b->scratch, b->lanes.acceleration);
}
static void accelerate_one(bench* b, const randomState* s, double* acceleration) {
  const rutMbdIn in = {1, s->q, s->v, s->tau, s->force, s->gravity};
  rut_mbd_forward_dynamics(&b->random.tree, &in, b->scratch, acceleration);
}

// Largest difference from the dense computation, relative to the largest acceleration.
static double error_of_lane(bench* b, int lane) {
  const rutMbdTree* tree = &b->random.tree;
  const randomState* s = &b->state[lane];
  dense_evaluate(tree, s->q, s->v, s->force, s->gravity, &b->dense);
  dense_accelerate(tree, &b->dense, s->tau, b->expected);
  double error = 0.0, size = 1.0;
  for (int i = 0; i < tree->speeds; ++i) {
    const double a = b->lanes.acceleration[i * LANES + lane];
    error = fmax(error, fabs((double)((long double)a - b->expected[i])));
    size = fmax(size, fabs((double)b->expected[i]));
    if (!isfinite(a)) return HUGE_VAL;
  }
  return error / size;
}

static void check_against_dense(bench* b, uint64_t seed, void (*make)(uint64_t*, randomTree*)) {
  for (int t = 0; t < TREES; ++t) {
    make(&seed, &b->random);
    fill_states(&seed, b);
    accelerate_eight(b);
    for (int l = 0; l < LANES; l += 3) {
      const double error = error_of_lane(b, l);
      if (!(error < 1e-12)) fail_msg("tree %d lane %d: error %g", t, l, error);
    }
  }
}
static void test_accelerations_equal_dense_solution(void** state) {
  check_against_dense(*state, 20240601, random_tree);
}
static void test_planar_vehicles_equal_dense_solution(void** state) {
  check_against_dense(*state, 77, random_planar_vehicle);
}

// The shortcut for planar vehicles is taken where it should be.
static void test_planar_vehicles_are_recognised(void** state) {
  bench* b = *state;
  uint64_t seed = 5;
  rutMbdPlan* plan = (rutMbdPlan*)(void*)b->scratch;
  for (int t = 0; t < 100; ++t) {
    random_planar_vehicle(&seed, &b->random);
    rut_mbd_plan(&b->random.tree, plan);
    assert_int_equal(plan->planar, 1);
  }
}

static void test_lanes_give_the_same_bits(void** state) {
  bench* b = *state;
  uint64_t seed = 31;
  for (int t = 0; t < TREES; ++t) {
    if (t % 2) {
      random_tree(&seed, &b->random);
    } else {
      random_planar_vehicle(&seed, &b->random);
    }
    fill_states(&seed, b);
    accelerate_eight(b);
    for (int l = 0; l < LANES; ++l) {
      double a[RANDOM_SPEEDS];
      accelerate_one(b, &b->state[l], a);
      for (int i = 0; i < b->random.tree.speeds; ++i)
        assert_memory_equal(&a[i], &b->lanes.acceleration[i * LANES + l], sizeof a[i]);
    }
  }
}

static void test_plan_made_beforehand_gives_the_same_bits(void** state) {
  bench* b = *state;
  uint64_t seed = 8;
  for (int t = 0; t < 100; ++t) {
    random_tree(&seed, &b->random);
    fill_states(&seed, b);
    accelerate_eight(b);
    const rutMbdTree* tree = &b->random.tree;
    rutMbdPlan* plan = malloc(rut_mbd_plan_size(tree));
    assert_non_null(plan);
    rut_mbd_plan(tree, plan);
    double a[RANDOM_SPEEDS * LANES];
    const rutMbdIn in = eight_lanes(&b->lanes);
    rut_mbd_accelerate(tree, plan, &in, b->scratch, a);
    free(plan);
    assert_memory_equal(a, b->lanes.acceleration, sizeof *a * (size_t)tree->speeds * LANES);
  }
}

static void test_poses_and_energy_equal_dense(void** state) {
  bench* b = *state;
  uint64_t seed = 4;
  double position[3 * RANDOM_BODIES * LANES], rotation[9 * RANDOM_BODIES * LANES];
  for (int t = 0; t < TREES; ++t) {
    random_tree(&seed, &b->random);
    const rutMbdTree* tree = &b->random.tree;
    fill_states(&seed, b);
    rut_mbd_poses(tree, LANES, b->lanes.q, position, rotation);
    const int l = t % LANES;
    const randomState* s = &b->state[l];
    dense_evaluate(tree, s->q, s->v, s->force, s->gravity, &b->dense);
    for (int i = 0; i < tree->bodies; ++i) {
      for (int k = 0; k < 3; ++k)
        assert_near(position[(3 * i + k) * LANES + l], b->dense.body[i].origin[k], 1e-13);
      for (int k = 0; k < 9; ++k)
        assert_near(rotation[(9 * i + k) * LANES + l], b->dense.body[i].axes[k / 3][k % 3], 1e-13);
    }
    const double energy = rut_mbd_energy(tree, s->q, s->v, s->gravity);
    const double expected = (double)dense_energy(tree, &b->dense, s->gravity);
    assert_near(energy, expected, 1e-12 * fmax(1.0, fabs(expected)));
  }
}

// ---------------------------------------------------------------------------------------------
// Motion

// A tree under gravity, with constant joint forces.
typedef struct system {
  const rutMbdTree* tree;
  const double* gravity;
  const double* tau;
  double force[6 * RANDOM_BODIES];
  double scratch[SCRATCH];
  double step_scratch[SCRATCH];
} system_t;

static void rates_of(void* user, double time, const double* q, const double* v,
                     double* acceleration) {
  system_t* s = user;
  (void)time;
  const rutMbdIn in = {1, q, v, s->tau, s->force, s->gravity};
  rut_mbd_forward_dynamics(s->tree, &in, s->scratch, acceleration);
}
static void simulate(system_t* s, int order, double duration, int steps, double* q, double* v) {
  const double h = duration / steps;
  for (int i = 0; i < steps; ++i) {
    const rutMbdStep step = {1, i * h, h, rates_of, s};
    if (order == 4) {
      rut_mbd_step_rk4(s->tree, &step, s->step_scratch, q, v);
    } else {
      rates_of(s, i * h, q, v, s->step_scratch);
      rut_mbd_advance_euler(s->tree, 1, h, s->step_scratch, q, v);
    }
  }
}
static system_t* create_system(const rutMbdTree* tree, const double* gravity, const double* tau) {
  system_t* s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->tree = tree;
  s->gravity = gravity;
  s->tau = tau;
  return s;
}

static const double earth[3] = {0.0, 0.0, -9.81}, space[3] = {0.0, 0.0, 0.0};

// Complete elliptic integral of the first kind, K(k) = pi / (2 agm(1, sqrt(1 - k^2))).
static double elliptic_k(double k) {
  double a = 1.0, b = sqrt(1.0 - k * k);
  for (int i = 0; i < 20; ++i) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return pi / (2.0 * a);
}

// Period 4 sqrt(I / (m g l)) K(sin(amplitude / 2)), here at 120 degrees.
static void test_pendulum_period(void** state) {
  (void)state;
  randomTree t;
  t.body[0] = simple_body(-1, RUT_JOINT_HINGE, 0.3, -0.2, 1.0);
  t.body[0].mass = 1.7;
  t.body[0].com[2] = -0.6;
  t.body[0].inertia[1] = 0.09;
  number_tree(&t, 1);
  const double inertia = 0.09 + 1.7 * 0.36, amplitude = 2.0 * pi / 3.0;
  const double period = 4.0 * sqrt(inertia / (1.7 * 9.81 * 0.6)) * elliptic_k(sin(0.5 * amplitude));
  double q = amplitude, v = 0.0, tau = 0.0;
  system_t* s = create_system(&t.tree, earth, &tau);
  simulate(s, 4, 0.25 * period, 1000, &q, &v);
  assert_near(q, 0.0, 1e-10);
  simulate(s, 4, 0.75 * period, 3000, &q, &v);
  assert_near(q, amplitude, 1e-10);
  assert_near(v, 0.0, 1e-9);
  free(s);
}

static void make_double_pendulum(randomTree* t) {
  for (int i = 0; i < 2; ++i) {
    t->body[i] = simple_body(i - 1, RUT_JOINT_HINGE, 0.0, 0.0, i ? -1.0 : 0.0);
    t->body[i].mass = 1.0 + i;
    t->body[i].com[2] = -0.5;
    t->body[i].inertia[1] = 0.1;
  }
  number_tree(t, 2);
}
static void test_double_pendulum_keeps_energy(void** state) {
  (void)state;
  randomTree t;
  make_double_pendulum(&t);
  double q[2] = {2.0, 1.0}, v[2] = {0.0, 0.0}, tau[2] = {0.0, 0.0};
  system_t* s = create_system(&t.tree, earth, tau);
  const double before = rut_mbd_energy(&t.tree, q, v, earth);
  // By hand: heights of the two centres of mass.
  const double z1 = -0.5 * cos(2.0), z2 = -cos(2.0) - 0.5 * cos(3.0);
  assert_near(before, 9.81 * (z1 + 2.0 * z2), 1e-12);
  simulate(s, 4, 5.0, 20000, q, v);
  assert_near(rut_mbd_energy(&t.tree, q, v, earth), before, 1e-9);
  free(s);
}

// Torque-free body spun about its middle axis: it flips with the period 4 K(k) / w of Euler's
// solution (Landau and Lifshitz, Mechanics, section 37), while energy and the angular momentum in
// space stay.
static void test_asymmetric_top(void** state) {
  bench* b = *state;
  randomTree* t = &b->random;
  t->body[0] = simple_body(-1, RUT_JOINT_FREE, 0.0, 0.0, 0.0);
  t->body[0].mass = 2.0;
  const double moment[3] = {1.0, 2.0, 3.0};
  memcpy(t->body[0].inertia, moment, sizeof moment);
  number_tree(t, 1);
  double q[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0}, tau[6] = {0.0};
  double v[6] = {0.05, 2.0, 0.02, 0.0, 0.0, 0.0};
  const double start[6] = {0.05, 2.0, 0.02, 0.0, 0.0, 0.0};
  double twice_energy = 0.0, momentum2 = 0.0;
  for (int i = 0; i < 3; ++i) {
    twice_energy += moment[i] * v[i] * v[i];
    momentum2 += moment[i] * moment[i] * v[i] * v[i];
  }
  // The case L^2 < 2 E I2 is that of L^2 > 2 E I2 with axes 1 and 3 exchanged.
  const int high = momentum2 > 2.0 * twice_energy;
  const double i1 = high ? 1.0 : 3.0, i3 = high ? 3.0 : 1.0, i2 = 2.0;
  const double rate = sqrt((i3 - i2) * (momentum2 - twice_energy * i1) / (i1 * i2 * i3));
  const double k = sqrt((i2 - i1) * (twice_energy * i3 - momentum2) /
                        ((i3 - i2) * (momentum2 - twice_energy * i1)));
  const double period = 4.0 * elliptic_k(k) / rate;

  system_t* s = create_system(&t->tree, space, tau);
  simulate(s, 4, 0.5 * period, 8000, q, v);
  assert_near(v[1], -2.0, 1e-8);
  simulate(s, 4, 0.5 * period, 8000, q, v);
  for (int i = 0; i < 3; ++i) assert_near(v[i], start[i], 1e-8);
  assert_near(rut_mbd_energy(&t->tree, q, v, space), 0.5 * twice_energy, 1e-10);
  long double linear[3], angular[3];
  dense_evaluate(&t->tree, q, v, s->force, space, &b->dense);
  dense_momentum(&t->tree, &b->dense, linear, angular);
  for (int i = 0; i < 3; ++i) assert_near(angular[i], moment[i] * start[i], 1e-10);
  free(s);
}

// A free body with a hinged arm, a slide on it, and a rotor.
static void make_flyer(randomTree* t) {
  uint64_t seed = 12;
  t->body[0] = simple_body(-1, RUT_JOINT_FREE, 0.0, 0.0, 0.0);
  t->body[1] = simple_body(0, RUT_JOINT_HINGE, 0.5, 0.1, 0.0);
  t->body[2] = simple_body(1, RUT_JOINT_SLIDE, 0.0, 0.0, 0.4);
  t->body[3] = simple_body(0, RUT_JOINT_HINGE, -0.5, 0.2, 0.1);
  t->body[3].rotor = 1;
  for (int i = 0; i < 4; ++i) {
    t->body[i].mass = random_number(&seed, 1.0, 2.0);
    for (int k = 0; k < 3; ++k) {
      t->body[i].inertia[k] = k == 1 ? 0.4 : 0.3;
      t->body[i].com[k] = i == 3 ? 0.0 : random_number(&seed, -0.2, 0.2);
    }
  }
  number_tree(t, 4);
}
static void centre_of_mass(const rutMbdTree* tree, const denseTree* dense, double com[3]) {
  double mass = 0.0;
  com[0] = com[1] = com[2] = 0.0;
  for (int i = 0; i < tree->bodies; ++i) {
    mass += tree->body[i].mass;
    for (int k = 0; k < 3; ++k) com[k] += tree->body[i].mass * (double)dense->body[i].com[k];
  }
  for (int k = 0; k < 3; ++k) com[k] /= mass;
}
static const double flyer_q[10] = {0.1, 0.2, 0.3, 0.8, 0.0, 0.6, 0.0, 0.4, 0.1, 0.0};
static const double flyer_v[9] = {0.9, -1.2, 0.7, 2.0, 1.0, 3.0, 1.5, -0.3, 8.0};
static const double flyer_tau[9] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, -0.7, 0.5};

// Joint forces are internal: the centre of mass flies a parabola, linear momentum changes by m g t,
// and without gravity angular momentum stays.
static void test_free_flight(void** state) {
  bench* b = *state;
  make_flyer(&b->random);
  const rutMbdTree* tree = &b->random.tree;
  for (int gravity = 0; gravity < 2; ++gravity) {
    const double* g = gravity ? earth : space;
    double q[10], v[9], before[3], after[3], mass = 0.0;
    long double linear[3], angular[3], linear_after[3], angular_after[3];
    memcpy(q, flyer_q, sizeof q);
    memcpy(v, flyer_v, sizeof v);
    for (int i = 0; i < tree->bodies; ++i) mass += tree->body[i].mass;
    system_t* s = create_system(tree, g, flyer_tau);
    dense_evaluate(tree, q, v, s->force, g, &b->dense);
    dense_momentum(tree, &b->dense, linear, angular);
    centre_of_mass(tree, &b->dense, before);
    const double t = 0.5;
    simulate(s, 4, t, 4000, q, v);
    dense_evaluate(tree, q, v, s->force, g, &b->dense);
    dense_momentum(tree, &b->dense, linear_after, angular_after);
    centre_of_mass(tree, &b->dense, after);
    for (int k = 0; k < 3; ++k) {
      const double p = (double)linear[k];
      assert_near(linear_after[k], p + mass * g[k] * t, 1e-12 * 20.0);
      assert_near(after[k], before[k] + p / mass * t + 0.5 * g[k] * t * t, 1e-12);
      if (!gravity) assert_near(angular_after[k], angular[k], 1e-12 * 20.0);
    }
    free(s);
  }
}

// A wheel driven with torque T at the centre of a body that floats: the body turns against it with
// T / I_body, the wheel against the body with T / I_wheel + T / I_body.
static void test_wheel_torque_turns_body_back(void** state) {
  (void)state;
  randomTree t;
  t.body[0] = simple_body(-1, RUT_JOINT_FREE, 0.0, 0.0, 0.0);
  t.body[1] = simple_body(0, RUT_JOINT_HINGE, 0.0, 0.0, 0.0);
  t.body[1].rotor = 1;
  for (int i = 0; i < 2; ++i) {
    t.body[i].mass = 10.0 - 8.0 * i;
    for (int k = 0; k < 3; ++k) t.body[i].inertia[k] = i ? 0.5 : 4.0;
  }
  number_tree(&t, 2);
  double q[8] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0}, v[7] = {0.0};
  const double tau[7] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0};
  system_t* s = create_system(&t.tree, space, tau);
  simulate(s, 4, 2.0, 100, q, v);
  assert_near(v[1], -3.0 / 4.0 * 2.0, 1e-13);
  assert_near(v[6], (3.0 / 4.0 + 3.0 / 0.5) * 2.0, 1e-12);
  assert_near(4.0 * v[1] + 0.5 * (v[1] + v[6]), 0.0, 1e-13);
  // Half a turn counts from the angle -1/2 (T / I) t^2.
  assert_near(q[5], sin(0.5 * (-0.5 * 0.75 * 4.0)), 1e-12);
  free(s);
}

// ---------------------------------------------------------------------------------------------
// Planar vehicle

static void make_car(randomTree* t, double com_x) {
  t->body[0] = simple_body(-1, RUT_JOINT_PLANAR, 0.0, 0.0, 0.0);
  t->body[0].mass = 100.0;
  t->body[0].com[0] = com_x;
  t->body[0].inertia[2] = 50.0;
  t->body[1] = simple_body(0, RUT_JOINT_HINGE, 0.5, 0.3, 0.0);
  t->body[1].prescribed = 1;
  t->body[1].axis[1] = 0.0;
  t->body[1].axis[2] = 1.0;
  t->body[2] = simple_body(1, RUT_JOINT_HINGE, 0.0, 0.0, 0.0);
  t->body[3] = simple_body(0, RUT_JOINT_HINGE, 0.5, -0.3, 0.0);
  for (int i = 2; i < 4; ++i) {
    t->body[i].rotor = 1;
    t->body[i].mass = 5.0;
    t->body[i].inertia[0] = t->body[i].inertia[2] = 0.2;
    t->body[i].inertia[1] = 0.4;
  }
  number_tree(t, 4);
}

static void test_planar_force_and_yaw(void** state) {
  (void)state;
  randomTree t;
  make_car(&t, -2.0 * 5.0 * 0.5 / 100.0);  // so that the origin is the centre of all mass
  const double mass = 110.0, yaw = 0.7, steer = 0.4;
  const double inertia = 50.0 + 100.0 * 0.05 * 0.05 + 2.0 * (0.2 + 5.0 * (0.5 * 0.5 + 0.3 * 0.3));
  double q[6] = {3.0, -1.0, yaw, steer, 0.2, 0.9}, v[6] = {1.0, 2.0, 0.8, 0.3, 5.0, -4.0};
  double tau[6] = {0.0, 0.0, 0.0, 0.0, 0.6, 0.0}, force[24] = {0.0}, a[6], scratch[2000];
  rutMbdIn in = {1, q, v, tau, force, earth};
  assert_true(rut_mbd_scratch(&t.tree, 1) <= 2000);

  // A push of 20 N along the steered wheel, a moment of 2 N m that brakes the other.
  force[12 + 3] = 20.0;
  force[18 + 1] = -2.0;
  rut_mbd_forward_dynamics(&t.tree, &in, scratch, a);
  assert_near(a[0], 20.0 * cos(yaw + steer) / mass, 1e-14);
  assert_near(a[1], 20.0 * sin(yaw + steer) / mass, 1e-14);
  assert_near(a[2], 20.0 * (0.5 * sin(steer) - 0.3 * cos(steer)) / inertia, 1e-14);
  assert_near(a[3], 0.0, 0.0);
  assert_near(a[4], 0.6 / 0.4, 1e-14);
  assert_near(a[5], -2.0 / 0.4, 1e-14);

  // Joint forces of the root act in the axes of its mount; so does gravity on a tilted mount.
  memset(force, 0, sizeof force);
  tau[0] = 11.0;
  tau[1] = -22.0;
  tau[2] = 5.0;
  const double tilted[3] = {1.0, -2.0, -9.0};
  in.gravity = tilted;
  rut_mbd_forward_dynamics(&t.tree, &in, scratch, a);
  assert_near(a[0], 0.1 + 1.0, 1e-14);
  assert_near(a[1], -0.2 - 2.0, 1e-14);
  assert_near(a[2], 5.0 / inertia, 1e-14);
}

// Without forces the centre of mass keeps its velocity, and the origin beside it circles it.
static void test_planar_coasting(void** state) {
  (void)state;
  randomTree t;
  make_car(&t, 0.2);
  double q[6] = {0.0}, v[6] = {1.0, 0.5, 2.0, 0.0, 3.0, 3.0}, tau[6] = {0.0};
  const double x = (100.0 * 0.2 + 10.0 * 0.5) / 110.0, time = 1.3;
  system_t* s = create_system(&t.tree, earth, tau);
  simulate(s, 4, time, 1300, q, v);
  // Centre of mass: starts at (x, 0) with velocity (1, 0.5 + 2 x).
  assert_near(q[2], 2.0 * time, 1e-13);
  assert_near(q[0], x + time - x * cos(2.0 * time), 1e-11);
  assert_near(q[1], (0.5 + 2.0 * x) * time - x * sin(2.0 * time), 1e-11);
  assert_near(v[4], 3.0, 1e-13);
  free(s);
}

// ---------------------------------------------------------------------------------------------
// Integrators

// Position and speed of the flyer after a second, in a number of steps.
static void fly(int order, int steps, double out[19]) {
  randomTree t;
  make_flyer(&t);
  memcpy(out, flyer_q, sizeof flyer_q);
  memcpy(out + 10, flyer_v, sizeof flyer_v);
  system_t* s = create_system(&t.tree, earth, flyer_tau);
  simulate(s, order, 1.0, steps, out, out + 10);
  free(s);
}
// Errors shrink by 2^order when the step is halved (Richardson).
static double observed_order(int order, int steps) {
  double coarse[19], middle[19], fine[19], first = 0.0, second = 0.0;
  fly(order, steps, coarse);
  fly(order, 2 * steps, middle);
  fly(order, 4 * steps, fine);
  for (int i = 0; i < 19; ++i) {
    first += (coarse[i] - middle[i]) * (coarse[i] - middle[i]);
    second += (middle[i] - fine[i]) * (middle[i] - fine[i]);
  }
  return 0.5 * log2(first / second);
}
static void test_orders(void** state) {
  (void)state;
  assert_near(observed_order(1, 2000), 1.0, 0.1);
  assert_near(observed_order(4, 200), 4.0, 0.1);
}

static void test_quaternions_stay_of_unit_length(void** state) {
  (void)state;
  for (int order = 1; order <= 4; order += 3) {
    double out[19];
    fly(order, 5000, out);
    const double norm = sqrt(out[3] * out[3] + out[4] * out[4] + out[5] * out[5] + out[6] * out[6]);
    assert_near(norm, 1.0, 4e-16);
  }
}

// A harmonic slide: semi-implicit Euler keeps x^2 + v^2 - h x v (its shadow energy) exactly.
static void test_semi_implicit_euler_has_bounded_energy(void** state) {
  (void)state;
  randomTree t;
  t.body[0] = simple_body(-1, RUT_JOINT_SLIDE, 0.0, 0.0, 0.0);
  number_tree(&t, 1);
  double q = 1.0, v = 0.0;
  const double h = 0.1;
  for (int i = 0; i < 100000; ++i) {
    const double acceleration = -q;
    rut_mbd_advance_euler(&t.tree, 1, h, &acceleration, &q, &v);
  }
  assert_near(q * q + v * v - h * q * v, 1.0, 1e-11);
}

// A free body that spins flies straight under semi-implicit Euler too.
static void test_euler_keeps_free_flight_straight(void** state) {
  (void)state;
  randomTree t;
  t.body[0] = simple_body(-1, RUT_JOINT_FREE, 0.0, 0.0, 0.0);
  t.body[0].mass = 1.0;
  for (int k = 0; k < 3; ++k) t.body[0].inertia[k] = 1.0;
  number_tree(&t, 1);
  double q[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0}, v[6] = {1.0, 2.0, -3.0, 4.0, 5.0, 6.0};
  const double tau[6] = {0.0};
  system_t* s = create_system(&t.tree, space, tau);
  simulate(s, 1, 10.0, 1000, q, v);
  assert_near(q[0], 40.0, 1e-10);
  assert_near(q[1], 50.0, 1e-10);
  assert_near(q[2], 60.0, 1e-10);
  free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_accelerations_equal_dense_solution),
      cmocka_unit_test(test_planar_vehicles_equal_dense_solution),
      cmocka_unit_test(test_planar_vehicles_are_recognised),
      cmocka_unit_test(test_lanes_give_the_same_bits),
      cmocka_unit_test(test_plan_made_beforehand_gives_the_same_bits),
      cmocka_unit_test(test_poses_and_energy_equal_dense),
      cmocka_unit_test(test_pendulum_period),
      cmocka_unit_test(test_double_pendulum_keeps_energy),
      cmocka_unit_test(test_asymmetric_top),
      cmocka_unit_test(test_free_flight),
      cmocka_unit_test(test_wheel_torque_turns_body_back),
      cmocka_unit_test(test_planar_force_and_yaw),
      cmocka_unit_test(test_planar_coasting),
      cmocka_unit_test(test_orders),
      cmocka_unit_test(test_quaternions_stay_of_unit_length),
      cmocka_unit_test(test_semi_implicit_euler_has_bounded_energy),
      cmocka_unit_test(test_euler_keeps_free_flight_straight),
  };
  return cmocka_run_group_tests(tests, create_bench, destroy_bench);
}
