// SPDX-License-Identifier: BSD-3-Clause
//
// Encoders, steering potentiometers, torque transducers and current sensors of wheels, and range
// finders.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/component.h"
#include "world_fixture.h"

static const double PI = 3.14159265358979323846;

static World open_world(const char* format, ...) __attribute__((format(printf, 1, 2)));
static World open_world(const char* format, ...) {
  static const rutComponent* const no_types[] = {NULL};
  char text[4000];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return open_world_with(text, 0, no_types);
}

static double real(const World* w, int sensor, int output, int index) {
  const double* found = rut_sensor_output(w->model, w->data, sensor, output, NULL);
  return found ? found[index] : NAN;
}

static int count(const World* w, int index) {
  const int32_t* found = rut_sensor_output(w->model, w->data, 0, 0, NULL);
  return found ? found[index] : INT32_MIN;
}

enum { COUNTS, ANGLE, SPEED };
#define ROBOT(attributes, controller, sensor)                                 \
  "<world timestep='0.001'><vehicle name='r' " attributes                     \
  "><chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"       \
  "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"    \
  "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"  \
  "<tyre type='coulomb'/><drive type='direct'/>" controller "<sensor " sensor \
  "/></vehicle></world>"

// ---- encoders ----

// On a circle the wheels turn by (v -+ w b/2) t / r. Counts are whole, rounded down, also backward,
// and the speed comes in steps of 2 pi/(c g T).
static void test_counts(void** state) {
  (void)state;
  World w = open_world(ROBOT("velocity='-0.4 0' yaw_rate='2'",
                             "<controller type='twist_ideal' speed='-0.4' yaw_rate='2'/>",
                             "type='encoder' counts_per_turn='100' gear_ratio='3' period='0.05'"));
  const double step = 2 * PI / (100 * 3);
  double sum[2] = {0, 0};
  for (int i = 1; i <= 40; i++) {
    run(&w, 50);
    const double left = (-0.4 - 2 * 0.25) / 0.1, right = (-0.4 + 2 * 0.25) / 0.1;
    const double rate[2] = {left, right};
    for (int k = 0; k < 2; k++) {
      const double angle = rate[k] * 0.05 * i;
      // wheels follow the imposed twist within a part of a step
      assert_near(count(&w, k), floor(angle / step), 1.1);
      assert_near(real(&w, 0, ANGLE, k), count(&w, k) * step, 1e-12);
      const double speed = real(&w, 0, SPEED, k);
      assert_near(speed / (step / 0.05), round(speed / (step / 0.05)), 1e-6);
      assert_near(speed, rate[k], 2.1 * step / 0.05);
      sum[k] += 0.05 * speed;
    }
  }
  // the left wheel turned backward: below zero from the first count on
  assert_true(count(&w, 0) < 0 && count(&w, 1) > 0);
  for (int k = 0; k < 2; k++) assert_near(sum[k], real(&w, 0, ANGLE, k), 1e-9);
  close_world(&w);
}

// A disc off its centre: the angle is wrong by e sin(angle), back and forth in each turn.
static void test_eccentricity(void** state) {
  (void)state;
  World w = open_world(
      ROBOT("velocity='0.5 0'", "<controller type='twist_ideal' speed='0.5'/>",
            "type='encoder' counts_per_turn='16000000' eccentricity='0.1' period='0.01'"));
  double most = 0, least = 0;
  for (int i = 0; i < 200; i++) {
    run(&w, 10);
    const double truth = rut_wheel_state(w.model, w.data, 0).angle;
    const double error = real(&w, 0, ANGLE, 0) - truth;
    assert_near(error, 0.1 * sin(truth), 1e-6);
    most = fmax(most, error);
    least = fmin(least, error);
  }
  assert_near(most, 0.1, 1e-3);
  assert_near(least, -0.1, 1e-3);
  close_world(&w);
}

// Without noise it tells the truth.
static void test_exact_encoder(void** state) {
  (void)state;
  World w = open_world(
      ROBOT("velocity='0.5 0'", "<controller type='twist_ideal' speed='0.5'/>",
            "type='encoder' counts_per_turn='4' eccentricity='0.3' period='0.01' noise='none'"));
  run(&w, 333);
  const rutWheelState wheel = rut_wheel_state(w.model, w.data, 0);
  assert_near(real(&w, 0, SPEED, 0), wheel.speed, 1e-9);
  assert_near(real(&w, 0, ANGLE, 0), wheel.angle, 0.003 * 5.1);
  close_world(&w);
}

// A body that slides on wheels at rest, friction mu: the wheels spin up by mu N r / I, and the body
// slows by mu g. Odometry sees the wheels only, r mu N r t^2/2 I; the body has gone v t - mu g
// t^2/2.
static void test_slip_is_seen(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='0.0005'><vehicle name='cart' velocity='2 0' rolling_start='false'>"
      "<chassis mass='92' outline='-0.5 -0.4 0.5 -0.4 0.5 0.4 -0.5 0.4'/>"
      "<wheel name='rl' position='-0.4 0.4' place='rear_left' mass='2' radius='0.2'/>"
      "<wheel name='rr' position='-0.4 -0.4' place='rear_right' mass='2' radius='0.2'/>"
      "<wheel name='fl' position='0.4 0.4' place='front_left' mass='2' radius='0.2'/>"
      "<wheel name='fr' position='0.4 -0.4' place='front_right' mass='2' radius='0.2'/>"
      "<drive type='direct'/><tyre type='coulomb' friction='0.02' bearing_damping='0'/>"
      "<sensor type='encoder' counts_per_turn='100000' period='0.01'/></vehicle></world>");
  run(&w, 600);
  const double t = 0.3, load = 100 * 9.81 / 4, inertia = 0.5 * 2 * 0.2 * 0.2;
  const double angle = 0.5 * 0.02 * load * 0.2 / inertia * t * t;
  for (int k = 0; k < 4; k++) assert_close(real(&w, 0, ANGLE, k), angle, 0.01, 0);
  const double x = rut_vehicle_state(w.model, w.data, 0).position[0];
  assert_near(x, 2 * t - 0.5 * 0.02 * 9.81 * t * t, 1e-3);
  close_world(&w);
}

// ---- steering angles and torques ----

#define CAR(sensor)                                                                               \
  "<world timestep='0.005'><vehicle name='c' max_steer='0.6'>"                                    \
  "<chassis mass='92' outline='-0.5 -0.4 0.5 -0.4 0.5 0.4 -0.5 0.4'/>"                            \
  "<wheel name='rl' position='0 0.4' place='rear_left' mass='2' radius='0.2'/>"                   \
  "<wheel name='rr' position='0 -0.4' place='rear_right' mass='2' radius='0.2'/>"                 \
  "<wheel name='fl' position='1 0.4' place='front_left' steered='true' mass='2' radius='0.2'/>"   \
  "<wheel name='fr' position='1 -0.4' place='front_right' steered='true' mass='2' radius='0.2'/>" \
  "<drive type='direct'/><tyre type='coulomb'/><controller type='raw' steer='0.2' "               \
  "torque_left='3' torque_right='3'/><sensor name='s' " sensor "/></vehicle></world>"

// Ackermann: cot of the inner wheel is that of the middle less b/2L, of the outer wheel more. One
// sensor is exact, of the other bias, steps and spread show.
static void test_steering(void** state) {
  (void)state;
  World w = open_world(CAR("type='steering_angle' noise='none' period='0.01'"));
  run(&w, 10);
  const double inner = atan(1 / (1 / tan(0.2) - 0.4)), outer = atan(1 / (1 / tan(0.2) + 0.4));
  assert_near(real(&w, 0, 0, 0), 0, 1e-12);
  assert_near(real(&w, 0, 0, 2), inner, 1e-9);
  assert_near(real(&w, 0, 0, 3), outer, 1e-9);
  close_world(&w);
  w = open_world(CAR("type='steering_angle' deviation='0.01' bias='0.05' period='0.005'"));
  double sum = 0, square = 0;
  enum { N = 4000 };
  for (int i = 0; i < N; i++) {
    run(&w, 1);
    const double error = real(&w, 0, 0, 2) - rut_wheel_state(w.model, w.data, 2).steer;
    sum += error / N;
    square += error * error / N;
  }
  assert_near(sum, 0.05, 4 * 0.01 / sqrt(N));
  assert_near(sqrt(square - sum * sum), 0.01, 4 * 0.01 / sqrt(2 * N));
  close_world(&w);
  w = open_world(
      CAR("type='steering_angle' deviation='0' resolution='0.05' range='0.2' period='0.005'"));
  run(&w, 10);
  assert_near(real(&w, 0, 0, 2), 0.2, 1e-12);
  assert_near(real(&w, 0, 0, 3), floor(outer / 0.05 + 0.5) * 0.05, 1e-12);
  close_world(&w);
}

static void test_torque(void** state) {
  (void)state;
  World w =
      open_world(CAR("type='wheel_torque' deviation='0' scale='1.1' bias='0.25' period='0.005'"));
  run(&w, 10);
  for (int k = 0; k < 4; k++) {
    const double truth = rut_wheel_state(w.model, w.data, k).torque;
    assert_near(real(&w, 0, 0, k), 1.1 * truth + 0.25, 1e-12);
  }
  close_world(&w);
}

// Wheels that do not steer have no potentiometer that could be wrong.
static void test_fixed_wheels(void** state) {
  (void)state;
  World w = open_world(CAR("type='steering_angle' deviation='0.01' bias='0.05' period='0.005'"));
  for (int i = 0; i < 20; i++) {
    run(&w, 1);
    for (int k = 0; k < 2; k++) assert_near(real(&w, 0, 0, k), 0, 0);
    for (int k = 2; k < 4; k++) {
      const double truth = rut_wheel_state(w.model, w.data, k).steer;
      assert_true(real(&w, 0, 0, k) != truth);
    }
  }
  close_world(&w);
}

// ---- currents ----

// A robot of 12 kg that motors without friction hold on a slope of 10 %, facing a way.
#define ON_SLOPE(yaw, drive, sensor)                                                          \
  "<world timestep='0.001'><terrain type='plane' slope_x='0.1'/>"                             \
  "<vehicle name='r' yaw='" yaw                                                               \
  "'><chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"                      \
  "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"                    \
  "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"                  \
  "<tyre type='coulomb' bearing_damping='0'/>" drive                                          \
  "<controller type='twist_pid' stop_speed='0' proportional_gain='200' integral_gain='400'/>" \
  "<sensor type='current' period='0.01' " sensor "/></vehicle></world>"
#define MOTORS                                                                      \
  "<drive type='dc_motor' gear='8' torque_constant='0.05' coulomb_friction='1e-9' " \
  "static_friction='1e-9'/>"

// Two motors hold m g sin(a) r: currents that are uphill, with the vehicle or against it.
static void test_holding_current(void** state) {
  (void)state;
  const double torque = 12 * 9.81 * 0.1 / sqrt(1.01) * 0.1 / 2;
  World w = open_world(ON_SLOPE("0", MOTORS, "noise='none'"));
  run(&w, 8000);
  for (int k = 0; k < 2; k++) assert_near(real(&w, 0, 0, k), torque / (8 * 0.05), 1e-5);
  close_world(&w);
  w = open_world(ON_SLOPE("180 deg", MOTORS, "noise='none'"));
  run(&w, 8000);
  for (int k = 0; k < 2; k++) assert_near(real(&w, 0, 0, k), -torque / (8 * 0.05), 1e-5);
  close_world(&w);
  // from no-load speed and voltage: at 20 rad/s the back-EMF is 48 V, K = 2.4 N m/A at the wheel
  w = open_world(ON_SLOPE("0",
                          "<drive type='direct' max_torque='20' no_load_speed='20' voltage='48'/>",
                          "noise='none'"));
  run(&w, 8000);
  for (int k = 0; k < 2; k++) assert_near(real(&w, 0, 0, k), torque / 2.4, 1e-5);
  close_world(&w);
}

// Bias, scale, steps and range; and a drive that knows no currents has a sensor of noise alone.
static void test_current_errors(void** state) {
  (void)state;
  const double truth = 12 * 9.81 * 0.1 / sqrt(1.01) * 0.1 / 2 / 0.4;
  World w = open_world(ON_SLOPE("0", MOTORS, "deviation='0' bias='0.3' scale='1.02'"));
  run(&w, 8000);
  assert_near(real(&w, 0, 0, 0), 1.02 * truth + 0.3, 1e-5);
  close_world(&w);
  w = open_world(ON_SLOPE("0", MOTORS, "deviation='0' resolution='0.25'"));
  run(&w, 8000);
  assert_near(real(&w, 0, 0, 0), 0.25 * floor(truth / 0.25 + 0.5), 1e-12);
  close_world(&w);
  w = open_world(ON_SLOPE("0", MOTORS, "deviation='0' range='1'"));
  run(&w, 8000);
  assert_near(real(&w, 0, 0, 0), 1, 0);
  close_world(&w);
  w = open_world(
      ON_SLOPE("0", "<drive type='direct' max_torque='20' no_load_speed='0'/>", "deviation='0'"));
  run(&w, 100);
  assert_near(real(&w, 0, 0, 0), 0, 0);
  close_world(&w);
}

// ---- range finders ----

// A wall 3 m ahead, and a finder 5 m up that is turned from it by an angle.
#define WALL(turned, sensor)                                                         \
  "<world timestep='0.01'><block name='w' fixed='true' shape='box' size='2 400 20' " \
  "position='4 0' z_max='20'/><sensor type='range_finder' z='10' period='0.01' "     \
  "max_range='50' range_noise='0' yaw='" turned "' " sensor "/></world>"

static double measure(const char* text) {
  World w = open_world("%s", text);
  run(&w, 2);
  const double range = real(&w, 0, 0, 0);
  close_world(&w);
  return range;
}

// Head on d; turned by b the central ray has d / cos b, and the nearest of a cone of half-angle h,
// at its edge, d / cos(b - h).
static void test_cone(void** state) {
  (void)state;
  const double degree = PI / 180;
  assert_near(measure(WALL("0", "fov='0'")), 3, 1e-9);
  assert_near(measure(WALL("0", "fov='30 deg'")), 3, 1e-9);
  assert_near(measure(WALL("50 deg", "fov='0'")), 3 / cos(50 * degree), 1e-9);
  assert_near(measure(WALL("50 deg", "fov='30 deg'")), 3 / cos(35 * degree), 1e-9);
  assert_near(measure(WALL("-50 deg", "fov='30 deg' rings='1'")), 3 / cos(35 * degree), 1e-9);
  // the sound of the last ray that returns: 50 - 5 deg at a step of 5 deg, and none from 30 deg on
  assert_near(measure(WALL("50 deg", "fov='30 deg' max_incidence='36 deg'")), 3 / cos(35 * degree),
              1e-9);
  assert_near(measure(WALL("50 deg", "fov='30 deg' max_incidence='34 deg'")), -1, 0);
  // seen at the least distance, and not beyond the largest
  assert_near(measure(WALL("0", "fov='0' min_range='3.5'")), 3.5, 1e-12);
  assert_near(measure(WALL("80 deg", "fov='0' min_range='0.5'")), 3 / cos(80 * degree), 1e-8);
  assert_near(measure(WALL("180 deg", "fov='0'")), -1, 0);
}

// Level ground under a cone: its lowest ray goes down by h, z / sin h; pitched nose down by p more.
static void test_ground_echo(void** state) {
  (void)state;
#define GROUND(pitch)                                                        \
  "<world timestep='0.01'><sensor type='range_finder' z='0.3' pitch='" pitch \
  "' fov='30 deg' "                                                          \
  "range_noise='0' period='0.01'/></world>"
  assert_near(measure(GROUND("0")), 0.3 / sin(15 * PI / 180), 1e-9);
  assert_near(measure(GROUND("5 deg")), 0.3 / sin(20 * PI / 180), 1e-9);
  assert_near(measure(GROUND("-20 deg")), -1, 0);
}

// Spread sqrt(s^2 + (k r)^2), lost samples at their share, steps of the resolution.
static void test_range_noise(void** state) {
  (void)state;
  enum { N = 8000 };
  World w = open_world(
      "<world timestep='0.01'><block name='w' fixed='true' shape='box' size='2 9 9' position='5 0' "
      "z_max='9'/><sensor type='range_finder' z='4' period='0.01' max_range='9' fov='0' "
      "range_noise='0.03' relative_noise='0.01' dropout='0.2'/></world>");
  double sum = 0, square = 0;
  int seen = 0;
  for (int i = 0; i < N; i++) {
    run(&w, 1);
    const double r = real(&w, 0, 0, 0);
    if (r < 0) continue;
    seen++;
    sum += r - 4;
    square += (r - 4) * (r - 4);
  }
  assert_near((double)seen / N, 0.8, 4 * sqrt(0.8 * 0.2 / N));
  assert_near(sum / seen, 0, 4 * 0.05 / sqrt(seen));
  assert_near(sqrt(square / seen), hypot(0.03, 0.04), 0.05 * 4 / sqrt(2.0 * seen));
  close_world(&w);
  assert_near(
      measure("<world timestep='0.01'><block name='w' fixed='true' shape='box' size='2 9 9' "
              "position='2.2345 0' z_max='9'/><sensor type='range_finder' z='4' fov='0' "
              "period='0.01' range_noise='0' resolution='0.05'/></world>"),
      1.25, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counts),         cmocka_unit_test(test_eccentricity),
      cmocka_unit_test(test_exact_encoder),  cmocka_unit_test(test_slip_is_seen),
      cmocka_unit_test(test_steering),       cmocka_unit_test(test_torque),
      cmocka_unit_test(test_fixed_wheels),   cmocka_unit_test(test_holding_current),
      cmocka_unit_test(test_current_errors), cmocka_unit_test(test_cone),
      cmocka_unit_test(test_ground_echo),    cmocka_unit_test(test_range_noise)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
