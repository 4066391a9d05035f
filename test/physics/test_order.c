// SPDX-License-Identifier: BSD-3-Clause
//
// Order of the integrators on smooth ground under smooth steering, braking forces and
// speed-dependent torques, through the public interface. The reference is the same code at a
// sixteenth of the shortest step, and the other integrator's limit, by Richardson's extrapolation,
// agrees with it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../assert_near.h"
#include "rut/host.h"
#include "vehicle_world.h"

static const double PI = 3.14159265358979323846;
enum { PLACE = 3, HALVINGS = 3 };

typedef struct Case {
  const char *integrator, *vehicle;  // NULL: a truck on slides
  double step, amplitude;            // of the steering, or of the share of full lock
  double torque;
  bool held;  // set points hold through the step
} Case;

typedef struct End {
  double place[PLACE];
} End;

static World open_case(const Case* c, double step) {
  char text[2000];
  if (c->vehicle) {
    snprintf(text, sizeof text,
             "<world timestep='%.17g' integrator='%s'><soil type='magic_formula' surface='user' "
             "d='0.8'/><include file='vehicles/hmmwv.xml' drive='direct' speed='15' %s/></world>",
             step, c->integrator, c->vehicle);
    return open_project_world(text);
  }
  snprintf(
      text, sizeof text,
      "<world timestep='%.17g' integrator='%s'>"
      "<soil type='magic_formula' surface='user' b='10' c='1.4' d='0.8' e='0'/>"
      "<vehicle name='truck' velocity='15 0 0'><chassis mass='2090' com='0.1 0 0.85' "
      "outline='-2.1 -0.9, 2.3 -0.9, 2.3 0.9, -2.1 0.9' z_min='0.4' z_max='1.7' drag_area='2.6'/>"
      "<suspension type='slider' stiffness='80 kN/m' damping='8 kN s/m'/>"
      "<tyre type='linear' stiffness='320 kN/m' damping='1 kN s/m' relaxation_length='0.3'/>"
      "<axle x='1.5' track='1.6' radius='0.47' width='0.3' wheel_mass='62' max_steer='30 deg'/>"
      "<axle x='-1.3' track='1.6' radius='0.47' width='0.3' wheel_mass='62'/>"
      "<drive type='direct' max_torque='2000' no_load_speed='60' driven='all'/>"
      "<controller type='pedals'/></vehicle></world>",
      step, c->integrator);
  return open_world(text);
}

// Torque, brake and steering at a time.
static void set_points(const Case* c, double time, double out[3]) {
  out[0] = c->torque * (1 + 0.5 * sin(2 * PI * time));
  out[1] = 0;
  // a linkage is at rest at first
  out[2] = c->amplitude * (c->vehicle ? 0.5 - 0.5 * cos(PI * time) : sin(PI * time));
}

static End drive(const Case* c, double step) {
  World w = open_case(c, step);
  const int steps = (int)lround(2 / step);
  for (int i = 0; i < steps; i++) {
    double now[3], middle[3], end[3];
    set_points(c, i * step, now);
    set_points(c, (i + 0.5) * step, middle);
    set_points(c, (i + 1) * step, end);
    assert_int_equal(rut_command(w.model, w.data, 0, 3, now), RUT_OK);
    if (!c->held) {
      assert_int_equal(rut_command_course(w.model, w.data, 0, 3, middle, end), RUT_OK);
    }
    step_world(&w);
  }
  const rutVehicleState state = rut_vehicle_state(w.model, w.data, 0);
  End out;
  memcpy(out.place, state.position, sizeof out.place);
  close_world(&w);
  return out;
}

static double apart(const End* a, const End* b) {
  double sum = 0;
  for (int i = 0; i < PLACE; i++) sum += (a->place[i] - b->place[i]) * (a->place[i] - b->place[i]);
  return sqrt(sum);
}

// Errors of the case at its step, and at a half, a quarter and an eighth of it.
static void errors(const char* name, const Case* c, double error[HALVINGS + 1], End* reference) {
  *reference = drive(c, ldexp(c->step, -HALVINGS - 4));
  for (int k = 0; k <= HALVINGS; k++) {
    const End end = drive(c, ldexp(c->step, -k));
    error[k] = apart(&end, reference);
    print_message("%s, %g ms: %.2e m%s", name, 1e3 * ldexp(c->step, -k), error[k], k ? "" : "\n");
    if (k) print_message(", order %.2f\n", log2(error[k - 1] / error[k]));
  }
}

static void runge_kutta_is_of_fourth_order(void** state) {
  static const Case whole = {"rk4", NULL, 16e-3, 0.05, 4000, false};
  static const Case euler = {"semi_implicit", NULL, 2e-3, 0.05, 4000, true};
  double error[HALVINGS + 1];
  End reference;
  (void)state;
  errors("rk4", &whole, error, &reference);
  for (int k = 0; k < HALVINGS; k++) {
    assert_true(error[k + 1] > 1e-10);
    assert_near(log2(error[k] / error[k + 1]), 4.3, 0.4);
  }
  // the other scheme's limit: twice the result of half the step less that of the whole one
  const End one = drive(&euler, 2e-4), half = drive(&euler, 1e-4);
  End limit;
  for (int i = 0; i < PLACE; i++) limit.place[i] = 2 * half.place[i] - one.place[i];
  print_message("the default integrator's limit is %.1e m away\n", apart(&limit, &reference));
  assert_near(apart(&limit, &reference), 0, 1e-5);
}

// What holds through the step is late by half of it.
static void held_set_points_are_of_first_order(void** state) {
  static const Case held = {"rk4", NULL, 4e-3, 0.05, 4000, true};
  double error[HALVINGS + 1];
  End reference;
  (void)state;
  errors("rk4, held", &held, error, &reference);
  for (int k = 0; k < HALVINGS; k++) assert_near(log2(error[k] / error[k + 1]), 1.1, 0.15);
}

static void the_default_is_of_first_order(void** state) {
  static const Case euler = {"semi_implicit", NULL, 2e-3, 0.05, 4000, true};
  double error[HALVINGS + 1];
  End reference;
  (void)state;
  errors("semi_implicit", &euler, error, &reference);
  for (int k = 0; k < HALVINGS; k++) assert_near(log2(error[k] / error[k + 1]), 1.1, 0.2);
}

// A linkage with dampers that have a kink: the error of 30 m of driving is below a micrometre at
// 2 ms, rigid, with a response of its own and behind an elastic column.
static void linkages_are_steered_within_the_step(void** state) {
  static const char* const linkages[] = {
      "", "steer_response='50'", "steer_stiffness='77.5e3' steer_damping='1e3' steer_inertia='34'"};
  (void)state;
  for (int i = 0; i < 3; i++) {
    const Case c = {"rk4", linkages[i], 2e-3, 0.1, 0, false};
    const End end = drive(&c, c.step), reference = drive(&c, c.step / 16);
    print_message("HMMWV %s: %.1e m\n", linkages[i], apart(&end, &reference));
    assert_near(apart(&end, &reference), 0, 1e-6);
  }
}

// A table whose rows are closer than half the step: in the middle of a step and at its end set
// points are those of the rows there, as where the course is given.
static void rows_within_the_step_are_seen(void** state) {
  static const Case c = {"rk4", NULL, 16e-3, 0.05, 4000, false};
  const double every = c.step / 4;
  char text[60000];
  size_t size = 0;
  (void)state;
  size += (size_t)snprintf(text, sizeof text, "t,vehicle,torque,brake,steer\n");
  for (int i = 0; i * every < 2 + 1.5 * c.step; i++) {
    double point[3];
    set_points(&c, i * every, point);
    size += (size_t)snprintf(text + size, sizeof text - size, "%.17g,truck,%.17g,%.17g,%.17g\n",
                             i * every, point[0], point[1], point[2]);
  }
  World w = open_case(&c, c.step);
  rutInputs* inputs = NULL;
  assert_int_equal(rut_inputs_parse(w.model, text, size, "table.csv", &inputs, NULL), RUT_OK);
  assert_int_equal(rut_inputs_interpolate(inputs, w.model), RUT_OK);
  for (int i = 0; i < (int)lround(2 / c.step); i++) {
    assert_int_equal(rut_inputs_apply(inputs, w.model, w.data), RUT_OK);
    step_world(&w);
  }
  const rutVehicleState at = rut_vehicle_state(w.model, w.data, 0);
  const End given = drive(&c, c.step);
  for (int i = 0; i < PLACE; i++) assert_near(at.position[i], given.place[i], 1e-12);
  rut_inputs_destroy(inputs);
  close_world(&w);
}

static void courses_are_refused_where_nothing_looks(void** state) {
  static const Case euler = {"semi_implicit", NULL, 1e-3, 0, 0, true};
  static const Case rk4 = {"rk4", NULL, 1e-3, 0, 0, true};
  const double zero[4] = {0}, bad[3] = {0, NAN, 0};
  (void)state;
  World w = open_case(&euler, 1e-3);
  assert_int_equal(rut_command_course(w.model, w.data, 0, 3, zero, zero), RUT_ERR_MODEL);
  close_world(&w);
  w = open_case(&rk4, 1e-3);
  assert_int_equal(rut_command_course(w.model, w.data, 0, 3, zero, zero), RUT_OK);
  assert_int_equal(rut_command_course(w.model, w.data, 1, 3, zero, zero), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_command_course(w.model, w.data, 0, 4, zero, zero), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_command_course(w.model, w.data, 0, 3, zero, bad), RUT_ERR_ARGUMENT);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runge_kutta_is_of_fourth_order),
      cmocka_unit_test(held_set_points_are_of_first_order),
      cmocka_unit_test(the_default_is_of_first_order),
      cmocka_unit_test(linkages_are_steered_within_the_step),
      cmocka_unit_test(rows_within_the_step_are_seen),
      cmocka_unit_test(courses_are_refused_where_nothing_looks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
