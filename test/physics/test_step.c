// SPDX-License-Identifier: BSD-3-Clause
//
// Steps that do not resolve the motion are told of, and the step that a world needs is found.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../assert_near.h"
#include "rut/host.h"
#include "vehicle_world.h"

// A truck that lands on one wheel.
static const char landing[] =
    "<world timestep='5 ms' step='auto'><soil type='magic_formula' surface='user' d='0.8'/>"
    "<vehicle name='truck' position='0 0 1' roll='25 deg' pitch='10 deg' on_ground='false' "
    "velocity='10 0 0'><chassis mass='2090' com='0.1 0 0.85' "
    "outline='-2.1 -0.9, 2.3 -0.9, 2.3 0.9, -2.1 0.9' z_min='0.4' z_max='1.7' drag_area='2.6'/>"
    "<suspension type='slider' stiffness='80 kN/m' damping='8 kN s/m'/>"
    "<tyre type='linear' stiffness='320 kN/m' damping='1 kN s/m' relaxation_length='0.3'/>"
    "<axle x='1.5' track='1.6' radius='0.47' width='0.3' wheel_mass='62' max_steer='30 deg'/>"
    "<axle x='-1.3' track='1.6' radius='0.47' width='0.3' wheel_mass='62'/>"
    "<drive type='direct'/><controller type='pedals'/></vehicle></world>";
static const double G = 9.81, PI = 3.14159265358979323846;

typedef struct Told {
  int events, firsts;
  double first_time;
  rutStepResidual last;
} Told;

static void note(const rutStepResidual* residual, void* user) {
  Told* told = user;
  told->events++;
  told->firsts += residual->first;
  if (residual->first) told->first_time = residual->time;
  told->last = *residual;
}

static World open_with_step(const char* text, const char* step) {
  World w = open_context();
  load_world(&w, text, "test.xml", "timestep", step);
  return w;
}

// Runs for `duration`; where the truck ends in place[3]. Returns the share of the residual.
static double watch(const char* text, const char* step, double duration, Told* told,
                    double place[3]) {
  World w = open_with_step(text, step);
  rutStepWatch* watch = rut_step_watch_create();
  assert_non_null(watch);
  *told = (Told){0};
  assert_int_equal(rut_step_watch_update(watch, w.model, w.data, note, told), RUT_OK);
  while (rut_time(w.data) < duration - 1e-9) {
    step_world(&w);
    assert_int_equal(rut_step_watch_update(watch, w.model, w.data, note, told), RUT_OK);
  }
  const rutVehicleState state = rut_vehicle_state(w.model, w.data, 0);
  memcpy(place, state.position, sizeof state.position);
  const double share = rut_step_watch_share(watch);
  rut_step_watch_destroy(watch);
  close_world(&w);
  return share;
}

// The lowest wheel is 0.47 m below its hub in its plane; the others are higher. It touches after a
// free fall of less than 0.4 s: before, nothing is told, since a falling truck loses no energy.
static void an_impact_is_told_once(void** state) {
  Told told;
  double place[3];
  (void)state;
  watch(landing, "5 ms", 2, &told, place);
  assert_true(told.events >= 1);
  assert_int_equal(told.firsts, 1);
  assert_true(told.first_time > 0.05 && told.first_time < 0.5);
  assert_true(fabs(told.last.residual) > RUT_STEP_SHARE * told.last.throughput);
  print_message("5 ms: %.0f J of %.0f J at %.2f s\n", told.last.residual, told.last.throughput,
                told.last.time);
  watch(landing, "0.5 ms", 2, &told, place);
  assert_int_equal(told.events, 0);
}

static void its_text_names_it(void** state) {
  char text[300];
  (void)state;
  World w = open_with_step(landing, "5 ms");
  const rutStepResidual residual = {
      .vehicle = 0, .time = 0.4, .residual = -300, .change = 40, .throughput = 2e4};
  rut_step_residual_text(w.model, &residual, text, sizeof text);
  assert_non_null(strstr(text, "the step of 5 ms does not resolve the motion of 'truck'"));
  assert_non_null(strstr(text, "t = 0.40 s: 300 J of 2e+04 J"));
  close_world(&w);
}

// In free flight semi-implicit steps keep E - m g h v/2: what is missing is m g h/2 times the
// change of the speed at any time, and comes back.
static void free_flight_is_no_fault(void** state) {
  static const double step = 5e-3, duration = 1;
  (void)state;
  char text[sizeof landing + 20];
  snprintf(text, sizeof text, "%s", landing);
  // from above the clouds, without drag
  char* height = strstr(text, "'0 0 1'");
  memcpy(height, "'0 0 9'", 7);
  memcpy(strstr(text, "drag_area='2.6'"), "drag_area='0.0'", 15);
  World w = open_with_step(text, "5 ms");
  run_until(&w, duration);
  rutEnergy energy;
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &energy));
  const double mass = 2090 + 4 * 62, lost = 0.5 * mass * G * step * G * duration;
  print_message("free fall: residual %.6g J, closed form %.6g J\n", energy.residual, lost);
  assert_near(energy.residual, lost, 1e-3 * lost);
  // it began by driving down its nose
  const double down = 10 * sin(10 * PI / 180);
  assert_near(energy.flight, lost * (1 + down / (G * duration)), 1e-6 * lost);
  close_world(&w);
}

static rutStepChoice choose(const char* text, double limit, double duration) {
  World w = open_context();
  rutError err = {0};
  rutSpec* spec = NULL;
  rutStepChoice choice;
  assert_int_equal(rut_spec_parse(w.context, text, strlen(text), "test.xml", &spec, &err), RUT_OK);
  const rutStepOptions options = {.duration = duration, .limit = limit};
  if (rut_step_choose(spec, &options, &choice, &err) != RUT_OK) fail_msg("%s", err.message);
  // the spec has it
  assert_near(rut_node_number(spec, rut_spec_root(spec), "timestep"), choice.timestep, 1e-15);
  rut_spec_destroy(spec);
  rut_context_destroy(w.context);
  return choice;
}

// A whole part of the timestep that holds the limit, while the next longer one tried does not; the
// same every time; and the truck ends where it does with a step four times shorter.
static void the_step_that_is_needed_is_found(void** state) {
  Told told;
  double chosen[3], fine[3], coarse[3];
  char step[40];
  (void)state;
  const rutStepChoice choice = choose(landing, 0, 2), again = choose(landing, 0, 2);
  assert_memory_equal(&choice, &again, sizeof choice);
  print_message("1/%d of 5 ms after %d runs: %.1e\n", choice.parts, choice.runs, choice.share);
  assert_true(choice.share <= 1e-4 && choice.parts > 1 && choice.runs >= 2);
  assert_near(choice.timestep * choice.parts, 5e-3, 1e-15);
  snprintf(step, sizeof step, "%.17g s", choice.timestep);
  assert_near(watch(landing, step, 2, &told, chosen), choice.share, 1e-12);
  snprintf(step, sizeof step, "%.17g s", choice.timestep / 4);
  watch(landing, step, 2, &told, fine);
  watch(landing, "5 ms", 2, &told, coarse);
  const double off = hypot(chosen[0] - fine[0], chosen[1] - fine[1]);
  const double far = hypot(coarse[0] - fine[0], coarse[1] - fine[1]);
  print_message("off by %.3g m, %.3g m at 5 ms\n", off, far);
  assert_true(off < 0.1 * far);
}

static void a_step_that_is_short_enough_stays(void** state) {
  static const char still[] =
      "<world timestep='1 ms'><soil type='magic_formula' surface='user' d='0.8'/>"
      "<vehicle name='truck'><chassis mass='2090' com='0 0 0.85' outline='-2 -0.9, 2 -0.9, 2 0.9' "
      "z_min='0.4' z_max='1.7'/><suspension type='slider'/><tyre type='linear'/>"
      "<axle x='1.5' track='1.6' radius='0.47' width='0.3' wheel_mass='62'/>"
      "<axle x='-1.3' track='1.6' radius='0.47' width='0.3' wheel_mass='62'/>"
      "<drive type='direct'/><controller type='pedals'/></vehicle></world>";
  (void)state;
  const rutStepChoice choice = choose(still, 0, 0.5);
  assert_int_equal(choice.parts, 1);
  assert_int_equal(choice.runs, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_impact_is_told_once),
      cmocka_unit_test(its_text_names_it),
      cmocka_unit_test(free_flight_is_no_fault),
      cmocka_unit_test(the_step_that_is_needed_is_found),
      cmocka_unit_test(a_step_that_is_short_enough_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
