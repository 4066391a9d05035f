// SPDX-License-Identifier: BSD-3-Clause
//
// Messages of a log as they arise: those of the file of the same run, on channels that are wanted,
// with simulated time; a robot on a circle against its closed form.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "log_fixture.h"

enum { CHANNELS = 64, MESSAGES = 4096, SIZE = 2048 };

typedef struct Told {
  int channel;
  int64_t time;
  size_t size;
  unsigned char bytes[SIZE];
} Told;

// What the tap has got.
typedef struct Tap {
  int channels;
  char topic[CHANNELS][64];
  const char* wanted;  // topic, NULL: all
  int n;
  Told* message;  // [MESSAGES]
} Tap;

static void take_channel(void* user, int channel, const rutLogChannelDef* def) {
  Tap* tap = user;
  assert_int_equal(channel, tap->channels);
  assert_true(channel < CHANNELS);
  assert_string_equal(def->encoding, "cdr");
  assert_true(strlen(def->definition) > 5 && strstr(def->schema, "/msg/"));
  snprintf(tap->topic[tap->channels++], 64, "%s", def->topic);
}

static bool wants(void* user, int channel) {
  const Tap* tap = user;
  return !tap->wanted || strcmp(tap->topic[channel], tap->wanted) == 0;
}

static void take_message(void* user, int channel, int64_t time, const void* bytes, size_t size) {
  Tap* tap = user;
  assert_true(wants(tap, channel) && tap->n < MESSAGES && size <= SIZE);
  Told* told = &tap->message[tap->n++];
  told->channel = channel;
  told->time = time;
  told->size = size;
  memcpy(told->bytes, bytes, size);
}

static rutLog* begin_live(Fixture* f, Tap* tap, const char* wanted) {
  const rutLogTap def = {tap, take_channel, wants, take_message};
  rutLog* log = NULL;
  rutError err = {0};
  *tap = (Tap){.wanted = wanted, .message = calloc(MESSAGES, sizeof *tap->message)};
  assert_non_null(tap->message);
  if (rut_log_create_live(f->model, &def, NULL, &log, &err) != RUT_OK) fail_msg("%s", err.message);
  return log;
}

static void test_bytes_of_the_file(void** state) {
  Fixture* f = *state;
  Tap tap;
  parse(f, circle);
  rutLogDef def = rut_default_log();
  rutLog* file_log = begin_log(f, &def);
  rutLog* live = begin_live(f, &tap, NULL);
  assert_int_equal(rut_log_step(live, f->model, f->data, NULL), RUT_OK);
  for (int i = 0; i < 100; i++) {
    run_log(f, file_log, 1);
    assert_int_equal(rut_log_step(live, f->model, f->data, NULL), RUT_OK);
  }
  assert_int_equal(rut_log_close(file_log, NULL), RUT_OK);
  assert_int_equal(rut_log_close(live, NULL), RUT_OK);
  rutLogFile* file = open_log(f->path);
  assert_int_equal(rut_log_info(file).channels, tap.channels);
  int each[CHANNELS] = {0};
  for (int i = 0; i < tap.n; i++) {
    const Told* told = &tap.message[i];
    rutLogMessage message;
    each[told->channel]++;
    assert_string_equal(rut_log_channel_at(file, told->channel).topic, tap.topic[told->channel]);
    assert_true(
        rut_log_message_at(file, told->channel, (double)told->time * 1e-9 + 1e-9, &message));
    // of transforms there may be several at a time
    if (strcmp(tap.topic[told->channel], "/tf") == 0) continue;
    assert_int_equal(message.size, told->size);
    assert_memory_equal(message.bytes, told->bytes, told->size);
  }
  for (int i = 0; i < tap.channels; i++) {
    assert_int_equal(rut_log_channel_at(file, i).messages, each[i]);
    assert_true(each[i] > 0);
  }
  rut_log_file_close(file);
  free(tap.message);
}

// The wheels drive a circle of radius v/w = 4 m at 0.5 rad/s: x = 4 sin(t/2), y = 4 (1 - cos(t/2)).
static void test_circle(void** state) {
  Fixture* f = *state;
  Tap tap;
  parse(f, circle);
  rutLog* live = begin_live(f, &tap, "/r1/odom");
  run_log(f, live, 200);
  // every tenth step, and the first that it was told
  assert_int_equal(tap.n, 21);
  const Told* last = &tap.message[tap.n - 1];
  assert_int_equal(last->time, 2000000000);
  // stamp, "odom", "r1", and numbers at a multiple of 8 behind the four bytes of the head
  size_t at = 4 + 8;
  for (int i = 0; i < 2; i++) {
    uint32_t length;
    memcpy(&length, last->bytes + at, 4);
    at = (at + 4 + length + 3) / 4 * 4;
  }
  at = 4 + (at - 4 + 7) / 8 * 8;
  double place[2];
  memcpy(place, last->bytes + at, sizeof place);
  // tyres slip: within a fiftieth of the way of 4 m
  assert_true(fabs(place[0] - 4 * sin(1)) < 0.08);
  assert_true(fabs(place[1] - 4 * (1 - cos(1))) < 0.08);
  // a run that is set back has its own time again, and the state is told at once
  rut_data_reset(f->model, f->data, 0);
  const int before = tap.n;
  rut_log_jump(live);
  assert_int_equal(rut_log_step(live, f->model, f->data, NULL), RUT_OK);
  assert_int_equal(tap.n, before + 1);
  assert_int_equal(tap.message[before].time, 0);
  assert_int_equal(rut_log_close(live, NULL), RUT_OK);
  free(tap.message);
}

static void test_faults(void** state) {
  Fixture* f = *state;
  parse(f, circle);
  rutLog* log = NULL;
  rutError err = {0};
  const rutLogTap none = {NULL, take_channel, NULL, take_message};
  assert_int_equal(rut_log_create_live(f->model, &none, NULL, &log, &err), RUT_ERR_ARGUMENT);
  assert_null(log);
  assert_non_null(strstr(err.message, "rutLogTap"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_bytes_of_the_file, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_circle, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_faults, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
