// SPDX-License-Identifier: BSD-3-Clause
//
// Packets as frames of a CAN bus: bytes that were computed elsewhere, lost frames, and a link over
// a socket that has frames as messages.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/can.h>
#endif

#include <cmocka.h>

#include "host/remote_link.h"

// Two set points and three signals from 0x400 on.
static rutCanMap example(void) {
  rutCanMap map;
  assert_int_equal(rut_can_map(0x400, 3, 2, &map, NULL), RUT_OK);
  return map;
}

typedef struct Bytes {
  uint32_t id;
  int size;
  unsigned char data[8];
} Bytes;

// Of Python: struct.pack("<II", 7, 0x12345678), "<d" of 1.5, "<ff" of 0.25 and -3, "<f" of 0.1.
static const Bytes frames[] = {{0x400, 8, {0x07, 0x00, 0x00, 0x00, 0x78, 0x56, 0x34, 0x12}},
                               {0x403, 8, {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf8, 0x3f}},
                               {0x404, 8, {0x00, 0x00, 0x80, 0x3e, 0x00, 0x00, 0x40, 0xc0}},
                               {0x405, 4, {0xcd, 0xcc, 0xcc, 0x3d}}};

static void states_have_these_bytes(void** state) {
  (void)state;
  const rutCanMap map = example();
  double value[] = {0.25, -3, 0.1};
  const rutPacket packet = {false, 3, 7, 0x12345678, 1.5, value};
  rutCanFrame to[RUT_CAN_FRAMES];
  assert_int_equal(rut_can_write(&map, &packet, to), 4);
  rutCanReader reader = {.map = map};
  for (int i = 0; i < 4; i++) {
    assert_true(to[i].id == frames[i].id && to[i].size == frames[i].size && !to[i].extended);
    assert_memory_equal(to[i].data, frames[i].data, (size_t)frames[i].size);
    assert_int_equal(rut_can_read(&reader, &to[i]), i == 3 ? RUT_CAN_WHOLE : RUT_CAN_PART);
  }
  const rutPacket read = rut_can_packet(&reader);
  assert_true(!read.answer && read.n == 3 && read.sequence == 7 && read.layout == 0x12345678);
  assert_true(read.time == 1.5 && read.value[0] == 0.25 && read.value[1] == -3);
  // the nearest number of 32 bits
  assert_true(read.value[2] == 13421773.0 / 134217728.0);
}

static void large_numbers_are_infinite(void** state) {
  (void)state;
  const rutCanMap map = example();
  double value[] = {1e300, (double)NAN};
  const rutPacket packet = {true, 2, 0, 0, 0, value};
  rutCanFrame to[RUT_CAN_FRAMES];
  rutCanReader reader = {.map = map, .answer = true};
  assert_int_equal(rut_can_write(&map, &packet, to), 2);
  assert_true(to[0].id == 0x401 && to[1].id == 0x402);
  assert_int_equal(rut_can_read(&reader, &to[0]), RUT_CAN_PART);
  assert_int_equal(rut_can_read(&reader, &to[1]), RUT_CAN_WHOLE);
  assert_true(isinf(reader.value[0]) && isnan(reader.value[1]));
}

// Whatever frame of two packets is lost or comes twice: no packet of frames of both.
static void packets_do_not_mix(void** state) {
  (void)state;
  const rutCanMap map = example();
  for (int lost = 0; lost < 4; lost++) {
    rutCanReader reader = {.map = map};
    int whole = 0;
    for (uint32_t k = 1; k <= 3; k++) {
      double value[] = {k, k, k};
      const rutPacket packet = {false, 3, k, 9, k, value};
      rutCanFrame to[RUT_CAN_FRAMES];
      rut_can_write(&map, &packet, to);
      for (int i = 0; i < 4; i++) {
        if (k == 2 && i == lost) continue;
        if (rut_can_read(&reader, &to[i]) != RUT_CAN_WHOLE) continue;
        const rutPacket read = rut_can_packet(&reader);
        whole++;
        assert_true(read.time == read.sequence && read.sequence != 2);
        for (int j = 0; j < 3; j++) assert_true(read.value[j] == read.sequence);
      }
    }
    assert_int_equal(whole, 2);
  }
}

static void identifiers_have_room(void** state) {
  (void)state;
  rutCanMap map;
  rutError err = {0};
  assert_int_equal(rut_can_map(0x7fd, 0, 1, &map, &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "0x7fd to 0x800"));
  assert_int_equal(rut_can_map(0x7fc, 0, 1, &map, &err), RUT_OK);
  assert_true(!map.extended && rut_can_last_id(&map) == 0x7ff);
  assert_int_equal(rut_can_map(0x800, 1024, 1024, &map, &err), RUT_OK);
  assert_true(map.extended && rut_can_last_id(&map) == 0x800 + 2 + 512 + 512);
  assert_int_equal(rut_can_map(0x1fffffff, 0, 1, &map, &err), RUT_ERR_ARGUMENT);
}

static void texts_of_links(void** state) {
  (void)state;
  static const char* const wrong[] = {"can:",
                                      "can::1",
                                      "can:vcan0:",
                                      "can:vcan0:x",
                                      "can:vcan0:-1",
                                      "can:vcan0:0x400x",
                                      "can:vcan0:1:2",
                                      "can:a_name_that_is_too_long",
                                      "can:vcan0:0x20000000"};
  static rutRemoteLink link;
  rutError err;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    link = (rutRemoteLink){.can = {.set_points = 2}};
    assert_int_equal(rut_remote_link_open(&link, wrong[i], &err), RUT_ERR_ARGUMENT);
  }
  link = (rutRemoteLink){.can = {.set_points = 2}, .described = true};
  assert_int_equal(rut_remote_link_open(&link, "can:vcan0:0x18ff0000", &err), RUT_OK);
  assert_true(link.can.extended && link.can.base == 0x18ff0000);
}

#ifdef __linux__
static void give(int file, uint32_t id, int size, const unsigned char* data) {
  struct can_frame frame = {.can_id = id, .can_dlc = (unsigned char)size};
  memcpy(frame.data, data, (size_t)size);
  assert_int_equal(write(file, &frame, sizeof frame), sizeof frame);
}

// A state goes out as these frames; frames of an answer come back as its packet.
static void links_pass_frames(void** state) {
  (void)state;
  static rutRemoteLink link;
  static unsigned char bytes[RUT_FRAME_MOST];
  double value[RUT_PACKET_VALUES] = {0.25, -3, 0.1};
  int end[2];
  link = (rutRemoteLink){.can = example(), .file = -1, .other = -1};
  assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, end), 0);
  assert_int_equal(rut_remote_can_attach(&link, end[0], NULL), RUT_OK);
  const rutPacket packet = {false, 3, 7, 0x12345678, 1.5, value};
  const size_t size = rut_packet_write(&packet, bytes);
  assert_int_equal(rut_remote_link_send(&link, bytes, size, NULL), RUT_OK);
  for (int i = 0; i < 4; i++) {
    struct can_frame frame;
    assert_int_equal(recv(end[1], &frame, sizeof frame, MSG_DONTWAIT), sizeof frame);
    assert_true(frame.can_id == frames[i].id && frame.can_dlc == frames[i].size);
    assert_memory_equal(frame.data, frames[i].data, frame.can_dlc);
  }
  assert_false(rut_remote_link_wait(&link, 0));
  assert_int_equal(rut_remote_link_take(&link, bytes), 0);
  // of others, a request and an error of the bus are passed over
  give(end[1], 0x123, 8, frames[0].data);
  give(end[1], 0x401 | CAN_RTR_FLAG, 8, frames[0].data);
  give(end[1], 0x401 | CAN_ERR_FLAG, 8, frames[0].data);
  give(end[1], 0x401 | CAN_EFF_FLAG, 8, frames[0].data);
  assert_int_equal(write(end[1], "x", 1), 1);
  give(end[1], 0x401, 8, frames[0].data);
  give(end[1], 0x402, 8, frames[2].data);
  assert_true(rut_remote_link_wait(&link, 1));
  rutPacket read;
  const size_t taken = rut_remote_link_take(&link, bytes);
  assert_true(rut_packet_read(bytes, taken, value, &read));
  assert_true(read.answer && read.n == 2 && read.sequence == 7 && read.layout == 0x12345678);
  assert_true(read.value[0] == 0.25 && read.value[1] == -3);
  // set points without a head, and of another size, are no answer
  give(end[1], 0x402, 8, frames[2].data);
  assert_int_equal(rut_remote_link_take(&link, bytes), 1);
  give(end[1], 0x401, 8, frames[0].data);
  give(end[1], 0x402, 4, frames[2].data);
  assert_int_equal(rut_remote_link_take(&link, bytes), 1);
  assert_int_equal(rut_remote_link_take(&link, bytes), 0);
  rut_remote_link_close(&link);
  close(end[1]);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_have_these_bytes), cmocka_unit_test(large_numbers_are_infinite),
      cmocka_unit_test(packets_do_not_mix),      cmocka_unit_test(identifiers_have_room),
      cmocka_unit_test(texts_of_links),
#ifdef __linux__
      cmocka_unit_test(links_pass_frames),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
