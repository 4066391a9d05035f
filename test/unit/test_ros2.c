// SPDX-License-Identifier: BSD-3-Clause
//
// What nodes of ROS 2 in the domain cannot do to the run: replies that run together, samples that
// are too large. The other side is DDS without ROS, on this computer alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/cdr_read.h"
#include "host/dds.h"
#include "rut/ros2.h"
#include "world_fixture.h"

static const char world[] =
    "<world timestep='10 ms'><vehicle name='v'><chassis mass='20'/>"
    "<wheel place='left' position='0 0.25'/><wheel place='right' position='0 -0.25'/>"
    "<tyre type='coulomb'/><drive type='direct'/><controller type='twist_pid'/></vehicle></world>";

enum { TRIES = 1000 };

static int domain_of_test(void) { return 1 + (int)(getpid() % 200); }

// NULL: there is no DDS here.
static rutDds* join(void) {
  setenv("CYCLONEDDS_URI",
         "<CycloneDDS><Domain><General><Interfaces><NetworkInterface address=\"127.0.0.1\"/>"
         "</Interfaces><AllowMulticast>false</AllowMulticast></General><Discovery>"
         "<ParticipantIndex>auto</ParticipantIndex><SPDPInterval>100ms</SPDPInterval><Peers>"
         "<Peer address=\"127.0.0.1\"/></Peers></Discovery></Domain></CycloneDDS>",
         1);
  rutDds* dds = NULL;
  (void)rut_dds_open(domain_of_test(), "", &dds, NULL);
  return dds;
}

static void rest(void) {
  static const struct timespec SHORT = {0, 10000000};
  nanosleep(&SHORT, NULL);
}

static void large_samples_are_passed_over(void** state) {
  (void)state;
  rutDds* dds = join();
  if (!dds) skip();
  const rutDdsTopic topic = {
      .name = "rt/large", .type = "Large", .user_data = "", .reliable = true, .depth = 10};
  int writer, reader;
  assert_int_equal(rut_dds_writer(dds, &topic, &writer, NULL), RUT_OK);
  assert_int_equal(rut_dds_reader(dds, &topic, &reader, NULL), RUT_OK);
  for (int i = 0; rut_dds_readers(dds, writer) == 0 && i < TRIES; i++) rest();
  unsigned char* large = calloc(1, RUT_DDS_TAKEN + 4);
  large[1] = large[5] = 1;
  assert_true(rut_dds_write(dds, writer, large, RUT_DDS_TAKEN + 4));
  assert_true(rut_dds_write(dds, writer, large, 8));
  // there was no memory once
  rutBytes bytes = {.failed = true};
  bool taken = rut_dds_take(dds, reader, &bytes);
  for (int i = 0; !taken && i < TRIES; i++) {
    rest();
    taken = rut_dds_take(dds, reader, &bytes);
  }
  assert_true(taken);
  assert_int_equal(bytes.used, 8);
  assert_memory_equal(bytes.data, large, 8);
  assert_true(rut_dds_write(dds, writer, large, RUT_DDS_TAKEN));
  for (int i = 0; bytes.used != RUT_DDS_TAKEN && i < TRIES; i++) {
    if (!rut_dds_take(dds, reader, &bytes)) rest();
  }
  assert_int_equal(bytes.used, RUT_DDS_TAKEN);
  rut_bytes_free(&bytes);
  free(large);
  rut_dds_close(dds);
}

// ---- calls ----

static rutRos2State tell(void* user) { return *(const rutRos2State*)user; }
static void pause_run(void* user, bool paused) { *(rutRos2State*)user = (rutRos2State){paused, 0}; }
static void make_steps(void* user, int64_t steps) {
  *(rutRos2State*)user = (rutRos2State){true, steps};
}

// One end of a service of its name and type.
static int open_end(rutDds* dds, const char* name, const char* type, bool reply) {
  char topic[128], full[128];
  snprintf(topic, sizeof topic, "%s/%s%s", reply ? "rr" : "rq", name, reply ? "Reply" : "Request");
  snprintf(full, sizeof full, "simulation_interfaces::srv::dds_::%s_%s_", type,
           reply ? "Response" : "Request");
  const rutDdsTopic def = {
      .name = topic, .type = full, .user_data = "", .reliable = true, .depth = 10};
  int end;
  assert_int_equal(
      reply ? rut_dds_reader(dds, &def, &end, NULL) : rut_dds_writer(dds, &def, &end, NULL),
      RUT_OK);
  return end;
}

// A call with its number and one field of so many bytes.
static void call(rutDds* dds, int writer, uint64_t number, uint64_t field, size_t size) {
  const uint64_t caller = 77;
  rutBytes b = {0};
  const size_t start = rut_cdr_begin(&b);
  rut_cdr_numbers(&b, start, 8, 1, &caller);
  rut_cdr_numbers(&b, start, 8, 1, &number);
  const uint8_t small = (uint8_t)field;
  rut_cdr_numbers(&b, start, size, 1, size == 1 ? (const void*)&small : (const void*)&field);
  assert_true(rut_dds_write(dds, writer, b.data, b.used));
  rut_bytes_free(&b);
}

// The number of the call of the next reply, which has the result OK and nothing behind it; 0: none.
static uint64_t reply_of(rutDds* dds, int reader) {
  rutBytes b = {0};
  uint64_t number = 0;
  if (rut_dds_take(dds, reader, &b)) {
    rutCdr cdr = rut_cdr_of(b.data, b.used);
    assert_int_equal(rut_cdr_get_u64(&cdr), 77);
    number = rut_cdr_get_u64(&cdr);
    assert_int_equal(rut_cdr_get_u8(&cdr), 1);
    rut_cdr_skip_text(&cdr);
    assert_false(cdr.failed);
    // padding to a multiple of four
    assert_true(b.used - 4 - cdr.at < 4);
  }
  rut_bytes_free(&b);
  return number;
}

// Between two looks of the run one node ends the steps of another one's call, and asks for its own.
static void replies_come_one_by_one(void** state) {
  (void)state;
  const rutComponent* const none[] = {NULL};
  rutDds* node = join();
  if (!node) skip();
  World w = open_world_with(world, 1, none);
  rutRos2State run = {true, 0};
  rutRos2Def def = rut_default_ros2();
  def.domain = domain_of_test();
  def.control =
      (rutRos2Control){.user = &run, .state = tell, .pause = pause_run, .step = make_steps};
  rutRos2* ros2 = NULL;
  rutError err = {0};
  if (rut_ros2_open(w.model, w.data, &def, &ros2, &err) != RUT_OK) fail_msg("%s", err.message);
  const int step = open_end(node, "step_simulation", "StepSimulation", false);
  const int stepped = open_end(node, "step_simulation", "StepSimulation", true);
  const int mode = open_end(node, "set_simulation_state", "SetSimulationState", false);
  const int changed = open_end(node, "set_simulation_state", "SetSimulationState", true);
  for (int i = 0; i < TRIES; i++) {
    const bool met = rut_dds_readers(node, step) > 0 && rut_dds_readers(node, mode) > 0 &&
                     rut_dds_writers(node, stepped) > 0 && rut_dds_writers(node, changed) > 0;
    if (met) break;
    rest();
  }
  call(node, step, 1, 1000, 8);
  for (int i = 0; run.steps_left == 0 && i < TRIES; i++) {
    assert_int_equal(rut_ros2_idle(ros2, w.model, w.data, 0.01, NULL), RUT_OK);
  }
  assert_int_equal(run.steps_left, 1000);
  call(node, mode, 2, 2, 1);
  call(node, step, 3, 5, 8);
  // both are there at the next look
  for (int i = 0; i < 10; i++) rest();
  for (int i = 0; run.steps_left != 5 && i < TRIES; i++) {
    assert_int_equal(rut_ros2_idle(ros2, w.model, w.data, 0.01, NULL), RUT_OK);
  }
  assert_int_equal(run.steps_left, 5);
  uint64_t number[2] = {0};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; number[k] == 0 && i < TRIES; i++) {
      number[k] = reply_of(node, stepped);
      if (number[k] == 0) rest();
    }
    assert_int_equal(number[k], k == 0 ? 1 : 3);
    // its steps are made
    run.steps_left = 0;
    assert_int_equal(rut_ros2_idle(ros2, w.model, w.data, 0.01, NULL), RUT_OK);
  }
  assert_int_equal(reply_of(node, changed), 2);
  // a state between two periods, in which the run is told to stand
  rut_step(w.model, w.data, NULL);
  assert_int_equal(rut_ros2_step(ros2, w.model, w.data, NULL), RUT_OK);
  const int64_t before = rut_ros2_report(ros2).messages;
  assert_int_equal(rut_ros2_idle(ros2, w.model, w.data, 0, NULL), RUT_OK);
  assert_true(rut_ros2_report(ros2).messages > before);
  rut_ros2_close(ros2);
  rut_dds_close(node);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(large_samples_are_passed_over),
      cmocka_unit_test(replies_come_one_by_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
