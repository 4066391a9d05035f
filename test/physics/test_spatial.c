// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles with suspensions through the public interface: momentum in the air, one vehicle against
// the same among others, and places where a run may go wrong.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rut/rut.h"

// |a - b| <= tolerance, in double precision.
#define assert_near(a, b, tolerance) near_at(a, b, tolerance, __LINE__)
static void near_at(double a, double b, double tolerance, int line) {
  if (!(fabs(a - b) <= tolerance))
    fail_msg("line %d: %.17g is not %.17g +- %g", line, a, b, tolerance);
}

typedef struct World {
  rutContext* context;
  rutModel* model;
  rutData* data;
} World;

static World build(const char* text) {
  World w = {0};
  rutError err;
  rutSpec* spec = NULL;
  assert_int_equal(rut_context_create(NULL, &w.context, &err), RUT_OK);
  if (rut_spec_parse(w.context, text, strlen(text), "test.xml", &spec, &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
  if (rut_compile(spec, &w.model, &err) != RUT_OK) fail_msg("%s", err.message);
  rut_spec_destroy(spec);
  w.data = rut_data_create(w.model);
  assert_non_null(w.data);
  return w;
}

static void destroy(World* w) {
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
  rut_context_destroy(w->context);
}

static rutStatus run(World* w, double seconds) {
  rutError err;
  rutStatus status = RUT_OK;
  while (status == RUT_OK && rut_time(w->data) < seconds - 1e-9) {
    status = rut_step(w->model, w->data, &err);
  }
  return status;
}

// ---- momentum ----

#define CART(attributes, axle, inside)                                                         \
  "<vehicle " attributes                                                                       \
  ">"                                                                                          \
  "<chassis mass='50' com='0 0 0.3' inertia='2 3 4' outline='-0.5 -0.2 0.5 -0.2 0.5 0.2 -0.5 " \
  "0.2'/>"                                                                                     \
  "<axle x='0.4' track='0.6' radius='0.2' wheel_mass='2' wheel_inertia='0.05' " axle           \
  "/><axle x='-0.4' track='0.6' radius='0.2' wheel_mass='2' wheel_inertia='0.05' " axle        \
  "/>" inside "</vehicle>"

// In the air the momentum about the pitch axis stays 0: with wheels of inertia J, rotors j that
// turn n times as fast, and the chassis with the wheels' masses I,
//   I q + 4 (J (q + w) + n j w) = 0.
static void momentum_with(const char* integrator, double gear, double rotor, double tolerance) {
  char text[2000];
  snprintf(text, sizeof text,
           "<world gravity='0' timestep='1e-4' integrator='%s'>" CART(
               "position='0 0 50' on_ground='false'", "",
               "<suspension type='massless'/><tyre type='linear'/>"
               "<drive type='dc_motor' gear='%g' rotor_inertia='%g'/>"
               "<controller type='pedals' torque='8'/>") "</world>",
           integrator, gear, rotor);
  World w = build(text);
  assert_int_equal(run(&w, 0.2), RUT_OK);
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  const double spin = rut_wheel_state(w.model, w.data, 0).speed;
  assert_true(spin > 1);
  const double expected = -4 * (0.05 + gear * rotor) * spin / (3 + 4 * 0.05);
  assert_near(s.rate[1], expected, tolerance * fabs(expected));
  rutEnergy e;
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  assert_near(e.residual, 0, 1e-6 * e.throughput);
  destroy(&w);
}

static void test_gear_reaction(void** state) {
  (void)state;
  momentum_with("rk4", 15, 2e-4, 1e-9);
  momentum_with("rk4", 1, 0.02, 1e-9);
  momentum_with("semi_implicit", 15, 2e-4, 1e-9);
}

// ---- one vehicle, and the same among others ----

#define GROUND                                                                   \
  "<terrain type='iso8608' class='E' form='area' seed='3' wavelength_max='20'/>" \
  "<soil name='wet' type='magic_formula' surface='wet'/>"                        \
  "<soil name='soft' type='clay' cone_index='600 kPa'/>"                         \
  "<region soil='soft' x_min='-9' x_max='-5' y_min='-60' y_max='60'/>"
#define DRIVEN                                                                            \
  "<suspension type='slider' stiffness='4000' damping='300' bump='0.1' rebound='0.1'/>"   \
  "<tyre type='linear' stiffness='4e4' damping='100'/><drive type='dc_motor' gear='10'/>" \
  "<controller type='pedals' torque='30' steer='0.1'/>"

static void test_same_among_others(void** state) {
  (void)state;
  char text[20000];
  int n = snprintf(text, sizeof text, "<world>" GROUND);
  for (int i = 0; i < 11; i++) {
    n += snprintf(text + n, sizeof text - (size_t)n,
                  CART("position='%g %g 0' contact='arc'", "max_steer='0.3'", DRIVEN),
                  -10 + 0.3 * i, 3.0 * i - 15);
  }
  snprintf(text + n, sizeof text - (size_t)n, "</world>");
  World many = build(text);
  assert_int_equal(rut_count(many.model, RUT_VEHICLE), 11);
  for (int i = 0; i < 11; i += 5) {
    snprintf(text, sizeof text,
             "<world>" GROUND CART("position='%g %g 0' contact='arc'", "max_steer='0.3'",
                                   DRIVEN) "</world>",
             -10 + 0.3 * i, 3.0 * i - 15);
    World one = build(text);
    rut_data_reset(many.model, many.data, 0);
    assert_int_equal(run(&many, 3), RUT_OK);
    assert_int_equal(run(&one, 3), RUT_OK);
    const rutVehicleState a = rut_vehicle_state(many.model, many.data, i);
    const rutVehicleState b = rut_vehicle_state(one.model, one.data, 0);
    assert_memory_equal(a.position, b.position, sizeof a.position);
    assert_memory_equal(a.velocity, b.velocity, sizeof a.velocity);
    assert_memory_equal(a.rate, b.rate, sizeof a.rate);
    assert_true(b.position[0] > -10 + 0.3 * i + 1);
    rutEnergy e, f;
    rut_vehicle_energy(many.model, many.data, i, &e);
    rut_vehicle_energy(one.model, one.data, 0, &f);
    assert_memory_equal(&e, &f, sizeof e);
    destroy(&one);
  }
  destroy(&many);
}

// ---- where a run may go wrong ----

static rutVehicleState after(const char* ground, const char* vehicle, double seconds) {
  char text[4000];
  snprintf(text, sizeof text, "<world>%s%s</world>", ground, vehicle);
  World w = build(text);
  assert_int_equal(run(&w, seconds), RUT_OK);
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  for (int i = 0; i < 3; i++) assert_true(isfinite(s.position[i]) && isfinite(s.velocity[i]));
  destroy(&w);
  return s;
}

// Off the edge of the map a vehicle falls freely, turning as it left.
static void test_edge_of_the_map(void** state) {
  (void)state;
  const rutVehicleState s = after("<plane x_min='-5' x_max='5' y_min='-5' y_max='5' z='0'/>",
                                  CART("position='-3 0 0' velocity='6 0 0'", "", DRIVEN), 4);
  assert_true(s.position[0] > 15);
  assert_true(s.position[2] < -15);
}

static void test_fast(void** state) {
  (void)state;
  const rutVehicleState s =
      after(GROUND, CART("position='-29 0 0' velocity='100 0 0' contact='arc'", "", DRIVEN), 0.4);
  assert_true(s.position[0] > 5);
}

// Upside down it lies on its roof, 0.6 m above its reference point, and stays there.
static void test_upside_down(void** state) {
  (void)state;
  const rutVehicleState s = after("",
                                  CART("position='0 0 1.5' roll='175 deg' on_ground='false'", "",
                                       "<suspension type='slider'/><tyre type='linear'/>"),
                                  5);
  assert_near(fabs(s.roll), 3.14159265358979, 1e-3);
  assert_near(s.pitch, 0, 1e-3);
  assert_near(s.position[2], 0.6, 6e-3);
  for (int i = 0; i < 3; i++) assert_near(s.velocity[i], 0, 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gear_reaction),   cmocka_unit_test(test_same_among_others),
      cmocka_unit_test(test_edge_of_the_map), cmocka_unit_test(test_fast),
      cmocka_unit_test(test_upside_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
