// SPDX-License-Identifier: BSD-3-Clause
//
// Engine, converter, gearbox and clutches of the powertrain against closed forms and the second
// law. The defaults are the numbers of Project Chrono's HMMWV.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "drive/converter.h"
#include "drive/gearbox.h"
#include "powertrain_bench.h"
#include "repetitions.h"

extern const rutDriveType rut_drive_engine;
extern const rutControllerType rut_controller_throttle;

// --- Engine --------------------------------------------------------------------------------------

// The engine alone, on a clutch that carries nothing.
static void start_engine(Bench* b) {
  start(b);
  set(b, "coupling", CLUTCH);
  set(b, "clutch_torque", 0);
}

// dw/dt = (map + loss)/J at the points of the tables.
static void test_engine_on_dyno(void** state) {
  static const double row[][2] = {{800, 382 - 30 - 15000.0 / 950},
                                  {1600, 793 - 62},
                                  {2000, 728 - 70},
                                  {2500, 558 - 80},
                                  {1050, 614.5 - 51}};
  Bench b;
  (void)state;
  start_engine(&b);
  b.dt = 1e-7;
  for (int i = 0; i < RUT_COUNT_OF(row); i++) {
    b.state[ENGINE] = row[i][0] * RPM;
    press(&b, 1);
    run(&b);
    assert_near((b.state[ENGINE] - row[i][0] * RPM) / b.dt * 0.5, row[i][1], 0.05);
    // the gas makes map * w; 30 % of the energy in the fuel
    double power = NAN;
    drive->power(b.param, &b.layout, 1, b.speed, b.state, &power);
    const double n = row[i][0], loss = n < 1000 ? 30 + 20 * (n - 50) / 950 : 30 + 0.02 * n;
    const double gas = row[i][1] + loss;
    assert_near(power * 0.3, gas * row[i][0] * RPM, 1e-3 * power + 1);
  }
  // as a curve of the shaft, the loss is in it already
  set(&b, "full_load", 1);
  b.state[ENGINE] = 1600 * RPM;
  press(&b, 1);
  run(&b);
  assert_near((b.state[ENGINE] - 1600 * RPM) / b.dt * 0.5, 793, 0.05);
}

// Drag c w brings it down as exp(-c t/J).
static void test_engine_coasts_down(void** state) {
  static const double speed[] = {0, 1000}, torque[] = {0, -100};
  Bench b;
  (void)state;
  start_engine(&b);
  set_list(&b, "drag_speed", 2, speed);
  set_list(&b, "drag_torque", 2, torque);
  b.state[ENGINE] = 200;
  for (int i = 0; i < 5000; i++) run(&b);
  assert_near(b.state[ENGINE], 200 * exp(-0.1 * 5 / 0.5), 0.02);
  // and it does not turn backwards
  for (int i = 0; i < 200000; i++) run(&b);
  assert_true(b.state[ENGINE] >= 0 && b.state[ENGINE] < 1e-6);
}

// It idles from the start, and governors hold it between idle_speed and max_speed.
static void test_engine_governors(void** state) {
  Bench b;
  (void)state;
  start_engine(&b);
  set(&b, "idle_speed", 70);
  set(&b, "clutch_speed", 120);
  set(&b, "max_speed", 250);
  for (int i = 0; i < 3000; i++) {
    run(&b);
    assert_near(70 + b.state[ENGINE], 70, 1);
  }
  press(&b, 1);
  for (int i = 0; i < 3000; i++) {
    run(&b);
    assert_true(70 + b.state[ENGINE] <= 250);
  }
  assert_true(70 + b.state[ENGINE] > 230);
}

// --- Converter -----------------------------------------------------------------------------------

static const double nu[] = {0, 0.25, 0.5, 0.75, 0.9, 1}, k[] = {15, 15, 15, 16, 18, 35};
static const double r[] = {2, 1.8, 1.5, 1.15, 1.06, 1};

static void test_converter_table(void** state) {
  const rutConverter c = {6, nu, k, r, 1e-6};
  double out;
  (void)state;
  for (int i = 0; i < 5; i++) {
    const double in = rut_converter_torque(&c, 200, 200 * nu[i], &out);
    assert_near(in, 200 * 200 / (k[i] * k[i]), 1e-9);
    assert_near(out, r[i] * in, 1e-9);
  }
  // coasting: K of 2 - nu, torque ratio 1, and no torque at equal speeds
  const double in = rut_converter_torque(&c, 100, 125, &out);
  assert_near(in, -(100.0 / 16) * (100.0 / 16), 1e-9);
  assert_near(out, in, 0);
  assert_near(rut_converter_torque(&c, 100, 100, &out), 0, 0);
  // a turbine that turns backwards holds as one that stands
  assert_near(rut_converter_torque(&c, 150, -40, &out), 100, 1e-9);
  assert_near(out, 200, 1e-9);
  // 1.06 at 0.9 rises to 0.9825 in between: (0.9 + x)(1.06 - 0.6 x) is largest at the end, 1
  assert_near(rut_converter_best(&c), 1, 1e-12);
  const double bad[] = {2, 1.8, 1.5, 1.34, 1.06, 1};
  const rutConverter too_good = {6, nu, k, bad, 1e-6};
  assert_true(rut_converter_best(&too_good) > 1.0);
}

// A million states of a million tables: never gives power.
static void test_converter_is_passive(void** state) {
  uint64_t seed = 3;
  double least = 1;
  (void)state;
  for (int i = 0; i < repetitions(1000000, 20000); i++) {
    double capacity[6], gain[6];
    for (int j = 0; j < 6; j++) {
      capacity[j] = 20 + 15 * draw(&seed);
      gain[j] = 0.5 + 0.5 * draw(&seed);
      gain[j] *= nu[j] > 0 ? fmin(1 / nu[j], 3) : 3;
    }
    const rutConverter c = {6, nu, capacity, gain, 0.02};
    if (rut_converter_best(&c) > 1) continue;
    const double engine = 300 * fabs(draw(&seed)), turbine = 400 * draw(&seed);
    double out;
    const double in = rut_converter_torque(&c, engine, turbine, &out);
    const double loss = in * engine - out * turbine;
    least = fmin(least, loss / (1 + fabs(in * engine)));
  }
  assert_true(least >= -1e-12);
}

// Stall: (w/15)^2 is the torque of the engine, which falls from 558 N m at 2500 rpm to -400 at
// 2700, less 80 N m at 2500 and 0.02 per rpm more.
static double stall_speed(void) {
  const double a = 1.0 / 225, slope = (958.0 / 200 + 0.02) / RPM, w0 = 2500 * RPM;
  return (-slope + sqrt(slope * slope + 4 * a * (558 - 80 + slope * w0))) / (2 * a);
}

static void test_stall(void** state) {
  Bench b;
  (void)state;
  start(&b);
  const double stall = stall_speed(), torque = 2 * stall * stall / 225;
  assert_near(stall / RPM, 2534, 1);
  assert_near(full_of(&b), torque * 25, 1e-6 * torque);
  press(&b, 1);
  for (int i = 0; i < 3000; i++) run(&b);
  assert_near(b.state[ENGINE], stall, 1e-6);
  for (int w = 0; w < WHEELS; w++) assert_near(b.torque[w], torque * 25 / 4, 1e-4);
  // low range
  set(&b, "range", 1);
  assert_near(full_of(&b), torque * 25 * 2.61, 1e-4);
  set(&b, "full_demand", 777);
  assert_near(full_of(&b), 777, 0);
}

// --- Gearbox -------------------------------------------------------------------------------------

// Gears lose a part of the power, and clutches of a shift only brake what slips: in the direction
// of power flow the efficiency holds exactly.
static void test_gearbox_is_passive(void** state) {
  static const double gear[] = {5, 2.5, 1.25};
  const rutGearbox box = {.gears = 3, .gear = gear, .reverse = 10, .efficiency = 0.85};
  uint64_t seed = 5;
  double least = 1;
  (void)state;
  assert_near(rut_mesh_factor(&box, 100, 200), 0.85, 1e-15);
  assert_near(rut_mesh_factor(&box, -100, 200), 1 / 0.85, 1e-15);
  assert_near(rut_mesh_factor(&box, 100, -200), 1 / 0.85, 1e-15);
  for (int i = 0; i < repetitions(1000000, 20000); i++) {
    const double torque = 1000 * draw(&seed), out = 50 * draw(&seed);
    const rutShift s = {.ratio = gear[i % 3],
                        .from = gear[(i + 1) % 3] - gear[i % 3],
                        .at = (gear[(i + 1) % 3] - gear[i % 3]) * (0.5 + 0.5 * draw(&seed)),
                        .left = 0.1};
    rutShift still = s;
    still.after = still.at;
    const double through = rut_shift_ratio(&still, torque, out);
    const double in = (s.ratio + s.at) * out;
    least = fmin(least, torque * (in - through * out));
    const double speed = 3 * draw(&seed) * (i % 2 ? 1 : 100);
    least = fmin(least, torque * speed * (1 - rut_mesh_factor(&box, torque, speed)));
  }
  assert_true(least >= -1e-9);
}

// Free wheels, a standing engine that takes nothing: when the gear changes, what the input shaft
// loses in speed the wheels gain. (J + r2 0.3 r1) w = (J + r2 0.3 r2) w', however long it takes.
static void test_shift_conserves_momentum(void** state) {
  static const double times[] = {0, 0.05, 0.5};
  const double none[WHEELS] = {0}, w0 = 11;
  const double out = 4 * WHEEL + 2 * AXLE + CENTRE;
  (void)state;
  for (int i = 0; i < RUT_COUNT_OF(times); i++) {
    Bench b;
    start(&b);
    set(&b, "shift_time", times[i]);
    spin(&b, w0);
    int steps = 0;
    for (; b.state[GEAR] == 0 && steps < 2000; steps++) {
      assert_near(mean_of(&b), w0, 1e-9);
      step(&b, none);
    }
    assert_true(steps >= 1000 && steps <= 1002);  // one second from the start
    for (int n = 0; n < 600; n++) step(&b, none);
    const double expected =
        w0 * (out + RATIO[1] * 0.3 * RATIO[0]) / (out + RATIO[1] * 0.3 * RATIO[1]);
    assert_near(b.state[GEAR], 1, 0);
    for (int w = 0; w < WHEELS; w++) assert_near(b.speed[w], expected, 1e-9);
  }
}

// On a shift the torque is that of the turbine through the gear and what the input shaft gives up,
// 0.3 (r1 - r2) w/t, which adds up to 0.3 (r1 - r2) w.
static void test_shift_torque(void** state) {
  Bench b;
  (void)state;
  start(&b);
  set(&b, "shift_time", 0.2);
  spin(&b, 11);
  while (b.state[GEAR] == 0) run(&b);
  double sum = 0;
  for (int i = 0; i < 250; i++) {
    if (i < 199) assert_near(sum_of(b.torque), 12.5 * 0.3 * 12.5 * 11 / 0.2, 1e-6);
    sum += sum_of(b.torque) * b.dt;
    run(&b);
  }
  assert_near(sum, 12.5 * 0.3 * 12.5 * 11, 1e-9);
}

// The gears come at their speeds, not before a second has passed, and not while wheels that spin
// up or lock change speed faster than any ground lets them.
static void test_shift_points(void** state) {
  Bench b;
  (void)state;
  start(&b);
  double last = -10;
  for (int i = 0; i < 40000; i++) {  // up to 30 rad/s and down again in 40 s
    const double t = i * b.dt, before = b.state[GEAR];
    const double w = t < 20 ? 1.5 * t : 60 - 1.5 * t;
    spin(&b, w);
    run(&b);
    if (b.state[GEAR] == before) continue;
    const double at = RATIO[(int)before] * w / RPM;
    if (t < 20) assert_near(at, 2500, 1);
    if (t > 20) assert_near(at, 1200, 2);
    assert_true(t - last > 1);
    last = t;
  }
  assert_near(b.state[GEAR], 0, 0);

  start(&b);
  for (int i = 0; i < 1500; i++) run(&b);
  for (int i = 0; i < 200; i++) {  // 100 rad/s2
    spin(&b, 0.1 * i);
    run(&b);
    assert_near(b.state[GEAR], 0, 0);
  }
  for (int i = 0; i < 1000; i++) run(&b);
  assert_near(b.state[GEAR], 1, 0);
  for (int i = 0; i < 4000; i++) run(&b);
  spin(&b, 0);
  for (int i = 0; i < 50; i++) {  // locked at once
    run(&b);
    assert_near(b.state[GEAR], 1, 0);
  }
}

// A point mass on a grade, whose wheels roll. Returns its shifts after the first minute, and the
// last gear in *gear.
static int shifts_on(double grade, double throttle, int coupling, double margin, int* gear) {
  Bench b;
  start(&b);
  set(&b, "coupling", coupling);
  set(&b, "shift_margin", margin);
  spin(&b, coupling == RIGID ? 8 : 0);
  b.dt = 5e-3;
  // mass belongs to the wheels; the driveline is told their own inertia
  double moved[WHEELS];
  for (int w = 0; w < WHEELS; w++) moved[w] = WHEEL + MASS * RADIUS * RADIUS / 4;
  int shifts = 0;
  press(&b, throttle);
  for (int i = 0; i < 24000; i++) {
    const double v = RADIUS * mean_of(&b), before = b.state[GEAR];
    const double force =
        MASS * 9.81 * sin(atan(grade)) + 0.5 * 1.2 * 2.5 * v * v + 0.015 * MASS * 9.81;
    const double each = force * RADIUS / 4, load[WHEELS] = {each, each, each, each};
    memcpy(b.inertia, moved, sizeof moved);
    step(&b, load);
    if (b.speed[0] < 0) spin(&b, 0);
    shifts += i > 12000 && b.state[GEAR] != before;
  }
  *gear = (int)b.state[GEAR];
  return shifts;
}

// No grade makes it hunt between gears, and steeper ones have lower gears.
static void test_no_hunting(void** state) {
  int last = 2, used = 0, gear;
  (void)state;
  for (int percent = 0; percent <= 60; percent += percent < 20 ? 1 : 4) {
    assert_int_equal(shifts_on(0.01 * percent, 1, CONVERTER, 1.1, &gear), 0);
    assert_true(gear <= last);
    used |= 1 << gear;
    last = gear;
    if (percent % 4 || percent > 20) continue;
    assert_int_equal(shifts_on(0.01 * percent, 0.5, CONVERTER, 1.1, &gear), 0);
  }
  assert_int_equal(used, 7);
  // Without a converter, a load between what the second gear carries at 1250 rpm, 12.5 * 671 N m,
  // and the first at 2500, 25 * 478 N m: it hunts unless it looks at the load.
  assert_true(shifts_on(1.2, 1, RIGID, 0, &gear) > 4);
  assert_int_equal(shifts_on(1.2, 1, RIGID, 1.1, &gear), 0);
  assert_int_equal(gear, 0);
}

// Backwards: in reverse, with its 10:1, once the wheels are slow; a negative demand on the move is
// no throttle.
static void test_reverse(void** state) {
  Bench b;
  (void)state;
  start(&b);
  const double stall = stall_speed();
  press(&b, -1);
  spin(&b, 10);
  for (int i = 0; i < 3000; i++) {
    run(&b);
    assert_true(sum_of(b.torque) <= 0 && b.state[GEAR] >= 0);
  }
  assert_near(b.state[ENGINE], 0, 1e-9);
  spin(&b, 0);
  for (int i = 0; i < 5000; i++) run(&b);
  assert_near(b.state[GEAR], -1, 0);
  assert_near(sum_of(b.torque), -2 * stall * stall / 225 * 50, 1e-3);
  // and forwards again only when slow
  b.demand = -b.demand;
  spin(&b, -5);
  for (int i = 0; i < 3000; i++) run(&b);
  assert_near(b.state[GEAR], -1, 0);
  assert_true(sum_of(b.torque) >= 0);
  spin(&b, -0.4);
  for (int i = 0; i < 3000; i++) run(&b);
  assert_near(b.state[GEAR], 0, 0);
  assert_true(sum_of(b.torque) > 0);
}

// Energy of all that turns, from the speeds of the wheels and the state.
static double energy_of(const Bench* b) {
  const double w = mean_of(b), front = 0.5 * (b->speed[FL] + b->speed[FR]);
  const double rear = 0.5 * (b->speed[RL] + b->speed[RR]);
  const double gear = b->state[GEAR] < 0 ? -10 : RATIO[(int)b->state[GEAR]] / 5;
  const double input = 5 * (gear + b->state[BLEND]) * w;
  const double engine = b->state[JOINED] > 0 ? input : b->state[ENGINE];
  double twice = AXLE * (front * front + rear * rear) + CENTRE * w * w;
  for (int i = 0; i < WHEELS; i++) twice += b->inertia[i] * b->speed[i] * b->speed[i];
  return 0.5 * (twice + 0.3 * input * input + 0.5 * engine * engine);
}

// Work of the gas less what the ground takes is never exceeded by the energy of what turns,
// whatever throttle and ground do, in all shifts.
static void test_whole_is_passive(void** state) {
  uint64_t seed = 23;
  (void)state;
  for (int i = 0; i < 15; i++) {
    Bench b;
    start(&b);
    b.dt = 5e-4;
    set(&b, "coupling", i % 3);
    set(&b, "shift_time", i % 4 * 0.15);
    set(&b, "shift_throttle", i % 2);
    set(&b, "efficiency", i % 5 ? 1 : 0.9);
    set(&b, "lockup", i % 2);
    set(&b, "rear_differential", i / 3 % 3);
    double given = 0, taken = 0, throttle = 0, ground[WHEELS] = {0}, worst = 0;
    int shifts = 0;
    for (int n = 0; n < 24000; n++) {
      if (n % 1000 == 0) throttle = fmax(draw(&seed) + 0.3, -0.2);
      if (n % 1250 == 0) {
        for (int w = 0; w < WHEELS; w++) ground[w] = 700 * draw(&seed);
      }
      const double gear = b.state[GEAR];
      double power = NAN, before[WHEELS], drag[WHEELS];
      memcpy(before, b.speed, sizeof before);
      for (int w = 0; w < WHEELS; w++) drag[w] = ground[w] + 8 * b.speed[w];
      press(&b, throttle);
      step(&b, drag);
      drive->power(b.param, &b.layout, 1, before, b.state, &power);
      given += 0.3 * power * b.dt;
      for (int w = 0; w < WHEELS; w++) {
        taken += drag[w] * 0.5 * (before[w] + b.speed[w]) * b.dt;
      }
      shifts += b.state[GEAR] != gear;
      worst = fmax(worst, energy_of(&b) + taken - given);
    }
    assert_true(shifts >= 2 && worst <= 1e-6 * given);
  }
}

// --- Clutches ------------------------------------------------------------------------------------

// Engine at 200 rad/s against standing free wheels: the clutch gives what it can, until both turn
// as one; momentum of engine and wheels is then that of the engine.
static void test_friction_clutch(void** state) {
  static const double speed[] = {0, 1000}, zero[] = {0, 0}, one_gear[] = {5};
  const double none[WHEELS] = {0};
  Bench b;
  (void)state;
  start(&b);
  set(&b, "coupling", CLUTCH);
  set(&b, "clutch_torque", 50);
  set(&b, "clutch_speed", 1e-3);
  set_list(&b, "drag_speed", 2, speed);
  set_list(&b, "drag_torque", 2, zero);
  set_list(&b, "gears", 1, one_gear);
  b.state[ENGINE] = 200;
  run(&b);
  assert_near(sum_of(b.torque), 50 * 25, 1e-9);
  b.state[ENGINE] = 200;
  double last = 0;
  for (int i = 0; i < 4000; i++) {
    assert_true(mean_of(&b) >= last - 1e-12);
    last = mean_of(&b);
    step(&b, none);
  }
  const double out = 4 * WHEEL + 2 * AXLE + CENTRE + 625 * 0.3;
  const double expected = 25 * 0.5 * 200 / (out + 625 * 0.5);
  assert_near(mean_of(&b), expected, 1e-9);
  assert_near(b.state[ENGINE], 25 * expected, 1e-6);
}

// In the last gear a converter with lock-up turns as one piece, and engine braking is the drag
// through the gear.
static void test_lockup(void** state) {
  Bench b;
  (void)state;
  start(&b);
  set(&b, "lockup", 1);
  const double w = 35;  // 219 rad/s, 2089 rpm in the last gear
  press(&b, 1);
  spin(&b, w);
  for (int i = 0; i < 6000; i++) run(&b);
  assert_near(b.state[GEAR], 2, 0);
  assert_near(b.state[ENGINE], 6.25 * w, 1e-9);
  const double rpm = 6.25 * w / RPM, map = 697 - 33 * (rpm - 2100) / 100;
  const double below = 728 - 31 * (rpm - 2000) / 100;
  const double gas = rpm > 2100 ? map : below;
  assert_near(sum_of(b.torque), 6.25 * (gas - 70 - 0.02 * (rpm - 2000)), 1e-4);
  b.demand = 0;
  run(&b);
  assert_near(sum_of(b.torque), -6.25 * (70 + 0.02 * (rpm - 2000)), 1e-4);
  // below nine tenths of lockup_speed it lets go
  spin(&b, 0.89 * 150 / 6.25);
  for (int i = 0; i < 300; i++) run(&b);
  assert_true(fabs(b.state[ENGINE] - 0.89 * 150) > 1);
}

// Without anything between, the engine turns with the wheels.
static void test_rigid(void** state) {
  Bench b;
  (void)state;
  start(&b);
  set(&b, "coupling", RIGID);
  set(&b, "efficiency", 0.8);
  spin(&b, 1600 * RPM / 25);
  press(&b, 1);
  run(&b);
  assert_near(sum_of(b.torque), 0.8 * 25 * (793 - 62), 1e-6);
  b.demand = 0;
  run(&b);
  assert_near(sum_of(b.torque), -25 * 62 / 0.8, 1e-6);
  press(&b, 0.5);
  run(&b);
  assert_near(sum_of(b.torque), 0.8 * 25 * (0.5 * 793 - 62), 1e-6);
}

// --- Mistakes ------------------------------------------------------------------------------------

static void refused(Bench* b, const char* what) {
  rutError err = {0};
  assert_int_equal(drive->base.check(b->param, &err), RUT_ERR_MODEL);
  assert_non_null(strstr(err.message, what));
}

static void test_refused(void** state) {
  static const double rising[] = {1, 2}, falling[] = {2, 1}, three[] = {1, 2, 3};
  static const double much[] = {2, 1.8, 1.5, 1.4, 1.2, 1}, half[] = {0, 0.2, 0.4, 0.6, 0.8, 0.9};
  static const double close[] = {5, 2}, two[] = {100, 100};
  rutError err;
  Bench b;
  (void)state;
  start(&b);
  assert_int_equal(drive->base.check(b.param, &err), RUT_OK);
  set_list(&b, "gears", 2, rising);
  refused(&b, "gears must fall");
  start(&b);
  set_list(&b, "gears", 0, NULL);
  refused(&b, "at least one ratio");
  start(&b);
  set_list(&b, "gears", 2, close);
  refused(&b, "where it shifts down");
  start(&b);
  set_list(&b, "shift_up", 3, three);
  refused(&b, "shift_up has 3 numbers");
  start(&b);
  set_list(&b, "full_speed", 2, falling);
  refused(&b, "full_speed has 2 numbers, full_torque 20");
  set_list(&b, "full_torque", 2, two);
  refused(&b, "full_speed does not rise at its number 2");
  start(&b);
  set_list(&b, "converter_gain", 6, much);
  refused(&b, "makes energy from nothing");
  start(&b);
  set_list(&b, "converter_ratio", 6, half);
  refused(&b, "must go from 0 to 1");
  start(&b);
  set(&b, "idle_speed", 130);
  refused(&b, "clutch_speed");
}

// --- Controller and other drives -----------------------------------------------------------------

static void test_throttle(void** state) {
  const rutControllerType* type = &rut_controller_throttle;
  const double command[3] = {0.5, 0.25, -0.5}, beyond[3] = {-2, 7, 3};
  double param[16], demand[2], steer, brake, twist[3];
  Bench b;
  (void)state;
  start(&b);
  for (int i = 0; i < type->base.fields; i++) param[i] = type->base.field[i].def;
  static const char* const commands[] = {"throttle", "brake", "steering"};
  assert_int_equal(type->commands, 3);
  for (int i = 0; i < 3; i++) assert_string_equal(type->command[i].name, commands[i]);
  rutControlIn in = {.lanes = 1, .demands = 1, .dt = 0.01, .command = command};
  const rutControlOut out = {.demand = demand, .steer = &steer, .twist = twist, .brake = &brake};
  b.layout.full_demand = 8000;
  type->update(param, &b.layout, &in, NULL, &out);
  assert_near(demand[0], 4000, 0);
  assert_near(brake, 0.25, 0);
  assert_near(steer, -0.25, 0);  // of 0.5 rad
  in.command = beyond;
  in.demands = 2;
  type->update(param, &b.layout, &in, NULL, &out);
  assert_near(demand[0] + demand[1], -8000, 0);
  assert_near(brake, 1, 0);
  assert_near(steer, 0.5, 0);
  // a drive without throttle gets a part of max_torque
  b.layout.full_demand = 0;
  in.command = command;
  in.demands = 1;
  type->update(param, &b.layout, &in, NULL, &out);
  assert_near(demand[0], 500, 0);
}

// The plain engine knows its full throttle too: 583 N m, 3.3:1.
static void test_full_demand_of_engine(void** state) {
  double param[MAX_NUMBERS];
  (void)state;
  defaults(&rut_drive_engine, param);
  assert_near(rut_drive_engine.full_demand(param), 583 * 3.3, 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_engine_on_dyno),
      cmocka_unit_test(test_engine_coasts_down),
      cmocka_unit_test(test_engine_governors),
      cmocka_unit_test(test_converter_table),
      cmocka_unit_test(test_converter_is_passive),
      cmocka_unit_test(test_stall),
      cmocka_unit_test(test_gearbox_is_passive),
      cmocka_unit_test(test_shift_conserves_momentum),
      cmocka_unit_test(test_shift_torque),
      cmocka_unit_test(test_shift_points),
      cmocka_unit_test(test_no_hunting),
      cmocka_unit_test(test_reverse),
      cmocka_unit_test(test_whole_is_passive),
      cmocka_unit_test(test_friction_clutch),
      cmocka_unit_test(test_lockup),
      cmocka_unit_test(test_rigid),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_throttle),
      cmocka_unit_test(test_full_demand_of_engine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
