// SPDX-License-Identifier: BSD-3-Clause
//
// What tyres tell: forces along the wheel, inclination, aligning moment, power. Against Newton's
// law, Fiala's closed form, and the balance of energy.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "vehicle_world.h"

enum { WHEELS = 4 };
static const double MASS = 1200 + 4 * 20, CORNERING = 30000, FRICTION = 0.8, WIDTH = 0.3;

// A car that rolls at 10 m/s and turns, on tyres of constant friction without motion resistance.
#define CAR(tyre)                                                                         \
  "<world timestep='1 ms'><vehicle name='car' velocity='10 0'>"                           \
  "<chassis mass='1200' com='0 0 0.5' outline='-2 -0.6 2 -0.6 2 0.6 -2 0.6' z_min='0.4' " \
  "z_max='1'/>"                                                                           \
  "<suspension type='slider' stiffness='50 kN/m' damping='5 kN s/m'/>"                    \
  "<tyre type='fiala' cornering_stiffness='30000' friction_max='0.8' friction_min='0.8' " \
  "width='0.3' " tyre                                                                     \
  "/>"                                                                                    \
  "<axle x='1.3' track='1.4' radius='0.4' width='0.2' max_steer='30 deg' driven='false' " \
  "brake='8000'/>"                                                                        \
  "<axle x='-1.3' track='1.4' radius='0.4' width='0.2' brake='8000'/>"                    \
  "<drive type='open'/><controller type='pedals' steer='0.1' torque='100'/></vehicle></world>"

static double number(const World* w, rutKind kind, int index, const char* name) {
  for (int i = 0; i < rut_variables(w->model, kind, index, RUT_OUTPUT); i++) {
    double out;
    if (strcmp(rut_variable(w->model, kind, index, RUT_OUTPUT, i).name, name) != 0) continue;
    const rutVariableRange range = {kind, index, RUT_OUTPUT, i, 1};
    assert_int_equal(rut_variables_read(w->model, w->data, &range, 1, &out), RUT_OK);
    return out;
  }
  fail_msg("no output '%s'", name);
  return NAN;
}

static double wheel(const World* w, int i, const char* name) {
  return number(w, RUT_WHEEL, i, name);
}

static void run(World* w, double duration) {
  while (rut_time(w->data) < duration - 1e-9) {
    assert_int_equal(rut_step(w->model, w->data, NULL), RUT_OK);
  }
}

// Sum of the forces, each turned by its wheel's steering angle: mass times acceleration.
static void test_newton(void** state) {
  World w = open_world(CAR("rolling_resistance='0'"));
  double along = 0, across = 0;
  (void)state;
  run(&w, 3);
  for (int i = 0; i < WHEELS; i++) {
    const double x = wheel(&w, i, "tyre_force_x"), y = wheel(&w, i, "tyre_force_y");
    const double steer = wheel(&w, i, "steer");
    along += x * cos(steer) - y * sin(steer);
    across += x * sin(steer) + y * cos(steer);
    // front wheels are not driven: across the wheel only, however it is steered
    if (i < 2) assert_true(steer > 0.08 && fabs(x) < 1e-3 * y);
  }
  const double ax = number(&w, RUT_VEHICLE, 0, "proper_acceleration_x");
  const double ay = number(&w, RUT_VEHICLE, 0, "proper_acceleration_y");
  const double roll = number(&w, RUT_VEHICLE, 0, "roll");
  assert_true(ay > 3);
  // less the part of gravity that the roll turns into the lateral axis
  assert_near(across, MASS * (ay - 9.81 * sin(roll)), 0.01 * across);
  assert_near(along, MASS * ax, 0.01 * across);
  close_world(&w);
}

// F_y = -mu N (1 - H^3) and M_z = mu N W (1 - H) H^3, H = 1 - C |tan a|/(3 mu N) (Fiala 1954).
static void test_fiala(void** state) {
  World w = open_world(CAR("rolling_resistance='0'"));
  (void)state;
  run(&w, 3);
  for (int i = 0; i < 2; i++) {
    const double angle = wheel(&w, i, "slip_angle"), load = wheel(&w, i, "load");
    const double h = 1 - CORNERING * fabs(tan(angle)) / (3 * FRICTION * load);
    const double force = FRICTION * load * (1 - h * h * h);
    const double moment = FRICTION * load * WIDTH * (1 - h) * h * h * h;
    assert_true(angle < -0.02 && h > 0.2);
    assert_near(wheel(&w, i, "tyre_force_y"), force, 0.02 * force);
    // it turns the wheel back, to the right
    assert_near(wheel(&w, i, "aligning_moment"), -moment, 0.03 * moment);
  }
  close_world(&w);
}

// The wheels' axes go with the chassis on slides: n a = sin(pitch) sin(d) + cos(pitch) sin(roll)
// cos(d) at a steering angle d. It rolls out of the bend, to the right.
static void test_inclination(void** state) {
  World w = open_world(CAR("rolling_resistance='0'"));
  (void)state;
  run(&w, 3);
  const double roll = number(&w, RUT_VEHICLE, 0, "roll");
  const double pitch = number(&w, RUT_VEHICLE, 0, "pitch");
  assert_true(roll > 0.01);
  for (int i = 0; i < WHEELS; i++) {
    const double steer = wheel(&w, i, "steer");
    const double sine = sin(pitch) * sin(steer) + cos(pitch) * sin(roll) * cos(steer);
    assert_near(wheel(&w, i, "inclination_angle"), asin(sine), 1e-3 * roll);
  }
  close_world(&w);
}

// Parked across a slope of 30 %, brakes on, left side uphill: the W axes of ISO 8855 lie in the
// ground however the wheels lean with the body, so that the forces across the wheels carry m g
// sin(s), and the loads m g cos(s). The force in the vehicle's axes holds a part of the load: F_y =
// F_yW cos(d) - F_zW sin(d), d being the inclination.
static void test_side_slope(void** state) {
  World w = open_world(
      "<world timestep='1 ms'><soil type='magic_formula' surface='user' d='0.9'/>"
      "<terrain type='ramp' length='40' height='12' y_min='-20' y_max='20'/>"
      "<vehicle name='car' position='20 0' yaw='-90 deg'>"
      "<chassis mass='1200' com='0 0 0.5' outline='-2 -0.6 2 -0.6 2 0.6 -2 0.6' z_min='0.4' "
      "z_max='1'/><suspension type='slider' stiffness='50 kN/m' damping='5 kN s/m'/>"
      "<tyre type='linear'/>"
      "<axle x='1.3' track='1.4' radius='0.4' width='0.2' wheel_mass='20' brake='8000'/>"
      "<axle x='-1.3' track='1.4' radius='0.4' width='0.2' wheel_mass='20' brake='8000'/>"
      "<drive type='open'/><controller type='pedals' brake='1'/></vehicle></world>");
  const double slope = atan(0.3), weight = MASS * 9.81;
  double across = 0, load = 0, along = 0;
  (void)state;
  run(&w, 6);
  for (int i = 0; i < WHEELS; i++) {
    const double y = wheel(&w, i, "tyre_force_y"), z = wheel(&w, i, "load");
    const double leans = wheel(&w, i, "inclination_angle");
    across += y;
    load += z;
    along += fabs(wheel(&w, i, "tyre_force_x"));
    assert_true(leans > 0.02);
    assert_near(wheel(&w, i, "force_y"), y * cos(leans) + z * sin(leans), 1e-3 * z);
    assert_near(wheel(&w, i, "aligning_moment"), 0, 1e-6 * z);
  }
  assert_near(across, weight * sin(slope), 1e-4 * weight);
  assert_near(load, weight * cos(slope), 1e-4 * weight);
  assert_near(along, 0, 1e-3 * weight);
  close_world(&w);
}

// Through the shifts of an automatic gearbox, at full throttle: the power of the drive is never
// more than the 151 kW of the engine's best point (628 N m at 240 rad/s), although a shift at once
// brings the energy of the input shaft, 8 kJ, to the wheels in one step; and its integral is that
// of the balance of energy, but for the turning of the hubs' carriers.
static void test_power_of_shifts(void** state) {
  World w = open_hmmwv_with("timestep='1 ms'", "throttle='1'", NULL, NULL);
  double driven = 0, most = 0, engine = 0;
  rutEnergy e;
  (void)state;
  for (int k = 0; k < 12000; k++) {
    assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
    const double power = number(&w, RUT_VEHICLE, 0, "drive_power");
    driven += 1e-3 * power;
    most = fmax(most, power);
    engine = fmax(engine, number(&w, RUT_VEHICLE, 0, "engine_power"));
  }
  assert_near(number(&w, RUT_VEHICLE, 0, "gear"), 3, 0);
  assert_true(most > 0.3 * engine && most < engine);
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  assert_near(driven, e.drive, 2e-4 * e.drive);
  close_world(&w);
}

// Power of a drive is torque times speed, the mean of the step; power that tyres take adds up to
// the balance of energy.
static void test_power(void** state) {
  World w = open_world(CAR("rolling_resistance='0.015'"));
  double taken = 0, slipped = 0, driven = 0;
  rutEnergy e;
  (void)state;
  for (int k = 0; k < 2000; k++) {
    double power = 0;
    const double before = wheel(&w, 2, "speed");
    assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
    const double mean = 0.5 * (before + wheel(&w, 2, "speed"));
    assert_near(wheel(&w, 2, "drive_power"), wheel(&w, 2, "torque") * mean, 1e-9);
    for (int i = 0; i < WHEELS; i++) {
      taken += 1e-3 * wheel(&w, i, "tyre_power");
      slipped += 1e-3 * wheel(&w, i, "slip_power");
      power += wheel(&w, i, "drive_power");
    }
    assert_near(power, number(&w, RUT_VEHICLE, 0, "drive_power"), 1e-9 * fabs(power));
    driven += 1e-3 * power;
  }
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  assert_true(e.slip > 100 && e.rolling > 100);
  assert_near(slipped, e.slip, 1e-9 * e.slip);
  assert_near(taken, e.slip + e.rolling + e.tyre, 1e-9 * taken);
  assert_near(driven, e.drive, 1e-9 * e.drive);
  close_world(&w);
}

// Constants of the law, and M_z/F_y = W (1 - H) H^3/(1 - H^3); the forces of a car that turns at a
// constant rate follow the slip angle itself.
static void test_fiala_constants(void** state) {
  World w =
      open_world(CAR("rolling_resistance='0' slip_stiffness='150000' stiffness_x='200000' "
                     "stiffness_y='120000' relaxation_x='0' stiffness='580000'"));
  (void)state;
  run(&w, 3);
  for (int i = 0; i < WHEELS; i++) {
    const double angle = wheel(&w, i, "slip_angle"), load = wheel(&w, i, "load");
    const double h = 1 - CORNERING * fabs(tan(angle)) / (3 * FRICTION * load),
                 deflection = load / 580e3;
    assert_near(wheel(&w, i, "slip_stiffness"), 150e3, 1e-6 * 150e3);
    assert_near(wheel(&w, i, "cornering_stiffness"), CORNERING, 1e-6 * CORNERING);
    assert_near(wheel(&w, i, "relaxation_length_x"), 150e3 / 200e3, 1e-12);
    assert_near(wheel(&w, i, "relaxation_length_y"), CORNERING / 120e3, 1e-12);
    assert_near(wheel(&w, i, "radial_stiffness"), 580e3, 1e-6);
    assert_near(wheel(&w, i, "elastic_energy"), 0.5 * load * deflection, 1e-3 * load * deflection);
    assert_near(wheel(&w, i, "transient_slip_angle"), angle, 0.01 * fabs(angle));
    assert_near(wheel(&w, i, "pneumatic_trail"), WIDTH * (1 - h) * h * h * h / (1 - h * h * h),
                0.02 * WIDTH);
  }
  close_world(&w);
}

// A brick of 50 kg on wheels that do not steer.
#define BRICK(tyre)                                                         \
  "<chassis mass='46' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>" tyre \
  "<wheel place='front_left' position='0.2 0.2' mass='1' radius='0.1'/>"    \
  "<wheel place='front_right' position='0.2 -0.2' mass='1' radius='0.1'/>"  \
  "<wheel place='rear_left' position='-0.2 0.2' mass='1' radius='0.1'/>"    \
  "<wheel place='rear_right' position='-0.2 -0.2' mass='1' radius='0.1'/>"
#define SLIDES(ground, velocity, tyre)                                     \
  "<world timestep='1 ms'>" ground "<vehicle name='r' velocity='" velocity \
  "'>" BRICK(tyre) "</vehicle></world>"
static const double WEIGHT = 50 * 9.81;

// Coulomb: mu N while it slides, whatever the place gives; on a slope tan(slope)/mu while it
// sticks.
static void test_coulomb(void** state) {
  (void)state;
  World w = open_world(SLIDES("", "0 2", "<tyre type='coulomb' friction='0.5'/>"));
  run(&w, 0.1);
  double limit = 0;
  for (int i = 0; i < WHEELS; i++) {
    limit += wheel(&w, i, "friction_limit");
    assert_near(wheel(&w, i, "friction_utilisation"), 1, 1e-9);
    assert_near(wheel(&w, i, "slip_velocity_x"), 0, 1e-9);
    // as the last step began
    assert_near(wheel(&w, i, "slip_velocity_y"), 2 - 0.5 * 9.81 * 0.099, 1e-9);
  }
  assert_near(limit, 0.5 * WEIGHT, 1e-9 * WEIGHT);
  close_world(&w);
  w = open_world(SLIDES("<region outline='-9 -9 9 -9 9 9 -9 9' friction='0.2'/>", "0 2",
                        "<tyre type='coulomb' friction='0.5' combined='true'/>"));
  run(&w, 0.1);
  assert_near(wheel(&w, 0, "friction_limit"), 0.2 * WEIGHT / 4, 1e-9 * WEIGHT);
  assert_near(wheel(&w, 0, "friction_utilisation"), 1, 1e-6);
  close_world(&w);
  w = open_world(SLIDES("<terrain type='plane' slope_y='0.1'/>", "0 0",
                        "<tyre type='coulomb' friction='0.5' combined='true'/>"));
  run(&w, 0.5);
  for (int i = 0; i < WHEELS; i++) {
    assert_near(wheel(&w, i, "friction_utilisation"), 0.1 / 0.5, 1e-6);
  }
  close_world(&w);
}

// N (R1 (1 - exp(-A v)) + R2 v) against the motion, apart from friction; free wheels use none of
// it.
static void test_ward_iagnemma(void** state) {
  (void)state;
  World w = open_world(SLIDES("", "1.5 0",
                              "<tyre type='ward_iagnemma' friction='0.5' bearing_damping='0' "
                              "drag_onset='2' drag_constant='0.01' drag_rate='0.02'/>"));
  run(&w, 0.2);
  double force = 0, v = 0;
  for (int i = 0; i < WHEELS; i++) {
    force += wheel(&w, i, "resistance_force");
    v = wheel(&w, i, "hub_velocity_x");
  }
  const double law = WEIGHT * (0.01 * (1 - exp(-2 * v)) + 0.02 * v);
  assert_near(force, -law, 1e-3 * law);
  // its wheels slow down with it: I/r for each of 0.5 m r^2
  assert_near(wheel(&w, 0, "friction_utilisation"), 0.5 * law / 52 / (0.5 * WEIGHT / 4), 1e-3);
  close_world(&w);
}

// Sliding sideways: N C_alpha alpha_s across; along nothing, since nothing slips there.
static void test_ellipse(void** state) {
  (void)state;
  World w = open_world(
      SLIDES("", "0 2", "<tyre type='ellipse' cornering_stiffness='5' angle_saturation='0.1'/>"));
  run(&w, 0.1);
  assert_near(wheel(&w, 0, "friction_limit_y"), 5 * 0.1 * WEIGHT / 4, 1e-9 * WEIGHT);
  assert_near(wheel(&w, 0, "tyre_force_y"), -5 * 0.1 * WEIGHT / 4, 1e-9 * WEIGHT);
  assert_near(wheel(&w, 0, "friction_limit_x"), 0, 1e-6 * WEIGHT);
  close_world(&w);
}

// ---- work ----

static double slip_work(const World* w) {
  double sum = 0;
  for (int i = 0; i < WHEELS; i++) sum += wheel(w, i, "slip_work");
  return sum;
}

// Coulomb friction takes mu N s from what slides by s, and all of its kinetic energy until it
// stands, in whatever direction it slides; the last step's force is the one that stops it.
static void test_work_of_sliding(void** state) {
  static const char* const step[] = {"1 ms", "5 ms", "1 ms' integrator='rk4"};
  (void)state;
  for (int i = 0; i < 3; i++) {
    char text[1200];
    snprintf(text, sizeof text,
             "<world timestep='%s'><vehicle name='r' velocity='0 2'>" BRICK(
                 "<tyre type='coulomb' friction='0.5' combined='true'/>") "</vehicle></world>",
             step[i]);
    World w = open_world(text);
    run(&w, 0.2);
    const double mu_n = 0.5 * WEIGHT, h = rut_model_timestep(w.model);
    const double s = number(&w, RUT_VEHICLE, 0, "y");
    // semi-implicit positions are those of the speed at the end of a step
    assert_near(slip_work(&w), mu_n * s, i == 2 ? 1e-9 * mu_n : 1.01 * mu_n * 2 * h);
    run(&w, 1);
    assert_near(number(&w, RUT_VEHICLE, 0, "velocity_y"), 0, 1e-9);
    // Runge-Kutta's stages do not see when in the last step it stops
    const double energy = 0.5 * 50 * 2 * 2, late = i == 2 ? 0.5 * 9.81 * h * h * mu_n : 1e-9;
    assert_near(slip_work(&w), energy, late);
    assert_near(wheel(&w, 0, "slip_power"), 0, 1e-9);
    close_world(&w);
  }
}

// Locked wheels of a car with friction mu whatever its slip: mu N s, and the same as the vehicle's
// account. With Runge-Kutta steps too, in which four evaluations have a part each.
static void test_work_of_locked_wheels(void** state) {
  static const char* const world[] = {"timestep='1 ms'", "timestep='0.5 ms' integrator='rk4'"};
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[1500];
    snprintf(text, sizeof text, "<world %s>%s", world[k],
             strstr(CAR("rolling_resistance='0.015' slip_stiffness='1e7' stiffness_x='1e8'"),
                    "<vehicle"));
    World w = open_world(text);
    assert_int_equal(rut_command(w.model, w.data, 0, 3, (const double[]){0, 1, 0}), RUT_OK);
    run(&w, 0.6);
    rutEnergy before, after;
    assert_true(rut_vehicle_energy(w.model, w.data, 0, &before));
    const double start = number(&w, RUT_VEHICLE, 0, "x"), taken = slip_work(&w);
    for (int i = 0; i < WHEELS; i++) assert_near(wheel(&w, i, "slip"), -1, 1e-6);
    run(&w, 0.9);
    assert_true(rut_vehicle_energy(w.model, w.data, 0, &after));
    const double s = number(&w, RUT_VEHICLE, 0, "x") - start, work = slip_work(&w);
    assert_true(s > 1);
    assert_near(work - taken, FRICTION * MASS * 9.81 * s, 0.02 * work);
    double tyre = 0;
    for (int i = 0; i < WHEELS; i++) tyre += wheel(&w, i, "tyre_work");
    assert_near(work, after.slip, 1e-9 * work);
    assert_near(tyre, after.slip + after.rolling + after.tyre, 1e-9 * work);
    close_world(&w);
  }
}

// A car that swings on its tyres, brakes locked, on a slope: its patches are deflected and pushed
// back under changing loads, which is no slip. Slip only takes energy.
static void test_slip_takes_energy(void** state) {
  static const char* const world[] = {"timestep='1 ms'", "timestep='0.5 ms' integrator='rk4'"};
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[500];
    snprintf(text, sizeof text,
             "<world %s><soil name='r' type='magic_formula' surface='dry'/>"
             "<terrain type='plane' slope_x='0.5'/>"
             "<include file='vehicles/hmmwv.xml' name='v' brake='1' tyre='linear'/></world>",
             world[k]);
    World w = open_project_world(text);
    rutEnergy e;
    double before[WHEELS] = {0};
    while (rut_time(w.data) < 2) {
      step_world(&w);
      for (int i = 0; i < WHEELS; i++) {
        const double work = wheel(&w, i, "slip_work");
        assert_true(work >= before[i] - 1e-6);
        before[i] = work;
      }
    }
    assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
    assert_true(e.slip > 10);
    close_world(&w);
  }
}

// A saved state has the account, and so has the same world with other numbers; a reset has not.
static void test_work_is_kept(void** state) {
  (void)state;
  World w = open_world(SLIDES("", "0 2", "<tyre type='coulomb' friction='0.5'/>"));
  World other = open_world(SLIDES("", "0 2", "<tyre type='coulomb' friction='0.1'/>"));
  run(&w, 0.1);
  const double early = slip_work(&w);
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  void* saved = malloc(size);
  assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  run(&w, 0.2);
  const double late = slip_work(&w);
  assert_true(early > 1 && late > early);
  assert_int_equal(rut_state_adopt(other.model, other.data, w.model, w.data, NULL), RUT_OK);
  assert_true(slip_work(&other) == late);
  assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  assert_true(slip_work(&w) == early);
  run(&w, 0.2);
  assert_true(slip_work(&w) == late);
  rut_data_reset(w.model, w.data, 0);
  assert_true(slip_work(&w) == 0);
  free(saved);
  close_world(&other);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_newton),
      cmocka_unit_test(test_fiala),
      cmocka_unit_test(test_inclination),
      cmocka_unit_test(test_side_slope),
      cmocka_unit_test(test_power),
      cmocka_unit_test(test_power_of_shifts),
      cmocka_unit_test(test_fiala_constants),
      cmocka_unit_test(test_coulomb),
      cmocka_unit_test(test_ward_iagnemma),
      cmocka_unit_test(test_ellipse),
      cmocka_unit_test(test_work_of_sliding),
      cmocka_unit_test(test_work_of_locked_wheels),
      cmocka_unit_test(test_slip_takes_energy),
      cmocka_unit_test(test_work_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
