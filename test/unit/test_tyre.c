// SPDX-License-Identifier: BSD-3-Clause
//
// Tyres against recorded steps of MVSim, closed forms and published numbers.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/component.h"

extern const rutTyreType rut_tyre_coulomb, rut_tyre_ward_iagnemma, rut_tyre_ellipse;

enum { MAX_FIELDS = 32 };
static const double g = 9.81;

// One wheel and the state of its motion.
typedef struct Wheel {
  double vx, vy, gx, gy, speed, torque, load, radius, inertia, friction, rolling;
} Wheel;
typedef struct Force {
  double fx, fy, drag, spin;
} Force;

static Wheel still_wheel(double load) {
  return (Wheel){
      .load = load, .radius = 0.15, .inertia = 0.016875, .friction = NAN, .rolling = NAN};
}

static void defaults(const rutTyreType* type, double* param) {
  for (int i = 0; i < type->base.fields; i++) param[i] = type->base.field[i].def;
}
static void set(const rutTyreType* type, double* param, const char* field, double value) {
  for (int i = 0; i < type->base.fields; i++) {
    if (strcmp(type->base.field[i].name, field) == 0) {
      param[i] = value;
      return;
    }
  }
  fail_msg("no field %s", field);
}

static Force force(const rutTyreType* type, const double* param, double dt, Wheel w) {
  Force f;
  // the load is the weight of the mass that the wheel carries, less what lies along the ground
  const double mass = w.load / sqrt(g * g - w.gx * w.gx - w.gy * w.gy);
  const double scrub = 0;
  const rutTyreIn in = {.dt = dt,
                        .gravity = g,
                        .vx = &w.vx,
                        .vy = &w.vy,
                        .gx = &w.gx,
                        .gy = &w.gy,
                        .speed = &w.speed,
                        .torque = &w.torque,
                        .load = &w.load,
                        .mass = &mass,
                        .radius = &w.radius,
                        .inertia = &w.inertia,
                        .friction = &w.friction,
                        .rolling = &w.rolling,
                        .scrub = &scrub};
  double roll = 0, limit = 0;
  const rutTyreOut out = {
      .fx = &f.fx, .fy = &f.fy, .drag = &f.drag, .spin = &f.spin, .roll = &roll, .limit = &limit};
  type->force(param, 1, &in, NULL, &out);
  return f;
}
static double next_speed(Wheel w, Force f, double dt) {
  return w.speed + dt * (w.torque + f.spin - w.radius * f.fx) / w.inertia;
}

// --- MVSim ------------------------------------------------------------------------------------

// Rows 10 and 11 of the recorded case diff2_raw_arc_default_dt0.02: right wheel.
static void test_coulomb_follows_a_recorded_step(void** state) {
  double param[MAX_FIELDS];
  Wheel w = still_wheel((15.0 / 2 + 1.5) * g);
  (void)state;
  defaults(&rut_tyre_coulomb, param);
  set(&rut_tyre_coulomb, param, "friction", 0.7);
  set(&rut_tyre_coulomb, param, "bearing_damping", 0.05);
  w.speed = 0.8300924171;
  w.torque = 1.0;
  w.vx = 0.1377830112;
  w.vy = -0.0001649533336;
  const Force f = force(&rut_tyre_coulomb, param, 0.02, w);
  assert_near(f.fx, 5.89237612, 1e-8);
  assert_near(f.fy, 0.07422900012, 1e-10);
  assert_near(f.drag, 0.0, 0.0);
  assert_near(next_speed(w, f, 0.02), 0.9185534081, 1e-9);
}

// Rows 50 and 51 of diff2_raw_arc_ward_dt0.02: the published form puts the drag into the spin.
static void test_published_ward_follows_a_recorded_step(void** state) {
  double param[MAX_FIELDS];
  Wheel w = still_wheel((15.0 / 2 + 1.5) * g);
  (void)state;
  defaults(&rut_tyre_ward_iagnemma, param);
  set(&rut_tyre_ward_iagnemma, param, "friction", 0.7);
  set(&rut_tyre_ward_iagnemma, param, "bearing_damping", 0.05);
  set(&rut_tyre_ward_iagnemma, param, "variant", 1);
  w.speed = 4.19144319;
  w.torque = 1.0;
  w.vx = 0.5935785129;
  w.vy = -0.00301889017;
  const Force f = force(&rut_tyre_ward_iagnemma, param, 0.02, w);
  assert_near(f.fx, 4.876876709, 2e-8);
  assert_near(f.fy, 1.358500576, 1e-8);
  assert_near(next_speed(w, f, 0.02), 4.261246253, 1e-8);
}

// Row 2 of drv_open_front_splitmu: a front wheel that spins on friction 0.1.
static void test_friction_of_the_place(void** state) {
  double param[MAX_FIELDS];
  Wheel w = {.load = 735.75 + 6.0 * g, .radius = 0.31, .inertia = 0.5 * 6.0 * 0.31 * 0.31};
  (void)state;
  defaults(&rut_tyre_coulomb, param);
  w.friction = 0.1;
  w.rolling = NAN;
  w.torque = 600.0;
  w.vx = 0.003935973358;
  const Force f = force(&rut_tyre_coulomb, param, 0.005, w);
  assert_near(f.fx, 79.461, 1e-9);
}

// --- Ward-Iagnemma drag -----------------------------------------------------------------------

// A vehicle of 100 kg that coasts straight on four wheels of 2 kg m2/m2 rotating mass each.
static double coast(double variant, double dt, double time) {
  double param[MAX_FIELDS], v = 5.0;
  Wheel w = {.load = 25.0 * g, .radius = 0.2, .inertia = 2.0 * 0.2 * 0.2, .speed = 25.0};
  defaults(&rut_tyre_ward_iagnemma, param);
  set(&rut_tyre_ward_iagnemma, param, "bearing_damping", 0.0);
  set(&rut_tyre_ward_iagnemma, param, "variant", variant);
  w.friction = w.rolling = NAN;
  for (int i = 0; i < (int)lround(time / dt); i++) {
    w.vx = v;
    const Force f = force(&rut_tyre_ward_iagnemma, param, dt, w);
    w.speed = next_speed(w, f, dt);
    v += dt * 4.0 * (f.fx + f.drag) / 100.0;
  }
  return v;
}

// dv/dt = -g (R1 + R2 v) m/m_eff has the solution below; m_eff = m + sum I/r^2.
static void test_drag_slows_a_coasting_vehicle(void** state) {
  (void)state;
  const double ratio = 0.0075 / 0.02, decay = exp(-g * 0.02 * 2.0 * 100.0 / 108.0);
  const double analytic = (5.0 + ratio) * decay - ratio;
  assert_near(analytic, 3.3625, 5e-5);
  assert_near(coast(0, 1e-3, 2.0), analytic, 5e-4);
  // The published form hardly slows it at all.
  assert_true(coast(1, 1e-3, 2.0) > 4.99);
}

static void test_drag_ends_at_rest(void** state) {
  (void)state;
  const double v = coast(0, 1e-2, 60.0);
  assert_true(v >= 0.0 && v < 1e-6);
}

// --- Slopes -----------------------------------------------------------------------------------

// 20 % side slope: without slip at rest the tyre holds exactly m g sin.
static void test_side_slope_is_held(void** state) {
  const rutTyreType* types[] = {&rut_tyre_coulomb, &rut_tyre_ward_iagnemma, &rut_tyre_ellipse};
  const double angle = atan(0.2), mass = 25.0;
  (void)state;
  for (int i = 0; i < 3; i++) {
    double param[MAX_FIELDS], vy = 0.0;
    defaults(types[i], param);
    Wheel w = still_wheel(mass * g * cos(angle));
    w.gy = -g * sin(angle);
    for (int k = 0; k < 1000; k++) {
      w.vy = vy;
      const Force f = force(types[i], param, 0.005, w);
      assert_near(f.fy, mass * g * sin(angle), 1e-9);
      vy += 0.005 * (f.fy / mass + w.gy);
    }
    assert_near(vy, 0.0, 1e-12);
  }
}

// Beyond the friction limit it slides with g (sin - mu cos).
static void test_steep_side_slope_slides(void** state) {
  double param[MAX_FIELDS], vy = 0.0;
  const double angle = atan(0.6), mass = 11.5;
  (void)state;
  defaults(&rut_tyre_coulomb, param);
  set(&rut_tyre_coulomb, param, "friction", 0.15);
  Wheel w = still_wheel(mass * g * cos(angle));
  w.gy = g * sin(angle);
  for (int k = 0; k < 200; k++) {
    w.vy = vy;
    vy += 0.005 * (force(&rut_tyre_coulomb, param, 0.005, w).fy / mass + w.gy);
  }
  assert_near(vy, g * (sin(angle) - 0.15 * cos(angle)), 1e-9);
}

// A free wheel rolls down with g sin / (1 + I/(m r^2)); the published form stays where it is.
static void test_free_wheel_rolls_down(void** state) {
  const double angle = atan(0.15), mass = 11.5;
  (void)state;
  for (int variant = 0; variant < 2; variant++) {
    double param[MAX_FIELDS], v = 0.0;
    defaults(&rut_tyre_coulomb, param);
    set(&rut_tyre_coulomb, param, "bearing_damping", 0.0);
    set(&rut_tyre_coulomb, param, "variant", variant);
    Wheel w = still_wheel(mass * g * cos(angle));
    w.gx = -g * sin(angle);
    for (int k = 0; k < 1000; k++) {
      w.vx = v;
      const Force f = force(&rut_tyre_coulomb, param, 0.001, w);
      w.speed = next_speed(w, f, 0.001);
      v += 0.001 * ((f.fx + f.drag) / mass + w.gx);
    }
    const double rolling = -g * sin(angle) / (1.0 + w.inertia / (mass * 0.15 * 0.15));
    assert_near(v, variant ? 0.0 : rolling, variant ? 1e-12 : 1e-3);
  }
}

// --- Limits -----------------------------------------------------------------------------------

static void test_box_and_circle(void** state) {
  double param[MAX_FIELDS];
  Wheel w = still_wheel(100.0);
  (void)state;
  w.vx = -10.0;
  w.vy = -10.0;
  w.torque = 1000.0;
  defaults(&rut_tyre_coulomb, param);
  Force f = force(&rut_tyre_coulomb, param, 0.005, w);
  assert_near(f.fx, 80.0, 1e-12);
  assert_near(f.fy, 80.0, 1e-12);
  set(&rut_tyre_coulomb, param, "combined", 1);
  f = force(&rut_tyre_coulomb, param, 0.005, w);
  assert_near(hypot(f.fx, f.fy), 80.0, 1e-12);
}

// Torque of hysteresis C N r and of the bearing c w on a wheel in quick rotation.
static void test_rolling_resistance(void** state) {
  double param[MAX_FIELDS];
  Wheel w = still_wheel(200.0);
  (void)state;
  defaults(&rut_tyre_coulomb, param);
  set(&rut_tyre_coulomb, param, "rolling_resistance", 0.03);
  w.speed = -20.0;
  assert_near(force(&rut_tyre_coulomb, param, 0.005, w).spin, 0.03 * 200.0 * 0.15 + 0.2, 1e-12);
  w.rolling = 0.05;
  assert_near(force(&rut_tyre_coulomb, param, 0.005, w).spin, 0.05 * 200.0 * 0.15 + 0.2, 1e-12);
}

// Peaks of the ellipse: C_s s_s N = 0.75 N, C_alpha alpha_s N = 0.85 N, and each by sqrt(1/2) where
// the other direction is saturated.
static void test_ellipse_peaks(void** state) {
  double param[MAX_FIELDS];
  Wheel w = still_wheel(1000.0);
  (void)state;
  defaults(&rut_tyre_ellipse, param);
  w.torque = 1e5;
  assert_near(force(&rut_tyre_ellipse, param, 0.005, w).fx, 750.0, 1e-9);
  w.torque = -1e5;
  assert_near(force(&rut_tyre_ellipse, param, 0.005, w).fx, -750.0, 1e-9);
  w.vy = 3.0;
  Force f = force(&rut_tyre_ellipse, param, 0.005, w);
  assert_near(f.fx, -750.0 * sqrt(0.5), 1e-9);
  assert_near(f.fy, -850.0 * sqrt(0.5), 1e-9);
  w.torque = 0.0;
  assert_near(force(&rut_tyre_ellipse, param, 0.005, w).fy, -850.0, 1e-9);
  // Slip angle 0.05 rad, rolling: 8.5 * 0.05 N, opposing the side slip.
  w.vx = 10.0;
  w.vy = -10.0 * tan(0.05);
  w.speed = 10.0 / 0.15;
  set(&rut_tyre_ellipse, param, "bearing_damping", 0.0);
  assert_near(force(&rut_tyre_ellipse, param, 0.005, w).fy, 425.0, 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_coulomb_follows_a_recorded_step),
      cmocka_unit_test(test_published_ward_follows_a_recorded_step),
      cmocka_unit_test(test_friction_of_the_place),
      cmocka_unit_test(test_drag_slows_a_coasting_vehicle),
      cmocka_unit_test(test_drag_ends_at_rest),
      cmocka_unit_test(test_side_slope_is_held),
      cmocka_unit_test(test_steep_side_slope_slides),
      cmocka_unit_test(test_free_wheel_rolls_down),
      cmocka_unit_test(test_box_and_circle),
      cmocka_unit_test(test_rolling_resistance),
      cmocka_unit_test(test_ellipse_peaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
