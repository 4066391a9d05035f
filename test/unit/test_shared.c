// SPDX-License-Identifier: BSD-3-Clause
//
// Shared control: at the ends of its authority the same bits as each of those that it blends, in
// between a convex mean; authority is monotone in each threat, with the Lipschitz constants of its
// maps, within its rates and hysteresis; different sides of an obstacle are never averaged. What is
// foreseen is exact in a steady bend, forwards and backwards, for the whole vehicle.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../repetitions.h"
#include "assert_near.h"
#include "sim/compile/vehicle_numbers.h"
#include "world_fixture.h"

extern const rutControllerType rut_controller_shared;
static const rutControllerType* const shared = &rut_controller_shared;

enum { NUMBERS = 512, ROWS = 64, WHEELS = 4 };
enum { LINEAR, SMOOTH, POWER };
static const double BASE = 3;

static double uniform(uint64_t* seed, double low, double high) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

// ---- on a bench ----

typedef struct Asked {
  double demand, steer, brake;
} Asked;

typedef struct Bench {
  double param[NUMBERS], state[ROWS];
  int used;
  double x, y, yaw, v, vy, yaw_rate, authority, load[WHEELS], dt, front, rear;
  double steer_x;
  Asked human, automation, out;
} Bench;

static double* field(Bench* b, const char* name) {
  for (int i = 0; i < shared->base.fields; i++) {
    if (strcmp(shared->base.field[i].name, name) == 0) return &b->param[i];
  }
  fail_msg("no field %s", name);
  return NULL;
}
static void set(Bench* b, const char* name, double value) { *field(b, name) = value; }
static void set_list(Bench* b, const char* name, int n, const double* numbers) {
  set(b, name, b->used);
  b->param[b->used++] = n;
  for (int i = 0; i < n; i++) b->param[b->used++] = numbers[i];
}
static double* row(Bench* b, const char* name) {
  for (int i = 0; i < shared->base.states; i++) {
    if (strcmp(shared->base.state[i].name, name) == 0) return &b->state[i];
  }
  fail_msg("no row %s", name);
  return NULL;
}

// How far it reaches ahead, behind, to the left and to the right.
static void set_reach(Bench* b, const double reach[4]) {
  static const char* const names[] = {"reach_front", "reach_rear", "reach_left", "reach_right"};
  for (int k = 0; k < 4; k++) set(b, names[k], reach[k]);
}

// Without limits of rates, hysteresis and threats.
static Bench plain(void) {
  static const char* const threats[] = {"slip",     "acceleration", "lift",
                                        "transfer", "lane",         "collision"};
  Bench b = {.used = shared->base.fields,
             .dt = 0.01,
             .v = 10,
             .front = 1.5,
             .rear = -1.5,
             .steer_x = -1.5};
  for (int i = 0; i < shared->base.fields; i++) b.param[i] = shared->base.field[i].def;
  set_list(&b, "points", 0, NULL);
  set_list(&b, "obstacles", 0, NULL);
  for (int i = 0; i < RUT_COUNT_OF(threats); i++) {
    char name[32];
    snprintf(name, sizeof name, "%s_from", threats[i]);
    set(&b, name, 0);
    snprintf(name, sizeof name, "%s_to", threats[i]);
    set(&b, name, 0);
  }
  set(&b, "rate_up", 0);
  set(&b, "rate_down", 0);
  set(&b, "engage", 2);
  for (int w = 0; w < WHEELS; w++) b.load[w] = 4000;
  return b;
}

static void update(Bench* b) {
  const double x[WHEELS] = {b->front, b->front, b->rear, b->rear};
  static const double y[WHEELS] = {0.9, -0.9, 0.9, -0.9};
  const rutVehicleLayout layout = {.wheels = WHEELS,
                                   .x = x,
                                   .y = y,
                                   .front_left = 0,
                                   .front_right = 1,
                                   .rear_left = 2,
                                   .rear_right = 3,
                                   .wheelbase = BASE,
                                   .steer_x = b->steer_x,
                                   .steer_base = BASE,
                                   .max_steer = 0.6};
  const double position[3] = {b->x, b->y, 0};
  double twist[3];
  const rutControlAsked asked[] = {
      {&b->human.demand, &b->human.steer, &b->human.brake},
      {&b->automation.demand, &b->automation.steer, &b->automation.brake}};
  const rutControlIn in = {.lanes = 1,
                           .demands = 1,
                           .dt = b->dt,
                           .command = &b->authority,
                           .vx = &b->v,
                           .vy = &b->vy,
                           .yaw_rate = &b->yaw_rate,
                           .position = position,
                           .yaw = &b->yaw,
                           .load = b->load,
                           .asked = asked};
  const rutControlOut out = {
      .demand = &b->out.demand, .steer = &b->out.steer, .brake = &b->out.brake, .twist = twist};
  shared->update(b->param, &layout, &in, b->state, &out);
}

// u_h + k (u_a - u_h) in each channel, within both; copies at the ends; channels that are not
// shared are the human's.
static void test_blend(void** state) {
  (void)state;
  uint64_t seed = 1;
  for (int i = 0; i < repetitions(2000, 200); i++) {
    Bench b = plain();
    double* const numbers[] = {&b.human.demand,      &b.human.steer,      &b.human.brake,
                               &b.automation.demand, &b.automation.steer, &b.automation.brake};
    for (int k = 0; k < 6; k++) *numbers[k] = uniform(&seed, -1, 1);
    b.authority = i % 10 == 0 ? 0 : i % 10 == 1 ? 1 : uniform(&seed, 0, 1);
    set(&b, "pedals", i % 3 > 0);
    update(&b);
    const double k = b.authority, pedals = i % 3 > 0 ? k : 0;
    const double h[] = {b.human.demand, b.human.steer, b.human.brake};
    const double a[] = {b.automation.demand, b.automation.steer, b.automation.brake};
    const double u[] = {b.out.demand, b.out.steer, b.out.brake};
    for (int c = 0; c < 3; c++) {
      const double own = c == 1 ? k : pedals;
      assert_true(u[c] >= fmin(h[c], a[c]) && u[c] <= fmax(h[c], a[c]));
      assert_near(u[c], (1 - own) * h[c] + own * a[c], 1e-15);
      if (own == 0) assert_memory_equal(&u[c], &h[c], sizeof(double));
      if (own == 1) assert_memory_equal(&u[c], &a[c], sizeof(double));
    }
    assert_near(*row(&b, "shared_authority"), k, 0);
    assert_near(*row(&b, "intervention"), b.dt * fabs(u[1] - h[1]), 1e-15);
  }
}

// Slip of the front axle of a vehicle that goes straight with turned wheels is their angle: with
// bounds of 0 and 1 rad that is the threat. Maps have the values of their closed forms, rise, and
// change by no more than their Lipschitz constants.
static void test_maps(void** state) {
  (void)state;
  const double lipschitz[] = {1, 1.5, 2};
  for (int map = LINEAR; map <= POWER; map++) {
    double last = 0;
    for (int i = 0; i <= 100; i++) {
      Bench b = plain();
      set(&b, "map", map);
      set(&b, "slip_to", 1);
      b.human.steer = -0.01 * i;
      update(&b);
      const double t = 0.01 * i, k = *row(&b, "shared_authority");
      const double closed = map == LINEAR ? t : map == SMOOTH ? 3 * t * t - 2 * t * t * t : t * t;
      assert_near(*row(&b, "threat"), t, 1e-12);
      assert_near(k, closed, 1e-12);
      assert_true(k >= last && k - last <= lipschitz[map] * 0.01 + 1e-12);
      last = k;
    }
    assert_near(last, 1, 0);
  }
}

typedef struct Case {
  const char* threat;
  double value;
} Case;

// Each threat against its closed form, counted between its bounds.
static void test_threats(void** state) {
  (void)state;
  // the human's command: a circle of 50 m, 10 m/s
  const double steer = atan(BASE / 50), v = 10;
  const double bounds[6][2] = {{0.001, 0.2}, {0.1, 0.9}, {0.1, 0.95},
                               {0.05, 0.9},  {0.1, 2},   {0.1, 1}};
  Bench b = plain();
  const double lane[] = {-20, 0, 20, 0, 40, 0, 60, 0}, obstacle[] = {20, 4.5, 2};
  set_list(&b, "points", 8, lane);
  set_list(&b, "obstacles", 3, obstacle);
  set(&b, "lift_acceleration", 8);
  set(&b, "understeer", 0);
  set(&b, "combine", 1);
  b.v = v;
  b.vy = 0.3;
  b.yaw_rate = 0.1;
  b.human.steer = steer;
  const double loads[] = {3000, 5000, 2500, 5500};
  memcpy(b.load, loads, sizeof loads);
  const double reach[] = {2, 2, 1, 1};
  set_reach(&b, reach);
  // the vehicle turns about (-1.5, 50), beside its rear axle; the front left wheel at (1.5, 0.9)
  // comes to y = 3.5
  const double leaves = (acos(46.5 / hypot(3, 49.1)) - atan2(3, 49.1)) * 50 / v;
  // seen from the vehicle the obstacle turns about that point, until its middle is 2 m ahead of the
  // front, which is 3.5 m ahead of the rear axle
  const double collides = (atan2(21.5, 45.5) - asin(5.5 / hypot(21.5, 45.5))) * 50 / v;
  const Case all[] = {{"slip", fabs(atan((0.3 + 1.5 * 0.1) / v) - steer)},
                      {"acceleration", v * v / 50 / 8},
                      {"lift", 3000.0 / 8000},
                      {"transfer", (10500 - 5500) / 16000.0},
                      {"lane", 1 / leaves},
                      {"collision", 1 / collides}};
  for (int i = 0; i < 6; i++) {
    char name[40];
    snprintf(name, sizeof name, "%s_from", all[i].threat);
    set(&b, name, bounds[i][0]);
    snprintf(name, sizeof name, "%s_to", all[i].threat);
    set(&b, name, bounds[i][1]);
  }
  update(&b);
  double none = 1;
  for (int i = 0; i < 6; i++) {
    char name[40];
    snprintf(name, sizeof name, "threat_%s", all[i].threat);
    const double t = (all[i].value - bounds[i][0]) / (bounds[i][1] - bounds[i][0]);
    assert_true(t > 0.05 && t < 1);
    assert_near(*row(&b, name), t, i < 4 ? 1e-12 : 1e-9);
    none *= 1 - *row(&b, name);
  }
  assert_near(*row(&b, "threat"), 1 - none, 1e-12);
}

// ISO 17361 on a straight lane of 7 m, tyres of 0.3 m at (1.5, +-0.9): the outer front wheel of a
// vehicle 1 m aside with the heading psi stands 1 + 1.5 sin psi + 0.9 cos psi aside, may go to
// 3.5 - 0.15 m, and does so with v sin psi.
static void test_line_crossing_straight(void** state) {
  (void)state;
  const double lane[] = {-100, 0, 0, 0, 100, 0};
  const double psi = 0.1, v = 10;
  for (int side = -1; side <= 1; side += 2) {
    Bench b = plain();
    set_list(&b, "points", 6, lane);
    set(&b, "tyre_width", 0.3);
    b.v = v;
    b.y = side * 1.0;
    b.yaw = side * psi;
    update(&b);
    const double front = 1 + 1.5 * sin(psi) + 0.9 * cos(psi), rear = front - 3 * sin(psi);
    const double inner = 1 + 1.5 * sin(psi) - 0.9 * cos(psi);
    const char* outer_front = side > 0 ? "lane_margin_front_left" : "lane_margin_front_right";
    const char* outer_rear = side > 0 ? "lane_margin_rear_left" : "lane_margin_rear_right";
    const char* inner_front = side > 0 ? "lane_margin_front_right" : "lane_margin_front_left";
    assert_near(*row(&b, outer_front), 3.35 - front, 1e-9);
    assert_near(*row(&b, outer_rear), 3.35 - rear, 1e-9);
    assert_near(*row(&b, inner_front), 3.35 - inner, 1e-9);
    assert_near(*row(&b, "time_to_line_crossing"), (3.35 - front) / (v * sin(psi)), 1e-6);
    assert_near(*row(&b, "lane_departure"), 0, 0);
    b.y = side * 2.5;
    update(&b);
    assert_near(*row(&b, outer_front), 3.35 - front - 1.5, 1e-9);
    assert_near(*row(&b, "time_to_line_crossing"), 0, 0);
    assert_near(*row(&b, "lane_departure"), 1, 0);
    // along the lane no wheel crosses within the horizon
    b.y = b.yaw = 0;
    update(&b);
    assert_near(*row(&b, "time_to_line_crossing"), 3, 0);
  }
}

// A lane on a circle of 60 m to the left, and a vehicle that goes straight on: wheels keep
// y = -0.9, and the front right crosses the outer edge at the radius 60 + 3.5 m,
// where x = sqrt(63.5^2 - 60.9^2).
static void test_line_crossing_bend(void** state) {
  (void)state;
  enum { POINTS = 121 };
  const double radius = 60, v = 10;
  double lane[2 * POINTS];
  for (int i = 0; i < POINTS; i++) {
    const double angle = -0.6 + 0.015 * i;
    lane[2 * i] = radius * sin(angle);
    lane[2 * i + 1] = radius * (1 - cos(angle));
  }
  Bench b = plain();
  set_list(&b, "points", 2 * POINTS, lane);
  b.v = v;
  for (int i = 0; i < 20; i++) update(&b);
  const double x = sqrt(63.5 * 63.5 - 60.9 * 60.9);
  assert_near(*row(&b, "time_to_line_crossing"), (x - 1.5) / v, 1e-4);
  assert_near(*row(&b, "lane_margin_front_right"), 3.5 - (hypot(1.5, 60.9) - 60), 1e-4);
  assert_near(*row(&b, "lane_margin_rear_left"), 3.5 - (60 - hypot(1.5, 59.1)), 1e-4);
  // a circle of the lane's radius keeps its wheels where they are
  b.human.steer = atan(BASE / radius);
  update(&b);
  assert_near(*row(&b, "time_to_line_crossing"), 3, 0);
  // a circle of 50 m to the left from the middle of a straight lane
  Bench straight = plain();
  const double line[] = {-100, 0, 0, 0, 100, 0};
  set_list(&straight, "points", 6, line);
  straight.v = v;
  straight.front = 2;
  straight.human.steer = atan(BASE / 50);
  update(&straight);
  // the front left wheel stands at (3.5, 0.9) from the middle of the rear axle: hypot(49.1, 3.5)
  // from the centre, and is 3.5 m aside where 50 - hypot cos(a + atan(3.5/49.1)) = 3.5
  const double arm = hypot(49.1, 3.5);
  const double angle = acos(46.5 / arm) - atan2(3.5, 49.1);
  assert_near(*row(&straight, "time_to_line_crossing"), angle * 50 / v, 1e-6);
}

// ---- forwards and backwards ----

// The threat of a collision as a time: 1/(to t).
static double met_after(Bench* b) {
  set(b, "collision_to", 1e3);
  update(b);
  return 1 / (1e3 * *row(b, "threat_collision"));
}

// A circle of the radius R about a point beside the axle that does not steer, or half way between
// axles that both do: the reference point stands hypot(R, x) from there, and comes within a metre
// of a point on its own circle, so much further round.
static void test_circle(void** state) {
  (void)state;
  uint64_t seed = 11;
  const double fixed[] = {-1.5, 1.5, 0};
  for (int i = 0; i < repetitions(600, 60); i++) {
    const int left = i % 2 ? 1 : -1, way = i % 4 < 2 ? 1 : -1;
    const double radius = uniform(&seed, 6, 60), v = uniform(&seed, 1, 6),
                 yaw = uniform(&seed, -3, 3);
    const double x = fixed[i % 3], y = left * radius, own = hypot(x, y);
    const double time = uniform(&seed, 0.05, 2.95);
    const double turn = way * left * (v * time / radius + 2 * asin(0.5 / own));
    Bench b = plain();
    b.steer_x = x;
    b.x = 100;
    b.y = -50;
    b.yaw = yaw;
    b.v = way * v;
    b.human.steer = left * atan(BASE / radius);
    // the reference point about (x, y), turned
    const double ax = x - x * cos(turn) + y * sin(turn), ay = y - x * sin(turn) - y * cos(turn);
    const double c = cos(yaw), s = sin(yaw);
    const double obstacle[] = {b.x + c * ax - s * ay, b.y + s * ax + c * ay, 1};
    set_list(&b, "obstacles", 3, obstacle);
    assert_near(met_after(&b), time, 1e-6);
  }
}

// Axles with m_f and m_r on tyres of C_f and C_r: the rear slips by m_r kappa v^2/C_r, so that what
// moves along the heading stands m_r v^2/C_r ahead of it, and the vehicle turns with
// delta = kappa (L + (m_f/C_f - m_r/C_r) v^2). Backwards both are on the other side.
static void test_slip(void** state) {
  (void)state;
  const double front = 800, rear = 1200, front_tyres = 60e3, rear_tyres = 80e3, v = 9, radius = 40;
  const double gradient = front / front_tyres - rear / rear_tyres;
  for (int way = -1; way <= 1; way += 2) {
    const double centre = -1.5 + way * rear / rear_tyres * v * v;
    const double turn = way * 0.5, own = hypot(centre, radius);
    Bench b = plain();
    set(&b, "slip_gradient", rear / rear_tyres);
    set(&b, "understeer", gradient);
    b.v = way * v;
    b.human.steer = atan((BASE + way * gradient * v * v) / radius);
    const double obstacle[] = {centre - centre * cos(turn) + radius * sin(turn),
                               radius - centre * sin(turn) - radius * cos(turn), 1};
    set_list(&b, "obstacles", 3, obstacle);
    assert_near(met_after(&b), (0.5 - 2 * asin(0.5 / own)) * radius / v, 1e-6);
  }
}

// The slip angle of a front wheel is that of its velocity from its plane, whichever way it rolls.
static void test_front_slip(void** state) {
  (void)state;
  for (int way = -1; way <= 1; way += 2) {
    Bench b = plain();
    set(&b, "slip_to", 1);
    b.v = way * 5;
    b.vy = 0.7;
    b.yaw_rate = -0.2;
    b.human.steer = 0.15;
    update(&b);
    const double x = b.v, y = b.vy + 1.5 * b.yaw_rate;
    const double rolls = x * cos(0.15) + y * sin(0.15), slides = y * cos(0.15) - x * sin(0.15);
    assert_near(*row(&b, "threat_slip"), atan(fabs(slides / rolls)), 1e-12);
    // where the rear wheels steer the front ones are straight, on the line about which it turns
    b.steer_x = 1.5;
    update(&b);
    assert_near(*row(&b, "threat_slip"), atan(fabs(y / x)), 1e-12);
  }
}

// Straight on: what meets first is the front end, the rear end, or a side, by the distance to them;
// a half width that is given stands in for both sides.
static void test_footprint(void** state) {
  (void)state;
  const double v = 5;
  for (int given = 0; given < 2; given++) {
    const double front = 4, rear = 1, left = given ? 1.5 : 0.8, right = given ? 1.5 : 1.2;
    const double reach[] = {front, rear, 0.8, 1.2};
    for (int way = -1; way <= 1; way += 2) {
      const double end = way > 0 ? front : rear;
      for (int side = -1; side <= 1; side += 2) {
        Bench b = plain();
        set_reach(&b, reach);
        if (given) set(&b, "half_width", left);
        b.v = way * v;
        // within the width; a corner, 0.6 m beside it; beside it
        const double half = side > 0 ? left : right, x = way * 12;
        const double ahead[] = {x, side * 0.5, 1}, corner[] = {x, side * (half + 0.6), 1};
        const double beside[] = {x, side * (half + 1.01), 1};
        const double behind[] = {-x, 0, 1};
        set_list(&b, "obstacles", 3, ahead);
        assert_near(met_after(&b), (12 - 1 - end) / v, 1e-6);
        set_list(&b, "obstacles", 3, corner);
        assert_near(met_after(&b), (12 - 0.8 - end) / v, 1e-6);
        set_list(&b, "obstacles", 3, beside);
        assert_true(met_after(&b) > 1e9);
        // what it drives away from
        set_list(&b, "obstacles", 3, behind);
        assert_true(met_after(&b) > 1e9);
        // also where it is too near, but not where it comes nearer
        const double near[] = {-way * ((way > 0 ? rear : front) + 0.9), 0, 1};
        set_list(&b, "obstacles", 3, near);
        assert_true(met_after(&b) > 1e9);
        b.v = -b.v;
        assert_near(met_after(&b), 1e-3, 1e-12);
      }
    }
  }
}

// A vehicle that stands is led ahead at 0.05 m/s, the way that the human pushes it; if nobody does,
// nothing threatens it.
static void test_push(void** state) {
  (void)state;
  for (int way = -1; way <= 1; way += 2) {
    Bench b = plain();
    const double obstacle[] = {way * 1.1, 0, 1};
    set_list(&b, "obstacles", 3, obstacle);
    b.v = way * -0.01;
    b.human.demand = way * 20;
    assert_near(met_after(&b), 0.1 / 0.05, 1e-9);
    b.human.demand = way * -20;
    assert_true(met_after(&b) > 1e9);
    b.human.demand = 0;
    assert_true(met_after(&b) > 1e9);
    // one that moves, whoever pushes
    b.v = way * 0.1;
    b.human.demand = way * -20;
    assert_near(met_after(&b), 0.1 / 0.1, 1e-9);
  }
}

// A vehicle that backs is the same as one that is turned round, steers at its other end, and drives
// ahead: the same times to an obstacle and to the lane's edge.
static void test_turned_round(void** state) {
  (void)state;
  uint64_t seed = 23;
  int met = 0, left_lane = 0;
  const double lane[] = {-200, 10, -100, 0, 0, 0, 100, 0, 200, 10};
  const int n = repetitions(1000, 100);
  for (int i = 0; i < n; i++) {
    Bench b = plain();
    const double obstacle[] = {uniform(&seed, -30, 0), uniform(&seed, -8, 8), 1};
    const double size[] = {uniform(&seed, 0, 4), uniform(&seed, 0, 4), 1, 1.3};
    const double gradient = uniform(&seed, 0, 0.03);
    set_reach(&b, size);
    set(&b, "slip_gradient", gradient);
    set_list(&b, "points", 10, lane);
    set_list(&b, "obstacles", 3, obstacle);
    b.y = uniform(&seed, -2, 2);
    b.yaw = uniform(&seed, -0.2, 0.2);
    b.v = -uniform(&seed, 1, 12);
    b.human.steer = uniform(&seed, -0.2, 0.2);
    Bench other = b;
    other.yaw += acos(-1);
    other.v = -b.v;
    other.human.steer = -b.human.steer;
    other.steer_x = 1.5;
    const double turned[] = {size[1], size[0], size[3], size[2]};
    set_reach(&other, turned);
    const double first = met_after(&b), second = met_after(&other);
    const double crossing = *row(&b, "time_to_line_crossing");
    if (first < 1e9 || second < 1e9) {
      assert_near(first, second, 1e-6);
      met++;
    }
    assert_near(crossing, *row(&other, "time_to_line_crossing"), 1e-6);
    left_lane += crossing > 0 && crossing < 3;
  }
  assert_true(met > n / 10 && left_lane > n / 10);
}

// 3 1/s up, 1 1/s down; from 0.6 on authority does not fall until the threat has been below 0.4 for
// 0.5 s.
static void test_time(void** state) {
  (void)state;
  Bench b = plain();
  set(&b, "map", LINEAR);
  set(&b, "slip_to", 1);
  set(&b, "rate_up", 3);
  set(&b, "rate_down", 1);
  set(&b, "engage", 0.6);
  b.human.steer = 0.7;
  for (int i = 1; i <= 40; i++) {
    update(&b);
    assert_near(*row(&b, "shared_authority"), fmin(0.7, 0.03 * i), 1e-12);
  }
  b.human.steer = 0.5;
  for (int i = 0; i < 300; i++) update(&b);
  assert_near(*row(&b, "shared_authority"), 0.7, 1e-12);
  b.human.steer = 0.3;
  for (int i = 0; i < 49; i++) update(&b);
  assert_near(*row(&b, "shared_authority"), 0.7, 1e-12);
  for (int i = 1; i <= 60; i++) {
    update(&b);
    assert_near(*row(&b, "shared_authority"), fmax(0.3, 0.7 - 0.01 * i), 0.011);
  }
  assert_near(*row(&b, "shared_authority"), 0.3, 1e-12);
}

// ---- sides ----

// Where the reference point, 1.5 m ahead of the rear axle, is after a way on a circle.
static double way_x(double c, double s) {
  return -1.5 + (fabs(c) < 1e-12 ? s : sin(c * s) / c) + 1.5 * cos(c * s);
}
static double way_y(double c, double s) {
  return (fabs(c) < 1e-12 ? 0 : (1 - cos(c * s)) / c) + 1.5 * sin(c * s);
}

// Is a point inside the loop of both ways and the line between their ends? By crossings of a ray.
static bool is_between(double human, double automation, double length, double px, double py) {
  enum { N = 2000 };
  bool inside = false;
  double x[2 * N], y[2 * N];
  for (int i = 0; i < 2 * N; i++) {
    const double c = tan(i < N ? human : automation) / BASE;
    const double s = length * (i < N ? i : 2 * N - 1 - i) / (N - 1);
    x[i] = way_x(c, s);
    y[i] = way_y(c, s);
  }
  for (int i = 0, j = 2 * N - 1; i < 2 * N; j = i++) {
    if ((y[i] > py) == (y[j] > py)) continue;
    if (px < x[i] + (py - y[i]) / (y[j] - y[i]) * (x[j] - x[i])) inside = !inside;
  }
  return inside;
}

// Two ways are on different sides of an obstacle when it lies between them.
static void test_sides(void** state) {
  (void)state;
  uint64_t seed = 5;
  int between = 0;
  const int n = repetitions(2000, 100);
  for (int i = 0; i < n; i++) {
    Bench b = plain();
    const double obstacle[] = {uniform(&seed, 2, 28), uniform(&seed, -6, 6), 1e-6};
    set_list(&b, "obstacles", 3, obstacle);
    b.authority = 1e-3;
    b.human.steer = uniform(&seed, -0.15, 0.15);
    b.automation.steer = uniform(&seed, -0.15, 0.15);
    update(&b);
    const bool inside = is_between(b.human.steer, b.automation.steer, 30, obstacle[0], obstacle[1]);
    if (inside != (*row(&b, "conflict") > 0)) {
      // stations cut corners: only a point on one of the ways may count otherwise
      bool near = false;
      for (int k = 0; k <= 3000; k++) {
        for (int w = 0; w < 2; w++) {
          const double c = tan(w ? b.human.steer : b.automation.steer) / BASE, s = 0.01 * k;
          near = near || hypot(way_x(c, s) - obstacle[0], way_y(c, s) - obstacle[1]) < 0.02;
        }
      }
      assert_true(near);
    }
    between += inside;
  }
  assert_true(between > n / 20);
}

// The human passes on the right, the automation on the left: within 0.3 s the automation has all,
// and keeps it while they disagree. A human without a threat keeps all.
static void test_conflict(void** state) {
  (void)state;
  const double obstacle[] = {20, 0, 1};
  for (int threatened = 0; threatened < 2; threatened++) {
    Bench b = plain();
    set_list(&b, "obstacles", 3, obstacle);
    set(&b, "slip_to", 1);
    if (!threatened) set(&b, "slip_from", 0.9);
    b.human.steer = -0.05;
    b.automation.steer = 0.05;
    for (int i = 1; i <= 100; i++) {
      update(&b);
      const double k = *row(&b, "shared_authority");
      assert_near(*row(&b, "conflict"), threatened, 0);
      assert_near(k, threatened ? fmin(1, i * b.dt / 0.3) : 0, 1e-9);
    }
    const double* chosen = threatened ? &b.automation.steer : &b.human.steer;
    assert_memory_equal(&b.out.steer, chosen, sizeof(double));
    assert_near(*row(&b, "conflict_time"), threatened ? 1 : 0, 1e-9);
    // on one side they agree
    b.human.steer = 0.06;
    update(&b);
    assert_near(*row(&b, "conflict"), 0, 0);
  }
}

// ---- in worlds ----

// The start of a world with one vehicle on axles, that drives so fast, on such tyres, and these
// controllers.
#define NO_SLIP "<tyre type='linear'/>"
#define SLIPS                                                                               \
  "<tyre type='pac2002' fnomin='35000' vertical_stiffness='200000' vertical_damping='500' " \
  "fzmax='35000' pky1='-10.289' pky2='3.3343'/>"
static World world_on(const char* tyres, double speed, const char* controllers) {
  char text[4096];
  snprintf(text, sizeof text,
           "<world timestep='5 ms'><vehicle name='v' velocity='%g 0'>"
           "<chassis mass='1500' com='0 0 0.6' outline='2 1,2 -1,-2 -1,-2 1' z_max='1.2'/>"
           "<axle x='1.5' track='1.6' radius='0.4' wheel_mass='25' max_steer='30 deg' brake='2000'>"
           "<suspension type='slider' stiffness='30000' damping='3000'/></axle>"
           "<axle x='-1.5' track='1.6' radius='0.4' wheel_mass='25' brake='2000'>"
           "<suspension type='slider' stiffness='30000' damping='3000'/></axle>"
           "%s<drive type='direct'/>%s</vehicle></world>",
           speed, tyres, controllers);
  const rutComponent* const none[] = {NULL};
  World w;
  if (!load_world(&w, text, 1, none)) fail_msg("%s", w.message);
  return w;
}
static World world_at(double speed, const char* controllers) {
  return world_on(NO_SLIP, speed, controllers);
}
static World world_with(const char* controllers) { return world_at(10, controllers); }

#define PERSON                                                                         \
  "<controller type='human' name='human' speed='10' course='sine' start_distance='5' " \
  "wavelength='60'/>"
#define MACHINE                                                             \
  "<controller type='driver' name='automation' speed='8' manoeuvre='path' " \
  "points='0 0,20 0,40 4,80 4,120 0,200 0'/>"

static void assert_same_motion(const char* a, const char* b) {
  World one = world_with(a), two = world_with(b);
  for (int i = 0; i < 800; i++) {
    run(&one, 1);
    run(&two, 1);
    const rutVehicleState s = rut_vehicle_state(one.model, one.data, 0);
    const rutVehicleState t = rut_vehicle_state(two.model, two.data, 0);
    assert_memory_equal(s.position, t.position, sizeof s.position);
    assert_memory_equal(s.velocity, t.velocity, sizeof s.velocity);
    assert_memory_equal(s.rate, t.rate, sizeof s.rate);
  }
  assert_true(fabs(rut_vehicle_state(one.model, one.data, 0).position[1]) > 0.3);
  close_world(&one);
  close_world(&two);
}

// With authority 0 the run is the human's, with 1 the automation's, bit for bit, also with channels
// and delays of the human's own.
static void test_identity(void** state) {
  (void)state;
  assert_same_motion(PERSON, PERSON MACHINE "<controller type='shared' assist='false'/>");
  assert_same_motion(
      MACHINE, PERSON MACHINE
      "<controller type='shared' assist='false' authority='1'><!-- --></controller>");
#define AFAR                                                                                   \
  "<controller type='human' name='human' speed='10' course='sine' start_distance='5' "         \
  "wavelength='60' output_delay='0.1'><teleoperation video_latency='0.1' video_jitter='0.05' " \
  "command_latency='0.1' command_loss='0.1'/></controller>"
  assert_same_motion(AFAR, AFAR MACHINE "<controller type='shared' assist='false'/>");
}

// A person who drives straight at an obstacle, and an automation that knows a way round: alone the
// person meets it, together they do not.
static double clearance(bool together) {
  const char* alone = "<controller type='human' name='human' speed='10'/>";
  const char* both =
      "<controller type='human' name='human' speed='10'/>"
      "<controller type='driver' name='automation' speed='10' manoeuvre='path' "
      "points='0 0,15 0,30 2,45 4,60 4,75 2,90 0,200 0'/>"
      "<controller type='shared' obstacles='50 0 1.5'/>";
  World w = world_with(together ? both : alone);
  double least = 1e9;
  for (int i = 0; i < 1600; i++) {
    run(&w, 1);
    const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
    least = fmin(least, hypot(s.position[0] - 50, s.position[1]));
  }
  close_world(&w);
  return least;
}
static void test_obstacle(void** state) {
  (void)state;
  assert_true(clearance(false) < 0.5);
  assert_true(clearance(true) > 1.5 + 1.0);
}

static double output_of(const World* w, const char* name) {
  const int n = rut_variables(w->model, RUT_VEHICLE, 0, RUT_OUTPUT);
  for (int i = 0; i < n; i++) {
    double value = 0;
    if (strcmp(rut_variable(w->model, RUT_VEHICLE, 0, RUT_OUTPUT, i).name, name) != 0) continue;
    const rutVariableRange range = {RUT_VEHICLE, 0, RUT_OUTPUT, i, 1};
    assert_int_equal(rut_variables_read(w->model, w->data, &range, 1, &value), RUT_OK);
    return value;
  }
  fail_msg("no output %s", name);
  return 0;
}

// What is told of a vehicle: its wheels reach beyond its outline in front and to the left; 8000 and
// 12000 N stand on tyres of 60 and 80 kN/rad. A number that is given stays.
static void test_vehicle_numbers(void** state) {
  (void)state;
  static const double x[] = {1.5, 1.5, -1.5, -1.5}, y[] = {0.9, -0.8, 0.9, -0.8};
  static const double load[] = {4000, 4000, 6000, 6000}, outline[] = {1, 1, -2.5, 1, -2.5, -1};
  const struct {
    double steer_x, gradient;
  } cases[] = {{-1.5, 12000 / (9.81 * 80e3)},
               {1.5, 8000 / (9.81 * 60e3)},
               {0, 0.5 * (12000 / (9.81 * 80e3) + 8000 / (9.81 * 60e3))}};
  rutDraftClass* c = calloc(1, sizeof *c);
  assert_non_null(c);
  c->wheels = WHEELS;
  c->outline.n = 3;
  memcpy(c->outline.xy, outline, sizeof outline);
  for (int w = 0; w < WHEELS; w++) {
    c->x[w] = x[w];
    c->y[w] = y[w];
    c->radius[w] = 0.4;
    c->width[w] = 0.3;
    c->spatial.wheel.rest_load[w] = load[w];
  }
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Bench b = plain();
    set(&b, "reach_right", 1.7);
    const rutVehicleLayout layout = {.gravity = 9.81,
                                     .steer_x = cases[i].steer_x,
                                     .front_cornering = 60e3,
                                     .rear_cornering = 80e3};
    rut_tell_vehicle_numbers(c, &layout, &shared->base, b.param);
    assert_near(*field(&b, "slip_gradient"), cases[i].gradient, 1e-12);
    assert_near(*field(&b, "reach_front"), 1.9, 1e-12);
    assert_near(*field(&b, "reach_rear"), 2.5, 1e-12);
    assert_near(*field(&b, "reach_left"), 1.05, 1e-12);
    assert_near(*field(&b, "reach_right"), 1.7, 0);
  }
  free(c);
}

// How far the vehicle above reaches is known from its outline, 4 m by 2 m: to a circle of 1.5 m,
// whose middle is 30 m ahead or behind, straight on, and where a corner meets it.
static void test_reach(void** state) {
  (void)state;
  const struct {
    double speed, x, y;
    const char* given;
    double met;
  } cases[] = {{10, 30, 0, "", 26.5 / 10},
               {-10, -30, 0, "", 26.5 / 10},
               {10, 30, 0, "reach_front='3'", 25.5 / 10},
               {-10, -30, 2.49, "", (28 - sqrt(1.5 * 1.5 - 1.49 * 1.49)) / 10},
               {-10, -30, 2.51, "", -1},
               {-10, -30, 2.51, "half_width='2'", (28 - sqrt(1.5 * 1.5 - 0.51 * 0.51)) / 10}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char controllers[1024];
    snprintf(controllers, sizeof controllers,
             "<controller type='pedals' name='human'/><controller type='pedals' name='automation'/>"
             "<controller type='shared' collision_from='0' collision_to='100' obstacles='%g %g "
             "1.5' %s/>",
             cases[i].x, cases[i].y, cases[i].given);
    World w = world_at(cases[i].speed, controllers);
    run(&w, 1);
    const double threat = output_of(&w, "threat_collision");
    assert_near(threat, cases[i].met > 0 ? 0.01 / cases[i].met : 0, 1e-9);
    close_world(&w);
  }
}

// Largest error of what was foreseen within the last 2.5 s before a wheel is beyond the edge, of a
// vehicle that drives round and round, half a circle after the start.
static double worst_forecast(const char* tyres, double speed, double steer) {
  enum { STEPS = 8000 };
  static double told[STEPS];
  const double dt = 5e-3, radius = BASE / tan(fabs(steer));
  char controllers[1024];
  snprintf(controllers, sizeof controllers,
           "<controller type='front_steer_pid' name='human' speed='%g' steer='%g'/>"
           "<controller type='pedals' name='automation'/><controller type='shared' assist='false' "
           "points='-500 0,500 0' lane_width='%g'/>",
           speed, steer, 3.2 * radius);
  World w = world_on(tyres, speed, controllers);
  int i = 0;
  for (; i < STEPS; i++) {
    run(&w, 1);
    if (output_of(&w, "lane_departure") > 0) break;
    told[i] = output_of(&w, "time_to_line_crossing");
  }
  assert_true(i > 800 && i < STEPS);
  double worst = 0;
  for (int k = i - 500; k < i; k++) worst = fmax(worst, fabs(told[k] - (i - k) * dt));
  close_world(&w);
  return worst;
}

// What is foreseen in a steady bend comes true, ahead and back, at walking pace and with the slip
// of a lateral acceleration of 3 m/s2.
static void test_forecast(void** state) {
  (void)state;
  for (int way = -1; way <= 1; way += 2) {
    assert_true(worst_forecast(NO_SLIP, way * 1.5, atan(BASE / 7)) < 0.02);
    assert_true(worst_forecast(SLIPS, way * 9, atan(BASE / 27)) < 0.02);
  }
}

#define BRAKES "<controller type='pedals' name='automation' brake='1'/>"

// A person who backs straight at an obstacle, 30 m behind, and an automation that brakes. The
// vehicle's outline is 4 m by 2 m, the obstacle a circle of 1.5 m: how near they come.
static double clearance_behind(bool together) {
  const char* alone = "<controller type='human' name='human' speed='-3'/>";
  const char* both = "<controller type='human' name='human' speed='-3'/>" BRAKES
                     "<controller type='shared' obstacles='-30 0 1.5'/>";
  World w = world_at(-3, together ? both : alone);
  double least = 1e9;
  for (int i = 0; i < 12000; i++) {
    run(&w, 1);
    const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
    const double dx = -30 - s.position[0], dy = -s.position[1], c = cos(s.yaw), q = sin(s.yaw);
    const double beyond = fmax(fabs(c * dx + q * dy) - 2, 0);
    least = fmin(least, hypot(beyond, fmax(fabs(c * dy - q * dx) - 1, 0)) - 1.5);
  }
  close_world(&w);
  return least;
}
static void test_obstacle_behind(void** state) {
  (void)state;
  assert_true(clearance_behind(false) < -1);
  const double least = clearance_behind(true);
  assert_true(least > 0 && least < 2);
}

// Backing out of a lane, and an automation that brakes: how far a wheel gets beyond the edge.
static double departure_behind(bool together) {
  char controllers[1024];
  snprintf(controllers, sizeof controllers,
           "<controller type='human' name='human' speed='-3' course='path' "
           "points='20 0,0 0,-40 6,-100 15'/>" BRAKES
           "<controller type='shared' points='-200 0,200 0' lane_width='6' assist='%s'/>",
           together ? "true" : "false");
  World w = world_at(-3, controllers);
  double most = -1e9;
  for (int i = 0; i < 12000; i++) {
    run(&w, 1);
    const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
    for (int k = 0; k < 4; k++) {
      const double x = k < 2 ? 1.5 : -1.5, y = k % 2 ? 0.8 : -0.8;
      most = fmax(most, fabs(s.position[1] + x * sin(s.yaw) + y * cos(s.yaw)) - 3);
    }
  }
  close_world(&w);
  return most;
}
static void test_lane_behind(void** state) {
  (void)state;
  assert_true(departure_behind(false) > 2);
  assert_true(departure_behind(true) < 0);
}

static void refuse(const char* controllers, const char* message) {
  char text[2048];
  const rutComponent* const none[] = {NULL};
  snprintf(
      text, sizeof text,
      "<world timestep='5 ms'><vehicle name='v'><chassis mass='1500' outline='2 1,2 -1,-2 -1,-2 "
      "1'/><axle x='1' track='1.6' radius='0.4' max_steer='30 deg'>"
      "<suspension type='slider' stiffness='30000' damping='3000'/></axle><axle x='-1' "
      "track='1.6' radius='0.4'><suspension type='slider' stiffness='30000' damping='3000'/>"
      "</axle><tyre type='linear'/><drive type='direct'/>%s</vehicle></world>",
      controllers);
  World w;
  assert_false(load_world(&w, text, 1, none));
  if (!strstr(w.message, message)) fail_msg("%s", w.message);
  close_world(&w);
}

static void test_errors(void** state) {
  (void)state;
  refuse(PERSON "<controller type='shared'/>", "no other controller 'automation'");
  refuse(PERSON "<controller type='shared' automation='human'/>", "blended already");
  refuse(PERSON "<controller type='twist_ideal' name='automation'/><controller type='shared'/>",
         "does not drive by torque");
  refuse(PERSON MACHINE "<controller type='shared' slip_from='9'/>", "slip_to must be above");
  refuse(PERSON MACHINE "<controller type='shared' obstacles='1 2'/>", "x y radius");
  refuse(PERSON MACHINE "<controller type='shared' host='true' period='0.1' output_delay='0.05'/>",
         "beside the steps");
  refuse(PERSON MACHINE, "only one <controller> of a vehicle drives it");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_blend),
                                     cmocka_unit_test(test_maps),
                                     cmocka_unit_test(test_threats),
                                     cmocka_unit_test(test_line_crossing_straight),
                                     cmocka_unit_test(test_line_crossing_bend),
                                     cmocka_unit_test(test_circle),
                                     cmocka_unit_test(test_slip),
                                     cmocka_unit_test(test_front_slip),
                                     cmocka_unit_test(test_footprint),
                                     cmocka_unit_test(test_push),
                                     cmocka_unit_test(test_turned_round),
                                     cmocka_unit_test(test_time),
                                     cmocka_unit_test(test_sides),
                                     cmocka_unit_test(test_conflict),
                                     cmocka_unit_test(test_identity),
                                     cmocka_unit_test(test_obstacle),
                                     cmocka_unit_test(test_obstacle_behind),
                                     cmocka_unit_test(test_vehicle_numbers),
                                     cmocka_unit_test(test_reach),
                                     cmocka_unit_test(test_forecast),
                                     cmocka_unit_test(test_lane_behind),
                                     cmocka_unit_test(test_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
