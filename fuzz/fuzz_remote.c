// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes that come over a line from a program that drives a vehicle: frames, and packets in them;
// and any bytes in a frame, which come out of it as they were.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/remote_packet.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void read_packet(const unsigned char* bytes, size_t size) {
  static double value[RUT_PACKET_VALUES];
  unsigned char again[RUT_PACKET_MOST];
  rutPacket packet;
  if (!rut_packet_read(bytes, size, value, &packet)) return;
  if (rut_packet_write(&packet, again) != size || memcmp(again, bytes, size) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
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
