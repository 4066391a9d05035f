// SPDX-License-Identifier: BSD-3-Clause
//
// What a whole vehicle on double wishbones must keep: momenta in free flight, energy, the period of
// its springs, the balance of power. Momenta and energies are sums over its seventeen bodies, from
// the hardpoints and independent of the library (hmmwv_bodies.h). The accelerations of three
// formulations are compared in test_formulations.c; mirror and frame in test_hmmwv.c.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "hmmwv_bodies.h"
#include "vehicle_world.h"

// In the air; nothing but springs, dampers and drive acts.
#define FLYING \
  {"hmmwv.on_ground", "false"}, {"hmmwv.position", "0 0 1000"}, { "hmmwv/chassis.drag_area", "0" }
#define AXLE(n, field) "hmmwv/axle[" #n "]/suspension." field
#define UNDAMPED_AXLE(n)                                                    \
  {AXLE(n, "compression_damping"), "0"}, {AXLE(n, "rebound_damping"), "0"}, \
      {AXLE(n, "zone_compression_damping"), "0"}, {                         \
    AXLE(n, "zone_rebound_damping"), "0"                                    \
  }
#define UNDAMPED UNDAMPED_AXLE(0), UNDAMPED_AXLE(1)

typedef struct Change {
  const char *field, *value;
} Change;

static World open_changed(const char* world, const char* vehicle, const Change* change) {
  World w = {0};
  rutError err = {0};
  rutSpec* spec = NULL;
  char text[2000];
  snprintf(text, sizeof text, "<world %s><include file='vehicles/hmmwv.xml' %s/></world>", world,
           vehicle);
  assert_int_equal(rut_context_create(NULL, &w.context, &err), RUT_OK);
  if (rut_spec_parse(w.context, text, strlen(text), RUT_SOURCE_DIR "/worlds/test.xml", &spec,
                     &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
  for (; change->field; change++) {
    if (rut_spec_set(spec, change->field, change->value, &err) != RUT_OK) {
      fail_msg("%s", err.message);
    }
  }
  if (rut_compile(spec, &w.model, &err) != RUT_OK) fail_msg("%s", err.message);
  rut_spec_destroy(spec);
  w.data = rut_data_create(w.model);
  assert_non_null(w.data);
  return w;
}

// Part of the long runs, which sanitizers make slow.
static double part(void) {
  const char* sanitize = getenv("RUT_SANITIZE");
  return sanitize && *sanitize ? 0.1 : 1;
}

static hmmwvMomentum momentum(const World* w) { return hmmwv_momentum(w->model, w->data); }
static double size_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }
static double apart(const double a[3], const double b[3]) {
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return size_of(d);
}

static double spring_energy(const World* w) {
  const hmmwvCoordinates c = hmmwv_coordinates(w->model, w->data);
  double sum = 0;
  for (int i = 0; i < HMMWV_CORNERS; i++) {
    sum += hmmwv_spring_energy(i, hmmwv_corner(i, c.q[i], c.steer).spring);
  }
  return sum;
}
// Kinetic, of height, and in the springs; gravity g.
static double energy(const World* w, double g) {
  const hmmwvMomentum m = momentum(w);
  return m.kinetic + m.mass * g * m.position[2] + spring_energy(w);
}

// ---- the bodies themselves ----

// Mass, centre of mass and energy of the bodies are those of the library, also as wheels steer and
// move up and down.
static void test_bodies(void** state) {
  static const Change changes[] = {FLYING, {"hmmwv.yaw_rate", "0.3"}, {NULL, NULL}};
  (void)state;
  World w = open_changed("timestep='1 ms'", "drive='direct' speed='10' steering='0.7'", changes);
  const double start = spring_energy(&w);
  rutEnergy first, e;
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &first));
  for (int i = 0; i < 400; i++) {
    // travel is told as of the start of a step
    const hmmwvCoordinates c = hmmwv_coordinates(w.model, w.data);
    step_world(&w);
    const hmmwvMomentum m = momentum(&w);
    assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
    assert_near(m.mass, 2573.138, 1e-9);
    assert_near(m.kinetic, e.kinetic, 1e-13 * e.kinetic);
    const double fall = m.mass * 9.81 * m.position[2];
    assert_near(fall, e.potential, 1e-12 * fall);
    assert_near(spring_energy(&w) - start, e.elastic - first.elastic, 1e-9);
    for (int k = 0; k < HMMWV_CORNERS; k++) {
      const double travel = rut_wheel_state(w.model, w.data, k).travel;
      assert_near(hmmwv_corner(k, c.q[k], c.steer).travel, travel, 1e-13);
    }
  }
  close_world(&w);
}

// ---- T1: free flight without gravity ----

typedef struct Flight {
  double linear, angular, straight;  // largest change over the first value, way off the line [m]
} Flight;

static Flight fly(World* w, double from, double until) {
  Flight worst = {0};
  run_until(w, from);
  const hmmwvMomentum first = momentum(w);
  const double begin = rut_time(w->data);
  while (rut_time(w->data) < until - 1e-9) {
    for (int i = 0; i < 10; i++) step_world(w);
    const hmmwvMomentum now = momentum(w);
    const double time = rut_time(w->data) - begin;
    double line[3];
    for (int i = 0; i < 3; i++) line[i] = first.position[i] + time * first.linear[i] / first.mass;
    worst.linear = fmax(worst.linear, apart(now.linear, first.linear) / size_of(first.linear));
    worst.angular = fmax(worst.angular, apart(now.angular, first.angular) / size_of(first.angular));
    worst.straight = fmax(worst.straight, apart(now.position, line));
  }
  return worst;
}

// The linkage follows with the angular frequency `response`.
static Flight fly_with(const char* world, const char* steering, const char* response, double from,
                       double until) {
  const Change changes[] = {FLYING,
                            {"hmmwv.yaw_rate", "0.3"},
                            {"hmmwv.steer_response", response},
                            {"hmmwv.steer_rate", "1e3"},
                            {"hmmwv/controller.steering", steering},
                            {NULL, NULL}};
  World w = open_changed(world, "drive='direct' speed='10'", changes);
  const Flight f = fly(&w, from, from + (until - from) * part());
  print_message("%s, steered by %s, from %g s: linear %.1e, angular %.1e, off the line %.1e m\n",
                world, steering, from, f.linear, f.angular, f.straight);
  close_world(&w);
  return f;
}

static void assert_kept(Flight f) {
  assert_near(f.linear, 0, 1e-12);
  assert_near(f.angular, 0, 1e-10);
  assert_near(f.straight, 0, 1e-9);
}

// With spinning wheels it tumbles; steered, before it flies and with a slow hand on the wheel as it
// does. While the linkage jumps by 0.16 rad within 0.1 s, a step of 0.5 ms leaves 6e-11 and 2e-9,
// and twice the step sixteen times that.
static void test_free_flight(void** state) {
  static const char* const rk4 = "gravity='0' timestep='1 ms' integrator='rk4'";
  static const char* const half = "gravity='0' timestep='0.5 ms' integrator='rk4'";
  (void)state;
  assert_kept(fly_with(rk4, "0", "100", 0, 10));
  assert_kept(fly_with(rk4, "0.3", "100", 0.5, 10));
  assert_kept(fly_with(rk4, "0.3", "5", 0, 10));
  const Flight whole = fly_with(rk4, "0.3", "100", 0, 0.5);
  const Flight less = fly_with(half, "0.3", "100", 0, 0.5);
  assert_near(less.linear, 0, 1e-10);
  assert_near(less.angular, 0, 3e-9);
  assert_true(less.linear < whole.linear / 12 && less.angular < whole.angular / 12);
}

// The default integrator keeps momenta to the order of its step.
static void test_free_flight_default(void** state) {
  (void)state;
  const Flight whole = fly_with("gravity='0' timestep='1 ms'", "0.3", "100", 0.5, 5);
  const Flight half = fly_with("gravity='0' timestep='0.5 ms'", "0.3", "100", 0.5, 5);
  assert_near(whole.linear, 0, 1e-5);
  assert_near(whole.angular, 0, 1e-3);
  assert_near(half.linear / whole.linear, 0.5, 0.1);
  assert_near(half.angular / whole.angular, 0.5, 0.1);
}

// ---- T2: energy in free fall ----

// No dampers; wheels swing by little under their share of 1 % of the weight.
static void test_energy_in_flight(void** state) {
  static const Change changes[] = {FLYING, UNDAMPED, {"hmmwv.yaw_rate", "0.3"}, {NULL, NULL}};
  (void)state;
  World w = open_changed("gravity='0.1' timestep='1 ms' integrator='rk4'",
                         "drive='direct' speed='10'", changes);
  const double first = energy(&w, 0.1);
  double worst = 0;
  while (rut_time(w.data) < 10 * part()) {
    run_until(&w, rut_time(w.data) + 0.01);
    worst = fmax(worst, fabs(energy(&w, 0.1) - first));
  }
  print_message("energy of %.6g J changes by %.1e of it\n", first, worst / first);
  assert_near(worst, 0, 1e-12 * first);
  close_world(&w);
}

// ---- T3: period of the springs ----

// A chassis of 1e9 kg does not yield. Springs are at their free length at the design position,
// without stops, and the wheels are let go from 0.5 mrad. Then q'' = -k l'^2/m q, with
// the rate k of the spring, its change of length per q l', and the inertia m of the corner.
enum { FREE_LENGTH = 1, FREE_LENGTH_REAR = 4 };
#define HEAVY                                                                                      \
  {AXLE(0, "rebound_length"), "0"}, {AXLE(0, "free_length"), NULL}, {AXLE(0, "bump_length"), "0"}, \
      {AXLE(1, "rebound_length"), "0"}, {AXLE(1, "free_length"), NULL},                            \
      {AXLE(1, "bump_length"), "0"}, {"hmmwv/chassis.mass", "1e9"},                                \
      {"hmmwv/chassis.inertia", "1e9 1e9 1e9"}, FLYING
static const double first_rate[2] = {3629.92 / 0.02, 8020.87 / 0.02};

static World open_heavy(const char* world) {
  Change changes[] = {HEAVY, UNDAMPED, {NULL, NULL}};
  char length[2][32];
  for (int i = 0; i < 2; i++) {
    snprintf(length[i], sizeof length[i], "%.17g", hmmwv_corner(2 * i, 0, 0).spring);
  }
  changes[FREE_LENGTH].value = length[0];
  changes[FREE_LENGTH_REAR].value = length[1];
  World w = open_changed(world, "drive='direct'", changes);
  hmmwv_place(w.model, w.data, 5e-4);
  return w;
}

static double frequency_of(int corner) {
  const hmmwvCorner c = hmmwv_corner(corner, 0, 0);
  return c.spring_rate * sqrt(first_rate[corner / 2] / c.inertia);
}

// Angular frequency from the first to the last time that q rises through 0, by a straight line
// between steps, which are short.
static double measured_frequency(World* w, int corner, double until) {
  double first = 0, last = 0, old = hmmwv_coordinates(w->model, w->data).q[corner];
  int rises = 0;
  while (rut_time(w->data) < until) {
    const double before = rut_time(w->data);
    step_world(w);
    const double q = hmmwv_coordinates(w->model, w->data).q[corner];
    if (old < 0 && q >= 0) {
      last = before + (rut_time(w->data) - before) * old / (old - q);
      if (rises++ == 0) first = last;
    }
    old = q;
  }
  assert_true(rises > 5);
  return 2 * 3.14159265358979323846 * (rises - 1) / (last - first);
}

static void test_period(void** state) {
  (void)state;
  for (int corner = 0; corner < HMMWV_CORNERS; corner += 2) {
    World w = open_heavy("gravity='0' timestep='0.25 ms' integrator='rk4'");
    const double expected = fabs(frequency_of(corner));
    const double measured = measured_frequency(&w, corner, 5);
    print_message("corner %d: %.9g rad/s, closed form %.9g\n", corner, measured, expected);
    assert_near(measured, expected, 2e-6 * expected);
    close_world(&w);
  }
}

// ---- T4: the default integrator over many steps ----

// Free fall that does not turn: semi-implicit Euler keeps E - h/2 g p, p the momentum upwards, and
// with it lags behind by half a step for ever. No trend.
static void test_shadow_energy(void** state) {
  static const double g = 1, h = 1e-3;
  static const Change changes[] = {FLYING, {"hmmwv.position", "0 0 1e5"}, {NULL, NULL}};
  const double most = 100 * part();
  (void)state;
  World w = open_changed("gravity='1' timestep='1 ms'", "drive='direct'", changes);
  run_until(&w, 3);  // the wheels hang at rest
  hmmwvMomentum m = momentum(&w);
  const double first = energy(&w, g) - 0.5 * h * g * m.linear[2];
  double worst = 0;
  while (rut_time(w.data) < most) {
    run_until(&w, rut_time(w.data) + 1);
    m = momentum(&w);
    worst = fmax(worst, fabs(energy(&w, g) - 0.5 * h * g * m.linear[2] - first));
  }
  print_message("shadow energy of %.6g J changes by %.1e of it\n", first, worst / first);
  assert_near(worst, 0, 1e-11 * first);
  close_world(&w);
}

// Springs are taken implicitly: one of frequency f loses its energy as (1 + h^2 f^2)^-n, n steps.
// That is a trend, and the digest's "bounded without trend" cannot hold of this integrator; it is
// the price of stiff springs at long steps.
static double oscillator_energy(const World* w, int corner) {
  const hmmwvCoordinates c = hmmwv_coordinates(w->model, w->data);
  const double f = frequency_of(corner);
  return c.rate[corner] * c.rate[corner] + f * f * c.q[corner] * c.q[corner];
}
static double mean_energy(World* w, int corner, double period) {
  double sum = 0;
  int steps = 0;
  for (const double end = rut_time(w->data) + period; rut_time(w->data) < end; steps++) {
    step_world(w);
    sum += oscillator_energy(w, corner);
  }
  return sum / steps;
}
static void test_implicit_damping(void** state) {
  static const double h = 1e-3;
  (void)state;
  for (int corner = 0; corner < HMMWV_CORNERS; corner += 2) {
    World w = open_heavy("gravity='0' timestep='1 ms'");
    const double f = fabs(frequency_of(corner)), period = 2 * 3.14159265358979323846 / f;
    const double first = mean_energy(&w, corner, period);
    const int64_t begin = rut_steps(w.data);
    run_until(&w, rut_time(w.data) + 8 * period);
    const double last = mean_energy(&w, corner, period);
    const double rate = log(first / last) / (double)(rut_steps(w.data) - begin);
    print_message("corner %d: energy falls by %.6g a step, closed form %.6g\n", corner, rate,
                  log1p(h * h * f * f));
    assert_near(rate, log1p(h * h * f * f), 1e-4 * rate);
    close_world(&w);
  }
}

// Tumbling with spinning wheels: gyroscopic moments are taken explicitly, so that energy grows, by
// 3e-4 of that of turning and spinning in 1e5 steps of 1 ms, and half as fast with half the step.
static double growth(const char* world, double from, double until) {
  static const Change changes[] = {FLYING, {"hmmwv.yaw_rate", "0.3"}, {NULL, NULL}};
  World w = open_changed(world, "drive='direct' speed='10'", changes);
  run_until(&w, from);
  const double first = energy(&w, 0);
  run_until(&w, until);
  const double change = energy(&w, 0) - first;
  close_world(&w);
  return change / (until - from);
}
static void test_tumbling_default(void** state) {
  (void)state;
  const double turning = 0.5 * 4 * 7.38782 * 20.7 * 20.7 + 0.5 * 5000 * 0.09;
  const double until = 100 * part();
  const double whole = growth("gravity='0' timestep='1 ms'", 1, until);
  const double half = growth("gravity='0' timestep='0.5 ms'", 1, 0.2 * until);
  const double other = growth("gravity='0' timestep='1 ms'", 1, 0.2 * until);
  print_message("tumbling: %.3g W, of %.3g J; first fifth %.3g W, with half the step %.3g W\n",
                whole, turning, other, half);
  assert_near(whole * until, 0, 5e-4 * turning);
  assert_near(half / other, 0.5, 0.1);
}

// ---- T6: power ----

// In flight, with motors at all wheels and dampers at work: the change of kinetic energy, height
// and springs is what motors do less what dampers take.
enum { STENCIL = 5 };
typedef struct Sample {
  double energy, power, lost;  // power of the motors, and into the dampers
  int piece[HMMWV_CORNERS];
} Sample;

static Sample sample(const World* w, double g) {
  const hmmwvCoordinates c = hmmwv_coordinates(w->model, w->data);
  Sample s = {.energy = energy(w, g)};
  for (int i = 0; i < HMMWV_CORNERS; i++) {
    const hmmwvCorner k = hmmwv_corner(i, c.q[i], c.steer);
    const double rate = k.damper_rate * c.rate[i];
    // motors stand on the chassis
    const double turns = c.spin[i] + k.tilt_rate * c.rate[i];
    s.power += rut_wheel_state(w->model, w->data, i).torque * turns;
    s.lost += hmmwv_damper(i, k.damper, rate) * rate;
    s.piece[i] = hmmwv_piece(i, &k, c.rate[i]);
  }
  return s;
}

static void test_power(void** state) {
  static const double h = 1e-4, g = 9.81;
  static const Change changes[] = {FLYING,
                                   {"hmmwv.yaw_rate", "0.3"},
                                   {"hmmwv/drive.driven", "all"},
                                   {"hmmwv/drive.max_torque", "0"},
                                   {NULL, NULL}};
  (void)state;
  World w = open_changed("timestep='0.1 ms' integrator='rk4'",
                         "drive='direct' speed='10' throttle='0.8'", changes);
  Sample s[STENCIL];
  double worst = 0, most = 0, damped = 0;
  int checks = 0;
  const int steps = (int)(5000 * part());
  for (int n = 0; n < steps; n++) {
    for (int i = 0; i + 1 < STENCIL; i++) s[i] = s[i + 1];
    s[STENCIL - 1] = sample(&w, g);
    step_world(&w);
    bool smooth = n >= STENCIL;
    for (int i = 0; i < STENCIL; i++) {
      smooth = smooth && memcmp(s[i].piece, s[2].piece, sizeof s[i].piece) == 0;
    }
    if (!smooth) continue;
    const double change =
        (s[0].energy - 8 * s[1].energy + 8 * s[3].energy - s[4].energy) / (12 * h);
    worst = fmax(worst, fabs(change - s[2].power + s[2].lost));
    most = fmax(most, s[2].power);
    damped = fmax(damped, s[2].lost);
    checks++;
  }
  print_message(
      "motors up to %.4g W, dampers up to %.4g W: balance within %.1e at %d of %d places\n", most,
      damped, worst / most, checks, steps);
  assert_true(checks > steps / 2 && damped > 1000);
  assert_near(worst, 0, 1e-8 * most);
  close_world(&w);
}

// ---- T7: reaction of the drive ----

// Motors spin the wheels up in the air; what momentum the wheels get, the rest gets the other way.
static void test_torque_reaction(void** state) {
  static const Change changes[] = {
      FLYING, {"hmmwv/drive.driven", "all"}, {"hmmwv/drive.max_torque", "0"}, {NULL, NULL}};
  (void)state;
  World w = open_changed("gravity='0' timestep='1 ms' integrator='rk4'",
                         "drive='direct' throttle='0.8' steering='0.3'", changes);
  run_until(&w, 0.5);
  const hmmwvMomentum first = momentum(&w);
  double worst = 0, pushed = 0, wheels = 0;
  while (rut_time(w.data) < 2) {
    run_until(&w, rut_time(w.data) + 0.01);
    const hmmwvMomentum now = momentum(&w);
    wheels = 0;
    for (int i = 0; i < 4; i++) wheels += 7.38782 * rut_wheel_state(w.model, w.data, i).speed;
    worst = fmax(worst, apart(now.angular, first.angular));
    pushed = fmax(pushed, apart(now.linear, first.linear));
  }
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  print_message("wheels %.5g kg m2/s, body %.4g rad/s: whole momentum changes by %.1e of that\n",
                wheels, s.rate[1], worst / wheels);
  assert_true(wheels > 1000 && s.rate[1] < -0.2);
  assert_near(worst, 0, 1e-10 * wheels);
  assert_near(pushed, 0, 1e-10 * wheels);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bodies),
      cmocka_unit_test(test_free_flight),
      cmocka_unit_test(test_free_flight_default),
      cmocka_unit_test(test_energy_in_flight),
      cmocka_unit_test(test_period),
      cmocka_unit_test(test_shadow_energy),
      cmocka_unit_test(test_implicit_damping),
      cmocka_unit_test(test_tumbling_default),
      cmocka_unit_test(test_power),
      cmocka_unit_test(test_torque_reaction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
