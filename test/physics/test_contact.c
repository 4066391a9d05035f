// SPDX-License-Identifier: BSD-3-Clause
//
// Contact, ground friction and joints against closed forms of rigid-body mechanics.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../unit/contact_fixture.h"
#include "assert_near.h"

static const double pi = 3.14159265358979323846;

// Two boxes of 1 m on the x axis, gap 0.2 m, closing at va - vb.
static world two_boxes(double ma, double mb, double va, double vb, double restitution) {
  world w = world_new(2, 2);
  w.body[0] = (rutBodyDef){ma, ma / 6, 0, 0};
  w.body[1] = (rutBodyDef){mb, mb / 6, 0, 0};
  world_box(&w, 0, 0, 0, 1, 1)->restitution = restitution;
  world_box(&w, 1, 0, 0, 1, 1);
  world_build(&w);
  w.at.x[1] = 1.2;
  w.at.vx[0] = va;
  w.at.vx[1] = vb;
  return w;
}

// v1' = v1 - (1 + e) m2 (v1 - v2) / (m1 + m2), and likewise for 2.
static void test_head_on_impact_follows_restitution(void** state) {
  (void)state;
  const double restitutions[] = {0, 0.3, 0.5, 1}, ma = 3, mb = 7, va = 4, vb = -1.5;
  for (int k = 0; k < 4; k++) {
    double e = restitutions[k];
    world w = two_boxes(ma, mb, va, vb, e);
    for (int i = 0; i < 100; i++) world_step(&w);
    double exchange = (1 + e) * (va - vb) / (ma + mb);
    assert_near(w.at.vx[0], va - mb * exchange, 1e-9);
    assert_near(w.at.vx[1], vb + ma * exchange, 1e-9);
    assert_near(w.at.rate[0], 0, 1e-9);
    assert_near(w.at.vy[1], 0, 1e-9);
    world_free(&w);
  }
}

// Slower than the threshold there is no bounce at all.
static void test_slow_impact_does_not_bounce(void** state) {
  (void)state;
  world w = two_boxes(2, 2, 0.4, -0.4, 1);
  for (int i = 0; i < 200; i++) world_step(&w);
  assert_near(w.at.vx[0], 0, 1e-9);
  assert_near(w.at.vx[1], 0, 1e-9);
  world_free(&w);
}

// Frictionless impact at one point, impulse j along n: (1 + e) v_n = j (1/m1 + 1/m2 + c1^2/I1 +
// ...).
static void test_eccentric_impact_turns_the_body(void** state) {
  (void)state;
  const double m = 5, inertia = 0.4, v = 3, e = 0.6, arm = 0.3;
  world w = world_new(1, 2);
  w.body[0] = (rutBodyDef){m, inertia, 0, 0};
  // a nose at (0.5, 0.3) is the first thing to meet the wall
  double nose[6] = {-0.5, -0.5, 0.5, arm, -0.5, 0.5};
  world_prism(&w, 0, 3, nose)->restitution = e;
  world_box(&w, -1, 2.5, 0, 1, 20);
  world_build(&w);
  w.at.vx[0] = v;
  for (int i = 0; i < 200 && w.at.vx[0] == v; i++) world_step(&w);
  double j = (1 + e) * v / (1 / m + arm * arm / inertia);
  assert_near(w.at.vx[0], v - j / m, 1e-9);
  assert_near(w.at.rate[0], j * arm / inertia, 1e-9);
  world_free(&w);
}

static void momentum(const world* w, double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int i = 0; i < w->at.n; i++) {
    double m = w->body[i].mass, px = m * w->at.vx[i], py = m * w->at.vy[i];
    out[0] += px;
    out[1] += py;
    out[2] += w->at.x[i] * py - w->at.y[i] * px + w->body[i].inertia * w->at.rate[i];
  }
}

// A crowd of tumbling boxes: impulses between bodies conserve linear and angular momentum, and no
// impulse adds energy, whatever friction and restitution are.
static void test_crowd_conserves_momentum_and_never_gains_energy(void** state) {
  (void)state;
  enum { N = 40 };
  uint64_t seed = 7;
  for (int round = 0; round < 3; round++) {
    world w = world_new(N, N);
    for (int i = 0; i < N; i++) {
      double m = 1 + 9 * random_unit(&seed);
      w.body[i] = (rutBodyDef){m, m * 0.1, 0, 0};
      rutPrismDef* p = world_box(&w, i, 0, 0, 0.6 + 0.4 * random_unit(&seed), 0.6);
      p->friction = 0.3 * round;
      p->restitution = 0.5 * round;
    }
    world_build(&w);
    for (int i = 0; i < N; i++) {
      w.at.x[i] = i % 7;
      w.at.y[i] = i / 7;
      w.at.yaw[i] = 6 * random_unit(&seed);
      w.at.vx[i] = 3 * (3 - w.at.x[i]) * random_unit(&seed);
      w.at.vy[i] = 3 * (3 - w.at.y[i]) * random_unit(&seed);
      w.at.rate[i] = 4 * random_unit(&seed) - 2;
    }
    int touched = 0;
    for (int k = 0; k < 400; k++) {
      double before[3], after[3], energy = world_energy(&w);
      momentum(&w, before);
      rutBodies* b = &w.at;
      rut_contact_index(w.model, w.state, b);
      rut_contact_begin(w.model, w.state, w.dt, b);
      for (int t = 0; t < rut_contact_tiles(w.model); t++) {
        rut_contact_look(w.model, w.state, b, t);
      }
      rut_contact_solve(w.model, w.state, w.dt, w.time, b);
      momentum(&w, after);
      for (int c = 0; c < 3; c++) assert_near(before[c], after[c], 1e-9);
      assert_true(world_energy(&w) <= energy * (1 + 1e-9));
      int n;
      rut_contact_list(w.state, &n);
      touched += n;
      for (int i = 0; i < N; i++) {
        b->x[i] += w.dt * b->vx[i];
        b->y[i] += w.dt * b->vy[i];
        b->yaw[i] += w.dt * b->rate[i];
      }
      rut_contact_correct(w.model, w.state, b);
    }
    assert_true(touched > 100);
    world_free(&w);
  }
}

// Stops after v^2 / (2 mu g) and v / (mu g); the time step adds at most v dt.
static void test_sliding_block_stops_by_coulomb_friction(void** state) {
  (void)state;
  const double mu = 0.5, g = 9.81, v = 3;
  world w = world_new(1, 1);
  w.body[0] = (rutBodyDef){30, 5, mu, 0.4};
  world_box(&w, 0, 0, 0, 1, 1);
  world_build(&w);
  w.at.vx[0] = v * 0.6;
  w.at.vy[0] = v * 0.8;
  world_step(&w);
  assert_near(hypot(w.at.vx[0], w.at.vy[0]), v - mu * g * w.dt, 1e-12);
  for (int i = 0; i < 400; i++) world_step(&w);
  assert_near(hypot(w.at.x[0], w.at.y[0]), v * v / (2 * mu * g), v * w.dt);
  assert_near(w.at.y[0] / w.at.x[0], 0.8 / 0.6, 1e-9);
  assert_true(w.at.vx[0] == 0 && w.at.vy[0] == 0);
  // at rest it stays exactly where it is
  double x = w.at.x[0], y = w.at.y[0];
  for (int i = 0; i < 1000; i++) world_step(&w);
  assert_true(w.at.x[0] == x && w.at.y[0] == y && w.at.yaw[0] == 0);
  world_free(&w);
}

// Turning block: angular deceleration mu m g r / I.
static void test_turning_block_stops_by_ground_torque(void** state) {
  (void)state;
  const double mu = 0.4, g = 9.81, m = 20, inertia = 3, r = 0.35, rate = 5;
  world w = world_new(1, 1);
  w.body[0] = (rutBodyDef){m, inertia, mu, r};
  world_box(&w, 0, 0, 0, 1, 1);
  world_build(&w);
  w.at.rate[0] = rate;
  double slow = mu * m * g * r / inertia;
  world_step(&w);
  assert_near(w.at.rate[0], rate - slow * w.dt, 1e-12);
  for (int i = 0; i < 400; i++) world_step(&w);
  assert_near(w.at.yaw[0], rate * rate / (2 * slow), rate * w.dt);
  assert_true(w.at.rate[0] == 0);
  world_free(&w);
}

// A force below mu m g does not move a block, one above accelerates it by F / m - mu g.
static void test_block_holds_up_to_its_friction(void** state) {
  (void)state;
  const double mu = 0.5, g = 9.81, m = 10;
  for (int k = 0; k < 2; k++) {
    double force = (k ? 1.5 : 0.99) * mu * m * g;
    world w = world_new(1, 1);
    w.body[0] = (rutBodyDef){m, 2, mu, 0.3};
    world_box(&w, 0, 0, 0, 1, 1);
    world_build(&w);
    for (int i = 0; i < 200; i++) {
      w.at.vx[0] += w.dt * force / m;
      world_step(&w);
    }
    assert_near(w.at.vx[0], k ? 0.5 * mu * g * 1.0 : 0, 1e-9);
    world_free(&w);
  }
}

// A body pushed against a wall comes to rest with no more than the slop of overlap, and does not
// jitter. Friction holds a lateral force below mu N and lets the rest of a larger one through.
static void test_pushed_against_a_wall(void** state) {
  (void)state;
  const double m = 20, push = 100, mu = 0.5;
  for (int k = 0; k < 2; k++) {
    double side = (k ? 1.6 : 0.9) * mu * push;
    world w = world_new(1, 3);
    w.body[0] = (rutBodyDef){m, 1, 0, 0};
    world_box(&w, 0, 0, 0, 0.8, 0.5)->friction = mu;
    world_box(&w, 0, 0.1, 0, 0.6, 0.5)->friction = mu;
    world_box(&w, -1, 1.5, 0, 1, 40)->friction = mu;
    world_build(&w);
    double x = 0;
    for (int i = 0; i < 800; i++) {
      w.at.vx[0] += w.dt * push / m;
      if (i >= 400) w.at.vy[0] += w.dt * side / m;
      if (i == 400) x = w.at.x[0];
      world_step(&w);
    }
    assert_near(w.at.x[0], x, 1e-6);
    assert_true(w.at.x[0] - 0.6 > -1e-3 && w.at.x[0] - 0.6 < 0.0055);
    assert_near(w.at.vx[0], 0, 1e-9);
    assert_near(w.at.vy[0], k ? 2.0 * (side - mu * push) / m : 0, 1e-3);
    assert_near(w.at.yaw[0], 0, 1e-6);
    world_free(&w);
  }
}

// A row of boxes pressed against a wall: every contact carries the whole force, none sinks in.
static void test_pressed_row_stays_in_order(void** state) {
  (void)state;
  enum { N = 5 };
  world w = world_new(N, N + 1);
  for (int i = 0; i < N; i++) {
    w.body[i] = (rutBodyDef){10, 2, 0, 0};
    world_box(&w, i, 0, 0, 1, 1);
  }
  world_box(&w, -1, -1, 0, 1, 10);
  world_build(&w);
  for (int i = 0; i < N; i++) w.at.x[i] = i + 0.01 * i;
  for (int k = 0; k < 2000; k++) {
    w.at.vx[N - 1] -= w.dt * 50 / 10;
    world_step(&w);
  }
  for (int i = 0; i < N; i++) {
    assert_near(w.at.x[i], i - 0.5, 0.52);
    double gap = i ? w.at.x[i] - w.at.x[i - 1] - 1 : w.at.x[0];
    assert_true(gap > -0.0065 && gap < 0.001);
    assert_near(w.at.vx[i], 0, 1e-3);
  }
  int n;
  const rutContact* c = rut_contact_list(w.state, &n);
  assert_int_equal(n, N);
  for (int i = 0; i < n; i++) assert_near(c[i].impulse, 50 * w.dt, 0.05 * 50 * w.dt);
  world_free(&w);
}

// However thin the wall and however fast the body, it stops at the face that it meets.
static void test_nothing_tunnels(void** state) {
  (void)state;
  const double speeds[] = {2, 20, 150}, steps[] = {0.005, 0.005, 0.01};
  for (int k = 0; k < 3; k++) {
    world w = world_new(1, 2);
    w.dt = steps[k];
    w.body[0] = (rutBodyDef){15, 1, 0, 0};
    world_box(&w, 0, 0, 0, 0.6, 0.4);
    world_box(&w, -1, 10.01, 0, 0.02, 4);
    world_build(&w);
    w.at.vx[0] = speeds[k];
    for (int i = 0; i < (int)(12 / (speeds[k] * w.dt)); i++) world_step(&w);
    assert_near(w.at.x[0], 10 - 0.3, 1e-3);
    assert_near(w.at.vx[0], 0, 1e-9);
    world_free(&w);
  }
}

// Two fast bodies meet head-on, also when each would jump over the other in one step.
static void test_fast_bodies_do_not_pass_each_other(void** state) {
  (void)state;
  world w = two_boxes(1, 1, 400, -400, 0);
  w.at.x[1] = 10;
  for (int i = 0; i < 20; i++) world_step(&w);
  assert_near(w.at.vx[0], 0, 1e-9);
  assert_near(w.at.x[1] - w.at.x[0], 1, 1e-3);
  world_free(&w);
}

// A two-wheeled trailer's pin holds while the truck swerves at speed.
static void test_trailer_pin_holds(void** state) {
  (void)state;
  world w = world_new(2, 2);
  w.body[0] = (rutBodyDef){46, 3, 0, 0};
  w.body[1] = (rutBodyDef){18, 1, 0, 0};
  world_box(&w, 0, 0, 0, 0.7, 0.4);
  world_box(&w, 1, 0, 0, 0.6, 0.4);
  w.joint[0] =
      (rutPlanarJointDef){.body_a = 0, .body_b = 1, .anchor_a = {-0.6, 0}, .anchor_b = {0.6, 0}};
  w.def.joints = 1;
  world_build(&w);
  w.at.x[1] = -1.2;
  double worst = 0;
  for (int i = 0; i < 2000; i++) {
    double t = w.time, yaw = w.at.yaw[0];
    // the truck is driven at 10 m/s through a slalom, the trailer's wheels resist sliding sideways
    w.at.rate[0] = 1.5 * sin(2 * t);
    w.at.vx[0] = 10 * cos(yaw);
    w.at.vy[0] = 10 * sin(yaw);
    double s = sin(w.at.yaw[1]), c = cos(w.at.yaw[1]);
    double lateral = -s * w.at.vx[1] + c * w.at.vy[1];
    w.at.vx[1] += s * lateral;
    w.at.vy[1] -= c * lateral;
    world_step(&w);
    double dx = w.at.x[0] - 0.6 * cos(w.at.yaw[0]) - w.at.x[1] - 0.6 * cos(w.at.yaw[1]);
    double dy = w.at.y[0] - 0.6 * sin(w.at.yaw[0]) - w.at.y[1] - 0.6 * sin(w.at.yaw[1]);
    worst = fmax(worst, hypot(dx, dy));
  }
  assert_true(worst < 1e-3);
  assert_true(hypot(w.at.x[0], w.at.y[0]) > 10);
  world_free(&w);
}

// A bar on a pin in the plane turns for ever: period 2 pi / rate, energy kept. (With the constraint
// taken at the start of the step only, it would lose a quarter of its energy in these ten turns.)
static void test_pinned_bar_keeps_turning(void** state) {
  (void)state;
  const double rate = 2, arm = 0.5;
  world w = world_new(1, 1);
  w.body[0] = (rutBodyDef){4, 1, 0, 0};
  world_box(&w, 0, 0, 0, 1, 0.1);
  w.joint[0] =
      (rutPlanarJointDef){.body_a = -1, .body_b = 0, .anchor_a = {3, 4}, .anchor_b = {-arm, 0}};
  w.def.joints = 1;
  world_build(&w);
  w.at.x[0] = 3 + arm;
  w.at.y[0] = 4;
  w.at.vy[0] = rate * arm;
  w.at.rate[0] = rate;
  double energy = world_energy(&w);
  int steps = (int)(10 * 2 * pi / rate / w.dt);
  for (int i = 0; i < steps; i++) {
    world_step(&w);
    assert_near(world_energy(&w) / energy, 1, 1e-4);
    assert_near(hypot(w.at.x[0] - 3, w.at.y[0] - 4), arm, 1e-5);
  }
  assert_near(w.at.yaw[0], rate * steps * w.dt, 1e-3);
  world_free(&w);
}

// Two bars pinned together at their ends, floating free: energy, and momentum about every axis.
static void test_pinned_pair_floats_free(void** state) {
  (void)state;
  world w = world_new(2, 2);
  for (int i = 0; i < 2; i++) {
    w.body[i] = (rutBodyDef){4 + 3 * i, 0.5, 0, 0};
    world_box(&w, i, 0, 0, 1, 0.1);
  }
  w.joint[0] =
      (rutPlanarJointDef){.body_a = 0, .body_b = 1, .anchor_a = {0.5, 0}, .anchor_b = {-0.5, 0}};
  w.def.joints = 1;
  world_build(&w);
  w.at.x[1] = 1;
  w.at.vx[0] = w.at.vx[1] = 0.3;
  // turning about the pin in opposite senses, so that it starts at rest
  w.at.rate[0] = 3;
  w.at.vy[0] = -1.5;
  w.at.rate[1] = -2;
  w.at.vy[1] = -1;
  double energy = world_energy(&w), before[3], after[3];
  momentum(&w, before);
  for (int i = 0; i < 2000; i++) world_step(&w);
  momentum(&w, after);
  assert_near(world_energy(&w) / energy, 1, 2e-2);
  assert_near(after[0], before[0], 1e-9);
  assert_near(after[1], before[1], 1e-9);
  assert_near(after[2], before[2], 1e-2 * fabs(before[2]));
  world_free(&w);
}

// Limits stop the arm at their angle, on both sides, also a turn further on.
static void test_pin_limits_hold(void** state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    double turn = k & 2 ? 2 * pi : 0, rate = k & 1 ? 3 : -3;
    world w = world_new(1, 1);
    w.body[0] = (rutBodyDef){4, 1, 0, 0};
    world_box(&w, 0, 0, 0, 1, 0.1);
    w.joint[0] =
        (rutPlanarJointDef){.body_a = -1, .body_b = 0, .limited = 1, .lower = -0.5, .upper = 0.8};
    w.def.joints = 1;
    world_build(&w);
    w.at.yaw[0] = turn;
    w.at.rate[0] = rate;
    for (int i = 0; i < 400; i++) world_step(&w);
    assert_near(w.at.yaw[0], turn + (k & 1 ? 0.8 : -0.5), 1e-6);
    assert_near(w.at.rate[0], 0, 1e-9);
    world_free(&w);
  }
}

// A slack rope does nothing; a taut one stops the part of the motion along it and nothing else.
static void test_rope_goes_taut(void** state) {
  (void)state;
  world w = world_new(1, 1);
  w.body[0] = (rutBodyDef){4, 1, 0, 0};
  world_box(&w, 0, 0, 0, 0.2, 0.2);
  w.joint[0] = (rutPlanarJointDef){.distance = 1, .body_a = -1, .body_b = 0, .max_length = 2};
  w.def.joints = 1;
  world_build(&w);
  w.at.vx[0] = 1;
  for (int i = 0; i < 390; i++) world_step(&w);
  assert_near(w.at.x[0], 1.95, 1e-9);
  assert_near(w.at.vx[0], 1, 1e-12);
  double worst = 0;
  w.at.vy[0] = 0.5;
  for (int i = 0; i < 1000; i++) {
    world_step(&w);
    worst = fmax(worst, hypot(w.at.x[0], w.at.y[0]));
  }
  assert_true(worst < 2 + 1e-3);
  // on the circle, with what was left of the sideways motion
  assert_near(hypot(w.at.x[0], w.at.y[0]), 2, 1e-3);
  assert_near(hypot(w.at.vx[0], w.at.vy[0]), 0.5, 0.03);
  world_free(&w);
}

// Undamped spring on a rail: period 2 pi sqrt(m / k); the implicit law may lose energy, never gain.
static void test_spring_period(void** state) {
  (void)state;
  const double m = 2, k = 50;
  world w = world_new(1, 1);
  w.dt = 0.001;
  w.body[0] = (rutBodyDef){m, 1, 0, 0};
  world_box(&w, 0, 0, 0, 0.2, 0.2);
  w.joint[0] = (rutPlanarJointDef){.distance = 1,
                                   .body_a = -1,
                                   .body_b = 0,
                                   .min_length = 0.1,
                                   .max_length = 5,
                                   .stiffness = k,
                                   .rest_length = 1};
  w.def.joints = 1;
  world_build(&w);
  w.at.x[0] = 1.3;
  int crossings = 0;
  double first = 0, last = 0, before = 0.3, most = 0;
  for (int i = 0; i < 5000; i++) {
    world_step(&w);
    double now = w.at.x[0] - 1;
    most = fmax(most, fabs(now));
    if (before > 0 && now <= 0) {
      double t = w.time - w.dt * now / (now - before);
      if (crossings++ == 0) first = t;
      last = t;
    }
    before = now;
  }
  assert_near((last - first) / (crossings - 1), 2 * pi * sqrt(m / k), 2e-3);
  assert_true(most <= 0.3);
  world_free(&w);
}

// A rod keeps its length exactly as a rope and a strut would together.
static void test_rod_keeps_length(void** state) {
  (void)state;
  world w = world_new(2, 2);
  for (int i = 0; i < 2; i++) {
    w.body[i] = (rutBodyDef){3 + i, 0.5, 0, 0};
    world_box(&w, i, 0, 0, 0.3, 0.3);
  }
  w.joint[0] = (rutPlanarJointDef){.distance = 1,
                                   .body_a = 0,
                                   .body_b = 1,
                                   .anchor_a = {0.1, 0},
                                   .min_length = 1.5,
                                   .max_length = 1.5};
  w.def.joints = 1;
  world_build(&w);
  w.at.x[1] = 1.6;
  w.at.vy[0] = 2;
  w.at.vx[1] = -1;
  for (int i = 0; i < 1000; i++) {
    world_step(&w);
    double ax = w.at.x[0] + 0.1 * cos(w.at.yaw[0]), ay = w.at.y[0] + 0.1 * sin(w.at.yaw[0]);
    assert_near(hypot(w.at.x[1] - ax, w.at.y[1] - ay), 1.5, 1e-3);
  }
  world_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_head_on_impact_follows_restitution),
      cmocka_unit_test(test_slow_impact_does_not_bounce),
      cmocka_unit_test(test_eccentric_impact_turns_the_body),
      cmocka_unit_test(test_crowd_conserves_momentum_and_never_gains_energy),
      cmocka_unit_test(test_sliding_block_stops_by_coulomb_friction),
      cmocka_unit_test(test_turning_block_stops_by_ground_torque),
      cmocka_unit_test(test_block_holds_up_to_its_friction),
      cmocka_unit_test(test_pushed_against_a_wall),
      cmocka_unit_test(test_pressed_row_stays_in_order),
      cmocka_unit_test(test_nothing_tunnels),
      cmocka_unit_test(test_fast_bodies_do_not_pass_each_other),
      cmocka_unit_test(test_trailer_pin_holds),
      cmocka_unit_test(test_pinned_bar_keeps_turning),
      cmocka_unit_test(test_pinned_pair_floats_free),
      cmocka_unit_test(test_pin_limits_hold),
      cmocka_unit_test(test_rope_goes_taut),
      cmocka_unit_test(test_spring_period),
      cmocka_unit_test(test_rod_keeps_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
