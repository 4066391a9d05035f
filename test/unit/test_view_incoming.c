// SPDX-License-Identifier: BSD-3-Clause
//
// Frames of WebSocket as pages send them: the examples of RFC 6455 (5.7), every rule of its section
// 5 that a server has to hold, and any cut of the bytes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef RUT_HAVE_VIEWER
#include "scene/limits.h"
#include "view/incoming.h"

enum { ROOM = 1 << 18 };

typedef struct Wire {
  unsigned char data[ROOM];
  size_t size;
} Wire;

// A frame behind what is there: first byte, length as given, mask, payload.
static void put(Wire* wire, int first, const void* payload, size_t size, int length_bytes) {
  static const unsigned char mask[4] = {0x37, 0xfa, 0x21, 0x3d};
  unsigned char* at = wire->data + wire->size;
  *at++ = (unsigned char)first;
  *at++ = (unsigned char)(0x80 | (length_bytes == 0 ? (int)size : length_bytes == 2 ? 126 : 127));
  for (int i = length_bytes - 1; i >= 0; i--) *at++ = (unsigned char)((uint64_t)size >> (8 * i));
  memcpy(at, mask, 4);
  at += 4;
  for (size_t i = 0; i < size; i++) *at++ = ((const unsigned char*)payload)[i] ^ mask[i & 3];
  wire->size = (size_t)(at - wire->data);
}

// What comes of bytes that arrive `step` at a time: a letter for each thing, and the last text.
static void read_all(const Wire* wire, size_t step, char* things, char* text, int* code) {
  static const char letter[] = {'-', 'T', 'B', 'L', 'P', 'C', 'F'};
  viewIncoming in;
  assert_true(view_incoming_create(&in));
  *code = 0;
  for (size_t at = 0; at < wire->size;) {
    const size_t n = wire->size - at < step ? wire->size - at : step;
    viewIncomingKind kind;
    const size_t taken = view_incoming_take(&in, wire->data + at, n, &kind);
    assert_true(taken <= n);
    assert_true(kind != VIEW_INCOMING_NOTHING || taken == n);
    at += taken;
    if (kind == VIEW_INCOMING_NOTHING) continue;
    *things++ = letter[kind];
    if (kind == VIEW_INCOMING_TEXT && in.size < 100) {
      memcpy(text, in.message, in.size);
      text[in.size] = '\0';
    }
    if (kind == VIEW_INCOMING_PING) {
      memcpy(text, in.control, in.control_size);
      text[in.control_size] = '\0';
    }
    if (kind != VIEW_INCOMING_FAULT) continue;
    *code = in.close_code;
    break;
  }
  *things = '\0';
  view_incoming_free(&in);
}

static void expect(const Wire* wire, const char* things, const char* text, int code) {
  static const size_t steps[] = {1, 2, 3, 7, 1000, ROOM};
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    char got[100], last[200] = "";
    int got_code;
    read_all(wire, steps[i], got, last, &got_code);
    assert_string_equal(got, things);
    if (text) assert_string_equal(last, text);
    assert_int_equal(got_code, code);
  }
}

static Wire* fresh(void) {
  Wire* wire = calloc(1, sizeof *wire);
  assert_non_null(wire);
  return wire;
}

static void expect_bytes(const void* data, size_t size, const char* things, const char* text,
                         int code) {
  Wire* wire = fresh();
  memcpy(wire->data, data, size);
  wire->size = size;
  expect(wire, things, text, code);
  free(wire);
}
#define EXPECT(bytes, things, text, code) expect_bytes(bytes, sizeof(bytes) - 1, things, text, code)

static void test_examples(void** state) {
  (void)state;
  // a single-frame masked text message, a masked answer to a ping
  EXPECT("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", "T", "Hello", 0);
  EXPECT("\x8a\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", "", NULL, 0);
  EXPECT("\x89\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", "P", "Hello", 0);
  // a single-frame unmasked text message, and an unmasked ping
  EXPECT("\x81\x05Hello", "F", NULL, VIEW_CLOSE_PROTOCOL);
  EXPECT("\x89\x05Hello", "F", NULL, VIEW_CLOSE_PROTOCOL);
}

static void test_pieces(void** state) {
  (void)state;
  Wire* wire = fresh();
  put(wire, 0x01, "Hel", 3, 0);
  put(wire, 0x89, "ping", 4, 0);
  put(wire, 0x00, "", 0, 0);
  put(wire, 0x80, "lo", 2, 0);
  put(wire, 0x82, "bytes", 5, 0);
  put(wire, 0x81, "", 0, 0);
  put(wire, 0x81, "next", 4, 0);
  put(wire, 0x88, "\3\350", 2, 0);
  expect(wire, "PTBTTC", "next", 0);
  free(wire);
}

static void test_lengths(void** state) {
  (void)state;
  static char payload[VIEW_MESSAGE_SIZE + 1];
  memset(payload, 'x', sizeof payload);
  Wire* wire = fresh();
  put(wire, 0x81, payload, 125, 0);
  put(wire, 0x81, payload, 126, 2);
  put(wire, 0x81, payload, 65535, 2);
  put(wire, 0x81, payload, VIEW_MESSAGE_SIZE, 8);
  // one byte too many is thrown away; what follows is read again
  put(wire, 0x81, payload, VIEW_MESSAGE_SIZE + 1, 8);
  put(wire, 0x81, "end", 3, 0);
  expect(wire, "TTTTLT", "end", 0);
  free(wire);
}

static void test_long_in_pieces(void** state) {
  (void)state;
  static char payload[20000];
  Wire* wire = fresh();
  put(wire, 0x01, payload, sizeof payload, 2);
  for (int i = 0; i < 6; i++) put(wire, 0x00, payload, sizeof payload, 2);
  put(wire, 0x80, "", 0, 0);
  put(wire, 0x81, "end", 3, 0);
  expect(wire, "LT", "end", 0);
  free(wire);
}

static void test_faults(void** state) {
  (void)state;
  EXPECT("\xc1\x80", "F", NULL, VIEW_CLOSE_PROTOCOL);  // reserved bits
  EXPECT("\x91\x80", "F", NULL, VIEW_CLOSE_PROTOCOL);
  EXPECT("\x83\x80", "F", NULL, VIEW_CLOSE_PROTOCOL);  // opcodes that are none
  EXPECT("\x8b\x80", "F", NULL, VIEW_CLOSE_PROTOCOL);
  EXPECT("\x8f\x80", "F", NULL, VIEW_CLOSE_PROTOCOL);
  EXPECT("\x80\x80", "F", NULL, VIEW_CLOSE_PROTOCOL);  // nothing that goes on
  EXPECT("\x09\x80", "F", NULL, VIEW_CLOSE_PROTOCOL);  // a ping in pieces
  EXPECT("\x89\xfe", "F", NULL, VIEW_CLOSE_PROTOCOL);  // and one of more than 125 bytes
  EXPECT("\x88\xff", "F", NULL, VIEW_CLOSE_PROTOCOL);
  EXPECT("\x01\x80\0\0\0\0\x81\x80", "F", NULL, VIEW_CLOSE_PROTOCOL);  // a message in a message
  EXPECT("\x81\xff\x40\0\0\0\0\0\0\0\0\0\0\0x", "F", NULL, VIEW_CLOSE_TOO_LONG);
  EXPECT("\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0x", "F", NULL, VIEW_CLOSE_TOO_LONG);
  EXPECT("\x82\xff\0\0\0\0\0\x10\0\1\0\0\0\0x", "F", NULL, VIEW_CLOSE_TOO_LONG);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_examples), cmocka_unit_test(test_pieces),
      cmocka_unit_test(test_lengths),  cmocka_unit_test(test_long_in_pieces),
      cmocka_unit_test(test_faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) { return 77; }
#endif
