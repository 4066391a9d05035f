// SPDX-License-Identifier: BSD-3-Clause
//
// Controllers that run beside the steps: the bits of the same controller in the step with the same
// delay, however long it takes; what happens when it is late; saved states.
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/component.h"
#include "world_fixture.h"

// ---- a planner that takes as long as the test wants ----

static struct {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  bool closed;
  int updates;
  pthread_t by;  // thread of the last one
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER};

static void set_gate(bool closed) {
  pthread_mutex_lock(&gate.lock);
  gate.closed = closed;
  pthread_cond_broadcast(&gate.opened);
  pthread_mutex_unlock(&gate.lock);
}

static void pass_gate(void) {
  pthread_mutex_lock(&gate.lock);
  while (gate.closed) pthread_cond_wait(&gate.opened, &gate.lock);
  gate.updates++;
  gate.by = pthread_self();
  pthread_mutex_unlock(&gate.lock);
}

static const rutField fields[] = {
    RUT_CONTROLLER_ROWS RUT_ROW(cruise, "m/s", 1, -10, 10, "speed before the first command")};
static const rutVariable commands[] = {RUT_VARIABLE(cruise, "m/s", "speed")};
static const rutVariable outputs[] = {RUT_VARIABLE(speed, "m/s", "set point")
                                          RUT_VARIABLE(yaw_rate, "rad/s", "set point")};
static const rutVariable inputs_of[] = {
    {.name = "range", .unit = "m", .doc = "of a planar scan", .shape = ""}};
static const rutVariable kept[] = {RUT_VARIABLE(sum, "m", "of all places so far")};

// Something that hangs on all that it sees and keeps.
static void update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                   double* state, const rutControlOut* out) {
  const int lanes = in->lanes;
  (void)param;
  pass_gate();
  for (int l = 0; l < lanes; l++) {
    double sum = 0;
    for (int i = 0; in->reading && i < in->reading[l].n; i++) {
      sum += ((const double*)in->reading[l].value)[i * in->reading[l].stride];
    }
    state[l] += in->position[lanes + l] + 0.01 * in->position[l] + 0.001 * sum;
    const double rate = 0.3 * sin(state[l] + in->yaw[l]) + 0.01 * in->speed[l];
    for (int i = 0; i < layout->wheels; i++) in->scratch[l] = rate;
    if (out->demand) {
      for (int i = 0; i < in->demands; i++) out->demand[i * lanes + l] = 3 * in->command[l] + rate;
      out->steer[l] = rate;
      continue;
    }
    out->output[l] = in->command[l] * (1 + 0.2 * rate);
    out->output[lanes + l] = in->scratch[l];
  }
}

static int scratch(const void* param, const rutVehicleLayout* layout) {
  (void)param;
  (void)layout;
  return 1;
}

#define TYPE(type_name, listed, read)                                                             \
  {                                                                                               \
    .base = {.abi = RUT_ABI,                                                                      \
             .struct_size = sizeof(rutControllerType),                                            \
             .kind = "controller",                                                                \
             .name = type_name,                                                                   \
             .parents = "vehicle",                                                                \
             .doc = "Takes long.",                                                                \
             .field = fields,                                                                     \
             .fields = RUT_COUNT_OF(fields),                                                      \
             .state = kept,                                                                       \
             .states = 1},                                                                        \
    .command = commands, .commands = 1, .output = outputs, .outputs = listed, .input = inputs_of, \
    .inputs = read, .uses = RUT_USES_POSE, .scratch = scratch, .update = update                   \
  }
static const rutControllerType planner = TYPE("planner", 2, 1), pilot = TYPE("pilot", 0, 0);

// ---- worlds ----

static const rutComponent* const own_types[] = {&planner.base, &pilot.base, NULL};

#define PLANAR                                                               \
  "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"   \
  "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>" \
  "<chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"       \
  "<tyre type='coulomb'/><drive type='direct'/>"
#define ON_AXLES                                                            \
  "<chassis mass='100' outline='-1 -0.5 1 -0.5 1 0.5 -1 0.5' z_min='0.3'/>" \
  "<axle x='0.8' wheel_mass='5' radius='0.3' track='1' max_steer='0.5'/>"   \
  "<axle x='-0.8' wheel_mass='5' radius='0.3' track='1'/>"                  \
  "<suspension type='slider'/><tyre type='linear'/><drive type='direct'/>"
#define LASER "<sensor type='laser' name='scan' period='0.02' z='0.5' rays='5' fov='2'/>"
#define PLANNED(attributes)                                                        \
  "<controller type='planner' name='plan' commands='drive' " attributes "/>" LASER \
  "<controller type='twist_ideal' name='drive'/>"
#define TIMES  "period='0.05' output_delay='0.04' input_delay='0.01' "
#define BESIDE TIMES "host='true' "
#define WALLS  "<wall from='8 -20' to='8 20' thickness='0.1'/>"

// The same world with its vehicles' insides, `n` of them.
static World open_fleet(const char* inside, int n, int workers) {
  char text[20000] = "<world timestep='0.005'>" WALLS;
  for (int i = 0; i < n; i++) {
    sprintf(text + strlen(text), "<vehicle name='v%d' position='0 %d'>%s</vehicle>", i, 4 * i,
            inside);
  }
  strcat(text, "</world>");
  return open_world_with(text, workers, own_types);
}

static void assert_same_motion(const World* a, const World* b) {
  for (int i = 0; i < rut_count(a->model, RUT_VEHICLE); i++) {
    const rutVehicleState s = rut_vehicle_state(a->model, a->data, i);
    const rutVehicleState t = rut_vehicle_state(b->model, b->data, i);
    assert_memory_equal(s.position, t.position, sizeof s.position);
    assert_memory_equal(s.velocity, t.velocity, sizeof s.velocity);
    assert_memory_equal(&s.yaw, &t.yaw, sizeof s.yaw);
  }
}

// ---- tests ----

static void test_same_bits(void** state) {
  (void)state;
  static const char* const inside[][2] = {
      {PLANAR PLANNED(TIMES), PLANAR PLANNED(BESIDE)},
      {PLANAR PLANNED(TIMES "phase='0.03'"), PLANAR PLANNED(BESIDE "phase='0.03'")},
      {ON_AXLES PLANNED(TIMES), ON_AXLES PLANNED(BESIDE)},
      {PLANAR "<controller type='pilot' " TIMES "/>",
       PLANAR "<controller type='pilot' " BESIDE "/>"},
      {ON_AXLES "<controller type='pilot' phase='0.02' " TIMES "/>",
       ON_AXLES "<controller type='pilot' phase='0.02' " BESIDE "/>"},
      {ON_AXLES "<controller type='pilot' " TIMES "/><actuator type='steering' lag='0.1'/>",
       ON_AXLES "<controller type='pilot' " BESIDE "/><actuator type='steering' lag='0.1'/>"}};
  for (int i = 0; i < RUT_COUNT_OF(inside); i++) {
    for (int vehicles = 1; vehicles <= 9; vehicles += 8) {
      World a = open_fleet(inside[i][0], vehicles, 1), b = open_fleet(inside[i][1], vehicles, 2);
      for (int k = 0; k < 60; k++) {
        run(&a, 5);
        run(&b, 5);
        assert_same_motion(&a, &b);
      }
      const rutVehicleState moved = rut_vehicle_state(a.model, a.data, 0);
      assert_true(fabs(moved.position[0]) + fabs(moved.position[1]) > 0.01);
      close_world(&a);
      close_world(&b);
    }
  }
}

// Asked at 0.05 s, it answers for 0.09 s: the steps before that do not wait for it.
#define LATE_START BESIDE "phase='0.05' "

static void test_steps_go_on(void** state) {
  (void)state;
  World w = open_fleet(PLANAR PLANNED(LATE_START), 1, 1);
  set_gate(true);
  run(&w, 18);
  assert_near(rut_vehicle_state(w.model, w.data, 0).velocity[0], 0, 0);
  set_gate(false);
  run(&w, 1);
  assert_true(rut_vehicle_state(w.model, w.data, 0).velocity[0] > 0.5);
  assert_int_equal(rut_host_misses(w.data), 0);
  close_world(&w);
}

static void test_late(void** state) {
  (void)state;
  World w = open_fleet(PLANAR PLANNED(LATE_START "late='hold' "), 1, 1);
  set_gate(true);
  run(&w, 60);
  assert_near(rut_vehicle_state(w.model, w.data, 0).velocity[0], 0, 0);
  assert_int_equal(rut_host_misses(w.data), 1);
  set_gate(false);
  rut_state_hash(w.model, w.data);  // waits for it
  run(&w, 1);
  assert_true(rut_vehicle_state(w.model, w.data, 0).velocity[0] > 0.5);
  rut_data_reset(w.model, w.data, 0);
  assert_int_equal(rut_host_misses(w.data), 0);
  close_world(&w);
}

// In the caller's thread: when it asks, or when the answer is due.
static void test_callers_thread(void** state) {
  (void)state;
  World w = open_fleet(PLANAR PLANNED(LATE_START), 1, 1);
  rut_host_thread(w.data, false);
  const int before = gate.updates;
  run(&w, 15);
  assert_int_equal(gate.updates, before);
  assert_int_equal(rut_host_run(w.data), 1);
  assert_int_equal(rut_host_run(w.data), 0);
  assert_int_equal(gate.updates, before + 1);
  assert_true(pthread_equal(gate.by, pthread_self()));
  run(&w, 15);
  assert_int_equal(gate.updates, before + 2);
  assert_true(pthread_equal(gate.by, pthread_self()));
  close_world(&w);
}

// A state that is saved while it thinks goes on as if nothing had been, also in another data.
static void test_saved_on_the_way(void** state) {
  (void)state;
  World w = open_fleet(ON_AXLES PLANNED(BESIDE), 3, 1);
  run(&w, 43);
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  void* saved = malloc(size);
  assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  run(&w, 60);
  const uint64_t hash = rut_state_hash(w.model, w.data);
  assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  run(&w, 60);
  assert_true(rut_state_hash(w.model, w.data) == hash);
  rutData* other = rut_data_create(w.model);
  assert_int_equal(rut_state_set(w.model, other, RUT_STATE_ALL, saved, size), RUT_OK);
  for (int i = 0; i < 60; i++) assert_int_equal(rut_step(w.model, other, NULL), RUT_OK);
  assert_true(rut_state_hash(w.model, other) == hash);
  rut_data_destroy(other);
  free(saved);
  // and one that ends while it thinks, ends
  run(&w, 1);
  rut_data_reset(w.model, w.data, 0);
  run(&w, 12);
  close_world(&w);
}

static void test_refusals(void** state) {
  static const char* const bad[][2] = {
      {"host='true' period='0.1'", "answers after one step or more"},
      {"host='true' output_delay='0.1'", "before it is asked again"},
      {"host='true' period='0.1' output_delay='0.2'", "before it is asked again"}};
  (void)state;
  for (int i = 0; i < RUT_COUNT_OF(bad); i++) {
    char text[2000];
    snprintf(text, sizeof text,
             "<world timestep='0.005'><vehicle name='v'>" PLANAR
             "<controller type='pilot' %s/></vehicle></world>",
             bad[i][0]);
    World w;
    assert_false(load_world(&w, text, 1, own_types));
    if (!strstr(w.message, bad[i][1])) fail_msg("%s", w.message);
    rut_context_destroy(w.context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_bits),
      cmocka_unit_test(test_steps_go_on),
      cmocka_unit_test(test_late),
      cmocka_unit_test(test_callers_thread),
      cmocka_unit_test(test_saved_on_the_way),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
