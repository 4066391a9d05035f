// SPDX-License-Identifier: BSD-3-Clause
//
// What a controller is told of the tyres of its vehicle: their lateral force per slip angle under
// the loads at rest, of both ends, by the law of the tyres.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "world_fixture.h"

static double told[2];  // of the last update

static const rutField fields[] = {
    RUT_CONTROLLER_ROWS RUT_ROW(cruise, "m/s", 0, -10, 10, "speed before the first command")};
static const rutVariable commands[] = {RUT_VARIABLE(cruise, "m/s", "speed")};

static void listen(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                   double* state, const rutControlOut* out) {
  (void)param, (void)in, (void)state, (void)out;
  told[0] = layout->front_cornering;
  told[1] = layout->rear_cornering;
}

static const rutControllerType listener = {.base = {.abi = RUT_ABI,
                                                    .struct_size = sizeof(rutControllerType),
                                                    .kind = "controller",
                                                    .name = "listener",
                                                    .parents = "vehicle",
                                                    .doc = "Listens.",
                                                    .field = fields,
                                                    .fields = RUT_COUNT_OF(fields)},
                                           .command = commands,
                                           .commands = 1,
                                           .uses = RUT_USES_TYRES,
                                           .suspensions = true,
                                           .update = listen};
static const rutComponent* const own_types[] = {&listener.base, NULL};

#define CHASSIS                                                                       \
  "<chassis mass='2404.3' com='0.0087 0 1.067' inertia='1400 3300 3081' z_min='0.4' " \
  "outline='2 1 2 -1 -2 -1 -2 1'/>"                                                   \
  "<drive type='direct'/><controller type='listener'/>"
#define AXLE(x, tyre)                                                     \
  "<axle x='" x                                                           \
  "' track='1.82' radius='0.47' wheel_mass='71.1' wheel_inertia='7.388'>" \
  "<suspension type='slider' stiffness='60000'/>" tyre "</axle>"
#define FIALA(c) "<tyre type='fiala' cornering_stiffness='" c "'/>"
#define MAGIC                                                                          \
  "<tyre type='pac2002' fnomin='35000' pcy1='1.5874' pdy1='0.73957' pdy2='-0.075004' " \
  "pey1='0.37562' pey2='-0.069325' pky1='-10.289' pky2='3.3343' vertical_stiffness='425000'/>"

static void hear(const char* axles) {
  char text[4000];
  snprintf(text, sizeof text,
           "<world timestep='0.002' gravity='9.81'><vehicle>" CHASSIS "%s</vehicle></world>",
           axles);
  World w = open_world_with(text, 1, own_types);
  told[0] = told[1] = -1;
  run(&w, 1);
  close_world(&w);
}

// A brush tyre's stiffness is a parameter; two tyres carry each axle.
static void stiffness_is_that_of_the_tyres(void** state) {
  (void)state;
  hear(AXLE("1.5775", FIALA("50000")) AXLE("-1.7245", FIALA("42000")));
  assert_near(told[0], 2 * 50000, 1e-3);
  assert_near(told[1], 2 * 42000, 1e-3);
}

// The published tyre under 2688.7 kg, whose middle is at the origin: K = 10.289 F sin(2 atan(N/
// (3.3343 F))) with F = 35 kN for the loads of both axles; 84138.6 and 78123.6 N/rad are published,
// at 6840 and 6348 N.
static void stiffness_goes_with_the_load(void** state) {
  (void)state;
  hear(AXLE("1.5775", MAGIC) AXLE("-1.7245", MAGIC));
  const double weight = 2688.7 * 9.81, base = 1.5775 + 1.7245, arm[2] = {1.7245, 1.5775};
  for (int i = 0; i < 2; i++) {
    const double load = 0.5 * weight * arm[i] / base;
    const double stiffness = 2 * 10.289 * 35000 * sin(2 * atan(load / (3.3343 * 35000)));
    assert_near(told[i], stiffness, 0.002 * stiffness);
  }
}

// Tyres without a law of their own slip by that of the ground, which is of no vehicle.
static void what_is_not_known_is_zero(void** state) {
  (void)state;
  hear(AXLE("1.5775", FIALA("50000")) AXLE("-1.7245", "<tyre type='linear'/>"));
  assert_near(told[0], 0, 0);
  assert_near(told[1], 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stiffness_is_that_of_the_tyres),
      cmocka_unit_test(stiffness_goes_with_the_load),
      cmocka_unit_test(what_is_not_known_is_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
