// SPDX-License-Identifier: BSD-3-Clause
//
// States of controllers that change seldom are copied only when they change: the same bits as of
// states that are copied in every step, for lone vehicles, full lanes and padding, also after a
// step that fails, after a saved state and beside the steps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "world_fixture.h"

enum { CELLS = 40, EVERY = 3 };

static const rutField fields[] = {RUT_CONTROLLER_ROWS RUT_ROW(first, "", 1, 0, 9, "a number")};
static const rutVariable states[] = {RUT_VARIABLE(updates, "", "so far"){
    .name = "map", .unit = "", .frame = "", .shape = "40", .doc = "which changes seldom"}};
static const rutVariable outputs[] = {RUT_VARIABLE(speed, "m/s", "set point")};

// A map that every third update changes, and a speed that hangs on all of it.
static void update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                   double* state, const rutControlOut* out) {
  const int lanes = in->lanes;
  (void)param, (void)layout;
  for (int l = 0; l < lanes; l++) {
    const int now = (int)state[l];
    double sum = 0;
    if (now % EVERY == 0) {
      double* cell = &state[(1 + now % CELLS) * lanes + l];
      *cell = 1 + 0.5 * *cell + 0.01 * in->odo_speed[l];
      if (out->changed) *out->changed = true;
    }
    for (int k = 1; k <= CELLS; k++) sum += k * state[k * lanes + l];
    state[l] += 1;
    out->output[l] = 0.001 * sum;
  }
}

static rutControllerType type_with(int kept) {
  return (rutControllerType){.base = {.abi = RUT_ABI,
                                      .struct_size = sizeof(rutControllerType),
                                      .kind = "controller",
                                      .name = "maps",
                                      .parents = "vehicle",
                                      .doc = "Keeps a map.",
                                      .field = fields,
                                      .fields = RUT_COUNT_OF(fields),
                                      .state = states,
                                      .states = RUT_COUNT_OF(states)},
                             .output = outputs,
                             .outputs = RUT_COUNT_OF(outputs),
                             .supervises = true,
                             .kept = kept,
                             .update = update};
}

// So many robots, and something that gets out of hand after some steps.
static World world_of(const rutControllerType* type, int vehicles, const char* how, bool fails) {
  static char text[20000];
  char* to = text + sprintf(text, "<world timestep='0.01'>");
  for (int i = 0; i < vehicles; i++) {
    to += sprintf(
        to,
        "<vehicle name='r%d' position='0 %d'><chassis mass='15' outline='-.3 -.2, .3 -.2, "
        ".3 .2, -.3 .2'/>"
        "<wheel name='l' place='left' position='0 .25' mass='1.5' radius='.15' width='.05'/>"
        "<wheel name='r' place='right' position='0 -.25' mass='1.5' radius='.15' "
        "width='.05'/><tyre type='coulomb' friction='.7'/><drive type='direct'/>"
        "<controller type='maps' name='map' commands='drive' %s/><controller "
        "type='twist_pid' name='drive' proportional_gain='%g'/></vehicle>",
        i, 3 * i, how, vehicles > 8 && i == 0 ? 11.0 : 10.0);
  }
  if (fails) {
    to += sprintf(to,
                  "<mechanism name='m'><body joint='slide' axis='1 0 0' mass='1e-9' "
                  "stiffness='1e9' initial_position='1'/></mechanism>");
  }
  sprintf(to, "</world>");
  return open_world_with(text, 1, (const rutComponent* const[]){&type->base, NULL});
}

static void test_same_bits(void** state) {
  (void)state;
  static const int vehicles[] = {1, 3, 8, 10};
  static const char* const how[] = {"", "period='0.03'",
                                    "period='0.03' output_delay='0.02' host='true'"};
  for (int i = 0; i < RUT_COUNT_OF(vehicles); i++) {
    for (int k = 0; k < RUT_COUNT_OF(how); k++) {
      const rutControllerType seldom = type_with(1), always = type_with(0);
      World a = world_of(&seldom, vehicles[i], how[k], false);
      World b = world_of(&always, vehicles[i], how[k], false);
      for (int step = 0; step < 60; step++) {
        run(&a, 1);
        run(&b, 1);
        assert_int_equal(rut_state_hash(a.model, a.data), rut_state_hash(b.model, b.data));
      }
      close_world(&a);
      close_world(&b);
    }
  }
}

// The state after a step that fails is that before it, whether the map has changed in it or not.
static void test_failed_steps(void** state) {
  (void)state;
  for (int vehicles = 1; vehicles <= 3; vehicles += 2) {
    for (int from = 0; from < EVERY; from++) {
      const rutControllerType type = type_with(1);
      char how[40];
      snprintf(how, sizeof how, "phase='%g s'", 0.01 * from);
      World w = world_of(&type, vehicles, how, true);
      uint64_t before = rut_state_hash(w.model, w.data);
      int steps = 0;
      for (; rut_step(w.model, w.data, NULL) == RUT_OK && steps < 1000; steps++) {
        before = rut_state_hash(w.model, w.data);
      }
      assert_true(steps > EVERY && steps < 1000);
      assert_int_equal(rut_state_hash(w.model, w.data), before);
      close_world(&w);
    }
  }
}

// A saved state comes back with its map, also for the padding of the next steps.
static void test_saved(void** state) {
  (void)state;
  const rutControllerType type = type_with(1);
  World w = world_of(&type, 3, "", false);
  run(&w, 20);
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  void* saved = malloc(size);
  assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  run(&w, 25);
  const uint64_t there = rut_state_hash(w.model, w.data);
  run(&w, 10);
  assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  run(&w, 25);
  assert_int_equal(rut_state_hash(w.model, w.data), there);
  free(saved);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits),
                                     cmocka_unit_test(test_failed_steps),
                                     cmocka_unit_test(test_saved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
