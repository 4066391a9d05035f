// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes that come over a line from a program that drives a vehicle: frames, and packets in them;
// any bytes in a frame, which come out of it as they were; and frames of a CAN bus.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/can_frames.h"
#include "host/remote_packet.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void read_packet(const unsigned char* bytes, size_t size) {
  static double value[RUT_PACKET_VALUES];
  unsigned char again[RUT_PACKET_MOST];
  rutPacket packet;
  if (!rut_packet_read(bytes, size, value, &packet)) return;
  if (rut_packet_write(&packet, again) != size || memcmp(again, bytes, size) != 0) abort();
}

// Of two bytes what packets there are, then frames of 13 bytes. A packet that is whole gives itself
// again.
static void read_bus(const uint8_t* data, size_t size) {
  enum { HEAD = 2, FRAME = 13 };
  static rutCanReader reader, again;
  static rutCanFrame frames[RUT_CAN_FRAMES];
  if (size < HEAD) return;
  rutCanMap map;
  const uint32_t base = data[0] & 1 ? 0x400 : 0x18ff0000;
  if (rut_can_map(base, data[1] % 8, 1 + data[0] / 2 % 8, &map, NULL) != RUT_OK) abort();
  reader = (rutCanReader){.map = map, .answer = (data[0] & 128) != 0};
  for (size_t at = HEAD; at + FRAME <= size; at += FRAME) {
    rutCanFrame frame = {.id = base + data[at] % 16u,
                         .extended = (data[at + 1] > 127) != map.extended,
                         .size = data[at + 2]};
    memcpy(frame.data, data + at + 5, sizeof frame.data);
    if (rut_can_read(&reader, &frame) != RUT_CAN_WHOLE) continue;
    const rutPacket packet = rut_can_packet(&reader);
    const int n = rut_can_write(&map, &packet, frames);
    again = (rutCanReader){.map = map, .answer = reader.answer};
    for (int i = 0; i < n; i++) {
      if ((rut_can_read(&again, &frames[i]) == RUT_CAN_WHOLE) != (i == n - 1)) abort();
    }
    if (again.sequence != reader.sequence || again.layout != reader.layout) abort();
    for (int i = 0; i < packet.n; i++) {
      const double v = again.value[i], w = reader.value[i];
      if (!(v == w || (v != v && w != w))) abort();
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  read_bus(data, size);
  // the exact size lets the address sanitizer see a read past the end
  unsigned char* frame = malloc(size ? size : 1);
  if (!frame) return 0;
  if (size) memcpy(frame, data, size);
  read_packet(frame, size);
  const size_t packet = rut_frame_read(frame, size);
  if (packet > size) abort();
  read_packet(frame, packet);
  free(frame);
  if (size > RUT_PACKET_MOST) return 0;
  unsigned char stuffed[RUT_FRAME_MOST];
  const size_t length = rut_frame_write(data, size, stuffed);
  if (length > sizeof stuffed || memchr(stuffed, 0, length) != stuffed + length - 1) abort();
  if (rut_frame_read(stuffed, length - 1) != size || memcmp(stuffed, data, size) != 0) abort();
  return 0;
}
