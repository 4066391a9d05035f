// SPDX-License-Identifier: BSD-3-Clause
//
// Packets to and from a program that drives a vehicle, as bytes; and frames of them on a line that
// has no packets.
#ifndef RUT_HOST_REMOTE_PACKET_H
#define RUT_HOST_REMOTE_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All numbers are little-endian. Bytes: 0 "RUTS" for a state or "RUTC" for set points, 4 version, 6
// number n of values (16 bits each), 8 sequence, 12 layout (32 bits each), 16 time of the state
// [s], 24 n values (64-bit IEEE 754), then the CRC-32 of all that (ISO 3309, as in zlib and
// Ethernet).
enum {
  RUT_PACKET_VERSION = 1,
  RUT_PACKET_VALUES = 1024,  // at most
  RUT_PACKET_HEAD = 24,
  RUT_PACKET_MOST = RUT_PACKET_HEAD + 8 * RUT_PACKET_VALUES + 4,
  // of a frame: a byte for every 254, and the ends
  RUT_FRAME_MOST = RUT_PACKET_MOST + RUT_PACKET_MOST / 254 + 3
};

typedef struct rutPacket {
  bool answer;  // set points, else a state
  int n;
  uint32_t sequence, layout;
  double time;
  double* value;  // [n] borrowed
} rutPacket;

// Write a packet; returns its length. to: RUT_PACKET_MOST bytes.
size_t rut_packet_write(const rutPacket* packet, unsigned char* to);
// Read one; false if the bytes are none. value: room for RUT_PACKET_VALUES numbers, which out
// borrows.
bool rut_packet_read(const unsigned char* bytes, size_t size, double* value, rutPacket* out);

// Consistent overhead byte stuffing (Cheshire and Baker, IEEE/ACM Trans. Networking 7, 1999): a
// frame has no zero but for the one that ends it, wherever a reader begins. Returns its length. to:
// RUT_FRAME_MOST bytes.
size_t rut_frame_write(const unsigned char* packet, size_t size, unsigned char* to);
// The packet in a frame without its end, in place. Returns its length, 0 for no frame.
size_t rut_frame_read(unsigned char* frame, size_t size);

#endif  // RUT_HOST_REMOTE_PACKET_H
