// SPDX-License-Identifier: BSD-3-Clause
//
// The closed form of a chassis with sliding wheel carriers, against the articulated-body algorithm
// for every tree.
#include "mbd/sliders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "math/rut_math.h"
#include "mbd/tree.h"
#include "random_tree.h"

// Carriers fill one tile of eight and a part of the next.
enum { WHEELS = 12, N = 16 };

static const double chassis_mass = 120, chassis_inertia[6] = {12, 30, 35, 1, -2, 0.5};

typedef struct Case {
  rutSliders vehicle;
  rutSlidersIn in;
  double number[40][N];  // constants and inputs, one row each
  double lane[16];
  double steer[WHEELS];
} Case;

static double between(uint64_t* seed, double low, double high) {
  return random_number(seed, low, high);
}

static void make_case(uint64_t* seed, Case* c) {
  memset(c, 0, sizeof *c);
  for (int r = 0; r < 40; r++) {
    for (int i = 0; i < N; i++) c->number[r][i] = between(seed, -1, 1);
  }
  for (int i = 0; i < 16; i++) c->lane[i] = between(seed, -2, 2);
  double(*x)[N] = c->number;
  for (int i = 0; i < N; i++) {
    x[3][i] = 1;                      // slides
    x[4][i] = between(seed, 5, 50);   // mass
    x[5][i] = between(seed, 0.1, 2);  // spin
    x[6][i] = between(seed, 0.1, 1);  // transverse
    const double steer = between(seed, -1, 1);
    if (i < WHEELS) c->steer[i] = steer;
    x[9][i] = -rut_sin(steer);
    x[10][i] = rut_cos(steer);
    x[11][i] = between(seed, -20, 20);  // spin
    x[28][i] = x[11][i] * x[5][i];
    x[33][i] = 0;                               // coupling
    for (int r = 20; r < 28; r++) x[r][i] = 0;  // soft, W and held
  }
  c->vehicle = (rutSliders){.wheels = WHEELS,
                            .lanes = 1,
                            .n = N,
                            .mass = &chassis_mass,
                            .inertia = chassis_inertia,
                            .x = x[0],
                            .y = x[1],
                            .z = x[2],
                            .slides = x[3],
                            .wheel_mass = x[4],
                            .spin = x[5],
                            .transverse = x[6]};
  c->in = (rutSlidersIn){.chassis = {c->lane, c->lane + 3, c->lane + 6, c->lane + 9, NULL},
                         .position = x[7],
                         .speed = x[8],
                         .stride = RUT_SLIDERS_TILE,
                         .axis_x = x[9],
                         .axis_y = x[10],
                         .wheel.momentum = x[28],
                         .wheel.held = x[27],
                         .wheel.coupling = x[33],
                         .wheel.along_x = x[30],
                         .wheel.along_y = x[31],
                         .wheel.along_z = x[32],
                         .wheel.fx = x[12],
                         .wheel.fy = x[13],
                         .wheel.fz = x[14],
                         .wheel.mx = x[15],
                         .wheel.my = x[16],
                         .wheel.mz = x[17],
                         .wheel.torque = x[18],
                         .wheel.lift = x[19],
                         .wheel.soft = x[20],
                         .wheel.wxx = x[21],
                         .wheel.wyy = x[22],
                         .wheel.wzz = x[23],
                         .wheel.wxy = x[24],
                         .wheel.wxz = x[25],
                         .wheel.wyz = x[26]};
}

typedef struct Answer {
  double alpha[3], acceleration[3], slide[N], hub[3][N];
} Answer;

static void closed_form(const Case* c, Answer* a) {
  double* scratch = malloc(rut_sliders_scratch(&c->vehicle) * sizeof *scratch);
  const rutSlidersOut out = {a->alpha, a->acceleration, a->slide, a->hub[0], a->hub[1], a->hub[2]};
  rut_sliders_accelerate(&c->vehicle, &c->in, scratch, &out);
  free(scratch);
}

// The same vehicle as a tree: free root, a massless slide and a rotor for each wheel.
static void as_tree(const Case* c, rutMbdBody body[1 + 2 * WHEELS], rutMbdTree* tree) {
  memset(body, 0, (1 + 2 * WHEELS) * sizeof *body);
  const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  body[0] = (rutMbdBody){.parent = -1, .joint = RUT_JOINT_FREE, .mass = chassis_mass};
  memcpy(body[0].mount_rotation, one, sizeof one);
  memcpy(body[0].inertia, c->vehicle.inertia, sizeof body[0].inertia);
  for (int w = 0; w < WHEELS; w++) {
    rutMbdBody *slide = &body[1 + 2 * w], *wheel = slide + 1;
    *slide = (rutMbdBody){.parent = 0,
                          .joint = RUT_JOINT_SLIDE,
                          .position = 7 + 2 * w,
                          .speed = 6 + 2 * w,
                          .axis = {0, 0, 1}};
    slide->mount_position[0] = c->vehicle.x[w];
    slide->mount_position[1] = c->vehicle.y[w];
    slide->mount_position[2] = c->vehicle.z[w];
    memcpy(slide->mount_rotation, one, sizeof one);
    const double s = rut_sin(c->steer[w]), k = rut_cos(c->steer[w]);
    const double turned[9] = {k, -s, 0, s, k, 0, 0, 0, 1};
    *wheel = (rutMbdBody){.parent = 1 + 2 * w,
                          .joint = RUT_JOINT_HINGE,
                          .rotor = 1,
                          .position = 8 + 2 * w,
                          .speed = 7 + 2 * w,
                          .axis = {0, 1, 0},
                          .mass = c->vehicle.wheel_mass[w]};
    memcpy(wheel->mount_rotation, turned, sizeof turned);
    wheel->inertia[0] = wheel->inertia[2] = c->vehicle.transverse[w];
    wheel->inertia[1] = c->vehicle.spin[w];
  }
  *tree = (rutMbdTree){1 + 2 * WHEELS, 7 + 2 * WHEELS, 6 + 2 * WHEELS, body};
}

static void test_against_tree(void** state) {
  (void)state;
  uint64_t seed = 7;
  for (int trial = 0; trial < 200; trial++) {
    Case c;
    make_case(&seed, &c);
    Answer a;
    closed_form(&c, &a);

    rutMbdBody body[1 + 2 * WHEELS];
    rutMbdTree tree;
    as_tree(&c, body, &tree);
    double q[7 + 2 * WHEELS] = {0}, v[6 + 2 * WHEELS] = {0}, tau[6 + 2 * WHEELS] = {0};
    double force[6 * (1 + 2 * WHEELS)] = {0}, rate[6 + 2 * WHEELS];
    q[3] = 1;
    memcpy(v, c.in.chassis.omega, 3 * sizeof *v);
    for (int i = 0; i < 3; i++) {
      force[i] = c.in.chassis.moment[i];
      force[3 + i] = c.in.chassis.force[i];
      v[3 + i] = c.lane[12 + i];
    }
    for (int w = 0; w < WHEELS; w++) {
      q[7 + 2 * w] = c.in.position[w];
      v[6 + 2 * w] = c.in.speed[w];
      const double carried = v[0] * c.in.axis_x[w] + v[1] * c.in.axis_y[w];
      v[7 + 2 * w] = c.number[11][w] - carried;
      tau[6 + 2 * w] = c.in.wheel.lift[w];
      tau[7 + 2 * w] = c.in.wheel.torque[w];
      // into the wheel's own axes
      double* f = force + 6 * (2 + 2 * w);
      const double s = rut_sin(c.steer[w]), k = rut_cos(c.steer[w]);
      f[0] = k * c.in.wheel.mx[w] + s * c.in.wheel.my[w];
      f[1] = -s * c.in.wheel.mx[w] + k * c.in.wheel.my[w];
      f[2] = c.in.wheel.mz[w];
      f[3] = k * c.in.wheel.fx[w] + s * c.in.wheel.fy[w];
      f[4] = -s * c.in.wheel.fx[w] + k * c.in.wheel.fy[w];
      f[5] = c.in.wheel.fz[w];
    }
    double* scratch = malloc(rut_mbd_scratch(&tree, 1) * sizeof *scratch);
    const rutMbdIn in = {1, q, v, tau, force, c.in.chassis.gravity};
    rut_mbd_forward_dynamics(&tree, &in, scratch, rate);
    free(scratch);
    // the tree's linear acceleration is the rate of body components: add omega x v
    const double* o = v;
    const double linear[3] = {rate[3] + o[1] * v[5] - o[2] * v[4],
                              rate[4] + o[2] * v[3] - o[0] * v[5],
                              rate[5] + o[0] * v[4] - o[1] * v[3]};
    for (int i = 0; i < 3; i++) {
      assert_near(a.alpha[i], rate[i], 1e-10 * (1 + rut_abs(rate[i])));
      assert_near(a.acceleration[i], linear[i], 1e-10 * (1 + rut_abs(linear[i])));
    }
    for (int w = 0; w < WHEELS; w++) {
      assert_near(a.slide[w], rate[6 + 2 * w], 1e-10 * (1 + rut_abs(rate[6 + 2 * w])));
      // the spin is the caller's: moments along the axis over the inertia
      const double along = c.in.wheel.mx[w] * c.in.axis_x[w] + c.in.wheel.my[w] * c.in.axis_y[w];
      const double spin = (along + c.in.wheel.torque[w]) / c.vehicle.spin[w];
      const double carried = a.alpha[0] * c.in.axis_x[w] + a.alpha[1] * c.in.axis_y[w];
      assert_near(spin - carried, rate[7 + 2 * w], 1e-9 * (1 + rut_abs(spin)));
    }
  }
}

// W, the slide's softness and the coupling only stand for forces that follow the accelerations.
static void compare_soft_forces(uint64_t seed, bool coupled) {
  for (int trial = 0; trial < 100; trial++) {
    Case c;
    make_case(&seed, &c);
    c.in.wheel.coupling = c.number[coupled ? 29 : 33];
    double w[N][6], soft[N];
    for (int i = 0; i < N; i++) {
      // a positive semidefinite matrix
      const double a = between(&seed, -3, 3), b = between(&seed, -3, 3), d = between(&seed, -3, 3);
      const double part[6] = {a * a, b * b, d * d, a * b, a * d, b * d};
      memcpy(w[i], part, sizeof part);
      soft[i] = between(&seed, 0, 30);
      for (int k = 0; k < 6; k++) c.number[21 + k][i] = w[i][k];
      c.number[20][i] = soft[i];
    }
    Answer a, b;
    closed_form(&c, &a);
    for (int i = 0; i < N; i++) {
      const double x = a.hub[0][i], y = a.hub[1][i], z = a.hub[2][i];
      c.number[12][i] -= w[i][0] * x + w[i][3] * y + w[i][4] * z;
      c.number[13][i] -= w[i][3] * x + w[i][1] * y + w[i][5] * z;
      c.number[14][i] -= w[i][4] * x + w[i][5] * y + w[i][2] * z;
      c.number[19][i] -= soft[i] * a.slide[i];
      if (coupled) {
        const double turn = a.alpha[0] * c.in.axis_x[i] + a.alpha[1] * c.in.axis_y[i];
        const double k = c.number[29][i],
                     along[3] = {c.number[30][i], c.number[31][i], c.number[32][i]};
        for (int m = 0; m < 3; m++) c.number[12 + m][i] += k * along[m] * turn;
        c.number[18][i] -= k * (along[0] * x + along[1] * y + along[2] * z);
      }
      for (int k = 0; k < 6; k++) c.number[21 + k][i] = 0;
      c.number[20][i] = 0;
    }
    c.in.wheel.coupling = c.number[33];
    closed_form(&c, &b);
    for (int i = 0; i < 3; i++) {
      assert_near(a.alpha[i], b.alpha[i], 1e-9 * (1 + rut_abs(b.alpha[i])));
      assert_near(a.acceleration[i], b.acceleration[i], 1e-9 * (1 + rut_abs(b.acceleration[i])));
    }
    for (int i = 0; i < WHEELS; i++)
      assert_near(a.slide[i], b.slide[i], 1e-9 * (1 + rut_abs(b.slide[i])));
  }
}

static void test_soft_forces(void** state) {
  (void)state;
  compare_soft_forces(11, false);
}
static void test_coupling(void** state) {
  (void)state;
  compare_soft_forces(12, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_tree),
      cmocka_unit_test(test_soft_forces),
      cmocka_unit_test(test_coupling),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
