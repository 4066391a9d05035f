// SPDX-License-Identifier: BSD-3-Clause
//
// Packets and frames of a remote program: bytes that were computed elsewhere, and damage.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "host/remote_packet.h"

// Packed by Python's struct, its CRC-32 by zlib.
static const unsigned char packed[] = {
    0x52, 0x55, 0x54, 0x43, 0x01, 0x00, 0x02, 0x00, 0x07, 0x00, 0x00, 0x00, 0x78, 0x56, 0x34,
    0x12, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf8, 0x3f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0xd0, 0x3f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08, 0xc0, 0x0e, 0xb9, 0xbd, 0x2f};

static void packets_have_these_bytes(void** state) {
  (void)state;
  unsigned char bytes[RUT_PACKET_MOST];
  double value[RUT_PACKET_VALUES] = {0.25, -3};
  const rutPacket packet = {true, 2, 7, 0x12345678, 1.5, value};
  assert_int_equal(rut_packet_write(&packet, bytes), sizeof packed);
  assert_memory_equal(bytes, packed, sizeof packed);
  rutPacket read;
  double other[RUT_PACKET_VALUES];
  assert_true(rut_packet_read(packed, sizeof packed, other, &read));
  assert_true(read.answer && read.n == 2 && read.sequence == 7 && read.layout == 0x12345678);
  assert_true(read.time == 1.5 && read.value[0] == 0.25 && read.value[1] == -3);
}

// Every bit counts, and every length.
static void damage_is_seen(void** state) {
  (void)state;
  double value[RUT_PACKET_VALUES];
  rutPacket read;
  for (size_t bit = 0; bit < 8 * sizeof packed; bit++) {
    unsigned char bytes[sizeof packed];
    memcpy(bytes, packed, sizeof packed);
    bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    assert_false(rut_packet_read(bytes, sizeof bytes, value, &read));
  }
  for (size_t size = 0; size < sizeof packed; size++) {
    assert_false(rut_packet_read(packed, size, value, &read));
  }
}

typedef struct Example {
  int size, frame_size;
  const char *packet, *frame;
} Example;

// Examples of the description of consistent overhead byte stuffing, the long ones by their rule.
static void frames_are_stuffed(void** state) {
  (void)state;
  static const Example examples[] = {{1, 3, "\0", "\1\1\0"},
                                     {2, 4, "\0\0", "\1\1\1\0"},
                                     {3, 5, "\0\x11\0", "\1\2\x11\1\0"},
                                     {4, 6, "\x11\x22\0\x33", "\3\x11\x22\2\x33\0"},
                                     {4, 6, "\x11\x22\x33\x44", "\5\x11\x22\x33\x44\0"},
                                     {4, 6, "\x11\0\0\0", "\2\x11\1\1\1\0"}};
  unsigned char frame[RUT_FRAME_MOST];
  for (int i = 0; i < (int)(sizeof examples / sizeof examples[0]); i++) {
    const Example* e = &examples[i];
    const size_t size = rut_frame_write((const unsigned char*)e->packet, (size_t)e->size, frame);
    assert_int_equal(size, e->frame_size);
    assert_memory_equal(frame, e->frame, size);
    assert_int_equal(rut_frame_read(frame, size - 1), e->size);
    assert_memory_equal(frame, e->packet, (size_t)e->size);
  }
}

// {0 or nothing} 1 2 ... last, {0 or nothing}: where runs of 254 begin and end.
static void long_runs(void** state) {
  (void)state;
  for (int before = 0; before < 2; before++) {
    for (int after = 0; after < 2; after++) {
      for (int length = 250; length < 520; length++) {
        unsigned char packet[600], frame[RUT_FRAME_MOST];
        size_t n = 0;
        if (before) packet[n++] = 0;
        for (int i = 0; i < length; i++) packet[n++] = (unsigned char)(1 + i % 255);
        if (after) packet[n++] = 0;
        const size_t size = rut_frame_write(packet, n, frame);
        // a code byte for every run of 254, one for the rest, one for each zero, and the end; a
        // packet that ends with a whole run needs none for the rest
        const int runs = length / 254, rest = length % 254 > 0 || after;
        assert_int_equal(size, n + (size_t)(runs + rest + 1));
        assert_ptr_equal(memchr(frame, 0, size), frame + size - 1);
        assert_int_equal(rut_frame_read(frame, size - 1), n);
        assert_memory_equal(frame, packet, n);
      }
    }
  }
  // what is cut off, or has a zero inside, is no frame
  unsigned char cut[] = {5, 1, 2, 3}, inside[] = {4, 1, 0, 3}, zero[] = {0};
  assert_int_equal(rut_frame_read(cut, sizeof cut), 0);
  assert_int_equal(rut_frame_read(inside, sizeof inside), 0);
  assert_int_equal(rut_frame_read(zero, sizeof zero), 0);
  assert_int_equal(rut_frame_read(cut, 0), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packets_have_these_bytes),
      cmocka_unit_test(damage_is_seen),
      cmocka_unit_test(frames_are_stuffed),
      cmocka_unit_test(long_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
