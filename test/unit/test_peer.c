// SPDX-License-Identifier: BSD-3-Clause
//
// A program that drives from outside: lines of JSON taken apart, a recorded dialogue again word by
// word, the same run as with set points from within, and clear errors for everything else.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "assert_near.h"
#include "host/peer_line.h"
#include "rut/peer.h"
#include "world_fixture.h"

// ---- lines ----

static rutPeerLine parsed(const char* text) {
  rutPeerLine line;
  rutError err = {0};
  if (rut_peer_parse(text, strlen(text), &line, &err) != RUT_OK) fail_msg("%s", err.message);
  return line;
}

static void test_lines(void** state) {
  (void)state;
  assert_int_equal(parsed("{}").members, 0);
  const rutPeerLine line = parsed(
      " {\"a\":-1.5e2, \"b\" : \"x\\n\\u0041\\\"\xc3\xa4\",\"c\":true,\"d\":false,\"e\":null, "
      "\"f\":0} \r");
  assert_int_equal(line.members, 6);
  assert_near(rut_peer_find(&line, "a")->number, -150, 0);
  assert_string_equal(rut_peer_find(&line, "b")->text, "x\nA\"\xc3\xa4");
  assert_int_equal(rut_peer_find(&line, "b")->column, 15);
  assert_int_equal(rut_peer_find(&line, "c")->kind, RUT_PEER_FLAG);
  assert_near(rut_peer_find(&line, "c")->number, 1, 0);
  assert_near(rut_peer_find(&line, "d")->number, 0, 0);
  assert_int_equal(rut_peer_find(&line, "e")->kind, RUT_PEER_NULL);
  assert_null(rut_peer_find(&line, "g"));
}

static void test_bad_lines(void** state) {
  (void)state;
  static const struct {
    const char *text, *message;
    int column;
  } bad[] = {{"", "JSON object", 1},
             {"[1]", "JSON object", 1},
             {"{\"a\":1", ", or }", 7},
             {"{\"a\":1} x", "more behind", 9},
             {"{a:1}", "a key", 2},
             {"{\"a\" 1}", "a :", 6},
             {"{\"a\":01}", "neither", 6},
             {"{\"a\":+1}", "neither", 6},
             {"{\"a\":1.}", "neither", 6},
             {"{\"a\":NaN}", "neither", 6},
             {"{\"a\":1e999}", "too large", 6},
             {"{\"a\":{}}", "flat", 6},
             {"{\"a\":[]}", "flat", 6},
             {"{\"a\":1,\"a\":2}", "twice", 8},
             {"{\"a\":\"x}", "no end", 6},
             {"{\"a\":\"\\u0000\"}", "escape", 7},
             {"{\"a\":\"\\q\"}", "escape", 7},
             {"{\"a\":\"\xff\"}", "UTF-8", 7},
             {"{\"a\":\"\xed\xa0\x80\"}", "UTF-8", 7},
             {"{\"a\":\"\x01\"}", "control", 7},
             {"{\"a\":1,}", "a key", 8}};
  for (int i = 0; i < RUT_COUNT_OF(bad); i++) {
    rutPeerLine line;
    rutError err = {0};
    assert_int_equal(rut_peer_parse(bad[i].text, strlen(bad[i].text), &line, &err), RUT_ERR_PARSE);
    if (!strstr(err.message, bad[i].message) || err.column != bad[i].column) {
      fail_msg("%s: %s in column %d", bad[i].text, err.message, err.column);
    }
  }
  char many[2000] = "{", text[300] = "{\"a\":\"";
  for (int i = 0; i < 65; i++) {
    snprintf(many + strlen(many), sizeof many - strlen(many), "%s\"k%d\":1", i ? "," : "", i);
  }
  memset(text + strlen(text), 'x', 200);
  rutPeerLine line;
  rutError err = {0};
  assert_int_equal(rut_peer_parse(many, strlen(many), &line, &err), RUT_ERR_PARSE);
  assert_non_null(strstr(err.message, "more than 64"));
  assert_int_equal(rut_peer_parse(text, strlen(text), &line, &err), RUT_ERR_PARSE);
  assert_non_null(strstr(err.message, "127 bytes"));
}

// ---- dialogues ----

static const char world[] =
    "<world timestep='10 ms'><vehicle name='v'><chassis mass='20'/>"
    "<wheel place='left' position='0 0.25'/><wheel place='right' position='0 -0.25'/>"
    "<tyre type='coulomb'/><drive type='direct'/><controller type='twist_pid'/></vehicle></world>";

// A peer whose words are there from the beginning.
typedef struct Bench {
  World w;
  int own, other;  // ends of the socket
  rutPeerDef def;
  rutPeer* peer;
  rutError err;
} Bench;

static Bench open_bench(const char* words) {
  const rutComponent* const none[] = {NULL};
  Bench b = {.w = open_world_with(world, 1, none), .def = rut_default_peer()};
  int ends[2];
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  b.own = ends[0];
  b.other = ends[1];
  b.def.socket = b.own;
  b.def.timeout = 5;
  const ssize_t size = (ssize_t)strlen(words);
  assert_true(write(b.other, words, (size_t)size) == size);
  return b;
}

static rutStatus greet(Bench* b) { return rut_peer_create(b->w.model, &b->def, &b->peer, &b->err); }

static rutStatus step(Bench* b, int steps) {
  rutStatus status = RUT_OK;
  for (int i = 0; i < steps && status == RUT_OK; i++) {
    status = rut_peer_step(b->peer, b->w.model, b->w.data, &b->err);
    if (status == RUT_OK) run(&b->w, 1);
  }
  return status;
}

static void close_bench(Bench* b) {
  rut_peer_close(b->peer, NULL);
  close(b->own);
  close(b->other);
  close_world(&b->w);
}

// What the bench has told the peer so far.
static const char* told(const Bench* b) {
  static char text[1 << 16];
  const ssize_t n = recv(b->other, text, sizeof text - 1, MSG_DONTWAIT);
  text[n > 0 ? n : 0] = '\0';
  return text;
}

#define HELLO "{\"type\":\"hello\",\"version\":1}\n"

// Words of one side of a recorded dialogue, each line without its mark.
static void take_side(const char* dialogue, char mark, char* out, size_t size) {
  size_t used = 0;
  for (const char* line = dialogue; *line;) {
    const char* end = strchr(line, '\n') + 1;
    if (line[0] == mark) {
      const size_t n = (size_t)(end - line) - 2;
      assert_true(used + n < size);
      memcpy(out + used, line + 2, n);
      used += n;
    }
    line = end;
  }
  out[used] = '\0';
}

// The dialogue in test/unit/peer_dialogue.txt was recorded by rut run --peer-log with a peer that
// drives a square. Said again, the peer hears the same words.
static void test_recorded(void** state) {
  (void)state;
  static char dialogue[1 << 16], words[1 << 15], expected[1 << 15];
  FILE* file = fopen(RUT_SOURCE_DIR "/test/unit/peer_dialogue.txt", "r");
  assert_non_null(file);
  dialogue[fread(dialogue, 1, sizeof dialogue - 1, file)] = '\0';
  fclose(file);
  take_side(dialogue, '<', words, sizeof words);
  take_side(dialogue, '>', expected, sizeof expected);
  Bench b = open_bench(words);
  FILE* record = tmpfile();
  assert_non_null(record);
  b.def.record = record;
  b.def.rate = 10;
  b.def.timeout = 2;
  assert_int_equal(greet(&b), RUT_OK);
  assert_int_equal(step(&b, 400), RUT_OK);
  rut_peer_close(b.peer, "done");
  b.peer = NULL;
  assert_string_equal(told(&b), expected);
  static char again[1 << 16];
  rewind(record);
  again[fread(again, 1, sizeof again - 1, record)] = '\0';
  assert_string_equal(again, dialogue);
  fclose(record);
  close_bench(&b);
}

// Answers act as set points that a program gives at the same times, bit for bit; what a percept
// tells is the state then.
static void test_acts(void** state) {
  (void)state;
  const rutComponent* const none[] = {NULL};
  char words[4096] = HELLO;
  const double speed[] = {0.5, 1, 1, -0.2, 0.3, 0.3}, turn[] = {0, 0.4, 0.4, 0.4, -1, -1};
  for (int i = 0; i < 6; i++) {
    // the third and the last say nothing new: set points hold
    const char* more = i == 2 || i == 5 ? "" : ",\"yaw_rate\":%g,\"speed\":%g";
    const size_t used = strlen(words);
    int n = snprintf(words + used, sizeof words - used, "{\"seq\":%d,\"type\":\"act\"", i);
    if (*more) {
      n += snprintf(words + used + n, sizeof words - used - (size_t)n,
                    ",\"yaw_rate\":%g,\"speed\":%g", turn[i], speed[i]);
    }
    snprintf(words + used + n, sizeof words - used - (size_t)n, "}\n");
  }
  Bench b = open_bench(words);
  World own = open_world_with(world, 1, none);
  b.def.rate = 10;
  assert_int_equal(greet(&b), RUT_OK);
  assert_non_null(strstr(told(&b),
                         "\"actions\":[{\"name\":\"speed\",\"unit\":\"m/s\"},{\"name\":"
                         "\"yaw_rate\",\"unit\":\"rad/s\"}]"));
  for (int i = 0; i < 6; i++) {
    const double command[] = {speed[i], turn[i]};
    assert_int_equal(rut_command(own.model, own.data, 0, 2, command), RUT_OK);
    double heard[5] = {0};
    assert_int_equal(step(&b, 1), RUT_OK);
    const rutVehicleState s = rut_vehicle_state(own.model, own.data, 0);
    const char* line = told(&b);
    assert_int_equal(sscanf(line,
                            "{\"type\":\"percept\",\"seq\":%*d,\"time\":%lf,\"collided\":false,"
                            "\"x\":%lf,\"y\":%lf,\"speed\":%lf,\"yaw\":%lf",
                            &heard[0], &heard[1], &heard[2], &heard[3], &heard[4]),
                     5);
    assert_near(heard[0], 0.1 * i, 1e-12);
    assert_near(heard[1], s.position[0], 0);
    assert_near(heard[2], s.position[1], 0);
    assert_near(heard[4], s.yaw, 0);
    run(&own, 1);
    assert_int_equal(step(&b, 9), RUT_OK);
    assert_string_equal(told(&b), "");
    run(&own, 9);
    assert_true(rut_state_hash(b.w.model, b.w.data) == rut_state_hash(own.model, own.data));
  }
  close_bench(&b);
  close_world(&own);
}

// Its good-bye leaves the vehicle to its set points.
static void test_bye(void** state) {
  (void)state;
  Bench b = open_bench(HELLO "{\"type\":\"act\",\"seq\":0,\"speed\":1}\n{\"type\":\"bye\"}\n");
  assert_int_equal(greet(&b), RUT_OK);
  assert_int_equal(step(&b, 100), RUT_OK);
  assert_true(rut_peer_ended(b.peer));
  assert_near(rut_vehicle_state(b.w.model, b.w.data, 0).velocity[0], 1, 0.05);
  rut_peer_close(b.peer, "done");
  b.peer = NULL;
  assert_non_null(strstr(told(&b), "{\"type\":\"bye\",\"reason\":\"done\"}\n"));
  close_bench(&b);
}

// What a peer may say wrongly: place, message, status. Nothing is set then.
static void test_errors(void** state) {
  (void)state;
  static const struct {
    const char *words, *message;
    rutStatus status;
    int line, column;
  } bad[] = {
      {"{\"type\":\"act\"}\n", "before 'hello'", RUT_ERR_PARSE, 1, 1},
      {"{\"type\":\"hello\"}\n", "'version' is missing", RUT_ERR_PARSE, 1, 1},
      {"{\"type\":\"hello\",\"version\":2}\n", "speaks version 2", RUT_ERR_VERSION, 1, 1},
      {"hello\n", "JSON object", RUT_ERR_PARSE, 1, 1},
      {HELLO "{\"seq\":0}\n", "needs a type", RUT_ERR_PARSE, 2, 1},
      {HELLO HELLO, "where 'act' or 'bye' is due", RUT_ERR_PARSE, 2, 1},
      {HELLO "{\"type\":\"act\",\"speed\":1}\n", "'seq' is missing", RUT_ERR_PARSE, 2, 1},
      {HELLO "{\"type\":\"act\",\"seq\":1,\"speed\":1}\n", "it must be 0", RUT_ERR_PARSE, 2, 15},
      {HELLO "{\"type\":\"act\",\"seq\":0,\"speed\":1,\"sped\":1}\n", "did you mean 'speed'",
       RUT_ERR_PARSE, 2, 33},
      {HELLO "{\"type\":\"act\",\"seq\":0,\"speed\":\"1\"}\n", "must be a number", RUT_ERR_PARSE, 2,
       23},
      {HELLO "{\"type\":\"act\",\"seq\":0,\"speed\":1", "closed the connection", RUT_ERR_IO, 2, 0}};
  for (int i = 0; i < RUT_COUNT_OF(bad); i++) {
    Bench b = open_bench(bad[i].words);
    shutdown(b.other, SHUT_WR);
    rutStatus status = greet(&b);
    if (status == RUT_OK) status = step(&b, 1);
    if (status != bad[i].status || !strstr(b.err.message, bad[i].message) ||
        b.err.line != bad[i].line || b.err.column != bad[i].column) {
      fail_msg("%s%d:%d: %s", bad[i].words, b.err.line, b.err.column, b.err.message);
    }
    double command[2] = {9, 9};
    assert_int_equal(rut_command_state(b.w.model, b.w.data, 0, 2, command), 2);
    assert_near(command[0], 0, 0);
    close_bench(&b);
  }
  char words[RUT_PEER_LINE + 100];
  memset(words, ' ', sizeof words - 1);
  words[sizeof words - 1] = '\0';
  Bench b = open_bench(words);
  assert_int_equal(greet(&b), RUT_ERR_PARSE);
  assert_non_null(strstr(b.err.message, "longer than"));
  close_bench(&b);
}

// One that is silent is waited for no longer than the timeout; other things that are wrong with
// what is asked for.
static void test_refusals(void** state) {
  (void)state;
  Bench b = open_bench("");
  b.def.timeout = 0.05;
  assert_int_equal(greet(&b), RUT_ERR_IO);
  assert_non_null(strstr(b.err.message, "has said nothing for 0.05 s"));
  b.def.vehicle = "w";
  assert_int_equal(greet(&b), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(b.err.message, "no vehicle 'w'"));
  b.def.vehicle = "v";
  b.def.percepts = 1;
  b.def.percept = (const char* const[]){"spede"};
  assert_int_equal(greet(&b), RUT_ERR_ARGUMENT);
  close_bench(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lines),    cmocka_unit_test(test_bad_lines),
      cmocka_unit_test(test_recorded), cmocka_unit_test(test_acts),
      cmocka_unit_test(test_bye),      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
