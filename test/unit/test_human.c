// SPDX-License-Identifier: BSD-3-Clause
//
// The model of a human driver: its law of steering term by term, the times of its looks and
// commands, its stability with a delay against the characteristic equation, the variances of its
// noise, and its following another vehicle.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../repetitions.h"
#include "assert_near.h"
#include "control/course.h"
#include "rut/batch.h"
#include "world_fixture.h"

extern const rutControllerType rut_controller_human;
static const rutControllerType* const human = &rut_controller_human;

enum { NUMBERS = 256, ROWS = 64, WHEELS = 4 };
static const double BASE = 3.302, LOCK = 0.6, PI = 3.14159265358979323846;

// ---- a driver on a bench ----

typedef struct Bench {
  double param[NUMBERS], state[ROWS];
  double x, y, yaw, v, speed, range, dt;
  double demand, steer, brake;
  uint64_t key;
} Bench;

static void set(Bench* b, const char* field, double value) {
  for (int i = 0; i < human->base.fields; i++) {
    if (strcmp(human->base.field[i].name, field) == 0) {
      b->param[i] = value;
      return;
    }
  }
  fail_msg("no field %s", field);
}

static int row_of(const rutVariable* rows, int n, const char* name) {
  for (int i = 0; i < n; i++) {
    if (strcmp(rows[i].name, name) == 0) return i;
  }
  fail_msg("no row %s", name);
  return 0;
}
static double* state_of(Bench* b, const char* name) {
  return &b->state[row_of(human->base.state, human->base.states, name)];
}
static double output(Bench* b, const char* name) { return *state_of(b, name); }

// Without noise, on a straight line.
static Bench quiet(void) {
  Bench b = {.dt = 1e-3, .range = -1, .key = 7};
  for (int i = 0; i < human->base.fields; i++) b.param[i] = human->base.field[i].def;
  set(&b, "points", human->base.fields);
  b.param[human->base.fields] = 0;
  set(&b, "near_noise", 0);
  set(&b, "far_noise", 0);
  set(&b, "motor_noise", 0);
  set(&b, "motor_noise_share", 0);
  return b;
}

static void update(Bench* b) {
  static const double x[WHEELS] = {1.651, 1.651, -1.651, -1.651},
                      y[WHEELS] = {0.9, -0.9, 0.9, -0.9};
  static const double radius[WHEELS] = {0.5, 0.5, 0.5, 0.5};
  static const int driven[WHEELS] = {1, 1, 1, 1};
  const rutVehicleLayout layout = {.wheels = WHEELS,
                                   .x = x,
                                   .y = y,
                                   .radius = radius,
                                   .driven = driven,
                                   .wheelbase = BASE,
                                   .steer_base = BASE,
                                   .max_steer = LOCK,
                                   .mass = 2500,
                                   .gravity = 9.81,
                                   .torque_gain = 1,
                                   .full_demand = 1000};
  const double none = 0, position[3] = {b->x, b->y, 0};
  double twist[3];
  const rutControlReading range = {&b->range, RUT_F64, 1, 1, b->range >= 0 ? 0 : -1};
  const rutControlIn in = {.lanes = 1,
                           .demands = 1,
                           .dt = b->dt,
                           .command = &b->speed,
                           .reading = &range,
                           .vx = &b->v,
                           .vy = &none,
                           .yaw_rate = &none,
                           .pitch = &none,
                           .roll = &none,
                           .position = position,
                           .yaw = &b->yaw,
                           .random = &b->key};
  const rutControlOut out = {
      .demand = &b->demand, .steer = &b->steer, .twist = twist, .brake = &b->brake};
  human->update(b->param, &layout, &in, b->state, &out);
}

// ---- courses ----

// y = A sin(2 pi (x - x0)/l) behind the fade, with derivatives as differences have them.
static void test_sine(void** state) {
  (void)state;
  const rutCourseSine sine = {3.5, 150, 50, 50};
  for (double u = 20; u < 400; u += 3.7) {
    const double h = 1e-5;
    const rutCourseAt a = rut_course_sine(&sine, u - h), b = rut_course_sine(&sine, u + h);
    const rutCourseAt at = rut_course_sine(&sine, u);
    if (u > 100) assert_near(at.y, 3.5 * sin(2 * PI * (u - 50) / 150), 1e-12);
    if (u < 50) assert_near(at.y, 0, 0);
    assert_near((b.y - a.y) / (2 * h), at.dy, 1e-9);
    assert_near((b.dy - a.dy) / (2 * h), at.ddy, 1e-9);
  }
}

// ---- law and timing ----

// How a vehicle moves about the line: it need not make sense.
static double offset_at(double t) { return 0.3 * sin(1.7 * t) + 0.1 * t; }
static double yaw_at(double t) { return 0.05 * cos(2.3 * t) - 0.05; }
static double direction_at(double t, double ahead) {
  return atan2(-offset_at(t), ahead) - yaw_at(t);
}
// Of a point behind, from the opposite of the heading: (-D, -y) seen along the axis at pi + yaw.
static double behind_at(double t, double distance) {
  return atan2(offset_at(t), distance) - yaw_at(t);
}

// Changes of the angle are those of the law for what was to be seen at the times of the cycle:
// near at 0, far at P + A, the command at 3 P + A, and M later the hands; the next cycle begins at
// 4 P + A (Salvucci 2006, with the shift of attention).
// Backwards the points are behind, and a vehicle that backs turns to the right where its wheels are
// turned to the left: the same law with the other sign.
static void check_law(int way) {
  double (*const seen_at)(double, double) = way > 0 ? direction_at : behind_at;
  const double P = 0.05, A = 0.055, M = 0.03, S = 0.2, v = 12, NEAR = 12, FAR = 36;
  const struct {
    double share, rate, limit;
  } terms[] = {{1, 0, 1}, {0, 0, 1}, {0.8, 0, 1}, {0.8, 0.15, 1}, {0.5, 0.4, 0.01}};
  for (int k = 0; k < RUT_COUNT_OF(terms); k++) {
    Bench b = quiet();
    set(&b, "steering_gain", S);
    set(&b, "motor_time", M);
    set(&b, "far_share", terms[k].share);
    set(&b, "near_rate", terms[k].rate);
    set(&b, "near_limit", terms[k].limit);
    b.v = way * v;
    b.speed = way * v;
    double angle = 0, cycle = 4 * P + A;
    for (int i = 0; i < 4000; i++) {
      const double t = i * b.dt;
      b.x = way * v * t;
      b.y = offset_at(t);
      b.yaw = yaw_at(t);
      update(&b);
      const int n = (int)floor((t - 3 * P - A - M) / cycle + 1e-6);
      if (n < 1) {
        assert_near(b.steer, 0, 0);
        continue;
      }
      angle = 0;
      for (int j = 1; j <= n; j++) {
        const double now = seen_at(j * cycle, NEAR);
        const double near = now - seen_at((j - 1) * cycle, NEAR);
        const double far = seen_at(j * cycle + P + A, FAR) - seen_at((j - 1) * cycle + P + A, FAR);
        angle += way * S *
                 (terms[k].share * far + (1 - terms[k].share) * near +
                  terms[k].rate * fmax(-terms[k].limit, fmin(now, terms[k].limit)) * cycle);
      }
      assert_near(b.steer, angle, 1e-12);
    }
    assert_true(fabs(angle) > 1e-3);
  }
}

static void test_law(void** state) {
  (void)state;
  check_law(1);
  check_law(-1);
}

// 13 % more for older drivers; with a spread q of the productions a cycle has the variance
// 4 (P q)^2/3.
static void test_cycles(void** state) {
  (void)state;
  for (int older = 0; older < 2; older++) {
    Bench b = quiet();
    set(&b, "age", older);
    for (int i = 0; i < 100000; i++) update(&b);
    const double cycle = 0.2 * (older ? 1.13 : 1) + 0.055;
    assert_near(output(&b, "updates"), 100 / cycle, 1);
  }
  Bench b = quiet();
  set(&b, "timing_spread", 0.25);
  const int cycles = repetitions(4000, 400);
  double last = 0, sum = 0, square = 0;
  for (int i = 0, n = 0; n <= cycles; i++) {
    update(&b);
    if ((int)output(&b, "updates") == n) continue;
    const double time = i * b.dt;
    if (n > 0) {
      sum += time - last;
      square += (time - last - 0.255) * (time - last - 0.255);
    }
    last = time;
    n++;
  }
  const double variance = 4 * pow(0.05 * 0.25, 2) / 3 + b.dt * b.dt / 6;
  assert_near(sum / cycles, 0.255, 4 * sqrt(variance / cycles));
  // of a sum of four uniform numbers: kurtosis 2.7
  assert_near(square / cycles, variance, 4 * variance * sqrt(1.7 / cycles));
}

// The gains that are chosen: those of a vehicle of 3.302 m wheelbase, over the published speeds and
// delays; a novice has 0.6 of them.
static void test_gain(void** state) {
  (void)state;
  const struct {
    double speed, delay, skill, gain;
  } all[] = {{10, 0.3, 1, 0.235},
             {20, 0.5, 1, 0.119},
             {25, 0.9, 1, 0.070},
             {5, 0.2, 1, 0.319},
             {12.5, 0.3, 1, (0.235 + 0.170) / 2},
             {20, 0.4, 1, 0.130},
             {10, 0.3, 0.6, 0.141}};
  for (int k = 0; k < RUT_COUNT_OF(all); k++) {
    Bench b = quiet();
    set(&b, "near_rate", 0);
    set(&b, "far_share", 0);
    set(&b, "expected_delay", all[k].delay);
    set(&b, "skill", all[k].skill);
    b.v = all[k].speed;
    for (int i = 0; i < 300; i++) update(&b);
    b.yaw = -0.01;
    for (int i = 0; i < 500; i++) update(&b);
    assert_near(b.steer, 0.01 * all[k].gain, 1e-12);
  }
}

// ---- stability ----

// The linear driver on a kinematic bicycle: e' = v psi, psi' = v phi/L, and with f = S c, n = S (1
// - c), i = S k, phi' = -(f/D_f + n/D_n) e' - (f + n) psi' - i (e/D_n + psi). The open loop is
//   (a2 s^2 + a1 s + a0)/s^3 e^(-s tau), a2 = (f + n) v/L, a1 = ((f/D_f + n/D_n) v + i) v/L,
//   a0 = i v^2/(L D_n).
// Its gain is 1 where w^6 = (a0 - a2 w^2)^2 + a1^2 w^2; the delay that the phase there leaves is
// the margin, without any approximation of the exponential.
static double delay_margin(double v, double S, double c, double k, double near, double far) {
  const double f = S * c, n = S * (1 - c), i = S * k;
  const double a2 = (f + n) * v / BASE, a1 = ((f / far + n / near) * v + i) * v / BASE;
  const double a0 = i * v * v / (BASE * near);
  double low = 1e-3, high = 100;
  for (int j = 0; j < 200; j++) {
    const double w = 0.5 * (low + high), re = a0 - a2 * w * w, im = a1 * w;
    // above the last crossing the gain is below 1
    if (re * re + im * im > pow(w, 6)) {
      low = w;
    } else {
      high = w;
    }
  }
  // a2 s^2 + a1 s + a0 over s^3 at s = i w: the denominator is -i w^3
  const double phase = atan2(a1 * low, a0 - a2 * low * low) + PI / 2;
  return fmod(phase + PI + 2 * PI, 2 * PI) / low;
}

// Growth of the offset from one part of the run to the next with such a delay; the driver looks and
// answers 250 times a second.
static double growth(double v, double S, double delay) {
  Bench b = quiet();
  enum { MOST = 4096 };
  static double history[MOST][3];
  set(&b, "production_time", 1e-3);
  set(&b, "attention_time", 0);
  set(&b, "motor_time", 0);
  set(&b, "steering_gain", S);
  b.v = v;
  const int late = (int)(delay / b.dt + 0.5);
  double x = 0, y = 1e-4, yaw = 0, early = 0, later = 0;
  const int steps = 120000;
  for (int i = 0; i < steps; i++) {
    const double now[] = {x, y, yaw};
    memcpy(history[i % MOST], now, sizeof now);
    const double* seen = history[(i > late ? i - late : 0) % MOST];
    b.x = seen[0];
    b.y = i > 0 ? seen[1] : 0;  // the line begins at 0
    b.yaw = seen[2];
    update(&b);
    const double turn = v * tan(b.steer) / BASE;
    x += b.dt * v * cos(yaw + 0.5 * b.dt * turn);
    y += b.dt * v * sin(yaw + 0.5 * b.dt * turn);
    yaw += b.dt * turn;
    double* most = i < steps / 2 ? &early : &later;
    if (i > steps / 4 && i % (steps / 2) > steps / 4) *most = fmax(*most, fabs(y));
  }
  return later / early;
}

// The margin by the characteristic equation parts runs that calm down from those that do not.
static void test_delay_margin(void** state) {
  (void)state;
  // near 1 ms and far 2 ms old at the command, by weights 0.2 and 0.8, held for 4 ms
  const double own = 0.2 * 3e-3 + 0.8 * 2e-3 + 2e-3;
  const struct { double v, S; } all[] = {{10, 0.235}, {20, 0.141}, {20, 0.3}, {25, 0.121}};
  for (int k = 0; k < RUT_COUNT_OF(all); k++) {
    const double v = all[k].v, S = all[k].S, near = fmax(10, v), far = fmax(20, 3 * v);
    const double margin = delay_margin(v, S, 0.8, 0.03, near, far);
    assert_true(margin > 0.1 && margin < 3);
    assert_true(growth(v, S, 0.95 * margin - own) < 1);
    assert_true(growth(v, S, 1.05 * margin - own) > 1);
  }
  // the bound S v tau/L < 1 of a single integrator is near it for small k and far points
  const double margin = delay_margin(20, 0.3, 0.8, 1e-6, 1e6, 1e6);
  assert_near(0.3 * 20 * margin / BASE, PI / 2, 1e-3);
}

// ---- noise ----

// Standard normal: mean and variance of n numbers within 4.5 of their standard deviations.
static void check_variance(int n, double sum, double square, double deviation) {
  const double variance = deviation * deviation;
  assert_near(sum / n, 0, 4.5 * deviation / sqrt(n));
  assert_near(square / n, variance, 4.5 * variance * sqrt(2.0 / n));
}

static void test_noise(void** state) {
  (void)state;
  static const char* const name[] = {"near_angle", "far_angle", "steer_command"};
  const int cycles = repetitions(10000, 1000);
  const double held = 0.15, angle_noise = hypot(0.002, 0.02 * held);
  const double deviation[] = {0.003, 0.001, angle_noise};
  double sum[3] = {0}, square[3] = {0};
  Bench b = quiet();
  b.dt = 0.017;  // any step: noise is drawn once in a cycle
  set(&b, "near_noise", 0.003);
  set(&b, "far_noise", 0.001);
  set(&b, "motor_noise", 0.002);
  set(&b, "motor_noise_share", 0.02);
  set(&b, "steering_gain", 1e-12);
  set(&b, "motor_time", 0);
  *state_of(&b, "angle") = held;
  for (int n = 0; n < cycles;) {
    update(&b);
    if ((int)output(&b, "updates") == n) continue;
    n++;
    for (int k = 0; k < 3; k++) {
      const double error = output(&b, name[k]) - (k == 2 ? held : 0);
      sum[k] += error;
      square[k] += error * error;
    }
  }
  for (int k = 0; k < 3; k++) check_variance(cycles, sum[k], square[k], deviation[k]);
}

// ---- speed ----

// Pedals: 1.2 per second of headway and 0.4 per second and second (Salvucci 2006), where the way
// alone would let it go faster.
static void test_headway(void** state) {
  (void)state;
  Bench b = quiet();
  b.v = 10;
  b.speed = 30;
  b.range = 15;
  for (int i = 0; i < 300; i++) update(&b);
  const double before = output(&b, "pedal_command");
  const double first = 1;  // far below the speed it wants: full throttle
  assert_near(before, first, 0);
  b.range = 9;
  for (int i = 0; i < 255; i++) update(&b);
  assert_near(output(&b, "pedal_command"), first + 1.2 * (0.9 - 1.5) + 0.4 * (0.9 - 1) * 0.255,
              1e-12);
  assert_near(output(&b, "time_headway"), 0.9, 1e-12);
  // of half the weight
  assert_near(b.demand, 1000 * fmin(1, output(&b, "pedal_command") * 6 / (0.5 * 9.81)), 1e-9);
  // nobody ahead: 4 s
  b.range = -1;
  for (int i = 0; i < 255; i++) update(&b);
  assert_near(output(&b, "time_headway"), 4, 0);
}

// Behind another vehicle that drives at a constant speed it ends at its time headway; alone at its
// speed.
static void test_following(void** state) {
  (void)state;
  Bench b = quiet();
  double lead = 40, x = 0;
  b.v = 15;
  b.speed = 20;
  for (int i = 0; i < 120000; i++) {
    b.range = lead - x;
    update(&b);
    const double pedal = output(&b, "pedal_command");
    b.v += b.dt * (6 * pedal - 0.1);
    x += b.dt * b.v;
    lead += b.dt * 12;
    assert_true(b.range > 1);
  }
  assert_near(b.v, 12, 1e-3);
  assert_near(b.range / b.v, 1, 1e-3);
  for (int i = 0; i < 120000; i++) {
    b.range = -1;
    update(&b);
    const double pedal = output(&b, "pedal_command");
    b.v += b.dt * (6 * pedal - 0.1);
  }
  assert_near(b.v, 20, 1e-2);
}

// Rolling backwards: who wants to stand brakes as forwards, who wants to drive takes the throttle.
// The first pedal is the gain, 0.15 s/m, times the error; the pedal makes 6 m/s2, the brake g at
// most.
static void test_rolling_back(void** state) {
  (void)state;
  static const struct {
    double v, wanted, pedal;
  } cases[] = {{2, 0, -0.3}, {-2, 0, -0.3}, {-2, 1, 0.45}, {2, 3, 0.15}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Bench b = quiet();
    b.v = cases[i].v;
    b.speed = cases[i].wanted;
    for (int k = 0; k < 300; k++) update(&b);
    assert_near(output(&b, "pedal_command"), cases[i].pedal, 1e-12);
    assert_near(b.brake, fmax(0, -cases[i].pedal * 6 / 9.81), 1e-12);
    assert_near(b.demand, 1000 * fmax(0, cases[i].pedal * 6 / (0.5 * 9.81)), 1e-9);
  }
}

// Backwards: full throttle is the force with the other sign; the brake is the brake. Who rolls
// ahead brakes, and takes the throttle once it all but stands. Nothing that is ahead counts.
static void test_pedals_backwards(void** state) {
  (void)state;
  static const struct {
    double v, wanted, pedal;
  } cases[] = {{-2, -3, 0.15}, {-4, -3, -0.15}, {5, -3, -0.75}, {0.2, -3, 0.48}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Bench b = quiet();
    b.v = cases[i].v;
    b.speed = cases[i].wanted;
    b.range = 0.1;
    for (int k = 0; k < 300; k++) update(&b);
    assert_near(output(&b, "pedal_command"), cases[i].pedal, 1e-12);
    assert_near(b.brake, fmax(0, -cases[i].pedal * 6 / 9.81), 1e-12);
    assert_near(b.demand, -1000 * fmax(0, cases[i].pedal * 6 / (0.5 * 9.81)), 1e-9);
    assert_near(output(&b, "target_speed"), -3, 0);
    assert_near(output(&b, "time_headway"), 4, 0);
  }
}

// A turn of the head is no reason to steer. The pedals drive back with the first command after it,
// when the feet answer that, and not before.
static void test_turn_of_the_head(void** state) {
  (void)state;
  const double motor = 0.2;
  Bench b = quiet();
  b.v = 0.1;
  b.speed = 3;
  set(&b, "near_rate", 0);
  set(&b, "motor_time", motor);
  update(&b);  // the line begins here
  b.y = 1;
  b.yaw = 0.02;
  for (int i = 0; i < 1000; i++) update(&b);
  const double steer = b.steer, updates = output(&b, "updates");
  assert_true(steer != 0 && b.demand > 0);
  b.speed = -3;
  double turned = -1, commanded = -1, driven = -1;
  for (int i = 0; i < 2000; i++) {
    const double t = i * b.dt, before = output(&b, "updates");
    update(&b);
    assert_near(b.steer, steer, 0);
    if (turned < 0 && output(&b, "facing") < 0) turned = t;
    if (turned >= 0 && commanded < 0 && output(&b, "updates") > before) commanded = t;
    if (driven < 0 && b.demand < 0) driven = t;
    assert_true(driven >= 0 ? b.demand < 0 : b.demand > 0);
  }
  assert_true(turned >= 0 && output(&b, "updates") > updates);
  assert_near(commanded - turned, 0.205, 2e-3);
  assert_near(driven - commanded, motor, 2e-3);
  // who wants to stand keeps looking back
  b.speed = 0;
  for (int i = 0; i < 1000; i++) update(&b);
  assert_near(output(&b, "facing"), -1, 0);
}

// A kinematic vehicle, seen 1.651 m ahead of its rear axle, backs onto the line from 1 m beside it.
static void test_backs_onto_the_line(void** state) {
  (void)state;
  Bench b = quiet();
  double x = -1.651, y = 0, yaw = 0, most = 0;
  b.v = b.speed = -3;
  update(&b);  // the line begins here
  y = 1;
  for (int i = 0; i < 100000; i++) {
    b.x = x + 1.651 * cos(yaw);
    b.y = y + 1.651 * sin(yaw);
    b.yaw = yaw;
    update(&b);
    x += b.dt * b.v * cos(yaw);
    y += b.dt * b.v * sin(yaw);
    yaw += b.dt * b.v * tan(b.steer) / BASE;
    if (i > 80000) most = fmax(most, fabs(y));
  }
  assert_true(most < 0.02);
}

// In a bend it wants no more than sqrt(a/kappa), whichever way.
static void check_bend(int way) {
  Bench b = quiet();
  set(&b, "course", 2);
  set(&b, "wavelength", 80);
  b.v = way * 10;
  b.speed = way * 30;
  // the far point, 30 m off, lies on a crest
  b.x = 50 + 80 + 20 - way * 30;
  update(&b);
  *state_of(&b, "start_x") = 0;
  *state_of(&b, "along") = b.x;
  for (int i = 0; i < 400; i++) update(&b);
  assert_near(output(&b, "target_speed"), way * sqrt(2.5 / (3.5 * pow(2 * PI / 80, 2))), 0.05);
}
static void test_bend(void** state) {
  (void)state;
  check_bend(1);
  check_bend(-1);
}

// Turns of the steering of more than 2 degrees at a handwheel with a gear of 20.
static void test_reversals(void** state) {
  (void)state;
  const struct {
    double degrees;
    int turns;
  } all[] = {{0.9, 0}, {1.1, 1}};
  for (int k = 0; k < 2; k++) {
    Bench b = quiet();
    set(&b, "near_rate", 0);
    set(&b, "far_share", 0);
    set(&b, "steering_gain", 1);
    set(&b, "motor_time", 0);
    // ten half waves of that amplitude; the near angle is -yaw
    const double amplitude = all[k].degrees * PI / 180 / 20;
    for (int i = 0; i < 100 * 255; i++) {
      b.yaw = amplitude * sin(2 * PI * i / (20 * 255.0));
      update(&b);
    }
    assert_near(output(&b, "steering_reversals"), 9 * all[k].turns, all[k].turns);
    assert_near(output(&b, "steering_activity"), 4 * 5 * amplitude, 0.1 * 4 * 5 * amplitude);
  }
}

// ---- in worlds ----

static const char vehicle[] =
    "<vehicle name='%s' position='0 %g' velocity='10 0'>"
    "<chassis mass='1500' com='0 0 0.6' outline='2 1,2 -1,-2 -1,-2 1' z_max='1.2'/>"
    "<axle x='1.5' track='1.6' radius='0.4' wheel_mass='25' max_steer='30 deg' brake='2000'>"
    "<suspension type='slider' stiffness='30000' damping='3000'/></axle>"
    "<axle x='-1.5' track='1.6' radius='0.4' wheel_mass='25' brake='2000'>"
    "<suspension type='slider' stiffness='30000' damping='3000'/></axle><tyre type='linear'/>"
    "<drive type='direct'/><controller type='human' speed='10'/></vehicle>";

static const char* drivers(int n) {
  static char text[16384];
  snprintf(text, sizeof text, "<world timestep='5 ms'>");
  for (int i = 0; i < n; i++) {
    char name[16];
    const size_t used = strlen(text);
    snprintf(name, sizeof name, "v%d", i);
    snprintf(text + used, sizeof text - used, vehicle, name, 10.0 * i);
  }
  const size_t used = strlen(text);
  snprintf(text + used, sizeof text - used, "</world>");
  return text;
}

static const rutComponent* const none[] = {NULL};

static double yaw_of(const World* w, int v) { return rut_vehicle_state(w->model, w->data, v).yaw; }

// The same seed gives the same bits with any number of workers; other seeds and other vehicles have
// other noise.
static void test_seeds(void** state) {
  (void)state;
  World one = open_world_with(drivers(11), 1, none);
  World two = open_world_with(drivers(11), 2, none);
  run(&one, 400);
  run(&two, 400);
  const uint64_t hash = rut_state_hash(one.model, one.data);
  assert_true(rut_state_hash(two.model, two.data) == hash);
  for (int i = 0; i < 11; i++) {
    for (int k = 0; k < i; k++) assert_true(yaw_of(&one, i) != yaw_of(&one, k));
  }
  rut_data_reset(two.model, two.data, 1);
  run(&two, 400);
  assert_true(rut_state_hash(two.model, two.data) != hash);
  rut_data_reset(two.model, two.data, 0);
  run(&two, 400);
  assert_true(rut_state_hash(two.model, two.data) == hash);
  close_world(&one);
  close_world(&two);
}

// Copies of a world in the lanes of a batch draw the numbers that each would draw alone.
static void test_batch(void** state) {
  (void)state;
  enum { COPIES = 5, STEPS = 300 };
  World w = open_world_with(drivers(2), 1, none);
  rutBatchDef def = rut_default_batch();
  def.copies = COPIES;
  def.seed = 3;
  rutBatch* batch = NULL;
  rutSpec* spec = NULL;
  rutError err;
  const char* text = drivers(2);
  rutStatus status = rut_spec_parse(w.context, text, strlen(text), "world.xml", &spec, &err);
  if (status == RUT_OK) status = rut_batch_create(spec, &def, &batch, &err);
  if (status != RUT_OK) fail_msg("%s", err.message);
  assert_int_equal(rut_batch_step(batch, STEPS, NULL, &err), RUT_OK);
  for (int c = 0; c < COPIES; c++) {
    const rutBatchCopy copy = rut_batch_copy(batch, c);
    rut_data_reset(w.model, w.data, copy.seed);
    run(&w, STEPS);
    const rutModel* model = rut_batch_copy_model(batch, c);
    assert_true(rut_state_hash(model, rut_batch_data(batch, c)) == rut_state_hash(w.model, w.data));
    assert_true(yaw_of(&w, 1) != 0);
  }
  rut_batch_destroy(batch);
  rut_spec_destroy(spec);
  close_world(&w);
}

// The range finder that an <input> names tells of a wall ahead; without it nobody does. Behind
// something that stands, a time headway of 1 s is an approach v = d/(1 s): the way that is left
// shrinks by e in a second.
static double way_left(const char* input) {
  char text[2048];
  snprintf(
      text, sizeof text,
      "<world timestep='5 ms'><block name='wall' position='100 0' fixed='true' outline='0 3,1 "
      "3,1 -3,0 -3' z_max='3'/><vehicle name='v' velocity='10 0'>"
      "<chassis mass='1500' com='0 0 0.6' outline='2 1,2 -1,-2 -1,-2 1' z_max='1.2'/>"
      "<axle x='1.5' track='1.6' radius='0.4' wheel_mass='25' max_steer='30 deg' brake='2000'>"
      "<suspension type='slider' stiffness='30000' damping='3000'/></axle>"
      "<axle x='-1.5' track='1.6' radius='0.4' wheel_mass='25' brake='2000'>"
      "<suspension type='slider' stiffness='30000' damping='3000'/></axle><tyre type='linear'/>"
      "<drive type='direct'/><sensor type='range_finder' name='front' x='2.1' z='1' fov='0' "
      "period='50 ms' max_range='80'/><controller type='human' speed='10'>%s</controller>"
      "</vehicle></world>",
      input);
  World w = open_world_with(text, 1, none);
  run(&w, 3000);
  const double left = 98 - rut_vehicle_state(w.model, w.data, 0).position[0];
  close_world(&w);
  return left;
}
static void test_range(void** state) {
  (void)state;
  assert_true(way_left("") < 0.1);
  const double left = way_left("<input name='range_ahead' from='front.range'/>");
  assert_true(left > 0.3 && left < 4);
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

// A vehicle that stands is driven along a way of a left and a right bend: its root mean square
// distance from that after 40 s.
static double distance_from(double speed, const char* points) {
  char text[2048];
  snprintf(
      text, sizeof text,
      "<world timestep='5 ms'><vehicle name='v'>"
      "<chassis mass='1500' com='0 0 0.6' outline='2 1,2 -1,-2 -1,-2 1' z_max='1.2'/>"
      "<axle x='1.5' track='1.6' radius='0.4' wheel_mass='25' max_steer='30 deg' brake='2000'>"
      "<suspension type='slider' stiffness='30000' damping='3000'/></axle>"
      "<axle x='-1.5' track='1.6' radius='0.4' wheel_mass='25' brake='2000'>"
      "<suspension type='slider' stiffness='30000' damping='3000'/></axle><tyre type='linear'/>"
      "<drive type='direct'/><controller type='human' speed='%g' course='path' points='%s'/>"
      "</vehicle></world>",
      speed, points);
  World w = open_world_with(text, 1, none);
  run(&w, 8000);
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  assert_near(s.position[0] * (speed > 0 ? 1 : -1), 118, 5);
  assert_near(s.position[1], 8, 1);
  assert_near(s.velocity[0], speed, 0.2);
  const double rms = output_of(&w, "cross_track_rms");
  close_world(&w);
  return rms;
}
// Backwards it keeps to the way about as well as forwards, whichever end the points begin at.
static void test_backs(void** state) {
  (void)state;
  const double forwards = distance_from(3, "-20 0,0 0,40 0,80 8,120 8,300 8");
  const double backwards = distance_from(-3, "20 0,0 0,-40 0,-80 8,-120 8,-300 8");
  assert_true(backwards > 0.1 && backwards < 1.5 * forwards);
  assert_near(distance_from(-3, "-300 8,-120 8,-80 8,-40 0,0 0,20 0"), backwards, 0.05);
}

// What is wrong with one is told.
static void test_errors(void** state) {
  (void)state;
  Bench b = quiet();
  rutError err = {0};
  assert_int_equal(human->base.check(b.param, &err), RUT_OK);
  set(&b, "motor_time", 0.3);
  assert_int_equal(human->base.check(b.param, &err), RUT_ERR_MODEL);
  assert_non_null(strstr(err.message, "longer than the shortest cycle"));
  b = quiet();
  set(&b, "course", 1);
  assert_int_equal(human->base.check(b.param, &err), RUT_ERR_MODEL);
  assert_non_null(strstr(err.message, "a path needs 2 points"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sine),
                                     cmocka_unit_test(test_law),
                                     cmocka_unit_test(test_cycles),
                                     cmocka_unit_test(test_gain),
                                     cmocka_unit_test(test_delay_margin),
                                     cmocka_unit_test(test_noise),
                                     cmocka_unit_test(test_headway),
                                     cmocka_unit_test(test_following),
                                     cmocka_unit_test(test_bend),
                                     cmocka_unit_test(test_rolling_back),
                                     cmocka_unit_test(test_reversals),
                                     cmocka_unit_test(test_seeds),
                                     cmocka_unit_test(test_batch),
                                     cmocka_unit_test(test_range),
                                     cmocka_unit_test(test_backs),
                                     cmocka_unit_test(test_pedals_backwards),
                                     cmocka_unit_test(test_turn_of_the_head),
                                     cmocka_unit_test(test_backs_onto_the_line),
                                     cmocka_unit_test(test_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
